"""The convex hull of points in a metric: what is in it, what of it is nearest, places spread over it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.geometry.decisions import (
    MARGIN,
    first_greatest,
    first_least,
    nearest_cell,
    signed_by_largest,
    tie_break,
)

INSIDE = 1e-9  # metric; what lies no farther outside the hull is inside
SURELY = 1e-12  # metric; no farther beyond any facet: inside without asking how far exactly
FLAT = MARGIN  # metric; examples that differ by no more in a direction do not span it
# Up to so many points the hull's facets take about a second. With more, or over 8 dimensions, we do without.
FACET_LIMITS = {2: 100_000, 3: 100_000, 4: 20_000, 5: 5_000, 6: 1_000, 7: 300, 8: 120}
ENTRIES = 4_000_000  # numbers in one go, to bound memory
CHORD = 4  # places taken from each chord of a random walk
BLUNT = 1e-4  # rad, about: a corner whose facets' normals differ by less lies in a face or an edge
GROWN = 1e-4  # of the hull: corners are moved outwards by up to this to decide how flat faces are cut


@dataclass(frozen=True, eq=False)
class Hull:
    """The convex hull of points, be it in a subspace: what is in it, what is nearest, a sample of it."""

    points: Float[np.ndarray, "n d"]

    @cached_property
    def frame(self) -> tuple[Float[np.ndarray, " d"], Float[np.ndarray, "r d"], Float[np.ndarray, " r"]]:
        """Centre, axes of the space the points span, and how far they spread along each."""
        centre = self.points.mean(axis=0)
        _, spread, axes = np.linalg.svd(self.points - centre, full_matrices=False)
        spans = spread > max(FLAT, 1e-13 * float(spread.max(initial=0.0)))
        return centre, signed_by_largest(axes[spans]), spread[spans]

    @cached_property
    def facets(self) -> tuple[np.ndarray, Float[np.ndarray, "f r"], Float[np.ndarray, " f"]] | None:
        """Each facet's corners (f, r), its normal and its offset in the frame's axes; None where too many.

        How flat faces are cut depends on rounding: see `corners` and `surface` for what does not.
        """
        centre, axes, spread = self.frame
        local = (self.points - centre) @ axes.T
        rank = len(axes)
        if rank == 1:
            ends = np.array([[first_least(local)], [first_greatest(local)]])
            return ends, np.array([[-1.0], [1.0]]), np.array([local.min(), -local.max()])
        if not 1 < rank <= max(FACET_LIMITS) or len(local) > FACET_LIMITS[rank]:
            return None
        from scipy.spatial import ConvexHull, QhullError

        try:
            apart = self._apart
            hull = ConvexHull((local / spread)[apart])  # round: qhull dislikes thin bodies
        except QhullError:
            return None
        normals = hull.equations[:, :-1] / spread
        lengths = np.linalg.norm(normals, axis=1)
        return apart[hull.simplices], normals / lengths[:, None], hull.equations[:, -1] / lengths

    @property
    def _apart(self) -> Int[np.ndarray, " n"]:
        """Indices of the points without those that coincide with an earlier one."""
        return np.sort(np.unique(nearest_cell(self.points, MARGIN), axis=0, return_index=True)[1])

    @cached_property
    def corners(self) -> Int[np.ndarray, " corners"] | None:
        """Indices of the hull's corners, in order; None where the facets are too many.

        A point inside a flat face or an edge is none, whether or not facets happen to meet there: the normals
        around it do not span the space.
        """
        if self.facets is None:
            return None
        simplices, normals, _ = self.facets
        spread = self.frame[2]
        around = normals * spread  # of the rounded body, in which no angle is needlessly blunt
        around /= np.linalg.norm(around, axis=1, keepdims=True)
        squares = np.zeros((len(self.points), len(spread), len(spread)))
        for column in simplices.T:
            np.add.at(squares, column, np.einsum("fi,fj->fij", around, around))
        found = np.unique(simplices)
        own = squares[found]
        least = np.linalg.eigvalsh(own)[:, 0] / np.trace(own, axis1=1, axis2=2)
        return found[least > BLUNT**2]

    @cached_property
    def surface(self) -> Int[np.ndarray, "f r"] | None:
        """Corners of the simplices that the surface is cut into; the same points give the same ones.

        Flat faces can be cut in many ways: each corner is moved outwards by an amount of its own index, and
        the hull of these decides.
        """
        corners = self.corners
        if corners is None or self.facets is None:
            return None
        centre, axes, spread = self.frame
        if len(axes) == 1:
            return np.sort(corners)[:, None]
        from scipy.spatial import ConvexHull

        local = (self.points[corners] - centre) @ axes.T / spread
        grown = local * (1.0 + GROWN * tie_break(corners, np.zeros_like(corners)))[:, None]
        return sorted_simplices(corners[ConvexHull(grown).simplices])

    def contains(self, queries: Float[np.ndarray, "q d"]) -> Bool[np.ndarray, " q"]:
        centre, axes, _ = self.frame
        local = (queries - centre) @ axes.T
        beyond = np.linalg.norm(queries - centre - local @ axes, axis=1)
        if self.facets is None:
            sure = np.zeros(len(queries), dtype=bool)
        else:
            beyond = np.maximum(beyond, self._beyond_facets(local))
            sure = beyond <= SURELY
        inside = beyond <= FLAT  # points that count as in one plane may lie off it by so much
        for row in np.flatnonzero(inside & ~sure):  # within a hair of a facet's plane: how far from the hull?
            inside[row] = np.linalg.norm(self.nearest(queries[row]) - queries[row]) <= INSIDE
        return inside

    def _beyond_facets(self, local: np.ndarray) -> np.ndarray:
        """How far each place lies outside the facet it lies outside of most."""
        assert self.facets is not None
        _, normals, offsets = self.facets
        rows = max(ENTRIES // len(normals), 1)
        blocks = [local[k : k + rows] @ normals.T + offsets for k in range(0, len(local), rows)]
        return np.concatenate([block.max(axis=1) for block in blocks]) if blocks else np.zeros(0)

    def nearest(self, query: Float[np.ndarray, " d"]) -> Float[np.ndarray, " d"]:
        """The hull's point nearest to one query, by Wolfe's algorithm for the point of minimum norm.

        A simplex of some of the points is kept that has its own nearest point inside. A point on the query's
        side of the plane through that nearest point joins it; corners that no longer carry are dropped. All
        is measured from the nearest point so far, not from the query: so it is exact however far that one is.
        """
        points = self.points
        size = float(np.abs(points - points[0]).max())
        active = [int(np.square(points - query).sum(axis=1).argmin())]
        shares = np.ones(1)
        seen = set[frozenset[int]]()
        while frozenset(active) not in seen:  # a set that comes again differs by rounding only
            seen.add(frozenset(active))
            best = shares @ points[active]
            gap = best - query
            length = float(np.linalg.norm(gap))
            if length <= 1e-15 * max(size, 1.0):
                break
            ahead = (points - best) @ (gap / length)
            join = int(ahead.argmin())
            if ahead[join] >= -1e-14 * size or join in active:
                break
            active, shares = _carried(points, query, [*active, join], np.append(shares, 0.0))
        return shares @ points[active]

    def sample(self, count: int, rng: np.random.Generator) -> Float[np.ndarray, "count d"]:
        """Uniform over the hull: simplices from its middle to each facet, one by volume, a place in it.

        That fan has a fifth of a Delaunay triangulation's simplices and covers the same. Without facets, a
        random walk: along a random line to random places between its two ends in the hull.
        """
        if len(self.frame[1]) == 0:
            return np.repeat(self.points[:1], count, axis=0)
        if self.surface is None:
            return self._walked(count, rng)
        _, axes, spread = self.frame
        middle = self.points[self.corners].mean(axis=0)
        fan = ((self.points[self.surface] - middle) @ axes.T) / spread
        volumes = np.abs(np.linalg.det(fan))
        corners = self.points[self.surface[rng.choice(len(volumes), count, p=volumes / volumes.sum())]]
        shares = rng.dirichlet(np.ones(len(axes) + 1), count)
        return shares[:, :1] * middle + np.einsum("qr,qrd->qd", shares[:, 1:], corners)

    def _walked(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Hit-and-run: `CHORD` places from each chord, the last of them is where the next chord passes."""
        place = self.points.mean(axis=0)
        away = self.points - place
        found = np.empty((count, len(place)))
        for start in range(0, count, CHORD):
            line = rng.normal(size=len(away)) @ away  # spread as the points are, whatever axes they have
            low, high = self._chord(place, line)
            stop = min(start + CHORD, count)
            found[start:stop] = place + rng.uniform(low, high, (stop - start, 1)) * line
            place = found[stop - 1]
        return found

    def _chord(self, place: np.ndarray, line: np.ndarray) -> tuple[float, float]:
        """How far one can go back and forth along a line inside the hull: two linear programs."""
        from scipy.optimize import linprog

        count = len(self.points)
        rows = np.vstack([np.c_[self.points.T, -line], np.append(np.ones(count), 0.0)])
        bounds = [(0, None)] * count + [(None, None)]
        ends = []
        for sign in (1.0, -1.0):
            cost = np.append(np.zeros(count), sign)
            program = linprog(cost, A_eq=rows, b_eq=np.append(place, 1.0), bounds=bounds)
            ends.append(float(program.x[-1]) if program.success else 0.0)
        return min(ends[0], 0.0), max(ends[1], 0.0)


