"""Random plans for benchmarks: drawn from captured steps, the same for the same seed, feet side by side."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from benchmarks.step_plans import APART, KINDS, edited, gathered, kinds_of, random_plans
from numpy.testing import assert_allclose

from footfall.actor.virtual_actor import VirtualActor
from footfall.analysis.plants import detect_plants
from footfall.analysis.steps import Step, detect_steps
from footfall.errors import RequestError
from footfall.figure.mirror import mirror
from footfall.geometry import ground
from footfall.world.foot_plan import FootPlan


@cache
def takes() -> tuple[Step, ...]:
    """Steps of every kind, each from a stand and to a stand again."""
    actor = VirtualActor(seed=4, fps=30.0)
    clips = [
        actor.start_and_stop(1.2, steps=10),
        actor.start_and_stop(0.9, turn_rate=0.6, steps=10),
        actor.start_and_stop(-0.6, steps=10),
        actor.sidestep(0.28, steps=8),
        actor.cross_step("left"),
        actor.turn_in_place(2.0),
    ]
    motions = [clip.motion for clip in clips]
    return tuple(s for m in motions for s in detect_steps(m, detect_plants(m, m.contacts)))  # type: ignore[arg-type]


def plans(count: int = 20, **options: object) -> list[FootPlan]:
    return list(random_plans(gathered(takes()), count, **options))  # type: ignore[arg-type]


def shown(plan: FootPlan) -> list[np.ndarray]:
    """x1, z1, x2, z2, theta1, theta2 of each step, by plain trigonometry."""
    found = []
    for step in plan.steps():
        feet = [plan.placements[k] for k in (step.origin, step.target)]
        support = plan.placements[step.support]
        assert support.heading is not None
        sine, cosine = np.sin(support.heading), np.cos(support.heading)
        places = []
        for foot in feet:
            x, _, z = foot.position - support.position
            places += [cosine * x - sine * z, sine * x + cosine * z]
        turns = [float(ground.wrap(foot.heading - support.heading)) for foot in feet]  # type: ignore[operator]
        found.append(np.array([*places, *turns]))
    return found


def test_every_plan_is_whole() -> None:
    for plan in plans(steps=24):
        assert len(plan.steps()) == 24
        assert all(a.foot != b.foot for a, b in zip(plan.placements, plan.placements[1:], strict=False))
        assert all(p.heading is not None and p.swing is p.stance is None for p in plan.placements)
        assert all(np.hypot(*step[2:4]) >= APART - 1e-9 for step in shown(plan))


def test_steps_are_near_captured_ones() -> None:
    """Where they land is what someone did from there, but for a centimetre and two degrees."""
    pool = gathered(takes())
    landings = []
    for plan in plans(seed=1):
        for step, high in zip(plan.steps(), shown(plan), strict=True):
            away = pool[step.foot][:, [2, 3]] - high[2:4]
            turned = ground.wrap(pool[step.foot][:, 5] - high[5])
            landings.append(np.min(np.hypot(*away.T) + 0.3 * np.abs(turned)))
    assert np.max(landings) < 0.06
    assert np.mean(landings) < 0.03


def test_a_seed_gives_the_same_plan_whatever_comes_before() -> None:
    one, other = plans(6, seed=3), plans(3, seed=3)
    for a, b in zip(one[:3], other, strict=True):
        assert a.encode() == b.encode()
    assert len({p.encode() for p in [*one, *plans(6, seed=4)]}) == 12


@pytest.mark.parametrize("kind", ["forward", "backward", "side", "cross"])
def test_kinds_that_are_asked_for(kind: str) -> None:
    asked = [
        kinds_of(np.concatenate([h, np.ones(4)])[None], s.foot)[kind][0]
        for p in plans(10, kinds=(kind,))
        for s, h in zip(p.steps(), shown(p), strict=True)
    ]
    assert np.mean(asked) > 0.8


def test_forward_backward_forward() -> None:
    """Against the way the body faces first it goes on, then back, then on again."""
    turns = []
    for plan in plans(20, steps=24, kinds=("forward", "backward", "forward"), seed=2):
        kinds = [
            kinds_of(np.concatenate([h, np.ones(4)])[None], s.foot)
            for s, h in zip(plan.steps(), shown(plan), strict=True)
        ]
        turns.append([kinds[k][name][0] for k, name in ((6, "forward"), (15, "backward"), (23, "forward"))])
    assert (np.mean(turns, axis=0) > 0.7).all()


def test_kinds_agree_with_what_was_detected() -> None:
    """Trunks decide there, footprints here: they seldom disagree."""
    agree = [
        kinds_of(s.high[None], s.foot)[s.kind][0] or kinds_of(s.high[None], s.foot)["turning"][0]
        for s in takes()
    ]
    assert np.mean(agree) > 0.85


def test_each_step_has_a_kind() -> None:
    for foot, high in gathered(takes()).items():
        found = np.array([kinds_of(high, foot)[k] for k in KINDS])
        assert found.any(axis=0).all()


def test_mirrored_steps_are_those_of_the_mirrored_clip() -> None:
    motion = VirtualActor(seed=4).start_and_stop(1.0, turn_rate=0.4).motion
    both = [mirror(motion), motion]
    steps = [detect_steps(m, detect_plants(m, m.contacts)) for m in both]  # type: ignore[arg-type]
    seen, own = gathered(steps[0], mirrored=False), gathered(steps[1])
    for foot in ("left", "right"):
        assert_allclose(own[foot][-len(seen[foot]) :], seen[foot], atol=1e-6)


def test_timed_plans_ask_for_captured_times() -> None:
    swings = {round(float(s.high[8]), 6) for s in takes()}
    for plan in plans(3, timed=True):
        assert all(round(p.swing, 6) in swings for p in plan.placements[2:] if p.swing is not None)
        assert all(p.swing is not None and p.stance is not None for p in plan.placements[2:])


def test_edited() -> None:
    plan = plans(1)[0]
    moved = edited(plan, 7, (0.1, 0.02, -0.05))
    assert_allclose(
        moved.placements[7].position - plan.placements[7].position, [0.1, 0.02, -0.05], atol=1e-12
    )
    assert moved.placements[7].heading == plan.placements[7].heading
    assert [a is b for a, b in zip(moved.placements, plan.placements, strict=True)].count(False) == 1


def test_kinds_that_nobody_took() -> None:
    walk = VirtualActor().walk(1.2).motion
    pool = gathered(detect_steps(walk, detect_plants(walk, walk.contacts)))  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="no captured steps are 'cross'; there are forward"):
        list(random_plans(pool, 1, kinds=("cross",)))
    with pytest.raises(RequestError, match="there are none"):
        list(random_plans({"left": np.zeros((0, 10)), "right": np.zeros((0, 10))}, 1))
