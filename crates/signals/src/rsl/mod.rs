//! Really Simple Licensing (RSL) 1.0: licences as XML, and what they permit for one resource.
//!
//! ```text
//! <rsl xmlns="https://rslstandard.org/rsl">
//!   <content url="/articles/">                            which resources
//!     <license>                                           on which conditions
//!       <permits type="usage">search ai-input</permits>   a closed list
//!       <prohibits type="usage">ai-train</prohibits>
//!       <payment type="attribution"/>
//! ```
//!
//! [`RslDocument::parse`] reads a document strictly: an unreadable part must not widen a permission, so a document that
//! breaks a rule is refused as a whole, and a resource whose licence cannot be read is unlicensed.
//! [`RslDocument::judge`] then gives a verdict on each purpose for one resource and one caller.
//!
//! The specification's text was not available; the rules are those on which independent
//! implementations agree.

mod country;
mod document;
mod error;
#[cfg(feature = "html")]
mod html;
mod judge;
mod places;

pub use country::{RslCountry, RslCountryError};
pub(crate) use document::is_decimal;
pub use document::{RSL_NAMESPACE, RslDocument};
pub use error::{RslError, RslErrorKind};
pub use judge::{RslAsset, RslCaller, RslUse, RslUser, RslUserError, RslUses, RslVerdict};
pub use places::{RSL_MEDIA_TYPE, RslLinks};
