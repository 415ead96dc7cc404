//! One decision for one purpose, from all signals of a site.
//!
//! Each signal refuses a use (no), permits it (yes), permits it on conditions (offer), or limits it
//! without permitting it. These are combined so:
//!
//! | signals | decision |
//! |---|---|
//! | robots.txt disallows the fetch | deny, whatever else is said |
//! | any no | deny, listing all sources that refuse |
//! | a source cannot be read for now | later: not used until it can be read |
//! | an offer, or a yes beside a limit | conditional: all obligations together |
//! | a yes | allow |
//! | neither | unstated; limits are listed all the same |
//!
//! No signal takes precedence over another because of its place, age or popularity: a publisher often controls only one
//! of them. An unreadable, unknown or missing signal counts as unstated, with two exceptions: a licence that is
//! announced and cannot be read, and a file whose server answers with an error, since that does not mean that the file
//! is missing.
//!
//! | signal | search | ai-input | ai-index | ai-train | tdm |
//! |---|---|---|---|---|---|
//! | Content-Usage | `search` | `ai-use` | `ai-use=n`: no | `train-ai` | |
//! | Content-Signal | `search` | `ai-input` | `ai-input=no`: no | `ai-train` | |
//! | `use=immediate` | no | limit `no-store` | no | no | no |
//! | `use=reference` | limits `excerpt-only`, `link-back` | same | same | | |
//! | RSL permitted | yes, or an offer with obligations | same | same | same | same |
//! | RSL prohibited, unlisted, unreadable | no | no | no | no | no |
//! | TDMRep 1 | | caveat `tdm-reserved` | no; offer `tdm-licence` with a policy | same | same |
//! | TDMRep 0 | | | | yes | yes |
//! | noindex | no | | no | | |
//! | noai | | no | no | no | no |
//! | nosnippet, max-snippet:0 | limit `no-excerpt` | no | | | |
//! | max-snippet:n | limit `max-excerpt:n` | same | | | |
//! | noarchive, nocache | limit `no-cached-copy` | same | same | | |
//! | TCT policy | `allow_search_indexing` | `allow_ai_input` | `allow_ai_input` false: no | `allow_ai_train` | |
//! | TCT `requires` | a limit of that name | same | same | same | |
//! | 402 | offer `pay` or `pay:USD 0.01` | same | same | same | same |

use alloc::borrow::{Cow, ToOwned};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use robots::{Directives, Preference, Preferences, Signal, UseCeiling};
use url::Url;

use crate::price::UsePrice;
use crate::purpose::Purpose;
use crate::rsl::{RslAsset, RslCaller, RslDocument, RslUse, RslUses, RslVerdict};
use crate::tdmrep::TdmRep;

/// Where a statement comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum SignalSource {
    /// The caller's own contract.
    Agreement,
    /// `Content-Usage`.
    Aipref,
    /// `Content-Signal`.
    ContentSignal,
    /// Status 402.
    Price,
    /// The rules of robots.txt.
    Robots,
    /// A licence in RSL.
    Rsl,
    /// TCT's policy descriptor.
    Tct,
    /// TDM Reservation Protocol.
    Tdmrep,
    /// `X-Robots-Tag` and `<meta name="robots">`.
    XRobots,
}

impl SignalSource {
    /// The name in kebab case, such as `content-signal`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SignalSource::Agreement => "agreement",
            SignalSource::Aipref => "aipref",
            SignalSource::ContentSignal => "content-signal",
            SignalSource::Price => "price",
            SignalSource::Robots => "robots",
            SignalSource::Rsl => "rsl",
            SignalSource::Tct => "tct",
            SignalSource::Tdmrep => "tdmrep",
            SignalSource::XRobots => "x-robots",
        }
    }
}

impl fmt::Display for SignalSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The licence of a resource in RSL.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[expect(clippy::large_enum_variant, reason = "there is one for a resource, made once and read by reference")]
pub enum RslState {
    /// A valid document was read; these are its verdicts, empty if it does not cover the resource.
    Licensed(RslUses),
    /// A licence is announced, but no valid document can be had: the resource is unlicensed.
    Unlicensed,
}

