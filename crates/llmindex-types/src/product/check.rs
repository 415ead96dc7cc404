//! The checks of one product.

use alloc::borrow::Cow;
use alloc::format;

use tct_canonical_json::{JsonKind, JsonTape, JsonValue};

use super::Availability;
use crate::check::{Checker, Slot};
use crate::finding::{Code, Findings, Path, excerpt};
use crate::{LlmindexTextError, Options, Report, currency, decimal};

/// Checks one product line and gives every finding at once.
///
/// ```
/// use llmindex_types::{Options, validate_product};
/// let line = r#"{"id":"P1","title":"","url":"/p1","price":-1,"currency":"usd","availability":"in stock"}"#;
/// let report = validate_product(line, &Options::for_product())?;
/// let faults: Vec<_> = report.errors().map(|f| (f.path(), f.code().as_str())).collect();
/// assert_eq!(faults, [
///     ("/title", "empty"),
///     ("/url", "url-not-absolute"),
///     ("/price", "price-negative"),
///     ("/currency", "currency-malformed"),
///     ("/availability", "availability-unknown"),
///     ("/updated_at", "missing-member"),
/// ]);
/// # Ok::<(), llmindex_types::LlmindexTextError>(())
/// ```
///
/// # Errors
/// [`LlmindexTextError`] if the line is not a JSON text within the limits; a blank line is not. JSON that is not an object gets a
/// report.
///
/// Spec: llmindex 0.1, "products.jsonl feed format"; LLMI-FEED-1 to LLMI-FEED-12.
pub fn validate_product(line: &str, options: &Options) -> Result<Report, LlmindexTextError> {
    validate_product_line(line.as_bytes(), options)
}

/// [`validate_product`] for bytes that may not be UTF-8.
///
/// # Errors
/// As [`validate_product`], and [`LlmindexTextErrorKind::NotUtf8`](crate::LlmindexTextErrorKind::NotUtf8).
pub fn validate_product_line(line: &[u8], options: &Options) -> Result<Report, LlmindexTextError> {
    let mut tape = JsonTape::default();
    let mut findings = Findings::new(options.max_findings);
    let value = options.limits.reader().read_into(line, &mut tape);
    let value = value.map_err(|error| LlmindexTextError::of_json(error, line, 0))?;
    check_product(value, options, &mut findings);
    Ok(findings.into_report())
}

/// Checks a product and returns its identifier if that is good.
pub(crate) fn check_product<'a>(
    value: JsonValue<'a>,
    options: &Options,
    findings: &mut Findings,
) -> Option<Cow<'a, str>> {
    Checker { findings, mode: options.mode, secrets: false }.product(value)
}

/// Checks a line of a delta: a product, or a deletion, which needs an identifier and a time only.
///
/// Spec: llmindex 0.2, "feeds.products_jsonl_delta"; LLMI-V02-4.
pub(crate) fn check_change(value: JsonValue<'_>, options: &Options, findings: &mut Findings) {
    Checker { findings, mode: options.mode, secrets: false }.change(value);
}

const ROOT: Path<'static> = Path::Root;

const MEMBERS: [&str; 11] = [
    "id",
    "title",
    "url",
    "image_url",
    "price",
    "currency",
    "price_range",
    "availability",
    "brand",
    "category",
    "updated_at",
];

/// The members of a line of a delta.
const CHANGE_MEMBERS: [&str; 12] = {
    let [a, b, c, d, e, f, g, h, i, j, k] = MEMBERS;
    [a, b, c, d, e, f, g, h, i, j, k, "deleted"]
};

