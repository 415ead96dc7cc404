//! Every case on loopback: what is published, what must come of it, what came of it.

use std::net::SocketAddr;

use tokio::net::UdpSocket;
use verify::{
    BundledSuffixes, Domain, Protocol, Quorum, QuorumPolicy, Token, TxtToPublish, WellKnownCheck,
    names_by_mistake, record_name,
};

use crate::name_server::{self, Txt, ZONE};
use crate::web_client::WebClient;
use crate::web_server::{self, Page, Site};
use crate::{Fallible, resolvers, verification_agent};

/// Resolvers of the demonstration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    /// Serves the records.
    Honest,
    /// Serves them too, on another port.
    Second,
    /// Denies records that are there, and has one that is not.
    Liar,
    /// Answers REFUSED to everything.
    Refusing,
    /// Never answers.
    Dead,
}

struct DnsCase {
    label: &'static str,
    /// The character-strings of each record, at the record's name.
    records: fn(&str) -> Vec<Vec<String>>,
    resolvers: &'static [Who],
    policy: QuorumPolicy,
    expected: &'static str,
    near_miss: Option<&'static str>,
}

const TRUSTED: &[Who] = &[Who::Honest, Who::Second, Who::Dead];
const MIXED: &[Who] = &[Who::Honest, Who::Liar, Who::Dead];

/// The case whose record answers for every name below the domain.
const WILDCARD: &str = "wildcard";

fn dns_case(
    label: &'static str,
    records: fn(&str) -> Vec<Vec<String>>,
    expected: &'static str,
    near_miss: Option<&'static str>,
) -> DnsCase {
    DnsCase { label, records, resolvers: TRUSTED, policy: QuorumPolicy::Majority, expected, near_miss }
}

fn dns_cases() -> Vec<DnsCase> {
    let one: fn(&str) -> Vec<Vec<String>> = |value| vec![vec![value.into()]];
    let with = |label, resolvers, policy, expected| DnsCase {
        resolvers,
        policy,
        ..dns_case(label, one, expected, None)
    };
    vec![
        dns_case("record", one, "verified", None),
        dns_case("split-strings", |v| vec![vec![v[..9].into(), v[9..].into()]], "verified", None),
        dns_case("beside-others", |v| vec![vec!["v=spf1 -all".into()], vec![v.into()]], "verified", None),
        dns_case("pasted-quotes", |v| vec![vec![format!("\"{v}\"")]], "verified", None),
        dns_case("truncated", |v| vec![vec![v[..v.len() - 1].into()]], "no-match", Some("truncated")),
        dns_case("extended", |v| vec![vec![format!("{v}0")]], "no-match", Some("extended")),
        dns_case("wrong-case", |v| vec![vec![v.to_uppercase()]], "no-match", Some("wrong-case")),
        dns_case(
            "split-records",
            |v| vec![vec![v[..20].into()], vec![v[20..].into()]],
            "no-match",
            Some("split-across-records"),
        ),
        dns_case("absent", |_| vec![], "no-record", None),
        dns_case(WILDCARD, one, "wildcard-record", None),
        with("one-lies-majority", &[Who::Honest, Who::Second, Who::Liar], QuorumPolicy::Majority, "verified"),
        with("one-lies-all", &[Who::Honest, Who::Second, Who::Liar], QuorumPolicy::All, "resolvers-disagree"),
        with("one-lies-one-dead", MIXED, QuorumPolicy::Majority, "resolvers-disagree"),
        with("one-lies-one-dead-any", MIXED, QuorumPolicy::Any, "verified"),
        with("one-of-three", &[Who::Honest, Who::Refusing, Who::Dead], QuorumPolicy::All, "too-few-answers"),
        with("all-refuse", &[Who::Refusing, Who::Refusing], QuorumPolicy::Majority, "no-answer"),
        with("all-dead", &[Who::Dead, Who::Dead], QuorumPolicy::Majority, "no-answer"),
        DnsCase {
            resolvers: &[Who::Honest, Who::Second, Who::Liar],
            ..dns_case("poisoned-cache", |_| vec![], "resolvers-disagree", None)
        },
    ]
}

