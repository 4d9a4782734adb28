"""A hundred seeds of every kind: ground without holes, crossed within the limits, the same each time."""

from __future__ import annotations

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.world.generators.generate import KINDS, generate
from footfall.world.generators.limits import StepLimits
from tests.world.generators.judge import (
    SEEDS,
    judge_crossing,
    judge_landings,
    judge_mesh,
    judge_rays,
    made,
    placements,
)

CHILD = StepLimits(rise=0.08, length=0.35)


@pytest.mark.parametrize("kind", KINDS)
def test_every_crossing_keeps_the_limits(kind: str) -> None:
    for seed in SEEDS:
        judge_crossing(made(kind, seed))
        judge_landings(made(kind, seed))


@pytest.mark.parametrize("kind", KINDS)
def test_no_ray_misses(kind: str) -> None:
    walkable = sum(judge_rays(made(kind, seed)) for seed in SEEDS)
    assert walkable > 25 * len(SEEDS)


@pytest.mark.parametrize("kind", KINDS)
def test_200_rays_through_walkable_ground(kind: str) -> None:
    for seed in SEEDS[:10]:
        ground = made(kind, seed)
        low, high = ground.terrain.bounds
        x, z = np.random.default_rng(seed).uniform(low[[0, 2]], high[[0, 2]], (4000, 2)).T
        walkable = ground.walkable(x, z)
        assert walkable.sum() > 200
        assert np.array_equal(np.isfinite(ground.terrain.height(x, z)), walkable)


@pytest.mark.parametrize("kind", KINDS)
def test_every_mesh_is_sound(kind: str) -> None:
    for seed in SEEDS:
        judge_mesh(made(kind, seed))


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_is_a_terrain(kind: str) -> None:
    """The same bytes again, and no two seeds alike."""
    contents = set()
    for seed in SEEDS:
        ground = made(kind, seed)
        terrain = ground.terrain
        contents.add(terrain.vertices.tobytes() + terrain.triangles.tobytes())
        if seed % 10 == 0:
            again = generate(kind, seed)
            assert again.terrain.vertices.tobytes() == terrain.vertices.tobytes()
            assert again.terrain.triangles.tobytes() == terrain.triangles.tobytes()
            assert again.terrain.kinds.tobytes() == terrain.kinds.tobytes()
            assert again.terrain.labels == terrain.labels
            assert again.crossing.encode() == ground.crossing.encode()
    assert len(contents) == (1 if kind == "flat" else len(SEEDS))


@pytest.mark.parametrize("kind", KINDS)
def test_a_child_crosses_it_too(kind: str) -> None:
    for seed in SEEDS[:12]:
        ground = generate(kind, seed, limits=CHILD)
        judge_crossing(ground)
        judge_landings(ground)
        judge_rays(ground, places=64)
        judge_mesh(ground)
        if kind != "flat":
            assert not np.array_equal(ground.terrain.vertices, made(kind, seed).terrain.vertices)


@pytest.mark.parametrize("kind", KINDS)
def test_the_walk_gets_somewhere(kind: str) -> None:
    """From one end to the other: no kind is crossed by standing still."""
    for seed in SEEDS:
        ground = made(kind, seed)
        position, _ = placements(ground)
        _, high = ground.terrain.bounds
        if kind == "spiral":
            assert position[-1, 1] == pytest.approx(high[1])
        elif kind != "ramps":
            assert position[-1, 2] > high[2] - 1.1


@pytest.mark.parametrize("kind", KINDS)
def test_it_says_what_its_crossing_takes(kind: str) -> None:
    ground = made(kind, 3)
    position, _ = placements(ground)
    steps = np.diff(position[1:], axis=0)
    said = re.fullmatch(
        r"crossable: (\d+) steps, highest (\d\.\d\d) m, longest (\d\.\d\d) m, steepest (\d+) degrees",
        ground.says(),
    )
    assert said
    assert int(said[1]) == len(ground.crossing) - 2
    assert_allclose(float(said[2]), np.abs(steps[:, 1]).max(), atol=0.005001)
    assert_allclose(float(said[3]), np.hypot(steps[:, 0], steps[:, 2]).max(), atol=0.005001)
    assert float(said[4]) <= 15


def test_it_says_so_when_limits_are_broken() -> None:
    from dataclasses import replace

    ground = replace(made("stairs", 0), limits=StepLimits(rise=0.1))
    assert ground.says().startswith("not crossable")
