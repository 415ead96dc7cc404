//! A clock made of two functions.

use core::future::Future;
use core::time::Duration;

use tct::UnixSeconds;

use crate::agent::CrawlClock;

/// A pair of functions is a clock: one gives the time, one waits, as in
/// `(|| SystemTime::now().into(), tokio::time::sleep)`.
impl<N, S, F> CrawlClock for (N, S)
where
    N: Fn() -> UnixSeconds,
    S: Fn(Duration) -> F,
    F: Future<Output = ()>,
{
    fn now(&self) -> UnixSeconds {
        self.0()
    }

    async fn sleep(&self, pause: Duration) {
        self.1(pause).await;
    }
}
