//! The one gate for texts: no text of a site that refuses it by now reaches a model, by whatever way, and none is held on.

use std::sync::Arc;

use llmindex_types::{Availability, ManifestBuilder, ProductBuilder};
use mcp::{Agent, Options, Server, Store};
use rmcp::model::ReadResourceRequestParams;
use rmcp::service::RunningService;
use rmcp::{RoleClient, ServiceExt as _};
use serde_json::{Value, json};
use tct::{CUrl, MUrl, Payload, SitemapBudget, SitemapEntry, UrlPolicy, write_sitemaps};
use web_values::Timestamp;

use crate::support::{Page, Web, article, call, options, page, read, status};

/// A word of every text of the site, and of no address.
const SECRET: &str = "oolong";
const DAY: u64 = 86_400;

/// A page of which a second one names the address in a redirect, and which an old name leads to.
fn tea() -> Page {
    let text = "<p>Green oolong is brewed at eighty degrees, black tea at ninety-five. Both are leaves.</p>";
    article("About oolong", text).with("etag", "\"one\"")
}

/// A web, and a client of a server that may ask it and asks for each page anew.
struct World {
    web: Web,
    store: Store,
    server: Server,
    client: RunningService<RoleClient, ()>,
}

impl World {
    async fn start(web: Web, options: Options) -> World {
        let store = Store::in_memory().unwrap();
        let agent = Agent::new(store.clone(), Options { trust_secs: 0, ..options }).unwrap();
        let server = Server::new(Arc::new(agent));
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let serving = server.clone();
        tokio::spawn(async move { serving.serve(theirs).await.unwrap().waiting().await.unwrap() });
        World { web, store, server, client: ().serve(ours).await.unwrap() }
    }

    /// Lets robots.txt and the files of terms have had their time.
    fn next_day(&self) {
        let origin = format!("http://{}", self.web.host());
        self.store
            .update_site(&origin, |site| {
                site.robots = Default::default();
                site.files.values_mut().for_each(|file| file.asked_at -= DAY);
            })
            .unwrap();
    }

    /// Reads the page under each of its names, so that the text is held under each.
    async fn read_all(&self) -> Vec<String> {
        let mut names = Vec::new();
        for (path, read_as) in [("/tea", "auto"), ("/tea", "html"), ("/old", "auto")] {
            let arguments = json!({"url": self.web.url(path), "as": read_as});
            let answer = call(&self.server, "read", arguments).await.unwrap();
            names.push(answer["resource"].as_str().unwrap().to_owned());
        }
        names.dedup();
        assert_eq!(self.client.list_all_resources().await.unwrap().len(), names.len());
        names
    }

    /// Everything that a model can get of these resources without a request.
    async fn resources(&self, names: &[String]) -> String {
        self.web.asked();
        let mut all = format!("{:?}", self.client.list_all_resources().await.unwrap());
        for name in names {
            let params = ReadResourceRequestParams::new(name.clone());
            all.push_str(&format!("{:?}\n", self.client.read_resource(params).await));
        }
        assert_eq!(self.web.asked(), Vec::<String>::new());
        all
    }

    /// Everything that a model can get of the page by calls.
    async fn calls(&self) -> String {
        let mut all = String::new();
        for path in ["/tea", "/old"] {
            let url = self.web.url(path);
            for (tool, arguments) in [
                ("read", json!({"url": url})),
                ("read", json!({"url": url, "as": "html"})),
                ("read", json!({"url": url, "section": "oolong"})),
                ("outline", json!({"url": url})),
                ("search_in", json!({"url": url, "words": "degrees"})),
                ("site", json!({"url": url})),
            ] {
                all.push_str(&format!("{:?}\n", call(&self.server, tool, arguments).await));
            }
        }
        all
    }
}

