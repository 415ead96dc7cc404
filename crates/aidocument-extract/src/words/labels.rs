//! The meaning of short labels over parts of a page: teasers, or a table of contents.
//!
//! English, German, French, Spanish, Portuguese, Italian, Dutch, Polish, Swedish, Russian, Turkish, Japanese, Chinese
//! and Korean: labels in other languages are not recognised.

use crate::letters::{is_alphanumeric, lower};

/// What a label announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phrase {
    /// Links to other pages of the site.
    Related,
    /// A table of contents of this page.
    Contents,
}

/// What a label announces; `None` for any other text.
pub(crate) fn of(text: &str) -> Option<Phrase> {
    if text.len() > MAX_LABEL {
        return None;
    }
    let mut label = String::with_capacity(text.len());
    let mut is_apart = false;
    for c in text.chars() {
        let is_part = is_alphanumeric(c) || matches!(c, '\'' | '’');
        if is_part && is_apart && !label.is_empty() {
            label.push(' ');
        }
        is_apart = !is_part;
        match c {
            '’' => label.push('\''),
            _ if is_part => lower(c, |c| label.push(c)),
            _ => {}
        }
    }
    let first = *label.as_bytes().first()?;
    let is = |list: &[&str]| list.contains(&label.as_str());
    let starts = |list: &[&str]| {
        // Most begin with another letter.
        let begin = |start: &&&str| start.as_bytes().first() == Some(&first);
        list.iter().filter(begin).any(|start| {
            label.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        })
    };
    if is(RELATED) || starts(RELATED_STARTS) {
        Some(Phrase::Related)
    } else if is(CONTENTS) {
        Some(Phrase::Contents)
    } else {
        None
    }
}

/// Whether a label in front of a link leads to another text. Over a part of a page some of these are headings of a text's own.
pub(crate) fn leads_to_more(label: &str) -> bool {
    let label = label.trim_matches(|c: char| !is_alphanumeric(c));
    of(label) == Some(Phrase::Related) || TO_MORE.iter().any(|known| known.eq_ignore_ascii_case(label))
}

const TO_MORE: [&str; 6] =
    ["also read", "must read", "related article", "related post", "related story", "see also"];

/// Bytes of a label.
const MAX_LABEL: usize = 120;

#[rustfmt::skip]
const RELATED: &[&str] = &[
    // English
    "related", "recommended", "recommended reading", "recommended for you", "more stories", "more news",
    "more articles", "more posts", "latest", "latest news", "latest articles", "latest posts", "latest stories",
    "recent posts", "recent articles", "top stories", "trending", "trending now", "popular posts", "popular articles",
    "most read", "most popular", "keep reading", "continue reading", "up next", "next up", "read next",
    "what to read next", "read also", "see more", "don't miss", "editor's picks", "similar posts", "similar articles",
    "similar stories", "other articles", "other stories", "discussion about this post",
    // German
    "ähnliche artikel", "ähnliche beiträge", "verwandte artikel", "verwandte themen", "weitere artikel",
    "weitere beiträge", "weitere themen", "weitere nachrichten", "mehr zum thema", "auch interessant",
    "lesen sie auch", "lesen sie mehr", "meistgelesen", "neueste beiträge",
    // French
    "à lire aussi", "lire aussi", "a lire aussi", "sur le même sujet", "sur le même thème", "articles similaires",
    "articles liés", "articles connexes", "articles récents", "les plus lus",
    // Spanish
    "artículos relacionados", "entradas relacionadas", "noticias relacionadas", "productos relacionados",
    "lee también", "lea también", "te puede interesar", "también te puede interesar", "más noticias", "lo más leído",
    "lo más visto",
    // Portuguese
    "leia também", "leia mais", "veja também", "artigos relacionados", "notícias relacionadas", "posts relacionados",
    "mais lidas",
    // Italian
    "leggi anche", "articoli correlati", "articoli simili", "potrebbe interessarti",
    // Dutch
    "lees ook", "lees meer", "gerelateerde artikelen", "meer nieuws",
    // Polish
    "czytaj także", "czytaj też", "zobacz także", "powiązane artykuły",
    // Swedish
    "läs också", "läs mer", "relaterade artiklar",
    // Russian
    "читайте также", "читать также", "похожие статьи", "похожие материалы", "ещё по теме", "еще по теме", "по теме",
    // Turkish
    "ilgili haberler", "ilgili yazılar", "benzer yazılar",
    // Japanese
    "関連記事", "関連リンク", "あわせて読みたい", "おすすめ記事", "こちらもおすすめ", "人気記事",
    // Chinese
    "相关文章", "相关阅读", "相关新闻", "相关推荐", "推荐阅读", "热门文章", "相關文章", "延伸閱讀",
    // Korean
    "추천 기사", "관련기사", "관련 기사", "많이 본 뉴스",
];

#[rustfmt::skip]
const RELATED_STARTS: &[&str] = &[
    // English
    "related articles", "related posts", "related stories", "related content", "related reading", "related news",
    "related topics", "related links", "related products", "related videos", "you may also", "you might also",
    "you may like", "you might like", "people also", "customers also", "readers also", "more from", "more like this",
    "more on this", "more in", "more to explore", "what to read next",
    // German
    "das könnte", "dies könnte", "mehr aus",
    // French
    "vous aimerez aussi", "à découvrir",
    // Spanish, Italian, Portuguese, Dutch
    "quizás te interese", "potrebbe interessarti anche", "ti potrebbe interessare", "você pode gostar",
    "você também pode", "te puede gustar", "también te puede", "misschien ook",
];

#[rustfmt::skip]
const CONTENTS: &[&str] = &[
    // English
    "contents", "table of contents", "on this page", "in this article", "in this post", "in this guide",
    "in this section", "page contents", "jump to", "jump to section", "what's inside", "toc",
    // German
    "inhalt", "inhaltsverzeichnis", "auf dieser seite",
    // French
    "sommaire", "table des matières", "sur cette page",
    // Spanish
    "contenido", "índice", "tabla de contenidos", "en esta página", "en este artículo",
    // Portuguese, Italian
    "neste artigo", "sumário", "conteúdo", "indice", "in questo articolo",
    // Dutch, Polish, Swedish
    "inhoud", "inhoudsopgave", "spis treści", "innehåll",
    // Russian, Turkish
    "содержание", "оглавление", "içindekiler",
    // Japanese, Chinese, Korean
    "目次", "もくじ", "目录", "目錄", "목차",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_known_whatever_their_case_and_signs() {
        for (text, expected) in [
            ("  Related Posts: ", Some(Phrase::Related)),
            ("You may also like…", Some(Phrase::Related)),
            ("MORE FROM THE HARBOUR", Some(Phrase::Related)),
            ("Das könnte Sie auch interessieren", Some(Phrase::Related)),
            ("関連記事", Some(Phrase::Related)),
            ("See also:", None),
            ("On this page", Some(Phrase::Contents)),
            ("What’s inside?", Some(Phrase::Contents)),
            ("Kommentare", None),
            ("Related work", None),
            ("More formal definitions", None),
            ("The contents of the box", None),
            ("", None),
            ("§", None),
        ] {
            assert_eq!(of(text), expected, "{text:?}");
        }
        for (label, expected) in [
            ("[Related", true),
            ("See Also", true),
            ("Lesen Sie auch", true),
            ("See", false),
            ("On this page", false),
            ("", false),
        ] {
            assert_eq!(leads_to_more(label), expected, "{label:?}");
        }
    }
}
