//! The elements of a page, in one list.
//!
//! Elements stand in the order of the page, each with the place behind its last descendant. End tags close up to the
//! element they name; `<p>`, `<li>`, `<dt>`, `<dd>` and `<option>` end where HTML says that they do. What only a tree
//! builder does (adoption, foster parents) is left out: nothing here asks about it, and this is linear. Past
//! [`MAX_DEPTH`] open elements start tags open nothing.

use std::collections::HashMap;
use std::mem;

use html5gum::emitters::callback::CallbackEvent;
use web_values::read_page;

const MAX_DEPTH: usize = 512;
const VOID: [&str; 13] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];
/// Start tags that end a paragraph.
const BLOCKS: [&str; 29] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "details",
    "div",
    "dl",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "ul",
    "menu",
];

#[derive(Debug)]
pub(crate) enum Node {
    Element(Element),
    Text(String),
}

#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
    parent: Option<usize>,
    /// The place behind its last descendant.
    end: usize,
}

impl Element {
    /// The value of an attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn has_role(&self, role: &str) -> bool {
        self.attribute("role").is_some_and(|found| found.trim().eq_ignore_ascii_case(role))
    }
}

/// A page's elements and texts.
#[derive(Debug, Default)]
pub(crate) struct Tree(Vec<Node>);

#[derive(Default)]
struct Builder {
    tree: Tree,
    open: Vec<usize>,
    /// How many elements of a name are open, so that an end tag of none costs nothing.
    counts: HashMap<String, usize>,
}

impl Tree {
    pub(crate) fn parse(html: &str) -> Self {
        let mut builder = Builder::default();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (mut name, mut attributes) = (String::new(), Vec::new());
        let _: Vec<()> = read_page(html.as_bytes(), |event, _| {
            match event {
                CallbackEvent::OpenStartTag { name: found } => name = text(found),
                CallbackEvent::AttributeName { name } => attributes.push((text(name), String::new())),
                CallbackEvent::AttributeValue { value: found } => {
                    if let Some((_, value)) = attributes.last_mut() {
                        *value = text(found);
                    }
                }
                CallbackEvent::CloseStartTag { self_closing } => {
                    builder.start(mem::take(&mut name), mem::take(&mut attributes), self_closing);
                }
                CallbackEvent::EndTag { name } => builder.end(&text(name)),
                CallbackEvent::String { value } => builder.tree.0.push(Node::Text(text(value))),
                _ => {}
            }
            None
        });
        builder.close_to(0);
        builder.tree
    }

    /// The element at a place.
    pub(crate) fn element(&self, at: usize) -> Option<&Element> {
        match self.0.get(at)? {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        }
    }

    /// The places within an element, itself left out; the whole page for `None`.
    pub(crate) fn within(&self, at: Option<usize>) -> std::ops::Range<usize> {
        match at {
            Some(at) => at + 1..self.element(at).map_or(at + 1, |element| element.end),
            None => 0..self.0.len(),
        }
    }

    /// The elements among these places that `is` holds for, with their places.
    pub(crate) fn find(
        &self,
        places: std::ops::Range<usize>,
        is: impl Fn(&Element) -> bool,
    ) -> impl Iterator<Item = (usize, &Element)> {
        let found = places.filter_map(|at| Some((at, self.element(at)?)));
        found.filter(move |(_, element)| is(element))
    }

    /// The first element of a name.
    pub(crate) fn first(&self, name: &str) -> Option<usize> {
        self.find(0..self.0.len(), |element| element.name == name).next().map(|(at, _)| at)
    }

    pub(crate) fn parent(&self, at: usize) -> Option<usize> {
        self.element(at)?.parent
    }

    /// The places among these that are not in an element that `is_cut` holds for, the element itself included.
    pub(crate) fn without(
        &self,
        places: std::ops::Range<usize>,
        is_cut: impl Fn(&Element) -> bool,
    ) -> Vec<usize> {
        let mut kept = Vec::new();
        let mut at = places.start;
        while at < places.end {
            match self.element(at) {
                Some(element) if is_cut(element) => at = element.end.max(at + 1),
                _ => {
                    kept.push(at);
                    at += 1;
                }
            }
        }
        kept
    }

    /// The text at these places.
    pub(crate) fn text_of(&self, places: impl IntoIterator<Item = usize>) -> String {
        let texts = places.into_iter().filter_map(|at| match self.0.get(at)? {
            Node::Text(text) => Some(text.as_str()),
            Node::Element(_) => None,
        });
        texts.collect()
    }

    /// An element as HTML.
    pub(crate) fn outer_html(&self, at: usize) -> String {
        let mut html = String::new();
        let mut open: Vec<usize> = Vec::new();
        let range = at..self.within(Some(at)).end;
        for place in range.clone() {
            while let Some(last) = open.last().copied().filter(|last| self.within(Some(*last)).end <= place) {
                self.write_end(last, &mut html);
                open.pop();
            }
            match self.0.get(place) {
                Some(Node::Text(text)) => {
                    let is_raw = open.last().and_then(|last| self.element(*last));
                    match is_raw.is_some_and(|last| matches!(last.name.as_str(), "script" | "style")) {
                        true => html.push_str(text),
                        false => escape(text, &mut html),
                    }
                }
                Some(Node::Element(element)) => {
                    html.push('<');
                    html.push_str(&element.name);
                    for (name, value) in &element.attributes {
                        html.push(' ');
                        html.push_str(name);
                        html.push_str("=\"");
                        escape(value, &mut html);
                        html.push('"');
                    }
                    html.push('>');
                    if !VOID.contains(&element.name.as_str()) {
                        open.push(place);
                    }
                }
                None => break,
            }
        }
        for last in open.into_iter().rev() {
            self.write_end(last, &mut html);
        }
        html
    }

