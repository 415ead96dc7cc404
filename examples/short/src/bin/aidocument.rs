//! An AIDocument from the HTML on standard input.
//!
//! ```text
//! $ curl -s https://example.com/ | cargo run -p short --bin aidocument -- https://example.com/
//! {"url":"https://example.com/","title":"Example Domain",…}
//! ```

use std::io::{Read as _, Write as _};

use aidocument::{Crawl, StatusCode};
use aidocument_extract::{Options, extract};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::args().nth(1).ok_or("usage: aidocument URL < page.html")?.parse()?;
    let mut html = Vec::new();
    std::io::stdin().lock().read_to_end(&mut html)?;

    // What only the one who fetched the page knows.
    let status = StatusCode::new(200).ok_or("200 is a status")?;
    let agent = "AIWebIndex/1.0 (+https://example.com/bot; short)".parse()?;
    let mut crawl = Crawl::new(jiff::Timestamp::now().to_string().parse()?, status, agent);
    crawl.content_length = html.len() as u64;

    let page = extract(&html, url, None, crawl, &Options::default());
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, &page.document)?;
    out.write_all(b"\n")?;
    for finding in page.findings {
        writeln!(std::io::stderr(), "{finding}")?;
    }
    Ok(())
}
