//! A resource: fixed bytes, in the content codings that clients accept.

use std::pin::Pin;
use std::sync::OnceLock;
use std::task::{Context, Poll};

use axum::body::Bytes;
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode};
use http_body::{Body, Frame, SizeHint};
use tct::{Representation, plan_response};
use tct_tower::PageTerms;

use crate::publisher::{Coding, Streamed};
use crate::server::PIECE_LEN;

/// A body with its header fields. Each content coding is made once, when it is first asked for.
#[derive(Debug)]
pub struct Resource {
    plain: Variant,
    gzip: OnceLock<Variant>,
    br: OnceLock<Variant>,
    /// Whether it is sent in codings at all; an image is coded already.
    is_coded: bool,
}

/// Longer bodies are not compressed, since that would delay other requests.
const MAX_CODED: usize = 16 << 20;

/// Whether coding makes this media type smaller.
pub(super) fn is_text(media_type: &str) -> bool {
    media_type.starts_with("text/") || media_type.contains("json") || media_type.contains("svg")
}

#[derive(Debug)]
struct Variant {
    body: Bytes,
    representation: Representation,
}

impl Resource {
    /// These bytes, described by `representation`.
    #[must_use]
    pub fn new(body: impl Into<Bytes>, representation: Representation) -> Self {
        let plain = Variant { body: body.into(), representation };
        Resource { plain, gzip: OnceLock::new(), br: OnceLock::new(), is_coded: true }
    }

    /// The same, sent without content coding whatever is offered: documents of TCT draft -03, whose clients verify the
    /// bytes. A client that does not take them so is answered with 406.
    #[must_use]
    pub fn exact(body: impl Into<Bytes>, representation: Representation) -> Self {
        Resource { is_coded: false, ..Resource::new(body, representation) }
    }

    /// A file under its media type and with these links, coded where that pays.
    #[must_use]
    pub fn of_file(
        body: impl Into<Bytes>,
        media_type: &'static str,
        links: impl IntoIterator<Item = HeaderValue>,
    ) -> Self {
        let body = body.into();
        let plain = Representation::of_bytes(&body).with_content_type(HeaderValue::from_static(media_type));
        let plain = links.into_iter().fold(plain, Representation::with_link);
        Resource { is_coded: is_text(media_type), ..Resource::new(body, plain) }
    }

    /// The same without codings: what is not kept would be coded for each request anew.
    #[must_use]
    pub(crate) fn uncoded(self) -> Self {
        Resource { is_coded: false, ..self }
    }

    /// The same with what its page says of its use.
    #[must_use]
    pub(crate) fn with_terms(mut self, terms: &PageTerms) -> Self {
        self.plain.representation = terms.on(self.plain.representation);
        self
    }

    /// The same for a URL that has another form for other values of `Accept`.
    #[must_use]
    pub fn varying_on_accept(mut self) -> Self {
        self.plain.representation = self.plain.representation.varying_on_accept();
        self
    }

    /// The bytes without content coding.
    #[must_use]
    pub fn body(&self) -> &Bytes {
        &self.plain.body
    }

    /// The response to a request for it. What is sent, and which fields, is the library's plan.
    #[must_use]
    pub fn respond(&self, method: &Method, request: &HeaderMap) -> Response<SentBody> {
        let is_coded = self.is_coded && self.plain.body.len() <= MAX_CODED;
        let coding = if is_coded { Coding::negotiate(request) } else { Coding::Identity };
        self.variant(coding).respond(method, request)
    }

    fn variant(&self, coding: Coding) -> &Variant {
        let coded = || {
            let body = coding.encode(&self.plain.body);
            let len = body.len() as u64;
            let representation = self.plain.representation.coded(coding.value(), len);
            Variant { body, representation }
        };
        match coding {
            Coding::Identity => &self.plain,
            Coding::Gzip => self.gzip.get_or_init(coded),
            Coding::Br => self.br.get_or_init(coded),
        }
    }
}

