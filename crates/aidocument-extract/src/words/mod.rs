//! The words that pages use for their parts, their dates and their people, by what they mean. Rules ask for a meaning, and no
//! rule spells a word of its own that is here.
//!
//! - [`names`]: words in `class` and `id`, and names that programs give.
//! - [`spoken`]: English words of a block's text, for the content model.
//! - [`labels`]: labels over a part, in the languages of the web's largest parts.
//! - [`lines`]: what bylines and lines with dates start with, in as many languages as dates are read in.

pub(crate) mod labels;
pub(crate) mod lines;
pub(crate) mod list;
pub(crate) mod names;
pub(crate) mod spoken;
