//! Asking whether a text is its own canonical form, without writing one.
//!
//! The canonical grammar has no choices, so this reader is simpler than the one in `text.rs`: whatever is not the one
//! right byte is a deviation. For each open object it remembers the last name; that is all the memory it needs.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

use crate::JsonErrorKind;
use crate::canonicalizer::{Canonicalizer, Limits};
use crate::grammar::Container;
use crate::number::{Form, print_double, read_number};
use crate::profile::Profile;
use crate::scan::plain_run;
use crate::string::short_escape;
use crate::unescape::{hex4, unescape_letter};

/// The first place where a text is not its own canonical form.
///
/// ```
/// use tct_canonical_json::{DeviationKind, Profile, check_canonical};
///
/// assert_eq!(check_canonical(br#"{"a":1,"b":2}"#, Profile::Tct), None);
/// let deviation = check_canonical(br#"{"b":1,"a":2}"#, Profile::Tct).unwrap();
/// assert_eq!((deviation.kind(), deviation.offset()), (DeviationKind::MemberOrder, 7));
/// assert_eq!(deviation.to_string(), "expected names to rise at byte 7");
/// ```
#[must_use]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deviation {
    kind: DeviationKind,
    offset: usize,
}

/// In what a text differs from its canonical form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeviationKind {
    /// White space between tokens.
    WhiteSpace,
    /// A character that is escaped needlessly or in another form.
    Escape,
    /// A number in another form, such as `1.0`.
    NumberForm,
    /// A name that sorts before the one in front of it.
    MemberOrder,
    /// The text has no canonical form: [`to_canonical`](crate::to_canonical) refuses it too, if for nothing that
    /// stands earlier, then for this.
    Refused(JsonErrorKind),
}

impl Deviation {
    /// What differs.
    #[must_use]
    pub fn kind(&self) -> DeviationKind {
        self.kind
    }

    /// Index of the first byte that differs or, for a name, of its opening quote.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = match self.kind {
            DeviationKind::WhiteSpace => "no white space",
            DeviationKind::Escape => "the canonical escape",
            DeviationKind::NumberForm => "the canonical number",
            DeviationKind::MemberOrder => "names to rise",
            DeviationKind::Refused(_) => "JSON that has a canonical form",
        };
        write!(f, "expected {expected} at byte {}", self.offset)
    }
}

/// Ends without an error where `text` is canonical.
pub(crate) fn check(text: &[u8], profile: Profile, limits: &Limits) -> Result<(), Deviation> {
    use JsonErrorKind as Kind;
    if text.len() > limits.max_bytes {
        return Err(refused(Kind::TooLarge, limits.max_bytes));
    }
    let mut checker = Checker { text, at: 0, profile, max_depth: limits.max_depth, levels: Levels::new() };
    if text.starts_with(b"\xEF\xBB\xBF") {
        return Err(refused(Kind::ByteOrderMark, 0));
    }
    checker.document()
}

struct Checker<'t> {
    text: &'t [u8],
    at: usize,
    profile: Profile,
    max_depth: usize,
    levels: Levels,
}

