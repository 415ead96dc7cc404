//! Building a product line that cannot be invalid.

use alloc::string::{String, ToString};

use tct_canonical_json::JsonTape;
use web_values::{Timestamp, WebUrl};

use super::{Availability, Price, Product, ProductView};
use crate::finding::Findings;
use crate::json::JsonWriter;
use crate::{LlmindexBuildError, LlmindexTextError, Mode, Options};

/// Collects a product's members; [`ProductBuilder::build`] gives a valid product or every reason why not.
///
/// ```
/// use llmindex_types::{Availability, ProductBuilder, web_values::Timestamp};
/// let changed = Timestamp::parse("2026-02-15T08:00:00Z").unwrap();
/// let product = ProductBuilder::new("P1", "Boots", "https://shoes.example/p1", Availability::InStock, changed)
///     .price("89.90", "EUR")
///     .category("winter")
///     .build()
///     .unwrap();
/// assert_eq!(
///     product.to_json(),
///     r#"{"id":"P1","title":"Boots","url":"https://shoes.example/p1","price":89.90,"currency":"EUR","#.to_owned()
///         + r#""availability":"in_stock","category":"winter","updated_at":"2026-02-15T08:00:00Z"}"#
/// );
/// ```
///
/// Spec: llmindex 0.1, "products.jsonl feed format"; LLMI-FEED-1, LLMI-AMB-15.
#[derive(Debug, Clone)]
#[must_use]
pub struct ProductBuilder {
    id: String,
    title: String,
    url: String,
    image_url: Option<String>,
    amounts: Amounts,
    availability: Availability,
    brand: Option<String>,
    category: Option<String>,
    updated_at: String,
}

#[derive(Debug, Clone)]
enum Amounts {
    None,
    One { amount: String, currency: String },
    Range { min: String, max: String, currency: String },
}

impl ProductBuilder {
    /// Starts a product; a price or a range must follow.
    pub fn new(id: &str, title: &str, url: &str, availability: Availability, updated_at: Timestamp) -> Self {
        ProductBuilder {
            id: id.into(),
            title: title.into(),
            url: url.into(),
            image_url: None,
            amounts: Amounts::None,
            availability,
            brand: None,
            category: None,
            updated_at: updated_at.spelled().to_string(),
        }
    }

    /// Sets the price as decimal text, such as `0.10`, in place of a range.
    pub fn price(mut self, amount: &str, currency: &str) -> Self {
        self.amounts = Amounts::One { amount: amount.into(), currency: currency.into() };
        self
    }

    /// Sets a range of prices as decimal texts, in place of a price.
    pub fn price_range(mut self, min: &str, max: &str, currency: &str) -> Self {
        self.amounts = Amounts::Range { min: min.into(), max: max.into(), currency: currency.into() };
        self
    }

    /// Sets the URL of the main picture.
    pub fn image_url(mut self, url: &str) -> Self {
        self.image_url = Some(url.into());
        self
    }

    /// Sets the brand.
    pub fn brand(mut self, brand: &str) -> Self {
        self.brand = Some(brand.into());
        self
    }

    /// Sets the category.
    pub fn category(mut self, category: &str) -> Self {
        self.category = Some(category.into());
        self
    }

    /// Checks the product by the strict rules.
    ///
    /// # Errors
    /// [`LlmindexBuildError`] with the report of the strict check, each finding at the member's place.
    ///
    /// Spec: llmindex 0.1, "products.jsonl feed format"; LLMI-FEED-9, LLMI-AMB-15.
    pub fn build(self) -> Result<Product, LlmindexBuildError> {
        let mut w = Line::new();
        w.text("id", &self.id);
        w.text("title", &self.title);
        w.text("url", &self.url);
        w.text_opt("image_url", self.image_url.as_deref());
        match &self.amounts {
            Amounts::None => {}
            Amounts::One { amount, currency } => w.price(amount, currency),
            Amounts::Range { min, max, currency } => w.range(min, max, currency),
        }
        w.text("availability", self.availability.as_str());
        w.text_opt("brand", self.brand.as_deref());
        w.text_opt("category", self.category.as_deref());
        w.text("updated_at", &self.updated_at);
        let line = w.finish();
        let options = Options::for_product().mode(Mode::Strict);
        let mut tape = JsonTape::default();
        let mut findings = Findings::new(options.max_findings);
        let product = match options.limits.reader().read_str_into(&line, &mut tape) {
            Ok(value) => {
                super::check_product(value, &options, &mut findings);
                ProductView::new(value).to_product()
            }
            Err(error) => {
                let error = LlmindexTextError::of_json(error, line.as_bytes(), 0);
                findings.push(crate::feed::line_finding(&error));
                None
            }
        };
        let report = findings.into_report();
        product.filter(|_| report.is_valid()).ok_or_else(|| LlmindexBuildError::new(report))
    }
}

impl Product {
    /// The line of this product, without a line feed.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut w = Line::new();
        w.text("id", &self.id);
        w.text("title", &self.title);
        w.text("url", self.url.as_given());
        w.text_opt("image_url", self.image_url.as_ref().map(WebUrl::as_given));
        match &self.price {
            Price::Amount { amount, currency } => w.price(amount.as_str(), currency),
            Price::Range { min, max, currency } => w.range(min.as_str(), max.as_str(), currency),
        }
        w.text("availability", self.availability.as_str());
        w.text_opt("brand", self.brand.as_deref());
        w.text_opt("category", self.category.as_deref());
        w.text("updated_at", &self.updated_at.spelled().to_string());
        w.finish()
    }
}

/// A product's JSON on one line.
struct Line(JsonWriter);

impl Line {
    fn new() -> Self {
        let mut writer = JsonWriter::one_line();
        writer.open(None, '{');
        Line(writer)
    }

    fn text(&mut self, name: &str, text: &str) {
        self.0.string(Some(name), text);
    }

    fn text_opt(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(name, text);
        }
    }

    /// An amount that is not a number is written as a string, which the check then reports.
    fn number(&mut self, name: &str, text: &str) {
        match crate::Decimal::parse(text) {
            Ok(number) => self.0.raw(Some(name), number.as_str()),
            Err(_) => self.text(name, text),
        }
    }

    fn price(&mut self, amount: &str, currency: &str) {
        self.number("price", amount);
        self.text("currency", currency);
    }

    fn range(&mut self, min: &str, max: &str, currency: &str) {
        self.0.open(Some("price_range"), '{');
        self.number("min", min);
        self.number("max", max);
        self.text("currency", currency);
        self.0.close('}');
    }

    fn finish(mut self) -> String {
        self.0.close('}');
        self.0.finish()
    }
}
