//! The templates: what is around an article. None of it is the article's text.

use super::article::Article;

/// How many templates there are.
pub(super) const COUNT: u64 = 6;

/// The whole page: the template's frame around an article's elements.
pub(super) fn page(template: u64, article: &Article, body: &str) -> String {
    let Article { before, after, language, title, .. } = article;
    let head = |style: &str| {
        format!(
            "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
             <style>{style}</style>\n</head>\n"
        )
    };
    match template % COUNT {
        0 => format!("{before}<article>\n{body}\n</article>{after}"),
        1 => format!("{}<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n", head(PLAIN)),
        2 => format!(
            "{}<body class=\"blog\">\n{BLOG_HEADER}\n<div class=\"wrap\">\n<article class=\"post\">\n\
             <div class=\"post-content\">\n{body}\n</div>\n</article>\n{BLOG_SIDEBAR}\n</div>\n{BLOG_FOOTER}\n</body>\n</html>\n",
            head(BLOG)
        ),
        3 => format!(
            "{}<body>\n{DOCS_NAV}\n<main role=\"main\" id=\"content\">\n<article>\n{body}\n</article>\n</main>\n\
             {DOCS_FOOTER}\n</body>\n</html>\n",
            head(DOCS)
        ),
        4 => format!(
            "{}<body class=\"portal\">\n{PORTAL_HEADER}\n<main>\n<article itemprop=\"articleBody\">\n{body}\n</article>\n\
             {PORTAL_RELATED}\n</main>\n{PORTAL_FOOTER}\n</body>\n</html>\n",
            head(PORTAL)
        ),
        _ => format!(
            "{}<body>\n{BOARD_HEADER}\n<div id=\"page\">\n<div id=\"menu\" role=\"navigation\">{BOARD_MENU}</div>\n\
             <div id=\"content\" role=\"main\">\n{body}\n</div>\n</div>\n{BOARD_FOOTER}\n</body>\n</html>\n",
            head(BOARD)
        ),
    }
}

const PLAIN: &str = "body{max-width:40rem;margin:auto;font:1rem/1.5 serif}";

const BLOG: &str = "body{margin:0;font:17px/1.6 system-ui}.wrap{display:grid;grid-template-columns:3fr 1fr;gap:2rem}\
    .site-header nav a{margin-right:1rem}.widget{border:1px solid #ddd;padding:1rem;margin-bottom:1rem}";
const BLOG_HEADER: &str = "<header class=\"site-header\"><a href=\"/\" class=\"logo\">Harbour Blog</a>\n\
    <nav><a href=\"/archive\">Archive</a><a href=\"/tags\">Tags</a><a href=\"/about\">About</a></nav></header>";
const BLOG_SIDEBAR: &str = "<aside class=\"sidebar\"><div class=\"widget\"><h3>Recent posts</h3><ul>\
    <li><a href=\"/page/a\">A week at the lock</a></li><li><a href=\"/page/b\">Letters from the delta</a></li>\
    <li><a href=\"/page/c\">What the tide left</a></li></ul></div>\
    <div class=\"widget\"><h3>Tags</h3><ul class=\"tags\"><li><a href=\"/t/1\">water</a></li>\
    <li><a href=\"/t/2\">craft</a></li><li><a href=\"/t/3\">salt</a></li></ul></div></aside>";
const BLOG_FOOTER: &str =
    "<footer class=\"site-footer\"><a href=\"/feed\">Feed</a> <a href=\"/imprint\">Imprint</a></footer>";

const DOCS: &str = "body{display:flex;margin:0}nav.toc{width:16rem;font-size:.9rem}main{flex:1;padding:2rem}";
const DOCS_NAV: &str = "<nav class=\"toc\" aria-label=\"Contents\"><ul><li><a href=\"/1\">1 Before you start</a></li>\
    <li><a href=\"/2\">2 Tools</a><ul><li><a href=\"/2/1\">2.1 Wood</a></li><li><a href=\"/2/2\">2.2 Iron</a></li></ul></li>\
    <li><a href=\"/3\">3 Measures</a></li><li><a href=\"/4\">4 Names</a></li></ul></nav>";
const DOCS_FOOTER: &str =
    "<footer><a rel=\"prev\" href=\"/1\">Previous</a> <a rel=\"next\" href=\"/3\">Next</a></footer>";

const PORTAL: &str = "body{margin:0;background:#eee}header,main,footer{max-width:60rem;margin:auto;background:#fff}\
    .crumbs li{display:inline}.related{columns:2}";
const PORTAL_HEADER: &str = "<header><h2 class=\"brand\">The Daily Ledger</h2>\n<nav class=\"crumbs\"><ol>\
    <li><a href=\"/\">Home</a></li><li><a href=\"/life\">Life</a></li><li>Article</li></ol></nav></header>";
const PORTAL_RELATED: &str = "<aside class=\"related\"><h2>Read on</h2><ul>\
    <li><a href=\"/page/1\">Nine bridges in one day</a></li><li><a href=\"/page/2\">The price of rope</a></li>\
    <li><a href=\"/page/3\">Why lamps hum</a></li><li><a href=\"/page/4\">A map of all springs</a></li></ul></aside>";
const PORTAL_FOOTER: &str = "<footer><ul><li><a href=\"/terms\">Terms</a></li><li><a href=\"/privacy\">Privacy</a></li>\
    <li><a href=\"/contact\">Contact</a></li></ul><small>Printed daily but Sundays.</small></footer>";

const BOARD: &str = "body{font:14px verdana}#menu{float:left;width:150px}#content{margin-left:170px}";
const BOARD_HEADER: &str = "<div id=\"banner\" role=\"banner\"><a href=\"/\">Village Board</a></div>";
const BOARD_MENU: &str = "<ul><li><a href=\"/news\">News</a></li><li><a href=\"/market\">Market</a></li>\
    <li><a href=\"/ferry\">Ferry times</a></li><li><a href=\"/lost\">Lost and found</a></li></ul>";
const BOARD_FOOTER: &str =
    "<div id=\"foot\" role=\"contentinfo\"><a href=\"/top\">Top</a> | <a href=\"/print\">Print</a></div>";
