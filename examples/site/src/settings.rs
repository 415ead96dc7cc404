//! `site.toml`: what a folder of pages does not say by itself.
//!
//! Every section is optional. Without `[llmindex]` there is no manifest, without `[policy]` no policy descriptor;
//! `pages/site.toml` in this package uses everything there is.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use toml::value::Datetime;

use crate::SiteError;
use crate::server::Limits;

/// The settings of a site.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Settings {
    /// The policy descriptor of TCT.
    pub policy: Option<PolicySettings>,
    /// What robots.txt says beside the address of the sitemaps.
    pub robots: RobotsSettings,
    /// The tokens that prove who owns the domain.
    pub proofs: ProofSettings,
    /// The manifest of llmindex with its pages and its feed.
    pub llmindex: Option<LlmindexSettings>,
    /// Paths that want a signature of the crawler that comes.
    pub signatures: Option<SignatureSettings>,
    /// The crawler whose home this site is.
    pub bot: Option<BotSettings>,
    /// How long a client is waited for, and how many there may be.
    pub server: Limits,
}

/// `[signatures]`: paths for crawlers that say who they are, by Web Bot Auth.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SignatureSettings {
    /// Paths begin with one of these; compared percent-decoded, and refused where no path can. One at least.
    pub require: Vec<String>,
    /// Agents whose signatures count: the origin of their key directory, or the URL of their key set.
    #[serde(default)]
    pub agents: Vec<String>,
}

/// `[bot]`: what is published of a crawler whose key `--bot-key` names.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BotSettings {
    /// Its name.
    pub name: String,
    /// The name to look for in robots.txt, if it is another one.
    pub product_token: Option<String>,
    /// Where its requests come from: prefixes such as `192.0.2.0/24` or `2001:db8::/48`.
    #[serde(default)]
    pub addresses: Vec<String>,
    /// From when on the second key signs, where there are two. Both are published for some time before and after.
    pub next_key_from: Option<Datetime>,
}

/// `[policy]`: what agents may do with the text, in TCT's words.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct PolicySettings {
    /// The number of this revision.
    pub version: Option<u64>,
    /// From when on it holds.
    pub effective: Option<Datetime>,
    /// Whether the text may be a model's input.
    pub ai_input: Option<bool>,
    /// Whether the text may be training material.
    pub ai_train: Option<bool>,
    /// Whether the text may be in a search index.
    pub search_indexing: Option<bool>,
    /// Whether the source has to be named.
    pub attribution: Option<bool>,
    /// Whether the source has to be linked.
    pub link_back: Option<bool>,
    /// The terms of service: a URL, or a path on this site.
    pub terms: Option<String>,
    /// Whom to ask: a URL, a path on this site, or `mailto:`.
    pub contact: Option<String>,
    /// Requests a second that are welcome.
    pub requests_per_second: Option<f64>,
    /// Requests a day that are welcome.
    pub requests_per_day: Option<f64>,
}

/// `[robots]`: paths that crawlers leave alone, and the `Content-Signal` for everything else.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct RobotsSettings {
    /// Patterns that no crawler may fetch.
    pub disallow: Vec<String>,
    /// `search`: a search index with links and short excerpts.
    pub search: Option<bool>,
    /// `ai-input`: input to a model.
    pub ai_input: Option<bool>,
    /// `ai-train`: training or fine-tuning.
    pub ai_train: Option<bool>,
}

/// `[proofs]`: tokens that somebody issued to the owner of the domain.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct ProofSettings {
    /// The token that an AIWebIndex crawler issued.
    pub aiwebindex: Option<String>,
    /// The challenge that the llmindex manifest names and the proof file repeats.
    pub llmindex: Option<String>,
}

