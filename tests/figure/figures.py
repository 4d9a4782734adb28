"""Figures and motions to test with: a symmetric person in a T-pose under any names and in any joint frames.

The person faces +Z with the left at +X. Parts that a naming convention lacks are left out, and what hung
on them hangs on the joint above.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat

ANKLE_HEIGHT = 0.075  # m, from the sole (where the toes end) to the ankle
FINGER_ROOTS = {
    "thumb": 0.03,
    "index": 0.02,
    "middle": 0.0,
    "ring": -0.02,
    "little": -0.04,
}  # z in the hand, m

# One clip of every skeleton among the captures
CMU_CLIPS = {
    "07": "walk/07_01.bvh",
    "08": "walk/08_07.bvh",
    "09": "run/09_06.bvh",
    "16": "walk/16_16.bvh",
    "35": "run/35_17.bvh",
    "36": "stairs-uneven/36_01.bvh",
    "69": "turn-side-back/69_01.bvh",
    "74": "stairs-uneven/74_14.bvh",
    "77": "idle/77_02.bvh",
    "83": "steps/83_66.bvh",
    "113": "stairs-uneven/113_19.bvh",
    "115": "reach/115_01.bvh",
    "118": "jump/118_02.bvh",
    "127": "run/127_04.bvh",
    "136": "walk/136_21.bvh",
    "143": "turn-side-back/143_40.bvh",
}
OTHER_CLIPS = {
    "mixamo": "formats/test_freebvh.bvh",
    "mocapbank": "formats/test_mocapbank.bvh",
    "Meredith": "formats/AV_8Walk_Meredith_HVHA_Rep1.bvh",
    "bvh_example": "formats/bvh_example.bvh",
    "bvh_test2": "formats/bvh_test2.bvh",
    "bvh_test3": "formats/bvh_test3.bvh",
    "Geno": "formats/Geno_bind.bvh",
    "Far_Left": "formats/Far_Left.bvh",
    "Swat": "formats/SwatSkeleton.bvh",
    "dataset-2": "formats/dataset-2_walk_normal_016.bvh",
    "pfnn": "formats/pfnn_hierarchy.bvh",
    "jl_motionMatching": "formats/jl_motionMatching_tpose.txt",
    "pnskeleton": "hands/pnskeleton.bvh",
}
FAMILY_CLIPS = {f"CMU-{subject}": clip for subject, clip in CMU_CLIPS.items()} | OTHER_CLIPS

Part = tuple[str, tuple[float, float, float]]


def _trunk() -> dict[str, Part]:
    return {
        "root": ("", (0.0, 0.0, 0.0)),
        "hips": ("root", (0.0, 0.93, 0.0)),
        "spine": ("hips", (0.0, 0.08, 0.0)),
        "spine_2": ("spine", (0.0, 0.07, 0.0)),
        "spine_3": ("spine_2", (0.0, 0.06, 0.0)),
        "chest": ("spine_3", (0.0, 0.06, 0.0)),
        "neck": ("chest", (0.0, 0.2, -0.01)),
        "neck_2": ("neck", (0.0, 0.04, 0.01)),
        "head": ("neck_2", (0.0, 0.06, 0.01)),
        "jaw": ("head", (0.0, 0.01, 0.04)),
    }


def _side(side: str, x: float) -> dict[str, Part]:
    """One side's parts; x is +1 on the left."""
    leg: dict[str, Part] = {
        "hip_joint": ("hips", (0.0, 0.0, 0.0)),
        "thigh": ("side_hip_joint", (x * 0.09, -0.05, 0.0)),
        "thigh_twist": ("side_thigh", (0.0, -0.2, 0.0)),
        "shank": ("side_thigh", (0.0, -0.42, 0.005)),
        "foot": ("side_shank", (0.0, -0.4, -0.025)),
        "toe": ("side_foot", (0.0, -0.06, 0.13)),
        "toe_end": ("side_toe", (0.0, 0.06 - ANKLE_HEIGHT, 0.07)),
    }
    arm: dict[str, Part] = {
        "eye": ("head", (x * 0.03, 0.08, 0.08)),
        "clavicle": ("chest", (x * 0.02, 0.13, 0.0)),
        "upper_arm": ("side_clavicle", (x * 0.15, 0.01, 0.0)),
        "upper_arm_twist": ("side_upper_arm", (x * 0.14, 0.0, 0.0)),
        "forearm": ("side_upper_arm", (x * 0.28, 0.0, 0.0)),
        "hand": ("side_forearm", (x * 0.25, 0.0, 0.0)),
    }
    fingers: dict[str, Part] = {}
    for finger, z in FINGER_ROOTS.items():
        fingers[f"{finger}_0"] = ("side_hand", (x * 0.02, 0.0, z))
        knuckle = (x * 0.02, -0.01, 0.02) if finger == "thumb" else (x * 0.07, 0.0, 0.0)
        fingers[f"{finger}_1"] = (f"side_{finger}_0", knuckle)
        for i in (2, 3):
            fingers[f"{finger}_{i}"] = (f"side_{finger}_{i - 1}", (x * 0.025, 0.0, 0.0))
    parts = leg | arm | fingers
    return {f"{side}_{k}": (p.replace("side_", f"{side}_"), v) for k, (p, v) in parts.items()}