def sorted_simplices(simplices: Int[np.ndarray, "n corners"]) -> Int[np.ndarray, "n corners"]:
    """The same simplices with their corners, and then themselves, in order."""
    found = np.sort(np.asarray(simplices, dtype=np.int64), axis=1)
    return found[np.lexsort(found.T[::-1])]


def _carried(
    points: np.ndarray, query: np.ndarray, active: list[int], shares: np.ndarray
) -> tuple[list[int], np.ndarray]:
    """Walk to the nearest point of the active points' plane; where that leaves the simplex, drop a corner."""
    while len(active) > 1:
        first, *others = active
        edges = points[others] - points[first]
        wanted = np.linalg.lstsq(edges.T, query - points[first], rcond=None)[0]
        wanted = np.append(1.0 - wanted.sum(), wanted)
        if (wanted >= 0).all():
            return active, wanted
        leaving = np.flatnonzero(wanted < 0)
        steps = shares[leaving] / (shares[leaving] - wanted[leaving])
        shares = shares + steps.min() * (wanted - shares)
        shares[leaving[steps.argmin()]] = 0.0
        kept = shares > 0
        active, shares = [k for k, keep in zip(active, kept, strict=True) if keep], shares[kept]
        shares /= shares.sum()
    return active, np.ones(1)
