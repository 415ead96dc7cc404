//! The verdict of a document's licences for one resource and one caller.
//!
//! Matching contents are considered from the narrowest to the widest. For each purpose the narrowest one that names it
//! decides: by prohibiting it, by permitting it, or by a closed list that does not contain it. A licence without a list
//! permits every purpose that no content names; it never overrides a wider content that names the purpose.

use alloc::borrow::{Cow, ToOwned};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt;
use core::str::FromStr;

use robots::{LevelledPath, PathPattern, RequestPath};
use url::Url;

use super::country::RslCountry;
use super::document::{Content, License, Lists, RslDocument};
use crate::price::Amount;
use crate::purpose::{ByPurpose, Purpose};

/// A resource, and how its licence was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RslAsset {
    url: Url,
    is_associated: bool,
}

impl RslAsset {
    /// The resource of that URL, whose licence was found elsewhere, such as in robots.txt.
    #[must_use]
    pub fn new(url: Url) -> Self {
        RslAsset { url, is_associated: false }
    }

    /// The same resource, whose licence was found through the resource itself: by its `Link` field or an element of the
    /// page. A `content` with an empty `url` then applies to it.
    ///
    /// Spec: RSL 1.0, "The content Element"; RSL-8.
    #[must_use]
    pub fn associated(mut self) -> Self {
        self.is_associated = true;
        self
    }
}

/// A class of users in licences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum RslUser {
    /// For profit.
    Commercial,
    /// Not for profit.
    NonCommercial,
    /// Schools, universities.
    Education,
    /// Authorities.
    Government,
    /// A person's own use.
    Personal,
}

impl RslUser {
    /// The word on the wire, such as `non-commercial`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RslUser::Commercial => "commercial",
            RslUser::NonCommercial => "non-commercial",
            RslUser::Education => "education",
            RslUser::Government => "government",
            RslUser::Personal => "personal",
        }
    }
}

impl FromStr for RslUser {
    type Err = RslUserError;

    fn from_str(text: &str) -> Result<Self, RslUserError> {
        let all = [
            RslUser::Commercial,
            RslUser::NonCommercial,
            RslUser::Education,
            RslUser::Government,
            RslUser::Personal,
        ];
        all.into_iter().find(|user| user.name() == text).ok_or(RslUserError)
    }
}

impl fmt::Display for RslUser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not a class of users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RslUserError;

impl fmt::Display for RslUserError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected one of commercial, non-commercial, education, government, personal")
    }
}

impl core::error::Error for RslUserError {}

/// The caller. If a licence depends on a member that is absent here, the verdict has an obligation to check it
/// (`check:user`, `check:geo`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RslCaller {
    user: Option<RslUser>,
    country: Option<RslCountry>,
}

impl RslCaller {
    /// The class that the caller belongs to.
    #[must_use]
    pub fn user(mut self, user: RslUser) -> Self {
        self.user = Some(user);
        self
    }

    /// The country that the caller is in.
    #[must_use]
    pub fn country(mut self, country: RslCountry) -> Self {
        self.country = Some(country);
        self
    }
}

/// What a licence says about one purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum RslVerdict {
    /// Permitted, if all obligations are met.
    Permitted,
    /// Prohibited by name.
    Prohibited,
    /// Not on the closed list of permitted purposes, or no licence is open to the caller.
    Unlisted,
    /// No content matches the resource.
    #[default]
    None,
}

impl RslVerdict {
    /// The name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RslVerdict::Permitted => "permitted",
            RslVerdict::Prohibited => "prohibited",
            RslVerdict::Unlisted => "unlisted",
            RslVerdict::None => "none",
        }
    }
}

impl fmt::Display for RslVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The verdict for one purpose, and what it depends on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RslUse {
    /// The verdict.
    pub verdict: RslVerdict,
    /// The obligations, sorted, such as `attribution`, `pay:crawl` or `check:user`. Empty unless permitted.
    #[cfg_attr(feature = "serde", serde(default))]
    pub obligations: Vec<String>,
    /// The amounts of the obligations to pay, as the licence states them: `pay:crawl` with `USD 0.01`.
    /// Sorted.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub prices: Vec<(String, Amount)>,
}

