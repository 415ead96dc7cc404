#!/usr/bin/env python3
"""The second implementation behind spec-vectors/verify/jws.json: signatures by `cryptography` and `jwcrypto`.

    jws_vectors.py --check FILE     rebuilds every vector and compares; exit 1 where one differs
    jws_vectors.py --write FILE     writes the file
    jws_vectors.py --verify         reads signed manifests from standard input, one base64 text a line, and prints
                                    `valid` or the reason of jwcrypto for each; for signatures that our code made

Needs Python 3.9 or later with `cryptography` and `jwcrypto`. Nothing here is shared with the Rust code: canonical
JSON is Python's own printer, attacks on the curve are computed with the integers of the language.
"""
import base64
import hashlib
import hmac
import json
import sys

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from jwcrypto import jwk as jwcrypto_jwk
from jwcrypto import jws as jwcrypto_jws

# RFC 8032, section 7.1, test 1; the second key is test 2 of the same section.
SEED = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
OTHER_SEED = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def b64u(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def b64(data):
    return base64.b64encode(data).decode()


def public(seed):
    key = Ed25519PrivateKey.from_private_bytes(seed).public_key()
    return key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def jwk(seed=SEED, kid="test-1", **more):
    return {"kty": "OKP", "crv": "Ed25519", "kid": kid, "x": b64u(public(seed)), **more}


def keys(*items):
    return {"keys": list(items) or [jwk()]}


def canonical(value):
    """RFC 8785 for what stands in here: names of the basic plane, strings, small integers."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def raw_sign(message, seed=SEED):
    return Ed25519PrivateKey.from_private_bytes(seed).sign(message)


def header_of(alg="EdDSA", kid="test-1", **more):
    return canonical({"alg": alg, "kid": kid, **more})


def compact(payload, header=None, seed=SEED, form="attached"):
    """A JWS by hand, over any header and payload."""
    head = b64u(header if header is not None else header_of())
    body = b64u(payload)
    if form == "unencoded":
        return f"{head}..{b64u(raw_sign(head.encode() + b'.' + payload, seed))}"
    signature = b64u(raw_sign(f"{head}.{body}".encode(), seed))
    return f"{head}.{'' if form == 'detached' else body}.{signature}"


def by_jwcrypto(payload, **header):
    """The same by jwcrypto, which lays out the header itself."""
    token = jwcrypto_jws.JWS(payload)
    key = jwcrypto_jwk.JWK(kty="OKP", crv="Ed25519", x=b64u(public(SEED)), d=b64u(SEED))
    protected = {"alg": "EdDSA", "kid": "test-1", **header}
    token.add_signature(key, None, json.dumps(protected, sort_keys=True, separators=(",", ":")), None)
    if header.get("b64") is False:
        token.detach_payload()
    return token.serialize(compact=True)


def with_sig(manifest, jws, alg="EdDSA", kid="test-1"):
    """The manifest's text with `sig` as its last member."""
    sig = json.dumps({"alg": alg, "kid": kid, "jws": jws}, separators=(",", ":"), ensure_ascii=False)
    return manifest.rstrip()[:-1].rstrip() + b',"sig":' + sig.encode() + b"}"


MINIMAL = (
    b'{"version":"0.1","updated_at":"2026-02-20T00:00:00Z","entity":{"name":"Minimal Example",'
    b'"canonical_url":"https://example.com"},"language":"en","topics":["general"],"endpoints":'
    b'{"products":"https://example.com/llm/products","policies":"https://example.com/llm/policies",'
    b'"faq":"https://example.com/llm/faq","about":"https://example.com/llm/about"}}'
)
CANONICAL = canonical(json.loads(MINIMAL))
ACCENTS = MINIMAL.replace(b"Minimal Example", "Müller & Söhne 😀".encode())
OTHER = MINIMAL.replace(b"Minimal Example", b"Another Example")

# The derived vectors of the requirement catalogue: this script must arrive at them on its own.
assert hashlib.sha256(CANONICAL).hexdigest() == "15205d4bb3897bd51863c3b3770eb395224c8dfa6083bba6f60b9ffcb427f816"
assert compact(CANONICAL).endswith(
    ".uWeiDQIhtRsBfnfWsrd_gvjs-p1rTPdikdzZHHpXTUavO24xbbgHf-XVi7BYP_ohx7X6l69xqf0m2wqTe6DCBw"
)
assert compact(CANONICAL) == by_jwcrypto(CANONICAL)
B64_HEADER = {"b64": False, "crit": ["b64"]}
UNENCODED = compact(CANONICAL, header_of(**B64_HEADER), form="unencoded")
assert UNENCODED == (
    "eyJhbGciOiJFZERTQSIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il0sImtpZCI6InRlc3QtMSJ9.."
    "pbFKyU0fpxz0R0zpeRUKthuhsCF8FOICR6TplqUzXNhP3OB020R1Hx-w6VLUpOfKqEiaYXuGRzDq-OLAg5OKDA"
)
assert UNENCODED == by_jwcrypto(CANONICAL.decode(), **B64_HEADER)
ACCENTS_CANONICAL = canonical(json.loads(ACCENTS))
assert hashlib.sha256(ACCENTS_CANONICAL).hexdigest() == (
    "2a98554d26c098d0bf7e9b7a517379b655057e82ca77dcd40a1bb6d5f8bb9a67"
)


def python_canonical(manifest):
    """The canonical bytes of llmindex's reference implementation."""
    return json.dumps(json.loads(manifest), sort_keys=True, separators=(",", ":")).encode()


def reference_form(manifest, seed=SEED, header=b'{"alg":"EdDSA"}'):
    data = python_canonical(manifest)
    return f"{b64u(header)}.{b64u(hashlib.sha256(data).digest())}.{b64u(raw_sign(data, seed))}"


assert reference_form(MINIMAL) == (
    "eyJhbGciOiJFZERTQSJ9.FSBdS7OJe9UYY8Ozdw6zlSJMjfpgg7um9guf_LQn-BY."
    "P1EozSkBibCn1jyDBeY53QSjHxJFJAnZXLSfBSVIUsxQWHkwvv5yrfc4tdHPIj1VG44Fp-ROaT-72DR4dNWuDg"
)
assert reference_form(ACCENTS) == (
    "eyJhbGciOiJFZERTQSJ9.I2Sw-PNK4jir9Na-TUEtE5MQydEOfhrbyP7PLrdX0y8."
    "U7VStCFgM18bWH7cK3kKmYSQoubzv3YMJOY6Thcubc4rbph3UgPyTG8QwDYeHdNOzg8zDnAz81thZNaYijzfDQ"
)


# -- The curve, for attacks on lenient verifiers ------------------------------------------------------------------

def recover_x(y, sign):
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - x2) % P:
        return None
    return P - x if x % 2 != sign else x


