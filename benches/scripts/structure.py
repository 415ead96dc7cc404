#!/usr/bin/env python3
"""Compares headings, links, canonical address and JSON-LD of `extract` with an independent parser's, page by page.

    structure.py EXTRACT FOLDER          EXTRACT: the program of examples/extract; FOLDER: .html or .html.gz files

The other parser is Lexbor (PyPI: selectolax). The rules here are written anew from the specification, not from the
crate: headings h1 to h6 with text; anchors with an http or https target that is no place on the page itself; the first
link rel=canonical; script elements of type application/ld+json. Every difference is printed.
"""
import gzip
import json
import subprocess
import sys
import urllib.parse
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

SILENT = {"script", "style", "template", "noscript", "noembed", "noframes", "iframe", "object", "audio", "video",
          "canvas", "datalist", "title", "head", "rp"}
PAGE = "http://localhost/"


def squeeze(text):
    """Letters alone: where blocks inside an anchor part words is a matter of taste."""
    return "".join(c for c in text if c.isprintable() and not c.isspace())


def text_of(node):
    parts, stack = [], [node]
    while stack:
        here = stack.pop()
        if here.is_text_node:
            parts.append(here.text_content or "")
        elif here is node or here.tag not in SILENT or (here.tag == "title" and here.parent.tag == "svg"):
            stack.extend(reversed(list(here.iter(include_text=True))))
    return squeeze("".join(parts))


def theirs(html):
    tree = LexborHTMLParser(html)
    # Lexbor parses as if scripts were off; ours as browsers do, for which what <noscript> holds is text.
    for node in tree.css("noscript"):
        node.decompose()
    headings = [(int(node.tag[1]), text_of(node)) for node in tree.css("h1, h2, h3, h4, h5, h6")]
    links = [(node.attributes.get("href") or "", text_of(node)) for node in tree.css("a[href]")]
    canonical = [node.attributes.get("href") for node in tree.css("link[href]")
                 if "canonical" in (node.attributes.get("rel") or "").lower().split()
                 and (node.attributes.get("href") or "").strip()]
    blocks = [node.text() for node in tree.css("script")
              if (node.attributes.get("type") or "").split(";")[0].strip().lower() == "application/ld+json"]
    base = next((node.attributes.get("href") for node in tree.css("base[href]")), None)
    return [heading for heading in headings if heading[1]], links, canonical[:1], blocks, base


def is_link(href, base):
    """Whether an address leads to a web page that is not this one. None: urllib cannot tell."""
    try:
        url = urllib.parse.urljoin(base, href.strip().replace("\\", "/"))
        parts = urllib.parse.urlsplit(url)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https"):
        return False
    # urljoin drops an empty fragment, which makes a place on the page all the same.
    return not ("#" in href and urllib.parse.urldefrag(url)[0] == PAGE)


def count_nodes(blocks):
    """JSON-LD nodes with a type, and blocks that are no JSON."""
    nodes = broken = 0
    for text in blocks:
        if not text.strip():
            continue
        try:
            waiting = [json.loads(text.strip().strip("\ufeff"), strict=True)]
        except (ValueError, RecursionError):
            broken += 1
            continue
        while waiting:
            value = waiting.pop()
            if isinstance(value, list):
                waiting.extend(value)
            elif isinstance(value, dict) and "@graph" in value:
                waiting.append(value["@graph"])
            elif isinstance(value, dict) and "@type" in value:
                nodes += 1
    return nodes, broken


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    lines = subprocess.run([program, str(folder), "--json"], capture_output=True, check=True).stdout.splitlines()
    totals = {name: [0, 0] for name in ("headings", "links", "canonical", "json-ld")}
    for line in map(json.loads, lines):
        path = next(folder / (line["id"] + end) for end in (".html", ".html.gz") if (folder / (line["id"] + end)).exists())
        raw = gzip.open(path).read() if path.suffix == ".gz" else path.read_bytes()
        document = line["document"]
        headings, links, canonical, blocks, base = theirs(raw)
        base = urllib.parse.urljoin(PAGE, base or "")
        judged = [(is_link(href, base), text) for href, text in links]
        nodes, broken = count_nodes(blocks)
        ours_nodes = sum(len(value) if isinstance(value, list) else 1
                         for value in document.get("structured_data", {}).values())
        compared = {
            "headings": ([(h["level"], squeeze(h["text"])) for h in document["headings"]], headings),
            "links": ([squeeze(link.get("text") or "") for link in document["links"]],
                      [text for good, text in judged if good]),
            "canonical": (document.get("canonical_url") is not None,
                          bool(canonical) and bool(is_link(canonical[0], base) or canonical[0].strip() == PAGE)),
            "json-ld": (ours_nodes, nodes),
        }
        for name, (ours, other) in compared.items():
            totals[name][0] += 1
            if ours != other:
                totals[name][1] += 1
                print(f"{line['id']} {name}: {difference(ours, other)}", f"broken blocks {broken}" if name == "json-ld" else "")
    for name, (pages, differing) in totals.items():
        print(f"{name:10} {pages - differing} of {pages} pages identical")


def difference(ours, other):
    if not isinstance(ours, list):
        return f"ours {ours!r}, theirs {other!r}"
    first = next((at for at, pair in enumerate(zip(ours, other)) if pair[0] != pair[1]), min(len(ours), len(other)))
    return f"{len(ours)} and {len(other)}; first at {first}: {ours[first:first + 2]!r} and {other[first:first + 2]!r}"


if __name__ == "__main__":
    main()
