//! SHA-256 of what the kernel gives away.

use sha2::block_api::compress256;

use crate::Fingerprint;
use crate::invariant::broken;
use crate::kernel::Sink;

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
        let mut digest = [0; 32];
        for (to, word) in digest.as_chunks_mut().0.iter_mut().zip(self.state) {
            *to = word.to_be_bytes();
        }
        Fingerprint::from_digest(digest)
    }
}

impl Sink for Hash {
    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) {
        if self.len_bytes % 64 != 0 {
            // There was a last piece already.
            broken();
        }
        let (blocks, rest) = bytes.as_chunks();
        compress256(&mut self.state, blocks);
        if let Some(place) = self.rest.get_mut(..rest.len()) {
            place.copy_from_slice(rest);
        }
        self.len_bytes += bytes.len() as u64;
    }
}
