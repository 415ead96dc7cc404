//! Figures of the extraction on a folder of labelled pages.
//!
//! ```text
//! evaluate FOLDER [--metadata] [--pages FILE] [--folds N] [--half open|kept] [--no-address]
//! evaluate FOLDER --markdown [--no-address]
//! ```
//!
//! FOLDER has `ground-truth.json` (an object from ids to objects with any of `url`, `type`, `main_content` or `articleBody`,
//! `title`, `author`, `publish_date`) and `html/ID.html` or `html/ID.html.gz`. Printed are, for all pages, each half and each
//! fold of the sites, each type and each class of length: F1, precision and recall of the words, and of title, author and date the share that is exact, close, found,
//! and found where the label has none. All have the standard error over sites.
//!
//! `--metadata` leaves the content out, which is faster. `--pages` writes a line of JSON for each page: its id, the SHA-256
//! of its bytes and of the text that was extracted, the scores, and what was found where. `--no-address` does not tell the
//! extraction the page's address. `--half` reads one half of the sites alone. `--markdown` scores nothing, and prints for each page a
//! line of JSON with its id and its Markdown, for scorers of your own.
//!
//! With the feature `training`, `--figures` prints the figures of docs/quality.md, `--rows` what the content model is
//! trained on, and `--rules` what each rule changes; see the modules of these names.

#[cfg(feature = "training")]
mod calibrate;
mod corpus;
#[cfg(feature = "training")]
mod figures;
mod report;
#[cfg(feature = "training")]
mod rows;
#[cfg(feature = "training")]
mod rules;
mod score;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use aidocument::{Crawl, StatusCode};
use aidocument_extract::{Extracted, Extractor, Found, Options, PageMetadata, extract};
use corpus::{Measure, Page};
use report::Values;
use score::Field;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

const USAGE: &str = "usage: evaluate FOLDER [--metadata | --markdown] [--pages FILE] [--folds N] [--half open|kept] [--no-address]";

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

struct Arguments {
    folder: PathBuf,
    metadata_only: bool,
    markdown: bool,
    pages: Option<PathBuf>,
    folds: usize,
    half: Option<bool>,
    address: bool,
}

fn main() -> ExitCode {
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("evaluate: {error}");
            ExitCode::FAILURE
        }
    }
}

fn start() -> Result<()> {
    #[cfg(feature = "training")]
    {
        let told: Vec<String> = std::env::args().skip(1).collect();
        match told.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["--rows", out, corpora @ ..] if !corpora.is_empty() => return rows::write(out, &paths(corpora)),
            ["--rules", unseen, corpora @ ..] if !corpora.is_empty() => {
                return rules::print(unseen.as_ref(), corpora, &mut std::io::stdout().lock());
            }
            ["--figures", unseen, "--pages", pages, corpora @ ..] if !corpora.is_empty() => {
                let out = &mut std::io::stdout().lock();
                return figures::print(unseen.as_ref(), &paths(corpora), Some(pages.as_ref()), out);
            }
            ["--figures", unseen, corpora @ ..] if !corpora.is_empty() => {
                return figures::print(unseen.as_ref(), &paths(corpora), None, &mut std::io::stdout().lock());
            }
            _ => {}
        }
    }
    run(&arguments()?)
}

#[cfg(feature = "training")]
fn paths(corpora: &[&str]) -> Vec<PathBuf> {
    corpora.iter().map(PathBuf::from).collect()
}

fn arguments() -> Result<Arguments> {
    let mut found = Arguments {
        folder: PathBuf::new(),
        metadata_only: false,
        markdown: false,
        pages: None,
        folds: 4,
        half: None,
        address: true,
    };
    let mut rest = std::env::args().skip(1);
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or(USAGE);
        match argument.as_str() {
            "--metadata" => found.metadata_only = true,
            "--markdown" => found.markdown = true,
            "--no-address" => found.address = false,
            "--pages" => found.pages = Some(value()?.into()),
            "--folds" => found.folds = value()?.parse::<usize>()?.max(1),
            "--half" => {
                found.half = Some(match value()?.as_str() {
                    "open" => true,
                    "kept" => false,
                    other => return Err(format!("expected the half open or kept, found {other:?}").into()),
                });
            }
            _ if found.folder.as_os_str().is_empty() && !argument.starts_with('-') => {
                found.folder = argument.into()
            }
            _ => return Err(USAGE.into()),
        }
    }
    if found.folder.as_os_str().is_empty() {
        return Err(USAGE.into());
    }
    Ok(found)
}

/// The scores of a page.
#[derive(Debug, Default)]
struct Scores {
    words: Option<f64>,
    /// Words of the label.
    length: Option<usize>,
    precision: Option<f64>,
    recall: Option<f64>,
    is_empty: bool,
    title: Option<Field>,
    author: Option<Field>,
    published: Option<Field>,
}

