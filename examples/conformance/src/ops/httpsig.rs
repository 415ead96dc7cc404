//! Operations of RFC 9421: crates `bot_auth` and `jwk`.

use bot_auth::{
    FieldType, Keyring, Message, MessageError, Requirements, SignError, SignatureParams, canonical_field,
    sign, verify_signatures,
};
use jwk::{Jwk, JwkError, JwkErrorKind, KeyFault, SigningKey};
use serde_json::{Value, json};
use web_values::UnixSeconds;

use crate::{Input, Op, OpError, text};

/// The operations of this module with their names.
pub const OPS: &[(&str, Op)] = &[
    ("httpsig.base", |input| text(base(input))),
    ("httpsig.sf", |input| text(structured_field(input))),
    ("httpsig.sign", |input| text(sign_message(input))),
    ("httpsig.verify", |input| text(verify(input))),
    ("jwk.thumbprint", |input| text(thumbprint(input))),
];

/// A message of a request, with its own bytes.
pub(super) struct OwnedMessage {
    method: Option<String>,
    url: Option<String>,
    status: Option<u16>,
    headers: Lines,
    trailers: Lines,
    target: Option<String>,
    body: Option<Vec<u8>>,
    fields: Vec<(String, FieldType)>,
    request: Option<Box<OwnedMessage>>,
}

/// Header lines with their values.
pub(super) type Lines = Vec<(String, Vec<u8>)>;

impl OwnedMessage {
    /// Reads the member `message`.
    pub(super) fn of(value: &Value) -> Result<Self, OpError> {
        let members = value.as_object().ok_or_else(|| OpError::new("bad-request", "expected a message"))?;
        let input = Input::new(members);
        let owned = |name| Ok::<_, OpError>(input.text_opt(name)?.map(str::to_owned));
        let fields = match input.object_opt("fields")? {
            None => Vec::new(),
            Some(fields) => fields
                .iter()
                .map(|(name, kind)| Ok((name.clone(), field_type(kind.as_str().unwrap_or_default())?)))
                .collect::<Result<_, OpError>>()?,
        };
        Ok(OwnedMessage {
            method: owned("method")?,
            url: owned("url")?,
            status: input.get("status").map(|_| input.status("status")).transpose()?,
            headers: lines(&input, "headers")?,
            trailers: input.get("trailers").map_or(Ok(Lines::new()), |_| lines(&input, "trailers"))?,
            target: owned("target")?,
            body: input.bytes_opt("body_b64")?,
            fields,
            request: input.get("request").map(OwnedMessage::of).transpose()?.map(Box::new),
        })
    }

    /// The request that a response answers.
    pub(super) fn answered(&self) -> Result<Option<Message<'_>>, OpError> {
        self.request.as_ref().map(|request| request.view(None)).transpose()
    }

    /// The message as the library sees it.
    pub(super) fn view<'a>(&'a self, request: Option<&'a Message<'a>>) -> Result<Message<'a>, OpError> {
        let mut message = match self.status {
            Some(status) => Message::response(status),
            None => Message::request(
                self.method.as_deref().unwrap_or_default(),
                self.url.as_deref().unwrap_or_default(),
            ),
        }
        .map_err(bad_message)?;
        if let Some(request) = request {
            message = message.answering(request);
        }
        if let Some(target) = &self.target {
            message = message.request_target(target);
        }
        if let Some(body) = &self.body {
            message = message.body(body);
        }
        for (name, kind) in &self.fields {
            message = message.field_type(name, *kind);
        }
        Ok(message.headers(borrowed(&self.headers)).trailers(borrowed(&self.trailers)))
    }
}

/// The lines as the library takes them.
pub(super) fn borrowed(lines: &Lines) -> impl Iterator<Item = (&str, &[u8])> {
    lines.iter().map(|(name, value)| (name.as_str(), value.as_slice()))
}

/// Header lines: pairs of a name and a text or `{"b64": …}`.
pub(super) fn lines(input: &Input<'_>, name: &str) -> Result<Lines, OpError> {
    let bad = || OpError::new("bad-request", format!("in.{name}: expected pairs of a name and a value"));
    input
        .array(name)?
        .iter()
        .map(|pair| match pair.as_array().map(Vec::as_slice) {
            Some([Value::String(name), Value::String(value)]) => {
                Ok((name.clone(), value.clone().into_bytes()))
            }
            Some([Value::String(name), Value::Object(value)]) => {
                Ok((name.clone(), Input::new(value).bytes("b64")?))
            }
            _ => Err(bad()),
        })
        .collect()
}

