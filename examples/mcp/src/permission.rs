//! The one gate for texts: whether a site, by what is known of it now, lets a model have a text.
//!
//! ```text
//! page, twin, manifest, feed ─ fetched ─▶ may_use  ─┬─▶ the model
//! page, twin ─ from the store, resource ─▶ may_give ┘
//!                                            └─ refused ─▶ forgotten under all its keys
//! ```
//!
//! A text that was read is held under up to three kinds of keys: its address, `html` and its address, and each address that
//! redirected to it. A site that takes its permission back, by whatever answer, takes it back for all of them.

use std::collections::BTreeMap;

use url::Url;

use crate::answers::ReadAs;
use crate::net::{Errand, shown_url};
use crate::sites::{Stated, key_of, origin_of};
use crate::store::{PageRecord, Said, SiteRecord};
use crate::trouble::{Trouble, TroubleKind};

/// What begins the key of a page that was read as HTML although it may have a twin, which is another text.
const HTML: &str = "html ";

/// Under which key a page is held.
pub(crate) fn held_key(url: &Url, read_as: ReadAs) -> String {
    match read_as {
        ReadAs::Auto => key_of(url),
        ReadAs::Html => format!("{HTML}{}", key_of(url)),
    }
}

/// The address that was asked for when the page was held under this key.
pub(crate) fn address_of(key: &str) -> &str {
    key.strip_prefix(HTML).unwrap_or(key)
}

/// Whether the site asks for the text to be used and not to be kept.
pub(crate) fn asks_not_to_keep(conditions: &[String]) -> bool {
    conditions.iter().any(|what| matches!(what.as_str(), "no-store" | "no-cached-copy"))
}

impl Errand<'_> {
    /// Refuses a text that the site does not want a model to have, unless the site is the user's own. Gives back what the site
    /// asks of whoever uses it. `said` is what the response said that brought it.
    ///
    /// # Errors
    /// `Signals`, with every reason.
    pub(crate) fn may_use(
        &mut self,
        record: &SiteRecord,
        url: &Url,
        said: Option<&Said>,
    ) -> Result<Vec<String>, Trouble> {
        let stated = Stated::of(record, url, said);
        let Some(why) = stated.refusal(record, url) else {
            return Ok(stated.decide(signals::Purpose::AiInput).obligations.into_iter().collect());
        };
        if self.agent.is_own_site(url) {
            self.step(format!("the site refuses ai-input, and the user answers for it: {why}"));
            return Ok(Vec::new());
        }
        let trouble = Trouble::new(
            TroubleKind::Signals,
            format!("{} is not given to a model", shown_url(url)),
            why,
            "call `may` for all reasons, or use another source",
        );
        Err(self.forgotten(url, ReadAs::Auto, trouble))
    }

    /// Refuses a text that is held and that its site refuses by now: at the address that was asked for, at the one that
    /// answered, and at the twin's. Sends nothing; of a site that `sites` does not have, the store is asked. A site of which
    /// nothing is known any more gives no text either, and nothing is forgotten then.
    ///
    /// # Errors
    /// `Robots` or `Signals`; `Network` where nothing is known.
    pub(crate) fn may_give(
        &mut self,
        key: &str,
        page: &PageRecord,
        sites: &mut BTreeMap<String, SiteRecord>,
    ) -> Result<Vec<String>, Trouble> {
        let twin = page.twin.as_ref().map(|twin| twin.m_url.as_str());
        let mut conditions = Vec::new();
        let mut addresses: Vec<&str> = [page.url.as_str(), address_of(key)].into_iter().chain(twin).collect();
        // Most are asked for where they are.
        addresses.dedup();
        for address in addresses {
            let Ok(url) = Url::parse(address) else { continue };
            let origin = origin_of(&url);
            let site = match sites.get(&origin) {
                Some(site) => site,
                None => sites.entry(origin.clone()).or_insert(self.agent.store.site(&origin)?),
            };
            let asked = self.allowed(site, &url).and_then(|()| match address == page.url {
                true => self.may_use(site, &url, Some(&page.said)).map(|more| conditions = more),
                // A twin is the text of its page, and is for what that is for.
                false if twin == Some(address) => Ok(()),
                false => self.may_use(site, &url, None).map(drop),
            });
            if let Err(trouble) = asked {
                return Err(match Url::parse(address_of(key)) {
                    Ok(url) => self.forgotten(&url, ReadAs::Auto, trouble),
                    Err(_) => trouble,
                });
            }
        }
        Ok(conditions)
    }

    /// The same for a resource, which is a copy: a text that the site asks by now not to keep is refused.
    ///
    /// # Errors
    /// As [`Errand::may_give`].
    pub(crate) fn may_be_resource(
        &mut self,
        key: &str,
        page: &PageRecord,
        sites: &mut BTreeMap<String, SiteRecord>,
    ) -> Result<(), Trouble> {
        if !asks_not_to_keep(&self.may_give(key, page, sites)?) {
            return Ok(());
        }
        self.agent.store.forget_page(key, false)?;
        Err(Trouble::new(
            TroubleKind::Signals,
            "the page is not held any more",
            "its site asks not to keep it",
            "call `read`",
        ))
    }

    /// Hands the error on; where it says that the site gives the text no longer, the text is forgotten under all its keys.
    /// Where the page was asked for as HTML and is not there, its twin was not asked, and stays.
    pub(crate) fn forgotten(&self, url: &Url, read_as: ReadAs, trouble: Trouble) -> Trouble {
        let keeps_twins = match trouble.kind() {
            TroubleKind::Robots | TroubleKind::Signals => false,
            TroubleKind::Barrier | TroubleKind::Missing => read_as == ReadAs::Html,
            _ => return trouble,
        };
        // What cannot be forgotten is asked about again before it is given.
        let _kept = self.agent.store.forget_page(&key_of(url), keeps_twins);
        trouble
    }
}
