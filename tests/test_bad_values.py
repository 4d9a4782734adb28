"""Public functions on values that make no sense: a sentence of ours, never another error, nor without end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import footfall as ff
from tests.models.ring.rings import resting_ring, small_ring

NUMBERS = (
    *("x", b"x", "\0", None, [], {}, [1, 2], np.zeros((2, 2)), object(), 1j, True),
    *(float("nan"), np.float64("nan"), float("inf"), -float("inf"), 1e308, -1e308, 1e-320, -0.0, 0, -1),
    *(10**30, 10**400, -(10**400), np.int8(3)),
)
ARRAYS = (
    *("x", "left", None, 0, {}, object(), [], [[]], [1, 2], [[1, 2], [3]], ["a", "b", "c"], [True] * 3),
    *([float("nan")] * 3, [float("inf")] * 3, [1e308] * 3, [1j] * 3, 10**400, [10**400] * 3, np.array(None)),
    *(np.zeros((0, 3)), np.zeros((2, 2)), np.zeros((3, 3, 3)), np.full(3, np.nan)),
)
TEXTS = (
    *("", "x" * 10_000, "\0", "a\x1b[2J", "Left", "left\n", "9" * 5000, None, 3, float("nan"), b"left"),
    *(["left"], {}, {"left"}, np.array("left"), np.array(["y", "z"]), np.zeros(2)),
)
MAPS = (None, 3, "x", [], {3: 4}, {"x": float("nan")}, {"left": "x"}, object())
KINDS = {"number": NUMBERS, "array": ARRAYS, "text": TEXTS, "map": MAPS}


@cache
def skeleton() -> ff.Skeleton:
    return ff.humanoid()


@cache
def motion() -> ff.Motion:
    return ff.range_of_motion(skeleton(), fps=10.0)


@cache
def walk() -> ff.Motion:
    return ff.VirtualActor().walk(steps=3).motion


@cache
def edit() -> ff.WalkEdit:
    return ff.WalkEdit(ff.VirtualActor().walk(steps=8).motion)


def actor(name: str) -> Callable[..., Any]:
    return lambda **asked: getattr(ff.VirtualActor(), name)(**asked)


def ball() -> ff.Placed:
    return ff.Placed(ff.Sphere(1.0), np.zeros(3))


def on_ground(name: str, ask: str) -> Callable[..., Any]:
    grounds = {
        "flat": ff.FlatTerrain,
        "slope": lambda: ff.InclinedTerrain(0.1),
        "mesh": lambda: ff.MeshTerrain([[0, 0, 0], [0, 0, 1], [1, 0, 0]], [[0, 1, 2]]),  # type: ignore[arg-type]
        "field": lambda: ff.HeightField(np.zeros((3, 3)), 1.0),
        "stairs": lambda: ff.StraightStairs(0.1, 0.3),
        "spiral": lambda: ff.SpiralStairs(0.1, 0.3, 1.0),
    }
    return lambda **asked: getattr(grounds[name](), ask)(**asked)


SEEN = {"x": 0.0, "z": 0.0}
SEEN_KINDS = {"x": "array", "z": "array", "start": "array"}
STEPS = {"steps": "number", "first": "text"}
PACE = {"speed": "number", "step_length": "number", "turn_rate": "number"}
FAULTS = dict.fromkeys(
    ("noise", "slide", "dropped", "repeated", "spikes", "tilt", "offset", "fps", "seed"), "number"
)
LIMITS = {"slowest": 0.1, "fastest": 1.0, "turn_rate": 1.0, "acceleration": 1.0, "braking": 1.0}
LIMITS |= {"step_seconds": 0.5, "stopping": 0.5, "tightest": 0.0}

# what is called, with what it works with, and the kinds of its values
CASES: dict[str, tuple[Callable[..., Any], dict[str, Any], dict[str, str]]] = {
    "humanoid": (ff.humanoid, {}, {"height": "number"}),
    "range_of_motion": (lambda **k: ff.range_of_motion(skeleton(), **k), {"fps": 10}, {"fps": "number"}),
    "normalize": (lambda **k: ff.normalize(motion(), **k), {}, {"frame": "number"}),
    "resample": (lambda **k: ff.resample(motion(), **k), {"fps": 20}, {"fps": "number"}),
    "VirtualActor": (ff.VirtualActor, {}, {"seed": "number", "height": "number", "fps": "number"}),
    "Style": (ff.Style, {}, dict.fromkeys(("tempo", "width", "arm_swing", "lean", "toe_out"), "number")),
    "Style.of": (ff.Style.of, {"seed": 1}, {"seed": "number"}),
    "perform": (actor("perform"), {}, {"session": "text"}),
    "walk": (actor("walk"), {"steps": 2}, {**PACE, "slope": "number", **STEPS}),
    "run": (actor("run"), {"steps": 2}, {**PACE, "slope": "number", **STEPS}),
    "strafe": (actor("strafe"), {"steps": 2}, {"side_speed": "number", "speed": "number", "steps": "number"}),
    "stairs": (
        actor("stairs"),
        {"steps": 2},
        {"riser": "number", "tread": "number", "turn": "number", **STEPS},
    ),
    "start_and_stop": (actor("start_and_stop"), {"steps": 3}, {**PACE, **STEPS}),
    "sidestep": (
        actor("sidestep"),
        {"steps": 2},
        {"advance": "number", "steps": "number", "seconds": "number"},
    ),
    "cross_step": (
        actor("cross_step"),
        {"pairs": 1},
        {"side": "text", "pairs": "number", "seconds": "number"},
    ),
    "step_to": (
        actor("step_to"),
        {"forward": 0.3},
        {"forward": "number", "side": "number", "rise": "number", "foot": "text", "turn": "number"},
    ),
    "turn_in_place": (actor("turn_in_place"), {"angle": 0.5}, {"angle": "number"}),
    "jump": (actor("jump"), {}, {"length": "number", "height": "number"}),
    "reach": (
        actor("reach"),
        {"target": [9.0, 9.0, 9.0]},  # refused anyway: a posture takes a second to be found
        {
            "target": "array",
            "arm": "text",
            "seat": "number",
            "hand": "text",
            "touch": "text",
            "hold": "number",
        },
    ),
    "idle": (actor("idle"), {"seconds": 1.0}, {"seconds": "number"}),
    "with_faults": (lambda **k: ff.with_faults(motion(), ff.Faults(**k)), {}, FAULTS),
    "disguised": (
        lambda **k: ff.disguised(motion(), **k),
        {"disguise": "no_toes"},
        {"disguise": "text", "seed": "number"},
    ),
    "Sphere": (ff.Sphere, {}, {"radius": "number"}),
    "Box": (ff.Box, {}, {"size": "array"}),
    "Capsule": (ff.Capsule, {"radius": 0.2, "length": 1.0}, {"radius": "number", "length": "number"}),
    "Cylinder": (ff.Cylinder, {"radius": 0.2, "height": 1.0}, {"radius": "number", "height": "number"}),
    "Polygon": (
        ff.Polygon,
        {"corners": [[0, 0], [0, 1], [1, 0]], "height": 1.0},
        {"corners": "array", "height": "number"},
    ),
    "Placed": (
        lambda **k: ff.Placed(ff.Sphere(1.0), **k),
        {"position": np.zeros(3)},
        {"position": "array", "orientation": "array"},
    ),
    "Placed.upright": (
        lambda **k: ff.Placed.upright(ff.Sphere(1.0), **k),
        {"position": np.zeros(3)},
        {"position": "array", "heading": "number"},
    ),
    "Placed.mesh": (lambda **k: ball().mesh(**k), {}, {"segments": "number"}),
    "Placed.distance_to": (lambda **k: ball().distance_to(**k), {}, {"points": "array"}),
    "overlap": (lambda **k: ff.overlap(ball(), ball(), **k), {}, {"margin": "number"}),
    "overlaps_terrain": (
        lambda **k: ff.overlaps_terrain(ball(), ff.FlatTerrain(), **k),
        {},
        {"margin": "number"},
    ),
    "FlatTerrain": (ff.FlatTerrain, {}, {"level": "number"}),
    "InclinedTerrain": (ff.InclinedTerrain, {"slope": 0.1}, {"slope": "number", "level": "number"}),
    "HeightField": (
        ff.HeightField,
        {"heights": np.zeros((3, 3)), "cell": 1.0},
        {"heights": "array", "cell": "number", "origin": "array", "labels": "array", "kinds": "array"},
    ),
    "MeshTerrain": (
        ff.MeshTerrain,
        {"vertices": [[0, 0, 0], [0, 0, 1], [1, 0, 0]], "triangles": [[0, 1, 2]]},
        {"vertices": "array", "triangles": "array", "labels": "array", "kinds": "array"},
    ),
    **{
        f"{name}.{ask}": (on_ground(name, ask), SEEN, SEEN_KINDS)
        for name in ("flat", "slope", "mesh", "field")
        for ask in ("height", "normal", "label")
    },
    **{f"{name}.closest": (on_ground(name, "closest"), {}, {"points": "array"}) for name in ("flat", "mesh")},
    "stairs.height": (on_ground("stairs", "height"), SEEN, SEEN_KINDS),
    "spiral.height": (on_ground("spiral", "height"), SEEN, SEEN_KINDS),
    "stairs.flight": (
        on_ground("stairs", "flight"),
        {"first": 0, "last": 2},
        {"first": "number", "last": "number", "width": "number"},
    ),
    "StraightStairs": (
        ff.StraightStairs,
        {"riser": 0.1, "tread": 0.3},
        {"riser": "number", "tread": "number"},
    ),
    "SpiralStairs": (
        ff.SpiralStairs,
        {"riser": 0.1, "turn": 0.3, "axis": 1.0},
        {"riser": "number", "turn": "number", "axis": "number"},
    ),
    "generate_terrain": (
        ff.generate_terrain,
        {"kind": "stones"},
        {"kind": "text", "seed": "number", "size": "array", "triangles": "number", "turns": "number"},
    ),
    "StepLimits": (
        ff.StepLimits,
        {},
        dict.fromkeys(("rise", "length", "slope", "foot_length", "foot_width"), "number"),
    ),
    "open_terrain": (ff.open_terrain, {"text": "flat"}, {"text": "text", "folder": "text"}),
    "Motion": (
        lambda **k: ff.Motion(skeleton(), **{"root": motion().root, "rotations": motion().rotations, **k}),
        {"fps": 10.0},
        {"root": "array", "rotations": "array", "fps": "number", "translations": "array"},
    ),
    "Motion.between": (
        lambda **k: motion().between(**k),
        {"start": 0.0, "end": 1.0},
        {"start": "number", "end": "number"},
    ),
    "Motion.of": (lambda **k: motion().of(**k), {}, {"role": "text"}),
    "Skeleton": (
        ff.Skeleton,
        {
            "names": ("a", "b"),
            "parents": [-1, 0],
            "offsets": np.zeros((2, 3)),
            "rest": np.tile([1.0, 0, 0, 0], (2, 1)),
            "roles": {},
        },
        {
            "parents": "array",
            "offsets": "array",
            "rest": "array",
            "roles": "map",
            "end_parents": "array",
            "end_offsets": "array",
        },
    ),
    "Skeleton.joint": (lambda **k: skeleton().joint(**k), {}, {"role": "text"}),
    "Contacts": (
        ff.Contacts,
        {"heel": np.zeros((3, 2)), "toe": np.zeros((3, 2))},
        {"heel": "array", "toe": "array"},
    ),
    "FootPoints": (
        ff.FootPoints,
        {"heel": [0, 0, -0.1], "subtalar": [0, -0.05, 0], "ball": [0, -0.05, 0.1], "toe": [0, -0.05, 0.2]},
        {"heel": "array", "subtalar": "array", "ball": "array", "toe": "array"},
    ),
    "Example": (lambda **k: ff.Example(motion(), **k), {}, {"keytimes": "array", "parameters": "map"}),
    "extract_plan": (lambda **k: ff.extract_plan(walk(), **k), {}, {"start": "number", "end": "number"}),
    "FootPlacement": (
        ff.FootPlacement,
        {"foot": "left", "position": np.zeros(3)},
        {"foot": "text", "position": "array", "heading": "number", "swing": "number", "stance": "number"},
    ),
    "Command": (
        ff.Command,
        {"time": 0.0},
        {"time": "number", "heading": "number", "turn": "number", "step_length": "number", "gait": "text"},
    ),
    "Course": (
        ff.Course,
        {"times": [0, 1], "positions": [[0, 0, 0], [1, 0, 0]]},
        {"times": "array", "positions": "array", "headings": "array"},
    ),
    "Obstacle": (
        lambda **k: ff.Obstacle(ff.Sphere(1.0), **k),
        {"position": np.zeros(3)},
        {"position": "array", "orientation": "array"},
    ),
    "SceneObject": (
        lambda **k: ff.SceneObject(shape=ff.Sphere(0.1), **k),
        {"name": "ball", "position": np.zeros(3)},
        {"name": "text", "position": "array", "heading": "number"},
    ),
    "Start": (ff.Start, {}, {"position": "array", "heading": "number"}),
    "Task": (
        ff.Task,
        {"verb": "go_to", "target": (1.0, 1.0)},
        {"verb": "text", "target": "array", "options": "map"},
    ),
    "BodySize": (ff.BodySize, {}, {"width": "number", "depth": "number"}),
    "WalkLimits": (ff.WalkLimits, {}, {"slope": "number", "step": "number", "headroom": "number"}),
    "GaitLimits": (ff.GaitLimits, LIMITS, dict.fromkeys(LIMITS, "number")),
    "Path": (ff.Path, {}, {"points": "array"}),
    "plan_path": (
        lambda **k: ff.plan_path(ff.Scene(), **k),
        {"start": [0, 0], "goal": [1, 1]},
        {"start": "array", "goal": "array", **dict.fromkeys(("radius", "comfort", "bend", "time"), "number")},
    ),
    "Avoidance": (
        ff.Avoidance,
        {"radii": [0.3, 0.3]},
        {
            **dict.fromkeys(("radii", "speeds", "walls", "acceleration", "turning"), "array"),
            **dict.fromkeys(("horizon", "wall_horizon", "neighbours"), "number"),
            "keep": "text",
        },
    ),
    "WorldOffset": (lambda **k: ff.WorldOffset(skeleton(), **k), {}, {"place": "array", "heading": "number"}),
    "FullBodyIK": (lambda **k: ff.FullBodyIK(skeleton(), **k), {}, {"looseness": "map", "root": "number"}),
    "ConstraintController": (
        lambda **k: ff.ConstraintController(skeleton(), **k),
        {},
        {"looseness": "map", "root": "number"},
    ),
    "hold": (
        lambda **k: ff.ConstraintController(skeleton()).hold(**k),
        {"role": "left_hand", "position": [0.0, 1.0, 0.0]},
        {"role": "text", "position": "array", "orientation": "array", "point": "array", "level": "number"},
    ),
    "Goal": (
        ff.Goal,
        {"joint": 1, "position": np.zeros(3)},
        {"position": "array", "orientation": "array", "point": "array"},
    ),
    "WalkEdit.synthesize": (
        lambda **k: edit().synthesize(**{"steps": 2, **k}),
        {},
        {
            **dict.fromkeys(("steps", "step_length", "lift", "slope", "curve", "speed", "fps"), "number"),
            "stairs": "array",
            "first": "text",
        },
    ),
    "WalkEdit.on": (lambda **k: edit().on(ff.FlatTerrain(), **k), {}, {"path": "array"}),
    "MotionRing.pose": (
        lambda **k: small_ring().pose(
            **{"weights": np.full(len(small_ring()), 1.0 / len(small_ring())), **k}
        ),
        {"frame": 0.0},
        {"frame": "number", "weights": "array"},
    ),
    "MotionRing.synthesize": (
        lambda **k: small_ring().synthesize(
            **{"turn": 0.0, "step_length": 0.6, "rise": 0.0, "steps": 1, **k}
        ),
        {},
        dict.fromkeys(("steps", "fps", "turn", "step_length", "rise"), "number"),
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore")
def test_bad_values_are_refused_in_a_sentence_or_make_sense(name: str) -> None:
    call, usual, kinds = CASES[name]
    said = []
    for argument, kind in kinds.items():
        for value in KINDS[kind]:
            try:
                call(**{**usual, argument: value})
            except ff.FootfallError as error:  # anything else fails the test
                said.append(str(error))
    assert said
    assert all(sentence.isprintable() for sentence in said)


READERS: Sequence[Callable[[Any], Any]] = (
    *(ff.load_motion, ff.load_capture, ff.load_skeleton, ff.load_scene, ff.load_commands, ff.load_model),
    *(ff.load_terrain, ff.FootPlan.load, ff.load_motions),
)
SAVERS: dict[str, Callable[[Any], None]] = {
    ".bvh": lambda path: ff.save_motion(motion(), path),
    ".ffm": lambda path: ff.save_motion(motion(), path),
    ".glb": lambda path: ff.save_motion(motion(), path),
    ".obj": lambda path: ff.save_terrain(ff.generate_terrain("flat").terrain, path),
    ".json": lambda path: ff.save_scene(ff.Scene(), path),
    ".ffmodel": lambda path: resting_ring().save(path),
}


@pytest.mark.parametrize("read", READERS, ids=lambda read: read.__name__)
def test_names_that_no_file_has_cannot_be_read(read: Callable[[Any], Any]) -> None:
    for name in (*TEXTS, "a\0b.bvh", "nowhere/\udcff", object(), [3]):
        with pytest.raises(ff.FootfallError) as told:
            read(name)
        assert str(told.value).isprintable()


@pytest.mark.parametrize("ending", SAVERS)
def test_names_that_no_file_can_have_cannot_be_written(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (
        None,
        3,
        b"a",
        object(),
        "\0" + ending,
        "a\0b" + ending,
        "x" * 10_000 + ending,
        "no/a" + ending,
    ):
        with pytest.raises(ff.FootfallError) as told:
            SAVERS[ending](name)
        assert str(told.value).isprintable()
    assert list(tmp_path.iterdir()) == []


def test_options_of_readers_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "a.bvh"
    ff.save_motion(motion(), path)
    said = []
    for name, kind in {"fps": "number", "unit": "number", "up": "text", "roles": "map"}.items():
        for value in KINDS[kind]:
            try:
                ff.load_motion(path, **{name: value})  # type: ignore[arg-type]
            except ff.FootfallError as error:
                said.append(str(error))
    assert all(sentence.isprintable() for sentence in said)


@pytest.mark.parametrize(
    "text", ["bumps:" + "9" * 5000, "bumps:" + "9" * 25, "flat:nan", "flat:" + "9" * 5000]
)
def test_terrain_of_a_number_without_end(text: str) -> None:
    with pytest.raises(ff.RequestError):
        ff.open_terrain(text)


def test_what_cannot_be_is_named_as_it_was_asked() -> None:
    with pytest.raises(ff.RequestError, match="pairs must be"):
        ff.VirtualActor().cross_step(pairs=0)
    with pytest.raises(ff.RequestError, match="frame rate"):
        ff.range_of_motion(skeleton(), fps=0)


def test_a_ring_is_the_same_after_any_number_of_cycles() -> None:
    """And is told at once, however many there are."""
    ring = small_ring()
    weights = np.full(len(ring), 1.0 / len(ring))
    frames = ring.tables.frames
    for frame in (0.0, 0.25, frames / 2 - 0.5, frames / 2, frames - 0.125):
        here = ring.pose(frame, weights)
        for cycles in (1, 7, -1, -5, 10**8):
            there = ring.pose(frame + cycles * frames, weights)
            np.testing.assert_allclose(
                there.root, here.root, rtol=0.0, atol=1e-6 if abs(cycles) > 99 else 1e-12
            )
            np.testing.assert_allclose(
                there.rotations, here.rotations, rtol=0.0, atol=1e-6 if abs(cycles) > 99 else 1e-12
            )
    assert np.isfinite(ring.pose(6e9, weights).root).all()
    assert np.isfinite(ring.pose(1e300, weights).root).all()
