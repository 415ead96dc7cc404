//! Fetching key directories with the program's own client.

use core::future::Future;
use core::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use http::Response;
use http_body::Body;
use http_body_util::{BodyExt as _, Limited};

use bot_auth::MAX_DIRECTORY_BYTES;

/// A fetched directory: the URL that it came from, and the response up to one byte more than a directory may have.
pub(crate) type Answer = Option<(String, Response<Bytes>)>;
pub(crate) type AnswerFuture = Pin<Box<dyn Future<Output = Answer> + Send>>;

/// Fetches key directories, by a function of the program.
///
/// The function gets a URL, asks for it with GET and gives back the URL that the response *came from* with the response:
/// a redirect that was followed shows there, and such a response is refused. It must have a time limit of its own, must not
/// follow redirects, and should connect to public addresses alone, since a public name may resolve to a private one.
#[derive(Clone)]
pub struct FetchKeys(Arc<dyn Fn(String) -> AnswerFuture + Send + Sync>);

impl core::fmt::Debug for FetchKeys {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("FetchKeys")
    }
}

impl FetchKeys {
    /// Fetches with this function. An error means that the directory is not available for now.
    pub fn new<F, Fut, B, E>(fetch: F) -> Self
    where
        F: Fn(String) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<(String, Response<B>), E>> + Send + 'static,
        B: Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        FetchKeys(Arc::new(move |url| {
            let answer = fetch(url);
            Box::pin(async move {
                let (from, response) = answer.await.ok()?;
                let (head, body) = response.into_parts();
                // A longer body is an error like any other: no directory has so many bytes.
                let body = Limited::new(body, MAX_DIRECTORY_BYTES).collect().await.ok()?;
                Some((from, Response::from_parts(head, body.to_bytes())))
            })
        }))
    }

    pub(crate) fn fetch(&self, url: String) -> AnswerFuture {
        (self.0)(url)
    }
}
