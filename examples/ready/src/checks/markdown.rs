//! The Markdown form of pages. Spec: section 3.

use url::Url;

use super::{Look, Page, Sheet, by_rate, ending, percent};
use crate::exchange::Answer;
use crate::{Row, Verdict};

/// Whether a page could have a Markdown form: no file of another kind. Spec: READY-MD-1.
pub(super) fn may_have_markdown(url: &Url) -> bool {
    let Some(ending) = ending(url.path()) else { return true };
    matches!(ending.to_ascii_lowercase().as_str(), "html" | "htm" | "md" | "mdx")
}

pub(super) fn is_markdown_path(url: &Url) -> bool {
    url.path().ends_with(".md") || url.path().ends_with(".mdx")
}

/// The addresses at which the Markdown of a page may be, in order. Spec: READY-MD-5.
pub(super) fn forms(url: &Url) -> Vec<Url> {
    if is_markdown_path(url) {
        return vec![url.clone()];
    }
    if !may_have_markdown(url) {
        return Vec::new();
    }
    let path = url.path();
    let bare = path.strip_suffix('/').unwrap_or(path);
    let stem = bare.strip_suffix(".html").or_else(|| bare.strip_suffix(".htm")).unwrap_or(bare);
    let appended = if path.ends_with('/') { format!("{path}index.html.md") } else { format!("{path}.md") };
    let stem = if stem.is_empty() { "/".to_owned() } else { stem.to_owned() };
    let mut forms: Vec<Url> = Vec::new();
    for path in [format!("{stem}.md"), format!("{bare}/index.md"), appended] {
        let mut form = url.clone();
        form.set_path(&path);
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    forms
}

/// Whether a response is Markdown. Spec: READY-MD-5.
pub(super) fn serves(answer: &Answer<'_>) -> bool {
    answer.is_success()
        && !answer.has_html_body()
        && (answer.type_contains("text/markdown") || answer.looks_like_markdown())
}

/// The first form of a page that serves its Markdown.
pub(super) fn serving<'a>(look: &Look<'a>, url: &Url) -> Option<Answer<'a>> {
    forms(url).iter().find_map(|form| look.reader.get(form).filter(serves))
}

/// Spec: READY-MD-1.
pub(super) fn is_right(answer: &Answer<'_>) -> bool {
    answer.is_success()
        && answer.is_type("text/markdown")
        && !answer.is_blank()
        && !answer.has_html_body()
        && !answer.is_error_page()
}

fn is_wrongly_typed(answer: &Answer<'_>) -> bool {
    answer.is_success()
        && !answer.is_type("text/markdown")
        && answer.looks_like_markdown()
        && !answer.is_error_page()
}

pub(super) fn checks(look: &Look<'_>, pages: &[Page<'_>], home: &Option<Answer<'_>>, sheet: &mut Sheet) {
    let asked: Vec<&Answer<'_>> = pages.iter().filter_map(|page| page.negotiated.as_ref()).collect();
    let right = asked.iter().filter(|answer| is_right(answer)).count();
    let wrong = asked.iter().filter(|answer| is_wrongly_typed(answer)).count();
    let detail = format!("{right} of {} pages ({} %)", asked.len(), percent(right, asked.len()));
    match (asked.len(), right, wrong) {
        (0, ..) => sheet.skip(Row::Md1, "no page that could have a Markdown form"),
        (_, 0, 1..) => sheet.warn(Row::Md1, "Markdown under another type"),
        (all, right, _) => sheet.set(Row::Md1, by_rate(right, all, 90), detail),
    }
    match pages.first().and_then(Page::right) {
        Some(answer) => of_answer(look, answer, home, sheet),
        None => sheet.skip_all(&[Row::Md2, Row::Md3, Row::Md4], "the page is not served as Markdown"),
    }
    let could: Vec<&Page<'_>> = pages.iter().filter(|page| !forms(page.url).is_empty()).collect();
    let served = could.iter().filter(|page| page.served.is_some()).count();
    // Where nobody answers at any address, nothing is known.
    let all = could.iter().filter(|page| {
        page.served.is_some() || forms(page.url).iter().any(|form| look.reader.get(form).is_some())
    });
    match all.count() {
        0 => sheet.skip(Row::Md5, "no page that could have a Markdown form"),
        all => {
            let detail = format!("{served} of {all} pages ({} %)", percent(served, all));
            sheet.set(Row::Md5, by_rate(served, all, 90), detail);
        }
    }
    announced(look, home, sheet);
}

