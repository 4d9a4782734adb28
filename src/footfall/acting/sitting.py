"""The task `sit`: down on a seat, and up again."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.acting.footing import Footing
from footfall.acting.going import walk
from footfall.acting.report import TaskError
from footfall.acting.stage import Stage
from footfall.control.playing import carried, frame_under
from footfall.errors import RequestError
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import first_least
from footfall.geometry.easing import smoother
from footfall.geometry.ground import GroundFrame
from footfall.ik.full_body import Goal
from footfall.planning.footsteps.reasons import why_not_there
from footfall.world.shapes.placed import Placed

SECONDS = 1.6  # that sitting down takes, and getting up
SEAT = 0.45  # m high, where nothing tells
LOWEST, HIGHEST = 0.25, 0.70  # m over the ground that one sits on
BEHIND = 0.40  # m from where the hips are in a stand to where they are on a seat, at the most
EDGE = 0.12  # m from the seat's edge to where the hips come to be
LEANS = 0.55  # rad that the trunk leans forward halfway
SIDES = 16
HIPS_OVER = 0.5  # of the thigh's thickness between hip joints and seat


def sit(stage: Stage, target: object, heading: float | None) -> float:
    """Goes before a seat, turns round and sits down; how far the hips are from where they should be, m."""
    if stage.sitting:
        raise TaskError("the figure sits already")
    own = stage.library.by_name.get("right_sitting") or stage.library.by_name.get("left_sitting")
    if own is None:
        raise TaskError("the reach library has no one who sits: there is no pose to sit in")
    seat, level = _seat(stage, target)
    footing = _before_seat(stage, seat, heading)
    walk(stage, footing)
    hips = _hips_goal(stage, seat)
    start = stage.base
    root, rotations = own.tables.blend(np.eye(len(own.examples))[0], np.array([0.0]))
    seated = _seated(stage, start, Pose(root[0], rotations[0]), hips, level)
    motion = _down(stage, start, seated)
    stage.walks.follow(motion)
    stage.until(lambda: stage.walks.standing, motion.seconds + 1.0)
    stage.sitting, stage.seated_from = True, motion
    stage.reaching.posture = "sitting"
    return float(np.linalg.norm((stage.base.root - hips)[[0, 2]]))


def _seat(stage: Stage, target: object) -> tuple[Placed | Float[np.ndarray, "3"], float]:
    """What is sat on, and how high it is over the ground."""
    if isinstance(target, Placed):
        top = target.along(np.array([0.0, 1.0, 0.0]))[1]
        high = top - stage.terrain_level(np.asarray(target.position))
        if not LOWEST <= high <= HIGHEST:
            raise TaskError(f"its top is {high:.2f} m high: one sits on {LOWEST:.2f} to {HIGHEST:.2f} m")
        return target, top
    values = np.asarray(target, dtype=float)
    place = np.array([values[0], stage.here[1], values[-1]])
    level = stage.terrain_level(place)
    high = SEAT if len(values) == 2 else float(values[1]) - level
    if not LOWEST <= high <= HIGHEST:
        raise TaskError(f"the seat is {high:.2f} m high: one sits on {LOWEST:.2f} to {HIGHEST:.2f} m")
    return np.array([values[0], level, values[-1]]), level + high


def _before_seat(stage: Stage, seat: Placed | Float[np.ndarray, "3"], heading: float | None) -> Footing:
    """Before the seat, its back to it: where it can stand, the nearest first."""
    middle = np.asarray(seat.position if isinstance(seat, Placed) else seat)
    planner = stage.planner(middle)
    angles = [heading] if heading is not None else list(2.0 * np.pi * np.arange(SIDES) / SIDES)
    found: list[tuple[float, Footing]] = []
    for angle in angles:
        out = ground.direction_of(float(angle))
        edge = _reach_along(seat, out)
        for away in (0.18, 0.22, 0.27):
            place = middle + (edge + away) * out
            place[1] = stage.terrain_level(np.array([place[0], stage.here[1], place[2]]))
            footing = Footing(place, float(angle))
            if np.isfinite(place[1]) and not why_not_there(planner, place, float(angle)):
                found.append((float(np.linalg.norm(place - stage.here)) + edge, footing))
                break
    if not found:
        raise TaskError("there is no place to stand before the seat")
    return found[int(first_least(np.array([away for away, _ in found])))][1]


def _reach_along(seat: Placed | Float[np.ndarray, "3"], out: Float[np.ndarray, "3"]) -> float:
    """m from a seat's middle to its edge that way."""
    if not isinstance(seat, Placed):
        return EDGE
    return float(seat.along(out)[1] - np.asarray(seat.position) @ out)


