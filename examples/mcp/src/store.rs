//! The store that outlives a call and a run: one redb file.
//!
//! ```text
//! sites    origin                robots.txt, terms of use, sitemaps, policy
//! listed   (origin, page)        the page's twin, hash and date, as the sitemaps have them
//! pages    URL                   validators, title, what the page says about use
//! texts    URL                   the text
//! ```
//!
//! Each change is one transaction: a crash, at any moment, leaves what was there before or what is there after. The number
//! of sites and pages is bounded; those that were read least recently go first.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use redb::{Database, ReadableDatabase as _, ReadableTable as _, TableDefinition};
use robots::SiteRobots;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use signals::Signals;
use tct::{Fingerprint, HeldPage};
use url::Url;

use crate::answers::{HiddenCount, TextSource};
use crate::trouble::Trouble;

const SITES: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("sites");
const LISTED: TableDefinition<'_, (&str, &str), &[u8]> = TableDefinition::new("listed");
const PAGES: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("pages");
const TEXTS: TableDefinition<'_, &str, &str> = TableDefinition::new("texts");

/// Bytes of the file that are kept in memory.
const CACHE_BYTES: usize = 8 << 20;
/// Pages that are held.
const MAX_PAGES: usize = 5_000;
/// Sites that are held, with their lists of pages.
const MAX_SITES: usize = 1_000;

/// A file of terms, or another small file of a site, as it was when it was asked for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SmallFile {
    /// Its text; `None` where it cannot be had.
    pub text: Option<String>,
    /// The status of the answer, 0 where there was none.
    #[serde(default)]
    pub status: u16,
    /// When it was asked for.
    pub asked_at: u64,
}

/// What is known of a sitemap of twins.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SitemapRecord {
    /// Its address.
    pub url: String,
    /// The entity tag that it came with.
    pub etag: Option<String>,
    /// The date that it came with.
    pub last_modified: Option<String>,
    /// When the server sent or confirmed it.
    pub confirmed_at: u64,
}

/// What is known of a site.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SiteRecord {
    /// Its robots.txt.
    pub robots: SiteRobots,
    /// `tdmrep.json`, licences, the policy descriptor, by their addresses.
    pub files: BTreeMap<String, SmallFile>,
    /// Its sitemaps of twins.
    pub sitemaps: Vec<SitemapRecord>,
    /// When the sitemaps were looked for; candidates that were none are not asked for again the same day.
    pub searched_at: u64,
    /// Addresses that were tried as sitemaps and are none.
    pub not_sitemaps: Vec<String>,
    /// Sitemaps and policy descriptors that pages link.
    pub linked_sitemaps: Vec<String>,
    /// Policy descriptors that pages link.
    pub policies: Vec<String>,
    /// Whether pages of the site have a twin or a sitemap linked, as far as they were seen.
    pub used_at: u64,
}

/// A page, as a sitemap lists it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ListedRecord {
    /// Its twin.
    pub m_url: String,
    /// The hash that allows zero-fetch.
    pub hash: Option<Fingerprint>,
    /// When it changed last, as written.
    pub modified: Option<String>,
}

/// What is known of a page that was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageRecord {
    /// The address that answered, after redirects.
    pub url: String,
    /// Where the text came from.
    pub source: TextSource,
    /// The page's title.
    pub title: String,
    /// Who wrote it.
    pub authors: Vec<String>,
    /// When it was published, as the page says.
    pub published: Option<String>,
    /// When it was changed last, as the page says.
    pub modified: Option<String>,
    /// The language.
    pub language: Option<String>,
    /// The F1 to expect.
    pub confidence: Option<f32>,
    /// What was left out since no person sees it.
    pub hidden: Vec<HiddenCount>,
    /// How many of these texts tell their reader what to do.
    pub hidden_instructions: usize,
    /// What a reader should know beside the text.
    pub notes: Vec<String>,
    /// The entity tag of the page; a twin's are in `twin`.
    pub etag: Option<String>,
    /// The date of the page; a twin's is in `twin`.
    pub last_modified: Option<String>,
    /// When the server sent or confirmed the text.
    pub confirmed_at: u64,
    /// Until when the server need not be asked.
    pub fresh_until: u64,
    /// The twin that the text is of.
    pub twin: Option<TwinRecord>,
    /// What the response says about use.
    pub said: Said,
    /// When it was read last, to within an hour.
    pub used_at: u64,
}

/// What is known of a twin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TwinRecord {
    /// Its address.
    pub m_url: String,
    /// Hash and validators.
    pub held: HeldPage,
}

/// What a response says about use, by place.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Said {
    /// The header fields.
    pub fields: Signals,
    /// The page itself.
    pub page: Signals,
    /// Both together: directives add up.
    pub directives: robots::Directives,
    /// Licences that the response names.
    pub licences: Vec<Url>,
    /// Licences that the page holds.
    pub documents: Vec<String>,
}

