"""Comparing default models: what may differ between CPUs, and what may not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors import numpy as tensors
from tools.compare_models import PRECISION, compare_files, compare_folders

ARRAYS = {
    "places": np.arange(6.0) * PRECISION,
    "rows": np.array([1, 2, 3]),
    "poses": np.linspace(1.0, 9.0, 5, dtype=np.float32),
}


def _file(folder: Path, text: str = "a model", **changes: np.ndarray) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "default.ffmodel"
    path.write_bytes(tensors.save(ARRAYS | changes, metadata={"footfall_model": text}))
    return path


def test_equal_files_have_equal_bytes(tmp_path: Path) -> None:
    _file(tmp_path / "a")
    _file(tmp_path / "b")
    (found,) = compare_folders(tmp_path / "a", tmp_path / "b").values()
    assert found.equal_bytes
    assert str(found) == "equal bytes"


def test_one_unit_of_the_stored_precision_may_differ(tmp_path: Path) -> None:
    places, poses = ARRAYS["places"].copy(), ARRAYS["poses"].copy()
    places[2] += PRECISION
    poses[4] = np.nextafter(poses[4], np.float32(99.0))
    found = compare_files(_file(tmp_path / "a"), _file(tmp_path / "b", places=places, poses=poses))
    assert not found.wrong
    assert not found.equal_bytes
    assert found.numbers == 2
    assert found.units == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"places": ARRAYS["places"] + 2.0 * PRECISION}, "places: 2 units"),
        ({"places": np.array([np.nan, *ARRAYS["places"][1:]])}, "places: inf units"),
        ({"rows": np.array([1, 2, 4])}, "rows: 1 whole numbers differ"),
        ({"rows": np.array([1, 2])}, "the texts, or names and shapes"),
        ({"text": "another model"}, "the texts, or names and shapes"),
    ],
)
def test_anything_else_may_not(tmp_path: Path, changes: dict, told: str) -> None:
    found = compare_files(_file(tmp_path / "a"), _file(tmp_path / "b", **changes))
    assert found.wrong
    assert told in str(found)
