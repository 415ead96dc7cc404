//! Page directives: `X-Robots-Tag` in the header and `<meta name="robots">` in the page.
//!
//! ```text
//! X-Robots-Tag: noindex, max-snippet: 20                  for everybody
//! X-Robots-Tag: AIWebIndex: noai, otherbot: nofollow      each for one crawler
//! <meta name="robots" content="nofollow, noarchive">      for everybody
//! <meta name="AIWebIndex" content="none">                 for one crawler
//! ```
//!
//! Directives for everybody and directives for the crawler apply together, whatever their place: no line can take
//! back what another one forbids. No standard defines them, so unknown ones are kept. An absent directive is
//! unstated, never "yes".
//!
//! A name before a colon is a crawler's, unless it is one of the directives that take a value: `max-snippet`,
//! `max-image-preview`, `max-video-preview`, `unavailable_after`.
//!
//! Spec: TCT-SEC-15.

use alloc::collections::BTreeMap;
use alloc::string::String;
use core::str::FromStr;

use crate::crawler::Crawler;
use crate::options::RobotsMode;

/// Directives whose value follows a colon.
const VALUED: [&str; 4] = ["max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"];

/// Directives that are known by name and have no value.
const PLAIN: [&str; 17] = [
    "all",
    "follow",
    "index",
    "indexifembedded",
    "noai",
    "noarchive",
    "nocache",
    "nofollow",
    "noimageai",
    "noimageindex",
    "noindex",
    "noodp",
    "none",
    "nositelinkssearchbox",
    "nosnippet",
    "notranslate",
    "noydir",
];

/// The directives that apply to one crawler and one page.
///
/// ```
/// use robots::Directives;
///
/// let mut directives = Directives::of_headers(
///     [("X-Robots-Tag", "noai, max-snippet: 20"), ("X-Robots-Tag", "otherbot: noindex")],
///     "AIWebIndex",
/// );
/// directives.add_meta("robots", "NoFollow, sparkle", "AIWebIndex");
/// assert!(directives.has("noai") && directives.has("nofollow") && !directives.has("noindex"));
/// assert_eq!(directives.max_snippet(), Some(20));
/// assert_eq!(directives.unknown().collect::<Vec<_>>(), ["sparkle"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Directives {
    /// Lower-case names; plain ones have no value.
    stated: BTreeMap<String, Option<String>>,
}

impl Directives {
    /// The directives for `crawler` in the `X-Robots-Tag` fields of a response.
    pub fn of_headers<'h, 'c>(
        headers: impl IntoIterator<Item = (&'h str, &'h str)>,
        crawler: impl Into<Crawler<'c>>,
    ) -> Self {
        let mut directives = Directives::default();
        directives.add_headers(headers, crawler);
        directives
    }

    /// Adds the directives for `crawler` in the `X-Robots-Tag` fields of a response, such as a 304 for the page.
    pub fn add_headers<'h, 'c>(
        &mut self,
        headers: impl IntoIterator<Item = (&'h str, &'h str)>,
        crawler: impl Into<Crawler<'c>>,
    ) {
        let crawler = crawler.into();
        for (name, value) in headers {
            if name.trim_ascii().eq_ignore_ascii_case("x-robots-tag") {
                self.add_header(value, crawler);
            }
        }
    }

