//! Which elements are formulas and notes, and which only look so: pairs of fragments that differ in one thing.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use aidocument_extract::{Extractor, to_markdown};

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
        ("<p>So<sup>1</sup> it is.</p><ol><li>Or not.</li></ol>", "So¹ it is.\n\n1. Or not."),
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

/// Of two notes of one number the second has a label of its own; a sign alone is labelled by its place.
#[test]
fn labels_are_told_apart() {
    check(&[
        (
            "<p>So<sup><a href=#fn1>1</a></sup> it<sup><a href=#fx1>1</a></sup> is<sup><a href=#fy1>1</a></sup>.</p>\
             <ol><li id=fn1>One.<li id=fx1>Two.<li id=fy1>Three.</ol>",
            "So[^1] it[^1-2] is[^1-3].\n\n[^1]: One.\n\n[^1-2]: Two.\n\n[^1-3]: Three.",
        ),
        (
            "<p>So<sup><a href=#fn1>*</a></sup> it<sup><a href=#fn2>†</a></sup> is.</p><ol><li id=fn1>One.<li id=fn2>Two.</ol>",
            "So[^note1] it[^note2] is.\n\n[^note1]: One.\n\n[^note2]: Two.",
        ),
    ]);
}

/// A number in front of its note is not written again; one within it is.
#[test]
fn a_note_is_written_without_its_number() {
    let of = |note: &str| {
        let html = format!("<p>So it is<sup><a href=#fn1>1</a></sup>.</p><div id=fn1>{note}</div>");
        let found = to_markdown(&html, None);
        found.strip_prefix("So it is[^1].\n\n[^1]: ").unwrap_or(&found).to_owned()
    };
    for (note, expected) in [
        ("<b>1.</b> Said who.", "Said who."),
        ("<span>[1]</span> Said who.", "Said who."),
        ("<b>2</b> Said who.", "**2** Said who."),
        ("Said <b>1</b> who.", "Said **1** who."),
        ("<span>“</span>Said who.”", "“Said who.”"),
        ("<em>1</em> Said who.", "*1* Said who."),
    ] {
        assert_eq!(of(note), expected, "{note}");
    }
}

/// What a mark leads to is a note where it is a block of its own, or the mark is in front of one.
#[test]
fn notes_are_blocks() {
    let is_note = |target: &str| {
        let html = format!("<p>So it is<sup><a href=#fn1>1</a></sup>.</p>{target}");
        to_markdown(&html, None).contains("[^1]:")
    };
    for target in [
        "<p id=fn1>Said who.",
        "<dl><dt>One<dd id=fn1>Said who.</dl>",
        "<p><a id=fn1></a>Said who.",
        "<p><span id=fn1>1</span> Said who.",
        "<p>(<a name=fn1></a>Said who.)",
        "<ol><li id=#fn1>Said who.</ol>",
    ] {
        assert!(is_note(target), "{target}");
    }
    for target in [
        "<h2 id=fn1>Said who.</h2>",
        "<p>See <a id=fn1></a>Said who.",
        "<p><span id=fn1>Said who, and where, and when it was said.</span>",
        "<table><tr><td id=fn1>Said who.</table>",
    ] {
        assert!(!is_note(target), "{target}");
    }
}

/// Marks are told by where they lead, or by what they are called.
#[test]
fn marks_are_told_by_their_names() {
    let is_mark = |mark: &str| {
        to_markdown(&format!("<p>So it is{mark}.</p><ol><li id=x1>Said who.<li id=fn1>Said it.</ol>"), None)
            .contains("[^1]:")
    };
    for mark in [
        "<a href=#fn1>1</a>",
        "<a href=/page#fn1>1</a>",
        "<a class=noteref href=#x1>1</a>",
        "<a role=doc-noteref href=#x1>1</a>",
        "<span class=footnote-mark><a href=#x1>1</a></span>",
        "<sup><a href=#x1>1</a></sup>",
    ] {
        assert!(is_mark(mark), "{mark}");
    }
    for mark in
        ["<a href=#x1>1</a>", "<sup><a href=/page#x1>1</a></sup>", "<a href=#none>1</a>", "<a href=#>1</a>"]
    {
        assert!(!is_mark(mark), "{mark}");
    }
}

/// A note that only a table marks stays where it is, and a table's mark of another one leads to it.
#[test]
fn a_tables_notes_stay_below_it() {
    let table = "<table><tr><th>a<th>b<tr><td>x<sup><a href=#fn1>1</a></sup><td>y</table>";
    let notes = "<ol><li id=fn1>Said who.</ol>";
    assert!(!to_markdown(&format!("{table}{notes}"), None).contains("[^1]"));
    let text = "<p>So it is<sup><a href=#fn1>1</a></sup>.</p>";
    let both = to_markdown(&format!("{text}{table}{notes}"), None);
    assert_eq!(both.matches("[^1]").count(), 3, "{both}");
}

