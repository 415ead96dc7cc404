//! Element names as a small enum, so that rules match on a byte and not on text.

use html5ever::{LocalName, local_name};

macro_rules! tags {
    ($($variant:ident $name:tt,)*) => {
        /// The HTML elements that some rule of this crate names; every other one, and every element of SVG or
        /// MathML, is `Other`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub(crate) enum Tag {
            Other,
            $($variant,)*
        }

        impl Tag {
            pub(super) fn of(name: &LocalName) -> Tag {
                match *name {
                    $(local_name!($name) => Tag::$variant,)*
                    _ => Tag::Other,
                }
            }
        }
    };
}

tags! {
    A "a", Abbr "abbr", Acronym "acronym", Address "address", Area "area", Article "article", Aside "aside",
    Audio "audio", B "b", Base "base", Big "big", Blockquote "blockquote", Body "body", Br "br", Button "button",
    Canvas "canvas", Caption "caption", Center "center", Cite "cite", Code "code", Col "col",
    Colgroup "colgroup", Datalist "datalist", Dd "dd", Del "del", Details "details", Dfn "dfn",
    Dialog "dialog", Dir "dir", Div "div", Dl "dl", Dt "dt", Em "em", Embed "embed", Fieldset "fieldset",
    Figcaption "figcaption", Figure "figure", Font "font", Footer "footer", Form "form", Frame "frame",
    Frameset "frameset", H1 "h1", H2 "h2", H3 "h3", H4 "h4", H5 "h5", H6 "h6", Head "head", Header "header",
    Hgroup "hgroup", Hr "hr", Html "html", I "i", Iframe "iframe", Img "img", Input "input", Ins "ins",
    Kbd "kbd", Label "label", Legend "legend", Li "li", Link "link", Listing "listing", Main "main", Map "map",
    Mark "mark", Math "math", Menu "menu", Meta "meta", Meter "meter", Nav "nav", Noembed "noembed",
    Noframes "noframes", Noscript "noscript", Object "object", Ol "ol", Optgroup "optgroup", Option "option",
    Output "output", P "p", Param "param", Picture "picture", Plaintext "plaintext", Pre "pre",
    Progress "progress", Q "q", Rp "rp", Rt "rt", Ruby "ruby", S "s", Samp "samp", Script "script",
    Search "search", Section "section", Select "select", Slot "slot", Small "small", Source "source",
    Span "span", Strike "strike", Strong "strong", Style "style", Sub "sub", Summary "summary", Sup "sup",
    Svg "svg", Table "table", Tbody "tbody", Td "td", Template "template", Textarea "textarea", Tfoot "tfoot",
    Th "th", Thead "thead", Time "time", Title "title", Tr "tr", Track "track", Tt "tt", U "u", Ul "ul",
    Var "var", Video "video", Wbr "wbr", Xmp "xmp",
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
        matches!(
            self,
            Tag::Script
                | Tag::Style
                | Tag::Template
                | Tag::Noscript
                | Tag::Noembed
                | Tag::Noframes
                | Tag::Iframe
                | Tag::Object
                | Tag::Audio
                | Tag::Video
                | Tag::Canvas
                | Tag::Datalist
                | Tag::Title
                | Tag::Head
                | Tag::Rp
        )
    }

    /// Elements that start on a line of their own.
    pub(crate) fn is_block(self) -> bool {
        matches!(
            self,
            Tag::Address
                | Tag::Article
                | Tag::Aside
                | Tag::Blockquote
                | Tag::Body
                | Tag::Caption
                | Tag::Center
                | Tag::Dd
                | Tag::Details
                | Tag::Dialog
                | Tag::Dir
                | Tag::Div
                | Tag::Dl
                | Tag::Dt
                | Tag::Fieldset
                | Tag::Figcaption
                | Tag::Figure
                | Tag::Footer
                | Tag::Form
                | Tag::Frameset
                | Tag::H1
                | Tag::H2
                | Tag::H3
                | Tag::H4
                | Tag::H5
                | Tag::H6
                | Tag::Header
                | Tag::Hgroup
                | Tag::Hr
                | Tag::Html
                | Tag::Legend
                | Tag::Li
                | Tag::Listing
                | Tag::Main
                | Tag::Menu
                | Tag::Nav
                | Tag::Ol
                | Tag::Optgroup
                | Tag::Option
                | Tag::P
                | Tag::Plaintext
                | Tag::Pre
                | Tag::Search
                | Tag::Section
                | Tag::Select
                | Tag::Summary
                | Tag::Table
                | Tag::Tbody
                | Tag::Td
                | Tag::Tfoot
                | Tag::Th
                | Tag::Thead
                | Tag::Tr
                | Tag::Ul
                | Tag::Xmp
        )
    }
}
