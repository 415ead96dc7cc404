//! Each rule on a page of its own. Blocks that the content model is taken to have kept begin with `+`, and those that it
//! nearly kept with `~`.

use super::tend;
use crate::content::about::About;
use crate::content::features::Page;
use crate::content::testing::Marked;
use crate::{page, pipeline};

/// The texts that are kept in the end, in order, and parted by `|`.
fn tended(html: &str, is_article: bool) -> String {
    let url = "https://mill.example/page".parse().unwrap();
    let mut marked = Marked::of(html);
    let (tree, blocks) = (&marked.tree, &marked.blocks);
    let facts = page::read(tree, &url, html.len(), false);
    let data = pipeline::structured_data(tree, &facts, &mut Vec::new());
    let about = About::of(tree, url.as_str(), &facts, data.for_model());
    let nearly: Vec<bool> = marked.texts.iter().map(|text| text.starts_with(['+', '~'])).collect();
    tend(&Page::of(tree, blocks), &about, is_article, &nearly, &mut marked.keep);
    marked.kept()
}

fn check(cases: &[(&str, &str)]) {
    for (html, expected) in cases {
        assert_eq!(tended(html, true), *expected, "{html}");
    }
}

#[test]
fn lists_without_links_in_a_gap_are_kept() {
    check(&[
        ("<section><p>+A<ul><li>b<li>c</ul><p>+D</section>", "A|b|c|D"),
        ("<section><p>+A<h3>For</h3><ul><li>b<li>c</ul><p>+D</section>", "A|For|b|c|D"),
        // One item, links, images, a name that speaks against it, the whole page as what is shared.
        ("<section><p>+A<ul><li>b</ul><p>+D</section>", "A|D"),
        ("<section><p>+A<ul><li><a href=/b>b</a><li><a href=/c>c</a><li>d</ul><p>+D</section>", "A|D"),
        ("<section><p>+A<ul><li><img src=b.png>b<li><img src=c.png>c</ul><p>+D</section>", "A|D"),
        ("<section><p>+A<ul class=share><li>b<li>c</ul><p>+D</section>", "A|D"),
        ("<section><p>+A<ul role=tablist><li>b<li>c</ul><p>+D</section>", "A|D"),
        ("<section><p>+A<ul><li role=tab>b<li role=tab>c</ul><p>+D</section>", "A|D"),
        ("<section><p>+A<ul role=list><li role=listitem>b<li>c</ul><p>+D</section>", "A|b|c|D"),
        ("<p>+A<ul><li>b<li>c</ul><p>+D", "A|D"),
        // Nothing before, nothing behind.
        ("<section><ul><li>b<li>c</ul><p>+D</section>", "D"),
        ("<section><p>+A<ul><li>b<li>c</ul></section>", "A"),
    ]);
    assert_eq!(tended("<section><p>+A<h3>For</h3><ul><li>b<li>c</ul><p>+D</section>", false), "A|For|b|c|D");
    assert_eq!(tended("<p>+A<section><ul><li>b<li>c</ul><p>+D</section>", true), "A|D");
    let long =
        |words: usize| format!("<section><p>+A<ul><li>{}<li>c</ul><p>+D</section>", "b ".repeat(words));
    assert!(tended(&long(119), false).ends_with("b|c|D"));
    assert_eq!(tended(&long(120), false), "A|D");
    assert!(tended(&long(239), true).ends_with("b|c|D"));
    assert_eq!(tended(&long(240), true), "A|D");
}

