"""Plan maps: soles, path, trunk, numbers and scale are where and as large as they should be."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.humanoid import humanoid
from footfall.errors import MissingExtra, RequestError
from footfall.figure.feet import FootPoints
from footfall.picture.footprints import FILL, INK, PLANNED, planned_footprints
from footfall.picture.plan_frame import BEYOND
from footfall.picture.plan_ground import OBSTACLE
from footfall.picture.plan_key import BARS, bar_length
from footfall.picture.plan_map import draw_plan_map, save_plan_map
from footfall.planning.walk_map import WalkMap
from footfall.world.plane import FlatTerrain
from footfall.world.shapes.box import Box
from tests.picture.plans import PATH, PLAN, TRUNK_WAY, WALLS, Seen, drawn, map_of, world

plt = pytest.importorskip("matplotlib.pyplot", reason="pictures need the extra 'plot'")


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    plt.close("all")


class TestSoles:
    def test_are_where_the_plan_says_in_the_colours_of_the_feet(self) -> None:
        seen = Seen(draw_plan_map(None, WALLS, plan=PLAN))
        for sole in planned_footprints(humanoid(), PLAN):
            heel, toe = sole.outline[0], sole.outline[27]
            assert_allclose(seen.colour(heel + 0.25 * (toe - heel)), FILL[sole.foot], atol=0.02)
            row, column = seen.pixel(sole.outline[6]).astype(int)
            near = seen.image[row - 2 : row + 3, column - 2 : column + 3].reshape(-1, 3)
            assert np.abs(near - np.array(INK[sole.foot])).max(axis=1).min() < 0.15

    def test_left_soles_are_left_of_right_ones_on_the_way_to_the_right(self) -> None:
        """The picture's handedness: one walks from the left to the right, with the left foot above."""
        image = Seen(draw_plan_map(None, (), plan=PLAN)).image
        rows = {
            foot: np.flatnonzero(
                (np.abs(image - np.array(FILL[foot])).max(axis=-1) < 0.02).any(axis=1)
            ).mean()
            for foot in FILL
        }
        assert rows["left"] < rows["right"] - 10

    def test_they_are_as_long_as_the_figures_feet(self) -> None:
        figure = draw_plan_map(None, (), plan=PLAN)
        points = humanoid().foot_points("left")
        for patch in map_of(figure)[0].patches:
            if (patch.get_gid() or "").startswith("sole"):
                x, y = patch.get_xy().T
                assert np.hypot(np.ptp(x), np.ptp(y)) == pytest.approx(
                    np.linalg.norm(points.toe - points.heel), rel=0.12
                )

    def test_another_skeleton_has_other_soles(self) -> None:
        own = humanoid()
        longer = {
            side: FootPoints(
                **{n: 1.4 * getattr(own.foot_points(side), n) for n in FootPoints.__annotations__}
            )
            for side in own.sides
        }
        sizes = []
        for skeleton in (None, own, own.with_feet(**longer)):
            x, y = map_of(draw_plan_map(None, (), plan=PLAN, skeleton=skeleton))[0].patches[0].get_xy().T
            sizes.append(0.5 * abs(x @ (np.roll(y, -1) - np.roll(y, 1))))
        assert sizes[0] == sizes[1]
        assert sizes[2] == pytest.approx(1.4**2 * sizes[0], rel=1e-6)


class TestPath:
    def test_runs_through_its_points_in_the_colour_of_plans(self) -> None:
        seen = Seen(draw_plan_map(None, WALLS, path=PATH))
        for s in np.linspace(0.05, PATH.length - 0.05, 20):
            assert_allclose(seen.colour(PATH.point(s)), PLANNED, atol=0.25)
        assert_allclose(seen.colour(WALLS[0].position), OBSTACLE, atol=0.01)


