//! Every error message, every way to be wrong, and the text forms in other clothes.

use std::fmt::Write as _;

use tct_fingerprint::{
    Fingerprint, Fingerprinter, LenientEtag, StrongEtag, Utf8ErrorKind, Utf8Fingerprinter, fingerprint_utf8,
    normalize_utf8,
};

const GOOD: &str = "sha256-2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";

#[test]
fn fingerprint_errors_read_well() {
    let digits = &GOOD[7..];
    let mut report = String::new();
    for text in [
        "",
        "sha",
        "sha256",
        "sha256-",
        "md5-00",
        digits,
        &GOOD.to_uppercase(),
        &format!("SHA256-{digits}"),
        &format!(" {GOOD}"),
        &format!("{GOOD} "),
        &format!("{GOOD}\n"),
        &GOOD[..70],
        &format!("{GOOD}0"),
        &format!("sha256-{}", digits.to_uppercase()),
        "sha256-abc123...",
        "sha256-\u{e9}",
        "sha256-sitemap-fingerprint",
        &GOOD[..69],
    ] {
        let error = Fingerprint::parse(text).unwrap_err();
        writeln!(
            report,
            "{text:?}\n  {error}\n  {:?} at {}, {}",
            error.kind(),
            error.offset(),
            error.requirement()
        )
        .unwrap();
    }
    insta::assert_snapshot!(report);
}

#[test]
fn etag_errors_read_well() {
    let mut report = String::new();
    for value in [
        "",
        "W/",
        GOOD,
        "\"",
        "\"\"",
        &format!("\"{GOOD}"),
        &format!("'{GOOD}'"),
        &format!("W/\"{GOOD}\""),
        &format!("w/\"{GOOD}\""),
        &format!("W/{GOOD}"),
        &format!("\"{GOOD}-gzip\""),
        &format!("W/\"{GOOD}--gzip\""),
        &format!("\"{GOOD}-rot13\""),
        &format!("\"{GOOD}\", \"b\""),
        &format!(" \"{GOOD}\""),
        &format!("\"{}\"", GOOD.to_uppercase()),
        "\"5d8c72a5edda8\"",
    ] {
        writeln!(report, "{value}").unwrap();
        let error = StrongEtag::parse(value).unwrap_err();
        writeln!(
            report,
            "  strict:  {error} ({:?} at {}, {})",
            error.kind(),
            error.offset(),
            error.requirement()
        )
        .unwrap();
        match LenientEtag::parse(value) {
            Ok(etag) => {
                writeln!(report, "  lenient: weak {}, suffix {:?}", etag.is_weak(), etag.suffix()).unwrap()
            }
            Err(error) => writeln!(report, "  lenient: {error}").unwrap(),
        }
    }
    insta::assert_snapshot!(report);
}

#[test]
fn utf8_errors_read_well() {
    let mut report = String::new();
    for bytes in [&b"abc\xFF"[..], b"\xC3", b"a\xED\xA0\x80", b"ab\xF0\x9F\x98", b"\xC0\xAF"] {
        let error = fingerprint_utf8(bytes).unwrap_err();
        assert_eq!(normalize_utf8(bytes).unwrap_err(), error);
        writeln!(report, "{}\n  {error} ({:?}, {})", bytes.escape_ascii(), error.kind(), error.requirement())
            .unwrap();
    }
    insta::assert_snapshot!(report);
}

#[test]
fn good_values_come_back() {
    let value = Fingerprint::parse(GOOD).unwrap();
    assert_eq!(value.to_string(), GOOD);
    let quoted = value.etag().to_string();
    assert_eq!(StrongEtag::parse(&quoted).unwrap().fingerprint(), value);
    assert!(LenientEtag::parse(&quoted).unwrap().is_strict());
    for suffix in ["-gzip", "--gzip", ";gzip", "-br", "-deflate", "-zstd"] {
        let etag = LenientEtag::parse(format!("\"{GOOD}{suffix}\"")).unwrap();
        assert_eq!(etag.suffix().unwrap().as_str(), suffix);
        assert_eq!(etag.fingerprint(), value);
    }
}

#[test]
fn what_is_held_back_shows() {
    let mut fingerprinter = Fingerprinter::new();
    fingerprinter.update("  Abc ");
    assert!(format!("{fingerprinter:?}").contains("held_bytes: 4"), "{fingerprinter:?}");
}

#[cfg(feature = "serde")]
#[test]
fn serde_uses_the_text_form() {
    let value = Fingerprint::parse(GOOD).unwrap();
    let json = serde_json::to_string(&value).unwrap();
    assert_eq!(json, format!("\"{GOOD}\""));
    assert_eq!(serde_json::from_str::<Fingerprint>(&json).unwrap(), value);
    assert!(serde_json::from_str::<Fingerprint>("\"sha256-00\"").is_err());
    let error = serde_json::from_str::<Fingerprint>("7").unwrap_err().to_string();
    assert!(error.contains("expected `sha256-` and 64 lower-case hex digits"), "{error}");
}

/// After an error there is no fingerprint of the text before it, however the caller goes on.
#[test]
fn an_error_stays() {
    for (pieces, offset) in [
        (&[&b"abc\xFFd"[..], b"more"][..], 3),
        (&[b"caf\xC3", b"x", b"more"], 3),
        (&[b"\xED\xA0", b"\x80"], 0),
        (&[b"text", b"\xFF", b""], 4),
    ] {
        let mut fingerprinter = Utf8Fingerprinter::new();
        let mut errors = Vec::new();
        for piece in pieces {
            errors.extend(fingerprinter.update(piece).err());
        }
        errors.push(fingerprinter.finish().unwrap_err());
        assert!(errors.len() >= 2, "{errors:?}");
        for error in &errors {
            assert_eq!((error.kind(), error.offset()), (Utf8ErrorKind::Invalid, offset), "{errors:?}");
        }
    }
}