/// An open store. Cloned, it is the same one.
#[derive(Debug, Clone)]
pub struct Store {
    database: Arc<Database>,
}

impl Store {
    /// Opens the file, or makes it; after a crash it is repaired to the last change.
    ///
    /// # Errors
    /// If it is not a store, is open in another process, or cannot be written.
    pub fn open(path: &Path) -> Result<Self, Trouble> {
        Self::prepare(Database::builder().set_cache_size(CACHE_BYTES).create(path).map_err(Trouble::store)?)
    }

    /// A store that lasts as long as the process.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn in_memory() -> Result<Self, Trouble> {
        let backend = redb::backends::InMemoryBackend::new();
        let database = Database::builder().set_cache_size(CACHE_BYTES).create_with_backend(backend);
        Self::prepare(database.map_err(Trouble::store)?)
    }

    fn prepare(database: Database) -> Result<Self, Trouble> {
        let first = database.begin_write().map_err(Trouble::store)?;
        // To read a table that was never written is an error: make them all.
        first.open_table(SITES).map_err(Trouble::store)?;
        first.open_table(LISTED).map_err(Trouble::store)?;
        first.open_table(PAGES).map_err(Trouble::store)?;
        first.open_table(TEXTS).map_err(Trouble::store)?;
        first.commit().map_err(Trouble::store)?;
        Ok(Store { database: Arc::new(database) })
    }

    /// What is known of a site.
    ///
    /// # Errors
    /// Those of reading the store, as everywhere below.
    pub fn site(&self, origin: &str) -> Result<SiteRecord, Trouble> {
        Ok(self.record(SITES, origin)?.unwrap_or_default())
    }

    /// What is known of a page.
    ///
    /// # Errors
    /// Those of reading the store.
    pub fn page(&self, url: &str) -> Result<Option<PageRecord>, Trouble> {
        self.record(PAGES, url)
    }

    /// The text of a page; `None` where it is not held.
    ///
    /// # Errors
    /// Those of reading the store.
    pub fn text(&self, url: &str) -> Result<Option<String>, Trouble> {
        let read = self.database.begin_read().map_err(Trouble::store)?;
        let table = read.open_table(TEXTS).map_err(Trouble::store)?;
        let text = table.get(url).map_err(Trouble::store)?;
        Ok(text.map(|text| text.value().to_owned()))
    }

    /// How the site's sitemaps list a page.
    ///
    /// # Errors
    /// Those of reading the store.
    pub fn listed(&self, origin: &str, page: &str) -> Result<Option<ListedRecord>, Trouble> {
        let read = self.database.begin_read().map_err(Trouble::store)?;
        let table = read.open_table(LISTED).map_err(Trouble::store)?;
        let value = table.get((origin, page)).map_err(Trouble::store)?;
        value.map(|value| serde_json::from_slice(value.value()).map_err(Trouble::store)).transpose()
    }

    /// All pages that the site's sitemaps list.
    ///
    /// # Errors
    /// Those of reading the store.
    pub fn all_listed(&self, origin: &str) -> Result<Vec<(String, ListedRecord)>, Trouble> {
        let read = self.database.begin_read().map_err(Trouble::store)?;
        let table = read.open_table(LISTED).map_err(Trouble::store)?;
        let mut all = Vec::new();
        for item in table.range((origin, "")..).map_err(Trouble::store)? {
            let (key, value) = item.map_err(Trouble::store)?;
            let (of, page) = key.value();
            if of != origin {
                break;
            }
            all.push((page.to_owned(), serde_json::from_slice(value.value()).map_err(Trouble::store)?));
        }
        Ok(all)
    }

    /// The pages that are held, with their records, those that were read last first; at most so many.
    ///
    /// # Errors
    /// Those of reading the store.
    pub fn recent(&self, most: usize) -> Result<Vec<(String, PageRecord)>, Trouble> {
        let read = self.database.begin_read().map_err(Trouble::store)?;
        let table = read.open_table(PAGES).map_err(Trouble::store)?;
        let mut all = Vec::new();
        for item in table.iter().map_err(Trouble::store)? {
            let (key, value) = item.map_err(Trouble::store)?;
            let record: PageRecord = serde_json::from_slice(value.value()).map_err(Trouble::store)?;
            all.push((key.value().to_owned(), record));
        }
        all.sort_by(|(a, one), (b, two)| (two.used_at, a).cmp(&(one.used_at, b)));
        all.truncate(most);
        Ok(all)
    }

    /// Writes what is known of a site.
    ///
    /// # Errors
    /// Those of writing the store, as everywhere below.
    pub fn put_site(&self, origin: &str, record: &SiteRecord) -> Result<(), Trouble> {
        let json = serde_json::to_vec(record).map_err(Trouble::store)?;
        let write = self.database.begin_write().map_err(Trouble::store)?;
        {
            let mut sites = write.open_table(SITES).map_err(Trouble::store)?;
            let is_new = sites.insert(origin, json.as_slice()).map_err(Trouble::store)?.is_none();
            if is_new && sites.len_of()? > MAX_SITES {
                let mut listed = write.open_table(LISTED).map_err(Trouble::store)?;
                for old in oldest(&sites, origin, |record: &SiteRecord| record.used_at)? {
                    sites.remove(old.as_str()).map_err(Trouble::store)?;
                    listed.retain(|(of, _), _| of != old).map_err(Trouble::store)?;
                }
            }
        }
        write.commit().map_err(Trouble::store)
    }

    /// Writes the pages that a sitemap lists, in place of all that the site's sitemaps listed if `is_first`.
    ///
    /// # Errors
    /// Those of writing the store.
    pub fn put_listed(
        &self,
        origin: &str,
        pages: &[(String, ListedRecord)],
        is_first: bool,
    ) -> Result<(), Trouble> {
        let write = self.database.begin_write().map_err(Trouble::store)?;
        {
            let mut table = write.open_table(LISTED).map_err(Trouble::store)?;
            if is_first {
                let known = self.all_listed(origin)?;
                for (page, _) in known {
                    table.remove((origin, page.as_str())).map_err(Trouble::store)?;
                }
            }
            for (page, record) in pages {
                let json = serde_json::to_vec(record).map_err(Trouble::store)?;
                table.insert((origin, page.as_str()), json.as_slice()).map_err(Trouble::store)?;
            }
        }
        write.commit().map_err(Trouble::store)
    }

    /// Writes a page, and its text where that is new.
    ///
    /// # Errors
    /// Those of writing the store.
    pub fn put_page(&self, url: &str, record: &PageRecord, text: Option<&str>) -> Result<(), Trouble> {
        let json = serde_json::to_vec(record).map_err(Trouble::store)?;
        let write = self.database.begin_write().map_err(Trouble::store)?;
        {
            let mut pages = write.open_table(PAGES).map_err(Trouble::store)?;
            let mut texts = write.open_table(TEXTS).map_err(Trouble::store)?;
            let is_new = pages.insert(url, json.as_slice()).map_err(Trouble::store)?.is_none();
            if let Some(text) = text {
                texts.insert(url, text).map_err(Trouble::store)?;
            }
            if is_new && pages.len_of()? > MAX_PAGES {
                for old in oldest(&pages, url, |record: &PageRecord| record.used_at)? {
                    pages.remove(old.as_str()).map_err(Trouble::store)?;
                    texts.remove(old.as_str()).map_err(Trouble::store)?;
                }
            }
        }
        write.commit().map_err(Trouble::store)
    }

    /// Forgets a page.
    ///
    /// # Errors
    /// Those of writing the store.
    pub fn forget_page(&self, url: &str) -> Result<(), Trouble> {
        if self.page(url)?.is_none() {
            return Ok(());
        }
        let write = self.database.begin_write().map_err(Trouble::store)?;
        {
            write.open_table(PAGES).map_err(Trouble::store)?.remove(url).map_err(Trouble::store)?;
            write.open_table(TEXTS).map_err(Trouble::store)?.remove(url).map_err(Trouble::store)?;
        }
        write.commit().map_err(Trouble::store)
    }

    fn record<T: DeserializeOwned>(
        &self,
        table: TableDefinition<'_, &str, &[u8]>,
        key: &str,
    ) -> Result<Option<T>, Trouble> {
        let read = self.database.begin_read().map_err(Trouble::store)?;
        let table = read.open_table(table).map_err(Trouble::store)?;
        let value = table.get(key).map_err(Trouble::store)?;
        // A record of an earlier version that cannot be read is as good as none: it is fetched again.
        Ok(value.and_then(|value| serde_json::from_slice(value.value()).ok()))
    }
}

trait Len {
    fn len_of(&self) -> Result<usize, Trouble>;
}

impl Len for redb::Table<'_, &'static str, &'static [u8]> {
    fn len_of(&self) -> Result<usize, Trouble> {
        let length = redb::ReadableTableMetadata::len(self).map_err(Trouble::store)?;
        Ok(usize::try_from(length).unwrap_or(usize::MAX))
    }
}

/// The keys of the tenth of the records that were used least recently, without `except`.
fn oldest<T: DeserializeOwned>(
    table: &redb::Table<'_, &'static str, &'static [u8]>,
    except: &str,
    used_at: impl Fn(&T) -> u64,
) -> Result<Vec<String>, Trouble> {
    let mut all: Vec<(u64, String)> = Vec::new();
    for item in table.iter().map_err(Trouble::store)? {
        let (key, value) = item.map_err(Trouble::store)?;
        if key.value() != except {
            let record: Option<T> = serde_json::from_slice(value.value()).ok();
            all.push((record.map_or(0, |record| used_at(&record)), key.value().to_owned()));
        }
    }
    all.sort_unstable();
    let most = all.len() / 10 + 1;
    Ok(all.into_iter().take(most).map(|(_, key)| key).collect())
}
