//! The 93 checks, a module a chapter of the catalogue.

mod agents;
mod discovery;
mod http;
mod interfaces;
mod json;
mod llms;
mod markdown;
mod mcp;
mod pages;
mod pagination;
mod payment;
mod rights;
mod tabs;

use std::collections::BTreeSet;

use url::Url;

use crate::exchange::{ANY, Answer, Exchange, MARKDOWN, Method, Reader, Request};
use crate::{Audit, Check, Options, Row, Verdict};

/// One evaluation of the responses so far.
pub(crate) struct Look<'a> {
    reader: Reader<'a>,
    /// The page that the audit began with.
    url: &'a Url,
    urls: &'a [Url],
    options: Options,
}

/// A page of the page set, in the forms that checks ask about.
pub(crate) struct Page<'a> {
    url: &'a Url,
    /// The first response, redirects not followed.
    first: Option<&'a Exchange>,
    /// The response at the end of the redirects, if it is a page.
    answer: Option<Answer<'a>>,
    /// The response to a request for Markdown, whatever it is; `None` where the page is not asked for it.
    negotiated: Option<Answer<'a>>,
    /// The response that serves its Markdown at an address of its own.
    served: Option<Answer<'a>>,
}

impl<'a> Page<'a> {
    fn read(look: &Look<'a>, url: &'a Url) -> Self {
        let first = look.reader.first(Method::Get, url, ANY);
        let answer = look.reader.get(url).filter(|answer| answer.is_success());
        let may_be_markdown = markdown::may_have_markdown(url);
        let negotiated = match may_be_markdown {
            true => look.reader.ask(Method::Get, url, MARKDOWN),
            false => None,
        };
        let served = markdown::serving(look, url);
        Page { url, first, answer, negotiated, served }
    }

    /// The page, where it is HTML.
    fn html(&self) -> Option<&Answer<'a>> {
        self.answer.as_ref().filter(|answer| answer.is_html())
    }

    /// The right answer to a request for Markdown. Spec: READY-MD-1.
    fn right(&self) -> Option<&Answer<'a>> {
        self.negotiated.as_ref().filter(|answer| markdown::is_right(answer))
    }

    /// The Markdown of the page. Spec: READY-GEN-12.
    fn markdown(&self) -> Option<&Answer<'a>> {
        self.served.as_ref().or_else(|| self.right())
    }
}

/// The verdicts, as they come.
#[derive(Default)]
pub(crate) struct Sheet(Vec<Check>);

impl Sheet {
    fn set(&mut self, row: Row, verdict: Verdict, detail: impl Into<String>) {
        let detail = Some(detail.into()).filter(|detail| !detail.is_empty());
        self.0.push(Check { row, verdict, detail });
    }

    fn pass(&mut self, row: Row, detail: impl Into<String>) {
        self.set(row, Verdict::Pass, detail);
    }

    fn warn(&mut self, row: Row, detail: impl Into<String>) {
        self.set(row, Verdict::Warn, detail);
    }

    fn fail(&mut self, row: Row, detail: impl Into<String>) {
        self.set(row, Verdict::Fail, detail);
    }

    fn skip(&mut self, row: Row, detail: impl Into<String>) {
        self.set(row, Verdict::Skip, detail);
    }

    fn skip_all(&mut self, rows: &[Row], detail: &str) {
        for row in rows {
            self.skip(*row, detail);
        }
    }

