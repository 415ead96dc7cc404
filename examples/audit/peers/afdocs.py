#!/usr/bin/env python3
"""Runs the npm package `afdocs` and our audit on the same sites, and prints where their verdicts differ.

    cargo build -p audit -p test-sites
    examples/audit/peers/afdocs.py                                   the variants of test-sites
    examples/audit/peers/afdocs.py --ca CERT --at ADDRESS NAME=URL   a site that is served here

Installs `afdocs` into `target/peers` with npm. Both are shown the same pages and certificate, and find the host at a loopback
address; nothing else is asked for.
"""
import argparse, json, os, pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
WORK = ROOT / "target" / "peers"
VARIANTS = ["sound", "plugin", "bare", "soft-not-found", "llmindex-alone", "broken"]
# Node asks this before it connects.
LOOKUP = """
const dns = require('dns'), real = dns.lookup, hosts = JSON.parse(process.env.HOSTS);
dns.lookup = (host, options, done) => {
  if (typeof options === 'function') [options, done] = [{}, options];
  if (!hosts[host]) return real(host, options, done);
  return options && options.all ? done(null, [{ address: hosts[host], family: 4 }]) : done(null, hosts[host], 4);
};
"""


def theirs(url, host, address, certificate, urls):
    lookup = WORK / "lookup.cjs"
    lookup.write_text(LOOKUP)
    environment = {**os.environ, "HOSTS": json.dumps({host: address}), "NODE_EXTRA_CA_CERTS": certificate, "NODE_OPTIONS": f"-r {lookup}"}
    pages = ["--urls", ",".join(urls)] if urls else []
    command = ["node", str(WORK / "node_modules/afdocs/bin/afdocs.mjs"), "check", url, "--format", "json", "--quiet", "--request-delay", "0", *pages]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    found = json.loads(done.stdout[done.stdout.index("{"):])
    return {check["id"]: (check["status"], check.get("message", "")) for check in found["results"]}


def ours(audit, url, host, address, port, certificate, pages):
    command = [audit, url, "--ca", certificate, "--resolve", f"{host}={address}:{port}", "--cooldown", "0", "--profile", "all", "--pages", str(pages), "--json"]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=300).stdout)
    shown = subprocess.run([part for part in command if part != "--json"] + ["--compare", "afdocs"], capture_output=True, text=True, timeout=300).stdout
    verdicts = {}
    for line in shown.splitlines():
        mark, name, row, *detail = re.split(r"\s+", line, maxsplit=3)
        verdicts[name] = (mark.lower(), row, detail[0] if detail else "")
    return verdicts, found["readiness"]["pages"]


def compare(name, url, host, address, port, certificate, options):
    mine, pages = ours(options.audit, url, host, address, port, certificate, options.pages)
    other = theirs(url, host, address, certificate, pages)
    same, rows = 0, []
    for check, (status, message) in other.items():
        verdict, row, detail = mine.get(check, ("none", "", ""))
        # An error of theirs is a check that could not be made.
        status = {"error": "skip"}.get(status, status)
        if verdict == status:
            same += 1
        else:
            rows.append(f"| {name} | {check} | {verdict} ({row}): {detail} | {status}: {message} |".replace("\n", " "))
    print(f"{name}: {same} of {len(other)} the same, {len(pages)} pages", file=sys.stderr)
    return rows


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--audit", default=str(ROOT / "target/debug/audit"))
    options.add_argument("--sites", default=str(ROOT / "target/debug/test-sites"))
    options.add_argument("--pages", type=int, default=10)
    options.add_argument("--ca")
    options.add_argument("--at", default="127.0.0.1")
    options.add_argument("site", nargs="*")
    options = options.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    if not (WORK / "node_modules/afdocs").exists():
        subprocess.run(["npm", "install", "--silent", "--no-save", "--prefix", WORK, "afdocs"], check=True, stderr=subprocess.DEVNULL)
    rows = []
    for site in options.site:
        name, url = site.split("=", 1)
        host = re.sub(r"^https://|[:/].*$", "", url)
        port = (re.search(r":(\d+)", url[8:]) or [None, "443"])[1]
        rows += compare(name, url, host, options.at, port, options.ca, options)
    for index, variant in enumerate([] if options.site else VARIANTS):
        with tempfile.TemporaryDirectory() as folder:
            keys = [f"{folder}/cert.pem", f"{folder}/key.pem"]
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-out", keys[0], "-keyout", keys[1],
                            "-days", "2", "-subj", "/CN=quay.example", "-addext", "subjectAltName=DNS:quay.example", "-addext", "basicConstraints=critical,CA:FALSE"],
                           check=True, stderr=subprocess.DEVNULL)
            port = 9600 + index
            command = [options.sites, "serve", "--variant", variant, "--host", "quay.example", "--port", str(port), "--tls-certificate", keys[0], "--tls-key", keys[1]]
            running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            try:
                running.stdout.readline()
                rows += compare(variant, f"https://quay.example:{port}/", "quay.example", "127.0.0.1", port, keys[0], options)
            finally:
                running.terminate()
                running.wait(10)
    print("| site | check | ours | afdocs |\n|---|---|---|---|")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
