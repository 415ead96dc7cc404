//! The states between which a delta leads.

use core::fmt;
use core::ops::RangeInclusive;

use web_values::Timestamp;

use crate::Manifest;

/// The span of time that a delta covers.
///
/// ```
/// use llmindex_types::{DeltaBase, DeltaErrorKind, web_values::Timestamp};
/// let time = |text| Timestamp::parse(text).unwrap();
/// let base = DeltaBase::new(time("2026-02-21T00:00:00Z")..=time("2026-02-22T00:00:00Z"))?;
/// assert!(base.check(time("2026-02-21T12:00:00Z")).is_ok());
///
/// let gap = base.check(time("2026-02-20T00:00:00Z")).unwrap_err();
/// assert_eq!(gap.kind(), DeltaErrorKind::Gap);
/// assert_eq!(
///     gap.to_string(),
///     "expected a delta since 2026-02-20T00:00:00Z or earlier, found one since 2026-02-21T00:00:00Z"
/// );
/// # Ok::<(), llmindex_types::DeltaError>(())
/// ```
///
/// Spec: llmindex 0.2, "feeds.products_jsonl_delta"; LLMI-V02-4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DeltaBase {
    since: Timestamp,
    until: Timestamp,
}

impl DeltaBase {
    /// A delta of all changes after the start of `span`, up to its end.
    ///
    /// # Errors
    /// [`DeltaErrorKind::Inverted`] if the end is before the start.
    pub fn new(span: RangeInclusive<Timestamp>) -> Result<Self, DeltaError> {
        let (since, until) = span.into_inner();
        if until.instant() < since.instant() {
            return Err(DeltaError::between(DeltaErrorKind::Inverted, since, until));
        }
        Ok(DeltaBase { since, until })
    }

    /// The delta that a manifest names: from the parameter `since` of `feeds.products_jsonl_delta` to
    /// `feed_updated_at`.
    ///
    /// # Errors
    /// [`DeltaErrorKind::NoDelta`] if the manifest names no delta, `NoSince` if its URL does not hold `since`
    /// once and as a timestamp, `NoUntil` if there is no `feed_updated_at`, and `Inverted`.
    ///
    /// Spec: llmindex 0.2, "feed_updated_at"; LLMI-V02-4.
    pub fn of_manifest(manifest: &Manifest) -> Result<Self, DeltaError> {
        let delta = manifest.feeds().and_then(|feeds| feeds.products_jsonl_delta.as_ref());
        let delta = delta.ok_or(DeltaError::of(DeltaErrorKind::NoDelta))?;
        let mut since = delta.query_pairs().filter(|(name, _)| name == "since");
        let since = match (since.next(), since.next()) {
            // In a query a plus sign that is not escaped reads as a blank, and a timestamp holds no blank.
            (Some((_, text)), None) => Timestamp::parse(&text.replace(' ', "+")).ok(),
            _ => None,
        };
        let since = since.ok_or(DeltaError::of(DeltaErrorKind::NoSince))?;
        let until = manifest.feed_updated_at().ok_or(DeltaError::of(DeltaErrorKind::NoUntil))?;
        DeltaBase::new(since..=until)
    }

    /// The delta has all changes after this instant.
    #[must_use]
    pub fn since(&self) -> Timestamp {
        self.since
    }

    /// The instant whose state the delta leads to.
    #[must_use]
    pub fn until(&self) -> Timestamp {
        self.until
    }

    /// Whether the delta can be applied to a feed held in the state of `held_at`: the `feed_updated_at` that came with
    /// it.
    ///
    /// # Errors
    /// [`DeltaErrorKind::Gap`] if the delta begins later, [`DeltaErrorKind::Older`] if it ends earlier.
    pub fn check(&self, held_at: Timestamp) -> Result<(), DeltaError> {
        if self.since.instant() > held_at.instant() {
            return Err(DeltaError::between(DeltaErrorKind::Gap, held_at, self.since));
        }
        if self.until.instant() < held_at.instant() {
            return Err(DeltaError::between(DeltaErrorKind::Older, held_at, self.until));
        }
        Ok(())
    }
}

/// Why a delta cannot be applied. Fetch the whole feed instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeltaError {
    kind: DeltaErrorKind,
    /// The expected and the found time, if the kind compares two times.
    times: Option<alloc::boxed::Box<(Timestamp, Timestamp)>>,
}

/// The kinds of [`DeltaError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum DeltaErrorKind {
    /// The manifest names no `feeds.products_jsonl_delta`.
    NoDelta,
    /// The delta's URL has no valid `since`.
    NoSince,
    /// The manifest has no `feed_updated_at`.
    NoUntil,
    /// The delta ends before it begins.
    Inverted,
    /// The delta begins after the state that is held: changes between the two are missing.
    Gap,
    /// The delta ends before the state that is held: it would bring back what was deleted since.
    Older,
    /// The delta has more identifiers than [`FeedOptions::max_ids`](crate::FeedOptions).
    TooManyIds,
    /// The delta is longer than [`FeedOptions::max_bytes`](crate::FeedOptions).
    TooLong,
    /// The delta's second reading gave other products than the first one.
    Changed,
}

impl DeltaError {
    pub(super) fn of(kind: DeltaErrorKind) -> Self {
        DeltaError { kind, times: None }
    }

    #[cold]
    fn between(kind: DeltaErrorKind, expected: Timestamp, found: Timestamp) -> Self {
        DeltaError { kind, times: Some(alloc::boxed::Box::new((expected, found))) }
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> DeltaErrorKind {
        self.kind
    }

    /// The requirement behind it.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        match self.kind {
            DeltaErrorKind::TooManyIds | DeltaErrorKind::TooLong => "LLMI-AMB-13",
            _ => "LLMI-V02-4",
        }
    }
}

impl fmt::Display for DeltaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(times) = &self.times {
            let (expected, found) = &**times;
            return match self.kind {
                DeltaErrorKind::Gap => {
                    write!(f, "expected a delta since {expected} or earlier, found one since {found}")
                }
                DeltaErrorKind::Older => {
                    write!(f, "expected a delta until {expected} or later, found one until {found}")
                }
                _ => write!(f, "expected a delta that ends after {expected}, found one until {found}"),
            };
        }
        f.write_str(match self.kind {
            DeltaErrorKind::NoDelta => "expected `feeds.products_jsonl_delta`, found no such member",
            DeltaErrorKind::NoSince => {
                "expected one timestamp named `since` in the delta's URL, found none or several"
            }
            DeltaErrorKind::NoUntil => "expected `feed_updated_at`, found no such member",
            DeltaErrorKind::TooManyIds => "expected identifiers within the limit, found more in the delta",
            DeltaErrorKind::TooLong => "expected a delta within the limit, found a longer one",
            DeltaErrorKind::Changed => "expected the same delta a second time, found another",
            DeltaErrorKind::Inverted | DeltaErrorKind::Gap | DeltaErrorKind::Older => {
                "expected a delta for the feed that is held, found another"
            }
        })
    }
}

impl core::error::Error for DeltaError {}
