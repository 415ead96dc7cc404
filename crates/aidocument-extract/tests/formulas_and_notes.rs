//! Which elements are formulas and notes, and which only look so: pairs of fragments that differ in one thing.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use aidocument_extract::to_markdown;

/// Each case is a fragment and its Markdown.
fn check(cases: &[(&str, &str)]) {
    let told = |(html, expected): &(&str, &str)| {
        let found = to_markdown(html, None);
        (found != *expected).then(|| format!("{html}\n  {found:?}\n  {expected:?}\n"))
    };
    let wrong: String = cases.iter().filter_map(told).collect();
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn an_attribute_is_tex_where_the_element_says_so() {
    check(&[
        ("<p>so <span class=equation data-latex='x_1'>y</span>", "so $x_1$"),
        ("<p>so <span class=Formula data-math='x_1'>y</span>", "so $x_1$"),
        ("<p>so <span class=teaser data-math='x_1'>y</span>", "so y"),
        ("<p>so <span data-math='x_1'>y</span>", "so y"),
        ("<p>so <span data-math=' ' class=math>y</span>", "so y"),
        ("<p>so <span data-math='x_1'><math><mi>z</mi></math></span>", "so $x_1$"),
        ("<p>so <span class='math display' data-math='x_1'>y</span>", "so $$x_1$$"),
        ("<p>so <span class='math-block' data-math='x_1'>y</span>", "so $$x_1$$"),
        ("<p>so <span class='equation block' data-math='x_1'>y</span>", "so $$x_1$$"),
        ("<p>so <span class='equation display' data-math='x_1'>y</span>", "so $$x_1$$"),
    ]);
}

#[test]
fn an_element_with_two_formulas_is_not_one() {
    check(&[
        ("<p><span class=MathJax><math><mi>a</mi></math> and <math><mi>b</mi></math></span>", "$a$ and $b$"),
        ("<p><span class=MathJax><math><mi>a</mi></math> and b</span>", "$a$"),
        (
            "<p><span class=MathJaxed><script type='math/tex'>a</script> and <script type='math/tex'>b</script></span>",
            "$a$ and $b$",
        ),
        ("<p><span class=katexes><script type='math/tex'>a</script> and <script>b</script></span>", "$a$"),
        ("<mjx-container display=false><math><mi>x</mi></math></mjx-container>", "$x$"),
        ("<mjx-container><math display=block><mi>x</mi></math></mjx-container>", "$$x$$"),
        ("<span class=katex><span class=katex-display></span><math><mi>x</mi></math></span>", "$$x$$"),
        (
            "<p>so <span class=MathJax_SVG><span data-mathml='&lt;math>&lt;mi>x&lt;/mi>&lt;/math>'>y</span></span>",
            "so $x$",
        ),
        ("<p>so <span class=MathJax_SVG><span data-mathml='x'>y</span></span>", "so y"),
        ("<p>so <span class=MathJax><span data-tex='x_1'>y</span></span>", "so $x_1$"),
    ]);
}

#[test]
fn mathml_has_its_tex_in_places() {
    check(&[
        ("<math mode=display alttext=x></math>", "$$x$$"),
        ("<math mode=inline display=inline alttext=x></math>", "$x$"),
        (
            "<math alttext=x><semantics><mi>y</mi><annotation encoding=StarMath>z</annotation></semantics></math>",
            "$x$",
        ),
        (
            "<math alttext=x><semantics><mi>y</mi><annotation encoding='application/X-TeX'>z</annotation></semantics></math>",
            "$z$",
        ),
        (
            "<math alttext=x><semantics><mi>y</mi><annotation encoding='TeX'> </annotation></semantics></math>",
            "$x$",
        ),
        ("<math alttext=' '><mi>y</mi></math>", "$y$"),
    ]);
}

#[test]
fn what_a_script_of_tex_says_is_not_written_twice() {
    let script = "<script type='math/tex'>x</script>";
    check(&[
        (&format!("<p>so <span class=MathJax>y</span>{script}"), "so $x$"),
        (&format!("<p>so <span class=MJXp-math>y</span><i></i><i></i>{script}"), "so $x$"),
        (&format!("<p>so <span class=MathJax>y</span><i></i><i></i><i></i>{script}"), "so y$x$"),
        (&format!("<p>so <span class=mathjax>y</span>{script}"), "so y$x$"),
        ("<p>so <span class=MathJax>y</span><script>x</script>", "so y"),
        ("<p>so <script type=' math/tex'>x</script>", "so $x$"),
        ("<p>so <script type='math/asciimath'>x</script>", "so"),
    ]);
}

#[test]
fn images_are_formulas_where_they_say_so() {
    check(&[
        // By a class, which is a word or the start of a longer one.
        ("<p>so <img src=a.png class=tex alt='x_1'>", "so ![x_1](a.png)"),
        ("<p>so <!--latex--><img src=a.png class=tex alt='x_1'>", "so $x_1$"),
        ("<p>so <!--latex--><img src=a.png class=texture alt='x_1'>", "so ![x_1](a.png)"),
        ("<p>so <img src=a.png class='big LaTeX-image' alt='x_1'><!--latex-->", "so $x_1$"),
        ("<p>so <!--latex--><img src=a.png class=equations alt='x'>", "so $x$"),
        // By its service.
        ("<p>so <img src='/cgi/mathtex?x' alt='x'><!--latex-->", "so $x$"),
        ("<p>so <img src='/latex/a.png' alt='x'>", "so $x$"),
        ("<p>so <!--latex--><img src='/a.png' alt='x'>", "so ![x](/a.png)"),
        // By a text that is TeX: a command and a sign, and no path.
        ("<p>so <!--latex--><img src=a.png alt='\\frac{a}{b}'>", "so $\\frac{a}{b}$"),
        ("<p>so <!--latex--><img src=a.png alt='x^{2}'>", "so $x^{2}$"),
        ("<p>so <!--latex--><img src=a.png alt='\\alpha'>", "so ![\\\\alpha](a.png)"),
        ("<p>so <!--latex--><img src=a.png alt='a = b'>", "so ![a = b](a.png)"),
        ("<p>so <!--latex--><img src=a.png alt='C:\\tea_pot'>", "so ![C:\\\\tea_pot](a.png)"),
        ("<p>so <img class=mwe-math-fallback-image-display src=a.svg alt='x_1'>", "so $$x_1$$"),
    ]);
}

#[test]
fn addresses_have_tex_in_their_query_or_their_last_part() {
    check(&[
        ("<p>so <img src='https://latex.codecogs.com/png.latex?x+1'>", "so $x+1$"),
        ("<p>so <img src='/math?tex=%5Cfrac%7Ba%7D%7Bb%7D&s=2'>", "so $\\frac{a}{b}$"),
        ("<p>so <img src='/math?s=2&eq=%5Calpha+1'>", "so $\\alpha+1$"),
        ("<p>so <img src='/latex.php?latex=%5Calpha+1'>", "so $\\alpha 1$"),
        ("<p>so <img src='/chart?cht=tx&chl=%5Calpha+1'>", "so $\\alpha 1$"),
        ("<p>so <img src='/latex.php?latex=%5Calpha%2B1'>", "so $\\alpha+1$"),
        ("<p>so <img src='/codecogs/%5Calpha+1'>", "so $\\alpha+1$"),
        ("<p>so <img src='/codecogs/%5calpha'>", "so $\\alpha$"),
        ("<p>so <img src='/codecogs?\\alpha'>", "so $\\alpha$"),
        ("<p>so <img src='/codecogs/%5C1'>", "so ![](/codecogs/%5C1)"),
        ("<p>so <img src='/latex/%5Calpha/a.png'>", "so ![](/latex/%5Calpha/a.png)"),
        ("<p>so <img src='/codecogs?x=y'>", "so ![](/codecogs?x=y)"),
    ]);
}

#[test]
fn text_between_dollars_is_tex_where_the_page_has_commands() {
    check(&[
        ("<p>$x$ costs", "\\$x$ costs"),
        ("<p>so $a$ and $\\alpha$", "so $a$ and $\\alpha$"),
        ("<p>so $ x$ and $\\alpha$", "so \\$ x\\$ and $\\alpha$"),
        ("<p>so $x $ and $\\alpha$", "so \\$x \\$ and $\\alpha$"),
        ("<p>so $ \\beta $ and $\\alpha$", "so $\\beta$ and $\\alpha$"),
        ("<p>a\\(x\\) and \\[y\\] <!--katex-->", "a$x$ and $$y$$"),
        ("<p>\\(x <!--katex-->", "\\\\(x"),
        ("<p>\\begin{align*}x\\end{align*} <!--katex-->", "$$\\begin{align*}x\\end{align*}$$"),
        ("<p>\\begin{tabular}x\\end{tabular} <!--katex-->", "\\\\begin{tabular}x\\\\end{tabular}"),
    ]);
}

#[test]
fn marks_are_numbers_letters_and_signs() {
    let note = |text: &str, href: &str, sup: bool| {
        let link = format!("<a href=#{href}>{text}</a>");
        let mark = if sup { format!("<sup>{link}</sup>") } else { link };
        to_markdown(&format!("<p>So it is{mark}.</p><ol><li id={href}>Said who.</li></ol>"), None)
    };
    for (text, href, sup, label) in [
        ("1", "fn1", false, "1"),
        ("[1]", "fn1", false, "1"),
        ("123", "fn1", false, "123"),
        ("note 1", "fn1", false, "note1"),
        ("nb 2", "fn1", false, "nb2"),
        ("a", "fn1", true, "a"),
        ("[a]", "fn1", false, "a"),
        ("*", "fn1", false, "note1"),
        ("†‡§", "fn1", false, "note1"),
        // Raised, whatever the place is called.
        ("1", "x", true, "1"),
    ] {
        let expected = format!("So it is[^{label}].\n\n[^{label}]: Said who.");
        assert_eq!(note(text, href, sup), expected, "{text} {href} {sup}");
    }
    for (text, href, sup) in [
        ("1234", "fn1", false),
        ("a", "fn1", false),
        ("ab", "fn1", true),
        ("****", "fn1", false),
        ("1", "x", false),
    ] {
        assert!(!note(text, href, sup).contains("[^"), "{text} {href} {sup}");
    }
}

#[test]
fn raised_numbers_need_a_note_further_down() {
    check(&[
        (
            "<p>So<sup>1</sup> it is.</p><p><sup>1</sup> Or not at all.</p>",
            "So[^1] it is.\n\n[^1]: Or not at all.",
        ),
        ("<p>So<sup>1</sup> it is.</p><p><sup>2</sup> Or not at all.</p>", "So¹ it is.\n\n² Or not at all."),
        // The note is behind its mark, and more than its number.
        ("<p><sup>1</sup> Or not at all.</p><p>So<sup>1</sup> it is.</p>", "¹ Or not at all.\n\nSo¹ it is."),
        ("<p>So<sup>1</sup> it is.</p><p><sup>1</sup> Or no</p>", "So¹ it is.\n\n¹ Or no"),
        // Two marks of one note.
        (
            "<p>So<sup>1</sup> it<sup>1</sup> is.</p><p><sup>1</sup> Or not at all.</p>",
            "So[^1] it[^1] is.\n\n[^1]: Or not at all.",
        ),
        // Notes in a list that is named, from its first number on, or alone in the margin.
        (
            "<p>So<sup>3</sup> it is.</p><ol class=footnotes start=3><li>Or not.</li></ol>",
            "So[^3] it is.\n\n[^3]: Or not.",
        ),
        (
            "<p>So<sup>1</sup> it is.</p><ol id=endnotes><li>Or not.</li></ol>",
            "So[^1] it is.\n\n[^1]: Or not.",
        ),
        ("<p>So<sup>1</sup> it is.</p><ol><li>Or not.</li></ol>", "So¹ it is.\n1. Or not."),
        (
            "<p>So<sup>1</sup> it is.</p><aside><ol><li>Or not.</li></ol></aside>",
            "So[^1] it is.\n\n[^1]: Or not.",
        ),
        (
            "<p>So<sup>1</sup> it is.</p><aside><p>See</p><ol><li>Or not.</li></ol></aside>",
            "So¹ it is.\n\nSee\n1. Or not.",
        ),
    ]);
}

#[test]
fn a_link_to_a_part_of_the_page_is_no_mark() {
    let long = "tea ".repeat(1600);
    let of = |note: &str| {
        let html = format!("<p>So it is<sup><a href=#fn1>1</a></sup>.</p><div id=fn1>{note}</div>");
        to_markdown(&html, None).contains("[^1]:")
    };
    assert!(of("Said who."));
    assert!(of(&long[..6000]));
    assert!(!of(&long[..6001]));
    assert!(!of("<h2>Said</h2>who."));
    assert!(!of(""));
    // Nor is one to what is further up, or around it.
    check(&[(
        "<p id=fn1>Said who.</p><p>So it is<sup><a href=#fn1>1</a></sup>.</p>",
        "Said who.\n\nSo it is[1](#fn1).",
    )]);
}

#[test]
fn links_back_are_not_written() {
    let of = |link: &str| {
        let html = format!(
            "<p>So it is<sup><a href=#fn1 id=r1>1</a></sup>.</p><ol><li id=fn1>Said who. {link}</li></ol>"
        );
        let found = to_markdown(&html, None);
        found.strip_prefix("So it is[^1].\n\n[^1]: Said who.").unwrap().trim().to_owned()
    };
    for link in [
        "<a href=#r1>↩</a>",
        "<a href=#r1>^</a>",
        "<a href=#x class=footnote-backref>back to the text</a>",
        "<a href=#x role=doc-backlink>back to the text</a>",
        "<a href=#x data-footnote-backref>back to the text</a>",
        "<a href=#fnref1>a</a>",
        "<a href='/page#fnref1'>a</a>",
        "<a href=#x>Jump up to text</a>",
    ] {
        assert_eq!(of(link), "", "{link}");
    }
    for (link, expected) in [
        ("<a href=#x>back to the text</a>", "[back to the text](#x)"),
        ("<a href=#fnref1>back</a>", "[back](#fnref1)"),
        ("<a href=/x>↩</a>", "[↩](/x)"),
        ("<a href=#x>a</a>", "[a](#x)"),
        ("<a href=#fn2>a</a>", "[a](#fn2)"),
    ] {
        assert_eq!(of(link), expected, "{link}");
    }
}
