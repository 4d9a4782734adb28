"""Directions, turns and places along the way from a figure's root to its eyes, compiled.

Directions are told by nods about the left axis and turns about the upward one, or by a swing: the rotation
vector, without a part along it, that brings forward there.
"""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import (
    angle_near,
    conjugate,
    exp,
    multiply,
    put_quaternion,
    quaternion_at,
    rotate,
    smoothstep,
    vector_at,
)
from footfall.ik.limits_kernel import clamp_joint

WIDE, WIDEST = np.radians(60.0), np.radians(90.0)  # beyond it an eye goes by the side, not the shortest way


@kernel()
def nod_and_turn(x, y, z):  # type: ignore[no-untyped-def]
    return -np.arctan2(y, np.sqrt(x * x + z * z)), np.arctan2(x, z)


@kernel()
def angle_between(ax, ay, az, bx, by, bz):  # type: ignore[no-untyped-def]
    x, y, z = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    return np.arctan2(np.sqrt(x * x + y * y + z * z), ax * bx + ay * by + az * bz)


@kernel()
def upright_turn(b, nod, aside, start):  # type: ignore[no-untyped-def]
    """In the world: what changes a direction at a turn `start` by a nod and a turn, without tilting it; all
    told in the body's frame b."""
    p, q, r = exp((0.0, start + aside, 0.0)), exp((nod, 0.0, 0.0)), exp((0.0, -start, 0.0))
    q = multiply(p, q)
    q = multiply(q, r)
    q = multiply(b, q)
    return multiply(q, conjugate(b))


@kernel()
def arc(ax, ay, az, bx, by, bz):  # type: ignore[no-untyped-def]
    """The shortest turn from one unit vector to another; none to the opposite one, which has no shortest."""
    w, x, y, z = 1.0 + ax * bx + ay * by + az * bz, ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    length = np.sqrt(w * w + x * x + y * y + z * z)
    if length < 1e-9:
        return 1.0, 0.0, 0.0, 0.0
    return w / length, x / length, y / length, z / length


@kernel()
def swung(nod, aside):  # type: ignore[no-untyped-def]
    """Forward after a swing."""
    angle = np.sqrt(nod * nod + aside * aside)
    share = np.sin(angle) / angle if angle > 1e-12 else 1.0
    return share * aside, -share * nod, np.cos(angle)


@kernel()
def swing_to(x, y, z, side):  # type: ignore[no-untyped-def]
    """The swing to a direction; what is far behind is on the side on which the body knows it to be."""
    across = np.sqrt(x * x + y * y)
    angle = np.arctan2(across, z)
    share = angle / across if across > 1e-12 else 1.0
    nod, aside = -y * share, x * share
    if angle <= WIDE:
        return nod, aside
    s = smoothstep((angle - WIDE) / (WIDEST - WIDE))
    level, around = nod_and_turn(x, y, z)
    return nod + s * (level - nod), aside + s * (angle_near(around, side) - aside)


@kernel()
def place_slot(slots, offsets, rotations, root, s, places, turns):  # type: ignore[no-untyped-def]
    """World place and orientation of the joint in slot s; those above it have theirs."""
    j, above = slots[s, 0], slots[s, 1]
    q = rotations[j]
    if above < 0:
        places[s, 0], places[s, 1], places[s, 2] = root[0], root[1], root[2]
        turns[s, 0], turns[s, 1], turns[s, 2], turns[s, 3] = q[0], q[1], q[2], q[3]
        return
    p, o, a = turns[above], offsets[j], places[above]
    x, y, z = rotate(quaternion_at(p, 0), vector_at(o, 0))
    places[s, 0], places[s, 1], places[s, 2] = a[0] + x, a[1] + y, a[2] + z
    put_quaternion(turns[s], 0, multiply(quaternion_at(p, 0), quaternion_at(q, 0)))


@kernel()
def orient(limits, slots, s, turns, out, q):  # type: ignore[no-untyped-def]
    """Turns the joint in slot s to an orientation in the world as far as its limits let it; one that came in
    beyond them stays beyond by as much, so that nothing jumps when a gaze begins."""
    j, p = slots[s, 0], turns[slots[s, 1]]
    r = out[j]
    given = r[0], r[1], r[2], r[3]
    was_beyond = clamp_joint(limits, j, out)
    held = r[0], r[1], r[2], r[3]
    put_quaternion(r, 0, multiply(conjugate(quaternion_at(p, 0)), q))
    clamp_joint(limits, j, out)
    if was_beyond:
        d = multiply(conjugate(held), given)
        put_quaternion(r, 0, multiply(quaternion_at(r, 0), d))