    /// The worst of several pages, with the pages that have it; none is a skip. Spec: READY-GEN-8.
    fn worst(&mut self, row: Row, pages: impl IntoIterator<Item = (String, Verdict, String)>) {
        let pages: Vec<_> = pages.into_iter().collect();
        let Some(worst) = pages.iter().map(|(_, verdict, _)| *verdict).max() else {
            return self.skip(row, "no page to look at");
        };
        let with: Vec<_> = pages.iter().filter(|(_, verdict, _)| *verdict == worst).collect();
        let detail = match with.as_slice() {
            [(url, _, detail), ..] if worst != Verdict::Pass => {
                let more = match with.len() - 1 {
                    0 => String::new(),
                    1 => String::from(", and one more page"),
                    more => format!(", and {more} more pages"),
                };
                format!("{url}: {detail}{more}")
            }
            [(_, _, detail)] => detail.clone(),
            _ => format!("{} pages", pages.len()),
        };
        self.set(row, worst, detail);
    }

    fn verdict(&self, row: Row) -> Verdict {
        self.0.iter().find(|check| check.row == row).map_or(Verdict::Skip, |check| check.verdict)
    }

    /// Pass or warn.
    fn is_good(&self, row: Row) -> bool {
        matches!(self.verdict(row), Verdict::Pass | Verdict::Warn)
    }
}

impl<'a> Look<'a> {
    pub(crate) fn new(audit: &'a Audit) -> Self {
        Look { reader: Reader::new(&audit.web), url: &audit.url, urls: &audit.pages, options: audit.options }
    }

    pub(crate) fn into_wanted(self) -> BTreeSet<Request> {
        self.reader.into_wanted()
    }

    /// An address on the site.
    fn at(&self, path: &str) -> Url {
        let mut url = self.url.clone();
        url.set_path(path);
        url.set_query(None);
        url.set_fragment(None);
        url
    }

    /// The origin without a final slash.
    fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    fn is_on_site(&self, url: &Url) -> bool {
        url.origin() == self.url.origin()
    }

