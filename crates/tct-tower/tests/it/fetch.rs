//! Single requests beside a crawl: robots.txt is asked first, and nothing of it is passed by.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says what it expects in the plainest way")]

use std::cell::{Cell, RefCell};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use tct::UnixSeconds;
use tct_tower::{FetchError, NoRobots, RobotsGate, RobotsVerdict, fetch};
use url::Url;

const PAGE: &str = "https://example.com/page";

/// Runs `fetch` against a server of one function; the answer, the paths that were asked for, and the seconds that passed.
async fn ask(
    answer: impl Fn(&str) -> Option<Response<Full<Bytes>>>,
    robots: &mut impl RobotsGate,
    max_bytes: usize,
) -> (Result<Response<Bytes>, FetchError>, Vec<String>, u64) {
    let (time, asked) = (Cell::new(1_000_000_u64), RefCell::new(Vec::new()));
    let mut client = tower::service_fn(|request: Request<()>| {
        asked.borrow_mut().push(request.uri().to_string());
        let answer = answer(request.uri().path());
        async move { answer.ok_or("no answer") }
    });
    let sleep = |pause: Duration| {
        time.set(time.get() + pause.as_secs());
        std::future::ready(())
    };
    let clock = (|| UnixSeconds(time.get()), sleep);
    let request = Request::get(PAGE).body(()).unwrap();
    let fetched = fetch(request, max_bytes, &mut client, robots, &clock).await;
    (fetched, asked.into_inner(), time.into_inner() - 1_000_000)
}

fn body(text: impl Into<Bytes>) -> Option<Response<Full<Bytes>>> {
    Some(Response::new(Full::new(text.into())))
}

#[tokio::test]
async fn a_body_is_read_as_far_as_it_is_wanted() {
    for (max_bytes, expected) in
        [(4, Ok(Bytes::from("page"))), (3, Err(FetchError::TooLarge)), (0, Err(FetchError::TooLarge))]
    {
        let (fetched, asked, _) = ask(|_| body("page"), &mut NoRobots, max_bytes).await;
        assert_eq!(fetched.map(Response::into_body), expected);
        assert_eq!(asked, [PAGE]);
    }
    let (fetched, ..) = ask(|_| body(""), &mut NoRobots, 0).await;
    assert!(fetched.unwrap().body().is_empty());
    let (fetched, ..) = ask(|_| None, &mut NoRobots, 4).await;
    assert_eq!(fetched.unwrap_err(), FetchError::NoAnswer);
}

/// A gate that gives these verdicts in turn.
struct Verdicts(Vec<RobotsVerdict>, Vec<Option<usize>>);

impl RobotsGate for Verdicts {
    fn ask(&mut self, url: &Url, _now: UnixSeconds) -> RobotsVerdict {
        assert_eq!(url.as_str(), PAGE);
        self.0.remove(0)
    }

    fn on_answer(&mut self, answer: Option<&Response<Bytes>>, _now: UnixSeconds) {
        self.1.push(answer.map(|answer| answer.body().len()));
    }
}

#[tokio::test]
async fn the_gate_is_obeyed() {
    for (verdict, error) in
        [(RobotsVerdict::NotThis, FetchError::Withheld), (RobotsVerdict::NotNow, FetchError::NotNow)]
    {
        let (fetched, asked, _) = ask(|_| body("page"), &mut Verdicts(vec![verdict], Vec::new()), 4).await;
        assert_eq!((fetched.unwrap_err(), asked.len()), (error, 0));
    }
    let file = || RobotsVerdict::Fetch("https://example.com/robots.txt".parse().unwrap());
    let later = RobotsVerdict::After(UnixSeconds(1_000_030));
    let never = RobotsVerdict::After(UnixSeconds(u64::MAX));
    let verdicts = vec![file(), file(), later, never, RobotsVerdict::Send];
    let mut gate = Verdicts(verdicts, Vec::new());
    let first = Cell::new(true);
    let server = |path: &str| match path {
        "/robots.txt" if first.replace(false) => None,
        "/robots.txt" => body(vec![b'#'; 1 << 20]),
        _ => body("page"),
    };
    let (fetched, asked, passed) = ask(server, &mut gate, 4).await;
    assert_eq!(fetched.unwrap().body(), "page");
    assert_eq!(asked.len(), 3, "{asked:?}");
    assert_eq!(gate.1, [None, Some((500 << 10) + 1)], "no answer is told; of a long file its beginning is");
    assert_eq!(passed, 30 + 86_400, "a wait without end is one of a day");
}

/// A crawler that goes from site to site with one gate obeys each site's own file.
#[cfg(feature = "robots")]
#[test]
fn what_one_site_allows_says_nothing_about_another() {
    let (mut robots, now) = (tct_tower::RobotsTxt::new("examplebot"), UnixSeconds(1_000_000));
    for (site, rules, expected) in [
        ("https://example.com", "User-agent: *\nAllow: /\n", RobotsVerdict::Send),
        ("https://example.org", "User-agent: *\nDisallow: /\n", RobotsVerdict::NotThis),
        ("http://example.org", "User-agent: *\nAllow: /\n", RobotsVerdict::Send),
        ("https://example.org", "User-agent: *\nDisallow: /\n", RobotsVerdict::NotThis),
    ] {
        let url = |path: &str| Url::parse(site).unwrap().join(path).unwrap();
        assert_eq!(robots.ask(&url("/page"), now), RobotsVerdict::Fetch(url("/robots.txt")), "{site}");
        robots.on_answer(Some(&Response::new(Bytes::from(rules))), now);
        assert_eq!(robots.ask(&url("/page"), now), expected, "{site}");
    }
}

#[cfg(feature = "robots")]
#[tokio::test]
async fn robots_txt_of_a_site() {
    let mut robots = tct_tower::RobotsTxt::new("examplebot").with_pause(3);
    let site = |path: &str| match path {
        "/robots.txt" => body("User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n"),
        _ => body("page"),
    };
    let mut passed_all = 0;
    for _ in 0..3 {
        // The clock of `ask` begins anew, so the pause since the last request is seen from its end.
        let (fetched, _, passed) = ask(site, &mut robots, 4).await;
        assert!(fetched.is_ok());
        passed_all += passed;
    }
    assert!(passed_all >= 3, "a pause between two requests: {passed_all}");
    assert_eq!(robots.file(UnixSeconds(1_000_001)).unwrap().groups().len(), 1);
    let mut robots = tct_tower::RobotsTxt::new("examplebot");
    let (fetched, asked, _) = ask(
        |path| match path {
            "/robots.txt" => body("User-agent: examplebot\nDisallow: /page\n"),
            _ => body("page"),
        },
        &mut robots,
        4,
    )
    .await;
    assert_eq!((fetched.unwrap_err(), asked.len()), (FetchError::Withheld, 1));
}
