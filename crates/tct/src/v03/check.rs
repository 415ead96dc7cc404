//! Checking documents: every fault of a body, whether its bytes are canonical, and their tag.

use std::borrow::Cow;
use std::collections::HashMap;

use tct_canonical_json::{JsonError, JsonKind, JsonValue, Profile, read_canonical_strings};
use tct_fingerprint::Fingerprint;
use url::Url;

use super::finding::{TctFinding, TctFindingCode as Code};
use super::limits::BodyLimits;
use super::profile::{M_SITEMAP_INDEX_PROFILE, M_SITEMAP_PROFILE, M_URL_PROFILE};
use super::syntax::{is_http_uri, is_language_tag, is_media_type, is_timestamp};
use super::tag::{BodyTag, is_hint};
use crate::sitemap::ListedPage;

/// The result of checking an M-URL document or an M-Sitemap.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct DocumentCheck {
    findings: Vec<TctFinding>,
    is_canonical: bool,
    tag: BodyTag,
    items: Vec<ListedPage>,
    is_index: bool,
}

impl DocumentCheck {
    /// Returns true if the body is a document of draft -03. It need not be in canonical form.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.findings.is_empty()
    }

    /// All faults.
    #[must_use]
    pub fn findings(&self) -> &[TctFinding] {
        &self.findings
    }

    /// Whether the bytes are their own RFC 8785 form, as a publisher's must be.
    #[must_use]
    pub fn is_canonical(&self) -> bool {
        self.is_canonical
    }

    /// The tag of the bytes as received.
    #[must_use]
    pub fn tag(&self) -> &BodyTag {
        &self.tag
    }

    /// The items of a sitemap that can be used, in order; none where the top level has a fault. A hash or a time that is
    /// malformed, and a hash that is contradicted, are absent.
    #[must_use]
    pub fn items(&self) -> &[ListedPage] {
        &self.items
    }

    /// Whether the body is an index of sitemaps, which is not supported.
    #[must_use]
    pub fn is_unsupported_index(&self) -> bool {
        self.is_index
    }
}

/// Checks an M-URL document. `O(n)`; nothing of the body is copied.
///
/// # Errors
/// A [`JsonError`] for bytes that are not JSON, or past a limit. JSON of the wrong shape is a verdict.
///
/// Spec: TCT draft-03; TCT3-DOC-1 to TCT3-DOC-8, TCT3-DOC-11, TCT3-PROF-1 to TCT3-PROF-4, TCT3-JCS-6 to TCT3-JCS-8,
/// TCT3-JCS-10.
pub fn check_document(body: &[u8], limits: &BodyLimits) -> Result<DocumentCheck, JsonError> {
    let (findings, is_canonical) = match is_faultless(body, limits) {
        true => (Vec::new(), true),
        false => {
            let document = limits.reader().read(body)?;
            (read_document(document.root()).1, limits.is_canonical(&document))
        }
    };
    let tag = BodyTag::of_bytes(body);
    Ok(DocumentCheck { findings, is_canonical, tag, items: Vec::new(), is_index: false })
}

/// The fast path: most bodies are canonical documents whose members are strings, and need one pass. False is not a
/// verdict.
fn is_faultless(body: &[u8], limits: &BodyLimits) -> bool {
    let mut members = 0_usize;
    let [mut has_profile, mut has_url, mut has_title, mut has_content] = [false; 4];
    let is_right = limits.allows_flat(body.len())
        && read_canonical_strings(body, Profile::Rfc8785, |name, spelled| {
            members += 1;
            // A canonical escape is never shorter than what it stands for.
            let is_within = name.len() <= limits.max_name_bytes && spelled.len() <= limits.max_string_bytes;
            // Texts with an escape are none of the three.
            is_within
                && match name {
                    "canonical_url" => {
                        has_url = true;
                        is_http_uri(spelled)
                    }
                    "content" => {
                        has_content = true;
                        true
                    }
                    "content_media_type" => is_media_type(spelled),
                    "language" => is_language_tag(spelled),
                    "profile" => {
                        has_profile = true;
                        spelled == M_URL_PROFILE
                    }
                    "title" => {
                        has_title = true;
                        true
                    }
                    _ => true,
                }
        });
    is_right && has_profile && has_url && has_title && has_content && members < limits.max_values
}