/// The checks of the first page's Markdown response.
fn of_answer(look: &Look<'_>, answer: &Answer<'_>, home: &Option<Answer<'_>>, sheet: &mut Sheet) {
    let mut vary = answer.fields("vary").flat_map(|line| line.split(',')).map(str::trim);
    match vary.any(|name| name == "*" || name.eq_ignore_ascii_case("accept")) {
        true => sheet.pass(Row::Md2, ""),
        false => sheet.warn(Row::Md2, "Vary does not list Accept"),
    }
    match (is_markdown_path(look.url), home) {
        (true, _) => sheet.skip(Row::Md3, "its address asks for Markdown"),
        (_, Some(home)) if home.is_type("text/markdown") => {
            sheet.fail(Row::Md3, "Markdown for a request that accepts anything");
        }
        (_, Some(_)) => sheet.pass(Row::Md3, ""),
        (_, None) => sheet.skip(Row::Md3, "no answer"),
    }
    match answer.field("x-markdown-tokens") {
        None => sheet.skip(Row::Md4, "not sent"),
        Some(tokens) => {
            let digits = tokens.trim_start_matches('0');
            match !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                true => sheet.pass(Row::Md4, tokens),
                false => sheet.warn(Row::Md4, format!("`{}`", crate::sniff::first_chars(tokens, 40))),
            }
        }
    }
}

/// The Markdown that the page announces. Spec: READY-MD-6.
fn announced(look: &Look<'_>, home: &Option<Answer<'_>>, sheet: &mut Sheet) {
    let Some(home) = home else { return sheet.skip(Row::Md6, "no page to look at") };
    let mut targets: Vec<Url> = Vec::new();
    let is_markdown = |media_type: &str| {
        media_type.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("text/markdown")
    };
    for link in home.link_fields() {
        if link.has_rel("alternate") && link.media_type.as_deref().is_some_and(is_markdown) {
            targets.extend(link.resolve(&home.url));
        }
    }
    for link in super::rights::link_elements(home) {
        if link.has_rel("alternate") && is_markdown(&link.media_type) {
            targets.extend(link.target);
        }
    }
    if targets.is_empty() {
        return sheet.skip(Row::Md6, "none announced");
    }
    targets.retain(|url| look.is_on_site(url));
    targets.sort();
    targets.dedup();
    let answers = targets.iter().map(|url| (url, look.reader.get(url)));
    let verdicts = answers.filter_map(|(url, answer)| {
        let answer = answer?;
        let verdict = if serves(&answer) { Verdict::Pass } else { Verdict::Fail };
        Some((url.to_string(), verdict, format!("status {}, no Markdown", answer.status())))
    });
    let verdicts: Vec<_> = verdicts.collect();
    match verdicts.is_empty() {
        true => sheet.pass(Row::Md6, ""),
        false => sheet.worst(Row::Md6, verdicts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_tried_in_order() {
        for (url, expected) in [
            ("/", &["/.md", "/index.md", "/index.html.md"][..]),
            ("/a", &["/a.md", "/a/index.md"]),
            ("/a/", &["/a.md", "/a/index.md", "/a/index.html.md"]),
            ("/a.html?x=1", &["/a.md?x=1", "/a.html/index.md?x=1", "/a.html.md?x=1"]),
            ("/a.md", &["/a.md"]),
            ("/a.pdf", &[]),
            ("/v1.2", &["/v1.2.md", "/v1.2/index.md"]),
        ] {
            let url = Url::parse("https://a.example").unwrap().join(url).unwrap();
            let found: Vec<_> = forms(&url).iter().map(|form| form.as_str()[17..].to_owned()).collect();
            assert_eq!(found, expected, "{url}");
        }
    }
}
