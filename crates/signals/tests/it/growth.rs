//! Hostile licences and reservations: four times the size takes about four times the time.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use std::fmt::Write as _;

use signals::{RslAsset, RslCaller, RslDocument, RslLinks, TdmRep};

fn grows_linearly(what: &str, small: usize, run: impl Fn(usize)) {
    linear::assert_linear(what, [small, small * 4], run);
}

#[test]
fn a_field_of_many_licences() {
    grows_linearly("licences in a field", 5_000, |n| {
        let mut line = String::new();
        for n in 0..n {
            write!(line, "<https://a.example/{n}>;rel=license;type=application/rsl+xml,").unwrap();
        }
        assert_eq!(RslLinks::of_headers([("Link", line.as_str())]).urls.len(), n);
    });
}

#[cfg(feature = "html")]
#[test]
fn a_page_of_many_licences() {
    let base = "https://a.example/".parse().unwrap();
    grows_linearly("licences in a page", 5_000, |n| {
        let mut page = String::new();
        for n in 0..n {
            write!(page, "<link rel=license type=application/rsl+xml href=/{n}>").unwrap();
        }
        assert_eq!(RslLinks::of_html(page.as_bytes(), &base).urls.len(), n);
    });
}

/// A long path with an escape, so that it is not compared as it is.
fn long_path(bytes: usize) -> String {
    format!("/%7e{}", "a".repeat(bytes))
}

#[test]
fn a_licence_of_many_contents_and_a_long_path() {
    for content in ["/b", "/%7eb", "https://a.example/b"] {
        grows_linearly(content, 500, |n| {
            let content = format!("<content url=\"{content}\"><license/></content>");
            let xml = format!(r#"<rsl xmlns="https://rslstandard.org/rsl">{}</rsl>"#, content.repeat(n));
            let licence = RslDocument::parse(&xml).unwrap();
            let url = format!("https://a.example{}", long_path(n * 50));
            let asset = RslAsset::new(url.parse().unwrap());
            assert_eq!(licence.judge(&asset, &RslCaller::default()), None);
        });
    }
}

#[test]
fn a_reservation_of_many_places_and_a_long_path() {
    for location in ["/b", "/%7eb"] {
        grows_linearly(location, 500, |n| {
            let entry = format!(r#"{{"location":"{location}","tdm-reservation":1}},"#);
            let file = format!("[{}0]", entry.repeat(n));
            let mut stated = TdmRep::default();
            stated.add_well_known(long_path(n * 50).as_str(), file.as_bytes());
            assert_eq!((stated.reservation(), stated.is_file_unreadable()), (None, false));
        });
    }
}
