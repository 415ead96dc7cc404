//! Server configuration: header fields of twins and pages, so that a plain file server sends the validators of
//! TCT.
//!
//! A twin's entity tag has to be its fingerprint, which is a hash of what the twin says. A file server makes its own tag,
//! of size and time. nginx and Caddy can be told the right one, and to answer 304 by it; hosts that read `_headers` keep
//! their own. Every twin also needs a Link field that names its page, without which agents refuse it. [`WHAT_THEY_DO`] says so to people.

use std::collections::BTreeSet;

use tct::link::{link_alternate, link_policy, link_sitemap};
use url::Url;

use super::pages::{Page, Resource, text};
use super::texts;
use super::well_known::WellKnown;

/// What each kind of server does with the files, one line each.
pub const WHAT_THEY_DO: &[(&str, &str)] = &[
    (
        "nginx",
        "`include FOLDER/.aiweb/nginx.conf;` in the server block: the sitemap's tags, 304, Link fields. Your rules for pages \
         hold; those of other locations (`auth_basic`, `deny`, `X-Robots-Tag`) do not hold for twins and Markdown: `--leave-out` \
         such pages",
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

/// A page's Markdown, where the request prefers it and the page has a twin; and the address by which the page was asked for,
/// with the name of its file. nginx adds no field whose value is empty, and escapes captures that have no name.
///
/// `WANTED` stands for [`WANTED`].
const NGINX_PAGES: &str = r#"
set $aiweb_md "";
if ($uri ~ "^(?<aiweb_stem>.+)\.html?$") { set $aiweb_md $aiweb_stem.md; }
if (-f $request_filename.md) { set $aiweb_md $uri.md; }
if (!-f $request_filename.llm.json) { set $aiweb_md ""; }
if (!-f $document_root$aiweb_md) { set $aiweb_md ""; }
set $aiweb_vary "";
if ($aiweb_md) { set $aiweb_vary Accept; }
if ($http_accept !~* "WANTED") { set $aiweb_md ""; }
if ($aiweb_md) { rewrite ^ $aiweb_md last; }
if ($request_uri ~ "^(?<aiweb_path>[^?]*)") { set $aiweb_self $aiweb_path; }
if ($uri ~ "/(?<aiweb_file>[^/]*)$") { set $aiweb_index $aiweb_path$aiweb_file; }
if ($aiweb_path ~ "/$") { set $aiweb_self $aiweb_index; }
set $aiweb_twins "";
"#;

/// An `Accept` that gives Markdown the full weight: nothing is liked better. A smaller one cannot be compared with that of HTML
/// here, so HTML is sent.
const WANTED: &str = r"(^|,)\s*text/markdown\s*(;\s*([^q,;\s][^,;]*|q=1(\.0*)?\s*))*(,|$)";

/// The `Vary` of draft -03.
const VARY: &str = "Accept-Encoding";

/// What the configurations are made from.
#[derive(Debug)]
pub struct Site<'a> {
    origin: &'a Url,
    pages: &'a [Page],
    /// Twins, and the sitemap of draft -03.
    resources: Vec<&'a Resource>,
    /// The links to sitemaps and policy that every page carries.
    links: Vec<String>,
    well_known: &'a [WellKnown],
}

impl<'a> Site<'a> {
    /// A site below `origin` with these pages. `sitemaps` are the paths of all sitemaps; `exact` is that of draft -03,
    /// whose header fields a server has to be told.
    #[must_use]
    pub fn new(
        origin: &'a Url,
        pages: &'a [Page],
        sitemaps: &[String],
        exact: Option<&'a Resource>,
        policy: bool,
    ) -> Self {
        let sitemaps = sitemaps.iter().filter_map(|path| origin.join(path).ok());
        let policy = origin.join(texts::POLICY).ok().filter(|_| policy);
        let links = sitemaps
            .map(|url| text(&link_sitemap(&url)))
            .chain(policy.map(|url| text(&link_policy(&url))))
            .collect();
        let twins = pages.iter().flat_map(|page| &page.twins).map(|twin| &twin.resource);
        Site { origin, pages, resources: twins.chain(exact).collect(), links, well_known: &[] }
    }

    /// The same with these documents at well-known places.
    #[must_use]
    pub fn with_well_known(self, well_known: &'a [WellKnown]) -> Self {
        Site { well_known, ..self }
    }

    /// `_headers`: one rule for each page (its twin's `Link`); a few rules with wildcards for the rest.
    #[must_use]
    pub fn netlify(&self) -> String {
        let base = self.origin.path();
        let mut out = format!("{base}*\n");
        for link in &self.links {
            out.push_str(&format!("  Link: {link}\n"));
        }
        for end in [".llm.json", ".m.json"] {
            let Some(twin) = self.resources.iter().find(|twin| twin.path.ends_with(end)) else { continue };
            out.push_str(&format!("{base}*{end}\n  Content-Type: {}\n", twin.media_type));
            // No digest: a host that compresses would send that of other bytes.
            out.push_str(&format!("  Cache-Control: {}\n  Vary: {VARY}\n", twin.cache_control));
        }
        out.push_str(&format!("{base}*.md\n  Content-Type: text/markdown; charset=utf-8\n"));
        for resource in &self.resources {
            out.push_str(&format!("{}\n  Link: {}\n", resource.url.path(), resource.link));
        }
        for WellKnown { path, media_type, link, .. } in self.well_known {
            out.push_str(&format!("/{path}\n  Content-Type: {media_type}\n"));
            out.extend(link.iter().map(|link| format!("  Link: {link}\n")));
        }
        out
    }

    /// A file for `include` in nginx's `server` block.
    ///
    /// `etag off` and `add_header` replace nginx's own tag; as nginx compares `If-None-Match` with its own alone, the
    /// comparison is a pattern, and finds the tag in a list, behind `W/`, and with a suffix that a cache has put there.
    #[must_use]
    pub fn nginx(&self) -> String {
        let mut out = format!("# {HEAD}\n# In the server block: include FOLDER/.aiweb/nginx.conf;\n");
        for resource in &self.resources {
            let Resource { fingerprint, media_type, cache_control, link, .. } = resource;
            out.push_str(&format!("\nlocation = {} {{\n  types {{ }}\n", quoted(&decoded(&resource.url))));
            out.push_str(&format!("  default_type {};\n  etag off;\n  gzip off;\n", quoted(media_type)));
            let mut add = |name: &str, value: &str| {
                out.push_str(&format!("  add_header {name} {};\n", quoted(value)));
            };
            add("ETag", &format!("\"{fingerprint}\""));
            add("Link", link);
            add("Cache-Control", cache_control);
            add("Vary", VARY);
            if let Some(digest) = &resource.digest {
                add("Content-Digest", digest);
            }
            out.push_str(&format!(
                "  if ($http_if_none_match ~ \"{fingerprint}|^\\*$\") {{ return 304; }}\n}}\n"
            ));
        }
        let paths = self.pages.iter().flat_map(Page::markdown_paths);
        for path in paths.map(|path| url_path(self.origin, &path)).collect::<BTreeSet<_>>() {
            out.push_str(&format!("location = {} {{\n  types {{ }}\n", quoted(&path)));
            out.push_str("  default_type \"text/markdown; charset=utf-8\";\n}\n");
        }
        for WellKnown { path, media_type, link, .. } in self.well_known {
            let (path, media_type) = (quoted(&format!("/{path}")), quoted(media_type));
            out.push_str(&format!("location = {path} {{\n  types {{ }}\n  default_type {media_type};\n"));
            out.extend(link.iter().map(|link| format!("  add_header Link {};\n", quoted(link))));
            out.push_str("}\n");
        }
        out + &self.nginx_pages()
    }

    /// What nginx does with pages: no location is theirs, so that the site's own rules for them hold (`auth_basic`, `allow`,
    /// `add_header`). nginx leads from a folder to its file by itself, and then comes here once more.
    fn nginx_pages(&self) -> String {
        let mut out = NGINX_PAGES.replace("WANTED", WANTED);
        let Some(page) = self.pages.iter().max_by_key(|page| page.twins.len()) else { return String::new() };
        for twin in &page.twins {
            let Some(end) = twin.resource.path.strip_prefix(&page.path) else { continue };
            let url = format!("<{}>", twin.m_url.as_url());
            let link = text(&link_alternate(&twin.m_url)).replace(&url, &format!("<$aiweb_self{end}>"));
            let twins = quoted(&format!("$aiweb_twins{link}, "));
            out.push_str(&format!("if (-f $request_filename{end}) {{ set $aiweb_twins {twins}; }}\n"));
        }
        let links = quoted(&format!("$aiweb_twins{}", self.links.join(", ")));
        out.push_str(&format!("set $aiweb_links \"\";\nif ($aiweb_twins) {{ set $aiweb_links {links}; }}\n"));
        out + "add_header Link $aiweb_links;\nadd_header Vary $aiweb_vary;\n"
    }

    /// A file for `import` in Caddy's site block.
    ///
    /// Caddy's `map` finds what belongs to a path; `header` sets it after the file server has set its own (`defer`), and
    /// `respond` answers 304 before a file is opened.
    #[must_use]
    pub fn caddy(&self) -> String {
        let mut out = format!("# {HEAD}\n# In the site block: import FOLDER/.aiweb/Caddyfile\n");
        out.push_str("map {path} {tct_hash} {tct_link} {tct_type} {tct_cache} {tct_digest} {\n");
        for resource in &self.resources {
            let Resource { url, fingerprint, media_type, cache_control, link, digest, .. } = resource;
            let values = [link.as_str(), media_type, cache_control, digest.as_deref().unwrap_or_default()];
            let values = values.map(backquoted).join(" ");
            out.push_str(&format!("\t{} {fingerprint} {values}\n", backquoted(&decoded(url))));
        }
        out.push_str("\tdefault \"\" \"\" \"\" \"\" \"\"\n}\nmap {path} {tct_twin} {\n");
        for page in self.pages {
            let path = backquoted(&decoded(page.c_url.as_url()));
            out.push_str(&format!("\t{path} {}\n", backquoted(&alternates(page).join(", "))));
        }
        out.push_str("\tdefault \"\"\n}\nmap {path} {tct_md} {\n");
        for page in self.pages {
            let path = backquoted(&decoded(page.c_url.as_url()));
            let markdown = backquoted(&url_path(self.origin, &page.markdown_path));
            out.push_str(&format!("\t{path} {markdown}\n"));
        }
        out.push_str("\tdefault \"\"\n}\n");
        out.push_str("@tct_twin expression `{tct_hash} != \"\"`\nheader @tct_twin {\n");
        out.push_str("\tETag `\"{tct_hash}\"`\n\tLink {tct_link}\n\tCache-Control {tct_cache}\n");
        out.push_str(&format!("\tContent-Type {{tct_type}}\n\tVary {VARY}\n\tdefer\n}}\n"));
        out.push_str("@tct_exact expression `{tct_digest} != \"\"`\nheader @tct_exact {\n");
        out.push_str("\tContent-Digest {tct_digest}\n\tdefer\n}\n");
        out.push_str("@tct_page expression `{tct_twin} != \"\"`\nheader @tct_page {\n\t+Link {tct_twin}\n");
        for link in &self.links {
            out.push_str(&format!("\t+Link `{link}`\n"));
        }
        out.push_str(
            "}\n@tct_held expression `{tct_hash} != \"\" && {header.If-None-Match}.contains({tct_hash})`\n",
        );
        out.push_str("respond @tct_held 304\n");
        for (index, WellKnown { path, media_type, link, .. }) in self.well_known.iter().enumerate() {
            let media_type = backquoted(media_type);
            out.push_str(&format!("@well_known{index} path /{path}\nheader @well_known{index} {{\n"));
            out.push_str(&format!("\tContent-Type {media_type}\n"));
            out.extend(link.iter().map(|link| format!("\tLink {}\n", backquoted(link))));
            out.push_str("\tdefer\n}\n");
        }
        out.push_str("@tct_negotiated expression `{tct_md} != \"\"`\nheader @tct_negotiated +Vary Accept\n");
        out.push_str("@tct_wanted {\n\texpression `{tct_md} != \"\"`\n");
        out.push_str(&format!("\theader_regexp Accept {}\n}}\n", backquoted(&format!("(?i){WANTED}"))));
        out.push_str("header @tct_wanted {\n\tContent-Type \"text/markdown; charset=utf-8\"\n\tdefer\n}\n");
        out.push_str("rewrite @tct_wanted {tct_md}\n");
        out.push_str(&format!("@tct_markdown path {}*.md\n", self.origin.path()));
        out.push_str("header @tct_markdown Content-Type \"text/markdown; charset=utf-8\"\n");
        out
    }
}

/// The links from a page to its twins.
fn alternates(page: &Page) -> Vec<String> {
    page.twins.iter().map(|twin| text(&link_alternate(&twin.m_url))).collect()
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

/// The path of a file below the origin, as servers compare it.
fn url_path(origin: &Url, file: &str) -> String {
    format!("{}{file}", percent_encoding::percent_decode_str(origin.path()).decode_utf8_lossy())
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
