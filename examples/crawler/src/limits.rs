//! Limits of the time and memory that a response may cost.

use std::time::Duration;

/// The limits of one request.
///
/// Together with the number of sites that are visited side by side they bound the crawler: no exchange lasts longer
/// than [`total`](Limits::total) or holds more than the largest body here, whatever the server sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Until the connection is open, TLS included.
    pub connect: Duration,
    /// Until the whole head of the response is there.
    pub head: Duration,
    /// Between two pieces of the body.
    pub idle: Duration,
    /// Until the end of the body.
    pub total: Duration,
    /// Header fields of a response; the whole head is limited to about 400 kB by hyper.
    pub head_fields: usize,
    /// Redirects of one page that are followed.
    pub redirects: usize,
    /// Bytes of a page, decoded.
    pub page_bytes: usize,
    /// Bytes of a TCT payload, decoded.
    pub twin_bytes: usize,
    /// Bytes of a sitemap, decoded. It lies on the disk while it is read.
    pub sitemap_bytes: usize,
    /// Bytes of a product feed, decoded.
    pub feed_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            connect: Duration::from_secs(10),
            head: Duration::from_secs(20),
            idle: Duration::from_secs(20),
            total: Duration::from_secs(120),
            head_fields: 100,
            redirects: 5,
            page_bytes: 4 << 20,
            twin_bytes: 8 << 20,
            sitemap_bytes: 100_000_000,
            feed_bytes: 64 << 20,
        }
    }
}

/// How many bytes of a body are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyLimit {
    /// A longer body is an error.
    Refuse(usize),
    /// A longer body is cut there.
    Cut(usize),
}

impl BodyLimit {
    /// The number.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            BodyLimit::Refuse(bytes) | BodyLimit::Cut(bytes) => bytes,
        }
    }
}
