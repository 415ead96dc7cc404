//! robots.txt, signals, sitemap, Link fields. Spec: section 2.

use std::collections::BTreeSet;

use robots::{Field, ParseOptions, Robots};
use url::Url;

use super::{Look, Sheet};
use crate::exchange::{ANY, Answer, MARKDOWN, Method, absolute};
use crate::xml::{self, Sitemap};
use crate::{Row, Verdict};

/// Names of AI crawlers that public checkers look for. Spec: READY-AI-1.
const AI_CRAWLERS: [&str; 15] = [
    "gptbot",
    "chatgpt-user",
    "google-extended",
    "ccbot",
    "anthropic-ai",
    "claude-web",
    "bytespider",
    "perplexitybot",
    "cohere-ai",
    "applebot-extended",
    "amazonbot",
    "meta-externalagent",
    "facebookbot",
    "omgilibot",
    "diffbot",
];
const RETIRED: [&str; 2] = ["anthropic-ai", "claude-web"];
const PRESENT: [&str; 3] = ["claudebot", "claude-user", "claude-searchbot"];
const SIGNALS: [&str; 3] = ["search", "ai-input", "ai-train"];

/// The parsed robots.txt.
pub(crate) struct RobotsTxt {
    verdict: Verdict,
    why: String,
    bytes: usize,
    /// Names and signal lines of each group as signals have them, names in lower case.
    groups: Vec<(BTreeSet<String>, Vec<String>)>,
    /// All values of `Content-Signal`, `Sitemap` and `License` lines.
    signals: Vec<String>,
    sitemaps: Vec<String>,
    pub(super) licences: Vec<String>,
}

impl RobotsTxt {
    pub(super) fn read(look: &Look<'_>) -> Self {
        let mut file = RobotsTxt {
            verdict: Verdict::Fail,
            why: "no answer".to_owned(),
            bytes: 0,
            groups: Vec::new(),
            signals: Vec::new(),
            sitemaps: Vec::new(),
            licences: Vec::new(),
        };
        let Some(answer) = look.reader.get(&look.at("/robots.txt")) else { return file };
        if answer.status() != 200 || answer.is_html() {
            file.why = match answer.status() {
                200 => "an HTML page is in its place".to_owned(),
                status => format!("status {status}"),
            };
            return file;
        }
        let body = &answer.response.body;
        file.bytes = body.len();
        let robots = Robots::parse_with(body, ParseOptions::default().max_bytes(usize::MAX));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        for group in robots.preference_groups() {
            let names = group.agents().map(|name| text(name).to_ascii_lowercase());
            let signals = group.records().filter(|record| record.field == Field::ContentSignal);
            file.groups.push((names.collect(), signals.map(|record| text(record.value)).collect()));
        }
        for record in robots.other_records() {
            let value = text(record.value);
            match record.field {
                Field::ContentSignal => file.signals.push(value),
                Field::Sitemap => file.sitemaps.push(value),
                Field::License => file.licences.push(value),
                _ => {}
            }
        }
        (file.verdict, file.why) = match (file.groups.is_empty(), answer.is_type("text/plain")) {
            (true, _) => (Verdict::Fail, "no User-agent line".to_owned()),
            (false, true) => (Verdict::Pass, String::new()),
            (false, false) => {
                let found = answer.field("content-type").unwrap_or("no type");
                (Verdict::Warn, format!("served as {found}"))
            }
        };
        file
    }

    /// The signals of the group of `*`, by key; one `no` for a key outweighs other values.
    fn signals_for_all(&self) -> Vec<(String, String)> {
        let lines = self.groups.iter().filter(|(names, _)| names.contains("*")).flat_map(|(_, lines)| lines);
        let mut signals: Vec<(String, String)> = lines.flat_map(|line| pairs(line)).collect();
        signals.sort_by_key(|(_, value)| value != "no");
        signals
    }
}

/// The known and unknown pairs of a signal line, in lower case.
fn pairs(line: &str) -> impl Iterator<Item = (String, String)> {
    let lower = |text: &str| text.trim().to_ascii_lowercase();
    line.split(',')
        .filter_map(move |part| part.split_once('='))
        .map(move |(key, value)| (lower(key), lower(value)))
}

fn is_signal((key, value): &(String, String)) -> bool {
    SIGNALS.contains(&key.as_str()) && matches!(value.as_str(), "yes" | "no")
}

