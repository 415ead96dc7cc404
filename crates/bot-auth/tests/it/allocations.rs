//! Signing takes memory for the three fields that it gives, verifying for what it gives back and for what was signed.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use bot_auth::{
    CrawlerSigner, DIRECTORY_MEDIA_TYPE, DIRECTORY_PATH, Directory, Fetched, Identifier, Identity, Message,
    Policy, Profile, SignedHeaders, directory_body, identify,
};
use jwk::SigningKey;
use web_values::UnixSeconds;

const NOW: UnixSeconds = UnixSeconds(1_790_000_000);

fn key() -> SigningKey {
    SigningKey::from_secret(&[7; 32])
}

fn request() -> Message<'static> {
    Message::request("GET", "https://shop.example/page?x=1")
        .unwrap()
        .header("User-Agent", "ExampleBot/1.0 (+https://bot.example/about)")
        .header("Accept", "text/html")
}

#[test]
fn signing_allocates_the_fields_alone() {
    let signer = CrawlerSigner::new(key(), "https://bot.example").unwrap();
    let request = request();
    let mut signed = None;
    let used = allocation_counter::measure(|| signed = signer.sign(&request, &[9; 32], NOW).ok());
    let SignedHeaders { signature_agent, signature_input, signature } = signed.unwrap();
    assert_eq!(used.count_total, 3, "{signature_agent}, {signature_input}, {signature}");
}

#[test]
fn verifying_allocates_what_was_signed_and_what_is_given_back() {
    let signer = CrawlerSigner::new(key(), "https://bot.example").unwrap();
    let signed = signer.sign(&request(), &[9; 32], NOW).unwrap();
    let url = format!("https://bot.example{DIRECTORY_PATH}");
    let body = directory_body([&key()]);
    let headers = [("Content-Type", DIRECTORY_MEDIA_TYPE.as_bytes())];
    let response = Fetched { url: &url, status: 200, headers: &headers, body: body.as_bytes() };
    let held = Directory::read(&url, &response, Profile::Deployed, NOW).unwrap();
    let received = request()
        .header("Signature-Agent", &signed.signature_agent)
        .header("Signature-Input", &signed.signature_input)
        .header("Signature", &signed.signature);
    let policy = Policy::default();
    let mut identity = None;
    let used =
        allocation_counter::measure(|| identity = Some(identify(&received, |_| Some(&held), &policy, NOW).0));
    let identity = identity.unwrap();
    assert!(matches!(identity, Identity::Verified { .. }), "{identity}");
    // The base, and the agent's URL, which is given back.
    assert_eq!(used.count_total, 2);
    // The agent's URL alone, from the first request on.
    let mut identifier = Identifier::new(policy.clone());
    for _ in 0..3 {
        let mut identity = None;
        let used = allocation_counter::measure(|| {
            identity = Some(identifier.identify(&received, |_| Some(&held), NOW).0);
        });
        assert!(matches!(identity, Some(Identity::Verified { .. })));
        assert_eq!(used.count_total, 1);
        // What is refused costs less, and does not lose the memory.
        let late = UnixSeconds(NOW.0 + 100_000);
        let used = allocation_counter::measure(|| {
            let (identity, _) = identifier.identify(&received, |_| Some(&held), late);
            assert!(matches!(identity, Identity::Unverified(_)));
        });
        assert!(used.count_total <= 1);
    }
    // A request without a signature costs nothing.
    let unsigned = request();
    let used = allocation_counter::measure(|| {
        let (identity, _) = identify(&unsigned, |_| None, &policy, NOW);
        assert_eq!(identity, Identity::Anonymous);
    });
    assert_eq!(used.count_total, 0);
}
