//! A server's whole check, as an attacker and as bad luck would have it. Each fault that was found stands here by name.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail where it stands")]

use bot_auth::{
    AgentForm, AgentId, Check, Coverage, CrawlerSigner, DIRECTORY_MEDIA_TYPE, DIRECTORY_PATH, Fetched,
    Identity, Message, Policy, Reason, SignErrorKind, SignedHeaders, Strangers, Verifier, content_digest,
    directory_body,
};
use covers::covers;
use jwk::SigningKey;
use web_values::UnixSeconds;

const NOW: UnixSeconds = UnixSeconds(1_790_000_000);
const AGENT: &str = "https://bot.example";
const URL: &str = "https://shop.example/page?x=1";

fn key() -> SigningKey {
    SigningKey::from_secret(&[7; 32])
}

fn signer() -> CrawlerSigner {
    CrawlerSigner::new(key(), AGENT).unwrap()
}

fn request() -> Message<'static> {
    Message::request("GET", URL).unwrap()
}

fn with<'a>(message: Message<'a>, signed: &'a SignedHeaders) -> Message<'a> {
    message
        .header("Signature-Agent", &signed.signature_agent)
        .header("Signature-Input", &signed.signature_input)
        .header("Signature", &signed.signature)
}

fn verifier() -> Verifier {
    Verifier::of_agents([AGENT.parse().unwrap()])
}

/// Hands in the agent's directory.
fn publish(site: &mut Verifier, url: &str, now: UnixSeconds) {
    let body = directory_body([&key()]);
    let headers = [("Content-Type", DIRECTORY_MEDIA_TYPE.as_bytes())];
    let response = Fetched { url, status: 200, headers: &headers, body: body.as_bytes() };
    site.on_response(url, &response, now).unwrap();
}

fn answer(site: &mut Verifier, url: &str, status: u16, now: UnixSeconds) {
    let response = Fetched { url, status, headers: &[], body: b"" };
    assert!(site.on_response(url, &response, now).is_err());
}

/// Checks a request, with the agent's directory at its place.
fn judge(site: &mut Verifier, message: &Message<'_>, now: UnixSeconds) -> Identity {
    loop {
        match site.check(message, now) {
            Check::Done(identity) => return identity,
            Check::Fetch(url) => publish(site, &url, now),
            Check::Wait(url) => panic!("{url}"),
        }
    }
}

/// A captured request is replayed with junk labels: it takes no room, and honest agents come in.
#[test]
#[covers("WBA-NONCE-1")]
fn junk_labels_lock_nobody_out() {
    let mut site = verifier().replay_window(50, 20);
    let captured = signer().sign(&request(), b"captured", NOW).unwrap();
    assert!(matches!(judge(&mut site, &with(request(), &captured), NOW), Identity::Verified(_)));
    for n in 0..1_040 {
        let keyid = key().thumbprint();
        let mut forged = captured.clone();
        for junk in 0..90 {
            forged.signature_input += &format!(
                ", j{junk}=(\"@authority\" \"signature-agent\";key=\"sig1\");created=1790000000;expires=1790003600;keyid=\"{keyid}\";nonce=\"{n}-{junk}\";tag=\"web-bot-auth\""
            );
            forged.signature += &format!(", j{junk}=:AAAA:");
        }
        let identity = judge(&mut site, &with(request(), &forged), NOW);
        assert_eq!(identity, Identity::Unverified(Reason::Replayed));
        assert_eq!(site.remembered(), 1);
    }
    let fresh = signer().sign(&request(), b"fresh", NOW).unwrap();
    assert!(matches!(judge(&mut site, &with(request(), &fresh), NOW), Identity::Verified(_)));
}

/// The same signature under a second label of the same request is one signature.
#[test]
fn a_label_that_is_repeated_under_another_name_is_one_signature() {
    let mut site = verifier();
    let mut signed = signer().sign(&request(), b"n", NOW).unwrap();
    signed.signature_input =
        format!("{0}, {1}", signed.signature_input, signed.signature_input.replacen("sig1=", "b=", 1));
    signed.signature = format!("{0}, {1}", signed.signature, signed.signature.replacen("sig1=", "b=", 1));
    assert!(matches!(judge(&mut site, &with(request(), &signed), NOW), Identity::Verified(_)));
    assert_eq!(site.remembered(), 1);
}

