//! The checks: what each requires, how binding it is, how to fix a failure, and its names in other
//! checkers.

use std::fmt;

use serde::{Serialize, Serializer};

/// What a check is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    /// robots.txt, sitemap, Link fields.
    Discovery,
    /// The Markdown form of pages.
    Markdown,
    /// llms.txt and llms-full.txt.
    LlmsTxt,
    /// What is in the pages.
    Pages,
    /// Status codes, redirects, caching, closed doors.
    Http,
    /// Licences and keys.
    Rights,
    /// Documents for agents that act.
    Interfaces,
    /// Prices and shops.
    Payment,
}

impl Group {
    /// All of them, in the order of a report.
    pub const ALL: [Group; 8] = [
        Group::Discovery,
        Group::Markdown,
        Group::LlmsTxt,
        Group::Pages,
        Group::Http,
        Group::Rights,
        Group::Interfaces,
        Group::Payment,
    ];

    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Group::Discovery => "Finding the site",
            Group::Markdown => "Markdown",
            Group::LlmsTxt => "llms.txt",
            Group::Pages => "Pages",
            Group::Http => "HTTP and access",
            Group::Rights => "Rights and identity",
            Group::Interfaces => "Interfaces for agents",
            Group::Payment => "Payment",
        }
    }
}

/// How binding a check is; it gives a failure its weight. Spec: READY-AMB-14.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// A specification demands it, or a checker's first levels do.
    Must,
    /// It is widely asked for.
    Should,
    /// Nice to have.
    May,
    /// Good to know.
    Info,
    /// Nobody else asks for it.
    Ours,
}

impl Level {
    /// The points that a pass is worth.
    #[must_use]
    pub const fn weight(self) -> u32 {
        match self {
            Level::Must => 4,
            Level::Should => 3,
            Level::May => 2,
            Level::Info | Level::Ours => 1,
        }
    }
}

macro_rules! rows {
    ($($name:ident $id:literal $group:ident $level:ident [$afdocs:literal $cf:literal] $asks:literal $mend:literal;)+) => {
        /// A check of the catalogue.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Row {
            $(#[doc = $asks] $name),+
        }

        impl Row {
            /// All 93, in the order of the catalogue.
            pub const ALL: &[Row] = &[$(Row::$name),+];

            /// Its name, such as `READY-ROBOTS-1`.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self { $(Row::$name => $id),+ }
            }

            /// What it is about.
            #[must_use]
            pub const fn group(self) -> Group {
                match self { $(Row::$name => Group::$group),+ }
            }

            /// How binding it is.
            #[must_use]
            pub const fn level(self) -> Level {
                match self { $(Row::$name => Level::$level),+ }
            }

            /// The requirement, in a sentence for owners.
            #[must_use]
            pub const fn asks(self) -> &'static str {
                match self { $(Row::$name => $asks),+ }
            }

            /// How to fix a failure.
            #[must_use]
            pub const fn mend(self) -> &'static str {
                match self { $(Row::$name => $mend),+ }
            }

            /// The check of `afdocs` that it stands for, if there is one.
            #[must_use]
            pub fn afdocs(self) -> Option<&'static str> {
                let name = match self { $(Row::$name => $afdocs),+ };
                Some(name).filter(|name| !name.is_empty())
            }

            /// The check of isitagentready.com that it stands for, if there is one.
            #[must_use]
            pub fn isitagentready(self) -> Option<&'static str> {
                let name = match self { $(Row::$name => $cf),+ };
                Some(name).filter(|name| !name.is_empty())
            }
        }
    };
}

