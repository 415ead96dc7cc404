//! From XML to contents and their licences.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use roxmltree::{Document, Node, ParsingOptions};

use url::Url;

use super::country::RslCountry;
use super::error::{RslError, RslErrorKind};
use crate::price::Amount;

/// The namespace of RSL's elements.
pub const RSL_NAMESPACE: &str = "https://rslstandard.org/rsl";

/// No document may be longer, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// No element may be nested deeper.
const MAX_DEPTH: usize = 100;
/// No element may have more attributes, those of the elements around it included.
const MAX_ATTRIBUTES: usize = 256;
/// A licence is fetched again after this many days, unless the document says otherwise.
const DEFAULT_MAX_AGE_DAYS: u64 = 30;

/// A valid RSL document.
///
/// ```
/// use signals::{Purpose, RslAsset, RslCaller, RslDocument, RslVerdict};
///
/// let licence = RslDocument::parse(
///     r#"<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license>
///          <permits type="usage">search ai-input</permits><payment type="attribution"/>
///        </license></content></rsl>"#,
/// )?;
/// let asset = RslAsset::new("https://example.com/a?b".parse()?);
/// let uses = licence.judge(&asset, &RslCaller::default()).unwrap();
/// assert_eq!(uses.get(Purpose::AiInput).verdict, RslVerdict::Permitted);
/// assert_eq!(uses.get(Purpose::AiInput).obligations, ["attribution"]);
/// assert_eq!(uses.get(Purpose::AiTrain).verdict, RslVerdict::Unlisted);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RslDocument {
    pub(super) contents: Vec<Content>,
    max_age_days: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) url: String,
    /// Whether a licence server has to give a token first.
    pub(super) needs_token: bool,
    pub(super) licenses: Vec<License>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct License {
    pub(super) usage: Lists,
    pub(super) users: Lists,
    pub(super) places: Lists,
    /// The obligations of payment and reporting, sorted, each once.
    pub(super) obligations: Vec<String>,
    /// How much, by obligation.
    pub(super) prices: Vec<(String, Amount)>,
}

/// The words that a licence lists under one type; `None` if there is no such element.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Lists {
    pub(super) permits: Option<Vec<String>>,
    pub(super) prohibits: Option<Vec<String>>,
}

/// The words of `type="usage"`.
const USAGE: [&str; 6] = ["all", "ai-all", "ai-train", "ai-input", "ai-index", "search"];
/// The words of `type="user"`.
pub(super) const USERS: [&str; 5] = ["commercial", "non-commercial", "education", "government", "personal"];
/// The elements of the namespace, each with the elements that it may be in; `None`: any.
const ELEMENTS: [(&str, Option<&[&str]>); 16] = [
    ("rsl", Some(&[])),
    ("content", Some(&["rsl"])),
    ("license", Some(&["content"])),
    ("permits", Some(&["license"])),
    ("prohibits", Some(&["license"])),
    ("payment", Some(&["license"])),
    ("reporting", Some(&["license"])),
    ("amount", Some(&["payment"])),
    ("accepts", Some(&["payment"])),
    ("standard", None),
    ("custom", None),
    ("legal", None),
    ("alternate", None),
    ("schema", None),
    ("copyright", None),
    ("terms", None),
];

impl RslDocument {
    /// Reads a document. `O(n)`; at most a megabyte, 100 levels, and 256 attributes on an element and those around it.
    ///
    /// # Errors
    /// [`RslErrorKind::NotXml`], [`RslErrorKind::NotConformant`] or [`RslErrorKind::TooBig`], with the offset of the
    /// faulty element. Whatever the error, the resource is unlicensed.
    ///
    /// Spec: RSL 1.0, "The RSL Document"; RSL-5, RSL-6, RSL-7.
    pub fn parse(xml: &str) -> Result<Self, RslError> {
        Self::read(xml).map_err(|error| error.in_text(xml))
    }

    fn read(xml: &str) -> Result<Self, RslError> {
        if xml.len() > MAX_BYTES {
            return Err(RslError::new(RslErrorKind::TooBig, MAX_BYTES, format!("{} bytes", xml.len())));
        }
        check_tags(xml)?;
        let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
        let tree = Document::parse_with_options(xml, options).map_err(|error| {
            let at = offset_of(xml, error.pos());
            RslError::new(RslErrorKind::NotXml, at, error.to_string())
        })?;
        let root = tree.root_element();
        if !is_rsl(root) || root.tag_name().name() != "rsl" {
            return Err(refuse(root, "another root element or namespace"));
        }
        check_elements(root)?;
        let max_age_days = match root.attribute("max-age") {
            None => DEFAULT_MAX_AGE_DAYS,
            Some(days) => {
                positive(days).ok_or_else(|| refuse(root, "a max-age that is not a positive number"))?
            }
        };
        let contents = named(root, "content").map(content).collect::<Result<_, _>>()?;
        Ok(RslDocument { contents, max_age_days })
    }

