//! Forward-confirmed reverse DNS: whether an address belongs to a crawler's own domains.
//!
//! ```text
//! 192.0.2.1 ── PTR ──▶ crawl-1.bot.example ── under one of the domains? ── A ──▶ 192.0.2.1 ── confirmed
//! ```
//!
//! A pure step: takes the facts known so far and returns the outcome or the queries still needed. Anybody can put any
//! name into reverse DNS, so the name proves nothing until the forward lookup confirms it. A failed lookup gives
//! neither a no nor a yes.

use core::fmt;
use core::net::IpAddr;
use std::fmt::Write as _;

/// Most names of one address that are considered.
pub const MAX_REVERSE_NAMES: usize = 10;

/// Longest name, without the dot of the root.
const MAX_NAME_BYTES: usize = 253;

/// The domains under which a crawler's hosts are.
///
/// The caller must make sure that none of them is a public suffix.
///
/// Spec: RDNS-6.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Vec<String>", into = "Vec<String>")
)]
pub struct CrawlerDomains {
    domains: Vec<String>,
}

/// There is no domain, or a text is not a host name, such as a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DomainsError {
    index: Option<usize>,
}

impl DomainsError {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        "bad-domain"
    }

    /// Which of the texts; `None` where there was none.
    #[must_use]
    pub const fn index(self) -> Option<usize> {
        self.index
    }

    /// The rule that was broken.
    #[must_use]
    pub const fn requirement(self) -> &'static str {
        "RDNS-6"
    }
}

impl fmt::Display for DomainsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            Some(index) => write!(f, "expected host names, found another text at index {index}"),
            None => f.write_str("expected at least one host name, found none"),
        }
    }
}

impl core::error::Error for DomainsError {}

impl TryFrom<Vec<String>> for CrawlerDomains {
    type Error = DomainsError;

    /// As [`CrawlerDomains::new`].
    fn try_from(domains: Vec<String>) -> Result<Self, DomainsError> {
        CrawlerDomains::new(domains)
    }
}

impl From<CrawlerDomains> for Vec<String> {
    fn from(domains: CrawlerDomains) -> Self {
        domains.domains
    }
}

impl CrawlerDomains {
    /// Takes host names, in any letter case, with or without the final dot.
    ///
    /// # Errors
    /// [`DomainsError`].
    pub fn new(domains: impl IntoIterator<Item = impl AsRef<str>>) -> Result<Self, DomainsError> {
        let domains = domains
            .into_iter()
            .enumerate()
            .map(|(index, domain)| host_name(domain.as_ref()).ok_or(DomainsError { index: Some(index) }))
            .collect::<Result<Vec<_>, _>>()?;
        if domains.is_empty() { Err(DomainsError { index: None }) } else { Ok(CrawlerDomains { domains }) }
    }

    /// Returns true if the name, already in lower case and without final dot, is one of the domains or below one.
    fn contains(&self, name: &str) -> bool {
        self.domains.iter().any(|domain| {
            name.strip_suffix(domain.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        })
    }
}

/// The state of one lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Lookup<T> {
    /// Not made yet.
    NotAsked,
    /// No answer: time-out, SERVFAIL, or an answer that is not trusted.
    Failed,
    /// The answer, maybe empty: NXDOMAIN is one too.
    Answered(T),
}

/// A query that is still needed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DnsQuery {
    /// Type of the records.
    pub record_type: RecordType,
    /// Name, in lower case, without the final dot.
    pub name: String,
}

impl fmt::Display for DnsQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.record_type, self.name)
    }
}

/// The types of records that are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "UPPERCASE"))]
pub enum RecordType {
    /// Names of an address.
    Ptr,
    /// IPv4 addresses of a name.
    A,
    /// IPv6 addresses of a name.
    Aaaa,
}

impl fmt::Display for RecordType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RecordType::Ptr => "PTR",
            RecordType::A => "A",
            RecordType::Aaaa => "AAAA",
        })
    }
}

/// Result of a reverse-DNS check.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[must_use]
pub enum ReverseStep {
    /// These lookups are still needed; they can be made at once.
    Pending(Vec<DnsQuery>),
    /// The address has this name, under one of the domains, and the name has this address.
    Confirmed(String),
    /// Neither is the case, and every answer is known.
    Refuted,
    /// A lookup failed, so the result is unknown.
    Unknown,
}

impl ReverseStep {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            ReverseStep::Pending(_) => "pending",
            ReverseStep::Confirmed(_) => "confirmed",
            ReverseStep::Refuted => "refuted",
            ReverseStep::Unknown => "unknown",
        }
    }
}

