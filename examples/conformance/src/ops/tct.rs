//! `tct.*`: the crates `tct-canonical-json`, `tct-fingerprint` and `tct`.

use std::collections::HashMap;

use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tct::held::ContentHash;
use tct::open::Expected;
use tct::plan::SitemapDate;
use tct::response::BodyPlan;
use tct::sealing::{HashMethod, Sealer};
use tct::sitemap::{Sitemap, SitemapReport};
use tct::v03::Revision;
use tct::{
    CUrl, Discovery, HeldPage, OpenPolicy, PlanPolicy, Planner, PolicyDescriptor, Representation,
    SitemapLimits, SitemapReader, UnixSeconds, sitemap::SitemapError,
};
use tct_canonical_json::{Profile, to_canonical};
use url::Url;

use crate::input::base64;
use crate::{Input, Op, OpError, text};

/// The operations of this module.
pub const OPS: &[(&str, Op)] = &[
    ("tct.canonicalize", |input| text(canonicalize(input))),
    ("tct.conditional", |input| text(conditional(input))),
    ("tct.discover", |input| text(discover(input))),
    ("tct.fingerprint", |input| text(fingerprint(input))),
    ("tct.normalize", |input| text(normalize(input))),
    ("tct.open", |input| text(open(input))),
    ("tct.plan", |input| text(plan(input))),
    ("tct.policy", |input| text(policy(input))),
    ("tct.seal", |input| text(seal(input))),
    ("tct.sitemap", |input| text(sitemap(input))),
];

fn canonicalize(input: &Input<'_>) -> Result<Value, OpError> {
    let profile = match input.text("profile")? {
        "rfc8785" => Profile::Rfc8785,
        "tct" => Profile::Tct,
        other => return Err(OpError::new("bad-request", format!("in.profile: no profile {other:?}"))),
    };
    let bytes =
        to_canonical(&input.bytes("json_b64")?, profile).map_err(|error| OpError::of(error.kind(), error))?;
    let sha256: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(json!({ "json_b64": base64(&bytes), "sha256": sha256 }))
}

fn fingerprint(input: &Input<'_>) -> Result<Value, OpError> {
    Ok(json!({ "hash": tct_fingerprint::fingerprint(input.text("text")?).to_string() }))
}

fn normalize(input: &Input<'_>) -> Result<Value, OpError> {
    Ok(json!({ "text": tct_fingerprint::normalize(input.text("text")?) }))
}

fn seal(input: &Input<'_>) -> Result<Value, OpError> {
    let method = match input.text("method")? {
        "a" => HashMethod::A,
        "b" => HashMethod::B,
        other => return Err(OpError::new("bad-request", format!("in.method: no method {other:?}"))),
    };
    let sealed =
        Sealer::new().method(method).allow_blank().seal(input.value("payload")?).map_err(|error| {
            // The reason is named by whoever found it.
            error
                .json_error()
                .map_or_else(|| OpError::of(error.kind(), &error), |json| OpError::of(json.kind(), json))
        })?;
    Ok(json!({
        "body_b64": base64(sealed.body()),
        "hash": sealed.fingerprint().to_string(),
        "etag": sealed.etag().to_string(),
    }))
}

fn open(input: &Input<'_>) -> Result<Value, OpError> {
    let url = url(input, "m_url")?;
    let headers = headers(input)?;
    let page = input
        .text_opt("expected_c_url")?
        .map(|text| CUrl::parse_with(text, &tct::UrlPolicy::allowing_http()));
    let page = page.transpose().map_err(|error| OpError::of(error.kind(), error))?;
    let mut response = http::Response::new(input.bytes("body_b64")?);
    *response.status_mut() = status(input)?;
    *response.headers_mut() = headers;
    // The protocol's own comparison: nothing is taken off a tag.
    let policy = OpenPolicy::default().keeping_etag_suffixes().for_revision(Revision::Legacy);
    let listed = input.text_opt("sitemap_hash")?.map(ContentHash::from);
    let expected = Expected { page: page.as_ref(), sitemap_hash: listed.as_ref() };
    let opened = tct::open::open_response(&url, &response, &expected, &policy);
    let payload = opened.payload().map(|payload| serde_json::from_slice::<Value>(payload.json())).transpose();
    // The line protocol has one code for a body that cannot be read.
    let codes: Vec<&str> =
        opened.codes().map(|code| if code == "body-over-limit" { "body-invalid" } else { code }).collect();
    Ok(json!({
        "accepted": opened.is_accepted(),
        "problems": codes,
        "payload": payload.map_err(|error| OpError::new("body-invalid", error))?,
    }))
}

fn conditional(input: &Input<'_>) -> Result<Value, OpError> {
    let method: Method = input.text("method")?.parse().map_err(|error| OpError::new("bad-request", error))?;
    let etag =
        HeaderValue::from_str(input.text("etag")?).map_err(|error| OpError::new("bad-request", error))?;
    let length = input.u64("length")?;
    let page = Representation::of_etag(etag, length)
        .ok_or_else(|| OpError::new("bad-etag", "expected an entity tag"))?;
    let page = match input.text_opt("last_modified")?.map(tct::time::parse_http_date) {
        None => page,
        Some(Some(modified)) => page.with_last_modified(modified, modified),
        Some(None) => return Err(OpError::new("bad-request", "in.last_modified: expected an HTTP date")),
    };
    let plan = tct::plan_response(&method, &headers(input)?, &page);
    let range = match plan.body {
        BodyPlan::Part { first, last } => json!([first, last]),
        BodyPlan::Nothing | BodyPlan::Whole => Value::Null,
    };
    Ok(json!({
        "status": plan.status.as_u16(),
        "body": plan.body != BodyPlan::Nothing,
        "range": range,
        "headers": pairs(&plan.headers),
    }))
}

