//! Address lists: the IP addresses of an agent.
//!
//! ```json
//! { "creationTime": "2026-04-21T10:00:00Z",
//!   "prefixes": [ { "ipv4Prefix": "192.0.2.0/24", "services": ["search"] }, { "ipv6Prefix": "2001:db8::/32" } ] }
//! ```
//!
//! The draft JAFAR defines this format; the older lists of individual crawlers are read as well. An IPv4-mapped
//! IPv6 address equals the IPv4 address in it.

use core::fmt;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::collections::{BTreeMap, BTreeSet};

use tct_canonical_json::{JsonKind, JsonReader, JsonValue};
use web_values::MediaType;

/// Largest list that is read, in bytes.
pub const MAX_ADDRESS_LIST_BYTES: usize = 16 * 1024 * 1024;

/// The addresses of an agent.
///
/// ```
/// use bot_auth::AddressList;
///
/// let list = AddressList::parse(br#"{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}"#, None)?;
/// assert!(list.contains("192.0.2.7".parse()?));
/// assert!(list.contains("::ffff:192.0.2.7".parse()?));
/// assert!(!list.contains("198.51.100.7".parse()?));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// Spec: JAFAR-1 to JAFAR-6; AIWI2-ID-7, AIWI2-AMB-33.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AddressList {
    /// By prefix length, the longest last; in each the network addresses with their services.
    v4: BTreeMap<u8, BTreeMap<u32, BTreeSet<Box<str>>>>,
    v6: BTreeMap<u8, BTreeMap<u128, BTreeSet<Box<str>>>>,
    entries: usize,
    skipped: usize,
    creation_time: Option<Box<str>>,
}

/// Why a text is not an address list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum AddressListError {
    /// Not JSON with each member once, or over 16 MiB.
    NotJson,
    /// No list `prefixes`.
    NoPrefixes,
    /// A version other than 1.x, or one that cannot be read.
    UnsupportedVersion,
}

impl AddressListError {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            AddressListError::NotJson => "not-json",
            AddressListError::NoPrefixes => "no-prefixes",
            AddressListError::UnsupportedVersion => "unsupported-version",
        }
    }

    /// The rule that was broken.
    #[must_use]
    pub const fn requirement(self) -> &'static str {
        match self {
            AddressListError::NotJson | AddressListError::NoPrefixes => "JAFAR-4",
            AddressListError::UnsupportedVersion => "JAFAR-3",
        }
    }
}

impl fmt::Display for AddressListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AddressListError::NotJson => "expected json with each member once, found something else",
            AddressListError::NoPrefixes => "expected an object with a list `prefixes`, found none",
            AddressListError::UnsupportedVersion => "expected version 1.x of the format, found another",
        })
    }
}

impl core::error::Error for AddressListError {}

impl AddressList {
    /// Reads a list, with the value of its `Content-Type` where that is known. `O(n log n)`.
    ///
    /// Entries with both prefixes or none, of the wrong family, with host bits set, or that are not addresses
    /// are skipped and counted; an address without a length is a single address.
    ///
    /// # Errors
    /// [`AddressListError`].
    ///
    /// Spec: JAFAR-1 to JAFAR-5, WBA-AMB-32.
    pub fn parse(json: &[u8], content_type: Option<&str>) -> Result<Self, AddressListError> {
        if let Some(content_type) = content_type {
            check_content_type(content_type)?;
        }
        let reader = JsonReader::new().max_bytes(MAX_ADDRESS_LIST_BYTES);
        let document = reader.read(json).map_err(|_| AddressListError::NotJson)?;
        let root = document.root();
        let prefixes = root.get("prefixes").filter(|prefixes| prefixes.kind() == JsonKind::Array);
        let prefixes = prefixes.ok_or(AddressListError::NoPrefixes)?;
        if let Some(version) = root.get("formatVersion") {
            check_version(version.as_str().as_deref())?;
        }
        let mut list = AddressList {
            creation_time: root.get("creationTime").and_then(|time| time.as_str()).map(Into::into),
            ..AddressList::default()
        };
        for entry in prefixes.items() {
            match prefix(&entry) {
                Some(prefix) => {
                    list.entries += 1;
                    let services = match prefix {
                        Prefix::V4(network, len) => {
                            list.v4.entry(len).or_default().entry(network).or_default()
                        }
                        Prefix::V6(network, len) => {
                            list.v6.entry(len).or_default().entry(network).or_default()
                        }
                    };
                    add_services(&entry, services);
                }
                None => list.skipped += 1,
            }
        }
        Ok(list)
    }

