//! Zero-fetch planning: for each page of a sitemap, whether to skip it, revalidate it, or fetch it.
//!
//! ```text
//! sitemap's hash S, what the cache holds C, the time        ->  action
//! nothing held                                                  fetch
//! C = S, endpoint asked recently, sitemap fresh                 skip: no request at all
//! C = S, endpoint not asked for too long, or confirmed in the
//!        future (a clock that ran ahead)                        revalidate
//! C ≠ S, the endpoint was asked about S lately and disagreed    skip
//! C ≠ S otherwise, or S cannot be relied on                     revalidate
//! ```
//!
//! Revalidation sends the entity tags of the bodies that the agent *holds*, never the sitemap's hash. The draft's
//! sample sends the new hash: a server whose page has that hash answers 304, and the agent then stores a hash
//! whose body it never received, and skips the page for ever (TCT-AMB-22).
//!
//! Equal hashes mean equal texts (TCT-PAR-3), but only at one M-URL: equal hashes at two URLs have no meaning
//! (TCT-PAR-5, TCT-D01-11).

use http::HeaderValue;
use tct_fingerprint::Fingerprint;

use crate::address::AddressError;
use crate::{HeldPage, SitemapItem, UnixSeconds, Visit, VisitPolicy};

/// How long equality of hashes is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlanPolicy {
    /// Seconds since the endpoint itself confirmed a body, after which it is revalidated even if the sitemap shows
    /// no change. Default: 604,800 (7 days). A stale sitemap would hide every change without it.
    pub max_age_secs: u64,
    /// Seconds since the sitemap was fetched or confirmed, after which it allows no skipping. Default: 86,400 (1 day).
    pub max_sitemap_age_secs: u64,
    /// Seconds for which a page is skipped whose listed hash the endpoint contradicted. Default: 86,400 (1 day).
    pub max_dispute_secs: u64,
}

impl Default for PlanPolicy {
    fn default() -> Self {
        PlanPolicy { max_age_secs: 604_800, max_sitemap_age_secs: 86_400, max_dispute_secs: 86_400 }
    }
}

with_each! { PlanPolicy
    /// The same policy with another age for bodies.
    with_max_age_secs: max_age_secs: u64;
    /// The same policy with another age for sitemaps.
    with_max_sitemap_age_secs: max_sitemap_age_secs: u64;
    /// The same policy with another time for pages whose listed hash is disputed.
    with_max_dispute_secs: max_dispute_secs: u64;
}

/// What to do about a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Plan<'a> {
    /// Request neither the page nor its twin.
    Skip,
    /// Send a conditional request with the tags of the held bodies.
    Revalidate {
        /// What is held.
        held: &'a HeldPage,
        /// Why.
        why: Recheck,
    },
    /// A plain request.
    Fetch,
}

/// Why a held page is revalidated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Recheck {
    /// The sitemap has another hash.
    Changed,
    /// The sitemap has no hash that can be relied on (TCT-AMB-46, TCT-AMB-36, TCT-D01-1).
    HashUnusable,
    /// The last confirmation is too old (TCT-AMB-45), or is in the future: it was stored under a clock that ran
    /// ahead.
    TooLongUnchecked,
    /// The sitemap itself is too old (TCT-AMB-45).
    SitemapTooOld,
}

words! { name: Recheck
    Changed => "changed", "the sitemap lists another hash than the held one";
    HashUnusable => "hash-unusable", "the sitemap lists no hash that can be relied on";
    TooLongUnchecked => "too-long-unchecked", "the endpoint was not asked for too long";
    SitemapTooOld => "sitemap-too-old", "the sitemap is too old to be relied on";
}

impl Plan<'_> {
    /// The action's name: `skip`, `revalidate` or `fetch`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Plan::Skip => "skip",
            Plan::Revalidate { .. } => "revalidate",
            Plan::Fetch => "fetch",
        }
    }

    /// The value of `If-None-Match` to send.
    #[must_use]
    pub fn if_none_match(&self) -> Option<HeaderValue> {
        match self {
            Plan::Revalidate { held, .. } => held.if_none_match(),
            Plan::Skip | Plan::Fetch => None,
        }
    }
}

/// Plans the pages of one sitemap.
///
/// ```
/// use tct::plan::SitemapDate;
/// use tct::{Fingerprint, HeldPage, Plan, PlanPolicy, Planner, UnixSeconds};
/// let now = UnixSeconds(1_000_000);
/// let planner = Planner::new(PlanPolicy::default(), SitemapDate(now), now);
/// let hash = Fingerprint::hash(b"foo");
/// let held = HeldPage::new(hash, now);
/// assert_eq!(planner.plan(Some(hash), Some(&held)), Plan::Skip);
/// assert_eq!(planner.plan(Some(hash), None), Plan::Fetch);
/// let changed = planner.plan(Some(Fingerprint::hash(b"bar")), Some(&held));
/// assert_eq!(changed.if_none_match().unwrap(), format!("\"{hash}\""));
/// ```
///
/// Spec: TCT draft-00, "Agent Flow"; TCT-ZF-1, TCT-ZF-2, TCT-ZF-3, TCT-AMB-22, TCT-AMB-45.
#[derive(Debug, Clone, Copy)]
pub struct Planner {
    is_sitemap_fresh: bool,
    now: u64,
    max_age: u64,
    max_dispute: u64,
}

