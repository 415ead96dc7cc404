//! Which heading is the page's title.
//!
//! The first `h1` may be the site's name, "Subscribe" or "Comments (3)". So the title is a heading before the text that
//! agrees with the page's metadata, or else a single `h1` right before the text.

use std::ops::Range;

use super::blocks::{Block, Blocks};
use super::features::Page;
use super::names;
use crate::address::leads_home;
use crate::letters::{collapse, is_alphanumeric, lower};
use crate::rules::Rule;
use crate::structure::roles::{heading_at, is_boilerplate};
use crate::tree::{NodeId, Tag, Tree};
use crate::words::names::COMMENTS;

/// Words of a title.
const MAX_TITLE: u32 = 60;

/// A kept block with this many words is text, not a line above it.
const TEXT: u32 = 20;

/// Blocks behind the text's first one that are searched for a line with the title: the name of a project and what that is may be before
/// it, as in Doxygen.
const BEHIND_START: usize = 30;

/// The letters and digits of a text, in lower case.
fn letters(text: &str) -> String {
    let mut letters = String::with_capacity(text.len());
    text.chars().filter(|&c| is_alphanumeric(c)).for_each(|c| lower(c, |c| letters.push(c)));
    letters
}

/// Returns true if the [`letters`] of a heading and of the page's title are the same, apart from the site's name and a
/// heading's number.
fn agree(heading: &str, title: &str) -> bool {
    if heading.is_empty() || title.is_empty() {
        return false;
    }
    let is_long = || [heading, title].iter().all(|text| text.chars().nth(3).is_some());
    heading == title
        || (title.starts_with(heading) && 4 * heading.len() >= title.len() && is_long())
        || (title.ends_with(heading) && 3 * heading.len() >= title.len() && is_long())
        || (heading.starts_with(title) && 2 * title.len() >= heading.len() && is_long())
}

/// Whether a heading is a name with its kind before it, as Javadoc has it: `Class TeaPot` where the title is `TeaPot (Tea 2.1)`.
fn has_kind_before(heading: &str, name: &str) -> bool {
    heading.ends_with(name) && 3 * name.len() >= heading.len() && name.chars().nth(3).is_some()
}

/// The last line before the text, else the first one right behind its start, that begins the page's title or is what follows its colon, and
/// is most of it, or is what precedes its dash.
fn line(page: &Page<'_>, title: &str, start: usize) -> Option<usize> {
    // Doxygen has the project's name before it.
    let behind_colon = title.split_once(": ").map_or(String::new(), |(_, rest)| letters(rest));
    let before_dash = title.split_once(" - ").map_or(String::new(), |(name, _)| letters(name));
    let title = letters(title);
    let near = (0..=start).rev().chain(start + 1..=start + BEHIND_START);
    let lines = near.filter_map(|place| Some((place, page.blocks.blocks.get(place)?)));
    let mut lines =
        lines.filter(|(_, block)| block.counts.words <= MAX_TITLE && block.counts.link_words == 0);
    let found = lines.find(|(_, block)| {
        let line = letters(&text_of(page.tree, page.blocks, block));
        let is_most = (title.starts_with(&line) || line == behind_colon) && 2 * line.len() >= title.len();
        !line.is_empty()
            && (is_most || line == before_dash)
            && heading_at(page.tree, block.container).is_none()
            && !is_in_menu(page, block.container)
            && !is_where_you_are(page, block.container)
    });
    found.map(|(place, _)| place)
}

/// Whether a heading is the site's and not the page's: in a header or menu, by its name, or a link to the front page.
pub(crate) fn is_of_site(tree: &Tree, id: NodeId) -> bool {
    let mut around = tree.upward(id).take(12);
    let named = around.any(|around| {
        let tag = tree.tag(around);
        let names = ["class", "id"].iter().filter_map(|name| tree.attr(around, name));
        let is_logo = names.into_iter().any(|value| {
            let value = value.to_ascii_lowercase();
            value.contains("logo") || value.contains("site-title") || value.contains("brand")
        });
        let groups = names::groups_of(tree, around);
        let is_comments = groups & COMMENTS != 0 && tag != Tag::Body;
        is_logo && !matches!(tag, Tag::Body | Tag::Html) || is_comments || tag == Tag::Nav
    });
    named || leads_home(tree, id)
}

