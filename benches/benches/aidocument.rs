//! Reading documents of AIWebIndex 2.0 beside serde_json into a hand-written struct that checks nothing.
//!
//! A program that receives a document has bytes, so that both begin with those: `serde_json` is `from_slice`. For
//! `serde_json-str`, `from_str`, someone has checked before that the bytes are UTF-8; that is not in its time.
//!
//! Ours reads the text, checks every member, URL, tag and timestamp, refuses repeated names and reports findings. The
//! documents are those that `aidocument-extract` makes of the pages of `examples/site` and of generated news pages.

use std::path::Path;

use aidocument::v2::{Call, Document};
use aidocument_extract::{Options, Snapshot, extract_v2};
use benches::Comparison;
use serde::Deserialize;

#[path = "extract/generator.rs"]
mod generator;

/// What a program would write that trusts its input.
#[derive(Deserialize)]
struct Peer {
    schema: Schema,
    source: Source,
    cache: Cache,
    identity: Identity,
    content: Content,
    structure: Structure,
    signals: Signals,
}

#[derive(Deserialize)]
struct Schema {
    version: String,
}

#[derive(Deserialize)]
struct Source {
    url: String,
    canonical_url: Option<String>,
    fetched_at: Option<String>,
    render_mode: Option<String>,
    status_code: Option<u16>,
    freshness_policy: String,
}

#[derive(Deserialize)]
struct Cache {
    status: String,
    origin_contacted: bool,
    body_fetched: bool,
}

#[derive(Deserialize)]
struct Identity {
    title: Option<String>,
    description: Option<String>,
    language: Option<String>,
    content_type: Option<String>,
}

#[derive(Deserialize)]
struct Content {
    markdown: String,
}

#[derive(Deserialize)]
struct Structure {
    headings: Option<Vec<Heading>>,
    links: Option<Vec<Link>>,
    images: Option<Vec<Image>>,
    structured_data: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Heading {
    level: u8,
    text: String,
    id: Option<String>,
}

#[derive(Deserialize)]
struct Link {
    url: String,
    text: Option<String>,
    internal: bool,
    rel: Option<String>,
}

#[derive(Deserialize)]
struct Image {
    url: String,
    alt: Option<String>,
}

#[derive(Deserialize)]
struct Signals {
    word_count: Option<u64>,
    reading_time: Option<u64>,
    has_json_ld: bool,
    heading_hierarchy_ok: bool,
}

impl Peer {
    /// Uses every member, so that none is read for nothing.
    fn size(&self) -> usize {
        let of = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let (source, identity, structure) = (&self.source, &self.identity, &self.structure);
        let flags = [
            self.cache.origin_contacted,
            self.cache.body_fetched,
            self.signals.has_json_ld,
            self.signals.heading_hierarchy_ok,
        ];
        let unused = self.schema.version.len()
            + source.url.len()
            + of(&source.canonical_url)
            + of(&source.fetched_at)
            + of(&source.render_mode)
            + usize::from(source.status_code.unwrap_or_default())
            + source.freshness_policy.len()
            + self.cache.status.len()
            + of(&identity.title)
            + of(&identity.description)
            + of(&identity.language)
            + of(&identity.content_type)
            + (self.signals.word_count.unwrap_or_default() + self.signals.reading_time.unwrap_or_default())
                as usize
            + flags.iter().filter(|flag| **flag).count()
            + structure
                .headings
                .iter()
                .flatten()
                .map(|h| usize::from(h.level) + h.text.len() + of(&h.id))
                .sum::<usize>()
            + structure.images.iter().flatten().map(|i| i.url.len() + of(&i.alt)).sum::<usize>()
            + usize::from(structure.structured_data.is_some());
        std::hint::black_box(unused);
        let links = structure.links.iter().flatten();
        self.content.markdown.len()
            + links.map(|l| l.url.len() + of(&l.text) + of(&l.rel) + usize::from(l.internal)).sum::<usize>()
    }
}

fn main() {
    compare("site", &site());
    compare("generated", &generated());
}

fn compare(name: &str, pages: &[Vec<u8>]) {
    let url = "https://www.example.com/2026/05/story";
    let documents: Vec<String> = pages
        .iter()
        .map(|page| {
            let snapshot =
                Snapshot { fetched_at: "2026-05-10T12:34:56Z".parse().ok(), ..Snapshot::default() };
            let url = url.parse().unwrap();
            extract_v2(page, url, None, snapshot, Call::Miss, &Options::default()).document.to_json()
        })
        .collect();
    let bytes: usize = documents.iter().map(String::len).sum();
    println!("{name}: {} documents, {bytes} bytes", documents.len());
    Comparison::new("aidocument", name)
        .ours("read", || {
            documents.iter().map(|json| size(&Document::parse(json.as_bytes()).unwrap())).sum::<usize>()
        })
        .peer("serde_json", || {
            let read = |json: &String| serde_json::from_slice::<Peer>(json.as_bytes()).unwrap().size();
            documents.iter().map(read).sum::<usize>()
        })
        .limit("serde_json-str", || {
            documents.iter().map(|json| serde_json::from_str::<Peer>(json).unwrap().size()).sum::<usize>()
        })
        .run();
}

fn size(document: &Document) -> usize {
    let of = |text: Option<&str>| text.map_or(0, str::len);
    let links = document.structure().links.iter().flatten();
    document.markdown().len()
        + links.map(|l| l.url().len() + of(l.text()) + of(l.rel()) + usize::from(l.internal())).sum::<usize>()
}

/// News pages of the size that is common today.
fn generated() -> Vec<Vec<u8>> {
    let pages = (0..24).map(generator::page);
    pages.filter(|page| !page.phrase.is_empty()).map(|page| page.html.into_bytes()).collect()
}

#[expect(clippy::disallowed_methods, reason = "the pages are files")]
fn site() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/site/pages");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
        .iter()
        .filter(|file| file.extension().is_some_and(|e| e == "html"))
        .map(|file| std::fs::read(file).unwrap())
        .collect()
}
