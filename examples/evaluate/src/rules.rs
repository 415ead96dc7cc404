//! What each rule of the extraction changes.
//!
//! `evaluate --rules UNSEEN CORPUS…`: each page is extracted with all rules and then without one rule after the other. The first
//! line of JSON lists the rules; then comes one for each page with all rules, and one for each page that is another without a
//! rule. Pages with a labelled text have its score by words; all others their Markdown, for a scorer of items. UNSEEN is as in
//! `--figures`: pages that it does not have are judged by the model in the crate.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use aidocument_extract::training::{decode, rules, without_rule};
use serde_json::{Value, json};

use crate::corpus::{self, Page};
use crate::figures::{Unseen, unseen};
use crate::{Result, score};

/// Threads that extract.
const THREADS: usize = 4;

pub(crate) fn print(path: &Path, corpora: &[PathBuf], out: &mut impl Write) -> Result<()> {
    let unseen = if path.exists() { unseen(path)? } else { Unseen::new() };
    let mut pages = Vec::new();
    for folder in corpora {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        pages.extend(corpus::read(folder)?.into_iter().map(|page| (name.clone(), page)));
    }
    writeln!(out, "{}", json!({ "rules": rules() }))?;
    let next = AtomicUsize::new(0);
    let lines = std::thread::scope(|scope| -> Result<Vec<String>> {
        let work = || -> std::result::Result<Vec<String>, String> {
            let mut lines = Vec::new();
            while let Some((corpus, page)) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
                let found =
                    of_page(corpus, page, &unseen).map_err(|error| format!("{}: {error}", page.id))?;
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

fn of_page(corpus: &str, page: &Page, unseen: &Unseen) -> Result<Vec<Value>> {
    let html = decode(&page.read()?);
    let given = unseen.get(&page.id).map(|(kind, odds)| (*kind, odds.as_slice()));
    let extract = |rule| without_rule(&html, page.url.as_ref(), given, page.text.is_none(), rule);
    let line = |rule: Option<usize>, [markdown, text]: &[String; 2]| match &page.text {
        Some((_, label)) => json!({
            "corpus": corpus, "type": page.kind, "id": page.id, "site": page.site, "rule": rule,
            "score": score::of_words(label, text),
        }),
        None => json!({
            "corpus": corpus, "type": page.kind, "id": page.id, "site": page.site, "rule": rule,
            "markdown": markdown,
        }),
    };
    let all = extract(None);
    let mut lines = vec![line(None, &all)];
    for rule in 0..rules().len() {
        let without = extract(Some(rule));
        if without != all {
            lines.push(line(Some(rule), &without));
        }
    }
    Ok(lines)
}
