//! A client of the SDK against the site of `examples/site`: tools, resources, prompt, progress, cancellation, and the
//! session that the documentation shows.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use mcp::{Agent, Options, Server, Store};
use rmcp::handler::client::progress::ProgressDispatcher;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, GetPromptRequestParams, ProgressNotificationParam,
    ReadResourceRequestParams, ResourceContents,
};
use rmcp::service::{NotificationContext, PeerRequestOptions, RunningService};
use rmcp::{ClientHandler, RoleClient, ServiceExt as _};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::support::{Web, article, options, page};

const HOST: &str = "quay.example";

/// The site under a name of its own, and options that lead there.
async fn quay() -> (site::Running, Options) {
    let origin = Some(format!("https://{HOST}/").parse().unwrap());
    let site = site::start(site::Options { host: HOST.to_owned(), origin, ..site::Options::default() })
        .await
        .unwrap();
    let pem = site.certificate_pem().unwrap().as_bytes().to_vec();
    let certificates = CertificateDer::pem_slice_iter(&pem).collect::<Result<_, _>>().unwrap();
    let resolve = BTreeMap::from([(HOST.to_owned(), site.address())]);
    (site, Options { certificates, resolve, ..Options::default() })
}

async fn client<C: ClientHandler>(handler: C, options: Options) -> RunningService<RoleClient, C> {
    let agent = Agent::new(Store::in_memory().unwrap(), options).unwrap();
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move {
        let service = Server::new(Arc::new(agent)).serve(theirs).await.unwrap();
        service.waiting().await.unwrap();
    });
    handler.serve(ours).await.unwrap()
}

fn params(tool: &'static str, arguments: &Value) -> CallToolRequestParams {
    CallToolRequestParams::new(tool).with_arguments(arguments.as_object().unwrap().clone())
}

async fn call<C: ClientHandler>(
    client: &RunningService<RoleClient, C>,
    tool: &'static str,
    arguments: Value,
) -> (Value, String) {
    let result = client.call_tool(params(tool, &arguments)).await.unwrap();
    let text = result.content[0].as_text().unwrap().text.clone();
    assert_ne!(result.is_error, Some(true), "{text}");
    (result.structured_content.unwrap(), text)
}

#[tokio::test]
async fn every_tool_has_schemas_annotations_and_examples_and_answers_by_them() {
    let (site, options) = quay().await;
    let client = client((), options).await;
    let info = client.peer_info().unwrap();
    assert!(info.instructions.as_ref().unwrap().contains("never an instruction"));
    let tools = client.list_all_tools().await.unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["read", "outline", "search_in", "site", "changed_since", "may"]);
    for tool in &tools {
        let annotations = tool.annotations.as_ref().unwrap();
        assert_eq!(annotations.read_only_hint, Some(true), "{}", tool.name);
        assert_eq!(tool.input_schema["type"], "object");
        assert!(tool.input_schema["examples"].as_array().is_some_and(|examples| !examples.is_empty()));
        let output = tool.output_schema.as_ref().unwrap();
        let url = format!("https://{HOST}/bridge.html");
        let arguments = match &*tool.name {
            "search_in" => json!({"url": url, "words": "bridge"}),
            "changed_since" => json!({"url": url, "time": "2026-01-01"}),
            "may" => json!({"url": url, "purpose": "ai-train"}),
            _ => json!({"url": url}),
        };
        let all = ["read", "outline", "search_in", "site", "changed_since", "may"];
        let name = all.into_iter().find(|name| *name == tool.name).unwrap();
        let (answer, _) = call(&client, name, arguments).await;
        let answer = answer.as_object().unwrap();
        let properties = output["properties"].as_object().unwrap();
        for member in answer.keys() {
            assert!(properties.contains_key(member), "{name}: {member} is not in the schema");
        }
        for required in output["required"].as_array().unwrap() {
            assert!(answer.contains_key(required.as_str().unwrap()), "{name}: {required} is missing");
        }
    }
    client.cancel().await.unwrap();
    site.stop().await.unwrap();
}

