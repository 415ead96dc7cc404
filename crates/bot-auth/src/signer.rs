//! The crawler's side: one call for each request.

use core::fmt;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jwk::SigningKey;

use crate::agent::{AgentPlaces, check_place};
use crate::base::{BaseError, BaseErrorKind, MAX_COMPONENTS, write_base, write_field};
use crate::component::How;
use crate::message::MessageError;
use crate::params::{identifier, text_param};
use crate::policy::{MAX_LIFETIME_SECS, TAG};
use crate::prepare::check_chain;
use crate::structured::{Entry, InnerList, dictionary, is_key};
use crate::target::{Scheme, Target};
use crate::{Message, SignatureParams};
use web_values::UnixSeconds;

/// Default lifetime of a signature, in seconds.
///
/// Spec: AIWI2-AMB-29.
pub const DEFAULT_LIFETIME_SECS: u64 = 300;

/// Components of the default signature besides `@authority` and `signature-agent`: they bind it to one request.
///
/// Spec: WBA-SIG-2, AIWI2-AMB-30.
const WHOLE_REQUEST: [&str; 3] = ["\"@method\"", "\"@path\"", "\"@query\""];

/// Fields that it covers too, where a request has them.
const OF_REQUEST: [&str; 2] = ["user-agent", "content-digest"];

/// Bytes that the base of a usual request has besides the agent and the nonce.
const USUAL_BASE_BYTES: usize = 768;

/// `=::` and 64 bytes in base64.
const SIGNATURE_TEXT_BYTES: usize = 3 + 88;

/// Largest Integer of a structured field.
const MAX_INTEGER: u64 = 999_999_999_999_999;

/// How `Signature-Agent` is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum AgentForm {
    /// A dictionary, `sig1="https://bot.example"`, as the drafts have it since 2025.
    #[default]
    Dictionary,
    /// The older text, `"https://bot.example"`, which ChatGPT's agent sends and which verifiers without `;key=` read: the
    /// npm package `web-bot-auth` is one. There can be one signature of this form in a request.
    Text,
}

/// Signs a crawler's requests.
///
/// The default covers method, authority, path, query and, where the request has them, `User-Agent` and `Content-Digest`,
/// and holds for five minutes. Each redirect is a new request and signed anew, and so is each retry. Where a request has a
/// body, add its [`content_digest`](crate::content_digest) first: verifiers with a strict policy want it covered.
///
/// Spec: WBA-SIG-1 to WBA-SIG-11.
#[derive(Debug, Clone)]
pub struct CrawlerSigner {
    key: SigningKey,
    keyid: String,
    agent: String,
    label: String,
    lifetime_secs: u64,
    components: Option<Vec<String>>,
    /// Further components that a challenge asks for.
    asked: Vec<String>,
    form: AgentForm,
}

/// The header lines to add to a request. Existing lines of the same names stay.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct SignedHeaders {
    /// Value of a line `Signature-Agent`.
    pub signature_agent: String,
    /// Value of a line `Signature-Input`.
    pub signature_input: String,
    /// Value of a line `Signature`.
    pub signature: String,
}

impl SignedHeaders {
    /// The three lines, by name.
    #[must_use]
    pub fn lines(&self) -> [(&'static str, &str); 3] {
        [
            ("Signature-Agent", &self.signature_agent),
            ("Signature-Input", &self.signature_input),
            ("Signature", &self.signature),
        ]
    }
}

impl CrawlerSigner {
    /// A signer for the agent at this URL: an https origin with a key directory, or the URL of a key set.
    ///
    /// # Errors
    /// [`BadAgent`](SignErrorKind::BadAgent) for a URL that no verifier would fetch keys from: another scheme or port, a
    /// fragment, an address, a name that is not public, dot segments.
    ///
    /// Spec: WBA-SIG-6, WBA-AMB-21.
    pub fn new(key: SigningKey, agent: &str) -> Result<Self, SignError> {
        Self::new_in(key, agent, AgentPlaces::default())
    }

