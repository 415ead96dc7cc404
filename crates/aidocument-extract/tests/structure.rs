//! What a page has beside its words, as Markdown: formulas, images and their captions.

use aidocument_extract::to_markdown;

/// Each case is a fragment and its Markdown.
fn check(cases: &[(&str, &str)]) {
    for (html, expected) in cases {
        assert_eq!(to_markdown(html, None), *expected, "{html}");
    }
}

#[test]
fn formulas_are_written_once_whatever_their_forms() {
    check(&[
        // MathML with an annotation, with alttext, and without TeX.
        (
            "<p>so <math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x_1</annotation></semantics></math>.",
            "so $x_1$.",
        ),
        ("<p><math alttext='a+b' display=block><mi>a</mi></math>", "$$a+b$$"),
        ("<p>1 <math><mfrac><mn>1</mn><mi>n</mi></mfrac></math>", "1 $\\frac{1}{n}$"),
        // KaTeX: the formula for programs and the one for eyes.
        (
            "<p><span class=katex-display><span class=katex><span class=katex-mathml><math><semantics><mi>x</mi>\
             <annotation encoding='application/x-tex'>x^2</annotation></semantics></math></span>\
             <span class=katex-html aria-hidden=true>x2</span></span></span>",
            "$$x^2$$",
        ),
        (
            "<p><span class=math-inline data-math='\\alpha'><span class=katex>α</span></span> it is",
            "$\\alpha$ it is",
        ),
        // MathJax 2: preview, output and source; MathJax 3: hidden MathML.
        (
            "<p>a <span class=MathJax_Preview>[x]</span><span class=MathJax id=M1>x</span>\
             <script type='math/tex; mode=display'>x\n= 1</script> b",
            "a $$x = 1$$ b",
        ),
        (
            "<mjx-container display=true><svg></svg><mjx-assistive-mml><math><msup><mi>x</mi><mn>2</mn></msup></math>\
             </mjx-assistive-mml></mjx-container>",
            "$$x^{2}$$",
        ),
        // MediaWiki: hidden MathML and an image.
        (
            "<p>if <span class=mwe-math-element><span style='display:none'><math alttext='{\\displaystyle A}'><mi>A</mi></math>\
             </span><img class=mwe-math-fallback-image-inline alt='{\\displaystyle A}' src=/a.svg></span> is",
            "if $A$ is",
        ),
        // Images of TeX.
        (
            "<p>let <img class=latex src='https://s0.wp.com/latex.php?latex=x%5E2' alt='x^2'> be",
            "let $x^2$ be",
        ),
        (
            "<p>let <img src='https://latex.codecogs.com/svg.image?%5Cfrac%7Ba%7D%7Bb%7D'> be",
            "let $\\frac{a}{b}$ be",
        ),
        // TeX in the text, where the page has some.
        ("<p>let $x$ and $y \\in \\mathbb{R}$ cost $5", "let $x$ and $y \\in \\mathbb{R}$ cost \\$5"),
        ("<script src=MathJax.js></script><p>then \\(a_1*b\\) and \\[c\\]", "then $a_1*b$ and $$c$$"),
    ]);
}

#[test]
fn dollars_and_digits_stay_apart() {
    check(&[
        ("<p>$5 and $10", "$5 and $10"),
        ("<p>$HOME/$USER", "\\$HOME/$USER"),
        ("<p>2<math alttext=x></math>3", "2 $x$ 3"),
        ("<p><math alttext='a<b>c`d`'></math>", "$a\\lt b\\gt c\\lq d\\lq$"),
        (
            "<table><tr><th>a<th>b<tr><td><math alttext='|x|'></math><td>c</table>",
            "| a | b |\n| --- | --- |\n| $\\vert x\\vert$ | c |",
        ),
        // No code: what looks like a formula there is code.
        ("<p>$a \\in b$ <code>$x$</code>", "$a \\in b$ `$x$`"),
    ]);
}

#[test]
fn titles_that_repeat_the_text_are_left_out() {
    check(&[
        ("<a href=/x title='The page'>the  page</a>", "[the page](/x)"),
        ("<a href=/x title='More'>the page</a>", "[the page](/x \"More\")"),
        ("<img src=a.png alt='A cat' title='a cat'>", "![A cat](a.png)"),
    ]);
}
