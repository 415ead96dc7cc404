//! The crawler's lines of JSON as lines for people.

use std::io::Write;

use serde_json::Value;

use crate::place::harmless;

/// Takes lines of JSON, and writes a line of text for each.
#[derive(Debug)]
pub struct ForPeople<W> {
    out: W,
    /// What came of a line that is not at its end.
    line: Vec<u8>,
}

impl<W: Write> ForPeople<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        ForPeople { out, line: Vec::new() }
    }
}

impl<W: Write> Write for ForPeople<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                if let Some(text) = sentence(&self.line) {
                    writeln!(self.out, "{text}")?;
                }
                self.line.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// The text of a line: what happened, to what, and the rest of its members. `None` for the last line, which the command
/// says at its end, and for what is not an object.
fn sentence(json: &[u8]) -> Option<String> {
    let Ok(Value::Object(members)) = serde_json::from_slice::<Value>(json) else { return None };
    let text = |name: &str| members.get(name).and_then(Value::as_str);
    let event = text("event").filter(|event| *event != "done")?;
    let about = ["url", "site", "domain"].into_iter().find(|name| text(name).is_some());
    let mut sentence =
        format!("{:<12} {}", event.replace('-', " "), about.and_then(text).unwrap_or_default());
    let rest = members.iter().filter(|(name, _)| *name != "event" && Some(name.as_str()) != about);
    let rest: Vec<String> = rest.filter_map(|(name, value)| member(name, value)).collect();
    if !rest.is_empty() {
        sentence.push_str(&format!(": {}", rest.join(", ")));
    }
    Some(sentence.chars().map(harmless).collect::<String>().trim_end().to_owned())
}

/// A member as text; `None` where it says nothing.
fn member(name: &str, value: &Value) -> Option<String> {
    let name = name.replace('_', " ");
    match value {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::String(text) if matches!(&*name, "why" | "detail" | "state" | "title" | "kind") => {
            Some(text.clone())
        }
        Value::String(text) => Some(format!("{name} {text}")),
        Value::Array(items) if items.is_empty() => None,
        Value::Array(items) => {
            let items: Vec<String> = items.iter().filter_map(|item| member("", item)).collect();
            Some(format!("{name} {}", items.join("; ").trim_start()))
        }
        Value::Object(members) => {
            let members: Vec<String> =
                members.iter().filter_map(|(name, value)| member(name, value)).collect();
            Some(format!("{name} ({})", members.join(", ")))
        }
        Value::Bool(is_so) => Some(format!("{}{name}", if *is_so { "" } else { "not " })),
        Value::Number(number) => Some(format!("{name} {number}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_sentences_whatever_their_pieces() {
        let mut people = ForPeople::new(Vec::new());
        let lines = "{\"event\":\"stored\",\"url\":\"https://x.example/a\",\"kind\":\"twin\",\"title\":\"Tea\\u001b\",\"bytes\":9,\"findings\":[]}\n\
                     {\"event\":\"failed\",\"url\":\"https://x.example/b\",\"why\":\"refused-twin\",\"detail\":\"gone\",\"tries\":2}\n\
                     {\"event\":\"done\",\"crawl\":1}\nnot json\n";
        for piece in lines.as_bytes().chunks(7) {
            people.write_all(piece).unwrap();
        }
        let text = String::from_utf8(people.out).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines.len(), 2, "{text}");
        assert!(lines[0].starts_with("failed       https://x.example/b: "), "{text}");
        assert!(lines[0].contains("refused-twin") && lines[0].contains("tries 2"), "{text}");
        assert!(lines[1].contains("Tea\u{fffd}") && lines[1].contains("bytes 9"), "{text}");
        assert!(!lines[1].contains("findings"), "{text}");
    }
}
