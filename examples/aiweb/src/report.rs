//! Results and findings: text with carets on a terminal, one JSON object a line in a pipe.

use std::io::{BufWriter, ErrorKind, IsTerminal as _, Write};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use clap::ColorChoice;
use serde::Serialize;
use serde_json::{Map, Value};
use web_values::{Finding, Severity};

use crate::Failure;
use crate::cli::Format;
use crate::place::{Place, harmless};

/// The output of a command. It does not hold the lock of standard output: the crawler's lines are written by a thread of
/// their own.
pub struct Report {
    out: BufWriter<std::io::Stdout>,
    is_json: bool,
    is_coloured: bool,
    is_closed: bool,
    found: u64,
}

impl std::fmt::Debug for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Report")
            .field("is_json", &self.is_json)
            .field("found", &self.found)
            .finish_non_exhaustive()
    }
}

/// Something that a check found, with its place in the input.
#[derive(Debug, Clone, Serialize)]
pub struct Remark<'a> {
    /// The file, or `-`.
    pub file: &'a str,
    /// `error`, `warning` or `notice`.
    pub severity: &'static str,
    /// The stable name.
    pub code: &'a str,
    /// What was expected, and what was found.
    pub message: String,
    /// The requirement that is broken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requirement: Option<&'a str>,
    /// A JSON Pointer, or another name of the place.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub path: &'a str,
    /// The place in the input.
    #[serde(flatten)]
    pub place: Option<Where>,
}

/// The numbers of a [`Place`].
#[derive(Debug, Clone, Serialize)]
pub struct Where {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The offset in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<usize>,
    #[serde(skip)]
    excerpt: Option<(String, usize)>,
}

impl From<Place> for Where {
    fn from(place: Place) -> Self {
        let Place { offset, line, column, excerpt, indent } = place;
        Where { line, column: Some(column), offset: Some(offset), excerpt: Some((excerpt, indent)) }
    }
}

impl Where {
    /// A whole line.
    #[must_use]
    pub fn line(line: usize) -> Self {
        Where { line, column: None, offset: None, excerpt: None }
    }

    /// The same place with another number of the line: that of a line in a longer text.
    #[must_use]
    pub fn in_line(mut self, line: usize) -> Self {
        self.line = line;
        self.offset = None;
        self
    }
}

impl<'a> Remark<'a> {
    /// What a crate found, at the place that it names.
    pub fn of(file: &'a str, finding: &'a dyn Finding, place: Option<Where>) -> Self {
        let line = finding.place().line.map(|line| Where::line(line as usize));
        Remark {
            file,
            severity: finding.severity().as_str(),
            code: finding.code(),
            message: finding.message().into_owned(),
            requirement: finding.requirement(),
            path: finding.place().name,
            place: place.or(line),
        }
    }

    /// A text that cannot be read past a byte.
    pub fn broken(
        file: &'a str,
        text: &[u8],
        offset: usize,
        code: &'a str,
        requirement: &'a str,
        message: impl ToString,
    ) -> Self {
        let (severity, place) = (Severity::Error.as_str(), Some(Place::of(text, offset).into()));
        let requirement = Some(requirement).filter(|id| !id.is_empty());
        Remark { file, severity, code, message: message.to_string(), requirement, path: "", place }
    }
}

impl Report {
    /// Text or JSON lines, as asked for; without a word about it, text on a terminal and JSON lines in a pipe.
    #[must_use]
    pub fn new(format: Format, colour: ColorChoice) -> Self {
        let stdout = std::io::stdout();
        let is_json = match format {
            Format::Auto => !stdout.is_terminal(),
            Format::Json => true,
            Format::Text => false,
        };
        let is_coloured = !is_json
            && match colour {
                ColorChoice::Always => true,
                ColorChoice::Never => false,
                // `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE`, `TERM`, and whether somebody looks.
                ColorChoice::Auto => AutoStream::choice(&stdout) != anstream::ColorChoice::Never,
            };
        Report { out: BufWriter::new(stdout), is_json, is_coloured, is_closed: false, found: 0 }
    }

    /// Whether text is coloured.
    #[must_use]
    pub fn is_coloured(&self) -> bool {
        self.is_coloured
    }

    /// Names a file that could not be read on standard error, behind the results of those before it; the exit status tells
    /// of it.
    ///
    /// # Errors
    /// If standard output is closed.
    pub fn unreadable(&mut self, why: &Failure) -> Result<(), Failure> {
        self.flush()?;
        self.note_finding();
        let _closed = writeln!(std::io::stderr(), "aiweb: {}", why.0);
        Ok(())
    }

