//! A crawler's request, signed and verified, beside ed25519-dalek alone over the same bytes and beside the crates
//! `web-bot-auth` and `httpsig`.
//!
//! The limit does the curve's work and nothing else: no base is written, no field read, no time compared. Ours does all
//! that a server or crawler needs for one request, from its header lines to the identity. The peers are asked for as much
//! of it as they do: `web-bot-auth` fetches no directory and compares no times by itself, `httpsig` knows no agents.

use std::time::Duration;

use benches::Comparison;
use bot_auth::{
    CrawlerSigner, DIRECTORY_MEDIA_TYPE, DIRECTORY_PATH, Directory, Fetched, Identity, Keyring, Message,
    Policy, Profile, Requirements, directory_body, identify, verify_signatures,
};
use ed25519_dalek::{Signature, Signer as _, SigningKey as DalekKey};
use httpsig::prelude::message_component::{HttpMessageComponent, HttpMessageComponentId};
use httpsig::prelude::{
    AlgorithmName, HttpSignatureBase, HttpSignatureHeaders, HttpSignatureParams, PublicKey, SecretKey,
};
use indexmap::IndexMap;
use jwk::{Jwk, SigningKey};
use web_bot_auth::WebBotAuthVerifier;
use web_bot_auth::components::{
    CoveredComponent, DerivedComponent, HTTPField, HTTPFieldParameters, HTTPFieldParametersSet,
};
use web_bot_auth::keyring::{Algorithm, KeyRing};
use web_bot_auth::message_signatures::{MessageSigner, SignedMessage, UnsignedMessage};
use web_values::UnixSeconds;

/// Far ahead: `httpsig` compares with the system's clock.
const NOW: UnixSeconds = UnixSeconds(4_000_000_000);
const SECRET: [u8; 32] = [7; 32];
const AGENT: &str = "https://bot.example";
const HOST: &str = "shop.example";
const URL: &str = "https://shop.example/catalogue/tea/darjeeling?sort=new&page=2";
const PATH: &str = "/catalogue/tea/darjeeling";
const QUERY: &str = "?sort=new&page=2";
const BOT: &str = "ExampleBot/1.0 (+https://bot.example/about)";
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

/// The signed request as `web-bot-auth` looks at it.
struct Received<'a>(&'a [(&'static str, &'a str)]);

impl SignedMessage for Received<'_> {
    fn lookup_component(&self, component: &CoveredComponent) -> Vec<String> {
        match component {
            CoveredComponent::Derived(DerivedComponent::Authority { .. }) => vec![HOST.to_owned()],
            CoveredComponent::Derived(DerivedComponent::Method { .. }) => vec!["GET".to_owned()],
            CoveredComponent::Derived(DerivedComponent::Path { .. }) => vec![PATH.to_owned()],
            CoveredComponent::Derived(DerivedComponent::Query { .. }) => vec![QUERY.to_owned()],
            CoveredComponent::HTTP(HTTPField { name, .. }) if name == "user-agent" => vec![BOT.to_owned()],
            CoveredComponent::HTTP(HTTPField { name, parameters }) if parameters.0.is_empty() => {
                let lines = self.0.iter().filter(|(line, _)| line.eq_ignore_ascii_case(name));
                lines.map(|(_, value)| (*value).to_owned()).collect()
            }
            CoveredComponent::HTTP(_) => vec![format!("\"{AGENT}\"")],
            _ => Vec::new(),
        }
    }
}

/// A request as `web-bot-auth` signs it.
struct Unsigned {
    fields: [String; 2],
}

impl UnsignedMessage for Unsigned {
    fn fetch_components_to_cover(&self) -> IndexMap<CoveredComponent, String> {
        let parameters = HTTPFieldParametersSet(vec![HTTPFieldParameters::Key("sig1".to_owned())]);
        let agent = CoveredComponent::HTTP(HTTPField { name: "signature-agent".to_owned(), parameters });
        let parameters = HTTPFieldParametersSet(Vec::new());
        let user_agent = CoveredComponent::HTTP(HTTPField { name: "user-agent".to_owned(), parameters });
        let derived = CoveredComponent::Derived;
        IndexMap::from_iter([
            (derived(DerivedComponent::Authority { req: false }), HOST.to_owned()),
            (derived(DerivedComponent::Method { req: false }), "GET".to_owned()),
            (derived(DerivedComponent::Path { req: false }), PATH.to_owned()),
            (derived(DerivedComponent::Query { req: false }), QUERY.to_owned()),
            (user_agent, BOT.to_owned()),
            (agent, format!("\"{AGENT}\"")),
        ])
    }

