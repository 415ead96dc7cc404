//! Values of the web from any text: what is read is written so that it reads the same, and reading never panics.
#![no_main]

use libfuzzer_sys::fuzz_target;
use web_values::{
    AiWebIndexAgent, AiWebIndexVersion, CacheControl, HostKind, Language, MediaType, RetryAfter, Timestamp,
    UnixSeconds, UrlRules, WebUrl, check_url, links_in, serialize_url,
};

const NOW: UnixSeconds = UnixSeconds(1_790_000_000);

fuzz_target!(|data: (&str, &str)| {
    let (text, other) = data;
    if let Some(media_type) = MediaType::parse(text) {
        let written = media_type.to_string();
        assert_eq!(MediaType::parse(&written).as_ref(), Some(&media_type), "{written}");
        assert!(media_type.essence().bytes().all(|b| !b.is_ascii_uppercase()));
    }
    if let Ok(language) = Language::parse(text) {
        assert_eq!(Language::parse(language.as_str()), Ok(language.clone()));
        let preferred = language.preferred();
        assert_eq!(preferred.preferred(), preferred);
    }
    if let Ok(timestamp) = Timestamp::parse(text) {
        // `Display` is the instant in UTC, clamped to four-digit years; the offset is part of `spelled` alone.
        let utc = Timestamp::parse(&timestamp.to_string()).expect("what was written is read");
        let is_clamped = utc.unix_seconds() == -62_167_219_200 || utc.unix_seconds() == 253_402_300_799;
        assert!(is_clamped || utc.unix_seconds() == timestamp.unix_seconds());
        assert_eq!(Timestamp::parse(&timestamp.spelled().to_string()), Ok(timestamp));
    }
    let _ = Timestamp::parse_without_offset(text);
    if let Some(at) = UnixSeconds::parse_http_date(text, NOW) {
        assert_eq!(UnixSeconds::parse_http_date(&at.to_http_date(), NOW), Some(at));
    }
    for rules in [UrlRules::default(), UrlRules::default().rfc3986()] {
        let checked = check_url(text, rules);
        let serialized = serialize_url(text, rules);
        assert_eq!(checked.is_ok(), serialized.is_ok());
        match WebUrl::parse_with(text, rules) {
            Ok(url) => {
                assert!(checked.is_ok());
                assert_eq!(url.as_given(), text);
                assert_eq!(serialized.unwrap().as_str(), url.as_str());
                let again = WebUrl::parse(url.as_str()).expect("what was written is read");
                assert_eq!(again.as_str(), url.as_str());
                assert_eq!(again.comparable_host(), url.comparable_host());
            }
            Err(_) => assert!(checked.is_err()),
        }
    }
    let _ = HostKind::of(text);
    // Two fields are one list.
    assert_eq!(CacheControl::parse([text, other]), CacheControl::parse([format!("{text},{other}").as_str()]));
    if let Some(pause) = RetryAfter::parse([text], Some(other), NOW) {
        assert!(NOW.saturating_add(pause.secs()) >= NOW);
    }
    let joined = format!("{text}, {other}");
    assert!(links_in(&joined).all(|link| joined.contains(link.target)));
    let agent = AiWebIndexAgent::builder(AiWebIndexVersion::V2).info_url(text).implementation(other);
    if let Ok(agent) = agent.build() {
        assert_eq!(AiWebIndexAgent::check_claimed(agent.as_str()), Ok(agent.clone()));
        assert_eq!(AiWebIndexAgent::claimed_version(agent.as_str()), Some("2.0"));
    }
    if let Ok(agent) = AiWebIndexAgent::check_claimed(text) {
        assert_eq!(agent.as_str(), text);
    }
});
