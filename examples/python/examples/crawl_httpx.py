"""Crawls a site by TCT with httpx: `python crawl_httpx.py https://example.com/`. Run it twice."""

import pathlib
import sys
import urllib.parse

import httpx

from aiweb import robots, tct

AGENT = "ExampleBot/1.0 (+https://example.org/bot)"


def main(start: str, store: pathlib.Path) -> None:
    session = httpx.Client(timeout=30)
    session.headers["User-Agent"] = AGENT
    try:
        answer = session.get(urllib.parse.urljoin(start, "/robots.txt"), follow_redirects=True)
        rules = robots.of_response(answer.status_code, answer.content)
    except httpx.HTTPError:
        rules = robots.of_response(0)
    crawl = tct.Crawl(start, state=store.read_text() if store.exists() else None, on_page=lambda page: print(page.event, page.key))
    asked = 0
    for request in crawl:
        if not rules.allowed("ExampleBot", request.url):
            request.withhold()
            continue
        asked += 1
        try:
            answer = session.request(request.method, request.url, headers=request.headers)
        except httpx.HTTPError:
            request.fail()
        else:
            request.respond(answer.status_code, answer.headers.multi_items(), answer.content)
        store.write_text(crawl.state())  # killed at any time, nothing is lost
    store.write_text(crawl.state())
    print(len(crawl.keys()), "pages,", asked, "requests")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "crawl.json"))
