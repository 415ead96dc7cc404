//! Whether what a style sheet asks of the browser holds: `@media` and `@supports`.
//!
//! The answers are those of Chromium without scripts, in the window that the verdict is for. A condition that is not known holds
//! neither as it is nor negated, as in Media Queries 4.

use super::property::Property;
use super::sheet::{Customs, When};
use super::value;
use crate::selector::{self, Reading};
use crate::words::list::words;

/// Conditions in brackets inside one another.
const MAX_DEPTH: u8 = 8;

/// What holds of a condition in brackets, with the name of its function, if it has one.
type Holds = fn(&str, &str) -> Option<bool>;

/// Whether a list of media queries holds; `None` where no screen is meant.
pub(super) fn media_query(text: &str) -> Option<When> {
    let text = text.trim_ascii().to_ascii_lowercase();
    if text.is_empty() {
        return Some(When::Now);
    }
    let all = text.split(',').filter_map(|query| one_query(query.trim_ascii()));
    all.fold(None, |found, when| match (found, when) {
        (Some(When::Now), _) | (_, When::Now) => Some(When::Now),
        _ => Some(When::Elsewhere),
    })
}

fn one_query(query: &str) -> Option<When> {
    let (negated, query) = match query.strip_prefix("not ") {
        Some(rest) => (true, rest.trim_ascii_start()),
        None => (false, query.strip_prefix("only ").unwrap_or(query).trim_ascii_start()),
    };
    let end = query.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(query.len());
    let (kind, rest) = query.split_at_checked(end).unwrap_or((query, ""));
    let is_screen = matches!(kind, "all" | "screen" | "");
    if !negated && !is_screen {
        return None;
    }
    let rest = rest.trim_ascii_start();
    let rest = if kind.is_empty() { rest } else { rest.strip_prefix("and").unwrap_or(rest) };
    let holds = if rest.is_empty() { Some(true) } else { condition(rest, 0, feature) };
    Some(if holds.is_some_and(|holds| (holds && is_screen) != negated) { When::Now } else { When::Elsewhere })
}

/// Whether the condition of `@supports` holds. Its text is in lower case.
pub(super) fn supports(text: &str) -> bool {
    condition(text, 0, supported) == Some(true)
}

/// Evaluates conditions in brackets, joined by `and` or `or`, or negated. `O(n)` for each of the few levels.
fn condition(text: &str, depth: u8, holds: Holds) -> Option<bool> {
    if depth > MAX_DEPTH {
        return None;
    }
    let mut rest = text.trim_ascii();
    if let Some(negated) = without_not(rest) {
        return condition(negated, depth + 1, holds).map(|holds| !holds);
    }
    let mut found = None;
    while !rest.is_empty() {
        let open = memchr::memchr(b'(', rest.as_bytes())?;
        let (word, after) = (rest.get(..open)?.trim_ascii(), rest.get(open + 1..)?);
        let mut brackets = 1_usize;
        let end = after.bytes().position(|byte| {
            brackets = brackets + usize::from(byte == b'(') - usize::from(byte == b')');
            brackets == 0
        });
        let (inner, behind) = after.split_at_checked(end?)?;
        rest = behind.get(1..)?.trim_ascii_start();
        let (joined, name) = ["and", "or"]
            .into_iter()
            .find_map(|known| Some((known, word.strip_prefix(known)?.trim_ascii_start())))
            .unwrap_or(("", word));
        let is_nested =
            name.is_empty() && (inner.trim_ascii_start().starts_with('(') || without_not(inner).is_some());
        let own =
            if is_nested { condition(inner, depth + 1, holds) } else { holds(name, inner.trim_ascii()) };
        found = Some(match (found, joined, own) {
            (None, _, own) => own,
            (Some(Some(true)), "or", _) | (Some(_), "or", Some(true)) => Some(true),
            (Some(Some(false)), "and", _) | (Some(_), "and", Some(false)) => Some(false),
            (Some(before), "and" | "or", own) => before.and(own),
            _ => return None,
        });
    }
    found?
}

