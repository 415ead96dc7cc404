//! What a page says about its own use, as header fields for its other forms.
//!
//! ```text
//! X-Robots-Tag  Content-Signal  Content-Usage            as they are
//! tdm-reservation  tdm-policy
//! Link: …; rel=license                                   with an absolute target
//! <meta name=robots content=noai>                        X-Robots-Tag: noai
//! <meta name=examplebot content=noindex>                 X-Robots-Tag: examplebot: noindex
//! <meta name=tdm-reservation content=1>                  tdm-reservation: 1
//! <link rel=license type=application/rsl+xml href=…>     Link: <…>; rel="license"; type="application/rsl+xml"
//! <script type=application/rsl+xml>                      no field says it
//! ```

use std::collections::{BTreeMap, BTreeSet};

use http::header::LINK;
use http::{HeaderMap, HeaderName, HeaderValue};
use robots::{Directives, meta_elements};
use signals::{RSL_MEDIA_TYPE, RslLinks};
use tct::Representation;
use tct::link::links;
use url::Url;

const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

/// Fields of a page that are about its use, except links.
const COPIED: [HeaderName; 5] = [
    ROBOTS,
    HeaderName::from_static("content-signal"),
    HeaderName::from_static("content-usage"),
    HeaderName::from_static("tdm-reservation"),
    HeaderName::from_static("tdm-policy"),
];

/// Elements that say what a field of the same name says, in its place.
const META_FIELDS: [&str; 2] = ["tdm-reservation", "tdm-policy"];

/// Names of other metadata, or how they begin. Their values may be any words, those of directives too.
const METADATA: [&str; 12] = [
    "apple-",
    "application-name",
    "author",
    "citation_",
    "dc.",
    "dcterms.",
    "description",
    "generator",
    "keywords",
    "msapplication-",
    "referrer",
    "title",
];

/// A crawler that no page names: what it is told is for everybody.
const EVERYBODY: &str = "";

/// The most that these fields may have, in bytes: servers and proxies refuse heads from 4 or 8 KiB on.
const MAX_BYTES: usize = 3 << 10;

/// Header fields that say what a page says about its own use: they belong to its twins and its Markdown too.
///
/// ```
/// use tct_tower::PageTerms;
///
/// let page = "https://example.com/".parse()?;
/// let html = b"<meta name=robots content='noai, noindex'><p>Text.";
/// let terms = PageTerms::of_page(&page, &http::HeaderMap::new(), html).expect("fields say it");
/// assert_eq!(terms.fields()[0].1, "noai, noindex");
/// assert!(!terms.may_be_listed());
/// # Ok::<(), url::ParseError>(())
/// ```
///
/// Spec: TCT-SEC-15; SIGNAL-D-8.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageTerms {
    fields: Vec<(HeaderName, HeaderValue)>,
    is_hidden: bool,
}

impl PageTerms {
    /// What the page at this URL says, by the header fields of its response and in its HTML. `None` where fields cannot say
    /// it: a licence inside of the page, or fields of more than 3 KiB. Such a page must have no other form.
    ///
    /// A directive for one crawler stays one for that crawler: it keeps a page out of no list that is for all. What cannot be
    /// read says nothing, as on the page. `O(n)`.
    #[must_use]
    pub fn of_page(page: &Url, headers: &HeaderMap, html: &[u8]) -> Option<Self> {
        let mut everybody = Directives::default();
        let mut named: BTreeMap<String, Directives> = BTreeMap::new();
        let mut of_elements = Vec::new();
        for (name, content) in meta_elements(html) {
            let name = name.trim_ascii().to_ascii_lowercase();
            if name == "robots" {
                everybody.add_meta("robots", &content, EVERYBODY);
            } else if let Some(name) = META_FIELDS.into_iter().find(|known| *known == name) {
                let content = content.trim();
                let is_read = match name {
                    "tdm-reservation" => matches!(content, "0" | "1"),
                    _ => Url::parse(content).is_ok_and(|url| matches!(url.scheme(), "http" | "https")),
                };
                let value = HeaderValue::from_str(content).ok().filter(|_| is_read);
                of_elements.extend(value.map(|value| (HeaderName::from_static(name), value)));
            } else if is_for_crawler(&name, &content) {
                named.entry(name).or_default().add_meta("robots", &content, EVERYBODY);
            }
        }
        let in_page = RslLinks::of_html(html, page);
        if !in_page.documents.is_empty() {
            return None;
        }
        // A crawler's name counts up to the end of the field, and lines may be joined: what is for everybody comes first.
        let mut fields: Vec<_> = said(&everybody).map(|value| (ROBOTS, value)).into_iter().collect();
        let is_left = |(name, _): &(HeaderName, _)| !of_elements.iter().any(|(found, _)| found == name);
        fields.extend(of_headers(page, headers).into_iter().filter(is_left));
        let named = named.iter().filter_map(|(name, directives)| {
            let value = format!("{name}: {}", said(directives)?.to_str().ok()?);
            Some((ROBOTS, HeaderValue::try_from(value).ok()?))
        });
        fields.extend(named.chain(of_elements));
        fields
            .extend(in_page.urls.iter().filter_map(|url| Some((LINK, licence(url, Some(RSL_MEDIA_TYPE))?))));
        let bytes = fields.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum::<usize>();
        let by_field = Directives::of_header_map(headers, EVERYBODY);
        let is_hidden = everybody.has("noindex") || by_field.has("noindex");
        (bytes <= MAX_BYTES).then_some(PageTerms { fields, is_hidden })
    }

