//! Round trips, and agreement with second implementations.

use std::time::{Duration, UNIX_EPOCH};

use proptest::prelude::*;
use web_values::{CacheControl, HostKind, MediaType, RetryAfter, Timestamp, UnixSeconds};

const NOW: UnixSeconds = UnixSeconds(1_780_000_000);

proptest! {
    #[test]
    fn http_dates_are_those_of_httpdate(seconds in 0..253_402_300_800u64) {
        let at = UnixSeconds(seconds);
        let text = at.to_http_date();
        prop_assert_eq!(&text, &httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(seconds)));
        prop_assert_eq!(UnixSeconds::parse_http_date(&text, NOW), Some(at));
    }

    /// Whatever the weekday, which is the one thing that httpdate compares and we do not.
    #[test]
    fn what_httpdate_reads_is_read_alike(
        weekday in "(Sun|Mon|Tue|Wed|Thu|Fri|Sat)",
        rest in ", [0-3][0-9] (Jan|Feb|Mar|Dec) (19[7-9]|20[0-9])[0-9] [0-2][0-9]:[0-6][0-9]:[0-5][0-9] (GMT|UTC)"
    ) {
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
        let known = days.iter().find_map(|day| httpdate::parse_http_date(&format!("{day}{rest}")).ok());
        let known = known.map(|time| UnixSeconds(time.duration_since(UNIX_EPOCH).unwrap().as_secs()));
        prop_assert_eq!(UnixSeconds::parse_http_date(&format!("{weekday}{rest}"), NOW), known, "{}{}", weekday, rest);
    }

    #[test]
    fn asctime_and_rfc_850_read_back(seconds in 0..4_102_444_800u64) {
        let at = UnixSeconds(seconds);
        let text = at.to_http_date();
        let words: Vec<&str> = text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        let [weekday, day, month, year, time, _] = words[..] else { panic!("{text}") };
        let asctime = format!("{weekday} {month} {:>2} {time} {year}", day.trim_start_matches('0'));
        prop_assert_eq!(UnixSeconds::parse_http_date(&asctime, NOW), Some(at));
        let rfc_850 = format!("Monday, {day}-{month}-{} {time} GMT", &year[2..]);
        // Read at that very time, the century is never in doubt.
        prop_assert_eq!(UnixSeconds::parse_http_date(&rfc_850, at), Some(at));
    }

    #[test]
    fn instants_print_and_read_back(seconds in 0..253_402_300_800u64) {
        let text = UnixSeconds(seconds).to_string();
        prop_assert_eq!(UnixSeconds::parse_rfc3339(&text), Some(UnixSeconds(seconds)));
        if let Ok(known) = jiff::Timestamp::from_second(seconds as i64) {
            prop_assert_eq!(text, known.to_string());
        }
    }

    #[test]
    fn timestamps_are_those_of_jiff(
        text in "[0-9]{4}-[01][0-9]-[0-3][0-9][Tt][0-2][0-9]:[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
    ) {
        // jiff ends a day before the year 9999 does, and takes offsets of 24 and 25 hours.
        match (Timestamp::parse(&text), text.parse::<jiff::Timestamp>()) {
            (Ok(ours), Ok(theirs)) => {
                let theirs = theirs.as_nanosecond();
                let (seconds, nanos) = ours.instant();
                prop_assert_eq!(i128::from(seconds) * 1_000_000_000 + i128::from(nanos), theirs);
            }
            (Ok(ours), Err(_)) => prop_assert!(text.starts_with("9999-12-3"), "{}", ours),
            (Err(error), Ok(_)) => prop_assert!(false, "{}: {}", text, error),
            (Err(_), Err(_)) => {}
        }
    }

    #[test]
    fn timestamps_print_and_read_back(seconds in -62_167_219_200i64..253_402_300_800, nanos in 0..1_000_000_000u32) {
        let time = Timestamp::from_parts(seconds, nanos).unwrap();
        prop_assert_eq!(Timestamp::parse(&time.to_string()), Ok(time));
    }

    #[test]
    fn directives_print_and_read_back(line in "((no-store|no-cache|private|public|immutable|max-age=[0-9]{0,12}|s-maxage=\"5\"|x=\"[a-z,\"]{0,4}\"),? ?){0,6}") {
        let found = CacheControl::parse([line.as_str()]);
        prop_assert_eq!(CacheControl::parse([found.to_string().as_str()]), found);
    }

    #[test]
    fn media_types_print_and_read_back(text in "[a-z]{1,3}/[a-z+.]{1,4}( ?; ?[a-zA-Z]{0,2}=?(\"[ -~]{0,5}\"?|[!-~]{0,3})){0,4}") {
        let found = MediaType::parse(&text).unwrap();
        prop_assert_eq!(MediaType::parse(&found.to_string()), Some(found));
    }

    /// Whatever is read of any text is written so that it reads the same.
    #[test]
    fn what_is_read_of_any_text_is_written_again(
        text in "\\PC{0,40}", mixed in "[0-9a-z:,;/=\". \\[\\]+-]{0,40}",
        date in "(Sun|Sunday|Mon)?,? ?[0-3]?[0-9][ -](Nov|Feb|nov)[ -](19)?[0-9]{2} [0-2][0-9]:[0-5][0-9]:[0-6][0-9]( GMT| UTC|)",
        time in "[0-9]{4}-[01][0-9]-[0-3][0-9][Tt ]([01][0-9]|2[0-4]):[0-5][0-9]:[0-6][0-9](\\.[0-9]{0,10})?([Zz]|[+-][0-2][0-9]:[0-6][0-9]|)",
        host in "([a-zA-Z0-9-]{1,4}\\.){0,3}(com|EXAMPLE|local|[0-9]{1,3}|\\[?::[0-9a-f:.]{0,8}\\]?)\\.?",
    ) {
        for text in [&text, &mixed, &date, &time, &host] {
            if let Some(at) = UnixSeconds::parse_http_date(text, NOW) {
                prop_assert_eq!(UnixSeconds::parse_http_date(&at.to_http_date(), NOW), Some(at));
                prop_assert_eq!(RetryAfter::parse([text.as_str()], None, NOW).map(RetryAfter::secs), Some(at.0.saturating_sub(NOW.0)));
            }
            if let Ok(time) = Timestamp::parse(text) {
                prop_assert_eq!(Timestamp::parse(&time.spelled().to_string()), Ok(time));
                prop_assert_eq!(Timestamp::parse(&text.to_ascii_uppercase()), Ok(time));
                // Without the offset and the leap second it is the same instant, inside of the four-digit years.
                let utc = Timestamp::parse(&time.to_string()).unwrap();
                let is_inside = (0..=9999).contains(&(time.unix_seconds().div_euclid(31_556_952) + 1970));
                prop_assert!(utc.unix_seconds() == time.unix_seconds() || !is_inside, "{}", text);
            }
            let digits = text.trim_matches([' ', '\t']);
            if let (Some(pause), Ok(number)) = (RetryAfter::parse([text.as_str()], Some(text), NOW), digits.parse::<u64>()) {
                prop_assert_eq!(pause.secs(), number);
            }
            let found = CacheControl::parse([text.as_str()]);
            prop_assert_eq!(CacheControl::parse([found.to_string().as_str()]), found, "{}", text);
            if let Some(found) = MediaType::parse(text) {
                prop_assert_eq!(MediaType::parse(&found.to_string()), Some(found), "{}", text);
            }
            let kind = HostKind::of(text);
            prop_assert_eq!(HostKind::of(&text.to_ascii_uppercase()), kind);
            if kind != HostKind::Invalid && !text.ends_with(['.', ']']) && !text.contains(':') && text.parse::<std::net::IpAddr>().is_err() {
                prop_assert_eq!(HostKind::of(&format!("{text}.")), kind, "one final dot does not matter: {}", text);
            }
        }
    }

    #[test]
    fn a_wrapped_address_is_public_only_if_the_inner_one_is(bits: u32) {
        let inner = core::net::Ipv4Addr::from_bits(bits);
        let is_public = HostKind::of_ipv4(inner).is_public();
        let kind = |text: String| HostKind::of(&text);
        prop_assert_eq!(kind(format!("::ffff:{inner}")).is_public(), is_public);
        prop_assert_eq!(kind(format!("64:ff9b::{inner}")).is_public(), is_public);
        let (high, low) = (bits >> 16, bits & 0xffff);
        for tunnel in [format!("2002:{high:x}:{low:x}::1"), format!("::{inner}"), format!("64:ff9b:1::{inner}")] {
            prop_assert!(!kind(tunnel).is_public());
        }
    }
}