#[test]
#[covers("WBA-TIME-1")]
fn lifetimes_over_an_hour_are_refused() {
    let day = signer().lifetime_secs(86_400).unwrap().sign(&request(), b"n", NOW).unwrap();
    let identity = judge(&mut verifier(), &with(request(), &day), NOW);
    assert_eq!(identity, Identity::Unverified(Reason::LifetimeTooLong));
}

/// The default binds method and target; what deployed agents sign has a name.
#[test]
#[covers("WBA-COV-1", "WBA-AMB-41")]
fn a_signature_over_less_than_the_request_is_refused_unless_asked_for() {
    let chatgpt = signer().only_components(["\"@method\"", "\"@path\""]).agent_form(AgentForm::Text);
    let google = signer().only_components(Vec::<String>::new());
    for (signer, found, lax) in
        [(chatgpt, Coverage::Path, Policy::path_alone()), (google, Coverage::Authority, Policy::host_alone())]
    {
        let signed = signer.sign(&request(), b"n", NOW).unwrap();
        let message = with(request(), &signed);
        let refused = Identity::Unverified(Reason::CoverageTooSmall(found));
        assert_eq!(judge(&mut verifier(), &message, NOW), refused);
        let Identity::Verified(verified) = judge(&mut verifier().policy(lax), &message, NOW) else {
            panic!()
        };
        assert_eq!(verified.coverage, found);
        let stricter = Policy { min_coverage: Coverage::Request, ..Policy::host_alone() };
        assert_eq!(judge(&mut verifier().policy(stricter), &message, NOW), refused);
    }
}

/// A body that no covered digest speaks of may be anybody's.
#[test]
#[covers("WBA-BODY-1")]
fn a_body_is_bound_by_its_digest() {
    let post =
        |body: &'static [u8]| Message::request("POST", "https://shop.example/order").unwrap().body(body);
    let bare = signer().sign(&post(b"7 cups"), b"a", NOW).unwrap();
    let digest = content_digest(b"7 cups");
    let judge =
        |message: Message<'_>, signed: &SignedHeaders| judge(&mut verifier(), &with(message, signed), NOW);
    let refused = |reason| Identity::Unverified(reason);
    assert_eq!(judge(post(b"7 cups"), &bare), refused(Reason::BodyNotCovered));
    let announced =
        Message::request("POST", "https://shop.example/order").unwrap().header("Content-Length", "6");
    assert_eq!(judge(announced, &bare), refused(Reason::BodyNotCovered));
    let empty = Message::request("POST", "https://shop.example/order").unwrap().header("Content-Length", "0");
    assert!(matches!(judge(empty, &bare), Identity::Verified(_)));

    let signed = signer().sign(&post(b"7 cups").header("Content-Digest", &digest), b"b", NOW).unwrap();
    assert!(matches!(
        judge(post(b"7 cups").header("Content-Digest", &digest), &signed),
        Identity::Verified(_)
    ));
    let other = judge(post(b"9 cups").header("Content-Digest", &digest), &signed);
    assert_eq!(other, refused(Reason::DigestMismatch));
    let unknown = Message::request("POST", "https://shop.example/order")
        .unwrap()
        .header("Transfer-Encoding", "chunked");
    assert_eq!(judge(unknown.header("Content-Digest", &digest), &signed), refused(Reason::BodyUnknown));
}

