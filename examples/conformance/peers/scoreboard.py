#!/usr/bin/env python3
"""Writes `spec-vectors/SCOREBOARD.md`: which implementation passes which vectors, and what each one fails.

    cargo build --release -p conformance
    examples/conformance/peers/scoreboard.py [--ours PROGRAM]

Installs the peers below into `target/peers` at the versions named here, with pip, npm and cargo; a peer that cannot be
installed is left out and named. Members that a peer does not answer at all are not compared, which favours the peer.
"""
import argparse, collections, datetime, json, os, pathlib, subprocess, sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
WORK = ROOT / "target" / "peers"
sys.path.insert(0, str(ROOT / "spec-vectors"))
import run

PYTHON = ["collab-tunnel==2.0.0", "rfc8785==0.1.4", "jcs==0.2.1", "protego==0.7.0", "robotspy==0.13.0", "gpyrobotstxt==1.0.0",
          "http-message-signatures==3.0.0"]
NODE = ["canonicalize@4.0.0", "json-canonicalize@3.0.1", "robots-parser@3.0.1", "web-bot-auth@0.1.3",
        "http-message-sig@0.3.0", "http-message-signatures@1.0.6"]
# name, program, operations, takes any error, what it is
PEERS = [
    ("collab-tunnel 2.0.0 (PyPI)", "python collab_tunnel_adapter.py", "tct.", False, "the TCT author's reference client: normaliser and the crawler's decisions"),
    ("rfc8785 0.1.4 (PyPI)", "python rfc8785_adapter.py rfc8785", "tct.canonicalize", True, "RFC 8785 over Python's `json`"),
    ("jcs 0.2.1 (PyPI)", "python rfc8785_adapter.py jcs", "tct.canonicalize", True, "RFC 8785 over Python's `json`"),
    ("canonicalize 4.0.0 (npm)", "node canonicalize_adapter.mjs", "tct.canonicalize", True, "RFC 8785 over `JSON.parse`"),
    ("json-canonicalize 3.0.1 (npm)", "node canonicalize_adapter.mjs json-canonicalize", "tct.canonicalize", True, "RFC 8785 over `JSON.parse`"),
    ("serde_jcs 0.2.0 (crates.io)", "rust peers serde_jcs", "tct.canonicalize", True, "RFC 8785 over `serde_json`"),
    ("serde_json_canonicalizer 0.4.1 (crates.io)", "rust peers serde_json_canonicalizer", "tct.canonicalize", True, "RFC 8785 over `serde_json`"),
    ("protego 0.7.0 (PyPI)", "python robots_adapters.py protego", "robots.allowed", False, "Scrapy's reader of robots.txt"),
    ("robotspy 0.13.0 (PyPI)", "python robots_adapters.py robotspy", "robots.allowed", False, "a reader after RFC 9309"),
    ("gpyrobotstxt 1.0.0 (PyPI)", "python robots_adapters.py gpyrobotstxt", "robots.allowed", False, "Google's reader, written again in Python"),
    ("urllib.robotparser (Python {python})", "python robots_adapters.py urllib", "robots.allowed", False, "the standard library's reader"),
    ("robots-parser 3.0.1 (npm)", "node robots_parser_adapter.mjs", "robots.allowed", False, "a reader for Node"),
    ("robotstxt 0.3.0 (crates.io)", "rust peers robotstxt", "robots.allowed", False, "Google's reader, written again in Rust"),
    ("texting_robots 0.2.2 (crates.io)", "rust peers texting_robots", "robots.allowed", False, "a reader for Rust"),
    ("http-message-signatures 3.0.0 (PyPI)", "python signature_adapter.py", "httpsig.verify", True, "RFC 9421 for Python"),
    ("http-message-sig 0.3.0 (npm)", "node http_signatures_adapter.mjs", "httpsig.", True, "RFC 9421, for Web Bot Auth"),
    ("http-message-signatures 1.0.6 (npm)", "node http_signatures_adapter.mjs http-message-signatures", "httpsig.", True, "RFC 9421 for Node"),
    ("web-bot-auth 0.1.3 (npm)", "node web_bot_auth_adapter.mjs", "wba.verify", True, "the reference of Web Bot Auth"),
]


def install():
    """The peers' Python, Node and program in Rust; None for what cannot be installed."""
    WORK.mkdir(parents=True, exist_ok=True)
    venv = WORK / "venv"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        if not venv.exists():
            subprocess.run([sys.executable, "-m", "venv", venv], check=True, **quiet)
        subprocess.run([venv / "bin/pip", "install", "-q", *PYTHON], check=True, **quiet)
        python = str(venv / "bin/python")
    except (OSError, subprocess.CalledProcessError):
        python = None
    try:
        subprocess.run(["npm", "install", "--silent", "--no-save", "--prefix", WORK, *NODE], check=True, **quiet)
        node = "node"
    except (OSError, subprocess.CalledProcessError):
        node = None
    try:
        built = {**os.environ, "CARGO_TARGET_DIR": str(WORK / "rust")}
        subprocess.run(["cargo", "build", "--quiet", "--locked", "--manifest-path", HERE / "rust/Cargo.toml"], check=True, env=built, **quiet)
        rust = str(WORK / "rust/debug/peers")
    except (OSError, subprocess.CalledProcessError):
        rust = None
    return {"python": python, "node": node, "rust": rust}


