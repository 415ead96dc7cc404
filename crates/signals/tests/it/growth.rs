//! Hostile licences and reservations: four times the size takes about four times the time.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use std::fmt::Write as _;

use signals::RslLinks;

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