/// The verdicts for all purposes.
pub type RslUses = ByPurpose<RslUse>;

impl ByPurpose<RslUse> {
    /// These verdicts, completed by those of a licence that is farther from the resource.
    ///
    /// Spec: RSL 1.0, "Associating Licenses"; RSL-4.
    #[must_use]
    pub fn or_farther(self, farther: RslUses) -> RslUses {
        ByPurpose::from_fn(|purpose| {
            let near = self.get(purpose);
            if near.verdict == RslVerdict::None { farther.get(purpose) } else { near }.clone()
        })
    }

    /// The more restrictive of two verdicts for each purpose, for licences that are equally near. Where both permit, the
    /// obligations of both hold.
    ///
    /// Spec: RSL 1.0, "Associating Licenses"; RSL-4.
    #[must_use]
    pub fn restricted_by(self, other: RslUses) -> RslUses {
        let rank = |verdict| match verdict {
            RslVerdict::None => 0,
            RslVerdict::Permitted => 1,
            RslVerdict::Unlisted => 2,
            RslVerdict::Prohibited => 3,
        };
        ByPurpose::from_fn(|purpose| {
            let (a, b) = (self.get(purpose), other.get(purpose));
            if a.verdict == RslVerdict::Permitted && b.verdict == RslVerdict::Permitted {
                let mut obligations = [&a.obligations[..], &b.obligations[..]].concat();
                obligations.sort();
                obligations.dedup();
                let mut prices = [&a.prices[..], &b.prices[..]].concat();
                prices.sort();
                prices.dedup();
                return RslUse { verdict: RslVerdict::Permitted, obligations, prices };
            }
            if rank(a.verdict) >= rank(b.verdict) { a } else { b }.clone()
        })
    }
}

impl RslDocument {
    /// The verdicts of the document for a resource; `None` if no content matches it.
    ///
    /// `O(n log n)` in contents and path, except that a pattern with `*` is looked for in the whole path.
    ///
    /// Spec: RSL 1.0, "The license Element" and "The permits and prohibits Elements"; RSL-8 to RSL-15.
    #[must_use]
    pub fn judge(&self, asset: &RslAsset, caller: &RslCaller) -> Option<RslUses> {
        let path = LevelledPath::new(RequestPath::of_url(asset.url.as_str()));
        let width = |content: &Content| width(&content.url, asset, &path);
        let mut matching: Vec<(u32, &Content)> =
            self.contents.iter().filter_map(|content| Some((width(content)?, content))).collect();
        if matching.is_empty() {
            return None;
        }
        // The narrowest first; the order of the document is irrelevant, since equally narrow ones are one scope.
        matching.sort_by_key(|(octets, _)| Reverse(*octets));
        let scopes: Vec<Scope<'_>> = matching
            .chunk_by(|(a, _), (b, _)| a == b)
            .map(|contents| Scope::new(contents.iter().map(|(_, content)| *content), caller))
            .collect();
        Some(ByPurpose::from_fn(|purpose| decide(&scopes, purpose)))
    }
}

/// How narrow a content's pattern is; `None` where it does not match the resource.
fn width(pattern: &str, asset: &RslAsset, asset_path: &LevelledPath) -> Option<u32> {
    if pattern.is_empty() {
        return asset.is_associated.then_some(u32::MAX);
    }
    let path = match pattern.split_once("://") {
        // A path may hold such characters too.
        Some((scheme, rest)) if !pattern.starts_with(['/', '*']) => {
            let at = rest.find(['/', '?', '*', '$']).unwrap_or(rest.len());
            let (authority, path) = rest.split_at_checked(at)?;
            let origin = Url::parse(&format!("{scheme}://{authority}/")).ok()?;
            if origin.origin() != asset.url.origin() || !origin.origin().is_tuple() {
                return None;
            }
            // The path of a URL may be left out before its query and its end.
            if path.starts_with(['/', '*']) { Cow::Borrowed(path) } else { Cow::Owned(format!("/{path}")) }
        }
        // One that begins otherwise matches no path.
        _ => Cow::Borrowed(pattern),
    };
    let pattern = PathPattern::new(&path);
    pattern.matches_levelled(asset_path).then(|| pattern.octets())
}

/// All licences of one width that are open to the caller.
struct Scope<'d> {
    open: Vec<Open<'d>>,
}

