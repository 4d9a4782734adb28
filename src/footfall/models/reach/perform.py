"""A whole reach as a motion: to a place, on it and back, on feet that stay."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.align.smooth_time import cubics, generic_at
from footfall.errors import RequestError
from footfall.figure.contacts import Contacts
from footfall.figure.motion import checked_rate
from footfall.figure.pose import Pose
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import cell_of, first_least, rounded
from footfall.models.reach.bring import foot_goals, hand_goals, missed_by, reach_ik
from footfall.models.reach.course import anchor_at, share_at
from footfall.models.reach.nearest_reached import nearest_reached, palms_of
from footfall.models.reach.reach_set import APEX, LEAVE, ReachSet
from footfall.models.synthesized import Synthesized

RATES = (10.0, 1000.0)  # Hz
LONGEST = 60.0  # s of a hold
ROUNDS = 40
SETTLES = 1e-3  # m: a hand that stays farther away is told
# m that hands stay back of the farthest that they reach: there arms are straight, and the least change of a
# place needs a large one of joints. More only where that is not enough
BACK = (0.02, 0.05, 0.1)
ROUNDED = 2.0**-10  # m: the search for the nearest place carries last digits on; they end here


def perform(
    own: ReachSet, position: Float[np.ndarray, "3"], *, hold: float | None, fps: float
) -> Synthesized:
    """The figure is at the origin and faces +Z.

    Out of reach, hands go as near as they can, and `clamped` tells how near they come.
    """
    rate = checked_rate(fps)
    if not RATES[0] <= rate <= RATES[1]:
        raise RequestError(f"fps must be between {RATES[0]:g} and {RATES[1]:g}, not {rate:g}")
    root, rotations, missed = _reached(own, position, hold, rate)
    told: tuple[str, ...] = ()
    if missed > SETTLES:
        nearest = rounded(nearest_reached(own, position), ROUNDED)
        for back in BACK:
            root, rotations, missed = _reached(own, _drawn_back(own, nearest, back), hold, rate)
            if missed <= SETTLES:
                break
        away = np.linalg.norm(palms_of(own, root, rotations).mean(axis=1) - position, axis=1)
        told = (f"the hand comes no nearer than {away.min():.3f} m",)
    stands = np.ones((len(root), 2), dtype=bool)
    skeleton = own.skeleton
    made = Synthesized(
        skeleton,
        root,
        quat.continuous(rotations),
        rate,
        contacts=Contacts(stands, stands),
        clamped=told,
        examples=own.motions,
    )
    object.__setattr__(made, "made", (made.root, made.rotations))
    return made


def _reached(
    own: ReachSet, position: Float[np.ndarray, "3"], hold: float | None, rate: float
) -> tuple[Float[np.ndarray, "frames 3"], Float[np.ndarray, "frames joints 4"], float]:
    """Root and rotations of a reach; the most that a hand misses while it should be there, m."""
    weights = own.scheme(position)
    generic = _moments(own.keytimes(weights), hold, rate)
    return _brought(own, weights, position, generic, *own.tables.blend(weights, generic))


def _drawn_back(own: ReachSet, position: Float[np.ndarray, "3"], back: float) -> Float[np.ndarray, "3"]:
    """A place nearer to where hands hang at the start."""
    start = palms_of(own, *own.tables.blend(own.scheme(position), np.zeros(1)))[0].mean(axis=0)
    towards = start - position
    return position + back * towards / max(float(np.linalg.norm(towards)), back)


def _moments(keys: Float[np.ndarray, "4"], hold: float | None, fps: float) -> Float[np.ndarray, "frames"]:
    """Generic times of the frames; the hold lasts as long as it is asked to."""
    if hold is not None:
        if not isinstance(hold, int | float) or not 0.0 <= hold <= LONGEST:
            raise RequestError(f"a reach holds for 0 to {LONGEST:g} s, not {hold!r:.40}")
        keys = np.concatenate([keys[:2], keys[2:] + max(hold, 1e-3) - (keys[2] - keys[1])])
    times = np.arange(int(cell_of(keys[-1] * fps, 1.0)) + 1) / fps
    return generic_at(times, cubics(keys))


def _brought(
    own: ReachSet,
    weights: Float[np.ndarray, "n"],
    position: Float[np.ndarray, "3"],
    generic: Float[np.ndarray, "frames"],
    root: Float[np.ndarray, "frames 3"],
    rotations: Float[np.ndarray, "frames joints 4"],
) -> tuple[Float[np.ndarray, "frames 3"], Float[np.ndarray, "frames joints 4"], float]:
    """Every frame with hands where they should be and feet where they were at the start; the most that a
    hand misses while it should be on its place.
    """
    skeleton = own.skeleton
    ways = palms_of(own, root, rotations)
    fixed = np.array([anchor_at(g) for g in generic])
    anchors = palms_of(own, *own.tables.blend(weights, fixed))
    offset = position - anchors.mean(axis=1)
    shares = np.array([share_at(g) for g in generic])
    aims = ways + (shares[:, None] * offset)[:, None]
    ik = reach_ik(skeleton, own.sides, own.posture)
    feet = foot_goals(skeleton, *ik.placed(Pose(root[0], rotations[0])))
    out_root, out_rotations = np.empty_like(root), np.empty_like(rotations)
    points = dict(zip(own.sides, own.palms, strict=True))
    added: tuple[np.ndarray, np.ndarray] | None = None
    worst = 0.0
    on_place = (generic >= APEX) & (generic <= LEAVE)
    on_place[first_least(np.abs(generic - APEX))] = True  # a hold of no time may lie between two frames
    for k in range(len(generic)):
        rather = Pose(root[k], rotations[k])
        start = rather if added is None else Pose(root[k] + added[0], quat.multiply(rotations[k], added[1]))
        goals = [*feet, *hand_goals(skeleton, dict(zip(own.sides, aims[k], strict=True)), points, {})]
        solved = ik.solve(start, goals, rather=rather, rounds=ROUNDS)
        out_root[k], out_rotations[k] = solved.pose.root, solved.pose.rotations
        added = out_root[k] - root[k], quat.multiply(quat.conjugate(rotations[k]), out_rotations[k])
        if on_place[k]:
            worst = max(worst, *missed_by(solved.missed.tolist(), goals).values())
    return out_root, out_rotations, worst
