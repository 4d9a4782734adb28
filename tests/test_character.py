"""A character: a clock and a stack of controllers; its step never raises."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.actor.humanoid import humanoid
from footfall.character import Character
from footfall.control.gait import GaitController
from footfall.control.tick import Tick
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.geometry.ground import UP
from footfall.world.plane import FlatTerrain
from tests.control.plain_worlds import sound
from tests.models.ring.plain_ground import bumps, table
from tests.models.ring.rings import small_graph, small_ring


@dataclass
class Lift:
    """A layer that lifts whatever it is given, and remembers what it saw."""

    by: float = 1.0
    name: str = "lift"
    ticks: list[Tick] = field(default_factory=list)

    def update(self, tick: Tick) -> Pose:
        self.ticks.append(tick)
        return Pose(tick.pose.root + self.by * UP, tick.pose.rotations)


def character(**settings: object) -> Character:
    return Character(small_ring().skeleton, [GaitController(small_ring())], **settings)  # type: ignore[arg-type]


def test_layers_have_their_turn_one_after_the_other() -> None:
    one, two = Lift(1.0), Lift(2.0)
    alone = character()
    stacked = Character(small_ring().skeleton, [GaitController(small_ring()), one, two])
    poses = [stacked.step(1 / 60) for _ in range(10)]
    plain = [alone.step(1 / 60) for _ in range(10)]
    for made, pose in zip(poses, plain, strict=True):
        assert_allclose(made.root, pose.root + 3.0 * UP, atol=1e-12)
    assert_allclose(two.ticks[3].pose.root, plain[3].root + UP, atol=1e-12)
    assert [tick.time for tick in one.ticks] == pytest.approx([(k + 1) / 60 for k in range(10)])
    assert all(tick.previous is before for tick, before in zip(one.ticks[1:], poses, strict=False))
    assert str(stacked.stack).splitlines()[1].startswith("2. lift")
    assert len(stacked.stack) == 3


@pytest.mark.parametrize("dt", [np.nan, -1.0, -np.inf, np.inf])
def test_a_time_that_is_none_is_no_time(dt: float) -> None:
    walker = character()
    before = walker.step(0.5)
    after = walker.step(dt)
    assert walker.time == 0.5
    assert_array_equal(after.root, before.root)


def test_any_other_time_is_taken() -> None:
    walker = character(world=bumps())
    for dt in (1e-12, 0.0, 1.0, 1e9, np.float32(0.01), 1):
        sound(walker.step(dt), walker.skeleton)


def test_commands_reach_the_gait() -> None:
    walker = character(world=FlatTerrain())
    walker.command(heading=1.0)
    for _ in range(900):
        pose = walker.step(1 / 60)
    assert np.arctan2(pose.root[0], pose.root[2]) > 0.5


def test_recordings_are_the_steps() -> None:
    walker, same = character(world=bumps()), character(world=bumps())
    clip = walker.record(2.0, fps=30.0)
    assert isinstance(clip, Motion)
    assert len(clip) == 61
    assert clip.fps == 30.0
    assert clip.contacts is not None
    for k in range(61):
        assert_array_equal(clip.root[k], same.step(1 / 30).root)
    both = clip.contacts.stands("left") | clip.contacts.stands("right")
    assert both.mean() > 0.95  # a walk does not fly
    assert 0.03 < (clip.contacts.stands("left") & clip.contacts.stands("right")).mean() < 0.7


def test_a_recording_goes_on_where_the_last_one_ended() -> None:
    walker = character()
    first, second = walker.record(1.0), walker.record(1.0)
    assert 0.0 < np.linalg.norm(second.root[0] - first.root[-1]) < 0.1
    assert walker.time == pytest.approx(122 / 60)


@pytest.mark.parametrize("fps", [1.0, 1000.0])
def test_recordings_at_the_slowest_and_the_fastest_rate(fps: float) -> None:
    clip = character(world=table(50.0, 50.0)).record(3.0, fps=fps)
    assert len(clip) == round(3.0 * fps) + 1
    assert np.isfinite(clip.positions).all()
    assert clip.root[-1, 2] > 1.5


@pytest.mark.parametrize(
    ("seconds", "fps"),
    [(0.0, 60.0), (-1.0, 60.0), (np.nan, 60.0), (1e9, 60.0), (1.0, 0.5), (1.0, 2000.0), (1.0, np.nan)],
)
def test_recordings_that_cannot_be(seconds: float, fps: float) -> None:
    with pytest.raises(RequestError, match="recording"):
        character().record(seconds, fps=fps)


def test_without_contacts_a_recording_has_none() -> None:
    skeleton = small_ring().skeleton
    clip = Character(skeleton, [Lift(0.0)]).record(0.5)
    assert clip.contacts is None
    assert_allclose(clip.root, np.broadcast_to(Pose.at_rest(skeleton).root, clip.root.shape))


def test_refusals() -> None:
    skeleton = small_ring().skeleton
    with pytest.raises(RequestError, match="at least one"):
        Character(skeleton, [])
    with pytest.raises(RequestError, match="no controller"):
        Character(skeleton, [object()])  # type: ignore[list-item]
    with pytest.raises(RequestError, match="another figure"):
        Character(humanoid(height=1.2), [GaitController(small_ring())])
    with pytest.raises(RequestError, match="takes commands"):
        Character(skeleton, [Lift()]).command(turn=1.0)


def test_it_prints_its_clock_and_its_stack() -> None:
    walker = Character(small_graph().skeleton, [GaitController(small_graph()), Lift()])
    walker.step(0.25)
    assert "0.25 s" in repr(walker)
    assert "1. gait" in repr(walker)
    assert "2. lift" in repr(walker)


def test_a_world_can_be_changed_between_steps() -> None:
    walker = character(world=table(30.0, 30.0))
    walker.step(0.5)
    walker.world = table(30.0, 30.0, level=2.0)
    assert walker.step(1 / 60).root[1] > 2.5
    walker.world = None
    assert np.isfinite(walker.step(1 / 60).root).all()


@pytest.mark.parametrize("fault", ["raises", "none", "no numbers"])
def test_a_layer_that_fails_is_left_out(fault: str) -> None:
    class Fails:
        name = "fails"

        def update(self, tick: Tick) -> Pose:
            if tick.time < 0.1 or tick.time > 0.2:
                return Pose(tick.pose.root + UP, tick.pose.rotations)
            if fault == "raises":
                raise KeyError("hips")
            return None if fault == "none" else Pose.sound(np.full(3, np.nan), np.array(tick.pose.rotations))  # type: ignore[return-value]

    lift = Lift(0.5)
    walker = Character(small_ring().skeleton, [GaitController(small_ring()), Fails(), lift])
    alone = character()
    for _ in range(20):
        pose, plain = walker.step(1 / 60), alone.step(1 / 60)
        left_out = 0.1 <= walker.time <= 0.2
        assert_allclose(pose.root, plain.root + (0.5 if left_out else 1.5) * UP, atol=1e-12)
    assert len(walker.remarks) == 1
    assert walker.remarks[0].startswith("fails was left out")


def test_where_the_first_layer_fails_the_figure_stays() -> None:
    """It was shown in its rest pose at the origin for a frame."""

    class Walks:
        name = "walks"

        def update(self, tick: Tick) -> Pose:
            if 0.1 <= tick.time <= 0.2:
                raise KeyError("hips")
            return Pose(tick.pose.root + np.array([3.0 + tick.time, 0.0, 4.0]), tick.pose.rotations)

    figure = Character(small_ring().skeleton, [Walks(), Lift(0.5)])
    places = np.array([figure.step(1 / 60).root for _ in range(20)])
    assert np.linalg.norm(np.diff(places, axis=0), axis=1).max() < 0.2
    assert_allclose(places[:, 1], places[0, 1])
    stays = places[(np.arange(1, 21) / 60 >= 0.1) & (np.arange(1, 21) / 60 <= 0.2)]
    assert np.ptp(stays, axis=0).max() == 0.0


def test_time_that_raises_as_it_likes_is_no_time() -> None:
    class Odd:
        def __float__(self) -> float:
            raise RuntimeError("only one element can be converted")

    walker = character()
    walker.step(Odd())  # type: ignore[arg-type]
    assert walker.time == 0.0


def test_kernels_of_fades_are_ready_before_the_first_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    from footfall.geometry import kernel_cache

    asked: list[str] = []
    monkeypatch.setattr(kernel_cache, "ready", lambda *modules: asked.extend(modules))
    Character(small_ring().skeleton, [GaitController(small_ring()), Lift()])
    assert "footfall.control.fading" in asked


def test_the_first_layer_is_not_given_its_own_pose() -> None:
    lift = Lift(0.01)
    figure = Character(small_ring().skeleton, [lift])
    heights = [figure.step(1 / 60).root[1] for _ in range(60)]
    assert np.ptp(heights) == 0.0
    assert lift.ticks[5].previous is not lift.ticks[5].pose
