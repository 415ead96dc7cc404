//! The programs that ask: for robots.txt, with a signature, for TXT records; and those that hash and extract.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way, and opens sockets and files"
)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};

use bot_auth::{DIRECTORY_MEDIA_TYPE, Directory, Fetched, Identity, Message, Policy, Profile, identify};
use web_values::UnixSeconds;

fn run(program: &str, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// A server that answers each path as `answer` says, and hands out the heads of the requests.
fn serve(answer: fn(&str) -> String) -> (SocketAddr, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (sender, heads) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut reader = BufReader::new(stream.unwrap());
            let mut head = String::new();
            while reader.read_line(&mut head).unwrap() > 2 {}
            let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
            let _gone = sender.send(head);
            let _closed = reader.get_mut().write_all(answer(&path).as_bytes());
        }
    });
    (address, heads)
}

fn response(status: &str, fields: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\nConnection: close\r\n{fields}Content-Length: {}\r\n\r\n{body}", body.len())
}

#[test]
fn robots_in_crawler() {
    let (address, heads) = serve(|path| match path {
        "/robots.txt" => response("301 Moved", "Location: /rules\r\n", ""),
        "/rules" => response("200 OK", "", "User-agent: AIWebIndex\nDisallow: /private\n"),
        _ => response("404 Not Found", "", ""),
    });
    let [open, private] = ["", "private/x"].map(|path| format!("http://{address}/{path}"));
    let said = stdout(&run(env!("CARGO_BIN_EXE_robots_in_crawler"), &[&open, &private]));
    assert!(said.contains(&format!("{open}: allowed")), "{said}");
    assert!(said.contains(&format!("{private}: disallowed: Disallow: /private (line 2)")), "{said}");
    let heads: Vec<String> = heads.try_iter().collect();
    assert_eq!(heads.len(), 2, "the copy is kept, and no page was asked for: {heads:?}");
    assert!(heads[0].to_lowercase().contains("user-agent: aiwebindex/1.0 ("), "{heads:?}");

    // A long file counts as far as it is read, one that breaks off counts for nothing.
    let (address, _heads) = serve(|_| {
        let rules = "User-agent: *\nDisallow: /private\n";
        response("200 OK", "", &format!("{rules}{}", "# nothing\n".repeat(60_000)))
    });
    let [open, private] = ["", "private/x"].map(|path| format!("http://{address}/{path}"));
    let said = stdout(&run(env!("CARGO_BIN_EXE_robots_in_crawler"), &[&open, &private]));
    assert!(said.contains(&format!("{open}: allowed")) && said.contains("x: disallowed"), "{said}");
    let (address, _heads) =
        serve(|_| "HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\nUser-agent: *".to_owned());
    let said = stdout(&run(env!("CARGO_BIN_EXE_robots_in_crawler"), &[&format!("http://{address}/")]));
    assert!(said.contains("disallowed"), "{said}");

    // A redirect to nowhere, or into somebody's network, ends neither the program nor its next question.
    for location in ["http://[", "http://127.0.0.2:1/x", "http://192.168.0.1/x"] {
        let (address, heads) = serve(match location {
            "http://[" => |_| response("301 Moved", "Location: http://[\r\n", ""),
            "http://127.0.0.2:1/x" => |_| response("301 Moved", "Location: http://127.0.0.2:1/x\r\n", ""),
            _ => |_| response("301 Moved", "Location: http://192.168.0.1/x\r\n", ""),
        });
        let [one, two] = ["one", "two"].map(|path| format!("http://{address}/{path}"));
        let said = stdout(&run(env!("CARGO_BIN_EXE_robots_in_crawler"), &[&one, &two]));
        assert_eq!(said.lines().count(), 2, "{location}: {said}");
        assert_eq!(heads.try_iter().count(), 1, "{location}");
    }

    // While a site does not say, nothing may be fetched.
    let (address, _heads) = serve(|_| response("500 Oops", "", ""));
    let said = stdout(&run(env!("CARGO_BIN_EXE_robots_in_crawler"), &[&format!("http://{address}/")]));
    assert!(said.contains("disallowed"), "{said}");
}

