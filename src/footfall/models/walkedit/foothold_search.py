"""Footholds along a way over any ground: the walk of least trouble, found over all of it at once.

Places for either foot lie on a lattice along the way. Each that bears a foot has a cost (rough, steep), each
step from one foot's place to the other's another (longer or shorter than wanted, high, aside); steps only
lead on, so the cheapest walk is found by dynamic programming. Then the steps are evened out where the ground
lets them be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import RequestError
from footfall.geometry.decisions import MARGIN, cell_of, cells_up_to, clearly_less, first_least
from footfall.models.walkedit.cycle import WalkCycle
from footfall.models.walkedit.footing import Footing, Footprint, footing
from footfall.models.walkedit.reach import longest_step
from footfall.models.walkedit.way import Way
from footfall.world.terrain import Ground

ALONG = 0.015  # m between places along the way: a tread leaves a foot little more
ASIDE = 0.03 * np.arange(-5, 6)  # m from where a foot is set as a rule
SHORTEST = 0.15  # m of a step
HIGHEST = 0.33  # of leg length: no step rises or falls by more
UNEVEN = (0.12, 0.5)  # of the wanted length: how much longer, or shorter, costs as much as one whole step
HIGH, WIDE = 0.10, 0.06  # m, up or down and aside: the same
ROUGH, STEEP, CROWDED = 0.006, 0.5, 0.7  # m, rad, and what it costs to have something higher near: of a place
NARROW = 0.04  # m: a foot is set at least so far to its own side of the other
LEVELS, WITHIN = 0.1, (0.45, 0.33)  # m: how often the ground is followed, what a step may rise and fall
SINKS = 0.02  # m: over gaps the level is followed down so much each time
LOOKED_AT = 0.06 * np.arange(-3, 4)  # m aside from the way
SWEEPS = 12  # of evening out

Numbers = Float[np.ndarray, "*n"]


@dataclass(frozen=True, eq=False)
class Footholds:
    """A walk's places: distance along the way, and aside from where that foot is set as a rule."""

    distance: Float[np.ndarray, "steps"]
    aside: Float[np.ndarray, "steps"]
    feet: Int[np.ndarray, "steps"]
    footing: Footing


@dataclass(frozen=True, eq=False)
class Search:
    """What footholds are looked for with."""

    cycle: WalkCycle
    terrain: Ground
    way: Way
    shapes: tuple[Footprint, Footprint]
    levels: Float[np.ndarray, "samples"]  # of the ground along the way, one for each of its samples

    def footing(self, distance: Numbers, aside: Numbers, feet: Int[np.ndarray, "*n"]) -> Footing:
        """Of feet at distances and asides."""
        distance, aside, feet = np.broadcast_arrays(distance, aside, feet)
        plan, heading = self.way.at(distance)
        beside = np.array(self.cycle.beside)[feet] + aside
        x = plan[..., 0] + beside * np.cos(heading)
        z = plan[..., 1] - beside * np.sin(heading)
        turned = heading + np.array(self.cycle.headings)[feet]
        expected = self.expected(distance)
        which = [np.flatnonzero(feet.ravel() == foot) for foot in range(2)]
        flat = [v.ravel() for v in (x, z, turned, expected)]
        parts = [
            _values(footing(self.terrain, shape, *(v[own] for v in flat)))
            for shape, own in zip(self.shapes, which, strict=True)
        ]
        whole = []
        for one, other in zip(*parts, strict=True):
            values = np.empty((feet.size, *one.shape[1:]), dtype=one.dtype)
            values[which[0]], values[which[1]] = one, other
            whole.append(values.reshape(*feet.shape, *one.shape[1:]))
        return Footing(*whole)

    def apart(self, feet: Int[np.ndarray, "n"], aside: Numbers, others: Numbers) -> Numbers:
        """How far feet are to their own side of the other foot, by both asides."""
        width = self.cycle.beside[0] - self.cycle.beside[1]
        return width + np.where(feet == 0, aside - others, others - aside)

    def expected(self, distance: Numbers) -> Numbers:
        """About how high the ground is."""
        at = np.linspace(0.0, self.way.length, len(self.levels))
        return np.interp(distance, at, self.levels)


def _values(found: Footing) -> tuple[np.ndarray, ...]:
    return tuple(getattr(found, field.name) for field in fields(found))


