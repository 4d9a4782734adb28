"""Scene files that are wrong: what is wrong is named, and none takes long."""

from __future__ import annotations

import json
import os
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from footfall.errors import LoadError, RequestError, SaveError
from footfall.formats.scene_file import load_scene, save_scene
from footfall.formats.terrain_file import save_terrain
from footfall.geometry import quaternion as quat
from footfall.world.generators.generate import generate
from footfall.world.mesh import MeshTerrain
from footfall.world.obstacle import Obstacle
from footfall.world.plane import FlatTerrain
from footfall.world.scene import Scene, SceneObject
from footfall.world.shapes.cylinder import Cylinder
from footfall.world.shapes.sphere import Sphere
from footfall.world.terrain import Terrain
from tests.formats.scene_documents import (
    FULL,
    alike,
    bad,
    course,
    load_words,
    obstacle,
    task,
    thing,
    written,
)

ZERO = [0, 0, 0]
REFUSED: list[tuple[object, str]] = [
    ("", "is no scene"),
    ("[1, 2", "is no scene"),
    ('{"version": 1, "obstacles": [{"shape": "sphere", "radius": NaN}]}', "is no scene"),
    ("[" * 100_000, "is no scene"),
    ('{"version": 1, "tasks": [{"wait": ' + "[" * 100_000, "is no scene"),
    ('{"version": 1, "tasks": [{"wait": 1' + "0" * 5000 + "}]}", r"tasks\[0\].wait: must be a number"),
    (
        '{"version": 1, "tasks": [{"go_to": [1' + "0" * 400 + ", 1]}]}",
        r"tasks\[0\].go_to: must be a number, a text or a list",
    ),
    ("[]", "is no scene"),
    ({}, "version"),
    ({"version": 2}, "version: expected 1, found 2"),
    (bad(obstcles=[]), "obstcles"),
    (bad(obstacles={}), "obstacles: Expected `array`"),
    (obstacle(radius=-1), r"obstacles\[1\].radius: must be positive, not -1"),
    (obstacle(radius=0), r"obstacles\[1\].radius: must be positive, not 0"),
    (obstacle(radius=1e300), r"obstacles\[1\].radius: must be 1e-09 to 1e\+07 m"),
    (obstacle(radius="1"), r"obstacles\[1\].radius: Expected `float"),
    (obstacle(radius=...), r"obstacles\[1\].radius: must be given: a cylinder has radius and height"),
    (
        obstacle(size=[1, 1, 1]),
        r"obstacles\[1\].size: is nothing that a cylinder has; it has radius and height",
    ),
    (obstacle(length=1), r"obstacles\[1\]: .*length"),
    (obstacle(shape="cone"), r"obstacles\[1\].shape: must be one of box, .*polygon, not 'cone'"),
    (
        obstacle(shape="capsule", height=1),
        r"obstacles\[1\].height: must be at least twice the radius, 2, not 1",
    ),
    (obstacle(position=...), r"obstacles\[1\].position: must be given where there is no course"),
    (obstacle(position=[0, 0]), r"obstacles\[1\].position: "),
    (obstacle(position=[0, 0, 1e8]), r"obstacles\[1\].position: must be within 1e\+07 m"),
    (obstacle(name=7), r"obstacles\[1\].name: "),
    (
        obstacle(shape="box", radius=..., height=..., size=[1, 0, 1]),
        r"obstacles\[1\].size: must be positive, not 0 along one axis",
    ),
    (
        obstacle(shape="polygon", radius=..., corners=[[0, 0], [1, 1], [1, 0], [0, 1]]),
        r"obstacles\[1\].corners: must not cross themselves, but the edges after corners 0 and 2 do",
    ),
    (
        obstacle(shape="polygon", radius=..., corners=[[0, 0], [1, 1]]),
        r"obstacles\[1\].corners: must be 3 to 512, not 2",
    ),
    (obstacle(shape="polygon", radius=..., corners=[]), r"obstacles\[1\].corners: "),
    (obstacle(shape="polygon", radius=..., corners=[[0, 0, 0]] * 3), r"obstacles\[1\].corners\[0\]: "),
    (course(), r"obstacles\[1\].course.keys: must be at least one"),
    (course({"time": 0}), r"obstacles\[1\].course.keys\[0\]: .*position"),
    (
        course({"time": 1, "position": ZERO}, {"time": 1, "position": ZERO}),
        r"obstacles\[1\].course.keys: must each be later than the one before, but 1 follows 1",
    ),
    (
        course({"time": 1, "position": ZERO, "heading_deg": 1}, {"time": 2, "position": ZERO}),
        r"obstacles\[1\].course.keys\[1\].heading_deg: must be given for all keys or for none",
    ),
    (
        course({"time": 1, "position": ZERO}, repeat=True),
        r"obstacles\[1\].course.repeat: needs at least two keys",
    ),
    (thing(shape="cylinder"), r"objects\[0\].shape: must be one of sphere, box, capsule, not 'cylinder'"),
    (thing(name=""), r"objects\[0\].name: must be a text that is not empty"),
    (thing(name=...), r"objects\[0\]: .*name"),
    (thing(height=1), r"objects\[0\]: .*height"),
    (thing(length=1), r"objects\[0\].length: is nothing that a sphere has"),
    (
        bad(objects=thing()["objects"] * 2),
        r"objects\[1\].name: must be given once, but 'ball' is the name of 2",
    ),
    (bad(start={"position": [0, 0, "a"]}), r"start.position\[2\]: "),
    (bad(start={"heading": 1}), "start: .*heading"),
    (
        task(jump=1),
        r"tasks\[1\]: 'jump' is no verb; "
        "known are go_to, look_at, touch, pick_up, carry_to, put_down, sit, wait",
    ),
    (task(), r"tasks\[1\]: it says nothing; known are go_to"),
    (task(go_to=[0, 0], touch=ZERO), r"tasks\[1\]: a task has one verb, not both go_to and touch"),
    (task(go_to=[0, 0], speed=1), r"tasks\[1\]: 'speed' is no option of go_to; known are heading_deg"),
    (task(go_to=[0, 0], heading=1), r"tasks\[1\]: 'heading' is no option of go_to; known are heading_deg"),
    (task(go_to=[0, 0], heading_deg="east"), r"tasks\[1\].heading_deg: must be a number, not 'east'"),
    (task(wait=1, hand="left"), r"tasks\[1\]: 'hand' is no option of wait; it has none"),
    (task(pick_up="ball", hand="third"), r"tasks\[1\].hand: must be one of left, right, both, not 'third'"),
    (task(pick_up="bowl"), r"tasks\[1\].pick_up: names 'bowl', which is not there; there is ball"),
    (task(go_to={"x": 1}), r"tasks\[1\].go_to: must be a number, a text or a list of numbers"),
    (task(go_to=None), r"tasks\[1\].go_to: must be a number, a text or a list of numbers"),
    (task(go_to=[True, 1]), r"tasks\[1\].go_to: must be a number, a text or a list of numbers"),
    (task(go_to=[[1], 1]), r"tasks\[1\].go_to: must be a number, a text or a list of numbers"),
    (task(wait=[1]), r"tasks\[1\].wait: must be a number, not a list of 1"),
    (bad(tasks=[1]), r"tasks\[0\]: "),
    (bad(terrain=7), "terrain: "),
    (bad(obstacles=[{}] * 10_001), r"obstacles\[0\]: "),
]


