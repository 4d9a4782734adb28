"""`footfall bench`: the benchmarks of a source checkout, each beside its peers in one run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from footfall.cli.output import emit, remark
from footfall.errors import RequestError

FOLDER = Path(__file__).parents[3] / "benchmarks"


def bench(
    names: Annotated[list[str], Parameter(negative="", help="Which benchmarks; all by default.")] = (),  # type: ignore[assignment]
    /,
    *,
    json: Annotated[bool, Parameter(negative="", help="One JSON object.")] = False,
) -> int:
    """Runs benchmarks: tables of the papers and of peers, measured side by side.

    Example: footfall bench formats analysis
    """
    known = available()
    chosen = list(names) or sorted(known)
    unknown = [name for name in chosen if name not in known]
    if unknown:
        raise RequestError(f"benchmark {unknown[0]!r} is unknown; there are {', '.join(sorted(known))}")
    results = []
    for name in chosen:
        remark(f"running {name}")
        done = subprocess.run(
            [sys.executable, str(known[name]), *(["--json"] if json else [])],
            stdout=subprocess.PIPE if json else None,
            check=False,
        )
        values = _values(name, done.stdout) if json else None
        results.append({"name": name, "met": done.returncode == 0, "values": values})
    summary = [f"{r['name']}: {'bars met' if r['met'] else 'a bar is missed'}" for r in results]
    emit({"results": results}, json=json, text=lambda: summary)
    return 0 if all(r["met"] for r in results) else 1


def _values(name: str, printed: bytes) -> object:
    """What a benchmark printed as JSON; None where it printed nothing, or something else, which is said."""
    if not printed.strip():
        return None
    try:
        return msgspec.json.decode(printed)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        remark(f"{name}: its output is no JSON ({error})")
        return None


def available() -> dict[str, Path]:
    """Benchmark scripts by name; they come with the source, not with the installed package."""
    if not FOLDER.is_dir():
        raise RequestError("benchmarks come with a source checkout, not with the installed package")
    scripts = [path for path in FOLDER.glob("*.py") if "__main__" in path.read_text(encoding="utf-8")]
    return {path.stem: path for path in scripts}
