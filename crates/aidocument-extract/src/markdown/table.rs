//! Tables: which ones hold data, and their cells in rows.

use crate::tree::{NodeId, Step, Tag, Tree};

/// Columns that a table may have; the cells past them are joined to the last.
const MAX_COLUMNS: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    None,
    Left,
    Center,
    Right,
}

#[derive(Debug)]
pub(super) struct Row {
    /// A cell, or nothing where an earlier one spans this column.
    pub(super) cells: Vec<Option<NodeId>>,
    header: bool,
}

#[derive(Debug)]
pub(super) struct Table {
    pub(super) caption: Option<NodeId>,
    pub(super) rows: Vec<Row>,
    pub(super) aligns: Vec<Align>,
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
    pub(super) fn of(tree: &Tree, table: NodeId) -> Table {
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
