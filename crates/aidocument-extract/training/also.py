#!/usr/bin/env python3
"""Makes a corpus of pages that other projects ship for their tests. See README.md.

    also.py OUT PACKAGES

PACKAGES is the folder with the unpacked packages, each in a folder of its name and version.
"""
import gzip
import json
import pathlib
import re
import sys

import lxml.html

BLOCKS = set("p div li ul ol h1 h2 h3 h4 h5 h6 blockquote pre table thead tbody tr td th caption section article nav "
             "figure figcaption dl dt dd br hr header footer main aside form body html center address details "
             "summary".split())
NO_TEXT = set("script style noscript template head svg iframe object select option textarea button title".split())
ADDRESS = (re.compile(rb"""<link[^>]*rel=["']?canonical["']?[^>]*href=["'](http[^"']+)["']"""),
           re.compile(rb"""og:url["'][^>]*content=["'](http[^"']+)["']"""))
READABILITY = "readability-rust-0.1.0/mozzilla-readability/test/test-pages"
NEWSPAPER = "newspaper4k-0.9.6/tests/data"


def text_of(element, keep=False):
    """The element's text; NUL where a block begins or ends, and for the line breaks that are kept."""
    if not isinstance(element.tag, str) or element.tag in NO_TEXT:
        return ""
    keep = keep or element.tag == "pre"

    def text(own):
        return (own or "").replace("\n", "\0") if keep else re.sub(r"\s+", " ", own or "")

    inner = text(element.text) + "".join(text_of(child, keep) + text(child.tail) for child in element)
    return f"\0{inner}\0" if element.tag in BLOCKS else inner


def lines_of(html):
    """The page's text, a line a block, numbered from zero: what `labels.txt` speaks of."""
    lines = (re.sub(r"\s+", " ", line).strip() for line in text_of(lxml.html.fromstring(html)).split("\0"))
    return [line for line in lines if line]


def address(html, name):
    found = next(filter(None, (pattern.search(html) for pattern in ADDRESS)), None)
    return found[1].decode("utf-8", "replace") if found else f"http://{name}.example/"


def found_by_programs(packages):
    for source in sorted((packages / READABILITY).glob("*/source.html")):
        html = source.read_bytes()
        text = "\n".join(lines_of((source.parent / "expected.html").read_bytes()))
        # The small ones are there for one feature of a parser each.
        if len(html) >= 15_000 and len(text.split()) >= 120:
            yield f"r-{source.parent.name}", html, text
    for expected in sorted((packages / NEWSPAPER / "txt").glob("*.txt")):
        source = packages / NEWSPAPER / "html" / f"{expected.stem}.html"
        if source.exists():
            yield f"n-{expected.stem}", source.read_bytes(), expected.read_text(encoding="utf-8")


def found_by_reading(packages):
    labels = pathlib.Path(__file__).with_name("labels.txt").read_text(encoding="utf-8")
    for label in labels.splitlines():
        path, count, ranges = label.rsplit(" ", 2)
        html = (packages / path).read_bytes()
        lines = lines_of(html)
        assert len(lines) == int(count), f"{path}: {count} lines were labelled, not {len(lines)}"
        text = []
        for first, _, last in (part.partition("-") for part in ranges.split(",")):
            text += lines[int(first):int(last or first) + 1]
        yield re.sub(r"[^A-Za-z0-9.]+", "-", path.removesuffix(".html")), html, "\n".join(text)


def main():
    out, packages = map(pathlib.Path, sys.argv[1:])
    (out / "html").mkdir(parents=True, exist_ok=True)
    truth = {}
    for pages in (found_by_programs(packages), found_by_reading(packages)):
        for name, html, text in pages:
            truth[name] = dict(main_content=text, type="also", url=address(html, name))
            (out / f"html/{name}.html.gz").write_bytes(gzip.compress(html, mtime=0))
    (out / "ground-truth.json").write_text(json.dumps(truth))
    print(f"{len(truth)} pages")


if __name__ == "__main__":
    sys.setrecursionlimit(20_000)
    main()
