//! Requests: what the crawler's signer signs is verified, a change of anything covered is not, and nothing that was put
//! together without the key is verified at all. Whatever is read is written so that it reads the same.
#![no_main]

use std::sync::LazyLock;

use bot_auth::{
    CrawlerSigner, DIRECTORY_MEDIA_TYPE, DIRECTORY_PATH, Directory, Fetched, FieldType, Identity, Keyring, Message,
    Policy, Profile, Requirements, SignatureAgent, SignatureParams, canonical_field, directory_body, identify,
    verify_signatures,
};
use jwk::{Jwk, SigningKey};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use web_values::UnixSeconds;

const NOW: UnixSeconds = UnixSeconds(1_790_000_000);
const AGENT: &str = "https://bot.example";

/// A request, and what happens to it on its way.
#[derive(Debug, Arbitrary)]
struct Input<'a> {
    path: &'a str,
    user_agent: &'a [u8],
    other: &'a [u8],
    /// Bits choose what is covered.
    covered: u8,
    nonce: [u8; 4],
    /// Which of the three fields is changed, where, and how.
    edit: Option<(u8, u16, u8)>,
    other_path: &'a str,
    /// Fields of a stranger.
    forged: [&'a [u8]; 3],
}

struct Held {
    signer: CrawlerSigner,
    directory: Directory,
    keys: Keyring,
}

static HELD: LazyLock<Held> = LazyLock::new(|| {
    let key = SigningKey::from_secret(&[7; 32]);
    let url = format!("{AGENT}{DIRECTORY_PATH}");
    let body = directory_body([&key]);
    let headers = [("Content-Type", DIRECTORY_MEDIA_TYPE.as_bytes())];
    let response = Fetched { url: &url, status: 200, headers: &headers, body: body.as_bytes() };
    let directory = Directory::read(&url, &response, Profile::Deployed, NOW).unwrap();
    let keys = Keyring::new().with("k", &Jwk::parse(key.to_public_jwk().as_bytes()).unwrap());
    Held { signer: CrawlerSigner::new(key, AGENT).unwrap(), directory, keys }
});

fuzz_target!(|input: Input<'_>| {
    forged(input.forged);
    let url = format!("https://shop.example/{}", input.path);
    let Ok(request) = Message::request("GET", &url) else { return };
    let request = request.header("User-Agent", input.user_agent).header("X", input.other);
    let all = ["\"@method\"", "\"@target-uri\"", "\"@path\"", "\"@query\"", "\"user-agent\"", "\"x\"", "\"x\";bs", "\"x\";sf"];
    let components = all.iter().enumerate().filter(|(bit, _)| input.covered >> bit & 1 == 1).map(|(_, name)| *name);
    let is_whole = input.covered & 0b1000_0010 == 0b10;
    let signer = HELD.signer.clone().only_components(components);
    let Ok(signed) = signer.sign(&request, &input.nonce, NOW) else { return };
    let mut fields = signed.lines().map(|(name, value)| (name, value.as_bytes().to_vec()));
    let who = |url: &str, fields: &[(&str, Vec<u8>); 3]| {
        let message = Message::request("GET", url).unwrap().header("User-Agent", input.user_agent).header("X", input.other);
        let message = message.headers(fields.iter().map(|(name, value)| (*name, value.as_slice())));
        identify(&message, |_| Some(&HELD.directory), &Policy::host_alone(), NOW).0
    };
    let verified = who(&url, &fields);
    assert!(verified.agent().is_some_and(|agent| agent.is(AGENT)), "{verified}");
    // Another target is another request, where the target is covered.
    let other = format!("https://shop.example/{}", input.other_path);
    let uri = |url: &str| url.split('#').next().unwrap_or_default().to_owned();
    if Message::request("GET", &other).is_ok() && uri(&other) != uri(&url) && is_whole {
        assert!(!matches!(who(&other, &fields), Identity::Verified(_)), "{url} became {other}");
    }
    // A changed field is verified only if it says the same.
    if let Some((which, at, byte)) = input.edit {
        let before = fields.clone();
        let (_, value) = &mut fields[usize::from(which) % 3];
        let at = usize::from(at) % value.len();
        value[at] = byte;
        if matches!(who(&url, &fields), Identity::Verified(_)) {
            for ((name, before), (_, after)) in before.iter().zip(&fields) {
                let canonical = |text| canonical_field(FieldType::Dictionary, &[text]);
                assert!(canonical(after) == canonical(before), "{name}: {}", after.escape_ascii());
            }
        }
    }
});

/// What nobody signed is never verified.
fn forged(fields: [&[u8]; 3]) {
    let message = Message::request("GET", "https://shop.example/?a=%zz&b").unwrap();
    let names = ["signature-input", "signature", "signature-agent"];
    let message = message.headers(names.into_iter().zip(fields)).header("x", fields[0]);
    let (identity, _) = identify(&message, |_| Some(&HELD.directory), &Policy::host_alone(), NOW);
    assert!(!matches!(identity, Identity::Verified(_)), "{identity}");
    assert!(!identity.to_string().is_empty());
    if let Ok(results) = verify_signatures(&message, &HELD.keys, &Requirements::default(), Some(NOW)) {
        assert!(results.iter().all(|result| !result.is_valid()));
    }
    for profile in [Profile::Deployed, Profile::Ietf01] {
        let _ = SignatureAgent::parse(&[fields[2]], profile);
    }
    for kind in [FieldType::Item, FieldType::List, FieldType::Dictionary] {
        if let Ok(Some(canonical)) = canonical_field(kind, &[fields[0]]) {
            assert_eq!(canonical_field(kind, &[&canonical]).unwrap().as_deref(), Some(canonical.as_str()));
        }
    }
    let Ok(Ok(params)) = std::str::from_utf8(fields[0]).map(SignatureParams::parse) else { return };
    let text = params.to_string();
    assert_eq!(SignatureParams::parse(&text).unwrap().to_string(), text);
    if let Ok(base) = params.base(&message) {
        assert!(base.bytes().all(|b| matches!(b, b'\n' | b'\t' | b' '..=b'~')) && !base.ends_with('\n'));
    }
}
