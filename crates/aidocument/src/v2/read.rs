//! Checking a JSON text as a document of 2.x, group by group, and building the document on the way.

use alloc::string::String;
use alloc::vec::Vec;

use tct_canonical_json::{JsonKind, JsonValue};

use web_values::WebUrl;

use crate::any::Shape;
use crate::checker::{Checker, Field, Way, quoted};
use crate::crawl::RenderMode;
use crate::error::ValueError;
use crate::finding::DocumentFindingCode;
use crate::json::{Json, JsonObject};
use crate::limits::Limits;
use crate::parts::{HeadingLevel, Hierarchy};
use crate::read::{self, GROUPS, Reading};

use super::call::{Cache, CacheStatus, Call, FreshnessPolicy, UnknownValue};
use super::document::{Content, Document, Identity, Schema, Signals, Source, Structure};
use super::economics::{Economics, EstimatedCost, PricingBasis, TokenCounts};
use super::version::{Ref, Version};

/// The expectation for unknown members.
const UNKNOWN: (&str, &str) = ("a member that 2.0 names", "AIWI2-DOC-3");

/// Which shape a value has. Spec: AIWI2-CONF-6, AIWI2-AMB-5.
pub(crate) fn shape_of(value: JsonValue<'_>) -> Shape {
    let schema = value.get("schema").filter(|schema| schema.kind() == JsonKind::Object);
    if let Some(schema) = schema {
        let version = schema.get("version").and_then(|version| version.as_str());
        return Shape::Grouped { version: version.map(String::from) };
    }
    if value.get("url").is_some() {
        return Shape::Flat;
    }
    let groups = value.members().filter(|(name, _)| GROUPS.iter().any(|group| name.is(group)));
    match groups.count() {
        3.. => Shape::Grouped { version: None },
        _ => Shape::Unknown,
    }
}

/// Checks a value as a document of 2.x; one of unknown shape too, so that the findings say what is missing.
pub(crate) fn check(value: JsonValue<'_>, limits: &Limits) -> Reading<Document> {
    let mut c = Checker::new(limits.max_findings, UNKNOWN);
    match shape_of(value) {
        Shape::Flat => {
            let (code, found) = (DocumentFindingCode::UnsupportedVersion, "the flat document of 1.0");
            c.report(&Way::DOCUMENT, code, "an AIWebIndex 2.x document", found, "AIWI2-AMB-41");
            let detail = "expected an AIWebIndex 2.x document, found the flat document of 1.0, which \
                          aidocument::Document reads";
            Reading::of_other_version(c.findings, detail.into())
        }
        Shape::Grouped { version: Some(version) }
            if version.parse().is_ok_and(|version: Version| version.major() != 2) =>
        {
            let (schema, code) = (Way::DOCUMENT.member("schema"), DocumentFindingCode::UnsupportedVersion);
            let found = quoted(&version);
            let at = value.pointer("/schema/version").map_or(0, |version| version.span().start);
            let detail = alloc::format!("expected a document of version 2.0 or a later 2.x, found {found}");
            c.report(&schema.member("version").at(at), code, "2.0 or a later 2.x", found, "AIWI2-AMB-4");
            Reading::of_other_version(c.findings, detail)
        }
        _ => {
            let document = document(&mut c, Field { value, way: Way::DOCUMENT, rule: "AIWI2-DOC-1" });
            Reading::of(document, c.findings)
        }
    }
}

/// What members say that others are compared with, kept apart from their groups: a group with a fault elsewhere is none,
/// and then the comparison is still made.
#[derive(Debug, Default)]
struct Told {
    /// The page's URL, which links are compared with.
    url: Option<WebUrl>,
    policy: Option<FreshnessPolicy>,
    /// Of a list of headings in which each has a level.
    hierarchy: Option<Hierarchy>,
    has_data: bool,
}

fn document(c: &mut Checker, field: Field<'_, '_>) -> Option<Document> {
    let members = c.object(field, GROUPS)?;
    let schema = members.required(c, "schema", "AIWI2-DOC-1", schema);
    // Of a version that cannot be read, nothing new is expected.
    let is_newer = schema.as_ref().is_some_and(|schema| schema.version.minor() > 0);
    let mut told = Told::default();
    let source =
        members.required(c, "source", "AIWI2-DOC-1", |c, field| source(c, field, is_newer, &mut told));
    let cache = members
        .required(c, "cache", "AIWI2-DOC-1", |c, field| cache(c, field, is_newer, told.policy.as_ref()));
    let identity = members.required(c, "identity", "AIWI2-DOC-1", identity);
    let content = members.required(c, "content", "AIWI2-DOC-1", content);
    let structure =
        members.required(c, "structure", "AIWI2-DOC-1", |c, field| structure(c, field, &mut told));
    let signals = members.required(c, "signals", "AIWI2-DOC-1", |c, field| signals(c, field, &told));
    let economics = members.optional(c, "economics", "AIWI2-DOC-36", economics);
    let extra = c.rest(&members);
    Some(Document {
        schema: schema?,
        source: source?,
        cache: cache?,
        identity: identity?,
        content: content?,
        structure: structure?,
        signals: signals?,
        economics,
        extra,
    })
}

