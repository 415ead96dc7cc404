//! The encoding of bytes, and decoding.
//!
//! The order is the HTML standard's: byte order mark, the transport's `charset`, the first `<meta>` that declares one, an XML
//! declaration's `encoding`, statistics over the bytes, windows-1252.
//!
//! One step is an addition: a page that declares a legacy encoding but is entirely valid UTF-8, with at least
//! `MIN_SEQUENCES` multi-byte sequences, is read as UTF-8. Text in another encoding is practically never valid
//! UTF-8 by chance, and browsers show such a page as garbage.

#[cfg(feature = "encodings")]
use std::borrow::Cow;

#[cfg(feature = "encodings")]
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
#[cfg(feature = "encodings")]
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use crate::words::list::words;

/// Bytes in which the standard looks for an XML declaration.
const PRESCAN_BYTES: usize = 1024;

/// Bytes read by the statistics; more of them hardly ever change the guess.
#[cfg(feature = "encodings")]
const GUESS_BYTES: usize = 256 * 1024;

/// The encoding that `sniff` found, and its source.
#[cfg(feature = "encodings")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sniffed {
    /// The encoding.
    pub encoding: &'static Encoding,
    /// The source.
    pub source: EncodingSource,
    /// Bytes of the byte order mark, which is not text.
    pub bom_bytes: usize,
}

/// The source of the encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodingSource {
    /// A byte order mark.
    ByteOrderMark,
    /// The `charset` of the Content-Type.
    Transport,
    /// A `<meta>` in the page, or the XML declaration before it.
    Declared,
    /// The bytes themselves: nothing declares an encoding, or they are UTF-8 whatever the page declares.
    Guessed,
}

/// The label of a page's encoding, for callers with their own decoders, such as JavaScript's `TextDecoder`; it needs no
/// feature. With the feature `encodings`, [`sniff`] and [`decode`] do all of it.
///
/// `content_type` is the whole field value. `is_known` tells whether there is a decoder for a label, which is given in
/// lower case without spaces around it; unknown labels are skipped. `None` if nothing declares an encoding and the
/// bytes are not UTF-8: browsers use windows-1252 then. `O(n)`.
///
/// ```
/// use aidocument_extract::encoding::{EncodingSource, label_of};
///
/// let found = label_of(b"<meta charset=Shift_JIS>", None, |label| label == "shift_jis");
/// assert_eq!(found, Some(("shift_jis".to_owned(), EncodingSource::Declared)));
/// assert_eq!(label_of(b"Caf\xe9", None, |_| true), None);
/// ```
#[must_use]
pub fn label_of(
    bytes: &[u8],
    content_type: Option<&str>,
    mut is_known: impl FnMut(&str) -> bool,
) -> Option<(String, EncodingSource)> {
    let mut known = |label: &str| is_known(label).then(|| label.to_owned());
    if let Some(label) = byte_order_mark(bytes) {
        return Some((label.to_owned(), EncodingSource::ByteOrderMark));
    }
    told(bytes, content_type, &mut known)
        .or_else(|| std::str::from_utf8(bytes).is_ok().then(|| ("utf-8".to_owned(), EncodingSource::Guessed)))
}

/// The encoding of a page.
///
/// `content_type` is the whole field value; `top_level_domain` (such as `jp`) helps where nothing declares one.
/// `O(n)`.
#[cfg(feature = "encodings")]
#[must_use]
pub fn sniff(bytes: &[u8], content_type: Option<&str>, top_level_domain: Option<&str>) -> Sniffed {
    if let Some((encoding, bom_bytes)) = Encoding::for_bom(bytes) {
        return Sniffed { encoding, source: EncodingSource::ByteOrderMark, bom_bytes };
    }
    let (encoding, source) = told(bytes, content_type, &mut |label| Encoding::for_label(label.as_bytes()))
        .unwrap_or_else(|| (guess(bytes, top_level_domain), EncodingSource::Guessed));
    Sniffed { encoding, source, bom_bytes: 0 }
}

/// The label of a byte order mark.
fn byte_order_mark(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xEF, 0xBB, 0xBF, ..] => Some("utf-8"),
        [0xFE, 0xFF, ..] => Some("utf-16be"),
        [0xFF, 0xFE, ..] => Some("utf-16le"),
        _ => None,
    }
}

