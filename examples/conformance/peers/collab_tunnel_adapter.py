#!/usr/bin/env python3
"""The TCT draft's reference client (PyPI: collab-tunnel), its normaliser and its crawler's decisions.

    pip install collab-tunnel
    ../../../spec-vectors/run.py --only tct. python3 collab_tunnel_adapter.py
"""
import base64, hashlib, json

from collab_tunnel.crawler import CollabTunnelCrawler
from collab_tunnel.sitemap import SitemapParser
from collab_tunnel.vectors import normalize_minimal
from line_protocol import serve


def normalize(given):
    return {"text": normalize_minimal(given["text"])}


def fingerprint(given):
    return {"hash": "sha256-" + hashlib.sha256(normalize_minimal(given["text"]).encode("utf-8")).hexdigest()}


def plan(given):
    """What the crawler would do with each item of a sitemap. It reads an item's hash as `etag`, the name of draft -01."""
    sitemap = json.loads(base64.b64decode(given["sitemap_b64"]))
    for item in sitemap["items"]:
        if isinstance(item, dict) and "etag" not in item:
            item["etag"] = item.get("contentHash")
    crawler = CollabTunnelCrawler()
    crawler.cache = {url: {"etag": tag} for url, tag in given["cache"].items()}
    actions = []
    for item in SitemapParser(sitemap).items:
        held = crawler.cache.get(item["mUrl"])
        action = "skip" if not crawler.should_fetch(item) else "revalidate" if held else "fetch"
        asked = f'"{held["etag"]}"' if action == "revalidate" else None
        actions.append({"mUrl": item["mUrl"], "action": action, "if_none_match": asked})
    return {"actions": actions}


serve({"tct.normalize": normalize, "tct.fingerprint": fingerprint, "tct.plan": plan})
