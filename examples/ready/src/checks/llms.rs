//! llms.txt. Spec: section 4.

use std::collections::BTreeSet;

use url::Url;

use super::markdown::{forms, is_markdown_path, may_have_markdown};
use super::{Look, Page, Sheet, discovery, percent};
use crate::exchange::{ANY, Answer, MARKDOWN, Method, is_same_site};
use crate::sniff::first_chars;
use crate::xml::Sitemap;
use crate::{Row, Verdict};

/// Links of the file that are asked for.
const MAX_LINKS: usize = 50;
const POINTER: &str = "/llms.txt";

/// The file that the other checks are about.
pub(super) struct LlmsTxt<'a> {
    pub(super) answer: Answer<'a>,
    /// The targets of its links, each once.
    pub(super) targets: Vec<Url>,
}

/// Spec: READY-LLMS-1.
fn found<'a>(look: &Look<'a>, url: &Url) -> Option<Answer<'a>> {
    let answer = look.reader.get(url)?;
    let start = first_chars(answer.text().trim_start(), 5).to_ascii_lowercase();
    let is_text = !start.is_empty() && !start.starts_with("<!") && !start.starts_with("<html");
    (answer.is_success() && answer.type_contains("text/") && is_text).then_some(answer)
}

pub(super) fn checks<'a>(
    look: &Look<'a>,
    pages: &[Page<'_>],
    sitemap: Option<&Sitemap>,
    sheet: &mut Sheet,
) -> Option<LlmsTxt<'a>> {
    let path = look.url.path();
    let mut places = vec![look.at(&format!("{}{POINTER}", path.strip_suffix('/').unwrap_or(path)))];
    places.extend([look.at(POINTER), look.at("/docs/llms.txt")]);
    let file = places.iter().find_map(|url| found(look, url));
    let leads_away =
        || places.iter().any(|url| look.reader.get(url).is_some_and(|answer| answer.is_cross_host));
    match &file {
        Some(answer) => sheet.pass(Row::Llms1, answer.url.as_str()),
        None if leads_away() => sheet.warn(Row::Llms1, "a redirect leads to another host"),
        None => sheet.fail(Row::Llms1, "none at the usual places"),
    }
    let file = file.map(|answer| {
        let mut targets: Vec<Url> = Vec::new();
        let mut seen = BTreeSet::new();
        for link in answer.markdown_links().iter().filter(|link| !link.target.starts_with('#')) {
            let Ok(mut url) = answer.url.join(&link.target) else { continue };
            url.set_fragment(None);
            if seen.insert(url.clone()) {
                targets.push(url);
            }
        }
        LlmsTxt { answer, targets }
    });
    match &file {
        Some(file) => {
            form(file, sheet);
            links(look, file, sheet);
            coverage(look, file, sitemap, sheet);
        }
        None => {
            let rows = [Row::Llms2, Row::Llms3, Row::Llms4, Row::Llms5, Row::Llms8, Row::Llms10];
            sheet.skip_all(&rows, "no llms.txt");
        }
    }
    pointers(pages, sheet);
    match found(look, &look.at("/llms-full.txt")).map(|answer| answer.text().chars().count()) {
        None => sheet.skip(Row::Llms9, "absent"),
        Some(count @ 0..=100_000) => sheet.pass(Row::Llms9, format!("{count} characters")),
        Some(count) => sheet.warn(Row::Llms9, format!("{count} characters")),
    }
    file
}

