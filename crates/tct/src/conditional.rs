//! Conditional requests: evaluates a request's preconditions and range for a representation.
//!
//! The order is that of RFC 9110, section "Precedence of Preconditions":
//!
//! 1. `If-Match` (strong comparison); failed: 412.
//! 2. Without it, `If-Unmodified-Since`; failed: 412.
//! 3. `If-None-Match` (weak comparison); matched: 304 for GET and HEAD, 412 for other methods.
//! 4. Without it, `If-Modified-Since` for GET and HEAD; not modified: 304.
//! 5. For GET, `Range`, if `If-Range` is absent or names this very representation.
//!
//! The draft says that a date is compared if `If-None-Match` did not match. RFC 9110 forbids that for a good
//! reason: a page that was edited twice in one second, or whose clock was set back, would be answered with 304 for
//! ever. So a date is ignored whenever `If-None-Match` is present, even when it is empty or unreadable
//! (TCT-AMB-17).
//!
//! An unreadable date, or one in two lines, is ignored with its field.

use http::header::{IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE, RANGE};
use http::{HeaderMap, HeaderName, HeaderValue, Method};

use crate::etag::list_matches;
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

/// The result of evaluating the preconditions of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub(crate) enum Precondition {
    /// The request is carried out.
    Proceed,
    /// The client has the current version: status 304.
    NotModified,
    /// Status 412.
    Failed,
}

