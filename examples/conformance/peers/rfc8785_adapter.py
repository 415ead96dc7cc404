#!/usr/bin/env python3
"""The packages `rfc8785` and `jcs` (PyPI) over what Python's own `json` reads.

    pip install rfc8785 jcs
    ../../../spec-vectors/run.py --only tct.canonicalize --any-error python3 rfc8785_adapter.py rfc8785
    ../../../spec-vectors/run.py --only tct.canonicalize --any-error python3 rfc8785_adapter.py jcs

JSON of RFC 8785 knows doubles only, so integers are read as floats: otherwise large ones stay exact in Python, and the
packages would be blamed for what the reader made of them.
"""
import base64, hashlib, json, sys

from line_protocol import serve

if sys.argv[1:] == ["jcs"]:
    from jcs import canonicalize as written
else:
    from rfc8785 import dumps as written


def canonicalize(given):
    if given["profile"] != "rfc8785":
        return None
    text = written(json.loads(base64.b64decode(given["json_b64"]).decode("utf-8"), parse_int=float))
    return {"json_b64": base64.b64encode(text).decode(), "sha256": hashlib.sha256(text).hexdigest()}


serve({"tct.canonicalize": canonicalize})
