use robots::AiWebIndexVersion;

use super::*;
use crate::{NearMissKind, NoSuffixes};

const TOKEN: &str = "8a93c5f24b1e6d70a9c3f8125e7b6d04";
const LINE: &str = "aiwi-verify=8a93c5f24b1e6d70a9c3f8125e7b6d04";

fn check_of(protocol: Protocol, domain: &str, token: &str) -> WellKnownCheck<'static> {
    let domain = Domain::parse(protocol, domain, &NoSuffixes).unwrap();
    let token = Token::expect(domain, token).unwrap();
    let agent = AiWebIndexAgent::check("AIWebIndex/1.0 verification", AiWebIndexVersion::V1).unwrap();
    WellKnownCheck::new(token, &agent, suffixes()).unwrap()
}

#[cfg(feature = "psl")]
fn suffixes() -> &'static dyn PublicSuffixes {
    &crate::BundledSuffixes
}

#[cfg(not(feature = "psl"))]
fn suffixes() -> &'static dyn PublicSuffixes {
    &NoSuffixes
}

fn respond(check: &mut WellKnownCheck<'_>, status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) {
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    check.on_response(&response.body(body.as_ref().to_vec()).unwrap()).unwrap();
}

fn report(check: &WellKnownCheck<'_>) -> WellKnownReport {
    match check.next_action() {
        Action::Done(report) => report,
        other => panic!("{other:?}"),
    }
}

/// The report on a body served with status 200 as plain text.
fn with_body(protocol: Protocol, token: &str, body: impl AsRef<[u8]>) -> WellKnownReport {
    let mut check = check_of(protocol, "example.com", token);
    respond(&mut check, 200, &[("content-type", "text/plain; charset=utf-8")], body);
    report(&check)
}

fn aiwebindex(body: impl AsRef<[u8]>) -> HttpReason {
    with_body(Protocol::AiWebIndex, TOKEN, body).reason
}

/// The reason that a redirect from `example.com` ends with, or `None` where it is followed.
fn redirect(location: &str) -> Option<HttpReason> {
    let mut check = check_of(Protocol::AiWebIndex, "example.com", TOKEN);
    respond(&mut check, 302, &[("location", location)], "");
    match check.next_action() {
        Action::Done(report) => Some(report.reason),
        _ => None,
    }
}

#[test]
fn the_request_is_plain_https_with_the_verification_user_agent() {
    let check = check_of(Protocol::AiWebIndex, "Bücher.example", TOKEN);
    let Action::Send(request) = check.next_action() else { panic!("no request") };
    assert_eq!(request.method(), Method::GET);
    assert_eq!(request.uri(), "https://xn--bcher-kva.example/.well-known/aiwebindex-verify.txt");
    let names: Vec<_> = request.headers().keys().map(http::HeaderName::as_str).collect();
    assert_eq!(names, ["user-agent", "accept", "accept-encoding"]);
    let check = check_of(Protocol::Llmindex, "example.com", "x").at_port(8443);
    let Action::Send(request) = check.next_action() else { panic!("no request") };
    assert_eq!(request.uri(), "https://example.com:8443/.well-known/llmindex-proof.txt");
}

#[test]
fn a_line_is_enough() {
    for body in [
        LINE.to_owned(),
        format!("{LINE}\n"),
        format!("\u{feff}{LINE}\r\n"),
        format!("# https://example.com/.well-known/aiwebindex-verify.txt\n{LINE}\n"),
        format!("aiwi-verify=00000000000000000000000000000000\r{LINE}\raiwi-verify=x"),
        format!("hello\n\n \t{LINE}\t \nworld"),
    ] {
        assert_eq!(aiwebindex(&body), HttpReason::Verified, "{body:?}");
    }
}

#[test]
fn less_or_more_than_a_line_is_not() {
    for (body, near_miss) in [
        (String::new(), None),
        (format!("#{LINE}"), None),
        (format!("{LINE} # mine"), Some(NearMissKind::Extended)),
        (format!("{LINE}0"), Some(NearMissKind::Extended)),
        (LINE[..43].to_owned(), Some(NearMissKind::Truncated)),
        (format!("\"{LINE}\""), Some(NearMissKind::Quotes)),
        (format!("/.well-known/x?{LINE}"), None),
        (TOKEN.to_owned(), Some(NearMissKind::PrefixMissing)),
        (format!("\u{feff}\u{feff}{LINE}"), None),
        (format!("x\u{b}{LINE}"), None),
    ] {
        let report = with_body(Protocol::AiWebIndex, TOKEN, &body);
        assert_eq!((report.reason, report.near_miss), (HttpReason::NoMatch, near_miss), "{body:?}");
    }
}

