"""The skeleton file of a clip that holds frames alone (.skm, .amc): as given, else the only one beside it."""

from __future__ import annotations

from collections.abc import Container, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from footfall.errors import LoadError

if TYPE_CHECKING:
    from footfall.formats.load import Source

LISTED = 8  # names that an error or a note lists


def find_skeleton(source: Source, ending: str) -> Path:
    """`source.skeleton`, else the only file with this ending (".sk", ".asf") in the clip's folder."""
    if source.skeleton is not None:
        return source.skeleton
    candidates = _files_ending(source.path.parent, ending)
    if len(candidates) == 1:
        return candidates[0]
    if not candidates:
        raise LoadError(
            f"needs a skeleton, and no {ending} file lies in its folder; name one with --skeleton FILE"
        )
    names = listing(path.name for path in candidates)
    raise LoadError(f"needs a skeleton, and several lie in its folder ({names}); choose with --skeleton FILE")


def _files_ending(folder: Path, ending: str) -> list[Path]:
    """Sorted by name; endings are matched whatever their case."""
    try:
        return sorted(p for p in folder.iterdir() if p.suffix.lower() == ending and p.is_file())
    except OSError as error:
        raise LoadError(f"its folder cannot be searched for a skeleton ({error.strerror or error})") from None


def unmatched_joints(moving: Iterable[str], known: Container[str]) -> tuple[str, ...]:
    """A note on joints that a clip moves and its skeleton lacks; one that lacks all is the wrong one."""
    moving = list(dict.fromkeys(moving))
    lacking = [name for name in moving if name not in known]
    if not lacking:
        return ()
    if len(lacking) == len(moving):
        raise LoadError(
            f"the skeleton has none of the joints that move ({listing(lacking)}); is it the right one?"
        )
    return (f"joints that the skeleton lacks are left out: {listing(lacking)}",)


def listing(names: Iterable[str]) -> str:
    known = [name[:60] for name in names]
    more = f" and {len(known) - LISTED} more" if len(known) > LISTED else ""
    return ", ".join(known[:LISTED]) + more
