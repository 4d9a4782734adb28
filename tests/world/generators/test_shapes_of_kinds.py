"""Each kind is what it is called."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from numpy.testing import assert_allclose

from footfall.world.generators.generate import KINDS
from footfall.world.generators.limits import StepLimits
from tests.world.generators.judge import SEEDS, made, placements

RISE = StepLimits().rise


@pytest.mark.parametrize("kind", KINDS)
def test_trimesh_finds_the_same_ground(kind: str) -> None:
    terrain = made(kind, 4).terrain
    mesh = trimesh.Trimesh(terrain.vertices, terrain.triangles, process=False)
    low, high = terrain.bounds
    x, z = np.random.default_rng(4).uniform(low[[0, 2]], high[[0, 2]], (150, 2)).T
    above = np.stack([x, np.full(150, high[1] + 1.0), z], axis=-1)
    down = np.tile([0.0, -1.0, 0.0], (150, 1))
    place, ray, _ = mesh.ray.intersects_location(above, down, multiple_hits=True)
    found = np.full(150, -np.inf)
    np.maximum.at(found, ray, place[:, 1])
    walkable = made(kind, 4).walkable(x, z)
    assert np.array_equal(np.isfinite(found), walkable)
    assert_allclose(terrain.height(x, z), found, atol=1e-9)


def test_flat_is_two_triangles_for_every_seed() -> None:
    terrain = made("flat", 5).terrain
    assert len(terrain) == 2
    assert_allclose(terrain.bounds[1] - terrain.bounds[0], [12.0, 0.0, 12.0])


def test_stairs_go_up_and_then_down_by_irregular_risers() -> None:
    for seed in SEEDS:
        terrain = made("stairs", seed).terrain
        low, high = terrain.bounds
        z = np.arange(low[2] + 0.005, high[2], 0.01)
        x = np.zeros_like(z)
        heights, labels = terrain.height(x, z), terrain.label(x, z)
        risers = np.diff(heights)
        risers = risers[np.abs(risers) > 1e-9]
        up = int(np.sum(risers > 0))
        assert up >= 3
        assert len(risers) - up >= 3
        assert (risers[:up] > 0).all()  # a flight up, then a flight down
        assert np.abs(risers).min() >= 0.4 * RISE - 1e-9
        assert np.abs(risers).max() <= RISE + 1e-9
        assert len(np.unique(np.round(np.abs(risers), 6))) > 3
        # treads are labelled, landings are not, and there are three of these
        landings = np.concatenate([[True], labels[1:] != labels[:-1]])
        assert labels[0] == labels[-1] == "ground"
        assert (labels[landings] == "ground").sum() == 3
        ends = z[:-1][np.abs(np.diff(heights)) > 1e-9]
        treads = np.diff(ends)
        assert treads.min() > 0.27
        # the landing between the flights is the only piece longer than a step
        assert (treads > 0.7).sum() == 1


def test_stairs_are_level_across() -> None:
    terrain = made("stairs", 1).terrain
    z = np.linspace(-1.0, terrain.bounds[1][2] - 0.01, 200)
    assert_allclose(terrain.height(np.full(200, -1.1), z), terrain.height(np.full(200, 1.1), z), atol=1e-12)


def test_ramps_lead_up_and_down_at_many_slopes_and_turn() -> None:
    slopes, turns = [], []
    for seed in SEEDS:
        ground = made("ramps", seed)
        position, heading = placements(ground)
        normal = ground.terrain.normal(position[:, 0], position[:, 2], position[:, 1] + 1.0)
        labels = ground.terrain.label(position[:, 0], position[:, 2], position[:, 1] + 1.0)
        slope = np.arctan2(np.hypot(normal[:, 0], normal[:, 2]), normal[:, 1])
        assert np.array_equal(slope > 1e-9, labels == "ramp")
        # uphill is straight ahead or straight back: no foot stands on a side slope
        ahead = normal[:, 0] * np.sin(heading) + normal[:, 2] * np.cos(heading)
        assert_allclose(np.abs(ahead), np.hypot(normal[:, 0], normal[:, 2]), atol=1e-9)
        slopes += np.unique(np.round(np.sign(-ahead) * slope, 9)).tolist()
        turns.append(np.abs(heading).max())
        # plates meet without walls: all but the border is ground one can roll over
        corners = ground.terrain.vertices[ground.terrain.triangles]
        wall = np.abs(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 1]) < 1e-9
        base = ground.terrain.bounds[0][1]
        assert (corners[wall][..., 1].min(axis=1) == base).all()
    assert max(slopes) > np.radians(14.0)
    assert min(slopes) < np.radians(-14.0)
    assert len(set(slopes)) > 200
    assert np.median(turns) > np.radians(10.0)
    assert max(turns) <= 1.0


def test_spirals_are_quarters_and_halves_to_either_hand_in_eight_steps() -> None:
    seen = set()
    for seed in SEEDS:
        position, heading = placements(made("spiral", seed))
        labels = made("spiral", seed).terrain.label(position[:, 0], position[:, 2])
        on = np.flatnonzero(labels == "stairs")
        assert len(on) == 8  # a foot a step
        assert np.array_equal(on, np.arange(on[0], on[0] + 8))
        risers = np.diff(position[on[0] - 1 : on[-1] + 2, 1])
        assert_allclose(risers, risers[0], atol=1e-12)
        assert 0.5 * RISE - 1e-12 <= risers[0] <= RISE
        seen.add(round(float(heading[-1]) / np.pi, 6) % 2.0)
    assert seen == {0.5, 1.5, 1.0}  # left, right, and half a circle, which ends the same either way


def test_blocks_differ_by_a_rise_at_most_everywhere() -> None:
    for seed in SEEDS[:30]:
        terrain = made("blocks", seed).terrain
        corners = terrain.vertices[terrain.triangles]
        flat = np.ptp(corners[..., 1], axis=1) == 0.0
        wall = corners[~flat]
        inner = wall[wall[..., 1].min(axis=1) > terrain.bounds[0][1] + 1e-9]
        assert len(inner) > 100
        assert np.ptp(inner[..., 1], axis=1).max() <= RISE
        levels = np.unique(corners[flat][..., 1])
        assert len(levels) > 50
        assert np.ptp(levels) > 2.0 * RISE


def test_stones_stand_in_water() -> None:
    for seed in SEEDS[:30]:
        ground = made("stones", seed)
        terrain = ground.terrain
        position, _ = placements(ground)
        labels = terrain.label(position[:, 0], position[:, 2])
        on = np.flatnonzero(labels == "stone")
        assert np.array_equal(on, np.arange(on[0], on[-1] + 1))
        assert (labels[: on[0]] == "grass").all()
        assert (labels[on[-1] + 1 :] == "grass").all()
        low, high = terrain.bounds
        x, z = np.random.default_rng(seed).uniform(low[[0, 2]], high[[0, 2]], (3000, 2)).T
        heights, kind = terrain.height(x, z), terrain.label(x, z)
        water = heights[kind == "water"]
        assert len(water) > 300
        assert_allclose(water, water[0], atol=1e-12)
        over = position[on, 1] - water[0]
        assert 0.4 - 1e-9 <= over.min() <= over.max() <= 0.6 + 1e-9
        # there is water between one foot and the next
        for a, b in zip(position[on][:-1], position[on][1:], strict=True):
            share = np.linspace(0.0, 1.0, 400)[:, None]
            between = terrain.label(*(a + share * (b - a))[:, ::2].T)
            assert "water" in between


def test_rubble_has_slabs_of_several_sizes_that_lean_every_way() -> None:
    ground = made("rubble", 9)
    terrain = ground.terrain
    corners = terrain.vertices[terrain.triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    top = (normal[:, 1] > 1e-9) & (np.array(terrain.labels)[terrain.kinds] == "rubble")
    slope = np.round(normal[top][:, [0, 2]] / normal[top][:, 1:2], 7)
    slabs, which = np.unique(slope, axis=0, return_inverse=True)
    area = np.bincount(which.ravel(), 0.5 * normal[top][:, 1])
    assert len(slabs) > 150
    assert area.max() > 3.0 * np.median(area)
    assert np.percentile(area, 90) > 3.0 * np.percentile(area, 10)
    ways = np.arctan2(slabs[:, 0], slabs[:, 1])
    assert np.histogram(ways, 8, (-np.pi, np.pi))[0].min() > 5