    /// As [`new`](CrawlerSigner::new), for verifiers that fetch keys from other places too.
    ///
    /// # Errors
    /// As [`new`](CrawlerSigner::new).
    pub fn new_in(key: SigningKey, agent: &str, places: AgentPlaces) -> Result<Self, SignError> {
        let can_be_fetched = Target::parse(agent).is_ok_and(|target| check_place(&target, places).is_ok());
        // A fragment is sent nowhere. The others are part of no URL, and would have to be escaped in a text.
        if !can_be_fetched || agent.contains(['#', '"', '\\']) {
            return Err(SignErrorKind::BadAgent.into());
        }
        let keyid = key.thumbprint().to_string();
        Ok(CrawlerSigner {
            key,
            keyid,
            agent: agent.to_owned(),
            label: "sig1".to_owned(),
            lifetime_secs: DEFAULT_LIFETIME_SECS,
            components: None,
            asked: Vec::new(),
            form: AgentForm::Dictionary,
        })
    }

    /// Sets the label, `sig1` by default: a lower-case letter or `*`, then also digits, `_`, `-`, `.`.
    ///
    /// # Errors
    /// [`BadLabel`](SignErrorKind::BadLabel).
    pub fn label(mut self, label: &str) -> Result<Self, SignError> {
        if !is_key(label) {
            return Err(SignErrorKind::BadLabel.into());
        }
        label.clone_into(&mut self.label);
        Ok(self)
    }

    /// Sets how long signatures hold, in seconds.
    ///
    /// # Errors
    /// [`BadLifetime`](SignErrorKind::BadLifetime) for 0 and for more than a day.
    ///
    /// Spec: WBA-SIG-4.
    pub fn lifetime_secs(mut self, secs: u64) -> Result<Self, SignError> {
        if !(1..=MAX_LIFETIME_SECS).contains(&secs) {
            return Err(SignErrorKind::BadLifetime.into());
        }
        self.lifetime_secs = secs;
        Ok(self)
    }

    /// Covers these components instead of the default ones, besides `@authority` and `signature-agent`: identifiers
    /// such as `"@method"`, with their quotes. With none of them a signature fits every request to the same host.
    #[must_use]
    pub fn only_components(mut self, identifiers: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.components = Some(identifiers.into_iter().map(Into::into).collect());
        self
    }

    /// Sets how `Signature-Agent` is written.
    #[must_use]
    pub fn agent_form(self, form: AgentForm) -> Self {
        CrawlerSigner { form, ..self }
    }

    /// The signer that answers a server's `Accept-Signature`, given line by line: under the label and in the form that it
    /// asks for, and with the components that it asks for besides those that this signer covers anyway.
    ///
    /// # Errors
    /// [`BadChallenge`](SignErrorKind::BadChallenge) if no member asks for a signature of Web Bot Auth that this key
    /// can make, [`Base`](SignErrorKind::Base) if it asks for more than [`MAX_COMPONENTS`]. A component that a request does not have, or that is not understood, is an error of
    /// [`sign`](CrawlerSigner::sign): nothing is silently left out.
    ///
    /// Spec: RFC 9421, section 5.1.
    pub fn answering(&self, accept_signature: &[impl AsRef<[u8]>]) -> Result<Self, SignError> {
        let bad = || SignError::from(SignErrorKind::BadChallenge);
        let lines = accept_signature.iter().map(AsRef::as_ref);
        let value = crate::message::combined(lines).ok_or_else(bad)?;
        let members = dictionary(&value).map_err(|_| bad())?;
        let algorithm = self.key.algorithm().http_name();
        let fits = |list: &InnerList<'_>| {
            let is = |name, own: &str| text_param(&list.params, name).is_none_or(|asked| asked == own);
            is("tag", TAG) && is("alg", algorithm) && is("keyid", &self.keyid)
        };
        let asked = members.iter().find_map(|(label, entry, is_repeated)| match entry {
            Entry::Inner(list) if !is_repeated && fits(list) => Some((label, list)),
            _ => None,
        });
        let (label, list) = asked.ok_or_else(bad)?;
        // Each is compared with those before it, and more cannot be signed.
        if list.items.len() > MAX_COMPONENTS {
            return Err(SignErrorKind::Base(BaseErrorKind::TooManyComponents.into()).into());
        }
        let mut signer = self.clone().label(label)?;
        for item in &list.items {
            if item.text() == Some("signature-agent") {
                let is_whole = item.params.get("key").is_none();
                signer.form = if is_whole { AgentForm::Text } else { AgentForm::Dictionary };
                continue;
            }
            let mut identifier = String::new();
            item.write(&mut identifier);
            let is_whole = self.components.is_none();
            let is_own = identifier == "\"@authority\"" || is_whole && WHOLE_REQUEST.contains(&&*identifier);
            if !is_own && !signer.asked.contains(&identifier) {
                signer.asked.push(identifier);
            }
        }
        Ok(signer)
    }

