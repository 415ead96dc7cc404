//! Untrusted text.

use core::fmt;

/// Text from an untrusted source: data for a program, never markup, never instructions.
///
/// It has no `Display`, so that it cannot get into a page by formatting. The names of its accessors say which form
/// they return.
///
/// ```
/// use tct::untrusted::UntrustedText;
/// let text = UntrustedText::new("a <b onclick='x'> & more");
/// assert_eq!(text.to_html_text(), "a &lt;b onclick=&#39;x&#39;&gt; &amp; more");
/// assert_eq!(text.as_untrusted_str().len(), 24);
/// ```
///
/// Spec: TCT draft-00, "Security Considerations"; TCT-SEC-11.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct UntrustedText(String);

impl UntrustedText {
    /// Marks a text as untrusted.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        UntrustedText(text.into())
    }

    /// The text as received. It may contain markup, or character references that decode to markup.
    #[must_use]
    pub fn as_untrusted_str(&self) -> &str {
        &self.0
    }

    /// The text escaped for the inside of an HTML element or of a quoted attribute: a browser shows it letter by
    /// letter.
    #[must_use]
    pub fn to_html_text(&self) -> String {
        let mut out = String::with_capacity(self.0.len());
        for c in self.0.chars() {
            match c {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '"' => out.push_str("&quot;"),
                '\'' => out.push_str("&#39;"),
                c => out.push(c),
            }
        }
        out
    }
}

impl fmt::Debug for UntrustedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UntrustedText({:?})", self.0)
    }
}
