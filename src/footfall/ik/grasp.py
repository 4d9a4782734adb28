"""Grasping: fingers closed round a sphere, a box or a capsule until they touch it ([body] 5.3).

>>> poses = poses_of(hand_of(skeleton, "right"))
>>> taken = grasp(poses, ball, orientation=turned, position=wrist)
>>> taken.holds, taken.why
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from jaxtyping import Bool, Float

from footfall.figure.frozen import frozen_array
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import clearly_less, first_greatest
from footfall.ik.hand_pose import HandPoses
from footfall.ik.held import TOUCH, Held, Solid, held_of
from footfall.ik.palm_placement import SPAN, PalmPlacement, grip_on, hand_turns, kernel_hand, palm_at

MOST_DEPTH = 1e-3  # m that a finger may be inside what it holds
SEGMENTS, FINGERS = 3, 2  # that touch, at least, when a hand holds
FRICTION = 0.7  # of skin on things, on the low side
OPPOSED = float(np.pi - 2.0 * np.arctan(FRICTION))  # rad, 110 degrees: touches at this angle still hold
# where on the palm a thing may be, the likeliest first: shares of the palm's length from the wrist, of the
# hand's length towards the index finger, and of it off the palm
ALONG = (0.9, 1.0, 0.8, 1.1, 0.7, 1.2, 1.3, 1.45)
ACROSS = (0.0, 0.08, 0.16, -0.08)
OFF = (0.0, 0.06, 0.15)
STRAYED_ACROSS, STRAYED_ALONG, OFF_PALM = 12.0, 6.0, 30.0  # what a unit of these costs, in segments
NARROWEST = 0.04  # of the hand's length: the thinnest that fingers and thumb still meet round


@dataclass(frozen=True, eq=False)
class Grasp:
    """A hand closed on something. Segments are in the order of `poses.hand.roles`."""

    poses: HandPoses
    held: Held
    placement: PalmPlacement
    shares: Float[np.ndarray, "segments"]  # from open (0) to closed (1), where each stopped
    gaps: Float[np.ndarray, "segments"]  # m from the thing's surface; negative inside
    palm_gap: float  # m from the palm to the thing
    pressing: Float[np.ndarray, "segments 3"]  # unit, in the thing's frame: out of it, where each is nearest

    @property
    def touches(self) -> Bool[np.ndarray, "segments"]:
        return self.gaps <= TOUCH

    @property
    def depth(self) -> float:
        """How far the deepest segment is inside, m."""
        return float(np.maximum(-self.gaps, 0.0).max())

    @property
    def fingers(self) -> tuple[str, ...]:
        """Those that touch."""
        hand = self.poses.hand
        return tuple(hand.fingers[k] for k in np.unique(hand.finger_of[self.touches]))

    @cached_property
    def opposition(self) -> float:
        """The widest angle, rad, between how the thumb presses and how a finger does; 0 without both."""
        thumb = self.touches & (self.poses.hand.finger_of == 0) & self.poses.hand.has_thumb
        others = self.touches & ~thumb
        if not (thumb.any() and others.any()):
            return 0.0
        least = float((self.pressing[thumb] @ self.pressing[others].T).min())
        return float(np.arccos(np.clip(least, -1.0, 1.0)))

    @property
    def opposed(self) -> bool:
        """Whether thumb and fingers press against each other so that friction keeps the thing there."""
        return self.opposition >= OPPOSED

    @property
    def holds(self) -> bool:
        enough = int(self.touches.sum()) >= SEGMENTS and len(self.fingers) >= FINGERS
        return enough and self.depth <= MOST_DEPTH and (self.opposed or not self.poses.hand.has_thumb)

    @property
    def why(self) -> str:
        """One sentence on what is missing; empty where the hand holds."""
        if self.holds:
            return ""
        hand, sizes = self.poses.hand, self.held.extent
        name, span = f"the {hand.side} hand cannot hold this {self.held.kind}", SPAN * hand.length
        touching = f"{int(self.touches.sum())} segments of {len(self.fingers)} fingers touch it"
        if len(hand.roles) < SEGMENTS or len(hand.fingers) < FINGERS:
            has = ", ".join(hand.roles)
            return f"{name}: it needs {FINGERS} fingers with {SEGMENTS} segments in all, and has {has}"
        if sizes.min() > span:
            return f"{name}: it is {sizes.min():.2f} m thick, and the hand goes round {span:.2f} m at most"
        if sizes.max() < NARROWEST * hand.length:
            return f"{name}: it is {sizes.max():.3f} m large, which is too small for these fingers"
        if self.depth > MOST_DEPTH:
            return f"{name} from here: the open hand is {self.depth:.3f} m inside it"
        if int(self.touches.sum()) < SEGMENTS or len(self.fingers) < FINGERS:
            return f"{name} from here: {touching}, and {SEGMENTS} of {FINGERS} are needed"
        return f"{name} from here: {touching}, but the thumb does not press against them"

    def rotations(self, share: float = 1.0) -> dict[str, Float[np.ndarray, "4"]]:
        """Joint rotations by role when the hand has gone a share of the way: 0 is open, 1 the grasp."""
        turns = self.poses.rotations(np.minimum(self.shares, share * float(self.shares.max(initial=0.0))))
        return dict(zip(self.poses.hand.roles, turns, strict=True))


def close_hand(poses: HandPoses, thing: Solid | Held, placement: PalmPlacement) -> Grasp:
    """Closes the fingers of a hand that is where it should be."""
    from footfall.ik.grasp_kernel import close_fingers, gap_of_palm

    held = thing if isinstance(thing, Held) else held_of(thing)
    back, count = quat.conjugate(held.orientation), len(poses.hand.roles)
    shares, gaps, along = np.zeros(count), np.empty(count), np.empty(count)
    starts, axes = np.empty((count, 3)), np.empty((count, 3))
    place = quat.rotate(back, np.asarray(placement.position) - held.position)
    turn = quat.multiply(back, np.asarray(placement.orientation))
    thing_is = (held.half, held.skin)
    close_fingers(
        kernel_hand(poses), place, turn, *thing_is, poses.hand.has_thumb, shares, gaps, along, starts, axes
    )
    palm_gap = gap_of_palm(poses.hand.palm, poses.hand.palm_radii, place, turn, *thing_is)
    return Grasp(poses, held, placement, shares, gaps, palm_gap, held.nearest(starts + along[:, None] * axes))


def grasp(
    poses: HandPoses,
    thing: Solid | Held,
    *,
    orientation: Float[np.ndarray, "4"],
    position: Float[np.ndarray, "3"] | None = None,
) -> Grasp:
    """The best grasp near a natural hand pose: the least turn that holds; where none does, the best there is.

    `orientation` and `position` are the hand joint's, in the world, where a reach would bring it. Without a
    position long things are taken in the middle.
    """
    held = thing if isinstance(thing, Held) else held_of(thing)
    natural = quat.normalize(frozen_array(orientation, "orientation", shape=(4,)))
    place = None if position is None else frozen_array(position, "position", shape=(3,))
    best: Grasp | None = None
    for turn in hand_turns(poses.hand, held, natural):
        found = _best_there(poses, held, grip_on(poses.hand, held, turn, place), turn)
        if found.holds:
            return found
        if best is None or clearly_less(_merit(best), _merit(found)):
            best = found
    assert best is not None  # there is always a way to come near
    return best


def _best_there(
    poses: HandPoses, held: Held, grip: Float[np.ndarray, "3"], turn: Float[np.ndarray, "4"]
) -> Grasp:
    """The best of several places on the palm."""
    hand = poses.hand

    def tried(off: float, across: float, along: float) -> tuple[float, Grasp]:
        sizes = {"along": along * hand.palm_length, "across": across * hand.length, "off": off * hand.length}
        taken = close_hand(poses, held, palm_at(poses, held, grip, turn, **sizes))
        strayed = STRAYED_ACROSS * abs(across) + STRAYED_ALONG * abs(along - ALONG[0])
        return _merit(taken) - strayed, taken

    found = [tried(*where) for where in product(OFF, ACROSS, ALONG)]
    return found[int(first_greatest(np.array([merit for merit, _ in found])))][1]


def _merit(taken: Grasp) -> float:
    """A hold first; then tips and other segments that touch, fingers that do, and a thumb opposite."""
    tips = taken.poses.hand.starts[1:] - 1
    return (
        20.0 * taken.holds
        + float(taken.touches.sum())
        + float(taken.touches[tips].sum())
        + float(len(taken.fingers))
        + 3.0 * taken.opposition
        - OFF_PALM * taken.palm_gap / taken.poses.hand.length
        - 1e4 * max(taken.depth - MOST_DEPTH, 0.0)
    )