/// The encoding declared by the transport or the page, as looked up by `known`.
fn told<T>(
    bytes: &[u8],
    content_type: Option<&str>,
    known: &mut dyn FnMut(&str) -> Option<T>,
) -> Option<(T, EncodingSource)> {
    if let Some(encoding) = content_type.and_then(|value| transport_charset(value, known)) {
        return Some((encoding, EncodingSource::Transport));
    }
    let mut is_utf_8 = false;
    let mut known_here = |label: &[u8]| {
        let label = for_declaration(std::str::from_utf8(label).ok()?.trim_ascii());
        let found = known(label)?;
        is_utf_8 = UTF_8_LABELS.contains(&label);
        Some(found)
    };
    let start = || bytes.get(..PRESCAN_BYTES).unwrap_or(bytes);
    let declared = declared(bytes, &mut known_here).or_else(|| xml_declared(start(), &mut known_here))?;
    if !is_utf_8 && is_surely_utf_8(bytes) {
        return known("utf-8").map(|utf_8| (utf_8, EncodingSource::Guessed));
    }
    Some((declared, EncodingSource::Declared))
}

/// The text of `bytes` without byte order mark, malformed sequences replaced by U+FFFD. Borrows valid UTF-8.
#[cfg(feature = "encodings")]
#[must_use]
pub fn decode(bytes: &[u8], sniffed: Sniffed) -> Cow<'_, str> {
    decode_and_check(bytes, sniffed).0
}

/// The same, and whether there were malformed sequences.
#[cfg(feature = "encodings")]
pub(crate) fn decode_and_check(bytes: &[u8], sniffed: Sniffed) -> (Cow<'_, str>, bool) {
    let body = bytes.get(sniffed.bom_bytes..).unwrap_or_default();
    sniffed.encoding.decode_without_bom_handling(body)
}

#[cfg(feature = "encodings")]
fn guess(bytes: &[u8], top_level_domain: Option<&str>) -> &'static Encoding {
    // Seven-bit bytes with escapes may be ISO-2022-JP.
    if bytes.is_ascii() && memchr::memchr(0x1B, bytes).is_none() {
        return WINDOWS_1252;
    }
    if std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    let sample = bytes.get(..GUESS_BYTES).unwrap_or(bytes);
    detector.feed(sample, sample.len() == bytes.len());
    let domain = top_level_domain.filter(|domain| {
        !domain.is_empty()
            && domain.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-' || byte.is_ascii_digit())
    });
    detector.guess(domain.map(str::as_bytes), Utf8Detection::Allow)
}

/// Sequences of several bytes that tell UTF-8 from all other encodings.
const MIN_SEQUENCES: usize = 12;

/// Whether the bytes are UTF-8 and can hardly be anything else.
fn is_surely_utf_8(bytes: &[u8]) -> bool {
    let is_start = |byte: &&u8| **byte >= 0xC0;
    bytes.iter().filter(is_start).take(MIN_SEQUENCES).count() == MIN_SEQUENCES
        && std::str::from_utf8(bytes).is_ok()
}

/// The `charset` parameter of a Content-Type.
fn transport_charset<T>(content_type: &str, known: &mut dyn FnMut(&str) -> Option<T>) -> Option<T> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']).trim_ascii();
        name.trim().eq_ignore_ascii_case("charset").then(|| known(&value.to_ascii_lowercase()))?
    })
}

/// What is looked up, given in lower case.
type Known<'a, T> = &'a mut dyn FnMut(&[u8]) -> Option<T>;

/// The encoding that a `<meta>` names, read as the standard's prescan reads it: tags and comments are told apart,
/// nothing else is.
fn declared<T>(bytes: &[u8], known: Known<'_, T>) -> Option<T> {
    let mut scan = Scan { bytes, at: 0 };
    loop {
        scan.at += memchr::memchr(b'<', scan.rest())?;
        let rest = scan.rest();
        if rest.starts_with(b"<!--") {
            // `<!-->` is a whole comment: its end may share the dashes of its start.
            let end = memchr::memmem::find(rest.get(2..)?, b"-->")?;
            scan.at += 2 + end + 3;
        } else if rest.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"<meta"))
            && rest.get(5).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'/')
        {
            scan.at += 5;
            if let Some(encoding) = scan.meta(known)? {
                return Some(encoding);
            }
        } else if rest.get(1).is_some_and(u8::is_ascii_alphabetic)
            || (rest.get(1) == Some(&b'/') && rest.get(2).is_some_and(u8::is_ascii_alphabetic))
        {
            scan.at += rest.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'>')?;
            while scan.attribute()?.is_some() {}
        } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            scan.at += memchr::memchr(b'>', rest)? + 1;
        } else {
            scan.at += 1;
        }
    }
}

