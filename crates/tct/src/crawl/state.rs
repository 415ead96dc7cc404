//! The state that a caller stores between two runs: one value for each page, one for the site.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use url::Url;

use crate::held::{is_false, lenient_fingerprint};
use crate::{Fingerprint, HeldPage, UnixSeconds};

/// The state of one page: stored by the caller under the [`key`](super::PageReport::key) of its report.
// Planning reads what is held first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct PageState {
    /// Facts about the stored body, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<HeldPage>,
    /// Do not request the page before this time, unless the sitemap lists another hash than
    /// `listed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_before: Option<UnixSeconds>,
    /// Since when no sitemap lists the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlisted_since: Option<UnixSeconds>,
    /// The hash that the sitemap listed when the page was last visited.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "lenient_fingerprint")]
    pub listed: Option<Fingerprint>,
    /// The human page.
    pub c_url: String,
    /// Its twin.
    pub m_url: String,
    /// Consecutive visits without an answer.
    #[serde(skip_serializing_if = "is_zero")]
    pub failures: u32,
}

impl PageState {
    /// Whether the held body is a document of draft -03.
    pub(super) fn is_v03(&self) -> bool {
        self.held.as_ref().is_some_and(|held| held.history.is_v03)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// The state of one site: stored by the caller, passed to [`Crawl::resume`](super::Crawl::resume).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct SiteState {
    /// The sitemaps that were read to their end, with their validators.
    pub sitemaps: Vec<ResourceState>,
    /// The policy descriptor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<ResourceState>,
    /// The descriptor's text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub policy_json: String,
    /// Send nothing before this time: by the server's request, or by its policy after a crawl that was killed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_before: Option<UnixSeconds>,
    /// The day (since 1970) that `requests_today` counts.
    pub day: u64,
    /// Requests sent on that day.
    pub requests_today: u64,
    /// Complete crawls so far. On a very large site, each crawl checks another part of the pages for unlisted ones.
    pub turn: u64,
}

impl SiteState {
    /// Returns false if this is the state of another site: its policy is at another origin, or its sitemaps are, all of them.
    pub(super) fn is_of(&self, site: &Url) -> bool {
        let is_own =
            |held: &ResourceState| Url::parse(&held.url).is_ok_and(|url| url.origin() == site.origin());
        self.policy.iter().all(is_own) && (self.sitemaps.is_empty() || self.sitemaps.iter().any(is_own))
    }
}

/// A sitemap or policy descriptor with its validators.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ResourceState {
    /// Its URL, permanent redirects followed.
    pub url: String,
    /// The URL that its validators are of, where a redirect led to it: they are sent nowhere else (RFC 9110, 8.8).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    /// Its entity tag, opaque (TCT-AMB-35).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// Its `Last-Modified`, used if there is no entity tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<UnixSeconds>,
    /// When it was read or confirmed; 0: never.
    pub validated_at: UnixSeconds,
    /// Whether it is a sitemap of draft -03.
    #[serde(skip_serializing_if = "is_false")]
    pub is_v03: bool,
    /// Sum of the digests of the pages in a sitemap of draft -03, if the site has other sitemaps too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<u64>,
    /// Since when a sitemap answers 404, or was named and could not be read. It is forgotten after 90 days, or at once if no
    /// other sitemap can be read, since the start page then leads to all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing_since: Option<UnixSeconds>,
}

impl ResourceState {
    /// Whether it was ever read or confirmed.
    pub(super) fn was_read(&self) -> bool {
        self.validated_at > UnixSeconds(0)
    }

    pub(super) fn has_validators(&self) -> bool {
        self.etag.is_some() || self.last_modified.is_some()
    }

    /// Whether this URL can be asked under a condition.
    pub(super) fn speaks_for(&self, url: &Url) -> bool {
        self.has_validators() && self.answered_by.as_deref().unwrap_or(&self.url) == url.as_str()
    }

    pub(super) fn forget_validators(&mut self) {
        (self.etag, self.last_modified) = (None, None);
    }

    /// The same, to be read anew.
    pub(super) fn without_validators(&self) -> Self {
        let mut state = self.clone();
        state.forget_validators();
        state
    }
}

/// The stored pages of one site, as a [`Crawl`](super::Crawl) reads them. Implement it for a database, or use a
/// [`MemoryStore`](super::MemoryStore) or a [`BTreeMap`]. Pages of other origins are passed over.
pub trait Pages {
    /// What is stored under this key.
    fn page(&self, key: &str) -> Option<Cow<'_, PageState>>;

    /// The first key after `key` in ascending order of bytes, with what is stored there. Nothing need be stored under `key` itself.
    fn after(&self, key: &str) -> Option<(Cow<'_, str>, Cow<'_, PageState>)>;

    /// How many pages of the site are stored.
    fn count(&self) -> u64;
}

impl Pages for BTreeMap<String, PageState> {
    fn page(&self, key: &str) -> Option<Cow<'_, PageState>> {
        self.get(key).map(Cow::Borrowed)
    }

    fn after(&self, key: &str) -> Option<(Cow<'_, str>, Cow<'_, PageState>)> {
        use core::ops::Bound::{Excluded, Unbounded};
        let (key, state) = self.range::<str, _>((Excluded(key), Unbounded)).next()?;
        Some((Cow::Borrowed(key), Cow::Borrowed(state)))
    }

    fn count(&self) -> u64 {
        self.len() as u64
    }
}
