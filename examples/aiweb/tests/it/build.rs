//! `aiweb build` on a small site in mdBook's shape, behind nginx and Caddy where they are installed, and on the Rust book
//! that a toolchain ships.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way, and uses files, processes and sockets"
)]

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tct::held::ContentHash;
use tct::open::Expected;
use tct::sitemap::Sitemap;
use tct::v03::{BodyLimits, Revision};
use tct::{CUrl, OpenPolicy, SitemapReader};
use url::Url;

const ORIGIN: &str = "https://book.example/guide/";

/// A page as mdBook writes it: furniture around `<main>`.
fn page(title: &str, robots: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE HTML>\n<html lang=\"en\" class=\"light\">\n<head><meta charset=\"UTF-8\"><title>{title} - The Guide</title>\n\
         {robots}<meta name=\"description\" content=\"\"></head>\n<body><nav id=\"sidebar\"><ol><li><a href=\"brew.html\">Brewing</a></li></ol></nav>\n\
         <div class=\"page\"><main>{body}</main></div><script>var x = 1;</script></body></html>\n"
    )
}

/// The small site below `folder/guide`.
pub(crate) fn small_site(folder: &Path) -> PathBuf {
    let site = folder.join("guide");
    std::fs::create_dir_all(site.join("pots")).unwrap();
    let noindex = "<meta name=\"robots\" content=\"noindex\">";
    for (path, text) in [
        (
            "index.html",
            page(
                "Introduction",
                "",
                "<h1 id=\"intro\"><a class=\"header\" href=\"#intro\">Introduction</a></h1><p>Two kinds of tea.</p>",
            ),
        ),
        (
            "brew.html",
            page(
                "Brewing",
                "",
                "<h1>Brewing</h1><p>Take <a href=\"pots/index.html\">a pot</a>.</p><pre><code class=\"language-rust\">fn main() { let x = Vec::&lt;u8&gt;::new(); }</code></pre>",
            ),
        ),
        ("pots/index.html", page("Pots", "", "<h1>Pots</h1><p>Clay, or caf\u{e9} glass.</p>")),
        ("print.html", page("All", noindex, "<h1>Everything</h1><p>Again.</p>")),
        ("404.html", page("Not found", "", "<p>Gone.</p>")),
    ] {
        std::fs::write(site.join(path), text).unwrap();
    }
    std::fs::write(site.join("book.js"), "var x = 1;").unwrap();
    site
}

