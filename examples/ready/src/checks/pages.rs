//! What is in the pages and in their Markdown. Spec: section 5, without tabs and continuations.

use std::collections::BTreeSet;

use url::Url;

use super::{Look, Page, Sheet};
use crate::exchange::{Answer, Exchange};
use crate::html::{Element, Tree};
use crate::markdown::{missing_lines, open_fence};
use crate::{Row, Verdict};

/// The content of a page without its frame. Spec: READY-PAGE-1.
#[derive(Debug, Default, PartialEq, Eq)]
struct Content {
    characters: usize,
    headings: usize,
    paragraphs: usize,
    code: usize,
    has_main: bool,
}

/// How many characters the texts between any two places have, blanks around them aside: elements stand in one another, and
/// each would count all that is below it again.
struct Lengths<'p> {
    places: &'p [usize],
    /// Where the text from each place on begins, and where the text before it ends, in characters.
    bounds: Vec<(usize, usize)>,
}

impl<'p> Lengths<'p> {
    fn of(tree: &Tree, places: &'p [usize]) -> Self {
        let (mut length, mut end) = (0, 0);
        let mut bounds = Vec::with_capacity(places.len() + 1);
        for at in places {
            let mut begin = usize::MAX;
            let before = end;
            for c in tree.text_of([*at]).chars() {
                if !c.is_whitespace() {
                    begin = begin.min(length);
                    end = length + 1;
                }
                length += 1;
            }
            bounds.push((begin, before));
        }
        bounds.push((usize::MAX, end));
        let mut next = usize::MAX;
        for (begin, _) in bounds.iter_mut().rev() {
            next = next.min(*begin);
            *begin = next;
        }
        Lengths { places, bounds }
    }

    fn within(&self, range: std::ops::Range<usize>) -> usize {
        let bounds = |place| self.bounds.get(self.places.partition_point(|held| *held < place));
        let (begin, end) = (bounds(range.start), bounds(range.end));
        begin.zip(end).map_or(0, |((begin, _), (_, end))| end.saturating_sub(*begin))
    }
}

impl Content {
    fn of(tree: &Tree) -> Self {
        let is_cut = |element: &Element| {
            matches!(
                element.name.as_str(),
                "script" | "style" | "noscript" | "svg" | "nav" | "header" | "footer" | "aside"
            ) || ["navigation", "banner", "contentinfo", "complementary"]
                .iter()
                .any(|role| element.has_role(role))
        };
        let places = tree.without(tree.within(tree.first("body")), is_cut);
        let text = tree.text_of(places.iter().copied());
        let lengths = Lengths::of(tree, &places);
        let chars_at = |at: usize| lengths.within(tree.within(Some(at)));
        let elements = |is: fn(&str) -> bool| {
            let found =
                places.iter().filter(move |at| tree.element(**at).is_some_and(|found| is(&found.name)));
            found.copied()
        };
        let is_heading = |name: &str| matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
        let is_long = |at: &usize| chars_at(*at) > 30;
        let paragraphs: Vec<usize> = elements(|name| name == "p").filter(is_long).collect();
        let code: Vec<usize> = elements(|name| matches!(name, "pre" | "code")).collect();
        let main = places.iter().find(|at| {
            tree.element(**at).is_some_and(|element| element.name == "main" || element.has_role("main"))
        });
        let has_main = main.is_some_and(|at| {
            let inner = tree.within(Some(*at));
            paragraphs.iter().filter(|at| inner.contains(at)).count() >= 2
                || code.iter().any(|at| inner.contains(at))
        });
        Content {
            characters: text
                .split_whitespace()
                .map(|word| word.chars().count() + 1)
                .sum::<usize>()
                .saturating_sub(1),
            headings: elements(is_heading).filter(|at| chars_at(*at) > 3).count(),
            paragraphs: paragraphs.len(),
            code: code.len(),
            has_main,
        }
    }

    fn has_substance(&self) -> bool {
        self.characters >= 1_500
            || self.headings >= 1 && (self.characters >= 500 || self.has_main)
            || self.headings >= 3
            || self.paragraphs >= 5
            || self.code >= 3
    }
}

/// Whether a page has content beside its frame.
pub(super) fn has_substance(page: &Exchange) -> bool {
    Content::of(page.tree()).has_substance()
}

