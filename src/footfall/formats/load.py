"""Loading: a file's format is recognised by its content, its reader is called, and the rest assembled."""

from __future__ import annotations

import glob
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from footfall.errors import LoadError, RequestError
from footfall.figure.motion import Motion, checked_rate
from footfall.figure.skeleton import Skeleton
from footfall.file_access import as_path, note_read
from footfall.formats.assemble import Capture, assemble
from footfall.formats.take import Take
from footfall.formats.units import checked_up, parse_unit

Path_ = str | PathLike[str]
MAX_FILE = 1 << 30  # bytes
PIECE = 1 << 20  # bytes


@dataclass(frozen=True)
class Source:
    """A file's bytes and where they lie, for readers that need a neighbour (a skeleton, a buffer)."""

    path: Path
    content: bytes
    skeleton: Path | None = None

    def neighbour(self, path: Path) -> Source:
        return Source(path, read_bytes(path))


def load_motion(
    path: Path_,
    *,
    fps: float | None = None,
    unit: str | float | None = None,
    up: str | None = None,
    skeleton: Path_ | None = None,
    roles: Mapping[str, str] | None = None,
) -> Motion:
    """The motion of a file, in metres, Y up, artificial opening frames left out. See `load_capture`."""
    return load_capture(path, fps=fps, unit=unit, up=up, skeleton=skeleton, roles=roles).motion


def load_motions(pattern: Path_ | Iterable[Path_], **options: object) -> list[Motion]:
    """All motions that match a pattern ("captures/*.bvh") or a list of files, in the order of their names."""
    if isinstance(pattern, str | PathLike):
        files: list[str] = sorted(glob.glob(str(pattern), recursive=True))
        if not files:
            raise LoadError("no file matches", file=pattern)
    elif isinstance(pattern, Iterable) and getattr(pattern, "ndim", 1) != 0:
        files = [str(as_path(p)) for p in pattern]
        if not files:
            raise RequestError("a pattern or at least one path is needed, and the list of paths is empty")
    else:
        raise RequestError(f"files are named by a pattern or a list of paths, not by {pattern!r:.60}")
    return [load_motion(f, **options) for f in files]  # type: ignore[arg-type]


def load_skeleton(path: Path_, **options: Any) -> Skeleton:
    """The skeleton of a motion file or of a skeleton file (.sk, .asf); options as for `load_capture`."""
    return load_capture(path, **options).motion.skeleton


def load_capture(
    path: Path_,
    *,
    fps: float | None = None,
    unit: str | float | None = None,
    up: str | None = None,
    skeleton: Path_ | None = None,
    roles: Mapping[str, str] | None = None,
) -> Capture:
    """A motion with what was decided while loading it.

    `fps`, `unit` ("cm", or metres in one unit) and `up` ("y", "z") overrule the file. A clip that needs a
    skeleton file (.amc, .skm) takes `skeleton`, or the only one in its folder. `roles` maps role names to
    joint names where the names in the file say too little.
    """
    if fps is not None:
        fps = checked_rate(fps)
    if up is not None:
        checked_up(up)
    if roles is not None and not all(isinstance(word, str) for pair in _pairs(roles) for word in pair):
        raise RequestError(f"roles must be a mapping from role names to joint names, not {roles!r:.60}")
    metres = None if unit is None else parse_unit(unit)
    named = as_path(path)
    source = Source(named, read_bytes(named), None if skeleton is None else as_path(skeleton))
    try:
        name, read = recognise(source)
        result = read(source)
        if isinstance(result, Take):
            result = assemble(result, fps=fps, unit=metres, up=up, roles=roles)
        else:
            result = _overruled(result, fps, roles)
    except LoadError as error:
        raise error.at(path) from None
    return replace(result, file=str(path), format=name)


def _pairs(roles: object) -> Iterable[tuple[object, object]]:
    return roles.items() if isinstance(roles, Mapping) else [(None, None)]


def _overruled(capture: Capture, fps: float | None, roles: Mapping[str, str] | None) -> Capture:
    """One of our own files, which leaves nothing to judge, with what the caller knows better."""
    motion = capture.motion
    if fps is not None:
        motion = replace(motion, fps=fps)
    if roles:
        motion = replace(motion, skeleton=motion.skeleton.with_roles(**roles))
    return replace(capture, motion=motion)


def read_bytes(path: Path) -> bytes:
    """A file's content, or a LoadError that says why not."""
    note_read(path)
    try:
        if path.is_dir():
            raise LoadError("this is a folder, not a file", file=path)
        content = b"" if path.is_file() else _bounded(path)
        size = max(path.stat().st_size, len(content))
        if size > MAX_FILE:
            raise LoadError(f"{size} bytes are more than the {MAX_FILE} that footfall reads", file=path)
        return path.read_bytes() if path.is_file() else content
    except OSError as error:
        raise LoadError(f"cannot be opened ({error.strerror or error})", file=path) from None
    except ValueError as error:  # a NUL in the name
        raise LoadError(f"cannot be opened ({error})", file=path) from None


