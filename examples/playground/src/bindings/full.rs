//! robots.txt, pages, checks, and a visit.

use js_sys::{Array, Object, Reflect, Uint8Array};
use robots::Matcher;
use wasm_bindgen::prelude::*;
use web_values::UnixSeconds;

use super::{bytes, object, options, string, throw};
use crate::page::{self, DocumentOptions, Html};
use crate::visit::Simulation;
use crate::{Failure, robots_file, text, validate as checks};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** One step of the normalisation. */
export interface NormalizationStep {
  name: "decoded" | "composed" | "folded" | "cleaned" | "collapsed" | "trimmed";
  /** The text after the step. */
  text: string;
  /** What it changed: start and end before, start and end after, as indexes into the two strings. */
  changes: [number, number, number, number][];
}

/** The six steps, and the fingerprint of the text after the last. */
export interface NormalizationSteps {
  steps: NormalizationStep[];
  fingerprint: string;
}

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

/** What is kept of a page. */
export interface ExtractOptions {
  /** The page's address after redirects: targets become absolute. */
  url?: string;
  /** Take only what this selector matches: names, `#id`, `.class`, `[attribute=value]`. */
  keep?: string;
  comments?: boolean;
  tables?: boolean;
  images?: boolean;
  links?: boolean;
  title?: boolean;
  wholePage?: boolean;
  /** Keep what readers do not see, each text between `[hidden: REASON]` and `[/hidden]`. Off unless you turn it on. */
  hidden?: boolean;
}

/** A text that was left out since readers do not see it. */
export interface HiddenText {
  text: string;
  /** Why it is not seen, such as `display-none`, `color-of-background` or `class-read-out`. */
  reason: string;
  /** The elements around it: `body > article > p#note`. */
  place: string;
  words: number;
  /** Whether it looks like an instruction to a model. A hint, not a promise. */
  instructs: boolean;
}

/** The content of a page. */
export interface Extraction {
  title: string;
  markdown: string;
  text: string;
  html: string;
  kind: string;
  /** What the model expects of its choice, from 0 to 1. */
  confidence: number | null;
  metadata: {
    language: string;
    wordCount: number;
    readingTime: number;
    description?: string;
    canonicalUrl?: string;
    author?: string;
    siteName?: string;
    keywords?: string[];
    ogImage?: string;
    published?: string;
    modified?: string;
  };
  /** What the page says about itself, each value with the kind of place that says it. Several authors are several values. */
  about: {
    member: "title" | "author" | "siteName" | "section" | "published" | "modified" | "language" | "direction" | "licence";
    value: string;
    /** In kebab case, such as `json-ld` or `open-graph`. */
    source: string;
    /** How sure the value is, from 0 to 1. */
    confidence: number;
  }[];
  /** What was left out since readers do not see it: of all the page, at most a thousand texts. */
  hidden: HiddenText[];
  findings: Finding[];
}

/** What a document is made from beside the page. */
export interface DocumentOptions {
  /** The page's address after redirects. */
  url: string;
  version?: "1.0" | "2.0";
  /** The value of the response's `Content-Type`. */
  contentType?: string;
  /** For 1.0: the document's member `crawl`. */
  crawl?: object;
  /** For 2.0: when the page was fetched, RFC 3339. */
  fetchedAt?: string;
  statusCode?: number;
  renderMode?: "static" | "rendered";
  freshnessPolicy?: "cache_first" | "force_refresh";
  cacheStatus?: string;
}

/** A request for a page. */
export interface PageRequest {
  /** The page's address. */
  url: string;
  /** `GET` unless given. */
  method?: string;
  /** The request's header fields; a `Headers` object will do. */
  headers?: Iterable<[string, string]>;
  /** The media type of the HTML. */
  contentType?: string;
}

/** What to send, for `new Response(body, { status, headers })`. */
export interface PageResponse {
  status: number;
  headers: [string, string][];
  body: Uint8Array | null;
}

/** A publisher's pages. */
export interface Site {
  origin: string;
  /** HTML with `{head}`, `{title}` and `{content}` in it. */
  template: string;
  pages: { path: string; title: string; content: string }[];
}

/** What happens in a visit. */
export type VisitEvent =
  | { event: "exchange"; what: "page" | "sitemap" | "twin"; path: string; ifNoneMatch: string | null; status: number; etag: string | null; bytes: number }
  | { event: "skipped"; path: string }
  | { event: "page"; path: string; outcome: string; hash: string | null; text: string | null }
  | { event: "site"; code: string; message: string }
  | { event: "waited"; seconds: number }
  | { event: "done"; totals: VisitTotals };