/// The `encoding` of an XML declaration, which counts where no `<meta>` names one.
fn xml_declared<T>(bytes: &[u8], known: Known<'_, T>) -> Option<T> {
    let declaration = bytes.strip_prefix(b"<?xml")?;
    let declaration = declaration.get(..memchr::memchr(b'>', declaration)?)?;
    let after_name = declaration.get(memchr::memmem::find(declaration, b"encoding")? + 8..)?;
    let value = after_name.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (&quote, value) = value.split_first().filter(|(quote, _)| matches!(quote, b'"' | b'\''))?;
    known(&value.get(..memchr::memchr(quote, value)?)?.to_ascii_lowercase())
}

/// The labels of UTF-8.
const UTF_8_LABELS: [&str; 6] =
    ["unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "utf-8", "utf8", "x-unicode20utf8"];

/// The labels of UTF-16.
const UTF_16_LABELS: [&str; 9] =
    words("csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff unicodefffe utf-16 utf-16be utf-16le");

/// A page whose declaration could be read as ASCII is not UTF-16, whatever the declaration says.
fn for_declaration(label: &str) -> &str {
    match label {
        "x-user-defined" => "windows-1252",
        _ if UTF_16_LABELS.contains(&label) => "utf-8",
        _ => label,
    }
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Reads the attributes of a `<meta>`. The outer `None` is the end of the bytes.
    fn meta<T>(&mut self, known: Known<'_, T>) -> Option<Option<T>> {
        let mut seen: Vec<Vec<u8>> = Vec::new();
        let mut has_pragma = false;
        let mut needs_pragma = None;
        let mut charset = None;
        while let Some((name, value)) = self.attribute()? {
            let (name, value) = (name.to_ascii_lowercase(), value.to_ascii_lowercase());
            if seen.contains(&name) {
                continue;
            }
            match name.as_slice() {
                b"http-equiv" => has_pragma |= value == b"content-type",
                b"content" => {
                    if charset.is_none()
                        && let Some(encoding) = charset_in_content(&value, known)
                    {
                        charset = Some(Some(encoding));
                        needs_pragma = Some(true);
                    }
                }
                b"charset" => {
                    charset = Some(known(&value));
                    needs_pragma = Some(false);
                }
                // Only these three may not come twice.
                _ => continue,
            }
            seen.push(name);
        }
        Some(match needs_pragma {
            Some(true) if !has_pragma => None,
            _ => charset.flatten(),
        })
    }

    /// Reads one attribute, name and value; `Some(None)` at the end of the tag, `None` at the end of the bytes.
    fn attribute(&mut self) -> Option<Option<(&[u8], &[u8])>> {
        while self.peek()?.is_ascii_whitespace() || self.peek()? == b'/' {
            self.at += 1;
        }
        if self.peek()? == b'>' {
            return Some(None);
        }
        let bytes = self.bytes;
        let start = self.at;
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'=' | b'/' | b'>');
        // An equals sign at the start belongs to the name.
        self.at += 1 + bytes.get(start + 1..)?.iter().position(is_end)?;
        let name = bytes.get(start..self.at)?;
        while self.peek()?.is_ascii_whitespace() {
            self.at += 1;
        }
        if self.peek()? != b'=' {
            return Some(Some((name, &[])));
        }
        self.at += 1;
        while self.peek()?.is_ascii_whitespace() {
            self.at += 1;
        }
        let quote = self.peek().filter(|byte| matches!(byte, b'"' | b'\''));
        self.at += usize::from(quote.is_some());
        let rest = bytes.get(self.at..)?;
        let length = match quote {
            Some(quote) => memchr::memchr(quote, rest)?,
            None => rest.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'>')?,
        };
        self.at += length + usize::from(quote.is_some());
        Some(Some((name, rest.get(..length)?)))
    }
}

/// The encoding after `charset=` in the content of a pragma, as in `text/html; charset=utf-8`.
fn charset_in_content<T>(content: &[u8], known: Known<'_, T>) -> Option<T> {
    let mut rest = content;
    loop {
        rest = rest.get(memchr::memmem::find(rest, b"charset")? + 7..)?;
        let Some(value) = rest.trim_ascii_start().strip_prefix(b"=") else { continue };
        let value = value.trim_ascii_start();
        let label = match value.first()? {
            quote @ (b'"' | b'\'') => {
                let inner = value.get(1..)?;
                inner.get(..memchr::memchr(*quote, inner)?)?
            }
            _ => value.split(|byte| byte.is_ascii_whitespace() || *byte == b';').next()?,
        };
        return known(label);
    }
}

