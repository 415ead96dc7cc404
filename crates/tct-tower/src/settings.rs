//! The publisher's settings: the site's origin, the names of twins, how text is found in HTML.

use core::fmt;
use std::sync::Arc;

use http::HeaderValue;
use tct::address::AddressError;
use tct::link::link_policy;
use tct::pages::MUrlPattern;
use tct::{CUrl, PolicyDescriptor, Resource, UnixSeconds, UrlPolicy};
use url::{Position, Url};

/// The content of a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct TwinContent {
    /// The title.
    pub title: String,
    /// The main text, without markup.
    pub text: String,
    /// The same as Markdown; empty where the page has none.
    pub markdown: String,
    /// The language, as a BCP 47 tag, if it is known. Documents of draft -03 say it.
    pub language: Option<String>,
}

impl TwinContent {
    /// A page's title, plain text and Markdown.
    #[must_use]
    pub fn new(title: impl Into<String>, text: impl Into<String>, markdown: impl Into<String>) -> Self {
        TwinContent { title: title.into(), text: text.into(), markdown: markdown.into(), language: None }
    }

    /// The same in this language, a BCP 47 tag.
    #[must_use]
    pub fn with_language(self, tag: impl Into<String>) -> Self {
        TwinContent { language: Some(tag.into()), ..self }
    }
}

/// The drafts of the protocol that are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[non_exhaustive]
pub enum Revisions {
    /// Drafts -00 and -01: a twin's tag is a hash of its members.
    #[default]
    Legacy,
    /// Draft -03: a twin's tag is the SHA-256 of its bytes, which are sent without content coding. Twins and sitemap have the
    /// same addresses as those of drafts -00 and -01 would have.
    V03,
    /// Both side by side. Those of draft -03 have addresses of their own: `m/` below the page, `/m-sitemap.json`.
    Both,
}

/// Finds the content of a page in its HTML. The same HTML gives the same content.
pub trait PageContent: Send + Sync {
    /// The content of the page at `url`; `None` where it has no text of its own, and so no twin.
    fn content(&self, url: &Url, content_type: Option<&str>, html: &[u8]) -> Option<TwinContent>;
}

impl<F: Fn(&Url, Option<&str>, &[u8]) -> Option<TwinContent> + Send + Sync> PageContent for F {
    fn content(&self, url: &Url, content_type: Option<&str>, html: &[u8]) -> Option<TwinContent> {
        self(url, content_type, html)
    }
}

/// The settings of a [`TctLayer`](crate::TctLayer).
#[derive(Clone)]
pub struct Settings {
    pub(crate) origin: Url,
    /// The origin as `Host` names it.
    pub(crate) host: Option<HeaderValue>,
    pub(crate) urls: UrlPolicy,
    pub(crate) pattern: MUrlPattern,
    pub(crate) slug: String,
    pub(crate) sitemap_path: String,
    pub(crate) revisions: Revisions,
    /// The addresses of draft -03 beside those of the drafts before.
    pub(crate) second: Option<Second>,
    pub(crate) clock: Option<Clock>,
    /// How many pages a request for a sitemap checks in turn, if set.
    pub(crate) checks: Option<usize>,
    pub(crate) policy: Option<Resource>,
    pub(crate) pages: Vec<String>,
    /// The query parameters that choose a page.
    pub(crate) queries: Vec<String>,
    pub(crate) max_html_bytes: usize,
    pub(crate) max_cache_bytes: usize,
    pub(crate) content: Arc<dyn PageContent>,
    pub(crate) site_links: Vec<HeaderValue>,
}

/// How twins of draft -03 are named where both revisions are served.
#[derive(Debug, Clone)]
pub(crate) struct Second {
    pub(crate) pattern: MUrlPattern,
    pub(crate) slug: String,
}

/// Path of the draft -03 sitemap if both revisions are served.
pub(crate) const SECOND_SITEMAP_PATH: &str = "/m-sitemap.json";

