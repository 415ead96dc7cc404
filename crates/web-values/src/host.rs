//! What kind of host a name or address is: what a crawler of the public web may connect to.
//!
//! The answer depends on the text of the host alone. A public name may still resolve to a private address:
//! judge the address again, with [`HostKind::of_ip`], when connecting.

mod ranges;

use core::fmt;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

pub use ranges::SpecialRange;

/// What kind of host a name or an address is.
///
/// ```
/// use web_values::HostKind;
///
/// assert!(HostKind::of("example.com").is_public());
/// assert!(HostKind::of("93.184.215.14").is_public());
/// for host in ["localhost", "printer.local", "intranet", "10.0.0.1", "[::1]", "64:ff9b::7f00:1", "2002:7f00:1::"] {
///     assert!(!HostKind::of(host).is_public(), "{host}");
/// }
/// assert_eq!(HostKind::of("[::ffff:127.0.0.1]").to_string(), "an address of the range 127.0.0.0/8 (loopback)");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HostKind {
    /// A name with at least two labels that no registry reserves.
    PublicName,
    /// A name under `example`, `example.com`, `example.net` or `example.org`, reserved for documentation. Software
    /// treats these like other names, says RFC 6761, so they count as public.
    ExampleName,
    /// A name under this domain, which is never looked up in the public DNS, such as `localhost`, `local`, `test`,
    /// `onion`, `internal` or `home.arpa`.
    SpecialUseName(&'static str),
    /// A name of one label, such as `intranet`: it means something only inside of one network.
    SingleLabel,
    /// An address that the public internet routes.
    PublicAddress,
    /// An address of a special range.
    SpecialAddress(SpecialRange),
    /// Neither a name nor an address: empty, an empty label, a label over 63 or a name over 253 bytes, a character
    /// that no host name has, or a number at the end of what is not an IPv4 address.
    Invalid,
}

impl HostKind {
    /// The kind of a host as text: a name (A-labels; letter case and one final dot do not matter), an IPv4 address in
    /// four decimal parts, or an IPv6 address with or without brackets. `O(n)`, no allocation.
    ///
    /// Other spellings of IPv4 (`2130706433`, `0x7f.1`) are [`Invalid`](HostKind::Invalid) here; the URL parser turns
    /// them into addresses first.
    ///
    /// Spec: RFC 6761 and the "Special-Use Domain Names" registry of IANA.
    #[must_use]
    pub fn of(host: &str) -> Self {
        let unbracketed = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        if let Some(address) = unbracketed {
            return address.parse().map_or(HostKind::Invalid, HostKind::of_ipv6);
        }
        // An IPv4 address ends in a digit and an IPv6 address has a colon: most names need not be tried as one.
        let may_be_address = host.ends_with(|last: char| last.is_ascii_digit()) || host.contains(':');
        match may_be_address.then(|| host.parse::<IpAddr>()) {
            Some(Ok(address)) => HostKind::of_ip(address),
            Some(Err(_)) | None => HostKind::of_name(host),
        }
    }

