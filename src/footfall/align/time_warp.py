"""Registration of one cyclic motion to another: which frame of the other is the same moment ([rings] 3.3).

As in Kovar and Gleicher (2003): dynamic time warping finds the monotone path of limited slope along which the
two are nearest, and a smooth, strictly increasing curve is fitted to it. Keytimes (strike frames) are held
exactly. Where it differs: the path goes through the reference moment by moment, at a rate between half and
twice that of the straight map between keys, and the curve is then drawn to the poses themselves, since the
path is only as fine as its grid. Their windows of frames are speeds here, told beside the positions: of two
motions that differ in size alone, no pose is nearer to an earlier or later one.

The curve's rate is a cyclic quadratic spline of few spans. It lies between the least and the largest of its
coefficients, so that bounds on those are bounds on the rate. Straying from the straight map costs a little:
where the motions have nothing to tell (both stand) the map stays straight.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array
from footfall.geometry.decisions import clearly_less, first_least, nearest_cell, rounded

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline

Frames = Float[np.ndarray, "*queries"]
Features = Float[np.ndarray, "frames features"]
Keys = Float[np.ndarray, "keys"]
Rows = Float[np.ndarray, "frames spans"]
Coefficients = Float[np.ndarray, "spans"]

STRETCH = 2.0  # the rate is at most this times, and at least 1 / this of, the straight map's
SPANS = 12  # of the curve in a whole cycle
FEWEST_SPANS = 4  # between two keys: with fewer the rate cannot always pass from one straight map to the next
MOST_KEYS = 16
MOMENTS = 120  # of a whole cycle, at which poses are compared
CELLS = 4  # of the path's grid from one moment to the next
SPEEDS = 0.5  # weight of speeds beside positions; at 1 they count the same
STRAYING = 1e-3  # cost of a rate twice the straight map's; poses that differ by a cycle's path cost 1
BENDING = 5e-6  # cost of a rate that changes by the mean rate in the time of a cycle
STILL = 0.2  # m/cycle: slower features count as this fast, so that noise of those who stand warps nothing
HELD = 1e4  # weight of keys in a fit that starts the search, which then holds them exactly
ROUNDS = 200  # of the search at most
PRECISION = 1e-10  # of the cost, at which the search ends
NEWTON_STEPS = 4  # after the search, which ends up to 1e-6 from the minimum, elsewhere on each CPU
AT_BOUND = 1e-9  # of the mean rate: coefficients so near to a bound stay on it in Newton steps
ROUNDED = 2.0**-20  # of the mean rate: coefficients are whole multiples, so that last digits end here


@dataclass(frozen=True, eq=False)
class TimeWarp:
    """From a reference's frames to another's, both cycles: strictly increasing, and its rate never jumps.

    Between two knots it is the cubic with the values and rates that are given there.
    """

    length: int  # frames of the reference's cycle
    other_length: int  # frames of the other's
    knots: Float[np.ndarray, "knots"]  # frames of the reference, one cycle from the first key on
    values: Float[np.ndarray, "knots"]  # frames of the other
    rates: Float[np.ndarray, "knots"]  # frames of the other to one of the reference

    def __post_init__(self) -> None:
        for name in ("knots", "values", "rates"):
            object.__setattr__(self, name, frozen_array(getattr(self, name), name, shape=(None,)))

    def __call__(self, frames: Frames | float) -> Frames:
        """Where frames of the reference are in the other; a cycle later there is a cycle later here."""
        cycles, i, share = self._pieces(frames)
        cubic = self._cubics[i]
        value = cubic[..., 0] + share * (cubic[..., 1] + share * (cubic[..., 2] + share * cubic[..., 3]))
        return np.asarray(value + cycles * self.other_length)

    def rate(self, frames: Frames | float) -> Frames:
        """How fast the other plays where the reference plays frame by frame."""
        _, i, share = self._pieces(frames)
        cubic = self._cubics[i]
        rise = cubic[..., 1] + share * (2.0 * cubic[..., 2] + share * 3.0 * cubic[..., 3])
        return np.asarray(rise / self._widths[i])

    @cached_property
    def _widths(self) -> Float[np.ndarray, "knots"]:
        return np.diff(self.knots, append=self.knots[0] + self.length)

    @cached_property
    def _cubics(self) -> Float[np.ndarray, "knots 4"]:
        """Coefficients over the share of each piece, constant first."""
        rise = np.diff(self.values, append=self.values[0] + self.other_length)
        start, end = self.rates * self._widths, np.roll(self.rates, -1) * self._widths
        return np.stack(
            [self.values, start, 3.0 * rise - 2.0 * start - end, start + end - 2.0 * rise], axis=-1
        )

    def _pieces(self, frames: Frames | float) -> tuple[Frames, Int[np.ndarray, "*queries"], Frames]:
        """Of each frame the cycle, the piece, and the share of the piece that is behind it."""
        t = np.asarray(frames, dtype=float)
        cycles = np.floor((t - self.knots[0]) / self.length)
        t = t - cycles * self.length
        i = np.maximum(np.searchsorted(self.knots, t, side="right") - 1, 0)
        return cycles, i, np.clip((t - self.knots[i]) / self._widths[i], 0.0, 1.0)


def registered(reference: Features, other: Features, keys: Keys, other_keys: Keys) -> TimeWarp:
    """The time warp from the reference to the other motion that takes keys to keys.

    Rows are features of frames, in metres and alike for like poses (joints about the hips, heading removed).
    Both motions are cycles: the last row is followed by the first. Keys increase within a cycle's length.
    """
    a, b = (frozen_array(rows, "features of frames", shape=(None, None)) for rows in (reference, other))
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[1] or min(*a.shape, len(b) - 2, len(a) - 2) < 1:
        raise RequestError(
            "a time warp needs two motions of at least 3 frames each with the same features, "
            f"not {a.shape} and {b.shape}"
        )
    known = _closed(keys, len(a), "reference")
    wanted = _closed(other_keys, len(b), "other motion")
    if len(known) != len(wanted):
        raise RequestError(
            f"{len(known) - 1} keys of the reference do not fit {len(wanted) - 1} of the other motion; "
            "each needs its like"
        )
    return _Search(*_with_speeds(_periodic(a), _periodic(b)), known, wanted).found()


def _closed(keys: Keys, length: int, whose: str) -> Keys:
    """Keys, and the first of the next cycle after them."""
    row = frozen_array(keys, f"keys of the {whose}", shape=(None,))
    if row.ndim != 1 or not 1 <= len(row) <= MOST_KEYS:
        raise RequestError(f"keys of the {whose} must be a row of 1 to {MOST_KEYS} frames, not {row.shape}")
    closed = np.append(row, row[0] + length)
    if not (np.diff(closed) > 0.0).all():
        raise RequestError(
            f"keys of the {whose} must increase, and all lie in less than a cycle of {length} frames; "
            f"write a key beyond the seam with {length} added"
        )
    return closed


def _periodic(rows: Features) -> CubicSpline:
    from scipy.interpolate import CubicSpline

    return CubicSpline(np.arange(len(rows) + 1), np.concatenate([rows, rows[:1]]), bc_type="periodic")


def _with_speeds(a: CubicSpline, b: CubicSpline) -> tuple[CubicSpline, CubicSpline]:
    """Features and, in the same units, how fast they change: a sine's would be its cosine."""
    frames = [np.arange(len(curve.x) - 1) for curve in (a, b)]
    places = [curve(t) for curve, t in zip((a, b), frames, strict=True)]
    speeds = [len(t) * curve(t, 1) for curve, t in zip((a, b), frames, strict=True)]  # m/cycle
    spread = sum(_mean_square(rows - rows.mean(axis=0)) for rows in places)
    # of a closed curve never less than a circle's (Wirtinger), but for rounding where nothing moves
    pace = max(np.sqrt(sum(map(_mean_square, speeds)) / max(spread, 1e-12)), 2.0 * np.pi)
    first, second = (
        np.concatenate([x, v * SPEEDS / pace], axis=1) for x, v in zip(places, speeds, strict=True)
    )
    return _periodic(first), _periodic(second)


