//! The text that a page without text of its own carries as data for its script: Next's `__NEXT_DATA__` and flight data, Nuxt, Remix,
//! Apollo, Discourse, Inertia.
//!
//! The data have no common schema, so an article's body is told by its shape: a long member that is HTML or that is named as a body,
//! best in an object with the page's title. One pass over the data notes strings with the path of member names to them; strings of one
//! path are one text, as the posts of a thread or the paragraphs of a document. Elements of flight data are written as HTML.

mod flight;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use aidocument::{Json, JsonKind, JsonValue};

use crate::letters::{self, without_tags};
use crate::tree::{Tag, Tree};
use crate::words::list::words;

/// Words of a body, and of one in an object without the page's title: a description and an author's life are shorter.
const LEAST: usize = 50;
const LEAST_UNTITLED: usize = 150;

/// Words that the strings of a body have in the mean.
const SENTENCE: usize = 5;

/// Data in a string of data is read as well, to this depth.
const MAX_NESTED: u8 = 3;

/// How many times as long as the data what references lead to may be.
const MOST_REPEATED: usize = 4;

/// Objects around a string that are asked for a title.
const MAX_CLIMB: usize = 12;

/// Attributes of the element that a script fills are data from this length on.
const DATA: usize = 500;

/// Member names of bodies, in lower case and without signs.
const BODIES: [&str; 14] = words(
    "articlebody body bodyhtml content contenthtml cooked html htmlbody htmlcontent postcontent rendered \
    story text value",
);

/// Member names of titles.
const TITLES: [&str; 3] = ["title", "headline", "heading"];

/// Member names of lists of runs of text in one line.
const INLINE: [&str; 2] = ["children", "content"];

/// What a page carries: a body as HTML, and the name of its member.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Carried {
    pub(crate) html: String,
    pub(crate) words: u32,
}

/// The body in a page's data. `O(n)`.
pub(crate) fn body(html: &str, title: &str, is_article: bool) -> Option<Carried> {
    let tree = Tree::parse_with_scripts(html);
    let title: Vec<String> = words_of(title);
    let mut reader = Reader { title, containers: Vec::new(), strings: Vec::new() };
    let mut flight = String::new();
    for (id, tag) in tree.elements() {
        if tag != Tag::Script {
            let data =
                tree.attributes(id).filter(|(name, value)| name.starts_with("data-") && value.len() >= DATA);
            for (_, value) in data.filter(|(_, value)| value.starts_with(['{', '['])) {
                reader.read(value);
            }
            continue;
        }
        let text = tree.first_child(id).and_then(|child| tree.text(child)).unwrap_or_default().trim_start();
        if let Some(pushed) = text.strip_prefix("self.__next_f.push(") {
            // Rows go on from one push to the next.
            let literal = pushed.find('"').and_then(|start| literal_at(pushed, start));
            flight.push_str(&literal.and_then(decoded).unwrap_or_default());
        } else if tree.attr(id, "id") == Some("__NUXT_DATA__") || tree.attr(id, "data-nuxt-data").is_some() {
            reader.read_references(text);
        } else if is_data(tree.attr(id, "type").unwrap_or_default(), text) {
            reader.read(text);
        }
    }
    reader.read(&flight);
    let read = reader.best(is_article);
    let elements = flight::elements(&flight);
    let words = words_in(&elements.html);
    let least = if elements.is_marked { LEAST } else { LEAST_UNTITLED };
    // A component may have most of the text as data.
    if words < least || read.as_ref().is_some_and(|read| 2 * words < read.words as usize) {
        return read;
    }
    Some(Carried { html: elements.html, words: u32::try_from(words).unwrap_or(u32::MAX) })
}

/// How many words HTML has.
fn words_in(html: &str) -> usize {
    without_tags(html).map(|text| letters::words(text).count()).sum()
}

/// Whether a script holds data: JSON that is not linked data, or assigned to a member with the name of a framework's state.
fn is_data(kind: &str, text: &str) -> bool {
    let has = |name: &str| memchr::memmem::find(text.as_bytes(), name.as_bytes()).is_some();
    (kind.ends_with("json") && !kind.ends_with("ld+json"))
        || (["", "module", "text/javascript"].contains(&kind) && (has("window.__") || has("self.__")))
}

/// An object or array.
#[derive(Debug, Clone, Copy)]
struct Container {
    parent: usize,
    is_array: bool,
    /// Hash of the member names on the way to it.
    path: u64,
    /// The name of the member that it is.
    name: u64,
    /// Whether a member is the page's title, or another one.
    is_titled: Option<bool>,
}