fn sitemap(input: &Input<'_>) -> Result<Value, OpError> {
    let (sitemap, report) = read_sitemap(input, "json_b64")?;
    let items: Vec<Value> = sitemap
        .pages()
        .iter()
        .map(|page| {
            let (c_url, m_url) = (&page.c_url, &page.m_url);
            json!({ "cUrl": c_url, "mUrl": m_url, "modified": page.modified, "contentHash": page.hash })
        })
        .collect();
    let skipped: Vec<Value> = report
        .skipped
        .iter()
        .map(|entry| json!({ "index": entry.index, "code": entry.issue.code() }))
        .chain(
            report
                .broken
                .map(|error| json!({ "index": report.summary.items, "code": crate::kebab(&error.kind()) })),
        )
        .collect();
    Ok(
        json!({ "version": report.summary.version, "profile": report.summary.profile, "items": items, "skipped": skipped }),
    )
}

fn plan(input: &Input<'_>) -> Result<Value, OpError> {
    let (sitemap, _) = read_sitemap(input, "sitemap_b64")?;
    // All of it happens at one moment: the protocol has no clock.
    let now = UnixSeconds(0);
    let held = input.object("cache")?;
    let cache: HashMap<&str, HeldPage> = held
        .keys()
        .map(|m_url| Ok((m_url.as_str(), HeldPage::new(Input::new(held).text(m_url)?, now))))
        .collect::<Result<_, OpError>>()?;
    let planner = Planner::new(PlanPolicy::default(), SitemapDate(now), now);
    let actions: Vec<Value> = sitemap
        .pages()
        .iter()
        .map(|page| {
            let plan = planner.plan(page.hash, cache.get(page.m_url.as_str()));
            let tags = plan.if_none_match();
            let tags = tags.as_ref().and_then(|tags| tags.to_str().ok());
            json!({ "mUrl": page.m_url, "action": plan.name(), "if_none_match": tags })
        })
        .collect();
    Ok(json!({ "actions": actions }))
}

fn discover(input: &Input<'_>) -> Result<Value, OpError> {
    let html = input.bytes_opt("html_b64")?.unwrap_or_default();
    let Discovery { m_urls, canonical, sitemaps, policies, .. } =
        tct::discover(&url(input, "url")?, &headers(input)?, &html);
    let texts = |urls: &[Url]| urls.iter().map(Url::to_string).collect::<Vec<_>>();
    Ok(json!({
        "m_urls": texts(&m_urls),
        "canonical": canonical.map(String::from),
        "sitemaps": texts(&sitemaps),
        "policies": texts(&policies),
    }))
}

fn policy(input: &Input<'_>) -> Result<Value, OpError> {
    let (policy, faults) = PolicyDescriptor::parse(&input.bytes("json_b64")?)
        .map_err(|error| OpError::of(error.kind(), error))?;
    let errors: Vec<Value> =
        faults.iter().map(|fault| json!({ "path": fault.path, "code": fault.code.code() })).collect();
    let policy = serde_json::to_value(&policy).map_err(|error| OpError::new("bad-request", error))?;
    Ok(json!({ "valid": errors.is_empty(), "errors": errors, "policy": policy }))
}

fn read_sitemap(input: &Input<'_>, bytes: &str) -> Result<(Sitemap, SitemapReport), OpError> {
    let mut limits = SitemapLimits::default();
    if let Some(max_bytes) = input.u64_opt("max_bytes")? {
        limits = limits.with_max_bytes(max_bytes);
    }
    if let Some(max_items) = input.u64_opt("max_items")? {
        limits = limits.with_max_items(max_items);
    }
    let reader = match input.get("sitemap_url").is_some() {
        true => SitemapReader::new(&url(input, "sitemap_url")?),
        false => SitemapReader::any_origin(),
    };
    let reader = reader.with_limits(limits);
    let mut sitemap = Sitemap::new();
    let report = sitemap
        .read(&input.bytes(bytes)?, reader)
        .map_err(|error: SitemapError| OpError::of(error.kind(), error))?;
    Ok((sitemap, report))
}

pub(super) fn url(input: &Input<'_>, name: &str) -> Result<Url, OpError> {
    Url::parse(input.text(name)?).map_err(|error| OpError::new("bad-request", format!("in.{name}: {error}")))
}

pub(super) fn status(input: &Input<'_>) -> Result<StatusCode, OpError> {
    let status = input.u64_opt("status")?.and_then(|status| u16::try_from(status).ok());
    status
        .and_then(|status| StatusCode::from_u16(status).ok())
        .ok_or_else(|| OpError::new("bad-request", "in.status: expected an HTTP status"))
}

pub(super) fn headers(input: &Input<'_>) -> Result<HeaderMap, OpError> {
    let mut headers = HeaderMap::new();
    for (name, value) in input.pairs("headers")? {
        let bad = |error: &dyn std::fmt::Display| OpError::new("bad-request", format!("in.headers: {error}"));
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|error| bad(&error))?;
        headers.append(name, HeaderValue::from_bytes(value.as_bytes()).map_err(|error| bad(&error))?);
    }
    Ok(headers)
}

pub(super) fn pairs(headers: &HeaderMap) -> Vec<Value> {
    let pair = |(name, value): (&HeaderName, &HeaderValue)| {
        json!([name.as_str(), String::from_utf8_lossy(value.as_bytes())])
    };
    headers.iter().map(pair).collect()
}