#[test]
fn lists_in_a_gap_with_other_things_are_kept_in_articles() {
    let html = "<section><p>+A<p>Pick<h3><a href=/b>b</a></h3><ul><li>c<li>d</ul><div><a href=/x>Buy</a></div>\
        <ul><li>e<li>f</ul><div><a href=/x>Buy</a></div><p>+G</section>";
    assert_eq!(tended(html, true), "A|b|c|d|e|f|G");
    assert_eq!(tended(html, false), "A|G");
    check(&[
        // A list in a box named for something else stays out, and so does all of a gap that is shared by the page alone.
        ("<section><p>+A<div><a href=/x>Buy</a></div><ul class=share><li>e<li>f</ul><p>+G</section>", "A|G"),
        ("<p>+A<div><a href=/x>Buy</a></div><ul><li>e<li>f</ul><p>+G", "A|G"),
    ]);
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
        ("<dl><dt>+a<dd>b<dt>+c<dd>d</dl>", "a|b|c"),
        ("<section><ul><li><div>+a</div><div>b</div><div>+c</div></ul></section>", "a|b|c"),
        ("<section><div>+a</div><div>b</div><div>+c</div></section>", "a|c"),
        ("<section><p>+a<p>b<p>+c</section>", "a|b|c"),
        ("<section><p>+a<p><a href=/b>b</a><p>+c</section>", "a|c"),
        ("<section><p>+a<pre>b</pre><p>+c</section>", "a|b|c"),
    ]);
    let post =
        |words: usize| format!("<ul><li><div>+a {}</div><div>b</div><div>+c</div></ul>", "w ".repeat(words));
    assert_eq!(tended(&post(97), false).matches('|').count(), 2);
    assert_eq!(tended(&post(98), false).matches('|').count(), 1);
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
    let told = "<li><a href=#a>+a</a> and more of it<li><a href=#b>+b</a><li><a href=#c>+c</a>";
    assert!(tended(&list(told), true).starts_with("Contents|a and more"));
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
    // Neighbours of which each has a heading that leads to another page of the site.
    let card = |name: &str, host: &str| {
        format!("<li><h3><a href={host}/{name}>+{name}</a></h3><p>+Why {name}.</li>")
    };
    let cards =
        |host: &str| page(&format!("<ul>{}{}{}</ul>", card("a", host), card("b", host), card("c", host)));
    assert_eq!(kept(&cards("")), "");
    assert_eq!(kept(&cards("https://mill.example")), "");
    assert_eq!(kept(&cards("https://other.example")), "a|Why a.|b|Why b.|c|Why c.");
    let html = page(&format!("<ul>{}{}</ul>", card("a", ""), card("b", "")));
    assert_eq!(kept(&html), "a|Why a.|b|Why b.");
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
fn notes_beside_kept_text_are_kept() {
    let note = |class: &str| {
        format!("<section><div>+A</div><div class={class}><p>Mind the gap.<p>And the step.</div></section>")
    };
    for class in ["note", "Admonition-tip", "callout", "custom-block"] {
        assert_eq!(tended(&note(class), true), "A|Mind the gap.|And the step.", "{class}");
    }
    assert_eq!(tended(&note("other"), true), "A");
    check(&[
        ("<section><div>+A</div><div role=note><p>b</div></section>", "A|b"),
        ("<section><div>+A</div><div class=note><p><a href=/b>b</a></div></section>", "A"),
        ("<section><div>+A</div><div>x</div><div class=note><p>b</div></section>", "A"),
        ("<div>+A</div><div class=note><p>b</div>", "A"),
    ]);
    let long = format!("<section><div>+A</div><div class=note><p>{}</div></section>", "word ".repeat(301));
    assert_eq!(tended(&long, true), "A");
}

#[test]
fn captions_headings_and_sources_follow_what_they_belong_to() {
    check(&[
        (
            "<main><figure><pre>+code</pre><figcaption>Listing 1</figcaption></figure></main>",
            "code|Listing 1",
        ),
        ("<main><figure><pre>code</pre><figcaption>Listing 1</figcaption></figure><p>+A</main>", "A"),
        ("<main><p>+A<h2>Title</h2><p>+B</main>", "A|Title|B"),
        ("<main><p>+A<h2>Related posts</h2><p>+B</main>", "A|B"),
        (
            "<main><p>+A<h2>See also</h2><ul><li><a href=/b>b</a><li><a href=/c>c</a></ul><p>d</main>",
            "A|See also|b|c",
        ),
        ("<main><p>+A<h2>Also</h2><ul><li><a href=/b>b</a><li><a href=/c>c</a></ul></main>", "A"),
    ]);
    let section = |words: usize| {
        format!("<main><p>+A<h2>+Gone</h2><div>{}</div><h2>+Next</h2><p>+B</main>", "word ".repeat(words))
    };
    assert_eq!(tended(&section(20), true), "A|Next|B");
    assert!(tended(&section(19), true).starts_with("A|Gone|"));
}

