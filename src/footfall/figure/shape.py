"""Limbs found from the rest shape alone, for skeletons whose names say nothing.

Legs are the two branches that reach lowest from a common joint; arms are the two longest of the others
that leave one joint to either side, be they raised, spread or hanging. In either, the two longest bones in
a row are upper and lower limb. The toes tell which way is forward, and so which side is left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from footfall.figure.tree import Tree
from footfall.geometry.decisions import clearly_less, first_greatest, order_of

if TYPE_CHECKING:
    from jaxtyping import Float

Rest: TypeAlias = "Float[np.ndarray, 'joints 3']"

MOST_BRANCHES = 6  # of one joint that are compared in pairs, the longest first
ALIKE = 0.8  # length of the shorter of two legs or arms over that of the longer
NEARLY_LONGEST = 0.75  # a clavicle can be as long as a forearm: of bones this long, the lower two count


def legs(tree: Tree, rest: Rest) -> dict[str, int]:
    """Thigh, shank, foot and toe of both sides, or nothing where no pair of legs stands out."""
    floor, height = rest[:, 1].min(), np.ptp(rest[:, 1])
    lowest = _extreme(tree, -rest[:, 1])
    best: tuple[int, int] | None = None
    for joint in sorted(range(len(tree)), key=lambda j: -tree.depth[j]):
        low = [c for c in tree.children[joint] if rest[lowest[c], 1] < floor + 0.1 * height]
        if len(low) < 2:
            continue
        longest = order_of(np.array([-_length(rest, tree.path(c, lowest[c])) for c in low]))
        low = [low[i] for i in longest[:MOST_BRANCHES]]
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
    if not {"left_thigh", "right_thigh"} <= leg_roles.keys():
        return {}
    thighs = [leg_roles["left_thigh"], leg_roles["right_thigh"]]
    across = rest[thighs[0]] - rest[thighs[1]]
    across[1] = 0.0
    sideways = (rest - rest[thighs].mean(axis=0)) @ across
    legs_and_above = {j for t in thighs for j in (*tree.descendants(t), *tree.ancestors(t))}
    paths = _longest_paths(tree, rest)
    best: tuple[float, dict[str, int]] = (0.0, {})
    for chest, children in enumerate(tree.children):
        branches = [paths(c) for c in children if c not in legs_and_above]
        sides = [[p for p in branches if sign * sideways[p].mean() > 0] for sign in (1, -1)]
        pair = [_longest(rest, side) for side in sides]
        lengths = [_length(rest, p) for p in pair]
        if min(lengths) > ALIKE * max(lengths) and clearly_less(best[0], sum(lengths)):
            found = _arm_roles(tree, rest, chest, pair)
            best = (sum(lengths), found) if found else best
    return best[1]


def _arm_roles(tree: Tree, rest: Rest, chest: int, paths: Sequence[Sequence[int]]) -> dict[str, int]:
    """The parts of two arms along their paths, left first; nothing where one has no two bones."""
    roles: dict[str, int] = {}
    for side, path in zip(("left", "right"), paths, strict=True):
        limb = _two_long_bones(tree, rest, path)
        if limb is None:
            return {}
        roles |= {f"{side}_{part}": j for part, j in zip(("upper_arm", "forearm", "hand"), limb, strict=True)}
        before = tree.path(chest, limb[0])[1:-1]
        if before:
            roles[f"{side}_clavicle"] = before[-1]
    return roles


def _longest_paths(tree: Tree, rest: Rest) -> Callable[[int], list[int]]:
    """A function that gives the longest way down from a joint, itself included."""
    length, below = [0.0] * len(tree), [-1] * len(tree)
    for joint in reversed(range(1, len(tree))):
        parent = tree.parent(joint)
        reach = length[joint] + float(np.linalg.norm(rest[joint] - rest[parent]))
        if below[parent] < 0 or not clearly_less(reach, length[parent]):
            length[parent], below[parent] = reach, joint

    def path(joint: int) -> list[int]:
        out = [joint]
        while below[out[-1]] >= 0:
            out.append(below[out[-1]])
        return out

    return path


def head(tree: Tree, rest: Rest, chest: int, upper_arms: Sequence[int]) -> int | None:
    """The topmost joint over the chest that belongs to neither arm, below any face joints."""
    branches = [c for c in tree.children[chest] if not any(c in tree.ancestors(a) for a in upper_arms)]
    over = [j for c in branches for j in (c, *tree.descendants(c)) if rest[j, 1] > rest[chest, 1]]
    if not over:
        return None
    shallow = sorted(over, key=lambda j: tree.depth[j])
    top = shallow[int(first_greatest(rest[shallow, 1]))]
    return next(
        (j for j in tree.path(chest, top)[1:] if len(tree.children[j]) != 1 or j == top),
        top,
    )


def _extreme(tree: Tree, value: Float[np.ndarray, "joints"]) -> list[int]:
    """For each joint, the joint of its subtree (itself included) with the largest value."""
    out = list(range(len(tree)))
    for joint in reversed(range(len(tree))):
        parent = tree.parent(joint)
        if parent >= 0 and clearly_less(value[out[parent]], value[out[joint]]):
            out[parent] = out[joint]
    return out


def _alike(tree: Tree, rest: Rest, lowest: list[int], a: int, b: int) -> bool:
    """Two branches of about one length and depth that do not run through the same place."""
    lengths = [_length(rest, tree.path(c, lowest[c])) for c in (a, b)]
    apart = np.linalg.norm((rest[lowest[a]] - rest[lowest[b]])[[0, 2]])
    return min(lengths) > ALIKE * max(lengths) and bool(apart > 0.02 * max(lengths))


def _longest(rest: Rest, paths: Sequence[list[int]]) -> list[int]:
    """The first of the longest paths; an empty one where there is none."""
    return paths[int(first_greatest(np.array([_length(rest, p) for p in paths])))] if paths else []


def _length(rest: Rest, path: Sequence[int]) -> float:
    return float(np.linalg.norm(np.diff(rest[list(path)], axis=0), axis=-1).sum())


def _two_long_bones(tree: Tree, rest: Rest, path: Sequence[int]) -> list[int] | None:
    """The joints at both ends and the middle of the longest two bones in a row along a path."""
    # joints without length between them are one joint: the last carries the bone, the first ends it
    places: list[list[int]] = []
    for joint in path:
        if places and np.linalg.norm(rest[joint] - rest[places[-1][0]]) < 1e-9:
            places[-1].append(joint)
        else:
            places.append([joint])
    if len(places) < 3:
        return None
    bones = np.linalg.norm(np.diff(rest[[p[0] for p in places]], axis=0), axis=-1)
    # the shorter of the two decides, so that one long bone and a stub do not win
    shorter = np.minimum(bones[:-1], bones[1:])
    start = int(np.flatnonzero(shorter >= NEARLY_LONGEST * shorter.max())[-1])
    upper, lower, end = places[start : start + 3]
    return [upper[-1], lower[-1], end[0]]


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
