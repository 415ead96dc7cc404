//! The parts of a CSS value: words, numbers, lengths, colours, with variables put in and sums worked out.

use cssparser::{BasicParseError, ParseError, Parser, Token};

use super::sheet::Customs;

/// A length: pixels, times the font's size, and a share of what it is relative to.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Length {
    pub(super) px: f32,
    pub(super) em: f32,
    pub(super) share: f32,
}

impl Length {
    pub(super) const fn px(px: f32) -> Self {
        Length { px, em: 0.0, share: 0.0 }
    }

    /// In pixels, with a font of this size, relative to this many pixels.
    pub(super) fn pixels(self, font: f32, whole: f32) -> f32 {
        self.px + self.em * font + self.share * whole
    }

    pub(super) fn plus(self, other: Length, sign: f32) -> Length {
        Length {
            px: self.px + sign * other.px,
            em: self.em + sign * other.em,
            share: self.share + sign * other.share,
        }
    }

    pub(super) fn times(self, factor: f32) -> Length {
        Length { px: self.px * factor, em: self.em * factor, share: self.share * factor }
    }
}

/// A part of a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    Word(String),
    Number(f32),
    Length(Length),
    Color([u8; 4]),
    Function(String, Vec<Part>),
    Sign(char),
    Other,
}

pub(super) type Parsed<T> = Result<T, ParseError<()>>;

/// Parts of a value that are read; what has more is not understood.
const MAX_PARTS: usize = 64;

/// Reads the parts of a value. `cssparser` bounds how deeply functions nest.
pub(super) fn parts(
    parser: &mut Parser<'_>,
    customs: &Customs<'_>,
    depth: u8,
    out: &mut Vec<Part>,
) -> Parsed<()> {
    loop {
        let token = match parser.next() {
            Ok(token) => token.clone(),
            Err(_) => return Ok(()),
        };
        if token.is_parse_error() {
            return Err(BasicParseError::unexpected_token().into());
        }
        let part = match token {
            Token::Ident(word) => {
                let word = word.to_ascii_lowercase();
                match cssparser::color::parse_named_color(&word) {
                    Ok((red, green, blue)) => Part::Color([red, green, blue, 255]),
                    Err(()) if word == "transparent" => Part::Color([0; 4]),
                    Err(()) => Part::Word(word),
                }
            }
            Token::Number { value, .. } => Part::Number(value),
            Token::Percentage { unit_value, .. } => {
                Part::Length(Length { share: unit_value, ..Length::default() })
            }
            Token::Dimension { value, unit, .. } => length(value, &unit).map_or(Part::Other, Part::Length),
            Token::Hash(digits) | Token::IDHash(digits) => {
                match cssparser::color::parse_hash_color(digits.as_bytes()) {
                    Ok((red, green, blue, alpha)) => Part::Color([red, green, blue, byte_of(alpha * 255.0)]),
                    Err(()) => Part::Other,
                }
            }
            Token::Delim(sign) => Part::Sign(sign),
            Token::Comma => Part::Sign(','),
            Token::Function(name) if name.eq_ignore_ascii_case("var") => {
                let before = out.len();
                parser.parse_nested_block(|nested| variable(nested, customs, depth, out))?;
                if out.len() == before {
                    out.push(Part::Function("var".to_owned(), Vec::new()));
                }
                continue;
            }
            Token::Function(name) => {
                let name = name.to_ascii_lowercase();
                let mut inner = Vec::new();
                parser.parse_nested_block(|nested| parts(nested, customs, depth, &mut inner))?;
                function(name, inner)
            }
            Token::ParenthesisBlock => {
                let mut inner = Vec::new();
                parser.parse_nested_block(|nested| parts(nested, customs, depth, &mut inner))?;
                Part::Function(String::new(), inner)
            }
            Token::SquareBracketBlock | Token::CurlyBracketBlock => {
                return Err(BasicParseError::unexpected_token().into());
            }
            _ => Part::Other,
        };
        if out.len() < MAX_PARTS {
            out.push(part);
        }
    }
}

/// Replaces a custom property by its value, if the page gives it exactly one, or by its fallback; fails if neither is known.
fn variable(parser: &mut Parser<'_>, customs: &Customs<'_>, depth: u8, out: &mut Vec<Part>) -> Parsed<()> {
    let name = parser.expect_ident()?.clone();
    match customs.get(&*name) {
        // Short values alone, or a few that stand for each other would come to very many.
        Some(Some(value)) if depth < MAX_VARIABLES && value.len() <= MAX_VARIABLE => {
            let mut inner = Parser::new(value);
            let mut found = Vec::new();
            if parts(&mut inner, customs, depth + 1, &mut found).is_ok() {
                out.extend(found);
            }
        }
        None if parser.next().is_ok_and(|token| *token == Token::Comma) => {
            return parts(parser, customs, depth, out);
        }
        _ => {}
    }
    while parser.next().is_ok() {}
    Ok(())
}

/// Custom properties that stand for others, one inside the other.
const MAX_VARIABLES: u8 = 3;

/// Bytes of a custom property's value that is put in.
const MAX_VARIABLE: usize = 64;

