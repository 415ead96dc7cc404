//! The rules of the extraction: what is decided about a page by something else than the content model.
//!
//! Their order here is the order in which they run. Each can be switched off in a build with the feature `training`;
//! `examples/evaluate --rules` does so for one after the other and prints what each is worth: `docs/rules.md`.

/// The rules that are on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Rules {
    #[cfg(feature = "training")]
    off: u128,
}

impl Rules {
    /// All rules except some, by their places in the list.
    #[cfg(feature = "training")]
    pub(crate) fn without(places: &[usize]) -> Rules {
        Rules { off: places.iter().fold(0, |off, place| off | 1 << place) }
    }

    /// Whether a rule is on: always, except in training.
    #[inline]
    pub(crate) const fn has(self, rule: Rule) -> bool {
        #[cfg(feature = "training")]
        return self.off >> rule as u32 & 1 == 0;
        #[cfg(not(feature = "training"))]
        {
            let _ = rule;
            true
        }
    }
}

macro_rules! rules {
    ($($rule:ident $stage:ident $looks_at:literal => $changes:literal,)*) => {
        /// A rule.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Rule {
            $(#[doc = $looks_at] $rule,)*
        }

        /// Name, stage, what the rule looks at and what it may change.
        #[cfg(any(test, feature = "training"))]
        pub(crate) const ALL: &[[&str; 4]] =
            &[$([stringify!($rule), stringify!($stage), $looks_at, $changes],)*];
    };
}