/// A string that may be a part of a body.
#[derive(Debug)]
struct Piece {
    container: usize,
    path: u64,
    is_named: bool,
    is_html: bool,
    words: usize,
    text: String,
}

/// The strings of one path.
struct Group<'a> {
    /// Whether they are in an object with the page's title.
    is_titled: bool,
    is_named: bool,
    words: usize,
    pieces: Vec<&'a Piece>,
}

impl Group<'_> {
    fn is_body(&self, is_article: bool) -> bool {
        let longest = self.pieces.iter().map(|piece| piece.words).max().unwrap_or_default();
        // Many texts may be a list of other pages.
        let is_one = self.is_titled || is_article || 2 * longest >= self.words;
        let least = if self.is_titled { LEAST } else { LEAST_UNTITLED };
        // Labels have fewer words than sentences.
        is_one && self.words >= least.max(SENTENCE * self.pieces.len())
    }
}

struct Reader {
    /// The words of the page's title.
    title: Vec<String>,
    containers: Vec<Container>,
    strings: Vec<Piece>,
}

impl Reader {
    /// Reads data: JSON, an object in JavaScript, rows of flight data. What is none of it has no strings with names.
    fn read(&mut self, data: &str) {
        let mut waiting = vec![(Cow::Borrowed(data), 0)];
        while let Some((data, depth)) = waiting.pop() {
            let nested = self.read_one(&data);
            if depth < MAX_NESTED {
                waiting.extend(nested.into_iter().rev().map(|data| (Cow::Owned(data), depth + 1)));
            }
        }
    }

