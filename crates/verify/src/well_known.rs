//! Proof by file: a state machine that requests the well-known file and checks the responses.
//!
//! ```text
//!            next_action()                          on_response(200)
//!  Fetch ───▶ Send(GET https://…) ─── caller ──────▶ body rules ─────▶ Done(report)
//!    ▲                                     │ on_response(301, 302, 303, 307, 308)
//!    └── at most 3 hops, https, same owner ┘ anything else ──────────▶ Done(report)
//! ```
//!
//! The machine emits [`http::Request`] values and takes responses; it never follows a redirect that it has not
//! checked. Its requests are always `https`, on the port it started with or the default one, without credentials, and
//! on a host of the same registrable domain by the [`PublicSuffixes`] passed in (AIWebIndex), or on the very same
//! host (llmindex). A fourth redirect ends the check.
//!
//! # The caller's duties
//! - Validate TLS certificates, and report a failure as [`FetchFailure::Tls`].
//! - Follow no redirects: the HTTP client must hand them to the machine.
//! - Send no cookies and no credentials.
//! - Undo content codings, and stop reading at [`MAX_BODY_BYTES`] and one byte more.
//! - Refuse connections to private addresses, if such addresses are reachable from your server.
//!
//! The owner asks for the verification, so robots.txt is not consulted (AIWI-AMB-31) unless
//! [`asking_robots`](WellKnownCheck::asking_robots) says so.

mod body;
mod report;

use core::fmt;

use http::header::{ACCEPT, ACCEPT_ENCODING, LOCATION, USER_AGENT};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use robots::{AiWebIndexAgent, FetchPurpose};
use url::Url;

use crate::suffixes::is_same_owner;
use crate::{Domain, Protocol, PublicSuffixes, Token};
pub use body::MAX_BODY_BYTES;
pub use report::{FetchFailure, FileWarning, HttpReason, WellKnownReport};

/// Most redirects that are followed.
///
/// Spec: AIWI-VER-8, LLMI-AMB-18.
pub const MAX_REDIRECTS: usize = 3;

/// Longest `Location` that is read, in bytes.
const MAX_LOCATION_BYTES: usize = 8 * 1024;

/// The URL of a domain's proof file, such as `https://example.com/.well-known/aiwebindex-verify.txt`.
///
/// Spec: AIWI-VER-6, AIWI-VER-7, LLMI-VER-2.
#[must_use]
pub fn well_known_url(domain: &Domain) -> String {
    format!("https://{domain}{}", domain.protocol().well_known_path())
}

/// What the caller does next.
#[derive(Debug, Clone)]
#[must_use]
pub enum Action {
    /// Ask robots.txt whether the verification User-Agent may fetch this URL, and call
    /// [`on_robots`](WellKnownCheck::on_robots). Only after [`asking_robots`](WellKnownCheck::asking_robots).
    AskRobots {
        /// The URL that is to be fetched next.
        url: String,
    },
    /// Send this request as it is, and call [`on_response`](WellKnownCheck::on_response) or
    /// [`on_failure`](WellKnownCheck::on_failure).
    Send(Request<()>),
    /// The check has ended.
    Done(WellKnownReport),
}

/// A check of a domain's well-known file.
///
/// ```
/// # #[cfg(feature = "psl")] {
/// use robots::{AiWebIndexAgent, AiWebIndexVersion};
/// use verify::{Action, BundledSuffixes, Domain, Protocol, Token, WellKnownCheck};
///
/// let domain = Domain::parse(Protocol::AiWebIndex, "example.com", &BundledSuffixes)?;
/// let token = Token::expect(domain, "8a93c5f24b1e6d70a9c3f8125e7b6d04")?;
/// let agent = AiWebIndexAgent::builder(AiWebIndexVersion::V1).info_url("https://crawler.example/bot").verification(true).build()?;
/// let mut check = WellKnownCheck::new(token, &agent, &BundledSuffixes)?;
/// let report = loop {
///     match check.next_action() {
///         Action::Send(request) => check.on_response(&send(request))?,
///         Action::AskRobots { .. } => check.on_robots(true)?,
///         Action::Done(report) => break report,
///     }
/// };
/// assert!(report.is_verified());
/// # fn send(request: http::Request<()>) -> http::Response<Vec<u8>> {
/// #     assert_eq!(request.uri(), "https://example.com/.well-known/aiwebindex-verify.txt");
/// #     http::Response::new(b"aiwi-verify=8a93c5f24b1e6d70a9c3f8125e7b6d04\n".to_vec())
/// # }
/// # }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct WellKnownCheck<'s> {
    token: Token,
    user_agent: AiWebIndexAgent,
    suffixes: &'s dyn PublicSuffixes,
    port: Option<u16>,
    asks_robots: bool,
    /// URLs requested so far, the current one last.
    trail: Vec<Url>,
    state: State,
}

/// One state at a time; the URL in question is the last of the trail.
#[derive(Debug, Clone)]
enum State {
    AskRobots,
    Fetch,
    Done { reason: HttpReason, warnings: Vec<FileWarning>, near_miss: Option<crate::NearMissKind> },
}

