//! Blocks whose text the page's structured data repeats: ingredients and steps of a recipe, questions and their answers.
//!
//! JSON-LD is never a text of its own here. It says which of the page's blocks are what the page is about, also where they are short
//! lines in boxes, which look like a menu to the model. Not asked are descriptions, properties of products and comments: they are on
//! the page twice or cut, and labels leave them out (22 of 24,
//! 4 of 4 and 2 of 3 pages that change lose; of 15 with microdata of answers, 14).

use aidocument::{JsonKind, JsonValue};

use super::about::{Run, hashes};
use super::features::Page;
use super::price;
use crate::letters::{collapse, without_tags};
use crate::rules::Rule;

/// Runs and texts that are kept of a page's structured data.
const MAX_TEXTS: usize = 20_000;

/// A block is witnessed if so many of so many of its words are.
const MOST: (u32, u32) = (4, 5);

/// Witnessed blocks in a row are no coincidence from so many words on.
const ENOUGH: u32 = 6;

/// What the structured data says that the page shows.
#[derive(Debug, Default)]
pub(super) struct Witnesses {
    /// Hashes of runs of words, sorted.
    runs: Vec<u64>,
    /// Hashes of whole texts, sorted.
    texts: Vec<u64>,
    /// Who wrote what has a text in the structured data: posts, answers.
    pub(super) authors: Vec<String>,
    /// The prices in the structured data, in hundredths.
    pub(super) prices: Vec<u64>,
}

/// The words of a block, and those of them that are witnessed.
#[derive(Debug, Clone, Copy, Default)]
struct Share {
    words: u32,
    known: u32,
}

impl Share {
    fn is_witnessed(self) -> bool {
        self.known > 0 && MOST.1 * self.known >= MOST.0 * self.words
    }
}

