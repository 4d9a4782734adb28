"""Where each foot must be so that its contacts do not move: pinned heels, flat soles, pinned toes.

A flat sole has a footprint: the mean place and turn of the foot over its flat frames. While only the heel
touches, the foot turns about the footprint's heel; while only the toe touches, about its toe. Between
contacts the correction is bridged.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Bool, Float

from footfall.adapt.bridging import bridged
from footfall.analysis.floor import Floor
from footfall.analysis.plants import Plant
from footfall.figure.contacts import Contacts
from footfall.figure.feet import FootPoints
from footfall.figure.motion import Motion
from footfall.figure.soles import toe_point_on_toe
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import wrap

ELSEWHERE = 0.08  # m: a foot this far under its neighbouring plant stands on other ground, or will
SETTLE = 0.20  # s in which a foot's residual speed at touch-down and lift-off is smoothed away


@dataclass(frozen=True, eq=False)
class PinnedFoot:
    """A foot's wanted path: ankle places, foot and toe turns (world), and where these are binding."""

    ankle: Float[np.ndarray, "frames 3"]
    turn: Float[np.ndarray, "frames 4"]
    toe_turn: Float[np.ndarray, "frames 4"] | None  # relative to the foot
    pinned: Bool[np.ndarray, "frames"]


@dataclass(frozen=True, eq=False)
class _Phase:
    """A stretch of one plant with one kind of contact."""

    kind: str  # "flat", "heel" or "toe"
    first: int
    last: int

    @property
    def frames(self) -> slice:
        return slice(self.first, self.last)


def pin_foot(
    motion: Motion, contacts: Contacts, plants: list[Plant], side: str, floor: Floor | None = None
) -> PinnedFoot:
    """The pinned path of one foot, given its plants; on a floor, where one is given, with flat soles."""
    skeleton = motion.skeleton
    foot = skeleton.joint(f"{side}_foot")
    points = skeleton.foot_points(side)
    places, turns = motion.positions[:, foot], motion.orientations[:, foot]
    toe = skeleton.offsets[skeleton.joint(f"{side}_toe")] if skeleton.has(f"{side}_toe") else points.ball
    phases = [_phases(contacts, side, plant) for plant in plants]
    feet = _Feet(places, turns, {"flat": points.subtalar, "heel": points.heel, "toe": toe}, points, floor)
    prints = [_footprints(plant, feet) for plant in phases]

    flat = np.zeros(len(motion), dtype=bool)
    bend = np.zeros((len(motion), 3))
    for plant, footprint in zip(phases, prints, strict=True):
        for phase, (turn, _, _) in zip(plant, footprint, strict=True):
            if phase.kind == "flat":
                flat[phase.frames] = True
                bend[phase.frames] = quat.log(quat.multiply(turn, quat.conjugate(turns[phase.frames])))
    wanted = quat.multiply(quat.exp(bridged(bend, flat, motion.fps, SETTLE)), turns)

    pinned = np.zeros(len(motion), dtype=bool)
    shift = np.zeros((len(motion), 3))
    for plant, footprint in zip(phases, prints, strict=True):
        for phase, (_, pin, arm) in zip(plant, footprint, strict=True):
            held = pin - quat.rotate(wanted[phase.frames], arm)
            shift[phase.frames] = held - places[phase.frames]
            pinned[phase.frames] = True
    ankle = places + bridged(shift, pinned, motion.fps, SETTLE)
    levels = _levels(phases, ankle, wanted, np.stack([points.heel, points.ball]))
    toes = _toe_turns(motion, phases, prints, wanted, side)
    if toes is not None:
        lying = np.zeros(len(motion), dtype=bool)
        for phase in (p for plant in phases for p in plant if p.kind != "heel"):
            lying[phase.frames] = True
        toes = _raised_toes(motion, side, ankle, wanted, toes, levels, ~lying)
    return PinnedFoot(ankle, wanted, toes, pinned)


def _levels(
    plants: list[list[_Phase]],
    ankle: Float[np.ndarray, "frames 3"],
    turn: Float[np.ndarray, "frames 4"],
    sole: Float[np.ndarray, "points 3"],
) -> Float[np.ndarray, "frames"]:
    """The ground under a foot: the level of its plant, between plants the lower of the two."""
    height = (ankle[:, None] + quat.rotate(turn[:, None], sole))[..., 1].min(axis=-1)
    rests = [min(float(np.median(height[p.frames])) for p in phases) for phases in plants]
    levels = np.full(len(ankle), -np.inf)
    for i, phases in enumerate(plants):
        levels[phases[0].first : phases[-1].last] = rests[i]
        if i:
            levels[plants[i - 1][-1].last : phases[0].first] = min(rests[i - 1], rests[i])
    if plants:
        _continue_level(levels, height, slice(0, plants[0][0].first), rests[0])
        _continue_level(levels, height, slice(plants[-1][-1].last, len(levels)), rests[-1])
    return levels


