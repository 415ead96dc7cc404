"""The package behind the line protocol of the vectors: `spec-vectors/run.py python3 examples/python/tests/adapter.py`."""

from __future__ import annotations

import base64
import io
import json
import sys
from collections.abc import Callable
from typing import Any

import aiweb
from aiweb import llmindex, robots, tct

Members = dict[str, Any]


def bytes_of(given: Members, name: str) -> bytes:
    return base64.b64decode(given[name])


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


class Refused(Exception):
    """An error of this kind."""


def fingerprint(given: Members) -> Members:
    hasher = aiweb.Fingerprinter()
    for character in given["text"]:
        hasher.update(character)
    found = aiweb.fingerprint(given["text"])
    assert found == hasher.fingerprint() == "sha256-" + hasher.digest().hex()
    return {"hash": found}


def normalize(given: Members) -> Members:
    return {"text": aiweb.normalize(given["text"])}


def canonicalize(given: Members) -> Members:
    import hashlib

    order: aiweb.Order = "utf-16" if given.get("profile") == "rfc8785" else "code-point"
    found = aiweb.canonicalize(bytes_of(given, "json_b64"), order=order)
    assert aiweb.is_canonical(found, order=order)
    return {"json_b64": b64(found), "sha256": hashlib.sha256(found).hexdigest()}


def allowed(given: Members) -> Members:
    text = given["robots"] if "robots" in given else bytes_of(given, "robots_b64")
    file = robots.parse(text)
    # Some vectors have URLs without a scheme.
    found = file._file._allowed_of_url(given["agents"], given["url"])
    delay = file.crawl_delay(given["agents"])
    rule = None if found.line is None else {"line": found.line, "pattern": found.pattern}
    return {"allowed": bool(found), "rule": rule, "crawl_delay": int(delay) if delay is not None and delay == int(delay) else delay}


def told(findings: list[aiweb.Finding]) -> list[Members]:
    return [{"path": found.place, "code": found.code} for found in findings]


def verdict(report: llmindex.Report) -> Members:
    return {"valid": report.valid, "errors": told(report.errors), "warnings": told(report.warnings)}


def feed(given: Members) -> Members:
    summary = llmindex.FeedSummary()
    lines = []
    for line in llmindex.feed(io.BytesIO(bytes_of(given, "feed_b64")), summary):
        report = llmindex.Report(line.findings)
        if line.findings:
            lines.append({"line": line.number, "errors": told(report.errors), "warnings": told(report.warnings)})
    warnings = [{"code": found.code} for found in summary.findings]
    return {"valid": summary.valid, "products": summary.products, "lines": lines, "warnings": warnings}


def jws(given: Members) -> Members:
    if given.get("reference_compat"):
        raise Refused("unknown-op")
    found = aiweb.verify(bytes_of(given, "manifest_b64"), given["jwks"], fetched_from=given.get("fetched_from"))
    return {"valid": bool(found), "reason": found.reason, "kid": found.kid, "caveats": list(found.caveats)}


def sign(given: Members) -> Members:
    signed = aiweb.sign(bytes_of(given, "manifest_b64"), given["jwk"], detached=given.get("detached", False))
    return {"manifest_b64": b64(signed)}


def validate(given: Members) -> Members:
    data = bytes_of(given, "json_b64")
    errors = [found for found in aiweb.Document.check(data, "1.0") if found.severity == "error"]
    return {"valid": not errors, "errors": told(errors)}


def check2(given: Members) -> Members:
    findings = aiweb.Document.check(bytes_of(given, "json_b64"), "2.0")
    listed = [{"path": found.place, "kind": found.code, "severity": found.severity} for found in findings]
    return {"valid": all(found.severity != "error" for found in findings), "findings": listed}


def rewrite2(given: Members) -> Members:
    return {"document": aiweb.Document.from_json(bytes_of(given, "json_b64"), "2.0").to_dict()}


