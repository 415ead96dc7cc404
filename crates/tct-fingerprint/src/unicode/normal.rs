//! Normalisation form NFKC of a text, character by character.
//!
//! A character is decomposed; what comes out has a combining class. A starter (class 0) waits until the next starter
//! comes, since marks behind it may compose with it. Marks wait in a list, which is sorted by class, in their order
//! within a class, once the next starter is there. Then each mark composes with the starter if the two are a pair and
//! no mark of the same class stays between them. The next starter composes with the last one if no mark stays between
//! them. What cannot change any more is given away.
//!
//! **Cost.** Linear in the text, except for the sorting: `O(n log n)` for `n` marks in a row, of which there are as many as
//! a text likes. [`INLINE`] marks in a row need no memory from the heap, more of them four bytes each.

use alloc::vec::Vec;
use core::marker::PhantomData;

use super::{Data, Property, compose};

/// Marks in a row that are kept without the heap. More do not occur in any language's texts.
const INLINE: usize = 32;

/// Gives the characters of the text's NFKC to `emit`, in their order and with their combining classes.
pub(crate) fn nfkc_with<D: Data>(text: &str, emit: &mut impl FnMut(char, u8)) {
    let mut waiting = Waiting::<D>::default();
    text.chars().for_each(|c| waiting.push(c, emit));
    waiting.finish(emit);
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

/// A mark: its class in the upper eight bits, so that one number is all that is moved.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Mark(u32);

impl Mark {
    /// Set for marks that compose with nothing before them.
    const STAYS: u32 = 1 << 23;

    fn new(c: char, class: u8) -> Self {
        Mark(u32::from(class) << 24 | u32::from(c))
    }

    /// A mark of this class that composes with nothing before it.
    #[inline(always)]
    pub(crate) fn that_stays(c: char, class: u8) -> Self {
        Mark(u32::from(class) << 24 | Self::STAYS | u32::from(c))
    }

    fn class(self) -> u8 {
        (self.0 >> 24) as u8
    }

    fn may_compose(self) -> bool {
        self.0 & Self::STAYS == 0
    }

    fn character(self) -> char {
        char::from_u32(self.0 & (Self::STAYS - 1)).unwrap_or_default()
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
    pub(crate) fn push(&mut self, c: char, emit: &mut impl FnMut(char, u8)) {
        match D::property(c) {
            Property::Class(0) => self.push_starter(c, emit),
            Property::Class(class) => self.push_mark(Mark::new(c, class)),
            Property::Text(text) => text.as_ref().chars().for_each(|c| match D::class(c) {
                0 => self.push_starter(c, emit),
                class => self.push_mark(Mark::new(c, class)),
            }),
            Property::Syllable(lead, vowel, last) => {
                [lead, vowel].into_iter().chain(last).for_each(|c| self.push_starter(c, emit));
            }
        }
    }

    fn push_starter(&mut self, c: char, emit: &mut impl FnMut(char, u8)) {
        self.settle();
        if self.len == 0
            && let Some(composed) = self.starter.and_then(|starter| compose::<D>(starter, c))
        {
            self.starter = Some(composed);
            return;
        }
        self.emit(emit);
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
        if !marks.is_sorted_by_key(|mark| mark.class()) {
            match marks.len() {
                ..=INLINE => insertion_sort(marks),
                _ => marks.sort_by_key(|mark| mark.class()),
            }
        }
        let Some(mut starter) = starter else { return };
        let mut stayed = 0;
        let mut last_class = 0;
        for at in 0..marks.len() {
            let Some(&mark) = marks.get(at) else { break };
            if last_class != mark.class()
                && mark.may_compose()
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

    /// Gives away the starter and the marks, which are in order.
    fn emit(&mut self, emit: &mut impl FnMut(char, u8)) {
        if let Some(starter) = self.starter.take() {
            emit(starter, 0);
        }
        self.marks().iter().for_each(|mark| emit(mark.character(), mark.class()));
        self.len = 0;
    }

    /// Gives away all that waits; the next character begins another text.
    pub(crate) fn finish(&mut self, emit: &mut impl FnMut(char, u8)) {
        self.settle();
        self.emit(emit);
    }
}

/// Sorts a few marks by class and leaves those of one class in their order.
fn insertion_sort(marks: &mut [Mark]) {
    for end in 1..marks.len() {
        let mut at = end;
        while let Some([before, mark]) = at.checked_sub(1).and_then(|from| marks.get_mut(from..=at))
            && before.class() > mark.class()
        {
            core::mem::swap(before, mark);
            at -= 1;
        }
    }
}