/// Where a page's title was found.
pub(super) struct Found {
    /// The blocks between title and text.
    pub(super) between: Range<usize>,
    /// What is to be a heading of the first level: the title's element, if it is a paragraph or box of its own and no kept heading has
    /// the title, or if it is a heading of another level and none of the first is kept.
    pub(super) line: Option<NodeId>,
}

/// Keeps the heading that is the page's title, or the line that has it where no heading does; `title` is the one in the page's metadata.
/// The site's name, where it is a heading as well, goes, and so does the kind of page in the title's header.
pub(super) fn keep(page: &Page<'_>, title: &str, keep: &mut [bool]) -> Option<Found> {
    let (tree, blocks) = (page.tree, page.blocks);
    let is_kept = |keep: &[bool], place: usize| keep.get(place) == Some(&true);
    let start = blocks
        .blocks
        .iter()
        .enumerate()
        .position(|(place, block)| is_kept(keep, place) && block.counts.words >= TEXT)
        .or_else(|| keep.iter().position(|&kept| kept));
    let start = start?;
    // Once: a page may have as many headings as its title has letters.
    let of_page = letters(title);
    let name = letters(title.split_once(" (").map_or(title, |(name, _)| name));
    let mut best: Option<(u8, usize)> = None;
    let mut lone: Vec<usize> = Vec::new();
    let mut names_of_site: Vec<usize> = Vec::new();
    for (place, block) in blocks.blocks.iter().enumerate().take(start + 1) {
        if block.counts.words > MAX_TITLE {
            continue;
        }
        let Some((level, id)) = heading_at(tree, block.container) else { continue };
        let is_home = leads_home(tree, id);
        if is_home {
            names_of_site.push(place);
        }
        let heading = letters(&text_of(tree, blocks, block));
        if level <= 2 && (agree(&heading, &of_page) || has_kind_before(&heading, &name)) && !is_home {
            // The last of those of the highest level: a bar at the top may repeat it.
            if best.is_none_or(|(known, _)| level <= known) && !is_in_menu(page, id) {
                best = Some((level, place));
            }
        } else if level == 1 && !is_of_site(tree, id) && !is_in_menu(page, id) {
            lone.push(place);
        }
    }
    let heading = best.map(|(_, place)| place).or_else(|| lone.last().copied());
    let chosen = heading.or_else(|| line(page, title, start));
    if let Some(chosen) = chosen.filter(|_| tree.rules.has(Rule::Title)) {
        for place in names_of_site.into_iter().chain(overline(page, chosen)).chain([chosen]) {
            if let Some(slot) = keep.get_mut(place) {
                *slot = place == chosen;
            }
        }
    }
    let chosen = chosen?;
    let said = |block: &Block| letters(&text_of(tree, blocks, block));
    let line = blocks.blocks.get(chosen).filter(|&line| {
        let told = said(line);
        let kept = blocks.blocks.iter().zip(&*keep).filter(|(_, kept)| **kept);
        let mut headings = kept.filter(|(block, _)| block.counts.words <= MAX_TITLE);
        tree.rules.has(Rule::Title)
            && heading.is_none()
            && (chosen != start || line.counts.words < TEXT)
            && is_box_of_text(page, line.container)
            && !headings.any(|(block, _)| heading_at(tree, block.container).is_some() && said(block) == told)
    });
    let lower = best.filter(|&(level, _)| level > 1 && tree.rules.has(Rule::Title));
    let lower = lower.filter(|_| !has_first_level(page, keep));
    let lower = lower.and_then(|(_, place)| heading_at(tree, blocks.blocks.get(place)?.container));
    let line = line.map(|line| line.container).or(lower.map(|(_, heading)| heading));
    Some(Found { between: chosen + 1..start.max(chosen + 1), line })
}

/// Whether a heading of the first level is kept.
fn has_first_level(page: &Page<'_>, keep: &[bool]) -> bool {
    let mut kept = page.blocks.blocks.iter().zip(keep).filter(|(_, kept)| **kept);
    kept.any(|(block, _)| heading_at(page.tree, block.container).is_some_and(|(level, _)| level == 1))
}

/// The heading of a lower level that stands over the title in one header: what kind of page it is.
fn overline(page: &Page<'_>, title: usize) -> Option<usize> {
    let place = title.checked_sub(1)?;
    let [own, over] =
        [title, place].map(|place| heading_at(page.tree, page.blocks.blocks.get(place)?.container));
    let ((level, heading), (lower, kind)) = own.zip(over)?;
    let header = page.tree.parent(heading)?;
    (lower > level && page.tree.parent(kind) == Some(header) && page.tree.tag(header) == Tag::Header)
        .then_some(place)
}

