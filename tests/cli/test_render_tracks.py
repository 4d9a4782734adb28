"""`footfall render`: footprints of the clip and of a plan, contacts of the whole clip, soles on the floor."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import footfall as ff
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.plants import detect_plants
from footfall.cli.render import prepared
from footfall.figure.feet import FootPoints
from footfall.geometry.ground import LEFT, UP
from footfall.picture.footprints import PLANNED
from footfall.world.foot_plan import FootPlacement, FootPlan
from tests.captures import captures
from tests.cli.conftest import Said
from tests.gaits import made

pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")

FPS = 60.0


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("walk") / "walk.ffm"
    ff.save_motion(made("walk", FPS).given, path)
    return path


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    placed = [FootPlacement(s.foot, np.array(s.place) + 0.12 * LEFT) for s in made("walk", FPS).stances]
    path = tmp_path / "plan.json"
    path.write_bytes(FootPlan.of_steps(placed).encode())
    return path


def planned_pixels(path: Path) -> int:
    from PIL import Image

    with Image.open(path) as image:
        pixels = np.asarray(image.convert("RGB")) / 255.0
    return int((np.abs(pixels - np.array(PLANNED)).max(axis=-1) < 0.1).sum())


@pytest.mark.parametrize("ending", ["png", "gif"])
def test_a_plan_is_drawn(ending: str, walk: Path, plan: Path, said: Said, tmp_path: Path) -> None:
    words = ["--view", "map" if ending == "png" else "top", "--end", "1.2"]
    seen = []
    for more in ([], ["--plan", plan]):
        target = tmp_path / f"a.{ending}"
        status, out, err = said("render", walk, "-o", target, *words, *more)
        assert (status, out, err) == (0, f"{target}\n", "")
        seen.append(planned_pixels(target))
    assert seen[0] == 0
    assert seen[1] > 50


def test_what_is_no_plan_is_refused(walk: Path, said: Said, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text("{}")
    status, out, err = said("render", walk, "-o", tmp_path / "a.png", "--plan", tmp_path / "plan.json")
    assert (status, out) == (1, "")
    assert re.fullmatch(r"footfall: .*plan\.json: is no foot plan: .+\n", err)
    assert not (tmp_path / "a.png").exists()


class TestPrepared:
    def test_contacts_are_of_the_whole_clip(self) -> None:
        """A part so short that nothing could be found in it shows what was found around it."""
        motion = made("walk", FPS).motion
        whole = detect_contacts(motion)
        part = prepared(motion).between(1.0, 1.1)
        assert part.contacts is not None
        np.testing.assert_array_equal(part.contacts.heel, whole.heel[60:67])
        np.testing.assert_array_equal(part.contacts.toe, whole.toe[60:67])

    def test_contacts_that_a_file_brings_stay(self) -> None:
        truth = made("walk", FPS)
        assert prepared(truth.given).contacts is truth.contacts

    def test_soles_that_a_file_brings_stay(self) -> None:
        truth = made("walk", FPS)
        points = truth.motion.skeleton.foot_points("left")
        higher = FootPoints(
            **{n: getattr(points, n) + 0.02 * UP for n in ("heel", "subtalar", "ball", "toe")}
        )
        given = replace(truth.given, skeleton=truth.motion.skeleton.with_feet(left=higher))
        assert prepared(given).skeleton is given.skeleton

    def test_other_soles_are_measured(self) -> None:
        """By the skeleton alone this capture's right foot stands three centimetres over its left."""
        apart = []
        motion = ff.load_motion(captures("walk/16_47.bvh"))
        for shown in (motion, prepared(motion)):
            plants = detect_plants(shown, detect_contacts(shown))
            levels = {
                side: np.median([p.level for p in plants if p.foot == side]) for side in ("left", "right")
            }
            apart.append(abs(levels["right"] - levels["left"]))
        assert apart[0] > 0.02
        assert apart[1] < 0.01

    def test_nothing_to_find(self) -> None:
        motion = made("walk", FPS).motion
        assert prepared(motion[:0]).contacts is None
        roles = {r: j for r, j in motion.skeleton.roles.items() if "foot" not in r}
        legless = replace(motion, skeleton=replace(motion.skeleton, roles=roles))
        assert prepared(legless) is legless
