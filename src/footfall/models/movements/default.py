"""The default movement library: the virtual actor's steps and jumps, built once and kept in the user's cache.

The session's four jumps are as high as they are long; six more tell length and height apart. What is built is
put through the file's rounding before it is returned, so that the first call gives what all later ones read.
Nothing in the cache is needed: a folder that cannot be written, or a file that cannot be read, only means
that the library is built again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from footfall.actor.library import library_file
from footfall.actor.sessions.movements import FPS
from footfall.actor.virtual_actor import VirtualActor
from footfall.errors import LoadError, SaveError
from footfall.figure.example import Example
from footfall.models.load import load_model, read_model
from footfall.models.model_file import ENDING, save_bytes
from footfall.models.movements.build import build_movements
from footfall.models.movements.model import MovementLibrary
from footfall.models.movements.store import library_bytes

# m: length, height, for legs of 0.859 m
JUMPS = ((0.2, 0.12), (0.2, 0.38), (0.9, 0.15), (0.9, 0.38), (1.6, 0.2), (1.6, 0.4))
LEG = 0.859  # m
PERFORMING = 0.3  # share of the time
PACKAGES = (
    *("footfall.models", "footfall.models.movements", "footfall.blend", "footfall.weights"),
    *("footfall.align", "footfall.adapt", "footfall.analysis", "footfall.formats"),
)

Progress = Callable[[str, float], None]  # what is done now, and the share that is done


def default_movements(progress: Progress | None = None) -> MovementLibrary:
    """Steps and jumps of the virtual actor: built once, then read from the user's cache folder."""
    actor = VirtualActor()
    path = _kept_file(actor)
    with suppress(LoadError):
        return load_model(path)
    content = library_bytes(_built(actor, progress))
    with suppress(OSError, SaveError):
        path.parent.mkdir(parents=True, exist_ok=True)
        save_bytes(content, path)
    return read_model(content)


def _kept_file(actor: VirtualActor) -> Path:
    """Another file for other code: the actor's, which the cache tells apart itself, or this library's."""
    told = repr((actor.seed, actor.height, actor.style, _code_digest()))
    return library_file("default_movements", told).with_suffix(ENDING)


@cache
def _code_digest() -> str:
    """Of everything that decides what is made of a session."""
    digest = sha256()
    for package in PACKAGES:
        for file in sorted(files(package).iterdir(), key=lambda f: f.name):
            if file.name.endswith(".py"):
                digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


def _built(actor: VirtualActor, progress: Progress | None) -> MovementLibrary:
    def performing(what: str, share: float) -> None:
        if progress is not None:
            progress(what, PERFORMING * share)

    def building(what: str, share: float) -> None:
        if progress is not None:
            progress(what, PERFORMING + (1.0 - PERFORMING) * share)

    examples = [*actor.perform("movements", progress=performing), *_more_jumps(actor)]
    return build_movements(examples, fps=FPS, progress=building)


def _more_jumps(actor: VirtualActor) -> list[Example]:
    size = actor.skeleton.leg_length() / LEG
    performer = actor.at(FPS)
    return [performer.jump(size * length, size * height) for length, height in JUMPS]
