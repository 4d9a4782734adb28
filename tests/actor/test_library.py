"""Sessions kept on disk are what was performed; a cache that fails is no more than slow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from footfall.actor.library import library_file, load_library, save_library
from footfall.actor.sessions import SESSIONS
from footfall.actor.sessions import walk as walk_session
from footfall.actor.virtual_actor import VirtualActor
from footfall.cache import FOLDER
from footfall.figure.example import Example


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv(FOLDER, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The takes that are really performed."""
    played: list[str] = []
    original = walk_session.takes

    def takes(actor: VirtualActor) -> Iterator[tuple[str, Example]]:
        for name, example in original(actor):
            played.append(name)
            yield name, example

    monkeypatch.setattr(walk_session, "takes", takes)
    return played


def assert_same(first: tuple[Example, ...], second: tuple[Example, ...]) -> None:
    """Bit for bit, in everything an example holds."""
    assert len(first) == len(second)
    for a, b in zip(first, second, strict=True):
        assert (a.name, a.kind, a.keytimes, dict(a.parameters)) == (
            b.name,
            b.kind,
            b.keytimes,
            dict(b.parameters),
        )
        assert a.motion.fps == b.motion.fps
        assert_array_equal(a.motion.root, b.motion.root)
        assert_array_equal(a.motion.rotations, b.motion.rotations)
        assert a.motion.contacts is not None
        assert b.motion.contacts is not None
        assert_array_equal(a.motion.contacts.heel, b.motion.contacts.heel)
        assert_array_equal(a.motion.contacts.toe, b.motion.contacts.toe)
        assert a.motion.rotations.dtype == b.motion.rotations.dtype == np.float64


def only_file(folder: Path) -> Path:
    (found,) = folder.rglob("*.safetensors")
    return found


def test_what_is_read_is_what_was_performed(folder: Path, counted: list[str]) -> None:
    actor = VirtualActor(5)
    performed = actor.perform("walk")
    assert counted == ["walk"]
    assert only_file(folder).parent.parent == folder
    assert_same(actor.perform("walk"), performed)
    assert_same(VirtualActor(5, fps=30.0).perform("walk"), performed)  # a session has a rate of its own
    assert counted == ["walk"]  # once


def test_movements_with_jumps_survive_too(folder: Path) -> None:
    """Many takes, joints that never move, keytimes and parameters of two kinds."""
    actor = VirtualActor(3)
    takes = (actor.jump(0.8, 0.25), actor.walk(1.2, steps=2), actor.idle(1.0))
    path = folder / "made.safetensors"
    save_library(path, takes)
    kept = load_library(path, actor.skeleton)
    assert kept is not None
    assert_same(kept, takes)
    assert path.stat().st_size < 0.7 * sum(t.motion.rotations.nbytes for t in takes)  # fingers are kept once
    assert [one.name for one in folder.rglob("*")] == [path.name]  # nothing half-written


@pytest.mark.parametrize("damage", ["empty", "cut", "garbage", "foreign", "folder"])
def test_a_broken_file_is_performed_again(folder: Path, counted: list[str], damage: str) -> None:
    actor = VirtualActor(5)
    performed = actor.perform("walk")
    path = only_file(folder)
    whole = path.read_bytes()
    path.unlink()
    if damage == "folder":
        path.mkdir()
    elif damage == "foreign":  # a proper file of the same format that holds something else
        from safetensors.numpy import save_file

        save_file({"root": np.zeros(3)}, path, metadata={"examples": '[{"keytimes": []}]'})
    else:
        broken = {"empty": b"", "cut": whole[: len(whole) // 2], "garbage": bytes(range(256)) * 40}
        path.write_bytes(broken[damage])
    assert load_library(path, actor.skeleton) is None
    assert_same(actor.perform("walk"), performed)
    assert counted == ["walk", "walk"]
    if damage != "folder":
        assert path.read_bytes() == whole  # and is mended


def test_a_folder_that_cannot_be_written_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, counted: list[str]
) -> None:
    """A file in the folder's place stops anybody from writing there, a superuser too."""
    (tmp_path / "taken").write_text("no folder")
    monkeypatch.setenv(FOLDER, str(tmp_path / "taken"))
    first, second = (VirtualActor(5).perform("walk") for _ in range(2))
    assert_same(first, second)
    assert counted == ["walk", "walk"]
    assert (tmp_path / "taken").read_text() == "no folder"


def test_every_person_and_session_has_a_file_of_its_own(folder: Path) -> None:
    people = [repr((seed, height)) for seed in range(5) for height in (None, 1.7)]
    files = {library_file(session, person) for session in SESSIONS for person in people}
    assert len(files) == len(people) * len(SESSIONS)
    for seed, height in ((5, None), (6, None), (5, 1.7)):
        VirtualActor(seed, height).perform("walk")
    assert len(list(folder.rglob("*.safetensors"))) == 3


def test_progress_rises_to_one(folder: Path) -> None:
    told: list[tuple[str, float]] = []
    takes = VirtualActor(5).perform("movements", progress=lambda what, share: told.append((what, share)))
    shares = [share for _, share in told]
    assert len(shares) == len(takes)
    assert (np.diff(shares) > 0.0).all()
    assert shares[0] > 0.0
    assert shares[-1] == 1.0
    assert [what for what, _ in told] == [f"movements: {take.name}" for take in takes]
