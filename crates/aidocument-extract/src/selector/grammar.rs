//! What the library is to read: the names of pseudo-classes and pseudo-elements.

use std::fmt;

use cssparser::{CowRcStr, ParseError, Parser, ToCss};
use precomputed_hash::PrecomputedHash;
use selectors::parser::SelectorParseErrorKind;

use crate::words::list::words;

type Parsed<T> = Result<T, ParseError<SelectorParseErrorKind>>;

fn unknown<T>() -> Parsed<T> {
    Err(ParseError::custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement))
}

/// Whose selectors are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grammar {
    /// All that browsers know.
    Sheet,
    /// No pseudo-elements, and no states such as `:hover`, which a static page does not have.
    Caller,
}

impl<'i> selectors::Parser<'i> for Grammar {
    type Impl = Names;
    type Error = SelectorParseErrorKind;

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    fn parse_parent_selector(&self) -> bool {
        *self == Grammar::Sheet
    }

    fn is_is_alias(&self, name: &str) -> bool {
        name.eq_ignore_ascii_case("matches") || name.eq_ignore_ascii_case("-webkit-any")
    }

    fn allow_forgiving_selectors(&self) -> bool {
        *self == Grammar::Sheet
    }

    fn parse_non_ts_pseudo_class(&self, name: CowRcStr<'i>) -> Parsed<PseudoClass> {
        let name = name.to_ascii_lowercase();
        Ok(match &*name {
            "link" | "any-link" | "-webkit-any-link" => PseudoClass::Link,
            "checked" => PseudoClass::Checked,
            "disabled" => PseudoClass::Disabled(true),
            "enabled" => PseudoClass::Disabled(false),
            "defined" => PseudoClass::Defined,
            _ if *self == Grammar::Sheet && STATES.contains(&&*name) => PseudoClass::State,
            _ => return unknown(),
        })
    }

    fn parse_non_ts_functional_pseudo_class(
        &self,
        name: CowRcStr<'i>,
        parser: &mut Parser<'i>,
        _: bool,
    ) -> Parsed<PseudoClass> {
        Ok(match &*name.to_ascii_lowercase() {
            "dir" => match &*parser.expect_ident()?.to_ascii_lowercase() {
                "rtl" => PseudoClass::Dir { is_right: true },
                "ltr" => PseudoClass::Dir { is_right: false },
                _ => PseudoClass::State,
            },
            "lang" => PseudoClass::Lang(
                parser.parse_comma_separated(|inner| Ok(Box::from(&**inner.expect_ident_or_string()?)))?,
            ),
            "state" | "host" | "host-context" if *self == Grammar::Sheet => {
                while parser.next().is_ok() {}
                PseudoClass::State
            }
            _ => return unknown(),
        })
    }

    fn parse_pseudo_element(&self, name: CowRcStr<'i>) -> Parsed<PseudoElement> {
        let is_foreign = ["-moz-", "-ms-", "-o-"]
            .iter()
            .any(|start| name.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start)));
        if *self == Grammar::Caller || is_foreign { unknown() } else { Ok(PseudoElement) }
    }

    fn parse_functional_pseudo_element(
        &self,
        name: CowRcStr<'i>,
        parser: &mut Parser<'i>,
    ) -> Parsed<PseudoElement> {
        while parser.next().is_ok() {}
        self.parse_pseudo_element(name)
    }
}

/// Pseudo-classes of a state that the page as delivered is not in: a reader or a script causes it.
const STATES: [&str; 38] = words(
    "hover focus focus-within focus-visible active visited target target-within placeholder-shown \
    autofill -webkit-autofill fullscreen -webkit-full-screen valid invalid user-valid user-invalid \
    in-range out-of-range indeterminate default playing paused modal popover-open open read-only \
    read-write current past future local-link host required optional picture-in-picture \
    active-view-transition buffering",
);

/// The kinds of names in selectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Names;

impl selectors::SelectorImpl for Names {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Name;
    type Identifier = Name;
    type LocalName = Name;
    type NamespaceUrl = Name;
    type NamespacePrefix = Name;
    type BorrowedNamespaceUrl = Name;
    type BorrowedLocalName = Name;
    type NonTSPseudoClass = PseudoClass;
    type PseudoElement = PseudoElement;
}

/// A name or value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Name(pub(super) Box<str>);

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Name(text.into())
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl ToCss for Name {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        cssparser::serialize_identifier(&self.0, out)
    }
}

impl PrecomputedHash for Name {
    /// For the library's filters, which are not in use here.
    fn precomputed_hash(&self) -> u32 {
        0
    }
}

/// A pseudo-class that is not about the place in the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PseudoClass {
    Link,
    Checked,
    Disabled(bool),
    Defined,
    /// In one of these languages.
    Lang(Vec<Box<str>>),
    /// Written from right to left, or from left to right.
    Dir {
        is_right: bool,
    },
    /// Holds for some states of the page, not for the one that was delivered.
    State,
}

impl ToCss for PseudoClass {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        write!(out, ":{self:?}")
    }
}

impl selectors::parser::NonTSPseudoClass for PseudoClass {
    fn is_active_or_hover(&self) -> bool {
        false
    }

    fn is_user_action_state(&self) -> bool {
        *self == PseudoClass::State
    }
}

/// Any pseudo-element: none of them has the page's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PseudoElement;

impl ToCss for PseudoElement {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        out.write_str("::any")
    }
}

impl selectors::parser::PseudoElement for PseudoElement {
    fn accepts_state_pseudo_classes(&self) -> bool {
        true
    }

    fn valid_after_slotted(&self) -> bool {
        true
    }
}
