//! Audits a built static site before it is deployed.

use std::path::{Component, Path, PathBuf};

use url::Url;

use crate::AuditError;
use crate::readiness::{Profile, candidates, of_files};
use crate::report::Report;

/// Audits a folder as if it were served at `origin`.
///
/// # Errors
/// If the folder has no page to begin with.
#[expect(clippy::disallowed_methods, reason = "the files that were named on the command line")]
pub fn report(folder: &Path, origin: &Url, profile: Profile, pages: usize) -> Result<Report, AuditError> {
    let file = |name: &str| std::fs::read(place(folder, name)?).ok();
    if file("/index.html").is_none() {
        let why = format!("expected index.html in {}, found none", folder.display());
        return Err(AuditError::Argument(why));
    }
    // A builder knows where the site will be: its sitemap says so.
    let named = file("/sitemap.xml").map(|sitemap| String::from_utf8_lossy(&sitemap).into_owned());
    let named = named.as_deref().and_then(|text| text.split_once("<loc>")?.1.split_once("</loc>"));
    let named = named.and_then(|(loc, _)| Url::parse(loc.trim()).ok());
    let url = match origin.host_str() {
        Some("site.invalid") => {
            named.and_then(|page| base_of(&page, &file)).unwrap_or_else(|| origin.clone())
        }
        _ => origin.clone(),
    };
    // A folder that is served below a path has what lies below it; the root of the host is somebody else's.
    let base = decoded(&url);
    let base = base.trim_end_matches('/');
    let below = |name: &str| file(name.strip_prefix(base).filter(|rest| rest.starts_with('/'))?);
    Ok(Report {
        name: None,
        url: url.to_string(),
        audited_at: jiff::Timestamp::now().round(jiff::Unit::Second).unwrap_or_default().to_string(),
        offers: Vec::new(),
        uses: Vec::new(),
        savings: None,
        readiness: Some(of_files(&url, profile, pages, &below)),
        findings: Vec::new(),
    })
}

/// Where a folder is served that has this page: at the root of the host, unless the page's file is found only without the
/// first steps of its path.
fn base_of(page: &Url, file: &dyn Fn(&str) -> Option<Vec<u8>>) -> Option<Url> {
    let path = decoded(page);
    let is_there = |rest: &str| candidates(rest).iter().any(|name| file(name).is_some());
    let steps = page.path().matches('/').count();
    let skip =
        path.match_indices('/').map(|(at, _)| at).position(|at| is_there(path.get(at..).unwrap_or_default()));
    let base: Vec<&str> =
        page.path().split('/').take(skip.filter(|skip| *skip < steps).unwrap_or(0) + 1).collect();
    page.join(&format!("{}/", base.join("/"))).ok()
}

fn decoded(url: &Url) -> String {
    percent_encoding::percent_decode_str(url.path()).decode_utf8_lossy().into_owned()
}

/// The file of a path, within the folder.
fn place(folder: &Path, name: &str) -> Option<PathBuf> {
    let relative = Path::new(name.trim_start_matches('/'));
    relative.components().all(|part| matches!(part, Component::Normal(_))).then(|| folder.join(relative))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_leads_out_of_the_folder() {
        let folder = Path::new("site");
        assert_eq!(place(folder, "/a/b.html"), Some("site/a/b.html".into()));
        for name in ["/../secret", "/a/../../secret", "//etc/passwd/.."] {
            assert_eq!(place(folder, name), None, "{name}");
        }
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test writes the files that it reads")]
    fn a_path_of_the_origin_is_a_text_in_any_letters() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("index.html"), "<title>Tea</title><main><h1>Tea</h1><p>Two cups.")
            .unwrap();
        for origin in ["https://x.example/guide/", "https://x.example/b%C3%BCcher/", "https://x.example/a b"]
        {
            let found = report(dir.path(), &Url::parse(origin).unwrap(), Profile::All, 5).unwrap();
            let checks = found.readiness.unwrap().checks;
            let page = checks.iter().find(|found| found.check.row == ready::Row::Page1).unwrap();
            assert_eq!(page.check.verdict, ready::Verdict::Pass, "{origin}");
        }
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test writes the files that it reads")]
    fn without_an_origin_the_sitemap_says_where_the_folder_is() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("pots")).unwrap();
        for page in ["index.html", "brew.html", "a b.html", "pots/index.html"] {
            std::fs::write(dir.path().join(page), "<title>Tea</title><main><h1>Tea</h1><p>Two cups.")
                .unwrap();
        }
        let unknown = Url::parse("https://site.invalid/").unwrap();
        for (first, expected) in [
            ("https://x.example/", "https://x.example/"),
            ("https://x.example/brew.html", "https://x.example/"),
            ("https://x.example/pots/", "https://x.example/"),
            ("https://x.example/gone", "https://x.example/"),
            ("https://x.example/guide/", "https://x.example/guide/"),
            ("https://x.example/guide/brew", "https://x.example/guide/"),
            ("https://x.example/guide/pots/", "https://x.example/guide/"),
            ("https://x.example/b%C3%BCcher/tea/a%20b.html", "https://x.example/b%C3%BCcher/tea/"),
        ] {
            std::fs::write(
                dir.path().join("sitemap.xml"),
                format!("<urlset><url><loc>{first}</loc></url></urlset>"),
            )
            .unwrap();
            let found = report(dir.path(), &unknown, Profile::All, 5).unwrap();
            assert_eq!(found.url, expected, "{first}");
            let checks = found.readiness.unwrap().checks;
            let page = checks.iter().find(|found| found.check.row == ready::Row::Page1).unwrap();
            assert_eq!(page.check.verdict, ready::Verdict::Pass, "{first}");
        }
    }
}
