//! Each rule on a page of its own. Blocks that the content model is taken to have kept begin with `+`, and those that it
//! nearly kept with `~`.

use super::tend;
use crate::content::features::Page;
use crate::content::testing::Marked;

/// The texts that are kept in the end, in order, and parted by `|`.
fn tended(html: &str, is_article: bool) -> String {
    let mut marked = Marked::of(html);
    let (tree, blocks) = (&marked.tree, &marked.blocks);
    let nearly: Vec<bool> = marked.texts.iter().map(|text| text.starts_with(['+', '~'])).collect();
    tend(&Page::of(tree, blocks), is_article, &nearly, &mut marked.keep);
    marked.kept()
}

fn check(cases: &[(&str, &str)]) {
    for (html, expected) in cases {
        assert_eq!(tended(html, true), *expected, "{html}");
    }
}

#[test]
fn lists_have_no_holes_unless_their_items_are_texts() {
    let item = |mark: &str, words: usize| format!("<li>{mark}{}", "w ".repeat(words));
    let list = |words: usize| {
        format!(
            "<section><ul>{}{}{}</ul></section>",
            item("+a ", words),
            item("b ", words),
            item("+c ", words)
        )
    };
    assert_eq!(tended(&list(39), false).matches('|').count(), 2);
    assert_eq!(tended(&list(40), false).matches('|').count(), 1);
    check(&[
        ("<dl><dt>+a<dd>b<dt>+c<dd>d</dl>", "a|c"),
        ("<section><ul><li><div>+a</div><div>b</div><div>+c</div></ul></section>", "a|b|c"),
        ("<section><div>+a</div><div>b</div><div>+c</div></section>", "a|c"),
        ("<section><p>+a<p>b<p>+c</section>", "a|b|c"),
        ("<section><p>+a<p><a href=/b>b</a><p>+c</section>", "a|c"),
    ]);
    let post =
        |words: usize| format!("<ul><li><div>+a {}</div><div>b</div><div>+c</div></ul>", "w ".repeat(words));
    assert_eq!(tended(&post(97), false).matches('|').count(), 2);
    assert_eq!(tended(&post(98), false).matches('|').count(), 1);
}

#[test]
fn code_and_notes_in_the_main_element_are_kept() {
    let long = "w ".repeat(120);
    for around in ["main", "article", "div role=main"] {
        for (rest, expected) in [
            ("<h2>b</h2><pre>c</pre>", "a|b|c"),
            ("<p><a href=/b>b b b b b</a><pre>c</pre><p><a href=/d>d</a>", "a|c"),
            ("<aside class='starlight-aside note'>b</aside><p><a href=/c>c</a>", "a|b"),
            ("<div class=callout>b</div><p><a href=/c>c</a>", "a|b"),
            ("<div role=note>b</div><p><a href=/c>c</a>", "a|b"),
            ("<aside><p>b</aside>", "a"),
            ("<div class=comments><pre>b</pre></div>", "a"),
            ("<pre><a href=/b>b</a></pre>", "a"),
        ] {
            let page = format!("<body><pre>before</pre><{around}><p>+a{rest}</{around}><p><a href=/e>e</a>");
            assert_eq!(tended(&page, false), expected, "{page}");
        }
    }
    // Nothing is marked: the smallest element around the kept text.
    check(&[("<section><p>+a<p>+b<pre>c</pre></section><pre>d</pre>", "a|b|c")]);
    // Between kept texts it is whatever is around it.
    check(&[
        ("<p>+a<div class=comments><pre><a href=/b>b</a></pre></div><p>+c", "a|b|c"),
        ("<p>a<pre><a href=/b>b</a></pre><p>+c", "c"),
        ("<p>+a<pre><a href=/b>b</a></pre><p>c<p>+d", "a|d"),
    ]);
    // A post may be named after notes, and a note that stands alone is a control.
    check(&[
        (&format!("<main><p>+a<div class=notes>b {long}</div>"), "a"),
        ("<main><p>+a<div><div class=tip>b</div><a href=/c>c</a></div>", "a"),
    ]);
}

