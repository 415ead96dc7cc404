//! `signals.*`: the crate aiweb-signals.

use robots::{Directives, Preferences, Robots};
use serde_json::{Map, Value, json};
use signals::{
    Amount, Purpose, RslAsset, RslCaller, RslDocument, RslLinks, RslState, RslUses, Signals, TctPolicy,
    TdmRep, UseDecision, UsePrice, decide,
};
use url::Url;

use crate::{Input, Op, OpError, text};

/// The operations of this module.
pub const OPS: &[(&str, Op)] = &[
    ("signals.content_signal", |input| text(content_signal(input))),
    ("signals.decide", |input| text(decision(input))),
    ("signals.license", |input| text(license(input))),
    ("signals.price", |input| text(price(input))),
    ("signals.rsl", |input| text(rsl(input))),
    ("signals.tdmrep", |input| text(tdmrep(input))),
];

fn content_signal(input: &Input<'_>) -> Result<Value, OpError> {
    let values = input.texts("values")?;
    let stated = Preferences::of_headers(values.into_iter().map(|value| ("content-signal", value)));
    let yes_or_no = |preference| if preference == robots::Preference::Yes { "yes" } else { "no" };
    let mut signals: Map<String, Value> =
        stated.signals().map(|(name, stated)| (name.to_string(), json!(yes_or_no(stated)))).collect();
    if let Some(ceiling) = stated.use_ceiling() {
        signals.insert("use".to_owned(), json!(ceiling.name()));
    }
    Ok(json!({ "signals": signals }))
}

fn license(input: &Input<'_>) -> Result<Value, OpError> {
    let robots = Robots::parse(input.text("robots")?.as_bytes());
    let agents = input.texts("agents")?;
    let found = robots.licenses(agents.as_slice());
    Ok(json!({
        "robots": found.urls,
        "scope": found.scope.name(),
        "elsewhere": found.elsewhere,
        "links": urls(&RslLinks::of_headers(input.pairs_opt("headers")?).urls),
    }))
}

