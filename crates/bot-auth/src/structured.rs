//! Structured fields (RFC 9651): the crate `sfv` reads and writes them; the trees here keep what signatures need
//! besides, the order of members and whether a name came twice.
//!
//! ```text
//! field lines ── joined with ", " ──▶ sfv::Parser ──▶ Dictionary | List | Item ── write ──▶ canonical text
//! ```
//!
//! Where a name repeats, the last value counts and takes the place of the first, as RFC 9651 has it; the repetition is
//! remembered. Cost is `O(n log n)` in the input.

use core::convert::Infallible;
use core::fmt;
use std::collections::BTreeMap;

use sfv::visitor::{
    DictionaryVisitor, EntryVisitor, InnerListVisitor, ItemVisitor, ListVisitor, ParameterVisitor,
};
use sfv::{BareItemFromInput as Bare, ItemSerializer, KeyRef, Parser};
use smallvec::SmallVec;

/// The three top-level types of structured fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldType {
    /// One item with its parameters.
    Item,
    /// Items and inner lists.
    List,
    /// Named items and inner lists.
    Dictionary,
}

/// Up to this many names are searched one by one, without an index.
const LINEAR_SEARCH: usize = 16;

/// Named values in order; up to `N` take no memory of their own. A repeated name overwrites, in place.
#[derive(Debug, Clone)]
pub(crate) struct Named<'a, T, const N: usize> {
    entries: SmallVec<[(&'a str, T, bool); N]>,
    index: BTreeMap<&'a str, usize>,
}

impl<T, const N: usize> Default for Named<'_, T, N> {
    fn default() -> Self {
        Named { entries: SmallVec::new(), index: BTreeMap::new() }
    }
}

impl<'a, T, const N: usize> Named<'a, T, N> {
    fn put(&mut self, name: &'a str, value: T) -> Option<&mut T> {
        match self.position(name) {
            Some(at) => {
                let entry = self.entries.get_mut(at)?;
                (entry.1, entry.2) = (value, true);
                Some(&mut entry.1)
            }
            None => {
                self.entries.push((name, value, false));
                let len = self.entries.len();
                if len > LINEAR_SEARCH {
                    let from = if self.index.is_empty() { 0 } else { len - 1 };
                    let new = self.entries.iter().enumerate().skip(from);
                    self.index.extend(new.map(|(at, entry)| (entry.0, at)));
                }
                self.entries.last_mut().map(|entry| &mut entry.1)
            }
        }
    }

    fn position(&self, name: &str) -> Option<usize> {
        if self.index.is_empty() {
            self.entries.iter().position(|entry| entry.0 == name)
        } else {
            self.index.get(name).copied()
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        self.entries.get(self.position(name)?).map(|entry| &entry.1)
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Name, value, and whether the name came more than once.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'a str, &T, bool)> {
        self.entries.iter().map(|entry| (entry.0, &entry.1, entry.2))
    }

    pub(crate) fn is_repeated(&self, name: &str) -> bool {
        self.position(name).and_then(|at| self.entries.get(at)).is_some_and(|entry| entry.2)
    }

    pub(crate) fn has_repeated(&self) -> bool {
        self.entries.iter().any(|entry| entry.2)
    }
}

/// The parameters of an item: a component has one at most.
pub(crate) type ItemParams<'a> = Named<'a, Bare<'a>, 1>;
/// The parameters of an inner list: a signature has six, and the agent's own.
pub(crate) type ListParams<'a> = Named<'a, Bare<'a>, 8>;
/// Nearly all requests have one signature by one agent.
pub(crate) type Dictionary<'a> = Named<'a, Entry<'a>, 2>;

/// Parameters of either kind.
pub(crate) trait Params<'a> {
    /// The value of a parameter.
    fn value(&self, name: &str) -> Option<&Bare<'a>>;
}

impl<'a, const N: usize> Params<'a> for Named<'a, Bare<'a>, N> {
    fn value(&self, name: &str) -> Option<&Bare<'a>> {
        self.get(name)
    }
}

