"""What a foot does in one cycle: how its sole pitches, how long it lies flat, how it swings."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.actor.gait.stance import TERMS, bubbles
from footfall.analysis.facing import root_headings
from footfall.analysis.plants import Plant
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.figure.soles import sole_places
from footfall.geometry import easing, ground

FLAT = np.radians(2.5)
ROLL_TERMS = 2  # bubbles of rolling off: more would follow the noise of a few frames
ROLL_SHARE = 0.6  # of the fitted bubbles
SHORTEST_ROLL = 6  # frames

Values = Float[np.ndarray, "frames"]


def sole_pitch(captured: Motion) -> Values:
    """The left sole's pitch, toes up positive; as captured, for a pinned foot has lost some of its roll."""
    soles = sole_places(captured, "left")
    along = soles[:, 2] - soles[:, 0]
    # in the plane the body faces: the heel of a runner comes up until the sole is past the vertical
    forwards = np.sum(along * ground.direction_of(root_headings(captured)), axis=-1)
    aside = np.sum(along * ground.direction_of(root_headings(captured) + 0.5 * np.pi), axis=-1)
    level = np.where(forwards < -np.abs(aside), forwards, np.hypot(forwards, aside))
    return np.arctan2(along[:, 1], level)


def flat_stretch(pitch: Values, plant: Plant) -> tuple[int, int]:
    """The frames of a stance, from its start, between which the sole lies flat within FLAT."""
    if plant.flat is None:
        raise RequestError(f"the plant that begins at frame {plant.start} has no flat stretch")
    rest = np.median(pitch[plant.flat[0] - plant.start : plant.flat[1] - plant.start])
    near = np.flatnonzero(np.abs(pitch - rest) < FLAT)
    return int(near[0]), int(near[-1]) + 1


def fit_bubbles(values: Values, rates: Values, fps: float, terms: int = TERMS) -> Float[np.ndarray, "terms"]:
    """The bubbles that lie over the cubic through both ends."""
    u = np.linspace(0.0, 1.0, len(values))
    seconds = (len(values) - 1) / fps
    cubic = easing.hermite(u, values[0], values[-1], rates[0] * seconds, rates[-1] * seconds)
    return np.linalg.lstsq(bubbles(u)[:, :terms], values - cubic, rcond=None)[0]


def rolling_off(pitch: Values, rate: float, fps: float) -> Float[np.ndarray, "terms"]:
    """The bubbles of a foot that rolls off from flat; a stance that never rolls has none."""
    found = np.zeros(TERMS)
    if len(pitch) >= SHORTEST_ROLL:
        values = np.array([0.0, *pitch[1:]])
        rates = np.array([*np.zeros(len(pitch) - 1), rate])
        found[:ROLL_TERMS] = ROLL_SHARE * fit_bubbles(values, rates, fps, ROLL_TERMS)
    return found
