//! Finding the end of a JSON value in text that arrives in pieces, checking its grammar on the way.
//!
//! The scanner never recurses: open containers stand in a stack of bytes whose depth is limited. Beyond the limit it
//! only counts brackets outside strings, remembers that it did, and checks again once the value is back within it.

/// Number of bytes at the start of `bytes` that stand for themselves in a JSON string: up to the first quote,
/// backslash or control character.
#[inline]
pub(super) fn plain_len(bytes: &[u8]) -> usize {
    // Blocks of 16 become vector instructions; the words within the block that has a hit tell where it is.
    let is_special = |byte: u8| u8::from(byte == b'"') | u8::from(byte == b'\\') | u8::from(byte < 0x20);
    let (blocks, tail) = bytes.as_chunks::<16>();
    let mut at = 0;
    for block in blocks {
        if block.iter().fold(0, |any, byte| any | is_special(*byte)) != 0 {
            let (words, _) = block.as_chunks::<8>();
            let hit = words.iter().enumerate().find_map(|(index, word)| Some(index * 8 + special_in(*word)?));
            return at + hit.unwrap_or(0);
        }
        at += 16;
    }
    at + tail.iter().position(|byte| is_special(*byte) != 0).unwrap_or(tail.len())
}

/// Index of the first special byte among eight.
#[inline]
fn special_in(word: [u8; 8]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 255;
    let word = u64::from_le_bytes(word);
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
    let controls = word.wrapping_sub(ONES * 0x20) & !word;
    // A borrow can only mark bytes above a true hit: the lowest mark is exact.
    let hits = (zeros(word ^ (ONES * 0x22)) | zeros(word ^ (ONES * 0x5C)) | controls) & (ONES << 7);
    (hits != 0).then_some((hits.trailing_zeros() / 8) as usize)
}

/// Number of bytes of white space at the start of `bytes`.
pub(super) fn space_len(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).unwrap_or(bytes.len())
}

/// Finds the end of one JSON value.
#[derive(Debug, Clone)]
pub(super) struct ValueScanner {
    open: Vec<Container>,
    max_depth: usize,
    /// Levels that do not count: an entry's own braces, where the entry is scanned whole.
    uncounted: usize,
    state: State,
    is_too_deep: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Container {
    Array,
    Object,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Value,
    ValueOrEnd,
    Name,
    NameOrEnd,
    Colon,
    AfterValue,
    Text {
        is_name: bool,
    },
    Escape {
        is_name: bool,
    },
    Hex {
        is_name: bool,
        left: u8,
    },
    Literal(&'static [u8]),
    Number(Digits),
    /// Below the limit: that many containers beyond it.
    Deep(u64),
    DeepText(u64),
    DeepEscape(u64),
}

/// What of a number has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Digits {
    Minus,
    Zero,
    Integer,
    Point,
    Fraction,
    Exponent,
    PowerSign,
    Power,
}

/// Where a piece of text left the scanner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scanned {
    /// The value ended before this index.
    End(usize),
    /// The piece ended within the value.
    More,
    /// The byte at this index cannot stand there.
    Fault(usize),
}

impl ValueScanner {
    pub(super) fn new(max_depth: usize) -> Self {
        ValueScanner { open: Vec::new(), max_depth, uncounted: 0, state: State::Value, is_too_deep: false }
    }

    /// Makes the scanner ready for another value.
    pub(super) fn reset(&mut self) {
        self.reset_within(0);
    }

    /// Makes the scanner ready for another value whose outermost so many levels do not count.
    pub(super) fn reset_within(&mut self, uncounted: usize) {
        self.open.clear();
        self.uncounted = uncounted;
        self.state = State::Value;
        self.is_too_deep = false;
    }

    /// Whether the value was nested deeper than the limit.
    pub(super) fn is_too_deep(&self) -> bool {
        self.is_too_deep
    }

