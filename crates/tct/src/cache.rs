//! What may be cached, and for how long it may be used.
//!
//! Nothing here sends credentials. If your client does, keep the responses apart from public ones and separate for each
//! account, and send credentials only to the origin they are for (TCT-SEC-17 to TCT-SEC-19).

pub use web_values::CacheControl;
