//! URLs of messages, split into parts and never rewritten.
//!
//! Signatures cover the text of a URL as it was sent, so nothing is resolved, decoded or sorted here. Only two
//! parts are normalised: the authority (host in lower case, default port left out) and the empty path, as RFC 9421
//! says.

use core::fmt;
use core::net::Ipv6Addr;

/// The two schemes that messages travel under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scheme {
    Http,
    Https,
}

impl Scheme {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Scheme::Http => "http",
            Scheme::Https => "https",
        }
    }

    const fn default_port(self) -> u16 {
        match self {
            Scheme::Http => 80,
            Scheme::Https => 443,
        }
    }
}

/// An absolute http(s) URL in its parts, borrowed.
///
/// Spec: SIG9421-URL-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Target<'a> {
    pub(crate) scheme: Scheme,
    /// As written: an IPv6 address in brackets, letters in any case.
    pub(crate) host: &'a str,
    pub(crate) port: Option<u16>,
    /// As written, maybe empty.
    path: &'a str,
    /// Without the question mark.
    pub(crate) query: Option<&'a str>,
}

/// Why a text is not the URL of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum UrlFault {
    /// An octet outside of visible ASCII.
    NotVisibleAscii,
    /// No `scheme://`.
    NotAbsolute,
    /// A scheme other than `http` and `https`.
    Scheme,
    /// User name or password.
    Userinfo,
    /// No host, or characters that a host cannot have.
    Host,
    /// A port that is not a number up to 65535.
    Port,
}

impl fmt::Display for UrlFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UrlFault::NotVisibleAscii => "an octet outside of visible ascii",
            UrlFault::NotAbsolute => "no scheme and host",
            UrlFault::Scheme => "a scheme other than http and https",
            UrlFault::Userinfo => "user information",
            UrlFault::Host => "no host",
            UrlFault::Port => "a port that is not a number up to 65535",
        })
    }
}

impl<'a> Target<'a> {
    /// Splits a URL; the offset of a fault is that of the part at fault.
    pub(crate) fn parse(url: &'a str) -> Result<Self, (UrlFault, usize)> {
        if let Some(at) = url.bytes().position(|b| !b.is_ascii_graphic()) {
            return Err((UrlFault::NotVisibleAscii, at));
        }
        let (scheme, rest) = url.split_once("://").ok_or((UrlFault::NotAbsolute, 0))?;
        let scheme = if scheme.eq_ignore_ascii_case("https") {
            Scheme::Https
        } else if scheme.eq_ignore_ascii_case("http") {
            Scheme::Http
        } else if is_scheme(scheme) {
            return Err((UrlFault::Scheme, 0));
        } else {
            return Err((UrlFault::NotAbsolute, 0));
        };
        let authority_at = url.len() - rest.len();
        let rest = rest.split('#').next().unwrap_or_default();
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at_checked(end).unwrap_or((rest, ""));
        if let Some(at) = authority.find('@') {
            return Err((UrlFault::Userinfo, authority_at + at));
        }
        let (host, port) = split_port(authority).ok_or((UrlFault::Host, authority_at))?;
        let port_at = authority_at + host.len();
        let port = match port {
            None | Some("") => None,
            Some(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => {
                Some(digits.parse().map_err(|_| (UrlFault::Port, port_at))?)
            }
            Some(_) => return Err((UrlFault::Port, port_at)),
        };
        let (path, query) = match rest.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (rest, None),
        };
        Ok(Target { scheme, host, port, path, query })
    }

    /// The path as written, `/` where it is empty.
    pub(crate) fn path(&self) -> &'a str {
        if self.path.is_empty() { "/" } else { self.path }
    }

    /// Appends the host in lower case and the port, unless it is the default one.
    pub(crate) fn write_authority(&self, out: &mut String) {
        out.extend(self.host.chars().map(|c| c.to_ascii_lowercase()));
        if let Some(port) = self.port.filter(|port| *port != self.scheme.default_port()) {
            out.push_str(&format!(":{port}"));
        }
    }

    /// Appends `?` and the query.
    pub(crate) fn write_query(&self, out: &mut String) {
        out.push('?');
        out.push_str(self.query.unwrap_or_default());
    }

    /// Appends scheme, authority, path and, where there is one, the query.
    pub(crate) fn write_uri(&self, out: &mut String) {
        out.push_str(self.scheme.as_str());
        out.push_str("://");
        self.write_authority(out);
        out.push_str(self.path());
        if self.query.is_some() {
            self.write_query(out);
        }
    }

    /// Returns true if there is nothing but an origin: no path, no query.
    pub(crate) fn is_origin(&self) -> bool {
        self.query.is_none() && self.path() == "/"
    }

    /// Returns true if the host is the literal address of a machine, in any notation that a URL parser accepts, or
    /// `localhost`. A host with an escape counts too, because most URL parsers decode it (`%6cocalhost`,
    /// `127%2e0.0.1`).
    ///
    /// Spec: WBA-SSRF-1, WBA-AMB-28.
    pub(crate) fn is_local_or_literal(&self) -> bool {
        let host = self.host.strip_suffix('.').unwrap_or(self.host);
        let last = host.rsplit('.').next().unwrap_or_default();
        let is_hex = |text: &str| text.bytes().all(|b| b.is_ascii_hexdigit());
        let is_number = last.bytes().all(|b| b.is_ascii_digit())
            || last.strip_prefix("0x").or_else(|| last.strip_prefix("0X")).is_some_and(is_hex);
        host.starts_with('[') || host.contains('%') || is_number || last.eq_ignore_ascii_case("localhost")
    }

    /// The identity that this URL stands for: without query, in the normal form of RFC 3986 sections 6.2.2 and
    /// 6.2.3.
    ///
    /// Spec: WBA-AGENT-7.
    pub(crate) fn identity(&self) -> String {
        let mut out = format!("{}://", self.scheme.as_str());
        self.write_authority(&mut out);
        out.push_str(&self.normal_path());
        out
    }

    /// The path as it is in [`Self::identity`].
    pub(crate) fn normal_path(&self) -> String {
        without_dot_segments(&normal_escapes(self.path()))
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

/// Host and port text; `None` where there is no host.
fn split_port(authority: &str) -> Option<(&str, Option<&str>)> {
    if let Some(rest) = authority.strip_prefix('[') {
        let (address, rest) = rest.split_once(']')?;
        address.parse::<Ipv6Addr>().ok()?;
        let host = authority.get(..address.len() + 2)?;
        return match rest.strip_prefix(':') {
            Some(port) => Some((host, Some(port))),
            None if rest.is_empty() => Some((host, None)),
            None => None,
        };
    }
    let (host, port) = match authority.split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (authority, None),
    };
    // RFC 3986, reg-name.
    let is_host_byte = |b: u8| b.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=".contains(&b);
    (!host.is_empty() && host.bytes().all(is_host_byte)).then_some((host, port))
}

