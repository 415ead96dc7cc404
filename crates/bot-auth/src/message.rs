//! Messages: a borrowed view of the parts that signatures cover.

use core::fmt;
use std::borrow::Cow;

use crate::FieldType;
use crate::target::{Target, UrlFault};

/// Registered structured fields, whose types this crate knows.
///
/// Spec: SIG9421-SF-2.
const KNOWN_FIELDS: [(&str, FieldType); 14] = [
    ("signature-input", FieldType::Dictionary),
    ("signature", FieldType::Dictionary),
    ("signature-agent", FieldType::Dictionary),
    ("accept-signature", FieldType::Dictionary),
    ("content-digest", FieldType::Dictionary),
    ("repr-digest", FieldType::Dictionary),
    ("want-content-digest", FieldType::Dictionary),
    ("want-repr-digest", FieldType::Dictionary),
    ("content-usage", FieldType::Dictionary),
    ("priority", FieldType::Dictionary),
    ("cache-status", FieldType::List),
    ("proxy-status", FieldType::List),
    ("client-cert-chain", FieldType::List),
    ("client-cert", FieldType::Item),
];

/// A request or response: method and URL or status, header lines in order, and what else a signature can cover.
///
/// It borrows everything and belongs to no HTTP library. Header lines are given as they were received, one by one:
/// two lines of a name stay two lines, names have any case, values are bytes.
///
/// ```
/// use bot_auth::Message;
///
/// let request = Message::request("GET", "https://shop.example/page?x=1")?
///     .header("Host", "shop.example")
///     .header("Accept", "text/html");
/// let response = Message::response(200)?.answering(&request).header("Content-Type", "text/html");
/// assert!(Message::request("GET", "/page").is_err());
/// # let _ = response;
/// # Ok::<(), bot_auth::MessageError>(())
/// ```
///
/// Spec: SIG9421-MSG-1.
#[derive(Debug, Clone)]
pub struct Message<'a> {
    start: Start<'a>,
    headers: Vec<(&'a str, &'a [u8])>,
    trailers: Vec<(&'a str, &'a [u8])>,
    field_types: Vec<(&'a str, FieldType)>,
    body: Option<&'a [u8]>,
}

#[derive(Debug, Clone)]
enum Start<'a> {
    Request { method: &'a str, target: Target<'a>, request_target: Option<&'a str> },
    Response { status: u16, request: Option<&'a Message<'a>> },
}

impl<'a> Message<'a> {
    /// A request. `url` is absolute, with the scheme that the client used, spelled exactly as it was sent; a server
    /// behind a proxy takes scheme and host from the proxy's headers.
    ///
    /// # Errors
    /// [`Method`](MessageErrorKind::Method) if `method` is not a token, [`Url`](MessageErrorKind::Url) for
    /// everything but an http(s) URL of visible ASCII without user information.
    ///
    /// Spec: SIG9421-URL-1, SIG9421-URL-6.
    pub fn request(method: &'a str, url: &'a str) -> Result<Self, MessageError> {
        if let Some(offset) = bad_token_byte(method) {
            return Err(MessageError { kind: MessageErrorKind::Method, offset });
        }
        let target = Target::parse(url)
            .map_err(|(fault, offset)| MessageError { kind: MessageErrorKind::Url(fault), offset })?;
        Ok(Self::of(Start::Request { method, target, request_target: None }))
    }

    /// A response.
    ///
    /// # Errors
    /// [`Status`](MessageErrorKind::Status) for a number that does not have three digits.
    ///
    /// Spec: SIG9421-URL-9.
    pub fn response(status: u16) -> Result<Self, MessageError> {
        if !(100..=999).contains(&status) {
            return Err(MessageError { kind: MessageErrorKind::Status, offset: 0 });
        }
        Ok(Self::of(Start::Response { status, request: None }))
    }

    fn of(start: Start<'a>) -> Self {
        Message { start, headers: Vec::new(), trailers: Vec::new(), field_types: Vec::new(), body: None }
    }