pub(crate) fn build(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let output =
        Command::new(env!("CARGO_BIN_EXE_aiweb")).arg("build").arg(folder).args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{errors}");
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn read(path: PathBuf) -> String {
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Reads the sitemap, and opens every twin of it as a strict agent does that gets the tag of the sitemap.
fn check(site: &Path, origin: &str) -> usize {
    let url = Url::parse(origin).unwrap().join("llm-sitemap.json").unwrap();
    let mut sitemap = Sitemap::new();
    let report = sitemap
        .read(&std::fs::read(site.join("llm-sitemap.json")).unwrap(), SitemapReader::new(&url))
        .unwrap();
    assert!(report.skipped.is_empty() && report.broken.is_none(), "{report:?}");
    for listed in sitemap.pages() {
        let twin = Url::parse(&listed.m_url).unwrap();
        let path = listed.m_url.strip_prefix(origin).unwrap();
        // The twin of a folder's page has the name of its file.
        let body = std::fs::read(site.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        let (hash, page) = (ContentHash::from(listed.hash.unwrap()), CUrl::parse(&listed.c_url).unwrap());
        let response = http::Response::builder()
            .header("content-type", "application/json; charset=utf-8")
            .header("etag", format!("\"{hash}\""))
            .header("link", format!("<{page}>; rel=\"canonical\""))
            .body(body.clone())
            .unwrap();
        let expected = Expected { page: Some(&page), sitemap_hash: Some(&hash) };
        let strict = OpenPolicy::strict();
        let opened = tct::open::open_response(&twin, &response, &expected, &strict);
        assert!(opened.is_accepted(), "{path}: {:?}", opened.problems());
        // A host that reads `_headers`: its own tag, our link. Then one that reads nothing.
        let host =
            http::Response::builder().header("content-type", "application/json").header("etag", "\"5f-6a\"");
        let linked = host.header("link", format!("<{page}>; rel=\"canonical\"")).body(body.clone()).unwrap();
        assert!(tct::open::open_response(&twin, &linked, &expected, &OpenPolicy::default()).is_accepted());
        assert!(!tct::open::open_response(&twin, &linked, &expected, &strict).is_accepted());
        let host =
            http::Response::builder().header("content-type", "application/json").header("etag", "\"5f-6a\"");
        let opened =
            tct::open::open_response(&twin, &host.body(body).unwrap(), &expected, &OpenPolicy::default());
        let codes: Vec<_> = opened.codes().collect();
        assert!(codes.contains(&"canonical-missing") && !opened.is_accepted(), "{codes:?}");
    }
    sitemap.pages().len()
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_named_and_not_followed() {
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    for (target, name) in [("/etc/passwd", "secret.html"), ("..", "up"), ("/etc/passwd", "picture.png")] {
        std::os::unix::fs::symlink(target, site.join(name)).unwrap();
    }
    let said = build(&site, &["--origin", "https://book.example/"]);
    let left: Vec<&str> = said.iter().filter_map(|line| line["left_out"].as_str()).collect();
    assert_eq!(left, ["404.html", "print.html", "secret.html", "up"]);
}

/// What a page is called does not change how it is spoken of: `.htm` is a page's name too, and no name writes lines or moves
/// the cursor.
#[cfg(unix)]
#[test]
fn names_of_pages_are_told_in_one_line_each() {
    use std::os::unix::ffi::OsStrExt as _;
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    let text = page("Kettles", "", "<h1>Kettles</h1><p>Copper, or enamel.</p>");
    let odd: [&[u8]; 5] =
        [b"kettles.htm", b"CUPS.HTM", b"two\nlines.html", b"\x1b[31mred.html", b"pots/\xff.html"];
    for name in odd {
        std::fs::write(site.join(std::ffi::OsStr::from_bytes(name)), &text).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_aiweb"));
    let output =
        command.arg("build").arg(&site).args(["--origin", ORIGIN, "--format", "text"]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let left: Vec<&str> = said.lines().filter(|line| line.starts_with("left out")).collect();
    let names = [
        "\u{fffd}[31mred.html",
        "404.html",
        "CUPS.HTM",
        "pots/\u{fffd}.html",
        "print.html",
        "two\u{fffd}lines.html",
    ];
    let mut told: Vec<_> = left.iter().filter_map(|line| line.split(": ").nth(1)).collect();
    told.sort_unstable();
    let mut names = names.to_vec();
    names.sort_unstable();
    assert_eq!(told, names, "{said}");
    assert!(!said.contains("merged"), "{said}");
    assert!(!said.contains('\u{1b}') && said.contains("4 pages with links added"), "{said}");
}

#[test]
fn a_small_book_gets_everything() {
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    let said = build(
        &site,
        &["--origin", "https://book.example/guide", "--ai-train", "false", "--name", "The Guide"],
    );
    let left: Vec<&str> = said.iter().filter_map(|line| line["left_out"].as_str()).collect();
    assert_eq!(left, ["404.html", "print.html"]);
    assert_eq!(said.last().unwrap()["pages"], 3);
    assert_eq!(check(&site, ORIGIN), 3);

    let twin: Value = serde_json::from_str(&read(site.join("brew.html.llm.json"))).unwrap();
    assert_eq!(twin["canonical_url"], "https://book.example/guide/brew.html");
    let content = twin["content"].as_str().unwrap();
    assert!(content.contains("Take a pot.") && !content.contains("var x"), "{content}");
    let markdown = read(site.join("brew.html.md"));
    let begins = "> For agents: [llms.txt](https://book.example/guide/llms.txt) lists all pages as Markdown.\n\n\
                  # Brewing\n\nTake [a pot](https://book.example/guide/pots/";
    assert!(markdown.starts_with(begins), "{markdown}");
    let html = read(site.join("brew.html"));
    let pointer = "<p hidden>For agents: <a href=\"https://book.example/guide/llms.txt\">llms.txt</a>";
    assert_eq!(html.matches(pointer).count(), 1, "{html}");
    assert!(markdown.contains("```rust\nfn main() { let x = Vec::<u8>::new(); }"), "{markdown}");
    let list = read(site.join("llms.txt"));
    assert!(
        list.starts_with("# The Guide\n\n> All pages of The Guide, as Markdown.\n\n## Pages\n\n- ["),
        "{list}"
    );
    assert!(list.contains("(https://book.example/guide/pots/index.html.md)"), "{list}");
    let all = read(site.join("llms-full.txt"));
    assert!(all.contains("Source: https://book.example/guide/pots/\n") && all.contains("Clay"), "{all}");
    let (policy, faults) =
        tct::PolicyDescriptor::parse(read(site.join("llm-policy.json")).as_bytes()).unwrap();
    assert!(faults.is_empty() && policy.ai_train == tct::Permission::Denied);
    let headers = read(site.join("_headers"));
    assert!(headers.contains("/guide/*.llm.json\n  Content-Type: application/json"), "{headers}");
    assert!(
        headers.contains(
            "/guide/pots/index.html.llm.json\n  Link: <https://book.example/guide/pots/>; rel=\"canonical\""
        ),
        "{headers}"
    );
    assert!(
        headers.contains("</guide/llm-sitemap.json>")
            || headers.contains("https://book.example/guide/llm-sitemap.json"),
        "{headers}"
    );
}

#[test]
fn the_next_build_changes_what_changed_alone() {
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    build(&site, &["--origin", ORIGIN]);
    let twins = |name: &str| read(site.join(name));
    let (brew, pots) = (twins("brew.html.llm.json"), twins("pots/index.html.llm.json"));
    // New furniture is not news, a new sentence is, and a page that is gone takes its files with it.
    let html = read(site.join("brew.html")).replace("<nav", "<nav class=new");
    std::fs::write(site.join("brew.html"), html).unwrap();
    let html = read(site.join("pots/index.html")).replace("Clay", "Iron");
    std::fs::write(site.join("pots/index.html"), html).unwrap();
    std::fs::write(site.join("extra.html"), page("Extra", "", "<p>More.</p>")).unwrap();
    build(&site, &["--origin", ORIGIN]);
    assert_eq!(twins("brew.html.llm.json"), brew);
    assert_ne!(twins("pots/index.html.llm.json"), pots);
    assert_eq!(check(&site, ORIGIN), 4);
    std::fs::remove_file(site.join("extra.html")).unwrap();
    std::fs::write(site.join("mine.llm.json"), "{}").unwrap();
    let said = build(&site, &["--origin", ORIGIN]);
    assert_eq!(said.last().unwrap()["removed"], 3, "twin, and Markdown at two addresses");
    assert!(!site.join("extra.html.llm.json").exists() && site.join("mine.llm.json").exists());
    assert!(!site.join("llm-policy.json").exists(), "nothing was stated");
}

/// An API that the folder describes, and the keys of a bot: documents at well-known places, with their media types.
#[test]
fn an_api_and_a_bot_are_published() {
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    let (public, private) = (dir.path().join("public.json"), dir.path().join("private.json"));
    let key = r#"{"kty":"OKP","crv":"Ed25519","x":"rwLS_EBmrY4ma2IcmokS9CL_G4qeTLgPzwsBbo3bZZM""#;
    std::fs::write(&public, format!(r#"{{"keys":[{key}}}]}}"#)).unwrap();
    let secret = "gCGu0Uo3C7a-zOK-ygs0nxttQ6KA7Le6yFRqD5JnR6w";
    std::fs::write(&private, format!(r#"{{"keys":[{key},"d":"{secret}"}}]}}"#)).unwrap();
    let arguments = |keys: &Path| {
        let keys = keys.display().to_string();
        ["--origin".to_owned(), "https://book.example/".to_owned(), "--bot-keys".to_owned(), keys]
    };
    let refused = |keys: &Path| {
        let output = Command::new(env!("CARGO_BIN_EXE_aiweb"))
            .arg("build")
            .arg(&site)
            .args(arguments(keys))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let said = refused(&private);
    assert!(said.contains("private") && !said.contains(secret), "{said}");
    // What `aiweb keygen` makes is for manifests: no site takes a key of that name from a directory.
    let named = dir.path().join("named.json");
    std::fs::write(&named, format!(r#"{{"keys":[{key},"kid":"https://book.example/key.json"}}]}}"#)).unwrap();
    let said = refused(&named);
    assert!(said.contains("kid"), "{said}");
    let places = [".well-known/api-catalog", ".well-known/http-message-signatures-directory"];
    assert!(places.iter().all(|place| !site.join(place).exists()));

    std::fs::write(site.join("openapi.json"), "{}").unwrap();
    let [a, b, c, d] = arguments(&public);
    build(&site, &[&a, &b, &c, &d]);
    let catalog: Value = serde_json::from_str(&read(site.join(places[0]))).unwrap();
    assert_eq!(catalog["linkset"][0]["service-desc"][0]["href"], "https://book.example/openapi.json");
    assert_eq!(read(site.join(places[1])), read(public));
    let report = audit::folder::report(
        &site,
        &Url::parse("https://book.example/").unwrap(),
        audit::readiness::Profile::All,
        5,
    );
    let checks = report.unwrap().readiness.unwrap().checks;
    for id in ["READY-API-1", "READY-API-4", "READY-WBA-1", "READY-WBA-3"] {
        let verdict =
            checks.iter().find(|found| found.check.row.id() == id).map(|found| found.check.verdict.name());
        assert_eq!(verdict, Some("pass"), "{id}");
    }
    for file in ["_headers", ".aiweb/nginx.conf", ".aiweb/Caddyfile"] {
        let text = read(site.join(file));
        for part in
            ["application/linkset+json; profile=", "http-message-signatures-directory+json", "api-catalog"]
        {
            assert!(text.contains(part), "{file}: {part}");
        }
    }
    // Below a path, the places are somebody else's.
    build(&site, &["--origin", ORIGIN]);
    assert!(places.iter().all(|place| !site.join(place).exists()));
}

/// Draft -03 alone has the usual addresses, beside the drafts before its own.
#[test]
fn twins_of_draft_03() {
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    for (draft, sitemap, end) in
        [("03", "llm-sitemap.json", ".llm.json"), ("both", "m-sitemap.json", ".m.json")]
    {
        build(&site, &["--origin", ORIGIN, "--tct", draft]);
        let body = std::fs::read(site.join(sitemap)).unwrap();
        let url = Url::parse(ORIGIN).unwrap().join(sitemap).unwrap();
        let checked = tct::v03::check_sitemap(&body, Some(&url), &BodyLimits::default()).unwrap();
        assert!(checked.is_valid() && checked.is_canonical(), "{:?}", checked.findings());
        assert_eq!(checked.items().len(), 3, "{draft}");
        for item in checked.items() {
            let path = item.m_url.strip_prefix(ORIGIN).unwrap();
            assert!(path.ends_with(end), "{path}");
            let document =
                tct::v03::check_document(&std::fs::read(site.join(path)).unwrap(), &BodyLimits::default())
                    .unwrap();
            assert!(document.is_valid() && document.is_canonical(), "{path}: {:?}", document.findings());
            assert_eq!(item.hash, Some(document.tag().fingerprint()), "{path}");
        }
        let twin: Value = serde_json::from_str(&read(site.join(format!("brew.html{end}")))).unwrap();
        assert_eq!(twin["content_media_type"], "text/markdown; charset=utf-8");
        assert!(twin["content"].as_str().unwrap().contains("```rust\nfn main()"), "{twin}");
    }
    assert_eq!(check(&site, ORIGIN), 3, "the drafts before are there too");
    let said = build(&site, &["--origin", ORIGIN]);
    assert_eq!(said.last().unwrap()["removed"], 4, "three twins and a sitemap");
    assert!(!site.join("m-sitemap.json").exists());
}

#[test]
fn pages_are_linked_once_unless_told_not_to() {
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    let before = read(site.join("brew.html"));
    build(&site, &["--origin", ORIGIN, "--no-link-pages"]);
    assert_eq!(read(site.join("brew.html")), before);
    let time = || std::fs::metadata(site.join("brew.html")).unwrap().modified().unwrap();
    let changed = time();
    assert_eq!(build(&site, &["--origin", ORIGIN]).last().unwrap()["linked"], 3);
    assert_eq!(time(), changed, "a link is no news");
    let html = read(site.join("brew.html"));
    let url = Url::parse("https://book.example/guide/brew.html").unwrap();
    let found = tct::discover(&url, &http::HeaderMap::new(), html.as_bytes());
    assert_eq!(found.m_urls[0].as_str(), "https://book.example/guide/brew.html.llm.json");
    assert_eq!(found.sitemaps[0].as_str(), "https://book.example/guide/llm-sitemap.json");
    assert_eq!(build(&site, &["--origin", ORIGIN]).last().unwrap()["linked"], 0);
    assert_eq!(read(site.join("brew.html")), html);
}

/// Generators name pages by their titles, and a twin's name is longer than its page's.
#[test]
fn a_page_with_a_long_name_stops_no_build() {
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    let (fits, too_long) = (format!("{}.html", "чай".repeat(37)), format!("{}.html", "чай".repeat(40)));
    for page in [&fits, &too_long] {
        std::fs::write(site.join(page), "<body><main>Tea.</main>").unwrap();
    }
    let said = build(&site, &["--origin", ORIGIN]);
    let left_out: Vec<_> = said.iter().filter(|line| line["left_out"] == *too_long).collect();
    assert!(left_out.len() == 1 && left_out[0]["why"].to_string().contains("255"), "{said:?}");
    assert_eq!(said.last().unwrap()["pages"], 4);
    assert!(site.join(format!("{fits}.llm.json")).exists());
    assert_eq!(read(site.join(&too_long)), "<body><main>Tea.</main>");
}

/// Pages that may not be written, as tools for versions and packages leave them, are replaced like others, with their time and
/// their permissions. (Who runs the tests as root may write them all the same.)
#[cfg(unix)]
#[test]
fn pages_that_are_read_only_are_linked_in_one_build() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    let facts = || std::fs::metadata(site.join("brew.html")).unwrap();
    let before = facts().modified().unwrap();
    for page in ["brew.html", "index.html", "pots/index.html"] {
        std::fs::set_permissions(site.join(page), std::fs::Permissions::from_mode(0o444)).unwrap();
    }
    assert_eq!(build(&site, &["--origin", ORIGIN]).last().unwrap()["linked"], 3);
    assert_eq!((facts().permissions().mode() & 0o777, facts().modified().unwrap()), (0o444, before));
    assert!(!site.join(".aiweb/writing").exists());
}

/// A build for another address, and one that leaves a page out, take the earlier one's links out of the pages.
#[test]
fn links_of_an_earlier_build_do_not_stay() {
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    let before = read(site.join("brew.html"));
    let odd = ["a tea.html", "milk & tea.html"];
    for page in odd {
        std::fs::write(site.join(page), "<body><main>Tea.</main>").unwrap();
    }
    build(&site, &["--origin", "https://staging.example/", "--tct", "both"]);
    assert_eq!(build(&site, &["--origin", ORIGIN]).last().unwrap()["linked"], 5);
    for page in ["brew.html", "index.html", "pots/index.html"].into_iter().chain(odd) {
        let html = read(site.join(page));
        assert!(!html.contains("staging") && !html.contains(".m.json"), "{html}");
        for once in [".llm.json", "llm-sitemap.json", "llms.txt</a>"] {
            assert_eq!(html.matches(once).count(), 1, "{once}: {html}");
        }
    }
    let said = build(&site, &["--origin", ORIGIN, "--leave-out", "brew.html"]);
    let unlinked: Vec<_> = said.iter().filter(|line| line["change"] == "unlinked").collect();
    assert!(unlinked.len() == 1 && unlinked[0]["path"] == "brew.html", "{said:?}");
    assert_eq!(read(site.join("brew.html")), before);
}

#[test]
fn a_page_that_gets_no_links_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    std::fs::write(site.join("latin.html"), b"<meta charset=iso-8859-1><main>Th\xe9</main>").unwrap();
    let names = |href: &str| {
        format!("<head><link rel='alternate' type='application/json' href='{href}'></head><main>Tea</main>")
    };
    std::fs::write(site.join("wordpress.html"), names("/wp-json/wp/v2/pages/2")).unwrap();
    std::fs::write(site.join("plugin.html"), names("/plugin/llm/")).unwrap();
    let said = build(&site, &["--origin", ORIGIN]);
    let why =
        |page: &str| said.iter().find(|line| line["not_linked"] == page).map(|line| line["why"].to_string());
    assert!(why("latin.html").unwrap().contains("UTF-8"));
    assert!(why("plugin.html").unwrap().contains("a twin already"));
    assert!(read(site.join("wordpress.html")).contains("wordpress.html.llm.json"));
    let linked = said.last().unwrap()["linked"].as_u64();
    assert_eq!((why("brew.html"), why("wordpress.html"), linked), (None, None, Some(4)));
}

/// A list of files that leads out of the folder, or names files that have changed since, is not obeyed.
#[test]
fn nothing_of_others_is_removed() {
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    let outside = dir.path().join("victim.html.llm.json");
    std::fs::write(&outside, "x").unwrap();
    std::fs::create_dir(site.join(".aiweb")).unwrap();
    let hash = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"; // of `x`
    let other = "0".repeat(64);
    let list = format!("{hash}  ../victim.html.llm.json\n{hash}  {}\n{other}  book.js\n", outside.display());
    std::fs::write(site.join(".aiweb/written"), list).unwrap();
    let said = build(&site, &["--origin", ORIGIN]);
    assert!(outside.exists() && site.join("book.js").exists());
    assert!(said.iter().any(|line| line["path"] == "book.js" && line["change"] == "left"), "{said:?}");
}

/// What a person wrote stays, byte for byte; what the build adds to it stands between marks.
#[test]
fn files_of_the_reader_stay() {
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    let headers = "/*\n  Content-Security-Policy: default-src 'self'\n";
    let mine = [
        ("llms.txt", "# Written by hand\n"),
        ("brew.html.md", "mine"),
        ("robots.txt", "User-agent: *\nDisallow: /private/\n"),
        ("_headers", headers),
    ];
    for (path, text) in mine {
        std::fs::write(site.join(path), text).unwrap();
    }
    for _ in 0..2 {
        let said = build(&site, &["--origin", "https://book.example/"]);
        let left: Vec<&str> = said
            .iter()
            .filter(|line| line["change"] == "left")
            .map(|line| line["path"].as_str().unwrap())
            .collect();
        assert_eq!(left, ["brew.html.md", "llms.txt"], "{said:?}");
        for (path, text) in mine {
            let now = read(site.join(path));
            assert!(now.starts_with(text), "{path}: {now}");
            assert_eq!(now == text, !matches!(path, "robots.txt" | "_headers"), "{path}: {now}");
        }
        let robots = read(site.join("robots.txt"));
        assert_eq!(robots.matches("Sitemap: https://book.example/llm-sitemap.json\n").count(), 1, "{robots}");
        assert_eq!(read(site.join("_headers")).matches("rel=\"index\"").count(), 1);
    }
}

/// A twin that somebody else wrote stops the build before it has written anything: the sitemap would vouch for it.
#[test]
fn a_twin_of_others_stops_the_build() {
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    build(&site, &["--origin", ORIGIN]);
    std::fs::write(site.join("brew.html.llm.json"), "{}").unwrap();
    let html = read(site.join("index.html")).replace("Two kinds", "Three kinds");
    std::fs::write(site.join("index.html"), html).unwrap();
    let before = read(site.join("llm-sitemap.json"));
    let output = Command::new(env!("CARGO_BIN_EXE_aiweb"))
        .arg("build")
        .arg(&site)
        .args(["--origin", ORIGIN])
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("brew.html.llm.json") && error.contains("nothing was written"), "{error}");
    assert_eq!(read(site.join("llm-sitemap.json")), before);
    std::fs::remove_file(site.join("brew.html.llm.json")).unwrap();
    build(&site, &["--origin", ORIGIN]);
    assert_ne!(read(site.join("llm-sitemap.json")), before);
}

/// Every file below a folder.
fn files_below(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(below) = folders.pop() {
        for entry in std::fs::read_dir(below).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.strip_prefix(folder).unwrap().to_owned(), std::fs::read(path).unwrap());
            }
        }
    }
    files
}

/// Sites with names and titles of odd signs, made from seeds: a build changes nothing where nothing has changed, one for another
/// address leaves no trace once its successor has run, and llms.txt leads to a file for each page of the sitemap.
#[test]
fn what_a_build_makes_does_not_depend_on_those_before() {
    const SIGNS: [&str; 28] = [
        "a", "b", "é", "日", " ", "&", "%", "%41", "+", "#", "?", "(", ")", "'", ";", "=", ",", "~", "!",
        "@", "<", "*", ":", ".", "[", "]", "|", "^",
    ];
    const TITLES: [&str; 9] =
        ["Tea", "Vec<u8>", "a\\", "`code", "[x](y)", "", "milk & tea", "<!-- x", "日本"];
    for seed in 0..40_u64 {
        let mut state = seed;
        // SplitMix64.
        let mut below = |most: usize| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            usize::try_from((mixed ^ mixed >> 31) % most as u64).unwrap()
        };
        let dir = tempfile::tempdir().unwrap();
        let site = dir.path();
        // Names with a dot in front are passed over, this one is not.
        std::fs::write(site.join("tea.html"), page("Tea", "", "<h1>Tea</h1><p>Of China.</p>")).unwrap();
        for number in 0..=below(6) {
            let mut name = || (0..=below(4)).map(|_| SIGNS[below(SIGNS.len())]).collect::<String>();
            let (folder, file) = (format!("in{}", name()), format!("{}{number}", name()));
            let (folder, file) = match below(5) {
                0 => (String::new(), "index.html".to_owned()),
                1 => (folder, ["index.html", "index.htm"][below(2)].to_owned()),
                2 => (folder, format!("{file}.html")),
                _ => (String::new(), format!("{file}.html")),
            };
            let title = TITLES[below(TITLES.len())].replace('&', "&amp;").replace('<', "&lt;");
            std::fs::create_dir_all(site.join(&folder)).unwrap();
            let text = page(&title, "", &format!("<h1>{title}</h1><p>Two cups of tea number {number}."));
            std::fs::write(site.join(folder).join(file), text).unwrap();
        }
        let revision = ["00", "both", "03"][below(3)];
        let build_for = |origin: &str| build(site, &["--origin", origin, "--tct", revision]);
        build_for(ORIGIN);
        let first = files_below(site);
        let again = build_for(ORIGIN);
        let changes =
            ["new", "changed", "removed", "linked"].map(|member| again.last().unwrap()[member].clone());
        assert_eq!(changes, [0, 0, 0, 0], "seed {seed}");

        build_for("https://staging.example/guide/");
        for (path, bytes) in files_below(site) {
            let text = String::from_utf8_lossy(&bytes);
            assert!(!text.contains("book.example"), "seed {seed}: {}", path.display());
        }
        build_for(ORIGIN);
        let last = files_below(site);
        let unlike: Vec<_> =
            first.keys().chain(last.keys()).filter(|path| first.get(*path) != last.get(*path)).collect();
        assert!(unlike.is_empty(), "seed {seed}: {unlike:?}");

        let list = ["llm-sitemap.json", "m-sitemap.json"].map(|name| site.join(name));
        let list = list.iter().find(|list| list.exists()).unwrap();
        let sitemap: Value = serde_json::from_str(&read(list.clone())).unwrap();
        let lines = read(site.join("llms.txt"));
        let lines: Vec<&str> = lines.lines().filter(|line| line.starts_with("- ")).collect();
        assert_eq!(Some(lines.len()), sitemap["items"].as_array().map(Vec::len), "seed {seed}: {lines:?}");
        for line in lines {
            let address =
                line.rsplit_once("](").and_then(|(_, rest)| rest.split_once(')')).map(|(url, _)| url);
            let url =
                address.and_then(|url| Url::parse(url).ok()).unwrap_or_else(|| panic!("seed {seed}: {line}"));
            let path = percent_encoding::percent_decode_str(url.path()).decode_utf8_lossy();
            let file = path.strip_prefix("/guide/").map(|path| site.join(path));
            assert!(file.is_some_and(|file| file.is_file()), "seed {seed}: {line}");
        }
    }
}

/// Draft -03 lists addresses by the grammar of RFC 3986; the earlier ones list what the URL Standard writes.
#[test]
fn pages_with_brackets_in_their_names_are_listed() {
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    let name = "[slug]|a^b.html";
    std::fs::write(site.join(name), page("Slug", "", "<h1>Slug</h1><p>Tea of any kind.</p>")).unwrap();
    let said = build(&site, &["--origin", ORIGIN, "--tct", "both"]);
    assert_eq!(said.last().unwrap()["pages"], 4, "{said:?}");
    let url = Url::parse(ORIGIN).unwrap().join("m-sitemap.json").unwrap();
    let body = std::fs::read(site.join("m-sitemap.json")).unwrap();
    let checked = tct::v03::check_sitemap(&body, Some(&url), &BodyLimits::default()).unwrap();
    assert!(checked.is_valid(), "{:?}", checked.findings());
    let uri = format!("{ORIGIN}%5Bslug%5D%7Ca%5Eb.html");
    let listed: Vec<_> = checked.items().iter().filter(|item| item.c_url == uri.as_str()).collect();
    assert_eq!(listed.len(), 1, "{:?}", checked.items());
    assert_eq!(listed[0].m_url, format!("{uri}.m.json"));
    let twin = std::fs::read(site.join(format!("{name}.m.json"))).unwrap();
    let document = tct::v03::check_document(&twin, &BodyLimits::default()).unwrap();
    assert!(document.is_valid() && read(site.join(format!("{name}.m.json"))).contains(&uri));
    assert_eq!(check(&site, ORIGIN), 4);
    assert!(read(site.join(name)).contains(&format!("{uri}.m.json")));
    build(&site, &["--origin", ORIGIN]);
    assert!(!read(site.join(name)).contains(".m.json"));
}

/// Below a path, robots.txt is somebody else's: nothing of a build for the root of a host stays there.
#[test]
fn lines_of_a_root_build_leave_robots_txt() {
    let mine = "User-agent: *\nDisallow: /private/\n";
    for (before, own, behind) in [("", "", ""), (mine, mine, ""), (mine, mine, "Allow: /tea/\n")] {
        let dir = tempfile::tempdir().unwrap();
        let site = small_site(dir.path());
        let robots = site.join("robots.txt");
        if !before.is_empty() {
            std::fs::write(&robots, before).unwrap();
        }
        build(&site, &["--origin", "https://book.example/"]);
        let built = read(robots.clone());
        assert!(built.contains("Sitemap: https://book.example/llm-sitemap.json"), "{built}");
        std::fs::write(&robots, built + behind).unwrap();
        let said = build(&site, &["--origin", ORIGIN]);
        let told = said.iter().find(|line| line["path"] == "robots.txt").map(|line| &line["change"]);
        if own.is_empty() {
            assert!(!robots.exists(), "{said:?}");
        } else {
            let left: String = read(robots)
                .lines()
                .filter(|line| !line.is_empty())
                .map(|line| format!("{line}\n"))
                .collect();
            assert_eq!((left, told), (format!("{own}{behind}"), Some(&"unlinked".into())));
        }
    }
}

/// Two builds at once would write into each other's files. A lock that a killed build held is free.
#[cfg(unix)]
#[test]
fn one_build_at_a_time_is_at_work_in_a_folder() {
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    let before = files_below(&site);
    let other = std::fs::File::open(&site).unwrap();
    other.lock().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_aiweb"))
        .arg("build")
        .arg(&site)
        .args(["--origin", ORIGIN])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("another `aiweb build` is at work") && said.lines().count() == 1, "{said}");
    assert_eq!(files_below(&site), before);
    drop(other);
    let child = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aiweb"));
        command.arg("build").arg(&site).args(["--origin", ORIGIN, "--tct", "both"]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let mut killed = child();
    killed.kill().unwrap();
    killed.wait().unwrap();
    // However many there are, the folder is as one of them leaves it.
    let mut children: Vec<_> = (0..6).map(|_| child()).collect();
    let built = children.iter_mut().filter_map(|child| child.wait().unwrap().code()).collect::<Vec<_>>();
    assert!(built.contains(&0) && built.iter().all(|code| matches!(code, 0 | 2)), "{built:?}");
    let left = files_below(&site);
    build(&site, &["--origin", ORIGIN, "--tct", "both"]);
    assert_eq!(files_below(&site), left);
    assert!(left.keys().all(|path| !path.to_string_lossy().contains("aiweb-new")), "{:?}", left.keys());
}

/// Wherever a build ends, the next one makes what it would have made: no page names a twin that is gone, and no half of a
/// file stays.
#[test]
fn a_build_that_was_killed_is_finished_by_the_next() {
    let dir = tempfile::tempdir().unwrap();
    let before = small_site(dir.path());
    build(&before, &["--origin", ORIGIN]);
    // One page is to be read by no model any more, one has another text, one is new, one is gone.
    let denied = read(before.join("brew.html")).replace("<title>", "<meta name=robots content=noai><title>");
    std::fs::write(before.join("brew.html"), denied).unwrap();
    let changed = read(before.join("index.html")).replace("Two kinds", "Three kinds");
    std::fs::write(before.join("index.html"), changed).unwrap();
    std::fs::write(before.join("tea.html"), page("Tea", "", "<h1>Tea</h1><p>Of China.</p>")).unwrap();
    std::fs::remove_file(before.join("pots/index.html")).unwrap();

    let copy = |name: &str| {
        let to = dir.path().join(name);
        for (path, bytes) in files_below(&before) {
            std::fs::create_dir_all(to.join(&path).parent().unwrap()).unwrap();
            let time = std::fs::metadata(before.join(&path)).unwrap().modified().unwrap();
            std::fs::write(to.join(&path), bytes).unwrap();
            std::fs::File::options().append(true).open(to.join(path)).unwrap().set_modified(time).unwrap();
        }
        to
    };
    let whole = copy("whole");
    build(&whole, &["--origin", ORIGIN]);
    let (there, wanted) = (files_below(&before), files_below(&whole));
    let written: Vec<_> = wanted.iter().filter(|(path, bytes)| there.get(*path) != Some(bytes)).collect();
    assert!(written.len() > 8, "{written:?}");
    for (n, (path, _)) in written.into_iter().enumerate() {
        let site = copy(&format!("{n}"));
        let beside = site.join(format!("{}.aiweb-new", path.display()));
        // It ends at this file, and what it would have left of it stays.
        std::fs::create_dir_all(&beside).unwrap();
        let ended = Command::new(env!("CARGO_BIN_EXE_aiweb"))
            .args(["build", site.to_str().unwrap(), "--origin", ORIGIN])
            .output()
            .unwrap();
        assert_eq!(ended.status.code(), Some(2), "{}", path.display());
        std::fs::remove_dir(&beside).unwrap();
        std::fs::write(&beside, "half").unwrap();
        build(&site, &["--origin", ORIGIN]);
        let found = files_below(&site);
        let unlike: Vec<_> =
            wanted.keys().chain(found.keys()).filter(|path| wanted.get(*path) != found.get(*path)).collect();
        assert!(unlike.is_empty(), "ended at {}: {unlike:?}", path.display());
    }
}

#[test]
fn a_dry_run_writes_nothing_and_says_all() {
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    let files = |folder: &Path| {
        let mut names: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = (files(&site), read(site.join("brew.html")));
    let said = build(&site, &["--origin", ORIGIN, "--dry-run"]);
    assert_eq!((files(&site), read(site.join("brew.html"))), before);
    let told = |path: &str| said.iter().find(|line| line["path"] == path).map(|line| line["change"].clone());
    assert_eq!(told("llm-sitemap.json"), Some("new".into()));
    assert_eq!(told("brew.html"), Some("merged".into()));
    build(&site, &["--origin", ORIGIN]);
    assert!(files(&site).iter().all(|name| !name.to_string_lossy().contains("aiweb-new")));
    let said = build(&site, &["--origin", ORIGIN, "--dry-run"]);
    assert!(said.iter().all(|line| line["change"].is_null()), "{said:?}");
}

#[test]
fn what_cannot_be_built_is_said() {
    let dir = tempfile::tempdir().unwrap();
    for (arguments, expected) in [
        (vec!["--origin", ORIGIN], "expected pages"),
        (vec!["--origin", "ftp://x.example/"], "expected an http or https URL"),
        (vec![], "--origin"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_aiweb"))
            .arg("build")
            .arg(dir.path())
            .args(arguments)
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && error.contains(expected), "{error}");
    }
}

/// A server that is ended when the test is.
pub(crate) struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ended = self.0.kill();
        let _status = self.0.wait();
    }
}

pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A connection to a server that may still be starting.
pub(crate) fn wait_for(port: u16) -> TcpStream {
    let mut tries = 0;
    loop {
        match TcpStream::connect(("127.0.0.1", port)) {
            Ok(stream) => return stream,
            Err(error) if tries > 100 => panic!("{error}"),
            Err(_) => std::thread::sleep(Duration::from_millis(100)),
        }
        tries += 1;
    }
}

/// Sends a request as it is written; the whole response.
fn get(port: u16, path: &str, fields: &str) -> String {
    let mut stream = wait_for(port);
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: book.example\r\nConnection: close\r\n{fields}\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).unwrap();
    String::from_utf8_lossy(&response).into_owned()
}

/// The answer to a request as an agent gets it.
fn response(port: u16, path: &str) -> http::Response<Vec<u8>> {
    let answer = get(port, path, "");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let mut lines = head.split("\r\n");
    let status = lines.next().unwrap().split(' ').nth(1).unwrap();
    let fields = lines.filter_map(|line| line.split_once(": "));
    let builder = http::Response::builder().status(status);
    fields.fold(builder, |builder, (name, value)| builder.header(name, value)).body(body.into()).unwrap()
}

/// What a server must do with the twins of draft -03, whichever it is: a strict agent takes them, and the sitemap.
fn check_exact(port: u16, site: &Path) {
    let url = Url::parse("https://book.example/guide/brew.html.m.json").unwrap();
    let page = CUrl::parse("https://book.example/guide/brew.html").unwrap();
    let answer = response(port, url.path());
    let expected = Expected { page: Some(&page), sitemap_hash: None };
    let strict = OpenPolicy::strict().for_revision(Revision::V03);
    let opened = tct::open::open_response(&url, &answer, &expected, &strict);
    assert!(opened.is_accepted(), "{:?} {:?}", opened.problems(), answer.headers());
    let tag = answer.headers()["etag"].to_str().unwrap();
    assert!(read(site.join("m-sitemap.json")).contains(tag.trim_matches('"')), "{tag}");
    let unchanged = get(port, url.path(), &format!("If-None-Match: {tag}\r\n"));
    assert!(unchanged.starts_with("HTTP/1.1 304") && unchanged.contains(tag), "{unchanged}");
    let sitemap = response(port, "/guide/m-sitemap.json");
    let checked = tct::v03::check_sitemap(sitemap.body(), Some(&url), &BodyLimits::default()).unwrap();
    assert_eq!(sitemap.headers()["etag"], format!("\"{}\"", checked.tag().hint()));
    assert_eq!(sitemap.headers()["content-digest"], checked.tag().content_digest());
    assert_eq!(sitemap.headers()["content-type"], "application/json");
}

#[test]
fn pages_may_be_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    let said = build(&site, &["--origin", ORIGIN, "--leave-out", "/pots/", "--leave-out", "brew.html"]);
    for path in ["pots", "brew.html"] {
        assert!(said.iter().any(|line| line["left_out"] == path && line["why"] == "--leave-out"), "{said:?}");
    }
    for file in ["pots/index.html.llm.json", "pots/index.html.md", "brew.html.llm.json", "brew.md"] {
        assert!(!site.join(file).exists(), "{file}");
    }
    for file in ["llm-sitemap.json", "llms.txt", "llms-full.txt", "sitemap.xml", ".aiweb/nginx.conf"] {
        let text = read(site.join(file));
        assert!(!text.contains("pots/") && !text.contains("brew"), "{file}: {text}");
    }
}

/// Else a misspelt path would publish what somebody meant to protect.
#[test]
fn a_path_that_leaves_nothing_out_stops_the_build() {
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    std::fs::create_dir_all(site.join(".git")).unwrap();
    let run = |mode: &str, paths: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aiweb"));
        command.args(["build", mode, "--origin", ORIGIN]).arg(&site);
        let output = command.args(paths.iter().flat_map(|path| ["--leave-out", *path])).output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for path in [
        "guide/pots/",
        "./pots",
        "Pots",
        "pots/*",
        "pot",
        "pots.html",
        "pots/index",
        "",
        "/",
        "..",
        "pots/../pots",
    ] {
        let (is_built, said) = run("--no-link-pages", &["brew.html", path]);
        let named = format!("--leave-out {}: ", path.trim_matches('/'));
        assert!(
            !is_built && said.contains(&named) && said.contains("paths begin in that folder"),
            "{path}: {said}"
        );
    }
    assert!(!site.join("llms.txt").exists() && !site.join(".aiweb").exists());
    // What is met, also where nothing of it would be read.
    for paths in [
        &["pots"][..],
        &["/pots/", "brew.html"],
        &["pots//"],
        &["pots/index.html"],
        &["pots/index.html", "pots"],
        &["pots", "pots/not-there-yet.html"],
        &[".git", ".git/hooks/"],
    ] {
        let (is_built, said) = run("--dry-run", paths);
        assert!(is_built, "{paths:?}: {said}");
    }
}

/// Two pages cannot have one address: no sitemap may list it twice.
#[test]
fn a_folder_has_one_page() {
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    for path in ["index.htm", "pots/index.htm", "pots/my index.htm"] {
        std::fs::write(site.join(path), page("Old", "", "<p>Old tea.</p>")).unwrap();
    }
    for revision in ["00", "both", "03"] {
        let said = build(&site, &["--origin", ORIGIN, "--tct", revision]);
        let left: Vec<&str> = said.iter().filter_map(|line| line["left_out"].as_str()).collect();
        assert_eq!(left, ["404.html", "index.htm", "pots/index.htm", "print.html"]);
    }
}

/// With the wrong origin each page names another page as canonical.
#[test]
fn a_build_without_pages_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let canonical = "<link rel=\"canonical\" href=\"https://book.example/guide/\">";
    std::fs::write(dir.path().join("index.html"), page("One", canonical, "<p>Two cups.</p>")).unwrap();
    for (origin, expected) in [
        ("https://book.example/", "index.html is left out: its canonical URL is https://book.example/guide/"),
        ("https://me:secret@book.example/guide/", "without a user's name"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_aiweb"))
            .args(["build", "--origin", origin])
            .arg(dir.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(expected), "{said}");
        assert!(!said.contains("secret"), "{said}");
    }
}

#[test]
fn a_closed_robots_txt_stays_closed() {
    for closed in
        ["\u{feff}User-agent: *\nDisallow: /\n", "User-agent: *\rDisallow: /\r", "User-agent: *\nDisallow: /"]
    {
        let dir = tempfile::tempdir().unwrap();
        let site = small_site(dir.path());
        std::fs::write(site.join("robots.txt"), closed).unwrap();
        build(&site, &["--origin", "https://book.example/"]);
        let text = read(site.join("robots.txt"));
        assert!(text.starts_with(closed.trim_end()) && text.contains("Sitemap:"), "{text}");
        assert!(!text.contains("Allow: /"), "{text}");
    }
}

/// What a server with its file of the build must do, whichever it is.
fn check_server(port: u16, site: &Path) {
    let twin = "/guide/pots/index.html.llm.json";
    let answer = get(port, twin, "");
    let lower = answer.to_ascii_lowercase();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.ends_with(&read(site.join("pots/index.html.llm.json"))), "{answer}");
    assert!(lower.contains("content-type: application/json; charset=utf-8"), "{answer}");
    assert!(lower.contains("link: <https://book.example/guide/pots/>; rel=\"canonical\""), "{answer}");
    assert_eq!(lower.matches("etag:").count(), 1, "{answer}");
    let tag = answer.lines().find(|line| line.to_ascii_lowercase().starts_with("etag:")).unwrap();
    let tag = tag.split_once(':').unwrap().1.trim().to_owned();
    let hash = tag.trim_matches('"');
    assert!(read(site.join("llm-sitemap.json")).contains(hash), "the tag is the sitemap's: {tag}");
    for held in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}")] {
        let answer = get(port, twin, &format!("If-None-Match: {held}\r\n"));
        assert!(answer.starts_with("HTTP/1.1 304"), "{held}: {answer}");
        assert!(answer.contains(hash) && answer.ends_with("\r\n\r\n"), "{answer}");
    }
    assert!(get(port, twin, "If-None-Match: \"sha256-00\"\r\n").starts_with("HTTP/1.1 200"));
    // The page leads to its twin and to the sitemap, as its folder does.
    for page in ["/guide/pots/", "/guide/brew.html"] {
        let answer = get(port, page, "");
        assert!(
            answer.starts_with("HTTP/1.1 200") && answer.contains(".llm.json>; rel=\"alternate\""),
            "{answer}"
        );
        assert!(answer.contains("llm-sitemap.json>"), "{answer}");
    }
    for path in ["/guide/brew.html.md", "/guide/brew.md"] {
        let markdown = get(port, path, "").to_ascii_lowercase();
        assert!(markdown.contains("content-type: text/markdown; charset=utf-8"), "{markdown}");
    }
    // Who asks for Markdown gets it at the page's own address, and caches are told.
    for page in ["/guide/pots/", "/guide/brew.html"] {
        let markdown = get(port, page, "Accept: text/markdown\r\n");
        let lower = markdown.to_ascii_lowercase();
        assert!(markdown.starts_with("HTTP/1.1 200"), "{markdown}");
        assert!(lower.contains("content-type: text/markdown; charset=utf-8"), "{markdown}");
        assert!(markdown.contains("\r\n\r\n> For agents:"), "{markdown}");
        for answer in [lower, get(port, page, "").to_ascii_lowercase()] {
            let is_told = |line: &str| line.starts_with("vary:") && line.contains("accept");
            assert!(answer.lines().any(is_told), "{answer}");
        }
    }
    // By weights, as RFC 9110 has it: what is refused or liked less than HTML is not sent.
    for (accept, is_markdown) in [
        ("text/html, text/markdown;q=0.5", false),
        ("text/html, text/markdown;q=0", false),
        ("text/html, text/markdown ; Q=0.9, */*;q=0.1", false),
        ("text/markdown;q=0.000", false),
        ("text/html, x-text/markdown", false),
        ("text/html, text/markdownish", false),
        ("text/html;q=0.9,text/markdown", true),
        ("Text/Markdown;q=1.0, text/x-markdown;q=0.9, text/html;q=0.7, */*;q=0.1", true),
        ("text/markdown; charset=utf-8 ;q=1, text/html", true),
        ("text/markdown; variant=GFM, text/html", true),
    ] {
        let answer = get(port, "/guide/brew.html", &format!("Accept: {accept}\r\n"));
        assert_eq!(answer.contains("\r\n\r\n> For agents:"), is_markdown, "{accept}: {answer}");
    }
    assert!(get(port, "/guide/missing.html.llm.json", "").starts_with("HTTP/1.1 404"));
}

