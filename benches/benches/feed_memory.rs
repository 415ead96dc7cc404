//! llmindex: what reading a feed keeps in memory. Fails where it is more than 8 MiB beside the identifiers.

use std::io::Write as _;

use llmindex_types::{FeedOptions, FeedReader};
use peak_alloc::PeakAlloc;

#[global_allocator]
static COUNTED: PeakAlloc = PeakAlloc;

const MIB: f64 = 1_048_576.0;

/// Reads so many products, made chunk by chunk, and gives the peak of what was allocated, in bytes.
fn peak(products: u64, options: FeedOptions) -> (usize, usize) {
    let mut chunk = Vec::with_capacity(1 << 17);
    let before = COUNTED.current_usage();
    COUNTED.reset_peak_usage();
    let mut reader = FeedReader::new([3; 16], options);
    let mut good = 0;
    for n in 0..products {
        writeln!(
            chunk,
            "{{\"id\":\"shop-{n:08}\",\"title\":\"Boots {n}\",\"url\":\"https://shop.example/{n}\",\"price\":{n}.10,\
             \"currency\":\"EUR\",\"availability\":\"in_stock\",\"updated_at\":\"2026-02-15T08:00:00Z\"}}"
        )
        .expect("a vector takes all");
        if chunk.len() >= 64 << 10 {
            // Cut as a network would: in the middle of a line.
            let (mut bytes, rest) = chunk.split_at(64 << 10);
            while let Some(line) = reader.next_line(&mut bytes) {
                good += u64::from(line.is_valid());
            }
            let rest = rest.len();
            chunk.drain(..chunk.len() - rest);
        }
    }
    let mut bytes = chunk.as_slice();
    while let Some(line) = reader.next_line(&mut bytes) {
        good += u64::from(line.is_valid());
    }
    assert_eq!(good, products);
    (COUNTED.peak_usage() - before, reader.remembered_ids())
}

fn main() {
    for products in [10_000, 1_000_000] {
        let (without, _) = peak(products, FeedOptions::default().max_ids(0));
        let (with, ids) = peak(products, FeedOptions::default());
        println!(
            "MEMORY feed/{products} products: {without} bytes beside the identifiers, {:.2} MiB with {ids} of them ({:.1} bytes each)",
            with as f64 / MIB,
            (with - without) as f64 / ids as f64
        );
        assert!(without as f64 <= 8.0 * MIB, "more than 8 MiB");
    }
}
