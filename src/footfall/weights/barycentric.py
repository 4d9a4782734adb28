"""Barycentric weights in the Delaunay simplices of the examples ([body] 4.1, [stepping] 4.3).

What lies outside all of them is brought to the nearest point of their hull first. So weights are never
negative, only the corners of one simplex weigh anything, and along the faces neighbours agree.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array
from footfall.geometry.decisions import order_of, tie_break
from footfall.weights.hull import Hull, sorted_simplices
from footfall.weights.scheme import KnownWeights, Points, Queries, Weights, checked_queries

ENTRIES = 2_000_000  # numbers in one go, to bound memory
FACE = 1e-12  # a coordinate so little under zero is one on a face
THIN = 1e-6  # of its length: a simplex no thicker holds nothing that its neighbours do not
# by what points on one sphere are lifted apart: of their mean squared distance from their middle, and of the
# least squared distance between two, for more could leave a point out
TIED, HIDDEN = 1e-5, 0.01


class Barycentric:
    """A weight scheme that is linear in each simplex. Examples that span no volume are met in what they span.

    >>> scheme = Barycentric(points, np.eye(len(points)))
    >>> scheme(np.array([1.2, 0.1, 0.0]))
    """

    convex = True
    continuous = True

    def __init__(self, points: Points, known: KnownWeights | None = None) -> None:
        self.points = frozen_array(points, "points")
        if self.points.ndim != 2 or not self.points.size:
            raise RequestError(f"barycentric weights need rows of points, not shape {self.points.shape}")
        rows = np.eye(len(self.points)) if known is None else known
        self.known = frozen_array(rows, "known weights")
        if self.known.ndim != 2 or len(self.known) != len(self.points):
            raise RequestError(f"{len(self.points)} points need a row of weights each")
        self.hull = Hull(self.points)

    @property
    def examples(self) -> int:
        return self.known.shape[1]

    @property
    def dims(self) -> int:
        return self.points.shape[1]

    @cached_property
    def simplices(self) -> Int[np.ndarray, "simplices corners"]:
        """Corners of each simplex, as indices of points; the same points give the same ones.

        Delaunay's, which are the lower facets of the hull of points lifted to a paraboloid. Where points of a
        grid lie on one sphere, several are Delaunay's: an amount of its index by which each point is lifted
        more decides.
        """
        local = self._local(self.points)
        count, rank = local.shape
        if rank == 0:
            return np.zeros((1, 1), dtype=np.int64)
        if rank == 1:
            order = order_of(local[:, 0])
            return _solid(np.stack([order[:-1], order[1:]], axis=1), local)
        if count == rank + 1:
            return np.arange(count)[None]
        from scipy.spatial import ConvexHull, KDTree, QhullError

        heights = np.square(local).sum(axis=1)
        apart = KDTree(local).query(local, k=2)[0][:, 1]
        nearest = float(apart[apart > THIN].min(initial=1.0))
        tied = min(TIED * float(heights.mean()), HIDDEN * nearest**2)
        indices = np.arange(count)
        heights += tied * tie_break(indices, np.zeros_like(indices))
        try:
            hull = ConvexHull(np.column_stack([local, heights]))
        except QhullError as error:
            raise RequestError(f"no simplices between these points: {str(error)[:80]}") from None
        return _solid(sorted_simplices(hull.simplices[hull.equations[:, rank] < 0.0]), local)

    @cached_property
    def maps(
        self,
    ) -> tuple[Float[np.ndarray, "simplices corners rank"], Float[np.ndarray, "simplices corners"]]:
        """Barycentric coordinates of a place x in the spanned space are maps[0] @ x + maps[1]."""
        local = self._local(self.points)[self.simplices]
        corners = np.concatenate([local, np.ones((*local.shape[:2], 1))], axis=-1).transpose(0, 2, 1)
        inverse = np.linalg.inv(corners)
        return inverse[..., :-1], inverse[..., -1]

    def __call__(self, queries: Queries) -> Weights:
        asked = checked_queries(queries, self.dims)
        flat = asked.reshape(-1, self.dims)
        inside = self.hull.contains(flat) if len(flat) else np.zeros(0, dtype=bool)
        brought = flat.copy()
        for row in np.flatnonzero(~inside):
            brought[row] = self.hull.nearest(flat[row])
        return self.inside(brought).reshape(*asked.shape[:-1], self.examples)

    def inside(self, places: Float[np.ndarray, "q dims"]) -> Float[np.ndarray, "q examples"]:
        """Rows of weights of places in the hull."""
        out = np.zeros((len(places), self.examples))
        slopes, offsets = self.maps
        local = self._local(places)
        block = max(ENTRIES // max(slopes[..., 0].size if slopes.shape[-1] else 1, 1), 1)
        for k in range(0, len(places), block):
            piece = local[k : k + block]
            shares = np.einsum("scr,qr->qsc", slopes, piece) + offsets
            least = shares.min(axis=2)
            # on a face any neighbour will do, but always the same one: the first
            best = np.where(
                (least >= -FACE).any(axis=1), (least >= -FACE).argmax(axis=1), least.argmax(axis=1)
            )
            own = np.maximum(shares[np.arange(len(piece)), best], 0.0)
            own /= own.sum(axis=1, keepdims=True)
            out[k : k + block] = np.einsum("qc,qce->qe", own, self.known[self.simplices[best]])
        return out

    def _local(self, places: Float[np.ndarray, "*q dims"]) -> Float[np.ndarray, "*q rank"]:
        """In the axes of what the points span, each as long as they spread along it."""
        centre, axes, spread = self.hull.frame
        # not by `@`, which rounds otherwise for other numbers of places
        return np.einsum("...d,rd->...r", places - centre, axes) / spread


def _solid(
    simplices: Int[np.ndarray, "n corners"], local: Float[np.ndarray, "points rank"]
) -> Int[np.ndarray, "solid corners"]:
    """Those that are no slivers, as there are along flat faces of the hull."""
    edges = local[simplices[:, 1:]] - local[simplices[:, :1]]
    sizes = np.linalg.svd(edges, compute_uv=False)
    return simplices[sizes[:, -1] > THIN * sizes[:, 0]]
