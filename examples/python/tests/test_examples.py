"""The programs under `examples`, run as a user runs them."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from conftest import ROOT

import aiweb

EXAMPLES = ROOT / "examples/python/examples"


@pytest.fixture
def down() -> set[str]:
    """The paths that the site answers with 503."""
    return set()


@pytest.fixture
def site(down: set[str]) -> Iterator[str]:
    """A publisher of TCT on loopback, where http counts as secure."""
    answers: dict[str, tuple[list[tuple[str, str]], bytes]] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            headers, body = answers.get(self.path, ([], b""))
            tag = dict(headers).get("ETag")
            known = bool(tag) and self.headers.get("If-None-Match") == tag
            self.send_response(304 if known else 503 if self.path in down else 200 if self.path in answers else 404)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", "0" if known else str(len(body)))
            self.end_headers()
            if not known:
                # In two pieces, as longer bodies come.
                self.wfile.write(body[: len(body) // 2])
                self.wfile.flush()
                time.sleep(0.05)
                self.wfile.write(body[len(body) // 2 :])

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    origin = f"http://127.0.0.1:{server.server_port}"
    items = []
    for n in range(3):
        digest = aiweb.fingerprint(f"Tea number {n}")
        body = aiweb.dumps(
            {"canonical_url": f"{origin}/p{n}", "content": f"Tea number {n}", "hash": digest, "profile": "tct-1", "title": f"Tea {n}"}, order="code-point"
        )
        answers[f"/p{n}/llm/"] = ([("Content-Type", "application/json"), ("ETag", f'"{digest}"'), ("Link", f'<{origin}/p{n}>; rel="canonical"')], body)
        items.append({"cUrl": f"{origin}/p{n}", "mUrl": f"{origin}/p{n}/llm/", "contentHash": digest, "modified": "2026-01-01T00:00:00Z"})
    sitemap = json.dumps({"version": 1, "profile": "tct-1", "items": items}).encode()
    answers["/llm-sitemap.json"] = ([("Content-Type", "application/json"), ("ETag", '"' + aiweb.fingerprint(sitemap) + '"')], sitemap)
    answers["/"] = ([("Content-Type", "text/html"), ("Link", '</llm-sitemap.json>; rel="index"; type="application/json"')], b"<p>Hello")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield origin + "/"
    server.shutdown()


@pytest.mark.parametrize("client", ["requests", "httpx", "aiohttp"])
def test_a_crawl_with_each_client(client: str, site: str, tmp_path: pathlib.Path) -> None:
    pytest.importorskip(client)
    command = [sys.executable, str(EXAMPLES / f"crawl_{client}.py"), site]
    if client != "aiohttp":
        command.append(str(tmp_path / "crawl.json"))
    first = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert first.returncode == 0 and first.stdout.count("store ") == 3, first.stdout + first.stderr
    if client != "aiohttp":
        again = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert again.returncode == 0 and "store " not in again.stdout and "3 pages" in again.stdout, again.stdout + again.stderr


@pytest.mark.parametrize("client", ["requests", "httpx", "aiohttp"])
def test_nothing_is_fetched_where_robots_txt_cannot_be_reached(client: str, site: str, down: set[str], tmp_path: pathlib.Path) -> None:
    pytest.importorskip(client)
    down.add("/robots.txt")
    command = [sys.executable, str(EXAMPLES / f"crawl_{client}.py"), site]
    if client != "aiohttp":
        command.append(str(tmp_path / "crawl.json"))
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "store " not in done.stdout, done.stdout + done.stderr


def test_a_parquet_column(tmp_path: pathlib.Path) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    rows = [{"html": f"<title>Tea {n}</title><p>Green tea, number {n}"} for n in range(600)] + [{"html": None}]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "in.parquet")
    command = [sys.executable, str(EXAMPLES / "extract_parquet.py"), str(tmp_path / "in.parquet"), str(tmp_path / "out.parquet")]
    subprocess.run(command, check=True, timeout=120)
    found = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert len(found) == 601 and found[599]["title"] == "Tea 599" and "number 7" in found[7]["markdown"]
