//! The crawler's store: one redb file; changes that belong together are one transaction.
//!
//! ```text
//! crawl      the crawl that is under way, and what it came to so far
//! frontier   (site, priority, number)   what is still to do
//! seen       page                       the crawl in which it was last queued
//! quotas     origin                     the crawl that the site is in, and pages that were queued in it
//! sites      origin                     robots.txt, and what a TCT crawl keeps of the site
//! pages      (origin, twin)             what a TCT crawl keeps of a page
//! entries    URL                        what is held: validators, kind, title
//! bodies     URL                        its bytes, unless it is a twin
//! twins      (origin, twin)             the twin's bytes
//! pauses     host                       until when it asked to be left alone
//! about      "version"                  the form of all these
//! ```
//!
//! A task leaves the frontier in the same transaction in which its results come in. So a crash, at any moment, leaves
//! the task or its results, never both and never neither.
//!
//! A site with pages left when a new crawl begins stays in the crawl that it is in: it keeps no other site waiting, and goes
//! through its pages in its own time. [`Writer`](crate::writer::Writer) makes the transactions;
//! here are the tables, the records, and what reads them.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use redb::{
    Database, ReadOnlyTable, ReadTransaction, ReadableDatabase as _, ReadableTable as _, Table,
    TableDefinition, TableError, WriteTransaction,
};
use robots::SiteRobots;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use signals::Signals;
use tct::{HeldPage, PageState, PolicyDescriptor, SiteState, UnixSeconds};
use url::Url;

use crate::CrawlerError;
use crate::clock::is_to_come;
use crate::output::Counts;
use crate::steps::terms::Terms;
use crate::task::Task;
use crate::writer::put;

const CRAWL: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("crawl");
const FRONTIER: TableDefinition<'_, (&str, u8, u64), &[u8]> = TableDefinition::new("frontier");
const SEEN: TableDefinition<'_, &str, u64> = TableDefinition::new("seen");
const SITES: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("sites");
const PAGES: TableDefinition<'_, (&str, &str), &[u8]> = TableDefinition::new("pages");
const ENTRIES: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("entries");
const BODIES: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("bodies");
const TWINS: TableDefinition<'_, (&str, &str), &[u8]> = TableDefinition::new("twins");
const QUOTAS: TableDefinition<'_, &str, (u64, u64)> = TableDefinition::new("quotas");
const PAUSES: TableDefinition<'_, &str, u64> = TableDefinition::new("pauses");
const ABOUT: TableDefinition<'_, &str, u64> = TableDefinition::new("about");
/// The form of the records; another number is another form. Under [`ABOUT`] as `version`.
const VERSION: u64 = 2;
/// Bytes of the file that stay in memory; redb takes a gigabyte unless it is told.
const CACHE: usize = 32 << 20;
/// The one key of [`CRAWL`].
pub(crate) const CURRENT: &str = "current";

/// All tables, open for writing.
pub(crate) struct Tables<'t> {
    pub(crate) crawl: Table<'t, &'static str, &'static [u8]>,
    pub(crate) frontier: Table<'t, (&'static str, u8, u64), &'static [u8]>,
    pub(crate) seen: Table<'t, &'static str, u64>,
    pub(crate) quotas: Table<'t, &'static str, (u64, u64)>,
    pub(crate) sites: Table<'t, &'static str, &'static [u8]>,
    pub(crate) pages: Table<'t, (&'static str, &'static str), &'static [u8]>,
    pub(crate) entries: Table<'t, &'static str, &'static [u8]>,
    pub(crate) bodies: Table<'t, &'static str, &'static [u8]>,
    pub(crate) twins: Table<'t, (&'static str, &'static str), &'static [u8]>,
    pub(crate) pauses: Table<'t, &'static str, u64>,
}

