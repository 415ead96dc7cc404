#!/usr/bin/env python3
"""A Python implementation of RFC 9421 (PyPI: http-message-signatures) beside ours: a message on standard input.

    interop.py verify < message.json    prints `valid <covered components>`, or `refused: <reason>`
    interop.py sign < message.json      prints the headers with `Signature-Input` and `Signature`

message.json is {method, url, headers: {name: value}, key, components, created, expires, tag}, where `key` is in hexadecimal
digits: of Ed25519, the 32 secret bytes to sign, the 32 public bytes to verify. Needs `pip install
http-message-signatures` (3.0).
"""
import datetime
import json
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from http_message_signatures import (
    HTTPMessageSignaturesException,
    HTTPMessageSigner,
    HTTPMessageVerifier,
    HTTPSignatureKeyResolver,
    algorithms,
)


class Request:
    def __init__(self, message):
        self.method, self.url, self.headers = message["method"], message["url"], dict(message["headers"])


class Keys(HTTPSignatureKeyResolver):
    def __init__(self, key):
        self.key = bytes.fromhex(key)

    def resolve_private_key(self, key_id):
        return Ed25519PrivateKey.from_private_bytes(self.key)

    def resolve_public_key(self, key_id):
        return Ed25519PublicKey.from_public_bytes(self.key)


def main(what):
    message = json.load(sys.stdin)
    request, keys = Request(message), Keys(message["key"])
    if what == "sign":
        at = {name: datetime.datetime.fromtimestamp(message[name], datetime.timezone.utc) for name in ("created", "expires")}
        signer = HTTPMessageSigner(signature_algorithm=algorithms.ED25519, key_resolver=keys)
        signer.sign(request, key_id="k", label="sig1", covered_component_ids=message["components"], **at)
        print(json.dumps(request.headers))
        return
    verifier = HTTPMessageVerifier(signature_algorithm=algorithms.ED25519, key_resolver=keys)
    try:
        results = verifier.verify(request, expect_tag=message.get("tag"))
    except HTTPMessageSignaturesException as error:
        print(f"refused: {error}")
        return
    print("valid", *(name for result in results for name in result.covered_components if name != '"@signature-params"'))


main(sys.argv[1])
