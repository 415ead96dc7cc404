//! From what the extraction expects of itself to what it reaches: the knots of `calibration.rs`, and how well they hold.
//!
//! Tables are made with knots from one half of the sites and filled with the other half, and the other way round, so that no
//! page is in the group that judges it.

use std::io::Write;

use crate::Result;

/// What was expected, what was reached, and the half of the page's site.
pub(crate) type Judged = (f64, f64, bool);

type Knots = Vec<(f64, f64)>;

/// The sum of what was expected, that of what was reached, and how many.
type Pool = (f64, f64, f64);

/// Groups of equally many pages, or of as many values at least.
const PAGES: usize = 12;
const VALUES: f64 = 10.0;

/// Makes means rise with what was expected: neighbours that fall are joined (pool adjacent violators).
fn rising(pools: &mut Vec<Pool>, falls: impl Fn(&Pool, &Pool) -> bool) -> Knots {
    let mut done: Vec<Pool> = Vec::new();
    for pool in pools.drain(..) {
        let mut pool = pool;
        while let Some(last) = done.pop_if(|last| falls(last, &pool)) {
            pool = (last.0 + pool.0, last.1 + pool.1, last.2 + pool.2);
        }
        done.push(pool);
    }
    done.into_iter().map(|(expected, reached, count)| (expected / count, reached / count)).collect()
}

fn sorted(judged: &[Judged], of_half: Option<bool>) -> Vec<(f64, f64)> {
    let own = judged.iter().filter(|one| of_half.is_none_or(|half| one.2 == half));
    let mut pairs: Vec<(f64, f64)> = own.map(|one| (one.0, one.1)).collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    pairs
}

/// The knots for the content: means of groups of equally many pages.
pub(crate) fn of_pages(judged: &[Judged], of_half: Option<bool>) -> Knots {
    let pairs = sorted(judged, of_half);
    let size = pairs.len() as f64 / PAGES as f64;
    let place = |group: usize| (group as f64 * size).round() as usize;
    let mut pools: Vec<Pool> = (0..PAGES)
        .filter_map(|group| pairs.get(place(group)..place(group + 1)))
        .filter(|group| !group.is_empty())
        .map(sum)
        .collect();
    let found = rising(&mut pools, |a, b| a.1 / a.2 > b.1 / b.2 || a.0 / a.2 >= b.0 / b.2);
    let last = found.last().copied().filter(|last| last.0 < 1.0);
    let end = last.map(|last| (1.0, last.1));
    let start = found.first().filter(|first| first.0 > 0.0).map(|_| (0.0, 0.0));
    start.into_iter().chain(found).chain(end).collect()
}

fn sum(pairs: &[(f64, f64)]) -> Pool {
    pairs.iter().fold((0.0, 0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1, sum.2 + 1.0))
}

/// The knots for values: equal weights are in one group.
pub(crate) fn of_values(judged: &[Judged], of_half: Option<bool>) -> Knots {
    let pairs = sorted(judged, of_half);
    let least = pairs.len() as f64 / VALUES;
    let mut pools: Vec<(Pool, f64)> = Vec::new();
    for (weight, right) in pairs {
        match pools.last_mut() {
            Some((pool, highest)) if pool.2 < least || weight - *highest <= 1e-3 => {
                *pool = (pool.0 + weight, pool.1 + right, pool.2 + 1.0);
                *highest = weight;
            }
            _ => pools.push(((weight, right, 1.0), weight)),
        }
    }
    let mut pools: Vec<Pool> = pools.into_iter().map(|(pool, _)| pool).collect();
    if pools.len() > 1
        && let Some(last) = pools.pop_if(|last| last.2 < least / 2.0)
        && let Some(before) = pools.last_mut()
    {
        *before = (before.0 + last.0, before.1 + last.1, before.2 + last.2);
    }
    let falls = |a: &Pool, b: &Pool| a.1 / a.2 > b.1 / b.2 || b.0 / b.2 - a.0 / a.2 < 1e-3;
    rising(&mut pools, falls).into_iter().map(|(weight, share)| (weight, share.min(0.99))).collect()
}

