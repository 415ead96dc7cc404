//! Pages as newsrooms publish them, made by a seeded generator: a long head, menus, teasers around and in between.
//!
//! They are close to the middle one of 98 real news pages, which has 117 kB, 620 start tags with long classes,
//! addresses and drawings, 120 links, and a fifteenth of it text; most of the rest is scripts and styles.

use std::fmt::Write as _;

/// A page and a phrase of its content.
pub(crate) struct Page {
    pub(crate) html: String,
    #[allow(dead_code, reason = "not every bench that takes these pages looks for the phrase")]
    pub(crate) phrase: String,
}

const WORDS: &[&str] = &[
    "harbour", "council", "the", "of", "winter", "paper", "bridge", "morning", "a", "said", "between",
    "copper", "letters", "with", "river", "library", "seldom", "engine", "garden", "at", "north", "measure",
    "when", "season", "clerk", "under", "market", "quiet", "and", "figure", "railway", "to", "stone",
    "ledger", "after", "weather", "from", "signal", "orchard", "in", "history", "machine", "though",
    "window", "coast", "every", "by", "lantern",
];

struct Seeded(u64);

impl Seeded {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn words(&mut self, count: usize) -> String {
        let words: Vec<&str> = (0..count).map(|_| WORDS[self.below(WORDS.len())]).collect();
        words.join(" ")
    }

    fn sentence(&mut self) -> String {
        let (first, second) = (5 + self.below(9), 4 + self.below(12));
        let (first, second) = (self.words(first), self.words(second));
        let start = first[..1].to_uppercase();
        format!("{start}{}, {second}. ", &first[1..])
    }

    /// The value of a `class` as component libraries write it.
    fn classes(&mut self) -> String {
        let (block, part) = (self.words(1), self.words(1));
        format!("{block} {block}__{part} {block}--{} u-margin-{}", self.below(9999), self.below(9))
    }

    /// An address with the parameters of a campaign.
    fn address(&mut self) -> String {
        let slug = self.words(4).replace(' ', "-");
        format!("/{}/2026/{slug}-{}?utm_source=front&amp;utm_medium=web", self.words(1), self.below(99_999))
    }

    /// A drawing in the place of a symbol.
    fn icon(&mut self) -> String {
        let mut path = format!("M{} {}", self.below(24), self.below(24));
        for _ in 0..14 {
            let _ = write!(path, "c{}.{} {} ", self.below(9), self.below(99), self.below(24));
        }
        format!(
            "<svg class=\"{}\" viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"{path}z\"/></svg>",
            self.classes()
        )
    }

    fn paragraph(&mut self) -> String {
        (0..3 + self.below(4)).map(|_| self.sentence()).collect()
    }
}

/// The page of a seed, always the same.
pub(crate) fn page(seed: u64) -> Page {
    let mut random = Seeded(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(77));
    let title = random.words(8);
    let mut html = format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title} | The Daily</title>"
    );
    head(&mut html, &mut random, &title);
    html.push_str("</head><body class=\"single post-template has-sidebar\">");
    menu(&mut html, &mut random);
    let phrase = article(&mut html, &mut random, &title);
    sidebar(&mut html, &mut random);
    footer(&mut html, &mut random);
    html.push_str("</body></html>");
    Page { html, phrase }
}

fn head(html: &mut String, random: &mut Seeded, title: &str) {
    for _ in 0..24 {
        let _ = write!(html, "<link rel=\"preload\" as=\"script\" href=\"/assets{}\">", random.address());
    }
    for name in ["description", "author", "keywords", "twitter:title", "twitter:card", "robots"] {
        let _ = write!(html, "<meta name=\"{name}\" content=\"{}\">", random.words(6));
    }
    for name in ["og:title", "og:type", "og:site_name", "og:description", "article:section"] {
        let _ = write!(html, "<meta property=\"{name}\" content=\"{}\">", random.words(5));
    }
    let _ = write!(
        html,
        "<link rel=\"canonical\" href=\"/stories/{}\"><script type=\"application/ld+json\">{{\"@context\":\
         \"https://schema.org\",\"@type\":\"NewsArticle\",\"headline\":\"{title}\",\"datePublished\":\
         \"2026-03-0{}T08:00:00Z\",\"author\":{{\"@type\":\"Person\",\"name\":\"N. N.\"}}}}</script><style>",
        random.below(100_000),
        1 + random.below(9)
    );
    for _ in 0..180 {
        let _ = write!(
            html,
            ".{}-{}{{margin:0 auto;padding:{}px;color:#333}}",
            random.words(1),
            random.below(99),
            random.below(40)
        );
    }
    html.push_str("</style><script>window.dataLayer=window.dataLayer||[];");
    for _ in 0..300 {
        let _ = write!(
            html,
            "dataLayer.push({{\"{}\":\"{}\",\"n\":{}}});",
            random.words(1),
            random.words(3),
            random.below(9999)
        );
    }
    html.push_str("</script>");
}

fn menu(html: &mut String, random: &mut Seeded) {
    let _ = write!(
        html,
        "<header class=\"site-header\"><a class=\"logo\" href=\"/\">{} The Daily</a><nav class=\"main-nav\"><ul>",
        random.icon()
    );
    for _ in 0..6 {
        let _ = write!(
            html,
            "<li class=\"menu-item {}\"><a href=\"/{}\">{}{}</a><ul class=\"sub-menu\">",
            random.classes(),
            random.words(1),
            random.words(1),
            random.icon()
        );
        for _ in 0..6 {
            let _ = write!(
                html,
                "<li class=\"menu-item {}\"><a href=\"{}\" class=\"{}\"><span class=\"{}\"><span>{}</span></span></a></li>",
                random.classes(),
                random.address(),
                random.classes(),
                random.classes(),
                random.words(2)
            );
        }
        html.push_str("</ul></li>");
    }
    html.push_str("</ul></nav></header>");
}

