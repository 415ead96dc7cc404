//! The writer: takes the changes of all sites, commits them, then prints their lines.
//!
//! ```text
//! site a ──Changes──┐
//! site b ──Changes──┼──▶ one transaction ──commit (on the disk)──▶ lines to the output ──▶ each site goes on
//! site c ──Changes──┘
//! ```
//!
//! A line is printed after the commit that makes it true. Changes that come while a commit is under way share the
//! next one, so that many sites cost no more commits than one.

use std::io::Write;
use std::thread::JoinHandle;

use redb::{ReadableTable as _, Table};
use serde::Serialize;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;

use crate::CrawlerError;
use crate::output::{Counts, Line};
use crate::progress::Progress;
use crate::store::{
    CURRENT, CrawlRecord, Entry, Kind, PageRecord, SiteRecord, Store, Tables, TaskKey, guarded,
};
use crate::task::{Task, Work};

/// Further twins of one page that are held.
const MAX_TWINS: usize = 3;
/// Changes that share a commit, at most.
const MAX_BATCH: usize = 64;

/// The changes of one task: all are stored, or none.
#[derive(Debug, Default)]
pub struct Changes {
    /// The site's origin.
    pub site: String,
    /// The task that is done.
    pub done: Option<TaskKey>,
    /// What is now known of the site.
    pub record: Option<SiteRecord>,
    /// What is held from now on: URL, facts, and the body unless the held one stays.
    pub entries: Vec<(String, Entry, Option<Vec<u8>>)>,
    /// What is known of pages of TCT, by the keys of their states; `None`: nothing any more.
    pub pages: Vec<(String, Option<PageRecord>)>,
    /// A twin whose page has another URL from now on: the former one, the new one, and the twin's key.
    pub moved: Option<(String, String, String)>,
    /// What is held no more: URL, and the source that it came from.
    pub forgotten: Vec<(String, String)>,
    /// Pages that need no task in this crawl.
    pub seen: Vec<String>,
    /// More to do on this site; what was queued in this crawl already is left out.
    pub tasks: Vec<Task>,
    /// The same task once more.
    pub again: Option<Task>,
    /// More to do on other sites.
    pub elsewhere: Vec<(String, Task)>,
    /// A host that asks to be left alone until then.
    pub pause: Option<(String, u64)>,
    /// What to add to the counts.
    pub counts: Counts,
    /// Lines to print after the commit.
    pub lines: Vec<Line>,
}

impl Changes {
    /// Nothing but this line.
    #[must_use]
    pub fn line(line: Line) -> Self {
        Changes { lines: vec![line], ..Changes::default() }
    }
}

/// Tells that a message was stored.
type Reply = oneshot::Sender<()>;

enum Message {
    Commit(Box<Changes>, Reply),
    /// Set the record of the crawl.
    Crawl(Box<dyn FnOnce(&mut CrawlRecord) + Send>, Reply),
}

/// The handle that sites hold.
#[derive(Debug, Clone)]
pub struct Writer {
    messages: Sender<Message>,
}

/// The thread behind the handles; it ends with the last of them.
#[derive(Debug)]
pub struct WriterThread(JoinHandle<Result<(), CrawlerError>>);

impl Writer {
    /// Starts the thread. `max_pages` bounds the pages that are queued for one site in one crawl.
    #[expect(clippy::disallowed_methods, reason = "commits wait for the disk, on a thread of their own")]
    pub fn start(
        store: Store,
        out: Box<dyn Write + Send>,
        progress: Progress,
        max_pages: u64,
    ) -> (Writer, WriterThread) {
        let (messages, inbox) = channel(MAX_BATCH);
        let thread = std::thread::spawn(move || Desk { store, out, progress, max_pages }.run(inbox));
        (Writer { messages }, WriterThread(thread))
    }

    /// Stores the changes; when this returns they are on the disk, and their lines are out.
    ///
    /// # Errors
    /// [`CrawlerError::Ended`] if the thread has failed; [`WriterThread::join`] says why.
    pub async fn commit(&self, changes: Changes) -> Result<(), CrawlerError> {
        self.send(|reply| Message::Commit(Box::new(changes), reply)).await
    }

    /// Changes the record of the crawl.
    ///
    /// # Errors
    /// As [`Writer::commit`].
    pub async fn update_crawl(
        &self,
        change: impl FnOnce(&mut CrawlRecord) + Send + 'static,
    ) -> Result<(), CrawlerError> {
        self.send(|reply| Message::Crawl(Box::new(change), reply)).await
    }

