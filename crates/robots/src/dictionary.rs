//! A reader for structured-field dictionaries (RFC 9651), as far as usage preferences need it: the members whose
//! value is a token, and whether the whole text parses.
//!
//! The `sfv` crate does more, and needs `std`.
//!
//! ```text
//! dictionary  member *( OWS "," OWS member )          keys: a-z or *, then a-z 0-9 _ - . *
//! member      key [ "=" ( item | "(" items ")" ) ] *( ";" *SP key [ "=" bare item ] )
//! bare item   number  "string"  token  :base64:  ?0  @date  %"display string"
//! ```

use alloc::vec::Vec;

/// A member that is a token: its key and the token. `None` stands for any other value.
type Member<'a> = (&'a [u8], Option<&'a [u8]>);

/// The members in order, including several with the same key; `None` if the text is not a dictionary.
pub(crate) fn members(text: &[u8]) -> Option<Vec<Member<'_>>> {
    let mut rest = Scanner(text.trim_ascii());
    let mut members = Vec::new();
    if rest.0.is_empty() {
        return Some(members);
    }
    loop {
        let key = rest.key()?;
        let value = match rest.eat(b'=') {
            false => None,
            true if rest.eat(b'(') => {
                rest.inner_list()?;
                None
            }
            true => rest.bare_item()?,
        };
        rest.parameters()?;
        members.push((key, value));
        rest.skip(b" \t");
        if rest.0.is_empty() {
            return Some(members);
        }
        if !rest.eat(b',') {
            return None;
        }
        rest.skip(b" \t");
    }
}

/// The rest of the text.
struct Scanner<'a>(&'a [u8]);

impl<'a> Scanner<'a> {
    fn eat(&mut self, byte: u8) -> bool {
        let tail = self.0.strip_prefix(&[byte]);
        self.0 = tail.unwrap_or(self.0);
        tail.is_some()
    }

    fn skip(&mut self, bytes: &[u8]) {
        self.run(|b| bytes.contains(&b));
    }

    /// Takes the longest prefix whose bytes all satisfy the predicate.
    fn run(&mut self, fits: impl Fn(u8) -> bool) -> &'a [u8] {
        let end = self.0.iter().position(|b| !fits(*b)).unwrap_or(self.0.len());
        let (run, rest) = self.0.split_at_checked(end).unwrap_or((self.0, &[]));
        self.0 = rest;
        run
    }

    fn key(&mut self) -> Option<&'a [u8]> {
        let first = *self.0.first()?;
        (first.is_ascii_lowercase() || first == b'*').then(|| {
            self.run(|b| {
                b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-' | b'.' | b'*')
            })
        })
    }

    fn parameters(&mut self) -> Option<()> {
        while self.eat(b';') {
            self.skip(b" ");
            self.key()?;
            if self.eat(b'=') {
                self.bare_item()?;
            }
        }
        Some(())
    }

    fn inner_list(&mut self) -> Option<()> {
        loop {
            self.skip(b" ");
            if self.eat(b')') {
                return Some(());
            }
            self.bare_item()?;
            self.parameters()?;
            if !matches!(self.0.first()?, b' ' | b')') {
                return None;
            }
        }
    }

    /// The item's token, or `Some(None)` for an item of another type.
    fn bare_item(&mut self) -> Option<Option<&'a [u8]>> {
        match *self.0.first()? {
            b'*' | b'a'..=b'z' | b'A'..=b'Z' => {
                return Some(Some(
                    self.run(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~:/".contains(&b)),
                ));
            }
            b'"' => {
                self.eat(b'"');
                self.string()?;
            }
            b':' => {
                self.eat(b':');
                self.run(|b| b.is_ascii_alphanumeric() || b"+/=".contains(&b));
                self.eat(b':').then_some(())?;
            }
            b'?' => {
                self.eat(b'?');
                (self.eat(b'0') || self.eat(b'1')).then_some(())?;
            }
            b'@' => {
                self.eat(b'@');
                self.number(false)?;
            }
            b'%' => {
                self.eat(b'%');
                self.eat(b'"').then_some(())?;
                self.display_string()?;
            }
            _ => self.number(true)?,
        }
        Some(None)
    }

    fn number(&mut self, decimal: bool) -> Option<()> {
        self.eat(b'-');
        let whole = self.run(|b| b.is_ascii_digit()).len();
        let fraction = match decimal && self.eat(b'.') {
            true => Some(self.run(|b| b.is_ascii_digit()).len()),
            false => None,
        };
        let fits = match fraction {
            None => (1..=15).contains(&whole),
            Some(fraction) => (1..=12).contains(&whole) && (1..=3).contains(&fraction),
        };
        fits.then_some(())
    }

    fn string(&mut self) -> Option<()> {
        loop {
            self.run(|b| matches!(b, b' '..=b'~') && b != b'"' && b != b'\\');
            if self.eat(b'"') {
                return Some(());
            }
            (self.eat(b'\\') && (self.eat(b'"') || self.eat(b'\\'))).then_some(())?;
        }
    }

    fn display_string(&mut self) -> Option<()> {
        loop {
            self.run(|b| matches!(b, b' '..=b'~') && b != b'"' && b != b'%');
            if self.eat(b'"') {
                return Some(());
            }
            self.eat(b'%').then_some(())?;
            let (hex, rest) = self.0.split_at_checked(2)?;
            hex.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')).then_some(())?;
            self.0 = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_parse_and_their_tokens() {
        for (text, tokens) in [
            ("", &[][..]),
            ("train-ai=n", &[("train-ai", Some("n"))]),
            (" a=y ,\tb=n;p;q=1 ", &[("a", Some("y")), ("b", Some("n"))]),
            (
                "a, b=?0, c=1.5, d=\"x\\\"y\", e=:aGk=:, f=@-1, g=%\"%c3%a4\"",
                &[("a", None), ("b", None), ("c", None), ("d", None), ("e", None), ("f", None), ("g", None)],
            ),
            ("a=(x y;q \"z\"), b=*x/y", &[("a", None), ("b", Some("*x/y"))]),
            ("a=y, a=n", &[("a", Some("y")), ("a", Some("n"))]),
            ("*=yes, a.b_c-d*=Y", &[("*", Some("yes")), ("a.b_c-d*", Some("Y"))]),
        ] {
            let read = members(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
            let expected: Vec<_> = tokens.iter().map(|(k, v)| (k.as_bytes(), v.map(str::as_bytes))).collect();
            assert_eq!(read, expected, "{text}");
        }
    }

    #[test]
    fn texts_that_do_not() {
        for text in [
            "Train-AI=n",
            "a = n",
            "a=n,",
            "a=n b=y",
            "a=",
            ",",
            "a=n;",
            "a=(x",
            "a=(x,y)",
            "a=\"x",
            "a=:x",
            "a=?2",
            "a=1.",
            "a=1.2345",
            "a=1234567890123456",
            "a=@1.5",
            "a=%\"%C3\"",
            "a=ä",
            "ä=y",
            "a=n;;b",
            "1=a",
            "a==b",
        ] {
            assert_eq!(members(text.as_bytes()), None, "{text}");
        }
    }
}
