#!/usr/bin/env python3
"""The second implementation behind spec-vectors/bot-auth: signatures and thumbprints by `cryptography` and `hashlib`.

    bot_auth_vectors.py --check FOLDER     rebuilds every file and compares; exit 1 where one differs
    bot_auth_vectors.py --write FOLDER     writes the files

Needs Python 3.9 or later with `cryptography`. Nothing here is shared with the Rust code: signature bases are written
out by hand, expectations rest on the requirement that each case names.
"""
import base64
import hashlib
import json
import pathlib
import sys

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

NOW = 1790000000
WELL_KNOWN = "/.well-known/http-message-signatures-directory"
DIRECTORY_TYPE = "application/http-message-signatures-directory+json"


def b64(data):
    return base64.b64encode(data).decode()


def b64u(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def seed(name):
    return hashlib.sha256(b"aiweb bot-auth vectors " + name.encode()).digest()


def public(name):
    key = Ed25519PrivateKey.from_private_bytes(seed(name)).public_key()
    return key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def jwk(name, **more):
    return {"kty": "OKP", "crv": "Ed25519", "x": b64u(public(name)), **more}


def private(name, **more):
    return jwk(name, d=b64u(seed(name)), **more)


def thumbprint(name):
    text = '{"crv":"Ed25519","kty":"OKP","x":"%s"}' % b64u(public(name))
    return b64u(hashlib.sha256(text.encode()).digest())


def sign(name, base):
    return Ed25519PrivateKey.from_private_bytes(seed(name)).sign(base.encode("ascii"))


def get(url="https://shop.example/page?x=1", headers=(), **more):
    return {"method": "GET", "url": url, "headers": [list(h) for h in headers], **more}


def case(id, requirements, given, ok=None, err=None, comment=None):
    out = {"id": id, **({"comment": comment} if comment else {}), "requirements": requirements.split(), "in": given}
    return {**out, **({"ok": ok} if err is None else {"err": {"kind": err}})}


# ---- structured fields ------------------------------------------------------------------------------------------

# A member that nobody names, with the object around it a hundred levels.
DEEP = json.loads("[" * 99 + "1" + "]" * 99)


def structured():
    for id, requirements, kind, raw, canonical in [
        ("blanks", "SIG9421-SF-6 WBA-AMB-1", "dictionary", ["a=1.50,\t b;p=?0 , c=( x   y );q"], ["a=1.5, b;p=?0, c=(x y);q"]),
        ("lines", "SIG9421-SF-6", "list", ["1", "(2 3)"], ["1, (2 3)"]),
        ("repeated-key", "SIG9421-SF-6", "dictionary", ["a=1, b=2, a=3"], ["a=3, b=2"]),
        ("date-display", "SIG9421-SF-6 WBA-AMB-1", "list", ['@1790000000, %"caf%c3%a9"'], ['@1790000000, %"caf%c3%a9"']),
        ("bytes-unpadded", "SIG9421-SF-6 WBA-AMB-8", "item", [":aGVsbG8:"], [":aGVsbG8=:"]),
        ("empty", "SIG9421-SF-6 WBA-AMB-14", "dictionary", [""], []),
        ("trailing-comma", "SIG9421-SF-6", "list", ["1,"], None),
        ("sixteen-digits", "SIG9421-SF-6", "item", ["1234567890123456"], None),
        ("fourth-decimal", "SIG9421-SF-6", "item", ["1.2345"], None),
        ("upper-key", "SIG9421-SF-6", "dictionary", ["A=1"], None),
        ("not-ascii", "SIG9421-SF-6", "item", ['"é"'], None),
    ]:
        given = {"type": kind, "raw": raw}
        ok = {"canonical": canonical} if canonical is not None else None
        yield case("bot-sf-" + id, requirements, given, ok, None if ok else "bad-structured-field")


# ---- signature base ---------------------------------------------------------------------------------------------

def bases():
    url = "https://Shop.EXAMPLE:443/a/../%7Eb?q=1&r=a+b&r2=%c3%bc&t=~&e&q2=x%20y#f"
    for id, requirements, message, params, want in [
        ("derived", "SIG9421-URL-2 SIG9421-URL-3 SIG9421-URL-4 SIG9421-URL-5 SIG9421-URL-6 SIG9421-BASE-1 WBA-AMB-3 WBA-AMB-4",
         {**get(url), "method": "geT"},
         '("@method" "@authority" "@path" "@query" "@scheme" "@target-uri")',
         ['"@method": geT', '"@authority": shop.example', '"@path": /a/../%7Eb', '"@query": ?q=1&r=a+b&r2=%c3%bc&t=~&e&q2=x%20y',
          '"@scheme": https', '"@target-uri": https://shop.example/a/../%7Eb?q=1&r=a+b&r2=%c3%bc&t=~&e&q2=x%20y']),
        ("no-query", "SIG9421-URL-3 SIG9421-URL-4", get("http://shop.example:8080"), '("@query" "@path" "@authority")',
         ['"@query": ?', '"@path": /', '"@authority": shop.example:8080']),
        ("ipv6", "SIG9421-URL-2", get("https://[2001:DB8::1]:8443/"), '("@authority")', ['"@authority": [2001:db8::1]:8443']),
        ("query-param", "SIG9421-URL-8", get(url), '("@query-param";name="r" "@query-param";name="r2" "@query-param";name="t" "@query-param";name="e" "@query-param";name="q2")',
         ['"@query-param";name="r": a%20b', '"@query-param";name="r2": %C3%BC', '"@query-param";name="t": %7E', '"@query-param";name="e": ', '"@query-param";name="q2": x%20y']),
        ("query-param-twice", "SIG9421-URL-8", get("https://shop.example/?a=1&a=2"), '("@query-param";name="a")', "bad-value"),
        ("query-param-absent", "SIG9421-URL-8", get(), '("@query-param";name="y")', "missing-component"),
        ("query-param-unnamed", "SIG9421-COMP-3", get(), '("@query-param")', "bad-component"),
        ("request-target", "SIG9421-URL-7", get(target="/page?x=1"), '("@request-target")', ['"@request-target": /page?x=1']),
        ("request-target-untold", "SIG9421-URL-7 WBA-AMB-12", get(), '("@request-target")', "missing-component"),
        ("url-userinfo", "SIG9421-URL-1 WBA-AMB-5", get("https://u:p@shop.example/"), '("@path")', "bad-message"),
        ("url-port", "SIG9421-URL-1", get("https://shop.example:99999/"), '("@path")', "bad-message"),
        ("url-no-host", "SIG9421-URL-1", get("https:///x"), '("@path")', "bad-message"),
        ("method-no-token", "SIG9421-URL-6", {**get(), "method": "GE T"}, '("@method")', "bad-message"),
        ("status", "SIG9421-URL-9", {"status": 204, "headers": []}, '("@status")', ['"@status": 204']),
        ("status-in-request", "SIG9421-URL-9 SIG9421-COMP-1", get(), '("@status")', "unknown-component"),
        ("status-of-request", "SIG9421-URL-9", {"status": 200, "headers": [], "request": get()}, '("@status";req)', "unknown-component"),
        ("of-request", "SIG9421-COMP-4", {"status": 200, "headers": [], "request": get(headers=[["D", "a=1, b=2"]])},
         '("@method";req "@query-param";name="x";req "d";req;key="b")',
         ['"@method";req: GET', '"@query-param";name="x";req: 1', '"d";req;key="b": 2']),
        ("of-request-absent", "SIG9421-COMP-4", {"status": 200, "headers": []}, '("@method";req)', "missing-component"),
        ("req-in-request", "SIG9421-COMP-4", get(headers=[["A", "1"]]), '("a";req)', "bad-component"),
        ("lines", "SIG9421-VAL-1 SIG9421-MSG-1", get(headers=[["X", "\t a "], ["y", ""], ["x", ""], ["X", "b\r\n  c \r\n\td"]]), '("x" "y")',
         ['"x": a, , b c d', '"y": ']),
        ("absent", "SIG9421-VAL-2", get(), '("x")', "missing-component"),
        ("forged-line", "SIG9421-VAL-3 WBA-AMB-13", get(headers=[["X", 'a\n"@method": POST']]), '("x")', "bad-value"),
        ("carriage-return", "SIG9421-VAL-3", get(headers=[["X", "a\rb"]]), '("x")', "bad-value"),
        ("delete", "SIG9421-VAL-3", get(headers=[["X", "a\u007fb"]]), '("x")', "bad-value"),
        ("utf-8", "SIG9421-VAL-3", get(headers=[["X", "é"]]), '("x")', "bad-value"),
        ("strict", "SIG9421-SF-1 SIG9421-SF-2 WBA-AMB-14", get(headers=[["Priority", "u=1,  i"], ["Accept-Signature", ""], ["Cache-Status", "a; hit"]]),
         '("priority";sf "accept-signature";sf "cache-status";sf)', ['"priority";sf: u=1, i', '"accept-signature";sf: ', '"cache-status";sf: a;hit']),
        ("strict-unknown", "SIG9421-SF-2", get(headers=[["X", "1"]]), '("x";sf)', "bad-value"),
        ("strict-malformed", "SIG9421-SF-1", get(headers=[["Priority", "u=1,"]]), '("priority";sf)', "bad-value"),
        ("member", "SIG9421-SF-3 WBA-AMB-6", get(headers=[["X", "a=1;p, b"], ["X", "c=(1  2), a=2"]]),
         '("x";key="a" "x";key="b" "x";key="c")', ['"x";key="a": 2', '"x";key="b": ?1', '"x";key="c": (1 2)']),
        ("member-absent", "SIG9421-SF-3", get(headers=[["X", "a=1"]]), '("x";key="b")', "missing-component"),
        ("member-of-list", "SIG9421-SF-3 WBA-AMB-6", get(headers=[["Cache-Status", "a"]]), '("cache-status";key="a")', "bad-value"),
        ("bytes", "SIG9421-SF-4", {"status": 200, "headers": [["Set-Cookie", " a=1; b, c"], ["Set-Cookie", {"b64": "6Q=="}]]},
         '("set-cookie";bs)', ['"set-cookie";bs: :YT0xOyBiLCBj:, :6Q==:']),
        ("bytes-line-break", "SIG9421-SF-4 WBA-AMB-13", get(headers=[["X", "a\r\nb"]]), '("x";bs)', "bad-value"),
        ("bytes-strict", "SIG9421-SF-4", get(headers=[["Priority", "u"]]), '("priority";bs;sf)', "bad-component"),
        ("trailer", "SIG9421-SF-5", {"status": 200, "headers": [["X", "h"]], "trailers": [["X", "t"]]}, '("x";tr "x")', ['"x";tr: t', '"x": h']),
        ("trailer-absent", "SIG9421-SF-5", {"status": 200, "headers": [["X", "h"]]}, '("x";tr)', "missing-component"),
        ("upper-name", "SIG9421-COMP-1", get(headers=[["Date", "x"]]), '("Date")', "bad-component"),
        ("unknown-derived", "SIG9421-COMP-1", get(), '("@Method")', "unknown-component"),
        ("twice", "SIG9421-COMP-2", get(headers=[["Priority", "u=1"]]), '("priority";sf;key="u" "priority";key="u";sf)', "duplicate-component"),
        ("two-ways", "SIG9421-COMP-2", get(headers=[["Priority", "u=1"]]), '("priority";key="u" "priority")', ['"priority";key="u": 1', '"priority": u=1']),
        ("unknown-param", "SIG9421-COMP-3", get(headers=[["X", "1"]]), '("x";foo)', "bad-component"),
        ("false-param", "SIG9421-COMP-3", get(headers=[["Priority", "u"]]), '("priority";sf=?0)', "bad-component"),
        ("repeated-param", "SIG9421-COMP-3", get(headers=[["X", "a=1"]]), '("x";key="a";key="a")', "bad-component"),
        ("signature-params", "SIG9421-COMP-5", get(), '("@signature-params")', "unknown-component"),
        ("no-components", "SIG9421-BASE-1 SIG9421-PAR-1", get(), '();keyid="k";x=1.50;created=5;y=?1;z=:AQ:', [], ),
        ("one-bad", "SIG9421-BASE-2", get(), '("@method" "x")', "missing-component"),
        ("params-type", "SIG9421-PAR-1", get(), '();created="1"', "bad-params"),
        ("params-tokens", "SIG9421-PAR-1", get(), "(a)", "bad-params"),
    ]:
        if isinstance(want, str):
            yield case("bot-base-" + id, requirements, {"message": message, "params": params}, None, want)
            continue
        last = params if id != "no-components" else '();keyid="k";x=1.5;created=5;y;z=:AQ==:'
        text = "\n".join(want + ['"@signature-params": ' + last])
        yield case("bot-base-" + id, requirements, {"message": message, "params": params}, {"base": text})
    many = " ".join('"x";key="k%d"' % n for n in range(1000))
    field = ", ".join("k%d=%d" % (n, n) for n in range(1000))
    text = "\n".join(['"x";key="k%d": %d' % (n, n) for n in range(1000)] + ['"@signature-params": (%s)' % many])
    yield case("bot-base-many", "SIG9421-BASE-3", {"message": get(headers=[["X", field]]), "params": "(%s)" % many}, {"base": text})
    # The edge cases of each row: components and their values, or the error.
    for id, requirements, message, components, want, *comment in [
        ("url-blank", "SIG9421-URL-1", get("https://shop.example/a b"), ['"@path"'], "bad-message"),
        ("url-not-ascii", "SIG9421-URL-1", get("https://shop.example/\u00e4"), ['"@path"'], "bad-message"),
        ("url-scheme", "SIG9421-URL-1", get("ftp://shop.example/"), ['"@path"'], "bad-message"),
        ("url-relative", "SIG9421-URL-1", get("/page"), ['"@path"'], "bad-message"),
        ("url-user", "SIG9421-URL-1", get("https://u@shop.example/"), ['"@path"'], "bad-message"),
        ("url-port-text", "SIG9421-URL-1", get("https://shop.example:a/"), ['"@path"'], "bad-message"),
        ("url-fragment", "SIG9421-URL-1 SIG9421-URL-4", get("https://shop.example/a?b#c?d"), ['"@target-uri"', '"@query"'], ["https://shop.example/a?b", "?b"], "a fragment is not sent"),
        ("url-not-rewritten", "SIG9421-URL-1 SIG9421-URL-3", get("https://shop.example/a/./../%7e%2f%2F//b;v=1"), ['"@path"'], ["/a/./../%7e%2f%2F//b;v=1"], "dots, escapes, their letter case and empty segments stay"),
        ("authority-default-port", "SIG9421-URL-2", get("https://SHOP.example:443/"), ['"@authority"'], ["shop.example"]),
        ("authority-port-of-http", "SIG9421-URL-2", get("http://shop.example:80/"), ['"@authority"'], ["shop.example"]),
        ("authority-https-port-on-http", "SIG9421-URL-2", get("http://shop.example:443/"), ['"@authority"'], ["shop.example:443"]),
        ("authority-http-port-on-https", "SIG9421-URL-2", get("https://shop.example:80/"), ['"@authority"'], ["shop.example:80"]),
        ("authority-empty-port", "SIG9421-URL-2", get("https://shop.example:/"), ['"@authority"'], ["shop.example"]),
        ("authority-ipv6-default-port", "SIG9421-URL-2", get("https://[2001:DB8::1]:443/"), ['"@authority"'], ["[2001:db8::1]"]),
        ("path-empty-with-query", "SIG9421-URL-3 SIG9421-URL-4 SIG9421-URL-5", get("https://shop.example?a"), ['"@path"', '"@query"', '"@target-uri"'], ["/", "?a", "https://shop.example/?a"], "the path of the target is `/` too"),
        ("query-empty", "SIG9421-URL-4 SIG9421-URL-5", get("https://shop.example/a?"), ['"@query"', '"@target-uri"'], ["?", "https://shop.example/a?"]),
        ("query-with-marks", "SIG9421-URL-4", get("https://shop.example/a?a?b=/c?"), ['"@query"'], ["?a?b=/c?"]),
        ("method-lower-case", "SIG9421-URL-6", {**get("HTTP://shop.example/"), "method": "get"}, ['"@method"', '"@scheme"'], ["get", "http"]),
        ("method-empty", "SIG9421-URL-6", {**get(), "method": ""}, ['"@method"'], "bad-message"),
        ("request-target-absolute", "SIG9421-URL-7", get(target="https://shop.example/page"), ['"@request-target"'], ["https://shop.example/page"]),
        ("request-target-authority", "SIG9421-URL-7", get(target="shop.example:443"), ['"@request-target"'], ["shop.example:443"]),
        ("request-target-asterisk", "SIG9421-URL-7", get(target="*"), ['"@request-target"'], ["*"]),
        ("query-param-forms", "SIG9421-URL-8", get("https://shop.example/?a=1+%2b&b=%e3%83%84&c=x=y&d=&e=%zz&f=%ff&g=%2a-._"), ['"@query-param";name="a"', '"@query-param";name="b"', '"@query-param";name="c"', '"@query-param";name="d"', '"@query-param";name="e"', '"@query-param";name="f"', '"@query-param";name="g"'], ["1%20%2B", "%E3%83%84", "x%3Dy", "", "%25zz", "%EF%BF%BD", "*-._"], "a blank, lower-case escapes, a second `=`, no value, a broken escape, a byte that is not UTF-8, what form data leaves alone"),
        ("query-param-encoded-name", "SIG9421-URL-8", get("https://shop.example/?a+b=1&%c3%bc=2"), ['"@query-param";name="a%20b"', '"@query-param";name="%C3%BC"'], ["1", "2"], "names are compared in their encoded form"),
        ("query-param-decoded-name", "SIG9421-URL-8", get("https://shop.example/?a+b=1"), ['"@query-param";name="a b"'], "missing-component"),
        ("query-param-twice-in-two-spellings", "SIG9421-URL-8", get("https://shop.example/?a+b=1&a%20b=2"), ['"@query-param";name="a%20b"'], "bad-value"),
        ("query-param-without-query", "SIG9421-URL-8", get("https://shop.example/"), ['"@query-param";name="a"'], "missing-component"),
        ("method-in-response", "SIG9421-URL-9", {"status": 200, "headers": []}, ['"@method"'], "unknown-component"),
        ("authority-in-response", "SIG9421-URL-9", {"status": 200, "headers": []}, ['"@authority"'], "unknown-component"),
        ("lines-one", "SIG9421-VAL-1", get(headers=[["x", "a"]]), ['"x"'], ["a"]),
        ("lines-empty-between", "SIG9421-VAL-1", get(headers=[["X", "a"], ["x", " \t"], ["X", "b"]]), ['"x"'], ["a, , b"]),
        ("lines-two-folds", "SIG9421-VAL-1", get(headers=[["X", "a \r\n b\t\r\n\t c"]]), ['"x"'], ["a b c"]),
        ("value-empty", "SIG9421-VAL-2", get(headers=[["X", ""]]), ['"x"'], [""]),
        ("value-nul", "SIG9421-VAL-3", get(headers=[["X", "a\u0000b"]]), ['"x"'], "bad-value"),
        ("value-control", "SIG9421-VAL-3", get(headers=[["X", "a\u0001b"]]), ['"x"'], "bad-value"),
        ("value-line-feed", "SIG9421-VAL-3", get(headers=[["X", "a\nb"]]), ['"x"'], "bad-value"),
        ("value-latin-1", "SIG9421-VAL-3", get(headers=[["X", {"b64": "6Q=="}]]), ['"x"'], "bad-value"),
        ("value-tab-inside", "SIG9421-VAL-3", get(headers=[["X", "a\tb"]]), ['"x"'], ["a\tb"]),
        ("strict-forms", "SIG9421-SF-1", get(headers=[["Priority", "u=1.50,   i=?1;  a=b;c"], ["Priority", "l=( 1   2 );q"]]), ['"priority";sf'], ["u=1.5, i;a=b;c, l=(1 2);q"]),
        ("member-of-unlisted-field", "SIG9421-SF-3 WBA-AMB-6", get(headers=[["X", "a="]]), ['"x";key="a"'], "bad-value"),
        ("member-in-two-lines", "SIG9421-SF-3", get(headers=[["X", "a=1"], ["X", "a=(1  2);q"]]), ['"x";key="a"'], ["(1 2);q"], "the last one wins"),
        ("bytes-empty-line", "SIG9421-SF-4", get(headers=[["X", ""], ["X", "a"]]), ['"x";bs'], ["::, :YQ==:"]),
        ("bytes-member", "SIG9421-SF-4", get(headers=[["Priority", "u"]]), ['"priority";bs;key="u"'], "bad-component"),
        ("trailer-only-in-headers", "SIG9421-SF-5", {"status": 200, "headers": [["Y", "h"]], "trailers": [["Y", "t"]]}, ['"x";tr', '"y"'], "missing-component"),
        ("blank-in-name", "SIG9421-COMP-1", get(headers=[["a", "1"]]), ['"a "'], "bad-component"),
        ("empty-name", "SIG9421-COMP-1", get(headers=[["a", "1"]]), ['""'], "bad-component"),
        ("colon-in-name", "SIG9421-COMP-1", get(headers=[["a", "1"]]), ['"a:b"'], "bad-component"),
        ("at-alone", "SIG9421-COMP-1", get(), ['"@"'], "unknown-component"),
        ("at-foo", "SIG9421-COMP-1", get(), ['"@foo"'], "unknown-component"),
        ("sf-on-derived", "SIG9421-COMP-3", get(headers=[["x", "a=1"]]), ['"@method";sf'], "bad-component"),
        ("bs-on-derived", "SIG9421-COMP-3", get(headers=[["x", "a=1"]]), ['"@method";bs'], "bad-component"),
        ("key-on-derived", "SIG9421-COMP-3", get(headers=[["x", "a=1"]]), ['"@method";key="a"'], "bad-component"),
        ("tr-on-derived", "SIG9421-COMP-3", get(headers=[["x", "a=1"]]), ['"@method";tr'], "bad-component"),
        ("name-on-field", "SIG9421-COMP-3", get(headers=[["x", "a=1"]]), ['"x";name="a"'], "bad-component"),
        ("key-as-token", "SIG9421-COMP-3", get(headers=[["x", "a=1"]]), ['"x";key=a'], "bad-component"),
        ("name-as-token", "SIG9421-COMP-3", get(headers=[["x", "a=1"]]), ['"@query-param";name=x'], "bad-component"),
        ("bs-with-key", "SIG9421-COMP-3", get(headers=[["x", "a=1"]]), ['"x";bs;key="a"'], "bad-component"),
        ("twice-derived", "SIG9421-COMP-2", get(), ['"@method"', '"@method"'], "duplicate-component"),
        ("two-members-of-one-field", "SIG9421-COMP-2", get(headers=[["X", "a=1, b=2"]]), ['"x";key="a"', '"x";key="b"'], ["1", "2"]),
        ("field-of-request-and-response", "SIG9421-COMP-2 SIG9421-COMP-4", {"status": 200, "headers": [["X", "r"]], "request": get(headers=[["X", "q"]])}, ['"x";req', '"x"'], ["q", "r"]),
        ("target-of-request", "SIG9421-COMP-4 SIG9421-URL-9", {"status": 200, "headers": [], "request": get()}, ['"@authority";req', '"@path";req', '"@query";req', '"@target-uri";req', '"@scheme";req'], ["shop.example", "/page", "?x=1", "https://shop.example/page?x=1", "https"]),
        ("signature-params-with-parameter", "SIG9421-COMP-5", {"status": 200, "headers": [], "request": get()}, ['"@signature-params";req'], "unknown-component"),
    ]:
        given = {"message": message, "params": "(%s)" % " ".join(components)}
        if isinstance(want, str):
            yield case("bot-base-" + id, requirements, given, None, want, *comment)
            continue
        values = ["%s: %s" % pair for pair in zip(components, want)]
        ok = {"base": "\n".join(values + ['"@signature-params": ' + given["params"]])}
        yield case("bot-base-" + id, requirements, given, ok, None, *comment)


# ---- sign and verify --------------------------------------------------------------------------------------------

def signs():
    params = '("@method" "@authority");created=5;keyid="k"'
    base = '"@method": GET\n"@authority": shop.example\n"@signature-params": ' + params
    given = {"message": get(), "label": "sig1", "params": params, "jwk": private("a")}
    yield case("bot-sign-plain", "SIG9421-SIGN-1 SIG9421-SIGN-2 SIG9421-ALG-2", given,
               {"signature_input": "sig1=" + params, "signature": "sig1=:%s:" % b64(sign("a", base)), "base": base})
    yield case("bot-sign-label", "SIG9421-SIGN-1", {**given, "label": "Sig"}, None, "bad-label")
    yield case("bot-sign-public-key", "SIG9421-SIGN-1", {**given, "jwk": jwk("a")}, None, "bad-key")
    yield case("bot-sign-keys-differ", "SIG9421-SIGN-1", {**given, "jwk": {**private("a"), "x": jwk("b")["x"]}}, None, "bad-key")
    yield case("bot-sign-no-base", "SIG9421-SIGN-1", {**given, "params": '("x")'}, None, "missing-component")
    yield case("bot-sign-other-algorithm", "SIG9421-ALG-6", {**given, "jwk": {"kty": "oct", "k": "AQID"}}, None, "alg-unsupported")


LIST = '("@method" "@authority" "@path" "x")'


def verifies():
    def one(params=LIST + ';created=%d;keyid="a";alg="ed25519"' % NOW, value="1", signer="a"):
        base = '"@method": GET\n"@authority": shop.example\n"@path": /page\n"x": %s\n"@signature-params": %s' % (value, params)
        return params, b64(sign(signer, base))

    def given(params, signature, value="1", url="https://shop.example/page?x=1", keys=None, now=NOW + 5, require=None, more=()):
        headers = [["X", value], ["Signature-Input", "s=" + params], ["Signature", "s=:%s:" % signature], *more]
        return {"message": get(url, headers), "keys": keys or [{"keyid": "a", "jwk": jwk("a")}],
                **({"now_s": now} if now is not None else {}), **({"require": require} if require else {})}

    def results(reason=None):
        return {"results": [{"label": "s", "valid": reason is None, "reason": reason, "keyid": "a", "alg": "ed25519", "tag": None}]}

    params, signature = one()
    good = lambda **more: given(params, signature, **more)
    yield case("bot-verify-plain", "SIG9421-VER-1 SIG9421-ALG-2", good(), results())
    yield case("bot-verify-no-time", "SIG9421-TIME-1", good(now=None), results())
    yield case("bot-verify-other-path", "SIG9421-VER-9", good(url="https://shop.example/Page"), results("signature"))
    yield case("bot-verify-other-field", "SIG9421-VER-9", good(value="2"), results("signature"))
    yield case("bot-verify-field-added", "SIG9421-VER-9", good(more=[["x", "2"]]), results("signature"))
    swapped = params.replace('"@method" "@authority"', '"@authority" "@method"')
    yield case("bot-verify-order", "SIG9421-VER-9", given(swapped, signature), results("signature"))
    spaced = params.replace("(", "(  ").replace('"@path"', ' "@path" ').replace(";created", "; created")
    yield case("bot-verify-blanks", "SIG9421-PAR-2", given(spaced, signature), results(),
               comment="the last line of the base is written anew from what was parsed")
    extra, extra_signature = one(LIST + ';created=%d;keyid="a";alg="ed25519";x=?0;y;z=tok' % NOW)
    yield case("bot-verify-unknown-params", "SIG9421-PAR-1", given(extra, extra_signature), results())
    yield case("bot-verify-unknown-params-changed", "SIG9421-PAR-1 SIG9421-VER-9", given(extra.replace("z=tok", "z=tak"), extra_signature), results("signature"))
    for id, changed in [("created-text", params.replace("created=%d" % NOW, 'created="%d"' % NOW)), ("created-date", params.replace("created=", "created=@")),
                        ("param-twice", params + ';alg="ed25519"')]:
        yield case("bot-verify-" + id, "SIG9421-PAR-3 WBA-AMB-7", given(changed, signature), results("malformed"))
    yield case("bot-verify-label-stripped", "SIG9421-LAB-1", {**good(), "message": get(headers=[["X", "1"], ["Signature-Input", "s=" + params]])}, results("label-mismatch"))
    yield case("bot-verify-label-twice", "SIG9421-LAB-1 WBA-AMB-7", good(more=[["Signature", "s=:%s:" % signature]]), results("duplicate-label"))
    other = one('("@method");keyid="b"')[0]
    other_base = '"@method": GET\n"@signature-params": ' + other
    two = good(more=[["Signature-Input", "t=" + other], ["Signature", "t=:%s:" % b64(sign("b", other_base))]], keys=[{"keyid": "b", "jwk": jwk("b")}])
    second = {"label": "t", "valid": True, "reason": None, "keyid": "b", "alg": None, "tag": None}
    yield case("bot-verify-two", "SIG9421-LAB-2", two, {"results": [{**results("key-unknown")["results"][0]}, second]})
    yield case("bot-verify-malformed", "SIG9421-LAB-3", given(params + ",", signature), None, "malformed-field")
    yield case("bot-verify-require", "SIG9421-VER-2", good(require={"components": ['"x"'], "params": ["created"]}), results())
    yield case("bot-verify-require-component", "SIG9421-VER-2", good(require={"components": ['"x";bs']}), results("requirement"))
    yield case("bot-verify-require-param", "SIG9421-VER-2", good(require={"params": ["nonce"]}), results("requirement"))
    yield case("bot-verify-key-twice", "SIG9421-VER-3 WBA-AMB-9", good(keys=[{"keyid": "a", "jwk": jwk("a")}] * 2), results("key-unknown"))
    for id, requirement, key, reason in [
        ("key-use", "SIG9421-KEY-1", jwk("a", use="enc"), "key-unusable"),
        ("key-ops", "SIG9421-KEY-1", jwk("a", key_ops=["sign"]), "key-unusable"),
        ("key-short", "SIG9421-KEY-1", jwk("a", x=b64u(public("a")[:31])), "key-unusable"),
        ("key-jose-name", "SIG9421-ALG-1 WBA-AMB-10", jwk("a", alg="EdDSA"), None),
        ("key-http-name", "WBA-AMB-10", jwk("a", alg="ed25519"), None),
        ("key-other-name", "SIG9421-ALG-1", jwk("a", alg="ES256"), "key-unusable"),
        ("key-neutral", "SIG9421-ALG-2", jwk("a", x="AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"), "key-unusable"),
        ("key-rs256", "SIG9421-ALG-6 WBA-AMB-11", {"kty": "RSA", "alg": "RS256", "n": "v" * 342, "e": "AQAB"}, "alg-unsupported"),
        ("key-secret", "SIG9421-ALG-5", {"kty": "oct", "k": "AQID"}, "alg-undetermined"),
    ]:
        yield case("bot-verify-" + id, requirement, good(keys=[{"keyid": "a", "jwk": key}]), results(reason))
    for id, alg, reason in [("jose", "EdDSA", "alg-unsupported"), ("unknown", "rot13", "alg-unsupported"), ("other", "ecdsa-p256-sha256", "alg-mismatch")]:
        changed, its = one(LIST + ';created=%d;keyid="a";alg="%s"' % (NOW, alg))
        yield case("bot-verify-alg-" + id, "SIG9421-ALG-1 SIG9421-ALG-6", given(changed, its), {"results": [{"label": "s", "valid": False, "reason": reason}]} if False else
                   {"results": [{"label": "s", "valid": False, "reason": reason, "keyid": "a", "alg": alg, "tag": None}]})
    timed, its = one(LIST + ';created=%d;expires=%d;keyid="a";alg="ed25519"' % (NOW, NOW + 300))
    for id, now, reason in [("skew", NOW - 60, None), ("future", NOW - 61, "created-in-future"), ("last-second", NOW + 299, None), ("expired", NOW + 300, "expired")]:
        yield case("bot-verify-time-" + id, "SIG9421-TIME-1 WBA-AMB-15", given(timed, its, now=now), results(reason))
    yield case("bot-verify-time-age", "SIG9421-TIME-1", given(timed, its, now=NOW + 31, require={"max_age_s": 30}), results("too-old"))
    unknown, now = [{"keyid": "b", "jwk": jwk("b")}], NOW + 300
    for id, changed, reason in [
        ("malformed-expired", given(timed.replace("created=", "created=@"), its, now=now), "malformed"),
        ("expired-key", given(timed, its, now=now, keys=unknown), "expired"),
        ("requirement-key", given(timed, its, keys=unknown, require={"params": ["nonce"]}), "requirement"),
        ("key-signature", given(timed, b64(bytes(64)), keys=unknown), "key-unknown"),
        ("alg-signature", given(timed, b64(bytes(64)), keys=[{"keyid": "a", "jwk": jwk("a", alg="ES256")}]), "key-unusable"),
        ("key-base", {**given(timed, its, keys=unknown), "message": get(headers=[["Signature-Input", "s=" + timed], ["Signature", "s=:%s:" % its]])}, "key-unknown"),
    ]:
        yield case("bot-verify-order-" + id, "SIG9421-VER-1", changed, results(reason))
    order = 2**252 + 27742317777372353535851937790883648493
    raw = base64.b64decode(signature)
    high = raw[:32] + (int.from_bytes(raw[32:], "little") + order).to_bytes(32, "little")
    for id, text in [("short", b64(raw[:63])), ("long", b64(raw + b"\0")), ("empty", ""), ("high-s", b64(high))]:
        yield case("bot-verify-signature-" + id, "SIG9421-ALG-2 SIG9421-VER-9", given(params, text), results("signature"))


# ---- Web Bot Auth -----------------------------------------------------------------------------------------------

def bot(name="a", label="sig1", components='"@authority"', values='"@authority": shop.example', agent="https://bot.example",
        member=None, params=None, created=NOW, expires=NOW + 300, more='', member_value=None, tag="web-bot-auth", alg=';alg="ed25519"'):
    member = member or '"signature-agent";key="%s"' % label
    params = params or "(%s %s);created=%d;expires=%d;keyid=\"%s\"%s%s;tag=\"%s\"" % (components, member, created, expires, thumbprint(name), alg, more, tag)
    params = params.replace(" )", ")")
    value = member_value or '"%s"' % agent
    lines = values + ("\n%s: %s" % (member, value) if member.strip() else "")
    base = lines + '\n"@signature-params": ' + params
    header = value if member == '"signature-agent"' else "%s=%s" % (label, value)
    return [["Signature-Agent", header], ["Signature-Input", "%s=%s" % (label, params)], ["Signature", "%s=:%s:" % (label, b64(sign(name, base)))]]


def directory(*keys, url="https://bot.example" + WELL_KNOWN, status=200, type=DIRECTORY_TYPE, body=None, headers=()):
    body = body if body is not None else json.dumps({"keys": list(keys)}).encode()
    headers = ([["Content-Type", type]] if type else []) + list(headers)
    return {"url": url, "status": status, "headers": headers, "body_b64": b64(body)}


def requests():
    where = "https://bot.example" + WELL_KNOWN
    held = [directory(jwk("a"))]

    def given(headers, directories=held, url="https://shop.example/page?x=1", now=NOW + 10, **more):
        return {"message": get(url, headers), "now_s": now, "directories": directories, **more}

    def ok(reason=None, outcome="invalid", label="sig1", identifier=where, keyid=None, coverage="authority", requests=None):
        good = reason is None
        asked = requests if requests is not None else ([where] if good else [])
        return {"signatures": [{"label": label, "outcome": "verified" if good else outcome, "reason": reason, "identifier": identifier if good else None,
                                "keyid": keyid or thumbprint("a"), "coverage": coverage if good else "none"}], "requests": asked}

    asked = dict(requests=[where])
    yield case("bot-request-plain", "WBA-VER-1 WBA-DISC-1 WBA-DISC-2 WBA-SIG-6 WBA-AMB-21", given(bot()), ok())
    yield case("bot-request-unsigned", "WBA-VER-5", given([]), {"signatures": [], "requests": []})
    whole = bot(components='"@method" "@target-uri"', values='"@method": GET\n"@target-uri": https://shop.example/page?x=1')
    yield case("bot-request-whole", "WBA-COV-1 WBA-SIG-2", given(whole), ok(coverage="request"))
    yield case("bot-request-whole-elsewhere", "WBA-COV-1", given(whole, url="https://shop.example/other"), ok("signature", **asked))
    parts = bot(components='"@method" "@authority" "@path"', values='"@method": GET\n"@authority": shop.example\n"@path": /page')
    yield case("bot-request-parts", "WBA-COV-1", given(parts, url="https://shop.example/page"), ok(coverage="request"))
    yield case("bot-request-parts-query", "WBA-COV-1", given(parts), ok(), comment="the query is not bound, so the request is not")
    yield case("bot-request-other-host", "WBA-SIG-1", given(bot(), url="https://other.example/page"), ok("signature", **asked))
    yield case("bot-request-http", "WBA-VER-2", given(bot(), url="http://shop.example/page"), ok("insecure-transport", "unverified"))
    yield case("bot-request-tag", "WBA-SIG-3 WBA-AMB-16", given(bot(tag="other")), ok("tag", "ignored"))
    yield case("bot-request-no-target", "WBA-SIG-1", given(bot(components='"@method"', values='"@method": GET')), ok("target-not-covered"))
    no_expiry = '("@authority" "signature-agent";key="sig1");created=%d;keyid="%s";tag="web-bot-auth"' % (NOW, thumbprint("a"))
    yield case("bot-request-no-expiry", "WBA-SIG-3", given(bot(params=no_expiry)), ok("missing-param"))
    yield case("bot-request-requirement", "SIG9421-VER-2", given(bot(), policy={"components": ['"@method"']}), ok("requirement"))
    for id, now, reason in [("skew", NOW - 60, None), ("future", NOW - 61, "created-in-future"), ("last-second", NOW + 299, None), ("expired", NOW + 300, "expired")]:
        yield case("bot-request-time-" + id, "WBA-TIME-1", given(bot(), now=now), ok(reason))
    yield case("bot-request-time-backwards", "WBA-TIME-1", given(bot(created=NOW + 30, expires=NOW + 20)), ok("bad-times"))
    day = bot(expires=NOW + 86401)
    yield case("bot-request-day", "WBA-SIG-4 WBA-AMB-18", given(day, policy={"max_lifetime_s": 86400}), ok("lifetime-too-long"))
    nonce = bot(more=';nonce="n1"')
    yield case("bot-request-nonce", "WBA-NONCE-1 WBA-AMB-17", given(nonce, policy={"require_nonce": True, "seen_nonces": ["n2"]}), ok())
    yield case("bot-request-nonce-missing", "WBA-NONCE-1", given(bot(), policy={"require_nonce": True}), ok("missing-param"))
    yield case("bot-request-replayed", "WBA-NONCE-1 SIG9421-TIME-2", given(nonce, policy={"seen_nonces": ["n1"]}), ok("replayed"))
    # Signature-Agent
    bare = bot()
    yield case("bot-request-agent-gone", "WBA-AGENT-8", given(bare[1:]), ok("missing-component"))
    none = bot(member=" ")
    yield case("bot-request-agent-absent", "WBA-AGENT-8", given(none[1:]), ok("agent-absent", "unverified"))
    yield case("bot-request-agent-uncovered", "WBA-AGENT-3", given([["Signature-Agent", 'sig1="https://bot.example"']] + none[1:]), ok("agent-not-covered"))
    legacy = bot(member='"signature-agent"')
    yield case("bot-request-agent-string", "WBA-AGENT-2 WBA-AMB-20", given(legacy), ok())
    other = bot(label="sig2", member='"signature-agent";key="x"')
    other[0][1] = 'x="https://bot.example"'
    yield case("bot-request-agent-other-key", "WBA-AGENT-3 WBA-AMB-22", given(other), ok(label="sig2"))
    yield case("bot-request-agent-member-gone", "WBA-AGENT-3", given([["Signature-Agent", 'y="https://bot.example"']] + other[1:]), ok("agent-member-missing", label="sig2"))
    two = bot(member='"signature-agent"', member_value='x="https://bot.example", y="https://evil.example"')
    yield case("bot-request-agent-ambiguous", "WBA-AGENT-3 WBA-AMB-22", given(two), ok("agent-ambiguous"))
    for id, requirement, agent, reason, outcome in [
        ("http", "WBA-AGENT-4", "http://bot.example", "agent-not-https", "invalid"),
        ("data", "WBA-AGENT-4", "data:text/plain,x", "agent-not-https", "invalid"),
        ("relative", "WBA-AGENT-1 WBA-AGENT-4", "bot.example", "agent-malformed", "invalid"),
        ("address", "WBA-SSRF-1 WBA-AMB-28", "https://169.254.169.254", "agent-host", "unverified"),
        ("number", "WBA-SSRF-1", "https://2130706433", "agent-host", "unverified"),
        ("ipv6", "WBA-SSRF-1", "https://[::1]", "agent-host", "unverified"),
        ("localhost", "WBA-SSRF-1", "https://a.localhost", "agent-host", "unverified"),
        ("escaped-localhost", "WBA-SSRF-1", "https://%6cocalhost", "agent-host", "unverified"),
        ("escaped-address", "WBA-SSRF-1", "https://127%2E0.0%2e1/keys", "agent-host", "unverified"),
        ("escaped-wide-digit", "WBA-SSRF-1", "https://%EF%BC%91", "agent-host", "unverified"),
        ("escaped-name", "WBA-SSRF-1", "https://%62ot.example", "agent-host", "unverified"),
    ]:
        yield case("bot-request-agent-" + id, requirement, given(bot(agent=agent)), ok(reason, outcome))
    did = bot(member_value='"https://bot.example";type=did')
    yield case("bot-request-agent-type", "WBA-AGENT-6 WBA-AMB-23", given(did), ok("agent-type", "unverified"))
    yield case("bot-request-agent-ignored", "WBA-AGENT-5 WBA-AMB-23", given(did, profile="ietf-01"), ok("agent-ignored", "unverified"))
    yield case("bot-request-ietf-origin", "WBA-DISC-1 WBA-AMB-21 WBA-AMB-19", given(bot(), profile="ietf-01"),
               ok("directory-failed", "unverified", requests=["https://bot.example/"]))
    keys = bot(agent="https://bot.example/keys?v=2")
    found = [directory(jwk("a", kid="any"), url="https://bot.example/keys?v=2", type="application/jwk-set+json")]
    yield case("bot-request-key-set", "WBA-DISC-1 WBA-AGENT-7 WBA-DIR-2 WBA-DIR-4", given(keys, found), ok(identifier="https://bot.example/keys", requests=["https://bot.example/keys?v=2"]))
    card = bot(member_value='"https://bot.example/card";type=cimd')
    card_body = json.dumps({"client_id": "https://bot.example/card", "jwks_uri": "https://bot.example/keys"}).encode()
    card_there = directory(url="https://bot.example/card", type="application/json", body=card_body)
    keys_there = directory(jwk("a"), url="https://bot.example/keys", type="application/json")
    yield case("bot-request-card", "WBA-CARD-2 WBA-DISC-2", given(card, [card_there, keys_there]),
               ok(identifier="https://bot.example/card", requests=["https://bot.example/card", "https://bot.example/keys"]))
    yield case("bot-request-card-alone", "WBA-CARD-4 WBA-VER-5", given([["Signature-Agent", 'sig1="https://bot.example/card";type=cimd']], [card_there]),
               {"signatures": [], "requests": []})
    inside = json.dumps({"client_id": "https://bot.example/card", "jwks_uri": "https://169.254.169.254/keys"}).encode()
    yield case("bot-request-card-inside", "WBA-SSRF-1", given(card, [directory(url="https://bot.example/card", type="application/json", body=inside)]),
               ok("agent-host", "unverified", requests=["https://bot.example/card"]))
    # keys
    name = bot(params='("@authority" "signature-agent";key="sig1");created=%d;expires=%d;keyid="key-1";tag="web-bot-auth"' % (NOW, NOW + 300))
    yield case("bot-request-keyid", "WBA-KEY-1", given(name), ok("keyid-not-thumbprint", keyid="key-1"))
    yield case("bot-request-key-unknown", "WBA-KEY-1 WBA-KEY-2", given(bot(), [directory(jwk("b"))]), ok("key-unknown", "unverified", **asked))
    lie = bot(params='("@authority" "signature-agent";key="sig1");created=%d;expires=%d;keyid="%s";tag="web-bot-auth"' % (NOW, NOW + 300, thumbprint("b")))
    yield case("bot-request-key-of-another", "WBA-KEY-1", given(lie, [directory(jwk("a"), jwk("b"))]), ok("signature", keyid=thumbprint("b"), **asked))
    for id, requirement, key, reason in [
        ("kid", "WBA-DIR-4 WBA-AMB-30", jwk("a", kid="other"), "key-unusable"), ("secret", "WBA-DIR-3", private("a"), "key-unusable"),
        ("enc", "WBA-DIR-3", jwk("a", use="enc"), "key-unusable"), ("ended", "WBA-DIR-5", jwk("a", exp=NOW + 10), "key-not-current"),
        ("begins", "WBA-DIR-5 WBA-AMB-25", jwk("a", nbf=(NOW + 11) * 1000), "key-not-current"), ("current", "WBA-DIR-5 WBA-AMB-25", jwk("a", nbf=NOW + 10, exp=(NOW + 11) * 1000), None),
    ]:
        yield case("bot-request-key-" + id, requirement, given(bot(), [directory(1, key)]), ok(reason, "unverified", **asked))
    twice = [directory(jwk("a"), private("a"))]
    yield case("bot-request-key-twice", "WBA-DIR-3 WBA-KEY-1", given(bot(), twice), ok("key-unusable", "unverified", **asked), comment="the private part was published beside the key")
    for id, requirement, there in [
        ("404", "WBA-DISC-3 WBA-DISC-4", directory(jwk("a"), status=404)), ("302", "WBA-DISC-3", directory(jwk("a"), status=302)), ("203", "WBA-DISC-3", directory(jwk("a"), status=203)),
        ("html", "WBA-DIR-2", directory(jwk("a"), type="text/html")), ("json", "WBA-DIR-2 WBA-AMB-24", directory(jwk("a"), type="application/json")),
        ("bom", "WBA-DIR-1", directory(body=b"\xef\xbb\xbf" + json.dumps({"keys": [jwk("a")]}).encode())),
        ("keys-twice", "WBA-DIR-1", directory(body=b'{"keys":[],"keys":[]}')), ("large", "WBA-DIR-6", directory(body=b" " * 65536 + json.dumps({"keys": [jwk("a")]}).encode())),
        ("many", "WBA-DIR-6", directory(*[jwk("a")] * 101)),
    ]:
        yield case("bot-request-directory-" + id, requirement, given(bot(), [there]), ok("directory-failed", "unverified", **asked))
    for id, alg, reason, outcome, requirement in [("hmac", "hmac-sha256", "alg-forbidden", "invalid", "WBA-ALG-2"), ("ml-dsa", "ml-dsa-65", "alg-unsupported", "unverified", "WBA-ALG-1")]:
        yield case("bot-request-alg-" + id, requirement, given(bot(alg=';alg="%s"' % alg)), ok(reason, outcome))
    # several signatures
    second = bot("b", "px", components='"@authority" "signature-input";key="sig1" "signature";key="sig1" "signature-agent";key="sig1"',
                 values="\n".join(['"@authority": shop.example', '"signature-input";key="sig1": ' + bare[1][1][5:], '"signature";key="sig1": ' + bare[2][1][5:],
                                   '"signature-agent";key="sig1": "https://bot.example"']), agent="https://proxy.example")
    there = "https://proxy.example" + WELL_KNOWN
    both = [directory(jwk("a")), directory(jwk("b"), url=there)]
    chained = ok()["signatures"] + ok(label="px", identifier=there, keyid=thumbprint("b"))["signatures"]
    yield case("bot-request-chain", "WBA-MULTI-1 WBA-MULTI-2", given(bare + second, both), {"signatures": chained, "requests": [where, there]})
    one_down = ok()["signatures"] + ok("directory-failed", "unverified", label="px", keyid=thumbprint("b"))["signatures"]
    yield case("bot-request-chain-one-down", "WBA-MULTI-1", given(bare + second, both[:1]), {"signatures": one_down, "requests": [where, there]})
    loose = bot("b", "px", components='"@authority" "signature";key="sig1"', values='"@authority": shop.example\n"signature";key="sig1": ' + bare[2][1][5:], agent="https://proxy.example")
    yield case("bot-request-chain-incomplete", "WBA-MULTI-2", given(bare + loose, both),
               {"signatures": ok()["signatures"] + ok("chain-incomplete", label="px", keyid=thumbprint("b"))["signatures"], "requests": [where]})
    # body
    body = b'{"a":1}'
    digest = "sha-256=:%s:" % b64(hashlib.sha256(body).digest())
    covered = bot(components='"@authority" "content-digest"', values='"@authority": shop.example\n"content-digest": ' + digest) + [["Content-Digest", digest]]
    for id, sent, reason in [("right", body, None), ("other", b"{}", "digest-mismatch")]:
        message = get(headers=covered, body_b64=b64(sent))
        yield case("bot-request-body-" + id, "WBA-BODY-1", {"message": message, "now_s": NOW + 10, "directories": held}, ok(reason, **asked))
    yield case("bot-request-body-untold", "WBA-BODY-1", given(covered), ok())
    old = "md5=:%s:" % b64(hashlib.md5(body).digest())
    weak = bot(components='"@authority" "content-digest"', values='"@authority": shop.example\n"content-digest": ' + old) + [["Content-Digest", old]]
    yield case("bot-request-body-md5", "WBA-BODY-1", {"message": get(headers=weak, body_b64=b64(body)), "now_s": NOW + 10, "directories": held}, ok("digest-unsupported", "unverified", **asked))
    wide = hashlib.sha512(body).digest()
    for id, sums, reason in [
        ("two", ["sha-256=:%s:" % b64(hashlib.sha256(body).digest()), "sha-512=:%s:" % b64(wide)], None),
        ("second-wrong", ["sha-256=:%s:" % b64(hashlib.sha256(body).digest()), "sha-512=:%s:" % b64(wide[::-1])], "digest-mismatch"),
        ("first-wrong", ["sha-256=:%s:" % b64(wide[:32]), "sha-512=:%s:" % b64(wide)], "digest-mismatch"),
        ("sha-512", ["sha-512=:%s:" % b64(wide)], None),
        ("beside-md5", [old, "sha-256=:%s:" % b64(hashlib.sha256(body).digest())], None),
        ("short", ["sha-256=:%s:" % b64(hashlib.sha256(body).digest()[:31])], "digest-mismatch"),
    ]:
        field = ", ".join(sums)
        both = bot(components='"@authority" "content-digest"', values='"@authority": shop.example\n"content-digest": ' + field) + [["Content-Digest", field]]
        message = get(headers=both, body_b64=b64(body))
        yield case("bot-request-body-" + id, "WBA-BODY-1", {"message": message, "now_s": NOW + 10, "directories": held}, ok(reason, **asked))
    free = bot() + [["Content-Digest", digest]]
    message = get(headers=free, body_b64=b64(b"{}"))
    yield case("bot-request-body-not-covered", "WBA-BODY-1", {"message": message, "now_s": NOW + 10, "directories": held}, ok(), comment="a digest that no signature covers says nothing")
    # What of the field is signed, and where it is.
    right, wrong = "sha-256=:%s:" % b64(hashlib.sha256(body).digest()), "sha-256=:%s:" % b64(wide[:32])
    for id, component, sent, trailer, value, reason, outcome, why in [
        ("trailer", '"content-digest";tr', wrong, right, right, None, "invalid", "the field of the header is another one, and not covered"),
        ("trailer-wrong", '"content-digest";tr', right, wrong, wrong, "digest-mismatch", "invalid", "a digest in the trailer is a digest too"),
        ("member", '"content-digest";key="sha-256"', old + ", " + right, None, right[8:], None, "invalid", None),
        ("member-md5", '"content-digest";key="md5"', old + ", " + right, None, old[4:], "digest-unsupported", "unverified",
         "the digest that is known is not signed: whoever changes the body changes it too"),
    ]:
        parts = bot(components='"@authority" ' + component, values='"@authority": shop.example\n%s: %s' % (component, value)) + [["Content-Digest", sent]]
        more = {} if trailer is None else {"trailers": [["content-digest", trailer]]}
        message = get(headers=parts, body_b64=b64(body), **more)
        comment = {} if why is None else {"comment": why}
        yield case("bot-request-body-" + id, "WBA-BODY-1", {"message": message, "now_s": NOW + 10, "directories": held}, ok(reason, outcome, **asked), **comment)
    # The well-known place in other spellings: the same name, so the same rules.
    for id, path in [("escape", "/.well-known/http%2Dmessage-signatures-directory"), ("dots", "/a/.." + WELL_KNOWN)]:
        url = "https://bot.example" + path
        for kind, given_type, kid, reason in [("type", "application/json", thumbprint("a"), "directory-failed"), ("kid", DIRECTORY_TYPE, "other", "key-unusable"), ("right", DIRECTORY_TYPE, thumbprint("a"), None)]:
            there = directory(jwk("a", kid=kid), url=url, type=given_type)
            yield case("bot-request-well-known-%s-%s" % (id, kind), "WBA-DIR-2 WBA-DIR-4 WBA-AGENT-7 WBA-AMB-24", given(bot(agent=url), [there]), ok(reason, "unverified", requests=[url]))
    # Times of keys that are no whole seconds.
    for id, key, reason in [
        ("begins-half", jwk("a", nbf=NOW + 10.5), "key-not-current"), ("ends-half", jwk("a", exp=NOW + 10.5), None), ("ended-half", jwk("a", exp=NOW + 9.5), "key-not-current"),
        ("begins-ms", jwk("a", nbf=(NOW + 10) * 1000 + 1), "key-not-current"), ("begun-ms", jwk("a", nbf=(NOW + 10) * 1000), None), ("ends-ms", jwk("a", exp=(NOW + 10) * 1000 + 1), None),
        ("ended-ms", jwk("a", exp=(NOW + 10) * 1000), "key-not-current"), ("begins-text", jwk("a", nbf=str(NOW)), "key-not-current"), ("ends-null", jwk("a", exp=None), "key-not-current"),
    ]:
        yield case("bot-request-key-" + id, "WBA-DIR-5 WBA-AMB-25", given(bot(), [directory(key)]), ok(reason, "unverified", **asked))
    # The edge cases of each row that are not above.
    for id, value in [("inner-list", '("https://bot.example")'), ("bytes", ":aHR0cHM=:"), ("member-token", "https://bot.example"), ("true", "?1"), ("integer", "1")]:
        yield case("bot-request-agent-" + id, "WBA-AGENT-1", given(bot(member_value=value)), ok("agent-malformed"))
    yield case("bot-request-agent-ftp", "WBA-AGENT-4", given(bot(agent="ftp://bot.example")), ok("agent-not-https"))
    first = bot()
    lines = [["Signature-Agent", 'a="https://other.example"'], *first]
    yield case("bot-request-agent-two-lines", "WBA-AGENT-1", given(lines), ok(), comment="the lines of a field are one dictionary")
    again = [*first, ["Signature-Agent", 'sig1="https://evil.example"']]
    yield case("bot-request-agent-again", "WBA-AGENT-1 WBA-AGENT-3", given(again, [directory(jwk("a"), url="https://evil.example" + WELL_KNOWN)]), ok("signature", requests=["https://evil.example" + WELL_KNOWN]),
               comment="the last of two members with one name counts, and was not signed")
    for name, value in [("created", "expires=%d;keyid=\"%s\"" % (NOW + 300, thumbprint("a"))), ("keyid", "created=%d;expires=%d" % (NOW, NOW + 300))]:
        lacking = bot(params='("@authority" "signature-agent";key="sig1");%s;tag="web-bot-auth"' % value)
        answer = ok("missing-param")
        answer["signatures"][0]["keyid"] = None if name == "keyid" else thumbprint("a")
        yield case("bot-request-no-" + name, "WBA-SIG-3", given(lacking), answer)
    untagged = bot(params='("@authority" "signature-agent";key="sig1");created=%d;expires=%d;keyid="%s"' % (NOW, NOW + 300, thumbprint("a")))
    yield case("bot-request-no-tag", "WBA-SIG-3", given(untagged), ok("tag", "ignored"))
    yield case("bot-request-agent-user", "WBA-AGENT-1", given(bot(agent="https://u@bot.example")), ok("agent-malformed"))
    yield case("bot-request-alg-p384", "WBA-ALG-1", given(bot(alg=';alg="ecdsa-p384-sha384"')), ok("alg-unsupported", "unverified"))
    for status in [201, 204, 301, 303, 304, 307, 308, 410, 500, 503]:
        yield case("bot-request-directory-%d" % status, "WBA-DISC-3 WBA-DISC-4", given(bot(), [directory(jwk("a"), status=status)]), ok("directory-failed", "unverified", **asked))
    for id, body in [("list", b"[]"), ("no-keys", b"{}"), ("keys-object", b'{"keys":{}}'), ("trailing", json.dumps({"keys": [jwk("a")]}).encode() + b"x"), ("not-utf-8", b'{"keys":[],"a":"\xff"}'), ("empty", b"")]:
        yield case("bot-request-directory-" + id, "WBA-DIR-1", given(bot(), [directory(body=body)]), ok("directory-failed", "unverified", **asked))
    beside = [1, None, "a", [], {}, {"kty": "x"}, {"kty": "RSA", "n": "AQAB", "e": "AQAB"}, jwk("b", use="enc"), private("c")]
    yield case("bot-request-key-beside-others", "WBA-DIR-3", given(bot(), [directory(*beside, jwk("a"))]), ok(), comment="malformed entries take nothing from the others")
    for id, count, reason in [("100", 99, None), ("101", 100, "directory-failed")]:
        yield case("bot-request-directory-of-" + id, "WBA-DIR-6", given(bot(), [directory(*[jwk("b")] * count, jwk("a"))]), ok(reason, "unverified", **asked))
    for id, total, reason in [("65536", 65536, None), ("65537", 65537, "directory-failed")]:
        text = json.dumps({"keys": [jwk("a")]}).encode()
        yield case("bot-request-directory-of-%s-bytes" % id, "WBA-DIR-6", given(bot(), [directory(body=text + b" " * (total - len(text)))]), ok(reason, "unverified", **asked))


def new_signatures():
    signed = bot()
    given = {"message": get(), "agent": "https://bot.example", "jwk": private("a"), "created_s": NOW, "lifetime_s": 300}
    yield case("bot-new-plain", "WBA-SIG-1 WBA-SIG-3 WBA-SIG-6 WBA-SIG-9", given, {"headers": signed})
    full = bot(label="s2", components='"@authority" "@method"', values='"@authority": shop.example\n"@method": GET', more=';nonce="AAEC"')
    beside = {**given, "label": "s2", "components": ['"@method"'], "nonce_b64": "AAEC", "message": get(headers=signed)}
    yield case("bot-new-beside", "WBA-SIG-5 WBA-SIG-7", beside, {"headers": full})
    for id, requirement, more, kind in [
        ("label-in-use", "WBA-SIG-7", {"message": get(headers=signed)}, "label-in-use"),
        ("legacy-there", "WBA-SIG-7", {"message": get(headers=[["Signature-Agent", '"https://bot.example"']])}, "label-in-use"),
        ("lifetime-0", "WBA-SIG-4", {"lifetime_s": 0}, "bad-lifetime"), ("lifetime-long", "WBA-SIG-4", {"lifetime_s": 86401}, "bad-lifetime"),
        ("http", "WBA-SIG-8", {"message": get("http://shop.example/")}, "insecure-transport"), ("agent", "WBA-SIG-6", {"agent": "http://bot.example"}, "bad-agent"),
        ("response", "WBA-SIG-6", {"message": {"status": 200, "headers": []}}, "bad-message"),
    ]:
        yield case("bot-new-" + id, requirement, {**given, **more}, None, kind)
    # Whoever covers another signature covers what that one is about.
    other = {**given, "label": "s2", "message": get(headers=signed)}
    chained = ['"signature";key="sig1"', '"signature-input";key="sig1"', '"signature-agent";key="sig1"']
    for id, components in [("no-input", chained[::2]), ("no-component", chained[:2]), ("alone", chained[:1])]:
        yield case("bot-new-chain-" + id, "WBA-MULTI-2", {**other, "components": components}, None, "chain-incomplete")
    lines = {name.lower(): value[5:] for name, value in signed}
    whole = bot(label="s2", components='"@authority" ' + " ".join(chained), values="\n".join(['"@authority": shop.example'] + [c + ": " + lines[c.split('"')[1]] for c in chained]))
    yield case("bot-new-chain-whole", "WBA-MULTI-2", {**other, "components": chained}, {"headers": whole})
    for id, components in [("empty", [""]), ("two-in-one", ['"@method" "@path"']), ("token", ["@method"]), ("closed", ['"@method");created=1 ("'])]:
        yield case("bot-new-identifier-" + id, "SIG9421-COMP-1 WBA-SIG-9", {**given, "components": components}, None, "bad-params")


def agents():
    for id, requirements, values, profile, want in [
        ("two", "WBA-AGENT-1", ['a="https://A.example:443"', 'b="https://b.example/k";type=jwks_uri'], None,
         [("a", "https://A.example:443", "directory", "https://a.example" + WELL_KNOWN, "https://a.example" + WELL_KNOWN),
          ("b", "https://b.example/k", "jwks_uri", "https://b.example/k", "https://b.example/k")]),
        ("normal", "WBA-AGENT-7 WBA-AMB-27", ['a="https://b.example/x/../%6Bey%2f?q#f"'], None,
         [("a", "https://b.example/x/../%6Bey%2f?q#f", "jwks_uri", "https://b.example/x/../%6Bey%2f?q", "https://b.example/key%2F")]),
        ("full-url", "WBA-AGENT-7 WBA-AMB-27", ['a="https://b.example%s"' % WELL_KNOWN], None,
         [("a", "https://b.example" + WELL_KNOWN, "jwks_uri", "https://b.example" + WELL_KNOWN, "https://b.example" + WELL_KNOWN)]),
        ("two-strings", "WBA-AGENT-2", ['"https://a.example", "https://b.example"'], None, None),
        ("token", "WBA-AGENT-1", ["https"], None, [("https", None, None, None, None)]),
        ("member-token", "WBA-AGENT-1", ["a=https://b.example"], None, [("a", None, None, None, None)]),
        ("inner-list", "WBA-AGENT-1", ['a=("https://b.example")'], None, [("a", None, None, None, None)]),
        ("bytes", "WBA-AGENT-1", ["a=:aHR0cHM=:"], None, [("a", None, None, None, None)]),
        ("again", "WBA-AGENT-1", ['a="https://b.example"', 'c="https://c.example/k"', 'a="https://d.example/k"'], None,
         [("a", "https://d.example/k", "jwks_uri", "https://d.example/k", "https://d.example/k"),
          ("c", "https://c.example/k", "jwks_uri", "https://c.example/k", "https://c.example/k")]),
        ("list-of-dictionaries", "WBA-AGENT-1", ['(a="https://b.example")'], None, None),
    ]:
        given = {"values": values, **({"profile": profile} if profile else {})}
        if want is None:
            yield case("bot-agent-" + id, requirements, given, None, "agent-malformed")
            continue
        members = [{"key": k, "url": u, "type": t, "fetch": f, "identifier": i, "problem": None if f else "agent-malformed"} for k, u, t, f, i in want]
        yield case("bot-agent-" + id, requirements, given, {"form": "dictionary", "members": members})


def directories():
    where = "https://bot.example" + WELL_KNOWN
    body = json.dumps({"keys": [jwk("a"), jwk("b", kid=thumbprint("b"))]}).encode()
    digest = "sha-256=:%s:" % b64(hashlib.sha256(body).digest())

    def proof(components='"@authority";req "content-digest"', values='"@authority";req: bot.example\n"content-digest": ' + digest, tag="http-message-signatures-directory"):
        params = '(%s);created=%d;expires=%d;keyid="%s";tag="%s"' % (components, NOW, NOW + 300, thumbprint("a"), tag)
        return [["Content-Digest", digest], ["Signature-Input", "p=" + params], ["Signature", "p=:%s:" % b64(sign("a", values + '\n"@signature-params": ' + params))]]

    keys = [{"keyid": thumbprint(name), "alg": "ed25519", "usable": True, "reason": None} for name in "ab"]
    bare = dict(components='"@authority";req', values='"@authority";req: bot.example')
    for id, requirements, headers, url, sent, more, proved in [
        ("proof", "WBA-DIR-7", proof(), where, body, {}, True), ("proof-body", "WBA-DIR-7", proof(), where, body + b" ", {}, False),
        ("proof-host", "WBA-DIR-7 WBA-KEY-3", proof(), "https://evil.example" + WELL_KNOWN, body, {}, False), ("proof-tag", "WBA-DIR-7", proof(tag="web-bot-auth"), where, body, {}, False),
        ("proof-old", "WBA-DIR-7 WBA-AMB-26", proof(**bare), where, body, {}, True), ("proof-old-ietf", "WBA-DIR-7 WBA-AMB-26", proof(**bare), where, body, {"profile": "ietf-01"}, False),
        ("proof-late", "WBA-DIR-7", proof(), where, body, {"now_s": NOW + 300}, False), ("proof-early", "WBA-DIR-7", proof(), where, body, {"now_s": NOW - 61}, False),
    ]:
        given = {"url": url, "headers": [["Content-Type", DIRECTORY_TYPE + "; charset=utf-8"]] + headers, "body_b64": b64(sent), "now_s": NOW, **more}
        yield case("bot-directory-" + id, requirements, given, {"keys": keys, "proved": [thumbprint("a")] if proved else []})
    for id, created, expires, proved in [("proof-times-equal", NOW + 30, NOW + 30, False), ("proof-times-turned", NOW + 30, NOW + 20, False), ("proof-times-ahead", NOW + 30, NOW + 31, True)]:
        params = '("@authority";req "content-digest");created=%d;expires=%d;keyid="%s";tag="http-message-signatures-directory"' % (created, expires, thumbprint("a"))
        values = '"@authority";req: bot.example\n"content-digest": ' + digest
        headers = [["Content-Type", DIRECTORY_TYPE], ["Content-Digest", digest], ["Signature-Input", "p=" + params], ["Signature", "p=:%s:" % b64(sign("a", values + '\n"@signature-params": ' + params))]]
        yield case("bot-directory-" + id, "WBA-DIR-7 WBA-TIME-1", {"url": where, "headers": headers, "body_b64": b64(body), "now_s": NOW}, {"keys": keys, "proved": [thumbprint("a")] if proved else []})
    two = {"url": where, "headers": [["Content-Type", DIRECTORY_TYPE]] * 2, "body_b64": b64(body), "now_s": NOW}
    deep = json.dumps({"keys": [jwk("a")], "x": DEEP}).encode()
    yield case("bot-directory-deep", "WBA-DIR-6", {"url": where, "headers": [["Content-Type", DIRECTORY_TYPE]], "body_b64": b64(deep), "now_s": NOW}, {"keys": keys[:1], "proved": []})
    yield case("bot-directory-two-types", "WBA-DIR-2", two, None, "directory-type")


def cards():
    url = "https://bot.example/card"
    fields = {"client_name": None, "jwks_uri": None, "inline_keys": 0, "product_token": None, "trigger": None, "ips_uri": None, "rfc9309_compliance": False}
    for id, requirements, card, errors, more in [
        ("plain", "WBA-CARD-1 WBA-CARD-2", {"client_id": url, "x": 1, "web_bot_auth": {"rfc9309-product-token": "Bot", "rfc9309-compliance": True}}, [], {"product_token": "Bot", "rfc9309_compliance": True}),
        ("both-keys", "WBA-CARD-2", {"client_id": url, "jwks_uri": "https://b.example/k", "jwks": {"keys": [jwk("a")]}}, ["both-keys"], {"jwks_uri": "https://b.example/k", "inline_keys": 1}),
        # What Cloudflare's packages/web-bot-auth publishes as invalid: this and both-keys.
        ("other-client-id", "WBA-CARD-2", {"client_id": "https://bot.example/other", "jwks_uri": "https://b.example/k"}, ["client-id-mismatch"], {"client_id": "https://bot.example/other", "jwks_uri": "https://b.example/k"}),
        ("no-client-id", "WBA-CARD-2", {"jwks_uri": "https://b.example/k"}, ["client-id-missing"], {"client_id": None, "jwks_uri": "https://b.example/k"}),
        ("list-compliance", "WBA-CARD-3 WBA-AMB-31", {"client_id": url, "web_bot_auth": {"rfc9309-compliance": ["User-Agent"]}}, [], {}),
        ("trigger", "WBA-CARD-3", {"client_id": url, "web_bot_auth": {"trigger": "x"}}, ["unknown-value"], {"trigger": "x"}),
        ("ips-http", "WBA-CARD-2", {"client_id": url, "web_bot_auth": {"ips_uri": "http://b.example/"}}, ["not-https"], {"ips_uri": "http://b.example/"}),
        ("types", "WBA-CARD-1", {"client_id": url, "contacts": [1], "client_name": 1}, ["wrong-type"], {}),
        ("deep", "WBA-CARD-1", {"client_id": url, "x": DEEP}, [], {}),
        ("large", "WBA-CARD-1", {"client_id": url, "x": "x" * 70000}, [], {}),
    ]:
        ok = {"valid": not errors, "errors": errors, "card": {"client_id": url, **fields, **more}}
        yield case("bot-card-" + id, requirements, {"url": url, "json_b64": b64(json.dumps(card).encode())}, ok)
    yield {**case("bot-registry", "WBA-REG-1", {"text": "# x\r\nhttps://a.example/c#d \n\thttp://b.example\rdata:application/json,{}\nwords\n"},
                  {"entries": ["https://a.example/c", "data:application/json,{}"], "skipped": 2}), "op": "wba.registry"}


def caches():
    ok = lambda *answers: {"answers": [{"held": held, "action": action} for held, action in answers]}
    got = lambda at, **headers: {"at_s": at, "status": 200, "headers": [[name.replace("_", "-"), value] for name, value in headers.items()]}
    ask = lambda at, known=True: {"at_s": at, "known": known}
    for id, requirements, events, want in [
        ("age", "WBA-CACHE-1", [got(0, Cache_Control="max-age=600", Age="100"), ask(499), ask(500)], ok(("fresh", "use"), ("stale", "fetch"))),
        ("expires", "WBA-CACHE-1", [got(0, Expires="Tue, 20 Apr 2027 02:10:00 GMT", Date="Tue, 20 Apr 2027 02:00:00 GMT"), ask(599), ask(600)], ok(("fresh", "use"), ("stale", "fetch"))),
        ("year", "WBA-CACHE-1", [got(0, Cache_Control="max-age=31536000"), ask(86399), ask(86400)], ok(("fresh", "use"), ("stale", "fetch"))),
        ("silent", "WBA-CACHE-1", [got(0), ask(3599), ask(3600)], ok(("fresh", "use"), ("stale", "fetch"))),
        ("zero", "WBA-CACHE-1", [got(0, Cache_Control="max-age=0"), ask(59), ask(60)], ok(("fresh", "use"), ("stale", "fetch"))),
        ("both", "WBA-CACHE-1", [got(0, Cache_Control="max-age=600", Expires="Tue, 20 Apr 2027 04:00:00 GMT", Date="Tue, 20 Apr 2027 02:00:00 GMT"), ask(599), ask(600)],
         ok(("fresh", "use"), ("stale", "fetch"))),
        ("older-than-told", "WBA-CACHE-1", [got(0, Cache_Control="max-age=600", Age="7200"), ask(59), ask(60)], ok(("fresh", "use"), ("stale", "fetch"))),
        ("expired", "WBA-CACHE-1", [got(0, Expires="Tue, 20 Apr 2027 02:00:00 GMT", Date="Tue, 20 Apr 2027 02:10:00 GMT"), ask(59), ask(60)], ok(("fresh", "use"), ("stale", "fetch"))),
        ("expires-zero", "WBA-CACHE-1", [got(0, Expires="0", Date="Tue, 20 Apr 2027 02:10:00 GMT"), ask(59), ask(60)], ok(("fresh", "use"), ("stale", "fetch"))),
        ("no-store", "WBA-CACHE-1", [got(0, Cache_Control="max-age=600, no-store"), ask(59), ask(60)], ok(("fresh", "use"), ("stale", "fetch"))),
        ("no-cache", "WBA-CACHE-1", [got(0, Cache_Control="no-cache, max-age=600"), ask(59), ask(60)], ok(("fresh", "use"), ("stale", "fetch"))),
        ("failure", "WBA-CACHE-2 WBA-CACHE-3", [got(0, Cache_Control="max-age=60"), {"at_s": 60, "status": 0, "headers": []}, ask(61), ask(120)], ok(("stale", "use"), ("stale", "fetch"))),
        ("retry-after", "WBA-CACHE-3", [{"at_s": 0, "status": 503, "headers": [["Retry-After", "300"]]}, ask(299), ask(300)], ok(("none", "wait"), ("none", "fetch"))),
        ("retry-after-none", "WBA-CACHE-3", [{"at_s": 0, "status": 503, "headers": []}, ask(59), ask(60)], ok(("none", "wait"), ("none", "fetch"))),
        ("retry-after-two-hours", "WBA-CACHE-3", [{"at_s": 0, "status": 429, "headers": [["Retry-After", "7200"]]}, ask(3599), ask(3600)], ok(("none", "wait"), ("none", "fetch"))),
        ("retry-after-stale", "WBA-CACHE-2 WBA-CACHE-3", [got(0, Cache_Control="max-age=60"), {"at_s": 60, "status": 503, "headers": [["Retry-After", "120"]]}, ask(179), ask(180)],
         ok(("stale", "use"), ("stale", "fetch"))),
        ("replaced", "WBA-CACHE-2", [got(0), {"at_s": 10, "status": 500, "headers": []}, got(70, Cache_Control="max-age=300"), ask(369), ask(370)], ok(("fresh", "use"), ("stale", "fetch"))),
        ("never-asked", "WBA-CACHE-1", [ask(0, False)], ok(("none", "fetch"))),
        ("flood", "WBA-CACHE-4", [got(0), ask(60, False), got(60), *[ask(at, False) for at in (61, 90, 119, 120)]],
         ok(("fresh", "fetch"), ("fresh", "wait"), ("fresh", "wait"), ("fresh", "wait"), ("fresh", "fetch"))),
        ("unknown-key", "WBA-CACHE-4", [got(0), ask(59, False), ask(60, False), ask(60)], ok(("fresh", "wait"), ("fresh", "fetch"), ("fresh", "use"))),
    ]:
        yield case("bot-cache-" + id, requirements, {"events": events}, want)
    # Ages (RFC 9111, 5.1): each list of field values with the seconds that a lifetime of an hour has left.
    for id, comment, lifetime, ages, left in [
        ("huge", "an age past every number is the oldest there is, not none", "max-age=3600", ["99999999999999999999999"], 60),
        ("past-lifetime", "an age above max-age leaves the shortest time", "max-age=3600", ["3601"], 60),
        ("sign", "a signed number is no age", "max-age=3600", ["+3000"], 3600),
        ("fraction", "nor is a fraction", "max-age=3600", ["3000.5"], 3600),
        ("twice", "of several ages the first counts (RFC 9111, 5.1)", "max-age=3600", ["10", "3000"], 3590),
        ("list", "of a list likewise", "max-age=3600", ["10, 3000"], 3590),
        ("empty", "an empty age is none", "max-age=3600", [""], 3600),
        ("without-max-age", "an age is taken from max-age only", "public", ["3000"], 3600),
    ]:
        headers = [["Cache-Control", lifetime], *(["Age", age] for age in ages)]
        events = [{"at_s": 0, "status": 200, "headers": headers}, ask(left - 1), ask(left)]
        yield case("bot-cache-age-" + id, "WBA-CACHE-1", {"events": events}, ok(("fresh", "use"), ("stale", "fetch")), comment=comment)


def addresses():
    def given(prefixes, ask, **more):
        return {"json_b64": b64(json.dumps({"creationTime": "2026-04-21T10:00:00Z", "prefixes": prefixes, **more}).encode()), "ask": ask}

    yield case("bot-addresses-narrowest", "JAFAR-1 JAFAR-2 JAFAR-6", given([{"ipv4Prefix": "192.0.2.0/24", "services": ["a"]}, {"ipv4Prefix": "192.0.2.128/25", "services": ["b"]},
               {"ipv4Prefix": "192.0.2.128/25", "services": ["B"]}], ["192.0.2.1", "192.0.2.129", "192.0.3.1"]),
               {"listed": [True, True, False], "services": [["a"], ["B", "b"], []], "entries": 3, "skipped": 0})
    yield case("bot-addresses-forms", "JAFAR-5", given([{"ipv4Prefix": "198.51.100.7"}, {"ipv6Prefix": "2001:DB8:0::/33"}, {"ipv6Prefix": "::ffff:203.0.113.0/120"}],
               ["198.51.100.7", "::ffff:198.51.100.7", "2001:db8:0:1::", "2001:db8:8000::", "203.0.113.9", "198.051.100.7", " 198.51.100.7", "fe80::1%eth0"]),
               {"listed": [True, True, True, False, True, False, False, False], "entries": 3, "skipped": 0})
    yield case("bot-addresses-skipped", "JAFAR-5", given([{"ipv4Prefix": "192.0.2.1/24"}, {"ipv4Prefix": "192.0.2.0/33"}, {"ipv4Prefix": "2001:db8::/32"}, {"ipv4Prefix": "192.0.2.0/24", "ipv6Prefix": "::/0"},
               {}, 7, {"ipv4Prefix": "192.0.2.0/024"}, {"ipv6Prefix": "192.0.2.0/24"}], ["192.0.2.1"]), {"listed": [False], "entries": 0, "skipped": 8})
    yield case("bot-addresses-everything", "JAFAR-5", given([{"ipv4Prefix": "0.0.0.0/0"}], ["192.0.2.1", "::2"]), {"listed": [True, False]})
    yield case("bot-addresses-older", "JAFAR-4 WBA-AMB-32", given([{"ipv4Prefix": "192.0.2.0/24", "service": "search"}], ["192.0.2.1"], creationTime="2026-01-01T00:00:00.000001"), {"listed": [True], "services": [["search"]]})
    for id, type, kind in [("version-minor", "application/jafar+json; version=\"1.7\"", None), ("version-major", "application/jafar+json;version=2.0", "unsupported-version"),
                           ("version-words", "application/jafar+json;version=one", "unsupported-version"), ("version-other-type", "application/json;version=2.0", None)]:
        yield case("bot-addresses-" + id, "JAFAR-3", {**given([], []), "content_type": type}, {"entries": 0} if kind is None else None, kind)
    yield case("bot-addresses-format-version", "JAFAR-3", given([], [], formatVersion="2.0"), None, "unsupported-version")
    yield case("bot-addresses-deep", "JAFAR-1", given([{"ipv4Prefix": "192.0.2.0/24"}], ["192.0.2.1"], x=DEEP), {"listed": [True], "entries": 1, "skipped": 0})
    yield case("bot-addresses-no-list", "JAFAR-4", {"json_b64": b64(b"{}"), "ask": []}, None, "no-prefixes")


def lookups():
    def given(facts, address="192.0.2.1", domains=("bot.example",)):
        return {"address": address, "domains": list(domains), "facts": facts}

    ok = lambda outcome, hostname=None, *queries: {"outcome": outcome, "hostname": hostname, "queries": [{"type": t, "name": n} for t, n in queries]}
    names = ["A.bot.example.", "evilbot.example", "bot.example.evil.example", "a.bot.example", "b.bot.example"]
    for id, requirements, facts, want, more in [
        ("start", "RDNS-1 RDNS-2", {}, ok("pending", None, ("PTR", "1.2.0.192.in-addr.arpa")), {}),
        ("start-mapped", "RDNS-2", {}, ok("pending", None, ("PTR", "1.2.0.192.in-addr.arpa")), {"address": "::ffff:192.0.2.1"}),
        ("start-ipv6", "RDNS-2", {}, ok("pending", None, ("PTR", "1." + "0." * 23 + "8.b.d.0.1.0.0.2.ip6.arpa")), {"address": "2001:db8::1"}),
        ("candidates", "RDNS-3", {"ptr": names}, ok("pending", None, ("A", "a.bot.example"), ("A", "b.bot.example")), {}),
        ("candidates-ipv6", "RDNS-3", {"ptr": ["bot.example"]}, ok("pending", None, ("AAAA", "bot.example")), {"address": "2001:db8::1"}),
        ("ten", "RDNS-3", {"ptr": ["h%d.bot.example" % n for n in range(12)]}, ok("pending", None, *[("A", "h%d.bot.example" % n) for n in range(10)]), {}),
        ("confirmed", "RDNS-4", {"ptr": names, "forward": {"B.bot.example.": ["::ffff:192.0.2.1"]}}, ok("confirmed", "b.bot.example"), {}),
        ("refuted", "RDNS-5", {"ptr": ["a.bot.example"], "forward": {"a.bot.example": ["192.0.2.2"]}}, ok("refuted"), {}),
        ("no-candidate", "RDNS-5", {"ptr": ["evilbot.example"]}, ok("refuted"), {}),
        ("failed", "RDNS-5 WBA-AMB-34", {"ptr": None}, ok("unknown"), {}),
        ("half-failed", "RDNS-5", {"ptr": ["a.bot.example", "b.bot.example"], "forward": {"a.bot.example": None, "b.bot.example": []}}, ok("unknown"), {}),
    ]:
        yield case("bot-reverse-" + id, requirements, given(facts, **more), want)
    yield case("bot-reverse-pattern", "RDNS-6", given({}, domains=["*.bot.example"]), None, "bad-domain")
    yield case("bot-reverse-no-domain", "RDNS-6", given({}, domains=[]), None, "bad-domain")


def thumbprints():
    for id, key, want in [
        ("rfc7638", {"kty": "RSA", "n": "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw", "e": "AQAB", "alg": "RS256", "kid": "2011-04-29"}, "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"),
        ("rfc8037", {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"),
        ("rfc9421", {"kty": "OKP", "crv": "Ed25519", "kid": "test-key-ed25519", "x": "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"}, "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"),
        ("private", private("a"), thumbprint("a")), ("noise", jwk("a", use="enc", kid="z", nbf=1), thumbprint("a")),
        ("deep", jwk("a", x5=DEEP), thumbprint("a")),
    ]:
        yield case("bot-thumbprint-" + id, "SIG9421-KEY-2" + {"rfc8037": " WBA-VEC-4", "rfc9421": " WBA-VEC-1 AIWI2-VEC-6"}.get(id, ""), {"jwk": key}, {"thumbprint": want})
    for id, key in [("no-x", {"kty": "OKP", "crv": "Ed25519"}), ("kty", {"kty": "x", "x": "AA"})]:
        yield case("bot-thumbprint-" + id, "SIG9421-KEY-2", {"jwk": key}, None, "bad-key")


RFC9421, WBA = "RFC 9421", "draft-ietf-webbotauth-httpsig-protocol-01"
FILES = {
    "structured-fields": ("RFC 9651", "httpsig.sf", structured), "base": (RFC9421, "httpsig.base", bases), "sign": (RFC9421, "httpsig.sign", signs),
    "verify": (RFC9421, "httpsig.verify", verifies), "thumbprint": ("RFC 7638", "jwk.thumbprint", thumbprints),
    "request": (WBA, "wba.verify", requests), "new-signature": (WBA, "wba.sign", new_signatures), "agent": (WBA, "wba.agent", agents),
    "directory": (WBA, "wba.directory", directories), "cache": (WBA, "wba.cache", caches),
    "card": ("draft-meunier-webbotauth-registry-04", "wba.card", cards), "addresses": ("draft-illyes-webbotauth-jafar-00", "jafar.match", addresses),
    "reverse-dns": ("RFC 1035, RFC 3596", "rdns.step", lookups),
}


def keep_notes(data, path):
    """Takes over what people wrote into the published cases: why a case is there, what it rests on and stands for."""
    published = {case["id"]: case for case in json.loads(path.read_text(encoding="utf-8"))["cases"]}
    for index, case in enumerate(data["cases"]):
        old = published.get(case["id"], {})
        notes = {name: old[name] for name in ("comment", "basis", "requirements") if name in old}
        data["cases"][index] = {"id": case["id"], **notes, **{name: value for name, value in case.items() if name != "id" and name not in notes}}


def main():
    mode, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    stale = 0
    for topic, (spec, op, cases) in sorted(FILES.items()):
        data = {"$schema": "../schema/vectors.schema.json", "spec": spec, "topic": topic, "op": op,
                "source": "crates/bot-auth/tests/bot_auth_vectors.py, with cryptography", "cases": list(cases())}
        path = folder / (topic + ".json")
        keep_notes(data, path)
        text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
        if mode == "--write":
            path.write_text(text, encoding="utf-8")
        elif json.loads(path.read_text(encoding="utf-8")) != data:
            print(f"{path} differs")
            stale = 1
    sys.exit(stale)


if __name__ == "__main__":
    main()
