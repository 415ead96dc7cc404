//! Each rule on a page of its own. Blocks that the content model is taken to have kept begin with `+`.

use super::tend;
use crate::content::about::About;
use crate::content::features::Page;
use crate::content::visible;
use crate::{page, pipeline};

/// The texts that are kept in the end, in order, and parted by `|`.
fn tended(html: &str, is_article: bool) -> String {
    let url = "https://mill.example/page".parse().unwrap();
    let (tree, blocks) = visible(html, true);
    let facts = page::read(&tree, &url, html.len(), false);
    let data = pipeline::structured_data(&tree, &facts, &mut Vec::new());
    let about = About::of(&tree, url.as_str(), &facts, data.for_model());
    let text = |block| {
        let texts = blocks.texts_of(block).iter().filter_map(|&id| tree.text(id));
        texts.collect::<String>().trim().to_owned()
    };
    let texts: Vec<String> = blocks.blocks.iter().map(text).collect();
    let mut keep: Vec<bool> = texts.iter().map(|text| text.starts_with('+')).collect();
    tend(&Page::of(&tree, &blocks), &about, is_article, &mut keep);
    let kept = texts.iter().zip(keep).filter(|(_, kept)| *kept);
    kept.map(|(text, _)| text.trim_start_matches('+')).collect::<Vec<_>>().join("|")
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
        ("<section><p>+A<ul><li><a href=/b>b</a><li>c<li>d</ul><p>+D</section>", "A|D"),
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
