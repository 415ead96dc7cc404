//! TDM Reservation Protocol: whether text and data mining is reserved, and under which policy.
//!
//! ```text
//! /.well-known/tdmrep.json   [{"location": "/articles/*", "tdm-reservation": 1, "tdm-policy": "https://…"}]
//! tdm-reservation: 1         header field, supersedes the file
//! <meta name="tdm-reservation" content="1">      supersedes the field
//! ```
//!
//! A stronger place overrides the two values separately: a field that states only the reservation keeps the file's
//! policy. A value other than 0 and 1 is ignored.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;

use robots::{LevelledPath, PathPattern, RequestPath};
use tct_canonical_json::{JsonKind, JsonReader, JsonValue};
use url::Url;

/// The place of a statement, from the weakest to the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum TdmSource {
    /// The file `/.well-known/tdmrep.json`.
    WellKnown,
    /// A header field of the response.
    Header,
    /// A `<meta>` element of the page.
    Meta,
}

impl TdmSource {
    /// The name in kebab case: `well-known`, `header` or `meta`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            TdmSource::WellKnown => "well-known",
            TdmSource::Header => "header",
            TdmSource::Meta => "meta",
        }
    }
}

impl fmt::Display for TdmSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A site's reservation of text and data mining for one resource.
///
/// Add the places in any order; the stronger one wins.
///
/// ```
/// use signals::{TdmRep, TdmSource};
///
/// let mut stated = TdmRep::default();
/// stated.add_well_known("/a/b.html", br#"[{"location": "/a/", "tdm-reservation": 1, "tdm-policy": "https://example.com/p"}]"#);
/// assert_eq!((stated.reservation(), stated.source()), (Some(true), Some(TdmSource::WellKnown)));
/// assert_eq!(stated.policy().unwrap().as_str(), "https://example.com/p");
///
/// stated.add_headers([("tdm-reservation", "0")]);
/// assert_eq!((stated.reservation(), stated.policy()), (Some(false), None));
/// ```
///
/// Spec: TDM Reservation Protocol, Final Report of 2024-05-10; TDM-1 to TDM-7.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TdmRep {
    reservation: Option<(TdmSource, bool)>,
    policy: Option<(TdmSource, Url)>,
    is_file_unreadable: bool,
    #[cfg_attr(feature = "serde", serde(default))]
    is_file_out_of_reach: bool,
}

impl TdmRep {
    /// `Some(true)`: mining is reserved. `Some(false)`: it is not. `None`: nothing is stated.
    #[must_use]
    pub fn reservation(&self) -> Option<bool> {
        self.reservation.map(|(_, reserved)| reserved)
    }

    /// The place that states the reservation.
    #[must_use]
    pub fn source(&self) -> Option<TdmSource> {
        self.reservation.map(|(source, _)| source)
    }

    /// The policy under which a reserved resource may be mined; `None` unless it is reserved.
    ///
    /// Spec: TDM Reservation Protocol, "tdm-policy"; TDM-5.
    #[must_use]
    pub fn policy(&self) -> Option<&Url> {
        self.policy.as_ref().map(|(_, url)| url).filter(|_| self.reservation() == Some(true))
    }

    /// Returns true if the file exists but is not a JSON array. It is then ignored.
    ///
    /// Spec: TDM-7.
    #[must_use]
    pub fn is_file_unreadable(&self) -> bool {
        self.is_file_unreadable
    }

    /// Returns true if the file may exist but could not be fetched, so that its statement is unknown. Ask again later.
    #[must_use]
    pub fn is_file_out_of_reach(&self) -> bool {
        self.is_file_out_of_reach
    }

