//! `extract_markdown`, `extract_text`, `extract_document`, `extract_document_v2`.

use std::fmt::Write as _;

use aidocument::v2::Call;
use aidocument::{Crawl, SentUserAgent, StatusCode, Timestamp, UnixSeconds, WebUrl};
use aidocument_extract::{Extracted, Options, Snapshot, extract, extract_v2};
use datafusion::arrow::array::LargeStringBuilder;
use datafusion::common::exec_err;
use datafusion::error::Result;

use super::answer::{Answer, TextColumn};
use super::arguments::Rows;

/// The user agent in the documents' crawl facts.
pub(crate) const AGENT: &str = "AIWebIndex/1.0 (+https://example.org/aiweb; corpus)";

pub(super) fn markdown(rows: &Rows<'_>) -> Result<Answer> {
    each(rows, |page, out| Ok(out.write_str(page.document.markdown())?))
}

pub(super) fn text(rows: &Rows<'_>) -> Result<Answer> {
    each(rows, |page, out| Ok(out.write_str(&page.text)?))
}

/// The crawl facts of the document are those of a page that came with status 200: at `fetched_at`, or at the
/// first instant of 1970 where the call does not say, since a function must not read a clock.
pub(super) fn document(rows: &Rows<'_>) -> Result<Answer> {
    let mut json = Vec::new();
    each(rows, |page, out| {
        json.clear();
        serde_json::to_writer(&mut json, &page.document)?;
        Ok(out.write_str(std::str::from_utf8(&json)?)?)
    })
}

/// A document of AIWebIndex 2.0. Of the fetch it says only what the call says; nothing came from a cache.
pub(super) fn document_v2(rows: &Rows<'_>) -> Result<Answer> {
    let options = Options::default();
    fetched(rows, |page, out| {
        let Fetched { bytes, url, at, content_type } = page;
        let snapshot = Snapshot { fetched_at: at, status_code: StatusCode::new(200), render_mode: None };
        let read = extract_v2(bytes, url, content_type, snapshot, Call::Refreshed, &options);
        Ok(out.write_str(&read.document.to_json())?)
    })
}

fn each(
    rows: &Rows<'_>,
    mut write: impl FnMut(&Extracted, &mut LargeStringBuilder) -> anyhow::Result<()>,
) -> Result<Answer> {
    let (Some(status), Ok(agent)) = (StatusCode::new(200), AGENT.parse::<SentUserAgent>()) else {
        return exec_err!("expected 200 to be a status and {AGENT} a user agent");
    };
    let options = Options::default();
    fetched(rows, |page, out| {
        let instant = page.at.unwrap_or(Timestamp::from(UnixSeconds(0)));
        let mut crawl = Crawl::new(instant, status, agent.clone());
        crawl.content_length = page.bytes.len() as u64;
        write(&extract(page.bytes, page.url, page.content_type, crawl, &options), out)
    })
}

/// A page as the row gives it.
struct Fetched<'r> {
    bytes: &'r [u8],
    url: WebUrl,
    at: Option<Timestamp>,
    content_type: Option<&'static str>,
}

/// Bad are URLs other than http and https, and instants that are none.
fn fetched(
    rows: &Rows<'_>,
    mut write: impl FnMut(Fetched<'_>, &mut LargeStringBuilder) -> anyhow::Result<()>,
) -> Result<Answer> {
    let (pages, urls, instants) = (rows.pages(0)?, rows.texts(1)?, rows.optional_texts(2)?);
    let mut out = TextColumn::with_capacity(rows.len(), 0);
    for row in 0..rows.len() {
        let instant = instants.map_or(Some(None), |instants| instants.row(row).map(Some));
        let (Some(bytes), Some(url), Some(instant)) = (pages.row(row), urls.row(row), instant) else {
            out.null();
            continue;
        };
        let (Ok(url), Ok(at)) = (url.parse::<WebUrl>(), instant.map(str::parse).transpose()) else {
            out.bad();
            continue;
        };
        let content_type = pages.content_type();
        out.row(|out| write(Fetched { bytes, url, at, content_type }, out));
    }
    Ok(out.finish())
}
