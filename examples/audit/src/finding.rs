//! Everything that the audit can report: each check with its code, severity, rule and remedy.

use serde::Serialize;

/// A protocol that a site can offer to agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// robots.txt, extraction, proofs of ownership.
    AiWebIndex,
    /// The manifest, its pages and its feed.
    Llmindex,
    /// TCT: twins and sitemaps.
    Tct,
}

impl Protocol {
    /// All of them, in the order of the report.
    pub const ALL: [Protocol; 3] = [Protocol::AiWebIndex, Protocol::Llmindex, Protocol::Tct];

    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::AiWebIndex => "AIWebIndex",
            Protocol::Llmindex => "llmindex",
            Protocol::Tct => "TCT",
        }
    }
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Agents cannot use something, or must refuse it.
    Error,
    /// Agents can use it, but with extra cost.
    Warning,
    /// An offer that the site does not make.
    Notice,
}

impl Severity {
    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Notice => "notice",
        }
    }
}

macro_rules! checks {
    ($($(#[doc = $doc:literal])+ $name:ident: $code:literal, $protocol:ident, $severity:ident, $requirement:literal,
       $mend:literal;)+) => {
        /// A type of finding.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Check {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Check {
            /// Every type of finding that the audit can report.
            pub const ALL: &'static [Check] = &[$(Check::$name),+];

            /// The stable code, in kebab case.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Check::$name => $code),+ }
            }

            /// The protocol that asks for it.
            #[must_use]
            pub const fn protocol(self) -> Protocol {
                match self { $(Check::$name => Protocol::$protocol),+ }
            }

            /// How bad it is.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Check::$name => Severity::$severity),+ }
            }

            /// The rule, where the finding itself names none.
            #[must_use]
            pub const fn requirement(self) -> &'static str {
                match self { $(Check::$name => $requirement),+ }
            }

            /// What it finds, in a sentence for owners.
            #[must_use]
            pub fn about(self) -> &'static str {
                match self { $(Check::$name => concat!($($doc),+).trim()),+ }
            }

            /// How to fix it.
            #[must_use]
            pub const fn mend(self) -> &'static str {
                match self { $(Check::$name => $mend),+ }
            }
        }
    };
}

