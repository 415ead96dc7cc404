#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod builder;
mod checker;
mod crawl;
mod document;
mod error;
mod finding;
mod json;
mod language;
mod limits;
mod read;
mod structured_data;
mod timestamp;
mod web_url;
mod words;

pub use builder::DocumentBuilder;
pub use crawl::{Crawl, RenderMode, StatusCode, UnknownRenderMode, UserAgent};
pub use document::{Document, Heading, HeadingLevel, Image, Link, Meta};
pub use error::{DocumentError, DocumentErrorKind, ValueError};
pub use finding::{Finding, FindingCode, Severity};
pub use language::Language;
pub use limits::Limits;
pub use read::Reading;
pub use structured_data::StructuredData;
pub use web_url::WebUrl;
pub use words::{reading_time_minutes, word_count};
