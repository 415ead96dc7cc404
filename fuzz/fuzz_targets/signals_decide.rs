//! Signals from strangers and one decision over them: nothing permits what nobody stated, a no is never lost, and each
//! answer names who said so.
#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use robots::{Directives, Preferences, RequestPath, Robots};
use signals::{
    Amount, Purpose, RslAsset, RslCaller, RslDocument, RslLinks, RslState, Signals, TctPolicy, TdmRep, Verdict, decide,
};
use url::Url;

/// What a site says, in its places.
#[derive(Debug, Arbitrary)]
struct Input<'a> {
    may_fetch: Option<bool>,
    robots: &'a [u8],
    headers: Vec<(u8, &'a str)>,
    html: &'a [u8],
    tdm_file: &'a [u8],
    rsl: Option<RslText<'a>>,
    tct: [Option<bool>; 3],
    path: &'a str,
}

/// A licence that is nearly right, so that the checks behind the XML reader are reached, or any text.
#[derive(Debug, Arbitrary)]
enum RslText<'a> {
    Raw(&'a str),
    Framed { url: &'a str, licenses: Vec<(bool, u8, &'a str)>, amount: &'a str },
}

const HEADERS: [&str; 6] =
    ["content-usage", "content-signal", "x-robots-tag", "tdm-reservation", "tdm-policy", "link"];

fuzz_target!(|input: Input<'_>| {
    let path = RequestPath::new(input.path);
    let robots = Robots::parse(input.robots);
    let headers = || input.headers.iter().map(|(name, value)| (HEADERS[usize::from(*name) % 6], *value));
    let mut directives = Directives::of_headers(headers(), "AIWebIndex");
    directives.add_html(input.html, "AIWebIndex");
    let mut tdmrep = TdmRep::default();
    tdmrep.add_well_known(path.clone(), input.tdm_file);
    tdmrep.add_headers(headers());
    tdmrep.add_html(input.html);
    let _ = RslLinks::of_headers(headers());
    let base = Url::parse("https://a.example/").unwrap();
    let found = RslLinks::of_html(input.html, &base);
    assert!(found.urls.iter().all(|url| matches!(url.scheme(), "http" | "https")));
    let _ = Amount::parse(input.path);
    let text = input.rsl.as_ref().map(rsl);
    let licence = text.as_deref().and_then(|text| RslDocument::parse(text).ok());
    let asset = RslAsset::new(base.join(input.path).unwrap_or(base));
    let rsl = text.map(|_| match licence {
        Some(licence) => RslState::Licensed(licence.judge(&asset, &RslCaller::default()).unwrap_or_default()),
        None => RslState::Unlicensed,
    });
    let [search, ai_input, ai_train] = input.tct;
    let signals = Signals {
        may_fetch: input.may_fetch,
        preferences: Preferences::of_robots(&robots, "AIWebIndex", path),
        rsl,
        tdmrep,
        directives,
        tct: TctPolicy {
            allow_search_indexing: search,
            allow_ai_input: ai_input,
            allow_ai_train: ai_train,
            ..TctPolicy::default()
        },
        ..Signals::default()
    };
    for purpose in Purpose::ALL {
        let decision = decide(&signals, purpose, &[]);
        assert_eq!(decision, decide(&signals, purpose, &[]));
        assert!(!decision.to_string().is_empty());
        match decision.verdict {
            Verdict::Unstated => assert!(decision.by.is_empty()),
            _ => assert!(!decision.by.is_empty(), "{decision}"),
        }
        if input.may_fetch == Some(false) {
            assert_eq!(decision.verdict, Verdict::Deny);
        }
        // A reader that finds less may not be told more.
        let silent = decide(&Signals::default(), purpose, &[]);
        assert_eq!(silent.verdict, Verdict::Unstated);
    }
});

fn rsl(text: &RslText<'_>) -> String {
    const USES: [&str; 7] = ["all", "ai-all", "ai-train", "ai-input", "ai-index", "search", "x"];
    match text {
        RslText::Raw(text) => (*text).to_owned(),
        RslText::Framed { url, licenses, amount } => {
            let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
            let rules: String = licenses
                .iter()
                .map(|(permits, usage, text)| {
                    let name = if *permits { "permits" } else { "prohibits" };
                    let kind = ["usage", "user", "geo"][usize::from(*usage >> 4) % 3];
                    let value = if text.is_empty() { USES[usize::from(*usage) % 7].to_owned() } else { escape(text) };
                    format!("<{name} type=\"{kind}\">{value}</{name}>")
                })
                .collect();
            format!(
                "<rsl xmlns=\"https://rslstandard.org/rsl\"><content url=\"{}\"><license>{rules}<payment type=\"crawl\"><amount currency=\"USD\">{}</amount></payment></license></content></rsl>",
                escape(url),
                escape(amount)
            )
        }
    }
}
