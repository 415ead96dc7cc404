//! The rules for the file's body.
//!
//! AIWebIndex (AIWI-AMB-28, -29): UTF-8 with or without a byte order mark; lines end with CR, LF or both and are
//! trimmed of blanks; one of them must be `aiwi-verify=<token>`, all others are ignored, comments with `#` among
//! them. HTML, SVG and other XML are refused by type, pages also by their first character: pages that echo their address would verify any token.
//!
//! llmindex (LLMI-AMB-18): a byte order mark at the start and blanks and line ends at the end are dropped; the rest
//! must be the challenge, byte for byte.
//!
//! Both: at most 64 KiB. A larger body is refused, not cut.

use http::HeaderMap;
use http::header::CONTENT_TYPE;

use web_values::MediaType;

use super::{FileWarning, HttpReason};
use crate::dns::near_miss_of;
use crate::token::is_equal;
use crate::{NearMissKind, Protocol, Token};

/// Largest body that is read, in bytes. Callers may stop reading one byte later.
pub const MAX_BODY_BYTES: usize = 64 * 1024;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

pub(super) struct BodyVerdict {
    pub(super) reason: HttpReason,
    pub(super) warnings: Vec<FileWarning>,
    pub(super) near_miss: Option<NearMissKind>,
}

/// Judges the body of a response with status 200.
pub(super) fn judge(token: &Token, headers: &HeaderMap, body: &[u8]) -> BodyVerdict {
    let mut warnings = Vec::new();
    if token.looks_like_file_name() {
        warnings.push(FileWarning::ValueLooksLikeFileName);
    }
    let (mut is_plain, mut is_html, mut is_markup) = (false, false, false);
    // Every line counts, and every part of a list: a sender of several types must not hide the one that matters.
    let values = headers.get_all(CONTENT_TYPE).iter().filter_map(|value| value.to_str().ok());
    for media_type in values.flat_map(|value| value.split(',')).filter_map(MediaType::parse) {
        is_plain |= media_type.essence() == "text/plain";
        is_html |= media_type.is_html() || media_type.essence() == "application/xhtml+xml";
        is_markup |= media_type.is_xml();
    }
    if !is_plain {
        warnings.push(FileWarning::NotPlainText);
    }
    let (reason, near_miss) = if body.len() > MAX_BODY_BYTES {
        (HttpReason::BodyTooLarge, None)
    } else if is_html {
        (HttpReason::HtmlContentType, None)
    } else if is_markup {
        (HttpReason::MarkupContentType, None)
    } else {
        match token.domain().protocol() {
            Protocol::AiWebIndex => judge_lines(token, body),
            Protocol::Llmindex => judge_whole(token, body),
        }
    };
    BodyVerdict { reason, warnings, near_miss }
}

fn judge_lines(token: &Token, body: &[u8]) -> (HttpReason, Option<NearMissKind>) {
    let Ok(text) = core::str::from_utf8(body) else { return (HttpReason::NotUtf8, None) };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_ascii_start().starts_with('<') {
        return (HttpReason::HtmlBody, None);
    }
    let expected = token.published_text();
    let lines = || text.split(['\r', '\n']).map(|line| line.trim_matches([' ', '\t']));
    // No early end: the time does not tell which line matched, nor whether one did.
    let is_match = lines().fold(false, |found, line| found | is_equal(line.as_bytes(), expected.as_bytes()));
    if is_match {
        return (HttpReason::Verified, None);
    }
    let near_miss = lines().find_map(|line| near_miss_of(token, &expected, line.as_bytes()));
    (HttpReason::NoMatch, near_miss)
}

fn judge_whole(token: &Token, body: &[u8]) -> (HttpReason, Option<NearMissKind>) {
    let expected = token.published_text();
    let content = body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body);
    let mut trimmed = content;
    while let [rest @ .., b' ' | b'\t' | b'\r' | b'\n'] = trimmed {
        trimmed = rest;
    }
    // The whole content counts too, for a challenge that itself ends with a blank.
    if is_equal(trimmed, expected.as_bytes()) | is_equal(content, expected.as_bytes()) {
        (HttpReason::Verified, None)
    } else {
        (HttpReason::NoMatch, near_miss_of(token, &expected, trimmed))
    }
}
