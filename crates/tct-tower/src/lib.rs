#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod agent;
#[cfg(feature = "extract")]
mod extract;
mod layer;
mod links;
mod pages;
mod settings;
mod sitemap;

pub use agent::{CrawlStore, DriveError, drive};
#[cfg(feature = "extract")]
pub use extract::ExtractContent;
pub use layer::{TctBody, TctFuture, TctLayer, TctService};
pub use settings::{PageContent, Revisions, Settings, SettingsError, TwinContent};
