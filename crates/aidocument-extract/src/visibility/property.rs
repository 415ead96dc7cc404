//! The properties that can hide text.

macro_rules! properties {
    ($($(#[$doc:meta])* $variant:ident: $($name:literal)|+,)*) => {
        /// The properties that the verdict asks about. Some stand for several of CSS.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum Property { $($(#[$doc])* $variant,)* }

        impl Property {
            /// How many there are.
            pub(super) const COUNT: usize = Property::EACH.len();
            pub(super) const EACH: &[Property] = &[$(Property::$variant,)*];

            /// The property of a name in any case.
            pub(super) fn of(name: &str) -> Option<Property> {
                cssparser::match_ignore_ascii_case! { name,
                    $($($name)|+ => Some(Property::$variant),)*
                    _ => None
                }
            }
        }
    };
}

properties! {
    Display: "display",
    Visibility: "visibility",
    Opacity: "opacity",
    Overflow: "overflow" | "overflow-x" | "overflow-y" | "overflow-inline" | "overflow-block",
    Width: "width" | "inline-size",
    Height: "height" | "block-size",
    MaxWidth: "max-width" | "max-inline-size",
    MaxHeight: "max-height" | "max-block-size",
    MinWidth: "min-width" | "min-inline-size",
    MinHeight: "min-height" | "min-block-size",
    PaddingTop: "padding-top" | "padding-block" | "padding-block-start",
    PaddingBottom: "padding-bottom" | "padding-block-end",
    PaddingLeft: "padding-left" | "padding-inline" | "padding-inline-start",
    PaddingRight: "padding-right" | "padding-inline-end",
    Padding: "padding",
    Flex: "flex" | "flex-grow",
    Position: "position",
    Left: "left" | "inset-inline-start",
    Top: "top" | "inset-block-start",
    Right: "right" | "inset-inline-end",
    Bottom: "bottom" | "inset-block-end",
    Inset: "inset",
    InsetInline: "inset-inline",
    InsetBlock: "inset-block",
    MarginLeft: "margin-left" | "margin-inline-start",
    MarginTop: "margin-top" | "margin-block-start",
    Margin: "margin",
    MarginInline: "margin-inline",
    MarginBlock: "margin-block",
    /// Every property.
    All: "all",
    TextIndent: "text-indent",
    FontSize: "font-size",
    Font: "font",
    LineHeight: "line-height",
    Color: "color",
    Background: "background-color",
    Backgrounds: "background",
    BackgroundImage: "background-image",
    BackgroundClip: "background-clip" | "-webkit-background-clip",
    Fill: "-webkit-text-fill-color",
    Clip: "clip",
    ClipPath: "clip-path" | "-webkit-clip-path",
    Transform: "transform" | "-webkit-transform",
    Scale: "scale",
    Translate: "translate",
    Rotate: "rotate",
    Float: "float",
    /// Of letters in a drawing.
    Paint: "fill",
    Stroke: "stroke",
    Filter: "filter" | "-webkit-filter",
    ContentVisibility: "content-visibility",
    ZIndex: "z-index",
    Stacking: "isolation" | "will-change" | "mix-blend-mode" | "contain" | "mask" | "mask-image" | "perspective"
        | "backdrop-filter" | "-webkit-backdrop-filter" | "-webkit-mask"
        | "-webkit-mask-image" | "view-transition-name",
    Animation: "animation" | "animation-name" | "-webkit-animation" | "-webkit-animation-name",
    Transition: "transition" | "transition-property" | "-webkit-transition",
}

/// The set of these properties.
macro_rules! set {
    ($($name:ident)+) => {{
        use $crate::visibility::property::{Properties, Property};
        Properties(0 $(| 1 << Property::$name as u8)+)
    }};
}
pub(super) use set;

/// A set of properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Properties(pub(super) u64);

impl Properties {
    pub(super) const fn one(property: Property) -> Self {
        Properties(1 << property as u8)
    }

    pub(super) const fn with(self, other: Properties) -> Properties {
        Properties(self.0 | other.0)
    }

    pub(super) const fn has(self, property: Property) -> bool {
        self.0 >> property as u8 & 1 == 1
    }

    pub(super) const fn meets(self, other: Properties) -> bool {
        self.0 & other.0 != 0
    }
}
