//! The `Link` line of each page: its twins, then the sitemaps.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use http::HeaderValue;
use tct::link::link_alternate;

use crate::pages::twins_of;
use crate::settings::Settings;

/// A path and query up to this length is worth remembering.
const MAX_PATH_BYTES: usize = 512;

/// The lines that were written, by path and query. Writing one takes as long as a whole request otherwise does: the page's URL
/// and its twins' are parsed for it.
#[derive(Debug, Default)]
pub(crate) struct PageLinks {
    lines: RwLock<HashMap<Box<str>, HeaderValue>>,
}

impl PageLinks {
    /// The line of the page at this path and query; `None` for a page without URL.
    ///
    /// At most [`Settings::max_pages`] lines are kept: a stranger who asks for more paths than that makes room by and by.
    pub(crate) fn of(&self, settings: &Settings, path: &str) -> Option<HeaderValue> {
        if let Some(line) = self.lines.read().unwrap_or_else(PoisonError::into_inner).get(path) {
            return Some(line.clone());
        }
        let line = write(settings, path)?;
        if path.len() <= MAX_PATH_BYTES {
            let mut lines = self.lines.write().unwrap_or_else(PoisonError::into_inner);
            if lines.len() >= settings.max_pages {
                lines.clear();
            }
            lines.insert(path.into(), line.clone());
        }
        Some(line)
    }
}

fn write(settings: &Settings, path: &str) -> Option<HeaderValue> {
    let page = settings.page_url(path)?;
    let twins = twins_of(settings, &page);
    let links = twins.iter().map(link_alternate).chain(settings.page_links.iter().cloned());
    let line = links.fold(Vec::new(), |mut line, link| {
        if !line.is_empty() {
            line.extend_from_slice(b", ");
        }
        line.extend_from_slice(link.as_bytes());
        line
    });
    let line = HeaderValue::from_maybe_shared(bytes::Bytes::from(line)).ok()?;
    (!line.is_empty()).then_some(line)
}
