//! Agent card, skills, NLWeb, WebMCP, and the level of another checker. Spec: sections 8 and 9.

use sha2::{Digest as _, Sha256};
use tct_canonical_json::{JsonKind, JsonValue};

use super::interfaces::{present_or_old, skip_offer};
use super::json::{self, Ask as _};
use super::{Look, Sheet};
use crate::exchange::{ANY, Answer, absolute};
use crate::{Method, Row, Verdict};

pub(super) fn card(look: &Look<'_>, sheet: &mut Sheet) {
    let found = present_or_old(look, "/.well-known/agent-card.json", "/.well-known/agent.json");
    let (is_old, answer) = match found {
        Ok(found) => found,
        Err(offer) => {
            skip_offer(sheet, &[Row::A2a1, Row::A2a2, Row::A2a3], &offer);
            return sheet.skip(Row::Pay5, "no agent card");
        }
    };
    let document = json::read(&answer.response.body);
    let root = document.as_ref().map(|document| document.root()).filter(json::Ask::is_object);
    let missing = root.map_or(Some("object"), |root| {
        let rules = [
            ("name", root.says("name")),
            ("description", root.says("description")),
            ("version", root.says("version")),
            ("supportedInterfaces", root.lists("supportedInterfaces")),
            ("capabilities", root.get("capabilities").is_some_and(|value| value.is_object())),
            ("skills", root.list("skills").is_some()),
        ];
        rules.iter().find(|(_, holds)| !holds).map(|(name, _)| *name)
    });
    let (Some(root), None) = (root, missing) else {
        sheet.fail(Row::A2a1, format!("no {}", missing.unwrap_or_default()));
        sheet.skip_all(&[Row::A2a2, Row::A2a3], "no card of A2A 1.0");
        return sheet.skip(Row::Pay5, "no card of A2A 1.0");
    };
    let has_modes = ["defaultInputModes", "defaultOutputModes"].iter().all(|name| root.list(name).is_some());
    match (is_old, has_modes) {
        (false, true) => sheet.pass(Row::A2a1, ""),
        (false, false) => sheet.warn(Row::A2a1, "no default modes"),
        (true, _) => sheet.warn(Row::A2a1, "at the old place only"),
    }
    let interfaces = root.list("supportedInterfaces").unwrap_or_default();
    let verdict = interfaces.iter().map(interface).max().unwrap_or(Verdict::Pass);
    let detail = match verdict {
        Verdict::Fail => "an interface without url or protocolBinding",
        Verdict::Warn => "an interface without protocolVersion",
        _ => "",
    };
    sheet.set(Row::A2a2, verdict, detail);
    let skills = root.list("skills").unwrap_or_default();
    let skill = |skill: &JsonValue<'_>| {
        let is_described = ["id", "name", "description"].iter().all(|name| skill.has_text(name));
        match (is_described, skill.list("tags").is_some()) {
            (false, _) => Verdict::Fail,
            (true, false) => Verdict::Warn,
            (true, true) => Verdict::Pass,
        }
    };
    let verdict = skills.iter().map(skill).max().unwrap_or(Verdict::Pass);
    let detail = match verdict {
        Verdict::Fail => "a skill without id, name or description",
        Verdict::Warn => "a skill without a list of tags",
        _ => "",
    };
    sheet.set(Row::A2a3, verdict, detail);
    let extensions = root.get("capabilities").and_then(|value| value.list("extensions")).unwrap_or_default();
    let is_ap2 = |extension: &JsonValue<'_>| extension.text("uri").is_some_and(|uri| uri.contains("ap2"));
    match extensions.iter().any(is_ap2) {
        true => sheet.pass(Row::Pay5, ""),
        false => sheet.skip(Row::Pay5, "no such extension"),
    }
}

/// Spec: READY-A2A-2.
fn interface(interface: &JsonValue<'_>) -> Verdict {
    let (url, binding) = (interface.text("url").unwrap_or_default(), interface.text("protocolBinding"));
    let is_https = absolute(&url).is_some_and(|url| url.scheme() == "https");
    let has_port = url.rsplit(':').next().is_some_and(|port| port.parse::<u16>().is_ok());
    let is_place = has_port && crate::pattern!(r"^[A-Za-z0-9.\[\]:_-]+:\d{1,5}$").is_match(&url);
    let is_reachable = is_https || binding.as_deref() == Some("GRPC") && is_place;
    match (
        is_reachable && binding.is_some_and(|binding| !binding.is_empty()),
        interface.has_text("protocolVersion"),
    ) {
        (false, _) => Verdict::Fail,
        (true, false) => Verdict::Warn,
        (true, true) => Verdict::Pass,
    }
}