/// A bare item with its parameters.
#[derive(Debug, Clone)]
pub(crate) struct Item<'a> {
    pub(crate) bare: Bare<'a>,
    pub(crate) params: ItemParams<'a>,
}

/// Items in parentheses, with the parameters of the whole.
#[derive(Debug, Clone, Default)]
pub(crate) struct InnerList<'a> {
    pub(crate) items: SmallVec<[Item<'a>; 8]>,
    pub(crate) params: ListParams<'a>,
}

/// A member of a list or dictionary.
#[derive(Debug, Clone)]
pub(crate) enum Entry<'a> {
    Item(Item<'a>),
    /// Boxed, so that a short member does not need the room of an inner list.
    Inner(Box<InnerList<'a>>),
}

impl Item<'_> {
    fn placeholder() -> Self {
        Item { bare: Bare::Boolean(true), params: ItemParams::default() }
    }

    pub(crate) fn write(&self, out: &mut String) {
        write_bare(&self.bare, out);
        write_params(&self.params, out);
    }
}

impl<'a> Item<'a> {
    /// The text of a String.
    pub(crate) fn text(&self) -> Option<&str> {
        self.bare.as_string().map(sfv::StringRef::as_str)
    }
}

impl InnerList<'_> {
    pub(crate) fn write(&self, out: &mut String) {
        out.push('(');
        for (index, item) in self.items.iter().enumerate() {
            if index > 0 {
                out.push(' ');
            }
            item.write(out);
        }
        out.push(')');
        write_params(&self.params, out);
    }
}

impl<'a> Entry<'a> {
    pub(crate) fn params(&self) -> &dyn Params<'a> {
        match self {
            Entry::Item(item) => &item.params,
            Entry::Inner(list) => &list.params,
        }
    }

    pub(crate) fn has_params(&self) -> bool {
        match self {
            Entry::Item(item) => item.params.len() > 0,
            Entry::Inner(list) => list.params.len() > 0,
        }
    }

    pub(crate) fn write(&self, out: &mut String) {
        match self {
            Entry::Item(item) => item.write(out),
            Entry::Inner(list) => list.write(out),
        }
    }

    /// Writes the member behind its name: a value of true is left out.
    fn write_behind_name(&self, out: &mut String) {
        match self {
            Entry::Item(item) if matches!(item.bare, Bare::Boolean(true)) => write_params(&item.params, out),
            _ => {
                out.push('=');
                self.write(out);
            }
        }
    }
}

pub(crate) fn write_bare(bare: &Bare<'_>, out: &mut String) {
    // What is handed back is the buffer.
    let _ = ItemSerializer::with_buffer(out).bare_item(bare).finish();
}

fn write_params<const N: usize>(params: &Named<'_, Bare<'_>, N>, out: &mut String) {
    for (name, value, _) in params.iter() {
        out.push(';');
        out.push_str(name);
        if !matches!(value, Bare::Boolean(true)) {
            out.push('=');
            write_bare(value, out);
        }
    }
}

/// Reads a dictionary from all lines of its field, joined.
pub(crate) fn dictionary(input: &[u8]) -> Result<Dictionary<'_>, StructuredFieldError> {
    let mut found = Dictionary::default();
    Parser::new(input).parse_dictionary_with_visitor(&mut Members(&mut found))?;
    Ok(found)
}

/// Reads a list.
pub(crate) fn list(input: &[u8]) -> Result<Vec<Entry<'_>>, StructuredFieldError> {
    let mut found = Vec::new();
    Parser::new(input).parse_list_with_visitor(&mut Entries(&mut found))?;
    Ok(found)
}

/// Reads an item.
pub(crate) fn item(input: &[u8]) -> Result<Item<'_>, StructuredFieldError> {
    let mut found = Item::placeholder();
    Parser::new(input).parse_item_with_visitor(IntoItem(&mut found))?;
    Ok(found)
}

