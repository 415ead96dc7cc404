//! The source of a page: its text, or its bytes.

use std::borrow::Cow;

use aidocument::WebUrl;

use crate::finding::ExtractFinding as Finding;
#[cfg(feature = "encodings")]
use crate::{encoding, finding::ExtractFindingKind as FindingKind};

/// A page's source: text, or bytes in an encoding that they declare (feature `encodings`).
///
/// Text is used as it is, whatever encoding its `<meta>` declares; bytes are decoded by the HTML standard.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a>(Form<'a>);

#[derive(Debug, Clone, Copy)]
enum Form<'a> {
    Text(&'a str),
    #[cfg(feature = "encodings")]
    Bytes(&'a [u8]),
}

impl<'a> From<&'a str> for Source<'a> {
    fn from(text: &'a str) -> Self {
        Source(Form::Text(text))
    }
}

impl<'a> From<&'a String> for Source<'a> {
    fn from(text: &'a String) -> Self {
        Source(Form::Text(text))
    }
}

#[cfg(feature = "encodings")]
impl<'a> From<&'a [u8]> for Source<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Source(Form::Bytes(bytes))
    }
}

#[cfg(feature = "encodings")]
impl<'a> From<&'a Vec<u8>> for Source<'a> {
    fn from(bytes: &'a Vec<u8>) -> Self {
        Source(Form::Bytes(bytes))
    }
}

#[cfg(feature = "encodings")]
impl<'a, const LENGTH: usize> From<&'a [u8; LENGTH]> for Source<'a> {
    fn from(bytes: &'a [u8; LENGTH]) -> Self {
        Source(Form::Bytes(bytes))
    }
}

impl<'a> Source<'a> {
    /// The text, with findings. Bytes are decoded by the transport's `charset`, their declaration, or a guess.
    #[cfg_attr(not(feature = "encodings"), expect(unused_variables, reason = "text needs no decoding"))]
    pub(crate) fn read(
        self,
        content_type: Option<&str>,
        url: Option<&WebUrl>,
    ) -> (Cow<'a, str>, Vec<Finding>) {
        match self.0 {
            Form::Text(text) => (Cow::Borrowed(text), Vec::new()),
            #[cfg(feature = "encodings")]
            Form::Bytes(bytes) => {
                let domain = url.and_then(|url| url.domain()?.rsplit('.').next());
                let sniffed = encoding::sniff(bytes, content_type, domain);
                let (text, malformed) = encoding::decode_and_check(bytes, sniffed);
                let is_noticed = malformed && sniffed.encoding == encoding_rs::UTF_8;
                let finding = is_noticed.then(|| Finding::new(FindingKind::MalformedBytes));
                (text, finding.into_iter().collect())
            }
        }
    }
}
