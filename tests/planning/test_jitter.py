"""A scene has the same plan however its positions are rounded; narrow passages stay passable."""

from __future__ import annotations

import pytest

from footfall.models.stepspace.default import default_step_space
from footfall.planning.footsteps.walker_body import BodySize
from tests.planning.scenes import ROUNDING, outcome, passage_scene, scene_of


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_rounding_changes_no_plan(seed: int) -> None:
    own = outcome(scene_of(seed), default_step_space())
    for jitter in (1, 2):
        assert own.difference(outcome(scene_of(seed, ROUNDING, jitter), default_step_space())) == ""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_a_passage_with_3_cm_to_spare_is_passed_wherever_its_walls_are(seed: int) -> None:
    wide = BodySize().width + 0.06
    assert outcome(passage_scene(seed, wide, 0.01, seed), default_step_space()).refused == ""
