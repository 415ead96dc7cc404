//! What servers read: header fields of twins and pages, so that a plain file server sends the validators of TCT.
//!
//! A twin's entity tag has to be its fingerprint, which is a hash of what the twin says. A file server makes its own tag,
//! of size and time. nginx and Caddy can be told the right one, and to answer 304 by it; hosts that read `_headers` keep
//! their own. Every twin also needs a Link field that names its page, without which agents refuse it. [`WHAT_THEY_DO`] says so to people.

use tct::link::{link_alternate, link_canonical, link_policy, link_sitemap};
use url::Url;

use super::pages::Page;
use super::texts;

/// What each kind of server does with the files, in a line each.
pub const WHAT_THEY_DO: &[(&str, &str)] = &[
    (
        "nginx",
        "`include FOLDER/.aiweb/nginx.conf;` in the server block: the sitemap's tags, 304, Link fields",
    ),
    ("Caddy", "`import FOLDER/.aiweb/Caddyfile` in the site block: the same"),
    (
        "_headers",
        "Netlify, Cloudflare Pages (which reads 100 rules): media types and Link fields. The tags are the host's own: 304 \
         works, lenient agents take the twins and skip by the sitemap, strict agents refuse them",
    ),
    (
        "other servers",
        "cannot say which page a twin is of, so that TCT agents refuse it there; llms.txt and the Markdown work everywhere",
    ),
];

const HEAD: &str = "Written by `aiweb build`; the next build writes it anew.";

fn text(value: &http::HeaderValue) -> String {
    String::from_utf8_lossy(value.as_bytes()).into_owned()
}

/// The links to sitemap and policy that every page carries.
fn site_links(origin: &Url, policy: bool) -> Vec<String> {
    let at = |path: &str| origin.join(path).ok();
    let sitemap = at("llm-sitemap.json").map(|url| text(&link_sitemap(&url)));
    let policy = at(texts::POLICY).filter(|_| policy).map(|url| text(&link_policy(&url)));
    sitemap.into_iter().chain(policy).collect()
}

/// `_headers`: what a page's twin is of is a rule for each page; the rest are a few rules with wildcards.
#[must_use]
pub fn netlify(origin: &Url, pages: &[Page], policy: bool) -> String {
    let base = origin.path();
    let mut out = format!("# {HEAD}\n{base}*\n");
    for link in site_links(origin, policy) {
        out.push_str(&format!("  Link: {link}\n"));
    }
    out.push_str(&format!("{base}*.llm.json\n  Content-Type: application/json; charset=utf-8\n"));
    out.push_str(&format!("{base}*.html.md\n  Content-Type: text/markdown; charset=utf-8\n"));
    for page in pages {
        let twin = page.m_url.as_url().path();
        out.push_str(&format!("{twin}\n  Link: {}\n", text(&link_canonical(&page.c_url))));
    }
    out
}

/// A file for `include` in nginx's `server` block.
///
/// `etag off` and `add_header` replace nginx's own tag; as nginx compares `If-None-Match` with its own alone, the
/// comparison is a pattern, and finds the tag in a list, behind `W/`, and with a suffix that a cache has put there.
#[must_use]
pub fn nginx(origin: &Url, pages: &[Page], policy: bool) -> String {
    let links = site_links(origin, policy);
    let mut out = format!("# {HEAD}\n# In the server block: include FOLDER/.aiweb/nginx.conf;\n");
    for page in pages {
        let hash = page.twin.fingerprint().to_string();
        let twin = quoted(&decoded(page.m_url.as_url()));
        out.push_str(&format!("\nlocation = {twin} {{\n  types {{ }}\n"));
        out.push_str("  default_type \"application/json; charset=utf-8\";\n  etag off;\n  gzip off;\n");
        out.push_str(&format!("  add_header ETag {};\n", quoted(&page.twin.etag().to_string())));
        out.push_str(&format!("  add_header Link {};\n", quoted(&text(&link_canonical(&page.c_url)))));
        out.push_str("  add_header Cache-Control \"no-cache\";\n");
        out.push_str(&format!("  if ($http_if_none_match ~ \"{hash}|^\\*$\") {{ return 304; }}\n}}\n"));
        // The page's own file, to which nginx leads from its folder by itself.
        let page_file = decoded(page.m_url.as_url());
        let page_file = quoted(page_file.strip_suffix(".llm.json").unwrap_or(&page_file));
        out.push_str(&format!("location = {page_file} {{\n"));
        let alternate = text(&link_alternate(&page.m_url));
        for link in std::iter::once(&alternate).chain(&links) {
            out.push_str(&format!("  add_header Link {};\n", quoted(link)));
        }
        out.push_str("}\n");
    }
    let base = nginx_pattern(origin.path());
    out.push_str(&format!("\nlocation ~ ^{base}.*\\.html\\.md$ {{\n  types {{ }}\n"));
    out.push_str("  default_type \"text/markdown; charset=utf-8\";\n}\n");
    out
}

