#!/usr/bin/env python3
"""A hundred pages read by an agent's tool: `aiweb mcp` beside the reference fetch server, `mcp-server-fetch`.

    benches/scripts/agent.py CORPORA WORK [--out FILE]

CORPORA is the folder whose `web` is WCXB's development split: pages of seven types, each with sentences that its annotators
found in its main content, and sentences outside of it. They are served from this machine, one after another to each server by
the Python SDK of the protocol, and read to their end, as an agent does that wants the whole page.

- tokens: all that a model reads for a page, by the vocabulary o200k_base (cargo run -p mcp --example tokens --features exact-tokens).
- facts: the annotators' sentences are the answers to "what does the page say about …?"; one is kept if its words are in the output
  in their order.
- frame: sentences outside of the main content that are in the output.
- hidden: each page has one instruction added that no person sees, in one of ten ways; pages that pass it on.
- requests and bytes: what the mirror sent, for a first reading of all pages, and for a second one.

WORK is a folder for the packages: mcp and mcp-server-fetch from PyPI. Our content model was trained on this corpus, these pages among
it; the other's rules were not."""

import argparse
import asyncio
import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
import threading
import venv
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import hidden  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ["mcp==2.3.0", "mcp-server-fetch==2026.10.24"]
# About as much as the 6,000 tokens of our answers; its default of 5,000 characters would take five times the requests.
MAX_CHARACTERS = 24_000
PER_TYPE = {"article": 40, "documentation": 15, "service": 12, "forum": 10, "product": 8, "listing": 8, "collection": 7}
WAYS = [
    "display: none",
    "visibility: hidden",
    "opacity: 0",
    "font-size: 0",
    "color: transparent",
    "white on white",
    "clip",
    "clip-path: inset",
    "rgba(0, 0, 0, 0)",
    "text-fill-color",
]


def decoded(html):
    """A page as text: in the encoding that it declares."""
    found = re.search(rb"charset=[\"']?([A-Za-z0-9_-]+)", html[:4096])
    try:
        return html.decode(found.group(1).decode() if found else "utf-8", "replace")
    except LookupError:
        return html.decode("utf-8", "replace")


