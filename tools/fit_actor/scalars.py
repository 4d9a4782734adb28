"""The figures of one cycle that are no curves of phase: timing, pitches, width, and the swing's bubbles."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from tools.fit_actor.feet import fit_bubbles, flat_stretch, rolling_off

from footfall.analysis.cycles import Cycle
from footfall.analysis.facing import root_headings
from footfall.analysis.plants import Plant
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat

LEVEL = np.array([1.0, 0.0, 1.0])
SHORTEST_SWING = 0.05  # m: what a swing's bubbles are at least measured by

Scalars = dict[str, Float[np.ndarray, "values"]]
Pitch = Float[np.ndarray, "frames"]


def scalars_of(motion: Motion, pitch: Pitch, cycle: Cycle, plant: Plant) -> Scalars:
    """Of the left foot's cycle that begins with `plant`; lengths as SCALARS of the curves has them."""
    frames = cycle.end - cycle.start
    rate = np.gradient(pitch) * motion.fps
    first, last = cycle.toe_off, cycle.end
    flat, lift = flat_stretch(pitch[cycle.start : first], plant)
    swing = slice(first, last + 1)
    return {
        "period": np.array([frames / motion.fps]),
        "stride": np.array([cycle.stride]),
        "stance": np.array([(first - cycle.start) / frames]),
        "flat": np.array([flat / frames]),
        "lift": np.array([lift / frames]),
        "strike_pitch": pitch[[last]],
        "strike_rate": rate[[last]],
        "off_pitch": pitch[[first]],
        "off_rate": rate[[first]],
        "width": np.array([cycle.width]),
        "toe_out": np.array([toe_out(motion, cycle, cycle.start + (flat + lift) // 2)]),
        **swing_path(motion, swing),
        "pitch": fit_bubbles(pitch[swing], rate[swing], motion.fps),
        "roll": rolling_off(pitch[cycle.start + lift : first + 1], rate[first], motion.fps),
    }


def toe_out(motion: Motion, cycle: Cycle, frame: int) -> float:
    """How far the foot points off the body's mean heading over its stance."""
    foot = motion.skeleton.joint("left_foot")
    forward = quat.rotate(motion.orientations[frame, foot], ground.FORWARD)
    heading = np.unwrap(root_headings(motion))[cycle.start : cycle.toe_off].mean()
    return float(ground.wrap(ground.heading_of(forward) - heading))


def swing_path(motion: Motion, swing: slice) -> Scalars:
    """The ankle's bubbles along its way (of the way), upwards and outwards (of leg length)."""
    ankle = motion.of("left_foot")
    speed = (np.gradient(ankle, axis=0) * motion.fps)[swing]
    path = ankle[swing]
    covered = (path[-1] - path[0]) * LEVEL
    length = float(np.linalg.norm(covered))
    ahead = covered / max(length, 1e-6)
    outward = np.array([ahead[2], 0.0, -ahead[0]])
    leg = motion.skeleton.leg_length()

    def of(axis: Float[np.ndarray, "3"]) -> Float[np.ndarray, "terms"]:
        return fit_bubbles(path @ axis, speed @ axis, motion.fps)

    return {
        "along": of(ahead) / max(length, SHORTEST_SWING),
        "up": of(ground.UP) / leg,
        "out": of(outward) / leg,
    }
