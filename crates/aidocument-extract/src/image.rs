//! The real address of an image: behind lazy loading, in a set of sources, or in the `<noscript>` beside a
//! placeholder.

use std::borrow::Cow;

use crate::rules::Rule;
use crate::tree::{NodeId, Tag, Tree};
use crate::words::list::words;

/// An image of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found<'a> {
    pub(crate) source: Cow<'a, str>,
    pub(crate) alt: Cow<'a, str>,
    /// The smaller one of its declared width and height in pixels, zero excepted.
    pub(crate) least: Option<u32>,
}

/// Attributes in which lazy-loading scripts keep the address, best first.
const LATE: [&str; 9] = words(
    "data-src data-lazy-src data-original data-orig-file data-original-src data-hi-res-src data-full-src \
    data-url data-image",
);

/// The same for sets of sources.
const LATE_SETS: [&str; 3] = ["data-srcset", "data-lazy-srcset", "data-original-set"];

/// A source of a set with this width is large enough.
const WIDE: f32 = 2_048.0;

/// Bytes of a `<noscript>` that is searched for an image.
const MAX_NOSCRIPT: usize = 10_000;

/// Whether an element is an image by itself: an `<img>`, that of AMP's pages, or a `<picture>` that has none.
pub(crate) fn is_image(tree: &Tree, id: NodeId, tag: Tag) -> bool {
    match tag {
        Tag::Img => true,
        Tag::Picture => tree.children(id).all(|child| tree.tag(child) != Tag::Img),
        Tag::Other => matches!(tree.name(id), "amp-img" | "amp-anim"),
        _ => false,
    }
}

/// The image of an `<img>`, or of the `<noscript>` that stands for one.
pub(crate) fn of(tree: &Tree, id: NodeId) -> Option<Found<'_>> {
    if tree.tag(id) == Tag::Noscript {
        return in_noscript(tree, id);
    }
    let (alt, least) = (Cow::Borrowed(tree.attr(id, "alt").unwrap_or_default()), least_length(tree, id));
    let own = source(tree, id);
    if let Some(source) = own.filter(|source| !is_placeholder(source)) {
        return Some(Found { source: Cow::Borrowed(source), alt, least });
    }
    let beside = beside(tree, id)
        .filter(|_| tree.rules.has(Rule::ImagesInNoscript))
        .and_then(|noscript| in_noscript(tree, noscript));
    match (beside, own) {
        (Some(found), _) => Some(Found {
            alt: if alt.is_empty() { found.alt } else { alt },
            least: least.or(found.least),
            ..found
        }),
        (None, own) => own.map(|source| Found { source: Cow::Borrowed(source), alt, least }),
    }
}

/// The smaller one of the declared width and height, in pixels, that is not zero.
fn least_length(tree: &Tree, id: NodeId) -> Option<u32> {
    let length = |name: &str| tree.attr(id, name)?.trim().trim_end_matches("px").parse::<u32>().ok();
    [length("width"), length("height")].into_iter().flatten().filter(|&length| length > 0).min()
}

/// The address of an `<img>`. A lazy-loading attribute takes precedence over a placeholder.
fn source(tree: &Tree, id: NodeId) -> Option<&str> {
    let src = address(tree, id, "src");
    if let Some(src) = src.filter(|src| !is_placeholder(src)) {
        return Some(src);
    }
    if !tree.rules.has(Rule::LateImages) {
        return src;
    }
    let late = LATE.iter().find_map(|name| address(tree, id, name)).filter(|late| late.contains(['/', '.']));
    let sets = ["srcset"].iter().chain(&LATE_SETS);
    late.or_else(|| sets.clone().find_map(|name| best_of_set(tree.attr(id, name)?)))
        .or_else(|| {
            let picture = tree.upward(id).take(2).find(|&around| tree.tag(around) == Tag::Picture)?;
            let sources = tree.children(picture).filter(|&child| tree.tag(child) == Tag::Source);
            sources
                .flat_map(|source| sets.clone().filter_map(move |name| tree.attr(source, name)))
                .find_map(best_of_set)
        })
        .or(src)
}

/// An address in an attribute; not a `data:` URL.
fn address<'a>(tree: &'a Tree, id: NodeId, name: &str) -> Option<&'a str> {
    tree.attr(id, name).map(str::trim).filter(|source| !source.is_empty() && !is_data(source))
}

fn is_data(source: &str) -> bool {
    source.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:"))
}

/// File names of placeholders.
const PLACEHOLDERS: [&str; 9] =
    ["blank", "spacer", "loading", "lazy", "transparent", "pixel", "1x1", "grey", "gray"];

/// Returns true if a file is a placeholder.
fn is_placeholder(source: &str) -> bool {
    let end = memchr::memchr2(b'?', b'#', source.as_bytes()).unwrap_or(source.len());
    let file = source.get(..end).and_then(|path| path.rsplit('/').next()).unwrap_or_default();
    let name = file.split('.').next().unwrap_or_default();
    let start = |start: &str| file.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    PLACEHOLDERS.iter().any(|known| known.eq_ignore_ascii_case(name)) || start("placeholder")
}

