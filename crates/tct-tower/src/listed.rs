//! Maps addresses to pages, and makes the `Link` line of each page: its twins, then the sitemaps.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http::{HeaderValue, Uri};
use tct::link::{link_alternate, link_sitemap};
use tct::v03::as_uri;
use tct::{CUrl, MUrl};

use crate::recent::Recent;
use crate::settings::{Revisions, SECOND_SITEMAP_PATH, Settings};

/// Most bytes of cached `Link` lines of pages that are not listed.
const MAX_LINE_BYTES: usize = 1 << 20;

/// The listed pages. Immutable: another list is a new value.
#[derive(Debug)]
pub(crate) struct Listed {
    /// Path and query of each, in the publisher's order.
    pub(crate) pages: Vec<Arc<str>>,
    places: HashMap<Arc<str>, usize>,
    /// Path and query of all that the publisher named, also of pages that have no twin.
    named: HashSet<String>,
    /// The listed page that each twin's path and query belong to.
    twins: HashMap<Box<str>, usize>,
    lines: Vec<Option<HeaderValue>>,
    /// The links to the sitemaps, which every page has.
    sitemaps: Vec<HeaderValue>,
    /// The line of a page without a twin.
    plain: Option<HeaderValue>,
    /// Cached, because writing a line takes as long as the rest of a request: the URLs of the page and its twins are
    /// parsed for it.
    others: Mutex<Recent<Option<HeaderValue>>>,
}

impl Listed {
    pub(crate) fn new<'p>(settings: &Settings, paths: impl IntoIterator<Item = &'p str>) -> Self {
        let mut listed = Listed {
            pages: Vec::new(),
            places: HashMap::new(),
            named: HashSet::new(),
            twins: HashMap::new(),
            lines: Vec::new(),
            sitemaps: Vec::new(),
            plain: None,
            others: Mutex::new(Recent::new(MAX_LINE_BYTES)),
        };
        let mut found = Vec::new();
        let pages: Vec<_> = paths.into_iter().filter_map(|path| settings.listed_page(path)).collect();
        listed.named = pages.iter().map(|(_, path)| path.clone()).collect();
        for (page, path) in pages {
            let twins = settings.twins_of(&page);
            let names = twins.iter().map(|twin| &twin.as_url()[url::Position::BeforePath..]);
            // `/a` and `/a/` have one twin's address: it is the first one's. The address of a page is that page's own.
            let is_free = |name: &str| !listed.twins.contains_key(name) && !listed.names(name);
            if twins.is_empty() || listed.places.contains_key(path.as_str()) || !names.clone().all(is_free) {
                continue;
            }
            let (place, path): (usize, Arc<str>) = (listed.pages.len(), path.into());
            listed.twins.extend(names.map(|name| (name.into(), place)));
            listed.places.insert(Arc::clone(&path), place);
            listed.pages.push(path);
            found.push(twins);
        }
        if !listed.pages.is_empty() {
            let second = settings.second.as_ref().map(|_| SECOND_SITEMAP_PATH);
            let paths = [Some(settings.sitemap_path.as_str()), second].into_iter().flatten();
            let urls = paths.filter_map(|path| settings.origin.join(path).ok());
            listed.sitemaps = urls.map(|url| link_sitemap(&url)).collect();
        }
        listed.plain = listed.line(&[]);
        listed.lines = found.iter().map(|twins| listed.line(twins)).collect();
        listed
    }

    /// The place of a page in the list.
    pub(crate) fn place(&self, page: &str) -> Option<usize> {
        self.places.get(page).copied()
    }

    /// The page of this path and query, if the layer may serve it in other forms: it is listed, or its URL is of this site,
    /// in normal form, and its query has only parameters that [`Settings::with_queries`] declares.
    pub(crate) fn page(&self, settings: &Settings, path: &str, query: Option<&str>) -> Option<String> {
        let page = match query {
            Some(query) => format!("{path}?{query}"),
            None => path.to_owned(),
        };
        let is_one = self.places.contains_key(page.as_str())
            || (settings.declares(query) && settings.page_url(&page).is_some());
        is_one.then_some(page)
    }

    /// Whether the publisher named a page of this path and query, or of its path alone: then the address is that page's own.
    fn names(&self, page: &str) -> bool {
        self.named.contains(page) || page.split_once('?').is_some_and(|(path, _)| self.named.contains(path))
    }

    fn is_page(&self, uri: &Uri) -> bool {
        uri.path_and_query().is_some_and(|page| self.names(page.as_str()))
    }

    /// The page whose twin has this address. For pages that are not listed, the path is assumed to end with a slash,
    /// since the address of a twin does not show it.
    pub(crate) fn page_of_twin(&self, settings: &Settings, uri: &Uri, slug: &str) -> Option<String> {
        let before = uri.path().strip_suffix(slug).filter(|_| !self.is_page(uri))?;
        let listed = |name: &str| Some(self.pages.get(*self.twins.get(name)?)?.to_string());
        if let Some(page) = uri.path_and_query().and_then(|name| listed(name.as_str())) {
            return Some(page);
        }
        let path = listed(uri.path()).unwrap_or_else(|| format!("{before}/"));
        self.page(settings, &path, uri.query())
    }

    /// The page whose Markdown has this address.
    pub(crate) fn page_of_markdown(&self, settings: &Settings, uri: &Uri) -> Option<String> {
        let name =
            uri.path().strip_suffix(".md").filter(|name| !name.ends_with('/') && !self.is_page(uri))?;
        if self.places.contains_key(name) {
            return self.page(settings, name, uri.query());
        }
        let name = name.strip_suffix("/index").unwrap_or(name);
        self.page(settings, &format!("{name}/"), uri.query())
    }

    /// The pages that an address may show in some form: the one of that path and query, and those whose twin or Markdown has it.
    pub(crate) fn shown(&self, settings: &Settings, address: &str) -> Vec<String> {
        let mut pages = vec![address.to_owned()];
        if let Ok(uri) = address.parse() {
            let slugs = [Some(&settings.slug), settings.second.as_ref().map(|second| &second.slug)];
            pages.extend(
                slugs.into_iter().flatten().filter_map(|slug| self.page_of_twin(settings, &uri, slug)),
            );
            pages.extend(self.page_of_markdown(settings, &uri));
        }
        pages
    }

    /// The addresses of every form of the pages that an address may show, each page's own first.
    pub(crate) fn addresses(&self, settings: &Settings, address: &str) -> Vec<String> {
        let mut all = Vec::new();
        for page in self.shown(settings, address) {
            let twins = settings.page_url(&page).map(|url| settings.twins_of(&url)).unwrap_or_default();
            let twins = twins.iter().map(|twin| twin.as_url()[url::Position::BeforePath..].to_owned());
            let (path, query) = page.split_at(page.find('?').unwrap_or(page.len()));
            let files =
                [format!("{}.md{query}", path.trim_end_matches('/')), format!("{path}index.md{query}")];
            // Each says by itself whether it is of this page: nothing here repeats the rules of addresses.
            let is_of_page = |form: &String| self.shown(settings, form).contains(&page);
            let forms: Vec<_> = twins.chain(files).filter(is_of_page).collect();
            all.push(page);
            all.extend(forms);
        }
        all
    }

    /// The line of the page at this path and query; `None` for a page without any link.
    pub(crate) fn line_of(&self, settings: &Settings, page: &str) -> Option<HeaderValue> {
        if let Some(line) = self.place(page).and_then(|place| self.lines.get(place)) {
            return line.clone();
        }
        let (path, query) = page.split_once('?').map_or((page, None), |(path, query)| (path, Some(query)));
        // Nobody said whether `/a` or `/a/` is the page: the twin's address is taken to be that of `/a/`.
        if !path.ends_with('/') || !settings.declares(query) {
            return self.plain.clone();
        }
        let lock = || self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(line) = lock().get(page) {
            return line;
        }
        let twins = settings.page_url(page).map(|page| settings.twins_of(&page)).unwrap_or_default();
        // A twin's address that another page has, or that draft -03 spells in another way than the page, is not one of this page.
        let is_own = |twin: &MUrl| {
            self.shown(settings, &twin.as_url()[url::Position::BeforePath..]).iter().any(|own| own == page)
        };
        let line = if twins.iter().all(is_own) { self.line(&twins) } else { self.plain.clone() };
        lock().insert(page, line.clone(), line.as_ref().map_or(0, HeaderValue::len));
        line
    }

    fn line(&self, twins: &[MUrl]) -> Option<HeaderValue> {
        let links: Vec<HeaderValue> =
            twins.iter().map(link_alternate).chain(self.sitemaps.iter().cloned()).collect();
        let line = links.iter().map(HeaderValue::as_bytes).collect::<Vec<_>>().join(b", ".as_slice());
        HeaderValue::from_maybe_shared(Bytes::from(line)).ok().filter(|line| !line.is_empty())
    }
}