    /// Reads data; gives the data in its strings.
    fn read_one(&mut self, data: &str) -> Vec<String> {
        let mut nested = Vec::new();
        let root = self.root();
        let (mut open, mut name, mut at) = (root, "", 0);
        let bytes = data.as_bytes();
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'"' => {
                    let Some(literal) = literal_at(data, at) else { break };
                    at += literal.len();
                    if is_name(data, at) {
                        name = literal.trim_matches('"');
                    } else {
                        self.string(open, name, literal, &mut nested);
                        name = "";
                    }
                    continue;
                }
                b'{' | b'[' => {
                    open = self.open(open, name, byte == b'[');
                    name = "";
                }
                b'}' | b']' if open != root => {
                    open = self.containers.get(open).map_or(root, |container| container.parent);
                    name = "";
                }
                b',' => name = "",
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => {
                    let rest = data.get(at..).unwrap_or_default();
                    let end = rest
                        .bytes()
                        .position(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'$'));
                    let word = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
                    at += word.len();
                    if is_name(data, at) {
                        name = word;
                    }
                    continue;
                }
                b':' if bytes.get(at + 1) == Some(&b'T') && open == root => {
                    let row = data.get(at + 2..).unwrap_or_default();
                    if let Some((text, rest)) = flight::text_of_row(row) {
                        self.add(open, "", text.to_owned());
                        at = data.len() - rest.len();
                        continue;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        nested
    }

    /// Reads data of Nuxt 3: an array of all values, in which arrays and objects have the places of theirs. What an array with a name
    /// in front holds, such as `["Reactive", 1]`, is read as if it were there itself. Arrays and objects are read once, texts again while
    /// they are short beside the data.
    fn read_references(&mut self, data: &str) {
        let Ok(json) = Json::parse_last_of_repeated(data.as_bytes()) else { return };
        let document = json.read();
        let values: Vec<JsonValue<'_>> = document.root().items().collect();
        let root = self.root();
        let mut is_read = vec![false; values.len()];
        let mut budget = MOST_REPEATED.saturating_mul(data.len());
        let mut waiting = vec![(0, root, Cow::Borrowed(""))];
        let mut nested = Vec::new();
        while let Some((place, container, name)) = waiting.pop() {
            let Some((value, is_read)) = values.get(place).zip(is_read.get_mut(place)) else { continue };
            let start = waiting.len();
            let place_of = |value: JsonValue<'_>| usize::try_from(value.as_u64()?).ok();
            match value.kind() {
                JsonKind::String if value.raw().len() <= budget => {
                    budget -= value.raw().len();
                    self.string(container, &name, value.raw(), &mut nested);
                }
                JsonKind::Object if !*is_read => {
                    let inside = self.open(container, &name, false);
                    let members = value.members();
                    waiting.extend(
                        members.filter_map(|(name, value)| Some((place_of(value)?, inside, name.as_str()))),
                    );
                }
                JsonKind::Array if !*is_read => {
                    let is_named = value.items().next().is_some_and(|first| first.kind() == JsonKind::String);
                    let inside = if is_named { container } else { self.open(container, &name, true) };
                    let name = if is_named { name } else { Cow::Borrowed("") };
                    waiting.extend(
                        value.items().filter_map(|value| Some((place_of(value)?, inside, name.clone()))),
                    );
                }
                _ => {}
            }
            *is_read = true;
            if let Some(added) = waiting.get_mut(start..) {
                added.reverse();
            }
        }
        for data in nested {
            self.read(&data);
        }
    }

    /// A container that is in no other.
    fn root(&mut self) -> usize {
        let root = self.containers.len();
        self.containers.push(Container { parent: root, is_array: false, path: 0, name: 0, is_titled: None });
        root
    }

    fn open(&mut self, parent: usize, name: &str, is_array: bool) -> usize {
        let around = self.containers.get(parent).copied();
        let (path, around_name) = around.map_or((0, 0), |around| (around.path, around.name));
        let hash = if name.is_empty() { around_name } else { hash_of(name) };
        // Documents in documents are one text.
        let is_same = name.is_empty() || hash == around_name;
        let path = if is_same { path } else { (path ^ hash).wrapping_mul(0x0100_0000_01b3) };
        self.containers.push(Container { parent, is_array, path, name: hash, is_titled: None });
        self.containers.len() - 1
    }

    fn string(&mut self, open: usize, name: &str, literal: &str, nested: &mut Vec<String>) {
        if TITLES.contains(&name) {
            let is_it = decoded(literal).is_some_and(|text| self.is_title(&text));
            if let Some(container) = self.containers.get_mut(open) {
                container.is_titled = Some(is_it || container.is_titled == Some(true));
            }
            return;
        }
        let Some(text) = decoded(literal) else { return };
        if text.len() > LEAST && text.starts_with(['{', '[']) && text.contains('"') {
            nested.push(text);
        } else {
            self.add(open, name, text);
        }
    }

    fn add(&mut self, container: usize, name: &str, text: String) {
        let letters = name.bytes().filter(u8::is_ascii_alphabetic).map(|byte| byte.to_ascii_lowercase());
        let is_named = BODIES.iter().any(|known| letters.clone().eq(known.bytes()));
        let is_html = ["</p>", "</h2>", "</li>", "</div>", "<br"].iter().any(|tag| text.contains(tag));
        // An address has no spaces.
        let is_body = is_named && (is_html || text.trim().contains(' '));
        let words = if is_body || is_html { words_in(&text) } else { 0 };
        if words > 0 && (is_body || words >= LEAST) {
            let path = self.containers.get(container).map_or(0, |container| container.path);
            self.strings.push(Piece {
                container,
                path: path ^ hash_of(name),
                is_named,
                is_html,
                words,
                text,
            });
        }
    }

    fn is_title(&self, text: &str) -> bool {
        let words = words_of(text);
        let least = words.len().min(self.title.len());
        least > 0
            && (least > 1 || words.len() == self.title.len())
            && words.iter().zip(&self.title).all(|(a, b)| a == b)
    }

    /// Whether the nearest object around a string that has a title has the page's.
    fn is_titled(&self, piece: &Piece) -> bool {
        let mut at = piece.container;
        for _ in 0..MAX_CLIMB {
            let Some(container) = self.containers.get(at) else { break };
            if let Some(is_titled) = container.is_titled {
                return is_titled;
            }
            at = container.parent;
        }
        false
    }

    /// The text of the path that is most likely the body.
    fn best(mut self, is_article: bool) -> Option<Carried> {
        let strings = std::mem::take(&mut self.strings);
        let mut groups: Vec<Group<'_>> = Vec::new();
        let mut places: HashMap<(u64, bool), usize> = HashMap::new();
        let mut seen: HashSet<(u64, &str)> = HashSet::new();
        for piece in strings.iter().filter(|piece| seen.insert((piece.path, &piece.text))) {
            let is_titled = self.is_titled(piece);
            let place = *places.entry((piece.path, is_titled)).or_insert(groups.len());
            if place == groups.len() {
                groups.push(Group { is_titled, is_named: piece.is_named, words: 0, pieces: Vec::new() });
            }
            if let Some(group) = groups.get_mut(place) {
                group.words += piece.words;
                group.pieces.push(piece);
            }
        }
        let bodies = groups.into_iter().filter(|group| group.is_body(is_article));
        let best = bodies.max_by_key(|group| (group.is_titled, group.is_named, group.words))?;
        Some(Carried {
            html: self.html_of(&best.pieces),
            words: u32::try_from(best.words).unwrap_or(u32::MAX),
        })
    }

    /// The HTML of strings, of which some may be plain text.
    fn html_of(&self, pieces: &[&Piece]) -> String {
        let mut html = String::new();
        let mut line = None;
        for piece in pieces {
            if piece.is_html {
                html.push_str(&piece.text);
                html.push('\n');
                line = None;
                continue;
            }
            let around = self.containers.get(piece.container).map(|container| container.parent);
            let list = around.filter(|&list| {
                let container = self.containers.get(list);
                container.is_some_and(|container| {
                    container.is_array && INLINE.iter().any(|name| hash_of(name) == container.name)
                })
            });
            if line.is_none() || list != line {
                html.push_str("<p>");
            }
            line = list;
            let text = piece.text.replace('&', "&amp;").replace('<', "&lt;");
            html.push_str(&text.replace("\n\n", "<p>").replace('\n', "<br>"));
        }
        html
    }
}

/// The string in double quotes that begins at a place.
fn literal_at(data: &str, start: usize) -> Option<&str> {
    let mut at = start + 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', data.as_bytes().get(at..)?)?;
        if data.as_bytes().get(at) == Some(&b'"') {
            return data.get(start..=at);
        }
        at += 2;
    }
}

