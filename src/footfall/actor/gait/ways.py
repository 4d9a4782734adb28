"""Ways to go: footprints along a line or a bow, on the level, a slope or stairs, at any pace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.actor.gait.footing import Footprint, other
from footfall.actor.gait.stance import Sole
from footfall.actor.gait.swing import Ground
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import first_least
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
    origin: int = 0,
) -> list[Footprint]:
    """Footprints: one where the line begins (of the other foot), then one for each advance, `first` first.

    With `together` the way begins with both feet side by side: advance 0 then goes nowhere. On an inclined
    ground soles lie as it slopes; else every footprint is level, as on stairs. The line's place at footprint
    `origin` is the world's origin, heading +Z.
    """
    centres, headings = [np.zeros(3)], [0.0]
    for k, step in enumerate(advances):
        stays = together and k == 0
        centres.append(centres[-1] if stays else centres[-1] + _along_bow(step, headings[-1]))
        headings.append(headings[-1] if stays else headings[-1] + step.turn)
    there, then = centres[origin], headings[origin]
    slopes = [_slope(step) if inclined else 0.0 for step in (advances[0], *advances)]
    seconds = [0.0, *(step.seconds for step in advances)]
    foot = other(first)
    prints = []
    for centre, heading, slope, wait in zip(centres, headings, slopes, seconds, strict=True):
        local = quat.rotate(ground.turn(-then), centre - there)
        prints.append(_printed(track, foot, local, heading - then, wait, slope))
        foot = other(foot)
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
        # the lead is laid on the inclined plane, not beside it
        place = place + np.tan(slope) * track.ahead * UP
    return Footprint(foot, place, pointing, seconds, normal)


def flat_ground(points: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n"]:
    return np.zeros(points.shape[:-1])


def sloping_ground(slope: float) -> Ground:
    """A plane that rises along +Z."""

    def height(points: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n"]:
        return np.tan(slope) * points[..., 2]

    return height


def under_prints(prints: Sequence[Footprint]) -> Ground:
    """Ground that leans under each footprint as its sole does: a ramp that also turns."""
    places, normals = np.array([p.place for p in prints]), np.array([p.normal for p in prints])

    def height(points: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n"]:
        apart = points[..., None, :] - places
        near = first_least(np.sum(apart[..., [0, 2]] ** 2, axis=-1), axis=-1)
        away = points - places[near]
        lean = normals[near]
        return places[near, 1] - (away[..., 0] * lean[..., 0] + away[..., 2] * lean[..., 2]) / lean[..., 1]

    return height


def own_ground(prints: Sequence[Footprint], sole: Sole) -> Ground:
    """Blocks of different heights: each place belongs to the footprint whose sole is nearest.

    Halfway between two footprints' middles the edge would run under a standing foot's toes.
    """
    places = np.array([p.place for p in prints])
    ahead = ground.direction_of(np.array([p.heading for p in prints]))[:, [0, 2]]
    heel, tip = float(sole.heel[2]), float((sole.toe_joint + sole.tip)[2])

    def height(points: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n"]:
        apart = points[..., None, [0, 2]] - places[:, [0, 2]]
        along = np.clip(np.sum(apart * ahead, axis=-1), heel, tip)
        away = apart - along[..., None] * ahead
        return places[first_least(np.sum(away * away, axis=-1), axis=-1), 1]

    return height
