//! Pages made to hurt: each ends, loses no text, and stays within its output's allowance. In a release build the
//! sizes are full and the times are printed: `cargo test --release -p aidocument-extract --test it hostile -- --nocapture`.

#![expect(clippy::unwrap_used, reason = "tests may say what they expect in the plainest way")]

use aidocument::{Crawl, StatusCode};
use aidocument_extract::{Extracted, Options, extract};

/// Text that must come through.
const MARK: &str = "survivor";

type Make = fn(usize) -> String;

/// Names, full sizes and generators.
const CASES: &[(&str, usize, Make)] = &[
    ("nested div", 100_000, |n| format!("{}{MARK}", "<div>".repeat(n))),
    ("nested div, closed", 100_000, |n| format!("{}{MARK}{}", "<div>".repeat(n), "</div>".repeat(n))),
    ("nested ul li", 20_000, |n| format!("{}{MARK}", "<ul><li>".repeat(n))),
    ("b with distinct attributes", 20_000, |n| {
        (0..n).map(|i| format!("<b a{i}=1>")).collect::<String>() + MARK
    }),
    ("p with distinct b", 20_000, |n| (0..n).map(|i| format!("<p><b a={i}>x")).collect::<String>() + MARK),
    ("adoption agency", 20_000, |n| format!("{}{MARK}", "<a><div></a>".repeat(n))),
    ("adoption agency, b p", 20_000, |n| format!("{}{MARK}", "<b><p></b>".repeat(n))),
    ("font p", 20_000, |n| format!("{}{MARK}", "<font><p>".repeat(n))),
    ("font p, distinct", 20_000, |n| {
        (0..n).map(|i| format!("<font size={i}><p>")).collect::<String>() + MARK
    }),
    ("foster parenting", 50_000, |n| format!("<table>{}{MARK}", "<tr>x<div>".repeat(n))),
    ("one long attribute", 10_000_000, |n| format!("<p title=\"{}\">{MARK}", "a".repeat(n))),
    ("many attributes", 100_000, |n| {
        format!("<p {}>{MARK}", (0..n).map(|i| format!("a{i}=1 ")).collect::<String>())
    }),
    ("less-than signs", 1_000_000, |n| format!("{MARK} {}", "<".repeat(n))),
    ("NULs", 1_000_000, |n| format!("<p>{MARK} {}", "\0x".repeat(n))),
    ("long comment", 10_000_000, |n| format!("<!--{}--><p>{MARK}", "-".repeat(n))),
    ("long script", 10_000_000, |n| format!("<script>{}</script><p>{MARK}", "var a<b;\n".repeat(n / 9))),
    ("links", 200_000, |n| format!("<p>{MARK} {}", "<a href=x>y</a> ".repeat(n))),
    ("line breaks", 500_000, |n| format!("<p>{MARK}{}end", "<br>".repeat(n))),
    ("white space", 10_000_000, |n| format!("<p>{}{MARK}", " ".repeat(n))),
    ("nested tables", 2_000, |n| format!("{}{MARK}", "<table><tr><td>".repeat(n))),
    ("nested quotes", 5_000, |n| format!("{}{MARK}", "<blockquote>".repeat(n))),
    ("quotes with lines", 5_000, |n| format!("{}{MARK}{}", "<blockquote>".repeat(40), "<p>x".repeat(n * 10))),
    ("deep JSON-LD", 1_000_000, |n| {
        format!("<script type=application/ld+json>{}</script><p>{MARK}", "[".repeat(n))
    }),
    ("many JSON-LD blocks", 5_000, |n| {
        let block = "<script type=application/ld+json>{\"@type\":\"Thing\",\"name\":\"x\"}</script>";
        format!("{}<p>{MARK}", block.repeat(n))
    }),
    ("unclosed emphasis", 50_000, |n| format!("<p>{MARK} {}", "<i>a<b>b".repeat(n))),
    ("wide table", 20_000, |n| format!("<table><tr>{}<tr><td>{MARK}", "<td>x".repeat(n))),
    ("options", 100_000, |n| format!("<p>{MARK}<select>{}", "<option>x".repeat(n))),
    ("long base", 100_000, |n| {
        format!("<base href=\"https://x.example/{}\">{MARK}{}", "b".repeat(2000), "<a href=y>z</a>".repeat(n))
    }),
    ("headings in headings", 1_000_000, |n| {
        format!("{}{MARK} {}", "<h1><div>".repeat(250), "word ".repeat(n / 5))
    }),
    ("links in links", 1_000_000, |n| {
        format!("{}{MARK} {}", "<a href=x><marquee>".repeat(200), "word ".repeat(n / 5))
    }),
    ("empty elements in headings", 300_000, |n| {
        format!("<p>{MARK}{}{}", "<h2><div>".repeat(250), "<i></i>".repeat(n / 7))
    }),
    ("images in blank headings", 500_000, |n| {
        format!("<p>{MARK}</p>{}{}", "<h1><div>".repeat(250), "<img alt=' '>".repeat(n / 13))
    }),
    ("links of a long rel", 1_000_000, |n| {
        format!("<p>{MARK}{}", format!("<a rel='{}' href=x>y</a>", "r".repeat(n / 100)).repeat(100))
    }),
    ("deep data for a script", 1_000_000, |n| {
        let body = format!(r#"{{"body":"{MARK} {}"}}"#, "word ".repeat(200));
        format!(
            "{MARK}<div id=root></div><script src=a></script><script type=application/json>{}{body}</script>",
            "[".repeat(n)
        )
    }),
    ("bodies in data for a script", 20_000, |n| {
        let body = format!(r#"{{"t":{{"body":"{MARK} {}"}}}},"#, "word ".repeat(200));
        let others = r#"{"b":{"text":"a body in \"quotes\" of ten words or so x y z"}},"#.repeat(n);
        format!(
            "{MARK}<div id=root></div><script src=a></script><script type=application/json>[{body}{others}{{}}]</script>"
        )
    }),
    ("flight data", 20_000, |n| {
        let push = |text: &str| format!(r#"<script>self.__next_f.push([1,"{text}"])</script>"#);
        let body = push(&format!("9:T3f8,<p>{MARK} {}</p>", "word ".repeat(200)));
        format!("{MARK}<div id=root></div>{}{body}", push(r#"1:[\"$\",\"p\"]\n"#).repeat(n))
    }),
    ("rows of flight data without a length", 100_000, |n| {
        let body = format!("9:T3f8,<p>{MARK} {}</p>", "word ".repeat(200));
        let rows = r"1:T\n".repeat(n);
        format!("{MARK}<div id=root></div><script>self.__next_f.push([1,\"{rows}{body}\"])</script>")
    }),
    ("elements in rows of flight data", 20_000, |n| {
        let row =
            |row| format!(r#"{row:x}:[\"$\",\"div\",null,{{\"children\":[\"$L{:x}\",\"$0\"]}}]\n"#, row + 1);
        let rows: String = (0..n).map(row).collect();
        let last =
            format!(r#"{n:x}:[\"$\",\"p\",null,{{\"children\":\"{MARK} {}\"}}]\n"#, "word ".repeat(200));
        format!("{MARK}<div id=root></div><script>self.__next_f.push([1,\"{rows}{last}\"])</script>")
    }),
    ("places in data of Nuxt", 20_000, |n| {
        let body = format!("{MARK} {}", "word ".repeat(n));
        let data = format!(r#"[[{}1],{{"body":2}},"{body}"]"#, "0,1,2,".repeat(n));
        format!("{MARK}<div id=root></div><script src=a></script><script id=__NUXT_DATA__>{data}</script>")
    }),
    ("answers in JSON-LD", 20_000, |n| {
        let answer =
            r#"{"@type":"Question","name":"Is it so?","acceptedAnswer":{"text":"It is so as it is."}},"#;
        format!("<p>{MARK}{}{}", "<p>It is so as it is. Is it so?".repeat(n), linked(&answer.repeat(n)))
    }),
    ("copies of a long class", 20_000, |n| {
        format!("<p><font class=\"{}\">{MARK}</p>{}", "b ".repeat(n * 10), "<p>x</p>".repeat(n))
    }),
    ("a compound of many classes", 20_000, |n| {
        format!("<style>{}.b{{display:none}}</style>{MARK}{}", ".a".repeat(n), "<p class=a>x</p>".repeat(n))
    }),
    ("rules beside a long class", 20_000, |n| {
        let rules = ".a.z{display:none}".repeat(n);
        format!("<style>{rules}</style>{MARK}<p class=\"a {}\">x</p>", "b ".repeat(n * 5))
    }),
    ("rules beside a long attribute", 20_000, |n| {
        let rules = "[data-x][data-x*=zz]{display:none}".repeat(n);
        format!("<style>{rules}</style>{MARK}<p data-x=\"{}\">x</p>", "b ".repeat(n * 5))
    }),
    ("many languages", 20_000, |n| {
        let languages: String = (0..n).map(|i| format!("x{i},")).collect();
        format!("<style>p:lang({languages}y){{display:none}}</style>{MARK}{}", "<p>x</p>".repeat(n))
    }),
    ("rules for each paragraph", 20_000, |n| {
        format!("<style>{}</style>{MARK}{}", ".x ~ p{display:none}".repeat(n), "<p>x</p>".repeat(n))
    }),
    ("places among siblings", 20_000, |n| {
        let rules = "p:nth-child(2 of .x),p:nth-last-child(7n+3){display:none}".repeat(n);
        format!("<style>{rules}</style>{MARK}{}", "<p>x</p>".repeat(n))
    }),
    ("what paragraphs have", 20_000, |n| {
        format!("<style>{}</style>{MARK}{}", "p:has(b ~ i){display:none}".repeat(n), "<p>x</p>".repeat(n))
    }),
    ("rules in a long rule", 20_000, |n| {
        let outer = vec!["a"; 2000].join(",");
        format!("<style>{outer}{{{}}}</style>{MARK}{}", "&b{display:none}".repeat(n), "<p>x</p>".repeat(n))
    }),
    ("comments in a sheet", 100_000, |n| format!("<style>{}p{{color:red}}</style>{MARK}", "/**/".repeat(n))),
    ("statements in a sheet", 100_000, |n| {
        format!("<style>{}{}</style>{MARK}", " ".repeat(n), ";".repeat(n))
    }),
    ("old comments in a sheet", 100_000, |n| {
        format!("<style>{}{}</style>{MARK}", "<!--".repeat(n), ";".repeat(n))
    }),
    ("addresses in a sheet", 500_000, |n| format!("<style>a{{b:{}</style>{MARK}", "url(".repeat(n))),
    ("selectors in selectors", 20_000, |n| {
        let rule = "p:not(:not(:not(.x ~ *) ~ *) ~ *):nth-child(2n+1){display:none}";
        format!("<style>{rule}</style>{MARK}{}", "<p>x</p>".repeat(n))
    }),
    ("charset words", 1_000_000, |n| format!("<meta content=\"{}\"><p>{MARK}", "charset".repeat(n / 7))),
];

/// Pages aimed at what reads titles, dates and authors: all of them reach its caps.
const ABOUT: &[(&str, usize, Make)] = &[
    ("times", 100_000, |n| {
        let times: String =
            (0..n).map(|i| format!("<time datetime=20{:02}-03-05>x</time> ", i % 90 + 10)).collect();
        format!("<h1>{MARK}</h1><p>{times}")
    }),
    ("times in white space", 4_000_000, |n| {
        format!(
            "<h1>{MARK}</h1><p>a{}{}",
            " ".repeat(n),
            "<time datetime=2026-03-05></time>".repeat(n / 2000)
        )
    }),
    ("times in empty texts", 500_000, |n| {
        let times = "<time datetime=2026-03-05></time>".repeat(n / 200);
        format!("<h1>{MARK}</h1><p>a{}{times}", " <!---->".repeat(n))
    }),
    ("times in sidebars", 100_000, |n| {
        let lines: String = (0..n).map(|i| format!("<p>Posted 2026-03-{:02} x", i % 28 + 1)).collect();
        format!("<h1>{MARK}</h1>{}{}{lines}", "<div class=sidebar>".repeat(60), "word ".repeat(700))
    }),
    ("a word in sidebars", 4_000_000, |n| {
        let times = "<time datetime=2026-03-05>x</time>".repeat(n / 2000);
        format!("<h1>{MARK}</h1>{}{}{times}", "<div class=sidebar>".repeat(60), "w".repeat(n))
    }),
    ("sidebars in sidebars", 20_000, |n| {
        let time = "<div class=sidebar><time datetime=2026-03-05>x</time> 2026-03-05";
        format!("<h1>{MARK}</h1>{}{}", time.repeat(400), "<p>word ".repeat(n))
    }),
    ("itemprop in sidebars", 100_000, |n| {
        let metas = "<meta itemprop=datePublished content=2026-03-05>".repeat(n / 10);
        format!("<h1>{MARK}</h1>{}{}{metas}", "<div class=sidebar>".repeat(60), "<i>w</i>".repeat(n))
    }),
    ("bylines", 50_000, |n| {
        let lines: String =
            (0..n).map(|i| format!("<p class=byline>By <a rel=author href=/u/{i}>Ann Ode{i}</a>")).collect();
        format!("<h1>{MARK}</h1>{lines}")
    }),
    ("authors of meta", 2_000, |n| {
        let names = |i: usize| (0..40).map(|j| format!("{}{}, ", name(i), name(j))).collect::<String>();
        let metas: String = (0..n).map(|i| format!("<meta name=author content=\"{}\">", names(i))).collect();
        format!("{metas}<h1>{MARK}</h1><p>x")
    }),
    ("authors of microdata", 2_000, |n| {
        let names = |i: usize| (0..40).map(|j| format!("{}{}; ", name(i), name(j))).collect::<String>();
        let spans: String = (0..n).map(|i| format!("<span itemprop=author>{}</span>", names(i))).collect();
        format!("<h1>{MARK}</h1><p>{spans}")
    }),
    ("rel around bylines", 4_000_000, |n| {
        let lines = format!("<p>{}", "<i>Ann</i> ".repeat(n / 20_000)).repeat(50);
        format!("<h1>{MARK}</h1><div rel={}><div>{lines}", "é".repeat(n / 2))
    }),
    ("headings and a long title", 2_000_000, |n| {
        let title = "word ".repeat(n / 5);
        format!(
            "<meta property=og:title content='{title}'>{}<p>{MARK}",
            "<h2>word word word</h2><p>x".repeat(100)
        )
    }),
    ("headings and a long site", 2_000_000, |n| {
        let (site, headings) = ("word ".repeat(n / 5), "<h2>word word word</h2><p>x".repeat(100));
        let title = "<meta property=og:title content='word word word word'>";
        format!("{title}<meta property=og:site_name content='{site}'>{headings}<p>{MARK}")
    }),
    ("articles and a long title", 200_000, |n| {
        let node = r#"{"@type":"Article","name":"tea or not"},"#.repeat(n / 50);
        let title = "word ".repeat(n);
        format!("<meta property=og:title content='{title}'>{}<p>{MARK}", linked(&node))
    }),
    ("JSON-LD references", 20_000, |n| {
        let node = |i: usize| {
            format!(
                r##"{{"@type":"Article","@id":"#{i}","name":"n{i}","author":{{"@id":"#{}"}},"mainEntity":{{"@id":"#{}"}}}},"##,
                (i + 1) % n.max(1),
                (i + 7) % n.max(1)
            )
        };
        format!("<h1>{MARK}</h1><p>x{}", linked(&(0..n).map(node).collect::<String>()))
    }),
    ("references to a long name", 2_000_000, |n| {
        let person = format!(r##"{{"@type":"Person","@id":"#a","name":"{}"}},"##, "Ann ".repeat(n / 4));
        let authors = r##"{"@id":"#a"},"##.repeat(50);
        let article = format!(r#"{{"@type":"Article","author":[{authors}{{}}]}},"#).repeat(2);
        format!("<h1>{MARK}</h1><p>x{}", linked(&(person + &article)))
    }),
    ("deep @graph", 100_000, |n| {
        let inner = r#"{"@type":"Article","name":"tea"},"#.repeat(n / 10);
        let (open, close) = (r#"{"@graph":[{"@type":"x"},"#.repeat(50), "]}".repeat(50));
        format!("<h1>{MARK}</h1><p>x{}", linked(&format!("{open}{inner}{{}}{close},")))
    }),
    ("parts of parts in JSON-LD", 200_000, |n| {
        let inner = r#"{"@type":"Question","name":"tea"},"#.repeat(n / 10);
        let (open, close) = (r#"{"@type":"WebPage","mainEntity":[{"a":1},"#.repeat(50), "]}".repeat(50));
        format!("<h1>{MARK}</h1><p>x{}", linked(&format!("{open}{inner}{{}}{close},")))
    }),
    ("mended JSON-LD", 20_000, |n| {
        let block = "<script type=application/ld+json>{\"@type\":\"Article\",\"name\":\"x\ny\"}</script>";
        format!("<h1>{MARK}</h1><p>x{}", block.repeat(n))
    }),
];

/// A name of letters alone for each number.
fn name(number: usize) -> String {
    let letters = [number / 676 % 26, number / 26 % 26, number % 26].map(|at| char::from(b'a' + at as u8));
    format!(" Ann{}", letters.into_iter().collect::<String>())
}

/// A block of JSON-LD with these nodes, each of which ends with a comma.
fn linked(nodes: &str) -> String {
    format!(
        r#"<script type=application/ld+json>{{"@context":"https://schema.org","@graph":[{nodes}{{}}]}}</script>"#
    )
}

fn run(html: &str, options: &Options) -> Extracted {
    let status = StatusCode::new(200).unwrap();
    let crawl =
        Crawl::new("2026-05-10T12:34:56Z".parse().unwrap(), status, "AIWebIndex/1.0".parse().unwrap());
    extract(html.as_bytes(), "https://example.com/".parse().unwrap(), None, crawl, options)
}

/// Extracts a page of each case, and one of half its size, and shows the times.
#[expect(clippy::print_stdout, reason = "a run by hand shows the times")]
fn all_are_linear(cases: &[(&str, usize, Make)]) {
    for (name, full, make) in cases {
        let size = if cfg!(debug_assertions) { full / 50 } else { *full };
        let (small, large) = (make(size / 2), make(size));
        keeps_its_text(name, &small);
        keeps_its_text(name, &large);
        let [half, whole] = linear::assert_linear(name, [1, 2], |n| {
            let page = run(if n == 1 { &small } else { &large }, &Options::default());
            assert!(!page.text.is_empty(), "{name}: nothing is left");
        });
        println!("{name:<28} {size:>9} {whole:>9.3?}, half of it {half:>9.3?}");
    }
}

fn keeps_its_text(name: &str, html: &str) {
    let page = run(html, &Options::default());
    // What counts as content is another question: the whole page must have the text.
    let mut options = Options::default();
    options.whole_page = true;
    let whole = run(html, &options);
    assert!(whole.text.contains(MARK), "{name}: text was lost");
    let most = 4 * html.len() + 1_000_000;
    let markdown = page.document.markdown().len();
    assert!(markdown <= most, "{name}: {markdown} bytes from {}", html.len());
    for page in [&page, &whole] {
        let all = serde_json::to_string(&page.document).unwrap().len();
        assert!(all <= most, "{name}: a document of {all} bytes from {}", html.len());
    }
}

#[test]
fn hostile_pages_end_and_keep_their_text() {
    all_are_linear(CASES);
}

#[test]
fn pages_hostile_to_metadata_end_and_keep_their_text() {
    all_are_linear(ABOUT);
}

/// Each long text that a page may have once, beside each small element that it may have often: nothing reads the long one anew
/// for each of the small ones.
#[test]
fn what_is_long_is_not_read_for_each_of_what_is_many() {
    let long = |text: &str| {
        [
            format!(
                "<title>{text}</title><meta property=og:title content='{text}'><script type='application/ld+json'>\
                 {{\"@type\":\"Article\",\"headline\":\"{text}\"}}</script>"
            ),
            format!(
                "<html lang='{text}'><title>T</title><style>.{text}{{display:block}}</style><body class='{text}' id='{text}'>\
                 <div class='{text}' style='color:{text}' aria-label='{text}'>"
            ),
            format!(
                "<title>T</title><meta property=og:site_name content='{text}'><meta name=author content='{text}'>\
                 <meta name=description content='{text}'><link rel=canonical href='https://e.example/{text}'>\
                 <script type='application/ld+json'>{{\"@type\":\"Article\",\"author\":{{\"name\":\"{text}\"}},\
                 \"articleBody\":\"{text}\"}}</script><h1>{text}</h1><div>{text}</div>"
            ),
        ]
    };
    let line = "<p>The ferry leaves at seven in the morning, and it comes back at noon with letters for all of us on the island.</p>";
    for many in [
        "<h2>x y</h2>",
        "<h2>aaaa</h2><p>b</p>",
        "<p>z</p>",
        line,
        "<a href=x>a</a> ",
        "<a href=https://e.example/a>word</a>",
        "<sup><a href=#a>1</a></sup>",
        "<li>x</li>",
        "<img src=x alt=y>",
        "<figure><img src=x><figcaption>c</figcaption></figure>",
        "<time>2024-01-01</time>",
        "<span class=author>A B</span>",
        "<span class=date>1 May 2024</span>",
        "<pre><code>x</code></pre>",
        "<div class=b>x</div>",
        "<table><tr><td>x</table>",
        "<div class=comment><p>x</p></div>",
        "<section><h3>a</h3><p>b</p></section>",
        "<span>x</span>",
    ] {
        let pages = [6_000, 12_000].map(|size| {
            let size = if cfg!(debug_assertions) { size } else { 10 * size };
            let many = format!("{}{}{MARK}", many.repeat(5 * size / many.len()), line.repeat(3));
            ["a", "word "].map(|piece| {
                let text = piece.repeat(size / piece.len());
                long(text.trim_end()).map(|long| long + &many)
            })
        });
        let _times = linear::assert_linear(many, [1, 2], |n| {
            for page in pages[n - 1].as_flattened() {
                assert!(!run(page, &Options::default()).text.is_empty(), "{many}: nothing is left");
            }
        });
    }
}

/// Pages that once made documents of many times their size, at the sizes at which they did, in any build: the
/// document stays within four times the page and a megabyte, and says that text was left out.
#[test]
fn lists_of_headings_and_links_stay_within_the_size_of_the_page() {
    for (name, html) in [
        ("headings", format!("{}{MARK} {}", "<h1><div>".repeat(250), "word ".repeat(400_000))),
        ("links", format!("{}{MARK} {}", "<a href=x><marquee>".repeat(200), "word ".repeat(200_000))),
        ("short links", format!("<p>{MARK} {}", "<a href=x>y</a> ".repeat(100_000))),
    ] {
        let page = run(&html, &Options::default());
        let len = serde_json::to_string(&page.document).unwrap().len();
        assert!(len <= 4 * html.len() + 1_000_000, "{name}: {len} bytes from {}", html.len());
        assert!(page.text.contains(MARK), "{name}");
        let codes: Vec<_> = page.findings.iter().map(|finding| finding.kind().code()).collect();
        assert!(codes.contains(&"lists-cut"), "{name}: {codes:?}");
    }
}
