//! The figures of the crate's README, as its tables.
//!
//! `evaluate --figures UNSEEN CORPUS… [--pages FILE]`: UNSEEN has a line of JSON for each page, as `train.py --check` writes
//! them: its id, whether it was read as an article, and the log-odds of its blocks by a model that has not seen its site. With
//! these each page is extracted as ever.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::{Path, PathBuf};

use aidocument_extract::training::{expectation, metadata_candidates};
use aidocument_extract::{Options, PageKind};
use serde_json::{Value, json};

use crate::calibrate::{self, Judged};
use crate::corpus::{self, Measure, Page};
use crate::report::Values;
use crate::score::{self, Field};
use crate::{Result, Scores, hex};

pub(crate) type Unseen = HashMap<String, (PageKind, Vec<f32>)>;

#[expect(clippy::disallowed_methods, reason = "reading files is this program's part")]
pub(crate) fn unseen(path: &Path) -> Result<Unseen> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut found = Unseen::new();
    for line in text.lines() {
        let page: Value = serde_json::from_str(line)?;
        let odds = page["log_odds"].as_array().into_iter().flatten();
        let odds = odds.filter_map(Value::as_f64).map(|odds| odds as f32).collect();
        let kind = if page["article"] == true { PageKind::Article } else { PageKind::Other };
        found.insert(page["id"].as_str().unwrap_or_default().to_owned(), (kind, odds));
    }
    Ok(found)
}

/// A page with its scores.
struct Scored {
    page: Page,
    scores: Scores,
    expected: Option<f32>,
    /// Of title, author and date, the weight that the value was chosen with.
    weights: [Option<f64>; 3],
}

pub(crate) fn print(
    path: &Path,
    corpora: &[PathBuf],
    pages: Option<&Path>,
    out: &mut impl Write,
) -> Result<()> {
    let unseen = unseen(path)?;
    let mut lines = match pages {
        Some(path) => Some(std::io::BufWriter::new(std::fs::File::create(path)?)),
        None => None,
    };
    let mut all = Vec::new();
    let mut missed = 0;
    for page in
        corpora.iter().map(|folder| corpus::read(folder)).collect::<Result<Vec<_>>>()?.into_iter().flatten()
    {
        let (bytes, url) = (page.read()?, page.address()?);
        let given = unseen.get(&page.id).map(|(kind, odds)| (*kind, odds.as_slice()));
        missed += usize::from(given.is_none());
        let found = expectation(&bytes, &url, given);
        let mut options = Options::default();
        options.metadata_only = true;
        let answer = crate::answer(&page, &bytes, true, &options)?;
        let mut scores = crate::scores(&page, &answer);
        (scores.words, scores.precision, scores.recall) = (None, None, None);
        scores.is_empty = found.text.trim().is_empty();
        match &page.text {
            Some((Measure::Words, label)) => scores.words = Some(score::Overlap::of(label, &found.text).f1()),
            Some((Measure::Runs, label)) => {
                (scores.precision, scores.recall) = score::of_runs(label, &found.text);
                scores.words = Some(score::Overlap::of(label, &found.text).f1());
            }
            None => {}
        }
        if let Some(lines) = &mut lines {
            let line = json!({
                "id": page.id, "site": page.site, "type": page.kind, "page_sha256": hex(&bytes),
                "text_sha256": hex(found.text.as_bytes()), "text": found.text, "words": scores.words,
                "precision": scores.precision, "recall": scores.recall, "expected": found.expected,
            });
            writeln!(lines, "{line}")?;
        }
        let weights = weights(&metadata_candidates(&bytes, &url));
        all.push(Scored { page, scores, expected: found.expected, weights });
    }
    content(&all, missed, out)?;
    confidence(&all, out)?;
    metadata(&all, out)?;
    certainty(&all, out)
}

fn weights(lines: &[String]) -> [Option<f64>; 3] {
    ["title", "author", "date"].map(|name| {
        let start = format!("weight {name} ");
        lines.iter().find_map(|line| line.strip_prefix(&start)?.parse().ok())
    })
}

