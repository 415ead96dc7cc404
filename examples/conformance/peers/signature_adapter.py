#!/usr/bin/env python3
"""The package `http-message-signatures` (PyPI) behind our line protocol: whether the one signature of a message is valid.

    pip install http-message-signatures
    ../../../spec-vectors/run.py --only httpsig.verify python3 signature_adapter.py

It compares times with the system's clock, so the clock of its module is set to that of the case; where a case compares no
times, to `created`. It verifies with one algorithm that the caller names: keys of another kind are not asked for.
"""
import base64, datetime

import http_sf
import http_message_signatures.signatures as package
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from http_message_signatures import HTTPMessageVerifier, HTTPSignatureKeyResolver, algorithms

from line_protocol import serve


class Headers:
    """Field lines in order, as the package wants them where a name comes twice."""

    def __init__(self, lines):
        self.lines = [tuple(line) for line in lines]

    def items(self):
        return self.lines

    def __iter__(self):
        return iter(name for name, _ in self.lines)


class Message:
    def __init__(self, given):
        self.headers = Headers(given["headers"])
        if "status" in given:
            self.status_code = given["status"]
            self.request = Message(given["request"]) if given.get("request") else None
        else:
            self.method, self.url = given["method"], given["url"]
            if "target" in given:
                self.request_target = given["target"]


class Keys(HTTPSignatureKeyResolver):
    def __init__(self, keys):
        self.keys = {key["keyid"]: key["jwk"] for key in keys}

    def resolve_private_key(self, key_id):
        raise KeyError(key_id)

    def resolve_public_key(self, key_id):
        x = self.keys[key_id]["x"]
        return Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(x + "=" * (-len(x) % 4)))


def clock_at(seconds):
    """The module `datetime` with a clock that stands still."""

    class Standing(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(seconds, tz)

    return type("Clock", (), {"datetime": Standing, "timedelta": datetime.timedelta, "timezone": datetime.timezone})


def members(message, name):
    lines = [value for found, value in message["headers"] if found.lower() == name]
    return http_sf.parse(", ".join(lines).encode(), tltype="dictionary") if lines else {}


def verify(given):
    message = given["message"]
    # Which key a keyid stands for, and whether it may be used for this, is the caller's to say.
    is_one = len({key["keyid"] for key in given["keys"]}) == len(given["keys"])
    is_key = all(set(key) == {"keyid", "jwk"} and set(key["jwk"]) == {"kty", "crv", "x"} for key in given["keys"])
    is_plain = is_one and is_key and all(key["jwk"]["crv"] == "Ed25519" for key in given["keys"]) and not given.get("require")
    if not is_plain or message.get("trailers") or message.get("fields"):
        return None
    inputs, signatures = members(message, "signature-input"), members(message, "signature")
    if len({*inputs, *signatures}) != 1:
        return None
    params = next((value[1] for value in inputs.values()), {})
    created = params.get("created", 0)
    now = given.get("now_s")
    package.datetime = clock_at(now if now is not None else created if isinstance(created, int) else 0)
    verifier = HTTPMessageVerifier(signature_algorithm=algorithms.ED25519, key_resolver=Keys(given["keys"]))
    verifier.max_clock_skew = datetime.timedelta(seconds=60)  # as the cases have it
    try:
        verifier.verify(Message(message), max_age=None)
        return {"valid": [True]}
    except Exception as error:
        return {"valid": [False], "why": str(error)[:200]}


if __name__ == "__main__":
    serve({"httpsig.verify": verify})
