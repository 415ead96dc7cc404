//! The table of what each signal means, row by row, and the words and places of what is printed.

#![allow(clippy::unwrap_used, reason = "tests say what they expect in the plainest way")]

use covers::covers;
use robots::{Directives, Preferences};
use signals::{
    Amount, ByPurpose, PriceScheme, Purpose, RslDocument, RslErrorKind, RslState, RslUse, RslUser,
    RslVerdict, Says, SignalSource, Signals, TctPolicy, TdmRep, TdmSource, UsePrice, decide,
};
use web_values::{Finding as _, Severity};

fn usage(value: &str) -> Signals {
    Signals { preferences: Preferences::of_headers([("Content-Usage", value)]), ..Signals::default() }
}

fn signal(value: &str) -> Signals {
    Signals { preferences: Preferences::of_headers([("Content-Signal", value)]), ..Signals::default() }
}

fn page(value: &str) -> Signals {
    Signals { directives: Directives::of_headers([("X-Robots-Tag", value)], "bot"), ..Signals::default() }
}

fn tdm(fields: &[(&str, &str)]) -> Signals {
    let mut tdmrep = TdmRep::default();
    tdmrep.add_headers(fields.iter().copied());
    Signals { tdmrep, ..Signals::default() }
}

fn tct(tct: TctPolicy) -> Signals {
    Signals { tct, ..Signals::default() }
}

fn rsl(verdict: RslVerdict, obligations: &[&str]) -> Signals {
    let obligations: Vec<String> = obligations.iter().map(|&text| text.to_owned()).collect();
    let uses =
        ByPurpose::from_fn(|_| RslUse { verdict, obligations: obligations.clone(), ..RslUse::default() });
    Signals { rsl: Some(RslState::Licensed(uses)), ..Signals::default() }
}

fn price(status: u16, fields: &[(&str, &str)]) -> Signals {
    Signals { price: UsePrice::of_response(status, fields.iter().copied()), ..Signals::default() }
}

