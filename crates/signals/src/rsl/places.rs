//! Where licences are found beside robots.txt: `Link` fields, and elements of a page.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use url::Url;
use web_values::links_in;

/// The media type of an RSL document.
pub const RSL_MEDIA_TYPE: &str = "application/rsl+xml";

/// The licences that a response or a page names, absolute http(s) URLs in order, each once; and those inside the page.
///
/// ```
/// use signals::RslLinks;
///
/// let links = RslLinks::of_headers([("Link", r#"<https://example.com/l.xml>; rel="license"; type="application/rsl+xml""#)]);
/// assert_eq!(links.urls[0].as_str(), "https://example.com/l.xml");
/// ```
///
/// Spec: RSL 1.0, "Associating Licenses"; RSL-2, RSL-3.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct RslLinks {
    /// Addresses of licence documents.
    pub urls: Vec<Url>,
    /// Licence documents as they are in the page: the text of each `<script type="application/rsl+xml">`. A link whose target
    /// cannot be fetched, such as a `data:` URL, is here as it is: it announces a licence, and is no valid document (RSL-16).
    pub documents: Vec<String>,
}

impl RslLinks {
    /// The licences in the `Link` fields of a response: relation `license`, type `application/rsl+xml`, an absolute
    /// target.
    #[must_use]
    pub fn of_headers<'h>(headers: impl IntoIterator<Item = (&'h str, &'h str)>) -> Self {
        let mut urls = Urls::default();
        for (_, line) in headers.into_iter().filter(|(name, _)| name.eq_ignore_ascii_case("link")) {
            for link in links_in(line).filter(|link| link.has_rel("license") && !link.is_anchored) {
                if link.media_type.as_deref().is_some_and(is_rsl) {
                    urls.add(link.target);
                }
            }
        }
        RslLinks { urls: urls.all, documents: urls.others }
    }

    /// The licences in the elements of the page at `page`: `<link rel="license" type="application/rsl+xml">`, whose target
    /// may be relative to the page or its first `<base>`, and `<script type="application/rsl+xml">`.
    ///
    /// The bytes go through an HTML tokenizer once, and the links through a sorted set, `O(n log n)`; elements in comments
    /// and templates do not count.
    #[cfg(feature = "html")]
    #[must_use]
    pub fn of_html(html: &[u8], page: &Url) -> Self {
        use super::html::Element;
        let elements = super::html::read(html);
        let base = elements.iter().find_map(|element| match element {
            Element::Base(target) => Some(page.join(target)),
            _ => None,
        });
        // As in HTML, the first counts, and one that could run something is none.
        let base = base.and_then(Result::ok).filter(|base| matches!(base.scheme(), "http" | "https"));
        let base = base.as_ref().unwrap_or(page);
        let mut urls = Urls::default();
        for element in elements {
            match element {
                Element::Link(target) => {
                    if let Ok(url) = base.join(&target) {
                        urls.add(url.as_str());
                    }
                }
                Element::Script(text) => urls.others.push(text),
                Element::Base(_) => {}
            }
        }
        RslLinks { urls: urls.all, documents: urls.others }
    }
}

/// The URLs so far, the same to look them up, and what is not fetched.
#[derive(Default)]
struct Urls {
    all: Vec<Url>,
    seen: BTreeSet<Url>,
    others: Vec<String>,
}

impl Urls {
    fn add(&mut self, target: &str) {
        match Url::parse(target) {
            Ok(url) if !matches!(url.scheme(), "http" | "https") => self.others.push(url.into()),
            Ok(url) if self.seen.insert(url.clone()) => self.all.push(url),
            _ => {}
        }
    }
}

/// Returns true if a media type is that of RSL, parameters and letter case aside.
pub(super) fn is_rsl(media_type: &str) -> bool {
    media_type.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(RSL_MEDIA_TYPE)
}
