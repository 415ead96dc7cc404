//! `tct3.*`: draft -03 of TCT, the crate `tct`'s module `v03`.

use std::collections::HashMap;

use http::header::{ACCEPT_ENCODING, HeaderName};
use http::{HeaderMap, HeaderValue, Method};
use serde_json::{Map, Value, json};
use tct::held::{ContentHash, HeldTag};
use tct::open::{Expected, open_response};
use tct::plan::SitemapDate;
use tct::response::BodyPlan;
use tct::v03::{
    BodyKind, BodyLimits, BodyTag, DocumentCheck, EncodeError, Identity, MSitemap, MSitemapItem,
    MUrlDocument, Revision, TctFinding,
};
use tct::{
    CUrl, Coding, EntityTag, HeldPage, OpenPolicy, PlanPolicy, Planner, Representation, UnixSeconds, v03,
};
use tct_canonical_json::JsonError;

use super::tct::{headers, pairs, status, url};
use crate::input::base64;
use crate::{Input, Op, OpError, text};

/// The operations of this module.
pub const OPS: &[(&str, Op)] = &[
    ("tct3.accept_encoding", |input| text(accept_encoding(input))),
    ("tct3.classify", |input| text(classify(input))),
    ("tct3.content_digest", |input| text(content_digest(input))),
    ("tct3.document.check", |input| text(check_document(input))),
    ("tct3.document.encode", |input| text(encode_document(input))),
    ("tct3.etag", |input| text(etag(input))),
    ("tct3.hint", |input| text(hint(input))),
    ("tct3.identity.encode", |input| text(encode_identity(input))),
    ("tct3.open", |input| text(open(input))),
    ("tct3.plan", |input| text(plan(input))),
    ("tct3.precondition", |input| text(precondition(input))),
    ("tct3.respond", |input| text(respond(input))),
    ("tct3.sitemap.check", |input| text(check_sitemap(input))),
    ("tct3.sitemap.encode", |input| text(encode_sitemap(input))),
];

fn encode_identity(input: &Input<'_>) -> Result<Value, OpError> {
    let identity =
        Identity::of_json(&input.bytes("json_b64")?, &BodyLimits::default()).map_err(encode_error)?;
    Ok(encoded(&identity))
}

fn encode_document(input: &Input<'_>) -> Result<Value, OpError> {
    let document = MUrlDocument::from_members(object(input.value("members")?)?).map_err(encode_error)?;
    Ok(encoded(&document.seal().map_err(encode_error)?.into_identity()))
}

fn encode_sitemap(input: &Input<'_>) -> Result<Value, OpError> {
    let mut limits = BodyLimits::default();
    if let Some(max_items) = size(input, "max_items")? {
        limits = limits.with_max_items(max_items);
    }
    if let Some(max_bytes) = size(input, "max_bytes")? {
        limits = limits.with_max_bytes(max_bytes);
    }
    let mut sitemap = MSitemap::with_limits(limits);
    for item in input.array("items")? {
        let item = MSitemapItem::from_members(object(item)?).map_err(encode_error)?;
        sitemap.push(item).map_err(encode_error)?;
    }
    if let Some(members) = input.get("members") {
        for (name, value) in object(members)? {
            sitemap = sitemap.with_member(name, value.clone()).map_err(encode_error)?;
        }
    }
    Ok(encoded(&sitemap.seal().map_err(encode_error)?))
}

fn check_document(input: &Input<'_>) -> Result<Value, OpError> {
    let check = v03::check_document(&input.bytes("body_b64")?, &BodyLimits::default()).map_err(body_error)?;
    let mut answer = tags(check.tag());
    answer.insert("valid".into(), check.is_valid().into());
    answer.insert("errors".into(), findings(check.findings()));
    answer.insert("canonical".into(), check.is_canonical().into());
    Ok(answer.into())
}

fn check_sitemap(input: &Input<'_>) -> Result<Value, OpError> {
    let check = sitemap(input, "body_b64")?;
    let mut answer = tags(check.tag());
    answer.insert("valid".into(), check.is_valid().into());
    answer.insert("errors".into(), findings(check.findings()));
    answer.insert("canonical".into(), check.is_canonical().into());
    let items = check.items().iter().map(|item| {
        let (c_url, m_url) = (&item.c_url, &item.m_url);
        json!({ "index": item.index, "cUrl": c_url, "mUrl": m_url, "etag": item.hash, "lastModified": item.modified })
    });
    answer.insert("items".into(), items.collect());
    Ok(answer.into())
}

