"""The default locomotion space: of the virtual actor's session of locomotion. Built once, then kept."""

from __future__ import annotations

from collections.abc import Callable

from footfall.actor.virtual_actor import VirtualActor
from footfall.errors import RequestError
from footfall.models.built_once import built_once, kept_file
from footfall.models.locomotion.build import build_locomotion
from footfall.models.locomotion.model import Locomotion
from footfall.models.locomotion.store import locomotion_bytes

SESSION = "body"
NAME = "default_locomotion"  # of the file in the cache
PERFORMING = 0.7  # of the time until the session is performed

Progress = Callable[[str, float], None]  # what is done now, and the share that is done


def default_locomotion(actor: VirtualActor | None = None, progress: Progress | None = None) -> Locomotion:
    """Of a virtual actor, by default the first: built once, then read from the user's cache folder."""
    if actor is not None and not isinstance(actor, VirtualActor):
        raise RequestError(f"a footfall.VirtualActor is needed, not {actor!r:.40}")
    person = VirtualActor() if actor is None else actor
    path = kept_file(NAME, person, __name__)
    return built_once(Locomotion, path, lambda: locomotion_bytes(_built(person, progress)))


def _built(actor: VirtualActor, progress: Progress | None) -> Locomotion:
    def told(start: float, end: float) -> Progress | None:
        if progress is None:
            return None
        return lambda what, share: progress(what, start + (end - start) * share)

    examples = actor.perform(SESSION, progress=told(0.0, PERFORMING))
    return build_locomotion(examples, progress=told(PERFORMING, 1.0))
