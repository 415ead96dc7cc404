#!/usr/bin/env python3
"""Calibrates how sure titles, authors and dates are.

    cargo run --release -p evaluate --features candidates -- WEB --metadata --pages pages.jsonl
    calibrate_meta.py pages.jsonl         prints ../src/meta/calibration.rs's knots and the table of the README

Of each value, whether it is exactly the label's is compared with the weight that it was chosen with; a value where the
label is empty counts as wrong. The knots are means of groups of about equally many pages, made monotone (pool adjacent
violators). The table is made with knots from one half of the sites and filled with the other, and the other way round.
"""
import json
import sys

GROUPS = 10
FIELDS = ("title", "author", "date")


def values(pages, field):
    for page in pages:
        for line in page["candidates"]:
            if line.startswith(f"weight {field} "):
                yield float(line.split(" ")[2]), float(page[field][0] == "exact"), page["open"]


def knots(pairs):
    """(weight, share that is right) of groups, rising in both; equal weights are in one group."""
    pairs = sorted(pairs)
    pools = []
    for weight, right in pairs:
        if not pools or (pools[-1][2] >= len(pairs) / GROUPS and weight - pools[-1][3] > 1e-3):
            pools.append([0.0, 0.0, 0, weight])
        pool = pools[-1]
        pools[-1] = [pool[0] + weight, pool[1] + right, pool[2] + 1, weight]
    if len(pools) > 1 and pools[-1][2] < len(pairs) / GROUPS / 2:
        pools[-2] = [x + y for x, y in zip(pools[-2], pools.pop())]
    pools = [pool[:3] for pool in pools]
    at = 0
    while at + 1 < len(pools):
        first, second = pools[at], pools[at + 1]
        if first[1] / first[2] > second[1] / second[2] or second[0] / second[2] - first[0] / first[2] < 1e-3:
            pools[at] = [x + y for x, y in zip(first, pools.pop(at + 1))]
            at = max(at - 1, 0)
        else:
            at += 1
    return [(round(a / n, 3), round(min(b / n, 0.99), 3)) for a, b, n in pools]


def calibrated(weight, table):
    """As calibration.rs does it: the line between knots, the nearest knot beyond them."""
    if weight <= table[0][0]:
        return table[0][1]
    for (x0, y0), (x1, y1) in zip(table, table[1:]):
        if weight <= x1:
            return y0 + (y1 - y0) * (weight - x0) / (x1 - x0)
    return table[-1][1]


def main(path):
    pages = [json.loads(line) for line in open(path, encoding="utf-8")]
    edges = [0, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 1.01]
    print("| | confidence | values | mean confidence | share that is exact | mean weight before |\n|---|---|---|---|---|---|")
    tables = []
    for field in FIELDS:
        own = list(values(pages, field))
        tables.append((field, knots([(w, y) for w, y, _ in own])))
        judged = []
        for half in (True, False):
            table = knots([(w, y) for w, y, is_open in own if is_open != half])
            judged += [(calibrated(w, table), w, y) for w, y, is_open in own if is_open == half]
        for low, high in zip(edges, edges[1:]):
            group = [one for one in judged if low <= one[0] < high]
            if group:
                c, w, y = (sum(one[i] for one in group) / len(group) for i in range(3))
                print(f"| {field} | {low:.2f} to {min(high, 1):.2f} | {len(group)} | {c:.3f} | {y:.3f} | {w:.3f} |")
        # The mean over tenths of what is told, weighed by their sizes.
        for at, name in ((0, "calibrated"), (1, "before")):
            tenths = {}
            for one in judged:
                tenths.setdefault(min(int(one[at] * 10), 9), []).append(one)
            error = sum(abs(sum(one[at] - one[2] for one in group)) for group in tenths.values()) / len(judged)
            print(f"{field}: difference of {name} and share: {error:.3f}", file=sys.stderr)
    for field, table in tables:
        inner = ", ".join(f"({x}, {y})" for x, y in table)
        print(f"{field.upper()}: &[{inner}];")


if __name__ == "__main__":
    main(sys.argv[1])