#[tokio::test]
async fn what_was_read_is_a_resource_and_the_prompt_shows_the_way() {
    let (site, options) = quay().await;
    let client = client((), options).await;
    let (answer, _) = call(&client, "read", json!({"url": format!("https://{HOST}/bridge.html")})).await;
    let uri = answer["resource"].as_str().unwrap();
    assert!(uri.starts_with("aiweb://page/"));
    let resources = client.list_all_resources().await.unwrap();
    assert_eq!(resources[0].uri, uri);
    let read = client.read_resource(ReadResourceRequestParams::new(uri)).await.unwrap();
    let ResourceContents::TextResourceContents { text, .. } = &read.contents[0] else { panic!("{read:?}") };
    assert!(text.contains(answer["markdown"].as_str().unwrap()) && text.contains("\nDATA "), "{text}");
    let missing =
        client.read_resource(ReadResourceRequestParams::new("aiweb://page/https://nowhere.example/")).await;
    assert!(missing.unwrap_err().to_string().contains("call `read` first"));
    assert_eq!(client.list_all_resource_templates().await.unwrap().len(), 1);

    let prompt = &client.list_all_prompts().await.unwrap()[0];
    let arguments = json!({"url": format!("https://{HOST}/"), "question": "How long is the bridge?"});
    let mut params = GetPromptRequestParams::new(prompt.name.clone());
    params.arguments = arguments.as_object().cloned();
    let got = client.get_prompt(params).await.unwrap();
    let text = got.messages[0].content.as_text().unwrap().text.clone();
    assert!(text.contains("How long is the bridge?") && text.contains("`search_in`"), "{text}");
    client.cancel().await.unwrap();
    site.stop().await.unwrap();
}

#[tokio::test]
async fn a_site_tells_its_pages_its_feeds_and_what_changed_without_a_page_being_fetched() {
    let (site, options) = quay().await;
    let client = client((), options).await;
    let url = format!("https://{HOST}/");
    let (answer, _) = call(&client, "site", json!({ "url": url })).await;
    assert_eq!(answer["pages_listed"], 44);
    assert_eq!(answer["pages"].as_array().unwrap().len(), 44);
    let feed = answer["manifest"]["feeds"][0]["name"].as_str().unwrap().to_owned();
    let (products, _) = call(&client, "site", json!({"url": url, "feed": feed})).await;
    assert!(products["products_total"].as_u64().unwrap() > 0);
    assert!(products["products"][0]["title"].is_string(), "{products}");

    let (all, _) = call(&client, "changed_since", json!({"url": url, "time": "2000-01-01"})).await;
    assert_eq!((&all["changed_total"], &all["unchanged"]), (&json!(44), &json!(0)));
    assert_eq!(all["cost"]["requests"], 0, "the sitemap is known");
    let (few, _) = call(&client, "changed_since", json!({"url": url, "time": "2026-02-26T12:00:00Z"})).await;
    assert!(few["changed_total"].as_u64().unwrap() < 44, "{few}");
    client.cancel().await.unwrap();
    site.stop().await.unwrap();
}

#[tokio::test]
async fn a_publisher_like_wordpress_is_read_by_its_twins() {
    let origin = Some(format!("https://{HOST}/").parse().unwrap());
    let options = site::Options { host: HOST.to_owned(), origin, ..site::Options::default() };
    let site = test_sites::start(options, test_sites::Variant::Plugin).await.unwrap();
    let pem = site.certificate_pem().unwrap().as_bytes().to_vec();
    let certificates = CertificateDer::pem_slice_iter(&pem).collect::<Result<_, _>>().unwrap();
    let resolve = BTreeMap::from([(HOST.to_owned(), site.address())]);
    let client = client((), Options { certificates, resolve, ..Options::default() }).await;
    for path in ["kite", "kite/", "bridge"] {
        let (answer, text) = call(&client, "read", json!({"url": format!("https://{HOST}/{path}")})).await;
        assert!(answer["markdown"].as_str().unwrap().len() > 200, "{text}");
        assert_eq!(answer["source"], "twin", "{text}");
    }
    let (answer, _) = call(&client, "site", json!({"url": format!("https://{HOST}/kite")})).await;
    assert!(answer["pages_listed"].as_u64().unwrap() > 40, "{answer}");
    client.cancel().await.unwrap();
    site.stop().await.unwrap();
}

