//! The address ranges that are not the public internet.
//!
//! The tables are IANA's two special-purpose registries, with the multicast ranges, the deprecated site-local range
//! and everything outside of 2000::/3 added. Ranges that the registry calls globally reachable are here too: anycast
//! services, AS112 and identifiers, none of which serves web pages.

use core::fmt;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A range of addresses that a registry sets apart.
///
/// Prints as `10.0.0.0/8 (private use)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SpecialRange {
    base: IpAddr,
    prefix_len: u8,
    name: &'static str,
    globally_reachable: bool,
}

impl SpecialRange {
    /// The first address of the range.
    #[must_use]
    pub const fn base(&self) -> IpAddr {
        self.base
    }

    /// The number of leading bits that all addresses of the range have in common.
    #[must_use]
    pub const fn prefix_len(&self) -> u8 {
        self.prefix_len
    }

    /// What the range is for, such as "loopback".
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns true if the registry says that the range is forwarded beyond one network. No web server has an
    /// address of such a range either.
    #[must_use]
    pub const fn is_globally_reachable(&self) -> bool {
        self.globally_reachable
    }
}

impl fmt::Display for SpecialRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{} ({})", self.base, self.prefix_len, self.name)
    }
}

const fn v4(octets: [u8; 4], prefix_len: u8, name: &'static str) -> SpecialRange {
    let [a, b, c, d] = octets;
    let base = IpAddr::V4(Ipv4Addr::new(a, b, c, d));
    SpecialRange { base, prefix_len, name, globally_reachable: false }
}

const fn v6(segments: [u16; 8], prefix_len: u8, name: &'static str) -> SpecialRange {
    let [a, b, c, d, e, f, g, h] = segments;
    let base = IpAddr::V6(Ipv6Addr::new(a, b, c, d, e, f, g, h));
    SpecialRange { base, prefix_len, name, globally_reachable: false }
}

const fn reachable(range: SpecialRange) -> SpecialRange {
    SpecialRange { globally_reachable: true, ..range }
}

/// The narrower range comes before the wider one that contains it.
static V4: [SpecialRange; 26] = [
    v4([0, 0, 0, 0], 32, "this host on this network"),
    v4([0, 0, 0, 0], 8, "this network"),
    v4([10, 0, 0, 0], 8, "private use"),
    v4([100, 64, 0, 0], 10, "shared address space"),
    v4([127, 0, 0, 0], 8, "loopback"),
    v4([169, 254, 0, 0], 16, "link local"),
    v4([172, 16, 0, 0], 12, "private use"),
    v4([192, 0, 0, 0], 29, "IPv4 service continuity prefix"),
    v4([192, 0, 0, 8], 32, "IPv4 dummy address"),
    reachable(v4([192, 0, 0, 9], 32, "port control protocol anycast")),
    reachable(v4([192, 0, 0, 10], 32, "TURN anycast")),
    v4([192, 0, 0, 170], 31, "NAT64/DNS64 discovery"),
    v4([192, 0, 0, 0], 24, "IETF protocol assignments"),
    v4([192, 0, 2, 0], 24, "documentation"),
    reachable(v4([192, 31, 196, 0], 24, "AS112")),
    reachable(v4([192, 52, 193, 0], 24, "AMT")),
    v4([192, 88, 99, 2], 32, "6a44 relay anycast"),
    v4([192, 88, 99, 0], 24, "deprecated 6to4 relay anycast"),
    v4([192, 168, 0, 0], 16, "private use"),
    reachable(v4([192, 175, 48, 0], 24, "direct delegation AS112 service")),
    v4([198, 18, 0, 0], 15, "benchmarking"),
    v4([198, 51, 100, 0], 24, "documentation"),
    v4([203, 0, 113, 0], 24, "documentation"),
    v4([224, 0, 0, 0], 4, "multicast"),
    v4([255, 255, 255, 255], 32, "limited broadcast"),
    v4([240, 0, 0, 0], 4, "reserved"),
];

