//! Paths as settings name them: what cannot be one is refused at start, since a rule for no path protects nothing.

use percent_encoding::percent_decode_str;
use url::Url;

use crate::SiteError;

/// Beginnings of paths, compared percent-decoded.
#[derive(Debug, Clone, Default)]
pub(crate) struct Prefixes(Vec<Vec<u8>>);

impl Prefixes {
    /// The prefixes of the setting `name`.
    ///
    /// # Errors
    /// [`SiteError::Refused`] for what cannot begin a path that the site answers.
    pub(crate) fn new(name: &str, written: &[String]) -> Result<Self, SiteError> {
        let prefix = |text: &String| {
            decoded(text).map_err(|why| SiteError::refused(format!("{name}: `{}`", text.escape_debug()), why))
        };
        Ok(Prefixes(written.iter().map(prefix).collect::<Result<_, _>>()?))
    }

    /// Whether this path of a request or of a page begins with one of them.
    pub(crate) fn have(&self, path: &str) -> bool {
        let path: Vec<u8> = percent_decode_str(path).collect();
        self.0.iter().any(|prefix| path.starts_with(prefix))
    }
}

/// The prefix without percent-encoding.
fn decoded(text: &str) -> Result<Vec<u8>, &'static str> {
    if !text.starts_with('/') {
        return Err("expected a path that begins with `/`");
    }
    if text.contains(['?', '#', '*', '\\']) {
        return Err("expected a path without `?`, `#`, `*` and `\\`: this is a prefix, not a pattern");
    }
    let has_whole_escapes = text.split('%').skip(1).all(|after| {
        after.get(..2).is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
    });
    if !has_whole_escapes {
        return Err("expected two hexadecimal digits after `%`");
    }
    let bytes: Vec<u8> = percent_decode_str(text).collect();
    let slashes = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'/').count();
    if slashes(&bytes) != slashes(text.as_bytes()) {
        return Err("expected slashes as they are: no path with `%2F` is answered");
    }
    let decoded = std::str::from_utf8(&bytes).map_err(|_| "expected UTF-8 behind the percent-encoding")?;
    if decoded.chars().any(char::is_control) || decoded.trim() != decoded {
        return Err("expected a path without control characters and without spaces around it");
    }
    // The last step may be the beginning of one: `/.` for `/.well-known`.
    let steps: Vec<&str> = decoded.split('/').skip(1).collect();
    let inner = steps.split_last().map_or(&[][..], |(_, inner)| inner);
    if inner.iter().any(|step| matches!(*step, "" | "." | "..")) || decoded.ends_with("/..") {
        return Err("expected a path without empty steps, `.` and `..`: no such path is answered");
    }
    Ok(bytes)
}

/// A page or an address that a setting names: a path of this site, or a whole URL.
///
/// # Errors
/// [`SiteError::Refused`] for anything else, such as a path without its first slash.
pub(crate) fn link(name: &str, text: &str, origin: &Url, schemes: &[&str]) -> Result<Url, SiteError> {
    let why = match text.strip_prefix('/') {
        Some(rest) if rest.starts_with(['/', '\\']) => "expected a path with one slash in front".to_owned(),
        Some(_) => match origin.join(text) {
            Ok(url) => return Ok(url),
            Err(error) => error.to_string(),
        },
        None => match Url::parse(text) {
            Ok(url) if schemes.contains(&url.scheme()) => return Ok(url),
            _ => format!("expected a path that begins with `/`, or a URL of {}", schemes.join(", ")),
        },
    };
    Err(SiteError::refused(format!("{name}: `{}`", text.escape_debug()), why))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefixes(text: &str) -> Result<Prefixes, SiteError> {
        Prefixes::new("[signatures] require", &[text.to_owned()])
    }

    #[test]
    fn what_cannot_be_a_prefix_is_refused_by_name() {
        for text in [
            "",
            "members/",
            "https://quay.example/members/",
            "//members/",
            "/a//b",
            "/a/../b",
            "/a/..",
            "/./a",
            "/a?b",
            "/a#b",
            "/members/*",
            "/a\\b",
            "/%2",
            "/%zz/",
            "/a%2Fb",
            "/%00",
            "/%ff",
            "/a ",
            "/a\n",
            " /a",
        ] {
            let refused = prefixes(text).unwrap_err().to_string();
            assert!(refused.starts_with("[signatures] require: `"), "{text}: {refused}");
        }
    }

    #[test]
    fn prefixes_are_compared_decoded() {
        for (prefix, path, expected) in [
            ("/caf%C3%A9/", "/caf%c3%a9/menu.html", true),
            ("/caf\u{e9}/", "/caf%C3%A9/", true),
            ("/caf%C3%A9/", "/%63af%C3%A9/x", true),
            ("/caf%C3%A9/", "/cafe/", false),
            ("/members/", "/members", false),
            ("/a b/", "/a%20b/c", true),
            ("/", "/anything", true),
        ] {
            assert_eq!(prefixes(prefix).unwrap().have(path), expected, "{prefix} {path}");
        }
    }

    #[test]
    fn links_are_paths_of_this_site_or_whole_urls() {
        let origin = Url::parse("https://quay.example/").unwrap();
        let link = |text| link("[policy] terms", text, &origin, &["https", "http"]).map(String::from).ok();
        assert_eq!(link("/terms.html").as_deref(), Some("https://quay.example/terms.html"));
        assert_eq!(link("https://other.example/t").as_deref(), Some("https://other.example/t"));
        for text in
            ["terms.html", "//other.example/t", "/\\other.example", "mailto:a@b.example", "", "https://"]
        {
            assert_eq!(link(text), None, "{text}");
        }
    }
}