@pytest.mark.parametrize(("document", "named"), REFUSED)
def test_what_is_wrong_is_named(tmp_path: Path, document: object, named: str) -> None:
    file = written(tmp_path, document)
    with pytest.raises(LoadError, match=named) as error:
        load_words(file)
    assert str(error.value).startswith(f"{file}: ")
    assert len(str(error.value)) < 1000


OUTSIDE = [
    "/etc/passwd", "../hills.obj", "a/../../hills.obj", "a/..", "..\\hills.obj", "\\\\host\\hills.obj",
    "C:\\hills.obj", "c:hills.obj", "~/hills.obj", "", "hills\n.obj", "a\0b", "x" * 501, "way_out/hills.obj",
]  # fmt: skip


@pytest.mark.parametrize("source", OUTSIDE)
def test_terrain_outside_the_folder_is_refused(tmp_path: Path, source: str) -> None:
    folder = tmp_path / "scenes"
    folder.mkdir()
    (tmp_path / "hills.obj").touch()
    (folder / "way_out").symlink_to(tmp_path)
    asked: list[str] = []

    def loader(text: str, where: Path) -> Terrain:
        asked.append(text)
        return FlatTerrain()

    with pytest.raises(LoadError, match="terrain: must lie in the scene's folder or below it"):
        load_scene(written(folder, bad(terrain=source)), terrain_loader=loader)
    assert not asked
    with pytest.raises(RequestError, match="terrain must lie in the scene's folder or below it"):
        save_scene(Scene(terrain_source=source), folder / "other.json")
    assert not (folder / "other.json").exists()


