//! The signature agent card and lists of cards.
//!
//! A card is what an agent says about itself: OAuth client metadata with a member `web_bot_auth`. It is a claim. Only
//! keys and addresses show who a crawler is; a User-Agent like the expected one shows nothing.

use core::fmt;
use std::collections::BTreeSet;

use tct_canonical_json::{JsonKind, JsonReader, JsonValue};

use crate::directory::{Directory, MAX_DIRECTORY_BYTES};
use crate::target::{Scheme, Target};

/// Deepest nesting of a card that is read.
const MAX_DEPTH: usize = 16;

/// A signature agent card.
///
/// Spec: draft-meunier-webbotauth-registry-04, section 3; WBA-CARD-1 to WBA-CARD-4.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// `client_id`, which must be the URL that the card was fetched from.
    pub client_id: Option<String>,
    /// `client_name`.
    pub client_name: Option<String>,
    /// `jwks_uri`: where the keys are.
    pub jwks_uri: Option<String>,
    /// How many entries `jwks` has.
    pub inline_keys: usize,
    /// `rfc9309-product-token`: the name to look for in robots.txt.
    pub product_token: Option<String>,
    /// `trigger`: `fetcher`, `crawler`, or what is there.
    pub trigger: Option<String>,
    /// `ips_uri`: where the addresses are.
    pub ips_uri: Option<String>,
    /// `rfc9309-compliance`, false where it is absent or a list.
    pub is_rfc9309_compliant: bool,
    faults: Vec<CardFault>,
    directory: Option<Directory>,
}

/// What is wrong with a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum CardFault {
    /// Both `jwks` and `jwks_uri`.
    BothKeys,
    /// `client_id` is not the card's URL.
    ClientIdMismatch,
    /// No `client_id` that is a text.
    ClientIdMissing,
    /// `jwks_uri` or `ips_uri` is not https.
    NotHttps,
    /// A `trigger` other than `fetcher` and `crawler`.
    UnknownValue,
    /// A member of another type than it should be.
    WrongType,
}

impl CardFault {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            CardFault::BothKeys => "both-keys",
            CardFault::ClientIdMismatch => "client-id-mismatch",
            CardFault::ClientIdMissing => "client-id-missing",
            CardFault::NotHttps => "not-https",
            CardFault::UnknownValue => "unknown-value",
            CardFault::WrongType => "wrong-type",
        }
    }

    /// The rule that was broken.
    #[must_use]
    pub const fn requirement(self) -> &'static str {
        match self {
            CardFault::UnknownValue => "WBA-CARD-3",
            CardFault::WrongType => "WBA-CARD-1",
            _ => "WBA-CARD-2",
        }
    }
}

impl fmt::Display for CardFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// A text that is not a card: not a JSON object with each member once, or over 64 KiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CardError(());

impl CardError {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        "not-json"
    }

    /// The rule that was broken.
    #[must_use]
    pub const fn requirement(self) -> &'static str {
        "WBA-CARD-1"
    }
}

impl fmt::Display for CardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a json object of at most 64 kib with each member once, found something else")
    }
}

impl core::error::Error for CardError {}

impl Card {
    /// Reads the card that was fetched from `url`.
    ///
    /// # Errors
    /// [`CardError`]. Everything else is one of the [`faults`](Card::faults).
    ///
    /// Spec: WBA-CARD-1 to WBA-CARD-3, WBA-AMB-31.
    pub fn parse(url: &str, json: &[u8]) -> Result<Self, CardError> {
        let reader = JsonReader::new().max_bytes(MAX_DIRECTORY_BYTES).max_depth(MAX_DEPTH);
        let document = reader.read(json).map_err(|_| CardError(()))?;
        let root = document.root();
        if root.kind() != JsonKind::Object {
            return Err(CardError(()));
        }
        Ok(Card::of_object(url, &root))
    }

