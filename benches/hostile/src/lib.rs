//! Hostile input for everything that reads text or bytes: it nests, mixes and encodes, instead of repeating one piece.
//!
//! A [`Recipe`] makes the same kind of input at any size, so that time and memory can be compared from one size to the
//! next. The kinds are: repeated pieces; containers in containers, closed and unclosed, of one type and of several in
//! turn; a text encoded in itself (percent, character references, JSON strings, base64url); many names of one thing;
//! one token of any length; documents of each format that are in order except for one member; and seeded mixtures of
//! everything. [`at_limits`] makes inputs just below, at and above the limits that the libraries document.
//!
//! ```
//! for recipe in hostile::recipes() {
//!     let input = recipe.bytes(1_000);
//!     assert!(!input.is_empty() && input.len() <= 2_000, "{}", recipe.name());
//! }
//! ```

mod documents;
mod encodings;
mod mixtures;

/// A kind of input.
#[derive(Clone, Debug)]
pub struct Recipe {
    name: String,
    shape: Shape,
}

#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// One piece again and again.
    Repeat(&'static [u8]),
    /// The pairs in turn, each around the ones that follow, and the core inside.
    Nest { pairs: &'static [(&'static str, &'static str)], core: &'static str },
    /// Nesting without the closing parts.
    Open { pairs: &'static [(&'static str, &'static str)] },
    /// A text that is encoded again and again.
    Encode { core: &'static str, encode: fn(&str) -> String },
    /// A beginning, a piece again and again in which `#` is a running number, and an end.
    Fill { start: &'static str, piece: &'static str, end: &'static str },
    /// Pieces of a vocabulary in a random order that the seed decides.
    Mix { seed: u64, vocabulary: &'static [&'static [u8]] },
    /// Random JSON: containers in containers, names from a short list.
    Json { seed: u64 },
}

impl Recipe {
    pub(crate) fn new(name: impl Into<String>, shape: Shape) -> Self {
        Recipe { name: name.into(), shape }
    }

    /// The name, for people.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The input of about `size` bytes: at most twice as many, and at least one.
    #[must_use]
    pub fn bytes(&self, size: usize) -> Vec<u8> {
        let size = size.max(64);
        match &self.shape {
            Shape::Repeat(piece) => piece.repeat(size / piece.len()),
            Shape::Nest { pairs, core } => {
                let each: usize = pairs.iter().map(|(open, close)| open.len() + close.len()).sum();
                let count = (size.saturating_sub(core.len()) * pairs.len() / each).max(1);
                let turn = |n: usize| pairs[n % pairs.len()];
                let mut text: String = (0..count).map(|n| turn(n).0).collect();
                text.push_str(core);
                text.extend((0..count).rev().map(|n| turn(n).1));
                text.into_bytes()
            }
            Shape::Open { pairs } => {
                let mut text = String::new();
                for n in 0.. {
                    if text.len() >= size {
                        break;
                    }
                    text.push_str(pairs[n % pairs.len()].0);
                }
                text.into_bytes()
            }
            Shape::Encode { core, encode } => {
                let mut text = (*core).to_owned();
                loop {
                    let next = encode(&text);
                    if next.len() > size {
                        return text.into_bytes();
                    }
                    text = next;
                }
            }
            Shape::Fill { start, piece, end } => {
                let mut text = (*start).to_owned();
                for n in 0.. {
                    text.push_str(&piece.replace('#', &n.to_string()));
                    if text.len() + end.len() >= size {
                        break;
                    }
                }
                text.push_str(end);
                text.into_bytes()
            }
            Shape::Mix { seed, vocabulary } => mixtures::mix(*seed, vocabulary, size),
            Shape::Json { seed } => mixtures::json(*seed, size),
        }
    }
}

/// Every kind of input.
#[must_use]
pub fn recipes() -> Vec<Recipe> {
    let mut all = Vec::new();
    let pieces: [&'static [u8]; 40] = [
        b"\0",
        b"a",
        b"9",
        b"[",
        b"{\"a\":",
        b"\"",
        b"\\",
        b"\\u",
        b"\\ud800",
        b" ",
        b"\r\n",
        b"-",
        b"1e9",
        b"&",
        b"&#",
        b"<",
        b"<div>",
        b"</div>",
        b"<!--",
        b"<a href=x>",
        b"%",
        b"%25",
        b"://",
        b"?",
        b";",
        b",",
        b"=",
        b"a=b;",
        b"*a",
        b"W/\"",
        b"\xff",
        b"\xcc\x81",
        b"\xe1\x84\x80",
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
        b"\xf0\x90\x8d",
        b"> - ",
        b"eyJ.",
        b"User-agent: *\n",
        b"<b c=d>",
    ];
    all.extend(
        pieces.map(|piece| Recipe::new(format!("`{}` repeated", piece.escape_ascii()), Shape::Repeat(piece))),
    );
    all.extend(nested());
    all.extend(encodings::recipes());
    all.extend(documents::recipes());
    all.extend(mixtures::recipes());
    all
}

fn nested() -> Vec<Recipe> {
    type Pairs = &'static [(&'static str, &'static str)];
    const ARRAYS: Pairs = &[("[", "]")];
    const OBJECTS: Pairs = &[("{\"a\":", "}")];
    const BOTH: Pairs = &[("[", "]"), ("{\"a\":", "}"), ("[0,", ",0]"), ("{\"b\":0,\"a\":", ",\"c\":{}}")];
    const HTML: Pairs = &[
        ("<div>", "</div>"),
        ("<ul><li>", "</li></ul>"),
        ("<table><tr><td>", "</td></tr></table>"),
        ("<blockquote>", "</blockquote>"),
        ("<b>", "</b>"),
        ("<a href=x>", "</a>"),
        ("<h1>", "</h1>"),
        ("<section><article>", "</article></section>"),
        ("<span>", "</span>"),
    ];
    const MISNESTED: Pairs =
        &[("<b><i>", "</b></i>"), ("<a><p>", "</a></p>"), ("<font><table>", "</font></table>")];
    const FOREIGN: Pairs =
        &[("<svg>", "</svg>"), ("<math><mi>", "</mi></math>"), ("<foreignObject>", "</foreignObject>")];
    const BRACKETS: Pairs = &[("(", ")"), ("[", "]"), ("<", ">"), ("\"", "\"")];
    const LINKS: Pairs = &[("[", "](x)"), ("![", "](y)"), ("*", "*"), ("> ", "")];
    const COMMENTS: Pairs =
        &[("<!--", "-->"), ("<![CDATA[", "]]>"), ("<script>", "</script>"), ("<template>", "</template>")];
    let kinds = [
        ("arrays in arrays", ARRAYS, "1"),
        ("objects in objects", OBJECTS, "null"),
        ("arrays and objects in turn", BOTH, "\"\\u0061\""),
        ("HTML containers in turn", HTML, "text"),
        ("HTML closed in the wrong order", MISNESTED, "text"),
        ("SVG and MathML in turn", FOREIGN, "text"),
        ("brackets and quotes in turn", BRACKETS, "a"),
        ("Markdown in Markdown", LINKS, "a"),
        ("comments and scripts in turn", COMMENTS, "a"),
    ];
    let closed = kinds.map(|(name, pairs, core)| Recipe::new(name, Shape::Nest { pairs, core }));
    let open =
        kinds.map(|(name, pairs, _)| Recipe::new(format!("{name}, never closed"), Shape::Open { pairs }));
    closed.into_iter().chain(open).collect()
}

/// Inputs just below, at and just above the documented limits: depth, names, labels, lines and whole texts. Each with
/// what it is.
#[must_use]
pub fn at_limits() -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for depth in [20, 64, 100, 128, 500, 512, 1_000] {
        for depth in [depth - 1, depth, depth + 1] {
            all.push((
                format!("{depth} arrays"),
                ["[".repeat(depth), "]".repeat(depth)].concat().into_bytes(),
            ));
            let objects = [r#"{"a":"#.repeat(depth), "1".to_owned(), "}".repeat(depth)].concat();
            all.push((format!("{depth} objects"), objects.into_bytes()));
            all.push((
                format!("{depth} elements"),
                ["<div>".repeat(depth), "</div>".repeat(depth)].concat().into_bytes(),
            ));
        }
    }
    for length in [63, 64, 253, 255, 256, 1_024, 8_192, 65_536, 512 << 10, 1 << 20] {
        for length in [length - 1, length, length + 1] {
            all.push((format!("{length} letters"), vec![b'a'; length]));
            let name = format!("{{\"{}\":\"{}\"}}", "n".repeat(length / 2), "v".repeat(length / 2));
            all.push((format!("a name and a text of {length} bytes together"), name.into_bytes()));
            all.push((
                format!("a label of {length} letters"),
                format!("https://{}.example/", "a".repeat(length)).into_bytes(),
            ));
        }
    }
    all
}