/// Evaluates the preconditions of a request. Allocates nothing; `O(n)` in the length of the fields.
///
/// A precondition counts only where the answer without it would be a success (RFC 9110, section 13.2.1): ask only after
/// the method is known to be allowed, as [`plan_response`](crate::plan_response) does.
///
/// Spec: TCT draft-00, "Conditional Requests"; TCT-COND-1, TCT-COND-2, TCT-COND-3, TCT-AMB-16, TCT-AMB-17.
pub(crate) fn check_preconditions(
    method: &Method,
    request: &HeaderMap,
    page: &Validators<'_>,
) -> Precondition {
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
pub(crate) enum RangeChoice {
    /// All of them: no range, a range for another representation, several ranges, or an unreadable one.
    Whole,
    /// Those from `first` to `last`, both included.
    Part {
        /// Index of the first byte.
        first: u64,
        /// Index of the last byte.
        last: u64,
    },
    /// None of them: the range begins after the end. Status 416.
    Unsatisfiable,
}

/// The bytes that a GET request asks for, of a representation of `len_bytes` bytes without content coding.
///
/// Only one range in the unit `bytes` is honoured; several are answered with the whole, as RFC 9110 allows. With
/// `If-Range`, the range counts only if its entity tag equals this representation's by strong comparison, or its date
/// is just the page's and strong.
///
/// Spec: TCT draft-00, "Conditional Requests"; TCT-COND-4.
pub(crate) fn choose_range(request: &HeaderMap, page: &Validators<'_>, len_bytes: u64) -> RangeChoice {
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

/// `bytes=` and one `first-`, `first-last` or `-suffix`. `None` for any other form.
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
    use http::header;

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

    fn fields(fields: &[(HeaderName, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(name.clone(), value.parse().unwrap());
        }
        headers
    }

    /// Each method with each precondition, whether the tag is the present one and whether the date is as late as the page's.
    #[test]
    fn preconditions_mean_what_their_method_makes_of_them() {
        use Precondition::{Failed, NotModified, Proceed};
        let page = Validators {
            etag: EntityTag::parse(b"\"now\""),
            last_modified: Some(UnixSeconds(784_111_777)),
            date_is_strong: false,
        };
        let (same, before, behind) = (
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:36 GMT",
            "Sun, 06 Nov 1994 08:49:38 GMT",
        );
        let (matches, none) = (header::IF_MATCH, header::IF_NONE_MATCH);
        let (since, unmodified) = (header::IF_MODIFIED_SINCE, header::IF_UNMODIFIED_SINCE);
        // (fields, for GET and HEAD, for other methods that select a representation)
        type Row<'a> = (&'a [(HeaderName, &'a str)], Precondition, Precondition);
        let rows: [Row<'_>; 16] = [
            (&[], Proceed, Proceed),
            (&[(matches.clone(), "\"now\"")], Proceed, Proceed),
            (&[(matches.clone(), "W/\"now\"")], Failed, Failed),
            (&[(matches.clone(), "\"old\"")], Failed, Failed),
            (&[(matches.clone(), "\"now\""), (unmodified.clone(), before)], Proceed, Proceed),
            (&[(unmodified.clone(), before)], Failed, Failed),
            (&[(unmodified.clone(), same)], Proceed, Proceed),
            (&[(none.clone(), "\"now\"")], NotModified, Failed),
            (&[(none.clone(), "W/\"now\"")], NotModified, Failed),
            (&[(none.clone(), "\"old\"")], Proceed, Proceed),
            (&[(none.clone(), "\"old\""), (since.clone(), same)], Proceed, Proceed),
            (&[(since.clone(), same)], NotModified, Proceed),
            (&[(since.clone(), behind)], NotModified, Proceed),
            (&[(since.clone(), before)], Proceed, Proceed),
            (&[(since.clone(), same), (since, same)], Proceed, Proceed),
            (&[(matches, "\"now\""), (none, "\"now\"")], NotModified, Failed),
        ];
        for (request, read, write) in rows {
            let check = |method| check_preconditions(&method, &fields(request), &page);
            for method in [Method::GET, Method::HEAD] {
                assert_eq!(check(method), read, "{request:?}");
            }
            for method in [Method::PUT, Method::POST, Method::DELETE] {
                assert_eq!(check(method), write, "{request:?}");
            }
            // These select no representation.
            for method in [Method::OPTIONS, Method::TRACE, Method::CONNECT] {
                assert_eq!(check(method), Proceed, "{request:?}");
            }
        }
        // What the page does not have is not compared.
        let bare = Validators::default();
        for (request, expected) in [
            ([(header::IF_MATCH, "\"now\"")], Failed),
            ([(header::IF_NONE_MATCH, "\"now\"")], Proceed),
            ([(header::IF_MODIFIED_SINCE, same)], Proceed),
            ([(header::IF_UNMODIFIED_SINCE, same)], Proceed),
        ] {
            assert_eq!(check_preconditions(&Method::GET, &fields(&request), &bare), expected, "{request:?}");
        }
    }

    /// A range applies only to the representation that `If-Range` names, by a strong tag or a strong date.
    #[test]
    fn a_range_counts_for_the_representation_that_it_names() {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        let at = |last_modified, date_is_strong| Validators {
            etag: EntityTag::parse(b"\"now\""),
            last_modified,
            date_is_strong,
        };
        let modified = Some(UnixSeconds(784_111_777));
        let part = RangeChoice::Part { first: 0, last: 9 };
        for (if_range, page, expected) in [
            (vec![], at(None, false), part),
            (vec!["\"now\""], at(None, false), part),
            (vec!["W/\"now\""], at(None, false), RangeChoice::Whole),
            (vec!["\"old\""], at(None, false), RangeChoice::Whole),
            (vec!["\"now\"", "\"now\""], at(None, false), RangeChoice::Whole),
            (vec![date], at(modified, true), part),
            (vec![date], at(modified, false), RangeChoice::Whole),
            (vec![date], at(Some(UnixSeconds(784_111_778)), true), RangeChoice::Whole),
            (vec!["yesterday"], at(None, true), RangeChoice::Whole),
        ] {
            let mut request = fields(&[(header::RANGE, "bytes=0-9")]);
            for line in &if_range {
                request.append(header::IF_RANGE, line.parse().unwrap());
            }
            assert_eq!(choose_range(&request, &page, 100), expected, "{if_range:?}");
        }
        let twice = fields(&[(header::RANGE, "bytes=0-9"), (header::RANGE, "bytes=0-9")]);
        assert_eq!(choose_range(&twice, &at(None, false), 100), RangeChoice::Whole);
        let behind = fields(&[(header::RANGE, "bytes=100-")]);
        assert_eq!(choose_range(&behind, &at(None, false), 100), RangeChoice::Unsatisfiable);
    }
}