#[test]
fn a_line_may_be_there_twice() {
    assert_eq!(aiwebindex(format!("{LINE}\n{LINE}\n")), HttpReason::Verified);
}

#[test]
fn pages_and_oversized_bodies_are_refused() {
    assert_eq!(aiwebindex(format!("<!doctype html>\n{LINE}\n")), HttpReason::HtmlBody);
    assert_eq!(aiwebindex(format!("\u{feff} \n<p>\n{LINE}\n")), HttpReason::HtmlBody);
    assert_eq!(aiwebindex([LINE.as_bytes(), b"\n\xff"].concat()), HttpReason::NotUtf8);
    let padded = |len: usize| format!("{LINE}\n{}", "x".repeat(len - LINE.len() - 1));
    assert_eq!(aiwebindex(padded(MAX_BODY_BYTES)), HttpReason::Verified);
    assert_eq!(aiwebindex(padded(MAX_BODY_BYTES + 1)), HttpReason::BodyTooLarge);
    for (content_type, expected) in [
        ("Text/HTML; charset=utf-8", HttpReason::HtmlContentType),
        ("application/xhtml+xml", HttpReason::HtmlContentType),
        ("application/xml", HttpReason::MarkupContentType),
        ("image/svg+xml", HttpReason::MarkupContentType),
        ("application/octet-stream", HttpReason::Verified),
    ] {
        for protocol in [Protocol::AiWebIndex, Protocol::Llmindex] {
            let mut check = check_of(protocol, "example.com", TOKEN);
            let body = [protocol.value_prefix(), TOKEN].concat();
            respond(&mut check, 200, &[("content-type", content_type)], body);
            assert_eq!(report(&check).reason, expected);
            assert_eq!(report(&check).warnings, [FileWarning::NotPlainText]);
        }
    }
}

#[test]
fn an_llmindex_file_is_the_challenge() {
    let reason = |body: &str| with_body(Protocol::Llmindex, "llmindex-verify=x y", body).reason;
    for body in [
        "llmindex-verify=x y",
        "\u{feff}llmindex-verify=x y",
        "llmindex-verify=x y\n",
        "llmindex-verify=x y \t\r\n\r\n",
    ] {
        assert_eq!(reason(body), HttpReason::Verified, "{body:?}");
    }
    for body in [
        "",
        "\n",
        " llmindex-verify=x y",
        "llmindex-verify=x",
        "llmindex-verify=x yz",
        "llmindex-verify=x y\nz",
        "# comment\nllmindex-verify=x y",
        "aiwi-verify=llmindex-verify=x y",
        "\"llmindex-verify=x y\"",
    ] {
        assert_eq!(reason(body), HttpReason::NoMatch, "{body:?}");
    }
    assert_eq!(report(&check_of(Protocol::Llmindex, "example.com", "")).reason, HttpReason::WeakToken);
    // A challenge that ends with a blank can be met only to the byte.
    assert_eq!(with_body(Protocol::Llmindex, "x ", "x ").reason, HttpReason::Verified);
    assert_eq!(with_body(Protocol::Llmindex, "x ", "x").reason, HttpReason::NoMatch);
}

#[test]
fn a_challenge_that_reads_like_a_file_name_is_no_path() {
    let check = check_of(Protocol::Llmindex, "example.com", "../../secret.txt");
    let Action::Send(request) = check.next_action() else { panic!("no request") };
    assert_eq!(request.uri().path(), "/.well-known/llmindex-proof.txt");
    let report = with_body(Protocol::Llmindex, "llmindex-verify.txt", "llmindex-verify.txt");
    assert!(report.is_verified());
    assert_eq!(report.warnings, [FileWarning::ValueLooksLikeFileName]);
}

#[test]
fn only_status_200_counts() {
    for status in [201, 203, 204, 206, 300, 304, 305, 400, 401, 403, 404, 410, 418, 429, 500, 503] {
        let mut check = check_of(Protocol::AiWebIndex, "example.com", TOKEN);
        respond(&mut check, status, &[("location", "/x")], LINE);
        assert_eq!(report(&check).reason, HttpReason::Status(status));
        assert_eq!(report(&check).is_undecided(), status == 429 || status >= 500);
    }
}