#[test]
fn the_last_words_of_the_main_element_are_kept() {
    for (rest, is_kept) in [
        ("b".to_owned(), true),
        ("<div>b</div><dl><dt>c<dd>d</dl>".to_owned(), true),
        ("<p>b</p>".repeat(4), true),
        ("<p>b</p>".repeat(5), false),
        (format!("<div>{}</div>", "b ".repeat(60)), true),
        (format!("<div>{}</div>", "b ".repeat(61)), false),
        ("<div>b <a href=/c>c</a></div>".to_owned(), false),
        ("<div class=share>b</div>".to_owned(), false),
        ("<form>b</form>".to_owned(), false),
        ("<table><tr><td>b<td>c</table>".to_owned(), false),
    ] {
        let page = format!("<body><main><p>+a</p>{rest}</main><div>behind</div>");
        assert_eq!(tended(&page, true) != "a", is_kept, "{page}");
    }
    // Nothing says where the text of the page ends.
    check(&[
        ("<body><p>+a</p><div>b</div>", "a"),
        ("<article><p>+a</p><div>b</div></article><article>c</article>", "a"),
    ]);
}

#[test]
fn contents_are_left_out_with_their_label() {
    let list = |links: &str| format!("<section><p>+Contents<ul>{links}</ul><p>+Text</section>");
    let here = "<li><a href=#a>+a</a><li><a href=#b>+b</a><li><a href=#c>+c</a>";
    assert_eq!(tended(&list(here), true), "Text");
    let two = "<li><a href=#a>+a</a><li><a href=#b>+b</a>";
    assert_eq!(tended(&list(two), true), "Contents|a|b|Text");
    let elsewhere = "<li><a href=#a>+a</a><li><a href=#b>+b</a><li><a href=#c>+c</a><li><a href=/d>+d</a>";
    assert_eq!(tended(&list(elsewhere), true), "Contents|a|b|c|d|Text");
    // A sentence that announces them is part of the text.
    assert_eq!(tended(&list(here).replace("Contents", "The parts are:"), true), "The parts are:|a|b|c|Text");
    let told = "<li><a href=#a>+a</a> and more of it<li><a href=#b>+b</a><li><a href=#c>+c</a>";
    assert!(tended(&list(told), true).starts_with("Contents|a and more"));
}

#[test]
fn navigation_beside_a_text_is_left_out() {
    let text = format!("<p>+{}", "leaf ".repeat(12).trim_end());
    let said = "leaf ".repeat(12);
    let said = said.trim_end();
    for (beside, is_left_out) in [
        ("<nav><p>+On tea</nav>", true),
        ("<nav><p>+On tea and hot water</nav>", false),
        // Of a long one, little was taken for content.
        ("<nav><p>+On tea<p>On milk, on sugar and on hot water</nav>", true),
        ("<ol class=breadcrumb><li>+Tea</ol>", true),
        ("<div class=breadcrumbs><h1>+Tea</h1></div>", false),
        ("<div role=dialog aria-hidden=true><p>+Sign up</div>", true),
        ("<div role=dialog><p>+Sign up</div>", false),
        ("<div role=navigation><p>+By A</div>", false),
    ] {
        let page = format!("<main>{beside}{text}</main>");
        assert_eq!(tended(&page, false) == said, is_left_out, "{page}");
    }
}

#[test]
fn rows_of_buttons_in_brackets_are_left_out() {
    let text = "leaf ".repeat(40);
    for (cells, is_left_out) in [
        ("<td>[<a href=/a> &lt; </a>]<td>&nbsp;<td>[ Up ]<td>[<a href=/c>Contents</a>]", true),
        ("<td>[ &lt; ]<td>[ Up ]", false),
        ("<td>[ &lt; ]<td>[ Up ]<td>The text", false),
    ] {
        let mut page = Marked::of(&format!("<p>{text}<table><tr>{cells}</table><p>{text}"));
        page.keep.fill(true);
        let nearly = page.keep.clone();
        tend(&Page::of(&page.tree, &page.blocks), false, &nearly, &mut page.keep);
        assert_eq!(page.keep.iter().filter(|kept| **kept).count() == 2, is_left_out, "{cells}");
    }
}