    /// Days after which the document and its association with the resource are fetched again; 30 if the
    /// document does not say.
    ///
    /// Spec: RSL 1.0, "The rsl Element"; RSL-17.
    #[must_use]
    pub fn max_age_days(&self) -> u64 {
        self.max_age_days
    }
}

fn content(node: Node<'_, '_>) -> Result<Content, RslError> {
    let url = node.attribute("url").ok_or_else(|| refuse(node, "a content without url"))?.trim();
    if !is_pattern(url) {
        return Err(refuse(node, "a url that is neither a path, nor absolute, nor empty"));
    }
    let licenses: Vec<License> = named(node, "license").map(license).collect::<Result<_, _>>()?;
    if licenses.is_empty() {
        return Err(refuse(node, "a content without license"));
    }
    let has_server = node.attribute("server").is_some_and(|server| !server.trim().is_empty());
    // Whatever is not a clear "no" asks for the token.
    let is_encrypted = node.attribute("encrypted").is_some_and(|value| {
        let value = value.trim();
        !(value.is_empty() || value == "0" || value.eq_ignore_ascii_case("false"))
    });
    Ok(Content { url: url.to_owned(), needs_token: has_server || is_encrypted, licenses })
}

/// Returns true for patterns that can match: empty, a path pattern, or an http(s) origin followed by one. `a`, `//host/` and
/// what has a fragment could never match, so their prohibitions would be lost.
fn is_pattern(url: &str) -> bool {
    if url.contains('#') {
        return false;
    }
    if url.is_empty() || url.starts_with('*') {
        return true;
    }
    if url.starts_with('/') {
        return !url.starts_with("//");
    }
    let Some((scheme, rest)) = url.split_once("://") else { return false };
    let authority = rest.split(['/', '?', '*', '$']).next().unwrap_or_default();
    let origin = Url::parse(&format!("{scheme}://{authority}/"));
    // A backslash is a slash to the parser: what follows it would be lost.
    origin.is_ok_and(|origin| matches!(origin.scheme(), "http" | "https") && origin.path() == "/")
        && !rest.starts_with(['*', '$'])
}

fn license(node: Node<'_, '_>) -> Result<License, RslError> {
    let mut license = License::default();
    for child in elements(node).filter(|child| is_rsl(*child)) {
        match child.tag_name().name() {
            name @ ("permits" | "prohibits") => list(&mut license, child, name == "permits")?,
            "payment" => {
                if let Some(obligation) = payment(child)? {
                    let amounts = named(child, "amount").filter_map(amount);
                    license.prices.extend(amounts.map(|amount| (obligation.clone(), amount)));
                    license.obligations.push(obligation);
                }
            }
            "reporting" => match attribute_type(child)? {
                kind @ ("telemetry" | "provenance" | "audit") => {
                    license.obligations.push(format!("report:{kind}"))
                }
                other => return Err(refuse(child, format!("reporting of type {other:?}"))),
            },
            _ => {}
        }
    }
    license.obligations.sort();
    license.obligations.dedup();
    license.prices.sort();
    license.prices.dedup();
    Ok(license)
}

/// Reads `permits` and `prohibits`. Words with a colon are extensions and are ignored.
fn list(license: &mut License, node: Node<'_, '_>, is_permits: bool) -> Result<(), RslError> {
    let kind = attribute_type(node)?;
    let (lists, is_word): (_, fn(&str) -> bool) = match kind {
        "usage" => (&mut license.usage, |word| USAGE.contains(&word)),
        "user" => (&mut license.users, |word| USERS.contains(&word)),
        "geo" => (&mut license.places, is_country),
        // An extension of the types.
        kind if kind.contains(':') => return Ok(()),
        kind => return Err(refuse(node, format!("a list of type {kind:?}"))),
    };
    let text: String = node.children().filter(Node::is_text).filter_map(|text| text.text()).collect();
    let mut words = Vec::new();
    for word in text.split_ascii_whitespace() {
        if is_word(word) {
            words.push(word.to_owned());
        } else if !word.contains(':') || word.contains(',') {
            return Err(refuse(node, format!("the word {:?}", word.chars().take(40).collect::<String>())));
        }
    }
    let slot = if is_permits { &mut lists.permits } else { &mut lists.prohibits };
    if slot.replace(words).is_some() {
        return Err(refuse(node, format!("a second list of type {kind}")));
    }
    Ok(())
}

/// ISO 3166-1 alpha-2 in capitals, or `EU`. Another word, such as `UK`, would prohibit nobody.
fn is_country(word: &str) -> bool {
    word == "EU" || word.parse::<RslCountry>().is_ok_and(|country| country.code() == word)
}

/// A decimal and a currency of three capitals.
fn amount(node: Node<'_, '_>) -> Option<Amount> {
    let currency = node.attribute("currency").unwrap_or_default();
    Amount::parse(&format!("{currency} {}", node.text().unwrap_or_default().trim()))
}

