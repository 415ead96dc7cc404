//! The bytes of a page, for the HTML tokenizer of the crate `html5gum`.
//!
//! Versions 0.7 to 0.9 of that tokenizer recurse once for each double-quoted attribute of a tag, so a tag with some
//! thousand of them overflows the stack. [`PageReader`] interrupts the tokenizer between attributes: a read fails with
//! [`Paused`], which unwinds the stack, and the next call continues where it stopped.

mod tree;

use alloc::borrow::Cow;
use core::fmt;

use html5gum::{Readable, Reader, StringReader};

use crate::text_of_utf16;
pub use tree::read_page;

/// The tokenizer is interrupted after this many double-quoted attributes. Each takes some hundred bytes of stack.
const VALUES_IN_A_ROW: u32 = 16;

/// A page as the tokenizer reads it, on a bounded stack.
///
/// Errors of the tokenizer are interruptions: leave them out.
///
/// ```
/// use html5gum::Tokenizer;
/// use web_values::PageReader;
///
/// let attributes: String = (0..10_000).map(|n| format!("a{n}=\"\" ")).collect();
/// let page = format!("<p {attributes}>text");
/// let tokens: Vec<_> = Tokenizer::new(PageReader::new(page.as_bytes())).filter_map(Result::ok).collect();
/// assert_eq!(tokens.len(), 2);
/// ```
#[derive(Debug)]
pub struct PageReader<'h> {
    page: Cow<'h, [u8]>,
    /// Bytes that were read.
    at: usize,
    place: Place,
    values: u32,
}

/// The tokenizer's position within a tag, deduced from its reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Behind the name of an attribute and its `=`.
    BehindEquals,
    /// Behind the quote in front of a value. The tokenizer has noted its state here, so that it can be interrupted.
    BehindQuote,
    Elsewhere,
}

impl<'h> PageReader<'h> {
    /// The bytes of a page, in any encoding that extends ASCII or in UTF-16, which is decoded: read as bytes, the page would
    /// have no elements.
    #[must_use]
    pub fn new(html: &'h [u8]) -> Self {
        let page = text_of_utf16(html).map_or(Cow::Borrowed(html), |text| Cow::Owned(text.into_bytes()));
        PageReader { page, at: 0, place: Place::Elsewhere, values: 0 }
    }

    fn rest(&self) -> StringReader<'_> {
        self.page.get(self.at..).unwrap_or_default().to_reader()
    }
}

/// The tokenizer was interrupted. Its next call goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paused(());

impl fmt::Display for Paused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected no more than 16 attributes at once, found another: call again")
    }
}

impl core::error::Error for Paused {}

