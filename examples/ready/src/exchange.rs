//! Requests, responses, and what follows from them whatever the check: redirects and what kind of text a body is.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::sync::OnceLock;

use aidocument_extract::{Extractor, encoding, to_markdown};
use url::Url;
use web_values::{LinkValue, MediaType, links_in};

use crate::html::Tree;
use crate::markdown::{self, MarkdownLink};
use crate::sniff;

/// Redirects that are followed, all within the site. Spec: READY-GEN-2.
const MAX_REDIRECTS: usize = 5;

/// The `Accept` of a request without a preference.
pub const ANY: &str = "*/*";
/// The `Accept` of a request for the Markdown form of a page.
pub const MARKDOWN: &str = "text/markdown";

/// A request's method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// `GET`
    Get,
    /// `HEAD`
    Head,
}

/// A request that the checks need an answer to. It carries no cookies and no body, and follows no redirect.
///
/// Spec: READY-GEN-1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The URL, without a fragment.
    pub url: Url,
    /// The value of `Accept`.
    pub accept: &'static str,
}

/// A response as it came, content coding undone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Response {
    /// The status; 0 stands for no answer.
    pub status: u16,
    /// The header fields, in order.
    pub headers: Vec<(String, String)>,
    /// The body; empty for HEAD.
    pub body: Vec<u8>,
}

/// A response with what was read from it, each thing once.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) response: Response,
    text: OnceLock<String>,
    is_html: OnceLock<bool>,
    tree: OnceLock<Tree>,
    converted: OnceLock<String>,
    main_text: OnceLock<String>,
    links: OnceLock<Vec<MarkdownLink>>,
}

impl Exchange {
    pub(crate) fn new(response: Response) -> Self {
        Exchange {
            response,
            text: OnceLock::new(),
            is_html: OnceLock::new(),
            tree: OnceLock::new(),
            converted: OnceLock::new(),
            main_text: OnceLock::new(),
            links: OnceLock::new(),
        }
    }

    pub(crate) fn status(&self) -> u16 {
        self.response.status
    }

    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.response.status)
    }

    /// The values of a field, in order.
    pub(crate) fn fields<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let headers = self.response.headers.iter();
        headers.filter(move |(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }

    /// The first value of a field.
    pub(crate) fn field<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        self.fields(name).next()
    }

    /// The links of the `Link` fields.
    pub(crate) fn link_fields(&self) -> Vec<LinkValue<'_>> {
        self.fields("link").flat_map(links_in).collect()
    }

    /// The media type with its parameters.
    pub(crate) fn media_type(&self) -> Option<MediaType> {
        self.field("content-type").and_then(MediaType::parse)
    }

    /// Whether this is the media type, parameters aside.
    pub(crate) fn is_type(&self, essence: &str) -> bool {
        let found = self.field("content-type").unwrap_or_default().split(';').next().unwrap_or_default();
        found.trim().eq_ignore_ascii_case(essence)
    }

    /// Whether the content type contains a text, such as `text/`.
    pub(crate) fn type_contains(&self, part: &str) -> bool {
        self.field("content-type").is_some_and(|found| found.to_ascii_lowercase().contains(part))
    }

    /// The decoded body. Spec: READY-GEN-9, READY-AMB-2.
    pub(crate) fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let body = &self.response.body;
            encoding::decode(body, encoding::sniff(body, self.field("content-type"), None)).into_owned()
        })
    }

    /// Whether the body is HTML, whatever the type says. Spec: READY-GEN-3.
    pub(crate) fn has_html_body(&self) -> bool {
        *self.is_html.get_or_init(|| sniff::is_html(self.text()))
    }

    /// An HTML answer. Spec: READY-GEN-3.
    pub(crate) fn is_html(&self) -> bool {
        self.is_type("text/html") || self.is_type("application/xhtml+xml") || self.has_html_body()
    }

    /// Spec: READY-GEN-4.
    pub(crate) fn looks_like_markdown(&self) -> bool {
        !self.has_html_body() && sniff::has_markdown(self.text())
    }

    /// Spec: READY-GEN-5.
    pub(crate) fn is_error_page(&self) -> bool {
        sniff::is_error_page(self.text())
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.text().trim().is_empty()
    }

    /// The elements of the page.
    pub(crate) fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| Tree::parse(self.text()))
    }

    /// The whole page as Markdown; another text is itself.
    pub(crate) fn converted(&self) -> &str {
        if !self.is_html() {
            return self.text();
        }
        self.converted.get_or_init(|| to_markdown(self.text(), None))
    }

    /// The main text of the page, as our extraction has it.
    pub(crate) fn main_text(&self) -> &str {
        // Read back from Markdown, as the other side of the comparison is.
        self.main_text
            .get_or_init(|| markdown::plain(&Extractor::new().comments(false).extract(self.text()).markdown))
    }

    /// The links of a text in Markdown.
    pub(crate) fn markdown_links(&self) -> &[MarkdownLink] {
        self.links.get_or_init(|| markdown::links(self.text()))
    }
}

