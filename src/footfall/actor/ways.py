"""Ways to go: footprints along a line or a bow, on the level, a slope or stairs, from any pace to any other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.actor.footing import Footprint, other
from footfall.actor.swing import Ground
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import LEFT, UP


@dataclass(frozen=True)
class Advance:
    """One step of a way: forwards, to the left, turning, rising, in so many seconds."""

    forward: float = 0.0
    side: float = 0.0
    turn: float = 0.0
    rise: float = 0.0
    seconds: float = 0.6


@dataclass(frozen=True)
class Track:
    """Where the feet go beside the line that the body follows."""

    width: float  # m between the feet
    toe_out: float  # rad
    ahead: float = 0.0  # m: the subtalars before the line's own place, as on a tread

    def place(
        self, foot: str, centre: Float[np.ndarray, "3"], heading: float
    ) -> tuple[Float[np.ndarray, "3"], float]:
        sign = 1.0 if foot == "left" else -1.0
        local = np.array([0.5 * sign * self.width, 0.0, self.ahead])
        return centre + quat.rotate(ground.turn(heading), local), heading + sign * self.toe_out


def lay(
    advances: Sequence[Advance],
    track: Track,
    first: str,
    *,
    inclined: bool = False,
    together: bool = False,
) -> list[Footprint]:
    """Footprints: one where the line begins (of the other foot), then one for each advance, `first` first.

    With `together` the way begins with both feet side by side: advance 0 is then of no length. On an
    inclined ground soles lie as it slopes; else every footprint is level, as on stairs.
    """
    centre, heading = np.zeros(3), 0.0
    foot = other(first)
    prints = [_printed(track, foot, centre, heading, 0.0, 0.0)]
    for k, step in enumerate(advances):
        foot = other(foot)
        slope = float(np.arctan2(step.rise, np.hypot(step.forward, step.side))) if inclined else 0.0
        if not (together and k == 0):
            centre = centre + _along_bow(step, heading)
            heading += step.turn
        prints.append(_printed(track, foot, centre, heading, step.seconds, slope))
    if inclined and len(prints) > 1:
        prints[0] = _printed(track, prints[0].foot, np.zeros(3), 0.0, 0.0, _slope(advances[0]))
    return prints


def _slope(step: Advance) -> float:
    return float(np.arctan2(step.rise, np.hypot(step.forward, step.side)))


def _along_bow(step: Advance, heading: float) -> Float[np.ndarray, "3"]:
    """The chord of a bow that turns by `turn` over the step's length."""
    half = 0.5 * step.turn
    chord = np.sinc(half / np.pi)  # sin(half) / half
    local = chord * np.array([step.side, 0.0, step.forward]) + step.rise * UP
    return quat.rotate(ground.turn(heading + half), local)


def _printed(
    track: Track, foot: str, centre: Float[np.ndarray, "3"], heading: float, seconds: float, slope: float
) -> Footprint:
    place, pointing = track.place(foot, centre, heading)
    normal = quat.rotate(ground.turn(heading), quat.rotate(quat.exp(-slope * LEFT), UP))
    if slope:
        # toe-out and lead are laid on the inclined plane, not beside it
        place = place + np.tan(slope) * track.ahead * UP
    return Footprint(foot, place, pointing, seconds, normal)


def flat_ground(points: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n"]:
    return np.zeros(points.shape[:-1])


def sloping_ground(slope: float) -> Ground:
    """A plane that rises along +Z."""

    def height(points: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n"]:
        return np.tan(slope) * points[..., 2]

    return height


def own_ground(prints: Sequence[Footprint]) -> Ground:
    """Blocks of different heights: each place belongs to the nearest footprint."""
    places = np.array([p.place for p in prints])

    def height(points: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n"]:
        apart = points[..., None, [0, 2]] - places[:, [0, 2]]
        return places[np.argmin(np.sum(apart * apart, axis=-1), axis=-1), 1]

    return height
