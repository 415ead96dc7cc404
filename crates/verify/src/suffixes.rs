//! Public suffixes: where one owner's names end and another's begin.
//!
//! `alice.github.io` and `bob.github.io` belong to two people, `a.example.com` and `b.example.com` to one. Only the
//! Public Suffix List, including its private section, knows the difference. The list becomes outdated, so the
//! caller passes it in: [`BundledSuffixes`] is compiled in (feature `psl`), [`NoSuffixes`] is empty, and any other
//! source implements one method:
//!
//! ```
//! use verify::PublicSuffixes;
//!
//! struct OnlyTheseTwo;
//!
//! impl PublicSuffixes for OnlyTheseTwo {
//!     fn public_suffix<'a>(&self, name: &'a str) -> Option<&'a str> {
//!         let last_two = name.rmatch_indices('.').nth(1).map_or(name, |(at, _)| &name[at + 1..]);
//!         matches!(last_two, "github.io" | "co.uk").then_some(last_two)
//!     }
//! }
//! assert_eq!(OnlyTheseTwo.registrable_domain("www.alice.github.io"), Some("alice.github.io"));
//! assert_eq!(OnlyTheseTwo.registrable_domain("github.io"), None);
//! ```

/// A source of public suffixes. `Sync`, so that a [`WellKnownCheck`](crate::WellKnownCheck) can move between the
/// threads of a runtime while it waits for a response.
pub trait PublicSuffixes: Sync {
    /// The public suffix that `name` ends in, or `None` where the source does not know one.
    ///
    /// `name` is lower case, in A-labels, without a trailing dot. The answer is the end of `name` that the longest
    /// matching rule gives, starting behind a dot, or all of `name` where it is a public suffix itself. Rules of
    /// the list's private section must count: without them every customer of a hosting company owns the others.
    fn public_suffix<'a>(&self, name: &'a str) -> Option<&'a str>;

    /// The public suffix of `name` and one label more: the part that one owner registered. `None` where `name` is
    /// a public suffix, or its suffix is unknown.
    fn registrable_domain<'a>(&self, name: &'a str) -> Option<&'a str> {
        let suffix = self.public_suffix(name)?;
        let owned = name.strip_suffix(suffix)?.strip_suffix('.')?;
        let label = owned.rsplit('.').next().filter(|label| !label.is_empty())?;
        name.get(owned.len().checked_sub(label.len())?..)
    }
}

impl<S: PublicSuffixes + ?Sized> PublicSuffixes for &S {
    fn public_suffix<'a>(&self, name: &'a str) -> Option<&'a str> {
        (**self).public_suffix(name)
    }
}

/// No list: no name counts as a public suffix, and redirects are followed to the identical host only.
///
/// Spec: AIWI-AMB-30.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NoSuffixes;

impl PublicSuffixes for NoSuffixes {
    fn public_suffix<'a>(&self, _name: &'a str) -> Option<&'a str> {
        None
    }
}

/// The Public Suffix List as compiled into the `psl` crate, private section included; its date is that crate's.
///
/// ```
/// use verify::{BundledSuffixes, PublicSuffixes};
///
/// assert_eq!(BundledSuffixes.registrable_domain("www.example.co.uk"), Some("example.co.uk"));
/// assert_eq!(BundledSuffixes.registrable_domain("alice.github.io"), Some("alice.github.io"));
/// assert_eq!(BundledSuffixes.registrable_domain("www.ck"), Some("www.ck")); // the exception to *.ck
/// assert_eq!(BundledSuffixes.registrable_domain("shop.ck"), None);
/// ```
#[cfg(feature = "psl")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BundledSuffixes;

#[cfg(feature = "psl")]
impl PublicSuffixes for BundledSuffixes {
    fn public_suffix<'a>(&self, name: &'a str) -> Option<&'a str> {
        psl::suffix_str(name)
    }
}

/// Returns true if both hosts are the same or have the same registrable domain.
pub(crate) fn is_same_owner(suffixes: &dyn PublicSuffixes, a: &str, b: &str) -> bool {
    a == b
        || matches!((suffixes.registrable_domain(a), suffixes.registrable_domain(b)), (Some(a), Some(b)) if a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_list_only_identical_hosts_are_one_owners() {
        assert!(is_same_owner(&NoSuffixes, "a.example.com", "a.example.com"));
        assert!(!is_same_owner(&NoSuffixes, "a.example.com", "example.com"));
    }

    /// Whatever a source answers, there is no panic and the result is always a suffix of `name`.
    #[test]
    fn nonsense_from_a_source_is_no_registrable_domain() {
        struct Says(&'static str);
        impl PublicSuffixes for Says {
            fn public_suffix<'a>(&self, _name: &'a str) -> Option<&'a str> {
                Some(self.0)
            }
        }
        for nonsense in ["", "om", "com.", "org", ".com", "example.com", "a.very.long.name.example.com"] {
            assert_eq!(Says(nonsense).registrable_domain("example.com"), None, "{nonsense:?}");
        }
        assert_eq!(Says("com").registrable_domain("example.com"), Some("example.com"));
        assert_eq!(Says("com").registrable_domain(".com"), None);
    }

    #[cfg(feature = "psl")]
    #[test]
    fn the_bundled_list_has_its_private_section_and_its_wildcards() {
        let same = |a, b| is_same_owner(&BundledSuffixes, a, b);
        assert!(same("www.example.com", "example.com"));
        assert!(!same("alice.github.io", "bob.github.io"));
        assert!(!same("a.co.uk", "b.co.uk"));
        assert!(same("x.a.co.uk", "a.co.uk"));
        assert!(!same("a.b.ck", "c.b.ck"));
        assert!(same("a.www.ck", "www.ck"));
        assert!(!same("co.uk", "a.co.uk"));
    }
}