@pytest.mark.parametrize(
    "source", ["bumps:7", "hills.obj", "a/b c/hills.v2.obj", "..hills.obj", "a..b/x.glb", "flat"]
)
def test_terrain_is_made_by_the_loader(tmp_path: Path, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ground, asked = FlatTerrain(3.0), []

    def loader(text: str, where: Path) -> Terrain:
        asked.append((text, where))
        return ground

    scene = load_scene(written(tmp_path, bad(terrain=source)), terrain_loader=loader)
    assert scene.terrain is ground
    assert scene.terrain_source == source
    assert asked == [(source, tmp_path)]
    save_scene(scene, tmp_path / "again.json")
    assert alike(scene, load_scene(tmp_path / "again.json", terrain_loader=loader))
    # a file without a folder in its name lies in the current one
    monkeypatch.chdir(tmp_path)
    assert load_words("again.json").terrain_source == source
    assert load_scene(written(tmp_path, bad()), terrain_loader=loader).terrain is None


def test_by_default_terrain_is_a_file_or_generated(tmp_path: Path) -> None:
    stones = generate("stones", 7).terrain
    (tmp_path / "ground").mkdir()
    save_terrain(stones, tmp_path / "ground" / "stones.obj")
    for source in ("stones:7", "ground/stones.obj"):
        terrain = load_scene(written(tmp_path, bad(terrain=source))).terrain
        assert isinstance(terrain, MeshTerrain)
        assert sorted(map(tuple, terrain.vertices)) == sorted(map(tuple, stones.vertices))
    assert load_scene(written(tmp_path, bad(terrain="flat:0.5"))).terrain == FlatTerrain(0.5)
    with pytest.raises(LoadError, match=r"scene.json: terrain: .*nowhere.obj' is neither a file nor"):
        load_scene(written(tmp_path, bad(terrain="nowhere.obj")))


def test_a_terrain_that_cannot_be_loaded(tmp_path: Path) -> None:
    def loader(text: str, where: Path) -> Terrain:
        raise LoadError("has no triangles", file=where / text)

    file = written(tmp_path, bad(terrain="hills.obj"))
    with pytest.raises(LoadError, match=r"scene.json: terrain: .*hills.obj: has no triangles"):
        load_scene(file, terrain_loader=loader)


@pytest.mark.parametrize(
    ("scene", "refused"),
    [
        (Scene(FlatTerrain()), "terrain_source"),
        (
            Scene(obstacles=(Obstacle(Sphere(1), np.zeros(3), quat.normalize(np.array([1.0, 0.1, 0, 0]))),)),
            r"obstacles\[0\].orientation must be upright",
        ),
        (
            Scene(objects=(SceneObject("can", Cylinder(1, 1), np.zeros(3)),)),
            r"objects\[0\].shape must be one of sphere, box, capsule, not a Cylinder",
        ),
    ],
)
def test_what_a_file_cannot_say_is_refused(tmp_path: Path, scene: Scene, refused: str) -> None:
    with pytest.raises(RequestError, match=refused):
        save_scene(scene, tmp_path / "scene.json")
    assert os.listdir(tmp_path) == []


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path, "a\0b.json"):
        with pytest.raises(LoadError):
            load_words(path)
    with pytest.raises(SaveError):
        save_scene(Scene(), tmp_path / "no" / "folder.json")