fn rendering(page: &Exchange) -> (Verdict, String) {
    const MARKS: [&str; 4] = [r#"id="___gatsby""#, r#"id="__next""#, r#"id="__nuxt""#, r#"id="root""#];
    let html = page.text();
    let Some(mark) = MARKS.iter().find(|mark| html.contains(**mark)).filter(|_| page.is_html()) else {
        return (Verdict::Pass, String::new());
    };
    let content = Content::of(page.tree());
    let some = content.headings >= 1 || content.paragraphs >= 2 || content.code >= 1;
    match (content.has_substance(), some) {
        (true, _) => (Verdict::Pass, String::new()),
        (false, true) => (Verdict::Warn, format!("{mark}, and little content in the HTML")),
        (false, false) => (Verdict::Fail, format!("{mark}, and no content in the HTML")),
    }
}

/// Spec: READY-PAGE-2, READY-AMB-13.
pub(super) fn size(characters: usize) -> Verdict {
    match characters {
        0..50_000 => Verdict::Pass,
        50_000..=100_000 => Verdict::Warn,
        _ => Verdict::Fail,
    }
}

fn transfer(page: &Exchange) -> (Verdict, String) {
    let bytes = page.response.body.len();
    let verdict = match bytes {
        0..1_000_000 => Verdict::Pass,
        1_000_000..=10_000_000 => Verdict::Warn,
        _ => Verdict::Fail,
    };
    let content = page.converted().chars().count().max(1);
    let ratio = match bytes / content {
        ratio @ 20.. => format!(", {ratio} for each character of content"),
        _ => String::new(),
    };
    (verdict, format!("{bytes} bytes{ratio}"))
}

pub(super) fn checks(look: &Look<'_>, pages: &[Page<'_>], sheet: &mut Sheet) {
    let of_pages = |judge: &dyn Fn(&Answer<'_>) -> (Verdict, String)| {
        let had = pages.iter().filter_map(|page| Some((page.url, page.answer.as_ref()?)));
        had.map(|(url, answer)| {
            let (verdict, detail) = judge(answer);
            (url.to_string(), verdict, detail)
        })
        .collect::<Vec<_>>()
    };
    let of_markdown = |judge: &dyn Fn(&Answer<'_>) -> (Verdict, String)| {
        pages
            .iter()
            .filter_map(Page::markdown)
            .map(|answer| {
                let (verdict, detail) = judge(answer);
                (answer.url.to_string(), verdict, detail)
            })
            .collect::<Vec<_>>()
    };
    let count = |text: &str| {
        let characters = text.chars().count();
        (size(characters), format!("{characters} characters"))
    };
    sheet.worst(Row::Page1, of_pages(&|page| rendering(page)));
    sheet.worst(Row::Page2, of_pages(&|page| count(page.converted())));
    sheet.worst(Row::Page3, of_markdown(&|page| count(page.text())));
    sheet.worst(Row::Page4, of_pages(&|page| transfer(page)));
    sheet.worst(Row::Page5, of_pages(&|page| start(page.converted())));
    sheet.worst(
        Row::Page9,
        of_markdown(&|page| match open_fence(page.text()) {
            Some(line) => (Verdict::Fail, format!("the fence of line {line} stays open")),
            None => (Verdict::Pass, String::new()),
        }),
    );
    let links = portability(look, pages);
    sheet.worst(Row::Page10, links);
    sheet.worst(Row::Page11, of_pages(&|page| bulk(page.converted())));
    let both = pages.iter().filter_map(|page| Some((page.url, page.html()?, page.markdown()?)));
    let parity = both.map(|(url, page, markdown)| {
        let (all, missing) = missing_lines(page.main_text(), markdown.text());
        let verdict = match super::percent(missing.len(), all) {
            _ if all < 10 => Verdict::Pass,
            0..5 => Verdict::Pass,
            5..20 => Verdict::Warn,
            _ => Verdict::Fail,
        };
        let example = missing.first().map(|line| crate::sniff::first_chars(line, 60)).unwrap_or_default();
        (
            url.to_string(),
            verdict,
            format!("{} of {all} lines are missing, such as `{example}`", missing.len()),
        )
    });
    sheet.worst(Row::Page12, parity.collect::<Vec<_>>());
}

