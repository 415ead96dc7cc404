#!/usr/bin/env python3
"""`aiweb mcp` by the Python SDK, over standard input and output and over HTTP: client.py AIWEB

The server reads the site of `aiweb serve`, which this script starts on a free port, and is killed once, to show that nothing
that was read is lost. The SDK checks each structured answer against the tool's output schema."""

import asyncio
import contextlib
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextlib.contextmanager
def started(command, url):
    """A program that serves this URL; it ends with the block."""
    program = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            try:
                urllib.request.urlopen(url, timeout=1)
            except urllib.error.HTTPError:
                break
            except OSError:
                time.sleep(0.05)
            else:
                break
        else:
            raise SystemExit(f"client.py: {command} does not answer")
        yield program
    finally:
        program.terminate()
        program.wait()


def text_of(result):
    return result.content[0].text


async def session(client, site):
    """What a client does, whatever the transport."""
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == ["read", "outline", "search_in", "site", "changed_since", "may"], tools
    assert all(tool.annotations.read_only_hint and tool.output_schema for tool in tools)

    told = []

    async def progress(done, total, message):
        told.append(message)

    answer = await client.call_tool("site", {"url": site}, progress_callback=progress)
    assert answer.structured_content["pages_listed"] == 44, answer
    assert any(line and "GET" in line for line in told), told
    page = site + "bridge.html"
    answer = await client.call_tool("read", {"url": page})
    assert answer.structured_content["source"] == "twin", answer
    assert "hums" in text_of(answer)
    again = await client.call_tool("read", {"url": page})
    assert again.structured_content["cost"]["requests"] == 0, again
    found = await client.call_tool("search_in", {"url": site + "tide-tables.html", "words": "moon"})
    assert found.structured_content["hits"], found
    section = await client.call_tool("read", {"url": site + "tide-tables.html", "section": "springs-and-neaps"})
    assert "neaps" in section.structured_content["markdown"], section
    changed = await client.call_tool("changed_since", {"url": site, "time": "2000-01-01"})
    assert changed.structured_content["changed_total"] == 44, changed
    may = await client.call_tool("may", {"url": page, "purpose": "ai-train"})
    assert may.structured_content["verdict"] == "deny", may

    refused = await client.call_tool("read", {"url": site + "drafts/x.html"})
    assert refused.is_error and "robots.txt" in text_of(refused), refused
    private = await client.call_tool("read", {"url": "http://10.0.0.1/"})
    assert private.is_error and "private network" in text_of(private), private
    try:
        await client.call_tool("fetch", {"url": site})
        raise SystemExit("client.py: a tool that is not there answered")
    except MCPError as error:
        assert "no tool" in str(error), error

    resource = (await client.list_resources()).resources[0]
    contents = (await client.read_resource(resource.uri)).contents[0]
    assert "\nDATA " in contents.text, contents
    prompt = (await client.list_prompts()).prompts[0]
    got = await client.get_prompt(prompt.name, {"url": site, "question": "Why?"})
    assert "Why?" in got.messages[0].content.text, got


def children(pid):
    """The processes that this one started."""
    found = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in found.read_text().split()] if found.exists() else []


async def run(aiweb, folder):
    port = free_port()
    site = f"http://127.0.0.1:{port}/"
    host = f"127.0.0.1:{port}"
    store = os.path.join(folder, "store.redb")
    with started([aiweb, "serve", "--plain", "--port", str(port)], site):
        command = ["mcp", "--private", host, "--store", store]
        server = StdioServerParameters(command=aiweb, args=command)
        for mode in ("legacy", "auto"):
            with contextlib.suppress(FileNotFoundError):
                os.remove(store)
            async with Client(server, mode=mode) as client:
                await session(client, site)
            print(f"client.py: stdio, {mode}: agrees")

        # Killed in the middle of a session, the next one finds what was read.
        killed = False
        try:
            async with Client(server) as client:
                await client.call_tool("read", {"url": site + "kite.html"})
                for child in children(os.getpid()):
                    line = pathlib.Path(f"/proc/{child}/cmdline").read_bytes()
                    if store.encode() in line:
                        os.kill(child, signal.SIGKILL)
                        killed = True
        except Exception as error:  # the SDK tells a broken pipe in several ways
            assert killed, error
        if killed:
            async with Client(server) as client:
                answer = await client.call_tool("read", {"url": site + "kite.html"})
                assert answer.structured_content["cost"]["requests"] == 0, answer
            print("client.py: killed, and nothing is lost")
        else:
            print("client.py: skipped, this system does not tell which processes run")

        http = free_port()
        command = [aiweb, "mcp", "--private", host, "--store", os.path.join(folder, "http.redb"), "--http", f"127.0.0.1:{http}"]
        with started(command, f"http://127.0.0.1:{http}/"):
            for mode in ("legacy", "auto"):
                async with Client(f"http://127.0.0.1:{http}/mcp", mode=mode) as client:
                    if mode == "legacy":
                        await session(client, site)
                    else:
                        answer = await client.call_tool("read", {"url": site + "bridge.html"})
                        assert answer.structured_content["cost"]["requests"] == 0, answer
                print(f"client.py: HTTP, {mode}: agrees")


def main():
    [aiweb] = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(os.path.abspath(aiweb), folder))


if __name__ == "__main__":
    main()
