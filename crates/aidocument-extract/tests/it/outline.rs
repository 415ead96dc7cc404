//! Markdown in sections and pages: what holds for any text, and what is expected of some.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests may say what they expect in the plainest way"
)]

use std::ops::Range;

use aidocument_extract::outline::{Outline, estimate_tokens};
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag};

const GUIDE: &str = "\
Before all headings.

# Guide

What it is.

## Install

### Linux

```sh
# not a heading
apt install tea

brew tea
```

### Mac

Brew it.

## Use

| key | does |
|---|---|
| a | adds |
| b | brews |

## Use

Again.
";

fn names(text: &str) -> Vec<String> {
    let outline = Outline::of(text, &estimate_tokens);
    outline.sections().iter().map(|section| section.name.clone()).collect()
}

#[test]
fn names_are_made_of_headings() {
    assert_eq!(names(GUIDE), ["top", "guide", "install", "install/linux", "install/mac", "use", "use-2"]);
    assert_eq!(names(""), Vec::<String>::new());
    assert_eq!(names("no heading"), ["top"]);
    assert_eq!(names("# *Über* `x_y` & [Tee](/t)\n"), ["über-x-y-tee"]);
    assert_eq!(names("Setext\n===\n\n#\n\n# 緑茶\n"), ["setext", "section", "緑茶"]);
    assert_eq!(names("> # quoted\n\n- # in an item\n"), ["top"]);
    // What stands below a heading changes no name, and neither does what is elsewhere.
    let longer =
        GUIDE.replace("Brew it.", "Brew it.\n\nTwice.").replace("## Install", "## New\n\nNew.\n\n## Install");
    let kept: Vec<String> = names(&longer).into_iter().filter(|name| name != "new").collect();
    assert_eq!(kept, names(GUIDE));
}

#[test]
fn sections_are_found_by_name_title_or_the_end_of_a_name() {
    let outline = Outline::of(GUIDE, &estimate_tokens);
    let name = |wanted: &str| outline.find(wanted).map(|section| section.name.as_str());
    assert_eq!(name("install/linux"), Some("install/linux"));
    assert_eq!(name("Linux"), Some("install/linux"));
    assert_eq!(name("#mac"), Some("install/mac"));
    assert_eq!(name("use"), Some("use"), "the first of two has the plain name");
    assert_eq!(name("Use"), Some("use"), "the title of two sections is the name of the first");
    assert_eq!(name("lin"), None);
    let install = outline.find("install").unwrap();
    assert!(install.text_of(GUIDE).ends_with("Brew it.\n\n"));
    assert!(install.own_tokens < install.tokens && install.tokens < outline.tokens());
}

#[test]
fn a_fence_and_a_row_are_never_cut_and_a_table_goes_on_with_its_head() {
    let rows: String = (0..40).map(|row| format!("| {row} | value of row {row} |\n")).collect();
    let text = format!("| a | b |\n|---|---|\n{rows}\n```\nline one\n\nline two\n```\n");
    let outline = Outline::of(&text, &estimate_tokens);
    let pages = outline.pages(&text, 0..text.len(), 60, &estimate_tokens);
    assert!(pages.len() > 4);
    for page in &pages {
        let shown = page.text_of(&text);
        assert!(shown.starts_with("| a | b |\n|---|---|\n") || shown.starts_with("```"), "{shown}");
        assert_eq!(shown.matches("```").count() % 2, 0, "{shown}");
        assert!(
            shown.lines().all(|line| line.is_empty() || !line.starts_with('|') || line.ends_with('|')),
            "{shown}"
        );
    }
}

