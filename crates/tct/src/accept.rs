//! `Accept-Encoding` and `Accept`: which forms a client accepts, and with which weights.
//!
//! ```text
//! Accept-Encoding: gzip;q=0.8, identity;q=0          the members of all lines, separated by commas
//! ```
//!
//! A weight is `q=` and a number from 0 to 1 with at most three digits behind the point. What looks like a weight but is
//! not one (`q=2`, `q = 0`, `q="0"`) is ignored, and so are other parameters: the coding then has the weight 1. Of a coding
//! that is named more than once, the last mention counts (TCT3-AMB-13). Letter case makes no difference.

use http::header::ACCEPT_ENCODING;
use http::{HeaderMap, HeaderName};
use web_values::list_members;

/// The weight of a coding without one, in thousandths.
const FULL: u16 = 1000;

/// [`Coding::weight`](crate::Coding::weight) of a coding by its name.
pub(crate) fn coding_weight(request: &HeaderMap, coding: &str) -> u16 {
    let is_identity = coding.eq_ignore_ascii_case("identity");
    if !request.contains_key(ACCEPT_ENCODING) {
        return if is_identity { FULL } else { 0 };
    }
    mention(request, coding).unwrap_or(u16::from(is_identity))
}

/// The weight of a coding that the field names, or covers with `*`; `x-gzip` is gzip.
pub(crate) fn mention(request: &HeaderMap, coding: &str) -> Option<u16> {
    let alias = if coding.eq_ignore_ascii_case("gzip") { "x-gzip" } else { coding };
    let (mut named, mut star) = (None, None);
    for (name, weight) in members(request, &ACCEPT_ENCODING) {
        if [coding, alias].iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes())) {
            named = Some(weight);
        } else if name == b"*" {
            star = Some(weight);
        }
    }
    named.or(star)
}

/// The members of a list of choices with their weights in thousandths.
pub(crate) fn members<'a>(
    request: &'a HeaderMap,
    field: &'a HeaderName,
) -> impl Iterator<Item = (&'a [u8], u16)> {
    list_members(request, field).map(|member| {
        let mut parts = member.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
        (parts.next().unwrap_or_default(), parts.rev().find_map(weight).unwrap_or(FULL))
    })
}

/// The weight in thousandths, if the parameter is one: `q=0.25` is 250.
fn weight(parameter: &[u8]) -> Option<u16> {
    let [b'q' | b'Q', b'=', whole, rest @ ..] = parameter else { return None };
    let digits = match rest {
        [] => rest,
        [b'.', digits @ ..] if digits.len() <= 3 && digits.iter().all(u8::is_ascii_digit) => digits,
        _ => return None,
    };
    let thousandths =
        [100, 10, 1].into_iter().zip(digits).map(|(unit, digit)| unit * u16::from(digit - b'0')).sum();
    match (whole, thousandths) {
        (b'0', thousandths) => Some(thousandths),
        (b'1', 0) => Some(FULL),
        _ => None,
    }
}
