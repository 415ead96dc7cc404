//! The syntax of members: URLs, language tags, media types, timestamps.

use core::net::Ipv6Addr;
use core::str::FromStr as _;

use url::Url;
use web_values::Timestamp;

/// The URL as RFC 3986 spells it, which documents and sitemaps of this draft demand: the URL Standard leaves signs such as `[` and `|`
/// in a path or query as they are.
///
/// ```
/// let url = "https://example.com/[slug]?a|b".parse().unwrap();
/// assert_eq!(tct::v03::as_uri(&url).as_str(), "https://example.com/%5Bslug%5D?a%7Cb");
/// ```
///
/// Spec: TCT draft-03; TCT3-DOC-4, TCT3-SM-4, TCT3-AMB-6; RFC 3986, appendix A.
#[must_use]
pub fn as_uri(url: &Url) -> Url {
    let is_written = |byte| byte == b'%' || is_uri_byte(byte);
    let written = |byte: u8| if is_written(byte) { char::from(byte).into() } else { format!("%{byte:02X}") };
    let escaped = |part: &str| part.bytes().map(written).collect::<String>();
    let mut uri = url.clone();
    uri.set_path(&escaped(url.path()));
    uri.set_query(url.query().map(escaped).as_deref());
    uri
}

/// Whether a path or a query of RFC 3986 may hold this byte as it is.
pub(crate) fn is_uri_byte(byte: u8) -> bool {
    is_of(byte, PLAIN | COLON_OR_AT | SLASH | QUESTION_MARK)
}

/// Whether a text is an absolute `http` or `https` URI with a host, by the grammar of RFC 3986: printable ASCII,
/// complete percent-escapes, a port up to 65,535. Nothing is normalised; credentials and a fragment are part of the
/// grammar.
///
/// Spec: TCT draft-03; TCT3-DOC-4, TCT3-SM-4, TCT3-AMB-3, TCT3-AMB-6; RFC 3986, appendix A.
pub(crate) fn is_http_uri(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_scheme =
        |scheme: &[u8]| bytes.get(..scheme.len()).is_some_and(|own| own.eq_ignore_ascii_case(scheme));
    let at = match (is_scheme(b"https://"), is_scheme(b"http://")) {
        (true, _) => 8,
        (_, true) => 7,
        _ => return false,
    };
    // Most authorities are a name alone.
    let Some(mut end) = part_end(bytes, at, PLAIN) else { return false };
    if end == at || !matches!(bytes.get(end), None | Some(b'/' | b'?' | b'#')) {
        let rest = text.get(at..).unwrap_or_default();
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if !is_authority(authority) {
            return false;
        }
        end = at + authority.len();
    }
    let path = part_end(bytes, end, PLAIN | COLON_OR_AT | SLASH);
    let query = path.and_then(|end| match bytes.get(end) {
        Some(b'?') => part_end(bytes, end + 1, PLAIN | COLON_OR_AT | SLASH | QUESTION_MARK),
        _ => Some(end),
    });
    let fragment = query.and_then(|end| match bytes.get(end) {
        Some(b'#') => part_end(bytes, end + 1, PLAIN | COLON_OR_AT | SLASH | QUESTION_MARK),
        _ => Some(end),
    });
    fragment == Some(bytes.len())
}

/// Unreserved characters and sub-delimiters of URIs.
const PLAIN: u8 = 1;
const COLON: u8 = 2;
const AT: u8 = 4;
const COLON_OR_AT: u8 = COLON | AT;
const SLASH: u8 = 8;
const QUESTION_MARK: u8 = 16;
/// Characters of tokens in HTTP fields.
const TOKEN: u8 = 32;

/// The classes of each byte.
#[expect(clippy::indexing_slicing, reason = "an index out of range does not compile")]
const CLASSES: [u8; 256] = {
    const fn has(set: &[u8], byte: u8) -> bool {
        let mut at = 0;
        while at < set.len() {
            if set[at] == byte {
                return true;
            }
            at += 1;
        }
        false
    }
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        let own = byte as u8;
        let is_letter = own.is_ascii_alphanumeric();
        classes[byte] = match own {
            b':' => COLON,
            b'@' => AT,
            b'/' => SLASH,
            b'?' => QUESTION_MARK,
            _ if is_letter || has(b"-._~!$&'()*+,;=", own) => PLAIN,
            _ => 0,
        };
        if is_letter || has(b"!#$%&'*+-.^_`|~", own) {
            classes[byte] |= TOKEN;
        }
        byte += 1;
    }
    classes
};

#[inline]
fn is_of(byte: u8, classes: u8) -> bool {
    CLASSES.get(usize::from(byte)).is_some_and(|own| own & classes != 0)
}