rows! {
    Robots1 "READY-ROBOTS-1" Discovery Must ["" "robotsTxt"]
        "There is a robots.txt that crawlers can read."
        "Serve /robots.txt as text/plain with a User-agent group.";
    Robots2 "READY-ROBOTS-2" Discovery Info ["" ""]
        "robots.txt is short enough to be read to its end."
        "Shorten robots.txt to below 500 KiB.";
    Robots3 "READY-ROBOTS-3" Discovery Should ["" ""]
        "robots.txt names the sitemap by its full address."
        "Name the sitemap with its full address in robots.txt.";
    Ai1 "READY-AI-1" Discovery Must ["" "robotsTxtAiRules"]
        "robots.txt says what AI crawlers may fetch."
        "Add a group for AI crawlers, or a group for all.";
    Ai2 "READY-AI-2" Discovery Ours ["" ""]
        "robots.txt knows the crawlers of Anthropic by the names they have today."
        "Name ClaudeBot beside the retired names.";
    Ai3 "READY-AI-3" Discovery Ours ["" ""]
        "Every AI crawler that has a group of its own finds the Content-Signal there."
        "Repeat the Content-Signal line in every group of an AI crawler.";
    Cs1 "READY-CS-1" Discovery Must ["" "contentSignals"]
        "robots.txt says whether the texts may be searched, quoted and trained on."
        "Add `Content-Signal:` with your answers for search, ai-input and ai-train.";
    Cs2 "READY-CS-2" Discovery Ours ["" ""]
        "Every signal is spelt as crawlers know it."
        "Correct the misspelt signal: crawlers ignore it.";
    Cs3 "READY-CS-3" Discovery Ours ["" ""]
        "The Content-Signal of the pages allows nothing that robots.txt forbids."
        "Make the Content-Signal of the Markdown answer say what robots.txt says.";
    Map1 "READY-MAP-1" Discovery Must ["" "sitemap"]
        "There is a sitemap where robots.txt says, or at a usual place."
        "Publish /sitemap.xml and name it in robots.txt.";
    Map2 "READY-MAP-2" Discovery Must ["" ""]
        "The sitemap keeps to 50,000 entries and 50 MB."
        "Split the sitemap and list the parts in a sitemap index.";
    Map3 "READY-MAP-3" Discovery Should ["" ""]
        "Every entry of the sitemap is a full address of this host."
        "Write full addresses of this host into loc.";
    Map4 "READY-MAP-4" Discovery Info ["" ""]
        "The sitemap says when pages changed, in a form that readers know."
        "Give each entry the date of its last real change.";
    Link1 "READY-LINK-1" Discovery Should ["" "linkHeaders"]
        "The response of the page points to documents for machines."
        "Send Link fields that point to machine-readable documents.";
    Link2 "READY-LINK-2" Discovery Ours ["" ""]
        "What the Link fields point to is there."
        "Correct or remove the dead Link target.";

    Md1 "READY-MD-1" Markdown Should ["content-negotiation" "markdownNegotiation"]
        "An agent that asks for Markdown gets Markdown."
        "Answer `Accept: text/markdown` with the page as Markdown, typed text/markdown.";
    Md2 "READY-MD-2" Markdown Should ["" ""]
        "Caches can tell the Markdown form from the HTML form."
        "Send `Vary: Accept`, or caches will mix the two forms.";
    Md3 "READY-MD-3" Markdown Must ["" ""]
        "Who does not ask for Markdown gets HTML."
        "Keep HTML as the answer to those who do not ask for Markdown.";
    Md4 "READY-MD-4" Markdown May ["" ""]
        "x-markdown-tokens, where it is sent, is a number."
        "Write the estimated number of tokens as a plain number, or leave the field out.";
    Md5 "READY-MD-5" Markdown Should ["markdown-url-support" ""]
        "Each page is there as Markdown at its address with .md."
        "Serve each page as Markdown at its address with .md.";
    Md6 "READY-MD-6" Markdown May ["" ""]
        "The Markdown form that the page announces is there."
        "Correct the address of the Markdown form.";

    Llms1 "READY-LLMS-1" LlmsTxt Must ["llms-txt-exists" ""]
        "There is an llms.txt."
        "Publish /llms.txt: a heading, a summary in a quotation, sections of links.";
    Llms2 "READY-LLMS-2" LlmsTxt May ["llms-txt-valid" ""]
        "llms.txt has a title, a summary, sections and links."
        "Give llms.txt a title, a summary in a quotation and sections with links.";
    Llms3 "READY-LLMS-3" LlmsTxt Should ["llms-txt-size" ""]
        "llms.txt is short enough to be read whole."
        "Split llms.txt into an index and files for the sections.";
    Llms4 "READY-LLMS-4" LlmsTxt Should ["llms-txt-links-resolve" ""]
        "What llms.txt links is there."
        "Correct or remove the dead links in llms.txt.";
    Llms5 "READY-LLMS-5" LlmsTxt Should ["llms-txt-links-markdown" ""]
        "llms.txt links pages in their Markdown form."
        "Let llms.txt link to the Markdown form of each page.";
    Llms6 "READY-LLMS-6" LlmsTxt Should ["llms-txt-directive-html" ""]
        "Every page names llms.txt near its top."
        "Put a line with a link to /llms.txt near the top of every page; it may be visually hidden.";
    Llms7 "READY-LLMS-7" LlmsTxt May ["llms-txt-directive-md" ""]
        "The Markdown of every page names llms.txt near its top."
        "Put a quotation that names /llms.txt at the top of each Markdown page.";
    Llms8 "READY-LLMS-8" LlmsTxt May ["llms-txt-coverage" ""]
        "llms.txt lists the pages that the sitemap lists."
        "Add the missing pages to llms.txt, or leave them out on purpose.";
    Llms9 "READY-LLMS-9" LlmsTxt Info ["" ""]
        "llms-full.txt, where there is one, is short enough to be read whole."
        "Keep llms-full.txt below 100,000 characters or offer it in parts.";
    Llms10 "READY-LLMS-10" LlmsTxt Info ["" ""]
        "llms.txt is served as plain text or Markdown."
        "Serve llms.txt as text/plain in UTF-8.";

    Page1 "READY-PAGE-1" Pages Must ["rendering-strategy" ""]
        "The HTML that the server sends has the content in it."
        "Render the pages on the server.";
    Page2 "READY-PAGE-2" Pages Should ["page-size-html" ""]
        "The pages are short enough to be read whole."
        "Cut boilerplate or split the page.";
    Page3 "READY-PAGE-3" Pages Should ["page-size-markdown" ""]
        "The Markdown of the pages is short enough to be read whole."
        "Split the page.";
    Page4 "READY-PAGE-4" Pages May ["page-size-transfer" ""]
        "The pages are small enough to be fetched."
        "Move embedded data and scripts out of the document.";
    Page5 "READY-PAGE-5" Pages May ["content-start-position" ""]
        "The content begins near the top of the page."
        "Move navigation behind the content.";
    Page6 "READY-PAGE-6" Pages May ["single-fetch-completeness" ""]
        "The Markdown of a page is the whole page, or says where it goes on."
        "Serve the whole page, or name the continuation with its full address at the top.";
    Page7 "READY-PAGE-7" Pages May ["tabbed-content-serialization" ""]
        "Tabs do not make a page too long."
        "Give each variant its own page.";
    Page8 "READY-PAGE-8" Pages Info ["section-header-quality" ""]
        "Headings within tabs say which variant they belong to."
        "Name the variant in the heading.";
    Page9 "READY-PAGE-9" Pages May ["markdown-code-fence-validity" ""]
        "Every code fence in the Markdown is closed."
        "Close the code fence.";
    Page10 "READY-PAGE-10" Pages May ["markdown-link-portability" ""]
        "The links in the Markdown work wherever the text is read."
        "Write full addresses into the Markdown.";
    Page11 "READY-PAGE-11" Pages May ["embedded-data-serialization" ""]
        "No page is mostly a data file."
        "Move the data into files and link them.";
    Page12 "READY-PAGE-12" Pages May ["markdown-content-parity" ""]
        "The Markdown says what the page says."
        "Generate both forms from one source.";

    Http1 "READY-HTTP-1" Http Should ["http-status-codes" ""]
        "A missing page is answered as missing."
        "Answer 404 where there is no page.";
    Http2 "READY-HTTP-2" Http May ["redirect-behavior" ""]
        "Redirects are HTTP redirects within the site."
        "Redirect with 301 or 308, within the site.";
    Http3 "READY-HTTP-3" Http Info ["cache-header-hygiene" ""]
        "Changes reach readers within the hour."
        "Send an ETag and a max-age of an hour at most.";
    Http4 "READY-HTTP-4" Http Must ["auth-gate-detection" ""]
        "The pages can be read without signing in."
        "Let agents read what everybody may read.";
    Http5 "READY-HTTP-5" Http May ["auth-alternative-access" ""]
        "Beside closed pages there is something that agents can read."
        "Offer a public llms.txt or Markdown beside the closed pages.";
    Http6 "READY-HTTP-6" Http Info ["bot-protection-interference" ""]
        "Polite readers are not stopped by a firewall."
        "Let the firewall pass polite readers.";

    Rsl1 "READY-RSL-1" Rights Info ["" ""]
        "The licence that robots.txt names has a full address."
        "Write the full address of the RSL document.";
    Rsl2 "READY-RSL-2" Rights Info ["" ""]
        "The licence that the page names has a full address."
        "Write the full address into the Link field.";
    Rsl3 "READY-RSL-3" Rights Must ["" ""]
        "The licence is there and can be read."
        "Publish the RSL document at the address you name, or take the line out.";
    Rsl4 "READY-RSL-4" Rights Ours ["" ""]
        "robots.txt and the page name the same licence."
        "Name one document everywhere.";
    Wba1 "READY-WBA-1" Rights Info ["" "webBotAuth"]
        "The directory of keys, where there is one, is a key set."
        "Publish a key set with the list `keys`.";
    Wba2 "READY-WBA-2" Rights Must ["" ""]
        "The directory of keys has its own media type."
        "Serve it with its own media type.";
    Wba3 "READY-WBA-3" Rights Must ["" ""]
        "The directory has public keys only, and one that can be used."
        "Publish public keys only.";

    Api1 "READY-API-1" Interfaces Should ["" "apiCatalog"]
        "The API catalogue, where there is one, is a set of links."
        "Publish a linkset of your APIs.";
    Api2 "READY-API-2" Interfaces Must ["" ""]
        "The API catalogue has its own media type."
        "Type it application/linkset+json.";
    Api3 "READY-API-3" Interfaces Should ["" ""]
        "The API catalogue names its profile."
        "Add the profile parameter.";
    Api4 "READY-API-4" Interfaces Must ["" ""]
        "The API catalogue lists descriptions or documentation of each API."
        "Write relations as members: `\"service-desc\": [{\"href\": …}]`.";
    Api5 "READY-API-5" Interfaces Must ["" ""]
        "HEAD of the API catalogue answers with a Link field."
        "Answer HEAD with a Link field of rel api-catalog.";
    OAuth1 "READY-OAUTH-1" Interfaces Should ["" "oauthDiscovery"]
        "The metadata of the authorization server, where there is one, is complete."
        "Publish complete metadata, or none if you run no authorization server.";
    OAuth2 "READY-OAUTH-2" Interfaces Must ["" ""]
        "The issuer is the site at which its metadata stands."
        "Make issuer the origin at which the document stands.";
    OAuth3 "READY-OAUTH-3" Interfaces Should ["" "oauthProtectedResource"]
        "The metadata of the protected resource, where there is one, is complete."
        "State resource and authorization_servers.";
    OAuth4 "READY-OAUTH-4" Interfaces Must ["" ""]
        "The protected resource is the address that the metadata stands for."
        "Make resource the address that the document stands for.";
    OAuth5 "READY-OAUTH-5" Interfaces Must ["" ""]
        "A page that asks for a sign-in says where its metadata is."
        "Name the metadata in the challenge.";
    AuthMd1 "READY-AUTHMD-1" Interfaces Should ["" "authMd"]
        "auth.md, where there is one, explains how agents sign in."
        "Begin /auth.md with the heading `# auth.md`.";
    Mcp1 "READY-MCP-1" Interfaces Should ["" "mcpServerCard"]
        "The MCP server card, where there is one, names the server and its endpoint."
        "Publish a card with name, version and the endpoint.";
    Mcp2 "READY-MCP-2" Interfaces Must ["" ""]
        "The MCP server card has the form of SEP-2127."
        "Bring the card into the form of SEP-2127.";
    Mcp3 "READY-MCP-3" Interfaces Should ["" ""]
        "The MCP server card has its own media type."
        "Use the card's media type.";
    Mcp4 "READY-MCP-4" Interfaces Must ["" ""]
        "Browsers of every origin may read the MCP server card."
        "Allow every origin to read the card.";
    Mcp5 "READY-MCP-5" Interfaces Should ["" ""]
        "The AI catalogue lists the MCP server card."
        "List the card in /.well-known/ai-catalog.json.";
    Cat1 "READY-CAT-1" Interfaces Should ["" "ard"]
        "The AI catalogue, where there is one, has a version and entries."
        "Publish a catalogue with specVersion and entries.";
    Cat2 "READY-CAT-2" Interfaces Must ["" ""]
        "Every entry of the AI catalogue can be read."
        "Give every entry identifier, displayName, type and either url or data.";
    Cat3 "READY-CAT-3" Interfaces Must ["" ""]
        "No two entries of the AI catalogue have the same identifier."
        "Make identifiers unique.";
    Cat4 "READY-CAT-4" Interfaces Info ["" ""]
        "The entries of the AI catalogue can be found by questions."
        "Use urn:air identifiers and add two to five sample questions.";
    A2a1 "READY-A2A-1" Interfaces Should ["" "a2aAgentCard"]
        "The agent card, where there is one, is one of A2A 1.0."
        "Publish the card of A2A 1.0.";
    A2a2 "READY-A2A-2" Interfaces Must ["" ""]
        "Every interface of the agent card can be reached."
        "State url, protocolBinding and protocolVersion of each interface.";
    A2a3 "READY-A2A-3" Interfaces Must ["" ""]
        "Every skill of the agent card is described."
        "Describe each skill.";
    Skill1 "READY-SKILL-1" Interfaces Should ["" "agentSkills"]
        "The index of skills, where there is one, lists skills."
        "Publish the index at /.well-known/agent-skills/index.json.";
    Skill2 "READY-SKILL-2" Interfaces Must ["" ""]
        "The index of skills names its form."
        "Set $schema to the known name.";
    Skill3 "READY-SKILL-3" Interfaces Must ["" ""]
        "Every entry of the index of skills can be read."
        "Correct the entry.";
    Skill4 "READY-SKILL-4" Interfaces Must ["" ""]
        "Every skill is the file that the index promises."
        "Compute the digest over the bytes as served.";
    Skill5 "READY-SKILL-5" Interfaces Must ["" ""]
        "Every skill begins with its name and description."
        "Begin SKILL.md with name and description.";
    NlWeb1 "READY-NLWEB-1" Interfaces Info ["" ""]
        "/ask, where it is there, answers questions with a list."
        "Answer /ask with a list of results.";
    WebMcp1 "READY-WEBMCP-1" Interfaces Info ["" "webMcp"]
        "Tools for the agent in a browser are registered as it expects."
        "Register tools with document.modelContext.registerTool.";
    Dns1 "READY-DNS-1" Interfaces Info ["" "dnsAid"]
        "Agents are announced in the DNS."
        "Publish service records below _agents, signed by DNSSEC.";

    Pay1 "READY-PAY-1" Payment Info ["" "x402"]
        "A price is stated as x402 has it."
        "Send the price in PAYMENT-REQUIRED.";
    Pay2 "READY-PAY-2" Payment Info ["" "acp"]
        "The document of the Agentic Commerce Protocol, where there is one, is complete."
        "Complete the document.";
    Pay3 "READY-PAY-3" Payment Info ["" "ucp"]
        "The profile of the Universal Commerce Protocol, where there is one, is complete."
        "Complete the profile.";
    Pay4 "READY-PAY-4" Payment Info ["" "mpp"]
        "Operations that cost something say how they are paid."
        "State intent, method and amount.";
    Pay5 "READY-PAY-5" Payment Info ["" "ap2"]
        "The agent card knows the Agent Payments Protocol."
        "Add the extension of AP2 to the agent card.";
    Cf1 "READY-CF-1" Interfaces Info ["" ""]
        "The level that isitagentready.com would give, as far as it is known."
        "Mend what the next level asks for.";
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_table_is_that_of_the_catalogue() {
        assert_eq!(Row::ALL.len(), 93);
        let ids: BTreeSet<_> = Row::ALL.iter().map(|row| row.id()).collect();
        assert_eq!(ids.len(), 93);
        let names = |of: fn(Row) -> Option<&'static str>| -> BTreeSet<_> {
            Row::ALL.iter().filter_map(|row| of(*row)).collect()
        };
        assert_eq!((names(Row::afdocs).len(), names(Row::isitagentready).len()), (28, 22));
        assert!(Row::ALL.iter().all(|row| row.asks().ends_with('.') && row.mend().ends_with('.')));
    }
}
