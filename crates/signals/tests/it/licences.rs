//! Licences in the places of a page, and how licences of several places combine.

#![allow(clippy::unwrap_used, reason = "tests say what they expect in the plainest way")]

use covers::covers;
use signals::{
    ByPurpose, Purpose, RslAsset, RslCaller, RslDocument, RslError, RslErrorKind, RslState, RslUse, RslUses,
    RslVerdict,
};
use web_values::Finding as _;

fn uses(verdict: RslVerdict, obligations: &[&str]) -> RslUses {
    let obligations: Vec<String> = obligations.iter().map(|&text| text.to_owned()).collect();
    ByPurpose::from_fn(|_| RslUse { verdict, obligations: obligations.clone(), ..RslUse::default() })
}

/// The nearer licence speaks first, and only where it says something.
#[test]
#[covers("RSL-4")]
fn nearer_licences_beat_farther_ones() {
    let near = RslUses {
        search: RslUse { verdict: RslVerdict::Prohibited, ..RslUse::default() },
        ..RslUses::default()
    };
    let both = near.or_farther(uses(RslVerdict::Permitted, &["attribution"]));
    assert_eq!(both.get(Purpose::Search).verdict, RslVerdict::Prohibited);
    assert_eq!(
        both.get(Purpose::Tdm),
        &RslUse {
            verdict: RslVerdict::Permitted,
            obligations: vec!["attribution".into()],
            ..RslUse::default()
        }
    );
}

/// Documents of all places together: whoever reads a site decides by this one function.
#[test]
#[covers("RSL-4", "RSL-8", "RSL-16")]
fn documents_of_all_places_are_one_licence() {
    let document = |url: &str, word: &str, term: &str| {
        format!(
            r#"<rsl xmlns="https://rslstandard.org/rsl"><content url="{url}"><license><{word} type="usage">{term}</{word}></license></content></rsl>"#
        )
    };
    let page = "https://example.com/tea".parse().unwrap();
    let search = |near: &[Option<&str>], far: &[Option<&str>]| match RslState::of_documents(
        &page,
        near.iter().copied(),
        far.iter().copied(),
    ) {
        None => "nothing",
        Some(RslState::Unlicensed) => "unlicensed",
        Some(RslState::Licensed(uses)) => match uses.get(Purpose::Search).verdict {
            RslVerdict::None => "silent",
            RslVerdict::Permitted => "permitted",
            RslVerdict::Unlisted => "unlisted",
            RslVerdict::Prohibited => "prohibited",
        },
    };
    let (yes, no) = (document("/", "permits", "search"), document("/", "prohibits", "search"));
    let (own, other) = (document("", "permits", "search"), document("/coffee", "prohibits", "search"));
    let (yes, no, own, other) = (Some(&*yes), Some(&*no), Some(&*own), Some(&*other));
    for (near, far, expected) in [
        (vec![], vec![], "nothing"),
        (vec![yes], vec![], "permitted"),
        (vec![yes, no], vec![], "prohibited"),
        (vec![yes], vec![no], "permitted"),
        (vec![other], vec![no], "prohibited"),
        (vec![], vec![other], "silent"),
        // An empty address speaks of the page alone that names the document.
        (vec![own], vec![], "permitted"),
        (vec![], vec![own], "silent"),
        // What cannot be read is a no, unless something nearer was read.
        (vec![None], vec![yes], "unlicensed"),
        (vec![yes, None], vec![yes], "unlicensed"),
        (vec![], vec![Some("<rsl>")], "unlicensed"),
        (vec![yes], vec![None], "permitted"),
        (vec![yes], vec![no, None], "permitted"),
    ] {
        assert_eq!(search(&near, &far), expected, "{near:?}, {far:?}");
    }
}

/// Of equally near licences the more restrictive combination holds.
#[test]
#[covers("RSL-4")]
fn equally_near_licences_restrict_each_other() {
    let order = [RslVerdict::None, RslVerdict::Permitted, RslVerdict::Unlisted, RslVerdict::Prohibited];
    for (i, a) in order.into_iter().enumerate() {
        for (j, b) in order.into_iter().enumerate() {
            let both = uses(a, &[]).restricted_by(uses(b, &[]));
            assert_eq!(both.search.verdict, order[i.max(j)], "{a} {b}");
        }
    }
    let both = uses(RslVerdict::Permitted, &["pay:crawl"])
        .restricted_by(uses(RslVerdict::Permitted, &["attribution"]));
    assert_eq!(both.ai_input.obligations, ["attribution", "pay:crawl"]);
}

