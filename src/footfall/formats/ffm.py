"""Footfall's own motion file (.ffm): safetensors arrays in float64, and one JSON text in its metadata.

Nothing is judged again on the way in: roles, rest pose, foot points and contacts come back as they were, and
every array bit for bit. Such a file holds numbers and names only, so reading one can never run code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import msgspec
import numpy as np
from jaxtyping import Float
from safetensors import SafetensorError
from safetensors import numpy as tensors

from footfall.errors import FootfallError, LoadError, SaveError
from footfall.figure.contacts import Contacts
from footfall.figure.feet import FootPoints
from footfall.figure.motion import Motion
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.formats.assemble import LARGEST, Capture
from footfall.formats.take import MAX_JOINTS

VERSION = 1
MARKER = "footfall_motion"  # the key of the text in the metadata
LENGTH_BYTES = 8  # safetensors: the header's length, little-endian, before the header
CONTACTS = ("heel", "toe")
FOOT_POINTS = ("heel", "subtalar", "ball", "toe")
UNIT = (0.5, 2.0)  # how far a quaternion's length may be from 1
Arrays = dict[str, np.ndarray]


class _Edition(msgspec.Struct):
    """Read first: what else the text holds is for its version to say."""

    version: Annotated[int, msgspec.Meta(ge=1, le=10**9)]


class _Description(msgspec.Struct):
    version: int
    names: list[str]
    roles: dict[str, int]
    fps: float


class _Header(msgspec.Struct):
    metadata: dict[str, str] = msgspec.field(name="__metadata__", default_factory=dict)


def write_ffm(motion: Motion) -> bytes:
    if motion.root.ndim != 2:
        raise SaveError("one motion is written to a file, not a batch")
    skeleton = motion.skeleton
    arrays = {
        "root": motion.root,
        "rotations": motion.rotations,
        "offsets": skeleton.offsets,
        "parents": skeleton.parents,
        "rest": skeleton.rest,
        "end_parents": skeleton.end_parents,
        "end_offsets": skeleton.end_offsets,
    }
    if motion.translations is not None:
        arrays["translations"] = motion.translations
    if motion.contacts is not None:
        for part in CONTACTS:
            arrays[f"{part}_contacts"] = getattr(motion.contacts, part).astype(np.uint8)
    for side, points in (skeleton.feet or {}).items():
        arrays[f"{side}_foot_points"] = np.stack([getattr(points, name) for name in FOOT_POINTS])
    description = _Description(VERSION, list(skeleton.names), dict(skeleton.roles), motion.fps)
    # safetensors reads memory as it lies: strided views must be laid out first
    dense = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    return tensors.save(dense, metadata={MARKER: msgspec.json.encode(description).decode()})


def read_ffm(content: bytes) -> Capture:
    description = _read_description(_header(content))
    try:
        arrays = _Arrays(tensors.load(content), len(description.names))
    except (SafetensorError, ValueError, KeyError, TypeError, OverflowError) as error:
        raise LoadError(f"the arrays are damaged ({str(error)[:100]})") from None
    try:
        motion = _motion(arrays, description)
    except LoadError:
        raise
    except FootfallError as error:
        raise LoadError(str(error)) from None
    return Capture(motion, unit=1.0, up="y")


def _header(content: bytes) -> bytes:
    """The JSON header, or nothing where the bytes cannot be safetensors."""
    length = int.from_bytes(content[:LENGTH_BYTES], "little")
    if content[LENGTH_BYTES : LENGTH_BYTES + 1] != b"{" or length > len(content) - LENGTH_BYTES:
        return b""
    return content[LENGTH_BYTES : LENGTH_BYTES + length]


def _read_description(header: bytes) -> _Description:
    try:
        text = msgspec.json.decode(header, type=_Header).metadata.get(MARKER)
        if text is None:
            raise LoadError("expected a footfall motion, found no description of one")
        version = msgspec.json.decode(text, type=_Edition).version
        if version > VERSION:
            raise LoadError(f"the file has version {version}, this footfall reads up to {VERSION}: update it")
        description = msgspec.json.decode(text, type=_Description)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise LoadError(f"the description of the motion is damaged ({str(error)[:100]})") from None
    if not 1 <= len(description.names) <= MAX_JOINTS:
        raise LoadError(f"expected 1 to {MAX_JOINTS} joints, found {len(description.names)}")
    return description


@dataclass(frozen=True)
class _Arrays:
    """The file's arrays, each checked when it is asked for."""

    stored: Arrays
    joints: int

    def has(self, name: str) -> bool:
        return name in self.stored

    def take(self, name: str, dtype: type, *shape: int | None) -> np.ndarray:
        """An array of exactly this type and shape; None is any length."""
        array = self.stored.get(name)
        if array is None:
            raise LoadError(f"expected an array {name!r}, found none")
        fits = len(array.shape) == len(shape) and all(
            want is None or want == have for want, have in zip(shape, array.shape, strict=True)
        )
        if array.dtype != dtype or not fits:
            wanted = " x ".join("any" if n is None else str(n) for n in shape)
            raise LoadError(
                f"expected {name!r} as {dtype.__name__} {wanted}, found {array.dtype} {array.shape}"
            )
        return array

    def lengths(self, name: str, *shape: int | None) -> Float[np.ndarray, "*shape"]:
        array = self.take(name, np.float64, *shape)
        if not (np.abs(array) < LARGEST).all():
            raise LoadError(f"expected numbers under {LARGEST:g} in {name!r}")
        return array

    def turns(self, name: str, *shape: int | None) -> Float[np.ndarray, "*batch 4"]:
        array = self.lengths(name, *shape)
        norm = np.linalg.norm(array, axis=-1)
        if not ((norm > UNIT[0]) & (norm < UNIT[1])).all():
            raise LoadError(f"expected unit quaternions in {name!r}")
        return array


def _motion(arrays: _Arrays, description: _Description) -> Motion:
    joints = arrays.joints
    root = arrays.lengths("root", None, 3)
    moved = None
    if arrays.has("translations"):
        moved = arrays.lengths("translations", len(root), joints, 3)
    return Motion(
        _skeleton(arrays, description),
        root,
        arrays.turns("rotations", len(root), joints, 4),
        description.fps,
        moved,
        _contacts(arrays, len(root)),
    )


def _contacts(arrays: _Arrays, frames: int) -> Contacts | None:
    if not any(arrays.has(f"{part}_contacts") for part in CONTACTS):
        return None
    heel, toe = (arrays.take(f"{part}_contacts", np.uint8, frames, 2) for part in CONTACTS)
    if max(heel.max(initial=0), toe.max(initial=0)) > 1:
        raise LoadError("expected contacts as 0 or 1")
    return Contacts(heel, toe)


def _skeleton(arrays: _Arrays, description: _Description) -> Skeleton:
    joints = arrays.joints
    end_parents = arrays.take("end_parents", np.int64, None)
    feet = {
        side: FootPoints(*arrays.lengths(f"{side}_foot_points", len(FOOT_POINTS), 3))
        for side in SIDES
        if arrays.has(f"{side}_foot_points")
    }
    return Skeleton(
        names=tuple(description.names),
        parents=arrays.take("parents", np.int64, joints),
        offsets=arrays.lengths("offsets", joints, 3),
        rest=arrays.turns("rest", joints, 4),
        roles=description.roles,
        end_parents=end_parents,
        end_offsets=arrays.lengths("end_offsets", len(end_parents), 3),
        feet=feet or None,
    )
