//! Dates in running text, in the languages of [`super::months`].
//!
//! These forms are read: year, month and day as numbers with `-`, `/`, `.` or the signs for year, month and day of
//! Chinese, Japanese and Korean; day and month as numbers before a year of four digits, in the order of the page's
//! language; a day, the name of a month and a year in any order with a year at either end; `ngày 5 tháng 3 năm 2024`.
//! Digits of Arabic, Persian, Devanagari, Bengali and full width count as digits. Years of the Persian and the Thai
//! calendar are converted. A month without a day, and a day without a year, is not a date.

use std::ops::Range;

use super::months::month_of;
use super::page_date::PageDate;

use crate::words::list::words;

/// Which of two numbers that may both be a month comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DayOrder {
    /// As in the United States.
    MonthFirst,
    /// As nearly everywhere else.
    DayFirst,
}

impl DayOrder {
    /// The order for a page in a language, at a host.
    pub(super) fn of(language: &str, host: &str) -> DayOrder {
        const DAY_FIRST: &[&str] =
            &["uk", "au", "nz", "in", "ie", "za", "sg", "my", "pk", "ng", "ke", "eu", "mt", "hk"];
        let mut parts = language.split(['-', '_']);
        let primary = parts.next().unwrap_or_default().to_ascii_lowercase();
        let region = parts.find(|part| part.len() == 2).map(str::to_ascii_uppercase);
        let domain = host.rsplit('.').next().unwrap_or_default();
        match primary.as_str() {
            "en" | "und" | "" => match region.as_deref() {
                Some("US" | "PH") if !DAY_FIRST.contains(&domain) => DayOrder::MonthFirst,
                None if !DAY_FIRST.contains(&domain) => DayOrder::MonthFirst,
                _ => DayOrder::DayFirst,
            },
            _ => DayOrder::DayFirst,
        }
    }
}

/// Most characters of a text that are read.
const MOST: usize = 600;

/// Tokens that may stand between the parts of a date: `5 de marzo de 2024`, `5. März, 2024`, `March 5th, 2024`.
const FILLERS: &[&str] =
    &["de", "of", "do", "del", "th", "st", "nd", "rd", "er", "den", "năm", "the", "г", "م"];

/// Short names of months that are also words of English, and would make a date of `15 Pro 2024`. `04-ago-2021` is one.
const ENGLISH: [&str; 16] = words("pro set out ago led lip lis sty des tem gen mag elo kas ara mars");

#[derive(Debug, Clone, Copy, PartialEq)]
enum What<'a> {
    /// A number and how many digits it has.
    Number(u32, u8),
    /// A word; a short English word is not a month unless it is joined to the numbers beside it.
    Word {
        word: &'a str,
        may_be_english: bool,
    },
    Sign(char),
}

#[derive(Debug, Clone)]
struct Token<'a> {
    what: What<'a>,
    range: Range<usize>,
}

impl Token<'_> {
    /// The month that a word names.
    fn month(&self) -> Option<u8> {
        let What::Word { word, may_be_english } = self.what else { return None };
        let word = (word.len() <= 40).then(|| word.to_lowercase())?;
        let is_english = may_be_english && ENGLISH.contains(&word.as_str());
        // Hebrew writes "in March" as one word.
        let bare = || word.strip_prefix('ב').unwrap_or_default();
        month_of(&word).filter(|_| !is_english).or_else(|| month_of(bare()))
    }
}

/// The dates in the first 600 characters of a text, in order, each with the bytes that it takes. `O(n)`.
pub(super) fn dates(text: &str, order: DayOrder) -> impl Iterator<Item = (PageDate, Range<usize>)> {
    // Every form has three digits. Most lines have fewer, and most of these no sign but those of ASCII.
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let may_have =
        digits > 2 || (!text.is_ascii() && text.chars().filter(|&c| digit(c).is_some()).count() > 2);
    let tokens = if may_have { tokens(text, order == DayOrder::MonthFirst) } else { Vec::new() };
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(rest) = tokens.get(at..).filter(|rest| !rest.is_empty()) {
            if let Some((date, length)) = date_at(rest, order) {
                let start = rest.first()?.range.start;
                let end = rest.get(length - 1)?.range.end;
                at += length;
                return Some((date, start..end));
            }
            at += 1;
        }
        None
    })
}

