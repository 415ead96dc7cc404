//! The published vectors.

use tct_fingerprint::{Fingerprint, fingerprint, normalize};

#[test]
fn texts_have_the_published_fingerprints() {
    let set = spec_vectors::set("tct/fingerprint").expect("a published set");
    for case in &set.cases {
        let text = case.input["text"].as_str().expect("a text");
        let expected = case.expected.ok().and_then(|ok| ok["hash"].as_str()).expect("a hash");
        assert_eq!(fingerprint(text).to_string(), expected, "{}", case.id);
        assert_eq!(Fingerprint::hash(normalize(text).as_bytes()).to_string(), expected, "{}", case.id);
    }
}

#[test]
fn texts_have_the_published_normal_form() {
    let set = spec_vectors::set("tct/normalize").expect("a published set");
    for case in &set.cases {
        let text = case.input["text"].as_str().expect("a text");
        let expected = case.expected.ok().and_then(|ok| ok["text"].as_str()).expect("a text");
        assert_eq!(normalize(text), expected, "{}", case.id);
    }
}
