//! Words in `class`, `id` and `role`, by what they say of a part of the page.

use crate::letters::ByteKinds;

use super::list::{LONGEST, Packed, Row, WordList, count, places_for};

/// Meanings that the content model knows, as bits.
pub(crate) const COMMENTS: u64 = 1;
pub(crate) const SHARING: u64 = 1 << 1;
pub(crate) const RELATED: u64 = 1 << 2;
pub(crate) const MENUS: u64 = 1 << 3;
pub(crate) const FOOTERS: u64 = 1 << 4;
const HEADERS: u64 = 1 << 5;
pub(crate) const SIDES: u64 = 1 << 6;
pub(crate) const AUTHORS: u64 = 1 << 7;
const MEDIA: u64 = 1 << 8;
pub(crate) const ADVERTISEMENTS: u64 = 1 << 9;
pub(crate) const SIGN_UPS: u64 = 1 << 10;
pub(crate) const CONSENT: u64 = 1 << 11;
pub(crate) const BREADCRUMBS: u64 = 1 << 12;
const TOPICS: u64 = 1 << 13;
const DATES: u64 = 1 << 14;
const BOXES: u64 = 1 << 15;
const TITLES: u64 = 1 << 16;
const CONTENT: u64 = 1 << 17;
const ARTICLES: u64 = 1 << 18;
const PRODUCTS: u64 = 1 << 19;
const BUYING: u64 = 1 << 20;
const REVIEWS: u64 = 1 << 21;
const POSTS: u64 = 1 << 22;
pub(crate) const MEMBERS: u64 = 1 << 23;
const FINDING: u64 = 1 << 24;
const OVERLAYS: u64 = 1 << 25;
const LISTS: u64 = 1 << 26;
const HIDDEN: u64 = 1 << 27;
const CONTENTS: u64 = 1 << 28;
const LAYOUT: u64 = 1 << 29;

/// How many these are.
pub(crate) const MEANINGS: usize = 30;
pub(crate) const TO_THE_MODEL: u32 = (1 << MEANINGS) - 1;

/// What metadata go by: a part that is about something else; the same, but not in an article's own footer; the same for parts
/// that hold the facts about an article on some pages, if they are small; what holds a date; what holds its author.
pub(crate) const ELSEWHERE: u64 = 1 << 32;
pub(crate) const FOOTER: u64 = 1 << 33;
pub(crate) const BESIDE: u64 = 1 << 34;
pub(crate) const DATED: u64 = 1 << 35;
pub(crate) const SIGNED: u64 = 1 << 36;

/// What is named as the line between a title and its text.
pub(crate) const STANDFIRSTS: u64 = 1 << 37;

/// What is named as a note in a text.
pub(crate) const NOTES: u64 = 1 << 38;

