//! What is kept between requests and what is logged: through JSON and back.
#![cfg(feature = "serde")]
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use bot_auth::{
    BaseErrorKind, Coverage, CrawlerDomains, Identity, KeyCache, Message, Outcome, Policy, Reason, Replay,
    ReplayWindow, RequestCheck, SignatureAgent,
};
use jwk::{KeyFault, SigningKey};
use web_values::UnixSeconds;

const NOW: UnixSeconds = UnixSeconds(1_790_000_000);

fn through<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

#[test]
fn verdicts_are_told_by_their_codes() {
    let key = SigningKey::from_secret(&[7; 32]).thumbprint();
    let verified =
        Identity::Verified { agent: "https://bot.example/".into(), key, coverage: Coverage::Request };
    let expected =
        format!(r#"{{"verified":{{"agent":"https://bot.example/","key":"{key}","coverage":"request"}}}}"#);
    assert_eq!(serde_json::to_string(&verified).unwrap(), expected);
    assert_eq!(through(&verified), verified);
    for (reason, text) in [
        (Reason::CreatedInFuture, r#""created-in-future""#),
        (Reason::Base(BaseErrorKind::MissingComponent), r#"{"base":"missing-component"}"#),
        (Reason::KeyUnusable(Some(KeyFault::Weak)), r#"{"key-unusable":"key-weak"}"#),
    ] {
        assert_eq!(serde_json::to_string(&reason).unwrap(), text);
        assert_eq!(through(&Identity::Unverified(reason)), Identity::Unverified(reason));
    }
    assert_eq!(serde_json::to_string(&Identity::Anonymous).unwrap(), r#""anonymous""#);
    assert_eq!(through(&Outcome::Unverified), Outcome::Unverified);
    let request = Message::request("GET", "https://shop.example/").unwrap().header("Signature-Input", "a=()");
    let check = RequestCheck::new(&request, &Policy::default(), NOW);
    for result in check.results() {
        assert_eq!(through(result), *result);
    }
    let agent =
        SignatureAgent::parse(&[r#"a="https://bot.example", b=1"#], bot_auth::Profile::Deployed).unwrap();
    assert_eq!(through(&agent), agent);
}

#[test]
fn a_window_remembers_what_it_has_seen() {
    let mut window = ReplayWindow::new(2);
    assert_eq!(window.admit("key", "a", 1_790_000_060, NOW), Replay::Fresh);
    let mut window = through(&window);
    assert_eq!(window.admit("key", "a", 1_790_000_060, NOW), Replay::Seen);
    assert_eq!(window.admit("key", "b", 1_790_000_060, NOW), Replay::Fresh);
    assert_eq!(through(&window).admit("key", "c", 1_790_000_060, NOW), Replay::Full);
}

#[test]
fn a_cache_a_policy_and_domains_are_the_same_again() {
    let mut cache = KeyCache::default();
    cache.on_response(200, &[("Cache-Control", b"max-age=600".as_slice())], NOW);
    assert_eq!(through(&cache), cache);
    let policy = Policy { requires_nonce: true, ..Policy::default() };
    assert_eq!(through(&policy), policy);
    // What a stored policy does not tell is as strict as the default.
    assert_eq!(serde_json::from_str::<Policy>("{}").unwrap(), Policy::default());
    let domains = CrawlerDomains::new(["Bot.example."]).unwrap();
    assert_eq!(through(&domains), domains);
    assert!(serde_json::from_str::<CrawlerDomains>(r#"["*.example"]"#).is_err());
    assert!(serde_json::from_str::<CrawlerDomains>("[]").is_err());
}
