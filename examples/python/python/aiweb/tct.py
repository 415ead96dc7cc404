"""Crawls by TCT, with any HTTP client: requests come out, responses go in.

::

    crawl = tct.Crawl("https://example.com/", state=stored, on_page=lambda page: print(page.event, page.key))
    for request in crawl:
        answer = httpx.request(request.method, request.url, headers=request.headers)
        request.respond(answer.status_code, answer.headers.multi_items(), answer.content)
    stored = crawl.state()

What is unchanged takes no request: the sitemap repeats every validator.
"""

from __future__ import annotations

import json as _json
import time as _time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from . import Headers, Text, _aiweb, _lines, _text

__all__ = ["Crawl", "Page", "Request"]


class Request:
    """A request to send. Follow no redirect, and answer with one of the methods."""

    def __init__(self, crawl: Crawl, asked: dict[str, Any]) -> None:
        self._crawl = crawl
        self._id: int = asked["id"]
        self.method: str = asked["method"]
        self.url: str = asked["url"]
        #: the fields that matter to the protocol; add your own, such as ``User-Agent``
        self.headers: dict[str, str] = dict(asked["headers"])
        #: bytes of the body that are of use, decoded; for a longer one call :meth:`too_large`
        self.max_bytes: int = asked["max_bytes"]
        #: what it is for
        self.kind: Literal["start", "policy", "sitemap", "twin"] = asked["kind"]

    def respond(self, status: int, headers: Headers, body: Text = b"", url: str | None = None) -> None:
        """Hands in the response.

        :param url: where it came from, if not from :attr:`url`
        """
        native, now = self._crawl._native, self._crawl._now()
        native.respond(self._id, url or self.url, status, _lines(headers), _text(body), now)

    def fail(self) -> None:
        """There is no response: no connection, a timeout, a body that ended early."""
        self._crawl._native.fail(self._id, self._crawl._now())

    def withhold(self) -> None:
        """The request was not sent, since robots.txt or a rule of the caller's forbids it."""
        self._crawl._native.withhold(self._id, self._crawl._now())

    def too_large(self) -> None:
        """The body is longer than :attr:`max_bytes`."""
        self._crawl._native.too_large(self._id, self._crawl._now())

    def __repr__(self) -> str:
        return f"<Request {self.method} {self.url} ({self.kind})>"


@dataclass(frozen=True)
class Page:
    """What became of a page."""

    #: its twin's URL in normal form
    key: str
    #: such as ``store``, ``keep``, ``gone``, ``refuse``
    event: str
    #: the twin's payload as JSON, where it is new
    payload: bytes | None
    #: whether the twin cannot be had, so that the page's HTML is the last resort
    needs_html: bool

    def content(self) -> dict[str, Any] | None:
        """The payload as a dictionary."""
        return None if self.payload is None else _json.loads(self.payload)


class Crawl:
    """A crawl of one site, as an iterator over its requests.

    :param start: the URL of any page of the site
    :param state: what :meth:`state` gave after the last crawl
    :param on_page: called with each page of which something became known
    :param on_event: called with what became known of the site: lines for a log
    :param parallel: how many requests may be open at once
    :param now: gives seconds since 1970
    :param sleep: waits so many seconds
    """

    def __init__(
        self,
        start: str,
        *,
        state: Text | None = None,
        on_page: Callable[[Page], object] | None = None,
        on_event: Callable[[dict[str, Any]], object] | None = None,
        parallel: int = 1,
        now: Callable[[], float] = _time.time,
        sleep: Callable[[float], None] = _time.sleep,
    ) -> None:
        self._native = _aiweb.Crawl(start, None if state is None else _text(state), parallel)
        self._clock = now
        self._sleep = sleep
        self._on_page = on_page
        self._on_event = on_event

    def _now(self) -> int:
        return int(self._clock())

    def next(self) -> Request | float | None:
        """The next request, seconds to wait, or ``None`` when the crawl is over; ``inf`` waits for an answer alone.

        For clients that have several requests open at once; with one, iterate.
        """
        while True:
            kind, told = self._native.next(self._now())
            if kind == "send":
                return Request(self, told)
            if kind == "page":
                if self._on_page is not None:
                    self._on_page(Page(**told))
            elif kind == "site":
                if self._on_event is not None:
                    self._on_event(told["detail"])
            elif kind == "wait":
                return float("inf") if told["seconds"] is None else float(told["seconds"])
            else:
                return None

    def __iter__(self) -> Iterator[Request]:
        while (step := self.next()) is not None:
            if isinstance(step, Request):
                yield step
            elif step == float("inf"):
                raise RuntimeError("the request that was handed out was not answered: call respond() or fail()")
            else:
                self._sleep(step)

    def keys(self) -> list[str]:
        """The keys of all pages that are known."""
        return self._native.keys()

    def body(self, key: str) -> bytes | None:
        """The stored payload of a page, as JSON."""
        return self._native.body(key)

    def state(self) -> str:
        """What the next crawl begins with, as JSON. It may be taken at any time."""
        return self._native.state()