impl Checker<'_> {
    fn document(&mut self) -> Result<(), Deviation> {
        loop {
            if self.value()? {
                continue;
            }
            loop {
                let next = self.peek();
                match (self.levels.top(), next) {
                    (None, None) => return Ok(()),
                    (None, Some(_)) => return Err(self.unexpected(JsonErrorKind::TrailingData)),
                    (Some(Level { container: Container::Object, .. }), Some(b',')) => {
                        self.at += 1;
                        self.name()?;
                    }
                    (Some(Level { container: Container::Array, .. }), Some(b',')) => self.at += 1,
                    (Some(Level { container: Container::Object, .. }), Some(b'}'))
                    | (Some(Level { container: Container::Array, .. }), Some(b']')) => {
                        self.at += 1;
                        self.levels.pop();
                        continue;
                    }
                    _ => return Err(self.unexpected(JsonErrorKind::UnexpectedByte)),
                }
                break;
            }
        }
    }

    /// Reads a value, or the opening of one that holds more.
    fn value(&mut self) -> Result<bool, Deviation> {
        let start = self.at;
        match self.peek() {
            Some(b'"') => {
                self.string()?;
            }
            Some(b'{') => {
                self.open(Container::Object)?;
                if self.peek() != Some(b'}') {
                    self.name()?;
                    return Ok(true);
                }
                self.at += 1;
                self.levels.pop();
            }
            Some(b'[') => {
                self.open(Container::Array)?;
                if self.peek() != Some(b']') {
                    return Ok(true);
                }
                self.at += 1;
                self.levels.pop();
            }
            Some(b'-' | b'0'..=b'9') => self.number()?,
            first => {
                let rest = self.text.get(start..).unwrap_or_default();
                let word: &[u8] = match first {
                    Some(b't') => b"true",
                    Some(b'f') => b"false",
                    Some(b'n') => b"null",
                    _ => return Err(self.unexpected(JsonErrorKind::UnexpectedByte)),
                };
                let same = core::iter::zip(word, rest).take_while(|(a, b)| a == b).count();
                self.at += same;
                if same < word.len() {
                    return Err(self.malformed());
                }
            }
        }
        Ok(false)
    }

    fn open(&mut self, container: Container) -> Result<(), Deviation> {
        if self.levels.depth >= self.max_depth {
            return Err(refused(JsonErrorKind::TooDeep, self.at));
        }
        self.levels.push(container);
        self.at += 1;
        Ok(())
    }

    fn name(&mut self) -> Result<(), Deviation> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected(JsonErrorKind::UnexpectedByte));
        }
        let quote = self.at;
        let escaped = self.string()?;
        let name = Name { start: quote + 1, end: self.at - 1, escaped };
        if self.peek() != Some(b':') {
            return Err(self.unexpected(JsonErrorKind::UnexpectedByte));
        }
        self.at += 1;
        let Some(level) = self.levels.top_mut() else { return Ok(()) };
        if let Some(last) = level.last_name.replace(name) {
            let spelled = |name: &Name| self.text.get(name.start..name.end).unwrap_or_default();
            match self.profile.compare_spelled(spelled(&last), spelled(&name), last.escaped || escaped) {
                Ordering::Less => {}
                Ordering::Equal => return Err(refused(JsonErrorKind::DuplicateMember, quote)),
                Ordering::Greater => {
                    return Err(Deviation { kind: DeviationKind::MemberOrder, offset: quote });
                }
            }
        }
        Ok(())
    }

    /// Reads a string; says whether it has escapes.
    fn string(&mut self) -> Result<bool, Deviation> {
        let start = self.at;
        self.at += 1;
        let (mut ascii, mut escaped) = (true, false);
        loop {
            let run = plain_run(self.text, self.at);
            self.at = run.end;
            ascii &= run.ascii;
            if self.peek() == Some(b'\\') {
                self.escape()?;
                escaped = true;
            } else {
                break;
            }
        }
        if !ascii {
            let bytes = self.text.get(start..self.at).unwrap_or_default();
            if let Err(error) = simdutf8::compat::from_utf8(bytes) {
                return Err(refused(JsonErrorKind::InvalidUtf8, start + error.valid_up_to()));
            }
        }
        match self.peek() {
            Some(b'"') => {
                self.at += 1;
                Ok(escaped)
            }
            Some(_) => Err(refused(JsonErrorKind::ControlCharacter, self.at)),
            None => Err(self.malformed()),
        }
    }

    fn escape(&mut self) -> Result<(), Deviation> {
        let rest = self.text.get(self.at + 1..).unwrap_or_default();
        self.at += match rest {
            [b'u', digits @ ..] => match hex4(digits) {
                None => return Err(refused(JsonErrorKind::InvalidEscape, self.at)),
                Some(unit) => {
                    let lower = !digits.iter().take(4).any(u8::is_ascii_uppercase);
                    let needed =
                        u8::try_from(unit).is_ok_and(|byte| byte < b' ' && short_escape(byte).is_none());
                    if !(lower && needed) {
                        return Err(Deviation { kind: DeviationKind::Escape, offset: self.at });
                    }
                    6
                }
            },
            [b'/', ..] => return Err(Deviation { kind: DeviationKind::Escape, offset: self.at }),
            [letter, ..] if unescape_letter(*letter).is_some() => 2,
            _ => return Err(refused(JsonErrorKind::InvalidEscape, self.at)),
        };
        Ok(())
    }

    fn number(&mut self) -> Result<(), Deviation> {
        let text = self.text.get(self.at..).unwrap_or_default();
        let start = self.at;
        let number = read_number(text).map_err(|fault| {
            self.at = start + fault.at;
            self.malformed()
        })?;
        let (len, form) = (number.len, number.form(text));
        let spelled = text.get(..len).unwrap_or_default();
        let same = match form {
            Form::Prefix(kept) => kept,
            Form::Overflow => return Err(refused(JsonErrorKind::NumberOverflow, start)),
            Form::Double(double) => {
                let (mut same, mut rest) = (0, Some(spelled));
                print_double(double, |piece| {
                    let now = rest.unwrap_or_default();
                    same += core::iter::zip(now, piece).take_while(|(a, b)| rest.is_some() && a == b).count();
                    rest = rest.and_then(|rest| rest.strip_prefix(piece));
                });
                // A canonical text may not end before the printed number does.
                if rest.is_none() && same == len { len - 1 } else { same }
            }
        };
        if same < len {
            return Err(Deviation { kind: DeviationKind::NumberForm, offset: start + same });
        }
        self.at = start + len;
        Ok(())
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// White space, or something of that kind.
    #[cold]
    fn unexpected(&self, kind: JsonErrorKind) -> Deviation {
        match self.peek() {
            Some(b' ' | b'\t' | b'\n' | b'\r') => {
                Deviation { kind: DeviationKind::WhiteSpace, offset: self.at }
            }
            Some(_) => refused(kind, self.at),
            None => self.malformed(),
        }
    }

    /// A byte that no grammar allows, or the end.
    #[cold]
    fn malformed(&self) -> Deviation {
        match self.peek() {
            Some(_) => refused(JsonErrorKind::UnexpectedByte, self.at),
            None => refused(JsonErrorKind::UnexpectedEnd, self.at),
        }
    }
}

