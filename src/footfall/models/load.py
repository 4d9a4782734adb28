"""Loading a model, whatever its system: recognised by content, the file's ending decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from footfall.errors import LoadError
from footfall.formats.load import read_bytes
from footfall.models.movements.model import MovementLibrary

if TYPE_CHECKING:
    from footfall.models.model_file import StoredModel


def load_model(path: str | PathLike[str]) -> MovementLibrary:
    """The model of a file (.ffmodel), ready to synthesize."""
    try:
        return read_model(read_bytes(Path(path)))
    except LoadError as error:
        raise error.at(path) from None


def read_model(content: bytes) -> MovementLibrary:
    from footfall.models.model_file import opened_model

    stored = opened_model(content, tuple(SYSTEMS))
    return SYSTEMS[stored.system](stored)


def _movements(stored: StoredModel) -> MovementLibrary:
    from footfall.models.movements.store import read_library

    return read_library(stored)


SYSTEMS: MappingProxyType[str, Callable[[StoredModel], MovementLibrary]] = MappingProxyType(
    {"movements": _movements}
)
