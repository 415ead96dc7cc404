//! Names of people in bylines and in metadata.

use std::collections::HashSet;

use crate::letters::{self, collapse, head};
use crate::pairs::Pairs;
use crate::words::lines::{
    COMPANIES, JOBS, JOINS, LEADS, NOBODY, OTHERS, PICTURES, TAILS, VERBS, WRITER_LABELS,
};
use crate::words::list::words;

/// Bytes of a text that are read for names.
const MOST: usize = 400;

/// Whether a text names a job.
pub(super) fn has_job(text: &str) -> bool {
    text.split_whitespace().any(is_job)
}

/// Whether a word is a job, of one or of several.
fn is_job(word: &str) -> bool {
    let word = word.to_lowercase();
    JOBS.contains(&word.as_str()) || word.strip_suffix('s').is_some_and(|one| JOBS.contains(&one))
}

/// The name that is written family name first, the other way round: "Doe, Jane".
pub(super) fn in_order(name: &str) -> String {
    match name.split_once(", ") {
        Some((family, given)) if !given.contains(',') && !is_title(given) => format!("{given} {family}"),
        _ => name.to_owned(),
    }
}

/// The names without those that are there already, in brackets or in other letters, and without what only says whose
/// names they are: "Staff Writer" beside "Jane Doe". `O(n)`.
pub(super) fn distinct(names: &[String]) -> Vec<String> {
    let mut known: HashSet<String> = HashSet::new();
    let has_person = names.iter().any(|name| !is_role(name));
    let mut is_new = |name: &&String| {
        let name = name.to_lowercase();
        !known.contains(name.trim_matches(['(', ')'])) && known.insert(name)
    };
    names.iter().filter(|name| !(has_person && is_role(name))).filter(|name| is_new(name)).cloned().collect()
}

/// Whether a name is that of a job or of a staff: "Senior Reporter", but not "Jane Doe, Senior Reporter".
fn is_role(name: &str) -> bool {
    let last = name.split_whitespace().next_back().unwrap_or_default();
    !name.contains(',') && (is_job(last) || last.eq_ignore_ascii_case("staff"))
}

/// Whether a card's label announces the writer.
pub(super) fn is_writer_label(label: &str) -> bool {
    WRITER_LABELS.iter().any(|known| label.trim().trim_end_matches(':') == *known)
}

/// The byline's words before the name, if the text starts with them: the bytes that they take.
pub(super) fn lead(text: &str) -> Option<usize> {
    let start = text.len() - text.trim_start().len();
    let body = text.get(start..)?;
    let first = body.chars().next()?.to_lowercase().next()?.encode_utf8(&mut [0; 4]).bytes().next()?;
    let leads = LEADS.iter().filter(|lead| lead.as_bytes().first() == Some(&first));
    leads.filter_map(|lead| Some((lead, end_of_lead(body, lead)?))).find_map(|(lead, end)| {
        let apart = lead.ends_with([':', '：', '/', '／'])
            || end == body.len()
            || body.get(end..)?.starts_with([' ', '\u{a0}', ':', '：', '–', '-'])
            || lead.chars().next_back().is_some_and(
                |c| matches!(c, '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{e00}'..='\u{e7f}'),
            );
        apart.then_some(start + end)
    })
}

/// Where such words end that a text starts with, in any case; lower-casing can change lengths in bytes.
pub(super) fn end_of_lead(text: &str, lead: &str) -> Option<usize> {
    let mut expected = lead.chars();
    for (at, c) in text.char_indices() {
        if expected.as_str().is_empty() {
            return Some(at);
        }
        let mut is_same = true;
        letters::lower(c, |lower| is_same &= expected.next() == Some(lower));
        if !is_same {
            return None;
        }
    }
    expected.as_str().is_empty().then_some(text.len())
}

/// Signs around a name that are not part of it.
const EDGES: &str = "|·•,–—-/:;\"“”<>~*→×⋅，";

