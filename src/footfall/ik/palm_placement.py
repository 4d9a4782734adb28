"""Where a hand goes to take something: how it turns, and where it stops ([body] 5.3, hand orientation).

A sphere is taken as the hand comes. A box is taken with the back of the hand along a face's normal and the
palm's sides along its edges. A capsule is taken from the side, its long axis across the palm. The paper puts
the hand's origin on the surface; here the palm is brought up to the surface until it touches.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
from jaxtyping import Float

from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import first_greatest, order_of
from footfall.ik.hand import Hand
from footfall.ik.hand_pose import HandPoses
from footfall.ik.held import Held

Vector = Float[np.ndarray, "3"]
Turn = Float[np.ndarray, "4"]

PARALLEL = 0.1  # sine of the angle under which the back of a hand counts as along a capsule's axis
SPAN = 0.62  # of the hand's length: the widest that fingers and thumb go round
WIDE = 3.0  # rad: what a thing as wide as the span costs against one that is thin
HALF_WIDTH = 0.22  # of the hand's length
AWAY = 0.5  # of the hand's length: how far off an approach begins


@dataclass(frozen=True, eq=False)
class PalmPlacement:
    """The hand joint's place and orientation in the world."""

    position: Vector
    orientation: Turn


@dataclass(frozen=True, eq=False)
class Way:
    """An orientation, how wide the thing is from thumb to fingers, and at least is on the same side, m."""

    turn: Turn
    width: float
    thinnest: float


def hand_turns(hand: Hand, held: Held, natural: Turn) -> list[Turn]:
    """Orientations in which the hand can take the thing, the likeliest first.

    The side nearest to the back of the hand comes first, and on it the least turn. A wide way round counts as
    a turn too, so that thin things are taken across.
    """
    ways = {"sphere": _of_sphere, "box": _of_box, "capsule": _of_capsule}[held.kind](hand, held, natural)
    back = quat.rotate(natural, -hand.normal)

    def cost(way: Way) -> tuple[float, float]:
        own = quat.rotate(way.turn, -hand.normal)
        # exact for small angles too: ways that lie on one side must cost the same there
        angle = 2.0 * float(np.arctan2(np.linalg.norm(own - back), np.linalg.norm(own + back)))
        side = angle + _wide(hand, way.thinnest)
        return side, float(quat.angle_between(natural, way.turn)) + _wide(hand, way.width)

    # ways on sides that are as good are told apart by their turns, those that are as good keep their order
    sides, turns = np.array([cost(way) for way in ways]).T
    by_turn = order_of(turns)
    return [ways[k].turn for k in by_turn[order_of(sides[by_turn])]]


def _wide(hand: Hand, width: float) -> float:
    return WIDE * (width / (SPAN * hand.length)) ** 2


def grip_on(hand: Hand, held: Held, turn: Turn, natural: Vector | None) -> Vector:
    """Where the palm goes: the middle, or on a long thing that lies across the palm, near `natural`.

    The whole width of the hand stays on the thing.
    """
    if natural is None:
        return held.position
    across = quat.rotate(turn, hand.across)
    room = max(float(np.abs(held.axes @ across) @ held.half) - HALF_WIDTH * hand.length, 0.0)
    return held.position + np.clip((natural - held.position) @ across, -room, room) * across


def palm_at(
    poses: HandPoses,
    held: Held,
    grip: Vector,
    turn: Turn,
    *,
    along: float,
    across: float = 0.0,
    off: float = 0.0,
) -> PalmPlacement:
    """The open hand brought up to the thing until it touches, then taken `off` again.

    `grip`, a point of the thing, is then opposite the point of the palm at `along` and `across` (m) from the
    wrist.
    """
    from footfall.ik.grasp_kernel import approach

    hand = poses.hand
    point = along * hand.along + across * hand.across
    towards = quat.rotate(turn, hand.normal)
    surface = float(np.abs(held.axes @ towards) @ held.half) + held.skin
    far = surface + AWAY * hand.length
    start = grip - quat.rotate(turn, point) - far * towards
    back = quat.conjugate(held.orientation)
    gone = approach(
        kernel_hand(poses),
        hand.palm,
        hand.palm_radii,
        quat.rotate(back, start - held.position),
        quat.multiply(back, turn),
        quat.rotate(back, towards),
        held.half,
        held.skin,
        far - surface,  # past this the thing slips between fingers: the hand's bones are on its surface
    )
    return PalmPlacement(start + (gone - off) * towards, turn)


def kernel_hand(poses: HandPoses) -> tuple[np.ndarray, ...]:
    """What the kernels are told of a hand."""
    hand = poses.hand
    return (hand.places, hand.bones, hand.radii, poses.open, poses.closed - poses.open, hand.starts)


def _of_sphere(hand: Hand, held: Held, natural: Turn) -> list[Way]:
    return [Way(natural, 2.0 * held.skin, 2.0 * held.skin)]


def _of_box(hand: Hand, held: Held, natural: Turn) -> list[Way]:
    """Each face from outside, fingers along each of its edges, if the hand spans the box that way.

    Where it spans none, the thinnest way: a hand that cannot hold still goes where it would.
    """
    sizes, axes = held.extent, held.axes
    widest = max(SPAN * hand.length, float(sizes.min()))
    return [
        Way(
            hand_facing(hand, back=a * axes[face], along=b * axes[edge]),
            width=float(sizes[edge]),
            thinnest=float(np.delete(sizes, face).min()),
        )
        for face, edge in permutations(range(3), 2)
        if sizes[edge] <= widest
        for a, b in product((1.0, -1.0), repeat=2)
    ]


def _of_capsule(hand: Hand, held: Held, natural: Turn) -> list[Way]:
    """The back of the hand made square to the axis by the least turn, the axis across the palm.

    A back that lies along the axis tells no side: the hand then turns about its own fingers, thumb to where
    its back was, as for a bottle that stands on a table.
    """
    axis = held.axes[int(first_greatest(held.half))]
    back = quat.rotate(natural, -hand.normal)
    square = quat.cross(axis, quat.cross(back, axis))
    if np.linalg.norm(square) < PARALLEL:
        aside = quat.rotate(natural, -hand.across)
        square = aside - (aside @ axis) * axis
    square = square / np.linalg.norm(square)
    fingers = quat.cross(square, axis)
    turns = [hand_facing(hand, back=square, along=sign * fingers) for sign in (1.0, -1.0)]
    return [Way(turn, 2.0 * held.skin, 2.0 * held.skin) for turn in turns]


def hand_facing(hand: Hand, *, back: Vector, along: Vector) -> Turn:
    """The hand's orientation with its back and its fingers in these directions of the world."""
    own = np.stack([hand.along, -hand.normal, quat.cross(hand.along, -hand.normal)], axis=-1)
    world = np.stack([along, back, quat.cross(along, back)], axis=-1)
    return quat.from_matrix(world @ own.T)
