//! The published vectors of `signals.*`, each against the public API.
#![cfg(all(feature = "html", feature = "serde"))]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a failed test may panic")]

use robots::{Directives, Preference, Preferences, RequestPath, Robots};
use serde_json::{Map, Value, json};
use signals::{
    Amount, PriceScheme, Purpose, RslAsset, RslCaller, RslDocument, RslLinks, RslState, Signals, TctPolicy,
    TdmRep, TdmSource, UseDecision, UsePrice, decide,
};
use url::Url;

type Input = Map<String, Value>;

/// An operation's answer, or the kind of its error.
type Answer = Result<Value, String>;

fn text<'a>(input: &'a Input, name: &str) -> Option<&'a str> {
    input.get(name).filter(|value| !value.is_null()).map(|text| text.as_str().unwrap())
}

fn texts<'a>(input: &'a Input, name: &str) -> Vec<&'a str> {
    let items = input.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    items.iter().map(|text| text.as_str().unwrap()).collect()
}

fn headers(input: &Input) -> Vec<(&str, &str)> {
    let pairs = input.get("headers").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    pairs.iter().map(|pair| (pair[0].as_str().unwrap(), pair[1].as_str().unwrap())).collect()
}

fn page(input: &Input) -> Url {
    text(input, "url").unwrap().parse().unwrap()
}

fn urls(urls: &[Url]) -> Vec<&str> {
    urls.iter().map(Url::as_str).collect()
}

fn content_signal(input: &Input) -> Answer {
    let values = texts(input, "values");
    let stated = Preferences::of_headers(values.into_iter().map(|value| ("content-signal", value)));
    let word = |stated| if stated == Preference::Yes { "yes" } else { "no" };
    let mut signals: Input =
        stated.signals().map(|(name, stated)| (name.to_string(), json!(word(stated)))).collect();
    if let Some(ceiling) = stated.use_ceiling() {
        signals.insert("use".to_owned(), json!(ceiling.name()));
    }
    Ok(json!({ "signals": signals }))
}

fn license(input: &Input) -> Answer {
    let robots = Robots::parse(text(input, "robots").unwrap_or_default().as_bytes());
    let agents = texts(input, "agents");
    let found = robots.licenses(agents.as_slice());
    Ok(json!({
        "robots": found.urls,
        "scope": found.scope.name(),
        "elsewhere": found.elsewhere,
        "links": urls(&RslLinks::of_headers(headers(input)).urls),
    }))
}

fn rsl(input: &Input) -> Answer {
    let document = RslDocument::parse(text(input, "xml").unwrap()).map_err(|e| e.kind().code().to_owned())?;
    let mut asset = RslAsset::new(page(input));
    if input.get("associated") == Some(&json!(true)) {
        asset = asset.associated();
    }
    let mut caller = RslCaller::default();
    if let Some(user) = text(input, "user") {
        caller = caller.user(user.parse().unwrap());
    }
    if let Some(country) = text(input, "geo") {
        caller = caller.country(country.parse().unwrap());
    }
    let uses = document.judge(&asset, &caller);
    let applies = uses.is_some();
    // The protocol has no place for how much an obligation to pay comes to.
    let uses: Map<String, Value> = uses
        .unwrap_or_default()
        .iter()
        .map(|(purpose, stated)| {
            let stated = json!({ "verdict": stated.verdict.name(), "obligations": stated.obligations });
            (purpose.name().to_owned(), stated)
        })
        .collect();
    Ok(json!({ "applies": applies, "max_age_days": document.max_age_days(), "uses": uses }))
}

fn tdmrep(input: &Input) -> Answer {
    let mut stated = TdmRep::default();
    if let Some(file) = text(input, "well_known") {
        stated.add_well_known(RequestPath::of_url(page(input).as_str()), file.as_bytes());
    }
    stated.add_headers(headers(input));
    if let Some(html) = text(input, "html") {
        stated.add_html(html.as_bytes());
    }
    let problems: &[&str] = if stated.is_file_unreadable() { &["well-known"] } else { &[] };
    Ok(json!({
        "reservation": stated.reservation().map(u8::from),
        "policy": stated.policy(),
        "source": stated.source().map(TdmSource::name),
        "problems": problems,
    }))
}

fn price(input: &Input) -> Answer {
    let status = input.get("status").map_or(0, |status| u16::try_from(status.as_u64().unwrap()).unwrap());
    let price = UsePrice::of_response(status, headers(input));
    let amount = |amount: &Option<Amount>| {
        amount.as_ref().map(|amount| json!({ "currency": amount.currency, "amount": amount.amount }))
    };
    Ok(json!({
        "scheme": price.scheme.map(PriceScheme::name),
        "price": amount(&price.price),
        "charged": amount(&price.charged),
        "error": price.error,
        "licenses": urls(&price.licenses),
    }))
}