impl<'t> Tables<'t> {
    pub(crate) fn open(transaction: &'t WriteTransaction) -> Result<Self, CrawlerError> {
        Ok(Tables {
            crawl: transaction.open_table(CRAWL)?,
            frontier: transaction.open_table(FRONTIER)?,
            seen: transaction.open_table(SEEN)?,
            quotas: transaction.open_table(QUOTAS)?,
            sites: transaction.open_table(SITES)?,
            pages: transaction.open_table(PAGES)?,
            entries: transaction.open_table(ENTRIES)?,
            bodies: transaction.open_table(BODIES)?,
            twins: transaction.open_table(TWINS)?,
            pauses: transaction.open_table(PAUSES)?,
        })
    }

    fn crawl(&self) -> Result<CrawlRecord, CrawlerError> {
        let record = self.crawl.get(CURRENT)?;
        record
            .map_or_else(|| Ok(CrawlRecord::default()), |record| Ok(serde_json::from_slice(record.value())?))
    }
}

/// The crawl that is under way, or was the last.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CrawlRecord {
    /// The first is 1.
    pub number: u64,
    /// Whether its last run came to its end. What is left to do then waits for its host.
    #[serde(alias = "is_finished")]
    pub has_ended: bool,
    /// The number of the next task.
    pub next_task: u64,
    /// What it came to so far.
    pub counts: Counts,
}

/// What is known of a site.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SiteRecord {
    /// Its robots.txt.
    pub robots: SiteRobots,
    /// What a TCT crawl keeps of it: sitemaps, policy, pace.
    pub tct: SiteState,
    /// What it says about use in files of their own.
    pub terms: Terms,
    /// The crawl in which its twins were visited last.
    pub twins_visited_in: u64,
    /// A hash of what it said, and to what purpose, when its texts were looked through for uses that it denies.
    #[serde(default)]
    pub heard: String,
}

impl SiteRecord {
    /// What the site's policy states; nothing where it has none.
    #[must_use]
    pub fn policy(&self) -> PolicyDescriptor {
        let read = PolicyDescriptor::parse(self.tct.policy_json.as_bytes());
        read.map_or_else(|_| PolicyDescriptor::default(), |(policy, _)| policy)
    }
}

/// What is known of a page's twin.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PageRecord {
    /// What a TCT crawl keeps of the page.
    pub state: PageState,
    /// How the last visit ended, such as `store` or `not-found`.
    pub last: String,
    /// What the twin's own responses said, as long as its text is held. The page's entry has that of the twin that it shows;
    /// another one that it shows later has its own here.
    #[serde(default)]
    pub said: Option<Said>,
}

/// What a twin's responses said about its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Said {
    /// The title.
    pub title: String,
    /// As [`Entry::usage`].
    pub usage: Signals,
    /// As [`Entry::licences`].
    pub licences: Option<Vec<Url>>,
}

impl Said {
    /// What is said of the text that an entry shows.
    #[must_use]
    pub fn of(entry: &Entry) -> Self {
        let Entry { title, usage, licences, .. } = entry.clone();
        Said { title, usage, licences }
    }

    /// The entry of the same page with this about the text in it.
    pub(crate) fn on(self, entry: &Entry) -> Entry {
        let Said { title, usage, licences } = self;
        Entry { title, usage, licences, ..entry.clone() }
    }
}

impl PageRecord {
    /// Whether the twin is gone, as far as anybody can tell: no sitemap lists it, and it is not there.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.state.unlisted_since.is_some() && self.last == "not-found"
    }

    /// The site does not want its text to be used: nothing of it is held, and it is not asked for before that time.
    pub(crate) fn refuse_use(&mut self, not_before: Option<UnixSeconds>) {
        (self.state.held, self.said) = (None, None);
        self.state.not_before = not_before;
        "refused-use".clone_into(&mut self.last);
    }

    /// Whether the twin cannot be had, so that the page itself is to be read.
    #[must_use]
    pub fn needs_html(&self) -> bool {
        self.state.held.is_none() && matches!(self.last.as_str(), "refuse" | "not-found")
    }
}

/// The kind of a stored body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A TCT payload: a page as its publisher wrote it for machines.
    Twin,
    /// An AIDocument: a page as it was extracted from HTML.
    Document,
    /// An llmindex manifest.
    Manifest,
    /// A product feed.
    Feed,
}

