//! Audits a built static site before it is deployed.

use std::path::{Component, Path, PathBuf};

use url::Url;

use crate::AuditError;
use crate::readiness::{Profile, of_files};
use crate::report::Report;

/// Audits a folder as if it were served at `origin`.
///
/// # Errors
/// If the folder has no page to begin with.
#[expect(clippy::disallowed_methods, reason = "the files that were named on the command line")]
pub fn report(folder: &Path, origin: &Url, profile: Profile, pages: usize) -> Result<Report, AuditError> {
    // A folder that is served below a path has what lies below it; the root of the host is somebody else's.
    let base = percent_encoding::percent_decode_str(origin.path()).decode_utf8_lossy();
    let base = base.trim_end_matches('/');
    let file = |name: &str| std::fs::read(place(folder, name)?).ok();
    let below = |name: &str| file(name.strip_prefix(base).filter(|rest| rest.starts_with('/'))?);
    if file("/index.html").is_none() {
        let why = format!("expected index.html in {}, found none", folder.display());
        return Err(AuditError::Argument(why));
    }
    // A builder knows where the site will be: its sitemap says so.
    let named = file("/sitemap.xml").map(|sitemap| String::from_utf8_lossy(&sitemap).into_owned());
    let named = named.as_deref().and_then(|text| text.split_once("<loc>")?.1.split_once("</loc>"));
    let named = named.and_then(|(loc, _)| Url::parse(loc.trim()).ok()).and_then(|url| url.join("/").ok());
    let url = match origin.host_str() {
        Some("site.invalid") => named.unwrap_or_else(|| origin.clone()),
        _ => origin.clone(),
    };
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
}
