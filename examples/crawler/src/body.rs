//! A body piece by piece: its coding undone, its length bounded on both sides of the coding.
//!
//! Only gzip is asked for: one decoder, with a window of 32 KiB. A bomb is caught by the bytes that it writes into the
//! bounded sink, an endless gzip stream that decodes to nothing by the bytes that it takes.

use std::io::{self, Write};

use flate2::write::MultiGzDecoder;
use http::HeaderMap;
use http::header::CONTENT_ENCODING;

use crate::fetch_error::{FetchError, FetchErrorKind as Kind};
use crate::limits::BodyLimit;

/// Collects a body in a sink, such as a `Vec<u8>` or a file.
#[derive(Debug)]
pub struct BodyReader<W: Write> {
    decoder: Decoder<W>,
    limit: BodyLimit,
    received: u64,
}

#[derive(Debug)]
enum Decoder<W: Write> {
    Plain(Bounded<W>),
    Gzip(Box<MultiGzDecoder<Bounded<W>>>),
}

/// What came of the body.
#[derive(Debug, PartialEq, Eq)]
pub struct Body<W> {
    /// Where the decoded bytes are.
    pub sink: W,
    /// How many came over the wire.
    pub received: u64,
}

/// A sink that takes no more than its limit. What remains when it is taken apart is `None`.
#[derive(Debug)]
struct Bounded<W> {
    sink: Option<W>,
    room: usize,
    is_full: bool,
    /// Why the sink itself failed.
    broken: Option<String>,
}

impl<W: Write> Write for Bounded<W> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let taken = piece.get(..self.room.min(piece.len())).unwrap_or_default();
        if let Some(Err(error)) = self.sink.as_mut().map(|sink| sink.write_all(taken)) {
            self.broken = Some(error.to_string());
            return Err(error);
        }
        self.room -= taken.len();
        if taken.len() < piece.len() {
            self.is_full = true;
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<W: Write> BodyReader<W> {
    /// A reader for the body of a response with these header fields.
    ///
    /// # Errors
    /// `CodingUnknown` for any coding but gzip.
    pub fn new(headers: &HeaderMap, limit: BodyLimit, sink: W) -> Result<Self, FetchError> {
        let sink = Bounded { sink: Some(sink), room: limit.bytes(), is_full: false, broken: None };
        let codings = headers.get_all(CONTENT_ENCODING).iter().map(http::HeaderValue::as_bytes);
        let codings: Vec<&[u8]> = codings
            .flat_map(|value| value.split(|byte| *byte == b','))
            .map(<[u8]>::trim_ascii)
            .filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case(b"identity"))
            .collect();
        let decoder = match codings.as_slice() {
            [] => Decoder::Plain(sink),
            [one] if one.eq_ignore_ascii_case(b"gzip") || one.eq_ignore_ascii_case(b"x-gzip") => {
                Decoder::Gzip(Box::new(MultiGzDecoder::new(sink)))
            }
            [first, ..] => {
                let found = first.escape_ascii();
                return Err(FetchError::new(Kind::CodingUnknown, format!("expected gzip, found {found}")));
            }
        };
        Ok(BodyReader { decoder, limit, received: 0 })
    }

    /// Takes the next piece; false where no more is wanted.
    ///
    /// # Errors
    /// `BodyTooLarge`, or `CodingBroken` if the piece is not gzip.
    pub fn push(&mut self, piece: &[u8]) -> Result<bool, FetchError> {
        self.received += piece.len() as u64;
        // gzip never grows what it packs by more than this; more can only be padding.
        let most = self.limit.bytes() as u64 + self.limit.bytes() as u64 / 64 + 4096;
        let written = match &mut self.decoder {
            Decoder::Plain(sink) => sink.write_all(piece),
            Decoder::Gzip(decoder) => decoder.write_all(piece),
        };
        match written {
            Ok(()) if self.received > most => self.too_large(),
            Ok(()) => Ok(true),
            Err(_) if self.sink().is_full => self.too_large(),
            Err(error) if self.sink().broken.is_some() => Err(FetchError::new(Kind::Disk, error.to_string())),
            Err(error) => Err(FetchError::new(Kind::CodingBroken, error.to_string())),
        }
    }

    /// The whole body.
    ///
    /// # Errors
    /// `BodyTooLarge`, or `CodingBroken` if the gzip stream ends too early.
    pub fn finish(mut self) -> Result<Body<W>, FetchError> {
        let (received, limit) = (self.received, self.limit);
        let sink = match &mut self.decoder {
            Decoder::Plain(sink) => sink.sink.take(),
            // The answer to HEAD, and a 304, may name the coding of a body that they do not have.
            Decoder::Gzip(decoder) if received == 0 => decoder.get_mut().sink.take(),
            Decoder::Gzip(decoder) => {
                let finished = if decoder.get_ref().is_full { Ok(()) } else { decoder.try_finish() };
                match (finished, decoder.get_ref().is_full, limit) {
                    (Err(error), false, _) => {
                        return Err(FetchError::new(Kind::CodingBroken, error.to_string()));
                    }
                    (_, true, BodyLimit::Refuse(max)) => return Err(too_large(max, received)),
                    _ => decoder.get_mut().sink.take(),
                }
            }
        };
        // Taken here and nowhere else.
        let sink = sink.ok_or_else(|| FetchError::new(Kind::Disk, "the sink was taken before"))?;
        Ok(Body { sink, received })
    }

    fn sink(&self) -> &Bounded<W> {
        match &self.decoder {
            Decoder::Plain(sink) => sink,
            Decoder::Gzip(decoder) => decoder.get_ref(),
        }
    }

    fn too_large(&self) -> Result<bool, FetchError> {
        match self.limit {
            BodyLimit::Cut(_) => Ok(false),
            BodyLimit::Refuse(max) => Err(too_large(max, self.received)),
        }
    }
}

