//! Element names as a small enum, so that rules match on a byte and not on text.

use html5ever::{LocalName, local_name};

/// Kinds of elements, as bits: see the methods of [`Tag`].
const NONE: u8 = 0;
const SILENT: u8 = 1;
const BLOCK: u8 = 1 << 1;
const WRITTEN: u8 = 1 << 2;
const IN_LINE: u8 = 1 << 3;

macro_rules! tags {
    ($($kinds:tt: $($variant:ident $name:tt),*;)*) => {
        /// The HTML elements that some rule of this crate names; every other one, and every element of SVG or
        /// MathML, is `Other`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub(crate) enum Tag {
            Other,
            $($($variant,)*)*
        }

        impl Tag {
            pub(super) fn of(name: &LocalName) -> Tag {
                match *name {
                    $($(local_name!($name) => Tag::$variant,)*)*
                    _ => Tag::Other,
                }
            }

            /// The kinds of the element, as bits.
            const fn kinds(self) -> u8 {
                match self {
                    Tag::Other => NONE,
                    $($(Tag::$variant => $kinds,)*)*
                }
            }
        }
    };
}

tags! {
    NONE: Acronym "acronym", Area "area", Base "base", Big "big", Br "br", Button "button", Col "col",
        Colgroup "colgroup", Dfn "dfn", Embed "embed", Frame "frame", Img "img", Input "input", Label "label",
        Link "link", Map "map", Math "math", Meta "meta", Meter "meter", Output "output", Param "param",
        Picture "picture", Progress "progress", Rt "rt", Ruby "ruby", Slot "slot", Source "source",
        Strike "strike", Svg "svg", Textarea "textarea", Track "track", Tt "tt", Wbr "wbr";
    IN_LINE: Font "font", Span "span";
    WRITTEN: Del "del", Ins "ins", Kbd "kbd", Samp "samp", Sub "sub", Sup "sup", Time "time", U "u",
        Var "var";
    {WRITTEN | IN_LINE}: A "a", Abbr "abbr", B "b", Cite "cite", Code "code", Em "em", I "i", Mark "mark",
        Q "q", S "s", Small "small", Strong "strong";
    BLOCK: Address "address", Aside "aside", Body "body", Center "center", Dialog "dialog", Dir "dir",
        Fieldset "fieldset", Footer "footer", Form "form", Frameset "frameset", Header "header",
        Hgroup "hgroup", Hr "hr", Html "html", Legend "legend", Listing "listing", Menu "menu", Nav "nav",
        Optgroup "optgroup", Option "option", Plaintext "plaintext", Search "search", Select "select",
        Xmp "xmp";
    {BLOCK | WRITTEN}: Article "article", Blockquote "blockquote", Caption "caption", Dd "dd",
        Details "details", Div "div", Dl "dl", Dt "dt", Figcaption "figcaption", Figure "figure", H1 "h1",
        H2 "h2", H3 "h3", H4 "h4", H5 "h5", H6 "h6", Li "li", Main "main", Ol "ol", P "p", Pre "pre",
        Section "section", Summary "summary", Table "table", Tbody "tbody", Td "td", Tfoot "tfoot", Th "th",
        Thead "thead", Tr "tr", Ul "ul";
    SILENT: Audio "audio", Canvas "canvas", Datalist "datalist", Head "head", Iframe "iframe",
        Noembed "noembed", Noframes "noframes", Noscript "noscript", Object "object", Rp "rp",
        Script "script", Style "style", Template "template", Title "title", Video "video";
}

impl Tag {
    /// The level of a heading element.
    pub(crate) fn heading_level(self) -> Option<u8> {
        Some(match self {
            Tag::H1 => 1,
            Tag::H2 => 2,
            Tag::H3 => 3,
            Tag::H4 => 4,
            Tag::H5 => 5,
            Tag::H6 => 6,
            _ => return None,
        })
    }

    /// Elements whose text is never shown: scripts, alternatives for other programs, and the content of
    /// `<template>`.
    pub(crate) fn is_silent(self) -> bool {
        self.kinds() & SILENT != 0
    }

    /// Elements that start on a line of their own.
    pub(crate) fn is_block(self) -> bool {
        self.kinds() & BLOCK != 0
    }

    /// Parts of a table, except its caption.
    pub(crate) fn is_in_table(self) -> bool {
        matches!(self, Tag::Tr | Tag::Td | Tag::Th | Tag::Tbody | Tag::Thead | Tag::Tfoot)
    }

    /// Elements that clean HTML keeps; of others it has only what is in them.
    pub(crate) fn is_written(self) -> bool {
        self.kinds() & WRITTEN != 0
    }

    /// Elements that are parts of a line, unless a style says something else.
    pub(crate) fn is_in_line(self) -> bool {
        self.kinds() & IN_LINE != 0
    }
}
