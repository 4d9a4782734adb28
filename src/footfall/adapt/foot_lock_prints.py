"""The prints on which feet are locked: where and how each stance's sole lies, put on the ground.

A stance has one print, whatever its phases: the sole lies in it while flat, and heel and toe joint stay where
it has them while the foot turns about one of them. On known ground a sole is laid as the ground under it is:
not in it, and over it by no more than that takes. Where a sole would be in a wall, or on nothing at all, its
print is moved to the nearest place where it can stand.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.adapt.foot_lock_foot import RecordedFoot, Turn, Vector
from footfall.adapt.footprints import Phase, mean_turn
from footfall.adapt.swing_clearance import along_sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.world.terrain import Ground

LOOK_DOWN = 0.3  # m over a sole's point from where the ground under it is looked for
NEAR = 0.045  # m between a recorded sole and the ground that it stands on
WALL = 0.06  # m: a sole that is deeper in something has not sunk into it, but is in its side
BROAD = 0.03  # m from the middle of the sole to its sides, where its slope across is told
STIFF = 0.002  # m^2, over all places of the sole: what keeps its recorded slope where few of them stand
UNEVEN = 0.012  # m between ground and the plane nearest to it, where a sole cannot lie as the ground does
FITS = 4  # how often a sole is tilted and looked at again
STEEPER = 0.15  # rad by which a sole is tilted each time at most: recorded feet lie nearly as they should
ASIDE = 0.08  # m by which a print may be moved to where it can stand,
APART, WAYS = 0.01, 12  # m between the places that are tried, and directions in which they lie
ROOM = 0.03  # m that a foot needs before and behind it to come and go past an edge
LIFTED = 0.06  # m over its print, where a heel or a toe joint no longer stands
HANGS = 0.015  # m under a heel or a toe that does not stand
TOES, ANY = slice(2, 4), slice(0, 4)  # of a sole's points: ball and tip, all four
MIDDLE = 8  # places looked at along the middle of a sole


@dataclass(frozen=True, eq=False)
class LockedPrint:
    """Where one stance has its sole: the turn of the flat foot and the points that its phases hold."""

    phases: tuple[Phase, ...]
    turn: Turn
    held: dict[str, Vector]  # by kind of phase: heel, subtalar ("flat") and toe joint in the world

    @property
    def first(self) -> int:
        return self.phases[0].first

    @property
    def last(self) -> int:
        return self.phases[-1].last


def locked_print(
    phases: list[Phase],
    foot: RecordedFoot,
    terrain: Ground | None,
    aside: float = ASIDE,
    *,
    room: bool = False,
) -> LockedPrint:
    """The print of a stance from the recorded foot: mean turn, median place, then laid on the ground.

    A phase in which it was lifted, or would stand on a heel or toe that hangs in the air, is left out. With
    `room` it keeps away from edges before it and behind it, where that can be.
    """
    turn, ankle = _recorded(phases, foot)
    phases = _low(phases, foot, turn, ankle)
    if terrain is not None:
        on_toes = any(p.kind == "toe" for p in phases)
        turn, ankle = _stands(
            foot, turn, ankle, terrain, _shifts(foot, turn, aside), on_toes=on_toes, room=room
        )
        phases = _borne(phases, foot, turn, ankle, terrain)
    held = {kind: ankle + quat.rotate(turn, arm) for kind, arm in foot.arms.items()}
    return LockedPrint(tuple(phases), turn, held)


def _recorded(phases: list[Phase], foot: RecordedFoot) -> tuple[Turn, Vector]:
    """How the flat foot lay and where its ankle was; of a foot that never lay flat, had it lain down."""
    flat = [p for p in phases if p.kind == "flat"]
    longest = max(flat or phases, key=lambda p: p.last - p.first)
    turns, arm = foot.turns[longest.frames], foot.arms[longest.kind]
    turn = mean_turn(turns)
    path = foot.places[longest.frames] + quat.rotate(turns, arm)
    # a median along the foot and across it: along the world's axes it would depend on where one walks
    place = quat.rotate(turn, np.median(quat.rotate(quat.conjugate(turn), path), axis=0))
    if not flat:
        heading = float(ground.heading_of(foot.along(turn)))
        turn = quat.multiply(ground.turn(heading), foot.sole.lying)
    return turn, place - quat.rotate(turn, arm)


def _low(phases: list[Phase], foot: RecordedFoot, turn: Turn, ankle: Vector) -> list[Phase]:
    """The phases in which the foot was held about where it lay: blended contacts may outlast a stance."""

    def lifted(phase: Phase) -> bool:
        arm = foot.arms[phase.kind]
        held = foot.places[phase.frames] + quat.rotate(foot.turns[phase.frames], arm)
        return bool(np.median(held[:, 1]) > (ankle + quat.rotate(turn, arm))[1] + LIFTED)

    return [p for p in phases if not lifted(p)] or phases


def _shifts(foot: RecordedFoot, turn: Turn, aside: float) -> list[Vector]:
    """Where a print may be moved to, the nearest first."""
    heading = float(ground.heading_of(foot.along(turn)))
    ways = ground.direction_of(heading + 2.0 * np.pi * np.arange(WAYS) / WAYS)
    return [np.zeros(3), *(far * way for far in np.arange(APART, aside + 1e-9, APART) for way in ways)]


def _stands(
    foot: RecordedFoot,
    turn: Turn,
    ankle: Vector,
    terrain: Ground,
    shifts: list[Vector],
    *,
    on_toes: bool,
    room: bool,
) -> tuple[Turn, Vector]:
    """A foot laid on the ground under it, or on the nearest ground that can bear it.

    One that will roll over its toes has them on the ground, if they can be there; else any part will do.
    """
    for roomy in (True, False) if room else (False,):
        for part in (TOES, ANY) if on_toes else (ANY,):
            for shift in shifts:
                found = _laid(foot, turn, ankle + shift, terrain, part)
                if found is not None and not (roomy and _narrow(foot, *found, terrain)):
                    return found
    return turn, ankle


def _narrow(foot: RecordedFoot, turn: Turn, ankle: Vector, terrain: Ground) -> bool:
    """Whether something rises over the sole close behind the heel or before the tip."""
    along = foot.along(turn)
    beyond = ROOM * along / np.linalg.norm(along)
    ends = ankle + quat.rotate(turn, foot.lying[[0, 3]]) + np.stack([-beyond, beyond])
    x, y, z = ends.T
    return bool((terrain.height(x, z, y + LOOK_DOWN) - y).max() > UNEVEN)


def _laid(
    foot: RecordedFoot, turn: Turn, ankle: Vector, terrain: Ground, part: slice
) -> tuple[Turn, Vector] | None:
    """A foot tilted and raised as the ground under it asks; None where it is in a wall or over nothing."""
    for _ in range(FITS):
        gap, places = _gaps(foot, turn, ankle, terrain)
        if not _bears(gap, part):
            return None
        pivot = ankle + quat.rotate(turn, foot.sole.subtalar)
        tilt, rise = _fitted(foot, turn, places - pivot, gap)
        turn = quat.multiply(tilt, turn)
        ankle = pivot - quat.rotate(turn, foot.sole.subtalar) + rise * ground.UP
    gap, _ = _gaps(foot, turn, ankle, terrain)
    return (turn, ankle + gap[:MIDDLE].max() * ground.UP) if _bears(gap, part) else None


def _bears(gap: Float[np.ndarray, "places"], part: slice) -> bool:
    """Whether a point of that part of the sole is on the ground, and nothing in a wall."""
    return bool(np.abs(gap[part]).min() < NEAR and gap[:MIDDLE].max() < WALL)


def _borne(
    phases: list[Phase], foot: RecordedFoot, turn: Turn, ankle: Vector, terrain: Ground
) -> list[Phase]:
    """The phases whose heel or toes stand on something; all of them where none does."""
    gap, _ = _gaps(foot, turn, ankle, terrain)
    hangs = {"heel": gap[0] < -HANGS, "toe": gap[TOES].max() < -HANGS, "flat": False}
    return [p for p in phases if not hangs[p.kind]] or phases


def _gaps(
    foot: RecordedFoot, turn: Turn, ankle: Vector, terrain: Ground
) -> tuple[Float[np.ndarray, "places"], Float[np.ndarray, "places 3"]]:
    """How far the ground is over places of the sole: those along its middle, then those at its sides."""
    points = ankle + quat.rotate(turn, foot.lying)
    side = BROAD * quat.rotate(turn, foot.left)
    places = np.concatenate([along_sole(points[None])[0], points + side, points - side])
    x, y, z = places.T
    return terrain.height(x, z, y + LOOK_DOWN) - y, places


def _fitted(
    foot: RecordedFoot, turn: Turn, places: Float[np.ndarray, "places 3"], gap: Float[np.ndarray, "places"]
) -> tuple[Turn, float]:
    """The tilt about the subtalar and the rise that bring a sole nearest to the ground that it stands on."""
    near = np.abs(gap) < NEAR
    rows = np.concatenate([places[near][:, [0, 2]], np.ones((near.sum(), 1))], axis=1)
    stiff = np.diag([STIFF, STIFF, 0.0])
    plane = np.linalg.solve(rows.T @ rows + stiff, rows.T @ gap[near])
    if np.abs(rows @ plane - gap[near]).max() > UNEVEN:  # an edge: no plane lies on both its sides
        return quat.identity(), 0.0
    slope_x, slope_z, rise = plane
    normal = quat.rotate(turn, foot.up)
    normal = normal / normal[1]
    tilt = quat.log(quat.between(normal, normal - np.array([slope_x, 0.0, slope_z])))
    most = STEEPER / max(float(np.linalg.norm(tilt)), STEEPER)
    return quat.exp(most * tilt), float(rise)
