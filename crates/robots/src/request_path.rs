//! The part of a URL that rules are compared with.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;

/// Path and query of a URL, such as `/search?q=1`: begins with `/`, never has a fragment.
///
/// `decide` takes anything that converts: text, and with the features of that name a `url::Url` or an `http::Uri`.
/// A text is one of:
///
/// | text | is read as |
/// |---|---|
/// | `/a?b#c` | path and query, the fragment cut |
/// | `https://example.com/a?b` | a URL of any scheme: its path and query, dot segments resolved as the request will have them |
/// | empty, `?b` | the path `/` |
/// | anything else | not a path: [`is_valid`](Self::is_valid) is false, and every decision about it is "disallowed" |
///
/// Text without a scheme does not become a path by adding a `/`, so a host name or a crawler's name passed by mistake is
/// never "allowed". A robots.txt file does not name its site, so the host of a URL is not compared with anything: the
/// caller must use the file of that host.
///
/// Dot segments of a path are kept as they are.
///
/// Spec: RFC 9309, "The Allow and Disallow Lines"; AIWI-BOT-5.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RequestPath<'a> {
    text: Cow<'a, str>,
    is_valid: bool,
}

impl<'a> RequestPath<'a> {
    /// Path and query of a URL's text; without a path, `/`.
    ///
    /// The text is cut, not checked: scheme, authority and fragment go. A text without a scheme is read as if it began
    /// with the host, unless it begins with a single `/`. Dot segments are kept.
    ///
    /// ```
    /// use robots::RequestPath;
    ///
    /// for (url, path) in [
    ///     ("https://example.com/a/b?c=d#e", "/a/b?c=d"),
    ///     ("https://example.com?c", "/?c"),
    ///     ("https://example.com", "/"),
    ///     ("//example.com/a", "/a"),
    ///     ("/a", "/a"),
    /// ] {
    ///     assert_eq!(RequestPath::of_url(url).as_str(), path);
    /// }
    /// ```
    #[must_use]
    pub fn of_url(url: &'a str) -> Self {
        let url = url.split('#').next().unwrap_or("");
        let rest = match url.strip_prefix("//") {
            Some(rest) => rest,
            // A `://` behind the start of path or query belongs to those.
            None => match (url.find("://"), url.find(['/', '?', ';'])) {
                (Some(scheme), Some(path)) if scheme < path => url.get(scheme + 3..).unwrap_or(""),
                _ => url,
            },
        };
        let path = rest.find(['/', '?', ';']).and_then(|start| rest.get(start..)).unwrap_or("/");
        let text = if path.starts_with('/') { Cow::Borrowed(path) } else { Cow::Owned(format!("/{path}")) };
        RequestPath { text, is_valid: true }
    }

    /// Reads path and query, or a URL; see the table above.
    ///
    /// ```
    /// use robots::{RequestPath, Robots};
    ///
    /// assert_eq!(RequestPath::new("/a?b#c").as_str(), "/a?b");
    /// assert_eq!(RequestPath::new("https://example.com/a/../b").as_str(), "/b");
    /// assert!(!RequestPath::new("example.com/a").is_valid());
    ///
    /// let robots = Robots::parse(b"User-agent: *\nDisallow: /private/\n");
    /// assert!(robots.decide("AIWebIndex", "https://example.com/private/x").is_disallowed());
    /// assert!(robots.decide("/private/x", "AIWebIndex").is_disallowed(), "the arguments are swapped");
    /// ```
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        let cut = match memchr::memchr(b'#', text.as_bytes()) {
            Some(fragment) => text.get(..fragment).unwrap_or(text),
            None => text,
        };
        match cut.as_bytes().first() {
            Some(b'/') => RequestPath { text: Cow::Borrowed(cut), is_valid: true },
            None if text.is_empty() => RequestPath { text: Cow::Borrowed("/"), is_valid: true },
            Some(b'?') => RequestPath { text: Cow::Owned(format!("/{cut}")), is_valid: true },
            _ => match url_path(cut) {
                Some(path) => RequestPath { text: path, is_valid: true },
                None => RequestPath { text: Cow::Borrowed(text), is_valid: false },
            },
        }
    }

    /// The path, beginning with `/`; the whole text if it is not one.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns false if the text is neither a path nor a URL; no rule is compared with it then.
    #[must_use]
    pub const fn is_valid(&self) -> bool {
        self.is_valid
    }
}

