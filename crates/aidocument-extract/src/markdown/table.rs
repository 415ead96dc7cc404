//! Tables: which ones hold data, and their cells in rows.

use super::{Writer, escape};
use crate::tree::{NodeId, Step, Tag, Tree};

/// Columns that a table may have; the cells past them are joined to the last.
const MAX_COLUMNS: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Align {
    None,
    Left,
    Center,
    Right,
}

#[derive(Debug)]
struct Row {
    /// A cell, or nothing where an earlier one spans this column.
    cells: Vec<Option<NodeId>>,
    header: bool,
}

#[derive(Debug)]
struct Table {
    caption: Option<NodeId>,
    rows: Vec<Row>,
    aligns: Vec<Align>,
}

impl Writer<'_> {
    /// Writes an element as a table, its caption as a paragraph before.
    pub(super) fn table(&mut self, id: NodeId) {
        let table = Table::of(self.tree, id);
        if let Some(caption) = table.caption {
            self.flat(caption);
            self.end_block();
        }
        let mut first = true;
        for row in &table.rows {
            let mut line = String::from("|");
            let mut plain = String::new();
            for cell in &row.cells {
                if let Some(cell) = cell {
                    self.flat(*cell);
                }
                let (markdown, text) = if self.inline.is_empty() {
                    (String::new(), String::new())
                } else {
                    self.inline.take(true)
                };
                line.push(' ');
                line.push_str(&markdown);
                line.push_str(" |");
                if !plain.is_empty() && !text.is_empty() {
                    plain.push('\t');
                }
                plain.push_str(&text.replace('\n', " "));
            }
            self.line(&line, first);
            if first {
                let mut rule = String::from("|");
                for align in &table.aligns {
                    rule.push_str(match align {
                        Align::None => " --- |",
                        Align::Left => " :-- |",
                        Align::Center => " :-: |",
                        Align::Right => " --: |",
                    });
                }
                self.line(&rule, false);
                self.plain(&plain);
            } else if !plain.is_empty() {
                self.out.text.push('\n');
                escape::push_plain(&mut self.out.text, &plain);
            }
            first = false;
        }
    }
}

/// Whether the table holds data: two columns or more, cells of inline text, no table inside. Others only place
/// things on the page and are written as the blocks that they hold.
pub(super) fn is_data(tree: &Tree, table: NodeId) -> bool {
    if tree.attr(table, "role").is_some_and(|role| matches!(role, "presentation" | "none")) {
        return false;
    }
    let (mut columns, mut cells, mut headers) = (0, 0, 0);
    let mut row = 0;
    let mut blocks = 0;
    for node in tree.descendants(table).skip(1) {
        match tree.tag(node) {
            Tag::Table => return false,
            Tag::Tr => row = 0,
            tag @ (Tag::Td | Tag::Th) => {
                cells += 1;
                row += 1;
                columns = columns.max(row);
                headers += usize::from(tag == Tag::Th);
            }
            Tag::Pre | Tag::Blockquote | Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::Article | Tag::Form => {
                blocks += 2
            }
            Tag::P | Tag::Ul | Tag::Ol | Tag::Dl => blocks += 1,
            _ => {}
        }
    }
    if headers > 0 && blocks <= 2 * cells {
        return columns > 0;
    }
    columns >= 2 && blocks <= cells
}

impl Table {
    /// Rows and cells in the order of the page.
    fn of(tree: &Tree, table: NodeId) -> Table {
        let mut found = Table { caption: None, rows: Vec::new(), aligns: Vec::new() };
        let mut walk = tree.walk(table);
        while let Some(step) = walk.next() {
            let Step::Enter(id) = step else { continue };
            match tree.tag(id) {
                Tag::Caption => {
                    found.caption = found.caption.or(Some(id));
                    walk.skip_children();
                }
                Tag::Tr => found.rows.push(Row { cells: Vec::new(), header: false }),
                tag @ (Tag::Td | Tag::Th) => {
                    if found.rows.is_empty() {
                        found.rows.push(Row { cells: Vec::new(), header: false });
                    }
                    let first_row = found.rows.len() == 1;
                    if let Some(row) = found.rows.last_mut() {
                        row.header |= tag == Tag::Th;
                        let span =
                            tree.attr(id, "colspan").and_then(|span| span.trim().parse().ok()).unwrap_or(1);
                        if row.cells.len() < MAX_COLUMNS {
                            row.cells.push(Some(id));
                            let room = MAX_COLUMNS - row.cells.len();
                            row.cells
                                .extend(std::iter::repeat_n(None, room.min(usize::saturating_sub(span, 1))));
                        }
                        if first_row {
                            found.aligns.resize(row.cells.len(), Align::None);
                        }
                        let place = row.cells.len() - 1;
                        if let Some(align) =
                            found.aligns.get_mut(place).filter(|align| **align == Align::None)
                        {
                            *align = align_of(tree, id);
                        }
                    }
                    walk.skip_children();
                }
                _ => {}
            }
        }
        found.rows.retain(|row| !row.cells.is_empty());
        let columns = found.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        found.aligns.resize(columns, Align::None);
        // The header row has a cell a column, or the lines below would not make a table.
        if let Some(first) = found.rows.first_mut() {
            first.cells.resize(columns, None);
        }
        found
    }
}

fn align_of(tree: &Tree, id: NodeId) -> Align {
    let style = tree.attr(id, "style").and_then(|style| {
        let at = style.find("text-align")?;
        style.get(at + 10..)?.trim_start().strip_prefix(':')?.split(';').next()
    });
    match style.or_else(|| tree.attr(id, "align")).map(str::trim) {
        Some("left") => Align::Left,
        Some("center") => Align::Center,
        Some("right") => Align::Right,
        _ => Align::None,
    }
}
