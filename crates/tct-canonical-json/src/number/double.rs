//! Decimals of up to 19 digits, up to 27 of them after the point: two multiplications give the nearest double and tell
//! whether the decimal is its canonical form.
//!
//! ```text
//! 65.613616999999977    is w / 10^n, with w = 65613616999999977 and n = 15
//! w / 5^n               from w × (2^k / 5^n), of which the table has 128 bits
//! ÷ 2^n                 exact in any double of that size
//! ```
//!
//! **The nearest double**: let `w` be shifted until its highest bit is set, `t` the largest power with `2^t <= 5^n`, and
//! `R = ⌈2^(t+127) / 5^n⌉`. Then `w × R` is `2^127` times `w × 2^t / 5^n`, and too large by less than `2^64`. The fraction
//! of `w × 2^t / 5^n` is zero or at least `1 / 5^n > 2^-63`. So the product's bits from 127 on are the whole part of it, of
//! 63 or 64 bits, and its bits from 64 to 126 are all zero exactly where the fraction is.
//!
//! **Whether the decimal is the canonical form**, without printing one: the product gives the distance of `w` from the
//! double, and `R` the size of one unit of its last digit. Both are compared with the interval of numbers that round to the
//! double.
//!
//! ```text
//!  below                   double                   above     the interval whose numbers read back as the double
//!    ├────────────────────────┼────────────────────────┤
//!  ┊    ·    ·    ·    ·    · w  ·    ·    ·    ·    ┊        w, its neighbours of as many digits, and of one digit fewer ┊
//! ```
//!
//! It is canonical if `w` is the decimal of its length nearest to the double, and both neighbours with one
//! digit fewer are outside of that interval.

use super::Number;
use crate::invariant::part;
use crate::scan::word_at;

/// Most digits that a `u64` always holds.
const MAX_DIGITS: usize = 19;

/// Most places behind the point: `5^27` is the last power below `2^63`.
const MAX_PLACES: usize = 27;

/// For each number of places `n`: `t` and `R`, as above.
const SCALES: [(u32, u128); MAX_PLACES + 1] = scales();

#[expect(clippy::indexing_slicing, reason = "at compile time, where the index is checked")]
const fn scales() -> [(u32, u128); MAX_PLACES + 1] {
    let mut scales = [(0, 0); MAX_PLACES + 1];
    let (mut places, mut power) = (0, 1_u64);
    while places <= MAX_PLACES {
        let t = power.ilog2();
        scales[places] = (t, divided_up(t + 127, power));
        places += 1;
        if places <= MAX_PLACES {
            power *= 5;
        }
    }
    scales
}

/// `⌈2^exponent / divisor⌉` by long division, a bit at a time.
const fn divided_up(exponent: u32, divisor: u64) -> u128 {
    let (mut quotient, mut rest, mut bit) = (0_u128, 1_u128, 0);
    loop {
        if rest >= divisor as u128 {
            rest -= divisor as u128;
            quotient += 1;
        }
        if bit == exponent {
            return if rest > 0 { quotient + 1 } else { quotient };
        }
        quotient <<= 1;
        rest <<= 1;
        bit += 1;
    }
}

/// A decimal: `w / 10^places`, its sign apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decimal {
    w: u64,
    places: usize,
    is_negative: bool,
}

impl Decimal {
    /// The decimal that a number spells; `None` where it has an exponent, or too many digits. `text` begins with the number.
    #[inline]
    pub(super) fn of(number: &Number, text: &[u8]) -> Option<Self> {
        let places = number.fraction_end.saturating_sub(number.int_end + 1);
        let starts_with_zero = text.get(number.int_at) == Some(&b'0');
        let digits = number.int_end - number.int_at + places - usize::from(starts_with_zero);
        if number.fraction_end < number.len || digits > MAX_DIGITS || places > MAX_PLACES {
            return None;
        }
        let whole = append_digits(0, text, number.int_at, number.int_end);
        let w = append_digits(whole, text, number.fraction_end - places, number.fraction_end);
        Some(Decimal { w, places, is_negative: number.int_at > 0 })
    }

