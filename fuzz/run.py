#!/usr/bin/env python3
"""Runs every fuzz target for some minutes, starting from the published vectors, and prints a table.

    fuzz/run.py --minutes 10                       all targets, one after the other
    fuzz/run.py --minutes 20 robots_file tct_open  just these
    fuzz/run.py --max-len 1048576 tct_open         inputs of up to a megabyte

Inputs have at most 8,192 bytes (`--max-len`), and vectors that are longer are not seeds: longer inputs mean fewer
executions a second.

Needs a nightly toolchain and cargo-fuzz (`cargo install cargo-fuzz`). Our code has no `unsafe`, so targets are built
without a sanitizer, which makes them several times faster; `--sanitizer address` watches the dependencies too. Finds
are kept in `fuzz/artifacts`; the exit status is then 1.
"""

import argparse
import base64
import hashlib
import json
import pathlib
import re
import resource
import subprocess
import sys

FUZZ = pathlib.Path(__file__).resolve().parent
VECTORS = FUZZ.parent / "spec-vectors"

# Which sets of vectors a target's corpus starts from; for the others libFuzzer starts from nothing.
SEEDS = {
    "aidocument_extract_page": ["aidocument/extract-document", "tct/discover"],
    "aidocument_extract_markup": ["aidocument/extract-document", "tct/discover"],
    "aidocument_read": ["aidocument/validate"],
    "json_agree": ["llmindex/manifest", "llmindex/product"],
    "aidocument_v2_read": ["aidocument/validate", "aiwi2/check", "aiwi2/downgrade", "aiwi2/upgrade"],
    "bot_auth_documents": ["bot-auth/addresses", "bot-auth/card", "bot-auth/directory", "bot-auth/reverse-dns"],
    "bot_auth_request": ["bot-auth/request", "bot-auth/structured-fields", "bot-auth/verify"],
    "jwk_keys": ["bot-auth/directory", "bot-auth/thumbprint"],
    "llmindex_types_read": ["llmindex/manifest", "llmindex/product", "llmindex/feed", "llmindex/llms-txt"],
    "robots_access": ["robots/access"],
    "robots_file": [
        "robots/crawl-delay", "robots/encoding", "robots/groups", "robots/matching", "robots/page-directives",
        "robots/parsing", "robots/preferences", "aiwebindex/check-user-agent",
    ],
    "robots_pacer": ["robots/pacing"],
    "signals_decide": ["signals/decide", "signals/rsl", "signals/tdmrep"],
    "tct_canonical_json_splits": ["tct/canonical-json"],
    "tct_canonical_json_text": ["tct/canonical-json"],
    "tct_discover": ["tct/discover"],
    "tct_fields": ["tct/conditional", "tct/discover", "tct/open"],
    "tct_fingerprint_one_pass": ["tct/fingerprint", "tct/normalize"],
    "tct_open": ["tct/open"],
    "tct_policy": ["tct/policy"],
    "tct_seal": ["tct/seal", "tct/open"],
    "tct_sitemap": ["tct/sitemap", "tct/plan"],
    "tct_v03": ["tct03/document-check", "tct03/document-encode", "tct03/sitemap-check"],
    "verify_dns": ["verify/dns", "verify/token"],
    "verify_jws": ["verify/jws"],
    "verify_well_known": ["verify/http", "verify/token"],
    "web_values_texts": ["aiwebindex/check-user-agent", "bot-auth/cache", "robots/pacing", "tct/discover"],
}

# Targets that take their settings from the first byte or bytes: their seeds get as many in front.
LED_BY = {"tct_canonical_json_splits": 9, "tct_fingerprint_one_pass": 1, "tct_sitemap": 1, "verify_dns": 1, "verify_well_known": 1}


def inputs(value, name=""):
    """Every text in the input of a case, as bytes."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from inputs(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from inputs(inner, name)
    elif isinstance(value, str):
        try:
            yield base64.b64decode(value) if name.endswith("_b64") else value.encode()
        except ValueError:  # a lone surrogate, on purpose
            pass


def seed(target, max_len):
    """Writes the target's first corpus, of texts of at most max_len bytes; gives the number of files."""
    corpus = FUZZ / "corpus" / target
    corpus.mkdir(parents=True, exist_ok=True)
    written = 0
    for name in SEEDS.get(target, []):
        for case in json.loads((VECTORS / f"{name}.json").read_text())["cases"]:
            for content in inputs(case["in"]):
                content = b"\x01" * LED_BY.get(target, 0) + content
                if len(content) > max_len:
                    continue
                (corpus / hashlib.sha1(content).hexdigest()).write_bytes(content)
                written += 1
    return written


def targets():
    """All targets, in the order of Cargo.toml."""
    return re.findall(r'^path = "fuzz_targets/(\w+)\.rs"', (FUZZ / "Cargo.toml").read_text(), re.MULTILINE)


def build(names, sanitizer):
    """Builds these targets; gives the folder of the programs."""
    host = re.search(r"^host: (\S+)", subprocess.check_output(["rustc", "+nightly", "-vV"], text=True), re.MULTILINE)[1]
    for name in names:
        subprocess.run(["cargo", "+nightly", "fuzz", "build", "-s", sanitizer, name], cwd=FUZZ.parent, check=True)
    return FUZZ / "target" / host / "release"


def run(program, minutes, max_len):
    """One target; gives its executions, the seconds of processor time, and whether it found something."""
    corpus, artifacts = FUZZ / "corpus" / program.name, FUZZ / "artifacts" / program.name
    artifacts.mkdir(parents=True, exist_ok=True)
    command = [program, corpus, f"-artifact_prefix={artifacts}/", f"-max_total_time={max(1, round(minutes * 60))}",
               f"-max_len={max_len}", "-print_final_stats=1", "-timeout=10", "-rss_limit_mb=4096"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=FUZZ.parent, capture_output=True, text=True, errors="replace", check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    executions = re.search(r"stat::number_of_executed_units:\s*(\d+)", done.stderr)
    if done.returncode != 0:
        print(done.stderr[-3000:], file=sys.stderr)
    return int(executions[1]) if executions else 0, processor, done.returncode != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--minutes", type=float, default=10, help="for each target (default: 10)")
    parser.add_argument("--max-len", type=int, default=8192, metavar="BYTES",
                        help="longest input and longest seed (default: 8192)")
    parser.add_argument("--sanitizer", default="none", help="address, leak, thread or none (default)")
    arguments = parser.parse_args()
    known = targets()
    if unknown := [name for name in arguments.targets if name not in known]:
        parser.error(f"no target {unknown[0]}; there are: {', '.join(known)}")
    found = False
    programs = build(arguments.targets or known, arguments.sanitizer)
    print("| target | seeds | minutes | of the processor | executions | a second of it | finds |")
    print("|---|---:|---:|---:|---:|---:|---|", flush=True)
    for target in arguments.targets or known:
        seeds = seed(target, arguments.max_len)
        executions, processor, finds = run(programs / target, arguments.minutes, arguments.max_len)
        found |= finds
        print(f"| `{target}` | {seeds} | {arguments.minutes:g} | {processor / 60:.1f} | {executions:,} "
              f"| {executions / processor:,.0f} | {'yes' if finds else 'none'} |", flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
