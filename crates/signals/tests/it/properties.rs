//! What holds for every combination of signals.

#![allow(clippy::unwrap_used, reason = "tests say what they expect in the plainest way")]

use covers::covers;
use proptest::prelude::*;
use robots::{Directives, Preferences};
use signals::{
    ByPurpose, Purpose, RslAsset, RslCaller, RslDocument, RslState, RslUse, RslVerdict, Signals, TctPolicy,
    TdmRep, UsePrice, Verdict, decide,
};

fn signals() -> impl Strategy<Value = Signals> {
    let fields = proptest::collection::vec(
        prop_oneof![
            Just(("content-usage", "train-ai=n")),
            Just(("content-usage", "ai-use=y, search=y")),
            Just(("content-signal", "ai-train=yes, search=no")),
            Just(("content-signal", "ai-input=yes, use=reference")),
            Just(("content-signal", "use=immediate")),
            Just(("x-robots-tag", "noai")),
            Just(("x-robots-tag", "noindex, noarchive")),
            Just(("x-robots-tag", "nosnippet")),
            Just(("tdm-reservation", "1")),
            Just(("tdm-reservation", "0")),
            Just(("tdm-policy", "https://a.example/p")),
        ],
        0..4,
    );
    let verdict = prop_oneof![
        Just(RslVerdict::Permitted),
        Just(RslVerdict::Prohibited),
        Just(RslVerdict::Unlisted),
        Just(RslVerdict::None)
    ];
    let rsl = proptest::option::of((verdict, any::<bool>(), any::<bool>()));
    let tct = (any::<Option<bool>>(), any::<Option<bool>>(), any::<bool>());
    (fields, rsl, tct, proptest::option::of(any::<bool>()), any::<bool>()).prop_map(
        |(fields, rsl, (input, train, attribution), may_fetch, is_paid)| {
            let mut tdmrep = TdmRep::default();
            tdmrep.add_headers(fields.iter().copied());
            Signals {
                may_fetch,
                preferences: Preferences::of_headers(fields.iter().copied()),
                rsl: rsl.map(|(verdict, asks, is_readable)| match is_readable {
                    false => RslState::Unlicensed,
                    true => RslState::Licensed(ByPurpose::from_fn(|_| RslUse {
                        verdict,
                        obligations: if asks { vec!["attribution".to_owned()] } else { Vec::new() },
                        ..RslUse::default()
                    })),
                }),
                tdmrep,
                directives: Directives::of_headers(fields.iter().copied(), "bot"),
                tct: TctPolicy {
                    allow_ai_input: input,
                    allow_ai_train: train,
                    requires_attribution: attribution,
                    ..TctPolicy::default()
                },
                price: UsePrice::of_response(if is_paid { 402 } else { 200 }, []),
            }
        },
    )
}

/// How permissive an answer is.
fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Deny | Verdict::Later => 0,
        Verdict::Unstated => 1,
        Verdict::Conditional => 2,
        Verdict::Allow => 3,
    }
}