/// When a sitemap was fetched, or confirmed by a 304. A separate type, so that it cannot be swapped with `now`.
///
/// ```
/// use tct::plan::SitemapDate;
/// use tct::{PlanPolicy, Planner, UnixSeconds};
/// let planner = Planner::new(PlanPolicy::default(), SitemapDate(UnixSeconds(1)), UnixSeconds(2));
/// ```
///
/// ```compile_fail
/// use tct::plan::SitemapDate;
/// use tct::{PlanPolicy, Planner, UnixSeconds};
/// let planner = Planner::new(PlanPolicy::default(), UnixSeconds(2), SitemapDate(UnixSeconds(1)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SitemapDate(pub UnixSeconds);

impl Planner {
    /// A planner for a sitemap of this date. A date after `now` makes the sitemap count as too old.
    #[must_use]
    pub const fn new(policy: PlanPolicy, sitemap: SitemapDate, now: UnixSeconds) -> Self {
        Planner {
            is_sitemap_fresh: is_within(sitemap.0, policy.max_sitemap_age_secs, now.0),
            now: now.0,
            max_age: policy.max_age_secs,
            max_dispute: policy.max_dispute_secs,
        }
    }

    /// What to do with a page whose entry has this hash, given what is held of its M-URL. `O(1)`.
    #[inline]
    pub fn plan<'a>(&self, hash: Option<Fingerprint>, held: Option<&'a HeldPage>) -> Plan<'a> {
        let Some(held) = held else { return Plan::Fetch };
        let why = match hash {
            None => Recheck::HashUnusable,
            Some(hash) if held.hash == hash => match self.is_sitemap_fresh {
                false => Recheck::SitemapTooOld,
                true if is_within(held.validated_at, self.max_age, self.now) => return Plan::Skip,
                true => Recheck::TooLongUnchecked,
            },
            Some(hash) if self.is_settled(hash, held) => return Plan::Skip,
            Some(_) => Recheck::Changed,
        };
        // Without a tag there is nothing to ask about.
        if held.has_tags() { Plan::Revalidate { held, why } } else { Plan::Fetch }
    }

    /// The visit of a listed page; `None` where it is skipped. The entry's hash was parsed by the reader. Its URLs are parsed
    /// here where the reader had no need to, so that the entries of pages that are skipped cost nothing.
    ///
    /// ```
    /// use tct::plan::SitemapDate;
    /// use tct::{PlanPolicy, Planner, SitemapEvent, SitemapReader, UnixSeconds, VisitPolicy};
    /// let text = br#"{"version":1,"items":[{"cUrl":"https://example.com/a/","mUrl":"https://example.com/a/llm/"}]}"#;
    /// let now = UnixSeconds(1_000_000);
    /// let planner = Planner::new(PlanPolicy::default(), SitemapDate(now), now);
    /// let mut reader = SitemapReader::new(&"https://example.com/llm-sitemap.json".parse()?);
    /// let mut events = reader.push(text);
    /// while let Some(event) = events.next()? {
    ///     let SitemapEvent::Item(item) = event else { continue };
    ///     if let Some(visit) = planner.visit(&item, None, VisitPolicy::default())? {
    ///         assert_eq!(visit.request().uri(), "https://example.com/a/llm/");
    ///     }
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// An [`AddressError`] for a URL that the visit's policy refuses, where the reader had another policy.
    pub fn visit(
        &self,
        item: &SitemapItem<'_>,
        held: Option<&HeldPage>,
        policy: VisitPolicy,
    ) -> Result<Option<Visit>, AddressError> {
        if self.plan(item.hash, held) == Plan::Skip {
            return Ok(None);
        }
        item.visit(held, policy).map(Some)
    }

    /// Returns true if the endpoint recently contradicted this hash of the sitemap.
    #[cold]
    fn is_settled(&self, hash: Fingerprint, held: &HeldPage) -> bool {
        self.is_sitemap_fresh
            && held.history.disputed == Some(hash)
            && is_within(held.validated_at, self.max_dispute, self.now)
    }
}

/// Whether `at` is at most `seconds` before `now`, and not after it.
#[inline]
const fn is_within(at: UnixSeconds, seconds: u64, now: u64) -> bool {
    at.0 <= now && now - at.0 <= seconds
}
