//! The test data that the authors of RFC 8785 published: the list of 100 million numbers, and documents with their canonical
//! form.
//!
//! The list (cyberphone/json-canonicalization, `testdata`, linked from RFC 8785's appendix B) is computed, not stored: 168
//! chosen doubles, 2,000 that follow each other, and then those that a chain of SHA-256 gives. Its authors publish the
//! SHA-256 of its first lines, so a right list is known by its hash. 100,000 lines are made by default, and as many as asked for by
//!
//! ```text
//! NUMBER_LINES=100000000 cargo test --release -p tct-canonical-json --test it published
//! ```
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test says what it expects in the plainest way, takes its length from the environment, and reads files"
)]

use std::path::{Path, PathBuf};

use covers::covers;
use sha2::{Digest, Sha256};
use tct_canonical_json::{Canonicalizer, Profile, Typed, is_canonical, to_canonical};

/// Lines of the list, and the SHA-256 of so many.
const PUBLISHED: [(u64, &str); 6] = [
    (1_000, "be18b62b6f69cdab33a7e0dae0d9cfa869fda80ddc712221570f9f40a5878687"),
    (10_000, "b9f7a8e75ef22a835685a52ccba7f7d6bdc99e34b010992cbc5864cd12be6892"),
    (100_000, "22776e6d4b49fa294a0d0f349268e5c28808fe7e0cb2bcbe28f63894e494d4c7"),
    (1_000_000, "49415fee2c56c77864931bd3624faad425c3c577d6d74e89a83bc725506dad16"),
    (10_000_000, "b9f8a44a91d46813b21b9602e72f112613c91408db0b8341fb94603d9db135e0"),
    (100_000_000, "0f7dda6b0837dde083c5d6b896f7d62340c8a2415b0c7121d83145e08a755272"),
];

#[test]
#[covers("TCT-JSON-7")]
fn the_published_list_of_numbers_has_its_hash() {
    let lines = std::env::var("NUMBER_LINES").map_or(100_000, |lines| lines.parse::<u64>().unwrap());
    let canonicalizer = Canonicalizer::new(Profile::Rfc8785);
    let (mut hash, mut line, mut numbers, mut hashes) = (Sha256::new(), Vec::new(), Numbers::default(), 0);
    for number in 1..=lines {
        let double = numbers.next().unwrap();
        line.clear();
        line.extend_from_slice(format!("{:x},", double.to_bits()).as_bytes());
        let at = line.len();
        canonicalizer.write_canonical(Typed(&double), &mut line).unwrap();
        let printed = line.split_off(at);
        // What is printed reads as the same number and is canonical, and so does another spelling of it.
        if number <= 100_000 {
            assert!(is_canonical(&printed, Profile::Rfc8785), "{double:e}");
            assert_eq!(
                to_canonical(format!("{double:e}").as_bytes(), Profile::Rfc8785).as_ref(),
                Ok(&printed)
            );
        }
        line.extend_from_slice(&printed);
        line.push(b'\n');
        hash.update(&line);
        if let Some((_, expected)) = PUBLISHED.iter().find(|(lines, _)| *lines == number) {
            let found: String = hash.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(found, *expected, "of {number} lines");
            hashes += 1;
        }
    }
    assert!(hashes > 0, "expected at least 1000 lines, found {lines}");
}

/// The doubles of the list, in order.
#[derive(Default)]
struct Numbers {
    index: usize,
    block: [u8; 32],
    rest: Vec<u8>,
}