struct Open<'d> {
    license: &'d License,
    obligations: Vec<String>,
}

impl<'d> Scope<'d> {
    fn new(contents: impl Iterator<Item = &'d Content>, caller: &RslCaller) -> Self {
        let licenses =
            contents.flat_map(|content| content.licenses.iter().map(move |license| (content, license)));
        Scope { open: licenses.filter_map(|(content, license)| open(content, license, caller)).collect() }
    }
}

/// The licence with its obligations, if it is open to the caller.
///
/// Spec: RSL 1.0, "The permits and prohibits Elements"; RSL-14, RSL-15.
fn open<'d>(content: &Content, license: &'d License, caller: &RslCaller) -> Option<Open<'d>> {
    let mut obligations = license.obligations.clone();
    let user = caller.user.map(RslUser::name);
    admit(&license.users, user, "check:user", &mut obligations, |word, user| word == user)?;
    admit(&license.places, caller.country, "check:geo", &mut obligations, |word, country| {
        word == country.code() || (word == "EU" && country.is_in_eu())
    })?;
    if content.needs_token {
        obligations.push("licence-token".to_string());
    }
    obligations.sort();
    obligations.dedup();
    Some(Open { license, obligations })
}

/// `None` if the lists exclude the caller; an obligation if that is not known.
fn admit<W: Copy>(
    lists: &Lists,
    who: Option<W>,
    check: &str,
    obligations: &mut Vec<String>,
    is_in: impl Fn(&str, W) -> bool,
) -> Option<()> {
    if lists.permits.is_none() && lists.prohibits.is_none() {
        return Some(());
    }
    let Some(who) = who else {
        obligations.push(check.to_owned());
        return Some(());
    };
    let holds = |list: &Vec<String>| list.iter().any(|word| is_in(word, who));
    let is_admitted =
        lists.permits.as_ref().is_none_or(holds) && !lists.prohibits.as_ref().is_some_and(holds);
    is_admitted.then_some(())
}

/// Returns true if a word of a usage list covers the purpose.
///
/// Spec: RSL 1.0, "Usage Types"; RSL-10.
fn covers(word: &str, purpose: Purpose) -> bool {
    match word {
        "all" => true,
        "ai-all" => matches!(purpose, Purpose::AiTrain | Purpose::AiInput | Purpose::AiIndex),
        word => word == purpose.name() && purpose != Purpose::Tdm,
    }
}

/// The verdict of the narrowest scope that names the purpose.
///
/// Spec: RSL 1.0, "The permits and prohibits Elements"; RSL-11, RSL-12, RSL-13.
fn decide(scopes: &[Scope<'_>], purpose: Purpose) -> RslUse {
    let names = |list: &Option<Vec<String>>| {
        list.as_ref().is_some_and(|words| words.iter().any(|word| covers(word, purpose)))
    };
    let refused = |verdict| RslUse { verdict, ..RslUse::default() };
    let mut implied = None;
    for scope in scopes {
        if scope.open.is_empty() {
            // Licences are there, and none is for this caller.
            return implied.unwrap_or_else(|| refused(RslVerdict::Unlisted));
        }
        if scope.open.iter().any(|open| names(&open.license.usage.prohibits)) {
            return refused(RslVerdict::Prohibited);
        }
        let permitting = scope.open.iter().filter(|open| names(&open.license.usage.permits));
        if let Some(permitted) = lightest(permitting) {
            return permitted;
        }
        if scope.open.iter().any(|open| open.license.usage.permits.is_some()) {
            return refused(RslVerdict::Unlisted);
        }
        implied = implied.or_else(|| lightest(scope.open.iter()));
    }
    implied.unwrap_or_else(|| refused(RslVerdict::None))
}

/// Of several licences that permit, the one with the fewest obligations.
fn lightest<'o, 'd: 'o>(licenses: impl Iterator<Item = &'o Open<'d>>) -> Option<RslUse> {
    let lightest = licenses.min_by_key(|open| (open.obligations.len(), open.obligations.clone()))?;
    let (obligations, prices) = (lightest.obligations.clone(), lightest.license.prices.clone());
    Some(RslUse { verdict: RslVerdict::Permitted, obligations, prices })
}
