#!/usr/bin/env python3
"""Two readers of robots.txt: Scrapy's `protego` (PyPI) and Python's own `urllib.robotparser`.

    pip install protego
    ../../../spec-vectors/run.py --only robots.allowed python3 robots_adapters.py protego
    ../../../spec-vectors/run.py --only robots.allowed python3 robots_adapters.py urllib

Both take one agent, so that a case with several is left out, and they say only whether a URL is allowed.
"""
import base64, sys
import urllib.robotparser

from line_protocol import serve


def text_of(given):
    if "robots" in given:
        return given["robots"]
    return base64.b64decode(given["robots_b64"]).decode("utf-8", "replace")


def by_urllib(given):
    if len(given["agents"]) != 1:
        return None
    parser = urllib.robotparser.RobotFileParser()
    parser.parse(text_of(given).splitlines())
    return {"allowed": parser.can_fetch(given["agents"][0], given["url"])}


def by_protego(given):
    from protego import Protego

    if len(given["agents"]) != 1:
        return None
    return {"allowed": Protego.parse(text_of(given)).can_fetch(given["url"], given["agents"][0])}


serve({"robots.allowed": by_urllib if sys.argv[1:] == ["urllib"] else by_protego})
