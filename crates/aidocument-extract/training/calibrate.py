#!/usr/bin/env python3
"""Calibrates what the content model expects of itself.

    train.py FOLDER CORPUS... --check     writes FOLDER/pages.jsonl, of pages that were not trained on
    calibrate.py pages.jsonl              prints the knots of ../src/content/calibration.rs and the table of the README

Of each page, the F1 by words of what was extracted is compared with the F1 that the model expected. The knots are
means of groups of equally many pages, made monotone (pool adjacent violators). The table is made with knots from the
pages with even numbers and filled with the others, and the other way round, so that no page is in the group that judges
it.
"""
import collections, json, re, sys

GROUPS = 12


def f1(found, truth):
    found, truth = (collections.Counter(re.findall(r'\w+', (text or '').lower())) for text in (found, truth))
    both = sum((found & truth).values())
    return 2 * both / (sum(found.values()) + sum(truth.values())) if both else float(not truth and not found)


def knots(pairs):
    """(expected, reached) of groups, rising in both."""
    pairs = sorted(pairs)
    size = len(pairs) / GROUPS
    groups = [pairs[round(i * size):round((i + 1) * size)] for i in range(GROUPS)]
    pools = [[sum(a for a, b in g), sum(b for a, b in g), len(g)] for g in groups if g]
    at = 0
    while at + 1 < len(pools):
        if pools[at][1] / pools[at][2] > pools[at + 1][1] / pools[at + 1][2]:
            pools[at] = [x + y for x, y in zip(pools[at], pools.pop(at + 1))]
            at = max(at - 1, 0)
        else:
            at += 1
    found = [(a / n, b / n) for a, b, n in pools]
    return [(0.0, 0.0)] * (found[0][0] > 0) + found + [(1.0, found[-1][1])] * (found[-1][0] < 1)


def calibrated(expected, table):
    for (x0, y0), (x1, y1) in zip(table, table[1:]):
        if expected <= x1:
            return y0 + (y1 - y0) * (expected - x0) / (x1 - x0) if x1 > x0 else y1
    return table[-1][1]


def main(path):
    pages = [json.loads(line) for line in open(path, encoding='utf-8')]
    pages = [(p['expected'], f1(p['text'], p['truth'])) for p in pages if p['expected'] is not None]
    for x, y in knots(pages):
        print(f'    ({x:.3f}, {y:.3f}),')
    halves = pages[::2], pages[1::2]
    judged = []
    for own, other in (halves, halves[::-1]):
        table = knots(own)
        judged += [(calibrated(x, table), x, y) for x, y in other]
    print('\n| confidence | pages | mean confidence | mean F1 | mean before calibration |\n|---|---|---|---|---|')
    edges = [0, 0.5, 0.7, 0.8, 0.85, 0.9, 0.95, 1.01]
    error = before = 0
    for low, high in zip(edges, edges[1:]):
        group = [p for p in judged if low <= p[0] < high]
        if not group:
            continue
        n = len(group)
        c, x, y = (sum(p[i] for p in group) / n for i in range(3))
        error += n * abs(c - y)
        print(f'| {low:.2f} to {min(high, 1):.2f} | {n} | {c:.3f} | {y:.3f} | {x:.3f} |')
    for low in range(20):
        group = [p for p in judged if low / 20 <= p[1] < (low + 1) / 20 + (low == 19)]
        before += abs(sum(p[1] - p[2] for p in group))
    print(f'\nexpected calibration error {error / len(judged):.3f}, before calibration {before / len(judged):.3f}')


if __name__ == '__main__':
    main(sys.argv[1])