#[test]
fn rows_of_links_to_the_next_page_are_left_out() {
    let page = |row: &str| tended(&format!("<body><p>+Text{row}<h2>+More</h2><p>+Text"), false);
    for row in [
        // Texinfo, its tables, DocBook, a blog.
        "<div class=header><p>+Next: <a href=b rel=next>Objects</a>, Previous: <a href=a rel=prev>A</a> [<a href=c>Index</a>]</div>",
        "<table><tr><td>+[<a href=a title='Previous section in reading order'>&lt;</a>]<td>+[<a href=b title='Next chapter'>&gt;</a>]<td>+[<a href=c>Top</a>]</table>",
        "<div><hr><table><tr><td><a accesskey=p href=a>+Prev</a><td><td><a accesskey=n href=b>+Next</a><tr><td>+The package list<td><a href=i>+Home</a><td>+Colours of text</table></div>",
        "<div><p>+← <a href=a rel=prev>A post on tea</a></p><p>+<a href=b rel=next>A post on milk</a> →</p></div>",
    ] {
        assert_eq!(page(row), "Text|More|Text", "{row}");
    }
    // Debian's manuals say in their heads where the links lead.
    let row = "<p>+[ <a href=a>previous</a> ] [ <a href=i>Contents</a> ] [ <a href=b>next</a> ]";
    let page_with = |head: &str| tended(&format!("{head}<body><p>+Text{row}<h2>+More</h2><p>+Text"), false);
    assert_eq!(page_with("<link rel=prev href=a><link rel=next href=b>"), "Text|More|Text");
    assert!(page_with("<link rel=prev href=x><link rel=next href=y>").contains("next"));
    let list = "<ul><li>+<a href=a>One</a><li>+<a href=b>Two</a></ul>";
    let listed = format!("<link rel=prev href=a><link rel=next href=b><body><p>+Text{list}<p>+Text");
    assert_eq!(tended(&listed, false), "Text|One|Two|Text");
    for (row, expected) in [
        // One alone, one in a sentence, and one with a text around.
        ("<p>+<a href=b rel=next>Objects</a>", "Objects"),
        (
            "<p>+Go on with <a href=b rel=next>objects</a>, which are what all of this is about, or go back to <a href=a rel=prev>A</a>.",
            "Go on with",
        ),
        (
            "<div><p>+A word or two of a text that goes before it here.<p>+<a href=b rel=next>B</a><p>+<a href=a rel=prev>A</a></div>",
            "A word or two of a text that goes before it here.",
        ),
    ] {
        assert!(page(row).contains(expected), "{} {row}", page(row));
    }
}

#[test]
fn teasers_are_left_out() {
    let words = "word ".repeat(60);
    let page = |teasers: &str| format!("<main><p>+Text {words}{teasers}</main>");
    let kept = |html: &str| tended(html, true).split('|').skip(1).collect::<Vec<_>>().join("|");
    let links = "<ul><li><a href=/a>+One</a><li><a href=/b>+Two</a></ul>";
    assert_eq!(kept(&page(&format!("<div><h3>+Related posts</h3>{links}</div>"))), "");
    assert_eq!(kept(&page(&format!("<h3>+Related posts</h3>{links}<h3>+Next</h3><p>+More"))), "Next|More");
    assert_eq!(kept(&page(&format!("<div><h3>+Posts we made</h3>{links}</div>"))), "Posts we made|One|Two");
    assert_eq!(
        kept(&page("<div><h3>+Related posts</h3><p>+They say more.</div>")),
        "Related posts|They say more."
    );
}

#[test]
fn captions_and_headings_follow_what_they_belong_to() {
    check(&[
        (
            "<main><figure><pre>+code</pre><figcaption>Listing 1</figcaption></figure></main>",
            "code|Listing 1",
        ),
        ("<main><figure><pre>code</pre><figcaption>Listing 1</figcaption></figure><p>+A</main>", "A"),
        ("<main><p>+A<h2>Title</h2><p>+B</main>", "A|Title|B"),
    ]);
}

#[test]
fn what_repeats_the_text_before_it_is_left_out() {
    let wide = "<div><h2>+A bridge</h2><p>+It opens again after eleven months.</div>";
    let kept = "A bridge|It opens again after eleven months.";
    let narrow = wide.replace("div>", "section>");
    check(&[
        (&format!("{wide}{narrow}<p>+End"), &format!("{kept}|End")),
        (&format!("{wide}{narrow}{wide}<p>+End"), &format!("{kept}|End")),
        // Said again later, said otherwise, short, neighbours in one element, cells.
        (&format!("{wide}<p>+So it is.{narrow}"), &format!("{kept}|So it is.|{kept}")),
        ("<div><p>+No</div><section><p>+No</section>", "No|No"),
        (
            "<div><p>+one two three four five six seven</div><section><p>+one two three four five six seven</section>",
            "one two three four five six seven|one two three four five six seven",
        ),
        (
            "<p>+one two three four five six seven eight<p>+one two three four five six seven eight",
            "one two three four five six seven eight|one two three four five six seven eight",
        ),
        (
            "<table><tr><td>+one two three four five six seven eight<tr><td>+one two three four five six seven eight</table>",
            "one two three four five six seven eight|one two three four five six seven eight",
        ),
    ]);
}

