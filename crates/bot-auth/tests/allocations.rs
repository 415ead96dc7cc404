//! Signing takes memory for the three fields that it gives, and for nothing else.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use bot_auth::{CrawlerSigner, Message, SignedHeaders};
use jwk::SigningKey;
use web_values::UnixSeconds;

const NOW: UnixSeconds = UnixSeconds(1_790_000_000);

#[test]
fn signing_allocates_the_fields_alone() {
    let signer = CrawlerSigner::new(SigningKey::from_secret(&[7; 32]), "https://bot.example").unwrap();
    let request = Message::request("GET", "https://shop.example/page?x=1")
        .unwrap()
        .header("User-Agent", "ExampleBot/1.0 (+https://bot.example/about)")
        .header("Accept", "text/html");
    let mut signed = None;
    let used = allocation_counter::measure(|| signed = signer.sign(&request, &[9; 32], NOW).ok());
    let SignedHeaders { signature_agent, signature_input, signature } = signed.unwrap();
    assert_eq!(used.count_total, 3, "{signature_agent}, {signature_input}, {signature}");
}
