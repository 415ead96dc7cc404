//! A single request outside of a crawl's session, with the same robots.txt and pace.

use core::fmt;
use core::future::poll_fn;
use core::pin::pin;
use core::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use http_body_util::BodyExt as _;
use tower_service::Service;
use url::Url;

use crate::agent::CrawlClock;
use crate::robots::{RobotsGate, RobotsVerdict};

/// Why [`fetch`] has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FetchError {
    /// robots.txt does not allow the request, or could not be asked, since its URL is not absolute.
    Withheld,
    /// robots.txt cannot be read for now, so nothing is requested.
    NotNow,
    /// There was no answer, or it broke off.
    NoAnswer,
    /// The body is longer than the caller's limit.
    TooLarge,
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FetchError::Withheld => "robots.txt does not allow the request",
            FetchError::NotNow => "robots.txt cannot be read for now, so nothing is requested",
            FetchError::NoAnswer => "the server did not answer",
            FetchError::TooLarge => "the body is longer than what is read",
        })
    }
}

impl core::error::Error for FetchError {}

/// Sends one request as soon as robots.txt allows it: for HTML pages, which a site has beside its twins or instead of them.
///
/// Pass the `robots` of a crawl that [`drive`](crate::drive) has ended, so that both share one pace and one robots.txt. `client`
/// must not follow redirects, because robots.txt is checked for each URL. At most `max_bytes` of the body are read.
///
/// # Errors
/// A response with an error status is an answer, not an error.
pub async fn fetch<S, ReqBody, ResBody, R, C>(
    request: Request<ReqBody>,
    max_bytes: usize,
    client: &mut S,
    robots: &mut R,
    clock: &C,
) -> Result<Response<Bytes>, FetchError>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>>,
    ReqBody: Default,
    ResBody: Body<Data = Bytes>,
    R: RobotsGate,
    C: CrawlClock,
{
    // What is not an absolute URL could not be asked about.
    let url = Url::parse(&request.uri().to_string()).map_err(|_| FetchError::Withheld)?;
    loop {
        let now = clock.now();
        match robots.ask(&url, now) {
            RobotsVerdict::Send => {
                let (response, is_whole) = send(request, max_bytes, client).await?;
                return if is_whole { Ok(response) } else { Err(FetchError::TooLarge) };
            }
            RobotsVerdict::After(at) => {
                // Bounded, whatever a clock or a file says.
                clock.sleep(Duration::from_secs(at.seconds_since(now).clamp(1, 86_400))).await;
            }
            RobotsVerdict::Fetch(file) => {
                let file = Request::get(file.as_str()).body(ReqBody::default());
                let answer = match file {
                    // Of a longer file, RFC 9309 has crawlers read the beginning.
                    Ok(file) => send(file, MAX_ROBOTS_BYTES, client).await.ok().map(|(answer, _)| answer),
                    Err(_) => None,
                };
                robots.on_answer(answer.as_ref(), clock.now());
            }
            RobotsVerdict::NotThis => return Err(FetchError::Withheld),
            RobotsVerdict::NotNow => return Err(FetchError::NotNow),
        }
    }
}

/// The limit of RFC 9309 and one byte more, which shows the reader that the file is longer.
const MAX_ROBOTS_BYTES: usize = (500 << 10) + 1;

/// The response with at most this many bytes of its body, and whether that is all of it.
async fn send<S, ReqBody, ResBody>(
    request: Request<ReqBody>,
    max_bytes: usize,
    client: &mut S,
) -> Result<(Response<Bytes>, bool), FetchError>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>>,
    ResBody: Body<Data = Bytes>,
{
    poll_fn(|cx| client.poll_ready(cx)).await.map_err(|_| FetchError::NoAnswer)?;
    let (head, body) = client.call(request).await.map_err(|_| FetchError::NoAnswer)?.into_parts();
    let (mut body, mut read, mut is_whole) = (pin!(body), Vec::new(), true);
    while let Some(frame) = body.as_mut().frame().await {
        let Ok(piece) = frame.map_err(|_| FetchError::NoAnswer)?.into_data() else { continue };
        let room = max_bytes.saturating_sub(read.len());
        is_whole = piece.len() <= room;
        read.extend_from_slice(piece.get(..room).unwrap_or(&piece));
        if !is_whole {
            break;
        }
    }
    Ok((Response::from_parts(head, Bytes::from(read)), is_whole))
}
