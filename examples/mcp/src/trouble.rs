//! An error for a model: what did not work, why, and what to try, in one sentence.
//!
//! The sentence is this program's own, and has no marks around a stranger's words. What it has to quote of those (a rule of
//! robots.txt, a media type, an address) goes through [`quoted`], which leaves no sentence in it.

use std::fmt;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    kind: TroubleKind,
    what: String,
    why: String,
    advice: String,
}

/// The kinds of a [`Trouble`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TroubleKind {
    /// An argument cannot be used.
    Argument,
    /// This program does not connect to the address.
    Address,
    /// robots.txt says no.
    Robots,
    /// A signal about use says no.
    Signals,
    /// The site wants a login or a payment.
    Barrier,
    /// The page is not there.
    Missing,
    /// The site asked for a pause.
    Busy,
    /// The network, or what the server sent, is broken.
    Network,
    /// The page is not of a kind that is read.
    Unsupported,
    /// The call was cancelled.
    Cancelled,
    /// The store.
    Store,
}

impl TroubleKind {
    /// The stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            TroubleKind::Argument => "argument",
            TroubleKind::Address => "address",
            TroubleKind::Robots => "robots",
            TroubleKind::Signals => "signals",
            TroubleKind::Barrier => "barrier",
            TroubleKind::Missing => "missing",
            TroubleKind::Busy => "busy",
            TroubleKind::Network => "network",
            TroubleKind::Unsupported => "unsupported",
            TroubleKind::Cancelled => "cancelled",
            TroubleKind::Store => "store",
        }
    }
}

/// A stranger's text in so many letters at most, without spaces and signs that make a sentence of it.
#[must_use]
pub fn quoted(text: &str) -> String {
    let is_kept =
        |letter: &char| letter.is_ascii_alphanumeric() || "/*$.-_:=+%?&~,;()[]@#!".contains(*letter);
    let one = |letter: char| if is_kept(&letter) { letter.to_string() } else { "%".to_owned() };
    let mut quoted: String = text.trim().chars().take(80).map(one).collect();
    if text.trim().chars().count() > 80 {
        quoted.push('…');
    }
    quoted
}

impl Trouble {
    /// An error: `what` did not work, `why`, and what to try (`advice`), each a clause without a full stop.
    pub fn new(
        kind: TroubleKind,
        what: impl Into<String>,
        why: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        // One sentence on one line, whatever a server or a system put into its message.
        let line = |text: String| {
            let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(400).collect();
            text.trim().trim_end_matches('.').to_owned()
        };
        Trouble { kind, what: line(what.into()), why: line(why.into()), advice: line(advice.into()) }
    }

    /// What kind of error it is.
    #[must_use]
    pub const fn kind(&self) -> TroubleKind {
        self.kind
    }

    /// The store cannot be read or written.
    pub(crate) fn store(error: impl fmt::Display) -> Self {
        Trouble::new(
            TroubleKind::Store,
            "the store cannot be used",
            error.to_string(),
            "call again, or tell the user to start `aiweb mcp` with another --store",
        )
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, because {}; {}.", self.what, self.why, self.advice)
    }
}

impl std::error::Error for Trouble {}
