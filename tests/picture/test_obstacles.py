"""Obstacles in strips and clips: where they are and when, and never so that they hide a figure."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import footfall as ff
from footfall.cli import run
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.formats.scene_file import save_scene
from footfall.picture.clip import draw_clip
from footfall.picture.footprints import FILL
from footfall.picture.solids import CUT, LID
from footfall.picture.strip import ALL_VIEWS, draw_row, save_strip
from footfall.picture.tracks import Tracks
from footfall.world.obstacle import Course, Obstacle
from footfall.world.plane import InclinedTerrain
from footfall.world.scene import Scene, SceneObject
from footfall.world.shapes.box import Box
from footfall.world.shapes.cylinder import Cylinder
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.sphere import Sphere
from tests.gaits import made

FPS = 60.0
WALLS = tuple(Placed(Box(np.array([0.2, 2.6, 5.0])), np.array([x, 1.3, 1.8])) for x in (-0.45, 0.45))
TABLE = Placed(Box(np.array([0.6, 0.7, 0.6])), np.array([-0.9, 0.35, 1.0]))


@pytest.fixture(scope="module")
def walk() -> Motion:
    return made("walk", FPS).given


def limbs(image: np.ndarray) -> np.ndarray:
    """Pixels that are as blue or as orange as limbs are, also behind glass."""
    return np.ptp(image, axis=-1) > 0.12


class TestStrips:
    @pytest.mark.parametrize("view", [*ALL_VIEWS, "back", "top"])
    def test_something_stands_there(self, view: str, walk: Motion) -> None:
        """With a table in reach the picture holds it: its colour covers what its sides measure, at least."""
        tracks = Tracks.of(walk, obstacles=[TABLE])
        row = draw_row(walk, view, figures=4, width=700, tracks=tracks)
        scale = float(np.ptp(row.places)) / float(
            np.ptp(walk.root[(row.seconds * FPS).round().astype(int), 2])
        )
        # neither floor nor figure: as warm a grey as obstacles are
        warm = (row.image[..., 0] - row.image[..., 2] > 0.02) & ~limbs(row.image)
        if len(row.places) > 1 and view in ("side", "map", "top"):  # the walk goes across: its scale is known
            assert warm.sum() > 0.6 * (0.6 * scale) ** 2
        assert warm.sum() > 2000

    @pytest.mark.parametrize("view", ["three-quarter", "side", "front"])
    def test_between_high_walls_the_figure_is_seen(self, view: str, walk: Motion) -> None:
        """From wherever: no fewer pixels of limbs than in the open, at the same scale."""
        low = Placed(Box(np.array([0.2, 0.01, 5.0])), np.array([0.45, 0.0, 1.8]))
        other = Placed(low.shape, np.array([-0.45, 0.0, 1.8]))
        open_, walled = (
            draw_row(walk, view, figures=5, width=700, tracks=Tracks.of(walk, obstacles=things))
            for things in ((low, other), WALLS)
        )
        assert open_.image.shape[1] == walled.image.shape[1]
        assert len(open_.places) == len(walled.places)
        scale = (walled.image.shape[0] / open_.image.shape[0]) ** 2
        assert limbs(walled.image).sum() > 0.9 * min(scale, 1.0) * limbs(open_.image).sum()

    def test_in_the_map_walls_are_filled_and_prints_are_not_covered(self, walk: Motion) -> None:
        tracks = Tracks.of(walk, obstacles=WALLS)
        row = draw_row(walk, "map", figures=5, width=900, tracks=tracks)
        lid = (
            np.abs(row.image / row.image.max(axis=-1, keepdims=True) - LID / LID.max()).max(axis=-1) < 0.02
        ) & (row.image.max(axis=-1) < 0.6)
        columns = lid.mean(axis=0)
        # two walls of 0.2 m, which are farther apart than the prints are
        assert np.median(columns[columns > 0]) > 0.1
        for colour in FILL.values():
            assert (np.abs(row.image - np.array(colour)).max(axis=-1) < 0.03).sum() > 100

    def test_figures_stay_where_they_were(self, walk: Motion) -> None:
        row = draw_row(walk, "side", figures=30, width=700, tracks=Tracks.of(walk, obstacles=WALLS))
        roots = walk.root[(row.seconds * FPS).round().astype(int), 2]
        assert len(row.places) > 3
        assert_allclose(np.diff(row.places) / np.diff(roots), np.diff(row.places)[0] / np.diff(roots)[0])

    def test_without_obstacles_nothing_changes(self, walk: Motion) -> None:
        rows = [
            draw_row(walk, "three-quarter", figures=3, width=300, tracks=tracks)
            for tracks in (Tracks.of(walk), Tracks.of(walk, obstacles=()))
        ]
        assert_array_equal(rows[0].image, rows[1].image)

    def test_far_away_they_do_not_make_the_picture_smaller(self, walk: Motion) -> None:
        far = Placed(TABLE.shape, np.array([60.0, 0.35, 0.0]))
        rows = [
            draw_row(walk, "three-quarter", figures=3, width=300, tracks=Tracks.of(walk, obstacles=things))
            for things in ((TABLE,), (TABLE, far))
        ]
        assert_array_equal(rows[0].image, rows[1].image)

    def test_on_a_slope_walls_follow_it(self) -> None:
        motion = made("ramp", FPS).motion
        middle = motion.root.mean(axis=0) * [1.0, 0.0, 1.0]
        wall = Placed(Box(np.array([0.2, 9.0, 4.0])), middle + np.array([0.5, 0.0, 0.0]))
        tracks = Tracks.of(motion, terrain=InclinedTerrain(0.12), obstacles=[wall])
        solids = tracks.solids(np.zeros(1))
        lids = solids.corners[(solids.colours == LID).all(axis=1)].reshape(-1, 3)
        over = lids[:, 1] - np.tan(0.12) * lids[:, 2]
        assert np.ptp(lids[:, 1]) > 0.8 * 4.0 * np.tan(0.12)
        assert_allclose(over, CUT, atol=0.08)

    def test_what_is_no_obstacle(self, walk: Motion, tmp_path: Path) -> None:
        pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")
        with pytest.raises(RequestError, match=r"^obstacles must be of Obstacle or Placed, not of Box$"):
            save_strip(walk, tmp_path / "a.png", obstacles=[TABLE.shape])
        assert not list(tmp_path.iterdir())


class TestMoving:
    GUARD = Obstacle.upright(
        Cylinder(0.2, 1.0), np.zeros(3), course=Course([2.0, 6.0], [[-1.0, 0.5, 0.0], [-1.0, 0.5, 4.0]])
    )

    def middles(self, tracks: Tracks, frames: np.ndarray) -> np.ndarray:
        corners = tracks.solids(frames).corners.reshape(len(frames), -1, 3)
        return 0.5 * (corners.min(axis=1) + corners.max(axis=1))

    def test_they_are_shown_at_the_figures_times(self, walk: Motion) -> None:
        frames = np.array([0, 60, 120, 180])
        found = self.middles(Tracks.of(walk, obstacles=[self.GUARD], clock=2.0), frames)
        assert_allclose(found[:, 2], frames / FPS, atol=1e-9)
        assert_allclose(found[:, 0], -1.0, atol=1e-9)

    def test_the_clock_is_the_courses_own(self, walk: Motion) -> None:
        found = self.middles(Tracks.of(walk, obstacles=[self.GUARD], clock=5.0), np.array([0]))
        assert_allclose(found[0], [-1.0, 0.5, 3.0], atol=1e-9)

    def test_one_who_passes_is_not_cut_off(self, walk: Motion) -> None:
        tall = Obstacle(Cylinder(0.2, 1.8), np.zeros(3), course=self.GUARD.course)
        heights = Tracks.of(walk, obstacles=[tall]).solids(np.zeros(1)).corners[..., 1]
        assert np.ptp(heights) == pytest.approx(1.8)

    def test_those_that_stand_are_drawn_once(self, walk: Motion) -> None:
        tracks = Tracks.of(walk, obstacles=[TABLE, self.GUARD])
        counts = [len(tracks.solids(np.arange(n))) for n in (1, 2, 3)]
        assert counts[1] - counts[0] == counts[2] - counts[1]
        assert counts[0] - (counts[1] - counts[0]) == 12  # triangles of a box

    def test_in_a_clip_they_move(self, walk: Motion) -> None:
        """A ball that flies by high over the floor, in a clip of one who stands: it goes to the right."""
        still = Motion(walk.skeleton, walk.root[:1].repeat(41, 0), walk.rotations[:1].repeat(41, 0), 20.0)
        ball = Obstacle(
            Sphere(0.08), np.zeros(3), course=Course([0.0, 2.0], [[-0.8, 0.9, -0.15], [-0.8, 0.9, 0.15]])
        )
        images = draw_clip(still, view="side", height=160, obstacles=[ball])
        bare = draw_clip(still, view="side", height=160)
        places = []
        for image, other in zip(images[::5], bare[::5], strict=True):
            new = (np.abs(image.astype(int) - other).max(axis=-1) > 8)[:95]  # over its shadow
            columns = np.flatnonzero(new.any(axis=0))
            places.append(0.5 * (columns[0] + columns[-1]))
            assert np.ptp(columns) == pytest.approx(
                np.ptp(np.flatnonzero(new.any(axis=1))), abs=3
            )  # it is round
        assert_allclose(np.diff(places), (places[-1] - places[0]) / 5, atol=2)
        assert places[-1] - places[0] > 18


class TestRender:
    SCENE = Scene(
        obstacles=(Obstacle.upright(Box(np.array([0.2, 2.6, 3.0])), np.array([0.7, 1.3, 1.5]), name="wall"),),
        objects=(SceneObject("ball", Sphere(0.12), np.array([-0.6, 0.12, 1.0])),),
    )

    @pytest.fixture(autouse=True)
    def _plot(self) -> None:
        pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")

    @pytest.fixture
    def files(self, walk: Motion, tmp_path_factory: pytest.TempPathFactory) -> Path:
        folder = tmp_path_factory.mktemp("scene")
        ff.save_motion(walk, folder / "walk.ffm")
        save_scene(self.SCENE, folder / "room.json")
        return folder

    def test_a_scene_is_its_ground_its_obstacles_and_its_objects(self, files: Path, tmp_path: Path) -> None:
        words = ["--view", "map", "--figures", "3", "--scene", str(files / "room.json")]
        assert run(["render", str(files / "walk.ffm"), "-o", str(tmp_path / "a.png"), *words]) == 0
        motion = ff.load_motion(files / "walk.ffm")
        options = {"views": ("map",), "figures": 3, "title": "walk.ffm", "terrain": ff.FlatTerrain()}
        save_strip(motion, tmp_path / "b.png", obstacles=self.SCENE.placed(), **options)
        save_strip(motion, tmp_path / "c.png", **options)
        pictures = [(tmp_path / name).read_bytes() for name in ("a.png", "b.png", "c.png")]
        assert pictures[0] == pictures[1]
        assert pictures[0] != pictures[2]

    def test_a_clip_has_them_too(self, files: Path, tmp_path: Path) -> None:
        words = ["render", str(files / "walk.ffm"), "--start", "1", "--end", "1.2", "-o"]
        for name, more in (
            ("a.gif", ["--scene", str(files / "room.json")]),
            ("b.gif", ["--terrain", "flat"]),
        ):
            assert run([*words, str(tmp_path / name), *more]) == 0
        assert (tmp_path / "a.gif").read_bytes() != (tmp_path / "b.gif").read_bytes()

    def test_one_ground_is_enough(
        self, files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        words = ["--terrain", "flat", "--scene", str(files / "room.json")]
        assert run(["render", str(files / "walk.ffm"), "-o", str(tmp_path / "a.png"), *words]) == 1
        said = capsys.readouterr()
        assert (said.out, said.err) == (
            "",
            "footfall: --terrain and --scene both tell the ground; give one of them\n",
        )
        assert not list(tmp_path.iterdir())

    def test_what_is_no_scene(self, files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (files / "other.json").write_text("[]")
        words = ["--scene", str(files / "other.json")]
        assert run(["render", str(files / "walk.ffm"), "-o", str(tmp_path / "a.png"), *words]) == 1
        said = capsys.readouterr()
        assert "other.json: is no scene" in said.err
        assert said.err.count("\n") == 1
        assert not list(tmp_path.iterdir())
