//! The caller's request, and the action of the cache.

use alloc::boxed::Box;
use alloc::format;
use core::fmt;
use core::str::FromStr;

use crate::error::{Quoted, ValueError};
use crate::json::Extra;
use crate::write::{Object, Out, objects, texts};

/// One call, as the cache sees it: the five valid combinations of policy, label and flags.
///
/// | call | `freshness_policy` | `status` | `origin_contacted` | `body_fetched` |
/// |---|---|---|---|---|
/// | `Hit` | `cache_first` | `hit` | false | false |
/// | `Miss` | `cache_first` | `miss` | true | true |
/// | `Refreshed` | `force_refresh` | `refreshed` | true | true |
/// | `Revalidated` | `cache_first` | `stale_revalidated` | true | false |
/// | `ForceRevalidated` | `force_refresh` | `stale_revalidated` | true | false |
///
/// An implementation without a cache says `Refreshed`.
///
/// Spec: AIWebIndex 2.0, "Field definitions"; AIWI2-DOC-14 to AIWI2-DOC-16, AIWI2-AMB-11, AIWI2-AMB-12.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Call {
    /// A stored snapshot; the origin was not asked.
    Hit,
    /// Nothing was stored; the body was fetched.
    Miss,
    /// The body was fetched because the caller asked for it.
    Refreshed,
    /// The origin said that the stored snapshot is current (304).
    Revalidated,
    /// The same, when the caller asked for a refresh.
    ForceRevalidated,
}

impl Call {
    const ALL: [Call; 5] =
        [Call::Hit, Call::Miss, Call::Refreshed, Call::Revalidated, Call::ForceRevalidated];

    /// The call of a policy and a label.
    ///
    /// ```
    /// use aidocument::v2::Call;
    ///
    /// assert_eq!(Call::of_texts("cache_first", "hit"), Ok(Call::Hit));
    /// assert_eq!(
    ///     Call::of_texts("cache_first", "refreshed").unwrap_err().to_string(),
    ///     r#"expected a cache status that goes with the policy, found "cache_first" and "refreshed""#,
    /// );
    /// ```
    ///
    /// # Errors
    /// The two do not form a call, or one of them is unknown. Swapped texts are an error too.
    pub fn of_texts(freshness_policy: &str, cache_status: &str) -> Result<Self, ValueError> {
        let call = Call::ALL.into_iter().find(|call| {
            call.freshness_policy().as_str() == freshness_policy
                && call.cache_status().as_str() == cache_status
        });
        call.ok_or_else(|| {
            let found = format!("{} and {}", Quoted(freshness_policy), Quoted(cache_status));
            ValueError::new("a cache status that goes with the policy", found, "AIWI2-AMB-11")
        })
    }

    /// What the caller asked for.
    #[must_use]
    pub fn freshness_policy(self) -> FreshnessPolicy {
        match self {
            Call::Hit | Call::Miss | Call::Revalidated => FreshnessPolicy::CacheFirst,
            Call::Refreshed | Call::ForceRevalidated => FreshnessPolicy::ForceRefresh,
        }
    }

    /// The label of what happened.
    #[must_use]
    pub fn cache_status(self) -> CacheStatus {
        match self {
            Call::Hit => CacheStatus::Hit,
            Call::Miss => CacheStatus::Miss,
            Call::Refreshed => CacheStatus::Refreshed,
            Call::Revalidated | Call::ForceRevalidated => CacheStatus::StaleRevalidated,
        }
    }

    /// Whether the origin was asked.
    #[must_use]
    pub fn origin_contacted(self) -> bool {
        self != Call::Hit
    }

    /// Whether the origin sent a body.
    #[must_use]
    pub fn body_fetched(self) -> bool {
        matches!(self, Call::Miss | Call::Refreshed)
    }

    pub(crate) fn of(policy: &FreshnessPolicy, cache: &Cache) -> Option<Self> {
        Call::ALL.into_iter().find(|call| {
            call.freshness_policy() == *policy
                && call.cache_status() == cache.status
                && call.origin_contacted() == cache.origin_contacted
                && call.body_fetched() == cache.body_fetched
        })
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {}", self.cache_status(), self.freshness_policy())
    }
}