/// `https://shared.example/attacker/%2e%2e/victim/keys.json` is neither fetched nor the victim.
#[test]
#[covers("WBA-AGENT-7", "WBA-AMB-42")]
fn an_agent_with_dot_segments_is_refused_before_any_fetch() {
    let victim: AgentId = "https://shared.example/victim/keys.json".parse().unwrap();
    for path in
        ["attacker/%2e%2e/victim", "attacker/../victim", "attacker/.%2E/victim", "attacker/..%2fvictim"]
    {
        let signed = signer().sign(&request(), b"n", NOW).unwrap();
        let agent = format!("sig1=\"https://shared.example/{path}/keys.json\"");
        let signed = SignedHeaders { signature_agent: agent, ..signed };
        let mut site = Verifier::of_agents([victim.clone()]).with_strangers(Strangers::default());
        let check = site.check(&with(request(), &signed), NOW);
        assert_eq!(check, Check::Done(Identity::Unverified(Reason::AgentMalformed)), "{path}");
    }
}

/// Places that a stranger would have this server knock at.
#[test]
#[covers("WBA-SSRF-1", "WBA-AMB-43")]
fn private_places_are_not_fetched() {
    for agent in [
        "https://metadata",
        "https://keys.internal",
        "https://nas.local",
        "https://bot.example:22",
        "https://169.254.169.254",
        "https://localhost",
    ] {
        let signed = signer().sign(&request(), b"n", NOW).unwrap();
        let signed = SignedHeaders { signature_agent: format!("sig1=\"{agent}\""), ..signed };
        let mut site = Verifier::default().with_strangers(Strangers::default());
        let check = site.check(&with(request(), &signed), NOW);
        assert_eq!(check, Check::Done(Identity::Unverified(Reason::AgentHost)), "{agent}");
    }
}

/// Nothing is fetched for strangers unless it is asked for, and then within a budget.
#[test]
fn strangers_cost_nothing_unless_asked_for() {
    let claim = |n: u32| {
        let signed = signer().sign(&request(), b"n", NOW).unwrap();
        SignedHeaders { signature_agent: format!("sig1=\"https://s{n}.example\""), ..signed }
    };
    let check = |site: &mut Verifier, n: u32, now| site.check(&with(request(), &claim(n)), now);
    let mut site = verifier();
    assert_eq!(check(&mut site, 1, NOW), Check::Done(Identity::Unverified(Reason::AgentUnknown)));

    let strangers = Strangers { max_directories: 10, fetches_a_minute: 20, ..Strangers::default() };
    let mut site = verifier().with_strangers(strangers);
    let fetched = (0..1_000).filter(|n| matches!(check(&mut site, *n, NOW), Check::Fetch(_))).count();
    assert_eq!(fetched, 20);
    assert_eq!(check(&mut site, 999, NOW), Check::Done(Identity::Unverified(Reason::DirectoryLater)));
    // The listed agent has its own.
    let signed = signer().sign(&request(), b"n", NOW).unwrap();
    assert!(matches!(judge(&mut site, &with(request(), &signed), NOW), Identity::Verified(_)));
    let later = NOW.saturating_add(61);
    for n in 2_000..2_020 {
        if let Check::Fetch(url) = check(&mut site, n, later) {
            publish(&mut site, &url, later);
        }
    }
    let (held, bytes) = site.directories().size();
    assert!(held <= 11 && bytes < 4_000, "{held} directories of {bytes} bytes");
}

/// One host is asked so often in an hour, whatever is named on it.
#[test]
fn a_host_has_a_budget_of_fetches() {
    let strangers = Strangers { fetches_a_minute: u32::MAX, ..Strangers::default() };
    let mut site = Verifier::default().with_strangers(strangers);
    let signed = signer().sign(&request(), b"n", NOW).unwrap();
    let fetched = (0..500).filter(|n| {
        let agent = format!("sig1=\"https://victim.example/{n}\"");
        let signed = SignedHeaders { signature_agent: agent, ..signed.clone() };
        matches!(site.check(&with(request(), &signed), NOW), Check::Fetch(_))
    });
    assert_eq!(fetched.count(), 60);
}