/// One name without the byline's words around it; empty if it is not a name.
pub(super) fn clean(text: &str) -> String {
    let text = collapse(head(text, 4 * MOST));
    let mut name = text.as_str();
    for _ in 0..2 {
        if let Some(end) = lead(name) {
            name = name.get(end..).unwrap_or_default().trim_start_matches([':', '：', ' ', '–', '-']);
        }
    }
    let is_edge = |c: char| c.is_whitespace() || EDGES.contains(c);
    name = name.trim_matches(is_edge);
    name = name.strip_prefix('@').unwrap_or(name);
    for tail in TAILS {
        name = name.strip_suffix(tail).map_or(name, |name| name.trim_matches(is_edge));
    }
    let has_pictures = |lowered: &str| PICTURES.iter().any(|agency| lowered.ends_with(agency));
    // "Jane Doe / Getty Images": what is behind the sign is where the picture is from.
    if let Some((person, _)) =
        name.split_once(['/', '|', '•']).filter(|(_, source)| has_pictures(&source.to_lowercase()))
    {
        name = person.trim_matches(is_edge);
    }
    let lowered = name.to_lowercase();
    let is_nobody = NOBODY.contains(&lowered.as_str())
        || has_pictures(&lowered)
        || name.chars().filter(|c| c.is_alphabetic()).nth(1).is_none()
        || name.chars().count() > 80
        || name.contains("://")
        || lowered.starts_with("http")
        || lowered.starts_with("www.")
        || name.contains(['{', '}', '[', ']', '<', '>', '=', '?'])
        || is_address(name)
        || lowered.split_whitespace().any(|word| word == "admin" || word == "administrator")
        || VERBS.iter().any(|verb| lowered.starts_with(verb))
        || (!name.contains(' ')
            && name.len() > 14
            && name.chars().filter(char::is_ascii_digit).count() > 2
            && lowered == name)
        || (name.len() > 16 && name.bytes().all(|byte| byte.is_ascii_lowercase()));
    if is_nobody { String::new() } else { name.to_owned() }
}

fn is_address(name: &str) -> bool {
    name.split_once('@').is_some_and(|(user, host)| !user.contains(' ') && host.contains('.'))
}

/// Whether a name ends as the names of companies and universities do.
pub(super) fn is_company(name: &str) -> bool {
    let last = name.split_whitespace().next_back().unwrap_or_default();
    name.contains(' ') && COMPANIES.contains(&last.trim_end_matches(['.', ',', ')']).to_lowercase().as_str())
}

/// Titles after a name that are not in capitals.
const TITLES: [&str; 16] = words("Jr. Jr Sr. Sr Esq. Esq Ph.D. Ph.D M.D. MEd Inc. Inc LLC Ltd. Ltd Co.");

/// Returns true for titles after a name, such as "MD".
fn is_title(part: &str) -> bool {
    let part = part.trim();
    let letters = part.chars().filter(|c| c.is_alphabetic()).count();
    let upper = part.chars().filter(|c| c.is_uppercase()).count();
    let words = part.split_whitespace().count();
    letters == 0
        || (words == 1 && letters <= 8 && upper >= 2)
        || (words <= 3 && upper == letters && letters <= 16)
        || TITLES.contains(&part)
}