    /// The fields, in the order in which they are to be sent.
    #[must_use]
    pub fn fields(&self) -> &[(HeaderName, HeaderValue)] {
        &self.fields
    }

    /// Whether the page may be in lists of pages: not where it says `noindex` to everybody.
    #[must_use]
    pub fn may_be_listed(&self) -> bool {
        !self.is_hidden
    }

    /// The representation of another form of the page, with these fields.
    #[must_use]
    pub fn on(&self, form: Representation) -> Representation {
        self.fields.iter().cloned().fold(form, |form, (name, value)| form.with_field(name, value))
    }
}

/// The fields of a response that are about the use of the page at `page`.
pub(crate) fn of_headers(page: &Url, headers: &HeaderMap) -> Vec<(HeaderName, HeaderValue)> {
    let copied = COPIED.into_iter().flat_map(|name| {
        let lines = headers.get_all(&name).iter().cloned();
        lines.map(move |value| (name.clone(), value)).collect::<Vec<_>>()
    });
    let licences =
        links(headers).filter(|link| link.has_rel("license") && !link.is_anchored).filter_map(|link| {
            let media_type = link.media_type.as_deref();
            Some((LINK, licence(&link.resolve(page)?, media_type)?))
        });
    copied.chain(licences).collect()
}

/// Whether a later response without the page, a 304, says something else than the one with it. A field that it leaves out is
/// as it was (RFC 9111, 3.2).
pub(crate) fn differ(before: &[(HeaderName, HeaderValue)], later: &[(HeaderName, HeaderValue)]) -> bool {
    let lines = |of: &[(HeaderName, HeaderValue)], name: &HeaderName| -> Vec<HeaderValue> {
        of.iter().filter(|(found, _)| found == name).map(|(_, value)| value.clone()).collect()
    };
    later.iter().any(|(name, _)| lines(before, name) != lines(later, name))
}

/// Whether an element is for one crawler: it has a product token for a name, and a directive that is known and forbids
/// something.
fn is_for_crawler(name: &str, content: &str) -> bool {
    let is_token = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'/');
    let mut directives = Directives::default();
    directives.add_meta("robots", content, EVERYBODY);
    let says_nothing = |name: &str| matches!(name, "all" | "follow" | "index");
    // A name that takes a value in the field would be read as that.
    !name.is_empty()
        && name.bytes().all(is_token)
        && !name.starts_with("max-")
        && name != "unavailable_after"
        && !METADATA
            .iter()
            .any(|other| name == *other || (other.ends_with(['-', '_', '.']) && name.starts_with(other)))
        && directives.iter().filter(|(name, _)| !says_nothing(name)).count() > directives.unknown().count()
}

/// Directives as a field has them; `None` where there are none.
fn said(directives: &Directives) -> Option<HeaderValue> {
    let unknown: BTreeSet<_> = directives.unknown().collect();
    let one = |(name, value): (&str, Option<&str>)| match value {
        None => Some(name.to_owned()),
        // In the field, an unknown name before a colon would be a crawler's.
        Some(value) => (!unknown.contains(name)).then(|| format!("{name}: {value}")),
    };
    let is_text = |text: &String| text.is_ascii() && HeaderValue::from_str(text).is_ok();
    let all: Vec<_> = directives.iter().filter_map(one).filter(is_text).collect();
    HeaderValue::try_from(all.join(", ")).ok().filter(|value| !value.is_empty())
}

fn licence(target: &Url, media_type: Option<&str>) -> Option<HeaderValue> {
    let media_type =
        media_type.map(|media_type| format!("; type=\"{}\"", media_type.replace(['"', '\\'], "")));
    // A URL has no angle bracket.
    HeaderValue::try_from(format!("<{target}>; rel=\"license\"{}", media_type.unwrap_or_default())).ok()
}
