//! Verdicts on signatures as findings, for reports and logs.

use core::fmt;
use std::borrow::Cow;

use web_values::{Finding, Place, Severity};

use crate::card::{CardFault, CardFaultCode};
use crate::reason::{Outcome, Reason};
use crate::{BotSignature, SignatureResult};

/// Why one signature of a message was not accepted, as a [`Finding`].
///
/// An invalid signature is an error, an undecided one a warning, one that is not of Web Bot Auth a notice. The place
/// is the signature's label.
///
/// ```
/// use bot_auth::{Message, Policy, RequestCheck};
/// use web_values::{Finding, UnixSeconds};
///
/// let request = Message::request("GET", "https://shop.example/")?
///     .header("Signature-Input", r#"a=("@authority");created=1;expires=2;tag="web-bot-auth""#)
///     .header("Signature", "a=:AA==:");
/// let check = RequestCheck::new(&request, &Policy::default(), UnixSeconds(1));
/// let result = check.results().next().unwrap();
/// assert_eq!(
///     result.to_string(),
///     "a: invalid: expected `created`, `expires`, `keyid` and a wanted `nonce`, found one missing: keyid",
/// );
/// let finding = result.finding().unwrap();
/// assert_eq!(
///     finding.to_record().to_string(),
///     "error at a: expected `created`, `expires`, `keyid` and a wanted `nonce`, found one missing: keyid \
///      [missing-param, WBA-SIG-3]",
/// );
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignatureFinding<'a> {
    label: &'a str,
    reason: Reason,
    component: Option<&'a str>,
}

impl SignatureFinding<'_> {
    /// Why the signature was not accepted.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }
}

impl BotSignature {
    /// The refusal as a finding; `None` for a verified signature.
    #[must_use]
    pub fn finding(&self) -> Option<SignatureFinding<'_>> {
        let label = self.label.as_deref().unwrap_or_default();
        self.reason.map(|reason| SignatureFinding { label, reason, component: self.component.as_deref() })
    }
}

impl SignatureResult {
    /// The refusal as a finding; `None` for a valid signature.
    #[must_use]
    pub fn finding(&self) -> Option<SignatureFinding<'_>> {
        let component = self.component.as_deref();
        self.reason.map(|reason| SignatureFinding { label: &self.label, reason, component })
    }
}

impl Finding for SignatureFinding<'_> {
    fn severity(&self) -> Severity {
        match self.reason.outcome() {
            Outcome::Verified | Outcome::Ignored => Severity::Notice,
            Outcome::Unverified => Severity::Warning,
            Outcome::Invalid => Severity::Error,
        }
    }

    fn code(&self) -> &'static str {
        self.reason.code()
    }

    fn place(&self) -> Place<'_> {
        Place::named(self.label)
    }

    fn requirement(&self) -> Option<&'static str> {
        Some(self.reason.requirement())
    }

    fn message(&self) -> Cow<'_, str> {
        let message = self.reason.message();
        match (self.component, self.reason) {
            (Some(component), _) => format!("{message}: {component}").into(),
            (None, Reason::KeyUnusable(Some(fault))) => format!("{message}: {fault}").into(),
            (None, _) => message.into(),
        }
    }
}

impl fmt::Display for BotSignature {
    /// The label and the result, such as `sig1: verified`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.label.as_deref().unwrap_or("all signatures"), self.outcome())?;
        write_reason(self.reason, self.component.as_deref(), f)
    }
}

impl fmt::Display for SignatureResult {
    /// The label and the result, such as `sig1: valid`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.label, if self.is_valid() { "valid" } else { "refused" })?;
        write_reason(self.reason, self.component.as_deref(), f)
    }
}

fn write_reason(reason: Option<Reason>, component: Option<&str>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if let Some(reason) = reason {
        write!(f, ": {reason}")?;
    }
    component.map_or(Ok(()), |component| write!(f, ": {component}"))
}

impl fmt::Display for CardFault {
    /// Writes the sentence and its place: `expected … found … at /client_id (line 2, column 16)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.code.sentence(), self.place())
    }
}

impl CardFaultCode {
    const fn sentence(self) -> &'static str {
        match self {
            CardFaultCode::BothKeys => "expected `jwks` or `jwks_uri`, found both",
            CardFaultCode::ClientIdMismatch => {
                "expected the url of the card as `client_id`, found another text"
            }
            CardFaultCode::ClientIdMissing => "expected a text as `client_id`, found none",
            CardFaultCode::NotHttps => "expected an https url, found another",
            CardFaultCode::UnknownValue => {
                "expected `fetcher` or `crawler` as `trigger`, found another value"
            }
            CardFaultCode::WrongType => "expected another type of value",
        }
    }
}

/// The place is the member of the card, with line and column.
impl Finding for CardFault {
    fn severity(&self) -> Severity {
        Severity::Error
    }

    fn code(&self) -> &'static str {
        self.code.as_str()
    }

    fn place(&self) -> Place<'_> {
        let (line, column) = self.at;
        Place::named(&self.path).at_byte(self.offset).at_line(line, column)
    }

    fn requirement(&self) -> Option<&'static str> {
        Some(self.code.requirement())
    }

    fn message(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.code.sentence())
    }
}
