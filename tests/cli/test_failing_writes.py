"""A file that is there stays as it was; one that is not does not appear, nor does a part of it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

import footfall as ff
from footfall.formats import save
from tests.cli.conftest import Said


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "old.bvh").write_text("as it was")
    return tmp_path


def check(folder: Path, said: tuple[int, str, str], reason: str) -> None:
    status, out, err = said
    assert (status, out) == (1, "")
    assert re.fullmatch(rf"footfall: .*{reason}.*", err.splitlines()[-1])
    assert {path.name: path.read_text() for path in folder.iterdir()} == {"old.bvh": "as it was"}


@pytest.mark.parametrize("name", ["old.bvh", "new.bvh"])
def test_the_encoder_fails(
    name: str, clip: Path, folder: Path, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> bytes:
        raise ff.SaveError("this figure cannot be told")

    monkeypatch.setattr(save, "_encode", refuse)
    check(folder, said("convert", clip, folder / name), "this figure cannot be told")


@pytest.mark.parametrize(
    ("step", "name"),
    [
        ("chmod", "old.bvh"),
        ("open", "old.bvh"),
        ("open", "new.bvh"),
        ("replace", "old.bvh"),
        ("replace", "new.bvh"),
    ],
)
def test_the_disk_fails(
    step: str, name: str, clip: Path, folder: Path, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = getattr(os, step)

    def full(path: object, *rest: int) -> object:
        if step == "open" and not str(path).endswith(".part"):
            return usual(path, *rest)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, full)
    outcome = said("convert", clip, folder / name)
    monkeypatch.undo()
    check(folder, outcome, re.escape(f"{name}: cannot be written (No space left on device)"))


def test_a_bug_in_the_middle(folder: Path) -> None:
    """Even what nobody foresaw leaves no part of a file."""

    def write_half() -> None:
        with save.written_whole(folder / "old.bvh") as file:
            file.write(b"half of")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_half()
    assert {path.name: path.read_text() for path in folder.iterdir()} == {"old.bvh": "as it was"}


def test_a_folder_that_is_a_file(clip: Path, folder: Path, said: Said) -> None:
    check(folder, said("convert", clip, folder / "old.bvh" / "new.bvh"), "cannot be written")


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0,
    reason="to the superuser, and on Windows, no folder is closed",
)
def test_a_closed_folder(clip: Path, folder: Path, said: Said) -> None:
    folder.chmod(0o500)
    try:
        check(folder, said("convert", clip, folder / "new.bvh"), "Permission denied")
    finally:
        folder.chmod(0o700)


def test_the_picture_fails(clip: Path, folder: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    figure = pytest.importorskip("matplotlib.figure", reason="matplotlib draws the strips; it is not here")

    def half(_: object, file: Any, **__: object) -> None:
        file.write(b"half of")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(figure.Figure, "savefig", half)
    check(folder, said("render", clip, "-o", folder / "a.png", "--figures", 2), "No space left")


def test_a_file_is_readable_by_others_as_usual(clip: Path, said: Said, tmp_path: Path) -> None:
    mask = os.umask(0o022)
    try:
        assert said("convert", clip, tmp_path / "a.bvh")[0] == 0
    finally:
        os.umask(mask)
    assert (tmp_path / "a.bvh").stat().st_mode & 0o777 == 0o644
