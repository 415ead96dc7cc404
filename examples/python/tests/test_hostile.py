"""What a Python program can do to an extension module: nothing crashes, and exceptions are clear."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import aiweb
from aiweb import llmindex, robots, tct

WRONG: list[Any] = [None, True, 0, -1, 2**70, 1.5, float("nan"), [], {}, (), object(), type, lambda: 0, "", b"", "\ud800", "\0", b"\xff\xfe\0"]
CALLS: list[Callable[..., Any]] = [
    aiweb.extract,
    aiweb.markdown,
    aiweb.fingerprint,
    aiweb.normalize,
    aiweb.canonicalize,
    aiweb.dumps,
    aiweb.is_canonical,
    aiweb.first_difference,
    aiweb.Document.from_json,
    aiweb.Document.check,
    aiweb.Fingerprinter().update,
    aiweb.thumbprint,
    robots.parse,
    llmindex.validate,
    llmindex.validate_product,
    tct.Crawl,
    lambda value: aiweb.extract("<p>x", value),
    lambda value: aiweb.extract("<p>x", keep=value, max_words=value, focus=value),
    lambda value: list(aiweb.extract_many(value)),
    lambda value: list(aiweb.extract_many([value])),
    lambda value: next(aiweb.extract_many(["<p>"], workers=value)) if not isinstance(value, int) or value < 64 else None,
    lambda value: aiweb.document(value, value),
    lambda value: aiweb.sign(value, value),
    lambda value: aiweb.verify(value, value),
    lambda value: aiweb.sign_request(value, value, key=value, agent=value),
    lambda value: aiweb.identify("GET", "https://e.example/", value, fetch=value),
    lambda value: robots.parse("User-agent: a\nDisallow: /").allowed(value, value),
    lambda value: tct.Crawl("https://e.example/", state=value),
    lambda value: list(llmindex.feed(value)),
]


@pytest.mark.parametrize("call", range(len(CALLS)))
def test_any_value_is_taken_or_refused(call: int) -> None:
    for value in WRONG:
        try:
            CALLS[call](value)
        except (aiweb.AiwebError, TypeError, ValueError, OverflowError, AttributeError):
            pass  # ValueError has UnicodeEncodeError for lone surrogates; AttributeError is a file without `read`


def test_pages_larger_than_most() -> None:
    page = "<p>tea " * 100_000
    assert aiweb.extract(page).text
    deep = "<div>" * 50_000
    assert aiweb.extract(deep + "x") is not None
    with pytest.raises(aiweb.JsonError):
        aiweb.canonicalize("[" * 1_000_000)
    with pytest.raises((aiweb.JsonError, RecursionError)):
        nested: list[Any] = []
        for _ in range(100_000):
            nested = [nested]
        aiweb.dumps(nested)


def test_threads_share_everything() -> None:
    content = aiweb.extract("<title>Tea</title><p>Green, black, white.")
    file = robots.parse("User-agent: *\nDisallow: /a")
    found: list[Any] = []

    def work() -> None:
        for _ in range(50):
            assert content.to_dict()["title"] == "Tea" and not file.allowed("x", "/a")
            found.append(aiweb.fingerprint("tea " * 2000))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 400 and len(set(found)) == 1


def test_one_object_in_two_threads_is_an_error_and_no_crash() -> None:
    hasher = aiweb.Fingerprinter()
    told: list[BaseException] = []

    def work() -> None:
        for _ in range(200):
            try:
                hasher.update("x" * 100_000)
            except RuntimeError as error:  # it is borrowed by the other thread
                told.append(error)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(hasher.hexdigest()) == 64


def test_other_threads_run_during_long_work() -> None:
    page = "<p>" + "tea and more tea " * 400_000
    done = threading.Event()
    ticks = 0

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    aiweb.extract(page)
    done.set()
    thread.join()
    assert ticks > 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_child_process_extracts_too() -> None:
    code = """if True:
        import os, aiweb
        pages = aiweb.extract_many(["<p>one"] * 100)
        assert next(pages).text == "one"
        child = os.fork()
        if child == 0:
            ok = aiweb.extract("<p>two").text == "two"
            ok = ok and [p.text for p in aiweb.extract_many(["<p>three"] * 40)] == ["three"] * 40
            try:
                list(pages)
            except RuntimeError as error:
                ok = ok and "fork" in str(error)
            else:
                ok = False
            os._exit(0 if ok else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert len(list(pages)) == 99
    """
    assert subprocess.run([sys.executable, "-W", "ignore", "-c", code], timeout=60).returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
def test_control_c_ends_long_work() -> None:
    code = """if True:
        import aiweb, itertools, signal
        # A shell's background jobs, and so some runners of tests, ignore it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        print("ready", flush=True)
        for page in aiweb.extract_many(itertools.repeat("<p>tea " * 2000)):
            pass
    """
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert b"KeyboardInterrupt" in errors


def test_objects_outlive_what_they_were_made_of() -> None:
    def pages() -> Iterator[bytes]:
        for n in range(100):
            yield b"<p>page %d" % n

    found = aiweb.extract_many(pages())
    first = next(found)
    del found
    gc.collect()
    assert first.text == "page 0"
    buffer = bytearray(b"<p>tea")
    content = aiweb.extract(memoryview(buffer)[:])
    buffer[:] = b"xxxxxx"
    assert content.text == "tea"


def test_subinterpreters_are_refused_or_work() -> None:
    interpreters = pytest.importorskip("_xxsubinterpreters")
    inner = interpreters.create()
    try:
        interpreters.run_string(inner, "try:\n    import aiweb\n    aiweb.fingerprint('x')\nexcept ImportError:\n    pass")
    finally:
        interpreters.destroy(inner)