/// Strangers that name the host of a listed agent, as often as they may, use up nothing of its own.
#[test]
fn strangers_on_the_host_of_a_listed_agent_do_not_lock_it_out() {
    let signed = signer().sign(&request(), b"n", NOW).unwrap();
    let mut site = verifier().with_strangers(Strangers::default());
    let fetched = (0..100).filter(|n| {
        let agent = format!("sig1=\"{AGENT}/{n}\"");
        let signed = SignedHeaders { signature_agent: agent, ..signed.clone() };
        matches!(site.check(&with(request(), &signed), NOW), Check::Fetch(_))
    });
    assert_eq!(fetched.count(), 60);
    assert!(matches!(judge(&mut site, &with(request(), &signed), NOW), Identity::Verified(_)));
}

/// Clients that name a listed agent and hang up while its directory is fetched have its host asked a few times a minute, and
/// use up nothing: a few seconds later it is fetched.
#[test]
fn clients_that_hang_up_do_not_lock_a_listed_agent_out() {
    let signed = signer().sign(&request(), b"n", NOW).unwrap();
    let mut site = verifier();
    let mut begun = 0;
    for n in 0..6_000 {
        let now = NOW.saturating_add(n / 100);
        if let Check::Fetch(url) = site.check(&with(request(), &signed), now) {
            begun += 1;
            site.on_cancel(&url);
        }
    }
    assert_eq!(begun, 12, "in a minute");
    assert!(matches!(
        judge(&mut site, &with(request(), &signed), NOW.saturating_add(64)),
        Identity::Verified(_)
    ));
}

/// Fetches that are refused for one reason do not count for another: strangers come in again a minute later.
#[test]
fn refused_fetches_cost_strangers_nothing() {
    let signed = signer().sign(&request(), b"n", NOW).unwrap();
    let ask = |site: &mut Verifier, agent: &str, now| {
        let signed = SignedHeaders { signature_agent: format!("sig1=\"{agent}\""), ..signed.clone() };
        matches!(site.check(&with(request(), &signed), now), Check::Fetch(_))
    };
    let later = NOW.saturating_add(60);
    let mut site = Verifier::default().with_strangers(Strangers::default());
    let of_one_host = (0..200).filter(|n| ask(&mut site, &format!("https://busy.example/{n}"), NOW)).count();
    assert_eq!(of_one_host, 60);
    assert!((0..200).all(|n| !ask(&mut site, &format!("https://quiet.example/{n}"), NOW)));
    assert!(ask(&mut site, "https://quiet.example", later), "its host was not asked yet");
    // A host that is used up takes nothing from the others.
    assert!((0..200).all(|n| !ask(&mut site, &format!("https://busy.example/more/{n}"), later)));
    assert!(ask(&mut site, "https://other.example", later));
    // Invented hosts take no room.
    let mut site = Verifier::default().with_strangers(Strangers::default());
    let fetched = (0..12_000).filter(|n| ask(&mut site, &format!("https://s{n}.example"), NOW)).count();
    assert_eq!(fetched, 60);
    assert!(ask(&mut site, "https://honest.example", later));
}

/// A hundred signatures of one request ask for a few directories.
#[test]
fn a_request_asks_for_a_few_directories() {
    let mut site = Verifier::default().with_strangers(Strangers::default());
    let keyid = key().thumbprint();
    let (mut agents, mut inputs, mut signatures) = (Vec::new(), Vec::new(), Vec::new());
    for n in 0..100 {
        agents.push(format!("s{n}=\"https://s{n}.example\""));
        inputs.push(format!("s{n}=(\"@method\" \"@target-uri\" \"signature-agent\";key=\"s{n}\");created=1790000000;expires=1790000300;keyid=\"{keyid}\";tag=\"web-bot-auth\""));
        signatures.push(format!("s{n}=:AAAA:"));
    }
    let signed = SignedHeaders {
        signature_agent: agents.join(", "),
        signature_input: inputs.join(", "),
        signature: signatures.join(", "),
    };
    let mut fetched = 0;
    while let Check::Fetch(url) = site.check(&with(request(), &signed), NOW) {
        fetched += 1;
        answer(&mut site, &url, 404, NOW);
    }
    assert_eq!(fetched, 4);
}