/// The table of the module `decide`: for each signal alone what is said about search, ai-input, ai-index, ai-train, tdm.
#[test]
#[covers("SIGNAL-D-3", "SIGNAL-D-5", "SIGNAL-D-6", "SIGNAL-D-7")]
fn each_signal_alone_says_what_its_row_says() {
    const NOTHING: &str = "unstated";
    let policy = TctPolicy::default();
    let table: [(Signals, [&str; 5]); 37] = [
        (Signals::default(), [NOTHING; 5]),
        (Signals { may_fetch: Some(true), ..Signals::default() }, [NOTHING; 5]),
        (Signals { may_fetch: Some(false), ..Signals::default() }, ["deny: robots says no (Disallow)"; 5]),
        (usage("search=y"), ["allow: aipref says yes (search=y)", NOTHING, NOTHING, NOTHING, NOTHING]),
        (usage("search=n"), ["deny: aipref says no (search=n)", NOTHING, NOTHING, NOTHING, NOTHING]),
        // A yes to use in answers is none to an index for them; a no is.
        (usage("ai-use=y"), [NOTHING, "allow: aipref says yes (ai-use=y)", NOTHING, NOTHING, NOTHING]),
        (
            usage("ai-use=n"),
            [NOTHING, "deny: aipref says no (ai-use=n)", "deny: aipref says no (ai-use=n)", NOTHING, NOTHING],
        ),
        (usage("train-ai=y"), [NOTHING, NOTHING, NOTHING, "allow: aipref says yes (train-ai=y)", NOTHING]),
        (usage("train-ai=n"), [NOTHING, NOTHING, NOTHING, "deny: aipref says no (train-ai=n)", NOTHING]),
        (
            signal("search=yes"),
            ["allow: content-signal says yes (search=yes)", NOTHING, NOTHING, NOTHING, NOTHING],
        ),
        (
            signal("search=no"),
            ["deny: content-signal says no (search=no)", NOTHING, NOTHING, NOTHING, NOTHING],
        ),
        (
            signal("ai-input=yes"),
            [NOTHING, "allow: content-signal says yes (ai-input=yes)", NOTHING, NOTHING, NOTHING],
        ),
        (
            signal("ai-input=no"),
            [
                NOTHING,
                "deny: content-signal says no (ai-input=no)",
                "deny: content-signal says no (ai-input=no)",
                NOTHING,
                NOTHING,
            ],
        ),
        (
            signal("ai-train=yes"),
            [NOTHING, NOTHING, NOTHING, "allow: content-signal says yes (ai-train=yes)", NOTHING],
        ),
        (
            signal("use=immediate"),
            [
                "deny: content-signal says no (use=immediate)",
                "unstated: content-signal says only with no-store (use=immediate)",
                "deny: content-signal says no (use=immediate)",
                "deny: content-signal says no (use=immediate)",
                "deny: content-signal says no (use=immediate)",
            ],
        ),
        (signal("use=reference"), {
            let limits = "unstated: content-signal says only with excerpt-only (use=reference); \
                              content-signal says only with link-back (use=reference)";
            [limits, limits, limits, NOTHING, NOTHING]
        }),
        (rsl(RslVerdict::None, &[]), [NOTHING; 5]),
        (rsl(RslVerdict::Permitted, &[]), ["allow: rsl says yes (permitted)"; 5]),
        (
            rsl(RslVerdict::Permitted, &["attribution", "pay:use"]),
            ["conditional: rsl says yes on condition of attribution, pay:use (permitted)"; 5],
        ),
        (rsl(RslVerdict::Prohibited, &[]), ["deny: rsl says no (prohibited)"; 5]),
        (rsl(RslVerdict::Unlisted, &[]), ["deny: rsl says no (unlisted)"; 5]),
        (
            Signals { rsl: Some(RslState::Unlicensed), ..Signals::default() },
            ["deny: rsl says no (no valid licence document)"; 5],
        ),
        (tdm(&[("tdm-reservation", "1")]), {
            let no = "deny: tdmrep says no (tdm-reservation=1)";
            [NOTHING, NOTHING, no, no, no]
        }),
        (tdm(&[("tdm-reservation", "1"), ("tdm-policy", "https://a.example/p")]), {
            let offer = "conditional: tdmrep says yes on condition of tdm-licence (tdm-reservation=1)";
            [NOTHING, NOTHING, offer, offer, offer]
        }),
        (tdm(&[("tdm-reservation", "0")]), {
            let yes = "allow: tdmrep says yes (tdm-reservation=0)";
            [NOTHING, NOTHING, NOTHING, yes, yes]
        }),
        (page("noindex"), {
            let no = "deny: x-robots says no (noindex)";
            [no, NOTHING, no, NOTHING, NOTHING]
        }),
        (page("noai"), {
            let no = "deny: x-robots says no (noai)";
            [NOTHING, no, no, no, no]
        }),
        (
            page("nosnippet"),
            [
                "unstated: x-robots says only with no-excerpt (nosnippet)",
                "deny: x-robots says no (nosnippet)",
                NOTHING,
                NOTHING,
                NOTHING,
            ],
        ),
        (
            page("max-snippet:0"),
            [
                "unstated: x-robots says only with no-excerpt (max-snippet)",
                "deny: x-robots says no (max-snippet)",
                NOTHING,
                NOTHING,
                NOTHING,
            ],
        ),
        (page("max-snippet:50"), {
            let limit = "unstated: x-robots says only with max-excerpt:50 (max-snippet)";
            [limit, limit, NOTHING, NOTHING, NOTHING]
        }),
        // No limit at all.
        (page("max-snippet:-1"), [NOTHING; 5]),
        (page("nocache"), {
            let limit = "unstated: x-robots says only with no-cached-copy (nocache)";
            [limit, limit, limit, NOTHING, NOTHING]
        }),
        (
            tct(TctPolicy { allow_search_indexing: Some(true), allow_ai_train: Some(false), ..policy }),
            [
                "allow: tct says yes (allow_search_indexing=true)",
                NOTHING,
                NOTHING,
                "deny: tct says no (allow_ai_train=false)",
                NOTHING,
            ],
        ),
        (
            tct(TctPolicy { allow_search_indexing: Some(false), allow_ai_input: Some(true), ..policy }),
            [
                "deny: tct says no (allow_search_indexing=false)",
                "allow: tct says yes (allow_ai_input=true)",
                NOTHING,
                NOTHING,
                NOTHING,
            ],
        ),
        (tct(TctPolicy { allow_ai_input: Some(false), ..policy }), {
            let no = "deny: tct says no (allow_ai_input=false)";
            [NOTHING, no, no, NOTHING, NOTHING]
        }),
        (
            tct(TctPolicy {
                requires_attribution: true,
                requires_link_back: true,
                requires_notice: true,
                ..policy
            }),
            {
                let limits = "unstated: tct says only with attribution (requires); tct says only with link-back \
                              (requires); tct says only with notice (requires)";
                [limits, limits, limits, limits, NOTHING]
            },
        ),
        (
            price(402, &[("crawler-price", "USD 0.01")]),
            ["conditional: price says yes on condition of pay:USD 0.01 (status 402)"; 5],
        ),
    ];
    for (signals, lines) in table {
        for (purpose, line) in Purpose::ALL.into_iter().zip(lines) {
            assert_eq!(decide(&signals, purpose, &[]).to_string(), line, "{purpose}");
        }
    }
    let unreadable = price(402, &[("crawler-price", "0.01")]);
    assert_eq!(
        decide(&unreadable, Purpose::Tdm, &[]).to_string(),
        "conditional: price says yes on condition of pay (status 402)"
    );
    assert_eq!(decide(&price(200, &[]), Purpose::Tdm, &[]).to_string(), NOTHING);
    let reserved = decide(&tdm(&[("tdm-reservation", "1")]), Purpose::AiInput, &[]);
    assert_eq!(reserved.caveats.iter().collect::<Vec<_>>(), ["tdm-reserved"]);
}

