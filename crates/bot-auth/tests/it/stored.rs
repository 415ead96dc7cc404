//! What is kept between requests and what is logged: through JSON and back.
#![cfg(feature = "serde")]
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use bot_auth::{
    BaseErrorKind, CrawlerDomains, Identity, KeyCache, Message, Outcome, Policy, Reason, Replay,
    ReplayWindow, RequestCheck, SignatureAgent,
};
use jwk::{KeyFault, SigningKey};
use web_values::UnixSeconds;

use crate::replays::signer;

const NOW: UnixSeconds = UnixSeconds(1_790_000_000);

fn through<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

#[test]
fn verdicts_are_told_by_their_codes() {
    let key = SigningKey::from_secret(&[7; 32]).thumbprint();
    let text = format!(
        r#"{{"verified":{{"agent":"https://bot.example/keys","key":"{key}","coverage":"request","id":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16],"has_nonce":true,"created":1,"expires":2}}}}"#
    );
    let verified: Identity = serde_json::from_str(&text).unwrap();
    assert!(verified.agent().unwrap().is("https://bot.example/keys"));
    assert_eq!(serde_json::to_string(&verified).unwrap(), text);
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
    let mut window = ReplayWindow::new(2, 2);
    let [a, b, c] = ["a", "b", "c"].map(|nonce| crate::replays::verified(&signer(7), nonce, 60));
    assert_eq!(window.admit(&a, NOW), Replay::Fresh);
    let mut window = through(&window);
    assert_eq!(window.admit(&a, NOW), Replay::Seen);
    assert_eq!(window.admit(&b, NOW), Replay::Fresh);
    assert_eq!(through(&window), window);
    assert_eq!(through(&window).admit(&c, NOW), Replay::Full);
    // What is stored cannot hold more than the window may.
    let stored = serde_json::to_string(&window).unwrap().replace("\"max\":2", "\"max\":1");
    assert!(serde_json::from_str::<ReplayWindow>(&stored).is_err());
}

/// A signature that is remembered beside a younger one that was forgotten.
#[test]
fn a_window_is_stored_after_its_clock_was_wrong() {
    let mut window = ReplayWindow::default();
    for (nonce, made, lifetime, at) in
        [("a", 0, 3_600, 0), ("b", 3_600, 60, 3_600), ("c", 1, 300, 1), ("d", 2, 10, 2), ("e", 20, 60, 20)]
    {
        let made = NOW.saturating_add(made);
        let verified = crate::replays::verified_at(&signer(7), nonce, lifetime, made);
        assert_eq!(window.admit(&verified, NOW.saturating_add(at)), Replay::Fresh, "{nonce}");
    }
    assert_eq!(window.len(), 3, "b, c and e");
    assert_eq!(through(&window), window);
}

/// What is misspelt in a stored policy is an error: a rule that was meant would not hold.
#[test]
fn a_misspelt_member_of_a_policy_is_an_error() {
    for text in [r#"{"require_nonce":true}"#, r#"{"places":{"any_prot":true}}"#] {
        let error = serde_json::from_str::<Policy>(text).unwrap_err();
        assert!(error.to_string().contains("unknown field"), "{error}");
    }
}

#[test]
fn a_cache_a_policy_and_domains_are_the_same_again() {
    let mut cache = KeyCache::default();
    cache.on_read(&[("Cache-Control", b"max-age=600".as_slice())], NOW);
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
