"""Run a short part of the tests with the oldest versions that pyproject.toml states, and with the newest.

    python tools/environments.py
    python tools/environments.py --only minimum --python /path/to/python3.11

Each environment is made anew in a temporary folder:

- minimum: the oldest Python and exactly the versions stated, such as numpy 1.26.0 for `numpy>=1.26`.
- newest: the newest Python that is found and whatever the package index gives it.

Default models are built in each; compiled kernels are kept in the user's cache folder, under the versions
they were made with. What cannot be had here is skipped with a sentence.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

from cpu_profiles import share_kernels

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = ("plot", "mesh", "study")
RUNNERS = ("pytest", "pytest-xdist", "hypothesis")  # of the extra `dev`: what runs these tests
NEWER = 8  # minor versions of Python after the oldest that are looked for
TESTS = (
    "tests/test_public.py",
    "tests/test_cache.py",
    "tests/test_source_digest.py",
    "tests/geometry/test_kernel_cache.py",
    "tests/formats/test_save.py",
    "tests/formats/test_round_trips.py",
    "tests/formats/test_terrain_file.py",
    "tests/cli/test_cli.py::TestEveryCommand",
    "tests/benchmarks/test_naturalness.py",
)
COMMANDS = (
    "edit actor:walk --stairs 0.17x0.29 -o stairs.glb",
    "render stairs.glb -o stairs.png",
    "score stairs.glb",
)
LISTED = "import importlib.metadata as m, sys; print(*(f'{n}=={m.version(n)}' for n in sys.argv[1:]))"


class NotHad(Exception):
    """What this machine or its package index does not have, in a sentence."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=["minimum", "newest"], help="one of the two")
    parser.add_argument("--python", nargs="+", default=[], metavar="PATH", help="else those on PATH")
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    found = pythons(asked.python)
    rows = []
    for name in [asked.only] if asked.only else ["minimum", "newest"]:
        begin = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix="footfall-") as folder:
            try:
                outcome = run(name, found, Path(folder), asked.processes)
            except NotHad as why:
                outcome = f"skipped: {why}"
            except subprocess.CalledProcessError as failed:  # versions that cannot be installed together, say
                last = (failed.stderr.strip().splitlines() or ["nothing was said"])[-1]
                outcome = f"failed: {' '.join(map(str, failed.cmd[1:5]))}: {last}"
        rows.append(f"{name:8} {time.perf_counter() - begin:6.0f} s  {outcome}")
        print(rows[-1], flush=True)
    print("", *rows, sep="\n")
    return 1 if any("failed" in row for row in rows) else 0


