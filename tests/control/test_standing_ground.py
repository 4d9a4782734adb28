"""Any terrain as a tree of triangles near a figure."""

from __future__ import annotations

import numpy as np
import pytest

from footfall.control.standing_ground import StandingGround
from footfall.world.plane import FlatTerrain, InclinedTerrain
from tests.control.plain_worlds import Island, Waves, field, striped
from tests.models.ring.plain_ground import table

PLACES = np.random.default_rng(1).uniform(-2.0, 2.0, (200, 2))


def levels(ground: StandingGround, x: float, z: float) -> np.ndarray:
    """Heights at places about a figure, asked of the piece that is cut for it."""
    ground.under(x, z)
    assert ground.mesh is not None
    return ground.mesh.height(x + PLACES[:, 0], z + PLACES[:, 1])


def test_meshes_and_height_fields_are_one_tree() -> None:
    mesh = table()
    ground = StandingGround(mesh)
    assert ground.whole
    assert ground.under(0.0, 0.0)[0] is mesh.tree.arrays[0]
    assert ground.under(1e6, 0.0) is ground.under(0.0, 0.0)
    heights = field()
    assert StandingGround(heights).whole
    found = levels(StandingGround(heights), 1.0, 1.0)
    judge = heights.height(1.0 + PLACES[:, 0], 1.0 + PLACES[:, 1])
    np.testing.assert_allclose(found, judge, atol=1e-9)


@pytest.mark.parametrize("where", [(0.0, 0.0), (1e4, -3e4), (99.0, 99.0), (101.0, 0.0)])
@pytest.mark.parametrize("plane", [FlatTerrain(level=3.0), InclinedTerrain(0.3)])
def test_planes_are_exact_wherever_one_is(plane: InclinedTerrain, where: tuple[float, float]) -> None:
    judge = plane.height(where[0] + PLACES[:, 0], where[1] + PLACES[:, 1])
    np.testing.assert_allclose(levels(StandingGround(plane), *where), judge, atol=1e-7, rtol=1e-12)


def test_a_figure_that_walks_always_has_ground_about_it() -> None:
    for terrain in (FlatTerrain(), Waves(), InclinedTerrain(0.1)):
        ground, trees = StandingGround(terrain), set()
        for z in np.arange(0.0, 40.0, 0.7):
            found = levels(ground, 0.3 * z, z)
            judge = terrain.height(0.3 * z + PLACES[:, 0], z + PLACES[:, 1])
            assert np.isfinite(found).all()
            np.testing.assert_allclose(found, judge, atol=2e-3)  # the cells' chords
            trees.add(id(ground.under(0.3 * z, z)))
        assert not ground.whole
        assert len(trees) < 20  # it is not cut anew at every step


def test_what_only_tells_heights_is_asked_for_heights_alone() -> None:
    """Every other question to it would raise; and it is asked once a piece."""
    waves = Waves()
    ground = StandingGround(waves)
    ground.under(0.0, 0.0)
    asked = waves.asked
    for x in np.linspace(-2.0, 2.0, 50):
        ground.under(x, 0.0)
    assert waves.asked == asked


def test_where_there_is_none_there_is_none() -> None:
    ground = StandingGround(Island())
    near, far = levels(ground, 0.0, 0.0), levels(StandingGround(Island()), 50.0, 50.0)
    inside = np.hypot(*PLACES.T) < 2.3
    outside = np.hypot(*PLACES.T) > 2.5
    assert np.abs(near[inside]).max() < 1e-9
    assert (near[outside] < -100.0).all()
    assert (far < -100.0).all()


@pytest.mark.parametrize("where", [(np.nan, 0.0), (0.0, np.inf), (-np.inf, np.nan)])
def test_nowhere_is_somewhere(where: tuple[float, float]) -> None:
    ground = StandingGround(FlatTerrain())
    assert len(ground.under(*where)) == len(ground.under(0.0, 0.0))


def test_labels_of_faces() -> None:
    ground = StandingGround(striped("snow"))
    assert [ground.label(face) for face in range(6)] == [
        "ground",
        "ground",
        "snow",
        "snow",
        "ground",
        "ground",
    ]
    assert ground.label(-1) == ""
    assert ground.label(600) == ""
    plane = StandingGround(FlatTerrain(name="ice"))
    assert plane.label(0) == ""
    plane.under(0.0, 0.0)
    assert plane.label(0) == plane.label(1) == "ice"
    waves = StandingGround(Waves(name="sand"))
    waves.under(0.0, 0.0)
    assert waves.label(17) == "sand"


def test_avoided_labels_are_cut_out() -> None:
    world = striped("water")
    z = np.array([0.0, 5.0, 10.0])
    ground = StandingGround(world, ("water",))
    assert ground.mesh is not None
    assert list(np.isfinite(ground.mesh.height(np.zeros(3), z))) == [True, False, True]
    assert [ground.label(face) for face in range(4)] == ["ground"] * 4
    whole = StandingGround(world, ("lava",))
    assert whole.mesh is world