impl RslState {
    /// The combined licence of all documents that are announced for a resource; `None` if there are
    /// none.
    ///
    /// `near` are those that the resource's own response and page name, `far` those of robots.txt; a document that cannot be
    /// fetched is `None`. Nearer documents take precedence; of equally near ones the more restrictive counts. A near one
    /// that cannot be read, or a far one where nothing is nearer, leaves the resource unlicensed. `O(n)` in the documents'
    /// lengths.
    ///
    /// ```
    /// use signals::RslState;
    ///
    /// let page = "https://example.com/tea".parse()?;
    /// let none: [Option<&str>; 0] = [];
    /// assert_eq!(RslState::of_documents(&page, none, none), None);
    /// assert_eq!(RslState::of_documents(&page, none, [Some("no licence")]), Some(RslState::Unlicensed));
    /// # Ok::<(), url::ParseError>(())
    /// ```
    ///
    /// Spec: RSL 1.0, "Associating Licenses"; RSL-4, RSL-8.
    #[must_use]
    pub fn of_documents<T: AsRef<str>>(
        resource: &Url,
        near: impl IntoIterator<Item = Option<T>>,
        far: impl IntoIterator<Item = Option<T>>,
    ) -> Option<Self> {
        let near = judge_all(near, &RslAsset::new(resource.clone()).associated());
        let far = judge_all(far, &RslAsset::new(resource.clone()));
        match (near, far) {
            (Some(near), Some(far)) => Some(near.or_farther(far)),
            (near, far) => near.or(far),
        }
    }

    /// This state, completed by that of documents farther from the resource. A far document that cannot be read is for other
    /// resources where a nearer one can be.
    ///
    /// Spec: RSL 1.0, "Associating Licenses"; RSL-4.
    #[must_use]
    pub fn or_farther(self, farther: Self) -> Self {
        match (self, farther) {
            (RslState::Licensed(near), RslState::Licensed(far)) => RslState::Licensed(near.or_farther(far)),
            (near, _) => near,
        }
    }

    /// The more restrictive of two states, for documents that are equally near, or for what one said at two times.
    ///
    /// Spec: RSL 1.0, "Associating Licenses"; RSL-4.
    #[must_use]
    pub fn restricted_by(self, other: Self) -> Self {
        match (self, other) {
            (RslState::Licensed(one), RslState::Licensed(other)) => {
                RslState::Licensed(one.restricted_by(other))
            }
            _ => RslState::Unlicensed,
        }
    }
}

/// The combined state of equally near documents: `None` if there are none, unlicensed if one cannot be read.
fn judge_all<T: AsRef<str>>(
    documents: impl IntoIterator<Item = Option<T>>,
    asset: &RslAsset,
) -> Option<RslState> {
    let judge = |text: Option<T>| match text.and_then(|text| RslDocument::parse(text.as_ref()).ok()) {
        Some(document) => {
            RslState::Licensed(document.judge(asset, &RslCaller::default()).unwrap_or_default())
        }
        None => RslState::Unlicensed,
    };
    documents.into_iter().map(judge).reduce(RslState::restricted_by)
}

/// TCT's policy descriptor as plain values: `None` if a member is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TctPolicy {
    /// `allow_search_indexing`
    pub allow_search_indexing: Option<bool>,
    /// `allow_ai_input`
    pub allow_ai_input: Option<bool>,
    /// `allow_ai_train`
    pub allow_ai_train: Option<bool>,
    /// The descriptor requires attribution.
    pub requires_attribution: bool,
    /// The descriptor requires a link back.
    pub requires_link_back: bool,
    /// The descriptor requires a notice.
    pub requires_notice: bool,
}

