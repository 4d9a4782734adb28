"""Where real captures lie: $FOOTFALL_DATA, else ../shared/data beside the checkout. A user has none."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest

FOLDER = Path(os.environ.get("FOOTFALL_DATA") or Path(__file__).parents[2] / "shared" / "data")
WHY = f"real captures are not here ({FOLDER}); set FOOTFALL_DATA to their folder to run this test"

needs_captures = pytest.mark.skipif(not FOLDER.is_dir(), reason=WHY)


def captures(relative: str) -> Path:
    """A capture file by its path in the folder; skips the test where the folder is absent."""
    if not FOLDER.is_dir():
        pytest.skip(WHY)
    return FOLDER / relative


def motion_files(*suffixes: str) -> list[str]:
    """Relative paths of all capture files with one of the endings; none where the folder is absent."""
    return [row["file"] for row in manifest() if row["file"].endswith(suffixes)]


def manifest() -> list[dict[str, str]]:
    """The rows of MANIFEST.csv: what is known of each file."""
    if not FOLDER.is_dir():
        return []
    with (FOLDER / "MANIFEST.csv").open(newline="") as lines:
        return list(csv.DictReader(lines))
