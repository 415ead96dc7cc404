//! The output: bytes in the order of the input, and objects whose members change places at their end.
//!
//! Two readers drive a [`Writer`]: the JSON text (`text.rs`) and `serde` (`serialize.rs`). Both hand over values in
//! their own order. The writer notes where each member of an open object begins and ends, and when the object ends
//! with its members out of order, it moves them.
//!
//! **Text is copied late.** Most bytes of a JSON text are canonical as they are. The reader moves on over them and
//! the writer copies them from `source` in one piece when something follows that is not canonical, such as white
//! space. The bytes from `pending` to the reader's place count as output although they are not copied yet: a
//! *position* counts them. An object that is entirely among them is sorted while it is copied.
//!
//! **Bytes move a bounded number of times.** An object that is in the output already is put in order in place, by way
//! of `scratch`. Done at every level of a deep document, that would copy the innermost bytes once a level, so objects
//! around [`MOVES_IN_PLACE`] levels of moved objects are only noted, and one last pass (`arrange.rs`) writes them.

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::arrange::Arrangement;
#[cfg(feature = "serde")]
use crate::error::{JsonError, JsonErrorKind, Quoted};
use crate::fault::{push_index, push_name};
use crate::grammar::Container;
use crate::invariant::{broken, part};
use crate::profile::Profile;
use crate::scan::append;
use crate::unescape::decode_bytes;

/// How often a byte is moved in place before its objects wait for the last pass.
const MOVES_IN_PLACE: u8 = 3;

/// Number of member orders that are remembered: nested objects of different shapes take turns.
const ORDERS: usize = 8;

#[derive(Debug)]
pub(crate) struct Writer<'w> {
    profile: Profile,
    max_depth: usize,
    /// The text that pending bytes are taken from; empty for typed values.
    source: &'w [u8],
    /// Index in `source` of the first byte that belongs to the output and is not there yet.
    pending: usize,
    pub(crate) out: &'w mut Vec<u8>,
    frames: Vec<Frame>,
    /// The members of all open objects, the innermost object's last.
    members: Vec<Member>,
    /// Indices of the members of objects that were put in order, of the last one of each number of members.
    orders: [Vec<usize>; ORDERS],
    scratch: Vec<u8>,
    arrangement: Arrangement,
}

/// An open array or object.
#[derive(Debug, Clone, Copy)]
struct Frame {
    container: Container,
    /// Position of the opening bracket.
    start: usize,
    /// Where in `members` this object's begin.
    first_member: usize,
    /// Number of an array's items that have ended, for paths.
    items: usize,
    /// Whether the names so far rise strictly. If not, they are sorted at the end, which also finds repeated ones: in
    /// one place, so that the first fault of a text does not depend on the profile.
    sorted: bool,
    /// The prefix of the last name; zero where there is none.
    last: u64,
    /// The most often that a byte inside was moved.
    moves: u8,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Member {
    /// The name's first eight bytes as ranks, for comparing most names as integers.
    prefix: u64,
    /// Index in the source of the name's opening quote.
    at: usize,
    /// Position of the name's opening quote. The member ends before the comma in front of the next one.
    start: usize,
    name: Name,
}

/// A member's name as it is between its quotes: its length, whether it holds escapes, and where it is. One word,
/// so that a member is written in equal pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name(usize);

impl Name {
    #[inline]
    pub(crate) fn new(len: usize, escaped: bool, place: Place) -> Self {
        Name(len << 2 | usize::from(escaped) << 1 | usize::from(place == Place::Output))
    }

    fn len(self) -> usize {
        self.0 >> 2
    }

    fn escaped(self) -> bool {
        self.0 & 2 != 0
    }

    fn place(self) -> Place {
        if self.0 & 1 == 0 { Place::Source } else { Place::Output }
    }
}

impl Member {
    /// Index in the source of the name's opening quote.
    pub(crate) fn at(&self) -> usize {
        self.at
    }
}

/// Where the bytes of a name are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Source,
    Output,
}

impl<'w> Writer<'w> {
    /// A writer that appends to `out`.
    pub(crate) fn new(profile: Profile, max_depth: usize, source: &'w [u8], out: &'w mut Vec<u8>) -> Self {
        Writer {
            profile,
            max_depth,
            source,
            pending: 0,
            out,
            frames: Vec::new(),
            members: Vec::new(),
            orders: Default::default(),
            scratch: Vec::new(),
            arrangement: Arrangement::default(),
        }
    }

    /// The position of the source's byte `at`, which is pending or the next to be.
    #[inline]
    pub(crate) fn position(&self, at: usize) -> usize {
        self.out.len() + (at - self.pending)
    }

    /// Copies what is pending before `from` and goes on at `to`: the bytes in between are not part
    /// of the output.
    #[inline]
    pub(crate) fn skip(&mut self, from: usize, to: usize) {
        self.out.extend_from_slice(part(self.source, self.pending..from));
        self.pending = to;
    }

