//! The `Link` line of each page: its twins, then the sitemaps.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use http::HeaderValue;
use tct::link::link_alternate;

use crate::pages::twins_of;
use crate::settings::Settings;

/// A path and query up to this length is worth remembering.
const MAX_PATH_BYTES: usize = 512;

/// The lines that were written, by path and query. Writing one takes as long as a whole request otherwise does: the page's URL
/// and its twins' are parsed for it.
#[derive(Debug)]
pub(crate) struct PageLinks {
    /// Those of the listed pages, which no lock guards.
    listed: HashMap<Box<str>, Option<HeaderValue>>,
    /// The listed page that each twin's path belongs to.
    pages: HashMap<Box<str>, Box<str>>,
    others: RwLock<HashMap<Box<str>, Option<HeaderValue>>>,
}

impl PageLinks {
    pub(crate) fn new(settings: &Settings) -> Self {
        let pages =
            settings.pages.iter().filter(|path| path.len() <= MAX_PATH_BYTES).take(settings.max_pages);
        let listed = pages.map(|path| (path.as_str().into(), write(settings, path))).collect();
        let twins = settings.pages.iter().flat_map(|path| {
            let twins = settings.page_url(path).map(|page| twins_of(settings, &page)).unwrap_or_default();
            twins.into_iter().map(|twin| (twin.as_url().path().into(), path.as_str().into()))
        });
        PageLinks { listed, pages: twins.collect(), others: RwLock::default() }
    }

    /// The path of the page whose twin has this path. A listed page's is known; of any other it is taken that its path ends
    /// with a slash, since a twin's does not tell.
    pub(crate) fn page_of(&self, twin: &str, page_before_slug: &str) -> String {
        self.pages.get(twin).map_or_else(|| format!("{page_before_slug}/"), ToString::to_string)
    }

    /// The line of the page at this path and query; `None` for a page without any link.
    ///
    /// At most [`Settings::max_pages`] lines are kept beside those of the listed pages: where more paths than that are asked
    /// for, these are dropped and found anew.
    pub(crate) fn of(&self, settings: &Settings, path: &str) -> Option<HeaderValue> {
        if let Some(line) = self.listed.get(path) {
            return line.clone();
        }
        if let Some(line) = self.others.read().unwrap_or_else(PoisonError::into_inner).get(path) {
            return line.clone();
        }
        let line = write(settings, path);
        if path.len() <= MAX_PATH_BYTES {
            let mut others = self.others.write().unwrap_or_else(PoisonError::into_inner);
            if others.len() >= settings.max_pages {
                others.clear();
            }
            others.insert(path.into(), line.clone());
        }
        line
    }
}

fn write(settings: &Settings, path: &str) -> Option<HeaderValue> {
    let page = settings.page_url(path)?;
    let twins = twins_of(settings, &page);
    let links = twins.iter().map(link_alternate).chain(settings.page_links.iter().cloned());
    let line = links.fold(Vec::new(), |mut line, link| {
        if !line.is_empty() {
            line.extend_from_slice(b", ");
        }
        line.extend_from_slice(link.as_bytes());
        line
    });
    let line = HeaderValue::from_maybe_shared(bytes::Bytes::from(line)).ok()?;
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test says what it expects in the plainest way")]

    use super::*;
    use crate::TwinContent;

    /// As many lines are kept as pages may be, and those are found again.
    #[test]
    fn lines_are_kept_up_to_the_bound() {
        let nothing = |_: &url::Url, _: Option<&str>, _: &[u8]| None::<TwinContent>;
        let settings = Settings::new("https://example.com", nothing).unwrap();
        let settings = settings.with_max_pages(3).with_pages(["/listed/"]);
        let links = PageLinks::new(&settings);
        let kept = || links.others.read().unwrap().len();
        for (path, expected) in [
            ("/a/", 1),
            ("/b/", 2),
            ("/a/", 2),
            ("/c/", 3),
            ("/b/", 3),
            ("/listed/", 3),
            ("/d/", 1),
            ("/a/", 2),
        ] {
            let line = links.of(&settings, path).unwrap();
            assert!(line.to_str().unwrap().contains(&format!("<https://example.com{path}llm/>")), "{line:?}");
            assert_eq!(kept(), expected, "{path}");
        }
        // A path that is too long gets its line, which is not kept.
        let long = |len: usize| format!("/{}/", "x".repeat(len - 2));
        for (path, expected) in [(long(MAX_PATH_BYTES + 1), 2), (long(MAX_PATH_BYTES), 3)] {
            assert!(links.of(&settings, &path).is_some());
            assert_eq!(kept(), expected, "{}", path.len());
        }
    }
}
