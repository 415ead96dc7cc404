"""Test vectors of the AI-readable web's protocols, as data.

`sets()` gives the files, `cases()` the cases of one operation, `check()` runs functions against them, `explain()` tells
what a case asks for and why.
"""
from __future__ import annotations

import copy
import json
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from . import run

__all__ = ["Basis", "Case", "Failure", "Refused", "Report", "Requirement", "cases", "check", "explain", "operations", "requirements", "sets"]

_HOME = Path(__file__).parent

#: What an expectation rests on: a rule of the specification, our reading where it is open or leaves a choice, a bound of
#: ours, or a corrected mistake of the text.
Basis = Literal["text", "reading", "limit", "errata"]


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
    #: What the expectation rests on. Only `text` counts by default.
    basis: Basis = "text"
    #: Title of the specification's section, where the case names one.
    section: str | None = None
    #: Document and revision that the case tests.
    spec: str = ""


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
    #: Title of the specification's section.
    section: str
    #: What the specification leaves open, where the row is a decision of ours.
    problem: str | None = None


@dataclass(frozen=True)
class Failure:
    """A case whose answer is not the expected one. As a text it is the whole story: input, expected, found, rule."""

    case: Case
    #: `{"ok": …}`, or `{"err": {"kind": …, "message": …}}`. An exception other than `Refused` has its class as the kind.
    found: Mapping[str, Any]
    #: The exception, where the operation raised one that is not `Refused`.
    exception: BaseException | None = None

    def __str__(self) -> str:
        return run.told(f"{self.case.set}.json", self.case.op, _plain(self.case), self.found)


@dataclass
class Report:
    """What `check` found."""

    passed: int = 0
    #: Failures that count.
    failures: list[Failure] = field(default_factory=list)
    #: Failures that do not, since the specification does not decide them.
    differing: list[Failure] = field(default_factory=list)


class Refused(Exception):
    """Raised by an operation to answer with an error of this kind."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


def sets() -> Iterator[tuple[str, list[Case]]]:
    """Every set's name with its cases, in the order of the names."""
    for path in sorted(_HOME.glob("*/*.json")):
        if path.parent.name in ("requirements", "schema", "stories"):
            continue
        file = json.loads(path.read_text(encoding="utf-8"))
        name = f"{path.parent.name}/{path.stem}"
        yield name, [_case(name, file, case) for case in file["cases"]]


def cases(op: str) -> list[Case]:
    """All cases of one operation."""
    return [case for _, found in sets() for case in found if case.op == op]


def operations() -> list[dict[str, Any]]:
    """What each operation takes and answers, sorted by name: `op`, `does`, `in`, `ok`, `errors` and an `example`'s ID."""
    return json.loads((_HOME / "operations.json").read_text(encoding="utf-8"))["operations"]


def requirements() -> list[Requirement]:
    """All rows of all catalogues."""
    rows = []
    for path in sorted((_HOME / "requirements").glob("*.json")):
        file = json.loads(path.read_text(encoding="utf-8"))
        rows += [
            Requirement(row["id"], row["level"], row["text"], file["spec"], row["section"], row.get("problem"))
            for row in file["requirements"]
        ]
    return rows


def explain(name: str) -> str:
    """What the case of that id asks for, and why. A `KeyError` where there is none."""
    for _, found in sets():
        for case in found:
            if case.id == name:
                return run.told(f"{case.set}.json", case.op, _plain(case), {}, whole=True)
    raise KeyError(f"there is no case {name}")


def check(
    operations: Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]],
    *,
    any_error: bool = False,
    count: Collection[Basis] = ("text",),
) -> Report:
    """Runs each operation's function over all cases of that operation.

    A function takes the input and returns the answer's members; it raises `Refused` for an error. Any other exception is
    that case's failure, named; with `any_error` it passes where an error is expected, as every kind does. `count` says
    which bases count as failures. An operation without vectors is a `KeyError`.
    """
    report = Report()
    for op, function in operations.items():
        found = cases(op)
        if not found:
            raise KeyError(f"there are no vectors for {op}")
        for case in found:
            raised = None
            try:
                given = function(copy.deepcopy(case.input))
                if not isinstance(given, Mapping):
                    raise TypeError(f"the operation returned {type(given).__name__}, expected a mapping of members")
                answer: dict[str, Any] = {"ok": dict(given)}
            except Refused as refused:
                answer = {"err": {"kind": refused.kind}}
            except Exception as error:
                raised = error
                where = traceback.extract_tb(error.__traceback__)[-1]
                message = f"raised {error!r} at {Path(where.filename).name}:{where.lineno}"
                answer = {"err": {"kind": type(error).__name__, "message": message}}
            if run.passes(_plain(case), answer, any_error):
                report.passed += 1
            else:
                failures = report.failures if case.basis in count else report.differing
                failures.append(Failure(case, answer, raised))
    return report


def _plain(case: Case) -> dict[str, Any]:
    """The case as its file has it, for `run`."""
    expected = {"ok": case.ok} if case.ok is not None else {"err": {"kind": case.err}}
    plain = {"id": case.id, "requirements": case.requirements, "in": case.input, "basis": case.basis, **expected}
    return {**plain, **{name: value for name in ("comment", "section") if (value := getattr(case, name)) is not None}}


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
        basis=case.get("basis", "text"),
        section=case.get("section"),
        spec=file["spec"],
    )
