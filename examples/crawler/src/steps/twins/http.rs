//! Sends the driver's requests through the gate, after the check of robots.txt.

use std::future::{Future, pending};
use std::io::{Read as _, Seek as _};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body::Frame;
use tct::UnixSeconds;
use tct::crawl::RequestKind;
use tct_tower::{RobotsGate, RobotsVerdict, Unusable, Wanted};
use tempfile::SpooledTempFile;
use tokio::task::JoinHandle;
use tower_service::Service;
use url::Url;

use super::{Answer, Shared, Visit};
use crate::client::{self, Exchange};
use crate::fetch_error::{FetchError, FetchErrorKind};
use crate::gate::host_of;
use crate::limits::BodyLimit;
use crate::steps::robots_txt::{self, Refresh};
use crate::steps::start::Front;

/// A sitemap is kept in memory up to this size, in bytes.
const SPOOL_BYTES: usize = 1 << 20;
/// What is read of a body at a time.
const PIECE_BYTES: usize = 64 << 10;

/// The client.
pub(super) struct Http<'s, 'v>(pub(super) &'s Shared<'v>);

/// A body that came whole.
pub(super) struct Whole(SpooledTempFile);

impl http_body::Body for Whole {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
        let mut piece = vec![0; PIECE_BYTES];
        Poll::Ready(match self.0.read(&mut piece) {
            Ok(0) => None,
            Ok(length) => {
                piece.truncate(length);
                Some(Ok(Frame::data(piece.into())))
            }
            Err(error) => Some(Err(error)),
        })
    }
}

impl<'s> Service<Request<()>> for Http<'s, '_> {
    type Response = Response<Whole>;
    type Error = FetchError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Whole>, FetchError>> + Send + 's>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), FetchError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<()>) -> Self::Future {
        let shared = self.0;
        Box::pin(shared.exchange(request))
    }
}

/// An exchange goes on while the driver stores something: the gate lets nobody else ask the host meanwhile, and what is
/// stored may need another file of the site first.
struct UnderWay(JoinHandle<Result<(Exchange, SpooledTempFile), FetchError>>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Shared<'_> {
    async fn exchange(&self, request: Request<()>) -> Result<Response<Whole>, FetchError> {
        let internal = |what: String| FetchError::new(FetchErrorKind::Network, what);
        let url = Url::parse(&request.uri().to_string()).map_err(|error| internal(error.to_string()))?;
        let wanted = request.extensions().get::<Wanted>().cloned();
        let crawl = {
            let mut visit = self.visit.lock().await;
            let kind = wanted.as_ref().map(|wanted| &wanted.kind);
            if kind == Some(&RequestKind::Start) {
                visit.ask_front(&url);
            }
            let is_page = matches!(kind, Some(RequestKind::Start | RequestKind::Twin { .. }));
            visit.visitor.count_request(is_page);
            Arc::clone(&visit.visitor.crawl)
        };
        let limits = crawl.gate.client().limits();
        let (limit, in_memory) = match &wanted {
            None => (robots_txt::LIMIT, usize::MAX),
            Some(wanted) => {
                let (most, in_memory) = match wanted.kind {
                    RequestKind::Sitemap => (limits.sitemap_bytes, SPOOL_BYTES),
                    RequestKind::Twin { .. } => (limits.twin_bytes, usize::MAX),
                    _ => (limits.page_bytes, usize::MAX),
                };
                let most = most.min(usize::try_from(wanted.max_bytes).unwrap_or(usize::MAX));
                (BodyLimit::Refuse(most), in_memory)
            }
        };
        let host = host_of(&url);
        let (head, ()) = request.into_parts();
        let request = client::Request {
            method: head.method,
            headers: head.headers,
            ..client::Request::get(url, limit)
        };
        let sent = async move { crawl.gate.send_into(request, SpooledTempFile::new(in_memory)).await };
        let mut under_way = UnderWay(tokio::spawn(sent));
        let answer = (&mut under_way.0).await.map_err(|error| internal(error.to_string()))?;
        let mut visit = self.visit.lock().await;
        visit.visitor.count_answer(&host, answer.as_ref().ok().map(|(exchange, _)| exchange));
        let error = match answer {
            Ok((exchange, spool)) => return visit.came(wanted.as_ref(), exchange, spool),
            Err(error) => error,
        };
        if error.kind() == FetchErrorKind::HostPaused {
            drop(visit);
            self.end(error.into());
            return pending().await;
        }
        if let Some(wanted) = &wanted {
            visit.did_not_come(wanted, &head.uri, &error);
            if !error.kind().is_transient() {
                let mut response = Response::new(Whole(SpooledTempFile::new(0)));
                response.extensions_mut().insert(Unusable);
                return Ok(response);
            }
            visit.visitor.count_failure(true);
            if let Err(setback) = visit.visitor.bear(&error.to_string()) {
                drop(visit);
                self.end(setback);
                return pending().await;
            }
        } else {
            visit.robots_failure = Some(error.clone());
        }
        Err(error)
    }
}

