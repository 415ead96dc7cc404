//! ASCII, one byte after the other: the lane of targets without vector registers, and the one that others are tested against.

use super::{BEFORE, CHUNK, Claims, Lane, Scripts, VIEW};

/// A loop over bytes.
#[cfg_attr(not(test), allow(dead_code, reason = "in use where there are no vector registers"))]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plain;

impl Lane for Plain {
    #[inline(always)]
    fn look(self, src: &[u8; VIEW], out: &mut [u8; CHUNK], _: &Scripts) -> Claims {
        let (mut left, mut white) = (0, 0);
        for (at, (to, &byte)) in out.iter_mut().zip(src.iter().skip(BEFORE)).enumerate() {
            let is_white = matches!(byte, b'\t' | b'\n' | b'\r' | b' ');
            *to = if is_white { b' ' } else { byte.to_ascii_lowercase() };
            white |= u64::from(is_white) << at;
            left |= u64::from(matches!(byte, 0..0x20 | b'&' | 0x7F | 0xC0..) & !is_white) << at;
        }
        Claims { left, white }
    }
}
