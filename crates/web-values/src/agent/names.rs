//! Names that an AIWebIndex crawler must not use in its `User-Agent`.

/// Names of clients that operators search for anywhere in the value, also inside of words.
const DISTINCT: &[&str] = &[
    "mozilla/",
    "applewebkit",
    "googlebot",
    "google-extended",
    "bingbot",
    "duckduckbot",
    "yandexbot",
    "baiduspider",
    "applebot",
    "gptbot",
    "chatgpt-user",
    "oai-searchbot",
    "claudebot",
    "claude-user",
    "perplexitybot",
    "ccbot",
    "amazonbot",
    "bytespider",
    "facebookexternalhit",
    "meta-externalagent",
    "headlesschrome",
    "yahoo! slurp",
    "ahrefsbot",
    "semrushbot",
    "petalbot",
    "twitterbot",
    "linkedinbot",
    "python-requests",
    "python-urllib",
    "go-http-client",
    "libwww-perl",
    "apache-httpclient",
    "postmanruntime",
    "node-fetch",
    "okhttp",
    "aiohttp",
];

/// Names that are also words or parts of words: they count as a whole word outside of a URL.
const WORDS: &[&str] = &[
    "mozilla",
    "chrome",
    "chromium",
    "crios",
    "safari",
    "firefox",
    "fxios",
    "gecko",
    "khtml",
    "msie",
    "trident",
    "edg",
    "edge",
    "opera",
    "opr",
    "vivaldi",
    "samsungbrowser",
    "msnbot",
    "slurp",
    "curl",
    "wget",
    "axios",
    "undici",
    "scrapy",
    "java",
    "reqwest",
    "httpx",
    "guzzlehttp",
];

/// The offset at which `value` names a known browser, search crawler or HTTP library.
///
/// Spec: AIWI-UA-4, AIWI-AMB-5.
pub(super) fn impersonated(value: &str) -> Option<usize> {
    let lower = value.to_ascii_lowercase();
    let distinct = DISTINCT.iter().filter_map(|name| lower.find(name)).min();
    let mut start = 0;
    let mut word = None;
    for chunk in lower.split(' ') {
        if !chunk.contains("://") {
            let mut at = start;
            for piece in chunk.split(|c: char| !c.is_ascii_alphanumeric()) {
                if WORDS.contains(&piece) {
                    word = word.or(Some(at));
                }
                at += piece.len() + 1;
            }
        }
        start += chunk.len() + 1;
    }
    distinct.into_iter().chain(word).min()
}
