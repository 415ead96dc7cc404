"""The native part. `aiweb` and its modules are what to import."""

from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypedDict, final

from .errors import Finding

__version__: str

_Bytes = str | bytes
_Lines = list[tuple[str, bytes]]

class Heading(TypedDict):
    level: int
    text: str

class Image(TypedDict, total=False):
    url: str
    alt: str

class Comment(TypedDict):
    author: str | None
    time: str | None
    text: str
    depth: int

class Hidden(TypedDict):
    text: str
    #: such as ``display``, ``opacity``, ``class``
    reason: str
    #: the names of the elements around it
    place: str
    words: int
    #: whether it tells its reader what to do
    instructs: bool

@final
class Content:
    """The content of a page, and what the page says about itself. `str(content)` is its Markdown."""

    @property
    def title(self) -> str:
        """The page's title without the site's name; empty where there is none."""
    @property
    def markdown(self) -> str:
        """The content as CommonMark with GFM's tables, footnotes, and formulas between dollars; no raw HTML."""
    @property
    def text(self) -> str:
        """The content as plain text, blocks parted by empty lines."""
    @property
    def html(self) -> str:
        """The content as HTML: elements of text, lists, tables, code and images alone."""
    @property
    def kind(self) -> str:
        """What the page was read as, such as ``article``."""
    @property
    def confidence(self) -> float | None:
        """The F1 to expect of the content, by words, from 0 to 1; `None` where the markup alone decided."""
    @property
    def author(self) -> str | None:
        """The authors, joined by ``; ``."""
    @property
    def date(self) -> str | None:
        """When it was published, such as ``2026-05-10``."""
    @property
    def language(self) -> str | None:
        """The language tag that the page declares."""
    @property
    def site_name(self) -> str | None:
        """The site's name."""
    @property
    def description(self) -> str | None:
        """The page's description of itself."""
    @property
    def canonical_url(self) -> str | None:
        """The address that the page names as its own."""
    @property
    def about(self) -> dict[str, Any]:
        """What the page says about itself, each value with its source and how sure it is."""
    @property
    def headings(self) -> list[Heading]:
        """All headings of the page, in order."""
    @property
    def images(self) -> list[Image]:
        """All images of the page, in order."""
    @property
    def links(self) -> list[tuple[str, str | None]]:
        """The links of the page, in order: target and text."""
    @property
    def structured_data(self) -> Any:
        """The page's JSON-LD."""
    @property
    def comments(self) -> list[Comment]:
        """The readers' comments, with ``comments_apart``."""
    @property
    def hidden(self) -> list[Hidden]:
        """What was left out since readers do not see it."""
    @property
    def findings(self) -> list[Finding]:
        """What was noticed on the way."""
    def to_dict(self) -> dict[str, Any]:
        """All of it, as dictionaries, lists and texts."""

@final
class Pages(Iterator[Content]):
    def __new__(cls, pages: Iterable[Any], workers: int | None, options: dict[str, Any]) -> Pages: ...
    def __iter__(self) -> Pages: ...
    def __next__(self) -> Content: ...

@final
class Document:
    """A document of AIWebIndex, 1.0 or 2.0."""

    @staticmethod
    def from_json(json: _Bytes, version: Literal["1.0", "2.0"] | None = None) -> Document:
        """Reads a document, of the version that it says it is or of the one asked for.

        Raises `DocumentError` where it breaks the specification; see `check`.
        """
    @staticmethod
    def check(json: _Bytes, version: Literal["1.0", "2.0"] | None = None) -> list[Finding]:
        """What is wrong or odd with a document."""
    def to_json(self) -> str:
        """The document as it is written."""
    def to_dict(self) -> dict[str, Any]:
        """The document as dictionaries, lists and texts."""
    def model_dump(self) -> dict[str, Any]:
        """The same as `to_dict`, under the name that pydantic has."""
    @property
    def version(self) -> str:
        """``1.0`` or ``2.0``."""
    @property
    def url(self) -> str: ...
    @property
    def title(self) -> str | None: ...
    @property
    def description(self) -> str | None: ...
    @property
    def language(self) -> str | None: ...
    @property
    def markdown(self) -> str: ...
    @property
    def word_count(self) -> int | None: ...
    @property
    def findings(self) -> list[Finding]:
        """What was odd when it was read."""
    def upgrade(self, freshness_policy: str = "cache_first", cache_status: str = "miss") -> tuple[Document, list[str]]:
        """The document in 2.0, and the members of 1.0 that are lost."""
    def downgrade(
        self,
        *,
        fetched_at: str | None = None,
        status_code: int | None = None,
        user_agent: str | None = None,
        render_mode: str | None = None,
        fetch_duration_ms: int | None = None,
        content_length: int | None = None,
        word_count: int | None = None,
    ) -> tuple[Document, list[str]]:
        """The document in 1.0, and the members of 2.0 that are lost. What 2.0 may lack is given here."""