fn schema(c: &mut Checker, field: Field<'_, '_>) -> Option<Schema> {
    let members = c.object(field, ["name", "version", "ref"])?;
    members.required(c, "name", "AIWI2-DOC-5", |c, field| {
        let name = c.text(field)?;
        if name != "AIDocument" {
            c.report(&field.way, DocumentFindingCode::BadName, "\"AIDocument\"", quoted(&name), field.rule);
        }
        Some(())
    });
    let version = members.required(c, "version", "AIWI2-DOC-6", |c, field| {
        let version: Version = c.parsed(field, DocumentFindingCode::BadVersion, str::parse)?;
        if version.minor() > 0 {
            let (code, found) = (DocumentFindingCode::NewerMinor, quoted(version.as_str()));
            c.report(&field.way, code, "2.0", found, "AIWI2-AMB-4");
        }
        Some(version)
    });
    let reference = members.optional(c, "ref", "AIWI2-DOC-7", |c, field| {
        let reference: Ref = c.parsed(field, DocumentFindingCode::BadRef, str::parse)?;
        if reference.is_odd() {
            let (code, found) = (DocumentFindingCode::OddRef, quoted(reference.as_str()));
            c.report(
                &field.way,
                code,
                "32 lower-case hex digits after \"aidoc:sha256:\"",
                found,
                "AIWI2-AMB-7",
            );
        }
        Some(reference)
    });
    let extra = c.rest(&members);
    Some(Schema { version: version?, reference, extra })
}

/// A value of a closed list; one that is not in it is an error in 2.0, and kept in later versions.
fn listed<T>(
    c: &mut Checker,
    field: Field<'_, '_>,
    is_newer: bool,
    parse: impl FnOnce(&str) -> Result<T, ValueError>,
    unknown: impl FnOnce(UnknownValue) -> T,
) -> Option<T> {
    let text = c.text(field)?;
    let error = match parse(&text) {
        Ok(value) => return Some(value),
        Err(error) => error,
    };
    let code = if is_newer { DocumentFindingCode::NewerValue } else { DocumentFindingCode::UnknownValue };
    c.report(&field.way, code, error.expected(), quoted(&text), field.rule);
    is_newer.then(|| unknown(UnknownValue::new(&text)))
}

fn source(c: &mut Checker, field: Field<'_, '_>, is_newer: bool, told: &mut Told) -> Option<Source> {
    let names = ["url", "canonical_url", "fetched_at", "render_mode", "status_code", "freshness_policy"];
    let members = c.object(field, names)?;
    let url = members.required(c, "url", "AIWI2-DOC-9", Checker::page_url);
    let canonical_url = members.optional(c, "canonical_url", "AIWI2-DOC-10", Checker::web_url);
    let fetched_at = members.optional(c, "fetched_at", "AIWI2-DOC-11", read::timestamp);
    let render_mode = members.optional(c, "render_mode", "AIWI2-DOC-12", |c, field| {
        let expected = "\"static\", \"rendered\" or \"static_after_render_failure\"";
        read::render_mode(c, field, |mode| !matches!(mode, RenderMode::Unknown(_)), expected)
    });
    let status_code = members.optional(c, "status_code", "AIWI2-DOC-13", read::status_code);
    let freshness_policy = members.required(c, "freshness_policy", "AIWI2-DOC-14", |c, field| {
        listed(c, field, is_newer, str::parse, FreshnessPolicy::Unknown)
    });
    let extra = c.rest(&members);
    (told.url, told.policy) = (url.clone(), freshness_policy.clone());
    Some(Source {
        url: url?,
        canonical_url,
        fetched_at,
        render_mode,
        status_code,
        freshness_policy: freshness_policy?,
        extra,
    })
}

