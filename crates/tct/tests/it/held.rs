//! What an agent keeps: hashes, tags, and the form in which they are stored.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use tct::held::{ContentHash, HeldPage};
use tct::{Fingerprint, UnixSeconds};

const FOO: &str = "sha256-2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";

#[test]
fn a_hash_is_a_digest_or_the_text_that_it_is() {
    let foo = Fingerprint::hash(b"foo");
    assert_eq!(ContentHash::from(FOO), ContentHash::from(foo));
    assert_eq!(ContentHash::from(FOO), foo);
    assert_ne!(ContentHash::from(FOO), Fingerprint::hash(b"bar"));
    for other in ["", "abc", "sha256-", &FOO.to_uppercase(), &format!("{FOO} ")] {
        let hash = ContentHash::from(other);
        assert_eq!((hash.fingerprint(), hash.to_string().as_str()), (None, other));
        assert_ne!(hash, foo);
    }
    assert_eq!(format!("{:?}", ContentHash::from("a\"b")), r#"ContentHash("a\"b")"#);
}

/// Entries stored by earlier versions of this crate are read, and written again byte for byte.
#[test]
fn stored_pages_are_read_as_they_were_written() {
    let json = format!(
        r#"{{"hash":"{FOO}","validated_at":7,"etag":"W/\"{FOO}-gzip\"","history":{{"last_modified":3,"earlier":["{FOO}","x"],"other_versions":["\"a\""],"disputed":"{FOO}","is_v03":true}}}}"#
    );
    let held: HeldPage = serde_json::from_str(&json).unwrap();
    assert_eq!(serde_json::to_string(&held).unwrap(), json);
    let as_value: HeldPage = serde_json::from_value(serde_json::from_str(&json).unwrap()).unwrap();
    assert_eq!(as_value, held);
    assert_eq!(held.if_none_match().unwrap(), format!("W/\"{FOO}-gzip\", \"a\""));
    assert_eq!(
        (held.hash.fingerprint(), held.history.disputed),
        (Fingerprint::parse(FOO).ok(), Fingerprint::parse(FOO).ok())
    );
    assert!(serde_json::from_str::<HeldPage>(r#"{"hash":7,"validated_at":7,"history":{}}"#).is_err());
}

/// An invalid tag and a disputed hash that is not a fingerprint are dropped when loading.
#[test]
fn what_a_cache_holds_of_another_form_is_left_out() {
    let json = r#"{"hash":"x","validated_at":7,"etag":"x","history":{"other_versions":["\"a","\"b\""],"disputed":"x"}}"#;
    let held: HeldPage = serde_json::from_str(json).unwrap();
    assert_eq!((&held.etag, held.history.disputed), (&None, None));
    assert_eq!(held.if_none_match().unwrap(), "\"b\"");
    for json in [
        r#"{"hash":"x","validated_at":7,"etag":null,"history":{}}"#,
        r#"{"hash":"x","validated_at":7,"history":{}}"#,
    ] {
        assert_eq!(serde_json::from_str::<HeldPage>(json).unwrap().etag, None);
    }
    assert_eq!(HeldPage::new("a\"b", UnixSeconds(7)).if_none_match(), None);
    assert_eq!(HeldPage::new("x", UnixSeconds(7)).if_none_match().unwrap(), "\"x\"");
}
