//! Pages, and a visit.

use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use web_values::UnixSeconds;

use super::{
    address, bytes, expected, items, iterated, member, object, optional, options, refused, seconds, string,
    throw,
};
use crate::page::{self, DocumentOptions, Html};
use crate::visit::Simulation;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What is kept of a page. */
export interface ExtractOptions {
  /** The page's address after redirects: targets become absolute. */
  url?: string | URL;
  /** Take only what this CSS selector matches. */
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
  url: string | URL;
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
  url: string | URL;
  /** `GET` unless given. */
  method?: string;
  /** The request's header fields: `Headers`, pairs, or an object as Node has it. */
  headers?: Iterable<[string, string]> | Record<string, string | string[] | undefined>;
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
        return string(value, "page").map(Html::of_text);
    }
    let decode = |label: &str, bytes: &[u8]| TextDecoder::new(label).ok()?.decode(bytes).ok();
    Ok(Html::of_bytes(bytes(value, "page")?, content_type, decode))
}

/// The content of an HTML page: Markdown, text, clean HTML, metadata, findings. No page fails.
///
/// # Errors
/// Options that cannot be read.
#[wasm_bindgen(unchecked_return_type = "Extraction")]
pub fn extract(
    #[wasm_bindgen(unchecked_param_type = "Text")] page: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "ExtractOptions")] options: &JsValue,
) -> Result<JsValue, JsValue> {
    let found = page::extract(&html(page, None)?, &super::options(options, "options")?)
        .map_err(|failure| throw(&failure))?;
    object(&found)
}

/// The content of an HTML page as Markdown alone. No page fails.
///
/// # Errors
/// Options that cannot be read.
#[wasm_bindgen]
pub fn markdown(
    #[wasm_bindgen(unchecked_param_type = "Text")] page: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "ExtractOptions")] options: &JsValue,
) -> Result<String, JsValue> {
    page::markdown(&html(page, None)?, &super::options(options, "options")?)
        .map_err(|failure| throw(&failure))
}

/// Markdown as HTML, for people to look at: CommonMark with tables, footnotes, strikethrough and formulas.
///
/// # Errors
/// A string with half a surrogate pair.
#[wasm_bindgen(js_name = renderMarkdown)]
pub fn render_markdown(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsValue,
) -> Result<String, JsValue> {
    Ok(page::render(&string(text, "text")?))
}

/// The AIDocument of an HTML page as JSON text.
///
/// # Errors
/// Options that cannot be read, or are missing.
#[wasm_bindgen]
pub fn document(
    #[wasm_bindgen(unchecked_param_type = "Text")] page: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "DocumentOptions")] options: &JsValue,
) -> Result<String, JsValue> {
    let settings: DocumentOptions = super::options(options, "options")?;
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
    if !request.is_object() {
        return Err(expected("an object", "request", request));
    }
    let of_request = |name: &str| member(request, name, "request");
    let url = address(&of_request("url")?, "request.url")?;
    let method = optional(&of_request("method")?, "request.method")?;
    let content_type = optional(&of_request("contentType")?, "request.contentType")?;
    let page = html(page, content_type.as_deref())?;
    let fields = header_fields(&of_request("headers")?)?;
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

/// Names and values of `Headers`, of pairs, or of an object's members; as Node has it, a value may be a list.
fn header_fields(headers: &JsValue) -> Result<Vec<(String, String)>, JsValue> {
    const ARGUMENT: &str = "request.headers";
    let mut fields = Vec::new();
    if headers.is_undefined() || headers.is_null() {
        return Ok(fields);
    }
    if !headers.is_object() {
        return Err(expected("Headers, an object or pairs", ARGUMENT, headers));
    }
    let unreadable = |_| refused("bad-argument", ARGUMENT, "cannot be read");
    let pairs = match iterated(headers, ARGUMENT)? {
        Some(pairs) => pairs,
        None => {
            let names = Reflect::own_keys(headers).map_err(unreadable)?;
            let pair = |name: JsValue| Ok(Array::of2(&name, &Reflect::get(headers, &name)?).into());
            names.iter().map(pair).collect::<Result<_, _>>().map_err(unreadable)?
        }
    };
    for pair in pairs {
        let pair = items(&pair, ARGUMENT)?.unwrap_or_default();
        let [name, value] = pair.as_slice() else {
            return Err(refused("bad-argument", ARGUMENT, "expected pairs of a name and a value"));
        };
        let name = string(name, ARGUMENT)?;
        match items(value, ARGUMENT)? {
            Some(values) => {
                for value in values {
                    fields.push((name.clone(), string(&value, ARGUMENT)?));
                }
            }
            None if value.is_undefined() => {}
            None => fields.push((name, string(value, ARGUMENT)?)),
        }
    }
    Ok(fields)
}

/// A publisher and an agent, on a clock that the caller turns.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Visit(Simulation);

#[wasm_bindgen]
impl Visit {
    /// A publisher of these pages, and an agent that has not been there yet. `now` is in seconds since 1970.
    ///
    /// # Errors
    /// A site that cannot be published.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "Site")] site: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] now: &JsValue,
    ) -> Result<Visit, JsValue> {
        let now = UnixSeconds(seconds(now, "now")?);
        let simulation = Simulation::new(&options(site, "site")?, now);
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
        self.0.publish(&options(site, "site")?).map_err(|failure| throw(&failure))
    }

    /// Lets so many seconds pass.
    ///
    /// # Errors
    /// What is not a number of seconds from zero on.
    pub fn advance(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "number")] by: &JsValue,
    ) -> Result<(), JsValue> {
        self.0.advance(seconds(by, "by")?);
        Ok(())
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
