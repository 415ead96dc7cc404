//! The files beside the pages: sitemaps, policy, llms.txt, llms-full.txt.

use robots::Robots;
use site::markdown;
use tct::v03::{BodyLimits, EncodeError, MSitemap, MSitemapItem, as_uri};
use tct::{PolicyDescriptor, Representation, SitemapBudget, SitemapEntry, write_sitemaps};
use url::Url;
use web_values::Timestamp;

use super::pages::{Page, Resource, fields, text};
use super::{Build, File, Kind};
use crate::Failure;

/// The path of the policy.
pub const POLICY: &str = "llm-policy.json";

/// The path of draft -03's sitemap if a sitemap of the earlier drafts has the usual path.
pub const SECOND_SITEMAP: &str = "m-sitemap.json";

/// The path of the list of pages in XML.
pub const XML_SITEMAP: &str = "sitemap.xml";

/// The list of pages in XML, for readers that know no other form.
#[must_use]
pub fn xml_sitemap(pages: &[Page]) -> String {
    let mut xml = concat!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
    )
    .to_owned();
    // A sitemap has no more entries than this.
    for page in pages.iter().take(50_000) {
        let url = page.c_url.as_str().replace('&', "&amp;").replace('\'', "&apos;");
        let date = Timestamp::from_unix_seconds(page.modified);
        xml.push_str(&format!("<url><loc>{url}</loc><lastmod>{date}</lastmod></url>\n"));
    }
    xml + "</urlset>\n"
}

/// A group for all crawlers, with the signals that were stated, where a robots.txt has no group.
#[must_use]
pub fn robots_group(arguments: &Build, robots: &str) -> String {
    if Robots::parse(robots.as_bytes()).groups().len() > 0 {
        return String::new();
    }
    let answer = |stated: bool| if stated { "yes" } else { "no" };
    let signals = [("ai-input", arguments.ai_input), ("ai-train", arguments.ai_train)];
    let signals = signals.iter().filter_map(|(name, stated)| Some(format!("{name}={}", answer((*stated)?))));
    let signals: Vec<String> = signals.collect();
    let signals = match signals.is_empty() {
        true => String::new(),
        false => format!("Content-Signal: {}\n", signals.join(", ")),
    };
    format!("User-agent: *\n{signals}Allow: /\n")
}

/// The sitemaps of a site.
#[derive(Debug)]
pub struct Sitemaps {
    /// Those of drafts -00 and -01: one, unless there are more pages than one may list.
    pub legacy: Vec<File>,
    /// That of draft -03.
    pub exact: Option<Resource>,
}

/// The sitemaps of the twins that the pages have.
///
/// # Errors
/// If a page's entry is longer than a sitemap may be, or a sitemap of draft -03 is past its limits.
pub fn sitemaps(pages: &[Page], origin: &Url) -> Result<Sitemaps, Failure> {
    let entries = pages.iter().filter_map(|page| {
        let twin = page.twins.iter().find(|twin| !twin.is_exact())?;
        let entry = SitemapEntry::new(page.c_url.clone(), twin.m_url.clone(), twin.resource.fingerprint);
        Some(entry.with_modified(Timestamp::from_unix_seconds(page.modified).to_string()))
    });
    let has_legacy = pages.iter().any(|page| page.twins.iter().any(|twin| !twin.is_exact()));
    let written = if has_legacy { write_sitemaps(entries, SitemapBudget::default())? } else { Vec::new() };
    let name = |index| match index {
        0 => "llm-sitemap.json".to_owned(),
        index => format!("llm-sitemap-{}.json", index + 1),
    };
    let legacy = written
        .into_iter()
        .enumerate()
        .map(|(index, bytes)| File::new(name(index), bytes, Kind::Vouched))
        .collect();
    let path = if has_legacy { SECOND_SITEMAP.to_owned() } else { name(0) };
    let exact = exact_sitemap(pages, path, origin)
        .map_err(|error| Failure(format!("the sitemap of draft -03: {error}")))?;
    Ok(Sitemaps { legacy, exact })
}

/// The sitemap of draft -03, where pages have such twins.
fn exact_sitemap(pages: &[Page], path: String, origin: &Url) -> Result<Option<Resource>, EncodeError> {
    let mut sitemap = MSitemap::with_limits(BodyLimits::default().with_max_items(100_000));
    for page in pages {
        for twin in page.twins.iter().filter(|twin| twin.is_exact()) {
            let item = MSitemapItem::new(as_uri(page.c_url.as_url()).as_str(), twin.m_url.as_str())?
                .with_hint(twin.resource.fingerprint)
                .with_last_modified(Timestamp::from_unix_seconds(page.modified).to_string())?;
            sitemap.push(item)?;
        }
    }
    let Some(url) = origin.join(&path).ok().filter(|_| !sitemap.items().is_empty()) else { return Ok(None) };
    let sealed = sitemap.seal()?;
    let (cache_control, link) = fields(&Representation::of_m_sitemap(sealed.tag()));
    Ok(Some(Resource {
        path,
        url,
        fingerprint: sealed.tag().fingerprint(),
        digest: Some(text(&sealed.tag().content_digest())),
        body: sealed.into_body(),
        media_type: "application/json",
        cache_control,
        link,
    }))
}

/// The policy, where something is stated.
///
/// # Errors
/// If the contact cannot be one.
pub fn policy(arguments: &Build) -> Result<Option<File>, Failure> {
    let Build { ai_input, ai_train, contact, .. } = arguments;
    if ai_input.is_none() && ai_train.is_none() && contact.is_none() {
        return Ok(None);
    }
    let mut policy = PolicyDescriptor::default();
    policy.profile = Some(PolicyDescriptor::PROFILE.to_owned());
    policy.ai_input = (*ai_input).into();
    policy.ai_train = (*ai_train).into();
    policy.contact = contact.clone();
    Ok(Some(File::new(POLICY, policy.to_json()?, Kind::Vouched)))
}

/// `llms.txt`: the name, and a link to the Markdown of each page.
#[must_use]
pub fn llms_txt(name: &str, pages: &[Page], origin: &Url) -> String {
    let mut text = format!("# {}\n", markdown::line(name));
    let summary = pages.first().and_then(|page| page.description.as_deref());
    let summary = summary.map_or_else(|| format!("All pages of {name}, as Markdown."), str::to_owned);
    text.push_str(&format!("\n{}\n", markdown::quote(&summary)));
    text.push_str("\n## Pages\n\n");
    for page in pages {
        // A page is read only where its address can be one.
        let Ok(url) = super::pages::url_of(origin, &page.markdown_path) else { continue };
        let title = if page.title.trim().is_empty() { &page.path } else { &page.title };
        text.push_str(&format!("- {}", markdown::link(title, &url)));
        match page.description.as_deref() {
            Some(description) => text.push_str(&format!(": {}\n", markdown::line(description))),
            None => text.push('\n'),
        }
    }
    text
}

/// `llms-full.txt`: the texts of all pages, each under its title and address.
#[must_use]
pub fn llms_full_txt(name: &str, pages: &[Page]) -> String {
    let mut text = format!("# {}\n", markdown::line(name));
    for page in pages {
        text.push_str(&format!("\n---\n\nSource: {}\n\n{}\n", page.c_url, page.markdown.trim_end()));
    }
    text
}
