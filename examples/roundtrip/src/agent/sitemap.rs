//! From the front page to the list of all pages: where the sitemaps are, what stands in them, and what the policy says.
//!
//! Sitemaps are found by their `Link` on the front page and remembered in the cache, so that later crawls begin with
//! the sitemaps themselves. Each is asked for under the condition that it changed; a 304 means that the stored one
//! counts on.

use bytes::Bytes;
use http::header::{CACHE_CONTROL, ETAG};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use tct::discovery::discover_in_headers;
use tct::sitemap::Sitemap;
use tct::{CUrl, HeldPage, MUrl, PolicyDescriptor, SitemapReader, UrlPolicy};
use url::Url;

use super::{Agent, Exchange, Listed, Tally};
use crate::report::CrawlReport;
use crate::{RoundtripError, now};
use site::files::PassedOver;

/// More sitemaps than this of one site are not followed.
const MAX_SITEMAPS: usize = 1000;

impl Agent {
    /// All pages that the site's sitemaps list, each once.
    ///
    /// # Errors
    /// Where the front page or a sitemap cannot be fetched.
    pub(super) async fn list_pages(
        &mut self,
        report: &mut CrawlReport,
    ) -> Result<Vec<Listed>, RoundtripError> {
        let known: Result<Vec<Url>, _> =
            self.cache.sitemaps(self.site.as_str()).iter().map(|url| Url::parse(url)).collect();
        let mut urls = known.unwrap_or_default();
        if urls.is_empty() {
            urls = self.find_sitemaps(report).await?;
        }
        let (mut sitemap, mut next) = (Sitemap::new(), 0);
        while let Some(url) = urls.get(next).cloned() {
            next += 1;
            let Some((body, headers)) = self.fetch_again(&url, report).await? else { continue };
            for policy in discover_in_headers(&url, &headers).policies {
                if policy.origin() == url.origin() {
                    self.cache.remember_policy(self.site.as_str(), policy.into());
                }
            }
            // A site that grew names its new sitemaps in the answers of the old ones.
            for added in index_links(&headers, &url) {
                if !urls.contains(&added) && urls.len() < MAX_SITEMAPS {
                    urls.push(added);
                }
            }
            let mut found = |why: String| report.findings.push(PassedOver { what: url.to_string(), why });
            match sitemap.read(&body, SitemapReader::new(&url)) {
                Ok(read) => {
                    read.skipped
                        .iter()
                        .for_each(|item| found(format!("item {}: {}", item.index, item.issue.code())));
                    read.broken.iter().for_each(|error| found(error.to_string()));
                }
                Err(error) => found(error.to_string()),
            }
        }
        let urls = urls.into_iter().filter(|url| self.cache.held(url.as_str()).is_some());
        let urls = urls.map(String::from).collect();
        self.cache.remember_sitemaps(self.site.as_str(), urls);
        Ok(self.listed(&sitemap, report))
    }

    fn listed(&self, sitemap: &Sitemap, report: &mut CrawlReport) -> Vec<Listed> {
        let (policy, as_of) = (UrlPolicy::default(), now());
        let listed = sitemap.pages().iter().filter_map(|page| {
            let parsed = CUrl::parse_with(&page.c_url, &policy)
                .and_then(|c_url| Ok((c_url, MUrl::parse_with(&page.m_url, &policy)?)));
            match parsed {
                Ok((c_url, m_url)) => Some(Listed { c_url, m_url, hash: page.hash.clone(), as_of }),
                Err(error) => {
                    report.findings.push(PassedOver { what: page.m_url.clone(), why: error.to_string() });
                    None
                }
            }
        });
        listed.collect()
    }

    /// Asks the front page where the sitemaps are.
    async fn find_sitemaps(&self, report: &mut CrawlReport) -> Result<Vec<Url>, RoundtripError> {
        let answer = self.send(Method::HEAD, &self.site, HeaderMap::new(), report).await?;
        let found = index_links(&answer.headers, &self.site);
        match found.is_empty() {
            true => Err(RoundtripError::NoSitemap { url: self.site.to_string() }),
            false => Ok(found),
        }
    }

    /// What the publisher allows, asked for before anything is fetched. Without a policy, or with one that cannot be
    /// read, nothing is stated.
    ///
    /// # Errors
    /// Where the policy cannot be fetched.
    pub(super) async fn read_policy(
        &mut self,
        report: &mut CrawlReport,
    ) -> Result<PolicyDescriptor, RoundtripError> {
        let url = self.cache.policy(self.site.as_str()).and_then(|url| Url::parse(url).ok());
        let Some(url) = url else { return Ok(PolicyDescriptor::default()) };
        let Some((body, _)) = self.fetch_again(&url, report).await? else {
            return Ok(PolicyDescriptor::default());
        };
        let mut found = |why: String| report.findings.push(PassedOver { what: url.to_string(), why });
        match PolicyDescriptor::parse(&body) {
            Ok((policy, faults)) => {
                faults.iter().for_each(|fault| found(format!("{}: {}", fault.path, fault.code.code())));
                Ok(policy)
            }
            Err(error) => {
                found(error.to_string());
                Ok(PolicyDescriptor::default())
            }
        }
    }

    /// The body of a sitemap or policy and the fields of the answer; `None` where it is not there any more.
    async fn fetch_again(
        &mut self,
        url: &Url,
        report: &mut CrawlReport,
    ) -> Result<Option<(Bytes, HeaderMap)>, RoundtripError> {
        let mut headers = HeaderMap::new();
        let held = self.cache.held(url.as_str()).cloned();
        if let Some(tag) = held.as_ref().and_then(HeldPage::if_none_match) {
            headers.insert(http::header::IF_NONE_MATCH, tag);
        }
        let mut answer = self.send(Method::GET, url, headers, report).await?;
        if answer.status == StatusCode::NOT_MODIFIED {
            if let Some(mut held) = held {
                let body = self.cache.body(url.as_str())?;
                held.validated_at = now();
                self.cache.keep(url.as_str(), held);
                return Ok(Some((body, answer.headers)));
            }
            // Nobody asked for a condition: some cache on the way did.
            let headers = [(CACHE_CONTROL, HeaderValue::from_static("no-cache"))].into_iter().collect();
            answer = self.send(Method::GET, url, headers, report).await?;
        }
        if answer.status != StatusCode::OK {
            self.cache.forget(url.as_str());
            report
                .findings
                .push(PassedOver { what: url.to_string(), why: format!("status {}", answer.status) });
            return Ok(None);
        }
        let mut held = HeldPage::new("", now());
        // The tags of sitemaps and policies are opaque, and may be missing.
        held.etag = answer.headers.get(ETAG).and_then(|tag| Some(tag.to_str().ok()?.to_owned()));
        self.cache.store(url.as_str(), held, &answer.body)?;
        Ok(Some((answer.body, answer.headers)))
    }

    async fn send(
        &self,
        method: Method,
        url: &Url,
        headers: HeaderMap,
        report: &mut CrawlReport,
    ) -> Result<Exchange, RoundtripError> {
        let answer = self.client.send(method, url, headers).await;
        let mut tally = Tally::default();
        tally.count(answer.as_ref());
        tally.add_to(report);
        answer
    }
}

/// The sitemaps that a response links, those of its own origin.
fn index_links(headers: &HeaderMap, url: &Url) -> Vec<Url> {
    let mut found = discover_in_headers(url, headers).sitemaps;
    found.retain(|sitemap| sitemap.origin() == url.origin());
    found
}
