//! All requests pass through the gate: one at a time for each host, after the pause that the host asks for, and a
//! limited number for all hosts together.
//!
//! The waiting is done here; how long to wait is the decision of [`robots::Pacer`].

use std::collections::HashMap;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::header::{DATE, RETRY_AFTER, STRICT_TRANSPORT_SECURITY};
use robots::{
    CrawlDelay, DelayOutcome, HttpsHosts, Pacer, PacerFull, PacingOptions, RetryAfter, UnixSeconds, host_key,
};
use tokio::sync::Semaphore;
use url::Url;

use crate::client::{Client, Exchange, Request};
use crate::clock::{LONGEST_WAIT, instant, now};
use crate::fetch_error::{FetchError, FetchErrorKind as Kind};

/// The gate.
#[derive(Debug)]
pub struct Gate {
    client: Client,
    pacer: Mutex<Pacer>,
    hosts: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
    https: Mutex<HttpsHosts>,
    slots: Semaphore,
    max_wait: Duration,
}

impl Gate {
    /// A gate that lets `parallel` requests pass at a time, and waits for no host longer than `max_wait`.
    #[must_use]
    pub fn new(client: Client, cooldown: Duration, parallel: usize, max_wait: Duration) -> Self {
        Gate {
            client,
            pacer: Mutex::new(Pacer::new(PacingOptions::default().cooldown(cooldown))),
            hosts: Mutex::default(),
            https: Mutex::default(),
            slots: Semaphore::new(parallel.max(1)),
            max_wait,
        }
    }

    /// The client behind the gate.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// Remembers a pause that a host asked for in an earlier run.
    ///
    /// # Errors
    /// [`PacerFull`] if more hosts asked for one than are remembered.
    pub fn remember_pause(&self, host: &str, until: UnixSeconds) -> Result<(), PacerFull> {
        let left = until.seconds_since(instant());
        if left > 0 {
            self.pacer().on_response(host, 503, Some(RetryAfter::from_secs(left)), now())?;
        }
        Ok(())
    }

    /// Sets the `Crawl-delay` of a host.
    ///
    /// # Errors
    /// [`PacerFull`] if the host was never fetched from and there is no room for it.
    pub fn set_crawl_delay(&self, host: &str, delay: Option<CrawlDelay>) -> Result<DelayOutcome, PacerFull> {
        self.pacer().set_crawl_delay(host, delay)
    }

    /// The same URL over https, where the host has said that it speaks that.
    #[must_use]
    pub fn upgrade(&self, url: Url) -> Url {
        let upgraded = self.https().upgrade(url.as_str(), instant()).parse();
        upgraded.unwrap_or(url)
    }

    /// When the host may be asked again, as a span since 1970.
    #[must_use]
    pub fn ready_at(&self, host: &str) -> Duration {
        self.pacer().ready_at(host, now())
    }

    /// Waits for the turn of the URL's host, and sends the request.
    ///
    /// # Errors
    /// `HostPaused` if the wait would be too long, and those of [`Client::send`].
    pub async fn send(&self, request: Request) -> Result<Exchange, FetchError> {
        let (exchange, body) = self.send_into(request, Vec::new()).await?;
        Ok(Exchange { body, ..exchange })
    }

    /// The same with the body in a sink.
    ///
    /// # Errors
    /// As [`Gate::send`].
    pub async fn send_into<W: Write>(&self, request: Request, sink: W) -> Result<(Exchange, W), FetchError> {
        let (host, is_https) = (host_of(&request.url), request.url.scheme() == "https");
        let turn = Arc::clone(self.hosts().entry(host.clone()).or_default());
        let _turn = turn.lock().await;
        loop {
            let ready_at = self.ready_at(&host);
            let wait = ready_at.saturating_sub(now());
            if wait.is_zero() {
                break;
            }
            if wait > self.max_wait {
                let detail = format!("expected a wait of {:?} at most, found {wait:?}", self.max_wait);
                return Err(FetchError::new(Kind::HostPaused, detail));
            }
            tokio::time::sleep(wait).await;
        }
        // Never closed, so that there is always a permit to come.
        let _slot = self.slots.acquire().await;
        let full = |error: PacerFull| FetchError::new(Kind::HostPaused, error.to_string());
        self.pacer().on_fetch(&host, now()).map_err(full)?;
        let answer = self.client.send_into(request, sink).await;
        let now = now();
        match &answer {
            Ok((exchange, _)) => {
                if let Some(policy) = exchange.field(STRICT_TRANSPORT_SECURITY).filter(|_| is_https) {
                    self.https().on_hsts(&host, policy, instant());
                }
                let pause = pause(exchange, instant());
                self.pacer().on_response(&host, exchange.status.as_u16(), pause, now).map_err(full)?;
            }
            Err(_) => self.pacer().on_fetch(&host, now).map_err(full)?,
        }
        answer
    }

    fn pacer(&self) -> std::sync::MutexGuard<'_, Pacer> {
        // A pacer is never left half-changed.
        self.pacer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn https(&self) -> std::sync::MutexGuard<'_, HttpsHosts> {
        self.https.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hosts(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<tokio::sync::Mutex<()>>>> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The key under which the pacer knows the host of a URL.
#[must_use]
pub fn host_of(url: &Url) -> String {
    host_key(url.host_str().unwrap_or_default()).into_owned()
}

/// How long a response asks to be left alone.
pub(crate) fn pause(exchange: &Exchange, now: UnixSeconds) -> Option<RetryAfter> {
    let fields = exchange.headers.get_all(RETRY_AFTER).iter().filter_map(|value| value.to_str().ok());
    let asked = RetryAfter::parse(fields, exchange.field(DATE), now)?;
    Some(asked.min(RetryAfter::from_secs(LONGEST_WAIT)))
}
