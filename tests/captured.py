"""Captures loaded once at their true frame rates, and what the captures' README says about them."""

from __future__ import annotations

from functools import cache

from footfall.figure.motion import Motion
from footfall.formats.assemble import Capture
from footfall.formats.load import load_capture
from tests.captures import captures, manifest

ROWS = {row["file"]: row for row in manifest()}


def clips(*folders: str) -> list[str]:
    """Captured clips with a step count, by folder; none where the captures are absent."""
    return [file for file, row in ROWS.items() if row["steps"] and file.split("/")[0] in folders]


@cache
def capture(file: str) -> Capture:
    return load_capture(captures(file), fps=float(ROWS[file]["fps_true"]) if file in ROWS else None)


def captured(file: str) -> Motion:
    return capture(file).motion


def readme_table(folder: str) -> dict[str, list[str]]:
    """The rows of a folder's table in README.md: file name to its cells."""
    section = captures("README.md").read_text().split(f"## {folder}/")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines()]
    return {row[0]: row for row in rows if len(row) > 2 and "." in row[0]}
