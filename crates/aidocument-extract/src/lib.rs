#![doc = include_str!("../README.md")]

mod content;
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
mod options;
mod page;
mod pipeline;
mod recent;
mod structure;
#[cfg(feature = "training")]
pub mod training;
mod tree;

pub use content::PageKind;
pub use extractor::{Content, Extractor, SelectorError, Source};
pub use finding::{Finding, FindingKind};
pub use options::Options;
pub use pipeline::{Extracted, Snapshot, extract, extract_v2, to_markdown};
