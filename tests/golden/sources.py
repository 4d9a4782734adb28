"""Clips, models and grounds that requests name; each is made once a process.

The virtual actor's default models come from the library, which keeps them in its cache. Models of captures
and of a few of the actor's takes are small: they are built here, so that builders are looked at too.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import footfall as ff
from tests.captures import FOLDER

CAPTURED = "captured"  # models whose names begin so need the captures


def needs_captures(request: object) -> bool:
    """Whether a request names a capture, or a model of captures."""
    if isinstance(request, Mapping):
        return "capture" in request or any(needs_captures(value) for value in request.values())
    if isinstance(request, list):
        return any(needs_captures(value) for value in request)
    return isinstance(request, str) and request.split(" ")[0] == CAPTURED


# clips


def clip(said: Mapping[str, Any]) -> ff.Motion:
    """A clip: {"capture": FILE} or {"actor": METHOD, ...}, changed by "faults" and the like."""
    return _clip(json.dumps(said, sort_keys=True))


@cache
def _clip(said: str) -> ff.Motion:
    wishes = json.loads(said)
    faults, frames, bare = wishes.pop("faults", None), wishes.pop("frames", None), wishes.pop("bare", False)
    rate, slid = wishes.pop("rate", None), wishes.pop("slid", ())
    motion = capture(wishes["capture"]) if "capture" in wishes else performed(wishes).motion
    if frames is not None:
        motion = motion[frames[0] : frames[1]]
    if faults is not None:
        motion = ff.with_faults(motion, ff.Faults(**faults)).motion
    if bare:  # as if nothing were known about its contacts
        motion = ff.Motion(motion.skeleton, motion.root, motion.rotations, motion.fps, motion.translations)
    for frame, away, height in slid:  # pushed aside from a frame on within a tenth of a second, and lifted
        share = np.clip((np.arange(len(motion)) - frame) / (0.1 * motion.fps), 0.0, 1.0)
        lifted = height * np.sin(np.pi * share)
        root = motion.root + np.stack([away * share, lifted, 0.3 * away * share], axis=1)
        motion = ff.Motion(motion.skeleton, root, motion.rotations, motion.fps)
    if rate is not None:  # as if its file told another one
        motion = ff.Motion(motion.skeleton, motion.root, motion.rotations, rate, motion.translations)
    return motion


def performed(said: Mapping[str, Any]) -> ff.Example:
    """What the virtual actor does: {"actor": METHOD, "person": {"seed", "height", "style", "fps"}, ...}."""
    wishes = dict(said)
    person = dict(wishes.pop("person", {}))
    style = ff.Style(**person.pop("style")) if "style" in person else None
    actor = ff.VirtualActor(style=style, **person)
    method, target = wishes.pop("actor"), wishes.pop("target", None)
    if target is None:
        return getattr(actor, method)(**wishes)
    places = {hand: np.array(place) for hand, place in target.items()} if isinstance(target, dict) else None
    return getattr(actor, method)(np.array(target) if places is None else places, **wishes)


def capture(file: str) -> ff.Motion:
    """A captured clip, by its path in the folder of captures."""
    return ff.load_motion(FOLDER / file)


# models


_MADE: dict[str, Any] = {}  # models by name


def model(name: str) -> Any:
    """A model by its name in `MODELS`."""
    if name not in _MADE:
        _MADE[name] = MODELS[name]()
    return _MADE[name]


def made_models() -> tuple[str, ...]:
    """The names of the models that were asked for."""
    return tuple(_MADE)


def _default(system: str) -> Callable[[], Any]:
    """The library's own model of a system, built once and kept in its cache."""

    def made() -> Any:
        from footfall.models.locomotion.default import default_locomotion
        from footfall.models.movements.default import default_movements
        from footfall.models.reach.default import default_reach
        from footfall.models.ring.default import default_gaits
        from footfall.models.stepspace.default import default_step_space

        defaults = {
            "movements": default_movements,
            "steps": default_step_space,
            "gaits": default_gaits,
            "locomotion": default_locomotion,
            "reach": default_reach,
        }
        return defaults[system]()

    return made


