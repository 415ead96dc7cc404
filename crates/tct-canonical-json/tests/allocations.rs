//! Checking uses no heap, and canonical text into a buffer that has room uses little.

use tct_canonical_json::{Profile, check_canonical, is_canonical};

/// Spec: RFC 8785, section 3.2; TCT-JSON-1.
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
