//! A hash of the features' list: what each place of a row holds.
//!
//! The model knows features by their places alone, so a feature that is added, moved or changed makes nonsense of it. The
//! model file therefore ends with the hash of the features that it was trained on: of the rows of a small page that
//! reaches them all. A test compares it with the features as they are.

use super::about::About;
use super::blocks::Blocks;
use super::features::{self, Page};
use super::second_look::{self, First};
use crate::tree::Tree;
use crate::{page, pipeline};

/// The page whose rows are hashed.
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

/// The hash (FNV-1a of the numbers, in thousandths).
pub(crate) fn of_features() -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |values: &[f32]| {
        for value in values {
            for byte in ((value * 1_000.0).round() as i64).to_le_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    };
    let Ok(url) = "https://shore.example/news/the-mill".parse::<aidocument::WebUrl>() else { return 0 };
    let tree = Tree::parse(PAGE);
    let blocks = Blocks::of(&tree);
    let facts = page::read(&tree, &url, PAGE.len(), false);
    let data = pipeline::structured_data(&tree, &facts, &mut Vec::new());
    let about = About::of(&tree, url.as_str(), &facts, data.for_model());
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
}
