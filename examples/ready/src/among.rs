//! Which of many texts stand in another one: the automaton of Aho and Corasick (1975), in time proportional to all of them
//! together, where a search for each would take their product.

const ROOT: u32 = 0;
const NONE: u32 = u32::MAX;

/// The state after a prefix of one of the texts. Its successors are a list: most states have one.
struct State {
    byte: u8,
    first: u32,
    next: u32,
    /// The state of the longest end of the prefix that is itself a prefix.
    fail: u32,
    is_met: bool,
}

/// The prefixes of the texts that are looked for.
struct Automaton(Vec<State>);

impl Automaton {
    fn successor(&self, state: u32, byte: u8) -> Option<u32> {
        let mut at = self.0.get(state as usize)?.first;
        while let Some(found) = self.0.get(at as usize) {
            if found.byte == byte {
                return Some(at);
            }
            at = found.next;
        }
        None
    }

    /// The state after one byte more: that of the longest end of what was read that is a prefix.
    fn step(&self, mut state: u32, byte: u8) -> u32 {
        loop {
            match self.successor(state, byte) {
                Some(next) => return next,
                None if state == ROOT => return ROOT,
                None => state = self.0.get(state as usize).map_or(ROOT, |held| held.fail),
            }
        }
    }

    /// Adds a text; its last state.
    fn add(&mut self, text: &str) -> u32 {
        text.bytes().fold(ROOT, |state, byte| {
            self.successor(state, byte).unwrap_or_else(|| {
                let new = u32::try_from(self.0.len()).unwrap_or(NONE);
                let next = self.0.get_mut(state as usize).map_or(NONE, |held| {
                    let next = held.first;
                    held.first = new;
                    next
                });
                self.0.push(State { byte, first: NONE, next, fail: ROOT, is_met: false });
                new
            })
        })
    }
}

/// For each of the texts whether it is in one of the others; together they have less than 4 GiB.
pub(crate) fn which_are_in(texts: &[String], others: &[&str]) -> Vec<bool> {
    // The text without a byte is in each.
    let is_met = !others.is_empty();
    let mut all = Automaton(vec![State { byte: 0, first: NONE, next: NONE, fail: ROOT, is_met }]);
    let ends: Vec<u32> = texts.iter().map(|text| all.add(text)).collect();
    // Shorter prefixes first: the state that one fails to is known by then.
    let mut order = vec![ROOT];
    let mut done = 0;
    while let Some(state) = order.get(done).copied() {
        done += 1;
        let mut at = all.0.get(state as usize).map_or(NONE, |held| held.first);
        while let Some(found) = all.0.get(at as usize) {
            let (byte, next) = (found.byte, found.next);
            let up = all.0.get(state as usize).map_or(ROOT, |held| held.fail);
            let fail = if state == ROOT { ROOT } else { all.step(up, byte) };
            if let Some(found) = all.0.get_mut(at as usize) {
                found.fail = fail;
            }
            order.push(at);
            at = next;
        }
    }
    for other in others {
        let mut state = ROOT;
        for byte in other.bytes() {
            state = all.step(state, byte);
            if let Some(met) = all.0.get_mut(state as usize) {
                met.is_met = true;
            }
        }
    }
    // Where a prefix was met, so were its ends.
    for state in order.into_iter().rev() {
        if let Some(State { fail, is_met: true, .. }) = all.0.get(state as usize) {
            let fail = *fail as usize;
            if let Some(met) = all.0.get_mut(fail) {
                met.is_met = true;
            }
        }
    }
    ends.into_iter().map(|end| all.0.get(end as usize).is_some_and(|held| held.is_met)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_what_a_search_for_each_would() {
        let mut seed = 7_u64;
        let mut roll = |sides: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % sides
        };
        for _ in 0..3_000 {
            let mut word = |longest| -> String {
                (0..roll(longest)).map(|_| ['a', 'b', 'é'][roll(3) as usize]).collect()
            };
            let texts: Vec<String> = (0..6).map(|_| word(6)).collect();
            let others = [word(30), word(8)];
            let expected: Vec<bool> =
                texts.iter().map(|text| others.iter().any(|other| other.contains(text.as_str()))).collect();
            assert_eq!(which_are_in(&texts, &[&others[0], &others[1]]), expected, "{texts:?} {others:?}");
        }
    }
}
