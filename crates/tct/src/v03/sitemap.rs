//! M-Sitemaps, as a publisher makes them.

use std::collections::HashSet;

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use tct_canonical_json::Typed;
use tct_fingerprint::Fingerprint;

use super::document::SealedDocument;
use super::finding::TctFindingCode as Code;
use super::identity::{EncodeError, Identity};
use super::limits::BodyLimits;
use super::members::{GivenMembers, OwnMembers};
use super::profile::M_SITEMAP_PROFILE;
use super::syntax::{has_credentials, is_http_uri, is_timestamp};
use super::tag::is_hint;

/// One page in an M-Sitemap.
///
/// ```
/// use tct::v03::{MSitemapItem, MUrlDocument};
/// let sealed = MUrlDocument::new("https://example.com/post/", "Example", "Hello")?.seal()?;
/// let item = MSitemapItem::of(&sealed, "https://example.com/post/llm/")?.with_last_modified("2026-07-23T09:00:00Z")?;
/// assert_eq!(item.c_url(), "https://example.com/post/");
/// # Ok::<(), tct::v03::EncodeError>(())
/// ```
///
/// Spec: TCT draft-03; TCT3-SM-4 to TCT3-SM-7, TCT3-SM-13.
#[derive(Debug, Clone, PartialEq)]
pub struct MSitemapItem {
    c_url: String,
    m_url: String,
    etag: Option<Fingerprint>,
    last_modified: Option<String>,
    members: OwnMembers,
}

impl MSitemapItem {
    /// An item without hint: agents then have to ask for the twin.
    ///
    /// # Errors
    /// `Fault(Url)` for a URL that is not absolute `http` or `https`, `Credentials` for one with a user name.
    pub fn new(c_url: impl Into<String>, m_url: impl Into<String>) -> Result<Self, EncodeError> {
        let (c_url, m_url) = (c_url.into(), m_url.into());
        for (member, url) in [("cUrl", &c_url), ("mUrl", &m_url)] {
            if !is_http_uri(url) {
                return Err(EncodeError::fault(Code::Url, None, member, url));
            }
            if has_credentials(url) {
                return Err(EncodeError::credentials());
            }
        }
        Ok(MSitemapItem { c_url, m_url, etag: None, last_modified: None, members: OwnMembers::default() })
    }

    /// The item of a sealed document at `m_url`. Its hint is that of the bytes that the M-URL serves.
    ///
    /// # Errors
    /// As [`MSitemapItem::new`].
    pub fn of(document: &SealedDocument, m_url: impl Into<String>) -> Result<Self, EncodeError> {
        Ok(Self::new(document.canonical_url(), m_url)?.with_hint(document.tag().fingerprint()))
    }

    /// An item of members that are JSON values already.
    ///
    /// # Errors
    /// The first fault that [`check_sitemap`](super::check_sitemap) would find in it; `Credentials`.
    pub fn from_members(members: &Map<String, Value>) -> Result<Self, EncodeError> {
        let given = GivenMembers(members);
        let mut item = Self::new(given.required("cUrl")?, given.required("mUrl")?)?;
        if let Some(etag) = given.optional("etag")? {
            let hint = Fingerprint::parse(etag).ok().filter(|_| is_hint(etag));
            item.etag = Some(hint.ok_or_else(|| EncodeError::fault(Code::Etag, None, "etag", etag))?);
        }
        if let Some(modified) = given.optional("lastModified")? {
            item = item.with_last_modified(modified)?;
        }
        item.members = given.others(&KNOWN);
        Ok(item)
    }

    /// Sets the hint: the hash of the bytes that the M-URL serves without content coding.
    #[must_use]
    pub fn with_hint(self, fingerprint: Fingerprint) -> Self {
        MSitemapItem { etag: Some(fingerprint), ..self }
    }

    /// Sets the time of the twin's last change.
    ///
    /// # Errors
    /// `Fault(Timestamp)` for a text that is not an RFC 3339 timestamp with capital `T`, and `Z` or an offset.
    pub fn with_last_modified(mut self, timestamp: impl Into<String>) -> Result<Self, EncodeError> {
        let timestamp = timestamp.into();
        if !is_timestamp(&timestamp) {
            return Err(EncodeError::fault(Code::Timestamp, None, "lastModified", &timestamp));
        }
        self.last_modified = Some(timestamp);
        Ok(self)
    }

    /// Adds a member of the publisher's own.
    ///
    /// # Errors
    /// `Reserved` for the four names of the protocol.
    pub fn with_member(
        mut self,
        name: impl Into<String>,
        value: impl Into<Value>,
    ) -> Result<Self, EncodeError> {
        self.members.add(name.into(), value.into(), &KNOWN)?;
        Ok(self)
    }

    /// The page's URL.
    #[must_use]
    pub fn c_url(&self) -> &str {
        &self.c_url
    }