#[cfg(test)]
#[cfg(feature = "encodings")]
mod tests {
    use super::*;
    use crate::html5lib_tests::files;

    /// Cases of our own, then those of html5lib-tests where a copy is.
    #[test]
    fn encodings_are_those_of_the_standard() {
        let own: &[u8] = b"#data\n<meta charset=koi8-r>\n#encoding\nkoi8-r\n\
            #data\n<META HTTP-EQUIV='content-type' CONTENT='text/html; charset=\"Shift_JIS\"'>\n#encoding\nshift_jis\n\
            #data\n<!-- <meta charset=koi8-r> --><meta charset=gbk>\n#encoding\ngbk\n\
            #data\n<meta name=x content='charset=koi8-r'><p title='<meta charset=gbk>'>a\n#encoding\nwindows-1252\n\
            #data\n<meta charset=utf-16>\xc3\xa9\n#encoding\nutf-8\n\
            #data\n\xef\xbb\xbf<meta charset=koi8-r>\n#encoding\nutf-8\n\
            #data\n<meta charset=x-user-defined>\n#encoding\nwindows-1252\n";
        let mut failures = Vec::new();
        let run_own = run("our own", own, &mut failures);
        assert_eq!(run_own, 7);
        let theirs: usize =
            files("encoding", "dat").iter().map(|(name, text)| run(name, text, &mut failures)).sum();
        println!("{theirs} encoding cases of html5lib, {run_own} of our own, {} failed", failures.len());
        assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    }

    /// Each turn that the standard's algorithm takes through attributes, contents and declarations, on a page that says
    /// `iso-8859-7` in many ways, or does not.
    #[test]
    fn declarations_are_read_as_the_standard_reads_them() {
        let mut failures = Vec::new();
        for (page, is_found) in [
            ("<meta charset=iso-8859-7>", true),
            ("<META CHARSET = 'ISO-8859-7' >", true),
            ("<meta/charset=iso-8859-7/>", false), // the slash is part of an unquoted value
            ("<meta/charset='iso-8859-7'/>", true),
            ("<meta\tcharset\n=\x0c\"greek\">", true),
            ("<meta a charset=greek>", true),
            ("<meta a b=c charset=greek>", true),
            ("<meta a / charset=greek>", true),
            ("<meta a='>' charset=greek>", true),
            ("<meta a=\"'>\" charset=greek>", true),
            // A sign of equality begins a name where there is none yet.
            ("<meta =charset=greek>", false),
            ("<meta =a charset=greek>", true),
            ("<meta = charset=greek>", true),
            ("<meta charset=greek charset=utf-8>", true),
            ("<meta charset=utf-8 charset=greek>", false),
            ("<meta charset=nothing><meta charset=greek>", true),
            ("<meta charset=><meta charset=greek>", true),
            ("<metacharset=greek>", false),
            ("<meta charset=greek", false), // the end comes first
            ("<meta http-equiv=content-type content='text/html; charset=greek'>", true),
            ("<meta content='text/html; charset=greek' http-equiv=Content-Type>", true),
            ("<meta content='text/html; charset=greek'>", false),
            ("<meta http-equiv=refresh content='text/html; charset=greek'>", false),
            ("<meta http-equiv=content-type content='charset = greek; x'>", true),
            ("<meta http-equiv=content-type content='charset=greek x'>", true),
            ("<meta http-equiv=content-type content='charset=\"greek\"x'>", true),
            ("<meta http-equiv=content-type content=\"charset='greek'\">", true),
            ("<meta http-equiv=content-type content='charset=\"greek'>", false),
            ("<meta http-equiv=content-type content=\"charset='greek\">", false),
            ("<meta http-equiv=content-type content='charset charset=greek'>", true),
            ("<meta http-equiv=content-type content='charset'>", false),
            ("<meta http-equiv=content-type content='xcharset=greek'>", true),
            ("<!-- <meta charset=greek> -->", false),
            ("<!--><meta charset=greek>", true),
            ("<!-- x --><meta charset=greek>", true),
            ("<!x><meta charset=greek>", true),
            ("<?x <meta charset=greek>?>", false),
            ("</x><meta charset=greek>", true),
            ("</x a='<meta charset=greek>'>", false),
            ("<p a=\"<meta charset=greek>\">", false),
            ("<p a><meta charset=greek>", true),
            ("< meta charset=greek>", false),
            ("<1><meta charset=greek>", true),
            ("<?xml version='1.0' encoding='iso-8859-7'?><p>", true),
            ("<?xml version='1.0' encoding = \"GREEK\" ?><p>", true),
            ("<?xml version='1.0' encoding=greek?><p>", false),
            ("<?xml version='1.0' encoding='greek?><p>", false),
            ("<?xml version='1.0' encoding?><p>", false),
            ("<?xml version='1.0'?><p encoding='greek'>", false),
            (" <?xml version='1.0' encoding='greek'?><p>", false),
            ("<?xml version='1.0' encoding='greek'?><meta charset=windows-1252>", false),
            ("<?xml version='1.0' encoding='utf-8'?><meta charset=greek>", true),
        ] {
            let expected = if is_found { "iso-8859-7" } else { "" };
            let found = {
                let mut page = page.as_bytes().to_vec();
                // No byte of UTF-8, so that nothing else decides.
                page.extend(b"\xe4");
                label_of(&page, None, is_known).map(|(label, _)| label)
            };
            let is_greek = found
                .as_deref()
                .and_then(|label| Encoding::for_label(label.as_bytes()))
                .is_some_and(|it| it.name() == "ISO-8859-7");
            if is_greek != is_found {
                failures.push(format!("{page}: expected {expected:?}, found {found:?}"));
            }
        }
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }

