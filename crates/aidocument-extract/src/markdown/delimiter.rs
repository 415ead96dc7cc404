//! Delimiters of emphasis, read as a reader of CommonMark does.

use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};

/// The class of a delimiter's neighbour in the rules of emphasis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Space,
    Punctuation,
    /// Anything else, including combining marks and control characters.
    Letter,
}

/// The kind of a character, or of the edge of a paragraph.
pub(super) fn side(c: Option<char>) -> Side {
    let marks = GeneralCategoryGroup::Punctuation.union(GeneralCategoryGroup::Symbol);
    match c {
        None => Side::Space,
        Some(c) if c.is_ascii_alphanumeric() => Side::Letter,
        Some(c) if c.is_whitespace() => Side::Space,
        Some(c) if c.is_ascii_punctuation() => Side::Punctuation,
        Some(c) if marks.contains(CodePointMapData::<GeneralCategory>::new().get(c)) => Side::Punctuation,
        Some(_) => Side::Letter,
    }
}

/// A written delimiter, and its intended meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Open {
        character: char,
        length: usize,
    },
    Close {
        character: char,
        length: usize,
        /// The place of the delimiter that it closes.
        opener: usize,
    },
    OpenLink,
    CloseLink,
}

/// A delimiter or bracket that was written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Delimiter {
    /// Where it starts in the paragraph.
    pub(super) start: usize,
    /// The piece that it was written for.
    pub(super) atom: usize,
    pub(super) shape: Shape,
}

/// Delimiters of one character in a row, or a bracket.
#[derive(Debug, Clone, Copy)]
struct Run {
    character: char,
    /// The places of its delimiters: from this one, before that one.
    from: usize,
    to: usize,
    length: usize,
    can_open: bool,
    can_close: bool,
}

/// Most delimiters that may be open at once; the writer opens far fewer, so more mean a misreading.
const MAX_OPENERS: usize = 64;

/// The pieces, in order, whose delimiters a reader would misread; empty if there are none.
pub(super) fn misread(text: &str, delimiters: &[Delimiter]) -> Vec<usize> {
    let mut read = vec![false; delimiters.len()];
    // Runs that something may close, and how much is left of each.
    let mut openers: Vec<(Run, usize)> = Vec::new();
    // For each link that is open, the number of openers before it: what is in a link stays in it.
    let mut links: Vec<usize> = Vec::new();
    let mut next = 0;
    while let Some(run) = run_at(text, delimiters, next) {
        next = run.to;
        match run.character {
            '[' => links.push(openers.len()),
            ']' => openers.truncate(links.pop().unwrap_or_default()),
            _ => {
                let outside = links.last().copied().unwrap_or_default();
                let left = close(run, outside, &mut openers, delimiters, &mut read);
                if run.can_open && left > 0 && openers.len() < MAX_OPENERS {
                    openers.push((run, left));
                }
            }
        }
    }
    let marks = delimiters.iter().zip(read).filter(|(delimiter, read)| {
        !*read && matches!(delimiter.shape, Shape::Open { .. } | Shape::Close { .. })
    });
    marks.map(|(delimiter, _)| delimiter.atom).collect()
}

/// Closes openers with a run as far as possible, and marks those that match their intention;
/// returns the rest of the run.
fn close(
    run: Run,
    outside: usize,
    openers: &mut Vec<(Run, usize)>,
    delimiters: &[Delimiter],
    read: &mut [bool],
) -> usize {
    let mut left = run.length;
    while run.can_close && left > 0 {
        let inside = openers.get(outside..).unwrap_or_default();
        let Some(place) = inside.iter().rposition(|(opener, _)| closes(run, *opener)) else { break };
        openers.truncate(outside + place + 1);
        let Some((opener, opener_left)) = openers.last_mut() else { break };
        let length = left.min(*opener_left).min(2);
        let meant = (run.from..run.to).find_map(|place| match delimiters.get(place)?.shape {
            Shape::Close { opener: other, length: meant, .. }
                if meant == length && (opener.from..opener.to).contains(&other) =>
            {
                (!read.get(place)?).then_some([place, other])
            }
            _ => None,
        });
        for place in meant.into_iter().flatten() {
            if let Some(slot) = read.get_mut(place) {
                *slot = true;
            }
        }
        left -= length;
        *opener_left -= length;
        if *opener_left == 0 {
            openers.pop();
        }
    }
    left
}

/// Returns true if two runs may match, by CommonMark's "multiple of 3" rule.
fn closes(closer: Run, opener: Run) -> bool {
    let (one, other) = (opener.length, closer.length);
    closer.character == opener.character
        && if closer.character == '~' {
            one == other && one <= 2
        } else {
            !(opener.can_close || closer.can_open)
                || !(one + other).is_multiple_of(3)
                || (one.is_multiple_of(3) && other.is_multiple_of(3))
        }
}

/// The run that starts with the delimiter at a place.
fn run_at(text: &str, delimiters: &[Delimiter], from: usize) -> Option<Run> {
    let first = delimiters.get(from)?;
    let (Shape::Open { character, .. } | Shape::Close { character, .. }) = first.shape else {
        let character = if first.shape == Shape::OpenLink { '[' } else { ']' };
        return Some(Run { character, from, to: from + 1, length: 1, can_open: false, can_close: false });
    };
    let (mut to, mut end) = (from, first.start);
    while let Some(delimiter) = delimiters.get(to)
        && let Shape::Open { character: same, length } | Shape::Close { character: same, length, .. } =
            delimiter.shape
        && same == character
        && delimiter.start == end
    {
        to += 1;
        end += length;
    }
    let before = side(text.get(..first.start).and_then(|text| text.chars().next_back()));
    let after = side(text.get(end..).and_then(|text| text.chars().next()));
    let flanks = |near: Side, far: Side| near != Side::Space && (near == Side::Letter || far != Side::Letter);
    let (left, right) = (flanks(after, before), flanks(before, after));
    let (can_open, can_close) = if character == '_' {
        (left && (!right || before == Side::Punctuation), right && (!left || after == Side::Punctuation))
    } else {
        (left, right)
    };
    Some(Run { character, from, to, length: end - first.start, can_open, can_close })
}
