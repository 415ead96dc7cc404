//! Discovery: finds a page's M-URL, its canonical URL, the sitemap and the policy in links.
//!
//! | relation, type | leads to |
//! |---|---|
//! | `alternate`, `application/json` | M-URL candidates |
//! | `index`, `application/json` | sitemaps |
//! | `describedby`, `application/json` | policy descriptors |
//! | `canonical` | the page's canonical URL |
//!
//! as `Link` fields first, then as `<link>` elements of the page's head. The same relation with another type, or
//! none, is about something else: feeds, `application/ld+json`, oEmbed. Paths are never guessed (TCT-DISC-3).
//!
//! A candidate is not yet an M-URL: WordPress core itself links every page to its REST API with the same relation and
//! type. [`is_m_url_response`] distinguishes them once the candidate has answered.

use std::collections::HashSet;

use http::HeaderMap;
use url::Url;

use crate::link::{has_token, is_json, links};
use crate::open::{Expected, OpenPolicy, open_response};
use crate::{CUrl, MUrl};

/// The links of a page: absolute `https` or `http` URLs without user and password, each once, in the order found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Discovery {
    /// Candidates for the M-URL.
    pub m_urls: Vec<Url>,
    /// The page's own canonical URL. One that names another page is worth a report; it does not override the M-URL's
    /// canonical (TCT-AMB-47).
    pub canonical: Option<Url>,
    /// JSON sitemaps.
    pub sitemaps: Vec<Url>,
    /// Policy descriptors.
    pub policies: Vec<Url>,
}

/// Reads the `Link` fields of a response from `url`, the URL that answered after redirects.
///
/// ```
/// use http::{HeaderMap, header};
/// let url = url::Url::parse("https://example.com/post/").unwrap();
/// let mut headers = HeaderMap::new();
/// headers.append(header::LINK, "<llm/>; rel=alternate; type=\"application/json\"".parse().unwrap());
/// headers.append(header::LINK, "</llm-sitemap.json>; rel=\"index\"; type=\"application/json\"".parse().unwrap());
/// let found = tct::discovery::discover_in_headers(&url, &headers);
/// assert_eq!(found.m_urls[0].as_str(), "https://example.com/post/llm/");
/// assert_eq!(found.sitemaps[0].as_str(), "https://example.com/llm-sitemap.json");
/// ```
///
/// Spec: TCT draft-00, "M-URL Discovery", "Sitemap Discovery"; TCT-DISC-2, TCT-DISC-6, TCT-POL-2, TCT-D01-3,
/// TCT-D01-4.
#[must_use]
pub fn discover_in_headers(url: &Url, headers: &HeaderMap) -> Discovery {
    let mut found = Finder::default();
    found.read_headers(url, headers);
    found.found
}

/// Reads the `Link` fields and the head of a page.
///
/// The page is read no further than its head. Links in comments, templates, `<noscript>` and the body do not count.
///
/// ```
/// use http::HeaderMap;
/// let url = url::Url::parse("https://example.com/post/").unwrap();
/// let html = br#"<!doctype html><title>Post</title><link rel="ALTERNATE" type=application/json href=llm/>"#;
/// let found = tct::discover(&url, &HeaderMap::new(), html);
/// assert_eq!(found.m_urls[0].as_str(), "https://example.com/post/llm/");
/// ```
///
/// Spec: TCT draft-00, "C-URL HTML Link"; TCT-DISC-1, TCT-DISC-2, TCT-AMB-31, TCT-OPS-1.
#[cfg(feature = "html")]
#[must_use]
pub fn discover(url: &Url, headers: &HeaderMap, html: &[u8]) -> Discovery {
    let mut found = Finder::default();
    found.read_headers(url, headers);
    let head = crate::html::read_head(html);
    let base = head.base(url);
    for link in head.links.iter().filter(|link| !link.href.is_empty()) {
        found.add(&link.rel, &link.media_type, &link.href, &base);
    }
    found.found
}

