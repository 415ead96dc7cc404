//! Whether the Markdown of a page is one of several. Spec: READY-PAGE-6.
//!
//! Windows of one list are told from pages that follow each other: "next" and "previous" between chapters are none.

use url::Url;

use super::pages::promises_markdown;
use super::{Look, Page, Sheet};
use crate::exchange::{ANY, Answer, MARKDOWN, Method};
use crate::markdown::{blocks, code_places};
use crate::{Row, Verdict};

/// A note of a page that it continues elsewhere.
struct Continuation {
    url: Url,
    is_absolute: bool,
    /// Characters before it; `None` where only the `Link` field has it.
    place: Option<usize>,
}

pub(super) fn checks(look: &Look<'_>, pages: &[Page<'_>], sheet: &mut Sheet) {
    let texts = pages.iter().filter_map(|page| Some((page.url, page.markdown()?)));
    let verdicts = texts.map(|(url, text)| {
        let (verdict, detail) = judge(look, url, text);
        (text.url.to_string(), verdict, detail)
    });
    sheet.worst(Row::Page6, verdicts.collect::<Vec<_>>());
}

fn judge(look: &Look<'_>, page: &Url, text: &Answer<'_>) -> (Verdict, String) {
    let found = continuation(page, text);
    let Some(next) = found else {
        return match has_note(text.text()) {
            true => (Verdict::Fail, "one part of several, and nothing says where the next is".to_owned()),
            false => (Verdict::Pass, String::new()),
        };
    };
    if !goes_on(look, &next.url, text) {
        return (Verdict::Fail, format!("it should go on at {}, and does not", next.url));
    }
    let top = (text.text().chars().count() / 10).clamp(1_000, 5_000);
    match next {
        Continuation { place: None, .. } => {
            (Verdict::Warn, "only the Link field says where it goes on".to_owned())
        }
        Continuation { is_absolute: false, .. } => {
            (Verdict::Warn, "a relative address of the next part".to_owned())
        }
        Continuation { place: Some(place), .. } if place > top => {
            (Verdict::Warn, format!("the next part is named after {place} characters"))
        }
        _ => (Verdict::Pass, String::new()),
    }
}

