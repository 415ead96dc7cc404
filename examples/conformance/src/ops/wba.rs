//! Operations of Web Bot Auth, of addresses and of reverse DNS: crate `bot_auth`.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use bot_auth::{
    AddressList, Agent, AgentPlaces, Card, Coverage, CrawlerDomains, CrawlerSigner, Directory, Fetched,
    KeyCache, Lookup, Policy, Profile, Reason, Registry, RequestCheck, ReverseStep, SignatureAgent,
    SignatureParams, check_reverse_dns, sign, verify_aiwebindex_request,
};
use jwk::JwkSet;
use serde_json::{Map, Value, json};
use web_values::UnixSeconds;

use super::httpsig::{Lines, OwnedMessage, borrowed, lines, sign_error, signing_key};
use crate::{Input, Op, OpError, text};

/// The operations of this module with their names.
pub const OPS: &[(&str, Op)] = &[
    ("aiwebindex2.addresses", |input| text(addresses2(input))),
    ("aiwebindex2.fcrdns", |input| text(fcrdns2(input))),
    ("aiwebindex2.sign", |input| text(sign2(input))),
    ("aiwebindex2.verify_request", |input| text(verify2(input))),
    ("jafar.match", |input| text(jafar(input))),
    ("rdns.step", |input| text(reverse_dns(input))),
    ("wba.agent", |input| text(agent(input))),
    ("wba.cache", |input| text(cache(input))),
    ("wba.card", |input| text(card(input))),
    ("wba.directory", |input| text(directory(input))),
    ("wba.registry", |input| text(registry(input))),
    ("wba.sign", |input| text(sign_request(input))),
    ("wba.verify", |input| text(verify(input))),
];

fn profile(input: &Input<'_>) -> Result<Profile, OpError> {
    match input.text_opt("profile")? {
        None | Some("deployed") => Ok(Profile::Deployed),
        Some("ietf-01") => Ok(Profile::Ietf01),
        Some(other) => Err(OpError::new("bad-request", format!("expected a profile, found {other:?}"))),
    }
}

fn now(input: &Input<'_>) -> Result<UnixSeconds, OpError> {
    input.u64("now_s").map(UnixSeconds)
}

/// The protocol's cases are about the texts alone: any port, names of test zones, dot segments.
const ANY_PLACE: AgentPlaces = AgentPlaces { any_port: true, private_names: true, unusual_paths: true };

/// The protocol has no name for less than the host and more than it.
fn coverage(coverage: Coverage) -> &'static str {
    match coverage {
        Coverage::Path => Coverage::Authority.code(),
        coverage => coverage.code(),
    }
}

/// The protocol does not tell why there is no directory.
fn code(reason: Reason) -> &'static str {
    match reason {
        Reason::DirectoryLater => Reason::DirectoryFailed.code(),
        reason => reason.code(),
    }
}

/// A URL as a case names what is fetched: the path as written, where the library fetches its normal form.
fn as_written(agent: &Agent, url: &str) -> String {
    let path_of = |url: &str| {
        let authority = url.find("://").map_or(0, |at| at + 3);
        url[authority..].find(['/', '?']).map_or(url.len(), |at| authority + at)
    };
    if agent.agent_type == bot_auth::AgentType::Directory {
        return agent.fetch.clone();
    }
    let (origin, written) = (&agent.fetch[..path_of(&agent.fetch)], &url[path_of(url)..]);
    let written = written.split('#').next().unwrap_or_default();
    format!("{origin}{}{written}", if written.starts_with('/') { "" } else { "/" })
}

fn sign_request(input: &Input<'_>) -> Result<Value, OpError> {
    let message = OwnedMessage::of(input.value("message")?)?;
    let request = message.answered()?;
    let message = message.view(request.as_ref())?;
    let mut signer =
        CrawlerSigner::new_in(signing_key(input)?, input.text("agent")?, ANY_PLACE).map_err(sign_error)?;
    if let Some(label) = input.text_opt("label")? {
        signer = signer.label(label).map_err(sign_error)?;
    }
    // A negative lifetime is as wrong as none at all.
    let lifetime = input.value("lifetime_s")?.as_u64().unwrap_or(0);
    signer =
        signer.lifetime_secs(lifetime).map_err(sign_error)?.only_components(input.texts_opt("components")?);
    let created = input.u64("created_s")?;
    let nonce = input.bytes_opt("nonce_b64")?.unwrap_or_default();
    let signed = signer.sign(&message, &nonce, UnixSeconds(created)).map_err(sign_error)?;
    Ok(json!({ "headers": signed.lines() }))
}

