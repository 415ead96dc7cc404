//! llmindex: the manifest, its signature and proof, its pages, its feed.

use http::header::{CACHE_CONTROL, ETAG};
use jwk::JwkSet;
use llmindex_types::web_values::{UnixSeconds, WebUrl};
use llmindex_types::{
    DeltaBase, DeltaReader, FeedOptions, FeedReader, Limits, Manifest, ManifestFinding, ManifestState,
    ManifestText, Mode, Options, VerifyMethod, check_origin, classify, manifest_url,
};
use url::Url;
use verify::{BundledSuffixes, ManifestProof, ManifestVerifier, Origin, Protocol as Proof};

use crate::checks::aiwebindex::{play, verification_agent};
use crate::fetch::Answer;
use crate::finding::{Check, Protocol};
use crate::report::Offer;
use crate::{Context, offer};

pub(crate) async fn run(context: &mut Context) -> Offer {
    let mut facts = Vec::new();
    let url = manifest_url(&context.start.url);
    if let Some(answer) = context.get(&url).await {
        check_manifest(context, &url, &answer, &mut facts).await;
    }
    offer(Protocol::Llmindex, facts)
}

async fn check_manifest(context: &mut Context, url: &Url, answer: &Answer, facts: &mut Vec<String>) {
    let place = url.as_str();
    let outcome = classify(answer.status.as_u16(), answer.content_type(), &answer.body, &Limits::MANIFEST);
    match outcome.state() {
        ManifestState::Supported => {}
        _ if answer.status.is_success() => {
            for finding in outcome.findings() {
                add(context, Check::ManifestUnreadable, place, finding);
            }
            return;
        }
        _ => {
            let found = format!("status {}", answer.status.as_u16());
            context.findings.add(Check::ManifestMissing, place, "a manifest", &found);
            return;
        }
    }
    for finding in outcome.findings() {
        add(context, Check::ManifestHeaders, place, finding);
    }
    for (name, expected) in [
        (ETAG, "an entity tag (LLMI-ENT-3)"),
        (CACHE_CONTROL, "Cache-Control: max-age=3600, must-revalidate (LLMI-ENT-4)"),
    ] {
        if !answer.headers.contains_key(name) {
            context.findings.add(Check::ManifestHeaders, place, expected, "none");
        }
    }
    // What is wrong with one member is no reason not to look at what another one names.
    let options = Options::default().mode(Mode::Lenient);
    let Ok(reading) = llmindex_types::read(&answer.body, &options) else { return };
    for finding in reading.report().findings() {
        let check = if finding.is_error() { Check::ManifestError } else { Check::ManifestWarning };
        add(context, check, place, finding);
    }
    check_signature(context, answer, facts).await;
    check_proof(context, answer, facts).await;
    let Some(partial) = reading.partial() else { return };
    let pages: Vec<(&str, Url)> =
        partial.endpoints.iter().map(|(name, page)| (*name, page.as_url().clone())).collect();
    let text = ManifestText::parse(&answer.body, &Limits::MANIFEST).ok();
    let version = text.as_ref().and_then(|text| text.string("version"));
    let version = version.as_deref().unwrap_or("without a version");
    facts.push(format!("a manifest of llmindex {version} with {} pages", pages.len()));
    for (name, page) in pages {
        check_endpoint(context, name, &page).await;
    }
    let feeds: Vec<(&str, Url)> = partial
        .feeds
        .iter()
        .flat_map(|feeds| feeds.iter().map(|(name, feed)| (name, feed.as_url().clone())))
        .collect();
    for (name, feed) in feeds {
        let Some(answer) = fetch_feed(context, name, &feed).await else { continue };
        // What the file of offers holds is not specified.
        match name {
            "products_jsonl" => check_products(context, &feed, &answer, facts),
            "products_jsonl_delta" => check_delta(context, &feed, &answer, reading.manifest(), facts),
            _ => {}
        }
    }
    if let Some(manifest) = reading.manifest() {
        check_dates(context, manifest, place);
        for localized in manifest.localized_endpoints() {
            for (name, page) in &localized.pages {
                let name = format!("{name} in {}", localized.language);
                check_endpoint(context, &name, page.as_url()).await;
            }
        }
    }
    if let Some(txt) = context.at("/llms.txt") {
        match context.get(&txt).await {
            Some(answer) if answer.status.is_success() => facts.push("/llms.txt".to_owned()),
            _ => context.findings.add(Check::LlmsTxtMissing, txt.as_str(), "/llms.txt", "none"),
        }
    }
}

/// Adds a library's finding with its place in the manifest.
fn add(context: &mut Context, check: Check, place: &str, finding: &ManifestFinding) {
    let place = format!("{place}#{}", finding.path());
    context.findings.add_sentence(check, finding.requirement(), &place, finding.message());
}

fn check_dates(context: &mut Context, manifest: &Manifest, place: &str) {
    let now = UnixSeconds(u64::try_from(jiff::Timestamp::now().as_second()).unwrap_or_default());
    let host = WebUrl::parse(context.start.url.as_str()).ok();
    let origin = host.and_then(|host| check_origin(manifest, &host));
    for finding in manifest.check_age(now).iter().chain(&origin) {
        add(context, Check::ManifestWarning, place, finding);
    }
}