/// What the caller asked for. Spec: AIWI2-DOC-14.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FreshnessPolicy {
    /// A stored snapshot will do.
    CacheFirst,
    /// The origin must be asked.
    ForceRefresh,
    /// A policy unknown to 2.0; only produced by reading a document of a later version.
    Unknown(UnknownValue),
}

/// The label of what happened on a call. Spec: AIWI2-DOC-15.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CacheStatus {
    /// A stored snapshot; the origin was not asked.
    Hit,
    /// Nothing was stored; the body was fetched.
    Miss,
    /// The body was fetched because the caller asked for it.
    Refreshed,
    /// The origin said 304 and sent no body.
    StaleRevalidated,
    /// A label unknown to 2.0; only produced by reading a document of a later version.
    Unknown(UnknownValue),
}

/// A value that 2.0 does not know, in a document of 2.1 or later. Spec: AIWI2-AMB-3.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UnknownValue(Box<str>);

impl UnknownValue {
    pub(crate) fn new(text: &str) -> Self {
        UnknownValue(text.into())
    }
}

impl fmt::Display for UnknownValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FreshnessPolicy {
    /// The text, such as `cache_first`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            FreshnessPolicy::CacheFirst => "cache_first",
            FreshnessPolicy::ForceRefresh => "force_refresh",
            FreshnessPolicy::Unknown(text) => &text.0,
        }
    }
}

impl CacheStatus {
    /// The text, such as `stale_revalidated`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            CacheStatus::Hit => "hit",
            CacheStatus::Miss => "miss",
            CacheStatus::Refreshed => "refreshed",
            CacheStatus::StaleRevalidated => "stale_revalidated",
            CacheStatus::Unknown(text) => &text.0,
        }
    }
}

impl FromStr for FreshnessPolicy {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        match text {
            "cache_first" => Ok(FreshnessPolicy::CacheFirst),
            "force_refresh" => Ok(FreshnessPolicy::ForceRefresh),
            _ => Err(ValueError::new("\"cache_first\" or \"force_refresh\"", Quoted(text), "AIWI2-DOC-14")),
        }
    }
}

impl FromStr for CacheStatus {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let known =
            [CacheStatus::Hit, CacheStatus::Miss, CacheStatus::Refreshed, CacheStatus::StaleRevalidated];
        known.into_iter().find(|status| status.as_str() == text).ok_or_else(|| {
            let expected = "\"hit\", \"miss\", \"refreshed\" or \"stale_revalidated\"";
            ValueError::new(expected, Quoted(text), "AIWI2-DOC-15")
        })
    }
}

impl fmt::Display for FreshnessPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for CacheStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The group `cache`: what happened on this call. Spec: AIWI2-DOC-15, AIWI2-DOC-16.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cache {
    /// The label; coarse where the flags are exact.
    pub status: CacheStatus,
    /// Whether the origin was asked.
    pub origin_contacted: bool,
    /// Whether the origin sent a body.
    pub body_fetched: bool,
    pub(crate) extra: Extra,
}

impl Cache {
    pub(crate) fn of_call(call: Call) -> Self {
        Cache {
            status: call.cache_status(),
            origin_contacted: call.origin_contacted(),
            body_fetched: call.body_fetched(),
            extra: Extra::default(),
        }
    }

    /// Members that 2.0 does not know.
    #[must_use]
    pub fn extra(&self) -> &Extra {
        &self.extra
    }
}

impl Object for Cache {
    fn members<O: Out>(&self, out: &mut O) -> Result<(), O::Error> {
        out.member("status", &self.status)?;
        out.member("origin_contacted", &self.origin_contacted)?;
        out.member("body_fetched", &self.body_fetched)?;
        out.extra(&self.extra)
    }
}

texts!(FreshnessPolicy, CacheStatus);
objects!(Cache);