/// Elements of the page, comments and templates aside.
#[cfg(feature = "html")]
#[test]
#[covers("RSL-3")]
fn a_page_names_and_holds_licences() {
    let page = br#"<!-- <link rel=license type="application/rsl+xml" href=/no.xml> -->
        <template><link rel=license type="application/rsl+xml" href=/no.xml></template>
        <link rel="license" href="/plain.html"><link rel=next type="application/rsl+xml" href=/no.xml>
        <LINK HREF="l.xml" TYPE="Application/RSL+XML; v=1" REL="nofollow License">
        <script type="application/rsl+xml"><rsl xmlns="https://rslstandard.org/rsl">&amp;<!-- </rsl></script>
        <script>"<link rel=license type='application/rsl+xml' href=/no.xml>"</script>"#;
    let found = signals::RslLinks::of_html(page, &"https://a.example/b/c".parse().unwrap());
    let urls: Vec<&str> = found.urls.iter().map(url::Url::as_str).collect();
    assert_eq!(urls, ["https://a.example/b/l.xml"]);
    assert_eq!(found.documents, ["<rsl xmlns=\"https://rslstandard.org/rsl\">&amp;<!-- </rsl>"]);
}

/// A licence is announced by such a link, and no document can be had of it: nothing is permitted.
#[cfg(all(feature = "html", feature = "http"))]
#[test]
#[covers("RSL-16")]
fn a_licence_that_cannot_be_fetched_is_one_that_cannot_be_read() {
    let url: url::Url = "https://a.example/b".parse().unwrap();
    let open = "data:application/rsl+xml,%3Crsl%20xmlns=%22https://rslstandard.org/rsl%22/%3E";
    for target in [open, "ftp://a.example/l.xml", "mailto:a@a.example"] {
        let page = format!("<link rel=license type=application/rsl+xml href='{target}'>");
        let field = format!("<{target}>; rel=\"license\"; type=\"application/rsl+xml\"");
        for response in [
            http::Response::builder().body(page).unwrap(),
            http::Response::builder().header("link", field).body(String::new()).unwrap(),
        ] {
            let signals = signals::Signals::of_page(&response, &url, "ExampleBot");
            assert_eq!(signals.rsl, Some(RslState::Unlicensed), "{response:?}");
            let named = signals::RslLinks::of_html(response.body().as_bytes(), &url);
            let fields = signals::RslLinks::of_header_map(response.headers());
            let documents: Vec<_> = named.documents.into_iter().chain(fields.documents).map(Some).collect();
            let state = RslState::of_documents(&url, documents, [None::<String>; 0]);
            assert_eq!(state, Some(RslState::Unlicensed), "{response:?}");
        }
    }
}

/// Links are relative to the page's `<base>`, which most applications of one page have.
#[cfg(feature = "html")]
#[test]
#[covers("RSL-3")]
fn a_licence_is_relative_to_the_base_of_the_page() {
    let page = "https://a.example/b/c".parse().unwrap();
    for (base, expected) in [
        ("<base href=/>", "https://a.example/l.xml"),
        ("<base target=x><BASE HREF='//c.example/d/'><base href=/e/>", "https://c.example/d/l.xml"),
        (
            "<template><base href=/></template><base href='javascript:x'><base href=/>",
            "https://a.example/b/l.xml",
        ),
        ("<base href='http://['>", "https://a.example/b/l.xml"),
    ] {
        for order in [0, 1] {
            let link = "<link rel=license type=application/rsl+xml href=l.xml>";
            let html = if order == 0 { format!("{base}{link}") } else { format!("{link}{base}") };
            let found = signals::RslLinks::of_html(html.as_bytes(), &page);
            assert_eq!(found.urls, [expected.parse().unwrap()], "{html}");
        }
    }
}

