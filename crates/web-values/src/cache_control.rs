//! `Cache-Control`: whether and how long a response may be kept and used.

use core::fmt;

/// The directives of a response's `Cache-Control`, over all its lines.
///
/// Names are compared without case. Unknown directives are ignored, numbers are read with or without quotation marks,
/// and numbers past 2^31 count as 2^31, as RFC 9111 says. Of a directive given twice the stricter value counts, and a
/// span that cannot be read counts as 0. A comma inside a quoted value does not end it.
///
/// ```
/// use web_values::CacheControl;
///
/// let directives = CacheControl::parse(["max-age=0, must-revalidate", "stale-while-revalidate=60"]);
/// assert_eq!(directives.max_age_secs, Some(0));
/// assert_eq!(directives.stale_while_revalidate_secs, Some(60));
/// assert!(!directives.may_use_stale(1, false)); // must-revalidate wins
/// assert_eq!(directives.to_string(), "must-revalidate, max-age=0, stale-while-revalidate=60");
/// ```
///
/// Spec: RFC 9111, "Response Cache-Control Directives"; RFC 5861 (`stale-while-revalidate`, `stale-if-error`);
/// RFC 8246 (`immutable`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct CacheControl {
    /// `no-store`: nothing may be kept.
    pub no_store: bool,
    /// `no-cache`, with or without field names: nothing may be used without asking the server.
    pub no_cache: bool,
    /// `private`, with or without field names: no shared cache may keep it.
    pub private: bool,
    /// `public`: a shared cache may keep it even if the request carried credentials.
    pub public: bool,
    /// `must-revalidate`: nothing stale may be used, whatever else is said.
    pub must_revalidate: bool,
    /// `proxy-revalidate`: the same for shared caches.
    pub proxy_revalidate: bool,
    /// `no-transform`: the body may not be changed on its way.
    pub no_transform: bool,
    /// `immutable`: the body does not change while it is fresh.
    pub immutable: bool,
    /// `max-age`.
    pub max_age_secs: Option<u64>,
    /// `s-maxage`: what shared caches use in place of `max-age`.
    pub s_maxage_secs: Option<u64>,
    /// `stale-while-revalidate`.
    pub stale_while_revalidate_secs: Option<u64>,
    /// `stale-if-error`.
    pub stale_if_error_secs: Option<u64>,
}

/// The largest span that is told apart from "for ever": 2^31 seconds.
const MAX_SPAN: u64 = 1 << 31;

impl CacheControl {
    /// Reads the values of all `Cache-Control` lines. `O(n)`, no allocation.
    #[must_use]
    pub fn parse<'v>(lines: impl IntoIterator<Item = &'v str>) -> Self {
        let mut found = CacheControl::default();
        for line in lines {
            for (name, value) in Directives::of(line) {
                found.add(name, value);
            }
        }
        found
    }

    /// Reads the `Cache-Control` of a response's headers; lines with octets beyond ASCII are read up to those.
    #[cfg(feature = "http")]
    #[must_use]
    pub fn of(headers: &http::HeaderMap) -> Self {
        let lines = headers.get_all(http::header::CACHE_CONTROL).iter();
        CacheControl::parse(lines.map(|line| {
            let bytes = line.as_bytes();
            let ascii = bytes.iter().position(|byte| !byte.is_ascii()).and_then(|end| bytes.get(..end));
            core::str::from_utf8(ascii.unwrap_or(bytes)).unwrap_or_default()
        }))
    }

    fn add(&mut self, name: &str, value: Option<&str>) {
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        let digits =
            value.filter(|value| !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()));
        let secs = digits.map_or(0, |digits| digits.parse().unwrap_or(u64::MAX).min(MAX_SPAN));
        let least = |old: &mut Option<u64>| *old = Some(old.map_or(secs, |old| old.min(secs)));
        if is("max-age") {
            least(&mut self.max_age_secs);
        } else if is("s-maxage") {
            least(&mut self.s_maxage_secs);
        } else if is("stale-while-revalidate") {
            least(&mut self.stale_while_revalidate_secs);
        } else if is("stale-if-error") {
            least(&mut self.stale_if_error_secs);
        } else {
            self.no_store |= is("no-store");
            self.no_cache |= is("no-cache");
            self.private |= is("private");
            self.public |= is("public");
            self.must_revalidate |= is("must-revalidate");
            self.proxy_revalidate |= is("proxy-revalidate");
            self.no_transform |= is("no-transform");
            self.immutable |= is("immutable");
        }
    }

    /// Returns true if an agent's own cache may use a response of this age without asking the server.
    #[must_use]
    pub fn is_fresh(&self, age_secs: u64) -> bool {
        !self.no_store && !self.no_cache && self.max_age_secs.is_some_and(|max_age| age_secs < max_age)
    }

    /// Returns true if a response that has been stale for `stale_secs` may be used: while it is being revalidated, or
    /// because the server failed.
    #[must_use]
    pub fn may_use_stale(&self, stale_secs: u64, server_failed: bool) -> bool {
        let window = if server_failed { self.stale_if_error_secs } else { self.stale_while_revalidate_secs };
        !(self.no_store || self.no_cache || self.must_revalidate)
            && window.is_some_and(|window| stale_secs <= window)
    }

    /// Returns true if the response may be stored where only this agent reads it.
    #[must_use]
    pub const fn may_store_privately(&self) -> bool {
        !self.no_store
    }

    /// Returns true if the response may be stored where others read it. The caller adds its own rule for responses
    /// to requests with credentials.
    #[must_use]
    pub const fn may_store_shared(&self) -> bool {
        !self.no_store && !self.private
    }
}

