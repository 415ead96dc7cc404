//! What the words in `class`, `id`, `role` and the URL say about an element or a page.

use crate::tree::{NodeId, Tree};
use crate::word_list::{LONGEST, Packed, WordList, places_for};

/// Groups of words that rules know by their meaning, as bits.
pub(crate) const COMMENTS: u32 = 1;
const SHARING: u32 = 1 << 1;
const RELATED: u32 = 1 << 2;
const MENUS: u32 = 1 << 3;
const FOOTERS: u32 = 1 << 4;
const AUTHORS: u32 = 1 << 7;
const ADVERTISEMENTS: u32 = 1 << 9;
pub(super) const SIGN_UPS: u32 = 1 << 10;
const CONSENT: u32 = 1 << 11;
const AVATARS: u32 = 1 << 23;

/// What is neither the content nor around the page's title.
pub(super) const NOT_AROUND_TITLE: u32 = COMMENTS | RELATED | FOOTERS | CONSENT | AVATARS;

/// What an image or a text of the content is not under.
pub(super) const STRANGE: u32 = NOT_AROUND_TITLE | SHARING | MENUS | AUTHORS | ADVERTISEMENTS | SIGN_UPS;

/// Groups of words that mean the same to the content model.
pub(crate) const GROUPS: usize = 30;

/// The groups of the words in an attribute's value, as a bit set.
pub(crate) fn groups(value: &str) -> u32 {
    let mut set = 0;
    let mut start = 0;
    let mut last = OTHER;
    for (at, byte) in value.bytes().enumerate() {
        let kind = KINDS.get(usize::from(byte)).copied().unwrap_or(OTHER);
        if kind != last && (last == SMALL || (last == CAPITAL && kind == OTHER)) {
            set |= group(value, start, at);
            start = at;
        }
        if kind != OTHER && last == OTHER {
            start = at;
        }
        last = kind;
    }
    if last == OTHER { set } else { set | group(value, start, value.len()) }
}

/// The groups of the words in an element's class and id. An id that a program has drawn, such as `b9ad`, has no words.
pub(super) fn groups_of(tree: &Tree, id: NodeId) -> u32 {
    let own = tree.attr(id, "id").filter(|name| !is_drawn(name));
    [tree.attr(id, "class"), own].into_iter().flatten().fold(0, |set, value| set | groups(value))
}

/// Whether letters and digits follow one another without a sign between.
pub(super) fn is_drawn(name: &str) -> bool {
    let changes = |pair: &[u8]| match pair {
        [a, b] => {
            (a.is_ascii_alphabetic() && b.is_ascii_digit()) || (a.is_ascii_digit() && b.is_ascii_alphabetic())
        }
        _ => false,
    };
    name.as_bytes().windows(2).any(changes)
}

/// What a byte is to words such as `navBar`.
const OTHER: u8 = 0;
const SMALL: u8 = 1;
const CAPITAL: u8 = 2;

#[expect(
    clippy::indexing_slicing,
    reason = "only the compiler runs it, and then a panic is an error of the build"
)]
static KINDS: [u8; 256] = {
    let mut kinds = [OTHER; 256];
    let mut letter = 0;
    while letter < 26 {
        kinds[b'a' as usize + letter] = SMALL;
        kinds[b'A' as usize + letter] = CAPITAL;
        letter += 1;
    }
    kinds
};

/// The group of the word from a place to another, as a bit. Of a longer word the first sixteen letters count.
fn group(value: &str, from: usize, to: usize) -> u32 {
    let Some(word) = value.get(from..to.min(from + LONGEST)).and_then(Packed::of) else { return 0 };
    let found = LIST.group_of(word).or_else(|| word.without_s().and_then(|word| LIST.group_of(word)));
    found.map_or(0, |group| 1 << group)
}

static LIST: WordList<{ WORDS.len() }, { places_for(WORDS.len()) }> = WordList::new(WORDS);