def add(a, b):
    (x1, y1), (x2, y2) = a, b
    k = D * x1 * x2 * y1 * y2
    return (
        (x1 * y2 + x2 * y1) * pow(1 + k, P - 2, P) % P,
        (y1 * y2 + x1 * x2) * pow(1 - k, P - 2, P) % P,
    )


def multiply(k, point):
    result = (0, 1)
    while k:
        if k & 1:
            result = add(result, point)
        point = add(point, point)
        k >>= 1
    return result


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = (recover_x(BASE_Y, 0), BASE_Y)


def encode(point):
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


IDENTITY = encode((0, 1))


def secret_scalar(seed):
    h = bytearray(hashlib.sha512(seed).digest()[:32])
    h[0] &= 248
    h[31] = h[31] & 127 | 64
    return int.from_bytes(h, "little")


assert encode(multiply(secret_scalar(SEED), BASE)) == public(SEED)


def challenge(r, a, message):
    return int.from_bytes(hashlib.sha512(r + a + message).digest(), "little") % L


def forge_for_identity(message):
    """Under the key "identity", R = S·B satisfies the equation for any message at all."""
    s = 12345
    return encode(multiply(s, BASE)) + s.to_bytes(32, "little")


def with_chosen_r(message, r_bytes):
    """S = k·a: satisfies the equation where R is the identity, however that is spelled."""
    k = challenge(r_bytes, public(SEED), message)
    return r_bytes + (k * secret_scalar(SEED) % L).to_bytes(32, "little")


def with_large_s(message):
    signature = raw_sign(message)
    s = int.from_bytes(signature[32:], "little") + L
    return signature[:32] + s.to_bytes(32, "little")


def non_canonical_key():
    """A point of large order whose y has a second spelling, y + p, within 255 bits."""
    for y in range(2, 19):
        x = recover_x(y, 0)
        if x is not None and multiply(8, (x, y)) != (0, 1):
            return (P + y).to_bytes(32, "little")
    raise AssertionError("there is such a point")


# -- The cases ----------------------------------------------------------------------------------------------------

CASES = []


def case(name, requirements, comment, manifest, reason, jwks=None, **more):
    CASES.append({
        "id": f"verify-jws-{name}",
        "comment": comment,
        "requirements": requirements.split(),
        "section": "Signature",
        "in": {"manifest_b64": b64(manifest), "jwks": jwks or keys(), **more},
        "ok": {"valid": reason == "valid", "reason": reason},
    })


