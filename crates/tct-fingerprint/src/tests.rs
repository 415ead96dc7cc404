//! How large the tables are, which README.md states.

use crate::{fast, references, small};

#[test]
fn the_tables_are_as_large_as_the_readme_says() {
    let names = references::tests::table_bytes();
    let fast = fast::tests::data_bytes();
    let small = small::tests::table_bytes();
    assert!(fast + names <= 150_000 && small + names <= 90_000, "{fast} {small} {names}");
    let readme = include_str!("../README.md").replace('\n', " ");
    for (sum, data) in [(fast + names, fast), (small + names, small)] {
        let sentence = std::format!("{sum} bytes: {data} of Unicode data and {names} of names");
        assert!(readme.contains(&sentence), "{sentence}");
    }
}
