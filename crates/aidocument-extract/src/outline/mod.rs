//! Markdown in sections and pages, for readers with a token budget.
//!
//! ```text
//! Markdown ──▶ Outline ──┬─▶ sections: a stable name, a title, a size
//!                        ├─▶ pages: whole sections where they fit, never cut within a sentence, a row or a fence
//!                        └─▶ hits: where words occur, each with the section around it
//! ```
//!
//! Works on any Markdown text. `count` measures sizes: pass [`estimate_tokens`], a rule without a vocabulary, or your
//! tokenizer.
//!
//! # Names of sections
//!
//! A name is made from the headings alone, so it stays the same when the text below changes, or when sections are added or
//! removed elsewhere. It is the heading in lower case, letters and digits kept, everything else as one hyphen; below a
//! heading of the second level or deeper, it begins with the names of the headings around: `install/linux`. Headings of the
//! first level add nothing to the names below them, since most pages have one, their title. The text before the first
//! heading is `top`. A repeated name gets `-2`, `-3` and so on.
//!
//! [`Outline::find`] also accepts the title of a heading and the end of a name, if only one section has it.
//!
//! ```
//! use aidocument_extract::outline::{Outline, estimate_tokens};
//!
//! let text = "# Tea\n\nGreen or black.\n\n## Brewing\n\nHot.\n\n### Green\n\n80 °C.\n";
//! let outline = Outline::of(text, &estimate_tokens);
//! let names: Vec<&str> = outline.sections().iter().map(|section| section.name.as_str()).collect();
//! assert_eq!(names, ["tea", "brewing", "brewing/green"]);
//! assert_eq!(outline.find("Green").unwrap().text_of(text), "### Green\n\n80 °C.\n");
//! ```

mod cuts;
mod pages;
mod search;
mod tokens;

use std::collections::HashMap;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

pub use pages::TextPage;
pub use search::SectionHits;
pub use tokens::estimate_tokens;

use cuts::Cuts;

/// The name of the text before the first heading.
pub const TOP: &str = "top";

/// The longest name of one heading, in letters: names are read by models, and a heading may be a paragraph.
const MAX_SLUG: usize = 60;

/// A Markdown text with its sections and the places where it may be cut.
#[derive(Debug, Clone)]
pub struct Outline {
    sections: Vec<Section>,
    cuts: Cuts,
    tokens: usize,
}

/// A heading and what follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Section {
    /// The stable name; see the [module](self).
    pub name: String,
    /// The heading's level, 1 to 6; 0 for the text before the first heading.
    pub level: u8,
    /// The heading's text without markup; empty for the text before the first heading.
    pub title: String,
    /// Bytes of the section up to the next heading of any level.
    pub own: Range<usize>,
    /// Bytes of the section with the sections below it.
    pub whole: Range<usize>,
    /// Size of [`Section::own`].
    pub own_tokens: usize,
    /// Size of [`Section::whole`].
    pub tokens: usize,
}

impl Section {
    fn new(name: String, level: u8, title: String, own: Range<usize>) -> Section {
        Section { name, level, title, whole: own.clone(), own, own_tokens: 0, tokens: 0 }
    }

    /// The section with the sections below it, in the text that the outline is of; empty for another text.
    #[must_use]
    pub fn text_of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.whole.clone()).unwrap_or_default()
    }
}

/// The Markdown extensions of [`Content::markdown`](crate::Content::markdown) that affect blocks.
pub(crate) fn dialect() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_MATH
}