/// Where content begins, in percent of the page. Spec: READY-PAGE-5.
fn start(markdown: &str) -> (Verdict, String) {
    let lines: Vec<&str> = markdown.lines().map(str::trim).collect();
    let raw: Vec<usize> = markdown.split('\n').map(|line| line.chars().count() + 1).collect();
    let total = markdown.chars().count();
    let at = (0..lines.len()).find(|at| begins(&lines, *at)).unwrap_or(lines.len());
    let before: usize = raw.iter().take(at).sum();
    let percent = super::percent(before.min(total), total);
    let verdict = match percent {
        0..=10 => Verdict::Pass,
        11..=50 => Verdict::Warn,
        _ => Verdict::Fail,
    };
    (verdict, format!("content begins after {percent} %"))
}

fn begins(lines: &[&str], at: usize) -> bool {
    let line = lines.get(at).copied().unwrap_or_default();
    if line.is_empty() {
        return false;
    }
    if is_heading(lines, at) {
        let is_main = !line.starts_with("#####");
        return is_main && leads_to_content(lines, at);
    }
    let is_sentence = line.ends_with(['.', '!', '?']);
    !is_machinery(line) && !is_mostly_links(line) && {
        let length = line.chars().count();
        length >= 80 || length >= 40 && is_sentence
    }
}

fn is_heading(lines: &[&str], at: usize) -> bool {
    let is_underline = |line: &&str| line.len() >= 2 && line.bytes().all(|byte| matches!(byte, b'=' | b'-'));
    let line = lines.get(at).copied().unwrap_or_default();
    crate::pattern!(r"^#{1,6}\s+\S").is_match(line)
        || !line.is_empty() && !is_underline(&line) && lines.get(at + 1).is_some_and(is_underline)
}

/// Whether a heading is followed by prose or a table before the next heading.
fn leads_to_content(lines: &[&str], at: usize) -> bool {
    let is_underline = |line: &str| line.len() >= 2 && line.bytes().all(|byte| matches!(byte, b'=' | b'-'));
    let behind = (at + 1..lines.len()).filter(|at| {
        lines.get(*at).is_some_and(|line| !line.is_empty() && !is_underline(line) && !is_machinery(line))
    });
    for at in behind.take(6) {
        let line = lines.get(at).copied().unwrap_or_default();
        if is_heading(lines, at) {
            return false;
        }
        let length = line.chars().count();
        let is_table = line.starts_with('|') && line.get(1..).is_some_and(|rest| rest.contains('|'));
        let is_prose = length > 40 || length >= 10 && line.ends_with(['.', '!', '?']);
        if is_table || line.starts_with("<table") || is_prose && !is_mostly_links(line) {
            return true;
        }
    }
    false
}

/// A line of CSS or script.
fn is_machinery(line: &str) -> bool {
    crate::pattern!(
        r"^[{}\s]*[a-z0-9_-]+\s*:\s*[^;]+;|^(?:function|var|const|let|import|export)\b|^//|[{};]$"
    )
    .is_match(line)
        || line.len() >= 200
            && crate::pattern!(
                r"function\s*\(|=>\s*\{|document\.|window\.|localStorage|\.addEventListener|\.querySelector"
            )
            .is_match(line)
}

fn is_mostly_links(line: &str) -> bool {
    let links = crate::pattern!(r"\[[^\]]+\]\([^)]+\)").find_iter(line).map(|found| found.len());
    2 * links.sum::<usize>() >= line.len().max(1) || line.starts_with("](")
}

/// Spec: READY-PAGE-11.
fn bulk(markdown: &str) -> (Verdict, String) {
    let total = markdown.chars().count();
    let verdict = size(total);
    if verdict == Verdict::Pass {
        return (Verdict::Pass, String::new());
    }
    let share = super::percent(bulk_characters(markdown), total);
    match share {
        0..50 => (Verdict::Pass, String::new()),
        share => (verdict, format!("{share} % of {total} characters is data")),
    }
}

/// Characters in tables of 20 rows, and in JSON and base64 of 2,000 characters.
fn bulk_characters(markdown: &str) -> usize {
    let chars = |text: &str| text.chars().count();
    let is_row = |line: &str| line.trim_start().starts_with('|');
    let mut sum = 0;
    let mut lines = markdown.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let mut block = line.to_owned();
        if is_row(line) {
            let mut rows = 1;
            while let Some(next) = lines.next_if(|next| is_row(next)) {
                block.push_str(next);
                rows += 1;
            }
            // Two of the rows are the head and its rule.
            sum += if rows >= 22 { chars(&block) } else { 0 };
            continue;
        }
        let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        if is_fence || line.trim_start().starts_with(['{', '[']) || line.starts_with("    ") {
            let is_end = |next: &str| match is_fence {
                true => next.trim_start().starts_with("```") || next.trim_start().starts_with("~~~"),
                false => next.trim().is_empty(),
            };
            while let Some(next) = lines.next_if(|next| !is_end(next)) {
                block.push_str(next);
            }
            if is_fence && let Some(end) = lines.next() {
                block.push_str(end);
            }
            if chars(&block) >= 2_000 && is_json(&block) {
                sum += chars(&block);
                continue;
            }
        }
        let runs = crate::pattern!(r"(?:data:[\w.+/-]+;base64,)?[A-Za-z0-9+/=]{2000,}").find_iter(&block);
        sum += runs.map(|run| run.len()).sum::<usize>();
    }
    sum
}