/// How a site comes to refuse a text.
struct Refusal {
    name: &'static str,
    /// What the site answers from now on.
    pages: Vec<(&'static str, Page)>,
    /// Whether it is known from the site's own files, before the page is asked for.
    is_of_site: bool,
}

fn refusals(web: &Web) -> Vec<Refusal> {
    let robots = |text: &str| vec![("/robots.txt", page("text/plain", format!("User-agent: *\n{text}\n")))];
    let named = robots(&format!("License: {}", web.url("/license.xml")));
    let licence = "<rsl xmlns=\"https://rslstandard.org/rsl\"><content url=\"/\"><license><prohibits type=\"usage\">ai-input</prohibits></license></content></rsl>";
    let meta =
        "<!doctype html><title>oolong</title><meta name=robots content=noai><main><p>More of oolong.</main>";
    let policy = json!({"profile": "tct-policy-1", "purposes": {"allow_ai_input": false}}).to_string();
    let linking = tea().with("link", "</policy.json>; rel=\"describedby\"; type=\"application/json\"");
    let of_page = |name, page| Refusal { name, pages: vec![("/tea", page)], is_of_site: false };
    vec![
        Refusal { name: "robots.txt", pages: robots("Disallow: /tea"), is_of_site: true },
        Refusal { name: "robots.txt, all", pages: robots("Disallow: /"), is_of_site: true },
        Refusal { name: "content-signal", pages: robots("Content-Signal: ai-input=no"), is_of_site: true },
        Refusal {
            name: "licence",
            pages: [named, vec![("/license.xml", page("application/rsl+xml", licence))]].concat(),
            is_of_site: true,
        },
        Refusal {
            name: "policy",
            pages: vec![("/tea", linking), ("/policy.json", page("application/json", policy))],
            is_of_site: false,
        },
        of_page("noai with 304", tea().with("x-robots-tag", "noai")),
        of_page("noai with 200", tea().with("x-robots-tag", "noai").with("etag", "\"two\"")),
        of_page("noai in the page", page("text/html", meta)),
        of_page("content-usage", tea().with("content-usage", "ai-use=n")),
        of_page("402", status(402).with("crawler-price", "USD 0.01")),
        of_page("403", status(403)),
        of_page("451", status(451)),
        of_page("410", status(410)),
    ]
}

async fn world() -> World {
    let web =
        Web::start([("/tea", tea()), ("/other", article("Cups", "<p>A cup is made of clay, mostly.</p>"))])
            .await;
    web.put("/old", status(301).with("location", "/tea"));
    let options = options(&web);
    World::start(web, options).await
}

#[tokio::test]
async fn no_text_that_a_site_refuses_by_now_reaches_a_model() {
    for at in 0..13 {
        let world = world().await;
        let Refusal { name, pages, is_of_site } = refusals(&world.web).swap_remove(at);
        let names = world.read_all().await;
        assert_eq!(names.len(), 3);
        assert!(world.resources(&names).await.contains(SECRET), "it is given as long as the site allows it");
        for (path, page) in pages {
            world.web.put(path, page);
        }
        world.next_day();
        match is_of_site {
            // Another page of the site is read, and brings what the site says.
            true => drop(read(&world.server, &world.web.url("/other")).await),
            // One name of the page suffices for all.
            false => drop(read(&world.server, &world.web.url("/tea")).await.unwrap_err()),
        }
        let given = world.resources(&names).await;
        assert!(!given.contains(SECRET), "{name}: {given}");
        let given = world.calls().await;
        assert!(!given.contains(SECRET), "{name}: {given}");
        // It is forgotten under each name, not only hidden.
        for name_of in &names {
            let key = mcp::resources::key_of(name_of).unwrap();
            assert!(world.store.page(&key).unwrap().is_none(), "{name}: {key}");
            assert!(world.store.text(&key).unwrap().is_none(), "{name}: {key}");
        }
    }
}

#[tokio::test]
async fn what_may_finds_out_holds_for_what_is_held() {
    let world = world().await;
    let names = world.read_all().await;
    world.web.put("/tea", tea().with("x-robots-tag", "noai"));
    let arguments = json!({"url": world.web.url("/tea"), "purpose": "search"});
    call(&world.server, "may", arguments).await.unwrap();
    let given = world.resources(&names).await;
    assert!(!given.contains(SECRET), "{given}");
}

#[tokio::test]
async fn a_site_of_which_nothing_is_known_any_more_gives_no_resource() {
    let world = world().await;
    let names = world.read_all().await;
    // As if a thousand other sites had been read since.
    world
        .store
        .update_site(&format!("http://{}", world.web.host()), |site| *site = Default::default())
        .unwrap();
    let given = world.resources(&names).await;
    assert!(!given.contains(SECRET), "{given}");
    // That is no refusal: the next read asks, and the text is still held.
    let answer = read(&world.server, &world.web.url("/tea")).await.unwrap();
    assert_eq!(answer["freshness"], "confirmed");
}

#[tokio::test]
async fn who_answers_for_a_site_keeps_what_was_read() {
    let web = Web::start([("/tea", tea()), ("/old", status(301).with("location", "/tea"))]).await;
    let options = Options { own_sites: vec![web.host()], ..options(&web) };
    let world = World::start(web, options).await;
    let names = world.read_all().await;
    let robots = "User-agent: *\nDisallow: /\nContent-Signal: ai-input=no\n";
    world.web.put("/robots.txt", page("text/plain", robots));
    world.next_day();
    read(&world.server, &world.web.url("/tea")).await.unwrap();
    let given = world.resources(&names).await;
    assert_eq!(given.matches("eighty degrees").count(), 3, "{given}");
}

/// The answer of a page's twin, with its sitemap's.
fn put_twin(web: &Web) {
    let urls = UrlPolicy::default();
    let c_url = CUrl::parse_with(&web.url("/tea"), &urls).unwrap();
    let m_url = MUrl::parse_with(&web.url("/tea/llm/"), &urls).unwrap();
    let sealed = Payload::new(&c_url, "About oolong", "Green oolong is brewed.").seal().unwrap();
    let hash = sealed.fingerprint();
    let twin = page("application/json", sealed.body().to_vec())
        .with("etag", format!("\"{hash}\""))
        .with("link", format!("<{}>; rel=\"canonical\"", web.url("/tea")));
    web.put("/tea/llm/", twin);
    let entry = SitemapEntry::new(c_url, m_url, hash).with_modified("2026-11-20T00:00:00Z");
    let sitemap = write_sitemaps([entry], SitemapBudget::default()).unwrap().remove(0);
    web.put("/map.json", page("application/json", sitemap));
    web.put("/robots.txt", page("text/plain", format!("Sitemap: {}\n", web.url("/map.json"))));
}

#[tokio::test]
async fn a_twin_that_is_refused_by_now_is_no_text_either() {
    for refusal in ["noai", "robots.txt"] {
        let web = Web::start([("/tea", tea())]).await;
        put_twin(&web);
        let options = options(&web);
        let world = World::start(web, options).await;
        let answer = read(&world.server, &world.web.url("/tea")).await.unwrap();
        assert_eq!(answer["source"], "twin");
        let names = [answer["resource"].as_str().unwrap().to_owned()];
        assert!(world.resources(&names).await.contains(SECRET));
        // The answer to a conditional request says it as well as a new one.
        match refusal {
            "noai" => {
                let twin = world.web.take("/tea/llm/").with("x-robots-tag", "noai");
                world.web.put("/tea/llm/", twin);
                // Where the sitemap vouched for it, nobody would ask.
                world.web.put("/map.json", status(410));
                let error = read(&world.server, &world.web.url("/tea")).await.unwrap_err();
                assert!(error.contains("noai"), "{error}");
            }
            _ => {
                let robots = "User-agent: *\nDisallow: /*/llm/\n";
                world.web.put("/robots.txt", page("text/plain", robots));
                world.web.put("/tea", status(500));
                world.next_day();
                drop(read(&world.server, &world.web.url("/other")).await);
            }
        }
        let given = world.resources(&names).await;
        assert!(!given.contains(SECRET), "{refusal}: {given}");
    }
}

#[tokio::test]
async fn a_text_that_the_site_asks_by_now_not_to_keep_is_given_once_more_and_not_held() {
    let world = world().await;
    let names = world.read_all().await;
    world.web.put("/tea", tea().with("x-robots-tag", "noarchive"));
    let answer = read(&world.server, &world.web.url("/tea")).await.unwrap();
    assert_eq!(answer["conditions"], json!(["no-cached-copy"]));
    assert!(answer.get("resource").is_none(), "{answer}");
    let given = world.resources(&names[..2]).await;
    assert!(!given.contains("eighty degrees"), "{given}");
}

/// A shop with a manifest and a feed, all of whose texts have the word.
async fn shop() -> World {
    let web = Web::start([]).await;
    let changed = Timestamp::parse("2026-02-20T00:00:00Z").unwrap();
    let manifest = ManifestBuilder::new("House of oolong", "https://tea.example", "en")
        .updated_at(changed)
        .topic("oolong")
        .products_feed(&web.url("/products.jsonl"))
        .license("CC-BY-4.0")
        .build()
        .unwrap();
    web.put("/.well-known/llmindex.json", page("application/json", manifest.as_bytes().to_vec()));
    let product =
        ProductBuilder::new("P1", "Green oolong", "https://tea.example/p1", Availability::InStock, changed)
            .price("1", "EUR")
            .build()
            .unwrap();
    web.put("/products.jsonl", page("application/x-ndjson", product.to_json() + "\n"));
    let options = options(&web);
    World::start(web, options).await
}

async fn feed(world: &World) -> String {
    let url = world.web.url("/");
    let all = call(&world.server, "site", json!({ "url": url })).await;
    let name = all.as_ref().ok().and_then(|all| all["manifest"]["feeds"][0]["name"].as_str());
    let name = name.unwrap_or("products_jsonl").to_owned();
    let products = call(&world.server, "site", json!({"url": url, "feed": name})).await;
    format!("{all:?}\n{products:?}")
}

#[tokio::test]
async fn manifest_and_products_pass_the_same_gate() {
    let given = feed(&shop().await).await;
    for text in ["House of oolong", "Green oolong"] {
        assert!(given.contains(text), "{given}");
    }
    for robots in ["Content-Signal: ai-input=no", "Disallow: /", "Content-Usage: ai-use=n"] {
        let world = shop().await;
        world.web.put("/robots.txt", page("text/plain", format!("User-agent: *\n{robots}\n")));
        let given = feed(&world).await;
        assert!(!given.contains(SECRET), "{robots}: {given}");
        assert!(!world.web.asked().iter().any(|line| line.contains("products.jsonl")), "{robots}");
    }
    // What the answer itself says counts for it alone.
    for (path, word) in [("/.well-known/llmindex.json", "House of"), ("/products.jsonl", "Green")] {
        let world = shop().await;
        let refused = world.web.take(path).with("x-robots-tag", "noai");
        world.web.put(path, refused);
        let given = feed(&world).await;
        assert!(!given.contains(&format!("{word} {SECRET}")), "{path}: {given}");
        assert!(given.contains("noai"), "the refusal is told: {given}");
    }
}

#[tokio::test]
async fn the_list_of_pages_has_addresses_and_dates_and_no_text() {
    let web = Web::start([("/tea", tea())]).await;
    put_twin(&web);
    let map = String::from_utf8(web.take("/map.json").body).unwrap();
    assert!(map.contains("2026-11-20T00:00:00Z"), "{map}");
    web.put("/map.json", page("application/json", map.replace("2026-11-20T00:00:00Z", "the day of oolong")));
    let options = options(&web);
    let world = World::start(web, options).await;
    let answer = call(&world.server, "site", json!({"url": world.web.url("/")})).await.unwrap();
    assert_eq!(answer["pages"][0]["url"], world.web.url("/tea"));
    assert_eq!(answer["pages"][0].get("modified").unwrap_or(&Value::Null), &Value::Null, "{answer}");
}

#[tokio::test]
async fn no_number_of_a_page_is_too_large() {
    let world = shop().await;
    for arguments in [json!({"page": u64::MAX}), json!({"page": u64::MAX, "feed": "products_jsonl"})] {
        let mut arguments = arguments;
        arguments["url"] = world.web.url("/").into();
        for page in [u64::MAX, u64::MAX / 50 + 1, 1 << 40] {
            arguments["page"] = page.into();
            let answer = call(&world.server, "site", arguments.clone()).await.unwrap();
            assert_eq!(answer.get("next_page"), None, "{answer}");
        }
        for tool in ["read", "outline"] {
            drop(call(&world.server, tool, arguments.clone()).await);
        }
    }
}