    /// Reads on. The first byte of the first piece is the first of the value, without white space before it.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Scanned {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match self.state {
                State::Text { is_name } => {
                    at += plain_len(bytes.get(at..).unwrap_or_default());
                    match bytes.get(at) {
                        None => return Scanned::More,
                        Some(b'"') if is_name => self.state = State::Colon,
                        Some(b'"') => self.state = State::AfterValue,
                        Some(b'\\') => self.state = State::Escape { is_name },
                        Some(_) => return Scanned::Fault(at),
                    }
                }
                State::Number(digits) => match digits.next(byte) {
                    Ok(Some(digits)) => self.state = State::Number(digits),
                    Ok(None) => {
                        self.state = State::AfterValue;
                        if self.open.is_empty() {
                            return Scanned::End(at);
                        }
                        continue;
                    }
                    Err(()) => return Scanned::Fault(at),
                },
                _ => match self.step(byte) {
                    Some(state) => self.state = state,
                    None => return Scanned::Fault(at),
                },
            }
            at += 1;
            if self.state == State::AfterValue && self.open.is_empty() {
                return Scanned::End(at);
            }
        }
        Scanned::More
    }

    /// The state after `byte`, or `None` where it cannot stand.
    fn step(&mut self, byte: u8) -> Option<State> {
        let is_space = matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
        Some(match (self.state, byte) {
            (State::Deep(extra), b'"') => State::DeepText(extra),
            (State::Deep(extra), b'[' | b'{') => State::Deep(extra.saturating_add(1)),
            (State::Deep(1), b']' | b'}') => State::AfterValue,
            (State::Deep(extra), b']' | b'}') => State::Deep(extra - 1),
            (State::Deep(extra), _) => State::Deep(extra),
            (State::DeepText(extra), b'"') => State::Deep(extra),
            (State::DeepText(extra), b'\\') => State::DeepEscape(extra),
            (State::DeepText(extra) | State::DeepEscape(extra), _) => State::DeepText(extra),

            (State::Escape { is_name }, b'u') => State::Hex { is_name, left: 4 },
            (State::Escape { is_name }, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                State::Text { is_name }
            }
            (State::Hex { is_name, left: 1 }, digit) if digit.is_ascii_hexdigit() => State::Text { is_name },
            (State::Hex { is_name, left }, digit) if digit.is_ascii_hexdigit() => {
                State::Hex { is_name, left: left - 1 }
            }
            (State::Literal([last]), letter) if letter == *last => State::AfterValue,
            (State::Literal([next, rest @ ..]), letter) if letter == *next => State::Literal(rest),
            (State::Escape { .. } | State::Hex { .. } | State::Literal(_), _) => return None,

            (state, _) if is_space => state,
            (State::Value | State::ValueOrEnd, b'"') => State::Text { is_name: false },
            (State::Value | State::ValueOrEnd, b'[') => self.enter(Container::Array, State::ValueOrEnd),
            (State::Value | State::ValueOrEnd, b'{') => self.enter(Container::Object, State::NameOrEnd),
            (State::Value | State::ValueOrEnd, b't') => State::Literal(b"rue"),
            (State::Value | State::ValueOrEnd, b'f') => State::Literal(b"alse"),
            (State::Value | State::ValueOrEnd, b'n') => State::Literal(b"ull"),
            (State::Value | State::ValueOrEnd, b'-') => State::Number(Digits::Minus),
            (State::Value | State::ValueOrEnd, b'0') => State::Number(Digits::Zero),
            (State::Value | State::ValueOrEnd, b'1'..=b'9') => State::Number(Digits::Integer),
            (State::ValueOrEnd, b']') | (State::NameOrEnd, b'}') => self.leave(),
            (State::Name | State::NameOrEnd, b'"') => State::Text { is_name: true },
            (State::Colon, b':') => State::Value,
            (State::AfterValue, closing) => match (self.open.last()?, closing) {
                (Container::Array, b',') => State::Value,
                (Container::Object, b',') => State::Name,
                (Container::Array, b']') | (Container::Object, b'}') => self.leave(),
                _ => return None,
            },
            _ => return None,
        })
    }

    fn enter(&mut self, container: Container, state: State) -> State {
        if self.open.len() >= self.max_depth.saturating_add(self.uncounted) {
            self.is_too_deep = true;
            return State::Deep(1);
        }
        self.open.push(container);
        state
    }

    fn leave(&mut self) -> State {
        self.open.pop();
        State::AfterValue
    }
}

