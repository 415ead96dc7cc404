//! Conditional requests: what a request's preconditions and range come to for a representation.
//!
//! The order is that of RFC 9110, section "Precedence of Preconditions":
//!
//! 1. `If-Match` (strong comparison); failed: 412.
//! 2. Without it, `If-Unmodified-Since`; failed: 412.
//! 3. `If-None-Match` (weak comparison); matched: 304 for GET and HEAD, 412 for other methods.
//! 4. Without it, `If-Modified-Since` for GET and HEAD; not modified: 304.
//! 5. For GET, `Range`, if `If-Range` is absent or names this very representation.
//!
//! The draft says that a date is looked at after `If-None-Match` did not match. RFC 9110 forbids that, and rightly:
//! a page edited twice in one second, or whose clock was set back, would be answered 304 and never seen again. So a
//! date is ignored whenever `If-None-Match` is present, even when it is empty or unreadable (TCT-AMB-17).
//!
//! A date that cannot be read, or that comes in two lines, is ignored with its field.

use http::header::{IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE, RANGE};
use http::{HeaderMap, HeaderName, HeaderValue, Method};

use crate::etag::list_matches;
use crate::{EntityTag, UnixSeconds};

/// The validators that a representation has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Validators<'a> {
    /// Its entity tag.
    pub etag: Option<EntityTag<'a>>,
    /// When it last changed.
    pub last_modified: Option<UnixSeconds>,
    /// The caller's word that it did not change twice within the second that `last_modified` names, nor will. Only
    /// then is the date a strong validator, and `If-Range` may name it.
    pub date_is_strong: bool,
}

/// What the preconditions of a request come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Precondition {
    /// The request is carried out.
    Proceed,
    /// The client has it: status 304.
    NotModified,
    /// Status 412.
    Failed,
}

/// Evaluates the preconditions of a request. Allocates nothing; `O(n)` in the length of the fields.
///
/// A precondition counts only where the answer without it would be a success (RFC 9110, section 13.2.1): ask only after
/// the method is known to be allowed, as [`plan_response`](crate::plan_response) does.
///
/// ```
/// use http::{HeaderMap, Method, header};
/// use tct::conditional::{Precondition, Validators, check_preconditions};
/// use tct::EntityTag;
///
/// let mut request = HeaderMap::new();
/// request.insert(header::IF_NONE_MATCH, "\"old\", W/\"now\"".parse().unwrap());
/// let page = Validators { etag: EntityTag::parse(b"\"now\""), ..Validators::default() };
/// assert_eq!(check_preconditions(&Method::GET, &request, &page), Precondition::NotModified);
/// ```
///
/// Spec: TCT draft-00, "Conditional Requests"; TCT-COND-1, TCT-COND-2, TCT-COND-3, TCT-AMB-16, TCT-AMB-17.
pub fn check_preconditions(method: &Method, request: &HeaderMap, page: &Validators<'_>) -> Precondition {
    // Fields about a representation mean nothing to methods that select none.
    if matches!(*method, Method::CONNECT | Method::OPTIONS | Method::TRACE) {
        return Precondition::Proceed;
    }
    if request.contains_key(IF_MATCH) {
        let held = |tag: EntityTag<'_>| page.etag.is_some_and(|etag| etag.strong_eq(&tag));
        if !list_matches(lines(request, IF_MATCH), held) {
            return Precondition::Failed;
        }
    } else if let (Some(since), Some(modified)) = (date(request, IF_UNMODIFIED_SINCE), page.last_modified)
        && modified > since
    {
        return Precondition::Failed;
    }

    let is_read = *method == Method::GET || *method == Method::HEAD;
    if request.contains_key(IF_NONE_MATCH) {
        let held = |tag: EntityTag<'_>| page.etag.is_some_and(|etag| etag.weak_eq(&tag));
        return match list_matches(lines(request, IF_NONE_MATCH), held) {
            true if is_read => Precondition::NotModified,
            true => Precondition::Failed,
            false => Precondition::Proceed,
        };
    }
    match (date(request, IF_MODIFIED_SINCE), page.last_modified) {
        (Some(since), Some(modified)) if is_read && modified <= since => Precondition::NotModified,
        _ => Precondition::Proceed,
    }
}

fn lines(request: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &[u8]> {
    request.get_all(name).iter().map(HeaderValue::as_bytes)
}

/// Which bytes of a representation a GET request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum RangeChoice {
    /// All of them: no range, one that is not for this representation, several, or one that cannot be read.
    Whole,
    /// Those from `first` to `last`, both included.
    Part {
        /// Index of the first byte.
        first: u64,
        /// Index of the last byte.
        last: u64,
    },
    /// None of them: the range lies behind the end. Status 416.
    Unsatisfiable,
}

