"""How a gaze moves: smooth in head and trunk whatever is asked, fast but no jump in the eyes."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.control.gaze import GazeController
from footfall.control.gaze_motion_kernel import HEAD_FASTEST, HEAD_PACE, TRUNK_FASTEST, TRUNK_PACE
from footfall.control.tick import Tick
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from tests.control.gaze_judge import (
    aside,
    idle,
    looked,
    off_target,
    ray,
    seen_at,
    skeleton,
    standing,
    velocities,
    without_roles,
)

LIMITS = {"head": (HEAD_FASTEST, HEAD_PACE), "chest": (TRUNK_FASTEST, TRUNK_PACE)}


def switching(seed: int, every: float = 0.35, widest: float = 160.0):  # type: ignore[no-untyped-def]
    """Another target every moment, now and then none."""

    def script(gaze: GazeController, time: float) -> None:
        turn = int(time / every + 1e-9)
        random = np.random.default_rng([seed, turn])
        target = seen_at(*random.uniform(-1, 1, 2) * [widest, 0.4 * widest], random.uniform(0.3, 4.0))
        gaze.command(look_at=None if random.random() < 0.2 else target)

    return script


def eyed(figure: Skeleton | None = None, **settings: object) -> GazeController:
    return GazeController(figure or skeleton(), saccades=False, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("role", ["head", "chest"])
def test_speeds_and_accelerations_are_limited_whatever_is_asked(role: str, seed: int) -> None:
    """Nods and turns have a limit each, and two together sqrt(2) of it; pushes 1.4 pace times the speed."""
    fps = 240.0
    speed = velocities(skeleton(), looked(eyed(), 8.0, switching(seed), fps=fps), role, fps)
    fastest, pace = LIMITS[role]
    most = np.degrees(fastest) * np.sqrt(2.0)
    assert np.linalg.norm(speed, axis=1).max() <= most
    push = np.linalg.norm(np.diff(speed, axis=0), axis=1) * fps
    assert push.max() <= 2.0 * 1.4 * pace * most


@pytest.mark.parametrize("role", ["head", "chest"])
def test_switching_targets_is_continuous_in_velocity(role: str) -> None:
    """Changes of velocity from frame to frame shrink with the frames: a jump would not."""
    changes = []
    for fps in (120.0, 480.0):
        speed = velocities(skeleton(), looked(eyed(), 4.2, switching(7), fps=fps), role, fps)
        changes.append(np.linalg.norm(np.diff(speed, axis=0), axis=1).max())
    assert changes[1] < 0.35 * changes[0]


@pytest.mark.parametrize("size", [4.0, 10.0, 20.0])
def test_a_leap_takes_as_long_as_peoples_and_is_no_jump(size: float) -> None:
    """The main sequence: 25 ms and 2.4 ms a degree; least jerk has a top speed of 15/8 the mean."""
    fps, base = 2000.0, Pose.at_rest(skeleton())
    gaze = eyed(parts=("eyes",))
    gaze.command(look_at=seen_at(0.0, far=50.0, pose=base))
    looked(gaze, 0.5, fps=fps, pose=base)
    gaze.command(look_at=seen_at(size, far=50.0, pose=base))
    way = np.array([aside(skeleton(), p, "left_eye") for p in looked(gaze, 0.2, fps=fps, pose=base)])
    span = 0.025 + 0.0024 * size
    arrived = np.argmax(way > 0.9999 * way[-1]) / fps
    assert 0.9 * span < arrived <= span + 1.0 / fps
    assert_allclose(np.diff(way).max() * fps, 15.0 / 8.0 * size / span, rtol=0.02)


def test_the_eyes_stay_on_the_target_while_the_head_comes_after() -> None:
    base = Pose.at_rest(skeleton())
    gaze, target = eyed(), seen_at(38.0, pose=base)
    gaze.command(look_at=target)
    poses = looked(gaze, 1.5, pose=base)
    landed = next(k for k, pose in enumerate(poses) if off_target(skeleton(), pose, target) < 0.5)
    assert landed / 60.0 < 0.2
    assert aside(skeleton(), poses[landed], "head") < 0.3 * aside(skeleton(), poses[-1], "head")
    assert max(off_target(skeleton(), pose, target) for pose in poses[landed + 1 :]) < 1e-6


def test_a_moving_target_is_pursued_exactly_and_without_a_jerk() -> None:
    def ball(time: float) -> tuple[float, float, float]:
        return 1.2 * np.sin(1.3 * time), 1.4 + 0.4 * np.sin(2.1 * time), 1.8

    gaze = eyed()
    poses = looked(gaze, 6.0, lambda gaze, time: gaze.command(look_at=ball(time)))
    off = [off_target(skeleton(), pose, ball(k / 60.0)) for k, pose in enumerate(poses)]
    assert max(off[20:]) < 1e-6
    speed = np.linalg.norm(velocities(skeleton(), poses[30:], "head", 60.0), axis=1)
    assert speed.max() < 90.0
    assert np.abs(np.diff(speed)).max() < 6.0  # degrees a second from frame to frame


def test_what_is_faster_than_eyes_is_leapt_after_and_not_lost() -> None:
    for fps in (60.0, 240.0):
        gaze = eyed()
        poses = looked(gaze, 4.0, lambda g, t: g.command(look_at=seen_at(50.0 * np.sin(4.0 * t))), fps=fps)
        off = [off_target(skeleton(), p, seen_at(50.0 * np.sin(4.0 * k / fps))) for k, p in enumerate(poses)]
        assert max(off[int(fps) :]) < 25.0
        assert np.mean(off[int(fps) :]) < 8.0


def test_what_goes_round_behind_changes_shoulders_and_never_jumps() -> None:
    fps = 120.0
    gaze = eyed()
    poses = looked(gaze, 12.0, lambda g, t: g.command(look_at=seen_at(60.0 * t)), fps=fps)
    turned = np.array([aside(skeleton(), pose, "head") for pose in poses])
    assert turned.max() > 90.0
    assert turned.min() < -50.0
    speed = np.linalg.norm(velocities(skeleton(), poses, "head", fps), axis=1)
    assert speed.max() < 1.1 * np.degrees(HEAD_FASTEST)
    assert np.abs(np.diff(speed)).max() < 40.0
    eye = np.linalg.norm(velocities(skeleton(), poses, "left_eye", fps), axis=1)
    assert eye.max() < 1000.0  # degrees a second, the head's with them; people's leaps have 700


def test_the_frame_rate_does_not_matter() -> None:
    coarse, fine = (looked(eyed(), 3.0, switching(1, 0.5), fps=fps) for fps in (60.0, 240.0))
    for role in ("head", "chest"):
        a = np.array([ray(skeleton(), pose, role)[1] for pose in coarse])
        b = np.array([ray(skeleton(), pose, role)[1] for pose in fine[3::4]])
        assert np.degrees(np.linalg.norm(a - b, axis=1)).max() < 4.0


def test_the_same_wishes_give_the_same_motion() -> None:
    one, two = (
        looked(GazeController(skeleton(), seed=5, talking=True), 6.0, switching(2, 3.0)) for _ in range(2)
    )
    for a, b in zip(one, two, strict=True):
        assert_array_equal(a.rotations, b.rotations)


# figures that lack something


def test_without_eyes_the_head_is_aimed_smoothly_and_exactly() -> None:
    figure = without_roles("left_eye", "right_eye")
    gaze = GazeController(figure)
    assert any("no eyes" in remark for remark in gaze.remarks)
    target, motion, pose = (1.5, 1.9, 1.6), idle(), standing()
    gaze.command(look_at=target)
    for k in range(240):
        pose = gaze.update(Tick(Pose(motion.root[k], motion.rotations[k]), pose, k / 60, 1 / 60, None))
        if k > 90:
            assert off_target(figure, pose, target, ["head"]) < 1e-6
    changes = []
    for fps in (120.0, 480.0):
        speed = velocities(figure, looked(eyed(figure), 4.2, switching(7, 0.6, 45.0), fps=fps), "head", fps)
        changes.append(np.linalg.norm(np.diff(speed, axis=0), axis=1).max())
    assert changes[1] < 0.5 * changes[0]


def snowman(*, eyes: bool, between: tuple[str, ...] = ()) -> Skeleton:
    """A head on a root, with what is between."""
    names = ["hips", *between, "head", *(("left_eye", "right_eye") if eyes else ())]
    head = len(between) + 1
    parents = [-1, *range(head), *([head, head] if eyes else [])]
    offsets = [[0, 0, 0], *[[0, 0.4, 0]] * head, *([[0.03, 0.1, 0.1], [-0.03, 0.1, 0.1]] if eyes else [])]
    roles = {name: name for name in names if name in ("hips", "head", "left_eye", "right_eye")}
    return Skeleton.build(
        names, parents, np.array(offsets, dtype=float), rest=np.eye(4)[[0] * len(names)], roles=roles
    )


@pytest.mark.parametrize("eyes", [True, False])
@pytest.mark.parametrize("between", [(), ("bump",)])
def test_without_neck_or_chest_the_head_looks_and_says_so(eyes: bool, between: tuple[str, ...]) -> None:
    figure = snowman(eyes=eyes, between=between)
    gaze, base = GazeController(figure, saccades=False), Pose(np.array([0.0, 1.0, 0.0]), figure.rest)
    assert any("no chest" in remark for remark in gaze.remarks)
    assert any("no neck" in remark for remark in gaze.remarks) == (not between)
    target = base.forward(figure)[0][figure.joint("head")] + [1.0, 0.3, 1.5]
    gaze.command(look_at=target)
    pose = looked(gaze, 3.0, pose=base)[-1]
    assert off_target(figure, pose, target, ["left_eye", "right_eye"] if eyes else ["head"]) < 1e-6
    assert_array_equal(pose.rotations[0], base.rotations[0])


def test_no_wish_and_no_frame_raises() -> None:
    """Anything at any time, on figures whole and not: finite, unit turns."""
    figures = [skeleton(), without_roles("left_eye", "right_eye"), without_roles("left_eye", "neck", "chest")]
    for figure in figures:
        random = np.random.default_rng(11)
        gaze, pose = GazeController(figure, talking=True), standing()
        for _ in range(3000):
            if random.random() < 0.2:
                gaze.command(
                    look_at=random.choice([None, 1]) and random.normal(size=3) * 10.0 ** random.uniform(-3, 5)
                )
            base = standing(int(random.integers(len(idle()))))
            pose = gaze.update(Tick(base, pose, 0.0, 10.0 ** random.uniform(-5, 1.5), None))
            assert np.isfinite(pose.rotations).all()
            assert_allclose(np.linalg.norm(pose.rotations, axis=1), 1.0, atol=1e-9)
            _ = gaze.status
