#!/usr/bin/env python3
"""Runs the vectors of this folder against an implementation that speaks the line protocol.

    run.py [--only PREFIX] PROGRAM [ARG...]       e.g.  run.py --only tct.canonicalize node my-adapter.js

The program reads one JSON request a line, {"id", "op", "in"}, and writes one JSON answer a line, {"id", "ok"} or
{"id", "err": {"kind"}}. A case passes when the answer has the expected members, or an error of the expected kind
(--any-error takes every error). Operations that the program answers with `unknown-op` are counted apart.
Needs Python's standard library only.
"""
import argparse, json, pathlib, subprocess, sys

options = argparse.ArgumentParser(usage=__doc__)
options.add_argument("--only", default="", help="run only operations that begin so")
options.add_argument("--any-error", action="store_true", help="take any error where one is expected")
options.add_argument("program", nargs=argparse.REMAINDER)
options = options.parse_args()

cases = []
for path in sorted(pathlib.Path(__file__).parent.glob("*/*.json")):
    file = json.loads(path.read_text(encoding="utf-8"))
    for case in file.get("cases", []):
        operation = case.get("op", file.get("op"))
        if operation.startswith(options.only):
            cases.append((path, operation, case))

requests = "".join(
    json.dumps({"id": case["id"], "op": operation, "in": case["in"]}) + "\n" for _, operation, case in cases
)
run = subprocess.run(options.program, input=requests, capture_output=True, text=True, encoding="utf-8")
answers = {}
for line in filter(None, run.stdout.split("\n")):  # not splitlines: U+2028 ends no line
    answer = json.loads(line)
    answers[answer["id"]] = answer

passed = failed = unknown = 0
for path, operation, case in cases:
    answer = answers.get(case["id"], {})
    error = answer.get("err", {}).get("kind")
    if error == "unknown-op":
        unknown += 1
        continue
    if "err" in case:
        good = error == case["err"]["kind"] or (options.any_error and error is not None)
    else:
        good = "ok" in answer and all(answer["ok"].get(name) == value for name, value in case["ok"].items())
    passed, failed = passed + good, failed + (not good)
    if not good:
        print(f"{path.parent.name}/{path.name} {case['id']}: {json.dumps(answer, ensure_ascii=False)[:300]}")
print(f"{passed} passed, {failed} failed, {unknown} skipped")
sys.exit(1 if failed or not passed else 0)
