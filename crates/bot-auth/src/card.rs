//! The signature agent card and lists of cards.
//!
//! A card describes an agent in its own words: OAuth client metadata with a member `web_bot_auth`. It is a claim.
//! Only keys and addresses identify a crawler; a matching User-Agent does not.

use core::fmt;

use tct_canonical_json::{JsonError, JsonKind, JsonReader, JsonValue, LineColumn};

use crate::directory::Directory;
use crate::target::{Scheme, Target};

/// Largest card that is read, in bytes.
const MAX_CARD_BYTES: usize = 1024 * 1024;

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

/// A fault of a card: its kind, its member, and its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub struct CardFault {
    /// What is wrong.
    pub code: CardFaultCode,
    /// JSON Pointer to the member; empty where a member of the card itself is missing.
    pub path: String,
    /// Index of the first byte of the member's value in the text.
    pub offset: usize,
    /// Line and column of that byte, both counted from 1.
    pub(crate) at: (u32, u32),
}

/// What is wrong with a member of a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum CardFaultCode {
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
    /// A member of the wrong type.
    WrongType,
}

impl CardFaultCode {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            CardFaultCode::BothKeys => "both-keys",
            CardFaultCode::ClientIdMismatch => "client-id-mismatch",
            CardFaultCode::ClientIdMissing => "client-id-missing",
            CardFaultCode::NotHttps => "not-https",
            CardFaultCode::UnknownValue => "unknown-value",
            CardFaultCode::WrongType => "wrong-type",
        }
    }

    /// The rule that was broken.
    #[must_use]
    pub const fn requirement(self) -> &'static str {
        match self {
            CardFaultCode::UnknownValue => "WBA-CARD-3",
            CardFaultCode::WrongType => "WBA-CARD-1",
            _ => "WBA-CARD-2",
        }
    }
}

impl fmt::Display for CardFaultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that is not a card: not a JSON object with each member once, or over 1 MiB.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardError(Option<JsonError>);

impl CardError {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        "not-json"
    }

    /// The rule that was broken.
    #[must_use]
    pub const fn requirement(&self) -> &'static str {
        "WBA-CARD-1"
    }
}

impl fmt::Display for CardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a json object of at most 64 kib with each member once, found ")?;
        match &self.0 {
            Some(error) => write!(f, "other text at byte {}", error.offset().unwrap_or_default()),
            None => f.write_str("another value"),
        }
    }
}

impl core::error::Error for CardError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.0.as_ref().map(|error| error as _)
    }
}

impl Card {
    /// Reads the card that was fetched from `url`.
    ///
    /// # Errors
    /// [`CardError`]. Everything else is one of the [`faults`](Card::faults).
    ///
    /// Spec: WBA-CARD-1 to WBA-CARD-3, WBA-AMB-31.
    pub fn parse(url: &str, json: &[u8]) -> Result<Self, CardError> {
        let reader = JsonReader::new().max_bytes(MAX_CARD_BYTES);
        let document = reader.read(json).map_err(|error| CardError(Some(error)))?;
        let root = document.root();
        if root.kind() != JsonKind::Object {
            return Err(CardError(None));
        }
        Ok(Card::of_object(url, json, &root))
    }