fn run(arguments: &Arguments) -> Result<()> {
    let mut pages = corpus::read(&arguments.folder)?;
    if let Some(open) = arguments.half {
        pages.retain(|page| page.is_open() == open);
    }
    if arguments.markdown {
        return print_markdown(&pages, arguments.address, &mut std::io::stdout().lock());
    }
    let mut lines = match &arguments.pages {
        Some(path) => Some(BufWriter::new(File::create(path)?)),
        None => None,
    };
    let mut options = Options::default();
    options.title = false;
    options.metadata_only = arguments.metadata_only;
    let mut all = Vec::new();
    for page in &pages {
        let bytes = page.read()?;
        let answer = answer(page, &bytes, arguments.address, &options)?;
        let mut scores = scores(page, &answer);
        if arguments.metadata_only {
            scores = Scores {
                title: scores.title,
                author: scores.author,
                published: scores.published,
                ..Scores::default()
            };
        }
        if let Some(lines) = &mut lines {
            let mut line = line(page, &bytes, &answer, &scores);
            add_candidates(&mut line, page, &bytes)?;
            writeln!(lines, "{line}")?;
        }
        all.push(scores);
    }
    print(&pages, &all, arguments.folds, &mut std::io::stdout().lock())
}

/// What each page's main content is, for a scorer that is another program.
fn print_markdown(pages: &[Page], address: bool, out: &mut impl Write) -> Result<()> {
    for page in pages {
        let mut extractor = Extractor::new();
        if let Some(url) = page.url.clone().filter(|_| address) {
            extractor = extractor.base_url(url);
        }
        let content = extractor.extract(page.read()?.as_slice());
        writeln!(out, "{}", json!({ "id": page.id, "markdown": content.markdown }))?;
    }
    Ok(())
}

fn answer(page: &Page, bytes: &[u8], address: bool, options: &Options) -> Result<Extracted> {
    let url = if address { page.address()? } else { "http://localhost/".parse()? };
    let status = StatusCode::new(200).ok_or("200 is a status")?;
    let agent = concat!("AIWebIndex/1.0 (+", env!("CARGO_PKG_REPOSITORY"), "; evaluate)").parse()?;
    let crawl = Crawl::new("2026-01-01T00:00:00Z".parse()?, status, agent);
    Ok(extract(bytes, url, None, crawl, options))
}