/// A limit narrows a yes to a conditional one, and obligations of all offers and limits add up.
#[test]
#[covers("SIGNAL-D-5", "SIGNAL-D-9")]
fn limits_and_offers_add_up_and_contracts_lift_what_is_not_paid() {
    let both = Signals {
        preferences: Preferences::of_headers([("Content-Signal", "search=yes")]),
        directives: Directives::of_headers([("X-Robots-Tag", "noarchive")], "bot"),
        ..Signals::default()
    };
    let decision = decide(&both, Purpose::Search, &[]);
    assert_eq!(decision.verdict, signals::Verdict::Conditional);
    assert_eq!(decision.by.into_iter().collect::<Vec<_>>(), [SignalSource::ContentSignal]);
    assert_eq!(decision.obligations.into_iter().collect::<Vec<_>>(), ["no-cached-copy"]);

    let paid =
        Signals { price: UsePrice::of_response(402, []), ..rsl(RslVerdict::Permitted, &["attribution"]) };
    let decision = decide(&paid, Purpose::AiTrain, &[]);
    assert_eq!(decision.by.iter().copied().collect::<Vec<_>>(), [SignalSource::Price, SignalSource::Rsl]);
    assert_eq!(decision.obligations.into_iter().collect::<Vec<_>>(), ["attribution", "pay"]);
    // The contract lifts the licence's offer, and the price stays; a contract about something else lifts nothing.
    let contracted = decide(&paid, Purpose::AiTrain, &[Purpose::AiTrain]);
    assert_eq!(contracted.by.into_iter().collect::<Vec<_>>(), [SignalSource::Price]);
    assert_eq!(contracted.caveats.into_iter().collect::<Vec<_>>(), ["overridden:rsl"]);
    assert_eq!(contracted.reasons[0].to_string(), "agreement says yes (ai-train)");
    assert_eq!(decide(&paid, Purpose::AiTrain, &[Purpose::Search]).by, decision.by);
}

