"""The sessions kept on disk: performed once, then read back from the user's cache folder.

A session is keyed by the library's version, a digest of the actor's own code and curves, and the person. What
is read back is what was performed, bit for bit. Nothing in the cache is needed: a folder that cannot be
written, or a file that cannot be read, only means that a session is performed again.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from footfall.cache import cache_folder, mark_used, remove_least_recent, write_cached
from footfall.figure.contacts import Contacts
from footfall.figure.example import Example
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.source_digest import source_digest
from footfall.version import __version__

MOST_BYTES, MOST_FILES = 2**30, 64  # of all cached sessions; the five of an actor take 36 MB
PERFORMER = "footfall.actor.sessions"  # the module that performs sessions


def library_file(session: str, person: str) -> Path | None:
    """Return the cached file of a session; None where there is no cache folder."""
    folder = cache_folder()
    if folder is None:
        return None
    key = sha256(f"{source_digest(PERFORMER)} {person}".encode()).hexdigest()[:20]
    return folder / __version__ / f"{session}-{key}.safetensors"


def load_library(path: Path, skeleton: Skeleton) -> tuple[Example, ...] | None:
    """The examples of a session, or None where there are none to be had."""
    import msgspec
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            told = msgspec.json.decode(file.metadata()["examples"])
            mark_used(path)
            return tuple(_unpacked(k, row, file, skeleton) for k, row in enumerate(told))
    except (OSError, SafetensorError, KeyError, TypeError, ValueError, msgspec.MsgspecError):
        return None


def save_library(path: Path, examples: Sequence[Example]) -> None:
    """Written whole or not at all; a folder that cannot be written is no error."""
    import msgspec
    from safetensors.numpy import save

    arrays: dict[str, np.ndarray] = {}
    for k, example in enumerate(examples):
        arrays |= {f"{k}.{name}": array for name, array in _packed(example.motion).items()}
    told = [
        {
            "keytimes": e.keytimes,
            "parameters": dict(e.parameters),
            "kind": e.kind,
            "name": e.name,
            "fps": e.motion.fps,
        }
        for e in examples
    ]
    if write_cached(path, save(arrays, metadata={"examples": msgspec.json.encode(told).decode()})):
        remove_least_recent(list(path.parent.glob("*.safetensors")), MOST_BYTES, MOST_FILES)


def _packed(motion: Motion) -> dict[str, np.ndarray]:
    """Joints that never move (fingers) are kept once."""
    moves = np.ptp(motion.rotations, axis=0).max(axis=-1) > 0.0
    assert motion.contacts is not None
    return {
        "root": np.ascontiguousarray(motion.root),
        "moves": moves,
        "still": np.ascontiguousarray(motion.rotations[0]),
        "rotations": np.ascontiguousarray(motion.rotations[:, moves]),
        "contacts": np.stack([motion.contacts.heel, motion.contacts.toe]),
    }


def _unpacked(k: int, row: dict, file: object, skeleton: Skeleton) -> Example:
    def of(name: str) -> np.ndarray:
        return file.get_tensor(f"{k}.{name}")  # type: ignore[attr-defined]

    root = of("root")
    rotations = np.tile(of("still"), (len(root), 1, 1))
    rotations[:, of("moves")] = of("rotations")
    motion = Motion(skeleton, root, rotations, row["fps"], contacts=Contacts(*of("contacts")))
    return Example(motion, tuple(row["keytimes"]), row["parameters"], row["kind"], row["name"])
