"""The papers' capture sessions, performed by the virtual actor on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING

from footfall.actor.library import library_file, load_library, save_library
from footfall.cache import locked
from footfall.errors import RequestError
from footfall.figure.example import Example

if TYPE_CHECKING:
    from footfall.actor.virtual_actor import VirtualActor

# name: how many takes it has
SESSIONS = {"rings": 86, "movements": 34, "stepping": 15, "walk": 1, "body": 59}

Progress = Callable[[str, float], None]  # what is performed now, and the share that is done


def perform_session(
    actor: VirtualActor, session: str, progress: Progress | None = None
) -> tuple[Example, ...]:
    """All takes of a session, at the session's own frame rate; read from the cache where they are there."""
    if not isinstance(session, str) or session not in SESSIONS:
        raise RequestError(f"no session is called {session!r:.40}; there are {', '.join(SESSIONS)}")
    path = library_file(session, repr((actor.seed, actor.height, actor.style)))
    if path is None:
        return _performed(actor, session, progress)
    kept = load_library(path, actor.skeleton)
    if kept is not None:
        return kept
    with locked(path):
        kept = load_library(path, actor.skeleton)  # performed by another process meanwhile
        if kept is None:
            kept = _performed(actor, session, progress)
            save_library(path, kept)
    return kept


def _performed(actor: VirtualActor, session: str, progress: Progress | None) -> tuple[Example, ...]:
    module = _module(session)
    examples = []
    takes: Iterator[tuple[str, Example]] = module.takes(actor.at(module.FPS))
    for name, example in takes:
        examples.append(replace(example, name=name))
        if progress is not None:
            progress(f"{session}: {name}", min(len(examples) / SESSIONS[session], 1.0))
    return tuple(examples)


def _module(session: str) -> ModuleType:
    """The module that knows a session; named in imports, so that `source_digest` sees them."""
    from footfall.actor.sessions import body, movements, rings, stepping, walk

    return {"body": body, "movements": movements, "rings": rings, "stepping": stepping, "walk": walk}[session]
