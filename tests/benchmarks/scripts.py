"""Modules of benchmarks/, which import each other as scripts do."""

from __future__ import annotations

import importlib
import sys
from functools import cache
from pathlib import Path
from types import ModuleType


@cache
def script(name: str) -> ModuleType:
    """A module of benchmarks/ by its name."""
    folder = str(Path(__file__).parents[2] / "benchmarks")
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(name)