checks! {
    /// The site is reached in the clear.
    NotHttps: "not-https", AiWebIndex, Error, "AIWI-SEC-1",
        "Serve everything over HTTPS and redirect plain HTTP to it.";
    /// There is no robots.txt.
    RobotsMissing: "robots-missing", AiWebIndex, Notice, "AIWI-BOT-7",
        "Publish /robots.txt, if only to name the sitemap and to state what may be done with the text.";
    /// A line of robots.txt does not do what it seems to.
    RobotsLine: "robots-line", AiWebIndex, Warning, "AIWI-BOT-8",
        "Correct the line; crawlers ignore it or read it in another way.";
    /// robots.txt closes what a sitemap or manifest offers.
    RobotsBlocks: "robots-blocks-offer", AiWebIndex, Warning, "AIWI-BOT-4",
        "Allow the path in robots.txt, or take it out of the sitemap or manifest.";
    /// Nothing is said about what may be done with the text.
    PreferencesMissing: "preferences-missing", AiWebIndex, Notice, "TCT-POL-9",
        "Add a Content-Signal line to the group of robots.txt: search, ai-input, ai-train.";
    /// robots.txt and the policy descriptor say different things.
    PreferencesConflict: "preferences-conflict", AiWebIndex, Warning, "TCT-POL-5",
        "State the same in Content-Signal and in the policy descriptor; agents keep to the stricter one.";
    /// A page does not read well without a browser.
    PageExtraction: "page-extraction", AiWebIndex, Warning, "AIWI-DOC-6",
        "Put title and text into the HTML that the server sends, and repair the block that is named.";
    /// The proof file does not have the expected token.
    OwnershipUnproven: "ownership-unproven", AiWebIndex, Error, "AIWI-VER-6",
        "Serve the line aiwi-verify=<token> as text/plain at /.well-known/aiwebindex-verify.txt, on this host.";
    /// A licence is announced and cannot be read.
    LicenseUnreadable: "license-unreadable", AiWebIndex, Error, "RSL-7",
        "Serve a valid RSL document at the address that is announced; until then agents count the page as unlicensed.";
    /// The file of reservations cannot be read.
    TdmRepUnreadable: "tdmrep-unreadable", AiWebIndex, Warning, "TDM-7",
        "Serve a JSON array at /.well-known/tdmrep.json, or answer 404.";
    /// An AIDocument that a page links breaks a rule.
    DocumentFault: "document-fault", AiWebIndex, Error, "AIWI2-DOC-1",
        "Correct the member that the finding names.";

    /// There is no manifest.
    ManifestMissing: "manifest-missing", Llmindex, Notice, "LLMI-ENT-1",
        "Publish a manifest at /.well-known/llmindex.json.";
    /// The manifest's URL has something else.
    ManifestUnreadable: "manifest-unreadable", Llmindex, Error, "LLMI-ERR-2",
        "Serve a JSON object there, or answer 404; a page with status 200 makes clients log an error.";
    /// The manifest breaks a rule.
    ManifestError: "manifest-error", Llmindex, Error, "LLMI-MAN-1",
        "Correct the member that the finding names.";
    /// The manifest can be read, but breaks a recommendation.
    ManifestWarning: "manifest-warning", Llmindex, Warning, "LLMI-MAN-1",
        "Correct the member that the finding names.";
    /// The manifest's header fields are missing or wrong.
    ManifestHeaders: "manifest-headers", Llmindex, Warning, "LLMI-ENT-2",
        "Send Content-Type: application/json; charset=utf-8, an ETag, and Cache-Control: max-age=3600, must-revalidate.";
    /// The manifest is not signed.
    ManifestUnsigned: "manifest-unsigned", Llmindex, Notice, "LLMI-SIG-1",
        "Sign the manifest, so that a copy can be told from the original.";
    /// The signature is not that of this manifest.
    SignatureInvalid: "signature-invalid", Llmindex, Error, "LLMI-SIG-5",
        "Sign the manifest again after each change, with the key that sig.kid names.";
    /// A page of the manifest cannot be fetched.
    EndpointUnavailable: "endpoint-unavailable", Llmindex, Warning, "LLMI-ERR-4",
        "Publish the page, readable without a login, or correct its URL in the manifest.";
    /// A feed of the manifest cannot be fetched.
    FeedUnavailable: "feed-unavailable", Llmindex, Warning, "LLMI-ERR-5",
        "Publish the feed, or take it out of the manifest.";
    /// A line of the product feed breaks a rule.
    FeedLine: "feed-line", Llmindex, Error, "LLMI-FEED-1",
        "Correct the product; readers pass over the line.";
    /// The proof that the manifest announces fails.
    ProofFails: "proof-fails", Llmindex, Error, "LLMI-VER-3",
        "Serve exactly verify.value as text/plain at /.well-known/llmindex-proof.txt, on the manifest's host.";
    /// There is no `/llms.txt`.
    LlmsTxtMissing: "llms-txt-missing", Llmindex, Notice, "LLMI-CMP-1",
        "Generate /llms.txt from the manifest, for tools that look for that file.";

    /// The site does not offer TCT.
    TctMissing: "tct-missing", Tct, Notice, "TCT-DISC-1",
        "Publish twins, link each from its page's head, and list them in a sitemap.";
    /// The sitemap's body is correct, but its status is an error.
    SitemapStatus: "sitemap-status", Tct, Error, "TCT-SM-3",
        "Answer 200: after a plugin is activated, the server has to learn its addresses (save the permalinks once).";
    /// No page links a twin.
    TwinLinkMissing: "twin-link-missing", Tct, Notice, "TCT-DISC-1",
        "Link each page's twin from its head: rel=alternate, type=application/json.";
    /// No JSON sitemap is announced.
    SitemapLinkMissing: "sitemap-link-missing", Tct, Notice, "TCT-DISC-6",
        "Send Link: </llm-sitemap.json>; rel=\"index\"; type=\"application/json\" with the homepage.";
    /// The sitemap is not a sitemap, or is broken somewhere.
    SitemapUnreadable: "sitemap-unreadable", Tct, Error, "TCT-SM-3",
        "Serve one well-formed JSON object with version and items.";
    /// An entry cannot be used, or allows no zero-fetch.
    SitemapEntry: "sitemap-entry", Tct, Warning, "TCT-SM-3",
        "Correct the entry: cUrl, mUrl and one hash, https, this origin, each page once.";
    /// Entries do not say when their page changed.
    SitemapUndated: "sitemap-undated", Tct, Notice, "TCT-SM-6",
        "Add modified, an RFC 3339 timestamp, to each entry.";
    /// The sitemap is sent again to clients that have it.
    SitemapNotConditional: "sitemap-not-conditional", Tct, Warning, "TCT-COND-2",
        "Answer If-None-Match on the sitemap with 304: it is the request that agents repeat most.";
    /// A page that is only a list stands in the sitemap.
    ListingInSitemap: "listing-in-sitemap", Tct, Warning, "TCT-PAGE-4",
        "Leave categories, tags, dates and search results out of the sitemap.";
    /// There is no policy descriptor.
    PolicyMissing: "policy-missing", Tct, Notice, "TCT-POL-2",
        "Publish /llm-policy.json and link it from the sitemap's response: rel=\"describedby\".";
    /// A member of the policy descriptor cannot be read.
    PolicyFault: "policy-fault", Tct, Warning, "TCT-POL-3",
        "Correct the member; as it is, it counts as not stated.";
    /// A twin breaks a rule.
    TwinProblem: "twin-problem", Tct, Error, "TCT-PAR-1",
        "Seal the twin once and send those bytes under that entity tag; the sitemap repeats the same hash.";
    /// A twin is valid, but unusual.
    TwinNote: "twin-note", Tct, Warning, "TCT-MURL-2",
        "Look at the twin: agents accept it and wonder.";
    /// A twin's header fields are missing or wrong.
    TwinHeaders: "twin-headers", Tct, Warning, "TCT-OPS-2",
        "Send the field as the draft has it, and see that proxies leave it alone.";
    /// The twin has text that its page does not have.
    TwinSaysMore: "twin-says-more", Tct, Error, "TCT-SEC-7",
        "Give the twin the access control of its page: what readers need a password for must not be in it.";
    /// The twin of a list or of the homepage has the texts of other pages.
    TwinOfList: "twin-of-list", Tct, Warning, "TCT-PAGE-4",
        "Let the twin of a list say what the list shows, or give lists no twin: each text has a twin of its own.";
    /// A twin differs at each request.
    TwinUnstable: "twin-unstable", Tct, Error, "TCT-JSON-9",
        "Leave out of the twin what changes by itself: clocks, counters, anything of the request.";
    /// A hash of the text alone stands beside members that it does not cover.
    TwinMethod: "twin-method", Tct, Warning, "TCT-MB-2",
        "Hash the whole payload (method A), or send nothing beside the members that the text decides.";
    /// Character references stand in a text that is not HTML.
    TwinReferences: "twin-references", Tct, Warning, "TCT-SRC-3",
        "Decode character references before title and text go into the twin: JSON has no use for them.";
    /// A 304 lacks a field that a cache needs.
    TwinNotModifiedVary: "twin-304-vary", Tct, Warning, "TCT-CACHE-4",
        "Send the 200's Vary with the 304 too: a cache that updates its copy forgets it otherwise.";
    /// A twin is sent again to clients that have it.
    TwinNotConditional: "twin-not-conditional", Tct, Error, "TCT-COND-2",
        "Compare If-None-Match with the entity tag and answer 304 where it is there.";
    /// HEAD shows other fields than GET.
    TwinHeadDiffers: "twin-head-differs", Tct, Warning, "TCT-HEAD-2",
        "Answer HEAD like GET, without the body.";
    /// A compressed twin has other content.
    TwinCodingDiffers: "twin-coding-differs", Tct, Error, "TCT-MA-3",
        "Compress the same bytes under the same tag; do not let a proxy compress again and weaken it.";
}

