//! A character reference whose text has not come to its end: the end of a chunk stands in the middle of it.

use super::{Name, Number, Reference, read};

/// What has been seen behind the `&`. A name has at most 32 bytes; of a number only the sum is kept.
#[derive(Debug, Clone, Default)]
pub(crate) struct Partial {
    held: [u8; 32],
    len: usize,
    number: Option<Number>,
}

/// Result of adding a byte to a [`Partial`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The reference goes on.
    More,
    /// It is at its end, and the byte belongs to it (or to the text held).
    EndsWith(Outcome),
    /// It is at its end, and the byte follows it.
    EndsBefore(Outcome),
}

/// What a finished [`Partial`] was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// A name of so many of the held bytes; the others are text.
    Named(usize, Name),
    /// A number.
    Numeric(char),
    /// No reference: the `&` and the held bytes are text.
    Text,
}

impl Partial {
    /// The reference so far; none of its bytes ends it.
    pub(crate) fn of(rest: &[u8]) -> Self {
        let mut partial = Partial::default();
        for &byte in rest {
            partial.push(byte);
        }
        partial
    }

    /// The text held. It is ASCII and has no `&`.
    pub(crate) fn held(&self) -> &str {
        crate::invariant::utf8(crate::invariant::part(&self.held, ..self.len))
    }

    /// Adds a byte of the text.
    pub(crate) fn push(&mut self, byte: u8) -> Progress {
        if let Some(number) = &mut self.number {
            return match byte {
                b';' => Progress::EndsWith(Outcome::Numeric(number.character())),
                _ if number.push(byte) => Progress::More,
                _ => Progress::EndsBefore(Outcome::Numeric(number.character())),
            };
        }
        match (self.held(), byte) {
            ("", b'#') | ("#", b'x' | b'X') => self.hold(byte),
            ("#" | "#x" | "#X", _) => {
                let mut number = Number::new(if self.len == 1 { 10 } else { 16 });
                if !number.push(byte) {
                    return Progress::EndsBefore(Outcome::Text);
                }
                self.number = Some(number);
                Progress::More
            }
            (_, b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b';') => {
                self.hold(byte);
                match read(self.held().as_bytes(), false) {
                    Reference::Incomplete => Progress::More,
                    Reference::Named(len, name) => Progress::EndsWith(Outcome::Named(len, name)),
                    Reference::Numeric(..) | Reference::None => Progress::EndsWith(Outcome::Text),
                }
            }
            _ => Progress::EndsBefore(self.finish()),
        }
    }

    /// The result at the end of the text.
    pub(crate) fn finish(&self) -> Outcome {
        if let Some(number) = self.number {
            return Outcome::Numeric(number.character());
        }
        match read(self.held().as_bytes(), true) {
            Reference::Named(len, name) => Outcome::Named(len, name),
            _ => Outcome::Text,
        }
    }

    fn hold(&mut self, byte: u8) -> Progress {
        if let Some(free) = self.held.get_mut(self.len) {
            *free = byte;
            self.len += 1;
        }
        Progress::More
    }
}
