//! Running a function with an input, and what it took.

use std::time::Duration;

use http::HeaderValue;

use crate::table::Function;

/// An input in the forms that functions take.
#[derive(Debug)]
pub struct Case {
    pub bytes: Vec<u8>,
    /// The bytes as text; what is not UTF-8 is U+FFFD.
    pub text: String,
    /// The bytes as the value of a header field; what cannot be in one is a blank.
    pub field: HeaderValue,
}

impl Case {
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> Self {
        let visible = |&byte: &u8| if byte < b' ' || byte == 0x7f { b' ' } else { byte };
        let field: Vec<u8> = bytes.iter().map(visible).collect();
        let field = HeaderValue::from_bytes(&field).expect("no byte is left that a field cannot hold");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Case { bytes, text, field }
    }

    /// Length of the longest form.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len().max(self.text.len())
    }
}

/// What one run took.
#[derive(Clone, Debug)]
pub struct Measured {
    pub time: Duration,
    /// The heap at its highest, over what it was before.
    pub memory: u64,
    /// Bytes of text in the answer.
    pub output: usize,
}

pub fn measure(function: &Function, case: &Case) -> Measured {
    let mut output = 0;
    let start = linear::cpu_time();
    let used = allocation_counter::measure(|| output = (function.run)(case));
    Measured { time: linear::cpu_time().saturating_sub(start), memory: used.bytes_max, output }
}

/// Which bounds of the table a run passed.
pub fn over_bounds(function: &Function, case: &Case, measured: &Measured) -> impl Iterator<Item = String> {
    let output = u64::try_from(measured.output).unwrap_or(u64::MAX);
    let bounds = [("memory", function.memory, measured.memory), ("output", function.output, output)];
    let len = case.len() as u64;
    bounds.into_iter().filter_map(move |(what, bound, found)| {
        let allowed = bound.per_byte * len + bound.base;
        (found > allowed).then(|| format!("{found} bytes of {what}, allowed are {allowed}"))
    })
}

/// Runs on a stack of 256 KiB. An overflow ends the process.
pub fn measure_on_a_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(run).expect("a thread starts");
    match thread.join() {
        Ok(answer) => answer,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
