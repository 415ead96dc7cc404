//! aiweb-bot-auth and aiweb-signals.

use bot_auth::{
    AddressList, Card, CrawlerDomains, CrawlerSigner, DIRECTORY_MEDIA_TYPE, Directory, Fetched, FieldType,
    Keyring, Lookup, Message, Policy, Profile, Registry, RequestCheck, Requirements, SignatureAgent,
    SignatureParams, accept_signature, canonical_field, check_reverse_dns, sign, verify_aiwebindex_request,
    verify_signatures,
};
use jwk::{Jwk, JwkSet, SigningKey};
use signals::{Amount, RslAsset, RslCaller, RslDocument, RslLinks, Signals, TdmRep, UsePrice};
use web_values::UnixSeconds;

use super::{Function, nothing, row};
use crate::run::Case;

const BOT_AUTH: &str = "aiweb-bot-auth";
const SIGNALS: &str = "aiweb-signals";
const NONE: (u64, u64) = (0, 0);
const NOW: UnixSeconds = UnixSeconds(1_790_000_000);
const URL: &str = "https://shop.example/page?x=1";
const PLACE: &str = "https://bot.example/keys";
/// Members of a field with their parameters, as they are read.
const FIELD: (u64, u64) = (200, 64 << 10);

fn key() -> SigningKey {
    SigningKey::from_secret(&[7; 32])
}

fn request() -> Message<'static> {
    Message::request("GET", URL).expect("it is a URL")
}

/// A request whose every field is the input.
fn hostile_request(case: &Case) -> Message<'_> {
    let names = ["signature-input", "signature", "signature-agent", "x"];
    request().headers(names.map(|name| (name, case.bytes.as_slice()))).body(&case.bytes)
}

/// A request with one signature over the input in each way that a component can be covered.
fn covering(case: &Case) -> String {
    let components = r#"("@authority" "x" "x";bs "x";sf "x";key="a" "@query-param";name="a" "@query")"#;
    let params = SignatureParams::parse(components).expect("they are parameters");
    let url = format!("https://shop.example/?{}", case.text);
    let message = Message::request("GET", &url).unwrap_or_else(|_| request());
    let message = message.header("x", &case.bytes).field_type("x", FieldType::Dictionary);
    params.base(&message).unwrap_or_default()
}

fn directory(case: &Case) -> usize {
    let headers = [
        ("content-type", DIRECTORY_MEDIA_TYPE.as_bytes()),
        ("signature-input", case.bytes.as_slice()),
        ("signature", case.bytes.as_slice()),
    ];
    let response = Fetched { url: PLACE, status: 200, headers: &headers, body: &case.bytes };
    Directory::read(PLACE, &response, Profile::Deployed, NOW)
        .map_or(0, |held| nothing(held.keys(NOW).count()))
}

fn check(case: &Case) -> usize {
    let policy = Policy { components: vec![case.text.clone()], ..Policy::default() };
    let mut check = RequestCheck::new(&hostile_request(case), &policy, NOW);
    while let Some(url) = check.wanted().map(str::to_owned) {
        check.on_response(&Fetched { url: &url, status: 200, headers: &[], body: &case.bytes });
    }
    check.results().map(|result| result.label.as_ref().map_or(0, String::len)).sum()
}