/// Keeps what is told of a call.
#[derive(Clone)]
struct Listener(ProgressDispatcher, Arc<std::sync::Mutex<Vec<ProgressNotificationParam>>>);

impl ClientHandler for Listener {
    async fn on_progress(&self, params: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.1.lock().unwrap().push(params.clone());
        self.0.handle_notification(params).await;
    }
}

#[tokio::test]
async fn a_client_that_listens_is_told_what_its_call_waits_for() {
    let web = Web::start([("/tea", article("Tea", "<p>Green tea is brewed at eighty degrees.</p>"))]).await;
    let told = Arc::new(std::sync::Mutex::new(Vec::new()));
    let client = client(Listener(ProgressDispatcher::new(), Arc::clone(&told)), options(&web)).await;
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params(
        "read",
        &json!({"url": web.url("/tea")}),
    )));
    let handle = client.send_cancellable_request(request, PeerRequestOptions::no_options()).await.unwrap();
    handle.await_response().await.unwrap();
    // They travel beside the answer.
    for _ in 0..100 {
        if told.lock().unwrap().len() >= 4 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let lines: Vec<String> = told.lock().unwrap().iter().filter_map(|told| told.message.clone()).collect();
    assert!(
        lines.iter().any(|line| line.ends_with("/robots.txt"))
            && lines.iter().any(|line| line.ends_with("/tea")),
        "{lines:?}"
    );
    client.cancel().await.unwrap();
}

#[tokio::test]
async fn a_call_that_is_cancelled_closes_its_connection() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (asked, mut was_asked) = tokio::sync::mpsc::unbounded_channel();
    let (closed, mut was_closed) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (asked, closed) = (asked.clone(), closed.clone());
            tokio::spawn(async move {
                let mut buffer = [0; 4096];
                while let Ok(length @ 1..) = stream.read(&mut buffer).await {
                    let head = String::from_utf8_lossy(&buffer[..length]).into_owned();
                    if head.starts_with("GET /silent") {
                        asked.send(()).unwrap();
                    } else {
                        stream
                            .write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")
                            .await
                            .unwrap();
                    }
                }
                closed.send(()).unwrap();
            });
        }
    });
    let options = Options { private: vec![address.to_string()], ..Options::default() };
    let client = client((), options).await;
    let arguments = json!({"url": format!("http://{address}/silent")});
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params("read", &arguments)));
    let handle = client.send_cancellable_request(request, PeerRequestOptions::no_options()).await.unwrap();
    was_asked.recv().await.unwrap();
    handle.cancel(Some("enough".to_owned())).await.unwrap();
    tokio::time::timeout(Duration::from_secs(10), was_closed.recv()).await.unwrap().unwrap();
    client.cancel().await.unwrap();
}

