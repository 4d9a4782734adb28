"""What each phase of a plant holds: a heel, a whole sole, or a toe, so that nothing moves between phases.

A flat sole has a footprint: the mean place and turn of the foot over its flat frames.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Float

from footfall.analysis.floor import Floor
from footfall.analysis.plants import Plant
from footfall.figure.contacts import Contacts
from footfall.figure.feet import FootPoints
from footfall.geometry import quaternion as quat


@dataclass(frozen=True, eq=False)
class Phase:
    """A stretch of one plant with one kind of contact."""

    kind: str  # "flat", "heel" or "toe"
    first: int
    last: int

    @property
    def frames(self) -> slice:
        return slice(self.first, self.last)


def phases_of(contacts: Contacts, side: str, plant: Plant) -> list[Phase]:
    """A plant's stretches of equal contact, gaps left out."""
    heel, toe = contacts.heel_of(side), contacts.toe_of(side)
    code = (heel.astype(int) + 2 * toe.astype(int))[plant.start : plant.end]
    edges = [0, *(np.flatnonzero(np.diff(code)) + 1), len(code)]
    kinds = {1: "heel", 2: "toe", 3: "flat"}
    return [
        Phase(kinds[int(code[a])], plant.start + int(a), plant.start + int(b))
        for a, b in pairwise(edges)
        if code[a]
    ]


# the sole's turn (of use where it is flat), the world point that is held, and that point in the foot
Print = tuple[Float[np.ndarray, "4"], Float[np.ndarray, "3"], Float[np.ndarray, "3"]]


@dataclass(frozen=True, eq=False)
class CapturedFoot:
    """One foot as captured, the points that its phases hold, and the floor it is to stand on."""

    places: Float[np.ndarray, "frames 3"]
    turns: Float[np.ndarray, "frames 4"]
    arms: dict[str, Float[np.ndarray, "3"]]
    points: FootPoints
    floor: Floor | None

    def measured(self, phase: Phase) -> tuple[Float[np.ndarray, "4"], Float[np.ndarray, "3"]]:
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


def footprints_of(phases: list[Phase], feet: CapturedFoot) -> list[Print]:
    """For each phase the sole's turn (flat only), the world point that is held, and that point in the foot.

    The longest flat phase is measured; its neighbours hold on to its heel or toe, and so on outwards, so that
    nothing moves where one phase passes into the next.
    """
    arms = feet.arms
    measured = [feet.measured(phase) for phase in phases]
    order = max(range(len(phases)), key=lambda i: _weight(phases[i]))
    out: dict[int, Print] = {order: (*measured[order], arms[phases[order].kind])}
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


def _weight(phase: Phase) -> tuple[bool, int]:
    return phase.kind == "flat", phase.last - phase.first


def _carried(
    phase: Phase,
    neighbour: Phase,
    held: Print,
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
    """The mean rotation: the largest eigenvector of the sum of outer products (Markley 2007).

    LAPACK builds choose its sign otherwise; it is the one next to the first of the rotations.
    """
    mean = np.linalg.eigh(turns.T @ turns)[1][:, -1]
    return mean if mean @ turns[0] >= 0.0 else -mean