def _few_takes() -> ff.StepSpace:
    takes = {take.name: take for take in ff.VirtualActor().perform("stepping")}
    return ff.build_step_space([takes[name] for name in ("forward_1", "forward_2", "backward_1", "side_1")])


def _few_gaits() -> ff.RingGraph:
    actor = ff.VirtualActor()
    takes = [actor.walk(0.9), actor.walk(1.5), actor.run(2.2), actor.run(3.0), actor.idle(4.0)]
    for rise, turn in ((0.12, 0.3), (0.12, -0.3), (-0.12, 0.3), (-0.12, -0.3)):  # m and rad a step
        takes += [actor.stairs(rise, 0.5, turn=turn), actor.stairs(rise, 0.8, turn=turn, running=True)]
    return ff.build_gaits(takes)


def _few_movements() -> ff.MovementLibrary:
    """Steps cut from walks on curves, asked for by their turn."""
    walks = ((0.8, -0.6), (0.8, 0.5), (1.3, -0.5), (1.3, 0.6), (1.0, 0.0))  # m/s, rad/s
    clips = [ff.VirtualActor().walk(speed, turn_rate=rate, steps=3).motion for speed, rate in walks]
    asked = dict.fromkeys(("left_step", "right_step"), ("end_length", "turn"))
    return ff.build_movements(clips, parameters=asked, pseudo_examples=0)


def _annotated_movements() -> ff.MovementLibrary:
    """Steps and jumps of the actor's session, a few of each, with pseudo-examples between them."""
    from footfall.actor.sessions.movements import step

    actor = ff.VirtualActor(2, fps=30.0)
    lengths = ((0.0, 0.4), (0.4, 0.4), (0.4, 0.0), (0.7, 0.5), (0.5, 0.7))
    examples = [step(actor, foot, a, b) for foot in ("left", "right") for a, b in lengths]
    jumps = [actor.jump(length, 0.25) for length in (0.4, 0.7, 1.0, 1.3)]
    return ff.build_movements([*examples, *jumps], pseudo_examples=4)


def _cut_jumps() -> ff.MovementLibrary:
    actor = ff.VirtualActor(fps=30.0)
    clips = [actor.jump(length, 0.2 + 0.1 * length).motion for length in (0.4, 0.7, 1.0, 1.3, 1.6)]
    return ff.build_movements(clips, parameters={"jump": ("length",)}, pseudo_examples=2)


def _few_runs() -> ff.StepSpace:
    """Steps that are walked and steps that are run."""
    actor = ff.VirtualActor(fps=30.0)
    walked = [take.motion for take in actor.perform("stepping") if take.name in ("forward_1", "side_1")]
    run = [
        actor.run(speed, turn_rate=turn, steps=6).motion
        for speed, turn in ((2.2, 0.0), (2.9, 0.3), (2.5, -0.3))
    ]
    return ff.build_step_space([*walked, *run])


def _few_reaches() -> ff.ReachLibrary:
    places = ((-0.3, 1.3, 0.4), (-0.1, 0.7, 0.45), (-0.5, 1.0, 0.1), (0.0, 1.1, 0.5), (-0.3, 0.2, 0.4))
    return ff.build_reach([ff.VirtualActor(fps=30.0).reach(np.array(place)) for place in places])


def _few_locomotion() -> ff.Locomotion:
    actor = ff.VirtualActor(3, fps=30.0)
    takes = [actor.idle(2.0), actor.walk(0.7, steps=4), actor.walk(1.4, steps=4), actor.walk(-0.6, steps=4)]
    takes += [actor.walk(1.0, turn_rate=0.6, steps=4), actor.strafe(0.4, steps=4), actor.turn_in_place(1.5)]
    return ff.build_locomotion([take.motion for take in takes])


def _combined_ring() -> ff.RingGraph:
    actor = ff.VirtualActor(4, fps=30.0)
    takes = [actor.walk(0.8), actor.walk(1.5), actor.walk(1.1, turn_rate=0.4), actor.stairs(0.14, 0.5)]
    return ff.RingGraph.of(ff.build_ring(takes, combined=True))


