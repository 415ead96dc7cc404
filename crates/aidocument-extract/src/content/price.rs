//! The price of what a page sells, under or right above its title, and those in a list of goods.
//!
//! It is a line of its own in a box with buttons, and so is the price of each other product. The page's data name the right one: JSON-LD,
//! microdata, `product:price:amount`. They are witnesses for a line that is there, never its text. In a list each price stays with
//! its goods: to readers one is of no use without the other, labels have them in every second list.

use std::collections::BTreeSet;
use std::ops::Range;

use aidocument::JsonValue;

use super::about::About;
use super::blocks::Block;
use super::features::Page;
use super::likeness::look_of;
use super::title::text_of;
use crate::tree::{NodeId, Tag, Tree};
use crate::words::list::words;

/// Words of a line with a price.
const MAX_LINE: u32 = 6;

/// Blocks above the title that are searched where none is under it.
const ABOVE: usize = 8;

/// Prices of one thing and its variants; more are those of a list.
const MOST_PRICES: usize = 8;

/// Elements from a price up to the card of its goods, and blocks of a card.
const MAX_CLIMB: usize = 12;
const MAX_CARD: u32 = 30;

/// Elements around a price that are asked whether it is in a menu or a button.
const AROUND: usize = 64;

/// Letters from a sign of a currency to its number.
const NEAR: usize = 4;

/// So many cards of one look are a list of goods.
const CARDS: usize = 3;

/// Keeps the first line under the title, else the last above it, that shows the page's declared price, unless a kept line does.
pub(super) fn keep(page: &Page<'_>, about: &About, between: Range<usize>, keep: &mut [bool]) {
    let declared = declared(page.tree, about);
    if declared.is_empty() || declared.len() > MOST_PRICES {
        return;
    }
    let shows = |place: &usize| {
        let block = page.blocks.blocks.get(*place)?;
        let text = money(page, block)?;
        prices_in(&text).any(|price| declared.contains(&price)).then_some(block)
    };
    if (0..keep.len()).filter(|&place| keep.get(place) == Some(&true)).any(|place| shows(&place).is_some()) {
        return;
    }
    let title = between.start.saturating_sub(1);
    let mut places = between.chain((title.saturating_sub(ABOVE)..title).rev());
    let found = places.find(|place| shows(place).is_some_and(|block| is_shown(page, block)));
    if let Some(slot) = found.and_then(|place| keep.get_mut(place)) {
        *slot = true;
    }
}

/// Keeps the prices in three or more cards of one look of which something else is kept, unless the page declares what it sells. `O(n)`.
pub(super) fn keep_in_lists(page: &Page<'_>, about: &About, keep: &mut [bool]) {
    let card_of = |block: &Block| {
        let around = page.tree.upward(block.container).take(MAX_CLIMB);
        let mut around = around.take_while(|&id| page.around.sums_in(id).blocks <= MAX_CARD);
        let card = around.find(|&id| {
            let sums = page.around.sums_in(id);
            let blocks = sums.first as usize..(sums.first + sums.blocks) as usize;
            keep.get(blocks).is_some_and(|kept| kept.contains(&true))
        })?;
        Some((look_of(page.tree, card), card))
    };
    let mut found: Vec<((u64, NodeId), usize)> = Vec::new();
    for (place, block) in
        page.blocks.blocks.iter().enumerate().filter(|(place, _)| keep.get(*place) == Some(&false))
    {
        if money(page, block).is_some() && is_shown(page, block) {
            found.extend(card_of(block).map(|card| (card, place)));
        }
    }
    if found.is_empty() || (1..=MOST_PRICES).contains(&declared(page.tree, about).len()) {
        return;
    }
    found.sort_unstable();
    for of_one_look in found.chunk_by(|a, b| a.0.0 == b.0.0) {
        if of_one_look.chunk_by(|a, b| a.0 == b.0).count() >= CARDS {
            for (_, place) in of_one_look {
                if let Some(slot) = keep.get_mut(*place) {
                    *slot = true;
                }
            }
        }
    }
}

/// The text of a short block with a number and a sign or code of a currency.
fn money(page: &Page<'_>, block: &Block) -> Option<String> {
    let has_digit =
        |&id: &NodeId| page.tree.text(id).is_some_and(|text| text.bytes().any(|byte| byte.is_ascii_digit()));
    let is_short = block.counts.words <= MAX_LINE && page.blocks.texts_of(block).iter().any(has_digit);
    is_short.then(|| text_of(page.tree, page.blocks, block)).filter(|text| is_money(text))
}

