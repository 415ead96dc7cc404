use super::*;

fn hits(selector: &str, html: &str) -> Option<String> {
    let tree = Tree::parse(html);
    let hits = Asked::parse(selector)?.find(&tree)?;
    let is_within = |id: NodeId| tree.ancestors(id).any(|around| hits[around]);
    let texts = tree.descendants(Tree::ROOT).filter(|&id| is_within(id));
    Some(texts.filter_map(|id| tree.text(id)).collect())
}

#[test]
fn selectors_are_those_of_css() {
    let html = "<main><div id=a class='x y' lang=en><p>1<p>2</div><div><p>3</div></main><p>4";
    for (selector, expected) in [
        ("#a", "12"),
        ("div.x.y[lang=en]", "12"),
        ("main > div + div p", "3"),
        ("div:not(.x) p, body > p", "34"),
        ("p:nth-child(2)", "24"),
        ("[lang^=e] p:first-child", "1"),
        (":is(#a, .z) > p", "12"),
        ("MAIN p", "123"),
        ("*", "1234"),
        ("div ~ div", "3"),
        ("p:first-of-type", "134"),
        ("div p:last-of-type", "23"),
        ("body > :only-of-type", "1234"),
        (":root p", "1234"),
        ("main:not(:empty)", "123"),
        // Of those that another selector finds; the element that is in no other.
        ("p:nth-child(2 of :not(b))", "24"),
        ("div:nth-last-child(1 of #a)", "12"),
        (":root > body > p", "4"),
        (":not(:root) > p", "1234"),
        ("html:root", "1234"),
        // A list of alternatives within, none of them or all.
        (":where(#a, body) > p", "124"),
        (":is(main, body) > :not(div)", "1234"),
        ("[LANG=en] p, [lang=EN i] p", "12"),
        ("*|p:only-child", "3"),
        ("main:has(> div + div) > div, div:has(p + p)", "123"),
        ("p:has(~ p):lang(en)", "1"),
    ] {
        assert_eq!(hits(selector, html).as_deref(), Some(expected), "{selector}");
    }
    for nothing in
        [".none", ":root > p", "p:root", "main:root", "div:empty", "p:nth-child(1 of .x)", ".X", "#A"]
    {
        assert_eq!(hits(nothing, html), None, "{nothing}");
    }
}

#[test]
fn what_is_not_a_selector_is_refused() {
    for bad in ["", "a >", ",", "..", "a:hover", "a::before", "a }", "svg|a"] {
        assert_eq!(Asked::parse(bad).map(|_| ()), None, "{bad}");
    }
}

#[test]
fn the_callers_selectors_end_with_their_steps() {
    let page = |count: usize| format!("<h2>a</h2>{}", "<p>b</p>".repeat(count));
    assert_eq!(hits("h2 ~ p", &page(4_000)).map(|text| text.len()), Some(4_000));
    assert_eq!(hits("h2 ~ p", &page(20_000)), None);
}

/// A shadow tree has few steps, whatever the size of the page around it.
#[test]
fn places_are_found_with_few_steps_on_large_pages() {
    let tree = Tree::parse(&format!("<ul><li>a<li id=b>b</ul>{}", "<p>c</p>".repeat(10_000)));
    let second = list("li:nth-child(2)", &mut Reading::new(16)).unwrap();
    let budget = Budget::new(100, tree.len());
    let found = tree.descendants(Tree::ROOT).find(|&id| tree.attr(id, "id") == Some("b")).unwrap();
    assert!(second[0].matches(&tree, found, &budget) && !budget.is_spent());
}

#[test]
fn lists_behind_of_are_of_a_few_names() {
    for bad in
        ["p:nth-child(1 of :first-child)", "p:nth-child(1 of a b)", "p:nth-child(1 of .a.a.a.a.a.a.a.a.a)"]
    {
        let mut reading = Reading::new(16);
        assert!(list(bad, &mut reading).is_none() && reading.is_cut, "{bad}");
    }
}

#[test]
fn selectors_are_read_to_a_depth_and_a_length() {
    let nested = |depth: usize| format!("{}a{}", ":not(".repeat(depth), ")".repeat(depth));
    for (text, is_read) in [
        (nested(8), true),
        (nested(9), false),
        (nested(100_000), false),
        ("a ".repeat(16), true),
        ("a ".repeat(17), false),
        (".a".repeat(MAX_PARTS), true),
        (".a".repeat(MAX_PARTS + 1), false),
    ] {
        let mut reading = Reading::new(16);
        assert_eq!((list(&text, &mut reading).is_some(), reading.is_cut), (is_read, !is_read), "{text:.40}");
    }
}

/// The library computes places twice in debug builds, and compares: wherever the steps end, it must find the same.
#[test]
fn matching_ends_with_its_steps() {
    let page = format!("<div>{}</div>", "<p class='a x'><i></i></p>text".repeat(50));
    let tree = Tree::parse(&page);
    let ids: Vec<_> = tree.descendants(Tree::ROOT).filter(|&id| tree.is_element(id)).collect();
    for text in [
        "p:nth-child(odd):nth-last-child(2n):nth-of-type(n)",
        "p:nth-child(2 of .a:not([class=b])), .b:nth-last-child(3 of p, .x)",
        ".b ~ p:not(:nth-last-child(3n) ~ :nth-child(2)) > i:only-child",
        "div:has(.b ~ p:nth-child(40)) p:has(~ .b)",
    ] {
        let all = list(text, &mut Reading::new(16)).unwrap();
        let hits = |steps: u64| {
            let budget = Budget::new(steps, tree.len());
            let count =
                ids.iter().filter(|&&id| all.iter().any(|one| one.matches(&tree, id, &budget))).count();
            (count, budget.is_spent())
        };
        assert!(!hits(10_000_000).1, "{text}");
        assert!(hits(10).1, "{text}");
        let whole = hits(10_000_000).0;
        for steps in (0..20_000).step_by(37) {
            let (count, is_spent) = hits(steps);
            assert!(is_spent || count == whole, "{text}: {steps}");
        }
    }
}