fn rsl(input: &Input<'_>) -> Result<Value, OpError> {
    let document =
        RslDocument::parse(input.text("xml")?).map_err(|error| OpError::new(error.kind().code(), error))?;
    let mut asset = RslAsset::new(url(input)?);
    if input.bool_opt("associated")?.unwrap_or(false) {
        asset = asset.associated();
    }
    let mut caller = RslCaller::default();
    if let Some(user) = input.text_opt("user")? {
        caller = caller.user(user.parse().map_err(|error| OpError::new("bad-request", error))?);
    }
    if let Some(country) = input.text_opt("geo")? {
        caller = caller.country(country.parse().map_err(|error| OpError::new("bad-request", error))?);
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

fn tdmrep(input: &Input<'_>) -> Result<Value, OpError> {
    let url = url(input)?;
    let mut stated = TdmRep::default();
    if let Some(file) = input.text_opt("well_known")? {
        stated.add_well_known(robots::RequestPath::of_url(url.as_str()), file.as_bytes());
    }
    stated.add_headers(input.pairs_opt("headers")?);
    if let Some(html) = input.text_opt("html")? {
        stated.add_html(html.as_bytes());
    }
    let problems: &[&str] = if stated.is_file_unreadable() { &["well-known"] } else { &[] };
    Ok(json!({
        "reservation": stated.reservation().map(u8::from),
        "policy": stated.policy(),
        "source": stated.source().map(signals::TdmSource::name),
        "problems": problems,
    }))
}

fn price(input: &Input<'_>) -> Result<Value, OpError> {
    let price = UsePrice::of_response(input.status("status")?, input.pairs("headers")?);
    let amount = |amount: &Option<Amount>| {
        amount.as_ref().map(|amount| json!({ "currency": amount.currency, "amount": amount.amount }))
    };
    Ok(json!({
        "scheme": price.scheme.map(signals::PriceScheme::name),
        "price": amount(&price.price),
        "charged": amount(&price.charged),
        "error": price.error,
        "licenses": urls(&price.licenses),
    }))
}

fn decision(input: &Input<'_>) -> Result<Value, OpError> {
    let purpose = purpose(input.text("purpose")?)?;
    let agreements: Vec<Purpose> =
        input.texts_opt("agreement")?.into_iter().map(self::purpose).collect::<Result<_, _>>()?;
    let UseDecision { verdict, by, obligations, caveats, .. } =
        decide(&signals(input.object("signals")?)?, purpose, &agreements);
    let by: Vec<&str> = by.iter().map(|source| source.name()).collect();
    Ok(json!({ "decision": verdict.name(), "by": by, "obligations": obligations, "caveats": caveats }))
}

/// The signals in the forms in which the other operations give them.
fn signals(stated: &Map<String, Value>) -> Result<Signals, OpError> {
    let (stated, nothing) = (Input::new(stated), Map::new());
    let fields = |member: &str, name: &'static str| -> Result<Vec<(&str, String)>, OpError> {
        let members = stated.object_opt(member)?.unwrap_or(&nothing);
        let value = |key: &String| Ok((name, format!("{key}={}", Input::new(members).text(key)?)));
        members.keys().map(value).collect()
    };
    let preferences =
        [fields("content_usage", "content-usage")?, fields("content_signal", "content-signal")?].concat();
    let directives: Vec<(&str, &str)> =
        stated.texts_opt("x_robots")?.into_iter().map(|directive| ("x-robots-tag", directive)).collect();
    Ok(Signals {
        may_fetch: match stated.text_opt("robots")? {
            None => None,
            Some("allowed") => Some(true),
            Some("disallowed") => Some(false),
            Some(other) => {
                return Err(OpError::new("bad-request", format!("in.signals.robots: no {other:?}")));
            }
        },
        preferences: Preferences::of_headers(preferences.iter().map(|(name, value)| (*name, value.as_str()))),
        rsl: stated.object_opt("rsl")?.map(rsl_state).transpose()?,
        tdmrep: stated.object_opt("tdmrep")?.map(tdm).transpose()?.unwrap_or_default(),
        directives: Directives::of_headers(directives, "conformance"),
        tct: stated.object_opt("tct")?.map(tct).transpose()?.unwrap_or_default(),
        price: stated.object_opt("price")?.map(price_asked).transpose()?.unwrap_or_default(),
    })
}

fn rsl_state(stated: &Map<String, Value>) -> Result<RslState, OpError> {
    let stated = Input::new(stated);
    match stated.text("state")? {
        "unlicensed" => Ok(RslState::Unlicensed),
        "licensed" => {
            let uses = stated.get("uses").cloned().unwrap_or_else(|| json!({}));
            let uses: RslUses =
                serde_json::from_value(uses).map_err(|error| OpError::new("bad-request", error))?;
            Ok(RslState::Licensed(uses))
        }
        other => Err(OpError::new("bad-request", format!("in.signals.rsl.state: no {other:?}"))),
    }
}

fn tdm(stated: &Map<String, Value>) -> Result<TdmRep, OpError> {
    let (stated, mut tdmrep) = (Input::new(stated), TdmRep::default());
    let reservation = stated.u64_opt("reservation")?.map(|number| number.to_string());
    tdmrep.add_headers(reservation.iter().map(|value| ("tdm-reservation", value.as_str())));
    tdmrep.add_headers(stated.text_opt("policy")?.map(|value| ("tdm-policy", value)));
    Ok(tdmrep)
}

fn tct(stated: &Map<String, Value>) -> Result<TctPolicy, OpError> {
    let stated = Input::new(stated);
    let required = stated.texts_opt("requires")?;
    Ok(TctPolicy {
        allow_search_indexing: stated.bool_opt("allow_search_indexing")?,
        allow_ai_input: stated.bool_opt("allow_ai_input")?,
        allow_ai_train: stated.bool_opt("allow_ai_train")?,
        requires_attribution: required.contains(&"attribution"),
        requires_link_back: required.contains(&"link_back"),
        requires_notice: required.contains(&"notice"),
    })
}

/// A price in the form of `signals.price`: asked for, unless it is one that was charged.
fn price_asked(stated: &Map<String, Value>) -> Result<UsePrice, OpError> {
    let stated = Input::new(stated);
    stated.text_opt("scheme")?;
    let status = if stated.object_opt("charged")?.is_some() { 200 } else { 402 };
    let amount = |price| {
        let price = Input::new(price);
        Ok(format!("{} {}", price.text("currency")?, price.text("amount")?))
    };
    let amount = stated.object_opt("price")?.map(amount).transpose()?;
    Ok(UsePrice::of_response(status, amount.as_deref().map(|amount| ("crawler-price", amount))))
}

fn purpose(name: &str) -> Result<Purpose, OpError> {
    name.parse().map_err(|error| OpError::new("bad-purpose", error))
}

fn url(input: &Input<'_>) -> Result<Url, OpError> {
    Url::parse(input.text("url")?).map_err(|error| OpError::new("bad-request", format!("in.url: {error}")))
}

fn urls(urls: &[Url]) -> Vec<&str> {
    urls.iter().map(Url::as_str).collect()
}
