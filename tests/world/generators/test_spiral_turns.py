"""Flights over each other: open treads with an underside, and headroom."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.errors import RequestError
from footfall.world.generators.generate import generate
from footfall.world.generators.limits import StepLimits
from tests.world.generators.judge import judge_crossing, judge_mesh, judge_rays, placements


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("turns", [0.4, 0.75, 1.0, 1.6, 3.0])
def test_every_turn_can_be_walked_under_and_over(seed: int, turns: float) -> None:
    ground = generate("spiral", seed, turns=turns)
    judge_crossing(ground)
    judge_rays(ground)
    judge_mesh(ground, undersides=True)
    position, heading = placements(ground)
    assert (np.abs(heading) <= np.pi).all()
    # nothing for two metres over any foot
    for part in (0.0, 0.2, -0.05):
        head = position + np.array([0.0, 1e-6, 0.0])
        head[:, [0, 2]] += part * np.stack([np.sin(heading), np.cos(heading)], axis=-1)
        assert ground.terrain.project(head, np.array([0.0, 1.0, 0.0])).distance.min() >= 2.0 - 1e-5
    along = np.unwrap(heading)
    assert_allclose(abs(along[-1]), 2.0 * np.pi * turns, atol=0.21)


def test_a_stair_over_a_stair() -> None:
    """Under a foot of the third turn lie the second and the first, a storey apart, and then the floor."""
    ground = generate("spiral", 2, turns=3.0)
    position, _ = placements(ground)
    place = position[len(position) * 5 // 6]
    levels, start = [], np.inf
    while True:
        found = ground.terrain.height(place[:1], place[2:], start)[0]
        if not np.isfinite(found):
            break
        levels.append(found)
        start = found - 1e-6
    tops = np.array(levels[::2])  # each tread is met twice, from above and inside
    assert_allclose(tops[0], place[1], atol=1e-9)
    storeys = -np.diff(tops)
    assert len(tops) == 4
    assert_allclose(storeys[0], storeys[1], atol=1e-9)
    assert storeys[0] > 2.0
    assert levels[-1] == 0.0
    label = ground.terrain.label(place[[0, 0]], place[[2, 2]], np.array([np.inf, 0.01]))
    assert label.tolist() == ["stairs", "ground"]


def test_without_headroom_it_is_refused() -> None:
    with pytest.raises(
        RequestError, match=r"2.0 m of headroom need a rise of 0\.\d+ m at least: rise is 0.03"
    ):
        generate("spiral", turns=2.0, limits=StepLimits(rise=0.03))
    generate("spiral", turns=0.5, limits=StepLimits(rise=0.03))
    for wrong in (0.0, -1.0, np.nan, np.inf, 100.0, "two"):
        with pytest.raises(RequestError, match="turns"):
            generate("spiral", turns=wrong)
