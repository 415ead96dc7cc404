//! CSS declarations: the properties that can hide text, and the meaning of their values.
//!
//! The tokens are those of `cssparser`, so comments, escapes, letter case and white space are as the standard has them.
//! An invalid value is dropped with its declaration, as in browsers; a valid value that is not understood (`var()`, a
//! gradient) is [`Value::Unknown`], which hides nothing.

use cssparser::{Delimiter, ParseError, Parser, Token};

use super::parts::{Length, Parsed, Part, parts};
use super::property::{Property, set};
use super::sheet::Customs;

use crate::words::list::words;

/// The meaning of a declaration's value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value {
    /// Valid, and hides nothing: the initial value, or another that does not matter.
    Plain,
    /// Valid, and not understood.
    Unknown,
    /// The parent's.
    Inherit,
    /// The value that hides: `none`, `hidden`, an empty clip, a scale of zero.
    Off,
    /// Of `display`: in the line.
    Inline,
    /// Of `display`: a part of a table, whose sizes are only the least.
    Table,
    /// Of `position`.
    Absolute,
    /// Of `position`.
    Fixed,
    /// Of `position`.
    Relative,
    /// Of `transition` and `animation`: there is one.
    Moves,
    Number(f32),
    Length(Length),
    /// Red, green, blue, alpha.
    Color([u8; 4]),
    /// Of `transform` and `translate`: how far.
    Shift(Length, Length),
}

/// Reads declarations, each handed on with whether it is `!important`. `O(n)`.
pub(super) fn read(text: &str, customs: &Customs<'_>, give: &mut dyn FnMut(Property, Value, bool)) {
    let mut parser = Parser::new(text);
    loop {
        let name = match parser.next() {
            Err(_) => return,
            Ok(Token::Ident(name)) => name.clone(),
            Ok(Token::Semicolon) => continue,
            Ok(_) => {
                skip(&mut parser);
                continue;
            }
        };
        let property = Property::of(&name);
        if parser.expect_colon().is_err() {
            skip(&mut parser);
            continue;
        }
        let Some(property) = property else {
            skip(&mut parser);
            continue;
        };
        let read = parser.parse_until_after(Delimiter::Semicolon, |inner| {
            let mut found = Vec::new();
            parts(inner, customs, 0, &mut found)?;
            Ok::<_, ParseError<()>>(found)
        });
        let Ok(mut found) = read else { continue };
        let important =
            matches!(found.as_slice(), [.., Part::Sign('!'), Part::Word(word)] if word == "important");
        if important {
            found.truncate(found.len() - 2);
        }
        if !found.is_empty() && !found.contains(&Part::Sign('!')) {
            values(property, &found, &mut |property, value| give(property, value, important));
        }
    }
}

/// The pixels of a length, relative to the window where it is a share.
pub(super) fn length_in(text: &str) -> Option<f32> {
    let mut found = Vec::new();
    parts(&mut Parser::new(text), &Customs::new(), 0, &mut found).ok()?;
    match found.as_slice() {
        [Part::Length(length)] => Some(length.pixels(16.0, super::WINDOW.0)),
        [Part::Number(number)] => Some(*number),
        _ => None,
    }
}

/// Goes on behind the declaration.
fn skip(parser: &mut Parser<'_>) {
    let done: Parsed<()> = parser.parse_until_after(Delimiter::Semicolon, |inner| {
        while inner.next().is_ok() {}
        Ok(())
    });
    // It ends at the end of the text as well.
    let _ = done;
}