fn decoded(literal: &str) -> Option<String> {
    let json = Json::parse_last_of_repeated(literal.as_bytes()).ok()?;
    json.read().root().as_str().map(Cow::into_owned)
}

/// Whether the text before a place is the name of a member.
fn is_name(data: &str, at: usize) -> bool {
    let mut rest = data.as_bytes().iter().skip(at).skip_while(|byte| byte.is_ascii_whitespace());
    rest.next() == Some(&b':')
}

fn hash_of(name: &str) -> u64 {
    name.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn words_of(text: &str) -> Vec<String> {
    letters::words(text).take(40).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The body in the data of a page called "Of tea".
    fn read(page: &str) -> Option<String> {
        body(page, "Of tea", true).map(|body| body.html.trim().replace("word ", ""))
    }

    /// The same of data in which each `@` is eighty words.
    fn json(data: &str) -> Option<String> {
        read(&format!("<script type=application/json>{}</script>", data.replace('@', &"word ".repeat(80))))
    }

    #[test]
    fn bodies_are_told_by_their_shape() {
        for (data, expected) in [
            // HTML of any name, text by its name.
            (r#"{"props":{"post":{"title":"Of tea","intro":"<p>@Tea</p>"}}}"#, Some("<p>Tea</p>")),
            (r#"{"props":{"post":{"title":"Of tea","intro":"@Tea"}}}"#, None),
            (
                r#"{"props":{"post":{"title":"Of tea","body":"@Tea\n\n@a<b\nc"}}}"#,
                Some("<p>Tea<p>a&lt;b<br>c"),
            ),
            (r#"{"data":"{\"title\":\"Of tea\",\"body\":\"@Tea\"}"}"#, Some("<p>Tea")),
            // The one with the page's title, wherever that is; else the longest.
            (r#"[{"body":"@@Milk"},{"body":"@Tea","title":"Of tea"}]"#, Some("<p>Tea")),
            (r#"[{"body":"@@@Milk","title":"Milk"},{"text":"@@Tea"}]"#, Some("<p>Milk")),
            (r#"{"text":"@@Tea","body":"@@@Milk"}"#, Some("<p>Milk")),
            (r#"{"intro":"<p>@@@Milk</p>","body":"@@Tea"}"#, Some("<p>Tea")),
            // Too short, labels, addresses.
            (r#"{"body":"@Tea"}"#, None),
            (r#"{"title":"Of tea","body":"a few words"}"#, None),
            // Posts of a thread, paragraphs and runs of a document; what is there twice counts once.
            (
                r#"{"title":"Of tea","posts":[{"cooked":"<p>@A</p>"},{"cooked":"<p>@B</p>"},{"cooked":"<p>@A</p>"}]}"#,
                Some("<p>A</p>\n<p>B</p>"),
            ),
            (
                r#"{"title":"Of tea","doc":{"content":[{"content":[{"text":"@A "},{"text":"@B"}]},{"content":[{"text":"@C"}]}]}}"#,
                Some("<p>A B<p>C"),
            ),
        ] {
            assert_eq!(json(data).as_deref(), expected, "{data}");
        }
        let labels = format!("[{}]", r#"{"text":"a word"},"#.repeat(99).trim_end_matches(','));
        assert_eq!(json(&labels), None);
        assert_eq!(json(&labels.replace("a word", "a word or two of it")), None, "the same twice");
    }

    #[test]
    fn data_come_in_many_ways() {
        let half = "word ".repeat(100);
        let words = half.repeat(2);
        for page in [
            format!(
                r#"<script>window.__NUXT__=(function(a){{return {{post:{{body:"{words}Tea",n:a}}}}}}(1));</script>"#
            ),
            format!(r#"<script>window.__APOLLO_STATE__ = {{"Post:1": {{"body": "{words}Tea"}}}};</script>"#),
            format!(r#"<div id=root data-page='{{"body":"{words}Tea"}}'></div>"#),
            format!(r#"<script type=application/json>[{{"a":1}},"<p>{words}Tea</p>"]</script>"#),
            // 3 and 1,000 and 7 bytes; rows go on from one push to the next.
            format!(
                r#"<script>self.__next_f.push([1,"1:[]\n2:T3f2,<p>{half}"])</script>
                <script>self.__next_f.push([1,"{half}Tea</p>3:{{}}"])</script>"#
            ),
        ] {
            let found = read(&page).unwrap_or_default();
            assert!(["<p>Tea", "<p>Tea</p>"].contains(&found.as_str()), "{found:?} {page}");
        }
        for page in [
            // Linked data are given as such; a script that is no state may hold anything.
            format!(r#"<script type=application/ld+json>{{"articleBody":"{words}Tea"}}</script>"#),
            format!(r#"<script>let x = {{"body":"{words}Tea"}}</script>"#),
            format!(r#"<script type=application/json>{{"body":"{words}"#),
        ] {
            assert_eq!(read(&page), None, "{page}");
        }
    }

    #[test]
    fn places_of_values_are_followed() {
        let page = |data: &str| {
            read(&format!(
                "<script id=__NUXT_DATA__ type=application/json>{}</script>",
                data.replace('@', &"word ".repeat(80))
            ))
        };
        for (data, expected) in [
            // A title that two objects share, names in front of places, members in their order.
            (
                r#"[["ShallowReactive",1],{"seo":2,"post":3},{"title":5},["Reactive",4],{"title":5,"body":6},"Of tea","<p>@Tea</p>"]"#,
                Some("<p>Tea</p>"),
            ),
            (
                r#"[{"list":1},[2,3],{"title":4,"text":5},{"title":6,"text":7},"Milk","@@Milk","Of tea","@Tea"]"#,
                Some("<p>Tea"),
            ),
            (
                r#"[{"title":3,"posts":1},[4,5],0,"Of tea",{"cooked":6},{"cooked":7},"<p>@A</p>","<p>@B</p>"]"#,
                Some("<p>A</p>\n<p>B</p>"),
            ),
            // Names of the members are not next to their texts, so all texts alone are none.
            (r#"[{"a":1},"@Tea"]"#, None),
            (r#"[["Ref",0],"@Tea"]"#, None),
            (r#"[[0,0,-1,9,1.5,"x"],{"a":1}]"#, None),
        ] {
            assert_eq!(page(data).as_deref(), expected, "{data}");
        }
        // A long text to which many places lead.
        let many = format!("[[{}1],\"{}\"]", "1,".repeat(20_000), "<p>word</p>".repeat(20_000));
        assert!(page(&many).is_some());
    }

    #[test]
    fn elements_of_flight_data_are_read() {
        let page = |least: usize, beside: &str| {
            let words = "word ".repeat(least);
            let rows = format!(
                "0:[\"$\",\"main\",null,{{\"children\":[[\"$\",\"h1\",null,{{\"children\":\"Of tea\"}}],\"$L1\"]}}]\n{beside}1:[\"$\",\"p\",null,{{\"children\":\"{words}Tea\"}}]\n"
            );
            read(&format!("<script>self.__next_f.push([1,{}])</script>", serde_json::json!(rows)))
        };
        assert_eq!(page(50, "").as_deref(), Some("<main><h1>Of tea</h1><p>Tea</p></main>"));
        assert_eq!(page(40, ""), None);
        // A component that has the text as data.
        let data = format!("3:{{\"title\":\"Of tea\",\"body\":\"{}Milk\"}}\n", "word ".repeat(200));
        assert_eq!(page(50, &data).as_deref(), Some("<p>Milk"));
        assert_eq!(page(150, &data).as_deref(), Some("<main><h1>Of tea</h1><p>Tea</p></main>"));
    }

    #[test]
    fn many_texts_without_the_title_are_a_body_only_on_an_article() {
        let text = |word: &str| format!(r#"{{"body":"{}"}}"#, format!("{word} ").repeat(60));
        let data = ["tea", "milk", "salt"].map(text).join(",");
        let page = format!("<script type=application/json>[{data}]</script>");
        assert!(body(&page, "Of tea", true).is_some());
        assert_eq!(body(&page, "Of tea", false), None);
    }
}
