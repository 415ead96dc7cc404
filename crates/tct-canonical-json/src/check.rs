//! Checks whether a text is canonical, without writing the canonical form.
//!
//! The [grammar](crate::grammar) finds the parts of the text; any part that is not in its canonical spelling is a
//! deviation. For each open object the last name is remembered; that is all the memory needed.

use core::cmp::Ordering;
use core::fmt;

use smallvec::SmallVec;

use crate::JsonErrorKind;
use crate::canonicalizer::{Canonicalizer, Limits};
use crate::fault::{Fault, Spot};
use crate::grammar::{Container, Parts, first_invalid, read, read_first};
use crate::invariant::part;
use crate::number::Number;
use crate::profile::Profile;
use crate::scan::word_between;
use crate::string::first_difference;
use crate::unescape::decoded_word;

/// The first place where a text is not its own canonical form.
///
/// Where that is a fault of the text, it has the kind and the place of the error that
/// [`to_canonical`](crate::to_canonical) returns. A text with a fault may also differ at an earlier place; the kind is
/// then of that difference. A name that is repeated or out of order counts at its opening quote, and so comes before
/// an escape inside of it.
///
/// ```
/// use tct_canonical_json::{DeviationKind, Profile, check_canonical};
///
/// assert_eq!(check_canonical(br#"{"a":1,"b":2}"#, Profile::Tct), None);
/// let deviation = check_canonical(br#"{"b":1,"a":2}"#, Profile::Tct).unwrap();
/// assert_eq!((deviation.kind(), deviation.offset()), (DeviationKind::MemberOrder, 7));
/// assert_eq!(deviation.to_string(), "expected names to rise at byte 7");
/// ```
#[must_use]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deviation {
    kind: DeviationKind,
    offset: usize,
}

/// How a text differs from its canonical form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeviationKind {
    /// White space between tokens.
    WhiteSpace,
    /// A character that is escaped needlessly or in another form.
    Escape,
    /// A number in another form, such as `1.0`.
    NumberForm,
    /// A name that sorts before the one in front of it.
    MemberOrder,
    /// The text has no canonical form: [`to_canonical`](crate::to_canonical) returns an error of this kind at this place.
    Refused(JsonErrorKind),
}

impl Deviation {
    /// What differs.
    #[must_use]
    pub fn kind(&self) -> DeviationKind {
        self.kind
    }

    /// Index of the first byte that differs from the canonical form, were the members in the order of the text. Of a
    /// member that is out of order, or whose name is repeated, that is the name's opening quote.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = match self.kind {
            DeviationKind::WhiteSpace => "no white space",
            DeviationKind::Escape => "the canonical escape",
            DeviationKind::NumberForm => "the canonical number",
            DeviationKind::MemberOrder => "names to rise",
            DeviationKind::Refused(_) => "JSON that has a canonical form",
        };
        write!(f, "expected {expected} at byte {}", self.offset)
    }
}

/// Ends without an error where `text` is canonical.
pub(crate) fn check(text: &[u8], profile: Profile, limits: &Limits) -> Result<(), Deviation> {
    if text.len() > limits.max_input {
        return Err(refused(JsonErrorKind::TooLarge, limits.max_input));
    }
    let max_depth = limits.max_depth;
    read(text, &mut Checker { text, profile, max_depth, levels: Levels::new(), string: 0, escape: None })
}

struct Checker<'t> {
    text: &'t [u8],
    profile: Profile,
    max_depth: usize,
    levels: Levels,
    /// Opening quote of the string that is being read.
    string: usize,
    /// The first byte that differs in the name being read, which is in an escape. If the name turns out to be
    /// repeated or out of order, that is reported instead, since it counts at the opening quote.
    escape: Option<usize>,
}

