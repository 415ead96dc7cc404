//! `tct_normalize`, `tct_fingerprint`, `tct_fingerprint_text`.

use datafusion::arrow::array::{FixedSizeBinaryBuilder, StringBuilder};
use datafusion::error::Result;
use tct_fingerprint::{Fingerprint, Fingerprinter, write_normalized};

use super::answer::{Answer, TextColumn};
use super::arguments::Rows;

/// Every text has a normal form.
pub(super) fn normalize(rows: &Rows<'_>) -> Result<Answer> {
    let texts = rows.texts(0)?;
    let mut normalized = TextColumn::with_capacity(rows.len(), texts.len_bytes());
    for row in 0..rows.len() {
        match texts.row(row) {
            Some(text) => normalized.row(|out| write_normalized(text, out)),
            None => normalized.null(),
        }
    }
    Ok(normalized.finish())
}

pub(super) fn fingerprint(rows: &Rows<'_>) -> Result<Answer> {
    let texts = rows.texts(0)?;
    let mut fingerprinter = Fingerprinter::new();
    let mut digests = FixedSizeBinaryBuilder::with_capacity(rows.len(), 32);
    for row in 0..rows.len() {
        match texts.row(row) {
            Some(text) => digests.append_value(fingerprinter.finish_with(text).as_bytes())?,
            None => digests.append_null(),
        }
    }
    Ok(Answer::new(digests.finish(), 0))
}

pub(super) fn fingerprint_text(rows: &Rows<'_>) -> Result<Answer> {
    let texts = rows.texts(0)?;
    let mut fingerprinter = Fingerprinter::new();
    let mut printed = StringBuilder::with_capacity(rows.len(), rows.len() * Fingerprint::TEXT_LEN);
    let mut buffer = [0; Fingerprint::TEXT_LEN];
    for row in 0..rows.len() {
        match texts.row(row) {
            Some(text) => printed.append_value(fingerprinter.finish_with(text).encode(&mut buffer)),
            None => printed.append_null(),
        }
    }
    Ok(Answer::new(printed.finish(), 0))
}
