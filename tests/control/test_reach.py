"""Reaching as a layer: on the target exactly, from any stand, over to others and back, feet never moved."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_allclose

import footfall as ff
from footfall.control.reach import THERE, ReachController
from footfall.control.tick import Tick
from footfall.errors import RequestError
from footfall.figure.joint_limits import excess, limits_of
from footfall.figure.pose import Pose
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.reach.default import default_reach
from footfall.models.reach.effector import palm_point
from footfall.models.reach.model import ReachLibrary
from tests.captures import needs_captures
from tests.models.reach.libraries import captured_library, hardest, palms

FPS = 60.0
# de Leva 1996, shares of body mass, put at joints: an independent judge of balance
TRUNK = {"hips": 0.142, "spine": 0.139, "chest": 0.216, "head": 0.081}
LIMBS = {"upper_arm": 0.015, "forearm": 0.025, "hand": 0.010, "thigh": 0.055, "shank": 0.075, "foot": 0.035}

Orders = dict[int, Callable[[ReachController], None]]


@pytest.fixture(scope="module")
def library() -> ReachLibrary:
    return default_reach()


@pytest.fixture(scope="module")
def idle() -> ff.Motion:
    return ff.VirtualActor().idle(6.0).motion


def at_rest(library: ReachLibrary, hand: str = "right", posture: str = "standing") -> Pose:
    example = library.set_of(hand, posture).examples[0]
    return example.motion.pose(round(example.lead * example.motion.fps))


class Film:
    """What a controller makes of poses, frame by frame."""

    def __init__(
        self, controller: ReachController, poses: Callable[[int], Pose], frames: int, orders: Orders
    ) -> None:
        made, given, self.stages, self.missed = [], [], [], []
        previous = poses(0)
        for k in range(frames):
            if k in orders:
                orders[k](controller)
            pose = poses(k)
            previous = controller.update(Tick(pose, previous, k / FPS, 1.0 / FPS, None))
            made.append(previous)
            given.append(pose)
            self.stages.append(controller.stage)
            self.missed.append(controller.missed)
        self.motion, self.given = (
            ff.Motion(
                controller.skeleton,
                np.array([p.root for p in some]),
                np.array([p.rotations for p in some]),
                FPS,
            )
            for some in (made, given)
        )

    def feet_moved(self) -> float:
        return max(
            float(np.linalg.norm(self.motion.of(f"{s}_foot") - self.given.of(f"{s}_foot"), axis=1).max())
            for s in ("left", "right")
        )

    def sharpest(self) -> float:
        """The largest turn of a joint in a frame, rad."""
        turns = self.motion.rotations
        return float(quat.angle_between(turns[1:], turns[:-1]).max())


def still(pose: Pose) -> Callable[[int], Pose]:
    return lambda k: pose


def moved(pose: Pose, place: np.ndarray, heading: float) -> Pose:
    """The same pose elsewhere, turned about the origin first."""
    turn = ground.turn(heading)
    rotations = np.array(pose.rotations)
    rotations[0] = quat.multiply(turn, rotations[0])
    return Pose(quat.rotate(turn, pose.root) + place, rotations)


def test_at_rest_the_pose_passes_through(library: ReachLibrary, idle: ff.Motion) -> None:
    controller = ReachController(library)
    pose = idle.pose(3)
    assert controller.update(Tick(pose, pose, 0.0, 1 / FPS, None)) is pose
    assert controller.stage == "rest"
    assert not controller.arrived


@pytest.mark.parametrize("hand", ["left", "right"])
def test_to_on_and_back_over_an_idling_body(library: ReachLibrary, idle: ff.Motion, hand: str) -> None:
    target = np.array([0.2 if hand == "left" else -0.2, 1.15, 0.45])
    controller = ReachController(library)
    film = Film(
        controller,
        lambda k: idle.pose(k % len(idle)),
        260,
        {5: lambda c: c.reach(target, hand=hand), 120: lambda c: c.let_go()},
    )
    order = [s for k, s in enumerate(film.stages) if k == 0 or s != film.stages[k - 1]]
    assert order == ["rest", "to", "on", "back", "rest"]
    on = [k for k, s in enumerate(film.stages) if s == "on"]
    away = np.linalg.norm(palms(film.motion, hand)[on] - target, axis=1)
    assert away.max() < THERE
    assert film.feet_moved() < THERE
    assert film.sharpest() < 0.12
    # afterwards nothing of it is left: the pose is the one that came in, the very same numbers
    assert np.array_equal(film.motion.rotations[-1], film.given.rotations[-1])
    assert np.array_equal(film.motion.rotations[:5], film.given.rotations[:5])


def test_anywhere_and_any_way_round(library: ReachLibrary) -> None:
    """A figure that stands elsewhere reaches the same in its own frame."""
    pose, target = at_rest(library), np.array([-0.3, 0.9, 0.4])
    plain = Film(ReachController(library), still(pose), 90, {0: lambda c: c.reach(target)})
    place, heading = np.array([3.0, 0.7, -2.0]), 2.1
    there = quat.rotate(ground.turn(heading), target) + place
    other = Film(
        ReachController(library), still(moved(pose, place, heading)), 90, {0: lambda c: c.reach(there)}
    )
    own = quat.rotate(ground.turn(heading), palms(plain.motion, "right")) + place
    assert_allclose(palms(other.motion, "right"), own, atol=2e-4)
    assert plain.stages[-1] == "on"


def test_random_targets_are_met(library: ReachLibrary) -> None:
    own = library.set_of("right")
    limits = limits_of(library.skeleton)
    examples = max(hardest(palms(m, "right"), m.fps) for m in own.motions)
    for target in own.space.sample(25, 31):
        controller = ReachController(library)
        film = Film(controller, still(at_rest(library)), 110, {0: lambda c, t=target: c.reach(t)})
        assert controller.arrived
        assert controller.missed < THERE
        assert np.linalg.norm(palms(film.motion, "right")[-1] - target) < THERE
        assert film.feet_moved() < THERE
        assert hardest(palms(film.motion, "right"), FPS) < 2.0 * examples
        assert excess(limits, film.motion.rotations).max() < 0.03


@needs_captures
def test_random_targets_are_met_with_captures() -> None:
    library = captured_library()
    own = library.set_of("right")
    for target in own.space.sample(15, 32):
        controller = ReachController(library)
        film = Film(controller, still(at_rest(library)), 130, {0: lambda c, t=target: c.reach(t)})
        assert controller.arrived
        assert np.linalg.norm(palms(film.motion, "right")[-1] - target) < THERE
        assert film.feet_moved() < THERE


def test_a_moving_target_is_followed(library: ReachLibrary) -> None:
    def place(k: int) -> np.ndarray:
        t = k / FPS
        return np.array([-0.15 + 0.2 * np.sin(1.3 * t), 1.0 + 0.25 * np.sin(0.9 * t), 0.38])

    orders: Orders = {k: lambda c, k=k: c.reach(place(k)) for k in range(300)}
    film = Film(ReachController(library), still(at_rest(library)), 300, orders)
    wanted = np.array([place(k) for k in range(300)])
    away = np.linalg.norm(palms(film.motion, "right") - wanted, axis=1)
    assert away[100:].max() < THERE
    assert film.sharpest() < 0.12


@pytest.mark.parametrize("every", [1, 2, 5])
@pytest.mark.parametrize("speed", [0.3, 0.7, 1.2])
def test_a_target_that_sets_off_stops_and_is_seldom_told_gives_no_blow(
    library: ReachLibrary, every: int, speed: float
) -> None:
    """The hand sets off and stops as hands do, not as the target does; in the end it is there."""

    def place(k: int) -> np.ndarray:
        gone = np.clip((k - 100) / FPS, 0.0, 0.35 / speed) * speed
        return np.array([-0.35 + gone, 1.1, 0.36])

    orders: Orders = {k: lambda c, k=k: c.reach(place(k)) for k in range(0, 220, every)}
    film = Film(ReachController(library), still(at_rest(library)), 290, orders)
    track = palms(film.motion, "right")
    own = library.set_of("right")
    examples = max(hardest(palms(m, "right"), m.fps) for m in own.motions)
    # to catch up with what is faster than hands usually are takes more, but less than twice as much
    assert hardest(track[95:], FPS) < (1.0 if speed < 1.0 else 2.0) * examples
    assert np.linalg.norm(track[-1] - place(289)) < THERE
    assert film.sharpest() < 0.12


def test_over_to_another_target_round_the_body(library: ReachLibrary) -> None:
    """Along an arc: never nearer to the body's axis than straight across, and by no detour."""
    a, b = np.array([-0.42, 1.1, 0.12]), np.array([0.18, 1.1, 0.38])
    controller = ReachController(library)
    film = Film(
        controller, still(at_rest(library)), 220, {0: lambda c: c.reach(a), 100: lambda c: c.reach(b)}
    )
    assert film.stages[99] == "on"
    assert film.stages[105] == "to"
    assert film.stages[-1] == "on"
    assert "back" not in film.stages
    track = palms(film.motion, "right")[100:]
    assert np.linalg.norm(track[-1] - b) < THERE
    chord = (b - a) / np.linalg.norm(b - a)
    off = (track - a) - ((track - a) @ chord)[:, None] * chord
    assert 0.02 < np.linalg.norm(off, axis=1).max() < 0.25
    radii = np.hypot(track[:, 0], track[:, 2])
    straight = min(np.hypot(*(a + s * (b - a))[[0, 2]]) for s in np.linspace(0, 1, 50))
    assert radii.min() > straight + 0.02
    length = np.linalg.norm(np.diff(track, axis=0), axis=1).sum()
    assert length < 1.5 * np.linalg.norm(b - a)
    pace = np.linalg.norm(np.diff(track, axis=0), axis=1)
    assert pace[0] < 0.1 * pace.max()  # it sets out and arrives at no speed
    assert pace[-1] < 1e-4


