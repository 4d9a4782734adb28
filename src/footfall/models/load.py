"""Loading a model, whatever its system: recognised by content, the file's ending decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar, overload

from footfall.errors import LoadError
from footfall.file_access import as_path
from footfall.formats.load import read_bytes

if TYPE_CHECKING:
    from footfall.models.locomotion.model import Locomotion
    from footfall.models.model_file import StoredModel
    from footfall.models.movements.model import MovementLibrary
    from footfall.models.reach.model import ReachLibrary
    from footfall.models.ring.graph import RingGraph
    from footfall.models.ring.model import MotionRing
    from footfall.models.stepspace.model import StepSpace

    Model = MovementLibrary | StepSpace | MotionRing | RingGraph | ReachLibrary | Locomotion

Kind = TypeVar("Kind")


@overload
def load_model(path: str | PathLike[str]) -> Model: ...
@overload
def load_model(path: str | PathLike[str], kind: type[Kind]) -> Kind: ...
def load_model(path: str | PathLike[str], kind: type[Kind] | None = None) -> Model | Kind:
    """The model of a file (.ffmodel), ready to synthesize; with `kind`, of that class or refused."""
    try:
        return _read(read_bytes(as_path(path)), kind)
    except LoadError as error:
        raise error.at(path) from None


@overload
def read_model(content: bytes) -> Model: ...
@overload
def read_model(content: bytes, kind: type[Kind]) -> Kind: ...
def read_model(content: bytes, kind: type[Kind] | None = None) -> Model | Kind:
    """The same of a file's content."""
    return _read(content, kind)


def _read(content: bytes, kind: type[Kind] | None) -> Model | Kind:
    from footfall.models.model_file import opened_model

    stored = opened_model(content, tuple(SYSTEMS))
    system = SYSTEMS[stored.system]
    if kind is not None and kind.__name__ != system.made:
        raise LoadError(f"this is a {system.words} ({system.made}), not a {_words(kind)}")
    return system.read(stored)


@dataclass(frozen=True)
class System:
    """How a system's models are read."""

    read: Callable[[StoredModel], Model]
    made: str  # the class
    words: str


def _movements(stored: StoredModel) -> Model:
    from footfall.models.movements.store import read_library

    return read_library(stored)


def _steps(stored: StoredModel) -> Model:
    from footfall.models.stepspace.store import read_steps

    return read_steps(stored)


def _locomotion(stored: StoredModel) -> Model:
    from footfall.models.locomotion.store import read_locomotion

    return read_locomotion(stored)


def _ring(stored: StoredModel) -> Model:
    from footfall.models.ring.store import read_ring

    return read_ring(stored)


def _gaits(stored: StoredModel) -> Model:
    from footfall.models.ring.store import read_graph

    return read_graph(stored)


def _reach(stored: StoredModel) -> Model:
    from footfall.models.reach.store import read_reach

    return read_reach(stored)


SYSTEMS: MappingProxyType[str, System] = MappingProxyType(
    {
        "movements": System(_movements, "MovementLibrary", "movement library"),
        "steps": System(_steps, "StepSpace", "step space"),
        "ring": System(_ring, "MotionRing", "motion ring"),
        "gaits": System(_gaits, "RingGraph", "ring graph"),
        "locomotion": System(_locomotion, "Locomotion", "locomotion space"),
        "reach": System(_reach, "ReachLibrary", "reach library"),
    }
)


def _words(kind: type) -> str:
    return next((s.words for s in SYSTEMS.values() if s.made == kind.__name__), kind.__name__)
