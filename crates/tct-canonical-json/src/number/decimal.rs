//! Decimals of few digits, converted from text to text without a double in between.

use super::Number;
use crate::invariant::part;

/// A decimal of at most this many digits survives the conversion to a double and back: `⌊(53 − 1) × log10 2⌋`. Between two
/// powers of ten, decimals of 15 digits are farther from each other than doubles are.
pub(super) const EXACT_DIGITS: usize = 15;

/// Doubles of at most this power of ten, and of at least its inverse, have all their digits: they are finite, and none is
/// subnormal (below 2.2e-308), where fewer than 53 bits are left.
const NORMAL: i64 = 290;

/// No `u64` has more digits, and no double needs more than 17.
pub(super) const MOST_DIGITS: usize = 20;

/// A decimal of few significant digits: `0.digits × 10^point`, or zero where it has no digits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Digits {
    negative: bool,
    /// Without zeros at either end; zeros fill the rest.
    digits: [u8; 24],
    len: usize,
    point: i64,
}

impl Digits {
    /// The decimal that a number spells, if that is the shortest form of its double: it has at most [`EXACT_DIGITS`] digits, so
    /// that no other one of so few has the same nearest double, and is neither very large nor very small.
    pub(super) fn of_short(number: &Number, text: &[u8]) -> Option<Self> {
        let is_normal = |decimal: &Self| decimal.len == 0 || (-NORMAL..=NORMAL).contains(&decimal.point);
        Self::of(number, text, EXACT_DIGITS).filter(is_normal)
    }

    /// The decimal that a number spells; `None` where it has more digits.
    pub(super) fn of(number: &Number, text: &[u8], most: usize) -> Option<Self> {
        let exponent = exponent(part(text, number.fraction_end..number.len));
        let int = part(text, number.int_at..number.int_end);
        let fraction = part(text, number.fraction_end.min(number.int_end + 1)..number.fraction_end);
        let (mut digits, mut len, mut zeros) = ([b'0'; 24], 0, 0);
        // How many digits are behind the point that come before the first one.
        let mut point = i64::try_from(int.len()).ok()?.saturating_add(exponent);
        for &digit in int.iter().chain(fraction) {
            if digit == b'0' {
                zeros += 1;
                continue;
            }
            if len == 0 {
                point = point.saturating_sub(i64::try_from(zeros).ok()?);
            } else {
                len += zeros;
            }
            zeros = 0;
            if len >= most {
                return None;
            }
            *digits.get_mut(len)? = digit;
            len += 1;
        }
        Some(Digits { negative: number.int_at > 0, digits, len, point })
    }

    /// Its sign and its magnitude, if it is an integer and not longer than a `u64`.
    pub(super) fn integer(&self) -> Option<(bool, u64)> {
        let places = usize::try_from(self.point).ok().filter(|&places| places >= self.len);
        let places = if self.len == 0 { 0 } else { places.filter(|&places| places <= MOST_DIGITS)? };
        let digits = core::str::from_utf8(part(&self.digits, ..places)).ok()?;
        Some((self.negative, if places == 0 { 0 } else { digits.parse().ok()? }))
    }

    /// Hands out the decimal as ECMAScript writes it, in one piece.
    #[inline]
    pub(super) fn print(&self, piece: impl FnOnce(&[u8])) {
        let mut line = Line { bytes: [b'0'; 48], end: 0 };
        if self.len == 0 {
            line.end = 1;
            return piece(line.text());
        }
        if self.negative {
            line.push(b'-');
        }
        let Self { digits, len, .. } = self;
        match (self.point, usize::try_from(self.point)) {
            (1..=21, Ok(places)) if places >= *len => {
                line.digits(digits, *len);
                line.end += places - len;
            }
            (1..=21, Ok(places)) => {
                line.digits(digits, places);
                line.push(b'.');
                digits.iter().take(*len).skip(places).for_each(|&digit| line.push(digit));
            }
            (-5..=0, _) => {
                line.push(b'0');
                line.push(b'.');
                line.end += self.point.unsigned_abs() as usize;
                line.digits(digits, *len);
            }
            _ => {
                line.digits(digits, 1);
                if *len > 1 {
                    line.push(b'.');
                    digits.iter().take(*len).skip(1).for_each(|&digit| line.push(digit));
                }
                line.push(b'e');
                line.push(if self.point > 0 { b'+' } else { b'-' });
                let power = (self.point - 1).unsigned_abs();
                for place in [100, 10, 1] {
                    if power >= place {
                        line.push(b'0' + (power / place % 10) as u8);
                    }
                }
            }
        }
        piece(line.text());
    }
}

/// What is printed: at most 24 bytes. Zeros are there already.
struct Line {
    bytes: [u8; 48],
    end: usize,
}

impl Line {
    #[inline(always)]
    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.end) {
            *place = byte;
        }
        self.end += 1;
    }

    /// Appends the first `len` digits. Those behind are written as well, and then written over.
    #[inline(always)]
    fn digits(&mut self, digits: &[u8; 24], len: usize) {
        if let Some(place) = self.bytes.get_mut(self.end..self.end + 24) {
            place.copy_from_slice(digits);
        }
        self.end += len;
    }

    #[inline(always)]
    fn text(&self) -> &[u8] {
        part(&self.bytes, ..self.end)
    }
}

/// The exponent with its `e`, or zero for an empty text. One of 20 digits moves the point beyond every digit of a text.
#[inline]
fn exponent(text: &[u8]) -> i64 {
    let digits = core::str::from_utf8(text.get(1..).unwrap_or(b"0")).unwrap_or_default();
    let beyond = if digits.starts_with('-') { i64::MIN } else { i64::MAX };
    digits.parse().unwrap_or(beyond)
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;
    use crate::number::{print_double, read_number};

    fn of(text: &str) -> Option<Digits> {
        Digits::of_short(&read_number(text.as_bytes()).unwrap(), text.as_bytes())
    }

    fn text(print: impl FnOnce(&mut String)) -> String {
        let mut text = String::new();
        print(&mut text);
        text
    }

    /// The fast path is taken exactly within its bounds, and gives the same result as the general one.
    #[test]
    fn the_bounds_of_the_short_way() {
        for short in [
            "1e20",
            "-1E+20",
            "1e21",
            "0.000001",
            "0.0000001",
            "-0.00001234",
            "12.50",
            "123456789012345e3",
            "100000000000001e-3",
            "0.00100000000000001",
            "1000000000000000000000e1",
            "1e289",
            "123e287",
            "1e-291",
            "0.01e-289",
            "0e5",
            "-0.0e-5",
            "1e0012",
            "1e0000000012",
        ] {
            let decimal = of(short).unwrap_or_else(|| panic!("{short} goes the long way"));
            let ours = text(|out| decimal.print(|piece| out.push_str(core::str::from_utf8(piece).unwrap())));
            let theirs = text(|out| {
                print_double(short.parse().unwrap(), |piece| {
                    out.push_str(core::str::from_utf8(piece).unwrap())
                });
            });
            assert_eq!(ours, theirs, "{short}");
        }
        for long in [
            "1234567890123456e3",
            "1000000000000001e-3",
            "0.001000000000000001",
            "1e290",
            "123e288",
            "1e-292",
            "0.01e-290",
            "1e999999999999",
        ] {
            assert_eq!(of(long), None, "{long}");
        }
    }
}
