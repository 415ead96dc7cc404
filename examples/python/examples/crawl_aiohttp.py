"""Crawls a site by TCT with aiohttp, several requests at a time: `python crawl_aiohttp.py https://example.com/`."""

import asyncio
import sys
import urllib.parse

import aiohttp

from aiweb import robots, tct


async def body_of(answer: aiohttp.ClientResponse, most: int) -> bytes:
    """The body, or a little more of it than that many bytes: `read(n)` gives what has arrived, which may be less."""
    body = bytearray()
    async for chunk in answer.content.iter_any():
        body += chunk
        if len(body) > most:
            break
    return bytes(body)


async def send(session: aiohttp.ClientSession, request: tct.Request) -> None:
    try:
        async with session.request(request.method, request.url, headers=request.headers, allow_redirects=False) as answer:
            body = await body_of(answer, request.max_bytes)
            request.too_large() if len(body) > request.max_bytes else request.respond(answer.status, list(answer.headers.items()), body)
    except (aiohttp.ClientError, asyncio.TimeoutError):
        request.fail()


async def robots_of(session: aiohttp.ClientSession, start: str) -> robots.Robots:
    try:
        async with session.get(urllib.parse.urljoin(start, "/robots.txt")) as answer:
            return robots.of_response(answer.status, await body_of(answer, 500_000))
    except (aiohttp.ClientError, asyncio.TimeoutError):
        return robots.of_response(0)


async def main(start: str) -> None:
    crawl = tct.Crawl(start, parallel=4, on_page=lambda page: print(page.event, page.key))
    async with aiohttp.ClientSession(headers={"User-Agent": "ExampleBot/1.0 (+https://example.org/bot)"}) as session:
        rules = await robots_of(session, start)
        sending: set[asyncio.Task[None]] = set()
        while (step := crawl.next()) is not None:
            if isinstance(step, tct.Request) and not rules.allowed("ExampleBot", step.url):
                step.withhold()
            elif isinstance(step, tct.Request):
                sending.add(asyncio.create_task(send(session, step)))
            elif sending:
                _, sending = await asyncio.wait(sending, timeout=min(step, 60.0), return_when=asyncio.FIRST_COMPLETED)
            else:
                await asyncio.sleep(step)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
