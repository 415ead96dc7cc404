//! The integration tests of this package as one program, so that it is linked once.

mod agent;
mod drive;
#[path = "../../examples/hyper.rs"]
#[allow(dead_code, unreachable_pub, reason = "an example has a main, which is not called here")]
mod example;
mod fetch;
mod hyper;
mod publisher;
mod revisions;
mod service;
mod simulation;
mod sitemaps;
mod strangers;
mod terms;
mod world;