/// Hands on what a declaration sets.
fn values(property: Property, parts: &[Part], give: &mut dyn FnMut(Property, Value)) {
    let is_var = |part: &Part| matches!(part, Part::Function(name, _) if matches!(name.as_str(), "var" | "env" | "attr"));
    let wide = match parts {
        [Part::Word(word)] => match word.as_str() {
            "inherit" => Some(Value::Inherit),
            "initial" if property == Property::Display => Some(Value::Inline),
            "initial" | "revert" | "revert-layer" => Some(Value::Plain),
            "unset" if property == Property::Display => Some(Value::Inline),
            "unset" => Some(if is_inherited(property) { Value::Inherit } else { Value::Plain }),
            _ => None,
        },
        _ if parts.iter().any(is_var) => Some(Value::Unknown),
        _ => None,
    };
    use Property as P;
    let around = match property {
        P::Padding => [P::PaddingTop, P::PaddingRight, P::PaddingBottom, P::PaddingLeft],
        P::Inset => [P::Top, P::Right, P::Bottom, P::Left],
        // Margins at the far sides move nothing.
        P::Margin => [P::MarginTop, P::Margin, P::Margin, P::MarginLeft],
        P::InsetInline => [P::Left, P::Right, P::Left, P::Right],
        P::InsetBlock => [P::Top, P::Bottom, P::Top, P::Bottom],
        P::MarginInline => [P::MarginLeft, P::Margin, P::MarginLeft, P::Margin],
        P::MarginBlock => [P::MarginTop, P::Margin, P::MarginTop, P::Margin],
        other => [other; 4],
    };
    if around != [property; 4] {
        // Of a start and an end there are two values at most.
        if around[0] != around[2] || parts.len() <= 2 {
            sides(around, parts, wide, give);
        }
        return;
    }
    let one = match property {
        Property::All => {
            // It takes one word, which each property reads for itself.
            for &property in
                Property::EACH.iter().filter(|&&property| wide.is_some() && property != Property::All)
            {
                values(property, parts, give);
            }
            return;
        }
        Property::Backgrounds => {
            let color = parts.iter().rev().find_map(|part| match part {
                Part::Color(color) => Some(*color),
                _ => None,
            });
            give(Property::Background, wide.unwrap_or(Value::Color(color.unwrap_or([0; 4]))));
            let has_image = parts.iter().any(|part| matches!(part, Part::Function(..) | Part::Other));
            give(Property::BackgroundImage, if has_image { Value::Unknown } else { Value::Plain });
            let is_text = parts.iter().any(|part| matches!(part, Part::Word(word) if word == "text"));
            give(Property::BackgroundClip, if is_text { Value::Off } else { Value::Plain });
            return;
        }
        Property::Font => {
            let size = parts.iter().find_map(to_length);
            let size = wide.unwrap_or(size.map_or(Value::Plain, Value::Length));
            return give(Property::FontSize, size);
        }
        Property::Flex => match parts {
            [Part::Number(grow), ..] => Some(Value::Number(*grow)),
            [Part::Word(word)] if word == "none" => Some(Value::Number(0.0)),
            _ => Some(Value::Number(1.0)),
        },
        _ => single(property, parts),
    };
    if let Some(value) = wide.or(one) {
        give(property, value);
    }
    // What makes a stacking context, whatever else it does.
    let is_word = |known: &[&str]| matches!(parts, [Part::Word(word)] if known.contains(&word.as_str()));
    let stacks = match property {
        Property::Position => is_word(&["fixed", "sticky", "-webkit-sticky"]),
        Property::ContentVisibility => !is_word(&["visible"]),
        Property::Filter
        | Property::ClipPath
        | Property::Scale
        | Property::Translate
        | Property::Rotate
        | Property::Transform => !is_word(&["none"]),
        _ => false,
    };
    if stacks {
        give(Property::Stacking, Value::Unknown);
    }
}

fn is_inherited(property: Property) -> bool {
    set![Visibility Color Fill Paint Stroke FontSize TextIndent LineHeight].has(property)
}

/// One to four lengths around a box, from the top on.
fn sides(all: [Property; 4], parts: &[Part], wide: Option<Value>, give: &mut dyn FnMut(Property, Value)) {
    let found: Option<Vec<Value>> = parts.iter().map(length_of).collect();
    for (place, property) in all.into_iter().enumerate() {
        if let Some(value) = wide.or_else(|| side(found.as_deref()?, place)) {
            give(property, value);
        }
    }
}

