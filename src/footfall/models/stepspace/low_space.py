"""S_low: where the swing foot stands before and after a step, seen from the support foot ([stepping] 4.2).

Rows are steps of the left foot in S_high (`analysis.steps.HIGH_NAMES`): x to the left and z forward of the
support foot. In S_low the x axis points from the support foot's subtalar to the swing foot's first placement,
so three numbers place both: x1, x2, z2. That axis forgets how the support foot is turned.

With the feet together the axis has no direction. There it fades into the support foot's own x axis: the
placement is moved along +x by an amount that grows smoothly from nothing at `TOGETHER`, before its direction
is taken. No rule can be continuous everywhere (once around the support foot the axis turns once around); this
one is but for one place, 3.8 cm to the right of the support foot's subtalar, where that foot itself stands.
Within `TOGETHER` the first placement leaves the axis, which S_low does not know: by less than 1 cm where real
feet stand together (7 cm), by 3.8 cm at most.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError

MIRRORED = np.array([-1.0, 1.0, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0])  # S_high of a mirror image
TOGETHER = 0.1  # m between the subtalars; the nearest in captures is 0.07


def low_axis(high: Float[np.ndarray, "*n 10"]) -> Float[np.ndarray, "*n"]:
    """How far the frame of S_low is turned about +Y from the support foot's frame, rad, in (-pi, pi].

    `ground.turn(low_axis(row))` takes places in S_low's frame to the support foot's frame.
    """
    x1, z1 = np.asarray(high, dtype=float)[..., 0], np.asarray(high, dtype=float)[..., 1]
    near = np.clip(1.0 - np.hypot(x1, z1) / TOGETHER, 0.0, 1.0)
    return np.arctan2(-z1, x1 + TOGETHER * near**2)


def low_of(high: Float[np.ndarray, "*n 10"]) -> Float[np.ndarray, "*n 3"]:
    """x1, x2, z2 of S_low, metres. Only the four places of the rows are read."""
    return low_places(high)[..., [0, 2, 3]]


def low_places(high: Float[np.ndarray, "*n 10"]) -> Float[np.ndarray, "*n 4"]:
    """x1, z1, x2, z2 in the frame of S_low, metres; z1 is zero but for feet together."""
    rows = np.asarray(high, dtype=float)
    if rows.ndim == 0 or rows.shape[-1] != 10 or not np.isfinite(rows[..., :4]).all():
        raise RequestError("a step needs ten numbers, and x1, z1, x2, z2 of them finite")
    return turned(rows[..., :4], -low_axis(rows))


def turned(places: Float[np.ndarray, "*n 4"], angle: Float[np.ndarray, "*n"]) -> Float[np.ndarray, "*n 4"]:
    """Two places on the ground turned by an angle about +Y (from +Z towards +X)."""
    cos, sin = np.cos(angle), np.sin(angle)
    x1, z1, x2, z2 = np.moveaxis(places, -1, 0)
    return np.stack(
        [cos * x1 + sin * z1, cos * z1 - sin * x1, cos * x2 + sin * z2, cos * z2 - sin * x2], axis=-1
    )
