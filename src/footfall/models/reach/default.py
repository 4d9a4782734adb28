"""The default reach library: the virtual actor's reaches, built once and kept in the user's cache.

The session has sixteen reaches an arm, but one of both hands and three of one who sits: more of these are
added, so that blends have something between them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import numpy as np

from footfall.actor.virtual_actor import VirtualActor
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.models.built_once import built_once, kept_file
from footfall.models.reach.build import FPS, build_reach
from footfall.models.reach.model import ReachLibrary
from footfall.models.reach.store import reach_bytes

LEG = 0.859  # m; places are for legs of this length
APART = 0.18  # m from the middle to either hand
BOTH = tuple(
    (x, y, z) for y, z in ((0.15, 0.40), (0.75, 0.42), (1.20, 0.45), (1.70, 0.33)) for x in (-0.22, 0.0, 0.22)
)
SEATED = tuple(
    (x, y, z) for y in (0.45, 0.75, 1.15, 1.5) for x, z in ((0.15, 0.45), (-0.2, 0.5), (-0.5, 0.3))
)  # m: of the right hand; the left's is its mirror
SEATED_BOTH = ((0.0, 0.7, 0.5), (0.0, 1.1, 0.45), (0.2, 0.8, 0.45), (-0.2, 0.8, 0.45))
SEAT = 0.45  # m
PERFORMING = 0.6  # of the time

Progress = Callable[[str, float], None]  # what is done now, and the share that is done


def default_reach(progress: Progress | None = None) -> ReachLibrary:
    """Reaches of the virtual actor: built once, then read from the user's cache folder."""
    actor = VirtualActor()
    path = kept_file("default_reach", actor, __name__)
    return built_once(ReachLibrary, path, lambda: reach_bytes(_built(actor, progress)))


def _built(actor: VirtualActor, progress: Progress | None) -> ReachLibrary:
    def performing(what: str, share: float) -> None:
        if progress is not None:
            progress(what, PERFORMING * share)

    def building(what: str, share: float) -> None:
        if progress is not None:
            progress(what, PERFORMING + (1.0 - PERFORMING) * share)

    session = [e for e in actor.perform("body", progress=performing) if e.kind == "reach"]
    return build_reach([*session, *more_reaches(actor)], fps=FPS, progress=building)


def more_reaches(actor: VirtualActor) -> list[Example]:
    """Of both hands, and of one who sits; places that this actor cannot reach are left out."""
    size = actor.skeleton.leg_length() / LEG
    seat = SEAT * size
    asked: list[tuple[object, dict[str, object]]] = []
    asked += [(_either_side(size, place), {"touch": "palm"}) for place in BOTH]
    asked += [(size * np.array(place), {"arm": "right", "seat": seat}) for place in SEATED]
    asked += [(_either_side(size, place), {"touch": "palm", "seat": seat}) for place in SEATED_BOTH]
    found = []
    for target, how in asked:
        with suppress(RequestError):
            found.append(actor.reach(target, **how))  # type: ignore[arg-type]
    return found


def _either_side(size: float, middle: tuple[float, float, float]) -> dict[str, np.ndarray]:
    signs = {"left": 1.0, "right": -1.0}
    x, y, z = middle
    return {side: size * np.array([x + sign * APART, y, z]) for side, sign in signs.items()}