def with_hidden(html, way):
    """The page with an instruction that no person sees in the middle of its paragraphs."""
    head, paragraph = hidden.WAYS[way]
    ends = [found.end() for found in re.finditer(r"</p>", html, re.I)]
    at = ends[len(ends) // 2] if ends else html.lower().rfind("</body")
    html = html[:at] + paragraph + html[at:]
    return re.sub(r"(?i)</head", lambda found: head + found.group(0), html, count=1)


class Mirror:
    """The pages, and how much of them was sent."""

    def __init__(self, pages):
        self.pages = {f"/{name}": html.encode() for name, html in pages.items()}
        self.requests = self.bytes = 0
        mirror = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                mirror.requests += 1
                body = mirror.pages.get(self.path.split("?")[0])
                if self.path == "/robots.txt":
                    return self.send(200, b"User-agent: *\nAllow: /\n", "text/plain", None)
                if body is None:
                    return self.send(404, b"", "text/plain", None)
                tag = '"' + hashlib.sha256(body).hexdigest()[:16] + '"'
                if self.headers.get("If-None-Match") == tag:
                    return self.send(304, b"", "text/html; charset=utf-8", tag)
                self.send(200, body, "text/html; charset=utf-8", tag)

            def send(self, status, body, kind, tag):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                if tag:
                    self.send_header("ETag", tag)
                if "gzip" in self.headers.get("Accept-Encoding", "") and body:
                    body = gzip.compress(body, mtime=0)
                    self.send_header("Content-Encoding", "gzip")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                mirror.bytes += len(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def taken(self):
        taken = (self.requests, self.bytes)
        self.requests = self.bytes = 0
        return taken


async def read_ours(client, url):
    """The answers for a page, from its first to its last."""
    answers, page = [], 1
    while page:
        result = await client.call_tool("read", {"url": url, "page": page})
        answers.append(result.content[0].text)
        page = None if result.is_error else result.structured_content.get("next_page")
    return answers


async def read_theirs(client, url):
    answers, start = [], 0
    for _ in range(200):
        result = await client.call_tool("fetch", {"url": url, "start_index": start, "max_length": MAX_CHARACTERS})
        text = result.content[0].text
        more = re.search(r"start_index of (\d+) to get more content", text)
        answers.append(text)
        if result.is_error or not more:
            break
        start = int(more.group(1))
    return answers


def words(text):
    """The words of a text, without Markdown's addresses and marks."""
    text = re.sub(r"\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)", "]", text)
    text = re.sub(r"\\([^\w\s])", r"\1", text)
    return " " + " ".join(re.findall(r"\w+", text.lower())) + " "


async def measure(name, server, read, mirror, urls):
    from mcp.client.client import Client

    outputs = {}
    mirror.taken()
    async with Client(server, read_timeout_seconds=120) as client:
        for key, url in urls.items():
            outputs[key] = await read(client, url)
        first = mirror.taken()
        for url in urls.values():
            await read(client, url)
        second = mirror.taken()
    print(f"agent.py: {name}: read", file=sys.stderr)
    return outputs, first, second


def tokens_of(texts):
    command = ["cargo", "run", "-q", "--release", "-p", "mcp", "--features", "exact-tokens", "--example", "tokens"]
    if os.environ.get("AIWEB_TOKENS"):
        command = [os.environ["AIWEB_TOKENS"]]
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    done = subprocess.run(command, cwd=ROOT, input=lines, stdout=subprocess.PIPE, text=True, check=True)
    return [tuple(map(int, line.split())) for line in done.stdout.splitlines()]


async def run(arguments):
    from mcp.client.stdio import StdioServerParameters

    web = arguments.corpora / "web"
    truth = json.loads((web / "ground-truth.json").read_text())
    chosen, left = {}, dict(PER_TYPE)
    for key in sorted(truth):
        page = truth[key]
        path = web / "html" / f"{key}.html.gz"
        if left.get(page["type"]) and page.get("with") and path.exists():
            left[page["type"]] -= 1
            chosen[key] = page
    pages = {}
    for number, key in enumerate(chosen):
        html = decoded(gzip.decompress((web / "html" / f"{key}.html.gz").read_bytes()))
        html = re.sub(r"(?i)(<meta[^>]*charset=)[\"']?[A-Za-z0-9_-]+", r'\1"utf-8', html)
        pages[key] = with_hidden(html, WAYS[number % len(WAYS)])
    mirror = Mirror(pages)
    urls = {key: f"http://{mirror.host}/{key}" for key in pages}
    store = arguments.work / "agent.redb"
    store.unlink(missing_ok=True)
    aiweb = os.environ.get("AIWEB") or str(ROOT / "target/release/aiweb")
    ours = [ "mcp", "--private", mirror.host, "--store", str(store)]
    python = arguments.work / "python/bin/python3"
    theirs = ["-m", "mcp_server_fetch", "--allow-private-ips"]
    rows = {}
    rows["aiweb mcp"] = await measure(
        "aiweb mcp", StdioServerParameters(command=aiweb, args=ours), read_ours, mirror, urls
    )
    _, _, later = await measure(
        "aiweb mcp, later", StdioServerParameters(command=aiweb, args=[*ours, "--trust", "0"]), read_ours, mirror, urls
    )
    rows["mcp-server-fetch"] = await measure(
        "mcp-server-fetch", StdioServerParameters(command=str(python), args=theirs), read_theirs, mirror, urls
    )

    report = [
        "| 100 pages, read to their end | " + " | ".join(rows) + " |",
        "|---|" + "---:|" * len(rows),
    ]
    figures = {}
    for name, (outputs, first, second) in rows.items():
        flat = [text for texts in outputs.values() for text in texts]
        counts = tokens_of(flat)
        joined = {key: words("\n".join(texts)) for key, texts in outputs.items()}
        opening = {key: words(texts[0]) for key, texts in outputs.items()}
        facts = [(key, words(sentence)) for key, page in chosen.items() for sentence in page["with"]]
        frame = [(key, words(sentence)) for key, page in chosen.items() for sentence in page.get("without") or []]
        kept = sum(sentence in joined[key] for key, sentence in facts)
        early = sum(sentence in opening[key] for key, sentence in facts)
        passed = sum(sentence in joined[key] for key, sentence in frame)
        figures[name] = {
            "tokens": f"{sum(exact for _, exact in counts):,}",
            "answers that it took": f"{len(flat):,}",
            f"facts kept, of {len(facts)}": f"{kept} ({100 * kept / len(facts):.1f} %)",
            "facts in the first answer": f"{early} ({100 * early / len(facts):.1f} %)",
            f"sentences of the frame, of {len(frame)}": f"{passed} ({100 * passed / len(frame):.1f} %)",
            "pages that pass the hidden instruction on": str(sum(f" {hidden.WORD.lower()} " in text for text in joined.values())),
            "first reading: requests, kB": f"{first[0]}, {first[1] / 1000:,.0f}",
            "second reading: requests, kB": f"{second[0]}, {second[1] / 1000:,.0f}",
        }
        if name == "aiweb mcp":
            figures[name]["second reading, after the trust window: requests, kB"] = f"{later[0]}, {later[1] / 1000:,.0f}"
            estimate, exact = (sum(column) for column in zip(*counts))
            print(f"agent.py: the estimate of tokens is {estimate / exact:.3f} of the exact number", file=sys.stderr)
        else:
            figures[name]["second reading, after the trust window: requests, kB"] = figures[name]["second reading: requests, kB"]
    for line in figures["aiweb mcp"]:
        report.append(f"| {line} | " + " | ".join(figures[name][line] for name in rows) + " |")
    table = "\n".join(report)
    print(table)
    if arguments.out:
        arguments.out.write_text(table + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    python = arguments.work / "python/bin/python3"
    if not arguments.inside:
        if not python.exists():
            venv.create(arguments.work / "python", with_pip=True)
            subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        if not os.environ.get("AIWEB"):
            subprocess.run(["cargo", "build", "-q", "--release", "-p", "aiweb"], cwd=ROOT, check=True)
        raise SystemExit(subprocess.run([python, __file__, *sys.argv[1:], "--inside"]).returncode)
    asyncio.run(run(arguments))


if __name__ == "__main__":
    main()
