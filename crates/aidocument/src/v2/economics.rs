//! Savings of reading the document instead of the HTML.

use alloc::string::String;

use crate::error::ValueError;
use crate::json::{Extra, Json};
use crate::number;
use crate::write::{Object, Out, objects};

/// Token counts that the caller's tokenizer gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenCounts {
    /// Tokens of `content.markdown`.
    pub output: u64,
    /// Tokens of the raw HTML, under the same tokenizer.
    pub raw_html: u64,
}

/// The group `economics`: tokens and costs of the document against those of the raw HTML.
///
/// Values that a document gives are kept as they are: [`Economics::savings_ratio`] computes from the two counts
/// instead of trusting them.
///
/// ```
/// use aidocument::v2::{Economics, PricingBasis, TokenCounts};
///
/// let basis = PricingBasis::new(0.004, "mid-tier")?;
/// let economics = Economics::new(TokenCounts { output: 250, raw_html: 1000 }, basis)?;
/// assert_eq!(economics.token_savings(), 750);
/// assert_eq!(economics.token_savings_percent(), 75.0);
/// assert_eq!(economics.savings_ratio(), 0.75);
/// # Ok::<(), aidocument::ValueError>(())
/// ```
///
/// Spec: AIWebIndex 2.0, "Field definitions"; AIWI2-DOC-31 to AIWI2-DOC-36, AIWI2-AMB-21, AIWI2-AMB-22.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Economics {
    pub(crate) counts: TokenCounts,
    pub(crate) token_savings: i64,
    pub(crate) token_savings_percent: Json,
    pub(crate) estimated_cost_usd: EstimatedCost,
    pub(crate) pricing_basis: PricingBasis,
    pub(crate) extra: Extra,
}

impl Economics {
    /// Computes all members from two counts and a price, without rounding. A page without tokens saves 0 percent;
    /// a document with more tokens than its page has negative savings.
    ///
    /// # Errors
    /// If a count is past 2^63, or a cost is past the largest double.
    pub fn new(counts: TokenCounts, pricing_basis: PricingBasis) -> Result<Self, ValueError> {
        let price = pricing_basis.input_price_per_1k_usd();
        let cost = |tokens: f64| json_of(tokens / 1_000.0 * price);
        let (output, raw_html) = (counts.output as f64, counts.raw_html as f64);
        let token_savings = counts.savings().ok_or_else(|| {
            ValueError::new("token counts below 2^63", counts.output.max(counts.raw_html), "AIWI2-DOC-31")
        })?;
        Ok(Economics {
            counts,
            token_savings,
            token_savings_percent: json_of(counts.ratio() * 100.0)?,
            estimated_cost_usd: EstimatedCost {
                our_output: cost(output)?,
                raw_html: cost(raw_html)?,
                savings: cost(raw_html - output)?,
                extra: Extra::default(),
            },
            pricing_basis,
            extra: Extra::default(),
        })
    }

    /// The token counts.
    #[must_use]
    pub fn counts(&self) -> TokenCounts {
        self.counts
    }

    /// Tokens saved, as the document says.
    #[must_use]
    pub fn token_savings(&self) -> i64 {
        self.token_savings
    }

    /// Percentage saved, as the document says; some producers write the fraction.
    #[must_use]
    pub fn token_savings_percent(&self) -> f64 {
        double_of(&self.token_savings_percent)
    }

    /// The share of the raw HTML's tokens that is saved, computed from the counts: 0.75 where a quarter is left, 0
    /// where there are none, negative where the document has more.
    #[must_use]
    pub fn savings_ratio(&self) -> f64 {
        self.counts.ratio()
    }

    /// Costs, as the document says.
    #[must_use]
    pub fn estimated_cost_usd(&self) -> &EstimatedCost {
        &self.estimated_cost_usd
    }

    /// The price behind the costs.
    #[must_use]
    pub fn pricing_basis(&self) -> &PricingBasis {
        &self.pricing_basis
    }

    /// Members that 2.0 does not know.
    #[must_use]
    pub fn extra(&self) -> &Extra {
        &self.extra
    }
}