#[test]
fn sentences_end_where_they_end() {
    let cuts = |text: &str| -> Vec<String> {
        let outline = Outline::of(text, &estimate_tokens);
        let pages = outline.pages(text, 0..text.len(), 1, &|_| 1);
        pages.iter().map(|page| page.text_of(text).trim().to_owned()).collect()
    };
    assert_eq!(cuts("One is here. Two is there! Three?"), ["One is here.", "Two is there!", "Three?"]);
    for whole in [
        "Dr. No met Mr. X, e.g. In Rome.",
        "J. S. Bach and v. 2.",
        "It costs 3.50 Euro, approx. that.",
        "[One is here. Two is there.](/x)",
        "`One is here. Two is there.`",
    ] {
        assert_eq!(cuts(whole), [whole]);
    }
    assert_eq!(cuts("緑茶です。紅茶です。"), ["緑茶です。", "紅茶です。"]);
    assert_eq!(cuts("He said \"no more.\" She left."), ["He said \"no more.\"", "She left."]);
    assert_eq!(cuts("- one\n- two\n"), ["- one", "- two"]);
    assert_eq!(cuts("# Head\n\nBelow it."), ["# Head\n\nBelow it."], "a heading stays with what is below it");
}

#[test]
fn what_cannot_be_cut_and_is_far_too_long_is_left_out() {
    let text = format!("Before.\n\n```\n{}\n```\n\nAfter.\n", "word ".repeat(1_000));
    let outline = Outline::of(&text, &estimate_tokens);
    let pages = outline.pages(&text, 0..text.len(), 100, &estimate_tokens);
    let left_out: Vec<bool> = pages.iter().map(|page| page.is_left_out).collect();
    assert_eq!(left_out, [false, true, false]);
    assert_eq!(pages[1].text_of(&text), "");
    let pages = outline.pages(&text, 0..text.len(), 600, &estimate_tokens);
    assert!(pages.iter().all(|page| !page.is_left_out), "the caller may take it");
}

/// Every short text of two letters and a space, and every short phrase of them: all places, also those that overlap.
#[test]
fn phrases_are_found_wherever_they_begin() {
    let texts = |len: u32| {
        (0..3_u32.pow(len))
            .map(move |n| (0..len).map(|at| ['a', 'B', ' '][(n / 3_u32.pow(at) % 3) as usize]).collect())
    };
    let all: Vec<String> = (1..=6).flat_map(texts).collect();
    let phrases =
        all.iter().filter(|word| word.len() <= 5 && word.trim() == *word && !word.trim().is_empty());
    for phrase in phrases {
        let (phrase, quoted) = (phrase.to_lowercase(), format!("\"{phrase}\""));
        for text in &all {
            let begins = |at: &usize| *at == 0 || text.as_bytes()[at - 1] == b' ';
            let is_there = |at: &usize| text[*at..].to_lowercase().starts_with(&phrase);
            let expected: Vec<usize> = (0..text.len()).filter(begins).filter(is_there).collect();
            let found = Outline::of(text, &estimate_tokens);
            let found = found.search(text, &quoted).into_iter().flat_map(|hits| hits.places);
            assert_eq!(found.collect::<Vec<_>>(), expected, "{phrase} in {text:?}");
        }
    }
}

#[test]
fn words_are_found_at_the_beginnings_of_words() {
    let text = "# Tea\n\nHomebrew, brewing. BREW! 緑茶 and Ⅻ.\n";
    let outline = Outline::of(text, &estimate_tokens);
    let count = |words: &str| outline.search(text, words).first().map(|found| found.count);
    assert_eq!(count("brew"), Some(2));
    assert_eq!(count("\"brewing. brew\""), Some(1));
    assert_eq!(count("茶"), Some(1));
    assert_eq!(count("coffee"), None);
    assert_eq!(count(""), None);
    let place = outline.search(text, "brewing")[0].places[0];
    assert_eq!(outline.around(text, place, 300), "Homebrew, brewing.");
    let place = outline.search(text, "tea")[0].places[0];
    assert_eq!(outline.around(text, place, 300), "# Tea");
}