/// A case of the well-known file: pages by path on the domain itself, or by full `host/path`.
struct FileCase {
    label: &'static str,
    pages: fn(&Names<'_>) -> Vec<(String, Page)>,
    expected: [&'static str; 2],
}

/// What the pages of a case are made of.
struct Names<'a> {
    /// The domain.
    host: &'a str,
    /// Path of the proof.
    path: &'a str,
    /// What must stand in it.
    value: &'a str,
}

impl Names<'_> {
    fn at(&self, page: Page) -> Vec<(String, Page)> {
        vec![(format!("{}{}", self.host, self.path), page)]
    }

    /// Redirects along these, then the proof; each is a path or a URL.
    fn chain(&self, locations: &[&str]) -> Vec<(String, Page)> {
        let mut at = format!("{}{}", self.host, self.path);
        let mut pages = Vec::new();
        for location in locations {
            pages.push((at.clone(), redirect(location)));
            at = match location.split_once("//") {
                Some((_, rest)) => rest.into(),
                None => format!("{}{location}", self.host),
            };
        }
        pages.push((at, text(self.value)));
        pages
    }
}

fn page(status: u16, content_type: &str, body: &str) -> Page {
    Page { status, headers: vec![("content-type", content_type.into())], body: body.into() }
}

fn text(body: &str) -> Page {
    page(200, "text/plain; charset=utf-8", body)
}

fn redirect(location: &str) -> Page {
    Page { status: 302, headers: vec![("location", location.into())], body: Vec::new() }
}

fn file_cases() -> Vec<FileCase> {
    let case = |label, expected, pages| FileCase { label, pages, expected };
    let both = |code| [code, code];
    vec![
        case("file", both("verified"), |n| n.at(text(n.value))),
        case("bom-crlf", both("verified"), |n| n.at(text(&format!("\u{feff}{}\r\n", n.value)))),
        case("comment-line", ["verified", "no-match"], |n| n.at(text(&format!("# mine\n{}\n", n.value)))),
        case("three-hops", both("verified"), |n| n.chain(&["/a", "/b", "/c"])),
        case("www", ["verified", "redirect-cross-host"], |n| {
            n.chain(&[&format!("https://www.{}/x", n.host)])
        }),
        case("absent", both("status-not-200"), |_| Vec::new()),
        case("server-error", both("status-not-200"), |n| n.at(page(503, "text/plain", n.value))),
        case("token-extended", both("no-match"), |n| n.at(text(&format!("{}0", n.value)))),
        case("soft-404", both("no-match"), |n| n.at(text("not found"))),
        case("echo-page", both("html-content-type"), |n| {
            n.at(page(200, "text/html", &format!("<p>\n{}\n</p>", n.value)))
        }),
        case("echo-as-text", ["html-body", "no-match"], |n| n.at(text(&format!("<p>\n{}\n</p>", n.value)))),
        case("not-utf8", ["body-not-utf8", "no-match"], |n| {
            n.at(Page { body: [n.value.as_bytes(), b"\n\xff\n"].concat(), ..text("") })
        }),
        case("65-kib", both("body-too-large"), |n| {
            n.at(text(&format!("{}\n{}", n.value, " ".repeat(65 * 1024))))
        }),
        case("four-hops", both("too-many-redirects"), |n| n.chain(&["/a", "/b", "/c", "/d"])),
        case("loop", both("redirect-loop"), |n| n.at(redirect(n.path))),
        case("no-location", both("location-missing"), |n| n.at(Page { status: 302, ..Page::default() })),
        case("bad-location", both("location-invalid"), |n| n.at(redirect("https://[/"))),
        case("to-http", both("redirect-not-https"), |n| n.at(redirect(&format!("http://{}/", n.host)))),
        case("to-port", both("redirect-to-port"), |n| n.at(redirect(&format!("https://{}:8443/", n.host)))),
        case("userinfo", both("redirect-with-userinfo"), |n| {
            n.at(redirect(&format!("https://u:p@{}/", n.host)))
        }),
        case("other-owner", ["redirect-cross-domain", "redirect-cross-host"], |n| {
            n.chain(&["https://other-owner.test/x"])
        }),
        case("other-certificate", both("tls-failed"), |n| n.at(text(n.value))),
    ]
}

/// Two private-suffix neighbours, beside the cases under the one zone.
const NEIGHBOURS: [&str; 2] = ["alice.github.io", "bob.github.io"];

