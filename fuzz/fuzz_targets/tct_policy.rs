//! A policy descriptor from a stranger: absent is never allowed, and what is written reads back without a fault.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tct::{Permission, PolicyDescriptor, Purpose};

fuzz_target!(|json: &[u8]| {
    let Ok((policy, faults)) = PolicyDescriptor::parse(json) else { return };
    let tree: serde_json::Value = serde_json::from_slice(json).expect("it was read");
    for fault in &faults {
        assert!(!fault.code.code().is_empty());
        assert!(fault.path.is_empty() || fault.path.starts_with('/'), "{}", fault.path);
    }
    if tree.get("purposes").is_none() {
        for purpose in [Purpose::AiInput, Purpose::AiTrain, Purpose::SearchIndexing] {
            assert!(policy.permission(purpose) != Permission::Allowed, "absent is not allowed");
        }
    }
    let written = policy.to_json().expect("a policy is JSON");
    let (again, rest) = PolicyDescriptor::parse(&written).expect("what was written is JSON");
    assert_eq!(again, policy);
    assert!(faults.len() >= rest.len(), "{faults:?} became {rest:?}");
});
