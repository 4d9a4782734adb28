"""The Khronos glTF validator as a judge of our GLB files: the npm package gltf-validator, run by node."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
JUDGE = Path(__file__).with_name("khronos.cjs")
PACKAGE = ROOT / "node_modules" / "gltf-validator"
ERROR, WARNING = 0, 1  # the validator's severities; 2 are remarks, 3 hints
NODE = shutil.which("node")
WHY = "the glTF validator is not here; install node, then run `make node`"

needs_validator = pytest.mark.skipif(NODE is None or not PACKAGE.is_dir(), reason=WHY)


@dataclass(frozen=True)
class Issue:
    severity: int
    code: str
    message: str
    pointer: str = ""  # where in the document

    def __str__(self) -> str:
        return f"{self.code} at {self.pointer or 'the file'}: {self.message}"


def issues(*files: Path) -> list[list[Issue]]:
    """What the validator says of each file, most severe first; skips where it is not installed."""
    if NODE is None or not PACKAGE.is_dir():
        pytest.skip(WHY)
    run = subprocess.run(
        [NODE, JUDGE, *files], capture_output=True, text=True, timeout=300, cwd=ROOT, check=False
    )
    if run.returncode:
        raise RuntimeError(f"the glTF validator failed: {run.stderr.strip()}")
    return [sorted(map(_issue, found), key=lambda issue: issue.severity) for found in json.loads(run.stdout)]


def _issue(found: dict[str, object]) -> Issue:
    return Issue(**{key: found[key] for key in ("severity", "code", "message", "pointer") if key in found})


def faults(files: Iterable[Path]) -> list[str]:
    """Errors and warnings of many files, one line each."""
    named = list(files)
    return [
        f"{file.name}: {issue}"
        for file, found in zip(named, issues(*named), strict=True)
        for issue in found
        if issue.severity <= WARNING
    ]
