"""Compares two folders of default models: what two CPUs, or two checkouts, build from the same sources.

    python tools/compare_models.py ~/.cache/footfall/0.1.0 other/0.1.0

Prints for each file that both folders hold whether its bytes are equal, or what differs. Names, counts and
texts must be equal; numbers may differ by one unit of what is stored: `PRECISION`, or the spacing of a
single-precision number where that is larger. The exit status is 1 where anything is beyond that.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from safetensors import numpy as tensors

PRECISION = 2.0**-30  # of `geometry/decisions.py`
ENDINGS = (".ffmodel", ".safetensors")
LENGTH_BYTES = 8  # safetensors: the header's length


@dataclass
class ModelDifference:
    """What two files of one model differ in."""

    equal_bytes: bool = False
    numbers: int = 0  # that differ at all
    units: float = 0.0  # the largest difference, in units of the stored precision
    wrong: list[str] = field(default_factory=list)  # what may not differ, and does

    def __str__(self) -> str:
        if self.equal_bytes:
            return "equal bytes"
        if self.wrong:
            return f"DIFFERENT: {'; '.join(self.wrong[:3])}"
        return f"{self.numbers} numbers differ, by {self.units:.2f} units of the stored precision at most"


def compare_files(one: Path, other: Path) -> ModelDifference:
    """Compare two safetensors files (models or sessions) of the same name."""
    before, after = one.read_bytes(), other.read_bytes()
    found = ModelDifference(equal_bytes=before == after)
    if found.equal_bytes:
        return found
    if _header(before) != _header(after):
        found.wrong.append("the texts, or names and shapes of arrays, differ")
    arrays, others = tensors.load(before), tensors.load(after)
    for name in sorted(arrays.keys() & others.keys()):
        _compare_arrays(name, arrays[name], others[name], found)
    return found


def compare_folders(one: Path, other: Path) -> dict[str, ModelDifference]:
    """Compare all files that both folders hold under one name."""
    names = sorted(p.name for p in one.iterdir() if p.suffix in ENDINGS)
    return {name: compare_files(one / name, other / name) for name in names if (other / name).exists()}


def _header(content: bytes) -> bytes:
    end = LENGTH_BYTES + int.from_bytes(content[:LENGTH_BYTES], "little")
    return content[LENGTH_BYTES:end]


def _compare_arrays(name: str, one: np.ndarray, other: np.ndarray, found: ModelDifference) -> None:
    if one.shape != other.shape or one.dtype != other.dtype:
        found.wrong.append(f"{name}: {one.dtype} {one.shape}, then {other.dtype} {other.shape}")
    elif one.dtype.kind != "f":
        if not np.array_equal(one, other):
            found.wrong.append(f"{name}: {int((one != other).sum())} whole numbers differ")
    elif not np.array_equal(one, other, equal_nan=True):
        with np.errstate(invalid="ignore"):
            off = np.abs(one.astype(float) - other.astype(float))
            unit = np.maximum(np.spacing(np.maximum(np.abs(one), np.abs(other))).astype(float), PRECISION)
            units = np.where((one == other) | (np.isnan(one) & np.isnan(other)), 0.0, off / unit)
        found.numbers += int((units > 0.0).sum())
        worst = float(np.where(np.isnan(units), np.inf, units).max())
        found.units = max(found.units, worst)
        if not worst <= 1.0:
            found.wrong.append(f"{name}: {worst:.3g} units of the stored precision")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("one", type=Path)
    parser.add_argument("other", type=Path)
    asked = parser.parse_args()
    found = compare_folders(asked.one, asked.other)
    for name, difference in found.items():
        print(f"{name}: {difference}")
    if not found:
        print("no model is in both folders")
    return 1 if any(difference.wrong for difference in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
