//! What a page has beside its words, as Markdown: formulas, images and their captions.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use aidocument_extract::{Extractor, MetadataSource, to_markdown};

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
        // What a script is to set, where no script is named.
        ("<p>so <span class=arithmatex>\\(x^2\\)</span>", "so $x^2$"),
        ("<p>so <span class='math notranslate nohighlight'>\\(a_b\\)</span>", "so $a_b$"),
        (
            "<p>so <span class='math inline'>\\(a_b\\)</span></p><span class='math display'>\\[c\\]</span>",
            "so $a_b$\n\n$$c$$",
        ),
        // Images of TeX.
        ("<p>let <img src='https://latex.codecogs.com/gif.latex?x%5E2' title='x^2'> be", "let $x^2$ be"),
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
    for (html, expected) in [
        ("<a href=/x title='The page'>the  page</a>", "[the page](/x)"),
        ("<a href=/x title='More'>the page</a>", "[the page](/x \"More\")"),
        ("<a href=/x title=' More\n\nof it '>the page</a>", "[the page](/x \"More of it\")"),
        ("<img src=a.png alt='A cat' title='a cat'>", "![A cat](a.png)"),
    ] {
        assert_eq!(Extractor::new().extract(html).markdown, expected, "{html}");
    }
    // What is written as it is keeps them, line ends as references.
    check(&[
        ("<a href=/x title='The page'>the  page</a>", "[the page](/x \"The page\")"),
        ("<a href=/x title='a\n\nb'>c</a>", "[c](/x \"a&#10;&#10;b\")"),
    ]);
}

#[test]
fn code_has_its_language_and_its_lines() {
    check(&[
        (
            "<pre><code>a\n<span class=gatsby-highlight-code-line>b</span><span class=gatsby-highlight-code-line>c</span>d\n</code></pre>",
            "```\na\nb\nc\nd\n```",
        ),
        // Where highlighters note languages.
        ("<pre class='brush: js; gutter: false'>a</pre>", "```js\na\n```"),
        (
            "<div class='highlight-python3 notranslate'><div class=highlight><pre>a</pre></div></div>",
            "```python3\na\n```",
        ),
        ("<pre><code class='hljs rust'>a</code></pre>", "```rust\na\n```"),
        (
            "<div class='language-cpp highlighter-rouge'><div class=highlight><pre>a</pre></div></div>",
            "```cpp\na\n```",
        ),
        ("<pre class=shiki language=tsx><code>a</code></pre>", "```tsx\na\n```"),
        ("<pre class='sourceCode haskell'><code>a</code></pre>", "```haskell\na\n```"),
        ("<pre data-lang=text class=language-none>a</pre>", "```\na\n```"),
        ("<pre class=EnlighterJSRAW data-enlighter-language=python>a</pre>", "```python\na\n```"),
        ("<pre class='lang:php decode:true'>a</pre>", "```php\na\n```"),
        ("<pre class=devsite-click-to-copy syntax=Kotlin><code>a</code></pre>", "```kotlin\na\n```"),
        (
            "<pre data-syntaxhighlighter-params='gutter: false; brush: bash; theme: Confluence'>a</pre>",
            "```bash\na\n```",
        ),
        ("<pre data-syntaxhighlighter-params='gutter: false'>a</pre>", "```\na\n```"),
        ("<div class='mw-highlight mw-highlight-lang-ini'><pre>a</pre></div>", "```ini\na\n```"),
        ("<div class=fragment><div class=line>a</div><div class=line> b</div></div>", "```\na\n b\n```"),
        // Doxygen's in a cell, with what it shows when a reader points at a name.
        (
            "<table><tr><th>m</th></tr><tr><td>See <div class=fragment><div class=line>a_b();</div><div class=line> c*d*e</div><div class=ttc>f</div></div> now</td></tr></table>",
            "| m |\n| --- |\n| See `a_b(); c*d*e` now |",
        ),
        ("<div class=fragment><div>a</div><div>b</div></div>", "a\n\nb"),
        ("<div class=code-block data-lang=http>GET /\n\nx</div>", "```http\nGET /\n\nx\n```"),
        // Lines that are elements, and nothing trimmed in them.
        ("<pre><code><div>  a</div><div></div><div>b</div></code></pre>", "```\n  a\n\nb\n```"),
        ("<pre><span class=line>a</span><span class=line> b</span></pre>", "```\na\n b\n```"),
        (
            "<pre><span class=line>a</span>\n<span class=line></span>\n<span class=line>b</span></pre>",
            "```\na\n\nb\n```",
        ),
        ("<pre>a<br>b&nbsp;c</pre>", "```\na\nb c\n```"),
        (
            "<p>Text</p><div><code>a\nb</code></div><p>text <code>c</code>",
            "Text\n\n```\na\nb\n```\n\ntext `c`",
        ),
        // No line numbers, no buttons.
        ("<pre><button>Copy</button><span class=lineno>1</span>a</pre>", "```\na\n```"),
        (
            "<pre><div class=row><span>1</span><div>a</div></div><div class=row><span>2</span><div>b</div></div></pre>",
            "```\na\nb\n```",
        ),
        (
            "<table><tr><td class=lntd><pre>1\n2\n</pre></td><td><pre><code class=language-go>a\nb\n</code></pre></td></tr></table>",
            "```go\na\nb\n```",
        ),
        // Numbers that are the code.
        ("<pre>1\n2</pre>", "```\n1\n2\n```"),
    ]);
}

