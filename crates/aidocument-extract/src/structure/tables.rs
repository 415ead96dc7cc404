//! Which tables hold data.

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
    for node in tree.descendants(table).skip(1) {
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
    // One row without a header sets things side by side.
    columns >= 2 && rows >= 2 && blocks <= cells
}
