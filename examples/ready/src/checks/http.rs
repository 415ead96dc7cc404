//! Status codes, redirects, caching, closed doors. Spec: section 6.

use url::Url;
use web_values::UnixSeconds;

use super::llms::LlmsTxt;
use super::{Look, Page, Sheet, pages};
use crate::exchange::{Exchange, is_same_site, redirect_target};
use crate::sniff::first_chars;
use crate::{Row, Verdict};

/// The present is not before this: 2026-11-01, when these checks were written. For `Expires`, where neither the caller nor the
/// response says what time it is.
const NOT_BEFORE: u64 = 1_793_491_200;

pub(super) fn checks(look: &Look<'_>, pages: &[Page<'_>], file: Option<&LlmsTxt<'_>>, sheet: &mut Sheet) {
    missing_pages(look, pages, sheet);
    let firsts = || pages.iter().filter_map(|page| Some((page.url, page.first?)));
    sheet.worst(
        Row::Http2,
        firsts().map(|(url, first)| {
            let (verdict, detail) = redirect(url, first);
            (url.to_string(), verdict, detail)
        }),
    );
    let of_file = file.map(|file| (file.answer.url.to_string(), cache(look, &file.answer)));
    let of_pages =
        pages.iter().filter_map(|page| Some((page.url.to_string(), cache(look, page.answer.as_ref()?))));
    let cached = of_file.into_iter().chain(of_pages).map(|(url, (verdict, detail))| (url, verdict, detail));
    sheet.worst(Row::Http3, cached.collect::<Vec<_>>());
    let doors: Vec<(&Url, Option<String>)> = firsts().map(|(url, first)| (url, closed(url, first))).collect();
    let shut = doors.iter().filter(|(_, why)| why.is_some()).count();
    let example = doors.iter().find_map(|(url, why)| Some(format!("{url}: {}", why.as_ref()?)));
    match (doors.len(), shut) {
        (0, _) => sheet.skip(Row::Http4, "no answer"),
        (_, 0) => sheet.pass(Row::Http4, ""),
        (all, shut) if shut < all => sheet.warn(Row::Http4, example.unwrap_or_default()),
        _ => sheet.fail(Row::Http4, example.unwrap_or_default()),
    }
    let open = doors.len() - shut;
    let has_text = sheet.is_good(Row::Md5) || sheet.is_good(Row::Md1);
    match shut {
        0 => sheet.skip(Row::Http5, "the pages are open"),
        _ if has_text || open * 2 >= doors.len() => sheet.pass(Row::Http5, ""),
        _ if sheet.is_good(Row::Llms1) || open > 0 => sheet.warn(Row::Http5, "llms.txt, or a page"),
        _ => sheet.fail(Row::Http5, "nothing is open"),
    }
    sheet.skip(Row::Http6, "told by the one who sends the requests");
}

/// Spec: READY-HTTP-1.
fn missing_pages(look: &Look<'_>, pages: &[Page<'_>], sheet: &mut Sheet) {
    let mut known = Vec::new();
    let mut nothing = 0;
    for page in pages {
        let mut url = page.url.clone();
        url.set_query(None);
        let path = url.path().strip_suffix('/').unwrap_or(url.path());
        let path =
            if path.is_empty() { "/-no-such-page-8f3a".into() } else { format!("{path}-no-such-page-8f3a") };
        url.set_path(&path);
        let Some(answer) = look.reader.get(&url) else { continue };
        match answer.status() {
            400..500 => known.push((url.to_string(), Verdict::Pass, String::new())),
            202 | 500.. => nothing += 1,
            status => known.push((
                url.to_string(),
                Verdict::Fail,
                format!("status {status}, though nothing is there"),
            )),
        }
    }
    match (known.is_empty(), nothing) {
        (true, 1..) => sheet.warn(Row::Http1, "the server was busy"),
        _ => sheet.worst(Row::Http1, known),
    }
}

/// Spec: READY-HTTP-2.
fn redirect(url: &Url, first: &Exchange) -> (Verdict, String) {
    if (300..400).contains(&first.status()) {
        return match redirect_target(first, url).filter(|target| !is_same_site(url, target)) {
            Some(target) => (Verdict::Warn, format!("to {target}")),
            None => (Verdict::Pass, String::new()),
        };
    }
    let code = crate::pattern!(r"(?is)<pre\b[^>]*>.*?</pre>|<code\b[^>]*>.*?</code>");
    let start = code.replace_all(first_chars(first.text(), 10_000), "");
    let script = crate::pattern!(
        r#"(?i)(?:window|document)\.location\s*=(?:[^=]|$)|location\.href\s*=(?:[^=]|$)|location\.(?:replace|assign)\s*\(|<meta[^>]+http-equiv\s*=\s*["']?refresh["']?"#
    );
    match script.find(&start) {
        Some(found) => (Verdict::Fail, format!("`{}` sends readers away", first_chars(found.as_str(), 60))),
        None => (Verdict::Pass, String::new()),
    }
}

