//! The covered components and the parameters of a signature.

use core::fmt;

use sfv::BareItemFromInput as Bare;

use crate::Message;
use crate::base::{BaseError, BaseErrorKind, write_base};
use crate::structured::{InnerList, Item, Params, inner_list, item};

/// The covered components and parameters of one signature: the member of `Signature-Input` without its label.
///
/// ```
/// use bot_auth::{Message, SignatureParams};
///
/// let params = SignatureParams::parse(r#"("@method" "@authority");created=1618884473;keyid="a""#)?;
/// let request = Message::request("GET", "https://Example.com/")?;
/// assert_eq!(
///     params.base(&request)?,
///     "\"@method\": GET\n\"@authority\": example.com\n\
///      \"@signature-params\": (\"@method\" \"@authority\");created=1618884473;keyid=\"a\"",
/// );
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// Spec: RFC 9421, section 2.3; SIG9421-PAR-1.
#[derive(Debug, Clone)]
pub struct SignatureParams<'a> {
    pub(crate) list: InnerList<'a>,
}

impl<'a> SignatureParams<'a> {
    /// Reads the text of a member.
    ///
    /// # Errors
    /// [`BadParams`](BaseErrorKind::BadParams) for everything but an inner list of Strings whose parameters come once
    /// each, `created` and `expires` as Integers, `nonce`, `alg`, `keyid` and `tag` as Strings.
    ///
    /// Spec: SIG9421-PAR-1, SIG9421-PAR-3.
    pub fn parse(text: &'a str) -> Result<Self, BaseError> {
        let list = inner_list(text.as_bytes()).ok_or(BaseErrorKind::BadParams)?;
        if is_well_formed(&list) {
            Ok(SignatureParams { list })
        } else {
            Err(BaseErrorKind::BadParams.into())
        }
    }

    /// The signature base over `message`, lines joined by LF.
    ///
    /// # Errors
    /// [`BaseError`], with the component at fault.
    ///
    /// Spec: RFC 9421, section 2.5; SIG9421-BASE-1, SIG9421-BASE-2.
    pub fn base(&self, message: &Message<'_>) -> Result<String, BaseError> {
        let mut out = String::new();
        write_base(message, &self.list, &mut out)?;
        Ok(out)
    }
}

impl fmt::Display for SignatureParams<'_> {
    /// Writes the canonical text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.list.write(&mut text);
        f.write_str(&text)
    }
}

/// Returns true if the items are Strings and the six known parameters have their types, each once.
pub(crate) fn is_well_formed(list: &InnerList<'_>) -> bool {
    let is_typed = |(name, value, is_repeated): (&str, &Bare<'_>, bool)| {
        !is_repeated
            && match name {
                "created" | "expires" => value.as_integer().is_some(),
                "nonce" | "alg" | "keyid" | "tag" => value.as_string().is_some(),
                _ => true,
            }
    };
    list.items.iter().all(|item| item.text().is_some()) && list.params.iter().all(is_typed)
}

/// The value of a parameter that is a String.
pub(crate) fn text_param<'s, 'a: 's, P: Params<'a> + ?Sized>(params: &'s P, name: &str) -> Option<&'s str> {
    params.value(name)?.as_string().map(sfv::StringRef::as_str)
}

/// The value of a parameter that is an Integer.
pub(crate) fn integer_param<'a, P: Params<'a> + ?Sized>(params: &P, name: &str) -> Option<i64> {
    params.value(name)?.as_integer().map(i64::from)
}

/// Reads one component identifier, such as `"x";sf`.
pub(crate) fn identifier(text: &str) -> Option<Item<'_>> {
    item(text.as_bytes()).ok().filter(|item| item.text().is_some())
}