    async fn send(&self, message: impl FnOnce(Reply) -> Message) -> Result<(), CrawlerError> {
        const ENDED: CrawlerError = CrawlerError::Ended("the writer");
        let (reply, done) = oneshot::channel();
        self.messages.send(message(reply)).await.map_err(|_| ENDED)?;
        done.await.map_err(|_| ENDED)
    }
}

impl WriterThread {
    /// Waits for its end, which comes with that of the last [`Writer`].
    ///
    /// # Errors
    /// What made it end early.
    pub fn join(self) -> Result<(), CrawlerError> {
        self.0.join().unwrap_or(Err(CrawlerError::Ended("the writer")))
    }
}

struct Desk {
    store: Store,
    out: Box<dyn Write + Send>,
    progress: Progress,
    max_pages: u64,
}

impl Desk {
    fn run(mut self, mut inbox: Receiver<Message>) -> Result<(), CrawlerError> {
        while let Some(first) = inbox.blocking_recv() {
            let more = std::iter::from_fn(|| inbox.try_recv().ok());
            let batch: Vec<Message> = std::iter::once(first).chain(more).take(MAX_BATCH).collect();
            let (counts, lines, replies) = guarded(|| self.store(batch))?;
            self.print(&lines)?;
            self.progress.show(&counts);
            for reply in replies {
                // Whoever asked may have ended since.
                let _ended = reply.send(());
            }
        }
        Ok(())
    }

    /// Stores a batch of messages; gives back what the crawl came to, the lines to print, and whom to tell.
    fn store(&self, batch: Vec<Message>) -> Result<(Counts, Vec<Line>, Vec<Reply>), CrawlerError> {
        let mut crawl = self.store.crawl()?;
        let (mut lines, mut replies) = (Vec::new(), Vec::new());
        let transaction = self.store.begin_write()?;
        let mut tables = Tables::open(&transaction)?;
        for message in batch {
            replies.push(match message {
                Message::Commit(mut changes, reply) => {
                    lines.append(&mut changes.lines);
                    Apply { tables: &mut tables, crawl: &mut crawl, max_pages: self.max_pages }
                        .changes(*changes)?;
                    reply
                }
                Message::Crawl(change, reply) => {
                    change(&mut crawl);
                    reply
                }
            });
        }
        put(&mut tables.crawl, CURRENT, &crawl)?;
        drop(tables);
        transaction.commit()?;
        Ok((crawl.counts, lines, replies))
    }

    fn print(&mut self, lines: &[Line]) -> Result<(), CrawlerError> {
        let mut text = Vec::new();
        for line in lines {
            serde_json::to_writer(&mut text, line)?;
            text.push(b'\n');
        }
        let out = &mut self.out;
        self.progress.aside(|| out.write_all(&text).and_then(|()| out.flush()))?;
        Ok(())
    }
}

/// Writes changes into an open transaction.
struct Apply<'a, 't> {
    tables: &'a mut Tables<'t>,
    crawl: &'a mut CrawlRecord,
    max_pages: u64,
}

impl Apply<'_, '_> {
    fn changes(&mut self, changes: Changes) -> Result<(), CrawlerError> {
        let site = changes.site.as_str();
        self.crawl.counts.add(&changes.counts);
        if let Some((priority, number)) = changes.done {
            self.tables.frontier.remove((site, priority, number))?;
            self.crawl.counts.done += 1;
        }
        let (number, _) = self.quota(site)?;
        for page in &changes.seen {
            self.tables.seen.insert(page.as_str(), number)?;
        }
        for task in &changes.tasks {
            self.queue_once(site, task)?;
        }
        for (site, task) in &changes.elsewhere {
            self.queue_once(site, task)?;
        }
        if let Some(task) = &changes.again {
            self.queue(site, task)?;
        }
        if let Some(record) = &changes.record {
            put(&mut self.tables.sites, site, record)?;
        }
        if let Some((from, to, source)) = &changes.moved {
            self.rename(site, from, to, source)?;
        }
        for (url, entry, body) in &changes.entries {
            self.hold(site, url, entry, body.as_deref())?;
        }
        for (url, source) in &changes.forgotten {
            self.forget(site, url, source)?;
        }
        for (key, record) in &changes.pages {
            match record {
                Some(record) => {
                    let json = serde_json::to_vec(record)?;
                    self.tables.pages.insert((site, key.as_str()), json.as_slice())?;
                }
                None => {
                    self.tables.pages.remove((site, key.as_str()))?;
                }
            }
        }
        if let Some((host, until)) = &changes.pause {
            let known = self.tables.pauses.get(host.as_str())?.map_or(0, |known| known.value());
            self.tables.pauses.insert(host.as_str(), known.max(*until))?;
        }
        Ok(())
    }

