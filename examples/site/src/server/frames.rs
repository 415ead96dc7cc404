//! HTTP/2 frames as they come in, for what the library below does not judge.
//!
//! h2 answers every ping and every frame of settings, and counts neither; here each frame that asks for nothing is counted
//! against what was taken of responses. h2 drops pseudo-header fields of trailers, which make a request malformed.
//!
//! Spec: RFC 9113, "Denial-of-Service Considerations"; "HTTP Control Data" (pseudo-header fields in trailers).

use super::connections::Connection;

/// What a client of HTTP/2 sends first.
pub(super) const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

const HEAD_LEN: usize = 9;

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const WINDOW_UPDATE: u8 = 8;
const CONTINUATION: u8 = 9;

const END_HEADERS: u8 = 4;
const PADDED: u8 = 8;
const PRIORITY: u8 = 0x20;

/// How far into the frames we are.
#[derive(Debug)]
pub(super) struct Frames {
    /// Bytes of the preface that are still to come.
    preface: usize,
    head: [u8; HEAD_LEN],
    head_len: usize,
    /// Bytes of the frame's payload that are still to come.
    payload: usize,
    /// The increment of a window, as far as it has come.
    window: Option<u32>,
    /// The highest stream so far: a second header on a stream is its trailers.
    last_stream: u32,
    /// Trailers that are being read.
    trailers: Option<Trailers>,
}

/// The beginning of trailers.
#[derive(Debug, Default)]
struct Trailers {
    /// Bytes before the field block: padding length and priority.
    skip: usize,
    /// Bytes of the block that were looked at.
    block: Vec<u8>,
}

impl Default for Frames {
    fn default() -> Self {
        Frames {
            preface: PREFACE.len(),
            head: [0; HEAD_LEN],
            head_len: 0,
            payload: 0,
            window: None,
            last_stream: 0,
            trailers: None,
        }
    }
}

impl Frames {
    /// Takes bytes as they come, in pieces of any length.
    ///
    /// # Errors
    /// Why the connection ends.
    pub(super) fn read(&mut self, mut bytes: &[u8], connection: &Connection) -> Result<(), &'static str> {
        let skipped = self.preface.min(bytes.len());
        self.preface -= skipped;
        bytes = bytes.get(skipped..).unwrap_or_default();
        while !bytes.is_empty() {
            if self.payload > 0 {
                let (payload, rest) = bytes.split_at(self.payload.min(bytes.len()));
                self.payload -= payload.len();
                bytes = rest;
                if let Some(increment) = &mut self.window {
                    *increment = payload.iter().fold(*increment, |sum, byte| sum << 8 | u32::from(*byte));
                    if self.payload == 0 {
                        // The first bit is reserved.
                        let increment = *increment & 0x7fff_ffff;
                        self.window = None;
                        charge(connection.window(increment))?;
                    }
                    continue;
                }
                if self.trailers.as_mut().is_some_and(|trailers| trailers.has_pseudo_header(payload)) {
                    return Err("expected trailers without pseudo-header fields");
                }
                continue;
            }
            let missing = HEAD_LEN - self.head_len;
            let (piece, rest) = bytes.split_at(missing.min(bytes.len()));
            for byte in piece {
                if let Some(place) = self.head.get_mut(self.head_len) {
                    *place = *byte;
                }
                self.head_len += 1;
            }
            bytes = rest;
            if self.head_len == HEAD_LEN {
                self.head_len = 0;
                self.begin(connection)?;
            }
        }
        Ok(())
    }

    /// A frame begins.
    fn begin(&mut self, connection: &Connection) -> Result<(), &'static str> {
        let [a, b, c, kind, flags, s1, s2, s3, s4] = self.head;
        let stream = u32::from_be_bytes([s1 & 0x7f, s2, s3, s4]);
        self.payload = u32::from_be_bytes([0, a, b, c]) as usize;
        if kind != CONTINUATION {
            self.trailers = None;
        }
        match kind {
            HEADERS => {
                let skip = usize::from(flags & PADDED != 0) + if flags & PRIORITY != 0 { 5 } else { 0 };
                let is_trailers = stream <= self.last_stream;
                self.trailers = is_trailers.then(|| Trailers { skip, block: Vec::new() });
                self.last_stream = self.last_stream.max(stream);
            }
            DATA if self.payload > 0 => return Ok(()),
            // Charged when its increment has come.
            WINDOW_UPDATE if self.payload == 4 => self.window = Some(0),
            // Empty data, and everything that is neither a request nor its body.
            _ => charge(connection.frame())?,
        }
        if matches!(kind, HEADERS | CONTINUATION) {
            match flags & END_HEADERS {
                0 if kind == HEADERS => connection.begin_head(),
                0 => {}
                _ => connection.end_head(),
            }
        }
        Ok(())
    }
}

