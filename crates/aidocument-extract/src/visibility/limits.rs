//! How much work is done.

/// How much work is done to find what readers do not see.
///
/// A page that exceeds one of these gets a [`StylesCut`](crate::ExtractFindingKind::StylesCut) finding: text hidden by rules that
/// were not read may be in the content.
///
/// ```
/// use aidocument_extract::{ExtractFindingKind, Extractor, VisibilityLimits};
///
/// let mut limits = VisibilityLimits::default();
/// limits.style_bytes = 10;
/// let content = Extractor::new().visibility_limits(limits).extract("<style>.x { opacity: 0 }</style><p class=x>Green.");
/// assert_eq!(content.text, "Green.");
/// assert!(content.findings.iter().any(|finding| finding.kind() == ExtractFindingKind::StylesCut));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct VisibilityLimits {
    /// Bytes of `<style>` that are read: 4,000,000. A sheet that exceeds it is not read at all.
    pub style_bytes: u32,
    /// Rules that are kept: 100,000, and never more than 131,071.
    pub rules: u32,
    /// Custom properties (`--name`) whose values are known: 10,000.
    pub custom_properties: u32,
    /// Blocks inside one another (`@media`, nested rules) that are read: 32.
    pub nested_blocks: u32,
    /// Compounds of one selector, such as the three of `.a .b > .c`: 16, and never more than 64. A longer selector matches
    /// nothing.
    pub compounds: u32,
    /// Steps of matching selectors for each node of the page, and for 3,000 more: 300. Once they are spent, nothing matches.
    pub steps_per_node: u32,
    /// Elements whose surroundings are looked at, for `z-index` and declarative shadow trees: 2,000.
    pub surroundings: u32,
    /// Hidden texts that are listed, and findings about them: 1,000. A [`HiddenText`](crate::ExtractFindingKind::HiddenText)
    /// finding says that there may be more.
    pub hidden_texts: u32,
}

impl Default for VisibilityLimits {
    fn default() -> Self {
        VisibilityLimits {
            style_bytes: 4_000_000,
            rules: 100_000,
            custom_properties: 10_000,
            nested_blocks: 32,
            compounds: 16,
            steps_per_node: 300,
            surroundings: 2_000,
            hidden_texts: 1_000,
        }
    }
}
