//! Hostile fields: four times the text takes about four times the time.

use std::hint::black_box;

use web_values::links_in;

#[test]
fn links_that_do_not_end() {
    for piece in ["<a,", "<a>;rel=\"", "<a>,", "<a>;rel=a;", "a,", "\"\\", "<a>;a=\"\\\"\","] {
        linear::assert_linear(piece, [30_000, 120_000], |n| {
            black_box(links_in(&piece.repeat(n)).count());
        });
    }
}