fn article(html: &mut String, random: &mut Seeded, title: &str) -> String {
    let mut phrase = String::new();
    let _ = write!(
        html,
        "<div class=\"wrap\"><main id=\"content\"><article class=\"post\"><header class=\"entry-header\"><h1>{title}</h1><p class=\"byline\">By <a href=\"/by/n\">N. N.</a> <time datetime=\"2026-03-04\">4 March 2026</time></p><div class=\"share-bar\">"
    );
    for _ in 0..6 {
        let _ = write!(
            html,
            "<a class=\"share {}\" data-target='{{\"to\":\"{}\",\"n\":{}}}' href=\"{}\">{}</a>",
            random.classes(),
            random.words(1),
            random.below(99),
            random.address(),
            random.icon()
        );
    }
    html.push_str("</div></header><div class=\"entry-content\">");
    for number in 0..12 {
        let text = random.paragraph();
        if number == 5 {
            phrase = text.split_once('.').map_or("", |(start, _)| start).to_owned();
        }
        let linked = random.words(3);
        let _ = write!(
            html,
            "<p class=\"{}\">{text}<a href=\"https://example.org{}\" rel=\"noopener\" target=\"_blank\">{linked}</a>, <em>{}</em>.</p> ",
            random.classes(),
            random.address(),
            random.words(2)
        );
        match number % 6 {
            2 => {
                let _ = write!(html, "<h2 id=\"{}\">{}</h2>", random.below(999), random.words(4));
            }
            3 => {
                let _ = write!(
                    html,
                    "<figure class=\"{}\"><picture><source srcset=\"/img{} 300w, /img{} 900w\"><source srcset=\"/img{} 300w, /img{} 900w\"><img src=\"/img{}\" width=\"900\" height=\"600\" alt=\"{}\"></picture><figcaption>{}</figcaption></figure>",
                    random.classes(),
                    random.address(),
                    random.address(),
                    random.address(),
                    random.address(),
                    random.address(),
                    random.words(4),
                    random.words(6)
                );
            }
            4 => {
                html.push_str("<ul>");
                for _ in 0..4 {
                    let _ = write!(html, "<li>{}</li>", random.words(9));
                }
                html.push_str("</ul>");
            }
            5 => {
                let _ = write!(
                    html,
                    "<aside class=\"related-inline {}\"><a href=\"{}\">{}</a></aside><div class=\"ad-slot {}\"><div><script>slot({})</script></div></div>",
                    random.classes(),
                    random.address(),
                    random.words(7),
                    random.classes(),
                    random.below(999)
                );
            }
            _ => {}
        }
    }
    html.push_str("</div></article><section id=\"comments\" class=\"comments\"><h3>Comments</h3><ol class=\"comment-list\">");
    for number in 0..5 {
        let _ = write!(
            html,
            "<li class=\"comment {}\"><img class=\"avatar\" src=\"{}\" alt=\"\"><cite>{}</cite><div class=\"comment-body\"><p>{}</p></div><a class=\"reply\" href=\"#reply-{number}\">Reply{}</a></li>",
            random.classes(),
            random.address(),
            random.words(2),
            random.sentence(),
            random.icon()
        );
    }
    html.push_str("</ol></section></main>");
    phrase
}

fn sidebar(html: &mut String, random: &mut Seeded) {
    html.push_str("<aside class=\"sidebar widget-area\">");
    for _ in 0..18 {
        let _ = write!(
            html,
            "<div class=\"widget teaser card {}\" data-track='{{\"pos\":{},\"id\":\"{}\"}}'><div class=\"{}\"><a href=\"{}\"><div class=\"{}\"><img loading=\"lazy\" src=\"data:image/gif;base64,R0lGOD\" data-src=\"/t{}\" data-srcset=\"/t{} 300w, /t{} 900w\" alt=\"\">{}</div><h4 class=\"teaser-title {}\"><span>{}</span></h4></a></div><div class=\"{}\"></div></div>",
            random.classes(),
            random.below(99),
            random.words(1),
            random.classes(),
            random.address(),
            random.classes(),
            random.address(),
            random.address(),
            random.address(),
            random.icon(),
            random.classes(),
            random.words(7),
            random.classes()
        );
    }
    html.push_str("</aside></div>");
}

fn footer(html: &mut String, random: &mut Seeded) {
    html.push_str("<footer class=\"site-footer\"><div class=\"footer-columns\">");
    for _ in 0..36 {
        let _ = write!(
            html,
            "<div class=\"footer-item {}\"><a href=\"{}\" rel=\"nofollow\">{}{}</a></div>",
            random.classes(),
            random.address(),
            random.icon(),
            random.words(2)
        );
    }
    html.push_str(
        "</div><p class=\"copyright\">&copy; 2026 The Daily. All rights reserved.</p></footer><script>",
    );
    for _ in 0..400 {
        let _ = write!(
            html,
            "var {}{}=function(e){{return e&&e.target<{}}};",
            random.words(1),
            random.below(9999),
            random.below(99)
        );
    }
    html.push_str("</script>");
}