    /// Holds a body, or with `None` what is known of the one that is held.
    fn hold(
        &mut self,
        site: &str,
        url: &str,
        entry: &Entry,
        body: Option<&[u8]>,
    ) -> Result<(), CrawlerError> {
        let mut entry = entry.clone();
        let before = self.entry(url)?;
        match (body, before) {
            (Some(body), before) if entry.kind == Kind::Twin => {
                self.tables.twins.insert((site, entry.source.as_str()), body)?;
                entry.others.clear();
                if let Some(before) = before.filter(|before| before.kind == Kind::Twin) {
                    entry.others.push(before.source);
                    entry.others.extend(before.others);
                    entry.others.retain(|other| *other != entry.source);
                    // A page has a twin of each draft, and not one more with each crawl.
                    for other in entry.others.split_off(entry.others.len().min(MAX_TWINS)) {
                        self.drop_twin(site, &other)?;
                    }
                } else {
                    self.tables.bodies.remove(url)?;
                }
            }
            (Some(body), before) => {
                // The page's HTML takes the place of its twins.
                if let Some(before) = before.filter(|before| before.kind == Kind::Twin) {
                    for twin in before.others.iter().chain([&before.source]) {
                        self.drop_twin(site, twin)?;
                    }
                }
                self.tables.bodies.insert(url, body)?;
            }
            (None, Some(before)) if before.source == entry.source => entry.others = before.others,
            // Something else is held by now.
            (None, _) => return Ok(()),
        }
        put(&mut self.tables.entries, url, &entry)
    }

    /// Holds what came from `source` no more. Where that was what the page's entry shows, it shows another twin from now on.
    fn forget(&mut self, site: &str, url: &str, source: &str) -> Result<(), CrawlerError> {
        self.tables.twins.remove((site, source))?;
        self.let_go(site, url, source)
    }

    /// Has the entry of another URL show a twin that is held.
    fn rename(&mut self, site: &str, from: &str, to: &str, source: &str) -> Result<(), CrawlerError> {
        let Some(entry) = self.entry(from)? else { return Ok(()) };
        if entry.source != source && !entry.others.iter().any(|other| other == source) {
            return Ok(());
        }
        let moved = self.showing(site, source, &entry)?;
        self.let_go(site, from, source)?;
        let Some(moved) = moved else { return Ok(()) };
        match self.entry(to)?.filter(|there| there.kind == Kind::Twin) {
            Some(mut there) => {
                there.others.push(source.to_owned());
                put(&mut self.tables.entries, to, &there)
            }
            None => {
                self.tables.bodies.remove(to)?;
                put(&mut self.tables.entries, to, &moved)
            }
        }
    }

    /// The entry of a page, if it showed this twin of it alone; `None` where the twin is not held, or the record lacks what its
    /// response said about its use: a text is not shown by the permissions of another.
    fn showing(&self, site: &str, twin: &str, entry: &Entry) -> Result<Option<Entry>, CrawlerError> {
        let Some(record) = self.tables.pages.get((site, twin))? else { return Ok(None) };
        let record: PageRecord = serde_json::from_slice(record.value())?;
        let (source, others) = (twin.to_owned(), Vec::new());
        let known = record.state.held.zip(record.said);
        Ok(known.map(|(held, said)| Entry { source, others, held, fresh_until: 0, ..said.on(entry) }))
    }

    /// Has the entry of a URL show another twin from now on, or removes it.
    fn let_go(&mut self, site: &str, url: &str, source: &str) -> Result<(), CrawlerError> {
        let Some(mut entry) = self.entry(url)? else { return Ok(()) };
        entry.others.retain(|other| other != source);
        if entry.source != source {
            return put(&mut self.tables.entries, url, &entry);
        }
        while let Some(other) = entry.others.pop() {
            if let Some(shown) = self.showing(site, &other, &entry)? {
                return put(&mut self.tables.entries, url, &Entry { others: entry.others, ..shown });
            }
        }
        self.tables.entries.remove(url)?;
        self.tables.bodies.remove(url)?;
        Ok(())
    }

