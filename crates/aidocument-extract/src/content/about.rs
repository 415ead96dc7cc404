//! Metadata of a page that helps to find its content.

use aidocument::{JsonKind, JsonValue};

use super::blocks::{Block, Blocks};
use super::surroundings::share;
use super::vocabulary::Subjects;
use super::witnesses::Witnesses;
use crate::address;
use crate::letters;
use crate::page::Facts;
use crate::tree::{NodeId, NumberMap, Tag, Tree};
use crate::words::list::Packed;

/// Length in words of a run that is looked up.
const RUN: usize = 3;

/// Runs that are kept of a page's descriptions.
const MAX_RUNS: usize = 20_000;

/// A block with this many words is not a title.
const LONG: u32 = 40;

/// The result of [`About::words_of`].
#[derive(Debug, Default)]
pub(super) struct Words {
    /// The share of a short block's words that the title has, times the share of the title.
    pub(super) title: f32,
    /// The shares of the block's runs that also occur in the description, and in JSON-LD's bodies
    /// and answers.
    pub(super) told: [f32; 3],
    pub(super) subjects: Subjects,
}

impl Words {
    /// The share of the runs that the description has.
    pub(super) fn described(&self) -> f32 {
        let [described, ..] = self.told;
        described
    }
}

/// Facts of the page as a whole.
#[derive(Debug, Default)]
pub(crate) struct About {
    /// The title from the page's metadata.
    pub(crate) title_text: String,
    /// The last part of the page's address, see [`address::name_of`].
    pub(super) address_name: String,
    /// Hashes of the title's words, sorted.
    title: Vec<u64>,
    /// The kinds of page in its metadata, as bits: see [`page_kind`].
    pub(crate) kind: u32,
    told: Told,
    /// What structured data says that the page shows.
    pub(super) witnesses: Witnesses,
}

/// Runs of words of the description, of JSON-LD's bodies, and of JSON-LD's reviews and answers.
#[derive(Debug, Default)]
struct Told {
    /// For each run a bit for each source that has it.
    sources: NumberMap<u64, u8>,
    /// Runs of each source.
    sizes: [usize; 3],
}

const DESCRIPTION: usize = 0;
const BODY: usize = 1;
const ANSWERS: usize = 2;

impl About {
    pub(crate) fn of(tree: &Tree, url: &str, facts: &Facts, data: JsonValue<'_>) -> About {
        let mut about = About {
            title_text: facts.title.clone(),
            address_name: address::name_of(url).to_owned(),
            title: word_hashes(&facts.title),
            kind: page_kind(tree, &facts.tellers, url),
            told: Told::default(),
            witnesses: Witnesses::of(data),
        };
        about.told.add(DESCRIPTION, facts.description.as_deref().unwrap_or_default());
        let mut waiting: Vec<JsonValue<'_>> = data.members().map(|(_, value)| value).collect();
        while let Some(value) = waiting.pop() {
            if value.kind() == JsonKind::Array {
                waiting.extend(value.items());
            }
            for (key, value) in value.members() {
                let source = match () {
                    () if key.is("text") || key.is("reviewBody") => Some(ANSWERS),
                    () if key.is("articleBody") || key.is("description") => Some(BODY),
                    () => None,
                };
                match (value.kind(), source.zip(value.as_str())) {
                    (JsonKind::Array | JsonKind::Object, _) => waiting.push(value),
                    (_, Some((source, text))) => about.told.add(source, &text),
                    _ => {}
                }
            }
        }
        about
    }

    /// Whether the page's metadata and address may be those of one text: they call it an article, or neither a product, a list nor
    /// the site's front page.
    pub(crate) fn may_be_article(&self) -> bool {
        let (article, other) = (1 | 1 << 3, 1 << 1 | 1 << 4 | 1 << 6 | LISTING | PRODUCT | FRONT_PAGE);
        self.kind & article != 0 || self.kind & other == 0
    }

