//! robots.txt: reading a file for one decision, and deciding after one reading.
//!
//! Peers: `texting_robots` and `robotxt` (read for one agent, then decide), `robotstxt` (a port of Google's parser,
//! which reads the file for each decision). Every case asserts that all contenders give the same answers.

use benches::Comparison;
use robots::Robots;
use robotstxt::DefaultMatcher;

const AGENT: &str = "AIWebIndex";
const HOST: &str = "https://example.com";

fn main() {
    for (case, groups, rules) in [("2kb", 4, 24), ("20kb", 12, 75)] {
        one_shot(case, &site(groups, rules));
    }
    for rules in [10, 100, 10_000] {
        prepared(&format!("literal-{rules}"), &own_rules(rules, 0));
    }
    for rules in [10, 100, 10_000] {
        prepared(&format!("one-in-ten-wild-{rules}"), &own_rules(rules, 10));
    }
    stars();
}

/// Reads the file and decides once.
fn one_shot(case: &str, file: &str) {
    let path = "/dir7/page3/item?id=9";
    let url = format!("{HOST}{path}");
    println!("# {case}: {} bytes", file.len());
    Comparison::new("robots-one-shot", case)
        .ours("robots", || Robots::parse(file.as_bytes()).decide(AGENT, path).is_allowed())
        .peer("robotxt", || robotxt::Robots::parse(file.as_bytes(), AGENT).is_allowed(path))
        .peer("texting_robots", || {
            texting_robots::Robot::new(AGENT, file.as_bytes()).is_ok_and(|robot| robot.allowed(&url))
        })
        .peer("robotstxt", || DefaultMatcher::default().one_agent_allowed_by_robots(file, AGENT, &url))
        .run();
}

/// Decides for a hundred paths after one reading.
fn prepared(case: &str, file: &str) {
    let matcher = Robots::parse(file.as_bytes()).matcher(AGENT);
    let robotxt = robotxt::Robots::parse(file.as_bytes(), AGENT);
    let texting = texting_robots::Robot::new(AGENT, file.as_bytes()).unwrap();
    let count = file.lines().count();
    let paths: Vec<String> = (0..100).map(|i| path(i * 7919 % (2 * count))).collect();
    let urls: Vec<String> = paths.iter().map(|path| format!("{HOST}{path}")).collect();
    Comparison::new("robots-decide", case)
        .rounds(20)
        .ours("robots", || paths.iter().filter(|path| matcher.decide(path.as_str()).is_allowed()).count())
        .peer("robotxt", || paths.iter().filter(|path| robotxt.is_allowed(path)).count())
        .peer("texting_robots", || urls.iter().filter(|url| texting.allowed(url)).count())
        .run();
}

/// One rule of fifty stars against a path of 2,000 characters that nearly matches.
fn stars() {
    let rule = "*a".repeat(50);
    let file = format!("User-agent: *\nDisallow: /{rule}$\n");
    let matcher = Robots::parse(file.as_bytes()).matcher(AGENT);
    let path = format!("/{}b", "ab".repeat(999));
    Comparison::new("robots-stars", "50-stars-2000-octets")
        .ours("robots", || matcher.decide(path.as_str()).is_allowed())
        .limit("one-memchr-pass", || memchr::memchr(b'#', std::hint::black_box(path.as_bytes())).is_none())
        .run();
}

/// A file of several groups, the crawler's among them, with comments and other records.
fn site(groups: usize, rules: usize) -> String {
    let mut file =
        String::from("# Rules for crawlers of this site\nSitemap: https://example.com/sitemap.xml\n\n");
    for group in 0..groups {
        let agent = if group == groups / 2 { AGENT.to_owned() } else { format!("bot{}", letters(group)) };
        file.push_str(&format!("User-agent: {agent}\n"));
        for rule in 0..rules {
            file.push_str(&line(rule, 0));
        }
        file.push('\n');
    }
    file.push_str("User-agent: *\nDisallow: /private/\n");
    file
}

/// A file of one group with so many rules, every `wild`th of them with a wildcard.
fn own_rules(rules: usize, wild: usize) -> String {
    let mut file = format!("User-agent: {AGENT}\n");
    for rule in 0..rules {
        file.push_str(&line(rule, wild));
    }
    file
}

fn line(rule: usize, wild: usize) -> String {
    let verb = if rule.is_multiple_of(3) { "Allow" } else { "Disallow" };
    match rule.checked_rem(wild) {
        Some(0) if rule.is_multiple_of(20) => format!("{verb}: /dir{}/*/print$\n", rule % 97),
        Some(0) => format!("{verb}: /*/item{rule}.pdf\n"),
        _ => format!("{verb}: /dir{}/page{rule}\n", rule % 97),
    }
}

fn path(n: usize) -> String {
    match n % 5 {
        0 => format!("/dir{}/page{n}/item?id={n}", n % 97),
        1 => format!("/dir{}/page{n}", n % 97),
        2 => format!("/dir{}/a/print", n % 97),
        3 => format!("/files/2026/item{n}.pdf"),
        _ => format!("/about/us/{n}"),
    }
}

/// A name without digits, which the token of a `User-agent` line cannot have.
fn letters(n: usize) -> String {
    n.to_string().bytes().map(|b| char::from(b - b'0' + b'a')).collect()
}