/// What is behind a `not`.
fn without_not(text: &str) -> Option<&str> {
    text.trim_ascii_start().strip_prefix("not").filter(|rest| rest.starts_with([' ', '(', '\t', '\n']))
}

/// Whether a browser like Chromium supports a declaration or a selector.
fn supported(name: &str, inner: &str) -> Option<bool> {
    match name {
        "" => {}
        "selector" => return Some(selector::list(inner, &mut Reading::new(16)).is_some()),
        _ => return Some(true),
    }
    let (property, value) = inner.split_once(':')?;
    let (property, value) = (property.trim_ascii(), value.trim_ascii());
    let is_foreign = ["-moz-", "-ms-", "-o-", "-khtml-", "-apple-"];
    if property.starts_with("--") || value.is_empty() {
        return Some(!value.is_empty());
    }
    if is_foreign.iter().any(|start| property.starts_with(start) || value.starts_with(start)) {
        return Some(false);
    }
    if Property::of(property).is_none() {
        return Some(!SAFARIS.contains(&property));
    }
    let mut is_read = false;
    value::read(inner, &Customs::new(), &mut |_, _, _| is_read = true);
    Some(is_read)
}

/// Properties that style sheets ask for to tell Safari from other browsers.
const SAFARIS: [&str; 7] = words(
    "-webkit-touch-callout -webkit-overflow-scrolling -webkit-backdrop-filter -webkit-hyphens \
    -webkit-marquee-repetition hanging-punctuation margin-trim",
);

/// Whether the window has a feature.
fn feature(name: &str, feature: &str) -> Option<bool> {
    if !name.is_empty() {
        return None;
    }
    let (width, height) = super::WINDOW;
    if let Some((name, value)) = feature.split_once(':') {
        let value = value.trim_ascii();
        let at_least = |size: f32| number(value).map(|least| size >= least);
        let at_most = |size: f32| number(value).map(|most| size <= most);
        return match name.trim_ascii() {
            "min-width" | "min-device-width" => at_least(width),
            "max-width" | "max-device-width" => at_most(width),
            "width" | "device-width" => number(value).map(|size| size == width),
            "min-height" | "min-device-height" => at_least(height),
            "max-height" | "max-device-height" => at_most(height),
            "min-aspect-ratio" => at_least(width / height),
            "max-aspect-ratio" => at_most(width / height),
            "min-resolution" | "-webkit-min-device-pixel-ratio" => at_least(1.0),
            "max-resolution" | "-webkit-max-device-pixel-ratio" => at_most(1.0),
            "orientation" => Some(value == "landscape"),
            "hover" | "any-hover" => Some(value == "hover"),
            "pointer" | "any-pointer" => Some(value == "fine"),
            "prefers-color-scheme" => Some(value == "light"),
            "prefers-reduced-motion" | "prefers-contrast" | "prefers-reduced-transparency" => {
                Some(value == "no-preference")
            }
            "scripting" | "forced-colors" | "inverted-colors" => Some(value == "none"),
            "update" => Some(value == "fast"),
            "display-mode" => Some(value == "browser"),
            "dynamic-range" => Some(value == "standard"),
            "overflow-block" | "overflow-inline" => Some(value == "scroll"),
            "color-gamut" => Some(value == "srgb"),
            _ => None,
        };
    }
    for sign in ["<=", ">=", "<", ">", "="] {
        let Some((left, right)) = feature.split_once(sign) else { continue };
        let side = |text: &str| match text.trim_ascii() {
            "width" | "device-width" => Some(width),
            "height" | "device-height" => Some(height),
            "aspect-ratio" => Some(width / height),
            "resolution" => Some(1.0),
            text => number(text),
        };
        let compare = |left: f32, right: f32| match sign {
            "<=" => left <= right,
            ">=" => left >= right,
            "<" => left < right,
            ">" => left > right,
            _ => left == right,
        };
        // A range from both sides is of two such.
        if let Some((middle, far)) = right.split_once(sign.get(..1).unwrap_or("<")) {
            let far = far.trim_start_matches('=');
            let (a, b, c) = (side(left)?, side(middle)?, side(far)?);
            return Some(if sign.starts_with('<') { a <= b && b <= c } else { a >= b && b >= c });
        }
        return Some(compare(side(left)?, side(right)?));
    }
    match feature {
        "width" | "height" | "color" | "hover" | "pointer" | "any-hover" | "any-pointer" | "aspect-ratio" => {
            Some(true)
        }
        "monochrome"
        | "grid"
        | "scripting"
        | "prefers-reduced-motion"
        | "prefers-contrast"
        | "forced-colors" => Some(false),
        _ => None,
    }
}

