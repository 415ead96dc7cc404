//! What a publisher says once: where the site is, how twins are named, how text is found in HTML.

use core::fmt;
use std::sync::Arc;

use http::HeaderValue;
use tct::link::{link_policy, link_sitemap};
use tct::pages::{MUrlPattern, PatternError};
use tct::{CUrl, PolicyDescriptor, Resource, UrlPolicy};
use url::Url;

/// What a page's HTML says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Content {
    /// The title.
    pub title: String,
    /// The main text, without markup.
    pub text: String,
    /// The same as Markdown; empty where the page has none.
    pub markdown: String,
}

impl Content {
    /// A page's title, plain text and Markdown.
    #[must_use]
    pub fn new(title: impl Into<String>, text: impl Into<String>, markdown: impl Into<String>) -> Self {
        Content { title: title.into(), text: text.into(), markdown: markdown.into() }
    }
}

/// Finds what a page says in its HTML. The same HTML gives the same content.
pub trait PageContent: Send + Sync {
    /// The content of the page at `url`; `None` where it has no text of its own, and so no twin.
    fn content(&self, url: &Url, content_type: Option<&str>, html: &[u8]) -> Option<Content>;
}

impl<F: Fn(&Url, Option<&str>, &[u8]) -> Option<Content> + Send + Sync> PageContent for F {
    fn content(&self, url: &Url, content_type: Option<&str>, html: &[u8]) -> Option<Content> {
        self(url, content_type, html)
    }
}

/// The settings of a [`TctLayer`](crate::TctLayer).
#[derive(Clone)]
pub struct Settings {
    pub(crate) origin: Url,
    pub(crate) urls: UrlPolicy,
    pub(crate) pattern: MUrlPattern,
    pub(crate) slug: String,
    pub(crate) sitemap_path: String,
    pub(crate) policy: Option<Resource>,
    pub(crate) pages: Vec<String>,
    pub(crate) max_html_bytes: usize,
    pub(crate) max_pages: usize,
    pub(crate) content: Arc<dyn PageContent>,
    pub(crate) site_links: Vec<HeaderValue>,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Settings");
        out.field("origin", &self.origin.as_str()).field("slug", &self.slug);
        out.field("sitemap_path", &self.sitemap_path)
            .field("pages", &self.pages.len())
            .finish_non_exhaustive()
    }
}

/// Where a policy descriptor stands.
pub(crate) const POLICY_PATH: &str = "/llm-policy.json";

impl Settings {
    /// The site at this origin, as its readers name it: the layer sees requests behind proxies and cannot tell.
    ///
    /// Twins stand at the page's path with `llm/` behind it, Markdown at `….md`, the sitemap at `/llm-sitemap.json`.
    ///
    /// # Errors
    /// An origin that is not an `https` URL.
    pub fn new(origin: &str, content: impl PageContent + 'static) -> Result<Self, SettingsError> {
        Self::with_urls(origin, UrlPolicy::default(), content)
    }

    /// The same with another policy for URLs: `http`, for tests on a machine of one's own.
    ///
    /// # Errors
    /// An origin that the policy refuses.
    pub fn with_urls(
        origin: &str,
        urls: UrlPolicy,
        content: impl PageContent + 'static,
    ) -> Result<Self, SettingsError> {
        let origin = CUrl::parse_with(origin, &urls).map_err(|_| SettingsError(Wrong::Origin))?;
        let mut settings = Settings {
            origin: origin.as_url().clone(),
            urls,
            pattern: MUrlPattern::append("llm").map_err(SettingsError::of)?,
            slug: "/llm/".to_owned(),
            sitemap_path: "/llm-sitemap.json".to_owned(),
            policy: None,
            pages: Vec::new(),
            max_html_bytes: 4 << 20,
            max_pages: 10_000,
            content: Arc::new(content),
            site_links: Vec::new(),
        };
        settings.link();
        Ok(settings)
    }

    /// The same site with twins under another slug.
    ///
    /// # Errors
    /// A slug that is not one or more path segments of letters, digits, `-`, `_` and `.`.
    pub fn with_slug(mut self, slug: &str) -> Result<Self, SettingsError> {
        self.pattern = MUrlPattern::append(slug).map_err(SettingsError::of)?;
        self.slug = format!("/{}/", slug.trim_matches('/'));
        Ok(self)
    }

    /// The pages that the sitemap lists, by path, such as `/` and `/about/`; homepage first, if its text is stable.
    #[must_use]
    pub fn with_pages(mut self, paths: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.pages = paths.into_iter().map(Into::into).collect();
        self
    }

    /// The policy descriptor, served at `/llm-policy.json` and linked from sitemap and twins.
    ///
    /// # Errors
    /// A descriptor with a rate that is not a finite number.
    pub fn with_policy(mut self, policy: &PolicyDescriptor) -> Result<Self, SettingsError> {
        self.policy = Some(Resource::json(policy.to_json().map_err(|_| SettingsError(Wrong::Policy))?));
        self.link();
        Ok(self)
    }

    /// The largest HTML that is read for a twin, in bytes. Default: 4 MiB. Larger pages pass by untouched.
    #[must_use]
    pub fn with_max_html_bytes(self, max_html_bytes: usize) -> Self {
        Settings { max_html_bytes, ..self }
    }

    /// How many pages' twins are kept in memory. Default: 10,000.
    #[must_use]
    pub fn with_max_pages(self, max_pages: usize) -> Self {
        Settings { max_pages, ..self }
    }

    fn link(&mut self) {
        let url = |path: &str| self.origin.join(path).ok();
        let policy = self.policy.as_ref().and_then(|_| url(POLICY_PATH));
        self.site_links = policy.iter().map(link_policy).collect();
    }

    /// The `Link` to the sitemap.
    pub(crate) fn sitemap_link(&self) -> Option<HeaderValue> {
        Some(link_sitemap(&self.origin.join(&self.sitemap_path).ok()?))
    }

    /// The page's URL for its readers.
    pub(crate) fn page_url(&self, path_and_query: &str) -> Option<CUrl> {
        CUrl::from_url(self.origin.join(path_and_query).ok()?, &self.urls).ok()
    }
}

/// What is wrong with [`Settings`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsError(Wrong);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Wrong {
    Origin,
    Slug(PatternError),
    Policy,
}

impl SettingsError {
    fn of(error: PatternError) -> Self {
        SettingsError(Wrong::Slug(error))
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Wrong::Origin => f.write_str("expected the site's https URL, found another text"),
            Wrong::Slug(error) => error.fmt(f),
            Wrong::Policy => f.write_str("expected finite rates in the policy, found another number"),
        }
    }
}

impl core::error::Error for SettingsError {}
