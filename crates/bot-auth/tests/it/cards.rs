//! What is wrong with a card, and where.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use bot_auth::{Card, CardFaultCode};
use web_values::Finding;

const URL: &str = "https://bot.example/card";

#[test]
fn every_fault_has_its_member_with_line_and_column() {
    let card = r#"{
  "client_id": "https://other.example/",
  "jwks": 7,
  "jwks_uri": "http://bot.example/keys",
  "web_bot_auth": {
    "trigger": "né", "ips_uri": false, "purpose": [1]
  }
}"#;
    let card = Card::parse(URL, card.as_bytes()).unwrap();
    let found: Vec<_> = card.faults().iter().map(|fault| (fault.code, fault.to_string())).collect();
    let expected = [
        (
            CardFaultCode::WrongType,
            "expected another type of value at /web_bot_auth/ips_uri (line 6, column 33)",
        ),
        (
            CardFaultCode::ClientIdMismatch,
            "expected the url of the card as `client_id`, found another text at /client_id (line 2, column 16)",
        ),
        (CardFaultCode::WrongType, "expected another type of value at /jwks (line 3, column 11)"),
        (
            CardFaultCode::WrongType,
            "expected another type of value at /web_bot_auth/purpose (line 6, column 51)",
        ),
        (CardFaultCode::NotHttps, "expected an https url, found another at /jwks_uri (line 4, column 15)"),
        (
            CardFaultCode::UnknownValue,
            "expected `fetcher` or `crawler` as `trigger`, found another value at /web_bot_auth/trigger (line 6, column 16)",
        ),
        (CardFaultCode::BothKeys, "expected `jwks` or `jwks_uri`, found both at /jwks (line 3, column 11)"),
    ];
    assert_eq!(found, expected.map(|(code, text)| (code, text.to_owned())));
}

#[test]
fn a_card_without_an_id_is_at_fault_as_a_whole() {
    let card = Card::parse(URL, b"\n {}").unwrap();
    let [fault] = card.faults() else { panic!("expected one fault, found {:?}", card.faults()) };
    assert_eq!((fault.code, fault.path.as_str(), fault.offset), (CardFaultCode::ClientIdMissing, "", 2));
    assert_eq!((fault.place().line, fault.place().column), (Some(2), Some(2)));
}

#[test]
fn what_is_no_card_says_where_and_why() {
    let error = Card::parse(URL, br#"{"a":1,"a":2}"#).unwrap_err();
    let start = "expected a json object of at most 64 kib with each member once, found";
    assert_eq!(error.to_string(), format!("{start} other text at byte 7"));
    assert!(std::error::Error::source(&error).unwrap().to_string().contains("`a` again"));
    assert_eq!(Card::parse(URL, b"[]").unwrap_err().to_string(), format!("{start} another value"));
}
