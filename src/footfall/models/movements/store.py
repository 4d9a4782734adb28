"""A movement library as a file: its skeleton, and of each kind the examples and what is known of weights.

Tables, foot paths and weights are made anew from these, so nothing in a file can contradict another part.
All examples are put on the library's skeleton.
"""

from __future__ import annotations

from os import PathLike
from typing import Annotated

import msgspec

from footfall.errors import FootfallError, LoadError, SaveError
from footfall.formats.skeleton_arrays import checked_names, skeleton_arrays
from footfall.models.model_file import (
    StoredModel,
    checked_target,
    model_bytes,
    opened_model,
    read_walker,
    save_bytes,
)
from footfall.models.movements.model import MovementLibrary
from footfall.models.movements.store_kind import MOST_POINTS, StoredKind, ToldKind, kind_arrays, told_kind

SYSTEM = "movements"
# A file's numbers decide how much is made of it. What goes beyond these is refused before it is made.
MOST_KINDS = 200
MOST_POINTS_IN_ALL = 2000  # examples and pseudo-examples
MOST_TURNS = 4_000_000  # joints times frames


class _Library(msgspec.Struct):
    joints: list[str]
    roles: dict[str, int]
    kinds: Annotated[list[ToldKind], msgspec.Meta(min_length=1, max_length=MOST_KINDS)]


def save_library(library: MovementLibrary, path: str | PathLike[str]) -> None:
    """Writes a library (.ffmodel), whole or not at all."""
    target = checked_target(path)
    content = library_bytes(library)
    try:
        read_library(opened_model(content, (SYSTEM,)))
    except LoadError as error:
        raise SaveError(f"{target}: it could not be read again ({error.problem})") from None
    save_bytes(content, target)


def library_bytes(library: MovementLibrary) -> bytes:
    skeleton = library.skeleton
    arrays = skeleton_arrays(skeleton)
    for k, kind in enumerate(library.members):
        arrays |= {f"{k}.{name}": array for name, array in kind_arrays(kind).items()}
    kinds = [told_kind(kind) for kind in library.members]
    return model_bytes(SYSTEM, _Library(list(skeleton.names), dict(skeleton.roles), kinds), arrays)


def read_library(stored: StoredModel) -> MovementLibrary:
    """A library from a file's parts; whatever does not fit is a LoadError."""
    told = stored.described(_Library)
    checked_names(told.joints)
    names = [kind.name for kind in told.kinds]
    if len(set(names)) < len(names):
        raise LoadError("expected kinds of different names")
    parts = [StoredKind(stored.arrays, k, kind) for k, kind in enumerate(told.kinds)]
    _refuse_too_much(parts, len(told.joints))
    try:
        skeleton = read_walker(stored.arrays, told.joints, told.roles)
        library = MovementLibrary(tuple(part.read(skeleton) for part in parts))
        # what asks the skeleton for roles asks now, not when something is synthesized
        _ = library.legs, library.members[0].examples[0].turn
        return library
    except LoadError:
        raise
    except FootfallError as error:
        raise LoadError(str(error)) from None


def _refuse_too_much(parts: list[StoredKind], joints: int) -> None:
    points = [part.examples + len(part.pseudo_points) for part in parts]
    if max(points) > MOST_POINTS or sum(points) > MOST_POINTS_IN_ALL:
        raise LoadError(
            f"expected at most {MOST_POINTS} examples and pseudo-examples in a kind and {MOST_POINTS_IN_ALL} "
            f"in all, found up to {max(points)} and {sum(points)}"
        )
    turns = joints * sum(part.frames for part in parts)
    if turns > MOST_TURNS:
        raise LoadError(f"{turns} rotations are more than the {MOST_TURNS} that are read")
