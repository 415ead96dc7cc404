//! Parts of a page that are not about the page.

use super::zones::{Zones, groups_in};
use crate::tree::{NodeId, Tag, Tree};
use crate::words::names::{BESIDE, DATED, ELSEWHERE, SIGNED};

/// Whether the element with the id `x` lies in such a part; the first `<h1>` is the title.
fn is_elsewhere(html: &str) -> bool {
    let tree = Tree::parse(html);
    let find = |is: &dyn Fn(NodeId) -> bool| tree.descendants(Tree::ROOT).find(|&id| is(id));
    let title = find(&|id| tree.tag(id) == Tag::H1);
    let place = find(&|id| tree.attr(id, "id") == Some("x")).unwrap();
    let zones = Zones::new(&tree, title);
    let found = zones.is_elsewhere(place);
    // The second answer is the first one remembered.
    assert_eq!(zones.is_elsewhere(place), found, "{html}");
    found
}

#[test]
fn parts_are_about_something_else_by_their_element() {
    for (html, expected) in [
        ("<nav><p id=x>a</nav>", true),
        ("<form><p id=x>a</form>", true),
        ("<dialog><p id=x>a</dialog>", true),
        ("<nav id=x>a</nav>", true),
        ("<section><p id=x>a</section>", false),
        ("<footer><p id=x>a</footer>", true),
        ("<article><footer><p id=x>a</footer></article>", false),
        ("<main><div><footer><p id=x>a</footer></div></main>", false),
        ("<section><footer><p id=x>a</footer></section>", true),
        // What holds the title is not beside the matter.
        ("<nav><h1>T</h1><p id=x>a</nav>", false),
        ("<div class=related><h1>T</h1><p id=x>a</div>", false),
        ("<h1>T</h1><div class=related><p id=x>a</div>", true),
        ("<body class=related><p id=x>a", false),
        ("<div class=related><div><div><p id=x>a</div></div></div>", true),
    ] {
        assert_eq!(is_elsewhere(html), expected, "{html}");
    }
}

#[test]
fn parts_are_about_something_else_by_their_names() {
    for (attributes, expected) in [
        ("class=related", true),
        ("class='a related-posts'", true),
        ("class=relatedPosts", true),
        ("id=comments", true),
        ("class=unrelated", false),
        ("class=has-comments", false),
        ("class=with-comments", false),
        ("class=no-comments", false),
        ("class='no-comments comments'", true),
        ("title=related", false),
        ("role=navigation", true),
        ("role=contentinfo", true),
        ("role=search", true),
        ("role=complementary", false),
        ("role=article", false),
        ("class=sidebar", false),
        ("itemtype=https://schema.org/Comment", true),
        ("itemtype=https://schema.org/UserComments", true),
        ("itemtype=https://schema.org/Answer", true),
        ("itemtype=https://schema.org/Article", false),
        ("class=footer", true),
    ] {
        assert_eq!(is_elsewhere(&format!("<div {attributes}><p id=x>a</div>")), expected, "{attributes}");
    }
    // The footer of an article is its own, unless it is about something else.
    for (class, expected) in [("footer", false), ("entry-footer", false), ("related", true)] {
        let html = format!("<article><footer class={class}><p id=x>a</footer></article>");
        assert_eq!(is_elsewhere(&html), expected, "{class}");
    }
}

#[test]
fn parts_beside_the_text_are_about_it_where_they_are_small() {
    for part in ["aside", "div class=sidebar", "div role=complementary"] {
        let name = part.split(' ').next().unwrap();
        for (words, expected) in [(59, false), (60, true), (599, true), (600, false)] {
            let html = format!("<{part}><p id=x>{}</p></{name}>", "tea ".repeat(words));
            assert_eq!(is_elsewhere(&html), expected, "{part} {words}");
        }
    }
    // Words over many elements count as those in one.
    let many = "<p id=x>".to_owned() + &"<i>tea</i> ".repeat(60);
    assert!(is_elsewhere(&format!("<aside>{many}</aside>")));
    // A part is read up to two hundred thousand bytes.
    for (before, expected) in [(199_700, true), (200_000, false)] {
        let html = format!("<aside><p id=x>{} {}</aside>", "a".repeat(before), "tea ".repeat(60));
        assert_eq!(is_elsewhere(&html), expected, "{before}");
        let html = format!("<aside><p id=x>{}</p><p>{}</aside>", "a".repeat(before), "tea ".repeat(60));
        assert_eq!(is_elsewhere(&html), expected, "{before}");
    }
}

#[test]
fn names_of_a_page_around_a_part_do_not_count() {
    for (name, expected) in [
        ("beside-related sidebar", BESIDE),
        ("teasers", ELSEWHERE),
        ("has-sidebar", 0),
        ("PostAndReplies posts-and-similar", 0),
        ("post-date, byline", DATED | SIGNED),
    ] {
        assert_eq!(groups_in(name) >> 32, expected >> 32, "{name}");
    }
}

#[test]
fn the_title_is_known_with_what_is_around_it() {
    let tree = Tree::parse("<div id=a><h1 id=b>T <i id=c>U</i></h1></div><p id=d>");
    let named =
        |name: &str| tree.descendants(Tree::ROOT).find(|&id| tree.attr(id, "id") == Some(name)).unwrap();
    let zones = Zones::new(&tree, Some(named("b")));
    for (name, expected) in [("a", true), ("b", true), ("c", false), ("d", false)] {
        assert_eq!(zones.holds_title(named(name)), expected, "{name}");
    }
    assert!(!Zones::new(&tree, None).holds_title(named("a")));
}