/// All signals of a site for one resource and one crawler. A member at its default is unstated.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Signals {
    /// Whether the rules of robots.txt allow the fetch; `None` if they were not checked.
    pub may_fetch: Option<bool>,
    /// `Content-Usage` and `Content-Signal`, of robots.txt and of the response.
    pub preferences: Preferences,
    /// The licence; `None` where none is announced.
    pub rsl: Option<RslState>,
    /// The reservation of text and data mining.
    pub tdmrep: TdmRep,
    /// Page directives, of the response and of the page.
    pub directives: Directives,
    /// The policy of TCT.
    pub tct: TctPolicy,
    /// The response's payment fields.
    pub price: UsePrice,
}

/// The answer for one purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Verdict {
    /// The use is permitted.
    Allow,
    /// The use is permitted if all obligations are met.
    Conditional,
    /// The use is refused.
    Deny,
    /// No signal says yes or no. There is no default: the caller decides.
    Unstated,
    /// A source cannot be read for now: ask again later, and do not use the resource until then.
    Later,
}

impl Verdict {
    /// The name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Allow => "allow",
            Verdict::Conditional => "conditional",
            Verdict::Deny => "deny",
            Verdict::Unstated => "unstated",
            Verdict::Later => "later",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What one signal says about a purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Says {
    /// The use is refused.
    No,
    /// The use is permitted.
    Yes,
    /// The use is permitted if these obligations are met.
    Offer(Vec<String>),
    /// A limit on any use of the resource. Not a permission.
    Limit(String),
    /// The source cannot be read for now, so its statement is unknown.
    Unknown,
}

/// One reason of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SignalReason {
    /// Where it comes from.
    pub source: SignalSource,
    /// What it says about the purpose.
    pub says: Says,
    /// The statement in the signal's own words, such as `ai-train=no` or `noindex`.
    pub rule: Cow<'static, str>,
}

impl fmt::Display for SignalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} says ", self.source)?;
        match &self.says {
            Says::No => f.write_str("no")?,
            Says::Yes => f.write_str("yes")?,
            Says::Offer(obligations) => write!(f, "yes on condition of {}", obligations.join(", "))?,
            Says::Limit(limit) => write!(f, "only with {limit}")?,
            Says::Unknown => f.write_str("unknown, because it cannot be read for now")?,
        }
        write!(f, " ({})", self.rule)
    }
}

/// A notice, since a statement is not a fault. The place is the signal's name.
impl web_values::Finding for SignalReason {
    fn severity(&self) -> web_values::Severity {
        web_values::Severity::Notice
    }

    fn code(&self) -> &'static str {
        match self.says {
            Says::No => "says-no",
            Says::Yes => "says-yes",
            Says::Offer(_) => "says-offer",
            Says::Limit(_) => "says-limit",
            Says::Unknown => "says-later",
        }
    }

    fn place(&self) -> web_values::Place<'_> {
        web_values::Place::named(self.source.name())
    }

    fn message(&self) -> Cow<'_, str> {
        Cow::Owned(format!("{self}"))
    }
}

/// The decision for one purpose, with everything that led to it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
#[non_exhaustive]
pub struct UseDecision {
    /// The answer.
    pub verdict: Verdict,
    /// The sources that caused it.
    pub by: BTreeSet<SignalSource>,
    /// The obligations, such as `attribution`, `pay:USD 0.01` or `no-store`. With
    /// [`Verdict::Unstated`], the limits that apply if the caller decides to use the resource.
    pub obligations: BTreeSet<String>,
    /// For each obligation, every source that requires it, including sources that are not in `by` because another one
    /// caused the answer.
    pub conditions: BTreeMap<String, BTreeSet<SignalSource>>,
    /// Further facts for the caller: `tdm-reserved`, `rsl-unavailable`, `overridden:…`.
    pub caveats: BTreeSet<String>,
    /// Every statement about the purpose, overridden ones too, in the order of [`SignalSource`].
    pub reasons: Vec<SignalReason>,
}

impl fmt::Display for UseDecision {
    /// One line: the answer and its reasons.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.verdict)?;
        for (at, reason) in self.reasons.iter().enumerate() {
            write!(f, "{}{reason}", if at == 0 { ": " } else { "; " })?;
        }
        Ok(())
    }
}