pub(super) fn robots(file: &RobotsTxt, sheet: &mut Sheet) {
    sheet.set(Row::Robots1, file.verdict, file.why.clone());
    if file.verdict == Verdict::Fail {
        sheet.skip_all(&[Row::Robots2, Row::Robots3, Row::Ai2, Row::Ai3, Row::Cs2], "no robots.txt to read");
        sheet.fail(Row::Ai1, "no robots.txt to read");
        return sheet.fail(Row::Cs1, "no robots.txt to read");
    }
    match file.bytes {
        0..=512_000 => sheet.pass(Row::Robots2, ""),
        bytes => sheet.warn(Row::Robots2, format!("{bytes} bytes")),
    }
    match (file.sitemaps.as_slice(), file.sitemaps.iter().find(|value| absolute(value).is_none())) {
        ([], _) => sheet.warn(Row::Robots3, "no Sitemap line"),
        (_, Some(value)) => sheet.warn(Row::Robots3, format!("`{value}` is not a full address")),
        _ => sheet.pass(Row::Robots3, ""),
    }
    let is_named = |name: &str| file.groups.iter().any(|(names, _)| names.contains(name));
    let named: Vec<&str> = AI_CRAWLERS.into_iter().filter(|name| is_named(name)).collect();
    match (named.is_empty(), is_named("*")) {
        (false, _) => sheet.pass(Row::Ai1, named.join(", ")),
        (true, true) => sheet.pass(Row::Ai1, "wildcard"),
        (true, false) => sheet.fail(Row::Ai1, "no group for an AI crawler or for all"),
    }
    let (retired, present) = (RETIRED.into_iter().any(is_named), PRESENT.into_iter().any(is_named));
    match (retired && !present, named.is_empty() && !present) {
        (true, _) => sheet.warn(Row::Ai2, "only retired names of Anthropic's crawlers"),
        (_, true) => sheet.skip(Row::Ai2, "no AI crawler is named"),
        _ => sheet.pass(Row::Ai2, ""),
    }
    named_groups(file, sheet);
    match (
        file.signals.is_empty(),
        file.signals.iter().flat_map(|line| pairs(line)).any(|pair| is_signal(&pair)),
    ) {
        (true, _) => sheet.fail(Row::Cs1, "no Content-Signal line"),
        (_, false) => sheet.warn(Row::Cs1, "no known signal in it"),
        _ => sheet.pass(Row::Cs1, file.signals.join("; ")),
    }
    let is_odd = |part: &&str| match part.split_once('=') {
        Some((key, value)) => {
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim().to_ascii_lowercase());
            key != "use" && !is_signal(&(key, value))
        }
        None => true,
    };
    match (file.signals.is_empty(), file.signals.iter().flat_map(|line| line.split(',')).find(is_odd)) {
        (true, _) => sheet.skip(Row::Cs2, "no Content-Signal line"),
        (_, Some(part)) => sheet.warn(Row::Cs2, format!("`{}`", part.trim())),
        _ => sheet.pass(Row::Cs2, ""),
    }
}

/// A named crawler uses only its own group. Spec: READY-AI-3.
fn named_groups(file: &RobotsTxt, sheet: &mut Sheet) {
    let is_ai = |name: &String| {
        let name = name.as_str();
        AI_CRAWLERS.contains(&name) || PRESENT.contains(&name) || name == "oai-searchbot"
    };
    let own = || file.groups.iter().filter(|(names, _)| !names.contains("*"));
    let named: BTreeSet<&String> = own().flat_map(|(names, _)| names).filter(|name| is_ai(name)).collect();
    // A crawler reads all groups that name it as one.
    let has_signal =
        |name: &&String| own().any(|(names, signals)| names.contains(*name) && !signals.is_empty());
    let for_all = file.groups.iter().any(|(names, signals)| names.contains("*") && !signals.is_empty());
    match (for_all && !named.is_empty(), named.iter().find(|name| !has_signal(name))) {
        (false, _) => sheet.skip(Row::Ai3, ""),
        (true, None) => sheet.pass(Row::Ai3, ""),
        (true, Some(name)) => sheet.warn(Row::Ai3, format!("the group of {name} has none")),
    }
}

pub(super) fn signals(look: &Look<'_>, file: &RobotsTxt, home: &Option<Answer<'_>>, sheet: &mut Sheet) {
    let markdown = look.reader.ask(Method::Get, look.url, MARKDOWN);
    let said: Vec<(String, String)> = [home, &markdown]
        .into_iter()
        .flatten()
        .flat_map(|answer| answer.fields("content-signal").flat_map(pairs).collect::<Vec<_>>())
        .collect();
    let has_field =
        [home, &markdown].into_iter().flatten().any(|answer| answer.field("content-signal").is_some());
    if !has_field {
        return sheet.skip(Row::Cs3, "no Content-Signal field");
    }
    let there = file.signals_for_all();
    let contradicts = |(key, value): &&(String, String)| {
        let stated = there.iter().find(|(other, _)| other == key);
        value == "yes" && stated.is_some_and(|(_, value)| value == "no")
    };
    match said.iter().find(contradicts) {
        Some((key, _)) => sheet.warn(Row::Cs3, format!("{key}: yes with the page, no in robots.txt")),
        None => sheet.pass(Row::Cs3, ""),
    }
}

