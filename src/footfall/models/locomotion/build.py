"""A locomotion space from clips of one or several people ([body] 4.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from footfall.adapt.one_figure import on_one_figure
from footfall.adapt.still_joints import mirrored_with_still_joints
from footfall.adapt.true_rate import true_rate
from footfall.analysis.reference import Reference
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.motion import Motion
from footfall.geometry.decisions import clearly_less, first_greatest
from footfall.models.locomotion.cycle import best_cycle, stands_throughout
from footfall.models.locomotion.loop import Loop, loop_of
from footfall.models.locomotion.model import SCALES, Locomotion
from footfall.models.locomotion.standing import Stand, on_the_spot
from footfall.models.locomotion.tables import LocomotionTables

KINDS = ("idle", "walk", "run", "backward", "strafe", "turn_in_place")  # of examples; others are passed over
APART = 0.1  # metric: loops nearer to each other than this are one
AT_REST = 0.12  # metric: a loop so near to no speed is one of stepping on the spot
FEWEST = 4  # loops: fewer span no space
CLEANED = 0.5  # of the work, when clips are

Progress = Callable[[str, float], None]


def build_locomotion(
    source: Sequence[Motion] | Sequence[Example],
    *,
    names: Sequence[str] | None = None,
    mirrored: bool = True,
    progress: Progress | None = None,
) -> Locomotion:
    """A space of speed, turn rate and side speed from clips that each hold a cycle of steps.

    One clip must be of standing. A clip that holds no cycle is left out, and `progress` says so. With
    `mirrored` what was captured to one side only is taken to the other side too.
    """

    def told(what: str, share: float) -> None:
        if progress is not None:
            progress(what, share)

    given, called = _given(source, names)
    clean = on_one_figure([true_rate(clip) for clip in given], lambda w, s: told(w, CLEANED * s))
    clips = [replace(clip.motion, contacts=clip.seen) for clip in clean]
    stand = _stand(clips)
    loops: list[Loop] = []
    for k, (name, clip) in enumerate(zip(called, clips, strict=True)):
        if stands_throughout(clip):
            continue
        told(name, CLEANED + (1.0 - CLEANED) * k / len(clips))
        try:
            loops.append(loop_of(best_cycle(clip), name))
            if mirrored:
                loops.append(loop_of(best_cycle(mirrored_with_still_joints(clip)), f"{name} mirrored"))
        except RequestError as error:
            told(f"{name} is left out: {error}", CLEANED)
    kept = _different(loops)
    if not any(np.linalg.norm(loop.parameters * SCALES) < AT_REST for loop in kept):
        kept.append(on_the_spot(stand))
    if len(kept) < FEWEST:
        raise RequestError(
            f"{len(kept)} loops are too few for a locomotion space: clips of walking straight, turning, "
            "going to the side and back are needed"
        )
    told(f"{len(kept)} loops", 1.0)
    moving = [clip for clip in clips if not stands_throughout(clip)]
    return Locomotion(LocomotionTables.of(kept, stand), Reference.of(moving))


def _different(loops: Sequence[Loop]) -> list[Loop]:
    """Loops that differ in their parameters: captured ones first, then their mirror images."""
    kept: list[Loop] = []
    for loop in sorted(loops, key=lambda one: one.name.endswith(" mirrored")):
        near = [np.linalg.norm((loop.parameters - one.parameters) * SCALES) for one in kept]
        if clearly_less(APART, float(min(near, default=np.inf))):
            kept.append(loop)
    return kept


def _stand(clips: Sequence[Motion]) -> Stand:
    """From the longest clip in which nobody takes a step."""
    still = [clip for clip in clips if stands_throughout(clip)]
    if not still:
        raise RequestError("a locomotion space needs a clip in which somebody only stands, for 2 s or more")
    return Stand.of(still[int(first_greatest(np.array([clip.seconds for clip in still])))])


def _given(source: object, names: Sequence[str] | None) -> tuple[list[Motion], list[str]]:
    if isinstance(source, str | Motion | Example) or not isinstance(source, Iterable):
        raise RequestError("a locomotion space is built from a list of motions or of examples")
    every = list(source)
    if not all(isinstance(one, Motion | Example) for one in every):
        raise RequestError("a locomotion space is built from motions or examples, nothing else")
    if names is not None and len(names) != len(every):
        raise RequestError(f"{len(names)} names do not fit {len(every)} clips")
    called = [
        str(names[k]) if names is not None else getattr(one, "name", "") or f"clip {k + 1}"
        for k, one in enumerate(every)
    ]
    pairs = [
        (replace(one.motion if isinstance(one, Example) else one), name)
        for one, name in zip(every, called, strict=True)
        if not isinstance(one, Example) or one.kind in ("", *KINDS)
    ]
    if not pairs:
        raise RequestError(f"a locomotion space needs clips; of examples those of {', '.join(KINDS)}")
    return [clip for clip, _ in pairs], [name for _, name in pairs]