proptest! {
    /// One more no denies, and whoever says it is named.
    #[test]
    #[covers("SIGNAL-D-4")]
    fn one_more_no_denies(signals in signals()) {
        for purpose in Purpose::ALL {
            let mut with_no = signals.clone();
            with_no.rsl = Some(RslState::Unlicensed);
            let decision = decide(&with_no, purpose, &[]);
            prop_assert_eq!(decision.verdict, Verdict::Deny);
            prop_assert!(signals.may_fetch == Some(false) || decision.by.contains(&signals::SignalSource::Rsl));
        }
    }

    /// A contract never opens what robots.txt closes, and never makes an answer stricter.
    #[test]
    #[covers("SIGNAL-D-2", "SIGNAL-D-9")]
    fn a_contract_only_lifts(signals in signals()) {
        for purpose in Purpose::ALL {
            let (without, with) = (decide(&signals, purpose, &[]), decide(&signals, purpose, &[purpose]));
            prop_assert!(rank(with.verdict) >= rank(without.verdict), "{} {}", without, with);
            prop_assert_eq!(signals.may_fetch == Some(false), with.verdict == Verdict::Deny);
        }
    }

    /// The answer follows from the reasons.
    #[test]
    #[covers("SIGNAL-D-5", "SIGNAL-D-7")]
    fn the_answer_follows_from_its_reasons(signals in signals()) {
        use signals::Says;
        for purpose in Purpose::ALL {
            let decision = decide(&signals, purpose, &[]);
            let says = |wanted: fn(&Says) -> bool| decision.reasons.iter().any(|reason| wanted(&reason.says));
            let expected = if says(|says| *says == Says::No) {
                Verdict::Deny
            } else if says(|says| matches!(says, Says::Offer(_))) {
                Verdict::Conditional
            } else if !says(|says| *says == Says::Yes) {
                Verdict::Unstated
            } else if says(|says| matches!(says, Says::Limit(_))) {
                Verdict::Conditional
            } else {
                Verdict::Allow
            };
            prop_assert_eq!(decision.verdict, expected);
            prop_assert_eq!(decision.by.is_empty(), expected == Verdict::Unstated);
            prop_assert!(expected != Verdict::Conditional || !decision.obligations.is_empty());
        }
    }

    /// A licence, spoilt here and there: it is refused at a place in it, or judged, and nothing that it does not say is
    /// permitted.
    #[test]
    fn a_spoilt_licence_permits_nothing_new(xml in licence()) {
        let xml = String::from_utf8_lossy(&xml);
        match RslDocument::parse(&xml) {
            Err(error) => prop_assert!(error.offset() <= xml.len(), "{} of {}", error, xml.len()),
            Ok(licence) => {
                let asset = RslAsset::new("https://a.example/x".parse().unwrap());
                let uses = licence.judge(&asset, &RslCaller::default());
                for purpose in Purpose::ALL {
                    let is_permitted = uses.as_ref().is_some_and(|uses| uses.get(purpose).verdict == RslVerdict::Permitted);
                    prop_assert!(!is_permitted || xml.contains("permits"), "{}", xml);
                }
                prop_assert_eq!(licence.judge(&asset, &RslCaller::default()), uses);
            }
        }
    }

    /// A TDM file, spoilt here and there: it is unreadable where it is not an array of JSON, and reserves what its first
    /// entry for the path says.
    #[test]
    fn a_spoilt_tdm_file_says_what_its_json_says(file in tdm_file()) {
        let mut tdmrep = TdmRep::default();
        tdmrep.add_well_known("/a/b", &file);
        let json: Option<serde_json::Value> = serde_json::from_slice(&file).ok();
        let entries = json.as_ref().and_then(|json| json.as_array());
        if let (Some(entries), false) = (entries, tdmrep.is_file_unreadable()) {
            let of_path = |entry: &&serde_json::Value| matches!(entry["location"].as_str(), Some("/" | "/a" | "/a/*" | "*"));
            // Locations that the edits made are not judged again here.
            let is_known = entries.iter().all(|entry| entry["location"].is_null() || of_path(&entry) || entry["location"] == "/z");
            if is_known {
                // As a number: 1.0 is 1.
                let stated = entries.iter().find(of_path).and_then(|entry| entry["tdm-reservation"].as_f64());
                let expected = [(0.0, false), (1.0, true)].into_iter().find(|(number, _)| stated == Some(*number));
                let expected = expected.map(|(_, reserved)| reserved);
                prop_assert_eq!(tdmrep.reservation(), expected);
            }
        } else {
            // The one grammar is stricter than serde_json in one point: a repeated name.
            prop_assert!(entries.is_none() || tdmrep.is_file_unreadable());
            prop_assert_eq!(tdmrep.reservation(), None);
        }
    }
}

fn licence() -> impl Strategy<Value = Vec<u8>> {
    edited(
        r#"<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><permits type="usage">search ai-input</permits><prohibits type="usage">ai-train</prohibits><payment type="purchase"><amount currency="USD">0.5</amount></payment></license></content></rsl>"#,
        &[
            "<",
            ">",
            "/",
            "\"",
            "&amp;",
            "&x",
            "all",
            " ",
            "<license>",
            "</license>",
            "<!--",
            "-->",
            "usage",
            "é",
            "]]>",
        ],
    )
}

fn tdm_file() -> impl Strategy<Value = Vec<u8>> {
    edited(
        r#"[{"location":"/z","tdm-reservation":0},{"location":"/a","tdm-reservation":1,"tdm-policy":"https://a.example/p"},{"location":"*","tdm-reservation":0}]"#,
        &["0", "1", "\"", "[", "]", "{}", ",", "null", "\"/a\"", "true", "1.0", "\\u0061"],
    )
}

#[test]
fn a_good_part_of_the_spoilt_files_is_read() {
    let licences = share(licence(), |xml| RslDocument::parse(&String::from_utf8_lossy(&xml)).is_ok());
    let files = share(tdm_file(), |file| {
        let mut tdmrep = TdmRep::default();
        tdmrep.add_well_known("/a/b", &file);
        tdmrep.reservation().is_some()
    });
    for read in [licences, files] {
        assert!((40..190).contains(&read), "{licences} {files} of 200");
    }
}

/// A text with up to three edits: a few bytes gone, a piece in their place.
fn edited(text: &'static str, pieces: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    let edit = (any::<prop::sample::Index>(), 0..4_usize, prop::sample::select(pieces));
    prop::collection::vec(edit, 0..4).prop_map(move |edits| {
        let mut bytes = text.as_bytes().to_vec();
        for (at, gone, piece) in edits {
            let at = at.index(bytes.len() + 1);
            bytes.splice(at..(at + gone).min(bytes.len()), piece.bytes());
        }
        bytes
    })
}

/// How many of 200 inputs pass: a strategy whose inputs are all refused at once tests nothing.
fn share<T: std::fmt::Debug>(strategy: impl Strategy<Value = T>, passes: impl Fn(T) -> bool) -> usize {
    use proptest::strategy::ValueTree as _;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    (0..200).filter(|_| passes(strategy.new_tree(&mut runner).unwrap().current())).count()
}
