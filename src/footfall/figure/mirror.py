"""Left and right exchanged: the motion a mirror on the sagittal plane (x = 0) would show.

The skeleton stays as it is, so a figure whose sides differ by millimetres moves its own bones.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from jaxtyping import Float, Int

from footfall.figure import kinematics
from footfall.figure.motion import Motion, local_translations
from footfall.figure.naming import other_side
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import first_least

REFLECT_POINT = np.array([-1.0, 1.0, 1.0])
REFLECT_TURN = np.array([1.0, 1.0, -1.0, -1.0])  # a turn seen in the mirror x -> -x


def mirror_pairs(skeleton: Skeleton) -> Int[np.ndarray, "joints"]:
    """For each joint its partner on the other side, or itself: from roles, then names, then place."""
    pairs = np.arange(len(skeleton))
    placed: set[int] = set()
    for role, joint in skeleton.roles.items():
        other = (
            role.replace("left_", "right_") if role.startswith("left_") else role.replace("right_", "left_")
        )
        if other != role and skeleton.has(other):
            pairs[joint] = skeleton.joint(other)
            placed.add(joint)
    known = {name: i for i, name in enumerate(skeleton.names)}
    for joint, name in enumerate(skeleton.names):
        partner = known.get(other_side(name) or "")
        if partner is not None and not placed & {joint, partner}:
            pairs[joint], pairs[partner] = partner, joint
            placed |= {joint, partner}
    _pair_by_place(skeleton, pairs, placed)
    # keep only what agrees both ways
    return np.where(pairs[pairs] == np.arange(len(skeleton)), pairs, np.arange(len(skeleton)))


def _pair_by_place(skeleton: Skeleton, pairs: Int[np.ndarray, "joints"], placed: set[int]) -> None:
    """Joints of no told side whose rest places mirror each other under partnered parents."""
    rest = skeleton.rest_positions
    middle = rest[0, 0]
    tolerance = 0.02 * max(skeleton.height, 1e-9)
    for joint in range(1, len(skeleton)):
        if joint in placed or abs(rest[joint, 0] - middle) < 0.1 * tolerance:
            continue
        reflected = (rest[joint] - [middle, 0, 0]) * REFLECT_POINT + [middle, 0, 0]
        parent = pairs[skeleton.parents[joint]]
        rivals = [j for j in skeleton.tree.children[parent] if j not in placed and j != joint]
        apart = np.linalg.norm(rest[rivals] - reflected, axis=-1)
        if apart.min(initial=np.inf) < tolerance:
            best = rivals[int(first_least(apart))]
            pairs[joint], pairs[best] = best, joint
            placed |= {joint, best}


def even_rest(skeleton: Skeleton, pairs: Int[np.ndarray, "joints"]) -> Float[np.ndarray, "joints 4"]:
    """World orientations at rest, turned until bones of partners point as each other's mirror images.

    A rest pose taken from a capture is a few degrees from symmetric; joint frames are left as they are.
    """
    rest, tree = skeleton.rest_positions, skeleton.tree
    bones = np.zeros((len(skeleton), 3))
    bones[1:] = rest[1:] - rest[skeleton.parents[1:]]
    wanted = 0.5 * (bones + (bones * REFLECT_POINT)[pairs])
    turns = np.array(skeleton.rest_orientations)
    for joint, below in enumerate(tree.children):
        below = [c for c in below if tree.parent(pairs[c]) == pairs[joint]]
        if below:
            turns[joint] = quat.multiply(_least_turn(bones[below], wanted[below]), turns[joint])
    return turns


def _least_turn(bones: Float[np.ndarray, "n 3"], wanted: Float[np.ndarray, "n 3"]) -> Float[np.ndarray, "4"]:
    """The rotation that brings bones nearest to the wanted ones, without twist where they leave it open."""
    turn = quat.identity()
    for _ in range(4):  # Gauss-Newton; the angles are small
        now = quat.rotate(turn, bones)
        # step x bone = -bone x step, as a matrix on step
        slopes = -np.cross(now[:, None, :], np.eye(3)).transpose(0, 2, 1).reshape(-1, 3)
        step = np.linalg.lstsq(slopes, (wanted - now).ravel(), rcond=1e-6)[0]
        turn = quat.multiply(quat.exp(step), turn)
    return turn


@lru_cache(maxsize=8)
def mirror_frame(skeleton: Skeleton) -> tuple[Int[np.ndarray, "joints"], Float[np.ndarray, "joints 4"]]:
    """What the mirror needs to know of a skeleton; kept, for many clips have the same."""
    pairs = mirror_pairs(skeleton)
    return pairs, even_rest(skeleton, pairs)


def mirror(motion: Motion) -> Motion:
    """The mirrored motion on the same skeleton. Twice gives the motion back."""
    skeleton = motion.skeleton
    pairs, rest = mirror_frame(skeleton)
    # how far each joint is turned from rest, in the world, is what the mirror reflects
    departure = quat.multiply(motion.orientations, quat.conjugate(rest))
    reflected = (departure * REFLECT_TURN)[..., pairs, :]
    rotations = kinematics.to_local(skeleton.tree, quat.multiply(reflected, rest))
    moved = None if motion.translations is None else _mirror_translations(motion, pairs, rest)
    contacts = None if motion.contacts is None else motion.contacts.swapped()
    return replace(
        motion, root=motion.root * REFLECT_POINT, rotations=rotations, translations=moved, contacts=contacts
    )


def _mirror_translations(
    motion: Motion, pairs: Int[np.ndarray, "joints"], rest: Float[np.ndarray, "joints 4"]
) -> Float[np.ndarray, "*frames joints 3"]:
    """How far each joint is moved from its offset, reflected in the rest pose's axes."""
    skeleton = motion.skeleton
    above = rest[np.maximum(skeleton.parents, 0)]
    shift = quat.rotate(above, local_translations(motion) - skeleton.offsets)
    reflected = (shift * REFLECT_POINT)[..., pairs, :]
    return skeleton.offsets + quat.rotate(quat.conjugate(above), reflected)
