"""Rows of figures as a table for people, or as one JSON object."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
from movements import Row


def show(rows: Sequence[Row], *, machine: bool) -> int:
    """Prints them; the exit status, which is 1 where a bar is missed."""
    missed = [row for row in rows if not row.met]
    if machine:
        print(json.dumps({"rows": [told(row) for row in rows]}))
        return 1 if missed else 0
    print("| figure | here | unit | bar | paper |\n|---|---|---|---|---|")
    for row in rows:
        mark = "" if row.met else " **missed**"
        print(f"| {row.name} | {row.figure:,.4g} | {row.unit} | {row.bar}{mark} | {row.paper} |")
    print("\nBARS ARE MISSED" if missed else "\nall bars are met")
    return 1 if missed else 0


def told(row: Row) -> dict[str, object]:
    """For machines; a figure that is not known is null."""
    return asdict(row) | {"figure": row.figure if np.isfinite(row.figure) else None, "met": row.met}
