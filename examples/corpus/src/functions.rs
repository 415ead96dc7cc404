//! The protocols' algorithms as scalar functions of DataFusion SQL.
//!
//! | function | gives |
//! |---|---|
//! | `tct_normalize(text)` | `LargeUtf8`: the text after the six steps of TCT |
//! | `tct_fingerprint(text)` | `FixedSizeBinary(32)`: the SHA-256 of that |
//! | `tct_fingerprint_text(text)` | `Utf8`: the same as `sha256-` and 64 hex digits |
//! | `canonical_json(text)` | `LargeUtf8`: the JSON text in the form of RFC 8785 |
//! | `robots_allowed(robots, agent, url)` | `Boolean`: whether the agent may fetch the URL |
//! | `extract_markdown(html, url)` | `LargeUtf8`: the main content as Markdown |
//! | `extract_text(html, url)` | `LargeUtf8`: the main content as plain text |
//! | `extract_document(html, url [, fetched_at])` | `LargeUtf8`: the AIDocument 1.0 as JSON |
//! | `extract_document_v2(html, url [, fetched_at])` | `LargeUtf8`: the AIDocument 2.0 as JSON |
//!
//! A text is `Utf8`, `LargeUtf8` or `Utf8View`, a column or one value for all rows; `html` may also be `Binary`,
//! `LargeBinary` or `BinaryView`, and is then decoded as a browser would. Null in any argument gives null. A row
//! that a function cannot answer gives null too and is counted in [`Counts`]: a page never makes a job fail.
//!
//! All functions are immutable: what they answer depends on their arguments alone.

mod answer;
mod arguments;
mod html;
mod json;
mod robots;
mod text;

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use datafusion::arrow::datatypes::DataType;
use datafusion::common::plan_err;
use datafusion::error::Result;
use datafusion::execution::FunctionRegistry;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};

use answer::Answer;
use arguments::{Argument, Rows};
pub(crate) use html::AGENT;

/// What a function is: its name and arguments, what it gives, and how.
#[derive(Debug)]
struct Definition {
    name: &'static str,
    arguments: &'static [Argument],
    returns: DataType,
    kernel: fn(&Rows<'_>) -> Result<Answer>,
}

const TEXT: Argument = Argument::text("text");
const HTML: Argument = Argument::page("html");
const URL: Argument = Argument::text("url");

static DEFINITIONS: [Definition; 9] = [
    Definition {
        name: "tct_normalize",
        arguments: &[TEXT],
        returns: DataType::LargeUtf8,
        kernel: text::normalize,
    },
    Definition {
        name: "tct_fingerprint",
        arguments: &[TEXT],
        returns: DataType::FixedSizeBinary(32),
        kernel: text::fingerprint,
    },
    Definition {
        name: "tct_fingerprint_text",
        arguments: &[TEXT],
        returns: DataType::Utf8,
        kernel: text::fingerprint_text,
    },
    Definition {
        name: "canonical_json",
        arguments: &[TEXT],
        returns: DataType::LargeUtf8,
        kernel: json::canonical,
    },
    Definition {
        name: "robots_allowed",
        arguments: &[Argument::text("robots"), Argument::text("agent"), URL],
        returns: DataType::Boolean,
        kernel: robots::allowed,
    },
    Definition {
        name: "extract_markdown",
        arguments: &[HTML, URL],
        returns: DataType::LargeUtf8,
        kernel: html::markdown,
    },
    Definition {
        name: "extract_text",
        arguments: &[HTML, URL],
        returns: DataType::LargeUtf8,
        kernel: html::text,
    },
    Definition {
        name: "extract_document",
        arguments: &[HTML, URL, Argument::text("fetched_at").or_none()],
        returns: DataType::LargeUtf8,
        kernel: html::document,
    },
    Definition {
        name: "extract_document_v2",
        arguments: &[HTML, URL, Argument::text("fetched_at").or_none()],
        returns: DataType::LargeUtf8,
        kernel: html::document_v2,
    },
];

/// How many rows each function was asked about, and how many of them it could not answer.
///
/// A cluster that repeats a lost task asks about its rows again, and each time counts.
#[derive(Debug, Default)]
pub struct Counts([Count; DEFINITIONS.len()]);

#[derive(Debug, Default)]
struct Count {
    asked: AtomicU64,
    bad: AtomicU64,
}

impl Counts {
    /// Rows that any function was asked about.
    pub fn asked(&self) -> u64 {
        self.0.iter().map(|count| count.asked.load(Ordering::Relaxed)).sum()
    }

