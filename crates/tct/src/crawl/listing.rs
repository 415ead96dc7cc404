//! The pages that the sitemaps list, in bounded memory: digests of URLs instead of texts.

use std::collections::HashMap;

/// Digests of listed pages that are kept at most: a mebibyte.
pub(super) const MAX_SEEN: usize = 131_072;
/// Most pages remembered as planned or visited: beyond it, a page that is listed twice may be visited
/// twice.
const MAX_PLANNED: usize = 65_536;

/// The pages that one sitemap lists, or all sitemaps together: digests of the keys in this crawl's part.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    digests: Vec<u64>,
    /// The digest's bits that number the parts; none except for very large sites.
    parts: u64,
    /// The part that is checked in this crawl.
    turn: u64,
    /// Set if no page is stored, so that none can be missing.
    is_idle: bool,
    /// Listed pages that are stored.
    pub(super) matched: u64,
    /// Number of sitemaps that were merged.
    sitemaps: u32,
}

impl Seen {
    pub(super) fn new(stored: u64, turn: u64) -> Self {
        Seen { turn, is_idle: stored == 0, ..Self::default() }
    }

    /// An empty set with the same parts.
    pub(super) fn emptied(&self) -> Self {
        Seen { turn: self.turn, parts: self.parts, is_idle: self.is_idle, ..Self::default() }
    }

    #[inline]
    pub(super) fn see(&mut self, key: &str) {
        if self.is_idle {
            return;
        }
        let digest = digest(key);
        if self.is_in_turn(digest) {
            if self.digests.len() >= MAX_SEEN {
                self.halve();
                if !self.is_in_turn(digest) {
                    return;
                }
            }
            self.digests.push(digest);
        }
    }

    /// Returns true if a page is in the part that is checked in this crawl.
    #[inline]
    pub(super) fn is_in_turn(&self, digest: u64) -> bool {
        // The upper bits of a product depend on all of its factors' bits.
        ((digest >> 32) ^ self.turn) & self.parts == 0
    }

    /// Drops half of the pages; a later crawl checks those.
    #[cold]
    fn halve(&mut self) {
        self.parts = self.parts << 1 | 1;
        let mut digests = core::mem::take(&mut self.digests);
        digests.retain(|digest| self.is_in_turn(*digest));
        self.digests = digests;
    }

    /// Adds the pages of a sitemap that was read to its end.
    pub(super) fn merge(&mut self, mut other: Seen) {
        self.matched += other.matched;
        self.sitemaps += 1;
        while self.parts != other.parts || self.digests.len() + other.digests.len() > MAX_SEEN {
            let narrower = if self.parts <= other.parts { &mut *self } else { &mut other };
            narrower.halve();
        }
        if self.digests.is_empty() {
            self.digests = other.digests;
        } else {
            self.digests.append(&mut other.digests);
        }
    }

    /// Returns true if a page is listed twice, so that more pages are missing than the counts show. For a single sitemap,
    /// where that is a fault, each crawl checks an eighth of the pages: checking all would take longer than reading the
    /// sitemap.
    pub(super) fn has_double(&self) -> bool {
        let part = if self.sitemaps > 1 { 0 } else { 7 };
        let is_in_turn = |digest: &u64| ((digest >> 52) ^ self.turn) & part == 0;
        let mut seen: Vec<u64> = self.digests.iter().copied().filter(is_in_turn).collect();
        seen.sort_unstable();
        seen.windows(2).any(|pair| pair.first() == pair.last())
    }

    /// Makes it ready for [`Seen::has`].
    pub(super) fn sort(&mut self) {
        self.digests.sort_unstable();
    }

    pub(super) fn has(&self, digest: u64) -> bool {
        self.digests.binary_search(&digest).is_ok()
    }
}

/// The pages that sitemaps of draft -03 list: digests of their URLs in ascending order.
#[derive(Debug, Default)]
pub(super) struct Preferred(Vec<u64>);

