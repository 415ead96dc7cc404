//! What may be cached, and for how long it may be used.
//!
//! Nothing here sends credentials. If your client does, keep the responses apart from public ones and separate for each
//! account, and send credentials only to the origin they are for (TCT-SEC-17 to TCT-SEC-19).

pub use web_values::CacheControl;

#[cfg(test)]
mod tests {
    use super::*;
    use covers::covers;

    fn directives(lines: &[&'static str]) -> CacheControl {
        CacheControl::parse(lines.iter().copied())
    }

    #[test]
    fn one_line_and_three_lines_are_the_same() {
        let one = directives(&[crate::response::PUBLIC_CACHE_CONTROL]);
        assert_eq!(
            one,
            directives(&["max-age=0, must-revalidate", "stale-while-revalidate=60", "stale-if-error=86400"])
        );
        assert_eq!((one.max_age_secs, one.stale_if_error_secs), (Some(0), Some(86_400)));
        assert!(!one.is_fresh(0));
        assert!(!one.may_use_stale(1, true), "must-revalidate outranks stale-if-error");
    }

    #[test]
    #[covers("TCT-SEC-15", "TCT-SEC-18")]
    fn private_and_no_store_are_told_apart() {
        assert!(directives(&["private"]).may_store_privately());
        assert!(!directives(&["private"]).may_store_shared());
        assert!(!directives(&["no-store"]).may_store_privately());
    }
}