/// What is printed, serialised and parsed has one name each.
#[test]
fn sources_schemes_users_and_verdicts_have_one_name_each() {
    let sources = [
        (SignalSource::Agreement, "agreement"),
        (SignalSource::Aipref, "aipref"),
        (SignalSource::ContentSignal, "content-signal"),
        (SignalSource::Price, "price"),
        (SignalSource::Robots, "robots"),
        (SignalSource::Rsl, "rsl"),
        (SignalSource::Tct, "tct"),
        (SignalSource::Tdmrep, "tdmrep"),
        (SignalSource::XRobots, "x-robots"),
    ];
    for (source, name) in sources {
        assert_eq!((source.name(), source.to_string().as_str()), (name, name));
    }
    // The order of the reasons is that of the names.
    assert!(sources.is_sorted());
    for (scheme, name) in
        [(PriceScheme::CrawlerPrice, "crawler-price"), (PriceScheme::X402, "x402"), (PriceScheme::Rsl, "rsl")]
    {
        assert_eq!((scheme.name(), scheme.to_string().as_str()), (name, name));
    }
    for (user, name) in [
        (RslUser::Commercial, "commercial"),
        (RslUser::NonCommercial, "non-commercial"),
        (RslUser::Education, "education"),
        (RslUser::Government, "government"),
        (RslUser::Personal, "personal"),
    ] {
        assert_eq!((user.name(), user.to_string().as_str(), name.parse()), (name, name, Ok(user)));
    }
    let error = "business".parse::<RslUser>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected one of commercial, non-commercial, education, government, personal"
    );
    for (verdict, name) in [
        (RslVerdict::Permitted, "permitted"),
        (RslVerdict::Prohibited, "prohibited"),
        (RslVerdict::Unlisted, "unlisted"),
        (RslVerdict::None, "none"),
    ] {
        assert_eq!((verdict.name(), verdict.to_string().as_str()), (name, name));
    }
    for (source, name) in
        [(TdmSource::WellKnown, "well-known"), (TdmSource::Header, "header"), (TdmSource::Meta, "meta")]
    {
        assert_eq!((source.name(), source.to_string().as_str()), (name, name));
    }
    for (kind, name) in [
        (RslErrorKind::NotXml, "not-xml"),
        (RslErrorKind::NotConformant, "not-conformant"),
        (RslErrorKind::TooBig, "too-big"),
    ] {
        assert_eq!((kind.code(), kind.to_string().as_str()), (name, name));
    }
}

#[test]
fn a_reason_is_a_notice_at_its_signal() {
    let reasons = [
        (signal("search=no"), "says-no", "content-signal", "content-signal says no (search=no)"),
        (usage("search=y"), "says-yes", "aipref", "aipref says yes (search=y)"),
        (price(402, &[]), "says-offer", "price", "price says yes on condition of pay (status 402)"),
        (page("nocache"), "says-limit", "x-robots", "x-robots says only with no-cached-copy (nocache)"),
    ];
    for (signals, code, place, message) in reasons {
        let decision = decide(&signals, Purpose::Search, &[]);
        let [reason] = decision.reasons.as_slice() else { panic!("{decision}") };
        assert_eq!((reason.severity(), reason.code()), (Severity::Notice, code));
        assert_eq!(reason.place(), web_values::Place::named(place));
        assert_eq!((reason.message().as_ref(), reason.to_string().as_str()), (message, message));
    }
    assert!(
        decide(&page("noindex"), Purpose::Search, &[]).reasons.iter().all(|reason| reason.says == Says::No)
    );
}

#[test]
fn a_reservation_prints_as_a_sentence() {
    for (fields, sentence) in [
        (&[][..], "no statement about text and data mining"),
        (&[("tdm-policy", "https://a.example/p")], "no statement about text and data mining"),
        (&[("tdm-reservation", "1")], "text and data mining is reserved (header)"),
        (
            &[("tdm-reservation", "1"), ("tdm-policy", "https://a.example/p")],
            "text and data mining is reserved (header), policy https://a.example/p",
        ),
        (&[("tdm-reservation", "0")], "text and data mining is not reserved (header)"),
        // Where two fields differ, mining is reserved; other values state nothing.
        (&[("tdm-reservation", "0"), ("tdm-reservation", "1")], "text and data mining is reserved (header)"),
        (&[("tdm-reservation", "1"), ("tdm-reservation", "0")], "text and data mining is reserved (header)"),
        (&[("tdm-reservation", "2")], "no statement about text and data mining"),
    ] {
        assert_eq!(tdm(fields).tdmrep.to_string(), sentence, "{fields:?}");
    }
}

