"""Models that footfall makes by itself: built once, then read from the user's cache folder.

What is built is put through the file's rounding before it is returned: the first call gives what all later
ones read. Nothing in the cache is needed: a folder that cannot be written, or a file that cannot be read,
only means that the model is built again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from footfall.actor.library import library_file
from footfall.actor.virtual_actor import VirtualActor
from footfall.errors import LoadError, SaveError
from footfall.models.load import load_model, read_model
from footfall.models.model_file import ENDING, save_bytes

Kind = TypeVar("Kind")


def built_once(kind: type[Kind], path: Path, build: Callable[[], bytes]) -> Kind:
    """The model of a cache's file; where there is none it is built, and kept there if that can be."""
    with suppress(LoadError):
        return load_model(path, kind)
    content = build()
    with suppress(OSError, SaveError):
        path.parent.mkdir(parents=True, exist_ok=True)
        save_bytes(content, path)
    return read_model(content, kind)


def kept_file(name: str, actor: VirtualActor, packages: Sequence[str]) -> Path:
    """Another file for other people and other code: the actor's, which the cache tells apart itself, or that
    of packages which decide what is made of a session.
    """
    told = repr((actor.seed, actor.height, actor.style, code_digest(tuple(packages))))
    return library_file(name, told).with_suffix(ENDING)


@cache
def code_digest(packages: tuple[str, ...]) -> str:
    digest = sha256()
    for package in packages:
        for file in sorted(files(package).iterdir(), key=lambda f: f.name):
            if file.name.endswith(".py"):
                digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()