    #[test]
    fn labels_are_those_of_the_standard() {
        for label in UTF_8_LABELS {
            assert_eq!(Encoding::for_label(label.as_bytes()), Some(UTF_8), "{label}");
        }
        for label in UTF_16_LABELS {
            let encoding = Encoding::for_label(label.as_bytes()).unwrap();
            assert!(encoding.name().starts_with("UTF-16"), "{label}");
            assert_eq!(for_declaration(label), "utf-8");
        }
    }

    /// A decoder for every label, as the caller of [`label_of`] has it.
    fn is_known(label: &str) -> bool {
        Encoding::for_label(label.as_bytes()).is_some()
    }

    #[test]
    fn a_label_is_found_without_decoders() {
        use EncodingSource::{ByteOrderMark, Declared, Guessed, Transport};
        let sjis = Some("text/html; charset=\"Shift_JIS\"");
        let utf_8 = format!("<meta charset=gb2312>{}", "水磨一天转两次".repeat(2));
        for (bytes, content_type, expected) in [
            (&b"\xef\xbb\xbf<meta charset=gbk>"[..], None, Some(("utf-8", ByteOrderMark))),
            (b"\xfe\xff\0a", None, Some(("utf-16be", ByteOrderMark))),
            (b"\xff\xfea\0", None, Some(("utf-16le", ByteOrderMark))),
            (b"<meta charset=gbk>", sjis, Some(("shift_jis", Transport))),
            (b"<meta charset=' GBK '>", Some("text/html"), Some(("gbk", Declared))),
            (b"<meta charset=utf-16>", None, Some(("utf-8", Declared))),
            (b"<meta charset=x-user-defined>", None, Some(("windows-1252", Declared))),
            (b"<meta charset=none><meta charset=koi8-r>", None, Some(("koi8-r", Declared))),
            (utf_8.as_bytes(), None, Some(("utf-8", Guessed))),
            ("Café".as_bytes(), None, Some(("utf-8", Guessed))),
            (b"Caf\xe9", None, None),
        ] {
            let found = label_of(bytes, content_type, is_known);
            let found = found.as_ref().map(|(label, source)| (label.as_str(), *source));
            assert_eq!(found, expected, "{}", String::from_utf8_lossy(bytes));
        }
        assert_eq!(label_of(b"<meta charset=gbk>\xe9", None, |_| false), None);
    }

    fn run(name: &str, text: &[u8], failures: &mut Vec<String>) -> usize {
        let (mut run, mut rest) = (0, text);
        while let Some(start) = memchr::memmem::find(rest, b"#data\n") {
            let case = &rest[start + 6..];
            let end = memchr::memmem::find(case, b"\n#encoding\n").unwrap();
            let after = &case[end + 11..];
            let line = memchr::memchr(b'\n', after).unwrap_or(after.len());
            let expected = Encoding::for_label(&after[..line]).unwrap();
            let found = sniff(&case[..end], None, None);
            run += 1;
            if found.encoding != expected {
                failures.push(format!(
                    "{name}: {} not {}: {}",
                    found.encoding.name(),
                    expected.name(),
                    String::from_utf8_lossy(&case[..end.min(600)])
                ));
            }
            rest = &after[line..];
        }
        run
    }
}
