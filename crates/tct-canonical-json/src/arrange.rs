//! The last pass: reorders the members of nested objects.
//!
//! ```text
//! written   {"b":{"z":1,"y":2},"a":3}      noted: the outer object's members, sorted: "a":3 and "b":…
//! emitted   {"a":3,"b":{"y":2,"z":1}}      each piece once, from the outside in, whatever the depth
//! ```

use alloc::vec::Vec;
use core::ops::Range;

use crate::invariant::{broken, part};

/// Objects of a written text whose members are still in the order of the input.
#[derive(Debug, Default)]
pub(crate) struct Arrangement {
    objects: Vec<Object>,
    /// Begin and end of the members, object after object, sorted by name within each.
    members: Vec<Range<usize>>,
}

#[derive(Debug, Clone, Copy)]
struct Object {
    /// Positions of the braces.
    start: usize,
    end: usize,
    first_member: usize,
    last_member: usize,
    /// Index of the next object that is not inside this one.
    after: usize,
}

/// One step of the last pass.
enum Step {
    /// A piece of the text, which may contain noted objects, from this one on.
    Text(Range<usize>, usize),
    /// The members of an object from this one on; whether it is the first; the object behind its brace.
    Members(Object, bool, usize),
}

impl Arrangement {
    /// Returns true if no object has to be reordered.
    pub(crate) fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Notes the object between two braces, with its members in canonical order.
    pub(crate) fn note(&mut self, start: usize, end: usize, members: impl Iterator<Item = Range<usize>>) {
        let first_member = self.members.len();
        self.members.extend(members);
        self.objects.push(Object { start, end, first_member, last_member: self.members.len(), after: 0 });
    }

    /// To be called after the last note.
    pub(crate) fn settle(&mut self) {
        self.objects.sort_unstable_by_key(|object| object.start);
        let count = self.objects.len();
        let mut later: Vec<(usize, usize)> = Vec::new(); // where they start, and their indices, the nearest last
        for (index, object) in self.objects.iter_mut().enumerate().rev() {
            while later.pop_if(|(start, _)| *start < object.end).is_some() {}
            object.after = later.last().map_or(count, |&(_, index)| index);
            later.push((object.start, index));
        }
    }

    /// Index of the first object that starts at `start` or later, where none before `least` does.
    #[inline]
    fn first_from(&self, start: usize, least: usize) -> usize {
        let starts_before = |object: &Object| object.start < start;
        // Most members of most objects hold no object that is noted: only the first two that come into question are
        // looked at, and the others searched.
        let Some(object) = self.objects.get(least).filter(|object| starts_before(object)) else {
            return least;
        };
        if !self.objects.get(object.after).is_some_and(starts_before) {
            return object.after;
        }
        self.objects.partition_point(starts_before)
    }

    /// Hands out the pieces of `text` in canonical order. `O(n + m log m)` for `m` members of noted objects: each
    /// byte is handed out once. A stack of two steps a level stands in for recursion.
    pub(crate) fn emit<E>(
        &self,
        text: &[u8],
        from: usize,
        mut piece: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let between = |start: usize, end: usize| part(text, start..end);
        let mut steps = Vec::from([Step::Text(from..text.len(), 0)]);
        while let Some(step) = steps.pop() {
            match step {
                Step::Text(Range { start, end }, least) => {
                    let next = self.first_from(start, least);
                    match self.objects.get(next).filter(|object| object.start < end) {
                        None => piece(between(start, end))?,
                        Some(object) => {
                            piece(between(start, object.start + 1))?;
                            steps.push(Step::Text(object.end..end, object.after));
                            steps.push(Step::Members(*object, true, next + 1));
                        }
                    }
                }
                Step::Members(mut object, first, least) => {
                    let Some(member) = self.members.get(object.first_member) else { broken() };
                    if !first {
                        piece(b",")?;
                    }
                    object.first_member += 1;
                    if object.first_member < object.last_member {
                        steps.push(Step::Members(object, false, least));
                    }
                    steps.push(Step::Text(member.clone(), least));
                }
            }
        }
        Ok(())
    }
}
