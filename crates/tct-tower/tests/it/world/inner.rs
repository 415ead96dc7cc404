//! The inner service of the world: pages that change, fail, move, become personal and come in pieces.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, ETAG,
    IF_NONE_MATCH, LOCATION, SET_COOKIE, VARY, WWW_AUTHENTICATE,
};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode};
use http_body::{Body, Frame};
use tct::Fingerprint;
use tower::Service;

/// Largest HTML that the layer of the world reads.
pub(crate) const MAX_HTML: usize = 4000;

/// SplitMix64, Steele and others, 2014: a whole stream of choices from one number.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Dice(seed)
    }

    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % sides.max(1) as u64) as usize
    }

    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        of.get(self.roll(of.len())).unwrap()
    }
}

/// What a page is now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Public,
    /// Each says in its own way that it is its reader's.
    Private,
    NoStore,
    Hidden,
    WithCookie,
    Varies,
    VariesByAnything,
    /// Shows itself to those who sign in.
    Guarded,
    Huge,
    Blank,
    NotHtml,
    Coded,
    Gone,
    Missing,
    Moved,
    Failing,
    Later,
    /// Answers one of the other statuses of a page that is there, but not now.
    Busy,
    /// The service itself fails.
    Broken,
    /// The body breaks off.
    Cut,
    /// The body ends before its length, as if it were whole.
    Short,
    /// Answers 304 to whatever it is asked.
    Lying,
}

impl Kind {
    /// Whether it says nothing of what the page was before.
    pub(crate) fn fails(self) -> bool {
        use Kind::*;
        matches!(self, Failing | Later | Busy | Broken | Cut | Short | Lying)
    }
}

pub(crate) const KINDS: &[Kind] = &[
    Kind::Public,
    Kind::Private,
    Kind::NoStore,
    Kind::Hidden,
    Kind::WithCookie,
    Kind::Varies,
    Kind::VariesByAnything,
    Kind::Guarded,
    Kind::Huge,
    Kind::Blank,
    Kind::NotHtml,
    Kind::Coded,
    Kind::Gone,
    Kind::Missing,
    Kind::Moved,
    Kind::Failing,
    Kind::Later,
    Kind::Busy,
    Kind::Broken,
    Kind::Cut,
    Kind::Short,
    Kind::Lying,
];

/// The entity tags that a page's answers have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Tags {
    None,
    /// Of all that the answer was made of.
    OfAll,
    /// Of the text alone: a page that becomes its reader's keeps its tag, and says so beside a 304.
    OfText,
}

