//! Checks whether a twin has text that its page does not have.
//!
//! A plugin that reads the text from its database may publish what readers need a password for. Both texts are reduced to
//! their letters and digits; of the twin's, pieces of [`PIECE`] characters are looked up among all pieces of that length
//! in the whole page. Linear in both, and indifferent to markup, punctuation and white space.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use aidocument::{Crawl, StatusCode, Timestamp};
use aidocument_extract::{Options, extract};
use tct_fingerprint::normalize;

use crate::fetch::Answer;

/// Long enough that chance does not find it, short enough for a sentence to have several.
const PIECE: usize = 16;
/// Fewer pieces than this are ignored: a title, a date, an editor's note.
const LEAST_PIECES: usize = 4;
/// A larger share than this is no accident.
const MOST_SHARE: f64 = 0.2;

/// How much of a twin's text is not in its page.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Surplus {
    /// In percent of the twin's text.
    pub(super) percent: u32,
    /// How it begins.
    pub(super) begins: String,
    /// Whether the page asks its readers for a password.
    pub(super) is_protected: bool,
}

/// What a page shows to everybody.
#[derive(Debug)]
pub(super) struct Shown {
    text: String,
    is_protected: bool,
}

impl Shown {
    /// All text of the page: title, menus and footers too.
    pub(super) fn of(page: &Answer) -> Option<Self> {
        let url = page.url.as_str().parse().ok()?;
        let agent = "AIWebIndex/1.0 (+https://localhost/)".parse().ok()?;
        let crawl = Crawl::new(Timestamp::from_parts(0, 0)?, StatusCode::new(200)?, agent);
        let mut options = Options::default();
        options.whole_page = true;
        let read = extract(&page.body[..], url, page.content_type(), crawl, &options);
        let title = read.document.title();
        let html = String::from_utf8_lossy(&page.body).to_ascii_lowercase();
        let has_form =
            ["type=password", "type=\"password\"", "type='password'"].iter().any(|form| html.contains(form));
        let is_protected = has_form || title.trim_start().to_lowercase().starts_with("protected:");
        Some(Shown { text: format!("{title}\n{}", read.text), is_protected })
    }

    /// Whether the page shows this text as it stands, such as `&amp;` where it is about references.
    pub(super) fn has(&self, text: &str) -> bool {
        self.text.contains(text)
    }

    /// The twin's text that is not in its page; `None` if there is none, or too little to judge. If the page asks for a
    /// password, a single word counts.
    pub(super) fn surplus(&self, twin_text: &str) -> Option<Surplus> {
        let shown = letters(&self.text);
        let known: HashSet<u64> = shown.windows(PIECE).map(piece).collect();
        let whole: String = if self.is_protected { shown.iter().collect() } else { String::new() };
        let (mut all, mut missing, mut begins) = (0_usize, 0_usize, None);
        for line in twin_text.lines() {
            let line = &without_targets(line);
            let said = letters(line);
            let is_short = self.is_protected && !said.is_empty() && said.len() < PIECE;
            let short = is_short.then(|| !whole.contains(&said.iter().collect::<String>()));
            let pieces = said.chunks_exact(PIECE).map(|part| !known.contains(&piece(part)));
            for is_missing in pieces.chain(short) {
                all += 1;
                if is_missing {
                    missing += 1;
                    begins.get_or_insert_with(|| line.trim().chars().take(40).collect::<String>());
                }
            }
        }
        let share = missing as f64 / all.max(1) as f64;
        let is_surplus = match self.is_protected {
            true => missing > 0,
            false => missing >= LEAST_PIECES && share > MOST_SHARE,
        };
        is_surplus.then(|| Surplus {
            percent: (share * 100.0).round().max(1.0) as u32,
            begins: begins.unwrap_or_default(),
            is_protected: self.is_protected,
        })
    }
}

