"""Tracks: prints and paths on the floor of a picture, where the stances of a made motion say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.geometry import ground
from footfall.geometry.ground import UP
from footfall.picture.camera import Camera
from footfall.picture.footprints import FILL, INK, PLANNED
from footfall.picture.stage import Stage
from footfall.picture.strip import ALL_VIEWS, apart_from_others, draw_row
from footfall.picture.tracks import ROOT, Tracks
from footfall.world.foot_plan import FootPlacement, FootPlan
from tests.gaits import made

FPS = 60.0


def stage_of(tracks: Tracks, view: str = "map", width: int = 900) -> Stage:
    held = np.concatenate([tracks.extent(), tracks.motion.root])
    return Stage(Camera.looking(view, 0.0).framing(held, width=width), tracks.floor)


def painted(on: Stage, colour: tuple[float, ...]) -> np.ndarray:
    return np.abs(on.image - np.array(colour)).max(axis=-1) < 1e-3


def seen(on: Stage, place: np.ndarray) -> np.ndarray:
    x, y = on.camera.project(place)[:2].astype(int)
    return on.image[y, x]


@pytest.mark.parametrize("gait", ["walk", "turn", "backward", "cross", "stairs"])
class TestPrints:
    def test_are_drawn_where_the_feet_stand(self, gait: str) -> None:
        truth = made(gait, FPS)
        tracks = Tracks.of(truth.given)
        on = stage_of(tracks)
        tracks.draw_prints(on, tracks.prints)
        assert len(tracks.prints) == len(truth.stances)
        # a later print may lie over an earlier one, never a foot's own colour over the other's last
        hits = [np.allclose(seen(on, np.array(s.place)), FILL[s.foot], atol=1e-3) for s in truth.stances]
        assert np.mean(hits) > 0.8
        assert hits[-1]

    def test_those_stood_on(self, gait: str) -> None:
        truth = made(gait, FPS)
        tracks = Tracks.of(truth.given)
        for frame in range(0, len(truth.motion), 7):
            standing = {side for side in ("left", "right") if truth.contacts.stands(side)[frame]}
            assert {p.foot for p in tracks.stood_on(frame)} == standing


class TestLevels:
    def test_stairs_stand_on_stones(self) -> None:
        truth = made("stairs", FPS)
        tracks = Tracks.of(truth.given)
        levels = sorted(p.level for p in tracks.prints if tracks.raised(p))
        wanted = sorted(s.place[1] for s in truth.stances if s.place[1] > 0.05)
        assert_allclose(levels, wanted, rtol=0, atol=2e-3)
        assert tracks.floor == pytest.approx(0.0, abs=0.011)

    def test_on_a_level_floor_prints_lie_on_it(self) -> None:
        tracks = Tracks.of(made("walk", FPS).given)
        assert {p.level for p in tracks.prints} == {tracks.floor}
        assert tracks.floor == pytest.approx(0.0, abs=1e-3)

    def test_soles_that_differ_by_a_centimetre_or_two_are_no_stairs(self) -> None:
        truth = made("walk", FPS)
        skeleton = truth.motion.skeleton
        points = skeleton.foot_points("left")
        higher = replace(
            points, **{n: getattr(points, n) + 0.02 * UP for n in ("heel", "subtalar", "ball", "toe")}
        )
        tracks = Tracks.of(replace(truth.given, skeleton=skeleton.with_feet(left=higher)))
        assert len({p.level for p in tracks.prints}) == 1

    @pytest.mark.parametrize("height", [-2.0, 1.5])
    def test_all_of_it_moves_with_the_ground(self, height: float) -> None:
        truth = made("stairs", FPS).given
        here, there = Tracks.of(truth), Tracks.of(replace(truth, root=truth.root + height * UP))
        assert there.floor == pytest.approx(here.floor + height)
        raised = [[tracks.raised(p) for p in tracks.prints] for tracks in (here, there)]
        assert raised[0] == raised[1]


class TestPaths:
    def test_run_under_toes_and_root(self) -> None:
        motion = made("turn", FPS).given
        left, right, root = Tracks.of(motion).paths()
        for mark, places, colour in (
            (left, motion.of("left_toe"), INK["left"]),
            (right, motion.of("right_toe"), INK["right"]),
            (root, motion.root, ROOT),
        ):
            assert mark.colour == colour
            assert_allclose(mark.points[:, [0, 2]], places[:, [0, 2]])
            assert np.ptp(mark.points[:, 1]) == 0.0

    def test_are_drawn(self) -> None:
        tracks = Tracks.of(made("walk", FPS).given)
        on = stage_of(tracks)
        tracks.draw(on)
        for colour in (*INK.values(), ROOT):
            assert painted(on, colour).any()
        # along the picture the root's path is unbroken
        columns = np.flatnonzero(painted(on, ROOT).any(axis=0))
        ends = np.sort(on.camera.project(tracks.motion.root[[0, -1]])[:, 0])
        assert columns[0] < ends[0] + 2
        assert columns[-1] > ends[1] - 2
        assert len(columns) > 0.99 * (ends[1] - ends[0])


class TestPlan:
    def test_only_with_a_plan(self) -> None:
        motion = made("walk", FPS).given
        places = [
            FootPlacement("left", np.array([0.6, 0.0, 0.5])),
            FootPlacement("right", np.array([0.4, 0.0, 0.5])),
        ]
        for plan in (None, FootPlan.of_steps(places)):
            tracks = Tracks.of(motion, plan)
            on = stage_of(tracks)
            tracks.draw(on)
            assert painted(on, PLANNED).any() == (plan is not None)
            assert sum(p.planned for p in tracks.prints) == (0 if plan is None else 2)

    def test_a_raised_one_has_no_stone(self) -> None:
        plan = FootPlan.of_steps([FootPlacement("left", np.array([0.0, 1.0, 0.0]))])
        tracks = Tracks.of(made("walk", FPS).given, plan)
        (planned,) = (p for p in tracks.prints if p.planned)
        assert planned.level == 1.0
        assert not tracks.raised(planned)


def test_shifted_prints_look_as_if_the_camera_had_moved() -> None:
    tracks = Tracks.of(made("stairs", FPS).given)
    shift = np.array([0.5, 0.0, -0.25])
    camera = stage_of(tracks, "side").camera
    here, there = (Stage(c, tracks.floor) for c in (camera, replace(camera, centre=camera.centre + shift)))
    floors = here.image.copy(), there.image.copy()
    tracks.draw_prints(here, tracks.prints)
    tracks.draw_prints(there, tracks.prints, shift)
    drawn = [
        np.abs(on.image - floor).max(axis=-1) > 1e-6 for on, floor in zip((here, there), floors, strict=True)
    ]
    # edges may fall to one pixel or its neighbour by rounding, and a print may have the floor's very colour
    assert np.mean(drawn[0] != drawn[1]) < 1e-3
    both = drawn[0] & drawn[1]
    assert_allclose(here.image[both], there.image[both], rtol=0, atol=1e-6)


class TestRows:
    def test_with_room_figures_stand_where_they_were(self) -> None:
        """A run without its rests: captions are where the roots are, by the picture's own scale."""
        motion = made("run", FPS).given[40:150]
        row = draw_row(motion, "side", figures=5, width=800)
        frames = np.round(row.seconds * FPS).astype(int)
        apart = np.diff(motion.root[frames, 2])
        assert_allclose(np.diff(row.places) / apart, np.diff(row.places)[0] / apart[0], rtol=1e-6)

    def test_without_room_each_stands_on_its_own_prints(self) -> None:
        motion = made("stand", FPS).given
        row = draw_row(motion, "three-quarter", figures=4, width=1600)
        fill = sum(np.abs(row.image - np.array(c)).max(axis=-1) < 0.08 for c in FILL.values()) > 0
        for place in row.places:
            assert fill[:, int(place) - 150 : int(place) + 150].any()

    def test_the_map_shows_the_longest_way_across(self) -> None:
        """Whatever the heading, and for one who returns as well."""
        motion = made("walk", FPS).given
        there = np.concatenate([motion.root, motion.root[::-1]])
        back = replace(
            motion,
            root=there,
            rotations=np.concatenate([motion.rotations, motion.rotations[::-1]]),
            contacts=None,
        )
        for moved in (motion, back):
            row = draw_row(moved, "map", figures=5, width=700)
            assert row.image.shape[1] == 700
            assert row.image.shape[0] < 0.31 * 700
            assert np.ptp(row.places) > 400

    def test_the_map_of_stairs_tells_heights(self) -> None:
        truth = made("stairs", FPS)
        labels = draw_row(truth.given, "map", width=1500).labels
        told = sorted({round(float(words.removesuffix(" m")), 2) for _, _, words in labels})
        wanted = sorted({round(s.place[1], 2) for s in truth.stances if s.place[1] > 0.05})
        assert_allclose(told, wanted, rtol=0, atol=0.0151)
        assert draw_row(made("walk", FPS).given, "map", width=600).labels == ()

    @pytest.mark.parametrize("view", ALL_VIEWS)
    def test_one_frame(self, view: str) -> None:
        row = draw_row(made("stand", FPS).given[:1], view, width=200)
        assert len(row.places) == 1
        assert np.isfinite(row.image).all()

    @pytest.mark.parametrize("view", ALL_VIEWS)
    def test_without_legs(self, view: str) -> None:
        motion = made("stand", FPS).motion
        roles = {r: j for r, j in motion.skeleton.roles.items() if "thigh" not in r}
        legless = replace(motion, skeleton=replace(motion.skeleton, roles=roles))
        assert Tracks.of(legless).contacts is None
        assert Tracks.of(legless).prints == ()
        draw_row(legless, view, figures=2, width=200)

    def test_a_picture_changes_nothing_it_shows(self) -> None:
        motion = made("walk", FPS).motion
        tracks = Tracks.of(motion)
        before = [p.outline.copy() for p in tracks.prints]
        first, second = (
            draw_row(motion, "side", figures=3, width=300, tracks=tracks).image for _ in range(2)
        )
        assert_array_equal(first, second)
        for kept, found in zip(before, tracks.prints, strict=True):
            assert_array_equal(kept, found.outline)


@pytest.mark.parametrize("seed", range(5))
def test_words_keep_apart(seed: int) -> None:
    places = np.random.default_rng(seed).uniform(0, 300, (40, 2))
    room = np.array([50.0, 12.0])
    kept = apart_from_others(places, room)
    assert kept[0] == 0
    for i in range(len(places)):
        others = [k for k in kept if k < i]
        crowded = any((np.abs(places[i] - places[k]) < room).all() for k in others)
        assert (i in kept) == (not crowded)


def test_heading_of_a_map_points_away_from_the_start() -> None:
    from footfall.picture.figures import path_heading

    for heading in (0.3, -2.0, 3.0):
        path = np.linspace(0.0, 3.0, 50)[:, None] * ground.direction_of(heading) + [1.0, 0.9, 5.0]
        assert path_heading(path) == pytest.approx(heading)
        assert path_heading(np.concatenate([path, path[::-1]])) == pytest.approx(heading)
