//! Prices: decimal text, kept exactly.

use alloc::boxed::Box;
use core::cmp::Ordering;
use core::fmt;

/// A JSON number as its text, `0.10` and `1e2` too.
///
/// Money is decimal and a binary64 is not: 0.1 has no exact binary form. The text is that of the source;
/// [`Decimal::to_f64`] gives an approximation for computing.
///
/// ```
/// use llmindex_types::Decimal;
/// let price = Decimal::parse("0.10").unwrap();
/// assert_eq!((price.as_str(), price.to_f64()), ("0.10", 0.1));
/// assert!(price.compare(&Decimal::parse("1e-1").unwrap()).is_eq());
/// ```
///
/// Spec: llmindex 0.1, "products.jsonl feed format"; LLMI-FEED-6, LLMI-AMB-14.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Decimal(Box<str>);

impl Decimal {
    /// Reads a JSON number that a binary64 can approximate: finite.
    ///
    /// # Errors
    /// [`DecimalError`] if the text is not a JSON number, or is beyond a binary64.
    pub fn parse(text: &str) -> Result<Self, DecimalError> {
        if is_json_number(text) && is_finite(text) { Ok(Decimal(text.into())) } else { Err(DecimalError) }
    }

    pub(crate) fn from_checked(text: &str) -> Self {
        Decimal(text.into())
    }

    /// The text as the source had it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The nearest binary64; always finite.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.0.parse().unwrap_or_default()
    }

    /// Whether the number is below zero; `-0.0` is not.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        is_negative(&self.0)
    }

    /// The order of the two numbers, exact whatever their spelling.
    #[must_use]
    pub fn compare(&self, other: &Decimal) -> Ordering {
        compare(&self.0, &other.0)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text that is not a finite JSON number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecimalError;

impl fmt::Display for DecimalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a finite JSON number")
    }
}

impl core::error::Error for DecimalError {}

fn is_json_number(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = split_exponent(text);
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole.len() == 1 || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|e| digits(e.strip_prefix(['+', '-']).unwrap_or(e)))
}

fn split_exponent(number: &str) -> (&str, Option<&str>) {
    match number.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (number, None),
    }
}

/// Whether the number, checked JSON, fits a binary64.
pub(crate) fn is_finite(number: &str) -> bool {
    // Up to 300 digits without an exponent are far below the largest binary64.
    let short = number.len() <= 300 && !number.bytes().any(|byte| matches!(byte, b'e' | b'E'));
    short || number.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Whether the number, checked JSON, is below zero.
pub(crate) fn is_negative(number: &str) -> bool {
    let below = number.strip_prefix('-');
    below.is_some_and(|rest| split_exponent(rest).0.bytes().any(|byte| (b'1'..=b'9').contains(&byte)))
}

/// The order of two checked JSON numbers. Exponents beyond 64 bits count as the largest of those.
pub(crate) fn compare(a: &str, b: &str) -> Ordering {
    match (is_negative(a), is_negative(b)) {
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => compare_magnitudes(a, b),
        (true, true) => compare_magnitudes(b, a),
    }
}

fn compare_magnitudes(a: &str, b: &str) -> Ordering {
    let ((a_scale, a_digits), (b_scale, b_digits)) = (scaled(a), scaled(b));
    let (mut a_digits, mut b_digits) = (a_digits.peekable(), b_digits.peekable());
    match (a_digits.peek(), b_digits.peek()) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
        (Some(_), Some(_)) => a_scale.cmp(&b_scale).then_with(|| {
            // Zeros at the end do not make a number larger.
            loop {
                match (a_digits.next(), b_digits.next()) {
                    (None, None) => return Ordering::Equal,
                    (a, b) => {
                        let order = a.unwrap_or(b'0').cmp(&b.unwrap_or(b'0'));
                        if order.is_ne() {
                            return order;
                        }
                    }
                }
            }
        }),
    }
}

