"""The tetrahedra of S_low, and for each the others that may be blended in its place ([stepping] 4.2, 4.3).

The steps of one side are corners of Delaunay tetrahedra. For each tetrahedron T, B(T) holds the tetrahedra of
the k steps nearest to its centroid, within a radius, that contain all of T; forward and backward steps are
not mixed; T itself always belongs to it, as its first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array
from footfall.geometry.decisions import clearly_less, order_of

NEAREST = 50  # k, [stepping] 6
# The paper does not print r. Fifty steps of captures lie within 0.3 to 0.5 m of a centroid where it is dense;
# where it is thin they reach on to 1 m, and steps that differ by a whole step length blend to neither.
RADIUS = 0.6  # m
MOST = 1024  # tetrahedra kept for one: half of them have fewer than 10
MERGED = 1e-5  # m; steps as near to each other in S_low are one corner

Progress = Callable[[str, float], None]


@dataclass(frozen=True, eq=False)
class LowSpace:
    """Steps in S_low and the Delaunay tetrahedra between them. Two steps at one place share a corner."""

    low: Float[np.ndarray, "n 3"]
    corners: Int[np.ndarray, "m 4"]  # steps, in increasing order

    def __post_init__(self) -> None:
        low = frozen_array(self.low, "places of steps in S_low", shape=(3,))
        corners = np.sort(np.asarray(self.corners), axis=-1).astype(np.int32)
        if low.ndim != 2 or corners.ndim != 2 or corners.shape[-1] != 4 or corners.size == 0:
            raise RequestError("a step space needs rows of three numbers and tetrahedra of four steps")
        if corners.min() < 0 or corners.max() >= len(low):
            raise RequestError(f"a tetrahedron names a step that is not among the {len(low)}")
        corners.flags.writeable = False
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "corners", corners)

    @classmethod
    def of(cls, low: Float[np.ndarray, "n 3"]) -> LowSpace:
        """The Delaunay tetrahedra of the steps' places; the same places give the same ones."""
        from scipy.spatial import Delaunay, QhullError

        places = frozen_array(low, "places of steps in S_low", shape=(3,))
        kept = _apart(places)
        try:
            mesh = Delaunay(places[kept])
        except (QhullError, ValueError):
            raise RequestError(
                f"{len(places)} steps span no volume of S_low; take clips with steps of different lengths "
                "and directions"
            ) from None
        corners = np.sort(kept[mesh.simplices], axis=1)
        return cls(places, corners[np.lexsort(corners.T[::-1])])

    def locate(self, query: Float[np.ndarray, "3"]) -> int:
        """The tetrahedron that contains a place of S_low; -1 outside their hull."""
        return self.containing(query)[0]

    def containing(self, query: Float[np.ndarray, "3"]) -> tuple[int, Float[np.ndarray, "4"]]:
        """The tetrahedron that contains a place, and the place's convex weights of its corners."""
        from footfall.models.stepspace.candidates_kernel import locate

        shares = np.zeros(4)
        found = int(locate(self.low, self.corners, np.ascontiguousarray(query, dtype=float), shares))
        return found, _convex(shares) if found >= 0 else shares

    def convex(self, corners: Int[np.ndarray, "4"], query: Float[np.ndarray, "3"]) -> Float[np.ndarray, "4"]:
        """Weights of a tetrahedron that contains the query, none negative."""
        return _convex(self.barycentric(corners, query))

    def barycentric(
        self, corners: Int[np.ndarray, "*m 4"], query: Float[np.ndarray, "3"]
    ) -> Float[np.ndarray, "*m 4"]:
        """Coordinates of one place in tetrahedra of steps; they sum to 1 and are negative outside."""
        places = self.low[np.asarray(corners)]
        edges = np.swapaxes(places[..., 1:, :] - places[..., :1, :], -1, -2)
        try:
            others = np.linalg.solve(edges, (query - places[..., 0, :])[..., None])[..., 0]
        except np.linalg.LinAlgError:
            raise RequestError("a tetrahedron of steps is flat: it has no barycentric coordinates") from None
        return np.concatenate([1.0 - others.sum(axis=-1, keepdims=True), others], axis=-1)


def _apart(places: Float[np.ndarray, "n 3"]) -> Int[np.ndarray, "kept"]:
    """The first of each group of all but equal places, in their order."""
    from scipy.spatial import cKDTree

    later = [j for _, j in sorted(cKDTree(places).query_pairs(MERGED))] if len(places) > 1 else []
    return np.setdiff1d(np.arange(len(places)), later)


def _convex(shares: Float[np.ndarray, "4"]) -> Float[np.ndarray, "4"]:
    """Without the hair's breadth by which rounding left the tetrahedron."""
    kept = np.maximum(shares, 0.0)
    return kept / kept.sum()


