//! A hash of the features' list: what each place of a row holds.
//!
//! The model identifies features by their positions, so adding, moving or changing one invalidates it. The model file
//! therefore ends with the hash of the features that it was trained on: of the rows of a small page that reaches them
//! all. A test compares it with the features as they are.

use super::about::About;
use super::blocks::Blocks;
use super::features::{self, Page};
use super::second_look::{self, First};
use crate::tree::Tree;
use crate::{json_ld, page};

/// The page for the hash.
const PAGE: &str = "<html lang=en><head><title>The mill | Shore</title><meta property=og:type content=article>\
    <meta name=description content='A mill that the tide turns twice a day.'>\
    <script type=application/ld+json>{\"@type\":\"NewsArticle\",\"articleBody\":\"The tide turns the wheel twice a day.\"}</script>\
    </head><body><header class=top><nav class=menu><ul><li><a href=/a>Home</a><li><a href=/b>Subscribe now</a></ul></nav></header>\
    <main><article class='post entry'><h1 class=title>The mill</h1><p class=byline>By <b>Ann Ode</b>, 3 May 2026</p>\
    <p>The tide turns the wheel twice a day, and grain is ground at night as well. It costs $5, or 4 euros?</p>\
    <h2>Prices</h2><table><tr><th>Size<td>12 kg<tr><th>Price<td>3.50</table><ul><li>Oats<li>Rye, sieved</ul>\
    <blockquote>Nobody sleeps well beside it.</blockquote><pre>turn(2)</pre><figure><img src=a.png><figcaption>The wheel</figcaption></figure>\
    <p>The miller sleeps in the afternoon; his cat, at all times.</p></article><aside class='related sidebar'><h3>Related</h3>\
    <ul><li><a href=/c>The weir</a><li><a href=/d>The weir</a></ul></aside><section id=comments><p>Well said!</p><button>Reply</button>\
    </section></main><footer>© Shore. All rights reserved.</footer></body></html>";

/// The hash of the page above.
pub(crate) fn of_features() -> u64 {
    of_page(PAGE, "https://shore.example/news/the-mill")
}

/// The hash of a page's rows (FNV-1a of the numbers, in thousandths).
fn of_page(html: &str, url: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |values: &[f32]| {
        for value in values {
            for byte in ((value * 1_000.0).round() as i64).to_le_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    };
    let Ok(url) = url.parse::<aidocument::WebUrl>() else { return 0 };
    let tree = Tree::parse(html);
    let blocks = Blocks::of(&tree);
    let facts = page::read(&tree, &url, html.len(), false);
    let data = json_ld::of_page(&tree, &facts.json_ld, &mut Vec::new());
    let about = About::of(&tree, url.as_str(), &facts, data.read().root());
    let cut = Page::of(&tree, &blocks);
    let mut firsts: Vec<First> = Vec::new();
    features::rows(&cut, &about, |row, length| {
        add(row.get(..length).unwrap_or_default());
        // Any odds will do, as long as they differ and do not come from the model.
        let odds = if firsts.len().is_multiple_of(3) { 1.5 } else { -0.75 };
        firsts.push(First::of(row, odds));
    });
    second_look::rows(&cut, &firsts, |_, row| add(row.get(..second_look::FEATURES).unwrap_or_default()));
    hash
}

#[cfg(test)]
mod tests {
    use super::super::model;

    #[test]
    fn the_model_was_trained_on_these_features() {
        let now = super::of_features();
        assert_eq!(
            model::features_hash(),
            now,
            "the features are not those that model.bin was trained on: train it anew (training/README.md), now {now:#x}"
        );
    }

    /// Pages of many kinds reach code that the small page does not. If this test fails and the one above does not, the
    /// meaning of a feature has changed on some pages: the model has to be trained again then, too.
    #[test]
    fn rows_of_whole_pages_are_as_they_were() {
        macro_rules! page {
            ($name:literal) => {
                include_str!(concat!("../../tests/pages/", $name, ".html"))
            };
        }
        let pages = [
            (
                page!("wordpress-news.en"),
                "https://www.harbour.example/2026/05/03/the-bridge-opens-again",
                0x8322_0d1d_b40c_5b15,
            ),
            (page!("docusaurus.en"), "https://docs.retry.example/reference/policy", 0xc383_6fd3_6fea_bcf6),
            (page!("discourse.en"), "https://forum.example/t/why-is-it-so/17", 0xcd70_0063_39fd_b590),
            (page!("phpbb.de"), "https://example.org/viewtopic.php?t=4", 0x828d_b483_a3f5_6553),
            (page!("shopify.en"), "https://shop.example/products/kettle", 0x8741_0e05_678f_63aa),
            (page!("shop.es"), "https://example.com/collections/all", 0xfca4_74fc_2cde_821d),
            (page!("mediawiki.fr"), "https://fr.wiki.example/", 0x7a9b_8300_084d_c148),
            (page!("service.en"), "https://example.com/services", 0x21a0_25d3_3e45_c4d0),
            (page!("news.ja"), "https://example.jp/a/b/c/d", 0xad28_75ee_c332_1862),
            (
                page!("stackexchange.en"),
                "https://example.com/questions/1/how-to-turn-a-mill",
                0x13eb_0dda_e574_7591,
            ),
            (page!("job.nl"), "https://example.nl/jobs/molenaar", 0xf308_d79e_bba6_8065),
        ];
        let home = "<meta property=og:type content=website><h1>The mill</h1><p>Come in, and see it turn.";
        let home = super::of_page(home, "https://mill.example/");
        assert_eq!(home, 0xbc59_2c70_b8a8_1903, "now {home:#x}");
        let hashes = pages.map(|(html, url, _)| super::of_page(html, url));
        assert_eq!(hashes, pages.map(|(_, _, hash)| hash), "now {hashes:#x?}");
    }
}
