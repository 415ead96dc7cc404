#!/usr/bin/env python3
"""Readers of robots.txt: `protego`, `robotspy`, `gpyrobotstxt` (PyPI) and Python's own `urllib.robotparser`.

    pip install protego robotspy gpyrobotstxt
    ../../../spec-vectors/run.py --only robots.allowed python3 robots_adapters.py protego
    ../../../spec-vectors/run.py --only robots.allowed python3 robots_adapters.py urllib

All but `gpyrobotstxt` take one agent, so that a case with several is left out, and they say only whether a URL is allowed.
"""
import base64, sys
import urllib.parse
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


def by_robotspy(given):
    import robots

    if len(given["agents"]) != 1:
        return None
    parser = robots.RobotsParser.from_string(text_of(given))
    return {"allowed": parser.can_fetch(given["agents"][0], given["url"])}


def by_gpyrobotstxt(given):
    from gpyrobotstxt.robots_cc import RobotsMatcher

    content = given["robots"].encode() if "robots" in given else base64.b64decode(given["robots_b64"])
    url = urllib.parse.quote(given["url"], safe="%/:=&?~#+!$,;'@()*[]")  # it asks for URLs that are escaped
    return {"allowed": RobotsMatcher().allowed_by_robots(content, given["agents"], url)}


PARSERS = {"urllib": by_urllib, "protego": by_protego, "robotspy": by_robotspy, "gpyrobotstxt": by_gpyrobotstxt}
serve({"robots.allowed": PARSERS[sys.argv[1]]})