BODY: dict[str, Part] = _trunk() | _side("left", 1.0) | _side("right", -1.0)

PLAIN_NAMES = {
    "hips": "Hips",
    "spine": "Spine",
    "chest": "Chest",
    "neck": "Neck",
    "head": "Head",
    **{
        f"{side}_{part}": side.capitalize() + name
        for side in ("left", "right")
        for part, name in {
            "clavicle": "Collar",
            "upper_arm": "UpperArm",
            "forearm": "Forearm",
            "hand": "Hand",
            "thumb_1": "Thumb1",
            "index_1": "Index1",
            "thigh": "Thigh",
            "shank": "Shank",
            "foot": "Foot",
            "toe": "Toe",
        }.items()
    },
}


def figure(names: Mapping[str, str], hung: Mapping[str, str] | None = None) -> Skeleton:
    """The person with the parts of BODY that are named; `hung` puts parts on others, where they are."""
    kept = _parents_first([part for part in BODY if part in names], hung or {})
    parents, offsets = [], []
    for part in kept:
        above, offset = BODY[part][0], np.array(BODY[part][1])
        if hung and part in hung:
            above, offset = hung[part], _place(part) - _place(hung[part])
        while above and above not in names:
            offset = offset + BODY[above][1]
            above = BODY[above][0]
        parents.append(kept.index(above) if above else -1)
        offsets.append(offset)
    tips = {
        "head": (0.0, 0.18, 0.0),
        **{f"{s}_toe": BODY[f"{s}_toe_end"][1] for s in ("left", "right") if f"{s}_toe_end" not in names},
        **{part: tuple(np.sign(BODY[part][1]) * 0.02) for part in kept if part not in _above(kept, parents)},
    }
    tips = {part: tip for part, tip in tips.items() if part in kept}
    return Skeleton.build(
        [names[part] for part in kept],
        parents,
        np.array(offsets),
        end_parents=[kept.index(part) for part in tips],
        end_offsets=list(tips.values()),
    )


def _place(part: str) -> np.ndarray:
    """Where a part is in the T-pose."""
    return np.array(BODY[part][1]) + (_place(BODY[part][0]) if BODY[part][0] else 0.0)


def _parents_first(parts: list[str], hung: Mapping[str, str]) -> list[str]:
    """The parts in an order in which none comes before the one it hangs on."""

    def depth(part: str) -> int:
        above = hung.get(part, BODY[part][0])
        return 0 if not above else 1 + depth(above)

    return sorted(parts, key=depth) if hung else parts


def _above(kept: list[str], parents: list[int]) -> set[str]:
    """Parts that carry others, and those with tips of their own."""
    return {kept[p] for p in parents if p >= 0} | {"head", "left_toe", "right_toe"}


def humanoid() -> Skeleton:
    """Twenty-five joints: fingers, toes and end sites; mirror-symmetric, world-aligned frames."""
    return figure(PLAIN_NAMES)