    /// Whether a path is under that of the page: everything for `/`, and the folder of a file. Spec: section 4.
    fn is_under_page(&self, url: &Url) -> bool {
        let folder = self.folder();
        let rest = url.path().strip_prefix(folder.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    fn folder(&self) -> String {
        let path = self.url.path();
        let path = match ending(path) {
            Some(_) => path.rsplit_once('/').map_or("", |(folder, _)| folder),
            None => path,
        };
        path.strip_suffix('/').unwrap_or(path).to_owned()
    }

    /// Pages of the site beside the first.
    pub(crate) fn listed(&self, max: usize) -> Vec<Url> {
        let parse =
            |locs: &[String]| -> Vec<Url> { locs.iter().filter_map(|loc| Url::parse(loc).ok()).collect() };
        let mut sheet = Sheet::default();
        let sitemap = discovery::sitemap(self, &discovery::RobotsTxt::read(self), &mut sheet);
        let mut urls = sitemap.as_ref().map(|sitemap| parse(&sitemap.locs)).unwrap_or_default();
        if sitemap.is_some_and(|sitemap| sitemap.is_index) {
            let parts = urls.iter().take(20).filter_map(|part| discovery::read_sitemap(self, part));
            urls = parts.flat_map(|part| parse(&part.locs)).collect();
        }
        if urls.is_empty() {
            urls = llms::checks(self, &[], None, &mut sheet).map(|file| file.targets).unwrap_or_default();
        }
        if urls.is_empty()
            && let Some(home) = self.reader.get(self.url).filter(|home| home.is_html())
        {
            let (tree, base) = (home.tree(), home.tree().base(&home.url));
            let links = tree.find(tree.within(None), |element| element.name == "a");
            urls = links.filter_map(|(_, link)| base.join(link.attribute("href")?).ok()).collect();
        }
        let mut seen = BTreeSet::from([self.url.clone()]);
        urls.iter_mut().for_each(|url| url.set_fragment(None));
        urls.retain(|url| {
            self.is_on_site(url) && markdown::may_have_markdown(url) && seen.insert(url.clone())
        });
        let (all, count) = (urls.len(), max.min(urls.len()));
        (0..count).filter_map(|at| urls.get(at * all / count).cloned()).collect()
    }

    /// All verdicts, in the order of the catalogue. They hold once no request is wanted.
    pub(crate) fn checks(&self) -> Vec<Check> {
        let mut sheet = Sheet::default();
        let pages: Vec<Page<'_>> = self.urls.iter().map(|url| Page::read(self, url)).collect();
        let home = self.reader.get(self.url);
        let robots = discovery::RobotsTxt::read(self);
        discovery::robots(&robots, &mut sheet);
        discovery::signals(self, &robots, &home, &mut sheet);
        let sitemap = discovery::sitemap(self, &robots, &mut sheet);
        discovery::links(self, &home, &mut sheet);
        markdown::checks(self, &pages, &home, &mut sheet);
        let file = llms::checks(self, &pages, sitemap.as_ref(), &mut sheet);
        pages::checks(self, &pages, &mut sheet);
        pagination::checks(self, &pages, &mut sheet);
        tabs::checks(&pages, &mut sheet);
        http::checks(self, &pages, file.as_ref(), &mut sheet);
        rights::licences(self, &robots, &home, &mut sheet);
        rights::keys(self, &mut sheet);
        interfaces::api(self, &mut sheet);
        interfaces::oauth(self, &home, &mut sheet);
        interfaces::auth_md(self, &pages, &mut sheet);
        mcp::checks(self, &mut sheet);
        agents::card(self, &mut sheet);
        agents::skills(self, &mut sheet);
        agents::nlweb(self, &mut sheet);
        agents::webmcp(&home, &mut sheet);
        sheet.skip(Row::Dns1, "the DNS is not asked");
        payment::checks(self, &mut sheet);
        agents::level(&mut sheet);
        let mut checks = sheet.0;
        checks.sort_by_key(|check| check.row);
        checks
    }
}

/// The ending of a path's last segment, if it has a letter.
fn ending(path: &str) -> Option<&str> {
    let segment = path.rsplit('/').next().unwrap_or_default();
    let (_, ending) = segment.rsplit_once('.')?;
    let is_ending = ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && ending.bytes().any(|byte| byte.is_ascii_alphabetic());
    is_ending.then_some(ending)
}

/// A rate in whole percent. Spec: READY-GEN-8.
fn percent(part: usize, of: usize) -> usize {
    match of {
        0 => 0,
        of => (part * 200 + of) / (of * 2),
    }
}

/// Pass from `pass` percent, warn from one, else fail.
fn by_rate(part: usize, of: usize, pass: usize) -> Verdict {
    match part {
        0 => Verdict::Fail,
        _ if percent(part, of) >= pass => Verdict::Pass,
        _ => Verdict::Warn,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_rounded_to_whole_percent() {
        for (part, of, expected) in [(26, 29, 90), (17, 19, 89), (1, 200, 1), (1, 201, 0), (0, 0, 0)] {
            assert_eq!(percent(part, of), expected, "{part} of {of}");
        }
    }

    #[test]
    fn an_ending_has_a_letter() {
        for (path, expected) in [
            ("/a.html", Some("html")),
            ("/v1.2", None),
            ("/a.7z", Some("7z")),
            ("/a.b/", None),
            ("/a.b/c", None),
            ("/a.", None),
            ("/.env", Some("env")),
        ] {
            assert_eq!(ending(path), expected, "{path}");
        }
    }

    #[test]
    fn every_row_has_one_verdict() {
        let mut audit = Audit::new("https://a.example/x/".parse().unwrap(), Vec::new(), Options::default());
        let mut steps = 0;
        let checks = loop {
            match audit.step() {
                crate::Step::Ask(requests) => {
                    steps += 1;
                    for request in requests {
                        audit.answer(request, crate::Response::default());
                    }
                }
                crate::Step::Done(checks) => break checks,
            }
        };
        let rows: Vec<Row> = checks.iter().map(|check| check.row).collect();
        assert_eq!(rows, Row::ALL);
        assert!(steps <= 3, "{steps}");
    }
}
