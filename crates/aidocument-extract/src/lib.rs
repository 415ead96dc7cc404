#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[macro_use]
mod named;

mod address;
mod caption;
mod carried;
mod clues;
mod code;
mod content;
#[cfg(feature = "detect-language")]
mod detected;
mod document;
mod embed;
pub mod encoding;
mod extractor;
mod finding;
mod html;
#[cfg(test)]
mod html5lib_tests;
mod image;
mod json_ld;
mod letters;
mod markdown;
mod meta;
mod options;
#[cfg(feature = "outline")]
pub mod outline;
mod page;
mod pairs;
mod pipeline;
mod recent;
mod rules;
mod selector;
#[cfg(feature = "serde")]
mod serialize;
mod shell;
mod source;
mod structure;
#[cfg(feature = "training")]
pub mod training;
mod tree;
mod visibility;
mod words;

pub use content::{Comment, PageKind};
pub use document::{Extracted, Snapshot, extract, extract_v2};
pub use extractor::{Extractor, SelectorError};
pub use finding::{ExtractFinding, ExtractFindingKind};
pub use meta::{Found, MetadataSource, PageDate, PageMetadata, TextDirection};
pub use options::{Focus, Options};
pub use pipeline::{Content, to_markdown};
pub use source::Source;
pub use visibility::report::HiddenText;
pub use visibility::{HiddenReason, SeenText, SeenVerdict, VisibilityLimits, seen_texts};