    /// Its twin's URL.
    #[must_use]
    pub fn m_url(&self) -> &str {
        &self.m_url
    }
}

/// The members of an item that the protocol defines.
const KNOWN: [&str; 4] = ["cUrl", "etag", "lastModified", "mUrl"];

/// The members of a sitemap that the builder writes, and the one that is forbidden.
const RESERVED: [&str; 4] = ["items", "profile", "sitemaps", "version"];

impl Serialize for MSitemapItem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = self.members.beside(serializer.serialize_map(None)?);
        map.entry("cUrl", &self.c_url)?;
        if let Some(etag) = &self.etag {
            map.entry("etag", etag.encode(&mut [0; Fingerprint::TEXT_LEN]))?;
        }
        if let Some(modified) = &self.last_modified {
            map.entry("lastModified", modified)?;
        }
        map.entry("mUrl", &self.m_url)?;
        map.end()
    }
}

/// A sitemap of the pages of one site. Items keep the order in which they came: another order is another document.
///
/// Beyond a limit it fails as a whole and is never truncated: the publisher then serves no sitemap
/// ([`Availability::TooLarge`](super::Availability::TooLarge)).
///
/// ```
/// use tct::v03::{MSitemap, MSitemapItem};
/// let mut sitemap = MSitemap::new();
/// sitemap.push(MSitemapItem::new("https://example.com/", "https://example.com/llm/")?)?;
/// assert!(sitemap.push(MSitemapItem::new("https://example.com/", "https://example.com/other/")?).is_err());
/// assert!(sitemap.seal()?.body().starts_with(br#"{"items":[{"cUrl":"https://example.com/","mUrl":"#));
/// # Ok::<(), tct::v03::EncodeError>(())
/// ```
///
/// Spec: TCT draft-03; TCT3-SM-1 to TCT3-SM-3, TCT3-SM-8, TCT3-SM-9, TCT3-SM-15, TCT3-LIM-7.
#[derive(Debug, Clone, Default)]
pub struct MSitemap {
    items: Vec<MSitemapItem>,
    urls: [HashSet<String>; 2],
    members: OwnMembers,
    limits: BodyLimits,
}

impl MSitemap {
    /// A sitemap without items, with the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A sitemap without items, with other limits.
    #[must_use]
    pub fn with_limits(limits: BodyLimits) -> Self {
        MSitemap { limits, ..Self::default() }
    }

    /// Appends an item.
    ///
    /// # Errors
    /// `Fault(Duplicate)` where an earlier item has the same `cUrl` or `mUrl`, `TooManyItems` past the limit.
    pub fn push(&mut self, item: MSitemapItem) -> Result<(), EncodeError> {
        if self.items.len() >= self.limits.max_items {
            return Err(EncodeError::too_many_items(self.limits.max_items));
        }
        let index = Some(self.items.len());
        let [pages, twins] = &mut self.urls;
        if pages.contains(&item.c_url) {
            return Err(EncodeError::fault(Code::Duplicate, index, "cUrl", &item.c_url));
        }
        if !twins.insert(item.m_url.clone()) {
            return Err(EncodeError::fault(Code::Duplicate, index, "mUrl", &item.m_url));
        }
        pages.insert(item.c_url.clone());
        self.items.push(item);
        Ok(())
    }

    /// Adds a member of the publisher's own beside `items`.
    ///
    /// # Errors
    /// `Reserved` for `profile`, `version`, `items`, and `sitemaps`, which belongs to an index.
    pub fn with_member(
        mut self,
        name: impl Into<String>,
        value: impl Into<Value>,
    ) -> Result<Self, EncodeError> {
        self.members.add(name.into(), value.into(), &RESERVED)?;
        Ok(self)
    }

    /// The items.
    #[must_use]
    pub fn items(&self) -> &[MSitemapItem] {
        &self.items
    }

    /// Makes the bytes to serve, with the fields of [`Representation::of_m_sitemap`](crate::Representation::of_m_sitemap).
    ///
    /// # Errors
    /// `Json` past a limit, or for a member without canonical form.
    pub fn seal(&self) -> Result<Identity, EncodeError> {
        let limits = &self.limits;
        let mut body = Vec::with_capacity(self.items.len() * 220 + 160);
        limits.canonicalizer().write_canonical(Typed(self), &mut body)?;
        Identity::of_canonical(body, limits)
    }
}

impl Serialize for MSitemap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Items<'a>(&'a [MSitemapItem]);
        impl Serialize for Items<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut seq = serializer.serialize_seq(Some(self.0.len()))?;
                self.0.iter().try_for_each(|item| seq.serialize_element(item))?;
                seq.end()
            }
        }
        let mut map = self.members.beside(serializer.serialize_map(None)?);
        map.entry("items", &Items(&self.items))?;
        map.entry("profile", M_SITEMAP_PROFILE)?;
        map.entry("version", &2)?;
        map.end()
    }
}
