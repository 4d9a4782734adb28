"""Where hands carry what they hold: before the chest, as upright as it was taken."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.acting.rehearsal import natural_hands, reached_from
from footfall.acting.stage import Stage
from footfall.acting.taking import Taking, moved_with
from footfall.control.hand_path import CHEST, HandPlace
from footfall.figure.pose import Pose
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import clearly_less
from footfall.world.shapes.placed import Placed

# m ahead of the chest's joint, over it, and aside to the hand that carries: the likeliest first
PLACES = ((0.30, -0.22, 0.16), (0.34, -0.16, 0.12), (0.30, -0.30, 0.22), (0.38, -0.10, 0.20))
HIGH = ((0.26, -0.04, 0.18), (0.30, 0.0, 0.16), (0.34, -0.04, 0.20))  # over a high table
HIGH_TABLE = 0.85  # m over the ground
READY = {  # the same, of a hand that goes over an edge next
    "usual": (0.26, -0.10, 0.20),
    "near": (0.14, -0.06, 0.30),
    "beside": (0.0, -0.12, 0.36),
}
SIDE = {"left": 1.0, "right": -1.0}
TRUNK, CLEAR = 0.16, 0.02  # m from the chest's joint to its skin, and from there to the thing


def carry_places(
    stage: Stage, taking: Taking, base: Pose, facing: float, *, high: bool = False
) -> dict[str, HandPlace]:
    """Beside the chest, by side; the first place that hands reach with the thing clear of the trunk.

    One hand carries as it comes; two keep the thing as it was.
    """
    ahead, left = _directions(facing)
    places, _ = stage.ik.placed(base)
    chest = places[stage.skeleton.joint("chest")]
    low, up_to = taking.thing.along(ahead)
    depth = 0.5 * (up_to - low)
    aside = SIDE[taking.sides[0]] if len(taking.sides) == 1 else 0.0
    found: dict[str, HandPlace] = {}
    least = np.inf
    for far, up, by in HIGH if high else PLACES:
        centre = (
            chest + max(far, depth + TRUNK + CLEAR) * ahead + np.array([0.0, up, 0.0]) + aside * by * left
        )
        if aside:
            rather, natural = natural_hands(stage, base, {taking.sides[0]: centre})
            hands = {side: HandPlace(centre, turn) for side, (_, turn) in natural.items()}
        else:
            hands = dict(
                moved_with(taking, Placed(taking.thing.shape, centre, taking.thing.orientation)).places
            )
            rather, _ = natural_hands(stage, base, {s: p.position for s, p in hands.items()})
        tried = reached_from(stage, base, rather, hands, ())
        off = tried.missed + 0.1 * tried.turned
        if clearly_less(off, least):
            least, found = off, {side: beside_chest(stage, base, p) for side, p in hands.items()}
        if tried.reached:
            break
    return found


def is_high(stage: Stage, thing: Placed) -> bool:
    """Whether a thing lies so high that hands carry it over that."""
    bottom = thing.along(np.array([0.0, 1.0, 0.0]))[0]
    return bottom - float(stage.here[1]) > HIGH_TABLE


def beside_chest(stage: Stage, base: Pose, place: HandPlace) -> HandPlace:
    """A place of the world as it is told beside the chest."""
    places, turns = stage.ik.placed(base)
    joint = stage.skeleton.joint("chest")
    back = quat.conjugate(turns[joint])
    position = quat.rotate(back, np.asarray(place.position) - places[joint])
    return HandPlace(position, quat.multiply(back, place.turn), CHEST)


def ready_places(stage: Stage, taking: Taking, base: Pose, facing: float, where: str) -> dict[str, HandPlace]:
    """Where hands are made ready to go over something: near the chest, turned as they come."""
    ahead, left = _directions(facing)
    places, _ = stage.ik.placed(base)
    chest = places[stage.skeleton.joint("chest")]
    far, up, by = READY[where]
    at = {
        side: chest + far * ahead + np.array([0.0, up, 0.0]) + SIDE[side] * by * left for side in taking.sides
    }
    _, natural = natural_hands(stage, base, at)
    return {side: HandPlace(place, natural[side][1]) for side, place in at.items()}


def _directions(facing: float) -> tuple[Float[np.ndarray, "3"], Float[np.ndarray, "3"]]:
    ahead = ground.direction_of(facing)
    return ahead, np.array([ahead[2], 0.0, -ahead[0]])