def _continue_level(
    levels: Float[np.ndarray, "frames"], height: Float[np.ndarray, "frames"], edge: slice, level: float
) -> None:
    """Before the first and after the last plant its ground goes on, unless the foot is plainly elsewhere."""
    if height[edge].min(initial=np.inf) > level - ELSEWHERE:
        levels[edge] = level


def _raised_toes(
    motion: Motion,
    side: str,
    ankle: Float[np.ndarray, "frames 3"],
    turn: Float[np.ndarray, "frames 4"],
    toes: Float[np.ndarray, "frames 4"],
    levels: Float[np.ndarray, "frames"],
    free: Bool[np.ndarray, "frames"],
) -> Float[np.ndarray, "frames 4"]:
    """Toes of a free foot bent up by as much as their tip would be under the ground, until they are level."""
    skeleton = motion.skeleton
    points = skeleton.foot_points(side)
    joint = ankle + quat.rotate(turn, skeleton.offsets[skeleton.joint(f"{side}_toe")])
    world = quat.multiply(turn, toes)
    arm = quat.rotate(world, toe_point_on_toe(skeleton, side, points))
    axis = lateral_axis(turn, points)
    # a foot whose toe joint is under the level stands on lower ground than was thought
    height = np.minimum(levels - joint[:, 1], 0.0)
    angle = np.where(free & (arm[:, 1] < height), turns_to_height(arm, axis, height), 0.0)
    return quat.multiply(quat.conjugate(turn), quat.multiply(quat.exp(axis * angle[:, None]), world))


def lateral_axis(turn: Float[np.ndarray, "frames 4"], points: FootPoints) -> Float[np.ndarray, "frames 3"]:
    """The axis across a foot, in the world."""
    across = quat.cross(points.ball - points.heel, -points.subtalar)
    return quat.rotate(turn, across / np.linalg.norm(across))


def turns_to_height(
    arm: Float[np.ndarray, "frames 3"],
    axis: Float[np.ndarray, "frames 3"],
    height: Float[np.ndarray, "frames"],
) -> Float[np.ndarray, "frames"]:
    """The smaller turn about `axis` that brings an arm's end to `height` over its start, or nearest to it.

    After a turn a the height is along + across cos(a) + swing sin(a).
    """
    along = np.sum(arm * axis, axis=-1) * axis[:, 1]
    across, swing = arm[:, 1] - along, quat.cross(axis, arm)[:, 1]
    radius = np.maximum(np.hypot(across, swing), 1e-9)
    ratio = np.clip((np.where(np.isfinite(height), height, 0.0) - along) / radius, -1.0, 1.0)
    base, away = np.arctan2(swing, across), np.arccos(ratio)
    candidates = np.stack([wrap(base - away), wrap(base + away)])
    return np.take_along_axis(candidates, np.abs(candidates).argmin(axis=0)[None], axis=0)[0]


def _phases(contacts: Contacts, side: str, plant: Plant) -> list[_Phase]:
    """A plant's stretches of equal contact, gaps left out."""
    heel, toe = contacts.heel_of(side), contacts.toe_of(side)
    code = (heel.astype(int) + 2 * toe.astype(int))[plant.start : plant.end]
    edges = [0, *(np.flatnonzero(np.diff(code)) + 1), len(code)]
    kinds = {1: "heel", 2: "toe", 3: "flat"}
    return [
        _Phase(kinds[int(code[a])], plant.start + int(a), plant.start + int(b))
        for a, b in pairwise(edges)
        if code[a]
    ]


_Print = tuple[Float[np.ndarray, "4"], Float[np.ndarray, "3"], Float[np.ndarray, "3"]]


@dataclass(frozen=True, eq=False)
class _Feet:
    """One foot as captured, the points that its phases hold, and the floor it is to stand on."""

    places: Float[np.ndarray, "frames 3"]
    turns: Float[np.ndarray, "frames 4"]
    arms: dict[str, Float[np.ndarray, "3"]]
    points: FootPoints
    floor: Floor | None

    def measured(self, phase: _Phase) -> tuple[Float[np.ndarray, "4"], Float[np.ndarray, "3"]]:
        """The mean turn of a phase and where its held point is: as captured, or laid on the floor."""
        frames, arm = phase.frames, self.arms[phase.kind]
        turn = mean_turn(self.turns[frames])
        path = self.places[frames] + quat.rotate(self.turns[frames], arm)
        # a median along the foot and across it: along the world's axes it would depend on where one walks
        place = quat.rotate(turn, np.median(quat.rotate(quat.conjugate(turn), path), axis=0))
        if self.floor is None:
            return turn, place
        if phase.kind == "flat":
            turn = quat.multiply(quat.between(self._sole_normal(turn), self.floor.normal), turn)
        if phase.kind != "toe":  # a toe joint lies over the sole, heel and subtalar in it
            place = place - ((place - self.floor.point) @ self.floor.normal) * self.floor.normal
        return turn, place

    def _sole_normal(self, turn: Float[np.ndarray, "4"]) -> Float[np.ndarray, "3"]:
        along = self.points.ball - self.points.heel
        across = quat.cross(along, -self.points.subtalar)
        return quat.rotate(turn, quat.cross(across, along))


