//! What each rule of the extraction changes.
//!
//! `evaluate --rules UNSEEN [--off NAME,…]… CORPUS…`: each page is extracted with all rules and then without one rule after the
//! other, or without those of each `--off` together. The first line of JSON lists what was switched off; then comes one for each page with all rules, and one for each page that is another without a
//! rule. Pages with a labelled text have its score by words; all others their Markdown, for a scorer of items. UNSEEN is as in
//! `--figures`: pages that it does not have are judged by the model in the crate.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use aidocument_extract::training::{decode, rules, without_rules};
use serde_json::{Value, json};

use crate::corpus::{self, Page};
use crate::figures::{Unseen, unseen};
use crate::{Result, score};

/// Threads that extract.
const THREADS: usize = 4;

/// The places of rules that are switched off together, with their names.
type Sets = Vec<(Vec<usize>, Value)>;

fn sets(off: &[&str]) -> Result<Sets> {
    if off.is_empty() {
        return Ok(rules().iter().enumerate().map(|(place, rule)| (vec![place], json!(rule))).collect());
    }
    off.iter()
        .map(|names| {
            let place = |name| rules().iter().position(|[known, ..]| *known == name);
            let places: Option<Vec<usize>> = names.split(',').map(place).collect();
            let places = places.ok_or_else(|| format!("expected names of rules, found {names}"))?;
            Ok((places, json!([names, "", "", ""])))
        })
        .collect()
}

pub(crate) fn print(path: &Path, arguments: &[&str], out: &mut impl Write) -> Result<()> {
    let (mut off, mut corpora) = (Vec::new(), Vec::new());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match *argument {
            "--off" => off.extend(rest.next()),
            folder => corpora.push(PathBuf::from(folder)),
        }
    }
    let sets = sets(&off)?;
    let unseen = if path.exists() { unseen(path)? } else { Unseen::new() };
    let mut pages = Vec::new();
    for folder in &corpora {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        pages.extend(corpus::read(folder)?.into_iter().map(|page| (name.clone(), page)));
    }
    writeln!(out, "{}", json!({ "rules": sets.iter().map(|(_, rule)| rule).collect::<Vec<_>>() }))?;
    let next = AtomicUsize::new(0);
    let lines = std::thread::scope(|scope| -> Result<Vec<String>> {
        let work = || -> std::result::Result<Vec<String>, String> {
            let mut lines = Vec::new();
            while let Some((corpus, page)) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
                let found =
                    of_page(corpus, page, &unseen, &sets).map_err(|error| format!("{}: {error}", page.id))?;
                lines.extend(found.iter().map(Value::to_string));
            }
            Ok(lines)
        };
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        let mut all = Vec::new();
        for thread in threads {
            all.extend(thread.join().map_err(|_| "a thread panicked")??);
        }
        Ok(all)
    })?;
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn of_page(corpus: &str, page: &Page, unseen: &Unseen, sets: &Sets) -> Result<Vec<Value>> {
    let html = decode(&page.read()?);
    let given = unseen.get(&page.id).map(|(kind, odds)| (*kind, odds.as_slice()));
    let extract = |off: &[usize]| without_rules(&html, page.url.as_ref(), given, page.text.is_none(), off);
    let line = |rule: Option<usize>, [markdown, text]: &[String; 2]| match &page.text {
        Some((_, label)) => json!({
            "corpus": corpus, "type": page.kind, "id": page.id, "site": page.site, "rule": rule,
            "score": score::Overlap::of(label, text).f1(),
        }),
        None => json!({
            "corpus": corpus, "type": page.kind, "id": page.id, "site": page.site, "rule": rule,
            "markdown": markdown,
        }),
    };
    let all = extract(&[]);
    let mut lines = vec![line(None, &all)];
    for (rule, (off, _)) in sets.iter().enumerate() {
        let without = extract(off);
        if without != all {
            lines.push(line(Some(rule), &without));
        }
    }
    Ok(lines)
}