/// A server over TLS that answers each request with 200; its certificate is that of `localhost`.
fn serve_tls() -> (u16, String, Receiver<String>) {
    serve_tls_with(|_| response("200 OK", "", "hello"))
}

fn serve_tls_with(answer: impl Fn(&str) -> String + Send + 'static) -> (u16, String, Receiver<String>) {
    let rcgen::CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = rustls::pki_types::PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .unwrap();
    let config = std::sync::Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, heads) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let connection = rustls::ServerConnection::new(std::sync::Arc::clone(&config)).unwrap();
            let mut reader = BufReader::new(rustls::StreamOwned::new(connection, stream.unwrap()));
            let mut head = String::new();
            while reader.read_line(&mut head).unwrap_or(0) > 2 {}
            let text = answer(&head);
            let _gone = sender.send(head);
            let stream = reader.get_mut();
            let _closed = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
            stream.conn.send_close_notify();
            let _closed = stream.flush();
        }
    });
    (port, cert.pem(), heads)
}

#[test]
fn signing_crawler() {
    let (port, certificate, heads) = serve_tls();
    let file = std::env::temp_dir().join(format!("signing-crawler-{}.pem", std::process::id()));
    std::fs::write(&file, certificate).unwrap();
    let page = format!("https://localhost:{port}/page?x=1");
    let mut command = Command::new(env!("CARGO_BIN_EXE_signing_crawler"));
    let said = stdout(&command.arg(&page).env("SSL_CERT_FILE", &file).output().unwrap());
    std::fs::remove_file(&file).unwrap();
    let (published, status) = said.split_once('\n').unwrap();
    assert_eq!(status, format!("200 {page}\n"));
    let head = heads.recv().unwrap();
    let fields: Vec<(&str, &str)> = head.lines().skip(1).filter_map(|line| line.split_once(": ")).collect();

    // The site fetches the directory once, and knows the crawler from then on.
    let now = UnixSeconds::from(std::time::SystemTime::now());
    let url = "https://bot.example/.well-known/http-message-signatures-directory";
    let headers = [("content-type", DIRECTORY_MEDIA_TYPE.as_bytes())];
    let fetched = Fetched { url, status: 200, headers: &headers, body: published.as_bytes() };
    let held = Directory::read(url, &fetched, Profile::Deployed, now).unwrap();
    let judge = |page: &str| {
        let lines = fields.iter().map(|(name, value)| (*name, value.as_bytes()));
        let message = Message::request("GET", page).unwrap().headers(lines);
        identify(&message, |asked| (asked == held.url()).then_some(&held), &Policy::default(), now).0
    };
    assert!(judge(&page).agent().is_some_and(|agent| agent.is("https://bot.example")), "{:?}", judge(&page));
    let elsewhere = judge(&format!("https://localhost:{port}/other"));
    assert!(matches!(elsewhere, Identity::Unverified { .. }), "{elsewhere:?}");
    // A signature in the clear could be read and used by others: the library makes none.
    let refused = run(env!("CARGO_BIN_EXE_signing_crawler"), &["http://127.0.0.1:1/"]);
    assert!(!refused.status.success());
}

