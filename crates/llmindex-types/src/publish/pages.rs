//! The four pages in Markdown, from data.
//!
//! Markdown without HTML or scripts is what an agent reads best (LLMI-PAGE-2, LLMI-PAGE-4). The publisher must serve
//! the pages without a login and keep them up to date (LLMI-PAGE-1, LLMI-PAGE-3). All text is plain text: markup in
//! it is escaped.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::markdown::{finish, folded, inline, line, push_heading, push_link, push_paragraphs};
use crate::{Availability, Product};

/// The page of products, recommended at `/llm/products`: by category in the order of first appearance, products
/// without one last, each with name, price, category and link.
///
/// ```
/// use llmindex_types::{Availability, ProductBuilder, products_page, web_values::Timestamp};
/// let changed = Timestamp::parse("2026-02-15T08:00:00Z").unwrap();
/// let boots = ProductBuilder::new("P1", "Boots", "https://shoes.example/p1", Availability::InStock, changed)
///     .price("89.90", "EUR")
///     .category("Winter")
///     .build()
///     .unwrap();
/// let page = products_page("Products of Shoes", &[boots]);
/// assert!(page.ends_with("## Winter\n\n- [Boots](https://shoes.example/p1): 89.90 EUR, Winter, in stock\n"));
/// ```
///
/// Spec: llmindex 0.1, "Required pages"; LLMI-PAGE-5, LLMI-PAGE-2.
#[must_use]
pub fn products_page(title: &str, products: &[Product]) -> String {
    let mut out = String::new();
    push_heading(&mut out, 1, title);
    let mut known = BTreeMap::new();
    let mut groups: Vec<(String, Vec<&Product>)> = Vec::new();
    let mut without = Vec::new();
    for product in products {
        let category = product.category.as_deref().map(folded).unwrap_or_default();
        if category.is_empty() {
            without.push(product);
            continue;
        }
        let at = *known.entry(category.clone()).or_insert(groups.len());
        match groups.get_mut(at) {
            Some((_, group)) => group.push(product),
            None => groups.push((category, Vec::from([product]))),
        }
    }
    if !without.is_empty() {
        let heading = if groups.is_empty() { "All products" } else { "Other products" };
        groups.push((heading.into(), without));
    }
    for (category, group) in groups {
        push_heading(&mut out, 2, &category);
        for product in group {
            out.push_str("- ");
            push_link(&mut out, &product.title, product.url.as_given());
            out.push_str(": ");
            out.push_str(&inline(&format!("{}", product.price)));
            if let Some(category) = product.category.as_deref().map(inline).filter(|text| !text.is_empty()) {
                out.push_str(", ");
                out.push_str(&category);
            }
            out.push_str(match product.availability {
                Availability::InStock => ", in stock",
                Availability::OutOfStock => ", out of stock",
                Availability::Preorder => ", preorder",
            });
            out.push('\n');
        }
        out.push('\n');
    }
    finish(out)
}

/// The four policies; one that is empty is left out.
///
/// Spec: llmindex 0.1, "Required pages"; LLMI-PAGE-6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Policies<'a> {
    /// Shipping: methods, prices, times.
    pub shipping: &'a str,
    /// Returns.
    pub returns: &'a str,
    /// Warranty: scope and duration.
    pub warranty: &'a str,
    /// Payment methods.
    pub payment: &'a str,
}

/// The page of policies, recommended at `/llm/policies`.
///
/// Spec: llmindex 0.1, "Required pages"; LLMI-PAGE-6, LLMI-PAGE-2.
#[must_use]
pub fn policies_page(title: &str, policies: &Policies<'_>) -> String {
    let mut out = String::new();
    push_heading(&mut out, 1, title);
    push_sections(
        &mut out,
        &[
            ("Shipping", policies.shipping),
            ("Returns", policies.returns),
            ("Warranty", policies.warranty),
            ("Payment", policies.payment),
        ],
    );
    finish(out)
}

fn push_sections(out: &mut String, sections: &[(&str, &str)]) {
    for (heading, text) in sections {
        if !text.trim().is_empty() {
            push_heading(out, 2, heading);
            push_paragraphs(out, text);
        }
    }
}

