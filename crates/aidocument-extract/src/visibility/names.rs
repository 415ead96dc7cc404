//! Classes with a fixed meaning in common frameworks: Bootstrap 3 to 5, Tailwind, WordPress, Foundation, Bulma, USWDS,
//! Drupal, GOV.UK, UIkit, Salesforce's and Angular's kits. Their style sheets are seldom part of a page.
//!
//! A class that hides only on some screens does not count as hiding, and neither does one next to a class of the same
//! framework that shows the element on some screen.

use super::HiddenReason;
use crate::recent::Slots;
use crate::words::list::words;

/// What is read out: "opens in a new window", "Image caption", "View the … with 4.5 out of 5 stars".
const READ_OUT: [&str; 25] = words(
    "sr-only visually-hidden visuallyhidden u-visually-hidden screen-reader-text screen-reader-only \
    screen-reader screenreader off-screen offscreen assistive-text a11y-hidden show-for-sr is-sr-only \
    usa-sr-only element-invisible govuk-visually-hidden cdk-visually-hidden slds-assistive-text \
    elementor-screen-only visually-hidden-focusable show-on-focus hidden-visually hide-visually \
    accessibly-hidden",
);

/// What is not shown.
const HIDDEN: [&str; 18] = words(
    "hidden hide d-none invisible is-hidden is-invisible display-none usa-hidden uk-hidden uk-invisible \
    slds-hide slds-hidden opacity-0 scale-0 w-condition-invisible element-hidden ng-hide u-hidden",
);

static NAMES: Slots<64> = Slots::of(&[&READ_OUT, &HIDDEN]);

/// Whether a class of this slot may be one that means something by itself.
#[inline]
pub(super) fn may_mean(name: &str, slot: usize) -> bool {
    NAMES.may_have(slot) || name.starts_with('!')
}

/// What a class means by itself.
fn meaning_of(name: &str) -> Option<HiddenReason> {
    let is_hidden = || HIDDEN.contains(&name).then_some(HiddenReason::ClassHidden);
    if READ_OUT.contains(&name) { Some(HiddenReason::ClassReadOut) } else { is_hidden() }
}

/// Shown on some screens, by frameworks whose classes start with the screen's size (`md:block`) or have it in the middle
/// (`d-md-block`).
fn shows_somewhere(class: &str) -> bool {
    const SIZES: [&str; 12] =
        ["xs", "sm", "md", "lg", "xl", "xxl", "2xl", "3xl", "tablet", "desktop", "mobile", "widescreen"];
    const SHOWN: [&str; 12] = words(
        "block inline inline-block flex inline-flex grid inline-grid table contents visible table-cell \
        not-sr-only",
    );
    const STATES: [&str; 11] =
        words("show in active open is-active is-open d-block d-flex d-inline d-inline-block d-grid");
    if let Some((before, after)) = class.rsplit_once(':') {
        let after = after.trim_start_matches('!');
        let after = after.strip_prefix("display-").unwrap_or(after);
        // A state shows it as well: `hover:`, `group-hover:`, `focus:`, `data-[state=open]:`.
        let is_print = before.split(':').any(|part| part == "print");
        return !is_print
            && (SHOWN.contains(&after)
                || after.starts_with("table-")
                || after.starts_with("opacity-")
                || after.starts_with("scale-")
                || after == "list-item"
                || after == "flow-root");
    }
    let rest = class
        .strip_prefix("d-")
        .or_else(|| class.strip_prefix("visible-"))
        .or_else(|| class.strip_prefix("is-"));
    rest.is_some_and(|rest| {
        SIZES.iter().any(|size| {
            rest.strip_prefix(size).is_some_and(|kind| {
                kind.is_empty()
                    || kind
                        .strip_prefix('-')
                        .is_some_and(|kind| SHOWN.contains(&kind) || kind.starts_with("table"))
            })
        })
    }) || STATES.contains(&class)
}

/// What a list of classes means.
pub(super) fn meaning(class: &str) -> Option<HiddenReason> {
    let mut found = None;
    for name in class.split_ascii_whitespace() {
        let name = name.trim_start_matches('!');
        let Some(meaning) = meaning_of(name) else { continue };
        found = match (found, meaning) {
            (None | Some(HiddenReason::ClassHidden), meaning) => Some(meaning),
            (found, _) => found,
        };
    }
    let found = found?;
    if class.split_ascii_whitespace().any(shows_somewhere) {
        // Shown on some screens, or in the state that the page is in.
        let is_state = class.split_ascii_whitespace().any(|name| {
            name.contains("hover:")
                || name.contains("focus")
                || name.contains("data-[")
                || name.contains("aria-")
                || name.contains("open:")
        });
        return is_state.then_some(HiddenReason::ClassOpens);
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_mean_what_their_frameworks_say() {
        for (class, expected) in [
            ("a hidden", Some(HiddenReason::ClassHidden)),
            ("hidden md:block", None),
            ("hidden print:block", Some(HiddenReason::ClassHidden)),
            ("d-none d-md-block", None),
            ("d-none d-print-block", Some(HiddenReason::ClassHidden)),
            ("hidden-xs", None),
            ("opacity-0 group-hover:opacity-100", Some(HiddenReason::ClassOpens)),
            ("sr-only", Some(HiddenReason::ClassReadOut)),
            ("sr-only md:not-sr-only", None),
            ("sr-only focus:not-sr-only", Some(HiddenReason::ClassOpens)),
            ("screen-reader-text", Some(HiddenReason::ClassReadOut)),
            ("is-hidden-mobile", None),
            ("is-hidden", Some(HiddenReason::ClassHidden)),
            ("visually-hidden hidden", Some(HiddenReason::ClassReadOut)),
            ("unhidden hide-me", None),
            ("", None),
        ] {
            assert_eq!(meaning(class), expected, "{class}");
        }
    }
}
