//! Documents about crawlers from strangers: directories, cards, registries, address lists, names of addresses.
#![no_main]

use std::net::{IpAddr, Ipv4Addr};

use bot_auth::{
    AddressList, Card, CrawlerDomains, DIRECTORY_MEDIA_TYPE, Directory, Fetched, KeyCache, Lookup, MAX_DIRECTORY_KEYS,
    Profile, Registry, ReverseStep, check_reverse_dns,
};
use libfuzzer_sys::fuzz_target;
use web_values::UnixSeconds;

const NOW: UnixSeconds = UnixSeconds(1_790_000_000);
const URL: &str = "https://bot.example/.well-known/http-message-signatures-directory";

fuzz_target!(|data: (u8, &str, &[u8])| {
    let (choice, text, bytes) = data;
    let headers = [
        ("Content-Type", DIRECTORY_MEDIA_TYPE.as_bytes()),
        ("Signature-Input", text.as_bytes()),
        ("Signature", text.as_bytes()),
        ("Cache-Control", text.as_bytes()),
        ("Expires", text.as_bytes()),
    ];
    let response = Fetched { url: URL, status: 200, headers: &headers, body: bytes };
    for profile in [Profile::Deployed, Profile::Ietf01] {
        let Ok(directory) = Directory::read(URL, &response, profile, NOW) else { continue };
        assert!(directory.keys(NOW).count() <= MAX_DIRECTORY_KEYS);
        // Nobody here has a key: nothing is proved, and what is usable is so by its thumbprint.
        assert_eq!(directory.proved(), []);
        for (key, fault) in directory.keys(NOW) {
            let Some(thumbprint) = key.thumbprint().filter(|_| fault.is_none()) else { continue };
            match directory.key(thumbprint, NOW) {
                Ok(found) => assert_eq!(found.algorithm(), key.algorithm().unwrap()),
                // Another entry of the same thumbprint gave its private part away.
                Err(_) => assert!(directory.keys(NOW).any(|(key, _)| key.has_private_members())),
            }
        }
    }
    let mut cache = KeyCache::default();
    cache.on_read(&headers, NOW);
    assert_eq!(cache.ask(true, NOW).1.code(), "use");
    assert_eq!(cache.ask(true, NOW.saturating_add(24 * 60 * 60)).1.code(), "fetch");

    if let Ok(card) = Card::parse(text, bytes) {
        assert_eq!(card.is_valid(), card.faults().is_empty());
    }
    let registry = Registry::parse(text);
    assert!(registry.entries().len() + registry.skipped() <= text.split(['\r', '\n']).count());

    let Ok(list) = AddressList::parse(bytes, None) else { return };
    let address = IpAddr::V4(Ipv4Addr::new(192, 0, 2, choice));
    assert_eq!(list.contains(address), list.services(address).is_some());
    assert!(!list.contains(address) || list.entries() > 0);

    let domains = CrawlerDomains::new(["bot.example"]).unwrap();
    let names: Vec<&str> = text.split(' ').collect();
    let step = check_reverse_dns(address, &domains, Lookup::Answered(&names), |name| {
        assert!(name == "bot.example" || name.ends_with(".bot.example"), "{name}");
        if choice & 1 == 0 { Lookup::Failed } else { Lookup::NotAsked }
    });
    assert!(!matches!(step, ReverseStep::Confirmed(_)), "no name has been shown to have the address");
});
