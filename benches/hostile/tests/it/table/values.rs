//! web-values.

use web_values::{
    AiWebIndexAgent, AiWebIndexVersion, CacheControl, HostKind, Language, MediaType, RetryAfter, Timestamp,
    UnixSeconds, UrlRules, WebUrl, check_url, links_in, serialize_url,
};

use super::{Function, nothing, row};

const NOW: UnixSeconds = UnixSeconds(1_771_600_000);
const LIBRARY: &str = "web-values";
const NONE: (u64, u64) = (0, 0);
/// The parser of URLs allocates for hosts beyond ASCII and for what it escapes.
const URL: (u64, u64) = (40, 4_096);

pub const FUNCTIONS: &[Function] = &[
    row(LIBRARY, "CacheControl::parse", (64, 4_096), NONE, |case| {
        nothing(CacheControl::parse([case.text.as_str()]))
    }),
    row(LIBRARY, "HostKind::of", NONE, NONE, |case| nothing(HostKind::of(&case.text))),
    row(LIBRARY, "Language::parse", (1, 0), (1, 0), |case| {
        Language::parse(&case.text).map_or(0, |tag| tag.as_str().len())
    }),
    row(LIBRARY, "Language::preferred", (3, 64), (1, 0), |case| {
        Language::parse(&case.text).map_or(0, |tag| tag.preferred().as_str().len())
    }),
    row(LIBRARY, "MediaType::parse", (8, 16_384), (1, 64), |case| {
        MediaType::parse(&case.text).map_or(0, |found| found.to_string().len() / 2)
    }),
    row(LIBRARY, "RetryAfter::parse", NONE, NONE, |case| {
        nothing(RetryAfter::parse([case.text.as_str()], Some(&case.text), NOW))
    }),
    row(LIBRARY, "Timestamp::parse", NONE, NONE, |case| nothing(Timestamp::parse(&case.text))),
    row(LIBRARY, "Timestamp::parse_without_offset", NONE, NONE, |case| {
        nothing(Timestamp::parse_without_offset(&case.text))
    }),
    row(LIBRARY, "UnixSeconds::parse_http_date", NONE, NONE, |case| {
        nothing(UnixSeconds::parse_http_date(&case.text, NOW))
    }),
    row(LIBRARY, "UnixSeconds::parse_rfc3339", NONE, NONE, |case| {
        nothing(UnixSeconds::parse_rfc3339(&case.text))
    }),
    row(LIBRARY, "WebUrl::parse", URL, (12, 64), |case| {
        WebUrl::parse(&case.text).map_or(0, |url| url.as_str().len())
    }),
    row(LIBRARY, "check_url", URL, NONE, |case| {
        nothing(check_url(&case.text, UrlRules::default().rfc3986()))
    }),
    row(LIBRARY, "serialize_url", URL, (12, 64), |case| {
        serialize_url(&case.text, UrlRules::default()).map_or(0, |url| url.as_str().len())
    }),
    row(LIBRARY, "links_in", (64, 4_096), (4, 64), |case| {
        links_in(&case.text).map(|link| link.target.len() + usize::from(link.has_rel("canonical"))).sum()
    }),
    row(LIBRARY, "AiWebIndexAgent", (8, 4_096), (8, 1_024), |case| {
        nothing((AiWebIndexAgent::check_claimed(&case.text), AiWebIndexAgent::claimed_version(&case.text)));
        let agent =
            AiWebIndexAgent::builder(AiWebIndexVersion::V2).info_url(&case.text).implementation(&case.text);
        agent.build().map_or_else(|error| error.to_string().len(), |agent| agent.as_str().len())
    }),
];