def good_cases():
    attached, detached = compact(CANONICAL), compact(CANONICAL, form="detached")
    case("attached", "LLMI-SIG-1 LLMI-SIG-2 LLMI-SIG-3 LLMI-SIG-5", "the derived vector: RFC 8032 test 1, kid test-1",
         with_sig(MINIMAL, attached), "valid")
    for name, origin, reason in [
        ("origin-case", "https://EXAMPLE.com./llmindex.json", "valid"), ("origin-host", "example.com", "valid"),
        ("origin-elsewhere", "https://evil.example/llmindex.json", "origin-mismatch"), ("origin-below", "www.example.com", "origin-mismatch"),
    ]:
        case(name, "LLMI-AMB-6", "a manifest speaks for the host that serves it", with_sig(MINIMAL, attached), reason, fetched_from=origin)
    exact = MINIMAL[:-1] + b',"x":9007199254740992}'
    body = compact(canonical(json.loads(exact)), form="detached")
    case("inexact-integer", "LLMI-SIG-1 LLMI-AMB-21", "the nearest double is the same: valid, with caveats",
         with_sig(exact.replace(b"992}", b"993}"), body), "valid")
    CASES[-1]["ok"]["caveats"] = ["key-is-the-callers-trust", "no-expiry", "inexact-integers", "respelled-numbers"]
    noted = with_sig(MINIMAL, detached).replace(b'"sig":{', b'"sig":{"note":"trust me",')
    assert noted != with_sig(MINIMAL, detached)
    case("unsigned-sig-member", "LLMI-SIG-1 LLMI-AMB-20", "nothing signs the members of sig: valid, with a caveat", noted, "valid")
    CASES[-1]["ok"]["caveats"] = ["key-is-the-callers-trust", "no-expiry", "unsigned-sig-members"]
    case("detached", "LLMI-SIG-3 LLMI-AMB-22", "an empty payload part: the canonical bytes are recomputed",
         with_sig(MINIMAL, detached), "valid")
    case("unencoded", "LLMI-SIG-3 LLMI-AMB-22", "b64 false, listed in crit, detached (RFC 7797)",
         with_sig(MINIMAL, UNENCODED), "valid")
    case("ed25519-name", "LLMI-SIG-2 LLMI-AMB-22", "the fully specified name of RFC 9864",
         with_sig(MINIMAL, compact(CANONICAL, header_of("Ed25519")), alg="Ed25519"), "valid")
    case("member-order-and-space", "LLMI-SIG-1 LLMI-AMB-21", "the manifest's own layout does not matter",
         with_sig(json.dumps(json.loads(MINIMAL), indent=2, sort_keys=True).encode(), attached), "valid")
    case("escapes", "LLMI-SIG-1 LLMI-AMB-21", "nor how its strings are escaped",
         with_sig(MINIMAL.replace(b"Minimal", b"\\u004dinimal").replace(b"https://example.com\"", b"https:\\/\\/example.com\""),
                  attached), "valid")
    first = b'{"sig":' + canonical({"alg": "EdDSA", "kid": "test-1", "jws": detached}) + b"," + MINIMAL[1:]
    case("sig-first", "LLMI-AMB-20", "sig is removed wherever it stands", first, "valid")
    case("non-ascii", "LLMI-SIG-1 LLMI-AMB-21", "352 canonical bytes, not escaped",
         with_sig(ACCENTS, compact(ACCENTS_CANONICAL)), "valid")
    numbers = MINIMAL[:-1] + b',"x":[1.0,1e2,-0.0,0.1e-6,333333333.33333329,1E30]}'
    body = CANONICAL[:-1] + b',"x":[1,100,0,1e-7,333333333.3333333,1e+30]}'
    case("numbers", "LLMI-SIG-1 LLMI-AMB-21", "numbers in the form of ECMAScript",
         with_sig(numbers, compact(body, form="detached")), "valid")
    unknown = MINIMAL[:-1] + b',"verify":{"method":"dns_txt","value":"x"},"unknown":{"sig":{"deep":true}}}'
    body = canonical(json.loads(unknown))
    case("everything-else-is-covered", "LLMI-AMB-20", "verify, unknown members and inner members called sig are signed",
         with_sig(unknown, compact(body)), "valid")
    case("unknown-members-altered", "LLMI-AMB-20 LLMI-SIG-5", "an unknown member was added after signing",
         with_sig(unknown, attached), "payload-mismatch")
    loose = json.dumps(json.loads(MINIMAL), indent=1).encode()
    case("payload-not-canonical", "LLMI-SIG-5 LLMI-AMB-22", "the payload is compared as JSON, not as bytes",
         with_sig(MINIMAL, compact(loose)), "valid")
    case("header-more-members", "RFC7515-4 LLMI-AMB-22".replace("RFC7515-4 ", ""), "typ and unknown members are ignored",
         with_sig(MINIMAL, compact(CANONICAL, b'{ "typ":"JOSE", "kid":"test-1", "x":[1], "alg":"EdDSA" }')), "valid")
    case("b64-true", "LLMI-AMB-22", "b64 true is the default, spelled out",
         with_sig(MINIMAL, compact(CANONICAL, header_of(b64=True, crit=["b64"]))), "valid")
    case("set-with-other-keys", "LLMI-SIG-4", "keys of other types beside the right one do no harm",
         with_sig(MINIMAL, attached), "valid",
         keys({"kty": "RSA", "kid": "rsa", "n": "AQAB", "e": "AQAB"}, {"kty": "oct"}, jwk(OTHER_SEED, "test-2"), jwk()))
    case("key-purpose", "LLMI-SIG-4", "use, key_ops and alg of the key allow it",
         with_sig(MINIMAL, attached), "valid", keys(jwk(use="sig", key_ops=["verify"], alg="EdDSA")))
    case("sig-more-members", "LLMI-SIG-4 LLMI-MAN-19", "members of sig that nobody knows are ignored",
         with_sig(MINIMAL, attached).replace(b'"kid":"test-1","jws"', b'"kid":"test-1","x":1,"jws"'), "valid")


