//! A site that lets only crawlers in that say who they are, and the home of one.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way, and makes files"
)]

use std::path::{Path, PathBuf};

use bot_auth::{
    AddressList, AgentPlaces, Card, CrawlerSigner, Directory, Fetched, Message, Profile, SignedHeaders,
};
use http::StatusCode;
use jwk::SigningKey;
use site::{Options, Running};
use web_values::UnixSeconds;

const HOME: &str = "[bot]\nname = \"QuayBot\"\naddresses = [\"192.0.2.0/24\", \"2001:db8::/48\"]\n";

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// A client that trusts these sites.
fn client(sites: &[&Running]) -> reqwest::Client {
    let roots = sites.iter().map(|site| {
        let pem = site.certificate_pem().unwrap();
        reqwest::Certificate::from_pem(pem.as_bytes()).unwrap()
    });
    let _installed = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().tls_certs_only(roots).no_proxy().build().unwrap()
}

async fn ask(client: &reqwest::Client, url: &str, signed: Option<&SignedHeaders>) -> (StatusCode, String) {
    let mut request = client.get(url);
    for (name, value) in signed.into_iter().flat_map(SignedHeaders::lines) {
        request = request.header(name, value);
    }
    let response = request.send().await.unwrap();
    let status = response.status();
    assert_eq!(
        response.headers().contains_key("accept-signature"),
        matches!(status, StatusCode::FORBIDDEN | StatusCode::UNAUTHORIZED)
    );
    (status, response.text().await.unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crawler_with_a_home_comes_in_and_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let key = site::new_key("").unwrap();
    let bot_key = Some(write(folder.path(), "bot.json", &key.to_private_jwk()));
    let settings = Some(write(folder.path(), "home.toml", HOME));
    // A crawler's home has a name: addresses are refused.
    let host = "bot.example".to_owned();
    let home = site::start(Options { settings, bot_key, host, ..Options::default() }).await.unwrap();
    let agent = home.url().as_str().trim_end_matches('/').to_owned();

    let trust = Some(write(folder.path(), "home.pem", home.certificate_pem().unwrap()));
    let rules = format!("[signatures]\nrequire = [\"/kite.html\"]\nagents = [\"{agent}\"]\n");
    let settings = Some(write(folder.path(), "site.toml", &rules));
    let resolve = vec![("bot.example".to_owned(), home.address())];
    let site = site::start(Options { settings, trust, resolve, ..Options::default() }).await.unwrap();
    let client = client(&[&home, &site]);
    let page = site.url().join("/kite.html").unwrap().to_string();

    let sign = |signer: &CrawlerSigner, url: &str, nonce: u8, now: u64| {
        signer.sign(&Message::request("GET", url).unwrap(), &[nonce; 32], UnixSeconds(now)).unwrap()
    };
    let any_port = AgentPlaces { any_port: true, ..AgentPlaces::default() };
    let signer = CrawlerSigner::new_in(key.clone(), &agent, any_port).unwrap();
    let now = site::now().0;
    let good = sign(&signer, &page, 1, now);
    assert_eq!(ask(&client, &page, Some(&good)).await.0, StatusCode::OK);
    assert_eq!(ask(&client, site.url().as_str(), None).await.0, StatusCode::OK, "the rest is for everybody");

    let other_key = SigningKey::from_secret(&[9; 32]);
    let stranger = CrawlerSigner::new(key.clone(), "https://stranger.example").unwrap();
    let host_alone = signer.clone().only_components(Vec::<String>::new());
    let twin = format!("{page}/llm/");
    for (name, url, signed, status, why) in [
        ("no signature", &page, None, StatusCode::FORBIDDEN, "found none"),
        ("a twin is behind the same gate", &twin, None, StatusCode::FORBIDDEN, "found none"),
        (
            "escapes are no way around",
            &page.replace("kite", "%6bite"),
            None,
            StatusCode::FORBIDDEN,
            "found none",
        ),
        ("used before", &page, Some(good), StatusCode::UNAUTHORIZED, "not used"),
        ("of another page", &page, Some(sign(&signer, &twin, 2, now)), StatusCode::UNAUTHORIZED, ""),
        ("late", &page, Some(sign(&signer, &page, 3, now - 7200)), StatusCode::UNAUTHORIZED, ""),
        ("of a stranger", &page, Some(sign(&stranger, &page, 4, now)), StatusCode::FORBIDDEN, "known here"),
        (
            "of the host alone",
            &page,
            Some(sign(&host_alone, &page, 5, now)),
            StatusCode::UNAUTHORIZED,
            "found the host",
        ),
        (
            "by a key that is not the agent's",
            &page,
            Some(sign(&CrawlerSigner::new_in(other_key, &agent, any_port).unwrap(), &page, 6, now)),
            StatusCode::UNAUTHORIZED,
            "key",
        ),
    ] {
        let (found, text) = ask(&client, url, signed.as_ref()).await;
        assert_eq!(found, status, "{name}: {text}");
        assert!(text.contains(why), "{name}: {text}");
    }
    site.stop().await.unwrap();
    home.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_home_of_a_crawler_shows_its_keys_card_and_addresses() {
    let folder = tempfile::tempdir().unwrap();
    let key = site::new_key("").unwrap();
    let bot_key = Some(write(folder.path(), "bot.json", &key.to_private_jwk()));
    let settings = Some(write(folder.path(), "home.toml", HOME));
    let home = site::start(Options { settings, bot_key, ..Options::default() }).await.unwrap();
    let client = client(&[&home]);
    let get = async |path: &str| {
        let response = client.get(home.url().join(path).unwrap()).send().await.unwrap();
        let url = response.url().to_string();
        let fields = response.headers().clone();
        (url, fields, response.bytes().await.unwrap())
    };

    let (url, fields, body) = get(bot_auth::DIRECTORY_PATH).await;
    let lines: Vec<(&str, &[u8])> =
        fields.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
    let response = Fetched { url: &url, status: 200, headers: &lines, body: &body };
    let now = UnixSeconds(site::now().0);
    for profile in [Profile::Deployed, Profile::Ietf01] {
        let directory = Directory::read(&url, &response, profile, now).unwrap();
        assert_eq!(directory.proved(), [key.thumbprint()], "it is signed by the key that it shows");
        assert!(directory.keys(now).all(|(_, fault)| fault.is_none()));
    }
    assert!(!String::from_utf8_lossy(&body).contains("\"d\""), "the private half stays at home");

    let (card_url, _, card) = get(site::bots::CARD_PATH).await;
    let card = Card::parse(&card_url, &card).unwrap();
    assert!(card.is_valid(), "{:?}", card.faults());
    assert_eq!(
        (card.jwks_uri.as_deref(), card.product_token.as_deref()),
        (Some(url.as_str()), Some("QuayBot"))
    );
    let (_, _, addresses) = get(site::bots::ADDRESSES_PATH).await;
    let addresses = AddressList::parse(&addresses, None).unwrap();
    assert!(
        addresses.contains("192.0.2.9".parse().unwrap())
            && addresses.contains("2001:db8::1".parse().unwrap())
    );
    assert!(!addresses.contains("198.51.100.1".parse().unwrap()));
    home.stop().await.unwrap();

    // Without a key nothing of it is published, which is said.
    let settings = Some(write(folder.path(), "alone.toml", HOME));
    let keyless = site::start(Options { settings, ..Options::default() }).await.unwrap();
    let left_out = keyless.publisher().snapshot().passed_over.clone();
    assert!(
        left_out.iter().any(|item| item.what == "[bot]" && item.why.contains("--bot-key")),
        "{left_out:?}"
    );
    keyless.stop().await.unwrap();

    // A slip of the pen is an error at start, in the library's words.
    let settings = Some(write(folder.path(), "bad.toml", &HOME.replace("192.0.2.0/24", "192.0.2.1/24")));
    let bot_key = Some(folder.path().join("bot.json"));
    let error = site::start(Options { settings, bot_key, ..Options::default() }).await.unwrap_err();
    assert!(error.to_string().contains("192.0.2.0/24"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rule_that_protects_nothing_is_refused_and_every_form_of_a_page_is_behind_its_rule() {
    let folder = tempfile::tempdir().unwrap();
    let start = async |rules: &str| {
        let settings = Some(write(folder.path(), "site.toml", rules));
        site::start(Options { settings, tls: false, ..Options::default() }).await
    };
    for rules in [
        "[signatures]\nrequire = [\"members/\"]\n",
        "[signatures]\nrequire = [\"https://quay.example/members/\"]\n",
        "[signatures]\nrequire = []\nagents = [\"https://bot.example\"]\n",
    ] {
        let refused = start(rules).await.unwrap_err().to_string();
        assert!(refused.starts_with("[signatures]"), "{rules}: {refused}");
    }
    let site = start("[signatures]\nrequire = [\"/k%69te.html\", \"/memberz/\"]\n").await.unwrap();
    let left_out = site.publisher().snapshot().passed_over.clone();
    let left_out: Vec<_> = left_out.iter().filter(|item| item.what.contains("require")).collect();
    assert!(left_out.len() == 1 && left_out[0].what.contains("`/memberz/`"), "{left_out:?}");
    let client = client(&[]);
    for (path, status) in [
        ("kite.html", StatusCode::FORBIDDEN),
        ("kite.md", StatusCode::FORBIDDEN),
        ("%6bite.md", StatusCode::FORBIDDEN),
        ("kite.html.md", StatusCode::FORBIDDEN),
        ("kite.html/llm/", StatusCode::FORBIDDEN),
        ("bridge.html", StatusCode::OK),
        ("bridge.md", StatusCode::OK),
    ] {
        let url = site.url().join(path).unwrap();
        assert_eq!(ask(&client, url.as_str(), None).await.0, status, "{path}");
    }
    site.stop().await.unwrap();
    // Whichever address of a page is named, all of them want a signature.
    for (rule, page) in [
        ("/kite.md", "/kite.html"),
        ("/kite.html.md", "/kite.html"),
        ("/kite.html/llm/", "/kite.html"),
        ("/index.html", "/"),
        ("/index.htm", "/"),
        ("/index.md", "/"),
        ("/llm/", "/"),
    ] {
        let site = start(&format!("[signatures]\nrequire = [\"{rule}\"]\n")).await.unwrap();
        let snapshot = site.publisher().snapshot();
        assert!(!snapshot.passed_over.iter().any(|item| item.what.contains("require")), "{rule}");
        let twin = format!("{}/llm/", page.trim_end_matches('/'));
        for path in [page, rule, &twin] {
            let url = site.url().join(path).unwrap();
            assert_eq!(ask(&client, url.as_str(), None).await.0, StatusCode::FORBIDDEN, "{rule} {path}");
        }
        let url = site.url().join("bridge.html").unwrap();
        assert_eq!(ask(&client, url.as_str(), None).await.0, StatusCode::OK, "{rule}");
        site.stop().await.unwrap();
    }
}

/// What the site answers to everybody of these paths, each also with an escape in it, that says what members alone may read.
async fn secrets(router: &axum::Router, paths: &[&str]) -> Vec<String> {
    let mut told = Vec::new();
    for path in paths {
        let letter = path[1..].chars().next().unwrap_or('/');
        let escaped = path.replacen(letter, &format!("%{:02x}", letter as u32), usize::from(letter != '/'));
        for (path, accept) in [(*path, "*/*"), (&escaped, "*/*"), (*path, "text/markdown")] {
            let request = http::Request::get(path).header("host", "quay.example").header("accept", accept);
            let request = request.body(axum::body::Body::empty()).unwrap();
            let answer = tower::ServiceExt::oneshot(router.clone(), request).await.unwrap();
            let body = axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap();
            if ["The secret t", "/members/"].iter().any(|what| String::from_utf8_lossy(&body).contains(what))
            {
                told.push(path.to_owned());
            }
        }
    }
    told
}

/// Whichever address of a page a rule names, and at whichever the page is asked for, also where pages are read as they are now:
/// there a page has more addresses, and one that was blank at start has text later.
#[tokio::test]
async fn a_page_behind_a_rule_is_told_to_nobody_at_any_of_its_addresses() {
    let paths = [
        "/members/",
        "/members/index.html",
        "/members/index.md",
        "/members/index.html.md",
        "/members.md",
        "/members/llm/",
        "/members/m/",
        "/members/llm.md",
        "/members/llm/llm/",
        "/members/?a=1",
        "/members.md?a=1",
    ];
    for live in [false, true] {
        for is_blank in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            std::fs::create_dir(folder.path().join("members")).unwrap();
            write(folder.path(), "index.html", "<html lang=en><title>Front</title><main><p>For all.</main>");
            let page = "<html lang=en><title>The secret title</title><main><p>The secret text.</main>";
            let router = async |rules: &str| {
                write(folder.path(), "members/index.html", if is_blank { "" } else { page });
                write(folder.path(), "site.toml", rules);
                let (folder_of, tls, sign) = (Some(folder.path().to_owned()), false, false);
                let tct = site::Revisions::Both;
                let options = Options { live, folder: folder_of, tls, sign, tct, ..Options::default() };
                let prepared = site::prepare(options).await.unwrap();
                write(folder.path(), "members/index.html", page);
                prepared.router()
            };
            let told = secrets(&router("").await, &paths).await;
            assert!(told.len() > 3 && (!live || told.contains(&"/members.md".to_owned())), "{told:?}");
            let rules = ["/members/", "/members/index.html", "/memb"].map(str::to_owned);
            for rule in rules.iter().chain(&told).filter(|rule| !rule.contains('?')) {
                let site = router(&format!("[signatures]\nrequire = [\"{rule}\"]\n")).await;
                let mut told = secrets(&site, &paths).await;
                // The lists for everybody do not know what addresses a live page has beside those of its file.
                if rules.contains(rule) {
                    told.append(&mut secrets(&site, &["/llms.txt", "/sitemap.xml"]).await);
                }
                assert!(told.is_empty(), "live {live}, blank {is_blank}, rule {rule}: {told:?}");
                let request = http::Request::get("/llm/").header("host", "quay.example");
                let request = request.body(axum::body::Body::empty()).unwrap();
                let other = tower::ServiceExt::oneshot(site, request).await.unwrap();
                assert_eq!(other.status(), StatusCode::OK, "the rest is for everybody");
            }
        }
    }
}

/// The front page of a folder that has none lists pages, for everybody.
#[tokio::test]
async fn pages_behind_a_rule_are_not_on_a_front_page_that_is_made() {
    for live in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("members")).unwrap();
        for (path, text) in [("quay.html", "For all."), ("members/list.html", "The secret text.")] {
            let page = format!("<html lang=en><title>Page</title><main><p>{text}</main>");
            write(folder.path(), path, &page);
        }
        write(folder.path(), "site.toml", "[signatures]\nrequire = [\"/members/\"]\n");
        let options = Options {
            live,
            folder: Some(folder.path().to_owned()),
            tls: false,
            sign: false,
            ..Options::default()
        };
        let router = site::prepare(options).await.unwrap().router();
        let request = http::Request::get("/").header("host", "quay.example");
        let request = request.body(axum::body::Body::empty()).unwrap();
        let answer = tower::ServiceExt::oneshot(router, request).await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        let body = axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        let html = String::from_utf8_lossy(&body);
        assert!(html.contains("/quay.html") && !html.contains("members"), "live {live}: {html}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_follow_one_another_with_an_overlap() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (site::new_key("").unwrap(), site::new_key("").unwrap());
    let bot_key = Some(write(folder.path(), "old.json", &old.to_private_jwk()));
    let next_bot_key = Some(write(folder.path(), "new.json", &new.to_private_jwk()));
    let now = site::now().0;
    let day = 86_400;
    for (from, published) in [
        (now + 100 * day, vec![&old]),
        (now + 60, vec![&old, &new]),
        (now.saturating_sub(60), vec![&old, &new]),
        (now - 100 * day, vec![&new]),
    ] {
        let at = jiff::Timestamp::from_second(i64::try_from(from).unwrap()).unwrap();
        let settings = Some(write(folder.path(), "home.toml", &format!("{HOME}next-key-from = {at}\n")));
        let (bot_key, next_bot_key) = (bot_key.clone(), next_bot_key.clone());
        let options = Options { settings, bot_key, next_bot_key, ..Options::default() };
        let home = site::start(options).await.unwrap();
        let url = home.url().join(bot_auth::DIRECTORY_PATH).unwrap();
        let response = client(&[&home]).get(url).send().await.unwrap();
        let (url, fields) = (response.url().to_string(), response.headers().clone());
        let body = response.bytes().await.unwrap();
        let lines: Vec<(&str, &[u8])> =
            fields.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        let response = Fetched { url: &url, status: 200, headers: &lines, body: &body };
        let directory = Directory::read(&url, &response, Profile::Deployed, UnixSeconds(now)).unwrap();
        let mut proved: Vec<_> = directory.proved().iter().map(ToString::to_string).collect();
        let mut expected: Vec<_> = published.iter().map(|key| key.thumbprint().to_string()).collect();
        proved.sort();
        expected.sort();
        assert_eq!(proved, expected, "each key that is shown signs the directory");
        home.stop().await.unwrap();
    }
    let settings = Some(write(folder.path(), "home.toml", HOME));
    let error = site::start(Options { settings, bot_key, next_bot_key, ..Options::default() }).await;
    assert!(error.unwrap_err().to_string().contains("next-key-from"));
}