def large() -> list[tuple[str, str]]:
    """Files at the limits, and beyond them."""
    rng = np.random.default_rng(0)
    sphere = {"shape": "sphere", "radius": 1, "position": ZERO}
    turns = np.linspace(0, 2 * np.pi, 500, endpoint=False)
    spiky = rng.uniform(0.1, 1, (500, 1)) * np.stack([np.sin(turns), np.cos(turns)], axis=-1)
    polygon = {"shape": "polygon", "corners": spiky.round(6).tolist(), "height": 1, "position": ZERO}
    keys = [{"time": i, "position": [i, 0, 0]} for i in range(20_001)]
    balls = [{"name": f"ball{i}", "shape": "sphere", "radius": 1, "position": ZERO} for i in range(1000)]
    moving = [{**sphere, "course": {"keys": keys[:10_000]}}] * 2
    pick_ups = [{"pick_up": f"ball{i % 1000}"} for i in range(10_000)]
    return [
        (json.dumps(bad(obstacles=[sphere] * 10_000)), ""),
        (json.dumps(bad(obstacles=[sphere] * 10_001)), "obstacles: a scene has at most 10000, not 10001"),
        (json.dumps(bad(obstacles=[polygon] * 20)), ""),
        (json.dumps(bad(obstacles=[polygon] * 21)), "corners: a scene has at most 10000, not 10500"),
        (json.dumps(bad(obstacles=moving)), ""),
        (
            json.dumps(bad(obstacles=[{**sphere, "course": {"keys": keys}}])),
            "keys: a scene has at most 20000",
        ),
        (json.dumps(bad(objects=balls, tasks=pick_ups)), ""),
        (json.dumps(bad(tasks=[{"wait": 1}] * 10_001)), "tasks: a scene has at most 10000, not 10001"),
        (
            '{"version": 1, "tasks": [{"wait": [' + "[]," * 1_300_000 + "0]}]}",
            "wait: must be a number, a text or a list",
        ),
        ('{"version": 1, "tasks": [{"wait": 1' + "0" * (4 << 20) + "}]}", "at most 4194304 bytes"),
        ('{"version": 1, "tasks": [{"wait": 1' + "0" * (4 << 19) + "}]}", "scene"),
    ]


@pytest.mark.parametrize(("text", "refused"), large(), ids=range(11))
def test_no_file_takes_long(tmp_path: Path, text: str, refused: str) -> None:
    file = written(tmp_path, text)
    began = time.perf_counter()
    if refused:
        with pytest.raises(LoadError, match=refused):
            load_words(file)
    else:
        load_words(file)
    assert time.perf_counter() - began < 2.0


def test_lists_that_nothing_asks_for_take_no_memory(tmp_path: Path) -> None:
    """The worst that JSON can do to memory is many empty lists."""
    file = written(tmp_path, '{"version": 1, "tasks": [{"wait": [' + "[]," * 1_000_000 + "0]}]}")
    tracemalloc.start()
    try:
        with pytest.raises(LoadError, match="a list of numbers"):
            load_words(file)
        assert tracemalloc.get_traced_memory()[1] < 4 * file.stat().st_size
    finally:
        tracemalloc.stop()


def test_damaged_files_are_refused_or_load(tmp_path: Path) -> None:
    """Any byte changed, left out or doubled: a LoadError or a scene, nothing else."""
    whole = json.dumps(FULL).encode()
    rng = np.random.default_rng(1)
    outcomes = {"loaded": 0, "refused": 0}
    file = tmp_path / "scene.json"
    for _ in range(400):
        content = bytearray(whole)
        at, length = int(rng.integers(len(content))), int(rng.integers(1, 6))
        kind = rng.integers(4)
        if kind == 0:
            content[at] = int(rng.integers(256))
        elif kind == 1:
            del content[at : at + length]
        elif kind == 2:
            content[at:at] = content[at : at + length]
        else:
            digits = [i for i, c in enumerate(content) if chr(c).isdigit()]
            content[digits[at % len(digits)]] = int(rng.choice(list(b"0123456789-e.")))
        file.write_bytes(content)
        try:
            load_words(file)
            outcomes["loaded"] += 1
        except LoadError:
            outcomes["refused"] += 1
    assert min(outcomes.values()) > 30, outcomes