/// The stronger place wins for each of the two values, in whichever order the places are read.
#[test]
#[covers("TDM-2", "TDM-3", "TDM-4", "TDM-5")]
fn the_field_supersedes_the_file_in_any_order() {
    let file = br#"[{"tdm-reservation":0},{"location":"/b","tdm-reservation":0},
        {"location":"/a","tdm-reservation":1,"tdm-policy":"https://a.example/file"},
        {"location":"/a","tdm-reservation":0}]"#;
    for (fields, reservation, source, policy) in [
        (&[][..], Some(true), Some(TdmSource::WellKnown), Some("https://a.example/file")),
        (&[("tdm-reservation", "1")], Some(true), Some(TdmSource::Header), Some("https://a.example/file")),
        (&[("tdm-reservation", "0")], Some(false), Some(TdmSource::Header), None),
        (
            &[("tdm-policy", "https://a.example/field")],
            Some(true),
            Some(TdmSource::WellKnown),
            Some("https://a.example/field"),
        ),
        // Not an absolute http(s) URL: the file's stands.
        (&[("tdm-policy", "/p")], Some(true), Some(TdmSource::WellKnown), Some("https://a.example/file")),
    ] {
        let (mut file_first, mut field_first) = (TdmRep::default(), TdmRep::default());
        file_first.add_well_known("/a", file);
        file_first.add_headers(fields.iter().copied());
        field_first.add_headers(fields.iter().copied());
        field_first.add_well_known("/a", file);
        assert_eq!(file_first, field_first, "{fields:?}");
        let policy_of = |stated: &TdmRep| stated.policy().map(ToString::to_string);
        assert_eq!((file_first.reservation(), file_first.source()), (reservation, source), "{fields:?}");
        assert_eq!(policy_of(&file_first).as_deref(), policy, "{fields:?}");
    }
}

#[test]
#[covers("PRICE-3")]
fn amounts_are_three_capitals_and_a_decimal() {
    for text in ["USD 0.01", "EUR 12", "JPY 007.50"] {
        assert_eq!(Amount::parse(text).unwrap().to_string(), text);
    }
    for text in [
        "", "USD", "USD ", "USD  1", "US 1", "USDX 1", "usd 1", "USD 1.", "USD .1", "USD -1", "USD 1e2",
        "USD 1 ", "US1 1",
    ] {
        assert_eq!(Amount::parse(text), None, "{text:?}");
    }
}

#[test]
#[covers("PRICE-1", "PRICE-2", "PRICE-4")]
fn a_price_counts_with_its_status_and_alone() {
    let read = |status, fields: &[(&str, &str)]| {
        let price = UsePrice::of_response(status, fields.iter().copied());
        let text = |amount: &Option<Amount>| amount.as_ref().map(ToString::to_string);
        (price.is_asked, price.scheme.map(PriceScheme::name), text(&price.price), text(&price.charged))
    };
    let usd = || Some("USD 1".to_owned());
    for (status, fields, expected) in [
        (402, &[][..], (true, None, None, None)),
        (402, &[("Crawler-Price", "USD 1")], (true, Some("crawler-price"), usd(), None)),
        (402, &[("crawler-price", " USD 1\t")], (true, Some("crawler-price"), usd(), None)),
        (
            402,
            &[("crawler-price", "USD 1"), ("crawler-price", "USD 1")],
            (true, Some("crawler-price"), None, None),
        ),
        (402, &[("payment-required", "e30")], (true, Some("x402"), None, None)),
        (
            402,
            &[("payment-required", "e30"), ("crawler-price", "USD 1")],
            (true, Some("crawler-price"), usd(), None),
        ),
        (402, &[("www-authenticate", "License")], (true, Some("rsl"), None, None)),
        (401, &[("www-authenticate", "License")], (false, Some("rsl"), None, None)),
        (403, &[("www-authenticate", "License")], (false, None, None, None)),
        (401, &[("crawler-price", "USD 1"), ("payment-required", "e30")], (false, None, None, None)),
        (200, &[("crawler-price", "USD 1"), ("crawler-charged", "USD 1")], (false, None, None, usd())),
        (206, &[("crawler-charged", "USD 1")], (false, None, None, None)),
        (402, &[("crawler-charged", "USD 1")], (true, None, None, None)),
    ] {
        assert_eq!(read(status, fields), expected, "{status} {fields:?}");
    }
    let error = UsePrice::of_response(403, [("crawler-error", " a "), ("crawler-error", "b")]).error;
    assert_eq!(error.as_deref(), Some("a"));
    let linked = [("link", "<https://a.example/l.xml>; rel=license; type=application/rsl+xml")];
    assert_eq!(UsePrice::of_response(402, linked).licenses.len(), 1);
}