/// The value of a side, counted from the top on, of one to four.
fn side<T: Copy>(all: &[T], place: usize) -> Option<T> {
    let place = match (all.len(), place) {
        (1, _) => 0,
        (2, place) => place % 2,
        (3, 3) => 1,
        (3 | 4, place) => place,
        _ => return None,
    };
    all.get(place).copied()
}

fn length_of(part: &Part) -> Option<Value> {
    to_length(part).map(Value::Length).or(match part {
        Part::Word(_) => Some(Value::Plain),
        Part::Function(..) | Part::Other => Some(Value::Unknown),
        _ => None,
    })
}

/// The value of a property that is no shorthand; `None` where browsers drop the declaration.
fn single(property: Property, parts: &[Part]) -> Option<Value> {
    let word = match parts {
        [Part::Word(word)] => word.as_str(),
        _ => "",
    };
    match property {
        Property::Display => display(parts),
        Property::Visibility => match word {
            "visible" => Some(Value::Plain),
            "hidden" | "collapse" => Some(Value::Off),
            _ => None,
        },
        Property::Opacity => match parts {
            [Part::Number(number)] => Some(Value::Number(*number)),
            [Part::Length(length)] => Some(Value::Number(length.share)),
            [Part::Function(..)] => Some(Value::Unknown),
            _ => None,
        },
        Property::Overflow => {
            let visible = parts.iter().all(|part| matches!(part, Part::Word(word) if word == "visible"));
            let known = parts.iter().all(|part| {
                matches!(part, Part::Word(word) if matches!(word.as_str(), "visible" | "hidden" | "clip" | "auto" | "scroll" | "overlay"))
            });
            known.then_some(if visible { Value::Plain } else { Value::Off })
        }
        Property::Position => Some(match word {
            "absolute" => Value::Absolute,
            "fixed" => Value::Fixed,
            "relative" | "sticky" | "-webkit-sticky" => Value::Relative,
            "static" => Value::Plain,
            _ => return None,
        }),
        Property::ContentVisibility => match word {
            "hidden" => Some(Value::Off),
            "auto" => Some(Value::Moves),
            "visible" => Some(Value::Plain),
            _ => None,
        },
        Property::ZIndex => match parts {
            [Part::Number(number)] => Some(Value::Number(*number)),
            [Part::Word(word)] if word == "auto" => Some(Value::Plain),
            _ => None,
        },
        Property::Animation | Property::Transition => {
            Some(if word == "none" { Value::Plain } else { Value::Moves })
        }
        Property::Color | Property::Fill | Property::Background => match parts {
            [Part::Color(color)] => Some(Value::Color(*color)),
            [Part::Word(word)] if word == "currentcolor" => {
                Some(if property == Property::Color { Value::Inherit } else { Value::Unknown })
            }
            [Part::Word(_) | Part::Function(..) | Part::Other] => Some(Value::Unknown),
            _ => None,
        },
        Property::BackgroundImage => Some(if word == "none" { Value::Plain } else { Value::Unknown }),
        Property::BackgroundClip => Some(if word == "text" { Value::Off } else { Value::Plain }),
        Property::Clip => match parts {
            [Part::Function(name, inner)] if name == "rect" => clip(inner),
            [Part::Word(word)] if word == "auto" => Some(Value::Plain),
            _ => None,
        },
        Property::ClipPath => clip_path(parts),
        Property::Transform => transform(parts),
        Property::Scale => match parts {
            [Part::Word(word)] if word == "none" => Some(Value::Plain),
            _ => Some(if parts.iter().any(is_tiny) { Value::Off } else { Value::Plain }),
        },
        Property::Rotate => Some(if is_on_edge(parts) { Value::Off } else { Value::Plain }),
        Property::Float => Some(if word == "none" { Value::Plain } else { Value::Moves }),
        Property::Paint | Property::Stroke => match parts {
            [Part::Color(color)] if is_clear(*color) => Some(Value::Off),
            _ => Some(if word == "none" { Value::Off } else { Value::Plain }),
        },
        Property::Translate => {
            let mut lengths = parts.iter().filter_map(to_length);
            let (x, y) = (lengths.next().unwrap_or_default(), lengths.next().unwrap_or_default());
            Some(Value::Shift(x, y))
        }
        Property::Filter => {
            let hides = parts.iter().any(|part| {
                matches!(part, Part::Function(name, inner) if name == "opacity" && inner.iter().all(is_zero) && !inner.is_empty())
            });
            Some(if hides { Value::Off } else { Value::Plain })
        }
        Property::Stacking => match word {
            "auto" | "none" | "normal" | "scroll-position" | "contents" => None,
            _ => Some(Value::Unknown),
        },
        Property::LineHeight => match parts {
            [Part::Number(number)] => Some(Value::Length(Length { em: *number, ..Length::default() })),
            [part] => length_of(part),
            _ => None,
        },
        _ => match parts {
            [part] => length_of(part),
            _ => None,
        },
    }
}