    /// The components besides `@authority` and `signature-agent` of a request, where they are not the default ones.
    fn chosen(&self, message: &Message<'_>) -> Option<Vec<String>> {
        if self.components.is_none() && self.asked.is_empty() {
            return None;
        }
        let mut chosen = self.components.clone().unwrap_or_else(|| {
            let there = OF_REQUEST.into_iter().filter(|name| message.lines(name, false).next().is_some());
            let fields = there.map(|name| format!("\"{name}\""));
            WHOLE_REQUEST.into_iter().map(str::to_owned).chain(fields).collect()
        });
        for asked in &self.asked {
            if !chosen.contains(asked) {
                chosen.push(asked.clone());
            }
        }
        Some(chosen)
    }

    /// The value of `Signature-Agent`.
    fn agent_value(&self) -> String {
        match self.form {
            AgentForm::Dictionary => [&self.label, "=\"", &self.agent, "\""].concat(),
            AgentForm::Text => ["\"", &self.agent, "\""].concat(),
        }
    }

    /// Signs a request as of `now`. `nonce` is fresh random bytes, 32 or 64 by custom; empty for no nonce.
    ///
    /// # Errors
    /// [`BadMessage`](SignErrorKind::BadMessage) for a response, [`InsecureTransport`](SignErrorKind::InsecureTransport)
    /// for plain http, [`LabelInUse`](SignErrorKind::LabelInUse) if one of the three fields has a member of that
    /// name, or `Signature-Agent` is there in its older form; [`ChainIncomplete`](SignErrorKind::ChainIncomplete) where
    /// a signature is covered without its own components; [`Base`](SignErrorKind::Base).
    ///
    /// Spec: WBA-SIG-6 to WBA-SIG-9, WBA-MULTI-2.
    pub fn sign(
        &self,
        message: &Message<'_>,
        nonce: &[u8],
        now: UnixSeconds,
    ) -> Result<SignedHeaders, SignError> {
        let target =
            message.target().ok_or_else(|| SignErrorKind::BadMessage(MessageError::not_a_request()))?;
        if target.scheme != Scheme::Https {
            return Err(SignErrorKind::InsecureTransport.into());
        }
        for name in ["signature-input", "signature", "signature-agent"] {
            let Some(value) = message.joined(name) else { continue };
            let is_alone = name == "signature-agent" && self.form == AgentForm::Text;
            if is_alone || !dictionary(&value).is_ok_and(|members| members.get(&self.label).is_none()) {
                return Err(SignErrorKind::LabelInUse.into());
            }
        }
        if now.saturating_add(self.lifetime_secs).0 > MAX_INTEGER {
            return Err(SignErrorKind::Base(BaseErrorKind::BadParams.into()).into());
        }
        let signature_agent = self.agent_value();
        // The base is written into what becomes the value of `Signature-Input`: its last line is that value.
        let mut base = String::with_capacity(self.agent.len() + 2 * nonce.len() + USUAL_BASE_BYTES);
        let params_at = match self.chosen(message) {
            None => self.write_whole_request(message, target, nonce, now, &mut base)?,
            Some(components) => {
                self.write_components(message, &components, &signature_agent, nonce, now, &mut base)?
            }
        };
        let mut signature = String::with_capacity(self.label.len() + SIGNATURE_TEXT_BYTES);
        signature.extend([&self.label, "=:"]);
        STANDARD.encode_string(self.key.sign(base.as_bytes()), &mut signature);
        signature.push(':');
        base.replace_range(..params_at, &self.label);
        base.insert(self.label.len(), '=');
        Ok(SignedHeaders { signature_agent, signature_input: base, signature })
    }