/// A response of the crate `http` is read like its status and fields.
#[cfg(feature = "http")]
#[test]
fn a_response_has_the_price_of_its_fields() {
    let response = http::Response::builder().status(402).header("Crawler-Price", "USD 1").body(()).unwrap();
    let price = UsePrice::of_http_response(&response);
    assert_eq!(price, UsePrice::of_response(402, [("crawler-price", "USD 1")]));
    assert!(price.is_asked && price.price.is_some(), "{price:?}");
}

/// The license's elements, each with what it makes of a licence; and each rule that a document can break.
#[test]
#[covers("RSL-5", "RSL-6", "RSL-15", "RSL-17")]
fn elements_of_a_licence_are_read_strictly() {
    let document = |root: &str, inside: &str| {
        format!(r#"<rsl xmlns="{}" {root}><content url="/">{inside}</content></rsl>"#, signals::RSL_NAMESPACE)
    };
    let read = |xml: &str| match RslDocument::parse(xml) {
        Ok(licence) => {
            let asset = signals::RslAsset::new("https://a.example/".parse().unwrap());
            let uses = licence.judge(&asset, &signals::RslCaller::default()).unwrap();
            let search = uses.get(Purpose::Search);
            format!("{} {}", search.verdict, search.obligations.join(" ")).trim().to_owned()
        }
        Err(error) => error.to_string().split(", found ").nth(1).unwrap().to_owned(),
    };
    for (inside, expected) in [
        ("", "permitted"),
        (r#"<permits type="usage">search</permits>"#, "permitted"),
        (r#"<permits type="usage">ai-all</permits>"#, "unlisted"),
        (r#"<permits type="usage">all</permits>"#, "permitted"),
        (r#"<permits type="usage">x:search</permits>"#, "unlisted"),
        (r#"<permits type="usage">x:search, search</permits>"#, "the word \"x:search,\""),
        (r#"<permits type="usage">Search</permits>"#, "the word \"Search\""),
        (r#"<permits type="usage">search</permits><permits type="usage"/>"#, "a second list of type usage"),
        (r#"<permits type="usage">search</permits><prohibits type="usage"/>"#, "permitted"),
        (r#"<prohibits type="usage">search</prohibits>"#, "prohibited"),
        (r#"<permits type="x:any">rubbish</permits>"#, "permitted"),
        (r#"<permits type="any">all</permits>"#, "a list of type \"any\""),
        ("<permits>all</permits>", "no attribute type"),
        (r#"<permits type="user">commercial</permits>"#, "permitted check:user"),
        (r#"<permits type="user">search</permits>"#, "the word \"search\""),
        (r#"<prohibits type="geo">EU US</prohibits>"#, "permitted check:geo"),
        (r#"<prohibits type="geo">USA</prohibits>"#, "the word \"USA\""),
        (r#"<prohibits type="geo">us</prohibits>"#, "the word \"us\""),
        (r#"<payment type="free"/>"#, "permitted"),
        ("<payment/>", "permitted"),
        ("<payment><custom>x</custom></payment>", "permitted pay:custom"),
        ("<payment><accepts>x</accepts></payment>", "permitted pay:custom"),
        ("<payment><standard>x</standard></payment>", "permitted"),
        (r#"<payment><x xmlns="f"/></payment>"#, "permitted"),
        (r#"<payment><custom xmlns="f"/></payment>"#, "permitted"),
        (r#"<payment><amount currency="USD">1.5</amount></payment>"#, "permitted pay:custom"),
        (r#"<payment type="crawl"><amount currency="USD">1.5</amount></payment>"#, "permitted pay:crawl"),
        (r#"<payment type="x:barter"/>"#, "permitted pay:custom"),
        (r#"<payment type="barter"/>"#, "a payment of type \"barter\""),
        (
            r#"<payment><amount currency="usd">1</amount></payment>"#,
            "an amount that is not a decimal with a currency of three capitals",
        ),
        (
            r#"<payment><amount currency="USDX">1</amount></payment>"#,
            "an amount that is not a decimal with a currency of three capitals",
        ),
        (
            r#"<payment><amount currency="USD">1,5</amount></payment>"#,
            "an amount that is not a decimal with a currency of three capitals",
        ),
        (
            r#"<payment><amount>1</amount></payment>"#,
            "an amount that is not a decimal with a currency of three capitals",
        ),
        (
            r#"<reporting type="audit"/><payment type="use"/><reporting type="audit"/>"#,
            "permitted pay:use report:audit",
        ),
        (r#"<reporting type="gossip"/>"#, "reporting of type \"gossip\""),
        ("<reporting/>", "no attribute type"),
        // Foreign elements are skipped with all that is in them.
        (r#"<x xmlns="f"><permits xmlns="https://rslstandard.org/rsl"/></x>"#, "permitted"),
        ("<permit/>", "the element \"permit\""),
        ("<content/>", "\"content\" in \"license\""),
        ("<amount/>", "\"amount\" in \"license\""),
        ("<legal/><terms/>", "permitted"),
    ] {
        assert_eq!(read(&document("", &format!("<license>{inside}</license>"))), expected, "{inside}");
    }
    assert_eq!(read(&document("", "")), "a content without license");
    assert_eq!(read(&document("", "<license/>").replace("url", "uri")), "a content without url");
    assert_eq!(
        read(&document("", "<license/>").replace("rslstandard", "other")),
        "another root element or namespace"
    );
    let rss = "<rss xmlns=\"https://rslstandard.org/rsl\"/>";
    assert_eq!(read(rss), "another root element or namespace");
    let max_age = |days: &str| {
        let xml = document(&format!("max-age=\"{days}\""), "<license/>");
        RslDocument::parse(&xml).map(|licence| licence.max_age_days()).map_err(|error| error.kind())
    };
    assert_eq!((max_age("1"), max_age(" 90 ")), (Ok(1), Ok(90)));
    for days in ["0", "", "-1", "+1", "1.5", "week", "99999999999999999999"] {
        assert_eq!(max_age(days), Err(RslErrorKind::NotConformant), "{days:?}");
    }
    assert_eq!(RslDocument::parse(&document("", "<license/>")).unwrap().max_age_days(), 30);
    for (server, expected) in [("server=\"https://s.example\"", true), ("server=\" \"", false)] {
        let xml = document("", "<license/>").replace("url=\"/\"", &format!("url=\"/\" {server}"));
        assert_eq!(read(&xml), if expected { "permitted licence-token" } else { "permitted" });
    }
    for (value, expected) in [("true", true), ("1", true), ("false", false), ("TRUE", true)] {
        let xml =
            document("", "<license/>").replace("url=\"/\"", &format!("url=\"/\" encrypted=\"{value}\""));
        assert_eq!(read(&xml), if expected { "permitted licence-token" } else { "permitted" }, "{value}");
    }
}

/// XML that is no XML: the error stands on a character of the text, at the place where reading stopped.
#[test]
#[covers("RSL-7")]
fn what_is_not_xml_is_refused_where_it_stops() {
    for (xml, at) in [("<a>\n<é/></b>", "</b>"), ("<a>\r\n\n<b></c></a>", "</c>"), ("<a/><b/>", "<b/>")] {
        let error = RslDocument::parse(xml).unwrap_err();
        assert_eq!((error.kind(), error.requirement()), (RslErrorKind::NotXml, "RSL-7"));
        assert_eq!(error.offset(), xml.find(at).unwrap(), "{xml:?}: {error}");
    }
    let dtd = RslDocument::parse("<!DOCTYPE rsl [<!ENTITY x \"y\">]><rsl/>").unwrap_err();
    assert_eq!(dtd.kind(), RslErrorKind::NotXml);
    assert!(
        dtd.to_string().starts_with("expected well-formed XML without a document type at byte "),
        "{dtd}"
    );
    let deep = RslDocument::parse(&"<a>".repeat(101)).unwrap_err();
    assert_eq!(
        (deep.to_string().as_str(), deep.offset(), deep.code(), web_values::Finding::requirement(&deep)),
        (
            "expected a document within the limits at byte 300, found more than 100 levels",
            300,
            "too-big",
            Some("RSL-7")
        )
    );
}