fn classify(input: &Input<'_>) -> Result<Value, OpError> {
    let found = v03::classify(&input.bytes("body_b64")?).map_err(body_error)?;
    Ok(json!({
        "kind": found.map(|(kind, _)| kind.name()),
        "revision": found.map(|(_, revision)| revision.name()),
    }))
}

fn etag(input: &Input<'_>) -> Result<Value, OpError> {
    Ok(tags(&BodyTag::of_bytes(&input.bytes("body_b64")?)).into())
}

fn hint(input: &Input<'_>) -> Result<Value, OpError> {
    Ok(json!({ "matches": BodyTag::hint_matches(input.text("hint")?, input.text("etag")?.as_bytes()) }))
}

fn content_digest(input: &Input<'_>) -> Result<Value, OpError> {
    let headers = lines(input, "content_digest", HeaderName::from_static("content-digest"))?;
    let verdict = match BodyTag::of_bytes(&input.bytes("body_b64")?).check_digest(&headers) {
        Some(true) => "match",
        Some(false) => "mismatch",
        None => "unusable",
    };
    Ok(json!({ "verdict": verdict }))
}

fn precondition(input: &Input<'_>) -> Result<Value, OpError> {
    let current = EntityTag::parse(input.text("etag")?.as_bytes())
        .ok_or_else(|| OpError::new("bad-etag", "expected an entity tag"))?;
    let lines = input.texts("if_none_match")?;
    Ok(json!({ "matches": current.is_named_by(lines.iter().map(|line| line.as_bytes())) }))
}

fn accept_encoding(input: &Input<'_>) -> Result<Value, OpError> {
    let headers = match input.get("accept_encoding") {
        None => HeaderMap::new(),
        Some(_) => lines(input, "accept_encoding", ACCEPT_ENCODING)?,
    };
    Ok(json!({ "identity": Coding::Identity.weight(&headers) > 0 }))
}

fn respond(input: &Input<'_>) -> Result<Value, OpError> {
    let tag = BodyTag::of_bytes(&input.bytes("body_b64")?);
    let method: Method = input.text("method")?.parse().map_err(|error| OpError::new("bad-request", error))?;
    let mut representation = match input.text("kind")? {
        kind if kind == BodyKind::MUrl.name() => {
            Representation::of_m_url(&tag, input.text("c_url")?).map_err(encode_error)?
        }
        kind if kind == BodyKind::MSitemap.name() => Representation::of_m_sitemap(&tag),
        other => return Err(OpError::new("bad-request", format!("in.kind: no kind {other:?}"))),
    };
    if input.bool_opt("protected")? == Some(true) {
        representation = representation.protected();
    }
    let plan = tct::plan_response(&method, &headers(input)?, &representation);
    Ok(json!({
        "status": plan.status.as_u16(),
        "headers": pairs(&plan.headers),
        "body": plan.body != BodyPlan::Nothing,
    }))
}

fn open(input: &Input<'_>) -> Result<Value, OpError> {
    let page = input
        .text_opt("expected_c_url")?
        .map(|text| CUrl::parse_with(text, &tct::UrlPolicy::allowing_http()));
    let page = page.transpose().map_err(|error| OpError::of(error.kind(), error))?;
    let mut response = http::Response::new(input.bytes("body_b64")?);
    *response.status_mut() = status(input)?;
    *response.headers_mut() = headers(input)?;
    let policy = match input.bool_opt("strict")? {
        Some(true) => OpenPolicy::strict().for_revision(Revision::V03),
        _ => OpenPolicy::default().for_revision(Revision::V03),
    };
    let hint = input.text_opt("hint")?.map(ContentHash::from);
    let expected = Expected { page: page.as_ref(), sitemap_hash: hint.as_ref() };
    let opened = open_response(&url(input, "m_url")?, &response, &expected, &policy);
    let document = opened.payload().map(|payload| serde_json::from_slice::<Value>(payload.json()));
    Ok(json!({
        "accepted": opened.is_accepted(),
        "problems": opened.codes().collect::<Vec<_>>(),
        "hint": opened.hint_matches().map(|matches| if matches { "match" } else { "mismatch" }),
        "identity": opened.tag().map(BodyTag::hint),
        "document": document.transpose().map_err(|error| OpError::new("body-invalid", error))?,
    }))
}

