//! Writing data tables: their cells in rows.

use super::{Writer, escape};
use crate::code::declaration;
use crate::structure::tables::grid;
use crate::tree::{NodeId, Step, Tag, Tree};

/// Columns that a table may have; the cells past them are joined to the last.
const MAX_COLUMNS: usize = 500;

/// Limit on the columns that cells may span in total, and its increase with each cell: `colspan=500` and `rowspan=1000`
/// would make a large table from a few bytes.
const SPANNED: usize = 500;
const SPANNED_BY_CELL: usize = 16;

/// Rows that a cell may reach down.
const MAX_ROWSPAN: usize = 1_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Align {
    None,
    Left,
    Center,
    Right,
}

/// A column of a row.
#[derive(Debug, Clone, Default)]
struct Cell {
    /// The cell, or several in the last column of a row that is too long; none where an earlier one spans it.
    parts: Vec<NodeId>,
    spanned: Option<Spanned>,
}

/// Where the cell is that spans this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spanned {
    Left,
    Above,
}

impl Cell {
    fn of(&part: &NodeId) -> Cell {
        Cell { parts: vec![part], spanned: None }
    }

    fn spanned(by: Spanned) -> Cell {
        Cell { parts: Vec::new(), spanned: Some(by) }
    }
}

#[derive(Debug, Default)]
struct Row {
    cells: Vec<Cell>,
    is_head: bool,
}

#[derive(Debug)]
struct Table {
    caption: Option<NodeId>,
    rows: Vec<Row>,
    aligns: Vec<Align>,
}