fn form(file: &LlmsTxt<'_>, sheet: &mut Sheet) {
    let text = file.answer.text();
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let headings = text.lines().filter(|line| crate::pattern!(r"^#{1,6}\s").is_match(line)).count();
    let parts = [
        ("a title", first.starts_with("# ")),
        ("a summary in a quotation", text.lines().any(|line| line.trim_start().starts_with("> "))),
        ("sections", headings >= 2),
    ];
    let missing: Vec<&str> =
        parts.into_iter().filter(|(_, is_there)| !is_there).map(|(name, _)| name).collect();
    match (file.answer.markdown_links().is_empty(), missing.is_empty()) {
        (true, _) => sheet.fail(Row::Llms2, "no link"),
        (false, false) => sheet.warn(Row::Llms2, format!("without {}", missing.join(", "))),
        (false, true) => sheet.pass(Row::Llms2, ""),
    }
    let verdict = match text.chars().count() {
        0..=50_000 => Verdict::Pass,
        50_001..=100_000 => Verdict::Warn,
        _ => Verdict::Fail,
    };
    sheet.set(Row::Llms3, verdict, format!("{} characters", text.chars().count()));
    match file.answer.is_type("text/plain") || file.answer.is_type("text/markdown") {
        true => sheet.pass(Row::Llms10, ""),
        false => sheet.warn(Row::Llms10, file.answer.field("content-type").unwrap_or("no type")),
    }
}

fn links(look: &Look<'_>, file: &LlmsTxt<'_>, sheet: &mut Sheet) {
    let own = file.targets.iter().filter(|url| look.is_on_site(url) && look.is_under_page(url));
    let own: Vec<&Url> = own.take(MAX_LINKS).collect();
    if own.is_empty() {
        return sheet.skip_all(&[Row::Llms4, Row::Llms5], "no link to this site");
    }
    let is_alive = |url: &&&Url| {
        let head = look.reader.ask(Method::Head, url, ANY);
        let answer = match head {
            Some(answer) if answer.status() == 405 => look.reader.get(url),
            answer => answer,
        };
        answer.is_some_and(|answer| answer.is_success())
    };
    let dead: Vec<&&Url> = own.iter().filter(|url| !is_alive(url)).collect();
    match (percent(own.len() - dead.len(), own.len()), dead.first()) {
        (rate, Some(url)) => {
            let verdict = if rate > 90 { Verdict::Warn } else { Verdict::Fail };
            sheet.set(
                Row::Llms4,
                verdict,
                format!("{} of {} are dead, such as {url}", dead.len(), own.len()),
            );
        }
        (_, None) => sheet.pass(Row::Llms4, format!("{} links", own.len())),
    }
    let others: Vec<&&Url> = own.iter().filter(|url| !is_markdown(look, url)).collect();
    let markdown = own.len() - others.len();
    let detail = format!("{markdown} of {} links are Markdown", own.len());
    if percent(markdown, own.len()) >= 90 {
        return sheet.pass(Row::Llms5, detail);
    }
    let has_form = |url: &&&&Url| {
        forms(url)
            .iter()
            .any(|form| look.reader.ask(Method::Head, form, ANY).is_some_and(|answer| answer.is_success()))
    };
    match others.iter().find(has_form) {
        Some(url) => sheet.warn(Row::Llms5, format!("{detail}, though {url} has a Markdown form")),
        None => sheet.fail(Row::Llms5, detail),
    }
}

/// Spec: READY-LLMS-5.
fn is_markdown(look: &Look<'_>, url: &Url) -> bool {
    is_markdown_path(url)
        || look
            .reader
            .ask(Method::Head, url, MARKDOWN)
            .is_some_and(|head| head.type_contains("text/markdown"))
        || url.path().ends_with(".txt")
            && look.reader.get(url).is_some_and(|answer| answer.is_success() && answer.looks_like_markdown())
}

