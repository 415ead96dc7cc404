//! Resources: which coding and which form of a page a request gets.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use http::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, RANGE, VARY,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use tct::resource::NegotiatedPage;
use tct::{Coding, Resource};

fn request(fields: &[(HeaderName, &str)]) -> HeaderMap {
    fields.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
}

#[test]
fn the_request_chooses_the_coding() {
    use Coding::{Br, Gzip, Identity};
    let have = [Br, Gzip, Identity];
    for (field, expected) in [
        ("", Some(Identity)),
        ("gzip", Some(Gzip)),
        ("br, gzip", Some(Br)),
        ("gzip, deflate, br, zstd", Some(Br)),
        ("br;q=0.5, gzip;q=0.8", Some(Gzip)),
        ("br; q=0.5 , gzip;\tQ=0.8", Some(Gzip)),
        ("GZIP;Q=1", Some(Gzip)),
        ("x-gzip", Some(Gzip)),
        ("gzip;q=0", Some(Identity)),
        ("*", Some(Br)),
        ("*;q=0", None),
        ("identity;q=0", None),
        ("identity;q=0, gzip", Some(Gzip)),
        ("*;q=0, identity", Some(Identity)),
        ("br;q=0, *;q=0.1", Some(Gzip)),
        ("identity, gzip;q=0.5", Some(Identity)),
        // What is no weight is passed over, as `Coding::weight` does.
        ("gzip;q=0.5, br;q=high, identity;q=0.0001", Some(Br)),
        ("x-gzip;q=0", Some(Identity)),
        ("x-gzip, br;q=0.5", Some(Gzip)),
        ("zstd", Some(Identity)),
        ("deflate", Some(Identity)),
        ("deflate, identity;q=0", None),
        ("gzip;q=0.+12, br;q=0.999", Some(Gzip)),
        ("gzip;q=0.0019, br;q=0.999", Some(Gzip)),
        ("gzip;q=1.001, br;q=0.999", Some(Gzip)),
        ("gzip;q=0.01, br;q=0.009", Some(Gzip)),
        (",,", Some(Identity)),
    ] {
        assert_eq!(Coding::negotiate(&request(&[(ACCEPT_ENCODING, field)]), &have), expected, "{field}");
    }
    assert_eq!(Coding::negotiate(&HeaderMap::new(), &have), Some(Identity));
}

#[test]
fn codings_share_the_tag_and_are_never_cut() {
    let resource = Resource::json("{\"items\":[]}").with_coding(Coding::Gzip, "coded");
    let plain = resource.respond(&Method::GET, &HeaderMap::new());
    let fields = [(ACCEPT_ENCODING, "gzip"), (RANGE, "bytes=0-1")];
    let coded = resource.respond(&Method::GET, &request(&fields));
    assert_eq!((coded.status(), coded.body().as_ref()), (StatusCode::OK, b"coded".as_slice()));
    assert_eq!(coded.headers()[CONTENT_ENCODING], "gzip");
    assert_eq!(coded.headers()[ETAG], plain.headers()[ETAG]);
    let part = resource.respond(&Method::GET, &request(&[(RANGE, "bytes=0-1")]));
    assert_eq!((part.status(), part.body().as_ref()), (StatusCode::PARTIAL_CONTENT, b"{\"".as_slice()));
    let none = resource.respond(&Method::GET, &request(&[(ACCEPT_ENCODING, "*;q=0")]));
    assert_eq!(none.body(), plain.body());
}

#[test]
fn accept_chooses_the_form_and_vary_says_so_everywhere() {
    let html = Resource::of("<h1>Tea</h1>", HeaderValue::from_static("text/html"))
        .with_coding(Coding::Gzip, "coded");
    let page = NegotiatedPage::new(html, "# Tea");
    for (accept, is_markdown) in [
        ("text/markdown", true),
        ("text/markdown, text/html", true),
        ("text/markdown;q=0.9, text/html", false),
        ("text/markdown;q=0.9, text/html;q=0.8, */*;q=0.1", true),
        ("TEXT/Markdown", true),
        ("text/markdown;q=0", false),
        ("text/markdown;q=0, */*", false),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false),
        ("*/*", false),
        ("text/*", false),
        ("application/json", false),
        ("", false),
    ] {
        for (method, length) in [(Method::GET, 1), (Method::HEAD, 0)] {
            let ask = request(&[(ACCEPT, accept)]);
            let answer = page.respond(&method, &ask);
            let media_type = answer.headers()[CONTENT_TYPE].to_str().unwrap().to_owned();
            assert_eq!(media_type.starts_with("text/markdown"), is_markdown, "{method} {accept}");
            assert_eq!(usize::from(!answer.body().is_empty()), length);
            assert_eq!(answer.headers()[VARY], "accept, accept-encoding");
            // The tag is that of the form: a client that holds the other one gets this one.
            let mut again = ask.clone();
            again.insert(IF_NONE_MATCH, answer.headers()[ETAG].clone());
            let again = page.respond(&method, &again);
            assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
            assert_eq!(again.headers()[VARY], "accept, accept-encoding");
        }
    }
    let forms = ["text/html", "text/markdown"]
        .map(|accept| page.respond(&Method::GET, &request(&[(ACCEPT, accept)])));
    assert_ne!(forms[0].headers()[ETAG], forms[1].headers()[ETAG]);
    let alone = page.markdown().respond(&Method::GET, &request(&[(ACCEPT, "text/html")]));
    assert_eq!(
        (alone.body().as_ref(), &alone.headers()[VARY]),
        (b"# Tea".as_slice(), &HeaderValue::from_static("accept-encoding"))
    );
}

#[test]
fn weights_are_read_as_rfc_9110_writes_them() {
    for (parameter, expected) in [
        ("q=0", Some(0)),
        ("q=0.", Some(0)),
        ("q=0.000", Some(0)),
        ("Q=0.001", Some(1)),
        ("q=0.5", Some(500)),
        ("q=1", Some(1000)),
        ("q=1.000", Some(1000)),
        ("q=1.001", None),
        ("q=0.0000", None),
        ("q=2", None),
        ("q =0", None),
        ("q= 0", None),
        ("q=\"0\"", None),
        ("q=-0", None),
        ("q=", None),
        ("level=1", None),
    ] {
        let mut request = HeaderMap::new();
        request.insert(ACCEPT_ENCODING, format!("gzip;{parameter}").parse().unwrap());
        // What is not a weight is ignored.
        assert_eq!(Coding::Gzip.weight(&request), expected.unwrap_or(1000), "{parameter}");
    }
}
