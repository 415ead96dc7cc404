//! `canonical_json`.

use datafusion::error::Result;
use tct_canonical_json::{Canonicalizer, Profile};

use super::answer::{Answer, Cuts};
use super::arguments::Rows;

/// Bad are texts that are no JSON, repeat a member name or are past the canonicalizer's limits.
pub(super) fn canonical(rows: &Rows<'_>) -> Result<Answer> {
    let texts = rows.texts(0)?;
    let canonicalizer = Canonicalizer::new(Profile::Rfc8785);
    let mut canonical = Vec::with_capacity(texts.len_bytes());
    let mut cuts = Cuts::with_capacity(rows.len());
    for row in 0..rows.len() {
        match texts.row(row).map(|text| canonicalizer.write_canonical(text.as_bytes(), &mut canonical)) {
            Some(Ok(())) => cuts.text(canonical.len()),
            Some(Err(_)) => cuts.bad(),
            None => cuts.null(),
        }
    }
    cuts.finish(canonical)
}