    fn of_object(url: &str, root: &JsonValue<'_>) -> Self {
        let mut faults = BTreeSet::new();
        let mut text = |object: &JsonValue<'_>, name: &str| {
            let value = object.get(name)?;
            let text = value.as_str().map(String::from);
            if text.is_none() {
                faults.insert(CardFault::WrongType);
            }
            text
        };
        let client_name = text(root, "client_name");
        let jwks_uri = text(root, "jwks_uri");
        text(root, "client_uri");
        text(root, "logo_uri");
        let extension = root.get("web_bot_auth").filter(|extension| extension.kind() == JsonKind::Object);
        let (mut product_token, mut trigger, mut ips_uri) = (None, None, None);
        if let Some(extension) = &extension {
            text(extension, "expected-user-agent");
            product_token = text(extension, "rfc9309-product-token");
            trigger = text(extension, "trigger");
            ips_uri = text(extension, "ips_uri");
        }
        let client_id = root.get("client_id").and_then(|id| id.as_str()).map(String::from);
        match client_id.as_deref() {
            None => {
                faults.insert(CardFault::ClientIdMissing);
            }
            Some(id) if id != url => {
                faults.insert(CardFault::ClientIdMismatch);
            }
            Some(_) => {}
        }
        if !has_right_types(root) {
            faults.insert(CardFault::WrongType);
        }
        let is_https = |uri: &str| Target::parse(uri).is_ok_and(|target| target.scheme == Scheme::Https);
        if [&jwks_uri, &ips_uri].into_iter().flatten().any(|uri| !is_https(uri)) {
            faults.insert(CardFault::NotHttps);
        }
        if trigger.as_deref().is_some_and(|trigger| !matches!(trigger, "fetcher" | "crawler")) {
            faults.insert(CardFault::UnknownValue);
        }
        let jwks = root.get("jwks");
        if jwks.is_some() && root.get("jwks_uri").is_some() {
            faults.insert(CardFault::BothKeys);
        }
        let keys = jwks.and_then(|jwks| jwks.get("keys"));
        Card {
            client_id,
            client_name,
            jwks_uri,
            inline_keys: keys.map_or(0, |keys| keys.items().count()),
            product_token,
            trigger,
            ips_uri,
            is_rfc9309_compliant: extension
                .and_then(|extension| extension.get("rfc9309-compliance"))
                .and_then(|value| value.as_bool())
                .unwrap_or(false),
            faults: faults.into_iter().collect(),
            directory: jwks.and_then(|jwks| Directory::of_set(url, jwks.raw().as_bytes()).ok()),
        }
    }

    /// Returns true if nothing is wrong with the card.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.faults.is_empty()
    }

    /// What is wrong with the card, each kind once, sorted by code.
    #[must_use]
    pub fn faults(&self) -> &[CardFault] {
        &self.faults
    }

    /// The keys in the card itself.
    #[must_use]
    pub fn inline_directory(&self) -> Option<&Directory> {
        self.directory.as_ref()
    }
}

/// Members whose values are not texts alone.
fn has_right_types(root: &JsonValue<'_>) -> bool {
    let is_texts = |value: JsonValue<'_>| {
        value.kind() == JsonKind::Array && value.items().all(|item| item.kind() == JsonKind::String)
    };
    let is_text_or_texts = |value: JsonValue<'_>| value.kind() == JsonKind::String || is_texts(value);
    let of_root = root.get("contacts").is_none_or(is_texts)
        && root
            .get("jwks")
            .is_none_or(|jwks| jwks.get("keys").is_some_and(|keys| keys.kind() == JsonKind::Array))
        && root.get("web_bot_auth").is_none_or(|value| value.kind() == JsonKind::Object);
    let Some(extension) = root.get("web_bot_auth") else { return of_root };
    let is_compliance = |value: JsonValue<'_>| matches!(value.kind(), JsonKind::Bool | JsonKind::Array);
    of_root
        && extension.get("known-urls").is_none_or(is_texts)
        && extension.get("rfc9309-compliance").is_none_or(is_compliance)
        && ["purpose", "targeted-content", "rate-control", "rate-expectation"]
            .iter()
            .all(|name| extension.get(name).is_none_or(is_text_or_texts))
}

/// A list of cards: a line an entry.
///
/// ```
/// use bot_auth::Registry;
///
/// let registry = Registry::parse("# bots\nhttps://bot.example/card # mine\nhttp://bot.example/\n");
/// assert_eq!(registry.entries(), ["https://bot.example/card"]);
/// assert_eq!(registry.skipped(), 1);
/// ```
///
/// Spec: draft-meunier-webbotauth-registry-04, section 4; WBA-REG-1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Registry {
    entries: Vec<String>,
    skipped: usize,
}

impl Registry {
    /// Reads the text. Lines end with CR, LF or both; everything behind the first `#` is comment; an entry is an https
    /// URL or a `data:` URL. Other lines are skipped and counted.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut registry = Registry::default();
        for line in text.split(['\r', '\n']) {
            let entry = line.split('#').next().unwrap_or_default().trim_matches([' ', '\t']);
            if entry.is_empty() {
                continue;
            }
            let is_https = Target::parse(entry).is_ok_and(|target| target.scheme == Scheme::Https);
            let data = entry.split_at_checked(5).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("data:"));
            let is_data = data.is_some_and(|(_, rest)| rest.contains(',') && !rest.contains([' ', '\t']));
            if is_https || is_data {
                registry.entries.push(entry.to_owned());
            } else {
                registry.skipped += 1;
            }
        }
        registry
    }

    /// The entries in order.
    #[must_use]
    pub fn entries(&self) -> &[String] {
        &self.entries
    }

    /// How many lines were neither empty nor an entry.
    #[must_use]
    pub fn skipped(&self) -> usize {
        self.skipped
    }
}