#[test]
fn declarations_are_code() {
    check(&[
        // javadoc.
        (
            "<section class=detail><h3>of</h3>\n<div class=member-signature><span class=modifiers>public static</span>&nbsp;\
             <span class=type-parameters>&lt;T&gt;</span>&nbsp;<span class=return-type><a href=/o>Optional</a>&lt;T&gt;</span>&nbsp;\
             <span class=element-name>of</span><wbr><span class=parameters>(T&nbsp;a_b,\n T&nbsp;c)</span></div>\
             <div class=block>Returns it.</div></section>",
            "### of\n\n```\npublic static <T> Optional<T> of(T a_b,\n T c)\n```\n\nReturns it.",
        ),
        (
            "<ul><li><h4>of</h4><pre class=methodSignature>public&nbsp;int&nbsp;of&#8203;(int&nbsp;a,\n              int&nbsp;b)</pre></ul>",
            "- #### of\n\n  ```\n  public int of(int a,\n                int b)\n  ```",
        ),
        (
            "<meta name=generator content='javadoc/ClassWriterImpl'><div class=type-signature><span class=modifiers>public class </span>\
             <span class=element-name>A</span>\n<span class=extends-implements>extends B</span></div>",
            "```java\npublic class A\nextends B\n```",
        ),
        // rustdoc.
        (
            "<details class='toggle method-toggle' open><summary><section id=method.a class=method><span class=rightside>\
             <span class=since>1.0.0</span> · <a class=src href=/s>Source</a></span><a href=#method.a class=anchor>§</a>\
             <h4 class=code-header>pub fn <a href=#method.a class=fn>a_b</a>&lt;T&gt;(&amp;self) -&gt; <a href=/b>bool</a>\
             <div class=where>where\n    T: A,</div></h4></section></summary><div class=docblock><p>Text.</div></details>",
            "#### `pub fn a_b<T>(&self) -> bool where T: A,`\n\nText.",
        ),
        (
            "<section class=variant><a class=anchor href=#v>§</a><h3 class=code-header>None</h3></section>",
            "### `None`",
        ),
        // Doxygen.
        (
            "<div class=memproto><table class=mlabels><tr><td class=mlabels-left><table class=memname><tr>\
             <td class=memname>int f_a </td><td>(</td><td class=paramtype>int&nbsp;</td><td class=paramname><em>b</em>, </td></tr>\
             <tr><td class=paramkey></td><td></td><td class=paramtype>T&nbsp;</td><td class=paramname><em>c</em>&nbsp;</td></tr>\
             <tr><td></td><td>)</td><td></td><td> const</td></tr></table></td><td class=mlabels-right><span class=mlabels>\
             <span class=mlabel>inline</span></span></td></tr></table></div>",
            "```\nint f_a(int b, T c) const\n```",
        ),
        (
            "<table class=memberdecls><tr class=memitem:a><td class=memItemLeft>typedef <a href=/t>T_a</a>&lt; int *&gt; </td>\
             <td class=memItemRight><a href=/b>f_b_</a> (int *c_)</td></tr><tr class=memdesc:a><td class=mdescLeft> </td>\
             <td class=mdescRight>A *word*. <a href=/b>More...</a></td></tr><tr class=memitem:c><td class=memItemLeft> </td>\
             <td class=memItemRight><a>g_</a>=0</td></tr></table>",
            "| `typedef` [`T_a`](/t)`< int *>` | [`f_b_`](/b) `(int *c_)` |\n| --- | --- |\n\
             | | A \\*word\\*. [More...](/b) |\n| | `g_=0` |",
        ),
        // Haddock.
        (
            "<div class=top><p class=src><a id=v:f class=def>f_a</a> :: <a href=/a>A</a> t =&gt; t -&gt; [a] \
             <a href=/s class=link>Source</a> <a href=#v:f class=selflink>#</a></p><div class=doc><p>Text.</div></div>",
            "```\nf_a :: A t => t -> [a]\n```\n\nText.",
        ),
        (
            "<p class=src>f_a :: t -&gt; <a href=/m>M</a> <a href=/s class=link>Source</a> <a href=#f class=selflink>#</a></p>",
            "```\nf_a :: t -> M\n```",
        ),
        // PHP's manual, and TypeDoc's lists.
        (
            "<div class='methodsynopsis dc-description'><span class=methodname><strong>a_b</strong></span>(\
             <span class=methodparam><span class=type>int</span> <code class=parameter>$c</code></span>): <span class=type>bool</span></div>",
            "```\na_b(int $c): bool\n```",
        ),
        (
            "<ul><li class=tsd-signature><span class=tsd-kind-method>a_b</span><span class=tsd-signature-symbol>(</span>c<span \
             class=tsd-signature-symbol>)</span></li><li><p>Text.</li></ul>",
            "- ```\n  a_b(c)\n  ```\n\n- Text.",
        ),
        // Qt and JSDoc.
        (
            "<h3 class=fn id=a>void QPair::<span class=name>a_b</span>(<span class=type>QPair</span>&lt;T&gt; &amp;<i>c</i>)</h3>",
            "### `void QPair::a_b(QPair<T> &c)`",
        ),
        (
            "<h4 class=name id=a_b>a_b<span class=signature>(c<span class=signature-attributes>opt</span>)</span><span class=type-signature> → {boolean}</span></h4>",
            "#### `a_b(c) → {boolean}`",
        ),
        // pdoc and pydoctor.
        (
            "<div class='attr function'><span class=def>def</span> <span class=name>a_b</span><span class='signature pdoc-code'>\
             (<span class=param><span class=bp>self</span>, </span><span class=param><span class=n>c</span></span>)</span>\
             <label class=view-source-button><span>View Source</span></label></div>",
            "```\ndef a_b(self, c)\n```",
        ),
        (
            "<div class=functionHeader><span class=py-keyword>def</span> <span class=py-defname>a_b</span>\
             <span class=function-signature>(c: <code>str</code>)</span>: <a class=functionHeaderLink href=#a_b>¶</a></div>",
            "```\ndef a_b(c: str):\n```",
        ),
        // What people sign, and what is named otherwise.
        ("<div class=signature>Ann (Lee)<br>The <i>best</i> = you</div>", "Ann (Lee)\\\nThe *best* = you"),
        ("<div class=signature><div class=sig_text>Games: A_b (2)</div></div>", "Games: A_b (2)"),
        ("<div class='post signature'><span class=type>Admin</span> of it</div>", "Admin of it"),
        ("<p class=src>Source: The <a href=/a>Times</a></p>", "Source: The [Times](/a)"),
        ("<h2 class=fn>Ann Lee (writer)</h2>", "## Ann Lee (writer)"),
    ]);
}

