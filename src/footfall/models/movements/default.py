"""The default movement library: the virtual actor's steps and jumps, built once and kept in the user's
cache.

The session's fifteen steps a side lack the one from standing to standing, and its four jumps are as high as
they are long: a step in place is added, and six jumps that tell length and height apart. The general step,
by its seven parameters, is chosen from the actor's long clips, from stairs and from single steps up and
down.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from footfall.actor.sessions.movements import FPS, step
from footfall.actor.virtual_actor import VirtualActor
from footfall.figure.contacts import SIDES
from footfall.figure.example import Example
from footfall.figure.motion import Motion
from footfall.models.built_once import built_once, kept_file
from footfall.models.movements.build import build_movements
from footfall.models.movements.measures import STEP
from footfall.models.movements.model import MovementLibrary
from footfall.models.movements.store import library_bytes

# m: length, height, for legs of 0.859 m
JUMPS = ((0.2, 0.12), (0.2, 0.38), (0.9, 0.15), (0.9, 0.38), (1.6, 0.2), (1.6, 0.4))
LEG = 0.859  # m
STAIRS = ((0.08, 0.28, 0.0), (0.16, 0.28, 0.0), (0.08, 0.38, 0.0), (0.16, 0.38, 0.0))  # m, m, rad: riser,
SPIRALS = ((0.08, 0.32, 0.25), (0.16, 0.32, 0.25), (0.08, 0.32, -0.25), (0.16, 0.32, -0.25))  # tread, wedge
PLACES = ((0.2, 0.0, 0.12), (0.5, 0.0, 0.12), (0.2, 0.12, 0.12), (0.5, 0.12, 0.12))  # m: ahead, aside, up
GENERAL = 48  # examples of the general step a side
PERFORMING, STRAIGHT = 0.3, 0.6  # shares of the time: performed, and built so far

Progress = Callable[[str, float], None]  # what is done now, and the share that is done


def default_movements(progress: Progress | None = None) -> MovementLibrary:
    """Steps and jumps of the virtual actor: built once, then read from the user's cache folder."""
    actor = VirtualActor()
    path = kept_file("default_movements", actor, __name__)
    return built_once(MovementLibrary, path, lambda: library_bytes(_built(actor, progress)))


def _built(actor: VirtualActor, progress: Progress | None) -> MovementLibrary:
    def performing(what: str, share: float) -> None:
        if progress is not None:
            progress(what, PERFORMING * share)

    def building(start: float, end: float) -> Progress:
        def told(what: str, share: float) -> None:
            if progress is not None:
                progress(what, start + (end - start) * share)

        return told

    performer = actor.at(FPS)
    examples = [*actor.perform("movements", progress=performing), *_steps_in_place(performer)]
    straight = build_movements(
        [*examples, *_more_jumps(performer)], fps=FPS, progress=building(PERFORMING, STRAIGHT)
    )
    general = build_movements(
        _long_clips(actor),
        parameters={f"{side}_step": STEP for side in SIDES},
        most=GENERAL,
        fps=FPS,
        pseudo_examples=0,
        progress=building(STRAIGHT, 1.0),
    )
    renamed = (replace(k, name=k.name.replace("_step", "_general_step")) for k in general.members)
    return MovementLibrary((*straight.members, *(k for k in renamed if k.family == "step")))


def _size(actor: VirtualActor) -> float:
    return actor.skeleton.leg_length() / LEG


def _steps_in_place(actor: VirtualActor) -> list[Example]:
    return [replace(step(actor, side, 0.0, 0.0), name=f"{side}_stand_stand") for side in SIDES]


def _more_jumps(actor: VirtualActor) -> list[Example]:
    size = _size(actor)
    return [actor.jump(size * length, size * height) for length, height in JUMPS]


def _long_clips(actor: VirtualActor) -> list[Motion]:
    """What the general step is chosen from: all ways of stepping, up and down as well."""
    size = _size(actor)
    clips = [example.motion for example in actor.perform("stepping")]
    for sign in (1.0, -1.0):
        clips += [
            actor.stairs(sign * size * riser, size * tread, turn=turn).motion
            for riser, tread, turn in (*STAIRS, *SPIRALS)
        ]
        clips += [actor.step_to(size * z, size * x, sign * size * y).motion for z, x, y in PLACES]
    return clips
