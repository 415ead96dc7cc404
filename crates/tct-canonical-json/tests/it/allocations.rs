//! Checking uses no heap, and canonical text into a buffer that has room uses little.

use tct_canonical_json::{Profile, check_canonical, is_canonical, to_canonical, write_canonical};

/// Spec: RFC 8785, section 3.2.
#[test]
fn checking_uses_no_heap() {
    let canonical = br#"{"a":[1,2.5,{"b":"\u0000x","c":null}],"k":"text","z":{"y":{"x":[[[]]]}}}"#;
    let spaced = br#"{"a":[1, 2]}"#;
    let unsorted = br#"{"b":1,"a":2}"#;
    let broken = br#"{"a":[1,}"#;
    for profile in [Profile::Tct, Profile::Rfc8785] {
        let used = allocation_counter::measure(|| {
            assert!(is_canonical(canonical, profile));
            assert!(check_canonical(spaced, profile).is_some());
            assert!(check_canonical(unsorted, profile).is_some());
            assert!(check_canonical(broken, profile).is_some());
        });
        assert_eq!(used.count_total, 0);
    }
}

/// Documents can be appended to one buffer by the thousand: what stands there is not copied, even where the last pass
/// over a document needs a second output.
#[test]
fn appending_does_not_copy_what_stands_before() {
    let deep = (0..8).fold(String::from("1"), |inner, _| format!(r#"{{"b":{inner},"a":2}}"#));
    let canonical = to_canonical(deep.as_bytes(), Profile::Tct).expect("it is JSON");
    let mut out = vec![b' '; 1 << 20];
    out.reserve(1 << 10);
    let used = allocation_counter::measure(|| {
        assert_eq!(write_canonical(deep.as_bytes(), Profile::Tct, &mut out), Ok(()));
    });
    assert_eq!(out.split_off(1 << 20), canonical);
    assert!(out.iter().all(|&byte| byte == b' '));
    assert!(used.bytes_max < 1 << 16, "{used:?}");
}
