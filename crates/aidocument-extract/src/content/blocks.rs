//! The page's visible text in blocks: runs of inline text between the edges of block elements.

use crate::letters;
use crate::tree::{NodeId, Step, Tag, Tree};
use crate::visibility::HiddenReason;
use crate::visibility::{is_hidden, words_in};

/// A hidden element with this many words outside of links may be the page's content.
const HELD_BACK: u32 = 100;

/// Such an element has at least this many times as many words outside of links as the shown text.
const TIMES_SHOWN: u32 = 4;

/// A run of visible inline text.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    /// The block element, or the button or option, around the text.
    pub(crate) container: NodeId,
    /// Text nodes of the run: a range in [`Blocks::texts`].
    pub(crate) texts: (u32, u32),
    pub(crate) counts: Counts,
    /// Open elements around the text.
    pub(crate) depth: u16,
}

/// Counts over the text of a block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) words: u32,
    pub(crate) link_words: u32,
    pub(crate) links: u32,
    pub(crate) chars: u32,
    pub(crate) digits: u32,
    pub(crate) upper: u32,
    /// Words that start in lower case or in a script without case: running text has many.
    pub(crate) lower_words: u32,
    pub(crate) commas: u32,
    pub(crate) stops: u32,
    pub(crate) bold_words: u32,
    pub(crate) last: Last,
    pub(crate) first_upper: bool,
    /// Hash of the words, for finding repeated blocks.
    pub(crate) hash: u64,
}

/// The kind of a block's last visible character.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Last {
    #[default]
    Other,
    Stop,
    Colon,
}

/// All blocks of a page.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    pub(crate) blocks: Vec<Block>,
    pub(crate) texts: Vec<NodeId>,
    /// Elements hidden by their `style` but not by the attribute `hidden`, with their number of words
    /// outside of links.
    pub(crate) held_back: Vec<(NodeId, u32)>,
}

/// Inline elements whose text is a separate block.
fn is_boundary(tag: Tag) -> bool {
    tag.is_block() || matches!(tag, Tag::Button | Tag::Textarea | Tag::Label)
}

impl Blocks {
    /// Cuts the page into blocks. `O(n)`.
    pub(crate) fn of(tree: &Tree) -> Blocks {
        // A block for ten nodes and a text for five is what most pages come near to.
        let mut blocks = Blocks {
            blocks: Vec::with_capacity(tree.len() / 10),
            texts: Vec::with_capacity(tree.len() / 5),
            held_back: Vec::new(),
        };
        let mut containers: Vec<NodeId> = vec![Tree::ROOT];
        let mut depth: u16 = 0;
        let mut links = 0u32;
        let mut bolds = 0u32;
        let mut start = 0u32;
        let mut counts = Counter::default();
        let mut walk = tree.walk(Tree::ROOT);
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(id) => {
                    if let Some(text) = tree.text(id) {
                        if text.bytes().any(|byte| !byte.is_ascii_whitespace()) && !tree.seen.is_left_out(id)
                        {
                            counts.add(text, links > 0, bolds > 0);
                            blocks.texts.push(id);
                        } else {
                            counts.space();
                        }
                        continue;
                    }
                    if !tree.is_element(id) {
                        continue;
                    }
                    let tag = tree.tag(id);
                    if is_hidden(tree, id, tag) {
                        if !tag.is_silent() && !tree.is_foreign(id) {
                            let (_, plain) = words_in(tree, id);
                            let is_styled =
                                tree.seen.mark(id).verdict.reason().is_some_and(HiddenReason::is_style);
                            if plain >= HELD_BACK && is_styled {
                                blocks.held_back.push((id, plain));
                            }
                        }
                        walk.skip_children();
                        continue;
                    }
                    if is_boundary(tag) {
                        blocks.flush(&containers, &mut start, &mut counts, depth);
                        containers.push(id);
                    }
                    depth = depth.saturating_add(1);
                    match tag {
                        Tag::A => {
                            links += 1;
                            counts.counts.links += 1;
                        }
                        Tag::B | Tag::Strong => bolds += 1,
                        Tag::Br => counts.space(),
                        _ => {}
                    }
                }
                Step::Leave(id) => {
                    if id == Tree::ROOT {
                        continue;
                    }
                    let tag = tree.tag(id);
                    if is_boundary(tag) {
                        blocks.flush(&containers, &mut start, &mut counts, depth);
                        containers.pop();
                    }
                    depth = depth.saturating_sub(1);
                    match tag {
                        Tag::A => links = links.saturating_sub(1),
                        Tag::B | Tag::Strong => bolds = bolds.saturating_sub(1),
                        _ => {}
                    }
                }
            }
        }
        blocks.flush(&containers, &mut start, &mut counts, depth);
        blocks
    }

    /// Adds the block that ends here, if there is one.
    fn flush(&mut self, containers: &[NodeId], start: &mut u32, counts: &mut Counter, depth: u16) {
        let end = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        let done = std::mem::take(counts).finish();
        if end > *start {
            let container = containers.last().copied().unwrap_or(Tree::ROOT);
            self.blocks.push(Block { container, texts: (*start, end), counts: done, depth });
        }
        *start = end;
    }

    /// Elements that a script will probably show: each has many times as many words outside of links as the shown text. In
    /// the order of their ids.
    pub(crate) fn awaited(&self) -> Vec<NodeId> {
        let shown = self.blocks.iter().map(|block| block.counts.words - block.counts.link_words).sum::<u32>();
        let is_awaited = |words: u32| words / TIMES_SHOWN >= shown;
        let mut awaited: Vec<NodeId> =
            self.held_back.iter().filter(|(_, words)| is_awaited(*words)).map(|(id, _)| *id).collect();
        awaited.sort_unstable();
        awaited
    }

    /// Words of the whole page.
    pub(crate) fn words(&self) -> u32 {
        self.blocks.iter().map(|block| block.counts.words).sum()
    }

    /// The text nodes of a block.
    pub(crate) fn texts_of(&self, block: &Block) -> &[NodeId] {
        self.texts.get(block.texts.0 as usize..block.texts.1 as usize).unwrap_or_default()
    }
}

