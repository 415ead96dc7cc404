#!/usr/bin/env python3
"""The normaliser of the TCT draft's reference client (PyPI: collab-tunnel) behind our line protocol.

    pip install collab-tunnel
    ../../../spec-vectors/run.py --only tct. python3 collab_tunnel_adapter.py
"""
import hashlib, json, sys

from collab_tunnel.vectors import normalize_minimal


def normalize(request):
    return {"text": normalize_minimal(request["text"])}


def fingerprint(request):
    text = normalize_minimal(request["text"])
    return {"hash": "sha256-" + hashlib.sha256(text.encode("utf-8")).hexdigest()}


OPERATIONS = {"tct.normalize": normalize, "tct.fingerprint": fingerprint}

for line in sys.stdin:
    request = json.loads(line)
    answer = {"id": request["id"]}
    operation = OPERATIONS.get(request["op"])
    try:
        if operation is None:
            answer["err"] = {"kind": "unknown-op", "message": "this peer has no such operation"}
        else:
            answer["ok"] = operation(request["in"])
    except Exception as error:
        answer["err"] = {"kind": type(error).__name__.lower(), "message": str(error)}
    print(json.dumps(answer), flush=True)
