//! The publisher: pages with twins of one draft or both, sitemaps, a policy. What is true of it now.

use std::collections::BTreeMap;

use http::header::{self, HeaderName};
use tct::v03::{MSitemap, MSitemapItem, MUrlDocument};
use tct::{CUrl, MUrl, Payload, SitemapBudget, SitemapEntry, write_sitemaps};
use url::Url;

use crate::rng::Rng;

/// The origin of everything that is true.
pub const ORIGIN: &str = "https://site.example";

/// Seconds that a slow site wants between two requests.
pub(crate) const SLOW_SECS: u64 = 2;

/// A URL of the site.
#[must_use]
pub fn url(path: &str) -> Url {
    let origin = Url::parse(ORIGIN).expect("a constant");
    origin.join(path).expect("a path of this crate")
}

/// What a resource is now.
#[derive(Debug, Clone, Default)]
pub struct Resource {
    /// The bytes.
    pub body: Vec<u8>,
    /// The entity tag, quotes included.
    pub etag: String,
    /// Its other fields.
    pub fields: Vec<(HeaderName, String)>,
}

/// A page of the site.
#[derive(Debug, Clone)]
pub struct Page {
    /// Which text it has: equal numbers are equal texts.
    pub text: usize,
    /// Whether it is deleted for good.
    pub is_gone: bool,
    /// Which sitemaps list it.
    pub listed: Vec<bool>,
    /// Whether sitemaps of drafts -00 and -01 list its twin for another page.
    pub is_misnamed: bool,
}

/// What the policy says about the crawl's purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolicyText {
    /// Nothing.
    Silent,
    /// It is allowed.
    Allows,
    /// It is denied.
    Denies,
    /// It is allowed, slowly.
    Slow,
    /// No requests at all are wanted.
    Closes,
}

/// Where the policy is linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolicyPlace {
    /// Nowhere: there is none.
    Nowhere,
    /// On the start page.
    Start,
    /// In the answers of all sitemaps.
    Sitemaps,
    /// In the answers of all twins.
    Twins,
    /// In the answers of this page's twins alone.
    TwinsOf(usize),
}

/// The publisher.
#[derive(Debug, Clone)]
pub struct Site {
    /// The pages, `/0/` and so on.
    pub pages: Vec<Page>,
    /// For each sitemap, whether it is of draft -03.
    pub sitemaps: Vec<bool>,
    /// Whether each sitemap has an entity tag.
    pub has_tags: bool,
    /// Whether sitemaps name the next one, in place of the start page that names all.
    pub is_chained: bool,
    /// The policy.
    pub policy: PolicyText,
    /// Where it is linked.
    pub policy_place: PolicyPlace,
}

impl Site {
    /// A site as chance wants it.
    pub fn new(rng: &mut Rng) -> Self {
        let count = 1 + rng.below(3);
        let sitemaps: Vec<bool> = (0..count).map(|_| rng.percent(35)).collect();
        let pages = (0..rng.below(9))
            .map(|_| Page {
                text: rng.below(3),
                is_gone: false,
                listed: (0..count).map(|_| rng.percent(60)).collect(),
                is_misnamed: false,
            })
            .collect();
        let places = [PolicyPlace::Nowhere, PolicyPlace::Start, PolicyPlace::Sitemaps, PolicyPlace::Twins];
        let texts = [PolicyText::Allows, PolicyText::Allows, PolicyText::Silent, PolicyText::Slow];
        Site {
            pages,
            sitemaps,
            has_tags: rng.percent(80),
            is_chained: rng.percent(30),
            policy: rng.pick(&texts).unwrap_or(PolicyText::Silent),
            policy_place: rng.pick(&places).unwrap_or(PolicyPlace::Nowhere),
        }
    }

