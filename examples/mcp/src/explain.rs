//! `aiweb mcp --explain URL`: what an agent would get for a page, and why.

use std::io::{self, Write};

use crate::answers::{MayArguments, PurposeName, ReadArguments};
use crate::net::Agent;
use crate::{server, shown, tools};

/// Writes the way to the text, the decision about use, and the text as a model reads it. False where there is none.
///
/// # Errors
/// Those of writing.
pub async fn explain(agent: &Agent, url: &str, out: &mut dyn Write) -> io::Result<bool> {
    let mut errand = agent.errand(None);
    let arguments = ReadArguments { url: url.to_owned(), ..ReadArguments::default() };
    let read = tools::read(&mut errand, &arguments).await;
    writeln!(out, "What was asked\n--------------\n{}\n", server::story(&errand))?;
    let may = MayArguments { url: url.to_owned(), purpose: PurposeName::AiInput };
    let mut second = agent.errand(None);
    writeln!(out, "What the site says about ai-input\n---------------------------------")?;
    match tools::may(&mut second, &may).await {
        Ok(answer) => writeln!(out, "{}", shown::may(&answer))?,
        Err(trouble) => writeln!(out, "{trouble}\n")?,
    }
    writeln!(out, "What the agent gets\n-------------------")?;
    match &read {
        Ok(answer) => {
            writeln!(out, "{}", shown::read(answer))?;
            if !answer.hidden.is_empty() {
                writeln!(out, "`aiweb extract --hidden` shows what was left out.")?;
            }
        }
        Err(trouble) => writeln!(out, "{trouble} [{}]", trouble.kind().code())?,
    }
    Ok(read.is_ok())
}
