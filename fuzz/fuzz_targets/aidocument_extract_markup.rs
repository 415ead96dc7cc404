//! Nothing of a page becomes markup in what is written: two readers of CommonMark find no raw HTML in the Markdown and
//! html5ever none in the clean HTML but what is written on purpose, and no address has a scheme that runs something.

#![no_main]

#[path = "../../crates/aidocument-extract/tests/it/readback.rs"]
mod readback;

use aidocument_extract::{Extractor, to_markdown};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let page = String::from_utf8_lossy(bytes);
    let whole = Extractor::new().whole_page(true).extract(&*page);
    let based = Extractor::new().base_url("https://example.com/a/".parse().expect("an address")).extract(&*page);
    for markdown in [&to_markdown(&page, None), &whole.markdown, &based.markdown] {
        for (reader, read) in readback::markdown(markdown) {
            assert_eq!(read.fault(), None, "{reader}: {markdown}");
        }
    }
    for html in [&whole.html, &based.html] {
        let read = readback::html(html);
        assert_eq!(read.fault(), None, "{html}");
        assert_eq!(read.blocks, readback::tags(html), "nested otherwise: {html}");
    }
});
