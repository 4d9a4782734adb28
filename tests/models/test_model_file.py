"""Model files hold rounded numbers: the last digits of a processor do not reach them."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from numpy.testing import assert_array_equal
from safetensors import numpy as tensors

from footfall.geometry.decisions import PRECISION
from footfall.models.model_file import model_bytes

NOISE = 1e-13


class Told(msgspec.Struct):
    name: str
    peaks: dict[str, float]
    shares: list[float]
    count: int
    sure: bool
    none: float | None


def changed(values: np.ndarray, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (values + NOISE * rng.uniform(-1.0, 1.0, values.shape)).astype(values.dtype)


def test_noise_in_a_description_is_not_in_the_file() -> None:
    def content(noise: float) -> bytes:
        peaks = {"hips": 10.823711670491 + noise, "none": noise}
        return model_bytes("kind", Told("a", peaks, [29.97002997 - noise, 1.5], 3, True, None), {})

    assert content(0.0) == content(NOISE) == content(-NOISE)
    assert content(0.0) != content(2e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_noise_in_arrays_is_not_in_the_file_but_at_the_edge_of_a_step(dtype: type) -> None:
    rng = np.random.default_rng(1)
    arrays = {
        "zero": np.zeros(1000, dtype),
        "near zero": rng.uniform(-1e-4, 1e-4, 5000).astype(dtype),
        "whole": np.arange(5),
        "usual": rng.uniform(-3.0, 3.0, (500, 3)).astype(dtype),
    }
    before = tensors.load(model_bytes("kind", Told("a", {}, [], 0, False, None), arrays))
    moved = {name: changed(a, 2) if a.dtype.kind == "f" else a for name, a in arrays.items()}
    after = tensors.load(model_bytes("kind", Told("a", {}, [], 0, False, None), moved))
    for name, array in before.items():
        assert array.dtype == arrays[name].dtype
        apart = np.abs(np.asarray(array, dtype=float) - after[name])
        assert apart.max() <= PRECISION
        assert (apart > 0.0).sum() <= 5
    assert before["zero"].tobytes() == after["zero"].tobytes()
    assert_array_equal(before["whole"], np.arange(5))
