"""Web pages to Markdown, and the protocols of the AI-readable web.

>>> import aiweb
>>> page = aiweb.extract("<title>Tea</title><nav>Home</nav><main><h1>Tea</h1><p>Green, <b>black</b>.</main>")
>>> page.title, page.markdown
('Tea', '# Tea\\n\\nGreen, **black**.')
>>> aiweb.fingerprint("Hello World")
'sha256-b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'

What the modules are for:

- this one: extraction, documents of AIWebIndex, fingerprints, canonical JSON, signatures of manifests and requests
- :mod:`aiweb.robots`: robots.txt
- :mod:`aiweb.llmindex`: manifests and product feeds
- :mod:`aiweb.tct`: crawls by TCT, with any HTTP client
- :mod:`aiweb.trafilatura`: ``extract`` with trafilatura's signature
- :mod:`aiweb.errors`: the exceptions, and :class:`Finding`
"""

from __future__ import annotations

import json as _json
import os as _os
import time as _time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from . import _aiweb
from ._aiweb import Content, Document, Fingerprinter
from .errors import (
    AiwebError,
    ArgumentError,
    CrawlError,
    DocumentError,
    Finding,
    JsonError,
    KeyMaterialError,
    ManifestError,
    SignatureError,
    TextError,
    UrlError,
)

__version__ = _aiweb.__version__

__all__ = [
    "AiwebError",
    "ArgumentError",
    "Content",
    "CrawlError",
    "Document",
    "DocumentError",
    "Finding",
    "Fingerprinter",
    "Identity",
    "JsonError",
    "KeyMaterialError",
    "ManifestError",
    "SignatureError",
    "SignatureReport",
    "TextError",
    "UrlError",
    "canonicalize",
    "document",
    "dumps",
    "extract",
    "extract_many",
    "fingerprint",
    "first_difference",
    "identify",
    "is_canonical",
    "markdown",
    "normalize",
    "sign",
    "sign_request",
    "thumbprint",
    "verify",
]

#: text, or bytes: of HTML in any encoding, elsewhere in UTF-8
Text: TypeAlias = str | bytes | bytearray | memoryview
#: header lines as pairs, or a mapping
Headers: TypeAlias = Mapping[str, str] | Iterable[tuple[str, str]]
Focus: TypeAlias = Literal["precision", "balanced", "recall"]
Order: TypeAlias = Literal["utf-16", "code-point"]


def _text(value: Text) -> str | bytes:
    """What the native part takes as it is; other buffers are copied."""
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    if isinstance(value, (str, bytes)):
        return value
    raise TypeError(f"expected str or bytes, found {type(value).__name__}")


def _lines(headers: Headers) -> list[tuple[str, bytes]]:
    """The lines as they are sent: clients and servers decode them by Latin-1, UTF-8 or with surrogates for what is neither."""
    lines = cast("Mapping[str, str]", headers).items() if isinstance(headers, Mapping) else headers

    def sent(value: str) -> bytes:
        try:
            return value.encode("latin-1")
        except UnicodeEncodeError:
            return value.encode("utf-8", "surrogateescape")

    # A name that HTTP does not allow says nothing.
    return [(name, sent(value)) for name, value in lines if name.isascii()]


def _key(key: Text | Mapping[str, Any]) -> str | bytes:
    return _json.dumps(dict(key)) if isinstance(key, Mapping) else _text(key)


# ---- pages


def extract(
    html: Text,
    url: str | None = None,
    *,
    focus: Focus = "balanced",
    include_comments: bool = True,
    include_images: bool = True,
    include_links: bool = True,
    include_tables: bool = True,
    include_title: bool = True,
    include_hidden: bool = False,
    keep: str | None = None,
    remove: str | None = None,
    comments_apart: bool = False,
    repeat_spans: bool = False,
    whole_page: bool = False,
    min_words: int = 0,
    max_words: int | None = None,
    content_type: str | None = None,
) -> Content:
    """The content of a page. Never fails for what a page is: any text or bytes make a content.

    :param html: the page. Bytes are decoded as browsers do it: by ``content_type``, by what they declare, by how they look
    :param url: the page's address; with it the targets of links and images are absolute
    :param focus: what to prefer in doubt: ``precision`` leaves out what may not be content, ``recall`` keeps it
    :param include_comments: keep readers' comments where they count as content
    :param include_hidden: keep text that no reader sees, marked; without, it is in ``Content.hidden``
    :param keep: a CSS selector of what the content is, for pages that are known
    :param remove: a CSS selector of what is not content
    :param comments_apart: put comments into ``Content.comments`` and not into the text
    :param repeat_spans: write the value of a table's cell into each cell that it spans
    :param whole_page: take the whole page for its content
    :param max_words: end the content after so many words
    :param content_type: the value of the header field ``Content-Type``
    :raises ArgumentError: a selector that cannot be read
    :raises UrlError: ``url`` is not a URL
    """
    options = _options(
        focus=focus,
        include_comments=include_comments,
        include_images=include_images,
        include_links=include_links,
        include_tables=include_tables,
        include_title=include_title,
        include_hidden=include_hidden,
        keep=keep,
        remove=remove,
        comments_apart=comments_apart,
        repeat_spans=repeat_spans,
        whole_page=whole_page,
        min_words=min_words,
        max_words=max_words,
    )
    return _aiweb.extract(_text(html), url, content_type, options)


