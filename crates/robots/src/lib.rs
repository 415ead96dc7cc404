//! robots.txt (RFC 9309) and the manners of an AIWebIndex crawler.
#![no_std]

extern crate alloc;

mod crawler;
mod decision;
mod delay;
mod file;
mod line;
mod matcher;
mod options;
mod pattern;
mod request_path;
mod user_agent;

pub use crawler::Crawler;
pub use decision::{Decision, Reason};
pub use delay::CrawlDelay;
pub use file::{GroupRef, OtherRecord, Robots, RuleRef};
pub use line::Field;
pub use matcher::Matcher;
pub use options::{Mode, ParseOptions};
pub use request_path::RequestPath;
pub use user_agent::{FetchPurpose, UserAgent, UserAgentBuilder, UserAgentError, UserAgentErrorKind};