pub(super) fn skills(look: &Look<'_>, sheet: &mut Sheet) {
    const ROWS: [Row; 5] = [Row::Skill1, Row::Skill2, Row::Skill3, Row::Skill4, Row::Skill5];
    const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
    let places = ("/.well-known/agent-skills/index.json", "/.well-known/skills/index.json");
    let (is_old, answer) = match present_or_old(look, places.0, places.1) {
        Ok(found) => found,
        Err(offer) => return skip_offer(sheet, &ROWS, &offer),
    };
    let document = json::read(&answer.response.body);
    let root = document.as_ref().map(|document| document.root());
    let entries = root.and_then(|root| root.list("skills")).filter(|skills| !skills.is_empty());
    let (Some(root), Some(entries)) = (root, entries) else {
        sheet.fail(Row::Skill1, "no list `skills`, or an empty one");
        return sheet.skip_all(ROWS.get(1..).unwrap_or_default(), "no index to read");
    };
    match is_old {
        false => sheet.pass(Row::Skill1, format!("{} skills", entries.len())),
        true => sheet.warn(Row::Skill1, "at the old place only"),
    }
    let is_current = root.get("$schema").is_some_and(|schema| schema.is_str(SCHEMA));
    match (is_current, root.get("$schema").is_some()) {
        (true, _) => sheet.pass(Row::Skill2, ""),
        (false, false) => sheet.warn(Row::Skill2, "no $schema"),
        (false, true) => sheet.fail(Row::Skill2, "another $schema"),
    }
    if !is_current {
        return sheet.skip_all(&[Row::Skill3, Row::Skill4, Row::Skill5], "not of version 0.2.0");
    }
    let verdict = entries.iter().map(skill).max().unwrap_or(Verdict::Pass);
    let detail = match verdict {
        Verdict::Fail => "an entry with a member that is missing or wrong",
        Verdict::Warn => "an entry of an unknown type",
        _ => "",
    };
    sheet.set(Row::Skill3, verdict, detail);
    if verdict == Verdict::Fail {
        return sheet.skip_all(&[Row::Skill4, Row::Skill5], "the index has to be mended first");
    }
    skill_files(look, &answer, &entries, sheet);
}

/// Spec: READY-SKILL-3.
fn skill(entry: &JsonValue<'_>) -> Verdict {
    let name = entry.text("name").unwrap_or_default();
    let is_name = crate::pattern!(r"^[a-z0-9]+(?:-[a-z0-9]+)*$").is_match(&name) && name.len() <= 64;
    let description = entry.text("description").map_or(0, |text| text.chars().count());
    let digest = entry.text("digest").unwrap_or_default();
    let is_digest = crate::pattern!(r"^sha256:[0-9a-f]{64}$").is_match(&digest);
    let is_good = is_name && (1..=1_024).contains(&description) && is_digest && entry.has_text("url");
    match (is_good, entry.text("type").as_deref()) {
        (false, _) | (_, None) => Verdict::Fail,
        (true, Some("skill-md" | "archive")) => Verdict::Pass,
        (true, Some(_)) => Verdict::Warn,
    }
}