def _options(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def extract_many(
    pages: Iterable[str | bytes | tuple[str | bytes, str | None]], *, workers: int | None = None, **options: Any
) -> Iterator[Content]:
    """The contents of many pages, extracted side by side and handed out in the order of the pages.

    ``pages`` gives texts, bytes, or pairs of one of them and a URL. It is read as contents are taken, at most eight pages a
    worker ahead, so that memory stays bounded however long it is. What it raises is raised when the pages before are handed out.

    :param workers: threads; as many as the processor has if absent
    :param options: the keyword arguments of :func:`extract`
    """
    if isinstance(pages, (str, bytes, bytearray, memoryview)):
        # A str is an iterable of str too: each letter would be a page.
        raise TypeError("pages: expected an iterable of pages, found a single one; put it into a list")
    return _aiweb.Pages(pages, workers, _options(**options))


def markdown(html: Text, url: str | None = None) -> str:
    """A whole page as Markdown, without choosing what its content is: no scripts, no raw HTML."""
    return _aiweb.markdown(_text(html), url)


def document(
    html: Text,
    url: str,
    *,
    version: Literal["1.0", "2.0"] = "2.0",
    content_type: str | None = None,
    fetched_at: str | None = None,
    status_code: int | None = None,
    user_agent: str | None = None,
    freshness_policy: str = "cache_first",
    cache_status: str = "miss",
) -> Document:
    """The AIWebIndex document of a page.

    :param url: the address after redirects
    :param fetched_at: when it was fetched, such as ``2026-05-10T12:34:56Z``; 1.0 needs it
    :param status_code: the status of the fetch; 1.0 needs it
    :param user_agent: the ``User-Agent`` that was sent; 1.0 needs it, 2.0 has no place for it
    :param freshness_policy: 2.0: what the caller asked for, ``cache_first`` or ``force_refresh``
    :param cache_status: 2.0: what happened: ``hit``, ``miss``, ``refreshed`` or ``revalidated``
    """
    return _aiweb.extract_document(
        _text(html), url, version, content_type, fetched_at, status_code, user_agent, freshness_policy, cache_status
    )


# ---- fingerprints and canonical JSON


def fingerprint(text: Text) -> str:
    """The fingerprint of a text, such as ``sha256-b94d…``: normalised as TCT has it, then hashed.

    :raises TextError: bytes that are not UTF-8
    """
    return _aiweb.fingerprint(_text(text))


def normalize(text: Text) -> str:
    """The text that goes into :func:`fingerprint`.

    :raises TextError: bytes that are not UTF-8
    """
    return _aiweb.normalize(_text(text))


def canonicalize(json: Text, *, order: Order = "utf-16") -> bytes:
    """JSON text in canonical form, RFC 8785.

    :param json: JSON text. For Python's own values see :func:`dumps`
    :param order: how members are sorted: ``utf-16`` is RFC 8785's, ``code-point`` is TCT's. They differ for names with
        characters beyond U+FFFF alone
    :raises JsonError: text that is no JSON, or that has no canonical form, such as a repeated name
    """
    return _aiweb.canonicalize(_text(json), order)


def dumps(value: Any, *, order: Order = "utf-16") -> bytes:
    """A Python value as canonical JSON, RFC 8785.

    :raises JsonError: an integer beyond 2**53 - 1, which a double does not hold, NaN, infinity, or a lone surrogate
    :raises TypeError: a value that JSON does not have, or a name that is not a ``str``
    """
    _check(value)
    try:
        text = _json.dumps(value, allow_nan=False, separators=(",", ":"))
    except ValueError as error:
        raise JsonError(str(error), "not-a-number") from None
    return _aiweb.canonicalize(text, order)


def _check(value: Any) -> None:
    """Refuses what `json.dumps` would change in silence; with a stack of its own, since nesting is not bounded here."""
    left = [value]
    while left:
        item = left.pop()
        if isinstance(item, dict):
            for name in item:
                if not isinstance(name, str):
                    raise TypeError(f"expected member names of type str, found {type(name).__name__}")
            left.extend(item.values())
        elif isinstance(item, (list, tuple)):
            left.extend(item)
        elif isinstance(item, int) and not isinstance(item, bool) and abs(item) > 2**53 - 1:
            raise JsonError(f"expected an integer of at most 2**53 - 1, found {item}", "unsafe-integer")


def is_canonical(json: Text, *, order: Order = "utf-16") -> bool:
    """Whether JSON text is in canonical form already."""
    return _aiweb.is_canonical(_text(json), order)


def first_difference(json: Text, *, order: Order = "utf-16") -> tuple[int, str] | None:
    """Where JSON text is not in canonical form: the first byte that differs, and a sentence. ``None`` where it is."""
    return _aiweb.first_difference(_text(json), order)


# ---- signatures


@dataclass(frozen=True)
class SignatureReport:
    """Whether the signature of a manifest holds."""

    valid: bool
    #: why, such as ``valid`` or ``key-unknown``
    reason: str
    #: the key's ID, as the signature has it
    kid: str | None
    #: what to know besides
    caveats: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.valid


def sign(manifest: Text, key: Text | Mapping[str, Any], *, detached: bool = False) -> bytes:
    """A manifest of llmindex with a signature, in canonical form.

    :param key: a private key as JWK, as text or as a dictionary
    :raises KeyMaterialError: not such a key
    """
    return _aiweb.sign_manifest(_text(manifest), _key(key), detached)


def verify(manifest: Text, keys: Text | Mapping[str, Any], *, fetched_from: str | None = None) -> SignatureReport:
    """Whether the signature of a manifest holds. A wrong one is a verdict, not an exception.

    :param keys: the site's key set, as text or as a dictionary
    :param fetched_from: the URL that the manifest came from, which must be its own
    :raises SignatureError: a manifest that cannot be read
    """
    return _report(*_aiweb.verify_manifest(_text(manifest), _key(keys), fetched_from))


def _report(valid: bool, reason: str, kid: str | None, caveats: list[str]) -> SignatureReport:
    return SignatureReport(valid, reason, kid, tuple(caveats))


def thumbprint(key: Text | Mapping[str, Any]) -> str:
    """The thumbprint of a key, RFC 7638."""
    return _aiweb.thumbprint(_key(key))


def sign_request(
    method: str,
    url: str,
    headers: Headers = (),
    *,
    key: Text | Mapping[str, Any],
    agent: str,
    body: Text | None = None,
    lifetime: int = 60,
    nonce: bytes | None = None,
    now: int | None = None,
) -> dict[str, str]:
    """The header lines that sign a request by Web Bot Auth; add them to the request as they are.

    :param headers: those of the request's headers that are to be covered
    :param key: the crawler's private key as JWK
    :param agent: the ``https`` URL under which the crawler publishes its keys
    :param body: the request's body; its ``Content-Digest`` belongs into ``headers``
    :param lifetime: seconds for which the signature holds
    :param nonce: bytes that no other request has; 32 by chance if absent
    :param now: seconds since 1970; the clock's if absent
    """
    nonce = _os.urandom(32) if nonce is None else nonce
    now = int(_time.time()) if now is None else now
    given = None if body is None else _text(body)
    return dict(_aiweb.sign_request(method, url, _lines(headers), given, _key(key), agent, nonce, now, lifetime))


@dataclass(frozen=True)
class Identity:
    """Who sent a request, as far as its signatures show. Identity is not permission."""

    verdict: Literal["verified", "unverified", "anonymous"]
    #: why it is not verified
    reason: str | None = None
    #: the agent that publishes the key: the normal form of its URL
    agent: str | None = None
    #: the key's thumbprint
    key: str | None = None
    #: how much of the request is bound
    coverage: str | None = None
    #: until when to remember the signature against replay, in seconds since 1970
    expires: int | None = None

    def __bool__(self) -> bool:
        return self.verdict == "verified"


#: status, headers and body of a response, or ``None`` if there was none
Response: TypeAlias = tuple[int, Headers, bytes]


def identify(
    method: str,
    url: str,
    headers: Headers,
    *,
    fetch: Callable[[str], Response | None],
    body: Text | None = None,
    path_alone: bool = False,
    now: int | None = None,
) -> Identity:
    """Who sent a request, by Web Bot Auth. A server still has to remember signatures, so that none is used twice.

    :param fetch: gets a key directory by its ``https`` URL, without following redirects; called only for signatures that
        could be valid. Keep what it gives
    :param path_alone: accept a signature that does not bind the query and the body, as some deployed agents make them
    :param now: seconds since 1970; the clock's if absent
    """
    now = int(_time.time()) if now is None else now
    given = None if body is None else _text(body)
    check = _aiweb.RequestCheck(method, url, _lines(headers), given, path_alone, now)
    while (wanted := check.wanted()) is not None:
        response = fetch(wanted)
        if response is None:
            check.on_failure()
        else:
            status, lines, content = response
            check.on_response(wanted, status, _lines(lines), content)
    return Identity(**check.identity())
