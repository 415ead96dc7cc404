//! Blocks of code: fences longer than any in the code, white space unchanged, the language if it is known.

use super::lines::{Container, NO_DEFINITION};
use super::{Writer, escape};
use crate::code::{Code, boxes, declaration};
use crate::tree::{NodeId, Step, Tag, Tree};
use crate::visibility::is_unseen;

/// Most ancestors of a block of code that are searched for its language.
const MAX_AROUND: usize = 4;

/// Classes of an element that are looked at for a language.
const MAX_CLASSES: usize = 32;

impl Writer<'_> {
    /// Writes an element that is code: a heading keeps its level, an item its list.
    pub(super) fn code(&mut self, id: NodeId, tag: Tag, kind: Code) {
        self.end_block();
        if let Some(level) = tag.heading_level() {
            let (text, _) = declaration::text_of(self.tree, id).unwrap_or_default();
            self.heading = Some(level);
            self.inline.open_code();
            self.inline.text(&text);
            self.inline.close_code();
            self.end_block();
            self.heading = None;
            return;
        }
        if tag == Tag::Li {
            self.open_item();
        }
        self.code_block(id, kind);
        if tag == Tag::Li {
            self.unnest();
        }
    }

    /// Writes an element as a fenced block of code.
    pub(super) fn code_block(&mut self, id: NodeId, kind: Code) {
        if !self.selection.has(id) || boxes::is_gutter(self.tree, id) {
            return;
        }
        let code = lines(self.tree, id, kind);
        // To Markdown a carriage return ends a line too, which would stand outside of the containers.
        let code = code.replace("\r\n", "\n").replace('\r', "\n");
        let code = code.strip_suffix('\n').unwrap_or(&code);
        let as_it_is = self.selection.is_whole().then(|| written_language(self.tree, id)).flatten();
        let of_generator = || (kind == Code::Declaration).then(|| declaration::language(self.tree)).flatten();
        let language = as_it_is.or_else(|| language(self.tree, id)).or_else(of_generator).unwrap_or_default();
        let ticks = longest_run(code, b'`');
        let fence = if language.contains('`') {
            "~".repeat(3.max(longest_run(code, b'~') + 1))
        } else {
            "`".repeat(3.max(ticks + 1))
        };
        let mut info = String::new();
        escape::push_text(&mut info, &language, None, escape::Place::default());
        if self.containers.iter().any(|container| matches!(container, Container::Note { fresh: true, .. })) {
            // To readers without footnotes, lines right behind a note's first are of its paragraph, and not code.
            self.line(NO_DEFINITION, true);
        }
        self.line(&format!("{fence}{info}"), true);
        if !code.is_empty() {
            for line in code.split('\n') {
                self.verbatim(line);
            }
        }
        self.line(&fence, false);
        self.plain(code.trim_matches('\n'));
    }

    /// Writes a line of code with its white space unchanged.
    fn verbatim(&mut self, line: &str) {
        self.line("", false);
        if !line.is_empty() {
            let out = &mut self.out.markdown;
            out.pop();
            let start = out.rfind('\n').map_or(0, |at| at + 1);
            out.truncate(start);
            for container in self.containers.iter().filter(|_| !self.bare) {
                match container {
                    Container::Quote { .. } => out.push_str("> "),
                    Container::Item { marker, .. } => out.extend(std::iter::repeat_n(' ', marker.len())),
                    Container::Note { .. } => out.push_str("    "),
                    Container::Flat => {}
                }
            }
            out.push_str(line);
            out.push('\n');
        }
    }
}

/// The text of an element that is code.
pub(super) fn lines(tree: &Tree, id: NodeId, kind: Code) -> String {
    match kind {
        Code::Declaration => declaration::text_of(tree, id).unwrap_or_default().0,
        Code::Lines => Lines::of(tree, id, false).lines().map(str::trim_end).collect::<Vec<_>>().join("\n"),
        Code::Verbatim => Lines::of(tree, id, true),
    }
}