    /// The functions that gave null for rows without a null argument, with the number of such rows.
    pub fn warnings(&self) -> Vec<(&'static str, u64)> {
        let counts = DEFINITIONS.iter().zip(&self.0);
        let counts = counts.map(|(function, count)| (function.name, count.bad.load(Ordering::Relaxed)));
        counts.filter(|(_, rows)| *rows > 0).collect()
    }
}

/// All functions; they count into the same [`Counts`].
pub fn all() -> (Vec<Arc<ScalarUDF>>, Arc<Counts>) {
    let counts = Arc::new(Counts::default());
    let functions = DEFINITIONS.iter().enumerate().map(|(index, definition)| {
        let counts = Arc::clone(&counts);
        Arc::new(ScalarUDF::new_from_impl(Function { definition, index, counts, signature: user_defined() }))
    });
    (functions.collect(), counts)
}

/// Registers all functions, with a session or whatever else takes functions.
///
/// # Errors
/// When the registry refuses a function.
pub fn register(registry: &mut dyn FunctionRegistry) -> Result<Arc<Counts>> {
    let (functions, counts) = all();
    for function in functions {
        registry.register_udf(function)?;
    }
    Ok(counts)
}

/// Each function as SQL writes it, with the type of what it gives.
pub fn signatures() -> impl Iterator<Item = String> {
    DEFINITIONS.iter().map(|definition| format!("{} -> {}", definition.call(), definition.returns))
}

impl Definition {
    /// Such as `extract_document(html, url [, fetched_at])`.
    fn call(&self) -> String {
        let mut call = format!("{}(", self.name);
        for (index, argument) in self.arguments.iter().enumerate() {
            let (open, close) = if argument.optional { (" [", "]") } else { ("", "") };
            let comma = if index > 0 { ", " } else { "" };
            call.push_str(&format!("{open}{comma}{}{close}", argument.name));
        }
        call + ")"
    }
}

fn user_defined() -> Signature {
    Signature::user_defined(Volatility::Immutable)
}

/// A definition as the engine sees it.
#[derive(Debug)]
struct Function {
    definition: &'static Definition,
    index: usize,
    counts: Arc<Counts>,
    signature: Signature,
}

// The engine compares functions to find equal expressions: a name stands for one definition.
impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl Eq for Function {}

impl Hash for Function {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &str {
        self.definition.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.definition.returns.clone())
    }

    fn coerce_types(&self, found: &[DataType]) -> Result<Vec<DataType>> {
        let arguments = self.definition.arguments;
        let least = arguments.iter().filter(|argument| !argument.optional).count();
        if !(least..=arguments.len()).contains(&found.len()) {
            return plan_err!("expected {}, found {} arguments", self.definition.call(), found.len());
        }
        let pairs = arguments.iter().zip(found);
        pairs.map(|(argument, found)| argument.coerce(found, &self.definition.call())).collect()
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let Answer { array, bad } = (self.definition.kernel)(&Rows(&args))?;
        if let Some(count) = self.counts.0.get(self.index) {
            count.asked.fetch_add(args.number_rows as u64, Ordering::Relaxed);
            count.bad.fetch_add(bad, Ordering::Relaxed);
        }
        Ok(ColumnarValue::Array(array))
    }
}