/// Whether readers see a block, and not in a menu or a button.
fn is_shown(page: &Page<'_>, block: &Block) -> bool {
    let is_apart = |id: NodeId| {
        matches!(page.tree.tag(id), Tag::Nav | Tag::Aside | Tag::Footer | Tag::Button | Tag::Option)
    };
    !page.tree.upward(block.container).take(AROUND).any(is_apart)
        && page.blocks.texts_of(block).iter().any(|&id| !page.tree.seen.is_unwritten(id))
}

/// The prices that the page declares, in hundredths.
fn declared(tree: &Tree, about: &About) -> BTreeSet<u64> {
    let mut prices: BTreeSet<u64> = about.witnesses.prices.iter().copied().collect();
    for (id, tag) in tree.elements() {
        let is = |name: &str, known: &[&str]| tree.attr(id, name).is_some_and(|value| known.contains(&value));
        if is("itemprop", &["price", "lowPrice"])
            || (tag == Tag::Meta && is("property", &["product:price:amount", "og:price:amount"]))
        {
            prices.extend(tree.attr(id, "content").and_then(|content| prices_in(content).next()));
        }
    }
    prices.remove(&0);
    prices
}

/// A price in JSON, in hundredths.
pub(super) fn of_json(value: JsonValue<'_>) -> Option<u64> {
    match value.number_text() {
        Some(number) => prices_in(number).next(),
        None => prices_in(&value.as_str()?).next(),
    }
}

/// Codes of currencies (ISO 4217), sorted; without `ALL` and `TOP`, which are words.
const CODES: [&str; 153] = words(
    "AED AFN AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF \
    CLF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD \
    HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD \
    MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN \
    PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TRY TTD \
    TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW",
);

/// Whether a text has a sign or code of a currency.
fn is_money(text: &str) -> bool {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    // A sign is near its number, as in `5,- €`: `$x1` is a name.
    let mut signs = text.match_indices(|c| "$€£¥₹₩₽₺₴₫₱฿".contains(c));
    signs.any(|(at, sign)| {
        let before =
            text.get(..at).unwrap_or_default().chars().rev().take(NEAR).find(|c| c.is_alphanumeric());
        let mut behind = text.get(at + sign.len()..).unwrap_or_default().chars().take(NEAR);
        is_digit(before) || is_digit(behind.find(|c| c.is_alphanumeric()))
    }) || text.split(|c: char| !c.is_alphabetic()).any(|word| {
        matches!(word, "kr" | "zł" | "Kč" | "Ft" | "lei" | "Rs") || CODES.binary_search(&word).is_ok()
    })
}

