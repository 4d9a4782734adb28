"""Run the examples, the golden motions and the tests marked `cpu` as other processors would compute them.

    python tools/cpu_profiles.py                     # all profiles
    python tools/cpu_profiles.py --only Haswell Prescott
    python tools/cpu_profiles.py --list

Each profile is a set of environment variables that makes OpenBLAS, NumPy, the C library or numba choose the
instructions of another processor, or another number of threads. Each has a cache folder of its own, so the
default models are built under it, and another hash seed. What a profile asks for is checked in a process
that runs under it. A profile that this processor cannot run is skipped with a sentence.

Default models must be those of the native profile. Where that is not run, its models are those that
`make test` left in the user's cache folder; what is missing there is built.

One profile stands for every processor that could be: `decisions` makes the golden motions with a copy of the
sources in which all inputs of the decision functions are off by up to 1e-9 (`tests/golden/perturbed`).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.compare_models import ModelDifference

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = Path("tests") / "golden" / "test_golden.py"
MARKED = "mark.cpu"  # stands in each file of tests that a profile runs
REPORT = """
import hashlib, json, math, numba, numpy, scipy.linalg, struct, threadpoolctl
from numpy._core import _multiarray_umath as core
pools = [pool for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]
print(json.dumps({
    "blas": sorted({pool["architecture"] for pool in pools}),
    "threads": max(pool["num_threads"] for pool in pools),
    "numpy": [name for name in core.__cpu_dispatch__ if core.__cpu_features__[name]],
    "dispatch": list(core.__cpu_dispatch__),
    "numba": numba.config.CPU_NAME,
    "libm": hashlib.sha256(b"".join(
        struct.pack("3d", math.sin(0.01 * k), math.exp(0.01 * k), math.atan(0.01 * k)) for k in range(1000)
    )).hexdigest(),
    "features": sorted(name for name, there in core.__cpu_features__.items() if there),
}))
"""
BUILD = """
from footfall.models.locomotion.default import default_locomotion
from footfall.models.movements.default import default_movements
from footfall.models.reach.default import default_reach
from footfall.models.ring.default import default_gaits
from footfall.models.stepspace.default import default_step_space
for build in (default_gaits, default_locomotion, default_movements, default_reach, default_step_space):
    build()
