//! aidocument-extract beside the readers of articles: dom_smoothie, trafilatura and rs-trafilatura.
//!
//! Ours goes from the page's bytes to the whole document: encoding, title, headings, links, images, metadata, JSON-LD,
//! and the content both as Markdown and as plain text. The peers get a checked `&str` and give the article's text (and
//! the metadata that they read anyway). `metadata` is the same without the content, beside the whole.
//!
//! The pages are the 44 of `examples/site/pages` and larger ones from the generator below. Other pages are taken
//! from the folders named on the command line, whose `.html` and `.html.gz` files are measured in the same way:
//! `cargo bench -p benches --bench extract -- FOLDER…`.

use std::io::Read as _;
use std::path::Path;

use aidocument::{Crawl, StatusCode, WebUrl};
use aidocument_extract::{Extracted, Options};
use benches::Comparison;

#[path = "extract/generator.rs"]
mod generator;

const ADDRESS: &str = "https://www.example.com/2026/05/story";

/// Pages, each with a phrase that its content holds.
struct Pages {
    name: String,
    /// Whether all contenders find all phrases; on pages made by people they differ.
    agreed: bool,
    pages: Vec<(Vec<u8>, String)>,
}

fn main() {
    let folders: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let own = [site(), generated()];
    for pages in own.into_iter().chain(folders.iter().map(|folder| read_folder(Path::new(folder)))) {
        let bytes: usize = pages.pages.iter().map(|(page, _)| page.len()).sum();
        println!("{}: {} pages, {} bytes", pages.name, pages.pages.len(), bytes);
        content(&pages);
        metadata(&pages);
    }
}

/// The whole document beside the article's text alone. The answer is the number of pages whose phrase was found.
fn content(pages: &Pages) {
    let url: WebUrl = ADDRESS.parse().unwrap();
    let crawl = crawl();
    let texts: Vec<_> =
        pages.pages.iter().map(|(page, phrase)| (String::from_utf8_lossy(page), phrase.as_str())).collect();
    let whole = Options::default();
    let mut comparison = Comparison::new("extract", &pages.name).rounds(12).ours("document", || {
        let each =
            pages.pages.iter().map(|(page, phrase)| found(&extract(page, &url, &crawl, &whole).text, phrase));
        each.sum::<usize>()
    });
    for (name, peer) in PEERS {
        let texts = &texts;
        let run = move || texts.iter().map(|(page, phrase)| found(&peer(page), phrase)).sum::<usize>();
        comparison = if pages.agreed { comparison.peer(name, run) } else { comparison.limit(name, run) };
    }
    comparison.run();
}

/// A page in, its article's text out, empty where it finds none.
type Reader = fn(&str) -> String;

const PEERS: [(&str, Reader); 3] = [
    ("dom_smoothie", |page| {
        let article =
            dom_smoothie::Readability::new(page, Some(ADDRESS), None).and_then(|mut page| page.parse());
        article.map(|article| article.text_content.to_string()).unwrap_or_default()
    }),
    ("trafilatura", |page| {
        trafilatura::extract(page, &trafilatura::Options::default())
            .map(|page| page.content_text)
            .unwrap_or_default()
    }),
    ("rs_trafilatura", |page| {
        rs_trafilatura::extract(page).map(|page| page.content_text).unwrap_or_default()
    }),
];

fn found(text: &str, phrase: &str) -> usize {
    usize::from(text.contains(phrase))
}

/// The metadata alone beside the whole. The answer is the length of the titles and the number of links.
fn metadata(pages: &Pages) {
    let url: WebUrl = ADDRESS.parse().unwrap();
    let crawl = crawl();
    let run = |options: &Options| {
        let each = pages.pages.iter().map(|(page, _)| {
            let document = extract(page, &url, &crawl, options).document;
            document.title().len() + document.structured_data().map_or(0, |data| data.types().len())
        });
        each.sum::<usize>()
    };
    let (mut alone, whole) = (Options::default(), Options::default());
    alone.metadata_only = true;
    Comparison::new("extract", format!("{}-metadata", pages.name))
        .rounds(12)
        .ours("metadata", || run(&alone))
        .peer("document", || run(&whole))
        .run();
}

fn crawl() -> Crawl {
    Crawl::new(
        "2026-05-10T12:34:56Z".parse().unwrap(),
        StatusCode::new(200).unwrap(),
        "AIWebIndex/1.0 (+https://example.com/bot)".parse().unwrap(),
    )
}

fn extract(page: &[u8], url: &WebUrl, crawl: &Crawl, options: &Options) -> Extracted {
    aidocument_extract::extract(page, url.clone(), None, crawl.clone(), options)
}

/// The pages of the example site: about 5 kB each, in 28 languages.
fn site() -> Pages {
    read_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/site/pages"))
}

/// News pages of the size that is common today: 117 kB, a twelfth of it text.
fn generated() -> Pages {
    let pages = (0..24).map(|seed| {
        let page = generator::page(seed);
        (page.html.into_bytes(), page.phrase)
    });
    Pages { name: "generated".to_owned(), agreed: true, pages: pages.collect() }
}

#[expect(clippy::disallowed_methods, reason = "the pages are files")]
fn read_folder(folder: &Path) -> Pages {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut pages = Vec::new();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let html = if name.ends_with(".html") {
            std::fs::read(&file).unwrap()
        } else if name.ends_with(".html.gz") {
            let mut plain = Vec::new();
            flate2::read::GzDecoder::new(std::fs::File::open(&file).unwrap())
                .read_to_end(&mut plain)
                .unwrap();
            plain
        } else {
            continue;
        };
        let phrase = phrase(&String::from_utf8_lossy(&html));
        pages.push((html, phrase));
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Pages { name, agreed: false, pages }
}

/// The longest run of text without markup in the page's paragraphs.
fn phrase(html: &str) -> String {
    let starts = html.match_indices("<p>").map(|(at, tag)| &html[at + tag.len()..]);
    let runs = starts.flat_map(|rest| {
        rest.split_once("</p>").map_or("", |(text, _)| text).split(['<', '&', ';', '>', '\n'])
    });
    runs.max_by_key(|run| run.len()).unwrap_or_default().trim().to_owned()
}