fn plan(input: &Input<'_>) -> Result<Value, OpError> {
    input.value("sitemap_url")?;
    let check = sitemap(input, "sitemap_b64")?;
    // All of it happens at one moment: the protocol has no clock.
    let now = UnixSeconds(0);
    let cache: HashMap<&str, HeldPage> = input
        .object("cache")?
        .iter()
        .map(|(m_url, held)| Ok((m_url.as_str(), held_page(held, now)?)))
        .collect::<Result<_, OpError>>()?;
    let planner = Planner::new(PlanPolicy::default(), SitemapDate(now), now);
    let actions: Vec<Value> = check
        .items()
        .iter()
        .map(|item| {
            let plan = planner.plan(item.hash, cache.get(item.m_url.as_str()));
            let tags = plan.if_none_match();
            let tags = tags.as_ref().and_then(|tags| tags.to_str().ok());
            json!({ "mUrl": item.m_url, "action": plan.name(), "if_none_match": tags })
        })
        .collect();
    Ok(json!({ "actions": actions }))
}

/// What is held of a page: a hash that stands for its quoted form too, or a hash and the tag that came with it.
fn held_page(value: &Value, now: UnixSeconds) -> Result<HeldPage, OpError> {
    if let Some(hash) = value.as_str() {
        return Ok(HeldPage::new(hash, now));
    }
    let members = Input::of(value, "cache")?;
    let mut held = HeldPage::new(members.text("hash")?, now);
    held.etag = match members.nullable("etag")? {
        None => None,
        Some(_) => HeldTag::parse(members.text("etag")?),
    };
    Ok(held)
}

fn sitemap(input: &Input<'_>, bytes: &str) -> Result<DocumentCheck, OpError> {
    let url = input.get("sitemap_url").map(|_| url(input, "sitemap_url")).transpose()?;
    v03::check_sitemap(&input.bytes(bytes)?, url.as_ref(), &BodyLimits::default()).map_err(body_error)
}

fn encoded(identity: &Identity) -> Value {
    let mut answer = tags(identity.tag());
    answer.insert("body_b64".into(), base64(identity.body()));
    answer.into()
}

fn tags(tag: &BodyTag) -> Map<String, Value> {
    let digest = String::from_utf8_lossy(tag.content_digest().as_bytes()).into_owned();
    Map::from_iter([
        ("etag".to_owned(), tag.etag().to_string().into()),
        ("hint".to_owned(), tag.hint().into()),
        ("content_digest".to_owned(), digest.into()),
    ])
}

fn findings(findings: &[TctFinding]) -> Value {
    findings.iter().map(|finding| json!({ "path": finding.path(), "code": finding.kind().code() })).collect()
}

fn object(value: &Value) -> Result<&Map<String, Value>, OpError> {
    value.as_object().ok_or_else(|| OpError::new("type", "expected an object, found another value"))
}

fn size(input: &Input<'_>, name: &str) -> Result<Option<usize>, OpError> {
    Ok(input.u64_opt(name)?.map(|size| usize::try_from(size).unwrap_or(usize::MAX)))
}

fn lines(input: &Input<'_>, name: &str, field: HeaderName) -> Result<HeaderMap, OpError> {
    let mut headers = HeaderMap::new();
    for line in input.texts(name)? {
        let value = HeaderValue::from_bytes(line.as_bytes());
        headers.append(&field, value.map_err(|error| OpError::new("bad-request", error))?);
    }
    Ok(headers)
}

fn encode_error(error: EncodeError) -> OpError {
    OpError::new(error.kind().code(), error)
}

fn body_error(error: JsonError) -> OpError {
    OpError::new(v03::EncodeErrorKind::from(error.kind()).code(), error)
}
