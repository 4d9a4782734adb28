"""How fast a BVH is read, beside pybvh and bvhtoolbox, and what `import footfall` costs.

    python benchmarks/formats.py [--json]

The files are made here: the humanoid's range of motion with noise, written with six decimals as most
exporters do. Exits with 1 where footfall is not the fastest or its import costs 1.5 times that of NumPy
and scipy.spatial.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from timing import best_process_seconds, best_seconds, print_beside

import footfall as ff
from footfall.formats.bvh_write import write_bvh
from footfall.geometry import quaternion as quat

ROUNDS = 5
PROCESS_ROUNDS = 9
SIZES_MB = (2, 15)
FASTEST = 1.0
IMPORT_BAR = 1.5


@dataclass(frozen=True)
class Comparison:
    """Best seconds by contender; footfall must stay under `bar` times every rival, where there is a bar."""

    title: str
    seconds: dict[str, float]
    rivals: tuple[str, ...]
    bar: float | None = None

    @property
    def met(self) -> bool | None:
        if self.bar is None:
            return None
        return all(self.seconds["footfall"] < self.bar * self.seconds[rival] for rival in self.rivals)

    def report(self) -> None:
        print_beside(self.title, self.seconds, reference="footfall")
        if self.bar is not None:
            print(
                f"  footfall under {self.bar:g}x of {', '.join(self.rivals)}: {'yes' if self.met else 'NO'}"
            )


def make_bvh(path: Path, megabytes: float) -> None:
    """A noisy range of motion, as long as it takes to fill a file of this size."""
    take = ff.range_of_motion(ff.humanoid(), fps=120.0)
    a_frame = len(_six_decimals(write_bvh(take))) / len(take)
    frames = np.arange(round(1e6 * megabytes / a_frame)) % len(take)
    noise = np.random.default_rng(1).normal(scale=0.01, size=(len(frames), len(take.skeleton), 3))
    turned = quat.multiply(take.rotations[frames], quat.exp(noise))
    path.write_bytes(_six_decimals(write_bvh(ff.Motion(take.skeleton, take.root[frames], turned, take.fps))))


def _six_decimals(text: bytes) -> bytes:
    return re.sub(rb"(\.\d{6})\d{3}\b", rb"\1", text)


def readers(path: Path) -> dict[str, Callable[[], object]]:
    import bvhtoolbox
    import pybvh

    return {
        "footfall": lambda: ff.load_motion(path),
        "footfall, with world positions": lambda: ff.load_motion(path).positions,
        "pybvh": lambda: pybvh.read_bvh_file(path),
        "pybvh, with world positions": lambda: pybvh.read_bvh_file(path).joint_positions(),
        "bvhtoolbox": lambda: bvhtoolbox.BvhTree(path.read_text()),
    }


def compare_reading(path: Path) -> Comparison:
    size = path.stat().st_size / 1e6
    seconds = best_seconds(readers(path), ROUNDS)
    title = f"a BVH of {size:.1f} MB, {len(ff.load_motion(path))} frames (best of {ROUNDS} in one process)"
    return Comparison(title, seconds, ("pybvh", "bvhtoolbox"), FASTEST)


def compare_imports() -> Comparison:
    seconds = best_process_seconds(
        {
            "footfall": "import footfall",
            "numpy, scipy.spatial": "import numpy, scipy.spatial",
            "bare interpreter": "pass",
        },
        PROCESS_ROUNDS,
    )
    title = f"importing, the interpreter's start included (best of {PROCESS_ROUNDS} processes)"
    return Comparison(title, seconds, ("numpy, scipy.spatial",), IMPORT_BAR)


def compare_cold_starts(path: Path) -> Comparison:
    """What a script pays that reads one clip; for information."""
    seconds = best_process_seconds(
        {
            "footfall": f"import footfall; footfall.load_motion({str(path)!r})",
            "pybvh": f"import pybvh; pybvh.read_bvh_file({str(path)!r})",
        },
        PROCESS_ROUNDS,
    )
    title = f"a fresh process that reads {path.stat().st_size / 1e6:.1f} MB (best of {PROCESS_ROUNDS})"
    return Comparison(title, seconds, ("pybvh",))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    as_json = parser.parse_args().json
    warnings.simplefilter("ignore")  # pybvh's remarks on the up axis
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, f"made_{megabytes}.bvh") for megabytes in SIZES_MB]
        for file, megabytes in zip(files, SIZES_MB, strict=True):
            make_bvh(file, megabytes)
        comparisons = [compare_reading(file) for file in files]
        comparisons += [compare_imports(), compare_cold_starts(files[0])]
    if as_json:
        results = [{"title": c.title, "seconds": c.seconds, "bar": c.bar, "met": c.met} for c in comparisons]
        print(json.dumps({"results": results}))
    else:
        for comparison in comparisons:
            comparison.report()
    return 1 if any(comparison.met is False for comparison in comparisons) else 0


if __name__ == "__main__":
    sys.exit(main())
