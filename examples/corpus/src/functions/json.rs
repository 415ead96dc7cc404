//! `canonical_json`.

use std::fmt::{self, Write as _};

use datafusion::error::Result;
use tct_canonical_json::{Canonicalizer, Profile};

use super::answer::{Answer, TextColumn};
use super::arguments::Rows;

/// Bad are texts that are not JSON, repeat a member name or are past the canonicalizer's limits.
pub(super) fn canonical(rows: &Rows<'_>) -> Result<Answer> {
    let texts = rows.texts(0)?;
    let canonicalizer = Canonicalizer::new(Profile::Rfc8785);
    let mut canonical = TextColumn::with_capacity(rows.len(), texts.len_bytes());
    for row in 0..rows.len() {
        match texts.row(row) {
            Some(text) => canonical.row(|out| {
                canonicalizer.write_to(text.as_bytes(), |piece| {
                    // Pieces are whole characters.
                    out.write_str(std::str::from_utf8(piece).map_err(|_| fmt::Error)?)
                })
            }),
            None => canonical.null(),
        }
    }
    Ok(canonical.finish())
}