#[test]
fn what_was_nearly_chosen_between_kept_text_is_kept_in_articles() {
    let gap = |inner: &str| format!("<section><div>+A</div>{inner}<div>+B</div></section>");
    let six = "~one two three four five six";
    assert_eq!(tended(&gap(&format!("<div>{six}</div>")), true), format!("A|{}|B", &six[1..]));
    assert_eq!(tended(&gap(&format!("<div>{six}</div>")), false), "A|B");
    let long = |words: usize| gap(&format!("<div>~{}</div>", "word ".repeat(words)));
    assert_ne!(tended(&long(120), true), "A|B");
    assert_eq!(tended(&long(121), true), "A|B");
    for inner in [
        "<div>one two three four five six</div>",
        "<div>~one two three four five</div>",
        "<div>~one two</div><div>~one two three four five six seven eight nine ten</div>",
        "<div class=share>~one two three four five six</div>",
        "<div>~one two <a href=/x>three four five six</a></div>",
        "<figure><img src=a.png><figcaption>~one two three four five six</figcaption></figure>",
        "<div class=wp-caption-text>~one two three four five six</div>",
    ] {
        assert_eq!(tended(&gap(inner), true), "A|B", "{inner}");
    }
    assert_eq!(tended(&format!("<div>+A</div><div>{six}</div><div>+B</div>"), true), "A|B");
}

#[test]
fn paragraphs_in_a_row_have_no_holes_in_articles() {
    let row = |gap: usize, kept: usize| {
        let gap = "word ".repeat(gap);
        let (before, behind) = ("first ".repeat(kept), "last ".repeat(100));
        format!("<section><p>+{before}<p>{gap}<p>{gap}<p>+{behind}</section>")
    };
    assert_eq!(tended(&row(100, 100), true).matches('|').count(), 3);
    assert_eq!(tended(&row(100, 100), false).matches('|').count(), 1);
    assert_eq!(tended(&row(101, 100), true).matches('|').count(), 1);
    assert_eq!(tended(&row(101, 102), true).matches('|').count(), 3);
    let html = row(100, 100);
    for other in [
        html.replace("section>", "body>"),
        html.replacen("<p>word", "<div>word", 1),
        html.replacen("<p>word", "<p class=share>word", 1),
        html.replacen("<p>word", "<p><a href=/x>word</a> word", 1),
    ] {
        assert_eq!(tended(&other, true).matches('|').count(), 1, "{other}");
    }
}