fn policy(input: &Input<'_>) -> Result<Policy, OpError> {
    let no_members = serde_json::Map::new();
    let told = Input::new(input.object_opt("policy")?.unwrap_or(&no_members));
    let owned =
        |name| Ok::<Vec<String>, OpError>(told.texts_opt(name)?.into_iter().map(str::to_owned).collect());
    Ok(Policy {
        profile: profile(input)?,
        places: ANY_PLACE,
        min_coverage: Coverage::Authority,
        skew_secs: told.u64_opt("skew_s")?.unwrap_or(bot_auth::DEFAULT_SKEW_SECS),
        max_lifetime_secs: told.u64_opt("max_lifetime_s")?,
        requires_nonce: told.bool_opt("require_nonce")?.unwrap_or(false),
        seen_nonces: owned("seen_nonces")?.into_iter().collect(),
        components: owned("components")?,
        accepts_test_keys: !told.bool_opt("refuse_test_keys")?.unwrap_or(false),
    })
}

fn verify(input: &Input<'_>) -> Result<Value, OpError> {
    let owned = OwnedMessage::of(input.value("message")?)?;
    let request = owned.answered()?;
    let message = owned.view(request.as_ref())?;
    let mut check = RequestCheck::new(&message, &policy(input)?, now(input)?);
    // By what is fetched, how the request wrote it.
    let written: BTreeMap<String, String> = agents(input)?
        .iter()
        .filter_map(|member| {
            let (agent, url) = (member.agent.as_ref().ok()?, member.url.as_deref()?);
            Some((agent.fetch.clone(), as_written(agent, url)))
        })
        .collect();
    let named = |url: &str| written.get(url).cloned().unwrap_or_else(|| url.to_owned());
    let directories = input.objects("directories")?;
    let directories: Vec<Response> = directories
        .iter()
        .map(|entry| Response::of(entry, entry.status("status")?))
        .collect::<Result<_, _>>()?;
    while let Some(url) = check.wanted() {
        let url = url.to_owned();
        match directories.iter().find(|response| response.url == named(&url)) {
            None => check.on_failure(),
            Some(response) => {
                let lines = response.lines();
                check.on_response(&Fetched { url: &url, ..response.view(&lines) });
            }
        }
    }
    let signatures: Vec<_> = check
        .results()
        .map(|result| {
            let verified = result.verified.as_ref();
            json!({
                "label": result.label,
                "outcome": result.outcome().code(),
                "reason": result.reason.map(code),
                "identifier": verified.map(|verified| verified.agent.to_string()),
                "keyid": result.keyid,
                "coverage": verified.map_or("none", |verified| coverage(verified.coverage)),
            })
        })
        .collect();
    let requests: Vec<String> = check.requests().iter().map(|url| named(url)).collect();
    Ok(json!({ "signatures": signatures, "requests": requests }))
}

/// The members of the request's `Signature-Agent`, none where it cannot be read.
fn agents(input: &Input<'_>) -> Result<Vec<bot_auth::AgentMember>, OpError> {
    let message = Input::of(input.value("message")?, "message")?;
    let values: Vec<Vec<u8>> = lines(&message, "headers")?
        .into_iter()
        .filter(|(name, _)| name.eq_ignore_ascii_case("signature-agent"))
        .map(|(_, value)| value)
        .collect();
    let field = SignatureAgent::parse_in(&values, profile(input)?, ANY_PLACE);
    Ok(field.map(|field| field.members).unwrap_or_default())
}

/// A response with its own bytes.
struct Response {
    url: String,
    status: u16,
    headers: Lines,
    body: Vec<u8>,
}

impl Response {
    fn of(input: &Input<'_>, status: u16) -> Result<Self, OpError> {
        Ok(Response {
            url: input.text("url")?.to_owned(),
            status,
            headers: lines(input, "headers")?,
            body: input.bytes("body_b64")?,
        })
    }

    fn lines(&self) -> Vec<(&str, &[u8])> {
        borrowed(&self.headers).collect()
    }

    fn view<'a>(&'a self, headers: &'a [(&'a str, &'a [u8])]) -> Fetched<'a> {
        Fetched { url: &self.url, status: self.status, headers, body: &self.body }
    }
}

