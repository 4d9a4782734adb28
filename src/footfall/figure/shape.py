"""Limbs found from the rest shape alone, for skeletons whose names say nothing.

Legs are the two branches that reach lowest from a common joint; arms are the two that reach farthest to
the sides above it. In either, the two longest bones in a row are upper and lower limb. The toes tell
which way is forward, and so which side is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from jaxtyping import Float

from footfall.figure.tree import Tree

Rest = Float[np.ndarray, "joints 3"]


def legs(tree: Tree, rest: Rest) -> dict[str, int]:
    """Thigh, shank, foot and toe of both sides, or nothing where no pair of legs stands out."""
    floor, height = rest[:, 1].min(), np.ptp(rest[:, 1])
    lowest = _extreme(tree, -rest[:, 1])
    best: tuple[int, int] | None = None
    for joint in sorted(range(len(tree)), key=lambda j: -tree.depth[j]):
        low = [c for c in tree.children[joint] if rest[lowest[c], 1] < floor + 0.1 * height]
        pairs = [(a, b) for a, b in combinations(low, 2) if _alike(tree, rest, lowest, a, b)]
        if pairs and rest[joint, 1] > floor + 0.3 * height:
            best = pairs[0]
            break
    if best is None:
        return {}
    limbs = [_two_long_bones(tree, rest, [tree.parent(c), *tree.path(c, lowest[c])]) for c in best]
    if any(limb is None for limb in limbs):
        return {}
    chains = [_with_toe(tree, rest, limb, lowest[c]) for limb, c in zip(limbs, best, strict=True) if limb]
    left = _left_first(rest, chains)
    roles: dict[str, int] = {}
    for side, chain in zip(("left", "right"), left, strict=True):
        for part, joint in zip(("thigh", "shank", "foot", "toe"), chain, strict=False):
            roles[f"{side}_{part}"] = joint
    return roles


def arms(tree: Tree, rest: Rest, leg_roles: Mapping[str, int]) -> dict[str, int]:
    """Clavicle, upper arm, forearm and hand of both sides, given the legs."""
    thighs = [leg_roles.get("left_thigh"), leg_roles.get("right_thigh")]
    if None in thighs:
        return {}
    left_thigh, right_thigh = (int(t) for t in thighs if t is not None)
    across = rest[left_thigh] - rest[right_thigh]
    across[1] = 0.0
    across = across / max(float(np.linalg.norm(across)), 1e-12)
    middle = 0.5 * (rest[left_thigh] + rest[right_thigh])
    sideways = (rest - middle) @ across
    hips = tree.common_ancestor([left_thigh, right_thigh])
    not_legs = set(range(len(tree))) - tree.descendants(left_thigh) - tree.descendants(right_thigh)
    reach_left = max(not_legs, key=lambda j: sideways[j])
    reach_right = min(not_legs, key=lambda j: sideways[j])
    if sideways[reach_left] <= 0 or sideways[reach_right] >= 0:
        return {}
    chest = tree.common_ancestor([reach_left, reach_right])
    if chest not in tree.descendants(hips) and chest != hips:
        return {}
    roles: dict[str, int] = {}
    for side, tip in (("left", reach_left), ("right", reach_right)):
        chain = _two_long_bones(tree, rest, tree.path(chest, tip)[1:])
        if chain is None:
            return {}
        for part, joint in zip(("upper_arm", "forearm", "hand"), chain, strict=True):
            roles[f"{side}_{part}"] = joint
        before = tree.path(chest, chain[0])[1:-1]
        if before:
            roles[f"{side}_clavicle"] = before[-1]
    return roles


def head(tree: Tree, rest: Rest, chest: int, upper_arms: Sequence[int]) -> int | None:
    """The topmost joint over the chest that belongs to neither arm, below any face joints."""
    branches = [c for c in tree.children[chest] if not any(c in tree.ancestors(a) for a in upper_arms)]
    over = [j for c in branches for j in (c, *tree.descendants(c)) if rest[j, 1] > rest[chest, 1]]
    if not over:
        return None
    top = max(over, key=lambda j: (rest[j, 1], -tree.depth[j]))
    return next(
        (j for j in tree.path(chest, top)[1:] if len(tree.children[j]) != 1 or j == top),
        top,
    )


def _extreme(tree: Tree, value: Float[np.ndarray, "joints"]) -> list[int]:
    """For each joint, the joint of its subtree (itself included) with the largest value."""
    out = list(range(len(tree)))
    for joint in reversed(range(len(tree))):
        parent = tree.parent(joint)
        if parent >= 0 and value[out[joint]] > value[out[parent]]:
            out[parent] = out[joint]
    return out


def _alike(tree: Tree, rest: Rest, lowest: list[int], a: int, b: int) -> bool:
    """Two branches of about one length and depth that do not run through the same place."""
    lengths = [_length(rest, tree.path(c, lowest[c])) for c in (a, b)]
    apart = np.linalg.norm((rest[lowest[a]] - rest[lowest[b]])[[0, 2]])
    return min(lengths) > 0.8 * max(lengths) and bool(apart > 0.02 * max(lengths))


def _length(rest: Rest, path: Sequence[int]) -> float:
    return float(np.linalg.norm(np.diff(rest[list(path)], axis=0), axis=-1).sum())


def _two_long_bones(tree: Tree, rest: Rest, path: Sequence[int]) -> list[int] | None:
    """The joints at both ends and the middle of the longest two bones in a row along a path."""
    # joints without length between them are one joint; its last one carries the bone
    merged: list[int] = []
    for joint in path:
        if merged and np.linalg.norm(rest[joint] - rest[merged[-1]]) < 1e-9:
            merged[-1] = joint
        else:
            merged.append(joint)
    if len(merged) < 3:
        return None
    bones = np.linalg.norm(np.diff(rest[merged], axis=0), axis=-1)
    # the shorter of the two decides, so that one long bone and a stub do not win
    start = int(np.argmax(np.minimum(bones[:-1], bones[1:])))
    return merged[start : start + 3]


def _with_toe(tree: Tree, rest: Rest, limb: list[int], lowest: int) -> list[int]:
    below = [j for j in tree.path(limb[2], lowest)[1:] if np.linalg.norm(rest[j] - rest[limb[2]]) > 1e-9]
    if not below:
        below = [j for j in tree.children[limb[2]] if np.linalg.norm(rest[j] - rest[limb[2]]) > 1e-9]
    return [*limb, *below[:1]]


def _left_first(rest: Rest, chains: list[list[int]]) -> list[list[int]]:
    """The two legs ordered left, right: left is up x forward, and toes point forward."""
    forward = sum((rest[c[3]] - rest[c[2]] for c in chains if len(c) > 3), np.zeros(3))
    if np.linalg.norm(forward[[0, 2]]) < 1e-9:
        forward = np.array([0.0, 0.0, 1.0])
    left = np.array([forward[2], 0.0, -forward[0]])
    return sorted(chains, key=lambda c: -float(rest[c[0]] @ left))