/// Decides whether a resource may be used for `purpose`.
///
/// `agreements` are the purposes that the caller has a contract for: a contract overrides every no and every offer
/// about use, each listed as a caveat, but neither the rules of robots.txt nor a price.
///
/// ```
/// use robots::Preferences;
/// use signals::{Purpose, Signals, Verdict, decide};
///
/// let signals = Signals {
///     preferences: Preferences::of_headers([("Content-Signal", "search=yes, ai-train=no")]),
///     ..Signals::default()
/// };
/// assert_eq!(decide(&signals, Purpose::Search, &[]).verdict, Verdict::Allow);
/// let training = decide(&signals, Purpose::AiTrain, &[]);
/// assert_eq!(training.to_string(), "deny: content-signal says no (ai-train=no)");
/// assert_eq!(decide(&signals, Purpose::Tdm, &[]).verdict, Verdict::Unstated);
/// ```
///
/// A verified signature of the request does not change the decision: identity grants no permission. The site's answer to
/// a signed request has its own signals.
///
/// Spec: catalogue of signals, "One decision"; SIGNAL-D-1 to SIGNAL-D-11.
pub fn decide(signals: &Signals, purpose: Purpose, agreements: &[Purpose]) -> UseDecision {
    let mut decision = UseDecision {
        verdict: Verdict::Deny,
        by: BTreeSet::new(),
        obligations: BTreeSet::new(),
        conditions: BTreeMap::new(),
        caveats: BTreeSet::new(),
        reasons: Vec::new(),
    };
    if signals.may_fetch == Some(false) {
        decision.by.insert(SignalSource::Robots);
        decision.reasons.push(SignalReason {
            source: SignalSource::Robots,
            says: Says::No,
            rule: "Disallow".into(),
        });
        return decision;
    }
    let mut said = Said { purpose, reasons: Vec::new(), caveats: BTreeSet::new() };
    said.preferences(&signals.preferences);
    said.price(&signals.price);
    said.rsl(signals.rsl.as_ref());
    said.tct(&signals.tct);
    said.tdmrep(&signals.tdmrep);
    said.directives(&signals.directives);
    decision.caveats = said.caveats;
    decision.reasons = said.reasons;
    let has_agreement = agreements.contains(&purpose);
    let (mut no, mut yes, mut offers) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let (mut limits, mut conditions) = (BTreeSet::new(), BTreeSet::new());
    let (mut later, mut asked) = (BTreeSet::new(), BTreeMap::<String, BTreeSet<SignalSource>>::new());
    for SignalReason { source, says, .. } in &decision.reasons {
        let is_lifted = has_agreement
            && *source != SignalSource::Price
            && matches!(says, Says::No | Says::Offer(_) | Says::Unknown);
        match says {
            _ if is_lifted => {
                decision.caveats.insert(format!("overridden:{source}"));
            }
            Says::No => {
                no.insert(*source);
            }
            Says::Yes => {
                yes.insert(*source);
            }
            Says::Offer(obligations) => {
                offers.insert(*source);
                conditions.extend(obligations.iter().cloned());
                for obligation in obligations {
                    asked.entry(obligation.clone()).or_default().insert(*source);
                }
            }
            Says::Limit(limit) => {
                limits.insert(limit.clone());
                asked.entry(limit.clone()).or_default().insert(*source);
            }
            Says::Unknown => {
                later.insert(*source);
            }
        }
    }
    if has_agreement {
        yes.insert(SignalSource::Agreement);
        let reason =
            SignalReason { source: SignalSource::Agreement, says: Says::Yes, rule: purpose.name().into() };
        decision.reasons.insert(0, reason);
    }
    let is_limited = !limits.is_empty();
    conditions.extend(limits);
    (decision.verdict, decision.by, decision.obligations) = if !no.is_empty() {
        (Verdict::Deny, no, BTreeSet::new())
    } else if !later.is_empty() {
        (Verdict::Later, later, BTreeSet::new())
    } else if !offers.is_empty() {
        (Verdict::Conditional, offers, conditions)
    } else if yes.is_empty() {
        (Verdict::Unstated, BTreeSet::new(), conditions)
    } else if is_limited {
        (Verdict::Conditional, yes, conditions)
    } else {
        (Verdict::Allow, yes, BTreeSet::new())
    };
    if !decision.obligations.is_empty() {
        decision.conditions = asked;
    }
    decision
}

