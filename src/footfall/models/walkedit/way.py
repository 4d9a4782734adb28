"""A way over the ground plan: a line that knows where it heads at every distance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.errors import NO_NUMBER, RequestError
from footfall.geometry import curve
from footfall.geometry.decisions import MARGIN, cells_up_to, clearly_less, first_greatest, first_least
from footfall.geometry.ground import wrap

SPACING = 0.02  # m between samples
COARSE = 12  # samples between those that are looked at first
ROUND, OVERLAP = (
    4.7,
    1.5,
)  # rad, m: a piece of a way turns by so much at most, and shares so much with the next
BESIDE = 1.2  # m: farther from a bend there is nothing of it
TIGHTEST = 5.0  # rad a metre, of a given path when its corners are rounded
FOUND = 1e-3  # m along the way, before the last step: then that step was a small one
ROUNDED, MOST_ROUNDED = 0.6, 80  # m over which corners of a given path are rounded, and how often at most
Numbers = Float[np.ndarray, "*n"]


@dataclass(frozen=True, eq=False)
class Way:
    """Samples along a way, `SPACING` apart. Beyond its ends it goes straight on."""

    points: Float[np.ndarray, "samples 2"]  # x, z
    headings: Float[np.ndarray, "samples"]
    arc: float | None = None  # rad a metre, of a way that is one arc from the origin

    @property
    def length(self) -> float:
        return (len(self.points) - 1) * SPACING

    @cached_property
    def is_straight(self) -> bool:
        """Along +Z from the origin: then distances are z and nothing needs to be looked for."""
        return bool(not self.headings.any() and not self.points[0].any())

    def at(self, distance: Numbers) -> tuple[Float[np.ndarray, "*n 2"], Numbers]:
        """Places and headings."""
        distance = np.asarray(distance, dtype=float)
        inside = np.clip(distance, 0.0, self.length) / SPACING
        i = np.minimum(inside.astype(int), len(self.points) - 2)
        f = inside - i
        heading = self.headings[i] + f * (self.headings[i + 1] - self.headings[i])
        place = self.points[i] + f[..., None] * (self.points[i + 1] - self.points[i])
        over = distance - np.clip(distance, 0.0, self.length)
        return place + over[..., None] * np.stack([np.sin(heading), np.cos(heading)], axis=-1), heading

    def bend(self, distance: Numbers) -> Numbers:
        """Radians a metre, to the left."""
        i = np.clip((np.asarray(distance) / SPACING).astype(int), 0, len(self.headings) - 2)
        inside = (distance >= 0.0) & (distance <= self.length)
        return np.where(inside, (self.headings[i + 1] - self.headings[i]) / SPACING, 0.0)

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """Pieces that do not lie over each other: a way that goes round and round has several."""
        last = len(self.points) - 1
        turned = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(self.headings)))])
        if turned[-1] <= ROUND + MARGIN:
            return (Turn(self, 0, last),)
        overlap, pieces, first = int(OVERLAP / SPACING), [], 0
        while True:
            end = int(np.searchsorted(turned, turned[first] + ROUND - MARGIN))
            pieces.append(Turn(self, first, min(end, last)))
            if end >= last:
                return tuple(pieces)
            first = max(end - overlap, first + 1)


@dataclass(frozen=True, eq=False)
class Turn:
    """A piece of a way, from one of its samples to another."""

    way: Way
    first: int
    last: int

    def locate(self, x: Numbers, z: Numbers) -> Numbers:
        """How far along the way places beside this piece are; nan beyond its ends, where others go on."""
        if self.way.is_straight:
            return np.where(np.isfinite(x) & np.isfinite(z), z, np.nan)
        places = np.stack(np.broadcast_arrays(x, z), axis=-1)
        finite = np.isfinite(places).all(axis=-1)
        places = np.where(finite[..., None], places, 0.0)
        if self.way.arc is not None:
            return np.where(finite, self._on_arc(places, self.way.arc), np.nan)
        distance = self._nearest(places)
        found = np.zeros(distance.shape, dtype=bool)
        for _ in range(3):  # the foot of a perpendicular: a few steps along the tangent
            point, heading = self.way.at(distance)
            ahead = np.stack([np.sin(heading), np.cos(heading)], axis=-1)
            across = np.stack([np.cos(heading), -np.sin(heading)], axis=-1)
            apart = places - point
            along = np.sum(apart * ahead, axis=-1)
            aside = np.sum(apart * across, axis=-1)
            found = (np.abs(along) < FOUND) & (np.abs(aside) < BESIDE)
            inwards = 1.0 - self.way.bend(distance) * aside
            distance = distance + along / np.maximum(inwards, 0.2)
        first, last = self.first * SPACING, self.last * SPACING
        if self.first:
            found &= distance >= first
        if self.last < len(self.way.points) - 1:
            found &= distance <= last
        return np.where(found & finite, distance, np.nan)

    def _on_arc(self, places: Float[np.ndarray, "*n 2"], arc: float) -> Numbers:
        """By the angle about the centre: x = (1 - cos(arc s)) / arc, z = sin(arc s) / arc."""
        first, last = self.first * SPACING, self.last * SPACING
        middle = 0.5 * (first + last) * arc
        angle = np.arctan2(places[..., 1] * arc, 1.0 - places[..., 0] * arc)
        distance = (middle + wrap(angle - middle)) / arc
        aside = (1.0 - np.hypot(places[..., 1] * arc, 1.0 - places[..., 0] * arc)) / arc
        before = places[..., 1] if self.first == 0 else np.nan  # straight on, before it begins
        point, heading = self.way.at(np.array(last))
        after: Numbers | float = np.nan
        if self.last == len(self.way.points) - 1:
            after = last + (places - point) @ np.array([np.sin(heading), np.cos(heading)])
        within = np.where(np.abs(aside) < BESIDE, distance, np.nan)
        return np.where(distance < first, before, np.where(distance > last, after, within))

    def _nearest(self, places: Float[np.ndarray, "*n 2"]) -> Numbers:
        """About: the nearest of some samples, a few of them a metre."""
        few = np.arange(self.first, self.last + 1, COARSE)
        points = self.way.points[few]
        # |p - q|^2 without |p|^2, which is the same for all samples
        away = np.sum(points**2, axis=-1) - 2.0 * (places @ points.T)
        return few[first_least(away, axis=-1)] * SPACING


def bending_way(bend: Callable[[float], float] | float, length: float) -> Way:
    """From the origin along +Z, turning by `bend` radians a metre, the same or by distance."""
    samples = int(cells_up_to(length, SPACING)) + 1
    arc = None if callable(bend) else float(bend)
    bends = np.array([bend((i + 0.5) * SPACING) if callable(bend) else bend for i in range(samples)])
    headings = np.concatenate([[0.0], np.cumsum(bends) * SPACING])
    middle = 0.5 * (headings[1:] + headings[:-1])
    chord = SPACING * np.sinc(0.5 * bends * SPACING / np.pi)
    steps = chord[:, None] * np.stack([np.sin(middle), np.cos(middle)], axis=-1)
    return Way(np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)]), headings, arc)


def way_along(path: object) -> tuple[Way, float | None]:
    """A way along given points, (x, z) or (x, y, z), its corners rounded; and the height where it begins."""
    try:
        given = np.asarray(path, dtype=float)
    except NO_NUMBER:
        raise RequestError("a path must be an array of points (x, z) or (x, y, z)") from None
    if given.ndim != 2 or given.shape[-1] not in (2, 3) or len(given) < 2 or not np.isfinite(given).all():
        raise RequestError("a path must be two or more finite points (x, z) or (x, y, z)")
    plan = given[:, [0, -1]]
    plan = plan[np.concatenate([[True], np.linalg.norm(np.diff(plan, axis=0), axis=-1) > 1e-9])]
    length = float(curve.arc_lengths(plan)[-1]) if len(plan) > 1 else 0.0
    if clearly_less(length, 0.1):
        raise RequestError(f"a path must lead somewhere: this one is {length:.3f} m long")
    if length > 10_000.0:
        raise RequestError(f"a path can be 10 km long at most: this one is {length / 1000.0:.1f} km")
    dense = curve.at_distance(plan, np.linspace(0.0, length, int(cells_up_to(length, SPACING)) + 1))
    for rounds in range(MOST_ROUNDED):
        dense = _averaged(dense, ROUNDED)
        way = _sampled(dense)
        sharpest = np.abs(np.diff(way.headings)) / SPACING
        if rounds and sharpest.max(initial=0.0) <= TIGHTEST:
            return way, float(given[0, 1]) if given.shape[-1] == 3 else None
    where = int(first_greatest(sharpest)) * SPACING
    raise RequestError(
        f"the path turns too sharply {where:.1f} m from its beginning: nobody walks round a bend of less "
        f"than {1 / TIGHTEST:.1f} m radius"
    )


def _sampled(points: Float[np.ndarray, "n 2"]) -> Way:
    """A way through points that lie close together."""
    samples = int(cells_up_to(curve.arc_lengths(points)[-1], SPACING))
    dense = curve.at_distance(points, np.arange(samples) * SPACING)
    ahead = np.gradient(dense, axis=0)
    return Way(dense, np.unwrap(np.arctan2(ahead[:, 0], ahead[:, 1])))


def _averaged(points: Float[np.ndarray, "n 2"], over: float) -> Float[np.ndarray, "n 2"]:
    """A running mean that keeps both ends: it gets narrower towards them."""
    half = np.minimum(np.arange(len(points)), np.arange(len(points))[::-1])
    half = np.minimum(half, round(0.5 * over / SPACING))
    sums = np.concatenate([np.zeros((1, 2)), np.cumsum(points, axis=0)])
    i = np.arange(len(points))
    return (sums[i + half + 1] - sums[i - half]) / (2 * half + 1)[:, None]


STRAIGHT_ON = Way(np.array([[0.0, 0.0], [0.0, SPACING]]), np.zeros(2))