/// A server over TLS that is reached as `localhost`: it cannot be an agent's home, so that the verifying server is asked
/// about agents that it does not know, and about requests that no one signed.
#[test]
fn bots_only() {
    let program = env!("CARGO_BIN_EXE_bots_only");
    let mut child = Command::new(program)
        .arg("https://bot.example")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let send = |fields: &str| {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream
            .write_all(format!("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{fields}\r\n").as_bytes())
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let unsigned = send("");
    assert!(
        unsigned.starts_with("HTTP/1.1 403") && unsigned.contains("signature-reason: anonymous"),
        "{unsigned}"
    );
    assert!(
        unsigned.contains("accept-signature: sig1=(\"@authority\" \"@method\" \"@path\" \"@query\""),
        "{unsigned}"
    );
    let stranger = jwk::SigningKey::from_secret(&[9; 32]);
    let stranger = bot_auth::CrawlerSigner::new(stranger, "https://stranger.example").unwrap();
    let now = UnixSeconds::from(std::time::SystemTime::now());
    let signed =
        stranger.sign(&Message::request("GET", "https://shop.example/").unwrap(), b"n", now).unwrap();
    let fields: String = signed.lines().iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let answer = send(&fields);
    assert!(
        answer.starts_with("HTTP/1.1 403") && answer.contains("signature-reason: agent-unknown"),
        "{answer}"
    );
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The site asks for a signature, and gets one with the next request.
#[test]
fn signing_client() {
    let (port, certificate, heads) = serve_tls_with(|head| {
        let asks = "WWW-Authenticate: Signature\r\nAccept-Signature: shop=(\"@method\" \"@target-uri\" \"signature-agent\";key=\"shop\");tag=\"web-bot-auth\"\r\n";
        match head.contains("signature:") {
            true => response("200 OK", "", "hello"),
            false => response("401 Unauthorized", asks, ""),
        }
    });
    let file = std::env::temp_dir().join(format!("signing-client-{}.pem", std::process::id()));
    std::fs::write(&file, certificate).unwrap();
    let page = format!("https://localhost:{port}/page?x=1");
    let mut command = Command::new(env!("CARGO_BIN_EXE_signing_client"));
    let output = command.args([&page, &page]).env("SSL_CERT_FILE", &file).output().unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(stdout(&output), format!("200 OK {page}\n200 OK {page}\n"), "{output:?}");
    let heads: Vec<String> = heads.try_iter().collect();
    let signed: Vec<bool> =
        heads.iter().map(|head| head.contains("signature-input: shop=(\"@authority\"")).collect();
    assert_eq!(signed, [false, true, true], "{heads:?}");
}

#[test]
fn extract_folder() {
    let dir = std::env::temp_dir().join(format!("extract-folder-{}", std::process::id()));
    std::fs::create_dir_all(dir.join("sub")).unwrap();
    let page =
        |title: &str| format!("<title>{title}</title><nav>Home</nav><main><p>About <b>{title}</b>.</main>");
    std::fs::write(dir.join("tea.html"), page("Tea")).unwrap();
    std::fs::write(dir.join("sub/mate.htm"), page("Mate")).unwrap();
    std::fs::write(dir.join("notes.txt"), "no page").unwrap();
    let said = stdout(&run(env!("CARGO_BIN_EXE_extract_folder"), &[&dir.display().to_string()]));
    let lines: Vec<serde_json::Value> =
        said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let markdown: Vec<&str> = lines.iter().filter_map(|line| line["markdown"].as_str()).collect();
    assert_eq!(markdown, ["About **Mate**.", "About **Tea**."]);
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(!run(env!("CARGO_BIN_EXE_extract_folder"), &[]).status.success());
}

#[test]
fn fingerprint_middleware() {
    let program = env!("CARGO_BIN_EXE_fingerprint_middleware");
    let mut child = Command::new(program).stdout(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    let mut line = || {
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        line.trim().to_owned()
    };
    let address = line().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let send = |body: &[u8]| {
        let mut stream = TcpStream::connect(&address).unwrap();
        let head = format!(
            "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    // Longer than what axum would keep in memory, with characters that lie across the pieces.
    let text = "Caf\u{e9}  cr\u{e8}me ".repeat(300_000);
    assert!(send(text.as_bytes()).ends_with(&format!("{} bytes\n", text.len())));
    assert_eq!(line(), tct_fingerprint::fingerprint(&text).to_string());
    // Bytes that are not UTF-8 pass, and have no fingerprint: the next line is that of the next text.
    assert!(send(b"caf\xe9 ").ends_with("5 bytes\n"));
    assert!(send(b"tea").ends_with("3 bytes\n"));
    assert_eq!(line(), tct_fingerprint::fingerprint("tea").to_string());
    let _ended = child.kill();
    let _status = child.wait();
}

/// A name server on loopback with this TXT record.
async fn name_server(
    name: &str,
    value: &str,
) -> (hickory_server::Server<hickory_server::zone_handler::Catalog>, SocketAddr) {
    use hickory_server::proto::rr::rdata::{SOA, TXT};
    use hickory_server::proto::rr::{LowerName, Name, RData, Record};
    use hickory_server::store::in_memory::InMemoryZoneHandler;
    use hickory_server::zone_handler::{AxfrPolicy, Catalog, ZoneType};

    let origin = Name::from_ascii("example.test.").unwrap();
    let mut zone: InMemoryZoneHandler =
        InMemoryZoneHandler::empty(origin.clone(), ZoneType::Primary, AxfrPolicy::Deny);
    let soa = SOA::new(origin.clone(), origin.clone(), 1, 3600, 600, 86400, 60);
    zone.upsert_mut(Record::from_rdata(origin.clone(), 300, RData::SOA(soa)), 1);
    let record = TXT::from_bytes(vec![value.as_bytes()]);
    let name = Name::from_ascii(format!("{name}.")).unwrap();
    zone.upsert_mut(Record::from_rdata(name, 300, RData::TXT(record)), 1);
    let mut catalog = Catalog::new();
    catalog.upsert(LowerName::new(&origin), vec![std::sync::Arc::new(zone)]);
    let socket = tokio::net::UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let address = socket.local_addr().unwrap();
    let mut server = hickory_server::Server::new(catalog);
    server.register_socket(socket);
    (server, address)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dns_proof() {
    let program = env!("CARGO_BIN_EXE_dns_proof");
    let said = stdout(&run(program, &["shop.example.test"]));
    let token = said.lines().next().unwrap().strip_prefix("token ").unwrap();
    let record = said.lines().nth(1).unwrap();
    let (name, value) = (record.split_whitespace().next().unwrap(), record.split('"').nth(1).unwrap());
    let (_first, one) = name_server(name.trim_end_matches('.'), value).await;
    let (_second, two) = name_server(name.trim_end_matches('.'), value).await;
    let resolvers = [one.to_string(), two.to_string()];
    let ask = |token: &str| run(program, &["shop.example.test", token, &resolvers[0], &resolvers[1]]);
    // A wildcard record answers for every name, whoever made the token.
    let (_third, any) = name_server("*.shop.example.test", value).await;
    let (_fourth, every) = name_server("*.shop.example.test", value).await;
    let wild = run(program, &["shop.example.test", token, &any.to_string(), &every.to_string()]);
    assert_eq!(wild.status.code(), Some(1), "{wild:?}");
    assert!(stdout(&wild).contains("every name"), "{wild:?}");
    let found = ask(token);
    assert_eq!(found.status.code(), Some(0), "{found:?}");
    let other = ask(&"ab".repeat(16));
    assert_eq!(other.status.code(), Some(1), "{other:?}");
    // One resolver alone decides nothing.
    let alone = run(program, &["shop.example.test", token, &resolvers[0]]);
    assert_eq!(alone.status.code(), Some(1), "{alone:?}");
}

/// Runs the polite crawler over TLS against a site of `examples/site`, twice.
async fn crawl_politely(variant: test_sites::Variant) -> [String; 2] {
    let options = site::Options { host: "localhost".to_owned(), ..site::Options::default() };
    let site = test_sites::start(options, variant).await.unwrap();
    let dir = tempfile::tempdir().unwrap();
    let certificate = dir.path().join("ca.pem");
    std::fs::write(&certificate, site.certificate_pem().unwrap()).unwrap();
    let mut said = Vec::new();
    for _ in 0..2 {
        let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_polite_crawler"));
        command.arg(site.url().as_str()).arg(dir.path().join("pages.json"));
        said.push(stdout(&command.env("SSL_CERT_FILE", &certificate).output().await.unwrap()));
    }
    site.stop().await.unwrap();
    said.try_into().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn polite_crawler_with_twins() {
    let [first, second] = crawl_politely(test_sites::Variant::Sound).await;
    assert!(first.contains("twins: 44 new, 0 unchanged, 47 requests"), "{first}");
    // The site's robots.txt says so for each of its texts, and its policy on what conditions.
    let texts = |said: &str| {
        let stated = |line: &&str| line.contains(" words, conditional: content-signal says yes");
        said.lines().filter(|line| stated(line) && line.contains("tct says only with attribution")).count()
    };
    assert_eq!(texts(&first), 44, "{first}");
    assert!(second.contains("twins: 0 new, 44 unchanged, 1 requests"), "{second}");
    assert_eq!(texts(&second), 44, "{second}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn polite_crawler_without_twins() {
    let [first, second] = crawl_politely(test_sites::Variant::Bare).await;
    assert!(first.contains("twins: 0 new, 0 unchanged, 1 requests"), "{first}");
    let texts = |said: &str| -> Vec<String> {
        said.lines().filter(|line| line.contains(" words, unstated")).map(str::to_owned).collect()
    };
    assert!(texts(&first).len() >= 40, "{first}");
    assert_eq!(texts(&first), texts(&second));
}

#[test]
fn polite_crawler_keeps_to_what_a_site_says() {
    static IS_SLOW: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(true);
    let (address, heads) = serve(|path| match path {
        "/robots.txt" => response(
            "200 OK",
            "",
            "User-agent: examplebot\nDisallow: /private\nCrawl-delay: 1\nContent-Signal: /reserved ai-input=no\n",
        ),
        "/" => response(
            "200 OK",
            "Content-Type: text/html\r\nETag: \"one\"\r\n",
            "<title>Home</title><main><p>Read <a href=/moved>on</a>, <a href=/private>not this</a>, \
             <a href=http://127.0.0.2:1/x>nor that</a>.</main>",
        ),
        "/moved" => response("301 Moved", "Location: /reserved\r\n", ""),
        "/reserved" if IS_SLOW.load(std::sync::atomic::Ordering::SeqCst) => {
            std::thread::sleep(std::time::Duration::from_millis(500));
            response("503 Busy", "", "")
        }
        "/reserved" => response(
            "200 OK",
            "Content-Type: text/html; charset=iso-8859-1\r\nContent-Signal: ai-input=no\r\n",
            "<main><p>Five words that are reserved.</main>",
        ),
        _ => response("404 Not Found", "", ""),
    });
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("pages.json").display().to_string();
    let start = format!("http://{address}/");
    let mut child = Command::new(env!("CARGO_BIN_EXE_polite_crawler"))
        .args([&start, &file])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // Killed in the middle of its crawl: what came before is kept.
    let path = |head: &str| head.split(' ').nth(1).unwrap().to_owned();
    while path(&heads.recv().unwrap()) != "/reserved" {}
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(std::fs::read_to_string(&file).unwrap().contains("nor that"));

    IS_SLOW.store(false, std::sync::atomic::Ordering::SeqCst);
    let begun = std::time::Instant::now();
    let said = stdout(&run(env!("CARGO_BIN_EXE_polite_crawler"), &[&start, &file]));
    let asked: Vec<String> = heads.try_iter().collect();
    let paths: Vec<String> = asked.iter().map(|head| path(head)).collect();
    assert_eq!(paths, ["/robots.txt", "/", "/", "/moved", "/reserved"], "{said}");
    assert!(begun.elapsed().as_secs() >= 2, "three pauses of a second, the first of them begun");
    assert!(asked[2].to_lowercase().contains("if-none-match: \"one\""), "{asked:?}");
    assert!(
        asked.iter().all(|head| head.to_lowercase().contains("user-agent: examplebot/1.0 (")),
        "{asked:?}"
    );
    let denied = "/reserved: 5 words, deny: content-signal says no (ai-input=no)";
    assert!(said.contains(denied) && said.contains("/: 6 words, unstated"), "{said}");
    assert!(said.contains("/private: robots.txt does not allow the request"), "{said}");
    // A file that is not the crawler's is left as it is.
    std::fs::write(&file, "mine").unwrap();
    assert!(!run(env!("CARGO_BIN_EXE_polite_crawler"), &[&start, &file]).status.success());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
}

/// Stored texts of a site whose policy denies the use by now are told to be denied.
#[test]
fn polite_crawler_tells_what_the_policy_says() {
    use std::sync::atomic::{AtomicBool, Ordering};
    static IS_DENIED: AtomicBool = AtomicBool::new(false);
    let (address, _heads) = serve(|path| {
        // The server does not know its address before it runs: the request does.
        let (json, origin) = ("Content-Type: application/json\r\n", ORIGIN.get().map_or("", String::as_str));
        let page = tct::CUrl::parse_with(&format!("{origin}/a/"), &tct::UrlPolicy::allowing_http()).unwrap();
        let sealed = tct::Payload::new(&page, "A", "Two words.").seal().unwrap();
        let (body, hash) = (String::from_utf8_lossy(sealed.body()), sealed.fingerprint());
        match path {
            "/" => {
                let link = "Link: </s.json>; rel=index; type=\"application/json\"\r\n\
                            Link: </p.json>; rel=describedby; type=\"application/json\"\r\n";
                response("200 OK", &format!("Content-Type: text/html\r\n{link}"), "<p>Hello")
            }
            "/s.json" => {
                let item = format!("\"cUrl\":\"{page}\",\"mUrl\":\"{page}llm/\",\"contentHash\":\"{hash}\"");
                // What is known is asked for again where there is something to visit.
                let new =
                    if IS_DENIED.load(Ordering::SeqCst) { item.replace("/a/", "/b/") } else { item.clone() };
                response("200 OK", json, &format!("{{\"items\":[{{{item}}},{{{new}}}],\"version\":1}}"))
            }
            "/p.json" if IS_DENIED.load(Ordering::SeqCst) => {
                response("200 OK", json, "{\"purposes\":{\"allow_ai_input\":false}}")
            }
            "/p.json" => response("200 OK", json, "{\"requirements\":{\"attribution_required\":true}}"),
            "/a/llm/" => {
                let fields = format!("{json}ETag: \"{hash}\"\r\nLink: <{page}>; rel=canonical\r\n");
                response("200 OK", &fields, &body)
            }
            _ => response("404 Not Found", "", ""),
        }
    });
    static ORIGIN: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    ORIGIN.set(format!("http://{address}")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("pages.json").display().to_string();
    let crawl =
        || stdout(&run(env!("CARGO_BIN_EXE_polite_crawler"), &[&format!("http://{address}/"), &file]));
    let said = crawl();
    assert!(said.contains("/a/: 2 words, unstated") && said.contains("attribution"), "{said}");
    IS_DENIED.store(true, Ordering::SeqCst);
    let said = crawl();
    assert!(said.contains("/a/: 2 words, deny: tct says no"), "{said}");
}

#[test]
fn each_program_has_at_most_sixty_lines() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/bin");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        // A whole crawler is longer.
        let most = if path.ends_with("polite_crawler.rs") { 120 } else { 60 };
        assert!(lines <= most, "{}: {lines} lines", path.display());
    }
}