/// The statements about one purpose, in the order of the table's rows.
struct Said {
    purpose: Purpose,
    reasons: Vec<SignalReason>,
    caveats: BTreeSet<String>,
}

impl Said {
    fn add(&mut self, source: SignalSource, says: Says, rule: impl Into<Cow<'static, str>>) {
        self.reasons.push(SignalReason { source, says, rule: rule.into() });
    }

    fn limit(&mut self, source: SignalSource, limit: &str, rule: impl Into<Cow<'static, str>>) {
        self.add(source, Says::Limit(limit.to_owned()), rule);
    }

    /// A statement about a wider purpose: its no counts, its yes does not.
    fn answer(&mut self, source: SignalSource, stated: Option<bool>, only_no: bool, rule: String) {
        match stated {
            Some(false) => self.add(source, Says::No, rule),
            Some(true) if !only_no => self.add(source, Says::Yes, rule),
            _ => {}
        }
    }

    fn preferences(&mut self, preferences: &Preferences) {
        use Purpose::{AiIndex, AiInput, AiTrain, Search, Tdm};
        let is_yes = |stated: Preference| stated == Preference::Yes;
        let label = match self.purpose {
            Search => Some("search"),
            AiInput | AiIndex => Some("ai-use"),
            AiTrain => Some("train-ai"),
            Tdm => None,
        };
        let only_no = self.purpose == AiIndex;
        if let Some(label) = label {
            let stated = preferences.usage(label).map(is_yes);
            let value = if stated == Some(true) { "y" } else { "n" };
            self.answer(SignalSource::Aipref, stated, only_no, format!("{label}={value}"));
        }
        let signal = match self.purpose {
            Search => Some(Signal::Search),
            AiInput | AiIndex => Some(Signal::AiInput),
            AiTrain => Some(Signal::AiTrain),
            Tdm => None,
        };
        if let Some(signal) = signal {
            let stated = preferences.signal(signal).map(is_yes);
            let value = if stated == Some(true) { "yes" } else { "no" };
            self.answer(SignalSource::ContentSignal, stated, only_no, format!("{signal}={value}"));
        }
        let source = SignalSource::ContentSignal;
        match (preferences.use_ceiling(), self.purpose) {
            (Some(UseCeiling::Immediate), AiInput) => self.limit(source, "no-store", "use=immediate"),
            (Some(UseCeiling::Immediate), _) => self.add(source, Says::No, "use=immediate"),
            (Some(UseCeiling::Reference), Search | AiInput | AiIndex) => {
                self.limit(source, "excerpt-only", "use=reference");
                self.limit(source, "link-back", "use=reference");
            }
            _ => {}
        }
    }

    fn price(&mut self, price: &UsePrice) {
        if price.is_asked {
            let pay = price.price.as_ref().map_or_else(|| "pay".to_owned(), |amount| format!("pay:{amount}"));
            self.add(SignalSource::Price, Says::Offer(alloc::vec![pay]), "status 402");
        }
    }

    fn rsl(&mut self, state: Option<&RslState>) {
        let uses = match state {
            None => return,
            Some(RslState::Unlicensed) => {
                self.caveats.insert("rsl-unavailable".to_owned());
                return self.add(SignalSource::Rsl, Says::No, "no valid licence document");
            }
            Some(RslState::Licensed(uses)) => uses,
        };
        let stated = uses.get(self.purpose);
        let says = match stated.verdict {
            RslVerdict::None => return,
            RslVerdict::Prohibited | RslVerdict::Unlisted => Says::No,
            RslVerdict::Permitted if stated.obligations.is_empty() => Says::Yes,
            RslVerdict::Permitted => Says::Offer(with_prices(stated)),
        };
        self.add(SignalSource::Rsl, says, stated.verdict.name());
    }