    /// Adds the answer to a request for the file; `status` is 0 for no answer. A 200 is the file, a 404 or 410 means that
    /// there is none, and everything else that it cannot be read for now: a 403 or 500 is an error of the server, not a
    /// statement of the publisher.
    ///
    /// ```
    /// use signals::{Purpose, Signals, TdmRep, Verdict, decide};
    ///
    /// let mut tdmrep = TdmRep::default();
    /// tdmrep.add_well_known_response(500, "/a", b"");
    /// let signals = Signals { tdmrep, ..Signals::default() };
    /// assert_eq!(decide(&signals, Purpose::AiTrain, &[]).verdict, Verdict::Later);
    /// ```
    pub fn add_well_known_response<'p>(
        &mut self,
        status: u16,
        path: impl Into<RequestPath<'p>>,
        body: &[u8],
    ) {
        match status {
            200 => self.add_well_known(path, body),
            404 | 410 => {}
            _ => self.is_file_out_of_reach = true,
        }
    }

    /// Adds the file's statement: its first entry whose location matches `path`, a path with its query. Entries without
    /// a location are skipped. `O(n)` in file and path, except that a location with `*` is looked for in the whole path.
    ///
    /// Spec: TDM Reservation Protocol, "TDM File on the Origin Server"; TDM-1, TDM-4, TDM-7.
    pub fn add_well_known<'p>(&mut self, path: impl Into<RequestPath<'p>>, file: &[u8]) {
        let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
        let document = match JsonReader::new().read(file) {
            Ok(document) if document.root().kind() == JsonKind::Array => document,
            _ => {
                self.is_file_unreadable = true;
                return;
            }
        };
        let path = LevelledPath::new(path);
        for entry in document.root().items() {
            let location = entry.get("location").and_then(|value| value.as_str());
            let Some(location) = location else { continue };
            if !PathPattern::new(&location).matches_levelled(&path) {
                continue;
            }
            self.reserve(TdmSource::WellKnown, entry.get("tdm-reservation").and_then(bit));
            self.set_policy(
                TdmSource::WellKnown,
                entry.get("tdm-policy").and_then(|value| value.as_str()).as_deref(),
            );
            return;
        }
    }

    /// Adds the header fields of the response. If two `tdm-reservation` fields differ, mining is reserved.
    ///
    /// Spec: TDM Reservation Protocol, "TDM Header Field in HTTP Responses"; TDM-2, TDM-6.
    pub fn add_headers<'h>(&mut self, headers: impl IntoIterator<Item = (&'h str, &'h str)>) {
        self.add_pairs(TdmSource::Header, headers);
    }

    /// Adds the `<meta>` elements of the page; names are compared without letter case.
    ///
    /// Spec: TDM Reservation Protocol, "TDM Metadata in HTML Content"; TDM-3.
    #[cfg(feature = "html")]
    pub fn add_html(&mut self, html: &[u8]) {
        let metas = robots::meta_elements(html);
        self.add_pairs(
            TdmSource::Meta,
            metas.iter().map(|(name, content)| (name.as_str(), content.as_str())),
        );
    }

    fn add_pairs<'p>(&mut self, source: TdmSource, pairs: impl IntoIterator<Item = (&'p str, &'p str)>) {
        let (mut reservation, mut policy) = (None, None);
        for (name, value) in pairs {
            let (name, value) = (name.trim(), value.trim());
            if name.eq_ignore_ascii_case("tdm-reservation") {
                // Gateways and clients join the lines of a field.
                let stated = value.split(',').filter_map(|value| match value.trim() {
                    "1" => Some(true),
                    "0" => Some(false),
                    _ => None,
                });
                reservation = reservation.max(stated.max());
            } else if name.eq_ignore_ascii_case("tdm-policy") {
                policy = policy.or_else(|| absolute(value).map(|_| value.to_owned()));
            }
        }
        self.reserve(source, reservation);
        self.set_policy(source, policy.as_deref());
    }

    fn reserve(&mut self, source: TdmSource, stated: Option<bool>) {
        if let Some(reserved) = stated.filter(|_| self.reservation.is_none_or(|(held, _)| held <= source)) {
            self.reservation = Some((source, reserved));
        }
    }

    fn set_policy(&mut self, source: TdmSource, stated: Option<&str>) {
        let stated = stated.and_then(absolute);
        if let Some(url) = stated.filter(|_| self.policy.as_ref().is_none_or(|(held, _)| *held <= source)) {
            self.policy = Some((source, url));
        }
    }
}

/// An absolute http(s) URL. A policy of another form is ignored, which leaves the reservation
/// without a policy.
fn absolute(text: &str) -> Option<Url> {
    Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"))
}

/// Reads the numbers 1 and 0; everything else is ignored.
fn bit(value: JsonValue<'_>) -> Option<bool> {
    let number = value.as_f64()?;
    if number == 1.0 {
        Some(true)
    } else if number == 0.0 {
        Some(false)
    } else {
        None
    }
}

/// The policy as text, for places that print it.
impl fmt::Display for TdmRep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = match (self.reservation, self.policy()) {
            (None, _) => "no statement about text and data mining".to_owned(),
            (Some((source, true)), Some(policy)) => {
                alloc::format!("text and data mining is reserved ({source}), policy {policy}")
            }
            (Some((source, true)), None) => alloc::format!("text and data mining is reserved ({source})"),
            (Some((source, false)), _) => alloc::format!("text and data mining is not reserved ({source})"),
        };
        f.write_str(&text)
    }
}
