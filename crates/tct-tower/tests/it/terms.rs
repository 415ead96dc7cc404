//! What a page says of its own use, as fields of its other forms: a reader of those comes to the page's own verdict.

#![allow(clippy::unwrap_used, reason = "a test says what it expects in the plainest way")]

use covers::covers;
use http::{HeaderMap, HeaderName, HeaderValue, Response};
use signals::{Purpose, Signals, Verdict, decide};
use tct_tower::PageTerms;
use url::Url;

use crate::world::Dice;

/// Fields of a page, its HTML, and what its other forms say.
type Case<'a> = (&'a [(&'static str, &'a [u8])], &'a str, &'a [&'a str]);

fn page() -> Url {
    Url::parse("https://example.com/a/").unwrap()
}

fn terms(fields: &[(&'static str, &[u8])], html: &str) -> Option<PageTerms> {
    PageTerms::of_page(&page(), &headers(fields), html.as_bytes())
}

fn headers(fields: &[(&'static str, &[u8])]) -> HeaderMap {
    let field = |(name, value): &(&'static str, &[u8])| {
        (HeaderName::from_static(name), HeaderValue::from_bytes(value).unwrap())
    };
    fields.iter().map(field).collect()
}

#[covers("TCT-SEC-15", "SIGNAL-D-8")]
#[test]
fn each_form_says_what_the_page_says() {
    let robots = "x-robots-tag";
    let long = format!("<meta name=robots content='noai, x{}'>", "y".repeat(4_000));
    let cases: &[Case<'_>] = &[
        (
            &[],
            "<meta name=description content='All of it, follow me.'><meta name=viewport content=none=1>",
            &[],
        ),
        (&[(robots, b"noai"), ("content-type", b"text/html")], "", &["x-robots-tag: noai"]),
        (
            &[("content-signal", b"ai-train=no"), ("content-usage", b"train-ai=n")],
            "",
            &["content-signal: ai-train=no", "content-usage: train-ai=n"],
        ),
        // A crawler's name counts to the end of its line, and lines may be joined.
        (
            &[(robots, b"otherbot: nosnippet")],
            "<meta name=ROBOTS content='NoIndex,max-snippet:5'><meta name=examplebot content=none>",
            &[
                "x-robots-tag: max-snippet: 5, noindex",
                "x-robots-tag: otherbot: nosnippet",
                "x-robots-tag: examplebot: nofollow, noindex, none",
            ],
        ),
        // Before a colon in a field, a name that has no value would be a crawler's.
        (&[], "<meta name=robots content='otherbot: x, noai, caf\u{e9}'>", &["x-robots-tag: noai"]),
        (
            &[],
            "<meta name=robots content='unavailable_after: Wed, 25 Jun 2030 15:00:00 GMT, noai'>",
            &["x-robots-tag: noai, unavailable_after: Wed, 25 Jun 2030 15:00:00 GMT"],
        ),
        (
            &[("tdm-reservation", b"1")],
            "<meta name=tdm-policy content=https://example.com/p>",
            &["tdm-reservation: 1", "tdm-policy: https://example.com/p"],
        ),
        // An element counts in place of the field, unless it cannot be read; lines may be joined.
        (&[("tdm-reservation", b"1")], "<meta name=tdm-reservation content=1>", &["tdm-reservation: 1"]),
        (&[("tdm-reservation", b"1")], "<meta name=tdm-reservation content=yes>", &["tdm-reservation: 1"]),
        (
            &[("tdm-policy", b"https://example.com/a"), ("tdm-reservation", b"0")],
            "<meta name=tdm-reservation content=1><meta name=tdm-policy content=https://example.com/b>",
            &["tdm-reservation: 1", "tdm-policy: https://example.com/b"],
        ),
        (
            &[("tdm-reservation", b"0"), ("tdm-reservation", b"1")],
            "",
            &["tdm-reservation: 0", "tdm-reservation: 1"],
        ),
        // Names of other metadata, whose values are words of every kind.
        (
            &[],
            "<meta name=msapplication-config content=none><meta name=keywords content='index, noai, history'>
            <meta name=citation_title content=Index><meta name=examplebot content='noai, index, x'>
            <meta name=authoritybot content=noai>",
            &["x-robots-tag: authoritybot: noai", "x-robots-tag: examplebot: index, noai, x"],
        ),
        (
            &[],
            "<svg><title/></svg><link rel=license type=application/rsl+xml href=/m.xml>",
            &["link: <https://example.com/m.xml>; rel=\"license\"; type=\"application/rsl+xml\""],
        ),
        (
            &[("link", b"</style.css>; rel=preload, <l.xml>; rel=license; type=\"application/rsl+xml\"")],
            "<link rel=license type=application/rsl+xml href=/m.xml>",
            &[
                "link: <https://example.com/a/l.xml>; rel=\"license\"; type=\"application/rsl+xml\"",
                "link: <https://example.com/m.xml>; rel=\"license\"; type=\"application/rsl+xml\"",
            ],
        ),
    ];
    for (fields, html, expected) in cases {
        let terms = terms(fields, html).unwrap();
        let said: Vec<String> = terms
            .fields()
            .iter()
            .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
            .collect();
        assert_eq!(said, *expected, "{fields:?} {html}");
        let mut of_page = Response::new(*html);
        *of_page.headers_mut() = headers(fields);
        let (mut of_form, mut in_one) = (Response::new(""), Response::new(""));
        of_form.headers_mut().extend(terms.fields().iter().cloned());
        *in_one.headers_mut() = joined(of_form.headers());
        for (crawler, purpose) in ["ExampleBot", "otherbot", "third"].into_iter().flat_map(|crawler| {
            [Purpose::Search, Purpose::AiInput, Purpose::AiIndex, Purpose::AiTrain, Purpose::Tdm]
                .map(|purpose| (crawler, purpose))
        }) {
            let verdict = |signals: &Signals| decide(signals, purpose, &[]).verdict;
            let expected = verdict(&Signals::of_page(&of_page, &page(), crawler));
            let form = verdict(&Signals::of_page(&of_form, &page(), crawler));
            assert_eq!(form, expected, "{crawler} {purpose}: {fields:?} {html}");
            // What is for all stands before what is for one.
            if crawler == "third" {
                assert_eq!(
                    verdict(&Signals::of_page(&in_one, &page(), crawler)),
                    expected,
                    "{fields:?} {html}"
                );
            }
        }
    }
    for unsayable in ["<script type=application/rsl+xml><rsl/></script>", &long] {
        assert_eq!(terms(&[], unsayable), None, "{unsayable}");
    }
}

const FIELDS: &[(&str, &[u8])] = &[
    ("x-robots-tag", b"noai"),
    ("x-robots-tag", b"all"),
    ("x-robots-tag", b"max-snippet: 0, caf\xe9, noarchive"),
    ("x-robots-tag", b"otherbot: noindex"),
    ("x-robots-tag", b"*: nosnippet, ExampleBot: noai, otherbot: none"),
    ("x-robots-tag", b"unavailable_after: Wed, 25 Jun 2003 15:00:00 GMT, noindex"),
    ("content-signal", b"ai-train=no"),
    ("content-signal", b"ai-train=yes, ai-input=no, search=yes"),
    ("content-usage", b"train-ai=n"),
    ("content-usage", b"search=n, train-ai=y"),
    ("content-usage", b"train-ai=\xff"),
    ("content-usage", b"train-ai;;"),
    ("tdm-reservation", b"1"),
    ("tdm-reservation", b"0"),
    ("tdm-reservation", b"yes"),
    ("tdm-policy", b"https://example.com/p"),
    ("tdm-policy", b"p.json"),
    ("link", b"<https://example.com/k.xml>; rel=license; type=\"application/rsl+xml\""),
    ("link", b"<https://example.com/l.xml>; rel=\"next License\"; type=\"Application/RSL+XML\""),
    ("link", b"<https://example.com/l.html>; rel=license"),
    ("link", b"</x>; rel=license; type=\"application/rsl+xml\"; anchor=\"/y\""),
    ("link", b"<https://example.com/c.xml>; title=\"caf\xe9\"; rel=license; type=\"application/rsl+xml\""),
    ("link", b"<data:application/rsl+xml,x>; rel=license; type=\"application/rsl+xml\""),
];

const ELEMENTS: &[&str] = &[
    "<meta name=robots content='noai'>",
    "<meta name=robots content='index, follow, max-image-preview:large'>",
    "<meta name=Robots content='max-snippet:0, otherbot: x, none'>",
    "<meta name=examplebot content='noai, all'>",
    "<meta name=OtherBot content='none, x'>",
    "<meta name=otherbot content='max-snippet: 3'>",
    "<meta name=tdm-reservation content=1>",
    "<meta name=TDM-Reservation content=' 0 '>",
    "<meta name=tdm-reservation content=yes>",
    "<meta name=tdm-policy content=https://example.com/q>",
    "<meta name=tdm-policy content=/q>",
    "<link rel=license type=application/rsl+xml href=/m.xml>",
    "<link rel='license next' type='application/rsl+xml; a=b' href='https://other.example/m.xml'>",
    "<link rel=license href=/m.html>",
    "<template><meta name=robots content=noai></template>",
    "<meta name=keywords content='none, noai'>",
    "<meta name=robots>",
];

fn joined(headers: &HeaderMap) -> HeaderMap {
    let all = |name| -> Vec<&[u8]> { headers.get_all(name).iter().map(HeaderValue::as_bytes).collect() };
    let line = |name| HeaderValue::from_bytes(&all(name).join(&b", "[..])).unwrap();
    headers.keys().map(|name| (name.clone(), line(name))).collect()
}

#[test]
fn whatever_a_page_says_its_forms_say() {
    let mut counts = [0; 2];
    for seed in 0..1_000 {
        let mut dice = Dice::new(seed);
        let fields: Vec<_> = (0..dice.roll(5)).map(|_| *dice.pick(FIELDS)).collect();
        let html: String = (0..dice.roll(5)).map(|_| *dice.pick(ELEMENTS)).collect();
        let forms_say: HeaderMap = terms(&fields, &html).unwrap().fields().iter().cloned().collect();
        let pages_say = headers(&fields);
        let response = |html: &str, fields: &HeaderMap| {
            let mut response = Response::new(html.to_owned());
            *response.headers_mut() = fields.clone();
            response
        };
        for crawler in ["ExampleBot", "otherbot", "third"] {
            let verdicts = |response: Response<String>| {
                let signals = Signals::of_page(&response, &page(), crawler);
                [Purpose::Search, Purpose::AiInput, Purpose::AiIndex, Purpose::AiTrain, Purpose::Tdm]
                    .map(|purpose| decide(&signals, purpose, &[]).verdict)
            };
            let expected = verdicts(response(&html, &pages_say));
            assert_eq!(verdicts(response("", &forms_say)), expected, "{seed} {crawler} {fields:?} {html}");
            counts.iter_mut().zip([Verdict::Deny, Verdict::Unstated]).for_each(|(count, verdict)| {
                *count += usize::from(expected.contains(&verdict));
            });
            // Lines may be joined on the way; what is for one crawler then hides what its own page says after it.
            if crawler == "third" {
                let expected = verdicts(response(&html, &joined(&pages_say)));
                let found = verdicts(response("", &joined(&forms_say)));
                assert_eq!(found, expected, "{seed} joined: {fields:?} {html}\n{forms_say:?}");
            }
        }
    }
    assert!(counts.iter().all(|count| *count > 300), "{counts:?}");
}

/// Also a page in UTF-16, of which nothing else is ASCII.
#[test]
fn a_page_in_any_encoding_is_read() {
    let html = "<meta name=robots content=noai><link rel=license type=application/rsl+xml href=/m.xml>";
    let little: Vec<u8> = html.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = html.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let marked = |mark: &[u8], html: &[u8]| [mark, html].concat();
    for html in [marked(b"\xFF\xFE", &little), marked(b"\xFE\xFF", &big), little, big] {
        let terms = PageTerms::of_page(&page(), &HeaderMap::new(), &html).unwrap();
        let said: Vec<_> = terms.fields().iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(said, ["x-robots-tag", "link"]);
    }
}

#[test]
fn noindex_for_one_crawler_keeps_a_page_in_the_lists_for_all() {
    for (fields, html, may_be_listed) in [
        (&[("x-robots-tag", b"noindex".as_slice())][..], "", false),
        (&[("x-robots-tag", b"*: none")], "", false),
        (&[("x-robots-tag", b"caf\xe9, NOINDEX")], "", false),
        (&[("x-robots-tag", b"otherbot: noindex")], "", true),
        (&[], "<meta name=robots content=none>", false),
        (&[], "<meta name=otherbot content=noindex>", true),
        (&[], "<meta name=robots content=noai>", true),
    ] {
        assert_eq!(terms(fields, html).unwrap().may_be_listed(), may_be_listed, "{fields:?} {html}");
    }
}