def test_another_target_on_the_way(library: ReachLibrary) -> None:
    a, b = np.array([-0.3, 1.4, 0.3]), np.array([-0.1, 0.5, 0.4])
    film = Film(
        ReachController(library),
        still(at_rest(library)),
        160,
        {0: lambda c: c.reach(a), 25: lambda c: c.reach(b)},
    )
    track = palms(film.motion, "right")
    assert np.linalg.norm(track[-1] - b) < THERE
    assert film.sharpest() < 0.15
    own = library.set_of("right")
    assert hardest(track, FPS) < 2.0 * max(hardest(palms(m, "right"), m.fps) for m in own.motions)


@pytest.mark.parametrize("when", [12, 25, 40])
def test_let_go_on_the_way_and_reach_again(library: ReachLibrary, when: int) -> None:
    """Turning round in mid-way, twice: nothing jumps, and the hand gets there in the end."""
    target = np.array([-0.2, 1.3, 0.4])
    film = Film(
        ReachController(library),
        still(at_rest(library)),
        280,
        {
            0: lambda c: c.reach(target),
            when: lambda c: c.let_go(),
            when + 10: lambda c: c.reach(target),
            when + 60: lambda c: c.let_go(),
            when + 75: lambda c: c.reach(target),
        },
    )
    assert np.linalg.norm(palms(film.motion, "right")[-1] - target) < THERE
    assert film.sharpest() < 0.2
    own = library.set_of("right")
    examples = max(hardest(palms(m, "right"), m.fps) for m in own.motions)
    assert hardest(palms(film.motion, "right"), FPS) < 2.0 * examples