/// A length in pixels, a ratio, a resolution in dots a pixel, or a number.
fn number(text: &str) -> Option<f32> {
    let text = text.trim_ascii();
    if text.contains('(') {
        return value::length_in(text);
    }
    if let Some((part, whole)) = text.split_once('/') {
        return Some(part.trim_ascii().parse::<f32>().ok()? / whole.trim_ascii().parse::<f32>().ok()?);
    }
    let end = text.find(|c: char| c.is_ascii_alphabetic() || c == '%').unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(end)?;
    let number: f32 = number.trim_ascii().parse().ok()?;
    Some(match unit {
        "em" | "rem" => number * 16.0,
        "dpi" => number / 96.0,
        _ => number,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_queries_hold_as_in_the_window_of_the_verdict() {
        for (query, holds) in [
            ("screen", true),
            ("not screen", false),
            ("not print", true),
            ("not all", false),
            ("(min-width: 600px) and (max-width: 2000px)", true),
            ("not (min-width: 3000px)", true),
            ("(not (min-width: 3000px))", true),
            ("(min-width: 3000px) or (orientation: landscape)", true),
            ("((min-width: 3000px) or (orientation: landscape)) and (color)", true),
            ("screen and (min-width: 3000px), (min-width: 1200px)", true),
            ("(min-width: calc(10px * 60))", true),
            ("(min-width: calc(10px * 600))", false),
            ("(600px <= width <= 1400px)", true),
            ("(width < 1000px)", false),
            ("(aspect-ratio > 1/1)", true),
            ("(max-aspect-ratio: 1/1)", false),
            ("(min-resolution: 192dpi)", false),
            ("(min-resolution: 96dpi)", true),
            ("(monochrome)", false),
            ("(unknown)", false),
            ("not (unknown)", false),
            ("(unknown) or (color)", true),
            ("(unknown) and (color)", false),
            ("(color", false),
        ] {
            assert_eq!(media_query(query) == Some(When::Now), holds, "{query}");
        }
        assert_eq!(media_query("print"), None);
        assert_eq!(media_query("tv, speech"), None);
    }

    #[test]
    fn support_is_that_of_chromium() {
        for (text, holds) in [
            ("(display: grid)", true),
            ("not (display: grid)", false),
            ("(display: foo)", false),
            ("(not (display: foo))", true),
            ("(display: foo) or (display: block)", true),
            ("(display: grid) and (not (display: inline-grid))", false),
            ("(-moz-appearance: none)", false),
            ("(-webkit-appearance: none)", true),
            ("(-webkit-touch-callout: none)", false),
            ("(font: -apple-system-body) and (-webkit-appearance: none)", false),
            ("(--css: variables)", true),
            ("selector(:is(a))", true),
            ("selector(:foo)", false),
            ("(display: grid) and selector(:is(a))", true),
            ("(display: grid) selector(:is(a))", false),
            ("", false),
        ] {
            assert_eq!(supports(text), holds, "{text}");
        }
        assert!(!supports(&format!("{}(display: grid)", "not ".repeat(100_000))));
        assert!(!supports(&"(".repeat(100_000)));
    }
}