"""


@dataclass(frozen=True)
class Profile:
    """One way of computing.

    `variables` are set in the environment. `blas` and `numba` are what must be in effect; `needs` are
    features that the processor must have. Where `perturbed`, only golden motions are made, with decisions
    whose inputs are off.
    """

    name: str
    about: str
    variables: dict[str, str] = field(default_factory=dict)
    blas: tuple[str, ...] = ()
    numba: str | None = None
    threads: int | None = None
    bare_numpy: bool = False
    needs: tuple[str, ...] = ()
    perturbed: bool = False
    plain_libm: bool = False


def core(name: str, *found: str, needs: tuple[str, ...] = ()) -> Profile:
    return Profile(name, f"OpenBLAS's kernels of {name}", {"OPENBLAS_CORETYPE": name}, found, needs=needs)


LIBM = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-AVX2,-AVX2_Usable,-FMA_Usable"}
PROFILES = (
    Profile("native", "as this processor computes by itself"),
    core("Haswell", "Haswell", needs=("AVX2",)),
    core("SkylakeX", "SkylakeX", needs=("AVX512F",)),
    core("Zen", "Zen", "Haswell", needs=("AVX2",)),  # newer OpenBLAS uses Haswell's kernels for it
    core("Prescott", "Prescott", "Katmai"),  # some versions report the older name
    Profile("numpy", "NumPy without its processor-specific loops", bare_numpy=True),
    Profile("libm", "the C library without FMA and AVX2", LIBM, needs=("FMA3", "AVX2"), plain_libm=True),
    Profile("numba", "numba for a generic processor", {"NUMBA_CPU_NAME": "generic"}, numba="generic"),
    Profile("one-thread", "one BLAS thread", {"OPENBLAS_NUM_THREADS": "1"}, threads=1),
    Profile("two-threads", "two BLAS threads", {"OPENBLAS_NUM_THREADS": "2"}, threads=2),
    Profile(
        "oldest",
        "all of them at once: the oldest processor that can run this",
        {"OPENBLAS_CORETYPE": "Prescott", "NUMBA_CPU_NAME": "generic", "OPENBLAS_NUM_THREADS": "1", **LIBM},
        ("Prescott", "Katmai"),
        numba="generic",
        threads=1,
        bare_numpy=True,
    ),
    Profile("decisions", "golden motions with decisions whose inputs are off by 1e-9", perturbed=True),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=[one.name for one in PROFILES], metavar="NAME")
    parser.add_argument("--list", action="store_true", help="print the profiles and stop")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument(
        "--caches", type=Path, help="folder that keeps each profile's cache; a temporary one else"
    )
    asked = parser.parse_args()
    sys.path[:0] = [str(ROOT)]
    if asked.list:
        for one in PROFILES:
            print(f"{one.name}: {one.about}; {one.variables}")
        return 0
    from tools.compare_models import compare_folders

    native = report({})
    chosen = [one for one in PROFILES if not asked.only or one.name in asked.only]
    rows, first = [], None
    with tempfile.TemporaryDirectory() as folder:
        caches = asked.caches or Path(folder)
        if any(not one.perturbed for one in chosen) and PROFILES[0] not in chosen:
            first = native_models()
        for seed, one in enumerate(chosen, start=1):
            begin = time.perf_counter()
            outcome = run(one, native, caches / one.name, seed, asked.processes)
            models = models_of(caches / one.name)
            if first and models and not one.perturbed:
                outcome = with_models(outcome, compare_folders(first, models))
            first = first or models
            rows.append((one.name, outcome, time.perf_counter() - begin))
            print(f"profile {one.name}: {outcome}, {rows[-1][2]:.0f} s", flush=True)
    print("\n" + "\n".join(f"{name:12} {seconds:6.0f} s  {outcome}" for name, outcome, seconds in rows))
    return 1 if any("failed" in outcome for _, outcome, _ in rows) else 0


def run(profile: Profile, native: dict, cache: Path, seed: int, processes: int) -> str:
    """Run the tests under a profile and say how they ended."""
    lacking = [name for name in profile.needs if name not in native["features"]]
    if lacking:
        return f"skipped: this processor has no {', '.join(lacking)}"
    variables = dict(profile.variables)
    if profile.bare_numpy:
        variables["NPY_DISABLE_CPU_FEATURES"] = " ".join(native["dispatch"])
    found = report(variables)
    same_libm = found["libm"] == native["libm"]
    wrong = [
        *(
            [f"OpenBLAS runs as {found['blas']}"]
            if profile.blas and not {*found["blas"]} <= {*profile.blas}
            else []
        ),
        *(
            [f"numba compiles for {found['numba']}"]
            if profile.numba and found["numba"] != profile.numba
            else []
        ),
        *(
            [f"{found['threads']} BLAS threads"]
            if profile.threads and found["threads"] != min(profile.threads, os.cpu_count() or 1)
            else []
        ),
        *(["the C library computes as it does natively"] if profile.plain_libm and same_libm else []),
        *([f"NumPy still uses {found['numpy']}"] if profile.bare_numpy and found["numpy"] else []),
    ]
    if wrong:
        return f"failed: not in effect: {'; '.join(wrong)}"
    environment = environment_of(variables) | {"FOOTFALL_CACHE": str(cache), "PYTHONHASHSEED": str(seed)}
    share_kernels(cache)
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(processes), "--dist", "loadgroup"]
    command += ["-m", "cpu and not slow and not blender"]
    with tempfile.TemporaryDirectory() as folder:
        root, tests = ROOT, [path for path in _tests() if MARKED in path.read_text()]
        if profile.perturbed:
            root = perturbed_copy(Path(folder))
            tests = [root / GOLDEN]
            environment |= {"PYTHONPATH": str(root / "src"), "FOOTFALL_DATA": captures()}
        command += [str(path) for path in tests]
        done = subprocess.run(command, cwd=root, env=environment, stdout=subprocess.PIPE, text=True)
    closing = done.stdout.strip().splitlines()[-1:] or ["nothing was printed"]
    if done.returncode:
        print(done.stdout[-12000:], flush=True)
        return f"failed: {closing[0]}"
    return closing[0]


def _tests() -> list[Path]:
    return sorted((ROOT / "tests").rglob("test_*.py"))


def perturbed_copy(folder: Path) -> Path:
    """A copy of the checkout with decisions whose inputs are off."""
    from tests.golden.perturbed import put_in

    for part in ("src", "tests", "tools"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy2(ROOT / "pyproject.toml", folder)
    put_in(folder / "src" / "footfall")
    return folder


def models_of(cache: Path) -> Path | None:
    """The folder of default models in a profile's cache; None where it built none."""
    from footfall.version import __version__

    folder = cache / "tests" / __version__  # tests/conftest.py
    return folder if folder.is_dir() else None


def native_models() -> Path:
    """The folder of default models as this processor computes them: those of the tests, or built now."""
    from footfall.cache import cache_folder

    cache = cache_folder() or Path(tempfile.gettempdir()) / "footfall"  # tests/conftest.py
    environment = environment_of({"FOOTFALL_CACHE": str(cache / "tests")})
    share_kernels(cache / "tests")
    subprocess.run([sys.executable, "-c", BUILD], cwd=ROOT, env=environment, check=True)
    found = models_of(cache)
    assert found is not None
    return found


def with_models(outcome: str, found: dict[str, ModelDifference]) -> str:
    """An outcome, and how many default models are those of the native profile."""
    for name, difference in found.items():
        if not difference.equal_bytes:
            print(f"  {name}: {difference}", flush=True)
    if not found:
        return f"failed: no default model was built that could be compared; {outcome}"
    wrong = "failed: default models differ; " if any(one.wrong for one in found.values()) else ""
    equal = sum(one.equal_bytes for one in found.values())
    return f"{wrong}{outcome}; {equal} of {len(found)} default models and sessions have equal bytes"


def captures() -> str:
    """The folder of captures, for a checkout that is elsewhere."""
    from tests.captures import FOLDER

    return str(FOLDER)


def share_kernels(cache: Path) -> None:
    """Let a profile's cache use the user's compiled kernels: their key holds the processor."""
    from footfall.cache import cache_folder

    folder = cache_folder()
    if folder is not None:
        cache.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(OSError):
            (folder / "kernels").mkdir(parents=True, exist_ok=True)
            (cache / "kernels").symlink_to(folder / "kernels", target_is_directory=True)


def environment_of(variables: dict[str, str]) -> dict[str, str]:
    return {**os.environ, **variables}


def report(variables: dict[str, str]) -> dict:
    """What a process finds in effect under these variables."""
    done = subprocess.run(
        [sys.executable, "-c", REPORT],
        env=environment_of(variables),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


if __name__ == "__main__":
    sys.exit(main())