/// Whether an element is a paragraph or a box with one line in it.
fn is_box_of_text(page: &Page<'_>, id: NodeId) -> bool {
    let mut inside = page.tree.descendants(id).skip(1);
    matches!(page.tree.tag(id), Tag::P | Tag::Div)
        && page.around.sums_in(id).blocks == 1
        && !inside.any(|inner| page.tree.tag(inner).is_block())
}

pub(super) fn text_of(tree: &Tree, blocks: &Blocks, block: &Block) -> String {
    let texts: String = blocks.texts_of(block).iter().filter_map(|&id| tree.text(id)).collect();
    collapse(&texts)
}

/// Whether a line is the entry of the page itself, which has no link, in a menu or path.
fn is_where_you_are(page: &Page<'_>, id: NodeId) -> bool {
    let tree = page.tree;
    let mut near = tree.upward(id).take(4);
    near.any(|around| {
        let is_page = matches!(tree.tag(around), Tag::Body | Tag::Html);
        tree.tag(around) == Tag::Li || (!is_page && page.names(around) & names::BESIDE_TEXT != 0)
    })
}

/// Whether a heading is in a menu, a sidebar or a box of its own kind, and not in a header.
fn is_in_menu(page: &Page<'_>, id: NodeId) -> bool {
    let tree = page.tree;
    // Some servers put the page as a whole into one form.
    let is_page = |form: NodeId| 2 * page.around.sums_in(form).words >= page.around.sums_in(Tree::ROOT).words;
    tree.upward(id).take(12).any(|around| {
        if matches!(tree.tag(around), Tag::Body | Tag::Html | Tag::Header) {
            return false;
        }
        let groups = page.names(around);
        matches!(tree.tag(around), Tag::Nav | Tag::Aside | Tag::Footer)
            || (tree.tag(around) == Tag::Form && !is_page(around))
            || (groups & names::NOT_AROUND_TITLE != 0 && is_boilerplate(tree, around))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_agree_but_for_the_site_and_signs() {
        for (heading, title, expected) in [
            ("The Bridge Opens", "The Bridge Opens", true),
            ("The Bridge Opens!", "The bridge opens | Harbour News", true),
            ("Zeitzonen", "Zeitzonen — Kalenderwerk 2.1 Dokumentation", true),
            ("The Bridge Opens", "Harbour News: The Bridge Opens", true),
            ("Harbour News", "The Bridge Opens After Eleven Months of Repair | Harbour News", false),
            ("Comments (3)", "The Bridge Opens", false),
            ("", "The Bridge Opens", false),
        ] {
            assert_eq!(agree(&letters(heading), &letters(title)), expected, "{heading} {title}");
        }
    }

    /// What is kept of a page with such a title.
    fn titled(html: &str, title: &str) -> String {
        let mut page = super::super::testing::Marked::of(html);
        keep(&Page::of(&page.tree, &page.blocks), title, &mut page.keep);
        page.kept()
    }

    #[test]
    fn a_line_with_the_title_is_a_heading_unless_one_has_it() {
        for (before, behind, expected) in [
            ("<div class=headertitle><div class=title>The bridge opens</div></div>", "", Some("title")),
            ("<div class=title><b>The bridge</b> opens</div>", "", Some("title")),
            ("<p class=t>The bridge opens</p>", "", Some("t")),
            ("<div class=title>The bridge opens</div>", "<h3>+The bridge opens</h3>", None),
            ("<div class=title>The bridge opens</div>", "<h3>+The bridge</h3>", Some("title")),
            ("<div class=title>The bridge opens</div>", "<h3>The bridge opens</h3>", Some("title")),
            ("<h1 class=title>The bridge opens</h1>", "", None),
            ("<table><tr><td class=title>The bridge opens</table>", "", None),
            ("<div class=t>The bridge opens<p>Today</p></div>", "", None),
        ] {
            let html = format!("{before}<p>+{}{behind}", "text ".repeat(20));
            let mut marked = super::super::testing::Marked::of(&html);
            let found = keep(&Page::of(&marked.tree, &marked.blocks), "The bridge opens", &mut marked.keep);
            let line = found.and_then(|found| found.line);
            assert_eq!(line.and_then(|line| marked.tree.attr(line, "class")), expected, "{html}");
        }
    }

    #[test]
    fn a_title_may_be_behind_the_name_of_a_project_and_what_it_is() {
        for (page, expected) in [
            // No text is long, or what the project is.
            (
                "<div>+Harbour 2</div><div>The bridge opens</div><p>+A line.",
                "Harbour 2|The bridge opens|A line.",
            ),
            ("<p>+LONG</p><p>The bridge opens<p>+A line.", "LONG|The bridge opens|A line."),
            ("<p>+LONG</p><p>The bridge opens<p>The bridge opens!", "LONG|The bridge opens"),
            // Not further below, and not where one before the text is the title.
            (&format!("<p>+LONG</p>{}<p>The bridge opens", "<p>1".repeat(30)), "LONG"),
            ("<p>The bridge opens<p>+LONG</p><p>The bridge opens!", "The bridge opens|LONG"),
        ] {
            let long = "text ".repeat(20);
            let kept = titled(&page.replace("LONG", &long), "The bridge opens");
            assert_eq!(kept.replace(long.trim(), "LONG"), expected, "{page}");
        }
        let html = "<div>+Harbour 2</div><div class=t>The bridge opens</div><p>+A line.";
        let mut page = super::super::testing::Marked::of(html);
        let found = keep(&Page::of(&page.tree, &page.blocks), "The bridge opens", &mut page.keep);
        assert_eq!(found.and_then(|found| page.tree.attr(found.line?, "class")), Some("t"));
    }

    #[test]
    fn a_line_is_the_title_behind_the_name_of_a_project() {
        let html = format!("<div>The bridge opens</div><p>+{}", "text ".repeat(20));
        for (title, expected) in [
            ("The bridge opens", true),
            ("Harbour News: The bridge opens", true),
            ("The bridge opens - News of the old harbour and the sea", true),
            ("Harbour News - The bridge opens", false),
            ("All the news of the old harbour: The bridge opens", false),
        ] {
            assert_eq!(titled(&html, title).starts_with("The bridge"), expected, "{title}");
        }
    }

    #[test]
    fn the_title_is_the_heading_that_the_data_agree_with() {
        let text = format!("<p>+{}", "text ".repeat(20));
        let kept = |before: &str| {
            let kept = titled(&format!("{before}{text}<h1>The bridge opens</h1>"), "The bridge opens");
            kept.rsplit_once('|').map(|(titles, _)| titles.to_owned()).unwrap_or_default()
        };
        for (before, expected) in [
            ("<h1>The bridge opens</h1>", "The bridge opens"),
            ("<h2>The bridge opens</h2>", "The bridge opens"),
            ("<h3>The bridge opens</h3>", ""),
            // The last of the highest level; not what leads to the front page, nor what is in a menu.
            ("<h1>The bridge opens</h1><h1>The bridge opens!</h1>", "The bridge opens!"),
            ("<h1>The bridge opens</h1><h2>The bridge opens!</h2>", "The bridge opens"),
            ("<h1><a href=/>The bridge opens</a></h1>", ""),
            ("<nav><h1>The bridge opens</h1></nav>", ""),
            ("<aside><h1>The bridge opens</h1></aside>", ""),
            ("<form><h1>The bridge opens</h1></form>", ""),
            ("<form><h1>The bridge opens</h1><p>+A line.</form>", "A line."),
            ("<header><h1>The bridge opens</h1></header>", "The bridge opens"),
            ("<h2>Event: the bridge opens</h2>", "Event: the bridge opens"),
            ("<h2>Events of the year in which the bridge opens in the old harbour</h2>", ""),
            // A lone heading, unless it is the site's.
            ("<h1>Something else</h1>", "Something else"),
            ("<h1>First</h1><h1>Second</h1>", "Second"),
            ("<h2>Something else</h2>", ""),
            // A line that has the page's title, where no heading does; the last of them.
            ("<div class=title>The bridge opens</div>", "The bridge opens"),
            ("<p>Harbour News<p>The bridge opens!<p>Today", "The bridge opens!"),
            ("<p>The bridge opens</p><h1>Something else</h1>", "Something else"),
            ("<p>The bridge</p>", "The bridge"),
            ("<p>The</p>", ""),
            ("<p><a href=/x>The bridge opens</a></p>", ""),
            ("<nav>The bridge opens</nav>", ""),
            ("<ul><li><a href=/>News</a><li>The bridge opens</ul>", ""),
            ("<div class=breadcrumbs><a href=/>News</a><p>The bridge opens</p></div>", ""),
            // What kind of page it is, in the title's own header.
            ("<header><h3>+News</h3><h1>The bridge opens</h1></header>", "The bridge opens"),
            ("<h3>+News</h3><h1>The bridge opens</h1>", "News|The bridge opens"),
            ("<header><p>+News</p><h1>The bridge opens</h1></header>", "News|The bridge opens"),
            // The site's name is no heading of a text that has another.
            ("<h1><a href=/>+Harbour News</a></h1><p>The bridge opens</p>", "The bridge opens"),
            ("<a href=/><h1>+Harbour News</h1></a><p>The bridge opens</p>", "The bridge opens"),
            ("<h1><a href=/>+Harbour News</a></h1>", "Harbour News"),
            ("<h1 class=logo>Harbour News</h1>", ""),
            ("<div id=brand><h1>Harbour News</h1></div>", ""),
            ("<h1 class=site-title>Harbour News</h1>", ""),
            ("<div class=comments><h1>Comments</h1></div>", ""),
            ("<nav><h1>Menu</h1></nav>", ""),
            ("<h1><a href=' / '>Harbour News</a></h1>", ""),
            ("<h1><a href=/x>Something else</a></h1>", "Something else"),
            ("<h1>+Said</h1><p>+A line.", "Said|A line."),
            // Only of the first level, and not behind the page's own title.
            ("<h2 class=logo>+Harbour News</h2>", "Harbour News"),
            ("<h1>The bridge opens</h1><h1 class=logo>+Harbour News</h1>", "The bridge opens|Harbour News"),
            // A line is not the text that the title is before.
            ("<p>+A line.<h1>The bridge opens</h1>", "A line.|The bridge opens"),
            // In a box that its name and its role say is beside the text: both, and of these names.
            ("<div class=related role=complementary><h1>The bridge opens</h1></div>", ""),
            (
                "<div class=share role=complementary><p><b><h1>The bridge opens</h1></b></div>",
                "The bridge opens",
            ),
            ("<div class=related><h1>The bridge opens</h1></div>", "The bridge opens"),
            ("<div role=complementary><h1>The bridge opens</h1></div>", "The bridge opens"),
            ("<div class=header role=banner><h1>The bridge opens</h1></div>", "The bridge opens"),
            ("<div class=byline role=complementary><h1>The bridge opens</h1></div>", "The bridge opens"),
            ("<div class=newsletter role=complementary><h1>The bridge opens</h1></div>", "The bridge opens"),
            ("<div class=menu role=navigation><h1>The bridge opens</h1></div>", "The bridge opens"),
            ("<div class=footer role=contentinfo><h1>The bridge opens</h1></div>", ""),
            ("<div class=cookies role=dialog><h1>Something else</h1></div>", ""),
            ("<div class=post role=dialog><h1>Something else</h1></div>", "Something else"),
        ] {
            assert_eq!(kept(before), expected, "{before}");
        }
        // The page as a whole is a form.
        let form = format!("<form><h1>The bridge opens</h1>{text}</form>");
        assert!(titled(&form, "The bridge opens").starts_with("The bridge opens|"));
        // Twenty words are a text, nineteen a line.
        for (words, expected) in [(19, "The bridge opens"), (20, "")] {
            let said = kept(&format!("<p>+{}<h1>The bridge opens</h1>", "said ".repeat(words)));
            assert_eq!(
                said.rsplit('|').next().filter(|last| last.starts_with("The")).unwrap_or_default(),
                expected
            );
        }
        let long = |words: usize| kept(&format!("<h1>{}</h1>", "long ".repeat(words)));
        assert_ne!(long(60), "");
        assert_eq!(long(61), "");
        // Without a longer text, what is before the first that is kept.
        assert_eq!(titled("<h1>Tea</h1><p>+Green.", "Tea"), "Tea|Green.");
        assert_eq!(titled("<p>+Green.<h1>Tea</h1>", "Tea"), "Green.");
        assert_eq!(titled("<h1>Tea</h1><p>Green.", "Tea"), "");
    }
}