impl Serialize for Check {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

/// Something that was found, at one place or at several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Its type.
    pub check: Check,
    /// How bad it is.
    pub severity: Severity,
    /// The protocol that asks for it.
    pub protocol: Protocol,
    /// The rule that is broken.
    pub requirement: &'static str,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
    /// The first places.
    pub places: Vec<String>,
    /// How many places there are.
    pub count: u64,
    /// How to fix it.
    pub mend: &'static str,
}

/// No more places than this are listed for one finding.
const MAX_PLACES: usize = 5;
/// No more findings than this: a hostile site does not fill the memory.
const MAX_FINDINGS: usize = 500;

/// The findings of an audit, those of a kind joined.
#[derive(Debug, Clone, Default)]
pub struct Findings(Vec<Finding>);

impl Findings {
    /// Adds a finding at this place.
    pub fn add(&mut self, check: Check, place: &str, expected: &str, found: &str) {
        self.add_for(check, check.requirement(), place, expected, found);
    }

    /// Adds what a library says in its own words, "expected X, found Y".
    pub fn add_sentence(&mut self, check: Check, requirement: &'static str, place: &str, sentence: &str) {
        let (expected, found) = sentence.split_once(", found ").unwrap_or((sentence, "something else"));
        // Some say first where in the file it is: that stays with what was found.
        let (at, expected) = expected.split_once("expected ").unwrap_or(("", expected));
        let found = match at.trim_end_matches([' ', ':']) {
            "" => found.to_owned(),
            at => format!("{found} ({at})"),
        };
        self.add_for(check, requirement, place, expected, &found);
    }

