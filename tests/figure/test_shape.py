"""Limbs found by shape alone: the same joints that names would have given."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.figure.skeleton import Skeleton
from footfall.formats.assemble import assemble
from footfall.formats.bvh import read_bvh
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from tests.captures import captures
from tests.figure.conventions import CONVENTIONS
from tests.figure.figures import (
    FAMILY_CLIPS,
    figure,
    framed,
    humanoid,
    meaningless_names,
    random_skeleton,
    renamed,
)

FOUND_BY_SHAPE = (
    "hips",
    "chest",
    *(
        f"{side}_{part}"
        for side in ("left", "right")
        for part in ("thigh", "shank", "foot", "toe", "clavicle", "upper_arm", "forearm", "hand")
    ),
)


def limbs(skeleton: Skeleton) -> dict[str, int]:
    return {role: joint for role, joint in skeleton.roles.items() if role in FOUND_BY_SHAPE}


def nameless(skeleton: Skeleton) -> Skeleton:
    return renamed(skeleton, meaningless_names(len(skeleton)))


@pytest.mark.parametrize("family", FAMILY_CLIPS)
def test_captures_without_their_names(family: str) -> None:
    """The rest pose of a loaded figure, every name replaced."""
    skeleton = assemble(read_bvh(captures(FAMILY_CLIPS[family]).read_bytes())).motion.skeleton
    assert limbs(nameless(skeleton)) == limbs(skeleton)


# Its bones do not stand without rotations, and without names nothing says which pose to judge
NOT_FROM_THE_FILE = {"dataset-2"}


@pytest.mark.parametrize("family", [f for f in FAMILY_CLIPS if f not in NOT_FROM_THE_FILE])
def test_files_without_names_load_alike(family: str) -> None:
    """A whole load of a file in which every joint is renamed: same limbs, unit, axes and opening frames."""
    take = read_bvh(captures(FAMILY_CLIPS[family]).read_bytes())
    told, untold = assemble(take), assemble(replace(take, names=meaningless_names(len(take.names))))
    assert limbs(untold.motion.skeleton) == limbs(told.motion.skeleton)
    assert (untold.unit, untold.up, untold.dropped) == (told.unit, told.up, told.dropped)
    np.testing.assert_allclose(untold.motion.positions, told.motion.positions, rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("seed", [None, 1])
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_conventions_without_their_names(convention: str, seed: int | None) -> None:
    skeleton = figure(CONVENTIONS[convention])
    skeleton = skeleton if seed is None else framed(skeleton, seed)
    assert limbs(nameless(skeleton)) == limbs(skeleton)


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_whichever_way_it_faces_left_is_left(quarters: int) -> None:
    """The toes tell; the rest pose is then turned to face +Z."""
    person = humanoid()
    turn = ground.turn(0.5 * np.pi * quarters)
    names = meaningless_names(len(person))
    turned = Skeleton.build(
        names,
        person.parents,
        quat.rotate(turn, person.offsets),
        end_parents=person.end_parents,
        end_offsets=quat.rotate(turn, person.end_offsets),
    )
    assert limbs(turned) == limbs(person)
    np.testing.assert_allclose(turned.rest_positions, person.rest_positions, rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("degrees", [-85.0, -45.0, 0.0, 60.0, 80.0])
def test_arms_hanging_spread_or_raised(degrees: float) -> None:
    person = humanoid()
    rest = np.array(person.rest)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        turn = quat.from_axis_angle(ground.FORWARD, sign * np.deg2rad(degrees))
        rest[person.joint(f"{side}_upper_arm")] = turn
    posed = replace(person, rest=rest)
    assert limbs(nameless(posed)) == limbs(person)


@pytest.mark.parametrize("factor", [0.001, 0.3048, 100.0, 1e6])
def test_the_unit_does_not_matter(factor: float) -> None:
    person = humanoid()
    assert limbs(nameless(person.scaled(factor))) == limbs(person)


def test_the_order_of_joints_does_not_matter() -> None:
    """Right before left, arms before legs: joints renumbered at random, parents still first."""
    person = humanoid()
    for seed in range(10):
        rng = np.random.default_rng(seed)
        order = [0]
        while len(order) < len(person):
            ready = [j for j in range(len(person)) if j not in order and person.parents[j] in order]
            order.append(int(rng.choice(ready)))
        place = {j: i for i, j in enumerate(order)}
        parents = [-1, *(place[int(person.parents[j])] for j in order[1:])]
        shuffled = Skeleton.build(meaningless_names(len(person)), parents, person.offsets[order])
        assert limbs(shuffled) == {role: place[j] for role, j in limbs(person).items()}


def test_of_joints_in_one_place_the_one_that_carries_the_bone() -> None:
    """Two joints in the place of thigh, upper arm and hand: limbs begin at the lower, end at the upper."""
    person = humanoid()
    names, parents, offsets = list(person.names), [int(p) for p in person.parents], list(person.offsets)
    for side in ("left", "right"):
        for part in ("thigh", "upper_arm", "hand"):
            joint = names.index(person.names[person.joint(f"{side}_{part}")])
            names.insert(joint, f"before {names[joint]}")
            parents = [p + 1 if p >= joint else p for p in parents]
            parents.insert(joint, parents[joint])
            parents[joint + 1] = joint
            offsets.insert(joint, offsets[joint])
            offsets[joint + 1] = np.zeros(3)
    found = limbs(Skeleton.build(meaningless_names(len(names)), parents, np.array(offsets)))
    played = {role: names[joint] for role, joint in found.items()}
    expected = {role: person.names[joint] for role, joint in limbs(person).items()}
    expected |= {f"{side}_hand": f"before {expected[f'{side}_hand']}" for side in ("left", "right")}
    expected |= {f"{side}_clavicle": f"before {expected[f'{side}_upper_arm']}" for side in ("left", "right")}
    assert played == expected


def test_neck_and_head_stand_over_the_chest() -> None:
    person = humanoid()
    found = nameless(person).roles
    assert {role: found[role] for role in ("spine", "neck", "head")} == {
        role: person.roles[role] for role in ("spine", "neck", "head")
    }


def test_what_is_no_person_has_no_limbs() -> None:
    chain = Skeleton.build(meaningless_names(8), [-1, 0, 1, 2, 3, 4, 5, 6], np.tile([0.0, 1.0, 0.0], (8, 1)))
    assert dict(chain.roles) == {}
    star = Skeleton.build(meaningless_names(8), [-1] + [0] * 7, np.random.default_rng(0).normal(size=(8, 3)))
    assert dict(star.roles) == {}
    still = Skeleton.build(meaningless_names(8), [-1, 0, 0, 1, 1, 2, 2, 3], np.zeros((8, 3)))
    assert dict(still.roles) == {}


@settings(deadline=None, max_examples=200)
@given(st.integers(0, 2**31), st.integers(1, 60))
def test_any_tree_is_judged_without_complaint(seed: int, joints: int) -> None:
    """Whatever is found, a limb's joints follow each other down the tree."""
    skeleton = random_skeleton(seed, joints)
    for side in ("left", "right"):
        for chain in (("thigh", "shank", "foot", "toe"), ("clavicle", "upper_arm", "forearm", "hand")):
            found = [skeleton.roles[r] for part in chain if (r := f"{side}_{part}") in skeleton.roles]
            for upper, lower in pairwise(found):
                assert lower in skeleton.tree.descendants(upper)


@pytest.mark.parametrize("kind", ["star", "chain", "comb", "two stars"])
def test_four_thousand_joints_take_no_time(kind: str) -> None:
    """A file may hold any tree; finding roles must stay in proportion to it."""
    count = 4096
    parents = {
        "star": [-1] + [0] * (count - 1),
        "chain": list(range(-1, count - 1)),
        "comb": [-1] + [(j - 1) // 2 * 2 if j % 2 else j - 2 for j in range(1, count)],
        "two stars": [-1, 0, 0] + [1 + j % 2 for j in range(3, count)],
    }[kind]
    rng = np.random.default_rng(0)
    down = np.array([0.01, -1.0, 0.0]) * rng.uniform(0.5, 1.0, (count, 1))
    start = time.perf_counter()
    Skeleton.build([f"q{i}" for i in range(count)], parents, down)
    assert time.perf_counter() - start < 2.0
