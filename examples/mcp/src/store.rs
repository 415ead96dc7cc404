//! The store that outlives a call and a run: one redb file.
//!
//! ```text
//! sites    origin                robots.txt, terms of use, sitemaps, policy
//! listing  origin, page, sitemap the page's twin, hash and date, as this sitemap has them
//! pages    URL                   validators, title, what the page says about use
//! texts    URL                   the text
//! ```
//!
//! Each change is one transaction: a crash, at any moment, leaves what was there before or what is there after. The number
//! of sites and pages is bounded; those that were read least recently go first.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use redb::{Database, ReadableDatabase as _, ReadableTable, TableDefinition};
use robots::SiteRobots;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use signals::Signals;
use tct::{Fingerprint, HeldPage};
use url::Url;

use crate::answers::{HiddenCount, TextSource};
use crate::permission::address_of;
use crate::trouble::Trouble;

const SITES: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("sites");
const LISTING: TableDefinition<'_, (&str, &str, &str), &[u8]> = TableDefinition::new("listing");
/// Of an earlier version: its keys do not say which sitemap lists the page.
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
    /// The status of the answer, 0 where there was none and where the text is of an earlier one.
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
    /// Its sitemaps of twins. Those of an earlier version are fetched anew, since their pages are not held.
    #[serde(default, rename = "listing")]
    pub sitemaps: Vec<SitemapRecord>,
    /// When the sitemaps were looked for; candidates that were none are not asked for again the same day.
    pub searched_at: u64,
    /// Addresses that were tried as sitemaps and are none.
    pub not_sitemaps: Vec<String>,
    /// Sitemaps that pages link, the latest first.
    pub linked_sitemaps: Vec<String>,
    /// Policy descriptors that pages link, the latest first.
    pub policies: Vec<String>,
    /// When the site was asked about last, to within an hour.
    pub used_at: u64,
}

/// A page, as sitemaps list it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ListedRecord {
    /// Its twin.
    pub m_url: String,
    /// The hash that allows zero-fetch.
    pub hash: Option<Fingerprint>,
    /// When it changed last, as written.
    pub modified: Option<String>,
    /// The sitemaps that list it.
    #[serde(skip)]
    pub sitemaps: Vec<String>,
}

