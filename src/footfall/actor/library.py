"""The sessions kept on disk: performed once, then read back from the user's cache folder.

A session is keyed by the library's version, a digest of the actor's own code and curves, and the person. What
is read back is what was performed, bit for bit. Nothing in the cache is needed: a folder that cannot be
written, or a file that cannot be read, only means that a session is performed again.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import numpy as np

from footfall.figure.contacts import Contacts
from footfall.figure.example import Example
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.version import __version__

FOLDER = "FOOTFALL_CACHE"  # the environment variable that names another folder
PACKAGES = (
    *("footfall.actor", "footfall.actor.gait", "footfall.actor.reach", "footfall.actor.sessions"),
    *("footfall.ik", "footfall.figure", "footfall.geometry", "footfall.world"),
)


def cache_folder() -> Path:
    """Where caches belong on this system."""
    if os.environ.get(FOLDER):
        return Path(os.environ[FOLDER]).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "footfall"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "footfall"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "footfall"


@cache
def _code_digest() -> str:
    """Of everything that decides how the actor moves."""
    digest = sha256(__version__.encode())
    for package in PACKAGES:
        for file in sorted(files(package).iterdir(), key=lambda f: f.name):
            if file.name.endswith((".py", ".json")):
                digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


def library_file(session: str, person: str) -> Path:
    key = sha256(f"{_code_digest()} {person}".encode()).hexdigest()[:20]
    return cache_folder() / __version__ / f"{session}-{key}.safetensors"


def load_library(path: Path, skeleton: Skeleton) -> tuple[Example, ...] | None:
    """The examples of a session, or None where there are none to be had."""
    import msgspec
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            told = msgspec.json.decode(file.metadata()["examples"])
            return tuple(_unpacked(k, row, file, skeleton) for k, row in enumerate(told))
    except (OSError, SafetensorError, KeyError, TypeError, ValueError, msgspec.MsgspecError):
        return None


def save_library(path: Path, examples: Sequence[Example]) -> None:
    """Written whole or not at all; a folder that cannot be written is no error."""
    import msgspec
    from safetensors import SafetensorError
    from safetensors.numpy import save_file

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
    partial = path.with_suffix(f".{os.getpid()}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_file(arrays, partial, metadata={"examples": msgspec.json.encode(told).decode()})
        partial.replace(path)
    except (OSError, SafetensorError):
        with suppress(OSError):
            partial.unlink()


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
