//! What is known of a site outlives answers that say nothing, and clocks that ran ahead.

use std::sync::Arc;

use mcp::store::SiteRecord;
use mcp::{Agent, Server, Store};
use redb::TableDefinition;
use serde_json::json;
use tct::{CUrl, MUrl, Payload, SitemapBudget, SitemapEntry, UrlPolicy, write_sitemaps};
use url::Url;

use crate::support::{Page, Web, article, call, options, page, read, status};

const TEXT: &str =
    "<p>Green tea is brewed at eighty degrees, black tea at ninety-five. Both are leaves of one plant.</p>";
const DAY: u64 = 86_400;

/// A server with a store that a test can change.
struct Held {
    store: Store,
    server: Server,
    origin: String,
}

fn held(web: &Web, store: Store) -> Held {
    let agent = Agent::new(store.clone(), options(web)).unwrap();
    Held { store, server: Server::new(Arc::new(agent)), origin: format!("http://{}", web.host()) }
}

impl Held {
    fn change(&self, change: impl FnOnce(&mut SiteRecord)) {
        self.store.update_site(&self.origin, change).unwrap();
    }

    /// Lets the files of terms have had their time.
    fn age_terms(&self) {
        self.change(|site| site.files.values_mut().for_each(|file| file.asked_at -= DAY));
    }

    /// Lets a page have had its time.
    fn age_page(&self, url: &str) {
        let mut page = self.store.page(url).unwrap().unwrap();
        page.confirmed_at -= DAY;
        self.store.put_page(url, &page, None).unwrap();
    }

    async fn may(&self, url: &str) -> String {
        self.may_for(url, "ai-input").await
    }

    async fn may_for(&self, url: &str, purpose: &str) -> String {
        let answer = call(&self.server, "may", json!({"url": url, "purpose": purpose})).await.unwrap();
        answer["verdict"].as_str().unwrap().to_owned()
    }
}

fn policy(allow_ai_input: bool) -> Page {
    let policy = json!({"profile": "tct-policy-1", "purposes": {"allow_ai_input": allow_ai_input}});
    page("application/json", policy.to_string())
}

fn linking(policy: &str) -> Page {
    article("Tea", TEXT).with("link", format!("<{policy}>; rel=\"describedby\"; type=\"application/json\""))
}

#[tokio::test]
async fn a_policy_that_denies_holds_until_another_is_read() {
    let web = Web::start([("/tea", linking("/policy.json")), ("/policy.json", policy(false))]).await;
    let held = held(&web, Store::in_memory().unwrap());
    let error = read(&held.server, &web.url("/tea")).await.unwrap_err();
    assert!(error.contains("/policy.json"), "{error}");
    let broken = page("application/json", "<!doctype html><title>Down for maintenance</title>");
    let latin = page("application/json", b"{\"name\":\"\xe9\"}".to_vec());
    for answer in [status(500), status(404), status(410), status(302).with("location", "/"), broken, latin] {
        web.put("/policy.json", answer.clone());
        for _ in 0..2 {
            held.age_terms();
            let error = read(&held.server, &web.url("/tea")).await.unwrap_err();
            assert!(error.contains("/policy.json"), "{answer:?}: {error}");
        }
        assert!(web.asked().contains(&format!("GET /policy.json {}", answer.status)));
        assert_eq!(held.may(&web.url("/tea")).await, "deny");
    }
    web.put("/policy.json", policy(true));
    held.age_terms();
    assert_eq!(held.may(&web.url("/tea")).await, "allow");
    read(&held.server, &web.url("/tea")).await.unwrap();

    // A permission does not outlive its descriptor.
    web.put("/policy.json", status(404));
    held.age_terms();
    assert_eq!(held.may(&web.url("/tea")).await, "unstated");
}

#[tokio::test]
async fn the_policy_that_is_linked_last_counts() {
    let web = Web::start([
        ("/", article("Home", TEXT)),
        ("/tea", linking("/policy.json")),
        ("/new", linking("/policy-2026.json")),
        ("/policy.json", policy(true)),
    ])
    .await;
    let held = held(&web, Store::in_memory().unwrap());
    read(&held.server, &web.url("/tea")).await.unwrap();
    // While the new one cannot be read, the old one counts.
    assert_eq!(held.may(&web.url("/new")).await, "allow");
    web.put("/policy-2026.json", policy(false));
    held.age_terms();
    assert_eq!(held.may(&web.url("/new")).await, "deny");
    // The front page, which links none, takes nothing back.
    let site = call(&held.server, "site", json!({"url": web.url("/")})).await.unwrap();
    assert_eq!(site["policy"], web.url("/policy-2026.json"));
    assert!(read(&held.server, &web.url("/tea")).await.is_err());
}

#[tokio::test]
async fn no_number_of_links_takes_a_denial_back() {
    let web = Web::start([("/tea", linking("/policy.json")), ("/policy.json", policy(false))]).await;
    let held = held(&web, Store::in_memory().unwrap());
    assert_eq!(held.may(&web.url("/tea")).await, "deny");
    for n in 0..20 {
        web.put(&format!("/{n}"), linking(&format!("/policy-{n}.json")));
        assert_eq!(held.may(&web.url(&format!("/{n}"))).await, "deny", "{n}");
    }
    assert_eq!(held.store.site(&held.origin).unwrap().policies.len(), 16);
}