impl Checker<'_> {
    /// Compares two names with equal first bytes or in the wrong order; also handles the first name of
    /// an object.
    #[inline(never)]
    fn compare(&self, object: usize, last: Name, name: Name) -> Result<(), Deviation> {
        if last.start == 0 {
            return Ok(());
        }
        let (last, escaped) = (last.spelled(self.text), last.is_escaped() || name.is_escaped());
        match self.profile.compare_spelled(last, name.spelled(self.text), escaped) {
            Ordering::Less => Ok(()),
            Ordering::Equal => Err(refused(JsonErrorKind::DuplicateMember, name.start - 1)),
            Ordering::Greater => Err(self.out_of_order(object, name)),
        }
    }

    /// Handles a name that sorts before the previous one: it may repeat an earlier name.
    #[cold]
    fn out_of_order(&self, object: usize, name: Name) -> Deviation {
        let offset = name.start - 1;
        let mut search = Search {
            text: part(self.text, object..offset),
            name: name.spelled(self.text),
            escaped: name.is_escaped(),
            profile: self.profile,
            levels: Levels::new(),
        };
        // The text ends where the name begins, so that the search never sees the end of the object.
        match read_first(search.text, &mut search) == Err(IsFound(true)) {
            true => refused(JsonErrorKind::DuplicateMember, offset),
            false => Deviation { kind: DeviationKind::MemberOrder, offset },
        }
    }
}

impl Parts for Checker<'_> {
    type Error = Deviation;

    const CHECKS_UTF8: bool = true;

    #[cold]
    fn fail(&mut self, fault: Fault, _spot: Spot) -> Deviation {
        let fault = fault.resolved(self.text);
        match self.escape {
            Some(offset) if offset < fault.at => Deviation { kind: DeviationKind::Escape, offset },
            _ => refused(fault.kind, fault.at),
        }
    }

    #[inline(always)]
    fn white_space(&mut self, from: usize, _to: usize) -> Result<(), Deviation> {
        Err(Deviation { kind: DeviationKind::WhiteSpace, offset: from })
    }

    #[inline(always)]
    fn open(&mut self, container: Container, at: usize) -> Result<(), Deviation> {
        if self.levels.depth() >= self.max_depth {
            return Err(refused(JsonErrorKind::TooDeep, at));
        }
        self.levels.push(container, at);
        Ok(())
    }

    #[inline(always)]
    fn close(&mut self, _at: usize) -> Result<Option<Container>, Deviation> {
        Ok(self.levels.pop())
    }

    #[inline(always)]
    fn string_begins(&mut self, quote: usize) {
        self.string = quote;
        self.escape = None;
    }

    fn escape(
        &mut self,
        start: usize,
        end: usize,
        character: Option<char>,
        spot: Spot,
    ) -> Result<(), Deviation> {
        let Some(character) = character else {
            return Err(self.fail(Fault::new(JsonErrorKind::LoneSurrogate, start, ""), spot));
        };
        let Some(differs) = first_difference(part(self.text, start..end), character) else { return Ok(()) };
        let offset = start + differs;
        if spot == Spot::Container {
            self.escape.get_or_insert(offset);
            return Ok(());
        }
        // The string is looked at for UTF-8 at its end.
        Err(match first_invalid(self.text, self.string, start) {
            Some(at) => self.fail(Fault::new(JsonErrorKind::InvalidUtf8, at, ""), spot),
            None => Deviation { kind: DeviationKind::Escape, offset },
        })
    }

    #[inline(always)]
    fn name(&mut self, quote: usize, end: usize, escaped: bool) -> Result<(), Deviation> {
        let name = Name::new(quote + 1, end - 1, escaped);
        let first = match escaped {
            true => decoded_word(name.spelled(self.text)),
            false => word_between(self.text, quote + 1, end - 1),
        };
        let rank = self.profile.rank_word(first);
        let level = &mut self.levels.top;
        let (last_rank, last) = (level.rank, level.last);
        (level.rank, level.last) = (rank, name);
        // The names of most objects differ in their first eight bytes.
        if rank <= last_rank {
            let object = level.start;
            self.compare(object, last, name)?;
        }
        match self.escape {
            Some(offset) => Err(Deviation { kind: DeviationKind::Escape, offset }),
            None => Ok(()),
        }
    }

    #[inline(always)]
    fn number(&mut self, start: usize, number: Number) -> Result<(), Deviation> {
        let text = part(self.text, start..);
        let mut difference = None;
        let Some(same) = number.compare_with_canonical(text, |at, piece| {
            difference.get_or_insert_with(|| {
                let spelled = part(text, at..number.len);
                at + core::iter::zip(spelled, piece).take_while(|(a, b)| a == b).count()
            });
        }) else {
            return Err(refused(JsonErrorKind::NumberOverflow, start));
        };
        // A canonical text may not end before the printed number does.
        let same = difference.map_or(same, |at: usize| at.min(number.len - 1));
        if same < number.len {
            return Err(Deviation { kind: DeviationKind::NumberForm, offset: start + same });
        }
        Ok(())
    }
}