/// Values of `display` that make a box, and a part of a table.
const BOXES: [&str; 15] = words(
    "block inline-block flex inline-flex grid inline-grid list-item flow flow-root -webkit-box \
    -webkit-inline-box -webkit-flex -webkit-inline-flex inline-table ruby-text",
);
const TABLES: [&str; 7] =
    words("table table-cell table-row table-row-group table-header-group table-footer-group table-caption");

fn display(parts: &[Part]) -> Option<Value> {
    let [Part::Word(word)] = parts else {
        let all_words = parts.iter().all(|part| matches!(part, Part::Word(_)));
        return all_words.then_some(Value::Plain);
    };
    Some(match word.as_str() {
        "none" | "table-column" | "table-column-group" => Value::Off,
        "inline" | "contents" | "ruby" | "math" => Value::Inline,
        word if BOXES.contains(&word) => Value::Plain,
        word if TABLES.contains(&word) => Value::Table,
        _ => return None,
    })
}

/// Whether a part of a scale leaves less than a pixel of a letter.
fn is_tiny(part: &Part) -> bool {
    is_zero(part) || matches!(part, Part::Number(number) if number.abs() <= 0.02)
}

fn is_zero(part: &Part) -> bool {
    to_length(part) == Some(Length::default())
}

fn to_length(part: &Part) -> Option<Length> {
    match part {
        Part::Length(length) => Some(*length),
        Part::Number(0.0) => Some(Length::default()),
        _ => None,
    }
}

/// Whether a turn by this leaves a plane that is seen from its edge.
fn is_right_angle(angle: Length) -> bool {
    (angle.px.abs() % 180.0 - 90.0).abs() < 0.01
}

/// Whether `rotate` turns a box so that it is seen from its edge: about an axis in its plane.
fn is_on_edge(parts: &[Part]) -> bool {
    let (axis, angle): (Vec<&Part>, Vec<&Part>) =
        parts.iter().partition(|part| matches!(part, Part::Word(_) | Part::Number(_)));
    let is_in_plane = match axis.as_slice() {
        [Part::Word(axis)] => axis == "x" || axis == "y",
        [_, _, z] => is_zero(z),
        _ => false,
    };
    let angle = angle.first().and_then(|angle| to_length(angle));
    is_in_plane && angle.is_some_and(is_right_angle)
}

/// `rect()` of the property `clip`: top, right, bottom, left.
fn clip(inner: &[Part]) -> Option<Value> {
    let sides: Vec<Option<f32>> = inner
        .iter()
        .filter(|part| **part != Part::Sign(','))
        .map(|part| to_length(part).map(|length| length.pixels(16.0, 0.0)))
        .collect();
    let [top, right, bottom, left] = sides.as_slice() else { return None };
    let is_empty =
        |from: &Option<f32>, to: &Option<f32>| to.is_some_and(|to| to - from.unwrap_or(0.0) <= 1.0);
    Some(if is_empty(top, bottom) || is_empty(left, right) { Value::Off } else { Value::Plain })
}

