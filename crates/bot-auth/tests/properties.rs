//! What holds for every message.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use bot_auth::{
    AddressList, Card, CrawlerDomains, CrawlerSigner, DIRECTORY_MEDIA_TYPE, Directory, Fetched, FieldType,
    Identity, Lookup, Message, Policy, Profile, Registry, RequestCheck, SignatureAgent, SignatureParams,
    canonical_field, check_reverse_dns, directory_body, identify,
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

proptest! {
    #[test]
    fn nothing_panics_and_nothing_hostile_is_verified(
        input in field_text(), signature in field_text(), agent in field_text(), other in field_text(),
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
        let _ = SignatureAgent::parse(&[&agent], Profile::Ietf01);
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

    #[test]
    fn documents_of_any_kind_are_read_without_panic(text in field_text(), bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Registry::parse(&text);
        let _ = Card::parse("https://bot.example/", &bytes);
        let _ = AddressList::parse(&bytes, Some(&text));
        let _ = CrawlerDomains::new([&text]);
        let headers = [("Content-Type", DIRECTORY_MEDIA_TYPE.as_bytes()), ("Signature-Input", text.as_bytes())];
        let response = Fetched { url: "https://bot.example/k", status: 200, headers: &headers, body: &bytes };
        let _ = Directory::read("https://bot.example/k", &response, Profile::Deployed, NOW);
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