/// Questions about one topic.
///
/// Spec: llmindex 0.1, "Required pages"; LLMI-PAGE-7.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaqTopic<'a> {
    /// The topic.
    pub topic: &'a str,
    /// Each question with its answer.
    pub questions: &'a [(&'a str, &'a str)],
}

/// The page of questions, recommended at `/llm/faq`: by topic.
///
/// ```
/// use llmindex_types::{FaqTopic, faq_page};
/// let shipping = FaqTopic { topic: "Shipping", questions: &[("How fast?", "Two days.")] };
/// assert_eq!(faq_page("FAQ", &[shipping]), "# FAQ\n\n## Shipping\n\n### How fast?\n\nTwo days.\n");
/// ```
///
/// Spec: llmindex 0.1, "Required pages"; LLMI-PAGE-7, LLMI-PAGE-2.
#[must_use]
pub fn faq_page(title: &str, topics: &[FaqTopic<'_>]) -> String {
    let mut out = String::new();
    push_heading(&mut out, 1, title);
    for topic in topics {
        push_heading(&mut out, 2, topic.topic);
        for (question, answer) in topic.questions {
            push_heading(&mut out, 3, question);
            push_paragraphs(&mut out, answer);
        }
    }
    finish(out)
}

/// About the publisher; empty members are left out.
///
/// Spec: llmindex 0.1, "Required pages"; LLMI-PAGE-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct About<'a> {
    /// The story.
    pub story: &'a str,
    /// Facts of the company, each with its label: legal name, founded, register number.
    pub company: &'a [(&'a str, &'a str)],
    /// Ways to get in touch, each with its label: address, e-mail, phone.
    pub contact: &'a [(&'a str, &'a str)],
}

/// The page about the publisher, recommended at `/llm/about`.
///
/// Spec: llmindex 0.1, "Required pages"; LLMI-PAGE-8, LLMI-PAGE-2.
#[must_use]
pub fn about_page(title: &str, about: &About<'_>) -> String {
    let mut out = String::new();
    push_heading(&mut out, 1, title);
    push_sections(&mut out, &[("Story", about.story)]);
    for (heading, facts) in [("Company", about.company), ("Contact", about.contact)] {
        if facts.is_empty() {
            continue;
        }
        push_heading(&mut out, 2, heading);
        for (label, value) in facts {
            out.push_str(&format!("- {}: {}\n", line(label), inline(value)));
        }
        out.push('\n');
    }
    finish(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ProductBuilder;
    use web_values::Timestamp;

    fn product(title: &str, category: Option<&str>) -> Product {
        let changed = Timestamp::parse("2026-02-15T08:00:00Z").unwrap();
        let url = "https://shoes.example/p";
        let builder =
            ProductBuilder::new(title, title, url, Availability::Preorder, changed).price("1", "EUR");
        match category {
            Some(category) => builder.category(category).build().unwrap(),
            None => builder.build().unwrap(),
        }
    }

    #[test]
    fn products_stand_by_category() {
        let products = [
            product("a", Some("x")),
            product("b", None),
            product("c", Some("*y*")),
            product("d", Some(" x ")),
        ];
        let page = products_page("P", &products);
        let lines: Vec<_> = page.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(
            lines,
            [
                "# P",
                "## x",
                "- [a](https://shoes.example/p): 1 EUR, x, preorder",
                "- [d](https://shoes.example/p): 1 EUR, x, preorder",
                "## \\*y\\*",
                "- [c](https://shoes.example/p): 1 EUR, \\*y\\*, preorder",
                "## Other products",
                "- [b](https://shoes.example/p): 1 EUR, preorder",
            ]
        );
        assert_eq!(products_page("P", &[]), "# P\n");
    }

    #[test]
    fn policies_and_about() {
        let policies =
            Policies { shipping: "Two days.\n\n# not a heading", payment: "Card", ..Policies::default() };
        assert_eq!(
            policies_page("Rules", &policies),
            "# Rules\n\n## Shipping\n\nTwo days.\n\n\\# not a heading\n\n## Payment\n\nCard\n"
        );
        let about = About {
            story: "We began.",
            company: &[("Founded", "1999")],
            contact: &[("E-mail", "a@b.example")],
        };
        assert_eq!(
            about_page("About", &about),
            "# About\n\n## Story\n\nWe began.\n\n## Company\n\n- Founded: 1999\n\n## Contact\n\n- E-mail: a@b.example\n"
        );
    }
}