def sig_cases():
    attached = compact(CANONICAL)
    case("unsigned", "LLMI-SIG-1", "no sig", MINIMAL, "sig-missing")
    for name, sig in [
        ("sig-null", b"null"), ("sig-string", b'"x"'), ("sig-empty", b"{}"),
        ("sig-jws-empty", b'{"alg":"EdDSA","kid":"test-1","jws":""}'),
        ("sig-kid-number", b'{"alg":"EdDSA","kid":1,"jws":"' + attached.encode() + b'"}'),
        ("sig-alg-missing", b'{"kid":"test-1","jws":"' + attached.encode() + b'"}'),
    ]:
        case(name, "LLMI-MAN-19 LLMI-AMB-9", "a defective sig is never taken for an absent one",
             MINIMAL[:-1] + b',"sig":' + sig + b"}", "sig-defective")
    signed = with_sig(MINIMAL, attached)
    case("duplicate-member", "LLMI-AMB-21", "a member twice: refused before hashing",
         signed.replace(b'"language":"en"', b'"language":"de","language":"en"'), "duplicate-member")
    case("duplicate-sig", "LLMI-AMB-21", "two sig members", signed[:-1] + b',"sig":{}}', "duplicate-member")
    case("lone-surrogate", "LLMI-AMB-21", "half a surrogate pair",
         signed.replace(b"Minimal", b"\\ud83dMinimal"), "lone-surrogate")
    case("number-overflow", "LLMI-AMB-21", "RFC 8785 has no form for it",
         with_sig(MINIMAL[:-1] + b',"x":1e999}', attached), "no-canonical-form")


def compact_cases():
    head, body, tail = compact(CANONICAL).split(".")
    same = lambda jws, name, comment, reason: case(
        name, "LLMI-SIG-3", comment, with_sig(MINIMAL, jws), reason)
    same(f"{head}.{body}", "two-parts", "two parts", "not-three-parts")
    same(f"{head}.{body}.{tail}.", "four-parts", "four parts", "not-three-parts")
    same(canonical({"protected": head, "payload": body, "signature": tail}).decode(), "json-serialization",
         "JSON serialization is not the compact one", "not-three-parts")
    same(f".{body}.{tail}", "header-empty", "no header", "header-not-json")
    same(f"{head}=.{body}.{tail}", "header-padding", "padding behind the header", "header-base64")
    same(f" {head}.{body}.{tail}", "header-space", "white space before the header", "header-base64")
    same(f"{head}.{body}==.{tail}", "payload-padding", "padding behind the payload", "payload-base64")
    same(f"{head}.{body[:8]}\n{body[8:]}.{tail}", "payload-newline", "a line break in the payload", "payload-base64")
    same(f"{head}.{body}.{tail}==", "signature-padding", "padding behind the signature", "signature-base64")
    same(f"{head}.{body}.{tail}\r\n", "signature-newline", "a line break behind the signature", "signature-base64")
    same(f"{head}.{body}.{tail[:40]}!{tail[40:]}", "signature-junk", "junk that lenient decoders drop",
         "signature-base64")
    same(f"{head}.{body}.{tail.replace('-', '+').replace('_', '/')}", "signature-standard-alphabet",
         "the alphabet of standard base64", "signature-base64")
    assert "-" in tail or "_" in tail
    last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    stray = last[last.index(tail[-1]) + 1]
    assert base64.urlsafe_b64decode(tail + "==") == base64.urlsafe_b64decode(tail[:-1] + stray + "==")
    same(f"{head}.{body}.{tail[:-1]}{stray}", "signature-trailing-bits", "the unused bits at the end are not zero",
         "signature-base64")
    stray_head = "eyJhbGciOiJFZERTQSIsImtpZCI6InRlc3QtMSJ9"
    assert head == stray_head
    same(f"{head}.{body}.{b64u(base64.urlsafe_b64decode(tail + '==')[:63])}", "signature-short", "63 bytes",
         "signature-length")
    same(f"{head}.{body}.", "signature-empty", "no signature", "signature-length")


