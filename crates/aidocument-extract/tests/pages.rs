//! Pages of our own making, in the markup of today's generators, and what readers get of them.
//!
//! The Markdown is a reviewed snapshot. Beside it, floors: what a page must keep and what it must leave out, so that a
//! snapshot that was accepted too quickly still fails. Both change when the content model or the rules do.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use aidocument_extract::{Content, Extractor, PageKind};

fn content(html: &str) -> Content {
    Extractor::new().base_url("https://example.com/page".parse().unwrap()).extract(html)
}

/// Checks one page: its snapshot, what stays, and what goes.
fn check(name: &str, html: &str, kept: &[&str], left_out: &[&str]) {
    let found = content(html);
    for text in kept {
        assert!(found.markdown.contains(text), "{name} lost {text:?}:\n{}", found.markdown);
    }
    for text in left_out {
        assert!(!found.markdown.contains(text), "{name} kept {text:?}:\n{}", found.markdown);
    }
    for noise in ["&nbsp;", "&amp;", "\u{a0}", "\u{ad}", "¶", "[edit]"] {
        assert!(!found.markdown.contains(noise), "{name} has {noise:?}");
    }
    insta::assert_snapshot!(name, found.markdown);
}

#[test]
fn wordpress_news() {
    check(
        "wordpress-news",
        include_str!("pages/wordpress-news.en.html"),
        &[
            "eleven months after a barge",
            "## What changes for ships",
            "> We lost a whole night",
            "bridge-1024x683.jpg",
        ],
        &["cookies", "newsletter", "Eel fishing", "Most read", "Imprint", "Sport", "Share"],
    );
    assert_eq!(content(include_str!("pages/wordpress-news.en.html")).kind, PageKind::Article);
}

#[test]
fn docusaurus() {
    check(
        "docusaurus",
        include_str!("pages/docusaurus.en.html"),
        &[
            "## Set a policy\n",
            "```rust\nlet policy = Policy::new()\n    .attempts(5)\n    .within(Duration::from_secs(30));\n```",
            "$$t_n = t_0 \\cdot 2^{n-1}$$",
            "| `within` | time from the first try on | 10 s |",
            "attempt $n$ doubles",
        ],
        &["Copy", "Installation", "Edit this page", "Built with"],
    );
}

#[test]
fn mediawiki() {
    check(
        "mediawiki",
        include_str!("pages/mediawiki.fr.html"),
        &["marée haute[^1]", "[^2]: Archives des Ponts", "$1/r^{2}$", "10³ km²", "## Optique\n"],
        &["modifier", "Article au hasard", "Armen-Bian", "Confidentialité"],
    );
}

#[test]
fn discourse() {
    check(
        "discourse",
        include_str!("pages/discourse.en.html"),
        &["Since December my dough", "- mark the height", "> or just wait longer?", "the dough collapsed"],
        &["Log in", "Crust too hard"],
    );
}

#[test]
fn sphinx() {
    check(
        "sphinx",
        include_str!("pages/sphinx.de.html"),
        &[
            "## Beispiel\n",
            "```python\nfrom kalenderwerk import Zone\n\nzone = Zone(\"Europe/Berlin\")\nif zone:\n    print(zone.jetzt())\n```",
            "Versatz\n\nDer Unterschied",
            "[^1]: Zuletzt tat das Kasachstan",
        ],
        &["Stichwortverzeichnis", "Schnellsuche", "Erstellt mit"],
    );
}

#[test]
fn shop() {
    check(
        "shop",
        include_str!("pages/shop.es.html"),
        &["hecha a mano", "- Filtros del número 4", "nube.jpg"],
        &["Taza Nube", "Boletín", "Carrito"],
    );
}
