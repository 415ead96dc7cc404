//! The integration tests of this package as one program, so that it is linked once.

mod addresses;
mod allocations;
mod axum;
mod common;
mod crawl;
mod crawl_answers;
mod discovery;
mod duties;
mod edges;
mod edges_v03;
mod errors;
mod fields;
mod held;
mod names;
mod properties;
mod resources;
mod responses;
mod schemas;
mod sentences;

mod simulation;
mod sitemaps;
mod stories;
mod v03;
mod v03_crawl;
mod zero_fetch;
