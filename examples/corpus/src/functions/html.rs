//! `extract_markdown`, `extract_text`, `extract_document`.

use std::fmt::Write as _;

use aidocument::{Crawl, SentUserAgent, StatusCode, Timestamp, UnixSeconds, WebUrl};
use aidocument_extract::{Extracted, Options, extract};
use datafusion::arrow::array::LargeStringBuilder;
use datafusion::common::exec_err;
use datafusion::error::Result;

use super::answer::{Answer, TextColumn};
use super::arguments::Rows;

/// The user agent in the documents' crawl facts.
pub(crate) const AGENT: &str = "AIWebIndex/1.0 (+https://github.com/aiweb-rs/aiweb; corpus)";

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

/// Bad are URLs other than http and https, and instants that are none.
fn each(
    rows: &Rows<'_>,
    mut write: impl FnMut(&Extracted, &mut LargeStringBuilder) -> anyhow::Result<()>,
) -> Result<Answer> {
    let (pages, urls, instants) = (rows.pages(0)?, rows.texts(1)?, rows.optional_texts(2)?);
    let (Some(status), Ok(agent)) = (StatusCode::new(200), AGENT.parse::<SentUserAgent>()) else {
        return exec_err!("expected 200 to be a status and {AGENT} a user agent");
    };
    let options = Options::default();
    let mut out = TextColumn::with_capacity(rows.len(), 0);
    for row in 0..rows.len() {
        let instant = instants.map_or(Some(None), |instants| instants.row(row).map(Some));
        let (Some(page), Some(url), Some(instant)) = (pages.row(row), urls.row(row), instant) else {
            out.null();
            continue;
        };
        let (Ok(url), Ok(instant)) = (url.parse::<WebUrl>(), instant.map(str::parse).transpose()) else {
            out.bad();
            continue;
        };
        let instant = instant.unwrap_or(Timestamp::from(UnixSeconds(0)));
        let mut crawl = Crawl::new(instant, status, agent.clone());
        crawl.content_length = page.len() as u64;
        let page = extract(page, url, pages.content_type(), crawl, &options);
        out.row(|out| write(&page, out));
    }
    Ok(out.finish())
}
