//! Tabs. Spec: READY-PAGE-7, READY-PAGE-8.

use std::collections::{BTreeMap, BTreeSet};

use aidocument_extract::to_markdown;

use super::{Page, Sheet};
use crate::html::Tree;
use crate::{Row, Verdict};

/// A list of tabs with its panels.
struct Group {
    /// The label of each panel, and its place.
    panels: Vec<(String, usize)>,
}

/// The groups of a page. Panels are looked for up to four levels around their list, as far as one is.
fn groups(tree: &Tree) -> Vec<Group> {
    const MAX_LEVELS: usize = 4;
    // Each looks through what is around it.
    const MAX_GROUPS: usize = 100;
    let mut groups = Vec::new();
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    let lists = tree.find(tree.within(None), |element| element.has_role("tablist"));
    for (list, _) in lists.take(MAX_GROUPS) {
        let tabs = tree.find(tree.within(Some(list)), |element| element.has_role("tab"));
        let labels: Vec<String> =
            tabs.map(|(at, _)| tree.text_of(tree.within(Some(at))).trim().to_lowercase()).collect();
        let mut around = tree.parent(list);
        for _ in 0..MAX_LEVELS {
            let Some(at) = around else { break };
            let panels = tree.find(tree.within(Some(at)), |element| element.has_role("tabpanel"));
            let panels: Vec<usize> = panels.map(|(at, _)| at).filter(|at| !taken.contains(at)).collect();
            if !panels.is_empty() {
                let count = if labels.is_empty() { panels.len() } else { labels.len() };
                let own: Vec<usize> = panels.into_iter().take(count).collect();
                taken.extend(own.iter().copied());
                let labels = labels.iter().cloned().chain(std::iter::repeat(String::new()));
                groups.push(Group { panels: labels.zip(own).collect() });
                break;
            }
            around = tree.parent(at);
        }
    }
    groups
}

pub(super) fn checks(pages: &[Page<'_>], sheet: &mut Sheet) {
    let mut sizes = Vec::new();
    let (mut with_headings, mut generic) = (0, 0);
    for page in pages {
        let Some(html) = page.html() else { continue };
        let tree = html.tree();
        let groups = groups(tree);
        let panels = groups.iter().flat_map(|group| &group.panels);
        let characters: usize =
            panels.map(|(_, at)| to_markdown(&tree.outer_html(*at), None).chars().count()).sum();
        let verdict = match characters {
            0..=50_000 => Verdict::Pass,
            50_001..=100_000 => Verdict::Warn,
            _ => Verdict::Fail,
        };
        sizes.push((page.url.to_string(), verdict, format!("{characters} characters in tabs")));
        for recurring in
            groups.iter().filter(|group| group.panels.len() > 1).filter_map(|group| recurring(tree, group))
        {
            with_headings += 1;
            generic += usize::from(recurring);
        }
    }
    sheet.worst(Row::Page7, sizes);
    let share = (100 * generic, with_headings);
    let detail = format!("{generic} of {with_headings} groups of tabs repeat headings without their label");
    match share {
        (_, 0) => sheet.skip(Row::Page8, "no headings in tabs"),
        (part, all) if part > 50 * all => sheet.fail(Row::Page8, detail),
        (part, all) if part > 25 * all => sheet.warn(Row::Page8, detail),
        _ => sheet.pass(Row::Page8, ""),
    }
}

/// Whether over half of the headings in the panels recur in another without the panel's label; `None` without headings.
fn recurring(tree: &Tree, group: &Group) -> Option<bool> {
    let is_heading = |name: &str| matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
    let headings: Vec<(&str, String)> = group
        .panels
        .iter()
        .flat_map(|(label, at)| {
            let found = tree.find(tree.within(Some(*at)), move |element| is_heading(&element.name));
            let texts = found.map(|(at, _)| tree.text_of(tree.within(Some(at))).trim().to_lowercase());
            texts.filter(|text| !text.is_empty()).map(move |text| (label.as_str(), text))
        })
        .collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, text) in &headings {
        *counts.entry(text).or_default() += 1;
    }
    let is_generic = |(label, text): &&(&str, String)| {
        let names_panel = !label.is_empty() && text.contains(*label);
        !names_panel && counts.get(text.as_str()).is_some_and(|count| *count > 1)
    };
    let generic = headings.iter().filter(is_generic).count();
    (!headings.is_empty()).then(|| 2 * generic > headings.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generic(html: &str) -> Vec<Option<bool>> {
        let tree = Tree::parse(html);
        groups(&tree).iter().map(|group| recurring(&tree, group)).collect()
    }

    #[test]
    fn headings_in_tabs_name_their_variant() {
        let tabs = "<div><div role=tablist><b role=tab>Rust</b><b role=tab>Go</b></div>";
        let same = "<div role=tabpanel><h3>Install</h3></div>".repeat(2);
        let own =
            "<div role=tabpanel><h3>Install Rust</h3></div><div role=tabpanel><h3>Install Go</h3></div>";
        assert_eq!(generic(&format!("{tabs}{same}</div>")), [Some(true)]);
        assert_eq!(generic(&format!("{tabs}{own}</div>")), [Some(false)]);
        assert_eq!(generic(&format!("{tabs}</div>")), []);
        assert_eq!(generic(&format!("{tabs}<div role=tabpanel>a</div></div>")), [None]);
    }
}
