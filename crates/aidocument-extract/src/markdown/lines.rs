//! Blocks as lines, each behind the marks of the quotes, items and notes around it.

use super::{Writer, escape};
use crate::tree::NodeId;

/// Deepest nesting of quotes and list items that is written.
pub(super) const MAX_NESTING: usize = 16;

/// Text in front of a footnote that readers without footnotes would otherwise read as a link definition: two
/// invisible word joiners.
pub(super) const NO_DEFINITION: &str = "&#8203; &#8203; ";

/// What is at the start of each line.
#[derive(Debug)]
pub(super) enum Container {
    Quote {
        fresh: bool,
    },
    Item {
        marker: String,
        fresh: bool,
        tight: bool,
        /// The place of its list among those that are open.
        list: Option<usize>,
    },
    /// A footnote; its lines but the first are indented.
    Note {
        marker: String,
        fresh: bool,
    },
    /// Nested too deeply to be shown.
    Flat,
}

impl Writer<'_> {
    pub(super) fn is_full(&self) -> bool {
        self.out.markdown.len() > self.allowance
    }

    pub(super) fn nest(&mut self, container: Container) {
        let shown = self.containers.iter().filter(|container| !matches!(container, Container::Flat)).count();
        let flat = shown >= MAX_NESTING || self.is_full();
        self.containers.push(if flat { Container::Flat } else { container });
    }

    pub(super) fn unnest(&mut self) {
        self.containers.pop();
    }

    /// Whether nothing but a rule was written last, or nothing at all.
    pub(super) fn after_rule(&self) -> bool {
        let last =
            self.out.markdown.trim_end_matches(['\n', ' ', '>']).lines().next_back().unwrap_or_default();
        let last = last.trim_start_matches(['>', ' ']);
        self.inline.is_empty() && matches!(last, "" | "---" | "***" | "___")
    }

    pub(super) fn rule(&mut self, id: NodeId) {
        if self.selection.has(id) && (self.selection.is_whole() || !self.after_rule()) {
            self.end_block();
            // Right behind the marker of an item, three more of its signs would be a rule without an item.
            let rule = match self.containers.last() {
                Some(Container::Item { marker, fresh: true, .. }) if marker.starts_with('*') => "___",
                Some(Container::Item { fresh: true, .. }) => "***",
                _ => "---",
            };
            self.line(rule, true);
            self.separate = true;
        }
    }

    /// Writes the collected text as a paragraph, or as the heading that is open.
    pub(super) fn end_block(&mut self) {
        if self.inline.is_empty() {
            return;
        }
        let (mut markdown, text) = self.inline.take(false);
        if escape::is_definition(&markdown) {
            markdown.insert_str(0, "&#8203;");
        }
        if matches!(self.containers.last(), Some(Container::Note { fresh: true, .. }))
            && escape::is_address(&markdown)
        {
            markdown.insert_str(0, NO_DEFINITION);
        }
        self.plain(&text);
        if let Some(level) = self.heading {
            self.heading_written = true;
            let breaks = markdown.contains("\\\n");
            // A heading in one line, as tools want it; a whole page keeps its break.
            if breaks && level <= 2 && self.selection.is_whole() {
                let rule = if level == 1 { "\n===" } else { "\n---" };
                markdown.push_str(rule);
            } else {
                let mut line = markdown.replace("\\\n", " ");
                let hashes = line.len() - line.trim_end_matches('#').len();
                if hashes > 0 && line.len() > hashes {
                    line.insert(line.len() - hashes, '\\');
                } else if hashes > 0 {
                    line.insert(0, '\\');
                }
                let line = format!("{} {line}", "#".repeat(usize::from(level)));
                self.line(line.trim_end(), true);
                return;
            }
            let last = markdown.lines().count();
            for (index, line) in markdown.split('\n').enumerate() {
                let guarded = if index + 1 < last { escape::guard_line(line, index == 0) } else { None };
                self.line(guarded.as_deref().unwrap_or(line), index == 0);
            }
            return;
        }
        for (index, line) in markdown.split('\n').enumerate() {
            let guarded = escape::guard_line(line, index == 0);
            self.line(guarded.as_deref().unwrap_or(line), index == 0);
        }
    }

    /// Writes one line after its prefixes; the first line of a block is separated from the block before.
    pub(super) fn line(&mut self, line: &str, first: bool) {
        let out = &mut self.out.markdown;
        if first {
            let after_table = std::mem::take(&mut self.after_table);
            if self.separate {
                // A list stands apart from what is before it as any block does.
                let is_new = |place: &usize| self.lists.get(*place).is_some_and(|list| list.is_new);
                let tight = self.containers.iter().rev().find_map(|container| match container {
                    Container::Item { fresh: true, list, .. } if list.as_ref().is_some_and(is_new) => None,
                    Container::Item { tight, .. } => Some(*tight),
                    Container::Quote { .. } | Container::Note { .. } => Some(false),
                    Container::Flat => None,
                });
                let is_item = matches!(self.containers.last(), Some(Container::Item { fresh: true, .. }));
                let apart = tight != Some(true) || (after_table && !is_item);
                if apart && out.len() > self.allowance {
                    out.push('\n');
                } else if apart {
                    // The line between belongs to the containers that both blocks are in.
                    let start = out.len();
                    for container in &self.containers {
                        match container {
                            Container::Quote { fresh: false } => out.push_str("> "),
                            Container::Item { marker, fresh: false, .. } => {
                                out.extend(std::iter::repeat_n(' ', marker.len()));
                            }
                            Container::Note { fresh: false, .. } => out.push_str("    "),
                            Container::Flat => {}
                            _ => break,
                        }
                    }
                    let kept = out.get(start..).unwrap_or_default().trim_end().len();
                    out.truncate(start + kept);
                    out.push('\n');
                }
            }
            self.separate = true;
            self.closed_list = None;
        }
        let start = out.len();
        if first {
            // A block stands in its containers with all of its lines, or what it holds would read as blocks of its own.
            self.bare = start > self.allowance;
        }
        for container in self.containers.iter_mut().filter(|_| !self.bare) {
            match container {
                Container::Quote { fresh } => {
                    *fresh = false;
                    out.push_str("> ");
                }
                Container::Item { marker, fresh, list, .. } => {
                    if std::mem::take(fresh) {
                        if let Some(list) = list.and_then(|place| self.lists.get_mut(place)) {
                            list.is_new = false;
                        }
                        out.push_str(marker);
                    } else {
                        out.extend(std::iter::repeat_n(' ', marker.len()));
                    }
                }
                Container::Note { marker, fresh } => {
                    out.push_str(if std::mem::take(fresh) { marker } else { "    " });
                }
                Container::Flat => {}
            }
        }
        out.push_str(line);
        let kept = out.get(start..).unwrap_or_default().trim_end().len();
        out.truncate(start + kept);
        out.push('\n');
    }

    pub(super) fn plain(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if !self.out.text.is_empty() {
            self.out.text.push_str("\n\n");
        }
        escape::push_plain(&mut self.out.text, text);
    }
}