impl Checker<'_> {
    fn change(&mut self, root: JsonValue<'_>) {
        if !self.is_object(ROOT, root, "LLMI-FEED-1") {
            return;
        }
        let slots = self.members(ROOT, root, CHANGE_MEMBERS);
        let [id, title, url, image_url, price, currency, range, availability, brand, category, at, deleted] =
            slots;
        if let Some(value) = deleted.filter(|value| value.kind() != JsonKind::Bool) {
            return self.wrong_type(ROOT.name("deleted"), "LLMI-V02-4", "a boolean", value);
        }
        if deleted.and_then(|value| value.as_bool()) == Some(true) {
            self.id(id);
            self.updated_at(at);
        } else {
            self.product_members([
                id,
                title,
                url,
                image_url,
                price,
                currency,
                range,
                availability,
                brand,
                category,
                at,
            ]);
        }
    }

    fn product<'a>(&mut self, root: JsonValue<'a>) -> Option<Cow<'a, str>> {
        if !self.is_object(ROOT, root, "LLMI-FEED-1") {
            return None;
        }
        let slots = self.members(ROOT, root, MEMBERS);
        self.product_members(slots)
    }

    fn id<'a>(&mut self, slot: Slot<'a>) -> Option<Cow<'a, str>> {
        let path = ROOT.name("id");
        self.required_string(path, slot, "LLMI-FEED-2", "the product's identifier")
            .filter(|id| self.is_filled(path, id, "LLMI-FEED-2"))
    }

    fn updated_at(&mut self, slot: Slot<'_>) {
        let path = ROOT.name("updated_at");
        let time = self.required_string(path, slot, "LLMI-FEED-12", "the time of the product's last change");
        if let Some(text) = time {
            self.timestamp(path, &text, "LLMI-FEED-12");
        }
    }

    #[inline]
    fn product_members<'a>(&mut self, slots: [Slot<'a>; 11]) -> Option<Cow<'a, str>> {
        let [id, title, url, image_url, price, currency, range, availability, brand, category, updated_at] =
            slots;
        let id = self.id(id);
        let path = ROOT.name("title");
        if let Some(title) = self.required_string(path, title, "LLMI-FEED-3", "the product's name") {
            self.is_filled(path, &title, "LLMI-FEED-3");
        }
        let path = ROOT.name("url");
        if let Some(text) = self.required_string(path, url, "LLMI-FEED-4", "the URL of the product's page") {
            self.url(path, &text, "LLMI-FEED-4", None);
        }
        let path = ROOT.name("image_url");
        if let Some(text) = image_url.and_then(|value| self.string(path, value, "LLMI-FEED-5")) {
            self.url(path, &text, "LLMI-FEED-5", None);
        }
        self.price(price, currency, range);
        self.availability(availability);
        for (name, slot) in [("brand", brand), ("category", category)] {
            if let Some(value) = slot {
                self.string(ROOT.name(name), value, "LLMI-FEED-11");
            }
        }
        self.updated_at(updated_at);
        id
    }

    /// `price`, `currency` and `price_range`, which replace each other.
    ///
    /// Spec: llmindex 0.1, "products.jsonl feed format"; LLMI-FEED-6 to LLMI-FEED-9, LLMI-AMB-15.
    fn price(&mut self, price: Slot<'_>, currency: Slot<'_>, range: Slot<'_>) {
        let (price_path, currency_path, range_path) =
            (ROOT.name("price"), ROOT.name("currency"), ROOT.name("price_range"));
        if let Some(value) = price {
            self.amount(price_path, value, "LLMI-FEED-6");
        }
        if let Some(value) = currency {
            self.currency(currency_path, value, "LLMI-FEED-7");
        }
        let range_is_good = range.is_some_and(|value| self.range(range_path, value));
        match (price, currency, range) {
            (None, _, None) => {
                self.missing(price_path, "LLMI-FEED-9", "`price` with `currency`, or `price_range`");
            }
            (Some(_), None, _) if range_is_good => {
                let message = "expected `currency` beside `price`, found none; the price range is used";
                self.findings.warning(currency_path, Code::MissingMember, "LLMI-AMB-15", message);
            }
            (Some(_), None, _) => self.missing(currency_path, "LLMI-FEED-7", "`currency` beside `price`"),
            (Some(_), Some(_), Some(_)) => {
                let message = "expected one of `price` and `price_range`, found both; the price is used";
                self.unless_strict(range_path, Code::PriceAndRange, "LLMI-AMB-15", message.into());
            }
            (None, Some(_), Some(_)) => {
                let message = "expected `price` beside `currency`, found none";
                self.findings.warning(currency_path, Code::CurrencyWithoutPrice, "LLMI-FEED-7", message);
            }
            (Some(_), Some(_), None) | (None, None, Some(_)) => {}
        }
    }

    /// The text of a finite number that is not below zero.
    #[inline]
    fn amount<'a>(
        &mut self,
        path: Path<'_>,
        value: JsonValue<'a>,
        requirement: &'static str,
    ) -> Option<&'a str> {
        let Some(number) = value.number_text() else {
            self.wrong_type(path, requirement, "a number", value);
            return None;
        };
        if !decimal::is_finite(number) {
            let message = "expected a number that a binary64 can hold, found a larger one";
            self.findings.error(path, Code::NumberNotFinite, "LLMI-AMB-14", message);
            return None;
        }
        if decimal::is_negative(number) {
            let message = "expected an amount of at least zero, found a negative one";
            self.findings.error(path, Code::PriceNegative, "LLMI-AMB-14", message);
            return None;
        }
        Some(number)
    }

    #[inline]
    fn currency(&mut self, path: Path<'_>, value: JsonValue<'_>, requirement: &'static str) -> bool {
        let Some(code) = self.string(path, value, requirement) else { return false };
        let good = currency::is_well_formed(&code);
        if !good {
            let message = format!("expected three upper-case letters, found {}", excerpt(&code));
            self.findings.error(path, Code::CurrencyMalformed, requirement, message);
        } else if !currency::is_listed(&code) {
            let message = format!("expected a code of ISO 4217, found {}", excerpt(&code));
            self.findings.warning(path, Code::CurrencyUnknown, requirement, message);
        }
        good
    }

    /// Whether the range is good.
    fn range(&mut self, path: Path<'_>, range: JsonValue<'_>) -> bool {
        const REQUIREMENT: &str = "LLMI-FEED-8";
        if !self.is_object(path, range, REQUIREMENT) {
            return false;
        }
        let [min, max, code] = self.members(path, range, ["min", "max", "currency"]);
        let mut bound = |name: &'static str, slot: Slot<'_>| match slot {
            Some(value) => self.amount(path.name(name), value, REQUIREMENT).map(alloc::string::String::from),
            None => {
                self.missing(path.name(name), REQUIREMENT, "all of `min`, `max` and `currency`");
                None
            }
        };
        let (min, max) = (bound("min", min), bound("max", max));
        let currency_is_good = match code {
            Some(value) => self.currency(path.name("currency"), value, REQUIREMENT),
            None => {
                self.missing(path.name("currency"), REQUIREMENT, "all of `min`, `max` and `currency`");
                false
            }
        };
        let (Some(min), Some(max)) = (min, max) else { return false };
        if decimal::compare(&min, &max).is_gt() {
            let message = "expected `min` not above `max`, found it above";
            self.findings.error(path, Code::RangeInverted, REQUIREMENT, message);
            return false;
        }
        currency_is_good
    }

    fn availability(&mut self, slot: Slot<'_>) {
        let path = ROOT.name("availability");
        let expected = "`in_stock`, `out_of_stock` or `preorder`";
        let Some(text) = self.required_string(path, slot, "LLMI-FEED-10", expected) else { return };
        if Availability::from_name(&text).is_none() {
            let message = format!("expected {expected}, found {}", excerpt(&text));
            self.findings.error(path, Code::AvailabilityUnknown, "LLMI-FEED-10", message);
        }
    }
}