/// The source of a set that is the widest up to [`WIDE`], or the first of those that are wider.
///
/// The grammar is the HTML standard's: an address may hold commas, and one at its end ends the candidate.
fn best_of_set(set: &str) -> Option<&str> {
    let mut best: Option<(f32, &str)> = None;
    let mut rest = set;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        if rest.is_empty() {
            break;
        }
        let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        let (address, tail) = rest.split_at_checked(end)?;
        let bare = address.trim_end_matches(',');
        let (descriptor, after) =
            if bare.len() < address.len() { ("", tail) } else { tail.split_once(',').unwrap_or((tail, "")) };
        rest = after;
        if bare.is_empty() || is_data(bare) {
            continue;
        }
        let descriptor = descriptor.trim();
        let size = match descriptor.split_at_checked(descriptor.len().saturating_sub(1)) {
            Some((number, "w")) => number.parse().unwrap_or(0.0),
            // Of densities, the first is as good as any.
            _ => 100.0,
        };
        let better = best.is_none_or(|(known, _)| {
            if known > WIDE { size < known } else { size > known && (size <= WIDE || known < 400.0) }
        });
        if better {
            best = Some((size, bare));
        }
    }
    best.map(|(_, address)| address)
}

/// The `<noscript>` next to an image, in its element or beside it.
fn beside(tree: &Tree, id: NodeId) -> Option<NodeId> {
    let next = |id: NodeId| tree.following(id).take(6).find(|&next| tree.tag(next) == Tag::Noscript);
    next(id).or_else(|| {
        let around = tree.parent(id)?;
        let is_wrapper =
            matches!(tree.tag(around), Tag::Div | Tag::Span | Tag::Picture | Tag::A | Tag::Figure);
        if is_wrapper { next(around) } else { None }
    })
}

/// The source that a `<noscript>` holds, if it is short and has an image.
fn source_of_image(tree: &Tree, id: NodeId) -> Option<&str> {
    let html = tree.first_child(id).and_then(|child| tree.text(child))?;
    (html.len() <= MAX_NOSCRIPT && memchr::memmem::find(html.as_bytes(), b"<img").is_some()).then_some(html)
}

/// The image in the source that a `<noscript>` holds.
fn in_noscript(tree: &Tree, id: NodeId) -> Option<Found<'static>> {
    let inner = Tree::parse(source_of_image(tree, id)?);
    let image = inner.descendants(Tree::ROOT).find(|&id| inner.tag(id) == Tag::Img)?;
    let source = source(&inner, image)?.to_owned();
    let alt = inner.attr(image, "alt").unwrap_or_default().to_owned();
    Some(Found { source: Cow::Owned(source), alt: Cow::Owned(alt), least: least_length(&inner, image) })
}

/// Whether a `<noscript>` holds an image that no `<img>` near it stands for.
pub(crate) fn stands_alone(tree: &Tree, id: NodeId) -> bool {
    let is_near = |around: NodeId| {
        tree.children(around).take(12).any(|child| {
            tree.tag(child) == Tag::Img
                || tree.descendants(child).take(8).any(|inner| tree.tag(inner) == Tag::Img)
        })
    };
    let parent = tree.parent(id);
    source_of_image(tree, id).is_some()
        && !parent.is_some_and(|parent| {
            matches!(tree.tag(parent), Tag::Head | Tag::Body | Tag::Html) || is_near(parent)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(html: &str) -> Option<String> {
        let tree = Tree::parse(html);
        let id = tree.descendants(Tree::ROOT).find(|&id| {
            tree.tag(id) == Tag::Img || (tree.tag(id) == Tag::Noscript && stands_alone(&tree, id))
        })?;
        of(&tree, id).map(|found| found.source.into_owned())
    }

    #[test]
    fn sources_are_found_behind_late_loading() {
        for (html, expected) in [
            ("<img src=a.jpg data-src=b.jpg>", Some("a.jpg")),
            ("<img src='data:image/gif;base64,x' data-lazy-src=b.jpg>", Some("b.jpg")),
            ("<img src=/i/placeholder.png data-original=/b.jpg>", Some("/b.jpg")),
            ("<img srcset='a.jpg 300w, b.jpg 1200w, c.jpg 4000w'>", Some("b.jpg")),
            (
                "<img srcset='https://x.example/c_fill,w_300/a.jpg 1x, b,c.jpg 2x'>",
                Some("https://x.example/c_fill,w_300/a.jpg"),
            ),
            ("<img srcset='a.jpg, b.jpg'>", Some("a.jpg")),
            ("<picture><source srcset='a.webp 1x'><img></picture>", Some("a.webp")),
            ("<img src='data:x'><noscript><img src=real.jpg></noscript>", Some("real.jpg")),
            ("<div><img></div><noscript><img src=real.jpg></noscript>", Some("real.jpg")),
            ("<div><noscript><img src=only.jpg></noscript></div>", Some("only.jpg")),
            ("<img src=/blank.gif>", Some("/blank.gif")),
            ("<img src='data:image/png;base64,x'>", None),
            ("<img data-src=true>", None),
        ] {
            assert_eq!(first(html).as_deref(), expected, "{html}");
        }
    }
}