#[test]
fn articles_under_a_heading_such_as_related_are_left_out_behind_a_text() {
    let page = |words: usize, head: &str, posts: usize| {
        let text = "text ".repeat(words - 1);
        let posts = "<article><p>+Another.</article>".repeat(posts);
        format!("<article><p>+text {text}</article><div>{head}{posts}</div><p>+Behind")
    };
    let related = "<h3>Related posts</h3>";
    let kept = |html: &str| {
        let text = tended(html, true);
        assert!(text.starts_with("text ") && text.ends_with("|Behind"), "{text}");
        text.matches("Another").count()
    };
    assert_eq!(kept(&page(100, related, 2)), 0);
    assert_eq!(kept(&page(100, "<h3>Você pode gostar...</h3>", 3)), 0);
    assert_eq!(kept(&page(99, related, 2)), 2);
    assert_eq!(kept(&page(100, related, 1)), 1);
    assert_eq!(kept(&page(100, "<p>Related posts", 2)), 2);
    assert_eq!(kept(&page(100, "<h3>Posts we made</h3>", 2)), 2);
    assert_eq!(kept(&page(100, "<h3>Leave a reply</h3>", 2)), 2);
    assert_eq!(tended(&page(100, related, 2), false).matches("Another").count(), 2);
    // The element has to start with the heading, and is no page.
    assert_eq!(kept(&page(100, &format!("<p>+Before{related}"), 2)), 2);
    assert_eq!(kept(&page(100, related, 2).replace("<div>", "<main>").replace("</div>", "</main>")), 2);
}

#[test]
fn labels_of_contents_go_with_the_list_that_was_not_chosen() {
    let text = "<p>+Those who would like to see all of the towers in one day begin here.";
    let list = "<ul><li>a<li>b<li>c</ul>";
    check(&[
        (&format!("<main><p>+A<h2>+On this page</h2>{list}{text}</main>"), &format!("A|{}", &text[4..])),
        (
            &format!("<main><p>+A<p>+On this page{list}<h2>+North</h2>{text}</main>"),
            &format!("A|North|{}", &text[4..]),
        ),
        // Two in a row, and one at the end.
        (&format!("<main><h2>+Contents</h2><p>+In this article{list}{text}<p>+Contents</main>"), &text[4..]),
        // It may be its list that follows.
        (
            "<main><p>+A<h2>+Contents</h2><ul><li>+The first of all of the towers that can be seen in one day</ul></main>",
            "A|Contents|The first of all of the towers that can be seen in one day",
        ),
        ("<main><p>+A<h2>+Contents</h2><p>+North</main>", "A|Contents|North"),
        ("<main><p>+A<h2>+Contents</h2><h3>+<a href=/n>North</a></h3></main>", "A|Contents|North"),
        // What is kept right behind it is not in its box.
        ("<main><p>+A<div><p>+Contents<ul><li>a</ul></div><p>+North</main>", "A|North"),
        ("<main><p>+A<div><p>+Contents<ul><li>+a</ul></div><p>+North</main>", "A|Contents|a|North"),
        // A heading in an anchor is no link.
        (
            &format!(
                "<main><p>+A<h2>+<a name=c>Contents</a></h2>{list}<h2>+<a name=n>North</a></h2>{text}</main>"
            ),
            &format!("A|North|{}", &text[4..]),
        ),
    ]);
}

#[test]
fn contents_may_be_tables() {
    let links = "<td><a href=#a>+the first of all parts</a><td><a href=#b>+the second of all parts</a><td><a href=#c>+the third of them</a>";
    check(&[
        (&format!("<section><p>+Contents<table><tr>{links}</table><p>+Text</section>"), "Text"),
        (
            "<section><dl><dt><a href=#a>+a</a><dt><a href=#b>+b</a><dt><a href=#c>+c</a></dl><p>+T</section>",
            "T",
        ),
    ]);
    // Links enough, but the first row is something else.
    let other = format!("<section><table><tr><th>+Us<tr>{links}</table><p>+Text</section>");
    assert!(tended(&other, true).starts_with("Us|the first"));
}

#[test]
fn lines_that_name_another_text_are_left_out_of_articles() {
    let page = |line: &str| format!("<section><p>+Text.<p>{line}<p>+More.</section>");
    for line in
        ["+Related: <a href=/b>The other bridge</a>", "<b>+See also:</b> <a href=/b>The other bridge</a>."]
    {
        assert_eq!(tended(&page(line), true), "Text.|More.", "{line}");
        assert_ne!(tended(&page(line), false), "Text.|More.", "{line}");
    }
    for line in [
        "+Related: the other bridge",
        "+The other bridge: <a href=/b>a story</a>",
        "+Related: <a href=/b>one</a>, and the rest of what there is to say",
    ] {
        assert_ne!(tended(&page(line), true), "Text.|More.", "{line}");
    }
}