    /// The container that is open, if any.
    #[inline]
    pub(crate) fn container(&self) -> Option<Container> {
        self.frames.last().map(|frame| frame.container)
    }

    /// How many containers are open.
    #[cfg(feature = "serde")]
    pub(crate) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Whether as many containers are open as may be.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.frames.len() >= self.max_depth
    }

    pub(crate) fn max_depth(&self) -> usize {
        self.max_depth
    }

    /// An array or object begins at the source's byte `at`. The caller has asked whether the writer [is full](Self::is_full).
    #[inline]
    pub(crate) fn open(&mut self, container: Container, at: usize) {
        self.frames.push(Frame {
            container,
            start: self.position(at),
            first_member: self.members.len(),
            items: 0,
            sorted: true,
            last: 0,
            moves: 0,
        });
    }

    /// A member begins. Its name follows the quote at the source's byte `at`, or at the output's position `start`;
    /// `first` are its first eight bytes, without escapes, as [`short_word`](crate::scan::short_word) gives them.
    #[inline]
    pub(crate) fn name(&mut self, at: usize, start: usize, name: Name, first: u64) {
        let prefix = self.profile.rank_word(first);
        self.members.push(Member { prefix, at, start, name });
        if let Some(frame) = self.frames.last_mut() {
            let rises = prefix > frame.last;
            frame.last = prefix;
            if !rises && frame.sorted {
                self.look_closer();
            }
        }
    }

    /// Compares the last name fully: it may not rise, or it is the first.
    #[inline(never)]
    fn look_closer(&mut self) {
        if let Some(frame) = self.frames.last_mut()
            && let Some([.., last, member]) = self.members.get(frame.first_member..)
        {
            let names = Names { profile: self.profile, source: self.source, out: self.out };
            frame.sorted = names.compare(last, member).is_lt();
        }
    }

    /// An item of the innermost array has ended.
    #[inline]
    pub(crate) fn item_ended(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.items += 1;
        }
    }

    /// The innermost array or object has ended; its closing bracket is the source's byte `at`, or not yet written.
    ///
    /// # Errors
    /// The first member whose name is repeated.
    #[inline]
    pub(crate) fn close(&mut self, at: usize) -> Result<(), Member> {
        // Not copied as a whole, which would wait for its fields, written one by one, to reach the memory.
        let Some(frame) = self.frames.last() else { broken() };
        let (first_member, mut moves) = (frame.first_member, frame.moves);
        if !frame.sorted {
            let frame = *frame;
            moves = self.put_in_order(&frame, at)?;
        }
        self.frames.pop();
        self.members.truncate(first_member);
        if let Some(outer) = self.frames.last_mut() {
            outer.moves = outer.moves.max(moves);
        }
        Ok(())
    }

    /// Copies what is pending before the source's byte `at`. Returns what the last pass has to do.
    pub(crate) fn finish(mut self, at: usize) -> Arrangement {
        self.skip(at, at);
        self.arrangement.settle();
        self.arrangement
    }

    /// Puts the members of an object in order. Returns how often its bytes have been moved now.
    fn put_in_order(&mut self, frame: &Frame, at: usize) -> Result<u8, Member> {
        let end = self.position(at);
        let names = Names { profile: self.profile, source: self.source, out: self.out };
        let Some(members) = self.members.get(frame.first_member..) else { broken() };
        let Some(order) = self.orders.get_mut(members.len() % ORDERS) else { broken() };
        names.sort(members, order)?;
        // Where the members begin and end, in canonical order.
        let spans = order.iter().map(|&index| {
            let Some(member) = members.get(index) else { broken() };
            let end = members.get(index + 1).map_or(end, |next| next.start - 1);
            (member, member.start..end)
        });
        let untouched = self.pending < at && frame.start >= self.out.len();
        if untouched {
            // Copied once, as every byte is: right into its place.
            let brace = self.pending + (frame.start - self.out.len());
            self.out.extend_from_slice(part(self.source, self.pending..=brace));
            self.pending = at;
            for (i, (member, span)) in spans.enumerate() {
                if i > 0 {
                    self.out.push(b',');
                }
                self.out.extend_from_slice(part(self.source, member.at..member.at + span.len()));
            }
            return Ok(0);
        }
        if frame.moves >= MOVES_IN_PLACE {
            self.arrangement.note(frame.start, end, spans.map(|(_, span)| span));
            return Ok(MOVES_IN_PLACE);
        }
        self.out.extend_from_slice(part(self.source, self.pending..at));
        self.pending = at;
        // Each with the byte before it, a comma or the brace.
        self.scratch.clear();
        for (_, span) in spans {
            let at = self.scratch.len();
            append(&mut self.scratch, part(self.out, span.start - 1..span.end));
            match self.scratch.get_mut(at) {
                Some(before) => *before = b',',
                None => broken(),
            }
        }
        let Some(inside) = self.out.get_mut(frame.start..end) else { broken() };
        if inside.len() != self.scratch.len() {
            broken();
        }
        inside.copy_from_slice(&self.scratch);
        if let Some(brace) = inside.first_mut() {
            *brace = b'{';
        }
        Ok(frame.moves + 1)
    }

    /// The error for a member of a typed value whose name is repeated.
    #[cfg(feature = "serde")]
    #[cold]
    pub(crate) fn duplicate(&self, member: Member) -> JsonError {
        let names = Names { profile: self.profile, source: self.source, out: self.out };
        let name = decode_bytes(names.bytes(&member));
        let found = alloc::format!("{} again", Quoted(name.as_bytes()));
        let mut path = self.container_path();
        push_name(&mut path, &name);
        JsonError::of_value(JsonErrorKind::DuplicateMember, "each member name once", &found).with_path(path)
    }

    /// The error for a typed value that is nested too deeply.
    #[cfg(feature = "serde")]
    #[cold]
    pub(crate) fn too_deep(&self) -> JsonError {
        let expected = alloc::format!("at most {} nested arrays and objects", self.max_depth);
        JsonError::of_value(JsonErrorKind::TooDeep, expected, &"one more")
    }

    /// The first of the open objects' names that is repeated: the index of its quote in the source, and the pointer to its
    /// object.
    #[cold]
    pub(crate) fn first_repeated(&self) -> Option<(usize, String)> {
        let names = Names { profile: self.profile, source: self.source, out: self.out };
        let ends = self.frames.iter().skip(1).map(|frame| frame.first_member);
        let ends = ends.chain(core::iter::once(self.members.len()));
        let mut order = Vec::new();
        core::iter::zip(self.frames.iter().enumerate(), ends).find_map(|((depth, frame), end)| {
            let members = self.members.get(frame.first_member..end)?;
            order.clear();
            let repeated = names.sort(members, &mut order).err()?;
            Some((repeated.at, self.path_within(depth)))
        })
    }

    /// JSON Pointer to the value that is being written: of an object, the member whose name came last.
    #[cold]
    pub(crate) fn path(&self) -> String {
        self.path_within(self.frames.len())
    }

    /// JSON Pointer to the innermost open container.
    #[cold]
    pub(crate) fn container_path(&self) -> String {
        self.path_within(self.frames.len().saturating_sub(1))
    }

    /// JSON Pointer to what comes last within so many open containers.
    #[cold]
    fn path_within(&self, depth: usize) -> String {
        let names = Names { profile: self.profile, source: self.source, out: self.out };
        let mut path = String::new();
        for (index, frame) in self.frames.iter().enumerate().take(depth) {
            let end = self.frames.get(index + 1).map_or(self.members.len(), |inner| inner.first_member);
            let member = self.members.get(frame.first_member..end).and_then(<[Member]>::last);
            match (frame.container, member) {
                (Container::Array, _) => push_index(&mut path, frame.items),
                (Container::Object, Some(member)) => push_name(&mut path, &decode_bytes(names.bytes(member))),
                (Container::Object, None) => {}
            }
        }
        path
    }
}

