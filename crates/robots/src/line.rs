//! From bytes to lines: the field of each line, and its value.
//!
//! CR, LF and CRLF end a line. A line is cut at the first `#`, split at the first colon, and both halves lose the
//! blanks around them. The name, compared without ASCII case, decides which field the line is; nothing is an
//! error.
//!
//! Byte order marks are skipped at the very start of the file and nowhere else, also if only its first one or two
//! bytes are there, or if two tools wrote one each.
//!
//! A line without a colon is ignored, except `Disallow` with a path: its author meant to forbid a path, and reading it
//! so allows nothing more.
//!
//! Spec: RFC 9309, "Formal Syntax"; AIWI-BOT-3, AIWI-BOT-8.

use crate::options::RobotsMode;

/// The field that a line sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Field {
    /// `User-agent`
    UserAgent,
    /// `Allow`
    Allow,
    /// `Disallow`
    Disallow,
    /// `Sitemap`
    Sitemap,
    /// `Crawl-delay`, which RFC 9309 does not know.
    CrawlDelay,
    /// `Content-Usage` of the IETF's AI preferences draft.
    ContentUsage,
    /// `Content-Signal`
    ContentSignal,
    /// `License` of RSL: the address of a licence document.
    License,
    /// Any other name.
    Unknown,
}

impl Field {
    /// The field of that name.
    pub(crate) fn of(name: &[u8], mode: RobotsMode) -> Self {
        // Nearly all lines are these two. Setting bit 5 is lower case for letters, and makes no letter of anything else.
        if let Ok(eight) = <[u8; 8]>::try_from(name)
            && u64::from_ne_bytes(eight) | 0x2020_2020_2020_2020 == u64::from_ne_bytes(*b"disallow")
        {
            return Field::Disallow;
        }
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        match name.len() {
            5 if is("allow") => Field::Allow,
            10 if is("user-agent") => Field::UserAgent,
            7 if is("sitemap") => Field::Sitemap,
            7 if is("license") => Field::License,
            11 if is("crawl-delay") => Field::CrawlDelay,
            13 if is("content-usage") => Field::ContentUsage,
            14 if is("content-signal") => Field::ContentSignal,
            _ if mode == RobotsMode::Google => Field::repaired(name),
            _ => Field::Unknown,
        }
    }

    /// The field that Google's parser reads a misspelt or overlong name as.
    pub(crate) fn repaired(name: &[u8]) -> Self {
        const SPELLINGS: &[(&str, Field)] = &[
            ("user-agent", Field::UserAgent),
            ("useragent", Field::UserAgent),
            ("user agent", Field::UserAgent),
            ("allow", Field::Allow),
            ("disallow", Field::Disallow),
            ("dissallow", Field::Disallow),
            ("dissalow", Field::Disallow),
            ("disalow", Field::Disallow),
            ("diasllow", Field::Disallow),
            ("disallaw", Field::Disallow),
            ("sitemap", Field::Sitemap),
            ("site-map", Field::Sitemap),
        ];
        let begins = |known: &str| {
            name.split_at_checked(known.len())
                .is_some_and(|(start, _)| start.eq_ignore_ascii_case(known.as_bytes()))
        };
        SPELLINGS.iter().find(|(known, _)| begins(known)).map_or(Field::Unknown, |(_, field)| *field)
    }

    /// The name as it is usually written; empty for [`Field::Unknown`].
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Field::UserAgent => "User-agent",
            Field::Allow => "Allow",
            Field::Disallow => "Disallow",
            Field::Sitemap => "Sitemap",
            Field::CrawlDelay => "Crawl-delay",
            Field::ContentUsage => "Content-Usage",
            Field::ContentSignal => "Content-Signal",
            Field::License => "License",
            Field::Unknown => "",
        }
    }
}

/// A line with a name and a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    pub(crate) number: u32,
    pub(crate) field: Field,
    pub(crate) name: &'a [u8],
    pub(crate) value: &'a [u8],
    /// The whole line, if it has no colon.
    pub(crate) without_colon: Option<&'a [u8]>,
}

/// What [`Lines`] yields for one line of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Item<'a> {
    Field(Line<'a>),
    /// Something is there, but no colon.
    NoColon {
        number: u32,
        text: &'a [u8],
    },
}

/// All lines that are neither empty nor mere comments.
#[derive(Debug, Clone)]
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    number: u32,
    mode: RobotsMode,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a [u8], mode: RobotsMode) -> Self {
        let mut rest = text;
        for byte in [0xEF, 0xBB, 0xBF] {
            match rest.split_first() {
                Some((first, tail)) if *first == byte => rest = tail,
                _ => break,
            }
        }
        if mode == RobotsMode::Strict && rest.len() + 3 != text.len() {
            rest = text;
        }
        if mode == RobotsMode::Rfc {
            while let Some(tail) = rest.strip_prefix(b"\xEF\xBB\xBF") {
                rest = tail;
            }
        }
        Lines { rest, number: 0, mode }
    }

    /// The next line of the file without its end and its comment.
    fn next_raw(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        self.number += 1;
        let end = memchr::memchr3(b'\n', b'\r', b'#', self.rest).unwrap_or(self.rest.len());
        let (line, mut tail) = self.rest.split_at_checked(end)?;
        if tail.first() == Some(&b'#') {
            let end = memchr::memchr2(b'\n', b'\r', tail).unwrap_or(tail.len());
            tail = tail.get(end..)?;
        }
        self.rest = match tail {
            [b'\r', b'\n', rest @ ..] | [_, rest @ ..] => rest,
            [] => &[],
        };
        Some(match (self.mode, line.get(..GOOGLE_LINE_BYTES)) {
            (RobotsMode::Google, Some(cut)) => cut,
            _ => line,
        })
    }
}

/// Bytes of a line that Google's parser keeps: eight times a browser's longest URL, less the closing zero.
const GOOGLE_LINE_BYTES: usize = 2083 * 8 - 1;

impl<'a> Iterator for Lines<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        loop {
            let line = self.next_raw()?;
            let mut whole = None;
            let (name, value) = match line.iter().position(|b| *b == b':') {
                Some(colon) => {
                    let (name, value) = line.split_at_checked(colon)?;
                    (name.trim_ascii(), value.get(1..).unwrap_or(&[]).trim_ascii())
                }
                None => match (line.trim_ascii(), without_colon(line.trim_ascii())) {
                    ([], _) => continue,
                    (_, Some(halves)) if self.mode == RobotsMode::Google => halves,
                    (text, Some(halves)) if self.mode == RobotsMode::Rfc && closes(halves) => {
                        whole = Some(text);
                        halves
                    }
                    (text, _) => return Some(Item::NoColon { number: self.number, text }),
                },
            };
            let field = Field::of(name, self.mode);
            let line = Line { number: self.number, field, name, value, without_colon: whole };
            return Some(Item::Field(line));
        }
    }
}

/// Returns true for the words `Disallow` and a path.
fn closes((name, value): (&[u8], &[u8])) -> bool {
    name.eq_ignore_ascii_case(b"disallow") && matches!(value.first(), Some(b'/' | b'*'))
}

/// The two words of a line that lost its colon.
fn without_colon(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let blank = |b: &u8| matches!(b, b' ' | b'\t');
    let (name, value) = text.split_at_checked(text.iter().position(blank)?)?;
    let value = value.trim_ascii();
    (!value.iter().any(blank)).then_some((name.trim_ascii_end(), value))
}
