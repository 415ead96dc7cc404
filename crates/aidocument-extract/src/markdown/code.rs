//! Blocks of code: fences longer than any in the code, its own white space, the language where one is noted.

use super::{Container, Writer, escape};
use crate::tree::{NodeId, Tag, Tree};

impl Writer<'_> {
    /// Writes an element as a fenced block of code.
    pub(super) fn code_block(&mut self, id: NodeId) {
        if !self.selection.has_any(id) {
            return;
        }
        let mut code = String::new();
        let mut language = language_of(self.tree, id);
        for node in self.tree.descendants(id) {
            if let Some(text) = self.tree.text(node) {
                code.push_str(text);
            } else if self.tree.tag(node) == Tag::Br {
                code.push('\n');
            } else if language.is_none() && self.tree.tag(node) == Tag::Code {
                language = language_of(self.tree, node);
            }
        }
        let code = code.strip_suffix('\n').unwrap_or(&code);
        let language = language.unwrap_or_default();
        let ticks = longest_run(code, b'`');
        let fence = if language.contains('`') {
            "~".repeat(3.max(longest_run(code, b'~') + 1))
        } else {
            "`".repeat(3.max(ticks + 1))
        };
        let mut info = String::new();
        escape::push_text(&mut info, language, None, escape::Place::default());
        self.line(&format!("{fence}{info}"), true);
        if !code.is_empty() {
            for line in code.split('\n') {
                self.verbatim(line.strip_suffix('\r').unwrap_or(line));
            }
        }
        self.line(&fence, false);
        self.plain(code.trim_matches('\n'));
    }

    /// A line of code: its own white space stays.
    fn verbatim(&mut self, line: &str) {
        self.line("", false);
        if !line.is_empty() {
            let out = &mut self.out.markdown;
            out.pop();
            let start = out.rfind('\n').map_or(0, |at| at + 1);
            out.truncate(start);
            let bare = start > self.allowance;
            for container in self.containers.iter().filter(|_| !bare) {
                match container {
                    Container::Quote { .. } => out.push_str("> "),
                    Container::Item { marker, .. } => out.extend(std::iter::repeat_n(' ', marker.len())),
                    Container::Flat => {}
                }
            }
            out.push_str(line);
            out.push('\n');
        }
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

/// The language that highlighters note in the class of `<pre>` or `<code>`.
fn language_of(tree: &Tree, id: NodeId) -> Option<&str> {
    if let Some(language) = tree.attr(id, "data-lang").or_else(|| tree.attr(id, "data-language")) {
        return Some(language).filter(|language| !language.contains(char::is_whitespace));
    }
    tree.attr(id, "class")?
        .split_ascii_whitespace()
        .find_map(|class| {
            ["language-", "lang-", "highlight-source-", "brush:"]
                .iter()
                .find_map(|prefix| class.strip_prefix(prefix))
        })
        .filter(|language| !language.is_empty())
}