/// Reads an inner list that stands alone, as the members of `Signature-Input` do.
pub(crate) fn inner_list(input: &[u8]) -> Option<InnerList<'_>> {
    let mut entries = list(input).ok()?.into_iter();
    match (entries.next(), entries.next()) {
        (Some(Entry::Inner(list)), None) => Some(*list),
        _ => None,
    }
}

/// The same without the heap, for lists of the usual length. `None` also where a name of a dictionary follows, and for
/// anything else than one inner list.
pub(crate) fn inner_list_alone(input: &[u8]) -> Option<InnerList<'_>> {
    if input.first() != Some(&b'(') {
        return None;
    }
    let mut only = Only { list: InnerList::default(), entries: 0, has_item: false };
    Parser::new(input).parse_list_with_visitor(&mut only).ok()?;
    (only.entries == 1 && !only.has_item).then_some(only.list)
}

/// Collects one inner list and counts other members.
struct Only<'a> {
    list: InnerList<'a>,
    entries: usize,
    has_item: bool,
}

struct IntoOnly<'b, 'a>(&'b mut Only<'a>);

impl<'a> ListVisitor<'a> for Only<'a> {
    type Error = Infallible;

    fn entry(&mut self) -> Result<impl EntryVisitor<'a>, Infallible> {
        self.entries += 1;
        Ok(IntoOnly(self))
    }
}

impl<'a> ItemVisitor<'a> for IntoOnly<'_, 'a> {
    type Error = Infallible;

    fn bare_item(self, _bare: Bare<'a>) -> Result<impl ParameterVisitor<'a>, Infallible> {
        self.0.has_item = true;
        Ok(IntoParams::<1>(None))
    }
}

impl<'a> EntryVisitor<'a> for IntoOnly<'_, 'a> {
    fn inner_list(self) -> Result<impl InnerListVisitor<'a>, Infallible> {
        // Of several, none is asked for.
        Ok((self.0.entries == 1).then_some(IntoInner(&mut self.0.list)))
    }
}

/// Appends the canonical text of a field of this type; nothing for an empty list or dictionary.
pub(crate) fn write_canonical(
    field_type: FieldType,
    input: &[u8],
    out: &mut String,
) -> Result<(), StructuredFieldError> {
    match field_type {
        FieldType::Item => item(input)?.write(out),
        FieldType::List => {
            for (index, entry) in list(input)?.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                entry.write(out);
            }
        }
        FieldType::Dictionary => {
            for (index, (name, entry, _)) in dictionary(input)?.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                out.push_str(name);
                entry.write_behind_name(out);
            }
        }
    }
    Ok(())
}

/// The canonical text of a structured field, from the values of all its lines: read strictly by RFC 9651 (Date and
/// Display String included) and written anew. `None` for an empty list or dictionary, which is not sent at all.
///
/// ```
/// use bot_auth::{FieldType, canonical_field};
///
/// let canonical = canonical_field(FieldType::Dictionary, &["a=1.50,  b", "c=(x   y);q=?0"]);
/// assert_eq!(canonical?.as_deref(), Some("a=1.5, b, c=(x y);q=?0"));
/// assert!(canonical_field(FieldType::List, &["1,"]).is_err());
/// # Ok::<(), bot_auth::StructuredFieldError>(())
/// ```
///
/// # Errors
/// [`StructuredFieldError`] with the byte offset in the joined lines.
///
/// Spec: RFC 9651, section 4; SIG9421-SF-6, WBA-AMB-1.
pub fn canonical_field(
    field_type: FieldType,
    lines: &[impl AsRef<[u8]>],
) -> Result<Option<String>, StructuredFieldError> {
    let mut joined = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        joined.extend_from_slice(if index > 0 { b", " } else { b"" });
        joined.extend_from_slice(line.as_ref());
    }
    let mut out = String::new();
    write_canonical(field_type, &joined, &mut out)?;
    Ok(if out.is_empty() { None } else { Some(out) })
}

/// Returns true if `text` can be the name of a dictionary member, such as a signature's label.
pub(crate) fn is_key(text: &str) -> bool {
    KeyRef::from_str(text).is_ok()
}