@dataclass(frozen=True, eq=False)
class BlendCandidates:
    """B(T) of every tetrahedron: `quads[offsets[t]:offsets[t + 1]]` are steps, T itself first."""

    offsets: Int[np.ndarray, "m+1"]
    quads: Int[np.ndarray, "total 4"]
    apart: Float[np.ndarray, "n n"] | None = None  # upper-body distances of two steps, [stepping] eq. 2

    def __post_init__(self) -> None:
        offsets, quads = np.asarray(self.offsets, dtype=np.int32), np.asarray(self.quads)
        fits = quads.ndim == 2 and quads.shape[1] == 4 and quads.dtype.kind in "iu" and offsets.ndim == 1
        if not fits or offsets.size < 2 or offsets[0] != 0 or offsets[-1] != len(quads):
            raise RequestError("blend candidates need rows of four steps and where each list of them begins")
        if (np.diff(offsets) < 1).any() or quads.min() < 0:
            raise RequestError("every tetrahedron needs a blend candidate: itself")
        for name, array in (("offsets", offsets), ("quads", quads)):
            frozen = array.copy()
            frozen.flags.writeable = False
            object.__setattr__(self, name, frozen)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def of(self, tetrahedron: int) -> Int[np.ndarray, "count 4"]:
        """B(T): rows of four steps."""
        return self.quads[self.offsets[tetrahedron] : self.offsets[tetrahedron + 1]]

    def upper_error(self, quads: Int[np.ndarray, "*m 4"]) -> Float[np.ndarray, "*m"]:
        """d_u of tetrahedra: over all pairs of their steps, each both ways; zero where it is not known."""
        if self.apart is None:
            return np.zeros(np.shape(quads)[:-1])
        return self.apart[quads[..., :, None], quads[..., None, :]].sum(axis=(-1, -2))  # [stepping] eq. 1


def build_candidates(
    space: LowSpace,
    way: Int[np.ndarray, "n"],
    *,
    nearest: int = NEAREST,
    radius: float = RADIUS,
    most: int = MOST,
    upper: Float[np.ndarray, "n frames joints 4"] | None = None,
    progress: Progress | None = None,
) -> BlendCandidates:
    """B(T) of every tetrahedron. `way` of a step: 1 forward, -1 backward, 0 aside.

    Of a long list the `most` tetrahedra are kept whose corners lie nearest to the centroid, summed, so that
    files stay small; `upper` are rotations of upper-body joints at equal generic times.
    """
    ways = np.ascontiguousarray(way, dtype=np.int8)
    if ways.shape != (len(space.low),):
        raise RequestError(f"{len(space.low)} steps need a way each (1, -1 or 0), not {ways.shape}")
    if nearest < 4 or not radius > 0 or most < 1:
        raise RequestError("blend candidates need at least 4 nearest steps, a radius above 0 and room for 1")
    lists, total = [], len(space.corners)
    for t in range(total):
        lists.append(candidates_of(space, ways, t, nearest, radius)[:most])
        if progress is not None and (t % 64 == 63 or t == total - 1):
            progress("blend candidates", (t + 1) / total)
    offsets = np.concatenate([[0], np.cumsum([len(found) for found in lists])])
    dtype = np.int16 if len(space.low) < 2**15 else np.int32
    return BlendCandidates(
        offsets, np.concatenate(lists).astype(dtype), None if upper is None else upper_distances(upper)
    )


def candidates_of(
    space: LowSpace, way: Int[np.ndarray, "n"], t: int, nearest: int = NEAREST, radius: float = RADIUS
) -> Int[np.ndarray, "count 4"]:
    """B(T) of one tetrahedron: itself, then the others by the summed distance of their corners from it."""
    from footfall.models.stepspace.candidates_kernel import enclosing

    own = space.corners[t]
    corners = space.low[own]
    away = np.linalg.norm(space.low - corners.mean(axis=0), axis=1)
    near = order_of(away)[:nearest]
    near = np.sort(near[~clearly_less(radius, away[near])]).astype(np.int32)
    found = enclosing(space.low, np.ascontiguousarray(way, dtype=np.int8), near, corners)
    found = found[(found != own).any(axis=1)]
    found = found[order_of(away[found].sum(axis=1))]
    return np.concatenate([own[None], found])


def upper_distances(upper: Float[np.ndarray, "n frames joints 4"]) -> Float[np.ndarray, "n n"]:
    """Squared angles between the joints of two steps, over all frames and joints, rad^2 ([stepping] eq. 2).

    The logarithm is the rotation vector; joints weigh alike.
    """
    rotations = frozen_array(upper, "upper-body rotations", shape=(None, None, 4))
    if rotations.ndim != 4:
        raise RequestError(f"upper-body rotations must be steps, frames, joints, 4; not {rotations.shape}")
    found = np.zeros((len(rotations), len(rotations)))
    for i in range(len(rotations)):
        cosines = np.abs(np.einsum("fjc,nfjc->nfj", rotations[i], rotations[i:]))
        angles = 2.0 * np.arccos(np.minimum(cosines, 1.0))
        found[i, i:] = found[i:, i] = np.square(angles).sum(axis=(1, 2))
    np.fill_diagonal(found, 0.0)
    return found
