#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod agent;
mod clock;
#[cfg(feature = "extract")]
mod extract;
mod fetch;
mod inner;
mod layer;
mod listed;
mod pages;
mod recent;
mod robots;
mod settings;
mod sitemap;

pub use agent::{CrawlClock, CrawlStore, DriveError, StoredPage, Unusable, Wanted, drive};
#[cfg(feature = "extract")]
pub use extract::ExtractContent;
pub use fetch::{FetchError, fetch};
pub use layer::{TctBody, TctFuture, TctLayer, TctService};
#[cfg(feature = "robots")]
pub use robots::RobotsTxt;
pub use robots::{NoRobots, RobotsGate, RobotsVerdict};
pub use settings::{PageContent, Revisions, Settings, SettingsError, TwinContent};
pub use tct::crawl::MemoryStore;