    /// Adds a header line.
    #[must_use]
    pub fn header(mut self, name: &'a str, value: &'a (impl AsRef<[u8]> + ?Sized)) -> Self {
        self.headers.push((name, value.as_ref()));
        self
    }

    /// Adds header lines, in order.
    #[must_use]
    pub fn headers(mut self, lines: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        self.headers.extend(lines);
        self
    }

    /// Adds trailer lines, in order. They are never mixed with header lines of the same name.
    #[must_use]
    pub fn trailers(mut self, lines: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        self.trailers.extend(lines);
        self
    }

    /// Sets the target of the request line as it was on the wire, for `@request-target`. No effect on a response.
    ///
    /// Spec: SIG9421-URL-7.
    #[must_use]
    pub fn request_target(mut self, text: &'a str) -> Self {
        if let Start::Request { request_target, .. } = &mut self.start {
            *request_target = Some(text);
        }
        self
    }

    /// Sets the request that this response answers. No effect on a request.
    #[must_use]
    pub fn answering(mut self, answered: &'a Message<'a>) -> Self {
        if let Start::Response { request, .. } = &mut self.start {
            *request = Some(answered);
        }
        self
    }

    /// Sets the type of a structured field that this crate does not know.
    ///
    /// Spec: SIG9421-SF-2.
    #[must_use]
    pub fn field_type(mut self, name: &'a str, field_type: FieldType) -> Self {
        self.field_types.push((name, field_type));
        self
    }

    /// Sets the body, which may be empty, so that a covered `Content-Digest` can be compared with it. Without this
    /// call the header fields decide whether there is a body.
    #[must_use]
    pub fn body(mut self, body: &'a [u8]) -> Self {
        self.body = Some(body);
        self
    }

    pub(crate) fn known_body(&self) -> Option<&'a [u8]> {
        self.body
    }

    /// Returns true if there is a body to sign: one that was set, or one that the header fields of a
    /// request announce.
    pub(crate) fn has_body(&self) -> bool {
        match self.body {
            Some(body) => !body.is_empty(),
            None => {
                let is_empty = |value: &[u8]| value.trim_ascii().iter().all(|byte| *byte == b'0');
                self.lines("transfer-encoding", false).next().is_some()
                    || self.lines("content-length", false).any(|value| !is_empty(value))
            }
        }
    }

    pub(crate) fn is_request(&self) -> bool {
        matches!(self.start, Start::Request { .. })
    }

    pub(crate) fn target(&self) -> Option<&Target<'a>> {
        match &self.start {
            Start::Request { target, .. } => Some(target),
            Start::Response { .. } => None,
        }
    }

    pub(crate) fn method(&self) -> Option<&'a str> {
        match &self.start {
            Start::Request { method, .. } => Some(method),
            Start::Response { .. } => None,
        }
    }

    pub(crate) fn wire_target(&self) -> Option<&'a str> {
        match &self.start {
            Start::Request { request_target, .. } => *request_target,
            Start::Response { .. } => None,
        }
    }

    pub(crate) fn status(&self) -> Option<u16> {
        match &self.start {
            Start::Request { .. } => None,
            Start::Response { status, .. } => Some(*status),
        }
    }

    pub(crate) fn answered(&self) -> Option<&'a Message<'a>> {
        match &self.start {
            Start::Request { .. } => None,
            Start::Response { request, .. } => *request,
        }
    }

    /// The values of all lines of a name, of the header or of the trailer.
    pub(crate) fn lines<'s>(
        &'s self,
        name: &'s str,
        of_trailer: bool,
    ) -> impl Iterator<Item = &'a [u8]> + 's {
        let lines = if of_trailer { &self.trailers } else { &self.headers };
        lines.iter().filter(move |line| line.0.eq_ignore_ascii_case(name)).map(|line| line.1)
    }

    /// All header lines of a name as one structured field. `None` where there is none.
    pub(crate) fn joined(&self, name: &str) -> Option<Cow<'a, [u8]>> {
        combined(self.lines(name, false))
    }

    /// As [`Self::joined`], of the trailer.
    pub(crate) fn joined_in_trailer(&self, name: &str) -> Option<Cow<'a, [u8]>> {
        combined(self.lines(name, true))
    }

    pub(crate) fn type_of(&self, name: &str) -> Option<FieldType> {
        let told = self.field_types.iter().find(|field| field.0.eq_ignore_ascii_case(name));
        told.or_else(|| KNOWN_FIELDS.iter().find(|field| field.0 == name)).map(|field| field.1)
    }
}

