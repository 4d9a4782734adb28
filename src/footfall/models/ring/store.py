"""Rings and ring graphs as files: the skeleton, then each ring's own (see `stored_ring`).

Rings of a graph are built apart, and soles are measured on the clips of each: bones are the same, foot points
may differ by a hair. So a graph's file has every figure that differs at all, once; mostly that is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Annotated, TypeVar

import msgspec

from footfall.errors import FootfallError, LoadError, SaveError
from footfall.figure.skeleton import Skeleton
from footfall.formats.skeleton_arrays import skeleton_arrays
from footfall.formats.stored import Arrays, StoredArrays
from footfall.models.model_file import (
    StoredModel,
    checked_target,
    model_bytes,
    opened_model,
    read_walker,
    save_bytes,
)
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.model import MotionRing
from footfall.models.ring.stored_ring import (
    MOST_WORDS,
    Name,
    ToldRing,
    read_part,
    refuse_too_much,
    ring_arrays,
    told_ring,
)

SYSTEM, GRAPH = "ring", "gaits"
FIGURE_PREFIX, RING_PREFIX = "figure {}.", "ring {}."  # what the names of a graph's arrays begin with
MOST_RINGS = 50
MOST_JOINTS = 1000  # of all figures of a file; time grows with their square
MOST_TURNS = 4_000_000  # loops times frames times joints of all rings

Made = TypeVar("Made")


class _Figure(msgspec.Struct):
    joints: list[str]
    roles: dict[str, int]


class _Ring(msgspec.Struct):
    figure: _Figure
    ring: ToldRing


class _Member(msgspec.Struct):
    name: Name
    figure: Annotated[int, msgspec.Meta(ge=0)]  # its number
    ring: ToldRing


class _Graph(msgspec.Struct):
    figures: Annotated[list[_Figure], msgspec.Meta(min_length=1, max_length=MOST_RINGS)]
    rings: Annotated[list[_Member], msgspec.Meta(min_length=1, max_length=MOST_RINGS)]
    labels: Annotated[dict[Name, Name], msgspec.Meta(max_length=MOST_WORDS)]


def save_ring(ring: MotionRing, path: str | PathLike[str]) -> None:
    """Writes a ring (.ffmodel), whole or not at all."""
    _save(lambda: ring_bytes(ring), lambda content: read_ring(opened_model(content, (SYSTEM,))), path)


def save_graph(graph: RingGraph, path: str | PathLike[str]) -> None:
    """Writes rings and what they are called (.ffmodel), whole or not at all."""
    _save(lambda: graph_bytes(graph), lambda content: read_graph(opened_model(content, (GRAPH,))), path)


def ring_bytes(ring: MotionRing) -> bytes:
    told = _Ring(_figure(ring.skeleton), told_ring(ring))
    return model_bytes(SYSTEM, told, skeleton_arrays(ring.skeleton) | ring_arrays(ring))


def graph_bytes(graph: RingGraph) -> bytes:
    arrays: Arrays = {}
    figures: dict[bytes, int] = {}
    told = _Graph([], [], dict(graph.labels))
    for name, ring in graph.rings.items():
        own = model_bytes(GRAPH, _figure(ring.skeleton), skeleton_arrays(ring.skeleton))
        if own not in figures:
            figures[own] = len(figures)
            told.figures.append(_figure(ring.skeleton))
            arrays |= _under(FIGURE_PREFIX.format(figures[own]), skeleton_arrays(ring.skeleton))
        arrays |= _under(RING_PREFIX.format(len(told.rings)), ring_arrays(ring))
        told.rings.append(_Member(name, figures[own], told_ring(ring)))
    return model_bytes(GRAPH, told, arrays)


def ring_sizes(graph: RingGraph) -> dict[str, int]:
    """Bytes that each ring takes in a file of its own."""
    return {name: len(ring_bytes(ring)) for name, ring in graph.rings.items()}


def read_ring(stored: StoredModel) -> MotionRing:
    """A ring from a file's parts; whatever does not fit is a LoadError."""
    told = stored.described(_Ring)
    _refuse_too_much([told.figure], [_Member("", 0, told.ring)])
    return _sound(lambda: read_part(stored.arrays, told.ring, _skeleton(stored.arrays, told.figure)))


def read_graph(stored: StoredModel) -> RingGraph:
    """A ring graph from a file's parts; whatever does not fit is a LoadError."""
    told = stored.described(_Graph)
    names = [member.name for member in told.rings]
    if len(set(names)) < len(names):
        raise LoadError("expected rings of different names")
    _refuse_too_much(told.figures, told.rings)
    return _sound(lambda: _graph(stored.arrays, told))


def _graph(arrays: StoredArrays, told: _Graph) -> RingGraph:
    skeletons = [
        _skeleton(_part(arrays, FIGURE_PREFIX.format(k)), figure) for k, figure in enumerate(told.figures)
    ]
    rings = {}
    for k, member in enumerate(told.rings):
        try:
            rings[member.name] = read_part(
                _part(arrays, RING_PREFIX.format(k)), member.ring, skeletons[member.figure]
            )
        except FootfallError as error:
            raise LoadError(f"the ring {member.name[:40]!r}: {error}") from None
    return RingGraph(rings, told.labels)


def _sound(made: Callable[[], Made]) -> Made:
    try:
        return made()
    except LoadError:
        raise
    except FootfallError as error:
        raise LoadError(str(error)) from None


def _save(written: Callable[[], bytes], read: Callable[[bytes], object], path: str | PathLike[str]) -> None:
    target = checked_target(path)
    try:
        content = written()
        read(content)
    except LoadError as error:
        raise SaveError(f"{target}: it could not be read again ({error.problem})") from None
    except UnicodeError:
        raise SaveError(f"{target}: a name in it is no text that can be written") from None
    save_bytes(content, target)


def _refuse_too_much(figures: Sequence[_Figure], rings: Sequence[_Member]) -> None:
    joints = [len(figure.joints) for figure in figures]
    if sum(joints) > MOST_JOINTS:
        raise LoadError(f"expected at most {MOST_JOINTS} joints, found {sum(joints)}")
    for member in rings:
        if member.figure >= len(figures):
            raise LoadError(f"expected a number under {len(figures)} for a figure, found {member.figure}")
        refuse_too_much(member.ring, joints[member.figure])
    turns = sum(member.ring.rows * joints[member.figure] for member in rings)
    if turns > MOST_TURNS:
        raise LoadError(f"{turns} rotations are more than the {MOST_TURNS} that are read")


def _figure(skeleton: Skeleton) -> _Figure:
    return _Figure(list(skeleton.names), dict(skeleton.roles))


def _skeleton(arrays: StoredArrays, figure: _Figure) -> Skeleton:
    return read_walker(arrays, figure.joints, figure.roles)


def _under(prefix: str, arrays: Arrays) -> Arrays:
    return {prefix + name: array for name, array in arrays.items()}


def _part(arrays: StoredArrays, prefix: str) -> StoredArrays:
    return StoredArrays({n.removeprefix(prefix): a for n, a in arrays.stored.items() if n.startswith(prefix)})