/// The narrower range comes before the wider one that contains it.
static V6: [SpecialRange; 33] = [
    v6([0, 0, 0, 0, 0, 0, 0, 1], 128, "loopback"),
    v6([0, 0, 0, 0, 0, 0, 0, 0], 128, "unspecified"),
    MAPPED,
    COMPATIBLE,
    reachable(NAT64),
    NAT64_LOCAL,
    v6([0x100, 0, 0, 0, 0, 0, 0, 0], 64, "discard only"),
    v6([0x100, 0, 0, 1, 0, 0, 0, 0], 64, "dummy prefix"),
    TEREDO,
    reachable(v6([0x2001, 1, 0, 0, 0, 0, 0, 1], 128, "port control protocol anycast")),
    reachable(v6([0x2001, 1, 0, 0, 0, 0, 0, 2], 128, "TURN anycast")),
    reachable(v6([0x2001, 1, 0, 0, 0, 0, 0, 3], 128, "DNS-SD service registration anycast")),
    v6([0x2001, 2, 0, 0, 0, 0, 0, 0], 48, "benchmarking"),
    reachable(v6([0x2001, 3, 0, 0, 0, 0, 0, 0], 32, "AMT")),
    reachable(v6([0x2001, 4, 0x112, 0, 0, 0, 0, 0], 48, "AS112")),
    v6([0x2001, 0x10, 0, 0, 0, 0, 0, 0], 28, "deprecated ORCHID"),
    reachable(v6([0x2001, 0x20, 0, 0, 0, 0, 0, 0], 28, "ORCHIDv2")),
    reachable(v6([0x2001, 0x30, 0, 0, 0, 0, 0, 0], 28, "drone remote identification")),
    v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 23, "IETF protocol assignments"),
    v6([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32, "documentation"),
    SIX_TO_FOUR,
    reachable(v6([0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0], 48, "direct delegation AS112 service")),
    v6([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20, "documentation"),
    v6([0x5f00, 0, 0, 0, 0, 0, 0, 0], 16, "segment routing"),
    v6([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7, "unique local"),
    v6([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10, "link local"),
    v6([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10, "deprecated site local"),
    v6([0xff00, 0, 0, 0, 0, 0, 0, 0], 8, "multicast"),
    // 2000::/3 is the only range that has been given out as global unicast.
    v6([0, 0, 0, 0, 0, 0, 0, 0], 3, "not allocated"),
    v6([0x4000, 0, 0, 0, 0, 0, 0, 0], 2, "not allocated"),
    v6([0x8000, 0, 0, 0, 0, 0, 0, 0], 2, "not allocated"),
    v6([0xc000, 0, 0, 0, 0, 0, 0, 0], 3, "not allocated"),
    v6([0xe000, 0, 0, 0, 0, 0, 0, 0], 3, "not allocated"),
];

const MAPPED: SpecialRange = v6([0, 0, 0, 0, 0, 0xffff, 0, 0], 96, "IPv4-mapped");
const COMPATIBLE: SpecialRange = v6([0, 0, 0, 0, 0, 0, 0, 0], 96, "deprecated IPv4-compatible");
const NAT64: SpecialRange = v6([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96, "IPv4-IPv6 translation");
const NAT64_LOCAL: SpecialRange = v6([0x64, 0xff9b, 1, 0, 0, 0, 0, 0], 48, "local IPv4-IPv6 translation");
const TEREDO: SpecialRange = v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 32, "Teredo");
const SIX_TO_FOUR: SpecialRange = v6([0x2002, 0, 0, 0, 0, 0, 0, 0], 16, "6to4");

fn contains(range: &SpecialRange, address: u128) -> bool {
    let (base, bits) = match range.base {
        IpAddr::V4(base) => (u128::from(base.to_bits()), 32),
        IpAddr::V6(base) => (base.to_bits(), 128),
    };
    let host_bits = bits - u32::from(range.prefix_len);
    // A prefix of no bits at all does not occur in the tables, so the shift is below 128.
    address >> host_bits == base >> host_bits
}

pub(super) fn of_ipv4(address: Ipv4Addr) -> Option<SpecialRange> {
    let bits = u128::from(address.to_bits());
    V4.iter().find(|range| contains(range, bits)).copied()
}

pub(super) fn of_ipv6(address: Ipv6Addr) -> Option<SpecialRange> {
    let bits = address.to_bits();
    let range = V6.iter().find(|range| contains(range, bits)).copied()?;
    let low = |shift: u32| Ipv4Addr::from_bits((bits >> shift) as u32);
    let [embedded, other] = match range.base {
        // These two reach just the IPv4 address.
        base if base == MAPPED.base => return of_ipv4(low(0)),
        base if base == NAT64.base && range.prefix_len == NAT64.prefix_len => return of_ipv4(low(0)),
        // RFC 6052 puts the address around the octet that it keeps zero; sites also cut /96 prefixes out of the /48.
        base if base == NAT64_LOCAL.base => {
            let around = ((bits >> 64) as u32 & 0xffff) << 16 | (bits >> 40) as u32 & 0xffff;
            [Some(Ipv4Addr::from_bits(around)), Some(low(0))]
        }
        base if base == SIX_TO_FOUR.base => [Some(low(80)), None],
        // The client's address is stored with all bits turned over, the server's plainly.
        base if base == TEREDO.base && range.prefix_len == TEREDO.prefix_len => {
            [Some(Ipv4Addr::from_bits(!(bits as u32))), Some(low(64))]
        }
        _ if range == COMPATIBLE => [Some(low(0)), None],
        _ => [None, None],
    };
    Some(embedded.and_then(of_ipv4).or_else(|| other.and_then(of_ipv4)).unwrap_or(range))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ranges are found by the first that contains an address, so the narrower one must come first.
    #[test]
    fn no_range_hides_behind_a_wider_one() {
        for table in [V4.as_slice(), V6.as_slice()] {
            for (at, range) in table.iter().enumerate() {
                let bits = match range.base {
                    IpAddr::V4(base) => u128::from(base.to_bits()),
                    IpAddr::V6(base) => base.to_bits(),
                };
                for earlier in &table[..at] {
                    let hides = contains(earlier, bits) && earlier.prefix_len <= range.prefix_len;
                    assert!(!hides, "{earlier} hides {range}");
                }
            }
        }
    }
}
