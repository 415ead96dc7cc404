//! `/llms.txt` from a manifest, for tools that look for that file.
//!
//! The convention is Markdown: one H1 with the name, a block quote with a summary, then H2 sections that are lists
//! of links with a few words each; a section named "Optional" may be left out by a reader that is short of space.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::markdown::{finish, folded, inline, line, push_heading, push_link, url_inline};
use crate::{LicenseKind, Manifest};

/// The text of `/llms.txt`. It is published beside the manifest and never replaces it.
///
/// ```
/// use llmindex_types::{ManifestBuilder, llms_txt, web_values::Timestamp};
/// let manifest = ManifestBuilder::new("Shoes & Co", "https://shoes.example", "en")
///     .updated_at(Timestamp::parse("2026-02-20T00:00:00Z").unwrap())
///     .topic("shoes")
///     .topic("repair")
///     .build()
///     .unwrap();
/// let text = llms_txt(&manifest);
/// let lines: Vec<_> = text.lines().collect();
/// assert_eq!(lines[0], "# Shoes & Co");
/// assert_eq!(lines[2], "> shoes, repair");
/// assert_eq!(lines[4], "- Homepage: https://shoes.example");
/// assert_eq!(lines[8], "## Pages");
/// assert_eq!(lines[10], "- [Products](https://shoes.example/llm/products): products by category, with prices");
/// assert_eq!(lines[15], "## Optional");
/// ```
///
/// Spec: llmindex 0.1, "Compatibility"; LLMI-CMP-1.
#[must_use]
pub fn llms_txt(manifest: &Manifest) -> String {
    let mut out = String::new();
    push_heading(&mut out, 1, &manifest.entity().name);
    let topics: Vec<_> =
        manifest.topics().iter().map(|topic| folded(topic)).filter(|topic| !topic.is_empty()).collect();
    if !topics.is_empty() {
        out.push_str("> ");
        out.push_str(&line(&topics.join(", ")));
        out.push_str("\n\n");
    }
    let updated = manifest.updated_at().spelled().to_string();
    let facts = [
        ("Homepage", Some(manifest.entity().canonical_url.as_given())),
        ("Language", Some(manifest.language().as_str())),
        ("Updated", Some(updated.as_str())),
        ("License", manifest.license()),
    ];
    for (label, value) in facts {
        let Some(value) = value else { continue };
        out.push_str("- ");
        out.push_str(label);
        out.push_str(": ");
        // A URL is meant to be copied, so that it holds no escape that it does not need.
        let is_url = LicenseKind::of(value) == LicenseKind::Url;
        out.push_str(&if is_url { url_inline(value) } else { inline(value) });
        out.push('\n');
    }
    out.push('\n');
    push_heading(&mut out, 2, "Pages");
    for (name, url) in manifest.endpoints().iter() {
        push_item(&mut out, name, url.as_given());
    }
    out.push('\n');
    for localized in manifest.localized_endpoints().iter().filter(|localized| !localized.pages.is_empty()) {
        let mut heading = String::from("Pages in ");
        heading.push_str(localized.language.as_str());
        push_heading(&mut out, 2, &heading);
        for (name, url) in &localized.pages {
            push_item(&mut out, name, url.as_given());
        }
        out.push('\n');
    }
    if let Some(feeds) = manifest.feeds().filter(|feeds| feeds.iter().next().is_some()) {
        push_heading(&mut out, 2, "Feeds");
        for (name, url) in feeds.iter() {
            push_item(&mut out, name, url.as_given());
        }
        out.push('\n');
    }
    push_heading(&mut out, 2, "Optional");
    push_item(&mut out, "manifest", manifest.manifest_url().as_str());
    finish(out)
}

/// One link with its title and a few words about it.
fn push_item(out: &mut String, member: &str, url: &str) {
    let (title, about) = match member {
        "products" => ("Products", "products by category, with prices"),
        "policies" => ("Policies", "shipping, returns, warranty, payment"),
        "faq" => ("FAQ", "questions and answers"),
        "about" => ("About", "who this is and how to get in touch"),
        "products_jsonl" => ("Product feed", "all products, one JSON object a line"),
        "offers_json" => ("Offers", "current offers as JSON"),
        "products_jsonl_delta" => ("Product changes", "changed products, one JSON object a line"),
        _ => ("llmindex manifest", "this index for programs"),
    };
    out.push_str("- ");
    push_link(out, title, url);
    out.push_str(": ");
    out.push_str(about);
    out.push('\n');
}