    /// The directives for `crawler` in the `X-Robots-Tag` fields of a response, read as [`HeaderFields`](crate::HeaderFields).
    #[cfg(feature = "http")]
    pub fn of_header_map<'c>(headers: &http::HeaderMap, crawler: impl Into<Crawler<'c>>) -> Self {
        Directives::of_headers(crate::HeaderFields::of(headers).iter(), crawler)
    }

    /// Adds a `<meta>` element by its `name` and `content`, if it applies to `crawler`.
    pub fn add_meta<'c>(&mut self, name: &str, content: &str, crawler: impl Into<Crawler<'c>>) {
        let name = name.trim_ascii();
        if name.eq_ignore_ascii_case("robots") || crawler.into().is_named_by(name.as_bytes(), RobotsMode::Rfc)
        {
            Entries { rest: content, split_names: false }.for_each(|entry| self.add(entry));
        }
    }

    /// Whether the directive holds, such as `noindex`; names are compared without regard to ASCII case. `none` is
    /// `noindex` and `nofollow`.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.stated.contains_key(&*name.to_ascii_lowercase())
    }

    /// The value of a directive that has one, such as `max-snippet`.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        self.stated.get(&*name.to_ascii_lowercase())?.as_deref()
    }

    /// The most characters of text to show, -1 for no limit; of several the smallest limit.
    #[must_use]
    pub fn max_snippet(&self) -> Option<i64> {
        self.value("max-snippet")?.parse().ok()
    }

    /// All directives that hold, in alphabetical order, with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.stated.iter().map(|(name, value)| (name.as_str(), value.as_deref()))
    }

    /// Names of directives that this crate does not know.
    pub fn unknown(&self) -> impl Iterator<Item = &str> {
        let known = |name: &str| PLAIN.contains(&name) || VALUED.contains(&name);
        self.stated.keys().map(String::as_str).filter(move |name| !known(name))
    }

    /// All known directives that take no value, in alphabetical order, stated or not.
    pub fn plain(&self) -> impl Iterator<Item = (&'static str, bool)> {
        PLAIN.into_iter().map(|name| (name, self.stated.contains_key(name)))
    }

    fn add_header(&mut self, value: &str, crawler: Crawler<'_>) {
        let mut speaks = true;
        for entry in (Entries { rest: value, split_names: true }) {
            match entry {
                Entry::Crawler(name) => {
                    speaks = name == "*" || crawler.is_named_by(name.as_bytes(), RobotsMode::Rfc)
                }
                entry if speaks => self.add(entry),
                _ => {}
            }
        }
    }

    fn add(&mut self, entry: Entry<'_>) {
        let (name, value) = match entry {
            Entry::Directive(name) => (name.to_ascii_lowercase(), None),
            Entry::Valued(name, value) => (name.to_ascii_lowercase(), Some(value)),
            Entry::Crawler(_) => return,
        };
        if name == "none" {
            self.add(Entry::Directive("noindex"));
            self.add(Entry::Directive("nofollow"));
        }
        let held = self.stated.entry(name).or_insert_with(|| value.map(String::from));
        if let (Some(held), Some(value)) = (held, value)
            && stricter(value, held)
        {
            *held = value.into();
        }
    }
}

/// Whether a second value of a directive allows less than the one held: a smaller number (negative is no limit), or a
/// smaller preview. Dates are kept as they came.
fn stricter(value: &str, held: &str) -> bool {
    let limit = |text: &str| i64::from_str(text).ok().map(|n| if n < 0 { i64::MAX } else { n });
    let preview =
        |text: &str| ["none", "standard", "large"].iter().position(|size| text.eq_ignore_ascii_case(size));
    match (limit(value), limit(held), preview(value), preview(held)) {
        (Some(a), Some(b), ..) => a < b,
        (_, _, Some(a), Some(b)) => a < b,
        _ => false,
    }
}

enum Entry<'a> {
    /// The following directives are for this crawler.
    Crawler(&'a str),
    Directive(&'a str),
    Valued(&'a str, &'a str),
}

/// Walks a comma-separated list.
struct Entries<'a> {
    rest: &'a str,
    /// Whether a name before a colon is a crawler's; in `<meta>` the element's name says that.
    split_names: bool,
}