/// The members of an M-URL document that the protocol knows, each if it is a string of the right form.
#[derive(Debug, Default)]
pub(crate) struct Members<'a> {
    pub(crate) canonical_url: Option<JsonValue<'a>>,
    pub(crate) title: Option<JsonValue<'a>>,
    pub(crate) content: Option<JsonValue<'a>>,
    pub(crate) language: Option<JsonValue<'a>>,
    pub(crate) content_media_type: Option<JsonValue<'a>>,
}

/// Reads an M-URL document.
pub(crate) fn read_document(root: JsonValue<'_>) -> (Members<'_>, Vec<TctFinding>) {
    if root.kind() != JsonKind::Object {
        let finding = TctFinding::new(Code::WrongType, None, "", root.kind().name());
        return (Members::default(), vec![finding]);
    }
    let [mut profile, mut canonical_url, mut title, mut content, mut language, mut media_type] = [None; 6];
    for (name, value) in root.members() {
        match &*name.as_str() {
            "profile" => profile = Some(value),
            "canonical_url" => canonical_url = Some(value),
            "title" => title = Some(value),
            "content" => content = Some(value),
            "language" => language = Some(value),
            "content_media_type" => media_type = Some(value),
            _ => {}
        }
    }
    let mut check = Findings { item: None, list: Vec::new() };
    check.required("profile", profile, |text| text == M_URL_PROFILE, Code::Profile);
    let members = Members {
        canonical_url: check.required("canonical_url", canonical_url, is_http_uri, Code::Url),
        title: check.required_text("title", title),
        content: check.required_text("content", content),
        language: check.optional("language", language, is_language_tag, Code::Language),
        content_media_type: check.optional("content_media_type", media_type, is_media_type, Code::MediaType),
    };
    (members, check.list)
}

/// Collects the findings of one object.
struct Findings {
    item: Option<usize>,
    list: Vec<TctFinding>,
}

impl Findings {
    #[cold]
    fn add(&mut self, code: Code, member: &'static str, found: &str) {
        self.list.push(TctFinding::new(code, self.item, member, found));
    }

    /// A member that must be a string of any content.
    fn required_text<'a>(
        &mut self,
        member: &'static str,
        value: Option<JsonValue<'a>>,
    ) -> Option<JsonValue<'a>> {
        match value.map(|value| value.kind()) {
            Some(JsonKind::String) => return value,
            None => self.add(Code::Missing, member, ""),
            Some(other) => self.add(Code::WrongType, member, other.name()),
        }
        None
    }

    /// A member that must be a string of a form.
    fn required<'a>(
        &mut self,
        member: &'static str,
        value: Option<JsonValue<'a>>,
        is_right: impl Fn(&str) -> bool,
        code: Code,
    ) -> Option<JsonValue<'a>> {
        let value = self.required_text(member, value)?;
        let text = value.as_str().unwrap_or_default();
        if is_right(&text) {
            return Some(value);
        }
        self.add(code, member, &text);
        None
    }

    /// A member that may be absent.
    fn optional<'a>(
        &mut self,
        member: &'static str,
        value: Option<JsonValue<'a>>,
        is_right: impl Fn(&str) -> bool,
        code: Code,
    ) -> Option<JsonValue<'a>> {
        value.and_then(|_| self.required(member, value, is_right, code))
    }
}

