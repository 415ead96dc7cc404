//! The three kinds of documents, and recognising kind and revision by a body's `profile`.

use tct_canonical_json::{JsonDocument, JsonError, JsonKind};

use super::limits::BodyLimits;

/// The `profile` of an M-URL document of draft -03.
pub(crate) const M_URL_PROFILE: &str =
    "https://www.ietf.org/archive/id/draft-jurkovikj-collab-tunnel-03.html#tct-m-url-profile";

/// The `profile` of an M-Sitemap of draft -03.
pub(crate) const M_SITEMAP_PROFILE: &str =
    "https://www.ietf.org/archive/id/draft-jurkovikj-collab-tunnel-03.html#tct-m-sitemap-profile";

/// The `profile` of an M-Sitemap index of draft -03. This crate does not know its entries: an index is recognised and
/// reported as unsupported, and never written.
///
/// Spec: TCT draft-03; TCT3-IDX-1, TCT3-IDX-2, TCT3-AMB-16.
pub(crate) const M_SITEMAP_INDEX_PROFILE: &str =
    "https://www.ietf.org/archive/id/draft-jurkovikj-collab-tunnel-03.html#tct-m-sitemap-index-profile";

/// The kind of a TCT body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BodyKind {
    /// The JSON twin of a page.
    MUrl,
    /// A sitemap.
    MSitemap,
    /// An index of sitemaps (draft -03 only), which this crate does not read.
    MSitemapIndex,
}

impl BodyKind {
    /// The `profile` of such a document in draft -03, which is compared byte for byte.
    #[must_use]
    pub const fn profile(self) -> &'static str {
        match self {
            BodyKind::MUrl => M_URL_PROFILE,
            BodyKind::MSitemap => M_SITEMAP_PROFILE,
            BodyKind::MSitemapIndex => M_SITEMAP_INDEX_PROFILE,
        }
    }
}

words! { name: BodyKind
    MUrl => "m-url";
    MSitemap => "m-sitemap";
    MSitemapIndex => "m-sitemap-index";
}

/// The rules that a TCT body follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Revision {
    /// Drafts -00, -01 and -02: `profile` is `tct-1` or absent.
    Legacy,
    /// Draft -03: `profile` is one of its URIs.
    V03,
}

words! { name: Revision
    Legacy => "legacy";
    V03 => "03";
}

/// The kind that a `profile` URI of draft -03 names. Compared byte for byte: another scheme or letter case, an
/// additional slash, or a later draft's URI is not recognised.
///
/// Spec: TCT draft-03; TCT3-PROF-3, TCT3-PROF-5.
#[must_use]
pub(crate) fn kind_of_profile(profile: &str) -> Option<BodyKind> {
    match profile {
        M_URL_PROFILE => Some(BodyKind::MUrl),
        M_SITEMAP_PROFILE => Some(BodyKind::MSitemap),
        M_SITEMAP_INDEX_PROFILE => Some(BodyKind::MSitemapIndex),
        _ => None,
    }
}

/// Recognises kind and revision of a body; `None` for other JSON. Choose the reader by it: a body of one revision is
/// never read by the rules of the other.
///
/// A URI of draft -03 is sufficient. With the profile `tct-1`, or with none, an array `items` makes a legacy sitemap, and
/// otherwise the strings `canonical_url`, `title` and `content` make a legacy payload.
///
/// ```
/// use tct::v03::{BodyKind, Revision, classify};
/// assert_eq!(classify(br#"{"version":1,"items":[]}"#)?, Some((BodyKind::MSitemap, Revision::Legacy)));
/// assert_eq!(classify(br#"{"profile":"tct-policy-1"}"#)?, None);
/// # Ok::<(), tct_canonical_json::JsonError>(())
/// ```
///
/// # Errors
/// A [`JsonError`] for bytes that are not JSON, or past a default limit.
///
/// Spec: TCT draft-03; TCT3-PROF-4, TCT3-PROF-6, TCT3-DISC-5, TCT3-MIG-1, TCT3-MIG-5, TCT3-AMB-31, TCT3-AMB-32.
pub fn classify(body: &[u8]) -> Result<Option<(BodyKind, Revision)>, JsonError> {
    let document = BodyLimits::default().reader().read(body)?;
    let (mut profile, mut has_items, mut texts) = (None, false, 0);
    for (name, value) in document.root().members() {
        match &*name.as_str() {
            "profile" => profile = Some(value),
            "items" => has_items = value.kind() == JsonKind::Array,
            "canonical_url" | "title" | "content" => texts += u32::from(value.kind() == JsonKind::String),
            _ => {}
        }
    }
    let is_legacy = match profile.map(|profile| profile.as_str()) {
        None => true,
        Some(None) => false,
        Some(Some(text)) => {
            if let Some(kind) = kind_of_profile(&text) {
                return Ok(Some((kind, Revision::V03)));
            }
            text == crate::payload::PROFILE
        }
    };
    Ok(match (is_legacy, has_items, texts) {
        (true, true, _) => Some((BodyKind::MSitemap, Revision::Legacy)),
        (true, false, 3) => Some((BodyKind::MUrl, Revision::Legacy)),
        _ => None,
    })
}

/// Returns true if a body's profile is that of an M-URL document of draft -03, whatever its faults.
pub(crate) fn is_m_url_document(body: &[u8], limits: &BodyLimits) -> bool {
    // Most bodies are told without reading them: a profile that is right has these bytes, unless it is escaped.
    let (_, fragment) = M_URL_PROFILE.split_at(M_URL_PROFILE.find('#').unwrap_or(0));
    let may_be =
        memchr::memmem::find(body, fragment.as_bytes()).is_some() || memchr::memchr(b'\\', body).is_some();
    let profile_is_right = |document: JsonDocument<'_>| {
        document.root().get("profile").is_some_and(|profile| profile.is_str(M_URL_PROFILE))
    };
    may_be && limits.reader().read(body).is_ok_and(profile_is_right)
}
