//! Writing objects and arrays.

use alloc::string::String;

use tct_canonical_json::write_string;

/// Writes nested objects and arrays, indented by two blanks a level, or on one line.
#[derive(Debug)]
pub(crate) struct JsonWriter {
    out: String,
    open: usize,
    /// Nothing was written into the innermost container yet.
    empty: bool,
    one_line: bool,
}

impl JsonWriter {
    pub(crate) fn indented() -> Self {
        JsonWriter { out: String::new(), open: 0, empty: true, one_line: false }
    }

    pub(crate) fn one_line() -> Self {
        JsonWriter { one_line: true, ..JsonWriter::indented() }
    }

    /// The text; whole once every container is closed.
    pub(crate) fn finish(self) -> String {
        self.out
    }

    fn new_line(&mut self) {
        if !self.one_line {
            self.out.push('\n');
            self.out.extend(core::iter::repeat_n("  ", self.open));
        }
    }

    /// Starts an item or, with a name, a member.
    fn start(&mut self, name: Option<&str>) {
        if !self.empty {
            self.out.push(',');
        }
        if self.open > 0 {
            self.new_line();
        }
        self.empty = false;
        if let Some(name) = name {
            write_string(name, &mut self.out);
            self.out.push_str(if self.one_line { ":" } else { ": " });
        }
    }

    pub(crate) fn open(&mut self, name: Option<&str>, bracket: char) {
        self.start(name);
        self.out.push(bracket);
        self.open += 1;
        self.empty = true;
    }

    pub(crate) fn close(&mut self, bracket: char) {
        self.open = self.open.saturating_sub(1);
        if !self.empty {
            self.new_line();
        }
        self.out.push(bracket);
        self.empty = false;
    }

    pub(crate) fn string(&mut self, name: Option<&str>, text: &str) {
        self.start(name);
        write_string(text, &mut self.out);
    }

    /// A value whose JSON text is known to be whole.
    pub(crate) fn raw(&mut self, name: Option<&str>, json: &str) {
        self.start(name);
        self.out.push_str(json);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(mut w: JsonWriter) -> String {
        w.open(None, '{');
        w.string(Some("a\"b"), "\u{1}\u{7f}\n é/\\");
        w.open(Some("list"), '[');
        w.raw(None, "1");
        w.raw(None, "{}");
        w.close(']');
        w.open(Some("none"), '{');
        w.close('}');
        w.close('}');
        w.finish()
    }

    #[test]
    fn both_forms() {
        let line = "{\"a\\\"b\":\"\\u0001\u{7f}\\n é/\\\\\",\"list\":[1,{}],\"none\":{}}";
        assert_eq!(write(JsonWriter::one_line()), line);
        let indented = write(JsonWriter::indented());
        let lines: alloc::vec::Vec<_> = indented.lines().skip(2).collect();
        assert_eq!(lines, ["  \"list\": [", "    1,", "    {}", "  ],", "  \"none\": {}", "}"]);
    }
}