/// How many pages a request for a sitemap checks.
const DEFAULT_CHECKS: usize = 256;

/// How long a sitemap is answered from memory.
#[derive(Clone)]
pub(crate) struct Clock {
    pub(crate) now: Arc<dyn Fn() -> UnixSeconds + Send + Sync>,
    pub(crate) max_age_secs: u64,
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

/// Path of the policy descriptor.
pub(crate) const POLICY_PATH: &str = "/llm-policy.json";

impl Settings {
    /// Settings for the site at this origin, as its readers see it: behind a proxy the layer cannot know it. The layer belongs
    /// around the service for all paths of one host: a router nested below a path sees the rest of it alone, and the layer does
    /// not look at `Host`, so a server of several hosts has a layer inside of its choice by host for each.
    ///
    /// Twins are at the page's path followed by `llm/`, Markdown at `….md`, the sitemap at `/llm-sitemap.json`.
    ///
    /// # Errors
    /// An origin that is not an `https` URL, or has a path or a query.
    pub fn new(origin: &str, content: impl PageContent + 'static) -> Result<Self, SettingsError> {
        Self::with_urls(origin, UrlPolicy::default(), content)
    }

    /// The same with another policy for URLs: `http`, for tests on your own machine.
    ///
    /// # Errors
    /// An origin that the policy refuses, or that has a path or a query.
    pub fn with_urls(
        origin: &str,
        urls: UrlPolicy,
        content: impl PageContent + 'static,
    ) -> Result<Self, SettingsError> {
        let origin = CUrl::parse_with(origin, &urls).map_err(|_| SettingsError(Wrong::Origin))?;
        if &origin.as_url()[Position::BeforePath..] != "/" {
            return Err(SettingsError(Wrong::Path));
        }
        Ok(Settings {
            host: HeaderValue::from_str(&origin.as_url()[Position::BeforeHost..Position::AfterPort]).ok(),
            origin: origin.as_url().clone(),
            urls,
            pattern: MUrlPattern::append("llm").map_err(SettingsError::of)?,
            slug: "/llm/".to_owned(),
            sitemap_path: "/llm-sitemap.json".to_owned(),
            revisions: Revisions::Legacy,
            second: None,
            clock: None,
            checks: None,
            policy: None,
            pages: Vec::new(),
            queries: Vec::new(),
            max_html_bytes: 4 << 20,
            max_cache_bytes: 64 << 20,
            content: Arc::new(content),
            site_links: Vec::new(),
        })
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

    /// The same site by other drafts. Default: -00 and -01.
    ///
    /// # Errors
    /// None today; the pattern of the second addresses is checked like [`Settings::with_slug`]'s.
    ///
    /// Spec: TCT draft-03; TCT3-MIG-3, TCT3-AMB-33.
    pub fn with_revisions(mut self, revisions: Revisions) -> Result<Self, SettingsError> {
        self.revisions = revisions;
        self.second = match revisions {
            Revisions::Both => Some(Second {
                pattern: MUrlPattern::append("m").map_err(SettingsError::of)?,
                slug: "/m/".to_owned(),
            }),
            _ => None,
        };
        Ok(self)
    }

    /// Serves the sitemap from memory for `max_age_secs` by this clock, then checks every listed page again. The time counts
    /// from the end of that; meanwhile other requests are answered from memory, unless it takes longer. Pages that failed are
    /// tried again after a minute, or this time if it is shorter: one, and the others once that one is answered. Without a
    /// clock, each request for a sitemap checks some of them: see [`Settings::with_sitemap_checks`].
    #[must_use]
    pub fn with_sitemap_age(
        mut self,
        max_age_secs: u64,
        now: impl Fn() -> UnixSeconds + Send + Sync + 'static,
    ) -> Self {
        self.clock = Some(Clock { now: Arc::new(now), max_age_secs });
        self
    }

    /// How many listed pages a request for a sitemap requests from the inner service, with conditional requests if it sends
    /// validators. Default: 256 without a clock, all with one.
    ///
    /// The first request for a sitemap requests all pages. After that, the sitemap of a site with at most this many pages is
    /// always current; of a larger site this many pages are checked at each request, in turn, so a change appears once its
    /// page's turn has come. A change appears at once if somebody requests the page's twin or its Markdown, or if
    /// [`TctLayer::page_changed`](crate::TctLayer::page_changed) reports it. A publisher that reports every change may set
    /// 0; [`usize::MAX`] requests all pages each time.
    #[must_use]
    pub fn with_sitemap_checks(self, pages: usize) -> Self {
        Settings { checks: Some(pages), ..self }
    }

    /// How many pages are checked in turn.
    pub(crate) fn sitemap_checks(&self) -> usize {
        let default = if self.clock.is_some() { usize::MAX } else { DEFAULT_CHECKS };
        self.checks.unwrap_or(default)
    }

    /// The pages that the sitemap lists, by path, such as `/` and `/about/`, a query included where there is one; homepage
    /// first, if its text is stable. [`TctLayer::set_pages`](crate::TctLayer::set_pages) replaces them later.
    ///
    /// A text that is not the path of a page with a twin's address is left out. Of two paths with one such address, `/a` and
    /// `/a/`, the first is listed. A page whose twin would have the address of another page of the list is left out too: that
    /// address is the other page's.
    #[must_use]
    pub fn with_pages(mut self, paths: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.pages = paths.into_iter().map(Into::into).collect();
        self
    }

    /// The names of the query parameters that choose a page, such as `id` in `/article/?id=7`. Default: none.
    ///
    /// A page whose query has any other parameter, such as `utm_source`, is passed on unchanged: it has no twin, no
    /// Markdown and no link to them, unless [`Settings::with_pages`] lists it with its query. Names are compared as written
    /// in the URL.
    #[must_use]
    pub fn with_queries(self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Settings { queries: names.into_iter().map(Into::into).collect(), ..self }
    }

    /// The policy descriptor, served at `/llm-policy.json` and linked from sitemap and twins.
    ///
    /// # Errors
    /// A descriptor with a rate that is not a finite number.
    pub fn with_policy(mut self, policy: &PolicyDescriptor) -> Result<Self, SettingsError> {
        self.policy = Some(Resource::json(policy.to_json().map_err(|_| SettingsError(Wrong::Policy))?));
        self.site_links = self.origin.join(POLICY_PATH).iter().map(link_policy).collect();
        Ok(self)
    }

    /// The largest HTML that is read for a twin, in bytes. Default: 4 MiB. Larger pages are passed on
    /// unchanged.
    #[must_use]
    pub fn with_max_html_bytes(self, max_html_bytes: usize) -> Self {
        Settings { max_html_bytes, ..self }
    }

    /// How many bytes of twins and Markdown are kept in memory. Default: 64 MiB. The least recently used are dropped first; a
    /// page larger than the limit is made anew for each request.
    ///
    /// In addition the layer keeps about 2 kB for each listed page, 1 MiB of `Link` lines, the sitemaps, and while a page is
    /// read its HTML.
    #[must_use]
    pub fn with_max_cache_bytes(self, max_cache_bytes: usize) -> Self {
        Settings { max_cache_bytes, ..self }
    }
}

/// What is wrong with [`Settings`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsError(Wrong);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Wrong {
    Origin,
    Path,
    Slug(AddressError),
    Policy,
}

impl SettingsError {
    fn of(error: AddressError) -> Self {
        SettingsError(Wrong::Slug(error))
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Wrong::Origin => f.write_str("expected the site's https URL, found another text"),
            Wrong::Path => f.write_str(
                "expected the URL of a host alone, found a path or a query: the layer serves all paths of a host",
            ),
            Wrong::Slug(error) => error.fmt(f),
            Wrong::Policy => f.write_str("expected finite rates in the policy, found another number"),
        }
    }
}

impl core::error::Error for SettingsError {}
