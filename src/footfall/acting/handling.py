"""Tasks of hands that hold: `pick_up` and `put_down`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from jaxtyping import Float

from footfall.acting.carry_place import carry_places, is_high, ready_places
from footfall.acting.footing import Footing
from footfall.acting.going import walk
from footfall.acting.hand_plan import Detour, HandPlan, Wanted, plan_hands
from footfall.acting.hand_script import Move, play
from footfall.acting.rehearsal import natural_hands
from footfall.acting.report import TaskError
from footfall.acting.stage import Stage
from footfall.acting.taking import (
    Taking,
    checked_held,
    moved_with,
    needs_both,
    one_handed,
    two_handed,
    why_not,
)
from footfall.figure.pose import Pose
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.ik.hand_pose import HandPoses
from footfall.world.shapes.placed import Placed

LOOKS = 0.3  # s that the gaze leads the reach
HOLDS = 0.15  # s in which a hand comes to rest
CLOSES = 0.35  # s
LIFTED = 0.10  # m over where it lay
SUNK = 0.05  # m that a place may be under the surface of what is there, beyond half the thing

Vector = Float[np.ndarray, "3"]


def pick_up(stage: Stage, name: str, asked: object) -> float:
    """Goes to a thing, takes it and lifts it; by what hands missed their places on it, m."""
    thing = stage.things[name]
    if thing.hands:
        raise TaskError(f"{name!r} is held already, by the {' and the '.join(thing.hands)} hand")
    checked_held(thing.placed)
    sides = hands_for(stage, asked, thing.placed)
    for side in sides:
        if side in stage.grab.held:
            raise TaskError(f"the {side} hand is full: it holds {stage.grab.held[side].name!r}")
    clear = (*stage.things.solids(stage.time, without=(name,)),)
    wanted = Wanted(
        thing.placed,
        sides,
        lambda stage, footing, stand: takings(stage, thing.placed, sides, footing, stand),
        lambda taking, stand, detour: taking_moves(stage, taking, stand, detour),
        lambda taking, stand, detour: _lifting_moves(stage, taking, stand, detour),
        clear,
    )
    plan = plan_hands(stage, wanted)
    walk(stage, plan.footing, look=np.asarray(thing.placed.position))
    stage.gaze.command(look_at=tuple(thing.placed.position))
    for side in sides:
        stage.grab.open(side)
    stage.run(LOOKS)
    taking, base = plan.taking, stage.base
    play(plan.moves, base, stage.reaching, stage.hands, stage.run)
    missed = _exactly(stage, taking)
    for side in sides:
        stage.grab.close(side, taking.grasps.get(side))
    stage.run(CLOSES)
    missed = max(missed, _missed(stage, taking))
    for side in sides:
        stage.grab.hold(side, taking.held(name, side))
    thing.hands = sides
    stage.taken[name] = taking, stage.facing
    play(_lifting_moves(stage, taking, base, plan.detour), base, stage.reaching, stage.hands, stage.run)
    stage.gaze.command(look_at=None)
    return missed


def put_down(stage: Stage, point: Sequence[float], asked: object) -> float:
    """Brings what is held to a place and leaves it there; how far from the place it was left, m."""
    name = held_name(stage, asked)
    thing = stage.things[name]
    sides, (taken, faced) = thing.hands, stage.taken[name]
    there = resting_place(stage, name, np.asarray(point, dtype=float))
    high = is_high(stage, Placed(thing.placed.shape, there, thing.placed.orientation))

    def ways(_: Stage, footing: Footing, stand: Pose) -> Iterable[Taking]:
        turn = quat.multiply(ground.turn(facing_of(stage, stand) - faced), taken.thing.orientation)
        yield moved_with(taken, Placed(thing.placed.shape, there, turn))

    clear = (*stage.things.solids(stage.time, without=(name,)),)
    wanted = Wanted(
        Placed(thing.placed.shape, there, thing.placed.orientation),
        sides,
        ways,
        lambda taking, stand, detour: (
            Move(carry_places(stage, taking, stand, facing_of(stage, stand), high=high), "reach"),
            *_leaving_moves(taking, detour),
        ),
        lambda taking, stand, detour: away_moves(stage, taking, stand, detour),
        clear,
        carrying=True,
    )
    plan = plan_hands(stage, wanted)
    if high:
        carry = carry_places(stage, taken, stage.base, stage.facing, high=True)
        play((Move(carry),), stage.base, stage.reaching, stage.hands, stage.run)
    walk(stage, plan.footing, look=there)
    stage.gaze.command(look_at=tuple(there))
    stage.run(LOOKS)
    play(plan.moves[1:], stage.base, stage.reaching, stage.hands, stage.run)
    _exactly(stage, plan.taking)
    missed = float(np.linalg.norm(thing.placed.position - there))
    for side in sides:
        stage.grab.let_go(side)
    thing.hands, thing.dropped = (), True
    del stage.taken[name]
    stage.run(CLOSES)
    leave(stage, plan)
    return missed


def leave(stage: Stage, plan: HandPlan) -> None:
    """Hands leave what they had, and go back to rest."""
    for side in plan.taking.sides:
        stage.grab.relax(side)
    stage.gaze.command(look_at=None)
    moves = away_moves(stage, plan.taking, stage.base, plan.detour)
    play(moves, stage.base, stage.reaching, stage.hands, stage.run)


def away_moves(stage: Stage, taking: Taking, stand: Pose, detour: Detour) -> tuple[Move, ...]:
    """Off the thing, over an edge if need be, and back to rest."""
    moves = [Move(taking.before())]
    if detour.by:
        ready = ready_places(stage, taking, stand, facing_of(stage, stand), detour.by)
        moves.append(Move(ready, over=detour.over))
    return (*moves, Move(taking.places, "back"))


def hands_for(stage: Stage, asked: object, thing: Placed) -> tuple[str, ...]:
    """The hands of a task: those that are asked for; else the right one, or both for what is large."""
    if asked == "both":
        return ("left", "right")
    if asked in ("left", "right"):
        return (str(asked),)
    if needs_both(stage.grab.poses("right"), thing):
        return ("left", "right")
    return ("left",) if "right" in stage.grab.held and "left" not in stage.grab.held else ("right",)


def held_name(stage: Stage, asked: object) -> str:
    held = {side: thing.name for side, thing in stage.grab.held.items()}
    if not held:
        raise TaskError("no hand holds anything")
    if asked in ("left", "right"):
        if asked not in held:
            raise TaskError(
                f"the {asked} hand holds nothing; the other one holds {next(iter(held.values()))!r}"
            )
        return held[str(asked)]
    return next(iter(held.values()))


def takings(
    stage: Stage, thing: Placed, sides: tuple[str, ...], footing: Footing, stand: Pose
) -> Iterator[Taking]:
    """Ways in which hands can take a thing from a stand."""
    poses = {side: _poses(stage, side) for side in sides}
    if len(sides) == 2:
        yield two_handed(poses, thing, facing_of(stage, stand))
        return
    side = sides[0]
    _, natural = natural_hands(stage, stand, {side: np.asarray(thing.position)})
    any_holds = False
    for taking in one_handed(poses[side], thing, natural[side]):
        any_holds = True
        yield taking
    if not any_holds and needs_both(poses[side], thing):
        raise TaskError(why_not(poses[side], thing, natural[side]))


def _poses(stage: Stage, side: str) -> HandPoses:
    found = stage.grab.poses(side)
    if found is None:
        raise TaskError(f"the {side} hand has no fingers to hold anything")
    return found


def taking_moves(stage: Stage, taking: Taking, stand: Pose, detour: Detour) -> tuple[Move, ...]:
    """To before the thing, over an edge if need be, then up to it."""
    before = taking.before()
    if not detour.by:
        return (Move(before, "reach"), Move(taking.places))
    ready = ready_places(stage, taking, stand, facing_of(stage, stand), detour.by)
    return (Move(ready, "reach"), Move(before, over=detour.over), Move(taking.places))


def _lifting_moves(stage: Stage, taking: Taking, stand: Pose, detour: Detour) -> tuple[Move, ...]:
    """Up with the thing, and to the chest."""
    lifted = {side: place.moved(np.array([0.0, LIFTED, 0.0])) for side, place in taking.places.items()}
    high = is_high(stage, taking.thing)
    carry = carry_places(stage, taking, stand, facing_of(stage, stand), high=high)
    return (Move(lifted), Move(carry, over=detour.over))


def _leaving_moves(taking: Taking, detour: Detour) -> tuple[Move, ...]:
    """From the chest to over the place, and down."""
    above = {side: place.moved(np.array([0.0, LIFTED, 0.0])) for side, place in taking.places.items()}
    return (Move(above, over=detour.over), Move(taking.places))


def facing_of(stage: Stage, stand: Pose) -> float:
    """The facing of a stand, beside that of the figure now."""
    turn = quat.multiply(stand.rotations[0], quat.conjugate(stage.base.rotations[0]))
    ahead = quat.rotate(turn, ground.direction_of(stage.facing))
    return float(ground.heading_of(ahead))


def _exactly(stage: Stage, taking: Taking) -> float:
    """Waits until hands are where they are to be; by what they miss it then, m."""
    stage.run(HOLDS)
    return _missed(stage, taking)


def _missed(stage: Stage, taking: Taking) -> float:
    places, _ = stage.placed()
    hands = {side: stage.skeleton.joint(f"{side}_hand") for side in taking.sides}
    return max(float(np.linalg.norm(places[j] - taking.places[side].position)) for side, j in hands.items())


def resting_place(stage: Stage, name: str, point: Vector) -> Vector:
    """Where the middle of a thing comes to be: at the point, or on the surface that is just under it."""
    thing = stage.things[name]
    there = Placed(thing.placed.shape, point, thing.placed.orientation)
    low, high = there.along(np.array([0.0, 1.0, 0.0]))
    half = 0.5 * (high - low)
    for solid in stage.things.solids(stage.time, without=(name,)):
        top = solid.along(np.array([0.0, 1.0, 0.0]))[1]
        inside = float(solid.distance_to(np.array([point[0], min(point[1], top), point[2]]))) <= 1e-9
        if inside and low < top - 1e-6:
            if top - low > half + SUNK:
                raise TaskError(f"the place is inside something that reaches up to {top:.2f} m")
            return np.array([point[0], top + half, point[2]])
    level = float(stage.terrain.height(np.array(point[0]), np.array(point[2]), np.array(point[1] + half)))
    if np.isfinite(level) and low < level:
        return np.array([point[0], level + half, point[2]])
    return point