fn refused(kind: JsonErrorKind, offset: usize) -> Deviation {
    Deviation { kind: DeviationKind::Refused(kind), offset }
}

/// An open array or object.
#[derive(Debug, Clone, Copy)]
struct Level {
    container: Container,
    last_name: Option<Name>,
}

/// A name between its quotes.
#[derive(Debug, Clone, Copy)]
struct Name {
    start: usize,
    end: usize,
    escaped: bool,
}

/// A stack of levels: on the stack as far as the default limit reaches, on the heap beyond.
struct Levels {
    depth: usize,
    near: [Level; Canonicalizer::DEFAULT_MAX_DEPTH],
    far: Vec<Level>,
}

impl Levels {
    fn new() -> Self {
        let level = Level { container: Container::Array, last_name: None };
        Levels { depth: 0, near: [level; Canonicalizer::DEFAULT_MAX_DEPTH], far: Vec::new() }
    }

    fn push(&mut self, container: Container) {
        let level = Level { container, last_name: None };
        match self.near.get_mut(self.depth) {
            Some(slot) => *slot = level,
            None => self.far.push(level),
        }
        self.depth += 1;
    }

    fn pop(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.far.truncate(self.depth.saturating_sub(self.near.len()));
    }

    fn top(&self) -> Option<Level> {
        let top = self.depth.checked_sub(1)?;
        self.near.get(top).or_else(|| self.far.last()).copied()
    }

    fn top_mut(&mut self) -> Option<&mut Level> {
        let top = self.depth.checked_sub(1)?;
        match top < self.near.len() {
            true => self.near.get_mut(top),
            false => self.far.last_mut(),
        }
    }
}
