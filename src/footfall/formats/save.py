"""Saving: the format follows the file's ending; a file appears whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from footfall.errors import RequestError, SaveError
from footfall.figure.motion import Motion
from footfall.formats import axes
from footfall.formats.units import parse_unit

ENDINGS = (".bvh", ".glb", ".amass.npz", ".ffm")


def save_motion(
    motion: Motion, path: str | PathLike[str], *, unit: str | float | None = None, up: str = "y"
) -> None:
    """Writes a motion as .bvh, .glb, .amass.npz or .ffm.

    `unit` and `up` are for BVH, which states neither: metres and Y up unless told otherwise.
    """
    target = Path(path)
    ending = next((e for e in ENDINGS if target.name.lower().endswith(e)), None)
    if ending is None:
        raise RequestError(f"{target.name}: the ending must be one of {', '.join(ENDINGS)}")
    if ending != ".bvh" and (unit is not None or up != "y"):
        raise RequestError(f"{target.name}: unit and up axis can be chosen for .bvh only")
    if motion.root.ndim != 2:
        raise RequestError("a batch of motions cannot go into one file; save them one by one")
    content = _encode(motion, ending, 1.0 if unit is None else parse_unit(unit), up)
    with written_whole(target) as file:
        file.write(content)


def _encode(motion: Motion, ending: str, unit: float, up: str) -> bytes:
    if ending == ".bvh":
        from footfall.formats.bvh_write import write_bvh

        return write_bvh(axes.turned_to(motion, up), unit=unit)
    if ending == ".glb":
        from footfall.formats.gltf_write import write_glb

        return write_glb(motion)
    if ending == ".ffm":
        from footfall.formats.ffm import write_ffm

        return write_ffm(motion)
    from footfall.formats.amass import write_amass

    return write_amass(motion)


@contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """A temporary file beside the target that takes its name only when all of it is written."""
    temporary = ""
    try:
        with tempfile.NamedTemporaryFile(
            dir=path.parent, prefix=f".{path.name[:40]}.", suffix=".part", delete=False
        ) as file:
            temporary = file.name
            yield file  # type: ignore[misc]
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as error:
        _remove(temporary)
        raise SaveError(f"{path}: cannot be written ({error.strerror or error})") from None
    except BaseException:
        _remove(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _remove(path: str) -> None:
    if path and os.path.exists(path):
        os.remove(path)