    /// Writes the base of the default components, and gives the offset of the parameters in it. Writes the same
    /// bytes as [`write_components`](CrawlerSigner::write_components), without parsing them again.
    fn write_whole_request(
        &self,
        message: &Message<'_>,
        target: &Target<'_>,
        nonce: &[u8],
        now: UnixSeconds,
        out: &mut String,
    ) -> Result<usize, SignError> {
        let has = OF_REQUEST.map(|name| message.lines(name, false).next().is_some());
        out.push_str("\"@authority\": ");
        target.write_authority(out);
        out.extend(["\n\"@method\": ", message.method().unwrap_or_default()]);
        out.extend(["\n\"@path\": ", target.path()]);
        out.push_str("\n\"@query\": ");
        target.write_query(out);
        let identifiers = ["\"user-agent\"", "\"content-digest\""];
        let there =
            || has.into_iter().zip(identifiers).filter_map(|(has, identifier)| has.then_some(identifier));
        for identifier in there() {
            out.extend(["\n", identifier, ": "]);
            write_field(message, identifier.trim_matches('"'), How::AsSent, false, out)
                .map_err(|kind| SignErrorKind::Base(BaseError::at(kind, identifier)))?;
        }
        match self.form {
            AgentForm::Dictionary => {
                out.extend(["\n\"signature-agent\";key=\"", &self.label, "\": \"", &self.agent, "\""]);
            }
            AgentForm::Text => out.extend(["\n\"signature-agent\": \"", &self.agent, "\""]),
        }
        out.push_str("\n\"@signature-params\": ");
        let params_at = out.len();
        let components = WHOLE_REQUEST.into_iter().chain(there());
        self.write_params(components, nonce, now, out);
        Ok(params_at)
    }

    /// Writes the base of these components, and gives the offset of the parameters in it.
    fn write_components(
        &self,
        message: &Message<'_>,
        components: &[String],
        signature_agent: &str,
        nonce: &[u8],
        now: UnixSeconds,
        out: &mut String,
    ) -> Result<usize, SignError> {
        let mut params = String::new();
        self.write_params(components.iter().map(String::as_str), nonce, now, &mut params);
        // Each text is one identifier: nothing that is asked for vanishes, nothing slips in.
        if components.iter().any(|text| identifier(text).is_none()) {
            return Err(SignErrorKind::Base(BaseErrorKind::BadParams.into()).into());
        }
        let params = SignatureParams::parse(&params).map_err(SignErrorKind::Base)?;
        let signed = message.joined("signature-input").unwrap_or_default();
        let signed = dictionary(&signed).unwrap_or_default();
        let input_of = |label: &str| match signed.get(label) {
            Some(Entry::Inner(list)) => Some(list.as_ref()),
            _ => None,
        };
        let is_complete = check_chain(message, &params.list, input_of).is_ok();
        let with_agent = message.clone().header("signature-agent", signature_agent);
        write_base(&with_agent, &params.list, out).map_err(SignErrorKind::Base)?;
        if !is_complete {
            return Err(SignErrorKind::ChainIncomplete.into());
        }
        let written = params.to_string().len();
        Ok(out.len() - written)
    }

    /// Writes the covered components and the parameters, in a fixed order: `created`, `expires`, `keyid`, `alg`, `nonce`,
    /// `tag`.
    ///
    /// Spec: WBA-SIG-9.
    fn write_params<'c>(
        &self,
        components: impl Iterator<Item = &'c str>,
        nonce: &[u8],
        now: UnixSeconds,
        out: &mut String,
    ) {
        let expires = now.saturating_add(self.lifetime_secs);
        out.push_str("(\"@authority\" ");
        for component in components {
            out.extend([component, " "]);
        }
        match self.form {
            AgentForm::Dictionary => out.extend(["\"signature-agent\";key=\"", &self.label, "\")"]),
            AgentForm::Text => out.push_str("\"signature-agent\")"),
        }
        // Writing into a String cannot fail. The texts are base64 and constants: nothing to escape.
        let _ = write!(out, ";created={};expires={}", now.0, expires.0);
        out.extend([";keyid=\"", &self.keyid, "\";alg=\"", self.key.algorithm().http_name(), "\""]);
        if !nonce.is_empty() {
            out.push_str(";nonce=\"");
            STANDARD.encode_string(nonce, out);
            out.push('"');
        }
        out.extend([";tag=\"", TAG, "\""]);
    }
}