/// A sitemap that was found, and its address.
pub(super) fn sitemap(look: &Look<'_>, file: &RobotsTxt, sheet: &mut Sheet) -> Option<Sitemap> {
    let named: Vec<Url> = file.sitemaps.iter().filter_map(|value| absolute(value)).take(5).collect();
    let usual = ["/sitemap.xml", "/sitemap_index.xml", "/sitemap-index.xml", "/sitemap.xml.gz"];
    let is_named = !named.is_empty();
    let places = if is_named { named } else { usual.iter().map(|path| look.at(path)).collect() };
    let found = places.iter().find_map(|url| Some((url, read_sitemap(look, url)?)));
    let Some((url, sitemap)) = found else {
        let detail = if is_named { "none where robots.txt says" } else { "none at the usual places" };
        sheet.fail(Row::Map1, detail);
        sheet.skip_all(&[Row::Map2, Row::Map3, Row::Map4], "no sitemap");
        return None;
    };
    sheet.pass(Row::Map1, url.as_str());
    match (sitemap.is_too_large, sitemap.entries) {
        (true, _) => sheet.fail(Row::Map2, "larger than 52,428,800 bytes"),
        (false, 50_001..) => sheet.fail(Row::Map2, format!("{} entries", sitemap.entries)),
        (false, entries) => sheet.pass(Row::Map2, format!("{entries} entries")),
    }
    let is_good = |loc: &&String| {
        absolute(loc).is_some_and(|url| url.host() == look.url.host()) && loc.chars().count() < 2_048
    };
    match (sitemap.is_index, sitemap.locs.iter().find(|loc| !is_good(loc))) {
        (true, _) => sheet.skip(Row::Map3, "an index"),
        (_, Some(loc)) => sheet.warn(Row::Map3, format!("`{}`", crate::sniff::first_chars(loc, 100))),
        _ => sheet.pass(Row::Map3, ""),
    }
    match (sitemap.dates.is_empty(), sitemap.dates.iter().find(|date| !xml::is_date(date))) {
        (true, _) => sheet.warn(Row::Map4, "no lastmod"),
        (_, Some(date)) => sheet.warn(Row::Map4, format!("`{}`", crate::sniff::first_chars(date, 40))),
        _ => sheet.pass(Row::Map4, ""),
    }
    Some(sitemap)
}

/// The sitemap at an address.
pub(super) fn read_sitemap(look: &Look<'_>, url: &Url) -> Option<Sitemap> {
    let answer = look.reader.get(url).filter(|answer| answer.status() == 200)?;
    Sitemap::read(&answer.response.body, answer.is_type("text/plain"))
}

pub(super) fn links(look: &Look<'_>, home: &Option<Answer<'_>>, sheet: &mut Sheet) {
    const USEFUL: [&str; 5] = ["api-catalog", "service-desc", "service-doc", "describedby", "alternate"];
    let Some(home) = home.as_ref().filter(|home| home.is_success()) else {
        return sheet.skip_all(&[Row::Link1, Row::Link2], "no page to look at");
    };
    if home.field("link").is_none() {
        sheet.fail(Row::Link1, "no Link field");
        return sheet.skip(Row::Link2, "no Link field");
    }
    let links = home.link_fields();
    let useful: Vec<_> = links.iter().filter(|link| USEFUL.iter().any(|rel| link.has_rel(rel))).collect();
    match useful.is_empty() {
        true => sheet.warn(Row::Link1, "no link to a document for machines"),
        false => sheet.pass(Row::Link1, format!("{} links", useful.len())),
    }
    let mut targets: Vec<Url> = Vec::new();
    for url in useful.iter().filter_map(|link| link.resolve(&home.url)).filter(|url| look.is_on_site(url)) {
        if !targets.contains(&url) {
            targets.push(url);
        }
    }
    targets.truncate(5);
    let answers: Vec<_> = targets
        .iter()
        .filter_map(|url| Some((url, look.reader.ask(Method::Get, url, ANY)?.status())))
        .collect();
    match (answers.is_empty(), answers.iter().find(|(_, status)| *status >= 400)) {
        (true, _) => sheet.skip(Row::Link2, "no target on this site"),
        (_, Some((url, status))) => sheet.fail(Row::Link2, format!("{url}: status {status}")),
        _ => sheet.pass(Row::Link2, ""),
    }
}
