use super::*;
use alloc::format;
use alloc::string::ToString;

use AiWebIndexVersion::{V1, V2};

#[test]
fn forms_of_the_builder() {
    let bare = AiWebIndexAgent::builder(V1);
    let url = bare.info_url("https://example.com/bot");
    let both = url.implementation("acme");
    for (builder, expected) in [
        (bare, "AIWebIndex/1.0"),
        (url, "AIWebIndex/1.0 (+https://example.com/bot)"),
        (bare.implementation("acme 2"), "AIWebIndex/1.0 (acme 2)"),
        (both, "AIWebIndex/1.0 (+https://example.com/bot; acme)"),
        (bare.verification(true), "AIWebIndex/1.0 verification"),
        (both.verification(true), "AIWebIndex/1.0 verification (+https://example.com/bot)"),
    ] {
        let agent = builder.build().unwrap();
        assert_eq!(agent.as_str(), expected);
        assert_eq!(AiWebIndexAgent::check(expected, V1).unwrap(), agent, "the checker agrees");
    }
}

#[test]
fn parts_that_the_builder_refuses() {
    use AiWebIndexAgentErrorKind::*;
    for (name, kind) in [
        ("a(b", ForbiddenCharacter),
        ("a)b", ForbiddenCharacter),
        ("a\\b", ForbiddenCharacter),
        ("a;b", ForbiddenCharacter),
        ("a\rb", ForbiddenCharacter),
        ("a\nb", ForbiddenCharacter),
        ("a\0b", ForbiddenCharacter),
        ("ä", ForbiddenCharacter),
        ("", EmptyName),
        ("  ", EmptyName),
        ("Googlebot/2.1", Impersonation),
        ("like Gecko", Impersonation),
        ("my verification bot", ReservedWord),
    ] {
        let error = AiWebIndexAgent::builder(V1).implementation(name).build().unwrap_err();
        assert_eq!(error.kind(), kind, "{name:?}");
    }
    for (url, kind) in [
        ("example.com/bot", NotAnHttpUrl),
        ("ftp://example.com/", NotAnHttpUrl),
        ("https://", NotAnHttpUrl),
        ("https:///bot", NotAnHttpUrl),
        ("https://:80/", NotAnHttpUrl),
        ("https://example.com:port/", NotAnHttpUrl),
        ("https://me:secret@example.com/", NotAnHttpUrl),
        ("https://example.com/a b", ForbiddenCharacter),
        ("https://example.com/(a", ForbiddenCharacter),
        ("https://example.com/a\r\n", ForbiddenCharacter),
        ("https://exämple.com/", ForbiddenCharacter),
        ("https://example.com/googlebot", Impersonation),
    ] {
        let error = AiWebIndexAgent::builder(V1).info_url(url).build().unwrap_err();
        assert_eq!(error.kind(), kind, "{url:?}");
    }
    for url in
        ["http://example.com", "HTTPS://example.com:8443/a;b?c#d", "https://[::1]/bot", "https://a.b:1/"]
    {
        assert!(AiWebIndexAgent::builder(V1).info_url(url).build().is_ok(), "{url}");
    }
}

#[test]
fn values_that_the_checker_refuses() {
    for value in [
        "",
        " AIWebIndex/1.0",
        "aiwebindex/1.0",
        "AIWebIndex/1.01",
        "AIWebIndex/1.0.1",
        "AIWebIndexBot/1.0",
        "AIWebIndex/1",
        "AIWebIndex/1.0\tx",
        "AIWebIndex/1.0;",
        "AIWebIndex/1.0 \r\nX: y",
        "AIWebIndex/1.0 é",
        "Mozilla/5.0 (compatible; AIWebIndex/1.0)",
        "Googlebot/2.1",
        "curl/8",
        "AIWebIndex/1.0 Mozilla/5.0",
        "AIWebIndex/1.0 (+https://a.b/) Chrome/99",
        "AIWebIndex/1.0 curl/8.1",
        "AIWebIndex/1.0 (GoogleBot)",
    ] {
        assert!(AiWebIndexAgent::check(value, V1).is_err(), "{value:?}");
    }
}

#[test]
fn the_word_counts_as_a_word_only() {
    for (value, purpose) in [
        ("AIWebIndex/1.0 verification", FetchPurpose::Verification),
        ("AIWebIndex/1.0 (+https://a.b/; acme) verification", FetchPurpose::Verification),
        ("AIWebIndex/1.0 (+https://a.b/; verification)", FetchPurpose::Verification),
        ("AIWebIndex/1.0 (+https://a.b/verification)", FetchPurpose::Crawl),
        ("AIWebIndex/1.0 verifications", FetchPurpose::Crawl),
        ("AIWebIndex/1.0", FetchPurpose::Crawl),
        ("AIWebIndex/1.0 ", FetchPurpose::Crawl),
    ] {
        assert_eq!(AiWebIndexAgent::check(value, V1).unwrap().purpose(), purpose, "{value}");
    }
}

