#!/usr/bin/env python3
"""Makes a corpus of the pages that two packages ship for their tests. See README.md.

    also.py OUT READABILITY NEWSPAPER

READABILITY is the unpacked crate readability-rust 0.1.0, NEWSPAPER the unpacked source distribution newspaper4k 0.9.6.
"""
import gzip
import json
import pathlib
import re
import sys

import lxml.html

BLOCKS = set("p div li ul ol h1 h2 h3 h4 h5 h6 blockquote pre table tr td th section article figure figcaption dl dt dd "
             "br hr header footer main aside".split())
ADDRESS = (re.compile(rb'<link[^>]*rel="?canonical"?[^>]*href="([^"]+)"'),
           re.compile(rb'og:url"[^>]*content="([^"]+)"'))


def text_of(element):
    """The element's text, a line a block."""
    if not isinstance(element.tag, str):
        return ""
    inner = element.text or ""
    for child in element:
        tail = child.tail or ""
        inner += text_of(child) + (tail if element.tag == "pre" else re.sub(r"\s+", " ", tail))
    if element.tag != "pre":
        inner = re.sub(r"[ \t\r\f\v]+", " ", inner)
    return f"\n{inner}\n" if element.tag in BLOCKS else inner


def address(html, name):
    found = next(filter(None, (pattern.search(html) for pattern in ADDRESS)), None)
    return found[1].decode("utf-8", "replace") if found else f"http://{name}.example/"


def pages(readability, newspaper):
    for source in sorted(readability.rglob("source.html")):
        html = source.read_bytes()
        expected = (source.parent / "expected.html").read_text(encoding="utf-8")
        text = re.sub(r" *\n[\n ]*", "\n", text_of(lxml.html.fromstring(expected))).strip()
        # The small ones are there for one feature of a parser each.
        if len(html) >= 15_000 and len(text.split()) >= 120:
            yield f"r-{source.parent.name}", html, text
    for expected in sorted((newspaper / "tests/data/txt").glob("*.txt")):
        source = newspaper / "tests/data/html" / f"{expected.stem}.html"
        if source.exists():
            yield f"n-{expected.stem}", source.read_bytes(), expected.read_text(encoding="utf-8")


def main():
    out, readability, newspaper = map(pathlib.Path, sys.argv[1:])
    (out / "html").mkdir(parents=True, exist_ok=True)
    truth = {}
    for name, html, text in pages(readability, newspaper):
        truth[name] = dict(main_content=text, type="also", url=address(html, name[2:]))
        (out / f"html/{name}.html.gz").write_bytes(gzip.compress(html, mtime=0))
    (out / "ground-truth.json").write_text(json.dumps(truth))
    print(f"{len(truth)} pages")


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    main()
