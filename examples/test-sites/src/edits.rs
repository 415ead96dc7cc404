//! What authors and designers do to pages: to show how a site changes.

use std::cell::Cell;
use std::rc::Rc;

use lol_html::element;
use lol_html::html_content::ContentType;
use site::SiteError;
use site::html::{PageError, read, rewrite};
use site::publisher::Publisher;
use tct::UnixSeconds;

/// What an author adds to a page when its text is changed.
const CORRECTION: &str =
    "<p>Corrected after a reader&rsquo;s letter: the figures are those of the second edition.</p>";

/// The pages that an edit changed, by file name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edits {
    /// Their text is another one.
    pub text: Vec<String>,
    /// Only their template is.
    pub template: Vec<String>,
}

/// Changes the text of one page in ten (one in two of a small site), and only the template of as many others.
///
/// # Errors
/// [`SiteError::Refused`] if the library refuses the new sitemap.
pub fn edit(publisher: &Publisher, now: UnixSeconds) -> Result<Edits, SiteError> {
    let before = publisher.snapshot();
    let step = if before.pages.len() < 20 { 2 } else { 10 };
    let mut changed = Vec::new();
    for (index, page) in before.pages.iter().enumerate() {
        let Ok(html) = page.file.html() else { continue };
        let edited = match index % step {
            0 => with_paragraph(&html, CORRECTION).map(|html| (html, now)),
            // A new template is no news: the date of the text stays.
            at if at == step / 2 => with_new_look(&html).ok().map(|html| (html, page.modified)),
            _ => None,
        };
        changed.extend(edited.map(|(html, modified)| (index, page.file.with_html(html), modified)));
    }
    let mut edits = Edits::default();
    for index in publisher.republish(changed, now)? {
        let Some(page) = before.pages.get(index) else { continue };
        let list = if index % step == 0 { &mut edits.text } else { &mut edits.template };
        list.push(page.file.with_html(String::new()).name());
    }
    Ok(edits)
}

/// The page with `paragraph` in its text: an author's edit.
///
/// Several places are tried, from the most natural one; the first where the page's text changes is taken. `None`
/// where there is no such place.
pub fn with_paragraph(html: &str, paragraph: &str) -> Option<String> {
    let before = read(html).ok()?;
    ["main p", "article p", "main h1", "main", "article", "body"].into_iter().find_map(|place| {
        let done = Rc::new(Cell::new(false));
        let edit = element!(place, |element| {
            if !done.replace(true) {
                match element.can_have_content() && !matches!(place, "main p" | "article p" | "main h1") {
                    true => element.prepend(paragraph, ContentType::Html),
                    false => element.before(paragraph, ContentType::Html),
                }
            }
            Ok(())
        });
        let edited = rewrite(html, vec![edit]).ok()?;
        let after = read(&edited).ok()?;
        (after.content != before.content).then_some(edited)
    })
}

/// The page in a new template: another style sheet, a class on `<body>`, a row of links more, a comment at the end.
///
/// # Errors
/// [`PageError::Rewrite`] if the rewriter gives up.
pub fn with_new_look(html: &str) -> Result<String, PageError> {
    const STYLE: &str =
        "<style>body{--accent:#7a3b1d;letter-spacing:.01em}.season{display:flex;gap:1rem}</style>";
    const LINKS: &str = "<nav class=\"season\" aria-label=\"Season\"><a href=\"/\">Winter issue</a> \
                         <a href=\"/about.html\">Subscribe</a></nav>";
    let mut written = rewrite(
        html,
        vec![element!("body", |body| {
            body.set_attribute("data-look", "winter")?;
            body.prepend(&format!("{STYLE}{LINKS}"), ContentType::Html);
            Ok(())
        })],
    )?;
    written.push_str("<!-- rendered by template 2 -->\n");
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_change_what_they_say_they_change() {
        let html = "<head><title>t</title></head><body><main><h1>h</h1><p>first</main></body>";
        let before = read(html).unwrap();
        let edited = with_paragraph(html, "<p>A correction.</p>").unwrap();
        assert_eq!(read(&edited).unwrap().content, "h\n\nA correction.\n\nfirst");
        let new_look = with_new_look(html).unwrap();
        assert_ne!(new_look, html);
        assert_eq!(read(&new_look).unwrap(), before);
        assert_eq!(with_paragraph("<body><script>x</script>", "<p>A correction.</p>"), None);
    }
}
