"""A reach in a captured clip: which hand, when it sets out, arrives, leaves and is back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from footfall.analysis.apex import reach_apex
from footfall.analysis.signals import smoothed_speed
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.motion import Motion
from footfall.figure.roles import SIDES
from footfall.geometry.decisions import first_greatest

TRAVELS = 0.15  # of leg length: a hand that comes no farther does not reach
AS_FAR = 0.7  # of the other hand's way: then both reach
STAYS = 0.12  # of leg length: a foot that goes farther steps
SEATED = 0.85  # of leg length over the feet: lower hips sit
SMOOTHED = 0.1  # s
STILL = 0.12  # of the hand's highest speed on its way
SHORTEST = 0.12  # s between keytimes
HOLD = 0.2  # s: the most of a hold that is taken before and after the apex
ARM = {"left": 1.0, "right": -1.0, "both": 0.0}


def cut_reaches(motions: Sequence[Motion], names: Sequence[str] | None = None) -> list[Example]:
    """One example a clip, with its keytimes; parameters tell the arm and whether it sits."""
    called = [f"clip {k + 1}" for k in range(len(motions))] if names is None else list(names)
    if len(called) != len(motions):
        raise RequestError(f"{len(called)} names do not fit {len(motions)} clips")
    return [_cut(motion, name) for motion, name in zip(motions, called, strict=True)]


def _cut(motion: Motion, name: str) -> Example:
    leg = motion.skeleton.leg_length()
    sides = [side for side in SIDES if motion.skeleton.has(f"{side}_hand")]
    if len(motion) < 4 or not sides or len(motion.skeleton.sides) < len(SIDES):
        raise RequestError(f"{name} shows no reach: it needs a hand, two legs and some frames")
    ways = {side: _away(motion, side) for side in sides}
    hand = sides[int(first_greatest(np.array([ways[side].max() for side in sides])))]
    if ways[hand].max() < TRAVELS * leg:
        raise RequestError(f"{name} shows no reach: no hand goes farther than {ways[hand].max():.2f} m")
    if max(_away(motion, side, "foot").max() for side in SIDES) > STAYS * leg:
        raise RequestError(f"{name} shows no reach on the spot: its feet do not stay")
    both = len(sides) == 2 and min(w.max() for w in ways.values()) > AS_FAR * ways[hand].max()
    low = motion.of("hips")[0, 1] - np.mean([motion.of(f"{s}_foot")[0, 1] for s in SIDES])
    parameters = {"arm": ARM["both" if both else hand], "seat": float(low) if low < SEATED * leg else 0.0}
    return Example(motion, _keytimes(motion, hand, name), parameters, "reach", name)


def _away(motion: Motion, side: str, part: str = "hand") -> Float[np.ndarray, "frames"]:
    """How far a hand (or a foot) is from where it was at first."""
    places = motion.of(f"{side}_{part}")
    return np.linalg.norm(places - places[0], axis=-1)


def _keytimes(motion: Motion, hand: str, name: str) -> tuple[float, ...]:
    """The hand sets out where it last was still before its apex, and is back where it is still again."""
    pace = smoothed_speed(motion.of(f"{hand}_hand"), motion.fps, SMOOTHED)
    apex = reach_apex(motion, hand)
    shortest = max(round(SHORTEST * motion.fps), 1)
    if not shortest < apex < len(motion) - 1 - shortest:
        raise RequestError(f"{name} shows no whole reach: its hand is farthest out at the clip's end")
    still = STILL * pace.max()
    hold = round(HOLD * motion.fps)
    arrives = _last(pace[apex - min(hold, apex) : apex + 1] > still, apex - min(hold, apex), apex)
    leaves = _first(pace[apex : apex + hold + 1] > still, apex, min(apex + hold, len(motion) - 1))
    fast = int(np.argmax(pace[: arrives + 1]))
    sets_out = _last(pace[: fast + 1] < still, 0, 0)
    slow = leaves + int(np.argmax(pace[leaves:]))
    back = _first(pace[slow:] < still, slow, len(motion) - 1)
    keys = [sets_out, max(arrives, sets_out + shortest), leaves, back]
    keys[2] = max(keys[2], keys[1] + 1)
    keys[3] = min(max(keys[3], keys[2] + shortest), len(motion) - 1)
    return tuple(k / motion.fps for k in keys)


def _last(mask: np.ndarray, first: int, otherwise: int) -> int:
    found = np.flatnonzero(mask)
    return first + int(found[-1]) if len(found) else otherwise


def _first(mask: np.ndarray, first: int, otherwise: int) -> int:
    found = np.flatnonzero(mask)
    return first + int(found[0]) if len(found) else otherwise
