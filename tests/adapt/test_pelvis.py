"""The banded system of the pelvis: judged by dense least squares over the rows that it stands for."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.adapt.pelvis import KNEE_TIME, SHIFT_COST, SHIFT_TIME, _System

FPS = 60.0


def least_squares(rows: list[np.ndarray], follow: list[np.ndarray], bend: list[np.ndarray]) -> np.ndarray:
    """The shift for which knees, the shift and the second differences of both change least."""
    frames = len(rows[0])
    second = np.zeros((max(frames - 2, 0), frames))
    for t in range(len(second)):
        second[t, t : t + 3] = 1.0, -2.0, 1.0
    still = np.kron(np.eye(frames), np.diag(SHIFT_COST))
    calm = (SHIFT_TIME * FPS) ** 2 * np.kron(second, np.diag(SHIFT_COST))
    parts, wanted = [still, calm], [np.zeros(len(still)), np.zeros(len(calm))]
    for row, kept, more in zip(rows, follow, bend, strict=True):
        knee = np.zeros((frames, 3 * frames))
        for t in range(frames):
            knee[t, 3 * t : 3 * t + 3] = row[t]
        parts += [knee, (KNEE_TIME * FPS) ** 2 * second @ knee]
        wanted += [kept + more, (KNEE_TIME * FPS) ** 2 * second @ kept]
    solved = np.linalg.lstsq(np.concatenate(parts), np.concatenate(wanted), rcond=None)[0]
    return solved.reshape(frames, 3)


@pytest.mark.parametrize("frames", [1, 2, 3, 4, 5, 40])
def test_the_shift_disturbs_the_knees_least(frames: int) -> None:
    rng = np.random.default_rng(frames)
    rows = [5.0 * rng.normal(size=(frames, 3)) for _ in range(2)]
    follow, bend = (0.1 * rng.normal(size=(2, frames)) for _ in range(2))
    shift = _System(frames, FPS, rows).solve(list(follow), list(bend))
    assert_allclose(shift, least_squares(rows, list(follow), list(bend)), atol=1e-10)