/// Runs everything. True where each result is the expected one.
pub async fn run(is_knot: bool) -> Fallible<bool> {
    println!("{:<11} {:<5} {:<24} {:<32} {:<22} ok", "protocol", "by", "case", "result", "asked");
    // Both at once: the dead resolver is waited for once.
    let (aiwebindex, llmindex) = tokio::try_join!(
        run_protocol(Protocol::AiWebIndex, is_knot),
        run_protocol(Protocol::Llmindex, is_knot)
    )?;
    let mut all = true;
    for (row, is_ok) in aiwebindex.into_iter().chain(llmindex) {
        println!("{row} {}", if is_ok { "yes" } else { "NO" });
        all &= is_ok;
    }
    println!(
        "\n{}",
        if all { "every result is the expected one" } else { "some results are NOT the expected ones" }
    );
    Ok(all)
}

fn token_for(protocol: Protocol, host: &str) -> Fallible<Token> {
    let domain = Domain::parse(protocol, host, &BundledSuffixes)?;
    Ok(Token::issue_from_system(domain)?)
}

/// A line of the table, and whether the result is the expected one.
type Row = (String, bool);

async fn run_protocol(protocol: Protocol, is_knot: bool) -> Fallible<Vec<Row>> {
    let mut rows = run_dns(protocol, is_knot).await?;
    rows.extend(run_files(protocol).await?);
    Ok(rows)
}

fn row(protocol: Protocol, by: &str, label: &str, result: &str, asked: &str, is_ok: bool) -> Row {
    let protocol = if protocol == Protocol::AiWebIndex { "aiwebindex" } else { "llmindex" };
    (format!("{protocol:<11} {by:<5} {label:<24} {result:<32} {asked:<22}"), is_ok)
}

async fn run_dns(protocol: Protocol, is_knot: bool) -> Fallible<Vec<Row>> {
    let mut cases = Vec::new();
    let (mut honest, mut lies, mut zone_lines) = (Vec::new(), Vec::new(), Vec::new());
    for case in dns_cases() {
        let token = token_for(protocol, &format!("{}.{ZONE}", case.label))?;
        let to_publish = TxtToPublish::new(&token);
        let records = (case.records)(to_publish.value());
        let name = match case.label {
            WILDCARD => format!("*.{}", token.domain()),
            _ => to_publish.name().to_owned(),
        };
        for strings in &records {
            zone_lines.push(format!("{name}. 300 IN TXT {}", quoted(strings)));
            let strings = strings.iter().map(|string| string.clone().into_bytes()).collect();
            honest.push(Txt { name: name.clone(), strings });
        }
        if records.is_empty() {
            lies.push(Txt {
                name: to_publish.name().into(),
                strings: to_publish.strings().map(Into::into).collect(),
            });
        }
        cases.push((case, token));
    }
    // A record at the wrong name: the domain itself.
    let misplaced = token_for(protocol, &format!("misplaced.{ZONE}"))?;
    let to_publish = TxtToPublish::new(&misplaced);
    honest.push(Txt {
        name: misplaced.domain().as_str().into(),
        strings: to_publish.strings().map(Into::into).collect(),
    });
    zone_lines.push(to_publish.zone_line(300).replace(to_publish.name(), misplaced.domain().as_str()));

    let (first_server, first) = if is_knot {
        name_server::start_knot(&zone_lines).await?
    } else {
        name_server::start_hickory(&honest).await?
    };
    let (second_server, second) = name_server::start_hickory(&honest).await?;
    let (lying_server, liar) = name_server::start_hickory(&lies).await?;
    let (refusing_server, refusing) = name_server::start_refusing().await?;
    let silence = UdpSocket::bind("127.0.0.1:0").await?;
    let dead = silence.local_addr()?;
    let address = |who: &Who| match who {
        Who::Honest => first,
        Who::Second => second,
        Who::Liar => liar,
        Who::Refusing => refusing,
        Who::Dead => dead,
    };

    // All questions at once: the dead resolver costs its time-out only once.
    let mut questions = Vec::new();
    for (case, token) in &cases {
        let asked: Vec<SocketAddr> = case.resolvers.iter().map(address).collect();
        let domain = token.domain().clone();
        questions.push(tokio::spawn(async move { resolvers::ask_for_proof(&asked, &domain).await }));
    }
    let mut rows = Vec::new();
    for ((case, token), question) in cases.iter().zip(questions) {
        let answers = question.await??;
        let report = verify::evaluate_dns(token, &answers, case.policy)?;
        let near = report.near_misses.first().map(|miss| miss.kind.code());
        let is_ok =
            report.reason.code() == case.expected && (case.near_miss.is_none() || near == case.near_miss);
        let result =
            near.map_or(report.reason.code().to_owned(), |near| format!("{}: {near}", report.reason.code()));
        let asked = format!("{} resolvers, {:?}", case.resolvers.len(), case.policy);
        rows.push(row(protocol, "dns", case.label, &result, &asked, is_ok));
    }
    let mut answers = resolvers::ask_all(&[first], &record_name(misplaced.domain())).await?;
    for name in names_by_mistake(misplaced.domain()) {
        let elsewhere = resolvers::ask_all(&[first], &name).await?;
        answers.extend(elsewhere.into_iter().map(|answer| answer.asked_for(&name)));
    }
    let report =
        verify::evaluate_dns(&misplaced, &answers, Quorum::new(QuorumPolicy::Majority).min_answers(1))?;
    let near = report.near_misses.first().map_or("none", |miss| miss.kind.code());
    let is_ok = !report.is_verified() && near == "wrong-name";
    let result = format!("{}: {near}", report.reason.code());
    rows.push(row(protocol, "dns", "misplaced", &result, "4 names", is_ok));
    drop((first_server, second_server, lying_server, refusing_server, silence));
    Ok(rows)
}

