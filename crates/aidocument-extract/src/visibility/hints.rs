//! What can be told of declarations without reading them: most of a style sheet sets nothing that hides.

use super::property::{Properties, Property};

/// What can be told of declarations without reading them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hints {
    pub(super) sets: Properties,
    /// What of that may hide.
    pub(super) hides: Properties,
    /// Whether it may set letters so light that they are not seen on white.
    pub(super) is_light: bool,
}

impl Hints {
    /// What cannot be told.
    pub(super) const ALL: Hints =
        Hints { sets: Properties(u64::MAX), hides: Properties(u64::MAX), is_light: true };

    /// Of the text of an attribute `style`.
    pub(super) fn of(style: &str) -> Hints {
        if style.bytes().any(|byte| matches!(byte, b'\\' | b'*' | b'"' | b'\'' | b'{' | b'[')) {
            return Hints::ALL;
        }
        let mut hints = Hints::default();
        for declaration in style.split(';') {
            let Some((name, value)) = declaration.split_once(':') else { continue };
            if let Some(property) = Property::of(name.trim_ascii()) {
                hints.note(property, value.trim_ascii());
            }
        }
        hints
    }

    /// Takes in a declaration, whose value is without white space at its ends.
    pub(super) fn note(&mut self, property: Property, value: &str) {
        let bit = Properties::one(property);
        self.sets = self.sets.with(bit);
        if property == Property::All {
            self.sets = Properties(u64::MAX);
        }
        if may_hide(property, value) {
            self.hides = self.hides.with(bit);
        }
        self.is_light |= property == Property::Color && may_be_light(value);
    }
}

/// Whether a value may be one that hides; read exactly later.
fn may_hide(property: Property, value: &str) -> bool {
    use Property as P;
    let bytes = value.as_bytes();
    let first = bytes.first().map_or(0, u8::to_ascii_lowercase);
    let has_sign = |sign: u8| memchr::memchr(sign, bytes).is_some();
    let has =
        |word: &str| bytes.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()));
    let is_summed = || has_sign(b'(') && (has("calc(") || has("min(") || has("max(") || has("clamp("));
    match property {
        P::Display => first == b'n' || has("column") || (has_sign(b'(') && has("var(")),
        P::Visibility => matches!(first, b'h' | b'c') || has_sign(b'('),
        P::ContentVisibility => matches!(first, b'h' | b'a'),
        P::Opacity | P::Scale => {
            is_small(value, if has_sign(b'%') { 1.0 } else { 0.01 }, false)
                || has_sign(b'(')
                || (property == P::Scale && has_sign(b' '))
        }
        // About an axis in the plane of the page.
        P::Rotate => has_sign(b' '),
        P::Paint => first == b'n' || has("transparent"),
        P::Width | P::Height | P::MaxWidth | P::MaxHeight => is_small(value, 1.0, true) || is_summed(),
        P::LineHeight => is_small(value, 2.0, true) || is_summed(),
        P::FontSize => is_small(value, 2.0, true) || (has_sign(b'(') && (is_summed() || has("var("))),
        P::Font => {
            has("0/") || has(" 0 ") || has("0px") || first == b'0' || has("1px") || is_summed() || has("var(")
        }
        P::Color | P::Fill if first == b'#' => matches!(digits_of(value).len(), 4 | 8) || has_sign(b'/'),
        P::Color | P::Fill => has("transparent") || has_sign(b'/') || (has_sign(b'(') && has("a(")),
        P::Margin | P::MarginLeft | P::MarginTop | P::MarginInline | P::MarginBlock => {
            let is_far = || {
                // Only far away: `-15px` is how rows are made.
                bytes.windows(5).any(|window| {
                    window.first() == Some(&b'-') && window.iter().skip(1).all(u8::is_ascii_alphanumeric)
                })
            };
            has_sign(b'-') && (is_far() || has("em")) || (has_sign(b'(') && has("calc("))
        }
        P::Left | P::Top | P::Inset | P::InsetInline | P::InsetBlock | P::TextIndent => {
            has_sign(b'-') || (property == P::TextIndent && has("00%")) || is_summed()
        }
        P::Right | P::Bottom => {
            has_sign(b'-')
                || bytes.windows(3).any(|window| window.iter().all(u8::is_ascii_digit))
                || is_summed()
        }
        P::Clip => first == b'r',
        P::ClipPath => has_sign(b'('),
        P::Transform => has_sign(b'-') || (has_sign(b'(') && (has("scale") || has("matrix") || has("90deg"))),
        P::Translate => has_sign(b'-'),
        P::Filter => has("opacity"),
        P::ZIndex => first == b'-',
        _ => false,
    }
}

/// Whether a value begins with a number up to this one. Of a length, `em` and numbers alone are times the font's size. What is
/// not plainly larger counts as such.
fn is_small(value: &str, most: f32, is_length: bool) -> bool {
    let bytes = value.as_bytes();
    if !bytes.first().is_some_and(|first| first.is_ascii_digit() || matches!(first, b'.' | b'-' | b'+')) {
        return false;
    }
    let end = bytes.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'.').unwrap_or(bytes.len());
    let (Some(Ok(number)), Some(unit)) = (value.get(..end).map(str::parse::<f32>), value.get(end..)) else {
        return true;
    };
    let is_of_font = || {
        let is = |known: &str| unit.get(..known.len()).is_some_and(|unit| unit.eq_ignore_ascii_case(known));
        is_length && (unit.is_empty() || is("em") || is("rem"))
    };
    number <= most && !(number * 8.0 > most && is_of_font())
}

/// The digits of a colour behind `#`.
fn digits_of(value: &str) -> &str {
    let digits = value.get(1..).unwrap_or_default();
    let end = digits.bytes().position(|byte| !byte.is_ascii_hexdigit()).unwrap_or(digits.len());
    digits.get(..end).unwrap_or_default()
}

/// Whether a colour may be so light that letters in it are not seen on white. What is not plainly darker counts as such.
fn may_be_light(value: &str) -> bool {
    let is_f = |byte: u8| byte.eq_ignore_ascii_case(&b'f');
    if value.starts_with('#') {
        let digits = digits_of(value).as_bytes();
        return match digits.len() {
            3 => digits.iter().all(|&byte| is_f(byte)),
            6 => digits.iter().step_by(2).all(|&byte| is_f(byte)),
            _ => true,
        };
    }
    let end = value.bytes().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(value.len());
    let (word, rest) = value.split_at_checked(end).unwrap_or_default();
    if rest.starts_with('(') {
        return true;
    }
    let color = cssparser::color::parse_named_color(word);
    color.is_ok_and(|(red, green, blue)| [red, green, blue].iter().all(|&part| part >= 240))
}