    fn register_header_contents(&mut self, signature_input: String, signature: String) {
        self.fields = [format!("sig1={signature_input}"), format!("sig1={signature}")];
    }
}

/// The lines of a base as `httpsig` makes them of a request's values.
fn lines_of(ids: &[HttpMessageComponentId], agent: &str) -> Vec<HttpMessageComponent> {
    let values = [HOST, "GET", PATH, QUERY, BOT, agent].map(|value| [value.to_owned()]);
    let lines = ids.iter().zip(&values);
    lines
        .map(|(id, values)| HttpMessageComponent::try_from((id, values.as_slice())).expect("a line"))
        .collect()
}

fn main() {
    let signer = CrawlerSigner::new(SigningKey::from_secret(&SECRET), AGENT).expect("an agent");
    let signed = signer.sign(&request(), &[9; 32], NOW).expect("a signature");
    let lines = signed.lines();
    let received = || request().headers(lines.iter().map(|(name, value)| (*name, value.as_bytes())));

    let url = format!("{AGENT}{DIRECTORY_PATH}");
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

    // The same keys for the peers.
    let mut ring = KeyRing::default();
    ring.import_raw(keyid.clone(), Algorithm::Ed25519, public.to_bytes().to_vec());
    let peer_public = PublicKey::from_bytes(&AlgorithmName::Ed25519, &public.to_bytes()).expect("a key");
    let peer_secret = SecretKey::from_bytes(&AlgorithmName::Ed25519, &SECRET).expect("a key");
    let covered = [
        "\"@authority\"",
        "\"@method\"",
        "\"@path\"",
        "\"@query\"",
        "\"user-agent\"",
        "\"signature-agent\";key=\"sig1\"",
    ];
    let ids: Vec<_> =
        covered.iter().map(|id| HttpMessageComponentId::try_from(*id).expect("an identifier")).collect();

    // `httpsig` writes the parameters in an order of its own, so that it verifies its own signatures alone.
    let sign_by_httpsig = || {
        let mut params = HttpSignatureParams::try_new(&ids).expect("params");
        params.set_created(NOW.0).set_expires(NOW.0 + 300).set_keyid(&keyid).set_tag("web-bot-auth");
        params.set_nonce("CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk=");
        let agent = format!("sig1=\"{AGENT}\"");
        let base = HttpSignatureBase::try_new(&lines_of(&ids, &agent), &params).expect("a base");
        let fields = base.build_signature_headers(&peer_secret, Some("sig1")).expect("a signature");
        (fields.signature_input_header_value(), fields.signature_header_value())
    };
    let theirs = sign_by_httpsig();

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
        .peer("web-bot-auth", || {
            WebBotAuthVerifier::parse(&Received(&lines)).is_ok_and(|check| check.verify(&ring, None).is_ok())
        })
        .peer("httpsig", || {
            let fields = HttpSignatureHeaders::try_parse(&theirs.1, &theirs.0);
            let fields = fields.expect("two fields");
            let one = &fields["sig1"];
            let params = one.signature_params();
            let base = HttpSignatureBase::try_new(
                &lines_of(&params.covered_components, &signed.signature_agent),
                params,
            );
            base.is_ok_and(|base| base.verify_signature_headers(&peer_public, one).is_ok())
        })
        .run();

    Comparison::new("signatures", "sign")
        .rounds(400)
        .ours("sign", || {
            signer.sign(&request(), &[9; 32], NOW).expect("a signature").signature.len() - "sig1=::".len()
        })
        .peer("ed25519-dalek", || dalek.sign(base.as_bytes()).to_bytes().len().div_ceil(3) * 4)
        .peer("web-bot-auth", || {
            let mut message = Unsigned { fields: [String::new(), String::new()] };
            let nonce = "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk=".to_owned();
            let signer = MessageSigner { keyid: keyid.clone(), nonce, tag: "web-bot-auth".to_owned() };
            let lifetime = Duration::from_secs(300);
            signer
                .generate_signature_headers_content(&mut message, lifetime, Algorithm::Ed25519, &SECRET)
                .expect("a signature");
            message.fields[1].len() - "sig1=::".len()
        })
        .peer("httpsig", || {
            let (_, signature) = sign_by_httpsig();
            signature.len() - "sig1=::".len()
        })
        .run();
}