impl Iterator for Numbers {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        let index = self.index;
        self.index += 1;
        let thirds = 2 * THIRDS.len();
        let bits = match index {
            0..4 => [0, SIGN, 1, SIGN | 1].get(index).copied(),
            4.. if index < 4 + THIRDS.len() => THIRDS.get(index - 4).map(|bits| bits | SIGN),
            4.. if index < 4 + thirds => THIRDS.get(index - 4 - THIRDS.len()).copied(),
            _ => CHOSEN.get(index - 4 - thirds).copied(),
        };
        if let Some(bits) = bits {
            return Some(f64::from_bits(bits));
        }
        let index = index - 4 - thirds - CHOSEN.len();
        if index < 2_000 {
            return Some(f64::from_bits(0x0010_0000_0000_0000 + index as u64));
        }
        loop {
            if self.rest.is_empty() {
                self.block = Sha256::digest(self.block).into();
                self.rest = self.block.to_vec();
            }
            let bits: Vec<u8> = self.rest.drain(..8).collect();
            let double = f64::from_bits(u64::from_le_bytes(bits.try_into().unwrap()));
            if double != 0.0 && double.is_finite() {
                return Some(double);
            }
        }
    }
}

const SIGN: u64 = 1 << 63;

/// A third of powers of ten, from 10^21 down: hard to print with the fewest digits. The list has them with both signs.
const THIRDS: [u64; 50] = [
    0x4466_9669_5dbd_1cc3,
    0x4432_11ed_e497_4a35,
    0x43fc_e97c_a0f2_1056,
    0x43c7_2130_80c1_a6ac,
    0x4392_80f3_9a34_8556,
    0x435d_9b1f_5d20_d557,
    0x4327_af4c_4a80_aaac,
    0x42f2_f2a3_6ecd_5556,
    0x42be_5105_7e15_5558,
    0x4288_40d1_31aa_aaac,
    0x4253_670d_c155_5557,
    0x421f_0b49_3555_5557,
    0x41e8_d5d4_2aaa_aaac,
    0x41b3_de43_5555_5556,
    0x417f_ca05_5555_5556,
    0x4149_6e6a_aaaa_aaab,
    0x4114_5855_5555_5555,
    0x40e0_46aa_aaaa_aaab,
    0x40aa_0aaa_aaaa_aaaa,
    0x4074_d555_5555_5555,
    0x4040_aaaa_aaaa_aaab,
    0x400a_aaaa_aaaa_aaab,
    0x3fd5_5555_5555_5555,
    0x3fa1_1111_1111_1111,
    0x3f6b_4e81_b4e8_1b4f,
    0x3f35_d867_c3ec_e2a5,
    0x3f01_79ec_9cbd_821e,
    0x3ecb_f647_612f_3696,
    0x3e96_5e9f_80f2_9212,
    0x3e61_e54c_6728_74db,
    0x3e2c_a213_d840_baf8,
    0x3df6_e80f_e033_c8c6,
    0x3dc2_533f_e68f_d3d2,
    0x3d8d_51ff_d74c_861c,
    0x3d57_74cc_ac3d_3817,
    0x3d22_c3d6_f030_f9ac,
    0x3cee_0624_b381_8f79,
    0x3cb8_04ea_2934_72c7,
    0x3c83_3721_ba90_5bd3,
    0x3c4e_be9c_5db3_c61e,
    0x3c18_987d_17c3_04e5,
    0x3be3_ad30_dfcf_371d,
    0x3baf_7b81_6618_582f,
    0x3b79_2f9a_b813_79bf,
    0x3b44_2615_600f_9499,
    0x3b10_1e77_800c_76e1,
    0x3ad9_ca58_cce0_be35,
    0x3aa4_a1e0_a3e6_fe90,
    0x3a70_8180_831f_320d,
    0x3a3a_68cd_9e98_5016,
];

