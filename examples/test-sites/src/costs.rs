//! What fetching pages as HTML takes: the other side of every comparison.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use site::publisher::Snapshot;

/// Bytes of pages as HTML, bodies alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct HtmlCost {
    /// As they are.
    pub plain: u64,
    /// In gzip.
    pub gzip: u64,
}

/// What fetching all pages of a site as HTML takes: their files as they are, without the link to the twin. A page that
/// cannot be read now costs nothing.
#[must_use]
pub fn html_cost(snapshot: &Snapshot) -> HtmlCost {
    let pages = snapshot.pages.iter().filter_map(|page| page.file.html().ok());
    pages.fold(HtmlCost::default(), |sum, html| HtmlCost {
        plain: sum.plain + html.len() as u64,
        gzip: sum.gzip + gzip_len(html.as_bytes()),
    })
}

fn gzip_len(bytes: &[u8]) -> u64 {
    let mut writer = GzEncoder::new(Vec::new(), Compression::default());
    let written = writer.write_all(bytes).and_then(|()| writer.finish());
    written.map_or(0, |coded| coded.len() as u64)
}