async fn check_signature(context: &mut Context, answer: &Answer, facts: &mut Vec<String>) {
    let place = answer.url.to_string();
    let Ok(text) = ManifestText::parse(&answer.body, &Limits::MANIFEST) else { return };
    let Some(sig) = text.sig().present() else {
        context.findings.add(Check::ManifestUnsigned, &place, "a signature", "none");
        return;
    };
    // A key found on the site itself adds nothing to TLS; that the signature is that of this text is still worth to know.
    let Some(keys) = find_keys(context, &sig.kid).await else {
        facts.push(format!("a signature by {}, whose key is not on this site", sig.kid));
        return;
    };
    match ManifestVerifier::new(&keys, Origin::FetchedFrom(answer.url.as_str())).verify(&answer.body) {
        Ok(report) if report.is_valid() => facts.push("a signature by the key on this site".to_owned()),
        Ok(report) => {
            let found = report.reason.to_string();
            context.findings.add_found(
                Check::SignatureInvalid,
                &place,
                "the signature of this manifest",
                &found,
            );
        }
        Err(error) => {
            let found = error.to_string();
            context.findings.add_found(Check::SignatureInvalid, &place, "a manifest to verify", &found);
        }
    }
}

/// Fetches the keys from the URL in the key's name if it is on this site.
async fn find_keys(context: &mut Context, kid: &str) -> Option<JwkSet> {
    let url = Url::parse(kid).ok().filter(|url| url.origin() == context.start.url.origin())?;
    JwkSet::parse(&context.get(&url).await?.body).ok()
}

async fn check_proof(context: &mut Context, answer: &Answer, facts: &mut Vec<String>) {
    let Ok(text) = ManifestText::parse(&answer.body, &Limits::MANIFEST) else { return };
    let host = context.start.url.host_str().unwrap_or_default().to_owned();
    // Without `verify` nothing is claimed; a defective one has been found already.
    let Ok(proof) = ManifestProof::of(&text, &host, &BundledSuffixes) else { return };
    if proof.method() != VerifyMethod::HttpFile {
        facts.push("a proof of ownership by DNS, which is not asked for here".to_owned());
        return;
    }
    let place = context.at(Proof::Llmindex.well_known_path()).map(String::from).unwrap_or_default();
    let proven = async {
        let agent = verification_agent()?;
        let check = proof.well_known_check(&agent, &BundledSuffixes).map_err(|error| error.to_string())?;
        play(context, check).await
    };
    match proven.await {
        Ok(()) => facts.push("a proof of ownership".to_owned()),
        Err(found) => {
            context.findings.add_found(Check::ProofFails, &place, "verify.value of the manifest", &found)
        }
    }
}

async fn check_endpoint(context: &mut Context, name: &str, url: &Url) {
    if !context.may_fetch(url) {
        return;
    }
    let found = match context.client.get(url).await {
        Ok(answer) if answer.status.is_success() => return,
        Ok(answer) => format!("status {}", answer.status.as_u16()),
        Err(error) => error.to_string(),
    };
    let expected = format!("the page of {name}");
    context.findings.add(Check::EndpointUnavailable, url.as_str(), &expected, &found);
}

async fn fetch_feed(context: &mut Context, name: &str, url: &Url) -> Option<Answer> {
    if !context.may_fetch(url) {
        return None;
    }
    let found = match context.client.get(url).await {
        Ok(answer) if answer.status.is_success() => return Some(answer),
        Ok(answer) => format!("status {}", answer.status.as_u16()),
        Err(error) => error.to_string(),
    };
    context.findings.add(Check::FeedUnavailable, url.as_str(), &format!("the feed {name}"), &found);
    None
}

fn check_products(context: &mut Context, url: &Url, answer: &Answer, facts: &mut Vec<String>) {
    // The key hides which identifiers collide; nobody gains from collisions in a report.
    let mut reader = FeedReader::new([0; 16], FeedOptions::default());
    let mut chunk = &answer.body[..];
    while let Some(line) = reader.next_line(&mut chunk) {
        add_line(context, url, &line);
    }
    if let Some(line) = reader.last_line() {
        add_line(context, url, &line);
    }
    facts.push(format!("a feed of {} products", reader.summary().products()));
}

/// The feed of changes: which state it begins from, and its lines.
fn check_delta(
    context: &mut Context,
    url: &Url,
    answer: &Answer,
    manifest: Option<&Manifest>,
    facts: &mut Vec<String>,
) {
    // A manifest with errors has been reported; what its delta begins from cannot be told.
    let Some(manifest) = manifest else { return };
    let base = DeltaBase::of_manifest(manifest).and_then(|base| {
        let reader = DeltaReader::new([0; 16], &base, base.since(), FeedOptions::default())?;
        Ok((base, reader))
    });
    let (base, mut reader) = match base {
        Ok(begun) => begun,
        Err(error) => {
            let (rule, sentence) = (error.requirement(), error.to_string());
            context.findings.add_sentence(Check::ManifestWarning, rule, url.as_str(), &sentence);
            return;
        }
    };
    let mut chunk = &answer.body[..];
    while let Some(line) = reader.next_line(&mut chunk) {
        add_findings(context, url, line.number(), line.findings());
    }
    if let Some(line) = reader.last_line() {
        add_findings(context, url, line.number(), line.findings());
    }
    facts.push(format!("{} changes since {}", reader.summary().products(), base.since()));
}

fn add_line(context: &mut Context, url: &Url, line: &llmindex_types::FeedLine<'_>) {
    add_findings(context, url, line.number(), line.findings());
}

fn add_findings(context: &mut Context, url: &Url, number: u64, findings: &[ManifestFinding]) {
    for finding in findings {
        let place = format!("{url} line {number}{}", finding.path());
        context.findings.add_sentence(Check::FeedLine, finding.requirement(), &place, finding.message());
    }
}
