"""Test vectors of the AI-readable web's protocols, as data.

`sets()` gives the files, `cases()` the cases of one operation, `check()` runs functions against them.
"""
from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .run import passes

__all__ = ["Case", "Failure", "Refused", "Report", "Requirement", "cases", "check", "requirements", "sets"]

_HOME = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """One vector. Just one of `ok` and `err` is set."""

    #: Stable name, unique over all sets.
    id: str
    #: The set's folder and file, such as `tct/fingerprint`.
    set: str
    #: The operation, such as `tct.fingerprint`.
    op: str
    #: The requirements that the case tests, such as `TCT-FP-5`.
    requirements: tuple[str, ...]
    #: The operation's input. Members that end in `_b64` are bytes in standard base64.
    input: Mapping[str, Any]
    #: Members that the answer must have.
    ok: Mapping[str, Any] | None
    #: Kind of the error that the operation must end with.
    err: str | None
    #: What the case is about.
    comment: str | None = None
    #: What is special about the case, such as `SpecExampleDefect`.
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Requirement:
    """One row of a specification's catalogue."""

    id: str
    #: `MUST`, `SHOULD`, `DECISION` and so on.
    level: str
    #: The requirement in our words.
    text: str
    #: Document and revision.
    spec: str


@dataclass(frozen=True)
class Failure:
    """A case whose answer is not the expected one."""

    case: Case
    found: Mapping[str, Any]

    def __str__(self) -> str:
        expected = dict(self.case.ok) if self.case.ok is not None else f"an error of kind {self.case.err}"
        return f"{self.case.id}: expected {expected}, found {dict(self.found)}"


@dataclass
class Report:
    """What `check` found."""

    passed: int = 0
    failures: list[Failure] = field(default_factory=list)


class Refused(Exception):
    """Raised by an operation to answer with an error of this kind."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


def sets() -> Iterator[tuple[str, list[Case]]]:
    """Every set's name with its cases, in the order of the names."""
    for path in sorted(_HOME.glob("*/*.json")):
        if path.parent.name in ("requirements", "schema"):
            continue
        file = json.loads(path.read_text(encoding="utf-8"))
        name = f"{path.parent.name}/{path.stem}"
        yield name, [_case(name, file, case) for case in file["cases"]]


def cases(op: str) -> list[Case]:
    """All cases of one operation."""
    return [case for _, found in sets() for case in found if case.op == op]


def requirements() -> list[Requirement]:
    """All rows of all catalogues."""
    rows = []
    for path in sorted((_HOME / "requirements").glob("*.json")):
        file = json.loads(path.read_text(encoding="utf-8"))
        rows += [Requirement(row["id"], row["level"], row["text"], file["spec"]) for row in file["requirements"]]
    return rows


def check(operations: Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]], *, any_error: bool = False) -> Report:
    """Runs each operation's function over all cases of that operation.

    A function takes the input and returns the answer's members; it raises `Refused` for an error. `any_error` takes every
    kind of error where one is expected. An operation without vectors is a `KeyError`.
    """
    report = Report()
    for op, function in operations.items():
        found = cases(op)
        if not found:
            raise KeyError(f"there are no vectors for {op}")
        for case in found:
            try:
                answer: dict[str, Any] = {"ok": dict(function(case.input))}
            except Refused as refused:
                answer = {"err": {"kind": refused.kind}}
            expected = {"ok": case.ok} if case.ok is not None else {"err": {"kind": case.err}}
            if passes(expected, answer, any_error):
                report.passed += 1
            else:
                report.failures.append(Failure(case, answer))
    return report


def _case(name: str, file: Mapping[str, Any], case: Mapping[str, Any]) -> Case:
    return Case(
        id=case["id"],
        set=name,
        op=case.get("op", file.get("op")),
        requirements=tuple(case["requirements"]),
        input=case["in"],
        ok=case.get("ok"),
        err=case["err"]["kind"] if "err" in case else None,
        comment=case.get("comment"),
        flags=tuple(case.get("flags", ())),
    )
