"""How hands take a thing: one hand's grasp, or two palms against the sides of a large box."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.acting.report import TaskError
from footfall.control.grab import HeldThing
from footfall.control.hand_path import HandPlace
from footfall.errors import RequestError
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import first_greatest
from footfall.ik.grasp import ALONG, Grasp, grasp
from footfall.ik.hand_pose import HandPoses
from footfall.ik.held import Held, held_of
from footfall.ik.palm_placement import SPAN, hand_facing, palm_at
from footfall.world.shapes.placed import Placed

WIDEST = 0.75  # m between palms
AWAY, RAISED = 0.07, 0.06  # m from the thing, and over, that a hand is before it takes it and after
TILTS = (0.0, 0.5, 1.0, 0.75, 0.25)  # of the way from how a hand comes to one that comes from above
LOWER = 0.15  # of a box's height under its middle two palms lie
FALLS = 0.35  # of the way from level to straight down that fingers of two palms point

Turn = Float[np.ndarray, "4"]
Vector = Float[np.ndarray, "3"]


@dataclass(frozen=True, eq=False)
class Taking:
    """Where hands go to take a thing, and how fingers close then; by side."""

    places: Mapping[str, HandPlace]
    outwards: Mapping[str, Vector]  # unit, in the world: the way a hand comes from, and leaves to
    grasps: Mapping[str, Grasp]
    thing: Placed

    @property
    def sides(self) -> tuple[str, ...]:
        return tuple(self.places)

    def before(self) -> dict[str, HandPlace]:
        """Where hands are before they take it: off its side, and a little higher than it lies."""
        up = np.array([0.0, RAISED, 0.0])
        return {side: place.moved(AWAY * self.outwards[side] + up) for side, place in self.places.items()}

    def held(self, name: str, side: str) -> HeldThing:
        """Where the thing is beside a hand that has it."""
        place = self.places[side]
        back = quat.conjugate(place.turn)
        return HeldThing(
            name,
            quat.rotate(back, self.thing.position - place.position),
            quat.multiply(back, self.thing.orientation),
        )


def needs_both(poses: HandPoses | None, thing: Placed) -> bool:
    """Whether one hand cannot go round a thing, and two can."""
    if poses is None:
        return False
    held = held_of(thing)
    return float(np.sort(held.extent)[0]) > SPAN * poses.hand.length


def one_handed(poses: HandPoses, thing: Placed, natural: tuple[Vector, Turn]) -> Iterator[Taking]:
    """Grasps that hold, the most natural first; `natural` is where a reach would bring the hand."""
    side, held = poses.hand.side, held_of(thing)
    position, turn = natural
    seen: list[Turn] = []
    for tilt in TILTS:
        taken = grasp(poses, held, orientation=_from_above(poses, turn, tilt), position=position)
        own = np.asarray(taken.placement.orientation)
        if not taken.holds or any(float(quat.angle_between(own, one)) < 0.05 for one in seen):
            continue
        seen.append(own)
        place = HandPlace(np.asarray(taken.placement.position), own)
        out = -quat.rotate(own, poses.hand.normal)
        yield Taking({side: place}, {side: out}, {side: taken}, thing)


def why_not(poses: HandPoses, thing: Placed, natural: tuple[Vector, Turn]) -> str:
    """One sentence on why no grasp holds."""
    return grasp(poses, held_of(thing), orientation=natural[1], position=natural[0]).why


def _from_above(poses: HandPoses, turn: Turn, share: float) -> Turn:
    """A hand turned by some of the smallest turn that makes its palm look down."""
    if share == 0.0:
        return turn
    palm = quat.rotate(turn, poses.hand.normal)
    down = quat.between(palm, np.array([0.0, -1.0, 0.0]))
    return quat.multiply(quat.exp(share * quat.log(down)), turn)


def two_handed(poses: Mapping[str, HandPoses], thing: Placed, facing: float) -> Taking:
    """Both palms against two sides of a box, for who faces so."""
    held = held_of(thing)
    if held.kind != "box":
        raise TaskError(f"two hands carry boxes; this is a {held.kind} that is too large for one hand")
    left = quat.rotate(ground.turn(facing), np.array([1.0, 0.0, 0.0]))
    ahead = ground.direction_of(facing)
    axes = held.axes
    level = [k for k in range(3) if abs(axes[k][1]) < 0.3]
    if not level:
        raise TaskError("two hands carry boxes that stand on a side")
    k = level[int(first_greatest(np.abs(axes[level] @ left)))]
    width = float(held.extent[k])
    if width > WIDEST:
        raise TaskError(f"the box is {width:.2f} m wide, and two hands carry {WIDEST:.2f} m at most")
    towards_left = axes[k] * np.sign(float(axes[k] @ left))
    high = float(np.abs(axes[:, 1]) @ held.extent)
    places, outwards = {}, {}
    for side, own in poses.items():
        out = towards_left if side == "left" else -towards_left
        fingers = ahead - (ahead @ out) * out
        fingers = _unit(_unit(fingers) + FALLS / (1.0 - FALLS) * np.array([0.0, -1.0, 0.0]))
        fingers = _unit(fingers - (fingers @ out) * out)
        turn = hand_facing(own.hand, back=out, along=fingers)
        grip = held.position - np.array([0.0, LOWER * high, 0.0])
        found = palm_at(own, held, grip, turn, along=ALONG[0] * own.hand.palm_length)
        places[side] = HandPlace(np.asarray(found.position), np.asarray(found.orientation))
        outwards[side] = np.asarray(out)
    return Taking(places, outwards, {}, thing)


def moved_with(taking: Taking, thing: Placed) -> Taking:
    """The same hands round the thing at another place."""
    turn = quat.multiply(thing.orientation, quat.conjugate(taking.thing.orientation))
    places = {
        side: HandPlace(
            thing.position + quat.rotate(turn, np.asarray(at.position) - taking.thing.position),
            quat.multiply(turn, at.turn),
        )
        for side, at in taking.places.items()
    }
    outwards = {side: quat.rotate(turn, out) for side, out in taking.outwards.items()}
    return Taking(places, outwards, taking.grasps, thing)


def checked_held(thing: Placed) -> Held:
    """What hands can hold; other shapes are refused in a sentence."""
    try:
        return held_of(thing)
    except RequestError as error:
        raise TaskError(str(error)) from None


def _unit(v: Vector) -> Vector:
    return v / max(float(np.linalg.norm(v)), 1e-12)