/// The line between knots, the nearest one beyond them.
pub(crate) fn calibrated(expected: f64, knots: &[(f64, f64)]) -> f64 {
    let mut before: Option<(f64, f64)> = None;
    for &(x, y) in knots {
        if expected <= x {
            return before.map_or(
                y,
                |(x0, y0)| {
                    if x > x0 { y0 + (y - y0) * (expected - x0) / (x - x0) } else { y }
                },
            );
        }
        before = Some((x, y));
    }
    before.map_or(expected, |(_, y)| y)
}

/// Prints the knots and the rows of the README's table, of values whose name is given or of pages.
pub(crate) fn print(
    name: Option<&str>,
    judged: &[Judged],
    knots_of: fn(&[Judged], Option<bool>) -> Knots,
    edges: &[f64],
    out: &mut impl Write,
) -> Result<()> {
    let mut told: Vec<(f64, f64, f64)> = Vec::new();
    for half in [true, false] {
        let knots = knots_of(judged, Some(!half));
        let own = judged.iter().filter(|one| one.2 == half);
        told.extend(own.map(|one| (calibrated(one.0, &knots), one.0, one.1)));
    }
    let mean = |group: &[&(f64, f64, f64)], of: fn(&(f64, f64, f64)) -> f64| {
        group.iter().map(|one| of(one)).sum::<f64>() / group.len().max(1) as f64
    };
    let in_name = name.map_or_else(String::new, |name| format!("{name} | "));
    for pair in edges.windows(2) {
        let [low, high] = pair else { continue };
        let group: Vec<_> = told.iter().filter(|one| (*low..*high).contains(&one.0)).collect();
        if !group.is_empty() {
            let (c, x, y) = (mean(&group, |one| one.0), mean(&group, |one| one.1), mean(&group, |one| one.2));
            let count = group.len();
            writeln!(
                out,
                "| {in_name}{low:.2} to {:.2} | {count} | {c:.3} | {y:.3} | {x:.3} |",
                high.min(1.0)
            )?;
        }
    }
    let difference = |of: fn(&(f64, f64, f64)) -> f64| {
        let tenth = |one: &(f64, f64, f64)| (of(one) * 10.0) as usize;
        let of_tenth = |at: usize| {
            let own = told.iter().filter(|one| tenth(one).min(9) == at);
            own.map(|one| of(one) - one.2).sum::<f64>().abs()
        };
        (0..10).map(of_tenth).sum::<f64>() / told.len().max(1) as f64
    };
    let (after, before) = (difference(|one| one.0), difference(|one| one.1));
    writeln!(out, "\nmean difference {after:.3}, before calibration {before:.3}; knots of all pages:")?;
    let knots = knots_of(judged, None);
    let knots: Vec<String> = knots.iter().map(|(x, y)| format!("({x:.3}, {y:.3})")).collect();
    writeln!(out, "{}\n", knots.join(", "))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knots_rise_and_are_means() {
        let judged: Vec<Judged> =
            (0..120).map(|at| (f64::from(at) / 120.0, f64::from(at / 60), at % 2 == 0)).collect();
        let knots = of_pages(&judged, None);
        assert_eq!((knots.first(), knots.last()), (Some(&(0.0, 0.0)), Some(&(1.0, 1.0))));
        assert!(knots.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1));
        assert!(calibrated(0.1, &knots) < 0.01 && calibrated(0.9, &knots) > 0.99);
        // What falls is joined.
        let falling = [(0.2, 1.0, true), (0.8, 0.0, true)];
        assert_eq!(of_values(&falling, None), [(0.5, 0.5)]);
        assert_eq!(of_values(&[(0.3, 1.0, true); 4], None).len(), 1);
        assert_eq!(calibrated(0.7, &[]), 0.7);
    }
}
