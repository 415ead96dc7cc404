//! A store in memory, for small sites, tests and first steps.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{BodyChange, PageReport, PageState, Pages, SiteState};

/// Everything that is kept of one site between two crawls, in memory: each site has a store of its own. Serialized, it is a file
/// that the next run begins with.
///
/// ```
/// use tct::crawl::MemoryStore;
/// let store = MemoryStore::default();
/// let json = serde_json::to_string(&store)?;
/// assert_eq!(serde_json::from_str::<MemoryStore>(&json)?, store);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MemoryStore {
    site: SiteState,
    pages: BTreeMap<String, PageState>,
    /// JSON, which is UTF-8.
    bodies: BTreeMap<String, String>,
}

impl MemoryStore {
    /// The state of the site for [`Crawl::resume`](super::Crawl::resume).
    #[must_use]
    pub fn site(&self) -> SiteState {
        self.site.clone()
    }

    /// The pages' states, under the keys of their reports.
    #[must_use]
    pub fn pages(&self) -> &BTreeMap<String, PageState> {
        &self.pages
    }

    /// The body of the page with this key, as JSON.
    #[must_use]
    pub fn body(&self, key: &str) -> Option<&[u8]> {
        self.bodies.get(key).map(String::as_bytes)
    }

    /// Stores the report on a page.
    pub fn take(&mut self, report: PageReport) {
        match report.body() {
            BodyChange::Store(json) => {
                self.bodies.insert(report.key.clone(), String::from_utf8_lossy(json).into_owned());
            }
            BodyChange::Forget => drop(self.bodies.remove(&report.key)),
            BodyChange::Keep => {}
        }
        match report.state {
            Some(state) => drop(self.pages.insert(report.key, state)),
            None => {
                self.bodies.remove(&report.key);
                self.pages.remove(&report.key);
            }
        }
    }

    /// Inserts the state of a page that comes from elsewhere, without a body.
    pub fn insert(&mut self, key: String, state: PageState) {
        self.pages.insert(key, state);
    }

    /// Stores the state of the site.
    pub fn take_site(&mut self, site: SiteState) {
        self.site = site;
    }
}

impl Pages for MemoryStore {
    fn page(&self, key: &str) -> Option<Cow<'_, PageState>> {
        self.pages.page(key)
    }

    fn after(&self, key: &str) -> Option<(Cow<'_, str>, Cow<'_, PageState>)> {
        self.pages.after(key)
    }

    fn count(&self) -> u64 {
        self.pages.count()
    }
}