/// The digits from the first that is not 0, and the power of ten of that digit.
fn scaled(number: &str) -> (i64, impl Iterator<Item = u8> + '_) {
    let (mantissa, exponent) = split_exponent(number.strip_prefix('-').unwrap_or(number));
    let exponent = exponent.map_or(0, |text| {
        let huge = if text.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 };
        text.parse::<i64>().unwrap_or(huge).clamp(i64::MIN / 2, i64::MAX / 2)
    });
    let whole = mantissa.split('.').next().unwrap_or_default().len() as i64;
    let digits = || mantissa.bytes().filter(u8::is_ascii_digit);
    let zeros = digits().take_while(|&digit| digit == b'0').count();
    (exponent + whole - zeros as i64, digits().skip(zeros))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for good in ["0", "-0", "0.1", "10", "1e5", "1E+5", "1.50e-3", "-12.0"] {
            assert!(Decimal::parse(good).is_ok(), "{good}");
        }
        for bad in
            ["", "-", "01", "1.", ".5", "+1", "1e", "1e+", "NaN", "inf", "1e400", "-1e400", " 1", "1 ", "0x1"]
        {
            assert_eq!(Decimal::parse(bad), Err(DecimalError), "{bad}");
        }
    }

    #[test]
    fn order_is_exact() {
        for (a, b, order) in [
            ("0.1", "0.10", Ordering::Equal),
            ("1e2", "100", Ordering::Equal),
            ("0.1e1", "1", Ordering::Equal),
            ("0", "0e99", Ordering::Equal),
            ("-0", "0.0", Ordering::Equal),
            ("9", "10", Ordering::Less),
            ("0.30000000000000001", "0.3", Ordering::Greater),
            ("-1", "-2", Ordering::Greater),
            ("-1", "0", Ordering::Less),
            ("0", "1e-400", Ordering::Less),
            ("1e-99999999999999999999", "1", Ordering::Less),
            ("0.001", "0.0009999", Ordering::Greater),
            ("1e99999999999999999999", "1e999999", Ordering::Greater),
            ("1e99999999999999999999", "-1e999999999999999999999", Ordering::Greater),
            ("1e-99999999999999999999", "1e-999999", Ordering::Less),
            ("-1e-99999999999999999999", "-1e-999999", Ordering::Greater),
            ("0e99999999999999999999", "-0e-9", Ordering::Equal),
        ] {
            assert_eq!(compare(a, b), order, "{a} {b}");
            assert_eq!(compare(b, a), order.reverse(), "{b} {a}");
        }
    }

    /// Compares every spelling of small numbers with every other, against their values in
    /// millionths.
    #[test]
    fn order_is_that_of_whole_numbers() {
        let mut numbers = alloc::vec::Vec::new();
        for whole in ["0", "1", "2", "10", "99"] {
            for fraction in ["", ".0", ".5", ".05", ".50", ".099"] {
                for (exponent, shift) in [("", 0), ("e0", 0), ("e1", 1), ("E+2", 2), ("e-1", -1), ("E-3", -3)]
                {
                    for sign in ["", "-"] {
                        let digits = alloc::format!("{whole}{}", fraction.trim_start_matches('.'));
                        let scale = 6 + shift - fraction.len().saturating_sub(1) as i32;
                        let value = digits.parse::<i128>().unwrap() * 10_i128.pow(scale as u32);
                        let value = if sign.is_empty() { value } else { -value };
                        numbers.push((alloc::format!("{sign}{whole}{fraction}{exponent}"), value));
                    }
                }
            }
        }
        for (a, x) in &numbers {
            assert_eq!(is_negative(a), *x < 0, "{a}");
            for (b, y) in &numbers {
                assert_eq!(compare(a, b), x.cmp(y), "{a} {b}");
            }
        }
    }

    #[test]
    fn negative_zero_is_not_negative() {
        assert!(
            !is_negative("-0.0") && !is_negative("-0e5") && is_negative("-0.01") && is_negative("-1e-400")
        );
    }
}
