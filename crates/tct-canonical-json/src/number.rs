//! Numbers: the JSON grammar, and the form that ECMAScript prints.
//!
//! A number is a double. Its canonical form has the fewest digits that read back as that double, without exponent
//! from 1e-6 up to, but not including, 1e21, and with one (`1e-7`, `1.5e+300`) outside. Zero has no sign.
//!
//! Most numbers in documents are short decimals and need no arithmetic: a decimal of at most 15 significant digits
//! survives the conversion to a double and back, so no shorter one has the same nearest double. It becomes canonical by
//! cutting zeros at the end of its fraction or by another layout (`decimal.rs`). All other numbers are converted to the
//! double (`double.rs`).

mod decimal;
mod double;

use decimal::{Digits, EXACT_DIGITS, MOST_DIGITS};
use double::Decimal;

use crate::invariant::{broken, part};
use crate::scan::word_at;

/// A number of the grammar, by indices from its first byte on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Number {
    /// Its length.
    pub(crate) len: usize,
    /// First digit, behind the sign.
    int_at: usize,
    /// End of the digits before the point.
    int_end: usize,
    /// End of the digits behind the point; `int_end` where there is none.
    fraction_end: usize,
}

impl Number {
    /// Returns true if its double may be infinite: only such numbers need the exact check.
    #[inline]
    pub(crate) fn may_overflow(&self) -> bool {
        // The largest double has 309 digits before the point, so that fewer of them, without an exponent, are always finite.
        self.fraction_end < self.len || self.int_end - self.int_at >= 309
    }

    /// Whether its nearest double is infinite. `text` begins with the number.
    pub(crate) fn overflows(&self, text: &[u8]) -> bool {
        self.may_overflow() && self.double(text).is_none()
    }

    /// Its nearest double, unless that is infinite. `text` begins with the number.
    #[inline]
    pub(crate) fn double(&self, text: &[u8]) -> Option<f64> {
        self.double_of(Decimal::of(self, text), text)
    }

    /// The same, for a number whose decimal is known.
    #[inline(always)]
    fn double_of(&self, decimal: Option<Decimal>, text: &[u8]) -> Option<f64> {
        if let Some(double) = decimal.and_then(|decimal| decimal.nearest()) {
            return Some(double);
        }
        // The grammar let nothing but ASCII through, and Rust's grammar of floats holds that of JSON.
        let double = core::str::from_utf8(part(text, ..self.len)).ok()?.parse::<f64>().ok()?;
        double.is_finite().then_some(double)
    }

    /// Compares the canonical form with the number at the start of `text` and hands out the difference: the pieces of the
    /// canonical form from the first one that is not in the text, each with the index in the text at which it was expected.
    ///
    /// Returns that index; where there is no such piece, how many bytes of the text are the canonical form; `None` where the
    /// nearest double is infinite.
    #[inline]
    pub(crate) fn compare_with_canonical(
        &self,
        text: &[u8],
        other: impl FnMut(usize, &[u8]),
    ) -> Option<usize> {
        let mut decimal = None;
        if self.fraction_end == self.len {
            let mut kept = self.int_end; // without zeros at the end of the fraction, and without a point before nothing
            if self.fraction_end > self.int_end {
                let digits = part(text, self.int_end + 1..self.fraction_end);
                if let Some(last) = digits.iter().rposition(|&b| b != b'0') {
                    kept = self.int_end + 1 + last + 1;
                }
            }
            if is_short_decimal(text, self.int_at, self.int_end, kept) {
                return Some(kept);
            }
            decimal = Decimal::of(self, text);
            if kept == self.len && decimal.is_some_and(|decimal| decimal.is_surely_canonical()) {
                return Some(kept);
            }
        }
        self.compare_with_printed(decimal, part(text, ..self.len), other)
    }

    /// As above, for a number in another layout or with many digits. `text` is all of it.
    #[inline(never)]
    fn compare_with_printed(
        &self,
        decimal: Option<Decimal>,
        text: &[u8],
        mut other: impl FnMut(usize, &[u8]),
    ) -> Option<usize> {
        let (mut same, mut rest) = (0, Some(text));
        let compare = |piece: &[u8]| {
            rest = rest.and_then(|rest| rest.strip_prefix(piece));
            match rest {
                Some(_) => same += piece.len(),
                None => other(same, piece),
            }
        };
        // Without an exponent and with digits before the point, it has too many digits for anything shorter.
        let may_be_short = self.fraction_end < self.len || text.get(self.int_at) == Some(&b'0');
        match may_be_short.then(|| Digits::of_short(self, text)).flatten() {
            Some(decimal) => decimal.print(compare),
            None => print_double(self.double_of(decimal, text)?, compare),
        }
        Some(same)
    }
}