fn bad_message(error: MessageError) -> OpError {
    OpError::new("bad-message", error)
}

/// An error of signing, under its own code.
pub(super) fn sign_error(error: SignError) -> OpError {
    OpError::new(error.code(), error)
}

/// The private key; one of another algorithm cannot sign here.
pub(super) fn signing_key(input: &Input<'_>) -> Result<SigningKey, OpError> {
    SigningKey::from_jwk(input.value("jwk")?.to_string().as_bytes()).map_err(|error: JwkError| {
        let kind = match error.kind() {
            JwkErrorKind::Unusable(KeyFault::Type | KeyFault::Curve) => "alg-unsupported",
            _ => "bad-key",
        };
        OpError::new(kind, error)
    })
}

fn field_type(name: &str) -> Result<FieldType, OpError> {
    match name {
        "item" => Ok(FieldType::Item),
        "list" => Ok(FieldType::List),
        "dictionary" => Ok(FieldType::Dictionary),
        other => Err(OpError::new("bad-request", format!("expected a type of field, found {other:?}"))),
    }
}

fn structured_field(input: &Input<'_>) -> Result<Value, OpError> {
    let canonical = canonical_field(field_type(input.text("type")?)?, &input.texts("raw")?)
        .map_err(|error| OpError::new("bad-structured-field", error))?;
    Ok(json!({ "canonical": canonical.into_iter().collect::<Vec<_>>() }))
}

fn params(text: &str) -> Result<SignatureParams<'_>, OpError> {
    SignatureParams::parse(text).map_err(|error| OpError::new(error.kind().code(), error))
}

fn base(input: &Input<'_>) -> Result<Value, OpError> {
    let message = OwnedMessage::of(input.value("message")?)?;
    let request = message.answered()?;
    let base = params(input.text("params")?)?
        .base(&message.view(request.as_ref())?)
        .map_err(|error| OpError::new(error.kind().code(), error))?;
    Ok(json!({ "base": base }))
}

fn sign_message(input: &Input<'_>) -> Result<Value, OpError> {
    let message = OwnedMessage::of(input.value("message")?)?;
    let request = message.answered()?;
    let message = message.view(request.as_ref())?;
    let key = signing_key(input)?;
    let signed =
        sign(&message, input.text("label")?, &params(input.text("params")?)?, &key).map_err(sign_error)?;
    Ok(json!({
        "signature_input": signed.signature_input,
        "signature": signed.signature,
        "base": signed.base,
    }))
}

fn verify(input: &Input<'_>) -> Result<Value, OpError> {
    let message = OwnedMessage::of(input.value("message")?)?;
    let request = message.answered()?;
    let message = message.view(request.as_ref())?;
    let mut keys = Keyring::new();
    for entry in input.objects("keys")? {
        let key = read_jwk(entry.value("jwk")?)?;
        let keyid = entry.text("keyid")?;
        keys = match entry.text_opt("alg")? {
            Some(alg) => keys.with_algorithm(keyid, &key, alg),
            None => keys.with(keyid, &key),
        };
    }
    let no_members = serde_json::Map::new();
    let require = Input::new(input.object_opt("require")?.unwrap_or(&no_members));
    let requirements = Requirements {
        components: require.texts_opt("components")?,
        params: require.texts_opt("params")?,
        tag: require.text_opt("tag")?,
        skew_secs: require.u64_opt("skew_s")?.unwrap_or(bot_auth::DEFAULT_SKEW_SECS),
        max_age_secs: require.u64_opt("max_age_s")?,
    };
    let now = input.u64_opt("now_s")?.map(UnixSeconds);
    let results = verify_signatures(&message, &keys, &requirements, now)
        .map_err(|error| OpError::new(error.code(), error))?;
    let results: Vec<_> = results
        .iter()
        .map(|result| {
            json!({
                "label": result.label,
                "valid": result.is_valid(),
                "reason": result.reason.map(bot_auth::Reason::code),
                "keyid": result.keyid,
                "alg": result.alg,
                "tag": result.tag,
            })
        })
        .collect();
    Ok(json!({ "results": results }))
}

fn read_jwk(value: &Value) -> Result<Jwk, OpError> {
    Jwk::parse(value.to_string().as_bytes()).map_err(|error| OpError::new("bad-key", error))
}

fn thumbprint(input: &Input<'_>) -> Result<Value, OpError> {
    let key = read_jwk(input.value("jwk")?)?;
    let thumbprint = key.thumbprint().ok_or_else(|| {
        OpError::new("bad-key", "expected the required members of a key, found one missing")
    })?;
    Ok(json!({ "thumbprint": thumbprint.to_string() }))
}