#[rustfmt::skip]
const ROWS: &[Row] = &[
    (COMMENTS | ELSEWHERE, "comment commentlist disqus respond talkback"),
    (SHARING, "addtoany facebook follow share sharedaddy sharing social twitter"),
    (RELATED, "also"),
    (RELATED | ELSEWHERE, "mostread outbrain popular readmore recirc recirculation recommendation recommended \
        related similar suggested taboola trending upnext"),
    (MENUS | ELSEWHERE, "dropdown megamenu menu nav navbar navi navigation submenu subnav topnav"),
    (FOOTERS, "bottom colophon foot footnav legal"),
    (FOOTERS | ELSEWHERE, "copyright"),
    (FOOTERS | FOOTER, "footer"),
    (HEADERS, "banner head header masthead navheader top topbar"),
    (SIDES | BESIDE, "aside rail side sidebar"),
    (SIDES, "complementary leftcol rightcol secondary"),
    (AUTHORS | SIGNED, "author authorbox byline writer"),
    (AUTHORS, "bio contributor"),
    (MEDIA, "caption credit figcaption figure gallery image img media photo slide slideshow thumb thumbnail"),
    (MEDIA | ELSEWHERE, "carousel lightbox slider swiper"),
    (ADVERTISEMENTS, "ad adsense advert advertisement banners cta deal offer promotion sponsor sponsored"),
    (ADVERTISEMENTS | ELSEWHERE, "promo teaser upsell"),
    (SIGN_UPS, "account login mailchimp newsletter optin paywall register signin signup subscribe subscription"),
    (CONSENT | ELSEWHERE, "consent cookie cookiebanner gdpr onetrust privacy"),
    (BREADCRUMBS | ELSEWHERE, "breadcrumb crumb pathway"),
    (NOTES, "admonition callout caution hint note tip warning"),
    (TOPICS, "cat categories category tag tagged taxonomy topic"),
    (DATES | DATED, "date dateline timestamp"),
    (DATES, "info meta metadata postmeta published time timeago"),
    (BOXES, "block box card item module panel tile"),
    (BOXES | BESIDE, "widget"),
    (TITLES, "heading headline intro title"),
    (TITLES | STANDFIRSTS, "deck dek excerpt lead lede standfirst subheading subtitle summary"),
    (STANDFIRSTS, "bajada chapo entradilla ingress sommario strapline subhead subheader subhed subheadline subline vorspann"),
    (CONTENT, "body content copy main maincontent markdown prose richtext rte text wysiwyg"),
    (ARTICLES, "article articlebody articlecontent blog blogpost entry post single story storybody"),
    (PRODUCTS, "attribute description detail feature pdp product sku spec specification"),
    (BUYING, "add basket buy cart checkout option price purchase qty quantity shop stock swatch variant wishlist"),
    (REVIEWS, "rating review star"),
    (REVIEWS | ELSEWHERE, "testimonial"),
    (POSTS, "answer discussion forum message messagetext postbody postcontent qa question thread topicpost"),
    (POSTS | ELSEWHERE, "replies reply"),
    (MEMBERS, "avatar badge member poster profile rank reputation sig signature user userinfo username"),
    (FINDING, "facet filter next page pagenav pager paging prev previous refine search searchform sort toolbar"),
    (FINDING | ELSEWHERE, "pagination"),
    (OVERLAYS, "alert dialog drawer flyout notice notification offcanvas overlay toast tooltip"),
    (OVERLAYS | ELSEWHERE, "modal popup"),
    (LISTS, "archive catalog collection feed grid list listing loop products result"),
    (HIDDEN, "collapse collapsed hidden hide invisible noprint print screenreader skip sr sronly visually"),
    (CONTENTS, "docnav index onthispage outline sidenav tableofcontents toc"),
    (LAYOUT, "accordion col column container faq hero inner layout row section tab wrap wrapper"),
];

static LIST: WordList<{ count(ROWS) }, { places_for(count(ROWS)) }> = WordList::new(ROWS);

/// What the words in an attribute's value mean, as bits.
pub(crate) fn meanings(value: &str) -> u64 {
    let mut set = 0;
    let mut start = 0;
    let mut last = OTHER;
    for (at, byte) in value.bytes().enumerate() {
        let kind = KINDS.of_byte(byte);
        if kind != last && (last == SMALL || (last == CAPITAL && kind == OTHER)) {
            set |= meaning(value, start, at);
            start = at;
        }
        if kind != OTHER && last == OTHER {
            start = at;
        }
        last = kind;
    }
    if last == OTHER { set } else { set | meaning(value, start, value.len()) }
}

/// Character classes for splitting words such as `navBar`.
const OTHER: u8 = 0;
const SMALL: u8 = 1;
const CAPITAL: u8 = 2;

static KINDS: ByteKinds =
    ByteKinds::of(&[(SMALL, b"abcdefghijklmnopqrstuvwxyz"), (CAPITAL, b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")]);

/// What the word from a place to another means. Of a longer word the first sixteen letters count.
fn meaning(value: &str, from: usize, to: usize) -> u64 {
    let Some(word) = value.get(from..to.min(from + LONGEST)).and_then(Packed::of) else { return 0 };
    let of = |word| LIST.meaning_of(word);
    let found = of(word).or_else(|| word.without_s().and_then(of));
    found.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word is the one of the list in every letter.
    #[test]
    fn a_letter_more_or_another_makes_another_word() {
        let rows = || ROWS.iter().flat_map(|(meaning, words)| words.split(' ').map(|word| (word, *meaning)));
        let listed = |word: &str| rows().any(|(known, _)| known == word || format!("{known}s") == word);
        for (word, meaning) in rows() {
            assert_eq!(meanings(word), meaning, "{word}");
            for at in 0..word.len() {
                for letter in ["q", "x", "z"] {
                    let other = format!("{}{letter}{}", &word[..at], &word[at + 1..]);
                    assert!(listed(&other) || meanings(&other) == 0, "{other} for {word}");
                }
            }
            let longer = format!("{word}q");
            assert!(listed(&longer) || meanings(&longer) == 0, "{longer}");
        }
    }

    #[test]
    fn words_are_found_in_every_spelling() {
        assert_ne!(meanings("sidebar"), 0);
        for same in ["post_sidebar", "postSidebar", "POST-SIDEBAR", "posts  sidebars"] {
            assert_eq!(meanings(same), meanings("post sidebar"), "{same}");
        }
        assert_eq!(meanings("xq zz9"), 0);
    }
}