#[tokio::test]
async fn a_policy_is_asked_for_however_many_licences_are_held() {
    let web = Web::start([("/tea", linking("/policy.json")), ("/policy.json", policy(false))]).await;
    let held = held(&web, Store::in_memory().unwrap());
    held.change(|site| {
        site.files.extend((0..64).map(|n| (format!("{}/{n}.xml", held.origin), Default::default())))
    });
    let error = read(&held.server, &web.url("/tea")).await.unwrap_err();
    assert!(error.contains("/policy.json"), "{error}");
}

#[tokio::test]
async fn calls_side_by_side_lose_nothing_of_what_each_other_learns() {
    let sitemap = article("Cup", TEXT).with("link", "</map.json>; rel=\"index\"; type=\"application/json\"");
    let web = Web::start([("/tea", linking("/policy.json")), ("/cup", sitemap)]).await;
    let held = held(&web, Store::in_memory().unwrap());
    let (tea, cup) = (web.url("/tea"), web.url("/cup"));
    let _read = tokio::join!(read(&held.server, &tea), read(&held.server, &cup));
    let site = held.store.site(&held.origin).unwrap();
    assert_eq!(
        (site.policies, site.linked_sitemaps),
        (vec![web.url("/policy.json")], vec![web.url("/map.json")])
    );
}

/// Puts a page with its twin, and says how a sitemap lists it.
fn put_twin(web: &Web, path: &str, text: &str) -> SitemapEntry {
    let urls = UrlPolicy::default();
    let c_url = CUrl::parse_with(&web.url(path), &urls).unwrap();
    let m_url = MUrl::parse_with(&web.url(&format!("{path}/llm/")), &urls).unwrap();
    let sealed = Payload::new(&c_url, path, text).seal().unwrap();
    let hash = sealed.fingerprint();
    let twin = page("application/json", sealed.body().to_vec())
        .with("etag", format!("\"{hash}\""))
        .with("link", format!("<{}>; rel=\"canonical\"", web.url(path)));
    web.put(&format!("{path}/llm/"), twin);
    SitemapEntry::new(c_url, m_url, hash).with_modified("2026-11-20T00:00:00Z")
}

fn put_sitemap(web: &Web, path: &str, tag: &str, entries: impl IntoIterator<Item = SitemapEntry>) {
    let sitemap = write_sitemaps(entries, SitemapBudget::default()).unwrap().remove(0);
    web.put(path, page("application/json", sitemap).with("etag", format!("\"{tag}\"")));
}

/// A site of two sitemaps, each with a page of its own; `/both` is in both.
async fn two_sitemaps() -> Web {
    let web = Web::start([]).await;
    let [one, two] = ["/one.json", "/two.json"].map(|path| format!("Sitemap: {}\n", web.url(path)));
    web.put("/robots.txt", page("text/plain", one + &two));
    for (path, own) in [("/one.json", "/a"), ("/two.json", "/b")] {
        put_sitemap(&web, path, "first", [own, "/both"].map(|path| put_twin(&web, path, "Text of it.")));
    }
    web
}

/// Lets the sitemaps have had their time, and names the pages that are listed then.
async fn pages(held: &Held) -> Vec<String> {
    held.change(|site| site.sitemaps.iter_mut().for_each(|sitemap| sitemap.confirmed_at -= DAY));
    let site = call(&held.server, "site", json!({"url": format!("{}/", held.origin)})).await.unwrap();
    let pages = site["pages"].as_array().unwrap();
    pages.iter().map(|page| Url::parse(page["url"].as_str().unwrap()).unwrap().path().to_owned()).collect()
}

#[tokio::test]
async fn a_sitemap_replaces_its_own_pages_and_no_others() {
    let web = two_sitemaps().await;
    let held = held(&web, Store::in_memory().unwrap());
    assert_eq!(pages(&held).await, ["/a", "/b", "/both"]);
    web.asked();
    put_sitemap(&web, "/one.json", "second", [put_twin(&web, "/c", "Text of it.")]);
    assert_eq!(pages(&held).await, ["/b", "/both", "/c"]);
    let asked = web.asked();
    for line in ["GET /one.json 200", "GET /two.json 304"] {
        assert!(asked.contains(&line.to_owned()), "{asked:?}");
    }
    put_sitemap(&web, "/two.json", "second", [put_twin(&web, "/d", "Text of it.")]);
    assert_eq!(pages(&held).await, ["/c", "/d"]);
    for answer in [status(500), page("application/json", "{}")] {
        web.put("/two.json", answer);
        assert_eq!(pages(&held).await, ["/c", "/d"]);
    }
    web.put("/two.json", status(410));
    assert_eq!(pages(&held).await, ["/c"]);
}