/// Checks an M-Sitemap. `O(n)`. `url` is the one that the sitemap was fetched from: items of other origins are faults and are
/// not used. `None` takes items of every origin, for a file that was not fetched.
///
/// A fault of the top level makes the whole document unusable. A bad item is skipped alone; a bad `etag` or
/// `lastModified` counts as absent. An item that repeats a URL of an earlier one is left out, and the earlier one keeps
/// its hint only if both hints are equal.
///
/// A crawler that streams large sitemaps uses [`SitemapReader`](crate::SitemapReader), which reads both revisions with the
/// limits of a reader instead of those of a writer (TCT3-AMB-30).
///
/// # Errors
/// A [`JsonError`] for bytes that are not JSON, or past a limit. JSON of the wrong shape is a verdict.
///
/// Spec: TCT draft-03; TCT3-SM-1 to TCT3-SM-11, TCT3-MIG-7, TCT3-AMB-17 to TCT3-AMB-19.
pub fn check_sitemap(
    body: &[u8],
    url: Option<&Url>,
    limits: &BodyLimits,
) -> Result<DocumentCheck, JsonError> {
    let document = limits.reader().read(body)?;
    let root = document.root();
    let mut check = Findings { item: None, list: Vec::new() };
    let mut reader = ItemReader::new(url);
    let [mut profile, mut version, mut items, mut sitemaps] = [None; 4];
    if root.kind() == JsonKind::Object {
        for (name, value) in root.members() {
            match &*name.as_str() {
                "profile" => profile = Some(value),
                "version" => version = Some(value),
                "items" => items = Some(value),
                "sitemaps" => sitemaps = Some(value),
                _ => {}
            }
        }
        check.required("profile", profile, |text| text == M_SITEMAP_PROFILE, Code::Profile);
        match version.map(|version| (version.kind(), version.as_i64())) {
            None => check.add(Code::Missing, "version", ""),
            Some((JsonKind::Number, Some(2))) => {}
            Some((JsonKind::Number, _)) => {
                check.add(Code::Version, "version", version.map_or("", |value| value.raw()))
            }
            Some((other, _)) => check.add(Code::WrongType, "version", other.name()),
        }
        match items.map(|items| items.kind()) {
            None => check.add(Code::Missing, "items", ""),
            Some(JsonKind::Array) => {}
            Some(other) => check.add(Code::WrongType, "items", other.name()),
        }
        if let Some(value) = sitemaps {
            check.add(Code::Forbidden, "sitemaps", value.kind().name());
        }
        reader.read(items);
    } else {
        check.add(Code::WrongType, "", root.kind().name());
    }
    let is_index = profile.is_some_and(|profile| profile.is_str(M_SITEMAP_INDEX_PROFILE));
    let items = if check.list.is_empty() { reader.items } else { Vec::new() };
    check.list.append(&mut reader.findings);
    let (is_canonical, tag) = (limits.is_canonical(&document), BodyTag::of_bytes(body));
    Ok(DocumentCheck { findings: check.list, is_canonical, tag, items, is_index })
}

/// Reads the items of a sitemap.
struct ItemReader<'a> {
    origin: Option<url::Origin>,
    /// An accepted origin followed by a slash: a URL with this prefix needs no parsing.
    known: String,
    items: Vec<ListedPage>,
    findings: Vec<TctFinding>,
    /// Position in `items` by URL.
    pages: HashMap<Cow<'a, str>, usize>,
    twins: HashMap<Cow<'a, str>, usize>,
}

impl<'a> ItemReader<'a> {
    fn new(url: Option<&Url>) -> Self {
        ItemReader {
            origin: url.map(Url::origin),
            known: String::new(),
            items: Vec::new(),
            findings: Vec::new(),
            pages: HashMap::new(),
            twins: HashMap::new(),
        }
    }

    fn read(&mut self, items: Option<JsonValue<'a>>) {
        for (index, item) in items.iter().flat_map(JsonValue::items).enumerate() {
            match item.kind() {
                JsonKind::Object => self.item(index, item),
                other => {
                    self.findings.push(TctFinding::new(Code::WrongType, Some(index), "", other.name()));
                }
            }
        }
    }

