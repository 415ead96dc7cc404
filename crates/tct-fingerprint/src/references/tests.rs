use super::*;

/// Each byte in each place, beside bytes that carry into it or borrow from it if anything does.
#[test]
fn letters_and_digits_are_found_in_eight_bytes() {
    for byte in 0..=u8::MAX {
        for place in 0..8 {
            for other in [0, b'/', b'0', b'9', b':', b'@', b'A', b'z', b'{', 0x7F, 0x80, 0xFF] {
                let mut bytes = [other; 8];
                bytes[place] = byte;
                let expected = bytes.map(|byte| if byte.is_ascii_alphanumeric() { 0x80 } else { 0 });
                assert_eq!(letters_and_digits(u64::from_le_bytes(bytes)).to_le_bytes(), expected);
            }
        }
    }
}

pub(crate) fn table_bytes() -> usize {
    size_of_val(&WINDOWS_1252) + list::tests::table_bytes()
}
