#![doc = include_str!("../README.md")]
//!
//! # Reading order
//!
//! - [`Document`] is a document of 1.0, [`v2::Document`] one of 2.0, [`AnyDocument`] either. [`DocumentBuilder`] makes one.
//! - Reading: [`detect`] says which version a text is of, [`Reading`] is a document with its [`DocumentFinding`]s, [`Limits`]
//!   bound the input, [`DocumentError`] says why a text is not a document.
//! - Parts: [`Crawl`] (how the page was fetched), [`Meta`], [`Heading`], [`Link`], [`Image`], [`StructuredData`], [`Extra`] (members
//!   that no version defines).
//! - Between versions: [`upgrade`] and [`downgrade`]; [`Converted`] lists what a conversion loses.
//! - [`word_count`] and [`reading_time_minutes`] count as the specification does.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod any;
mod builder;
mod checker;
mod convert;
mod crawl;
mod document;
mod error;
mod finding;
mod json;
mod limits;
mod number;
mod parts;
mod plain;
mod read;
mod shown;
mod structured_data;
mod timestamp;
pub mod v2;
mod words;
mod write;

pub use any::{AnyDocument, Shape, detect};
pub use builder::DocumentBuilder;
pub use convert::{Converted, CrawlFacts, LackingFacts, downgrade, upgrade};
pub use crawl::{Crawl, RenderMode, SentUserAgent, StatusCode, UnknownRenderMode};
pub use document::{Document, Meta};
pub use error::{DocumentError, DocumentErrorKind, ValueError};
pub use finding::{DocumentFinding, DocumentFindingCode};
pub use json::{Extra, Json, JsonObject};
pub use limits::Limits;
pub use parts::{Heading, HeadingLevel, Image, Link, LinkText, heading_hierarchy_ok};
pub use read::Reading;
pub use structured_data::StructuredData;
pub use tct_canonical_json::{JsonDocument, JsonKind, JsonValue};
pub use web_values::{Language, Severity, Timestamp, UnixSeconds, UrlRules, WebUrl};
pub use words::{reading_time_minutes, word_count};
