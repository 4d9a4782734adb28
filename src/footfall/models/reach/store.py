"""A reach library as a file: its skeleton, and of each set the examples and what is known of weights.

Tables and weights are made anew from these. Joints that never move in a set are kept once, the others as
rotation vectors in float32, with the root's place.
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
from footfall.models.reach.model import ReachLibrary
from footfall.models.reach.reach_set import HANDS, POSTURES
from footfall.models.reach.store_set import StoredSet, ToldSet, set_arrays, told_set

SYSTEM = "reach"
# A file's numbers decide how much is made of it. What goes beyond these is refused before it is made.
MOST_SETS = len(HANDS) * len(POSTURES)
MOST_TURNS = 4_000_000  # joints times frames


class _Library(msgspec.Struct):
    joints: list[str]
    roles: dict[str, int]
    sets: Annotated[list[ToldSet], msgspec.Meta(min_length=1, max_length=MOST_SETS)]


def save_reach(library: ReachLibrary, path: str | PathLike[str]) -> None:
    """Writes a library (.ffmodel), whole or not at all."""
    target = checked_target(path)
    content = reach_bytes(library)
    try:
        read_reach(opened_model(content, (SYSTEM,)))
    except LoadError as error:
        raise SaveError(f"{target}: it could not be read again ({error.problem})") from None
    save_bytes(content, target)


def reach_bytes(library: ReachLibrary) -> bytes:
    skeleton = library.skeleton
    arrays = skeleton_arrays(skeleton)
    for k, one in enumerate(library.sets):
        arrays |= {f"{k}.{name}": array for name, array in set_arrays(one).items()}
    sets = [told_set(one) for one in library.sets]
    return model_bytes(SYSTEM, _Library(list(skeleton.names), dict(skeleton.roles), sets), arrays)


def read_reach(stored: StoredModel) -> ReachLibrary:
    """A library from a file's parts; whatever does not fit is a LoadError."""
    told = stored.described(_Library)
    checked_names(told.joints)
    parts = [StoredSet(stored.arrays, k, one) for k, one in enumerate(told.sets)]
    turns = len(told.joints) * sum(part.frames for part in parts)
    if turns > MOST_TURNS:
        raise LoadError(f"{turns} rotations are more than the {MOST_TURNS} that are read")
    try:
        skeleton = read_walker(stored.arrays, told.joints, told.roles)
        library = ReachLibrary(tuple(part.read(skeleton) for part in parts))
        # what asks the skeleton for roles asks now, not when something is synthesized
        _ = [(one.palms, one.scheme, one.tables) for one in library.sets], skeleton.joint("hips")
        return library
    except LoadError:
        raise
    except FootfallError as error:
        raise LoadError(str(error)) from None
