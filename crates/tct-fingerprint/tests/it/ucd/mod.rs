//! What the tests know of the Unicode Character Database: read, written in short, and applied by the book.
//!
//! `tests/data/unicode-18.0.0.txt` holds the four properties that the fingerprint needs. Nothing here is fast, and
//! nothing here is used by the library.

#![allow(
    dead_code,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "not every test uses all of it; helpers fail by panicking"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The checked-in extract.
pub(crate) const EXTRACT: &str = include_str!("../../data/unicode-18.0.0.txt");

/// Four properties of all characters; Korean syllables go by arithmetic.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Ucd {
    pub(crate) version: String,
    /// Combining classes other than 0.
    pub(crate) classes: BTreeMap<char, u8>,
    /// Decomposition mappings, and whether they are canonical.
    pub(crate) mappings: BTreeMap<char, (bool, String)>,
    /// Full_Composition_Exclusion.
    pub(crate) excluded: BTreeSet<char>,
    /// Full case folding (statuses C and F) where it is another text.
    pub(crate) foldings: BTreeMap<char, String>,
    /// Pairs that compose, and into what; without Korean.
    pub(crate) pairs: BTreeMap<(char, char), char>,
}

fn point(hex: &str) -> char {
    char::from_u32(u32::from_str_radix(hex, 16).unwrap()).unwrap()
}

fn points(list: &str) -> String {
    list.split_whitespace().map(point).collect()
}

fn hex(text: &str) -> String {
    text.chars().map(|c| format!("{:04X}", u32::from(c))).collect::<Vec<_>>().join(" ")
}

/// The code points of `0041` or `0041..005A`.
fn range(field: &str) -> impl Iterator<Item = char> {
    let (first, last) = field.trim().split_once("..").unwrap_or((field.trim(), field.trim()));
    point(first)..=point(last)
}

/// Lines without comments, as trimmed fields.
fn lines(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines()
        .map(|line| line.split('#').next().unwrap_or_default())
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.split(';').map(str::trim).collect())
}

impl Ucd {
    /// The database of the checked-in extract.
    pub(crate) fn checked_in() -> Self {
        let version = EXTRACT.split_whitespace().nth(2).unwrap().trim_end_matches(':');
        let mut ucd = Ucd { version: version.into(), ..Ucd::default() };
        for line in lines(EXTRACT) {
            let [code, class, mapping, excluded, folding] = line[..] else { panic!("{line:?}") };
            let c = point(code);
            if !class.is_empty() {
                ucd.classes.insert(c, class.parse().unwrap());
            }
            if !mapping.is_empty() {
                let canonical = !mapping.starts_with('~');
                ucd.mappings.insert(c, (canonical, points(mapping.trim_start_matches('~'))));
            }
            if excluded == "x" {
                ucd.excluded.insert(c);
            }
            if !folding.is_empty() {
                ucd.foldings.insert(c, points(folding));
            }
        }
        ucd.with_pairs()
    }

    /// The database of the files `UnicodeData.txt`, `DerivedNormalizationProps.txt` and `CaseFolding.txt`.
    pub(crate) fn of_files(data: &str, props: &str, folding: &str) -> Self {
        let name = folding.lines().next().unwrap();
        let version = name.trim_start_matches("# CaseFolding-").trim_end_matches(".txt");
        let mut ucd = Ucd { version: version.into(), ..Ucd::default() };
        for line in lines(data).filter(|line| line.len() == 15) {
            // Surrogates, the only code points that are not characters, have neither of the two.
            let (class, mapping) = (line[3], line[5]);
            if !class.is_empty() && class != "0" {
                ucd.classes.insert(point(line[0]), class.parse().unwrap());
            }
            if !mapping.is_empty() {
                let text = mapping.rsplit('>').next().unwrap_or_default();
                ucd.mappings.insert(point(line[0]), (!mapping.starts_with('<'), points(text)));
            }
        }
        for line in lines(props) {
            if line[1] == "Full_Composition_Exclusion" {
                ucd.excluded.extend(range(line[0]));
            }
        }
        for line in lines(folding).filter(|line| matches!(line[1], "C" | "F")) {
            ucd.foldings.insert(point(line[0]), points(line[2]));
        }
        ucd.with_pairs()
    }

