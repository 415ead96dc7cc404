//! The probability from which on a block is kept.

use super::blocks::Blocks;

/// The probabilities of blocks with their indices, the highest first, equal ones in their order. `O(n log n)`.
pub(super) fn best_first(chances: &[f32]) -> Vec<(f32, usize)> {
    // The bits of numbers from 0 on sort as the numbers do, and one integer sorts faster than two keys.
    let key = |(index, chance): (usize, &f32)| u64::from(!chance.to_bits()) << 32 | index as u64;
    let mut keys: Vec<u64> = chances.iter().enumerate().map(key).collect();
    keys.sort_unstable();
    keys.into_iter().map(|key| (f32::from_bits(!((key >> 32) as u32)), key as u32 as usize)).collect()
}

/// The threshold that maximises the expected F-beta, and that F-beta. `O(n)`.
pub(super) fn best(
    blocks: &Blocks,
    chances: &[f32],
    best_first: &[(f32, usize)],
    beta_squared: f64,
) -> (f32, f64) {
    let words = |index: usize| blocks.blocks.get(index).map_or(0.0, |block| f64::from(block.counts.words));
    let expected: f64 =
        chances.iter().enumerate().map(|(index, &chance)| words(index) * f64::from(chance)).sum();
    let (mut taken, mut hits) = (0.0, 0.0);
    let (mut best, mut threshold) = (-1.0, 0.0);
    for &(chance, index) in best_first {
        taken += words(index);
        hits += words(index) * f64::from(chance);
        let f1 = hits / (taken + beta_squared * expected + f64::EPSILON);
        if f1 > best {
            best = f1;
            threshold = chance;
        }
    }
    (threshold, (1.0 + beta_squared) * best)
}

#[cfg(test)]
mod tests {
    use super::super::testing::Marked;
    use super::*;

    #[test]
    fn the_threshold_makes_the_expected_f1_the_largest() {
        let page = Marked::of(&"<p>one two three four".repeat(4));
        let chances = [0.2, 0.9, 0.6, 0.8];
        let order = best_first(&chances);
        assert_eq!(order.iter().map(|&(_, place)| place).collect::<Vec<_>>(), [1, 3, 2, 0]);
        // Every threshold tried by hand: twice what is right of what is taken and of what is to be taken.
        let f = |from: f32, beta: f64| {
            let taken: Vec<f64> = chances.iter().filter(|&&c| c >= from).map(|&c| f64::from(c)).collect();
            let (hits, all) = (taken.iter().sum::<f64>(), chances.iter().map(|&c| f64::from(c)).sum::<f64>());
            (1.0 + beta) * hits / (taken.len() as f64 + beta * all)
        };
        for beta in [0.25, 1.0, 4.0] {
            let (chosen, expected) = best(&page.blocks, &chances, &order, beta);
            let best = chances.iter().map(|&from| f(from, beta)).fold(0.0, f64::max);
            assert!((expected - best).abs() < 1e-9 && (f(chosen, beta) - best).abs() < 1e-9, "{beta}");
        }
        assert_eq!(best(&page.blocks, &chances, &order, 0.25).0, 0.8);
        assert_eq!(best(&page.blocks, &chances, &order, 1.0).0, 0.6);
        assert_eq!(best(&page.blocks, &chances, &order, 4.0).0, 0.2);
        assert_eq!(best_first(&[0.5, 0.5]), [(0.5, 0), (0.5, 1)]);
    }
}
