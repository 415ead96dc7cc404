//! The settings of a crawl.

use crate::{OpenPolicy, PlanPolicy, Purpose, SitemapLimits, UrlPolicy, VisitPolicy};

/// The settings of a [`Crawl`](super::Crawl). The defaults are those of a polite crawler that feeds models.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct CrawlPolicy {
    /// How pages are visited. By default `/post` and `/post/` are one page, and coding suffixes are removed from
    /// entity tags, because otherwise most deployed sites cannot be crawled (TCT-DEP-4, TCT-AMB-21).
    pub visit: VisitPolicy,
    /// How long equality of hashes is trusted.
    pub plan: PlanPolicy,
    /// Limits on sitemaps.
    pub sitemap: SitemapLimits,
    /// The use of the texts: a site whose policy descriptor denies it is not crawled. Default: [`Purpose::AiInput`].
    pub purpose: Option<Purpose>,
    /// Whether `/.well-known/llm-sitemap.json` and `/llm-sitemap.json` are tried where nothing names a sitemap. Off by
    /// default; where a page's linked twin confirms, they are tried in any case.
    pub probes: bool,
    /// Requests under way at a time. Default: 1.
    pub parallel: usize,
    /// Visits that are planned and not yet sent; reading of the sitemap waits while there are more. Default: 1,024.
    pub max_queue: usize,
    /// How often a request without an answer is sent in one crawl. Whatever a server does, a page costs at most one request
    /// more. Default: 3.
    pub tries: u32,
    /// The longest wait, in seconds, for a second try in the same crawl. Default: 600.
    pub max_wait_secs: u64,
    /// Seconds for which a refused or forbidden twin is not requested while the sitemap lists the same hash.
    /// Default: 604,800 (7 days).
    pub refused_secs: u64,
    /// Seconds between two checks of a page that the sitemap no longer lists. Default: 604,800 (7
    /// days).
    pub unlisted_secs: u64,
    /// Unlisted pages that are checked in one crawl. Default: 100.
    pub max_unlisted: u64,
    /// Sitemaps that are read in one crawl. Default: 1,000.
    pub max_sitemaps: usize,
}

impl Default for CrawlPolicy {
    fn default() -> Self {
        CrawlPolicy {
            visit: VisitPolicy::default().with_open(OpenPolicy::default().with_folded_slashes()),
            plan: PlanPolicy::default(),
            sitemap: SitemapLimits::default(),
            purpose: Some(Purpose::AiInput),
            probes: false,
            parallel: 1,
            max_queue: 1024,
            tries: 3,
            max_wait_secs: 600,
            refused_secs: 604_800,
            unlisted_secs: 604_800,
            max_unlisted: 100,
            max_sitemaps: 1000,
        }
    }
}

with_each! { CrawlPolicy
    /// The same policy with other rules for visits.
    with_visit: visit: VisitPolicy;
    /// The same policy with other ages.
    with_plan: plan: PlanPolicy;
    /// The same policy with other limits for sitemaps.
    with_sitemap_limits: sitemap: SitemapLimits;
    /// The same policy for another purpose; `None` for a use that no policy descriptor speaks of.
    with_purpose: purpose: Option<Purpose>;
    /// The same policy with another number of requests at a time, at least one.
    with_parallel: parallel: usize;
}

impl CrawlPolicy {
    /// Most requests for one page in one crawl: tries, redirects and confirmations together.
    pub(super) fn max_page_requests(&self) -> u32 {
        self.tries.max(3).saturating_add(1)
    }

    /// The same policy with another one for URLs, such as [`UrlPolicy::allowing_http`] for a site on your own machine.
    #[must_use]
    pub const fn with_urls(mut self, urls: UrlPolicy) -> Self {
        self.visit.urls = urls;
        self
    }

    /// The same policy, trying the usual places for a sitemap.
    #[must_use]
    pub const fn with_probes(self) -> Self {
        CrawlPolicy { probes: true, ..self }
    }

    /// The same policy with another number of tries and another longest wait.
    #[must_use]
    pub const fn with_tries(self, tries: u32, max_wait_secs: u64) -> Self {
        CrawlPolicy { tries, max_wait_secs, ..self }
    }
}
