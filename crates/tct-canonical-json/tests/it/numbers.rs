//! Numbers beside `ryu-js`, which prints doubles as ECMAScript does.
//!
//! Each round takes one random bit pattern and two random decimal texts. 60,000 rounds run by default; the number
//! that the documentation names takes a minute:
//!
//! ```text
//! NUMBER_ROUNDS=10000000 cargo test --release -p tct-canonical-json --test it numbers
//! ```
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way, and takes its length from the environment"
)]

use tct_canonical_json::{JsonErrorKind, Profile, check_canonical, to_canonical, write_canonical};

#[test]
fn numbers_print_as_in_ecmascript() {
    let rounds = std::env::var("NUMBER_ROUNDS").map_or(60_000, |rounds| rounds.parse::<u64>().unwrap());
    let (mut random, mut text, mut out) = (Random(0x2545_F491_4F6C_DD1D), String::new(), Vec::new());
    let mut printer = ryu_js::Buffer::new();
    for _ in 0..rounds {
        let double = f64::from_bits(random.next());
        if double.is_finite() {
            let expected = printer.format_finite(double);
            // Read from what Rust prints: other digits and another layout than ours.
            text.clear();
            std::fmt::write(&mut text, format_args!("{double:e}")).unwrap();
            compare(&text, expected, &mut out);
            compare(expected, expected, &mut out);
        }
        for most_digits in [16, 40] {
            random.decimal(most_digits, &mut text);
            let double: f64 = text.parse().unwrap();
            if double.is_finite() {
                compare(&text, printer.format_finite(double), &mut out);
            } else {
                let error = to_canonical(text.as_bytes(), Profile::Tct).unwrap_err();
                assert_eq!(error.kind(), JsonErrorKind::NumberOverflow, "{text}");
            }
        }
    }
}

/// Decimals that lie just between two doubles, where the even one is the nearest, and those next to them.
#[test]
fn halves_read_as_in_ecmascript() {
    let (mut random, mut out) = (Random(0x9E37_79B9_7F4A_7C15), Vec::new());
    let mut printer = ryu_js::Buffer::new();
    for round in 0..20_000_u32 {
        // 54 bits, the last of them set, and further to the left.
        let half = u128::from(random.next() >> 10 | 1 << 53 | 1) << (round % 70);
        for text in [
            half.to_string(),
            (half - 1).to_string(),
            (half + 1).to_string(),
            format!("{half}.{}1", "0".repeat(random.next() as usize % 800)),
            format!("{half}e-{}", random.next() % 360),
            format!("{}.{}e-3", half / 1000, format_args!("{:03}", half % 1000)),
        ] {
            compare(&text, printer.format_finite(text.parse::<f64>().unwrap()), &mut out);
        }
    }
}

/// Powers of two and of ten with their neighbours, where shortest digits are hard and the layout changes.
#[test]
fn boundaries_print_as_in_ecmascript() {
    let mut out = Vec::new();
    let mut printer = ryu_js::Buffer::new();
    let twos = (0..2046).map(|exponent: u64| exponent << 52);
    let tens = (-323..=308).map(|exponent| format!("1e{exponent}").parse::<f64>().unwrap().to_bits());
    for bits in twos.chain(tens) {
        for near in bits.saturating_sub(3)..=bits + 3 {
            let double = f64::from_bits(near);
            for double in [double, -double].into_iter().filter(|double| double.is_finite()) {
                compare(&format!("{double}"), printer.format_finite(double), &mut out);
            }
        }
    }
    for integer in (0..64).map(|shift| 1u64 << shift).flat_map(|n| n.saturating_sub(2)..=n + 2) {
        compare(&integer.to_string(), printer.format_finite(integer as f64), &mut out);
    }
}

fn compare(text: &str, expected: &str, out: &mut Vec<u8>) {
    out.clear();
    write_canonical(text.as_bytes(), Profile::Tct, out).unwrap();
    assert_eq!(std::str::from_utf8(out), Ok(expected), "{text}");
    assert_eq!(check_canonical(text.as_bytes(), Profile::Tct).is_none(), text == expected, "{text}");
}

/// A small generator of pseudo-random numbers (xorshift*), the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A JSON number with up to so many digits on either side of the point, now and then with an exponent.
    fn decimal(&mut self, most_digits: u64, text: &mut String) {
        text.clear();
        let shape = self.next();
        if shape & 1 == 0 {
            text.push('-');
        }
        match shape & 6 {
            0 => text.push('0'),
            _ => self.digits(1 + (shape >> 8) % most_digits, true, text),
        }
        if shape & 24 != 0 {
            text.push('.');
            let zeros = if shape & 96 == 0 { (shape >> 48) % 10 } else { 0 };
            text.extend((0..zeros).map(|_| '0'));
            self.digits(1 + (shape >> 16) % most_digits, false, text);
        }
        if shape & 128 == 0 {
            text.push_str(["e", "E+", "e-", "E"][(shape >> 24) as usize % 4]);
            text.push_str(&((shape >> 32) % 330).to_string());
        }
    }

    fn digits(&mut self, count: u64, no_leading_zero: bool, text: &mut String) {
        for i in 0..count {
            let digit = (self.next() >> 33) % 10;
            let digit = if i == 0 && no_leading_zero { digit.max(1) } else { digit };
            text.push(char::from(b'0' + digit as u8));
        }
    }
}
