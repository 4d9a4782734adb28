"""Whether hands can do what they should from a stand: tried out before it is done.

A stand, the blended reach and inverse kinematics tell whether hands get there; the reach layer itself, run
on a body that stands still, whether arms and trunk keep clear of everything on the way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.acting.footing import Footing
from footfall.acting.hand_script import Move, play
from footfall.acting.stage import Stage
from footfall.control.hand_path import HandPaths, HandPlace
from footfall.control.playing import carried, frame_under
from footfall.control.reach import ReachController
from footfall.control.tick import Tick
from footfall.figure.capsules import BodyCapsules
from footfall.figure.pose import Pose
from footfall.geometry.decisions import clearly_less
from footfall.geometry.ground import GroundFrame
from footfall.models.reach.bring import foot_goals, hand_goals, reach_ik
from footfall.models.reach.reach_set import APEX
from footfall.world.body_room import body_room
from footfall.world.shapes.placed import Placed

EXACT, TURNED = 3e-4, 0.01  # m, rad: hands that are so near are there, with some to spare
ROUNDS = 40
RATE = 20.0  # Hz at which a way is tried out
SETTLES = 0.15  # s in which a hand comes to rest
PARTS = ("hand", "forearm", "upper_arm")  # of arms
BODY = ("hips", "chest", "head")
LEGS = ("thigh", "shank")

Places = Float[np.ndarray, "joints 3"]
Turns = Float[np.ndarray, "joints 4"]


@dataclass(frozen=True, eq=False)
class Rehearsed:
    """How a stand does: by what hands miss their places, and how much room arms have."""

    pose: Pose
    missed: float  # m
    turned: float  # rad
    room: float  # m

    @property
    def reached(self) -> bool:
        return not clearly_less(EXACT, self.missed) and not clearly_less(TURNED, self.turned)


def stood_at(stage: Stage, footing: Footing) -> Pose:
    """The stand of the figure, moved to a place."""
    base = stage.base
    here = GroundFrame(stage.here, np.array(stage.facing))
    facing = stage.facing if footing.facing is None else footing.facing
    return carried(base, here, GroundFrame(footing.place, np.array(facing)))


def natural_hands(
    stage: Stage, stand: Pose, targets: Mapping[str, Float[np.ndarray, "3"]]
) -> tuple[Pose, dict[str, tuple[Float[np.ndarray, "3"], Float[np.ndarray, "4"]]]]:
    """How examples reach for places from a stand: the pose, and where hand joints are and how turned."""
    sides = tuple(targets)
    hand = sides[0] if len(sides) == 1 else "both"
    name = f"{hand}_{stage.reaching.posture}"
    own = stage.library.by_name.get(name) or stage.library.set_of(sides[0], stage.reaching.posture)
    frame = frame_under(stage.skeleton, stand)
    level = _ground_under(stage, stand)
    frame = GroundFrame(np.array([frame.position[0], level, frame.position[2]]), frame.heading)
    middle = np.mean([np.asarray(t) for t in targets.values()], axis=0)
    weights = own.scheme(frame.to_local(middle))
    root, rotations = own.tables.blend(weights, np.array([APEX]))
    start = own.tables.blend(weights, np.array([0.0]))
    begins = frame_under(stage.skeleton, Pose(start[0][0], start[1][0]))
    pose = carried(Pose(root[0], rotations[0]), begins, frame)
    places, turns = stage.ik.placed(pose)
    joints = {side: stage.skeleton.joint(f"{side}_hand") for side in sides}
    return pose, {side: (places[j], turns[j]) for side, j in joints.items()}


def _ground_under(stage: Stage, stand: Pose) -> float:
    place = np.array([stand.root[0], stage.here[1], stand.root[2]])
    level = stage.terrain_level(place)
    return level if np.isfinite(level) else float(stage.here[1])


def reached_from(
    stage: Stage, stand: Pose, rather: Pose, places: Mapping[str, HandPlace], things: Sequence[Placed]
) -> Rehearsed:
    """Hands at places from a stand, the whole body helping; and the room that arms then have."""
    ik = reach_ik(stage.skeleton, tuple(places), stage.reaching.posture)
    at, turned = ik.placed(stand)
    goals = [
        *foot_goals(stage.skeleton, at, turned),
        *hand_goals(
            stage.skeleton,
            {side: np.asarray(place.position) for side, place in places.items()},
            {side: np.zeros(3) for side in places},
            {side: np.asarray(place.turn) for side, place in places.items()},
        ),
    ]
    solved = ik.solve(rather, goals, rather=rather, rounds=ROUNDS)
    missed = max(float(m) for m, g in zip(solved.missed, goals, strict=True) if g.position is not None)
    off = max(float(m) for m, g in zip(solved.missed, goals, strict=True) if g.position is None)
    room = arm_room(stage, solved.pose, tuple(places), things)
    return Rehearsed(solved.pose, missed, off, room)


def moving_parts(stage: Stage, sides: tuple[str, ...]) -> BodyCapsules:
    """What moves when these hands reach: their arms, the trunk and the legs."""
    arms = tuple(f"{side}_{part}" for side in sides for part in PARTS)
    legs = tuple(f"{side}_{part}" for side in stage.skeleton.sides for part in LEGS)
    return stage.capsules.only((*arms, *legs, *BODY))


def arm_room(stage: Stage, pose: Pose, sides: tuple[str, ...], things: Sequence[Placed]) -> float:
    places, turns = stage.ik.placed(pose)
    return float(body_room(moving_parts(stage, sides), places, turns, things).min())


def way_room(
    stage: Stage,
    stand: Pose,
    sides: tuple[str, ...],
    things: Sequence[Placed],
    moves: tuple[Move, ...],
    after: tuple[Move, ...],
    *,
    carrying: bool = False,
) -> tuple[float, float]:
    """The least room of the body while hands make their moves on a figure that stands still, m, and by what
    they miss the end of them; then they make those after it.

    Who is carrying has made the first move long before, and elsewhere.
    """
    reaching = ReachController(stage.library, posture=stage.reaching.posture)
    hands = HandPaths(reaching)
    own, clock = moving_parts(stage, sides), 0.0
    poses: list[tuple[Places, Turns]] = []

    def go(seconds: float) -> None:
        nonlocal clock
        for _ in range(max(round(seconds * RATE), 1)):
            clock += 1.0 / RATE
            tick = Tick(stand, stand, clock, 1.0 / RATE, None)
            hands.update(tick)
            poses.append(stage.ik.placed(reaching.update(tick)))

    play(moves[:1], stand, reaching, hands, go)
    if carrying:
        poses.clear()
    play(moves[1:], stand, reaching, hands, go)
    go(SETTLES)
    missed = max(reaching.status[side].missed for side in sides)
    play(after, stand, reaching, hands, go)
    places, turns = np.array([p[0] for p in poses]), np.array([p[1] for p in poses])
    return float(body_room(own, places, turns, things).min()), missed