impl Outline {
    /// The outline of a text; `count` gives the size of a part of it. `O(n)`, apart from `count`.
    #[must_use]
    pub fn of(text: &str, count: &dyn Fn(&str) -> usize) -> Self {
        let mut headings: Vec<(usize, u8, String)> = Vec::new();
        let mut open: Option<(usize, u8, String)> = None;
        let (mut cuts, mut depth) = (Cuts::new(text), 0_usize);
        for (event, range) in Parser::new_ext(text, dialect()).into_offset_iter() {
            match &event {
                // A heading in a quote or in an item of a list is no section of the page.
                Event::Start(Tag::Heading { level, .. }) if depth == 0 => {
                    open = Some((range.start, *level as u8, String::new()));
                }
                Event::End(TagEnd::Heading(_)) if depth == 1 => headings.extend(open.take()),
                Event::Text(words) | Event::Code(words) => {
                    if let Some((_, _, title)) = &mut open {
                        title.push_str(words);
                    }
                }
                Event::SoftBreak | Event::HardBreak => {
                    if let Some((_, _, title)) = &mut open {
                        title.push(' ');
                    }
                }
                _ => {}
            }
            cuts.see(&event, &range, depth);
            match event {
                Event::Start(_) => depth += 1,
                Event::End(_) => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        cuts.finish();
        Outline { sections: sections(text, headings, count), cuts, tokens: count(text) }
    }

    /// The sections, in the order of the text. Together their own parts are the whole text.
    #[must_use]
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The size of the whole text.
    #[must_use]
    pub const fn tokens(&self) -> usize {
        self.tokens
    }

    /// The section with this name; otherwise the only one with this title, or whose name ends with it.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Section> {
        let name = name.trim().trim_start_matches('#');
        let exact = self.sections.iter().find(|section| section.name == name);
        let slug = slug(name);
        let ends = |section: &&Section| {
            let last = section.name.rsplit('/').next().unwrap_or_default();
            last == slug || section.name.strip_suffix(name).is_some_and(|rest| rest.ends_with('/'))
        };
        let titled = |section: &&Section| section.title.to_lowercase() == name.to_lowercase();
        exact
            .or_else(|| only(self.sections.iter().filter(titled)))
            .or_else(|| only(self.sections.iter().filter(ends)))
    }
}

fn only<'s>(mut found: impl Iterator<Item = &'s Section>) -> Option<&'s Section> {
    found.next().filter(|_| found.next().is_none())
}

fn sections(text: &str, headings: Vec<(usize, u8, String)>, count: &dyn Fn(&str) -> usize) -> Vec<Section> {
    let first = headings.first().map_or(text.len(), |(start, ..)| *start);
    let mut known = HashMap::new();
    let mut sections = Vec::with_capacity(headings.len() + 1);
    if first > 0 && !text.get(..first).unwrap_or_default().trim().is_empty() {
        known.insert(TOP.to_owned(), 2);
        sections.push(Section::new(TOP.to_owned(), 0, String::new(), 0..first));
    }
    // The names of the headings around the present one, with their levels.
    let mut around: Vec<(u8, String)> = Vec::new();
    // What is blank before the first heading belongs to it.
    let mut start = if sections.is_empty() { 0 } else { first };
    let ends: Vec<usize> = headings.iter().skip(1).map(|(start, ..)| *start).chain([text.len()]).collect();
    for ((_, level, title), end) in headings.into_iter().zip(ends) {
        around.retain(|(outer, _)| *outer < level);
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut name = slug(&title);
        if let Some((_, parent)) = around.last() {
            name = format!("{parent}/{name}");
        }
        let name = unused(name, &mut known);
        if level > 1 {
            around.push((level, name.clone()));
        }
        sections.push(Section::new(name, level, title, start..end));
        start = end;
    }
    // From the last one on: a section ends where the next one of its level or above begins.
    // Sizes of wholes are differences of sums, because counting each whole anew would be quadratic in the depth.
    let mut next = [(text.len(), 0); 7];
    let mut tokens = 0;
    for section in sections.iter_mut().rev() {
        let level = usize::from(section.level).min(6);
        section.own_tokens = count(text.get(section.own.clone()).unwrap_or_default());
        let (end, beyond) = match section.level {
            0 => (section.own.end, tokens),
            _ => next.get(level).copied().unwrap_or((text.len(), 0)),
        };
        tokens += section.own_tokens;
        (section.whole.end, section.tokens) = (end, tokens - beyond);
        for deeper in next.iter_mut().skip(level) {
            *deeper = (section.own.start, tokens);
        }
    }
    sections
}

/// Makes a name unique. `known` has each name with the number to try next where it comes again: no number is tried twice for
/// one name, so that many equal headings take linear time.
fn unused(name: String, known: &mut HashMap<String, usize>) -> String {
    let Some(mut number) = known.get(&name).copied() else {
        known.insert(name.clone(), 2);
        return name;
    };
    let numbered = loop {
        let numbered = format!("{name}-{number}");
        number += 1;
        if !known.contains_key(&numbered) {
            break numbered;
        }
    };
    known.insert(name, number);
    known.insert(numbered.clone(), 2);
    numbered
}

/// Letters and digits in lower case, and one hyphen for whatever is between them.
fn slug(title: &str) -> String {
    let mut slug = String::new();
    let mut letters = 0;
    for letter in title.chars().flat_map(char::to_lowercase) {
        if letter.is_alphanumeric() {
            if letters >= MAX_SLUG {
                break;
            }
            slug.push(letter);
            letters += 1;
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    while slug.ends_with('-') {
        slug.pop();
    }
    if slug.is_empty() { "section".to_owned() } else { slug }
}