def _mean_square(rows: Features) -> float:
    return float(np.mean((rows * rows).sum(axis=1)))


class _Search:
    """For one warp's rate: coefficients c of a quadratic spline, in units of the mean rate m / n."""

    def __init__(self, a: CubicSpline, b: CubicSpline, keys: Keys, other_keys: Keys) -> None:
        self.b, self.keys, self.other_keys = b, keys, other_keys
        self.n, self.m = len(a.x) - 1, len(b.x) - 1
        shares = np.diff(keys) / self.n
        self.straight = np.diff(other_keys) / self.m / shares  # rates of the straight map
        self.spans = [max(FEWEST_SPANS, int(nearest_cell(SPANS * share, 1.0))) for share in shares]
        self.counts = [max(4 * FEWEST_SPANS, int(nearest_cell(MOMENTS * share, 1.0))) for share in shares]
        self.knots, moments = _divided(keys, self.spans), _divided(keys, self.counts)
        self.weights = np.repeat(shares / self.counts, self.counts)  # of moments; they sum to 1
        rates, bends, self.values = _rows(self.knots, moments, self.n)  # c gives shares of the cycle
        self.target = a(moments % self.n)
        lively = [_mean_square((len(x.x) - 1) * x(x.x[:-1], 1)) for x in (a, b)]
        self.scale = 0.5 * sum(lively) + STILL**2 * self.target.shape[1]
        stray = np.sqrt(STRAYING * self.weights) / np.repeat(self.straight, self.counts)
        bend = np.sqrt(BENDING * self.weights)
        # quadratic costs of c: squares of penalty c - aim
        self.penalty = np.concatenate([stray[:, None] * rates, bend[:, None] * bends])
        self.aim = np.concatenate([np.sqrt(STRAYING * self.weights), np.zeros(len(bends))])

    def found(self) -> TimeWarp:
        from scipy.optimize import Bounds, minimize

        low, high = self._bounds()
        held = np.diff(_rows(self.knots, self.keys, self.n)[2], axis=0)
        spanned = np.diff(self.other_keys) / self.m
        rows, aims = np.concatenate([HELD * held, self.penalty]), np.concatenate([HELD * spanned, self.aim])
        even = _bounded_fit(rows, aims, low, high)
        root = np.sqrt(self.weights)
        along = root * (self._path() - self.other_keys[0]) / self.m
        rows, aims = np.concatenate([rows, root[:, None] * self.values]), np.concatenate([aims, along])
        result = minimize(
            self.cost,
            _bounded_fit(rows, aims, low, high),
            jac=True,
            method="SLSQP",
            bounds=Bounds(low, high),
            constraints={"type": "eq", "fun": lambda c: held @ c - spanned, "jac": lambda c: held},
            options={"maxiter": ROUNDS, "ftol": PRECISION},
        )
        met = np.abs(held @ result.x - spanned).max() < 1e-8
        better = met and clearly_less(float(result.fun), self.cost(even)[0], PRECISION)
        best = self._newton(result.x, held, spanned, low, high) if better else even
        return self._warp(rounded(np.clip(best, low, high), ROUNDED))

    def _newton(
        self,
        c: Coefficients,
        held: Float[np.ndarray, "keys spans"],
        spanned: Float[np.ndarray, "keys"],
        low: Coefficients,
        high: Coefficients,
    ) -> Coefficients:
        """Goes on to the minimum by Newton steps that hold the keys; `c` where these leave the bounds."""
        free = (c > low + AT_BOUND) & (c < high - AT_BOUND)
        count, keys, best = int(free.sum()), len(held), c.copy()
        for _ in range(NEWTON_STEPS):
            system = np.zeros((count + keys, count + keys))
            system[:count, :count] = self._curvature(best)[np.ix_(free, free)]
            system[count:, :count], system[:count, count:] = held[:, free], held[:, free].T
            wanted = np.concatenate([-self.cost(best)[1][free], spanned - held @ best])
            # keys between which no coefficient is free have rows of zeros
            best[free] += np.linalg.lstsq(system, wanted, rcond=None)[0][:count]
        near = (best >= low).all() and (best <= high).all()
        return best if near and not clearly_less(self.cost(c)[0], self.cost(best)[0], PRECISION) else c

    def _curvature(self, c: Coefficients) -> Float[np.ndarray, "spans spans"]:
        """The second derivatives of the cost."""
        frames = (self.other_keys[0] + self.m * (self.values @ c)) % self.m
        apart, rates, bends = self.b(frames) - self.target, self.b(frames, 1), self.b(frames, 2)
        along = 2.0 * self.m**2 * self.weights / self.scale * (rates * rates + apart * bends).sum(axis=1)
        return np.asarray((self.values.T * along) @ self.values + 2.0 * self.penalty.T @ self.penalty)

    def cost(self, c: Coefficients) -> tuple[float, Coefficients]:
        """Mean squared distance of poses to that along a cycle's path, and penalties; with its gradient."""
        frames = (self.other_keys[0] + self.m * (self.values @ c)) % self.m
        apart, weights = self.b(frames) - self.target, self.weights / self.scale
        strays = self.penalty @ c - self.aim
        pull = 2.0 * self.m * weights * (apart * self.b(frames, 1)).sum(axis=1)
        value = weights @ (apart * apart).sum(axis=1) + strays @ strays
        return float(value), pull @ self.values + 2.0 * strays @ self.penalty

    def _bounds(self) -> tuple[Coefficients, Coefficients]:
        """Coefficient j reaches over spans j - 2 to j; one that reaches over a key has both sides' room."""
        rates = np.repeat(self.straight, self.spans)
        around = np.stack([np.roll(rates, 2), np.roll(rates, 1), rates])
        return around.min(axis=0) / STRETCH, around.max(axis=0) * STRETCH

    def _path(self) -> Frames:
        """Frames of the other at the moments, along the cheapest path through a grid."""
        starts = np.cumsum([0, *self.counts])
        pieces = []
        for (start, end), (first, last) in zip(pairwise(self.other_keys), pairwise(starts), strict=True):
            grid = np.linspace(start, end, CELLS * (last - first) + 1)
            rows, poses = self.target[first:last], self.b(grid % self.m)
            apart = (rows * rows).sum(axis=1)[:, None] + (poses * poses).sum(axis=1) - 2.0 * rows @ poses.T
            pieces.append(grid[_cheapest(apart / self.scale)])
        return np.concatenate(pieces)

    def _warp(self, c: Coefficients) -> TimeWarp:
        rates, _, values = _rows(self.knots, self.knots, self.n)
        frames = self.other_keys[0] + self.m * (values @ c)
        frames[np.cumsum([0, *self.spans[:-1]])] = self.other_keys[:-1]  # without the last digits' rounding
        return TimeWarp(self.n, self.m, self.knots, frames, self.m / self.n * (rates @ c))