/// Words and their groups, sorted.
const WORDS: &[(&str, u8)] = &[
    ("accordion", 29),
    ("account", 10),
    ("ad", 9),
    ("add", 20),
    ("addtoany", 1),
    ("ads", 9),
    ("adsense", 9),
    ("advert", 9),
    ("advertisement", 9),
    ("alert", 25),
    ("also", 2),
    ("answer", 22),
    ("answers", 22),
    ("archive", 26),
    ("article", 18),
    ("articlebody", 18),
    ("articlecontent", 18),
    ("aside", 6),
    ("attribute", 19),
    ("attributes", 19),
    ("author", 7),
    ("authorbox", 7),
    ("authors", 7),
    ("avatar", 23),
    ("badge", 23),
    ("banner", 5),
    ("banners", 9),
    ("basket", 20),
    ("bio", 7),
    ("block", 15),
    ("blog", 18),
    ("blogpost", 18),
    ("body", 17),
    ("bottom", 4),
    ("box", 15),
    ("breadcrumb", 12),
    ("breadcrumbs", 12),
    ("buy", 20),
    ("byline", 7),
    ("callout", 9),
    ("caption", 8),
    ("captions", 8),
    ("card", 15),
    ("cards", 15),
    ("carousel", 8),
    ("cart", 20),
    ("cat", 13),
    ("catalog", 26),
    ("categories", 13),
    ("category", 13),
    ("checkout", 20),
    ("col", 29),
    ("collapse", 27),
    ("collapsed", 27),
    ("collection", 26),
    ("colophon", 4),
    ("column", 29),
    ("comment", 0),
    ("commentlist", 0),
    ("comments", 0),
    ("complementary", 6),
    ("consent", 11),
    ("container", 29),
    ("content", 17),
    ("contents", 17),
    ("contributor", 7),
    ("cookie", 11),
    ("cookiebanner", 11),
    ("cookies", 11),
    ("copy", 17),
    ("copyright", 4),
    ("credit", 8),
    ("crumb", 12),
    ("crumbs", 12),
    ("cta", 9),
    ("date", 14),
    ("dateline", 14),
    ("deal", 9),
    ("deck", 16),
    ("dek", 16),
    ("description", 19),
    ("detail", 19),
    ("details", 19),
    ("dialog", 25),
    ("discussion", 22),
    ("disqus", 0),
    ("docnav", 28),
    ("drawer", 25),
    ("dropdown", 3),
    ("entry", 18),
    ("excerpt", 16),
    ("facebook", 1),
    ("facet", 24),
    ("facets", 24),
    ("faq", 29),
    ("feature", 19),
    ("features", 19),
    ("feed", 26),
    ("figcaption", 8),
    ("figure", 8),
    ("filter", 24),
    ("filters", 24),
    ("flyout", 25),
    ("follow", 1),
    ("foot", 4),
    ("footer", 4),
    ("footnav", 4),
    ("forum", 22),
    ("gallery", 8),
    ("gdpr", 11),
    ("grid", 26),
    ("head", 5),
    ("header", 5),
    ("heading", 16),
    ("headline", 16),
    ("hero", 29),
    ("hidden", 27),
    ("hide", 27),
    ("image", 8),
    ("img", 8),
    ("index", 28),
    ("info", 14),
    ("inner", 29),
    ("intro", 16),
    ("invisible", 27),
    ("item", 15),
    ("items", 15),
    ("layout", 29),
    ("lead", 16),
    ("lede", 16),
    ("leftcol", 6),
    ("legal", 4),
    ("lightbox", 8),
    ("list", 26),
    ("listing", 26),
    ("login", 10),
    ("loop", 26),
    ("mailchimp", 10),
    ("main", 17),
    ("maincontent", 17),
    ("markdown", 17),
    ("masthead", 5),
    ("media", 8),
    ("megamenu", 3),
    ("member", 23),
    ("menu", 3),
    ("menus", 3),
    ("message", 22),
    ("messagetext", 22),
    ("meta", 14),
    ("metadata", 14),
    ("modal", 25),
    ("module", 15),
    ("mostread", 2),
    ("nav", 3),
    ("navbar", 3),
    ("navheader", 5),
    ("navi", 3),
    ("navigation", 3),
    ("newsletter", 10),
    ("next", 24),
    ("noprint", 27),
    ("notice", 25),
    ("notification", 25),
    ("offcanvas", 25),
    ("offer", 9),
    ("onetrust", 11),
    ("onthispage", 28),
    ("optin", 10),
    ("option", 20),
    ("options", 20),
    ("outbrain", 2),
    ("outline", 28),
    ("overlay", 25),
    ("page", 24),
    ("pagenav", 24),
    ("pager", 24),
    ("pages", 24),
    ("pagination", 24),
    ("paging", 24),
    ("panel", 15),
    ("pathway", 12),
    ("paywall", 10),
    ("pdp", 19),
    ("photo", 8),
    ("popular", 2),
    ("popup", 25),
    ("post", 18),
    ("postbody", 22),
    ("postcontent", 22),
    ("poster", 23),
    ("postmeta", 14),
    ("prev", 24),
    ("previous", 24),
    ("price", 20),
    ("print", 27),
    ("privacy", 11),
    ("product", 19),
    ("products", 26),
    ("profile", 23),
    ("promo", 9),
    ("promotion", 9),
    ("prose", 17),
    ("published", 14),
    ("purchase", 20),
    ("qa", 22),
    ("qty", 20),
    ("quantity", 20),
    ("question", 22),
    ("rail", 6),
    ("rank", 23),
    ("rating", 21),
    ("ratings", 21),
    ("readmore", 2),
    ("recirc", 2),
    ("recirculation", 2),
    ("recommendation", 2),
    ("recommendations", 2),
    ("recommended", 2),
    ("refine", 24),
    ("register", 10),
    ("related", 2),
    ("replies", 22),
    ("reply", 22),
    ("reputation", 23),
    ("respond", 0),
    ("result", 26),
    ("results", 26),
    ("review", 21),
    ("reviews", 21),
    ("richtext", 17),
    ("rightcol", 6),
    ("row", 29),
    ("rte", 17),
    ("screenreader", 27),
    ("search", 24),
    ("searchform", 24),
    ("secondary", 6),
    ("section", 29),
    ("share", 1),
    ("sharedaddy", 1),
    ("sharing", 1),
    ("shop", 20),
    ("side", 6),
    ("sidebar", 6),
    ("sidebars", 6),
    ("sidenav", 28),
    ("sig", 23),
    ("signature", 23),
    ("signin", 10),
    ("signup", 10),
    ("similar", 2),
    ("single", 18),
    ("skip", 27),
    ("sku", 19),
    ("slide", 8),
    ("slider", 8),
    ("slideshow", 8),
    ("social", 1),
    ("socials", 1),
    ("sort", 24),
    ("spec", 19),
    ("specification", 19),
    ("specifications", 19),
    ("specs", 19),
    ("sponsor", 9),
    ("sponsored", 9),
    ("sr", 27),
    ("sronly", 27),
    ("standfirst", 16),
    ("star", 21),
    ("stars", 21),
    ("stock", 20),
    ("story", 18),
    ("storybody", 18),
    ("subheading", 16),
    ("submenu", 3),
    ("subnav", 3),
    ("subscribe", 10),
    ("subscription", 10),
    ("subtitle", 16),
    ("suggested", 2),
    ("summary", 16),
    ("swatch", 20),
    ("swiper", 8),
    ("tab", 29),
    ("tableofcontents", 28),
    ("taboola", 2),
    ("tabs", 29),
    ("tag", 13),
    ("tagged", 13),
    ("tags", 13),
    ("talkback", 0),
    ("taxonomy", 13),
    ("teaser", 9),
    ("testimonial", 21),
    ("testimonials", 21),
    ("text", 17),
    ("thread", 22),
    ("thumb", 8),
    ("thumbnail", 8),
    ("tile", 15),
    ("time", 14),
    ("timeago", 14),
    ("timestamp", 14),
    ("title", 16),
    ("toast", 25),
    ("toc", 28),
    ("toolbar", 24),
    ("tooltip", 25),
    ("top", 5),
    ("topbar", 5),
    ("topic", 13),
    ("topicpost", 22),
    ("topics", 13),
    ("topnav", 3),
    ("trending", 2),
    ("twitter", 1),
    ("upnext", 2),
    ("upsell", 9),
    ("user", 23),
    ("userinfo", 23),
    ("username", 23),
    ("variant", 20),
    ("visually", 27),
    ("widget", 15),
    ("widgets", 15),
    ("wishlist", 20),
    ("wrap", 29),
    ("wrapper", 29),
    ("writer", 7),
    ("wysiwyg", 17),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted_and_their_groups_exist() {
        assert!(WORDS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(WORDS.iter().all(|(word, group)| usize::from(*group) < GROUPS && word.len() <= 16));
    }

    /// A word is the one of the list in every letter.
    #[test]
    fn a_letter_more_or_another_makes_another_word() {
        let listed =
            |word: &str| WORDS.iter().any(|(known, _)| *known == word || format!("{known}s") == word);
        for (word, group) in WORDS {
            assert_eq!(groups(word) & (1 << group), 1 << group, "{word}");
            for at in 0..word.len() {
                for letter in ["q", "x", "z"] {
                    let other = format!("{}{letter}{}", &word[..at], &word[at + 1..]);
                    assert!(listed(&other) || groups(&other) == 0, "{other} for {word}");
                }
            }
            let longer = format!("{word}q");
            assert!(listed(&longer) || groups(&longer) == 0, "{longer}");
        }
    }

    #[test]
    fn words_are_found_in_every_spelling() {
        assert_ne!(groups("sidebar"), 0);
        for same in ["post_sidebar", "postSidebar", "POST-SIDEBAR", "posts  sidebars"] {
            assert_eq!(groups(same), groups("post sidebar"), "{same}");
        }
        assert_eq!(groups("xq zz9"), 0);
    }

    #[test]
    fn ids_that_were_drawn_have_no_words() {
        for (html, has_words) in [
            ("<p id=ad>", true),
            ("<p id=ad-7>", true),
            ("<p id=b9ad>", false),
            ("<p id=ad9>", false),
            ("<p class=ad id=b9>", true),
            ("<p>", false),
        ] {
            let tree = Tree::parse(html);
            let p = tree.descendants(Tree::ROOT).find(|&id| tree.tag(id) == crate::tree::Tag::P);
            assert_eq!(groups_of(&tree, p.expect("a paragraph")) != 0, has_words, "{html}");
        }
    }
}
