//! Content codings: which one a request gets, and the coded bytes.

use std::io::{self, Read, Write};

use axum::body::Bytes;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use http::header::ACCEPT_ENCODING;
use http::{HeaderMap, HeaderValue};

/// A content coding that both sides of this example know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Coding {
    /// As it is.
    Identity,
    /// RFC 1952.
    Gzip,
    /// RFC 7932.
    Br,
}

impl Coding {
    /// The name in `Content-Encoding` and `Accept-Encoding`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Coding::Identity => "identity",
            Coding::Gzip => "gzip",
            Coding::Br => "br",
        }
    }

    /// The name as a field value.
    #[must_use]
    pub fn value(self) -> HeaderValue {
        HeaderValue::from_static(self.name())
    }

    /// The coding of that name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        [Coding::Identity, Coding::Gzip, Coding::Br]
            .into_iter()
            .find(|coding| name.eq_ignore_ascii_case(coding.name()))
    }

    /// The coding that the request likes best; among equals br, then gzip. Without the field: identity.
    #[must_use]
    pub fn negotiate(request: &HeaderMap) -> Self {
        // In thousandths: `None` where the field does not name the coding.
        let (mut identity, mut gzip, mut br, mut any) = (None, None, None, None);
        for item in request.get_all(ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok()) {
            for item in item.split(',') {
                let (name, weight) = item.split_once(';').unwrap_or((item, "q=1"));
                let weight =
                    weight.trim().strip_prefix(['q', 'Q']).and_then(|rest| rest.trim().strip_prefix('='));
                let weight = weight.and_then(|number| number.trim().parse::<f32>().ok()).unwrap_or(1.0);
                let is = |coding: &str| name.trim().eq_ignore_ascii_case(coding);
                if is("identity") {
                    identity = Some(weight);
                } else if is("gzip") || is("x-gzip") {
                    gzip = Some(weight);
                } else if is("br") {
                    br = Some(weight);
                } else if is("*") {
                    any = Some(weight);
                }
            }
        }
        let of = |weight: Option<f32>| weight.or(any).unwrap_or(0.0);
        let (gzip, br, identity) = (of(gzip), of(br), identity.unwrap_or(0.0));
        // Ties go to the coding, since whoever names one can read it.
        if br > 0.0 && br >= gzip && br >= identity {
            Coding::Br
        } else if gzip > 0.0 && gzip >= identity {
            Coding::Gzip
        } else {
            Coding::Identity
        }
    }

    /// The bytes in this coding, at the level that servers commonly use for answers made once.
    #[must_use]
    pub fn encode(self, bytes: &[u8]) -> Bytes {
        let coded = match self {
            Coding::Identity => Ok(bytes.to_vec()),
            Coding::Gzip => gzip(bytes),
            Coding::Br => {
                let mut writer = brotli::CompressorWriter::new(Vec::new(), 4096, 5, 20);
                writer.write_all(bytes).map(|()| writer.into_inner())
            }
        };
        // Writing to memory cannot fail.
        coded.map(Bytes::from).unwrap_or_default()
    }

    /// The bytes without this coding, `limit` of them at most.
    ///
    /// # Errors
    /// If the bytes are not in this coding, or more than `limit` come out.
    pub fn decode(self, coded: Bytes, limit: usize) -> io::Result<Bytes> {
        let mut decoded = Vec::new();
        let past_limit = limit as u64 + 1;
        match self {
            Coding::Identity => return within(coded, limit),
            Coding::Gzip => GzDecoder::new(&coded[..]).take(past_limit).read_to_end(&mut decoded)?,
            Coding::Br => {
                brotli::Decompressor::new(&coded[..], 4096).take(past_limit).read_to_end(&mut decoded)?
            }
        };
        within(Bytes::from(decoded), limit)
    }
}

fn within(bytes: Bytes, limit: usize) -> io::Result<Bytes> {
    match bytes.len() <= limit {
        true => Ok(bytes),
        false => Err(io::Error::other(format!("expected at most {limit} bytes, found more"))),
    }
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut writer = GzEncoder::new(Vec::new(), Compression::default());
    writer.write_all(bytes)?;
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_chooses() {
        for (field, expected) in [
            ("", Coding::Identity),
            ("gzip", Coding::Gzip),
            ("br, gzip", Coding::Br),
            ("gzip, deflate, br, zstd", Coding::Br),
            ("br;q=0.5, gzip;q=0.8", Coding::Gzip),
            ("GZIP;Q=1", Coding::Gzip),
            ("gzip;q=0", Coding::Identity),
            ("*", Coding::Br),
            ("*;q=0", Coding::Identity),
            ("br;q=0, *;q=0.1", Coding::Gzip),
            ("identity, gzip;q=0.5", Coding::Identity),
            ("zstd", Coding::Identity),
        ] {
            let mut request = HeaderMap::new();
            request.insert(ACCEPT_ENCODING, field.parse().unwrap());
            assert_eq!(Coding::negotiate(&request), expected, "{field}");
        }
        assert_eq!(Coding::negotiate(&HeaderMap::new()), Coding::Identity);
    }

    #[test]
    fn what_is_coded_comes_back_and_no_more_than_allowed() {
        let text = "tide ".repeat(1000);
        for coding in [Coding::Identity, Coding::Gzip, Coding::Br] {
            let coded = coding.encode(text.as_bytes());
            assert_eq!(coding.decode(coded.clone(), 5000).unwrap(), text.as_bytes());
            assert!(coding.decode(coded, 4999).is_err());
        }
        assert!(Coding::Gzip.decode(Bytes::from_static(b"not gzip"), 100).is_err());
    }
}
