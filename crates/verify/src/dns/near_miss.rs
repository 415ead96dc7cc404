//! Records that are almost the expected value, and what is wrong about them, to be reported to the
//! owner.
//!
//! A near miss never counts as a match. Comparisons need not take constant time: only somebody who controls the
//! name can place records and measure them.

use super::{TxtRecord, match_value, trim_spaces};
use crate::{Protocol, Token};

/// Most near misses that a report lists.
const MAX_NEAR_MISSES: usize = 32;

/// Most records of one answer that are tried as pieces of one value.
const MAX_PIECES: usize = 8;

/// A record that is almost the expected value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearMiss {
    /// The resolver that has it.
    pub resolver: String,
    /// The record's index in that answer; for a value split across records, that of its first piece.
    pub record: usize,
    /// What is wrong.
    pub kind: NearMissKind,
}

/// What is wrong about a record.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NearMissKind {
    /// The record is a prefix of the expected value.
    Truncated,
    /// The expected value is a prefix of the record.
    Extended,
    /// The token is there without `aiwi-verify=`.
    PrefixMissing,
    /// `aiwi-verify=` with another token.
    OtherToken,
    /// Upper and lower case differ.
    WrongCase,
    /// White space inside, or of another kind than the space.
    WhiteSpace,
    /// Quotes that were pasted with the value. A TXT record may have one pair around the whole, a file may
    /// not.
    Quotes,
    /// The value was cut into two records, where it should be two strings of one.
    SplitAcrossRecords,
    /// The right value at the wrong name.
    WrongName {
        /// The name at which it was found.
        name: String,
    },
}

impl NearMissKind {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            NearMissKind::Truncated => "truncated",
            NearMissKind::Extended => "extended",
            NearMissKind::PrefixMissing => "prefix-missing",
            NearMissKind::OtherToken => "other-token",
            NearMissKind::WrongCase => "wrong-case",
            NearMissKind::WhiteSpace => "white-space",
            NearMissKind::Quotes => "quotes",
            NearMissKind::SplitAcrossRecords => "split-across-records",
            NearMissKind::WrongName { .. } => "wrong-name",
        }
    }
}

/// Searches all records. Each answer is given as the name that was asked for (if it is not the expected one), the
/// resolver, and the records.
pub(super) fn find<'a>(
    token: &Token,
    expected: &str,
    answers: impl Iterator<Item = (Option<&'a str>, &'a str, &'a [TxtRecord])>,
) -> Vec<NearMiss> {
    answers
        .flat_map(|(elsewhere, resolver, records)| {
            let kinds = match elsewhere {
                Some(name) => at_wrong_name(expected, name, records),
                None => at_name(token, expected, records),
            };
            kinds.into_iter().map(move |(record, kind)| NearMiss { resolver: resolver.into(), record, kind })
        })
        .take(MAX_NEAR_MISSES)
        .collect()
}

fn at_wrong_name(expected: &str, name: &str, records: &[TxtRecord]) -> Vec<(usize, NearMissKind)> {
    let is_match = |record: &TxtRecord| match_value(expected, &record.value()).is_some();
    records
        .iter()
        .position(is_match)
        .map(|record| (record, NearMissKind::WrongName { name: name.into() }))
        .into_iter()
        .collect()
}

fn at_name(token: &Token, expected: &str, records: &[TxtRecord]) -> Vec<(usize, NearMissKind)> {
    let values: Vec<Vec<u8>> = records.iter().map(TxtRecord::value).collect();
    if let Some(record) = split_across(expected, &values) {
        return vec![(record, NearMissKind::SplitAcrossRecords)];
    }
    values
        .iter()
        .enumerate()
        .take(MAX_NEAR_MISSES)
        .filter_map(|(record, value)| Some((record, kind_of(token, expected, value)?)))
        .collect()
}

/// The first of two records that, joined in either order, are the expected value.
fn split_across(expected: &str, values: &[Vec<u8>]) -> Option<usize> {
    let pieces = || values.iter().map(|value| trim_spaces(value)).enumerate().take(MAX_PIECES);
    pieces().find_map(|(first, head)| {
        let rest = expected.as_bytes().strip_prefix(head).filter(|_| !head.is_empty())?;
        let completes = |(second, tail): (usize, &[u8])| second != first && !tail.is_empty() && tail == rest;
        pieces().any(completes).then_some(first)
    })
}

/// What is wrong about this one value, if it is almost the expected one.
pub(crate) fn kind_of(token: &Token, expected: &str, value: &[u8]) -> Option<NearMissKind> {
    let without = |drop: fn(u8) -> bool| value.iter().copied().filter(|&b| !drop(b)).collect::<Vec<u8>>();
    let expected_bytes = expected.as_bytes();
    let trimmed = trim_spaces(value);
    if expected_bytes.is_empty() || trimmed.is_empty() {
        return None;
    }
    match match_value(expected, value) {
        Some(true) => return Some(NearMissKind::Quotes),
        Some(false) => return None,
        None => {}
    }
    if without(|b| b.is_ascii_whitespace()) == expected_bytes {
        return Some(NearMissKind::WhiteSpace);
    }
    if value.contains(&b'"') && without(|b| b == b'"' || b.is_ascii_whitespace()) == expected_bytes {
        return Some(NearMissKind::Quotes);
    }
    if trimmed.eq_ignore_ascii_case(expected_bytes) {
        return Some(NearMissKind::WrongCase);
    }
    let prefix = token.domain().protocol().value_prefix().as_bytes();
    let is_aiwebindex = token.domain().protocol() == Protocol::AiWebIndex;
    if is_aiwebindex && trimmed == token.expose().as_bytes() {
        return Some(NearMissKind::PrefixMissing);
    }
    if trimmed.starts_with(expected_bytes) {
        return Some(NearMissKind::Extended);
    }
    if expected_bytes.starts_with(trimmed) && trimmed.len() > prefix.len() {
        return Some(NearMissKind::Truncated);
    }
    (is_aiwebindex && trimmed.starts_with(prefix)).then_some(NearMissKind::OtherToken)
}