/// A line of Markdown without where its links lead: `[tea](/tea.html)` is `[tea]`. Plain text has no such thing.
fn without_targets(line: &str) -> String {
    let mut parts = line.split("](");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "]" + part.split_once(')').map_or("", |(_, rest)| rest))
}

/// Letters and digits, as a fingerprint has them: references decoded, forms and letter case made equal.
fn letters(text: &str) -> Vec<char> {
    normalize(text).chars().filter(|c| c.is_alphanumeric()).collect()
}

fn piece(letters: &[char]) -> u64 {
    let mut hasher = DefaultHasher::new();
    letters.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, StatusCode};

    use super::*;

    fn page(html: &str) -> Answer {
        Answer {
            url: "https://quay.example/a".parse().unwrap(),
            status: StatusCode::OK,
            headers: HeaderMap::new(),
            body: html.to_owned().into(),
            received: 0,
        }
    }

    const TEXT: &str = "The ledger of the quay has been kept since 1911, in three hands and two inks.\n\n\
                        Its last page lists what the harbour master owes to the widow of the ferryman, \
                        with the interest of nine winters, and the names of those who signed for it.";

    fn surplus(page: &Answer, twin_text: &str) -> Option<Surplus> {
        Shown::of(page).unwrap().surplus(twin_text)
    }

    #[test]
    fn what_the_page_shows_in_other_markup_is_no_surplus() {
        let html = format!("<title>x</title><nav>Menu</nav><main><p>{}", TEXT.replace("\n\n", "<p><b>"));
        assert_eq!(surplus(&page(&html), TEXT), None);
        let other = html.replace("three hands", "three&nbsp;<i>hands</i>").to_uppercase();
        assert_eq!(surplus(&page(&other), TEXT), None);
        assert_eq!(surplus(&page("<p>Nothing."), "A short note."), None, "too little to tell");
    }

    /// English has an apostrophe in every other line, and the plugin leaves it as a reference.
    #[test]
    fn references_are_the_characters_that_they_name() {
        let english =
            "We don\u{2019}t know what the keeper\u{2019}s lamp cost, and he\u{2019}d never say.\n".repeat(9);
        let page = page(&format!("<p>{english}"));
        for written in ["&#8217;", "&rsquo;", "&#x2019;"] {
            assert_eq!(surplus(&page, &english.replace('\u{2019}', written)), None, "{written}");
        }
        let ligatures = TEXT.replace("fi", "\u{FB01}");
        assert_eq!(surplus(&self::page(&format!("<p>{TEXT}")), &ligatures), None, "forms are folded");
    }

    #[test]
    fn what_the_page_asks_a_password_for_is_one() {
        let html = "<title>Protected</title><p>This content is password protected.<form></form>";
        let found = surplus(&page(html), TEXT).unwrap();
        assert_eq!((found.percent, found.begins.as_str()), (100, "The ledger of the quay has been kept sin"));
        let half = format!("<p>{}", TEXT.lines().next().unwrap());
        assert!((50..80).contains(&surplus(&page(&half), TEXT).unwrap().percent));
        let linked = TEXT.replace("ledger", "[ledger](https://quay.example/a-long-way/to-the-ledger.html)");
        assert_eq!(without_targets("a [b](/c) d"), "a [b] d");
        assert_eq!(surplus(&page(&format!("<p>{TEXT}")), &linked), None, "targets are not text");
    }

    #[test]
    fn of_a_protected_page_a_short_secret_is_too_much() {
        for html in [
            "<title>Protected: Codes</title><p>This content is password protected.",
            "<title>Codes</title><p>Enter your password.<form><input name=p type=\"password\"></form>",
        ] {
            assert!(surplus(&page(html), "The code is 4711.").is_some(), "{html}");
            assert!(surplus(&page(html), "4711").is_some(), "{html}");
            assert_eq!(surplus(&page(html), "Password."), None, "{html}");
        }
        let open = "<title>Codes</title><p>A page about protected codes.";
        assert_eq!(surplus(&page(open), "The code is 4711."), None);
    }
}
