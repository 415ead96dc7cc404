//! What holds for every combination of signals.

#![allow(clippy::unwrap_used, reason = "tests say what they expect in the plainest way")]

use covers::covers;
use proptest::prelude::*;
use robots::{Directives, Preferences};
use signals::{
    ByPurpose, Purpose, RslDocument, RslState, RslUse, RslVerdict, Signals, TctPolicy, TdmRep, UsePrice,
    Verdict, decide,
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
        Verdict::Deny => 0,
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

    #[test]
    fn any_text_is_read_without_a_panic(xml in "(<|>|/|rsl|content| url=\"/\"| xmlns=\"https://rslstandard.org/rsl\"|license|\\PC){0,40}") {
        let _ = RslDocument::parse(&xml);
        let mut tdmrep = TdmRep::default();
        tdmrep.add_well_known("/", xml.as_bytes());
    }
}