fn longest_run(text: &str, byte: u8) -> usize {
    let (mut longest, mut run) = (0, 0);
    for found in text.bytes() {
        run = if found == byte { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// The lines of a block of code, from its elements.
struct Lines<'a> {
    tree: &'a Tree,
    code: String,
    /// Whether an element that is a line has ended, and nothing came after.
    ended: bool,
    /// Rows that began with their number.
    numbered: u32,
    is_verbatim: bool,
}

impl Lines<'_> {
    fn of(tree: &Tree, id: NodeId, is_verbatim: bool) -> String {
        let mut lines = Lines { tree, code: String::new(), ended: false, numbered: 0, is_verbatim };
        let mut walk = tree.walk(id);
        // Where the blocks that are open began.
        let mut starts: Vec<usize> = Vec::new();
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(node) => {
                    if let Some(text) = tree.text(node) {
                        lines.text(text);
                    } else if node != id && tree.is_element(node) && !lines.enter(node, &mut starts) {
                        walk.skip_children();
                    }
                }
                Step::Leave(node) if node != id => lines.leave(node, &mut starts),
                Step::Leave(_) => {}
            }
        }
        lines.code
    }

    fn text(&mut self, text: &str) {
        if !self.is_verbatim && text.contains(['\n', '\r']) {
            return self.folded(text);
        }
        if self.ended && !text.starts_with(['\n', '\r']) && !text.is_empty() {
            self.end_line();
        }
        self.ended = false;
        if text.contains(['\u{a0}', '\u{200b}']) {
            // A place where a line may be broken is not part of the code.
            self.code.push_str(&text.replace('\u{a0}', " ").replace('\u{200b}', ""));
        } else {
            self.code.push_str(text);
        }
    }

    /// Adds text in which a line end is a blank.
    fn folded(&mut self, text: &str) {
        let starts = self.code.is_empty() || self.code.ends_with('\n') || self.ended;
        if text.trim_ascii().is_empty() && starts {
            return;
        }
        let mut folded = String::new();
        for (index, line) in text.split(['\n', '\r']).enumerate() {
            let line = if index == 0 { line } else { line.trim_ascii_start() };
            if index > 0 && !folded.ends_with(' ') && !(starts && folded.is_empty()) {
                folded.push(' ');
            }
            folded.push_str(line);
        }
        self.text(&folded);
    }

    fn end_line(&mut self) {
        if !self.code.is_empty() && !self.code.ends_with('\n') {
            self.code.push('\n');
        }
        self.ended = false;
    }

    /// Whether an element is a line, or several.
    fn is_line(&self, node: NodeId) -> bool {
        let tag = self.tree.tag(node);
        (tag.is_block() && !matches!(tag, Tag::Table | Tag::Tbody | Tag::Td | Tag::Th))
            || self.tree.attr(node, "style").is_some_and(|style| {
                let style = style.replace(' ', "");
                style.contains("display:block") || style.contains("display:flex")
            })
    }

    /// Whether the element's children are to be visited.
    fn enter(&mut self, node: NodeId, starts: &mut Vec<usize>) -> bool {
        let tag = self.tree.tag(node);
        if tag == Tag::Br {
            self.ended = false;
            self.code.push('\n');
            return false;
        }
        let is_cell = tag == Tag::Td && boxes::is_gutter(self.tree, node);
        if is_unseen(self.tree, node, tag)
            || boxes::is_beside(self.tree, node, tag)
            || is_cell
            || self.is_number_of_row(node)
        {
            return false;
        }
        if self.is_line(node) {
            self.end_line();
            starts.push(self.code.len());
        } else if boxes::is_line(self.tree, node) && self.ended {
            self.end_line();
        }
        true
    }

    fn leave(&mut self, node: NodeId, starts: &mut Vec<usize>) {
        if self.is_line(node) {
            if starts.pop() == Some(self.code.len()) && self.tree.first_child(node).is_none() {
                self.code.push('\n');
            }
            self.ended = true;
        } else if boxes::is_line(self.tree, node) {
            self.ended = !self.code.ends_with('\n');
        }
    }

    /// Whether an element is the first of a row and counts it.
    fn is_number_of_row(&mut self, node: NodeId) -> bool {
        let tree = self.tree;
        let is_first = tree.parent(node).and_then(|row| tree.first_child(row)) == Some(node);
        let next = tree.next_sibling(node).is_some_and(|next| tree.is_element(next));
        let parent_is_line =
            tree.parent(node).is_some_and(|row| matches!(tree.tag(row), Tag::Div | Tag::Tr | Tag::Li));
        let number = tree.first_child(node).filter(|&only| tree.next_sibling(only).is_none());
        let number = number.and_then(|only| tree.text(only)).and_then(|text| text.trim().parse::<u32>().ok());
        if is_first && next && parent_is_line && number == self.numbered.checked_add(1) {
            self.numbered += 1;
            return true;
        }
        false
    }
}

/// The language of a `<pre><code>` by the class that renderers of Markdown give it, whatever it is called.
fn written_language(tree: &Tree, id: NodeId) -> Option<String> {
    let code = tree.first_child(id).filter(|&only| tree.tag(only) == Tag::Code)?;
    let names = tree.attr(code, "class")?.split_ascii_whitespace();
    let name = names.filter_map(|name| name.strip_prefix("language-")).next()?;
    (!name.is_empty() && !name.contains(char::is_control)).then(|| name.to_owned())
}

/// The language of a block of code: set by highlighters on it, in it, or around it.
fn language(tree: &Tree, id: NodeId) -> Option<String> {
    let inner = tree.descendants(id).take(8).find(|&node| node != id && tree.tag(node) == Tag::Code);
    let own = inner.into_iter().chain([id]).find_map(|node| noted(tree, node, true));
    own.or_else(|| {
        let is_around = |node: &NodeId| {
            matches!(
                tree.tag(*node),
                Tag::Div | Tag::Figure | Tag::Code | Tag::Pre | Tag::Section | Tag::Other
            ) || matches!(tree.tag(*node), Tag::Td | Tag::Tr | Tag::Tbody | Tag::Table | Tag::Span)
        };
        tree.ancestors(id)
            .take_while(is_around)
            .take(2 + 2 * MAX_AROUND)
            .find_map(|node| noted(tree, node, false))
    })
}