    /// Whether the output is JSON lines.
    #[must_use]
    pub fn is_json(&self) -> bool {
        self.is_json
    }

    /// Whether the reader of standard output has gone.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Whether a finding makes the exit status 1.
    #[must_use]
    pub fn has_findings(&self) -> bool {
        self.found > 0
    }

    /// Records a finding that makes the exit status 1.
    pub fn note_finding(&mut self) {
        self.found += 1;
    }

    /// Prints a result: `text` on a terminal, the members as one JSON object in a pipe.
    ///
    /// # Errors
    /// If standard output is closed.
    pub fn result(&mut self, text: &str, members: &[(&str, Value)]) -> Result<(), Failure> {
        if !self.is_json {
            return self.write(format!("{text}\n").as_bytes());
        }
        let members = members.iter().filter(|(_, value)| !value.is_null());
        let object: Map<String, Value> =
            members.map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        self.line(&object)
    }

    /// Prints a finding. One that counts (`counts`) makes the exit status 1.
    ///
    /// # Errors
    /// If standard output is closed.
    pub fn remark(&mut self, remark: &Remark<'_>, counts: bool) -> Result<(), Failure> {
        self.found += u64::from(counts);
        if self.is_json {
            return self.line(remark);
        }
        let text = remark.to_text(self.is_coloured);
        self.write(text.as_bytes())
    }

    /// Prints one JSON object.
    ///
    /// # Errors
    /// If standard output is closed.
    pub fn line(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.write(&line)
    }

    /// Writes bytes as they are.
    ///
    /// # Errors
    /// If standard output is closed.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.out.write_all(bytes);
        self.check(written)
    }

    /// Flushes the output.
    ///
    /// # Errors
    /// If standard output is closed.
    pub fn flush(&mut self) -> Result<(), Failure> {
        let flushed = self.out.flush();
        self.check(flushed)
    }

    fn check(&mut self, done: std::io::Result<()>) -> Result<(), Failure> {
        done.map_err(|error| {
            self.is_closed |= error.kind() == ErrorKind::BrokenPipe;
            Failure(format!("cannot write to standard output: {error}"))
        })
    }
}

/// For what writes into a [`Write`]: a closed pipe is noted.
impl Write for Report {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.out.write(bytes);
        self.is_closed |= written.as_ref().is_err_and(|error| error.kind() == ErrorKind::BrokenPipe);
        written
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let flushed = self.out.flush();
        self.is_closed |= flushed.as_ref().is_err_and(|error| error.kind() == ErrorKind::BrokenPipe);
        flushed
    }
}

/// A number of things: `1 page`, `2 pages`.
#[must_use]
pub fn count(number: impl TryInto<u64>, thing: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

impl Remark<'_> {
    /// One line that editors understand, and the line of the input with a caret.
    fn to_text(&self, is_coloured: bool) -> String {
        let paint = |style: Style, text: &str| match is_coloured {
            true => format!("{style}{text}{style:#}"),
            false => text.to_owned(),
        };
        let colour = match self.severity {
            "error" => AnsiColor::Red,
            "warning" => AnsiColor::Yellow,
            _ => AnsiColor::Cyan,
        };
        let severe = Style::new().bold().fg_color(Some(colour.into()));
        let mut place = self.file.to_owned();
        if let Some(at) = &self.place {
            place.push_str(&format!(":{}", at.line));
            if let Some(column) = at.column {
                place.push_str(&format!(":{column}"));
            }
        }
        let at = if self.path.is_empty() { String::new() } else { format!(" at {}", self.path) };
        let requirement = self.requirement.map_or_else(String::new, |id| format!(", {id}"));
        let message = format!("{at}: {} [{}{requirement}]", self.message, self.code);
        let message: String = message.chars().map(harmless).collect();
        let (place, severity) = (paint(Style::new().bold(), &place), paint(severe, self.severity));
        let mut text = format!("{place}: {severity}{message}\n");
        let Some(Where { line, excerpt: Some((excerpt, indent)), .. }) = &self.place else { return text };
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        let indent = " ".repeat(*indent);
        text.push_str(&format!(" {number} | {excerpt}\n {margin} | {indent}{}\n", paint(severe, "^")));
        text
    }
}
