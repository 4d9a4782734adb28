"""A reach library as a file: what comes back, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.errors import LoadError
from footfall.formats.stored import StoredArrays
from footfall.models.load import load_model, read_model
from footfall.models.model_file import StoredModel, opened_model
from footfall.models.movements.model import MovementLibrary
from footfall.models.reach.model import ReachLibrary
from footfall.models.reach.store import SYSTEM, reach_bytes, read_reach
from tests.models.as_stored import assert_as_stored
from tests.models.reach.libraries import actor_library, bare_library


def test_it_comes_back(tmp_path: Path) -> None:
    library = actor_library()
    library.save(tmp_path / "reach.ffmodel")
    again = load_model(tmp_path / "reach.ffmodel", ReachLibrary)
    assert again.by_name.keys() == library.by_name.keys()
    for before, after in zip(library.sets, again.sets, strict=True):
        assert_as_stored(after.points, before.points)
        assert_as_stored(after.pseudo_weights, before.pseudo_weights)
        assert [e.name for e in before.examples] == [e.name for e in after.examples]
        for a, b in zip(before.examples, after.examples, strict=True):
            assert_allclose(a.motion.positions, b.motion.positions, atol=2e-6)
            assert_as_stored(b.keytimes, a.keytimes)
    assert reach_bytes(again) == reach_bytes(library)


def test_it_is_no_other_model() -> None:
    with pytest.raises(LoadError, match="this is a reach library"):
        read_model(reach_bytes(bare_library()), MovementLibrary)


def changed(**arrays: object) -> StoredModel:
    stored = opened_model(reach_bytes(bare_library()), (SYSTEM,))
    told = dict(stored.arrays.stored)
    for name, change in arrays.items():
        key = name.replace("_of_first", "")
        told[f"0.{key}"] = change(told[f"0.{key}"].copy())  # type: ignore[operator]
    return StoredModel(stored.system, stored.text, StoredArrays(told))


def put(at: object, value: float):  # type: ignore[no-untyped-def]
    def change(array: np.ndarray) -> np.ndarray:
        array[at] = value  # type: ignore[call-overload]
        return array

    return change


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("counts", put(0, 1), "counts of frames"),
        ("keytimes", put((0, 1), 0.0), "keytimes"),
        ("keytimes", lambda a: a[:, :3], "keytimes"),
        ("leads", put(0, 99.0), "outside the frames"),
        ("turns", put((0, 0), 9.0), "half turn"),
        ("moving", put(0, 7), "0 or 1"),
        ("points", put((0, 0), np.nan), "numbers under"),
        ("root", lambda a: a.astype(np.float64), "float32"),
        ("pseudo_weights", lambda a: np.zeros((1, a.shape[1])), "pseudo_weights"),
    ],
)
def test_lies_are_refused(name: str, change: object, said: str) -> None:
    with pytest.raises(LoadError, match=said):
        read_reach(changed(**{name: change}))


def test_rows_that_do_not_sum_to_one_are_refused() -> None:
    def point(array: np.ndarray) -> np.ndarray:
        return np.zeros((1, 3))

    def row(array: np.ndarray) -> np.ndarray:
        return np.full((1, array.shape[1]), 0.5)

    with pytest.raises(LoadError, match="sum to 1"):
        read_reach(changed(pseudo_points=point, pseudo_weights=row))
