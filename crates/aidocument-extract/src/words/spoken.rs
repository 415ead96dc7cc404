//! English words of a text, by what they say of it: a line that says "Subscribe" is seldom content.
//!
//! English alone: pages in other languages are judged by everything else.

use super::list::{Row, WordList, count, places_for};

const RELATED: u64 = 0;
const COMMENTS: u64 = 1;
const SHARING: u64 = 2;
const ACCOUNTS: u64 = 3;
pub(crate) const LEGAL: u64 = 4;
const CONSENT: u64 = 5;
pub(crate) const PRICES: u64 = 6;
const BUYING: u64 = 7;
const REVIEWS: u64 = 8;
const DATES: u64 = 9;
const LISTS: u64 = 10;
const POSTS: u64 = 11;
const PRODUCTS: u64 = 12;
pub(crate) const QUESTIONS: u64 = 13;
const CONTACTS: u64 = 14;
const CONTROLS: u64 = 15;
const OFFERS: u64 = 16;
const PLACES: u64 = 17;

/// How many meanings these are.
pub(crate) const MEANINGS: usize = 18;

#[rustfmt::skip]
const ROWS: &[Row] = &[
    (RELATED, "also discover editors elsewhere explore featured inspired latest liked more picks popular \
        recent recently recommendations recommended related similar stories suggested trending viewed"),
    (COMMENTS, "comment commented comments discuss leave replies reply respond responses thoughts"),
    (SHARING, "copy email embed facebook follow followers instagram link linkedin pinterest print reddit share \
        shared telegram tiktok tweet twitter whatsapp youtube"),
    (ACCOUNTS, "account inbox join log logged login member members membership newsletter newsletters password \
        register registered sign signin signup subscribe subscribers subscription unsubscribe username"),
    (LEGAL, "affiliate careers conditions copyright disclaimer imprint legal policies policy privacy \
        reserved rights sitemap terms trademark trademarks"),
    (CONSENT, "accept ads advertisement advertisements advertising consent cookie cookies gdpr opt partners \
        personalised personalized preferences sponsored technologies vendors"),
    (PRICES, "aud cad clearance coupon deal deals discount eur gbp msrp off price prices regular sale save \
        usd"),
    (BUYING, "add bag basket buy cart checkout compare delivery gift order orders payment pickup purchase qty \
        quantity refund return returns ship shipping stock warranty wishlist"),
    (REVIEWS, "customer customers helpful rated rating ratings recommend review reviewed reviewer reviews star \
        stars testimonials verified"),
    (DATES, "ago am apr april aug august author by days dec december editor feb february friday hour hours \
        jan january jul july jun june mar march min minutes monday months nov november oct october pm \
        posted published read reporter saturday sep sept september staff sunday thursday tuesday updated \
        wednesday weeks written yesterday"),
    (LISTS, "all apply archive archives browse categories category clear filter filters grid items list \
        load next page pages prev previous results show showing sort tag tags view"),
    (POSTS, "answered asked badge edited forum forums joined karma likes moderator op participants \
        permalink points post posts quote quoted replied report solved thread threads topic topics \
        upvote views vote votes"),
    (PRODUCTS, "battery capacity care color colors colour description details dimensions features height \
        included includes ingredients length material materials model overview size sizes sku \
        specification specifications specs weight width"),
    (QUESTIONS, "answer answers faq faqs question questions"),
    (CONTACTS, "address call chat contact customerservice directions fax feedback help hotline phone support \
        tel"),
    (CONTROLS, "app back browser carousel click close content download enable expand gallery home image images \
        javascript loading menu navigation open pause pdf play scroll search skip slide slides swipe tap \
        toggle top video zoom"),
    (OFFERS, "book demo free get learn now our plans pricing request schedule services solutions start \
        started today trial try we your"),
    (PLACES, "bath beds company date employer event events full guests hiring hotel job jobs location part \
        property remote rent rooms salary tickets time venue"),
];

pub(crate) static LIST: WordList<{ count(ROWS) }, { places_for(count(ROWS)) }> = WordList::new(ROWS);