    /// Forgets a twin, as if it had never been seen.
    fn drop_twin(&mut self, site: &str, key: &str) -> Result<(), CrawlerError> {
        self.tables.twins.remove((site, key))?;
        self.tables.pages.remove((site, key))?;
        Ok(())
    }

    fn entry(&self, url: &str) -> Result<Option<Entry>, CrawlerError> {
        let entry = self.tables.entries.get(url)?;
        entry.map(|entry| Ok(serde_json::from_slice(entry.value())?)).transpose()
    }

    /// Whether the page is held by its twin.
    fn has_twin(&self, site: &str, page: &str) -> Result<bool, CrawlerError> {
        let Some(entry) = self.entry(page)?.filter(|entry| entry.kind == Kind::Twin) else {
            return Ok(false);
        };
        let Some(record) = self.tables.pages.get((site, entry.source.as_str()))? else { return Ok(false) };
        let record: PageRecord = serde_json::from_slice(record.value())?;
        Ok(!record.is_gone())
    }

    /// Queues a task unless it was queued in this crawl, or there are too many, or it is for a page whose twin is held.
    fn queue_once(&mut self, site: &str, task: &Task) -> Result<(), CrawlerError> {
        if let Work::Page(page) = &task.work
            && self.has_twin(site, page.url.as_str())?
        {
            return Ok(());
        }
        let (number, pages) = self.quota(site)?;
        let once = task.work.once(site);
        if self.tables.seen.get(once.as_str())?.is_some_and(|last| last.value() == number) {
            return Ok(());
        }
        if matches!(task.work, Work::Page(_)) {
            if pages >= self.max_pages {
                self.crawl.counts.left_out += 1;
                return Ok(());
            }
            self.tables.quotas.insert(site, (number, pages + 1))?;
        }
        self.tables.seen.insert(once.as_str(), number)?;
        self.queue(site, task)
    }

    /// The crawl that the site is in, and how many pages were queued in it.
    fn quota(&self, site: &str) -> Result<(u64, u64), CrawlerError> {
        Ok(self.tables.quotas.get(site)?.map_or((self.crawl.number, 0), |quota| quota.value()))
    }

    fn queue(&mut self, site: &str, task: &Task) -> Result<(), CrawlerError> {
        let json = serde_json::to_vec(task)?;
        let key = (site, task.work.priority(), self.crawl.next_task);
        self.tables.frontier.insert(key, json.as_slice())?;
        self.crawl.next_task += 1;
        self.crawl.counts.queued += 1;
        Ok(())
    }
}

