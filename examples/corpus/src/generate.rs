//! Writing a corpus as Parquet: two crawls of invented sites from a seed, or a folder of HTML.
//!
//! Every row of the table `pages` is a page as a crawl found it:
//!
//! | column | type | |
//! |---|---|---|
//! | `crawl` | `Int32` | 1 or 2 |
//! | `url` | `Utf8` | |
//! | `robots` | `Utf8` | robots.txt of the site |
//! | `html` | `Utf8` | |
//! | `template` | `Utf8`, nullable | the seeded corpus' truth: what is around the text |
//! | `edition` | `Utf8`, nullable | the seeded corpus' truth: the same edition is the same text |
//!
//! The seeded corpus takes the articles of the embedded site, edits each into many editions and puts them into
//! six templates. There are about half as many editions as pages. From the first crawl to the second, of a
//! hundred pages 90 stay, 4 get another text, 4 only another template, 1 goes and 1 comes.

mod article;
mod folder;
mod table;
mod template;

pub use folder::folder;

use std::path::Path;

use anyhow::{Result, ensure};
use include_dir::{Dir, include_dir};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use article::Article;
use table::{Page, Table};

static SITE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../site/pages");

/// The robots.txt that the invented sites take turns with.
const ROBOTS: [&str; 4] = [
    "User-agent: *\nDisallow: /drafts/\n",
    "User-agent: AIWebIndex\nDisallow: /*7$\nCrawl-delay: 2\n\nUser-agent: *\nDisallow:\n",
    "User-agent: *\nDisallow: /\nAllow: /page/\nDisallow: /page/s\n\nSitemap: https://example.com/sitemap.xml\n",
    "",
];

/// Pages of one site, one after the other.
const SITE_PAGES: u64 = 50;

/// What was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    /// Rows of both crawls.
    pub rows: u64,
    /// Bytes of HTML in all rows.
    pub html_bytes: u64,
    /// Bytes of the Parquet files.
    pub file_bytes: u64,
    /// Files of the folder that could not be read.
    pub passed_over: u64,
}

/// Writes the seeded corpus, `pages` addresses in two crawls: `pages-1.parquet` and `pages-2.parquet`.
///
/// `written` hears after each address how many there are. The same seed gives the same bytes.
///
/// # Errors
/// When the folder cannot be written.
pub fn seeded(pages: u64, seed: u64, folder: &Path, mut written: impl FnMut(u64)) -> Result<Written> {
    let site = SITE.files().filter(|file| file.path().extension().is_some_and(|ending| ending == "html"));
    let mut articles: Vec<Article> =
        site.filter_map(|file| Article::of(file.path(), file.contents_utf8()?)).collect();
    articles.sort_by(|a, b| a.name.cmp(&b.name));
    ensure!(!articles.is_empty(), "expected an embedded site with articles, found none");
    let editions = (pages / 2).div_ceil(articles.len() as u64).max(1);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut before, mut after) = (Table::create(folder, 1)?, Table::create(folder, 2)?);
    for number in 0..pages {
        let Some(article) = articles.get(below(&mut random, articles.len() as u64) as usize) else {
            continue;
        };
        let (edition, template) = (below(&mut random, editions), below(&mut random, template::COUNT));
        let (edition_after, template_after, fate) = match below(&mut random, 100) {
            0..4 => (edition + editions, template, Fate::Stays),
            4..8 => (edition, (template + 1) % template::COUNT, Fate::Stays),
            8 => (edition, template, Fate::Goes),
            9 => (edition, template, Fate::Comes),
            _ => (edition, template, Fate::Stays),
        };
        let site = number / SITE_PAGES;
        let url = format!("https://site{site}.example/page/{}-{number}", article.name);
        let robots = ROBOTS.get(site as usize % ROBOTS.len()).copied().unwrap_or_default();
        let write = |table: &mut Table, edition: u64, template: u64| {
            table.push(&Page {
                url: &url,
                robots,
                html: &template::page(template, article, &article.edition(edition)),
                template: Some(&format!("template-{template}")),
                edition: Some(&format!("{}-{edition}", article.name)),
            })
        };
        if fate != Fate::Comes {
            write(&mut before, edition, template)?;
        }
        if fate != Fate::Goes {
            write(&mut after, edition_after, template_after)?;
        }
        written(number + 1);
    }
    Ok(before.close()? + after.close()?)
}

#[derive(PartialEq)]
enum Fate {
    Stays,
    Goes,
    Comes,
}

impl std::ops::Add for Written {
    type Output = Written;

    fn add(self, other: Written) -> Written {
        Written {
            rows: self.rows + other.rows,
            html_bytes: self.html_bytes + other.html_bytes,
            file_bytes: self.file_bytes + other.file_bytes,
            passed_over: self.passed_over + other.passed_over,
        }
    }
}

/// A number below the limit; the bias is below 2^-40 for the limits used here.
fn below(random: &mut impl Rng, limit: u64) -> u64 {
    random.next_u64() % limit
}
