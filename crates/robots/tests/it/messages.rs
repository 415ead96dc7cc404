//! The text of every error and finding, reviewed as a file.

use robots::{
    AiWebIndexAgent, AiWebIndexVersion, Pacer, PacingOptions, ParseOptions, Preference, Robots, RobotsBuilder,
};

#[test]
fn user_agent_errors() {
    let builder = AiWebIndexAgent::builder(AiWebIndexVersion::V1);
    let errors = [
        AiWebIndexAgent::check("Mozilla/5.0", AiWebIndexVersion::V1),
        AiWebIndexAgent::check("AIWebIndex/1.0\n", AiWebIndexVersion::V1),
        AiWebIndexAgent::check("AIWebIndex/1.0 curl/8", AiWebIndexVersion::V1),
        builder.info_url("example.com").build(),
        builder.implementation(" ").build(),
        builder.implementation("for verification").build(),
    ];
    insta::assert_snapshot!("user_agent_errors", lines(errors.into_iter().map(Result::unwrap_err)));
}

#[test]
fn build_errors() {
    let group = || RobotsBuilder::new().group(&["a"]);
    let errors = [
        RobotsBuilder::new().allow("/").build(),
        RobotsBuilder::new().group(&["a b\n"]).build(),
        group().disallow("private").build(),
        group().content_usage(None, &[("Train-AI", Preference::No)]).build(),
        group().sitemap("/sitemap.xml").build(),
    ];
    insta::assert_snapshot!("build_errors", lines(errors.into_iter().map(Result::unwrap_err)));
}

#[test]
fn a_full_pacer() {
    let mut pacer = Pacer::new(PacingOptions::default().max_hosts(1));
    pacer.want("a").unwrap();
    insta::assert_snapshot!("a_full_pacer", pacer.want("b").unwrap_err().to_string());
}

#[test]
fn findings() {
    let file = b"Disallow: /early\nCrawl-delay: 1\nUser-agent: bot/2.0\nDisallow /a\nDisalow: /b\nAlow: /b\n\
        User-agnet: x\nSite map: https://example.com/s\nHost: example.com\nDisallow: c\nDisallow: /%G1\n\
        Disallow: /\xFF\nDisallow: /robots.txt\nAllow: /d\nDisallow: /d\nAllow: /e\nDisallow: /e*\n\
        Crawl-delay: soon\nSitemap: /s.xml\nContent-Usage: train-ai=no\nContent-Usage: /x train-ai=n\n";
    let options = ParseOptions::default().max_bytes(file.len());
    let cut = [&file[..], b"Disallow: /z\n"].concat();
    insta::assert_snapshot!("findings", lines(Robots::parse_with(&cut, options).check_lint()));
}

fn lines<T: ToString>(all: impl IntoIterator<Item = T>) -> String {
    all.into_iter().map(|one| one.to_string()).collect::<Vec<_>>().join("\n")
}