#[test]
fn lines_that_are_elements_are_code() {
    check(&[
        // Runs of `<code>`.
        (
            "<p><code>a_b = 1</code><br><code>&nbsp; c_d</code><br>\n<code>e</code></p>",
            "```\na_b = 1\n  c_d\ne\n```",
        ),
        ("<ul><li><code>a_b</code><br><code>c</code></ul>", "- ```\n  a_b\n  c\n  ```"),
        ("<p><code>a</code> <code>b</code></p>", "`a` `b`"),
        ("<p><code>a</code><br>is <code>b</code></p>", "`a`\\\nis `b`"),
        // A box by its class or style, its lines by their looks.
        (
            "<div class=my-code>\n  <div>if (a_b) {</div>\n  <div>&nbsp;&nbsp;c_d();</div>\n  <div></div>\n  <div>}</div>\n</div>",
            "```\nif (a_b) {\n  c_d();\n\n}\n```",
        ),
        (
            "<div class='highlight js'><span style='display:block' class=line>a_b = 1;</span><span style='display:block' class=line>c_d();</span></div>",
            "```js\na_b = 1;\nc_d();\n```",
        ),
        (
            "<div style=\"font-family: Menlo, Monaco, 'Courier New', monospace; white-space: pre;\"><div><span>const</span> a_b = 1;</div>\
             <div>  c_d();</div></div>",
            "```\nconst a_b = 1;\n  c_d();\n```",
        ),
        ("<p class=code>a_b = 1;<br>\n  c_d();</p>", "```\na_b = 1;\nc_d();\n```"),
        ("<code><div>a_b = 1;</div><div>  c_d();</div></code>", "```\na_b = 1;\n  c_d();\n```"),
        (
            "<div class=dp-highlighter><ol class=dp-c start=1><li class=alt><span><span class=keyword>int</span> a_b;</span></li>\
             <li class><span>c_d();</span></li></ol></div>",
            "```\nint a_b;\nc_d();\n```",
        ),
        (
            "<div class=fragment><div class=line>a_b();</div>\n<div class=ttc><div class=ttname>a</div><div class=ttdef>b</div></div>\n</div>",
            "```\na_b();\n```",
        ),
        (
            "<table class=listing><tr><td class=n>1</td><td class=t>a_b = 1;</td></tr><tr><td class=n>2</td><td class=t>\u{a0}c_d();</td></tr></table>",
            "```\na_b = 1;\n c_d();\n```",
        ),
        // Verse, notes, vouchers, places in a list.
        (
            "<div class=poem><div class=line>O -> you</div><div class=line>my sea;</div></div>",
            "O -> you\n\nmy sea;",
        ),
        ("<div class=highlight>Note this<br>and that</div>", "Note this\\\nand that"),
        ("<div class=promo-code><div>Use it</div><div>SAVE</div></div>", "Use it\n\nSAVE"),
        (
            "<table class=highlight><tr><td>1<td>Ann<tr><td>2<td>Bob</table>",
            "| 1 | Ann |\n| --- | --- |\n| 2 | Bob |",
        ),
    ]);
}

#[test]
fn code_that_scripts_laid_out_as_a_table_is_code() {
    check(&[
        // SyntaxHighlighter.
        (
            "<div><div class='syntaxhighlighter  java'><div class=toolbar><span><a href=# class=toolbar_item>?</a></span></div>\
             <table><tbody><tr><td class=gutter><div class='line number1'>1</div><div class='line number2'>2</div></td>\
             <td class=code><div class=container><div class='line number1'><code class='java keyword'>int</code> \
             <code class=plain>a;</code></div><div class='line number2'><code class='java spaces'>\u{a0}\u{a0}</code>\
             <code class=plain>f(a);</code></div></div></td></tr></tbody></table></div></div>",
            "```java\nint a;\n  f(a);\n```",
        ),
        // GitHub's files and gists.
        (
            "<div class='blob-wrapper data type-c'><table class='highlight tab-size js-file-line-container'>\
             <tr><td id=L1 class='blob-num js-line-number' data-line-number=1></td><td class='blob-code js-file-line'>\
             <span class=pl-k>int</span> a;</td></tr>\n<tr><td id=L2 class='blob-num js-line-number' data-line-number=2></td>\
             <td class='blob-code js-file-line'>  f(a);</td></tr></table></div>",
            "```\nint a;\n  f(a);\n```",
        ),
    ]);
}

#[test]
fn cells_stay_in_their_columns() {
    check(&[
        (
            "<table><tr><th rowspan=2>a<th>b<tr><td>c<tr><td>d<td>e</table>",
            "| a | b |\n| --- | --- |\n| | c |\n| d | e |",
        ),
        (
            "<table><tr><th colspan=2>a<th>b<tr><td>c<td rowspan=3>d<td>e<tr><td>f<td>g<tr><td>h<td>i</table>",
            "| a | | b |\n| --- | --- | --- |\n| c | d | e |\n| f | | g |\n| h | | i |",
        ),
        // One row without a header sets things side by side.
        ("<table><tr><td>a<td>b</table>", "a\n\nb"),
        ("<table><tr><th>a<td>b</table>", "| a | b |\n| --- | --- |"),
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", "| a | b |\n| --- | --- |\n| c | d |"),
        ("<table><tr><td rowspan=0>a<td>b<tr><td>c</table>", "| a | b |\n| --- | --- |\n| | c |"),
    ]);
}