/// One value of several lines: each stripped of blanks and unfolded, joined with comma and space. `None` for no line.
/// One line without a fold, as nearly all are, is borrowed.
///
/// Spec: SIG9421-VAL-1.
pub(crate) fn combined<'a>(mut lines: impl Iterator<Item = &'a [u8]>) -> Option<Cow<'a, [u8]>> {
    let first = lines.next()?;
    let second = lines.next();
    if second.is_none() && !first.contains(&b'\r') {
        return Some(Cow::Borrowed(strip(first)));
    }
    let mut joined = Vec::with_capacity(first.len());
    unfold(first, &mut joined);
    for line in second.into_iter().chain(lines) {
        joined.extend_from_slice(b", ");
        unfold(line, &mut joined);
    }
    Some(Cow::Owned(joined))
}

/// Appends the value of one line without the blanks around it; a line fold (blanks, CR LF, blanks) becomes one space.
pub(crate) fn unfold(line: &[u8], out: &mut Vec<u8>) {
    let mut rest = strip(line);
    while let Some(at) = rest.windows(3).position(|w| matches!(w, [b'\r', b'\n', b' ' | b'\t'])) {
        let (before, behind) = rest.split_at_checked(at).unwrap_or((rest, &[]));
        out.extend_from_slice(strip_end(before));
        out.push(b' ');
        rest = strip_start(behind.get(2..).unwrap_or_default());
    }
    out.extend_from_slice(rest);
}

fn strip(text: &[u8]) -> &[u8] {
    strip_start(strip_end(text))
}

fn strip_start(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] = text {
        text = rest;
    }
    text
}

fn strip_end(mut text: &[u8]) -> &[u8] {
    while let [rest @ .., b' ' | b'\t'] = text {
        text = rest;
    }
    text
}

/// The offset of the first byte that is not allowed in a token; the length for an empty text.
pub(crate) fn bad_token_byte(text: &str) -> Option<usize> {
    let is_token_byte = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    if text.is_empty() { Some(0) } else { text.bytes().position(|b| !is_token_byte(b)) }
}

/// Why something is not a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageError {
    kind: MessageErrorKind,
    offset: usize,
}

/// The reasons of a [`MessageError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageErrorKind {
    /// The method is not a token.
    Method,
    /// The URL is invalid, for this reason.
    Url(UrlFault),
    /// The status does not have three digits.
    Status,
    /// A response where a request is needed.
    NotARequest,
}

impl MessageError {
    pub(crate) fn not_a_request() -> Self {
        MessageError { kind: MessageErrorKind::NotARequest, offset: 0 }
    }

    /// Why.
    #[must_use]
    pub fn kind(&self) -> MessageErrorKind {
        self.kind
    }

    /// Where, in bytes of the method or URL.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The rule that was broken.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        match self.kind {
            MessageErrorKind::Method => "SIG9421-URL-6",
            MessageErrorKind::Url(_) => "SIG9421-URL-1",
            MessageErrorKind::Status => "SIG9421-URL-9",
            MessageErrorKind::NotARequest => "WBA-SIG-6",
        }
    }
}

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            MessageErrorKind::Method => {
                write!(f, "expected a token as method, found another byte at {}", self.offset)
            }
            MessageErrorKind::Url(fault) => {
                write!(f, "expected an absolute http(s) url, found {fault} at byte {}", self.offset)
            }
            MessageErrorKind::Status => {
                f.write_str("expected a status of three digits, found another number")
            }
            MessageErrorKind::NotARequest => f.write_str("expected a request, found a response"),
        }
    }
}

impl core::error::Error for MessageError {}