def extract2(given: Members) -> Members:
    source = given["source"]
    if "render_mode" in source:
        raise Refused("unknown-op")
    made = aiweb.document(
        bytes_of(given, "html_b64"),
        given["url"],
        content_type=given.get("content_type"),
        fetched_at=source.get("fetched_at"),
        status_code=source.get("status_code"),
        freshness_policy=given["freshness_policy"],
        cache_status=given["cache_status"],
    )
    return {"document": made.to_dict()}


def crawl(given: Members) -> Members:
    if any(name in given for name in ("pieces", "withheld", "probe", "robots", "site")) or given.get("order") == "last":
        raise Refused("unknown-op")
    answers = {url: list(value) if isinstance(value, list) else [value] for url, value in given["answers"].items()}
    if any(answer and "cut" in answer for several in answers.values() for answer in several):
        raise Refused("unknown-op")
    now = [given.get("now_s", 0)]

    def sleep(seconds: float) -> None:
        now[0] += int(seconds)

    state = json.dumps({"pages": given.get("pages", {})})
    requests: list[Members] = []
    pages: list[tct.Page] = []
    events: list[Members] = []
    run = tct.Crawl(given["start"], state=state, on_page=pages.append, on_event=events.append, now=lambda: now[0], sleep=sleep)
    for request in run:
        headers = {name.lower(): value for name, value in request.headers.items()}
        requests.append(
            {
                "method": request.method,
                "url": request.url,
                "if_none_match": headers.get("if-none-match"),
                "no_cache": headers.get("cache-control") == "no-cache",
            }
        )
        several = answers.get(request.url, [{"status": 404}])
        answer = several.pop(0) if len(several) > 1 else several[0]
        if answer is None:
            request.fail()
        else:
            lines = [(name, value) for name, value in answer.get("headers", [])]
            body = base64.b64decode(answer.get("body_b64", ""))
            request.respond(answer.get("status", 200), lines, body, url=answer.get("url"))
    reports = [{"key": page.key, "event": page.event} for page in pages if page.event != "listed"]
    codes = [event["event"] for event in events]
    site = json.loads(run.state())
    return {"requests": requests, "reports": reports, "events": codes, "pages": site["pages"], "site": site["site"], "now_s": now[0]}


def upgrade(given: Members) -> Members:
    if "has_json_ld" in given:
        raise Refused("unknown-op")
    document = aiweb.Document.from_json(bytes_of(given, "json_b64"), "1.0")
    made, lost = document.upgrade(given["freshness_policy"], given["cache_status"])
    return {"document": made.to_dict(), "lost": lost}


OPERATIONS: dict[str, Callable[[Members], Members]] = {
    "tct.fingerprint": fingerprint,
    "tct.normalize": normalize,
    "tct.canonicalize": canonicalize,
    "tct.crawl": crawl,
    "robots.allowed": allowed,
    "llmindex.manifest": lambda given: verdict(llmindex.validate(bytes_of(given, "json_b64"))),
    "llmindex.product": lambda given: verdict(llmindex.validate_product(given["line"])),
    "llmindex.feed": feed,
    "verify.jws": jws,
    "verify.sign": sign,
    "jwk.thumbprint": lambda given: {"thumbprint": aiweb.thumbprint(given["jwk"])},
    "aidocument.upgrade": upgrade,
    "aidocument.validate": validate,
    "aidocument2.check": check2,
    "aidocument2.rewrite": rewrite2,
    "aidocument2.extract": extract2,
}


def answer(request: Members) -> Members:
    operation = OPERATIONS.get(request["op"])
    if operation is None:
        return {"id": request["id"], "err": {"kind": "unknown-op"}}
    try:
        return {"id": request["id"], "ok": operation(request["in"])}
    except Refused as refused:
        return {"id": request["id"], "err": {"kind": str(refused)}}
    except aiweb.AiwebError as error:
        return {"id": request["id"], "err": {"kind": error.code, "message": str(error)}}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
