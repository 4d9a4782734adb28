"""The arrays of a skeleton, as footfall's own files keep them: nothing is judged again when it is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from footfall.errors import LoadError
from footfall.figure.feet import FootPoints
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.formats.stored import Arrays, StoredArrays
from footfall.formats.take import MAX_JOINTS

FOOT_POINTS = ("heel", "subtalar", "ball", "toe")


def skeleton_arrays(skeleton: Skeleton) -> Arrays:
    """All but names and roles, which belong in the file's text."""
    arrays = {
        "offsets": skeleton.offsets,
        "parents": skeleton.parents,
        "rest": skeleton.rest,
        "end_parents": skeleton.end_parents,
        "end_offsets": skeleton.end_offsets,
    }
    for side, points in (skeleton.feet or {}).items():
        arrays[f"{side}_foot_points"] = np.stack([getattr(points, name) for name in FOOT_POINTS])
    return arrays


def checked_names(names: Sequence[str]) -> tuple[str, ...]:
    """The joints' names, before anything is made that is as large as they are many."""
    if not 1 <= len(names) <= MAX_JOINTS:
        raise LoadError(f"expected 1 to {MAX_JOINTS} joints, found {len(names)}")
    return tuple(names)


def read_skeleton(arrays: StoredArrays, names: Sequence[str], roles: Mapping[str, int]) -> Skeleton:
    joints = len(names)
    end_parents = arrays.take("end_parents", np.int64, None)
    feet = {
        side: FootPoints(*arrays.lengths(f"{side}_foot_points", len(FOOT_POINTS), 3))
        for side in SIDES
        if arrays.has(f"{side}_foot_points")
    }
    return Skeleton(
        names=tuple(names),
        parents=arrays.take("parents", np.int64, joints),
        offsets=arrays.lengths("offsets", joints, 3),
        rest=arrays.turns("rest", joints, 4),
        roles=roles,
        end_parents=end_parents,
        end_offsets=arrays.lengths("end_offsets", len(end_parents), 3),
        feet=feet or None,
    )
