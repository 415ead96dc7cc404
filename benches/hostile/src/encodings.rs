//! A text that is encoded again and again, until it is long enough.

use super::{Recipe, Shape};

/// The kind's name, the innermost text, and one encoding.
type Kind = (&'static str, &'static str, fn(&str) -> String);

pub(super) fn recipes() -> Vec<Recipe> {
    let kinds: [Kind; 11] = [
        ("percent-encoding in percent-encoding", "z", |text| {
            format!("://?{}", text.replace('%', "%25").replace('?', "%3F"))
        }),
        ("a URL in the query of a URL, all of it escaped", "https://a.example/?token=x", |url| {
            let escaped: String = url.bytes().map(|byte| format!("%{byte:02X}")).collect();
            format!("https://a.example/?next={escaped}")
        }),
        ("a URL in the path of a URL", "https://a.example/;sid=1", |url| {
            format!("https://a.example/{}", url.replace('%', "%25").replace('/', "%2F"))
        }),
        ("character references in character references", "&lt;b&gt;", |text| text.replace('&', "&amp;")),
        ("markup in an attribute of markup", "<b>", |text| {
            let escaped = text.replace('&', "&amp;").replace('"', "&quot;");
            format!("<a title=\"{escaped}\">")
        }),
        ("markup as text in markup", "<b>x</b>", |text| {
            format!("<p>{}</p>", text.replace('&', "&amp;").replace('<', "&lt;"))
        }),
        ("JSON in a string in JSON", "[1]", |json| {
            format!("\"{}\"", json.replace('\\', "\\\\").replace('"', "\\\""))
        }),
        ("JSON in a member in JSON", "{}", |json| {
            format!("{{\"a\":\"{}\"}}", json.replace('\\', "\\\\").replace('"', "\\\""))
        }),
        ("JSON in a script in HTML in JSON", "{}", |json| {
            let html = format!(
                "<script type=\\\"application/ld+json\\\">{}</script>",
                json.replace('\\', "\\\\").replace('"', "\\\"")
            );
            format!("{{\"html\":\"{html}\"}}")
        }),
        ("a token in a token", "{\"alg\":\"none\"}", |text| {
            format!("eyJ{}.eyJ.x", base64url(text.as_bytes()))
        }),
        ("a Markdown link in the text of a Markdown link", "a", |text| {
            format!("[{}](b)", text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]"))
        }),
    ];
    kinds.map(|(name, core, encode)| Recipe::new(name, Shape::Encode { core, encode })).into()
}

fn base64url(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let word =
            chunk.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for n in 0..=chunk.len() {
            text.push(char::from(ALPHABET[(word >> (18 - 6 * n)) as usize & 63]));
        }
    }
    text
}