/// The first table: pages not seen.
fn content(all: &[Scored], missed: usize, out: &mut impl Write) -> Result<()> {
    let mut kinds: BTreeMap<&str, Values> = BTreeMap::new();
    let (mut types, mut precision, mut recall) = (Values::default(), Values::default(), Values::default());
    for Scored { page, scores, .. } in all {
        let is_runs = matches!(page.text, Some((Measure::Runs, _)));
        if let Some(value) = scores.words {
            kinds
                .entry(if is_runs { "news, words" } else { &page.kind })
                .or_default()
                .push(&page.site, value);
            if !is_runs {
                types.push(&page.site, value);
            }
        }
        for (values, value) in [(&mut precision, scores.precision), (&mut recall, scores.recall)] {
            if let Some(value) = value {
                values.push(&page.site, value);
            }
        }
    }
    writeln!(
        out,
        "F1 of the content, pages not seen; {missed} pages without log-odds\n\n| pages | | F1 |\n|---|---|---|"
    )?;
    let (p, r) = (precision.mean(), recall.mean());
    if p + r > 0.0 {
        let f1 = 2.0 * p * r / (p + r);
        writeln!(
            out,
            "| news, runs of four words | {} | {f1:.3} (precision {p:.3}, recall {r:.3}) |",
            recall.len()
        )?;
    }
    for (kind, values) in kinds.iter().chain([(&"all types", &types)]) {
        writeln!(out, "| {kind} | {} | {:.3} ± {:.3} |", values.len(), values.mean(), values.error())?;
    }
    let empty: Vec<&str> =
        all.iter().filter(|one| one.scores.is_empty).map(|one| one.page.id.as_str()).collect();
    writeln!(out, "\nwithout content: {} {}\n", empty.len(), empty.join(" "))?;
    Ok(())
}

/// What `Content::confidence` is worth.
fn confidence(all: &[Scored], out: &mut impl Write) -> Result<()> {
    let judged: Vec<Judged> = all
        .iter()
        .filter(|one| matches!(one.page.text, Some((Measure::Words, _))))
        .filter_map(|one| Some((f64::from(one.expected?), one.scores.words?, one.page.is_open())))
        .collect();
    writeln!(
        out,
        "| confidence | pages | mean confidence | mean F1 | mean before calibration |\n|---|---|---|---|---|"
    )?;
    calibrate::print(None, &judged, calibrate::of_pages, &[0.0, 0.5, 0.7, 0.8, 0.85, 0.9, 0.95, 1.01], out)
}

type FieldOf = fn(&Scores) -> Option<Field>;

/// The fields, in the order of their weights.
const FIELDS: [(&str, FieldOf); 3] = [
    ("title", |scores| scores.title),
    ("author", |scores| scores.author),
    ("date", |scores| scores.published),
];

fn metadata(all: &[Scored], out: &mut impl Write) -> Result<()> {
    writeln!(out, "| | sites that were looked at | sites that were kept back | all |\n|---|---|---|---|")?;
    for (name, of) in FIELDS {
        for (what, labelled) in [("exact", true), ("false", false)] {
            let mut cells = Vec::new();
            for half in [Some(true), Some(false), None] {
                let mut values = Values::default();
                for one in all.iter().filter(|one| half.is_none_or(|half| one.page.is_open() == half)) {
                    if let Some(field) = of(&one.scores).filter(|field| field.labelled == labelled) {
                        let hit = if labelled { field.exact } else { field.found };
                        values.push(&one.page.site, f64::from(u8::from(hit)));
                    }
                }
                if values.len() > 0 {
                    cells.push(format!(
                        "{:.1} ± {:.1} ({})",
                        100.0 * values.mean(),
                        100.0 * values.error(),
                        values.len()
                    ));
                }
            }
            if !cells.is_empty() {
                writeln!(out, "| {name} {what} | {} |", cells.join(" | "))?;
            }
        }
    }
    writeln!(out)?;
    Ok(())
}

/// What the confidence of titles, authors and dates is worth.
fn certainty(all: &[Scored], out: &mut impl Write) -> Result<()> {
    for (place, (name, of)) in FIELDS.into_iter().enumerate() {
        let judged: Vec<Judged> = all
            .iter()
            .filter_map(|one| {
                let weight = one.weights.get(place).copied().flatten()?;
                Some((weight, f64::from(u8::from(of(&one.scores)?.exact)), one.page.is_open()))
            })
            .collect();
        if !judged.is_empty() {
            let head =
                "| | confidence | values | mean confidence | share that is exact | mean weight before |";
            writeln!(out, "{head}\n|---|---|---|---|---|---|")?;
            let edges = [0.0, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 1.01];
            calibrate::print(Some(name), &judged, calibrate::of_values, &edges, out)?;
        }
    }
    Ok(())
}
