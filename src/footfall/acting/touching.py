"""The task `touch`: a fingertip on a point, or on the near side of a thing."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from jaxtyping import Float

from footfall.acting.footing import Footing
from footfall.acting.going import walk
from footfall.acting.hand_plan import Detour, HandPlan, Wanted, plan_hands
from footfall.acting.hand_script import Move, play
from footfall.acting.handling import HOLDS, LOOKS, away_moves, leave, taking_moves
from footfall.acting.rehearsal import natural_hands
from footfall.acting.report import TaskError
from footfall.acting.stage import Stage
from footfall.acting.taking import Taking
from footfall.control.hand_path import HandPlace
from footfall.figure.pose import Pose
from footfall.geometry import quaternion as quat
from footfall.world.shapes.distance import nearest_points
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.sphere import Sphere

POINTED = 1e-4  # m: the size of a point
STAYS = 0.4  # s that a finger stays there
SHOULDER = 1.3  # m over the ground, from where a near side is near
TIP = "index"

Vector = Float[np.ndarray, "3"]


def touch(stage: Stage, target: object, asked: object) -> tuple[float, str]:
    """Goes there, touches it and takes the hand back; by what the fingertip missed it, m, and what is said.

    What cannot be reached is touched as nearly as can be, and said.
    """
    side = str(asked) if asked in ("left", "right") else "right"
    if side in stage.grab.held:
        raise TaskError(f"the {side} hand is full: it holds {stage.grab.held[side].name!r}")
    thing = target if isinstance(target, Placed) else Placed(Sphere(POINTED), np.asarray(target, dtype=float))
    tip = fingertip(stage, side)
    clear = (*stage.things.solids(stage.time),)
    own = () if isinstance(target, Placed) else clear
    wanted = Wanted(
        thing,
        (side,),
        lambda stage, footing, stand: _touches(stage, thing, side, tip, stand),
        lambda taking, stand, detour: taking_moves(stage, taking, stand, detour),
        lambda taking, stand, detour: away_moves(stage, taking, stand, detour),
        tuple(one for one in own if one is not thing),
    )
    says = ""
    try:
        plan = plan_hands(stage, wanted)
        walk(stage, plan.footing, look=np.asarray(thing.position))
    except TaskError as error:
        says = str(error)
        plan = _as_near_as_can_be(stage, thing, side, tip)
    stage.gaze.command(look_at=tuple(thing.position))
    stage.grab.open(side)
    stage.run(LOOKS)
    play(plan.moves, stage.base, stage.reaching, stage.hands, stage.run)
    place = plan.taking.places[side]
    stage.run(HOLDS)
    goal = np.asarray(place.position) + quat.rotate(place.turn, tip)
    missed = float(np.linalg.norm(_tip_now(stage, side, tip) - goal))
    if says:
        says = f"{says}; its nearest point is touched, {missed:.3f} m from it"
    stage.run(STAYS)
    leave(stage, plan)
    return missed, says


def fingertip(stage: Stage, side: str) -> Vector:
    """The tip of the index finger of an open hand, in the hand's frame; without fingers, the hand's joint."""
    poses = stage.grab.poses(side)
    if poses is None or TIP not in poses.hand.fingers:
        return np.zeros(3)
    hand = poses.hand
    k = hand.fingers.index(TIP)
    own = slice(int(hand.starts[k]), int(hand.starts[k + 1]))
    return np.asarray(hand.places[own][0] + hand.bones[own].sum(axis=0))


def _tip_now(stage: Stage, side: str, tip: Vector) -> Vector:
    places, turns = stage.placed()
    joint = stage.skeleton.joint(f"{side}_hand")
    return np.asarray(places[joint] + quat.rotate(turns[joint], tip))


def _touches(stage: Stage, thing: Placed, side: str, tip: Vector, stand: Pose) -> Iterator[Taking]:
    """The hand as it comes, its fingertip on the near side."""
    shoulder = np.array([stand.root[0], stage.here[1] + SHOULDER, stand.root[2]])
    _, near = nearest_points(Placed(Sphere(POINTED), shoulder), thing)
    _, natural = natural_hands(stage, stand, {side: near})
    turn = natural[side][1]
    place = HandPlace(near - quat.rotate(turn, tip), turn)
    out = shoulder - near
    yield Taking({side: place}, {side: out / np.linalg.norm(out)}, {}, thing)


def _as_near_as_can_be(stage: Stage, thing: Placed, side: str, tip: Vector) -> HandPlan:
    """From where the figure stands."""
    taking = next(_touches(stage, thing, side, tip, stage.base))
    return HandPlan(Footing(stage.here, stage.facing), taking, (Move(taking.places, "reach"),), Detour(), 0.0)