#[tokio::test]
async fn a_sitemap_vouches_for_its_own_pages_only() {
    let web = two_sitemaps().await;
    let held = held(&web, Store::in_memory().unwrap());
    for path in ["/a", "/b"] {
        read(&held.server, &web.url(path)).await.unwrap();
        held.age_page(&web.url(path));
    }
    // The second sitemap cannot be confirmed; the first one still is.
    web.put("/two.json", status(500));
    held.change(|site| site.sitemaps[1].confirmed_at -= DAY);
    web.asked();
    read(&held.server, &web.url("/a")).await.unwrap();
    assert_eq!(web.asked(), ["GET /two.json 500"]);
    read(&held.server, &web.url("/b")).await.unwrap();
    assert_eq!(web.asked(), ["GET /two.json 500", "GET /b/llm/ 304"]);
}

#[tokio::test]
async fn two_sitemaps_that_disagree_on_a_page_leave_it_without_a_hash() {
    let web = two_sitemaps().await;
    put_sitemap(&web, "/two.json", "second", [put_twin(&web, "/both", "Another text.")]);
    let held = held(&web, Store::in_memory().unwrap());
    for freshness in ["fetched", "confirmed"] {
        let answer = read(&held.server, &web.url("/both")).await.unwrap();
        assert_eq!((&answer["freshness"], &answer["markdown"]), (&json!(freshness), &json!("Another text.")));
        held.age_page(&web.url("/both"));
    }
}

#[tokio::test]
async fn a_sitemap_that_lists_a_page_twice_leaves_it_without_a_hash() {
    let web = two_sitemaps().await;
    put_sitemap(&web, "/one.json", "twice", ["One text.", "Another."].map(|text| put_twin(&web, "/a", text)));
    let held = held(&web, Store::in_memory().unwrap());
    for freshness in ["fetched", "confirmed"] {
        assert_eq!(read(&held.server, &web.url("/a")).await.unwrap()["freshness"], freshness);
        held.age_page(&web.url("/a"));
    }
}

#[tokio::test]
async fn what_a_page_said_holds_until_it_says_something_else() {
    let web = Web::start([("/tea", article("Tea", TEXT).with("content-usage", "train-ai=n"))]).await;
    let held = held(&web, Store::in_memory().unwrap());
    let tea = web.url("/tea");
    read(&held.server, &tea).await.unwrap();
    held.age_page(&tea);
    web.put("/tea", status(500));
    assert_eq!(held.may_for(&tea, "ai-train").await, "deny");
    web.put("/tea", article("Tea", TEXT).with("x-robots-tag", "noai"));
    assert_eq!(held.may(&tea).await, "deny");
}

#[tokio::test]
async fn the_pages_of_a_store_of_an_earlier_version_are_listed_anew() {
    let web = two_sitemaps().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.redb");
    let origin = format!("http://{}", web.host());
    let mut site = serde_json::to_value(SiteRecord::default()).unwrap();
    site.as_object_mut().unwrap().remove("listing").unwrap();
    site["sitemaps"] = json!([{"url": web.url("/one.json"), "etag": "\"first\"", "confirmed_at": 1}]);
    site["policies"] = json!([web.url("/policy.json")]);
    {
        let sites: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("sites");
        let listed: TableDefinition<'_, (&str, &str), &[u8]> = TableDefinition::new("listed");
        let database = redb::Database::create(&path).unwrap();
        let write = database.begin_write().unwrap();
        let site = serde_json::to_vec(&site).unwrap();
        write.open_table(sites).unwrap().insert(origin.as_str(), site.as_slice()).unwrap();
        let row: &[u8] = br#"{"m_url":"https://a.example/llm/","hash":null,"modified":null}"#;
        write.open_table(listed).unwrap().insert((origin.as_str(), "https://a.example/"), row).unwrap();
        write.commit().unwrap();
    }
    let held = held(&web, Store::open(&path).unwrap());
    assert_eq!(pages(&held).await, ["/a", "/b", "/both"]);
    assert_eq!(held.store.site(&origin).unwrap().policies, [web.url("/policy.json")]);
}

#[tokio::test]
async fn times_of_a_clock_that_ran_ahead_count_for_nothing() {
    let web = two_sitemaps().await;
    web.put("/tea", linking("/policy.json"));
    web.put("/policy.json", policy(true));
    let held = held(&web, Store::in_memory().unwrap());
    assert_eq!(held.may(&web.url("/tea")).await, "allow");
    pages(&held).await;
    web.put("/policy.json", policy(false));
    held.change(|site| {
        site.files.values_mut().for_each(|file| file.asked_at += 365 * DAY);
        site.sitemaps.iter_mut().for_each(|sitemap| sitemap.confirmed_at += 365 * DAY);
        site.searched_at += 365 * DAY;
        site.not_sitemaps = vec![web.url("/one.json")];
    });
    assert_eq!(held.may(&web.url("/tea")).await, "deny");
    web.asked();
    call(&held.server, "changed_since", json!({"url": web.url("/"), "time": "2026-11-01"})).await.unwrap();
    assert_eq!(web.asked(), ["GET /one.json 304", "GET /two.json 304"]);
    assert_eq!(held.store.site(&held.origin).unwrap().not_sitemaps, Vec::<String>::new());
}
