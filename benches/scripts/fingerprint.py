#!/usr/bin/env python3
"""Puts the figures of a run of the bench `fingerprint` into the tables of tct-fingerprint's README, and counts the goals missed.

    cargo bench -p benches --bench fingerprint > run.txt
    benches/scripts/fingerprint.py run.txt crates/tct-fingerprint/README.md

Rows are found by their first column. A row that the run does not have stays as it is, and is named.
"""
import collections
import pathlib
import re
import sys

run, readme = map(pathlib.Path, sys.argv[1:3])
ratios, speeds, aims = {}, {}, collections.defaultdict(dict)
for line in run.read_text().splitlines():
    if found := re.fullmatch(r"RATIO fingerprint/(\S+) (\S+)/sha256 ([\d.]+)", line):
        ratios[found[1], found[2]] = float(found[3])
    elif found := re.fullmatch(r"SPEED fingerprint/(\S+) (\S+) (\d+) MB/s", line):
        speeds[found[1], found[2]] = int(found[3])
    elif line.startswith("AIM"):
        name = line.split()[1].removeprefix("fingerprint/")
        aims[name] |= {width: float(aim) for width, aim in re.findall(r"(\S+)/sha256 ([\d.]+)", line)}

WIDTHS = ["sse2", "sse4.2", "avx2"]


def cells(name):
    """The columns of a row behind its name, or None if the run has no such row."""
    def of(name, widths):
        return [f"{ratios[name, width]:.2f}" if (name, width) in ratios else "" for width in widths]

    if (f"hostile-{name}", "avx2") in speeds:
        return [str(speeds[f"hostile-{name}", width]) for width in WIDTHS]
    if (f"short-{name}", "avx2") in ratios:
        return of(f"short-{name}", ["one-pass", "sse2", "avx2"])
    if (name, "avx2") in ratios:
        return [*of(name, WIDTHS), str(speeds[name, "avx2"]), *of(f"nfd-{name}", WIDTHS)]
    if (name, "one-pass") in ratios:
        return of(name, ["one-pass"])
    return None


lines, missing = [], []
for line in readme.read_text().splitlines():
    name = line.split("|")[1].strip() if line.startswith("| ") and line.count("|") in (3, 5, 9) else None
    figures = name and not name.startswith("-") and cells(name)
    if figures:
        line = f"| {name} | " + " | ".join(figures) + " |"
        line = line.replace("|  ", "| ")
    elif name and re.fullmatch(r"[\d.| ]+", line.split("|", 2)[2]):
        missing.append(name)
    lines.append(line)
readme.write_text("\n".join(lines) + "\n")

for width in ["avx2", "sse2"]:
    for prefix, what in [("", "languages"), ("nfd-", "letters and marks apart")]:
        rows = {
            name: ratios[name, width] - aim[width]
            for name, aim in aims.items()
            if width in aim and name.startswith("nfd-") == bool(prefix) and (name, width) in ratios
        }
        missed = [name for name, excess in rows.items() if excess > 0]
        print(f"{width}, {what}: {len(missed)} of {len(rows)} miss their goal")
slow = sorted((speed, name) for (name, width), speed in speeds.items() if width == "avx2" and name.startswith("hostile"))
print("hostile below 300 MB/s:", ", ".join(f"{name} {speed}" for speed, name in slow if speed < 300) or "none")
if missing:
    print("not in the run:", ", ".join(missing))
