//! RFC 9421 alone: signing a message, and verifying the signatures of one.
//!
//! ```text
//! message ─┬─ Signature-Input ─▶ labels ─▶ form ─▶ requirements ─▶ times ─▶ key ─▶ algorithm ─▶ base ─▶ signature
//!          └─ Signature ───────▶                                    first failure: the reason
//! ```

use jwk::{Algorithm, Jwk, KeyFault, PublicKey, SigningKey};

use crate::base::{BaseError, write_base};
use crate::component::Component;
use crate::labels::{Found, SignatureFields};
use crate::params::{identifier, integer_param, text_param};
use crate::reason::Reason;
use crate::structured::{InnerList, is_key, write_bare};
use crate::{Message, SignError, SignErrorKind, SignatureParams};
use web_values::UnixSeconds;

/// How far `created` may be ahead of now, in seconds.
///
/// Spec: SIG9421-TIME-1.
pub const DEFAULT_SKEW_SECS: u64 = 60;

/// Keys that the caller trusts, by the name that signatures use for them.
///
/// Spec: SIG9421-VER-3, WBA-AMB-9.
#[derive(Debug, Clone, Default)]
pub struct Keyring {
    keys: Vec<NamedKey>,
}

#[derive(Debug, Clone)]
struct NamedKey {
    keyid: Box<str>,
    key: Result<PublicKey, Reason>,
}

impl Keyring {
    /// A keyring without keys.
    #[must_use]
    pub fn new() -> Self {
        Keyring::default()
    }

    /// Adds a key under this name. If two keys have one name, neither is used.
    #[must_use]
    pub fn with(mut self, keyid: &str, key: &Jwk) -> Self {
        self.keys.push(NamedKey { keyid: keyid.into(), key: checked(key, None) });
        self
    }

    /// Adds a key for one algorithm, by its name in RFC 9421's registry.
    #[must_use]
    pub fn with_algorithm(mut self, keyid: &str, key: &Jwk, alg: &str) -> Self {
        self.keys.push(NamedKey { keyid: keyid.into(), key: checked(key, Some(alg)) });
        self
    }

    /// The only key of that name; without a name, the only key of the ring. Keys are never tried one after
    /// another.
    fn find(&self, keyid: Option<&str>) -> Result<&NamedKey, Reason> {
        let mut found = self.keys.iter().filter(|key| keyid.is_none_or(|keyid| *key.keyid == *keyid));
        match (found.next(), found.next()) {
            (Some(key), None) => Ok(key),
            _ => Err(Reason::KeyUnknown),
        }
    }
}

/// What the application requires of a signature besides being valid.
///
/// Spec: RFC 9421, section 3.2.1; SIG9421-VER-2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirements<'a> {
    /// Identifiers that must be covered, with exactly these parameters, such as `"@method"` or `"x";sf`.
    pub components: Vec<&'a str>,
    /// Parameters that must be there.
    pub params: Vec<&'a str>,
    /// The tag, compared exactly.
    pub tag: Option<&'a str>,
    /// How far `created` may be ahead of now.
    pub skew_secs: u64,
    /// How old `created` may be; where this is set, `created` must be there.
    pub max_age_secs: Option<u64>,
}

impl Default for Requirements<'_> {
    /// Nothing but the default skew.
    fn default() -> Self {
        Requirements {
            components: Vec::new(),
            params: Vec::new(),
            tag: None,
            skew_secs: DEFAULT_SKEW_SECS,
            max_age_secs: None,
        }
    }
}

/// The result for one signature of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct SignatureResult {
    /// The label, which is not signed.
    pub label: String,
    /// Why the signature was not accepted; `None` for a valid one.
    pub reason: Option<Reason>,
    /// What the reason is about: the identifier of a component, or the name of a parameter.
    pub component: Option<String>,
    /// `keyid`, where it is a text: a claim unless the signature is valid.
    pub keyid: Option<String>,
    /// `alg`, where it is a text. It can only confirm what the key says.
    pub alg: Option<String>,
    /// `tag`, where it is a text.
    pub tag: Option<String>,
    /// `nonce`, where it is a text: remember it with `keyid` until `expires`, if the signature is valid.
    pub nonce: Option<String>,
    /// `expires`, where it is a number.
    pub expires: Option<i64>,
    /// Whether a time was given to check `created` and `expires` against.
    pub has_checked_times: bool,
}

impl SignatureResult {
    /// Returns true if the signature is valid.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.reason.is_none()
    }
}

