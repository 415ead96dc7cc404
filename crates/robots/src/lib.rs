#![doc = include_str!("../README.md")]
//!
//! # Reading order
//!
//! - A file: [`Robots`] reads one and answers for one path; [`Matcher`] answers for many. [`Crawler`] names the crawler,
//!   [`Decision`] the answer. [`RobotsBuilder`] writes a file, [`RobotsFinding`] reports probable mistakes in one.
//! - A site: [`SiteRobots`] says when to fetch the file, follows its redirects, and knows what an outage means ([`Access`]).
//! - Pace: [`Pacer`] keeps the time of the next request for each host; [`CrawlDelay`] and [`RetryAfter`] are its inputs.
//! - Use: [`Preferences`] (`Content-Usage`, `Content-Signal`), [`Directives`] (`X-Robots-Tag` and robots meta), [`Licenses`].
//! - Identity: [`AiWebIndexAgent`], a `User-Agent` that names its owner.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod access;
mod builder;
mod crawler;
mod decision;
mod delay;
mod dictionary;
mod directives;
mod file;
#[cfg(feature = "html")]
mod html;
#[cfg(feature = "http")]
mod http_form;
mod https;
mod license;
mod line;
mod lint;
mod matcher;
mod options;
mod pacing;
mod path_pattern;
mod pattern;
mod preferences;
mod print;
mod request_path;
#[cfg(feature = "serde")]
mod serde_form;
mod tree;

pub use access::{
    Access, AccessOptions, MAX_COPY_AGE, MIN_COPY_AGE, RELAX_AFTER, RobotsAction, RobotsAnswer,
    RobotsResponse, SiteRobots,
};
pub use builder::{BuildError, BuildErrorKind, RobotsBuilder};
pub use crawler::Crawler;
pub use decision::{Decision, RobotsReason};
pub use delay::CrawlDelay;
pub use directives::Directives;
pub use file::{GroupRef, OtherRecord, PreferenceGroupRef, Robots, RuleRef};
#[cfg(feature = "html")]
pub use html::meta_elements;
#[cfg(feature = "http")]
pub use http_form::HeaderFields;
pub use https::{AccessBarrier, HttpsHosts};
pub use license::{LicenseScope, Licenses};
pub use line::Field;
pub use lint::{FindingKind, RobotsFinding};
pub use matcher::Matcher;
pub use options::{ParseOptions, RobotsMode};
pub use pacing::{DelayOutcome, Pacer, PacerFull, PacingOptions, host_key};
pub use path_pattern::{LevelledPath, PathPattern};
pub use preferences::{Preference, Preferences, Signal, UseCeiling};
pub use request_path::RequestPath;
pub use web_values::{
    AiWebIndexAgent, AiWebIndexAgentBuilder, AiWebIndexAgentError, AiWebIndexAgentErrorKind,
    AiWebIndexVersion, FetchPurpose, RetryAfter, UnixSeconds,
};
