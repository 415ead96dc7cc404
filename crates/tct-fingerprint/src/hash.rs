//! SHA-256 of the normalised text that the kernel emits.

use sha2::block_api::compress256;

use crate::Fingerprint;
use crate::invariant::broken;
use crate::out::Sink;
use crate::table::{self, KEEP, MAP, SPACE};

/// SHA-256 over whole blocks, as the kernel gives them, and one last piece of any length.
///
/// The kernel's buffer is the only one, so each block is compressed where it is: for a text of one block, the padding
/// and the buffer of a general hasher cost as much as the block.
#[derive(Debug, Clone)]
pub(crate) struct Hash {
    state: [u32; 8],
    len_bytes: u64,
    /// What is behind the last whole block.
    rest: [u8; 64],
}

impl Default for Hash {
    #[inline]
    fn default() -> Self {
        // The hash's first state, as FIPS 180-4 has it.
        let state = [
            0x6A09_E667,
            0xBB67_AE85,
            0x3C6E_F372,
            0xA54F_F53A,
            0x510E_527F,
            0x9B05_688C,
            0x1F83_D9AB,
            0x5BE0_CD19,
        ];
        Hash { state, len_bytes: 0, rest: [0; 64] }
    }
}

impl Hash {
    /// The fingerprint of all that was written.
    pub(crate) fn finish(mut self) -> Fingerprint {
        // What is in `rest` behind these bytes is zero.
        let used = (self.len_bytes % 64) as usize;
        let mut block = self.rest;
        if let Some(end) = block.get_mut(used) {
            *end = 0x80;
        }
        // The length needs eight bytes behind the byte 80.
        if used >= 56 {
            compress256(&mut self.state, &[block]);
            block = [0; 64];
        }
        if let Some(len) = block.last_chunk_mut() {
            *len = (self.len_bytes * 8).to_be_bytes();
        }
        compress256(&mut self.state, &[block]);
        self.digest()
    }

    /// Keeps less than a block: the text's end.
    #[cold]
    #[inline(never)]
    fn keep(&mut self, rest: &[u8]) {
        if let Some(place) = self.rest.get_mut(..rest.len()) {
            place.copy_from_slice(rest);
        }
    }

    fn digest(&self) -> Fingerprint {
        let mut digest = [0; 32];
        for (to, word) in digest.as_chunks_mut().0.iter_mut().zip(self.state) {
            *to = word.to_be_bytes();
        }
        Fingerprint::from_digest(digest)
    }
}

/// The longest text that [`short`] takes, in bytes: the hash of most is of two blocks at the most.
const SHORT: usize = 64;

/// The normalised form of an ASCII byte; 0 for bytes whose form depends on their neighbours.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
static ASCII: [u8; 128] = {
    let mut bytes = [0; 128];
    let mut byte = b' ';
    while byte < 0x7F {
        bytes[byte as usize] = byte.to_ascii_lowercase();
        byte += 1;
    }
    bytes[b'&' as usize] = 0;
    (bytes[b'\t' as usize], bytes[b'\n' as usize], bytes[b'\r' as usize]) = (b' ', b' ', b' ');
    bytes
};

/// The fingerprint of a title or the like: a few words without references, controls and marks.
///
/// For such texts, starting and ending the kernel costs more than the normalisation.
#[inline]
pub(crate) fn short(text: &str) -> Option<Fingerprint> {
    if text.len() > SHORT {
        return None;
    }
    if text.is_empty() {
        return Some(Fingerprint::OF_EMPTY);
    }
    let mut blocks = [[0; 64]; 2];
    let out = blocks.as_flattened_mut();
    let (mut at, mut len, mut after_space) = (0, 0, true);
    for &byte in text.as_bytes() {
        let Some(&byte) = ASCII.get(usize::from(byte)) else { break };
        if byte == 0 {
            return None;
        }
        *out.get_mut(len)? = byte;
        let space = byte == b' ';
        len += usize::from(!(space && after_space));
        after_space = space;
        at += 1;
    }
    if at < text.len() {
        (len, after_space) = letters(text.get(at..)?, out, len, after_space)?;
    }
    len -= usize::from(after_space && len > 0);
    // The end of the text, over a space that goes away too, or what a character has left there.
    *out.get_mut(len..)?.first_chunk_mut()? = [0x80, 0, 0, 0, 0];
    let count = if len < 56 { 1 } else { 2 };
    *out.get_mut(..64 * count)?.last_chunk_mut()? = (len as u64 * 8).to_be_bytes();
    let mut hash = Hash::default();
    compress256(&mut hash.state, blocks.get(..count)?);
    Some(hash.digest())
}

/// What comes out for a short text that has letters beyond ASCII, behind what is in `out`; returns the length and whether
/// the last byte is a space. Nothing if a mark may change what is before it, and where the hash would need a third block.
fn letters(text: &str, out: &mut [u8], mut len: usize, mut after_space: bool) -> Option<(usize, bool)> {
    for c in text.chars() {
        let mut bytes = [0; 4];
        let piece_len = match table::entry(u32::from(c)) {
            SPACE => {
                bytes = [b' ', 0, 0, 0];
                usize::from(!after_space)
            }
            KEEP => c.encode_utf8(&mut bytes).len(),
            entry @ MAP.. => match table::short_replacement(u32::from(c), entry) {
                Some((four, len)) => {
                    bytes = four;
                    len
                }
                None => {
                    let piece = table::replacement(u32::from(c), entry);
                    out.get_mut(len..len + piece.len())?.copy_from_slice(&piece);
                    (len, after_space) = (len + piece.len(), false);
                    continue;
                }
            },
            _ => return None,
        };
        // Four bytes each, of which the next character overwrites what is too much.
        *out.get_mut(len..)?.first_chunk_mut()? = bytes;
        len += piece_len;
        after_space = bytes.starts_with(b" ");
    }
    // The byte behind the text and its length need nine bytes.
    (len <= 2 * 64 - 9).then_some((len, after_space))
}

impl Sink for Hash {
    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) {
        if !self.len_bytes.is_multiple_of(64) {
            // There was a last piece already.
            broken();
        }
        self.len_bytes += bytes.len() as u64;
        let (blocks, rest) = bytes.as_chunks();
        if !rest.is_empty() {
            self.keep(rest);
        }
        // Last, so that nothing is left to do here when it returns: this is called for every block.
        compress256(&mut self.state, blocks);
    }
}
