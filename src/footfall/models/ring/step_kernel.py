"""A foot that is put elsewhere without a gait, compiled: its leg is drawn up and let down again."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import multiply, put_quaternion, quaternion_at
from footfall.geometry.stack_room import doubles
from footfall.models.ring.foot_kernel import tilt_foot
from footfall.models.ring.layout import AT_CHAINS, AT_SOLES, CHAIN, SHANK, SOLE, THIGH
from footfall.models.ring.pose_kernel import NUMBERS, SIZES


@kernel(f"void({SIZES}, {NUMBERS}, int64, float64, float64[::1])")
def draw_up(sizes, numbers, side, up, turns):  # type: ignore[no-untyped-def]
    """Raises a foot: the thigh goes forward by an angle, the shank back, and the foot stays as it is turned.
    The figure faces along +Z.

    The ankle stays under the hip: l sin a = m sin b for the lengths of thigh and shank and their angles.
    """
    links = doubles(21)  # thigh, shank, foot: each its orientation, from its fourth number on
    joints, lengths = doubles(3), doubles(3)
    at = sizes[AT_SOLES] + SOLE * side
    first, second = int(numbers[at + THIGH]), int(numbers[at + SHANK])
    lengths[0] = lengths[1] = lengths[2] = 0.0
    row, q = sizes[AT_CHAINS] + 5 * sizes[CHAIN] * side, quaternion_at(turns, 0)
    for k in range(sizes[CHAIN]):
        joint = int(numbers[row])
        if joint < 0:
            break
        a, b, c = numbers[row + 2], numbers[row + 3], numbers[row + 4]
        of = 2 if k <= first else (0 if k <= second else 1)
        lengths[of] += np.sqrt(a * a + b * b + c * c)
        i = 4 * joint
        q = multiply(q, quaternion_at(turns, i))
        of = 0 if k <= first else (1 if k <= second else 2)
        joints[of] = i
        put_quaternion(links, 7 * of + 3, q)
        row += 5
    back = np.arcsin(min(lengths[0] * np.sin(up) / max(lengths[1], 1e-9), 1.0))
    angles = (up, -up - back, back)
    for k in range(3):
        tilt_foot(links[7 * k : 7 * k + 7], -angles[k], 0.0, 0.0, turns, int(joints[k]))