impl Witnesses {
    /// Reads the members that a page shows. `O(n)`.
    pub(super) fn of(data: JsonValue<'_>) -> Witnesses {
        let mut found = Witnesses::default();
        let mut waiting: Vec<(JsonValue<'_>, bool)> =
            data.members().map(|(_, value)| (value, false)).collect();
        while let Some((value, is_shown)) = waiting.pop() {
            match value.kind() {
                JsonKind::Array => waiting.extend(value.items().map(|item| (item, is_shown))),
                JsonKind::Object => {
                    let is_question = value.get("acceptedAnswer").is_some();
                    if let Some(author) = value.get("text").and_then(|_| value.get("author")) {
                        let name = author.get("name").unwrap_or(author);
                        found.authors.extend(name.as_str().map(|name| collapse(&name)));
                    }
                    let prices = PRICES.iter().filter_map(|name| price::of_json(value.get(name)?));
                    found.prices.extend(prices);
                    waiting.extend(value.members().map(|(key, value)| {
                        let names = |names: &[&str]| names.iter().any(|name| key.is(name));
                        let is_shown = names(&SHOWN)
                            || (is_question && key.is("name"))
                            || (is_shown && names(&["text", "name", "itemListElement"]));
                        (value, is_shown)
                    }));
                }
                _ if is_shown => found.add(&value.as_str().unwrap_or_default()),
                _ => {}
            }
        }
        found.runs.sort_unstable();
        found.texts.sort_unstable();
        found
    }

    fn add(&mut self, text: &str) {
        let (mut run, mut whole) = (Run::default(), 0);
        for hash in without_tags(text).flat_map(hashes) {
            if self.runs.len() >= MAX_TEXTS {
                return;
            }
            whole = mixed(whole, hash);
            self.runs.extend(run.push(hash));
        }
        if whole != 0 && self.texts.len() < MAX_TEXTS {
            self.texts.push(whole);
        }
    }

    /// Keeps the blocks that the structured data repeats. `O(n)` in the page's words.
    pub(super) fn keep(&self, page: &Page<'_>, keep: &mut [bool]) {
        if self.texts.is_empty() || !page.tree.rules.has(Rule::Witnesses) {
            return;
        }
        let shares = self.shares(page);
        let mut from = 0;
        for run in shares.split_inclusive(|share| !share.is_witnessed()) {
            let known: u32 = run.iter().filter(|share| share.is_witnessed()).map(|share| share.known).sum();
            for (share, kept) in run.iter().zip(keep.iter_mut().skip(from)) {
                *kept |= known >= ENOUGH && share.is_witnessed();
            }
            from += run.len();
        }
    }

    /// How much of each block is witnessed: runs of words that go on from block to block too, since amount, unit and name may be in
    /// one each; or all of it as it is, however short.
    fn shares(&self, page: &Page<'_>) -> Vec<Share> {
        let mut shares = vec![Share::default(); page.blocks.blocks.len()];
        let mut run = Run::default();
        // The blocks of the last words, each until it is known.
        let mut last: [Option<usize>; 3] = [None; 3];
        for (place, block) in page.blocks.blocks.iter().enumerate() {
            let (mut words, mut whole) = (0, 0);
            let texts = page.blocks.texts_of(block).iter().filter_map(|&id| page.tree.text(id));
            for hash in texts.flat_map(hashes) {
                words += 1;
                whole = mixed(whole, hash);
                last = [last[1], last[2], Some(place)];
                if run.push(hash).is_some_and(|run| self.runs.binary_search(&run).is_ok()) {
                    for known in last.iter_mut().filter_map(Option::take) {
                        if let Some(share) = shares.get_mut(known) {
                            share.known += 1;
                        }
                    }
                }
            }
            if let Some(share) = shares.get_mut(place) {
                share.words = words;
                if whole != 0 && self.texts.binary_search(&whole).is_ok() {
                    share.known = words;
                }
            }
        }
        shares
    }
}

/// Members of an offer.
const PRICES: [&str; 3] = ["price", "lowPrice", "highPrice"];

/// Members whose texts a page shows.
const SHOWN: [&str; 6] =
    ["recipeIngredient", "ingredients", "recipeInstructions", "step", "acceptedAnswer", "suggestedAnswer"];

/// The hash of a text with one word more; never zero.
fn mixed(text: u64, word: u64) -> u64 {
    (text.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1
}

#[cfg(test)]
mod tests {
    use super::super::testing::Marked;
    use super::*;

    /// What is kept of a page because of its JSON-LD.
    fn kept(json: &str, html: &str) -> String {
        let mut page = Marked::of(html);
        let data = crate::json_ld::of(std::iter::once(json), &mut Vec::new());
        Witnesses::of(data.read().root()).keep(&Page::of(&page.tree, &page.blocks), &mut page.keep);
        page.kept()
    }

    #[test]
    fn blocks_that_structured_data_repeat_are_kept() {
        let recipe = r#"{"@type":"Recipe","description":"A tea for cold days in the mountains",
            "recipeIngredient":["2 small cups of water","Salt"],
            "recipeInstructions":[{"@type":"HowToSection","itemListElement":[{"@type":"HowToStep","text":"Boil <b>the</b> water for your tea."}]}]}"#;
        let faq = r#"{"@type":"WebPage","mainEntity":{"@type":"FAQPage","mainEntity":[{"@type":"Question","name":"Is it tea or a herb?",
            "acceptedAnswer":{"@type":"Answer","text":"<p>It is a tea of green leaves.</p>"}}]}}"#;
        for (json, html, expected) in [
            (recipe, "<li>2 small cups of water<li>Salt<li>Tea", "2 small cups of water|Salt"),
            (
                recipe,
                "<div>2</div><div>small cups</div><div>of water</div><div>Salt</div>",
                "2|small cups|of water|Salt",
            ),
            (recipe, "<p>Boil the <i>water</i> for your tea.<p>Boil an egg.", "Boil the water for your tea."),
            // A few words alone are chance; a description is asked by the model.
            (recipe, "<li>Salt<p>x<li>2 small cups of water", ""),
            (recipe, "<p>A tea for cold days in the mountains", ""),
            (
                faq,
                "<h3>Is it tea or a herb?</h3><div>It is a tea of green leaves.</div>",
                "Is it tea or a herb?|It is a tea of green leaves.",
            ),
            (faq, "<p>It is a tea of green leaves, and it grows in the mountains of the south.", ""),
            ("{}", "<p>It is a tea of green leaves.", ""),
        ] {
            assert_eq!(kept(json, html), expected, "{html}");
        }
    }
}
