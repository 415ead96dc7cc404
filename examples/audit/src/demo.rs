//! The demonstration: a built-in site in five states: correct, incomplete, broken, as a deployed plugin serves it,
//! and without any protocol.

use std::time::Duration;

use robots::PacingOptions;
use site::Running;
use test_sites::Variant;

use crate::fetch::ClientOptions;
use crate::report::Report;
use crate::{AuditError, Options, audit};

/// The host of the demonstration's sites. No one can own a name below `.test`.
pub const HOST: &str = "quay.example";
/// The token in the embedded site's settings.
pub const TOKEN: &str = "5f1d8f2a60c94c1bb7a3e0d9c2417a86";

/// Starts the sites one after the other and audits each.
///
/// # Errors
/// If a site does not start, or cannot be looked at.
pub async fn run(pages: usize) -> Result<Vec<Report>, AuditError> {
    let sound = site::Options { host: HOST.to_owned(), ..site::Options::default() };
    let sites = [
        ("sound", Variant::Sound, sound.clone()),
        ("unsigned", Variant::Sound, site::Options { sign: false, ..sound.clone() }),
        ("broken", Variant::Broken, sound.clone()),
        ("plugin", Variant::Plugin, sound.clone()),
        ("plugin just activated", Variant::PluginActivated, sound.clone()),
        ("llmindex alone", Variant::LlmindexAlone, sound.clone()),
        ("soft 404", Variant::SoftNotFound, sound.clone()),
        ("bare", Variant::Bare, site::Options { tls: false, ..sound }),
    ];
    let mut reports = Vec::new();
    for (name, variant, options) in sites {
        let running = test_sites::start(options, variant).await?;
        let report = audit(running.url(), options_for(&running, pages)).await;
        running.stop().await?;
        reports.push(Report { name: Some(name), ..report? });
    }
    Ok(reports)
}

/// Options to audit a built-in site.
#[must_use]
pub fn options_for(running: &Running, pages: usize) -> Options {
    let client = ClientOptions {
        trusted_pem: running.certificate_pem().map(str::to_owned).into_iter().collect(),
        resolve: [(HOST.to_owned(), running.address())].into(),
        // Nobody else's machine is asked.
        pacing: PacingOptions::default().cooldown(Duration::ZERO),
        ..ClientOptions::default()
    };
    Options { pages, token: Some(TOKEN.to_owned()), client, ..Options::default() }
}
