use super::*;

#[test]
fn names() {
    for (name, kind) in [
        ("example.com", HostKind::ExampleName),
        ("WWW.Example.COM.", HostKind::ExampleName),
        ("shop.example", HostKind::ExampleName),
        ("notexample.com", HostKind::PublicName),
        ("xn--mller-kva.de", HostKind::PublicName),
        ("a_b.crates.io", HostKind::PublicName),
        ("localhost", HostKind::SpecialUseName("localhost")),
        ("a.LOCALHOST.", HostKind::SpecialUseName("localhost")),
        ("mylocalhost", HostKind::SingleLabel),
        ("printer.local", HostKind::SpecialUseName("local")),
        ("mylocal.de", HostKind::PublicName),
        ("a.test", HostKind::SpecialUseName("test")),
        ("a.invalid", HostKind::SpecialUseName("invalid")),
        ("abc.onion", HostKind::SpecialUseName("onion")),
        ("x.alt", HostKind::SpecialUseName("alt")),
        ("metadata.google.internal", HostKind::SpecialUseName("internal")),
        ("nas.home.arpa", HostKind::SpecialUseName("home.arpa")),
        ("x.default.service.arpa", HostKind::SpecialUseName("default.service.arpa")),
        ("1.0.0.10.in-addr.arpa", HostKind::SpecialUseName("10.in-addr.arpa")),
        ("1.31.172.in-addr.arpa", HostKind::SpecialUseName("31.172.in-addr.arpa")),
        ("1.32.172.in-addr.arpa", HostKind::PublicName),
        ("intranet", HostKind::SingleLabel),
        ("com", HostKind::SingleLabel),
        ("", HostKind::Invalid),
        (".", HostKind::Invalid),
        ("a..b", HostKind::Invalid),
        ("a b.de", HostKind::Invalid),
        ("m\u{fc}ller.de", HostKind::Invalid),
        ("1.2.3.400", HostKind::Invalid),
        ("2130706433", HostKind::Invalid),
        ("0x7f.1", HostKind::Invalid),
        ("a.0x", HostKind::Invalid),
        ("[example.com]", HostKind::Invalid),
        ("[127.0.0.1]", HostKind::Invalid),
    ] {
        assert_eq!(HostKind::of(name), kind, "{name}");
    }
    assert_eq!(HostKind::of(&("a".repeat(64) + ".de")), HostKind::Invalid);
    assert_eq!(HostKind::of(&("a.".repeat(126) + "de")), HostKind::Invalid);
}

#[test]
fn every_range_of_the_ipv4_registry() {
    for (address, prefix) in [
        ("0.0.0.0", "0.0.0.0/32"),
        ("0.1.2.3", "0.0.0.0/8"),
        ("10.255.255.255", "10.0.0.0/8"),
        ("100.64.0.1", "100.64.0.0/10"),
        ("100.127.255.255", "100.64.0.0/10"),
        ("127.0.0.1", "127.0.0.0/8"),
        ("169.254.169.254", "169.254.0.0/16"),
        ("172.16.0.1", "172.16.0.0/12"),
        ("172.31.255.255", "172.16.0.0/12"),
        ("192.0.0.1", "192.0.0.0/29"),
        ("192.0.0.8", "192.0.0.8/32"),
        ("192.0.0.9", "192.0.0.9/32"),
        ("192.0.0.10", "192.0.0.10/32"),
        ("192.0.0.11", "192.0.0.0/24"),
        ("192.0.0.170", "192.0.0.170/31"),
        ("192.0.0.171", "192.0.0.170/31"),
        ("192.0.2.1", "192.0.2.0/24"),
        ("192.31.196.1", "192.31.196.0/24"),
        ("192.52.193.1", "192.52.193.0/24"),
        ("192.88.99.1", "192.88.99.0/24"),
        ("192.88.99.2", "192.88.99.2/32"),
        ("192.168.1.1", "192.168.0.0/16"),
        ("192.175.48.1", "192.175.48.0/24"),
        ("198.18.0.1", "198.18.0.0/15"),
        ("198.19.255.255", "198.18.0.0/15"),
        ("198.51.100.1", "198.51.100.0/24"),
        ("203.0.113.1", "203.0.113.0/24"),
        ("224.0.0.1", "224.0.0.0/4"),
        ("239.255.255.255", "224.0.0.0/4"),
        ("240.0.0.1", "240.0.0.0/4"),
        ("255.255.255.255", "255.255.255.255/32"),
    ] {
        assert_eq!(prefix_of(address), Some(prefix.into()), "{address}");
    }
    for address in [
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "172.15.255.255",
        "172.32.0.1",
        "191.255.255.255",
        "192.0.1.0",
        "192.0.3.0",
        "192.167.255.255",
        "198.17.255.255",
        "198.20.0.0",
        "203.0.114.0",
        "223.255.255.255",
    ] {
        assert_eq!(HostKind::of(address), HostKind::PublicAddress, "{address}");
    }
}