    fn item(&mut self, index: usize, item: JsonValue<'a>) {
        let [mut c_url, mut m_url, mut etag, mut modified] = [None; 4];
        for (name, value) in item.members() {
            match &*name.as_str() {
                "cUrl" => c_url = Some(value),
                "mUrl" => m_url = Some(value),
                "etag" => etag = Some(value),
                "lastModified" => modified = Some(value),
                _ => {}
            }
        }
        let mut check = Findings { item: Some(index), list: Vec::new() };
        let owned = |value: JsonValue<'_>| value.as_str().map(Cow::into_owned);
        let c_url = self.url("cUrl", c_url, &mut check);
        let m_url = self.url("mUrl", m_url, &mut check);
        let etag = check.optional("etag", etag, is_hint, Code::Etag);
        let etag = etag.and_then(|etag| Fingerprint::parse(&etag.as_str()?).ok());
        let modified =
            check.optional("lastModified", modified, is_timestamp, Code::Timestamp).and_then(owned);
        if let (Some(c_url), Some(m_url)) = (c_url, m_url) {
            self.take(index, c_url, m_url, etag, modified, &mut check);
        }
        self.findings.append(&mut check.list);
    }

    /// Reads a valid URL of the required origin.
    fn url(
        &mut self,
        member: &'static str,
        value: Option<JsonValue<'a>>,
        check: &mut Findings,
    ) -> Option<Cow<'a, str>> {
        let url = check.required(member, value, is_http_uri, Code::Url)?.as_str()?;
        if !self.is_of_origin(&url) {
            check.add(Code::OtherOrigin, member, &url);
            return None;
        }
        Some(url)
    }

    fn is_of_origin(&mut self, url: &str) -> bool {
        let Some(origin) = &self.origin else { return true };
        if !self.known.is_empty() && url.starts_with(&self.known) {
            return true;
        }
        let is_same = Url::parse(url).is_ok_and(|url| url.origin() == *origin);
        if is_same {
            let known = origin.ascii_serialization() + "/";
            if url.starts_with(&known) {
                self.known = known;
            }
        }
        is_same
    }

    /// Adds an item with two valid URLs, unless it repeats a URL of an earlier item.
    fn take(
        &mut self,
        index: usize,
        c_url: Cow<'a, str>,
        m_url: Cow<'a, str>,
        etag: Option<Fingerprint>,
        last_modified: Option<String>,
        check: &mut Findings,
    ) {
        let same_page = self.pages.get(&c_url).copied();
        let same_twin = self.twins.get(&m_url).copied();
        if same_page.is_some() {
            check.add(Code::Duplicate, "cUrl", &c_url);
        }
        if same_twin.is_some() {
            check.add(Code::Duplicate, "mUrl", &m_url);
        }
        if same_page.is_some() || same_twin.is_some() {
            let is_repetition = same_page == same_twin
                && same_page.and_then(|at| self.items.get(at)).is_some_and(|item| item.hash == etag);
            if !is_repetition {
                for at in [same_page, same_twin].into_iter().flatten() {
                    if let Some(item) = self.items.get_mut(at) {
                        item.hash = None;
                    }
                }
            }
            return;
        }
        let at = self.items.len();
        let (page, twin) = (c_url.as_ref().to_owned(), m_url.as_ref().to_owned());
        let index = index as u64;
        self.items.push(ListedPage {
            index,
            c_url: page,
            m_url: twin,
            modified: last_modified,
            hash: etag,
            issue: None,
        });
        self.pages.insert(c_url, at);
        self.twins.insert(m_url, at);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::v03::MUrlDocument;

    /// The check without the fast path.
    fn read(body: &[u8], limits: &BodyLimits) -> Option<(bool, bool)> {
        let document = limits.reader().read(body).ok()?;
        Some((read_document(document.root()).1.is_empty(), limits.is_canonical(&document)))
    }

    fn sealed(content: &str, own: &str) -> Vec<u8> {
        let document = MUrlDocument::new("https://example.com/a?b=c#d", "A \"title\"", content)
            .and_then(|document| document.with_language("de-CH"))
            .and_then(|document| document.with_content_media_type("text/markdown; charset=utf-8"))
            .and_then(|document| document.with_member("author", own));
        document.and_then(|document| document.seal()).map(|sealed| sealed.body().to_vec()).unwrap_or_default()
    }

    #[test]
    fn documents_of_strings_take_the_short_way() {
        let limits = BodyLimits::default();
        for content in ["", "Hello", "a\nb \"c\" \\ \t d\r\n", "\u{e9}\u{1f600}", &"x \n".repeat(500)] {
            assert!(is_faultless(&sealed(content, "nobody"), &limits), "{content}");
        }
        // A control character is the one escape of more letters.
        let body = sealed("\u{1}", "nobody");
        assert!(
            !is_faultless(&body, &limits)
                && check_document(&body, &limits).is_ok_and(|check| check.is_valid())
        );
    }

    #[test]
    fn whatever_is_past_a_limit_takes_the_long_way() {
        let body = sealed("Hello", "nobody");
        let values = 1 + 7;
        let right = BodyLimits::default()
            .with_max_bytes(body.len())
            .with_max_depth(1)
            .with_max_values(values)
            .with_max_name_bytes("content_media_type".len())
            .with_max_string_bytes(M_URL_PROFILE.len());
        assert!(is_faultless(&body, &right));
        for wrong in [
            right.with_max_bytes(body.len() - 1),
            right.with_max_depth(0),
            right.with_max_values(values - 1),
            right.with_max_name_bytes("content_media_type".len() - 1),
            right.with_max_string_bytes(M_URL_PROFILE.len() - 1),
        ] {
            assert!(!is_faultless(&body, &wrong) && read(&body, &wrong).is_none(), "{wrong:?}");
        }
    }

    proptest! {
        /// The fast path accepts nothing that the full check refuses.
        #[test]
        fn the_short_way_is_the_long_way(
            content in "[a-z\"\\\\\n\u{e9}\u{1f600}\u{1}]{0,90}",
            at in any::<prop::sample::Index>(),
            to in prop::sample::select(b" \"\\{}[],:abcnu/0\xC3\xA9\n\x01".to_vec()),
            how in 0..4,
        ) {
            let mut body = sealed(&content, "nobody");
            let at = at.index(body.len());
            match how {
                0 => body[at] = to,
                1 => body.insert(at, to),
                2 => { body.remove(at); }
                _ => {}
            }
            let limits = BodyLimits::default();
            if is_faultless(&body, &limits) {
                prop_assert_eq!(read(&body, &limits), Some((true, true)), "{}", String::from_utf8_lossy(&body));
            } else if how == 3 {
                let needs_more = content.contains('\u{1}');
                prop_assert!(needs_more);
            }
        }
    }

    #[test]
    fn a_member_of_the_protocol_in_another_place_is_a_fault_and_not_missed() {
        let limits = BodyLimits::default();
        let right = json!({
            "canonical_url": "https://example.com/", "content": "", "profile": M_URL_PROFILE, "title": "",
        });
        assert!(is_faultless(right.to_string().as_bytes(), &limits));
        for member in ["canonical_url", "content", "profile", "title"] {
            let mut wrong = right.clone();
            let taken = wrong.as_object_mut().and_then(|members| members.remove(member));
            assert!(taken.is_some() && !is_faultless(wrong.to_string().as_bytes(), &limits), "{member}");
        }
        for (member, value) in [
            ("canonical_url", "/"),
            ("profile", "tct-1"),
            ("language", "d"),
            ("content_media_type", "text"),
            ("content_media_type", "text/x;a=\"b\""),
        ] {
            let mut wrong = right.clone();
            wrong[member] = value.into();
            assert!(!is_faultless(wrong.to_string().as_bytes(), &limits), "{member}");
        }
    }
}