    /// The publisher works on it.
    pub fn edit(&mut self, rng: &mut Rng) {
        for page in &mut self.pages {
            if rng.percent(15) {
                page.text = rng.below(3);
            }
            if rng.percent(4) {
                page.is_gone = true;
            }
            page.is_misnamed = rng.percent(5);
            for listed in &mut page.listed {
                if rng.percent(8) {
                    *listed = !*listed;
                }
            }
            if page.is_gone {
                page.listed.fill(false);
            }
        }
        if rng.percent(10) {
            self.policy = match self.policy {
                PolicyText::Denies => PolicyText::Allows,
                _ if rng.percent(50) => PolicyText::Denies,
                PolicyText::Slow => PolicyText::Closes,
                PolicyText::Closes => PolicyText::Silent,
                _ => PolicyText::Slow,
            };
        }
    }

    /// The path of a page's twin of one of the two drafts.
    #[must_use]
    pub fn twin(page: usize, is_v03: bool) -> String {
        if is_v03 { format!("/{page}/m/") } else { format!("/{page}/llm/") }
    }

    /// The path of a sitemap.
    #[must_use]
    pub fn sitemap(number: usize) -> String {
        format!("/sitemap-{number}.json")
    }

    fn text(page: &Page) -> String {
        format!("Text {} of the page.", page.text)
    }

    /// The twins that some sitemap lists now for their page: path, and the sitemap.
    pub fn listings(&self, page: usize) -> impl Iterator<Item = (String, usize)> + '_ {
        let numbers = self.sitemaps.iter().enumerate();
        numbers.filter_map(move |(number, is_v03)| {
            let state = self.pages.get(page)?;
            let is_listed = state.listed[number] && (*is_v03 || !state.is_misnamed);
            is_listed.then(|| (Self::twin(page, *is_v03), number))
        })
    }

    fn policy_link(&self, at: PolicyPlace) -> Vec<(HeaderName, String)> {
        let link = "</policy.json>; rel=\"describedby\"; type=\"application/json\"";
        if self.policy_place == at { vec![(header::LINK, link.to_owned())] } else { Vec::new() }
    }

    /// Everything that is to be had, by path.
    #[must_use]
    pub fn resources(&self) -> BTreeMap<String, Resource> {
        let mut all = BTreeMap::new();
        let link = |number: usize| {
            let path = Self::sitemap(number);
            (header::LINK, format!("<{path}>; rel=\"index\"; type=\"application/json\""))
        };
        let mut fields = vec![(header::CONTENT_TYPE, "text/html".to_owned())];
        let named = if self.is_chained { 1 } else { self.sitemaps.len() };
        fields.extend((0..named).map(link));
        fields.extend(self.policy_link(PolicyPlace::Start));
        let start = Resource { body: b"<title>Start</title>".to_vec(), etag: "\"start\"".into(), fields };
        all.insert("/".to_owned(), start);
        for (page, state) in self.pages.iter().enumerate().filter(|(_, state)| !state.is_gone) {
            for is_v03 in [false, true] {
                let mut twin = twin_of(page, &Self::text(state), is_v03);
                twin.fields.extend(self.policy_link(PolicyPlace::Twins));
                twin.fields.extend(self.policy_link(PolicyPlace::TwinsOf(page)));
                all.insert(Self::twin(page, is_v03), twin);
            }
        }
        for (number, is_v03) in self.sitemaps.iter().enumerate() {
            let listed = self.pages.iter().enumerate().filter(|(_, page)| page.listed[number]);
            let mut sitemap = sitemap_of(listed, *is_v03);
            sitemap.fields.extend(self.policy_link(PolicyPlace::Sitemaps));
            if self.is_chained && number + 1 < self.sitemaps.len() {
                sitemap.fields.push(link(number + 1));
            }
            if !self.has_tags {
                sitemap.etag.clear();
            }
            all.insert(Self::sitemap(number), sitemap);
        }
        if self.policy_place != PolicyPlace::Nowhere {
            let body = match self.policy {
                PolicyText::Silent => "{}",
                PolicyText::Allows => r#"{"purposes":{"allow_ai_input":true}}"#,
                PolicyText::Denies => r#"{"purposes":{"allow_ai_input":false}}"#,
                PolicyText::Slow => r#"{"rate_hints":{"max_requests_per_second":0.5}}"#,
                PolicyText::Closes => r#"{"rate_hints":{"max_requests_per_day":0}}"#,
            };
            let fields = vec![(header::CONTENT_TYPE, "application/json".to_owned())];
            let etag = format!("\"p{}\"", self.policy as usize);
            all.insert("/policy.json".to_owned(), Resource { body: body.into(), etag, fields });
        }
        all
    }
}