/// The first place that names the next part, else that of the `Link` field.
fn continuation(page: &Url, text: &Answer<'_>) -> Option<Continuation> {
    let named = crate::pattern!(
        r"(?i)^\s*(?:[»›→>]+\s*)?(?:next\s+page|next\s+\d+(?:\s+\w+)?|more\s+results|load\s+more|show\s+more)\s*(?:[»›→>]+)?\s*$"
    );
    let is_own = |url: &Url| [page, &text.url].iter().any(|own| crate::exchange::is_same_site(own, url));
    let is_absolute = |target: &str| crate::pattern!(r"(?i)^https?://").is_match(target);
    let body = text.text();
    let links =
        text.markdown_links().iter().map(|link| (link.place.start, link.name.as_str(), link.target.as_str()));
    // Addresses that stand in the text by themselves.
    let bare = crate::pattern!(r#"(?i)\bhttps?://[^\s<>()\]"']+"#)
        .find_iter(body)
        .map(|found| (found.start(), "", found.as_str().trim_end_matches(['.', ',', ';', ':', '!', '?'])));
    // Addresses in examples are no links.
    let code = code_places(body);
    let is_code = |place: usize| {
        let before = code.partition_point(|range| range.start <= place);
        before.checked_sub(1).and_then(|at| code.get(at)).is_some_and(|range| range.contains(&place))
    };
    let in_text = links.chain(bare).filter_map(|(place, name, target)| {
        let url = text.url.join(target).ok().filter(is_own)?;
        let is_next = named.is_match(name) || is_later_window(&url);
        (is_next && !is_code(place)).then_some((place, url, is_absolute(target)))
    });
    if let Some((place, url, is_absolute)) = in_text.min_by_key(|(place, ..)| *place) {
        let place = body.get(..place).map_or(0, |before| before.chars().count());
        return Some(Continuation { url, is_absolute, place: Some(place) });
    }
    let links = text.link_fields();
    let link = links.iter().find(|link| link.has_rel("next"))?;
    let url = link.resolve(&text.url).filter(is_own)?;
    Some(Continuation { url, is_absolute: is_absolute(link.target), place: None })
}

/// Whether an address is that of a later part.
fn is_later_window(url: &Url) -> bool {
    let by_query = url.query_pairs().any(|(name, value)| match name.to_ascii_lowercase().as_str() {
        "page" => value.parse::<f64>().is_ok_and(|page| page >= 2.0),
        "offset" => value.parse::<f64>().is_ok_and(|offset| offset > 0.0),
        "cursor" | "page_token" | "pagetoken" => !value.is_empty(),
        _ => false,
    });
    let page = crate::pattern!(r"(?i)/page/(\d+)(?:/|$)").captures(url.path());
    let page = page.and_then(|found| found.get(1)?.as_str().parse::<u64>().ok());
    by_query || page.is_some_and(|page| page >= 2)
}

/// A note such as "Showing 50 of 98", at the beginning of a block, behind a short label at most.
fn has_note(text: &str) -> bool {
    let note = crate::pattern!(
        r"(?i)^[\s>*_|-]*(?:\w{1,20}:\s*)?(?:(?:showing|displaying|listing|page)\s+(?:the\s+first\s+)?(?:(?:results?|items?|entries)\s+)?(?:\d[\d,]*\s*(?:-|–|to)\s*)?(\d[\d,]*)\s+(?:of|out\s+of)\s+(\d[\d,]*)|(\d[\d,]*)\s+(?:of|out\s+of)\s+(\d[\d,]*)\s+(?:results?|items?|entries|records|models|rows|pages|shown|displayed|listed|total))(?:\W|$)"
    );
    blocks(text).iter().any(|block| {
        note.captures(block).is_some_and(|found| {
            let number = |group| {
                let digits = found.get(group)?.as_str().replace(',', "");
                digits.parse::<u64>().ok()
            };
            number(1).or_else(|| number(3)).zip(number(2).or_else(|| number(4))).is_some_and(|(a, b)| a < b)
        })
    })
}

/// Whether an address serves other Markdown than the first part.
fn goes_on(look: &Look<'_>, url: &Url, first: &Answer<'_>) -> bool {
    let accept = if promises_markdown(url) { ANY } else { MARKDOWN };
    let Some(answer) = look.reader.ask(Method::Get, url, accept) else { return false };
    let is_text =
        answer.field("content-type").is_none_or(|kind| kind.to_ascii_lowercase().starts_with("text/"));
    answer.is_success()
        && !answer.is_blank()
        && !answer.is_html()
        && (is_text || answer.looks_like_markdown())
        && !answer.is_error_page()
        && answer.text().trim() != first.text().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_a_window_are_told_from_prose() {
        for (text, expected) in [
            ("Showing 50 of 98\n", true),
            ("> Note: showing 50 of 98 models\n", true),
            ("Showing 1-100 of 102.\n", true),
            ("**25 of 80 results**\n", true),
            ("Page 1 of 5\n", true),
            ("Showing 98 of 98\n", false),
            ("Step 2 of 5\n", false),
            ("If 3 of 50 pages fail, look again.\n", false),
            ("    Showing 50 of 98\n", false),
        ] {
            assert_eq!(has_note(text), expected, "{text}");
        }
    }

    #[test]
    fn later_windows_are_told_from_first_ones() {
        for (url, expected) in [
            ("?page=2", true),
            ("?page=1", false),
            ("?offset=100", true),
            ("?offset=0", false),
            ("?cursor=abc", true),
            ("?cursor=", false),
            ("/page/3", true),
            ("/page/1/", false),
            ("/homepage/2", false),
        ] {
            let url = Url::parse("https://a.example/x").unwrap().join(url).unwrap();
            assert_eq!(is_later_window(&url), expected, "{url}");
        }
    }
}
