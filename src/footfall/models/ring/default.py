"""The default gaits: the virtual actor's walks and runs of the rings' session, and besides going back, to
either side, and standing. Built once and kept in the user's cache.
"""

from __future__ import annotations

from collections.abc import Callable

from footfall.actor.virtual_actor import VirtualActor
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.models.built_once import built_once, kept_file
from footfall.models.ring.gaits import build_gaits
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.store import graph_bytes

SESSION = "rings"
NAME = "default_gaits"  # of the file in the cache
PERFORMING = 0.5  # of the time until the session is performed
BACK = ((-0.5, 0.0), (-0.9, 0.0), (-0.7, 0.5), (-0.7, -0.5))  # m/s, rad/s
ASIDE = (0.35, 0.6)  # m/s
STANDING = 8.0  # s

Progress = Callable[[str, float], None]  # what is done now, and the share that is done


def default_gaits(actor: VirtualActor | None = None, progress: Progress | None = None) -> RingGraph:
    """Gaits of a virtual actor, by default the first: built once, then read from the user's cache folder."""
    if actor is not None and not isinstance(actor, VirtualActor):
        raise RequestError(f"a footfall.VirtualActor is needed, not {actor!r:.40}")
    person = VirtualActor() if actor is None else actor
    path = kept_file(NAME, person, __name__)
    return built_once(RingGraph, path, lambda: graph_bytes(_built(person, progress)))


def _built(actor: VirtualActor, progress: Progress | None) -> RingGraph:
    def told(start: float, end: float) -> Progress | None:
        if progress is None:
            return None
        return lambda what, share: progress(what, start + (end - start) * share)

    examples = (*actor.perform(SESSION, progress=told(0.0, PERFORMING)), *_more(actor))
    return build_gaits(examples, progress=told(PERFORMING, 1.0))


def _more(actor: VirtualActor) -> tuple[Example, ...]:
    back = [actor.walk(speed, turn_rate=turn) for speed, turn in BACK]
    aside = [actor.strafe(side * speed) for side in (1.0, -1.0) for speed in ASIDE]
    return (*back, *aside, actor.idle(STANDING))
