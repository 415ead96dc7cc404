//! What is served beside the pages: sitemaps, policy, llms.txt, llms-full.txt.

use tct::policy::POLICY_PROFILE;
use tct::{Permission, PolicyDescriptor, SitemapBudget, SitemapEntry, write_sitemaps};
use web_values::Timestamp;

use super::pages::Page;
use super::{Build, File};
use crate::Failure;

/// The path of the policy.
pub const POLICY: &str = "llm-policy.json";

/// The sitemaps; one, unless there are more pages than one may list.
///
/// # Errors
/// Where a page's entry is longer than a sitemap may be.
pub fn sitemaps(pages: &[Page]) -> Result<Vec<File>, Failure> {
    let entries = pages.iter().map(|page| {
        let entry = SitemapEntry::new(page.c_url.clone(), page.m_url.clone(), page.twin.fingerprint());
        entry.with_modified(Timestamp::from_unix_seconds(page.modified).to_string())
    });
    let written = write_sitemaps(entries, SitemapBudget::default())?;
    let name = |index| match index {
        0 => "llm-sitemap.json".to_owned(),
        index => format!("llm-sitemap-{}.json", index + 1),
    };
    Ok(written.into_iter().enumerate().map(|(index, bytes)| File::new(name(index), bytes)).collect())
}

/// The policy, where something is stated.
///
/// # Errors
/// Where the contact cannot be one.
pub fn policy(arguments: &Build) -> Result<Option<File>, Failure> {
    let Build { ai_input, ai_train, contact, .. } = arguments;
    if ai_input.is_none() && ai_train.is_none() && contact.is_none() {
        return Ok(None);
    }
    let permission = |stated: &Option<bool>| match stated {
        Some(true) => Permission::Allowed,
        Some(false) => Permission::Denied,
        None => Permission::Unstated,
    };
    let mut policy = PolicyDescriptor::default();
    policy.profile = Some(POLICY_PROFILE.to_owned());
    policy.ai_input = permission(ai_input);
    policy.ai_train = permission(ai_train);
    policy.urls.contact = contact.clone();
    Ok(Some(File::new(POLICY, policy.to_json()?)))
}

/// `llms.txt`: the name, and a link to the Markdown of each page.
#[must_use]
pub fn llms_txt(name: &str, pages: &[Page]) -> String {
    let mut text = format!("# {}\n", one_line(name));
    let summary = pages.first().and_then(|page| page.description.as_deref());
    if let Some(summary) = summary {
        text.push_str(&format!("\n> {}\n", one_line(summary)));
    }
    text.push_str("\n## Pages\n\n");
    for page in pages {
        let title = one_line(&page.title).replace('[', "\\[").replace(']', "\\]");
        text.push_str(&format!("- [{title}]({})", markdown_url(page)));
        match page.description.as_deref() {
            Some(description) => text.push_str(&format!(": {}\n", one_line(description))),
            None => text.push('\n'),
        }
    }
    text
}

/// `llms-full.txt`: the texts of all pages, each under its title and address.
#[must_use]
pub fn llms_full_txt(name: &str, pages: &[Page]) -> String {
    let mut text = format!("# {}\n", one_line(name));
    for page in pages {
        text.push_str(&format!("\n---\n\nSource: {}\n\n{}\n", page.c_url, page.markdown.trim_end()));
    }
    text
}

/// The address of a page's Markdown: that of the twin, with another end.
#[must_use]
pub fn markdown_url(page: &Page) -> String {
    let twin = page.m_url.as_str();
    format!("{}.md", twin.strip_suffix(".llm.json").unwrap_or(twin))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
