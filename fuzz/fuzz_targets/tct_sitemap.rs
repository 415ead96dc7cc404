//! Reading a sitemap: any split into chunks says the same as the whole, items lie within what was sent, and what
//! serde_json calls well-formed is never called malformed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tct::sitemap::{SitemapErrorKind, SitemapSummary};
use tct::{SitemapEvent, SitemapLimits, SitemapReader, sitemap::SitemapError};

type Said = (Vec<String>, Result<SitemapSummary, SitemapError>);

fn read<'a>(pieces: impl Iterator<Item = &'a [u8]>, total: usize) -> Said {
    let url = url::Url::parse("https://example.com/s.json").unwrap();
    let limits = SitemapLimits::default().with_max_item_bytes(200).with_max_depth(5).with_max_items(50);
    let mut reader = SitemapReader::new(&url).with_limits(limits);
    let mut said = Vec::new();
    for piece in pieces {
        let mut events = reader.push(piece);
        loop {
            match events.next() {
                Ok(Some(SitemapEvent::Item(item))) => {
                    assert!(item.len_bytes <= 200 && item.c_url.len() + item.m_url.len() <= total);
                    assert_eq!(item.hash.is_none(), item.issue.is_some());
                    assert!(tct::MUrl::parse(item.m_url).is_ok() && tct::CUrl::parse(item.c_url).is_ok());
                    said.push(format!("{item:?}"));
                }
                Ok(Some(SitemapEvent::Skipped(entry))) => said.push(format!("{entry:?}")),
                Ok(None) => break,
                Err(error) => return (said, Err(error)),
            }
        }
    }
    (said, reader.finish())
}

fuzz_target!(|data: (u8, &[u8])| {
    let (size, document) = data;
    let whole = read(std::iter::once(document), document.len());
    let chunks = read(document.chunks(usize::from(size).max(1)), document.len());
    assert_eq!(chunks, whole);
    let is_json = serde_json::from_slice::<serde::de::IgnoredAny>(document).is_ok();
    if let Err(error) = whole.1 {
        let is_malformed = matches!(error.kind(), SitemapErrorKind::MalformedJson | SitemapErrorKind::Truncated);
        assert!(!(is_json && is_malformed), "{error}");
        assert!(error.offset() <= document.len() as u64);
    }
});
