//! How large the tables are, which README.md states.

use crate::{accents, fast, references, small};

#[test]
fn the_tables_are_as_large_as_the_readme_says() {
    let (fast_names, small_names) = references::table_bytes();
    let (data, made) = (fast::data_bytes(), fast::made_bytes() + accents::table_bytes());
    let sum = data + made + fast_names;
    assert!(sum <= 160_000, "{sum}");
    let fast = std::format!(
        "{sum} bytes: {data} of Unicode data, {made} made from them for speed and {fast_names} of names"
    );
    let data = small::table_bytes();
    let sum = data + small_names;
    assert!(sum <= 64_000, "{sum}");
    let small = std::format!("{sum} bytes: {data} of Unicode data and {small_names} of names");
    let readme = include_str!("../README.md").replace('\n', " ");
    for sentence in [fast, small] {
        assert!(readme.contains(&sentence), "{sentence}");
    }
}