def header_cases():
    def same(name, requirements, comment, header, reason, alg="EdDSA", kid="test-1"):
        case(name, requirements, comment, with_sig(MINIMAL, compact(CANONICAL, header), alg, kid), reason)
    same("header-not-json", "LLMI-SIG-3", "text that is no JSON", b"alg", "header-not-json")
    same("header-array", "LLMI-SIG-3", "JSON that is no object", b'["EdDSA"]', "header-not-json")
    same("header-bom", "LLMI-SIG-3", "a byte order mark", b"\xef\xbb\xbf" + header_of(), "header-not-json")
    same("header-duplicate-alg", "LLMI-SIG-6", "two readers could see two algorithms",
         b'{"alg":"none","alg":"EdDSA","kid":"test-1"}', "header-not-json")
    same("alg-missing", "LLMI-SIG-6", "no alg", b'{"kid":"test-1"}', "alg-missing")
    same("alg-array", "LLMI-SIG-6", "alg is no string", b'{"alg":["EdDSA"],"kid":"test-1"}', "alg-missing")
    for alg in ["none", "None", "NONE", "nOnE"]:
        head = b64u(header_of(alg))
        letters = "-".join(["alg", alg.lower(), str(["none", "None", "NONE", "nOnE"].index(alg))])
        case(letters, "LLMI-SIG-6", "unsigned, in any case of the letters",
             with_sig(MINIMAL, f"{head}.{b64u(CANONICAL)}.", alg=alg), "alg-none")
    case("alg-none-in-header-only", "LLMI-SIG-6", "sig.alg says EdDSA, the header none",
         with_sig(MINIMAL, f"{b64u(header_of('none'))}.{b64u(CANONICAL)}."), "alg-none")
    for alg, digest in [("HS256", "sha256"), ("HS512", "sha512")]:
        signed = f"{b64u(header_of(alg))}.{b64u(CANONICAL)}"
        mac = hmac.new(public(SEED), signed.encode(), digest).digest()
        case(f"alg-{alg.lower()}", "LLMI-SIG-6", "a MAC keyed with the public key's bytes",
             with_sig(MINIMAL, f"{signed}.{b64u(mac)}", alg=alg), "alg-symmetric")
    case("alg-hs256-in-header-only", "LLMI-SIG-6", "sig.alg says EdDSA, the header HS256, keyed with the public key",
         with_sig(MINIMAL, f"{signed}.{b64u(mac)}"), "alg-symmetric")
    for alg in ["ES256", "RS256", "Ed448", "eddsa", "EDDSA"]:
        same(f"alg-{alg.lower()}{'-upper' if alg == 'EDDSA' else ''}", "LLMI-SIG-6 LLMI-AMB-22",
             "no other algorithm, and no other spelling", header_of(alg), "alg-unsupported", alg)
    same("alg-differs", "LLMI-SIG-6", "header EdDSA, sig Ed25519: two names, and they must be one", None,
         "alg-mismatch", alg="Ed25519")
    same("sig-alg-none", "LLMI-SIG-6", "sig.alg none beside a good header", None, "alg-mismatch", alg="none")
    same("kid-differs", "LLMI-SIG-6", "sig.kid was altered", None, "kid-mismatch", kid="test-2")
    same("kid-missing", "LLMI-SIG-6", "without kid in the header sig.kid could be altered unseen", b'{"alg":"EdDSA"}',
         "kid-missing")
    same("kid-number", "LLMI-SIG-6", "kid is no string", b'{"alg":"EdDSA","kid":1}', "kid-missing", kid="1")
    # The attacker signs with a key of their own and brings it along.
    for name, value in [("jwk", jwk(OTHER_SEED)), ("jku", "https://evil.example/keys"), ("x5c", ["AAAA"]),
                        ("x5u", "https://evil.example/cert")]:
        case(f"embedded-{name}", "LLMI-SIG-6", "a key, or where to find one, in the header",
             with_sig(MINIMAL, compact(CANONICAL, header_of(**{name: value}), OTHER_SEED)), "embedded-key")
        case(f"embedded-{name}-good-signature", "LLMI-SIG-6", "the same beside a signature of the right key",
             with_sig(MINIMAL, compact(CANONICAL, header_of(**{name: value}))), "embedded-key")
    same("crit-unknown", "LLMI-SIG-6", "an extension that nobody knows", header_of(crit=["exp"], exp=1),
         "crit-unknown")
    same("crit-unknown-beside-b64", "LLMI-SIG-6", "b64 and an extension that nobody knows",
         header_of(crit=["b64", "exp"], b64=True, exp=1), "crit-unknown")
    same("crit-empty", "LLMI-SIG-6", "crit must not be empty", header_of(crit=[]), "crit-malformed")
    same("crit-string", "LLMI-SIG-6", "crit is no array", header_of(crit="b64", b64=True), "crit-malformed")
    same("crit-number", "LLMI-SIG-6", "crit holds no string", header_of(crit=[1]), "crit-malformed")
    same("crit-twice", "LLMI-SIG-6", "a name twice", header_of(crit=["b64", "b64"], b64=True), "crit-malformed")
    same("crit-absent-member", "LLMI-SIG-6", "crit names a member that is not there", header_of(crit=["b64"]),
         "crit-malformed")
    same("crit-null", "LLMI-SIG-6", "crit is null", header_of(crit=None), "crit-malformed")
    same("b64-string", "LLMI-AMB-22", "b64 is no boolean", header_of(crit=["b64"], b64="false"), "b64-malformed")
    case("b64-not-critical", "LLMI-AMB-22", "b64 false must stand in crit",
         with_sig(MINIMAL, compact(CANONICAL, header_of(b64=False), form="unencoded")), "b64-not-critical")
    head = b64u(header_of(**B64_HEADER))
    part = b64u(CANONICAL)
    case("b64-attached", "LLMI-AMB-22", "b64 false with a payload part",
         with_sig(MINIMAL, f"{head}.{part}.{b64u(raw_sign(f'{head}.{part}'.encode()))}"), "b64-attached")


