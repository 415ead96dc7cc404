//! Messages for people: the `Display` of outcomes, problems and events, one clause each.
//!
//! Programs match on the types, or store the stable codes (`code()`, `name()`, `Serialize`). These sentences may be
//! reworded in any version.

use std::fmt;

use crate::crawl::{BodyChange, PageEvent, SiteEvent};
use crate::lint::HeaderFinding;
use crate::open::{PayloadNote, Problem};
use crate::plan::Plan;
use crate::sitemap::{ItemIssue, SkippedItem};
use crate::visit::{Disagreement, Outcome, Refusal};

/// Shows types by the clause that they have for each of their values.
macro_rules! shown_by_clause {
    ($($type:ty),+) => {
        $(impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.clause())
            }
        })+
    };
}

shown_by_clause!(HeaderFinding, ItemIssue, PayloadNote);

impl fmt::Display for Problem {
    /// Writes the field that it is about, where there is one, and what was expected and found.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(field) = self.field {
            write!(f, "`{field}`: ")?;
        }
        f.write_str(self.code.clause())
    }
}

impl fmt::Display for SkippedItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entry {}: {}", self.index, self.issue)
    }
}

impl fmt::Display for Plan<'_> {
    /// Writes the action, and why.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Plan::Skip => f.write_str("skip: the sitemap lists the held hash"),
            Plan::Revalidate { why, .. } => write!(f, "revalidate: {why}"),
            Plan::Fetch => f.write_str("fetch: nothing is held"),
        }
    }
}

impl fmt::Display for Outcome {
    /// Writes the outcome of the visit and its reason, then a disagreement with the sitemap after a
    /// semicolon.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Store { disagreement, .. } => {
                f.write_str("a new text, to be stored")?;
                write_disagreement(*disagreement, f)
            }
            Outcome::UseOnce { .. } => {
                f.write_str("a text that must not be stored: the response says `no-store`")
            }
            Outcome::Keep { disagreement, .. } => {
                f.write_str("unchanged: the held text is the present one")?;
                write_disagreement(*disagreement, f)
            }
            Outcome::Restore { disagreement, .. } => {
                f.write_str("back to an earlier text that is still stored")?;
                write_disagreement(*disagreement, f)
            }
            Outcome::Refuse { reason: Refusal::Problems, problems } if !problems.is_empty() => {
                for (at, problem) in problems.iter().enumerate() {
                    write!(f, "{}{problem}", if at == 0 { "refused: " } else { "; " })?;
                }
                Ok(())
            }
            Outcome::Refuse { reason, .. } => write!(f, "refused: {reason}"),
            Outcome::NotFound => f.write_str("not found: what is held is kept"),
            Outcome::Gone => f.write_str("gone for good: what is held is to be forgotten"),
            Outcome::Forbidden => f.write_str("access denied: what is held is kept"),
            Outcome::Unavailable { retry_at } => {
                write!(f, "no usable answer: what is held is kept, next try at {retry_at}")
            }
        }
    }
}

fn write_disagreement(disagreement: Option<Disagreement>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    disagreement.map_or(Ok(()), |what| write!(f, "; {what}"))
}

impl fmt::Display for BodyChange<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BodyChange::Store(bytes) => write!(f, "store {} bytes", bytes.len()),
            BodyChange::Keep => f.write_str("keep what is stored"),
            BodyChange::Forget => f.write_str("remove what is stored"),
        }
    }
}

impl fmt::Display for PageEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PageEvent::Visited(outcome) => outcome.fmt(f),
            PageEvent::Unlisted => f.write_str("no sitemap lists the page any more: its text is kept"),
            PageEvent::Listed => f.write_str("a sitemap lists the page as it is held"),
        }
    }
}

impl fmt::Display for SiteEvent {
    /// Writes the URL that it is about, where there is one, and [`SiteEvent::detail`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(url) = self.url() {
            write!(f, "{url}: ")?;
        }
        f.write_str(&self.detail())
    }
}

impl SiteEvent {
    /// What happened, as a clause without the URL that it is about.
    #[must_use]
    pub fn detail(&self) -> String {
        match self {
            SiteEvent::SitemapRead { is_unchanged: true, items, .. } => {
                format!("the sitemap is unchanged, with {items} pages")
            }
            SiteEvent::SitemapRead { items, .. } => format!("read the sitemap, with {items} pages"),
            SiteEvent::Item { index, issue, .. } => format!("entry {index}: {issue}"),
            SiteEvent::SitemapMoved { to, .. } => format!("the sitemap moved to {to}"),
            SiteEvent::SitemapBroken { error, .. } => format!("the sitemap is broken: {error}"),
            SiteEvent::SitemapRefused { reason, .. } => format!("the sitemap is refused: {reason}"),
            SiteEvent::SitemapMissing { status, .. } => {
                format!("there is no sitemap for this agent: status {status}")
            }
            SiteEvent::SitemapUnavailable { retry_at, .. } => {
                format!("no usable answer for the sitemap, next try at {retry_at}")
            }
            SiteEvent::SiteUnavailable { is_withheld: true, .. } => {
                "the site could not be asked for its sitemaps: robots.txt or the caller does not allow it"
                    .to_owned()
            }
            SiteEvent::SiteUnavailable { status: Some(status), .. } => {
                format!("the site could not be asked for its sitemaps: status {status}")
            }
            SiteEvent::SiteUnavailable { status: None, .. } => {
                "the site could not be asked for its sitemaps: no answer".to_owned()
            }
            SiteEvent::SiteMoved { .. } => "the site moved here".to_owned(),
            SiteEvent::NoSitemap { has_twin: true } => {
                "nothing names a sitemap; the start page has a twin".to_owned()
            }
            SiteEvent::NoSitemap { has_twin: false } => "nothing names a sitemap".to_owned(),
            SiteEvent::Policy { .. } => "read the policy".to_owned(),
            SiteEvent::PolicyUnreadable { .. } => {
                "the policy cannot be read: it states nothing new".to_owned()
            }
            SiteEvent::Denied { purpose: Some(purpose) } => format!("the policy denies {purpose}"),
            SiteEvent::Denied { purpose: None } => "the policy asks for no requests at all".to_owned(),
        }
    }

    /// The URL that it is about: a sitemap's, a policy's, or the one that the site moved to.
    #[must_use]
    pub fn url(&self) -> Option<&url::Url> {
        match self {
            SiteEvent::SitemapRead { url, .. }
            | SiteEvent::Item { url, .. }
            | SiteEvent::SitemapBroken { url, .. }
            | SiteEvent::SitemapRefused { url, .. }
            | SiteEvent::SitemapMissing { url, .. }
            | SiteEvent::SitemapUnavailable { url, .. }
            | SiteEvent::Policy { url }
            | SiteEvent::PolicyUnreadable { url } => Some(url),
            SiteEvent::SitemapMoved { from, .. } => Some(from),
            SiteEvent::SiteMoved { to } => Some(to),
            SiteEvent::SiteUnavailable { .. } | SiteEvent::NoSitemap { .. } | SiteEvent::Denied { .. } => {
                None
            }
        }
    }
}