impl Variant {
    fn respond(&self, method: &Method, request: &HeaderMap) -> Response<SentBody> {
        let plan = plan_response(method, request, &self.representation);
        let is_unchanged = plan.status == StatusCode::NOT_MODIFIED;
        plan.into_http(self.body.len(), |range| match is_unchanged {
            true => SentBody::NotModified,
            false => SentBody::Bytes(self.body.slice(range)),
        })
    }
}

/// The body of an answer: bytes that are in memory, or part of a file. It comes in pieces of [`PIECE_LEN`] at most.
#[derive(Debug)]
pub enum SentBody {
    /// These bytes; empty once they are sent.
    Bytes(Bytes),
    /// Part of a file, read as it is sent.
    File(Streamed),
    /// The absent body of a 304. It tells no length: a server would write `Content-Length: 0` of it, which is not the page's.
    NotModified,
}

impl Body for SentBody {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        match self.get_mut() {
            SentBody::Bytes(bytes) if !bytes.is_empty() => {
                let piece = bytes.split_to(bytes.len().min(PIECE_LEN));
                Poll::Ready(Some(Ok(Frame::data(piece))))
            }
            SentBody::File(file) => file.poll(context).map(|piece| Some(piece?.map(Frame::data))),
            SentBody::Bytes(_) | SentBody::NotModified => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        // With an end that is known, the length would be too.
        match self {
            SentBody::Bytes(bytes) => bytes.is_empty(),
            SentBody::File(file) => file.left() == 0,
            SentBody::NotModified => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            SentBody::Bytes(bytes) => SizeHint::with_exact(bytes.len() as u64),
            SentBody::File(file) => SizeHint::with_exact(file.left()),
            SentBody::NotModified => SizeHint::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use http::header::{
        ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH, RANGE, VARY,
    };

    use super::*;

    fn resource() -> Resource {
        let body = br#"{"items":[]}"#.repeat(100);
        let representation = Representation::of_bytes(&body);
        Resource::new(body, representation)
    }

    fn request(fields: &[(http::HeaderName, &str)]) -> HeaderMap {
        fields.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
    }

    #[test]
    fn codings_share_the_strong_tag_and_are_never_cut_into_ranges() {
        let resource = resource();
        let plain = resource.respond(&Method::GET, &HeaderMap::new());
        let coded =
            resource.respond(&Method::GET, &request(&[(ACCEPT_ENCODING, "gzip"), (RANGE, "bytes=0-9")]));
        assert_eq!(coded.status(), StatusCode::OK);
        assert_eq!(coded.headers()[CONTENT_ENCODING], "gzip");
        assert_eq!(coded.headers()[ETAG], plain.headers()[ETAG]);
        assert!(coded.headers().contains_key(VARY));
        let part = resource.respond(&Method::GET, &request(&[(RANGE, "bytes=0-9")]));
        assert_eq!(
            (part.status(), &part.headers()[CONTENT_LENGTH]),
            (StatusCode::PARTIAL_CONTENT, &10.into())
        );
    }

    #[test]
    fn what_the_client_has_is_not_sent_again_in_any_coding() {
        let resource = resource();
        let etag = resource.respond(&Method::HEAD, &HeaderMap::new()).headers()[ETAG].clone();
        for coding in ["identity", "gzip", "br"] {
            let request = request(&[(ACCEPT_ENCODING, coding), (IF_NONE_MATCH, etag.to_str().unwrap())]);
            let response = resource.respond(&Method::GET, &request);
            assert_eq!(
                (response.status(), &response.headers()[ETAG]),
                (StatusCode::NOT_MODIFIED, &etag),
                "{coding}"
            );
        }
    }

    #[test]
    fn files_keep_their_media_type() {
        let page = Resource::of_file("<p>x", "text/html; charset=utf-8", []);
        let response = page.respond(&Method::GET, &HeaderMap::new());
        assert_eq!(response.headers()[CONTENT_TYPE], "text/html; charset=utf-8");
        let accepts = request(&[(ACCEPT_ENCODING, "gzip")]);
        let image = Resource::of_file(vec![0; 100], "image/png", []).respond(&Method::GET, &accepts);
        assert!(!image.headers().contains_key(CONTENT_ENCODING));
    }
}
