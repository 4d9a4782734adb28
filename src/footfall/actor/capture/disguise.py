"""The same motion on another skeleton, as other studios would have exported it.

Taking joints away keeps the places and turns of all that remain. A clavicle that moves carries its shoulder
about, which no rotation further down can do: then the upper arms have translations, and nothing of the motion
is lost. Names are Mixamo's, and the roles are found anew from them. Other proportions are another person, to
whom the motion is retargeted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Literal, get_args

import numpy as np
from jaxtyping import Float

from footfall.actor.seeded import seeded
from footfall.adapt.retarget import retarget
from footfall.errors import SkeletonError
from footfall.figure.motion import Motion, local_translations
from footfall.figure.naming import FINGERS
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.validation import one_of

Disguise = Literal["no_clavicles", "no_toes", "other_names", "other_proportions"]

UNMOVED = 1e-12  # m: translations this near to the offsets say nothing
GROWTH = (0.02, 0.06)  # share by which legs, arms and trunk grow or shrink
# parts that grow together: each is a chain from a role to another, whose first joint stays where it is
LIMBS = {
    "legs": [(f"{side}_thigh", f"{side}_foot") for side in SIDES],
    "arms": [(f"{side}_upper_arm", f"{side}_hand") for side in SIDES],
    "trunk": [("hips", "chest"), ("chest", "head"), *(("chest", f"{side}_upper_arm") for side in SIDES)],
}
MIXAMO = {
    "hips": "Hips",
    "neck": "Neck",
    "head": "Head",
    **{
        f"{side}_{part}": side.capitalize() + word
        for side in SIDES
        for part, word in (
            ("clavicle", "Shoulder"),
            ("upper_arm", "Arm"),
            ("forearm", "ForeArm"),
            ("hand", "Hand"),
            ("thigh", "UpLeg"),
            ("shank", "Leg"),
            ("foot", "Foot"),
            ("toe", "ToeBase"),
            ("eye", "Eye"),
        )
    },
    **{
        f"{side}_{finger}_{i}": f"{side.capitalize()}Hand{word}{i}"
        for side in SIDES
        for finger, word in zip(FINGERS, ("Thumb", "Index", "Middle", "Ring", "Pinky"), strict=True)
        for i in (1, 2, 3)
    },
}


def disguised(motion: Motion, disguise: Disguise, *, seed: int = 0) -> Motion:
    """The motion on a skeleton without clavicles or toes, under other names, or of other proportions."""
    one_of(disguise, get_args(Disguise), "disguise")
    if disguise == "no_clavicles":
        return without_joints(motion, _both(motion.skeleton, "clavicle"))
    if disguise == "no_toes":
        toes = _both(motion.skeleton, "toe")
        below = {joint for toe in toes for joint in motion.skeleton.tree.descendants(toe)}
        return without_joints(motion, toes | below)
    if disguise == "other_names":
        return replace(motion, skeleton=_renamed(motion.skeleton))
    person = retarget(motion, _grown(motion.skeleton, seeded(seed)))
    # known by construction, they are the same on any figure; retargeting keeps those it pinned
    return person if motion.contacts is None else replace(person, contacts=motion.contacts)


def _both(skeleton: Skeleton, part: str) -> set[int]:
    found = {skeleton.joint(f"{side}_{part}") for side in SIDES if skeleton.has(f"{side}_{part}")}
    if not found or 0 in found:
        raise SkeletonError(f"this skeleton has no {part} that could be taken away")
    return found


def without_joints(motion: Motion, gone: Collection[int]) -> Motion:
    """The motion without some joints: what hung on them hangs on the joint above, at the same place.

    A joint that goes with all that hangs on it leaves an end site where it was.
    """
    skeleton = motion.skeleton
    kept = [joint for joint in range(len(skeleton)) if joint not in gone]
    places, turns = np.array(local_translations(motion)), np.array(motion.rotations)
    _rehang(skeleton, gone, places, turns)
    figure = _skeleton_without(skeleton, gone)
    translations = places[..., kept, :]
    # the root's own is nobody's place
    still = np.abs(translations - figure.offsets)[..., 1:, :].max(initial=0.0) < UNMOVED
    return replace(
        motion, skeleton=figure, rotations=turns[..., kept, :], translations=None if still else translations
    )


def _rehang(
    skeleton: Skeleton,
    gone: Collection[int],
    places: Float[np.ndarray, "*frames joints 3"],
    turns: Float[np.ndarray, "*frames joints 4"],
) -> None:
    """Places and turns told in the frame of the nearest joint above that stays."""
    for joint, parent in enumerate(skeleton.parents):
        if parent in gone:  # parents come first, so the parent is already told so
            places[..., joint, :] = places[..., parent, :] + quat.rotate(
                turns[..., parent, :], places[..., joint, :]
            )
            turns[..., joint, :] = quat.multiply(turns[..., parent, :], turns[..., joint, :])


def _skeleton_without(skeleton: Skeleton, gone: Collection[int]) -> Skeleton:
    kept = [joint for joint in range(len(skeleton)) if joint not in gone]
    place = {joint: i for i, joint in enumerate(kept)}
    above = [next(j for j in skeleton.tree.ancestors(joint) if j in place) for joint in range(len(skeleton))]
    offsets, rest = np.array(skeleton.offsets), np.array(skeleton.rest)
    _rehang(skeleton, gone, offsets, rest)
    ends = list(_ends_without(skeleton, gone, offsets, rest))
    return Skeleton(
        names=tuple(skeleton.names[joint] for joint in kept),
        parents=np.array([-1, *(place[above[skeleton.parents[joint]]] for joint in kept[1:])]),
        offsets=offsets[kept],
        rest=rest[kept],
        roles={role: place[joint] for role, joint in skeleton.roles.items() if joint in place},
        end_parents=np.array([place[above[joint]] for joint, _ in ends], dtype=int),
        end_offsets=np.array([point for _, point in ends]).reshape(-1, 3),
        feet=skeleton.feet,
    )


def _ends_without(
    skeleton: Skeleton,
    gone: Collection[int],
    offsets: Float[np.ndarray, "joints 3"],
    rest: Float[np.ndarray, "joints 4"],
) -> Iterator[tuple[int, Float[np.ndarray, "3"]]]:
    """End sites of what stays; and where a joint goes with all below it, one in its place.

    `offsets` and `rest` are told from the nearest joint that stays.
    """
    emptied = {j for j in gone if skeleton.tree.descendants(j) <= set(gone)}
    for joint, point in zip(skeleton.end_parents, skeleton.end_offsets, strict=True):
        if joint not in gone:
            yield int(joint), point
        elif joint not in emptied:
            yield int(joint), offsets[joint] + quat.rotate(rest[joint], point)
    for joint in sorted(emptied):
        if skeleton.parents[joint] not in emptied:
            yield joint, offsets[joint]


def _renamed(skeleton: Skeleton) -> Skeleton:
    """Under Mixamo's names, as a reader finds it: with the roles that those names tell."""
    names = [f"mixamorig:Joint{i}" for i in range(len(skeleton))]
    if skeleton.has("hips", "chest"):
        spine = skeleton.tree.path(skeleton.joint("hips"), skeleton.joint("chest"))[1:]
        for i, joint in enumerate(spine):
            names[joint] = f"mixamorig:Spine{i or ''}"
    for role, joint in skeleton.roles.items():
        if role in MIXAMO:
            names[joint] = f"mixamorig:{MIXAMO[role]}"
    found = Skeleton.build(
        names,
        skeleton.parents,
        skeleton.offsets,
        rest=skeleton.rest,
        end_parents=skeleton.end_parents,
        end_offsets=skeleton.end_offsets,
    )
    # foot points lie in the frames of the feet: they hold where those are the same joints
    feet = {
        s: p
        for s, p in (skeleton.feet or {}).items()
        if found.roles.get(f"{s}_foot") == skeleton.joint(f"{s}_foot")
    }
    return replace(found, feet=feet or None)


def _grown(skeleton: Skeleton, rng: np.random.Generator) -> Skeleton:
    """Legs, arms and trunk each longer or shorter by a few percent; feet and hands as they are."""
    offsets = np.array(skeleton.offsets)
    for chains in LIMBS.values():
        factor = 1.0 + rng.choice([-1.0, 1.0]) * rng.uniform(*GROWTH)
        grown = {
            joint
            for start, end in chains
            if skeleton.has(start, end)
            for joint in skeleton.tree.path(skeleton.joint(start), skeleton.joint(end))[1:]
        }
        offsets[sorted(grown)] *= factor
    return replace(skeleton, offsets=offsets)
