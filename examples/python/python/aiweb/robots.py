"""robots.txt, RFC 9309.

>>> from aiweb import robots
>>> file = robots.parse("User-agent: *\\nDisallow: /private/\\nCrawl-delay: 2\\n")
>>> decision = file.allowed("MyBot", "/private/tea")
>>> decision.allowed, decision.line, decision.pattern
(False, 2, '/private/')
>>> file.can_fetch("https://example.com/tea", "MyBot"), file.crawl_delay("MyBot")
(True, 2.0)
"""

from __future__ import annotations

from collections.abc import Sequence

from . import Text, _aiweb, _text
from ._aiweb import Decision
from .errors import Finding

__all__ = ["Decision", "Robots", "of_response", "parse"]


class Robots:
    """A parsed robots.txt. ``can_fetch``, ``crawl_delay`` and ``sitemaps`` are what protego has under these names."""

    def __init__(self, text: Text) -> None:
        self._file = _aiweb.Robots(_text(text))

    @classmethod
    def _of(cls, file: _aiweb.Robots) -> Robots:
        found = cls.__new__(cls)
        found._file = file
        return found

    def allowed(self, agent: str | Sequence[str], url: str) -> Decision:
        """Whether a crawler may fetch a URL or path, and the line that decides. A decision is true if it may: not for a text
        that is neither, such as a crawler's name where the two are swapped.

        :param agent: the crawler's product token, such as ``GPTBot``, or several, all of whose groups apply
        """
        return self._file.allowed(_names(agent), url)

    def can_fetch(self, url: str, user_agent: str) -> bool:
        """Whether a crawler may fetch a URL or path. The order is protego's, the other one than that of ``allowed``."""
        return self._file.allowed(user_agent, url).allowed

    def crawl_delay(self, user_agent: str | Sequence[str]) -> float | None:
        """Seconds between two requests, if the file asks for some."""
        return self._file.crawl_delay(_names(user_agent))

    @property
    def sitemaps(self) -> list[str]:
        """The sitemaps that the file names."""
        return self._file.sitemaps

    def preferences(self, agent: str | Sequence[str], url: str) -> dict[str, bool]:
        """What the file says of uses, by Content-Usage and Content-Signal, such as ``{"train-ai": False}``."""
        return self._file.preferences(_names(agent), url)

    def findings(self) -> list[Finding]:
        """What its owner may want to mend."""
        return self._file.findings()


def _names(agent: str | Sequence[str]) -> str | list[str]:
    return agent if isinstance(agent, str) else list(agent)


def parse(text: Text) -> Robots:
    """Reads a robots.txt. Never fails: what cannot be read is passed over, and told by :meth:`Robots.findings`."""
    return Robots(text)


def of_response(status: int, body: Text = b"") -> Robots:
    """What the answer to a request for robots.txt allows, redirects followed. With 2xx its rules decide; with 429, 5xx and 0,
    which stands for no answer, nothing may be fetched; with any other status everything may.

    >>> of_response(503).can_fetch("https://example.com/tea", "MyBot"), of_response(404).can_fetch("https://example.com/tea", "MyBot")
    (False, True)
    """
    return Robots._of(_aiweb.Robots.of_response(status, _text(body)))
