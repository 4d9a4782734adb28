"""Random control of all layers: nothing raises, nothing jumps (`benchmarks/random_control.py` runs more)."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import footfall as ff
from footfall.control.pace import LEG, SPEEDS, fastest_parts
from footfall.models.reach.default import more_reaches
from tests.control.random_control import BASES, Models, RandomControl, examples_of, speed_limits
from tests.models.locomotion.spaces import actor_space
from tests.models.reach.libraries import actor_library, session
from tests.models.ring.rings import small_graph

FRAMES = 10_000


@cache
def models() -> Models:
    body = [e for e in ff.VirtualActor().perform("body") if e.kind != "reach"]
    return Models(
        actor_space(),
        actor_library(),
        small_graph(),
        {
            "locomotion": examples_of(body),
            "reach": examples_of([*session(), *more_reaches(ff.VirtualActor())]),
            "gaits": examples_of(ff.VirtualActor().perform("rings")),
        },
    )


SLOW = [pytest.param(part, FRAMES, marks=[pytest.mark.slow, pytest.mark.ci]) for part in range(5)]


@pytest.mark.parametrize(("part", "frames"), [(5, 3000), *SLOW])
def test_nothing_raises_and_nothing_jumps(part: int, frames: int) -> None:
    """3,000 frames, and 50,000 with the slow studies that CI runs."""
    control = RandomControl(models(), 1000 * part)
    for _ in control.run(frames):
        pass
    assert not control.violations, "\n".join(map(str, control.violations[:5]))
    assert control.judged > 0.2 * frames
    assert set(control.fastest) == set(control.roles)
    assert all(share > 0.1 for share, _ in control.fastest.values())  # they are driven, not left standing


def test_the_same_seed_drives_the_same_way() -> None:
    poses = [RandomControl(models(), 3).drive(3, last=60).character.pose for _ in range(2)]
    np.testing.assert_array_equal(poses[0].root, poses[1].root)
    np.testing.assert_array_equal(poses[0].rotations, poses[1].rotations)


def test_a_jump_is_noticed() -> None:
    """The judge judges: a layer that jumps by 10 cm once, or raises, does not get through."""

    class Jumps:
        name = "jumps"

        def __init__(self, raises: bool) -> None:
            self.raises, self.frames = raises, 0

        def update(self, tick: object) -> ff.Pose:
            self.frames += 1
            if self.raises and self.frames == 30:
                raise ValueError("as it likes")
            root = tick.pose.root + np.array([0.1 * (self.frames >= 30), 0.0, 0.0])  # type: ignore[attr-defined]
            return ff.Pose(root, tick.pose.rotations)  # type: ignore[attr-defined]

    for raises, what in ((False, "hips"), (True, "raised in a layer: jumps was left out: ValueError")):
        control = RandomControl(models(), bases=["locomotion"], worlds=["flat"], upper=[])
        stack = control._stack

        def with_jumps(*told: object, stack=stack, raises=raises) -> object:  # type: ignore[no-untyped-def]
            one = stack(*told)
            layers = [*one.character.stack, Jumps(raises)]
            one.character = ff.Character(one.character.skeleton, layers)
            return one

        control._stack = with_jumps  # type: ignore[method-assign]
        seed = 0
        while not control.violations and seed < 8:
            control.drive(seed, last=40)
            seed += 1
        assert control.violations[0].what.startswith(what)


@pytest.mark.parametrize("base", BASES)
def test_every_base_is_driven(base: str) -> None:
    control = RandomControl(models(), 7, bases=[base], upper=[])
    for _ in control.run(400):
        pass
    assert not control.violations


def test_locomotion_alone_on_broken_ground() -> None:
    """No layer above it holds it back; seeds in which knees once went 1.6 times as fast as people's."""
    control = RandomControl(models(), 16, bases=["locomotion"], worlds=["stones", "rubble"], upper=[])
    for _ in control.run(15_000):
        pass
    assert not control.violations, "\n".join(map(str, control.violations[:5]))
    assert control.judged > 10_000


def test_how_fast_people_are_is_what_the_examples_say() -> None:
    limits = speed_limits(models(), frozenset({"locomotion", "reach"}))
    skeleton = ff.VirtualActor().skeleton
    assert np.mean([skeleton.leg_length(side) for side in skeleton.sides]) == pytest.approx(LEG, abs=5e-3)
    for part, speed in SPEEDS.items():
        assert speed == pytest.approx(limits[part] / 1.2, rel=0.12)
    assert np.isfinite(fastest_parts(skeleton)).sum() == sum(
        1 + (f"left_{part}" in skeleton.roles) for part in SPEEDS
    )
