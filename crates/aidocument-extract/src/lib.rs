//! x
#![allow(dead_code, missing_docs)]
mod encoding;
mod tree;
