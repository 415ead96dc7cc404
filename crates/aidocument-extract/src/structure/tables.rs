//! Which tables hold data, and which other elements are tables to readers.

use std::collections::BTreeSet;

use crate::tree::{NodeId, Tag, Tree};

/// Whether the table holds data: two columns or more, cells of inline text, no table inside. Other tables are
/// for layout, and are written as the blocks in them.
pub(crate) fn is_data(tree: &Tree, table: NodeId) -> bool {
    if tree.attr(table, "role").is_some_and(|role| matches!(role, "presentation" | "none"))
        || tree.attr(table, "class").is_some_and(|class| class.contains("equation"))
    {
        return false;
    }
    let (mut columns, mut cells, mut headers, mut wide_rows) = (0, 0, 0, 0);
    let (mut row, mut rows) = (0, 0);
    let mut blocks = 0;
    // A bit for each column with a text or an image; the lowest for what is outside of cells.
    let mut filled = 0u64;
    for node in tree.descendants(table).skip(1) {
        let is_filled = tree.text(node).is_some_and(|text| !text.trim().is_empty());
        filled |= u64::from(is_filled || tree.tag(node) == Tag::Img) << row.min(63);
        match tree.tag(node) {
            Tag::Table => return false,
            Tag::Tr => row = 0,
            tag @ (Tag::Td | Tag::Th) => {
                cells += 1;
                row += 1;
                rows += usize::from(row == 1);
                wide_rows += usize::from(row == 2);
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
        return columns > 0 && wide_rows > 0 || cells > columns && columns > 0 && headers < cells;
    }
    // One row without a header sets things side by side, and one column is lines.
    (filled >> 1).count_ones() >= 2
        && blocks <= cells
        && (rows >= 2 || (blocks < cells && is_named_by_column(tree, table)))
}

/// Most letters of the name that the first cell of a single row has.
const MAX_NAME: usize = 80;

/// Whether the cells of a single row have a class each, as generators of manuals name a parameter and what it is, and the first has
/// a name. The sign of a note and the number of a footnote have such classes too.
fn is_named_by_column(tree: &Tree, table: NodeId) -> bool {
    let cells = tree.descendants(table).filter(|&cell| matches!(tree.tag(cell), Tag::Td | Tag::Th));
    let cells: Vec<NodeId> = cells.take(MAX_CLASSES).collect();
    let class = |&cell: &NodeId| tree.attr(cell, "class").unwrap_or_default();
    cells.first().is_some_and(|first| {
        let letters =
            tree.descendants(*first).filter_map(|text| tree.text(text)).map(|text| text.trim().len());
        !matches!(class(first), "" | "icon" | "label") && (1..=MAX_NAME).contains(&letters.sum())
    }) && cells.iter().map(class).collect::<BTreeSet<_>>().len() == cells.len()
}

/// Cells of a grid, and its columns.
const MAX_CELLS: usize = 3_000;
const COLUMNS: std::ops::RangeInclusive<usize> = 2..=6;

/// Classes of a cell, and nodes of a grid, that are looked at.
const MAX_CLASSES: usize = 8;
const MAX_LOOKED_AT: usize = 4_000;

/// The cells of a grid, row by row, and how many a row has: a `<div>` of nothing but `<div>`s, in each column of which all have a class
/// that none has in another, such as javadoc's `col-first`. Each column has text, or
/// a head in a first row with a class of its own, and no cell has more than text.
pub(crate) fn grid(tree: &Tree, id: NodeId) -> Option<(Vec<NodeId>, usize)> {
    if tree.tag(id) != Tag::Div {
        return None;
    }
    let mut cells: Vec<NodeId> = Vec::new();
    for child in tree.children(id) {
        let is_blank = tree.text(child).map_or(!tree.is_element(child), |text| text.trim_ascii().is_empty());
        if is_blank {
            continue;
        }
        let is_cell = tree.tag(child) == Tag::Div && tree.attr(child, "class").is_some();
        if !is_cell || cells.len() >= MAX_CELLS {
            return None;
        }
        cells.push(child);
    }
    let classes: Vec<Vec<&str>> =
        cells.iter().map(|&cell| tree.classes(cell).take(MAX_CLASSES).collect()).collect();
    let fits = |columns: &usize| {
        let is_own = |column: usize, name: &str| {
            let mut cells = classes.iter().enumerate();
            cells.all(|(place, names)| names.contains(&name) == (place % columns == column))
        };
        let mut first = classes.iter().take(*columns).enumerate();
        cells.len() >= 2 * columns
            && cells.len().is_multiple_of(*columns)
            && first.all(|(column, names)| {
                names
                    .iter()
                    .any(|name| !name.contains("odd") && !name.contains("even") && is_own(column, name))
            })
    };
    let columns = COLUMNS.into_iter().find(fits)?;
    let mut inside = tree.descendants(id).take(MAX_LOOKED_AT);
    let is_more = |part: NodeId| {
        let tag = tree.tag(part);
        tag.heading_level().is_some()
            || matches!(
                tag,
                Tag::Table
                    | Tag::Ul
                    | Tag::Ol
                    | Tag::Pre
                    | Tag::Blockquote
                    | Tag::Form
                    | Tag::Article
                    | Tag::Img
            )
    };
    let has_text = |&cell: &NodeId| {
        let mut parts = tree.descendants(cell).take(40);
        parts.any(|part| tree.text(part).is_some_and(|text| !text.trim().is_empty()))
    };
    let rows = cells.len() / columns;
    let is_of_head = |name: &&str| {
        classes.iter().enumerate().all(|(place, names)| names.contains(name) == (place < columns))
    };
    let has_head = classes.first().is_some_and(|names| names.iter().any(is_of_head));
    let are_filled = (0..columns).all(|column| {
        let filled = || cells.iter().skip(column).step_by(columns).filter(|cell| has_text(cell)).count();
        (has_head && cells.get(column).is_some_and(has_text)) || 2 * filled() >= rows
    });
    (are_filled && !inside.any(is_more)).then_some((cells, columns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_of_equal_classes_in_rows_are_a_grid() {
        let columns = |html: &str| {
            let tree = Tree::parse(html);
            let id = tree.descendants(Tree::ROOT).find(|&id| tree.tag(id) == Tag::Div);
            grid(&tree, id.expect("a div")).map(|(cells, columns)| (cells.len(), columns))
        };
        for (html, expected) in [
            (
                "<div><div class='head a'>A</div> <div class='head b'>B</div><!-- --><div class='a odd'>1</div>\
                 <div class='b odd'>2</div></div>",
                Some((4, 2)),
            ),
            (
                "<div><div class=a>A</div><div class=b>B</div><div class=c>C</div><div class=a>1</div>\
                 <div class=b><p>2</div><div class=c>3</div></div>",
                Some((6, 3)),
            ),
            // One row, a row that is cut, one class for all, words between, a column without text, more than text.
            ("<div><div class=a>A</div><div class=b>B</div></div>", None),
            ("<div><div class=a>A</div><div class=b>B</div><div class=a>1</div></div>", None),
            (
                "<div><div class=a>A</div><div class=a>B</div><div class=a>1</div><div class=a>2</div></div>",
                None,
            ),
            (
                "<div><div class=a>A</div><div class=b>B</div><div class=a>1</div>x<div class=b>2</div></div>",
                None,
            ),
            (
                "<div><div class=a>A</div><div class=b></div><div class=a>1</div><div class=b></div></div>",
                None,
            ),
            (
                "<div><div class=a><h3>A</h3></div><div class=b>B</div><div class=a>1</div><div class=b>2</div></div>",
                None,
            ),
            ("<div><div>A</div><div>B</div><div>1</div><div>2</div></div>", None),
            // A column with a head may be empty.
            (
                "<div><div class='head a'>A</div><div class='head b'>B</div><div class=a>1</div><div class=b></div>\
                 <div class=a>2</div><div class=b></div></div>",
                Some((6, 2)),
            ),
            // Rows in turn.
            (
                "<div><div class=odd>A</div><div class=even>B</div><div class=odd>1</div><div class=even>2</div></div>",
                None,
            ),
            ("<div><p class=a>A</p><p class=b>B</p><p class=a>1</p><p class=b>2</p></div>", None),
        ] {
            assert_eq!(columns(html), expected, "{html}");
        }
    }
}