/// What is held under one URL: a page has one entry, by its twin or by its document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// What the body is.
    pub kind: Kind,
    /// The URL that the body came from; of a twin the key of its page's state.
    pub source: String,
    /// Other twins of the page that are held too: of two drafts, say, the one that was stored last is the entry's.
    pub others: Vec<String>,
    /// Validators, and when the server last confirmed the body.
    pub held: HeldPage,
    /// Until when the server need not be asked.
    pub fresh_until: u64,
    /// The title, where there is one.
    pub title: String,
    /// What its response said about the use of it. What the site says beside it is looked up where it is asked for, since it
    /// may have changed.
    pub usage: Signals,
    /// The licences that the response named; `None` in records of before they were kept, whose `usage` is that of response and
    /// site together.
    #[serde(default)]
    pub licences: Option<Vec<Url>>,
    /// Whether the page's links may be followed.
    pub follows_links: bool,
}

impl Entry {
    /// Whether the server need not be asked. A body that was confirmed later than now was so under a clock that ran ahead.
    #[must_use]
    pub fn is_fresh(&self, now: UnixSeconds) -> bool {
        self.held.validated_at <= now && now.0 < self.fresh_until
    }
}

/// The origin of a URL, as the tables have it.
pub(crate) fn origin_of(url: &str) -> String {
    Url::parse(url).map(|url| url.origin().ascii_serialization()).unwrap_or_default()
}

/// The place of a task in the frontier.
pub type TaskKey = (u8, u64);

/// Does this work in the store. redb panics where what it reads cannot be what it wrote; here that is an error.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, CrawlerError>) -> Result<T, CrawlerError> {
    // After a panic nothing more is written: redb gives up the transaction, and the crawl ends.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(CrawlerError::Damaged))
}

/// An open store.
#[derive(Debug, Clone)]
pub struct Store {
    engine: Arc<Engine>,
}

/// The database, until it is closed: that may find the damage too.
#[derive(Debug)]
struct Engine(Option<Database>);

impl Engine {
    fn database(&self) -> Result<&Database, CrawlerError> {
        self.0.as_ref().ok_or(CrawlerError::Ended("the store"))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let database = self.0.take();
        // Whoever used the store before was told, or did not come across it.
        let _damaged = guarded(|| {
            drop(database);
            Ok(())
        });
    }
}

impl Store {
    /// Opens the file, or makes it; after a crash it is repaired to the last commit.
    ///
    /// # Errors
    /// `Locked` if another process has it open, `Version` if another version of this program made it, `DiskFull`, `Damaged`,
    /// and `File` if it is not a store or cannot be read.
    pub fn open(path: &Path) -> Result<Self, CrawlerError> {
        guarded(|| Self::of(Database::builder().set_cache_size(CACHE).create(path)?)).map_err(|error| {
            match error {
                CrawlerError::Store(why) => {
                    CrawlerError::File { path: path.to_owned(), why: why.to_string() }
                }
                error => error,
            }
        })
    }

    fn of(database: Database) -> Result<Self, CrawlerError> {
        let engine = Engine(Some(database));
        let database = engine.database()?;
        let read = database.begin_read()?;
        let is_new = read.list_tables()?.next().is_none();
        let found = match read.open_table(ABOUT) {
            Ok(about) => about.get("version")?.map_or(0, |version| version.value()),
            Err(TableError::TableDoesNotExist(_)) => 0,
            Err(error) => return Err(error.into()),
        };
        if is_new || found == 1 {
            let first = database.begin_write()?;
            first.open_table(ABOUT)?.insert("version", VERSION)?;
            // To read a table that was never written is an error: make them all.
            let mut tables = Tables::open(&first)?;
            // The first form kept the quotas of earlier crawls.
            let number = tables.crawl()?.number;
            tables.quotas.retain(|_, (crawl, _)| crawl == number)?;
            drop(tables);
            first.commit()?;
        } else if found != VERSION {
            return Err(CrawlerError::Version { found: found.to_string() });
        }
        drop(read);
        Ok(Store { engine: Arc::new(engine) })
    }

