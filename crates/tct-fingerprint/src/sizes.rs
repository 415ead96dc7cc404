//! How large the tables are, which README.md states.

use crate::{accents, references, table, unicode};

#[test]
fn the_tables_are_as_large_as_the_readme_says() {
    let sizes =
        [unicode::table_bytes(), table::table_bytes() + accents::table_bytes(), references::table_bytes()];
    let sum: usize = sizes.iter().sum();
    assert!(sum <= 160_000, "{sum}: {sizes:?}");
    let [data, fast, names] = sizes;
    let sentence = std::format!(
        "{sum} bytes: {data} of Unicode data, {fast} made from them for speed and {names} of names"
    );
    let readme = include_str!("../README.md").replace('\n', " ");
    assert!(readme.contains(&sentence), "{sentence}");
}
