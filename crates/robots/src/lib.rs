//! robots.txt (RFC 9309) and the manners of an AIWebIndex crawler.
#![no_std]

extern crate alloc;

mod user_agent;

pub use user_agent::{FetchPurpose, UserAgent, UserAgentBuilder, UserAgentError, UserAgentErrorKind};