/// A power is not the mark of a note that links lead to.
#[test]
fn a_raised_number_is_no_mark_of_a_linked_note() {
    check(&[
        (
            "<p>So<a href=#fn1>1</a> it is 10<sup>1</sup>.</p><ol><li id=fn1>Said who.</ol>",
            "So[^1] it is 10¹.\n\n[^1]: Said who.",
        ),
        ("<p>So<sup>1</sup> it is.</p><p><sup>1</sup> Or what", "So¹ it is.\n\n¹ Or what"),
        ("<p>So<sup>1</sup> it is.</p><p><sup>1</sup> Or whatt", "So[^1] it is.\n\n[^1]: Or whatt"),
        (
            "<p>So<sup>1</sup> it is.</p><p>See <sup>1</sup> Or not at all.",
            "So¹ it is.\n\nSee ¹ Or not at all.",
        ),
    ]);
}

/// Notes within the line: with their number, with a text beside them, and those that repeat one further down.
#[test]
fn notes_in_the_line_have_their_number() {
    check(&[
        (
            "<p>So<span>7<span class=footnote>Or was it so?</span></span> it is.",
            "So[^7] it is.\n\n[^7]: Or was it so?",
        ),
        (
            "<p>So<span>a<span class=footnote>Or was it so?</span></span> it is.",
            "So[^1] it is.\n\n[^1]: Or was it so?",
        ),
        (
            "<p>So <span>it is always<span class=footnote>Or was it so?</span></span> it is.",
            "So it is always[^1] it is.\n\n[^1]: Or was it so?",
        ),
        (
            "<p>So it is<sup><a href=#fn1>1</a></sup><span class=sidenote>Said who, and when.</span>.</p><ol><li id=fn1>Said who, and when.</ol>",
            "So it is[^1].\n\n[^1]: Said who, and when.",
        ),
        ("<p>So<span class=footnote>or not</span> it is.", "Soor not it is."),
        ("<div>So<span class=footnote>or was it so</span> it is.</div>", "Soor was it so it is."),
    ]);
}

#[test]
fn notes_of_latexml_are_written_once() {
    let note = |role: &str, number: &str, text: &str| {
        format!(
            "<span class='ltx_note ltx_role_{role}'><sup class=ltx_note_mark>{number}</sup><span class=ltx_note_outer>\
             <span class=ltx_note_content><sup class=ltx_note_mark>{number}</sup>{text}</span></span></span>"
        )
    };
    let tag =
        |number: &str, text: &str| format!(" <span class='ltx_tag ltx_tag_note'>{number}</span> {text}");
    let kind = |kind: &str| format!("<span class=ltx_note_type>{kind}: </span>");
    let once = note("footnote", "1", &tag("1", "Made of hemp."));
    let again = note("footnotemark", "1", &(kind("footnotemark") + &tag("1", "")));
    let thanks = note("thanks", "†", &(kind("thanks") + "Paid for by the ringers."));
    check(&[
        (&format!("<p>A rope{once} hangs."), "A rope[^1] hangs.\n\n[^1]: Made of hemp."),
        (
            &format!("<h1>Bells{thanks}</h1><p>Ring."),
            "# Bells[^note1]\n\nRing.\n\n[^note1]: Paid for by the ringers.",
        ),
        (
            &format!("<table><tr><th>Town<th>Bells<tr><td>Aldham{once}<td>4</table>"),
            "| Town | Bells |\n| --- | --- |\n| Aldham[^1] | 4 |\n\n[^1]: Made of hemp.",
        ),
        (
            &format!("<p>A<sup><a href=#b1>2</a></sup> rope{once}.<ol><li>Two.<li id=b1>One.</ol>"),
            "A[^2] rope[^1].\n\n1. Two.\n\n[^2]: One.\n\n[^1]: Made of hemp.",
        ),
        (
            &format!("<p>A rope{once} hangs{}.", note("footnote", "2", &tag("2", "Not for long."))),
            "A rope[^1] hangs[^2].\n\n[^1]: Made of hemp.\n\n[^2]: Not for long.",
        ),
    ]);
    // A mark of a note that stands elsewhere.
    let html = format!("<nav>x</nav><main><p>A rope{once} hangs{again}.</main>");
    let found = Extractor::new().extract(&html);
    assert_eq!(found.markdown, "A rope[^1] hangs¹.\n\n[^1]: Made of hemp.");
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

#[test]
fn a_note_may_have_its_number_in_a_heading_of_its_own() {
    let page = |back: &str| {
        format!(
            "<p>So<a id=D1 href=#FOOT1><sup>1</sup></a> it is.<h5><a id=FOOT1 {back}>(1)</a></h5><p>A note."
        )
    };
    check(&[
        (&page("href=#D1"), "So[^1] it is.\n\n[^1]: A note."),
        (&page(""), "So[¹](#FOOT1) it is.\n\n##### (1)\n\nA note."),
        // HeVeA has it as a term.
        (
            "<p>So<sup><a id=text1 href=#note1>1</a></sup> it is.<dl><dt><a id=note1 href=#text1>1</a><dd><div>A note.</div></dl>",
            "So[^1] it is.\n\n[^1]: A note.",
        ),
        (
            "<p>So<sup><a href=#t>1</a></sup> it is.<dl><dt><a id=t>1</a><dd>A term.</dl>",
            "So[1](#t) it is.\n\n1\n\nA term.",
        ),
    ]);
}
