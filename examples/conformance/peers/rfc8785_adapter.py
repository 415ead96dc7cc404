#!/usr/bin/env python3
"""The package `rfc8785` (PyPI) over what Python's own `json` reads.

    pip install rfc8785
    ../../../spec-vectors/run.py --only tct.canonicalize --any-error python3 rfc8785_adapter.py
"""
import base64, hashlib, json

import rfc8785
from line_protocol import serve


def canonicalize(given):
    if given["profile"] != "rfc8785":
        return None
    text = rfc8785.dumps(json.loads(base64.b64decode(given["json_b64"]).decode("utf-8")))
    return {"json_b64": base64.b64encode(text).decode(), "sha256": hashlib.sha256(text).hexdigest()}


serve({"tct.canonicalize": canonicalize})
