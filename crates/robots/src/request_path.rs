//! The part of a URL that rules are compared with.

use alloc::borrow::Cow;
use alloc::format;

/// Path and query of a URL, such as `/search?q=1`: always begins with `/`, never has a fragment.
///
/// `decide` takes anything that converts: path and query as text, and with the features of that name a `url::Url`
/// or an `http::Uri`. [`RequestPath::of_url`] takes the text of a URL.
///
/// Dot segments are kept as they stand: `url::Url` has resolved them, as the request will have.
///
/// Spec: RFC 9309, "The Allow and Disallow Lines"; AIWI-BOT-5.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RequestPath<'a>(Cow<'a, str>);

impl<'a> RequestPath<'a> {
    /// Path and query of the URL that is written `url`; without a path, `/`.
    ///
    /// The text is cut, not checked: scheme and authority go, and so does a fragment. A text without a scheme is read
    /// as if it began with the host, unless it begins with a single `/`.
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
        RequestPath::new(path)
    }

    /// Path and query as they stand in a request line. A missing `/` at the start is added, a fragment is cut.
    #[must_use]
    pub fn new(path_and_query: &'a str) -> Self {
        let path = match memchr::memchr(b'#', path_and_query.as_bytes()) {
            Some(fragment) => path_and_query.get(..fragment).unwrap_or(path_and_query),
            None => path_and_query,
        };
        match path.as_bytes().first() {
            Some(b'/') => RequestPath(Cow::Borrowed(path)),
            None => RequestPath(Cow::Borrowed("/")),
            Some(_) => RequestPath(Cow::Owned(format!("/{path}"))),
        }
    }

    /// The text, beginning with `/`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'a> From<&'a str> for RequestPath<'a> {
    /// The same as [`RequestPath::new`].
    fn from(path_and_query: &'a str) -> Self {
        RequestPath::new(path_and_query)
    }
}

#[cfg(feature = "url")]
impl<'a> From<&'a url::Url> for RequestPath<'a> {
    fn from(url: &'a url::Url) -> Self {
        RequestPath::new(&url[url::Position::BeforePath..url::Position::AfterQuery])
    }
}

#[cfg(feature = "http")]
impl<'a> From<&'a http::Uri> for RequestPath<'a> {
    fn from(uri: &'a http::Uri) -> Self {
        RequestPath::new(uri.path_and_query().map_or("/", |path| path.as_str()))
    }
}
