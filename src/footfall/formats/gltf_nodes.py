"""glTF's node tree: which nodes are the skeleton, and where they stand while nothing moves.

The skeleton is the skin's joints and whatever lies between them; without a skin, the nodes that move.
Still nodes above it (an armature turned and scaled by an exporter) are folded into the root.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.errors import LoadError
from footfall.formats.gltf_container import Document, Node
from footfall.formats.take import check_size
from footfall.geometry import quaternion as quat

UNEVEN = 1e-3  # by how much of it a scale may differ between axes
LEAST_SCALE = 1e-9
LARGEST = 1e9  # for places and scales; beyond this their products lose meaning


@dataclass(frozen=True, eq=False)
class Still:
    """A node's own place, turn and uniform scale."""

    place: Float[np.ndarray, "3"]
    turn: Float[np.ndarray, "4"]
    scale: float


@dataclass(frozen=True)
class NodeTree:
    """Parents of all nodes, and all nodes in an order in which parents come first."""

    parents: list[int]
    order: list[int]

    @classmethod
    def of(cls, document: Document) -> NodeTree:
        """Refuses a node with two parents and rings of nodes."""
        parents = [-1] * len(document.nodes)
        for i, node in enumerate(document.nodes):
            for child in node.children:
                if not 0 <= child < len(parents) or parents[child] >= 0 or child == i:
                    raise LoadError(f"node {i} has a child {child} that is not there or has another parent")
                parents[child] = i
        order = [i for i, p in enumerate(parents) if p < 0]
        for i in order:  # grows while it is walked: breadth first from the roots
            order.extend(document.nodes[i].children)
        if len(order) != len(parents):
            raise LoadError("some nodes are their own ancestors")
        return cls(parents, order)

    def above(self, node: int) -> list[int]:
        """The ancestors of a node, from the top of the scene down, without itself."""
        line: list[int] = []
        while (node := self.parents[node]) >= 0:
            line.append(node)
        return line[::-1]

    def skeleton(self, document: Document, wanted: set[int], moved: set[int]) -> list[int]:
        """The wanted nodes and all between them, parents first; of several trees, the one with most."""
        if not wanted:
            raise LoadError("expected a skin or nodes, found none")
        if any(not 0 <= node < len(self.parents) for node in wanted):
            raise LoadError("a joint of the skin is no node")
        # how many wanted nodes each node carries, itself included
        carried = [int(node in wanted) for node in range(len(self.parents))]
        for node in reversed(self.order):
            if self.parents[node] >= 0:
                carried[self.parents[node]] += carried[node]
        tops = [node for node, parent in enumerate(self.parents) if parent < 0]
        root = max(tops, key=lambda node: carried[node])
        # still ancestors are passed: the root is the first that is wanted, that moves, or where branches part
        while root not in wanted and root not in moved:
            heir = next((c for c in document.nodes[root].children if carried[c] == carried[root]), None)
            if heir is None:
                break
            root = heir
        members = [root]
        for node in members:
            members.extend(c for c in document.nodes[node].children if carried[c])
        check_size(0, len(members), 0)
        # the file's own order is kept where it can be
        in_order = all(self.parents[n] < n for n in members[1:])
        return sorted(members) if in_order else members


@dataclass(frozen=True, eq=False)
class Stage:
    """The skeleton's nodes as they stand: their own placements, what lies above, and what stretches them."""

    joints: list[int]
    parents: list[int]  # of the joints, by their place among them
    stills: list[Still]
    above: Still
    stretches: Float[np.ndarray, "joints"]  # the scales of all nodes over a joint

    @classmethod
    def under(cls, document: Document, tree: NodeTree, joints: list[int], notes: list[str]) -> Stage:
        line = tree.above(joints[0])
        check_size(0, len(line), 0)
        above = _folded([_still(document.nodes[node], node, notes) for node in line])
        stills = [_still(document.nodes[node], node, notes) for node in joints]
        index = {node: i for i, node in enumerate(joints)}
        parents = [-1, *(index[tree.parents[node]] for node in joints[1:])]
        return cls(joints, parents, stills, above, _stretches(parents, stills, above))


def _still(node: Node, index: int, notes: list[str]) -> Still:
    place, turn, scale = np.zeros(3), quat.identity(), np.ones(3)
    if node.matrix is not None:
        place, turn, scale = _decomposed(node.matrix, index)
    place = place if node.translation is None else np.array(node.translation)
    scale = scale if node.scale is None else np.array(node.scale)
    if node.rotation is not None:
        turn = np.roll(np.array(node.rotation), 1)
    # written so that what is no number is refused too
    if not (np.abs(np.concatenate([place, turn, scale])) < LARGEST).all():
        raise LoadError(f"node {index} has a place, turn or scale that is not under {LARGEST:g}")
    if (scale < 0).any():
        notes.append("some nodes are mirrored by a negative scale: they were read as if they were not")
    uniform = float(np.cbrt(np.prod(np.abs(scale))))
    if np.ptp(np.abs(scale)) > UNEVEN * uniform:
        notes.append("some nodes are scaled unevenly: their mean scale was taken")
    return Still(place, quat.normalize(turn), max(uniform, LEAST_SCALE))


def _decomposed(
    matrix: Sequence[float], index: int
) -> tuple[Float[np.ndarray, "3"], Float[np.ndarray, "4"], Float[np.ndarray, "3"]]:
    """Place, turn and scale of a matrix that is stored column by column."""
    if len(matrix) != 16:
        raise LoadError(f"node {index} has a matrix of {len(matrix)} numbers instead of 16")
    m = np.array(matrix, dtype=float).reshape(4, 4).T
    if not (np.abs(m) < LARGEST).all():
        raise LoadError(f"node {index} has a matrix with a number that is not under {LARGEST:g}")
    scale = np.linalg.norm(m[:3, :3], axis=0)
    if (scale < LEAST_SCALE).any():
        raise LoadError(f"node {index} has a matrix that flattens space")
    if np.linalg.det(m[:3, :3] / scale) < 0:
        scale = -scale
    return m[:3, 3], quat.from_matrix(m[:3, :3] / scale), scale


def _folded(line: Sequence[Still]) -> Still:
    """Nodes one below the other as one placement."""
    whole = Still(np.zeros(3), quat.identity(), 1.0)
    for own in line:
        place = whole.place + whole.scale * quat.rotate(whole.turn, own.place)
        whole = Still(place, quat.multiply(whole.turn, own.turn), _bounded(whole.scale * own.scale))
    return whole


def _stretches(parents: Sequence[int], stills: Sequence[Still], above: Still) -> Float[np.ndarray, "joints"]:
    total = np.empty(len(stills))
    stretch = np.empty(len(stills))
    for i, (parent, own) in enumerate(zip(parents, stills, strict=True)):
        stretch[i] = above.scale if parent < 0 else total[parent]
        total[i] = _bounded(stretch[i] * own.scale)
    return stretch


def _bounded(scale: float) -> float:
    """Products of scales down a long line may leave what a float can hold."""
    return float(np.clip(scale, LEAST_SCALE, LARGEST))