#[test]
fn teasers_end_with_their_box_or_the_next_heading() {
    let words = "word ".repeat(300);
    let page = |teasers: &str| format!("<main><p>+Text {words}{teasers}</main>");
    let kept = |html: &str| tended(html, true).split('|').skip(1).collect::<Vec<_>>().join("|");
    // A third of the box's words has to be linked.
    let boxed = |plain: &str| page(&format!("<div><p>+Related<p><a href=/a>+one two</a> {plain}</div>"));
    assert_eq!(kept(&boxed("more more more")), "");
    assert!(kept(&boxed("more more more more")).starts_with("Related|"));
    // Without a box, half of what is under the heading, and a third of what is kept.
    let under = |plain: &str| {
        page(&format!("<h2>+Related</h2><p><a href=/a>+one two three</a> {plain}<h2>+Next</h2><p>+b"))
    };
    assert_eq!(kept(&under("more more")), "Next|b");
    assert_eq!(kept(&under("more more more")), "Related|one two three more more more|Next|b");
    let many = |count: usize| {
        page(&format!("<h2>+Related</h2><p><a href=/a>+{}</a><h2>+Next</h2><p>+b", "one ".repeat(count)))
    };
    assert_eq!(kept(&many(100)), "Next|b");
    assert!(kept(&many(160)).starts_with("Related|"));
    // A lower heading does not end them; one of the same level does.
    let lower =
        page("<h2>+Related</h2><h3><a href=/a>+one</a></h3><p><a href=/b>+two</a><h2>+Next</h2><p>+b");
    assert_eq!(kept(&lower), "Next|b");
    // Long lines are no headings of teasers.
    let long =
        page("<div><p>+Related and nine more words that make it a whole sentence<a href=/a>+x</a></div>");
    assert!(kept(&long).starts_with("Related and"));
}

#[test]
fn headings_stay_with_their_text_only_near_it() {
    check(&[
        ("<main><p>+A<div><h2>Title</h2></div><p>+B</main>", "A|Title|B"),
        ("<main><p>+A<b><b><b><b><h2>Title</h2></b></b></b></b><div>+B</div></main>", "A|Title|B"),
        ("<main><p>+A<div><div><div><div><h2>Title</h2></div></div></div></div><div>+B</div></main>", "A|B"),
        ("<main><ul><li><h2>Title</h2></ul><div>+B</div></main>", "B"),
        ("<main><p>+A<div class=share><h2>Title</h2></div><div>+B</div></main>", "A|B"),
        // First of all, over another heading: a section or a date.
        ("<main><h4>News</h4><h2>+Title</h2><p>+B</main>", "Title|B"),
        ("<main><h4>News</h4><p>+B</main>", "News|B"),
        ("<h4>News</h4><p>+B", "B"),
        // A page without elements around its parts.
        ("<p>+A<h2>Title</h2><p>+B", "A|Title|B"),
        ("<p>+A<div><h2>Title</h2></div><p>+B", "A|B"),
        // An address of a heading says nothing, its class does.
        ("<main><p>+A<h2 id=author>Author</h2><p>+B</main>", "A|Author|B"),
        ("<main><p>+A<h2 class=author>Author</h2><p>+B</main>", "A|B"),
        // Of the first level, where there are three others.
        ("<main><h1>+A</h1><p>+B<h1>+C</h1><p>+D<h1>+E</h1><p>+F<h1>G</h1><p>+H</main>", "A|B|C|D|E|F|G|H"),
        ("<main><h1>+A</h1><p>+B<h1>+C</h1><p>+D<h1>G</h1><p>+H</main>", "A|B|C|D|H"),
    ]);
}

#[test]
fn terms_stay_with_their_definition() {
    check(&[
        ("<main><p>+A<dl><dt><b>Returns</b><dd>+B</dl></main>", "A|Returns|B"),
        ("<main><p>+A<dl><dt>Returns<dt>or not<dd>+B</dl></main>", "A|Returns|or not|B"),
        // A table of contents, something else by its name, no definition kept, one behind the list.
        ("<main><p>+A<dl><dt><a href=b>Returns</a><dd>+B</dl></main>", "A|B"),
        ("<main><p>+A<dl><dt class=share>Returns<dd>+B</dl></main>", "A|B"),
        ("<main><p>+A<dl><dt>Returns<dd>b</dl><p>+C</main>", "A|C"),
        ("<main><p>+A<dl><dt>Returns</dl><p>+C</main>", "A|C"),
    ]);
}

