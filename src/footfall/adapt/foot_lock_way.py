"""The way of a locked foot: on its print in every stance, and as it was recorded in between.

While flat, a foot lies in its print; in its other phases it turns as recorded about the heel or the toe joint
that its print holds. What that changes is bridged over swings: they keep their own shape.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from footfall.adapt.bridging import bridged
from footfall.adapt.foot_lock_foot import RecordedFoot
from footfall.adapt.foot_lock_prints import LockedPrint
from footfall.adapt.toes import toe_turns
from footfall.figure.contacts import runs_of
from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat

SETTLE = 0.20  # s in which a foot's residual speed at touch-down and lift-off is smoothed away
BEYOND = 0.30  # s by which swings that are cut off by a clip's ends are thought to go on


@dataclass(frozen=True, eq=False)
class LockedWay:
    """A foot's way, frame by frame: see `legroom.Way` and `legs_to_feet.Foot`."""

    ankle: Float[np.ndarray, "frames 3"]
    turn: Float[np.ndarray, "frames 4"]
    toe: Float[np.ndarray, "frames 4"] | None  # relative to the foot
    share: Float[np.ndarray, "frames"]  # of its swing; 0 in stance
    lying: Bool[np.ndarray, "frames"]  # whether the toe lies on the ground
    swings: tuple[tuple[int, int], ...]  # frames, from the last that stands to the first that stands again


def locked_way(motion: Motion, foot: RecordedFoot, prints: list[LockedPrint]) -> LockedWay:
    turn = _over_prints(motion.fps, foot, prints, _turns(motion.fps, foot, prints))
    shift, pinned = np.zeros_like(foot.places), np.zeros(len(motion), dtype=bool)
    lying = np.zeros(len(motion), dtype=bool)
    for stance in prints:
        for phase in stance.phases:
            held = stance.held[phase.kind] - quat.rotate(turn[phase.frames], foot.arms[phase.kind])
            shift[phase.frames] = held - foot.places[phase.frames]
            pinned[phase.frames] = True
            lying[phase.frames] = phase.kind != "heel"
    ankle = foot.places + bridged(shift, pinned, motion.fps, SETTLE)
    swings = _swings(pinned, max(round(BEYOND * motion.fps), 1))
    return LockedWay(
        ankle, turn, _toes(motion, foot, prints, turn, lying), _shares(swings, len(motion)), lying, swings
    )


def _turns(fps: float, foot: RecordedFoot, prints: list[LockedPrint]) -> Float[np.ndarray, "frames 4"]:
    """Turns of the foot: its print's while flat, else as recorded but for what bridges these."""
    flat = np.zeros(len(foot.turns), dtype=bool)
    bend = np.zeros((len(foot.turns), 3))
    for stance in prints:
        for phase in (p for p in stance.phases if p.kind == "flat"):
            back = quat.conjugate(foot.turns[phase.frames])
            bend[phase.frames] = quat.log(quat.multiply(stance.turn, back))
            flat[phase.frames] = True
    return quat.multiply(quat.exp(bridged(bend, flat, fps, SETTLE)), foot.turns)


def _over_prints(
    fps: float, foot: RecordedFoot, prints: list[LockedPrint], turn: Float[np.ndarray, "frames 4"]
) -> Float[np.ndarray, "frames 4"]:
    """Turns about a held heel or toe joint by which the other end of the sole is not under its print."""
    roll, known = np.zeros((len(turn), 1)), np.zeros(len(turn), dtype=bool)
    for stance in prints:
        normal = quat.rotate(stance.turn, foot.up)
        for phase in stance.phases:
            known[phase.frames] = True
            if phase.kind != "flat":
                other = foot.sole.ball if phase.kind == "heel" else foot.sole.heel
                arm = other - foot.arms[phase.kind]
                low = (quat.rotate(stance.turn, arm) - quat.rotate(turn[phase.frames], arm)) @ normal
                away = np.maximum(low, 0.0) / np.linalg.norm(arm)
                roll[phase.frames, 0] = away if phase.kind == "toe" else -away
    if not roll.any():
        return turn
    axis = quat.rotate(turn, foot.left)
    return quat.multiply(quat.exp(axis * bridged(roll, known, fps, SETTLE)), turn)


def _toes(
    motion: Motion,
    foot: RecordedFoot,
    prints: list[LockedPrint],
    turn: Float[np.ndarray, "frames 4"],
    lying: Bool[np.ndarray, "frames"],
) -> Float[np.ndarray, "frames 4"] | None:
    phases = [list(p.phases) for p in prints]
    held = [[(p.turn, p.held[x.kind], foot.arms[x.kind]) for x in p.phases] for p in prints]
    toes = toe_turns(motion, phases, held, turn, foot.side, SETTLE)
    return None if toes is None else np.where(lying[:, None], toes, foot.toes.possible(toes))


def _swings(pinned: Bool[np.ndarray, "frames"], beyond: int) -> tuple[tuple[int, int], ...]:
    """From stance to stance; those at a clip's ends begin or end outside it."""
    return tuple(
        (first - 1 if first > 0 else -beyond, last if last < len(pinned) else len(pinned) - 1 + beyond)
        for first, last in runs_of(~pinned)
    )


def _shares(swings: tuple[tuple[int, int], ...], frames: int) -> Float[np.ndarray, "frames"]:
    out = np.zeros(frames)
    for first, last in swings:
        inner = np.arange(max(first + 1, 0), min(last, frames))
        out[inner] = (inner - first) / (last - first)
    return out
