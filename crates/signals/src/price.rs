//! Requests for payment (status 402): read, never paid.
//!
//! ```text
//! 402  crawler-price: USD 0.01               pay per crawl
//! 402  PAYMENT-REQUIRED: …                   x402
//! 401, 402  WWW-Authenticate: License …      RSL's licence server
//! 200  crawler-charged: USD 0.01             a charge was made
//! ```
//!
//! This crate has no function that pays or offers to pay.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use url::Url;

use crate::rsl::{RslLinks, is_decimal};

/// A way to ask for payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum PriceScheme {
    /// The fields `crawler-price` and `crawler-charged` of one vendor.
    CrawlerPrice,
    /// x402; recognised by its field, not read.
    X402,
    /// A licence server of RSL; recognised by its challenge, not asked.
    Rsl,
}

impl PriceScheme {
    /// The name: `crawler-price`, `x402` or `rsl`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PriceScheme::CrawlerPrice => "crawler-price",
            PriceScheme::X402 => "x402",
            PriceScheme::Rsl => "rsl",
        }
    }
}

impl fmt::Display for PriceScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An amount of money, as written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Amount {
    /// Three capital letters, such as `USD`.
    pub currency: String,
    /// A decimal without sign and exponent, such as `0.01`. Kept as text: no rounding.
    pub amount: String,
}

impl Amount {
    /// Reads `USD 0.01`: three capital letters, one space, a decimal. `None` for anything else.
    ///
    /// Spec: PRICE-3.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (currency, amount) = text.split_once(' ')?;
        let is_currency = currency.len() == 3 && currency.bytes().all(|byte| byte.is_ascii_uppercase());
        (is_currency && is_decimal(amount))
            .then(|| Amount { currency: currency.to_owned(), amount: amount.to_owned() })
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.currency, self.amount)
    }
}

/// The payment fields of a response.
///
/// ```
/// use signals::{UsePrice, PriceScheme};
///
/// let price = UsePrice::of_response(402, [("crawler-price", "USD 0.01")]);
/// assert!(price.is_asked);
/// assert_eq!(price.scheme, Some(PriceScheme::CrawlerPrice));
/// assert_eq!(price.price.unwrap().to_string(), "USD 0.01");
/// assert!(!UsePrice::of_response(200, [("crawler-price", "USD 0.01")]).is_asked);
/// ```
///
/// Spec: PRICE-1 to PRICE-5, RSL-18.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct UsePrice {
    /// Payment is asked for: the status is 402.
    pub is_asked: bool,
    /// The scheme; `None` also if a 402 names none.
    pub scheme: Option<PriceScheme>,
    /// The price of this resource; `None` where it cannot be read.
    pub price: Option<Amount>,
    /// What was charged for this response.
    pub charged: Option<Amount>,
    /// The vendor's error code, as written.
    pub error: Option<String>,
    /// Licence documents that the response links.
    pub licenses: Vec<Url>,
}

impl UsePrice {
    /// Reads the status and the header fields of a response.
    #[must_use]
    pub fn of_response<'h>(
        status: u16,
        headers: impl IntoIterator<Item = (&'h str, &'h str)> + Clone,
    ) -> Self {
        let values = |wanted: &'static str| {
            let fields =
                headers.clone().into_iter().filter(move |(name, _)| name.eq_ignore_ascii_case(wanted));
            fields.map(|(_, value)| value.trim_matches([' ', '\t']))
        };
        let only = |wanted| {
            let mut values = values(wanted);
            values.next().filter(|_| values.next().is_none()).and_then(Amount::parse)
        };
        let is_asked = status == 402;
        let is_challenged = matches!(status, 401 | 402)
            && values("www-authenticate").any(|value| has_challenge(value, "License"));
        let scheme = if is_asked && values("crawler-price").next().is_some() {
            Some(PriceScheme::CrawlerPrice)
        } else if is_asked && values("payment-required").next().is_some() {
            Some(PriceScheme::X402)
        } else {
            is_challenged.then_some(PriceScheme::Rsl)
        };
        UsePrice {
            is_asked,
            scheme,
            price: if is_asked { only("crawler-price") } else { None },
            charged: if status == 200 { only("crawler-charged") } else { None },
            error: values("crawler-error").next().map(str::to_owned),
            licenses: RslLinks::of_headers(headers.clone()).urls,
        }
    }
}

/// Returns true if a `WWW-Authenticate` line has a challenge of this scheme.
///
/// Spec: RFC 9110, "WWW-Authenticate".
fn has_challenge(line: &str, scheme: &str) -> bool {
    // Challenges and their parameters are both separated by commas: a scheme is a first word without `=` behind it.
    let mut is_quoted = false;
    let parts = line.split(|c: char| {
        is_quoted ^= c == '"';
        c == ',' && !is_quoted
    });
    parts.into_iter().any(|part| {
        let mut words = part.trim_matches([' ', '\t']).splitn(2, [' ', '\t']);
        let first = words.next().unwrap_or_default();
        let is_parameter = words.next().is_some_and(|rest| rest.trim_start().starts_with('='));
        first.eq_ignore_ascii_case(scheme) && !is_parameter
    })
}
