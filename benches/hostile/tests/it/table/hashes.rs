//! tct-fingerprint.

use tct_fingerprint::{
    Fingerprint, LenientEtag, Steps, StrongEtag, Utf8Fingerprinter, fingerprint, fingerprint_utf8, normalize,
    normalize_utf8,
};

use super::{Function, nothing, row};

const LIBRARY: &str = "tct-fingerprint";
const NONE: (u64, u64) = (0, 0);
/// U+FDFA has 33 bytes in NFKC, from three.
const NORMAL: (u64, u64) = (11, 64);

pub const FUNCTIONS: &[Function] = &[
    row(LIBRARY, "fingerprint", (24, 4_096), NONE, |case| nothing(fingerprint(&case.text))),
    row(LIBRARY, "fingerprint_utf8", (24, 4_096), NONE, |case| nothing(fingerprint_utf8(&case.bytes))),
    row(LIBRARY, "normalize", (40, 8_192), NORMAL, |case| normalize(&case.text).len()),
    row(LIBRARY, "normalize_utf8", (40, 8_192), NORMAL, |case| {
        normalize_utf8(&case.bytes).map_or(0, |text| text.len())
    }),
    row(LIBRARY, "Steps::of", (160, 16_384), (66, 512), |case| {
        Steps::of(&case.text).iter().map(|(_, text)| text.len()).sum()
    }),
    row(LIBRARY, "Utf8Fingerprinter::update, byte by byte", (24, 16_384), NONE, |case| {
        let mut fingerprinter = Utf8Fingerprinter::new();
        nothing(case.bytes.chunks(1).try_for_each(|byte| fingerprinter.update(byte)))
    }),
    row(LIBRARY, "Fingerprint::hash", NONE, NONE, |case| nothing(Fingerprint::hash(&case.bytes))),
    row(LIBRARY, "Fingerprint::parse", (1, 256), NONE, |case| nothing(Fingerprint::parse(&case.text))),
    row(LIBRARY, "StrongEtag::parse", (1, 256), NONE, |case| nothing(StrongEtag::parse(&case.bytes))),
    row(LIBRARY, "LenientEtag::parse", (1, 256), NONE, |case| nothing(LenientEtag::parse(&case.bytes))),
];
