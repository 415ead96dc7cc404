"""What is raised, and what is found.

Every exception of this package is an :class:`AiwebError`, which is a :class:`ValueError`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal


class AiwebError(ValueError):
    """What the libraries refuse.

    :ivar code: a stable name in kebab case, such as ``unexpected-end``
    :ivar offset: the byte of the input that it is about, if there is one
    :ivar requirement: the ID of the requirement that is broken, such as ``TCT-FP-8``, if there is one
    """

    code: str
    offset: int | None
    requirement: str | None

    def __init__(
        self, message: str, code: str = "aiweb", offset: int | None = None, requirement: str | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.offset = offset
        self.requirement = requirement

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (str(self), self.code, self.offset, self.requirement))


class ArgumentError(AiwebError):
    """An argument that is of the right type and makes no sense."""


class TextError(AiwebError):
    """Bytes that are not UTF-8."""


class JsonError(AiwebError):
    """Text that is not JSON, or JSON that has no canonical form."""


class UrlError(AiwebError):
    """Text that is not a usable URL."""


class DocumentError(AiwebError):
    """JSON that is not a document of AIWebIndex."""


class ManifestError(AiwebError):
    """JSON that is not a manifest or a product of llmindex."""


class KeyMaterialError(AiwebError):
    """Something that is not a key, or not one for this."""


class SignatureError(AiwebError):
    """Something that cannot be signed or checked. A signature that is wrong is a verdict, not an exception."""


class CrawlError(AiwebError):
    """An answer that the crawl did not ask for."""


Severity = Literal["error", "warning", "notice"]


@dataclass(frozen=True)
class Finding:
    """What a check found."""

    #: how much it matters
    severity: Severity
    #: what it is: a stable name in kebab case
    code: str
    #: one clause: what was expected, and what was found
    message: str
    #: a JSON Pointer, a header field or a URL; empty if there is none
    place: str = ""
    #: the byte of the input
    offset: int | None = None
    #: the line, counted from 1
    line: int | None = None
    #: the column in characters, counted from 1
    column: int | None = None
    #: the ID of the requirement that is broken
    requirement: str | None = None

    @classmethod
    def _of(cls, record: dict[str, Any]) -> Finding:
        return cls(**record)

    def __str__(self) -> str:
        where = self.place or (f"line {self.line}" if self.line is not None else "")
        return f"{self.severity}{' at ' + where if where else ''}: {self.message} [{self.code}]"