pub const FUNCTIONS: &[Function] = &[
    row(BOT_AUTH, "SignatureParams::parse, base", FIELD, (4, 4_096), |case| {
        let base = SignatureParams::parse(&case.text).and_then(|params| params.base(&request()));
        base.map_or_else(|error| error.to_string().len(), |base| base.len())
    }),
    row(BOT_AUTH, "SignatureParams::base, over the input", FIELD, (16, 4_096), |case| covering(case).len()),
    row(BOT_AUTH, "RequestCheck", (600, 1 << 20), (2, 1_024), check),
    row(BOT_AUTH, "verify_signatures", (600, 1 << 20), (8, 1_024), |case| {
        let key = Jwk::parse(key().to_public_jwk().as_bytes()).expect("it is a key");
        let keys = Keyring::new().with(&case.text, &key);
        let requirements =
            Requirements { components: vec![&case.text], tag: Some(&case.text), ..Requirements::default() };
        verify_signatures(&hostile_request(case), &keys, &requirements, Some(NOW)).map_or(0, |results| {
            let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
            results
                .iter()
                .map(|it| it.label.len() + text(&it.component) + text(&it.keyid) + text(&it.nonce))
                .sum()
        })
    }),
    row(BOT_AUTH, "verify_aiwebindex_request", (600, 1 << 20), NONE, |case| {
        nothing(verify_aiwebindex_request(&hostile_request(case), &JwkSet::default(), NOW))
    }),
    row(BOT_AUTH, "sign, accept_signature", (64, 64 << 10), (16, 1_024), |case| {
        let params = SignatureParams::parse(r#"("x" "@path")"#).expect("they are parameters");
        let message = request().header("x", &case.bytes);
        nothing((sign(&message, &case.text, &params, &key()), accept_signature(&case.text, &[&case.text])));
        sign(&message, "sig1", &params, &key()).map_or(0, |signed| signed.base.len())
    }),
    row(BOT_AUTH, "CrawlerSigner", (200, 64 << 10), (16, 4_096), |case| {
        let signer = CrawlerSigner::new(key(), &case.text);
        let signer =
            signer.or_else(|_| CrawlerSigner::new(key(), "https://bot.example")).expect("it is an agent");
        let signer = signer.only_components([case.text.as_str()]);
        signer.sign(&hostile_request(case), &case.bytes, NOW).map_or(0, |signed| signed.signature_input.len())
    }),
    row(BOT_AUTH, "Message::request", (1, 256), NONE, |case| {
        nothing((Message::request("GET", &case.text), Message::request(&case.text, URL)))
    }),
    row(BOT_AUTH, "SignatureAgent::parse", FIELD, (8, 1_024), |case| {
        SignatureAgent::parse(&[&case.bytes], Profile::Deployed).map_or(0, |agent| {
            agent.members.iter().map(|member| member.url.as_ref().map_or(0, String::len)).sum()
        })
    }),
    row(BOT_AUTH, "canonical_field", FIELD, (8, 1_024), |case| {
        [FieldType::Item, FieldType::List, FieldType::Dictionary]
            .map(|kind| canonical_field(kind, &[&case.bytes]).ok().flatten().map_or(0, |text| text.len()))
            .iter()
            .sum()
    }),
    row(BOT_AUTH, "Directory::read", (200, 1 << 20), NONE, directory),
    row(BOT_AUTH, "Card::parse", (200, 1 << 20), (1, 256), |case| {
        Card::parse(&case.text, &case.bytes).map_or(0, |card| card.client_name.map_or(0, |name| name.len()))
    }),
    row(BOT_AUTH, "Registry::parse", (40, 4_096), (1, 64), |case| {
        Registry::parse(&case.text).entries().iter().map(String::len).sum()
    }),
    row(BOT_AUTH, "AddressList::parse", (200, 64 << 10), NONE, |case| {
        nothing(AddressList::parse(&case.bytes, Some(&case.text)))
    }),
    row(BOT_AUTH, "check_reverse_dns", (16, 16 << 10), (2, 4_096), |case| {
        nothing(CrawlerDomains::new([&case.text]));
        let domains = CrawlerDomains::new(["bot.example"]).expect("it is a domain");
        let names = [case.text.as_str()];
        check_reverse_dns([192, 0, 2, 1].into(), &domains, Lookup::Answered(&names), |_| Lookup::Failed)
            .to_string()
            .len()
    }),
    row(SIGNALS, "RslDocument::parse", (400, 64 << 10), (0, 4_096), |case| {
        RslDocument::parse(&case.text).map_or_else(|error| error.to_string().len(), nothing)
    }),
    row(SIGNALS, "RslDocument::judge", (400, 64 << 10), NONE, |case| {
        let url = format!("https://a.example/{}", case.text).parse();
        let (Ok(url), Ok(licence)) = (url, RslDocument::parse(&case.text)) else { return 0 };
        nothing(licence.judge(&RslAsset::new(url), &RslCaller::default()))
    }),
    row(SIGNALS, "RslLinks::of_headers, of_html", (400, 256 << 10), (4, 64), |case| {
        let base = "https://a.example/".parse().expect("it is a URL");
        let found = RslLinks::of_html(&case.bytes, &base);
        nothing(RslLinks::of_headers([("link", case.text.as_str())]));
        found.documents.iter().map(String::len).sum()
    }),
    row(SIGNALS, "TdmRep::add_well_known, add_headers, add_html", (200, 256 << 10), (12, 256), |case| {
        let mut stated = TdmRep::default();
        stated.add_well_known(format!("/{}", case.text).as_str(), &case.bytes);
        stated.add_headers([("tdm-reservation", "1"), ("tdm-policy", case.text.as_str())]);
        stated.add_html(&case.bytes);
        stated.policy().map_or(0, |url| url.as_str().len())
    }),
    row(SIGNALS, "Signals::of_page, UsePrice::of_response", (400, 512 << 10), NONE, |case| {
        let url = "https://a.example/".parse().expect("it is a URL");
        let fields = ["link", "tdm-policy", "content-usage", "x-robots-tag", "crawler-price"];
        let mut answer = http::Response::new(case.bytes.as_slice());
        answer
            .headers_mut()
            .extend(fields.map(|name| (http::HeaderName::from_static(name), case.field.clone())));
        nothing(UsePrice::of_response(402, fields.map(|name| (name, case.text.as_str()))));
        nothing(Signals::of_page(&answer, &url, "AIWebIndex"))
    }),
    row(SIGNALS, "Amount::parse, RslCaller", (2, 64), (1, 0), |case| {
        nothing(case.text.parse().map(|country| RslCaller::default().country(country)));
        Amount::parse(&case.text).map_or(0, |amount| amount.amount.len())
    }),
];