/// Past the test harness, which shows nothing of a test that passes.
fn visibly(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}

pub(crate) fn is_installed(program: &str, version: &str) -> bool {
    let found =
        Command::new(program).arg(version).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !found {
        visibly(&format!("skipped: {program} is not installed"));
    }
    found
}

#[test]
fn nginx_sends_the_right_validators() {
    if !is_installed("nginx", "-v") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    for (folder, name) in [("members", "index.html"), ("members", "list.html"), ("a pot", "t\u{e9}.html")] {
        std::fs::create_dir_all(site.join(folder)).unwrap();
        std::fs::write(site.join(folder).join(name), page(name, "", "<h1>One</h1><p>For some alone.</p>"))
            .unwrap();
    }
    build(&site, &["--origin", ORIGIN, "--tct", "both", "--leave-out", "members/"]);
    let (port, root) = (free_port(), dir.path().display().to_string());
    let config = format!(
        "daemon off; master_process off; pid {root}/pid; error_log {root}/error.log;\n\
         events {{}}\nhttp {{ access_log off; client_body_temp_path {root}/t1; proxy_temp_path {root}/t2;\n\
         fastcgi_temp_path {root}/t3; uwsgi_temp_path {root}/t4; scgi_temp_path {root}/t5;\n\
         types {{ text/html html; }}\nserver {{ listen 127.0.0.1:{port}; root {root}; index index.html;\n\
         add_header X-Frame-Options DENY; location /guide/members/ {{ deny all; }}\n\
         include {root}/guide/.aiweb/nginx.conf; }} }}\n"
    );
    std::fs::write(dir.path().join("nginx.conf"), config).unwrap();
    let mut command = Command::new("nginx");
    command.arg("-c").arg(dir.path().join("nginx.conf")).arg("-p").arg(dir.path());
    let server = child_of(&mut command);
    check_server(port, &site);
    check_exact(port, &site);
    // The server's own fields and rules hold for pages, however they are asked for.
    for (path, field) in
        [("/guide/pots/", ""), ("/guide/brew.html", ""), ("/guide/brew.html", "Accept: text/markdown\r\n")]
    {
        assert!(get(port, path, field).contains("X-Frame-Options: DENY"), "{path} {field}");
    }
    for path in ["/guide/members/", "/guide/members/index.html", "/guide/members/list.html"] {
        for field in ["", "Accept: text/markdown\r\n"] {
            assert!(get(port, path, field).starts_with("HTTP/1.1 403"), "{path} {field}");
        }
    }
    // A page's links say nothing of the query, and are addresses as they stand in a URL.
    let answer = get(port, "/guide/a%20pot/t%C3%A9.html?x=1", "");
    assert!(answer.contains("</guide/a%20pot/t%C3%A9.html.llm.json>; rel=\"alternate\""), "{answer}");
    let markdown = get(port, "/guide/a%20pot/t%C3%A9.html", "Accept: text/markdown\r\n");
    assert!(
        markdown.contains("text/markdown; charset") && markdown.contains("For some alone."),
        "{markdown}"
    );
    std::fs::remove_file(site.join("a pot/t\u{e9}.html.md")).unwrap();
    let other = get(port, "/guide/a%20pot/t%C3%A9.html", "Accept: text/markdown\r\n");
    assert!(other.contains("text/markdown; charset") && other.contains("For some alone."), "{other}");
    assert!(get(port, "/guide/pots/?x=1", "").contains("</guide/pots/index.html.m.json>; rel=\"alternate\""));
    assert!(!get(port, "/guide/book.js", "").contains("\r\nLink:"));
    drop(server);
}