/// Verifies each signature of a message separately, against keys that the caller trusts.
///
/// The results are in the order of `Signature-Input`, then come labels that only `Signature` has. A message without
/// signatures has none. With `now` missing no times are checked, and the results say so.
///
/// ```
/// use bot_auth::{Keyring, Message, Reason, Requirements, SignatureParams, sign, verify_signatures};
/// use web_values::UnixSeconds;
/// use jwk::{Jwk, SigningKey};
///
/// let key = SigningKey::from_secret(&[7; 32]);
/// let request = Message::request("GET", "https://shop.example/a")?;
/// let params = SignatureParams::parse(r#"("@method" "@target-uri");created=1790000000;keyid="a""#)?;
/// let signed = sign(&request, "sig1", &params, &key)?;
///
/// let keys = Keyring::new().with("a", &Jwk::parse(key.to_public_jwk().as_bytes())?);
/// let received = Message::request("GET", "https://shop.example/a")?
///     .header("Signature-Input", &signed.signature_input)
///     .header("Signature", &signed.signature);
/// let now = Some(UnixSeconds(1_790_000_005));
/// let results = verify_signatures(&received, &keys, &Requirements::default(), now)?;
/// assert!(results[0].is_valid());
///
/// let elsewhere = Message::request("GET", "https://shop.example/b")?
///     .header("Signature-Input", &signed.signature_input)
///     .header("Signature", &signed.signature);
/// let results = verify_signatures(&elsewhere, &keys, &Requirements::default(), now)?;
/// assert_eq!(results[0].reason, Some(Reason::Signature));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// [`Reason::MalformedField`] as an error where one of the two fields is not a dictionary: then no signature is
/// judged.
///
/// Spec: RFC 9421, section 3.2; SIG9421-VER-1 to SIG9421-VER-3, SIG9421-VER-9, SIG9421-LAB-1 to SIG9421-LAB-3,
/// SIG9421-TIME-1, SIG9421-TIME-2.
pub fn verify_signatures(
    message: &Message<'_>,
    keys: &Keyring,
    requirements: &Requirements<'_>,
    now: Option<UnixSeconds>,
) -> Result<Vec<SignatureResult>, MalformedField> {
    let fields = SignatureFields::of(message);
    let labels = fields.read().map_err(|_| MalformedField(()))?;
    let judge = |found: &Found<'_, '_>| {
        let text = |name| found.params().and_then(|params| text_param(params, name)).map(str::to_owned);
        let refusal = check(message, found, keys, requirements, now).err();
        let (reason, component) =
            refusal.map_or((None, None), |(reason, component)| (Some(reason), component));
        SignatureResult {
            label: found.label.to_owned(),
            reason,
            component,
            keyid: text("keyid"),
            alg: text("alg"),
            tag: text("tag"),
            nonce: text("nonce"),
            expires: found.params().and_then(|params| integer_param(params, "expires")),
            has_checked_times: now.is_some(),
        }
    };
    Ok(labels.all().iter().map(judge).collect())
}

type Refusal = (Reason, Option<String>);

fn check(
    message: &Message<'_>,
    found: &Found<'_, '_>,
    keys: &Keyring,
    requirements: &Requirements<'_>,
    now: Option<UnixSeconds>,
) -> Result<(), Refusal> {
    let plain = |reason| (reason, None);
    let (list, signature) = found.parts().map_err(plain)?;
    if let Some(missing) = missing_component(message, list, requirements.components.iter().copied()) {
        return Err((Reason::Requirement, Some(missing)));
    }
    let missing = requirements.params.iter().find(|name| list.params.get(name).is_none());
    if let Some(missing) = missing {
        return Err((Reason::Requirement, Some((*missing).to_owned())));
    }
    if requirements.tag.is_some_and(|tag| text_param(&list.params, "tag") != Some(tag)) {
        return Err((Reason::Requirement, Some("tag".to_owned())));
    }
    if let Some(now) = now {
        check_times(list, requirements.skew_secs, requirements.max_age_secs, now).map_err(plain)?;
    }
    let named = keys.find(text_param(&list.params, "keyid")).map_err(plain)?;
    let key = usable_key(named, text_param(&list.params, "alg")).map_err(plain)?;
    let mut base = String::with_capacity(512);
    write_base(message, list, &mut base).map_err(|error| refusal_of(&error))?;
    if key.verifies(base.as_bytes(), signature) { Ok(()) } else { Err(plain(Reason::Signature)) }
}

pub(crate) fn refusal_of(error: &BaseError) -> Refusal {
    (Reason::Base(error.kind()), error.component().map(str::to_owned))
}

/// The first of the identifiers that is not covered.
///
/// Spec: SIG9421-VER-2.
pub(crate) fn missing_component<'w>(
    message: &Message<'_>,
    list: &InnerList<'_>,
    mut wanted: impl Iterator<Item = &'w str>,
) -> Option<String> {
    let in_request = message.is_request();
    let covers = |text: &str| {
        let Some(item) = identifier(text) else { return false };
        let Ok(wanted) = Component::of(&item, in_request) else { return false };
        list.items
            .iter()
            .any(|item| Component::of(item, in_request).is_ok_and(|it| it.sort_key() == wanted.sort_key()))
    };
    wanted.find(|text| !covers(text)).map(str::to_owned)
}

