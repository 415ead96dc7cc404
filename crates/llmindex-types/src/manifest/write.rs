//! Writing a manifest's JSON text.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::UnknownMember;
use super::build::Draft;
use super::check::ENDPOINTS;
use crate::finding::Path;
use crate::json::JsonWriter;

/// The unknown members, by the pointer of their object.
struct Unknown<'a>(BTreeMap<&'a str, Vec<&'a UnknownMember>>);

impl<'a> Unknown<'a> {
    fn of(members: &'a [UnknownMember]) -> Self {
        let mut by_parent: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for member in members {
            by_parent.entry(&member.parent).or_default().push(member);
        }
        Unknown(by_parent)
    }

    fn write(&self, w: &mut JsonWriter, parent: &str) {
        for member in self.0.get(parent).into_iter().flatten() {
            w.raw(Some(&member.name), &member.json);
        }
    }
}

impl Draft {
    /// The JSON text: members in the order of the specification, unknown ones last in their object, indented.
    pub(super) fn to_json(&self) -> String {
        let mut w = JsonWriter::indented();
        let unknown = Unknown::of(&self.unknown);
        w.open(None, '{');
        w.string(Some("version"), &self.version);
        self.string(&mut w, "updated_at", self.updated_at.as_deref());
        w.open(Some("entity"), '{');
        w.string(Some("name"), &self.name);
        w.string(Some("canonical_url"), &self.canonical_url);
        unknown.write(&mut w, "/entity");
        w.close('}');
        self.string(&mut w, "language", self.language.as_deref());
        w.open(Some("topics"), '[');
        for topic in &self.topics {
            w.string(None, topic);
        }
        w.close(']');
        w.open(Some("endpoints"), '{');
        for (name, url) in ENDPOINTS.map(|(name, _)| name).into_iter().zip(&self.endpoints) {
            w.string(Some(name), url);
        }
        unknown.write(&mut w, "/endpoints");
        w.close('}');
        if let Some(feeds) = &self.feeds {
            w.open(Some("feeds"), '{');
            for (name, url) in feeds {
                w.string(Some(name), url);
            }
            unknown.write(&mut w, "/feeds");
            w.close('}');
        }
        if let Some((method, value)) = &self.verify {
            w.open(Some("verify"), '{');
            w.string(Some("method"), method.as_str());
            w.string(Some("value"), value);
            unknown.write(&mut w, "/verify");
            w.close('}');
        }
        self.string(&mut w, "license", self.license.as_deref());
        self.write_0_2(&mut w, &unknown);
        unknown.write(&mut w, "");
        w.close('}');
        let mut text = w.finish();
        text.push('\n');
        text
    }

    fn write_0_2(&self, w: &mut JsonWriter, unknown: &Unknown<'_>) {
        if !self.languages.is_empty() {
            w.open(Some("languages"), '[');
            for tag in &self.languages {
                w.string(None, tag);
            }
            w.close(']');
        }
        if !self.localized.is_empty() {
            w.open(Some("localized_endpoints"), '{');
            for (tag, pages) in &self.localized {
                w.open(Some(tag), '{');
                for (name, url) in pages {
                    w.string(Some(name), url);
                }
                unknown.write(w, &Path::Root.name("localized_endpoints").name(tag).to_pointer());
                w.close('}');
            }
            w.close('}');
        }
        if let Some(access) = &self.access_control {
            w.open(Some("access_control"), '{');
            let deny = Some(&access.deny).filter(|deny| !deny.is_empty());
            for (name, list) in [("allow", access.allow.as_ref()), ("deny", deny)] {
                let Some(list) = list else { continue };
                w.open(Some(name), '[');
                for agent in list {
                    w.string(None, agent);
                }
                w.close(']');
            }
            if let Some(limit) = access.rate_limit {
                w.string(Some("rate_limit"), &limit.to_string());
            }
            if let Some(required) = access.requires_attribution {
                w.raw(Some("requires_attribution"), if required { "true" } else { "false" });
            }
            if let Some(value) = access.commercial_use {
                w.string(Some("commercial_use"), value.as_str());
            }
            self.string(w, "usage_terms", access.usage_terms.as_deref());
            unknown.write(w, "/access_control");
            w.close('}');
        }
        self.string(w, "feed_updated_at", self.feed_updated_at.as_deref());
    }

    fn string(&self, w: &mut JsonWriter, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            w.string(Some(name), text);
        }
    }
}
