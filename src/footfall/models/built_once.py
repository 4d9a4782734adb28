"""Models that footfall makes by itself: built once, then read from the user's cache folder.

What is built is put through the file's rounding before it is returned: the first call gives what all later
ones read. Nothing in the cache is needed: a folder that cannot be written, or a file that cannot be read,
only means that the model is built again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from footfall.actor.virtual_actor import VirtualActor
from footfall.cache import cache_folder, locked, mark_used, remove_least_recent, write_cached
from footfall.errors import LoadError
from footfall.models.load import load_model, read_model
from footfall.models.model_file import ENDING
from footfall.source_digest import source_digest
from footfall.version import __version__

Kind = TypeVar("Kind")
MOST_BYTES, MOST_FILES = 512 * 2**20, 64  # of all cached models; the five defaults take 13 MB


def built_once(kind: type[Kind], path: Path | None, build: Callable[[], bytes]) -> Kind:
    """Return the model of a cached file; where there is none, build it and keep it if that is possible.

    Of several processes that need the same model, one builds it and the others wait for its file.

    Args:
        kind: class of the model.
        path: the cached file, or None where there is no cache folder.
        build: makes the file's content.
    """
    if path is None:
        return read_model(build(), kind)
    with suppress(LoadError):
        model = load_model(path, kind)
        mark_used(path)
        return model
    with locked(path):
        with suppress(LoadError):
            return load_model(path, kind)
        content = build()
        if write_cached(path, content):
            remove_least_recent(list(path.parent.glob(f"*{ENDING}")), MOST_BYTES, MOST_FILES)
    return read_model(content, kind)


def kept_file(name: str, actor: VirtualActor, builder: str) -> Path | None:
    """Return the cached file of a default model; None where there is no cache folder.

    Args:
        name: of the model.
        actor: whose performance it is built from.
        builder: the module that builds it. The file is another one when code that this imports changes.
    """
    folder = cache_folder()
    if folder is None:
        return None
    person = repr((actor.seed, actor.height, actor.style))
    code = source_digest(builder, without=(__name__,))
    key = sha256(f"{code} {person}".encode()).hexdigest()[:20]
    return folder / __version__ / f"{name}-{key}{ENDING}"
