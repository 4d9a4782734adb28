"""Standing jumps over generic time: means over clips, linear in length and height."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Float
from tools.fit_actor.captures import jump_rows, on_figure
from tools.fit_actor.posture import posture_rotations, turns_of
from tools.fit_actor.regression import regress
from tools.fit_actor.tables import BOUNDS

from footfall import detect_contacts, mirror
from footfall.actor.curves import POSTURE
from footfall.actor.gait.jump_curves import KNOTS, generic_time
from footfall.analysis.apex import Jump, detect_jumps
from footfall.analysis.facing import root_headings
from footfall.errors import RequestError
from footfall.figure.motion import Motion


@dataclass(frozen=True, eq=False)
class Leap:
    """One jump as the fit sees it, at the knots of generic time."""

    length: float
    height: float
    turns: Float[np.ndarray, "knots roles 3"]
    legs: Float[np.ndarray, "knots"]  # hip to ankle, of leg length


def jump_table(captures: Path) -> dict[str, object]:
    leaps = list(_leaps(captures))
    if not leaps:
        raise RequestError(f"the captures in {captures} show no standing jump")
    print(f"jump: {len(leaps) // 2} clips")
    design = np.array([[1.0, leap.length, leap.height] for leap in leaps])
    weight = np.ones(len(leaps))
    turns = np.array([leap.turns for leap in leaps])
    fitted = regress(design, turns.reshape(len(leaps), -1), weight).reshape(-1, *turns.shape[1:])
    return {
        "posture": {role: fitted[:, :, k] for k, role in enumerate(POSTURE)},
        "legs": regress(design, np.array([leap.legs for leap in leaps]), weight),
        "bounds": np.percentile(design[:, 1:], BOUNDS, axis=0).T,
    }


def _leaps(captures: Path) -> Iterator[Leap]:
    """The longest flight of every clip, as it is and in a mirror."""
    rows = jump_rows(captures)
    print(f"reading jump: {len(rows)} clips", flush=True)
    for row in rows:
        motion = on_figure(captures / row["file"], float(row["fps_true"]))
        found = detect_jumps(motion, detect_contacts(motion))
        if not found:
            print(f"{row['file']}: left out (no jump is found)")
            continue
        jump = max(found, key=lambda j: j.landing - j.takeoff)
        yield leap_of(motion, jump)
        yield leap_of(mirror(motion), jump)


def leap_of(motion: Motion, jump: Jump) -> Leap:
    told = generic_time(motion.times, jump.takeoff / motion.fps, jump.landing / motion.fps)
    inside = (told > KNOTS[0]) & (told < KNOTS[-1])
    at = np.interp(KNOTS, told[inside], np.flatnonzero(inside))  # the knots' frames
    turns = turns_of(posture_rotations(motion), np.unwrap(root_headings(motion)).mean())
    reach = [
        np.linalg.norm(motion.of(f"{side}_foot") - motion.of(f"{side}_thigh"), axis=-1)
        for side in motion.skeleton.sides
    ]
    legs = np.interp(at, np.arange(len(motion)), np.mean(reach, axis=0)) / motion.skeleton.leg_length()
    return Leap(jump.length, jump.height, _sampled(turns, at), legs)


def _sampled(
    values: Float[np.ndarray, "frames roles 3"], at: Float[np.ndarray, "knots"]
) -> Float[np.ndarray, "knots roles 3"]:
    frames = np.arange(len(values))
    columns = [np.interp(at, frames, column) for column in values.reshape(len(values), -1).T]
    return np.stack(columns, axis=1).reshape(len(at), *values.shape[1:])