/// A file for `import` in Caddy's site block.
///
/// Caddy's `map` finds tag and link of a path; `header` sets them after the file server has set its own (`defer`), and
/// `respond` answers 304 before a file is opened.
#[must_use]
pub fn caddy(origin: &Url, pages: &[Page], policy: bool) -> String {
    let mut out = format!("# {HEAD}\n# In the site block: import FOLDER/.aiweb/Caddyfile\n");
    out.push_str("map {path} {tct_hash} {tct_link} {\n");
    for page in pages {
        let hash = page.twin.fingerprint();
        let canonical = text(&link_canonical(&page.c_url));
        out.push_str(&format!("\t{} {hash} `{canonical}`\n", backquoted(&decoded(page.m_url.as_url()))));
    }
    out.push_str("\tdefault \"\" \"\"\n}\nmap {path} {tct_twin} {\n");
    for page in pages {
        let alternate = text(&link_alternate(&page.m_url));
        out.push_str(&format!("\t{} `{alternate}`\n", backquoted(&decoded(page.c_url.as_url()))));
    }
    out.push_str("\tdefault \"\"\n}\n");
    out.push_str("@tct_twin expression `{tct_hash} != \"\"`\nheader @tct_twin {\n");
    out.push_str("\tETag `\"{tct_hash}\"`\n\tLink {tct_link}\n\tCache-Control no-cache\n");
    out.push_str("\tContent-Type \"application/json; charset=utf-8\"\n\tdefer\n}\n");
    out.push_str("@tct_page expression `{tct_twin} != \"\"`\nheader @tct_page {\n\t+Link {tct_twin}\n");
    for link in site_links(origin, policy) {
        out.push_str(&format!("\t+Link `{link}`\n"));
    }
    out.push_str(
        "}\n@tct_held expression `{tct_hash} != \"\" && {header.If-None-Match}.contains({tct_hash})`\n",
    );
    out.push_str("respond @tct_held 304\n");
    out.push_str(&format!("@tct_markdown path {}*.html.md\n", origin.path()));
    out.push_str("header @tct_markdown Content-Type \"text/markdown; charset=utf-8\"\n");
    out
}

/// Whether the configurations can hold this path: variables and quotes have a meaning of their own there.
#[must_use]
pub fn is_writable(path: &str) -> bool {
    !path.contains(|c: char| c.is_control() || "$`{}\"\\".contains(c))
}

/// The path as servers compare it: percent-decoded.
fn decoded(url: &Url) -> String {
    percent_encoding::percent_decode_str(url.path()).decode_utf8_lossy().into_owned()
}

/// A string of nginx's configuration. `$` would begin a variable there and cannot be escaped; no page with such a path
/// gets here ([`is_writable`]).
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A string of a Caddyfile that is taken as it is.
fn backquoted(text: &str) -> String {
    format!("`{text}`")
}

/// A path as a pattern of nginx.
fn nginx_pattern(path: &str) -> String {
    path.chars()
        .flat_map(|c| [Some('\\').filter(|_| !c.is_alphanumeric() && c != '/'), Some(c)])
        .flatten()
        .collect()
}