    fn tct(&mut self, policy: &TctPolicy) {
        let (name, stated) = match self.purpose {
            Purpose::Search => ("allow_search_indexing", policy.allow_search_indexing),
            Purpose::AiInput | Purpose::AiIndex => ("allow_ai_input", policy.allow_ai_input),
            Purpose::AiTrain => ("allow_ai_train", policy.allow_ai_train),
            Purpose::Tdm => return,
        };
        let only_no = self.purpose == Purpose::AiIndex;
        self.answer(SignalSource::Tct, stated, only_no, format!("{name}={}", stated.unwrap_or_default()));
        let requirements = [
            (policy.requires_attribution, "attribution"),
            (policy.requires_link_back, "link-back"),
            (policy.requires_notice, "notice"),
        ];
        for (_, limit) in requirements.into_iter().filter(|(is_required, _)| *is_required) {
            self.limit(SignalSource::Tct, limit, "requires");
        }
    }

    fn tdmrep(&mut self, tdmrep: &TdmRep) {
        use Purpose::{AiIndex, AiInput, AiTrain, Search, Tdm};
        if tdmrep.is_file_unreadable() {
            self.caveats.insert("tdmrep-unreadable".to_owned());
        }
        // A stronger place that speaks leaves nothing for the file to say.
        if tdmrep.is_file_out_of_reach()
            && tdmrep.reservation().is_none()
            && matches!(self.purpose, AiIndex | AiTrain | Tdm)
        {
            self.caveats.insert("tdmrep-unavailable".to_owned());
            self.add(SignalSource::Tdmrep, Says::Unknown, "tdmrep.json");
        }
        match (tdmrep.reservation(), self.purpose) {
            (Some(true), AiInput) => {
                self.caveats.insert("tdm-reserved".to_owned());
            }
            (Some(true), AiIndex | AiTrain | Tdm) => {
                let says = match tdmrep.policy() {
                    Some(_) => Says::Offer(alloc::vec!["tdm-licence".to_owned()]),
                    None => Says::No,
                };
                self.add(SignalSource::Tdmrep, says, "tdm-reservation=1");
            }
            (Some(false), AiTrain | Tdm) => self.add(SignalSource::Tdmrep, Says::Yes, "tdm-reservation=0"),
            (Some(true), Search) | (Some(false), _) | (None, _) => {}
        }
    }

    fn directives(&mut self, directives: &Directives) {
        use Purpose::{AiIndex, AiInput, Search};
        let source = SignalSource::XRobots;
        if matches!(self.purpose, Search | AiIndex) && directives.has("noindex") {
            self.add(source, Says::No, "noindex");
        }
        if self.purpose != Search && directives.has("noai") {
            self.add(source, Says::No, "noai");
        }
        let snippet = directives.max_snippet().filter(|most| *most >= 0);
        let snippet = if directives.has("nosnippet") { Some(0) } else { snippet };
        let rule = if directives.has("nosnippet") { "nosnippet" } else { "max-snippet" };
        match (snippet, self.purpose) {
            (Some(0), Search) => self.limit(source, "no-excerpt", rule),
            (Some(0), AiInput) => self.add(source, Says::No, rule),
            (Some(most), Search | AiInput) => self.limit(source, &format!("max-excerpt:{most}"), rule),
            _ => {}
        }
        for name in ["noarchive", "nocache"] {
            if matches!(self.purpose, Search | AiInput | AiIndex) && directives.has(name) {
                self.limit(source, "no-cached-copy", name);
            }
        }
    }
}

/// The obligations of a licence, each with its price where there is one, such as `pay:crawl:USD 0.01`.
fn with_prices(stated: &RslUse) -> Vec<String> {
    let priced = |obligation: &String| {
        let mut amounts = stated.prices.iter().filter(|(of, _)| of == obligation).map(|(_, amount)| amount);
        match (amounts.next(), amounts.next()) {
            (Some(amount), None) => format!("{obligation}:{amount}"),
            // Several prices are a choice that the licence explains.
            _ => obligation.clone(),
        }
    };
    stated.obligations.iter().map(priced).collect()
}
