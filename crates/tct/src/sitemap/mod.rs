//! JSON sitemaps: read in constant memory, written within a budget, merged from several files.

mod error;
mod item;
mod merged;
mod reader;
mod writer;

pub use error::{SitemapError, SitemapErrorKind};
pub use item::{ItemIssue, SitemapItem};
pub(crate) use merged::key;
pub use merged::{ListedPage, Sitemap, SitemapReport};
pub(crate) use reader::PausedEvents;
pub use reader::{SitemapEvent, SitemapEvents, SitemapLimits, SitemapReader, SitemapSummary, SkippedItem};
pub use writer::{SitemapBudget, SitemapEntry, write_sitemaps};