impl fmt::Display for ReverseStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReverseStep::Pending(queries) => {
                for (at, query) in queries.iter().enumerate() {
                    write!(f, "{}{query}", if at == 0 { "look up " } else { ", " })?;
                }
                Ok(())
            }
            ReverseStep::Confirmed(name) => write!(f, "confirmed: the address is that of {name}"),
            ReverseStep::Refuted => f.write_str("refuted: no name of the address is one of the crawler's"),
            ReverseStep::Unknown => f.write_str("unknown: a lookup failed"),
        }
    }
}

/// One step of the check. `names` is the answer for the address; `addresses` gives the answer for a name, which is in
/// lower case and without the final dot.
///
/// ```
/// use bot_auth::{CrawlerDomains, Lookup, ReverseStep, check_reverse_dns};
///
/// let domains = CrawlerDomains::new(["bot.example"])?;
/// let address = "192.0.2.1".parse()?;
/// let ReverseStep::Pending(queries) =
///     check_reverse_dns(address, &domains, Lookup::NotAsked, |_| Lookup::NotAsked) else { panic!() };
/// assert_eq!(queries[0].name, "1.2.0.192.in-addr.arpa");
///
/// let names = ["crawl-1.bot.example."];
/// let step = check_reverse_dns(address, &domains, Lookup::Answered(&names), |name| {
///     assert_eq!(name, "crawl-1.bot.example");
///     Lookup::Answered(vec![address])
/// });
/// assert_eq!(step, ReverseStep::Confirmed("crawl-1.bot.example".into()));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// Spec: RDNS-1 to RDNS-5; AIWI2-ID-9, AIWI2-AMB-34.
pub fn check_reverse_dns(
    address: IpAddr,
    domains: &CrawlerDomains,
    names: Lookup<&[&str]>,
    addresses: impl Fn(&str) -> Lookup<Vec<IpAddr>>,
) -> ReverseStep {
    let address = address.to_canonical();
    let names = match names {
        Lookup::NotAsked => {
            let query = DnsQuery { record_type: RecordType::Ptr, name: reverse_name(address) };
            return ReverseStep::Pending(vec![query]);
        }
        Lookup::Failed => return ReverseStep::Unknown,
        Lookup::Answered(names) => names,
    };
    let mut candidates: Vec<String> = Vec::new();
    for name in names.iter().filter_map(|name| host_name(name)) {
        if candidates.len() < MAX_REVERSE_NAMES && domains.contains(&name) && !candidates.contains(&name) {
            candidates.push(name);
        }
    }
    let record_type = if address.is_ipv4() { RecordType::A } else { RecordType::Aaaa };
    let mut has_failed = false;
    let mut queries = Vec::new();
    for name in candidates {
        match addresses(&name) {
            Lookup::NotAsked => queries.push(DnsQuery { record_type, name }),
            Lookup::Failed => has_failed = true,
            Lookup::Answered(found) if found.iter().any(|found| found.to_canonical() == address) => {
                return ReverseStep::Confirmed(name);
            }
            Lookup::Answered(_) => {}
        }
    }
    if !queries.is_empty() {
        ReverseStep::Pending(queries)
    } else if has_failed {
        ReverseStep::Unknown
    } else {
        ReverseStep::Refuted
    }
}

/// The name that an address has in reverse DNS.
///
/// Spec: RFC 1035, section 3.5; RFC 3596, section 2.5; RDNS-2.
fn reverse_name(address: IpAddr) -> String {
    let mut name = String::new();
    // Writing into a String cannot fail.
    match address {
        IpAddr::V4(address) => {
            for octet in address.octets().iter().rev() {
                let _ = write!(name, "{octet}.");
            }
            name.push_str("in-addr.arpa");
        }
        IpAddr::V6(address) => {
            for octet in address.octets().iter().rev() {
                let _ = write!(name, "{:x}.{:x}.", octet & 15, octet >> 4);
            }
            name.push_str("ip6.arpa");
        }
    }
    name
}

/// The name in lower case without final dot, if it is one: labels of letters, digits, hyphens and underscores.
pub(crate) fn host_name(text: &str) -> Option<String> {
    let name = text.strip_suffix('.').unwrap_or(text);
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
    };
    let is_name = name.len() <= MAX_NAME_BYTES && name.split('.').all(is_label);
    is_name.then(|| name.to_ascii_lowercase())
}