    fn write_end(&self, at: usize, html: &mut String) {
        if let Some(element) = self.element(at) {
            html.push_str("</");
            html.push_str(&element.name);
            html.push('>');
        }
    }

    /// What relative addresses of the page are relative to.
    pub(crate) fn base(&self, page: &url::Url) -> url::Url {
        let base = self.first("base").and_then(|at| self.element(at)?.attribute("href"));
        let base = base.and_then(|href| page.join(href).ok());
        base.filter(|base| matches!(base.scheme(), "http" | "https")).unwrap_or_else(|| page.clone())
    }
}

fn escape(text: &str, html: &mut String) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            c => html.push(c),
        }
    }
}

impl Builder {
    fn start(&mut self, name: String, attributes: Vec<(String, String)>, is_self_closing: bool) {
        match name.as_str() {
            "li" => self.close_within(&["li"], &["ul", "ol", "menu"]),
            "dt" | "dd" => self.close_within(&["dt", "dd"], &["dl"]),
            "option" => self.close_within(&["option"], &["select", "datalist"]),
            "tr" => self.close_within(&["tr"], &["table"]),
            "td" | "th" => self.close_within(&["td", "th"], &["tr", "table"]),
            _ => {}
        }
        if BLOCKS.contains(&name.as_str()) {
            self.close_within(&["p"], &["button", "table", "template", "td", "th"]);
        }
        let at = self.tree.0.len();
        let is_foreign = ["svg", "math"].iter().any(|name| self.is_open(name));
        let is_leaf = VOID.contains(&name.as_str())
            || (is_self_closing && (is_foreign || matches!(name.as_str(), "svg" | "math")))
            || self.open.len() >= MAX_DEPTH;
        let parent = self.open.last().copied();
        if !is_leaf {
            *self.counts.entry(name.clone()).or_default() += 1;
            self.open.push(at);
        }
        self.tree.0.push(Node::Element(Element { name, attributes, parent, end: at + 1 }));
    }

    fn is_open(&self, name: &str) -> bool {
        self.counts.get(name).is_some_and(|count| *count > 0)
    }

    fn end(&mut self, name: &str) {
        if self.is_open(name) {
            self.close_within(&[name], &[]);
        }
    }

    /// Closes up to the innermost of `names`, unless one of `walls` is further in.
    fn close_within(&mut self, names: &[&str], walls: &[&str]) {
        if !names.iter().any(|name| self.is_open(name)) {
            return;
        }
        for depth in (0..self.open.len()).rev() {
            let name = self.open.get(depth).and_then(|at| Some(self.tree.element(*at)?.name.as_str()));
            match name {
                Some(name) if names.contains(&name) => return self.close_to(depth),
                Some(name) if walls.contains(&name) => return,
                _ => {}
            }
        }
    }

    fn close_to(&mut self, depth: usize) {
        let end = self.tree.0.len();
        for at in self.open.split_off(depth.min(self.open.len())) {
            if let Some(Node::Element(element)) = self.tree.0.get_mut(at) {
                element.end = end;
                if let Some(count) = self.counts.get_mut(&element.name) {
                    *count -= 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_hides_nothing_of_the_page() {
        for image in ["<svg><title/></svg>", "<svg><style/><path/></svg>", "<svg><script/></svg>"] {
            let tree = Tree::parse(&format!("<body>{image}<p class=x CLASS=y>a"));
            let p = tree.first("p").and_then(|at| tree.element(at)).unwrap_or_else(|| panic!("{image}"));
            assert_eq!((p.attribute("class"), tree.text_of(tree.within(None)).as_str()), (Some("x"), "a"));
        }
    }

    #[test]
    fn elements_end_where_html_ends_them() {
        let tree = Tree::parse(
            "<body><p>a<div><ul><li>b<li>c <b>d</ul>e</div><script>if (a < b) '<p>'</script><p>f",
        );
        let texts = |name: &str| -> Vec<String> {
            let found = tree.find(tree.within(None), |element| element.name == name);
            found.map(|(at, _)| tree.text_of(tree.within(Some(at)))).collect()
        };
        assert_eq!(texts("p"), ["a", "f"]);
        assert_eq!(texts("li"), ["b", "c d"]);
        assert_eq!(texts("div"), ["bc de"]);
        let div = tree.first("div").unwrap();
        assert_eq!(tree.outer_html(div), "<div><ul><li>b</li><li>c <b>d</b></li></ul>e</div>");
    }

    #[test]
    fn hostile_nesting_stays_linear() {
        let deep = "<div>".repeat(200_000) + &"</p></div>".repeat(200_000);
        assert_eq!(Tree::parse(&deep).0.len(), 200_000);
    }
}
