//! What a person sees of each node of a page: the verdicts, which the module `visibility` finds.

use super::NodeId;

macro_rules! reasons {
    ($($(#[$doc:meta])* $variant:ident $code:literal,)*) => {
        /// Why a text is not seen.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum HiddenReason { $($(#[$doc])* $variant,)* }

        impl HiddenReason {
            /// The stable code, in kebab case. It begins with `class` where only the name of a class speaks, and with
            /// `aria` where only ARIA does.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(HiddenReason::$variant => $code,)* }
            }
        }
    };
}

reasons! {
    /// Browsers never show it: the fallback of a video, what a drawing only defines.
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
    /// A box without area that cuts what does not fit.
    NoArea "no-area",
    /// Moved out of the window.
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
    /// A class that means hidden in a framework.
    ClassHidden "class-hidden",
    /// A class for those who hear the page.
    ClassReadOut "class-read-out",
    /// A class of what opens: a panel, a menu, a dialog.
    ClassOpens "class-opens",
    /// A dialog or panel that ARIA calls hidden.
    AriaHidden "aria-hidden",
    /// Characters without a shape: tags, selectors, or zero-width ones between letters.
    Characters "characters",
}

impl HiddenReason {
    /// Whether scripts take it away to show a part of a page: nobody puts a text out of the window for a while.
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

impl std::fmt::Display for HiddenReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code())
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
    /// Readers see it once they open something, or the page's script has run.
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
    /// Whether it is content by the caller's will alone.
    pub(crate) is_kept: bool,
}

/// Whether a node is left out of the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Left {
    /// It is content, should it be chosen.
    #[default]
    No,
    /// It may be chosen with what is around it, and is not written. The content model was made from pages with such text:
    /// without it, it would judge what is shown otherwise.
    Unwritten,
    /// It is not there for anybody.
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

    /// Left out wholly, if so.
    pub(crate) fn wholly_if(self, is_so: bool) -> Mark {
        if is_so { self.wholly() } else { self }
    }
}

/// The verdicts on the nodes of a tree.
#[derive(Debug, Default)]
pub(crate) struct Visibility {
    pub(crate) marks: Vec<Mark>,
    /// Texts that are not seen or have characters without a shape, in the page's order; `None` where a block or a text that is
    /// seen lies between two.
    pub(crate) told: Vec<Option<NodeId>>,
    /// Whether the style sheets were larger than what is read, or matching them took too long.
    pub(crate) is_cut: bool,
}