/// The numbers in a text, in hundredths: two digits behind the last comma or stop are such.
fn prices_in(text: &str) -> impl Iterator<Item = u64> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '\'');
    text.split(move |c: char| !is_part(c)).filter_map(|number| {
        let number = number.trim_matches(|c: char| !c.is_ascii_digit());
        let (whole, cents) = match number.rsplit_once(['.', ',']) {
            Some((whole, cents)) if matches!(cents.len(), 1 | 2) => (whole, cents),
            _ => (number, ""),
        };
        let digits = whole
            .chars()
            .filter(char::is_ascii_digit)
            .chain(cents.chars())
            .chain("00".chars().skip(cents.len()));
        let digits: String = digits.take(15).collect();
        (!number.is_empty()).then(|| digits.parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::Marked;
    use super::*;

    #[test]
    fn prices_are_read_in_their_spellings() {
        assert!(CODES.is_sorted());
        for (text, expected) in [
            ("$1,772.00", vec![177_200]),
            ("1.772,00 €", vec![177_200]),
            ("$ 3,665", vec![366_500]),
            ("CHF 1'200", vec![120_000]),
            ("48.9", vec![4_890]),
            ("$98.00$130.00", vec![9_800, 13_000]),
            ("$79 . 99 Price $79.99", vec![7_900, 9_900, 7_999]),
            ("3.5.1", vec![3_510]),
            ("99999999999999999999", vec![999_999_999_999_999]),
            ("none ., '", vec![]),
        ] {
            assert_eq!(prices_in(text).collect::<Vec<_>>(), expected, "{text}");
        }
        for (text, expected) in [
            ("$5", true),
            ("5 €", true),
            ("5 USD", true),
            ("49 kr", true),
            ("UAH 500", true),
            ("1.299,- €", true),
            ("$.99", true),
            ("$x1", false),
            ("$ (for all of) 5", false),
            ("SKU 5", false),
            ("5 stars", false),
            ("5", false),
        ] {
            assert_eq!(is_money(text), expected, "{text}");
        }
    }

    /// What is kept of a page between its first and its last kept block.
    fn kept(head: &str, lines: &str) -> String {
        let (above, lines) = lines.split_once("<!>").unwrap_or(("", lines));
        let html = format!("{head}<body>{above}<h1>+Kettle</h1>{lines}<p>+It boils water.");
        let mut page = Marked::of(&html);
        let title = page.texts.iter().position(|text| text == "+Kettle").expect("a title");
        let between = title + 1..page.keep.len() - 1;
        page.apply(|page, about, kept| keep(page, about, between, kept));
        page.kept()
    }

    #[test]
    fn the_price_that_the_page_declares_stays_with_the_title() {
        let offer = |price: &str| {
            format!(
                "<script type=application/ld+json>{{\"@type\":\"Product\",\"name\":\"Kettle\",\"offers\":{{\"@type\":\"Offer\",\"price\":{price}}}}}</script>"
            )
        };
        let json = offer("\"1299.00\"");
        let meta = "<meta property=product:price:amount content=1299>";
        let line = "<p>4 reviews<p>$9.50<div><form><p>$1,299.00</p></form></div>";
        let with = "Kettle|$1,299.00|It boils water.";
        let without = "Kettle|It boils water.";
        for (head, lines, expected) in [
            (json.as_str(), line, with),
            (&offer("1299"), line, with),
            (&offer("{\"a\":1}"), line, without),
            (meta, line, with),
            ("", &format!("<meta itemprop=price content=1299.00>{line}"), with),
            // Above the title, if not too far and none is under it.
            (&json, "<p>$1,299.00<p>1,299.00 USD<p>Sale<!><p>$9.50", "1,299.00 USD|Kettle|It boils water."),
            (&json, "<p>$1,299.00<!><p>$1,299.00", with),
            (&json, &format!("<p>$1,299.00{}<!>", "<p>Sale".repeat(8)), without),
            // The first one alone, and not a number that is no price.
            (&json, "<p>$1,299.00<p>$1,299.00", with),
            (&json, "<p>No. 1299", without),
            (&json, "<p>It was $1,299.00 in all of the other shops", without),
            (&json, "<nav>$1,299.00</nav><button>$1,299.00</button>", without),
            (&json, "<p style=display:none>$1,299.00", without),
            // Another price, none declared, or shown in a kept line.
            (&offer("12"), line, without),
            ("", line, without),
            (&json, "<p>$1,299.00<p>+For $1,299.00", "Kettle|For $1,299.00|It boils water."),
        ] {
            assert_eq!(kept(head, lines), expected, "{head} {lines}");
        }
        let several =
            |count: u32| (0..count).map(|price| offer(&format!("{}", 1299 + price))).collect::<String>();
        assert_eq!(kept(&several(8), line), with);
        assert_eq!(kept(&several(9), line), without);
    }

    #[test]
    fn prices_in_a_list_stay_with_their_goods() {
        let kept = |head: &str, lines: &str| {
            let mut page = Marked::of(&format!("{head}<body>{lines}"));
            page.apply(keep_in_lists);
            page.kept()
        };
        let list = |price: &str| {
            ["+Cup", "+Pot", "+Tea"].map(|name| format!("<li class=card><h3>{name}</h3>{price}")).concat()
        };
        let without = "Cup|Pot|Tea";
        for (price, expected) in [
            ("<p>$5", "Cup|$5|Pot|$5|Tea|$5"),
            ("<div><p>5,00 € each</p></div>", "Cup|5,00 € each|Pot|5,00 € each|Tea|5,00 € each"),
            ("<p>SKU 5", without),
            ("<p>$x5", without),
            ("<p>all of it for no more than $5", without),
            ("<button>$5</button>", without),
            ("<p style=display:none>$5", without),
        ] {
            assert_eq!(kept("", &format!("<ul>{}</ul>", list(price))), expected, "{price}");
        }
        // Two cards, cards of which nothing is kept, cards of three looks, one card of all.
        let two = "<p class=card>+Cup<span><p>$5".repeat(2);
        assert_eq!(kept("", &two), "Cup|Cup");
        assert_eq!(kept("", &list("<p>$5").replace('+', "")), "");
        let looks =
            ["a", "b", "c"].map(|name| format!("<div class={name}><h3>+{name}</h3><p>$5</div>")).concat();
        assert_eq!(kept("", &looks), "a|b|c");
        assert_eq!(kept("", "<div><h3>+Cup</h3><p>$5<p>$6<p>$7</div>"), "Cup");
        let long = list(&format!("<p>$5{}", "<p>x".repeat(29)));
        assert_eq!(kept("", &long), without);
        // What the page itself sells is declared: these are other goods.
        let sold = "<meta property=product:price:amount content=9>";
        assert_eq!(kept(sold, &list("<p>$5")), without);
    }
}