/// Spec: READY-HTTP-3.
fn cache(look: &Look<'_>, answer: &Exchange) -> (Verdict, String) {
    let control = answer.fields("cache-control").collect::<Vec<_>>().join(",").to_ascii_lowercase();
    let has = |name: &str| control.split(',').any(|part| part.trim() == name);
    let seconds = |name: &str| {
        let values = control.split(',').filter_map(|part| part.trim().strip_prefix(name)?.strip_prefix('='));
        values.filter_map(|value| value.trim_matches('"').parse::<u64>().ok()).next()
    };
    let has_validator = answer.field("etag").is_some() || answer.field("last-modified").is_some();
    if has("no-cache") || has("no-store") || has("must-revalidate") && has_validator {
        return (Verdict::Pass, String::new());
    }
    match seconds("s-maxage").or_else(|| seconds("max-age")).or_else(|| expires(look, answer)) {
        None if has_validator => (Verdict::Pass, String::new()),
        None => (Verdict::Fail, "neither an age nor a validator".to_owned()),
        Some(age @ 0..=3_600) => (Verdict::Pass, format!("{age} seconds")),
        Some(age @ 3_601..=86_400) => (Verdict::Warn, format!("kept for {age} seconds")),
        Some(age) => (Verdict::Fail, format!("kept for {age} seconds")),
    }
}

fn expires(look: &Look<'_>, answer: &Exchange) -> Option<u64> {
    let read = |text: &str| {
        UnixSeconds::parse_http_date(text, UnixSeconds(look.options.now.unwrap_or(NOT_BEFORE))).map(|at| at.0)
    };
    let now = look.options.now.or_else(|| read(answer.field("date")?)).unwrap_or(NOT_BEFORE);
    let expires = answer.field("expires")?;
    // Spec: RFC 9111, 5.3: `0` is a time in the past.
    if expires.parse::<i64>().is_ok() {
        return Some(0);
    }
    Some(read(expires)?.saturating_sub(now))
}

/// Why a page is closed, if it is. Spec: READY-HTTP-4.
fn closed(url: &Url, first: &Exchange) -> Option<String> {
    match first.status() {
        401 | 403 => Some(format!("status {}", first.status())),
        300..=399 => {
            let target = redirect_target(first, url)?;
            let host = target.host_str().unwrap_or_default().to_ascii_lowercase();
            is_sign_in_host(&host).then(|| format!("sends readers to {host}"))
        }
        200 => sign_in_form(first),
        _ => None,
    }
}

fn is_sign_in_host(host: &str) -> bool {
    const DOMAINS: [&str; 5] =
        ["okta.com", "auth0.com", "login.microsoftonline.com", "accounts.google.com", "login.salesforce.com"];
    let is_below =
        |domain: &&str| host.strip_suffix(*domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    DOMAINS.iter().any(is_below)
        || ["sso.", "idp.", "auth.", "login."].iter().any(|start| host.starts_with(start))
}

fn sign_in_form(page: &Exchange) -> Option<String> {
    let start = first_chars(page.text(), 50_000);
    if !page.is_html() {
        return None;
    }
    if crate::pattern!(r#"(?i)<input\b[^>]*\btype\s*=\s*["']?password\b"#).is_match(start) {
        return Some("asks for a password".to_owned());
    }
    let title =
        crate::pattern!(r"(?is)<title[^>]*>(.*?)</title>").captures(start).and_then(|found| found.get(1));
    let title = title.map(|title| title.as_str().trim()).unwrap_or_default();
    let asks = crate::pattern!(r"(?i)^(?:sign\s*in|log\s*in)\b|[|\-–—:]\s*(?:sign\s*in|log\s*in)$");
    if asks.is_match(title) && !pages::has_substance(page) {
        return Some(format!("is titled `{title}`"));
    }
    // Whole words: a form that searches for authors is none.
    let action = crate::pattern!(
        r#"(?i)<form\b[^>]*\baction\s*=\s*["']?[^"'>\s]*?(?:\b|_|/)(?:(?:saml|oauth|openid|sso|auth(?:ori[sz]e|enticate|entication|n)?)(?:\d|login|connect|p)*)+(?:[^a-z0-9]|$)"#
    );
    action.is_match(start).then(|| "sends a form to a sign-in service".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Response;

    fn page(html: &str) -> Exchange {
        Exchange::new(Response { status: 200, headers: Vec::new(), body: html.into() })
    }

    #[test]
    fn scripts_that_send_away_are_told_from_those_that_look() {
        let url = Url::parse("https://a.example/").unwrap();
        for (html, expected) in [
            ("<script>window.location = '/b'</script>", Verdict::Fail),
            ("<script>if (window.location == x) {}</script>", Verdict::Pass),
            ("<script>location.replace('/b')</script>", Verdict::Fail),
            ("<pre>location.replace('/b')</pre>", Verdict::Pass),
            ("<meta http-equiv=refresh content='0; url=/b'>", Verdict::Fail),
            ("<meta http-equiv=\"X-UA-Compatible\">", Verdict::Pass),
        ] {
            assert_eq!(redirect(&url, &page(html)).0, expected, "{html}");
        }
    }

    #[test]
    fn doors_are_closed_by_forms_and_titles() {
        for (html, expected) in [
            ("<html><input type=\"password\">", true),
            ("<html><input name=password type=text>", false),
            ("<html><title>Sign in</title>", true),
            ("<html><title>Docs | Log in</title>", true),
            ("<html><title>How to log in</title>", false),
            ("<html><form action='/oauth2/start'>", true),
            ("<html><form action='/samlsso?x=1'>", true),
            ("<html><form action='/OAuthLogin'>", true),
            ("<html><form action=\"https://x.example/sso\">", true),
            ("<html><form action='/authors/search'>", false),
            ("<html><form action='/subscribe?x=authority'>", false),
        ] {
            assert_eq!(sign_in_form(&page(html)).is_some(), expected, "{html}");
        }
        assert!(is_sign_in_host("x.okta.com") && is_sign_in_host("login.a.example"));
        assert!(!is_sign_in_host("notokta.com") && !is_sign_in_host("blog.a.example"));
    }
}