#[test]
fn footnotes_have_marks_and_definitions() {
    check(&[
        // A link to an item of a list, and one back.
        (
            "<p>So it is.<sup><a href=#fn1 id=r1>[1]</a></sup></p><ol><li id=fn1>Said <i>who</i>. <a href=#r1>↩</a></ol>",
            "So it is.[^1]\n\n[^1]: Said *who*.",
        ),
        // A target in front of the note.
        (
            "<p>So it is <a href=#ref7>[7]</a>.</p><div><a id=ref7>7.</a><div>A book.</div></div>",
            "So it is[^7].\n\n[^7]: A book.",
        ),
        // Word's.
        (
            "<p>So it is<a href=#_ftn1 name=_ftnref1>[1]</a>.</p><p><a href=#_ftnref1 name=_ftn1>[1]</a> Said who.</p>",
            "So it is[^1].\n\n[^1]: Said who.",
        ),
        (
            "<p>So it is<a href=#_edn1 name=_ednref1>[i]</a>.</p><p><a href=#_ednref1 name=_edn1>[i]</a> Said who.</p>",
            "So it is[^i].\n\n[^i]: Said who.",
        ),
        // Two paragraphs, and two marks.
        (
            "<p>a<sup><a href=#n1>1</a></sup> b<sup><a href=#n1>1</a></sup></p><ol><li id=n1><p>c</p><p>d</p></ol>",
            "a[^1] b[^1]\n\n[^1]: c\n\n    d",
        ),
        // Raised numbers without links.
        (
            "<p>So it is.<sup>1</sup></p><hr><p><sup>1</sup> Or not at all.</p>",
            "So it is.[^1]\n\n---\n\n[^1]: Or not at all.",
        ),
        // Notes in the margin.
        (
            "<p>So it is<span class=inline-footnote>1<span class=footnoteContent style='display:none'>Or was it so?</span></span>.",
            "So it is[^1].\n\n[^1]: Or was it so?",
        ),
        (
            "<p>So it is<label class=sidenote-number></label><span class=sidenote>Or was it so?</span>.",
            "So it is[^1].\n\n[^1]: Or was it so?",
        ),
        // No footnotes: powers, tables of contents, links up.
        ("<p>10<sup>6</sup> km<sup>2</sup>, 10<sup>−3</sup>, the 1<sup>st</sup>", "10⁶ km², 10⁻³, the 1st"),
        ("<p><a href=#s1>1</a></p><h2 id=s1>One</h2>", "[1](#s1)\n\n## One"),
    ]);
}

fn extracted(html: &str) -> String {
    use aidocument::{Crawl, StatusCode};
    use aidocument_extract::{Options, extract};
    let crawl = Crawl::new(
        "2026-05-10T12:34:56Z".parse().unwrap(),
        StatusCode::new(200).unwrap(),
        "AIWebIndex/1.0".parse().unwrap(),
    );
    let html = format!("<nav>x</nav><main>{html}</main>");
    let url = "https://example.com/page".parse().unwrap();
    extract(html.as_bytes(), url, None, crawl, &Options::default()).document.markdown().to_owned()
}

#[test]
fn marks_of_items_that_the_list_has_are_not_written_again() {
    let item = |mark: &str, text: &str| format!("<li style=list-style-type:none>{mark} <div><p>{text}</div>");
    let tag = |mark: &str| format!("<span class='ltx_tag ltx_tag_item'>{mark}</span>");
    for (html, expected) in [
        (format!("<ul>{}</ul>", item(&tag("•"), "Tea")), "- Tea"),
        (format!("<ul>{}</ul>", item(&tag("<span><b>–</b></span>"), "Tea")), "- Tea"),
        (format!("<ol>{}{}</ol>", item(&tag("1."), "Tea"), item(&tag("2."), "Milk")), "1. Tea\n\n2. Milk"),
        (format!("<ol>{}{}</ol>", item(&tag("(a)"), "Tea"), item(&tag("(b)"), "Milk")), "1. Tea\n\n2. Milk"),
        (format!("<ol>{}{}</ol>", item(&tag("i."), "Tea"), item(&tag("ii."), "Milk")), "1. Tea\n\n2. Milk"),
        ("<ol start=7><li><div class=no>7</div><div>Tea</div></ol>".to_owned(), "7. Tea"),
        ("<ul><li><div><span>•</span><span>Tea</span></div></ul>".to_owned(), "- Tea"),
        // What the list does not say by itself, and what is all that an item has.
        ("<ol><li><b>3.</b> Tea</ol>".to_owned(), "1. **3.** Tea"),
        ("<ul><li><b>1.</b> Tea</ul>".to_owned(), "- **1.** Tea"),
        ("<ul><li><span>✓</span> Tea</ul>".to_owned(), "- ✓ Tea"),
        ("<ul><li><tt>Type <b>*</b> of()</tt> gives</ul>".to_owned(), "- `Type * of()` gives"),
        ("<ul><li><code>-</code> minus</ul>".to_owned(), "- `-` minus"),
        ("<ol><li><span>1</span></ol>".to_owned(), "1. 1"),
        ("<ul><li>Tea <span>•</span> Milk</ul>".to_owned(), "- Tea • Milk"),
    ] {
        assert_eq!(extracted(&html), expected, "{html}");
    }
    assert_eq!(
        extracted("<dl><dt><span class='ltx_tag ltx_tag_item'>Tea</span><dd>is hot.</dl>"),
        "Tea\n\nis hot."
    );
}

