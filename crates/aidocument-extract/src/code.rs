//! What on a page is code, whatever its elements are: boxes of lines, declarations of an API.

pub(crate) mod boxes;
pub(crate) mod declaration;

pub(crate) use boxes::Code;
