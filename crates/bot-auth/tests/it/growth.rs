//! Hostile requests: what one costs before any key is known grows with its size alone.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail where it stands")]

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bot_auth::{BaseErrorKind, CrawlerSigner, Fetched, Message, Policy, Reason, RequestCheck, SignErrorKind};
use web_values::UnixSeconds;

const NOW: UnixSeconds = UnixSeconds(1_790_000_000);
/// What the default policy asks for.
const TARGET: &str = r#""@authority" "@method" "@path" "@query" "signature-agent";key="a""#;

/// The fields of a request in which each of the lists is covered by one signature, labelled `s0`, `s1` and so on.
fn fields(lists: &[&str]) -> [(&'static str, String); 3] {
    let key = jwk::SigningKey::from_secret(&[7; 32]).thumbprint();
    let (mut input, mut signature) = (String::new(), String::new());
    for (n, list) in lists.iter().enumerate() {
        let more = if n > 0 { ", " } else { "" };
        let times = "created=1790000000;expires=1790000100";
        write!(input, r#"{more}s{n}=({list});{times};keyid="{key}";nonce="{n}";tag="web-bot-auth""#).unwrap();
        write!(signature, "{more}s{n}=:{}:", STANDARD.encode([0; 64])).unwrap();
    }
    let agent = r#"a="https://stranger.example""#.to_owned();
    [("Signature-Agent", agent), ("Signature-Input", input), ("Signature", signature)]
}

/// The reasons of a request's signatures, in order, before any key is handed in.
fn reasons(message: Message<'_>, fields: &[(&str, String)]) -> Vec<Option<Reason>> {
    let message = message.headers(fields.iter().map(|(name, value)| (*name, value.as_bytes())));
    let check = RequestCheck::new(&message, &Policy::default(), NOW);
    check.results().map(|result| result.reason).collect()
}

#[test]
fn a_body_is_hashed_once_for_all_signatures() {
    use sha2::{Digest as _, Sha256, Sha512};
    let body = vec![b'x'; 1 << 20];
    let digest = format!(
        "sha-256=:{}:, sha-512=:{}:",
        STANDARD.encode(Sha256::digest(&body)),
        STANDARD.encode(Sha512::digest(&body))
    );
    let list = format!("{TARGET} \"content-digest\"");
    let check = |labels: usize| {
        let fields = fields(&vec![&*list; labels]);
        let message = Message::request("POST", "https://shop.example/a").unwrap();
        let message = message.body(&body).header("Content-Digest", &digest);
        assert_eq!(reasons(message, &fields), vec![Some(Reason::DirectoryLater); labels]);
    };
    linear::assert_at_most("a body under 100 signatures", 3.0, || check(1), || check(100));
}

#[test]
fn a_query_is_read_once_for_all_signatures() {
    let mut url = "https://shop.example/a?".to_owned();
    (0..30_000).for_each(|n| write!(url, "{n}&").unwrap());
    let check = |components: usize, labels: usize| {
        let mut list = TARGET.to_owned();
        (0..components).for_each(|n| write!(list, r#" "@query-param";name="{n}""#).unwrap());
        let fields = fields(&vec![&*list; labels]);
        let message = Message::request("GET", &url).unwrap();
        assert_eq!(reasons(message, &fields), vec![Some(Reason::DirectoryLater); labels]);
    };
    linear::assert_at_most("900 parameters of a long query", 3.0, || check(1, 1), || check(900, 1));
    linear::assert_at_most("a long query under 100 signatures", 3.0, || check(1, 1), || check(1, 100));
}

#[test]
fn a_signature_of_many_signatures() {
    linear::assert_linear("a chain that repeats", [1_001, 4_004], |n| {
        let inner = format!("{TARGET} {}", r#""x" "#.repeat(n));
        let outer = format!(
            r#"{TARGET} {} "x" {}"#,
            r#""signature";key="s0" "#.repeat(n),
            r#""signature-input";key="s0" "#
        );
        let message = Message::request("GET", "https://shop.example/a").unwrap().header("X", "1");
        let reasons = reasons(message, &fields(&[inner.trim_end(), outer.trim_end()]));
        let refused = Reason::Base(BaseErrorKind::TooManyComponents);
        assert_eq!(reasons, [Some(refused), Some(refused)]);
    });
}

/// What a server asks a crawler to sign.
#[test]
fn a_challenge_of_many_components() {
    let signer = CrawlerSigner::new(jwk::SigningKey::from_secret(&[7; 32]), "https://bot.example").unwrap();
    let request = Message::request("GET", "https://shop.example/a").unwrap();
    linear::assert_linear("components of a challenge", [5_000, 20_000], |n| {
        let mut asked = "s=(".to_owned();
        (0..n).for_each(|n| write!(asked, "\"x{n}\" ").unwrap());
        asked += ");tag=\"web-bot-auth\"";
        let refused = signer.answering(&[&asked]).and_then(|signer| signer.sign(&request, b"n", NOW));
        let too_many = BaseErrorKind::TooManyComponents.into();
        assert_eq!(refused.unwrap_err().kind(), &SignErrorKind::Base(too_many));
    });
}

/// A request by many agents: one without a key costs its receiver a few fetches, whatever it names.
#[test]
fn a_request_asks_for_few_directories() {
    for (kind, is_card) in [("", false), (";type=cimd", true)] {
        let agents: Vec<String> =
            (0..100).map(|n| format!("s{n}=\"https://a{n}.example/{kind}\"{kind}")).collect();
        let lists: Vec<String> =
            (0..100).map(|n| TARGET.replace("key=\"a\"", &format!("key=\"s{n}\""))).collect();
        let mut fields = fields(&lists.iter().map(String::as_str).collect::<Vec<_>>());
        fields[0].1 = agents.join(", ").replace("/;type=cimd", "/card").replace("/\"", "\"");
        let message = Message::request("GET", "https://shop.example/a?").unwrap();
        let message = message.headers(fields.iter().map(|(name, value)| (*name, value.as_bytes())));
        let mut check = RequestCheck::new(&message, &Policy::default(), NOW);
        let mut fetched = Vec::new();
        while let Some(url) = check.wanted().map(str::to_owned) {
            let keys = url.replace("/card", "/keys");
            let card = format!(r#"{{"client_id":"{url}","jwks_uri":"{keys}"}}"#);
            if is_card && url.ends_with("/card") {
                check.on_response(&Fetched { url: &url, status: 200, headers: &[], body: card.as_bytes() });
            } else {
                check.on_refusal(Reason::DirectoryFailed);
            }
            fetched.push(url);
        }
        assert_eq!(fetched.len(), 4, "{fetched:?}");
        assert_eq!(fetched, check.requests());
        let reasons: Vec<_> = check.results().map(|result| result.reason).collect();
        let asked = if is_card { 2 } else { 4 };
        let expected = |n| if n < asked { Reason::DirectoryFailed } else { Reason::DirectoryLater };
        assert_eq!(reasons, (0..100).map(|n| Some(expected(n))).collect::<Vec<_>>());
    }
}
