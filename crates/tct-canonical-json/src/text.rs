//! JSON text to canonical bytes: one pass over the text, without recursion.
//!
//! The [grammar](crate::grammar) finds the parts of the text, and only those that change are passed to the
//! [`Writer`].

use alloc::vec::Vec;

use crate::arrange::Arrangement;
use crate::canonicalizer::Limits;
use crate::error::{JsonError, JsonErrorKind as Kind};
use crate::fault::{Fault, Spot};
use crate::grammar::{Container, Parts, read};
use crate::invariant::part;
use crate::number::Number;
use crate::profile::Profile;
use crate::scan::{append, short_word, word_between};
use crate::string::{first_difference, short_escape, write_ascii};
use crate::unescape::decoded_word;
use crate::writer::{Name, Place, Writer};

/// Appends the canonical form of one JSON document to `out`, except for the last pass.
pub(crate) fn canonicalize(
    text: &[u8],
    profile: Profile,
    limits: &Limits,
    out: &mut Vec<u8>,
) -> Result<Arrangement, JsonError> {
    if text.len() > limits.max_input {
        return Err(Fault::beyond(Kind::TooLarge, limits.max_input, limits.max_input).describe(text, None));
    }
    out.reserve(text.len());
    let max_position = out.len().saturating_add(limits.max_output);
    let writer = Writer::new(profile, limits.max_depth, text, out);
    let mut rewriter = Rewriter {
        text,
        writer,
        max_position,
        max_output: limits.max_output,
        string: 0,
        start: 0,
        escaped: false,
        rewritten: false,
    };
    read(text, &mut rewriter)?;
    if rewriter.writer.position(text.len()) > max_position {
        return Err(rewriter.fail(output_too_large(text.len(), limits.max_output), Spot::Document));
    }
    // White space at the end was skipped: nothing else is behind the document.
    Ok(rewriter.writer.finish(text.len()))
}

/// The canonical form of the text up to `at` is longer than the limit.
#[cold]
fn output_too_large(at: usize, limit: usize) -> Fault {
    Fault { expected: "canonical", ..Fault::beyond(Kind::TooLarge, at, limit) }
}

struct Rewriter<'t> {
    text: &'t [u8],
    writer: Writer<'t>,
    /// Length of the output with which the canonical form is as long as it may be.
    max_position: usize,
    max_output: usize,
    /// Opening quote of the string that is being read.
    string: usize,
    /// Its position in the output, where it is rewritten.
    start: usize,
    /// Whether its canonical form has escapes.
    escaped: bool,
    /// Whether its canonical form is not the text's own.
    rewritten: bool,
}

impl Rewriter<'_> {
    /// A name that has escapes, or had some.
    #[inline(never)]
    fn rare_name(&mut self, quote: usize, end: usize) {
        let (spelled, place, start) = if self.rewritten {
            // It is not in the source as it should be, so it is compared in the output.
            self.writer.skip(end, end);
            (part(self.writer.out, self.start + 1..self.writer.out.len() - 1), Place::Output, self.start)
        } else {
            (part(self.text, quote + 1..end - 1), Place::Source, self.writer.position(quote))
        };
        let first = if self.escaped { decoded_word(spelled) } else { short_word(spelled) };
        self.writer.name(quote, start, Name::new(spelled.len(), self.escaped, place), first);
    }

    /// A `\/`, a `\uXXXX`, or two of them for a surrogate pair.
    fn other_escape(&mut self, start: usize, end: usize, character: char) {
        let ascii = u8::try_from(character).ok().filter(u8::is_ascii);
        self.escaped |= ascii.is_some_and(|byte| byte < b' ' || short_escape(byte).is_some());
        if first_difference(part(self.text, start..end), character).is_none() {
            return;
        }
        if !self.rewritten {
            self.start = self.writer.position(self.string);
            self.rewritten = true;
        }
        self.writer.skip(start, end);
        match ascii {
            Some(byte) => write_ascii(byte, self.writer.out),
            None => {
                let mut utf8 = [0; 4];
                self.writer.out.extend_from_slice(character.encode_utf8(&mut utf8).as_bytes());
            }
        }
    }
}

impl Parts for Rewriter<'_> {
    type Error = JsonError;

    const CHECKS_UTF8: bool = true;

    /// An open object may contain a repeated name that is earlier in the text than the fault.
    #[cold]
    fn fail(&mut self, fault: Fault, spot: Spot) -> JsonError {
        let path = match spot {
            Spot::Value => Some(self.writer.path()),
            Spot::Container => Some(self.writer.container_path()),
            Spot::Document => None,
        };
        match self.writer.first_repeated().map(|(at, path)| (Fault::repeated(at), path)) {
            Some((repeated, path)) if repeated.is_before(&fault) => repeated.describe(self.text, Some(path)),
            _ => fault.describe(self.text, path),
        }
    }

    #[inline(always)]
    fn white_space(&mut self, from: usize, to: usize) -> Result<(), JsonError> {
        self.writer.skip(from, to);
        Ok(())
    }

    #[inline(always)]
    fn open(&mut self, container: Container, at: usize) -> Result<(), JsonError> {
        if self.writer.is_full() {
            return Err(self.fail(Fault::beyond(Kind::TooDeep, at, self.writer.max_depth()), Spot::Value));
        }
        self.writer.open(container, at);
        Ok(())
    }

    #[inline(always)]
    fn item_ended(&mut self) {
        self.writer.item_ended();
    }

    #[inline(always)]
    fn close(&mut self, at: usize) -> Result<Option<Container>, JsonError> {
        if let Err(repeated) = self.writer.close(at) {
            return Err(self.fail(Fault::repeated(repeated.at()), Spot::Container));
        }
        Ok(self.writer.container())
    }

    #[inline(always)]
    fn string_begins(&mut self, quote: usize) {
        self.string = quote;
        self.escaped = false;
        self.rewritten = false;
    }

    #[inline(always)]
    fn plain_escapes(&mut self) {
        self.escaped = true;
    }

    #[inline(always)]
    fn escape(
        &mut self,
        start: usize,
        end: usize,
        character: Option<char>,
        spot: Spot,
    ) -> Result<(), JsonError> {
        let Some(character) = character else {
            return Err(self.fail(Fault::new(Kind::LoneSurrogate, start, "a surrogate pair"), spot));
        };
        self.other_escape(start, end, character);
        Ok(())
    }

    #[inline(always)]
    fn name(&mut self, quote: usize, end: usize, _escaped: bool) -> Result<(), JsonError> {
        if self.rewritten || self.escaped {
            self.rare_name(quote, end);
            return Ok(());
        }
        let first = word_between(self.text, quote + 1, end - 1);
        let start = self.writer.position(quote);
        self.writer.name(quote, start, Name::new(end - quote - 2, false, Place::Source), first);
        Ok(())
    }

    #[inline(always)]
    fn number(&mut self, start: usize, number: Number) -> Result<(), JsonError> {
        let end = start + number.len;
        let mut is_other = false;
        let same = number.compare_with_canonical(part(self.text, start..), |same, piece| {
            if !is_other {
                is_other = true;
                self.writer.skip(start + same, end);
            }
            append(self.writer.out, piece);
        });
        let Some(same) = same else {
            return Err(self.fail(Fault::overflow(start, end), Spot::Value));
        };
        if is_other {
            // Nothing but numbers takes more room than in the text.
            if self.writer.position(end) > self.max_position {
                let limit = self.max_output;
                return Err(self.fail(output_too_large(start, limit), Spot::Value));
            }
        } else if same < number.len {
            self.writer.skip(start + same, end);
        }
        Ok(())
    }
}