/// The value of an `Accept-Signature` line: what a server wants to see signed.
///
/// `identifiers` are component identifiers with their quotes.
///
/// ```
/// assert_eq!(
///     bot_auth::accept_signature("sig1", &["\"@authority\"", "\"@method\""])?,
///     r#"sig1=("@authority" "@method" "signature-agent";key="sig1");created;expires;keyid;tag="web-bot-auth""#,
/// );
/// # Ok::<(), bot_auth::SignError>(())
/// ```
///
/// # Errors
/// [`BadLabel`](SignErrorKind::BadLabel), [`Base`](SignErrorKind::Base) for texts that are not
/// identifiers.
///
/// Spec: RFC 9421, section 5.1; WBA-VER-4.
pub fn accept_signature(label: &str, identifiers: &[&str]) -> Result<String, SignError> {
    if !is_key(label) {
        return Err(SignErrorKind::BadLabel.into());
    }
    let is_identifier = |text: &&&str| crate::params::identifier(text).is_some();
    if identifiers.iter().filter(is_identifier).count() != identifiers.len() {
        return Err(SignErrorKind::Base(BaseErrorKind::BadComponent.into()).into());
    }
    let mut out = format!("{label}=(");
    for identifier in identifiers {
        out.push_str(identifier);
        out.push(' ');
    }
    out.push_str(&format!("\"signature-agent\";key=\"{label}\");created;expires;keyid;tag=\"{TAG}\""));
    Ok(out)
}

/// Why a message was not signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignError {
    kind: Box<SignErrorKind>,
}

/// The reasons of a [`SignError`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignErrorKind {
    /// The label cannot name a member of a dictionary.
    BadLabel,
    /// The agent is not an https URL that verifiers would fetch keys from.
    BadAgent,
    /// `Accept-Signature` does not ask for a signature that this signer can make.
    BadChallenge,
    /// A lifetime of zero, or of more than a day.
    BadLifetime,
    /// Not a request.
    BadMessage(MessageError),
    /// The request goes over plain http.
    InsecureTransport,
    /// The message has a signature or agent of that label, or one of the three fields cannot be added to.
    LabelInUse,
    /// Another signature is covered, but not everything that belongs to it: its member of `Signature-Input` and
    /// each of its components.
    ChainIncomplete,
    /// There is no signature base.
    Base(BaseError),
}

impl SignError {
    /// Why.
    #[must_use]
    pub fn kind(&self) -> &SignErrorKind {
        &self.kind
    }

    /// Stable name, in kebab case.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match &*self.kind {
            SignErrorKind::BadLabel => "bad-label",
            SignErrorKind::BadAgent => "bad-agent",
            SignErrorKind::BadChallenge => "bad-challenge",
            SignErrorKind::BadLifetime => "bad-lifetime",
            SignErrorKind::BadMessage(_) => "bad-message",
            SignErrorKind::InsecureTransport => "insecure-transport",
            SignErrorKind::LabelInUse => "label-in-use",
            SignErrorKind::ChainIncomplete => "chain-incomplete",
            SignErrorKind::Base(error) => error.kind().code(),
        }
    }

    /// The rule that was broken.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        match &*self.kind {
            SignErrorKind::BadLabel => "SIG9421-SIGN-1",
            SignErrorKind::BadAgent => "WBA-SIG-6",
            SignErrorKind::BadChallenge => "WBA-VER-4",
            SignErrorKind::BadLifetime => "WBA-SIG-4",
            SignErrorKind::BadMessage(error) => error.requirement(),
            SignErrorKind::InsecureTransport => "WBA-SIG-8",
            SignErrorKind::LabelInUse => "WBA-SIG-7",
            SignErrorKind::ChainIncomplete => "WBA-MULTI-2",
            SignErrorKind::Base(error) => error.requirement(),
        }
    }
}

impl From<SignErrorKind> for SignError {
    fn from(kind: SignErrorKind) -> Self {
        SignError { kind: Box::new(kind) }
    }
}

impl fmt::Display for SignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.kind {
            SignErrorKind::BadLabel => {
                f.write_str("expected a label of lower-case letters, found another text")
            }
            SignErrorKind::BadAgent => {
                f.write_str("expected the https url of a public host as agent, found another text")
            }
            SignErrorKind::BadChallenge => {
                f.write_str("expected a request for a signature that this key can make, found another")
            }
            SignErrorKind::BadLifetime => {
                f.write_str("expected a lifetime of 1 to 86400 seconds, found another")
            }
            SignErrorKind::BadMessage(error) => fmt::Display::fmt(error, f),
            SignErrorKind::InsecureTransport => {
                f.write_str("expected a request over https, found one over http")
            }
            SignErrorKind::LabelInUse => f.write_str("expected a label that is free, found it in use"),
            SignErrorKind::ChainIncomplete => {
                f.write_str("expected the components of the covered signature to be covered too, found less")
            }
            SignErrorKind::Base(error) => fmt::Display::fmt(error, f),
        }
    }
}

impl core::error::Error for SignError {}