fn cache(
    c: &mut Checker,
    field: Field<'_, '_>,
    is_newer: bool,
    policy: Option<&FreshnessPolicy>,
) -> Option<Cache> {
    let members = c.object(field, ["status", "origin_contacted", "body_fetched"])?;
    let status = members.required(c, "status", "AIWI2-DOC-15", |c, field| {
        listed(c, field, is_newer, str::parse, CacheStatus::Unknown)
    });
    let origin_contacted = members.required(c, "origin_contacted", "AIWI2-DOC-16", Checker::boolean);
    let body_fetched = members.required(c, "body_fetched", "AIWI2-DOC-16", Checker::boolean);
    let way = members.way;
    let extra = c.rest(&members);
    let cache =
        Cache { status: status?, origin_contacted: origin_contacted?, body_fetched: body_fetched?, extra };
    let is_known = |policy: &&FreshnessPolicy| {
        !matches!((policy, &cache.status), (FreshnessPolicy::Unknown(_), _) | (_, CacheStatus::Unknown(_)))
    };
    if let Some(policy) = policy.filter(is_known)
        && Call::of(policy, &cache).is_none()
    {
        let code = DocumentFindingCode::CacheContradiction;
        let found = alloc::format!(
            "{} with {policy}, origin_contacted {} and body_fetched {}",
            cache.status,
            cache.origin_contacted,
            cache.body_fetched
        );
        let at = field.value.get("status").map_or(0, |status| status.span().start);
        c.report(
            &way.member("status").at(at),
            code,
            "a label that goes with the flags and the policy",
            found,
            "AIWI2-AMB-11",
        );
    }
    Some(cache)
}

fn identity(c: &mut Checker, field: Field<'_, '_>) -> Option<Identity> {
    let members = c.object(field, ["title", "description", "language", "content_type"])?;
    let title = members.optional(c, "title", "AIWI2-DOC-17", read::title);
    let description = members.optional(c, "description", "AIWI2-DOC-18", Checker::string);
    let language = members.optional(c, "language", "AIWI2-DOC-19", read::language);
    let content_type = members.optional(c, "content_type", "AIWI2-DOC-20", Checker::string);
    let extra = c.rest(&members);
    Some(Identity { title, description, language, content_type, extra })
}

fn content(c: &mut Checker, field: Field<'_, '_>) -> Option<Content> {
    let members = c.object(field, ["markdown"])?;
    let markdown = members.required(c, "markdown", "AIWI2-DOC-21", Checker::string);
    let extra = c.rest(&members);
    Some(Content { markdown: markdown?, extra })
}

fn structure(c: &mut Checker, field: Field<'_, '_>, told: &mut Told) -> Option<Structure> {
    let members = c.object(field, ["headings", "links", "images", "structured_data"])?;
    let headings = members.optional(c, "headings", "AIWI2-DOC-23", |c, field| {
        told.hierarchy = hierarchy(field.value);
        read::headings(c, field)
    });
    let links =
        members.optional(c, "links", "AIWI2-DOC-24", |c, field| read::links(c, field, told.url.as_ref()));
    let images = members.optional(c, "images", "AIWI2-DOC-25", read::images);
    let structured_data =
        members.optional(c, "structured_data", "AIWI2-DOC-26", |c, field| match field.value.kind() {
            JsonKind::Object => Some(JsonObject(Json::compacted(field.value))),
            _ => c.wrong_type(&field, "an object"),
        });
    told.has_data = structured_data.as_ref().is_some_and(|data| !data.is_empty());
    let extra = c.rest(&members);
    Some(Structure { headings, links, images, structured_data, extra })
}

/// Read from the text: once a document has an error, no list of it is kept.
fn hierarchy(headings: JsonValue<'_>) -> Option<Hierarchy> {
    if headings.kind() != JsonKind::Array {
        return None;
    }
    let levels =
        headings.items().map(|item| HeadingLevel::new(u8::try_from(item.get("level")?.as_u64()?).ok()?));
    levels.collect::<Option<Vec<_>>>().map(Hierarchy::of)
}

/// Flags are compared with the document, and kept as they are. Spec: AIWI2-AMB-19.
fn signals(c: &mut Checker, field: Field<'_, '_>, told: &Told) -> Option<Signals> {
    let members = c.object(field, ["word_count", "reading_time", "has_json_ld", "heading_hierarchy_ok"])?;
    let word_count = members.optional(c, "word_count", "AIWI2-DOC-27", Checker::count);
    let reading_time = members.optional(c, "reading_time", "AIWI2-DOC-28", Checker::count);
    let has_json_ld = members.required(c, "has_json_ld", "AIWI2-DOC-29", |c, field| {
        let has = c.boolean(field)?;
        if !has && told.has_data {
            let expected = "true, there being structured data";
            c.report(&field.way, DocumentFindingCode::WrongSignal, expected, "false", "AIWI2-AMB-19");
        }
        Some(has)
    });
    let heading_hierarchy_ok = members.required(c, "heading_hierarchy_ok", "AIWI2-DOC-30", |c, field| {
        let is_ok = c.boolean(field)?;
        let wrong = match (is_ok, told.hierarchy) {
            (true, Some(Hierarchy { is_ok: false, .. })) => {
                Some(("false, the headings skipping levels", "true"))
            }
            (false, Some(Hierarchy { is_strict: true, .. })) => {
                Some(("true, no heading skipping a level", "false"))
            }
            _ => None,
        };
        if let Some((expected, found)) = wrong {
            c.report(&field.way, DocumentFindingCode::WrongSignal, expected, found, "AIWI2-AMB-19");
        }
        Some(is_ok)
    });
    let extra = c.rest(&members);
    Some(Signals {
        word_count,
        reading_time,
        has_json_ld: has_json_ld?,
        heading_hierarchy_ok: heading_hierarchy_ok?,
        extra,
    })
}