fn scores(page: &Page, answer: &Extracted) -> Scores {
    let mut scores = Scores { is_empty: answer.text.trim().is_empty(), ..Scores::default() };
    match &page.text {
        Some((Measure::Words, label)) => {
            let overlap = score::Overlap::of(label, &answer.text);
            (scores.words, scores.length) = (Some(overlap.f1()), Some(overlap.label));
            (scores.precision, scores.recall) = (overlap.precision(), overlap.recall());
        }
        Some((Measure::Runs, label)) => {
            (scores.precision, scores.recall) = score::of_runs(label, &answer.text)
        }
        None => {}
    }
    let meta = answer.document.meta();
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    scores.title = page.title.as_ref().map(|label| Field::of(label, answer.document.title()));
    scores.author = page.author.as_ref().map(|label| Field::of(label, &text(&meta.author)));
    scores.published = page.published.as_ref().map(|label| Field::of_date(label, &text(&meta.published)));
    scores
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn line(page: &Page, bytes: &[u8], answer: &Extracted, scores: &Scores) -> Value {
    let verdict = |field: &Option<Field>| match field {
        None => "unlabelled",
        Some(field) if field.exact => "exact",
        Some(field) if field.close => "close",
        Some(field) if field.labelled && field.found => "wrong",
        Some(field) if field.labelled => "missed",
        Some(field) if field.found => "false",
        Some(_) => "none",
    };
    json!({
        "id": page.id, "site": page.site, "type": page.kind, "open": page.is_open(),
        "page_sha256": hex(bytes), "text_sha256": hex(answer.text.as_bytes()),
        "words": scores.words, "precision": scores.precision, "recall": scores.recall,
        "title": [verdict(&scores.title), page.title, answer.document.title()],
        "author": [verdict(&scores.author), page.author, answer.document.meta().author],
        "date": [verdict(&scores.published), page.published, answer.document.meta().published],
        "found": found(&answer.about),
    })
}

fn found(about: &PageMetadata) -> Value {
    fn one<T: ToString>(found: &Found<T>) -> Value {
        json!([found.value.to_string(), found.source.as_str(), (found.confidence * 1000.0).round() / 1000.0])
    }
    json!({
        "title": about.title.as_ref().map(one),
        "authors": about.authors.iter().map(one).collect::<Vec<_>>(),
        "published": about.published.as_ref().map(one),
        "modified": about.modified.as_ref().map(one),
        "site_name": about.site_name.as_ref().map(one),
        "section": about.section.as_ref().map(one),
        "keywords": about.keywords,
        "licence": about.licence.as_ref().map(one),
        "language": about.language.as_ref().map(one),
        "direction": about.direction.as_ref().map(|found| format!("{:?}", found.value)),
    })
}

#[cfg(feature = "training")]
fn add_candidates(line: &mut Value, page: &Page, bytes: &[u8]) -> Result<()> {
    line["candidates"] = aidocument_extract::training::metadata_candidates(bytes, &page.address()?).into();
    Ok(())
}

#[cfg(not(feature = "training"))]
#[expect(clippy::unnecessary_wraps, reason = "with candidates it can fail")]
fn add_candidates(_: &mut Value, _: &Page, _: &[u8]) -> Result<()> {
    Ok(())
}

/// Words from which on a labelled text is of a class of length.
const LENGTHS: [(usize, &str); 3] =
    [(20_000, "20,000 words and more"), (6_000, "6,000 to 20,000 words"), (0, "below 6,000 words")];

/// Prints the figures of all pages and of each group of them.
fn print(pages: &[Page], scores: &[Scores], folds: usize, out: &mut impl Write) -> Result<()> {
    let mut groups: BTreeMap<(u8, String), Vec<usize>> = BTreeMap::new();
    for (index, page) in pages.iter().enumerate() {
        let half = if page.is_open() { "open half" } else { "kept half" };
        for group in [
            (0, "all".to_owned()),
            (1, half.to_owned()),
            (2, format!("fold {}", page.fold(folds))),
            (3, page.kind.clone()),
        ] {
            groups.entry(group).or_default().push(index);
        }
        if let Some(words) = scores.get(index).and_then(|scores| scores.length) {
            let class = LENGTHS.iter().find(|(from, _)| words >= *from).map_or("", |(_, name)| name);
            groups.entry((4, class.to_owned())).or_default().push(index);
        }
    }
    for ((_, name), members) in &groups {
        let members: Vec<(&Page, &Scores)> =
            members.iter().filter_map(|&index| Some((pages.get(index)?, scores.get(index)?))).collect();
        write!(out, "{name}: {} pages", members.len())?;
        let mut words = Values::default();
        for (page, scores) in &members {
            if let Some(value) = scores.words {
                words.push(&page.site, value);
            }
        }
        if words.len() > 0 {
            write!(out, "; words F1 {words}")?;
        }
        print_parts(&members, out)?;
        writeln!(out)?;
        for (field, of) in [
            ("title", (|scores| scores.title) as fn(&Scores) -> Option<Field>),
            ("author", |scores| scores.author),
            ("date", |scores| scores.published),
        ] {
            print_field(field, &members, of, out)?;
        }
    }
    let empty = pages.iter().zip(scores).filter(|(page, scores)| page.text.is_some() && scores.is_empty);
    let empty: Vec<&str> = empty.map(|(page, _)| page.id.as_str()).collect();
    writeln!(out, "without content: {} {}", empty.len(), empty.join(" "))?;
    Ok(())
}

fn print_parts(members: &[(&Page, &Scores)], out: &mut impl Write) -> Result<()> {
    let (mut precision, mut recall) = (Values::default(), Values::default());
    for (page, scores) in members {
        for (values, value) in [(&mut precision, scores.precision), (&mut recall, scores.recall)] {
            if let Some(value) = value {
                values.push(&page.site, value);
            }
        }
    }
    if recall.len() > 0 {
        let (p, r) = (precision.mean(), recall.mean());
        let f1 = if p + r > 0.0 { 2.0 * p * r / (p + r) } else { 0.0 };
        if members.iter().all(|(_, scores)| scores.words.is_none()) {
            write!(out, "; runs F1 {f1:.3}")?;
        }
        write!(out, "; precision {precision}, recall {recall}")?;
    }
    Ok(())
}

fn print_field(
    name: &str,
    members: &[(&Page, &Scores)],
    of: fn(&Scores) -> Option<Field>,
    out: &mut impl Write,
) -> Result<()> {
    let mut values: [Values; 4] = Default::default();
    let [exact, close, found, invented] = &mut values;
    for (page, scores) in members {
        let Some(field) = of(scores) else { continue };
        let as_number = |yes: bool| f64::from(u8::from(yes));
        if field.labelled {
            exact.push(&page.site, as_number(field.exact));
            close.push(&page.site, as_number(field.close));
            found.push(&page.site, as_number(field.found));
        } else {
            invented.push(&page.site, as_number(field.found));
        }
    }
    if exact.len() + invented.len() > 0 {
        writeln!(
            out,
            "  {name:6} exact {exact}, close {:.3}, found {:.3}; false {invented}",
            close.mean(),
            found.mean()
        )?;
    }
    Ok(())
}
