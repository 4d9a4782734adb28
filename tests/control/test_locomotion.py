"""The locomotion controller: it obeys, never raises, stands still, and its feet stay where they stand."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import footfall as ff
from footfall.control.locomotion import LocomotionController
from footfall.control.tick import Tick
from footfall.errors import RequestError
from footfall.figure.contacts import runs_of
from footfall.figure.motion import Motion
from footfall.figure.soles import sole_places
from footfall.models.locomotion import layout
from footfall.models.locomotion.model import Locomotion
from tests.models.locomotion.spaces import actor_space, captured_space

FPS = 60.0


@pytest.fixture(scope="module", params=[actor_space, captured_space])
def model(request: pytest.FixtureRequest) -> Locomotion:
    return request.param()


def character(model: Locomotion, **options: object) -> tuple[ff.Character, LocomotionController]:
    world = options.pop("world", None)
    legs = LocomotionController(model, **options)  # type: ignore[arg-type]
    return ff.Character(model.skeleton, [legs], world=world), legs  # type: ignore[arg-type]


def driven(
    model: Locomotion, series: list[tuple[tuple[float, float, float], float]], **options: object
) -> Motion:
    walker, _ = character(model, **options)
    parts = []
    for (speed, turn, side), seconds in series:
        walker.command(speed=speed, turn_rate=turn, side_speed=side)
        parts.append(walker.record(seconds - 1.0 / FPS))
    return ff.concatenate(parts)


def random_commands(
    model: Locomotion, count: int, seed: int
) -> list[tuple[tuple[float, float, float], float]]:
    rng, (low, high) = np.random.default_rng(seed), model.space.bounds
    made = []
    for _ in range(count):
        walk = (rng.uniform(0.4, 1.5), rng.uniform(-0.5, 0.5), 0.0)
        run = (rng.uniform(1.8, high[0]), rng.uniform(-0.4, 0.4), 0.0)
        turn, strafe = (0.0, rng.uniform(-1.2, 1.2), 0.0), (0.0, 0.0, rng.uniform(low[2], high[2]))
        kinds = (walk, run, turn, strafe, (0.0, 0.0, 0.0), tuple(rng.uniform(low, high)))
        made.append((kinds[int(rng.integers(len(kinds)))], round(float(rng.uniform(0.4, 2.5)) * FPS) / FPS))
    return made


def test_stands_at_its_place_and_breathes(model: Locomotion) -> None:
    walker, legs = character(model, place=(2.0, -1.0), heading=0.8)
    made = walker.record(4.0)
    assert legs.standing
    assert legs.contacts.all()
    assert_allclose(legs.place, [2.0, -1.0])
    assert legs.heading == 0.8
    for side in ("left", "right"):
        places = sole_places(made, side)[:, :3]
        assert np.ptp(places, axis=0).max() < 1e-9
        assert np.abs(places[:, :, 1]).max() < 2e-3
    assert 1e-5 < np.ptp(made.rotations, axis=0).max() < 0.3  # the stand is idle, not frozen


@pytest.mark.parametrize(
    "asked", [(1.1, 0.0, 0.0), (0.6, 0.4, 0.0), (0.0, 0.9, 0.0), (0.0, 0.0, -0.3), (-0.25, 0.0, 0.0)]
)
def test_goes_as_it_is_asked(model: Locomotion, asked: tuple[float, float, float]) -> None:
    walker, legs = character(model)
    walker.command(speed=asked[0], turn_rate=asked[1], side_speed=asked[2])
    walker.record(3.0)
    status = legs.status
    assert status.says == "going"
    assert status.clamped == ()
    place, heading, seconds = legs.place, legs.heading, 6.0
    walker.record(seconds - 1.0 / FPS)
    assert legs.heading - heading == pytest.approx(asked[1] * seconds, abs=0.05 * seconds)
    if asked[1] == 0.0:
        away = legs.place - place
        ahead = np.sin(heading) * away[0] + np.cos(heading) * away[1]
        aside = np.cos(heading) * away[0] - np.sin(heading) * away[1]
        assert ahead == pytest.approx(asked[0] * seconds, abs=0.02 * seconds)
        assert aside == pytest.approx(asked[2] * seconds, abs=0.02 * seconds)


def test_what_is_not_named_stays(model: Locomotion) -> None:
    walker, legs = character(model)
    walker.command(speed=0.8)
    walker.command(turn_rate=0.3)
    walker.record(3.0)
    assert legs.status.speed == pytest.approx(0.8, abs=0.05)
    assert legs.status.turn_rate == pytest.approx(0.3, abs=0.05)


def test_starts_and_stops_by_stepping_with_feet_side_by_side(model: Locomotion) -> None:
    walker, legs = character(model)
    walker.record(0.5)
    walker.command(speed=1.2)
    going = walker.record(3.0)
    assert all(len(runs_of(going.contacts.stands(side))) >= 2 for side in ("left", "right"))
    walker.command(speed=0.0)
    assert legs.status.says == "stopping"
    walker.record(4.0)
    assert legs.standing
    made = walker.record(0.5)
    for side, foot in zip(("left", "right"), model.tables.idle_feet, strict=True):
        ankle = made.of(f"{side}_foot")[-1, [0, 2]] - legs.place
        assert_allclose(ankle, foot[[0, 2]], atol=0.045)
    assert legs.contacts.all()


def test_a_hundred_changes_of_mind(model: Locomotion) -> None:
    """No joint pops and no foot slides, whatever is asked when."""
    made = driven(model, random_commands(model, 100, seed=11))
    told = ff.certificate(made, terrain=ff.FlatTerrain(), reference=model.reference)
    assert told.plants > 100
    assert told.slide_max_m < 0.001
    assert told.acceleration_ratio < 2.0
    assert told.penetration_max_m < 0.006
    assert told.leg_extension_max <= model.tables.straightest + 1e-6


def test_feet_slide_without_the_lock_and_only_then(model: Locomotion) -> None:
    series = [((1.1, 0.3, 0.0), 4.0)]
    free = ff.certificate(driven(model, series, foot_lock=False), terrain=ff.FlatTerrain())
    held = ff.certificate(driven(model, series), terrain=ff.FlatTerrain())
    assert held.slide_max_m < 0.0005
    assert 0.001 < free.slide_max_m < 0.2


def test_weights_change_without_a_jump_in_their_rate(model: Locomotion) -> None:
    """Crossing a face of a tetrahedron bends barycentric weights; what is blended bends softly."""
    walker, legs = character(model)
    walker.command(speed=0.9 * model.limits.fastest, turn_rate=0.2)
    dt, rows = 1.0 / 240.0, []
    for _ in range(480):
        walker.step(dt)
        rows.append(legs.weights)
    weights = np.array(rows)
    assert (weights >= 0.0).all()
    assert_allclose(weights.sum(axis=1), 1.0, atol=1e-12)
    assert (weights.max(axis=0) > 0.05).sum() >= 3
    bends = np.abs(np.diff(weights, 2, axis=0)).max() / dt
    assert bends < 0.5  # 1/s: what the rate of a weight changes in a 240th of a second


class TestSteps:
    @pytest.mark.parametrize(
        "step", [(0.0, 0.3, 0.0), (0.2, 0.0, 0.0), (0.0, -0.2, 0.0), (0.0, 0.0, 0.8), (-0.1, 0.25, -0.4)]
    )
    def test_a_place_nearby(self, model: Locomotion, step: tuple[float, float, float]) -> None:
        walker, legs = character(model, place=(1.0, 2.0), heading=0.7)
        walker.record(0.3)
        legs.step(*step)
        walker.record(6.0)
        assert legs.standing
        away = legs.place - [1.0, 2.0]
        aside = np.cos(0.7) * away[0] - np.sin(0.7) * away[1]
        ahead = np.sin(0.7) * away[0] + np.cos(0.7) * away[1]
        assert_allclose([aside, ahead], step[:2], atol=0.02)
        assert legs.heading - 0.7 == pytest.approx(step[2], abs=0.04)

    def test_a_command_ends_it(self, model: Locomotion) -> None:
        walker, legs = character(model)
        legs.step(0.0, 3.0)
        walker.record(0.5)
        walker.command(speed=0.0)
        walker.record(4.0)
        assert legs.standing
        assert legs.place[1] < 1.0


class TestNeverRaises:
    @pytest.mark.parametrize("bad", ["fast", None, np.nan, np.inf, [], {}, 1e9, object()])
    def test_commands_that_are_none(self, bad: object) -> None:
        walker, legs = character(actor_space())
        legs.command(speed=bad, turn_rate=bad)  # type: ignore[arg-type]
        legs.step(bad, bad, bad)  # type: ignore[arg-type]
        walker.record(0.2)
        assert legs.standing
        assert bad is None or any("is no number" in sentence for sentence in legs.remarks)

    @pytest.mark.parametrize("dt", [0.0, -1.0, np.nan, np.inf, "soon", 1e-9, 0.5, 5.0, None])
    def test_times_that_are_none(self, dt: object) -> None:
        model = actor_space()
        legs = LocomotionController(model)
        legs.command(speed=1.3)
        pose = ff.Pose.at_rest(model.skeleton)
        for _ in range(20):
            pose = legs.update(Tick(pose, pose, 0.0, dt, None))  # type: ignore[arg-type]
        assert np.isfinite(pose.root).all()
        assert_allclose(np.linalg.norm(pose.rotations, axis=-1), 1.0, atol=1e-6)

    @pytest.mark.parametrize("world", ["ground", 3, object()])
    def test_grounds_that_are_none(self, world: object) -> None:
        model = actor_space()
        legs = LocomotionController(model)
        legs.command(speed=1.0)
        pose = ff.Pose.at_rest(model.skeleton)
        for _ in range(30):
            pose = legs.update(Tick(pose, pose, 0.0, 1.0 / FPS, world))  # type: ignore[arg-type]
        assert np.isfinite(pose.root).all()
        assert any("is no ground" in sentence for sentence in legs.remarks)

    def test_what_is_too_much_is_told(self) -> None:
        walker, legs = character(actor_space())
        walker.command(speed=50.0, turn_rate=9.0)
        assert any(sentence.startswith("speed 50.00 m/s") for sentence in legs.status.clamped)
        walker.record(3.0)
        assert legs.model.space.contains(
            np.array([legs.status.speed, legs.status.turn_rate, legs.status.side_speed]) * 0.95
        )


class TestRefusals:
    def test_another_model(self) -> None:
        with pytest.raises(RequestError, match="Locomotion"):
            LocomotionController("walk.ffmodel")  # type: ignore[arg-type]

    @pytest.mark.parametrize("place", [(0.0,), (0.0, 1.0, 2.0), (np.nan, 0.0), "here", None, (1e9, 0.0)])
    def test_places_that_are_none(self, place: object) -> None:
        with pytest.raises(RequestError, match="place"):
            LocomotionController(actor_space(), place=place)  # type: ignore[arg-type]


class TestGround:
    def test_level_ground_elsewhere(self) -> None:
        series = [((1.0, 0.2, 0.0), 2.0)]
        low = driven(actor_space(), series, world=ff.FlatTerrain(0.0))
        high = driven(actor_space(), series, world=ff.FlatTerrain(1.3))
        assert_allclose(high.root - low.root, [[0.0, 1.3, 0.0]] * len(low), atol=1e-9)

    def test_a_gentle_slope_is_followed(self) -> None:
        world = ff.InclinedTerrain(0.05)
        made = driven(actor_space(), [((1.1, 0.0, 0.0), 5.0)], world=world)
        told = ff.certificate(made, terrain=world, reference=actor_space().reference)
        rise = np.polyfit(made.root[120:, 2], made.root[120:, 1], 1)[0]
        assert rise == pytest.approx(np.tan(0.05), abs=0.01)
        assert told.slide_max_m < 0.001
        assert told.acceleration_ratio < 2.0
        assert told.float_max_m < 0.03

    def test_no_ground_is_said(self) -> None:
        world = ff.open_terrain("bumps:3")
        walker, legs = character(actor_space(), world=world)
        walker.command(speed=2.0)
        made = walker.record(20.0)
        assert np.isfinite(made.root).all()
        assert any("there is no ground" in sentence for sentence in legs.remarks)


def test_the_same_again() -> None:
    series = random_commands(actor_space(), 10, seed=2)
    a, b = driven(actor_space(), series), driven(actor_space(), series)
    np.testing.assert_array_equal(a.root, b.root)
    np.testing.assert_array_equal(a.rotations, b.rotations)


def test_any_frame_rate_goes_the_same_way() -> None:
    """Coarse and fine steps in time end at the same place, to what a step in time is."""
    ends = []
    for fps in (30.0, 60.0, 240.0):
        walker, legs = character(actor_space())
        walker.command(speed=1.0, turn_rate=0.2)
        for _ in range(round(4.0 * fps)):
            walker.step(1.0 / fps)
        ends.append([*legs.place, legs.heading])
    assert_allclose(ends[0], ends[2], atol=0.06)
    assert_allclose(ends[1], ends[2], atol=0.03)


def test_prints_itself() -> None:
    walker, legs = character(actor_space())
    assert "standing" in repr(legs)
    assert "locomotion" in str(walker.stack)
    assert legs.limits == actor_space().limits


class TestBrokenGround:
    """Ground that rises and falls by more than legs reach: feet may float there, but nothing jumps."""

    @pytest.mark.parametrize("kind", ["stones", "blocks", "rubble", "stairs"])
    def test_no_foot_jumps_whatever_is_under_it(self, kind: str) -> None:
        model, fps = actor_space(), 60.0
        feet = [model.skeleton.joint(f"{side}_foot") for side in ("left", "right")]
        free = driven(model, random_commands(model, 24, seed=4))
        fastest = np.linalg.norm(np.diff(free.positions[:, feet], axis=0), axis=-1).max() * fps
        for seed in (1, 2):
            made = driven(
                model, random_commands(model, 24, seed=seed), world=ff.open_terrain(f"{kind}:{seed + 6}")
            )
            speeds = np.linalg.norm(np.diff(made.positions[:, feet], axis=0), axis=-1) * fps
            assert speeds.max() < 1.2 * fastest

    @pytest.mark.parametrize(("kind", "seed"), [("stones", 13), ("rubble", 17)])
    def test_frames_of_any_length(self, kind: str, seed: int) -> None:
        """A foot that leaves after a frame of 0.1 ms goes no faster than in even frames."""
        model, rng = actor_space(), np.random.default_rng(seed)
        feet = [model.skeleton.joint(f"{side}_foot") for side in ("left", "right")]
        walker, _ = character(model, world=ff.open_terrain(f"{kind}:{seed}"))
        before, fastest = None, 0.0
        for frame in range(1200):
            if frame % 60 == 0:
                walker.command(
                    speed=rng.uniform(-1.0, 2.5),
                    turn_rate=rng.uniform(-1.0, 1.0),
                    side_speed=rng.uniform(-0.4, 0.4),
                )
            dt = 1.0 / 60.0 if rng.uniform() < 0.95 else 1e-4
            places = walker.step(dt).forward(model.skeleton)[0][feet]
            if before is not None:
                fastest = max(fastest, np.linalg.norm(places - before, axis=-1).max() / max(dt, 0.01))
            before = places
        assert fastest < 12.0  # m/s; 40 where rates were taken over another frame's length

    def test_a_foot_that_must_leave_early_goes_on_from_where_it_is(self) -> None:
        """It lost its hold at the begin of a stance; its swing begins at the end of one, a step behind."""
        model = actor_space()
        walker, legs = character(model, world=ff.open_terrain("stones:7"))
        rng, before, early = np.random.default_rng(1), None, 0
        feet = [model.skeleton.joint(f"{side}_foot") for side in ("left", "right")]
        for frame in range(600):
            if frame % 90 == 0:
                walker.command(
                    speed=rng.uniform(-0.3, 1.5),
                    turn_rate=rng.uniform(-0.8, 0.8),
                    side_speed=rng.uniform(-0.2, 0.2),
                )
            places, _ = walker.step(1.0 / FPS).forward(model.skeleton)
            if before is not None:
                assert np.linalg.norm(places[feet] - before, axis=-1).max() < 0.13
            before = places[feet]
            state = legs._walker.state
            for k in range(2):
                at = layout.FEET + layout.FOOT * k
                leaves = state[at + layout.LEAVING_AT]
                early += state[at + layout.STANDS_NOW] < 0.5 and state[at + layout.SINCE] < 0.5 * leaves
        assert early > 0