/// The number at the head of `text`, which begins with a digit or `-`; or the index at which it stops being valid, and what was
/// expected there.
#[inline(always)]
pub(crate) fn read_number(text: &[u8]) -> Result<Number, (usize, &'static str)> {
    let int_at = usize::from(text.first() == Some(&b'-'));
    let int_end = skip_digits(text, int_at);
    if int_end == int_at {
        return Err((int_at, "a digit"));
    }
    if text.get(int_at) == Some(&b'0') && int_end > int_at + 1 {
        return Err((int_at + 1, "no digit after a leading zero"));
    }
    let mut fraction_end = int_end;
    if text.get(int_end) == Some(&b'.') {
        fraction_end = skip_digits(text, int_end + 1);
        if fraction_end == int_end + 1 {
            return Err((fraction_end, "a digit"));
        }
    }
    let mut len = fraction_end;
    if let Some(b'e' | b'E') = text.get(len) {
        let sign = usize::from(matches!(text.get(len + 1), Some(b'+' | b'-')));
        let exponent_at = len + 1 + sign;
        len = skip_digits(text, exponent_at);
        if len == exponent_at {
            return Err((len, "a digit"));
        }
    }
    Ok(Number { len, int_at, int_end, fraction_end })
}

/// Whether a decimal without exponent has so few digits that they are their own shortest form, in the layout that they have.
///
/// Sound because no two decimals of at most 15 digits share a nearest double ([`EXACT_DIGITS`]): a shorter form could only be
/// this one without zeros at its end, and the caller has cut those after the point. Leading zeros are not significant digits.
/// `-0` is `0`, and below 1e-6 there is an exponent.
fn is_short_decimal(text: &[u8], int_at: usize, int_end: usize, fraction_end: usize) -> bool {
    let zero_int = text.get(int_at) == Some(&b'0');
    if fraction_end == int_end {
        let minus_zero = zero_int && int_at > 0;
        return !minus_zero && (int_end - int_at <= EXACT_DIGITS || is_round_integer(text, int_at, int_end));
    }
    let mut digits = fraction_end - int_at - 1;
    if zero_int {
        let fraction = part(text, int_end + 1..fraction_end);
        let zeros = fraction.iter().take_while(|&&b| b == b'0').count();
        if zeros > 5 {
            return false; // below 1e-6
        }
        digits = fraction.len() - zeros;
    }
    digits <= EXACT_DIGITS
}

/// Whether the digits of an integer are its shortest form because all behind the first few are zeros: then they are a decimal of
/// at most 15 significant digits, which ECMAScript writes out up to 21 places.
#[cold]
fn is_round_integer(text: &[u8], start: usize, end: usize) -> bool {
    // From 10^21 on it has an exponent.
    end - start <= 21 && part(text, start + EXACT_DIGITS..end).iter().all(|&digit| digit == b'0')
}

/// Index of the first byte from `at` on that is not a digit. Eight bytes a step.
///
/// A digit is `0x30` to `0x39`, so it is 0 to 9 once `0x30` is taken out by exclusive or, and no other byte is. Adding `0x76`
/// carries into the high bit from 10 on; a byte that had the high bit before is caught by the "or".
#[inline(always)]
fn skip_digits(text: &[u8], mut at: usize) -> usize {
    while let Some(word) = word_at(text, at) {
        let digits = word ^ 0x3030_3030_3030_3030; // digits are 0 to 9 now
        let others = (digits.wrapping_add(0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080;
        if others != 0 {
            // A carry may mark bytes above the first other one, never below it: the lowest mark is exact.
            return at + (others.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(b'0'..=b'9') = text.get(at) {
        at += 1;
    }
    at
}

/// Hands out the canonical form of a finite double, in pieces.
///
/// Spec: RFC 8785, section 3.2.2.3; TCT-JSON-7, TCT-AMB-7.
#[inline]
pub(crate) fn print_double(double: f64, mut piece: impl FnMut(&[u8])) {
    if double == 0.0 {
        return piece(b"0");
    }
    let mut buffer = zmij::Buffer::new();
    let printed = buffer.format_finite(double);
    // The printer leaves exponents out in this range, where ECMAScript does too (from 1e-6 up to 1e21, `Number::toString`,
    // steps 6 to 8). Outside of it only the digits are the printer's: the shortest are the same for both.
    if (1e-5..1e16).contains(&double.abs()) {
        return piece(printed.strip_suffix(".0").unwrap_or(printed).as_bytes());
    }
    let decimal = read_number(printed.as_bytes()).ok();
    match decimal.and_then(|number| Digits::of(&number, printed.as_bytes(), MOST_DIGITS)) {
        Some(decimal) => decimal.print(piece),
        None => broken(),
    }
}

/// The integer that a number of the grammar is exactly: its sign and its magnitude. `None` where it is not an integer
/// or longer than a `u64`. Linear in the text, whatever the exponent.
pub(crate) fn exact_integer(text: &str) -> Option<(bool, u64)> {
    let number = read_number(text.as_bytes()).ok()?;
    Digits::of(&number, text.as_bytes(), MOST_DIGITS)?.integer()
}