#[test]
fn captions_that_no_image_takes_are_kept() {
    let figure = |inner: &str| format!("<main><p>+A{inner}<p>+B</main>");
    let caption = "<figcaption>Costs by year</figcaption>";
    check(&[
        (&figure(&format!("<figure><div></div>{caption}</figure>")), "A|Costs by year|B"),
        (&figure(&format!("<figure><span>Image</span>{caption}</figure>")), "A|Costs by year|B"),
        (&figure("<figure><figcaption><p>Costs by year</figcaption></figure>"), "A|Costs by year|B"),
        // What takes it, too few words, a name, no text on one side, the whole page.
        (&figure(&format!("<figure><img src=a.png>{caption}</figure>")), "A|B"),
        (&figure(&format!("<figure><noscript><img src=a.png></noscript>{caption}</figure>")), "A|B"),
        (&figure(&format!("<figure><iframe src=/a></iframe>{caption}</figure>")), "A|B"),
        (&figure("<figure><figcaption>Costs now</figcaption></figure>"), "A|B"),
        (&figure(&format!("<figure><div class=share>{caption}</div></figure>")), "A|B"),
        (&figure(&format!("<div>{caption}</div>")), "A|B"),
        (&format!("<main><p>+A<figure>{caption}</figure><p><a href=/b>b</a></main>"), "A"),
        (&format!("<main><p>a<figure>{caption}</figure><p>+B</main>"), "B"),
        (&format!("<p>+A<figure>{caption}</figure><p>+B"), "A|B"),
    ]);
    let long = |words: usize| {
        tended(&figure(&format!("<figure><figcaption>{}</figcaption></figure>", "w ".repeat(words))), false)
    };
    assert_ne!(long(80), "A|B");
    assert_eq!(long(81), "A|B");
}

#[test]
fn lines_that_were_nearly_chosen_stand_between_paragraphs() {
    let line = "<div class=ad>x</div><p><a href=/b>~(Artist: b)</a>";
    check(&[
        (&format!("<main><p>+A{line}<p>+B</main>"), "A|(Artist: b)|B"),
        (&format!("<main><p>+A{}<p>+B</main>", line.replace('~', "")), "A|B"),
        (&format!("<main><p>+A{}<p>+B</main>", line.replace("<p>", "<p class=share>")), "A|B"),
        (&format!("<main><p>+A<div>{line}</div><p>+B</main>"), "A|B"),
        (&format!("<main><div>+A</div>{line}<p>+B</main>"), "A|B"),
        (&format!("<main><p>+A{line}<div>+B</div></main>"), "A|B"),
        (&format!("<p>+A{line}<p>+B"), "A|B"),
    ]);
    assert_eq!(tended(&format!("<main><p>+A{line}<p>+B</main>"), false), "A|B");
}

#[test]
fn paragraphs_among_kept_ones_are_kept() {
    let text = |mark: &str, words: usize| format!("<p>{mark}Well, {}.", "word ".repeat(words));
    let page = |kept: usize, inner: &str| {
        format!("<section>{}<div>b</div>{inner}<div>c</div>{}</section>", text("+", kept), text("+", 99))
    };
    let blocks = |html: &str| tended(html, false).matches("Well").count();
    let lost = text("~", 60);
    assert_eq!(blocks(&page(99, &lost)), 3);
    // Too little is kept: too few words, too small a share; nothing behind it; linked, strange, no paragraph, the whole page.
    assert_eq!(blocks(&page(40, &lost)), 2);
    assert_eq!(blocks(&page(99, &text("~", 140))), 2);
    assert_eq!(blocks(&page(99, &text("", 60))), 2);
    assert_eq!(blocks(&format!("{}{lost}</section>", page(99, "").replace("</section>", ""))), 2);
    let html = page(99, &lost);
    for other in [
        html.replace("section>", "body>"),
        html.replace("<p>~", "<p class=share>~"),
        html.replace("<p>~", "<div>~").replace(".<div>c", ".</div><div>c"),
        html.replace("~Well, ", "~Well, <a href=/x>").replace(".<div>c", "</a>.<div>c"),
    ] {
        assert_eq!(blocks(&other), 2, "{other}");
    }
}

