//! Responses of the crate `http`, which most clients speak.

use http::{HeaderMap, Response};
use robots::{Crawler, HeaderFields, Preferences};
#[cfg(feature = "html")]
use url::Url;

use crate::{RslLinks, RslState, Signals, TdmRep, UsePrice};

impl TdmRep {
    /// As [`add_headers`](TdmRep::add_headers), from a response of the crate `http`.
    pub fn add_header_map(&mut self, headers: &HeaderMap) {
        self.add_headers(HeaderFields::of(headers).iter());
    }
}

impl UsePrice {
    /// As [`of_response`](UsePrice::of_response), from a response of the crate `http`.
    ///
    /// ```
    /// use signals::UsePrice;
    ///
    /// let response = http::Response::builder().status(402).header("crawler-price", "USD 0.01").body(())?;
    /// assert_eq!(UsePrice::of_http_response(&response).price.map(|price| price.to_string()).as_deref(), Some("USD 0.01"));
    /// # Ok::<(), http::Error>(())
    /// ```
    #[must_use]
    pub fn of_http_response<B>(response: &Response<B>) -> Self {
        UsePrice::of_response(response.status().as_u16(), HeaderFields::of(response.headers()).iter())
    }
}

impl Signals {
    /// The same with what header fields say, such as those of a 304 about a held page, which need not repeat the others: the
    /// stricter of both counts. A licence that they announce counts as one that cannot be read.
    ///
    /// ```
    /// use signals::{Purpose, Signals, Verdict, decide};
    ///
    /// let answer = http::Response::builder().status(304).header("content-signal", "ai-input=no").body(())?;
    /// let held = Signals::default().with_header_map(answer.headers(), "ExampleBot");
    /// assert_eq!(decide(&held, Purpose::AiInput, &[]).verdict, Verdict::Deny);
    /// # Ok::<(), http::Error>(())
    /// ```
    #[must_use]
    pub fn with_header_map<'c>(mut self, headers: &HeaderMap, crawler: impl Into<Crawler<'c>>) -> Self {
        let fields = HeaderFields::of(headers);
        self.preferences = self.preferences.merge(Preferences::of_headers(fields.iter()));
        self.directives.add_headers(fields.iter(), crawler);
        self.tdmrep.add_headers(fields.iter());
        if RslLinks::of_headers(fields.iter()) != RslLinks::default() {
            self.rsl = Some(RslState::Unlicensed);
        }
        self
    }
}

#[cfg(feature = "html")]
impl Signals {
    /// The signals for `crawler` in a page's response: its header fields and the elements of its HTML. The caller adds
    /// robots.txt, TCT's policy and `tdmrep.json`.
    ///
    /// A licence that is announced counts as one that cannot be read, [`RslState::Unlicensed`], until the caller has read it.
    ///
    /// ```
    /// use signals::{Purpose, Signals, Verdict, decide};
    ///
    /// let page = r#"<link rel="license" type="application/rsl+xml" href="/l.xml">"#;
    /// let url = "https://example.com/".parse()?;
    /// let signals = Signals::of_page(&http::Response::new(page), &url, "ExampleBot");
    /// assert_eq!(decide(&signals, Purpose::AiTrain, &[]).verdict, Verdict::Deny);
    /// # Ok::<(), url::ParseError>(())
    /// ```
    #[must_use]
    pub fn of_page<'c, B: AsRef<[u8]>>(
        response: &Response<B>,
        url: &Url,
        crawler: impl Into<Crawler<'c>>,
    ) -> Self {
        let (html, crawler) = (response.body().as_ref(), crawler.into());
        let priced = Signals { price: UsePrice::of_http_response(response), ..Signals::default() };
        let mut signals = priced.with_header_map(response.headers(), crawler);
        signals.directives.add_html(html, crawler);
        signals.tdmrep.add_html(html);
        if RslLinks::of_html(html, url) != RslLinks::default() {
            signals.rsl = Some(RslState::Unlicensed);
        }
        signals
    }
}

impl RslLinks {
    /// As [`of_headers`](RslLinks::of_headers), from a response of the crate `http`.
    #[must_use]
    pub fn of_header_map(headers: &HeaderMap) -> Self {
        RslLinks::of_headers(HeaderFields::of(headers).iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    #[cfg(feature = "html")]
    #[test]
    fn a_page_says_what_its_fields_and_elements_say() {
        use crate::{Purpose, Verdict, decide};
        let url = Url::parse("https://a.example/x").unwrap();
        let judge = |name: &'static str, value: &str, html: &str, purpose| {
            let response = Response::builder().header(name, value).body(html.as_bytes().to_vec()).unwrap();
            decide(&Signals::of_page(&response, &url, "ExampleBot"), purpose, &[]).verdict
        };
        for (name, value, html, purpose) in [
            ("content-signal", "ai-train=no", "", Purpose::AiTrain),
            ("content-usage", "train-ai=n", "", Purpose::AiTrain),
            ("x-robots-tag", "examplebot: noindex", "", Purpose::Search),
            ("x", "", "<meta name=robots content=noindex>", Purpose::Search),
            ("tdm-reservation", "1", "", Purpose::Tdm),
            ("x", "", "<meta name=tdm-reservation content=1>", Purpose::Tdm),
            (
                "link",
                "<https://a.example/l>; rel=license; type=\"application/rsl+xml\"",
                "",
                Purpose::AiInput,
            ),
            ("x", "", "<script type=application/rsl+xml><rsl/></script>", Purpose::AiInput),
        ] {
            assert_eq!(judge(name, value, html, purpose), Verdict::Deny, "{name}: {value} {html}");
        }
        assert_eq!(judge("x-robots-tag", "otherbot: noindex", "<p>x", Purpose::Search), Verdict::Unstated);
        let asked = Response::builder().status(402).header("crawler-price", "USD 0.01").body("").unwrap();
        let asked = decide(&Signals::of_page(&asked, &url, "ExampleBot"), Purpose::AiInput, &[]);
        assert_eq!(asked.verdict, Verdict::Conditional);
        // A byte of another encoding beside a directive takes nothing from it.
        let value = HeaderValue::from_bytes(b"caf\xe9, noai").unwrap();
        let odd = Response::builder().header("x-robots-tag", value).body("").unwrap();
        let odd = decide(&Signals::of_page(&odd, &url, "ExampleBot"), Purpose::AiInput, &[]);
        assert_eq!(odd.verdict, Verdict::Deny);
    }

    #[test]
    fn header_maps_say_the_same_as_their_lines() {
        let mut headers = HeaderMap::new();
        headers.append("tdm-reservation", HeaderValue::from_static("1"));
        headers.append(
            "link",
            HeaderValue::from_static(
                "<https://a.example/l.xml>; rel=\"license\"; type=\"application/rsl+xml\"",
            ),
        );
        headers.append("x", HeaderValue::from_bytes(b"\xff").unwrap());
        let (mut of_map, mut of_lines) = (TdmRep::default(), TdmRep::default());
        of_map.add_header_map(&headers);
        of_lines.add_headers([("tdm-reservation", "1")]);
        assert_eq!(of_map, of_lines);
        assert_ne!(of_map, TdmRep::default());
        assert_eq!(RslLinks::of_header_map(&headers).urls.len(), 1);
    }
}