    /// A store with its file elsewhere, such as in memory.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn on(backend: impl redb::StorageBackend) -> Result<Self, CrawlerError> {
        guarded(|| Self::of(Database::builder().create_with_backend(backend)?))
    }

    /// The crawl that is under way, or was the last.
    ///
    /// # Errors
    /// Those of reading the store, as everywhere below.
    pub fn crawl(&self) -> Result<CrawlRecord, CrawlerError> {
        Ok(self.record(CRAWL, CURRENT)?.unwrap_or_default())
    }

    /// The number of the crawl that a site is in.
    ///
    /// # Errors
    /// Those of reading the store.
    pub fn crawl_of(&self, site: &str) -> Result<u64, CrawlerError> {
        let own = self.read(|read| Ok(read.open_table(QUOTAS)?.get(site)?.map(|quota| quota.value().0)))?;
        own.map_or_else(|| Ok(self.crawl()?.number), Ok)
    }

    /// What is known of a site.
    ///
    /// # Errors
    /// Those of reading the store.
    pub fn site(&self, origin: &str) -> Result<SiteRecord, CrawlerError> {
        Ok(self.record(SITES, origin)?.unwrap_or_default())
    }

    /// What is held under a URL.
    ///
    /// # Errors
    /// Those of reading the store.
    pub fn entry(&self, url: &str) -> Result<Option<Entry>, CrawlerError> {
        self.record(ENTRIES, url)
    }

    /// The bytes held under a URL; empty where there are none.
    ///
    /// # Errors
    /// Those of reading the store.
    pub fn body(&self, url: &str) -> Result<Vec<u8>, CrawlerError> {
        self.read(|read| {
            let body = read.open_table(BODIES)?.get(url)?;
            Ok(body.map(|body| body.value().to_vec()).unwrap_or_default())
        })
    }

    /// The bytes of a twin.
    ///
    /// # Errors
    /// Those of reading the store.
    pub fn twin(&self, site: &str, key: &str) -> Result<Option<Vec<u8>>, CrawlerError> {
        self.read(|read| {
            let body = read.open_table(TWINS)?.get((site, key))?;
            Ok(body.map(|body| body.value().to_vec()))
        })
    }

    /// The next task of a site: the first that is due at `now`, or else the one that is due soonest.
    ///
    /// # Errors
    /// Those of reading the store.
    pub fn next_task(&self, site: &str, now: u64) -> Result<Option<(TaskKey, Task)>, CrawlerError> {
        self.read(|read| {
            let table = read.open_table(FRONTIER)?;
            let mut soonest: Option<(TaskKey, Task)> = None;
            for item in table.range((site, 0, 0)..=(site, u8::MAX, u64::MAX))? {
                let (key, value) = item?;
                let (_, priority, number) = key.value();
                let task: Task = serde_json::from_slice(value.value())?;
                if !is_to_come(task.not_before, now) {
                    return Ok(Some(((priority, number), task)));
                }
                if soonest.as_ref().is_none_or(|(_, other)| task.not_before < other.not_before) {
                    soonest = Some(((priority, number), task));
                }
            }
            Ok(soonest)
        })
    }

    /// The sites that have something to do, and how many tasks there are.
    ///
    /// # Errors
    /// Those of reading the store.
    pub fn sites_with_tasks(&self) -> Result<(Vec<String>, u64), CrawlerError> {
        self.read(|read| {
            let table = read.open_table(FRONTIER)?;
            let (mut sites, mut tasks) = (Vec::<String>::new(), 0);
            for item in table.iter()? {
                let (key, _) = item?;
                let (site, _, _) = key.value();
                if sites.last().is_none_or(|last| last != site) {
                    sites.push(site.to_owned());
                }
                tasks += 1;
            }
            Ok((sites, tasks))
        })
    }

    /// Opens a crawl. A site where pages or feeds were found that are due within `max_wait` seconds stays in the crawl that it
    /// is in. The others begin anew, and what is left of them is not queued once more. A restart forgets all tasks first.
    ///
    /// # Errors
    /// Those of writing the store.
    pub fn begin_crawl(&self, is_restart: bool, now: u64, max_wait: u64) -> Result<(), CrawlerError> {
        guarded(|| {
            let transaction = self.begin_write()?;
            let mut tables = Tables::open(&transaction)?;
            let before = tables.crawl()?;
            let number = before.number + 1;
            if is_restart {
                tables.frontier.retain(|_, _| false)?;
            }
            let (mut staying, mut tasks) = (BTreeSet::new(), Vec::new());
            for item in tables.frontier.iter()? {
                let (key, value) = item?;
                let (site, task): (_, Task) =
                    (key.value().0.to_owned(), serde_json::from_slice(value.value())?);
                let is_due = !is_to_come(task.not_before, now) || task.not_before - now <= max_wait;
                if is_due && !task.work.is_first() {
                    staying.insert(site.clone());
                }
                tasks.push((task.work.once(&site), site));
            }
            tables.quotas.retain(|site, _| staying.contains(site))?;
            for site in &staying {
                if tables.quotas.get(site.as_str())?.is_none() {
                    tables.quotas.insert(site.as_str(), (before.number, 0))?;
                }
            }
            for (once, _) in tasks.iter().filter(|(_, site)| !staying.contains(site)) {
                tables.seen.insert(once.as_str(), number)?;
            }
            let counts = Counts { queued: tasks.len() as u64, ..Counts::default() };
            put(&mut tables.crawl, CURRENT, &CrawlRecord { number, has_ended: false, counts, ..before })?;
            drop(tables);
            Ok(transaction.commit()?)
        })
    }

    /// What is known of the pages of a site, as it is now.
    ///
    /// # Errors
    /// Those of reading the store.
    pub fn pages(&self, site: &str) -> Result<SitePages, CrawlerError> {
        self.read(|read| Ok(SitePages { table: read.open_table(PAGES)?, site: site.to_owned() }))
    }

    /// What is known of the page with this twin.
    ///
    /// # Errors
    /// Those of reading the store.
    pub fn page(&self, site: &str, key: &str) -> Result<Option<PageRecord>, CrawlerError> {
        self.pages(site)?.record(key)
    }

    /// Whether the page at this URL is held by its twin.
    ///
    /// # Errors
    /// Those of reading the store.
    pub fn has_twin(&self, site: &str, url: &str) -> Result<bool, CrawlerError> {
        let Some(entry) = self.entry(url)?.filter(|entry| entry.kind == Kind::Twin) else { return Ok(false) };
        Ok(self.page(site, &entry.source)?.is_some_and(|record| !record.is_gone()))
    }

    /// Hosts that are to be left alone at `now`, and until when. All other pauses are forgotten.
    ///
    /// # Errors
    /// Those of reading and writing the store.
    pub fn pauses(&self, now: u64) -> Result<Vec<(String, u64)>, CrawlerError> {
        guarded(|| {
            let transaction = self.begin_write()?;
            let mut pauses = Vec::new();
            Tables::open(&transaction)?.pauses.retain(|host, until| {
                let lasts = is_to_come(until, now);
                if lasts {
                    pauses.push((host.to_owned(), until));
                }
                lasts
            })?;
            transaction.commit()?;
            Ok(pauses)
        })
    }

    /// Everything that is held, in the order of the URLs, handed to `take` one by one.
    ///
    /// # Errors
    /// Those of reading the store, and those of `take`.
    pub fn each_entry(
        &self,
        mut take: impl FnMut(&str, &Entry, &[u8]) -> Result<(), CrawlerError>,
    ) -> Result<(), CrawlerError> {
        self.read(|read| {
            let entries = read.open_table(ENTRIES)?;
            let (bodies, twins) = (read.open_table(BODIES)?, read.open_table(TWINS)?);
            for item in entries.iter()? {
                let (url, entry) = item?;
                let entry: Entry = serde_json::from_slice(entry.value())?;
                let body = match entry.kind {
                    Kind::Twin => twins.get((origin_of(&entry.source).as_str(), entry.source.as_str()))?,
                    _ => bodies.get(url.value())?,
                };
                take(url.value(), &entry, body.as_ref().map_or(&[], |body| body.value()))?;
            }
            Ok(())
        })
    }

    /// What is held of a site, at most `count` entries behind the URL `after`; `""` comes before all.
    ///
    /// # Errors
    /// Those of reading the store.
    pub fn entries_after(
        &self,
        site: &str,
        after: &str,
        count: usize,
    ) -> Result<Vec<(String, Entry)>, CrawlerError> {
        // Each URL of the site begins so, and none of another port or host.
        let prefix = format!("{site}/");
        let from = if after.is_empty() { prefix.as_str() } else { after };
        self.read(|read| {
            let (mut found, table) = (Vec::new(), read.open_table(ENTRIES)?);
            for item in table.range(from..)? {
                let (url, entry) = item?;
                if !url.value().starts_with(&prefix) || found.len() == count {
                    break;
                }
                if url.value() != after {
                    found.push((url.value().to_owned(), serde_json::from_slice(entry.value())?));
                }
            }
            Ok(found)
        })
    }

    fn record<T: DeserializeOwned>(
        &self,
        table: TableDefinition<'_, &str, &[u8]>,
        key: &str,
    ) -> Result<Option<T>, CrawlerError> {
        self.read(|read| {
            let value = read.open_table(table)?.get(key)?;
            value.map(|value| Ok(serde_json::from_slice(value.value())?)).transpose()
        })
    }

    pub(crate) fn begin_write(&self) -> Result<WriteTransaction, CrawlerError> {
        Ok(self.engine.database()?.begin_write()?)
    }

    fn read<T>(
        &self,
        read: impl FnOnce(&ReadTransaction) -> Result<T, CrawlerError>,
    ) -> Result<T, CrawlerError> {
        guarded(|| read(&self.engine.database()?.begin_read()?))
    }
}