/// Character-strings as a zone file has them. Wrong records have no line of the library's making.
fn quoted(strings: &[String]) -> String {
    let escape = |string: &String| format!("\"{}\"", string.replace('\\', "\\\\").replace('"', "\\\""));
    strings.iter().map(escape).collect::<Vec<_>>().join(" ")
}

async fn run_files(protocol: Protocol) -> Fallible<Vec<Row>> {
    let (mut site, mut names, mut cases) = (Site::new(), vec!["other-owner.test".to_owned()], Vec::new());
    let path = protocol.well_known_path();
    for case in file_cases() {
        let host = format!("{}.{ZONE}", case.label);
        let token = token_for(protocol, &host)?;
        let value = TxtToPublish::new(&token).value().to_owned();
        site.extend((case.pages)(&Names { host: &host, path, value: &value }));
        if case.label != "other-certificate" {
            names.extend([format!("www.{host}"), host]);
        }
        let expected = case.expected[usize::from(protocol == Protocol::Llmindex)];
        cases.push((case.label, token, expected));
    }
    let [alice, bob] = NEIGHBOURS;
    let token = token_for(protocol, alice)?;
    let value = TxtToPublish::new(&token).value().to_owned();
    site.extend(Names { host: alice, path, value: &value }.chain(&[&format!("https://{bob}/x")]));
    names.extend([alice.to_owned(), bob.to_owned()]);
    let is_llmindex = protocol == Protocol::Llmindex;
    let expected = if is_llmindex { "redirect-cross-host" } else { "redirect-cross-domain" };
    cases.push(("github-io-neighbour", token, expected));

    let (address, roots) = web_server::start(site, names).await?;
    let client = WebClient::new(roots, Some(address));
    let agent = verification_agent()?;
    let mut rows = Vec::new();
    for (label, token, expected) in cases {
        let report = client.run(WellKnownCheck::new(token, &agent, &BundledSuffixes)?).await?;
        let is_ok = report.reason.code() == expected;
        let asked = format!("{} requests", report.requests.len());
        rows.push(row(protocol, "file", label, report.reason.code(), &asked, is_ok));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    #[tokio::test(flavor = "multi_thread")]
    async fn every_result_is_the_expected_one() {
        assert!(super::run(false).await.unwrap());
    }

    /// Where Debian's knot is not installed, there is nothing to run, and the test says so.
    #[tokio::test(flavor = "multi_thread")]
    async fn with_knot_too() {
        let probe = Command::new("knotd").arg("--version").stdout(Stdio::null()).status();
        if probe.is_ok_and(|status| status.success()) {
            assert!(super::run(true).await.unwrap());
        } else {
            eprintln!("knotd is not installed: not run");
        }
    }
}
