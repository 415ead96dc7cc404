//! JSON sitemaps: read in constant memory, written within a budget, merged from several files.

mod error;
mod item;
mod reader;
mod scan;

pub use error::{SitemapError, SitemapErrorKind};
pub(crate) use item::is_hash;
pub use item::{ItemIssue, RECOMMENDED_ITEM_BYTES, SitemapItem};
pub use reader::{
    SitemapEvent, SitemapEvents, SitemapLimits, SitemapReader, SitemapSummary, SitemapVersion, SkippedItem,
};
