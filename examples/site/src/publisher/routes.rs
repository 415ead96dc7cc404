//! Routes by path.

use std::borrow::Cow;
use std::collections::HashMap;

use percent_encoding::percent_decode_str;

use crate::publisher::Route;

/// Who answers for which path. Paths are compared percent-decoded: `/caf%C3%A9`, `/caf%c3%a9` and `/%63af%c3%a9` are one.
#[derive(Debug, Default)]
pub(super) struct Routes(HashMap<Vec<u8>, Route>);

impl Routes {
    /// A later route takes the place of an earlier one of the same path.
    pub(super) fn insert(&mut self, path: &str, route: Route) {
        if let Some(path) = decoded(path) {
            self.0.insert(path.into_owned(), route);
        }
    }

    /// The route of a request's path.
    pub(super) fn find(&self, path: &str) -> Option<&Route> {
        // The library's own spelling is the common case.
        self.0.get(decoded(path)?.as_ref())
    }

    /// Whether any path begins with this.
    pub(super) fn have_any_below(&self, prefix: &str) -> bool {
        decoded(prefix).is_some_and(|prefix| self.0.keys().any(|path| path.starts_with(&prefix)))
    }
}

/// The path without percent-encoding; `None` where it names a slash or a NUL that is not one of the path's own.
fn decoded(path: &str) -> Option<Cow<'_, [u8]>> {
    if !path.contains('%') {
        return Some(Cow::Borrowed(path.as_bytes()));
    }
    let bytes: Vec<u8> = percent_decode_str(path).collect();
    let slashes = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'/').count();
    (slashes(&bytes) == slashes(path.as_bytes()) && !bytes.contains(&0)).then_some(Cow::Owned(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_compared_decoded() {
        let mut routes = Routes::default();
        routes.insert("/caf%C3%A9/a.html", Route::Page(1));
        routes.insert("/a%20b", Route::Page(2));
        for (path, expected) in [
            ("/caf%C3%A9/a.html", Some(1)),
            ("/caf%c3%a9/a%2ehtml", Some(1)),
            ("/%63af%c3%a9/a.html", Some(1)),
            ("/a%20b", Some(2)),
            ("/caf%c3%a9%2fa.html", None),
            ("/a b%00", None),
            ("/caf", None),
        ] {
            let found = routes.find(path).map(|route| match route {
                Route::Page(index) => *index,
                other => panic!("{other:?}"),
            });
            assert_eq!(found, expected, "{path}");
        }
    }
}