    /// Returns true if the address is in one of the prefixes. `O(log n)` for each length of prefix that occurs.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        self.find(address).is_some()
    }

    /// The services of the narrowest prefix that the address is in, sorted; `None` if it is in none.
    ///
    /// Spec: JAFAR-6.
    #[must_use]
    pub fn services(&self, address: IpAddr) -> Option<Vec<&str>> {
        self.find(address).map(|services| services.iter().map(|service| &**service).collect())
    }

    fn find(&self, address: IpAddr) -> Option<&BTreeSet<Box<str>>> {
        match address.to_canonical() {
            IpAddr::V4(address) => {
                let bits = address.to_bits();
                self.v4.iter().rev().find_map(|(len, networks)| networks.get(&(bits & mask_v4(*len))))
            }
            IpAddr::V6(address) => {
                let bits = address.to_bits();
                self.v6.iter().rev().find_map(|(len, networks)| networks.get(&(bits & mask_v6(*len))))
            }
        }
    }

    /// How many entries were taken.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// How many entries were skipped.
    #[must_use]
    pub fn skipped(&self) -> usize {
        self.skipped
    }

    /// `creationTime` as written: in lists of today with or without zone, or absent.
    #[must_use]
    pub fn creation_time(&self) -> Option<&str> {
        self.creation_time.as_deref()
    }
}

#[derive(Clone, Copy)]
enum Prefix {
    V4(u32, u8),
    V6(u128, u8),
}

fn mask_v4(len: u8) -> u32 {
    u32::MAX.checked_shl(32_u32.saturating_sub(len.into())).unwrap_or(0)
}

fn mask_v6(len: u8) -> u128 {
    u128::MAX.checked_shl(128_u32.saturating_sub(len.into())).unwrap_or(0)
}

fn prefix(entry: &JsonValue<'_>) -> Option<Prefix> {
    match (entry.get("ipv4Prefix"), entry.get("ipv6Prefix")) {
        (Some(text), None) => {
            let text = text.as_str()?;
            let (address, len) = split(&text, 32)?;
            let bits = address.parse::<Ipv4Addr>().ok()?.to_bits();
            (bits & !mask_v4(len) == 0).then_some(Prefix::V4(bits, len))
        }
        (None, Some(text)) => {
            let text = text.as_str()?;
            let (address, len) = split(&text, 128)?;
            let address: Ipv6Addr = address.parse().ok()?;
            let bits = address.to_bits();
            if bits & !mask_v6(len) != 0 {
                return None;
            }
            Some(match (address.to_ipv4_mapped(), len.checked_sub(96)) {
                (Some(mapped), Some(len)) => Prefix::V4(mapped.to_bits(), len),
                _ => Prefix::V6(bits, len),
            })
        }
        _ => None,
    }
}

/// Address and length; the longest one where there is none.
fn split(text: &str, max: u8) -> Option<(&str, u8)> {
    let Some((address, len)) = text.split_once('/') else { return Some((text, max)) };
    let is_number =
        !len.is_empty() && len.bytes().all(|b| b.is_ascii_digit()) && (len == "0" || !len.starts_with('0'));
    let len: u8 = if is_number { len.parse().ok()? } else { return None };
    (len <= max).then_some((address, len))
}

/// Spec: JAFAR-2, JAFAR-4.
fn add_services(entry: &JsonValue<'_>, services: &mut BTreeSet<Box<str>>) {
    if let Some(list) = entry.get("services") {
        services.extend(list.items().filter_map(|service| service.as_str()).map(Box::from));
    }
    if let Some(service) = entry.get("service").and_then(|service| service.as_str()) {
        services.insert(service.into());
    }
}

/// Spec: JAFAR-3. Other media types have no version.
fn check_content_type(value: &str) -> Result<(), AddressListError> {
    match MediaType::parse(value) {
        Some(media_type) if media_type.essence() == "application/jafar+json" => {
            media_type.parameter("version").map_or(Ok(()), |version| check_version(Some(version)))
        }
        _ => Ok(()),
    }
}

fn check_version(version: Option<&str>) -> Result<(), AddressListError> {
    let (major, minor) = version.and_then(|version| version.split_once('.')).unwrap_or_default();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if major == "1" && is_number(minor) { Ok(()) } else { Err(AddressListError::UnsupportedVersion) }
}
