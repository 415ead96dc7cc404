//! What holds for every message.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use bot_auth::{
    AddressList, Card, CrawlerDomains, CrawlerSigner, DIRECTORY_MEDIA_TYPE, Directories, Directory,
    DirectoryAnswer, Fetched, FieldType, Identity, Lookup, Message, Policy, Profile, Registry, RequestCheck,
    SignatureAgent, SignatureParams, Strangers, canonical_field, check_reverse_dns, directory_body, identify,
};
use jwk::SigningKey;
use proptest::prelude::*;
use web_values::UnixSeconds;

const NOW: UnixSeconds = UnixSeconds(1_790_000_000);

/// Pieces of which hostile fields are made.
fn field_text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "sig1",
        "=",
        "(",
        ")",
        "\"",
        "\"@method\"",
        "\"x\"",
        ";",
        "key",
        "sf",
        "bs",
        "req",
        "tr",
        "name",
        ":AQ==:",
        ":",
        ",",
        " ",
        "\t",
        "\r\n ",
        "\n",
        "?1",
        "1.5",
        "@5",
        "%\"a\"",
        "-",
        "created=1",
        "keyid=\"a\"",
        "tag=\"web-bot-auth\"",
        "\\",
        "é",
        "999999999999999",
        "*",
        "a",
    ]);
    prop::collection::vec(pieces, 0..30).prop_map(|pieces| pieces.concat())
}

/// Values of `Signature-Agent`, most of them well formed: names and addresses of many kinds.
fn agents() -> impl Strategy<Value = String> {
    let address = prop::sample::select(vec![
        "https://bot.example",
        "https://bot.example/k?x=1",
        "https://BOT.example:443/k#part",
        "https://ada:pw@bot.example/",
        "http://bot.example/",
        "data:application/json,x",
        "bot.example",
        "",
    ]);
    let kind =
        prop::sample::select(vec!["", "", ";type=\"cimd\"", ";type=jwks_uri", ";type=\"other\"", ";x"]);
    let member = ("[a-c]?", address, kind).prop_map(|(name, address, kind)| match name.as_str() {
        "" => format!("\"{address}\"{kind}"),
        name => format!("{name}=\"{address}\"{kind}"),
    });
    prop::collection::vec(member, 1..4).prop_map(|members| members.join(", "))
}

/// What may befall the directory of a listed agent.
#[derive(Debug, Clone)]
enum Event {
    /// The clock jumps to this time.
    Clock(u64),
    /// So many strangers name URLs on its host.
    Strangers(u32),
    /// So many clients name it, and hang up while it is fetched.
    HangUps(u32),
    /// It is asked for, and answered with this status: 0 is no response, 1 not even an end of the fetch.
    Ask(u16),
}

fn event() -> impl Strategy<Value = Event> {
    let clocks = prop_oneof![0..200_u64, 0..200_000_u64, 0..50_000_000_u64];
    prop_oneof![
        clocks.prop_map(|secs| Event::Clock(NOW.0 - 1_000 + secs)),
        (0..100_u32).prop_map(Event::Strangers),
        (0..100_u32).prop_map(Event::HangUps),
        prop::sample::select(vec![0_u16, 1, 200, 200, 404, 503]).prop_map(Event::Ask),
    ]
}

