//! An HTML page: its content, its documents, and the response to a request that may ask for Markdown.

use aidocument::v2::{self, Call};
use aidocument::{Crawl, Document, UrlRules, WebUrl};
use aidocument_extract::encoding::label_of;
use aidocument_extract::{ExtractFindingKind, Extractor, Found, Options, PageMetadata, Snapshot, extract_v2};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tct::Resource;
use tct::resource::NegotiatedPage;
use web_values::Severity;

use crate::failure::{Failure, kebab};

/// What is kept of a page. All are on unless the caller turns them off.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ExtractOptions {
    /// The page's address after redirects.
    pub url: Option<String>,
    /// Take only what this selector matches.
    pub keep: Option<String>,
    /// Readers' comments.
    pub comments: Option<bool>,
    /// Tables as tables.
    pub tables: Option<bool>,
    /// Images.
    pub images: Option<bool>,
    /// Targets of links.
    pub links: Option<bool>,
    /// The title heading in front.
    pub title: Option<bool>,
    /// Take the whole page. Off unless the caller turns it on.
    pub whole_page: Option<bool>,
    /// Keep what readers do not see, marked. Off unless the caller turns it on.
    pub hidden: Option<bool>,
}

/// The content of a page.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Extraction {
    /// The title.
    pub title: String,
    /// The content as Markdown.
    pub markdown: String,
    /// The content as plain text.
    pub text: String,
    /// The content as clean HTML.
    pub html: String,
    /// What the page was read as.
    pub kind: String,
    /// What the model expects of its choice, from 0 to 1.
    pub confidence: Option<f32>,
    /// Author, dates, site, language, keywords.
    pub metadata: Metadata,
    /// The same with the kind of place that says each, and how sure it is.
    pub about: Vec<Told>,
    /// What was left out since readers do not see it.
    pub hidden: Vec<Hidden>,
    /// What was noticed.
    pub findings: Vec<Noticed>,
}

/// A text that was left out since readers do not see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hidden {
    /// The text.
    pub text: String,
    /// Why it is not seen, in kebab case.
    pub reason: &'static str,
    /// The elements around it.
    pub place: String,
    /// Its words.
    pub words: u32,
    /// Whether it looks like an instruction to a model.
    pub instructs: bool,
}

/// What a page says about itself; absent parts are left out.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    /// BCP 47 tag; `und` where nothing says.
    pub language: String,
    /// Words of the content.
    pub word_count: u64,
    /// Minutes.
    pub reading_time: u64,
    /// The description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The address that the page names as its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical_url: Option<String>,
    /// Who wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site_name: Option<String>,
    /// Keywords.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keywords: Option<Vec<String>>,
    /// The preview image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub og_image: Option<String>,
    /// When it was published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// When it was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
}

/// One thing that a page says about itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Told {
    /// What it is, by the name that it has in [`Metadata`]; also `title`, `section`, `licence` and `direction`.
    pub member: &'static str,
    /// The value as text.
    pub value: String,
    /// The kind of place, in kebab case, such as `json-ld` or `open-graph`.
    pub source: &'static str,
    /// How sure it is, from 0 to 1.
    pub confidence: f32,
}

/// What the page says about itself, each value with its source. Several authors are several values.
fn told(about: &PageMetadata) -> Vec<Told> {
    fn one<T: ToString>(member: &'static str, found: Option<&Found<T>>) -> Option<Told> {
        let Found { value, source, confidence, .. } = found?;
        Some(Told { member, value: value.to_string(), source: source.as_str(), confidence: *confidence })
    }
    let title = one("title", about.title.as_ref());
    let authors = about.authors.iter().filter_map(|author| one("author", Some(author)));
    let rest = [
        one("siteName", about.site_name.as_ref()),
        one("section", about.section.as_ref()),
        one("published", about.published.as_ref()),
        one("modified", about.modified.as_ref()),
        one("language", about.language.as_ref()),
        one("direction", about.direction.as_ref()),
        one("licence", about.licence.as_ref()),
    ];
    title.into_iter().chain(authors).chain(rest.into_iter().flatten()).collect()
}

