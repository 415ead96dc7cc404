//! Mixtures: pieces of one or several languages in a random order, the same one for the same seed.

use super::{Recipe, Shape};

const JSON: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\"a\"",
    b"\"\\u0061\"",
    b"\"\\ud800\"",
    b"1",
    b"-0.5e9",
    b"true",
    b"null",
    b" ",
    b"\n",
    b"\"",
    b"\\",
    b"\xff",
    b"\"version\":\"0.2\",",
    b"\"https://a.example/?token=x\"",
    b"\"2026-02-15T08:00:00Z\"",
];
const HTML: &[&[u8]] = &[
    b"<div>",
    b"</div>",
    b"<p>",
    b"<a href=\"/x\">",
    b"</a>",
    b"<table>",
    b"<tr>",
    b"<td>",
    b"</table>",
    b"<b>",
    b"</b>",
    b"<i>",
    b"</i>",
    b"<script>",
    b"</script>",
    b"<!--",
    b"-->",
    b"<svg>",
    b"<title>",
    b"</title>",
    b"<template>",
    b"</template>",
    b"<noscript>",
    b"<select>",
    b"<option>",
    b"&amp;",
    b"&#x41;",
    b"&notin",
    b"text ",
    b"\0",
    b"\xe9",
    b"<h2>",
    b"</h2>",
    b"<ul>",
    b"<li>",
    b"</ul>",
    b"<meta name=robots content=noai>",
    b"<link rel=canonical href=/c>",
    b"<pre>",
    b"</pre>",
    b"<math>",
    b"<br>",
    b"<img alt=x src=y>",
];
const FIELDS: &[&[u8]] = &[
    b"User-agent: *\n",
    b"User-agent: AIWebIndex\n",
    b"Disallow: /*a$\n",
    b"Allow: /%61\n",
    b"Crawl-delay: 1\n",
    b"Sitemap: https://a/\n",
    b"Content-Signal: search=yes, ai-train=no\n",
    b"# c\n",
    b"\r",
    b"\n",
    b";",
    b",",
    b"=",
    b"\"",
    b"<",
    b">",
    b"; rel=canonical",
    b"W/\"x\"",
    b"bytes=0-1",
    b"max-age=1",
    b"noindex",
    b" ",
    b"\t",
    b"%2F",
    b"%",
    b"https://a.example/",
    b"\xc3\xa9",
    b"\xff",
    b"text/html",
];
const ALL: &[&[u8]] = &[
    b"{\"a\":",
    b"<div>",
    b"&amp;",
    b"%25",
    b"\\u005c",
    b"[",
    b"]",
    b"}",
    b"\"",
    b"\\\"",
    b"://",
    b"?token=",
    b"</div>",
    b"&quot;",
    b"eyJhbGciOiJub25lIn0.",
    b"User-agent: *\n",
    b"<script type=\"application/ld+json\">",
    b"</script>",
    b"sha256-",
    b"\xf0\x9f\x98\x80",
    b"e\xcc\x81",
    b"\xff",
    b"\0",
    b"- ",
    b"# ",
    b"1e9,",
    b"\xe2\x80\xa8",
    b" \t",
    b"\n\n",
    b"ghp_a",
    b";sid=",
    b"&#0;",
    b"<![CDATA[",
    b"]]>",
];

pub(super) fn recipes() -> Vec<Recipe> {
    let kinds =
        [("JSON", JSON), ("HTML", HTML), ("header fields and robots.txt", FIELDS), ("everything", ALL)];
    let mut all = Vec::new();
    for seed in 1..=3 {
        for (name, vocabulary) in kinds {
            all.push(Recipe::new(format!("pieces of {name}, seed {seed}"), Shape::Mix { seed, vocabulary }));
        }
        all.push(Recipe::new(format!("random JSON, seed {seed}"), Shape::Json { seed }));
    }
    all
}

/// SplitMix64: the next state and number.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

pub(super) fn mix(seed: u64, vocabulary: &[&[u8]], size: usize) -> Vec<u8> {
    let mut state = seed;
    let mut bytes = Vec::with_capacity(size + 64);
    while bytes.len() < size {
        let piece = vocabulary[(next(&mut state) % vocabulary.len() as u64) as usize];
        // Now and then a run, so that pieces meet themselves too.
        let count = if next(&mut state).is_multiple_of(16) { 8 } else { 1 };
        bytes.extend(std::iter::repeat_n(piece, count).flatten());
    }
    bytes
}

/// A text of the JSON grammar, closed at the end.
pub(super) fn json(seed: u64, size: usize) -> Vec<u8> {
    const NAMES: [&str; 10] = [
        "a",
        "\\u0061",
        "version",
        "topics",
        "links",
        "items",
        "@type",
        "entity",
        "ghp_16C7e42F",
        "https://a.example/?key=1",
    ];
    const LEAVES: [&str; 9] = [
        "0",
        "-1.5e300",
        "true",
        "null",
        "\"\"",
        "\"\\ud83d\\ude00\"",
        "\"https://a.example/%3Ftoken=1\"",
        "\"2026-02-15T08:00:00Z\"",
        "{}",
    ];
    let mut state = seed;
    let mut text = String::from("[");
    let mut open = vec![b']'];
    let mut is_first = true;
    while text.len() < size && !open.is_empty() {
        let pick = next(&mut state);
        if !is_first && pick.is_multiple_of(4) && open.len() > 1 {
            text.push(char::from(open.pop().unwrap_or(b']')));
            continue;
        }
        if !is_first {
            text.push(',');
        }
        if open.last() == Some(&b'}') {
            text.push('"');
            text.push_str(NAMES[(pick >> 8) as usize % NAMES.len()]);
            text.push_str("\":");
        }
        is_first = false;
        match pick >> 16 & 7 {
            0 | 1 if open.len() < 60 => {
                text.push('[');
                open.push(b']');
                is_first = true;
            }
            2 | 3 if open.len() < 60 => {
                text.push('{');
                open.push(b'}');
                is_first = true;
            }
            _ => text.push_str(LEAVES[(pick >> 24) as usize % LEAVES.len()]),
        }
    }
    text.extend(open.iter().rev().map(|&byte| char::from(byte)));
    text.into_bytes()
}