/// Spec: READY-SKILL-4, READY-SKILL-5.
fn skill_files(look: &Look<'_>, index: &Answer<'_>, entries: &[JsonValue<'_>], sheet: &mut Sheet) {
    let files = entries.iter().filter(|entry| entry.text("type").as_deref() == Some("skill-md"));
    let files = files.filter_map(|entry| {
        let url = index.url.join(&entry.text("url")?).ok().filter(|url| look.is_on_site(url))?;
        Some((url, entry.text("digest")?, entry.text("name")?))
    });
    let mut promised = Vec::new();
    let mut formed = Vec::new();
    for (url, digest, name) in files.take(3) {
        let answer = look.reader.get(&url).filter(|answer| answer.status() == 200);
        let found = answer.as_ref().map(|answer| {
            let hash = Sha256::digest(&answer.response.body);
            hash.iter().fold("sha256:".to_owned(), |text, byte| text + &format!("{byte:02x}"))
        });
        let verdict = if found.as_deref() == Some(digest.as_str()) { Verdict::Pass } else { Verdict::Fail };
        promised.push((url.to_string(), verdict, "not the file that the index promises".to_owned()));
        if let Some(answer) = answer {
            let (verdict, detail) = front_matter(answer.text(), &name);
            formed.push((url.to_string(), verdict, detail.to_owned()));
        }
    }
    sheet.worst(Row::Skill4, promised);
    sheet.worst(Row::Skill5, formed);
}

fn front_matter(text: &str, name: &str) -> (Verdict, &'static str) {
    let mut lines = text.lines().map(str::trim_end);
    let is_open = lines.next() == Some("---");
    let inner: Vec<&str> = lines.by_ref().take_while(|line| *line != "---").collect();
    // Whether the closing line was there: the iterator stopped at it, not at the end.
    let is_closed = text.lines().skip(1).any(|line| line.trim_end() == "---");
    let value = |key: &str| {
        let value = inner.iter().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
        value.map(|value| value.trim().trim_matches(['"', '\'']))
    };
    match (is_open && is_closed, value("name"), value("description")) {
        (true, Some(found), Some(_)) if found == name => (Verdict::Pass, ""),
        (true, Some(_), Some(_)) => (Verdict::Warn, "another name than in the index"),
        _ => (Verdict::Fail, "no name and description between two lines `---`"),
    }
}

pub(super) fn nlweb(look: &Look<'_>, sheet: &mut Sheet) {
    if !look.options.may_ask {
        return sheet.skip(Row::NlWeb1, "not asked: it may cost the site a model call");
    }
    let mut url = look.at("/ask");
    url.set_query(Some("query=test&streaming=false"));
    let Some(answer) = look.reader.get(&url) else { return sheet.skip(Row::NlWeb1, "unknown") };
    let document = json::read(&answer.response.body);
    let root = document.as_ref().map(|document| document.root());
    match (answer.status(), root) {
        (200, _) if answer.is_type("text/event-stream") => sheet.pass(Row::NlWeb1, ""),
        (200, Some(root)) if root.list("results").is_some() => sheet.pass(Row::NlWeb1, ""),
        (200, Some(_)) => sheet.fail(Row::NlWeb1, "JSON without a list `results`"),
        (400..500, Some(root)) if root.is_object() => {
            sheet.warn(Row::NlWeb1, format!("status {}", answer.status()));
        }
        _ => sheet.skip(Row::NlWeb1, "absent"),
    }
}

pub(super) fn webmcp(home: &Option<Answer<'_>>, sheet: &mut Sheet) {
    let Some(home) = home.as_ref().filter(|home| home.is_html()) else {
        return sheet.skip(Row::WebMcp1, "no HTML page");
    };
    let tree = home.tree();
    let scripts = tree.find(tree.within(None), |element| {
        let is_data = element.attribute("type").is_some_and(|kind| kind.contains("json"));
        element.name == "script" && element.attribute("src").is_none() && !is_data
    });
    let scripts: Vec<String> = scripts.map(|(at, _)| tree.text_of(tree.within(Some(at)))).collect();
    let with = |call: &str| {
        let context = crate::pattern!(r"\b(?:document|navigator)\s*\.\s*modelContext\b");
        scripts.iter().any(|script| context.is_match(script) && script.contains(call))
    };
    let forms = tree.find(tree.within(None), |element| element.name == "form");
    let parts = forms.map(|(_, form)| {
        ["toolname", "tooldescription"]
            .iter()
            .filter(|name| form.attribute(name).is_some_and(|value| !value.trim().is_empty()))
            .count()
    });
    let parts = parts.max().unwrap_or(0);
    match () {
        () if with("registerTool(") || parts == 2 => sheet.pass(Row::WebMcp1, ""),
        () if with("provideContext(") => {
            sheet.warn(Row::WebMcp1, "provideContext is gone from the specification")
        }
        () if parts == 1 => sheet.warn(Row::WebMcp1, "a form with a name or a description alone"),
        () => sheet.skip(Row::WebMcp1, "nothing that can be seen without a browser"),
    }
}

/// The level that isitagentready.com would give. Spec: READY-CF-1.
pub(super) fn level(sheet: &mut Sheet) {
    let rungs: [&[&[Row]]; 5] = [
        &[&[Row::Robots1], &[Row::Map1]],
        &[&[Row::Ai1], &[Row::Cs1]],
        &[&[Row::Md1]],
        &[&[Row::Api1, Row::Mcp1, Row::A2a1, Row::Skill1]],
        &[&[Row::OAuth1]],
    ];
    let holds = |rung: &&[&[Row]]| rung.iter().all(|any| any.iter().any(|row| sheet.is_good(*row)));
    let level = rungs.iter().take_while(|rung| holds(rung)).count();
    sheet.pass(Row::Cf1, format!("level {level}"));
}

/// The texts of a response that `x402` and others send as JSON.
pub(super) fn first_402<'a>(look: &Look<'a>) -> Option<Answer<'a>> {
    let places = [look.url.clone(), look.at("/api"), look.at("/api/v1")];
    let mut answers = places.iter().filter_map(|url| look.reader.ask(Method::Get, url, ANY));
    answers.find(|answer| answer.status() == 402)
}

pub(super) fn is_number(value: Option<JsonValue<'_>>) -> bool {
    value.is_some_and(|value| value.kind() == JsonKind::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skill_begins_with_its_name() {
        for (text, expected) in [
            ("---\nname: a\ndescription: b\n---\n# A\n", Verdict::Pass),
            ("---\r\nname: \"a\"\r\ndescription: b\r\n---\r\n", Verdict::Pass),
            ("---\nname: other\ndescription: b\n---\n", Verdict::Warn),
            ("---\nname: a\ndescription: b\n", Verdict::Fail),
            ("---\nname: a\n---\ndescription: b\n", Verdict::Fail),
            ("# A\n---\nname: a\ndescription: b\n---\n", Verdict::Fail),
        ] {
            assert_eq!(front_matter(text, "a").0, expected, "{text:?}");
        }
    }
}
