#!/usr/bin/env python3
"""Runs the vectors of this folder against an implementation that speaks the line protocol.

    run.py [--only PREFIX] [--any-error] PROGRAM [ARG...]     e.g.  run.py --only tct.canonicalize node my-adapter.js

The program reads one JSON request a line, {"id", "op", "in"}, and writes one JSON answer a line, {"id", "ok"} or
{"id", "err": {"kind"}}, and nothing else on its standard output; its standard error is shown as it comes.
A case passes when the answer has the expected members with values of the same JSON type (true is not 1, and 1.0 is
not 1), or an error of the expected kind (--any-error takes every error). Operations that the program answers with
`unknown-op` are counted apart.
Exit status: 0 all passed, 1 some failed, 2 the program could not be run or does not speak the protocol.
Needs Python's standard library only.
"""
import argparse, json, pathlib, subprocess, sys


def same(expected, found):
    """Whether two JSON values are equal and of the same type at every level."""
    if type(expected) is not type(found):
        return False
    if isinstance(expected, dict):
        return expected.keys() == found.keys() and all(same(value, found[name]) for name, value in expected.items())
    if isinstance(expected, list):
        return len(expected) == len(found) and all(map(same, expected, found))
    return expected == found


def passes(case, answer, any_error):
    """Whether an answer is the one that a case expects."""
    if "err" in case:
        return "err" in answer and (any_error or answer["err"].get("kind") == case["err"]["kind"])
    found = answer.get("ok")
    return isinstance(found, dict) and all(name in found and same(value, found[name]) for name, value in case["ok"].items())


def load(only):
    """The cases whose operation begins with `only`, each with its file and operation."""
    cases = []
    for path in sorted(pathlib.Path(__file__).parent.glob("*/*.json")):
        file = json.loads(path.read_text(encoding="utf-8"))
        for case in file.get("cases", []):
            operation = case.get("op", file.get("op"))
            if operation.startswith(only):
                cases.append((path, operation, case))
    return cases


class ProtocolError(Exception):
    """The program cannot be run, or what it writes is not the line protocol. The text is one line."""


def ask(program, cases):
    """The program's answers by their id."""
    requests = "".join(
        json.dumps({"id": case["id"], "op": operation, "in": case["in"]}) + "\n" for _, operation, case in cases
    )
    try:
        run = subprocess.run(program, input=requests.encode(), stdout=subprocess.PIPE)
    except OSError as error:
        raise ProtocolError(f"cannot start {program[0]}: {error.strerror}") from None
    answers, asked = {}, {case["id"] for _, _, case in cases}
    for number, line in enumerate(run.stdout.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            answer = json.loads(line, parse_constant=no_json)
            wrong = None if well_formed(answer) else "is not an answer"
        except ValueError:
            wrong = "is not JSON"
        if wrong is None and answer["id"] not in asked:
            wrong = "answers an id that was not asked"
        if wrong is None and answer["id"] in answers:
            wrong = "answers an id a second time"
        if wrong is not None:
            shown = line[:120].decode("utf-8", "backslashreplace")
            raise ProtocolError(f"line {number} of the program's output {wrong}: {shown}")
        answers[answer["id"]] = answer
    if run.returncode != 0:
        ended = f"ended with status {run.returncode}" if run.returncode > 0 else f"was ended by signal {-run.returncode}"
        raise ProtocolError(f"the program {ended} after {len(answers)} of {len(cases)} answers")
    return answers


def no_json(name):
    """Python reads NaN and Infinity; JSON has no such values."""
    raise ValueError(name)


def well_formed(answer):
    """Whether a line is an object with a text `id` and one of `ok` and `err`."""
    if not isinstance(answer, dict) or not isinstance(answer.get("id"), str) or ("ok" in answer) == ("err" in answer):
        return False
    return "ok" in answer or (isinstance(answer["err"], dict) and isinstance(answer["err"].get("kind"), str))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", metavar="PREFIX", default="", help="run only operations that begin so")
    options.add_argument("--any-error", action="store_true", help="take any error where one is expected")
    options.add_argument("program", metavar="PROGRAM", help="the program to test")
    options.add_argument("arguments", metavar="ARG", nargs=argparse.REMAINDER, help="its arguments")
    options = options.parse_args()
    sys.stdout.reconfigure(errors="backslashreplace")
    cases = load(options.only)
    try:
        if not cases:
            raise ProtocolError(f"no operation begins with {options.only}")
        answers = ask([options.program, *options.arguments], cases)
    except ProtocolError as error:
        print(f"run.py: {error}", file=sys.stderr)
        return 2
    passed = failed = unknown = 0
    for path, _, case in cases:
        answer = answers.get(case["id"])
        if answer is not None and answer.get("err", {}).get("kind") == "unknown-op":
            unknown += 1
        elif answer is not None and passes(case, answer, options.any_error):
            passed += 1
        else:
            failed += 1
            shown = "no answer" if answer is None else json.dumps(answer, ensure_ascii=False)[:300]
            print(f"{path.parent.name}/{path.name} {case['id']}: {shown}")
    print(f"{passed} passed, {failed} failed, {unknown} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