/// Something that was noticed while reading a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Noticed {
    /// `warning` or `notice`: nothing stops an extraction.
    pub severity: &'static str,
    /// Kebab case.
    pub code: String,
    /// What was expected and found.
    pub message: String,
    /// The requirement.
    pub requirement: &'static str,
}

fn noticed(findings: &[aidocument_extract::ExtractFinding]) -> Vec<Noticed> {
    let one = |finding: &aidocument_extract::ExtractFinding| Noticed {
        severity: Severity::Warning.as_str(),
        code: kebab(&finding.kind()),
        message: finding.to_string(),
        requirement: finding.requirement(),
    };
    findings.iter().map(one).collect()
}

fn malformed_bytes() -> Noticed {
    let kind = ExtractFindingKind::MalformedBytes;
    Noticed {
        severity: Severity::Warning.as_str(),
        code: kebab(&kind),
        message: "expected text in the page's encoding, found malformed bytes".to_owned(),
        requirement: "AIWI-DOC-6",
    }
}

/// The URL with escapes in place of what browsers leave in a path or query and RFC 3986 does not know, such as `^`.
fn encoded(url: &str) -> String {
    let mut text = String::with_capacity(url.len());
    for c in url.chars() {
        match c {
            '`' | '^' | '{' | '}' | '|' | '"' | '<' | '>' | '\\' => {
                text.push_str(&format!("%{:02X}", u32::from(c)))
            }
            c => text.push(c),
        }
    }
    text
}

fn address(text: &str) -> Result<WebUrl, Failure> {
    WebUrl::parse_with(text, UrlRules::default().dropping_credentials())
        .map_err(|error| Failure::new("bad-url", error))
}

/// A page's source, as JavaScript has it: text, and its bytes where it came as bytes.
///
/// JavaScript's `TextDecoder` knows all encodings of the web, so the module brings no decoders of its own.
#[derive(Debug, Clone)]
pub struct Html {
    text: String,
    bytes: Option<Vec<u8>>,
    malformed: bool,
}

impl Html {
    /// Text, whatever encoding it declares.
    #[must_use]
    pub fn of_text(text: String) -> Self {
        Html { text, bytes: None, malformed: false }
    }

    /// Bytes in the encoding that `content_type` or they themselves declare; in windows-1252 where neither does and
    /// they are not UTF-8. `decode` decodes by a label, or does not know it.
    #[must_use]
    pub fn of_bytes(
        bytes: Vec<u8>,
        content_type: Option<&str>,
        mut decode: impl FnMut(&str, &[u8]) -> Option<String>,
    ) -> Self {
        let found = label_of(&bytes, content_type, |label| decode(label, b"").is_some());
        let label = found.map_or_else(|| "windows-1252".to_owned(), |(label, _)| label);
        let is_utf_8 = label.starts_with("utf-8") || label.starts_with("utf8");
        let malformed = is_utf_8 && std::str::from_utf8(&bytes).is_err();
        let text = decode(&label, &bytes);
        let text = text.unwrap_or_else(|| String::from_utf8_lossy(&bytes).into_owned());
        Html { text, bytes: Some(bytes), malformed }
    }

    /// The media type to send the source under: text is UTF-8 by now, whatever its `<meta>` declares.
    fn content_type<'a>(&self, given: Option<&'a str>) -> Option<&'a str> {
        match self.bytes {
            None if given.is_none_or(|given| !given.trim_start().starts_with("text/plain")) => {
                Some("text/html; charset=utf-8")
            }
            _ => given,
        }
    }
}

fn extractor(options: &ExtractOptions) -> Result<Extractor, Failure> {
    let mut extractor = Extractor::new()
        .comments(options.comments.unwrap_or(true))
        .tables(options.tables.unwrap_or(true))
        .images(options.images.unwrap_or(true))
        .links(options.links.unwrap_or(true))
        .title(options.title.unwrap_or(true))
        .whole_page(options.whole_page.unwrap_or(false))
        .hidden(options.hidden.unwrap_or(false));
    if let Some(url) = &options.url {
        extractor = extractor.base_url(address(url)?);
    }
    match &options.keep {
        None => Ok(extractor),
        Some(selector) => extractor.keep(selector).map_err(|error| Failure::new("bad-selector", error)),
    }
}