    /// What a block's words have in common with the page's title and descriptions, and their subjects.
    pub(super) fn words_of(&self, tree: &Tree, blocks: &Blocks, block: &Block) -> Words {
        let compares_title = block.counts.words <= LONG && !self.title.is_empty();
        let told = !self.told.sources.is_empty();
        let mut subjects = Subjects::default();
        let (mut in_title, mut words, mut runs) = (0u32, 0u32, 0u32);
        let mut known = [0u32; 3];
        let mut run = Run::default();
        for &id in blocks.texts_of(block) {
            let text = tree.text(id).unwrap_or_default();
            subjects.add_signs(text);
            for word in letters::words(text) {
                words += 1;
                let packed = Packed::of(word);
                subjects.add_word(packed);
                if !compares_title && !told {
                    if words > LONG {
                        break;
                    }
                    continue;
                }
                let hash = word_hash(word, packed);
                in_title += u32::from(compares_title && self.title.binary_search(&hash).is_ok());
                if told && let Some(hash) = run.push(hash) {
                    runs += 1;
                    let sources = self.told.sources.get(&hash).copied().unwrap_or_default();
                    for (source, known) in known.iter_mut().enumerate() {
                        *known += u32::from(sources >> source & 1);
                    }
                }
            }
        }
        Words {
            title: share(in_title, words) * share(in_title, self.title.len() as u32).min(1.0),
            told: known.map(|known| share(known, runs)),
            subjects,
        }
    }

    /// The size of each of the three sources.
    pub(super) fn told_sizes(&self) -> [usize; 3] {
        self.told.sizes
    }
}

impl Told {
    fn add(&mut self, source: usize, text: &str) {
        let Some(size) = self.sizes.get_mut(source) else { return };
        let mut run = Run::default();
        for hash in hashes(text).filter_map(|hash| run.push(hash)) {
            if *size >= MAX_RUNS {
                break;
            }
            let sources = self.sources.entry(hash).or_default();
            *size += usize::from(*sources >> source & 1 == 0);
            *sources |= 1 << source;
        }
    }
}

/// The last words of a text.
#[derive(Default)]
pub(super) struct Run {
    mixed: [u64; RUN],
    length: usize,
}

impl Run {
    /// Takes the next word; returns the hash of the run that ends with it.
    pub(super) fn push(&mut self, hash: u64) -> Option<u64> {
        self.mixed.rotate_left(1);
        if let Some(last) = self.mixed.last_mut() {
            *last = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        self.length += 1;
        (self.length >= RUN).then(|| self.mixed.iter().fold(17, |run: u64, word| run.rotate_left(21) ^ word))
    }
}

fn word_hash(word: &str, packed: Option<Packed>) -> u64 {
    let add = |hash: u64, code: u64| (hash ^ code).wrapping_mul(0x0100_0000_01b3);
    let start = 0xcbf2_9ce4_8422_2325;
    match packed {
        Some(Packed(number)) => {
            let mixed = add(add(start, number as u64).rotate_left(29), (number >> 64) as u64);
            mixed ^ mixed >> 31
        }
        None => {
            let mut hash = start;
            for c in word.chars() {
                letters::lower(c, |c| hash = add(hash, u64::from(u32::from(c))));
            }
            hash
        }
    }
}

pub(super) fn hashes(text: &str) -> impl Iterator<Item = u64> {
    letters::words(text).map(|word| word_hash(word, Packed::of(word)))
}

fn word_hashes(text: &str) -> Vec<u64> {
    let mut hashes: Vec<u64> = hashes(text).collect();
    hashes.sort_unstable();
    hashes
}

/// Bits of a page that names itself an article, a product, a thread or a list.
pub(super) const TOLD_OTHERWISE: u32 = 1 | 1 << 1 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6;

/// Bits for the schema.org and Open Graph types that a page names, and for words of its URL.
fn page_kind(tree: &Tree, tellers: &[NodeId], url: &str) -> u32 {
    let mut kind = 0;
    for &id in tellers {
        match tree.tag(id) {
            Tag::Meta if tree.attr(id, "property") == Some("og:type") => {
                let value = tree.attr(id, "content").unwrap_or_default();
                kind |= match value {
                    "article" => 1,
                    value if value.contains("product") => 2,
                    "website" => 4,
                    _ => 0,
                };
            }
            Tag::Script => {
                let Some(text) = tree.first_child(id).and_then(|child| tree.text(child)) else { continue };
                // The text before each quotation mark, up to the one before.
                let mut names = text.split('"');
                names.next_back();
                for (place, name) in names.enumerate() {
                    kind |= u32::from(name.ends_with("Article") || name.ends_with("BlogPosting")) << 3;
                    kind |= match name {
                        _ if place == 0 => 0,
                        "Product" => 1 << 4,
                        "QAPage" | "DiscussionForumPosting" => 1 << 5,
                        "ItemList" | "CollectionPage" => 1 << 6,
                        "FAQPage" | "Service" => 1 << 7,
                        _ => 0,
                    };
                }
            }
            _ => {}
        }
    }
    let path = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (host, path) = path.split_once('/').unwrap_or((path, ""));
    for (text, bits) in [(host, IN_HOST), (path, u32::MAX)] {
        let text = text.to_ascii_lowercase();
        for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
            kind |= word_kind(word) & bits;
        }
    }
    kind |= if path.is_empty() { FRONT_PAGE } else { 0 };
    kind |= u32::from(path.matches('/').count() > 2) << 16;
    kind |= u32::from(path.bytes().filter(|&byte| byte == b'-').count() > 3) << 17;
    kind
}