fn is_json(block: &str) -> bool {
    let first = block.lines().next().unwrap_or_default().to_ascii_lowercase();
    if first.contains("json") && (first.contains("```") || first.contains("~~~")) {
        return true;
    }
    let inner = block.trim().trim_matches(['`', '~']).trim();
    let is_closed =
        inner.starts_with('{') && inner.ends_with('}') || inner.starts_with('[') && inner.ends_with(']');
    // Samples have comments and dots in them: many keys are enough.
    is_closed
        && (super::json::is_json(inner)
            || crate::pattern!(r#""[^"\n]{1,200}"\s*:"#).find_iter(inner).count()
                >= inner.len().div_ceil(150).max(10))
}

/// Whether the links work without the page's address, and whether there are any. Spec: READY-PAGE-10.
fn portability(look: &Look<'_>, pages: &[Page<'_>]) -> Vec<(String, Verdict, String)> {
    const MAX_LINKS: usize = 50;
    let texts: Vec<&Answer<'_>> = pages.iter().filter_map(Page::markdown).collect();
    let quota = (MAX_LINKS / texts.len().max(1)).max(1);
    let mut asked: BTreeSet<Url> = BTreeSet::new();
    let mut found = Vec::new();
    for text in texts {
        let mut worst = (Verdict::Pass, String::new());
        let mut own: Vec<Url> = Vec::new();
        for link in text.markdown_links() {
            let target = link.target.trim();
            // What no generator writes into an address is a template or code.
            if target.is_empty() || target.contains(['\\', '{', '}', '|', '^', '`', '"']) {
                continue;
            }
            let kind = kind_of(target);
            let Ok(url) = text.url.join(target) else {
                worst = worst.max((Verdict::Fail, format!("`{target}` is no address")));
                continue;
            };
            match kind {
                Kind::Other => continue,
                Kind::Absolute => {}
                Kind::FromRoot => {
                    worst = worst.max((Verdict::Warn, format!("`{target}` needs the page's address")))
                }
                Kind::Relative => {
                    worst = worst.max((Verdict::Fail, format!("`{target}` needs the page's address")))
                }
            }
            let mut url = url;
            url.set_fragment(None);
            if look.is_on_site(&url) && !own.contains(&url) && own.len() < 10 * MAX_LINKS {
                own.push(url);
            }
        }
        own.sort_by_key(|url| !promises_markdown(url));
        let mut left = quota;
        for url in own {
            if left == 0 {
                break;
            }
            if !asked.contains(&url) {
                if asked.len() >= MAX_LINKS {
                    continue;
                }
                asked.insert(url.clone());
            }
            left -= 1;
            worst = worst.max(linked(look, &url));
        }
        found.push((text.url.to_string(), worst.0, worst.1));
    }
    found
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Absolute,
    FromRoot,
    Relative,
    /// A fragment, or another scheme.
    Other,
}

fn kind_of(target: &str) -> Kind {
    let is_scheme =
        |scheme: &str| target.get(..scheme.len()).is_some_and(|at| at.eq_ignore_ascii_case(scheme));
    match () {
        () if target.starts_with('#') => Kind::Other,
        () if is_scheme("http://") || is_scheme("https://") => Kind::Absolute,
        () if target.starts_with('/') => Kind::FromRoot,
        () if crate::pattern!(r"(?i)^[a-z][a-z0-9+.-]*:").is_match(target) => Kind::Other,
        () => Kind::Relative,
    }
}

pub(super) fn promises_markdown(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    path.ends_with(".md") || path.ends_with(".mdx")
}

