"""Writes the golden records of this checkout to a file.

    python tests/golden/record.py                # tests/golden/recorded.json, anew
    python tests/golden/record.py motions.json   # another file, to be compared with another checkout's
    python tests/golden/record.py motions.json --only stairs --only "grasp of a box"

The library that is asked is this checkout's, whichever is installed. `--only` takes names of requests or
parts of them. What is in the file of requests that are not made anew stays. `tools/compare_motions.py`
compares two files.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.golden import adapters, sources  # noqa: E402
from tests.golden.facts import INSTANTS, record_of  # noqa: E402

REQUESTS = Path(__file__).parent / "requests"
RECORDED = Path(__file__).parent / "recorded.json"


def requests() -> dict[str, dict[str, Any]]:
    """All requests by name, in the order of their files."""
    found: dict[str, dict[str, Any]] = {}
    for file in sorted(REQUESTS.glob("*.json")):
        for request in json.loads(file.read_text()):
            if request["name"] in found:
                raise ValueError(f"{file}: the name {request['name']!r} is given twice")
            found[request["name"]] = request
    return found


def made(request: Mapping[str, Any]) -> dict[str, Any]:
    """The record of a request, made now."""
    return record_of(adapters.run(request), request.get("instants", INSTANTS))


def load_records(file: Path) -> dict[str, dict[str, Any]]:
    """Records by the name of their request."""
    return json.loads(file.read_text())


def save_records(records: Mapping[str, Mapping[str, Any]], file: Path) -> None:
    """Writes records, one line each, so that a difference shows which motions changed."""
    lines = [f"{json.dumps(name)}: {json.dumps(row, separators=(',', ':'))}" for name, row in records.items()]
    partial = file.with_suffix(f".{os.getpid()}.partial")
    partial.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    partial.replace(file)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Writes the golden records of this checkout to a file.")
    parser.add_argument("out", nargs="?", type=Path, default=RECORDED)
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="part of a request's name"
    )
    parser.add_argument("--times", action="store_true", help="say how long each request takes")
    asked = parser.parse_args(arguments)
    known = requests()
    chosen = {n: r for n, r in known.items() if not asked.only or any(part in n for part in asked.only)}
    if not chosen:
        parser.error(f"no request's name has {' or '.join(asked.only)} in it")
    fresh, skipped = {}, []
    for name, request in chosen.items():
        if sources.needs_captures(request) and not sources.FOLDER.is_dir():
            skipped.append(name)
            continue
        began = time.process_time()
        fresh[name] = made(request)
        if asked.times:
            print(f"{time.process_time() - began:7.2f} s  {name}", file=sys.stderr, flush=True)
    kept = load_records(asked.out) if (asked.only or skipped) and asked.out.exists() else {}
    records = kept | fresh
    save_records({name: records[name] for name in known if name in records}, asked.out)
    print(f"{asked.out}: {len(fresh)} motions recorded", file=sys.stderr)
    if skipped:
        print(f"left out, as captures are not in {sources.FOLDER}: {', '.join(skipped)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