pub(crate) fn put(
    table: &mut Table<'_, &'static str, &'static [u8]>,
    key: &str,
    value: &impl Serialize,
) -> Result<(), CrawlerError> {
    let json = serde_json::to_vec(value)?;
    table.insert(key, json.as_slice())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use url::Url;

    use tct::HeldPage;

    use super::*;
    use crate::store::Said;
    use crate::task::PageWork;

    const SITE: &str = "https://a.example";

    fn page(number: u32) -> Task {
        let url = Url::parse(&format!("{SITE}/{number}")).unwrap();
        Work::Page(PageWork::new(url, 1)).into()
    }

    /// A store with its writer, which queues three pages a site.
    fn open(folder: &std::path::Path) -> (Store, Writer, WriterThread) {
        let store = Store::open(&folder.join("crawl.redb")).unwrap();
        let (writer, thread) = Writer::start(store.clone(), Box::new(std::io::sink()), Progress::hidden(), 3);
        (store, writer, thread)
    }

    async fn queue(writer: &Writer, tasks: Vec<Task>) {
        writer.commit(Changes { site: SITE.to_owned(), tasks, ..Changes::default() }).await.unwrap();
    }

    #[tokio::test]
    async fn each_page_is_queued_once_in_a_crawl_and_so_many_of_a_site() {
        let folder = tempfile::tempdir().unwrap();
        let (store, writer, thread) = open(folder.path());
        for crawl in 1..=2 {
            store.begin_crawl(true, 0, 0).unwrap();
            queue(&writer, vec![page(1), page(2), page(1)]).await;
            queue(&writer, vec![page(2), page(3), page(4), page(5)]).await;
            assert_eq!(store.sites_with_tasks().unwrap(), (vec![SITE.to_owned()], 3), "crawl {crawl}");
            assert_eq!(store.crawl().unwrap().counts.left_out, 2, "crawl {crawl}");
        }
        drop(writer);
        thread.join().unwrap();
    }

    /// Of a page with two twins one moves to another page, and the other one follows it.
    #[tokio::test]
    async fn a_twin_is_shown_by_the_page_that_it_is_of() {
        let folder = tempfile::tempdir().unwrap();
        let (store, writer, thread) = open(folder.path());
        let (old, new) = (format!("{SITE}/old/"), format!("{SITE}/new/"));
        let record = |twin: &str, page: &str| {
            let mut record = PageRecord::default();
            page.clone_into(&mut record.state.c_url);
            record.state.held = Some(HeldPage::new(twin, tct::UnixSeconds(1)));
            let usage = signals::Signals { may_fetch: Some(twin == "one"), ..signals::Signals::default() };
            record.said = Some(Said { title: twin.to_owned(), usage, licences: None });
            record
        };
        let entry = |twin: &str| Entry {
            kind: Kind::Twin,
            source: twin.to_owned(),
            others: Vec::new(),
            held: HeldPage::new(twin, tct::UnixSeconds(1)),
            fresh_until: 0,
            title: String::new(),
            usage: signals::Signals::default(),
            licences: Some(Vec::new()),
            follows_links: false,
        };
        for twin in ["one", "two"] {
            let changes = Changes {
                site: SITE.to_owned(),
                entries: vec![(old.clone(), entry(twin), Some(twin.into()))],
                pages: vec![(twin.to_owned(), Some(record(twin, &old)))],
                ..Changes::default()
            };
            writer.commit(changes).await.unwrap();
        }
        let shown = |url: &str| {
            store.entry(url).unwrap().map(|entry| (entry.source.clone(), entry.held.hash, entry.others))
        };
        let of = |twin: &str, others: &[&str]| {
            let others: Vec<_> = others.iter().map(|&other| other.to_owned()).collect();
            Some((twin.to_owned(), HeldPage::new(twin, tct::UnixSeconds(1)).hash, others))
        };
        assert_eq!(shown(&old), of("two", &["one"]));
        for (twin, left, right) in
            [("one", of("two", &[]), of("one", &[])), ("two", None, of("one", &["two"]))]
        {
            let changes = Changes {
                site: SITE.to_owned(),
                moved: Some((old.clone(), new.clone(), twin.to_owned())),
                pages: vec![(twin.to_owned(), Some(record(twin, &new)))],
                ..Changes::default()
            };
            writer.commit(changes).await.unwrap();
            assert_eq!((shown(&old), shown(&new)), (left, right), "{twin}");
            assert_eq!(store.twin(SITE, twin).unwrap().unwrap(), twin.as_bytes());
        }
        // "one" is shown by what its own response said, though "two" was stored last.
        let shown = store.entry(&new).unwrap().unwrap();
        assert_eq!((shown.title.as_str(), shown.usage.may_fetch, shown.licences), ("one", Some(true), None));
        drop(writer);
        thread.join().unwrap();
    }

    #[tokio::test]
    async fn tasks_come_in_their_order_when_they_are_due_and_survive_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let (store, writer, thread) = open(folder.path());
        queue(&writer, vec![page(1), page(2), Work::Manifest.into()]).await;
        let (first, task) = store.next_task(SITE, 0).unwrap().unwrap();
        assert_eq!(task.work, Work::Manifest);
        let later = Task { not_before: 100, tries: 1, ..task };
        let changes = Changes {
            site: SITE.to_owned(),
            done: Some(first),
            again: Some(later.clone()),
            ..Changes::default()
        };
        writer.commit(changes).await.unwrap();
        assert_eq!(store.next_task(SITE, 99).unwrap().unwrap().1, page(1), "the manifest is not due");
        drop(writer);
        thread.join().unwrap();
        drop(store);

        let (store, writer, thread) = open(folder.path());
        assert_eq!(store.next_task(SITE, 100).unwrap().unwrap().1, later);
        assert_eq!(store.next_task("https://b.example", 100).unwrap(), None);
        drop(writer);
        thread.join().unwrap();
    }
}
