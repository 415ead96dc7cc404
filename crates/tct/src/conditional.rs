//! Conditional requests: evaluates a request's preconditions and range for a representation.
//!
//! The order is that of RFC 9110, section "Precedence of Preconditions":
//!
//! 1. `If-Match` (strong comparison); failed: 412.
//! 2. Without it, `If-Unmodified-Since`; failed: 412.
//! 3. `If-None-Match` (weak comparison); matched: 304. No method but GET and HEAD comes here.
//! 4. Without it, `If-Modified-Since`; not modified: 304.
//! 5. For GET, `Range`, if `If-Range` is absent or names this very representation.
//!
//! The draft says that a date is compared if `If-None-Match` did not match. RFC 9110 forbids that for a good
//! reason: a page that was edited twice in one second, or whose clock was set back, would be answered with 304 for
//! ever. So a date is ignored whenever `If-None-Match` is present, even when it is empty or unreadable
//! (TCT-AMB-17).
//!
//! An unreadable date, or one in two lines, is ignored with its field.

use http::header::{IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE, RANGE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use crate::etag::list_matches;
use crate::response::BodyPlan;
use crate::{EntityTag, UnixSeconds};

/// The validators that a representation has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Validators<'a> {
    /// Its entity tag.
    pub(crate) etag: Option<EntityTag<'a>>,
    /// When it last changed.
    pub(crate) last_modified: Option<UnixSeconds>,
    /// The caller's assurance that it did not and will not change twice within the second of `last_modified`. Only
    /// then is the date a strong validator, and `If-Range` may name it.
    pub(crate) date_is_strong: bool,
}

/// The status that the preconditions of a GET or HEAD request lead to, 304 or 412; `None` where the request is carried out.
/// Allocates nothing; `O(n)` in the length of the fields.
///
/// A precondition counts only where the answer without it would be a success (RFC 9110, section 13.2.1): ask only after
/// the method is known to be allowed, as [`plan_response`](crate::plan_response) does.
///
/// Spec: TCT draft-00, "Conditional Requests"; TCT-COND-1, TCT-COND-2, TCT-COND-3, TCT-AMB-16, TCT-AMB-17.
pub(crate) fn check_preconditions(request: &HeaderMap, page: &Validators<'_>) -> Option<StatusCode> {
    let modified_after = |name| page.last_modified.zip(date(request, name)).map(|(at, since)| at > since);
    let failed = match lines(request, IF_MATCH) {
        Some(tags) => {
            let held = |tag: EntityTag<'_>| page.etag.is_some_and(|etag| etag.strong_eq(&tag));
            !list_matches(tags, held)
        }
        None => modified_after(IF_UNMODIFIED_SINCE) == Some(true),
    };
    if failed {
        return Some(StatusCode::PRECONDITION_FAILED);
    }
    let is_unchanged = match lines(request, IF_NONE_MATCH) {
        Some(tags) => {
            let held = |tag: EntityTag<'_>| page.etag.is_some_and(|etag| etag.weak_eq(&tag));
            list_matches(tags, held)
        }
        None => modified_after(IF_MODIFIED_SINCE) == Some(false),
    };
    is_unchanged.then_some(StatusCode::NOT_MODIFIED)
}

/// The lines of a field; `None` without any.
fn lines(request: &HeaderMap, name: HeaderName) -> Option<impl Iterator<Item = &[u8]>> {
    let mut lines = request.get_all(name).iter().map(HeaderValue::as_bytes).peekable();
    lines.peek().is_some().then_some(lines)
}

/// The bytes that a GET request asks for, of a representation of `len_bytes` bytes without content coding; `None` where the
/// range begins after the end, which is the status 416.
///
/// Only one range in the unit `bytes` is honoured; several are answered with the whole, as RFC 9110 allows. With
/// `If-Range`, the range counts only if its entity tag equals this representation's by strong comparison, or its date
/// is just the page's and strong.
///
/// Spec: TCT draft-00, "Conditional Requests"; TCT-COND-4.
pub(crate) fn choose_range(request: &HeaderMap, page: &Validators<'_>, len_bytes: u64) -> Option<BodyPlan> {
    let mut lines = request.get_all(RANGE).iter();
    let (Some(range), None) = (lines.next(), lines.next()) else { return Some(BodyPlan::Whole) };
    if request.contains_key(IF_RANGE) && !if_range_holds(request, page) {
        return Some(BodyPlan::Whole);
    }
    parse_range(range.as_bytes(), len_bytes).unwrap_or(Some(BodyPlan::Whole))
}

fn if_range_holds(request: &HeaderMap, page: &Validators<'_>) -> bool {
    let mut lines = request.get_all(IF_RANGE).iter();
    let (Some(line), None) = (lines.next(), lines.next()) else { return false };
    if let Some(tag) = EntityTag::parse(line.as_bytes()) {
        return page.etag.is_some_and(|etag| etag.strong_eq(&tag));
    }
    page.date_is_strong && page.last_modified.is_some() && date(request, IF_RANGE) == page.last_modified
}

/// `bytes=` and one `first-`, `first-last` or `-suffix`. `None` for any other form, `Some(None)` for a range after the end.
fn parse_range(value: &[u8], len_bytes: u64) -> Option<Option<BodyPlan>> {
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
        let last = end.filter(|_| suffix > 0);
        return Some(last.map(|last| BodyPlan::Part { first: len_bytes.saturating_sub(suffix), last }));
    }
    let first = number(first)?;
    let last = if last.is_empty() { u64::MAX } else { number(last)? };
    if last < first {
        return None;
    }
    let end = end.filter(|end| first <= *end);
    Some(end.map(|end| BodyPlan::Part { first, last: last.min(end) }))
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