#[test]
fn headings_have_no_links_to_themselves() {
    for (html, expected) in [
        ("<h2>Tea<a class=headerlink href=#tea title='Link to this heading'>¶</a></h2>", "## Tea"),
        // Texinfo's, beside a term; a pilcrow leads nowhere else, and a section sign may.
        ("<p>Tea<a class=copiable-link href='#index-tea'> ¶</a> is hot.</p>", "Tea is hot."),
        ("<p>Tea, <a href=#tea>§</a> or <a href=/tea>¶</a>.</p>", "Tea, § or [¶](https://example.com/tea)."),
        // Links from documentation to its source, and one to that of a saying.
        (
            "<h2>Tea</h2><span class=sub><a class=src href='../../src/tea/a.rs.html#7'>Source</a></span><p>Text",
            "## Tea\n\nText",
        ),
        ("<p>Tea <a href='../_modules/tea.html#pot'><span>[source]</span></a>", "Tea"),
        ("<h4>Tea <a href='https://git.example/tea.c#L12'>[src]</a></h4>", "#### Tea"),
        ("<p>boil() <span class=method-click-advice>click to toggle source</span>", "boil()"),
        (
            "<p>An instance <a href=#i class=selflink>#</a><details><summary class=hide-when-js-enabled>Instance details</summary>\
             <p>Of A.</details>",
            "An instance\n\nOf A.",
        ),
        (
            "<input class=view-source-toggle-state type=checkbox><p>What it does.<div class='pdoc-code codehilite'><pre>x = 1</pre></div>\
             <div class=docstring>More.</div>",
            "What it does.\n\nMore.",
        ),
        ("<p>Tea <a href=https://tea.example/leaf>Source</a>", "Tea [Source](https://tea.example/leaf)"),
        (
            "<p>Tea <a href='https://tea.example/a#Leaf'>Source</a>",
            "Tea [Source](https://tea.example/a#Leaf)",
        ),
        ("<h2>Tea <span class=mw-editsection>[<a href='/w?action=edit'>edit</a>]</span></h2>", "## Tea"),
        ("<h2>Tea<a href=#tea aria-label='Permalink: Tea'></a></h2>", "## Tea"),
        ("<h2>Tea<a href=#tea><span class=sr-only>Section titled Tea</span></a></h2>", "## Tea"),
        ("<h2><a class=heading-link href=#tea>Tea</a></h2>", "## Tea"),
        (
            "<div><h2>Tea</h2><a class=sl-anchor-link href=#tea><span class=sr-only>Section titled Tea</span></a></div>",
            "## Tea",
        ),
        (
            "<h2>Tea</h2><details open><summary class=hideme><span>Expand description</span></summary></details>",
            "## Tea",
        ),
        ("<h2>Tea</h2><details open><summary>Show me</summary></details>", "## Tea"),
        ("<h2>Tea</h2><details><summary>Show me</summary></details>", "## Tea\n\nShow me"),
        ("<h2>Tea</h2><h2 id=user-content-footnote-label class=sr-only>Footnotes</h2>", "## Tea"),
        // A blank that no line breaks at, where a block in a link ends.
        ("<a href=/a><h2>Tea\u{202f}</h2></a>", "## [Tea](https://example.com/a)"),
        ("<h2>C# <a href=/c>§</a></h2>", "## C# [§](https://example.com/c)"),
        // To the page that it is on, by its address.
        ("<h2><a href=/page>Tea</a></h2>", "## Tea"),
        ("<h2><a href='https://example.com/page/#tea'>Tea</a></h2>", "## Tea"),
        ("<h2><a href=/pages>Tea</a></h2>", "## [Tea](https://example.com/pages)"),
        ("<p><a href=/page>Tea</a></p>", "[Tea](https://example.com/page)"),
    ] {
        assert_eq!(extracted(&format!("{html}<p>Green.</p>")), format!("{expected}\n\nGreen."), "{html}");
    }
}

/// In what is extracted; the page as it is keeps them.
#[test]
fn columns_that_say_nothing_are_left_out() {
    let page = |cell: &str| {
        format!(
            "<p>Green.<table><tr><th>Tea<th><th>Price<tr><td>Assam<td>{cell}<td align=right>2<tr><td>Ceylon<td><td>3</table>"
        )
    };
    let without = "Green.\n\n| Tea | Price |\n| --- | --: |\n| Assam | 2 |\n| Ceylon | 3 |";
    for (cell, expected) in [
        ("", without),
        ("&nbsp;", without),
        ("<br>", without),
        ("new", "Green.\n\n| Tea | | Price |\n| --- | --- | --: |\n| Assam | new | 2 |\n| Ceylon | | 3 |"),
    ] {
        assert_eq!(extracted(&page(cell)), expected, "{cell}");
    }
    assert!(to_markdown(&page(""), None).contains("| Tea | | Price |"));
    let spanned = "<table><tr><th colspan=2>Tea<th>Price<tr><td>Assam<td><td>2</table>";
    assert_eq!(extracted(spanned), "| Tea | Price |\n| --- | --- |\n| Assam | 2 |");
}

/// Doxygen folds its graphs, which are images or frames.
#[test]
fn labels_of_graphs_are_no_text() {
    let graph = "<div class=dynheader>Inheritance diagram for Tea:</div><div class=dyncontent><iframe src=/a.svg></iframe></div>";
    assert_eq!(extracted(&format!("<p>Green.{graph}<p>Black.")), "Green.\n\nBlack.");
}