fn fields_of(representation: &tct::Representation) -> Vec<(HeaderName, String)> {
    let plan = tct::plan_response(&http::Method::GET, &http::HeaderMap::new(), representation);
    let fields = plan.headers.iter().filter(|(name, _)| **name != header::ETAG);
    fields.map(|(name, value)| (name.clone(), value.to_str().unwrap_or_default().to_owned())).collect()
}

fn twin_of(page: usize, text: &str, is_v03: bool) -> Resource {
    let c_url = url(&format!("/{page}/"));
    if is_v03 {
        let sealed = MUrlDocument::new(c_url.as_str(), "Page", text).and_then(|it| it.seal());
        let sealed = sealed.expect("a plain document");
        let representation = sealed.representation();
        let etag = representation.etag().to_str().unwrap_or_default().to_owned();
        return Resource {
            etag,
            fields: fields_of(&representation),
            body: sealed.into_identity().into_body(),
        };
    }
    let c_url = CUrl::from_url(c_url, &Default::default()).expect("a URL of this crate");
    let sealed = Payload::new(&c_url, "Page", text).seal().expect("a plain payload");
    let etag = format!("\"{}\"", sealed.fingerprint());
    Resource { etag, fields: fields_of(&sealed.representation(&c_url)), body: sealed.into_body() }
}

fn sitemap_of<'a>(pages: impl Iterator<Item = (usize, &'a Page)>, is_v03: bool) -> Resource {
    let json = vec![(header::CONTENT_TYPE, "application/json".to_owned())];
    if is_v03 {
        let mut sitemap = MSitemap::new();
        for (number, page) in pages {
            let c_url = url(&format!("/{number}/"));
            let sealed = MUrlDocument::new(c_url.as_str(), "Page", Site::text(page)).and_then(|it| it.seal());
            let twin = url(&Site::twin(number, true));
            let item = MSitemapItem::of(&sealed.expect("a plain document"), twin.as_str());
            sitemap.push(item.expect("a twin of this crate")).expect("each page once");
        }
        let sealed = sitemap.seal().expect("a plain sitemap");
        let etag = sealed.tag().etag().to_string();
        return Resource { etag, fields: json, body: sealed.into_body() };
    }
    let mut entries = Vec::new();
    for (number, page) in pages {
        let c_url = CUrl::from_url(url(&format!("/{number}/")), &Default::default()).expect("a page");
        let other = CUrl::from_url(url(&format!("/{number}/other/")), &Default::default()).expect("a page");
        let twin = MUrl::from_url(url(&Site::twin(number, false)), &Default::default()).expect("a twin");
        let sealed = Payload::new(&c_url, "Page", Site::text(page)).seal().expect("a plain payload");
        let listed = if page.is_misnamed { other } else { c_url };
        entries.push(SitemapEntry::new(listed, twin, sealed.fingerprint()));
    }
    let body = write_sitemaps(entries, SitemapBudget::default()).ok().and_then(|mut all| all.pop());
    let body = body.unwrap_or_else(|| br#"{"items":[],"profile":"tct-1","version":1}"#.to_vec());
    let etag = tct::Representation::of_bytes(&body).etag().to_str().unwrap_or_default().to_owned();
    Resource { etag, fields: json, body }
}