#[test]
fn every_range_of_the_ipv6_registry() {
    for (address, prefix) in [
        ("::1", "::1/128"),
        ("::", "::/128"),
        ("64:ff9b:1::1", "0.0.0.0/32"),
        ("100::1", "100::/64"),
        ("100:0:0:1::1", "100:0:0:1::/64"),
        ("2001:1::1", "2001:1::1/128"),
        ("2001:1::2", "2001:1::2/128"),
        ("2001:1::3", "2001:1::3/128"),
        ("2001:1::4", "2001::/23"),
        ("2001:2::1", "2001:2::/48"),
        ("2001:3::1", "2001:3::/32"),
        ("2001:4:112::1", "2001:4:112::/48"),
        ("2001:10::1", "2001:10::/28"),
        ("2001:20::1", "2001:20::/28"),
        ("2001:30::1", "2001:30::/28"),
        ("2001:1ff::1", "2001::/23"),
        ("2001:db8::1", "2001:db8::/32"),
        ("2620:4f:8000::1", "2620:4f:8000::/48"),
        ("3fff::1", "3fff::/20"),
        ("5f00::1", "5f00::/16"),
        ("fd00::1", "fc00::/7"),
        ("fe80::1", "fe80::/10"),
        ("fec0::1", "fec0::/10"),
        ("ff02::1", "ff00::/8"),
        ("200::1", "::/3"),
        ("4000::1", "4000::/2"),
        ("9000::1", "8000::/2"),
        ("d000::1", "c000::/3"),
        ("f000::1", "e000::/3"),
    ] {
        assert_eq!(prefix_of(address), Some(prefix.into()), "{address}");
    }
    for address in ["2001:4860:4860::8888", "2600::1", "2a00:1450:4001::1", "2001:200::1", "3ffe::1"] {
        assert_eq!(HostKind::of(address), HostKind::PublicAddress, "{address}");
    }
}

#[test]
fn ipv4_inside_ipv6_is_unwrapped() {
    for (address, prefix) in [
        ("::ffff:127.0.0.1", Some("127.0.0.0/8")),
        ("::ffff:8.8.8.8", None),
        ("::127.0.0.1", Some("127.0.0.0/8")),
        ("::8.8.8.8", Some("::/96")),
        ("64:ff9b::7f00:1", Some("127.0.0.0/8")),
        ("64:ff9b::10.0.0.1", Some("10.0.0.0/8")),
        ("64:ff9b::8.8.8.8", None),
        ("64:ff9b:1::8.8.8.8", Some("0.0.0.0/32")),
        ("64:ff9b:1:a00:0:100::", Some("10.0.0.0/8")),
        ("64:ff9b:1:808:8:800:808:808", Some("64:ff9b:1::/48")),
        ("64:ff9b:1:808:8:800:a00:1", Some("10.0.0.0/8")),
        ("2002:7f00:1::", Some("127.0.0.0/8")),
        ("2002:c0a8:101::1", Some("192.168.0.0/16")),
        ("2002:808:808::1", Some("2002::/16")),
        ("2001:0:808:808::80ff:fffe", Some("127.0.0.0/8")),
        ("2001:0:a00:1::f7f7:f7f7", Some("10.0.0.0/8")),
        ("2001:0:808:808::f7f7:f7f7", Some("2001::/32")),
    ] {
        assert_eq!(prefix_of(address).as_deref(), prefix, "{address}");
    }
}

fn prefix_of(address: &str) -> Option<alloc::string::String> {
    match HostKind::of(address) {
        HostKind::SpecialAddress(range) => Some(alloc::format!("{}/{}", range.base(), range.prefix_len())),
        HostKind::PublicAddress => None,
        other => panic!("{address}: {other:?}"),
    }
}

#[test]
fn what_the_registry_says_of_a_range() {
    let HostKind::SpecialAddress(range) = HostKind::of("192.0.0.9") else { panic!("special") };
    assert!(range.is_globally_reachable() && !HostKind::of("192.0.0.9").is_public());
    assert_eq!(range.name(), "port control protocol anycast");
    assert!(HostKind::of("192.0.0.9").is_address() && !HostKind::of("a.de").is_address());
}

#[cfg(feature = "url")]
#[test]
fn hosts_of_urls() {
    for (text, is_public) in [
        ("https://2130706433/", false),
        ("https://0x7f.1/", false),
        ("https://[::ffff:7f00:1]/", false),
        ("https://b\u{fc}cher.de/", true),
        ("https://LOCALHOST./", false),
        ("https://8.8.8.8/", true),
        ("mailto:a@b.de", false),
    ] {
        assert_eq!(HostKind::of_url(&url::Url::parse(text).unwrap()).is_public(), is_public, "{text}");
    }
}