fn digit(c: char) -> Option<u32> {
    let zero = match c {
        '0'..='9' => '0',
        '\u{660}'..='\u{669}' => '\u{660}',
        '\u{6f0}'..='\u{6f9}' => '\u{6f0}',
        '\u{966}'..='\u{96f}' => '\u{966}',
        '\u{9e6}'..='\u{9ef}' => '\u{9e6}',
        '\u{ff10}'..='\u{ff19}' => '\u{ff10}',
        _ => return None,
    };
    Some(u32::from(c) - u32::from(zero))
}

/// Signs that end a number in Chinese, Japanese and Korean, without spaces between them and other words.
fn is_unit(c: char) -> bool {
    matches!(c, '年' | '月' | '日' | '號' | '号' | '년' | '월' | '일')
}

fn tokens(text: &str, english: bool) -> Vec<Token<'_>> {
    let end = text.char_indices().nth(MOST).map_or(text.len(), |(end, _)| end);
    let text = text.get(..end).unwrap_or_default();
    let mut found = Vec::with_capacity(16);
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if c.is_whitespace() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{200b}') {
            continue;
        }
        let mut end = start + c.len_utf8();
        if let Some(first) = digit(c) {
            let (mut value, mut digits) = (first, 1u8);
            while let Some((at, next)) = chars.peek().and_then(|&(at, c)| Some((at, digit(c)?))) {
                value = value.saturating_mul(10).saturating_add(next);
                digits = digits.saturating_add(1);
                end = chars.next().map_or(end, |(_, c)| at + c.len_utf8());
            }
            found.push(Token { what: What::Number(value, digits), range: start..end });
        } else if c.is_alphabetic() && !is_unit(c) {
            // A full stop within a word is a part of it, as in the short months of Thai.
            while let Some(&(at, c)) = chars.peek() {
                let mut rest = text.get(at..).unwrap_or_default().chars().skip(1);
                let joins = c == '.' && rest.next().is_some_and(|c| c.is_alphabetic() && !c.is_ascii());
                let is_mark =
                    matches!(c, '\u{300}'..='\u{36f}' | '\u{93c}'..='\u{94d}' | '\u{e31}'..='\u{e4e}');
                if is_unit(c) || !(c.is_alphabetic() || is_mark || joins) {
                    break;
                }
                end = at + c.len_utf8();
                chars.next();
            }
            let word = text.get(start..end).unwrap_or_default();
            let is_tied = |sign: u8| {
                start.checked_sub(1).and_then(|before| text.as_bytes().get(before)) == Some(&sign)
                    && text.as_bytes().get(end) == Some(&sign)
            };
            let may_be_english = english && !is_tied(b'-') && !is_tied(b'/');
            found.push(Token { what: What::Word { word, may_be_english }, range: start..end });
        } else {
            found.push(Token { what: What::Sign(c), range: start..end });
        }
    }
    found
}

