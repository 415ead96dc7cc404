//! `token`, `keygen`, `sign`, `verify`.

use jwk::{JwkSet, SigningKey};
use serde_json::json;
use verify::{BundledSuffixes, Domain, JwsForm, ManifestVerifier, Origin, TxtToPublish, sign_manifest};

use crate::Failure;
use crate::cli;
use crate::input::{Input, read_file, write_secret};
use crate::report::{Remark, Report};

/// Makes a token for a domain, and says how to publish it.
///
/// # Errors
/// If the domain cannot be owned by anybody, or the token cannot be one.
pub fn token(arguments: &cli::Token, report: &mut Report) -> Result<(), Failure> {
    let protocol = match arguments.protocol {
        cli::Protocol::Aiwebindex => verify::Protocol::AiWebIndex,
        cli::Protocol::Llmindex => verify::Protocol::Llmindex,
    };
    let domain = Domain::parse(protocol, &arguments.domain, &BundledSuffixes)?;
    let token = match &arguments.token {
        Some(text) => verify::Token::expect(domain, text)?,
        None => verify::Token::issue_from_system(domain)?,
    };
    if token.proves_nothing() {
        let text = token.expose();
        return Err(Failure(format!(
            "the token `{text}` is too short to prove anything: leave --token out to get one"
        )));
    }
    let record = TxtToPublish::new(&token);
    let url = verify::well_known_url(token.domain());
    let (name, value) = (record.name(), record.value());
    let text = format!(
        "token {}\n\nEither publish this TXT record:\n  {}\nor serve this one line at {url}:\n  {value}",
        token.expose(),
        record.zone_line(3600),
    );
    report.result(
        &text,
        &[
            ("domain", json!(token.domain().as_str())),
            ("token", json!(token.expose())),
            ("txt_name", json!(name)),
            ("txt_value", json!(value)),
            ("url", json!(url)),
        ],
    )
}

/// Makes a key: the private half goes to a file, the public half is printed.
///
/// # Errors
/// If the file is there already or cannot be written.
pub fn keygen(arguments: &cli::Keygen, report: &mut Report) -> Result<(), Failure> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret)
        .map_err(|error| Failure(format!("the system gives no random bytes: {error}")))?;
    let key = SigningKey::from_secret(&secret).with_kid(arguments.kid.as_str());
    write_secret(&arguments.file, key.to_private_jwk().as_bytes())?;
    report.write(format!("{}\n", key.to_public_jwk_set()).as_bytes())
}

/// Writes the manifest with a signature in it.
///
/// # Errors
/// If a file cannot be read or the manifest cannot be signed.
pub fn sign(arguments: &cli::Sign, report: &mut Report) -> Result<(), Failure> {
    let input = Input::read(arguments.manifest.as_deref())?;
    let key = SigningKey::from_jwk(&read_file(&arguments.key)?)
        .map_err(|error| Failure(format!("{}: {error}", arguments.key.display())))?;
    let form = if arguments.detached { JwsForm::Detached } else { JwsForm::Attached };
    let signed = sign_manifest(&input.bytes, &key, form)
        .map_err(|error| Failure(format!("{}: {error}", input.name)))?;
    report.write(signed.as_bytes())
}

/// Says whether the signature of a manifest holds, and what it does not cover.
///
/// # Errors
/// If a file cannot be read.
pub fn verify(arguments: &cli::Verify, report: &mut Report) -> Result<(), Failure> {
    let input = Input::read(arguments.manifest.as_deref())?;
    let keys = JwkSet::parse(&read_file(&arguments.keys)?)
        .map_err(|error| Failure(format!("{}: {error}", arguments.keys.display())))?;
    let origin = match &arguments.fetched_from {
        Some(url) => Origin::FetchedFrom(url.as_str()),
        None => Origin::Unchecked,
    };
    let checked = match ManifestVerifier::new(&keys, origin).verify(&input.bytes) {
        Ok(checked) => checked,
        Err(error) => {
            let (code, id) = (error.code(), error.requirement());
            let remark = Remark::broken(&input.name, &input.bytes, error.offset(), code, id, &error);
            return report.remark(&remark, true);
        }
    };
    if !checked.is_valid() {
        report.note_finding();
    }
    let caveats: Vec<String> = checked.caveats().iter().map(ToString::to_string).collect();
    let verdict = if checked.is_valid() { "valid" } else { "not valid" };
    let mut text = format!("{}: {verdict}: {}", input.name, checked.reason);
    for caveat in &caveats {
        text.push_str(&format!("\n  note: {caveat}"));
    }
    report.result(
        &text,
        &[
            ("file", json!(input.name)),
            ("valid", json!(checked.is_valid())),
            ("reason", json!(checked.reason.code())),
            ("message", json!(checked.reason.to_string())),
            ("kid", json!(checked.kid)),
            ("caveats", json!(caveats)),
        ],
    )
}
