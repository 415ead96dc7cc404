//! Headings, links and images: the same in every version of the document.

use alloc::boxed::Box;
use alloc::string::String;

use web_values::{UrlRules, WebUrl};

use crate::error::ValueError;
use crate::json::Extra;
use crate::write::{Object, Out, objects};

/// A heading of the page. Spec: AIWI-DOC-8, AIWI-DOC-9, AIWI-AMB-14.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6, as in `h1` to `h6`.
    pub level: HeadingLevel,
    /// Text of the heading.
    pub text: String,
    /// The element's `id`.
    pub id: Option<String>,
    pub(crate) extra: Extra,
}

impl Heading {
    /// A heading without `id`.
    #[must_use]
    pub fn new(level: HeadingLevel, text: impl Into<String>) -> Self {
        Heading { level, text: text.into(), id: None, extra: Extra::default() }
    }

    /// Members that the version does not know.
    #[must_use]
    pub fn extra(&self) -> &Extra {
        &self.extra
    }
}

/// The level of a heading, 1 to 6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HeadingLevel(u8);

impl HeadingLevel {
    /// The level of that number, or `None` outside 1 to 6.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        match number {
            1..=6 => Some(HeadingLevel(number)),
            _ => None,
        }
    }

    /// The number, 1 to 6.
    #[must_use]
    pub const fn as_u8(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for HeadingLevel {
    type Error = ValueError;

    fn try_from(number: u8) -> Result<Self, ValueError> {
        HeadingLevel::new(number)
            .ok_or_else(|| ValueError::new("an integer from 1 to 6", number, "AIWI-DOC-9"))
    }
}

/// A link of the page. Spec: AIWI-DOC-10 to AIWI-DOC-12, AIWI-AMB-15, AIWI-AMB-16.
///
/// [`Link::internal`] says whether it stays on the page's host. The builder and the reader set it from both URLs, so
/// it cannot contradict them; the other members are read-only for the same reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Kept as text, since a page may have 100,000 links.
    pub(crate) url: Box<str>,
    pub(crate) internal: bool,
    pub(crate) text: Option<String>,
    pub(crate) rel: Option<String>,
    pub(crate) extra: Extra,
}

/// The optional members of a link.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkText {
    /// Text of the link; `None` where it is empty.
    pub text: Option<String>,
    /// The `rel` attribute with its tokens separated by single spaces.
    pub rel: Option<String>,
}

impl Link {
    /// A link of the page at `page` to `url`, whose user information is dropped.
    #[must_use]
    pub fn new(page: &WebUrl, url: WebUrl, said: LinkText) -> Self {
        let url = without_credentials(url);
        let internal = url.host() == page.host();
        Link { url: url.as_str().into(), internal, text: said.text, rel: said.rel, extra: Extra::default() }
    }

    /// The target: an absolute `http` or `https` URL without user information, as the URL Standard's
    /// serialiser writes it.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Whether the link's host is the page's.
    #[must_use]
    pub fn internal(&self) -> bool {
        self.internal
    }

    /// Text of the link; absent where it is empty.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The `rel` attribute with its tokens separated by single spaces.
    #[must_use]
    pub fn rel(&self) -> Option<&str> {
        self.rel.as_deref()
    }

    /// Members that the version does not know.
    #[must_use]
    pub fn extra(&self) -> &Extra {
        &self.extra
    }
}

/// An image of the page. Spec: AIWI-DOC-13, AIWI-AMB-17.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    pub(crate) url: Box<str>,
    /// Alternative text; `Some("")` for an image that is marked as decoration.
    pub alt: Option<String>,
    pub(crate) extra: Extra,
}

impl Image {
    /// An image without alternative text; user information in its URL is dropped.
    #[must_use]
    pub fn new(url: &WebUrl) -> Self {
        Image { url: without_credentials(url.clone()).as_str().into(), alt: None, extra: Extra::default() }
    }

    /// Where the image is, in the form of [`Link::url`].
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Members that the version does not know.
    #[must_use]
    pub fn extra(&self) -> &Extra {
        &self.extra
    }
}

/// The URL without user information: it may be the end user's. Spec: AIWI-DOC-24.
pub(crate) fn without_credentials(url: WebUrl) -> WebUrl {
    if url.username().is_empty() && url.password().is_none() {
        return url;
    }
    let rules = UrlRules::default().dropping_credentials();
    WebUrl::from_url(url.clone().into_url(), rules).unwrap_or(url)
}

impl Object for Heading {
    fn members<O: Out>(&self, out: &mut O) -> Result<(), O::Error> {
        out.member("level", &u64::from(self.level.as_u8()))?;
        out.member("text", &self.text)?;
        out.optional("id", self.id.as_ref())?;
        out.extra(&self.extra)
    }
}

impl Object for Link {
    fn members<O: Out>(&self, out: &mut O) -> Result<(), O::Error> {
        out.member("url", &*self.url)?;
        out.optional("text", self.text.as_ref())?;
        out.member("internal", &self.internal)?;
        out.optional("rel", self.rel.as_ref())?;
        out.extra(&self.extra)
    }
}

impl Object for Image {
    fn members<O: Out>(&self, out: &mut O) -> Result<(), O::Error> {
        out.member("url", &*self.url)?;
        out.optional("alt", self.alt.as_ref())?;
        out.extra(&self.extra)
    }
}

objects!(Heading, Link, Image);

/// Returns true if the headings form a hierarchy: there is at least one, the first is of level 1 or 2, and none is
/// more than one level deeper than the one before it. Going back up by several levels closes several sections and
/// is fine.
///
/// ```
/// use aidocument::{Heading, HeadingLevel, heading_hierarchy_ok};
///
/// let headings = |levels: &[u8]| -> Vec<Heading> {
///     levels.iter().filter_map(|level| Some(Heading::new(HeadingLevel::new(*level)?, "x"))).collect()
/// };
/// assert!(heading_hierarchy_ok(&headings(&[1, 2, 3, 4, 2])));
/// assert!(!heading_hierarchy_ok(&headings(&[1, 3])));
/// assert!(!heading_hierarchy_ok(&headings(&[3])));
/// assert!(!heading_hierarchy_ok(&[]));
/// ```
///
/// Spec: AIWebIndex 2.0, "Field definitions"; AIWI2-DOC-30, AIWI2-AMB-18.
#[must_use]
pub fn heading_hierarchy_ok(headings: &[Heading]) -> bool {
    Hierarchy::of(headings.iter().map(|heading| heading.level)).is_ok
}

/// What the levels of a document's headings say about its hierarchy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hierarchy {
    /// As [`heading_hierarchy_ok`] reads the rule.
    pub(crate) is_ok: bool,
    /// The stricter reading: no jump by more than one level in either direction.
    pub(crate) is_strict: bool,
}

impl Hierarchy {
    pub(crate) fn of(levels: impl IntoIterator<Item = HeadingLevel>) -> Self {
        let mut levels = levels.into_iter().map(HeadingLevel::as_u8);
        let first = levels.next();
        let is_ok = first.is_some_and(|first| first <= 2);
        let mut found = Hierarchy { is_ok, is_strict: is_ok };
        let mut before = first.unwrap_or_default();
        for level in levels {
            found.is_ok &= level <= before + 1;
            found.is_strict &= level.abs_diff(before) <= 1;
            before = level;
        }
        found
    }
}