/// The pages of one site.
#[derive(Debug)]
pub struct SitePages {
    table: ReadOnlyTable<(&'static str, &'static str), &'static [u8]>,
    site: String,
}

impl SitePages {
    /// Every page of the site, with its key.
    ///
    /// # Errors
    /// Those of reading the store.
    pub fn each(
        &self,
        mut take: impl FnMut(&str, PageRecord) -> Result<(), CrawlerError>,
    ) -> Result<(), CrawlerError> {
        let mut at = String::new();
        while let Some((key, record)) = self.next_after(&at)? {
            take(&key, record)?;
            at = key;
        }
        Ok(())
    }

    fn record(&self, key: &str) -> Result<Option<PageRecord>, CrawlerError> {
        guarded(|| {
            let value = self.table.get((self.site.as_str(), key))?;
            value.map(|value| Ok(serde_json::from_slice(value.value())?)).transpose()
        })
    }

    pub(crate) fn next_after(&self, key: &str) -> Result<Option<(String, PageRecord)>, CrawlerError> {
        let site = self.site.as_str();
        guarded(|| {
            let range = self.table.range::<(&str, &str)>((Bound::Excluded((site, key)), Bound::Unbounded))?;
            let Some(item) = range.into_iter().next() else { return Ok(None) };
            let (found, value) = item?;
            match found.value() {
                (of, key) if of == site => Ok(Some((key.to_owned(), serde_json::from_slice(value.value())?))),
                _ => Ok(None),
            }
        })
    }

    pub(crate) fn count(&self) -> Result<u64, CrawlerError> {
        let site = self.site.as_str();
        guarded(|| {
            let mut count = 0;
            for item in self.table.range::<(&str, &str)>((site, "")..)? {
                let (found, _) = item?;
                if found.value().0 != site {
                    break;
                }
                count += 1;
            }
            Ok(count)
        })
    }
}
