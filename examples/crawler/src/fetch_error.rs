//! Why there is no response to work with.

use std::error::Error;
use std::fmt;
use std::io::ErrorKind;

/// An exchange that came to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchError {
    kind: FetchErrorKind,
    detail: String,
}

/// The kinds of a [`FetchError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FetchErrorKind {
    /// No connection: name, address, port.
    Connect,
    /// The certificate is not valid for the host, or the handshake broke.
    Tls,
    /// No whole head in time.
    HeadTimeout,
    /// The head is past the limits.
    HeadTooLarge,
    /// What came is not HTTP.
    NotHttp,
    /// The body stood still for too long.
    BodyStalled,
    /// The body did not end in time.
    BodyTimeout,
    /// The body is past its limit, on either side of its coding.
    BodyTooLarge,
    /// The connection closed before the end of the response.
    BodyIncomplete,
    /// A coding that was not asked for.
    CodingUnknown,
    /// The body is not what its coding says.
    CodingBroken,
    /// The request cannot be signed, and is not sent.
    NotSigned,
    /// The body cannot be kept on this machine.
    Disk,
    /// The host wants a longer pause than this crawl waits.
    HostPaused,
    /// The site's policy asks for no requests at all; nothing was sent.
    Unwanted,
    /// Something else between two machines.
    Network,
}

impl FetchErrorKind {
    /// The stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            FetchErrorKind::Connect => "connect",
            FetchErrorKind::Tls => "tls",
            FetchErrorKind::HeadTimeout => "head-timeout",
            FetchErrorKind::HeadTooLarge => "head-too-large",
            FetchErrorKind::NotHttp => "not-http",
            FetchErrorKind::BodyStalled => "body-stalled",
            FetchErrorKind::BodyTimeout => "body-timeout",
            FetchErrorKind::BodyTooLarge => "body-too-large",
            FetchErrorKind::BodyIncomplete => "body-incomplete",
            FetchErrorKind::CodingUnknown => "coding-unknown",
            FetchErrorKind::CodingBroken => "coding-broken",
            FetchErrorKind::NotSigned => "not-signed",
            FetchErrorKind::Disk => "disk",
            FetchErrorKind::HostPaused => "host-paused",
            FetchErrorKind::Unwanted => "policy",
            FetchErrorKind::Network => "network",
        }
    }

    /// Whether another try may end otherwise: what is wrong lies between the machines, not in what was sent.
    #[must_use]
    pub const fn is_transient(self) -> bool {
        !matches!(
            self,
            FetchErrorKind::HeadTooLarge
                | FetchErrorKind::BodyTooLarge
                | FetchErrorKind::CodingUnknown
                | FetchErrorKind::CodingBroken
                | FetchErrorKind::Disk
                | FetchErrorKind::NotSigned
                | FetchErrorKind::NotHttp
                | FetchErrorKind::Unwanted
                | FetchErrorKind::Tls
        )
    }
}

impl FetchError {
    /// An error of that kind; `detail` is for people.
    pub fn new(kind: FetchErrorKind, detail: impl Into<String>) -> Self {
        FetchError { kind, detail: detail.into() }
    }

    /// What kind of error it is.
    #[must_use]
    pub const fn kind(&self) -> FetchErrorKind {
        self.kind
    }

    /// What reqwest says, in the terms of this crate.
    #[must_use]
    pub fn of_reqwest(error: reqwest::Error) -> Self {
        let error = error.without_url();
        let mut kinds = Vec::new();
        let mut innermost = String::new();
        let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
        while let Some(source) = cause {
            innermost = source.to_string();
            kinds.extend(kind_of(source));
            // An io::Error hides what it wraps from `source`.
            let inner = source.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
            cause = inner.map(|inner| inner as &(dyn Error + 'static)).or_else(|| source.source());
        }
        let kind = match kinds.first() {
            _ if kinds.contains(&FetchErrorKind::Tls) => FetchErrorKind::Tls,
            _ if error.is_connect() => FetchErrorKind::Connect,
            Some(kind) => *kind,
            None => FetchErrorKind::Network,
        };
        FetchError { kind, detail: innermost }
    }
}

/// What one error of a chain of causes gives away.
fn kind_of(error: &(dyn Error + 'static)) -> Option<FetchErrorKind> {
    if error.is::<rustls::Error>() {
        return Some(FetchErrorKind::Tls);
    }
    if let Some(error) = error.downcast_ref::<std::io::Error>() {
        return match error.kind() {
            ErrorKind::UnexpectedEof => Some(FetchErrorKind::BodyIncomplete),
            // So hyper calls chunks that are none.
            ErrorKind::InvalidData | ErrorKind::InvalidInput => Some(FetchErrorKind::NotHttp),
            _ => None,
        };
    }
    let hyper = error.downcast_ref::<hyper::Error>()?;
    if hyper.is_parse_too_large() {
        Some(FetchErrorKind::HeadTooLarge)
    } else if hyper.is_parse() {
        Some(FetchErrorKind::NotHttp)
    } else if hyper.is_incomplete_message() {
        Some(FetchErrorKind::BodyIncomplete)
    } else {
        None
    }
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl Error for FetchError {}
