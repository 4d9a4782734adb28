"""Limbs and sides that tie by construction are found the same whatever the last digits are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from footfall.figure.mirror import mirror_pairs
from footfall.figure.rings import _carried_across
from footfall.figure.skeleton import Skeleton
from tests.figure.figures import humanoid, meaningless_names, renamed

pytestmark = pytest.mark.cpu
JITTER = 1e-9


def changed(skeleton: Skeleton, seed: int) -> Skeleton:
    rng = np.random.default_rng(seed)
    return replace(skeleton, offsets=skeleton.offsets + JITTER * rng.uniform(-1, 1, skeleton.offsets.shape))


def test_limbs_by_shape_alone() -> None:
    plain = humanoid()
    nameless = renamed(plain, meaningless_names(len(plain)))
    told = [dict(changed(nameless, seed).roles) for seed in range(10)]
    assert all(roles == told[0] for roles in told)
    assert told[0]


def test_partners_by_place_alone() -> None:
    plain = humanoid()
    nameless = replace(renamed(plain, meaningless_names(len(plain))), roles={})
    told = [tuple(mirror_pairs(changed(nameless, seed))) for seed in range(10)]
    assert set(told) == {told[0]}


def test_the_side_of_a_line_along_an_axis() -> None:
    rng = np.random.default_rng(0)
    for axis in np.eye(3):
        sides = []
        for _ in range(10):
            along = axis + JITTER * rng.uniform(-1.0, 1.0, 3)
            sides.append(_carried_across(axis, (along / np.linalg.norm(along))[None])[0])
        assert np.ptp(sides, axis=0).max() < 1e-8