def _divided(keys: Keys, parts: list[int]) -> Frames:
    """Starts of the parts when each stretch between keys is cut into so many equal ones."""
    stretches = zip(pairwise(keys), parts, strict=True)
    return np.concatenate(
        [np.linspace(start, end, count, endpoint=False) for (start, end), count in stretches]
    )


def _rows(knots: Frames, frames: Frames, n: int) -> tuple[Rows, Rows, Rows]:
    """What each coefficient adds to the rate, to its change in a cycle, to its mean so far in the cycle."""
    from scipy.interpolate import BSpline

    p = len(knots)
    around = np.concatenate([knots[-2:] - n, knots, knots[:3] + n])
    basis = BSpline(around, np.eye(p)[np.arange(p + 2) % p], 2)
    total = basis.antiderivative()
    return basis(frames), n * basis(frames, 1), (total(frames) - total(knots[0])) / n


def _bounded_fit(rows: Rows, aims: Frames, low: Coefficients, high: Coefficients) -> Coefficients:
    from scipy.optimize import lsq_linear

    return np.asarray(lsq_linear(rows, aims, (low, high)).x)


def _cheapest(apart: Float[np.ndarray, "moments cells"]) -> Int[np.ndarray, "moments"]:
    """The cells, one at each moment, of the path with the least sum of distances and costs of straying.

    It starts in the first cell, would be in the last one a moment after the last, and from moment to moment
    advances by 1 / STRETCH to STRETCH times CELLS, the straight path's advance.
    """
    count, cells = apart.shape
    moves = np.arange(round(CELLS / STRETCH), round(CELLS * STRETCH) + 1)
    straying = STRAYING * (moves[:, None] / CELLS - 1.0) ** 2
    come_from = moves[-1] - moves[:, None] + np.arange(cells)  # in a row with room for moves before its first
    best = np.append(np.zeros(1), np.full(cells - 1, np.inf))
    taken = np.empty((count, cells), dtype=int)
    for i in range(count):
        ahead = np.append(np.full(moves[-1], np.inf), best + apart[i])[come_from] + straying
        # while nothing moves, ways forth and back cost the same; a wider margin would add up along the path
        taken[i], best = moves[first_least(ahead, PRECISION, axis=0)], ahead.min(axis=0)
    path = np.empty(count, dtype=int)
    cell = cells - 1
    for i in reversed(range(count)):
        cell -= taken[i, cell]
        path[i] = cell
    return path