    /// The nearest double, ties to even.
    #[inline]
    pub(super) fn nearest(&self) -> Option<f64> {
        if self.w == 0 {
            return Some(if self.is_negative { -0.0 } else { 0.0 });
        }
        let Product { bits, shift, t, .. } = self.product()?;
        let quotient = (bits >> 63) as u64;
        let is_inexact = bits << 65 != 0;
        // Ten bits or more are rounded away: one that says that there is more behind them does not disturb them.
        let rounded = (quotient | u64::from(is_inexact)) as f64;
        let power = t + shift + u32::try_from(self.places).ok()?;
        let magnitude = rounded * f64::from_bits(u64::from(1023 - power) << 52);
        Some(if self.is_negative { -magnitude } else { magnitude })
    }

    /// Whether these digits, of which there are more than 15, are surely those of the nearest double's canonical form, which
    /// then has no exponent. Where two decimals are about as near, the answer is no.
    #[inline]
    pub(super) fn is_surely_canonical(&self) -> bool {
        /// An upper bound of the error from the table's truncated bits: one unit of the product, and one for each unit of
        /// `w`.
        const MARGIN: u128 = 16;
        // From 10^15 / 10^21 on, no exponent is written.
        if self.w < 1_000_000_000_000_000 || self.places > 21 {
            return false;
        }
        let Some(Product { bits, shift, reciprocal, .. }) = self.product() else { return false };
        let step = reciprocal >> (64 - shift);
        let half = 1 << (74 - bits.leading_zeros()); // 53 of the bits are the double's
        let double = (bits + half) & !(2 * half - 1);
        // The interval below a power of two is half as long.
        if double.is_power_of_two() {
            return false;
        }
        let away = bits.abs_diff(double) + MARGIN;
        let last = u128::from(self.w % 10);
        away < half
            && away < step / 2
            && bits + half + MARGIN < double + last * step
            && bits + (10 - last) * step > double + half + MARGIN
    }

    /// `w / 5^places`, as above.
    #[inline(always)]
    fn product(&self) -> Option<Product> {
        let &(t, reciprocal) = SCALES.get(self.places)?;
        let shift = self.w.leading_zeros();
        let shifted = u128::from(self.w.checked_shl(shift)?);
        let (high, low) = (u128::from((reciprocal >> 64) as u64), u128::from(reciprocal as u64));
        Some(Product { bits: shifted * high + ((shifted * low) >> 64), shift, t, reciprocal })
    }
}

/// The result of the two multiplications.
struct Product {
    /// The product's bits from 64 on.
    bits: u128,
    shift: u32,
    t: u32,
    reciprocal: u128,
}

/// `value` with the digits of `text[at..end]` behind it.
#[inline(always)]
fn append_digits(mut value: u64, text: &[u8], mut at: usize, end: usize) -> u64 {
    while end - at >= 8
        && let Some(word) = word_at(text, at)
    {
        value = value.wrapping_mul(100_000_000).wrapping_add(eight_digits(word));
        at += 8;
    }
    for &digit in part(text, at..end) {
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit.wrapping_sub(b'0')));
    }
    value
}