def with_validity(case):
    """The case with whether each signature is valid, as a member of its own: what a verifier of signatures says of them."""
    ok = case.get("ok", {})
    if "results" in ok:
        return {**case, "ok": {**ok, "valid": [found["valid"] for found in ok["results"]]}}
    if "signatures" in ok:
        return {**case, "ok": {**ok, "valid": [found["outcome"] == "verified" for found in ok["signatures"]]}}
    return case


def score(program, cases, any_error, partial):
    """Per operation how many cases passed of those that the program takes, and the cases that failed.

    Cases that rest on a rule of the specification are counted apart from the others, under (operation, whether so).
    """
    answers = run.ask(program, cases, timeout=60)
    passed, asked, failed = collections.Counter(), collections.Counter(), []
    for _, operation, case in cases:
        answer = answers[case["id"]]
        if answer.get("err", {}).get("kind") == "unknown-op":
            continue
        if partial:
            case = with_validity(case)
        if partial and "ok" in case and isinstance(answer.get("ok"), dict):
            known = {name: value for name, value in case["ok"].items() if name in answer["ok"]}
            case = {**case, "ok": known or case["ok"]}
        counts = case.get("basis") == "text"
        asked[operation, counts] += 1
        if run.passes(case, answer, any_error):
            passed[operation, counts] += 1
        else:
            failed.append((case, answer))
    return passed, asked, failed


def tally(passed, asked, name):
    """Passed and asked where the specification decides, and the same where it does not."""
    return passed[name, True], asked[name, True], passed[name, False], asked[name, False]


def short(value):
    text = json.dumps(value, ensure_ascii=False)
    text = text if len(text) <= 90 else text[:88] + "…"
    return "`" + text.replace("|", "\\|").replace("`", "'").replace("\n", " ") + "`"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--ours", default=str(ROOT / "target/release/conformance"))
    options = options.parse_args()
    interpreters = install()
    version = ".".join(map(str, sys.version_info[:3]))
    rows, details, skipped = [], [], []

    package = ROOT / "target/python/bin/python"  # where `.ci/python` installs it
    ours = [("this workspace", [options.ours])]
    if package.exists():
        ours.append(("its Python package", [str(package), str(ROOT / "examples/python/tests/adapter.py")]))
    else:
        skipped.append("the Python package (run .ci/python first)")
    for name, command in ours:
        passed, asked, failed = score(command, run.load(""), False, False)
        families, good = collections.Counter(), collections.Counter()
        for operation, counts in asked:
            families[operation.split(".")[0], counts] += asked[operation, counts]
            good[operation.split(".")[0], counts] += passed[operation, counts]
        for family in sorted({family for family, _ in families}):
            rows.append((name, f"`{family}.*`", *tally(good, families, family)))
        if failed:
            details.append((name, "", failed))
    for name, command, only, any_error, what in PEERS:
        kind, script, *rest = command.split()
        name = name.format(python=version)
        interpreter = interpreters[kind]
        if interpreter is None:
            skipped.append(name)
            continue
        script = HERE / script
        command = [interpreter, *rest] if kind == "rust" else [interpreter, str(script), *rest]
        if kind == "node":  # Node looks for modules beside the script
            (WORK / script.name).write_text(script.read_text())
            command[1] = str(WORK / script.name)
        passed, asked, failed = score(command, run.load(only), any_error, True)
        for operation in sorted({name for name, _ in asked}):
            rows.append((name, f"`{operation}`", *tally(passed, asked, operation)))
        details.append((name, what, failed))

    page = ["# Scoreboard", "",
            "Which implementation passes which vectors. This page is made by `examples/conformance/peers/scoreboard.py`; the last run was on "
            f"{datetime.date.today()}. A peer gets only the operations that it has, only the members that it answers are compared, and for "
            "RFC 8785 every refusal counts where one is expected. Of signatures, only whether one is valid is compared.", "",
            "Only cases whose basis is `text`, a rule of the specification, count against anybody. The last column has the others: our "
            "readings where it is open, our limits, and its own errors. To differ there is no fault.", "",
            "| implementation | operations | passed | of | of the others, the same |", "|---|---|---|---|---|"]
    page += [f"| {name} | {operation} | {passed} | {total} | {alike} of {others} |" for name, operation, passed, total, alike, others in rows]
    if skipped:
        page += ["", f"Not run, since they could not be installed: {', '.join(skipped)}."]
    page += ["", "## What each one fails", ""]
    for name, what, failed in details:
        page.append(f"### {name}: {what}" if what else f"### {name}")
        page.append("")
        if not failed:
            page += ["Nothing.", ""]
            continue
        counted = [one for one in failed if one[0].get("basis") == "text"]
        differing = [f"{case['id']} ({case['basis']})" for case, _ in failed if case.get("basis") != "text"]
        if counted:
            page += ["| case | what it is about | expected | found |", "|---|---|---|---|"]
        for case, answer in counted:
            expected = case.get("ok", case.get("err"))
            about = case.get("comment") or ", ".join(case["requirements"])
            page.append(f"| {case['id']} | {about.replace('|', chr(92) + '|')} | {short(expected)} | {short(answer.get('ok', answer.get('err', answer.get('ended'))))} |")
        if differing:
            page += [""] * bool(counted) + [f"Not counted, {len(differing)} that differ: {', '.join(differing)}."]
        page.append("")
    (ROOT / "spec-vectors/SCOREBOARD.md").write_text("\n".join(page).rstrip() + "\n", encoding="utf-8")
    for name, operation, passed, total, alike, others in rows:
        print(f"{name:40} {operation:24} {passed} of {total}, others {alike} of {others}")
    for name in skipped:
        print(f"skipped: {name} could not be installed")


if __name__ == "__main__":
    main()