def test_both_hands_at_once(library: ReachLibrary) -> None:
    targets = {"left": np.array([0.2, 0.7, 0.42]), "right": np.array([-0.2, 0.7, 0.42])}
    controller = ReachController(library)
    film = Film(controller, still(at_rest(library)), 120, {0: lambda c: c.reach(targets)})
    assert controller.arrived
    for side, target in targets.items():
        assert np.linalg.norm(palms(film.motion, side)[-1] - target) < THERE
    assert film.feet_moved() < THERE


def test_hands_are_independent(library: ReachLibrary) -> None:
    left, right = np.array([0.3, 1.3, 0.3]), np.array([-0.25, 0.9, 0.4])
    controller = ReachController(library)
    film = Film(
        controller,
        still(at_rest(library)),
        300,
        {
            0: lambda c: c.reach(right),
            60: lambda c: c.reach(left, hand="left"),
            160: lambda c: c.let_go("right"),
        },
    )
    assert np.linalg.norm(palms(film.motion, "left")[130:] - left, axis=1).max() < THERE
    assert np.linalg.norm(palms(film.motion, "right")[130:160] - right, axis=1).max() < THERE
    assert {s: v.stage for s, v in controller.status.items()} == {"left": "on", "right": "rest"}
    assert film.sharpest() < 0.12