    /// The kind of an address.
    #[must_use]
    pub fn of_ip(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => HostKind::of_ipv4(address),
            IpAddr::V6(address) => HostKind::of_ipv6(address),
        }
    }

    /// The kind of an IPv4 address.
    ///
    /// Spec: the "IPv4 Special-Purpose Address Registry" of IANA (RFC 6890), and 224.0.0.0/4.
    #[must_use]
    pub fn of_ipv4(address: Ipv4Addr) -> Self {
        ranges::of_ipv4(address).map_or(HostKind::PublicAddress, HostKind::SpecialAddress)
    }

    /// The kind of an IPv6 address.
    ///
    /// An IPv4-mapped address and one of the well-known NAT64 prefix are judged as the IPv4 address inside of them.
    /// An address of 6to4, Teredo, the local NAT64 prefix or the IPv4-compatible form is never public; if the IPv4
    /// address inside of it is of a special range, that range is reported.
    ///
    /// Spec: the "IPv6 Special-Purpose Address Registry" of IANA (RFC 6890); everything outside of 2000::/3.
    #[must_use]
    pub fn of_ipv6(address: Ipv6Addr) -> Self {
        ranges::of_ipv6(address).map_or(HostKind::PublicAddress, HostKind::SpecialAddress)
    }

    /// The kind of a parsed URL's host.
    #[cfg(feature = "url")]
    #[must_use]
    pub fn of_host<S: AsRef<str>>(host: &url::Host<S>) -> Self {
        match host {
            url::Host::Domain(name) => HostKind::of_name(name.as_ref()),
            url::Host::Ipv4(address) => HostKind::of_ipv4(*address),
            url::Host::Ipv6(address) => HostKind::of_ipv6(*address),
        }
    }

    /// The kind of a URL's host; [`Invalid`](HostKind::Invalid) for a URL without one.
    #[cfg(feature = "url")]
    #[must_use]
    pub fn of_url(url: &url::Url) -> Self {
        url.host().map_or(HostKind::Invalid, |host| HostKind::of_host(&host))
    }

    fn of_name(name: &str) -> Self {
        let name = name.strip_suffix('.').unwrap_or(name);
        let last_at = name.bytes().rposition(|byte| byte == b'.').map_or(0, |point| point + 1);
        let last = name.get(last_at..).unwrap_or_default();
        let digits = last.strip_prefix("0x").or_else(|| last.strip_prefix("0X"));
        let is_number = last.bytes().all(|byte| byte.is_ascii_digit())
            || digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        if name.len() > 253 || is_number || !has_good_labels(name) {
            return HostKind::Invalid;
        }
        let is_under = |zone: &&'static str| {
            let cut = name.len().checked_sub(zone.len());
            let tail = cut.and_then(|cut| name.get(cut..)).unwrap_or_default();
            let before = cut.and_then(|cut| cut.checked_sub(1)).and_then(|at| name.as_bytes().get(at));
            tail.eq_ignore_ascii_case(zone) && matches!(before, None | Some(b'.'))
        };
        if EXAMPLE_ZONES.iter().any(&is_under) {
            return HostKind::ExampleName;
        }
        let zones: &[&str] = if last.eq_ignore_ascii_case("arpa") { &ARPA_ZONES } else { &SPECIAL_ZONES };
        if let Some(zone) = zones.iter().copied().find(is_under) {
            return HostKind::SpecialUseName(zone);
        }
        if last_at > 0 { HostKind::PublicName } else { HostKind::SingleLabel }
    }

    /// Returns true if an agent that crawls the public web may connect to such a host: a public name, a name of the
    /// documentation zones, or an address of no special range.
    #[must_use]
    pub const fn is_public(&self) -> bool {
        matches!(self, HostKind::PublicName | HostKind::ExampleName | HostKind::PublicAddress)
    }

    /// Returns true for a host written as an address.
    #[must_use]
    pub const fn is_address(&self) -> bool {
        matches!(self, HostKind::PublicAddress | HostKind::SpecialAddress(_))
    }
}

impl fmt::Display for HostKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HostKind::PublicName => f.write_str("a public name"),
            HostKind::ExampleName => f.write_str("a name reserved for documentation"),
            HostKind::SpecialUseName(zone) => write!(f, "a name under the special-use domain {zone}"),
            HostKind::SingleLabel => f.write_str("a name of one label"),
            HostKind::PublicAddress => f.write_str("a public address"),
            HostKind::SpecialAddress(range) => write!(f, "an address of the range {range}"),
            HostKind::Invalid => f.write_str("not a host"),
        }
    }
}

/// Returns true if each label has 1 to 63 bytes, all of them allowed in host names.
fn has_good_labels(name: &str) -> bool {
    let mut len = 0;
    for byte in name.bytes() {
        len = match byte {
            b'.' if len == 0 => return false,
            b'.' => 0,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' if len < 63 => len + 1,
            _ => return false,
        };
    }
    len > 0
}

const EXAMPLE_ZONES: [&str; 4] = ["example", "example.com", "example.net", "example.org"];

/// The registry's names of one label without the documentation zones, and `internal`, which ICANN reserved in 2024.
const SPECIAL_ZONES: [&str; 7] = ["localhost", "local", "test", "invalid", "onion", "alt", "internal"];

/// The registry's names under `arpa`. The longer name comes first where one contains the other.
const ARPA_ZONES: [&str; 34] = [
    "home.arpa",
    "6tisch.arpa",
    "eap.arpa",
    "eap-noob.arpa",
    "ipv4only.arpa",
    "resolver.arpa",
    "default.service.arpa",
    "service.arpa",
    "10.in-addr.arpa",
    "254.169.in-addr.arpa",
    "16.172.in-addr.arpa",
    "17.172.in-addr.arpa",
    "18.172.in-addr.arpa",
    "19.172.in-addr.arpa",
    "20.172.in-addr.arpa",
    "21.172.in-addr.arpa",
    "22.172.in-addr.arpa",
    "23.172.in-addr.arpa",
    "24.172.in-addr.arpa",
    "25.172.in-addr.arpa",
    "26.172.in-addr.arpa",
    "27.172.in-addr.arpa",
    "28.172.in-addr.arpa",
    "29.172.in-addr.arpa",
    "30.172.in-addr.arpa",
    "31.172.in-addr.arpa",
    "170.0.0.192.in-addr.arpa",
    "171.0.0.192.in-addr.arpa",
    "168.192.in-addr.arpa",
    "8.e.f.ip6.arpa",
    "9.e.f.ip6.arpa",
    "a.e.f.ip6.arpa",
    "b.e.f.ip6.arpa",
    "d.f.ip6.arpa",
];

#[cfg(test)]
mod tests;
