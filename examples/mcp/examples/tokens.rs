//! Counts tokens: a JSON string a line in, the estimate and, with the feature `exact-tokens`, the exact number out.

use std::io::{BufRead as _, Write as _};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let text: String = serde_json::from_str(&line?)?;
        writeln!(
            out,
            "{} {}",
            aidocument_extract::outline::estimate_tokens(&text),
            mcp::tokens::count(&text)
        )?;
    }
    Ok(())
}