def _captures(*files: str) -> list[ff.Motion]:
    return [capture(file) for file in files]


def _folder(pattern: str) -> list[ff.Motion]:
    return [ff.load_motion(path) for path in sorted(FOLDER.glob(pattern))]


def _captured_gaits() -> ff.RingGraph:
    return ff.build_gaits(
        _captures("walk/16_16.bvh", "turn-side-back/16_13.bvh", "stairs-uneven/74_14.bvh", "run/16_35.bvh")
    )


def _captured_movements() -> ff.MovementLibrary:
    files = [f"steps/83_{number}.bvh" for number in ("01", "18", "20", "44", "55", "66")]
    asked = dict.fromkeys(("left_step", "right_step"), ("start_length", "end_length", "turn"))
    return ff.build_movements(_captures(*files), parameters=asked, pseudo_examples=0)


MODELS: Mapping[str, Callable[[], Any]] = {
    "default movements": _default("movements"),
    "default steps": _default("steps"),
    "default gaits": _default("gaits"),
    "default locomotion": _default("locomotion"),
    "default reach": _default("reach"),
    "few steps": _few_takes,
    "few gaits": _few_gaits,
    "few movements": _few_movements,
    "annotated movements": _annotated_movements,
    "cut jumps": _cut_jumps,
    "few runs": _few_runs,
    "few reach": _few_reaches,
    "few locomotion": _few_locomotion,
    "combined ring": _combined_ring,
    "captured gaits": _captured_gaits,
    "captured steps": lambda: ff.build_step_space(
        _captures("steps/83_01.bvh", "steps/83_18.bvh", "walk/16_16.bvh", "run/16_35.bvh")
    ),
    "captured movements": _captured_movements,
    "captured reach": lambda: ff.build_reach(_folder("reach/*.skm")),
    "captured locomotion": lambda: ff.build_locomotion(_folder("locomotion-set/*.skm")),
}


# grounds


def ground(said: object) -> Any:
    """A ground: None, a generator such as "bumps:7", or one with sizes, an incline, a flight of stairs."""
    return None if said is None else _ground(json.dumps(said, sort_keys=True))


@cache
def _ground(said: str) -> Any:
    wishes = json.loads(said)
    if isinstance(wishes, str):
        return ff.open_terrain(wishes)
    if "slope" in wishes:
        return ff.InclinedTerrain(**wishes)
    if "riser" in wishes:
        stairs = ff.StraightStairs(wishes["riser"], wishes["tread"])
        return stairs.flight(wishes["first"], wishes["last"], width=wishes.get("width", 1.6))
    if "waves" in wishes:
        return _waves(**wishes)
    return generated(said).terrain


def _waves(waves: float, length: float, size: float, cell: float) -> ff.HeightField:
    """A height field of crossing waves: their height and length, the size of the field, its cell; metres."""
    at = np.arange(-0.5 * size, 0.5 * size + 0.5 * cell, cell)
    heights = waves * np.outer(np.sin(2.0 * np.pi * at / length), np.cos(2.0 * np.pi * at / length))
    return ff.HeightField(heights, cell, np.array([at[0], at[0]]))


@cache
def generated(said: str) -> Any:
    """A generated ground with its own walk; what is said of it as JSON."""
    wishes = json.loads(said)
    if isinstance(wishes, str):
        kind, _, seed = wishes.partition(":")
        return ff.generate_terrain(kind, int(seed or 0))
    kind, size = wishes.pop("kind"), wishes.pop("size", None)
    if size is not None:
        wishes["size"] = tuple(size)
    return ff.generate_terrain(kind, **wishes)


def crossing(said: object) -> ff.FootPlan:
    """The walk that a generated ground is made for."""
    return generated(json.dumps(said, sort_keys=True)).crossing


def scene(said: Mapping[str, Any]) -> ff.Scene:
    """A scene as its file has it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scene.json"
        file.write_text(json.dumps({"version": 1, **said}))
        return ff.load_scene(file)
