"""The default step space: the virtual actor's five minutes of stepping, built once and kept in the user's
cache. Its takes begin and end in a stand, and hold all ways of stepping.
"""

from __future__ import annotations

from collections.abc import Callable

from footfall.actor.virtual_actor import VirtualActor
from footfall.errors import RequestError
from footfall.models.built_once import built_once, kept_file
from footfall.models.stepspace.build import build_step_space
from footfall.models.stepspace.model import StepSpace
from footfall.models.stepspace.store import space_bytes

SESSION = "stepping"
NAME = "default_step_space"  # of the file in the cache
PERFORMING = 0.4  # of the time until the session is performed

Progress = Callable[[str, float], None]  # what is done now, and the share that is done


def default_step_space(actor: VirtualActor | None = None, progress: Progress | None = None) -> StepSpace:
    """Steps of a virtual actor, by default the first: built once, then read from the user's cache folder."""
    if actor is not None and not isinstance(actor, VirtualActor):
        raise RequestError(f"a footfall.VirtualActor is needed, not {actor!r:.40}")
    person = VirtualActor() if actor is None else actor
    path = kept_file(NAME, person, __name__)
    return built_once(StepSpace, path, lambda: space_bytes(_built(person, progress)))


def _built(actor: VirtualActor, progress: Progress | None) -> StepSpace:
    def told(start: float, end: float) -> Progress | None:
        if progress is None:
            return None
        return lambda what, share: progress(what, start + (end - start) * share)

    examples = actor.perform(SESSION, progress=told(0.0, PERFORMING))
    return build_step_space(examples, progress=told(PERFORMING, 1.0))