/// What is read out to those who do not see the page stays out of the text, headings too.
#[test]
fn labels_that_nobody_sees_are_no_text() {
    for (html, expected) in [
        (
            "<p>Green <a href=/tea>tea <span class=sr-only>opens in a new window</span></a> is drunk.",
            "Green [tea](https://example.com/tea) is drunk.",
        ),
        (
            "<p><span class='visually-hidden'>Rated 4.5 of 5</span> Good.<div class=\"x screen-reader-text\">Menu</div>",
            "Good.",
        ),
        (
            "<figure><img src=/a.png alt=Tea><figcaption><span class=off-screen>Image caption</span> A cup</figcaption></figure>",
            "![Tea](https://example.com/a.png)\n\nA cup",
        ),
        ("<h2 class=visually-hidden>Reviews</h2><p>Good.", "Good."),
        ("<h2><span class=sr-only>New:</span> Tea</h2>", "## Tea"),
        ("<p><a href=/tea><span class=sr-only>Tea</span></a> Good.", "Good."),
        ("<p><span class=sr-only-focusable>Good.</span>", "Good."),
    ] {
        let html = format!("{html}<p>Green.</p>");
        assert_eq!(extracted(&html), format!("{expected}\n\nGreen."), "{html}");
    }
}

/// Text between signs is a formula where the page names who sets it, or has a command; else it is text.
#[test]
fn formulas_in_text_need_a_sign_of_tex() {
    check(&[
        ("<p>so \\(x\\) is", "so \\\\(x\\\\) is"),
        ("<p>so \\(\\alpha\\) is", "so $\\alpha$ is"),
        ("<script src=katex.js></script><p>so \\(x\\) is", "so $x$ is"),
        // Dollars alone are prices, whoever is named.
        ("<script src=katex.js></script><p>a $x$ b", "a \\$x$ b"),
        ("<p>a $x$ b and no more", "a \\$x$ b and no more"),
    ]);
    // A page with a formula and one without are told apart.
    assert_eq!(to_markdown("<p>1 <math><mi>x</mi></math> 2", None), "1 $x$ 2");
}

/// A link to the heading itself goes where it has a sign or says so; words of the heading stay, whatever they are in.
#[test]
fn headings_keep_their_words() {
    for (html, expected) in [
        ("<h2>Tea <a href=#tea>#</a></h2>", "## Tea"),
        ("<h2>Tea <a href=#tea>\u{200b}¶\u{feff}</a></h2>", "## Tea"),
        ("<h2>Tea <a href=#tea>[edit]</a></h2>", "## Tea"),
        ("<h2>Tea <a href=#tea>edit</a></h2>", "## Tea"),
        ("<h2>Tea <a href=#tea>Copy link to this part</a></h2>", "## Tea"),
        ("<h2>Tea <a href=#tea>leaves</a></h2>", "## Tea leaves"),
        ("<h2>Tea <button>Copy</button></h2>", "## Tea"),
        ("<h2><a class=permalink href=/page>Tea for all</a></h2>", "## Tea for all"),
        ("<h2>Tea <a class=permalink href=/page>Direct link to Tea</a></h2>", "## Tea"),
        ("<h2>Tea <span class='a octicon-link'>x</span></h2>", "## Tea"),
        ("<h2>Tea <span class=octicon-links>x</span></h2>", "## Tea x"),
        ("<h2>Tea <span class=sr-only>Permalink to Tea</span></h2>", "## Tea"),
        ("<h2>Tea <span class=note>Permalink to Tea</span></h2>", "## Tea Permalink to Tea"),
        ("<h2>Tea</h2><h3 id=footnote-labels>Notes</h3>", "## Tea\n\n### Notes"),
        // Elsewhere a sign is text, except for what leads back from a note.
        ("<p>See <a href=#tea>#</a> there", "See # there"),
        ("<p>A note <a href=#ref>↩</a>", "A note"),
        ("<p>A note <a href=#ref>^</a>", "A note"),
        ("<p>A note <a href=#ref>Jump up to it</a>", "A note"),
        ("<p>A note <a href=/other>↩</a>", "A note [↩](https://example.com/other)"),
        ("<p>A note <a href=#ref>on it</a>", "A note on it"),
    ] {
        assert_eq!(extracted(&format!("{html}<p>Green.</p>")), format!("{expected}\n\nGreen."), "{html}");
    }
}

#[test]
fn images_and_players_of_other_elements_are_found() {
    for (html, expected) in [
        (
            "<picture><source srcset='a-400.webp 400w, a-1200.webp 1200w'></picture>",
            "![](https://example.com/a-1200.webp)",
        ),
        (
            "<picture><source srcset=a.webp><img src=b.jpg alt=Tea></picture>",
            "![Tea](https://example.com/b.jpg)",
        ),
        (
            "<amp-img src=a.jpg alt=Tea><noscript><img src=a.jpg alt=Tea></noscript></amp-img>",
            "![Tea](https://example.com/a.jpg)",
        ),
        // Where people see it, and what it is called.
        (
            "<iframe src=https://www.youtube.com/embed/abc title='How tea is made'></iframe>",
            "[▶ How tea is made](https://www.youtube.com/watch?v=abc)",
        ),
        (
            "<iframe src=https://www.youtube.com/embed/abc title='YouTube video player'></iframe>",
            "[▶](https://www.youtube.com/watch?v=abc)",
        ),
        (
            "<lite-youtube videoid=abc playlabel='Play: Tea'></lite-youtube>",
            "[▶ Play: Tea](https://www.youtube.com/watch?v=abc)",
        ),
        ("<amp-youtube data-videoid=abc></amp-youtube>", "[▶](https://www.youtube.com/watch?v=abc)"),
        ("<lite-youtube videoid='a b'></lite-youtube>", ""),
        ("<lite-youtube></lite-youtube>", ""),
        (
            "<div class=caption-box><video src=a.mp4></video><p class=caption>Leaves</p></div>",
            "[▶](https://example.com/a.mp4)\n\nLeaves",
        ),
    ] {
        let found = extracted(&format!("<p>Green.</p>{html}<p>Black.</p>"));
        let between = found.strip_prefix("Green.").and_then(|rest| rest.strip_suffix("Black."));
        assert_eq!(between.unwrap().trim(), expected, "{html}");
    }
}

