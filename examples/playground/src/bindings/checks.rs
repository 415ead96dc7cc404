//! robots.txt files, and checks of manifests, feeds and documents.

use robots::Matcher;
use wasm_bindgen::prelude::*;

use super::{address, bytes, expected, items, object, refused, string, throw};
use crate::{robots_file, validate as checks};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What a check has to say. */
export interface Finding {
  severity: "error" | "warning" | "notice";
  /** Stable name in kebab case. */
  code: string;
  /** A JSON Pointer or the like; absent for the whole input. */
  place?: string;
  line?: number;
  requirement?: string;
  message: string;
}

/** A finding about JSON, and where the member is that it is about. */
export interface PlacedFinding extends Finding {
  start?: Spot;
  end?: Spot;
}

/** What a check found. */
export interface Report {
  valid: boolean;
  findings: PlacedFinding[];
}

/** What the check of a feed found. */
export interface FeedReport {
  valid: boolean;
  /** Lines that are valid products. */
  products: number;
  /** The first thousand lines with findings. */
  lines: { line: number; findings: PlacedFinding[] }[];
  /** Findings about the feed as a whole. */
  findings: Finding[];
  /** How many there are of each severity, those that `lines` leaves out included. */
  counts: { errors: number; warnings: number; notices: number };
  /** Whether `lines` leaves some out. */
  truncated: boolean;
}

/** The answer of a robots.txt file for one URL. */
export interface Verdict {
  allowed: boolean;
  reason: "rule" | "no-rule" | "no-group" | "robots-txt" | "not-a-path";
  /** The rule that decides. */
  rule: { allow: boolean; pattern: string; line: number; group: number } | null;
  /** Path and query that the rules were compared with. */
  path: string;
  /** Seconds. */
  crawlDelay: number | null;
  preferences: {
    /** `Content-Usage` (AIPREF). */
    usage: [string, boolean][];
    /** `Content-Signal`. */
    signals: [string, boolean][];
    /** `use=` of `Content-Signal`. */
    ceiling: string | null;
  };
}

/** What a robots.txt file holds, whoever asks. */
export interface RobotsContents {
  groups: { agents: string[]; lines: number[] }[];
  sitemaps: string[];
  findings: Finding[];
}
"#;

/// A robots.txt file, read once and asked often.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Robots {
    file: robots::Robots<'static>,
    /// The crawler that asked last, and from its second question on the rules in a form that answers fast.
    last: Option<(String, Option<Matcher>)>,
}

#[wasm_bindgen]
impl Robots {
    /// Reads a file. Every file can be read; `contents` says what is odd about it.
    ///
    /// # Errors
    /// A string with half a surrogate pair.
    #[wasm_bindgen(constructor)]
    pub fn new(#[wasm_bindgen(unchecked_param_type = "Text")] file: &JsValue) -> Result<Robots, JsValue> {
        Ok(Robots { file: robots::Robots::parse(&bytes(file, "file")?).into_owned(), last: None })
    }

    /// Whether a crawler may fetch a path or URL.
    ///
    /// # Errors
    /// An `agent` that is not a string, a `url` that is neither a string nor a `URL`.
    pub fn allows(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "string")] agent: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "string | URL")] url: &JsValue,
    ) -> Result<bool, JsValue> {
        let (agent, url) = (string(agent, "agent")?, address(url, "url")?);
        Ok(match &mut self.last {
            Some((last, matcher)) if *last == agent => matcher
                .get_or_insert_with(|| self.file.matcher(agent.as_str()))
                .decide(url.as_str())
                .is_allowed(),
            last => {
                let decision = self.file.decide(agent.as_str(), url.as_str());
                *last = Some((agent, None));
                decision.is_allowed()
            }
        })
    }

    /// The verdict for a crawler, by its name or its names, about a path or URL: with the line that decides, and the
    /// preferences about use.
    ///
    /// # Errors
    /// `agents` that is neither a string nor an array of strings.
    #[wasm_bindgen(unchecked_return_type = "Verdict")]
    pub fn decide(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string | string[]")] agents: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "string | URL")] url: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let names = match items(agents, "agents")? {
            Some(list) => list.iter().map(|agent| string(agent, "agents")).collect::<Result<Vec<_>, _>>()?,
            None if agents.is_string() => vec![string(agents, "agents")?],
            None => return Err(expected("a string or an array of strings", "agents", agents)),
        };
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        object(&robots_file::verdict(&self.file, &names, &address(url, "url")?))
    }

    /// Groups, sitemaps and what is odd about the file, by line.
    ///
    /// # Errors
    /// None of its own.
    #[wasm_bindgen(unchecked_return_type = "RobotsContents")]
    pub fn contents(&self) -> Result<JsValue, JsValue> {
        object(&robots_file::contents(&self.file))
    }
}

#[wasm_bindgen(typescript_custom_section)]
const VALIDATE: &str = r#"
/** Checks a text: every finding, with its place. Throws where the text is not JSON; a feed's lines never throw. */
export function validate(kind: "manifest" | "product" | "document", text: Text): Report;
export function validate(kind: "feed", text: Text): FeedReport;
"#;

/// Checks a manifest, a product, a feed or a document.
///
/// # Errors
/// A text that is not JSON, with its place; an unknown `kind`.
#[wasm_bindgen(skip_typescript)]
pub fn validate(kind: &JsValue, text: &JsValue) -> Result<JsValue, JsValue> {
    let kind = string(kind, "kind")?;
    let text = bytes(text, "text")?;
    let report = match kind.as_str() {
        "manifest" => checks::manifest(&text),
        "product" => checks::product(&text),
        "document" => checks::document(&text),
        "feed" => return object(&checks::feed(&text)),
        _ => {
            let kinds = "expected \"manifest\", \"product\", \"feed\" or \"document\"";
            return Err(refused("bad-argument", "kind", format_args!("{kinds}, found {kind:?}")));
        }
    };
    object(&report.map_err(|failure| throw(&failure))?)
}

/// The text of `/llms.txt` that a manifest makes.
///
/// # Errors
/// A text that is not JSON, or a manifest with errors.
#[wasm_bindgen(js_name = llmsTxt)]
pub fn llms_txt(
    #[wasm_bindgen(unchecked_param_type = "Text")] manifest: &JsValue,
) -> Result<String, JsValue> {
    checks::llms_txt_of(&bytes(manifest, "manifest")?).map_err(|failure| throw(&failure))
}
