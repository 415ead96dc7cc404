//! What errors, findings and queries say.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use bot_auth::{DnsQuery, Message, MessageErrorKind, RecordType, SignatureParams, UrlFault};

#[test]
fn errors_name_what_they_are_about() {
    let message = Message::request("GET", "https://a.example/").unwrap();
    for (component, shown) in [(r#""x-absent""#, r#""x-absent""#), (r#""x-absent";sf"#, r#""x-absent";sf"#)] {
        let input = format!("({component});created=1");
        let params = SignatureParams::parse(&input).unwrap();
        let error = params.base(&message).unwrap_err();
        assert_eq!(error.component(), Some(shown), "{error}");
    }
    for (url, fault, offset) in [
        ("https://u@a.example/", UrlFault::Userinfo, 9),
        ("http://user:pw@a.example/", UrlFault::Userinfo, 14),
        ("ftp://a.example/", UrlFault::Scheme, 0),
        ("/a", UrlFault::NotAbsolute, 0),
        ("https://a.example:x/", UrlFault::Port, 17),
    ] {
        let error = Message::request("GET", url).unwrap_err();
        assert_eq!(error.kind(), MessageErrorKind::Url(fault), "{url}");
        assert_eq!(error.offset(), offset, "{url}");
    }
    let queries = [(RecordType::Ptr, "PTR"), (RecordType::A, "A"), (RecordType::Aaaa, "AAAA")];
    for (record_type, word) in queries {
        let query = DnsQuery { record_type, name: "a.example".into() };
        assert_eq!(query.to_string(), format!("{word} a.example"));
    }
}

#[test]
fn a_refusal_has_a_code() {
    use web_values::{Finding as _, UnixSeconds};
    let request = Message::request("GET", "https://a.example/")
        .unwrap()
        .header("Signature-Input", r#"a=("@authority");created=1;expires=2;tag="web-bot-auth""#)
        .header("Signature", "a=:AA==:");
    let check = bot_auth::RequestCheck::new(&request, &bot_auth::Policy::default(), UnixSeconds(1));
    let result = check.results().next().unwrap();
    let finding = result.finding().unwrap();
    assert_eq!((finding.code(), finding.place().name), ("missing-param", "a"));
}
