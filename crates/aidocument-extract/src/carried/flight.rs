//! The elements of a page in Next's flight data: rows `id:value`, of which some are JSON. An element is `["$", type, key, props]`, a string that
//! begins with `$` stands for something else, such as `$L4` for what row 4 holds.

use std::collections::HashMap;

use aidocument::{Json, JsonDocument, JsonKind, JsonValue};

/// Elements that are not written, with all that is in them.
const LEFT_OUT: [&str; 14] = [
    "aside", "button", "dialog", "footer", "form", "iframe", "link", "meta", "nav", "noscript", "script",
    "style", "svg", "title",
];

const VOID: [&str; 5] = ["br", "hr", "img", "input", "wbr"];

/// Properties that are written, and the attributes that they are.
const ATTRIBUTES: [(&str, &str); 9] = [
    ("href", "href"),
    ("src", "src"),
    ("alt", "alt"),
    ("className", "class"),
    ("colSpan", "colspan"),
    ("rowSpan", "rowspan"),
    ("start", "start"),
    ("hidden", "hidden"),
    ("aria-hidden", "aria-hidden"),
];

/// Digits of the length of a text.
const MAX_DIGITS: usize = 8;

/// What a component shows in another state of the page.
const OTHER_STATES: [&str; 8] =
    ["error", "fallback", "forbidden", "globalError", "loading", "notFound", "template", "unauthorized"];

/// The HTML of the page's elements: of the article, if there is one, else of the main element, else of all.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Elements {
    pub(super) html: String,
    /// Whether they are marked as the page's text.
    pub(super) is_marked: bool,
}

/// The elements in flight data. Each row is written once, so `O(n)`.
pub(super) fn elements(rows: &str) -> Elements {
    let (texts, values) = parts(rows);
    let documents: Vec<(&str, JsonDocument<'_>)> =
        values.iter().map(|(id, value)| (*id, value.read())).collect();
    let values = documents.iter().map(|(id, document)| (*id, document.root())).collect();
    let mut writer = Writer { texts, values, ..Writer::default() };
    writer.write("0");
    writer.chosen()
}

/// The rows of text and those of JSON by their ids, of which the last row counts. A row of text has a length, the others
/// end with the line.
fn parts(mut rows: &str) -> (HashMap<&str, &str>, HashMap<&str, Json>) {
    let (mut texts, mut values) = (HashMap::new(), HashMap::new());
    while let Some((id, rest)) = rows.split_once(':') {
        // After a row that could not be read, the next line begins one.
        let id = id.rsplit('\n').next().unwrap_or_default();
        rows = match rest.strip_prefix('T').and_then(text_of_row) {
            Some((text, rest)) => {
                values.remove(id);
                texts.insert(id, text);
                rest
            }
            None => {
                let (value, rest) = rest.split_once('\n').unwrap_or((rest, ""));
                if let Ok(value) = Json::parse_last_of_repeated(value.as_bytes()) {
                    texts.remove(id);
                    values.insert(id, value);
                }
                rest
            }
        };
    }
    (texts, values)
}

/// The text of a row, and what follows it. Behind its `T`, a row has the length in hexadecimal digits, a comma and the text.
pub(super) fn text_of_row(row: &str) -> Option<(&str, &str)> {
    let comma = row.bytes().take(MAX_DIGITS + 1).position(|byte| byte == b',')?;
    let (length, text) = row.split_at_checked(comma)?;
    text.get(1..)?.split_at_checked(usize::from_str_radix(length, 16).ok()?)
}

/// What is still to be written.
enum Task<'a> {
    /// A value, and whether a string there is text.
    Value(JsonValue<'a>, bool),
    /// The end of an element, with the place where it began.
    End(String, usize),
}

#[derive(Default)]
struct Writer<'a> {
    /// The rows that are not written yet, by their ids.
    texts: HashMap<&'a str, &'a str>,
    values: HashMap<&'a str, JsonValue<'a>>,
    waiting: Vec<Task<'a>>,
    html: String,
    /// Where the first article and the first main element are.
    marked: [Option<(usize, usize)>; 2],
    articles: usize,
}