fn too_large(max: usize, received: u64) -> FetchError {
    FetchError::new(
        Kind::BodyTooLarge,
        format!("expected at most {max} bytes, found more in the first {received} bytes received"),
    )
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn gzip(plain: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    fn read(coding: &str, limit: BodyLimit, pieces: &[&[u8]]) -> Result<Body<Vec<u8>>, Kind> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_ENCODING, coding.parse().unwrap());
        let mut reader = BodyReader::new(&headers, limit, Vec::new()).map_err(|error| error.kind())?;
        for piece in pieces {
            if !reader.push(piece).map_err(|error| error.kind())? {
                break;
            }
        }
        reader.finish().map_err(|error| error.kind())
    }

    #[test]
    fn a_body_arrives_in_any_pieces() {
        let packed = gzip(b"hello, hello, hello");
        for size in 1..packed.len() {
            let pieces: Vec<&[u8]> = packed.chunks(size).collect();
            let body = read("gzip", BodyLimit::Refuse(19), &pieces).unwrap();
            assert_eq!(
                (body.sink.as_slice(), body.received),
                (&b"hello, hello, hello"[..], packed.len() as u64)
            );
        }
        assert_eq!(read("identity", BodyLimit::Refuse(5), &[b"he", b"llo"]).unwrap().sink, b"hello");
        assert_eq!(read("gzip", BodyLimit::Refuse(5), &[]).unwrap().sink, b"", "the answer to HEAD");
    }

    #[test]
    fn a_body_past_its_limit_is_refused_or_cut() {
        let bomb = gzip(&vec![0; 10_000_000]);
        let endless = gzip(b"").repeat(10_000);
        for (coding, body) in [("identity", &b"123456"[..]), ("gzip", &bomb), ("gzip", &gzip(b"123456"))] {
            assert_eq!(read(coding, BodyLimit::Refuse(5), &[body]).unwrap_err(), Kind::BodyTooLarge);
            assert_eq!(read(coding, BodyLimit::Cut(5), &[body]).unwrap().sink.len(), 5);
        }
        let pieces: Vec<&[u8]> = endless.chunks(1000).collect();
        assert_eq!(read("gzip", BodyLimit::Refuse(5), &pieces).unwrap_err(), Kind::BodyTooLarge);
    }

    #[test]
    fn other_codings_and_broken_ones_are_refused() {
        for coding in ["br", "zstd", "gzip, gzip", "deflate"] {
            assert_eq!(
                read(coding, BodyLimit::Refuse(5), &[b"x"]).unwrap_err(),
                Kind::CodingUnknown,
                "{coding}"
            );
        }
        let packed = gzip(b"hello");
        let cut = packed.get(..packed.len() - 3).unwrap();
        for body in [&b"<html>"[..], cut] {
            assert_eq!(read("gzip", BodyLimit::Refuse(99), &[body]).unwrap_err(), Kind::CodingBroken);
        }
    }
}
