"""What the tests share."""

from __future__ import annotations

import pathlib

#: of the workspace
ROOT = pathlib.Path(__file__).resolve().parents[3]
