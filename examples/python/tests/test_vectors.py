"""All published vectors of what the package offers."""

from __future__ import annotations

import re
import subprocess
import sys

from conftest import ROOT


def test_every_vector_passes() -> None:
    runner, adapter = str(ROOT / "spec-vectors/run.py"), str(ROOT / "examples/python/tests/adapter.py")
    command = [sys.executable, runner, "--count", "all", sys.executable, adapter]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    last = run.stdout.strip().splitlines()[-1]
    counts = re.fullmatch(r"(\d+) passed, 0 failed, \d+ skipped", last)
    assert counts, run.stdout[-4000:] + run.stderr[-2000:]
    assert int(counts[1]) > 1_700
