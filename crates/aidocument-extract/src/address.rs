//! Addresses of links and images in the output: which are allowed, and how they are resolved.

use std::borrow::Cow;

use aidocument::WebUrl;
use url::Url;
use web_values::UrlRules;

use crate::tree::{NodeId, Tag, Tree};

/// Allowed schemes of addresses. Other schemes run or embed something, or open the reader's own files or programs. A program
/// that shows our Markdown cannot know them all, so this is an allow list.
const SCHEMES: [&str; 4] = ["http", "https", "mailto", "tel"];

/// Bytes that resolving may add to an address.
const MAX_ADDED: usize = 2_048;

/// The target of a link or an image: absolute and without user information if there is a base, otherwise as the page has
/// it. `None` where its scheme is not one of `http`, `https`, `mailto` and `tel`.
pub(crate) fn resolve(href: &str, base: Option<&Url>) -> Option<String> {
    // Browsers read an address without these.
    let href = href.trim_matches(|c: char| c <= ' ');
    let has_signs = href.bytes().any(|byte| matches!(byte, b'\t' | b'\n' | b'\r'));
    let href = if has_signs { href.replace(['\t', '\n', '\r'], "").into() } else { Cow::Borrowed(href) };
    let Some(base) = base else { return may_stand(&href).then(|| href.into_owned()) };
    let mut url = base.join(&href).ok()?;
    if matches!(url.scheme(), "http" | "https") {
        url = WebUrl::from_url(url, UrlRules::default().dropping_credentials()).ok()?.into_url();
    }
    (SCHEMES.contains(&url.scheme()) && url.as_str().len() <= MAX_ADDED + href.len()).then(|| url.into())
}

/// Returns true if an address has one of the [`SCHEMES`] or no scheme.
fn may_stand(href: &str) -> bool {
    let Some((scheme, _)) = href.split_once(':') else { return true };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    !is_scheme || SCHEMES.iter().any(|known| known.eq_ignore_ascii_case(scheme))
}

/// Whether an address is that of a site's front page, in any of its spellings: `/`, `../..`, `../index.html`,
/// `https://host/`. Not `./` and `index.html`, which may be the page itself.
pub(crate) fn is_root(href: &str) -> bool {
    let href = href.trim();
    let host = href.split_once('/').filter(|(scheme, _)| matches!(*scheme, "" | "https:" | "http:"));
    let path = match host.and_then(|(_, rest)| rest.strip_prefix('/')) {
        Some(rest) => rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/"),
        None => href,
    };
    let mut last = path;
    while let Some(above) = last.strip_prefix("../") {
        last = above;
    }
    let last = if last.len() == path.len() { path.strip_prefix('/') } else { Some(last) };
    path == ".."
        || last.is_some_and(|last| matches!(last, "" | ".." | "index.html" | "index.htm" | "index.php"))
}

/// The last part of an address's path: what is the same in every spelling of it.
pub(crate) fn name_of(href: &str) -> &str {
    let path = href.split(['?', '#']).next().unwrap_or_default().trim().trim_end_matches('/');
    path.rsplit('/').next().unwrap_or_default()
}

/// Whether a heading is a link to the front page, or in one.
pub(crate) fn leads_home(tree: &Tree, id: NodeId) -> bool {
    let near = tree.descendants(id).take(12).chain(tree.ancestors(id).take(2));
    let mut links = near.filter(|&near| tree.tag(near) == Tag::A);
    links.any(|link| tree.attr(link, "href").is_some_and(is_root))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_pages_have_many_addresses() {
        let relative = ["/", " / ", "..", "../", "../..", "../../index.html", "/index.php"];
        let whole =
            ["https://a.example", "https://a.example/", "//a.example/", "http://a.example/index.html"];
        for href in relative.into_iter().chain(whole) {
            assert!(is_root(href), "{href}");
        }
        let others = ["", ".", "./", "index.html", "#", "#top", "/a", "a/", "../a/index.html", "?a"];
        for href in others.into_iter().chain(["https://a.example/b", "mailto:a@b.example"]) {
            assert!(!is_root(href), "{href}");
        }
    }

    #[test]
    fn only_addresses_that_lead_somewhere_are_written() {
        let base: Url = "https://a.example/b/".parse().unwrap();
        for (href, alone, based) in [
            ("c", Some("c"), Some("https://a.example/b/c")),
            (" c\n/d\t", Some("c/d"), Some("https://a.example/b/c/d")),
            ("HTTPS://b.example/", Some("HTTPS://b.example/"), Some("https://b.example/")),
            ("https://u:p@b.example/", Some("https://u:p@b.example/"), Some("https://b.example/")),
            ("mailto:a@b.example", Some("mailto:a@b.example"), Some("mailto:a@b.example")),
            ("tel:+1", Some("tel:+1"), Some("tel:+1")),
            ("javascript:a", None, None),
            ("\u{1} java\nscript\t:a", None, None),
            ("JAVASCRIPT:a", None, None),
            ("vbscript:a", None, None),
            ("data:text/html,a", None, None),
            ("blob:https://a.example/b", None, None),
            ("view-source:https://a.example/", None, None),
            ("file:///etc", None, None),
            ("x-own+app.1:a", None, None),
            // A colon behind anything else starts no scheme.
            ("/a:b", Some("/a:b"), Some("https://a.example/a:b")),
            ("?javascript:a", Some("?javascript:a"), Some("https://a.example/b/?javascript:a")),
            ("1a:b", Some("1a:b"), Some("https://a.example/b/1a:b")),
        ] {
            assert_eq!(resolve(href, None).as_deref(), alone, "{href:?}");
            assert_eq!(resolve(href, Some(&base)).as_deref(), based, "{href:?}");
        }
    }
}