def key_cases():
    signed = with_sig(MINIMAL, compact(CANONICAL))
    def same(name, comment, reason, *items):
        case(name, "LLMI-SIG-4", comment, signed, reason, keys(*items))
    case("key-set-empty", "LLMI-SIG-4", "no keys", signed, "key-unknown", {"keys": []})
    same("kid-unknown", "the right key under another kid: no fallback", "key-unknown", jwk(kid="test-2"))
    same("kid-case", "kid is case-sensitive", "key-unknown", jwk(kid="Test-1"))
    without = jwk()
    del without["kid"]
    same("key-without-kid", "a key without kid is never chosen", "key-unknown", without)
    same("kid-twice", "two keys of one kid", "key-ambiguous", jwk(), jwk(OTHER_SEED))
    same("kid-twice-same-key", "even the same key twice", "key-ambiguous", jwk(), jwk())
    same("key-wrong", "another key under that kid", "signature-mismatch", jwk(OTHER_SEED))
    same("key-oct", "a symmetric key under that kid", "key-type", {"kty": "oct", "kid": "test-1", "k": b64u(public(SEED))})
    same("key-kty-missing", "no kty", "key-type", {"crv": "Ed25519", "kid": "test-1", "x": b64u(public(SEED))})
    same("key-x25519", "a key for key agreement", "key-curve", {**jwk(), "crv": "X25519"})
    same("key-ed448", "the other curve of EdDSA", "key-curve", {**jwk(), "crv": "Ed448", "x": b64u(bytes(57))})
    same("key-p256", "crv of another type", "key-curve", {**jwk(), "crv": "P-256"})
    same("key-use-enc", "a key for encryption", "key-use", jwk(use="enc"))
    same("key-ops-sign", "key_ops without verify", "key-ops", jwk(key_ops=["sign"]))
    same("key-ops-empty", "key_ops with nothing", "key-ops", jwk(key_ops=[]))
    same("key-alg-other", "a key for another algorithm", "key-alg", jwk(alg="ES256"))
    same("key-alg-hs256", "a key for a MAC", "key-alg", jwk(alg="HS256"))
    same("key-x-missing", "no x", "key-malformed", {"kty": "OKP", "crv": "Ed25519", "kid": "test-1"})
    same("key-x-padding", "x with padding", "key-malformed", {**jwk(), "x": b64u(public(SEED)) + "="})
    same("key-x-short", "31 bytes", "key-malformed", {**jwk(), "x": b64u(public(SEED)[:31])})
    assert recover_x(2, 0) is None
    same("key-x-no-point", "y = 2 is no point of the curve", "key-malformed",
         {**jwk(), "x": b64u((2).to_bytes(32, "little"))})
    same("key-x-non-canonical", "y + p for the y of a point of large order", "key-non-canonical",
         {**jwk(), "x": b64u(non_canonical_key())})
    message = f"{b64u(header_of())}.{b64u(CANONICAL)}".encode()
    forged = with_sig(MINIMAL, f"{message.decode()}.{b64u(forge_for_identity(message))}")
    case("key-small-order", "LLMI-SIG-4 LLMI-AMB-22", "the identity as key: the equation holds for every message",
         forged, "key-weak", keys({**jwk(), "x": b64u(IDENTITY)}))
    case("key-small-order-non-canonical", "LLMI-SIG-4 LLMI-AMB-22", "the identity as y = 1 + p",
         forged, "key-non-canonical", keys({**jwk(), "x": b64u((P + 1).to_bytes(32, "little"))}))


