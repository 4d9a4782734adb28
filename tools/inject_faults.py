"""Injects small faults one at a time and counts how many of them the golden motions notice.

    python tools/inject_faults.py --map map.json                    # which request runs which lines: once
    python tools/inject_faults.py --map map.json --faults 40 --seed 1 -o faults.json

A fault is a changed sign, index, threshold or constant, chosen by a seed over the syntax trees of the library
(without its command line, pictures and file formats). Half of them are in compiled functions. Each is put
into a temporary copy of the checkout, in which the requests that run its line are made again, the cheapest
first, until one differs from its record. Lines of compiled code cannot be traced: of these every request
counts that uses their kernel.

A fault in what makes the default models changes their digest: they are built anew, and a few requests of each
are made as well.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = Path("src") / "footfall"
LEFT_OUT = ("cli", "picture", "formats", "errors.py", "version.py", "__init__.py")
LEFT_OUT_FUNCTIONS = ("__repr__", "__str__", "progress", "told")
MODELS = (
    "FOOTFALL_GOLDEN_MODELS"  # the folder of default models that `tests/golden/sources.py` takes them from
)
COMPILED = ("jit", "kernel")  # words in the decorator of a compiled function
LEAST, MOST = 1e-5, 1e5  # constants beyond these are guards against a division by 0 and the like
LARGER = {"constant": 1.1, "threshold": 1.5}  # so much larger it is made
TRACED = 300  # calls of a function whose lines are traced
PROBES = 3  # requests of each default model that are made besides those that run a line
LIMIT = 7200.0  # s that the requests of one fault may take: what takes longer hangs

WORKER = """
import json, sys
sys.path[:0] = [{root!r}, {root!r} + "/src"]
from footfall.geometry import kernel_cache
from tests.golden import record
from tools.compare_motions import compared
kernel_cache.kernel_modules = lambda: ()  # only what is called is compiled
requests, records = record.requests(), record.load_records(record.RECORDED)
for name in json.loads(sys.argv[1]):
    try:
        found = compared(records[name], record.made(requests[name]))
    except Exception as error:
        print(json.dumps([name, "%s: %s" % (type(error).__name__, error)]), flush=True)
        break
    if not found.equal:
        print(json.dumps([name, found.told[0]]), flush=True)
        break
"""

TRACER = """
import json, sys, time
sys.path[:0] = [{root!r}, {root!r} + "/src"]
package, lines, calls = {root!r} + "/src/footfall/", {{}}, {{}}
def trace(frame, event, argument):
    file = frame.f_code.co_filename
    calls[frame.f_code] = calls.get(frame.f_code, 0) + 1
    if not file.startswith(package) or calls[frame.f_code] > {calls}:
        return None
    own = lines.setdefault(file[len(package):], set())
    own.add(frame.f_lineno)
    def local(frame, event, argument):
        own.add(frame.f_lineno)
        return local
    return local
from footfall.geometry import kernel_cache
from tests.golden import record, sources
kernel_cache.kernel_modules = lambda: ()  # nothing is loaded in advance: what is loaded is used
request = record.requests()[sys.argv[1]]
sys.settrace(trace)
frames = "frames" in record.made(request)["discrete"]
sys.settrace(None)
began = time.process_time()
record.made(request)
spent = time.process_time() - began
loaded = (one for own in kernel_cache._REGISTERED.values() for one in own)
used = waiting = [one for one in loaded if one.overloads]
while waiting:  # and what these call
    called = [kernel_cache._digest_alone(one)[1] for one in waiting]
    waiting = [one for own in called for one in own if one not in used]
    used = list(dict.fromkeys(used + waiting))