impl<'a> Writer<'a> {
    fn write(&mut self, row: &str) {
        let first = self.values.remove(row).map(|value| Task::Value(value, false));
        self.waiting.extend(first);
        while let Some(task) = self.waiting.pop() {
            let (value, is_text) = match task {
                Task::Value(value, is_text) => (value, is_text),
                Task::End(name, start) => {
                    self.end(&name, start);
                    continue;
                }
            };
            match value.kind() {
                JsonKind::String => {
                    let text = value.as_str().unwrap_or_default();
                    if let Some(id) = row_of(&text) {
                        let value = self.values.remove(id).map(|value| Task::Value(value, is_text));
                        self.waiting.extend(value);
                        let text = if is_text { self.texts.remove(id) } else { None };
                        push_text(&mut self.html, text.unwrap_or_default());
                    } else if is_text {
                        push_text(&mut self.html, literal(&text).unwrap_or_default());
                    }
                }
                JsonKind::Number if is_text => self.html.push_str(value.raw()),
                JsonKind::Array => {
                    let mut items = value.items();
                    if items.next().is_some_and(|first| first.is_str("$")) {
                        let name = items.next().and_then(|name| name.as_str()).unwrap_or_default();
                        if let Some(props) = items.nth(1) {
                            self.element(&name, props, is_text);
                        }
                    } else {
                        self.push_all(value.items().map(|item| Task::Value(item, is_text)));
                    }
                }
                JsonKind::Object => {
                    self.push_all(value.members().map(|(_, value)| Task::Value(value, false)))
                }
                _ => {}
            }
        }
    }

    /// Begins an element, and lets what is in it wait.
    fn element(&mut self, name: &str, props: JsonValue<'a>, is_text: bool) {
        if name.starts_with('$') {
            // A string in a component outside of all elements is a script's code.
            let shown = props.members().filter(|(name, _)| !OTHER_STATES.iter().any(|state| name.is(state)));
            self.push_all(shown.map(|(name, value)| Task::Value(value, is_text && name.is("children"))));
            return;
        }
        let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !is_name || LEFT_OUT.contains(&name) || (name == "header" && self.articles == 0) {
            return;
        }
        let start = self.html.len();
        let is_inside = !["html", "head", "body"].contains(&name);
        if is_inside {
            self.html.push('<');
            self.html.push_str(name);
            for (prop, attribute) in ATTRIBUTES {
                let Some(value) = props.get(prop) else { continue };
                let text = value.as_str();
                let text = match &text {
                    Some(text) => literal(text),
                    None if value.as_bool() == Some(false) || value.is_null() => None,
                    None => Some(value.raw()),
                };
                if let Some(text) = text {
                    self.html.push_str(&format!(" {attribute}=\""));
                    self.html.push_str(&text.replace('&', "&amp;").replace('"', "&quot;"));
                    self.html.push('"');
                }
            }
            self.html.push('>');
            if VOID.contains(&name) {
                return;
            }
            self.articles += usize::from(name == "article");
            self.waiting.push(Task::End(name.to_owned(), start));
        }
        if let Some(html) = props.get("dangerouslySetInnerHTML").and_then(|inner| inner.get("__html")) {
            let html = html.as_str().unwrap_or_default();
            let html = match row_of(&html) {
                Some(id) => self.texts.remove(id),
                None => literal(&html),
            };
            self.html.push_str(html.unwrap_or_default());
        }
        self.waiting.extend(props.get("children").map(|children| Task::Value(children, is_inside)));
    }

    /// Adds tasks so that the first is the next.
    fn push_all(&mut self, tasks: impl Iterator<Item = Task<'a>>) {
        let start = self.waiting.len();
        self.waiting.extend(tasks);
        if let Some(added) = self.waiting.get_mut(start..) {
            added.reverse();
        }
    }

    fn end(&mut self, name: &str, start: usize) {
        self.html.push_str(&format!("</{name}>"));
        let [article, main] = &mut self.marked;
        match name {
            "article" => article.get_or_insert((start, self.html.len())),
            "main" => main.get_or_insert((start, self.html.len())),
            _ => return,
        };
    }

    fn chosen(self) -> Elements {
        let [article, main] = self.marked;
        let marked = article.filter(|_| self.articles == 1).or(main);
        let html = marked.and_then(|(start, end)| self.html.get(start..end)).unwrap_or(&self.html);
        Elements { html: html.to_owned(), is_marked: marked.is_some() }
    }
}