/// The names in a text that may list several: `Jane Doe, John Roe and Ann Poe, MD`.
pub(super) fn names(text: &str) -> Vec<String> {
    let text = clean(head(text, MOST));
    if text.is_empty() {
        return Vec::new();
    }
    // The line goes on from another one.
    let behind = ["and ", "with ", "With "].iter().find_map(|word| text.strip_prefix(word));
    let text = behind.filter(|name| looks_like_name(name)).unwrap_or(&text);
    let mut parts: Vec<String> = Vec::new();
    let semicolons = text.contains(';');
    for part in text.split(|c: char| c == ';' || c == '、' || c == '，' || (!semicolons && c == ',')) {
        for one in split_words(part) {
            if !parts.is_empty() && has_job(one) {
                continue;
            }
            // Behind a name in capitals "JOHN ROE" is a name as well.
            let is_shouted = looks_like_name(one)
                && parts.first().is_some_and(|first| !first.chars().any(char::is_lowercase));
            let is_part = is_shouted || is_other(one);
            let attaches = !parts.is_empty() && !is_part && (is_title(one) || !looks_like_name(one));
            match parts.last_mut() {
                Some(last) if attaches => {
                    last.push_str(", ");
                    last.push_str(one.trim());
                }
                _ => parts.push(one.trim().to_owned()),
            }
        }
    }
    // "Doe, Jane" is one person: neither part is a whole name.
    if parts.len() == 2
        && !semicolons
        && text.contains(',')
        && parts.iter().all(|part| !part.contains(' ') && part.chars().all(|c| c.is_alphabetic() || c == '.'))
    {
        return vec![text.to_owned()];
    }
    let mut names: Vec<String> = Vec::new();
    for part in parts {
        let name = clean(&part);
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Splits a text at words for "and" and "with", if both sides look like names of at least two words, or the second names an
/// agency or other people.
fn split_words(text: &str) -> Vec<&str> {
    for word in Pairs::of(text).among(JOINS) {
        let Some((first, rest)) = text.split_once(word) else { continue };
        let is_next = looks_like_name(rest) || is_other(rest);
        if is_next && (first.trim().is_empty() || looks_like_name(first) || is_title(first)) {
            let mut parts = split_words(first);
            parts.extend(split_words(rest));
            parts.retain(|part| !part.trim().is_empty());
            return parts;
        }
    }
    vec![text]
}

/// Whether a part of a list is an agency, or people without a name.
fn is_other(part: &str) -> bool {
    OTHERS.contains(&part.trim().to_lowercase().as_str())
}

/// Whether a text starts with two words of a name.
pub(super) fn starts_with_name(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words
        .next()
        .zip(words.next())
        .is_some_and(|(given, family)| looks_like_name(&format!("{given} {family}")))
}

/// Words of a name without a capital.
const SMALL: [&str; 23] =
    words("de van von der den la le du da dos del di bin al el ten ter of and zu y e do");

/// Returns true for two to five words, each with a capital or of a script without case, and no
/// digits.
pub(super) fn looks_like_name(text: &str) -> bool {
    let text = text.trim();
    let words: Vec<&str> = text.split_whitespace().take(8).collect();
    let is_part = |word: &&str| {
        let first = word.chars().find(|c| c.is_alphabetic());
        SMALL.contains(word) || first.is_some_and(|c| c.is_uppercase() || !c.is_lowercase())
    };
    (2..=5).contains(&words.len()) && words.iter().all(is_part) && !text.chars().any(char::is_numeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bylines_become_names() {
        for (text, expected) in [
            ("By Jane Doe", &["Jane Doe"][..]),
            ("Written by: Jane Doe and John Roe", &["Jane Doe", "John Roe"]),
            ("Jane Doe, John Roe & Ann van Poe", &["Jane Doe", "John Roe", "Ann van Poe"]),
            ("Jane Doe, MD, PhD", &["Jane Doe, MD, PhD"]),
            ("Jane Doe, MD; John Roe, RN", &["Jane Doe, MD", "John Roe, RN"]),
            ("Doe, Jane", &["Doe, Jane"]),
            ("Von Erika Mustermann", &["Erika Mustermann"]),
            ("Par Jeanne Dupont", &["Jeanne Dupont"]),
            ("Автор: Анна Иванова", &["Анна Иванова"]),
            ("作者：王小明", &["王小明"]),
            ("김철수 기자", &["김철수"]),
            ("بقلم: ليلى حسن", &["ليلى حسن"]),
            ("Byron Black", &["Byron Black"]),
            ("Center for Tea and Coffee", &["Center for Tea and Coffee"]),
            ("admin", &[]),
            ("https://example.com/jane", &[]),
            ("jane@example.com", &[]),
            ("  ", &[]),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
    }

    #[test]
    fn what_stands_around_a_name_goes() {
        for (text, expected) in [
            (" – Jane Doe | ", "Jane Doe"),
            ("By: by Jane Doe", "Jane Doe"),
            ("By By By Jane Doe", "By Jane Doe"),
            ("@janedoe", "janedoe"),
            ("Jane Doe says:", "Jane Doe"),
            ("Jane Doe wrote", "Jane Doe"),
            ("\u{201c}Jane Doe\u{201d}", "Jane Doe"),
        ] {
            assert_eq!(clean(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_name_is_none() {
        let letters = |count: usize| "a".repeat(count);
        for (text, is_name) in [
            // Two letters at least, and eighty characters at most.
            ("J", false),
            ("J1", false),
            ("Jo", true),
            (&format!("Jo {}", letters(77)), true),
            (&format!("Jo {}", letters(78)), false),
            // Addresses.
            ("http doe", false),
            ("x://jane", false),
            ("www.jane", false),
            ("jane@example.com", false),
            ("Jane Doe @ example.com", true),
            ("jane@doe", true),
            // Signs of templates and questions.
            ("{Jane}", false),
            ("[Jane", false),
            ("Jane=Doe", false),
            ("Who is Jane?", false),
            // Accounts.
            ("Jane admin", false),
            ("The Administrator", false),
            ("Administratrix", true),
            ("read more tea", false),
            ("anonymous", false),
            // A word with many digits, of more than fourteen letters and in small ones.
            ("janedoejaned123", false),
            ("janedoejane123", true),
            ("janedoejanedo12", true),
            ("Janedoejaned123", true),
            ("jane doejane 123", true),
            // A word of small letters alone.
            (&letters(16), true),
            (&letters(17), false),
            (&format!("A{}", letters(16)), true),
            (&format!("{}-", letters(17)), false),
            (&format!("{} a", letters(17)), true),
            (&format!("é{}", letters(17)), true),
        ] {
            assert_eq!(!clean(text).is_empty(), is_name, "{text}");
        }
    }

    #[test]
    fn letters_behind_a_name_are_not_a_person() {
        for (part, is_such) in [
            ("MD", true),
            ("PhD", true),
            (" MBChBaaa", true),
            ("MBChBaaaa", false),
            ("Phd", false),
            ("M D", true),
            ("M.D. F.A.C.P. R.N.", true),
            ("A B C D", false),
            ("ABCDEFGHIJKLMNOP", true),
            ("ABCDEFGHIJKLMNOPQ", false),
            ("1984", true),
            ("Jr.", true),
            ("Ltd", true),
            ("Jane", false),
            ("", true),
        ] {
            assert_eq!(is_title(part), is_such, "{part}");
        }
    }

    #[test]
    fn lists_of_names_are_parted() {
        for (text, expected) in [
            ("Jane Doe, Senior Editor", &["Jane Doe"][..]),
            ("Jane Doe, Editor, John Roe", &["Jane Doe", "John Roe"]),
            ("Jane Doe、John Roe，Ann Poe", &["Jane Doe", "John Roe", "Ann Poe"]),
            ("Doe, Jane; Roe, John", &["Doe, Jane", "Roe, John"]),
            ("Doe, J.", &["Doe, J."]),
            ("Doe;Jane", &["Doe, Jane"]),
            ("JANE DOE, MARY ANN POE and JOHN ROE", &["JANE DOE", "MARY ANN POE", "JOHN ROE"]),
            ("JANE DOE, MD", &["JANE DOE, MD"]),
            ("Jane Doe and agencies", &["Jane Doe"]),
            ("Jane Doe, Agencies", &["Jane Doe"]),
            ("Agencies", &[]),
            ("Getty Images", &[]),
            ("AFP via Getty Images", &[]),
            ("Jane Doe / Getty Images", &["Jane Doe"]),
            ("Jane Doe/AFP/Getty Images", &["Jane Doe"]),
            ("Jane Doe | Shutterstock", &["Jane Doe"]),
            ("/ Getty Images", &[]),
            ("Jane Doe und John Roe", &["Jane Doe", "John Roe"]),
            ("Tea and Coffee", &["Tea and Coffee"]),
            ("Jane Doe and others", &["Jane Doe"]),
            (" and Jane Doe", &["Jane Doe"]),
            ("Jane Doe with John Roe", &["Jane Doe", "John Roe"]),
            ("Jane Doe, with John Roe", &["Jane Doe", "John Roe"]),
            ("With John Roe", &["John Roe"]),
            ("Jane Doe and John Roe with Ann Poe", &["Jane Doe", "John Roe", "Ann Poe"]),
            ("Jane Doe, John Roe, and Ann Poe", &["Jane Doe", "John Roe", "Ann Poe"]),
            ("Jane Doe mit John Roe", &["Jane Doe", "John Roe"]),
            ("Jane Doe and Reuters", &["Jane Doe", "Reuters"]),
            ("Jane Doe with AP", &["Jane Doe", "AP"]),
            ("Jane Doe with agencies", &["Jane Doe"]),
            ("Jane Doe with her dog", &["Jane Doe with her dog"]),
            ("Tea with Milk", &["Tea with Milk"]),
            ("Jane Doe, Jane Doe", &["Jane Doe"]),
            ("Jane Doe, in Rome", &["Jane Doe, in Rome"]),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
        // A title in front of "and" is that of the name before it.
        assert_eq!(names("Jane Doe, MD and John Roe"), ["Jane Doe, MD", "John Roe"]);
        // A text of more than eighty characters is no line of names.
        let line = |count: usize| format!("Jane Doe, {}", "A".repeat(count));
        assert_eq!((names(&line(70)).len(), names(&line(71)).len()), (1, 0));
    }

    #[test]
    fn names_have_two_to_five_words_with_capitals() {
        for (text, is_name) in [
            ("Jane", false),
            ("Jane Doe", true),
            ("Jane van der Doe", true),
            ("Ann Bee Cee Dee Eff", true),
            ("Ann Bee Cee Dee Eff Gee", false),
            ("Jane doe", false),
            ("\u{738b} \u{5c0f}\u{660e}", true),
            ("Jane Doe 2", false),
            ("Jane 2", false),
            ("(Jane) Doe", true),
        ] {
            assert_eq!(looks_like_name(text), is_name, "{text}");
        }
    }

    #[test]
    fn family_names_go_behind_given_names() {
        for (name, expected) in [
            ("Doe, Jane", "Jane Doe"),
            ("Doe, Jane, MD", "Doe, Jane, MD"),
            ("Jane Doe, PhD", "Jane Doe, PhD"),
            ("Jane Doe", "Jane Doe"),
        ] {
            assert_eq!(in_order(name), expected, "{name}");
        }
        assert_eq!(distinct(&["Jo", "(Jo)", "JO", "Staff Writer", "Al"].map(str::to_owned)), ["Jo", "Al"]);
        assert!(
            is_company("Leaf Co.")
                && is_company("Leaf & Sons, Ltd)")
                && !is_company("Co")
                && !is_company("Leaf Coop")
        );
        assert!(is_writer_label(" written by:") && !is_writer_label("reading time"));
        assert!(has_job("the Editor") && !has_job("the editorialist"));
    }

    #[test]
    fn leads_end_where_a_word_does() {
        for (text, end) in [
            ("By Jane", Some(2)),
            ("  by: Jane", Some(5)),
            ("By-Jane", Some(2)),
            ("By", Some(2)),
            ("Byron", None),
            ("Jane by", None),
            ("", None),
        ] {
            assert_eq!(lead(text), end, "{text}");
        }
    }
}
