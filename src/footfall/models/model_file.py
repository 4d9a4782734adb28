"""What all model files (.ffmodel) share: safetensors arrays, and one JSON text that tells version and system.

What else the text holds is for the system to say. Such a file holds numbers and names only, so reading one
can never run code. All its numbers are rounded to the stored precision (`geometry.decisions.PRECISION`): the
same clips give the same file on every machine, and a file that is read and written again stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from footfall.errors import LoadError, SaveError
from footfall.figure.contacts import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.figure.sole import Sole
from footfall.file_access import as_path
from footfall.formats.save import written_whole
from footfall.formats.skeleton_arrays import checked_names, read_skeleton
from footfall.formats.stored import Arrays, StoredArrays, stored_bytes, stored_text
from footfall.geometry.decisions import DECIMALS, rounded

VERSION = 1
MARKER = "footfall_model"  # the key of the text in the metadata
ENDING = ".ffmodel"
MOTION = "footfall_motion"  # what a motion file has in its place
LEG = ("thigh", "shank", "foot")

Description = TypeVar("Description", bound=msgspec.Struct)


class _Edition(msgspec.Struct):
    """Read first: what else the text holds is for its version and its system to say."""

    version: Annotated[int, msgspec.Meta(ge=1, le=10**9)]
    system: str


class _Text(msgspec.Struct):
    version: int
    system: str
    description: msgspec.Raw


@dataclass(frozen=True)
class StoredModel:
    """A model file, taken apart."""

    system: str
    text: bytes
    arrays: StoredArrays

    def described(self, kind: type[Description]) -> Description:
        """What the text says about the model."""
        try:
            return msgspec.json.decode(self.text, type=kind)
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            raise LoadError(f"the description of the model is damaged ({str(error)[:100]})") from None


def model_bytes(system: str, description: msgspec.Struct, arrays: Arrays) -> bytes:
    """A model file's content.

    Args:
        system: which system reads it.
        description: what the text says about the model.
        arrays: by name; those of floating-point numbers, and the text's numbers, are rounded.
    """
    raw = msgspec.Raw(msgspec.json.encode(_rounded_text(msgspec.to_builtins(description))))
    kept = {name: rounded(a) if a.dtype.kind == "f" else a for name, a in arrays.items()}
    return stored_bytes(kept, MARKER, msgspec.json.encode(_Text(VERSION, system, raw)))


def _rounded_text(told: Any) -> Any:
    """A description whose floating-point numbers have so many decimals as are kept."""
    if isinstance(told, float):
        return round(told, DECIMALS) + 0.0
    if isinstance(told, dict):
        return {key: _rounded_text(value) for key, value in told.items()}
    if isinstance(told, list):
        return [_rounded_text(value) for value in told]
    return told


def opened_model(content: bytes, systems: tuple[str, ...]) -> StoredModel:
    """A model file's parts, of one of the systems that are known."""
    if content[8:9] != b"{":
        raise LoadError(f"not recognised as a footfall model ({ENDING})")
    text = stored_text(content, MARKER)
    if text is None:
        if stored_text(content, MOTION) is not None:
            raise LoadError("this is a motion, not a model")
        raise LoadError("expected a footfall model, found no description of one")
    try:
        edition = msgspec.json.decode(text, type=_Edition)
        if edition.version > VERSION:
            raise LoadError(
                f"the file has version {edition.version}, this footfall reads up to {VERSION}: update it"
            )
        if edition.system not in systems:
            raise LoadError(f"{edition.system[:40]!r} is no system that is known: {', '.join(systems)}")
        described = msgspec.json.decode(text, type=_Text)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise LoadError(f"the description of the model is damaged ({str(error)[:100]})") from None
    return StoredModel(described.system, bytes(described.description), StoredArrays.of(content))


def read_walker(arrays: StoredArrays, joints: Sequence[str], roles: Mapping[str, int]) -> Skeleton:
    """A skeleton on two legs: a foot hangs on its shank, a shank on its thigh, and both have soles."""
    skeleton = read_skeleton(arrays, checked_names(joints), roles)
    for side in SIDES:
        Sole.of(skeleton, side)
        thigh, shank, foot = (skeleton.joint(f"{side}_{part}") for part in LEG)
        if shank not in skeleton.tree.path(thigh, foot)[1:-1]:
            raise LoadError(f"expected a {side} foot that hangs on a shank, and that on a thigh")
    return skeleton


def save_bytes(content: bytes, path: str | PathLike[str]) -> None:
    """Writes a model file, whole or not at all."""
    with written_whole(checked_target(path)) as file:
        file.write(content)


def checked_target(path: str | PathLike[str]) -> Path:
    target = as_path(path)
    if target.suffix.lower() != ENDING:
        raise SaveError(f"{target.name}: the ending of a model's file must be {ENDING}")
    return target