/// Keys do not outlive their publication.
#[test]
#[covers("WBA-CACHE-2", "WBA-AMB-44")]
fn directories_end() {
    for (status, ends_after) in [(410, 3_600), (404, 3_600), (500, 86_400), (0, 86_400)] {
        let mut site = verifier();
        let first = signer().sign(&request(), b"first", NOW).unwrap();
        assert!(matches!(judge(&mut site, &with(request(), &first), NOW), Identity::Verified(_)));
        // The directory is fresh for an hour; from then on every minute or so brings this status.
        let mut last = NOW;
        for minutes in 60..90 * 24 * 60 / 30 {
            let now = UnixSeconds(NOW.0 + minutes * 60);
            let signed = signer().sign(&request(), &minutes.to_be_bytes(), now).unwrap();
            let identity = loop {
                match site.check(&with(request(), &signed), now) {
                    Check::Done(identity) => break identity,
                    Check::Fetch(url) => answer(&mut site, &url, status, now),
                    Check::Wait(url) => panic!("{url}"),
                }
            };
            if let Identity::Verified(_) = identity {
                last = now;
            }
        }
        let held = last.seconds_since(NOW) - 3_600;
        assert!((ends_after - 120..=ends_after).contains(&held), "{status}: {held}");
    }
}

/// A 200 that is no directory is not held, and does not take the place of one.
#[test]
fn a_page_in_place_of_a_directory_changes_nothing() {
    let mut site = verifier();
    let sign = |nonce: u64, now| signer().sign(&request(), &nonce.to_be_bytes(), now).unwrap();
    assert!(matches!(judge(&mut site, &with(request(), &sign(0, NOW)), NOW), Identity::Verified(_)));
    let now = NOW.saturating_add(3_601);
    let signed = sign(1, now);
    let Check::Fetch(url) = site.check(&with(request(), &signed), now) else { panic!() };
    let headers = [("Content-Type", b"text/html".as_slice()), ("Cache-Control", b"max-age=86400".as_slice())];
    let page = Fetched { url: &url, status: 200, headers: &headers, body: b"<p>We are back soon." };
    assert!(site.on_response(&url, &page, now).is_err());
    assert!(matches!(site.check(&with(request(), &signed), now), Check::Done(Identity::Verified(_))));
    // It is asked for again after a minute, not after a day.
    let now = now.saturating_add(60);
    assert!(matches!(site.check(&with(request(), &sign(2, now)), now), Check::Fetch(_)));
}

/// An error of the directory's server says nothing about the agent; its absence does.
#[test]
fn a_servers_own_error_is_later_and_not_absent() {
    for (status, expected) in [
        (500, Reason::DirectoryLater),
        (503, Reason::DirectoryLater),
        (429, Reason::DirectoryLater),
        (404, Reason::DirectoryFailed),
        (410, Reason::DirectoryFailed),
        (302, Reason::DirectoryFailed),
    ] {
        let mut site = verifier();
        let signed = signer().sign(&request(), b"n", NOW).unwrap();
        let message = with(request(), &signed);
        let Check::Fetch(url) = site.check(&message, NOW) else { panic!() };
        answer(&mut site, &url, status, NOW);
        assert_eq!(site.check(&message, NOW), Check::Done(Identity::Unverified(expected)), "{status}");
    }
}

/// One request fetches, the others wait; a fetch that is lost or given back is made again.
#[test]
fn a_directory_is_fetched_by_one_request_at_a_time() {
    let mut site = verifier();
    let signed = signer().sign(&request(), b"n", NOW).unwrap();
    let message = with(request(), &signed);
    let Check::Fetch(url) = site.check(&message, NOW) else { panic!() };
    assert_eq!(url, format!("{AGENT}{DIRECTORY_PATH}"));
    for _ in 0..100 {
        assert_eq!(site.check(&message, NOW), Check::Wait(url.clone()));
    }
    site.on_cancel(&url);
    let later = Check::Done(Identity::Unverified(Reason::DirectoryLater));
    assert_eq!(site.check(&message, NOW.saturating_add(4)), later);
    assert!(matches!(site.check(&message, NOW.saturating_add(5)), Check::Fetch(_)));
    assert!(matches!(site.check(&message, NOW.saturating_add(35)), Check::Fetch(_)), "it was lost");
    // What nobody asked for is not taken.
    let stranger = "https://other.example/.well-known/http-message-signatures-directory";
    publish(&mut site, stranger, NOW);
    assert_eq!(site.directories().size(), (0, 0));
    publish(&mut site, &url, NOW);
    assert!(matches!(site.check(&message, NOW), Check::Done(Identity::Verified(_))));
}