#[test]
fn a_list_that_a_line_announces_is_kept() {
    let links = "<li><a href=/b>b</a><li><a href=/c>c</a>";
    check(&[
        (&format!("<section><p>+These are:<ul>{links}</ul><p>+D</section>"), "These are:|b|c|D"),
        (&format!("<section><p>+次の：<ol>{links}</ol><p>+D</section>"), "次の：|b|c|D"),
        (&format!("<section><ul><li>+These:<ul>{links}</ul></ul><h4>+D</h4></section>"), "These:|b|c|D"),
        // No colon, nothing behind it, pictures, a name or role against it, the whole page.
        (&format!("<section><p>+These are<ul>{links}</ul><p>+D</section>"), "These are|D"),
        (&format!("<section><p>+These are:<ul>{links}</ul><p>d</section>"), "These are:"),
        (&format!("<section><p>+These are:<ul>{links}<img src=a.png></ul><p>+D</section>"), "These are:|D"),
        (&format!("<section><p>+These are:<ul class=share>{links}</ul><p>+D</section>"), "These are:|D"),
        (&format!("<section><p>+These are:<ul role=tablist>{links}</ul><p>+D</section>"), "These are:|D"),
        (&format!("<section><p>+These are:<ul>{links}<li class=share>e</ul><p>+D</section>"), "These are:|D"),
        (&format!("<p>+These are:<ul>{links}</ul><p>+D"), "These are:|D"),
        (&format!("<section><p>+These are:<p>a<ul>{links}</ul><p>+D</section>"), "These are:|D"),
    ]);
    let long = |words: usize| {
        let list = format!("<ul><li><a href=/b>{}</a><li>c</ul>", "b ".repeat(words));
        tended(&format!("<section><p>+These are:{list}<p>+D</section>"), false)
    };
    assert_ne!(long(239), "These are:|D");
    assert_eq!(long(240), "These are:|D");
}

#[test]
fn lines_between_a_heading_and_text_are_kept_where_they_were_nearly_chosen() {
    let page = |line: &str| format!("<section><p>+A<h2>+B</h2>{line}<div>x</div><p>+C</section>");
    assert_eq!(tended(&page("<p><a href=/d>~By D</a>"), true), "A|B|By D|C");
    assert_eq!(tended(&page("<p><a href=/d>By D</a>"), true), "A|B|C");
    assert_eq!(tended(&page("<p><a href=/d>~By D</a>"), false), "A|B|C");
}

#[test]
fn contents_are_known_whichever_of_their_items_were_kept() {
    let list = "<ul><li><a href=#a>a</a><li><a href=#b>b</a><li><a href=#c>+c</a></ul>";
    check(&[
        (&format!("<section><h2>+Contents</h2>{list}<p>+Text</section>"), "Text"),
        (&format!("<section><h2>+What we do</h2>{list}<p>+Text</section>"), "What we do|Text"),
    ]);
}

#[test]
fn a_list_that_a_line_announces_may_end_its_section() {
    check(&[
        ("<main><section><p>+For:<ul><li>b<li>c</ul></section><p>+D</main>", "For:|b|c|D"),
        ("<section><p>+For:<ul><li>b<li>c</ul></section><p>+D", "For:|b|c|D"),
        ("<main><section><p>+For:<ul class=share><li>b<li>c</ul></section><p>+D</main>", "For:|D"),
    ]);
}

#[test]
fn parts_that_the_page_has_twice_are_kept_once() {
    let part =
        |words: usize| format!("<h2>+Tea</h2><p>+{}<p>+{}", "leaf ".repeat(words), "water ".repeat(words));
    let count = |first: &str, second: &str| {
        let page = format!("<main><div>{first}</div><p>+Between<div>{second}</div><p>+End</main>");
        tended(&page, false).split('|').count()
    };
    assert_eq!(count(&part(40), &part(40)), 5, "three, and the two around");
    assert_eq!(count(&format!("<p>+Before{}", part(40)), &part(40)), 6, "the first is a part of more");
    assert_eq!(count(&part(40), &format!("{}<p>+More", part(40))), 9, "the second one says more");
    assert_eq!(count(&part(40), &part(41)), 8, "another text");
    assert_eq!(count(&part(39), &part(39)), 8, "a short one");
    let manual = format!("<meta name=generator content=rustdoc><main>{0}<p>+Between{0}</main>", part(40));
    assert_eq!(tended(&manual, false).split('|').count(), 7, "a manual says it of two things");
    let code = format!("{}<pre>+let tea;</pre>", part(40));
    assert_eq!(count(&code, &code), 10, "code");
    let post = format!("<p>+{}", "leaf ".repeat(40));
    let quote = format!("<blockquote>{post}</blockquote><p>+Yes");
    assert_eq!(count(&post, &quote), 4, "a quote of the post above");
    assert_eq!(count(&post, &quote.replace("blockquote", "section")), 5, "no quote");
    let said = format!("<div><cite>+Ann wrote:</cite><blockquote>{post}</blockquote></div><p>+Yes");
    assert_eq!(count(&post, &said), 4, "who said it goes with the quote");
    assert_eq!(
        count(&post, &said.replace("wrote:", "wrote on Monday in the same thread:")),
        5,
        "a text of its own"
    );
    assert_eq!(count(&post, &format!("<p>+Ann wrote:{quote}")), 5, "no box has just these");
    assert_eq!(
        count(&post.replace("leaf leaf ", "leaf "), &quote.replace("leaf leaf ", "leaf ")),
        5,
        "a short one"
    );
}

