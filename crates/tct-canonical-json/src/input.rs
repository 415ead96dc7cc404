//! What a [`Canonicalizer`] takes: texts, typed values and trees.

use alloc::vec::Vec;

use crate::arrange::Arrangement;
use crate::canonicalizer::Canonicalizer;
use crate::{JsonError, text};

/// Something that has a canonical form: a JSON text, a typed value or a tree. Only this crate implements it.
///
/// | input | is read as |
/// |---|---|
/// | `&[u8]`, `&[u8; N]`, `&Vec<u8>`, `&str`, `&String` | a JSON text |
/// | [`Typed`]`(&value)` (feature `serde`) | the value that its `Serialize` writes |
/// | `&serde_json::Value` (feature `serde_json`) | the tree |
///
/// ```
/// use tct_canonical_json::{Canonicalizer, Profile};
///
/// let canonicalizer = Canonicalizer::new(Profile::Rfc8785);
/// let from_text = canonicalizer.to_canonical(r#"{ "b": 1.0, "a": [] }"#)?;
/// # #[cfg(feature = "serde_json")]
/// assert_eq!(canonicalizer.to_canonical(&serde_json::json!({ "a": [], "b": 1 }))?, from_text);
/// # #[cfg(feature = "serde")]
/// assert_eq!(canonicalizer.to_canonical(tct_canonical_json::Typed("a text"))?, b"\"a text\"");
/// # Ok::<(), tct_canonical_json::JsonError>(())
/// ```
pub trait CanonicalInput: sealed::Input {}

impl<I: sealed::Input> CanonicalInput for I {}

/// Marks a value to be serialised with serde; a bare `&str` or `&[u8]` is read as a JSON text.
///
/// ```
/// use tct_canonical_json::{Canonicalizer, Profile, Typed};
///
/// let canonicalizer = Canonicalizer::new(Profile::Tct);
/// assert_eq!(canonicalizer.to_canonical(Typed(&("a", 1.50)))?, br#"["a",1.5]"#);
/// # Ok::<(), tct_canonical_json::JsonError>(())
/// ```
#[cfg(feature = "serde")]
#[derive(Debug)]
pub struct Typed<'v, T: ?Sized>(pub &'v T);

#[cfg(feature = "serde")]
impl<T: ?Sized> Clone for Typed<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

#[cfg(feature = "serde")]
impl<T: ?Sized> Copy for Typed<'_, T> {}

pub(crate) mod sealed {
    use super::{Arrangement, Canonicalizer, JsonError, Vec};

    #[expect(unnameable_types, reason = "nobody else implements it")]
    pub trait Input {
        /// Appends the canonical form to `out`, except for the last pass; after an error anything may have been appended.
        #[expect(private_interfaces, reason = "nobody else can name this trait")]
        fn append(self, canonicalizer: &Canonicalizer, out: &mut Vec<u8>) -> Result<Arrangement, JsonError>;
    }
}

/// The same for every type that holds a text.
macro_rules! texts {
    ($($(const $n:ident: usize)? => $type:ty, $bytes:expr;)*) => {$(
        impl<$(const $n: usize)?> sealed::Input for &$type {
            #[expect(private_interfaces, reason = "nobody else can name this trait")]
            #[inline]
            fn append(self, canonicalizer: &Canonicalizer, out: &mut Vec<u8>) -> Result<Arrangement, JsonError> {
                let bytes: fn(&$type) -> &[u8] = $bytes;
                text::canonicalize(bytes(self), canonicalizer.profile, &canonicalizer.limits, out)
            }
        }
    )*};
}

texts! {
    => [u8], |text| text;
    const N: usize => [u8; N], |text| text;
    => Vec<u8>, |text| text;
    => str, str::as_bytes;
    => alloc::string::String, |text| text.as_bytes();
}
