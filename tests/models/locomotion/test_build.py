"""What is in the clips is in the space: their speeds, to either side, and stepping on the spot."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import footfall as ff
from footfall.errors import RequestError
from footfall.models.locomotion import layout
from footfall.models.locomotion.build import build_locomotion
from footfall.models.locomotion.model import SCALES
from footfall.models.locomotion.walker import LocomotionWalker
from tests.captures import needs_captures
from tests.models.locomotion.spaces import actor_space, captured_space


def test_parameters_are_what_the_actor_promised() -> None:
    model = actor_space()
    promised = {
        e.name: e.parameters
        for e in ff.VirtualActor().perform("body")
        if e.kind in ("walk", "run", "strafe", "backward")
    }
    assert len(promised) == 16
    for name, point in zip(model.names, model.tables.points, strict=True):
        if name in promised:
            asked = [promised[name][word] for word in ("speed", "turn_rate", "side_speed")]
            # a promise of speed is along the path, and a path that turns is longer than its middle's
            assert_allclose(point, asked, atol=0.065)
            assert point[1] == pytest.approx(asked[1], abs=0.005)


def test_reaches_are_passed_over() -> None:
    assert not any("reach" in name or "hand" in name for name in actor_space().names)


def test_nineteen_examples_and_stepping_on_the_spot() -> None:
    model = actor_space()
    assert len(model) == 19
    spot = model.names.index("on the spot")
    assert not model.tables.points[spot].any()
    feet = model.tables.feet[spot]
    assert 0.03 < np.ptp(feet[:, :, 1], axis=1).min() < 0.12  # each foot is lifted a few centimetres,
    assert np.ptp(feet[:, :, [0, 2]], axis=1).max() < 1e-6  # straight up


@needs_captures
def test_what_goes_to_the_right_is_mirrored_to_the_left() -> None:
    model = captured_space()
    assert len(model) >= 19
    points = dict(zip(model.names, model.tables.points, strict=True))
    mirrored = [name for name in points if name.endswith(" mirrored")]
    assert len(mirrored) >= 7
    for name in mirrored:
        assert_allclose(points[name], points[name.removesuffix(" mirrored")] * [1.0, -1.0, -1.0], atol=2e-3)
    # what goes straight is its own mirror image
    assert not any("Walk01 " in name or "Run01 " in name or "Jog01 " in name for name in mirrored)


@needs_captures
def test_clips_that_climb_or_never_come_round_are_left_out() -> None:
    names = " ".join(captured_space().names)
    assert not any(word in names for word in ("WalkUp", "ToWalk", "ToIdle", "Turn180"))


def test_loops_are_apart() -> None:
    points = actor_space().tables.points * SCALES
    apart = np.linalg.norm(points[:, None] - points, axis=-1) + 10.0 * np.eye(len(points))
    assert apart.min() > 0.1


def test_the_same_again() -> None:
    again = build_locomotion(ff.VirtualActor().perform("body"))
    for name, value in vars(actor_space().tables).items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(value, getattr(again.tables, name))


def test_standing_feet_are_those_of_the_stand() -> None:
    model = actor_space()
    walker = LocomotionWalker(model, (1.0, -2.0), 0.4)
    pose = ff.Pose(walker.pose[:3], walker.pose[3:].reshape(-1, 4))
    places, _ = pose.forward(model.skeleton)
    for side, foot in zip(("left", "right"), model.tables.idle_feet, strict=True):
        turned = [
            np.cos(0.4) * foot[0] + np.sin(0.4) * foot[2],
            np.cos(0.4) * foot[2] - np.sin(0.4) * foot[0],
        ]
        assert_allclose(
            places[model.skeleton.joint(f"{side}_foot"), [0, 2]], np.add([1.0, -2.0], turned), atol=1e-9
        )
    assert walker.state[layout.CONTACTS : layout.CONTACTS + 4].all()


class TestRefusals:
    def test_no_stand(self) -> None:
        walks = [ff.VirtualActor().walk(speed).motion for speed in (0.8, 1.4)]
        with pytest.raises(RequestError, match="only stands"):
            build_locomotion(walks)

    def test_too_few(self) -> None:
        actor = ff.VirtualActor()
        with pytest.raises(RequestError, match="too few"):
            build_locomotion([actor.idle(3.0).motion, actor.walk(1.2).motion], mirrored=False)

    @pytest.mark.parametrize("source", [[], "walk.bvh", [1, 2], None])
    def test_no_clips(self, source: object) -> None:
        with pytest.raises(RequestError):
            build_locomotion(source)  # type: ignore[arg-type]

    def test_names_that_do_not_fit(self) -> None:
        with pytest.raises(RequestError, match="2 names"):
            build_locomotion([ff.VirtualActor().idle(3.0).motion], names=["a", "b"])

    def test_a_clip_left_out_is_said(self) -> None:
        actor = ff.VirtualActor()
        said: list[str] = []
        clips = [e.motion for e in actor.perform("body") if e.kind in ("idle", "walk", "strafe")]
        build_locomotion([*clips, actor.jump(0.8).motion], progress=lambda what, _: said.append(what))
        assert sum("is left out" in sentence for sentence in said) == 1