impl ListedRecord {
    /// Adds another entry for the page. Which of two that disagree is right is unknown (TCT-AMB-36): without a hash, the
    /// twin is asked for.
    pub(crate) fn merge(&mut self, other: ListedRecord) {
        let agrees = other.m_url == self.m_url && other.hash == self.hash;
        self.hash = self.hash.filter(|_| agrees);
        self.modified = self.modified.take().max(other.modified);
        self.sitemaps.extend(other.sitemaps);
    }
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
        let opened = Database::builder().set_cache_size(CACHE_BYTES).create(path);
        Self::prepare(opened.map_err(|error| Trouble::store(format!("{}: {error}", path.display())))?)
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
        first.open_table(LISTING).map_err(Trouble::store)?;
        first.delete_table(LISTED).map_err(Trouble::store)?;
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
        let found = self.listing((origin, page, "")..(origin, &after(page), ""))?;
        Ok(found.into_iter().next().map(|(_, listed)| listed))
    }

    /// All pages that the site's sitemaps list.
    ///
    /// # Errors
    /// Those of reading the store.
    pub fn all_listed(&self, origin: &str) -> Result<Vec<(String, ListedRecord)>, Trouble> {
        self.listing((origin, "", "")..(&after(origin), "", ""))
    }

    fn listing(&self, keys: Range<(&str, &str, &str)>) -> Result<Vec<(String, ListedRecord)>, Trouble> {
        let read = self.database.begin_read().map_err(Trouble::store)?;
        let table = read.open_table(LISTING).map_err(Trouble::store)?;
        let mut all: Vec<(String, ListedRecord)> = Vec::new();
        for item in table.range(keys).map_err(Trouble::store)? {
            let (key, value) = item.map_err(Trouble::store)?;
            let (_, page, sitemap) = key.value();
            let mut listed: ListedRecord = serde_json::from_slice(value.value()).map_err(Trouble::store)?;
            listed.sitemaps.push(sitemap.to_owned());
            match all.last_mut().filter(|(before, _)| before == page) {
                Some((_, before)) => before.merge(listed),
                None => all.push((page.to_owned(), listed)),
            }
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

    /// Changes what is known of a site, and gives it back. Of what another call has written meanwhile, nothing is lost.
    ///
    /// # Errors
    /// Those of writing the store, as everywhere below.
    pub fn update_site(
        &self,
        origin: &str,
        change: impl FnOnce(&mut SiteRecord),
    ) -> Result<SiteRecord, Trouble> {
        let write = self.database.begin_write().map_err(Trouble::store)?;
        let mut record;
        {
            let mut sites = write.open_table(SITES).map_err(Trouble::store)?;
            record = record_in(&sites, origin)?.unwrap_or_default();
            change(&mut record);
            let json = serde_json::to_vec(&record).map_err(Trouble::store)?;
            let is_new = sites.insert(origin, json.as_slice()).map_err(Trouble::store)?.is_none();
            if is_new && sites.len_of()? > MAX_SITES {
                let mut listing = write.open_table(LISTING).map_err(Trouble::store)?;
                for old in oldest(&sites, origin, |record: &SiteRecord| record.used_at)? {
                    sites.remove(old.as_str()).map_err(Trouble::store)?;
                    listing.retain(|(of, _, _), _| of != old).map_err(Trouble::store)?;
                }
            }
        }
        write.commit().map_err(Trouble::store)?;
        Ok(record)
    }

    /// Writes the pages that a sitemap lists, in place of those that it listed before.
    ///
    /// # Errors
    /// Those of writing the store.
    pub fn put_listed(
        &self,
        origin: &str,
        sitemap: &str,
        pages: &BTreeMap<String, ListedRecord>,
    ) -> Result<(), Trouble> {
        let write = self.database.begin_write().map_err(Trouble::store)?;
        {
            let mut table = write.open_table(LISTING).map_err(Trouble::store)?;
            let end = after(origin);
            let of_site = (origin, "", "")..(end.as_str(), "", "");
            table.retain_in(of_site, |(_, _, of), _| of != sitemap).map_err(Trouble::store)?;
            for (page, record) in pages {
                let json = serde_json::to_vec(record).map_err(Trouble::store)?;
                table.insert((origin, page.as_str(), sitemap), json.as_slice()).map_err(Trouble::store)?;
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

    /// Forgets a page under all its keys: the one given, the same for the other way to read it, and those whose request ended
    /// at its address. Looks through all pages. With `keeps_twins`, texts of twins stay.
    ///
    /// # Errors
    /// Those of writing the store.
    pub fn forget_page(&self, key: &str, keeps_twins: bool) -> Result<(), Trouble> {
        #[derive(Deserialize)]
        struct Brief {
            url: String,
            source: TextSource,
        }
        let address = address_of(key);
        let mut keys = Vec::new();
        {
            let read = self.database.begin_read().map_err(Trouble::store)?;
            let table = read.open_table(PAGES).map_err(Trouble::store)?;
            for item in table.iter().map_err(Trouble::store)? {
                let (key, value) = item.map_err(Trouble::store)?;
                let page: Option<Brief> = serde_json::from_slice(value.value()).ok();
                let is_it = address_of(key.value()) == address
                    || page.as_ref().is_some_and(|page| page.url == address);
                if is_it && !(keeps_twins && page.is_some_and(|page| page.source == TextSource::Twin)) {
                    keys.push(key.value().to_owned());
                }
            }
        }
        if keys.is_empty() {
            return Ok(());
        }
        let write = self.database.begin_write().map_err(Trouble::store)?;
        {
            let mut pages = write.open_table(PAGES).map_err(Trouble::store)?;
            let mut texts = write.open_table(TEXTS).map_err(Trouble::store)?;
            for key in &keys {
                pages.remove(key.as_str()).map_err(Trouble::store)?;
                texts.remove(key.as_str()).map_err(Trouble::store)?;
            }
        }
        write.commit().map_err(Trouble::store)
    }

    fn record<T: DeserializeOwned>(
        &self,
        table: TableDefinition<'_, &str, &[u8]>,
        key: &str,
    ) -> Result<Option<T>, Trouble> {
        let read = self.database.begin_read().map_err(Trouble::store)?;
        record_in(&read.open_table(table).map_err(Trouble::store)?, key)
    }
}

fn record_in<T: DeserializeOwned>(
    table: &impl ReadableTable<&'static str, &'static [u8]>,
    key: &str,
) -> Result<Option<T>, Trouble> {
    let value = table.get(key).map_err(Trouble::store)?;
    // A record of an earlier version that cannot be read is as good as none: it is fetched again.
    Ok(value.and_then(|value| serde_json::from_slice(value.value()).ok()))
}

/// The first key after this one.
fn after(key: &str) -> String {
    format!("{key}\0")
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