def test_a_hand_is_turned_as_asked(library: ReachLibrary) -> None:
    pose, target = at_rest(library), np.array([-0.2, 1.1, 0.4])
    plain = Film(ReachController(library), still(pose), 90, {0: lambda c: c.reach(target)})
    joint = library.skeleton.joint("right_hand")
    wanted = quat.multiply(quat.exp(np.array([0.0, 0.35, 0.2])), plain.motion.orientations[-1, joint])
    film = Film(
        ReachController(library), still(pose), 110, {0: lambda c: c.reach(target, orientation=wanted)}
    )
    assert quat.angle_between(film.motion.orientations[-1, joint], wanted) < 0.01
    assert np.linalg.norm(palms(film.motion, "right")[-1] - target) < THERE
    assert film.sharpest() < 0.15


def test_another_point_of_the_hand(library: ReachLibrary) -> None:
    target, point = np.array([-0.2, 1.1, 0.4]), np.zeros(3)
    film = Film(
        ReachController(library), still(at_rest(library)), 90, {0: lambda c: c.reach(target, point=point)}
    )
    assert np.linalg.norm(film.motion.of("right_hand")[-1] - target) < THERE
    assert np.linalg.norm(palm_point(library.skeleton, "right")) > 0.05  # that is another point


def test_it_sits(library: ReachLibrary) -> None:
    own = library.set_of("right", "sitting")
    pose = at_rest(library, posture="sitting")
    for target in own.space.sample(6, 5):
        controller = ReachController(library, posture="sitting")
        film = Film(controller, still(pose), 110, {0: lambda c, t=target: c.reach(t)})
        assert controller.arrived
        assert np.linalg.norm(palms(film.motion, "right")[-1] - target) < THERE
        hips = film.motion.of("hips")
        assert np.ptp(hips[:, 1]) < 0.08
        assert film.feet_moved() < 2 * THERE


def mass(motion: ff.Motion) -> np.ndarray:
    shares = dict(TRUNK) | {f"{s}_{part}": m for s in ("left", "right") for part, m in LIMBS.items()}
    return np.sum([m * motion.of(role) for role, m in shares.items()], axis=0) / sum(shares.values())


@pytest.mark.parametrize("target", [(-0.2, 1.0, 2.0), (0.0, 0.3, 2.0), (-2.0, 1.1, 0.3), (0.0, 2.6, 0.2)])
def test_out_of_reach_it_comes_near_says_so_and_does_not_fall(
    library: ReachLibrary, target: tuple[float, float, float]
) -> None:
    controller = ReachController(library)
    film = Film(controller, still(at_rest(library)), 150, {0: lambda c: c.reach(target)})
    track = palms(film.motion, "right")
    away = np.linalg.norm(track - target, axis=1)
    assert away[-1] < away[0] - 0.2
    assert not controller.arrived
    assert abs(controller.missed - away[-1]) < 5e-3
    assert [r for r in controller.remarks if "cannot reach" in r] == list(controller.remarks)
    assert len(controller.remarks) == 1
    assert "as near as it comes" in controller.status["right"].says
    assert np.linalg.norm(track[-1] - track[-30]) < 5e-3  # it does not tremble
    toes, ankles = (
        np.stack([film.motion.of(f"{s}_{part}") for s in ("left", "right")]) for part in ("toe", "foot")
    )
    middle = mass(film.motion)
    assert (middle[:, 2] < toes[..., 2].max(axis=0)).all()
    assert (middle[:, 2] > ankles[..., 2].min(axis=0) - 0.06).all()
    assert (np.abs(middle[:, 0]) < np.abs(ankles[..., 0]).max(axis=0)).all()


def test_hips_go_back_when_it_bends_down(library: ReachLibrary) -> None:
    film = Film(
        ReachController(library), still(at_rest(library)), 110, {0: lambda c: c.reach((-0.1, 0.1, 0.42))}
    )
    hips = film.motion.of("hips")
    assert hips[-1, 1] < hips[0, 1] - 0.2
    assert hips[-1, 2] < hips[0, 2] - 0.05


def test_time_to_arrive_is_told(library: ReachLibrary) -> None:
    controller, pose = ReachController(library), at_rest(library)
    controller.reach((-0.2, 1.2, 0.4))
    told = []
    for k in range(120):
        controller.update(Tick(pose, pose, k / FPS, 1 / FPS, None))
        told.append(controller.seconds_to_arrive)
        if controller.arrived:
            break
    real = (len(told) - 1 - np.arange(len(told))) / FPS
    assert np.abs(np.array(told)[10:] - real[10:]).max() < 0.1
    assert told[-1] == 0.0


