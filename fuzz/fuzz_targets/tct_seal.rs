//! Payloads of any shape: what is sealed is canonical, checks as matching, is opened by its own reader, and changes
//! its hash when its content changes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tct::payload::escape_markup;
use tct::sealing::{HashCheck, HashMethod, Sealer, check_hash};
use tct::{CUrl, Payload};
use tct_canonical_json::{Profile, to_canonical};

fuzz_target!(|data: (bool, String, String, String, &[u8])| {
    let (method_b, title, content, name, json) = data;
    let method = if method_b { HashMethod::B } else { HashMethod::A };
    if let Ok(sealed) = Sealer::new().method(method).seal_json(json) {
        assert_eq!(to_canonical(sealed.body(), Profile::Tct).as_deref(), Ok(sealed.body()));
        assert_eq!(format!("\"{}\"", sealed.fingerprint()), sealed.etag().to_string());
        let checked = check_hash(sealed.body()).expect("what was sealed has a hash");
        assert_ne!(checked, HashCheck::Neither);
        // Sealing a sealed payload changes nothing.
        let again = Sealer::new().method(method).seal_json(sealed.body()).expect("it was sealed before");
        assert_eq!(again.body(), sealed.body());
    }

    let page = CUrl::parse("https://example.com/post/").unwrap();
    let content = escape_markup(&content).into_owned();
    assert_eq!(escape_markup(&content), content, "nothing is left to escape");
    let payload = Payload::new(&page, title.as_str(), content.as_str());
    let Ok(sealed) = payload.seal() else { return };
    if let Ok(more) = payload.with_field(name, title.as_str()).map(|payload| payload.seal())
        && let Ok(more) = more
    {
        assert_ne!(more.fingerprint(), sealed.fingerprint());
    }
    let other = Payload::new(&page, title.as_str(), format!("{content}."));
    assert_ne!(other.seal().expect("one more full stop").fingerprint(), sealed.fingerprint());
});
