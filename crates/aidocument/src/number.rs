//! Numbers as JSON text: their values, and their normal form.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// The nearest double, unless it is beyond the largest.
fn as_f64(number: &str) -> Option<f64> {
    number.parse().ok().filter(|value: &f64| value.is_finite())
}

fn is_integer_text(number: &str) -> bool {
    !number.contains(['.', 'e', 'E'])
}

/// The normal form of a number: the shortest text of the double if that has exactly the same value, otherwise the
/// number's own digits. So 1e2 and 100.0 have one form, and 12345678901234567890123 loses no digit.
pub(crate) fn normal(number: &str) -> Cow<'_, str> {
    if is_integer_text(number) && number != "-0" && (number.len() < 19 || is_word(number)) {
        return Cow::Borrowed(number);
    }
    let Some(shortest) = as_f64(number).and_then(print) else { return Cow::Borrowed(number) };
    match shortest == number || decimal(&shortest) != decimal(number) {
        true => Cow::Borrowed(number),
        false => Cow::Owned(shortest),
    }
}

fn is_word(number: &str) -> bool {
    number.parse::<u64>().is_ok() || number.parse::<i64>().is_ok()
}

/// A double as serde_json writes it.
pub(crate) fn print(value: f64) -> Option<String> {
    serde_json::to_string(&value).ok()
}

/// Sign, significant digits and the power of ten that they are multiplied with.
fn decimal(number: &str) -> Option<(bool, Vec<u8>, i64)> {
    let (is_negative, text) = number.strip_prefix('-').map_or((false, number), |rest| (true, rest));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits: Vec<u8> =
        whole.bytes().chain(fraction.bytes()).skip_while(|digit| *digit == b'0').collect();
    let zeros = digits.iter().rev().take_while(|digit| **digit == b'0').count();
    digits.truncate(digits.len() - zeros);
    if digits.is_empty() {
        return Some((is_negative, digits, 0));
    }
    let exponent: i64 = exponent.parse().ok()?;
    let shift = i64::try_from(zeros).ok()? - i64::try_from(fraction.len()).ok()?;
    Some((is_negative, digits, exponent.checked_add(shift)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_text_stands_for_a_value_that_a_double_holds() {
        for (number, normal_text) in [
            ("1", "1"),
            ("-7", "-7"),
            ("18446744073709551615", "18446744073709551615"),
            ("1.0", "1.0"),
            ("1e2", "100.0"),
            ("0.10", "0.1"),
            ("100.00", "100.0"),
            ("-0", "-0.0"),
            ("0e7", "0.0"),
            ("10000000000000000000", "10000000000000000000"),
            ("100000000000000000000", "1e+20"),
            // Worth more than a double can hold.
            ("12345678912345678912345", "12345678912345678912345"),
            ("12345678901234567890123", "12345678901234567890123"),
            ("0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"),
        ] {
            assert_eq!(normal(number), normal_text, "{number}");
            assert_eq!(normal(normal_text), normal_text, "{number}");
        }
    }
}
