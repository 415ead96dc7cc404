//! The libraries of this workspace as a Python package: `aiweb`. What is here is the border alone; the package's Python part,
//! under `python/aiweb`, gives it names, types and documentation.

mod crawl;
mod document;
mod failure;
mod feed;
mod page;
mod robots_file;
mod text;
mod trust;

use pyo3::prelude::*;

/// The border between Python and the libraries; `aiweb` is what to import.
#[pymodule]
mod _aiweb {
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use crate::crawl::Crawl;
    #[pymodule_export]
    use crate::document::{Document, extract_document};
    #[pymodule_export]
    use crate::feed::{FeedReader, validate_manifest, validate_product};
    #[pymodule_export]
    use crate::page::{Content, Pages, extract, markdown};
    #[pymodule_export]
    use crate::robots_file::{Decision, Robots};
    #[pymodule_export]
    use crate::text::{Fingerprinter, canonicalize, fingerprint, first_difference, is_canonical, normalize};
    #[pymodule_export]
    use crate::trust::{RequestCheck, sign_manifest, sign_request, thumbprint, verify_manifest};
}
