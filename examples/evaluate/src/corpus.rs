//! A folder of labelled pages.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use aidocument::{UrlRules, WebUrl};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::Result;

/// How the words of a page are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    /// F1 of the words as multisets: `main_content`.
    Words,
    /// F1 of the runs of four words, from means of precision and recall: `articleBody`.
    Runs,
}

/// A page and what is known about it.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) id: String,
    pub(crate) url: Option<WebUrl>,
    /// The host without `www.`; pages without an address are sites of their own.
    pub(crate) site: String,
    pub(crate) kind: String,
    pub(crate) text: Option<(Measure, String)>,
    /// `None` where the corpus has no such labels at all, empty where this page has none.
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) published: Option<String>,
    file: PathBuf,
}

impl Page {
    /// The bytes of the page.
    #[expect(clippy::disallowed_methods, reason = "reading files is this program's part")]
    pub(crate) fn read(&self) -> Result<Vec<u8>> {
        let bytes = fs::read(&self.file).map_err(|error| format!("{}: {error}", self.file.display()))?;
        if self.file.extension().is_none_or(|end| end != "gz") {
            return Ok(bytes);
        }
        let mut plain = Vec::new();
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut plain)?;
        Ok(plain)
    }

    /// The page's address, or one that says nothing.
    pub(crate) fn address(&self) -> Result<WebUrl> {
        Ok(self.url.clone().map_or_else(|| "http://localhost/".parse(), Ok)?)
    }

    /// Returns true for the half of the sites whose errors may be looked at; the other half is kept back.
    pub(crate) fn is_open(&self) -> bool {
        Sha256::digest(self.site.as_bytes()).first().is_some_and(|byte| byte % 2 == 0)
    }

    /// The fold of the page's site, below `folds`.
    pub(crate) fn fold(&self, folds: usize) -> usize {
        let digest = Sha256::digest(self.site.as_bytes());
        digest.iter().skip(1).take(4).fold(0, |sum, byte| sum << 8 | usize::from(*byte)) % folds
    }
}

/// Reads `ground-truth.json`, or else `truth.json`: an object from ids to objects, whose members the README names.
#[expect(clippy::disallowed_methods, reason = "reading files is this program's part")]
pub(crate) fn read(folder: &Path) -> Result<Vec<Page>> {
    let names = ["ground-truth.json", "truth.json"].map(|name| folder.join(name));
    let [path, _] = &names;
    let path = names.iter().find(|path| path.exists()).unwrap_or(path);
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let truth: BTreeMap<String, Value> = serde_json::from_slice(&bytes)?;
    let has = |name: &str| truth.values().any(|page| page.get(name).is_some());
    let (titles, authors) = (has("title"), has("author"));
    let dates = ["publish_date", "date", "published"].into_iter().find(|name| has(name));
    let mut pages = Vec::new();
    for (id, labels) in &truth {
        let text = |name: &str| labels.get(name).and_then(Value::as_str).map(str::to_owned);
        let label = |known: bool, name: &str| known.then(|| text(name).unwrap_or_default());
        let url = text("url")
            .and_then(|url| WebUrl::parse_with(&url, UrlRules::default().dropping_credentials()).ok());
        let host = url
            .as_ref()
            .and_then(|url| url.host_str())
            .map(|host| host.trim_start_matches("www.").to_owned());
        let names = [format!("html/{id}.html.gz"), format!("html/{id}.html"), format!("{id}.html")];
        let file = names.iter().map(|name| folder.join(name)).find(|path| path.exists());
        pages.push(Page {
            id: id.clone(),
            site: host.unwrap_or_else(|| id.clone()),
            url,
            kind: text("type").unwrap_or_else(|| "all".to_owned()),
            text: text("articleBody")
                .map(|text| (Measure::Runs, text))
                .or_else(|| text("main_content").map(|text| (Measure::Words, text))),
            title: label(titles, "title"),
            author: label(authors, "author"),
            published: dates.map(|name| text(name).unwrap_or_default()),
            file: file.ok_or_else(|| format!("{id}: expected one of {}", names.join(", ")))?,
        });
    }
    Ok(pages)
}
