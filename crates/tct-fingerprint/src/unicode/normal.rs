//! Normalisation form NFKC of a text, character by character.
//!
//! A character is decomposed; what comes out has a combining class. A starter (class 0) waits until the next starter
//! comes, since marks behind it may compose with it. Marks wait in a list, which is sorted by class, in their order
//! within a class, once the next starter is there. Then each mark composes with the starter if the two are a pair and
//! no mark of the same class stays between them. The next starter composes with the last one if no mark stays between
//! them. Characters that cannot change any more are emitted.
//!
//! **Cost.** Linear in the text, except for the sorting: `O(n log n)` for `n` marks in a row, and a text may have any
//! number of them. [`INLINE`] marks in a row need no memory from the heap, more of them four bytes each.

use alloc::vec::Vec;
use core::marker::PhantomData;

use super::{Data, IOTA_BELOW, Property, compose};
use crate::table::LAST_MARK;

/// Marks in a row that are kept without the heap. No language's texts have more.
const INLINE: usize = 32;

/// Gives the text's NFKC to `emit`, in pieces of at most one starter and the marks behind it.
pub(crate) fn nfkc_with<D: Data>(text: &str, emit: &mut impl FnMut(Option<char>, &[Mark])) {
    let mut waiting = Waiting::<D>::default();
    text.chars().for_each(|c| waiting.push(c, emit));
    waiting.finish(emit);
}

/// The characters of a piece.
pub(crate) fn characters(starter: Option<char>, marks: &[Mark]) -> impl Iterator<Item = char> {
    starter.into_iter().chain(marks.iter().map(|mark| mark.character()))
}

/// A starter and the marks behind it.
#[derive(Clone)]
pub(crate) struct Waiting<D> {
    data: PhantomData<D>,
    starter: Option<char>,
    few: [Mark; INLINE],
    len: usize,
    /// All marks, once they are too many for `few`.
    many: Vec<Mark>,
}

/// A mark with its class in the upper eight bits: one number, which sorting moves.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Mark(u32);

impl Mark {
    #[inline(always)]
    pub(crate) fn new(c: char, class: u8) -> Self {
        Mark(u32::from(class) << 24 | u32::from(c))
    }

    pub(crate) fn class(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// Its case-folded form.
    pub(crate) fn folded(self) -> char {
        match self.character() {
            IOTA_BELOW => 'ι',
            c => c,
        }
    }

    fn character(self) -> char {
        char::from_u32(self.0 & 0xFF_FFFF).unwrap_or_default()
    }
}

impl<D> Default for Waiting<D> {
    #[inline]
    fn default() -> Self {
        Waiting { data: PhantomData, starter: None, few: [Mark(0); INLINE], len: 0, many: Vec::new() }
    }
}

impl<D: Data> Waiting<D> {
    /// Takes the next character, whatever it is.
    #[inline]
    pub(crate) fn push(&mut self, c: char, emit: &mut impl FnMut(Option<char>, &[Mark])) {
        match D::property(c) {
            Property::Class(0) => self.push_starter(c, emit),
            Property::Class(class) => self.push_mark(Mark::new(c, class)),
            Property::Text(text) => self.push_text(text.as_ref(), emit),
            Property::Syllable(lead, vowel, last) => {
                [lead, vowel].into_iter().chain(last).for_each(|c| self.push_starter(c, emit));
            }
        }
    }

    /// Takes characters that do not decompose.
    #[inline]
    fn push_text(&mut self, text: &str, emit: &mut impl FnMut(Option<char>, &[Mark])) {
        text.chars().for_each(|c| match D::class(c) {
            0 => self.push_starter(c, emit),
            class => self.push_mark(Mark::new(c, class)),
        });
    }

    #[inline(never)]
    fn push_starter(&mut self, c: char, emit: &mut impl FnMut(Option<char>, &[Mark])) {
        if self.len == 0 && self.starter.is_none() {
            self.starter = Some(c);
            return;
        }
        self.settle();
        if self.len == 0
            && let Some(composed) = self.starter.and_then(|starter| compose::<D>(starter, c))
        {
            self.starter = Some(composed);
            return;
        }
        if self.starter.is_some() || self.len != 0 {
            self.emit(emit);
        }
        self.starter = Some(c);
    }

    /// Takes a mark that does not decompose.
    #[inline]
    pub(crate) fn push_mark(&mut self, mark: Mark) {
        match self.few.get_mut(self.len) {
            Some(free) => *free = mark,
            None => self.push_one_of_many(mark),
        }
        self.len += 1;
    }

    #[inline(never)]
    fn push_one_of_many(&mut self, mark: Mark) {
        if self.len == INLINE {
            self.many.clear();
            self.many.extend_from_slice(&self.few);
        }
        self.many.push(mark);
    }

    fn marks(&mut self) -> &mut [Mark] {
        if self.len > INLINE { &mut self.many } else { self.few.get_mut(..self.len).unwrap_or_default() }
    }

    /// Puts the marks in order and lets those compose that can; the others stay.
    fn settle(&mut self) {
        if self.len == 0 {
            return;
        }
        let starter = self.starter;
        let marks = self.marks();
        match marks.len() {
            ..=INLINE => insertion_sort(marks),
            _ => marks.sort_by_key(|mark| mark.class()),
        }
        let Some(mut starter) = starter else { return };
        let mut stayed = 0;
        let mut last_class = 0;
        for at in 0..marks.len() {
            let Some(&mark) = marks.get(at) else { break };
            if last_class != mark.class()
                // Most marks compose with nothing, which their entry says.
                && D::entry(mark.0 & 0xFF_FFFF) > LAST_MARK
                && let Some(composed) = compose::<D>(starter, mark.character())
            {
                starter = composed;
                continue;
            }
            last_class = mark.class();
            if let Some(place) = marks.get_mut(stayed) {
                *place = mark;
            }
            stayed += 1;
        }
        self.starter = Some(starter);
        if self.len > INLINE {
            self.many.truncate(stayed);
            if let (true, Some(few)) = (stayed <= INLINE, self.few.get_mut(..stayed)) {
                few.copy_from_slice(&self.many);
            }
        }
        self.len = stayed;
    }

    /// Emits the starter and the marks, which are in order.
    fn emit(&mut self, emit: &mut impl FnMut(Option<char>, &[Mark])) {
        let starter = self.starter.take();
        emit(starter, self.marks());
        self.len = 0;
    }

    /// Emits everything that waits; the next character begins another text.
    pub(crate) fn finish(&mut self, emit: &mut impl FnMut(Option<char>, &[Mark])) {
        self.settle();
        self.emit(emit);
    }
}

/// Sorts a few marks by class and leaves those of one class in their order.
fn insertion_sort(marks: &mut [Mark]) {
    for end in 2..=marks.len() {
        let mut at = end;
        while let Some([.., before, mark]) = marks.get_mut(..at)
            && before.class() > mark.class()
        {
            core::mem::swap(before, mark);
            at -= 1;
        }
    }
}
