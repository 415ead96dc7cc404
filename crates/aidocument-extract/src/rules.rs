//! The rules of the extraction: decisions that are not made by the content model.
//!
//! Their order here is the order in which they run. Each can be switched off in a build with the feature `training`;
//! `examples/evaluate --rules` does so for one after the other and prints the effect of each: `docs/rules.md`.

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
    TexInText structure "TeX between dollars or `\\(` and `\\)` where a script sets it" => "writes it as a formula",
    LinkedNotes structure "links of a number, letter or sign to a place further down" => "makes mark and place a footnote",
    RaisedNotes structure "raised numbers without links, paragraphs that start with the same" => "makes both a footnote",
    InlineNotes structure "elements in a line that are named as notes, LaTeXML's among them" => "makes each a footnote",
    Formulas structure "MathML, output of KaTeX and MathJax, images of TeX" => "writes each formula once, as TeX",
    NamedNoise structure "classes of links to a heading itself and of labels of graphs, GitBook's part for search results" => "leaves them out of the text",
    SaidNoise structure "signs and sayings of links in headings, pilcrows anywhere, marks of items that the list has" => "leaves them out",
    LinksBack structure "links from a note back to its mark" => "leaves them out",
    CodeLines structure "boxes of lines that are elements, or end in `<br>`, and say that they are code" => "writes each as a block of code",
    Declarations structure "elements named as signatures, with the parts of one" => "writes them as code",
    SmallPages choice "pages of at most 60 words" => "goes by the markup alone, without the model",
    MainElement choice "the main element of a long page that does not say that it is an article, a product or a list" => "keeps all of it that its markup does not call something else",
    Tables choice "how much of a table of data is kept" => "keeps or leaves out all of it",
    TablesInText choice "tables of data between kept texts, or behind one with a caption" => "keeps them whole",
    CodeBeside choice "paragraphs of code and declarations beside kept text, a paragraph before kept code" => "keeps them",
    Buttons choice "buttons of three words that open nothing, options of a few choices and their labels" => "leaves them out",
    CodeLabels choice "a word before code that says what the class of the code says" => "leaves it out",
    Witnesses choice "ingredients, steps, questions and answers in JSON-LD" => "keeps the blocks that have their words",
    Posts choice "texts of one look of which most are kept, on pages that name several authors" => "keeps them all",
    Teasers sections "links, in articles also whole articles, under a label such as Related, and in articles lines of one behind it" => "leaves them out with the label",
    Pleas sections "boxes named for signing up, with something to fill in, and lists of tabs" => "leaves them out",
    Navigation sections "`<nav>`, lists named as breadcrumbs, rows of buttons in brackets and hidden dialogs, of each of which at most a quarter of all kept words are kept" => "leaves them out",
    Contents sections "lists of links to places on the page that no sentence announces" => "leaves them out with their label",
    Turning sections "rows of links that are marked as those to the next and the previous page" => "leaves them out",
    RestOfTexts sections "paragraphs that were nearly chosen among those of a kept text" => "keeps them",
    AnnouncedLists sections "a list or code behind a kept line that ends with a colon" => "keeps it",
    CodeAndNotes sections "code between kept texts, code and notes in the main element behind one" => "keeps them",
    EndOfMain sections "a few words without a link between the last kept text and the end of the main element" => "keeps them",
    Gaps sections "runs of blocks between two kept ones" => "fills them as the rules below say",
    GapsInLists sections "gaps in a list, in an item or among terms" => "keeps what is in them",
    GapsOfLines sections "up to eight paragraphs in a gap between their siblings" => "keeps them",
    LinesInGaps sections "paragraphs that were nearly chosen in a gap with other things" => "keeps them",
    Captions sections "captions of figures that hold kept text" => "keeps them",
    LoneCaptions sections "captions between kept texts that no image takes" => "keeps them",
    Headings sections "headings right over kept text, or over sections of which most is kept; terms right before kept definitions" => "keeps them",
    EmptySections sections "headings of sections of which nothing is kept; labels of tables of contents that are left out" => "leaves them out",
    Repeats sections "blocks that repeat those right before" => "leaves them out",
    PartsTwice sections "parts whose whole text is further up, except in manuals" => "leaves them out",
    Members sections "cards about members beside the posts of a forum, by their names" => "leaves them out",
    Authors sections "lines between posts that are the name of an author in the page's data, or the first link or bold text of a member's card; lines there that begin with a `<time>` or with \"posted\" and one" => "keeps them",
    Title choice "the heading, else the line, that agrees with the page's title" => "keeps it, as a heading of the first level, and leaves out the site's name before it and the kind of page in its header",
    Standfirst choice "lines between the title and the text that are named as standfirst, repeat the description, say what the title's name is for or show the declared price, that also above the title; Javadoc's package there" => "keeps them with the title",
    Prices choice "short lines with money in three or more cards of one look of which something is kept, where the page declares no price of its own" => "keeps them",
    LateImages images "attributes of late loading" => "takes the address from them",
    ImagesInNoscript images "`<noscript>` beside a placeholder" => "takes the image from it",
    ImagesBetween images "images between two kept texts" => "keeps them whatever their name",
    ImagesNear images "images near kept text in a gap, before or behind" => "keeps them",
    Icons images "sizes of at most 48 pixels, and names of icons, avatars and logos" => "leaves them out in gaps",
    NamedBoxes images "names and tags of boxes around an image in a gap; names of authors anywhere" => "leaves the image out",
    BoxesOfText images "boxes around an image with a text or links of their own, and links above the title to other pages" => "leaves the image out",
    ImagesAgain images "an image that was kept before, and the second and later ones before a card's link that lead where it leads" => "leaves it out",
    ImageCaptions images "captions that were not kept" => "describe their image",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_a_bit_each_and_stages_stand_together() {
        assert!(ALL.len() <= 128);
        assert_eq!(ALL[Rule::ImageCaptions as usize][0], "ImageCaptions");
        #[cfg(feature = "training")]
        assert!(!Rules::without(&[Rule::Contents as usize]).has(Rule::Contents));
        assert!(Rules::default().has(Rule::Contents));
    }
}
