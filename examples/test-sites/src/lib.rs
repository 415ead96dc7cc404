//! Sites for tests of agents, audits and proxies: the example [`site`], changed, spoilt, or under load.
//!
//! [`site`] is there to be copied, so nothing in it knows of mistakes. What a test needs beside it is here:
//!
//! | module | its task |
//! |---|---|
//! | [`Variant`], [`start`] | the site as it should be, or with mistakes |
//! | `broken` | a mistake in nearly everything |
//! | `plugin` | the site as a deployed plugin for WordPress serves it, behind a server that compresses |
//! | [`edits`] | changes to pages, as authors and designers make them |
//! | [`faults`] | a server that does everything a server should not |
//! | [`costs`] | what the pages cost as HTML |
//!
//! The program beside it puts the site under load (`bench`), among clients that are silent, slow or broken (`attack`), and
//! a crawler among all faults for an hour (`soak`).

use axum::Router;
use site::{Options, Running, SiteError};

mod broken;
pub mod costs;
pub mod edits;
pub mod faults;
mod plugin;

pub use edits::{Edits, edit};

/// How a site is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Variant {
    /// As it should be.
    #[default]
    Sound,
    /// With a mistake in nearly everything.
    Broken,
    /// Without any protocol: its pages and nothing else.
    Bare,
    /// As bare, and what is not there is answered with a page and status 200.
    SoftNotFound,
    /// Without TCT: its pages, its manifest, and robots.txt.
    LlmindexAlone,
    /// As the reference plugin for WordPress serves it behind a server that compresses: weak tags with a suffix, canonical
    /// URLs without the final slash, members that change each second, no link to the sitemap, a policy that only the
    /// twins link, the text of a protected page in its twin.
    Plugin,
    /// The same right after the plugin was activated: the sitemap is answered with status 404 and a valid body, and there
    /// is no policy.
    PluginActivated,
}

/// Starts a site of this variant.
///
/// # Errors
/// Those of [`site::start`].
pub async fn start(options: Options, variant: Variant) -> Result<Running, SiteError> {
    let prepared = site::prepare(options).await?;
    let publisher = prepared.publisher();
    let router: Router = match variant {
        Variant::Sound => prepared.router(),
        Variant::Broken => broken::spoilt(publisher),
        Variant::Bare => broken::bare(publisher, broken::Missing::NotFound),
        Variant::SoftNotFound => broken::bare(publisher, broken::Missing::Page),
        Variant::LlmindexAlone => broken::without_tct(publisher),
        Variant::Plugin => plugin::router(publisher, prepared.url(), false),
        Variant::PluginActivated => plugin::router(publisher, prepared.url(), true),
    };
    prepared.serve(router)
}
