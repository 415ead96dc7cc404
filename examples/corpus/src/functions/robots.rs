//! `robots_allowed`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use datafusion::arrow::array::BooleanBuilder;
use datafusion::error::Result;
use robots::{Matcher, Robots};
use url::Url;

use super::answer::Answer;
use super::arguments::Rows;

/// Bad are URLs that are not absolute or have no host.
pub(super) fn allowed(rows: &Rows<'_>) -> Result<Answer> {
    let (robots, agents, urls) = (rows.texts(0)?, rows.texts(1)?, rows.texts(2)?);
    let mut files = Files::default();
    let mut allowed = BooleanBuilder::with_capacity(rows.len());
    let mut bad = 0;
    for row in 0..rows.len() {
        let (Some(robots), Some(agent), Some(url)) = (robots.row(row), agents.row(row), urls.row(row)) else {
            allowed.append_null();
            continue;
        };
        match Url::parse(url) {
            Ok(url) if url.has_host() => allowed.append_value(files.parsed(robots).allows(agent, &url)),
            _ => {
                bad += 1;
                allowed.append_null();
            }
        }
    }
    Ok(Answer::new(allowed.finish(), bad))
}

/// The distinct robots.txt of a batch, each parsed once.
#[derive(Default)]
struct Files<'a> {
    files: Vec<File<'a>>,
    by_text: HashMap<&'a str, usize>,
    /// The file of the row before: the pages of a site mostly stand together.
    last: usize,
}

impl<'a> Files<'a> {
    fn parsed(&mut self, text: &'a str) -> &mut File<'a> {
        if self.files.get(self.last).is_none_or(|file| file.text != text) {
            self.last = *self.by_text.entry(text).or_insert(self.files.len());
        }
        if self.last == self.files.len() {
            self.files.push(File { text, robots: Robots::parse(text.as_bytes()), agents: HashMap::new() });
        }
        #[expect(
            clippy::indexing_slicing,
            reason = "the file is among them: it was pushed above if it was new"
        )]
        &mut self.files[self.last]
    }
}

struct File<'a> {
    text: &'a str,
    robots: Robots<'a>,
    /// The agents that were asked about; from the second question on with a matcher.
    agents: HashMap<&'a str, Option<Matcher>>,
}

impl<'a> File<'a> {
    fn allows(&mut self, agent: &'a str, url: &Url) -> bool {
        match self.agents.entry(agent) {
            Entry::Vacant(first) => {
                first.insert(None);
                self.robots.decide(agent, url).is_allowed()
            }
            Entry::Occupied(later) => {
                let matcher = later.into_mut().get_or_insert_with(|| self.robots.matcher(agent));
                matcher.decide(url).is_allowed()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_is_parsed_once() {
        let texts: Vec<String> = (0..50).map(|n| format!("User-agent: *\nDisallow: /{}\n", n % 5)).collect();
        let mut files = Files::default();
        for (n, text) in texts.iter().enumerate() {
            let url = Url::parse(&format!("https://e.example/{}", n % 5)).unwrap();
            assert!(!files.parsed(text).allows("AIWebIndex", &url));
        }
        assert_eq!(files.files.len(), 5);
        assert!(files.files.iter().all(|file| file.agents["AIWebIndex"].is_some()));
    }
}
