//! Finds a site's sitemaps and twins: by links, by what the linked resources confirm, and at the
//! usual places.
//!
//! A page of a CMS links several JSON alternates, of which one at most is a twin; an alternate is a twin when its response
//! confirms it. Where one does, there has to be a sitemap, so the usual places are asked even if nothing links them.

use http::{HeaderMap, Method, StatusCode};
use tct::discovery::{SitemapSearch, is_m_url_response};
use tct::open::{Expected, open_response};
use tct::v03::{BodyKind, Revision, classify};
use tct::{CUrl, Discovery, MUrl, OpenPolicy, UrlPolicy, discover};
use url::Url;

use crate::Context;
use crate::fetch::Answer;
use crate::finding::Check;

/// No more JSON alternates of the page than this are asked.
const MAX_ALTERNATES: usize = 3;

/// A linked twin whose response confirms that it is one.
#[derive(Debug, Clone)]
pub(super) struct LinkedTwin {
    pub(super) page: CUrl,
    pub(super) url: MUrl,
}

/// What was found before a sitemap is read.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// What the page links.
    pub(super) links: Discovery,
    /// The page's twin.
    pub(super) twin: Option<LinkedTwin>,
    /// Why other alternates are not twins.
    pub(super) others: Vec<String>,
    /// Sitemaps that the page, its twin or robots.txt names.
    pub(super) sitemaps: Vec<Url>,
    /// Usual places of a sitemap, requested if none is named.
    pub(super) usual: Vec<Url>,
    /// Policy descriptors that page and twin link.
    pub(super) policies: Vec<Url>,
}

/// Reads the page's links, and asks the alternates which of them is the twin.
pub(super) async fn find(context: &mut Context) -> Found {
    let start = context.start.clone();
    let links = discover(&start.url, &start.headers, &start.body);
    let mut found = Found { policies: links.policies.clone(), ..Found::default() };
    let policy = UrlPolicy::allowing_http();
    let origin = start.url.origin();
    let given = context.twin.clone();
    let candidates: Vec<Url> = given.into_iter().chain(links.m_urls.iter().cloned()).collect();
    let mut asked: Vec<Url> = Vec::new();
    for url in candidates.into_iter().filter(|url| url.origin() == origin) {
        if asked.contains(&url) || asked.len() >= MAX_ALTERNATES {
            continue;
        }
        asked.push(url.clone());
        let (Ok(page), Ok(twin)) = (CUrl::from_url(start.url.clone(), &policy), MUrl::from_url(url, &policy))
        else {
            continue;
        };
        if !context.may_fetch(twin.as_url()) {
            continue;
        }
        let sent = context.client.send(Method::GET, twin.as_url(), HeaderMap::new(), "identity").await;
        let Ok(answer) = sent else {
            found.others.push(format!("{twin} (no answer)"));
            continue;
        };
        match why_no_twin(context, &answer, &page) {
            // A page may have a twin of each draft; the sitemap lists both.
            None if found.twin.is_some() => {}
            None => {
                found
                    .policies
                    .extend(tct::discovery::discover_in_headers(&answer.url, &answer.headers).policies);
                found.twin = Some(LinkedTwin { page, url: twin });
            }
            Some(why) => found.others.push(format!("{twin} ({why})")),
        }
    }
    let hints: Vec<String> = context.robots.sitemaps().map(str::to_owned).collect();
    let mut search = SitemapSearch::default().with_robots_lines(hints.iter().map(String::as_str));
    if let Some(sitemap) = context.sitemap.clone() {
        search = search.with_configured(sitemap);
    }
    let urls =
        |search: SitemapSearch, links: &Discovery| -> Vec<Url> { search.candidates(&start.url, links) };
    found.sitemaps = urls(search, &links);
    if found.sitemaps.is_empty() && found.twin.is_some() {
        let usual = SitemapSearch::default().with_well_known().with_conventional_path();
        found.usual = urls(usual, &Discovery::default());
    }
    found.links = links;
    found
}

/// Why a JSON alternate of the page is not its twin; `None` where it is one. Another slash at the end of the canonical link
/// is a mistake of the twin, which is reported later, and no reason to take it for something else.
fn why_no_twin(context: &mut Context, answer: &Answer, page: &CUrl) -> Option<String> {
    if answer.status != StatusCode::OK {
        return Some(format!("status {}", answer.status.as_u16()));
    }
    let response = answer.to_response();
    match classify(&answer.body) {
        Ok(Some((BodyKind::MUrl, Revision::V03))) => {
            let expected = Expected { page: Some(page), sitemap_hash: None };
            let policy = OpenPolicy::default().for_revision(Revision::V03).with_folded_slashes();
            let opened = open_response(&answer.url, &response, &expected, &policy);
            let why = opened
                .problems()
                .iter()
                .find(|problem| problem.is_fatal)
                .map(|problem| problem.code.code().to_owned());
            (!opened.is_accepted()).then(|| why.unwrap_or_else(|| "refused".to_owned()))
        }
        Ok(Some((BodyKind::MUrl, _))) => {
            let policy = UrlPolicy::allowing_http();
            let slash = |url: &str| CUrl::parse_with(url, &policy).ok();
            let other = match page.as_str().strip_suffix('/') {
                Some(bare) => slash(bare),
                None => slash(&format!("{page}/")),
            };
            let is_twin = is_m_url_response(&answer.url, &response, page)
                || other.is_some_and(|other| is_m_url_response(&answer.url, &response, &other));
            (!is_twin).then(|| "no canonical link to this page, or no hash as entity tag".to_owned())
        }
        Ok(_) => Some(check_document(context, answer).unwrap_or_else(|| "another kind of JSON".to_owned())),
        Err(_) => Some("not JSON".to_owned()),
    }
}

/// Checks an AIDocument of either version; returns its description, or `None` if it is something
/// else.
fn check_document(context: &mut Context, answer: &Answer) -> Option<String> {
    let shape = aidocument::detect(&answer.body).ok()?;
    let version = match &shape {
        aidocument::Shape::Unknown => return None,
        shape => shape.version().unwrap_or("of an unknown version").to_owned(),
    };
    let place = answer.url.as_str();
    let mut add = |requirement: &'static str, sentence: &str| {
        context.findings.add_sentence(Check::DocumentFault, requirement, place, sentence);
    };
    match aidocument::AnyDocument::read(&answer.body, &aidocument::Limits::default()) {
        Ok(reading) => {
            for finding in reading.findings() {
                add(finding.requirement(), &finding.to_string());
            }
        }
        Err(error) => add(Check::DocumentFault.requirement(), &error.to_string()),
    }
    Some(format!("an AIDocument {version}"))
}