/// The properties of a character, as bits.
type Kind = u8;
const SPACE: Kind = 1;
const LETTER: Kind = 2;
const UPPER: Kind = 4;
const DIGIT: Kind = 8;
const COMMA: Kind = 16;
const STOP: Kind = 32;
/// A mark inside a word.
const JOINS: Kind = 64;
/// A letter of a script without spaces, which counts as a word.
const WIDE: Kind = 128;

#[expect(
    clippy::indexing_slicing,
    reason = "only the compiler runs it, and then a panic is an error of the build"
)]
static ASCII: [Kind; 128] = {
    let mut kinds = [0; 128];
    let mut byte = 0u8;
    while byte < 128 {
        kinds[byte as usize] = match byte {
            b'a'..=b'z' => LETTER,
            b'A'..=b'Z' => LETTER | UPPER,
            b'0'..=b'9' => LETTER | DIGIT,
            b',' | b';' => COMMA,
            b'.' | b'!' | b'?' => STOP,
            b'\'' | b'-' | b'_' => JOINS,
            _ if byte.is_ascii_whitespace() => SPACE,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

#[inline]
fn kind_of(c: char) -> Kind {
    if let Some(kind) = ASCII.get(c as usize) {
        return *kind;
    }
    if letters::is_alphanumeric(c) {
        return match c {
            '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{0e00}'..='\u{0eff}' => LETTER | WIDE,
            _ if letters::is_capital(c) => LETTER | UPPER,
            _ => LETTER,
        };
    }
    match c {
        '\u{a0}' => SPACE,
        '、' | '，' | '،' => COMMA,
        '。' | '！' | '？' | '…' | '।' => STOP,
        '’' => JOINS,
        _ => 0,
    }
}

/// Counts the words of a text that comes in pieces.
#[derive(Clone, Copy, Default)]
struct Counter {
    counts: Counts,
    in_word: bool,
    last: Option<char>,
}

impl Counter {
    fn space(&mut self) {
        self.in_word = false;
    }

    fn add(&mut self, text: &str, in_link: bool, bold: bool) {
        // Copies, which stay in registers.
        let Counter { mut counts, mut in_word, mut last } = *self;
        let hashed = |hash: u64, c: char| (hash ^ u64::from(u32::from(c))).wrapping_mul(0x0100_0000_01b3);
        let mut rest = text;
        while let Some(&byte) = rest.as_bytes().first() {
            if in_word && byte.is_ascii_lowercase() {
                // Most characters are such: they belong to a word that is counted.
                let end = rest.bytes().position(|byte| !byte.is_ascii_lowercase()).unwrap_or(rest.len());
                let (run, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
                counts.chars += run.len() as u32;
                counts.hash = run.bytes().fold(counts.hash, |hash, byte| hashed(hash, char::from(byte)));
                last = run.chars().next_back();
                rest = after;
                continue;
            }
            let mut chars = rest.chars();
            let Some(c) = chars.next() else { break };
            rest = chars.as_str();
            let kind = kind_of(c);
            if kind & SPACE != 0 {
                in_word = false;
                continue;
            }
            counts.chars += 1;
            last = Some(c);
            if kind & LETTER == 0 {
                counts.commas += u32::from(kind & COMMA != 0);
                counts.stops += u32::from(kind & STOP != 0);
                in_word &= kind & JOINS != 0;
                continue;
            }
            let upper = kind & UPPER != 0;
            if !in_word || kind & WIDE != 0 {
                in_word = true;
                counts.words += 1;
                counts.link_words += u32::from(in_link);
                counts.bold_words += u32::from(bold);
                counts.first_upper |= upper && counts.words == 1;
                counts.lower_words += u32::from(kind & (UPPER | DIGIT) == 0);
            }
            counts.hash = hashed(counts.hash, c);
            counts.digits += u32::from(kind & DIGIT != 0);
            counts.upper += u32::from(upper);
        }
        *self = Counter { counts, in_word, last };
    }

    fn finish(mut self) -> Counts {
        self.counts.last = match self.last {
            Some('.' | '!' | '?' | '。' | '！' | '？' | '…' | '।' | '"' | '”' | '»' | '」') => {
                Last::Stop
            }
            Some(':' | '：') => Last::Colon,
            _ => Last::Other,
        };
        self.counts
    }
}
