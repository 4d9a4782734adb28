"""Sequences as the paper has them: carried on by the base, continuous where movements meet; feet slide."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from footfall.analysis.facing import trunk_headings
from footfall.models.movements.chain import chained
from footfall.models.movements.model import PlayedMovements, as_request
from footfall.models.movements.plain import perform_plain
from tests.models.movements.libraries import actor_library, captured_library, turning_library

WALK = [
    ("left_step", {"end_length": 0.6}),
    ("right_step", {"end_length": 0.4}),
    ("left_step", {"end_length": 0.7}),
]
TURNS = [
    ("left_step", {"end_length": 0.6, "turn": 0.2}),
    ("right_step", {"end_length": 0.65, "turn": -0.2}),
    ("left_step", {"end_length": 0.6, "turn": 0.1}),
]
CASES = {"walk": (actor_library, WALK), "turning": (turning_library, TURNS)}


@cache
def played(name: str) -> PlayedMovements:
    library, sequence = CASES[name]
    return library().play(sequence, constraints=False)


@pytest.mark.parametrize("name", CASES)
def test_joins_are_smooth(name: str) -> None:
    library, sequence = CASES[name]
    fps = 3000.0
    chain = chained(library().kinds, [as_request(one, 0) for one in sequence])
    motion = perform_plain(library().skeleton, chain.movements, fps)
    rates = np.diff(motion.positions, axis=0) * fps
    jumps = np.linalg.norm(np.diff(rates, axis=0), axis=-1).max(axis=-1)
    for join in np.cumsum([m.seconds for m in chain.movements])[:-1]:
        at = int(join * fps)
        assert jumps[at - 3 : at + 3].max() < 0.08
        assert np.linalg.norm(np.diff(motion.positions[at - 2 : at + 3], axis=0), axis=-1).max() < 10.0 / fps


def test_one_movement_is_the_blend_itself() -> None:
    """From the origin, facing ahead: tables' rows and nothing else."""
    library = actor_library()
    for kind in library.members:
        point = kind.space.sample(1, seed=3)[0]
        asked = (kind.name, kind.space.named(point))
        motion = library.play([asked], constraints=False, fps=90.0)
        chain = chained(library.kinds, [as_request(asked, 0)])
        (movement,) = chain.movements
        root, rotations = kind.tables.blend(movement.weights, movement.generic(motion.times))
        assert_allclose(motion.root, root, rtol=0, atol=1e-9)
        own = Rotation.from_quat(rotations.reshape(-1, 4), scalar_first=True)
        mine = Rotation.from_quat(np.array(motion.rotations).reshape(-1, 4), scalar_first=True)
        assert (mine * own.inv()).magnitude().max() < 1e-6
        start = abs(trunk_headings(motion)[0])
        assert start < np.radians(2.0)


def test_the_body_goes_on_from_where_it_was() -> None:
    """Way and turn of a sequence are the sums of its movements'."""
    library = turning_library()
    motion = played("turning")
    chain = chained(library.kinds, [as_request(one, 0) for one in TURNS])
    heading, place = 0.0, np.zeros(3)
    for movement in chain.movements:
        alone = perform_plain(library.skeleton, [movement], 2000.0)
        way = (alone.of("hips")[-1] - alone.of("hips")[0]) * [1.0, 0.0, 1.0]
        place = place + Rotation.from_rotvec([0.0, heading, 0.0]).apply(way)
        heading += trunk_headings(alone)[-1] - trunk_headings(alone)[0]
    away = (motion.of("hips")[-1] - motion.of("hips")[0]) * [1.0, 0.0, 1.0]
    assert np.linalg.norm(away - place) < 0.06
    assert trunk_headings(motion)[-1] - trunk_headings(motion)[0] == pytest.approx(heading, abs=0.06)
    assert heading == pytest.approx(0.1, abs=0.08)


def test_there_is_no_plan_and_feet_slide() -> None:
    motion = played("walk")
    assert motion.plan is None
    told = motion.certificate()
    assert told.placement_max_m is None
    assert told.slide_max_m is not None
    assert 1e-4 < told.slide_max_m < 0.15


def test_contacts_are_those_of_the_constrained_motion() -> None:
    free, bound = played("walk"), actor_library().play(WALK)
    assert len(free) == len(bound)
    assert free.begins == bound.begins
    assert free.contacts is not None
    assert bound.contacts is not None
    same = (free.contacts.heel == bound.contacts.heel) & (free.contacts.toe == bound.contacts.toe)
    assert same.mean() > 0.9
    stands = [[c.stands(s) for s in ("left", "right")] for c in (free.contacts, bound.contacts)]
    assert_array_equal(stands[0], stands[1])


def test_it_stays_near_the_constrained_motion() -> None:
    free, bound = played("walk"), actor_library().play(WALK)
    apart = np.linalg.norm(free.positions - bound.positions, axis=-1)
    assert 1e-3 < apart.max() < 0.2


def test_captures_play_without_constraints_too() -> None:
    motion = captured_library().play(
        [("left_step", {"end_length": 0.25}), ("right_step", {"end_length": 0.0})], constraints=False
    )
    assert np.isfinite(motion.positions).all()
    assert motion.of("left_foot")[:, 1].min() > -0.1