def signature_cases():
    attached = compact(CANONICAL)
    message = attached.rsplit(".", 1)[0].encode()
    def same(name, comment, signature):
        case(name, "LLMI-SIG-4 LLMI-AMB-22", comment, with_sig(MINIMAL, f"{message.decode()}.{b64u(signature)}"),
             "signature-mismatch")
    same("signature-of-zeros", "64 zero bytes", bytes(64))
    same("signature-bit-flipped", "one bit differs", raw_sign(message)[:63] + bytes([raw_sign(message)[63] ^ 1]))
    same("signature-large-s", "S + L: a second spelling of the same scalar", with_large_s(message))
    same("signature-small-order-r", "R is the identity: the equation holds, strict verification refuses",
         with_chosen_r(message, IDENTITY))
    same("signature-non-canonical-r", "R is the identity, spelled y = 1 + p",
         with_chosen_r(message, (P + 1).to_bytes(32, "little")))
    case("payload-of-another-manifest", "LLMI-SIG-5", "a good JWS, of another manifest",
         with_sig(MINIMAL, compact(canonical(json.loads(OTHER)))), "payload-mismatch")
    case("detached-of-another-manifest", "LLMI-SIG-5", "the same, detached",
         with_sig(MINIMAL, compact(canonical(json.loads(OTHER)), form="detached")), "signature-mismatch")
    subset = {name: json.loads(MINIMAL)[name] for name in ["version", "updated_at"]}
    case("payload-subset", "LLMI-SIG-5 LLMI-AMB-28", "a good JWS over two of the members",
         with_sig(MINIMAL, compact(canonical(subset))), "payload-mismatch")
    case("payload-with-sig", "LLMI-AMB-20", "a JWS over the manifest with a sig in it",
         with_sig(MINIMAL, compact(canonical({**json.loads(MINIMAL), "sig": {}}))), "payload-mismatch")
    case("payload-not-json", "LLMI-SIG-5", "a good JWS over text", with_sig(MINIMAL, compact(b"hello")),
         "payload-not-json")
    case("payload-duplicate-member", "LLMI-SIG-5 LLMI-AMB-21", "a payload that two readers see differently",
         with_sig(MINIMAL, compact(b'{"version":"9",' + CANONICAL[1:])), "payload-not-json")
    case("ascii-escaped-bytes", "LLMI-AMB-21", "a detached JWS over the reference's ASCII form",
         with_sig(ACCENTS, compact(python_canonical(ACCENTS), form="detached")), "signature-mismatch")
    shop = ("eyJhbGciOiJFZERTQSIsImtpZCI6Im1vZGEtMjAyNi0wMSJ9."
            "eyJ2ZXJzaW9uIjoiMC4yIiwidXBkYXRlZF9hdCI6IjIwMjYtMDItMjJUMTI6MDA6MDBaIn0.dGVzdHNpZ25hdHVyZQ")
    case("published-placeholder", "LLMI-AMB-28", "the shop example's signature decodes to the word testsignature",
         with_sig(MINIMAL, shop, kid="moda-2026-01"), "signature-length", keys(jwk(kid="moda-2026-01")))


def reference_cases():
    compat = {"reference_compat": True}
    key = keys(jwk(kid="whatever"))
    signed = with_sig(MINIMAL, reference_form(MINIMAL), kid="local")
    case("reference-form", "LLMI-AMB-22", "accepted by the separately named verifier", signed, "valid", key, **compat)
    case("reference-form-is-no-jws", "LLMI-AMB-22", "refused by the standard one, though its kid is there",
         signed, "kid-missing", keys(jwk(kid="local")))
    case("reference-form-non-ascii", "LLMI-AMB-22", "ASCII escapes with surrogate pairs",
         with_sig(ACCENTS, reference_form(ACCENTS), kid="local"), "valid", key, **compat)
    numbers = MINIMAL[:-1] + b',"x":[1.0,1e2,-0,-0.0,0.00001,1e16,12345678901234567890123,"\\u007f\\b"]}'
    case("reference-form-numbers", "LLMI-AMB-22", "numbers as Python prints them",
         with_sig(numbers, reference_form(numbers), kid="local"), "valid", key, **compat)
    case("reference-form-standard-jws", "LLMI-AMB-22", "a standard JWS is not the reference's form",
         with_sig(MINIMAL, compact(CANONICAL)), "not-reference-form", key, **compat)
    case("reference-form-header", "LLMI-AMB-22", "the header must be exact, though it is not signed",
         with_sig(MINIMAL, reference_form(MINIMAL, header=b'{"alg": "EdDSA"}'), kid="local"), "not-reference-form",
         key, **compat)
    case("reference-form-junk", "LLMI-AMB-22", "base64url is strict here too",
         with_sig(MINIMAL, reference_form(MINIMAL) + "=", kid="local"), "signature-base64", key, **compat)
    case("reference-form-other-manifest", "LLMI-AMB-22 LLMI-SIG-5", "the digest of another manifest",
         with_sig(MINIMAL, reference_form(OTHER), kid="local"), "digest-mismatch", key, **compat)
    head, digest, _ = reference_form(MINIMAL).split(".")
    case("reference-form-other-signature", "LLMI-AMB-22 LLMI-SIG-5", "the right digest, the signature of another manifest",
         with_sig(MINIMAL, f"{head}.{digest}.{reference_form(OTHER).split('.')[2]}", kid="local"),
         "signature-mismatch", key, **compat)
    case("reference-form-jws-over-digest", "LLMI-AMB-22", "what its docstring claims: a signature over header.payload",
         with_sig(MINIMAL, f"{head}.{digest}.{b64u(raw_sign(f'{head}.{digest}'.encode()))}", kid="local"),
         "signature-mismatch", key, **compat)