/// Who made an image is read apart from what it shows, in the Markdown, the clean HTML and behind the image.
#[test]
fn credits_stand_apart_from_captions() {
    let figure =
        |caption: &str| format!("<figure><img src=/a.png alt=A><figcaption>{caption}</figcaption></figure>");
    for (caption, expected) in [
        ("Ships on the old road.<span>Getty Images</span>", "Ships on the old road. Getty Images"),
        ("<span>The old road</span><span class=photo-credit>Ann Lee</span>", "The old road Ann Lee"),
        ("<span>The old road.</span><span>©Ann Lee</span>", "The old road. ©Ann Lee"),
        ("The old road. <span>Getty Images</span>", "The old road. Getty Images"),
        ("H<span>2</span>O and v1.<span>.</span>", "H2O and v1.."),
        ("<span>The old road</span><span>Ann Lee</span>", "The old road Ann Lee"),
        ("<span><b>The old road</b></span><small>(Ann Lee)</small>", "(Ann Lee)"),
        ("<span>T</span><span>he old road</span>", "The old road"),
        ("Foot<span>balls</span>", "Footballs"),
    ] {
        let html = figure(caption);
        let found = Extractor::new().extract(&*html);
        assert!(found.markdown.contains(expected), "{html}: {}", found.markdown);
        assert!(found.text.contains(expected), "{html}: {}", found.text);
        assert!(found.html.contains(expected), "{html}: {}", found.html);
        let paragraphs = "<p>The harvest came late that year, and the mill by the river stood idle until the first frost.</p>".repeat(6);
        let page = format!("<main><article><h1>Mills</h1>{paragraphs}{html}{paragraphs}</article></main>");
        let markdown = Extractor::new().extract(&*page).markdown;
        assert!(markdown.contains(expected), "{markdown}");
    }
}

#[test]
fn marks_of_a_page_are_alike_as_linters_want_them() {
    let paragraphs =
        "<p>The harvest came late that year, and the mill by the river stood idle until the first frost.</p>"
            .repeat(4);
    for (html, expected) in [
        ("<ul><li>tea<li>milk</ul><ul><li>salt</ul>", "- tea\n- milk\n- salt\n"),
        ("<ul><li>tea<pre>a</pre></ul><ul><li>salt</ul>", "- tea\n\n  ```\n  a\n  ```\n\n- salt\n"),
        ("<ol><li>tea</ol><ol><li>salt</ol>", "1. tea\n\n1) salt\n"),
        ("<p><b>tea</b><b>pot</b> and <i>m<i>il</i>k</i>", "**teapot** and *milk*\n"),
        ("<p><b>Tea <i>and milk</i></b>", "**Tea *and milk***\n"),
        ("<p>They said: <b>“</b>Tea<i>!</i> and hit <b>:</b>", "They said: “Tea! and hit **:**\n"),
        // What is written without its marks is escaped as the one text that it is.
        ("<p>Tea<b>&amp;</b>amp; milk", "Tea\\&amp; milk\n"),
        ("<p>Tea <b>&amp;</b>amp; milk", "Tea \\&amp; milk\n"),
        ("<p><i>Tea<b>pot</b></i> or <b>Tea</b><i>pot</i>", "*Tea**pot*** or **Tea***pot*\n"),
        (
            "<p>The <code> tea</code> and <a href=/m>milk&nbsp;</a>pot",
            "The `tea` and [milk](https://example.com/m) pot\n",
        ),
        ("<ol><li><p>tea</p><hr><p>milk</ol>", "1. tea\n\n   ---\n\n   milk\n"),
    ] {
        let page = format!("<main><article><h1>Mills</h1>{paragraphs}{html}</main>");
        let address: aidocument::WebUrl = "https://example.com/".parse().unwrap();
        let markdown = Extractor::new().base_url(address).extract(&*page).markdown;
        assert!(markdown.ends_with(expected.trim_end()), "{html}: {markdown}");
    }
}

#[test]
fn who_is_cited_in_a_caption_stands_apart() {
    check(&[
        ("<figure><figcaption><span>A view</span><cite>Ann</cite></figcaption></figure>", "A view *Ann*"),
        ("<figure><figcaption>A view<cite>Ann</cite></figcaption></figure>", "A view *Ann*"),
        ("<p class=wp-caption-text><span>A view</span><span>Ann Lee</span></p>", "A view Ann Lee"),
        ("<p><span>Foot</span><span>balls</span></p>", "Footballs"),
        ("<p class=caption>The \"<a href=/b>Beehive</a>\" of old</p>", "The \"[Beehive](/b)\" of old"),
        ("<p>The <cite>Times</cite></p>", "The *Times*"),
    ]);
    // No word follows here.
    assert_eq!(extracted("<p>See <cite>foo</cite>, and (<cite>bar</cite>)."), "See *foo*, and (*bar*).");
    assert_eq!(extracted("<p>Ring. <cite>Ann Lee</cite>The mill"), "Ring. *Ann Lee* The mill");
}