impl<'s> WellKnownCheck<'s> {
    /// A check of the token's domain, over `https` at the default port.
    ///
    /// `suffixes` decides which redirects stay with the same owner; with [`NoSuffixes`](crate::NoSuffixes) only the
    /// identical host does. For llmindex it is not used: there the host must be the same.
    ///
    /// # Errors
    /// [`NoVerificationAgent`](WellKnownErrorKind::NoVerificationAgent) if `user_agent` is one for crawling:
    /// operators must be able to tell the two apart.
    ///
    /// Spec: AIWI-UA-3, AIWI-VER-7, AIWI-VER-9; AIWI-AMB-30, LLMI-AMB-18.
    pub fn new(
        token: Token,
        user_agent: &AiWebIndexAgent,
        suffixes: &'s dyn PublicSuffixes,
    ) -> Result<Self, WellKnownError> {
        if user_agent.purpose() != FetchPurpose::Verification {
            return Err(WellKnownErrorKind::NoVerificationAgent.into());
        }
        let mut check = WellKnownCheck {
            token,
            user_agent: user_agent.clone(),
            suffixes,
            port: None,
            asks_robots: false,
            trail: Vec::new(),
            state: State::Fetch,
        };
        check.start();
        Ok(check)
    }

    /// The same check at another port: that of an llmindex manifest's origin, `https://shop.example:8443`.
    ///
    /// Spec: LLMI-AMB-17.
    #[must_use]
    pub fn at_port(mut self, port: u16) -> Self {
        self.port = Some(port);
        self.start();
        self
    }

    /// The same check, asking [`Action::AskRobots`] before each request.
    ///
    /// Spec: AIWI-AMB-31.
    #[must_use]
    pub fn asking_robots(mut self) -> Self {
        self.asks_robots = true;
        self.start();
        self
    }

    /// What to do next. The answer stays the same until a call of an `on_…` method.
    pub fn next_action(&self) -> Action {
        let url = self.trail.last();
        match (&self.state, url) {
            (State::AskRobots, Some(url)) => Action::AskRobots { url: url.as_str().to_owned() },
            (State::Fetch, Some(url)) => match self.request(url) {
                Some(request) => Action::Send(request),
                // Unreachable: a URL enters the trail after it has made a request.
                None => Action::Done(self.report(HttpReason::BadLocation, Vec::new(), None)),
            },
            (State::Done { reason, warnings, near_miss }, _) => {
                Action::Done(self.report(*reason, warnings.clone(), near_miss.clone()))
            }
            (_, None) => Action::Done(self.report(HttpReason::BadLocation, Vec::new(), None)),
        }
    }

    /// Takes the response to the request of [`Action::Send`].
    ///
    /// # Errors
    /// [`NothingAsked`](WellKnownErrorKind::NothingAsked) if no request is open.
    ///
    /// Spec: AIWI-VER-6 to AIWI-VER-9, LLMI-VER-3; AIWI-AMB-28 to -30, LLMI-AMB-18.
    pub fn on_response(&mut self, response: &Response<impl AsRef<[u8]>>) -> Result<(), WellKnownError> {
        self.expect_fetch()?;
        match response.status() {
            StatusCode::OK => {
                let verdict = body::judge(&self.token, response.headers(), response.body().as_ref());
                self.state = State::Done {
                    reason: verdict.reason,
                    warnings: verdict.warnings,
                    near_miss: verdict.near_miss,
                };
            }
            StatusCode::MOVED_PERMANENTLY
            | StatusCode::FOUND
            | StatusCode::SEE_OTHER
            | StatusCode::TEMPORARY_REDIRECT
            | StatusCode::PERMANENT_REDIRECT => match self.next_hop(response) {
                Ok(url) => {
                    self.trail.push(url);
                    self.state = self.first_state();
                }
                Err(reason) => self.end(reason),
            },
            status => self.end(HttpReason::Status(status.as_u16())),
        }
        Ok(())
    }

    /// Call this if the request of [`Action::Send`] got no response.
    ///
    /// # Errors
    /// [`NothingAsked`](WellKnownErrorKind::NothingAsked) if no request is open.
    pub fn on_failure(&mut self, failure: FetchFailure) -> Result<(), WellKnownError> {
        self.expect_fetch()?;
        self.end(HttpReason::Failed(failure));
        Ok(())
    }

    /// Takes the answer to [`Action::AskRobots`].
    ///
    /// # Errors
    /// [`NothingAsked`](WellKnownErrorKind::NothingAsked) if that was not the question.
    pub fn on_robots(&mut self, is_allowed: bool) -> Result<(), WellKnownError> {
        match self.state {
            State::AskRobots if is_allowed => self.state = State::Fetch,
            State::AskRobots => self.end(HttpReason::RobotsDisallow),
            State::Fetch | State::Done { .. } => return Err(WellKnownErrorKind::NothingAsked.into()),
        }
        Ok(())
    }