@pytest.mark.parametrize(
    "bad", [(np.nan, 1.0, 0.4), (1.0, 2.0), "there", None, (1e9, 0, 0), {}, {"third": (0, 1, 0)}]
)
def test_refuses_targets_that_are_none(library: ReachLibrary, bad: object) -> None:
    controller = ReachController(library)
    with pytest.raises(RequestError) as refused:
        controller.reach(bad)
    assert "\n" not in str(refused.value)
    assert controller.stage == "rest"


def test_refuses_other_wishes(library: ReachLibrary) -> None:
    controller = ReachController(library)
    with pytest.raises(RequestError, match="hand must be 'left' or 'right'"):
        controller.reach((0, 1, 0.4), hand="third")
    with pytest.raises(RequestError, match="hand must be 'left' or 'right'"):
        controller.let_go("third")
    with pytest.raises(RequestError, match="orientation"):
        controller.reach((0, 1, 0.4), orientation=(0, 0, 0, 0))
    with pytest.raises(RequestError, match="orientation"):
        controller.reach((0, 1, 0.4), orientation=(1, np.nan, 0, 0))
    with pytest.raises(RequestError, match="a posture is"):
        controller.posture = "lying"
    with pytest.raises(RequestError, match="needs a ReachLibrary"):
        ReachController("model")  # type: ignore[arg-type]
    # one bad target of two leaves both hands as they were
    with pytest.raises(RequestError):
        controller.reach({"left": (0.2, 1.0, 0.4), "right": (np.nan, 1.0, 0.4)})
    assert controller.stage == "rest"


@pytest.mark.parametrize("dt", [0.0, -1.0, np.nan, np.inf, 5.0, 1e9])
def test_any_time_is_survived(library: ReachLibrary, dt: float) -> None:
    controller, pose = ReachController(library), at_rest(library)
    controller.reach((-0.2, 1.1, 0.4))
    for _ in range(5):
        made = controller.update(Tick(pose, pose, 0.0, dt, None))
        assert np.isfinite(made.rotations).all()
        assert np.isfinite(made.root).all()


def test_let_go_before_anything_began(library: ReachLibrary) -> None:
    controller, pose = ReachController(library), at_rest(library)
    controller.reach((-0.2, 1.1, 0.4))
    controller.let_go()
    for _ in range(3):
        assert controller.update(Tick(pose, pose, 0.0, 1 / FPS, None)) is pose
    assert controller.stage == "rest"


def test_poses_that_are_none_are_passed_on(library: ReachLibrary) -> None:
    controller, pose = ReachController(library), at_rest(library)
    controller.reach((-0.2, 1.1, 0.4))
    broken = object.__new__(Pose)
    object.__setattr__(broken, "root", np.full(3, np.nan))
    object.__setattr__(broken, "rotations", np.array(pose.rotations))
    object.__setattr__(broken, "translations", None)
    assert controller.update(Tick(broken, pose, 0.0, 1 / FPS, None)) is broken
    other = Pose(np.zeros(3), quat.identity(3))
    assert controller.update(Tick(other, pose, 0.0, 1 / FPS, None)) is other
    assert len(controller.remarks) == 2


def test_the_same_again(library: ReachLibrary, idle: ff.Motion) -> None:
    orders: Orders = {0: lambda c: c.reach((-0.2, 1.1, 0.4)), 70: lambda c: c.reach((0.1, 0.9, 0.4))}
    one, two = (Film(ReachController(library), lambda k: idle.pose(k), 120, orders) for _ in range(2))
    assert np.array_equal(one.motion.rotations, two.motion.rotations)


def test_in_a_characters_stack(library: ReachLibrary, idle: ff.Motion) -> None:
    class Idle:
        name = "idle"

        def update(self, tick: Tick) -> Pose:
            return idle.pose(min(int(tick.time * FPS), len(idle) - 1))

    reaching = ReachController(library, library.skeleton)
    person = ff.Character(library.skeleton, [Idle(), reaching])
    reaching.reach((-0.2, 1.2, 0.4))
    assert "reach: ReachController(standing: left at rest, right on its way)" in str(person.stack)
    person.record(1.5)
    assert reaching.arrived
