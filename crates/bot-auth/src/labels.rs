//! The fields `Signature-Input` and `Signature`, joined by label.

use std::borrow::Cow;

use crate::Message;
use crate::params::is_well_formed;
use crate::reason::Reason;
use crate::structured::{
    Dictionary, Entry, InnerList, Params, StructuredFieldError, dictionary, inner_list_alone, is_key,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use smallvec::SmallVec;

/// Most members of one of the fields that are looked at; a message with more is refused as a whole.
pub const MAX_SIGNATURES: usize = 100;

/// The raw values of the two fields.
#[derive(Debug, Clone, Default)]
pub(crate) struct SignatureFields<'m> {
    input: Option<Cow<'m, [u8]>>,
    signature: Option<Cow<'m, [u8]>>,
}

/// The members of the two fields.
#[derive(Debug, Default)]
pub(crate) struct Labels<'a> {
    pub(crate) inputs: Dictionary<'a>,
    pub(crate) signatures: Dictionary<'a>,
}

/// One signature of a message, as found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found<'s, 'a> {
    pub(crate) label: &'a str,
    pub(crate) input: Option<&'s Entry<'a>>,
    signature: Option<&'s Entry<'a>>,
    pub(crate) is_repeated: bool,
}

impl<'m> SignatureFields<'m> {
    pub(crate) fn of(message: &Message<'m>) -> Self {
        SignatureFields { input: message.joined("signature-input"), signature: message.joined("signature") }
    }

    /// Reads both fields.
    ///
    /// Spec: SIG9421-LAB-1, SIG9421-LAB-3.
    pub(crate) fn read(&self) -> Result<Labels<'_>, Reason> {
        let labels = match (read_field(self.input.as_deref()), read_field(self.signature.as_deref())) {
            (Ok(inputs), Ok(signatures)) => Labels { inputs, signatures },
            _ => return Err(Reason::MalformedField),
        };
        if labels.inputs.len().max(labels.signatures.len()) > MAX_SIGNATURES {
            return Err(Reason::MalformedField);
        }
        Ok(labels)
    }
}

/// The one signature that nearly all signed requests have.
#[derive(Debug)]
pub(crate) struct OnlySignature<'a> {
    pub(crate) label: &'a str,
    /// Covered components with parameters, well formed.
    pub(crate) list: InnerList<'a>,
    pub(crate) signature: [u8; 64],
}

impl SignatureFields<'_> {
    /// Reads both fields where each has one member, both have the same label, and the signature is 64 bytes without
    /// parameters: without the heap. `None` is not a verdict: use [`read`](Self::read) then.
    pub(crate) fn read_only(&self) -> Option<OnlySignature<'_>> {
        let (input, signature) = (self.input.as_deref()?, self.signature.as_deref()?);
        let equals = signature.iter().position(|byte| *byte == b'=')?;
        let (label, value) = signature.split_at_checked(equals)?;
        let label = core::str::from_utf8(label).ok().filter(|label| is_key(label))?;
        let encoded = value.strip_prefix(b"=:")?.strip_suffix(b":").filter(|encoded| encoded.len() == 88)?;
        // Room for what 88 characters may be without padding.
        let mut bytes = [0; 66];
        let len = STANDARD.decode_slice(encoded, &mut bytes).ok()?;
        let signature = *bytes.first_chunk::<64>().filter(|_| len == 64)?;
        let list = inner_list_alone(input.strip_prefix(label.as_bytes())?.strip_prefix(b"=")?)?;
        is_well_formed(&list).then_some(OnlySignature { label, list, signature })
    }
}

fn read_field(value: Option<&[u8]>) -> Result<Dictionary<'_>, StructuredFieldError> {
    value.map_or_else(|| Ok(Dictionary::default()), dictionary)
}

impl<'a> Labels<'a> {
    /// The signatures in the order of `Signature-Input`, then the labels that only `Signature` has.
    pub(crate) fn all(&self) -> SmallVec<[Found<'_, 'a>; 4]> {
        let inputs = self.inputs.iter().map(|(label, input, is_repeated)| Found {
            label,
            input: Some(input),
            signature: self.signatures.get(label),
            is_repeated: is_repeated || self.signatures.is_repeated(label),
        });
        let others = self.signatures.iter().filter(|(label, _, _)| self.inputs.get(label).is_none());
        let others = others.map(|(label, signature, is_repeated)| Found {
            label,
            input: None,
            signature: Some(signature),
            is_repeated,
        });
        inputs.chain(others).collect()
    }
}

impl<'s, 'a> Found<'s, 'a> {
    /// The parameters of an item or inner list.
    pub(crate) fn params(&self) -> Option<&'s dyn Params<'a>> {
        self.input.map(Entry::params)
    }

    /// Covered components with parameters, and the bytes of the signature: both well formed.
    ///
    /// Spec: SIG9421-LAB-1, SIG9421-PAR-3, WBA-AMB-7.
    pub(crate) fn parts(&self) -> Result<(&'s InnerList<'a>, &'s [u8]), Reason> {
        if self.is_repeated {
            return Err(Reason::DuplicateLabel);
        }
        let (Some(input), Some(signature)) = (self.input, self.signature) else {
            return Err(Reason::LabelMismatch);
        };
        match (input, signature) {
            (Entry::Inner(list), Entry::Item(bytes)) if is_well_formed(list) => {
                Ok((list, bytes.bare.as_byte_sequence().ok_or(Reason::Malformed)?))
            }
            _ => Err(Reason::Malformed),
        }
    }
}