proptest! {
    /// Whatever is asked for and given back, a URL is fetched a few times a minute, and always again after a while.
    #[test]
    fn a_directory_is_fetched_a_few_times_a_minute(asked in prop::collection::vec((0..4_u64, 0..40_u8), 1..300)) {
        let url = "https://bot.example/.well-known/http-message-signatures-directory";
        let key = SigningKey::from_secret(&[7; 32]);
        let unknown = SigningKey::from_secret(&[8; 32]).thumbprint();
        let body = directory_body([&key]);
        let headers = [("Content-Type", DIRECTORY_MEDIA_TYPE.as_bytes())];
        let mut held = Directories::of_agents(["https://bot.example".parse().unwrap()]);
        let (mut now, mut begun) = (NOW, Vec::new());
        for (secs, end) in asked {
            now = now.saturating_add(secs / 2);
            if held.ask(url, Some(unknown), now) != DirectoryAnswer::Fetch {
                continue;
            }
            begun.push(now);
            match end {
                0 => held.on_failure(url, now),
                1 => held.on_response(url, &Fetched { url, status: 200, headers: &headers, body: body.as_bytes() }, now).unwrap(),
                _ => held.on_cancel(url),
            }
        }
        let most = begun.iter().map(|at| begun.iter().filter(|other| other.seconds_since(*at) < 60 && **other >= *at).count()).max();
        prop_assert!(most.is_none_or(|most| most <= 12), "{begun:?}");
    }

    /// Whatever others did, whatever came and wherever the clock was: a listed agent's directory is held or fetched within
    /// hours, and one that is held was read within two days.
    #[test]
    fn nothing_locks_a_listed_agent_out_for_long(events in prop::collection::vec(event(), 0..30)) {
        let url = "https://bot.example/.well-known/http-message-signatures-directory";
        let listed = ["https://bot.example".parse().unwrap()];
        let mut held = Directories::of_agents(listed).with_strangers(Strangers::default());
        let body = directory_body([&SigningKey::from_secret(&[7; 32])]);
        let headers = [("Content-Type", DIRECTORY_MEDIA_TYPE.as_bytes()), ("Retry-After", b"100000")];
        let (mut now, mut read_at) = (NOW, None);
        for event in events {
            match event {
                Event::Clock(at) => now = UnixSeconds(at),
                Event::Strangers(many) => (0..many).for_each(|n| {
                    let _ = held.ask(&format!("https://bot.example/{n}"), None, now);
                }),
                Event::HangUps(many) => (0..many).for_each(|_| {
                    if held.ask(url, None, now) == DirectoryAnswer::Fetch {
                        held.on_cancel(url);
                    }
                }),
                Event::Ask(status) if held.ask(url, None, now) == DirectoryAnswer::Fetch => match status {
                    0 => held.on_failure(url, now),
                    1 => {}
                    _ => {
                        let response = Fetched { url, status, headers: &headers, body: body.as_bytes() };
                        if held.on_response(url, &response, now).is_ok() {
                            read_at = Some(now);
                        }
                    }
                },
                Event::Ask(_) => {}
            }
        }
        // A pause of an hour and a fetch that was lost cannot cover all three.
        let served = [0, 2, 4].into_iter().find_map(|hours| {
            let at = now.saturating_add(hours * 3_600);
            let answer = held.ask(url, None, at);
            matches!(answer, DirectoryAnswer::Use(_) | DirectoryAnswer::Fetch).then_some((at, answer))
        });
        let (at, answer) = served.expect("a directory that is held or fetched");
        if let DirectoryAnswer::Use(_) = answer {
            let read_at = read_at.unwrap();
            prop_assert!(at.seconds_since(read_at) < 2 * 86_400 && read_at.seconds_since(at) <= 60, "{read_at:?} {at:?}");
        }
    }

    #[test]
    fn nothing_panics_and_nothing_hostile_is_verified(
        input in prop_oneof![field_text(), params()], signature in field_text(), agent in prop_oneof![field_text(), agents()],
        other in field_text(),
    ) {
        let message = Message::request("GET", "https://shop.example/?a=%zz&b")
            .unwrap()
            .header("Signature-Input", &input)
            .header("Signature", &signature)
            .header("Signature-Agent", &agent)
            .header("X", &other);
        let check = RequestCheck::new(&message, &Policy::default(), NOW);
        let is_verified = matches!(check.identity(), Identity::Verified { .. });
        prop_assert!(!is_verified);
        // A message with one signature takes a short way to the same answer.
        if let Ok(Some(_)) = canonical_field(FieldType::Dictionary, &[&signature]) {
            let beside = message.clone().header("Signature", "of-nothing=:AA==:");
            let beside = RequestCheck::new(&beside, &Policy::default(), NOW);
            prop_assert!(check.results().eq(beside.results()));
        }
        if let Ok(read) = SignatureAgent::parse(&[&agent], Profile::Ietf01) {
            prop_assert!(read.is_dictionary || read.members.len() == 1);
            for member in &read.members {
                prop_assert_eq!(member.key.is_some(), read.is_dictionary);
                // What can be followed is a web address that is written there, and an identity without a query.
                let Ok(found) = &member.agent else { continue };
                prop_assert!(member.url.is_some() && found.fetch.starts_with("https://"), "{:?}", member);
                let identifier = found.identifier.to_string();
                prop_assert!(!identifier.contains(['?', '#']));
                prop_assert_eq!(found.fetch.split('?').next().unwrap_or_default(), identifier);
            }
        }
        if let Ok(params) = SignatureParams::parse(&input) {
            // Whatever is read is written so that it is read again, as the same.
            let text = params.to_string();
            prop_assert_eq!(SignatureParams::parse(&text).unwrap().to_string(), text.as_str());
            if let Ok(base) = params.base(&message) {
                prop_assert!(base.bytes().all(|b| b == b'\n' || b == b'\t' || (b' '..=b'~').contains(&b)));
                prop_assert!(!base.ends_with('\n'));
            }
        }
        for kind in [FieldType::Item, FieldType::List, FieldType::Dictionary] {
            if let Ok(Some(canonical)) = canonical_field(kind, &[&input]) {
                prop_assert_eq!(canonical_field(kind, &[&canonical]).unwrap(), Some(canonical));
            }
        }
    }

    /// Documents about crawlers, spoilt here and there: what is read of them is counted and judged, nothing is proved, and
    /// no address belongs to a crawler without its name.
    #[test]
    fn spoilt_documents_prove_nothing(card in card(), list in address_list(), directory in directory(), text in field_text(), host in 0_u8..=255) {
        let headers = [("Content-Type", DIRECTORY_MEDIA_TYPE.as_bytes()), ("Signature-Input", text.as_bytes())];
        let response = Fetched { url: "https://bot.example/k", status: 200, headers: &headers, body: &directory };
        for profile in [Profile::Deployed, Profile::Ietf01] {
            let Ok(directory) = Directory::read("https://bot.example/k", &response, profile, NOW) else { continue };
            prop_assert_eq!(directory.proved(), []);
            for (key, fault) in directory.keys(NOW) {
                let Some(thumbprint) = key.thumbprint().filter(|_| fault.is_none()) else { continue };
                prop_assert_eq!(directory.key(thumbprint, NOW).map(jwk::PublicKey::algorithm), Ok(key.algorithm().unwrap()));
            }
        }
        if let Ok(read) = Card::parse("https://bot.example/card", &card) {
            prop_assert_eq!(read.is_valid(), read.faults().is_empty());
            let json: serde_json::Value = serde_json::from_slice(&card).expect("a card that is read is JSON");
            let is_named = json["client_id"] == "https://bot.example/card";
            prop_assert!(is_named || !read.is_valid(), "{:?}", read.faults());
        }
        if let Ok(list) = AddressList::parse(&list, None) {
            let address: std::net::IpAddr = [192, 0, 2, host].into();
            prop_assert_eq!(list.contains(address), list.services(address).is_some());
            prop_assert!(!list.contains(address) || list.entries() > 0);
            prop_assert_eq!(list.contains(address), list.contains(std::net::Ipv4Addr::from([192, 0, 2, host]).to_ipv6_mapped().into()));
        }
        let registry = Registry::parse(&text);
        prop_assert!(registry.entries().len() + registry.skipped() <= text.split(['\r', '\n']).count());
        if let Ok(domains) = CrawlerDomains::new([&text]) {
            let step = check_reverse_dns([192, 0, 2, 1].into(), &domains, Lookup::Answered(&["a.other.example"]), |_| Lookup::Failed);
            prop_assert!(text.contains("example") || !matches!(step, bot_auth::ReverseStep::Confirmed(_)));
        }
        let domains = CrawlerDomains::new(["bot.example"]).unwrap();
        let names = [text.as_str()];
        let step = check_reverse_dns([192, 0, 2, 1].into(), &domains, Lookup::Answered(&names), |_| Lookup::Failed);
        prop_assert!(!matches!(step, bot_auth::ReverseStep::Confirmed(_)));
    }

    #[test]
    fn what_is_signed_is_verified_and_any_change_is_not(
        path in "/[a-z/%2~.]{0,12}", query in proptest::option::of("[a-z=&+]{0,8}"), agent in "[ -~]{0,12}", changed in "[ -~]{0,12}",
    ) {
        let url = format!("https://shop.example{path}{}", query.map(|query| format!("?{query}")).unwrap_or_default());
        let key = SigningKey::from_secret(&[7; 32]);
        let body = directory_body([&key]);
        let place = "https://bot.example/.well-known/http-message-signatures-directory";
        let headers = [("Content-Type", DIRECTORY_MEDIA_TYPE.as_bytes())];
        let response = Fetched { url: place, status: 200, headers: &headers, body: body.as_bytes() };
        let held = Directory::read(place, &response, Profile::Deployed, NOW).unwrap();
        let signer = CrawlerSigner::new(key, "https://bot.example").unwrap();
        let request = Message::request("GET", &url).unwrap().header("User-Agent", &agent);
        let signed = signer.sign(&request, b"n", NOW).unwrap();
        let received = |agent| {
            let message = Message::request("GET", &url).unwrap().header("User-Agent", agent);
            let lines = signed.lines();
            let message = message.headers(lines.iter().map(|(name, value)| (*name, value.as_bytes())));
            let short = RequestCheck::new(&message, &Policy::default(), NOW);
            let beside = message.clone().header("Signature", "of-nothing=:AA==:");
            let long = RequestCheck::new(&beside, &Policy::default(), NOW);
            assert!(short.results().eq(long.results()) && short.requests() == long.requests());
            matches!(identify(&message, |_| Some(&held), &Policy::default(), NOW).0, Identity::Verified { .. })
        };
        prop_assert!(received(&agent));
        prop_assert_eq!(received(&changed), changed.trim_matches(' ') == agent.trim_matches(' '));
    }

    /// The default components take a short way to the same bytes.
    #[test]
    fn the_default_is_what_its_components_say(
        path in "[ -~]{0,20}", agent in prop::option::of("[ -~\\t\r\né]{0,12}"), other in prop::option::of("[a-z]{1,5}"),
        nonce in prop::collection::vec(any::<u8>(), 0..40), lifetime in 1_u64..100, now in prop::sample::select(vec![0, 1_790_000_000, 999_999_999_999_950, u64::MAX]),
    ) {
        let url = format!("https://SHOP.example:443/{path}");
        let Ok(mut request) = Message::request("GET", &url) else { return Ok(()) };
        let mut components = vec!["\"@method\"", "\"@path\"", "\"@query\""];
        if let Some(agent) = &agent {
            request = request.header("user-agent", agent).header("User-Agent", "b");
            components.push("\"user-agent\"");
        }
        let field = other.map(|label| format!("{label}=\"https://other.example\""));
        if let Some(field) = &field {
            request = request.header("Signature-Agent", field);
        }
        let signer = CrawlerSigner::new(SigningKey::from_secret(&[7; 32]), "https://bot.example/keys?a");
        let signer = signer.unwrap().lifetime_secs(lifetime).unwrap();
        let now = UnixSeconds(now);
        let plain = signer.clone().only_components(components).sign(&request, &nonce, now);
        prop_assert_eq!(signer.sign(&request, &nonce, now), plain);
    }

    /// The list agrees with a search of all prefixes, one by one.
    #[test]
    fn addresses_are_found_as_a_plain_search_finds_them(
        prefixes in prop::collection::vec((any::<u16>(), 0_u8..=32), 0..12), asked in any::<u16>(),
    ) {
        let network = |(bits, len): (u16, u8)| {
            let mask = u32::MAX.checked_shl(32 - u32::from(len)).unwrap_or(0);
            ((u32::from(bits) << 16) & mask, mask, len)
        };
        let networks: Vec<_> = prefixes.into_iter().map(network).collect();
        let texts: Vec<_> = networks
            .iter()
            .map(|(bits, _, len)| format!(r#"{{"ipv4Prefix":"{}/{len}"}}"#, std::net::Ipv4Addr::from(*bits)))
            .collect();
        let list = AddressList::parse(format!(r#"{{"prefixes":[{}]}}"#, texts.join(",")).as_bytes(), None).unwrap();
        let asked = u32::from(asked) << 16;
        let expected = networks.iter().any(|(bits, mask, _)| asked & mask == *bits);
        prop_assert_eq!(list.contains(std::net::Ipv4Addr::from(asked).into()), expected);
        prop_assert_eq!((list.entries(), list.skipped()), (networks.len(), 0));
    }
}

/// Components and parameters, spoilt here and there.
fn params() -> impl Strategy<Value = String> {
    let text = r#"("@method" "@authority" "x";bs "@query-param";name="b");created=1790000000;expires=1790000100;keyid="a";tag="web-bot-auth""#;
    edited(
        text,
        &["\"", "(", ")", ";", " ", "sf", ";req", "=", "1.5", ":AQ==:", "\"@path\"", "?0", "é", "\n"],
    )
    .prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn card() -> impl Strategy<Value = Vec<u8>> {
    edited(
        r#"{"client_id":"https://bot.example/card","jwks_uri":"https://bot.example/k","client_name":"Bot","web_bot_auth":{"rfc9309-product-token":"Bot","rfc9309-compliance":true,"trigger":"fetcher"}}"#,
        &["\"", "{", "}", ",", "null", "http:", "x", "[]", "\"jwks\":{\"keys\":[]},", "\\u0000", "é", "7"],
    )
}

fn address_list() -> impl Strategy<Value = Vec<u8>> {
    edited(
        r#"{"creationTime":"2026-04-21T10:00:00Z","prefixes":[{"ipv4Prefix":"192.0.2.0/25","services":["a"]},{"ipv4Prefix":"192.0.2.192/26"},{"ipv6Prefix":"2001:db8::/32"}]}"#,
        &["/", "/33", "0", "255", ".", ":", "\"", "{}", "null", ",", "[", "]", "::ffff:192.0.2.0/120"],
    )
}

fn directory() -> impl Strategy<Value = Vec<u8>> {
    edited(
        r#"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"rwLS_EBmrY4ma2IcmokS9CL_G4qeTLgPzwsBbo3bZZM"},{"kty":"OKP","crv":"Ed25519","x":"FLpxAiI_-fi0RcZD8Aqnr9DQtZqSfWERd48VmkgLPo4","kid":"k","use":"sig","exp":1790000001}]}"#,
        &["\"", "{", "}", ",", "null", "RSA", "0", "\"d\":\"x\",", "\"use\":\"enc\",", "[]", "A", "="],
    )
}

#[test]
fn a_good_part_of_the_spoilt_documents_is_read() {
    let cards = share(card(), |json| {
        Card::parse("https://bot.example/card", &json).is_ok_and(|card| card.is_valid())
    });
    let lists =
        share(address_list(), |json| AddressList::parse(&json, None).is_ok_and(|list| list.entries() > 1));
    let headers = [("Content-Type", DIRECTORY_MEDIA_TYPE.as_bytes())];
    let directories = share(directory(), |body| {
        let response = Fetched { url: "https://bot.example/k", status: 200, headers: &headers, body: &body };
        let directory = Directory::read("https://bot.example/k", &response, Profile::Deployed, NOW);
        directory.is_ok_and(|directory| directory.keys(NOW).any(|(_, fault)| fault.is_none()))
    });
    let message = Message::request("GET", "https://shop.example/?a=1&b").unwrap().header("X", "y");
    let bases =
        share(params(), |text| SignatureParams::parse(&text).is_ok_and(|it| it.base(&message).is_ok()));
    for read in [cards, lists, directories, bases] {
        assert!((40..190).contains(&read), "{cards} {lists} {directories} {bases} of 200");
    }
}

/// A text with up to three edits: a few bytes gone, a piece in their place.
fn edited(text: &'static str, pieces: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    let edit = (any::<prop::sample::Index>(), 0..4_usize, prop::sample::select(pieces));
    prop::collection::vec(edit, 0..4).prop_map(move |edits| {
        let mut bytes = text.as_bytes().to_vec();
        for (at, gone, piece) in edits {
            let at = at.index(bytes.len() + 1);
            bytes.splice(at..(at + gone).min(bytes.len()), piece.bytes());
        }
        bytes
    })
}

/// How many of 200 inputs pass: a strategy whose inputs are all refused at once tests nothing.
fn share<T: std::fmt::Debug>(strategy: impl Strategy<Value = T>, passes: impl Fn(T) -> bool) -> usize {
    use proptest::strategy::ValueTree as _;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    (0..200).filter(|_| passes(strategy.new_tree(&mut runner).unwrap().current())).count()
}
