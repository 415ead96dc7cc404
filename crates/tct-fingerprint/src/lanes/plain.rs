//! A loop over bytes.

use super::chunk::Chunk;
use super::{BEFORE, Bulk, CHUNK, Handled, Scripts, VIEW};

/// Looks at one byte after the other. Where there are lanes, only the tests use it: they hold the lanes against it.
#[cfg_attr(not(test), allow(dead_code, reason = "in use where there are no lanes"))]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plain;

impl Bulk for Plain {
    #[inline(always)]
    fn group(self) -> usize {
        128
    }

    #[inline(always)]
    fn bulk(self, src: &[u8; VIEW], out: &mut [u8; CHUNK], after_space: bool, _: &mut Scripts) -> Handled {
        let mut chunk = Chunk::new(src, out, 0);
        let mut stop = 0;
        let mut at = 0;
        while let (Some(&byte), Some(slot)) = (src.get(at + BEFORE), chunk.out.get_mut(at)) {
            *slot = byte.to_ascii_lowercase();
            let len = match byte {
                b'\t' | b'\n' | b'\r' | b' ' => {
                    *slot = b' ';
                    chunk.white |= 1 << at;
                    1
                }
                0..0x20 | 0x7F => {
                    chunk.dropped |= 1 << at;
                    1
                }
                b'&' | 0x80.. => {
                    let end = (at + utf8_len(byte)).min(CHUNK);
                    let from = src.get(at + BEFORE..end + BEFORE);
                    if let (Some(from), Some(to)) = (from, chunk.out.get_mut(at..end)) {
                        to.copy_from_slice(from);
                    }
                    match chunk.patch(at) {
                        Ok(len) => len,
                        Err(at) => {
                            stop = 1 << at;
                            break;
                        }
                    }
                }
                _ => 1,
            };
            at += len;
        }
        let (handled, stays) = chunk.close(stop, after_space);
        if let Some(stays) = stays {
            for (to, from) in (0..CHUNK).filter(|at| stays >> at & 1 != 0).enumerate() {
                chunk.out.copy_within(from..=from, to);
            }
        }
        handled
    }
}

/// The length of the character that begins with this byte.
#[cfg_attr(not(test), allow(dead_code, reason = "in use where there are no lanes"))]
fn utf8_len(byte: u8) -> usize {
    match byte {
        0..0xC0 => 1,
        0xC0..0xE0 => 2,
        0xE0..0xF0 => 3,
        _ => 4,
    }
}
