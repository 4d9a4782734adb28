"""A step space as a file: its skeleton, its steps with their frames, its stand, and the blend candidates.

Everything else is made anew from these, so nothing in a file can contradict another part. The tetrahedra are
those of the candidates: on another machine rounding may cut the same places otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Annotated, Any

import msgspec
import numpy as np

from footfall.analysis.reference import Reference
from footfall.errors import FootfallError, LoadError, SaveError
from footfall.figure.skeleton import Skeleton
from footfall.formats.skeleton_arrays import skeleton_arrays
from footfall.formats.stored import StoredArrays
from footfall.models.model_file import (
    StoredModel,
    checked_target,
    model_bytes,
    opened_model,
    read_walker,
    save_bytes,
)
from footfall.models.stepspace.body_channels import FIRST
from footfall.models.stepspace.build import FEWEST
from footfall.models.stepspace.candidates import BlendCandidates
from footfall.models.stepspace.model import StepSpace
from footfall.models.stepspace.step_table import BEYOND, SUPPORT, WINDOW, StepTable
from footfall.models.stepspace.stored_fields import fields_of, read, written

SYSTEM = "steps"
FOOT = "left"  # the foot all steps are of, be it in a mirror
WALKED = "left"  # the table that every step space has; steps of others are run
CANDIDATES = "candidates."  # what the names of their arrays begin with
# A file's numbers decide how much is made of it. What goes beyond these is refused before it is made.
MOST_STEPS = 10_000
MOST_JOINTS = 1000  # the time to find a skeleton's mirror image grows with their square
MOST_TURNS = 4_000_000  # joints times samples
SHORTEST, LONGEST = 1e-4, 3600.0  # s of any part of a step
MOST_WORDS = 1000

Name = Annotated[str, msgspec.Meta(max_length=1000)]
Steps = Annotated[list[Name], msgspec.Meta(min_length=FEWEST, max_length=MOST_STEPS)]
Peak = Annotated[float, msgspec.Meta(ge=0.0, le=1e9)]
Share = Annotated[float, msgspec.Meta(ge=0.0, le=10.0)]


class _Space(msgspec.Struct):
    joints: list[str]
    roles: dict[str, int]
    steps: dict[str, Steps]  # the names of those of each table
    peaks: Annotated[dict[Name, Peak], msgspec.Meta(max_length=MOST_WORDS)]
    leg_extension: Share | None
    candidates: bool


def save_steps(space: StepSpace, path: str | PathLike[str]) -> None:
    """Writes a step space (.ffmodel), whole or not at all."""
    target = checked_target(path)
    content = space_bytes(space)
    try:
        read_steps(opened_model(content, (SYSTEM,)))
    except LoadError as error:
        raise SaveError(f"{target}: it could not be read again ({error.problem})") from None
    save_bytes(content, target)


def space_bytes(space: StepSpace) -> bytes:
    skeleton, candidates = space.skeleton, space.candidates
    arrays = skeleton_arrays(skeleton) | written(space, "")
    tables = {name: table for name in table_names() if (table := getattr(space, name)) is not None}
    for name, table in tables.items():
        arrays |= written(table, f"{name}.")
    arrays |= {} if candidates is None else written(candidates, CANDIDATES)
    told = _Space(
        list(skeleton.names),
        dict(skeleton.roles),
        {name: list(table.names) for name, table in tables.items()},
        dict(space.reference.peaks),
        space.reference.leg_extension,
        candidates is not None,
    )
    return model_bytes(SYSTEM, told, arrays)


def table_names() -> tuple[str, ...]:
    """The fields of a step space that are tables of steps."""
    return tuple(fields_of(StepSpace, StepTable))


def read_steps(stored: StoredModel) -> StepSpace:
    """A step space from a file's parts; whatever does not fit is a LoadError."""
    told = stored.described(_Space)
    _refuse_too_much(told)
    try:
        skeleton = read_walker(stored.arrays, told.joints, told.roles)
        parts: dict[str, Any] = {
            name: _table(stored.arrays, name, steps, skeleton) for name, steps in told.steps.items()
        }
        count = len(parts[WALKED])
        parts |= read(stored.arrays, StepSpace, "", {"n": count} | _sizes(len(skeleton)))
        space = StepSpace(
            reference=Reference(told.peaks, told.leg_extension),
            candidates=_candidates(stored.arrays, count) if told.candidates else None,
            **parts,
        )
        # what asks the skeleton for roles and for its mirror image asks now, not when a plan is followed
        space.left.taken(np.arange(1)).mirrored()
        _ = space.low
    except LoadError:
        raise
    except FootfallError as error:
        raise LoadError(str(error)) from None
    return space


def _sizes(joints: int) -> dict[str, int]:
    """The lengths of axes, as arrays name them."""
    return {"joints": joints, "channels": FIRST + 3 * (joints - 1)}


def _samples(table: str) -> int:
    return WINDOW if table == WALKED else WINDOW + 2 * BEYOND


def _refuse_too_much(told: _Space) -> None:
    joints, known = len(told.joints), table_names()
    if joints > MOST_JOINTS:
        raise LoadError(f"expected at most {MOST_JOINTS} joints, found {joints}")
    if WALKED not in told.steps or not set(told.steps) <= set(known):
        raise LoadError(f"expected steps in {WALKED!r}, and in none but {', '.join(known)}")
    turns = joints * sum(len(steps) * _samples(table) for table, steps in told.steps.items())
    if turns > MOST_TURNS:
        raise LoadError(f"{turns} rotations are more than the {MOST_TURNS} that are read")


def _table(arrays: StoredArrays, name: str, steps: Sequence[str], skeleton: Skeleton) -> StepTable:
    sizes = {"n": len(steps), "samples": _samples(name)} | _sizes(len(skeleton))
    kept = read(arrays, StepTable, f"{name}.", sizes)
    _refuse_false_steps(name, kept)
    return StepTable(skeleton, FOOT, names=tuple(steps), **kept)


def _refuse_false_steps(name: str, kept: dict[str, Any]) -> None:
    for times, least in (("durations", SHORTEST), ("stances", SHORTEST), ("flights", 0.0)):
        if not ((kept[times] >= least) & (kept[times] <= LONGEST)).all():
            raise LoadError(f"expected times of {least:g} to {LONGEST:g} s in '{name}.{times}'")
    if not np.isin(kept["ways"], (-1, 0, 1)).all():
        raise LoadError(f"expected 1, -1 or 0 in '{name}.ways'")
    if kept["clips"].min() < 0:
        raise LoadError(f"expected numbers of clips from 0 on in '{name}.clips'")
    if kept["places"][:, SUPPORT].any() or kept["headings"][:, SUPPORT].any():
        raise LoadError(
            f"expected the support foot's place and heading to be 0 in '{name}.places', its frame"
        )


def _candidates(arrays: StoredArrays, steps: int) -> BlendCandidates:
    kept = read(arrays, BlendCandidates, CANDIDATES, {"n": steps})
    quads, offsets = kept["quads"], kept["offsets"]
    if len(quads) and not (quads.min() >= 0 and quads.max() < steps and _rising(quads)):
        raise LoadError(f"expected four different steps of the {steps} in each row of '{CANDIDATES}quads'")
    if len(offsets) and not (offsets.min() >= 0 and offsets.max() <= len(quads)):
        raise LoadError(f"expected places in {len(quads)} quads in '{CANDIDATES}offsets'")
    return BlendCandidates(**kept | {"quads": quads.astype(np.int16)})


def _rising(quads: np.ndarray) -> bool:
    return bool((np.diff(quads, axis=1) > 0).all())
