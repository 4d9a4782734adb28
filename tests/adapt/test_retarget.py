"""Retargeting: axioms on made figures, then the issue's figures on captures."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from footfall.actor.humanoid import humanoid
from footfall.actor.range_of_motion import range_of_motion
from footfall.adapt.calibrate_feet import calibrate_feet
from footfall.adapt.clean_contacts import clean_contacts
from footfall.adapt.retarget import retarget
from footfall.analysis.certificate import certificate
from footfall.analysis.plants import detect_plants
from footfall.analysis.smoothness import acceleration_ratio
from footfall.errors import SkeletonError
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.figure.soles import sole_places
from footfall.formats.load import load_motion, load_skeleton
from footfall.geometry import quaternion as quat
from footfall.ik.two_link import arm_of
from tests.captures import captures

WALKS = ["69_01", "69_24", "69_53", "69_56", "69_33"]  # forward, turning, backward, sideways, turning

STRAIGHT = 1e-7  # m: in a fully stretched limb a rounding error of length is its root at the elbow


def test_onto_its_own_skeleton_nothing_changes() -> None:
    motion = range_of_motion(humanoid(), fps=30.0)
    assert np.abs(retarget(motion, motion.skeleton, pin=False).positions - motion.positions).max() < STRAIGHT


def test_onto_a_larger_figure_everything_scales() -> None:
    motion = range_of_motion(humanoid(1.6), fps=30.0)
    grown = retarget(motion, humanoid(2.0), pin=False)
    assert np.abs(grown.positions - motion.positions * (2.0 / 1.6)).max() < STRAIGHT


def test_joint_frames_do_not_matter() -> None:
    motion = range_of_motion(humanoid(), fps=20.0)
    turns = quat.normalize(np.random.default_rng(3).normal(size=(len(motion.skeleton), 4)))
    skeleton = in_frames(motion.skeleton, turns)
    assert np.abs(skeleton.rest_positions - motion.skeleton.rest_positions).max() < 1e-12
    assert np.abs(retarget(motion, skeleton, pin=False).positions - motion.positions).max() < STRAIGHT


def in_frames(skeleton: Skeleton, turns: np.ndarray) -> Skeleton:
    """The same figure told in joint frames turned by `turns` at rest."""
    above = np.concatenate([quat.identity(1), turns[skeleton.parents[1:]]])
    return replace(
        skeleton,
        offsets=quat.rotate(quat.conjugate(above), skeleton.offsets),
        rest=quat.multiply(quat.conjugate(above), turns),
        end_offsets=quat.rotate(quat.conjugate(turns[skeleton.end_parents]), skeleton.end_offsets),
    )


def test_limbs_keep_their_directions_on_other_proportions() -> None:
    motion = range_of_motion(humanoid(), fps=20.0)
    offsets = np.array(motion.skeleton.offsets)
    for side in ("left", "right"):
        offsets[motion.skeleton.joint(f"{side}_forearm")] *= 1.3
        offsets[motion.skeleton.joint(f"{side}_shank")] *= 0.8
    other = replace(motion.skeleton, offsets=offsets)
    moved = retarget(motion, other, pin=False)
    for side in ("left", "right"):
        reach = motion.of(f"{side}_hand") - motion.of(f"{side}_upper_arm")
        moved_reach = moved.of(f"{side}_hand") - moved.of(f"{side}_upper_arm")
        cosine = np.sum(reach * moved_reach, axis=-1) / (
            np.linalg.norm(reach, axis=-1) * np.linalg.norm(moved_reach, axis=-1)
        )
        assert cosine.min() > 1 - 1e-9  # Kulpa: the scaled root-to-end vector
        share = np.linalg.norm(reach, axis=-1) / arm_of(motion.skeleton, side).reach
        moved_share = np.linalg.norm(moved_reach, axis=-1) / arm_of(other, side).reach
        assert np.abs(share - moved_share).max() < 1e-9


def test_a_figure_without_legs_is_refused_by_name() -> None:
    motion = range_of_motion(humanoid(), fps=10.0)
    chain = Skeleton.build(["a", "b", "c"], [-1, 0, 1], np.array([[0, 0, 0], [0, 1, 0], [0, 1.0, 0]]))
    with pytest.raises(SkeletonError, match="target skeleton has no hips"):
        retarget(motion, chain)


@cache
def calibrated(subject: str) -> Skeleton:
    files = [p for p in sorted(captures(".").glob(f"*/{subject}_*.bvh")) if p.parent.name != "formats"]
    clips = [load_motion(p) for p in files]
    return calibrate_feet(clips[0].skeleton, clips)


def targets() -> list[tuple[str, Skeleton]]:
    return [("CMU-16", calibrated("16")), ("SmartBody", load_skeleton(captures("jump/ChrGarza.sk")))]


@pytest.mark.parametrize("onto", ["CMU-16", "SmartBody"])
def test_captured_walks_on_other_people(onto: str) -> None:
    target = dict(targets())[onto]
    growth, ratios, returned, soles = [], [], [], []
    for name in WALKS:
        clip = load_motion(captures(f"turn-side-back/{name}.bvh"))
        clean = clean_contacts(replace(clip, skeleton=calibrated("69")))
        moved = retarget(clean, target)
        back = retarget(moved, clean.skeleton)
        growth.append(certificate(moved).slide_max_m - certificate(clean).slide_max_m)
        ratios.append(acceleration_ratio(moved, [clean]))
        returned.append(np.linalg.norm(back.positions - clean.positions, axis=-1).mean())
        soles.append(sole_deviation(moved))
    assert np.median(growth) < 0.002
    assert max(ratios) < 1.5
    assert max(returned) < 0.02
    assert max(soles) < 0.005


def sole_deviation(motion: Motion) -> float:
    """How far any sole point is from its plant's level while the sole is flat."""
    assert motion.contacts is not None
    worst = 0.0
    for plant in detect_plants(motion, motion.contacts):
        flat = plant.start + np.flatnonzero(motion.contacts.flat(plant.foot)[plant.start : plant.end])
        if len(flat):
            heights = sole_places(motion, plant.foot)[flat][..., 1]
            worst = max(worst, float(np.abs(heights - np.median(heights)).max()))
    return worst