@final
class Fingerprinter:
    """A fingerprint piece by piece, with the methods of hashlib's objects.

    >>> import aiweb
    >>> hash = aiweb.Fingerprinter()
    >>> hash.update("Hello ")
    >>> hash.update(b"World")
    >>> hash.fingerprint() == aiweb.fingerprint("Hello World")
    True
    """

    def __new__(cls) -> Fingerprinter: ...
    def update(self, data: _Bytes) -> None:
        """Takes the next piece; bytes may end inside of a character. Raises `TextError` for what is not UTF-8."""
    def fingerprint(self) -> str:
        """``sha256-`` and 64 hex digits."""
    def digest(self) -> bytes:
        """32 bytes."""
    def hexdigest(self) -> str:
        """64 hex digits."""
    def copy(self) -> Fingerprinter:
        """A fingerprinter that has taken the same pieces."""

@final
class Robots:
    def __new__(cls, text: _Bytes) -> Robots: ...
    @staticmethod
    def of_response(status: int, body: _Bytes) -> Robots: ...
    def allowed(self, agent: str | list[str], url: str) -> Decision: ...
    def _allowed_of_url(self, agent: str | list[str], url: str) -> Decision: ...
    def crawl_delay(self, agent: str | list[str]) -> float | None: ...
    @property
    def sitemaps(self) -> list[str]: ...
    def preferences(self, agent: str | list[str], url: str) -> dict[str, bool]: ...
    def findings(self) -> list[Finding]: ...

@final
class Decision:
    """Whether a URL may be fetched, and the line that decides. It is true if it may."""

    @property
    def allowed(self) -> bool: ...
    @property
    def line(self) -> int | None:
        """The line of the rule, counted from 1; `None` where no rule decides."""
    @property
    def pattern(self) -> str | None:
        """The rule's pattern."""
    def __bool__(self) -> bool: ...

_FeedLine = tuple[int, str | None, list[Finding]]

@final
class FeedReader:
    def __new__(cls, id_key: bytes) -> FeedReader: ...
    def push(self, piece: _Bytes) -> list[_FeedLine]: ...
    def finish(self) -> _FeedLine | None: ...
    def summary(self) -> tuple[int, int, bool, list[Finding]]: ...

@final
class RequestCheck:
    def __new__(
        cls, method: str, url: str, headers: _Lines, body: _Bytes | None, path_alone: bool, now: int
    ) -> RequestCheck: ...
    def wanted(self) -> str | None: ...
    def on_response(self, url: str, status: int, headers: _Lines, body: _Bytes) -> None: ...
    def on_failure(self) -> None: ...
    def identity(self) -> dict[str, Any]: ...

@final
class Crawl:
    def __new__(cls, start: str, state: _Bytes | None, parallel: int) -> Crawl: ...
    def next(self, now: int) -> tuple[Literal["send", "page", "site", "wait", "done"], dict[str, Any]]: ...
    def respond(self, id: int, url: str, status: int, headers: _Lines, body: _Bytes, now: int) -> None: ...
    def fail(self, id: int, now: int) -> None: ...
    def withhold(self, id: int, now: int) -> None: ...
    def too_large(self, id: int, now: int) -> None: ...
    def body(self, key: str) -> bytes | None: ...
    def keys(self) -> list[str]: ...
    def state(self) -> str: ...

def extract(html: _Bytes, url: str | None, content_type: str | None, options: dict[str, Any]) -> Content: ...
def markdown(html: _Bytes, url: str | None) -> str: ...
def extract_document(
    html: _Bytes,
    url: str,
    version: str,
    content_type: str | None,
    fetched_at: str | None,
    status_code: int | None,
    user_agent: str | None,
    freshness_policy: str,
    cache_status: str,
) -> Document: ...
def fingerprint(text: _Bytes) -> str: ...
def normalize(text: _Bytes) -> str: ...
def canonicalize(json: _Bytes, order: str) -> bytes: ...
def is_canonical(json: _Bytes, order: str) -> bool: ...
def first_difference(json: _Bytes, order: str) -> tuple[int, str] | None: ...
def validate_manifest(json: _Bytes) -> list[Finding]: ...
def validate_product(json: str) -> list[Finding]: ...
def sign_manifest(manifest: _Bytes, key: _Bytes, detached: bool) -> bytes: ...
def verify_manifest(
    manifest: _Bytes, keys: _Bytes, fetched_from: str | None
) -> tuple[bool, str, str | None, list[str]]: ...
def thumbprint(key: _Bytes) -> str: ...
def sign_request(
    method: str,
    url: str,
    headers: _Lines,
    body: _Bytes | None,
    key: _Bytes,
    agent: str,
    nonce: _Bytes,
    now: int,
    lifetime: int,
) -> list[tuple[str, str]]: ...