#[test]
fn items_that_were_nearly_chosen_join_their_list() {
    check(&[
        ("<section><p>+A<ul><li>+b<li>+c<li>~d</ul><p>+E</section>", "A|b|c|d|E"),
        ("<section><ol><li>~b<li>~c<li>+d</ol></section>", "b|c|d"),
        ("<section><ul><li>+b<li>~c<li>~d<li>~e</ul></section>", "b"),
        ("<section><ul><li>+b<li>c<li>~d</ul></section>", "b"),
        ("<section><ul><li>+b<li><a href=/c>~c</a></ul></section>", "b"),
        ("<section><ul><li>+b<li class=share>~c</ul></section>", "b"),
        ("<section><ul><li>+b</ul><ul><li>~c</ul></section>", "b"),
        ("<section><div>+b</div><div>~c</div></section>", "b"),
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
fn headings_of_the_highest_level_part_the_text() {
    let text = "one two three four five six seven eight";
    check(&[
        (&format!("<main><p>+{text}<h1>Day 1</h1><p>+b</main>"), &format!("{text}|Day 1|b")),
        (&format!("<main><p>+{text}<h1><a href=/1>Day 1</a></h1><p>+b</main>"), &format!("{text}|Day 1|b")),
        ("<main><p>+few words<h1><a href=/1>Day 1</a></h1><p>+b</main>", "few words|b"),
        ("<main><h1>Day 1</h1><p>+b</main>", "b"),
        (
            &format!("<main><div><p>+{text}</div><h1><a href=/1>Day 1</a></h1><p>+b</main>"),
            &format!("{text}|b"),
        ),
        ("<section><div>+a</div><h2><a href=#b>b</a></h2><p>c<p>+d</section>", "a|d"),
        ("<section><div>+a</div><h2><a href=#b>b</a></h2><pre>c</pre><p>+d</section>", "a|b|c|d"),
        ("<section><div>+a</div><h2><a href=/b>b</a></h2><pre>c</pre><p>+d</section>", "a|d"),
    ]);
}

#[test]
fn news_beside_the_only_article_are_left_out() {
    let card = |name: &str| format!("<li><a href=/{name}><h3>+{name}</h3></a><p>+{}", "why ".repeat(50));
    let cards = format!("<ul>{}{}{}</ul>", card("a"), card("b"), card("c"));
    let more = format!("<ul>{}{}{}<li>{}</ul>", card("a"), card("b"), card("c"), "far ".repeat(99));
    let article = |words: usize| format!("<article><p>+{}</article>", "text ".repeat(words));
    let kept = |html: &str| tended(html, false).split('|').count();
    assert_eq!(kept(&format!("{cards}{}", article(150))), 1);
    assert_eq!(kept(&format!("{more}{}", article(150))), 1);
    assert_eq!(kept(&format!("{}{cards}", article(150))), 1);
    assert_eq!(kept(&format!("{cards}{}", article(149))), 7);
    assert_eq!(kept(&format!("{cards}{}<article>b</article>", article(150))), 7);
    assert_eq!(kept(&format!("<article>{cards}<p>+{}</article>", "text ".repeat(150))), 7);
    assert_eq!(kept(&format!("{cards}<div><p>+{}</div>", "text ".repeat(150))), 7);
    let long = cards.replace("why ", "why so ");
    assert_eq!(kept(&format!("{long}{}", article(150))), 1);
    let long = cards.replace("why ", "why so then ");
    assert_eq!(kept(&format!("{long}{}", article(150))), 7);
}

#[test]
fn teasers_that_are_articles_of_another_class_are_left_out_beside_one() {
    let card = |class: &str, name: &str| {
        format!(
            "<article class='{class}'><h1><a href=https://else.example/{name}>+{name}</a></h1><p>+Why.</article>"
        )
    };
    let cards = |class: &str| ["a", "b", "c"].map(|name| card(class, name)).concat();
    let text = |words: usize| {
        let body = "<p>+text ".to_owned() + &"text ".repeat(words - 1);
        format!("<article class='story long'><h1><a href=/page>+Title</a></h1>{body}</article>")
    };
    let kept = |html: &str| tended(html, true).split('|').count();
    assert_eq!(kept(&(text(300) + &cards("card"))), 2);
    assert_eq!(kept(&(cards("card") + &text(300))), 2);
    assert_eq!(kept(&(text(300) + &cards(""))), 2);
    assert_eq!(tended(&(text(300) + &cards("card")), false).split('|').count(), 8);
    // Of the same class they are posts of a list; two are no list; the text is too short.
    assert_eq!(kept(&(text(300) + &cards("story"))), 8);
    assert_eq!(kept(&(text(300) + &card("card", "a") + &card("card", "b"))), 6);
    assert_eq!(kept(&(text(298) + &cards("card"))), 8);
    // Headings without links, long texts, an article that has such headings itself or holds the others.
    assert_eq!(kept(&(text(300) + &cards("card").replace("<a ", "<b ").replace("</a>", "</b>"))), 8);
    assert_eq!(kept(&(text(300) + &cards("card").replace("Why.", &"why ".repeat(119)))), 2);
    assert_eq!(kept(&(text(300) + &cards("card").replace("Why.", &"why ".repeat(120)))), 8);
    let with_list = text(300).replace("</h1>", "</h1><h2><a href=/x>+x</a></h2>");
    assert_eq!(kept(&(with_list + &cards("card"))), 9);
    assert_eq!(kept(&text(300).replace("</article>", &(cards("card") + "</article>"))), 8);
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
fn contents_may_hold_their_label_and_be_tables() {
    let links = "<td><a href=#a>+the first of all parts</a><td><a href=#b>+the second of all parts</a><td><a href=#c>+the third of them</a>";
    check(&[
        (&format!("<section><table><tr><th>+Table of Contents<tr>{links}</table><p>+Text</section>"), "Text"),
        (&format!("<section><p>+Contents<table><tr>{links}</table><p>+Text</section>"), "Text"),
        (
            "<section><dl><dt><a href=#a>+a</a><dt><a href=#b>+b</a><dt><a href=#c>+c</a></dl><p>+T</section>",
            "T",
        ),
    ]);
    let other = format!("<section><table><tr><th>+The three of us<tr>{links}</table><p>+Text</section>");
    assert!(tended(&other, true).starts_with("The three of us|the first"));
    // Links enough, but the first row is something else; or the label is not right before them.
    let other = format!("<section><table><tr><th>+Us<tr>{links}</table><p>+Text</section>");
    assert!(tended(&other, true).starts_with("Us|the first"));
    let apart =
        format!("<section><table><tr><th>+Table of Contents<tr><td>+Us<tr>{links}</table><p>+Text</section>");
    assert!(tended(&apart, true).starts_with("Table of Contents|Us|the first"));
}

#[test]
fn sources_may_stand_under_a_line() {
    let list = "<ol><li>One, 1999.<li>Two, 2001.</ol>";
    check(&[
        (&format!("<main><p>+A<p>References{list}<p>d</main>"), "A|References|One, 1999.|Two, 2001."),
        (&format!("<main><p>+A<div>References</div>{list}</main>"), "A|References|One, 1999.|Two, 2001."),
        (&format!("<main><p>+A<p>What we like{list}</main>"), "A"),
        (
            &format!("<main><p>+A{}<h2>References</h2>{list}</main>", "<div>x</div>".repeat(7)),
            "A|References|One, 1999.|Two, 2001.",
        ),
        (&format!("<main><p>+A{}<h2>References</h2>{list}</main>", "<div>x</div>".repeat(8)), "A"),
        (&format!("<p>+A<h2>References</h2>{list}"), "A"),
        (&format!("<main><p>+A<h2>References</h2>{}</main>", list.replace("<ol>", "<ol class=share>")), "A"),
    ]);
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
        (
            "<main><p>+A<div><div><div><div><h2>Title</h2></div></div></div></div><div>+B</div></main>",
            "A|Title|B",
        ),
        ("<main><ul><li><h2>Title</h2></ul><div>+B</div></main>", "B"),
        ("<main><p>+A<div class=share><h2>Title</h2></div><div>+B</div></main>", "A|B"),
        // First of all, over another heading: a section or a date.
        ("<main><h4>News</h4><h2>+Title</h2><p>+B</main>", "Title|B"),
        ("<main><h4>News</h4><p>+B</main>", "News|B"),
        ("<h4>News</h4><p>+B", "B"),
    ]);
}

#[test]
fn sections_of_which_nothing_is_kept_have_no_headings() {
    let words = "word ".repeat(20);
    check(&[
        (&format!("<main><p>+A<h2>+Gone</h2><div>{words}</div><h3>+Sub</h3><p>+B</main>"), "A|Gone|Sub|B"),
        (&format!("<main><p>+A<h3>+Gone</h3><div>{words}</div><h2>+Next</h2><p>+B</main>"), "A|Next|B"),
        (&format!("<main><p>+A<h1>+Gone</h1><div>{words}</div><h1>+Next</h1><p>+B</main>"), "A|Gone|Next|B"),
    ]);
}

#[test]
fn lists_between_two_paragraphs_are_kept() {
    let list = "<ul><li><a href=/b>b</a><li>c d</ul>";
    check(&[
        (&format!("<main><p>+A{list}<p>+D</main>"), "A|b|c d|D"),
        (&format!("<main><p>+A{list}<p>~D</main>"), "A|b|c d"),
        (&format!("<main><p>+A{}<p>+D</main>", list.replace("ul", "ol")), "A|b|c d|D"),
        // Half of it linked, one item, images, names, roles, other neighbours, no text before or behind, the whole page.
        (&format!("<main><p>+A{}<p>+D</main>", list.replace("c d", "c")), "A|D"),
        ("<main><p>+A<ul><li><a href=/b>b</a> c d</ul><p>+D</main>", "A|D"),
        (&format!("<main><p>+A{}<p>+D</main>", list.replace("c d", "<img src=c.png>c d")), "A|D"),
        (&format!("<main><p>+A{}<p>+D</main>", list.replace("<ul", "<ul class=share")), "A|D"),
        (&format!("<main><p>+A{}<p>+D</main>", list.replace("<li>c", "<li class=share>c")), "A|D"),
        (&format!("<main><p>+A{}<p>+D</main>", list.replace("<ul", "<ul role=menu")), "A|D"),
        (&format!("<main><p>+A<div>{list}</div><p>+D</main>"), "A|D"),
        (&format!("<main><p>+A<div>{}</div><p>+D</main>", list.replace("ul", "dl")), "A|D"),
        (&format!("<main><div>+A</div>{list}<p>+D</main>"), "A|D"),
        (&format!("<main><p>+A{list}<div>+D</div></main>"), "A|D"),
        (&format!("<main><p>a{list}<p>+D</main>"), "D"),
        (&format!("<main><p>+A{list}<p>d</main>"), "A"),
        (&format!("<p>+A{list}<p>+D"), "A|D"),
    ]);
    assert_eq!(tended(&format!("<main><p>+A{list}<p>+D</main>"), false), "A|D");
    // Not much longer than the paragraph before it.
    let long = |words: usize| format!("<main><p>+A{}<p>+D</main>", list.replace("c d", &"c ".repeat(words)));
    assert!(tended(&long(120), true).contains("c c"));
    assert!(!tended(&long(121), true).contains("c c"));
}

#[test]
fn galleries_in_an_article_are_left_out() {
    let slides = |count: usize| -> String {
        (1..=count).map(|n| format!("<li><h2>+{n}/50 Slide</h2><p>+What it shows")).collect()
    };
    let text = |words: usize| format!("<p>+{}", "text ".repeat(words));
    let page = |count: usize, words: usize| {
        format!("<main>{}<div><h3>+Gallery</h3><ul>{}</ul></div><p>+End</main>", text(words), slides(count))
    };
    let left = |html: &str, is_article: bool| tended(html, is_article).matches("Slide").count();
    assert_eq!(left(&page(5, 148), true), 0);
    assert!(tended(&page(5, 150), true).ends_with("text|Gallery|End"));
    assert_eq!(left(&page(5, 147), true), 5);
    assert_eq!(left(&page(4, 150), true), 4);
    assert_eq!(left(&page(5, 150), false), 5);
    assert_eq!(left(&page(6, 150).replace("3/50", "7/50"), true), 6);
    assert_eq!(left(&page(5, 150).replace("1/50", "0/50"), true), 5);
    for (text, expected) in [
        ("3/50 The harbour", Some((3, 50))),
        ("3 / 50", Some((3, 50))),
        ("5/5", Some((5, 5))),
        ("3/4", None),
        ("6/5", None),
        ("0/50", None),
        ("999/999", Some((999, 999))),
        ("1/1000", None),
        ("3/50th of it", None),
        ("24/7 and more", None),
        ("and/or", None),
    ] {
        assert_eq!(super::slide_number(text), expected, "{text}");
    }
}

#[test]
fn captions_that_no_image_takes_are_kept() {
    let figure = |inner: &str| format!("<main><p>+A{inner}<p>+B</main>");
    let caption = "<figcaption>Costs by year</figcaption>";
    check(&[
        (&figure(&format!("<figure><div></div>{caption}</figure>")), "A|Costs by year|B"),
        (&figure(&format!("<figure><span>Image</span>{caption}</figure>")), "A|Costs by year|B"),
        (&figure("<figure><figcaption><p>Costs by year</figcaption></figure>"), "A|Costs by year|B"),
        (&figure(&format!("</p><table><tr><th>+x<th>+y</table>{caption}")), "A|x|y|Costs by year|B"),
        // What takes it, too few words, a name, no text on one side, the whole page.
        (&figure(&format!("<figure><img src=a.png>{caption}</figure>")), "A|B"),
        (&figure(&format!("<figure><noscript><img src=a.png></noscript>{caption}</figure>")), "A|B"),
        (&figure(&format!("<figure><iframe src=/a></iframe>{caption}</figure>")), "A|B"),
        (&figure("<figure><figcaption>Costs now</figcaption></figure>"), "A|B"),
        (&figure(&format!("<figure><div class=share>{caption}</div></figure>")), "A|B"),
        (&figure(&format!("<div>{caption}</div>")), "A|B"),
        (&format!("<main><p>+A<figure>{caption}</figure><p>b</main>"), "A"),
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
fn forms_for_comments_are_left_out() {
    let form = "<form><p>+Your name<input><p>+Your comment<textarea></textarea></form>";
    check(&[
        (&format!("<main><p>+A<h3>+Leave one</h3>{form}</main>"), "A"),
        (&format!("<main><p>+A<p>+More{form}</main>"), "A|More"),
        (&format!("<main><p>+A{}</main>", form.replace("textarea", "select")), "A|Your name|Your comment"),
        (&format!("<main><p>+A{}</main>", form.replace("form", "div")), "A|Your name|Your comment"),
    ]);
    let long = |words: usize| {
        let form = form.replace("comment<", &format!("comment {}<", "w ".repeat(words)));
        tended(&format!("<main><p>+A{form}</main>"), false)
    };
    assert_eq!(long(76), "A");
    assert_ne!(long(77), "A");
}

#[test]
fn teasers_aside_are_left_out_of_articles() {
    let card = "<aside><div><h3><a href=/b>+Binge less</a></h3><p>+Why it helps</div></aside>";
    let page = |card: &str| format!("<main><p>+A{card}<p>+B</main>");
    check(&[
        (&page(card), "A|B"),
        (
            &page(
                &card.replace("<h3><a href=/b>+Binge less</a></h3>", "<a href=/b><h3>+Binge less</h3></a>"),
            ),
            "A|B",
        ),
        (&page(&card.replace("/b", "https://mill.example/b")), "A|B"),
        (&page(&card.replace("/b", "https://other.example/b")), "A|Binge less|Why it helps|B"),
        (&page(&card.replace("/b", "#b")), "A|Binge less|Why it helps|B"),
        (&page(&card.replace("aside", "div")), "A|Binge less|Why it helps|B"),
        (&page(&card.replace("<div>", "<p>+First<div>")), "A|First|Binge less|Why it helps|B"),
        (&page(&card.replace("</a>", "</a> now")), "A|Binge less now|Why it helps|B"),
    ]);
    assert_eq!(tended(&page(card), false), "A|Binge less|Why it helps|B");
    let long = |words: usize| {
        tended(&page(&card.replace("+Why it helps", &format!("+{}", "w ".repeat(words)))), true)
    };
    assert_eq!(long(58), "A|B");
    assert_ne!(long(59), "A|B");
}

#[test]
fn lines_that_were_nearly_chosen_stand_between_paragraphs() {
    let line = "<div class=ad>x</div><p><a href=/b>~(Artist: b)</a>";
    check(&[
        (&format!("<main><p>+A{line}<p>+B</main>"), "A|(Artist: b)|B"),
        (&format!("<main><p>+A{}<p>+B</main>", line.replace('~', "")), "A|B"),
        (&format!("<main><p>+A{}<p>+B</main>", line.replace("<p>", "<p class=share>")), "A|B"),
        (&format!("<main><p>+A{}<p>+B</main>", line.replace("(Artist: b)", "Read also")), "A|B"),
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
        // No colon, a label of something else, nothing behind it, pictures, a name or role against it, the whole page.
        (&format!("<section><p>+These are<ul>{links}</ul><p>+D</section>"), "These are|D"),
        (&format!("<section><p>+Comments:<ul>{links}</ul><p>+D</section>"), "Comments:|D"),
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
    assert!(!tended(&page("<h3>Related posts</h3>", 20, 20), true).contains("Related"));
    assert!(!kept(&page(plain, 20, 20).replace("section>", "body>")));
    assert!(!kept(&page(plain, 20, 20).replace("+A", "a")));
    assert!(kept(&page("<h3>Pan</h3><h4>Pot</h4>", 18, 20)));
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
fn links_beside_a_label_and_boxes_before_a_list_do_not_hide_sources() {
    let list = "<ul><li><a href=/b>b</a><li><a href=/c>c</a></ul>";
    let edit = "<span class=mw-editsection>[<a href=/e>edit</a>]</span>";
    check(&[
        (&format!("<main><p>+A<h2>See also{edit}</h2>{list}</main>"), "A|See also[edit]|b|c"),
        (&format!("<main><p>+A<h2>See also</h2><div>x</div>{list}<p>d</main>"), "A|See also|b|c"),
        (
            &format!("<main><p>+A<h2>See also</h2><ul role=navigation><li>x</ul>{list}</main>"),
            "A|See also|b|c",
        ),
        (&format!("<main><p>+A<h2>See also</h2>{}{list}</main>", "<div>x</div>".repeat(7)), "A|See also|b|c"),
        (&format!("<main><p>+A<h2>See also</h2>{}{list}</main>", "<div>x</div>".repeat(8)), "A"),
    ]);
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
fn forms_for_comments_are_left_out_and_no_others() {
    check(&[
        ("<p>+A<form><p>+Say it<textarea></textarea></form>", "A"),
        ("<p>+A<h3>+Leave a reply</h3><form><p>+Say it<textarea></textarea></form>", "A"),
        ("<p>+A<p>+Leave a reply<form><p>+Say it<textarea></textarea></form>", "A|Leave a reply"),
        // A form without a place for a text, beside one that has it.
        ("<form><p>+Order it<input></form><form><p>+Say it<textarea></textarea></form>", "Order it"),
        ("<p>+A<form><p>+Order it<input></form>", "A|Order it"),
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
fn what_was_nearly_kept_between_texts_is_kept_unless_it_is_of_links() {
    let words = |count: usize| "w ".repeat(count);
    let page = |linked: usize| {
        format!(
            "<section><p>+A<div>~x {}<a href=/b>{}</a></div><div>~y {}</div><p>+D</section>",
            words(12 - linked),
            words(linked),
            words(14)
        )
    };
    let count = |linked: usize| tended(&page(linked), true).split('|').count();
    assert_eq!([0, 4, 6].map(count), [4, 4, 4]);
    assert_eq!([7, 8, 12].map(count), [2, 2, 2]);
}

#[test]
fn figures_of_code_between_kept_texts_are_kept() {
    let page = |figure: &str| format!("<main><p>+A{figure}<p>+B</main>");
    let figure = "<figure><span>File a.rs</span><pre>let a;</pre><figcaption><a href=#l1>Listing 1</a>: One</figcaption></figure>";
    assert_eq!(tended(&page(figure), false), "A|File a.rs|let a;|Listing 1: One|B");
    assert_eq!(tended(&page(figure).replace("+A", "A"), false), "B");
    assert_eq!(
        tended(&page(&figure.replace("<span>", "<span class=share>")), false),
        "A|File a.rs|let a;|Listing 1: One|B"
    );
    assert_eq!(
        tended(
            &page(&figure.replace("<pre>", "<div class=share><pre>").replace("</pre>", "</pre></div>")),
            false
        ),
        "A|Listing 1: One|B"
    );
    assert_eq!(tended(&page(&figure.replace("pre>", "p>")), false), "A|Listing 1: One|B");
    assert_eq!(tended(&page(&figure.replace("figure>", "div>")), false), "A|B");
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
    let code = format!("{}<pre>+let tea;</pre>", part(40));
    assert_eq!(count(&code, &code), 10, "code");
    let post = format!("<p>+{}", "leaf ".repeat(40));
    let quote = format!("<blockquote>{post}</blockquote><p>+Yes");
    assert_eq!(count(&post, &quote), 4, "a quote of the post above");
    assert_eq!(count(&post, &quote.replace("blockquote", "section")), 5, "no quote");
    assert_eq!(
        count(&post.replace("leaf leaf ", "leaf "), &quote.replace("leaf leaf ", "leaf ")),
        5,
        "a short one"
    );
}