/// The content of a page.
///
/// # Errors
/// `bad-url` or `bad-selector` for options that are none. No page fails.
pub fn extract(html: &Html, options: &ExtractOptions) -> Result<Extraction, Failure> {
    let extractor = extractor(options)?;
    let content = extractor.extract(&html.text);
    let mut findings = noticed(&content.findings);
    if html.malformed {
        findings.insert(0, malformed_bytes());
    }
    let hidden = content
        .hidden()
        .iter()
        .map(|one| Hidden {
            text: one.text.clone(),
            reason: one.reason.code(),
            place: one.place.clone(),
            words: one.words,
            instructs: one.instructs,
        })
        .collect();
    let about = told(&content.about);
    let meta = content.metadata;
    let words = aidocument::word_count(&content.text);
    Ok(Extraction {
        hidden,
        findings,
        title: content.title,
        markdown: content.markdown,
        text: content.text,
        html: content.html,
        kind: kebab(&content.kind),
        confidence: content.confidence,
        about,
        metadata: Metadata {
            language: meta.language.to_string(),
            word_count: words,
            reading_time: aidocument::reading_time_minutes(words),
            description: content.description,
            canonical_url: content.canonical_url.map(|url| url.as_str().to_owned()),
            author: meta.author,
            site_name: meta.site_name,
            keywords: meta.keywords,
            og_image: meta.og_image,
            published: meta.published,
            modified: meta.modified,
        },
    })
}

/// The content of a page as Markdown alone.
///
/// # Errors
/// As [`extract`].
pub fn markdown(html: &Html, options: &ExtractOptions) -> Result<String, Failure> {
    let extractor = extractor(options)?;
    Ok(extractor.extract(&html.text).markdown)
}

/// Markdown as HTML, for people to look at: CommonMark with tables, footnotes, strikethrough and formulas.
#[must_use]
pub fn render(markdown: &str) -> String {
    use pulldown_cmark::{Options as Extensions, Parser, html};
    let extensions = Extensions::ENABLE_TABLES
        | Extensions::ENABLE_FOOTNOTES
        | Extensions::ENABLE_STRIKETHROUGH
        | Extensions::ENABLE_MATH;
    let mut out = String::with_capacity(markdown.len() * 3 / 2);
    html::push_html(&mut out, Parser::new_ext(markdown, extensions));
    out
}

/// What a document is made from beside the page.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DocumentOptions {
    /// The page's address after redirects.
    pub url: String,
    /// `1.0` (the default) or `2.0`.
    #[serde(default)]
    pub version: Option<String>,
    /// The value of the response's `Content-Type`.
    #[serde(default)]
    pub content_type: Option<String>,
    /// For 1.0: the document's member `crawl`, as the specification has it.
    #[serde(default)]
    pub crawl: Option<Value>,
    /// For 2.0: when the page was fetched.
    #[serde(default)]
    pub fetched_at: Option<String>,
    /// For 2.0: the status of the response.
    #[serde(default)]
    pub status_code: Option<u16>,
    /// For 2.0: `static` or `rendered`.
    #[serde(default)]
    pub render_mode: Option<String>,
    /// For 2.0: `cache_first` or `force_refresh`, which is the default.
    #[serde(default)]
    pub freshness_policy: Option<String>,
    /// For 2.0: what the cache did; `refreshed` by default.
    #[serde(default)]
    pub cache_status: Option<String>,
}

fn option(name: &str, message: impl std::fmt::Display) -> Failure {
    Failure::new("bad-option", format_args!("{name}: {message}"))
}