#[test]
fn blocks_stand_as_linters_want_them() {
    for (html, expected) in [
        // A row that is too short gets empty cells.
        ("<table><tr><th>a<th>b<th>c<tr><td>d</table>", "| a | b | c |\n| --- | --- | --- |\n| d | | |"),
        // A heading in an item stands apart, but not for the sake of a list within.
        (
            "<ul><li><a href=/x><h3>Tea</h3>green</a><li>black</ul>",
            "- ### [Tea](/x)\n\n  [green](/x)\n\n- black",
        ),
        ("<ul><li>Tea<ul><li><h3>green</h3></ul><li>black</ul>", "- Tea\n  - ### green\n- black"),
        ("<p>#1 of teas</p>", "\\#1 of teas"),
    ] {
        let found = aidocument_extract::to_markdown(html, None);
        assert_eq!(found, expected, "{html}");
    }
    let chosen = aidocument_extract::Extractor::new().extract(
        "<title>Green tea</title><main><h1>Green tea</h1><h2>How it<br>is made</h2><p>Water for green tea should not boil.</main>",
    );
    assert!(chosen.markdown.contains("## How it is made\n"), "{}", chosen.markdown);
}

#[test]
fn lists_of_one_item_that_a_heading_begins_are_boxes() {
    let text = "Water for green tea should not boil, and the leaves stay in it for two minutes.";
    let item = |inner: &str| format!("<ul><li><h3>{inner}</h3><p>{text}</ul>");
    for (html, expected) in [
        (item("Tea"), format!("### Tea\n\n{text}")),
        // As Javadoc has them; a list in a box is a list.
        (
            format!("<ul class=blockList><li><section>{}{}</section></ul>", item("Tea"), item("Water")),
            format!("### Tea\n\n{text}\n\n### Water\n\n{text}"),
        ),
        (format!("<ul><li><h3>Tea</h3><ul><li>{text}</ul></ul>"), format!("### Tea\n\n- {text}")),
        // Two items, one without a heading before its text, and an answer in a thread.
        (format!("<ul><li><h3>Tea</h3><p>{text}<li>Water</ul>"), format!("- ### Tea\n\n  {text}\n\n- Water")),
        (format!("<ul><li><p>{text}<h3>Tea</h3></ul>"), format!("- {text}\n\n  ### Tea")),
        (
            format!("<ul><li>{text}{}<li>{text}</ul>", item("Tea")),
            format!("- {text}\n  - ### Tea\n\n    {text}\n- {text}"),
        ),
    ] {
        assert_eq!(extracted(&html), expected, "{html}");
    }
    assert_eq!(to_markdown(&item("Tea"), None), format!("- ### Tea\n\n  {text}"), "a page as it is");
}

#[test]
fn words_that_a_style_sheet_parts_are_apart() {
    let text = "<p>Gives the value of a member of an object, which is an error if the object has no such member at all.";
    let sep = "<span class=sep></span>";
    let html = format!(
        "<title>Tea.Pot.fill</title><main><header><h3>Method</h3><h1><a href=/t>Tea</a>{sep}<a href=/p>Pot</a>{sep}fill</h1>\
         </header>{text}{text}{text}{text}</main>"
    );
    let content = Extractor::new().extract(&html);
    assert!(content.markdown.starts_with("# [Tea](/t) [Pot](/p) fill\n\nGives"), "{}", content.markdown);
    let title = content.about.title.unwrap();
    assert_eq!((title.value.as_str(), title.source), ("Tea.Pot.fill", MetadataSource::TitleElement));
    check(&[
        ("<p>a<i class=divider></i>b", "a b"),
        ("<p>a <i class=sep>/</i> b", "a */* b"),
        ("<p>a<i class=x></i>b", "ab"),
    ]);
}

#[test]
fn a_title_of_a_lower_level_is_of_the_first() {
    let text = "<p>Water for green tea should not boil, and the leaves stay in it for two minutes at most."
        .repeat(2);
    let headings = |before: &str, second: &str| -> Vec<String> {
        let html = format!(
            "<title>Green tea — Teas</title>{before}<main><h2>Green tea</h2>{text}<{second}>Black</{second}>{text}</main>"
        );
        let markdown = Extractor::new().extract(&html).markdown;
        markdown.lines().filter(|line| line.starts_with('#')).map(str::to_owned).collect()
    };
    assert_eq!(headings("", "h2"), ["# Green tea", "## Black"]);
    assert_eq!(headings("<header><a href=/><h1>Teas</h1></a></header>", "h2"), ["# Green tea", "## Black"]);
    // Where another heading has the first level, the page's levels stay as they are.
    assert_eq!(headings("", "h1"), ["## Green tea", "# Black"]);
}

#[test]
fn a_title_that_is_no_heading_is_written_as_one() {
    let text = "<p>The class keeps the places of a box in a window, with its sides and its middle, and tells whether a box lies \
        along one of them.<p>Both sides of a box may be set at once, and then it is as wide as the window, less the margins.";
    let page = |before: &str, end: &str| {
        format!(
            "<title>Box: Align Struct Reference</title>{before}<div class=headertitle><div class=title>Align Struct \
             Reference</div></div><div class=contents>{text}<h2>Members</h2>{text}</div>{end}"
        )
    };
    let content = Extractor::new().extract(&page("<nav><a href=/>Home</a></nav>", ""));
    assert!(content.markdown.starts_with("# Align Struct Reference\n\nThe class"), "{}", content.markdown);
    assert!(content.text.starts_with("Align Struct Reference\n\nThe class"), "{}", content.text);
    assert!(content.html.contains("<h1>Align Struct Reference</h1>"), "{}", content.html);
    // What a script of GitBook and HonKit fills.
    let found = "<div id=book-search-results><div class=search-noresults><p>Tea</p></div><div class=search-results><h1>results \
        matching</h1></div></div><div class=search-results><p>Black</p></div>";
    let html = format!("<title>Tea</title><main>{text}{found}</main>");
    let content = Extractor::new().extract(&html);
    assert!(
        !content.markdown.contains("matching") && content.markdown.contains("Black"),
        "{}",
        content.markdown
    );
}
