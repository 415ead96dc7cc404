//! A crawler's request, signed and verified, beside ed25519-dalek alone over the same bytes.
//!
//! The limit does the curve's work and nothing else: no base is written, no field read, no time compared. Ours does all
//! that a server or crawler needs for one request, from its header lines to the identity.

use benches::Comparison;
use bot_auth::{
    CrawlerSigner, DIRECTORY_MEDIA_TYPE, DIRECTORY_PATH, Directory, Fetched, Identity, Keyring, Message,
    Policy, Profile, Requirements, directory_body, identify, verify_signatures,
};
use ed25519_dalek::{Signature, Signer as _, SigningKey as DalekKey};
use jwk::{Jwk, SigningKey};
use web_values::UnixSeconds;

const NOW: UnixSeconds = UnixSeconds(1_790_000_000);
const SECRET: [u8; 32] = [7; 32];
const URL: &str = "https://shop.example/catalogue/tea/darjeeling?sort=new&page=2";
const HEADERS: [(&str, &[u8]); 6] = [
    ("Host", b"shop.example"),
    ("User-Agent", b"ExampleBot/1.0 (+https://bot.example/about)"),
    ("Accept", b"text/html,application/json;q=0.9,*/*;q=0.1"),
    ("Accept-Encoding", b"gzip, br"),
    ("If-None-Match", b"\"sha256-2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae\""),
    ("Connection", b"keep-alive"),
];

fn request() -> Message<'static> {
    Message::request("GET", URL).expect("a url").headers(HEADERS)
}

fn main() {
    let signer =
        CrawlerSigner::new(SigningKey::from_secret(&SECRET), "https://bot.example").expect("an agent");
    let signed = signer.sign(&request(), &[9; 32], NOW).expect("a signature");
    let lines = signed.lines();
    let received = || request().headers(lines.iter().map(|(name, value)| (*name, value.as_bytes())));

    let url = format!("https://bot.example{DIRECTORY_PATH}");
    let body = directory_body([&SigningKey::from_secret(&SECRET)]);
    let headers = [("Content-Type", DIRECTORY_MEDIA_TYPE.as_bytes())];
    let response = Fetched { url: &url, status: 200, headers: &headers, body: body.as_bytes() };
    let held = Directory::read(&url, &response, Profile::Deployed, NOW).expect("a directory");
    let policy = Policy::default();
    let keyid = SigningKey::from_secret(&SECRET).thumbprint().to_string();
    let key = Jwk::parse(SigningKey::from_secret(&SECRET).to_public_jwk().as_bytes()).expect("a key");
    let keys = Keyring::new().with(&keyid, &key);

    // The same bytes for the curve alone.
    let input = signed.signature_input.strip_prefix("sig1=").expect("its label");
    let with_agent = received();
    let base = bot_auth::SignatureParams::parse(input).expect("params").base(&with_agent).expect("a base");
    let dalek = DalekKey::from_bytes(&SECRET);
    let public = dalek.verifying_key();
    let signature: Signature = dalek.sign(base.as_bytes());

    Comparison::new("signatures", "verify")
        .rounds(400)
        .ours("identify", || {
            let (identity, _) = identify(&received(), |_| Some(&held), &policy, NOW);
            matches!(identity, Identity::Verified { .. })
        })
        .ours("verify_signatures", || {
            let results = verify_signatures(&received(), &keys, &Requirements::default(), Some(NOW));
            results.is_ok_and(|results| results.iter().all(bot_auth::SignatureResult::is_valid))
        })
        .peer("ed25519-dalek", || public.verify_strict(base.as_bytes(), &signature).is_ok())
        .run();

    Comparison::new("signatures", "sign")
        .rounds(400)
        .ours("sign", || {
            signer.sign(&request(), &[9; 32], NOW).expect("a signature").signature.len() - "sig1=::".len()
        })
        .peer("ed25519-dalek", || dalek.sign(base.as_bytes()).to_bytes().len().div_ceil(3) * 4)
        .run();
}