def _hips_goal(stage: Stage, seat: Placed | Float[np.ndarray, "3"]) -> Float[np.ndarray, "3"]:
    """Where the hips come to be, on the ground plan: behind where they stand, over the seat."""
    out = ground.direction_of(stage.facing)
    here = np.asarray(stage.base.root)
    middle = np.asarray(seat.position if isinstance(seat, Placed) else seat)
    edge = _reach_along(seat, out)
    wish = float((here - middle) @ out) - (edge - EDGE)
    return here - min(max(wish, 0.0), BEHIND) * out


def _seated(stage: Stage, start: Pose, sits: Pose, hips: Float[np.ndarray, "3"], level: float) -> Pose:
    """The pose of one who sits, hips on the seat, feet where they stand."""
    frame = frame_under(stage.skeleton, sits)
    there = carried(sits, frame, GroundFrame(hips * [1.0, 0.0, 1.0], np.array(stage.facing)))
    places, turns = stage.ik.placed(start)
    leg = stage.skeleton.leg_length()
    root = np.array([hips[0], level + 0.085 * leg, hips[2]])
    feet = [
        Goal(j, places[j], turns[j])
        for j in (stage.skeleton.joint(f"{side}_foot") for side in stage.skeleton.sides)
    ]
    planted, missed = stage.ik.planted(Pose(root, there.rotations), feet)
    if missed > 1e-3:
        raise TaskError(f"feet would leave the ground by {missed:.2f} m on this seat")
    return planted


def _down(stage: Stage, start: Pose, seated: Pose) -> Motion:
    """From a stand to a seat: the trunk leans forward, hips go back and down, feet stay."""
    count = round(SECONDS * stage.fps) + 1
    shares = smoother(np.linspace(0.0, 1.0, count))
    places, turns = stage.ik.placed(start)
    feet = [
        Goal(j, places[j], turns[j])
        for j in (stage.skeleton.joint(f"{side}_foot") for side in stage.skeleton.sides)
    ]
    spine = stage.skeleton.tree.path(stage.skeleton.joint("hips"), stage.skeleton.joint("chest"))
    roots, rotations = [], []
    for share in shares:
        turned = quat.slerp(start.rotations, seated.rotations, share)
        lean = LEANS * 4.0 * share * (1.0 - share) / len(spine)
        for joint in spine:  # about the figure's left, which is x of an upright joint
            turned[joint] = _leaned(stage, turned, joint, lean)
        back = share + 0.25 * np.sin(np.pi * share)  # hips go back before they go down
        root = np.array(start.root)
        root[[0, 2]] += min(back, 1.0) * (seated.root - start.root)[[0, 2]]
        root[1] += share * (seated.root - start.root)[1]
        pose, missed = stage.ik.planted(Pose(root, turned), feet)
        if missed > 5e-3:
            raise RequestError("feet do not stay where they are")
        roots.append(pose.root)
        rotations.append(pose.rotations)
    stands = np.ones((count, 2), dtype=bool)
    return Motion(
        stage.skeleton, np.array(roots), np.array(rotations), stage.fps, contacts=Contacts(stands, stands)
    )


def _leaned(stage: Stage, rotations: Float[np.ndarray, "joints 4"], joint: int, lean: float):  # type: ignore[no-untyped-def]
    """A joint leaned forward about the left of the rest pose."""
    rest = stage.skeleton.rest_orientations[joint]
    axis = quat.rotate(quat.conjugate(rest), np.array([1.0, 0.0, 0.0]))
    return quat.multiply(rotations[joint], quat.exp(lean * axis))