def framed(skeleton: Skeleton, seed: int = 0) -> Skeleton:
    """The same figure at rest, every joint with a frame of its own turned at random."""
    turns = quat.normalize(np.random.default_rng(seed).normal(size=(len(skeleton), 4)))
    above = np.concatenate([quat.identity(1), turns[skeleton.parents[1:]]])
    world_rest = skeleton.rest_positions
    offsets = np.array(skeleton.offsets)
    offsets[1:] = world_rest[1:] - world_rest[skeleton.parents[1:]]
    ends = skeleton.rest_ends - world_rest[skeleton.end_parents]
    return Skeleton.build(
        skeleton.names,
        skeleton.parents,
        quat.rotate(quat.conjugate(above), offsets),
        rest=quat.multiply(quat.conjugate(above), turns),
        end_parents=skeleton.end_parents,
        end_offsets=quat.rotate(quat.conjugate(turns[skeleton.end_parents]), ends),
    )


def in_frames(motion: Motion, skeleton: Skeleton) -> Motion:
    """A motion of a figure with world-aligned frames, played by the same figure in other joint frames."""
    world = quat.multiply(motion.orientations, skeleton.rest_orientations)
    above = np.concatenate([quat.identity(len(motion))[:, None], world[:, skeleton.parents[1:]]], axis=1)
    moved = motion.translations
    if moved is not None:
        moved = np.array(moved)
        rest_above = skeleton.rest_orientations[skeleton.parents[1:]]
        moved[:, 1:] = quat.rotate(quat.conjugate(rest_above), moved[:, 1:])
    return Motion(skeleton, motion.root, quat.multiply(quat.conjugate(above), world), motion.fps, moved)


def smooth_motion(
    skeleton: Skeleton,
    *,
    frames: int = 48,
    fps: float = 60.0,
    seed: int = 0,
    size: float = 0.5,
    batch: tuple[int, ...] = (),
    translations: bool = False,
) -> Motion:
    """Every joint swings about its rest by a few harmonics of about `size` radians; the root wanders."""
    rng = np.random.default_rng(seed)
    joints = len(skeleton)
    swing = size * _harmonics(rng, (*batch, joints, 3), frames)
    rotations = quat.multiply(skeleton.rest, quat.exp(np.moveaxis(swing, 0, len(batch))))
    root = np.array([0.0, 0.93, 0.0]) + np.moveaxis(_harmonics(rng, (*batch, 3), frames), 0, len(batch))
    moved = None
    if translations:
        moved = skeleton.offsets + 0.02 * np.moveaxis(
            _harmonics(rng, (*batch, joints, 3), frames), 0, len(batch)
        )
    return Motion(skeleton, root, rotations, fps, moved)


def _harmonics(rng: np.random.Generator, shape: tuple[int, ...], frames: int) -> np.ndarray:
    """Three slow sines a channel, frames first."""
    phase = np.linspace(0.0, 2 * np.pi, frames).reshape(-1, *([1] * len(shape)))
    out = np.zeros((frames, *shape))
    for k in (0.5, 1.0, 2.0):
        out += rng.normal(size=shape) / (1 + k) * np.sin(k * phase + rng.uniform(0, 2 * np.pi, shape))
    return out


def random_skeleton(seed: int, joints: int = 20) -> Skeleton:
    """Any tree with any offsets, frames and end sites, under names that say nothing."""
    rng = np.random.default_rng(seed)
    parents = [-1, *(int(rng.integers(0, j)) for j in range(1, joints))]
    ends = rng.integers(0, joints, joints // 3)
    return Skeleton.build(
        meaningless_names(joints),
        parents,
        rng.normal(size=(joints, 3)),
        rest=quat.normalize(rng.normal(size=(joints, 4))),
        end_parents=ends,
        end_offsets=rng.normal(size=(len(ends), 3)),
    )


def meaningless_names(count: int) -> list[str]:
    """q, qa, qb, ...: no convention reads a body part or a side into these."""
    letters = [c for c in string.ascii_lowercase if c not in "lrjcm"]
    return [
        "q" + "".join(letters[(i // len(letters) ** d) % len(letters)] for d in (1, 0)) for i in range(count)
    ]


def renamed(skeleton: Skeleton, names: list[str]) -> Skeleton:
    """The same bones under other names, roles found anew."""
    bare = replace(skeleton, names=tuple(names), roles={}, feet=None)
    return Skeleton.build(
        bare.names,
        bare.parents,
        bare.offsets,
        rest=bare.rest,
        end_parents=bare.end_parents,
        end_offsets=bare.end_offsets,
    )
