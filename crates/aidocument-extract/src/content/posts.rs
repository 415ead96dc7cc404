//! The posts of a thread, who wrote each, and when.
//!
//! A name is a line of a word or two, beside the number of posts and the day of joining, so the model leaves out most of them; labelled
//! pages have them three times in five. Which line is a name, the page's own data say: microdata, JSON-LD, XenForo's `data-author`; or
//! the first link or bold text in a member's card. The model also leaves out posts of a few words, which look like the longer ones.

use std::collections::BTreeSet;

use super::about::About;
use super::blocks::Block;
use super::features::Page;
use super::members;
use crate::letters::collapse;
use crate::page::name_in;
use crate::pairs::has_any;
use crate::structure::roles::heading_at;
use crate::tree::{NodeId, Tag, Tree};
use crate::words::lines::PUBLISHED;

/// Blocks from a name to the next kept text.
const MAX_BEFORE: usize = 20;

/// Nodes of a card that are looked at for its first link or bold text.
const MAX_CARD: usize = 60;

/// Words of a byline, and blocks at the head of a post in which it is looked for: its title and the line under it.
const MAX_BYLINE: u32 = 12;
const MAX_HEAD: usize = 2;

/// Names that are read.
const MAX_NAMES: usize = 5_000;

/// Texts of one look are those of posts if so many are kept, of so many words on average, and so much of all their words.
const MIN_POSTS: u32 = 2;
const MEAN_WORDS: u32 = 8;
const MOST: f64 = 0.6;

/// Elements around a text that are asked whether it is quoted or in a table.
const AROUND: usize = 8;

/// The names of authors in the page's data and in members' cards, if there are several: then it is a thread. `O(n)` in nodes.
pub(super) fn authors(page: &Page<'_>, about: &About) -> Option<BTreeSet<String>> {
    let tree = page.tree;
    let mut names: BTreeSet<String> = about.witnesses.authors.iter().take(MAX_NAMES).cloned().collect();
    for (id, _) in tree.elements() {
        let is_author = |value: &str| value.split_ascii_whitespace().any(|word| word == "author");
        if tree.attr(id, "itemprop").is_some_and(is_author) {
            names.insert(collapse(&name_in(tree, id)));
        }
        names.extend(tree.attr(id, "data-author").map(collapse));
        if members::is_card(tree, id) {
            names.extend(name_on_card(tree, id));
        }
        if names.len() >= MAX_NAMES {
            break;
        }
    }
    names.remove("");
    (names.len() >= 2).then_some(names)
}

/// Keeps all texts of a look of which most are kept: posts too short for the model. `O(n)` in blocks.
pub(super) fn fill(page: &Page<'_>, keep: &mut [bool]) {
    let mut kept = vec![(0, 0); page.looks.sums.len()];
    let blocks = || page.blocks.blocks.iter().zip(&page.looks.groups);
    for ((block, group), _) in blocks().zip(&*keep).filter(|(_, kept)| **kept) {
        if let Some((blocks, words)) = kept.get_mut(*group as usize) {
            *blocks += 1;
            *words += block.counts.words;
        }
    }
    let is_apart = |id| matches!(page.tree.tag(id), Tag::Blockquote | Tag::Pre | Tag::Dl | Tag::Table);
    for ((block, group), slot) in blocks().zip(keep).filter(|(_, kept)| !**kept) {
        let sums = kept.get(*group as usize).zip(page.looks.sums.get(*group as usize));
        *slot = sums.is_some_and(|(&(blocks, words), all)| {
            blocks >= MIN_POSTS
                && words >= MEAN_WORDS * blocks
                && f64::from(words) >= MOST * f64::from(all.words)
        }) && 2 * block.counts.link_words <= block.counts.words
            && !page.tree.upward(block.container).take(AROUND).any(is_apart);
    }
}