/// A request to such a URL would send credentials from untrusted input (TCT-SEC-12).
fn has_credentials(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

/// A [`Discovery`] under construction.
#[derive(Default)]
struct Finder {
    found: Discovery,
    /// Sets of the links found so far, since a head may have a hundred thousand links and searching a list for each is
    /// quadratic.
    known: HashSet<(usize, Url)>,
}

impl Finder {
    fn read_headers(&mut self, url: &Url, headers: &HeaderMap) {
        for link in links(headers).filter(|link| !link.is_anchored) {
            self.add(&link.rel, link.media_type.as_deref().unwrap_or_default(), link.target, url);
        }
    }

    fn add(&mut self, rel: &str, media_type: &str, target: &str, base: &Url) {
        let is_canonical = self.found.canonical.is_none() && has_token(rel, "canonical");
        let relations = ["alternate", "index", "describedby"];
        let is_listed = is_json(media_type) && relations.iter().any(|relation| has_token(rel, relation));
        if !is_canonical && !is_listed {
            return;
        }
        let Ok(mut url) = base.join(target) else { return };
        if !matches!(url.scheme(), "https" | "http") || has_credentials(&url) {
            return;
        }
        url.set_fragment(None);
        if is_canonical {
            self.found.canonical = Some(url.clone());
        }
        if !is_json(media_type) {
            return;
        }
        let Discovery { m_urls, sitemaps, policies, .. } = &mut self.found;
        for (number, (relation, list)) in relations.iter().zip([m_urls, sitemaps, policies]).enumerate() {
            if has_token(rel, relation) && self.known.insert((number, url.clone())) {
                list.push(url.clone());
            }
        }
    }
}

/// Whether a candidate's response, from `url`, is that of an M-URL for `page`: it names the page as canonical, has a hash for an
/// entity tag, and a payload's fields.
///
/// Spec: TCT draft-00, "M-URL Discovery"; TCT-AMB-31.
#[must_use]
pub fn is_m_url_response(url: &Url, response: &http::Response<impl AsRef<[u8]>>, page: &CUrl) -> bool {
    let opened = open_response(
        url,
        response,
        &Expected { page: Some(page), sitemap_hash: None },
        &OpenPolicy::default(),
    );
    // A malformed tag is not a hash.
    let has_hash = opened.clean_etag().is_some_and(|etag| etag.fingerprint().is_some());
    opened.is_accepted() && has_hash
}

/// Whether a page that an M-URL claims as its own, other than the one that led there, may be taken as its page.
///
/// The M-URL's own canonical is preferred over the page that linked to it, but not without confirmation: all three
/// must have one origin, and the claimed page must lead back to the M-URL, by its own links (`claimed_leads_to`) or by
/// the site's sitemap (`is_listed`). Otherwise any M-URL could claim any page. Report such a case in either event.
///
/// Spec: TCT draft-00, "Canonical Verification"; TCT-CANON-4, TCT-AMB-29.
// Hidden: for an agent that follows a twin to another page, which no agent here does.
#[doc(hidden)]
#[must_use]
pub fn may_adopt_page(
    linked_from: &CUrl,
    twin: &MUrl,
    claimed: &CUrl,
    claimed_leads_to: &Discovery,
    is_listed: bool,
) -> bool {
    let origin = twin.as_url().origin();
    linked_from.as_url().origin() == origin
        && claimed.as_url().origin() == origin
        && (is_listed || claimed_leads_to.m_urls.contains(twin.as_url()))
}

/// The possible URLs of a site's sitemaps, before one is fetched.
///
/// ```
/// use tct::discovery::SitemapSearch;
/// let home = url::Url::parse("https://example.com/").unwrap();
/// let search = SitemapSearch::default().with_well_known();
/// let candidates = search.candidates(&home, &tct::Discovery::default());
/// assert_eq!(candidates[0].as_str(), "https://example.com/.well-known/llm-sitemap.json");
/// assert!(SitemapSearch::default().candidates(&home, &tct::Discovery::default()).is_empty());
/// ```
///
/// Spec: TCT draft-00, "Sitemap Discovery"; TCT-DISC-6 to TCT-DISC-10, TCT-AMB-32, TCT-D01-3.
#[derive(Debug, Clone, Default)]
pub struct SitemapSearch {
    configured: Vec<Url>,
    robots: Vec<Url>,
    probes_well_known: bool,
    probes_conventional: bool,
}

impl SitemapSearch {
    /// Adds a sitemap that the caller knows.
    #[must_use]
    pub fn with_configured(mut self, sitemap: Url) -> Self {
        self.configured.push(sitemap);
        self
    }

    /// Adds the values of the `Sitemap:` lines of robots.txt. Only JSON ones of the site's own origin count.
    #[must_use]
    pub fn with_robots_lines<'a>(mut self, values: impl IntoIterator<Item = &'a str>) -> Self {
        // A relative value is not a sitemap: the line asks for an absolute one.
        self.robots.extend(values.into_iter().filter_map(|value| Url::parse(value.trim()).ok()));
        self
    }

    /// Allows probing `/.well-known/llm-sitemap.json`.
    #[must_use]
    pub fn with_well_known(mut self) -> Self {
        self.probes_well_known = true;
        self
    }

    /// Allows probing `/llm-sitemap.json`.
    #[must_use]
    pub fn with_conventional_path(mut self) -> Self {
        self.probes_conventional = true;
        self
    }

    /// The URLs to try, best first, each once: configured, linked, allowed probes, robots.txt.
    ///
    /// An answer counts as a sitemap when [`SitemapReader`](crate::SitemapReader) reads it: servers that answer 200
    /// with a page for everything do not pass.
    #[must_use]
    pub fn candidates(&self, site: &Url, found: &Discovery) -> Vec<Url> {
        let probe = |allowed: bool, path: &str| allowed.then(|| site.join(path).ok()).flatten();
        let robots = self.robots.iter().filter(|url| {
            url.origin() == site.origin() && url.path().ends_with(".json") && !has_credentials(url)
        });
        let named = self.configured.iter().chain(&found.sitemaps).cloned();
        // The first is not registered, the second the draft's example.
        let well_known = probe(self.probes_well_known, "/.well-known/llm-sitemap.json");
        let conventional = probe(self.probes_conventional, "/llm-sitemap.json");
        let mut known = HashSet::new();
        let all = named.chain(well_known).chain(conventional).chain(robots.cloned());
        all.filter(|url| known.insert(url.clone())).collect()
    }

    /// The sitemaps that the caller knows.
    pub(crate) fn configured(&self) -> &[Url] {
        &self.configured
    }
}