/// What a link leads to.
fn linked(look: &Look<'_>, url: &Url) -> (Verdict, String) {
    let Some(answer) = look.reader.get(url) else { return (Verdict::Pass, String::new()) };
    if !answer.is_success() {
        return (Verdict::Fail, format!("{url}: status {}", answer.status()));
    }
    if answer.is_blank() || answer.is_error_page() {
        return (Verdict::Fail, format!("{url}: nothing is there, with status {}", answer.status()));
    }
    match (promises_markdown(url) && answer.is_html(), promises_markdown(&answer.url)) {
        (false, _) => (Verdict::Pass, String::new()),
        (true, false) => (Verdict::Warn, format!("{url} redirects to HTML")),
        (true, true) => (Verdict::Fail, format!("{url} is HTML")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_counted_without_the_frame() {
        let tree = Tree::parse(concat!(
            "<title>t</title><body><header><h1>Long title</h1></header><main><h2>abc</h2><h2>abcd</h2>",
            "<p>short</p><p>a paragraph of more than thirty letters</p><pre><code>x</code></pre><code>y</code></main>"
        ));
        let content = Content::of(&tree);
        assert_eq!((content.headings, content.paragraphs, content.code, content.has_main), (1, 1, 3, true));
        assert_eq!(content.characters, "abcabcdshorta paragraph of more than thirty lettersxy".len());
    }

    #[test]
    fn texts_are_as_long_as_they_are_without_blanks_around_them() {
        let tree = Tree::parse(
            "<body> <h1> a<nav>cut</nav> <p> b é </p><b> </b></h1> <h2></h2><h3><i> \u{a0} </i></h3>z",
        );
        let places = tree.without(tree.within(tree.first("body")), |element| element.name == "nav");
        let lengths = Lengths::of(&tree, &places);
        for at in places.iter().copied().filter(|at| tree.element(*at).is_some()) {
            let inner = tree.within(Some(at)).filter(|place| places.contains(place));
            let expected = tree.text_of(inner).trim().chars().count();
            assert_eq!(lengths.within(tree.within(Some(at))), expected, "{:?}", tree.element(at));
        }
    }

    #[test]
    fn elements_within_one_another_cost_no_more_than_others() {
        let _times = linear::assert_linear("headings", [1, 4], |size| {
            let html = format!("<body>{}{}", "<h1>".repeat(100 * size), "a<b></b>".repeat(10_000 * size));
            assert_eq!(Content::of(&Tree::parse(&html)).headings, 100 * size);
        });
    }

    #[test]
    fn content_begins_with_prose() {
        let links = "- [a long name](https://a.example/a/long/address)\n".repeat(20);
        let prose = "This is a paragraph that says something about the subject of the page, at length.\n";
        let verdict = |text: &str| start(text).0;
        assert_eq!(verdict(&format!("# Title\n\n{prose}")), Verdict::Pass);
        assert_eq!(verdict(&format!("{links}\n# Title\n\n{prose}")), Verdict::Fail);
        assert_eq!(
            verdict(&format!("# Menu\n\n{links}\n## Title\n\n{prose}{}", prose.repeat(20))),
            Verdict::Warn
        );
        assert_eq!(verdict("# Data\n\n| a | b |\n| - | - |\n| 1 | 2 |\n"), Verdict::Pass);
        assert_eq!(verdict(""), Verdict::Pass);
    }

    #[test]
    fn data_is_tables_json_and_base64() {
        let table = format!("| a | b |\n| - | - |\n{}", "| 1 | 2 |\n".repeat(20));
        assert_eq!(bulk_characters(&table), table.len());
        assert_eq!(bulk_characters(&table[..table.len() - 10]), 0);
        let json = format!("[{}1]", "1, ".repeat(700));
        assert_eq!(bulk_characters(&json), json.len());
        assert_eq!(bulk_characters(&format!("```json\n{json}\n```\n")), json.len() + 13);
        assert_eq!(bulk_characters(&"ab+/".repeat(500)), 2_000);
        assert_eq!(bulk_characters(&"word ".repeat(1_000)), 0);
        let page = format!("{}{}", "ab+/".repeat(20_000), "word ".repeat(10));
        assert_eq!(bulk(&page).0, Verdict::Warn);
    }

    #[test]
    fn links_are_told_apart() {
        for (target, expected) in [
            ("#a", Kind::Other),
            ("mailto:a@b.example", Kind::Other),
            ("HTTPS://a.example", Kind::Absolute),
            ("//a.example", Kind::FromRoot),
            ("/a", Kind::FromRoot),
            ("a.md", Kind::Relative),
            ("?x=1", Kind::Relative),
        ] {
            assert_eq!(kind_of(target), expected, "{target}");
        }
    }
}
