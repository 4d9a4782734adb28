"""A foot of a ring, compiled: where its sole is, how it is turned, toe and heel kept out of the ground."""

from __future__ import annotations

import numpy as np

from footfall.adapt.toes import EXACTLY
from footfall.geometry.decisions_kernel import shortest_turn
from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import (
    conjugate,
    exp,
    multiply,
    put_quaternion,
    quaternion_at,
    rotate,
    vector_at,
)
from footfall.geometry.stack_room import doubles
from footfall.models.ring.layout import AT_CHAINS, AT_SOLES, AT_TOES, CHAIN, HIGH, LYING, SOLE, THIGH
from footfall.models.ring.pose_kernel import NUMBERS, SIZES

EXACT_PITCH = float(np.arcsin(EXACTLY))  # rad down, up to which toes are laid on the ground exactly
STEEPENS = float(1.0 / np.sqrt(1.0 - EXACTLY**2))  # rad for each length of toe that its joint is higher then
TWIST = 1.3  # rad: so far a support foot keeps its heading when its figure turns, then it swivels on its toe
ANKLE, HIPS = 0.35, 0.6  # rad that the ankle twists alone; of what is more the hip takes such a share


@kernel()
def of_foot(sizes, numbers, side, point, foot):  # type: ignore[no-untyped-def]
    """A point of a sole beside the root: 0 the toe joint, 3 the middle of the sole."""
    at = sizes[AT_SOLES] + SOLE * side + point
    a, b, c = rotate(quaternion_at(foot, 3), vector_at(numbers, at))
    return foot[0] + a, foot[1] + b, foot[2] + c


@kernel()
def along_foot(sizes, numbers, side, foot):  # type: ignore[no-untyped-def]
    """From heel to toe as the foot is turned."""
    at = sizes[AT_SOLES] + SOLE * side + 6
    return rotate(quaternion_at(foot, 3), vector_at(numbers, at))


@kernel()
def heading_of(sizes, numbers, side, foot):  # type: ignore[no-untyped-def]
    """Where a foot points, however steeply it stands on its toe: its turn about the vertical, rad."""
    at = sizes[AT_SOLES] + SOLE * side + LYING
    w, x, y, z = numbers[at], -numbers[at + 1], -numbers[at + 2], -numbers[at + 3]
    a, b, c, d = foot[3], foot[4], foot[5], foot[6]
    return 2.0 * np.arctan2(a * y - b * z + c * w + d * x, a * w - b * x - c * y - d * z)


@kernel()
def kept_back(heading, own):  # type: ignore[no-untyped-def]
    """The turn by which a foot of its own heading keeps another; none where that is no number."""
    if np.isnan(heading):
        return 0.0
    return min(max(shortest_turn(heading - own), -TWIST), TWIST)


@kernel("void(float64[::1], float64, float64, float64, float64[::1], int64)")
def tilt_foot(foot, x, y, z, turns, at):  # type: ignore[no-untyped-def]
    """Turns a foot by a rotation vector of the world: its orientation and its joint's rotation in `turns`."""
    if x == 0.0 and y == 0.0 and z == 0.0:
        return
    orientation = quaternion_at(foot, 3)
    turn = exp(rotate(conjugate(orientation), (x, y, z)))  # in the foot's own axes
    put_quaternion(turns, at, multiply(quaternion_at(turns, at), turn))
    put_quaternion(foot, 3, multiply(orientation, turn))


@kernel()
def normal_of(tilt_x, tilt_z):  # type: ignore[no-untyped-def]
    """Of a plane that is inclined by a rotation vector about x and z."""
    angle = np.sqrt(tilt_x * tilt_x + tilt_z * tilt_z)
    sine = np.sin(angle) / angle if angle > 1e-9 else 1.0
    return -tilt_z * sine, np.cos(angle), tilt_x * sine


@kernel()
def up_to_plane(x, y, z, tilt_x, tilt_z, under):  # type: ignore[no-untyped-def]
    """The turn, as a rotation vector, that brings the end of a bar up to a plane if it is beneath it.

    The plane is inclined by a rotation vector about x and z and lies `under` the bar's other end.
    """
    length = np.sqrt(x * x + y * y + z * z)
    nx, ny, nz = normal_of(tilt_x, tilt_z)
    over = x * nx + y * ny + z * nz
    if over >= -under or length < 1e-6:
        return 0.0, 0.0, 0.0
    # about the axis that lifts it
    lift = np.arcsin(max(-under / length, -1.0)) - np.arcsin(max(over / length, -1.0))
    ax, ay, az = y * nz - z * ny, z * nx - x * nz, x * ny - y * nx
    scale = lift / max(np.sqrt(ax * ax + ay * ay + az * az), 1e-9)
    return scale * ax, scale * ay, scale * az


@kernel()
def pitch_over(height):  # type: ignore[no-untyped-def]
    """See `adapt.toes.pitch_over`."""
    if height < -EXACTLY:
        return STEEPENS * (height + EXACTLY) - EXACT_PITCH
    return np.arcsin(min(height, 1.0))