/// The bytes that a GET request asks for, of a representation of `len_bytes` bytes without content coding.
///
/// Only one range in the unit `bytes` is honoured; several are answered with the whole, as RFC 9110 allows. With
/// `If-Range`, the range counts only if its entity tag equals this representation's by strong comparison, or its date
/// is just the page's and strong.
///
/// Spec: TCT draft-00, "Conditional Requests"; TCT-COND-4.
pub fn choose_range(request: &HeaderMap, page: &Validators<'_>, len_bytes: u64) -> RangeChoice {
    let mut lines = request.get_all(RANGE).iter();
    let (Some(range), None) = (lines.next(), lines.next()) else { return RangeChoice::Whole };
    if request.contains_key(IF_RANGE) && !if_range_holds(request, page) {
        return RangeChoice::Whole;
    }
    parse_range(range.as_bytes(), len_bytes).unwrap_or(RangeChoice::Whole)
}

fn if_range_holds(request: &HeaderMap, page: &Validators<'_>) -> bool {
    let mut lines = request.get_all(IF_RANGE).iter();
    let (Some(line), None) = (lines.next(), lines.next()) else { return false };
    if let Some(tag) = EntityTag::parse(line.as_bytes()) {
        return page.etag.is_some_and(|etag| etag.strong_eq(&tag));
    }
    page.date_is_strong && page.last_modified.is_some() && date(request, IF_RANGE) == page.last_modified
}

/// `bytes=` and one `first-`, `first-last` or `-suffix`. `None` where the field is not just that.
fn parse_range(value: &[u8], len_bytes: u64) -> Option<RangeChoice> {
    let text = core::str::from_utf8(value).ok()?.trim_matches([' ', '\t']);
    let (unit, set) = text.split_once('=')?;
    if !unit.eq_ignore_ascii_case("bytes") {
        return None;
    }
    let mut specs = set.split(',').map(|spec| spec.trim_matches([' ', '\t'])).filter(|spec| !spec.is_empty());
    let (Some(spec), None) = (specs.next(), specs.next()) else { return None };
    let (first, last) = spec.split_once('-')?;
    let end = len_bytes.checked_sub(1);
    if first.is_empty() {
        let suffix = number(last)?;
        return Some(match end {
            Some(end) if suffix > 0 => {
                RangeChoice::Part { first: len_bytes.saturating_sub(suffix), last: end }
            }
            _ => RangeChoice::Unsatisfiable,
        });
    }
    let first = number(first)?;
    let last = if last.is_empty() { u64::MAX } else { number(last)? };
    if last < first {
        return None;
    }
    Some(match end {
        Some(end) if first <= end => RangeChoice::Part { first, last: last.min(end) },
        _ => RangeChoice::Unsatisfiable,
    })
}

/// A run of digits; numbers past 64 bits count as the largest.
fn number(digits: &str) -> Option<u64> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(digits.parse().unwrap_or(u64::MAX))
}

/// The date of a field that has one line and can be read.
fn date(request: &HeaderMap, name: HeaderName) -> Option<UnixSeconds> {
    let mut lines = request.get_all(name).iter();
    match (lines.next(), lines.next()) {
        (Some(line), None) => crate::time::parse_http_date(line.to_str().ok()?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        let part = |first, last| Some(RangeChoice::Part { first, last });
        for (value, expected) in [
            ("bytes=0-9", part(0, 9)),
            ("Bytes=0-9", part(0, 9)),
            ("bytes=90-", part(90, 99)),
            ("bytes=90-900", part(90, 99)),
            ("bytes=-10", part(90, 99)),
            ("bytes=-1000", part(0, 99)),
            ("bytes=99-99", part(99, 99)),
            ("bytes=0-99999999999999999999999", part(0, 99)),
            ("bytes= 0-9", part(0, 9)),
            ("bytes=,0-9,", part(0, 9)),
            ("bytes=100-", Some(RangeChoice::Unsatisfiable)),
            ("bytes=-0", Some(RangeChoice::Unsatisfiable)),
            ("bytes=99999999999999999999999-", Some(RangeChoice::Unsatisfiable)),
            ("bytes=9-0", None),
            ("bytes=0-9,20-29", None),
            ("bytes=", None),
            ("bytes=-", None),
            ("bytes", None),
            ("bytes=a-b", None),
            ("bytes=+1-2", None),
            ("bytes=1 - 2", None),
            ("items=0-9", None),
            ("bytes =0-9", None),
        ] {
            assert_eq!(parse_range(value.as_bytes(), 100), expected, "{value}");
        }
        assert_eq!(parse_range(b"bytes=0-", 0), Some(RangeChoice::Unsatisfiable));
        assert_eq!(parse_range(b"bytes=-5", 0), Some(RangeChoice::Unsatisfiable));
    }
}
