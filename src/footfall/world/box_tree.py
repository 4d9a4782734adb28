"""A box tree over triangles ([rings] 4.4): balanced, built once, asked by compiled kernels.

Where it differs from the paper: a node has eight children instead of two, because a processor looks at eight
boxes as fast as at two; and the first, breadth-first step counts the nodes it meets (`nodes_near`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.world.terrain import Hits, Nearest

WIDE, BLOCK = 8, 4  # children of a node, triangles of a block
LEAF = 8  # triangles in a leaf at most
LINE = 64  # bytes
PAD = 2.0**-18  # of the mesh's half size: more than single precision can be wrong by

TreeArrays = tuple[np.ndarray, ...]  # rows, blocks and frame of a tree, as compiled code takes them


@dataclass(frozen=True, eq=False)
class BoxTree:
    """The arrays of a tree; nodes in breadth-first order, triangles in the order of the leaves."""

    rows: Float[np.ndarray, "nodes*48"]  # the children's boxes of each inner node, single precision
    blocks: Float[np.ndarray, "blocks 10 4"]  # four triangles each, as many blocks in every leaf; rest nan
    frame: Float[np.ndarray, "10"]  # the mesh's middle, its box's low and high corner, its half size

    @classmethod
    def over(cls, corners: Float[np.ndarray, "triangles 3 3"]) -> BoxTree:
        """The tree of some triangles; at least one."""
        from footfall.world.box_tree_build import boxes_over, sort_into_leaves

        depth = _depth(len(corners))
        centroids = np.ascontiguousarray(0.5 * (corners.min(axis=1) + corners.max(axis=1)))
        order, offsets = sort_into_leaves(centroids, 3 * depth)
        ordered = np.ascontiguousarray(corners[order].reshape(-1, 9))
        inner = (WIDE**depth - 1) // (WIDE - 1)
        boxes = boxes_over(offsets, ordered, inner, WIDE)
        places, room = _places(offsets)
        blocks = np.full((room, 10), np.nan)
        blocks[places, :9], blocks[places, 9] = ordered, order
        blocks = np.ascontiguousarray(blocks.reshape(-1, BLOCK, 10).transpose(0, 2, 1))
        middle, size = 0.5 * (boxes[0, :3] + boxes[0, 3:]), 0.5 * float(np.max(boxes[0, 3:] - boxes[0, :3]))
        frame = np.concatenate([middle, boxes[0], [size]])
        rows = _in_rows(boxes[1:], middle, PAD * size)
        rows, blocks = _aligned(rows), _aligned(blocks)
        for array in (rows, blocks, frame):
            array.flags.writeable = False
        return cls(rows, blocks, frame)

    @property
    def depth(self) -> int:
        """Of the leaves; the root is at 0."""
        inner = len(self.rows) // (6 * WIDE)
        return round(np.log(1 + (WIDE - 1) * inner) / np.log(WIDE))

    def __len__(self) -> int:
        return int(np.count_nonzero(~np.isnan(self.blocks[:, 9])))

    @property
    def arrays(self) -> TreeArrays:
        return self.rows, self.blocks, self.frame

    def rays(self, origins: Float[np.ndarray, "n 3"], directions: Float[np.ndarray, "m 3"]) -> Hits:
        """Where rays meet a triangle first; one direction for each or one for all, of any length."""
        from footfall.world.tree_rays_kernel import meet_rays

        n = len(origins)
        distance, points, normals = np.empty(n), np.empty((n, 3)), np.empty((n, 3))
        face = np.empty(n, dtype=np.int64)
        meet_rays(*self.arrays, _rows_of(origins), _rows_of(directions), distance, points, normals, face)
        return Hits(distance, points, normals, face)

    def closest(self, points: Float[np.ndarray, "n 3"]) -> Nearest:
        """The nearest points of any triangle; nan and -1 for what is no point."""
        from footfall.world.tree_spheres_kernel import find_closest

        n = len(points)
        distance, places, normals = np.empty(n), np.empty((n, 3)), np.empty((n, 3))
        face = np.empty(n, dtype=np.int64)
        find_closest(*self.arrays, _rows_of(points), distance, places, normals, face)
        return Nearest(distance, places, normals, face)

    def touching(
        self, centres: Float[np.ndarray, "*n 3"], radius: Float[np.ndarray, "*n"] | float
    ) -> Bool[np.ndarray, "*n"]:
        """Which spheres meet a triangle; both steps in one."""
        from footfall.world.tree_spheres_kernel import touch_together

        flat, radii, shape = _spheres(centres, radius)
        touching = np.empty(len(radii), dtype=bool)
        touch_together(*self.arrays, flat, radii, touching)
        return touching.reshape(shape)

    def near(self, centre: Float[np.ndarray, "3"], radius: float, *, spheres: int = 125) -> Neighbourhood:
        """The first step, for about so many spheres inside a boundary sphere."""
        from footfall.world.tree_spheres_kernel import nodes_near

        middle = np.ascontiguousarray(centre, dtype=float)
        return Neighbourhood(self, nodes_near(*self.arrays, middle, float(radius), spheres))


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """What lies inside a boundary sphere: a few nodes of a tree, under which small spheres look further."""

    tree: BoxTree
    nodes: Int[np.ndarray, "nodes"]

    def touching(
        self, centres: Float[np.ndarray, "*n 3"], radius: Float[np.ndarray, "*n"] | float
    ) -> Bool[np.ndarray, "*n"]:
        """Which spheres meet a triangle. Only those inside the boundary sphere are answered rightly."""
        from footfall.world.tree_spheres_kernel import touch_spheres

        flat, radii, shape = _spheres(centres, radius)
        touching = np.empty(len(radii), dtype=bool)
        touch_spheres(*self.tree.arrays, self.nodes, flat, radii, touching)
        return touching.reshape(shape)


def _spheres(
    centres: Float[np.ndarray, "*n 3"], radius: Float[np.ndarray, "*n"] | float
) -> tuple[Float[np.ndarray, "m 3"], Float[np.ndarray, "m"], tuple[int, ...]]:
    """Centres and radii in rows, and the shape they had."""
    centres = np.asarray(centres, float)
    if np.ndim(radius):
        shape = np.broadcast_shapes(centres.shape[:-1], np.shape(radius))
        centres = np.broadcast_to(centres, (*shape, 3))
    shape = centres.shape[:-1]
    radii = np.empty(shape)
    radii[...] = radius
    return _rows_of(centres.reshape(-1, 3)), radii.reshape(-1), shape


def _rows_of(points: Float[np.ndarray, "n 3"]) -> Float[np.ndarray, "n 3"]:
    return np.ascontiguousarray(points, dtype=float)


def _depth(triangles: int) -> int:
    """The fewest levels with which no leaf has more than LEAF triangles."""
    depth = 0
    while LEAF * WIDE**depth < triangles:
        depth += 1
    return depth


def _aligned(numbers: np.ndarray) -> np.ndarray:
    """A copy that begins where a cache line does: a node is three lines then, and not four."""
    room = np.empty(numbers.nbytes + LINE, dtype=np.uint8)
    first = -room.ctypes.data % LINE
    copy = room[first : first + numbers.nbytes].view(numbers.dtype).reshape(numbers.shape)
    copy[...] = numbers
    return copy


def _places(offsets: Int[np.ndarray, "leaves+1"]) -> tuple[Int[np.ndarray, "triangles"], int]:
    """Where triangles lie in the blocks, and how much room these have: all leaves as much as the fullest."""
    counts = np.diff(offsets)
    each = BLOCK * -(-int(counts.max()) // BLOCK)
    starts = each * np.arange(len(counts))
    return np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], counts), each * len(counts)


def _in_rows(
    boxes: Float[np.ndarray, "children 6"], middle: Float[np.ndarray, "3"], pad: float
) -> Float[np.ndarray, "nodes*48"]:
    """Boxes as `box_lanes` wants them, eight siblings a row, padded."""
    padded = np.concatenate([boxes[:, :3] - middle - pad, boxes[:, 3:] - middle + pad], axis=1)
    return np.ascontiguousarray(padded.reshape(-1, WIDE, 6).transpose(0, 2, 1), dtype=np.float32).reshape(-1)