impl<'a> Iterator for Entries<'a> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Entry<'a>> {
        loop {
            self.rest = self.rest.trim_ascii_start();
            if self.rest.is_empty() {
                return None;
            }
            let end = self.rest.find([',', ':']).unwrap_or(self.rest.len());
            let (name, tail) = self.rest.split_at_checked(end)?;
            let name = name.trim_ascii();
            let Some(behind) = tail.strip_prefix(':') else {
                self.rest = tail.strip_prefix(',').unwrap_or("");
                if name.is_empty() {
                    continue;
                }
                return Some(Entry::Directive(name));
            };
            // What is behind a crawler's name is looked at once, when its turn comes.
            if self.split_names && !VALUED.iter().any(|known| name.eq_ignore_ascii_case(known)) {
                self.rest = behind;
                return Some(Entry::Crawler(name));
            }
            let mut commas = behind.match_indices(',').map(|(at, _)| at);
            let mut end = commas.next().unwrap_or(behind.len());
            // An RFC 850 or IMF date has a comma after its weekday.
            if name.eq_ignore_ascii_case("unavailable_after") && behind.get(..end).is_some_and(is_weekday) {
                end = commas.next().unwrap_or(behind.len());
            }
            let (value, tail) = behind.split_at_checked(end)?;
            self.rest = tail.strip_prefix(',').unwrap_or("");
            return Some(Entry::Valued(name, value.trim_ascii()));
        }
    }
}

fn is_weekday(text: &str) -> bool {
    const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let text = text.trim_ascii();
    text.bytes().all(|b| b.is_ascii_alphabetic())
        && text.get(..3).is_some_and(|start| DAYS.iter().any(|day| start.eq_ignore_ascii_case(day)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::vec::Vec;

    fn header(values: &[&str]) -> String {
        let directives =
            Directives::of_headers(values.iter().map(|value| ("x-robots-tag", *value)), "AIWebIndex");
        show(&directives)
    }

    fn show(directives: &Directives) -> String {
        let one = |(name, value): (&str, Option<&str>)| match value {
            Some(value) => format!("{name}={value}"),
            None => name.into(),
        };
        directives.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn header_values() {
        for (values, expected) in [
            (&["noindex"][..], "noindex"),
            (&[" NoIndex ,NOFOLLOW,, "], "nofollow noindex"),
            (&["none"], "nofollow noindex none"),
            (&["all"], "all"),
            (&["AIWebIndex: noai"], "noai"),
            (&["aiwebindex/1.0: noai"], "noai"),
            (&["AIWebIndexBot: noai"], ""),
            (&["otherbot: noindex, nofollow"], ""),
            (&["otherbot: noindex", "nofollow"], "nofollow"),
            (&["noarchive, otherbot: noindex, AIWebIndex: noai, nosnippet"], "noai noarchive nosnippet"),
            (&["*: noindex"], "noindex"),
            (&["max-snippet:20, max-image-preview: large"], "max-image-preview=large max-snippet=20"),
            (&["max-snippet: 20", "AIWebIndex: max-snippet: 10"], "max-snippet=10"),
            (&["max-snippet: -1", "max-snippet: 10"], "max-snippet=10"),
            (&["max-image-preview: none", "max-image-preview:large"], "max-image-preview=none"),
            (
                &["unavailable_after: Wed, 25 Jun 2030 15:00:00 GMT, noindex"],
                "noindex unavailable_after=Wed, 25 Jun 2030 15:00:00 GMT",
            ),
            (
                &["AIWebIndex: unavailable_after: 25 Jun 2030 15:00:00 PST, noai"],
                "noai unavailable_after=25 Jun 2030 15:00:00 PST",
            ),
            (&["sparkle, noai"], "noai sparkle"),
            (&["", ","], ""),
        ] {
            assert_eq!(header(values), expected, "{values:?}");
        }
    }

    #[test]
    fn meta_elements() {
        let mut directives = Directives::default();
        directives.add_meta("ROBOTS", "noindex,NoFollow", "AIWebIndex");
        directives.add_meta("otherbot", "noai", "AIWebIndex");
        directives.add_meta("aiwebindex", "nosnippet, max-snippet:5", "AIWebIndex");
        directives.add_meta("description", "noarchive", "AIWebIndex");
        assert_eq!(show(&directives), "max-snippet=5 nofollow noindex nosnippet");
    }
}