#[test]
fn an_offset_names_the_byte() {
    let error = AiWebIndexAgent::check("AIWebIndex/1.0 (+https://a.b/) Chrome/99", V1).unwrap_err();
    assert_eq!((error.offset(), error.requirement()), (31, "AIWI-UA-4"));
    assert_eq!(AiWebIndexAgent::check("AIWebIndey/1.0", V1).unwrap_err().offset(), 9);
    assert!(error.to_string().ends_with("at byte 31"));
}

#[test]
fn the_second_version_differs_in_its_number_alone() {
    for value in [
        "AIWebIndex/2.0",
        "AIWebIndex/2.0 (+https://a.b/; acme)",
        "AIWebIndex/2.0 verification (+https://a.b/)",
    ] {
        let agent = AiWebIndexAgent::check(value, V2).unwrap();
        assert_eq!((agent.version(), AiWebIndexAgent::check_claimed(value)), (V2, Ok(agent.clone())));
        assert!(AiWebIndexAgent::check(value, V1).is_err());
        let first = value.replace("2.0", "1.0");
        assert_eq!(AiWebIndexAgent::check(&first, V1).unwrap().purpose(), agent.purpose());
        assert_eq!(AiWebIndexAgent::check(&first, V2).unwrap_err().requirement(), "AIWI2-UA-1");
    }
    let error = AiWebIndexAgent::check("AIWebIndex/2.0 Mozilla/5.0", V2).unwrap_err();
    assert_eq!((error.kind(), error.requirement()), (AiWebIndexAgentErrorKind::Impersonation, "AIWI2-UA-4"));
    let error = AiWebIndexAgent::check_claimed("AIWebIndex/2.1").unwrap_err();
    assert_eq!(error.to_string(), "expected `AIWebIndex/1.0` and then a space or the end at byte 11");
}

#[test]
fn the_version_that_a_value_claims() {
    for (value, claimed) in [
        ("AIWebIndex/1.0", Some("1.0")),
        ("AIWebIndex/2.0 Mozilla/5.0", Some("2.0")),
        ("AIWebIndex/2.0(x)", Some("2.0")),
        ("AIWebIndex/2.0\r\nX: y", Some("2.0")),
        ("AIWebIndex/2.01", Some("2.01")),
        ("AIWebIndex/10.12;", Some("10.12")),
        ("AIWebIndex/2.0.1", None),
        ("AIWebIndex/2", None),
        ("AIWebIndex/2.", None),
        ("AIWebIndex/.0", None),
        ("AIWebIndex/2.0b", None),
        ("AIWebIndex/", None),
        ("AIWebIndex 2.0", None),
        ("aiwebindex/2.0", None),
        (" AIWebIndex/2.0", None),
        ("AIWebIndex-Agent/2.0", None),
        ("Mozilla/5.0 (compatible; AIWebIndex/2.0)", None),
        ("AIWebIndex/\u{662}.0", None),
        ("", None),
    ] {
        assert_eq!(AiWebIndexAgent::claimed_version(value), claimed, "{value:?}");
    }
}

#[cfg(feature = "serde")]
#[test]
fn json() {
    let agent = AiWebIndexAgent::builder(V2).build().unwrap();
    assert_eq!(serde_json::to_string(&agent).unwrap(), "\"AIWebIndex/2.0\"");
    assert_eq!(serde_json::from_str::<AiWebIndexAgent>("\"AIWebIndex/2.0\"").unwrap(), agent);
    assert!(serde_json::from_str::<AiWebIndexAgent>("\"curl/8\"").is_err());
    assert_eq!(serde_json::to_string(&agent.version()).unwrap(), "\"2.0\"");
}

/// Name and value of the one field that a fetch needs, and the offset of a reserved word.
#[test]
fn what_is_sent_and_where_a_name_is_wrong() {
    for version in AiWebIndexVersion::ALL {
        let agent = AiWebIndexAgent::builder(version).implementation("acme").build().unwrap();
        let value = format!("AIWebIndex/{version} (acme)");
        assert_eq!(agent.request_headers(), [("user-agent", value.as_str())]);
        assert_eq!((agent.as_ref(), agent.to_string()), (value.as_str(), value.clone()));
        assert_eq!((agent.version(), agent.purpose()), (version, FetchPurpose::Crawl));
        assert_eq!((version.number(), version.product()), (&*version.to_string(), &value[..14]));
    }
    for (name, offset) in [
        ("verification", Some(0)),
        ("a verification", Some(2)),
        ("ab  verification bot", Some(4)),
        ("a b verification", Some(4)),
        ("verifications", None),
        ("verification-bot", None),
    ] {
        let built = AiWebIndexAgent::builder(V1).implementation(name).build();
        let found = built.map_err(|error| (error.kind(), error.offset())).map(drop);
        assert_eq!(found.err(), offset.map(|at| (AiWebIndexAgentErrorKind::ReservedWord, at)), "{name}");
    }
}