def _bounded(path: Path) -> bytes:
    """What a pipe or a device gives, which has no size and may have no end, a byte over the limit at most."""
    pieces, room = [], MAX_FILE + 1
    with path.open("rb") as file:
        while room > 0 and (piece := file.read(min(PIECE, room))):
            pieces.append(piece)
            room -= len(piece)
    return b"".join(pieces)


def fetched_beside(document: Path) -> Callable[[str], bytes]:
    """Reads a document's buffers from files beside it; a name that leads elsewhere is refused."""

    def fetch(uri: str) -> bytes:
        name = unquote(uri)
        if not name or "/" in name or "\\" in name or ":" in name or name.startswith("."):
            raise LoadError(f"a buffer must lie beside the document, not at {uri[:80]!r}")
        return read_bytes(document.parent / name)

    return fetch


Reader = Callable[[Source], Take | Capture]


def recognise(source: Source) -> tuple[str, Reader]:
    """The format's name and reader, by content; the file's ending decides nothing."""
    content = source.content
    head = content[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    upper = head.upper()
    if upper.startswith(b"HIERARCHY") or upper.startswith(b"ROOT "):
        return "bvh", _bvh
    if content.startswith(b"glTF") or (head.startswith(b"{") and b'"asset"' in content):
        return "gltf", _gltf
    if content.startswith(b"PK\x03\x04") and b"poses.npy" in content and b"trans.npy" in content:
        return "amass", _amass
    if head.startswith(b"{") and re.search(rb'"Frames"\s*:', content):
        return "deepmimic", _deepmimic
    header_end = 8 + int.from_bytes(content[:8], "little")  # safetensors
    if content[8:9] == b"{" and content.find(b'"footfall_motion"', 8, header_end) > 0:
        return "ffm", _ffm
    opening = _first_word(content)
    if opening in (b"skmotion", b"homotion", b"knmotion"):
        return "skm", _skm
    if opening in (b"skeleton", b"set_name", b"add_path", b"set_scale"):
        return "sk", _sk
    if opening in (b":fully-specified", b":degrees", b":radians", b":samples-per-second"):
        return "amc", _amc
    if opening.startswith(b":") and re.search(rb"^[ \t]*:bonedata", content, re.IGNORECASE | re.MULTILINE):
        return "asf", _asf
    raise LoadError(
        "not recognised as BVH, ASF/AMC, SK/SKM, GLB/glTF, AMASS npz, DeepMimic JSON or footfall's own format"
    )


def _first_word(content: bytes) -> bytes:
    """The first word after comments that start with #, in lower case."""
    found = re.match(rb"(?:\s++|#[^\n]*+)*+(\S{1,40})", content[:65536].removeprefix(b"\xef\xbb\xbf"))
    return found[1].lower() if found else b""


def _gltf(source: Source) -> Take:
    from footfall.formats.gltf_read import read_gltf

    return read_gltf(source.content, fetched_beside(source.path))


def _bvh(source: Source) -> Take:
    from footfall.formats.bvh import read_bvh

    return read_bvh(source.content)


def _amass(source: Source) -> Take:
    from footfall.formats.amass import read_amass

    return read_amass(source.content)


def _deepmimic(source: Source) -> Take:
    from footfall.formats.deepmimic import read_deepmimic

    return read_deepmimic(source.content)


def _ffm(source: Source) -> Capture:
    from footfall.formats.ffm import read_ffm

    return read_ffm(source.content)


def _sk(source: Source) -> Take:
    from footfall.formats.smartbody import read_sk

    return read_sk(source.content)


def _skm(source: Source) -> Take:
    from footfall.formats.skeleton_file import find_skeleton
    from footfall.formats.smartbody import read_skm

    path = find_skeleton(source, ".sk")
    bones = source.neighbour(path)
    try:
        name, read = recognise(bones)
        # a clip as skeleton would go looking for a skeleton of its own
        skeleton = read(bones) if name in ("sk", "bvh", "asf") else None
        if not isinstance(skeleton, Take):
            raise LoadError(f"expected a skeleton (SK, BVH or ASF), found {name}")
    except LoadError as error:
        raise error.at(path) from None
    return read_skm(source.content, skeleton)


def _asf(source: Source) -> Take:
    from footfall.formats.acclaim import read_asf

    return read_asf(source.content)


def _amc(source: Source) -> Take:
    from footfall.formats.acclaim import read_amc
    from footfall.formats.skeleton_file import find_skeleton

    path = find_skeleton(source, ".asf")
    return read_amc(source.content, read_bytes(path), skeleton_file=path)
