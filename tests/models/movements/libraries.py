"""Small movement libraries that tests share, made once."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

import footfall as ff
from footfall.figure.example import Example
from footfall.figure.motion import Motion
from footfall.models.movements.build import build_movements
from footfall.models.movements.kind import MovementKind
from footfall.models.movements.model import MovementLibrary
from tests.captured import captured
from tests.captures import FOLDER

STEPS = ("stand_short", "short_stand", "short_short", "medium_long", "long_long")
FPS = 30.0


@cache
def session() -> tuple[Example, ...]:
    """The actor's: 15 steps a side and four jumps."""
    return ff.VirtualActor().perform("movements")


def chosen_examples() -> list[Example]:
    """Five steps a side and the four jumps of the actor's session."""
    return [e for e in session() if e.kind == "jump" or e.name.partition("_")[2] in STEPS]


@cache
def small_library() -> MovementLibrary:
    """Left steps with pseudo-examples, jumps, and a kind whose one parameter was given, not measured."""
    wanted = [e for e in chosen_examples() if e.kind != "right_step"]
    steps, jumps = build_movements(wanted, pseudo_examples=2).members
    moods = np.array([[-1.0], [0.25], [1.0], [2.0]])
    return MovementLibrary((steps, jumps, MovementKind.of("mood jump", jumps.examples, ("mood",), moods)))


@cache
def snapped_library() -> MovementLibrary:
    """Movements begin on a frame: played at that rate they have the frames of their examples."""
    snapped = [
        replace(e, keytimes=(np.floor(e.keytimes[0] * FPS) / FPS, *e.keytimes[1:])) for e in chosen_examples()
    ]
    return build_movements(snapped, fps=FPS, pseudo_examples=1)


# What a library is made of decides what can be asked of it; these are made once in each process of a run.

STEP_KINDS = ("left_step", "right_step")
LEVEL_CLIPS = ("83_01", "83_18", "83_20", "83_44", "83_55", "83_66")
WALKS = ((0.8, -0.6), (0.8, 0.5), (1.3, -0.5), (1.3, 0.6), (1.0, 0.0), (1.0, 0.3))  # m/s, rad/s
REACHED = tuple((x, y, z) for x in (-0.35, 0.05) for y in (0.8, 1.3) for z in (0.3, 0.45))
LENGTHS = ("start_length", "end_length")


@cache
def actor_library() -> MovementLibrary:
    """The actor's whole session: 15 steps a side and four jumps, without pseudo-examples."""
    return build_movements(session(), pseudo_examples=0)


@cache
def walks() -> tuple[Motion, ...]:
    """Pieces of walks on curves."""
    actor = ff.VirtualActor()
    return tuple(actor.walk(speed, turn_rate=rate, steps=3).motion for speed, rate in WALKS)


@cache
def turning_library() -> MovementLibrary:
    """Steps cut from walks on curves, asked for by their turn."""
    asked = dict.fromkeys(STEP_KINDS, ("end_length", "turn"))
    return build_movements(walks(), parameters=asked, pseudo_examples=0)


@cache
def captured_library() -> MovementLibrary:
    """Captured steps on level ground, both sides mirrored."""
    clips = [captured(f"steps/{name}.bvh") for name in LEVEL_CLIPS]
    asked = dict.fromkeys(STEP_KINDS, (*LENGTHS, "turn"))
    return build_movements(clips, names=LEVEL_CLIPS, parameters=asked, pseudo_examples=0)


def and_captured(*libraries: MovementLibrary) -> tuple[MovementLibrary, ...]:
    """Libraries, and the captured one where captures are: what holds for all is tested without them too."""
    return (*libraries, captured_library()) if FOLDER.is_dir() else libraries


@cache
def reaches() -> tuple[Example, ...]:
    """A hand to eight places and back, both feet standing."""
    actor = ff.VirtualActor().at(30.0)
    asked = {f"right_hand_{axis}": 0.0 for axis in "xyz"}
    return tuple(
        replace(actor.reach(np.array(place)), kind="reach", parameters=asked, name=f"reach {k}")
        for k, place in enumerate(REACHED)
    )


@cache
def reach_library() -> MovementLibrary:
    """Steps, and a kind of a user's own that is asked for by where the right hand is."""
    return build_movements([*chosen_examples(), *reaches()], pseudo_examples=0)