#[test]
fn pleas_are_left_out() {
    check(&[
        ("<main><p>+Text<div class=newsletter><p>+Sign up now<input></div></main>", "Text"),
        ("<main><p>+Text<div class=newsletter><p>+Sign up now</div></main>", "Text|Sign up now"),
        ("<main><p>+Text<div role=tablist><button>+One</button></div></main>", "Text"),
    ]);
    let long = format!("<main><p>+Text<div class=newsletter><p>+{}<input></div></main>", "word ".repeat(81));
    assert!(tended(&long, true).contains('|'));
}

#[test]
fn a_section_of_which_most_is_kept_has_its_heading() {
    let words = |count: usize| "word ".repeat(count);
    let kept = |html: &str| tended(html, true).contains("Pan");
    let page = |heading: &str, between: usize, text: usize| {
        format!("<section><p>+A{heading}<div>{}</div><p>+{}</section>", words(between), words(text))
    };
    let plain = "<h3>Pan</h3>";
    assert!(kept(&page(plain, 20, 20)));
    assert!(!kept(&page(plain, 21, 20)));
    assert!(!kept(&page(plain, 1, 19)));
    assert!(!kept(&page("<h1>Pan</h1>", 20, 20)));
    assert!(!kept(&page("<h3 class=share>Pan</h3>", 20, 20)));
    assert!(!kept(&page("<ul><li><h3>Pan</h3></ul>", 20, 20)));
    assert!(!kept(&page(plain, 20, 20).replace("section>", "body>")));
    assert!(!kept(&page(plain, 20, 20).replace("+A", "a")));
    // What leads to another page is a teaser in an article, and may be a product elsewhere.
    let linked = page("<h3><a href=/pan>Pan</a></h3>", 20, 20);
    assert!(!kept(&linked) && tended(&linked, false).contains("Pan"));
    assert!(kept(&page("<h3>Pan <a href=#pan>#</a></h3>", 20, 20)));
    let far = |blocks: usize| {
        format!("<section><p>+A{plain}{}<p>+{}</section>", "<div>b</div>".repeat(blocks), words(40))
    };
    assert!(kept(&far(5)));
    assert!(!kept(&far(6)));
}

#[test]
fn sections_of_which_nothing_is_kept_have_no_headings() {
    let words = |count: usize| format!("<div>{}</div>", "word ".repeat(count));
    let page = |inner: &str| format!("<main><p>+A{inner}</main>");
    check(&[
        (&page(&format!("<h2>+Gone</h2>{}<h2>+Next</h2><p>+B", words(20))), "A|Next|B"),
        (&page(&format!("<h2>+Image</h2>{}<h2>+Next</h2><p>+B", words(1))), "A|Image|Next|B"),
        (&page(&format!("<h2>+Over</h2>{}<h3>+Sub</h3><p>+B", words(20))), "A|Over|Sub|B"),
        (&page(&format!("<h3>+Gone</h3>{}<h2>+Next</h2><p>+B", words(20))), "A|Next|B"),
        (&page(&format!("<h1>+Part</h1>{}<h1>+Next</h1><p>+B", words(20))), "A|Part|Next|B"),
        // A few links in a list are more than an image.
        (
            &page(&format!("<h2>+Gone</h2><ul>{}</ul><h2>+Next</h2><p>+B", "<li><a href=/c>c</a>".repeat(3))),
            "A|Next|B",
        ),
        (
            &page(&format!(
                "<h2>+Links</h2><ul>{}</ul><h2>+Next</h2><p>+B",
                "<li><a href=/c>c</a>".repeat(2)
            )),
            "A|Links|Next|B",
        ),
        (
            &page(&format!("<h2>+Links</h2>{}<h2>+Next</h2><p>+B", "<div><a href=/c>c</a></div>".repeat(3))),
            "A|Links|Next|B",
        ),
        // The last of the page as well.
        (&page(&format!("<h2>+Gone</h2>{}", words(20))), "A"),
        (&page("<h2>+Gone</h2><h2>Card</h2><h3>+Gone</h3><p>Why.</p>"), "A"),
        (&page("<h2>+Image</h2>"), "A|Image"),
        // Not the titles of a list, nor all that the page has.
        (&page(&format!("{}<p>Why.</p>", "<h2>+Tea</h2>".repeat(4))), "A|Tea|Tea|Tea|Tea"),
        ("<main><h2>+Tea</h2><p>Green.</p></main>", "Tea"),
    ]);
}
