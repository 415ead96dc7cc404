//! Signing takes memory for the three fields that it gives, verifying for what it gives back and for what was signed.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use bot_auth::{
    CrawlerSigner, DIRECTORY_MEDIA_TYPE, DIRECTORY_PATH, Directory, Fetched, Identity, Message, Policy,
    Profile, SignedHeaders, directory_body, identify,
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
    // The list of what is covered, the bytes of the signature, the base, and the agent's URL.
    assert_eq!(used.count_total, 4);
    // A request without a signature costs nothing.
    let unsigned = request();
    let used = allocation_counter::measure(|| {
        let (identity, _) = identify(&unsigned, |_| None, &policy, NOW);
        assert_eq!(identity, Identity::Anonymous);
    });
    assert_eq!(used.count_total, 0);
}