#[test]
fn redirects_are_followed_within_their_bounds() {
    use HttpReason as Reason;
    assert_eq!(redirect("/other.txt"), None);
    assert_eq!(redirect("other.txt?x#y"), None);
    assert_eq!(redirect("//example.com/x"), None);
    assert_eq!(redirect("https://EXAMPLE.com:443/x"), None);
    for (location, expected) in [
        ("http://example.com/.well-known/aiwebindex-verify.txt", Reason::RedirectNotHttps),
        ("javascript:alert(1)", Reason::RedirectNotHttps),
        ("https://user@example.com/", Reason::RedirectWithUserinfo),
        ("https://user:pass@example.com/", Reason::RedirectWithUserinfo),
        ("https://:pass@example.com/", Reason::RedirectWithUserinfo),
        ("https://example.com@evil.example/", Reason::RedirectWithUserinfo),
        ("https://example.com:8443/", Reason::RedirectToPort),
        ("https://example.com:80/", Reason::RedirectToPort),
        ("https://evil.example/", Reason::RedirectCrossDomain),
        ("https://example.com.evil.example/", Reason::RedirectCrossDomain),
        ("https://evilexample.com/", Reason::RedirectCrossDomain),
        ("https://ex\u{430}mple.com/", Reason::RedirectCrossDomain),
        ("\\\\evil.example\\x", Reason::RedirectCrossDomain),
        ("https://93.184.215.14/", Reason::RedirectCrossDomain),
        ("https://[2001:db8::1]/", Reason::RedirectCrossDomain),
        ("https://example.com./", Reason::RedirectCrossDomain),
        ("https://example.com:99999/", Reason::BadLocation),
        ("https://", Reason::BadLocation),
        ("", Reason::RedirectLoop),
        ("#x", Reason::RedirectLoop),
        (".././.well-known/aiwebindex-verify.txt", Reason::RedirectLoop),
    ] {
        assert_eq!(redirect(location), Some(expected), "{location:?}");
    }
    assert_eq!(redirect(&format!("/{}", "x".repeat(9000))), Some(Reason::BadLocation));
}

#[cfg(feature = "psl")]
#[test]
fn redirects_stay_with_the_owner() {
    let follows = |domain: &str, location: &str| {
        let mut check = check_of(Protocol::AiWebIndex, domain, TOKEN);
        respond(&mut check, 308, &[("location", location)], "");
        match check.next_action() {
            Action::Done(report) => assert_eq!(report.reason, HttpReason::RedirectCrossDomain),
            _ => return true,
        }
        false
    };
    assert!(follows("www.example.com", "https://example.com/x"));
    assert!(follows("example.com", "https://www.example.com/x"));
    assert!(!follows("alice.github.io", "https://bob.github.io/x"));
    assert!(!follows("alice.github.io", "https://github.io/x"));
    assert!(!follows("a.co.uk", "https://b.co.uk/x"));
    assert!(!follows("a.shop.ck", "https://a.other.ck/x"));
    assert!(!follows("a.shop.ck", "https://b.other.ck/x"));
    assert!(!follows("x.a.ck", "https://y.b.ck/x"));
    assert!(follows("a.www.ck", "https://www.ck/x"));
}

#[test]
fn three_hops_are_followed_and_the_fourth_is_not() {
    for (hops, expected) in [(3, HttpReason::Verified), (4, HttpReason::TooManyRedirects)] {
        let mut check = check_of(Protocol::AiWebIndex, "example.com", TOKEN);
        for hop in 0..hops {
            respond(&mut check, 307, &[("location", &format!("/{hop}"))], "");
        }
        if hops == 3 {
            respond(&mut check, 200, &[("content-type", "text/plain")], LINE);
        }
        let report = report(&check);
        assert_eq!(report.reason, expected);
        assert_eq!(report.requests.len(), 4);
        assert_eq!(report.requests[3], "https://example.com/2");
    }
}

#[test]
fn a_chain_that_leaves_https_fails_though_it_would_come_back() {
    let mut check = check_of(Protocol::AiWebIndex, "example.com", TOKEN);
    respond(&mut check, 301, &[("location", "/a")], "");
    respond(&mut check, 301, &[("location", "http://example.com/b")], "");
    assert_eq!(report(&check).reason, HttpReason::RedirectNotHttps);
    assert_eq!(report(&check).requests.len(), 2);
}

