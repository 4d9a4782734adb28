"""Hands that hold on to something while the body moves: pinned where they are, or where they are told to
be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import MARGIN
from footfall.geometry.easing import smoother
from footfall.ik.two_link import arm_of, solve_two_link

GRASPING = (0.3, 0.8)  # s in which a hand goes to what it holds, before, and leaves it, after;
PACE = 1.0  # m/s at which it goes, within these
EASY, LONGEST = 0.94, 0.995  # of an arm's length: from where on it gives way, and what it nears then
SHORTEST = 0.3  # of an arm's length
OFF = 0.001  # m that nobody is told of

Place = tuple[float, float, float] | None
Held = Mapping[str, Place]


def hold_hands(
    motion: Motion, holds: Sequence[Held], begins: Float[np.ndarray, "movements+1"]
) -> tuple[Motion, tuple[str, ...]]:
    """The motion with hands held during the movements that ask for it; and what was out of reach."""
    said: list[str] = []
    for hand in sorted({hand for hold in holds for hand in hold}):
        if hand not in ("left_hand", "right_hand"):
            raise RequestError(f"hold names left_hand or right_hand, not {hand!r:.40}")
        for first, last, place in _stretches(hand, holds):
            motion, off = _held(motion, hand, place, (float(begins[first]), float(begins[last])))
            if off > OFF:
                said.append(f"hold {hand}: {off:.3f} m out of reach at worst")
    return motion, tuple(said)


def _within_reach(
    away: Float[np.ndarray, "n 3"], reach: float, own: Float[np.ndarray, "n"]
) -> Float[np.ndarray, "n 3"]:
    """Ways from the shoulder no longer than an arm is, the last of it given up softly; as straight as it was
    an arm may always be.
    """
    length = np.linalg.norm(away, axis=-1)
    easy = np.clip(own, EASY, LONGEST - 0.004) * reach
    soft = LONGEST * reach - easy
    over = np.maximum(length - easy, 0.0)
    kept = np.minimum(length, easy) + soft * (1.0 - np.exp(-over / soft))
    kept = np.maximum(kept, SHORTEST * reach)  # nearer to its shoulder no arm folds
    return away * (kept / np.maximum(length, 1e-9))[:, None]


def _stretches(hand: str, holds: Sequence[Held]) -> list[tuple[int, int, Place]]:
    """Movements in a row that hold one place: from, up to, where. A new place begins another stretch."""
    found: list[tuple[int, int, Place]] = []
    for k, hold in enumerate(holds):
        if hand not in hold:
            continue
        place = hold[hand]
        first, last, held = found[-1] if found else (-1, -1, None)
        same = place is None or held is None or np.array_equal(np.asarray(place), np.asarray(held))
        if last == k and same:
            found[-1] = (first, k + 1, held if held is not None else place)
        else:
            found.append((k, k + 1, place))
    return found


def _held(
    motion: Motion, hand: str, place: tuple[float, float, float] | None, span: tuple[float, float]
) -> tuple[Motion, float]:
    limb = arm_of(motion.skeleton, hand.removesuffix("_hand"), motion)
    times = motion.times
    inside = (times >= span[0] - MARGIN) & (times <= span[1] + MARGIN)
    wrist = motion.of(hand)
    if place is None:
        target = wrist[int(np.argmax(inside))]
    else:
        target = np.array(place, dtype=float)
        if target.shape != (3,) or not np.isfinite(target).all():
            raise RequestError(f"hold {hand} must be three numbers, not {place!r:.60}")
    # the first stretch of a motion is held from its beginning: there is nothing to come from
    first, last = (int(np.clip(np.searchsorted(times, t - MARGIN), 0, len(times) - 1)) for t in span)
    before, after = (np.clip(np.linalg.norm(target - wrist[k]) / PACE, *GRASPING) for k in (first, last))
    coming = smoother((times - span[0]) / before + 1.0)
    leaving = smoother((span[1] - times) / after + 1.0)
    share = np.minimum(coming, leaving)[:, None]
    wanted = wrist + share * (target - wrist)
    shoulder = motion.positions[:, limb.upper]
    own = np.linalg.norm(wrist - shoulder, axis=-1) / limb.reach
    reached = shoulder + _within_reach(wanted - shoulder, limb.reach, own)
    joints = motion.positions[:, [limb.upper, limb.middle, limb.end]]
    upper, lower, _ = solve_two_link(limb, joints, motion.orientations[:, limb.upper], reached)
    moved = share[:, 0] > 0.0
    turns = np.array(motion.orientations)
    chain = motion.skeleton.tree.path(limb.upper, limb.end)
    elbow = chain.index(limb.middle)
    for i, joint in enumerate(chain[:-1]):
        turned = quat.multiply(upper if i < elbow else lower, turns[:, joint])
        turns[:, joint] = np.where(moved[:, None], turned, turns[:, joint])
    local = np.array(motion.rotations)
    for joint in chain:
        parent = turns[:, motion.skeleton.parents[joint]]
        local[:, joint] = quat.multiply(quat.conjugate(parent), turns[:, joint])
    off = np.linalg.norm(reached - target, axis=-1)[inside & (share[:, 0] > 1.0 - 1e-9)]
    return replace(motion, rotations=quat.continuous(local)), float(off.max(initial=0.0))