@kernel(
    f"void({SIZES}, {NUMBERS}, int64, float64[::1], float64, float64, float64, float64, float64[::1])",
)
def bend_toe(sizes, numbers, side, foot, tilt_x, tilt_z, risen, amount, turns):  # type: ignore[no-untyped-def]
    """A toe whose tip would be in the ground that its foot stands on is bent up until it lies on it.

    The ground is a plane, inclined as the sole that lay on it was tilted; the toe joint has `risen` so far
    over where it stands on it. The toe is bent by an `amount` of that, from none to all. It is bent about its
    hinge and up alone (see `adapt.toes.turns_up`): where its foot stands steeply the shorter way to the
    ground would fold it under, and in the next frame unfold it.
    """
    at = sizes[AT_TOES] + 5 * side
    if numbers[at] < 0.0 or amount <= 0.0:
        return
    i = 4 * int(numbers[at])
    toe = doubles(7)
    put_quaternion(toe, 3, multiply(quaternion_at(foot, 3), quaternion_at(turns, i)))
    x, y, z = rotate(quaternion_at(toe, 3), vector_at(numbers, at + 1))
    nx, ny, nz = normal_of(tilt_x, tilt_z)
    over, under = x * nx + y * ny + z * nz, numbers[at + 4] + max(risen, 0.0)
    lying = sizes[AT_SOLES] + SOLE * side + LYING
    hinge = rotate(conjugate(quaternion_at(numbers, lying)), (-1.0, 0.0, 0.0))
    ax, ay, az = rotate(quaternion_at(foot, 3), hinge)
    along = (x * ax + y * ay + z * az) * (nx * ax + ny * ay + nz * az)
    across = over - along
    swing = nx * (ay * z - az * y) + ny * (az * x - ax * z) + nz * (ax * y - ay * x)
    radius, height = max(np.sqrt(across * across + swing * swing), 1e-9), -under - along
    if swing > 0.0 and across >= height >= -EXACTLY * radius:  # it is over the ground: most are
        return
    lift = amount * (pitch_over(height / radius) - np.arctan2(across, swing))
    if lift > 0.0:
        tilt_foot(toe, lift * ax, lift * ay, lift * az, turns, i)


@kernel(
    f"UniTuple(float64, 3)({SIZES}, {NUMBERS}, int64, float64[::1], float64, float64, float64[::1], int64)",
)
def lift_heel(sizes, numbers, side, foot, tilt_x, tilt_z, turns, at):  # type: ignore[no-untyped-def]
    """A support foot whose heel would be in its ground is turned about its toe joint until it lies on it; by
    what. Weights may be negative: what a loop does with its heel may be undone more than once.
    """
    i = sizes[AT_SOLES] + SOLE * side
    x = numbers[i + 3] - 0.5 * numbers[i + 6] - numbers[i]
    y = numbers[i + 4] - 0.5 * numbers[i + 7] - numbers[i + 1]
    z = numbers[i + 5] - 0.5 * numbers[i + 8] - numbers[i + 2]
    x, y, z = rotate(quaternion_at(foot, 3), (x, y, z))
    x, y, z = up_to_plane(x, y, z, tilt_x, tilt_z, numbers[i + HIGH])
    tilt_foot(foot, x, y, z, turns, at)
    return x, y, z


@kernel(f"void({SIZES}, {NUMBERS}, int64, float64, float64[::1], float64[::1], int64)")
def twist_leg(sizes, numbers, side, twist, foot, turns, at):  # type: ignore[no-untyped-def]
    """Of a foot's twist against its shank the hip takes its share: the leg turns about the line from hip to
    ankle, which stays where it is, and so does the foot.
    """
    share = HIPS * (abs(twist) - ANKLE)
    if share <= 0.0:
        return
    row, joint = sizes[AT_CHAINS] + 5 * sizes[CHAIN] * side, 0
    thigh, same = doubles(7), doubles(7)
    px = py = pz = 0.0
    q = quaternion_at(turns, 0)
    for _ in range(int(numbers[sizes[AT_SOLES] + SOLE * side + THIGH]) + 1):
        a, b, c = rotate(q, vector_at(numbers, row + 2))
        px, py, pz = px + a, py + b, pz + c
        joint = 4 * int(numbers[row])
        q = multiply(q, quaternion_at(turns, joint))
        row += 5
    put_quaternion(thigh, 3, q)
    # the way up the leg, about which a twist is told as it is about y
    x, y, z = px - foot[0], py - foot[1], pz - foot[2]
    scale = (share if twist > 0.0 else -share) / max(np.sqrt(x * x + y * y + z * z), 1e-9)
    x, y, z = scale * x, scale * y, scale * z
    for c in range(7):
        same[c] = foot[c]
    tilt_foot(thigh, x, y, z, turns, joint)
    tilt_foot(same, -x, -y, -z, turns, at)
