//! A character reference whose text has not come to its end: the end of a chunk stands in the middle of it.

use super::{MAX_NAME, Reference, read};

/// What has been seen behind the `&`, as far as it matters: a number may have any number of digits.
#[derive(Debug, Clone, Default)]
pub(crate) struct Partial {
    held: [u8; MAX_NAME],
    len: usize,
}

/// With so many bytes held, a number that does not begin with a zero is beyond the last code point.
const BEYOND: usize = 16;

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

    /// Adds a byte of the text, ASCII and not `&`, and says what the reference is now.
    pub(crate) fn push(&mut self, byte: u8) -> Reference {
        match self.held() {
            "#0" | "#x0" | "#X0" if byte == b'0' => return Reference::Incomplete,
            held if held.starts_with('#') => self.len = self.len.min(BEYOND),
            _ => {}
        }
        let Some(free) = self.held.get_mut(self.len) else { crate::invariant::broken() };
        *free = byte;
        self.len += 1;
        read(self.held().as_bytes(), false)
    }
}