fn agent(input: &Input<'_>) -> Result<Value, OpError> {
    let field = SignatureAgent::parse_in(&input.texts("values")?, profile(input)?, ANY_PLACE)
        .map_err(|reason| OpError::new(reason.code(), reason))?;
    let members: Vec<_> = field
        .members
        .iter()
        .map(|member| {
            let agent = member.agent.as_ref().ok();
            json!({
                "key": member.key,
                "url": member.url,
                "type": agent.map(|agent| agent.agent_type.code()),
                "fetch": agent.zip(member.url.as_deref()).map(|(agent, url)| as_written(agent, url)),
                "identifier": agent.map(|agent| agent.identifier.to_string()),
                "problem": member.agent.as_ref().err().map(|reason| code(*reason)),
            })
        })
        .collect();
    Ok(json!({ "form": if field.is_dictionary { "dictionary" } else { "string" }, "members": members }))
}

fn directory(input: &Input<'_>) -> Result<Value, OpError> {
    let status = input.get("status").map_or(Ok(200), |_| input.status("status"))?;
    let response = Response::of(input, status)?;
    let at = now(input)?;
    let lines = response.lines();
    let directory = Directory::read(&response.url, &response.view(&lines), profile(input)?, at)
        .map_err(|error| OpError::new(error.code(), error))?;
    let keys: Vec<_> = directory
        .keys(at)
        .map(|(key, fault)| {
            let has_algorithm = matches!(fault, None | Some(bot_auth::DirectoryKeyFault::NotCurrent));
            let alg = if has_algorithm { key.algorithm().ok() } else { None };
            json!({
                "keyid": key.thumbprint().map(|thumbprint| thumbprint.to_string()),
                "alg": alg.map(jwk::Algorithm::http_name),
                "usable": fault.is_none(),
                "reason": fault.map(bot_auth::DirectoryKeyFault::code),
            })
        })
        .collect();
    let proved: Vec<_> = directory.proved().iter().map(ToString::to_string).collect();
    Ok(json!({ "keys": keys, "proved": proved }))
}

fn card(input: &Input<'_>) -> Result<Value, OpError> {
    let card = Card::parse(input.text("url")?, &input.bytes("json_b64")?)
        .map_err(|error| OpError::new(error.code(), error))?;
    let errors: BTreeSet<_> = card.faults().iter().map(|fault| fault.code.as_str()).collect();
    Ok(json!({
        "valid": card.is_valid(),
        "errors": errors,
        "card": {
            "client_id": card.client_id,
            "client_name": card.client_name,
            "jwks_uri": card.jwks_uri,
            "inline_keys": card.inline_keys,
            "product_token": card.product_token,
            "trigger": card.trigger,
            "ips_uri": card.ips_uri,
            "rfc9309_compliance": card.is_rfc9309_compliant,
        },
    }))
}

fn registry(input: &Input<'_>) -> Result<Value, OpError> {
    let registry = Registry::parse(input.text("text")?);
    Ok(json!({ "entries": registry.entries(), "skipped": registry.skipped() }))
}

fn cache(input: &Input<'_>) -> Result<Value, OpError> {
    // The protocol's directories never end.
    let mut cache = KeyCache::default().ends_after(u64::MAX, u64::MAX);
    let mut answers = Vec::new();
    for event in input.objects("events")? {
        let at = UnixSeconds(event.u64("at_s")?);
        if let Some(known) = event.bool_opt("known")? {
            let (held, action) = cache.ask(known, at);
            answers.push(json!({ "held": held.code(), "action": action.code() }));
            continue;
        }
        let (status, headers) = (event.status("status")?, lines(&event, "headers")?);
        let headers: Vec<_> = borrowed(&headers).collect();
        match status {
            0 => cache.on_failure(at),
            200 => cache.on_read(&headers, at),
            status => cache.on_response(status, &headers, at),
        }
    }
    Ok(json!({ "answers": answers }))
}

fn address_list(json: &[u8], content_type: Option<&str>) -> Result<AddressList, OpError> {
    AddressList::parse(json, content_type).map_err(|error| OpError::new(error.code(), error))
}

fn jafar(input: &Input<'_>) -> Result<Value, OpError> {
    let list = address_list(&input.bytes("json_b64")?, input.text_opt("content_type")?)?;
    matches_of(input, &list)
}

fn addresses2(input: &Input<'_>) -> Result<Value, OpError> {
    // Cases come with the list as JSON or as its bytes.
    let json = match input.get("json") {
        Some(json) => json.to_string().into_bytes(),
        None => input.bytes("json_b64")?,
    };
    matches_of(input, &address_list(&json, None)?)
}

fn matches_of(input: &Input<'_>, list: &AddressList) -> Result<Value, OpError> {
    let asked = input.texts("ask")?;
    let asked: Vec<Option<IpAddr>> = asked.iter().map(|text| text.parse().ok()).collect();
    let listed: Vec<_> = asked.iter().map(|address| address.is_some_and(|it| list.contains(it))).collect();
    let services: Vec<_> =
        asked.iter().map(|address| address.and_then(|it| list.services(it)).unwrap_or_default()).collect();
    Ok(
        json!({ "listed": listed, "services": services, "entries": list.entries(), "skipped": list.skipped() }),
    )
}