def sign_cases():
    def signing(name, requirements, comment, manifest, answer, key=None, **more):
        CASES.append({
            "id": f"verify-sign-{name}", "comment": comment, "requirements": requirements.split(),
            "section": "Signature", "op": "verify.sign",
            "in": {"manifest_b64": b64(manifest), "jwk": key or jwk(d=b64u(SEED)), **more},
            **({"err": {"kind": answer}} if isinstance(answer, str) else {"ok": {"manifest_b64": b64(answer)}}),
        })
    attached = compact(CANONICAL)
    signing("attached", "LLMI-SIG-1 LLMI-SIG-2 LLMI-SIG-3", "the derived vector", MINIMAL, with_sig(MINIMAL, attached))
    signing("detached", "LLMI-SIG-3 LLMI-AMB-22", "with an empty payload part", MINIMAL,
            with_sig(MINIMAL, compact(CANONICAL, form="detached")), detached=True)
    signing("ed25519-name", "LLMI-AMB-22", "a key whose alg is Ed25519 signs under that name", MINIMAL,
            with_sig(MINIMAL, compact(CANONICAL, header_of("Ed25519")), alg="Ed25519"),
            jwk(d=b64u(SEED), alg="Ed25519"))
    signing("non-ascii", "LLMI-SIG-1 LLMI-AMB-21", "UTF-8 is signed as it is", ACCENTS,
            with_sig(ACCENTS, compact(ACCENTS_CANONICAL)))
    signing("again", "LLMI-AMB-20", "an old sig is replaced", with_sig(MINIMAL, "old"), with_sig(MINIMAL, attached))
    loose = MINIMAL.replace(b',"', b',\n  "').replace(b"}}", b"}\n}")
    signing("keeps-the-text", "LLMI-SIG-1", "every other byte stays as it is", loose, with_sig(loose, attached))
    signing("duplicate-member", "LLMI-AMB-21", "no signature under text with two meanings",
            b'{"a":1,"a":2}', "duplicate-member")
    signing("lone-surrogate", "LLMI-AMB-21", "half a surrogate pair", b'{"a":"\\udc00"}', "lone-surrogate")
    signing("number-overflow", "LLMI-AMB-21", "no canonical form", b'{"a":1e999}', "no-canonical-form")
    signing("not-json", "LLMI-MAN-1", "no JSON", b"{", "not-json")
    signing("public-key", "LLMI-SIG-2", "a key without d", MINIMAL, "no-private-key", jwk())
    signing("keys-differ", "LLMI-SIG-2", "x of another key", MINIMAL, "keys-differ", jwk(OTHER_SEED, d=b64u(SEED)))
    signing("x25519", "LLMI-SIG-2", "a key for key agreement", MINIMAL, "key-curve",
            {**jwk(d=b64u(SEED)), "crv": "X25519"})
    signing("no-kid", "LLMI-SIG-4", "no signature that names no key", MINIMAL, "no-kid", jwk(d=b64u(SEED), kid=""))


def build():
    for cases in [good_cases, sig_cases, compact_cases, header_cases, key_cases, signature_cases, reference_cases,
                  sign_cases]:
        cases()
    return {
        "$schema": "../schema/vectors.schema.json",
        "spec": "llmindex 0.1",
        "topic": "jws",
        "op": "verify.jws",
        "source": "crates/verify/tests/jws_vectors.py, with cryptography and jwcrypto",
        "cases": CASES,
    }


def verify_line(line):
    """Checks a signed manifest with jwcrypto."""
    manifest = json.loads(base64.b64decode(line))
    sig = manifest.pop("sig")
    head = json.loads(base64.urlsafe_b64decode(sig["jws"].split(".")[0] + "=="))
    if head["alg"] != sig["alg"] or head["kid"] != sig["kid"]:
        return "the header and sig disagree"
    token = jwcrypto_jws.JWS()
    token.allowed_algs = ["EdDSA"]
    body = canonical(manifest)
    try:
        token.deserialize(sig["jws"])
        detached = sig["jws"].split(".")[1] == ""
        token.verify(jwcrypto_jwk.JWK(**jwk()), detached_payload=body if detached else None)
        if not detached and token.payload != body:
            return "the payload is another"
    except jwcrypto_jws.InvalidJWSSignature as error:
        return f"{error}"
    return "valid"


def main(arguments):
    if arguments == ["--verify"]:
        for line in sys.stdin:
            print(verify_line(line.strip()))
        return 0
    mode, path = arguments
    with open(path, encoding="utf-8") as file:
        published = json.load(file)
    # Why a case is there and what it rests on is written by hand, and kept.
    notes = {case["id"]: {name: case[name] for name in ("comment", "basis") if name in case} for case in published["cases"]}
    built = build()
    for index, case in enumerate(built["cases"]):
        built["cases"][index] = {**case, **notes.get(case["id"], {})}
    text = json.dumps(built, indent=2, ensure_ascii=False) + "\n"
    if mode == "--write":
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return 0
    if published == json.loads(text):
        print(f"{len(CASES)} vectors rebuilt, all the same")
        return 0
    print(f"{path} is not what this script builds")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