codes = [getattr(one, "py_func", getattr(one, "_defn", one)).__code__ for one in used]
kernels = sorted({{c.co_filename[len(package):] + ":" + c.co_name for c in codes}})
lines = {{file: sorted(own) for file, own in lines.items()}}
defaults = [name for name in sources.made_models() if name.startswith("default ")]
print(json.dumps({{
    "lines": lines, "kernels": kernels, "seconds": spent, "frames": frames, "defaults": defaults
}}))
"""


@dataclass(frozen=True)
class Fault:
    """One changed expression. Columns count bytes, as syntax trees do."""

    file: str  # below the package
    line: int
    function: str
    kind: str  # sign, index, threshold or constant
    compiled: bool
    before: str
    after: str
    start: tuple[int, int]  # line, column
    end: tuple[int, int]


# candidates


def candidates(root: Path) -> list[Fault]:
    """Every fault there could be in a checkout."""
    found: list[Fault] = []
    package = root / PACKAGE
    for file in sorted(package.rglob("*.py")):
        name = file.relative_to(package).as_posix()
        if not any(name == out or name.startswith(f"{out}/") for out in LEFT_OUT):
            found += _faults_in(name, file.read_text())
    return found


def _faults_in(name: str, text: str) -> Iterator[Fault]:
    lines = text.encode().splitlines(keepends=True)
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, ast.FunctionDef) or function.name in LEFT_OUT_FUNCTIONS:
            continue
        compiled = any(word in ast.unparse(d) for d in function.decorator_list for word in COMPILED)
        for node in _expressions(function):
            for kind, before, after in _changes(node, text):
                start, end = (before.lineno, before.col_offset), (before.end_lineno, before.end_col_offset)
                if end[0] is not None and end[1] is not None:
                    stop = (end[0], end[1])
                    whole = _between(lines, start, stop)
                    yield Fault(name, before.lineno, function.name, kind, compiled, whole, after, start, stop)


def _between(lines: list[bytes], start: tuple[int, int], end: tuple[int, int]) -> str:
    """What `ast.get_source_segment` gives; that splits the whole text anew each time."""
    rows = lines[start[0] - 1 : end[0]]
    rows[-1] = rows[-1][: end[1]]
    rows[0] = rows[0][start[1] :]
    return b"".join(rows).decode()


def _expressions(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The expressions of a function's own body, without what is only said or annotated."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.FunctionDef | ast.Raise | ast.Assert | ast.JoinedStr | ast.ClassDef):
            continue
        yield node
        skipped = node.annotation if isinstance(node, ast.AnnAssign) else None
        waiting += [child for child in ast.iter_child_nodes(node) if child is not skipped]


def _changes(node: ast.AST, text: str) -> Iterator[tuple[str, ast.expr, str]]:
    """What can be changed at a node: the kind, what is replaced, and by what."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        if not any(isinstance(side, ast.Constant | ast.List | ast.Tuple) for side in (node.left, node.right)):
            other = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
            yield "sign", node, f"({ast.unparse(ast.BinOp(node.left, other, node.right))})"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        if not isinstance(node.operand, ast.Constant):
            yield "sign", node, f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        last = node.slice.elts[-1] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
        if isinstance(last, ast.Constant) and type(last.value) is int and 0 <= last.value <= 2:
            yield "index", last, str((last.value + 1) % 3 if last.value else 1)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Lt | ast.Gt):
        bound = node.comparators[0]
        if _is_threshold(bound):
            yield "threshold", bound, f"({LARGER['threshold']} * {ast.unparse(bound)})"
    elif isinstance(node, ast.Constant) and type(node.value) is float and LEAST <= abs(node.value) <= MOST:
        yield "constant", node, repr(round(node.value * LARGER["constant"], 12))


def _is_threshold(bound: ast.expr) -> bool:
    """A named constant, or a number that is not 0."""
    if isinstance(bound, ast.Constant):
        return type(bound.value) is float and LEAST <= abs(bound.value) <= MOST
    return isinstance(bound, ast.Name) and bound.id.isupper()


# which requests run which lines


