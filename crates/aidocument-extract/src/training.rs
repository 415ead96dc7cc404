//! Support for training the content model: the blocks of a page and their rows of features.

use crate::content::about::About;
use crate::content::features::{self, Page};
use crate::content::second_look::{self, First};
use crate::content::{self, model::Kind};
use crate::{encoding, json_ld, meta, page, pipeline};

/// The blocks of a page, for training the content model.
#[derive(Debug)]
pub struct Sample {
    /// Text of each block.
    pub texts: Vec<String>,
    /// The features of all blocks, `width` numbers each.
    pub values: Vec<f32>,
    /// Features of a block.
    pub width: usize,
    /// The log-odds of all blocks, as the model in the crate gives them at its first look.
    pub log_odds: Vec<f32>,
    /// The features of all blocks for the second look, the same number each; zeros where there is none.
    pub second: Vec<f32>,
}

/// Cuts a page into blocks and describes each, exactly as extraction does.
///
/// `log_odds` replace the first pass's results, if they are given for all blocks of the page.
#[must_use]
pub fn sample(bytes: &[u8], url: &aidocument::WebUrl, log_odds: Option<&[f32]>) -> Sample {
    let html = encoding::decode(bytes, encoding::sniff(bytes, None, None));
    let (tree, blocks) = content::visible(&html, &crate::Options::default());
    let facts = page::read(&tree, url, bytes.len(), false);
    let data = json_ld::of_page(&tree, &facts.json_ld, &mut Vec::new());
    let address = facts.canonical.as_ref().unwrap_or(url).as_str();
    let about = About::of(&tree, address, &facts, data.read().root());
    let (mut values, mut width) = (Vec::new(), 0);
    let cut = Page::of(&tree, &blocks);
    let mut firsts: Vec<First> = Vec::new();
    features::rows(&cut, &about, |row, length| {
        width = length;
        values.extend(row.iter().take(length));
        let given = log_odds.and_then(|given| given.get(firsts.len()).copied());
        firsts.push(First::of(row, given.unwrap_or_else(|| Kind::of(row).first_look(row))));
    });
    let mut second = vec![0.0; firsts.len() * second_look::FEATURES];
    second_look::rows(&cut, &firsts, |index, row| {
        let places = second.iter_mut().skip(index * second_look::FEATURES);
        places.zip(row).take(second_look::FEATURES).for_each(|(place, value)| *place = *value);
    });
    let log_odds = firsts.iter().map(|first| first.log_odds).collect();
    let texts = blocks
        .blocks
        .iter()
        .map(|block| {
            let mut text = String::new();
            for &id in blocks.texts_of(block) {
                text.push_str(tree.text(id).unwrap_or_default());
                if tree.next_sibling(id).is_some_and(|id| tree.tag(id) == crate::tree::Tag::Br) {
                    text.push('\n');
                }
            }
            text
        })
        .collect();
    Sample { texts, values, width, log_odds, second }
}

/// The candidates for dates and authors of a page, a line each: what [`PageMetadata`](crate::PageMetadata) was chosen from.
#[must_use]
pub fn metadata_candidates(bytes: &[u8], url: &aidocument::WebUrl) -> Vec<String> {
    let html = encoding::decode(bytes, encoding::sniff(bytes, None, None));
    let (tree, blocks) = content::visible(&html, &crate::Options::default());
    let facts = page::read(&tree, url, bytes.len(), false);
    let data = json_ld::of_page(&tree, &facts.json_ld, &mut Vec::new());
    let address = facts.canonical.as_ref().unwrap_or(url);
    let data = data.read();
    meta::candidates(&meta::Page { tree: &tree, facts: &facts, data: data.root(), blocks: &blocks, address })
}

/// The content of a page, for calibrating the expected F1.
#[derive(Debug)]
pub struct Expectation {
    /// The F1 that the model expects; `None` where the markup alone decided.
    pub expected: Option<f32>,
    /// The same, calibrated: `Content::confidence`.
    pub confidence: Option<f32>,
    /// The content as plain text, without the title unless it counts as content.
    pub text: String,
}

/// Extracts a page, with the expected F1.
///
/// `given` replaces the crate's model: the kind of the page and the log-odds of its blocks, from a model that was not trained
/// on the page.
#[must_use]
pub fn expectation(
    bytes: &[u8],
    url: &aidocument::WebUrl,
    given: Option<(crate::PageKind, &[f32])>,
) -> Expectation {
    let html = encoding::decode(bytes, encoding::sniff(bytes, None, None));
    let options = crate::Options { title: false, ..crate::Options::default() };
    let page = pipeline::read_text(&html, Some(url), &options, Vec::new(), [false, false], given);
    let content = page.content;
    Expectation { expected: page.expected, confidence: content.confidence, text: content.text }
}

/// The rules, in the order in which they run, each with its name, stage, inputs and effects.
#[must_use]
pub fn rules() -> &'static [[&'static str; 4]] {
    crate::rules::ALL
}

/// The content of a page as Markdown and as plain text, without some of the [`rules`], by their places.
///
/// `given` is as in [`expectation`]. Plain text has no title in front, unless it counts as content.
#[must_use]
pub fn without_rules(
    html: &str,
    url: Option<&aidocument::WebUrl>,
    given: Option<(crate::PageKind, &[f32])>,
    with_title: bool,
    places: &[usize],
) -> [String; 2] {
    let rules = crate::rules::Rules::without(places);
    let options = crate::Options { title: with_title, rules, ..crate::Options::default() };
    let page = pipeline::read_text(html, url, &options, Vec::new(), [false, false], given);
    [page.content.markdown, page.content.text]
}

/// A page's bytes as text, as extraction reads them without a `Content-Type`.
#[must_use]
pub fn decode(bytes: &[u8]) -> String {
    encoding::decode(bytes, encoding::sniff(bytes, None, None)).into_owned()
}

/// The hash of the features' list, which `train.py` writes at the end of `model.bin`.
#[must_use]
pub fn features_hash() -> u64 {
    content::fingerprint::of_features()
}