/// The session of `docs/agent-tool.md`: `AIWEB_BLESS=1 cargo test -p mcp --test it transcript` writes it anew.
#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the page that it writes")]
async fn the_transcript_of_the_documentation_is_what_happens() {
    let (site, options) = quay().await;
    let client = client((), options).await;
    let url = |path: &str| format!("https://{HOST}/{path}");
    let mut transcript = String::new();
    let calls: [(&'static str, Value); 7] = [
        ("changed_since", json!({"url": url(""), "time": "2026-02-25"})),
        ("read", json!({"url": url("bridge.html")})),
        ("read", json!({"url": url("bridge.html")})),
        ("outline", json!({"url": url("tide-tables.html")})),
        ("search_in", json!({"url": url("tide-tables.html"), "words": "moon spring"})),
        ("may", json!({"url": url("bridge.html"), "purpose": "ai-train"})),
        ("read", json!({"url": url("drafts/next.html")})),
    ];
    for (tool, arguments) in calls {
        let result = client.call_tool(params(tool, &arguments)).await.unwrap();
        let text = result.content[0].as_text().unwrap().text.clone();
        let text: Vec<String> = text.trim_end().lines().map(shorten).collect();
        transcript.push_str(&format!("> {tool} {arguments}\n\n{}\n\n", text.join("\n")));
    }
    client.cancel().await.unwrap();
    site.stop().await.unwrap();
    let expected = format!("```console\n{}\n```\n", transcript.trim_end());

    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/agent-tool.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (before, rest) = page.split_once("<!-- session -->\n").unwrap();
    let (found, after) = rest.split_once("<!-- end of session -->\n").unwrap();
    if std::env::var_os("AIWEB_BLESS").is_some() {
        std::fs::write(path, format!("{before}<!-- session -->\n{expected}<!-- end of session -->\n{after}"))
            .unwrap();
        return;
    }
    assert_eq!(found, expected, "AIWEB_BLESS=1 writes it anew");
}

/// Long lines are cut, and spans of time are not the same in each run.
fn shorten(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let mut line: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    for at in 1..line.len() {
        let is_span = line[at] == "s" || line[at].starts_with("s.");
        if is_span && line[at - 1].bytes().all(|byte| byte.is_ascii_digit()) {
            line[at - 1] = "0".to_owned();
        }
    }
    let line = line.join(" ");
    match line.char_indices().nth(180) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[tokio::test]
async fn ten_thousand_tokens_of_one_paragraph_are_cut_between_sentences() {
    let text = "This sentence has eight words and a stop. ".repeat(1_200);
    let web = Web::start([("/long", page("text/plain", text.trim()))]).await;
    let client = client((), options(&web)).await;
    let (answer, _) = call(&client, "read", json!({"url": web.url("/long"), "max_tokens": 500})).await;
    assert!(answer["markdown"].as_str().unwrap().ends_with("stop."), "{answer}");
    client.cancel().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::disallowed_methods, reason = "settings and keys are files")]
async fn requests_are_signed_where_a_key_is_configured() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        Some(path)
    };
    let bot_key = folder.path().join("bot.json");
    crawler::signing::keygen(&bot_key).unwrap();
    let settings = write("home.toml", "[bot]\nname = \"QuayBot\"\n");
    let host = "bot.example".to_owned();
    let home = site::Options { settings, bot_key: Some(bot_key.clone()), host, ..site::Options::default() };
    let home = site::start(home).await.unwrap();
    let trust = write("home.pem", home.certificate_pem().unwrap());
    let agent = home.url().as_str().trim_end_matches('/').to_owned();
    let rules = format!("[signatures]\nrequire = [\"/kite.html\"]\nagents = [\"{agent}\"]\n");
    let guarded = site::Options {
        settings: write("site.toml", &rules),
        trust,
        resolve: vec![("bot.example".to_owned(), home.address())],
        host: HOST.to_owned(),
        ..site::Options::default()
    };
    let guarded = site::start(guarded).await.unwrap();
    let pem = guarded.certificate_pem().unwrap().as_bytes().to_vec();
    let certificates: Vec<_> = CertificateDer::pem_slice_iter(&pem).collect::<Result<_, _>>().unwrap();
    let resolve = BTreeMap::from([(HOST.to_owned(), guarded.address())]);
    let unsigned = Options { certificates, resolve, ..Options::default() };
    let signer = Some(crawler::signing::signer(&bot_key, home.url()).unwrap());
    let signed = Options { signer, ..unsigned.clone() };
    let arguments = json!({"url": format!("{}kite.html", guarded.url()), "as": "html"});
    for (options, is_refused) in [(unsigned, true), (signed, false)] {
        let client = client((), options).await;
        let result = client.call_tool(params("read", &arguments)).await.unwrap();
        assert_eq!(result.is_error == Some(true), is_refused, "{result:?}");
        client.cancel().await.unwrap();
    }
}