    /// Sets the first URL and state anew: called by the constructor and the options.
    fn start(&mut self) {
        let mut url = well_known_url(self.token.domain());
        if let Some(port) = self.port {
            let host_end = url.len() - self.token.domain().protocol().well_known_path().len();
            url.insert_str(host_end, &format!(":{port}"));
        }
        self.trail = Url::parse(&url).into_iter().collect();
        self.state = self.first_state();
        if self.token.proves_nothing() {
            self.end(HttpReason::WeakToken);
            self.trail.clear();
        }
    }

    fn first_state(&self) -> State {
        if self.asks_robots { State::AskRobots } else { State::Fetch }
    }

    fn end(&mut self, reason: HttpReason) {
        self.state = State::Done { reason, warnings: Vec::new(), near_miss: None };
    }

    fn expect_fetch(&self) -> Result<(), WellKnownError> {
        match self.state {
            State::Fetch => Ok(()),
            State::AskRobots | State::Done { .. } => Err(WellKnownErrorKind::NothingAsked.into()),
        }
    }

    /// A request with only the necessary headers: no cookie, no credentials, no content coding,
    /// which could be a decompression bomb.
    fn request(&self, url: &Url) -> Option<Request<()>> {
        Request::builder()
            .method(Method::GET)
            .uri(url.as_str())
            .header(USER_AGENT, self.user_agent.as_str())
            .header(ACCEPT, HeaderValue::from_static("text/plain, */*;q=0.1"))
            .header(ACCEPT_ENCODING, HeaderValue::from_static("identity"))
            .body(())
            .ok()
    }

    /// The URL that a redirect leads to, if it may be followed.
    fn next_hop<B>(&self, response: &Response<B>) -> Result<Url, HttpReason> {
        let mut locations = response.headers().get_all(LOCATION).iter();
        let location = locations.next().ok_or(HttpReason::LocationMissing)?;
        if locations.any(|other| other != location) {
            return Err(HttpReason::LocationAmbiguous);
        }
        if location.len() > MAX_LOCATION_BYTES {
            return Err(HttpReason::BadLocation);
        }
        let text = core::str::from_utf8(location.as_bytes()).map_err(|_| HttpReason::BadLocation)?;
        let base = self.trail.last().ok_or(HttpReason::BadLocation)?;
        let mut url = base.join(text).map_err(|_| HttpReason::BadLocation)?;
        url.set_fragment(None);
        self.check_hop(&url)?;
        self.request(&url).map(|_| url).ok_or(HttpReason::BadLocation)
    }

    fn check_hop(&self, url: &Url) -> Result<(), HttpReason> {
        if url.scheme() != "https" {
            return Err(HttpReason::RedirectNotHttps);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(HttpReason::RedirectWithUserinfo);
        }
        if url.port().is_some() && url.port() != self.port {
            return Err(HttpReason::RedirectToPort);
        }
        let (host, domain) = (url.host_str().unwrap_or_default(), self.token.domain());
        match domain.protocol() {
            Protocol::AiWebIndex if !is_same_owner(self.suffixes, host, domain.as_str()) => {
                return Err(HttpReason::RedirectCrossDomain);
            }
            Protocol::Llmindex if host != domain.as_str() => return Err(HttpReason::RedirectCrossHost),
            _ => {}
        }
        if self.trail.contains(url) {
            return Err(HttpReason::RedirectLoop);
        }
        if self.trail.len() > MAX_REDIRECTS {
            return Err(HttpReason::TooManyRedirects);
        }
        Ok(())
    }

    fn report(
        &self,
        reason: HttpReason,
        warnings: Vec<FileWarning>,
        near_miss: Option<crate::NearMissKind>,
    ) -> WellKnownReport {
        // A URL that robots.txt forbids was not asked for.
        let asked = self.trail.len() - usize::from(reason == HttpReason::RobotsDisallow);
        let requests = self.trail.iter().take(asked).map(|url| url.as_str().to_owned()).collect();
        WellKnownReport { domain: self.token.domain().clone(), reason, requests, warnings, near_miss }
    }
}

impl fmt::Debug for WellKnownCheck<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WellKnownCheck")
            .field("token", &self.token)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

/// A call that does not fit the state of a [`WellKnownCheck`]: the caller's mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WellKnownError {
    kind: WellKnownErrorKind,
}

/// The reasons of a [`WellKnownError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WellKnownErrorKind {
    /// An answer to a question that was not asked.
    NothingAsked,
    /// A User-Agent that is not marked as one for verification.
    NoVerificationAgent,
}

impl WellKnownError {
    /// What was wrong with the call.
    #[must_use]
    pub fn kind(&self) -> WellKnownErrorKind {
        self.kind
    }
}

impl From<WellKnownErrorKind> for WellKnownError {
    fn from(kind: WellKnownErrorKind) -> Self {
        WellKnownError { kind }
    }
}

impl fmt::Display for WellKnownError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            WellKnownErrorKind::NothingAsked => f.write_str(
                "expected an answer to the last action, found one to a question that was not asked",
            ),
            WellKnownErrorKind::NoVerificationAgent => {
                f.write_str("expected a user-agent for verification, found one for crawling")
            }
        }
    }
}

impl core::error::Error for WellKnownError {}

#[cfg(test)]
mod tests;