class TestScale:
    def test_the_bar_is_as_long_as_it_says_beside_the_map(self) -> None:
        figure = draw_plan_map(None, WALLS, plan=PLAN)
        axes, key = map_of(figure)
        drawn(figure)
        (bar,) = (line for line in key.lines if line.get_gid() == "scale bar")
        told = float(next(t.get_text() for t in key.texts if t.get_text().endswith(" m")).removesuffix(" m"))
        ends = key.transData.transform(bar.get_xydata())
        metre = np.diff(axes.transData.transform([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]), axis=0)
        assert ends[1, 0] - ends[0, 0] == pytest.approx(told * metre[0, 0], rel=1e-6)
        assert metre[0, 0] == pytest.approx(metre[1, 1], rel=1e-6)  # as much up as across

    @pytest.mark.parametrize("width", np.geomspace(0.6, 900.0, 25))
    def test_bars_are_round_lengths_of_a_good_size(self, width: float) -> None:
        assert bar_length(width) in BARS
        assert 0.08 * width < bar_length(width) <= 0.22 * width

    def test_words_do_not_overlap_in_the_key(self) -> None:
        figure = draw_plan_map(None, WALLS, plan=PLAN, path=PATH, trunk=TRUNK_WAY)
        drawn(figure)
        key = map_of(figure)[1]
        boxes = [t.get_window_extent() for t in key.texts if t.get_text()] + [
            key.get_legend().get_window_extent()
        ]
        for i, one in enumerate(boxes):
            assert not any(one.overlaps(other) for other in boxes[:i])
            assert one.y0 >= -1.0


class TestSaved:
    @pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
    def test_one_picture_one_file(self, ending: str, tmp_path: Path) -> None:
        walk_map = WalkMap.of(FlatTerrain(), WALLS, around=[world(0, 0), world(0, 3)])
        for name in ("a", "b"):
            save_plan_map(
                tmp_path / f"{name}{ending}",
                walk_map,
                WALLS,
                path=PATH,
                plan=PLAN,
                trunk=TRUNK_WAY,
                start=world(0, 0),
                goal=world(0, 3.2),
                title="a corridor",
            )
        first = (tmp_path / f"a{ending}").read_bytes()
        assert len(first) > 10_000
        assert first == (tmp_path / f"b{ending}").read_bytes()

    def test_a_map_alone_is_all_shown(self) -> None:
        walk_map = WalkMap.of(FlatTerrain(), area=((-1.0, -2.0), (1.0, 3.0)))
        axes, key = map_of(draw_plan_map(walk_map))
        assert np.ptp(axes.get_xlim()) == pytest.approx(
            5.1 + 2 * BEYOND
        )  # cells have their middles in the area
        assert np.ptp(axes.get_ylim()) == pytest.approx(2.1 + 2 * BEYOND)
        assert key.get_legend() is None

    def test_without_matplotlib_the_extra_is_named(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = builtins.__import__

        def without(name: str, *rest: object) -> object:
            if name.split(".")[0] == "matplotlib":
                raise ImportError(name)
            return real(name, *rest)  # type: ignore[arg-type]

        monkeypatch.setattr(builtins, "__import__", without)
        with pytest.raises(MissingExtra, match=r"pip install 'footfall\[plot\]'"):
            save_plan_map(tmp_path / "a.png", None, WALLS)
        assert not list(tmp_path.iterdir())


class TestRefusals:
    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({}, "needs something to show"),
            ({"walk_map": "room"}, "the map of a plan map must be a WalkMap"),
            ({"placed": [Box(np.ones(3))]}, "obstacles must be of Obstacle or Placed"),
            ({"path": np.zeros((3, 3))}, "the path of a plan map must be a Path"),
            ({"plan": [1, 2]}, "the plan of a plan map must be a FootPlan"),
            ({"trunk": np.zeros((4, 2))}, "the trunk must be two arrays"),
            ({"trunk": (np.zeros((4, 2)), np.zeros(3))}, "the trunk must be two arrays"),
            ({"trunk": (np.full((1, 2), np.nan), np.zeros(1))}, "the trunk must be two arrays"),
            ({"trunk": 7}, "the trunk must be two arrays"),
            ({"start": (1.0,)}, "the start must be two or three finite numbers"),
            ({"goal": (1.0, np.inf)}, "the goal must be two or three finite numbers"),
        ],
    )
    def test_in_one_sentence(self, options: dict[str, Any], words: str, tmp_path: Path) -> None:
        options = {"walk_map": None, **options}
        with pytest.raises(RequestError, match=words) as error:
            save_plan_map(tmp_path / "a.png", **options)
        assert "\n" not in str(error.value)
        assert not list(tmp_path.iterdir())
