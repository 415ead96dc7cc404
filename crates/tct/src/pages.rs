//! Which pages get an M-URL, and what it is.
//!
//! Listings (categories, tags, dates, authors, search results) have no text of their own: publishers answer 404 for
//! their M-URLs and keep them out of sitemaps. [`classify_page`] recognises them by common URL patterns. It is a
//! heuristic: a CMS knows its pages.
//!
//! [`MUrlPattern`] is the publisher's own rule from page to M-URL. Agents never guess one (TCT-DISC-3).

use url::Url;

use crate::address::{AddressError, AddressErrorKind};
use crate::{CUrl, MUrl};

/// The kind of a page, guessed from its URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PageKind {
    /// Content: an article, a post, a page.
    Content,
    /// The homepage: content only if its text is stable.
    Home,
    /// A list of a category's pages.
    Category,
    /// A list of a tag's pages.
    Tag,
    /// A list of a year's, month's or day's pages.
    Date,
    /// A list of an author's pages.
    Author,
    /// Search results.
    Search,
    /// A further page of some list.
    Paged,
}

words! { name: PageKind
    Content => "content";
    Home => "home";
    Category => "category";
    Tag => "tag";
    Date => "date";
    Author => "author";
    Search => "search";
    Paged => "paged";
}

impl PageKind {
    /// Whether the page is a list, which should have no M-URL.
    #[must_use]
    pub const fn is_listing(self) -> bool {
        !matches!(self, PageKind::Content | PageKind::Home)
    }
}

/// Guesses the kind of a page from its URL.
///
/// ```
/// use tct::pages::{PageKind, classify_page};
/// let kind = |path: &str| classify_page(&url::Url::parse(&format!("https://example.com{path}")).unwrap());
/// assert_eq!(kind("/category/technology/"), PageKind::Category);
/// assert_eq!(kind("/2025/10/"), PageKind::Date);
/// assert_eq!(kind("/search/?q=protocol"), PageKind::Search);
/// assert_eq!(kind("/news/2025/protocol-launch/"), PageKind::Content);
/// ```
///
/// Spec: TCT draft-00, "Content Pages Only"; TCT-PAGE-1, TCT-PAGE-4.
#[must_use]
pub fn classify_page(url: &Url) -> PageKind {
    let path: Vec<String> =
        url.path().split('/').filter(|part| !part.is_empty()).map(str::to_ascii_lowercase).collect();
    let parts: Vec<&str> = path.iter().map(String::as_str).collect();
    // WordPress without permalinks: the query says what the page is.
    let asks = |names: &[&str]| url.query_pairs().any(|(name, _)| names.contains(&&*name));
    match parts.as_slice() {
        ["search", ..] => PageKind::Search,
        ["category" | "categories" | "topic" | "topics", ..] => PageKind::Category,
        ["tag" | "tags", ..] => PageKind::Tag,
        ["author" | "authors", ..] => PageKind::Author,
        [.., "page", number] if is_number(number, 1..=5) => PageKind::Paged,
        parts if is_date(parts) => PageKind::Date,
        [] if asks(&["s"]) => PageKind::Search,
        [] if asks(&["cat"]) => PageKind::Category,
        [] if asks(&["tag"]) => PageKind::Tag,
        [] if asks(&["author"]) => PageKind::Author,
        [] if asks(&["m", "year", "monthnum"]) => PageKind::Date,
        [] if asks(&["p", "page_id"]) => PageKind::Content,
        [] => PageKind::Home,
        _ => PageKind::Content,
    }
}

/// A year, and perhaps a month and a day, and nothing else.
fn is_date(parts: &[&str]) -> bool {
    match parts {
        [year] => is_number(year, 4..=4) && ("1990".."2100").contains(year),
        [year, rest @ ..] if rest.len() <= 2 => {
            is_date(&[year]) && rest.iter().all(|part| is_number(part, 1..=2))
        }
        _ => false,
    }
}

fn is_number(text: &str, lengths: core::ops::RangeInclusive<usize>) -> bool {
    lengths.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A publisher's rule from page to M-URL.
///
/// ```
/// use tct::pages::MUrlPattern;
/// use tct::CUrl;
/// let page = CUrl::parse("https://example.com/post/?lang=de")?;
/// let append = MUrlPattern::append("llm")?;
/// assert_eq!(append.m_url(&page)?.as_str(), "https://example.com/post/llm/?lang=de");
/// let prefix = MUrlPattern::prefix("api/llm")?;
/// assert_eq!(prefix.m_url(&page)?.as_str(), "https://example.com/api/llm/post/?lang=de");
/// assert_eq!(prefix.c_url_path(&prefix.m_url(&page)?).as_deref(), Some("/post/"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Spec: TCT draft-00, "URL Mapping"; TCT-DISC-3, TCT-DISC-4.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MUrlPattern {
    slug: String,
    is_prefix: bool,
}

impl MUrlPattern {
    /// The slug behind the page's path: `/post/` becomes `/post/llm/`, and so does `/post`.
    ///
    /// # Errors
    /// `BadSlug` for a slug that is not one or more path segments of letters, digits, `-`, `_`, `.`.
    pub fn append(slug: &str) -> Result<Self, AddressError> {
        Ok(MUrlPattern { slug: checked(slug)?, is_prefix: false })
    }

    /// The slug before the page's path: `/post/` becomes `/llm/post/`.
    ///
    /// # Errors
    /// As [`MUrlPattern::append`].
    pub fn prefix(slug: &str) -> Result<Self, AddressError> {
        Ok(MUrlPattern { slug: checked(slug)?, is_prefix: true })
    }

    /// The page's M-URL; the query stays, the fragment goes.
    ///
    /// # Errors
    /// `Collision` if the page's path already has the form of an M-URL: pick another slug.
    pub fn m_url(&self, page: &CUrl) -> Result<MUrl, AddressError> {
        if self.page_path(page.as_url().path()).is_some() {
            return Err(AddressErrorKind::Collision.into());
        }
        let mut url = page.as_url().clone();
        let path = if self.is_prefix {
            format!("/{}{}", self.slug, url.path())
        } else {
            format!("{}/{}/", url.path().trim_end_matches('/'), self.slug)
        };
        url.set_path(&path);
        // The page's URL was checked, and a path changes nothing that is checked.
        MUrl::from_url(url, &crate::UrlPolicy::allowing_http())
    }

    /// The path of the page that an M-URL of this pattern belongs to; `None` where the URL has another form.
    ///
    /// With an appended slug, `/post` and `/post/` have one M-URL: the path is given with the slash.
    #[must_use]
    pub fn c_url_path(&self, twin: &MUrl) -> Option<String> {
        self.page_path(twin.as_url().path())
    }

    fn page_path(&self, path: &str) -> Option<String> {
        if self.is_prefix {
            let rest = path.strip_prefix('/')?.strip_prefix(&self.slug)?;
            return rest.starts_with('/').then(|| rest.to_owned());
        }
        let rest = path.strip_suffix('/').unwrap_or(path).strip_suffix(&self.slug)?;
        rest.ends_with('/').then(|| rest.to_owned())
    }
}

fn checked(slug: &str) -> Result<String, AddressError> {
    let slug = slug.trim_matches('/');
    let is_segment = |part: &str| {
        !part.is_empty()
            && !part.bytes().all(|byte| byte == b'.')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    if slug.split('/').all(is_segment) {
        return Ok(slug.to_owned());
    }
    Err(AddressErrorKind::BadSlug.into())
}
