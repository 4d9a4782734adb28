"""Many figures through one ring, compiled: one call a frame for all of them."""

from __future__ import annotations

from footfall.geometry.kernel_cache import kernel
from footfall.models.ring.pose_kernel import NUMBERS, ROWS, SIZES
from footfall.models.ring.walk_kernel import walk_on
from footfall.world.tree_walk import TREE


@kernel(
    f"void({ROWS}, {SIZES}, {NUMBERS}, {TREE}, float64, float64[:, ::1], float64[:, ::1])",
)
def walk_all(rows, sizes, numbers, tree_rows, blocks, frame, seconds, states, poses):  # type: ignore[no-untyped-def]
    """Every figure so many seconds further; the figures know nothing of each other."""
    for k in range(states.shape[0]):
        walk_on(rows, sizes, numbers, tree_rows, blocks, frame, seconds, states[k], poses[k])