/// The language set on an element; for an element around the code, only in a form that is specific to languages.
fn noted(tree: &Tree, id: NodeId, own: bool) -> Option<String> {
    let attributes =
        ["data-lang", "data-language", "data-code-language", "data-code-lang", "data-enlighter-language"];
    let of_attribute = attributes.iter().find_map(|name| tree.attr(id, name)).and_then(name_of);
    // Confluence keeps what others have as a class.
    let of_parameters = || {
        let parameters = tree.attr(id, "data-syntaxhighlighter-params")?;
        let brush = parameters.split(';').find_map(|part| part.trim().strip_prefix("brush:"))?;
        name_of(brush)
    };
    let of_attribute = of_attribute.or_else(of_parameters);
    if of_attribute.is_some() {
        return of_attribute;
    }
    if own
        && let Some(language) =
            ["language", "lang", "syntax"].iter().find_map(|name| tree.attr(id, name)).and_then(known_name)
    {
        return Some(language);
    }
    let class = tree.attr(id, "class")?;
    let is_of_code = own || class.contains("sourceCode") || class.contains("highlight");
    let mut names = class.split_ascii_whitespace().take(MAX_CLASSES).peekable();
    let mut bare = None;
    while let Some(name) = names.next() {
        if let Some(rest) = name.strip_prefix("lang:") {
            return name_of(rest);
        }
        if let Some(rest) = name.strip_prefix("brush:") {
            let language = if rest.is_empty() { names.peek().copied().unwrap_or_default() } else { rest };
            return name_of(language.trim_end_matches(';'));
        }
        let prefixes = ["language-", "lang-", "highlight-source-", "highlight-text-", "syntax-", "code-"];
        let found = prefixes.iter().position(|prefix| name.starts_with(prefix)).and_then(|place| {
            let rest = name.get(prefixes.get(place)?.len()..)?;
            // The first three prefixes are for languages alone.
            if place < 3 { name_of(rest) } else { known_name(rest) }
        });
        let found = found.or_else(|| name.strip_prefix("highlight-").and_then(known_name));
        // MediaWiki and others put a name of their own before it.
        let found = found.or_else(|| name.split_once("-lang-").and_then(|(_, rest)| name_of(rest)));
        if found.is_some() {
            return found;
        }
        if name == "highlight-default" {
            // Sphinx: what is not named is Python.
            return Some("python".to_owned());
        }
        if bare.is_none() && is_of_code {
            bare = known_name(name);
        }
    }
    bare
}

/// A language's name for the fence; `None` for names such as "plain".
fn name_of(name: &str) -> Option<String> {
    let name = name.trim().to_ascii_lowercase();
    let is_name = !name.is_empty()
        && name.len() <= 24
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'#' | b'.' | b'_'));
    (is_name && !NO_LANGUAGES.contains(&name.as_str())).then_some(name)
}

fn known_name(name: &str) -> Option<String> {
    let name = name_of(name)?;
    LANGUAGES.contains(&name.as_str()).then_some(name)
}

/// Names that say that there is none.
#[rustfmt::skip]
const NO_LANGUAGES: &[&str] = &[
    "none", "text", "txt", "plain", "plaintext", "plain-text", "nohighlight", "no-highlight", "auto", "default", "notranslate",
    "undefined", "null", "clike", "wrap",
];

/// Names of languages that are recognised in any class.
#[rustfmt::skip]
const LANGUAGES: &[&str] = &[
    "abap", "ada", "apache", "applescript", "asm", "awk", "bash", "bat", "c", "c#", "c++", "cc", "clojure", "cmake", "cobol",
    "coffeescript", "console", "cpp", "cs", "csharp", "css", "csv", "cuda", "d", "dart", "delphi", "diff", "dockerfile",
    "elixir", "elm", "erlang", "f#", "fish", "fortran", "fsharp", "gherkin", "glsl", "go", "golang", "gradle", "graphql",
    "groovy", "haml", "handlebars", "haskell", "hcl", "hlsl", "html", "http", "ini", "ipython", "ipython3", "java",
    "javascript", "jinja", "js", "json", "json5", "jsonc", "jsx", "julia", "kotlin", "latex", "lean", "less", "lisp", "lua",
    "makefile", "markdown", "mathematica", "matlab", "md", "mermaid", "mysql", "nasm", "nginx", "nim", "nix", "objc",
    "objective-c", "objectivec", "ocaml", "pascal", "perl", "pgsql", "php", "plsql", "postgresql", "powershell", "prolog",
    "properties", "protobuf", "ps1", "puppet", "pycon", "python", "python3", "py", "r", "racket", "rb", "reason", "regex",
    "rst", "ruby", "rust", "rs", "sass", "scala", "scheme", "scss", "sh", "shell", "shell-session", "solidity", "sql",
    "svelte", "swift", "tcl", "terraform", "tex", "toml", "ts", "tsx", "typescript", "vb", "vbnet", "verilog", "vhdl", "vim",
    "vue", "wasm", "xml", "yaml", "yml", "zig", "zsh",
];