/// `[llmindex]`: the manifest, its four pages and its feed.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LlmindexSettings {
    /// The name of the publisher.
    pub name: String,
    /// The main language, a BCP 47 tag.
    pub language: String,
    /// What the site is about; one topic at least.
    pub topics: Vec<String>,
    /// When the manifest last changed.
    pub updated: Datetime,
    /// The licence: an SPDX expression or the URL of its text.
    pub license: Option<String>,
    /// The page about the publisher.
    #[serde(default)]
    pub about: AboutSettings,
    /// The page of policies.
    #[serde(default)]
    pub policies: PoliciesSettings,
    /// The page of questions, by topic.
    #[serde(default)]
    pub faq: Vec<FaqSettings>,
    /// The products, for their page and the feed.
    #[serde(default)]
    pub products: Vec<ProductSettings>,
    /// What version 0.2 adds. It is published where the site is started with that version.
    pub version_0_2: Option<Version02Settings>,
}

/// `[llmindex.version-0-2]`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Version02Settings {
    /// All languages of the site, the main one too.
    pub languages: Vec<String>,
    /// Pages in other languages: the tag, then URLs or paths by `products`, `policies`, `faq` and `about`.
    pub localized: BTreeMap<String, BTreeMap<String, String>>,
    /// A feed of the products that have changed since this time, and of those that were deleted.
    pub delta_since: Option<Datetime>,
    /// Products that are gone: the identifier, and since when.
    pub deleted: Vec<(String, Datetime)>,
    /// Who may use the content, and how.
    pub access: Option<AccessSettings>,
}

/// `[llmindex.version-0-2.access]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct AccessSettings {
    /// Agents that may; all if it is absent.
    pub allow: Option<Vec<String>>,
    /// Agents that may not.
    pub deny: Vec<String>,
    /// How often one agent may fetch, such as `500/day`.
    pub rate_limit: Option<String>,
    /// Whether the source must be named.
    pub requires_attribution: Option<bool>,
    /// `allowed`, `non-commercial` or `contact-required`.
    pub commercial_use: Option<String>,
    /// Terms in words.
    pub usage_terms: Option<String>,
}

/// `[llmindex.about]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct AboutSettings {
    /// Who this is.
    pub story: String,
    /// Facts, each a label and a value.
    pub company: Vec<(String, String)>,
    /// Ways to get in touch, each a label and a value.
    pub contact: Vec<(String, String)>,
}

/// `[llmindex.policies]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct PoliciesSettings {
    /// How goods are shipped.
    pub shipping: String,
    /// How goods are taken back.
    pub returns: String,
    /// What is warranted.
    pub warranty: String,
    /// How to pay.
    pub payment: String,
}

/// `[[llmindex.faq]]`: the questions of a topic.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FaqSettings {
    /// The topic.
    pub topic: String,
    /// Each question with its answer.
    pub questions: Vec<(String, String)>,
}

/// `[[llmindex.products]]`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ProductSettings {
    /// A name that no other product has.
    pub id: String,
    /// What it is.
    pub title: String,
    /// Its page: a URL, or a path on this site.
    pub url: String,
    /// The price as decimal text, such as "9.50".
    pub price: String,
    /// The currency's three letters.
    pub currency: String,
    /// Whether it can be had now.
    pub availability: AvailabilitySettings,
    /// The shelf that it stands on.
    pub category: Option<String>,
    /// When this entry last changed.
    pub updated: Datetime,
}

/// Whether a product can be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AvailabilitySettings {
    /// Now.
    InStock,
    /// Not now.
    OutOfStock,
    /// Later, and it can be ordered now.
    Preorder,
}

impl Settings {
    /// Reads settings; `path` is for the error alone.
    ///
    /// # Errors
    /// [`SiteError::Settings`] for what is not TOML, and for members that are unknown, missing or of another type.
    pub fn parse(text: &str, path: &Path) -> Result<Self, SiteError> {
        toml::from_str(text)
            .map_err(|source| SiteError::Settings { path: path.to_owned(), source: Box::new(source) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_required_and_nothing_unknown_is_taken() {
        let path = Path::new("site.toml");
        assert_eq!(Settings::parse("", path).unwrap(), Settings::default());
        let error = Settings::parse("[policy]\nai-trian = false\n", path).unwrap_err();
        let line = crate::one_line(&error);
        assert!(line.contains("site.toml") && line.contains("ai-trian"), "{line}");
    }
}