fn decision(input: &Input) -> Answer {
    let purpose = |name: &str| name.parse::<Purpose>().map_err(|_| "bad-purpose".to_owned());
    let wanted = purpose(text(input, "purpose").unwrap())?;
    let agreements = texts(input, "agreement").into_iter().map(purpose).collect::<Result<Vec<_>, _>>()?;
    let stated = input.get("signals").and_then(Value::as_object).cloned().unwrap_or_default();
    let UseDecision { verdict, by, obligations, caveats, .. } =
        decide(&signals(&stated), wanted, &agreements);
    let by: Vec<&str> = by.iter().map(|source| source.name()).collect();
    Ok(json!({ "decision": verdict.name(), "by": by, "obligations": obligations, "caveats": caveats }))
}

/// The signals in the forms in which the other operations give them.
fn signals(stated: &Input) -> Signals {
    let fields = |member: &str, name: &'static str| -> Vec<(&str, String)> {
        let members = stated.get(member).and_then(Value::as_object).into_iter().flatten();
        members.map(|(key, value)| (name, format!("{key}={}", value.as_str().unwrap_or_default()))).collect()
    };
    let preferences =
        [fields("content_usage", "content-usage"), fields("content_signal", "content-signal")].concat();
    let directives: Vec<(&str, &str)> =
        texts(stated, "x_robots").into_iter().map(|directive| ("x-robots-tag", directive)).collect();
    let rsl = stated.get("rsl").filter(|rsl| !rsl.is_null()).map(|rsl| match rsl["state"] == "unlicensed" {
        true => RslState::Unlicensed,
        false => RslState::Licensed(
            serde_json::from_value(rsl.get("uses").cloned().unwrap_or_else(|| json!({}))).unwrap(),
        ),
    });
    let none = Value::Null;
    let tdm = stated.get("tdmrep").unwrap_or(&none);
    let mut tdmrep = TdmRep::default();
    let reservation = tdm["reservation"].as_u64().map(|number| number.to_string());
    tdmrep.add_headers(reservation.iter().map(|value| ("tdm-reservation", value.as_str())));
    tdmrep.add_headers(tdm["policy"].as_str().map(|value| ("tdm-policy", value)));
    let tct = stated.get("tct").unwrap_or(&none);
    let requires = |name: &str| {
        tct["requires"].as_array().is_some_and(|required| required.iter().any(|value| *value == name))
    };
    let price = stated.get("price").filter(|price| !price.is_null()).map(|stated| {
        let status = if stated["charged"].is_object() { 200 } else { 402 };
        let asked = &stated["price"];
        let amount = asked["currency"].as_str().zip(asked["amount"].as_str());
        let amount = amount.map(|(currency, amount)| format!("{currency} {amount}"));
        UsePrice::of_response(status, amount.as_deref().map(|amount| ("crawler-price", amount)))
    });
    Signals {
        may_fetch: text(stated, "robots").map(|robots| robots == "allowed"),
        preferences: Preferences::of_headers(preferences.iter().map(|(name, value)| (*name, value.as_str()))),
        rsl,
        tdmrep,
        directives: Directives::of_headers(directives, "conformance"),
        tct: TctPolicy {
            allow_search_indexing: tct["allow_search_indexing"].as_bool(),
            allow_ai_input: tct["allow_ai_input"].as_bool(),
            allow_ai_train: tct["allow_ai_train"].as_bool(),
            requires_attribution: requires("attribution"),
            requires_link_back: requires("link_back"),
            requires_notice: requires("notice"),
        },
        price: price.unwrap_or_default(),
    }
}

#[test]
fn every_vector_gets_its_expected_answer() {
    let (mut sets, mut cases) = (0, 0);
    for name in spec_vectors::names().filter(|name| name.starts_with("signals/")) {
        let set = spec_vectors::set(name).unwrap();
        sets += 1;
        for case in &set.cases {
            let operation = match case.op_in(&set) {
                "signals.content_signal" => content_signal,
                "signals.decide" => decision,
                "signals.license" => license,
                "signals.price" => price,
                "signals.rsl" => rsl,
                "signals.tdmrep" => tdmrep,
                other => panic!("{other}"),
            };
            let answer = match operation(&case.input) {
                Ok(ok) => json!({ "ok": ok }),
                Err(kind) => json!({ "err": { "kind": kind } }),
            };
            assert!(case.passes(&answer), "{}: {answer}", case.id);
            cases += 1;
        }
    }
    assert!(sets == 6 && cases > 200, "{sets} sets, {cases} cases");
}