#[test]
fn a_loop_and_missing_or_ambiguous_locations_are_told_apart() {
    let mut check = check_of(Protocol::AiWebIndex, "example.com", TOKEN);
    respond(&mut check, 302, &[("location", "/a")], "");
    respond(&mut check, 302, &[("location", "/.well-known/aiwebindex-verify.txt")], "");
    assert_eq!(report(&check).reason, HttpReason::RedirectLoop);
    let mut check = check_of(Protocol::AiWebIndex, "example.com", TOKEN);
    respond(&mut check, 302, &[], LINE);
    assert_eq!(report(&check).reason, HttpReason::LocationMissing);
    let mut check = check_of(Protocol::AiWebIndex, "example.com", TOKEN);
    respond(&mut check, 302, &[("location", "/a"), ("location", "/b")], "");
    assert_eq!(report(&check).reason, HttpReason::LocationAmbiguous);
    let mut check = check_of(Protocol::AiWebIndex, "example.com", TOKEN);
    let response = Response::builder().status(302).header("location", &b"/\xff"[..]).body(Vec::new());
    check.on_response(&response.unwrap()).unwrap();
    assert_eq!(report(&check).reason, HttpReason::BadLocation);
}

#[test]
fn llmindex_stays_on_the_host_and_may_keep_its_port() {
    let hop = |location: &str| {
        let mut check = check_of(Protocol::Llmindex, "example.com", "challenge").at_port(8443);
        respond(&mut check, 302, &[("location", location)], "");
        match check.next_action() {
            Action::Done(report) => Some(report.reason),
            _ => None,
        }
    };
    assert_eq!(hop("https://www.example.com/x"), Some(HttpReason::RedirectCrossHost));
    assert_eq!(hop("https://example.com:9000/x"), Some(HttpReason::RedirectToPort));
    assert_eq!(hop("https://example.com:8443/x"), None);
    assert_eq!(hop("https://example.com/x"), None);
    assert_eq!(hop("/x"), None);
}

#[test]
fn robots_are_asked_only_on_request() {
    let mut check = check_of(Protocol::AiWebIndex, "example.com", TOKEN).asking_robots();
    assert!(matches!(check.next_action(), Action::AskRobots { .. }));
    assert!(check.on_response(&Response::new(Vec::new())).is_err());
    check.on_robots(true).unwrap();
    respond(&mut check, 302, &[("location", "/a")], "");
    let Action::AskRobots { url } = check.next_action() else { panic!("not asked") };
    assert_eq!(url, "https://example.com/a");
    check.on_robots(false).unwrap();
    assert_eq!(report(&check).reason, HttpReason::RobotsDisallow);
    assert_eq!(report(&check).requests, ["https://example.com/.well-known/aiwebindex-verify.txt"]);
}

#[test]
fn an_answer_to_no_question_is_an_error_and_changes_nothing() {
    let mut check = check_of(Protocol::AiWebIndex, "example.com", TOKEN);
    assert!(check.on_robots(true).is_err());
    check.on_failure(FetchFailure::Tls).unwrap();
    assert_eq!(report(&check).reason, HttpReason::Failed(FetchFailure::Tls));
    let error = check.on_response(&Response::new(LINE.as_bytes().to_vec())).unwrap_err();
    assert_eq!(error.kind(), WellKnownErrorKind::NothingAsked);
    assert!(check.on_failure(FetchFailure::Timeout).is_err());
    assert_eq!(report(&check).reason, HttpReason::Failed(FetchFailure::Tls));
}

#[test]
fn a_crawlers_user_agent_is_not_for_verification() {
    let domain = Domain::parse(Protocol::AiWebIndex, "example.com", &NoSuffixes).unwrap();
    let token = Token::expect(domain, TOKEN).unwrap();
    let agent = AiWebIndexAgent::builder(AiWebIndexVersion::V1).build().unwrap();
    let error = WellKnownCheck::new(token, &agent, &NoSuffixes).unwrap_err();
    assert_eq!(error.kind(), WellKnownErrorKind::NoVerificationAgent);
}

#[test]
fn a_weak_token_is_not_even_asked_for() {
    let check = check_of(Protocol::AiWebIndex, "example.com", "abc");
    assert_eq!(report(&check).reason, HttpReason::WeakToken);
    assert!(report(&check).requests.is_empty());
}

#[test]
fn a_check_moves_between_threads_while_it_waits() {
    fn is_send(_: &impl Send) {}
    is_send(&check_of(Protocol::AiWebIndex, "example.com", TOKEN));
}
