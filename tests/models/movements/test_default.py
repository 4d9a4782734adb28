"""The default library: the same at every call, quick from the second on; a cache that fails is only slow."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from footfall.cache import FOLDER
from footfall.models import built_once
from footfall.models.movements import default
from footfall.models.movements.default import default_movements
from footfall.models.movements.model import MovementLibrary
from footfall.models.movements.store import library_bytes
from tests.formats.examination import within_time
from tests.models.movements.libraries import small_library


def assert_same(a: MovementLibrary, b: MovementLibrary) -> None:
    """Bit for bit in what is kept, and in what is played."""
    assert library_bytes(a) == library_bytes(b)
    for one, other in zip(a.captured, b.captured, strict=True):
        assert_array_equal(one.root, other.root)
        assert_array_equal(one.rotations, other.rotations)
    first, second = (m.synthesize("jump", length=0.9) for m in (a, b))
    assert_array_equal(first.positions, second.positions)


def test_the_library() -> None:
    default_movements()  # be it built by another test
    told: list[str] = []
    with within_time(1.0):
        library = default_movements(lambda what, share: told.append(what))
    assert told == []
    assert {k.name: len(k.examples) for k in library.members} == {
        "left_step": 16,
        "right_step": 16,
        "jump": 10,
        "left_general_step": 48,
        "right_general_step": 48,
    }
    assert library.skeleton.names == library.captured[0].skeleton.names
    assert {m.fps for m in library.captured} == {30.0}
    jump = library.space["jump"]
    assert jump.names == ("length", "height")
    # length and height apart: neither follows from the other
    away = jump.points - jump.points.mean(axis=0)
    assert np.linalg.svd(away)[1].min() > 0.25


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[int]:
    """An empty cache, and a stand-in for the builder that counts how often it builds."""
    monkeypatch.setenv(FOLDER, str(tmp_path / "cache"))
    built: list[int] = []

    def stand_in(*_: object) -> MovementLibrary:
        built.append(1)
        return small_library()

    monkeypatch.setattr(default, "_built", stand_in)
    return built


def test_the_first_call_gives_what_later_ones_do(counted: list[int]) -> None:
    first, second = default_movements(), default_movements()
    assert len(counted) == 1
    assert_same(first, second)
    assert not np.array_equal(first.captured[0].root, small_library().captured[0].root)  # rounded, that is


def test_a_folder_that_cannot_be_written(
    counted: list[int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv(FOLDER, str(tmp_path / "file"))
    assert_same(default_movements(), default_movements())
    assert len(counted) == 2


def test_a_file_that_cannot_be_read(counted: list[int], tmp_path: Path) -> None:
    good = default_movements()
    (path,) = (tmp_path / "cache").rglob("*.ffmodel")
    content = path.read_bytes()
    for broken in (b"", content[:-1], b"\xff" * 100):
        path.write_bytes(broken)
        assert_same(default_movements(), good)
        assert path.read_bytes() == content
    assert len(counted) == 4


def test_other_code_has_another_file(counted: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    default_movements()
    monkeypatch.setattr(built_once, "source_digest", lambda *_, **__: "other")
    default_movements()
    assert len(counted) == 2