/** The counts of a visit, beside those of an agent that knows HTML alone. */
export interface VisitTotals {
  requests: number; notModified: number; skipped: number; stored: number; bytes: number;
  htmlRequests: number; htmlNotModified: number; htmlBytes: number;
}
"#;

#[wasm_bindgen]
extern "C" {
    /// The engine's decoders: those of all encodings of the web.
    type TextDecoder;

    #[wasm_bindgen(constructor, catch)]
    fn new(label: &str) -> Result<TextDecoder, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn decode(this: &TextDecoder, bytes: &[u8]) -> Result<String, JsValue>;
}

fn html(value: &JsValue, content_type: Option<&str>) -> Result<Html, JsValue> {
    if value.is_string() {
        return string(value).map(Html::of_text);
    }
    let decode = |label: &str, bytes: &[u8]| TextDecoder::new(label).ok()?.decode(bytes).ok();
    Ok(Html::of_bytes(bytes(value)?, content_type, decode))
}

/// The text after each of the six steps, with what each changed. For people; `fingerprint` is many times faster.
///
/// # Errors
/// A string with half a surrogate pair.
#[wasm_bindgen(js_name = normalizationSteps, unchecked_return_type = "NormalizationSteps")]
pub fn normalization_steps(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsValue,
) -> Result<JsValue, JsValue> {
    object(&text::steps(&string(text)?))
}

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
        Ok(Robots { file: robots::Robots::parse(&bytes(file)?).into_owned(), last: None })
    }

    /// Whether a crawler may fetch a path or URL.
    #[must_use]
    pub fn allows(&mut self, agent: &str, url: &str) -> bool {
        match &mut self.last {
            Some((last, matcher)) if last == agent => {
                matcher.get_or_insert_with(|| self.file.matcher(agent)).decide(url).is_allowed()
            }
            last => {
                *last = Some((agent.to_owned(), None));
                self.file.decide(agent, url).is_allowed()
            }
        }
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
        url: &str,
    ) -> Result<JsValue, JsValue> {
        let names = match agents.dyn_ref::<Array>() {
            Some(list) => list.iter().map(|agent| string(&agent)).collect::<Result<Vec<_>, _>>()?,
            None => vec![string(agents)?],
        };
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        object(&robots_file::verdict(&self.file, &names, url))
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

/// The content of an HTML page: Markdown, text, clean HTML, metadata, findings. No page fails.
///
/// # Errors
/// Options that cannot be read.
#[wasm_bindgen(unchecked_return_type = "Extraction")]
pub fn extract(
    #[wasm_bindgen(unchecked_param_type = "Text")] page: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "ExtractOptions")] settings: &JsValue,
) -> Result<JsValue, JsValue> {
    let found = page::extract(&html(page, None)?, &options(settings)?).map_err(|failure| throw(&failure))?;
    object(&found)
}

/// The content of an HTML page as Markdown alone. No page fails.
///
/// # Errors
/// Options that cannot be read.
#[wasm_bindgen]
pub fn markdown(
    #[wasm_bindgen(unchecked_param_type = "Text")] page: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "ExtractOptions")] settings: &JsValue,
) -> Result<String, JsValue> {
    page::markdown(&html(page, None)?, &options(settings)?).map_err(|failure| throw(&failure))
}

/// Markdown as HTML, for people to look at: CommonMark with tables, footnotes, strikethrough and formulas.
///
/// # Errors
/// A string with half a surrogate pair.
#[wasm_bindgen(js_name = renderMarkdown)]
pub fn render_markdown(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsValue,
) -> Result<String, JsValue> {
    Ok(page::render(&string(text)?))
}

/// The AIDocument of an HTML page as JSON text.
///
/// # Errors
/// Options that cannot be read, or are missing.
#[wasm_bindgen]
pub fn document(
    #[wasm_bindgen(unchecked_param_type = "Text")] page: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "DocumentOptions")] settings: &JsValue,
) -> Result<String, JsValue> {
    let settings: DocumentOptions = options(settings)?;
    let page = html(page, settings.content_type.as_deref())?;
    page::document(&page, &settings).map_err(|failure| throw(&failure))
}

/// Answers a request for a page of which the HTML is at hand: HTML, or Markdown where the request prefers it, or 304.
///
/// # Errors
/// A request whose URL, method or fields are not those of HTTP.
#[wasm_bindgen(unchecked_return_type = "PageResponse")]
pub fn respond(
    #[wasm_bindgen(unchecked_param_type = "Text")] page: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "PageRequest")] request: &JsValue,
) -> Result<JsValue, JsValue> {
    let member = |name: &str| Reflect::get(request, &name.into());
    let text = |value: JsValue| match value.is_undefined() {
        true => Ok(None),
        false => string(&value).map(Some),
    };
    let (url, method) = (string(&member("url")?)?, text(member("method")?)?);
    let content_type = text(member("contentType")?)?;
    let page = html(page, content_type.as_deref())?;
    let mut fields = Vec::new();
    let headers = member("headers")?;
    if !headers.is_undefined() {
        for pair in Array::from(&headers).iter() {
            let pair = Array::from(&pair);
            fields.push((string(&pair.get(0))?, string(&pair.get(1))?));
        }
    }
    let fields = fields.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let answer =
        page::respond(page, &url, content_type.as_deref(), method.as_deref().unwrap_or("GET"), fields)
            .map_err(|failure| throw(&failure))?;
    let response = Object::new();
    Reflect::set(&response, &"status".into(), &answer.status.into())?;
    Reflect::set(&response, &"headers".into(), &object(&answer.headers)?)?;
    let body = match answer.body.is_empty() {
        true => JsValue::NULL,
        false => Uint8Array::from(&answer.body[..]).into(),
    };
    Reflect::set(&response, &"body".into(), &body)?;
    Ok(response.into())
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
pub fn validate(kind: &str, text: &JsValue) -> Result<JsValue, JsValue> {
    let text = bytes(text)?;
    let report = match kind {
        "manifest" => checks::manifest(&text),
        "product" => checks::product(&text),
        "document" => checks::document(&text),
        "feed" => return object(&checks::feed(&text)),
        _ => {
            Err(Failure::new("bad-argument", "expected \"manifest\", \"product\", \"feed\" or \"document\""))
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
    checks::llms_txt_of(&bytes(manifest)?).map_err(|failure| throw(&failure))
}

/// A publisher and an agent, on a clock that the caller turns.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Visit(Simulation);

/// Seconds since 1970, as JavaScript's numbers hold them.
fn seconds(number: f64) -> u64 {
    // A cast saturates: what is below zero, or not a number, is 0.
    number as u64
}

#[wasm_bindgen]
impl Visit {
    /// A publisher of these pages, and an agent that has not been there yet. `now` is in seconds since 1970.
    ///
    /// # Errors
    /// A site that cannot be published.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "Site")] site: &JsValue,
        now: f64,
    ) -> Result<Visit, JsValue> {
        let simulation = Simulation::new(&options(site)?, UnixSeconds(seconds(now)));
        simulation.map(Visit).map_err(|failure| throw(&failure))
    }

    /// Publishes these pages in place of those before; the agent hears nothing of it.
    ///
    /// # Errors
    /// A site that cannot be published; the one before then stays.
    pub fn publish(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Site")] site: &JsValue,
    ) -> Result<(), JsValue> {
        self.0.publish(&options(site)?).map_err(|failure| throw(&failure))
    }

    /// Lets so many seconds pass.
    pub fn advance(&mut self, by: f64) {
        self.0.advance(seconds(by));
    }

    /// The time, in seconds since 1970.
    #[must_use]
    pub fn now(&self) -> f64 {
        self.0.now().0 as f64
    }

    /// What the publisher offers of each page.
    ///
    /// # Errors
    /// None of its own.
    #[wasm_bindgen(
        unchecked_return_type = "{ path: string; twin: string; hash: string; twinBytes: number; htmlBytes: number; htmlEtag: string }[]"
    )]
    pub fn offered(&self) -> Result<JsValue, JsValue> {
        object(&self.0.offered())
    }

    /// What the agent holds.
    ///
    /// # Errors
    /// None of its own.
    #[wasm_bindgen(unchecked_return_type = "{ path: string; hash: string | null; text: string }[]")]
    pub fn held(&self) -> Result<JsValue, JsValue> {
        object(&self.0.held())
    }

    /// The next thing that happens. A visit begins with the first call and ends with the event `done`; the call after
    /// that begins another.
    ///
    /// # Errors
    /// A site without a start page.
    #[wasm_bindgen(js_name = next, unchecked_return_type = "VisitEvent")]
    pub fn next_event(&mut self) -> Result<JsValue, JsValue> {
        let event = self.0.next_event().map_err(|failure| throw(&failure))?;
        object(&event)
    }
}