/// The date that starts with the first token, and how many tokens it takes.
fn date_at(tokens: &[Token<'_>], order: DayOrder) -> Option<(PageDate, usize)> {
    let first = tokens.first()?;
    match first.what {
        What::Word { .. } => named(tokens),
        What::Number(number, 4) => year_first(tokens, number),
        What::Number(number, 1 | 2) => numbers(tokens, number, order)
            .or_else(|| day_and_name(tokens, number))
            .or_else(|| vietnamese(tokens, number)),
        _ => None,
    }
}

fn number_at(tokens: &[Token<'_>], at: usize) -> Option<(u32, u8)> {
    match tokens.get(at)?.what {
        What::Number(value, digits) => Some((value, digits)),
        _ => None,
    }
}

fn sign_at(tokens: &[Token<'_>], at: usize) -> Option<char> {
    match tokens.get(at)?.what {
        What::Sign(sign) => Some(sign),
        _ => None,
    }
}

/// The place of the first token from `at` that is not a filler; at most three are passed over.
fn after_fillers(tokens: &[Token<'_>], at: usize) -> usize {
    let is_filler = |token: &Token<'_>| match token.what {
        What::Sign(sign) => matches!(sign, '.' | ',' | '-' | '/' | 'º' | '،' | '\'' | '’'),
        What::Word { word, .. } => FILLERS.iter().any(|filler| filler.eq_ignore_ascii_case(word)),
        What::Number(..) => false,
    };
    at + tokens.iter().skip(at).take(3).take_while(|token| is_filler(token)).count()
}

/// A year of any calendar, with a month of 1 to 12 or of the Persian calendar.
fn day_of(year: u32, month: u32, day: u32) -> Option<PageDate> {
    if (21..=32).contains(&month) {
        return PageDate::of_persian_day(i64::from(year), month - 20, day);
    }
    match year {
        1300..=1499 => PageDate::of_persian_day(i64::from(year), month, day),
        // The Thai calendar counts from 543 years before.
        2500..=2600 => PageDate::of_day(i64::from(year) - 543, month, day),
        _ => PageDate::of_day(i64::from(year), month, day),
    }
}

/// `2024-03-05`, `2024.3.5`, `2024. 3. 5.`, `2024年3月5日`, `2024. március 5.`, `2024 Mar 5`.
fn year_first(tokens: &[Token<'_>], year: u32) -> Option<(PageDate, usize)> {
    if let (Some(sign), Some((month, ..=2))) = (sign_at(tokens, 1), number_at(tokens, 2)) {
        let pair = match sign {
            '年' => ['月', '月'],
            '년' => ['월', '월'],
            '-' | '/' | '.' | '‐' | '–' => [sign, sign],
            _ => return None,
        };
        let (day, ..=2) = number_at(tokens, 4)? else { return None };
        if sign_at(tokens, 3)? != pair[0] {
            return None;
        }
        let ends = usize::from(sign_at(tokens, 5).is_some_and(is_unit));
        return Some((day_of(year, month, day)?, 5 + ends));
    }
    let at = after_fillers(tokens, 1);
    let month = tokens.get(at)?.month()?;
    let place = after_fillers(tokens, at + 1);
    let (day, ..=2) = number_at(tokens, place)? else { return None };
    Some((day_of(year, month.into(), day)?, place + 1))
}

/// `05.03.2024`, `5/3/2024`, `5-3-24`.
fn numbers(tokens: &[Token<'_>], first: u32, order: DayOrder) -> Option<(PageDate, usize)> {
    let sign = sign_at(tokens, 1).filter(|sign| matches!(sign, '.' | '/' | '-' | '–'))?;
    let (second, ..=2) = number_at(tokens, 2)? else { return None };
    if sign_at(tokens, 3) != Some(sign) {
        return None;
    }
    let year = match number_at(tokens, 4)? {
        (year, 4) => year,
        // Short years are written without spaces; a version or an address goes on.
        (year, 2) if tokens.get(..5)?.windows(2).all(touches) && sign_at(tokens, 5) != Some(sign) => {
            2000 + year
        }
        _ => return None,
    };
    let month_first = match (first, second) {
        (13.., _) => false,
        (_, 13..) => true,
        _ => sign != '.' && order == DayOrder::MonthFirst,
    };
    let (day, month) = if month_first { (second, first) } else { (first, second) };
    Some((day_of(year, month, day)?, 5))
}

fn touches(pair: &[Token<'_>]) -> bool {
    matches!(pair, [first, second] if first.range.end == second.range.start)
}

/// `5 March 2024`, `5. März 2024`, `5 de marzo de 2024`, `5th of March, 2024`.
fn day_and_name(tokens: &[Token<'_>], day: u32) -> Option<(PageDate, usize)> {
    let at = after_fillers(tokens, 1);
    let month = tokens.get(at)?.month()?;
    let place = after_fillers(tokens, at + 1);
    let year = match number_at(tokens, place)? {
        (year, 4) => year,
        // `05-Mar-24`, `5 Mar '24`.
        (year, 2) if matches!(sign_at(tokens, place - 1), Some('-' | '\'' | '’')) => 2000 + year,
        _ => return None,
    };
    Some((day_of(year, month.into(), day)?, place + 1))
}

/// `March 5, 2024`, `Mar. 5th 2024`, `Mar-05-2024`.
fn named(tokens: &[Token<'_>]) -> Option<(PageDate, usize)> {
    let at = after_fillers(tokens, 1);
    let (day, ..=2) = number_at(tokens, at)? else { return None };
    let place = after_fillers(tokens, at + 1);
    let (year, 4) = number_at(tokens, place)? else { return None };
    let month = tokens.first()?.month()?;
    Some((day_of(year, month.into(), day)?, place + 1))
}

/// `5 tháng 3 năm 2024`, `5 tháng 3, 2024`.
fn vietnamese(tokens: &[Token<'_>], day: u32) -> Option<(PageDate, usize)> {
    let Some(What::Word { word, .. }) = tokens.get(1).map(|token| token.what) else { return None };
    if word.to_lowercase() != "tháng" {
        return None;
    }
    let (month, ..=2) = number_at(tokens, 2)? else { return None };
    let place = after_fillers(tokens, 3);
    let (year, 4) = number_at(tokens, place)? else { return None };
    Some((day_of(year, month, day)?, place + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, order: DayOrder) -> Vec<String> {
        dates(text, order).map(|(date, _)| date.to_string()).collect()
    }

    #[test]
    fn dates_in_the_webs_languages() {
        for text in [
            "March 5, 2024",
            "Posted on Mar. 5th, 2024 by Jane",
            "Tuesday 5 March 2024",
            "5th of March, 2024",
            "05-Mar-24",
            "2024 Mar 5",
            "Veröffentlicht am 5. März 2024",
            "5.3.2024",
            "Publié le 5 mars 2024 à 10 h",
            "5 de marzo de 2024",
            "5 de março de 2024",
            "5 marzo 2024",
            "5 maart 2024",
            "5 марта 2024 г.",
            "5 marca 2024",
            "5 března 2024",
            "5 Mart 2024",
            "5 Maret 2024",
            "2024年3月5日",
            "2024年03月05日发布",
            "2024년 3월 5일",
            "2024. 3. 5.",
            "2024. március 5.",
            "5 березня 2024",
            "5 mars 2024",
            "5 martie 2024",
            "5 Μαρτίου 2024",
            "5. maaliskuuta 2024",
            "5. marts 2024",
            "5 במרץ 2024",
            "٥ مارس ٢٠٢٤",
            "5 مارس 2024",
            "۱۵ اسفند ۱۴۰۲",
            "۱۴۰۲/۱۲/۱۵",
            "Ngày 5 tháng 3 năm 2024",
            "5 มีนาคม 2567",
            "5 มี.ค. 2567",
            "५ मार्च २०२४",
        ] {
            assert_eq!(read(text, DayOrder::DayFirst), ["2024-03-05"], "{text}");
        }
    }

    #[test]
    fn what_is_no_date() {
        for text in [
            "March 2024",
            "March 5",
            "iPhone 15 Pro 2024",
            "1.2.2024.5.6 is not read as 2024.5.6 twice",
            "31.02.2024",
            "call 555-12-3456",
            "1234567890",
            "12/2024",
            "",
        ] {
            let found = read(text, DayOrder::MonthFirst);
            assert!(found.is_empty() || text.starts_with("1.2"), "{text}: {found:?}");
        }
    }

    #[test]
    fn a_month_between_signs_is_one_on_english_pages_too() {
        for text in ["04-ago-2021 5:11:10", "4/ago/2021"] {
            assert_eq!(read(text, DayOrder::MonthFirst), ["2021-08-04"], "{text}");
        }
        for text in ["4 ago 2021", "4-ago 2021"] {
            assert_eq!(read(text, DayOrder::MonthFirst), [""; 0], "{text}");
            assert_eq!(read(text, DayOrder::DayFirst), ["2021-08-04"], "{text}");
        }
    }

    #[test]
    fn digits_of_other_scripts_count() {
        for text in [
            "٢٠٢٤-٠٣-٠٥",
            "\u{6f2}\u{6f0}\u{6f2}\u{6f4}-\u{6f0}\u{6f3}-\u{6f0}\u{6f5}",
            "\u{968}\u{966}\u{968}\u{96a}-\u{966}\u{969}-\u{966}\u{96b}",
            "\u{9e8}\u{9e6}\u{9e8}\u{9ea}-\u{9e6}\u{9e9}-\u{9e6}\u{9eb}",
            "\u{ff12}\u{ff10}\u{ff12}\u{ff14}年\u{ff13}月\u{ff15}日",
        ] {
            assert_eq!(read(text, DayOrder::DayFirst), ["2024-03-05"], "{text}");
        }
        assert_eq!(
            read("\u{ff12}\u{ff10}\u{ff12}\u{ff14}-\u{ff11}\u{ff12}-\u{ff11}\u{ff19}", DayOrder::DayFirst),
            ["2024-12-19"]
        );
    }

    #[test]
    fn dates_take_their_bytes_and_no_more() {
        for (text, expected) in [
            ("am 5. März 2024 um", "5. März 2024"),
            ("am 2024年3月5日に", "2024年3月5日"),
            ("am 2024年3月5 に", "2024年3月5"),
            ("(2024-03-05)", "2024-03-05"),
            ("on March 5th, 2024!", "March 5th, 2024"),
            ("5 tháng 3 năm 2024.", "5 tháng 3 năm 2024"),
        ] {
            let (_, range) = dates(text, DayOrder::DayFirst).next().unwrap();
            assert_eq!(&text[range], expected, "{text}");
        }
        assert_eq!(
            read("1.2.2024 3.4.2024, 5/6/2024", DayOrder::DayFirst),
            ["2024-02-01", "2024-04-03", "2024-06-05"]
        );
        // Only the first six hundred characters are read.
        for (before, found) in [(590, 1), (591, 0)] {
            let text = format!("{}2024-03-05", "é".repeat(before - 1) + " ");
            assert_eq!(read(&text, DayOrder::DayFirst).len(), found, "{before}");
        }
    }

    #[test]
    fn short_years_are_written_without_spaces() {
        for (text, expected) in [
            ("5-3-24", &["2024-03-05"][..]),
            ("5.3.24", &["2024-03-05"]),
            ("5. 3. 24", &[]),
            ("5.3. 24", &[]),
            ("5 .3.24", &[]),
            ("5.3.24.1", &[]),
            ("5.3/2024", &[]),
            ("5.3.240", &[]),
            ("5 Mar '24", &["2024-03-05"]),
            ("5-Mar-24", &["2024-03-05"]),
            ("5 Mar 24", &[]),
            ("2024.3/5", &[]),
            ("2024年3-5", &[]),
            ("2024년 3월 5일", &["2024-03-05"]),
            ("2024:3:5", &[]),
            ("2024-03-055", &[]),
            ("2024-003-05", &[]),
            ("2024 Mar 055", &[]),
            ("March 005 2024", &[]),
            ("March 5 24", &[]),
            ("5 tháng 003 2024", &[]),
            ("5 tháng 3 24", &[]),
            ("5 tháng 3 2024", &["2024-03-05"]),
            ("5 thang 3 2024", &[]),
        ] {
            assert_eq!(read(text, DayOrder::DayFirst), expected, "{text}");
        }
    }

    #[test]
    fn years_of_other_calendars_are_converted_at_their_bounds() {
        for (text, expected) in [
            ("1-1-1403", &["2024-03-20"][..]),
            ("5-3-2567", &["2024-03-05"]),
            ("5-3-2500", &["1957-03-05"]),
            ("5-3-2600", &["2057-03-05"]),
            ("5-3-2499", &[]),
            ("5-3-2601", &[]),
        ] {
            assert_eq!(read(text, DayOrder::DayFirst), expected, "{text}");
        }
    }

    #[test]
    fn the_order_of_day_and_month_is_that_of_the_page() {
        for (language, host, order) in [
            ("en", "example.com", DayOrder::MonthFirst),
            ("en-US", "example.com", DayOrder::MonthFirst),
            ("en_PH", "example.com", DayOrder::MonthFirst),
            ("en-GB", "example.com", DayOrder::DayFirst),
            ("en-Latn-US", "example.com", DayOrder::MonthFirst),
            ("en", "example.co.uk", DayOrder::DayFirst),
            ("en-US", "example.co.uk", DayOrder::DayFirst),
            ("und", "example.com", DayOrder::MonthFirst),
            ("", "", DayOrder::MonthFirst),
            ("de", "example.com", DayOrder::DayFirst),
            ("EN", "example.com", DayOrder::MonthFirst),
            ("de-AT", "example.com", DayOrder::DayFirst),
        ] {
            assert_eq!(DayOrder::of(language, host), order, "{language} {host}");
        }
        for (text, order, expected) in [
            ("5/3/2024", DayOrder::MonthFirst, "2024-05-03"),
            ("5/3/2024", DayOrder::DayFirst, "2024-03-05"),
            ("5.3.2024", DayOrder::MonthFirst, "2024-03-05"),
            ("13/3/2024", DayOrder::MonthFirst, "2024-03-13"),
            ("12/3/2024", DayOrder::MonthFirst, "2024-12-03"),
            ("3/13/2024", DayOrder::DayFirst, "2024-03-13"),
            ("3/12/2024", DayOrder::DayFirst, "2024-12-03"),
        ] {
            assert_eq!(read(text, order), [expected], "{text}");
        }
    }
}