/// What a page says of its own use, by a field or in its HTML.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Says {
    Nothing,
    /// A field that forbids nothing: a 304 with it takes back what an earlier answer said.
    All,
    /// A field, and what every form has to say then.
    Field(&'static str, &'static [u8]),
    /// The same for everybody, so that no list may have the page.
    HiddenByField(&'static str, &'static [u8]),
    /// An element, and the field that every form has to have then.
    Element(&'static str, &'static str, &'static [u8]),
    /// The same for everybody, so that no list may have the page.
    HiddenByElement(&'static str, &'static str, &'static [u8]),
    /// An element that no field says.
    Unsayable(&'static str),
}

const ROBOTS: &str = "x-robots-tag";
const LICENCE: &[u8] = b"<https://example.com/l.xml>; rel=\"license\"; type=\"application/rsl+xml\"";

pub(crate) const SAYINGS: &[Says] = &[
    Says::Nothing,
    Says::All,
    Says::Field(ROBOTS, b"noai, caf\xe9"),
    Says::Field(ROBOTS, b"otherbot: noindex"),
    Says::Field("content-signal", b"ai-train=no"),
    Says::Field("content-usage", b"train-ai=n"),
    Says::Field("tdm-reservation", b"1"),
    Says::Field("link", LICENCE),
    Says::HiddenByField(ROBOTS, b"NOINDEX"),
    Says::HiddenByField(ROBOTS, b"none"),
    Says::Element("<meta name=robots content='NoAI, nofollow'>", ROBOTS, b"noai, nofollow"),
    Says::Element("<meta name=otherbot content=noindex>", ROBOTS, b"otherbot: noindex"),
    Says::Element("<meta name=tdm-reservation content=1>", "tdm-reservation", b"1"),
    Says::Element("<link rel=license type=application/rsl+xml href=/l.xml>", "link", LICENCE),
    Says::Element(
        "<svg><style/></svg><link rel=license type=application/rsl+xml href=/l.xml>",
        "link",
        LICENCE,
    ),
    Says::HiddenByElement("<meta name=robots content='x:y, noindex'>", ROBOTS, b"noindex"),
    Says::Unsayable("<script type=application/rsl+xml><rsl/></script>"),
];

impl Says {
    /// The field that stands on the page itself.
    fn field(self) -> Option<(&'static str, &'static [u8])> {
        match self {
            Says::All => Some((ROBOTS, b"all")),
            Says::Field(name, value) | Says::HiddenByField(name, value) => Some((name, value)),
            _ => None,
        }
    }

    fn element(self) -> &'static str {
        match self {
            Says::Element(html, ..) | Says::HiddenByElement(html, ..) | Says::Unsayable(html) => html,
            _ => "",
        }
    }

    /// The field that has to stand on every other form.
    pub(crate) fn denial(self) -> Option<(&'static str, &'static [u8])> {
        match self {
            Says::Field(name, value)
            | Says::HiddenByField(name, value)
            | Says::Element(_, name, value)
            | Says::HiddenByElement(_, name, value) => Some((name, value)),
            Says::Nothing | Says::All | Says::Unsayable(_) => None,
        }
    }

    pub(crate) fn may_be_listed(self) -> bool {
        !matches!(self, Says::HiddenByField(..) | Says::HiddenByElement(..) | Says::Unsayable(_))
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Page {
    pub(crate) kind: Kind,
    pub(crate) version: u64,
    pub(crate) tags: Tags,
    /// What it says of its own use.
    pub(crate) says: Says,
    /// Whether it answers each condition with a 304 that has the tag of now, as a cache before it may.
    pub(crate) is_hasty: bool,
    /// When it became what it is.
    pub(crate) since: u64,
}

/// What the inner service knows, by path; the query `id` chooses among the texts of one path, any other is a visitor's own.
#[derive(Default)]
pub(crate) struct Site {
    pub(crate) pages: BTreeMap<String, Page>,
    pub(crate) clock: u64,
    /// Odds, in percent, that the service makes somebody wait for a step.
    pub(crate) slowness: usize,
    pub(crate) dice: u64,
}

#[derive(Clone)]
pub(crate) struct Inner {
    pub(crate) site: Arc<Mutex<Site>>,
    pub(crate) is_ready: bool,
}

pub(crate) fn lock(site: &Arc<Mutex<Site>>) -> MutexGuard<'_, Site> {
    site.lock().unwrap()
}

/// A body in pieces, some of which are waited for.
pub(crate) struct Pieces {
    rest: Bytes,
    dice: Dice,
    slowness: usize,
    is_cut: bool,
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
        let this = self.get_mut();
        if this.dice.roll(100) < this.slowness {
            return Poll::Pending;
        }
        if this.is_cut && this.dice.roll(2) == 0 {
            return Poll::Ready(Some(Err(std::io::Error::other("reset"))));
        }
        if this.rest.is_empty() {
            return Poll::Ready(None);
        }
        let some = 1 + this.dice.roll(this.rest.len());
        Poll::Ready(Some(Ok(Frame::data(this.rest.split_to(some)))))
    }
}

/// The words of a page for whoever shows these fields. A visitor's name is in each field that a visitor has of his own.
pub(crate) fn words(path: &str, query: Option<&str>, version: u64, fields: &HeaderMap) -> String {
    let allowed = ["accept", "host", "if-none-match"];
    let mut names: Vec<&str> = fields
        .iter()
        .filter(|(name, _)| !allowed.contains(&name.as_str()))
        .filter_map(|(_, value)| value.to_str().ok()?.split("visitor-").nth(1))
        .collect();
    names.extend(query.and_then(|query| query.split("visitor-").nth(1)));
    names.dedup();
    let whom = if names.is_empty() { "nobody".to_owned() } else { names.join(" and ") };
    let id = query.and_then(|query| query.strip_prefix("id=")).unwrap_or("none");
    format!("Page {path} id {id} version {version} for [{whom}].")
}

impl Inner {
    fn answer(&self, request: &Request<()>) -> Result<Response<Pieces>, std::io::Error> {
        let mut site = lock(&self.site);
        let (path, query, fields) = (request.uri().path(), request.uri().query(), request.headers());
        let seed = {
            site.dice += 1;
            site.dice
        };
        let body = |text: String, is_cut| Pieces {
            rest: text.into(),
            dice: Dice::new(seed),
            slowness: site.slowness,
            is_cut,
        };
        let empty = |status: StatusCode| {
            let mut response = Response::new(body(String::new(), false));
            *response.status_mut() = status;
            response
        };
        let Some(page) = site.pages.get(path).copied() else { return Ok(empty(StatusCode::NOT_FOUND)) };
        let element = page.says.element();
        let html =
            format!("<title>{path}</title>{element}<p>{}</p>", words(path, query, page.version, fields));
        let mut response = Response::new(body(html.clone(), page.kind == Kind::Cut));
        let head = response.headers_mut();
        head.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        let has_own_text = !matches!(
            page.kind,
            Kind::Public
                | Kind::Private
                | Kind::NoStore
                | Kind::Hidden
                | Kind::WithCookie
                | Kind::Varies
                | Kind::VariesByAnything
        );
        let tagged = match page.tags {
            Tags::None => None,
            Tags::OfText if !has_own_text => Some(html.clone()),
            Tags::OfText | Tags::OfAll => Some(format!("{:?}{:?}{html}", page.kind, page.says)),
        };
        if let Some(tagged) = tagged {
            let tag = format!("\"{}\"", Fingerprint::hash(tagged.as_bytes()));
            head.insert(ETAG, tag.parse().unwrap());
        }
        let mut say = |name: HeaderName, value: &'static [u8]| {
            head.append(name, HeaderValue::from_bytes(value).unwrap());
        };
        if let Some((name, value)) = page.says.field() {
            say(HeaderName::from_static(name), value);
        }
        let signed_in = fields.contains_key(COOKIE) || fields.contains_key(AUTHORIZATION);
        match page.kind {
            Kind::Public | Kind::Cut => {}
            Kind::Private => say(CACHE_CONTROL, b"max-age=60, private"),
            Kind::NoStore => say(CACHE_CONTROL, b"No-Store"),
            Kind::Hidden => say(CACHE_CONTROL, b"x=\xff, private"),
            Kind::WithCookie => say(SET_COOKIE, b"session=1"),
            Kind::Varies => say(VARY, b"accept-language, x-forwarded-user"),
            Kind::VariesByAnything => say(VARY, b"*"),
            Kind::Guarded if !signed_in => {
                let mut refused = empty(StatusCode::UNAUTHORIZED);
                refused.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Basic"));
                return Ok(refused);
            }
            Kind::Guarded => say(CACHE_CONTROL, b"private"),
            Kind::Huge => *response.body_mut() = body(html.repeat(1 + MAX_HTML / html.len()), false),
            Kind::Blank => *response.body_mut() = body("<p></p>".to_owned(), false),
            Kind::NotHtml => {
                response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
            }
            Kind::Coded => say(CONTENT_ENCODING, b"gzip"),
            Kind::Gone => return Ok(empty(StatusCode::GONE)),
            Kind::Missing => return Ok(empty(StatusCode::NOT_FOUND)),
            Kind::Moved => {
                let mut moved = empty(StatusCode::FOUND);
                moved.headers_mut().insert(LOCATION, HeaderValue::from_static("/p0/"));
                return Ok(moved);
            }
            Kind::Failing => return Ok(empty(StatusCode::INTERNAL_SERVER_ERROR)),
            Kind::Later => return Ok(empty(StatusCode::SERVICE_UNAVAILABLE)),
            Kind::Busy => {
                let status = [408, 421, 423, 425, 429][Dice::new(seed).roll(5)];
                return Ok(empty(StatusCode::from_u16(status).unwrap()));
            }
            Kind::Short => {
                response.headers_mut().insert(CONTENT_LENGTH, html.len().into());
                *response.body_mut() = body("<p>Page</p>".to_owned(), false);
            }
            Kind::Broken => return Err(std::io::Error::other("no connection")),
            Kind::Lying => return Ok(empty(StatusCode::NOT_MODIFIED)),
        }
        let held = fields.get(IF_NONE_MATCH);
        let tag = response.headers().get(ETAG);
        if held.is_some() && (held == tag || (page.is_hasty && tag.is_some())) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            *response.body_mut() = body(String::new(), false);
        }
        Ok(response)
    }
}

pub(crate) type Answering<T> = Pin<Box<dyn Future<Output = T> + Send>>;

impl Service<Request<()>> for Inner {
    type Response = Response<Pieces>;
    type Error = std::io::Error;
    type Future = Answering<Result<Response<Pieces>, std::io::Error>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), std::io::Error>> {
        self.is_ready = true;
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<()>) -> Self::Future {
        assert!(core::mem::take(&mut self.is_ready), "called without having been asked whether it is ready");
        let inner = self.clone();
        let (mut dice, slowness) = {
            let mut site = lock(&self.site);
            site.dice += 1;
            (Dice::new(site.dice), site.slowness)
        };
        Box::pin(async move {
            // The text is that of the moment when it is made: a while after the request came, and before it is read.
            let wait = async |dice: &mut Dice| {
                while dice.roll(100) < slowness {
                    let mut is_first = true;
                    std::future::poll_fn(|_| {
                        if core::mem::take(&mut is_first) { Poll::Pending } else { Poll::Ready(()) }
                    })
                    .await;
                }
            };
            wait(&mut dice).await;
            let response = inner.answer(&request);
            wait(&mut dice).await;
            response
        })
    }
}
