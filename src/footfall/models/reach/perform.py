"""A whole reach as a motion: to a place, on it and back, on feet that stay."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.align.smooth_time import cubics, generic_at
from footfall.errors import RequestError
from footfall.figure import kinematics
from footfall.figure.contacts import Contacts
from footfall.figure.motion import checked_rate
from footfall.figure.pose import Pose
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import cell_of
from footfall.models.reach.bring import foot_goals, hand_goals, missed_by, reach_ik
from footfall.models.reach.course import anchor_at, share_at
from footfall.models.reach.reach_set import APEX, LEAVE, ReachSet
from footfall.models.synthesized import Synthesized

RATES = (10.0, 1000.0)  # Hz
LONGEST = 60.0  # s of a hold
ROUNDS = 20
SETTLES = 1e-3  # m: a hand that stays farther away is told


def perform(
    own: ReachSet, position: Float[np.ndarray, "3"], *, hold: float | None, fps: float
) -> Synthesized:
    """The figure is at the origin and faces +Z; what cannot be reached is told in `clamped`."""
    rate = checked_rate(fps)
    if not RATES[0] <= rate <= RATES[1]:
        raise RequestError(f"fps must be between {RATES[0]:g} and {RATES[1]:g}, not {rate:g}")
    weights = own.scheme(position)
    generic = _moments(own.keytimes(weights), hold, rate)
    root, rotations = own.tables.blend(weights, generic)
    root, rotations, missed = _brought(own, weights, position, generic, root, rotations)
    stands = np.ones((len(generic), 2), dtype=bool)
    told = () if missed <= SETTLES else (f"the hand comes no nearer than {missed:.3f} m",)
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
    ways = _hands(own, root, rotations)
    fixed = np.array([anchor_at(g) for g in generic])
    anchors = _hands(own, *own.tables.blend(weights, fixed))
    offset = position - anchors.mean(axis=1)
    shares = np.array([share_at(g) for g in generic])
    aims = ways + (shares[:, None] * offset)[:, None]
    ik = reach_ik(skeleton, own.sides, own.posture)
    feet = foot_goals(skeleton, *ik.placed(Pose(root[0], rotations[0])))
    out_root, out_rotations = np.empty_like(root), np.empty_like(rotations)
    points = dict(zip(own.sides, own.palms, strict=True))
    added: tuple[np.ndarray, np.ndarray] | None = None
    worst = 0.0
    for k in range(len(generic)):
        rather = Pose(root[k], rotations[k])
        start = rather if added is None else Pose(root[k] + added[0], quat.multiply(rotations[k], added[1]))
        goals = [*feet, *hand_goals(skeleton, dict(zip(own.sides, aims[k], strict=True)), points, {})]
        solved = ik.solve(start, goals, rather=rather, rounds=ROUNDS)
        out_root[k], out_rotations[k] = solved.pose.root, solved.pose.rotations
        added = out_root[k] - root[k], quat.multiply(quat.conjugate(rotations[k]), out_rotations[k])
        if APEX <= generic[k] <= LEAVE:
            worst = max(worst, *missed_by(solved.missed.tolist(), goals).values())
    return out_root, out_rotations, worst


def _hands(
    own: ReachSet, root: Float[np.ndarray, "frames 3"], rotations: Float[np.ndarray, "frames joints 4"]
) -> Float[np.ndarray, "frames hands 3"]:
    skeleton = own.skeleton
    world = kinematics.forward(skeleton.tree, skeleton.offsets, root, rotations)
    return kinematics.attached(*world, own.hand_joints, own.palms)
