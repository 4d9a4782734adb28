"""Footfall's own motion file (.ffm): safetensors arrays in float64, and one JSON text in its metadata.

Nothing is judged again on the way in: roles, rest pose, foot points and contacts come back as they were, and
every array bit for bit. Such a file holds numbers and names only, so reading one can never run code.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
import numpy as np

from footfall.errors import FootfallError, LoadError, SaveError
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.formats.assemble import Capture
from footfall.formats.skeleton_arrays import checked_names, read_skeleton, skeleton_arrays
from footfall.formats.stored import StoredArrays, stored_bytes, stored_text

VERSION = 1
MARKER = "footfall_motion"  # the key of the text in the metadata
CONTACTS = ("heel", "toe")


class _Edition(msgspec.Struct):
    """Read first: what else the text holds is for its version to say."""

    version: Annotated[int, msgspec.Meta(ge=1, le=10**9)]


class _Description(msgspec.Struct):
    version: int
    names: list[str]
    roles: dict[str, int]
    fps: float


def write_ffm(motion: Motion) -> bytes:
    if motion.root.ndim != 2:
        raise SaveError("one motion is written to a file, not a batch")
    skeleton = motion.skeleton
    arrays = {"root": motion.root, "rotations": motion.rotations, **skeleton_arrays(skeleton)}
    if motion.translations is not None:
        arrays["translations"] = motion.translations
    if motion.contacts is not None:
        for part in CONTACTS:
            arrays[f"{part}_contacts"] = getattr(motion.contacts, part).astype(np.uint8)
    description = _Description(VERSION, list(skeleton.names), dict(skeleton.roles), motion.fps)
    return stored_bytes(arrays, MARKER, msgspec.json.encode(description))


def read_ffm(content: bytes) -> Capture:
    description = _read_description(content)
    arrays = StoredArrays.of(content)
    try:
        motion = _motion(arrays, description)
    except LoadError:
        raise
    except FootfallError as error:
        raise LoadError(str(error)) from None
    return Capture(motion, unit=1.0, up="y")


def _read_description(content: bytes) -> _Description:
    text = stored_text(content, MARKER)
    if text is None:
        raise LoadError("expected a footfall motion, found no description of one")
    try:
        version = msgspec.json.decode(text, type=_Edition).version
        if version > VERSION:
            raise LoadError(f"the file has version {version}, this footfall reads up to {VERSION}: update it")
        description = msgspec.json.decode(text, type=_Description)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise LoadError(f"the description of the motion is damaged ({str(error)[:100]})") from None
    checked_names(description.names)
    return description


def _motion(arrays: StoredArrays, description: _Description) -> Motion:
    joints = len(description.names)
    root = arrays.lengths("root", None, 3)
    moved = None
    if arrays.has("translations"):
        moved = arrays.lengths("translations", len(root), joints, 3)
    return Motion(
        read_skeleton(arrays, description.names, description.roles),
        root,
        arrays.turns("rotations", len(root), joints, 4),
        description.fps,
        moved,
        _contacts(arrays, len(root)),
    )


def _contacts(arrays: StoredArrays, frames: int) -> Contacts | None:
    if not any(arrays.has(f"{part}_contacts") for part in CONTACTS):
        return None
    heel, toe = (arrays.take(f"{part}_contacts", np.uint8, frames, 2) for part in CONTACTS)
    if max(heel.max(initial=0), toe.max(initial=0)) > 1:
        raise LoadError("expected contacts as 0 or 1")
    return Contacts(heel, toe)
