"""robots.txt, llmindex, signatures, TCT."""

from __future__ import annotations

import base64
import hashlib
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

import aiweb
from aiweb import llmindex, robots, tct

KEY = {
    "kty": "OKP",
    "crv": "Ed25519",
    "d": base64.urlsafe_b64encode(bytes(range(32))).rstrip(b"=").decode(),
    "x": "A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg",
}
SIGNING = {**KEY, "kid": "k1"}  # manifests name their key
PUBLIC = {name: value for name, value in KEY.items() if name != "d"}


def test_robots_tells_the_line_that_decides() -> None:
    file = robots.parse("User-agent: *\nDisallow: /private/\nAllow: /private/tea\nCrawl-delay: 1.5\nSitemap: https://e.example/s.xml\n")
    no = file.allowed("MyBot", "https://e.example/private/x")
    assert (no.allowed, bool(no), no.line, no.pattern) == (False, False, 2, "/private/")
    assert file.allowed("MyBot", "/private/tea").line == 3 and file.allowed("MyBot", "/").line is None
    assert file.can_fetch("https://e.example/", "MyBot") and file.crawl_delay("MyBot") == 1.5
    # As clients resolve it; and nothing that is not a URL is allowed, such as a name where the arguments are swapped.
    for url in ["https://e.example/a/../private/x", "https://e.example/%2e%2e/private/x"]:
        assert not file.allowed("MyBot", url) and not file.can_fetch(url, "MyBot")
    assert not file.allowed("https://e.example/private/x", "MyBot") and file.preferences("https://e.example/x", "MyBot") == {}
    assert file.sitemaps == ["https://e.example/s.xml"] and "line 2" in repr(no)
    named = robots.parse("User-agent: a\nDisallow: /\nContent-Signal: ai-train=no, search=yes\n\nUser-agent: b\nAllow: /\n")
    assert not named.allowed(["a", "c"], "/x") and named.allowed("b", "/x")
    assert named.preferences("a", "/x") == {"ai-train": False, "search": True}
    assert robots.parse("Disalow: /\n").findings() and robots.parse(b"\xff\xfe").allowed("x", "/")


def test_a_manifest_is_checked() -> None:
    report = llmindex.validate(b'{"version":"0.1","entity":{}}')
    assert not report and report.errors[0].place.startswith("/") and str(report.errors[0])
    with pytest.raises(aiweb.ManifestError) as caught:
        llmindex.validate("{")
    assert caught.value.offset == 1
    assert not llmindex.validate_product('{"id":7}')


class Source:
    """A feed that is never in memory."""

    def __init__(self, lines: int) -> None:
        self.left = lines
        self.rest = b""
        self.largest = 0

    def read(self, size: int = -1) -> bytes:
        while len(self.rest) < size and self.left:
            self.left -= 1
            self.rest += json.dumps({"id": f"p{self.left}", "title": "Tea", "url": "https://e.example/t", "availability": "in_stock", "updated_at": "2026-01-01T00:00:00Z"}).encode() + b"\n"
        piece, self.rest = self.rest[:size], self.rest[size:]
        self.largest = max(self.largest, len(piece))
        return piece


def test_a_feed_is_read_line_by_line() -> None:
    summary = llmindex.FeedSummary()
    lines = llmindex.feed(io.BytesIO(b'{"id":"a"}\nnot json\n\n{"id":"b"}'), summary)
    numbers = [(line.number, line.valid, line.json) for line in lines]
    assert [number for number, _, _ in numbers][:2] == [1, 2] and numbers[1][1] is False
    assert summary.bad_lines >= 1 and not summary.valid
    count = 0
    for line in llmindex.feed(Source(5000)):  # type: ignore[arg-type]
        count += 1
        product = line.product()
        assert product is not None and product["title"] == "Tea"
    assert count == 5000


def test_a_manifest_is_signed_and_verified() -> None:
    manifest = json.dumps({"version": "0.1", "entity": {"name": "Tea"}, "canonical_url": "https://e.example"})
    signed = aiweb.sign(manifest, SIGNING)
    keys = {"keys": [{**PUBLIC, "kid": "k1"}]}
    report = aiweb.verify(signed, keys)
    assert report.valid, report
    assert not aiweb.verify(signed.replace(b"Tea", b"Coffee"), keys).valid
    assert len(aiweb.thumbprint(KEY)) == 43
    with pytest.raises(aiweb.KeyMaterialError):
        aiweb.sign(manifest, {"kty": "oct"})