impl Visit<'_> {
    /// The start page is asked for, perhaps at the place that a redirect named.
    fn ask_front(&mut self, url: &Url) {
        self.tries += 1;
        let mut work = self.front_work();
        if work.url != *url {
            let from = std::mem::replace(&mut work.url, url.clone());
            work.trail.push(from);
            self.front = Front::NotAsked(work);
        }
    }

    /// An answer came.
    fn came(
        &mut self,
        wanted: Option<&Wanted>,
        exchange: Exchange,
        mut spool: SpooledTempFile,
    ) -> Result<Response<Whole>, FetchError> {
        let disk = |error: std::io::Error| FetchError::new(FetchErrorKind::Disk, error.to_string());
        let mut response = Response::new(());
        *response.status_mut() = exchange.status;
        response.headers_mut().clone_from(&exchange.headers);
        spool.rewind().map_err(disk)?;
        match wanted.map(|wanted| &wanted.kind) {
            None => {}
            Some(kind) => {
                self.visitor.count_failure(false);
                match kind {
                    RequestKind::Start => {
                        let mut exchange = exchange;
                        spool.read_to_end(&mut exchange.body).map_err(disk)?;
                        spool.rewind().map_err(disk)?;
                        self.front = Front::Came(self.front_work(), Box::new(exchange));
                    }
                    RequestKind::Twin { key } => {
                        let answer = Answer { head: Some(exchange), failure: None };
                        self.answers.insert(key.clone(), answer);
                    }
                    _ => {}
                }
            }
        }
        Ok(response.map(|()| Whole(spool)))
    }

    /// No answer came, or none of use.
    fn did_not_come(&mut self, wanted: &Wanted, uri: &http::Uri, error: &FetchError) {
        let (why, detail) = (error.kind().code(), error.to_string());
        match &wanted.kind {
            RequestKind::Start => {
                self.front = Front::Failed(self.front_work(), why, detail, self.tries);
            }
            RequestKind::Twin { key } => {
                self.answers.entry(key.clone()).or_default().failure = Some(error.clone());
            }
            _ => self.missing.push(format!("{uri}: {why}: {detail}")),
        }
    }
}

/// The rules of robots.txt, as the store has them.
pub(super) struct Robots<'s, 'v> {
    shared: &'s Shared<'v>,
    refresh: Refresh,
}

impl<'s, 'v> Robots<'s, 'v> {
    pub(super) fn new(shared: &'s Shared<'v>) -> Self {
        Robots { shared, refresh: Refresh::default() }
    }
}

impl RobotsGate for Robots<'_, '_> {
    fn ask(&mut self, url: &Url, now: UnixSeconds) -> RobotsVerdict {
        // Nobody holds the lock while the driver asks; were it otherwise, it would ask again.
        let Ok(mut visit) = self.shared.visit.try_lock() else {
            return RobotsVerdict::After(now.saturating_add(1));
        };
        if let Some(url) = self.refresh.next(visit.visitor) {
            return RobotsVerdict::Fetch(url);
        }
        match robots_txt::decide(visit.visitor, url) {
            Ok(true) => RobotsVerdict::Send,
            Ok(false) => RobotsVerdict::NotThis,
            Err(setback) => {
                self.shared.end(setback);
                RobotsVerdict::After(now.saturating_add(60))
            }
        }
    }

    fn on_answer(&mut self, answer: Option<&Response<Bytes>>, _now: UnixSeconds) {
        let Ok(mut visit) = self.shared.visit.try_lock() else { return };
        let failure = visit.robots_failure.take();
        let exchange = answer.map(|answer| Exchange {
            url: visit.visitor.origin.clone(),
            status: answer.status(),
            headers: answer.headers().clone(),
            body: answer.body().to_vec(),
            received: 0,
            took: Duration::ZERO,
        });
        let failure = failure.unwrap_or_else(|| FetchError::new(FetchErrorKind::Network, "no answer"));
        self.refresh.take(visit.visitor, exchange.as_ref().ok_or(&failure));
    }
}