/// Keeps the name of an author before kept text that has no byline with it: of those before a text the last, and the shortest of its
/// lines; and the day, in a `<time>`. `O(n)`.
pub(super) fn keep_authors(page: &Page<'_>, names: &BTreeSet<String>, keep: &mut [bool]) {
    let mut last: Option<Line<'_>> = None;
    let mut day: Option<usize> = None;
    let mut is_in_post = false;
    for (place, block) in page.blocks.blocks.iter().enumerate() {
        if keep.get(place) == Some(&true) {
            is_in_post = heading_at(page.tree, block.container).is_none_or(|(level, _)| level > 1);
            let name = last.take().filter(|last| !has_byline(page, keep, place, last.name));
            for line in [name.map(|last| last.place), day.take()].into_iter().flatten() {
                if let Some(slot) = keep.get_mut(line).filter(|_| place - line <= MAX_BEFORE) {
                    *slot = true;
                }
            }
        } else if block.counts.words <= MAX_BYLINE
            && let Some(name) = name_of(page, block, names)
        {
            let line = Line { place, name, words: block.counts.words };
            last = last.filter(|last| last.name == name && last.words <= line.words).or(Some(line));
        } else if block.counts.words <= MAX_BYLINE && is_day(page, block, is_in_post || last.is_some()) {
            day = Some(place);
        }
    }
}

/// A line that begins with a name.
struct Line<'n> {
    place: usize,
    name: &'n str,
    words: u32,
}

/// Whether a short line at the head of a post, in kept text from `place` on, has the name.
fn has_byline(page: &Page<'_>, keep: &[bool], place: usize, name: &str) -> bool {
    let head = page.blocks.blocks.iter().zip(keep).skip(place).take(MAX_HEAD).filter(|(_, kept)| **kept);
    let mut lines = head.map(|(block, _)| block).filter(|block| block.counts.words <= MAX_BYLINE);
    lines.any(|line| {
        let mut texts = page.blocks.texts_of(line).iter().filter_map(|&id| page.tree.text(id));
        texts.any(|text| collapse(text) == name)
    })
}

/// The texts of a block that readers see.
fn texts<'a>(page: &'a Page<'_>, block: &Block) -> impl Iterator<Item = (NodeId, &'a str)> {
    let ids = page.blocks.texts_of(block).iter().filter(|&&id| !page.tree.seen.is_unwritten(id));
    ids.filter_map(|&id| Some((id, page.tree.text(id)?.trim()))).filter(|(_, text)| !text.is_empty())
}

/// Whether a block begins with a `<time>`, or with "posted" and one, which under the title is said of the page.
fn is_day(page: &Page<'_>, block: &Block, is_in_post: bool) -> bool {
    let mut texts = texts(page, block).skip_while(|(_, text)| is_in_post && has_any(text, PUBLISHED));
    let is_time = |id| page.tree.ancestors(id).take(3).any(|around| page.tree.tag(around) == Tag::Time);
    texts.next().is_some_and(|(id, _)| is_time(id))
}

/// The name that the first text of a block is; behind it may be that its author began the thread.
fn name_of<'n>(page: &Page<'_>, block: &Block, names: &'n BTreeSet<String>) -> Option<&'n str> {
    let (_, first) = texts(page, block).next()?;
    names.get(&collapse(first)).map(String::as_str)
}

/// The first text of a card that is a link or bold.
fn name_on_card(tree: &Tree, card: NodeId) -> Option<String> {
    let is_name = |id| {
        tree.ancestors(id).take(3).any(|around| matches!(tree.tag(around), Tag::A | Tag::Strong | Tag::B))
    };
    let mut texts =
        tree.descendants(card).take(MAX_CARD).filter(|&id| is_name(id)).filter_map(|id| tree.text(id));
    texts.find(|text| !text.trim().is_empty()).map(collapse)
}

#[cfg(test)]
mod tests {
    use super::super::testing::Marked;
    use super::*;

