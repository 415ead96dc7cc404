//! Mode and limits of checks.

use crate::Limits;

/// How strictly a text is checked.
///
/// The three modes differ only in these points:
///
/// | | [`Strict`](Mode::Strict) | [`Default`](Mode::Default) | [`Lenient`](Mode::Lenient) |
/// |---|---|---|---|
/// | unknown member, unknown version, timestamp without offset, price beside a price range | error | warning | warning |
/// | everything else | as listed with each [`Code`](crate::Code) | the same | the same |
/// | reading a manifest with errors gives | nothing | nothing | what can be read |
///
/// Spec: llmindex 0.1; LLMI-AMB-1, LLMI-AMB-4, LLMI-AMB-5, LLMI-AMB-15.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Mode {
    /// The rules for publishers.
    Strict,
    /// The rules for clients.
    #[default]
    Default,
    /// As `Default`, but also returns the readable parts of a manifest with errors.
    Lenient,
}

/// The mode and the bounds of a check.
///
/// ```
/// use llmindex_types::{Limits, Mode, Options};
/// let options = Options::default().mode(Mode::Strict).limits(Limits::MANIFEST.with_max_bytes(4096));
/// # assert_eq!(options.limits.max_bytes, 4096);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The mode of checking.
    pub mode: Mode,
    /// Bounds on the text; by default [`Limits::MANIFEST`].
    pub limits: Limits,
    /// How many findings are kept; by default 1000. A last one counts the rest.
    pub max_findings: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { mode: Mode::Default, limits: Limits::MANIFEST, max_findings: 1000 }
    }
}

impl Options {
    /// The defaults for one product line: [`Limits::PRODUCT`].
    #[must_use]
    pub fn for_product() -> Self {
        Options { limits: Limits::PRODUCT, ..Options::default() }
    }

    /// These options in another mode.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// These options with other bounds on the text.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// These options with another bound on the findings.
    #[must_use]
    pub fn max_findings(mut self, max_findings: usize) -> Self {
        self.max_findings = max_findings;
        self
    }
}
