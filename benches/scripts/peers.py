#!/usr/bin/env python3
"""Scores and times our extractor beside its peers, on the same pages in the same run.

    python3 -m venv peers && peers/bin/pip install trafilatura==2.3.1 lxml_html_clean resiliparse==2.0.1
    cargo build --release -p extract
    cargo build --release -p benches --features peers --example peers
    peers/bin/python benches/scripts/peers.py target/release CORPUS [--news] [--rounds N]

CORPUS is a folder with `html/` (pages as ID.html or ID.html.gz), `ground-truth.json` (an object of objects by ID, with
`articleBody` or `main_content`, and perhaps `type`). With --news the score is that of article-extraction-benchmark
(runs of four words; precision and recall are means over pages), and those that can favour precision do; without, it is
the mean F1 of the pages' words as multisets, for all pages and for each type.

Scored is the plain text of each. Our model was trained on the public halves of the two corpora that the crate's README
names, so on those our own scores here are too good: the README has the cross-validated ones beside them. The peers were
never fitted to these pages by us; trafilatura's rules have grown with the news benchmark.

Time is seconds of the processor, the least of N rounds (3), so that other programs on the machine count little. For the
Rust programs that is all they do: reading and unpacking files, parsing, writing JSON. For the Python peers it is that of
their calls alone, on pages that are in memory.
"""
import argparse
import collections
import gzip
import json
import re
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

RUST_PEERS = ("dom_smoothie", "rs-trafilatura", "trafilatura")


def python_peers(news):
    import trafilatura
    from resiliparse.extract.html2text import extract_plain_text

    def with_trafilatura(page):
        if news:
            found = trafilatura.extract(page, favor_precision=True, include_comments=False)
        else:
            found = trafilatura.extract(page, include_comments=True)
        return found or ""

    def with_resiliparse(page):
        text = page.decode("utf-8", "replace")
        return extract_plain_text(text, main_content=True, alt_texts=False, comments=not news)

    return {"trafilatura (Python)": with_trafilatura, "resiliparse (Python)": with_resiliparse}


def read_pages(folder):
    pages = {}
    for path in sorted(folder.iterdir()):
        if path.name.endswith(".html.gz"):
            pages[path.name[:-8]] = gzip.open(path).read()
        elif path.name.endswith(".html"):
            pages[path.name[:-5]] = path.read_bytes()
    return pages


def lines_of(command):
    """The predictions of a program, and the seconds that it has computed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return {line["id"]: line["text"] for line in map(json.loads, done.stdout.splitlines())}, took


def words_of_pages(predictions, truth):
    def f1(page, expected):
        found, wanted = (collections.Counter(re.findall(r"\w+", text.lower())) for text in (page, expected))
        both = sum((found & wanted).values())
        if not wanted:
            return float(not found)
        return 2 * both / (sum(found.values()) + sum(wanted.values()))

    scores = collections.defaultdict(list)
    for name, facts in truth.items():
        score = f1(predictions.get(name, ""), facts["main_content"])
        for kind in ("all", facts.get("type", "all")):
            scores[kind].append(score)
    return {kind: statistics.mean(values) for kind, values in scores.items()}


def runs_of_words(predictions, truth):
    def runs(text):
        words = re.findall(r"\w+", text)
        return collections.Counter(zip(*(words[at:] for at in range(4))) if len(words) > 4 else [tuple(words)] if words else [])

    precision, recall = [], []
    for name, facts in truth.items():
        found, wanted = runs(predictions.get(name, "")), runs(facts["articleBody"])
        both = sum((found & wanted).values())
        if found:
            precision.append(both / sum(found.values()))
        if wanted:
            recall.append(both / sum(wanted.values()))
    precision, recall = statistics.fmean(precision), statistics.fmean(recall)
    return {"all": 2 * precision * recall / (precision + recall), "precision": precision, "recall": recall}


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("programs", type=Path, help="folder of the release build")
    arguments.add_argument("corpus", type=Path)
    arguments.add_argument("--news", action="store_true")
    arguments.add_argument("--rounds", type=int, default=3)
    arguments = arguments.parse_args()
    folder = arguments.corpus / "html"
    truth = json.loads((arguments.corpus / "ground-truth.json").read_text())
    truth = {name: facts for name, facts in truth.items() if isinstance(facts, dict)}
    pages = read_pages(folder)
    score = runs_of_words if arguments.news else words_of_pages
    results, seconds = {}, collections.defaultdict(lambda: float("inf"))
    extract = str(arguments.programs / "extract")
    peers = python_peers(arguments.news)
    switch = ["--precision"] if arguments.news else []
    programs = {"ours": [extract, str(folder), "--text"]}
    for name in RUST_PEERS:
        programs[f"{name} (Rust)"] = [str(arguments.programs / "examples" / "peers"), name, str(folder), *switch]
    for _ in range(arguments.rounds):
        for name, command in programs.items():
            results[name], took = lines_of(command)
            seconds[name] = min(seconds[name], took)
        for name, peer in peers.items():
            start = time.process_time()
            results[name] = {page: peer(html) for page, html in pages.items()}
            seconds[name] = min(seconds[name], time.process_time() - start)
    scores = {name: score(found, truth) for name, found in results.items()}
    kinds = list(scores["ours"])
    print("| | " + " | ".join(kinds) + " | empty | pages a second | time ours / theirs |")
    print("|---" * (len(kinds) + 4) + "|")
    for name, found in results.items():
        row = [f"{100 * scores[name][kind]:.1f}" for kind in kinds]
        row.append(str(sum(not found.get(page, "").strip() for page in truth)))
        row.append(f"{len(pages) / seconds[name]:.0f}")
        row.append(f"{seconds['ours'] / seconds[name]:.3f}")
        print(f"| {name} | " + " | ".join(row) + " |")


if __name__ == "__main__":
    sys.exit(main())