#[test]
fn caddy_sends_the_right_validators() {
    if !is_installed("caddy", "version") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let site = small_site(dir.path());
    build(&site, &["--origin", ORIGIN, "--tct", "both"]);
    let (port, root) = (free_port(), dir.path().display().to_string());
    let config = format!(
        "{{\n\tadmin off\n\tauto_https off\n}}\nhttp://:{port} {{\n\tbind 127.0.0.1\n\troot * {root}\n\
         \timport {root}/guide/.aiweb/Caddyfile\n\tfile_server\n}}\n"
    );
    let file = dir.path().join("Caddyfile");
    std::fs::write(&file, config).unwrap();
    let mut command = Command::new("caddy");
    command.args(["run", "--adapter", "caddyfile", "--config"]).arg(&file).env("HOME", dir.path());
    let server = child_of(&mut command);
    check_server(port, &site);
    check_exact(port, &site);
    drop(server);
}

pub(crate) fn child_of(command: &mut Command) -> Server {
    Server(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
}

/// The book that every toolchain ships, as a user's own site.
#[test]
fn the_rust_book() {
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output().unwrap();
    let sysroot = String::from_utf8(sysroot.stdout).unwrap();
    let book = Path::new(sysroot.trim()).join("share/doc/rust/html/book");
    if !book.join("index.html").exists() {
        visibly("skipped: this toolchain has no Rust book; `rustup component add rust-docs` brings it");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let site = dir.path().join("book");
    copy(&book, &site);
    let origin = "https://doc.rust-lang.org/book/";
    let said = build(&site, &["--origin", origin, "--ai-input", "true"]);
    let pages = check(&site, origin);
    assert!(pages > 100, "{pages} pages");
    assert_eq!(said.last().unwrap()["pages"], pages);
    let chapter = read(site.join("ch04-01-what-is-ownership.html.md"));
    assert!(chapter.contains("Ownership") && chapter.contains("```rust"), "{chapter:.500}");
    let list = read(site.join("llms.txt"));
    assert!(list.contains("https://doc.rust-lang.org/book/ch04-01-what-is-ownership.html.md"), "{list:.500}");
    // Pages that mdBook keeps out of indexes are redirects, the contents and everything once more.
    assert!(said.iter().any(|line| line["left_out"] == "print.html" || line["left_out"] == "toc.html"));
    // A second build writes the same bytes.
    let sitemap = read(site.join("llm-sitemap.json"));
    build(&site, &["--origin", origin, "--ai-input", "true"]);
    assert_eq!(read(site.join("llm-sitemap.json")), sitemap);
}

pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else if entry.path().extension().is_some_and(|end| end == "html") {
            std::fs::copy(entry.path(), &target).unwrap();
        }
    }
}