fn reverse_dns(input: &Input<'_>) -> Result<Value, OpError> {
    // A lookup that failed is null, one that was not made is absent.
    let facts = input.object("facts")?;
    answer(&step(input, facts.get("ptr"), Input::new(facts).object_opt("forward")?)?)
}

fn fcrdns2(input: &Input<'_>) -> Result<Value, OpError> {
    let ptr = input.nullable("ptr")?.unwrap_or(&Value::Null);
    let step = step(input, Some(ptr), Some(input.object("forward")?))?;
    match &step {
        // Whatever the caller of this operation does not tell has failed.
        ReverseStep::Pending(_) => answer(&ReverseStep::Unknown),
        step => answer(step),
    }
}

fn answer(step: &ReverseStep) -> Result<Value, OpError> {
    let (queries, hostname) = match step {
        ReverseStep::Pending(queries) => (queries.as_slice(), None),
        ReverseStep::Confirmed(name) => (&[][..], Some(name)),
        _ => (&[][..], None),
    };
    let queries: Vec<_> = queries
        .iter()
        .map(|query| json!({ "type": query.record_type.to_string(), "name": query.name }))
        .collect();
    Ok(json!({ "queries": queries, "outcome": step.code(), "hostname": hostname }))
}

/// The texts of a look-up's answer; `None` where it failed.
fn looked_up<'a>(value: &'a Value, name: &str) -> Result<Option<Vec<&'a str>>, OpError> {
    if value.is_null() {
        return Ok(None);
    }
    let texts = value.as_array().and_then(|items| items.iter().map(Value::as_str).collect());
    texts.map(Some).ok_or_else(|| {
        OpError::new("bad-request", format!("in.{name}: expected an array of strings, found another value"))
    })
}

fn step(
    input: &Input<'_>,
    ptr: Option<&Value>,
    forward: Option<&Map<String, Value>>,
) -> Result<ReverseStep, OpError> {
    let address = input.text("address")?;
    let address: IpAddr = address.parse().map_err(|error| OpError::new("bad-address", error))?;
    let domains =
        CrawlerDomains::new(input.texts("domains")?).map_err(|error| OpError::new(error.code(), error))?;
    let names = ptr.map(|ptr| looked_up(ptr, "ptr")).transpose()?;
    let names = match &names {
        None => Lookup::NotAsked,
        Some(None) => Lookup::Failed,
        Some(Some(names)) => Lookup::Answered(names.as_slice()),
    };
    let forward: BTreeMap<String, Option<Vec<&str>>> = forward
        .into_iter()
        .flatten()
        .map(|(name, found)| {
            Ok((name.trim_end_matches('.').to_ascii_lowercase(), looked_up(found, "forward")?))
        })
        .collect::<Result<_, OpError>>()?;
    Ok(check_reverse_dns(address, &domains, names, |name| match forward.get(name) {
        None => Lookup::NotAsked,
        Some(None) => Lookup::Failed,
        Some(Some(found)) => {
            Lookup::Answered(found.iter().filter_map(|address| address.parse().ok()).collect())
        }
    }))
}

/// The request of the operations of AIWebIndex 2.0, whose members stand in `in` itself.
fn request2(input: &Input<'_>) -> Result<OwnedMessage, OpError> {
    OwnedMessage::of(&json!({
        "method": input.value("method")?,
        "url": input.value("url")?,
        "headers": input.value("headers")?,
    }))
}

fn sign2(input: &Input<'_>) -> Result<Value, OpError> {
    let message = request2(input)?;
    let params = SignatureParams::parse(input.text("params")?)
        .map_err(|error| OpError::new(error.kind().code(), error))?;
    let key = signing_key(input)?;
    let signed = sign(&message.view(None)?, "sig1", &params, &key).map_err(sign_error)?;
    Ok(json!({
        "base": signed.base,
        "signature_b64": crate::input::base64(&key.sign(signed.base.as_bytes())),
    }))
}

fn verify2(input: &Input<'_>) -> Result<Value, OpError> {
    let message = request2(input)?;
    let keys = JwkSet::parse(input.value("jwks")?.to_string().as_bytes())
        .map_err(|error| OpError::new("bad-key", error))?;
    let verdict = verify_aiwebindex_request(&message.view(None)?, &keys, now(input)?);
    Ok(json!({ "outcome": verdict.code(), "coverage": coverage(verdict.coverage()) }))
}