impl Writer<'_> {
    /// Writes an element as a table, its caption as a paragraph before. Rows without text are left out.
    pub(super) fn table(&mut self, id: NodeId) {
        let mut table = Table::of(self.tree, id);
        if self.selection.is_choice() && !self.style.repeat_spans {
            table.leave_out_empty(|part| self.says(part));
        }
        if let Some(caption) = table.caption {
            self.flat(caption);
            self.end_block();
        }
        let mut first = true;
        // What the columns of the row above say.
        let mut above: Vec<(String, String)> = Vec::new();
        for row in &table.rows {
            let mut line = String::from("|");
            let mut plain = String::new();
            let mut has_text = false;
            let mut values: Vec<(String, String)> = Vec::new();
            for (column, cell) in row.cells.iter().enumerate() {
                for &part in &cell.parts {
                    let is_code = declaration::is_declared_in(self.tree, part);
                    self.inline.set_declaration(is_code);
                    self.flat(part);
                    self.inline.set_declaration(false);
                    self.inline.space();
                }
                let own = if self.inline.is_empty() {
                    <(String, String)>::default()
                } else {
                    self.inline.take(true)
                };
                has_text |= !own.0.trim().is_empty();
                let repeated = cell.spanned.filter(|_| self.style.repeat_spans).and_then(|by| match by {
                    Spanned::Left => values.last(),
                    Spanned::Above => above.get(column),
                });
                // A cell may span half a million others.
                let fits = |value: &&(String, String)| {
                    self.out.markdown.len() + line.len() + value.0.len() < self.allowance / 2
                };
                let value = repeated.filter(fits).cloned().unwrap_or(own);
                let (markdown, text) = &value;
                if !markdown.is_empty() {
                    line.push(' ');
                    line.push_str(markdown);
                }
                line.push_str(" |");
                if !plain.is_empty() && !text.is_empty() {
                    plain.push('\t');
                }
                plain.push_str(&text.replace('\n', " "));
                if self.style.repeat_spans {
                    values.push(value);
                }
            }
            above = values;
            // The first row may be empty: it is the head that a table needs.
            let is_needed =
                has_text || self.selection.is_whole() || (first && row.is_head && table.has_text_below(self));
            if !is_needed {
                continue;
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
        self.after_table = !first;
    }

    /// Whether something of an element is chosen that is not blank.
    fn says(&self, id: NodeId) -> bool {
        let is_shown = |id: NodeId| {
            self.selection.has(id)
                && self.tree.first_child(id).is_none()
                && self.tree.text(id).is_none_or(|text| !text.trim().is_empty())
        };
        self.tree.descendants(id).any(is_shown)
    }
}

impl Table {
    /// Rows and cells in the order of the page, each in its column.
    fn of(tree: &Tree, table: NodeId) -> Table {
        let mut found = Table { caption: None, rows: Vec::new(), aligns: Vec::new() };
        if let Some((cells, columns)) = grid(tree, table) {
            let row = |cells: &[NodeId]| Row { cells: cells.iter().map(Cell::of).collect(), is_head: false };
            found.rows = cells.chunks(columns).map(row).collect();
            found.aligns.resize(columns, Align::None);
            return found;
        }
        // For each column, rows that a cell above still reaches into.
        let mut down: Vec<usize> = Vec::new();
        let mut budget = SPANNED;
        let mut walk = tree.walk(table);
        while let Some(step) = walk.next() {
            let Step::Enter(id) = step else { continue };
            match tree.tag(id) {
                Tag::Caption => {
                    found.caption = found.caption.or(Some(id));
                    walk.skip_children();
                }
                Tag::Tr => {
                    if found.rows.last().is_some_and(|row| row.cells.is_empty()) {
                        found.rows.pop();
                    } else if let Some(row) = found.rows.last_mut() {
                        row.fill(&down, &mut budget);
                        end_row(&mut down);
                    }
                    found.rows.push(Row::default());
                }
                tag @ (Tag::Td | Tag::Th) => {
                    if found.rows.is_empty() {
                        found.rows.push(Row::default());
                    }
                    let first_row = found.rows.len() == 1;
                    if let Some(row) = found.rows.last_mut() {
                        row.is_head |= tag == Tag::Th;
                        budget += SPANNED_BY_CELL;
                        let place = row.place(tree, id, &mut down, &mut budget);
                        if first_row {
                            found.aligns.resize(row.cells.len(), Align::None);
                        }
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
        if let Some(row) = found.rows.last_mut().filter(|row| !row.cells.is_empty()) {
            row.fill(&down, &mut budget);
        }
        found.rows.retain(|row| !row.cells.is_empty());
        let columns = found.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        found.aligns.resize(columns, Align::None);
        // The header row has a cell a column, or the lines below would not make a table; other rows have them for tools
        // that count, as far as the budget goes.
        for (place, row) in found.rows.iter_mut().enumerate() {
            let missing = columns.saturating_sub(row.cells.len());
            let added = if place == 0 { missing } else { missing.min(budget) };
            budget = budget.saturating_sub(added);
            row.cells.resize(row.cells.len() + added, Cell::default());
        }
        found
    }

    /// Leaves out the columns that say nothing, such as one of images that are left out.
    fn leave_out_empty(&mut self, says: impl Fn(NodeId) -> bool) {
        let mut full = vec![false; self.aligns.len()];
        for row in &self.rows {
            for (cell, full) in row.cells.iter().zip(&mut full) {
                *full = *full || cell.parts.iter().any(|&part| says(part));
            }
        }
        for row in &mut self.rows {
            let mut full = full.iter();
            row.cells.retain(|_| full.next() == Some(&true));
        }
        let mut full = full.iter();
        self.aligns.retain(|_| full.next() == Some(&true));
    }

    /// Whether a row below the first has chosen text.
    fn has_text_below(&self, writer: &Writer<'_>) -> bool {
        let cells = self.rows.iter().skip(1).flat_map(|row| row.cells.iter().flat_map(|cell| &cell.parts));
        cells.into_iter().any(|&cell| writer.selection.has(cell))
    }
}

/// Counts a row for the cells that reach down.
fn end_row(down: &mut [usize]) {
    for left in down {
        *left = left.saturating_sub(1);
    }
}

impl Row {
    /// Adds the cells that span into this row after its last cell.
    fn fill(&mut self, down: &[usize], budget: &mut usize) {
        let reached = down.iter().rposition(|&left| left > 0).map_or(0, |last| last + 1);
        let from = self.cells.len();
        let to = reached.min(MAX_COLUMNS).min(from + *budget);
        *budget -= to.saturating_sub(from);
        self.cells.extend(
            down.iter()
                .take(to)
                .skip(from)
                .map(|&left| if left > 0 { Cell::spanned(Spanned::Above) } else { Cell::default() }),
        );
    }

    /// Puts a cell into the next free column, with empty cells for the columns that it spans; returns
    /// its column.
    fn place(&mut self, tree: &Tree, id: NodeId, down: &mut Vec<usize>, budget: &mut usize) -> usize {
        let number =
            |name: &str| tree.attr(id, name).and_then(|span| span.trim().parse::<usize>().ok()).unwrap_or(1);
        while self.cells.len() < MAX_COLUMNS
            && *budget > 0
            && down.get(self.cells.len()).is_some_and(|&left| left > 0)
        {
            *budget -= 1;
            self.cells.push(Cell::spanned(Spanned::Above));
        }
        if self.cells.len() >= MAX_COLUMNS {
            if let Some(last) = self.cells.last_mut() {
                last.parts.push(id);
            }
            return MAX_COLUMNS - 1;
        }
        let place = self.cells.len();
        let span = number("colspan").clamp(1, MAX_COLUMNS - place).min(1 + *budget);
        *budget -= span - 1;
        self.cells.push(Cell::of(&id));
        self.cells.extend(std::iter::repeat_n(Cell::spanned(Spanned::Left), span - 1));
        // Nought reaches to the end of the rows.
        let rows = match number("rowspan") {
            0 => MAX_ROWSPAN,
            rows => rows.min(MAX_ROWSPAN),
        };
        if rows > 1 {
            if down.len() < self.cells.len() {
                down.resize(self.cells.len(), 0);
            }
            for left in down.iter_mut().take(self.cells.len()).skip(place) {
                *left = rows;
            }
        }
        place
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
