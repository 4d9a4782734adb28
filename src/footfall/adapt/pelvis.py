"""How the pelvis follows corrected feet, so that knees keep the bend they were captured with.

A straight leg is a lever: a centimetre at the ankle is up to sixteen degrees at the knee. So the pelvis is
shifted by the path s(t) that least disturbs the knees. To first order a leg whose ankle is corrected by c(t)
changes its knee by k u . (s - c), where u is the leg's direction and k the knee's angle a metre of length.
The sum of squares of that change, of its second difference in time, of s and of s'' is least where a banded
system is solved.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from footfall.analysis.signals import box
from footfall.figure.motion import Motion
from footfall.ik.two_link import Limb

LEAST_BEND = np.radians(14.0)  # straighter knees are as stiff as this, or the system would be all theirs
KNEE_TIME = 0.06  # s: knee accelerations over this time weigh as much as the knee's change itself
SHIFT_COST = (20.0, 2.5, 20.0)  # rad/m: what a metre of pelvis shift is worth in knee angle, by axis
ROUNDS = 3
LOWER = 0.10  # s, how long before and after it is needed the pelvis is lowered
BANDS = 9  # a second difference of three interleaved signals reaches this far
SHIFT_TIME = 0.07  # s: pelvis accelerations over this time weigh as much as its shift


@dataclass(frozen=True, eq=False)
class LegCorrection:
    """A leg, where its ankle goes, and how long it may be."""

    limb: Limb
    ankle: Float[np.ndarray, "frames 3"]
    longest: float | Float[np.ndarray, "frames"]  # m


def pelvis_shift(motion: Motion, legs: list[LegCorrection]) -> Float[np.ndarray, "frames 3"]:
    """The shift of the root, frame by frame.

    A leg that would still be too long asks for that much less, and the system is solved again: so the limit
    is approached as smoothly as everything else.
    """
    rows = [_knee_rows(motion, leg) for leg in legs]
    system = _System(len(motion), motion.fps, [row for row, _, _ in rows])
    shorter = [np.minimum(leg.longest - length, 0.0) for leg, (_, _, length) in zip(legs, rows, strict=True)]
    shift = np.zeros((len(motion), 3))
    for _ in range(ROUNDS):
        shift = system.solve(
            [
                np.sum(row * _correction(motion, leg), axis=-1)
                for leg, (row, _, _) in zip(legs, rows, strict=True)
            ],
            [stiffness * less for (_, stiffness, _), less in zip(rows, shorter, strict=True)],
        )
        for leg, less in zip(legs, shorter, strict=True):
            length = np.linalg.norm(motion.positions[:, leg.limb.upper] + shift - leg.ankle, axis=-1)
            less -= np.maximum(length - leg.longest, 0.0)
    return shift


def lowering(
    motion: Motion,
    legs: list[LegCorrection],
    binding: list[Bool[np.ndarray, "frames"]],
    shift: Float[np.ndarray, "frames 3"],
) -> Float[np.ndarray, "frames"]:
    """How far the shifted pelvis must still come down so that every leg reaches where its ankle is binding.

    The need is widened before it is smoothed, or smoothing would break the limit again.
    """
    from scipy.ndimage import maximum_filter1d

    needed = np.zeros(len(motion))
    for leg, binds in zip(legs, binding, strict=True):
        away = motion.positions[:, leg.limb.upper] + shift - leg.ankle
        highest = np.sqrt(np.maximum(leg.longest**2 - away[:, 0] ** 2 - away[:, 2] ** 2, 0.0))
        needed = np.maximum(needed, np.where(binds, away[:, 1] - highest, 0.0))
    width = max(round(LOWER * motion.fps), 1)
    wide = maximum_filter1d(needed, 2 * width + 1, mode="nearest")
    return box(box(wide, width), width)


class _System:
    """The normal equations of one motion, factored once and solved for several right-hand sides.

    A block of them couples frames t and t + d, d = 0, 1, 2. With G = D'D, D the second difference, it is
    (1 + a^2 G) r r' for each knee's rows r and (1 + b^2 G) cost^2 for the shift.
    """

    def __init__(self, frames: int, fps: float, rows: list[Float[np.ndarray, "frames 3"]]):
        from scipy.linalg import cholesky_banded

        self.rows = rows
        self.knee, shift = (KNEE_TIME * fps) ** 2, (SHIFT_TIME * fps) ** 2
        squares = np.diag(np.square(SHIFT_COST))
        banded = np.zeros((min(BANDS, 3 * frames), 3 * frames))  # lower form: [k, c] is row c + k, column c
        for d in range(min(3, frames)):
            same, curved = float(d == 0), _curvature(frames, d)
            blocks = (same + shift**2 * curved)[:, None, None] * squares
            for r in rows:
                outer = r[: frames - d, :, None] * r[d:, None, :]
                blocks = blocks + (same + self.knee**2 * curved)[:, None, None] * outer
            for i in range(3):
                for j in range(3):
                    k = 3 * d + j - i
                    if k >= 0:
                        banded[k, i : 3 * (frames - d) : 3] = blocks[:, i, j]
        self.factor = cholesky_banded(banded, lower=True)

    def solve(
        self, follow: list[Float[np.ndarray, "frames"]], bend: list[Float[np.ndarray, "frames"]]
    ) -> Float[np.ndarray, "frames 3"]:
        """`follow` keeps the knees as they are; `bend` is what they are to bend more, if smoothly."""
        from scipy.linalg import cho_solve_banded

        right = np.zeros_like(self.rows[0])
        for row, kept, more in zip(self.rows, follow, bend, strict=True):
            second = self.knee**2 * (kept[:-2] - 2.0 * kept[1:-1] + kept[2:])
            wanted = kept + more
            wanted[:-2] += second
            wanted[1:-1] -= 2.0 * second
            wanted[2:] += second
            right += wanted[:, None] * row
        return cho_solve_banded((self.factor, True), right.ravel()).reshape(right.shape)


def _curvature(frames: int, apart: int) -> Float[np.ndarray, "pairs"]:
    """G[t, t + apart] of G = D'D, where rows of D are x(t) - 2 x(t + 1) + x(t + 2)."""
    weights = np.array([1.0, -2.0, 1.0])
    pairs = np.zeros(frames - apart)
    for k in range(3 - apart):
        pairs[k : k + max(frames - 2, 0)] += weights[k] * weights[k + apart]
    return pairs