    /// The text of the extract.
    pub(crate) fn extract(&self) -> String {
        let mut out = format!(
            "# Unicode {}: what `tests/it/tables.rs` took from UnicodeData.txt, DerivedNormalizationProps.txt and \
             CaseFolding.txt.\n# © Unicode, Inc.; licence: LICENSE-UNICODE.\n#\n\
             # code; combining class; decomposition, `~` if for compatibility; `x` if never composed; full case folding\n",
            self.version
        );
        let all: BTreeSet<char> = self
            .classes
            .keys()
            .chain(self.mappings.keys())
            .chain(&self.excluded)
            .chain(self.foldings.keys())
            .copied()
            .collect();
        for c in all {
            let class = self.classes.get(&c).map(ToString::to_string).unwrap_or_default();
            let mapping = self.mappings.get(&c).map(|(canonical, text)| {
                let mark = if *canonical { "" } else { "~" };
                format!("{mark}{}", hex(text))
            });
            let excluded = if self.excluded.contains(&c) { "x" } else { "" };
            let folding = self.foldings.get(&c).map(|text| hex(text)).unwrap_or_default();
            let code = u32::from(c);
            writeln!(out, "{code:04X};{class};{};{excluded};{folding}", mapping.unwrap_or_default()).unwrap();
        }
        out
    }

    pub(crate) fn class(&self, c: char) -> u8 {
        self.classes.get(&c).copied().unwrap_or_default()
    }

    fn with_pairs(mut self) -> Self {
        let canonical =
            self.mappings.iter().filter(|(c, (canonical, _))| *canonical && !self.excluded.contains(c));
        self.pairs = canonical
            .map(|(&c, (_, text))| {
                let mut both = text.chars();
                let pair = (both.next().unwrap(), both.next().unwrap());
                assert_eq!(both.next(), None);
                (pair, c)
            })
            .collect();
        self
    }

    fn decompose(&self, c: char, out: &mut String) {
        let code = u32::from(c);
        if let Some((_, text)) = self.mappings.get(&c) {
            text.chars().for_each(|c| self.decompose(c, out));
        } else if let Some(syllable) = code.checked_sub(0xAC00).filter(|at| *at < 11_172) {
            let parts = [0x1100 + syllable / 588, 0x1161 + syllable % 588 / 28, 0x11A7 + syllable % 28];
            out.extend(parts.into_iter().filter(|part| *part != 0x11A7).filter_map(char::from_u32));
        } else {
            out.push(c);
        }
    }

    /// Normalisation form NFKD.
    pub(crate) fn nfkd(&self, text: &str) -> String {
        let mut decomposed = String::new();
        text.chars().for_each(|c| self.decompose(c, &mut decomposed));
        let mut characters: Vec<char> = decomposed.chars().collect();
        for run in characters.chunk_by_mut(|a, b| (self.class(*a) == 0) == (self.class(*b) == 0)) {
            run.sort_by_key(|c| self.class(*c));
        }
        characters.into_iter().collect()
    }

    /// Normalisation form NFKC.
    pub(crate) fn nfkc(&self, text: &str) -> String {
        let mut out: Vec<char> = Vec::new();
        let mut starter: Option<usize> = None;
        for c in self.nfkd(text).chars() {
            let class = self.class(c);
            // Between the starter and this character nothing may stand that has its class or none.
            let free = starter.filter(|at| {
                out[at + 1..].iter().all(|b| self.class(*b) != 0 && self.class(*b) < class)
                    || at + 1 == out.len()
            });
            let composed = free.and_then(|at| Some((at, compose(&self.pairs, out[at], c)?)));
            match composed {
                Some((at, composed)) => out[at] = composed,
                None => {
                    if class == 0 {
                        starter = Some(out.len());
                    }
                    out.push(c);
                }
            }
        }
        out.into_iter().collect()
    }

    /// Full case folding.
    pub(crate) fn fold(&self, text: &str) -> String {
        let folded = |c: char| self.foldings.get(&c).cloned().unwrap_or_else(|| String::from(c));
        text.chars().map(folded).collect()
    }
}

fn compose(pairs: &BTreeMap<(char, char), char>, first: char, second: char) -> Option<char> {
    let (a, b) = (u32::from(first), u32::from(second));
    if (0x1100..0x1113).contains(&a) && (0x1161..0x1176).contains(&b) {
        return char::from_u32(0xAC00 + (a - 0x1100) * 588 + (b - 0x1161) * 28);
    }
    if (0xAC00..0xD7A4).contains(&a) && (a - 0xAC00) % 28 == 0 && (0x11A8..0x11C3).contains(&b) {
        return char::from_u32(a + b - 0x11A7);
    }
    pairs.get(&(first, second)).copied()
}