/// Escapes of unreserved characters are decoded, the others written in upper case.
fn normal_escapes(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut rest = path;
    while let Some((before, behind)) = rest.split_once('%') {
        out.push_str(before);
        let byte = behind.get(..2).and_then(hex_byte);
        match byte {
            Some(byte) if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => {
                out.push(char::from(byte))
            }
            Some(byte) => out.push_str(&format!("%{byte:02X}")),
            None => out.push('%'),
        }
        rest = if byte.is_some() { behind.get(2..).unwrap_or_default() } else { behind };
    }
    out.push_str(rest);
    out
}

fn hex_byte(digits: &str) -> Option<u8> {
    let is_hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
    if is_hex { u8::from_str_radix(digits, 16).ok() } else { None }
}

/// RFC 3986, section 5.2.4, for a path that begins with a slash.
fn without_dot_segments(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut ends_in_slash = false;
    for segment in path.split('/').skip(1) {
        ends_in_slash = matches!(segment, "." | "..");
        match segment {
            "." => {}
            ".." => {
                kept.pop();
            }
            _ => kept.push(segment),
        }
    }
    if ends_in_slash {
        kept.push("");
    }
    format!("/{}", kept.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_split_as_written() {
        let target = Target::parse("HTTPS://Example.com:0443?a?b#c").unwrap();
        let mut uri = String::new();
        target.write_uri(&mut uri);
        assert_eq!(uri, "https://example.com/?a?b");
        assert_eq!(Target::parse("http://[::1]:80/x").unwrap().host, "[::1]");
        for (url, fault) in [
            ("https://example.com/ä", UrlFault::NotVisibleAscii),
            ("https://example.com/a b", UrlFault::NotVisibleAscii),
            ("/a", UrlFault::NotAbsolute),
            ("ex ample", UrlFault::NotVisibleAscii),
            ("ftp://example.com/", UrlFault::Scheme),
            ("https://u@example.com/", UrlFault::Userinfo),
            ("https:///x", UrlFault::Host),
            ("https://a\\b/", UrlFault::Host),
            ("https://[::1/", UrlFault::Host),
            ("https://[v1.x]/", UrlFault::Host),
            ("https://a:99999/", UrlFault::Port),
            ("https://a:1:2/", UrlFault::Port),
            ("https://a:+1/", UrlFault::Port),
        ] {
            assert_eq!(Target::parse(url).unwrap_err().0, fault, "{url}");
        }
    }

    #[test]
    fn identities_have_one_spelling() {
        for (url, identity) in [
            ("https://BOT.example:443", "https://bot.example/"),
            ("https://bot.example/a/../%6Beys?x#y", "https://bot.example/keys"),
            ("https://bot.example/%2fx/%zz/%c3", "https://bot.example/%2Fx/%zz/%C3"),
            ("https://bot.example/a/./b/..", "https://bot.example/a/"),
            ("https://bot.example/../../a", "https://bot.example/a"),
            ("https://bot.example:8443/a//b", "https://bot.example:8443/a//b"),
        ] {
            assert_eq!(Target::parse(url).unwrap().identity(), identity, "{url}");
        }
    }

    #[test]
    fn literal_addresses_are_told_from_names() {
        for url in [
            "https://192.0.2.1",
            "https://2130706433",
            "https://0x7f.1",
            "https://0X7F000001",
            "https://[2001:db8::1]",
            "https://localhost",
            "https://a.LOCALHOST.",
            "https://127.1.",
        ] {
            assert!(Target::parse(url).unwrap().is_local_or_literal(), "{url}");
        }
        for url in ["https://bot.example", "https://1.bot", "https://localhost.example", "https://0xfg"] {
            assert!(!Target::parse(url).unwrap().is_local_or_literal(), "{url}");
        }
    }
}