/// Where a page or its Markdown names llms.txt, as a share of the text. Spec: READY-LLMS-6, READY-LLMS-7.
fn pointers(pages: &[Page<'_>], sheet: &mut Sheet) {
    let html = pages.iter().filter_map(Page::html).map(|page| pointer_in_html(page.text()));
    judge(Row::Llms6, html.collect(), "no HTML page", sheet);
    let markdown = pages.iter().filter_map(Page::markdown).map(|page| {
        let lower = page.text().to_ascii_lowercase();
        lower.find(POINTER).map(|at| share(&lower, at))
    });
    judge(Row::Llms7, markdown.collect(), "no Markdown", sheet);
}

fn judge(row: Row, places: Vec<Option<f64>>, nothing: &str, sheet: &mut Sheet) {
    let there: Vec<f64> = places.iter().flatten().copied().collect();
    let is_deep = there.iter().any(|place| *place > 0.5) && !there.iter().any(|place| *place <= 0.1);
    match (places.len(), there.len()) {
        (0, _) => sheet.skip(row, nothing),
        (_, 0) => sheet.fail(row, "on no page"),
        _ if is_deep => sheet.warn(row, "far down the page"),
        (all, found) if found < all => sheet.warn(row, format!("on {found} of {all} pages")),
        (all, _) => sheet.pass(row, format!("{all} pages")),
    }
}

fn share(text: &str, at: usize) -> f64 {
    let before = text.get(..at).unwrap_or_default().chars().count();
    before as f64 / text.chars().count().max(1) as f64
}

fn pointer_in_html(html: &str) -> Option<f64> {
    let body = without_chrome(body_of(html));
    let link = crate::pattern!(
        r#"(?i)<a\s(?:[^>]*?\s)?href\s*=\s*(?:["'][^"'>]*|[^"'>\s]*)/llms\.txt(?:[?#][^"'>\s]*)?["'\s>]"#
    );
    let at = link.find(&body).map(|found| found.start());
    let at = at.or_else(|| body.to_ascii_lowercase().find(POINTER))?;
    Some(share(&body, at))
}

/// What is within `<body>`; all of it where there is none.
fn body_of(html: &str) -> &str {
    let Some(open) = crate::pattern!(r"(?i)<body(?:\s[^>]*)?>").find(html) else { return html };
    let inner = html.get(open.end()..).unwrap_or_default();
    let end = crate::pattern!(r"(?i)</body\s*>").find(inner).map_or(inner.len(), |close| close.start());
    inner.get(..end).unwrap_or_default()
}

/// The page without navigation, scripts and styles.
fn without_chrome(html: &str) -> String {
    const CUT: [&str; 3] = ["nav", "script", "style"];
    let mut kept = String::with_capacity(html.len());
    let lower = html.to_ascii_lowercase();
    let mut from = 0;
    // Elements that are never closed from here on, so that none is looked for twice.
    let mut unclosed: [bool; 3] = [false; 3];
    let mut at = 0;
    while let Some(found) = lower.get(at..).and_then(|rest| rest.find('<')) {
        at += found;
        let rest = lower.get(at + 1..).unwrap_or_default();
        let name = CUT.iter().position(|name| {
            let behind = rest.strip_prefix(name).map(|behind| behind.bytes().next());
            behind.is_some_and(|next| !next.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
        });
        let end = name.filter(|name| unclosed.get(*name) == Some(&false)).and_then(|name| {
            let close = format!("</{}>", CUT.get(name)?);
            let end = rest.find(&close).map(|end| at + 1 + end + close.len());
            if end.is_none()
                && let Some(is_unclosed) = unclosed.get_mut(name)
            {
                *is_unclosed = true;
            }
            end
        });
        match end {
            Some(end) => {
                kept.push_str(html.get(from..at).unwrap_or_default());
                (from, at) = (end, end);
            }
            None => at += 1,
        }
    }
    kept.push_str(html.get(from..).unwrap_or_default());
    kept
}

/// Spec: READY-LLMS-8.
fn coverage(look: &Look<'_>, file: &LlmsTxt<'_>, sitemap: Option<&Sitemap>, sheet: &mut Sheet) {
    const MAX_PARTS: usize = 20;
    const MAX_URLS: usize = 50_000;
    let is_page = |url: &&Url| look.is_on_site(url) && may_have_markdown(url);
    let linked: BTreeSet<String> = file.targets.iter().filter(is_page).map(plain_path).collect();
    let Some(sitemap) = sitemap.filter(|_| !linked.is_empty()) else {
        let detail = if linked.is_empty() { "no link to a page" } else { "no sitemap" };
        return sheet.skip(Row::Llms8, detail);
    };
    let parse =
        |locs: &[String]| -> Vec<Url> { locs.iter().filter_map(|loc| Url::parse(loc).ok()).collect() };
    let mut urls = Vec::new();
    match sitemap.is_index {
        false => urls = parse(&sitemap.locs),
        true => {
            for part in
                parse(&sitemap.locs).iter().filter(|part| is_same_site(part, look.url)).take(MAX_PARTS)
            {
                let part = discovery::read_sitemap(look, part).filter(|part| !part.is_index);
                urls.extend(part.iter().flat_map(|part| parse(&part.locs)));
            }
        }
    }
    urls.truncate(MAX_URLS);
    let pages = urls.iter().filter(is_page).filter(|url| look.is_under_page(url));
    let pages: BTreeSet<String> = pages.map(plain_path).filter(|path| !is_aside(path)).collect();
    if pages.is_empty() {
        return sheet.skip(Row::Llms8, "no page in the sitemap");
    }
    let missing: Vec<&String> = pages.iter().filter(|path| !linked.contains(*path)).collect();
    let there = pages.len() - missing.len();
    let verdict = match percent(there, pages.len()) {
        95.. => Verdict::Pass,
        80.. => Verdict::Warn,
        _ => Verdict::Fail,
    };
    let example = missing.first().map_or(String::new(), |path| format!(", {path} is missing"));
    sheet.set(Row::Llms8, verdict, format!("{there} of {} pages{example}", pages.len()));
}

/// A path as both sides may write it: lower case, without index file, ending and final slash.
fn plain_path(url: &Url) -> String {
    let path = url.path().to_ascii_lowercase();
    // `x.html.md` is the Markdown of `x.html`.
    let path = crate::pattern!(r"/index(?:\.html?)?\.mdx?$|/index\.html?$").replace(&path, "/");
    let path = crate::pattern!(r"(?:\.html?)?\.mdx?$|\.html?$").replace(&path, "");
    path.strip_suffix('/').unwrap_or(&path).to_owned()
}

/// Pages that need no entry in llms.txt. The path is that on the site: a blog below `/docs` is part of what `/docs` has.
fn is_aside(path: &str) -> bool {
    let aside = crate::pattern!(
        r"^/(?:blog|pricing|about|careers?|jobs?|contact|legal|privacy|terms|login|signup|sign-up|sign-in|register|404|500)(?:/|$)"
    );
    aside.is_match(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pointer_is_looked_for_outside_of_navigation() {
        for (html, expected) in [
            ("<body><nav><a href='/llms.txt'>x</a></nav>text", None),
            ("<body><a class=x href=\"https://a.example/llms.txt?x#y\">x</a>text", Some(0.0)),
            ("<head><link href=/llms.txt></head><body>text</body>", None),
            ("<body><navigation>see /LLMS.txt", Some(16.0 / 25.0)),
            ("<body><script>'/llms.txt'</script><a href=/llms.txt>x</a>", Some(0.0)),
            ("<body><style>x<p>/llms.txt", Some(11.0 / 20.0)),
            ("<body><a href=\"llms.txt\">llms.txt</a>", None),
        ] {
            let found = pointer_in_html(html);
            let is_near = found.zip(expected).is_none_or(|(a, b): (f64, f64)| (a - b).abs() < 1e-9);
            assert!(found.is_some() == expected.is_some() && is_near, "{html}: {found:?}");
        }
    }

    #[test]
    fn hostile_pages_cost_linear_time() {
        let html = "<nav><script><style>".repeat(100_000);
        assert_eq!(without_chrome(&html), html);
    }

    #[test]
    fn paths_are_compared_as_both_sides_write_them() {
        for (url, expected) in [
            ("/", ""),
            ("/Docs/index.md", "/docs"),
            ("/a.html", "/a"),
            ("/a.html.md", "/a"),
            ("/b/index.html.md", "/b"),
            ("/a/", "/a"),
            ("/index.html", ""),
        ] {
            let url = Url::parse("https://a.example").unwrap().join(url).unwrap();
            assert_eq!(plain_path(&url), expected, "{url}");
        }
        assert!(is_aside("/blog/x") && is_aside("/blog"));
        assert!(!is_aside("/blogging") && !is_aside("/docs/blog"));
    }
}
