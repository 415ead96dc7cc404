"""An adapter that looks every answer up in the vectors, and then does one thing wrong, named by its argument."""
import json, pathlib, sys

mode = sys.argv[1]
expected, readings = {}, set()
for path in pathlib.Path(__file__).parent.parent.glob("*/*.json"):
    file = json.loads(path.read_text(encoding="utf-8"))
    for story in file.get("stories", []):
        for number, step in enumerate(story["steps"], 1):
            name = f"{story['id']}/{number}"
            expected[name] = {"ok": step["ok"]} if "ok" in step else {"err": step["err"]}
    for case in file.get("cases", []):
        if case["basis"] == "reading":
            readings.add(case["id"])
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
    if mode == "other-text" and number == 1:
        answer["ok"] = {**answer.get("ok", {}), "allowed": "yes"}
    if mode == "wrong-readings" and request["id"] in readings:
        answer = {"id": request["id"], "ok": {}}
    if mode == "crash" and request["id"] == "robots-matching-order-is-nothing":
        print("it broke here", file=sys.stderr)
        sys.exit(3)
    if mode == "one-missing" and number == 1:
        continue
    print(json.dumps(answer))
    if mode == "twice" and number == 1:
        print(json.dumps(answer))
