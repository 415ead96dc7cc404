//! One product: a line of the feed.

mod build;
mod check;

pub use build::ProductBuilder;
pub use check::{validate_product, validate_product_line};

pub(crate) use check::{check_change, check_product};

use alloc::string::{String, ToString};
use core::fmt;

use tct_canonical_json::JsonValue;

use web_values::{Timestamp, WebUrl};

use crate::{Decimal, decimal, url};

/// A product, valid by the default rules.
///
/// Spec: llmindex 0.1, "products.jsonl feed format"; LLMI-FEED-2 to LLMI-FEED-12.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Product {
    /// Identifier, unique in its feed, never empty.
    pub id: String,
    /// Display name, never empty.
    pub title: String,
    /// The product's page.
    pub url: WebUrl,
    /// The product's main picture.
    pub image_url: Option<WebUrl>,
    /// What it costs.
    pub price: Price,
    /// Whether it can be bought.
    pub availability: Availability,
    /// Name of the brand.
    pub brand: Option<String>,
    /// Category.
    pub category: Option<String>,
    /// When the product was last changed.
    pub updated_at: Timestamp,
}

/// What a product costs: one amount, or a range. Where a line has both, the amount is taken.
///
/// Spec: llmindex 0.1, "products.jsonl feed format"; LLMI-FEED-9, LLMI-AMB-15.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Price {
    /// `price` and `currency`.
    Amount {
        /// The amount, not below zero.
        amount: Decimal,
        /// Three upper-case letters.
        currency: String,
    },
    /// `price_range`.
    Range {
        /// The lowest amount, not below zero.
        min: Decimal,
        /// The highest amount, not below the lowest.
        max: Decimal,
        /// Three upper-case letters.
        currency: String,
    },
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Price::Amount { amount, currency } => write!(f, "{amount} {currency}"),
            Price::Range { min, max, currency } => write!(f, "{min} to {max} {currency}"),
        }
    }
}

/// Whether a product can be bought.
///
/// Spec: llmindex 0.1, "products.jsonl feed format"; LLMI-FEED-10, LLMI-AMB-16.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Availability {
    /// `in_stock`
    InStock,
    /// `out_of_stock`
    OutOfStock,
    /// `preorder`
    Preorder,
}

impl Availability {
    const ALL: [Availability; 3] = [Availability::InStock, Availability::OutOfStock, Availability::Preorder];

    /// The member's value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Availability::InStock => "in_stock",
            Availability::OutOfStock => "out_of_stock",
            Availability::Preorder => "preorder",
        }
    }

    /// The value of that name, spelled just so.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Availability::ALL.into_iter().find(|value| value.as_str() == name)
    }

    /// Reads the spellings of other systems: `In Stock`, `in-stock`, `pre-order`. For importers that write a feed;
    /// feed readers use [`Availability::from_name`].
    ///
    /// ```
    /// use llmindex_types::Availability;
    /// assert_eq!(Availability::import("Pre-Order"), Some(Availability::Preorder));
    /// assert_eq!(Availability::import("discontinued"), None);
    /// ```
    #[must_use]
    pub fn import(text: &str) -> Option<Self> {
        let letters = |text: &str| -> String {
            text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
        };
        let wanted = letters(text);
        Availability::ALL.into_iter().find(|value| letters(value.as_str()) == wanted)
    }
}

impl fmt::Display for Availability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A view of a product's line, valid or not: borrowed text, read on demand.
#[derive(Debug, Clone, Copy)]
pub struct ProductView<'a> {
    value: JsonValue<'a>,
}

impl<'a> ProductView<'a> {
    pub(crate) fn new(value: JsonValue<'a>) -> Self {
        ProductView { value }
    }

    /// The JSON object as it is spelled in the feed.
    #[must_use]
    pub fn json(&self) -> &'a str {
        self.value.raw()
    }

    /// The text of a string member, such as `id`, `title`, or one that the specification does not know.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<alloc::borrow::Cow<'a, str>> {
        self.value.get(name)?.as_str()
    }

    /// The JSON text of a member's value, whatever it is: a price as written.
    #[must_use]
    pub fn member_json(&self, name: &str) -> Option<&'a str> {
        Some(self.value.get(name)?.raw())
    }

    /// The `availability` as written, for callers that accept other values than the three.
    ///
    /// Spec: llmindex 0.1, "products.jsonl feed format"; LLMI-AMB-16.
    #[must_use]
    pub fn availability_text(&self) -> Option<alloc::borrow::Cow<'a, str>> {
        self.text("availability")
    }

    /// Returns true if the line deletes the product, as a line of a delta may: `"deleted": true`.
    ///
    /// Spec: llmindex 0.2, "feeds.products_jsonl_delta"; LLMI-V02-4.
    #[must_use]
    pub fn is_deletion(&self) -> bool {
        self.value.get("deleted").and_then(|value| value.as_bool()) == Some(true)
    }

    /// When the product was last changed, if that is a timestamp.
    #[must_use]
    pub fn updated_at(&self) -> Option<Timestamp> {
        Timestamp::parse_without_offset(&self.text("updated_at")?).ok()
    }

    /// The price with its currency if both are valid, otherwise a valid range.
    ///
    /// Spec: llmindex 0.1, "products.jsonl feed format"; LLMI-AMB-15.
    #[must_use]
    pub fn price(&self) -> Option<Price> {
        let amount = self.value.get("price").and_then(amount);
        let currency = self.value.get("currency").and_then(currency);
        if let (Some(amount), Some(currency)) = (amount, currency) {
            return Some(Price::Amount { amount, currency });
        }
        let range = self.value.get("price_range")?;
        let (min, max) = (amount_of(range, "min")?, amount_of(range, "max")?);
        let currency = range.get("currency").and_then(self::currency)?;
        min.compare(&max).is_le().then_some(Price::Range { min, max, currency })
    }

    /// The typed product; `None` if a required member is missing or invalid.
    #[must_use]
    pub fn to_product(&self) -> Option<Product> {
        let text = |name: &str| Some(self.text(name)?.into_owned());
        Some(Product {
            id: text("id").filter(|id| !id.is_empty())?,
            title: text("title").filter(|title| !title.is_empty())?,
            url: url::parse(&self.text("url")?)?,
            image_url: self.text("image_url").and_then(|text| url::parse(&text)),
            price: self.price()?,
            availability: Availability::from_name(&self.text("availability")?)?,
            brand: text("brand"),
            category: text("category"),
            updated_at: self.updated_at()?,
        })
    }
}

fn amount_of(range: JsonValue<'_>, name: &str) -> Option<Decimal> {
    range.get(name).and_then(amount)
}

fn amount(value: JsonValue<'_>) -> Option<Decimal> {
    let number = value.number_text()?;
    (decimal::is_finite(number) && !decimal::is_negative(number)).then(|| Decimal::from_checked(number))
}

fn currency(value: JsonValue<'_>) -> Option<String> {
    let code = value.as_str()?;
    crate::currency::is_well_formed(&code).then(|| code.to_string())
}