/// What member names are compared with.
#[derive(Clone, Copy)]
struct Names<'a> {
    profile: Profile,
    source: &'a [u8],
    out: &'a [u8],
}

impl<'a> Names<'a> {
    /// The name between its quotes, escaped canonically.
    #[inline]
    fn bytes(&self, member: &Member) -> &'a [u8] {
        let (bytes, quote) = match member.name.place() {
            Place::Source => (self.source, member.at),
            Place::Output => (self.out, member.start),
        };
        part(bytes, quote + 1..quote + 1 + member.name.len())
    }

    #[inline]
    fn compare(&self, a: &Member, b: &Member) -> Ordering {
        a.prefix.cmp(&b.prefix).then_with(|| self.compare_whole(a, b))
    }

    #[inline(never)]
    fn compare_whole(&self, a: &Member, b: &Member) -> Ordering {
        self.profile.compare_spelled(self.bytes(a), self.bytes(b), a.name.escaped() || b.name.escaped())
    }

    /// Fills `order` with the members' indices, sorted by name. A repeated name is an error.
    ///
    /// Tries the order of an earlier object first: objects of an array tend to have one shape.
    fn sort(&self, members: &[Member], order: &mut Vec<usize>) -> Result<(), Member> {
        let rises = |pair: &[usize]| match pair {
            &[a, b] => members.get(a).zip(members.get(b)).is_some_and(|(a, b)| self.compare(a, b).is_lt()),
            _ => true,
        };
        if order.len() == members.len() && order.windows(2).all(rises) {
            return Ok(());
        }
        order.clear();
        order.extend(0..members.len());
        order.sort_unstable_by(|&a, &b| match members.get(a).zip(members.get(b)) {
            // Of equal names the later one comes second.
            Some((name_a, name_b)) => self.compare(name_a, name_b).then(a.cmp(&b)),
            None => a.cmp(&b),
        });
        match order.windows(2).filter(|pair| !rises(pair)).filter_map(|pair| pair.last()).min() {
            None => Ok(()),
            Some(&second) => members.get(second).map_or(Ok(()), |member| Err(*member)),
        }
    }
}
