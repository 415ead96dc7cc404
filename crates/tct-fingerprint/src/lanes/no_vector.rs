//! In place of `vector.rs` on targets without vector registers that are used: there is only the loop over bytes.

pub(crate) use super::plain::Plain as Vector;

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Width;

impl Width {
    pub(crate) fn named(name: &str) -> Option<Self> {
        (name == "plain").then_some(Width)
    }
}

/// Runs an expression with the loop over bytes.
macro_rules! dispatch {
    ($width:expr, $lane:ident => $run:expr) => {{
        let crate::lanes::Width = $width;
        let $lane = crate::lanes::Vector;
        $run
    }};
}

pub(crate) use dispatch;