rules! {
    AwaitedParts page "parts of a hundred words or more that are hidden until a script runs" => "counts them as shown",
    NoscriptPage page "`<noscript>` with more text than the page shows" => "reads it as the page",
    HiddenPage page "a page that shows nothing" => "reads what attributes `style` hide",
    TexInText structure "TeX between dollars or `\\(` and `\\)` where a script sets it" => "writes it as a formula",
    LinkedNotes structure "links of a number, letter or sign to a place further down" => "makes mark and place a footnote",
    RaisedNotes structure "raised numbers without links, paragraphs that start with the same" => "makes both a footnote",
    ListedNotes structure "raised numbers without links, numbered lists that are named as notes" => "makes both a footnote",
    InlineNotes structure "elements in a line that are named as notes" => "makes each a footnote",
    Formulas structure "MathML, output of KaTeX and MathJax, images of TeX" => "writes each formula once, as TeX",
    NamedNoise structure "classes of links to a heading itself" => "leaves them out of the text",
    SaidNoise structure "signs and sayings of links in headings" => "leaves them out of the heading",
    LinksBack structure "links from a note back to its mark" => "leaves them out",
    SmallPages choice "pages of at most 60 words" => "goes by the markup alone, without the model",
    Tables choice "how much of a table of data is kept" => "keeps or leaves out all of it",
    TablesInText choice "tables of data between kept texts, or behind one with a caption" => "keeps them whole",
    TablesOfLinks choice "names and roles of tables that are menus" => "leaves them out",
    Code choice "blocks of code of which something is kept" => "keeps them whole",
    Terms choice "lists of terms of which half is kept" => "keeps them whole",
    Quotes choice "quotes of which half is kept" => "keeps them whole",
    WholeCaptions choice "captions of which something is kept" => "keeps them whole",
    CodeBetween choice "blocks of code between kept texts" => "keeps them",
    HeadingsBetween choice "headings between kept blocks" => "keeps them",
    HeadingsAtEnd choice "headings behind the last kept text" => "leaves them out",
    BesideCode choice "names of languages beside code" => "leaves them out",
    Buttons choice "buttons of three words that open nothing" => "leaves them out",
    Cards teasers "neighbours that begin with headings that lead to other pages of the site, in an article" => "leaves out the grid or list",
    CardsBeside teasers "the same, beside the page's only `<article>`" => "leaves out the list",
    ArticlesBeside teasers "short `<article>`s of another class beside the text of one" => "leaves them out",
    ArticlesUnder teasers "several `<article>`s under a heading such as Related" => "leaves them out",
    Teasers teasers "links under a label such as Related" => "leaves them out with the label",
    Pleas teasers "boxes named for signing up, with something to fill in" => "leaves them out",
    Tabs teasers "lists of tabs" => "leaves them out",
    Replies teasers "forms with a large field" => "leaves them out with their heading",
    CardsAside teasers "an `<aside>` that begins with a heading that leads to another page of the site" => "leaves it out",
    Contents teasers "lists of links to places on the page" => "leaves them out with their label",
    RestOfTexts gaps "paragraphs that were nearly chosen among those of a kept text" => "keeps them",
    RestOfLists gaps "items that were nearly chosen next to kept ones" => "keeps them",
    AnnouncedLists gaps "a list behind a kept line that ends with a colon" => "keeps it",
    ListsBetween gaps "a list between two kept paragraphs" => "keeps it",
    Gaps gaps "runs of blocks between two kept ones" => "fills them as the eight rules below say",
    GapsOfFlow gaps "paragraphs without links in a row of paragraphs of which most are kept" => "keeps them",
    GapsOfItems gaps "lists without links between kept texts" => "keeps them",
    GapsNearly gaps "texts that were nearly chosen between kept ones" => "keeps them",
    GapsInLists gaps "gaps in a list, in an item or among terms" => "keeps what is in them",
    GapsOfHeadings gaps "headings and code in a gap" => "keeps them",
    GapsOfLines gaps "up to eight paragraphs in a gap between their siblings" => "keeps them",
    ListsInGaps gaps "lists without links in a gap with other things" => "keeps them",
    LinesInGaps gaps "paragraphs that were nearly chosen in a gap with other things" => "keeps them",
    Boxes gaps "boxes named as notes beside kept text" => "keeps them",
    FiguresOfCode gaps "figures of code between kept texts" => "keeps them",
    Captions gaps "captions of figures that hold kept text" => "keeps them",
    LoneCaptions gaps "captions between kept texts that no image takes" => "keeps them",
    Slides gaps "neighbours that begin with 1/50, 2/50" => "leaves out the gallery",
    Sources gaps "a list under a label such as See also" => "keeps it with the label",
    HeadingsOfSections gaps "headings over sections of which most is kept" => "keeps them",
    Headings gaps "headings right over kept text" => "keeps them",
    EmptySections gaps "headings of sections of which nothing is kept" => "leaves them out",
    Repeats gaps "blocks that repeat those right before" => "leaves them out",
    PartsTwice gaps "parts whose whole text is further up" => "leaves them out",
    Members gaps "cards about members beside the posts of a forum, by their names" => "leaves them out",
    ListsOfTeasers gaps "pages of which the rules leave hardly anything" => "undoes all rules on teasers and gaps",
    Title choice "the heading that agrees with the page's title" => "keeps it",
    SiteName choice "a first heading that names the site" => "leaves it out",
    LateImages images "attributes of late loading" => "takes the address from them",
    ImagesInNoscript images "`<noscript>` beside a placeholder" => "takes the image from it",
    ImagesBetween images "images between two kept texts" => "keeps them whatever their name",
    ImagesInLines images "images in a line or a figure of which text is kept" => "keeps them",
    ImagesNear images "images near kept text in a gap, before or behind" => "keeps them",
    Invisible images "size and names of images that count visitors" => "leaves them out",
    Portraits images "names of portraits" => "leaves them out",
    Icons images "size and names of icons" => "leaves them out in gaps",
    NamedBoxes images "names and tags of boxes around an image in a gap" => "leaves the image out",
    BoxesOfText images "boxes around an image with a text or links of their own" => "leaves the image out",
    FiguresAside images "an `<aside>` that holds a figure alone" => "keeps its image",
    Themes images "one image for light and for dark pages" => "keeps the first",
    ImagesAgain images "an image that was kept before" => "leaves it out",
    Thumbnails images "an image of the same long file name as one before" => "leaves it out",
    Previews images "an earlier image of the same name in a folder of a smaller number" => "leaves out the earlier",
    ImageCaptions images "captions that were not kept" => "describe their image",
    CaptionsBehind images "a caption right behind a figure that has none" => "describes its image",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_a_bit_each_and_stages_stand_together() {
        assert!(ALL.len() <= 128);
        assert_eq!(ALL[Rule::CaptionsBehind as usize][0], "CaptionsBehind");
        #[cfg(feature = "training")]
        assert!(!Rules::without(&[Rule::Contents as usize]).has(Rule::Contents));
        assert!(Rules::default().has(Rule::Contents));
    }
}