fn clip_path(parts: &[Part]) -> Option<Value> {
    let hides = parts.iter().any(|part| {
        let Part::Function(name, inner) = part else { return false };
        match name.as_str() {
            "inset" => {
                let until =
                    inner.iter().position(|part| matches!(part, Part::Word(_))).unwrap_or(inner.len());
                let all: Vec<Length> =
                    inner.get(..until).unwrap_or_default().iter().filter_map(to_length).collect();
                let share = |place: usize| side(&all, place).map_or(0.0, |length| length.share);
                share(0) + share(2) >= 1.0 || share(1) + share(3) >= 1.0
            }
            "circle" | "ellipse" => {
                let until = inner.iter().position(|part| *part == Part::Word("at".to_owned()));
                inner.get(..until.unwrap_or(inner.len())).unwrap_or_default().iter().any(is_zero)
            }
            "polygon" | "rect" => {
                let points: Vec<Length> = inner.iter().filter_map(to_length).collect();
                let is_line = |from: usize| {
                    let mut all = points.iter().skip(from).step_by(2);
                    all.next().is_some_and(|first| all.all(|other| other == first))
                };
                points.len() >= 4 && (is_line(0) || is_line(1))
            }
            _ => false,
        }
    });
    Some(if hides { Value::Off } else { Value::Plain })
}

/// The functions of `transform`, one after the other: whether they leave nothing, else how far they move.
fn transform(parts: &[Part]) -> Option<Value> {
    let (mut x, mut y) = (Length::default(), Length::default());
    for part in parts {
        let (name, inner) = match part {
            Part::Function(name, inner) => (name.as_str(), inner),
            Part::Word(word) if word == "none" => return Some(Value::Plain),
            _ => return None,
        };
        let all: Vec<&Part> = inner.iter().filter(|part| **part != Part::Sign(',')).collect();
        let length = |place: usize| all.get(place).and_then(|part| to_length(part)).unwrap_or_default();
        let number = |place: usize| all.get(place).is_some_and(|part| is_tiny(part));
        let on_edge = || is_right_angle(length(0));
        match name {
            "scale" | "scalex" | "scaley" if all.iter().any(|part| is_tiny(part)) => return Some(Value::Off),
            "scale3d" if number(0) || number(1) || number(2) => return Some(Value::Off),
            "matrix" if (number(0) && number(1)) || (number(2) && number(3)) => return Some(Value::Off),
            "matrix" => {
                let moved = |place: usize| match all.get(place) {
                    Some(Part::Number(number)) => Length::px(*number),
                    _ => Length::default(),
                };
                (x, y) = (x.plus(moved(4), 1.0), y.plus(moved(5), 1.0));
            }
            "rotatex" | "rotatey" if on_edge() => return Some(Value::Off),
            "translatex" => x = x.plus(length(0), 1.0),
            "translatey" => y = y.plus(length(0), 1.0),
            "translate" | "translate3d" => {
                x = x.plus(length(0), 1.0);
                y = y.plus(length(1), 1.0);
            }
            _ => {}
        }
    }
    Some(Value::Shift(x, y))
}

/// A colour of an attribute of HTML.
pub(super) fn color(text: &str) -> Option<[u8; 4]> {
    let mut found = None;
    if text.len() <= 64 && !text.contains([';', '{', '}']) {
        let digits = text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let declaration = if digits { format!("color:#{text}") } else { format!("color:{text}") };
        read(&declaration, &Customs::new(), &mut |_, value, _| {
            if let Value::Color(color) = value {
                found = Some(color);
            }
        });
    }
    found
}

/// Whether a colour is not seen on anything.
pub(super) fn is_clear(color: [u8; 4]) -> bool {
    color[3] <= 5
}

/// Whether letters of one colour are not seen on another.
pub(super) fn is_same(letters: [u8; 4], ground: [u8; 4]) -> bool {
    let alpha = f32::from(letters[3]) / 255.0;
    ground[3] == 255
        && letters
            .iter()
            .zip(ground)
            .take(3)
            .all(|(&letter, ground)| (alpha * (f32::from(letter) - f32::from(ground))).abs() <= SAME)
}

/// Largest difference of two colours that readers cannot distinguish, of 255 for each component.
const SAME: f32 = 8.0;