def find_footholds(search: Search, length: Callable[[float], float], first: int | None) -> Footholds:
    """From the way's beginning, where foot `first` stands, to its end; refused where there is no walk.

    None is whichever foot serves better. `length` is the step length that is wanted, by distance.
    """
    spots = np.arange(0.0, search.way.length + 0.5 * ALONG, ALONG)
    wanted = np.array([length(float(spot)) for spot in spots])
    grid = np.meshgrid(spots, ASIDE, np.arange(2), indexing="ij")
    found = search.footing(grid[0], grid[1], grid[2].astype(int))
    walk = _cheapest(search, spots, found, wanted, first)
    distance, aside = spots[walk[:, 0]], ASIDE[walk[:, 1]]
    return _evened(search, distance, aside, walk[:, 2], length)


def _cheapest(
    search: Search,
    spots: Float[np.ndarray, "n"],
    found: Footing,
    wanted: Float[np.ndarray, "n"],
    first: int | None,
) -> Int[np.ndarray, "steps 3"]:
    """Dynamic programming over the lattice; rows are its places."""
    count, asides = len(spots), len(ASIDE)
    own = (found.roughness / ROUGH) ** 2 + (found.steepness / STEEP) ** 2 + (ASIDE[:, None] / WIDE) ** 2
    own = own + CROWDED * found.crowded
    own = np.where(found.firm, own, np.inf)
    height = np.where(found.firm, found.places[..., 1], 1e6)
    heading = search.way.at(spots)[1]
    ahead = np.stack([np.sin(heading), np.zeros(count), np.cos(heading)], axis=-1)[:, None, None]
    grade = -np.sum(found.normals * ahead, axis=-1) / found.normals[..., 1]
    longest, highest = _longest(search.cycle, float(wanted.max())), HIGHEST * search.cycle.leg_length
    reach = int(cells_up_to(longest(0.0), ALONG))
    shortest = max(int(cells_up_to(min(SHORTEST, 0.6 * float(wanted.min())), ALONG)), 1)
    beside = ASIDE + np.array(search.cycle.beside)[:, None]
    apart = beside[0][:, None] - beside[1]  # left aside, right aside
    crossed = np.where(clearly_less(apart, NARROW), np.inf, 0.0)
    narrow = (crossed.T, crossed)  # from aside, to aside; by the foot that arrives
    best = np.full((count, asides, 2), np.inf)
    came = np.full((count, asides, 2), -1)
    begin = max(int(cell_of(0.5 * wanted[0], ALONG)), 1)
    for foot in range(2) if first is None else [first]:
        best[:begin, :, foot] = own[:begin, :, foot] + (spots[:begin, None] / (0.5 * wanted[0])) ** 2
    for i in range(shortest, count):
        back = np.arange(max(i - reach, 0), i - shortest + 1)
        advance = spots[i] - spots[back]
        for foot in range(2):
            if not np.isfinite(own[i, :, foot]).any():
                continue
            before = best[back, :, 1 - foot]
            if not np.isfinite(before).any():
                continue
            rise = height[i, :, foot] - height[back, :, 1 - foot][..., None]  # back, aside, aside now
            more = advance / wanted[back] - 1.0
            uneven = (more / np.where(more > 0.0, *UNEVEN)) ** 2
            # what the foot must swing over: in its own lane, from about where it left
            passed = np.maximum.accumulate(found.tops[i::-1, :, foot], axis=0)[np.minimum(2 * (i - back), i)]
            level = np.maximum(height[i, :, foot], height[back, :, 1 - foot][..., None])
            hurdle = np.maximum(passed[:, None] - level, 0.0)
            slope = 0.5 * (grade[i, :, foot] + grade[back, :, 1 - foot][..., None])
            step = np.abs(rise - slope * advance[:, None, None])  # what rises with a slope is no step
            cost = before[..., None] + narrow[foot] + uneven[:, None, None] + (step / HIGH) ** 3
            cost = cost + np.where(hurdle < highest, (hurdle / HIGH) ** 3, np.inf)
            cost = np.where(advance[:, None, None] <= longest(np.abs(rise)) + MARGIN, cost, np.inf)
            flat = cost.reshape(-1, asides)
            pick = first_least(flat, axis=0)  # on even ground many ways cost the same
            value = flat[pick, np.arange(asides)] + own[i, :, foot] + 1.0
            better = clearly_less(value, best[i, :, foot])
            best[i, :, foot] = np.where(better, value, best[i, :, foot])
            came[i, :, foot] = np.where(better, back[pick // asides] * asides + pick % asides, -1)
    return _backwards(best, came, spots, search.way.length, float(wanted[-1]))


def _longest(cycle: WalkCycle, wanted: float):  # type: ignore[no-untyped-def]
    """How long a step may be, by its rise; higher than a leg may climb is none."""
    highest = HIGHEST * cycle.leg_length
    rises = np.linspace(0.0, highest, 12)
    lengths = np.array([longest_step(cycle, float(r)) for r in rises])
    lengths = np.minimum(lengths, max(1.3 * wanted, 0.75 * cycle.step_length))

    def longest(rise: Numbers | float) -> Numbers:
        return np.where(np.asarray(rise) <= highest, np.interp(rise, rises, lengths), -1.0)

    return longest


def _backwards(
    best: Float[np.ndarray, "n asides 2"],
    came: Int[np.ndarray, "n asides 2"],
    spots: Float[np.ndarray, "n"],
    length: float,
    wanted: float,
) -> Int[np.ndarray, "steps 3"]:
    last = np.flatnonzero(np.isfinite(best).any(axis=(1, 2)))
    end = spots >= length - max(0.9 * wanted, 2 * ALONG) - MARGIN  # less than a step is left
    late = np.where(end[:, None, None], best + ((length - spots) / wanted)[:, None, None] ** 2, np.inf)
    if not np.isfinite(late).any():
        reached = spots[last[-1]] if len(last) else 0.0
        raise RequestError(
            f"no foothold was found beyond {reached:.2f} m of the path's {length:.2f} m: no step of this "
            f"walk leads on from there"
        )
    i, j, foot = np.unravel_index(int(first_least(late)), late.shape)
    walk = [(int(i), int(j), int(foot))]
    while came[i, j, foot] >= 0:
        i, j, foot = came[i, j, foot] // best.shape[1], came[i, j, foot] % best.shape[1], 1 - foot
        walk.append((int(i), int(j), int(foot)))
    return np.array(walk[::-1])


def _evened(
    search: Search,
    distance: Float[np.ndarray, "steps"],
    aside: Float[np.ndarray, "steps"],
    feet: Int[np.ndarray, "steps"],
    length: Callable[[float], float],
) -> Footholds:
    """Steps as even as the ground lets them be: a place moves between its neighbours while it bears."""
    now = search.footing(distance, aside, feet)
    wanted = np.array([length(float(d)) for d in distance])
    longest = _longest(search.cycle, float(wanted.max()))
    for sweep in range(SWEEPS):
        share = 1.0 if sweep < SWEEPS // 2 else 0.35
        for odd in (0, 1):
            moving = np.arange(1 + odd, len(distance) - 1, 2)
            if not len(moving):
                continue
            before, after = distance[moving - 1], distance[moving + 1]
            even = before + (after - before) * wanted[moving - 1] / (wanted[moving - 1] + wanted[moving])
            to = distance[moving] + share * (even - distance[moving])
            aside_to = (1.0 - 0.5 * share) * aside[moving]
            trial = search.footing(to, aside_to, feet[moving])
            fine = trial.firm & (trial.crowded <= now.crowded[moving])
            fine &= trial.roughness - now.roughness[moving] < 0.001
            fine &= trial.steepness - now.steepness[moving] < 0.03
            for side in (-1, 1):
                rise = np.abs(np.where(trial.firm, trial.places[:, 1], 1e6) - now.places[moving + side, 1])
                fine &= np.abs(to - distance[moving + side]) <= longest(rise) + MARGIN
                fine &= ~clearly_less(search.apart(feet[moving], aside_to, aside[moving + side]), NARROW)
            distance[moving] = np.where(fine, to, distance[moving])
            aside[moving] = np.where(fine, aside_to, aside[moving])
            for value, new in zip(_values(now), _values(trial), strict=True):
                value[moving[fine]] = new[fine]
    return Footholds(distance, aside, feet, now)


def ground_levels(terrain: Ground, way: Way, start: float | None) -> Float[np.ndarray, "samples"]:
    """The ground along a way, followed from where it begins.

    What is out of a step's reach above (a bridge) is not seen, nor what is beneath narrow gaps.
    """
    samples = max(int(cell_of(way.length, LEVELS)) + 1, 2)
    plan, heading = way.at(np.linspace(0.0, way.length, samples))
    across = np.stack([np.cos(heading), -np.sin(heading)], axis=-1)
    spots = plan[:, None] + LOOKED_AT[:, None] * across[:, None]
    level = start
    if level is None:
        heights = terrain.height(spots[0, :, 0], spots[0, :, 1])
        level = float(heights.max()) if np.isfinite(heights).any() else 0.0
    out = np.zeros(samples)
    for i in range(samples):
        heights = terrain.height(spots[i, :, 0], spots[i, :, 1], np.full(len(LOOKED_AT), level + WITHIN[0]))
        near = heights[heights > level - WITHIN[1] - MARGIN]
        # between two stones their tops count, not what lies beneath
        level = float(near.max()) if len(near) else level - SINKS
        out[i] = level
    return out
