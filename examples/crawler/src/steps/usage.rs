//! The site's statements about the use of a text, and whether this crawl may use it.
//!
//! The decision is that of [`signals::decide`]. A text that the crawl's purpose may not use is not kept. One about which
//! nothing is stated is kept, and the export says so.

use robots::{Directives, Preferences};
use serde::Serialize;
use signals::{Signals, TctPolicy, TdmRep, UsePrice, Verdict, decide};
use tct::PolicyDescriptor;
use tct::policy::RateHint;
use url::Url;

use crate::Options;
use crate::client::Exchange;
use crate::clock;
use crate::site::Visitor;
use crate::steps::terms;

/// What the response itself says, by its header fields.
pub(crate) fn of_headers(exchange: &Exchange) -> Signals {
    let fields: Vec<_> = exchange.fields().collect();
    let mut tdmrep = TdmRep::default();
    tdmrep.add_headers(fields.iter().copied());
    Signals {
        may_fetch: Some(true),
        preferences: Preferences::of_headers(fields.iter().copied()),
        tdmrep,
        price: UsePrice::of_response(exchange.status.as_u16(), fields.iter().copied()),
        ..Signals::default()
    }
}

/// What response, page, robots.txt and the site's policy say. `html` is the page, where it is one.
pub(crate) fn of_response(visitor: &Visitor, url: &Url, exchange: &Exchange, html: Option<&[u8]>) -> Signals {
    let agent = &visitor.crawl.options.agent;
    let mut signals = of_headers(exchange);
    let before = of_site(visitor, url);
    signals.preferences = signals.preferences.merge(before.preferences);
    signals.tct = before.tct;
    signals.rsl = terms::licence(visitor, url, Some((exchange, html)));
    // The nearest place counts: file, header field, page.
    signals.tdmrep = before.tdmrep;
    signals.tdmrep.add_headers(exchange.fields());
    signals.directives = Directives::of_headers(exchange.fields(), agent);
    if let Some(html) = html {
        signals.directives.add_html(html, agent);
        signals.tdmrep.add_html(html);
    }
    signals
}

/// What is known before a request is sent: by robots.txt, by the site's policy, and by its files.
pub(crate) fn of_site(visitor: &Visitor, url: &Url) -> Signals {
    let (_, rules) = visitor.record.robots.access(clock::instant());
    let agent = &visitor.crawl.options.agent;
    let preferences = rules.map(|rules| Preferences::of_robots(rules, agent, url));
    Signals {
        may_fetch: Some(true),
        preferences: preferences.unwrap_or_default(),
        tct: of_policy(&visitor.record.policy()),
        tdmrep: terms::tdmrep(visitor, url),
        rsl: terms::licence(visitor, url, None),
        ..Signals::default()
    }
}

/// What TCT's policy descriptor says about use.
pub(crate) fn of_policy(policy: &PolicyDescriptor) -> TctPolicy {
    TctPolicy {
        allow_search_indexing: policy.search_indexing.stated(),
        allow_ai_input: policy.ai_input.stated(),
        allow_ai_train: policy.ai_train.stated(),
        requires_attribution: policy.attribution == Some(true),
        requires_link_back: policy.link_back == Some(true),
        requires_notice: policy.notice == Some(true),
    }
}

/// What TCT's policy descriptor says about pace: requests at most, `null` where nothing is stated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Rates {
    /// In a second.
    pub per_second: Option<f64>,
    /// In a day.
    pub per_day: Option<f64>,
}

impl Rates {
    /// The rates of a descriptor.
    #[must_use]
    pub fn of(policy: &PolicyDescriptor) -> Self {
        let at_most = |hint| match hint {
            RateHint::AtMost(rate) => Some(rate),
            RateHint::Unstated | RateHint::Unlimited => None,
        };
        let hints = policy;
        Rates { per_second: at_most(hints.per_second), per_day: at_most(hints.per_day) }
    }
}

/// Why the crawl's purpose may not use the text, or may not keep it; `None` where it may.
pub(crate) fn refusal(signals: &Signals, options: &Options) -> Option<String> {
    let decision = decide(signals, options.purpose, &[]);
    let may_not_keep = decision.obligations.contains("no-store");
    (decision.verdict == Verdict::Deny || may_not_keep).then(|| format!("{}: {decision}", options.purpose))
}