/// The id of the row that a string stands for.
fn row_of(text: &str) -> Option<&str> {
    let id = text.strip_prefix('$')?;
    let id = id.strip_prefix(['L', '@']).unwrap_or(id);
    (!id.is_empty() && id.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(id)
}

/// The text that a string is, if it stands for nothing else.
fn literal(text: &str) -> Option<&str> {
    match text.strip_prefix('$') {
        Some(rest) => rest.starts_with('$').then_some(rest),
        None => Some(text),
    }
}

fn push_text(html: &mut String, text: &str) {
    html.push_str(&text.replace('&', "&amp;").replace('<', "&lt;"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(rows: &str) -> String {
        elements(rows).html
    }

    #[test]
    fn elements_are_written_with_what_their_rows_hold() {
        for (rows, expected) in [
            (
                r#"0:["$","p",null,{"children":["a ",["$","b",null,{"children":"b<"}]," ",3]}]"#,
                "<p>a <b>b&lt;</b> 3</p>",
            ),
            // References: to a row, a lazy one, and a text; each once.
            (
                "1:[\"$\",\"i\",null,{\"children\":\"$2\"}]\n2:T3,a&b0:[\"$\",\"p\",null,{\"children\":[\"$L1\",\"$1\",\"$9\"]}]\n",
                "<p><i>a&amp;b</i></p>",
            ),
            ("0:[\"$\",\"p\",null,{\"children\":[\"$$5\",\"$undefined\",\"$0\"]}]", "<p>$5</p>"),
            (
                "2:Ta,<p>Raw</p>0:[\"$\",\"div\",null,{\"dangerouslySetInnerHTML\":{\"__html\":\"$2\"}}]",
                "<div><p>Raw</p></div>",
            ),
            // Components show their children, and no other state.
            (
                "1:I[1,[],\"\"]\n0:[\"$\",\"p\",null,{\"children\":[\"$\",\"$L1\",null,{\"notFound\":[\"$\",\"i\",null,{\"children\":\"404\"}],\"title\":\"x\",\"children\":\"a\"}]}]",
                "<p>a</p>",
            ),
            // Strings outside of elements are no text.
            (
                r#"0:["$","body",null,{"children":[["$","$L1",null,{"id":"x","children":"let a"}],["$","p",null,{"children":"b"}]]}]"#,
                "<p>b</p>",
            ),
            (r#"0:{"c":["","post"],"f":[["__PAGE__",["$","p",null,{"children":"a"}]]]}"#, "<p>a</p>"),
            (
                r#"0:["$","img",null,{"src":"/a.png","alt":"A \"cup\"","onClick":"$F1","hidden":false}]"#,
                r#"<img src="/a.png" alt="A &quot;cup&quot;">"#,
            ),
            (
                r#"0:["$","td",null,{"colSpan":2,"children":["$","br",null,{}]}]"#,
                r#"<td colspan="2"><br></td>"#,
            ),
            (r#"0:["$","script x",null,{"children":"a"}]"#, ""),
            ("", ""),
            ("0:[\"$\"]", ""),
            ("x\n0:[\"$\",\"p\",null,{\"children\":\"a\"}]", "<p>a</p>"),
        ] {
            assert_eq!(html(rows), expected, "{rows}");
        }
    }

    #[test]
    fn the_article_is_chosen_or_the_main_element() {
        let element = |name: &str, inner: &str| format!(r#"["$","{name}",null,{{"children":[{inner}]}}]"#);
        let article = element("article", r#""a""#);
        let page = |inner: &str| {
            html(&format!("0:{}", element("body", &format!("{},{inner}", element("nav", r#""n""#)))))
        };
        assert_eq!(page(&element("main", &format!(r#""m",{article}"#))), "<article>a</article>");
        assert_eq!(
            page(&element("main", &format!("{article},{article}"))),
            "<main><article>a</article><article>a</article></main>"
        );
        assert_eq!(page(&element("p", r#""p""#)), "<p>p</p>");
        let header = element("header", r#""h""#);
        assert_eq!(
            page(&format!("{header},{}", element("article", &header))),
            "<article><header>h</header></article>"
        );
    }

    #[test]
    fn hostile_rows_take_linear_time_and_no_stack() {
        let many = 20_000;
        // A text that is referred to often, rows that lead to each other, and values too deep to be read.
        let text = "a ".repeat(many);
        let often = r#""$1","#.repeat(many);
        let rows = format!("1:T{:x},{text}0:[\"$\",\"p\",null,{{\"children\":[{often}0]}}]", text.len());
        assert!(html(&rows).len() < 2 * rows.len());
        let chain: String = (0..many)
            .map(|row| format!("{row:x}:[\"$\",\"p\",null,{{\"children\":\"$L{:x}\"}}]\n", row + 1))
            .collect();
        assert_eq!(html(&chain).matches("<p>").count(), many);
        assert_eq!(html("0:[\"$\",\"p\",null,{\"children\":\"$L1\"}]\n1:\"$L0\""), "<p></p>");
        assert_eq!(html(&format!("0:{}", "[".repeat(many))), "");
        assert_eq!(html(&"0:T,".repeat(many)), "");
        assert_eq!(html(&"0:Tffffffffff,".repeat(many)), "");
    }
}
