//! The publisher as a service: what is in memory is answered at once, what has to be read is read elsewhere.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{Request, Response};
use tokio::task::JoinHandle;
use tower_service::Service;

use super::{Answer, Publisher, SentBody, broken};

/// Answers requests of any kind of body, which is never read.
#[derive(Debug, Clone)]
pub struct PublisherService(pub(super) Arc<Publisher>);

impl<B> Service<Request<B>> for PublisherService {
    type Response = Response<SentBody>;
    type Error = Infallible;
    type Future = Answering;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Answering {
        let (head, _body) = request.into_parts();
        match self.0.answer(&head) {
            Answer::Ready(response) => Answering::ready(response),
            Answer::Read(snapshot, route) => {
                let publisher = Arc::clone(&self.0);
                Answering::read(move || {
                    publisher.read_and_respond(&snapshot, route, &head.method, &head.headers)
                })
            }
        }
    }
}

/// The answer to come. No box around it: most are there at once.
#[derive(Debug)]
pub struct Answering(State);

#[derive(Debug)]
enum State {
    Ready(Option<Response<SentBody>>),
    Reading(JoinHandle<Response<SentBody>>),
}

impl Answering {
    pub(crate) fn ready(response: Response<SentBody>) -> Self {
        Answering(State::Ready(Some(response)))
    }

    /// The answer of a function that reads a file: that may take a while, and other requests wait elsewhere.
    pub(crate) fn read(read: impl FnOnce() -> Response<SentBody> + Send + 'static) -> Self {
        Answering(State::Reading(tokio::task::spawn_blocking(read)))
    }
}

impl Future for Answering {
    type Output = Result<Response<SentBody>, Infallible>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.get_mut().0 {
            State::Ready(response) => {
                Poll::Ready(Ok(response.take().unwrap_or_else(|| broken(&"polled after its end"))))
            }
            State::Reading(task) => Pin::new(task)
                .poll(context)
                .map(|answered| Ok(answered.unwrap_or_else(|panicked| broken(&panicked)))),
        }
    }
}
