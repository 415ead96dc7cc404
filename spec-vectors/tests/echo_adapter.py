"""An adapter that looks every answer up in the vectors, and then does one thing wrong, named by its argument."""
import json, pathlib, sys

mode = sys.argv[1]
expected = {}
for path in pathlib.Path(__file__).parent.parent.glob("*/*.json"):
    for case in json.loads(path.read_text(encoding="utf-8")).get("cases", []):
        expected[case["id"]] = {"ok": case["ok"]} if "ok" in case else {"err": case["err"]}


def changed(value):
    """The value with another JSON type that Python's == does not tell from it."""
    if isinstance(value, dict):
        return {name: changed(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [changed(inner) for inner in value]
    if mode == "booleans-as-numbers" and isinstance(value, bool):
        return int(value)
    if mode == "integers-as-floats" and type(value) is int:
        return float(value)
    return value


if mode == "no-output":
    sys.exit(0)
for number, line in enumerate(sys.stdin):
    request = json.loads(line)
    answer = {"id": request["id"], **changed(expected[request["id"]])}
    if mode == "unknown":
        answer = {"id": request["id"], "err": {"kind": "unknown-op"}}
    if mode == "more-members" and "ok" in answer:
        answer["ok"] = {**answer["ok"], "more": 1}
    if mode == "stray-print" and number == 1:
        print("loading the model...")
    if mode == "not-an-answer" and number == 1:
        answer = {"id": request["id"]}
    if mode == "other-id" and number == 1:
        answer["id"] = "nobody-asked"
    if mode == "crash" and number == 2:
        print("it broke here", file=sys.stderr)
        sys.exit(3)
    if mode == "one-missing" and number == 1:
        continue
    print(json.dumps(answer))
    if mode == "twice" and number == 1:
        print(json.dumps(answer))