/// A key that the directory lacks is asked for once a minute, whoever claims it.
#[test]
fn unknown_keys_cause_one_fetch_a_minute() {
    let mut site = verifier();
    let mut fetched = 0;
    for n in 0..600_u64 {
        let now = UnixSeconds(NOW.0 + n / 10);
        let thief = SigningKey::from_secret(&[8; 32]);
        let thief = CrawlerSigner::new(thief, AGENT).unwrap();
        let signed = thief.sign(&request(), &n.to_be_bytes(), now).unwrap();
        while let Check::Fetch(url) = site.check(&with(request(), &signed), now) {
            fetched += 1;
            publish(&mut site, &url, now);
        }
    }
    assert_eq!(fetched, 1);
}

/// A signer is refused when it is made where no verifier could read its keys.
#[test]
fn a_signer_without_a_place_for_its_keys_is_refused() {
    for agent in [
        "https://bot.example/#keys",
        "https://192.0.2.1",
        "https://[2001:db8::1]/",
        "https://localhost",
        "https://bot",
        "https://bot.internal",
        "https://bot.example:8443",
        "https://bot.example/a/../keys",
        "http://bot.example",
        "https://bot.example/.well-known/http-message-signatures-directory?x",
    ] {
        let error = CrawlerSigner::new(key(), agent).unwrap_err();
        assert_eq!(error.kind(), &SignErrorKind::BadAgent, "{agent}");
    }
}

/// What a server asks for is what the signer signs; what cannot be understood is not signed.
#[test]
fn a_challenge_is_answered_as_it_asks() {
    let mut site = verifier();
    let asked = site.asks_for().accept_signature("shop").unwrap();
    let signed = signer().answering(&[asked]).unwrap().sign(&request(), b"n", NOW).unwrap();
    assert!(signed.signature_input.starts_with("shop=(") && signed.signature_agent.starts_with("shop="));
    assert!(matches!(judge(&mut site, &with(request(), &signed), NOW), Identity::Verified(_)));

    let more = r#"a=("@target-uri" "x-tenant" "signature-agent");created;tag="web-bot-auth""#;
    let policy = Policy { components: vec!["\"x-tenant\"".into()], ..Policy::default() };
    let message = || request().header("X-Tenant", "7");
    let signed = signer().answering(&[more]).unwrap().sign(&message(), b"m", NOW).unwrap();
    assert_eq!(signed.signature_agent, "\"https://bot.example\"");
    assert!(matches!(
        judge(&mut verifier().policy(policy), &with(message(), &signed), NOW),
        Identity::Verified(_)
    ));

    for nobody in [
        "",
        "a=1",
        r#"a=("@method");tag="other""#,
        r#"a=("@method");alg="hmac-sha256""#,
        r#"a=("@method");keyid="x""#,
        "(",
    ] {
        assert_eq!(
            signer().answering(&[nobody]).unwrap_err().kind(),
            &SignErrorKind::BadChallenge,
            "{nobody}"
        );
    }
    for odd in [r#"a=("@method" "x";new)"#, r#"a=("@future")"#, r#"a=("x-absent")"#] {
        assert!(signer().answering(&[odd]).unwrap().sign(&request(), b"n", NOW).is_err(), "{odd}");
    }
}

