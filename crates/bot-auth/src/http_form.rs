//! Messages of the crate `http`, which most servers and clients speak.

use http::{HeaderMap, HeaderValue, Request, Response};

use crate::signer::SignedHeaders;
use crate::{Message, MessageError};

/// The lines of a header map in the form that [`Message::headers`], [`Fetched`](crate::Fetched) and
/// [`KeyCache`](crate::KeyCache) take: names, and values as bytes. Lines of one name keep their order.
#[must_use]
pub fn header_lines(headers: &HeaderMap) -> Vec<(&str, &[u8])> {
    headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect()
}

impl<'a> Message<'a> {
    /// A request as a server got it, or a client is about to send it. `url` is the absolute URL: requests on the wire
    /// have only its path, and behind a proxy take scheme and host from the proxy's headers.
    ///
    /// ```
    /// use bot_auth::{CrawlerSigner, Message};
    /// use jwk::SigningKey;
    /// use web_values::UnixSeconds;
    ///
    /// let mut request = http::Request::get("https://shop.example/a").header("user-agent", "ExampleBot/1.0").body(())?;
    /// let url = request.uri().to_string();
    /// let signer = CrawlerSigner::new(SigningKey::from_secret(&[7; 32]), "https://bot.example")?;
    /// let signed = signer.sign(&Message::of_request(&url, &request)?, &[0; 32], UnixSeconds(1_790_000_000))?;
    /// signed.add_to(request.headers_mut());
    /// assert_eq!(request.headers()["signature-agent"], "sig1=\"https://bot.example\"");
    /// assert!(request.headers().contains_key("signature-input") && request.headers().contains_key("signature"));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Message::request`].
    pub fn of_request<B>(url: &'a str, request: &'a Request<B>) -> Result<Self, MessageError> {
        Ok(Message::request(request.method().as_str(), url)?.headers(header_lines(request.headers())))
    }

    /// A response, with the request that it answers where signatures cover parts of it
    /// ([`answering`](Message::answering)).
    ///
    /// # Errors
    /// None: every status of the crate `http` has three digits. The type is that of [`Message::response`].
    pub fn of_response<B>(response: &'a Response<B>) -> Result<Self, MessageError> {
        Ok(Message::response(response.status().as_u16())?.headers(header_lines(response.headers())))
    }
}

impl SignedHeaders {
    /// Adds the three lines to the headers of a request, in place of such lines that are there.
    pub fn add_to(&self, headers: &mut HeaderMap) {
        for (name, value) in self.lines() {
            // The lines are ASCII without line breaks.
            if let (Ok(name), Ok(value)) = (http::HeaderName::try_from(name), HeaderValue::from_str(value)) {
                headers.insert(name, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CrawlerSigner, Identity, Policy, RequestCheck};
    use jwk::SigningKey;
    use web_values::UnixSeconds;

    #[test]
    fn a_request_of_http_is_the_same_message() {
        let now = UnixSeconds(1_790_000_000);
        let url = "https://shop.example/a?b";
        let mut request =
            Request::post("/a?b").header("User-Agent", "ExampleBot/1.0").header("X", "1").body(()).unwrap();
        request.headers_mut().append("x", HeaderValue::from_static("2"));
        let signer = CrawlerSigner::new(SigningKey::from_secret(&[7; 32]), "https://bot.example").unwrap();
        let plain = Message::request("POST", url)
            .unwrap()
            .header("user-agent", "ExampleBot/1.0")
            .header("x", "1")
            .header("x", "2");
        let expected = signer.sign(&plain, &[0; 32], now).unwrap();
        let signed = signer.sign(&Message::of_request(url, &request).unwrap(), &[0; 32], now).unwrap();
        assert_eq!(signed, expected);
        signed.add_to(request.headers_mut());
        signed.add_to(request.headers_mut());
        let received = Message::of_request(url, &request).unwrap();
        let check = RequestCheck::new(&received, &Policy::default(), now);
        assert!(check.wanted().is_some(), "well formed as far as no key is needed");
        let identity = check.identity();
        assert!(matches!(identity, Identity::Unverified(crate::Reason::DirectoryLater)), "{identity:?}");
    }

    #[test]
    fn a_response_has_its_lines() {
        let response = Response::builder().status(404).header("Content-Type", "text/plain").body(()).unwrap();
        let message = Message::of_response(&response).unwrap();
        let params = crate::SignatureParams::parse("(\"@status\" \"content-type\")").unwrap();
        let base = params.base(&message).unwrap();
        assert!(base.starts_with("\"@status\": 404\n\"content-type\": text/plain\n"), "{base}");
    }
}
