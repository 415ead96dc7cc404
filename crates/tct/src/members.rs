//! The members of an object in canonical form, and the same object with another `hash` or none.

use tct_canonical_json::JsonValue;
use tct_fingerprint::Fingerprint;

/// The object without its member `hash`, as Method A hashes it.
pub(crate) fn without_hash(object: JsonValue<'_>) -> Vec<u8> {
    let mut out = String::with_capacity(object.raw().len());
    out.push('{');
    for (name, value) in object.members().filter(|(name, _)| !name.is("hash")) {
        push(&mut out, name.raw(), value.raw());
    }
    out.push('}');
    out.into_bytes()
}

/// The object with `hash` in its place among the sorted names, instead of any that it had.
pub(crate) fn with_hash(object: JsonValue<'_>, hash: &Fingerprint) -> Vec<u8> {
    let value = format!("\"{hash}\"");
    let mut own = Some(value.as_str());
    let mut out = String::with_capacity(object.raw().len() + 90);
    out.push('{');
    for (name, value) in object.members().filter(|(name, _)| !name.is("hash")) {
        if let Some(own) = own.take_if(|_| *name.as_str() > *"hash") {
            push(&mut out, "\"hash\"", own);
        }
        push(&mut out, name.raw(), value.raw());
    }
    if let Some(own) = own {
        push(&mut out, "\"hash\"", own);
    }
    out.push('}');
    out.into_bytes()
}

fn push(out: &mut String, name: &str, value: &str) {
    if out.len() > 1 {
        out.push(',');
    }
    out.push_str(name);
    out.push(':');
    out.push_str(value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use tct_canonical_json::JsonReader;

    #[test]
    fn hash_takes_its_place_in_the_order() {
        let hash = Fingerprint::hash(b"");
        let order = |canonical: &str| {
            let document = JsonReader::new().read_str(canonical).unwrap();
            let body = with_hash(document.root(), &hash);
            let document = JsonReader::new().read(&body).unwrap();
            document.root().members().map(|(name, _)| name.as_str().into_owned()).collect::<Vec<_>>()
        };
        assert_eq!(order("{}"), ["hash"]);
        assert_eq!(
            order(r#"{"":1,"a":1,"ha\n":1,"has\"h":1,"hash":2,"hash!":1,"i":1}"#),
            ["", "a", "ha\n", "has\"h", "hash", "hash!", "i"]
        );
        assert_eq!(order(r#"{"a":{"hash":1}}"#), ["a", "hash"]);
    }

    #[test]
    fn only_the_top_level_hash_goes() {
        let document = JsonReader::new().read(br#"{"a":{"hash":1},"hash":2,"z":"}"}"#).unwrap();
        assert_eq!(without_hash(document.root()), br#"{"a":{"hash":1},"z":"}"}"#);
    }
}
