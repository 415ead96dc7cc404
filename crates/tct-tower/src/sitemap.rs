//! The sitemaps: written of the listed pages' twins, and kept as long as those stay the same.

use std::sync::{Arc, Mutex, PoisonError};

use tct::v03::{MSitemap, MSitemapLimits};
use tct::{Representation, Resource, SitemapBudget, UnixSeconds, write_sitemaps};

use crate::pages::Made;
use crate::settings::{Revisions, Settings};

/// Both sitemaps, of one moment.
#[derive(Debug, Clone)]
pub(crate) struct Sitemaps {
    /// By drafts -00 and -01.
    pub(crate) legacy: Option<Arc<Resource>>,
    /// By draft -03.
    pub(crate) exact: Option<Arc<Resource>>,
}

/// The sitemaps that were written last.
#[derive(Debug, Default)]
pub(crate) struct Written(Mutex<Option<Last>>);

#[derive(Debug)]
struct Last {
    /// What they were written of: the same values mean the same sitemaps.
    pages: Vec<Arc<Made>>,
    sitemaps: Sitemaps,
    at: Option<UnixSeconds>,
}

impl Written {
    /// The sitemaps, where the clock says that they are young enough.
    pub(crate) fn young(&self, settings: &Settings) -> Option<Sitemaps> {
        let clock = settings.clock.as_ref()?;
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = last.as_ref()?;
        // A clock that was set back makes nothing young.
        let now = (clock.now)();
        let is_young = last.at.is_some_and(|at| at <= now && now.seconds_since(at) < clock.max_age_secs);
        is_young.then(|| last.sitemaps.clone())
    }

    /// The sitemaps of these pages: those that were written last where nothing changed, or new ones.
    pub(crate) fn of(&self, settings: &Settings, pages: Vec<Arc<Made>>) -> Sitemaps {
        let at = settings.clock.as_ref().map(|clock| (clock.now)());
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = last.as_mut().filter(|last| {
            last.pages.len() == pages.len() && last.pages.iter().zip(&pages).all(|(a, b)| Arc::ptr_eq(a, b))
        }) {
            last.at = at;
            return last.sitemaps.clone();
        }
        let sitemaps = write(settings, &pages);
        *last = Some(Last { pages, sitemaps: sitemaps.clone(), at });
        sitemaps
    }
}

fn write(settings: &Settings, pages: &[Arc<Made>]) -> Sitemaps {
    let linked = |representation: Representation| {
        settings.site_links.iter().cloned().fold(representation, Representation::with_link)
    };
    let legacy = matches!(settings.revisions, Revisions::Legacy | Revisions::Both).then(|| {
        let entries = pages.iter().filter_map(|made| made.entry.clone());
        // One file: a site beyond the budget writes its sitemaps beforehand.
        let files = write_sitemaps(entries, SitemapBudget::default());
        let file = files.ok().and_then(|files| files.into_iter().next()).unwrap_or_default();
        let representation = linked(Representation::of_bytes(&file));
        Arc::new(Resource::new(file, representation))
    });
    let exact = matches!(settings.revisions, Revisions::V03 | Revisions::Both).then(|| {
        let mut sitemap = MSitemap::with_limits(MSitemapLimits::default().with_max_items(100_000));
        for item in pages.iter().filter_map(|made| made.exact_item.clone()) {
            // What is past the limits of the draft's reference is left out: an agent still finds it by its page.
            if sitemap.push(item).is_err() {
                break;
            }
        }
        let sealed = sitemap.seal().ok()?;
        let representation = linked(sealed.representation());
        Some(Arc::new(Resource::new(sealed.into_identity().into_body(), representation)))
    });
    Sitemaps { legacy, exact: exact.flatten() }
}