    fn of_object(url: &str, json: &[u8], root: &JsonValue<'_>) -> Self {
        let mut faults = Faults { card: json, found: Vec::new() };
        let client_name = faults.text(root, "", "client_name");
        let jwks_uri = faults.text(root, "", "jwks_uri");
        faults.text(root, "", "client_uri");
        faults.text(root, "", "logo_uri");
        let extension = root.get("web_bot_auth").filter(|extension| extension.kind() == JsonKind::Object);
        let (mut product_token, mut trigger, mut ips_uri) = (None, None, None);
        if let Some(extension) = &extension {
            faults.text(extension, EXTENSION, "expected-user-agent");
            product_token = faults.text(extension, EXTENSION, "rfc9309-product-token");
            trigger = faults.text(extension, EXTENSION, "trigger");
            ips_uri = faults.text(extension, EXTENSION, "ips_uri");
        }
        let client_id = root.get("client_id").and_then(|id| id.as_str()).map(String::from);
        match client_id.as_deref() {
            None => faults.add(CardFaultCode::ClientIdMissing, root, "", "client_id"),
            Some(id) if id != url => faults.add(CardFaultCode::ClientIdMismatch, root, "", "client_id"),
            Some(_) => {}
        }
        faults.of_types(root);
        let is_https = |uri: &str| Target::parse(uri).is_ok_and(|target| target.scheme == Scheme::Https);
        if jwks_uri.as_deref().is_some_and(|uri| !is_https(uri)) {
            faults.add(CardFaultCode::NotHttps, root, "", "jwks_uri");
        }
        if let Some(extension) = &extension {
            if ips_uri.as_deref().is_some_and(|uri| !is_https(uri)) {
                faults.add(CardFaultCode::NotHttps, extension, EXTENSION, "ips_uri");
            }
            if trigger.as_deref().is_some_and(|trigger| !matches!(trigger, "fetcher" | "crawler")) {
                faults.add(CardFaultCode::UnknownValue, extension, EXTENSION, "trigger");
            }
        }
        let jwks = root.get("jwks");
        if jwks.is_some() && root.get("jwks_uri").is_some() {
            faults.add(CardFaultCode::BothKeys, root, "", "jwks");
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
            faults: faults.found,
            directory: jwks.and_then(|jwks| Directory::of_set(url, jwks.raw().as_bytes()).ok()),
        }
    }

    /// Returns true if the card has no faults.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.faults.is_empty()
    }

    /// The faults of the card, each with its place.
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

/// The JSON Pointer to the member of Web Bot Auth.
const EXTENSION: &str = "/web_bot_auth";

/// The faults found so far.
struct Faults<'a> {
    card: &'a [u8],
    found: Vec<CardFault>,
}

impl Faults<'_> {
    /// A fault of the member `name` of `object`, or of the object where it has no such member.
    fn add(&mut self, code: CardFaultCode, object: &JsonValue<'_>, pointer: &str, name: &str) {
        let (path, value) = match object.get(name) {
            Some(value) => (format!("{pointer}/{name}"), value),
            None => (pointer.to_owned(), *object),
        };
        let offset = value.span().start;
        let LineColumn { line, column, .. } = LineColumn::of(self.card, offset);
        let small = |number| u32::try_from(number).unwrap_or(u32::MAX);
        self.found.push(CardFault { code, path, offset, at: (small(line), small(column)) });
    }

    /// A member that has to be a text.
    fn text(&mut self, object: &JsonValue<'_>, pointer: &str, name: &str) -> Option<String> {
        let value = object.get(name)?;
        let text = value.as_str().map(String::from);
        if text.is_none() {
            self.add(CardFaultCode::WrongType, object, pointer, name);
        }
        text
    }

    /// Checks the members that are not plain texts.
    fn of_types(&mut self, root: &JsonValue<'_>) {
        let is_texts = |value: JsonValue<'_>| {
            value.kind() == JsonKind::Array && value.items().all(|item| item.kind() == JsonKind::String)
        };
        let is_text_or_texts = |value: JsonValue<'_>| value.kind() == JsonKind::String || is_texts(value);
        let is_set =
            |jwks: JsonValue<'_>| jwks.get("keys").is_some_and(|keys| keys.kind() == JsonKind::Array);
        let is_compliance = |value: JsonValue<'_>| matches!(value.kind(), JsonKind::Bool | JsonKind::Array);
        let mut check = |object: &JsonValue<'_>, pointer, name, is_right: bool| {
            if !is_right {
                self.add(CardFaultCode::WrongType, object, pointer, name);
            }
        };
        check(root, "", "contacts", root.get("contacts").is_none_or(is_texts));
        check(root, "", "jwks", root.get("jwks").is_none_or(is_set));
        let Some(extension) = root.get("web_bot_auth") else { return };
        check(root, "", "web_bot_auth", extension.kind() == JsonKind::Object);
        let is_right = |name, is: &dyn Fn(JsonValue<'_>) -> bool| extension.get(name).is_none_or(is);
        check(&extension, EXTENSION, "known-urls", is_right("known-urls", &is_texts));
        check(&extension, EXTENSION, "rfc9309-compliance", is_right("rfc9309-compliance", &is_compliance));
        for name in ["purpose", "targeted-content", "rate-control", "rate-expectation"] {
            check(&extension, EXTENSION, name, is_right(name, &is_text_or_texts));
        }
    }
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