/// The end of the characters of these classes and of complete escapes that begin at `at`; `None` behind a `%` that
/// begins no escape.
fn part_end(bytes: &[u8], mut at: usize, classes: u8) -> Option<usize> {
    loop {
        match bytes.get(at) {
            Some(&byte) if is_of(byte, classes) => at += 1,
            Some(b'%') => {
                let is_escape = matches!(bytes.get(at + 1..at + 3), Some([high, low])
                    if high.is_ascii_hexdigit() && low.is_ascii_hexdigit());
                at = is_escape.then_some(at + 3)?;
            }
            _ => return Some(at),
        }
    }
}

/// Whether a URI holds a user name or a password.
pub(super) fn has_credentials(uri: &str) -> bool {
    let authority = uri.split_once("://").map_or("", |(_, rest)| rest);
    authority.split(['/', '?', '#']).next().unwrap_or_default().contains('@')
}

fn is_authority(authority: &str) -> bool {
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let (host, port) = match host.strip_prefix('[') {
        Some(literal) => {
            let Some((address, port)) = literal.split_once(']') else { return false };
            let is_future = address
                .strip_prefix(['v', 'V'])
                .and_then(|rest| rest.split_once('.'))
                .is_some_and(|(version, rest)| {
                    !version.is_empty()
                        && version.bytes().all(|byte| byte.is_ascii_hexdigit())
                        && !rest.is_empty()
                        && !rest.contains('%')
                        && is_made_of(rest, COLON)
                });
            if !is_future && Ipv6Addr::from_str(address).is_err() {
                return false;
            }
            (None, port)
        }
        None => {
            let end = host.find(':').unwrap_or(host.len());
            let (name, port) = host.split_at(end);
            (Some(name), port)
        }
    };
    let is_host = host.is_none_or(|name| !name.is_empty() && is_made_of(name, 0));
    let is_port = match port.strip_prefix(':') {
        None => port.is_empty(),
        Some(digits) => {
            digits.bytes().all(|byte| byte.is_ascii_digit())
                && (digits.is_empty() || digits.trim_start_matches('0').len() <= 5)
                && digits.trim_start_matches('0').parse::<u32>().unwrap_or(0) <= 65_535
        }
    };
    is_host && is_port && is_made_of(user, COLON)
}

/// Whether a part consists of unreserved characters, sub-delimiters, complete escapes and `more`.
fn is_made_of(part: &str, more: u8) -> bool {
    part_end(part.as_bytes(), 0, PLAIN | more) == Some(part.len())
}

/// Whether a text is a well-formed language tag: [`web_values::Language`].
///
/// Spec: TCT draft-03; TCT3-DOC-5, TCT3-AMB-5; RFC 5646, section 2.1.
pub(super) fn is_language_tag(text: &str) -> bool {
    web_values::Language::is_well_formed(text)
}

/// Whether a text is a media type with optional parameters, by the grammar of RFC 9110. Empty parameters and white
/// space around the whole are refused: a stored value has no use for either.
///
/// Spec: TCT draft-03; TCT3-DOC-6, TCT3-AMB-4, TCT3-AMB-8; RFC 9110, section 8.3.1.
pub(crate) fn is_media_type(text: &str) -> bool {
    let mut rest = text.as_bytes();
    let is_essence = token(&mut rest) && eat(&mut rest, b'/') && token(&mut rest);
    if !is_essence {
        return false;
    }
    while !rest.is_empty() {
        skip_space(&mut rest);
        if !eat(&mut rest, b';') {
            return false;
        }
        skip_space(&mut rest);
        let is_parameter =
            token(&mut rest) && eat(&mut rest, b'=') && (token(&mut rest) || quoted(&mut rest));
        if !is_parameter {
            return false;
        }
    }
    true
}

fn eat(rest: &mut &[u8], byte: u8) -> bool {
    rest.strip_prefix(&[byte]).inspect(|tail| *rest = tail).is_some()
}

fn skip_space(rest: &mut &[u8]) {
    while let [b' ' | b'\t', tail @ ..] = *rest {
        *rest = tail;
    }
}

fn token(rest: &mut &[u8]) -> bool {
    let len = rest.iter().take_while(|byte| is_of(**byte, TOKEN)).count();
    *rest = rest.get(len..).unwrap_or_default();
    len > 0
}

fn quoted(rest: &mut &[u8]) -> bool {
    if !eat(rest, b'"') {
        return false;
    }
    loop {
        let (byte, tail) = match *rest {
            [b'"', tail @ ..] => {
                *rest = tail;
                return true;
            }
            [b'\\', byte, tail @ ..] | [byte, tail @ ..] => (*byte, tail),
            [] => return false,
        };
        if byte != b'\t' && byte < b' ' || byte == 0x7F {
            return false;
        }
        *rest = tail;
    }
}

/// Returns true if a text is an RFC 3339 timestamp in the form of draft -03: capital `T`, capital `Z` or a numeric
/// offset, a date that exists, and second 60 only where the instant is 23:59:60 UTC.
///
/// Spec: TCT draft-03; TCT3-SM-6, TCT3-AMB-7.
pub(crate) fn is_timestamp(text: &str) -> bool {
    !text.contains(['t', 'z']) && Timestamp::parse(text).is_ok()
}
