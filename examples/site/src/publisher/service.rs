//! The publisher as a service: what is in memory is answered at once, what has to be read is read elsewhere.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{Request, Response};
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio_util::sync::ReusableBoxFuture;
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
            Answer::Read(snapshot, route) => self.0.read_elsewhere(snapshot, route, head),
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
    Waiting(ReusableBoxFuture<'static, Response<SentBody>>),
}

impl Answering {
    pub(crate) fn ready(response: Response<SentBody>) -> Self {
        Answering(State::Ready(Some(response)))
    }

    /// The answer of a function that reads a file: that may take a while, and other requests wait elsewhere.
    pub(crate) fn read(read: impl FnOnce() -> Response<SentBody> + Send + 'static) -> Self {
        Answering(State::Reading(spawn_blocking(read)))
    }

    /// The same for what one request reads at a time: the others wait without a thread, and not once their clients have gone.
    pub(super) fn read_alone<T: Send + 'static>(
        shared: Arc<Mutex<T>>,
        read: impl FnOnce(OwnedMutexGuard<T>) -> Response<SentBody> + Send + 'static,
    ) -> Self {
        let answer = async {
            let held = shared.lock_owned().await;
            spawn_blocking(move || read(held)).await.unwrap_or_else(|panicked| broken(&panicked))
        };
        Answering(State::Waiting(ReusableBoxFuture::new(answer)))
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
            State::Waiting(answer) => answer.poll(context).map(Ok),
        }
    }
}