/// The last response of a chain of redirects.
#[derive(Debug, Clone)]
pub(crate) struct Answer<'a> {
    /// The URL that answered.
    pub(crate) url: Url,
    /// Whether a redirect leads off the site; it was not followed.
    pub(crate) is_cross_host: bool,
    exchange: &'a Exchange,
}

impl Deref for Answer<'_> {
    type Target = Exchange;

    fn deref(&self) -> &Exchange {
        self.exchange
    }
}

/// A document at a fixed place. Spec: READY-GEN-6.
#[derive(Debug, Clone)]
pub(crate) enum Offer<'a> {
    Present(Answer<'a>),
    Absent,
    Unknown,
}

/// The recorded responses.
#[derive(Debug, Default)]
pub(crate) struct Web(BTreeMap<Request, Exchange>);

impl Web {
    pub(crate) fn insert(&mut self, request: Request, response: Response) {
        self.0.insert(request, Exchange::new(response));
    }
}

/// The recorded responses as one look at them sees them; what is missing is noted.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    web: &'a Web,
    wanted: std::cell::RefCell<BTreeSet<Request>>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(web: &'a Web) -> Self {
        Reader { web, wanted: std::cell::RefCell::default() }
    }

    pub(crate) fn into_wanted(self) -> BTreeSet<Request> {
        self.wanted.into_inner()
    }

    /// One response, redirects not followed.
    pub(crate) fn first(&self, method: Method, url: &Url, accept: &'static str) -> Option<&'a Exchange> {
        let mut url = url.clone();
        url.set_fragment(None);
        let request = Request { method, url, accept };
        match self.web.0.get(&request) {
            Some(exchange) => Some(exchange).filter(|exchange| exchange.status() != 0),
            None => {
                self.wanted.borrow_mut().insert(request);
                None
            }
        }
    }

    /// The response at the end of the redirects; `None` where nobody answers. Spec: READY-GEN-2.
    pub(crate) fn ask(&self, method: Method, url: &Url, accept: &'static str) -> Option<Answer<'a>> {
        let mut at = url.clone();
        at.set_fragment(None);
        for left in (0..=MAX_REDIRECTS).rev() {
            let exchange = self.first(method, &at, accept)?;
            let target = redirect_target(exchange, &at);
            let is_cross_host = target.as_ref().is_some_and(|target| !is_same_site(&at, target));
            match target.filter(|_| !is_cross_host && left > 0) {
                Some(target) => at = target,
                None => return Some(Answer { url: at, is_cross_host, exchange }),
            }
        }
        None
    }

    pub(crate) fn get(&self, url: &Url) -> Option<Answer<'a>> {
        self.ask(Method::Get, url, ANY)
    }

    /// Spec: READY-GEN-6.
    pub(crate) fn offer(&self, url: &Url, accept: &'static str) -> Offer<'a> {
        match self.ask(Method::Get, url, accept) {
            Some(answer) if answer.is_cross_host => Offer::Absent,
            Some(answer) => match answer.status() {
                200 if answer.is_html() => Offer::Absent,
                200 => Offer::Present(answer),
                401 | 403 | 429 => Offer::Unknown,
                400..500 => Offer::Absent,
                _ => Offer::Unknown,
            },
            None => Offer::Unknown,
        }
    }
}

/// Where a redirect leads.
pub(crate) fn redirect_target(exchange: &Exchange, at: &Url) -> Option<Url> {
    if !matches!(exchange.status(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let mut target = at.join(exchange.field("location")?).ok()?;
    target.set_fragment(None);
    matches!(target.scheme(), "http" | "https").then_some(target)
}

/// The same port, and the same host once a leading `www.` is gone. Spec: READY-GEN-2.
pub(crate) fn is_same_site(a: &Url, b: &Url) -> bool {
    let host = |url: &Url| {
        let host = url.host_str().unwrap_or_default().to_owned();
        host.strip_prefix("www.").map_or(host.clone(), str::to_owned)
    };
    a.port() == b.port() && host(a) == host(b)
}

/// An absolute http or https URL. Spec: READY-GEN-7.
pub(crate) fn absolute(text: &str) -> Option<Url> {
    let begins = |scheme: &str| text.get(..scheme.len()).is_some_and(|at| at.eq_ignore_ascii_case(scheme));
    Url::parse(text).ok().filter(|_| begins("http://") || begins("https://"))
}