fn charge(is_taken: bool) -> Result<(), &'static str> {
    if is_taken { Ok(()) } else { Err("expected requests, found frames that ask for nothing") }
}

impl Trailers {
    /// Takes a piece of the payload; true where the first field's name begins with a colon.
    ///
    /// Pseudo-header fields come first (a later one is an error that h2 sees), so the block's first representation tells.
    /// A name in the peer's dynamic table is not looked up.
    fn has_pseudo_header(&mut self, payload: &[u8]) -> bool {
        let skipped = self.skip.min(payload.len());
        self.skip -= skipped;
        let payload = payload.get(skipped..).unwrap_or_default();
        self.block.extend(payload.iter().take(32usize.saturating_sub(self.block.len())));
        let mut block = self.block.iter().copied();
        loop {
            let Some(first) = block.next() else { return false };
            return match first {
                // An indexed field; the static table has pseudo-header fields at 1 to 14.
                0x80.. => (1..=14).contains(&(first & 0x7f)),
                // A literal to be indexed, of a name in the table or of its own.
                0x40..=0x7f if first & 0x3f != 0 => (1..=14).contains(&(first & 0x3f)),
                // The table changes its size: the field comes after that. A long number has more bytes.
                0x20..=0x3f => {
                    if first & 0x1f == 0x1f {
                        while block.next().is_some_and(|byte| byte & 0x80 != 0) {}
                    }
                    continue;
                }
                // A literal that is not indexed. 15 stands for a number that goes on, beyond 14.
                0x00..=0x1f if first & 0x0f != 0 => (1..=14).contains(&(first & 0x0f)),
                _ => {
                    // The name's length, then the name. In the Huffman code of HPACK a colon is 1011100.
                    let (Some(len), Some(letter)) = (block.next(), block.next()) else { return false };
                    if len & 0x80 != 0 { letter >> 1 == 0x5c } else { letter == b':' }
                }
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_field_of_trailers_tells() {
        let is_pseudo = |block: &[u8]| {
            // In pieces of every length.
            let whole = Trailers::default().has_pseudo_header(block);
            for at in 0..block.len() {
                let mut trailers = Trailers::default();
                let (first, second) = block.split_at(at);
                assert_eq!(trailers.has_pseudo_header(first) || trailers.has_pseudo_header(second), whole);
            }
            whole
        };
        for (block, expected) in [
            (&b"\x82"[..], true),                         // :method GET
            (b"\x8f", false),                             // accept-charset
            (b"\x42\x04POST", true),                      // :method, indexed
            (b"\x02\x04POST", true),                      // :method, not indexed
            (b"\x12\x04POST", true),                      // :method, never indexed
            (b"\x50\x04text", false),                     // accept-encoding
            (b"\x40\x07:method\x04POST", true),           // in letters
            (b"\x00\x85\xb9\x49\x53\x39\xe4\x01a", true), // :method in the Huffman code
            (b"\x40\x06x-test\x02ok", false),
            (b"\x3f\xe1\x1f\x82", true), // the table's size first
            (b"\x3f\xe1\x1f\x40\x06x-test\x02ok", false),
            (b"", false),
        ] {
            assert_eq!(is_pseudo(block), expected, "{block:x?}");
        }
    }
}