/// Kinds of page that words in an address suggest, as bits.
const FORUM: u32 = 1 << 8;
const DOCUMENTATION: u32 = 1 << 9;
const PRODUCT: u32 = 1 << 10;
const LISTING: u32 = 1 << 11;
const ARTICLE: u32 = 1 << 12;
const SERVICE: u32 = 1 << 13;
const DIRECTORY: u32 = 1 << 14;
const FRONT_PAGE: u32 = 1 << 15;

/// The bits of [`word_kind`] that the words of a host have as well.
const IN_HOST: u32 = FORUM | DOCUMENTATION;

/// The bits for a word of a URL.
fn word_kind(word: &str) -> u32 {
    match word {
        "forum" | "forums" | "thread" | "threads" | "topic" | "viewtopic" | "community" | "questions"
        | "discussion" | "showthread" | "discuss" | "t" => FORUM,
        "docs" | "doc" | "documentation" | "reference" | "manual" | "api" | "guide" | "tutorial"
        | "learn" | "developer" | "wiki" | "help" => DOCUMENTATION,
        "shop" => PRODUCT | LISTING,
        "product" | "products" | "item" | "p" | "dp" | "store" | "buy" => PRODUCT,
        "category" | "categories" | "collections" | "collection" | "c" | "browse" | "catalog" => LISTING,
        "blog" | "news" | "article" | "articles" | "story" | "stories" | "post" | "posts" | "magazine" => {
            ARTICLE
        }
        "services" | "service" | "solutions" | "about" | "pricing" | "platform" | "features" => SERVICE,
        "jobs" | "search" | "list" | "best" | "top" | "directory" | "events" | "tag" => DIRECTORY,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_that_only_programs_read_tell_what_a_page_is() {
        let kind = |json: &str| {
            let tree = Tree::parse(&format!("<script type=application/ld+json>{json}</script>"));
            let scripts = tree.descendants(Tree::ROOT).filter(|&id| tree.tag(id) == Tag::Script);
            page_kind(&tree, &scripts.collect::<Vec<_>>(), "https://mill.example/page")
        };
        let none = kind("{}");
        for (name, bit) in [
            ("NewsArticle", 3),
            ("BlogPosting", 3),
            ("Product", 4),
            ("QAPage", 5),
            ("DiscussionForumPosting", 5),
            ("ItemList", 6),
            ("CollectionPage", 6),
            ("FAQPage", 7),
            ("Service", 7),
        ] {
            assert_eq!(kind(&format!(r#"{{"@type": "{name}"}}"#)) ^ none, 1 << bit, "{name}");
        }
    }
}
