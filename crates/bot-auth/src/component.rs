//! Component identifiers: what a signature covers, by name.
//!
//! An identifier is a String with parameters. A name that begins with `@` is derived from the message, every other
//! one is a field, in lower case. What is accepted where:
//!
//! | parameter | on | type |
//! | --- | --- | --- |
//! | `sf`, `bs`, `tr` | fields; `bs` excludes `sf` and `key` | true |
//! | `key` | fields | String |
//! | `name` | `@query-param`, where it must be | String |
//! | `req` | everything, in responses | true |

use sfv::BareItemFromInput as Bare;

use crate::base::BaseErrorKind;
use crate::message::bad_token_byte;
use crate::structured::Item;

/// A derived component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Derived {
    Method,
    TargetUri,
    Authority,
    Scheme,
    RequestTarget,
    Path,
    Query,
    QueryParam,
    Status,
}

/// Where a component takes its value from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source<'a> {
    Derived { derived: Derived, name: Option<&'a str> },
    Field { name: &'a str, how: How<'a>, of_trailer: bool },
}

/// How a field's value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How<'a> {
    AsSent,
    Strict,
    Member { key: &'a str },
    Bytes,
}

/// Sort key that distinguishes identifiers.
pub(crate) type SortKey<'a> = (u8, &'a str, u8, &'a str, bool, bool, bool);

/// A checked identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Component<'a> {
    pub(crate) source: Source<'a>,
    /// Taken from the request that a response answers.
    pub(crate) of_request: bool,
    /// `sf` beside `key`: does not change the value, but is a different identifier.
    is_strict_member: bool,
}

impl<'a> Component<'a> {
    /// Checks an identifier of a request or a response.
    ///
    /// Spec: SIG9421-COMP-1, SIG9421-COMP-3, SIG9421-COMP-4, SIG9421-COMP-5, SIG9421-URL-9.
    pub(crate) fn of(item: &'a Item<'_>, in_request: bool) -> Result<Self, BaseErrorKind> {
        let name = item.text().ok_or(BaseErrorKind::BadParams)?;
        let derived = if name.starts_with('@') {
            Some(derived(name).ok_or(BaseErrorKind::UnknownComponent)?)
        } else if bad_token_byte(name).is_some() || name.bytes().any(|b| b.is_ascii_uppercase()) {
            return Err(BaseErrorKind::BadComponent);
        } else {
            None
        };
        if item.params.has_repeated() {
            return Err(BaseErrorKind::BadComponent);
        }
        let mut of_request = false;
        let (mut strict, mut bytes, mut of_trailer) = (false, false, false);
        let (mut key, mut param_name) = (None, None);
        for (param, value, _) in item.params.iter() {
            let is_true = matches!(value, Bare::Boolean(true));
            let text = value.as_string().map(sfv::StringRef::as_str);
            match (param, derived, is_true, text) {
                ("req", _, true, _) if !in_request => of_request = true,
                ("sf", None, true, _) => strict = true,
                ("bs", None, true, _) => bytes = true,
                ("tr", None, true, _) => of_trailer = true,
                ("key", None, _, Some(text)) => key = Some(text),
                ("name", Some(Derived::QueryParam), _, Some(text)) => param_name = Some(text),
                _ => return Err(BaseErrorKind::BadComponent),
            }
        }
        if bytes && (strict || key.is_some()) {
            return Err(BaseErrorKind::BadComponent);
        }
        let source = match derived {
            Some(Derived::QueryParam) if param_name.is_none() => return Err(BaseErrorKind::BadComponent),
            Some(derived) => {
                let is_of_response = derived == Derived::Status;
                if is_of_response == (in_request || of_request) {
                    return Err(BaseErrorKind::UnknownComponent);
                }
                Source::Derived { derived, name: param_name }
            }
            None => {
                let how = match key {
                    Some(key) => How::Member { key },
                    None if strict => How::Strict,
                    None if bytes => How::Bytes,
                    None => How::AsSent,
                };
                Source::Field { name, how, of_trailer }
            }
        };
        Ok(Component { source, of_request, is_strict_member: strict && key.is_some() })
    }

    /// The kind of a derived component of the message itself.
    pub(crate) fn derived(&self) -> Option<Derived> {
        match self.source {
            Source::Derived { derived, .. } if !self.of_request => Some(derived),
            _ => None,
        }
    }

    /// Returns true for the derived component of this kind, of the answered request.
    pub(crate) fn is_derived_of_request(&self, wanted: Derived) -> bool {
        self.of_request && self.is_kind(wanted)
    }

    fn is_kind(&self, wanted: Derived) -> bool {
        matches!(self.source, Source::Derived { derived, .. } if derived == wanted)
    }

    /// The way in which this component covers a header field of the message itself; `None` if it is something else.
    pub(crate) fn covers_field(&self, wanted: &str) -> Option<How<'a>> {
        self.covers_lines(wanted, false)
    }

    /// As [`Self::covers_field`], for a field of the trailer or of the header.
    pub(crate) fn covers_lines(&self, wanted: &str, in_trailer: bool) -> Option<How<'a>> {
        match self.source {
            Source::Field { name, how, of_trailer }
                if name == wanted && of_trailer == in_trailer && !self.of_request =>
            {
                Some(how)
            }
            _ => None,
        }
    }

    /// An order that tells identifiers apart.
    pub(crate) fn sort_key(&self) -> SortKey<'a> {
        match self.source {
            Source::Derived { derived, name } => {
                (derived as u8, name.unwrap_or_default(), 0, "", false, self.of_request, false)
            }
            Source::Field { name, how, of_trailer } => {
                let (kind, key) = match how {
                    How::AsSent => (0, ""),
                    How::Strict => (1, ""),
                    How::Member { key } => (2, key),
                    How::Bytes => (3, ""),
                };
                (u8::MAX, name, kind, key, of_trailer, self.of_request, self.is_strict_member)
            }
        }
    }
}

fn derived(name: &str) -> Option<Derived> {
    Some(match name {
        "@method" => Derived::Method,
        "@target-uri" => Derived::TargetUri,
        "@authority" => Derived::Authority,
        "@scheme" => Derived::Scheme,
        "@request-target" => Derived::RequestTarget,
        "@path" => Derived::Path,
        "@query" => Derived::Query,
        "@query-param" => Derived::QueryParam,
        "@status" => Derived::Status,
        _ => return None,
    })
}
