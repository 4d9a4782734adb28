"""The gait controller: what it hears, where it stands, what labels make of it. It never raises."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.control.gait import GaitController
from footfall.control.tick import Controller, Tick
from footfall.errors import RequestError
from footfall.figure.pose import Pose
from footfall.models.ring import layout
from footfall.world.plane import FlatTerrain, InclinedTerrain
from footfall.world.terrain import Terrain
from tests.control.plain_worlds import Crater, Island, Waves, field, sound, striped
from tests.models.ring.plain_ground import bumps, holed, staircase, table
from tests.models.ring.rings import small_graph, small_ring


def walked(gait: GaitController, world: Terrain | None, seconds: float, fps: float = 60.0) -> GaitController:
    for _ in range(round(seconds * fps)):
        gait.advance(1.0 / fps, world)
    return gait


def feet_over(gait: GaitController, world: Terrain) -> np.ndarray:
    """Ankles over the ground under them, m."""
    joints, _ = gait.pose.forward(gait.skeleton)
    feet = joints[[gait.skeleton.joint(f"{side}_foot") for side in ("left", "right")]]
    return feet[:, 1] - world.height(feet[:, 0], feet[:, 2])


def test_it_is_a_controller() -> None:
    gait = GaitController(small_ring())
    assert isinstance(gait, Controller)
    assert gait.name == "gait"
    assert "walk" in repr(gait)


WRONG = [np.nan, np.inf, -np.inf, "fast", "", [1.0, 2.0], {}, object(), 1j, 10**400]


@pytest.mark.parametrize("word", ["turn", "heading", "step_length"])
@pytest.mark.parametrize("value", WRONG, ids=[f"{type(v).__name__}{k}" for k, v in enumerate(WRONG)])
def test_what_is_no_number_is_not_heard_and_said(word: str, value: object) -> None:
    gait, same = GaitController(small_ring()), GaitController(small_ring())
    world = FlatTerrain()
    for _ in range(30):
        gait.advance(1 / 60, world)
        same.advance(1 / 60, world)
    gait.command(**{word: value})  # type: ignore[arg-type]
    assert any(word in one and "not heard" in one for one in gait.remarks)
    assert_array_equal(walked(gait, world, 1.0).walker.pose, walked(same, world, 1.0).walker.pose)


def test_nothing_asked_is_nothing_said() -> None:
    gait = GaitController(small_ring())
    gait.command()
    gait.command(turn=None, heading=None, step_length=None, gait=None)
    assert not gait.remarks
    assert gait.walker.state[layout.PENDING] == 0.0


@pytest.mark.parametrize("length", [-0.1, -1e300, 11.0, 1e300])
def test_a_step_that_nobody_can_make_is_no_wish(length: float) -> None:
    gait = GaitController(small_ring())
    before = gait.walker.state[layout.WISH_LENGTH]
    gait.command(step_length=length)
    assert gait.walker.state[layout.WISH_LENGTH] == before
    assert "step" in gait.remarks[-1]


@pytest.mark.parametrize("length", [0.0, 1e-9, 10.0])
def test_steps_at_the_ends_are_as_short_or_long_as_can_be(length: float) -> None:
    world = FlatTerrain()
    gait, usual = GaitController(small_ring()), GaitController(small_ring())
    gait.command(step_length=length)
    way = walked(gait, world, 8.0).walker.pose[2] / walked(usual, world, 8.0).walker.pose[2]
    assert way < 0.95 if length < 0.5 else way > 1.05


@pytest.mark.parametrize("heading", [1e6, -1e9, 1e15])
def test_a_heading_of_many_turns_is_a_heading(heading: float) -> None:
    gait = GaitController(small_ring())
    gait.command(heading=heading)
    walked(gait, FlatTerrain(), 20.0)
    apart = (gait.heading - heading + np.pi) % (2.0 * np.pi) - np.pi
    assert abs(apart) < 0.2
    sound(gait.pose, gait.skeleton)


def test_remarks_do_not_grow_for_ever() -> None:
    gait = GaitController(small_ring())
    for _ in range(500):
        gait.command(turn=np.nan)
    assert len(gait.remarks) < 100


@pytest.mark.parametrize("name", ["fly", "", "Walk", 3, None])
def test_a_gait_that_is_not_there(name: object) -> None:
    gait = GaitController(small_graph(), gait="walk")
    gait.command(gait=name)  # type: ignore[arg-type]
    walked(gait, FlatTerrain(), 2.0)
    assert gait.status.gait == "walk"
    assert gait.status.changing_to is None
    assert bool(gait.remarks) is (name is not None)


def test_it_begins_at_rest_if_it_can_and_goes_when_asked() -> None:
    gait, world = GaitController(small_graph()), FlatTerrain()
    begin = walked(gait, world, 2.0).walker.pose[:3].copy()
    assert gait.status.gait == "rest"
    assert gait.status.says == "standing"
    assert np.linalg.norm(walked(gait, world, 2.0).walker.pose[:3] - begin) < 0.05
    gait.command(gait="walk")
    walked(gait, world, 6.0)
    assert gait.status.gait == "walk"
    assert gait.walker.pose[2] - begin[2] > 2.0
    gait.command(gait="rest")
    walked(gait, world, 6.0)
    assert gait.status.gait == "rest"


@pytest.mark.parametrize("dt", [np.nan, -1.0, 0.0, np.inf, 1e300, -np.inf])
def test_odd_times(dt: float) -> None:
    gait, world = GaitController(small_graph(), gait="walk"), bumps()
    for _ in range(20):
        gait.advance(dt, world)
        sound(gait.pose, gait.skeleton)


@pytest.mark.parametrize("fps", [1.0, 3.0, 10.0, 1000.0, 20_000.0])
def test_any_rate(fps: float) -> None:
    """However often it is asked, it goes about as far."""
    gait, world = GaitController(small_ring()), table(100.0, 100.0)
    walked(gait, world, 4.0, fps)
    usual = walked(GaitController(small_ring()), world, 4.0)
    assert gait.walker.pose[2] == pytest.approx(usual.walker.pose[2], rel=0.15, abs=0.3)
    sound(gait.pose, gait.skeleton)


WORLDS: dict[str, Callable[[], Terrain]] = {
    "flat": FlatTerrain,
    "high flat": lambda: FlatTerrain(level=-300.0),
    "slope": lambda: InclinedTerrain(0.12),
    "mesh": lambda: table(30.0, 30.0),
    "stairs": staircase,
    "holes": holed,
    "height field": field,
    "formula": Waves,
}


@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("source", [small_ring, small_graph])
def test_it_walks_on_any_kind_of_ground(name: str, source: Callable[[], object]) -> None:
    world = WORLDS[name]()
    gait = GaitController(source(), place=(0.5, 0.5), gait="walk")  # type: ignore[arg-type]
    for k in range(360):
        gait.advance(1 / 60, world)
        if k % 20 == 0:
            sound(gait.pose, gait.skeleton)
            over = feet_over(gait, world)
            assert np.abs(over[np.isfinite(over)]).max(initial=0.0) < 0.6  # m
    assert name == "holes" or np.hypot(*(gait.walker.pose[[0, 2]] - 0.5)) > 2.0  # m


def test_without_a_world_it_walks_on_level_ground() -> None:
    gait = walked(GaitController(small_ring()), None, 3.0)
    flat = walked(GaitController(small_ring()), FlatTerrain(), 3.0)
    assert_array_equal(gait.walker.pose, flat.walker.pose)


def test_it_can_be_asked_before_it_has_been_anywhere() -> None:
    gait = GaitController(small_ring(), place=(3.0, 4.0), heading=0.4)
    assert gait.heading == pytest.approx(0.4)
    assert gait.contacts.shape == (4,)
    assert gait.weights.sum() == pytest.approx(1.0)
    assert np.hypot(gait.pose.root[0] - 3.0, gait.pose.root[2] - 4.0) < 0.4
    sound(gait.pose, gait.skeleton)


@pytest.mark.parametrize("far", [1e4, -1e5])
def test_far_away_it_walks_as_it_does_at_home(far: float) -> None:
    world = FlatTerrain()
    home = walked(GaitController(small_ring()), world, 5.0)
    gait = walked(GaitController(small_ring(), place=(far, -far)), world, 5.0)
    assert_allclose(gait.walker.pose[:3] - [far, 0.0, -far], home.walker.pose[:3], atol=1e-3)


def test_a_walk_over_the_end_of_a_piece_of_plane() -> None:
    """Planes are cut out round the figure: where the next piece comes, nothing is seen of it."""
    world, gait = FlatTerrain(), GaitController(small_ring())
    _ = gait.advance(0.0, world)
    shifted = GaitController(small_ring(), place=(0.0, 98.0))
    shifted.advance(0.0, world)
    shifted.walker.tree = gait.walker.tree
    assert shifted._ground is not None
    assert gait._ground is not None
    shifted._ground = gait._ground
    roots = [shifted.advance(1 / 60, world)[:3].copy() for _ in range(6 * 60)]
    assert roots[-1][2] > 102.0
    assert np.linalg.norm(np.diff(roots, axis=0), axis=1).max() < 3.0 / 60  # m
    assert shifted.status.says == "walking"


@pytest.mark.parametrize("gait_name", ["walk", "rest"])
def test_a_hole_under_it(gait_name: str) -> None:
    gait, world = GaitController(small_graph(), gait=gait_name), Crater()
    walked(gait, world, 3.0)
    assert any("no ground" in one for one in gait.remarks)
    assert gait.status.says == "standing"
    sound(gait.pose, gait.skeleton)
    gait.command(gait="walk", turn=1.0, step_length=0.5)
    walked(gait, world, 3.0)
    sound(gait.pose, gait.skeleton)
    assert np.hypot(*gait.walker.pose[[0, 2]]) < 0.5  # m


@pytest.mark.parametrize("source", [small_ring, small_graph])
@pytest.mark.parametrize("world", [lambda: table(2.5, 2.5), Island])
def test_off_an_edge_it_does_not_go(source: Callable[[], object], world: Callable[[], Terrain]) -> None:
    """It turns away or stops, and says which; the ground stays under the foot that stands."""
    gait, ground = GaitController(source(), gait="walk"), world()  # type: ignore[arg-type]
    said = set()
    for _ in range(20 * 60):
        gait.advance(1 / 60, ground)
        said.add(gait.status.says)
        stands = gait.walker.state[layout.ORIGIN : layout.ORIGIN + 3]
        beside = (
            np.hypot(stands[0], stands[2]) if isinstance(ground, Island) else np.abs(stands[[0, 2]]).max()
        )
        assert beside < 2.56
        assert abs(stands[1]) < 0.05
    assert said & {"turning away", "standing"}
    assert said <= {"walking", "turning away", "standing"}


def test_another_world_in_mid_walk() -> None:
    """It goes on from where it is, on the ground that is there now, still wishing what it did."""
    gait = GaitController(small_graph(), place=(10.0, 10.0), gait="walk")
    gait.command(heading=0.5)
    walked(gait, table(60.0, 60.0), 2.0)
    before = gait.walker.pose[:3].copy()
    gait.advance(1 / 60, bumps())
    assert np.linalg.norm((gait.walker.pose[:3] - before)[[0, 2]]) < 0.5  # m
    assert gait.status.gait == "walk"
    walked(gait, bumps(), 2.0)
    over = feet_over(gait, bumps())
    assert np.abs(over).max() < 0.6
    walked(gait, None, 1.0)  # none given: the last one stays
    assert np.abs(feet_over(gait, bumps())).max() < 0.6
    gait.advance(1 / 60, table(60.0, 60.0, level=50.0))
    assert 50.5 < gait.walker.pose[1] < 51.3
    gait.advance(1 / 60, table(1.0, 1.0))
    walked(gait, None, 2.0)
    sound(gait.pose, gait.skeleton)
    assert any("no ground" in one for one in gait.remarks)


def test_labels_choose_the_gait_and_give_it_back() -> None:
    world, gait = striped("snow"), GaitController(small_graph(), gait="walk")
    seen = []
    for _ in range(25 * 60):
        gait.advance(1 / 60, world)
        z = gait.walker.state[layout.ORIGIN + 2]
        seen.append((z, gait.status.gait))
    inside = {name for z, name in seen if 6.0 < z < 8.0}
    after = {name for z, name in seen if z > 12.0}
    assert {name for z, name in seen if z < 3.0} == {"walk"}
    assert inside == {"trudge"}
    assert after == {"walk"}


def test_a_label_without_a_gait_changes_none() -> None:
    world, gait = striped("mud"), GaitController(small_graph(), gait="walk")
    seen = set()
    for _ in range(12 * 60):
        gait.advance(1 / 60, world)
        seen.add(gait.status.gait)
    assert seen == {"walk"}
    assert gait.walker.pose[2] > 6.0


def test_avoided_ground_is_none() -> None:
    swimmer, walker = (
        GaitController(small_graph(), gait="walk", avoid=()),
        GaitController(small_graph(), gait="walk"),
    )
    said = set()
    for _ in range(15 * 60):
        swimmer.advance(1 / 60, striped_water)
        walker.advance(1 / 60, striped_water)
        said.add(walker.status.says)
        assert walker.walker.state[layout.ORIGIN + 2] < 4.06
    assert swimmer.walker.pose[2] > 9.0
    assert said & {"turning away", "standing"}


striped_water = striped("water")


def test_a_word_of_ones_own_can_be_avoided() -> None:
    world, gait = striped("lava"), GaitController(small_ring(), avoid=("lava", "water"))
    walked(gait, world, 10.0)
    assert gait.walker.state[layout.ORIGIN + 2] < 4.06


def test_the_same_commands_make_the_same_bytes() -> None:
    def told() -> bytes:
        gait, world, rng, out = GaitController(small_graph()), bumps(), np.random.default_rng(5), b""
        for k in range(400):
            if k % 50 == 0:
                name = ["walk", "trudge", "rest", None][int(rng.integers(4))]
                gait.command(turn=rng.normal(0.0, 0.5), step_length=rng.uniform(0.3, 0.9), gait=name)
            out += gait.advance(1 / 60, world).tobytes()
        return out

    assert told() == told()


def test_update_gives_a_pose_of_its_own() -> None:
    gait, rest = GaitController(small_ring()), Pose.at_rest(small_ring().skeleton)
    first = gait.update(Tick(rest, rest, 0.0, 1 / 60, None))
    kept = first.root.copy(), first.rotations.copy()
    gait.update(Tick(first, first, 0.1, 0.1, None))
    assert_array_equal(first.root, kept[0])
    assert_array_equal(first.rotations, kept[1])


def test_contacts_are_of_feet_that_are_down() -> None:
    """A heel or toe that is said to stand is near the ground; in a walk one nearly always is."""
    world, gait = table(60.0, 60.0), GaitController(small_ring())
    standing = 0
    for _ in range(300):
        gait.advance(1 / 60, world)
        over, contacts = feet_over(gait, world), gait.contacts
        standing += bool(contacts.any())
        for side in (0, 1):
            if contacts[side] or contacts[2 + side]:
                assert over[side] < 0.25  # m: an ankle
    assert standing > 295


@pytest.mark.parametrize(
    ("rings", "settings", "words"),
    [
        (lambda: "ring", {}, "MotionRing"),
        (lambda: None, {}, "MotionRing"),
        (small_graph, {"gait": "fly"}, "no gait 'fly'"),
        (small_graph, {"place": (np.nan, 0.0)}, "finite"),
        (small_graph, {"heading": np.inf}, "finite"),
    ],
)
def test_refusals(rings: Callable[[], object], settings: dict[str, object], words: str) -> None:
    with pytest.raises(RequestError, match=words):
        GaitController(rings(), **settings)  # type: ignore[arg-type]