    /// Adds what a library says in its own words where that is a whole sentence, and else as what was found in place of
    /// `expected`.
    pub fn add_found(&mut self, check: Check, place: &str, expected: &str, said: &str) {
        match said.contains("expected ") {
            true => self.add_sentence(check, check.requirement(), place, said),
            false => self.add(check, place, expected, said),
        }
    }

    /// Adds a finding under a rule of its own.
    pub fn add_for(
        &mut self,
        check: Check,
        requirement: &'static str,
        place: &str,
        expected: &str,
        found: &str,
    ) {
        self.add_with(check, (requirement, check.mend()), place, expected, found);
    }

    /// Adds a finding under a rule and with a remedy of its own. What differs from place to place belongs to the place,
    /// as in `https://example.com/a (links /b)`: findings of one cause are one, with a count.
    pub fn add_with(
        &mut self,
        check: Check,
        (requirement, mend): (&'static str, &'static str),
        place: &str,
        expected: &str,
        found: &str,
    ) {
        let same = self.0.iter_mut().find(|other| {
            (other.check, other.requirement) == (check, requirement)
                && (other.expected.as_str(), other.found.as_str()) == (expected, found)
        });
        if let Some(other) = same {
            other.count += 1;
            if other.places.len() < MAX_PLACES {
                other.places.push(place.to_owned());
            }
        } else if self.0.len() < MAX_FINDINGS {
            self.0.push(Finding {
                check,
                severity: check.severity(),
                protocol: check.protocol(),
                requirement,
                expected: expected.to_owned(),
                found: found.to_owned(),
                places: vec![place.to_owned()],
                count: 1,
                mend,
            });
        }
    }

    /// Makes one finding of those of a check that differ in the list behind `start` alone, such as members that change: what
    /// a single look shows of one cause is chance.
    pub fn unite(&mut self, check: Check, start: &str) {
        let is_one = |finding: &Finding| finding.check == check && finding.found.starts_with(start);
        let (same, mut others): (Vec<Finding>, Vec<Finding>) =
            std::mem::take(&mut self.0).into_iter().partition(is_one);
        let names = same.iter().flat_map(|finding| finding.found.trim_start_matches(start).split(", "));
        let names: std::collections::BTreeSet<String> = names.map(str::to_owned).collect();
        let found = format!("{start}{}", names.into_iter().collect::<Vec<_>>().join(", "));
        let joined = same.into_iter().reduce(|mut first, other| {
            let new: Vec<String> =
                other.places.iter().filter(|place| !first.places.contains(place)).cloned().collect();
            first.count += other.count - (other.places.len() - new.len()) as u64;
            first.places.extend(new);
            first.places.truncate(MAX_PLACES);
            first
        });
        others.extend(joined.map(|joined| Finding { found, ..joined }));
        self.0 = others;
    }

    /// The findings, the worst first.
    #[must_use]
    pub fn into_sorted(mut self) -> Vec<Finding> {
        self.0.sort_by_key(|finding| (finding.severity, finding.protocol, finding.check));
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_and_every_check_says_how_to_mend() {
        let mut codes: Vec<_> = Check::ALL.iter().map(|check| check.code()).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), Check::ALL.len());
        for check in Check::ALL {
            assert!(check.mend().ends_with('.') && check.requirement().contains('-'), "{check:?}");
        }
    }

    #[test]
    fn findings_of_a_kind_are_joined() {
        let mut findings = Findings::default();
        for place in 0..7 {
            findings.add(Check::TwinHeaders, &format!("/{place}"), "a tag", "none");
        }
        let sentence = "line 3: expected a colon, found `x`";
        findings.add_sentence(Check::NotHttps, "AIWI-SEC-1", "/", sentence);
        let sorted = findings.into_sorted();
        assert_eq!((sorted[0].expected.as_str(), sorted[0].found.as_str()), ("a colon", "`x` (line 3)"));
        assert_eq!((sorted[1].count, sorted[1].places.len()), (7, MAX_PLACES));
    }
}
