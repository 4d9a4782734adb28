"""A step space as a file: its skeleton, its steps with their frames, its stand, and the blend candidates.

Everything else is made anew from these, so nothing in a file can contradict another part. The tetrahedra are
those of the candidates: on another machine rounding may cut the same places otherwise.
"""

from __future__ import annotations

from os import PathLike
from typing import Annotated

import msgspec
import numpy as np

from footfall.analysis.reference import Reference
from footfall.errors import FootfallError, LoadError, SaveError
from footfall.figure.skeleton import Skeleton
from footfall.formats.skeleton_arrays import skeleton_arrays
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
from footfall.models.stepspace.candidates import BlendCandidates, LowSpace
from footfall.models.stepspace.low_space import low_of
from footfall.models.stepspace.model import StepSpace
from footfall.models.stepspace.step_table import SUPPORT, StepTable, grid
from footfall.models.stepspace.stored_fields import read, written

SYSTEM = "steps"
FOOT = "left"  # the foot all steps are of, be it in a mirror
STEPS, CANDIDATES = "steps.", "candidates."  # what the arrays' names begin with
# A file's numbers decide how much is made of it. What goes beyond these is refused before it is made.
MOST_STEPS = 10_000
MOST_JOINTS = 1000  # the time to find a skeleton's mirror image grows with their square
MOST_TURNS = 4_000_000  # joints times samples
SHORTEST, LONGEST = 1e-4, 3600.0  # s of any part of a step
MOST_WORDS = 1000

Name = Annotated[str, msgspec.Meta(max_length=1000)]
Peak = Annotated[float, msgspec.Meta(ge=0.0, le=1e9)]
Share = Annotated[float, msgspec.Meta(ge=0.0, le=10.0)]


class _Space(msgspec.Struct):
    joints: list[str]
    roles: dict[str, int]
    steps: Annotated[list[Name], msgspec.Meta(min_length=FEWEST, max_length=MOST_STEPS)]
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
    arrays = skeleton_arrays(skeleton) | written(space.left, STEPS) | written(space, "")
    arrays |= {} if candidates is None else written(candidates, CANDIDATES)
    told = _Space(
        list(skeleton.names),
        dict(skeleton.roles),
        list(space.left.names),
        dict(space.reference.peaks),
        space.reference.leg_extension,
        candidates is not None,
    )
    return model_bytes(SYSTEM, told, arrays)


def read_steps(stored: StoredModel) -> StepSpace:
    """A step space from a file's parts; whatever does not fit is a LoadError."""
    told = stored.described(_Space)
    sizes = _sizes(told)
    try:
        skeleton = read_walker(stored.arrays, told.joints, told.roles)
        left = _steps(stored, told, skeleton, sizes)
        space = StepSpace(
            left,
            reference=Reference(told.peaks, told.leg_extension),
            candidates=_candidates(stored, sizes) if told.candidates else None,
            **read(stored.arrays, StepSpace, "", sizes),
        )
        # what asks the skeleton for roles and for its mirror image asks now, not when a plan is followed
        left.taken(np.arange(1)).mirrored()
    except LoadError:
        raise
    except FootfallError as error:
        raise LoadError(str(error)) from None
    if space.candidates is not None:
        vars(space)["low"] = _low(left, space.candidates)
    return space


def _sizes(told: _Space) -> dict[str, int]:
    """The lengths of axes, as arrays name them."""
    n, samples, joints = len(told.steps), len(grid()), len(told.joints)
    if joints > MOST_JOINTS:
        raise LoadError(f"expected at most {MOST_JOINTS} joints, found {joints}")
    if n * samples * joints > MOST_TURNS:
        raise LoadError(f"{n * samples * joints} rotations are more than the {MOST_TURNS} that are read")
    return {"n": n, "samples": samples, "joints": joints, "channels": FIRST + 3 * (joints - 1)}


def _steps(stored: StoredModel, told: _Space, skeleton: Skeleton, sizes: dict[str, int]) -> StepTable:
    kept = read(stored.arrays, StepTable, STEPS, sizes)
    for name in ("durations", "stances"):
        if not ((kept[name] >= SHORTEST) & (kept[name] <= LONGEST)).all():
            raise LoadError(f"expected times of {SHORTEST:g} to {LONGEST:g} s in '{STEPS}{name}'")
    if not np.isin(kept["ways"], (-1, 0, 1)).all():
        raise LoadError(f"expected 1, -1 or 0 in '{STEPS}ways'")
    if kept["clips"].min() < 0:
        raise LoadError(f"expected numbers of clips from 0 on in '{STEPS}clips'")
    if kept["places"][:, SUPPORT].any() or kept["headings"][:, SUPPORT].any():
        raise LoadError("expected steps in their support foot's frame: its own place and heading are 0")
    return StepTable(skeleton, FOOT, names=tuple(told.steps), **kept)


def _candidates(stored: StoredModel, sizes: dict[str, int]) -> BlendCandidates:
    kept = read(stored.arrays, BlendCandidates, CANDIDATES, sizes)
    quads, offsets = kept["quads"], kept["offsets"]
    if len(quads) and not (quads.min() >= 0 and quads.max() < sizes["n"] and _rising(quads)):
        raise LoadError(f"expected four different steps of the {sizes['n']} in each '{CANDIDATES}quads'")
    if len(offsets) and not (offsets.min() >= 0 and offsets.max() <= len(quads)):
        raise LoadError(f"expected places in {len(quads)} quads in '{CANDIDATES}offsets'")
    return BlendCandidates(**kept | {"quads": quads.astype(np.int16)})


def _rising(quads: np.ndarray) -> bool:
    return bool((np.diff(quads, axis=1) > 0).all())


def _low(left: StepTable, candidates: BlendCandidates) -> LowSpace:
    """The tetrahedra the candidates were searched for: each is the first of its own list."""
    return LowSpace(low_of(left.high), candidates.quads[candidates.offsets[:-1]])
