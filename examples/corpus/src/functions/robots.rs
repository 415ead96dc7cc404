//! `robots_allowed`.

use std::collections::HashMap;

use datafusion::arrow::array::BooleanBuilder;
use datafusion::error::Result;
use robots::{Matcher, Robots};
use url::Url;

use super::answer::Answer;
use super::arguments::Rows;

/// Bad are URLs that are not absolute or have no host.
pub(super) fn allowed(rows: &Rows<'_>) -> Result<Answer> {
    let (robots, agents, urls) = (rows.texts(0)?, rows.texts(1)?, rows.texts(2)?);
    let mut files = Distinct::default();
    let mut allowed = BooleanBuilder::with_capacity(rows.len());
    let mut bad = 0;
    for row in 0..rows.len() {
        let (Some(robots), Some(agent), Some(url)) = (robots.row(row), agents.row(row), urls.row(row)) else {
            allowed.append_null();
            continue;
        };
        match Url::parse(url) {
            Ok(url) if url.has_host() => {
                allowed.append_value(files.of(robots, File::parse).allows(agent, &url));
            }
            _ => {
                bad += 1;
                allowed.append_null();
            }
        }
    }
    Ok(Answer::new(allowed.finish(), bad))
}

/// A robots.txt, and the agents that were asked about.
struct File<'a> {
    robots: Robots<'a>,
    agents: Distinct<'a, Asked>,
}

/// How often an agent was asked about: a matcher is worth its while from the second question on.
enum Asked {
    Never,
    Once,
    Often(Matcher),
}

impl<'a> File<'a> {
    fn parse(text: &'a str) -> Self {
        File { robots: Robots::parse(text.as_bytes()), agents: Distinct::default() }
    }

    fn allows(&mut self, agent: &'a str, url: &Url) -> bool {
        let asked = self.agents.of(agent, |_| Asked::Never);
        match asked {
            Asked::Never => {
                *asked = Asked::Once;
                self.robots.decide(agent, url).is_allowed()
            }
            Asked::Once => {
                let matcher = self.robots.matcher(agent);
                let allowed = matcher.decide(url).is_allowed();
                *asked = Asked::Often(matcher);
                allowed
            }
            Asked::Often(matcher) => matcher.decide(url).is_allowed(),
        }
    }
}

/// One value for each distinct text of a batch. Equal texts mostly follow each other: the pages of a site stand together.
struct Distinct<'a, V> {
    values: Vec<(&'a str, V)>,
    by_text: HashMap<&'a str, usize>,
    last: usize,
}

impl<V> Default for Distinct<'_, V> {
    fn default() -> Self {
        Distinct { values: Vec::new(), by_text: HashMap::new(), last: 0 }
    }
}

impl<'a, V> Distinct<'a, V> {
    /// The text's value, which is made when the text is new.
    fn of(&mut self, text: &'a str, make: impl FnOnce(&'a str) -> V) -> &mut V {
        if self.values.get(self.last).is_none_or(|(last, _)| *last != text) {
            self.last = *self.by_text.entry(text).or_insert(self.values.len());
        }
        if self.last == self.values.len() {
            self.values.push((text, make(text)));
        }
        #[expect(
            clippy::indexing_slicing,
            reason = "the text is among them: it was pushed above if it was new"
        )]
        &mut self.values[self.last].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_is_parsed_once() {
        let texts: Vec<String> = (0..50).map(|n| format!("User-agent: *\nDisallow: /{}\n", n % 5)).collect();
        let mut files = Distinct::default();
        let mut parsed = 0;
        for (n, text) in texts.iter().enumerate() {
            let url = Url::parse(&format!("https://e.example/{}", n % 5)).unwrap();
            let file = files.of(text, |text| {
                parsed += 1;
                File::parse(text)
            });
            assert!(!file.allows("AIWebIndex", &url));
            assert!(file.allows("AIWebIndex", &Url::parse("https://e.example/else").unwrap()));
        }
        assert_eq!((parsed, files.values.len()), (5, 5));
        assert!(files.values.iter().all(|(_, file)| file.agents.values.len() == 1));
    }
}