impl Preferred {
    /// Adds pages, as far as there is room.
    pub(super) fn add(&mut self, mut digests: Vec<u64>) {
        digests.truncate(MAX_SEEN - self.0.len().min(MAX_SEEN));
        if self.0.is_empty() {
            self.0 = digests;
        } else {
            self.0.append(&mut digests);
        }
        self.0.sort_unstable();
        self.0.dedup();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn has(&self, page: u64) -> bool {
        self.0.binary_search(&page).is_ok()
    }
}

/// The pages planned in this crawl (waiting, in flight or done), so that none is visited twice. Each with the number of the
/// sitemap that listed it last, in reading order; 0 for none.
#[derive(Debug, Default)]
pub(super) struct Planned(HashMap<u64, u32>);

impl Planned {
    /// Records a page; returns false if it was planned before.
    pub(super) fn add(&mut self, key: &str, sitemap: u32) -> bool {
        let digest = digest(key);
        if let Some(before) = self.0.get_mut(&digest) {
            *before = sitemap;
            return false;
        }
        if self.0.len() < MAX_PLANNED {
            self.0.insert(digest, sitemap);
        }
        true
    }

    pub(super) fn forget(&mut self, key: &str) {
        self.0.remove(&digest(key));
    }

    /// The sitemap that listed it last.
    pub(super) fn sitemap(&self, key: &str) -> u32 {
        self.0.get(&digest(key)).copied().unwrap_or(0)
    }
}

/// A fast, non-cryptographic digest: a collision can only skip or repeat one check of a page.
#[inline]
pub(super) fn digest(text: &str) -> u64 {
    // Both halves of the product: the upper one depends on every bit of the words, so that paths that differ in a digit or
    // two do not meet.
    let mix = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        (product >> 64) as u64 ^ product as u64
    };
    let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
    let bytes = text.as_bytes();
    let mut sum = (text.len() as u64).wrapping_mul(0x517C_C1B7_2722_0A95);
    let (pairs, rest) = bytes.as_chunks::<16>();
    for pair in pairs {
        if let ([first, second], []) = pair.as_chunks::<8>() {
            sum = mix(
                sum ^ word(first) ^ 0x9E37_79B9_7F4A_7C15,
                word(second) ^ 0xD6E8_FEB8_6659_FD93 ^ sum.rotate_left(32),
            );
        }
    }
    let (first, second) = match (rest.split_first_chunk::<8>(), bytes.last_chunk::<8>()) {
        // The last eight bytes, some of which may be among those before.
        (Some((first, _)), Some(last)) => (word(first), word(last)),
        (None, Some(last)) if !rest.is_empty() => (word(last), 0),
        _ => (rest.iter().fold(0, |last, byte| last << 8 | u64::from(*byte)), 0),
    };
    mix(sum ^ first ^ 0xA076_1D64_78BD_642F, second ^ 0xE703_7ED1_A0B4_28DB ^ sum.rotate_left(32))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However many pages are listed, at most a mebibyte is remembered, and each page is checked in
    /// some crawl.
    #[test]
    fn memory_is_bounded_and_every_page_has_its_turn() {
        const PAGES: usize = 280_000;
        let keys: Vec<String> = (0..PAGES).map(|index| format!("https://example.com/{index}/llm/")).collect();
        let mut sum = 0;
        let mut parts = 1;
        for turn in 0..4 {
            // As one sitemap, and as three.
            let mut seen = Seen::new(1, turn);
            let mut all = Seen::new(1, turn);
            for part in keys.chunks(PAGES / 3 + 1) {
                let mut one = all.emptied();
                for key in part {
                    seen.see(key);
                    one.see(key);
                }
                all.merge(one);
            }
            all.sort();
            for seen in [&seen, &all] {
                assert!(seen.digests.len() <= MAX_SEEN && seen.digests.capacity() <= MAX_SEEN);
                assert!(!seen.has_double());
                let of_turn = keys.iter().filter(|key| seen.is_in_turn(digest(key))).count();
                assert_eq!(of_turn, seen.digests.len(), "all of this part, and no others");
            }
            assert!(keys.iter().all(|key| all.has(digest(key)) == all.is_in_turn(digest(key))));
            parts = seen.parts + 1;
            sum += seen.digests.len();
        }
        assert_eq!((parts, sum), (4, PAGES), "four parts, and together everything");
    }