impl Settings {
    /// The page's URL for its readers; `None` for a text that is not in the normal form of that URL, since the inner service
    /// might answer with another page than the URL names.
    pub(crate) fn page_url(&self, path_and_query: &str) -> Option<CUrl> {
        self.listed_page(path_and_query).filter(|(_, path)| path == path_and_query).map(|(page, _)| page)
    }

    /// The URL of a page that the publisher names, with its path and query as requests have them.
    pub(crate) fn listed_page(&self, path_and_query: &str) -> Option<(CUrl, String)> {
        let url = self.origin.join(path_and_query).ok()?;
        // `//other.example/` is a path in a request, and another site in a reference.
        if !path_and_query.starts_with('/')
            || url.origin() != self.origin.origin()
            || url.fragment().is_some()
        {
            return None;
        }
        let path = url[url::Position::BeforePath..].to_owned();
        Some((CUrl::from_url(url, &self.urls).ok()?, path))
    }

    /// Returns true if a query has only declared parameters.
    pub(crate) fn declares(&self, query: Option<&str>) -> bool {
        let is_declared = |part: &str| {
            let name = part.split_once('=').map_or(part, |(name, _)| name);
            self.queries.iter().any(|declared| declared == name)
        };
        query.is_none_or(|query| query.split('&').all(is_declared))
    }

    /// The addresses of a page's twins, that of drafts -00 and -01 first; that of draft -03 as it spells them.
    pub(crate) fn twins_of(&self, page: &CUrl) -> Vec<MUrl> {
        let exact = || CUrl::from_url(as_uri(page.as_url()), &self.urls).ok();
        let first = if self.revisions == Revisions::V03 { exact() } else { Some(page.clone()) };
        let first = first.map(|page| self.pattern.m_url(&page));
        let second = self.second.as_ref().and_then(|second| Some(second.pattern.m_url(&exact()?)));
        [first, second].into_iter().flatten().flatten().collect()
    }
}