/// Path and query of a URL with scheme, `//` and a host; `None` for other text, and for text with characters that a
/// parser of URLs would drop or rewrite: the path that is fetched would differ from the one that was checked.
fn url_path(url: &str) -> Option<Cow<'_, str>> {
    let (scheme, rest) = url.split_once("://")?;
    let is_scheme_char = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let is_scheme =
        scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(is_scheme_char);
    let is_rewritten = rest.contains(|c: char| c.is_control() || c == '\\') || rest.ends_with(' ');
    let (authority, tail) = rest.split_at_checked(rest.find(['/', '?']).unwrap_or(rest.len()))?;
    if !is_scheme || is_rewritten || authority.is_empty() {
        return None;
    }
    let (path, query) = tail.split_at_checked(tail.find('?').unwrap_or(tail.len()))?;
    if path.is_empty() {
        return Some(if query.is_empty() { Cow::Borrowed("/") } else { Cow::Owned(format!("/{query}")) });
    }
    if !path.split('/').any(|segment| dots(segment) > 0) {
        return Some(Cow::Borrowed(tail));
    }
    // The end of each kept segment in `resolved`, so that `..` takes one off in constant time.
    let mut resolved = String::with_capacity(tail.len());
    let mut starts = alloc::vec::Vec::new();
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match dots(segment) {
            0 => {
                starts.push(resolved.len());
                resolved.push('/');
                resolved.push_str(segment);
                continue;
            }
            1 => {}
            _ => resolved.truncate(starts.pop().unwrap_or(0)),
        }
        if is_last {
            resolved.push('/');
        }
    }
    resolved.push_str(query);
    Some(Cow::Owned(resolved))
}

/// 1 for the segment `.`, 2 for `..`, percent-encoded or not; 0 for all others.
fn dots(segment: &str) -> usize {
    let mut rest = segment;
    let mut count = 0;
    while let Some(after) =
        rest.strip_prefix('.').or_else(|| rest.strip_prefix("%2e")).or_else(|| rest.strip_prefix("%2E"))
    {
        (rest, count) = (after, count + 1);
    }
    if rest.is_empty() && count <= 2 { count } else { 0 }
}

impl<'a> From<&'a str> for RequestPath<'a> {
    /// The same as [`RequestPath::new`].
    fn from(text: &'a str) -> Self {
        RequestPath::new(text)
    }
}

#[cfg(feature = "url")]
impl<'a> From<&'a url::Url> for RequestPath<'a> {
    fn from(url: &'a url::Url) -> Self {
        let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
        RequestPath { text: Cow::Borrowed(path), is_valid: path.starts_with('/') }
    }
}

#[cfg(feature = "http")]
impl<'a> From<&'a http::Uri> for RequestPath<'a> {
    fn from(uri: &'a http::Uri) -> Self {
        // Without a path it may begin with `?`.
        RequestPath::new(uri.path_and_query().map_or("/", |path| path.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_urls() {
        for (text, path) in [
            ("/a?b#c", "/a?b"),
            ("//a/b", "//a/b"),
            ("/a/../b", "/a/../b"),
            ("", "/"),
            ("?q", "/?q"),
            ("https://example.com", "/"),
            ("https://example.com#x", "/"),
            ("https://example.com?q=/../a", "/?q=/../a"),
            ("HTTPS://example.com:8443/a?b#c", "/a?b"),
            ("https://example.com//a", "//a"),
            ("https://example.com/a/./b/../c", "/a/c"),
            ("https://example.com/a/%2E%2e/private/x", "/private/x"),
            ("https://example.com/a/.%2e", "/"),
            ("https://example.com/a/b/..", "/a/"),
            ("https://example.com/a/b/.", "/a/b/"),
            ("https://example.com/../../a?b", "/a?b"),
            ("https://example.com/.a/..b/...", "/.a/..b/..."),
            ("https://user@example.com/a", "/a"),
            ("ftp://example.com/a", "/a"),
        ] {
            let read = RequestPath::new(text);
            assert_eq!((read.as_str(), read.is_valid()), (path, true), "{text}");
        }
    }

    #[test]
    fn what_is_neither_is_not_valid() {
        for text in [
            "AIWebIndex",
            "example.com/private/x",
            "private/x",
            "*",
            "#a",
            " /a",
            "mailto:a@b.example",
            "https:/example.com/a",
            "https:///a",
            "https:\\\\example.com\\a",
            "https://example.com\\a",
            "https://example.com/pri\tvate",
            "https://example.com/a\n",
            "https://example.com/a ",
            "1https://example.com/a",
            "AIWebIndex/1.0 (+https://example.com/bot)",
        ] {
            assert!(!RequestPath::new(text).is_valid(), "{text:?}");
        }
    }

    #[cfg(feature = "url")]
    #[test]
    fn resolved_as_the_url_standard_does() {
        for text in [
            "https://example.com/a/../../b/./c/",
            "https://example.com/a/b/../",
            "https://example.com/%2e/a/%2E%2E",
            "https://example.com/..",
            "https://example.com/a//../b",
        ] {
            assert_eq!(RequestPath::new(text), RequestPath::from(&url::Url::parse(text).unwrap()), "{text}");
        }
    }
}