def make_map(root: Path, names: Sequence[str], file: Path) -> dict[str, Any]:
    """By request: the lines it runs, the kernels it uses, and how long it takes once all is loaded."""
    found = json.loads(file.read_text()) if file.exists() else {}
    for name in names:
        if name in found:
            continue
        tracer = TRACER.format(root=str(root), calls=TRACED)
        done = subprocess.run([sys.executable, "-c", tracer, name], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{name}: {done.stderr[-2000:]}")
        found[name] = json.loads(done.stdout.splitlines()[-1])
        file.write_text(json.dumps(found))
        print(f"{found[name]['seconds']:6.2f} s  {name}", file=sys.stderr, flush=True)
    known = {name: found[name] for name in names}
    for run in known.values():
        run["lines"] = {file: set(own) for file, own in run["lines"].items()}
    return known


def covering(fault: Fault, runs: Mapping[str, Any]) -> list[str]:
    """The requests that run a fault's line: those without a default model first, then the cheapest."""
    if fault.compiled:
        kernel = f"{fault.file}:{fault.function}"
        names = [name for name, run in runs.items() if kernel in run["kernels"]]
    else:
        names = [name for name, run in runs.items() if fault.line in run["lines"].get(fault.file, ())]
    return sorted(names, key=lambda name: (bool(runs[name]["defaults"]), runs[name]["seconds"]))


def probes(runs: Mapping[str, Any]) -> list[str]:
    """A few requests of each default model, the cheapest: they show whether one of these is another."""
    found: dict[str, None] = {}
    for model in sorted({model for run in runs.values() for model in run["defaults"]}):
        own = [name for name, run in runs.items() if model in run["defaults"] and run["frames"]]
        found |= dict.fromkeys(sorted(own, key=lambda name: runs[name]["seconds"])[:PROBES])
    return list(found)


# one fault


def inject(fault: Fault, root: Path) -> None:
    """Puts a fault into a copy of the checkout."""
    file = root / PACKAGE / fault.file
    lines = file.read_bytes().splitlines(keepends=True)
    (first, begin), (last, end) = fault.start, fault.end
    before, after = lines[first - 1][:begin], lines[last - 1][end:]
    lines[first - 1 : last] = [before + fault.after.encode() + after]
    file.write_bytes(b"".join(lines))


def try_fault(fault: Fault, names: Sequence[str], copy: Path) -> dict[str, Any]:
    """Makes requests again with a fault in a copy; which of them noticed it, and how."""
    file = copy / PACKAGE / fault.file
    stamp, began = file.stat(), time.monotonic()
    inject(fault, copy)
    environment = os.environ | {"FOOTFALL_CACHE": str(copy.parent / "cache")}
    try:
        done = subprocess.run(
            [sys.executable, "-c", WORKER.format(root=str(copy)), json.dumps(names)],
            capture_output=True,
            text=True,
            timeout=LIMIT,
            env=environment,
        )
        told = done.stdout.splitlines()
        by, how = json.loads(told[-1]) if told else ("", "")
        if done.returncode and not by:  # it does not even start
            by, how = "all", done.stderr.strip().splitlines()[-1] if done.stderr else "no start"
    except subprocess.TimeoutExpired:
        by, how = "all", f"more than {LIMIT:g} s"
    finally:
        shutil.copy2(ROOT / PACKAGE / fault.file, file)
        os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    noticed = {"noticed": bool(by), "by": by, "how": how, "tried": len(names)}
    return asdict(fault) | noticed | {"seconds": round(time.monotonic() - began, 1)}


def copied(folder: Path) -> Path:
    """A copy of the checkout, and beside it one of the cache: what is made with faults stays there."""
    from footfall.cache import cache_folder

    copy, cache = folder / "checkout", cache_folder()
    for part in ("src", "tests", "tools"):
        shutil.copytree(ROOT / part, copy / part)
    if cache is not None and cache.is_dir():
        shutil.copytree(
            cache, folder / "cache", ignore=shutil.ignore_patterns("tests", "*.lock", "*.partial")
        )
    return copy


def drawn(faults: Sequence[Fault], count: int, seed: int) -> list[Fault]:
    """Half of them compiled, as many of each kind as there can be, no two in one line."""
    chosen: list[Fault] = []
    chance = random.Random(seed)
    for compiled in (False, True):
        kinds: dict[str, list[Fault]] = {}
        for fault in faults:
            if fault.compiled == compiled:
                kinds.setdefault(fault.kind, []).append(fault)
        for own in kinds.values():
            chance.shuffle(own)
        wanted = count // 2 if compiled else count - count // 2
        taken: set[tuple[str, int]] = set()
        while len(taken) < wanted and any(kinds.values()):
            for kind in sorted(kinds):
                while kinds[kind] and len(taken) < wanted:
                    fault = kinds[kind].pop()
                    if (fault.file, fault.line) not in taken:
                        taken.add((fault.file, fault.line))
                        chosen.append(fault)
                        break
    return chosen


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Counts how many small faults the golden motions notice.")
    parser.add_argument("--map", type=Path, required=True, help="which request runs which lines")
    parser.add_argument("--faults", type=int, default=0, help="how many to inject")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "-o", "--out", type=Path, help="where to tell of each; it is gone on with if it exists"
    )
    asked = parser.parse_args(arguments)
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]
    from tests.golden import record, sources

    os.environ["FOOTFALL_DATA"] = str(sources.FOLDER)  # copies are elsewhere
    known = [
        name
        for name, request in record.requests().items()
        if sources.FOLDER.is_dir() or not sources.needs_captures(request)
    ]
    runs = make_map(ROOT, known, asked.map)
    every = candidates(ROOT)
    run = [fault for fault in every if covering(fault, runs)]
    for compiled in (False, True):
        own = [f for f in every if f.compiled == compiled]
        share = len([f for f in run if f.compiled == compiled]) / max(len(own), 1)
        print(f"{'compiled' if compiled else 'plain'}: {len(own)} places, {100 * share:.0f} % are run")
    if not asked.faults:
        return 0
    results = json.loads(asked.out.read_text()) if asked.out is not None and asked.out.exists() else []
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(Path(folder))
        for k, fault in enumerate(drawn(run, asked.faults, asked.seed)):
            if k < len(results):
                continue
            names = list(dict.fromkeys((*covering(fault, runs), *probes(runs))))
            results.append(try_fault(fault, names, copy))
            _print_result(k, results[-1])
            if asked.out is not None:
                asked.out.write_text(json.dumps(results, indent=1))
    for word, compiled in (("plain", False), ("compiled", True)):
        own = [row["noticed"] for row in results if row["compiled"] == compiled]
        print(f"{word}: {sum(own)} of {len(own)} noticed")
    return 0


def _print_result(k: int, row: Mapping[str, Any]) -> None:
    word = "noticed" if row["noticed"] else "MISSED "
    print(
        f"{k + 1:3} {word} {row['file']}:{row['line']} {row['kind']}: {row['before']} -> {row['after']}  "
        f"[{row['by']}: {row['how'][:100]}] {row['seconds']} s",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