fn economics(c: &mut Checker, field: Field<'_, '_>) -> Option<Economics> {
    let names = [
        "output_tokens_approx",
        "raw_html_tokens_approx",
        "token_savings",
        "token_savings_percent",
        "estimated_cost_usd",
        "pricing_basis",
    ];
    let members = c.object(field, names)?;
    let output = members.required(c, "output_tokens_approx", "AIWI2-DOC-31", Checker::count);
    let raw_html = members.required(c, "raw_html_tokens_approx", "AIWI2-DOC-31", Checker::count);
    let counts = output.zip(raw_html).map(|(output, raw_html)| TokenCounts { output, raw_html });
    let token_savings = members.required(c, "token_savings", "AIWI2-DOC-32", |c, field| {
        let savings = c.signed(field)?;
        if counts.is_some_and(|counts| counts.savings() != Some(savings)) {
            let (code, found) = (DocumentFindingCode::WrongEconomics, alloc::format!("{savings}"));
            c.report(&field.way, code, "the raw tokens minus the output's", found, "AIWI2-AMB-22");
        }
        Some(savings)
    });
    let token_savings_percent = members.required(c, "token_savings_percent", "AIWI2-DOC-33", |c, field| {
        let number = number(c, field)?;
        let value = field.value.as_f64()?;
        let ratio = counts.map(TokenCounts::ratio);
        if let Some(ratio) = ratio.filter(|ratio| (value - ratio * 100.0).abs() > 0.5) {
            let (code, expected) = match (value * 100.0 - ratio * 100.0).abs() <= 0.5 {
                true => {
                    (DocumentFindingCode::FractionPercent, "the savings divided by the raw tokens, times 100")
                }
                false => {
                    (DocumentFindingCode::WrongEconomics, "the percentage of the raw tokens that is saved")
                }
            };
            c.report(&field.way, code, expected, quoted(number.as_str()), "AIWI2-AMB-21");
        }
        Some(number)
    });
    let estimated_cost_usd = members.required(c, "estimated_cost_usd", "AIWI2-DOC-34", |c, field| {
        let members = c.object(field, ["our_output", "raw_html", "savings"])?;
        let our_output = members.required(c, "our_output", "AIWI2-DOC-34", number);
        let raw_html = members.required(c, "raw_html", "AIWI2-DOC-34", number);
        let savings = members.required(c, "savings", "AIWI2-DOC-34", number);
        let extra = c.rest(&members);
        Some(EstimatedCost { our_output: our_output?, raw_html: raw_html?, savings: savings?, extra })
    });
    let pricing_basis = members.required(c, "pricing_basis", "AIWI2-DOC-35", |c, field| {
        let members = c.object(field, ["input_price_per_1k_usd", "model_class", "note"])?;
        let price = members.required(c, "input_price_per_1k_usd", "AIWI2-DOC-35", number);
        let model_class = members.required(c, "model_class", "AIWI2-DOC-35", Checker::string);
        let note = members.optional(c, "note", "AIWI2-DOC-35", Checker::string);
        let extra = c.rest(&members);
        Some(PricingBasis { input_price_per_1k_usd: price?, model_class: model_class?, note, extra })
    });
    let extra = c.rest(&members);
    Some(Economics {
        counts: counts?,
        token_savings: token_savings?,
        token_savings_percent: token_savings_percent?,
        estimated_cost_usd: estimated_cost_usd?,
        pricing_basis: pricing_basis?,
        extra,
    })
}

/// A number with all its digits.
fn number(c: &mut Checker, field: Field<'_, '_>) -> Option<Json> {
    match field.value.kind() {
        JsonKind::Number => Some(Json::compacted(field.value)),
        _ => c.wrong_type(&field, "a number"),
    }
}