def test_a_request_is_signed_and_identified() -> None:
    agent = "https://bot.example"
    url = "https://shop.example/teas?page=2"
    signed = aiweb.sign_request("GET", url, key=KEY, agent=agent, now=1_000)
    assert {name.lower() for name in signed} == {"signature-agent", "signature-input", "signature"}
    asked: list[str] = []
    directory = json.dumps({"keys": [PUBLIC]}).encode()

    def fetch(wanted: str) -> aiweb.Response:
        asked.append(wanted)
        return 200, {"Content-Type": "application/http-message-signatures-directory+json"}, directory

    identity = aiweb.identify("GET", url, signed, fetch=fetch, now=1_010)
    assert identity, identity
    assert identity.agent is not None and "bot.example" in identity.agent and identity.expires == 1_060
    assert asked == ["https://bot.example/.well-known/http-message-signatures-directory"]
    assert aiweb.identify("GET", url + "0", signed, fetch=fetch, now=1_010).verdict == "unverified"
    assert aiweb.identify("GET", url, signed, fetch=fetch, now=2_000).reason is not None
    assert aiweb.identify("GET", url, {}, fetch=fetch, now=1_010).verdict == "anonymous"
    assert aiweb.identify("GET", url, signed, fetch=lambda _: None, now=1_010).verdict == "unverified"


class Site:
    """A publisher of TCT in a dictionary."""

    def __init__(self, pages: int) -> None:
        self.answers: dict[str, tuple[list[tuple[str, str]], bytes]] = {}
        items = []
        for n in range(pages):
            page, twin = f"https://e.example/p{n}", f"https://e.example/p{n}/llm/"
            content = f"Tea number {n}"
            digest = aiweb.fingerprint(content)
            body = aiweb.dumps(
                {"canonical_url": page, "content": content, "hash": digest, "profile": "tct-1", "title": f"Tea {n}"}, order="code-point"
            )
            headers = [("Content-Type", "application/json"), ("ETag", f'"{digest}"'), ("Link", f'<{page}>; rel="canonical"')]
            self.answers[twin] = (headers, body)
            items.append({"cUrl": page, "mUrl": twin, "contentHash": digest, "modified": "2026-01-01T00:00:00Z"})
        sitemap = json.dumps({"version": 1, "profile": "tct-1", "items": items}).encode()
        tag = '"' + hashlib.sha256(sitemap).hexdigest() + '"'
        self.answers["https://e.example/llm-sitemap.json"] = ([("Content-Type", "application/json"), ("ETag", tag)], sitemap)
        link = '</llm-sitemap.json>; rel="index"; type="application/json"'
        self.answers["https://e.example/"] = ([("Content-Type", "text/html"), ("Link", link)], b"<p>Hello")

    def ask(self, request: tct.Request) -> tuple[int, list[tuple[str, str]], bytes]:
        found = self.answers.get(request.url)
        if found is None:
            return 404, [], b""
        headers, body = found
        tag = dict(headers).get("ETag")
        known = {name.lower(): value for name, value in request.headers.items()}.get("if-none-match", "")
        return (304, headers, b"") if tag and tag in known else (200, headers, body)


def run(site: Site, state: str | None, now: float) -> tuple[list[str], list[tct.Page], list[dict[str, Any]], str]:
    pages: list[tct.Page] = []
    events: list[dict[str, Any]] = []
    crawl = tct.Crawl(
        "https://e.example/", state=state, on_page=pages.append, on_event=events.append, now=lambda: now, sleep=lambda _: None
    )
    asked = []
    for request in crawl:
        asked.append(request.url)
        request.respond(*site.ask(request))
    return asked, pages, events, crawl.state()


def test_a_crawl_asks_for_what_is_new_alone() -> None:
    site = Site(5)
    asked, pages, events, state = run(site, None, 1_800_000_000)
    stored = {page.key: page.content() for page in pages if page.event == "store"}
    assert len(stored) == 5, (asked, pages, events)
    assert stored["https://e.example/p3/llm/"]["content"] == "Tea number 3"  # type: ignore[index]
    asked, pages, _, state = run(site, state, 1_800_090_000)
    assert not any(page.event == "store" for page in pages) and asked == ["https://e.example/llm-sitemap.json"], asked
    assert json.loads(state)["bodies"]


def test_a_header_beyond_ascii_says_what_it_says() -> None:
    # As requests, httpx and aiohttp hand out the bytes of a title in UTF-8 and Latin-1.
    for title in ["\u00dcbersicht".encode().decode("latin-1"), "\u00dcbersicht", "\u65e5", "\udcdcbersicht", "\u65e5\udcff"]:
        site = Site(2)
        link = f'</llm-sitemap.json>; rel="index"; type="application/json"; title="{title}"'
        site.answers["https://e.example/"] = ([("Content-Type", "text/html"), ("X\udcff", "1"), ("Link", link)], b"<p>Hello")
        asked, pages, _, _ = run(site, None, 1_800_000_000)
        assert "https://e.example/llm-sitemap.json" in asked, (title, asked)
        assert sum(page.event == "store" for page in pages) == 2


def test_a_crawl_tells_misuse() -> None:
    crawl = tct.Crawl("https://e.example/")
    request = crawl.next()
    assert isinstance(request, tct.Request) and "e.example" in repr(request)
    request.fail()
    with pytest.raises(aiweb.CrawlError):
        request.fail()
    with pytest.raises(aiweb.UrlError):
        tct.Crawl("ftp://e.example/")
    waiting: Iterator[tct.Request] = iter(tct.Crawl("https://e.example/"))
    next(waiting)
    with pytest.raises(RuntimeError, match="was not answered"):
        next(waiting)