def _direction(motion: Motion, leg: LegCorrection) -> Float[np.ndarray, "frames 3"]:
    """From the ankle to the hip, as captured."""
    away = motion.positions[:, leg.limb.upper] - motion.positions[:, leg.limb.end]
    return away / np.maximum(np.linalg.norm(away, axis=-1, keepdims=True), 1e-6)


def _correction(motion: Motion, leg: LegCorrection) -> Float[np.ndarray, "frames 3"]:
    return leg.ankle - motion.positions[:, leg.limb.end]


def _knee_rows(
    motion: Motion, leg: LegCorrection
) -> tuple[Float[np.ndarray, "frames 3"], Float[np.ndarray, "frames"], Float[np.ndarray, "frames"]]:
    """k u, k and the captured length of a leg for every frame."""
    limb = leg.limb
    away = motion.positions[:, limb.upper] - motion.positions[:, limb.end]
    length = np.maximum(np.linalg.norm(away, axis=-1), 1e-6)
    a, b = limb.lengths
    cosine = np.clip((length**2 - a**2 - b**2) / (2 * a * b), -1.0, 1.0)
    sine = np.maximum(np.sqrt(1.0 - cosine**2), np.sin(LEAST_BEND))
    stiffness = length / (a * b * sine)
    return stiffness[:, None] * _direction(motion, leg), stiffness, length