    /// What is kept of a thread after a rule.
    fn run(rule: fn(&Page<'_>, &BTreeSet<String>, &mut [bool]), html: &str) -> String {
        let mut page = Marked::of(html);
        page.apply(|page, about, keep| {
            if let Some(names) = authors(page, about) {
                rule(page, &names, keep);
            }
        });
        page.kept()
    }

    fn kept(html: &str) -> String {
        run(keep_authors, html)
    }

    #[test]
    fn posts_that_look_like_kept_ones_are_kept() {
        let long = "+a post of eight words or a few more";
        let said = "a post of eight words or a few more";
        let thread = |texts: [&str; 3]| -> String {
            let post = |(name, text): (&str, &str)| {
                format!("<article data-author={name}><div class=body><p>{text}</p></div></article>")
            };
            ["Ann", "Bob", "Ann"].into_iter().zip(texts).map(post).collect()
        };
        let two = format!("{said}|{said}");
        for (html, expected) in [
            (thread([long, long, "Thanks!"]), format!("{said}|{said}|Thanks!")),
            (thread(["Thanks!", long, long]), format!("Thanks!|{said}|{said}")),
            // One post alone, less than most of the words, short lines, and a line that leads elsewhere.
            (thread([long, "Thanks!", "You too"]), said.to_owned()),
            (thread([long, long, &"more ".repeat(13)]), two.clone()),
            (thread(["+Posts: 5", "+Posts: 6", "Posts: 7"]), "Posts: 5|Posts: 6".to_owned()),
            (thread([long, long, "<a href=/all>All posts</a>"]), two.clone()),
            // What is quoted, of another look, or on a page of one author.
            (thread([long, long, "<blockquote><p>Thanks!</p></blockquote>"]), two.clone()),
            (thread([long, long, ""]) + "<div class=menu><p>Thanks!</div>", two.clone()),
            (thread([long, long, "Thanks!"]).replace("Bob", "Ann"), two.clone()),
        ] {
            assert_eq!(run(|page, _, keep| fill(page, keep), &html), expected, "{html}");
        }
    }

    #[test]
    fn posts_keep_the_names_of_their_authors() {
        let marked = |name: &str| format!("<h4 itemprop=author><span itemprop=name>{name}</span></h4>");
        let post =
            |name: &str, text: &str| format!("<article>{name}<ul><li>Posts: 5</ul><p>{text}</article>");
        let two = |ann: &str, bob: &str| [post(ann, "+first"), post(bob, "+second")].concat();
        let json = "<script type=application/ld+json>{\"@type\":\"DiscussionForumPosting\",\"text\":\"first\",\
            \"author\":{\"name\":\"Ann\"},\"comment\":[{\"@type\":\"Comment\",\"text\":\"second\",\"author\":\"Bob\"}]}</script>";
        for (html, expected) in [
            (two(&marked("Ann"), &marked("Bob  B.")), "Ann|first|Bob  B.|second"),
            (two("<div data-author=Ann>Ann</div>", "<div data-author=Bob>Bob</div>"), "Ann|first|Bob|second"),
            (format!("{json}{}", two("<p>Ann", "<p>Bob")), "Ann|first|Bob|second"),
            // A name that only programs are told, with a word behind the shown one.
            (
                two("<meta itemprop=author content=Ann><p>Ann <i>began this</i>", &marked("Bob")),
                "Ann began this|first|Bob|second",
            ),
            // With the day and a number in one line.
            (
                two(
                    &marked("Ann").replace("</h4>", ", <time>April 5, 2023, 11:48 am</time> 1</h4>"),
                    &marked("Bob"),
                ),
                "Ann, April 5, 2023, 11:48 am 1|first|Bob|second",
            ),
            // Once, the last before a text, the shortest line.
            (two(&format!("{0}<p>x<p>Ann", marked("Ann")), &marked("Bob")), "Ann|first|Bob|second"),
            (
                two(&format!("{}<p>Ann <i>a member</i>", marked("Ann")), &marked("Bob")),
                "Ann|first|Bob|second",
            ),
            (format!("{}{}", post(&marked("Ann"), "gone"), post(&marked("Bob"), "+second")), "Bob|second"),
            (two(&marked("Ann"), &marked("Ann")), "first|second"),
            (two("<p>Ann", "<p>Bob"), "first|second"),
            (
                two("<b itemprop=author>Ann</b><p>Ann wrote to all of the others", "<p itemprop=author>Bob"),
                "Ann|first|Bob|second",
            ),
            (
                two("<meta itemprop=author content=Ann><p style=display:none>Ann</p>", &marked("Bob")),
                "first|Bob|second",
            ),
        ] {
            assert_eq!(kept(&html), expected, "{html}");
        }
        // The first link or bold text in a card; not where the post has a byline.
        let card = |name: &str| {
            format!(
                "<div class=postprofile><a href=/i><img src=i.png></a> <a href=/u>{name}</a><p>Joined 2019</div>"
            )
        };
        assert_eq!(kept(&two(&card("Ann"), &card("Bob"))), "Ann|first|Bob|second");
        let dated = |name: &str| {
            format!("{}<ul><li><a href=/1><time>Jul 9, 2022</time></a><li>#1</ul>", marked(name))
        };
        assert_eq!(kept(&two(&dated("Ann"), &dated("Bob"))), "Ann|Jul 9, 2022|first|Bob|Jul 9, 2022|second");
        // With a word before it; not that of the page, under its title.
        let posted = "<p>Posted <time>Jul 9</time>";
        assert_eq!(
            kept(&format!(
                "<h1>+Tea</h1>{posted}{}",
                two(&format!("{}{posted}", marked("Ann")), &marked("Bob"))
            )),
            "Tea|Ann|Posted Jul 9|first|Bob|second"
        );
        let beside = format!("<h1>+Tea</h1>{posted}{}", two("", &marked("Bob")));
        assert_eq!(kept(&format!("<meta itemprop=author content=Ann>{beside}")), "Tea|first|Bob|second");
        assert_eq!(
            kept(&two(
                &marked("Ann").replace("<h4", "<h4 class=a").replace(">Ann", ">+Ann"),
                &format!("{}{posted}", marked("Bob"))
            )),
            "Ann|first|Bob|Posted Jul 9|second"
        );
        let edited = "<p>Edited <time>Jul 9</time>";
        assert_eq!(kept(&two(&format!("{}{edited}", marked("Ann")), &marked("Bob"))), "Ann|first|Bob|second");
        assert_eq!(kept(&two("<time>Jul 9</time>", "<time>Jul 10</time>")), "first|second");
        let guest = |name: &str| {
            format!(
                "<div class=postleft><dl><dt><strong>{name}</strong><dd><strong>Member</strong></dl></div>"
            )
        };
        assert_eq!(kept(&two(&guest("Ann"), &guest("Bob"))), "Ann|first|Bob|second");
        let with_byline = format!("{}<h3>+Re</h3><p>+by <b>Ann</b>, Monday<p>+first", card("Ann"));
        assert_eq!(
            kept(&[with_byline, post(&card("Bob"), "+second")].concat()),
            "Re|by Ann, Monday|first|Bob|second"
        );
        assert_eq!(
            kept(&two(
                "<div class=postbuttons><a href=/q>Quote</a></div>",
                "<div class=postbuttons><a href=/r>Report</a></div>"
            )),
            "first|second"
        );
        let far = |lines: usize| {
            let lines = "<p>x".repeat(lines);
            kept(&format!("{}{lines}<p>+first{}<p>+second", marked("Ann"), marked("Bob")))
        };
        assert_eq!(far(19), "Ann|first|Bob|second");
        assert_eq!(far(20), "first|Bob|second");
    }
}