/// What a payment element asks for.
///
/// Spec: RSL 1.0, "The payment Element"; RSL-15.
fn payment(node: Node<'_, '_>) -> Result<Option<String>, RslError> {
    for amount in named(node, "amount") {
        if self::amount(amount).is_none() {
            return Err(refuse(amount, "an amount that is not a decimal with a currency of three capitals"));
        }
    }
    let has_price = elements(node)
        .any(|child| is_rsl(child) && matches!(child.tag_name().name(), "custom" | "amount" | "accepts"));
    Ok(match node.attribute("type").map(str::trim) {
        Some("free") => None,
        None => has_price.then(|| "pay:custom".to_owned()),
        Some("attribution") => Some("attribution".to_owned()),
        Some(kind @ ("purchase" | "subscription" | "training" | "crawl" | "use" | "contribution")) => {
            Some(format!("pay:{kind}"))
        }
        // An extension: it asks for something that this crate cannot name.
        Some(kind) if kind.contains(':') => Some("pay:custom".to_owned()),
        Some(kind) => return Err(refuse(node, format!("a payment of type {kind:?}"))),
    })
}

/// Digits, perhaps with a point and more digits.
pub(crate) fn is_decimal(text: &str) -> bool {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole) && digits(part)
}

fn positive(text: &str) -> Option<u64> {
    let text = text.trim();
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|days| is_digits && *days > 0)
}

fn attribute_type<'a>(node: Node<'a, '_>) -> Result<&'a str, RslError> {
    node.attribute("type").map(str::trim).ok_or_else(|| refuse(node, "no attribute type"))
}

fn is_rsl(node: Node<'_, '_>) -> bool {
    node.tag_name().namespace() == Some(RSL_NAMESPACE)
}

fn elements<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(Node::is_element)
}

fn named<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    elements(node).filter(move |child| is_rsl(*child) && child.tag_name().name() == name)
}

/// Every element of the namespace is a known one and in its place. The content of foreign elements is skipped.
fn check_elements(root: Node<'_, '_>) -> Result<(), RslError> {
    let mut open = alloc::vec![root];
    while let Some(node) = open.pop() {
        let name = node.tag_name().name();
        let Some((_, parents)) = ELEMENTS.iter().find(|(known, _)| *known == name) else {
            return Err(refuse(node, format!("the element {name:?}")));
        };
        let parent = node.parent_element().map(|parent| parent.tag_name().name());
        if let (Some(parents), Some(parent)) = (parents, parent)
            && !parents.contains(&parent)
        {
            return Err(refuse(node, format!("{name:?} in {parent:?}")));
        }
        open.extend(elements(node).filter(|child| is_rsl(*child)));
    }
    Ok(())
}

#[cold]
fn refuse(node: Node<'_, '_>, found: impl Into<String>) -> RslError {
    RslError::new(RslErrorKind::NotConformant, node.range().start, found)
}

/// Refuses what would take the XML reader more than linear time: nesting too deep, and too many attributes, since it compares
/// each attribute of a tag with all others, and copies the namespaces of the elements around a tag that declares one. It
/// looks at tags outside of comments and the like without parsing them, so it never counts too few.
fn check_tags(xml: &str) -> Result<(), RslError> {
    // The attributes of each open element and of those around it.
    let mut open: Vec<usize> = Vec::new();
    let mut rest = xml;
    while let Some(at) = rest.find('<') {
        rest = rest.get(at..).unwrap_or_default();
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]
            .into_iter()
            .find(|(start, _)| rest.starts_with(start));
        let mut attributes = 0;
        let end = match skipped {
            Some((_, end)) => rest.find(end).map_or(rest.len(), |at| at + end.len()),
            None => {
                let (end, own) = tag(rest);
                attributes = open.last().copied().unwrap_or(0) + own;
                let tag = rest.get(..end).unwrap_or_default();
                if tag.starts_with("</") {
                    open.pop();
                } else if !tag.starts_with("<!") && !tag.ends_with("/>") {
                    open.push(attributes);
                }
                end
            }
        };
        let too_many = if open.len() > MAX_DEPTH {
            format!("more than {MAX_DEPTH} levels")
        } else if attributes > MAX_ATTRIBUTES {
            format!("more than {MAX_ATTRIBUTES} attributes on an element and those around it")
        } else {
            rest = rest.get(end..).unwrap_or_default();
            continue;
        };
        return Err(RslError::new(RslErrorKind::TooBig, xml.len() - rest.len(), too_many));
    }
    Ok(())
}

/// The length of the tag at the start of `text`, quoted values with `>` in them included, and how many attributes it has.
fn tag(text: &str) -> (usize, usize) {
    let mut quote = None;
    let mut attributes = 0;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return (at + 1, attributes),
            (None, b'=') => attributes += 1,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    (text.len(), attributes)
}

fn offset_of(text: &str, at: roxmltree::TextPos) -> usize {
    let line_start: usize =
        text.split_inclusive('\n').take((at.row as usize).saturating_sub(1)).map(str::len).sum();
    let line = text.get(line_start..).unwrap_or_default();
    let column = (at.col as usize).saturating_sub(1);
    line_start + line.char_indices().nth(column).map_or(line.len(), |(at, _)| at)
}
