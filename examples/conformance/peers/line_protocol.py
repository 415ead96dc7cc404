"""Our line protocol for adapters in Python: one JSON request a line in, one JSON answer a line out."""
import json, sys


def serve(operations):
    """Answers every request by the function of its operation, which takes the input and returns the answer's members."""
    for line in sys.stdin:
        request = json.loads(line)
        answer = {"id": request["id"]}
        operation = operations.get(request["op"])
        try:
            found = operation and operation(request["in"])
            if found is None:
                answer["err"] = {"kind": "unknown-op", "message": "this peer has no such operation"}
            else:
                answer["ok"] = found
        except Exception as error:
            answer["err"] = {"kind": type(error).__name__.lower(), "message": str(error)[:500]}
        print(json.dumps(answer), flush=True)