/// The AIDocument of a page as JSON text.
///
/// # Errors
/// `bad-url`, `bad-option`, and the code of the first finding in `crawl`. No page fails.
pub fn document(html: &Html, options: &DocumentOptions) -> Result<String, Failure> {
    let url = address(&options.url)?;
    let content_type = options.content_type.as_deref();
    match options.version.as_deref() {
        None | Some("1.0") => {
            let crawl = options
                .crawl
                .as_ref()
                .ok_or_else(|| option("crawl", "expected an object for version 1.0"))?;
            let crawl = Crawl::parse(crawl.to_string().as_bytes()).map_err(|error| {
                let finding = error.findings().iter().find(|finding| finding.is_error());
                Failure::new(finding.map_or("bad-option", |finding| finding.code().as_str()), &error)
            })?;
            let page = aidocument_extract::extract(&html.text, url, content_type, crawl, &Options::default());
            Ok(Document::to_json(&page.document))
        }
        Some("2.0") => {
            let call = Call::of_texts(
                options.freshness_policy.as_deref().unwrap_or("force_refresh"),
                options.cache_status.as_deref().unwrap_or("refreshed"),
            );
            let call = call.map_err(|error| Failure::new("cache-contradiction", error))?;
            let status = options.status_code.map(|code| {
                aidocument::StatusCode::new(code).ok_or_else(|| option("statusCode", "expected 100 to 599"))
            });
            let fetched_at = options.fetched_at.as_deref().map(str::parse).transpose();
            let render_mode = options.render_mode.as_deref().map(str::parse).transpose();
            let snapshot = Snapshot {
                fetched_at: fetched_at.map_err(|error| option("fetchedAt", error))?,
                status_code: status.transpose()?,
                render_mode: render_mode.map_err(|error| option("renderMode", error))?,
            };
            let page = extract_v2(&html.text, url, content_type, snapshot, call, &Options::default());
            Ok(v2::Document::to_json(&page.document))
        }
        Some(other) => Err(option("version", format_args!("expected \"1.0\" or \"2.0\", found {other:?}"))),
    }
}

/// A response: what a handler sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// Names and values.
    pub headers: Vec<(String, String)>,
    /// The body, without content coding; empty where the status has none.
    pub body: Bytes,
}