def run(name: str, found: dict[tuple[int, int], str], folder: Path, processes: int) -> str:
    """Make an environment, run commands and tests in it, and say how they ended."""
    python = minimum(found, folder) if name == "minimum" else newest(found, folder)
    versions = said([python, "-c", LISTED, *(name_of(one) for one in stated())])
    print(f"{name}: {said([python, '--version'])}, {versions}", flush=True)
    wrong = set(exact()) - set(versions_padded(versions)) if name == "minimum" else set()
    if wrong:
        return f"failed: not in effect: {', '.join(sorted(wrong))}"
    cache = folder / "cache"
    share_kernels(cache)
    environment = {**os.environ, "FOOTFALL_CACHE": str(cache)}
    environment.pop("PYTHONPATH", None)  # the environment's own packages
    for command in COMMANDS:
        words = [python, "-m", "footfall", *shlex.split(command)]
        done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
        if done.returncode:
            print(done.stdout, done.stderr, flush=True)
            return f"failed: footfall {command}"
    tests = [python, "-m", "pytest", "-q", "-n", str(processes), "--dist", "loadgroup", *TESTS, *goldens()]
    done = subprocess.run(tests, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    closing = done.stdout.strip().splitlines()[-1:] or ["nothing was printed"]
    if done.returncode:
        print(done.stdout[-12000:], flush=True)
        return f"failed: {closing[0]}"
    return closing[0]


# environments


def minimum(found: dict[tuple[int, int], str], folder: Path) -> str:
    """The oldest Python with exactly the versions stated."""
    if oldest() not in found:
        raise NotHad(f"there is no Python {'.'.join(map(str, oldest()))} with venv here")
    return installed(found[oldest()], folder / "minimum", exact())


def newest(found: dict[tuple[int, int], str], folder: Path) -> str:
    """The newest Python for which the package index has all that is needed."""
    for version in sorted(found, reverse=True):
        try:
            return installed(found[version], folder / f"newest{version[1]}", [])
        except subprocess.CalledProcessError as failed:
            print(f"newest: Python {version[0]}.{version[1]} is left out: {failed.stderr[-300:]}", flush=True)
            last = failed
    if found:
        raise last
    raise NotHad("there is no Python here")


def installed(python: str, folder: Path, constraints: list[str]) -> str:
    """Make an environment and return its interpreter."""
    said([python, "-m", "venv", str(folder)])
    own = str(folder / ("Scripts" if sys.platform == "win32" else "bin") / "python")
    listed = folder / "constraints.txt"
    listed.write_text("\n".join(constraints), encoding="utf-8")
    runners = [one for one in PROJECT["optional-dependencies"]["dev"] if name_of(one) in RUNNERS]
    packages = ["--constraint", str(listed), "--editable", f"{ROOT}[{','.join(EXTRAS)}]", *runners]
    said([own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages])
    return own


def said(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def pythons(named: list[str]) -> dict[tuple[int, int], str]:
    """The first interpreter of each version that can make environments."""
    found: dict[tuple[int, int], str] = {}
    for path in named or on_path():
        asking = [path, "-c", "import sys, venv, ensurepip; print(*sys.version_info[:2])"]
        done = subprocess.run(asking, capture_output=True, text=True) if Path(path).is_file() else None
        if done is not None and done.returncode == 0:
            major, minor = map(int, done.stdout.split())
            found.setdefault((major, minor), path)
    return {version: path for version, path in found.items() if version >= oldest()}


def on_path() -> Iterator[str]:
    major, minor = oldest()
    for folder in os.environ["PATH"].split(os.pathsep):
        for newer in range(NEWER):
            yield str(Path(folder) / f"python{major}.{minor + newer}")


# what pyproject.toml states


def oldest() -> tuple[int, int]:
    major, minor = re.findall(r"\d+", PROJECT["requires-python"])
    return int(major), int(minor)


def stated() -> list[str]:
    """Requirements of the library, of its extras and of what runs the tests, such as `numpy>=1.26`."""
    optional = PROJECT["optional-dependencies"]
    runners = [one for one in optional["dev"] if name_of(one) in RUNNERS]
    return [*PROJECT["dependencies"], *(one for extra in EXTRAS for one in optional[extra]), *runners]


def exact() -> list[str]:
    """The oldest version that each requirement allows, with three numbers."""
    return versions_padded(" ".join(one.replace(">=", "==") for one in stated()))


def versions_padded(listed: str) -> list[str]:
    """Split `a==1 b==2.3` at its blanks, with three numbers in each version."""
    return [one + ".0" * (2 - one.count(".")) for one in listed.split()]


def name_of(requirement: str) -> str:
    return re.split(r"[<>=\[]", requirement)[0]


def goldens() -> list[str]:
    """The first golden motion of each system that needs no captured clips."""
    sys.path.insert(0, str(ROOT))
    from tests.golden.record import requests
    from tests.golden.sources import needs_captures

    first: dict[str, str] = {}
    for name, request in requests().items():
        if not needs_captures(request):
            first.setdefault(request["system"], name)
    test = "tests/golden/test_golden.py::test_the_motion_is_as_recorded"
    return [f"{test}[{name}]" for name in first.values()]


if __name__ == "__main__":
    sys.exit(main())