/// Spec: SIG9421-TIME-1, WBA-AMB-15.
pub(crate) fn check_times(
    list: &InnerList<'_>,
    skew_secs: u64,
    max_age_secs: Option<u64>,
    now: UnixSeconds,
) -> Result<(), Reason> {
    let signed = |secs: u64| i64::try_from(secs).unwrap_or(i64::MAX);
    let now = signed(now.0);
    let created = integer_param(&list.params, "created");
    if created.is_some_and(|created| created > now.saturating_add(signed(skew_secs))) {
        return Err(Reason::CreatedInFuture);
    }
    if integer_param(&list.params, "expires").is_some_and(|expires| expires <= now) {
        return Err(Reason::Expired);
    }
    if let Some(max_age) = max_age_secs {
        let is_young = |created: i64| now.saturating_sub(created) <= signed(max_age);
        if !created.is_some_and(is_young) {
            return Err(Reason::TooOld);
        }
    }
    Ok(())
}

/// Returns the algorithm that `alg` names, where it is there and known by name.
///
/// Spec: SIG9421-ALG-6.
pub(crate) fn named_algorithm(alg: Option<&str>) -> Result<Option<Algorithm>, Reason> {
    alg.map(|alg| Algorithm::from_http_name(alg).ok_or(Reason::AlgUnsupported)).transpose()
}

/// The key, for its own algorithm, which `alg` can only confirm.
///
/// Spec: SIG9421-ALG-1.
fn usable_key<'k>(named: &'k NamedKey, alg: Option<&str>) -> Result<&'k PublicKey, Reason> {
    let claimed = named_algorithm(alg)?;
    let key = named.key.as_ref().map_err(|reason| *reason)?;
    if claimed.is_some_and(|claimed| claimed != key.algorithm()) { Err(Reason::AlgMismatch) } else { Ok(key) }
}

/// The key, if its own algorithm is the configured one and this build supports it.
///
/// Spec: SIG9421-ALG-1, SIG9421-ALG-5, SIG9421-KEY-1.
fn checked(key: &Jwk, alg: Option<&str>) -> Result<PublicKey, Reason> {
    let configured = match alg {
        None => None,
        Some(alg) => Some(Algorithm::from_http_name(alg).ok_or(Reason::AlgUnsupported)?),
    };
    let own = match (key.algorithm(), configured) {
        (Err(KeyFault::NotBuiltIn), _) => return Err(Reason::AlgUnsupported),
        (Err(KeyFault::Alg), None) if key.kty() == Some("oct") => return Err(Reason::AlgUndetermined),
        (Err(KeyFault::Alg), Some(Algorithm::HmacSha256)) if key.kty() == Some("oct") => {
            Algorithm::HmacSha256
        }
        (Err(fault), _) => return Err(Reason::KeyUnusable(Some(fault))),
        (Ok(own), Some(configured)) if own != configured => {
            return Err(Reason::KeyUnusable(Some(KeyFault::Alg)));
        }
        (Ok(own), _) => own,
    };
    if !own.is_built_in() {
        return Err(Reason::AlgUnsupported);
    }
    key.public_key().map_err(|fault| Reason::KeyUnusable(Some(fault)))
}

/// `Signature-Input` or `Signature` is not a dictionary of at most 100 members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MalformedField(());

impl MalformedField {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        "malformed-field"
    }

    /// The rule that was broken.
    #[must_use]
    pub const fn requirement(self) -> &'static str {
        "SIG9421-LAB-3"
    }
}

impl core::fmt::Display for MalformedField {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("expected signature-input and signature to be dictionaries, found another value")
    }
}

impl core::error::Error for MalformedField {}

/// The values of the two fields of a new signature, one member each, and the base that was signed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct Signed {
    /// The value of a line `Signature-Input`.
    pub signature_input: String,
    /// The value of a line `Signature`.
    pub signature: String,
    /// The signature base.
    pub base: String,
}

/// Signs a message under a label.
///
/// Covered components and parameters are the caller's: control data (`@method`, `@authority`, `@target-uri`) and
/// `created` should be among them (SIG9421-SIGN-2). Crawlers take [`CrawlerSigner`](crate::CrawlerSigner) instead.
///
/// # Errors
/// [`BadLabel`](SignErrorKind::BadLabel) if the label cannot name a member of a dictionary,
/// [`Base`](SignErrorKind::Base) if there is no signature base.
///
/// Spec: RFC 9421, section 3.1; SIG9421-SIGN-1.
pub fn sign(
    message: &Message<'_>,
    label: &str,
    params: &SignatureParams<'_>,
    key: &SigningKey,
) -> Result<Signed, SignError> {
    if !is_key(label) {
        return Err(SignErrorKind::BadLabel.into());
    }
    let base = params.base(message).map_err(SignErrorKind::Base)?;
    let mut signature = format!("{label}=");
    write_bare(&sfv::BareItemFromInput::ByteSequence(key.sign(base.as_bytes()).to_vec()), &mut signature);
    Ok(Signed { signature_input: format!("{label}={params}"), signature, base })
}
