//! JSON sitemaps: read in constant memory, written within a budget, merged from several files.

mod error;
mod item;
mod merged;
mod reader;
mod writer;

pub use error::{SitemapError, SitemapErrorKind};
pub use item::{ItemIssue, RECOMMENDED_ITEM_BYTES, SitemapItem};
pub(crate) use merged::key;
pub use merged::{ListedPage, Sitemap, SitemapReport};
pub use reader::{
    PausedEvents, SitemapEvent, SitemapEvents, SitemapLimits, SitemapReader, SitemapSummary, SitemapVersion,
    SkippedItem,
};
pub use writer::{
    HashMembers, SitemapBudget, SitemapEntry, SitemapWriteError, SitemapWriteErrorKind, SitemapWriter,
    Written, homepage_first, write_sitemaps,
};
