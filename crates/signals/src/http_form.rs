//! Responses of the crate `http`, which most clients speak.

use alloc::vec::Vec;
use core::str;

use http::{HeaderMap, Response};

use crate::{RslLinks, TdmRep, UsePrice};

/// Names and values; lines that are not UTF-8 say nothing.
fn fields(headers: &HeaderMap) -> Vec<(&str, &str)> {
    let lines = headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes()));
    lines.filter_map(|(name, value)| Some((name, str::from_utf8(value).ok()?))).collect()
}

impl TdmRep {
    /// As [`add_headers`](TdmRep::add_headers), from a response of the crate `http`.
    pub fn add_header_map(&mut self, headers: &HeaderMap) {
        self.add_headers(fields(headers));
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
        UsePrice::of_response(response.status().as_u16(), fields(response.headers()))
    }
}

impl RslLinks {
    /// As [`of_headers`](RslLinks::of_headers), from a response of the crate `http`.
    #[must_use]
    pub fn of_header_map(headers: &HeaderMap) -> Self {
        RslLinks::of_headers(fields(headers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

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