/// Answers a request for a page of which the HTML is at hand: HTML, or Markdown where the request prefers it; 304 where
/// the client has it already. Both forms name in `Vary` what they were chosen by.
///
/// `url` is the page's address; `content_type` that of the HTML.
///
/// # Errors
/// `bad-url`, `bad-method` and `bad-header`. No page fails.
pub fn respond<'a>(
    html: Html,
    url: &str,
    content_type: Option<&str>,
    method: &str,
    headers: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<Answer, Failure> {
    let url = &encoded(url);
    let page = tct::CUrl::parse_with(url, &tct::UrlPolicy::allowing_http())
        .map_err(|error| Failure::new("bad-url", error))?;
    let method: Method = method.parse().map_err(|error| Failure::new("bad-method", error))?;
    let mut request = HeaderMap::new();
    for (name, value) in headers {
        let name =
            HeaderName::from_bytes(name.as_bytes()).map_err(|error| Failure::new("bad-header", error))?;
        let value = HeaderValue::from_str(value).map_err(|error| Failure::new("bad-header", error))?;
        request.append(name, value);
    }
    // What the page is not asked for is not made.
    let markdown = match NegotiatedPage::wants_markdown(&request) {
        true => self::markdown(&html, &ExtractOptions { url: Some(url.to_owned()), ..Default::default() })?,
        false => String::new(),
    };
    let content_type = html.content_type(content_type).unwrap_or("text/html");
    let content_type =
        HeaderValue::from_str(content_type).map_err(|error| Failure::new("bad-header", error))?;
    let body = Bytes::from(html.bytes.unwrap_or_else(|| html.text.into_bytes()));
    let page = NegotiatedPage::new(Resource::of(body, content_type), markdown)
        .with_markdown_link(tct::link::link_canonical(&page));
    let (head, body) = page.respond(&method, &request).into_parts();
    let field = |(name, value): (&HeaderName, &HeaderValue)| {
        (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    Ok(Answer { status: head.status.as_u16(), headers: head.headers.iter().map(field).collect(), body })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str =
        "<title>Tea</title><nav>Home</nav><main><h1>Tea</h1><p>Green, <b>black</b>.</p></main>";

    fn page() -> Html {
        Html::of_text(PAGE.to_owned())
    }

    fn header<'a>(answer: &'a Answer, name: &str) -> Option<&'a str> {
        answer.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    #[test]
    fn text_is_not_decoded_again() {
        let html = Html::of_text("<meta charset=latin1><title>Café</title><p>Crème".to_owned());
        let content = extract(&html, &ExtractOptions::default()).unwrap();
        assert_eq!(content.title, "Café");
        let options = r#"{"url":"https://example.com/","version":"2.0"}"#;
        let json = document(&html, &serde_json::from_str(options).unwrap()).unwrap();
        assert!(json.contains("Café") && json.contains("Crème"), "{json}");
    }

    /// A decoder of two encodings, as the engine has one of all.
    fn decode(label: &str, bytes: &[u8]) -> Option<String> {
        match label {
            "utf-8" => Some(String::from_utf8_lossy(bytes).into_owned()),
            "iso-8859-1" | "windows-1252" => Some(bytes.iter().map(|&byte| char::from(byte)).collect()),
            _ => None,
        }
    }

    #[test]
    fn bytes_are_decoded_as_they_declare() {
        let read = |bytes: &[u8], content_type| {
            let html = Html::of_bytes(bytes.to_vec(), content_type, decode);
            let content = extract(&html, &ExtractOptions::default()).unwrap();
            (content.title, content.findings.iter().any(|finding| finding.code == "malformed-bytes"))
        };
        let cafe = ("Café".to_owned(), false);
        assert_eq!(read(b"<meta charset=iso-8859-1><title>Caf\xe9</title><p>a", None), cafe);
        assert_eq!(read(b"<title>Caf\xe9</title><p>a", None), cafe);
        assert_eq!(read(b"<title>Caf\xe9</title><p>a", Some("text/html; charset=ISO-8859-1")), cafe);
        assert_eq!(read("<title>Café</title><p>a".as_bytes(), None), cafe);
        assert_eq!(read("<meta charset=x-none><title>Café</title><p>a".as_bytes(), None), cafe);
        let broken = ("Caf\u{fffd}".to_owned(), true);
        assert_eq!(read(b"<meta charset=utf-8><title>Caf\xe9</title><p>a", None), broken);
    }

    #[test]
    fn a_document_of_each_version() {
        let crawl = r#"{"url":"https://example.com/tea","crawl":{"fetched_at":"2026-05-10T12:34:56Z","status_code":200,
            "render_mode":"static","fetch_duration_ms":12,"content_length":90,"user_agent":"AIWebIndex/1.0"}}"#;
        assert!(document(&page(), &serde_json::from_str(crawl).unwrap()).unwrap().contains("# Tea"));
        let bad = r#"{"url":"https://example.com/tea","crawl":{"fetched_at":"yesterday"}}"#;
        assert!(document(&page(), &serde_json::from_str(bad).unwrap()).is_err());
        let bad = r#"{"url":"https://example.com/tea","version":"3.0"}"#;
        assert_eq!(document(&page(), &serde_json::from_str(bad).unwrap()).unwrap_err().code, "bad-option");
    }

    #[test]
    fn one_url_in_two_forms() {
        let url = "https://example.com/tea";
        let html = respond(page(), url, None, "GET", [("accept", "text/html, */*;q=0.8")]).unwrap();
        assert_eq!((html.status, &html.body[..]), (200, PAGE.as_bytes()));
        let markdown =
            respond(page(), url, None, "GET", [("accept", "text/markdown, text/html;q=0.8")]).unwrap();
        assert_eq!(&markdown.body[..], b"# Tea\n\nGreen, **black**.");
        assert_eq!(header(&markdown, "vary"), header(&html, "vary"));
        assert_ne!(header(&markdown, "etag"), header(&html, "etag"));
        let tag = header(&markdown, "etag").unwrap();
        let again =
            respond(page(), url, None, "GET", [("accept", "text/markdown"), ("if-none-match", tag)]).unwrap();
        assert_eq!((again.status, again.body.len()), (304, 0));
        assert_eq!(header(&again, "vary"), header(&html, "vary"));
        assert_eq!(respond(page(), "tea", None, "GET", []).unwrap_err().code, "bad-url");
        // What browsers send as it is.
        for query in ["?a=`", "?a=^", "?a={b}|c", "?a=%5E", "?a='!"] {
            let url = format!("{url}{query}");
            let markdown = respond(page(), &url, None, "GET", [("accept", "text/markdown")]).unwrap();
            assert_eq!(markdown.status, 200, "{query}");
        }
    }
}
