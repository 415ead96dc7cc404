//! Writes a parsed file.

use alloc::vec::Vec;
use core::fmt;

use crate::crawler::{is_wildcard, token_of};
use crate::file::Robots;
use crate::line::Field;

impl fmt::Display for Robots<'_> {
    /// Writes an equivalent file: one `Name: value` a line in the order of the file, without comments, with a blank
    /// line before each group. Reading it in the same mode gives the same decisions, delays and preferences; line
    /// numbers differ. Bytes that are not UTF-8 are percent-encoded in patterns, which is equivalent; in values of
    /// other lines they become U+FFFD, and such `Sitemap` lines are left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines: Vec<(u32, Field, &[u8], &[u8])> = Vec::new();
        lines.extend(
            self.agents.iter().map(|agent| (agent.line, Field::UserAgent, &[][..], self.bytes(agent.value))),
        );
        for group in &self.groups {
            let rules = self.rules_of(group);
            lines.extend(rules.iter().map(|rule| {
                let field = if rule.allow { Field::Allow } else { Field::Disallow };
                (rule.line, field, &[][..], self.bytes(rule.pattern))
            }));
            // A group without rules was closed by an empty rule: else the next group's agents would join it.
            if let ([], Some(last)) = (rules, self.agents_of(&group.agents).last()) {
                lines.push((last.line, Field::Disallow, &[], &[]));
            }
        }
        lines.extend(
            self.records
                .iter()
                .map(|record| (record.line, record.field, self.bytes(record.name), self.bytes(record.value)))
                .filter(|(_, field, _, value)| {
                    *field != Field::Sitemap || core::str::from_utf8(value).is_ok()
                }),
        );
        // Stable: the closing line of an empty group stays behind its last `User-agent` line.
        lines.sort_by_key(|(line, ..)| *line);
        // The first byte of a byte order mark would be taken for one; on the second line it is not.
        if lines.first().is_some_and(|(_, _, name, _)| name.first().is_some_and(|byte| !byte.is_ascii())) {
            f.write_str("\n")?;
        }
        let mut before = Field::UserAgent;
        for (_, field, name, value) in lines {
            if field == Field::UserAgent && before != Field::UserAgent {
                f.write_str("\n")?;
            }
            before = field;
            match field {
                Field::Unknown => write_text(f, name)?,
                field => f.write_str(field.name())?,
            }
            f.write_str(":")?;
            if !value.is_empty() {
                f.write_str(" ")?;
            }
            write_value(f, field, value)?;
            f.write_str("\n")?;
        }
        Ok(())
    }
}

fn write_value(f: &mut fmt::Formatter<'_>, field: Field, value: &[u8]) -> fmt::Result {
    if let Ok(text) = core::str::from_utf8(value) {
        return f.write_str(text);
    }
    let path = match field {
        Field::UserAgent => {
            let token = core::str::from_utf8(token_of(value)).unwrap_or("");
            return f.write_str(if is_wildcard(value, crate::RobotsMode::Rfc) { "*" } else { token });
        }
        Field::Allow | Field::Disallow => value.len(),
        _ if value.first() == Some(&b'/') => {
            value.iter().position(|b| matches!(b, b' ' | b'\t')).unwrap_or(value.len())
        }
        _ => 0,
    };
    let (path, text) = value.split_at_checked(path).unwrap_or((value, &[]));
    for byte in path {
        match byte {
            0x80.. => write!(f, "%{byte:02X}")?,
            _ => write!(f, "{}", char::from(*byte))?,
        }
    }
    write_text(f, text)
}

fn write_text(f: &mut fmt::Formatter<'_>, text: &[u8]) -> fmt::Result {
    text.utf8_chunks().try_for_each(|chunk| {
        f.write_str(chunk.valid())?;
        f.write_str(if chunk.invalid().is_empty() { "" } else { "\u{FFFD}" })
    })
}
