"""Manifests and product feeds of llmindex.

>>> from aiweb import llmindex
>>> report = llmindex.validate('{"version": "0.1"}')
>>> report.valid, report.errors[0].code
(False, 'missing-member')
"""

from __future__ import annotations

import json as _json
import os as _os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any

from . import Text, _aiweb, _text
from .errors import Finding

__all__ = ["FeedLine", "FeedSummary", "Report", "feed", "validate", "validate_product"]

#: bytes that are read of a feed at once
_PIECE = 1 << 16


@dataclass(frozen=True)
class Report:
    """What a check found."""

    findings: tuple[Finding, ...]

    @property
    def valid(self) -> bool:
        """Whether there is no error."""
        return not self.errors

    @property
    def errors(self) -> list[Finding]:
        """The findings that break the specification."""
        return [found for found in self.findings if found.severity == "error"]

    @property
    def warnings(self) -> list[Finding]:
        """The findings that do not."""
        return [found for found in self.findings if found.severity != "error"]

    def __bool__(self) -> bool:
        return self.valid


def validate(manifest: Text) -> Report:
    """Checks a manifest, of 0.1 or 0.2.

    :raises ManifestError: text that is no JSON
    """
    return Report(tuple(_aiweb.validate_manifest(_text(manifest))))


def validate_product(product: str) -> Report:
    """Checks one product, a line of a feed.

    :raises ManifestError: text that is no JSON
    """
    return Report(tuple(_aiweb.validate_product(product)))


@dataclass(frozen=True)
class FeedLine:
    """A line of a feed."""

    number: int
    #: the line as text, where it is a JSON object
    json: str | None
    findings: tuple[Finding, ...]

    @property
    def valid(self) -> bool:
        """Whether the line has no error."""
        return all(found.severity != "error" for found in self.findings)

    def product(self) -> dict[str, Any] | None:
        """The line as a dictionary."""
        return None if self.json is None else _json.loads(self.json)


@dataclass
class FeedSummary:
    """What is known of a feed when all of its lines were taken."""

    products: int = 0
    bad_lines: int = 0
    valid: bool = True
    findings: list[Finding] = field(default_factory=list)


def feed(file: IO[bytes], summary: FeedSummary | None = None) -> Iterator[FeedLine]:
    """The lines of a feed, in constant memory apart from a hash for each identifier.

    :param file: a file opened for bytes, or anything with ``read(size)``
    :param summary: filled when the last line was taken
    """
    reader = _aiweb.FeedReader(_os.urandom(16))
    while piece := file.read(_PIECE):
        for number, text, findings in reader.push(piece):
            yield FeedLine(number, text, tuple(findings))
    if (last := reader.finish()) is not None:
        yield FeedLine(last[0], last[1], tuple(last[2]))
    if summary is not None:
        summary.products, summary.bad_lines, summary.valid, summary.findings = reader.summary()