/// The older form of `Signature-Agent`, by option.
#[test]
#[covers("WBA-AGENT-2")]
fn a_signer_writes_the_older_form_when_asked() {
    let signed = signer().agent_form(AgentForm::Text).sign(&request(), b"n", NOW).unwrap();
    assert_eq!(signed.signature_agent, "\"https://bot.example\"");
    assert!(
        signed.signature_input.contains("\"signature-agent\")") && !signed.signature_input.contains("key=")
    );
    assert!(matches!(judge(&mut verifier(), &with(request(), &signed), NOW), Identity::Verified(_)));
    let with_one = request().header("Signature-Agent", "a=\"https://a.example\"");
    let error = signer().agent_form(AgentForm::Text).sign(&with_one, b"n", NOW).unwrap_err();
    assert_eq!(error.kind(), &SignErrorKind::LabelInUse);
}

/// A key that a request brings along is nobody's.
#[test]
#[covers("WBA-AMB-45")]
fn a_key_in_the_request_is_no_identity() {
    let mut site = verifier();
    let thief = CrawlerSigner::new(SigningKey::from_secret(&[8; 32]), AGENT).unwrap();
    let jwk = SigningKey::from_secret(&[8; 32]).to_public_jwk().replace('"', "\\\"");
    let inline = format!("sig1=hwk;jwk=\"{jwk}\"");
    let signed = thief.sign(&request().header("Signature-Key", &inline), b"n", NOW).unwrap();
    let message = with(request().header("Signature-Key", &inline), &signed);
    assert_eq!(judge(&mut site, &message, NOW), Identity::Unverified(Reason::KeyUnknown));
}

/// A clock a year ahead, as at a boot without a battery, makes certificates look expired: all fetches fail.
#[test]
#[covers("WBA-CACHE-2")]
fn a_clock_that_ran_ahead_locks_nobody_out_and_keeps_no_key() {
    let ahead = NOW.saturating_add(365 * 86_400);
    let signed = |nonce, now| signer().sign(&request(), nonce, now).unwrap();
    let url = format!("{AGENT}{DIRECTORY_PATH}");
    // Failed, refused, read, or without an answer: at the right time it is fetched anew.
    for case in 0..4_u8 {
        let mut site = verifier();
        assert_eq!(site.check(&with(request(), &signed(b"ahead", ahead)), ahead), Check::Fetch(url.clone()));
        match case {
            0 => site.on_failure(&url, ahead),
            1 => answer(&mut site, &url, 503, ahead),
            2 => publish(&mut site, &url, ahead),
            _ => {}
        }
        let first = signed(b"right", NOW);
        assert_eq!(site.check(&with(request(), &first), NOW), Check::Fetch(url.clone()), "case {case}");
        assert_eq!(site.directories().size(), (0, 0));
        publish(&mut site, &url, NOW);
        assert!(matches!(judge(&mut site, &with(request(), &first), NOW), Identity::Verified(_)));
    }
    // A second back, as when two threads read the clock, drops nothing and fetches nothing twice.
    let mut site = verifier();
    let (first, before) = (signed(b"first", NOW), UnixSeconds(NOW.0 - 1));
    let message = with(request(), &first);
    assert_eq!(site.check(&message, NOW), Check::Fetch(url.clone()));
    assert_eq!(site.check(&message, before), Check::Wait(url.clone()));
    publish(&mut site, &url, NOW);
    let earlier = signed(b"earlier", before);
    assert!(matches!(site.check(&with(request(), &earlier), before), Check::Done(Identity::Verified(_))));
}

/// A signer that covers less by itself covers what a server asks for: nothing is silently left out.
#[test]
fn a_signer_of_few_components_answers_a_strict_server() {
    let mut site = verifier();
    let wish = site.asks_for().accept_signature("sig1").unwrap();
    for components in [vec![], vec!["\"@path\""], vec!["\"@method\"", "\"@path\""]] {
        let few = signer().only_components(components.clone());
        let signed =
            few.answering(&[&wish]).unwrap().sign(&request(), &[components.len() as u8], NOW).unwrap();
        let identity = judge(&mut site, &with(request(), &signed), NOW);
        assert!(matches!(identity, Identity::Verified(_)), "{wish} {components:?}: {identity}");
    }
}