/// An image in the page hides nothing of it, and a page in UTF-16 is read.
#[cfg(feature = "html")]
#[test]
#[covers("RSL-3")]
fn a_licence_behind_an_image_is_found() {
    let base = "https://a.example/b/c".parse().unwrap();
    for image in
        ["<svg><title/></svg>", "<svg><style/><path/></svg>", "<svg><script/></svg>", "<math><mi/></math>"]
    {
        let page = format!("{image}<link rel=license type=application/rsl+xml href=l.xml>");
        let wide: Vec<u8> = page.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for page in [page.as_bytes(), &wide] {
            let found = signals::RslLinks::of_html(page, &base);
            assert_eq!(found.urls, ["https://a.example/b/l.xml".parse().unwrap()], "{image}");
        }
    }
}

/// A field names a licence of the response by relation and type; one with an anchor is about something else.
#[test]
#[covers("RSL-2")]
fn a_field_names_licences_of_the_response_itself() {
    let found = |link: &str| signals::RslLinks::of_headers([("Link", link)]).urls.len();
    assert_eq!(found(r#"<https://a.example/l.xml>; rel="license"; type="application/rsl+xml""#), 1);
    for other in [
        r#"<https://a.example/l.xml>; rel="license"; type="application/rsl+xml"; anchor="/other""#,
        r#"<https://a.example/l.xml>; rel="next"; type="application/rsl+xml""#,
        r#"<https://a.example/l.xml>; rel="license"; type="text/html""#,
        r#"<https://a.example/l.xml>; rel="license""#,
    ] {
        assert_eq!(found(other), 0, "{other}");
    }
}

#[test]
fn errors_say_where_the_faulty_element_begins() {
    let xml = "<rsl xmlns=\"https://rslstandard.org/rsl\">\n  <content url=\"/\"><license><permit/></license></content></rsl>";
    let error = RslDocument::parse(xml).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (RslErrorKind::NotConformant, xml.find("<permit").unwrap()));
    let text = "expected an RSL 1.0 document at byte 70, found the element \"permit\"";
    assert_eq!((error.to_string().as_str(), error.requirement()), (text, "RSL-6"));
    assert_eq!(
        error.to_record().to_string(),
        "error at line 2, column 29: expected an RSL 1.0 document, found the element \"permit\" [not-conformant, RSL-6]"
    );
    let error = RslDocument::parse("<rsl>\n<é></rsl>").unwrap_err();
    assert_eq!(error.kind(), RslErrorKind::NotXml);
    assert!(error.offset() >= 6 && error.offset() <= 17, "{error}");
}

/// Nothing recurses with the input, and no text is read past the limits.
#[test]
#[covers("RSL-7")]
fn hostile_documents_are_refused_on_a_small_stack() {
    let nested =
        |open: &str, close: &str, levels: usize| [open.repeat(levels), close.repeat(levels)].concat();
    let (too_big, not_xml) = (Some(RslErrorKind::TooBig), Some(RslErrorKind::NotXml));
    let texts = [
        ("<rsl>".repeat(200_000), too_big),
        (nested("<rsl xmlns=\"https://rslstandard.org/rsl\">", "</rsl>", 20_000), too_big),
        (nested("<!--", "-->", 100_000), not_xml),
        ("<".repeat(1 << 20), not_xml),
        ("<a b='".repeat(150_000), too_big),
        ("<![CDATA[".repeat(100_000), not_xml),
        ("&lt;".repeat(200_000), not_xml),
        (format!("<rsl xmlns=\"https://rslstandard.org/rsl\" {}/>", "a='' ".repeat(50_000)), too_big),
        (
            format!(
                "<rsl xmlns=\"https://rslstandard.org/rsl\">{}</rsl>",
                "<content url=\"/\"><license/></content>".repeat(25_000)
            ),
            None,
        ),
        ("x".repeat((1 << 20) + 1), too_big),
    ];
    let worker = std::thread::Builder::new().stack_size(256 << 10).spawn(move || {
        let asset = RslAsset::new("https://a.example/b?c".parse().unwrap());
        for (text, refused) in texts {
            let document = RslDocument::parse(&text);
            assert_eq!(document.as_ref().err().map(RslError::kind), refused, "{}", text.get(..40).unwrap());
            if let Ok(document) = document {
                assert!(document.judge(&asset, &RslCaller::default()).is_some());
            }
        }
    });
    worker.unwrap().join().unwrap();
}