#[cold]
fn refused(kind: JsonErrorKind, offset: usize) -> Deviation {
    Deviation { kind: DeviationKind::Refused(kind), offset }
}

/// Looks for a name among those of one object.
struct Search<'t> {
    /// The text from the object on, up to the name.
    text: &'t [u8],
    name: &'t [u8],
    escaped: bool,
    profile: Profile,
    levels: Levels,
}

/// Whether a search ended at the name.
#[derive(PartialEq)]
struct IsFound(bool);

impl Parts for Search<'_> {
    type Error = IsFound;

    const CHECKS_UTF8: bool = false;

    fn fail(&mut self, _fault: Fault, _spot: Spot) -> IsFound {
        IsFound(false)
    }

    fn open(&mut self, container: Container, at: usize) -> Result<(), IsFound> {
        self.levels.push(container, at);
        Ok(())
    }

    fn close(&mut self, _at: usize) -> Result<Option<Container>, IsFound> {
        Ok(self.levels.pop())
    }

    fn name(&mut self, quote: usize, end: usize, escaped: bool) -> Result<(), IsFound> {
        let name = part(self.text, quote + 1..end - 1);
        let is_it = || self.profile.compare_spelled(name, self.name, escaped || self.escaped).is_eq();
        if self.levels.depth() == 1 && is_it() { Err(IsFound(true)) } else { Ok(()) }
    }
}

/// An open array or object.
#[derive(Debug, Clone, Copy)]
struct Level {
    /// The first eight bytes of the last name, as [`Profile::rank_word`] ranks them; zero where there is none.
    rank: u64,
    last: Name,
    /// Index of its bracket.
    start: usize,
    container: Container,
}

/// A name between its quotes: two words, so that it stays in registers. A quote is in front of every name, so that none
/// begins at 0.
#[derive(Debug, Clone, Copy)]
struct Name {
    start: usize,
    /// Its length, and in the lowest bit whether it has escapes.
    len: usize,
}

impl Name {
    #[inline(always)]
    fn new(start: usize, end: usize, escaped: bool) -> Self {
        Name { start, len: (end - start) << 1 | usize::from(escaped) }
    }

    fn is_escaped(self) -> bool {
        self.len & 1 == 1
    }

    fn spelled(self, text: &[u8]) -> &[u8] {
        part(text, self.start..self.start + (self.len >> 1))
    }
}

/// The open levels: on the stack up to the default limit, deeper ones on the heap.
struct Levels {
    /// The innermost one, or one that stands for the text.
    top: Level,
    outer: SmallVec<[Level; Canonicalizer::DEFAULT_MAX_DEPTH]>,
}

impl Level {
    const NONE: Level =
        Level { rank: 0, last: Name { start: 0, len: 0 }, start: 0, container: Container::Array };
}

impl Levels {
    fn new() -> Self {
        Levels { top: Level::NONE, outer: SmallVec::new() }
    }

    fn depth(&self) -> usize {
        self.outer.len()
    }

    #[inline]
    fn push(&mut self, container: Container, start: usize) {
        self.outer.push(self.top);
        self.top = Level { container, start, ..Level::NONE };
    }

    /// Ends the innermost level. Returns the kind of the level around it.
    #[inline]
    fn pop(&mut self) -> Option<Container> {
        self.top = self.outer.pop().unwrap_or(Level::NONE);
        (self.depth() > 0).then_some(self.top.container)
    }
}