/// Doubles at which layouts change, and their neighbours.
const CHOSEN: [u64; 64] = [
    0x4024_0000_0000_0000,
    0x4014_0000_0000_0000,
    0x3fe0_0000_0000_0000,
    0x3fa9_9999_9999_999a,
    0x3f74_7ae1_47ae_147b,
    0x3f40_624d_d2f1_a9fc,
    0x3f0a_36e2_eb1c_432d,
    0x3ed4_f8b5_88e3_68f1,
    0x3ea0_c6f7_a0b5_ed8d,
    0x3e6a_d7f2_9abc_af48,
    0x3e35_798e_e230_8c3a,
    0x3ed5_3922_3589_fa95,
    0x3ed4_ff26_cd5a_7781,
    0x3ed4_f95a_7622_83ff,
    0x3ed4_f8c6_0703_520c,
    0x3ed4_f8b7_2f19_cd0d,
    0x3ed4_f8b5_b31c_0c8d,
    0x3ed4_f8b5_8d1c_461a,
    0x3ed4_f8b5_894f_7f0e,
    0x3ed4_f8b5_88ee_37f3,
    0x3ed4_f8b5_88e4_7da4,
    0x3ed4_f8b5_88e3_849c,
    0x3ed4_f8b5_88e3_6bb5,
    0x3ed4_f8b5_88e3_6937,
    0x3ed4_f8b5_88e3_68f8,
    0x3ed4_f8b5_88e3_68f1,
    0x3ff0_0000_0000_0000,
    0xbff0_0000_0000_0000,
    0xbfef_ffff_ffff_fffa,
    0xbfef_ffff_ffff_fffb,
    0x3fef_ffff_ffff_fffa,
    0x3fef_ffff_ffff_fffb,
    0x3fef_ffff_ffff_fffc,
    0x3fef_ffff_ffff_fffe,
    0xbfef_ffff_ffff_ffff,
    0xbfef_ffff_ffff_ffff,
    0x3fef_ffff_ffff_ffff,
    0x3fef_ffff_ffff_ffff,
    0x3fd3_3333_3333_3332,
    0x3fd3_3333_3333_3333,
    0x3fd3_3333_3333_3334,
    0x0010_0000_0000_0000,
    0x000f_ffff_ffff_fffd,
    0x000f_ffff_ffff_ffff,
    0x7fef_ffff_ffff_ffff,
    0xffef_ffff_ffff_ffff,
    0x4340_0000_0000_0000,
    0xc340_0000_0000_0000,
    0x4430_0000_0000_0000,
    0x44b5_2d02_c7e1_4af5,
    0x44b5_2d02_c7e1_4af6,
    0x44b5_2d02_c7e1_4af7,
    0x444b_1ae4_d6e2_ef4e,
    0x444b_1ae4_d6e2_ef4f,
    0x444b_1ae4_d6e2_ef50,
    0x3eb0_c6f7_a0b5_ed8c,
    0x3eb0_c6f7_a0b5_ed8d,
    0x41b3_de43_5555_5553,
    0x41b3_de43_5555_5554,
    0x41b3_de43_5555_5555,
    0x41b3_de43_5555_5556,
    0x41b3_de43_5555_5557,
    0xbecb_f647_612f_3696,
    0x4314_3ff3_c1cb_0959,
];

/// The documents of the same authors, as `serde_json_canonicalizer`, an oracle of these tests, ships them (Apache-2.0).
#[test]
fn the_published_documents_have_their_canonical_form() {
    let Some(folder) = testdata() else {
        println!("skipped: the sources of serde_json_canonicalizer are not in cargo's registry");
        return;
    };
    let mut count = 0;
    for file in std::fs::read_dir(folder.join("input")).unwrap() {
        let file = file.unwrap();
        let expected = std::fs::read(folder.join("output").join(file.file_name())).unwrap();
        let expected = expected.strip_suffix(b"\n").unwrap_or(&expected);
        let canonical = to_canonical(&std::fs::read(file.path()).unwrap(), Profile::Rfc8785).unwrap();
        assert_eq!(canonical, expected, "{:?}", file.file_name());
        count += 1;
    }
    assert_eq!(count, 6);
}

/// The folder with the documents in cargo's own copy of the package.
fn testdata() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".cargo")))?;
    let registries = std::fs::read_dir(home.join("registry/src")).ok()?;
    let folders = registries
        .flatten()
        .map(|registry| registry.path().join("serde_json_canonicalizer-0.4.1/tests/resources/testdata"));
    folders.into_iter().find(|folder| folder.is_dir())
}
