#!/usr/bin/env python3
"""The package beside others, in one run: time, F1 by words, start-up, size.

    pip install -r benches/requirements.txt
    python benches/compare.py CORPUS [--pages 300]

CORPUS is a folder with `html/ID.html.gz` and `ground-truth.json`, as the pages of WCXB come. The contenders take turns page by
page, each on the same text; a time is the sum over the pages. `RATIO` lines are ours over theirs: below 1 is faster. A contender that
is not installed is left out, and a line says so.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import importlib.metadata
import json
import pathlib
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import aiweb


def contenders(only: str = "") -> dict[str, Callable[[str], str]]:
    """Who is installed; `only` those whose name begins so are imported."""
    found: dict[str, Callable[[str], str]] = {"aiweb": lambda html: aiweb.extract(html).text}

    def add(package: str, make: Callable[[], Callable[[str], str]]) -> None:
        if not (package + " ").startswith(only):
            return
        try:
            found[f"{package} {importlib.metadata.version(package)}"] = make()
        except (ImportError, importlib.metadata.PackageNotFoundError) as error:
            print(f"{package}: left out, {error}")

    def trafilatura() -> Callable[[str], str]:
        import trafilatura

        return lambda html: trafilatura.extract(html) or ""

    def resiliparse() -> Callable[[str], str]:
        from resiliparse.extract.html2text import extract_plain_text

        return lambda html: extract_plain_text(html, main_content=True)

    def readability() -> Callable[[str], str]:
        import lxml.html
        from readability import Document

        return lambda html: lxml.html.fromstring(Document(html).summary()).text_content()

    def markdown() -> Callable[[str], str]:
        import html_to_markdown

        def whole(html: str) -> str:
            made = html_to_markdown.convert(html)
            return made if isinstance(made, str) else str(getattr(made, "content", made))

        return whole

    add("trafilatura", trafilatura)
    add("resiliparse", resiliparse)
    add("readability-lxml", readability)
    add("html-to-markdown", markdown)
    return found


def f1(found: str, truth: str) -> float:
    ours, theirs = (collections.Counter(re.findall(r"\w+", text.lower())) for text in (found, truth))
    both = sum((ours & theirs).values())
    return 2 * both / (sum(ours.values()) + sum(theirs.values())) if both else float(not ours and not theirs)


def extraction(corpus: pathlib.Path, count: int) -> None:
    truth = json.loads((corpus / "ground-truth.json").read_text())
    names = sorted(truth)[:: max(1, len(truth) // count)][:count]
    pages = [gzip.decompress((corpus / "html" / f"{name}.html.gz").read_bytes()).decode("utf-8", "replace") for name in names]
    times: dict[str, float] = collections.defaultdict(float)
    scores: dict[str, list[float]] = collections.defaultdict(list)
    failed: collections.Counter[str] = collections.Counter()
    tools = contenders()
    for name, page in zip(names, pages):
        for tool, extract in tools.items():
            start = time.perf_counter()
            try:
                text = extract(page)
            except Exception:
                failed[tool] += 1
                text = ""
            times[tool] += time.perf_counter() - start
            scores[tool].append(f1(text, truth[name]["main_content"]))
    print(f"{len(pages)} pages, {sum(map(len, pages)) // 1000:,} kB")
    for tool in tools:
        print(f"{tool:32} F1 {statistics.mean(scores[tool]):.3f}, {failed[tool]} failed")
        if tool != "aiweb":
            print(f"RATIO python/extract aiweb/{tool} {times['aiweb'] / times[tool]:.3f}")
    print(f"aiweb: {len(pages) / times['aiweb']:.0f} pages a second on one core")
    for workers in (1, 2):
        start = time.perf_counter()
        found = sum(1 for _ in aiweb.extract_many(pages, workers=workers))
        took = time.perf_counter() - start
        assert found == len(pages)
        print(f"RATIO python/extract_many workers-{workers}/one-call-a-page {took / times['aiweb']:.3f}")
        print(f"aiweb.extract_many, {workers} workers: {len(pages) / took:.0f} pages a second")


def memory(corpus: pathlib.Path, count: int) -> None:
    """The most memory that a process takes for the pages, each contender in a process of its own; Linux."""
    code = (
        "import gzip, pathlib, sys; sys.path.insert(0, sys.argv[3]); import compare; corpus = pathlib.Path(sys.argv[1]);"
        "files = sorted((corpus / 'html').iterdir())[::9][:int(sys.argv[2])]; extract = compare.contenders(sys.argv[4].split()[0] + ' ')[sys.argv[4]]\n"
        "for file in files:\n"
        "    try: extract(gzip.decompress(file.read_bytes()).decode('utf-8', 'replace'))\n"
        "    except Exception: pass\n"
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    for tool in contenders():
        command = [sys.executable, "-c", code, str(corpus), str(count), str(pathlib.Path(__file__).parent), tool]
        run = subprocess.run(command, capture_output=True, text=True)
        print(f"memory {tool}: {int(run.stdout.split()[-1]) // 1024 if run.stdout else '?'} MB at most")


def turns(case: str, tools: dict[str, Callable[[], object]], rounds: int = 200) -> None:
    answers = {repr(run()) for run in tools.values()}
    assert len(answers) == 1, f"{case}: the contenders disagree"
    times: dict[str, float] = collections.defaultdict(float)
    for _ in range(rounds):
        for tool, run in tools.items():
            start = time.perf_counter()
            run()
            times[tool] += time.perf_counter() - start
    for tool in tools:
        if tool != "aiweb":
            print(f"RATIO python/{case} aiweb/{tool} {times['aiweb'] / times[tool]:.3f}")


def others() -> None:
    value = {"items": [{"name": f"tea {n}", "price": n / 7, "tags": ["green", "é", n], "in_stock": n % 2 == 0} for n in range(200)]}
    lines = "".join(f"User-agent: bot{n}\nDisallow: /private/{n}/\nAllow: /private/{n}/tea\n\n" for n in range(100))
    url = "https://e.example/private/77/tea"
    try:
        import jcs
        import rfc8785

        turns("canonical-json", {"aiweb": lambda: aiweb.dumps(value), "rfc8785": lambda: rfc8785.dumps(value), "jcs": lambda: jcs.canonicalize(value)})
    except ImportError as error:
        print(f"canonical-json: left out, {error}")
    try:
        from protego import Protego

        from aiweb import robots

        turns("robots", {"aiweb": lambda: robots.parse(lines).can_fetch(url, "bot77"), "protego": lambda: Protego.parse(lines).can_fetch(url, "bot77")})
    except ImportError as error:
        print(f"robots: left out, {error}")


def start_up() -> None:
    """Milliseconds to import, each in a process of its own: the median of nine, less that of an empty program."""

    def took(code: str) -> float:
        runs = []
        for _ in range(9):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            runs.append(time.perf_counter() - start)
        return statistics.median(runs)

    empty = took("pass")
    for module in ("aiweb", "trafilatura", "resiliparse.extract.html2text", "readability"):
        try:
            print(f"import {module}: {(took(f'import {module}') - empty) * 1000:.0f} ms")
        except subprocess.CalledProcessError:
            print(f"import {module}: left out")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("corpus", type=pathlib.Path)
    options.add_argument("--pages", type=int, default=300)
    given = options.parse_args()
    extraction(given.corpus, given.pages)
    memory(given.corpus, min(given.pages, 60))
    others()
    start_up()
    native = next(pathlib.Path(aiweb.__file__).parent.glob("_aiweb*.so"), None)
    print(f"native part: {native.stat().st_size:,} bytes" if native else "native part: not found")


if __name__ == "__main__":
    main()
