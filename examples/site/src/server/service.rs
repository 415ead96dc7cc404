//! A service with what a connection has to know: when a request comes, and when its response has gone.

use std::convert::Infallible;
use std::error::Error;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::Bytes;
use http::header::CONNECTION;
use http::{HeaderValue, Request, Response, StatusCode, Version};
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use pin_project_lite::pin_project;
use tokio::time::Sleep;

use super::Answers;
use super::connections::Connection;
use super::limits::Limits;

/// The service of one connection, whose responses have bodies of this kind.
#[derive(Debug)]
pub(super) struct Counted<S, B> {
    service: TowerToHyperService<S>,
    connection: Arc<Connection>,
    limits: Limits,
    bodies: PhantomData<fn() -> B>,
}

impl<S, B> Counted<S, B> {
    pub(super) fn new(service: S, connection: Arc<Connection>, limits: &Limits) -> Self {
        let service = TowerToHyperService::new(service);
        Counted { service, connection, limits: limits.clone(), bodies: PhantomData }
    }
}

impl<S, B> Service<Request<Incoming>> for Counted<S, B>
where
    S: Answers<B>,
    B: Body<Data = Bytes>,
{
    type Response = Response<SentPiece<B>>;
    type Error = Infallible;
    type Future = Call<<TowerToHyperService<S> as Service<Request<Incoming>>>::Future>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        self.connection.begin();
        let request_of = RequestOf { connection: Some(Arc::clone(&self.connection)), is_answered: false };
        // Only a body can keep its receiver waiting.
        let deadline = (!request.body().is_end_stream())
            .then(|| (Box::pin(tokio::time::sleep(self.limits.body)), request.version()));
        Call { answer: self.service.call(request), deadline, request_of: Some(request_of) }
    }
}

/// A request that is under way; it is counted as long as this lives.
#[derive(Debug)]
struct RequestOf {
    connection: Option<Arc<Connection>>,
    is_answered: bool,
}

impl RequestOf {
    fn answered(&mut self) {
        if let Some(connection) = &self.connection
            && !std::mem::replace(&mut self.is_answered, true)
        {
            connection.answered();
        }
    }

    fn piece(&self) {
        if let Some(connection) = &self.connection {
            connection.piece();
        }
    }

    fn finish(&mut self, is_whole: bool) {
        self.answered();
        if let Some(connection) = self.connection.take() {
            connection.finish(is_whole);
        }
    }
}

impl Drop for RequestOf {
    fn drop(&mut self) {
        self.finish(false);
    }
}

pin_project! {
    /// The answer to come: 408 where the request's body does not.
    pub(super) struct Call<F> {
        #[pin]
        answer: F,
        deadline: Option<(Pin<Box<Sleep>>, Version)>,
        request_of: Option<RequestOf>,
    }
}

impl<F, B> Future for Call<F>
where
    F: Future<Output = Result<Response<B>, Infallible>>,
    B: Body<Data = Bytes>,
{
    type Output = Result<Response<SentPiece<B>>, Infallible>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        if let Poll::Ready(Ok(response)) = this.answer.poll(context) {
            let mut request_of = this.request_of.take();
            if let Some(request_of) = &mut request_of {
                request_of.answered();
            }
            return Poll::Ready(Ok(response.map(|body| SentPiece { body: Some(body), request_of })));
        }
        let Some((deadline, version)) = this.deadline else { return Poll::Pending };
        ready!(deadline.as_mut().poll(context));
        let mut late = Response::new(SentPiece { body: None, request_of: this.request_of.take() });
        *late.status_mut() = StatusCode::REQUEST_TIMEOUT;
        if *version < Version::HTTP_2 {
            late.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        Poll::Ready(Ok(late))
    }
}

pin_project! {
    /// A response's body; each of its pieces is noted.
    pub(super) struct SentPiece<B> {
        #[pin]
        body: Option<B>,
        request_of: Option<RequestOf>,
    }
}

impl<B> Body for SentPiece<B>
where
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let this = self.project();
        let Some(mut body) = this.body.as_pin_mut() else { return Poll::Ready(None) };
        let frame = ready!(body.as_mut().poll_frame(context));
        if let Some(request_of) = this.request_of {
            if let Some(Ok(piece)) = &frame
                && let (Some(bytes), Some(connection)) = (piece.data_ref(), &request_of.connection)
            {
                connection.took(bytes.len());
            }
            match &frame {
                Some(Ok(_)) if body.is_end_stream() => request_of.finish(true),
                Some(Ok(_)) => request_of.piece(),
                ended => request_of.finish(ended.is_none()),
            }
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}