impl fmt::Display for CacheControl {
    /// Writes the known directives as one field value; empty if there are none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flags = [
            (self.no_store, "no-store"),
            (self.no_cache, "no-cache"),
            (self.private, "private"),
            (self.public, "public"),
            (self.must_revalidate, "must-revalidate"),
            (self.proxy_revalidate, "proxy-revalidate"),
            (self.no_transform, "no-transform"),
            (self.immutable, "immutable"),
        ];
        let spans = [
            (self.max_age_secs, "max-age"),
            (self.s_maxage_secs, "s-maxage"),
            (self.stale_while_revalidate_secs, "stale-while-revalidate"),
            (self.stale_if_error_secs, "stale-if-error"),
        ];
        let mut between = "";
        for (_, name) in flags.into_iter().filter(|(is_set, _)| *is_set) {
            write!(f, "{between}{name}")?;
            between = ", ";
        }
        for (secs, name) in spans {
            if let Some(secs) = secs {
                write!(f, "{between}{name}={secs}")?;
                between = ", ";
            }
        }
        Ok(())
    }
}

/// The directives of one line: name and value, without white space and quotation marks around them.
struct Directives<'a> {
    rest: &'a str,
    /// Commas inside quotation marks do not separate directives. After a mark that is never closed, every comma
    /// separates again, so that a later `no-store` still counts and each byte is read a bounded number of times.
    has_quotes: bool,
}

impl<'a> Directives<'a> {
    fn of(line: &'a str) -> Self {
        Directives { rest: line, has_quotes: true }
    }

    /// The place of the comma that ends the first directive, or the length.
    fn end_of_directive(&mut self) -> usize {
        let bytes = self.rest.as_bytes();
        if self.has_quotes {
            let (mut is_quoted, mut at) = (false, 0);
            while let Some(&byte) = bytes.get(at) {
                match byte {
                    b',' if !is_quoted => return at,
                    b'"' => is_quoted = !is_quoted,
                    b'\\' if is_quoted => at += 1,
                    _ => {}
                }
                at += 1;
            }
            if !is_quoted {
                return bytes.len();
            }
            self.has_quotes = false;
        }
        bytes.iter().position(|&byte| byte == b',').unwrap_or(bytes.len())
    }
}

impl<'a> Iterator for Directives<'a> {
    type Item = (&'a str, Option<&'a str>);

    fn next(&mut self) -> Option<Self::Item> {
        while !self.rest.is_empty() {
            let end = self.end_of_directive();
            let (directive, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
            self.rest = rest.strip_prefix(',').unwrap_or(rest);
            let (name, value) = match directive.split_once('=') {
                Some((name, value)) => (name, Some(value.trim_matches([' ', '\t']).trim_matches('"').trim())),
                None => (directive, None),
            };
            let name = name.trim_matches([' ', '\t']);
            if !name.is_empty() {
                return Some((name, value));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn one_line_and_three_lines_are_the_same() {
        let lines = ["max-age=0, must-revalidate", "stale-while-revalidate=60", "stale-if-error=86400"];
        let one = CacheControl::parse([lines.join(", ").as_str()]);
        assert_eq!(one, CacheControl::parse(lines));
        assert_eq!((one.max_age_secs, one.stale_if_error_secs), (Some(0), Some(86_400)));
        assert!(!one.is_fresh(0));
        assert!(!one.may_use_stale(1, true), "must-revalidate outranks stale-if-error");
    }

    #[test]
    fn odd_directives_are_read_on_the_safe_side() {
        let parse = |line: &'static str| CacheControl::parse([line]);
        assert_eq!(parse("Max-Age=\"60\", x=1, public").max_age_secs, Some(60));
        assert_eq!(parse("max-age=60, max-age=10").max_age_secs, Some(10));
        for unreadable in ["max-age=soon", "max-age", "max-age=-1", "max-age=1.5", "max-age="] {
            assert_eq!(parse(unreadable).max_age_secs, Some(0), "{unreadable}");
        }
        assert_eq!(parse("max-age=99999999999999999999").max_age_secs, Some(1 << 31));
        assert_eq!(parse("s-maxage=5, IMMUTABLE").s_maxage_secs, Some(5));
        assert_eq!(parse(",, ,"), CacheControl::default());
        let quoted = parse("private=\"set-cookie, no-store\", x=\"a\\\", no-cache\", max-age=5");
        assert!(quoted.private && !quoted.no_store && !quoted.no_cache);
        assert_eq!(quoted.max_age_secs, Some(5));
        assert!(parse("x=\"never closed, no-store").no_store);
        let loose = parse("max-age=10, stale-while-revalidate=60, stale-if-error=600");
        assert!(loose.is_fresh(9) && !loose.is_fresh(10));
        assert!(
            loose.may_use_stale(60, false)
                && !loose.may_use_stale(61, false)
                && loose.may_use_stale(61, true)
        );
        assert!(parse("private").may_store_privately() && !parse("private").may_store_shared());
        assert!(!parse("no-store").may_store_privately() && parse("public").may_store_shared());
        assert_eq!(parse("").to_string(), "");
    }

    /// Set if a quotation mark is still open at the end of the line: every comma then separates.
    #[test]
    fn many_open_quotation_marks_take_linear_time() {
        let line = "x\"\\\",".repeat(200_000) + "no-store";
        assert!(CacheControl::parse([line.as_str()]).no_store);
    }

    #[cfg(feature = "http")]
    #[test]
    fn header_maps() {
        use http::{HeaderMap, HeaderValue, header};
        let mut headers = HeaderMap::new();
        headers.append(header::CACHE_CONTROL, HeaderValue::from_static("max-age=5"));
        headers.append(header::CACHE_CONTROL, HeaderValue::from_bytes(b"no-store, \xff").unwrap());
        let found = CacheControl::of(&headers);
        assert!(found.no_store);
        assert_eq!(found.max_age_secs, Some(5));
    }
}
