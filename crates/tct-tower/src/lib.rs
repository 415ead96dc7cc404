#![doc = include_str!("../README.md")]
//!
//! # Reading order
//!
//! - Publishers: [`TctLayer`] wraps a service, as [`Settings`] say; a [`PageContent`] finds the content of a page in its HTML and
//!   returns it as [`TwinContent`]. [`PageTerms`] is what a page says about its use.
//! - Agents: [`drive`] runs a crawl with a [`RobotsGate`], a [`CrawlStore`] such as [`MemoryStore`], and a [`CrawlClock`];
//!   [`fetch`] sends a single request. Driver and client exchange hints as [`Wanted`] and [`Unusable`].
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
mod terms;

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
pub use terms::PageTerms;