/// A text that is not a structured field of the type wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructuredFieldError {
    offset: Option<usize>,
    message: Box<str>,
}

impl StructuredFieldError {
    /// Where the fault is, in bytes of the joined field lines, where that is known.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.offset
    }

    /// The rule that was broken.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        "SIG9421-SF-6"
    }
}

impl From<sfv::Error> for StructuredFieldError {
    #[cold]
    fn from(error: sfv::Error) -> Self {
        StructuredFieldError { offset: error.index(), message: error.to_string().into() }
    }
}

impl fmt::Display for StructuredFieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a structured field: {}", self.message)
    }
}

impl core::error::Error for StructuredFieldError {}

struct IntoParams<'b, 'a, const N: usize>(Option<&'b mut Named<'a, Bare<'a>, N>>);
struct IntoItem<'b, 'a>(&'b mut Item<'a>);
struct IntoInner<'b, 'a>(&'b mut InnerList<'a>);
struct IntoEntry<'b, 'a>(Option<&'b mut Entry<'a>>);
struct Members<'b, 'a>(&'b mut Dictionary<'a>);
struct Entries<'b, 'a>(&'b mut Vec<Entry<'a>>);

impl<'a, const N: usize> ParameterVisitor<'a> for IntoParams<'_, 'a, N> {
    type Error = Infallible;

    fn parameter(&mut self, key: &'a KeyRef, value: Bare<'a>) -> Result<(), Infallible> {
        if let Some(params) = &mut self.0 {
            params.put(key.as_str(), value);
        }
        Ok(())
    }
}

impl<'a> ItemVisitor<'a> for IntoItem<'_, 'a> {
    type Error = Infallible;

    fn bare_item(self, bare: Bare<'a>) -> Result<impl ParameterVisitor<'a>, Infallible> {
        self.0.bare = bare;
        Ok(IntoParams(Some(&mut self.0.params)))
    }
}

impl<'a> InnerListVisitor<'a> for IntoInner<'_, 'a> {
    type Error = Infallible;

    fn item(&mut self) -> Result<impl ItemVisitor<'a>, Infallible> {
        self.0.items.push(Item::placeholder());
        Ok(self.0.items.last_mut().map(IntoItem))
    }

    fn finish(self) -> Result<impl ParameterVisitor<'a>, Infallible> {
        Ok(IntoParams(Some(&mut self.0.params)))
    }
}

impl<'a> ItemVisitor<'a> for IntoEntry<'_, 'a> {
    type Error = Infallible;

    fn bare_item(self, bare: Bare<'a>) -> Result<impl ParameterVisitor<'a>, Infallible> {
        let params = self.0.and_then(|entry| {
            *entry = Entry::Item(Item { bare, params: ItemParams::default() });
            match entry {
                Entry::Item(item) => Some(&mut item.params),
                Entry::Inner(_) => None,
            }
        });
        Ok(IntoParams(params))
    }
}

impl<'a> EntryVisitor<'a> for IntoEntry<'_, 'a> {
    fn inner_list(self) -> Result<impl InnerListVisitor<'a>, Infallible> {
        Ok(self.0.and_then(|entry| {
            *entry = Entry::Inner(Box::default());
            match entry {
                Entry::Inner(list) => Some(IntoInner(list)),
                Entry::Item(_) => None,
            }
        }))
    }
}

impl<'a> DictionaryVisitor<'a> for Members<'_, 'a> {
    type Error = Infallible;

    fn entry(&mut self, key: &'a KeyRef) -> Result<impl EntryVisitor<'a>, Infallible> {
        Ok(IntoEntry(self.0.put(key.as_str(), Entry::Item(Item::placeholder()))))
    }
}

impl<'a> ListVisitor<'a> for Entries<'_, 'a> {
    type Error = Infallible;

    fn entry(&mut self) -> Result<impl EntryVisitor<'a>, Infallible> {
        self.0.push(Entry::Item(Item::placeholder()));
        Ok(IntoEntry(self.0.last_mut()))
    }
}