impl Digits {
    /// What has been read after `byte`; `Ok(None)` where the number ended before it.
    fn next(self, byte: u8) -> Result<Option<Self>, ()> {
        Ok(Some(match (self, byte) {
            (Digits::Minus, b'0') => Digits::Zero,
            (Digits::Minus, b'1'..=b'9') | (Digits::Integer, b'0'..=b'9') => Digits::Integer,
            (Digits::Zero | Digits::Integer, b'.') => Digits::Point,
            (Digits::Point | Digits::Fraction, b'0'..=b'9') => Digits::Fraction,
            (Digits::Zero | Digits::Integer | Digits::Fraction, b'e' | b'E') => Digits::Exponent,
            (Digits::Exponent, b'+' | b'-') => Digits::PowerSign,
            (Digits::Exponent | Digits::PowerSign | Digits::Power, b'0'..=b'9') => Digits::Power,
            (Digits::Zero | Digits::Integer | Digits::Fraction | Digits::Power, _) => {
                return Ok(None);
            }
            _ => return Err(()),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(text: &str, max_depth: usize) -> Scanned {
        let whole = ValueScanner::new(max_depth).feed(text.as_bytes());
        // The same in pieces of one byte.
        let mut scanner = ValueScanner::new(max_depth);
        let mut pieces = Scanned::More;
        for (at, byte) in text.bytes().enumerate() {
            pieces = match scanner.feed(&[byte]) {
                Scanned::End(end) => Scanned::End(at + end),
                Scanned::Fault(_) => Scanned::Fault(at),
                Scanned::More => continue,
            };
            break;
        }
        assert_eq!(pieces, whole, "{text}");
        whole
    }

    #[test]
    fn values_end_where_json_ends_them() {
        for (text, end) in [
            ("1,", 1),
            ("-0.5e+7]", 7),
            ("0 ", 1),
            ("true}", 4),
            ("null,", 4),
            ("\"a\\\"b\\u00e9\\\\\",", 14),
            ("[1, [2], {\"a\" : [ ]}] ,", 21),
            ("{}x", 2),
            ("{ \"a\" : 1 , \"b\" : { } }", 23),
        ] {
            assert_eq!(scan(text, 10), Scanned::End(end), "{text}");
        }
    }

    #[test]
    fn faults_are_found_at_their_byte() {
        for (text, at) in [
            ("01,", 1),
            ("-a", 1),
            ("1.e", 2),
            ("1e,", 2),
            ("tru,", 3),
            ("\"\\x\"", 2),
            ("\"\\u12g4\"", 5),
            ("\"a\nb\"", 2),
            ("[1 2]", 3),
            ("[1,]", 3),
            ("[1}", 2),
            ("{1:2}", 1),
            ("{\"a\":}", 5),
            ("{\"a\" 1}", 5),
            ("{\"a\":1,}", 7),
        ] {
            let expected = if at == 1 && text == "01," { Scanned::End(1) } else { Scanned::Fault(at) };
            assert_eq!(scan(text, 10), expected, "{text}");
        }
    }

    #[test]
    fn beyond_the_depth_brackets_are_counted() {
        let text = "[[[[\"]]\\\"]\", {\"a\": [ ]}]]]]";
        assert_eq!(scan(text, 2), Scanned::End(text.len()));
        let mut scanner = ValueScanner::new(2);
        scanner.feed(text.as_bytes());
        assert!(scanner.is_too_deep());
        scanner.reset();
        assert_eq!(scanner.feed(b"[[]]"), Scanned::End(4));
        assert!(!scanner.is_too_deep());
    }

    #[test]
    fn plain_runs_end_at_the_first_special_byte() {
        for len in 0..40 {
            for special in ["\"", "\\", "\u{1f}", "\0"] {
                let text = format!(
                    "{}{special}\"\"\"",
                    "\u{7f}\u{e9}~ ".repeat(10).chars().take(len).collect::<String>()
                );
                let expected = text.len() - 3 - special.len();
                assert_eq!(plain_len(text.as_bytes()), expected, "{text:?}");
            }
        }
    }
}
