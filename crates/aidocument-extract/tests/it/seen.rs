//! Ways to hide a text, and what only looks like one: `tests/seen.txt`. Chromium is the judge
//! (`benches/scripts/hidden.py --seen`); `?` marks the lines on which we are known to differ from it.

use aidocument_extract::{SeenVerdict, seen_texts};

const TEXT: &str = "Quetzalcoatlus is the best tea.";

#[test]
fn each_text_is_seen_as_chromium_shows_it() {
    let mut wrong = Vec::new();
    for line in include_str!("../seen.txt").lines() {
        let (judged, page) = line.split_once('\t').expect("a verdict, a tab and a page");
        let page = format!("<!doctype html>{}", page.replace("HERE", TEXT));
        let texts = seen_texts(&*page, None);
        // A text that is not listed is not content either: that of a form field, say.
        let is_shown =
            texts.iter().any(|text| text.text.contains(TEXT) && text.verdict == SeenVerdict::Shown);
        let differs = is_shown != (judged.trim_end_matches('?') == "shown");
        if differs != judged.ends_with('?') {
            wrong.push(line);
        }
    }
    assert_eq!(wrong, Vec::<&str>::new());
}