fn length(value: f32, unit: &str) -> Option<Length> {
    let em = |em: f32| Length { em, ..Length::default() };
    let unit = unit.to_ascii_lowercase();
    Some(match unit.as_str() {
        "px" => Length::px(value),
        "em" => em(value),
        "ex" | "ch" => em(value / 2.0),
        "lh" => em(value * 1.2),
        "rem" => Length::px(16.0 * value),
        "rlh" => Length::px(19.0 * value),
        "pt" => Length::px(value * 4.0 / 3.0),
        "pc" => Length::px(value * 16.0),
        "in" => Length::px(value * 96.0),
        "cm" => Length::px(value * 96.0 / 2.54),
        "mm" => Length::px(value * 9.6 / 2.54),
        "q" => Length::px(value * 2.4 / 2.54),
        // The window that the verdict is for: see the module's front page.
        "vw" | "dvw" | "svw" | "lvw" | "vi" | "vmax" | "cqw" | "cqi" => {
            Length::px(value * super::WINDOW.0 / 100.0)
        }
        "vh" | "dvh" | "svh" | "lvh" | "vb" | "vmin" | "cqh" | "cqb" => {
            Length::px(value * super::WINDOW.1 / 100.0)
        }
        "deg" => Length::px(value),
        "rad" => Length::px(value.to_degrees()),
        "turn" => Length::px(value * 360.0),
        "grad" => Length::px(value * 0.9),
        _ => return None,
    })
}

fn byte_of(value: f32) -> u8 {
    value.clamp(0.0, 255.0).round() as u8
}

/// What a function comes to.
fn function(name: String, inner: Vec<Part>) -> Part {
    match name.as_str() {
        "calc" | "-webkit-calc" => sum(&inner).map_or(Part::Other, |(length, is_number)| {
            if is_number { Part::Number(length.px) } else { Part::Length(length) }
        }),
        "min" | "max" | "clamp" => bound(&name, &inner).unwrap_or(Part::Other),
        "rgb" | "rgba" => rgb(&inner).map_or(Part::Other, Part::Color),
        // Of these colours it is only read how dense they are.
        "hsl" | "hsla" | "hwb" | "lab" | "lch" | "oklab" | "oklch" | "color" => match numbers(&inner) {
            Some((_, alpha)) if alpha <= 0.0 => Part::Color([0; 4]),
            _ => Part::Other,
        },
        _ => Part::Function(name, inner),
    }
}

/// The least or the largest of several lengths.
fn bound(name: &str, inner: &[Part]) -> Option<Part> {
    let all: Vec<(Length, bool)> =
        inner.split(|part| *part == Part::Sign(',')).map(sum).collect::<Option<_>>()?;
    let pixels = |&(length, _): &(Length, bool)| length.pixels(16.0, super::WINDOW.0);
    let by_pixels = |a: &(Length, bool), b: &(Length, bool)| pixels(a).total_cmp(&pixels(b));
    let (length, is_number) = match (name, all.as_slice()) {
        ("min", _) => all.into_iter().min_by(by_pixels)?,
        ("max", _) => all.into_iter().max_by(by_pixels)?,
        (_, [low, value, high]) => {
            let value = if pixels(value) > pixels(high) { high } else { value };
            *if pixels(value) < pixels(low) { low } else { value }
        }
        _ => return None,
    };
    Some(if is_number { Part::Number(length.px) } else { Part::Length(length) })
}

/// A sum of products of lengths and numbers; whether it is a number.
fn sum(parts: &[Part]) -> Option<(Length, bool)> {
    let ((mut total, is_number), mut rest) = product(parts)?;
    while let [Part::Sign(sign @ ('+' | '-')), after @ ..] = rest {
        let ((next, is_next_number), behind) = product(after)?;
        if is_number != is_next_number {
            return None;
        }
        total = total.plus(next, if *sign == '+' { 1.0 } else { -1.0 });
        rest = behind;
    }
    rest.is_empty().then_some((total, is_number))
}

type Product<'a> = ((Length, bool), &'a [Part]);

fn product(parts: &[Part]) -> Option<Product<'_>> {
    let term = |part: &Part| match part {
        Part::Number(number) => Some((Length::px(*number), true)),
        Part::Length(length) => Some((*length, false)),
        Part::Function(name, inner) if name.is_empty() => sum(inner),
        _ => None,
    };
    let (first, mut rest) = parts.split_first()?;
    let mut value = term(first)?;
    while let [Part::Sign(sign @ ('*' | '/')), other, after @ ..] = rest {
        let other = term(other)?;
        value = match (sign, value.1, other.1) {
            ('*', _, true) => (value.0.times(other.0.px), value.1),
            ('*', true, false) => (other.0.times(value.0.px), false),
            ('/', _, true) if other.0.px != 0.0 => (value.0.times(1.0 / other.0.px), value.1),
            _ => return None,
        };
        rest = after;
    }
    Some((value, rest))
}

/// The numbers of a colour, its alpha apart.
fn numbers(inner: &[Part]) -> Option<(Vec<(f32, bool)>, f32)> {
    let mut all = Vec::new();
    for part in inner {
        match part {
            Part::Number(number) => all.push((*number, false)),
            Part::Length(length) if length.share != 0.0 || *length == Length::default() => {
                all.push((length.share, true));
            }
            Part::Length(length) => all.push((length.px, false)),
            Part::Sign(',' | '/') => {}
            Part::Word(word) if word == "none" => all.push((0.0, false)),
            // The name of a space of colours.
            Part::Word(_) if all.is_empty() => {}
            _ => return None,
        }
    }
    let alpha = if all.len() > 3 { all.pop()?.0 } else { 1.0 };
    (all.len() == 3).then_some((all, alpha))
}

fn rgb(inner: &[Part]) -> Option<[u8; 4]> {
    let (all, alpha) = numbers(inner)?;
    let mut color = [0, 0, 0, byte_of(alpha * 255.0)];
    for (place, (number, is_share)) in color.iter_mut().zip(all) {
        *place = byte_of(if is_share { number * 255.0 } else { number });
    }
    Some(color)
}