impl TokenCounts {
    /// Raw minus output, where that is within an `i64`.
    pub(crate) fn savings(self) -> Option<i64> {
        i64::try_from(self.raw_html).ok()?.checked_sub(i64::try_from(self.output).ok()?)
    }

    pub(crate) fn ratio(self) -> f64 {
        match self.raw_html {
            0 => 0.0,
            raw => (raw as f64 - self.output as f64) / raw as f64,
        }
    }
}

/// The object `estimated_cost_usd`. Spec: AIWI2-DOC-34.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EstimatedCost {
    pub(crate) our_output: Json,
    pub(crate) raw_html: Json,
    pub(crate) savings: Json,
    pub(crate) extra: Extra,
}

impl EstimatedCost {
    /// Cost of the document's tokens in US dollars.
    #[must_use]
    pub fn our_output(&self) -> f64 {
        double_of(&self.our_output)
    }

    /// Cost of the raw HTML's tokens in US dollars.
    #[must_use]
    pub fn raw_html(&self) -> f64 {
        double_of(&self.raw_html)
    }

    /// What is saved, in US dollars.
    #[must_use]
    pub fn savings(&self) -> f64 {
        double_of(&self.savings)
    }

    /// Members that 2.0 does not know.
    #[must_use]
    pub fn extra(&self) -> &Extra {
        &self.extra
    }
}

/// The object `pricing_basis`. Spec: AIWI2-DOC-35.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PricingBasis {
    pub(crate) input_price_per_1k_usd: Json,
    pub(crate) model_class: String,
    /// Free text about the price.
    pub note: Option<String>,
    pub(crate) extra: Extra,
}

impl PricingBasis {
    /// A price of input tokens in US dollars a thousand, and the class of model that it is for, such as `mid-tier`.
    ///
    /// # Errors
    /// If the price is not finite.
    pub fn new(input_price_per_1k_usd: f64, model_class: impl Into<String>) -> Result<Self, ValueError> {
        Ok(PricingBasis {
            input_price_per_1k_usd: json_of(input_price_per_1k_usd)?,
            model_class: model_class.into(),
            note: None,
            extra: Extra::default(),
        })
    }

    /// Price of a thousand input tokens in US dollars.
    #[must_use]
    pub fn input_price_per_1k_usd(&self) -> f64 {
        double_of(&self.input_price_per_1k_usd)
    }

    /// The class of model, such as `mid-tier`.
    #[must_use]
    pub fn model_class(&self) -> &str {
        &self.model_class
    }

    /// Members that 2.0 does not know.
    #[must_use]
    pub fn extra(&self) -> &Extra {
        &self.extra
    }
}

fn json_of(number: f64) -> Result<Json, ValueError> {
    match number::print(number).filter(|_| number.is_finite()) {
        Some(text) => Ok(Json(text.into())),
        None => Err(ValueError::new("a finite number", number, "AIWI2-DOC-34")),
    }
}

fn double_of(number: &Json) -> f64 {
    number.as_str().parse().unwrap_or_default()
}

impl Object for Economics {
    fn members<O: Out>(&self, out: &mut O) -> Result<(), O::Error> {
        out.member("output_tokens_approx", &self.counts.output)?;
        out.member("raw_html_tokens_approx", &self.counts.raw_html)?;
        out.member("token_savings", &self.token_savings)?;
        out.member("token_savings_percent", &self.token_savings_percent)?;
        out.member("estimated_cost_usd", &self.estimated_cost_usd)?;
        out.member("pricing_basis", &self.pricing_basis)?;
        out.extra(&self.extra)
    }
}

impl Object for EstimatedCost {
    fn members<O: Out>(&self, out: &mut O) -> Result<(), O::Error> {
        out.member("our_output", &self.our_output)?;
        out.member("raw_html", &self.raw_html)?;
        out.member("savings", &self.savings)?;
        out.extra(&self.extra)
    }
}

impl Object for PricingBasis {
    fn members<O: Out>(&self, out: &mut O) -> Result<(), O::Error> {
        out.member("input_price_per_1k_usd", &self.input_price_per_1k_usd)?;
        out.member("model_class", &self.model_class)?;
        out.optional("note", self.note.as_ref())?;
        out.extra(&self.extra)
    }
}

objects!(Economics, EstimatedCost, PricingBasis);
