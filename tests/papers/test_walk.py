"""[walk] Shanbhag and Chandran 2004: what the paper says of steps, lift, climb and root, on finished motions.

Readings as in the errata: a smooth bump instead of |sin|, applied as a difference; only what lies above the
planted height is lifted; a climbing foot rises twice what the root does.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

import footfall as ff
from footfall.figure.contacts import runs_of
from footfall.figure.motion import Motion
from footfall.figure.soles import sole_places, toe_places
from footfall.models.walkedit.body_way import AFTER_STRIKE, SHORTER, walk_model
from footfall.models.walkedit.course import captured_strides, lay
from footfall.models.walkedit.way import STRAIGHT_ON
from tests.captured import captured
from tests.captures import needs_captures

CLIPS = ["actor", pytest.param("walk/16_47.bvh", marks=needs_captures)]


@cache
def edit_of(clip: str) -> ff.WalkEdit:
    return ff.WalkEdit(ff.VirtualActor(seed=1).walk(1.3).motion if clip == "actor" else captured(clip))


def swings(motion: Motion, side: str) -> list[slice]:
    """Frames in which one foot is in the air between two of its plants."""
    assert motion.contacts is not None
    air = runs_of(~motion.contacts.stands(side))
    return [slice(a - 1, b + 1) for a, b in air if a > 0 and b < len(motion)]


@pytest.mark.parametrize("clip", CLIPS)
@pytest.mark.parametrize("factor", [0.6, 0.85, 1.15, 1.3])
def test_a_foot_goes_twice_the_step(clip: str, factor: float) -> None:
    """Eq. 5 and 6: the displacements of one foot over a cycle add up to two steps."""
    edit = edit_of(clip)
    length = factor * edit.step_length
    walk = edit.synthesize(step_length=length, steps=6)
    for side in ("left", "right"):
        own = [p for p in ff.detect_plants(walk, walk.contacts) if p.foot == side]
        displaced = [
            np.diff(sole_places(walk, side)[a.flat[0] : b.flat[0] + 1, 1], axis=0).sum(axis=0)
            for a, b in pairwise(own)
        ]
        assert_allclose(np.array(displaced)[:, 2], 2.0 * length, atol=1e-5)
        assert_allclose(np.array(displaced)[:, [0, 1]], 0.0, atol=1e-5)


@pytest.mark.parametrize("clip", CLIPS)
@pytest.mark.parametrize("factor", [0.7, 1.25])
def test_displacements_of_the_swing_are_scaled(clip: str, factor: float) -> None:
    """5.1: at every moment of the swing the toe has made the captured share of its way."""
    edit = edit_of(clip)
    speed = edit.speed
    base = edit.synthesize(step_length=edit.step_length, speed=speed, steps=4)
    longer = edit.synthesize(step_length=factor * edit.step_length, speed=factor * speed, steps=4)
    for side in ("left", "right"):
        shares = []
        for walk in (base, longer):
            toe = toe_places(walk, side)[swings(walk, side)[1], 2]
            way = (toe - toe[0]) / (toe[-1] - toe[0])
            shares.append(np.interp(np.linspace(0, 1, 60), np.linspace(0, 1, len(way)), way))
        # the ends roll over heel and toe, which have their own size and are not scaled
        assert_allclose(shares[1][6:-6], shares[0][6:-6], atol=0.035)


@pytest.mark.parametrize("clip", CLIPS)
@pytest.mark.parametrize("factor", [0.6, 0.9, 1.0, 1.25])
def test_the_root_is_as_high_as_the_model_says(clip: str, factor: float) -> None:
    """Eq. 3: sqrt(l^2 - (s/2)^2) where both feet are down; as high as captured where the legs cross.

    Longer steps lower the body by all of the difference; for shorter ones nobody stretches his legs as much.
    """
    cycle = edit_of(clip).cycle
    strides = [replace(s, advance=factor * s.advance) for s in captured_strides(cycle, "left", 12)]
    prints = lay(cycle, strides, STRAIGHT_ON, "left").prints
    width = cycle.beside[0] - cycle.beside[1]

    def lowest(step: float) -> float:
        return float(np.sqrt(cycle.leg_length**2 - 0.25 * (step**2 + width**2)))

    for k in range(2, 9):
        captured_step = cycle.step_lengths[0 if prints.side(k) == "left" else 1]
        down, crossing = walk_model(cycle, prints, np.array([k + AFTER_STRIKE, k + AFTER_STRIKE + 0.5]))
        difference = lowest(captured_step) - lowest(factor * captured_step)
        assert down == pytest.approx(difference if factor >= 1.0 else SHORTER * difference, abs=1e-12)
        assert crossing == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("clip", CLIPS)
@pytest.mark.parametrize("factor", [0.6, 1.3])
def test_the_root_has_no_corner_at_a_strike(clip: str, factor: float) -> None:
    """|sin| would have one of near 0.9 m/s; what the edit adds to the captured root has none."""
    edit = edit_of(clip)
    roots = [
        edit.synthesize(step_length=f * edit.step_length, speed=f * edit.speed, steps=6, fps=480.0).root
        for f in (1.0, factor)
    ]
    added = roots[1] - roots[0]
    jumps = np.linalg.norm(np.diff(added, n=2, axis=0), axis=-1) * 480.0
    assert jumps.max() < 0.06


@pytest.mark.parametrize("clip", CLIPS)
def test_only_what_is_over_the_planted_height_is_lifted(clip: str) -> None:
    """Eq. 7 as printed would raise planted feet with the lift."""
    edit = edit_of(clip)
    low, high = (edit.synthesize(lift=lift, steps=4) for lift in (0.05, 0.2))
    for side in ("left", "right"):
        stands = low.contacts.stands(side)
        assert_allclose(high.of(f"{side}_foot")[stands], low.of(f"{side}_foot")[stands], atol=1e-9)
        higher = high.of(f"{side}_foot")[~stands, 1] - low.of(f"{side}_foot")[~stands, 1]
        assert higher.max() > 0.13
        assert higher.min() > -0.02


@pytest.mark.parametrize("clip", CLIPS)
@pytest.mark.parametrize("degrees", [-15.0, 8.0, 20.0])
def test_a_climb_rises_by_its_sine(clip: str, degrees: float) -> None:
    """Eq. 8 and 5.3: each step s sin(slope) up and s cos(slope) on; a swing twice that, the root once."""
    edit, slope, length = edit_of(clip), np.radians(degrees), 0.6
    walk = edit.synthesize(step_length=length, slope=slope, steps=8)
    plants = ff.detect_plants(walk, walk.contacts)
    places = np.array([p.position for p in plants])
    assert_allclose(np.diff(places[:, 1]), length * np.sin(slope), atol=1e-6)
    assert_allclose(np.diff(places[:, 2]), length * np.cos(slope), atol=1e-6)
    for side in ("left", "right"):
        own = np.array([p.position for p in plants if p.foot == side])
        assert_allclose(np.diff(own[:, 1]), 2.0 * length * np.sin(slope), atol=1e-6)
    same_foot = [p.start for p in plants if p.foot == "left"][1:-1]
    rises = np.diff(walk.root[same_foot, 1])
    assert_allclose(rises, 2.0 * length * np.sin(slope), atol=0.01)
    for plant in plants[1:-1]:
        assert plant.pitch == pytest.approx(slope, abs=0.02)


@pytest.mark.parametrize("clip", CLIPS)
def test_a_smoothly_varying_step_speeds_up(clip: str) -> None:
    """5.1: a scale that varies smoothly makes an accelerating walk."""
    edit = edit_of(clip)
    walk = edit.synthesize(step_length=lambda d: edit.step_length * (0.6 + 0.08 * d), steps=10)
    places = np.array([p.position for p in ff.detect_plants(walk, walk.contacts)])
    steps = np.diff(places[:, 2])
    assert (np.diff(steps) > 0.0).all()
    walked = places[:-1, 2] - places[0, 2]
    assert_allclose(steps, edit.step_length * (0.6 + 0.08 * walked), atol=1e-5)
    speed = np.diff(walk.root[:: int(walk.fps * edit.cycle.seconds), 2])
    assert (np.diff(speed) > 0.0).all()