impl Reader for PageReader<'_> {
    type Error = Paused;

    fn read_byte(&mut self) -> Result<Option<u8>, Paused> {
        let Ok(byte) = self.rest().read_byte();
        self.at += usize::from(byte.is_some());
        self.place = match (self.place, byte) {
            (Place::BehindEquals, Some(b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')) => Place::BehindEquals,
            (Place::BehindEquals, Some(b'"')) => Place::BehindQuote,
            _ => Place::Elsewhere,
        };
        Ok(byte)
    }

    fn try_read_string(&mut self, text: &[u8], case_sensitive: bool) -> Result<bool, Paused> {
        self.place = Place::Elsewhere;
        let Ok(is_next) = self.rest().try_read_string(text, case_sensitive);
        self.at += if is_next { text.len() } else { 0 };
        Ok(is_next)
    }

    fn read_until<'b>(
        &'b mut self,
        needle: &[u8],
        buffer: &'b mut [u8; 4],
    ) -> Result<Option<&'b [u8]>, Paused> {
        let is_behind_quote = self.place == Place::BehindQuote;
        self.place = Place::Elsewhere;
        if is_behind_quote {
            self.values += 1;
            if self.values == VALUES_IN_A_ROW {
                self.values = 0;
                return Err(Paused(()));
            }
        }
        let mut rest = self.rest();
        let Ok(chunk) = rest.read_until(needle, buffer);
        let (from, len) = (self.at, chunk.map_or(0, <[u8]>::len));
        self.at += len;
        let chunk = self.page.get(from..self.at).filter(|chunk| !chunk.is_empty());
        if chunk == Some(b"=") {
            self.place = Place::BehindEquals;
        }
        Ok(chunk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::{String, ToString as _};
    use alloc::vec::Vec;

    use html5gum::{Token, Tokenizer};
    use proptest::prelude::*;

    fn tokens(html: &[u8]) -> Vec<Token> {
        Tokenizer::new(PageReader::new(html)).filter_map(Result::ok).collect()
    }

    fn on_a_stack_of<T: Send + 'static>(bytes: usize, run: impl FnOnce() -> T + Send + 'static) -> T {
        std::thread::Builder::new().stack_size(bytes).spawn(run).unwrap().join().unwrap()
    }

    #[test]
    fn a_tag_with_any_number_of_attributes() {
        for attribute in ["a#=\"\" ", "a#=\"\"", "a# = \n\"b\"/", "a#='' ", "a#=b ", "a#\t"] {
            let attributes: String = (0..20_000).map(|n| attribute.replace('#', &format!("{n}"))).collect();
            let html = format!("<p {attributes}>text");
            let mut found = on_a_stack_of(256 << 10, move || tokens(html.as_bytes()));
            // What is odd about a tag is a token too.
            found.retain(|token| !matches!(token, Token::Error(_)));
            let [Token::StartTag(tag), Token::String(_)] = found.as_slice() else { panic!("{attribute}") };
            assert_eq!(tag.attributes.len(), 20_000, "{attribute}");
        }
    }

    /// A tag of few attributes is read in one go; one of more is interrupted, blanks before the values or not.
    #[test]
    fn only_many_attributes_interrupt() {
        let pauses = |attribute: &str, count: usize| {
            let attributes: String = (0..count).map(|n| attribute.replace('#', &format!("{n}"))).collect();
            let html = format!("<p {attributes}>text");
            let read: Vec<_> = Tokenizer::new(PageReader::new(html.as_bytes())).collect();
            let pauses: Vec<_> = read.into_iter().filter_map(Result::err).collect();
            assert!(pauses.iter().all(|pause| pause.to_string().starts_with("expected no more than 16")));
            pauses.len()
        };
        for attribute in ["a#=\"b\" ", "a#= \n\"b\" "] {
            assert_eq!(
                [pauses(attribute, 15), pauses(attribute, 16), pauses(attribute, 40)],
                [0, 1, 2],
                "{attribute}"
            );
        }
    }

    proptest! {
        /// Interrupted or not, the tokens are the same.
        #[test]
        fn the_tokens_are_those_of_the_whole_page(
            pieces in prop::collection::vec(prop::sample::select(Vec::from([
                "<p ", "<script ", "</script>", "<!--", "-->", "<!DOCTYPE a PUBLIC ", "<title>", "</title>", "<![CDATA[", "]]>",
                "a", "b=", "=", "=\"", "\"", "\" ", " = \"", "'", ">", "/", "/>", " ", "\r\n", "\r", "&amp;", "&", "é", "\0", "c=\"d\" ", "e=\"f\"",
            ])), 0..200),
            repeated in 0_usize..80,
        ) {
            let html = format!("{}{}{}", pieces.concat(), "<p a=\"\" b = \"c\"d=\"=\"".repeat(repeated), pieces.concat());
            let whole = {
                // Some of these look like UTF-16.
                let html = text_of_utf16(html.as_bytes()).unwrap_or_else(|| html.clone());
                on_a_stack_of(8 << 20, move || Tokenizer::new(html.as_str()).map(|token| { let Ok(token) = token; token }).collect::<Vec<_>>())
            };
            prop_assert_eq!(tokens(html.as_bytes()), whole);
        }
    }
}