    /// Each page is in one part, the parts have about the same size, and a page that is listed twice is found in one crawl of
    /// eight.
    #[test]
    fn every_page_has_one_turn() {
        let keys: Vec<String> = (0..1000).map(|index| format!("https://example.com/{index}/llm/")).collect();
        let turn_of = |turn| Seen { parts: 3, turn, ..Seen::default() };
        let mut turns = [0; 4];
        for key in &keys {
            let own: Vec<u64> = (0..4).filter(|turn| turn_of(*turn).is_in_turn(digest(key))).collect();
            assert_eq!(own.len(), 1, "{key}");
            turns[own[0] as usize] += 1;
        }
        assert!(turns.iter().all(|pages| (180..320).contains(pages)), "{turns:?}");
        let found = |keys: &[&String]| {
            let has_double = |turn: &u64| {
                let mut seen = Seen::new(1, *turn);
                keys.iter().for_each(|key| seen.see(key));
                assert_eq!(seen.digests.len(), keys.len());
                seen.has_double()
            };
            (0..8).filter(has_double).count()
        };
        let once: Vec<&String> = keys.iter().collect();
        assert_eq!(found(&once), 0);
        for key in &keys[..50] {
            let twice: Vec<&String> = keys.iter().chain([key]).collect();
            assert_eq!(found(&twice), 1, "{key}");
        }
        // Set if no page is stored, so that none can be missing.
        let mut empty = Seen::new(0, 0);
        empty.see("https://example.com/");
        assert!(empty.digests.is_empty());
    }

    /// Pages beyond the bound are not preferred, and all others are found.
    #[test]
    fn preferred_pages_are_found_up_to_the_bound() {
        let mut preferred = Preferred::default();
        let pages: Vec<u64> = (0..MAX_SEEN as u64 + 10).map(|page| page * 2).collect();
        preferred.add(pages[10..20].to_vec());
        preferred.add(pages[..12].to_vec());
        assert!(pages[..20].iter().all(|page| preferred.has(*page) && !preferred.has(page + 1)));
        assert!(!preferred.has(pages[20]));
        assert_eq!(preferred.0.len(), 20, "each once");
        preferred.add(pages[20..].to_vec());
        assert_eq!(preferred.0.len(), MAX_SEEN);
        assert!(preferred.has(pages[MAX_SEEN - 1]) && !preferred.has(pages[MAX_SEEN]));
        preferred.add(vec![1]);
        assert!(!preferred.has(1));
    }

    /// A page is planned once, belongs to the sitemap that listed it last, and may be planned again once it is forgotten.
    #[test]
    fn a_page_is_planned_once() {
        let mut planned = Planned::default();
        assert!(planned.add("a", 1) && !planned.add("a", 2) && planned.add("b", 1));
        assert_eq!(["a", "b", "c"].map(|key| planned.sitemap(key)), [2, 1, 0]);
        planned.forget("a");
        assert!(planned.add("a", 3));
        for page in 0..2 * MAX_PLANNED {
            planned.add(&page.to_string(), 1);
        }
        assert_eq!(planned.0.len(), MAX_PLANNED);
        assert!(planned.add("past the bound", 1) && !planned.add("a", 1));
    }

    /// Texts that differ in one byte, or only in length, have different digests.
    #[test]
    fn digests_tell_texts_apart() {
        let mut seen = std::collections::HashMap::new();
        let mut note = |text: String| {
            let first = seen.entry(super::digest(&text)).or_insert_with(|| text.clone());
            assert_eq!(*first, text);
        };
        for len in 0..60 {
            for filler in ["a", "/"] {
                let text = filler.repeat(len);
                for at in 0..len {
                    for other in ["b", "0", "1"] {
                        note([&text[..at], other, &text[at + 1..]].concat());
                    }
                }
                note(text);
            }
        }
    }
}
