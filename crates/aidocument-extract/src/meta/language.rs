//! The page's language and the direction of its text.

use aidocument::Language;

use super::{Found, MetadataSource, Page, TextDirection};

/// The language that the page declares; see [`crate::page`] for the order.
pub(super) fn of(page: &Page<'_>) -> Option<Found<Language>> {
    let declared = &page.facts.meta.language;
    (declared.as_str() != "und").then(|| Found::new(declared.clone(), MetadataSource::Attribute, 0.95))
}

/// The direction that `dir` of `<html>` or `<body>` declares, else that of the language.
pub(super) fn direction_of(
    page: &Page<'_>,
    language: Option<&Found<Language>>,
) -> Option<Found<TextDirection>> {
    let clues = &page.facts.clues;
    let declared = [clues.html, clues.body].into_iter().flatten().find_map(|id| {
        match page.tree.attr(id, "dir")?.trim() {
            dir if dir.eq_ignore_ascii_case("rtl") => Some(TextDirection::RightToLeft),
            dir if dir.eq_ignore_ascii_case("ltr") => Some(TextDirection::LeftToRight),
            _ => None,
        }
    });
    if let Some(direction) = declared {
        return Some(Found::new(direction, MetadataSource::Attribute, 0.95));
    }
    let language = language?;
    let direction = match language.value.primary().as_ref() {
        "ar" | "fa" | "he" | "iw" | "ur" | "yi" | "ps" | "sd" | "ug" | "dv" | "ckb" | "arz" => {
            let latin = language.value.as_str().to_ascii_lowercase().contains("-latn");
            if latin { TextDirection::LeftToRight } else { TextDirection::RightToLeft }
        }
        _ => TextDirection::LeftToRight,
    };
    Some(Found::new(direction, language.source, language.confidence))
}
