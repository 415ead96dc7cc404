//! The articles of the embedded site, and their editions.

use std::path::Path;

/// An article of the embedded site, with the page around it.
pub(super) struct Article {
    /// The page's name without its ending.
    pub(super) name: String,
    pub(super) language: String,
    pub(super) title: String,
    /// The page up to the article's first element.
    pub(super) before: String,
    /// The article's own elements: heading, paragraphs, tables, code.
    body: String,
    /// The page from the article's end on.
    pub(super) after: String,
}

impl Article {
    /// The article of a page of the embedded site, or `None` where the page has no element `article`.
    pub(super) fn of(path: &Path, html: &str) -> Option<Self> {
        let (before, rest) = html.split_once("<article>")?;
        let (body, after) = rest.split_once("</article>")?;
        // The line with the date is the template's: whether it is part of the text, extractors disagree.
        let body = body.lines().filter(|line| !line.starts_with("<p class=\"byline\">"));
        let between =
            |open: &str, close: &str| Some(before.split_once(open)?.1.split_once(close)?.0.to_owned());
        Some(Article {
            name: path.file_stem()?.to_str()?.to_owned(),
            language: between("<html lang=\"", "\"")?,
            title: between("<title>", "</title>")?,
            before: before.to_owned(),
            body: body.collect::<Vec<_>>().join("\n").trim().to_owned(),
            after: after.to_owned(),
        })
    }

    /// The article's elements as they are in one of its editions; edition 0 is the article as it is.
    ///
    /// Every edition has a note of its own behind one of the paragraphs; every third lacks another paragraph.
    pub(super) fn edition(&self, edition: u64) -> String {
        if edition == 0 {
            return self.body.clone();
        }
        let mut parts: Vec<&str> = self.body.split_inclusive("</p>\n").collect();
        let count = parts.len() as u64;
        if edition.is_multiple_of(3) && count > 3 {
            parts.remove((2 + edition / 3 % (count - 3)) as usize);
        }
        let note = format!(
            "\n<p>Edition {edition}: the figures were read again, and the last one was set right.</p>\n"
        );
        let place = 1 + edition as usize % parts.len();
        parts.insert(place, &note);
        parts.concat()
    }
}
