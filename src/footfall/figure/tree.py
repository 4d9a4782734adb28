"""A joint tree as its parents array, with the few walks that roles and kinematics need."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from jaxtyping import Int


class Tree:
    """Joints as indices; parents come before children and the root's parent is -1."""

    def __init__(self, parents: Int[np.ndarray, "joints"]):
        self.parents = [int(p) for p in parents]

    def __len__(self) -> int:
        return len(self.parents)

    @cached_property
    def parent_array(self) -> Int[np.ndarray, "joints"]:
        """The parents, for compiled code; read-only."""
        array = np.array(self.parents, dtype=np.int64)
        array.flags.writeable = False
        return array

    def parent(self, joint: int) -> int:
        return self.parents[joint]

    @cached_property
    def children(self) -> list[list[int]]:
        out: list[list[int]] = [[] for _ in self.parents]
        for joint, parent in enumerate(self.parents):
            if parent >= 0:
                out[parent].append(joint)
        return out

    @cached_property
    def depth(self) -> list[int]:
        out: list[int] = []
        for parent in self.parents:
            out.append(0 if parent < 0 else out[parent] + 1)
        return out

    def ancestors(self, joint: int) -> list[int]:
        """The joint itself, its parent, and so on to the root."""
        out = []
        while joint >= 0:
            out.append(joint)
            joint = self.parents[joint]
        return out

    def descendants(self, joint: int) -> set[int]:
        """Everything below a joint, without itself."""
        out: set[int] = set()
        below = list(self.children[joint])
        while below:
            out.add(j := below.pop())
            below.extend(self.children[j])
        return out

    def path(self, top: int, bottom: int) -> list[int]:
        """From an ancestor down to a descendant, both included; empty where there is no such path."""
        up = self.ancestors(bottom)
        return up[: up.index(top) + 1][::-1] if top in up else []

    def common_ancestor(self, joints: Sequence[int]) -> int:
        shared = set(self.ancestors(joints[0]))
        for joint in joints[1:]:
            shared &= set(self.ancestors(joint))
        return max(shared, key=lambda j: self.depth[j])