/// Ranges of text that must stay whole: fences, rows, headings, code, links.
fn wholes(text: &str) -> Vec<Range<usize>> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_MATH;
    let events = Parser::new_ext(text, options).into_offset_iter();
    let whole = events.filter(|(event, _)| {
        matches!(
            event,
            Event::Start(
                Tag::CodeBlock(_)
                    | Tag::TableRow
                    | Tag::TableHead
                    | Tag::Heading { .. }
                    | Tag::Link { .. }
                    | Tag::Image { .. }
            ) | Event::Code(_)
        )
    });
    whole.map(|(_, range)| range).collect()
}

fn markdown() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "# ",
        "## ",
        "### ",
        "\n",
        "\n\n",
        "- ",
        "1. ",
        "> ",
        "```\n",
        "~~~\n",
        "    ",
        "| a | b |\n",
        "|---|---|\n",
        "| c | d |\n",
        "word",
        " ",
        "One. ",
        "Two! ",
        "Three? ",
        "*",
        "_",
        "`",
        "[x](/y) ",
        "![i](/j)",
        "===\n",
        "---\n",
        "。",
        "茶",
        "é",
        "\t",
        "<b>",
        "&amp;",
        "\\",
        "[^1]",
        "[^1]: note\n",
        "$",
        "Dr. ",
        "e.g. ",
    ]);
    prop::collection::vec(piece, 0..80).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn pages_are_the_text_and_nothing_that_must_stay_whole_is_cut(text in markdown(), max in 1_usize..60) {
        let outline = Outline::of(&text, &estimate_tokens);
        let pages = outline.pages(&text, 0..text.len(), max, &estimate_tokens);
        prop_assert!(!pages.is_empty());
        let mut at = 0;
        for page in &pages {
            prop_assert_eq!(page.range.start, at);
            at = page.range.end;
            prop_assert!(text.is_char_boundary(at));
        }
        prop_assert_eq!(at, text.len());
        for whole in wholes(&text) {
            // The line end after a fence is no part of what a reader sees of it.
            let end = whole.start + text[whole.clone()].trim_end().len();
            let cut = pages.iter().map(|page| page.range.end).find(|cut| whole.start < *cut && *cut < end);
            prop_assert!(cut.is_none(), "{whole:?} is cut at {cut:?} of {text:?}");
        }
        prop_assert_eq!(&pages, &outline.pages(&text, 0..text.len(), max, &estimate_tokens));
    }

    #[test]
    fn own_parts_of_sections_are_the_text_and_names_are_unique(text in markdown()) {
        let outline = Outline::of(&text, &estimate_tokens);
        let sections = outline.sections();
        let mut at = 0;
        for section in sections {
            prop_assert_eq!(section.own.start, at);
            at = section.own.end;
            prop_assert!(section.whole.start == section.own.start && section.whole.end >= section.own.end);
            prop_assert_eq!(outline.find(&section.name).map(|found| &found.own), Some(&section.own));
        }
        prop_assert!(sections.is_empty() || at == text.len());
        let mut names: Vec<&str> = sections.iter().map(|section| section.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        prop_assert_eq!(names.len(), sections.len());
    }

    #[test]
    fn places_of_a_search_are_in_their_section_and_begin_with_the_word(text in markdown()) {
        let outline = Outline::of(&text, &estimate_tokens);
        for found in outline.search(&text, "word two") {
            for place in &found.places {
                prop_assert!(found.section.own.contains(place));
                let rest = text[*place..].to_lowercase();
                prop_assert!(rest.starts_with("word") || rest.starts_with("two"));
                prop_assert!(!outline.around(&text, *place, 40).is_empty());
            }
        }
    }

    #[test]
    fn an_estimate_grows_with_the_text_and_hardly_differs_where_it_is_cut(a in markdown(), b in markdown()) {
        let both = estimate_tokens(&format!("{a}{b}"));
        let apart = estimate_tokens(&a) + estimate_tokens(&b);
        // Two single spaces become a run, which is a token.
        prop_assert!(both <= apart + 1 && both + 1 >= estimate_tokens(&a).max(estimate_tokens(&b)));
    }
}
