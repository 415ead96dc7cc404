//! The visibility of each node of a page: the verdicts, which the module `visibility` computes.

use super::{ByNode, NodeId};

named! {
    /// Why a text is not seen.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
    #[non_exhaustive]
    #[repr(u8)]
    pub enum HiddenReason
    /// The stable code, in kebab case. It begins with `class` if only the name of a class is evidence, and
    /// with `aria` if only ARIA is.
    [pub const fn code]
    /// Browsers never show it: the fallback of a video, definitions in an SVG.
    NotRendered "not-rendered",
    /// The attribute `hidden`.
    HiddenAttribute "hidden-attribute",
    /// `hidden=until-found`: it shows when a reader searches for it.
    UntilFound "until-found",
    /// In a `<details>` that is closed.
    ClosedDetails "closed-details",
    /// In a `<dialog>` that is closed.
    ClosedDialog "closed-dialog",
    /// A popover that is closed.
    Popover "popover",
    /// `display: none`.
    Display "display-none",
    /// `visibility: hidden` or `collapse`.
    Visibility "visibility-hidden",
    /// `opacity: 0`.
    Opacity "opacity",
    /// `content-visibility: hidden`.
    ContentVisibility "content-visibility",
    /// `filter: opacity(0)`.
    Filter "filter",
    /// `clip` to nothing.
    Clip "clip",
    /// `clip-path` to nothing.
    ClipPath "clip-path",
    /// A transformation to nothing.
    Transform "transform",
    /// A box without area whose overflow is clipped.
    NoArea "no-area",
    /// Positioned outside of the window.
    OffScreen "off-screen",
    /// `text-indent` out of the box.
    TextIndent "text-indent",
    /// Letters of less than two pixels.
    FontSize "font-size",
    /// Letters without colour.
    NoColor "color-transparent",
    /// Letters in the colour of what is behind them.
    SameColor "color-of-background",
    /// Behind an opaque box.
    Behind "z-index",
    /// A framework's class for hidden elements.
    ClassHidden "class-hidden",
    /// A class for screen readers only.
    ClassReadOut "class-read-out",
    /// A class of elements that open: a panel, a menu, a dialog.
    ClassOpens "class-opens",
    /// A dialog or panel that ARIA calls hidden.
    AriaHidden "aria-hidden",
    /// Characters without a shape: tags, selectors, or zero-width ones between letters.
    Characters "characters",
}

impl HiddenReason {
    /// Returns true if scripts remove this kind of hiding to show a part of a page; positioning outside of the
    /// window, for example, is permanent.
    pub(crate) fn waits(self) -> bool {
        matches!(
            self,
            HiddenReason::Display
                | HiddenReason::Visibility
                | HiddenReason::Opacity
                | HiddenReason::ContentVisibility
                | HiddenReason::ClipPath
                | HiddenReason::Transform
                | HiddenReason::NoArea
                | HiddenReason::ClassHidden
        )
    }

    /// Whether a style hides it, and not an attribute or a class.
    pub(crate) fn is_style(self) -> bool {
        (HiddenReason::Display as u8..=HiddenReason::Behind as u8).contains(&(self as u8))
    }
}

/// Whether a text is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum SeenVerdict {
    /// Readers see it.
    #[default]
    Shown,
    /// Readers do not see it.
    Hidden(HiddenReason),
    /// Readers see it after opening something, or once the page's script has run.
    OnDemand(HiddenReason),
}

impl SeenVerdict {
    /// Why it is not seen.
    #[must_use]
    pub fn reason(self) -> Option<HiddenReason> {
        match self {
            SeenVerdict::Shown => None,
            SeenVerdict::Hidden(reason) | SeenVerdict::OnDemand(reason) => Some(reason),
        }
    }

    /// `shown`, `hidden` or `on-demand`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            SeenVerdict::Shown => "shown",
            SeenVerdict::Hidden(_) => "hidden",
            SeenVerdict::OnDemand(_) => "on-demand",
        }
    }
}

/// What is known of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Mark {
    pub(crate) verdict: SeenVerdict,
    /// Whether it is content.
    pub(crate) left: Left,
    /// Returns true if it is content only because the caller asked for it.
    pub(crate) is_kept: bool,
}

/// Whether a node is left out of the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Left {
    /// Not left out: it is content if it is chosen.
    #[default]
    No,
    /// It may be chosen with the text around it, but is not written. The content model was trained on pages with such
    /// text, and would classify the visible text differently without it.
    Unwritten,
    /// It is removed before the content model sees it.
    Wholly,
}

impl Mark {
    /// Why a text is hidden that is content all the same, since the caller has asked for it.
    pub(crate) fn kept(self) -> Option<HiddenReason> {
        match self.verdict {
            SeenVerdict::Hidden(reason) if self.is_kept => Some(reason),
            _ => None,
        }
    }

    pub(crate) fn hidden(reason: HiddenReason) -> Mark {
        Mark { verdict: SeenVerdict::Hidden(reason), left: Left::Unwritten, is_kept: false }
    }

    /// Seen once it is opened, and content as such.
    pub(crate) fn opens(reason: HiddenReason) -> Mark {
        Mark { verdict: SeenVerdict::OnDemand(reason), left: Left::No, is_kept: false }
    }

    pub(crate) fn wholly(self) -> Mark {
        Mark { left: Left::Wholly, ..self }
    }

    /// Whether the colour of letters hides them.
    pub(crate) fn is_by_color(&self) -> bool {
        matches!(self.verdict.reason(), Some(HiddenReason::NoColor | HiddenReason::SameColor))
    }

    /// Left out wholly, if so.
    pub(crate) fn wholly_if(self, is_so: bool) -> Mark {
        if is_so { self.wholly() } else { self }
    }
}

/// The verdicts on the nodes of a tree.
#[derive(Debug, Default)]
pub(crate) struct Visibility {
    pub(crate) marks: ByNode<Mark>,
    /// Hidden texts and texts with invisible characters, in the page's order; `None` if a block or a visible text is between
    /// two.
    pub(crate) told: Vec<Option<NodeId>>,
    /// Whether the style sheets were larger than what is read, or matching them took too long.
    pub(crate) is_cut: bool,
}
