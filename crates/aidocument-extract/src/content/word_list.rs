//! Lists of words with a group each, looked up by their first letter.

/// For each letter, where its words begin in a sorted list of lower-case words; then where the last one's end.
pub(super) type Starts = [u16; 27];

/// The table of a list, for a constant.
#[expect(
    clippy::indexing_slicing,
    reason = "only the compiler runs it, and then a panic is an error of the build"
)]
pub(super) const fn starts(words: &[(&str, u8)]) -> Starts {
    let mut table = [0; 27];
    let mut letter = 0;
    let mut at = 0;
    while letter < 27 {
        while at < words.len() && words[at].0.as_bytes()[0] < b'a' + letter {
            at += 1;
        }
        table[letter as usize] = at as u16;
        letter += 1;
    }
    table
}

/// The words that start with the word's first letter.
pub(super) fn starting_like<'a>(
    words: &'a [(&'static str, u8)],
    starts: &Starts,
    word: &[u8],
) -> &'a [(&'static str, u8)] {
    let letter = word.first().map_or(26, |byte| usize::from(byte.wrapping_sub(b'a')));
    match (starts.get(letter), starts.get(letter + 1)) {
        (Some(&from), Some(&to)) => words.get(usize::from(from)..usize::from(to)).unwrap_or_default(),
        _ => &[],
    }
}