def _footprints(phases: list[_Phase], feet: _Feet) -> list[_Print]:
    """For each phase the sole's turn (flat only), the world point that is held, and that point in the foot.

    The longest flat phase is measured; its neighbours hold on to its heel or toe, and so on outwards, so that
    nothing moves where one phase passes into the next.
    """
    arms = feet.arms
    measured = [feet.measured(phase) for phase in phases]
    order = max(range(len(phases)), key=lambda i: _weight(phases[i]))
    out: dict[int, _Print] = {order: (*measured[order], arms[phases[order].kind])}
    for step in (1, -1):
        i = order + step
        while 0 <= i < len(phases):
            neighbour, phase = i - step, phases[i]
            turn, place = measured[i]
            if phases[neighbour].last == phase.first or phase.last == phases[neighbour].first:
                edge = feet.turns[phase.first if step > 0 else phase.last - 1]
                place = _carried(phase, phases[neighbour], out[neighbour], turn, arms, edge)
            out[i] = (turn, place, arms[phase.kind])
            i += step
    return [out[i] for i in range(len(phases))]


def _weight(phase: _Phase) -> tuple[bool, int]:
    return phase.kind == "flat", phase.last - phase.first


def _carried(
    phase: _Phase,
    neighbour: _Phase,
    held: _Print,
    turn: Float[np.ndarray, "4"],
    arms: dict[str, Float[np.ndarray, "3"]],
    edge_turn: Float[np.ndarray, "4"],
) -> Float[np.ndarray, "3"]:
    """The held point of a phase so that the foot is where its neighbour leaves it."""
    if neighbour.kind == "flat":  # the whole foot is known: any of its points is
        return held[1] + quat.rotate(held[0], arms[phase.kind] - held[2])
    if phase.kind == "flat":  # a sole that comes down about a held heel or toe
        return held[1] + quat.rotate(turn, arms["flat"] - held[2])
    if phase.kind == neighbour.kind:
        return held[1]
    return held[1] + quat.rotate(edge_turn, arms[phase.kind] - held[2])


def mean_turn(turns: Float[np.ndarray, "n 4"]) -> Float[np.ndarray, "4"]:
    """The mean rotation: the largest eigenvector of the sum of outer products (Markley 2007)."""
    return np.linalg.eigh(turns.T @ turns)[1][:, -1]


def _toe_turns(
    motion: Motion,
    plants: list[list[_Phase]],
    prints: list[list[_Print]],
    wanted: Float[np.ndarray, "frames 4"],
    side: str,
) -> Float[np.ndarray, "frames 4"] | None:
    """Turns of the toe relative to the foot: while the toe touches, it lies still in the world.

    Under a flat sole it lies straight, as at rest: the tip then rests in the sole's plane.
    """
    skeleton = motion.skeleton
    if not skeleton.has(f"{side}_toe") or skeleton.parents[skeleton.joint(f"{side}_toe")] != skeleton.joint(
        f"{side}_foot"
    ):
        return None
    toe = skeleton.joint(f"{side}_toe")
    local = motion.rotations[:, toe]
    known = np.zeros(len(motion), dtype=bool)
    change = np.zeros((len(motion), 3))
    for phases, footprints in zip(plants, prints, strict=True):
        lying = [p for p in phases if p.kind in ("flat", "toe")]
        flat = [turn for p, (turn, _, _) in zip(phases, footprints, strict=True) if p.kind == "flat"]
        if not lying:
            continue
        if flat:
            still = quat.multiply(flat[0], skeleton.rest[toe])
        else:
            still = mean_turn(np.concatenate([motion.orientations[p.frames, toe] for p in lying]))
        for phase in lying:
            held = quat.multiply(quat.conjugate(wanted[phase.frames]), still)
            change[phase.frames] = quat.log(quat.multiply(held, quat.conjugate(local[phase.frames])))
            known[phase.frames] = True
    return quat.multiply(quat.exp(bridged(change, known, motion.fps, SETTLE)), local)
