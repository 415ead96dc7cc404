//! What words stand for answers, and both sides of each limit.

#![allow(clippy::unwrap_used, reason = "tests say what they expect in the plainest way")]

use robots::Preferences;
use signals::{
    Purpose, RslAsset, RslCaller, RslDocument, RslErrorKind, RslState, RslUse, RslUses, RslVerdict, Signals,
    TdmRep, UsePrice, Verdict, decide,
};

const RSL: &str = "https://rslstandard.org/rsl";

#[test]
fn answers_have_words() {
    let purposes = Purpose::ALL.map(|purpose| purpose.to_string());
    assert_eq!(purposes, ["search", "ai-input", "ai-index", "ai-train", "tdm"]);
    for purpose in Purpose::ALL {
        assert_eq!(purpose.to_string().parse(), Ok(purpose));
    }
    let error = "train".parse::<Purpose>().unwrap_err();
    assert_eq!(error.to_string(), "expected one of search, ai-input, ai-index, ai-train, tdm");
    let verdicts = [Verdict::Allow, Verdict::Conditional, Verdict::Deny, Verdict::Unstated];
    assert_eq!(verdicts.map(|verdict| verdict.to_string()), ["allow", "conditional", "deny", "unstated"]);

    let mut stated = TdmRep::default();
    assert_eq!(stated.source().map(|source| source.to_string()), None);
    stated.add_headers([("tdm-reservation", "1")]);
    assert_eq!(stated.source().map(|source| source.to_string()).as_deref(), Some("header"));

    let signals = Signals {
        preferences: Preferences::of_headers([("Content-Signal", "search=yes, ai-train=no")]),
        ..Signals::default()
    };
    let lines = [
        (Purpose::AiTrain, "deny: content-signal says no (ai-train=no)"),
        (Purpose::Search, "allow: content-signal says yes (search=yes)"),
        (Purpose::Tdm, "unstated"),
    ];
    for (purpose, line) in lines {
        assert_eq!(decide(&signals, purpose, &[]).to_string(), line);
    }
}

#[test]
fn a_permission_without_obligations_is_a_plain_yes() {
    let says = |obligations: &[&str]| {
        let search = RslUse {
            verdict: RslVerdict::Permitted,
            obligations: obligations.iter().map(|&text| text.to_owned()).collect(),
            ..RslUse::default()
        };
        let rsl = Some(RslState::Licensed(RslUses { search, ..RslUses::default() }));
        decide(&Signals { rsl, ..Signals::default() }, Purpose::Search, &[]).to_string()
    };
    assert_eq!(says(&[]), "allow: rsl says yes (permitted)");
    assert_eq!(says(&["attribution"]), "conditional: rsl says yes on condition of attribution (permitted)");
}

/// A licence around so many foreign elements.
fn nested(levels: usize, open: &str) -> String {
    let inner = [open.repeat(levels), "</x>".repeat(levels)].concat();
    format!(r#"<rsl xmlns="{RSL}"><content url="/"><license/></content><x xmlns="f">{inner}</x></rsl>"#)
}

#[test]
fn size_and_depth_are_limited_exactly() {
    let kind = |xml: &str| RslDocument::parse(xml).err().map(|error| error.kind());
    // The document's own element and the first foreign one are two of a hundred levels.
    for open in [
        "<x>",
        r#"<x y="/>">"#,
        "<x y='/>'>",
        "<x y='\"/>'>",
        "<!-- <x> --><x>",
        // The mark that ends a comment and the like ends it at once, and nothing in it counts.
        "<!--<x>--><x>",
        "<![CDATA[<x>]]><x>",
        "<?p <x>?><x>",
        "<x/><x>",
    ] {
        assert_eq!(kind(&nested(98, open)), None, "{open}");
        assert_eq!(kind(&nested(99, open)), Some(RslErrorKind::TooBig), "{open}");
    }
    // The document's own element and the first foreign one have an attribute each. Attributes of siblings count apart.
    let attributes: String = (0..127).map(|number| format!(" a{number}='=>'")).collect();
    let (element, inner) = (format!("<x{attributes} y=''>"), format!("<x{attributes}/>"));
    assert_eq!(kind(&nested(1, &[element.clone(), inner.repeat(3)].concat())), Some(RslErrorKind::TooBig));
    let element = element.replace(" y=''", "");
    assert_eq!(kind(&nested(1, &[element, inner.repeat(3)].concat())), None);
    let mut xml = nested(0, "");
    xml.extend(std::iter::repeat_n(' ', (1 << 20) - xml.len()));
    assert_eq!(kind(&xml), None);
    xml.push(' ');
    assert_eq!(kind(&xml), Some(RslErrorKind::TooBig));
}

#[test]
fn contents_are_paths_or_urls_of_the_origin() {
    let applies = |pattern: &str, url: &str| {
        let xml = format!(r#"<rsl xmlns="{RSL}"><content url="{pattern}"><license/></content></rsl>"#);
        let document = RslDocument::parse(&xml).unwrap();
        document.judge(&RslAsset::new(url.parse().unwrap()), &RslCaller::default()).is_some()
    };
    for (pattern, url, does) in [
        ("/a", "https://a.example/a/b", true),
        ("*b", "https://a.example/a/b", true),
        ("https://a.example/a", "https://a.example/a", true),
        ("https://a.example", "https://a.example/a", true),
        ("https://b.example/a", "https://a.example/a", false),
        ("http://a.example/a", "https://a.example/a", false),
        // A path that looks like a URL further on.
        ("/a://b", "https://a.example/a://b", true),
        ("*://b", "https://a.example/a://b", true),
        ("", "https://a.example/a", false),
    ] {
        assert_eq!(applies(pattern, url), does, "{pattern} {url}");
    }
}

#[test]
fn a_file_of_reservations_is_an_array() {
    for (file, is_unreadable, reservation) in [
        (r#"[{"location":"/","tdm-reservation":1}]"#, false, Some(true)),
        (r#"[{"location":"/","tdm-reservation":0}]"#, false, Some(false)),
        ("[]", false, None),
        (r#"{"location":"/","tdm-reservation":1}"#, true, None),
        ("1", true, None),
        ("[", true, None),
    ] {
        let mut stated = TdmRep::default();
        stated.add_well_known("/a", file.as_bytes());
        assert_eq!(
            (stated.is_file_unreadable(), stated.reservation()),
            (is_unreadable, reservation),
            "{file}"
        );
    }
}

/// A scheme is a challenge's first word: not a parameter, not a part of a quoted text.
#[test]
fn challenges_are_told_from_their_parameters() {
    let licenses = |challenge: &str| {
        let fields = [("www-authenticate", challenge), ("link", "<https://a.example/l.xml>; rel=license")];
        UsePrice::of_response(401, fields).scheme.map(signals::PriceScheme::name)
    };
    let named = licenses("License realm=\"x\"");
    assert!(named.is_some());
    for (challenge, is_one) in [
        ("Basic realm=\"a\", License error=\"b\"", true),
        ("license", true),
        ("Basic realm=\"a, License b\"", false),
        ("Basic License=\"b\"", false),
        ("Basic realm=\"a\", License =\"b\"", false),
        ("Basic", false),
        ("", false),
    ] {
        assert_eq!(licenses(challenge), named.filter(|_| is_one), "{challenge}");
    }
}