/// The number that eight ASCII digits spell: combines pairs, then fours, then all eight.
#[inline(always)]
fn eight_digits(word: u64) -> u64 {
    let digits = word & 0x0F0F_0F0F_0F0F_0F0F;
    let pairs = (digits.wrapping_mul(2561) >> 8) & 0x00FF_00FF_00FF_00FF; // 10 × 256 + 1
    let fours = (pairs.wrapping_mul(6_553_601) >> 16) & 0x0000_FFFF_0000_FFFF; // 100 × 65536 + 1
    fours.wrapping_mul(42_949_672_960_001) >> 32 // 10000 × 2^32 + 1
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use proptest::prelude::*;

    use super::*;
    use crate::number::{print_double, read_number};

    fn nearest(text: &str) -> Option<f64> {
        decimal(text)?.nearest()
    }

    fn decimal(text: &str) -> Option<Decimal> {
        Decimal::of(&read_number(text.as_bytes()).unwrap(), text.as_bytes())
    }

    fn canonical(double: f64) -> String {
        let mut text = String::new();
        print_double(double, |piece| text.push_str(core::str::from_utf8(piece).unwrap()));
        text
    }

    /// `digits` with a point before the last `places`.
    fn with_point(digits: &str, places: usize) -> String {
        let digits = format!("{digits:0>width$}", width = places + 1);
        let (int, fraction) = digits.split_at(digits.len() - places);
        let int = match int.trim_start_matches('0') {
            "" => "0",
            int => int,
        };
        if fraction.is_empty() { int.into() } else { format!("{int}.{fraction}") }
    }

    #[track_caller]
    fn assert_nearest(text: &str) {
        let Some(decimal) = decimal(text) else { return };
        let double = decimal.nearest().unwrap();
        assert_eq!(double.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
        if decimal.is_surely_canonical() {
            assert_eq!(text, canonical(double));
        }
    }

    /// The fast path is taken exactly within its bounds.
    #[test]
    fn the_bounds_of_the_short_way() {
        for short in [
            "0",
            "-0",
            "9999999999999999999",
            "-9007199254740993",
            "0.1234567890123456789",
            "123456789012345678.9",
            "0.0",
            "1.234567890123456789",
        ] {
            assert_nearest(short);
            assert!(nearest(short).is_some(), "{short}");
        }
        for long in
            ["10000000000000000000", "1.2345678901234567890", "0.12345678901234567890", "1e0", "1.5E-3"]
        {
            assert_eq!(nearest(long), None, "{long}");
        }
    }

    /// Decimals halfway between two doubles, and the nearest decimals on either side.
    #[test]
    fn ties_and_their_neighbours() {
        for shift in 0..11 {
            let odd = ((1_u64 << 53) + 1) << shift;
            for number in [odd - 1, odd, odd + 1, odd + (2 << shift)] {
                for places in 0..=18 {
                    assert_nearest(&with_point(&format!("{number}"), places));
                }
            }
        }
        // The exact decimals of ties below one end in 5 and are short enough where they are negative powers of two times
        // 2^53 + 1 with few places.
        for places in 1..=10_u32 {
            for odd in [(1_u64 << 53) + 1, (1 << 53) + 3, (1 << 54) - 1] {
                let digits = u128::from(odd) * 5_u128.pow(places);
                for digits in [digits - 1, digits, digits + 1] {
                    assert_nearest(&with_point(&format!("{digits}"), places as usize));
                }
            }
        }
    }

    /// The check also recognises canonical forms, except next to powers of two and halfway between decimals.
    #[test]
    fn canonical_forms_are_seen_as_such() {
        let (mut long, mut seen) = (0, 0);
        for step in 1..100_000_u32 {
            let double = f64::from(step).sqrt() * [1e-3, 1.0, 1e4, 1e6][step as usize % 4];
            let text = canonical(double);
            let significant = text.trim_start_matches(['0', '.']);
            let digits = significant.bytes().filter(u8::is_ascii_digit).count();
            long += u32::from(digits > 15);
            seen +=
                u32::from(digits > 15 && decimal(&text).is_some_and(|decimal| decimal.is_surely_canonical()));
        }
        assert!(long > 60_000 && seen >= long - 4, "{seen} of {long}");
    }

    /// Beside a canonical form: with the last digit one more or less, with one digit more, with one fewer.
    #[test]
    fn neighbours_of_canonical_forms_are_not() {
        for double in [
            65.613_616_999_999_98,
            0.1 + 0.2,
            9007199254740993.0,
            1.7976931348623157e18,
            5e-324_f64.sqrt() * 1e160,
        ] {
            let text = canonical(double);
            let (head, last) = text.split_at(text.len() - 1);
            let last: u8 = last.parse().unwrap();
            for near in [
                format!("{head}{}", (last + 1) % 10),
                format!("{head}{}", (last + 9) % 10),
                format!("{text}1"),
                format!("{text}0"),
                String::from(head),
            ] {
                assert_nearest(near.trim_end_matches('.'));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn as_the_standard_library_reads_it(w: u64, drop in 0_u32..64, places in 0_usize..=20) {
            assert_nearest(&with_point(&format!("{}", w >> drop), places));
        }

        /// Printed doubles with further digits appended: decimals near the middle and the bounds of a
        /// double's interval.
        #[test]
        fn near_doubles(double in 1e-9..1e18, digits in 15_usize..=19) {
            let text = format!("{double:.digits$}");
            let text = text.get(..text.len().min(digits + 1)).unwrap_or(&text).trim_end_matches('.');
            assert_nearest(text);
        }

        #[test]
        fn eight(number in 0_u64..100_000_000) {
            let text = format!("{number:08}");
            let word = u64::from_le_bytes(text.as_bytes().try_into().unwrap());
            prop_assert_eq!(eight_digits(word), number);
        }
    }
}
