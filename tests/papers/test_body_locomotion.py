"""What [body] 4 claims of locomotion, on the actor's examples."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

import footfall as ff
from footfall.control.locomotion import LocomotionController
from footfall.control.tick import Tick
from footfall.models.locomotion.model import Locomotion
from tests.models.locomotion.spaces import actor_space

PAPER_SECONDS = 0.21e-3  # [body] 7: of an update of locomotion


def test_nineteen_examples_span_speed_turn_and_side_speed() -> None:
    """4.1: forward, turning and sideways at various speeds."""
    model = actor_space()
    assert len(model) == 19
    low, high = model.space.bounds
    assert low[0] < -0.5
    assert high[0] > 2.5
    assert min(-low[1], high[1]) > 1.0
    assert min(-low[2], high[2]) > 0.7
    assert model.scheme.simplices.shape[1] == 4
    assert set(model.scheme.simplices.ravel()) == set(range(19))  # the paper's are made by hand


def test_parameters_map_linearly_to_weights() -> None:
    """4.1: within a tetrahedron; with shares of time, which barycentric coordinates are."""
    model = actor_space()
    corners = model.space.to_metric(model.tables.points)[model.scheme.simplices]
    rng = np.random.default_rng(1)
    for quad, places in zip(model.scheme.simplices, corners, strict=True):
        if abs(np.linalg.det(places[1:] - places[0])) < 1e-3:
            continue
        shares = rng.dirichlet(np.ones(4))
        own = model.scheme(shares @ places)
        assert np.abs(own[quad] - shares).max() < 1e-6


def test_sub_motions_are_blended_between_the_same_foot_placements_only() -> None:
    """4.1: every loop has its left foot come down at phase 0, its right foot at 0.5, whatever its gait."""
    for asked in actor_space().space.sample(12, seed=2):
        made = actor_space().synthesize(**actor_space().space.named(asked), seconds=3.0)
        for side in ("left", "right"):
            assert len(ff.figure.contacts.runs_of(made.contacts.stands(side))) >= 3


@pytest.mark.parametrize("name", ["speed", "turn_rate", "side_speed"])
def test_motion_varies_smoothly_when_a_parameter_changes(name: str) -> None:
    """2: weights must vary smoothly. Along a line through the space no pose is far from the next one's."""
    model = actor_space()
    ends = {"speed": (-0.5, 2.5), "turn_rate": (-0.9, 0.9), "side_speed": (-0.6, 0.6)}[name]
    base = {"speed": 0.3, "turn_rate": 0.0, "side_speed": 0.0}
    shares = np.array([model.weights(**base | {name: v}) for v in np.linspace(*ends, 400)])
    assert np.abs(np.diff(shares, axis=0)).max() < 0.06


def test_an_update_takes_a_tenth_of_the_papers_time() -> None:
    model = actor_space()
    legs = LocomotionController(model)
    legs.command(speed=1.1, turn_rate=0.2)
    pose = ff.Pose.at_rest(model.skeleton)
    tick = Tick(pose, pose, 0.0, 1.0 / 60.0, None)
    best = np.inf
    for _ in range(10):
        begun = time.perf_counter()
        for _ in range(300):
            legs.update(tick)
        best = min(best, (time.perf_counter() - begun) / 300)
    assert best < 0.1 * PAPER_SECONDS


def slides(model: Locomotion, *, locked: bool) -> float:
    """m, while it walks at a speed between two examples' and long has."""
    walker = ff.Character(model.skeleton, [LocomotionController(model, foot_lock=locked)])
    walker.command(speed=1.1)
    walker.record(3.0)
    return ff.certificate(walker.record(4.0), terrain=ff.FlatTerrain()).slide_max_m or 0.0


def test_cutting_at_foot_placements_reduces_sliding_and_the_lock_ends_it() -> None:
    """4.1: without inverse kinematics; beside it loops whose strikes are a seventh of a cycle apart."""
    model = actor_space()
    tables = model.tables
    shifts = np.where(np.arange(len(model)) % 2 == 0, tables.frames // 7, 0)
    moved = {
        name: np.stack([np.roll(row, shift, axis=0) for row, shift in zip(rows, shifts, strict=True)])
        for name, rows in (("tangents", tables.tangents), ("roots", tables.roots))
    }
    uncut = Locomotion(replace(tables, **moved), model.reference)
    plain, cut, held = slides(uncut, locked=False), slides(model, locked=False), slides(model, locked=True)
    assert cut < 0.006
    assert plain > 8.0 * cut
    assert held < 0.0005


def test_a_planner_is_told_what_locomotion_can_do() -> None:
    """4.2: the paper's planner may ask for what its locomotion cannot do; here it can ask first."""
    limits = actor_space().limits
    legs = LocomotionController(actor_space())
    legs.command(speed=limits.fastest, turn_rate=0.0)
    assert legs.status.clamped == ()
    legs.command(speed=0.5 * limits.fastest, turn_rate=0.99 * limits.turn_rate)
    assert legs.status.clamped == ()
