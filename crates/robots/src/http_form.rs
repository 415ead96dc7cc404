//! Responses and header maps of the `http` crate.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use http::header::LOCATION;
use http::{HeaderMap, HeaderName, HeaderValue, Response};
use web_values::{CacheControl, RetryAfter, UnixSeconds};

use crate::access::{RobotsAnswer, RobotsResponse};

impl<B: AsRef<[u8]>> RobotsAnswer for Response<B> {
    /// Status, `Location`, `Cache-Control`, `Retry-After` with `Date`, and the body.
    ///
    /// ```
    /// use robots::{RobotsAction, SiteRobots, UnixSeconds};
    ///
    /// let response = http::Response::builder()
    ///     .header("cache-control", "max-age=3600")
    ///     .body(b"User-agent: *\nDisallow: /private/".to_vec())?;
    /// let mut site = SiteRobots::default();
    /// site.on_response(&response, UnixSeconds(5));
    /// assert_eq!(site.next_action(UnixSeconds(6)), RobotsAction::Use { until: UnixSeconds(3605) });
    /// assert!(site.decide("AIWebIndex", "/private/x", UnixSeconds(6)).is_disallowed());
    /// # Ok::<(), http::Error>(())
    /// ```
    fn to_response(&self, now: UnixSeconds) -> RobotsResponse<'_> {
        let headers = self.headers();
        RobotsResponse {
            status: self.status().as_u16(),
            location: headers.get(LOCATION).and_then(|value| core::str::from_utf8(value.as_bytes()).ok()),
            body: self.body().as_ref(),
            max_age: CacheControl::of(headers).max_age_secs.map(Duration::from_secs),
            retry_after: RetryAfter::of(headers, now),
        }
    }
}

/// The header fields of a message as text, as this crate and `signals` take them.
///
/// A byte that is not UTF-8 becomes U+FFFD: a directive counts whatever stands beside it in its line. Of `Content-Usage`, a
/// structured field, lines that are not ASCII are left out: they say nothing, and would void the other lines.
///
/// ```
/// use robots::{Directives, HeaderFields};
///
/// let mut headers = http::HeaderMap::new();
/// headers.insert("x-robots-tag", http::HeaderValue::from_bytes(b"caf\xe9, noai")?);
/// assert!(Directives::of_headers(HeaderFields::of(&headers).iter(), "AIWebIndex").has("noai"));
/// # Ok::<(), http::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct HeaderFields<'h>(Vec<(&'h str, Cow<'h, str>)>);

impl<'h> HeaderFields<'h> {
    /// All fields, in the map's order. `O(n)`; allocates for lines that are not UTF-8.
    #[must_use]
    pub fn of(headers: &'h HeaderMap) -> Self {
        let counts = |(name, value): &(&HeaderName, &HeaderValue)| {
            name.as_str() != "content-usage" || value.as_bytes().is_ascii()
        };
        let text = |(name, value): (&'h HeaderName, &'h HeaderValue)| {
            (name.as_str(), String::from_utf8_lossy(value.as_bytes()))
        };
        HeaderFields(headers.iter().filter(counts).map(text).collect())
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> + Clone {
        self.0.iter().map(|(name, value)| (*name, &**value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Directives, Preference, Preferences, RobotsAction, Signal, SiteRobots};

    #[test]
    fn responses() {
        let now = UnixSeconds(784_111_777);
        let busy = Response::builder()
            .status(503)
            .header("Retry-After", "Sun, 06 Nov 1994 09:49:37 GMT")
            .header("Date", "Sun, 06 Nov 1994 07:49:37 GMT")
            .body("")
            .unwrap();
        let mut site = SiteRobots::default();
        site.on_response(&busy, now);
        assert_eq!(site.next_action(now), RobotsAction::Use { until: now.saturating_add(7200) });
        let moved = Response::builder().status(301).header("Location", "/\u{e9}").body([0u8; 0]).unwrap();
        site.on_response(&moved, now);
        assert_eq!(site.next_action(now), RobotsAction::Follow("/\u{e9}"));
        let none = Response::builder().status(404).header("Cache-Control", "max-age=0").body("x").unwrap();
        site.on_response(&none, now);
        assert_eq!(site.next_action(now), RobotsAction::Use { until: now.saturating_add(600) });
    }

    #[test]
    fn header_maps() {
        let mut headers = HeaderMap::new();
        headers.append("x-robots-tag", "otherbot: noindex".parse().unwrap());
        headers.append("X-Robots-Tag", "noai".parse().unwrap());
        headers.append("x-robots-tag", http::HeaderValue::from_bytes(b"nosnippet\xff").unwrap());
        headers
            .append("x-robots-tag", http::HeaderValue::from_bytes(b"noarchive, caf\xe9, noimageai").unwrap());
        headers.append("content-usage", "train-ai=n".parse().unwrap());
        headers.append("content-usage", http::HeaderValue::from_bytes(b"search=\xff").unwrap());
        headers.append("content-signal", "search=yes".parse().unwrap());
        let directives = Directives::of_header_map(&headers, "AIWebIndex");
        assert_eq!(
            directives.iter().collect::<Vec<_>>(),
            [
                ("caf\u{fffd}", None),
                ("noai", None),
                ("noarchive", None),
                ("noimageai", None),
                ("nosnippet\u{fffd}", None)
            ]
        );
        let preferences = Preferences::of_header_map(&headers);
        assert_eq!(preferences.usage("train-ai"), Some(Preference::No));
        assert_eq!(preferences.signal(Signal::Search), Some(Preference::Yes));
    }
}
