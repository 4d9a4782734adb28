"""The default step space: the same at every call, quick from the second on; without a cache only slow."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import footfall as ff
from footfall.cache import FOLDER
from footfall.errors import RequestError
from footfall.models import built_once
from footfall.models.stepspace import default
from footfall.models.stepspace.default import default_step_space
from footfall.models.stepspace.model import StepSpace
from footfall.models.stepspace.store import space_bytes
from tests.formats.examination import within_time
from tests.models.stepspace.spaces import small_space

STEP = {"x1": 0.2, "z1": -0.3, "x2": 0.2, "z2": 0.4, "theta1": 0.1, "theta2": 0.1}


def assert_same(a: StepSpace, b: StepSpace) -> None:
    """Bit for bit in what is kept, and in what is made."""
    assert space_bytes(a) == space_bytes(b)
    assert_array_equal(a.left.root, b.left.root)
    assert_array_equal(a.left.rotations, b.left.rotations)
    first, second = (space.synthesize("right", **STEP) for space in (a, b))
    assert_array_equal(first.positions, second.positions)


def test_the_space() -> None:
    default_step_space()  # be it built by another test
    told: list[str] = []
    with within_time(1.5):
        space = default_step_space(progress=lambda what, share: told.append(what))
    assert told == []
    # five minutes of steps; all ways of stepping in about the session's shares
    assert 400 < len(space.left) < 600
    shares = [float(np.mean(space.left.ways == way)) for way in (1, -1, 0)]
    assert shares == pytest.approx([0.54, 0.28, 0.18], abs=0.1)
    assert space.skeleton.names == ff.VirtualActor().skeleton.names
    assert space.candidates is not None
    # takes begin and end in a stand: there are steps out of one and into one
    assert (space.left.stances[:, 0] > 0.9).sum() > 5
    assert (space.left.stances[:, 1] > 0.6).sum() > 5


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[int]:
    """An empty cache, and a stand-in for the builder that counts for whom it builds."""
    small_space()  # made with the cache there is
    monkeypatch.setenv(FOLDER, str(tmp_path / "cache"))
    built: list[int] = []

    def stand_in(actor: ff.VirtualActor, _: object) -> StepSpace:
        built.append(actor.seed)
        return small_space()

    monkeypatch.setattr(default, "_built", stand_in)
    return built


def test_the_first_call_gives_what_later_ones_do(counted: list[int]) -> None:
    first, second = default_step_space(), default_step_space()
    assert counted == [0]
    assert_same(first, second)
    assert not np.array_equal(first.left.root, small_space().left.root)  # rounded, that is


def test_another_person_has_another_file(counted: list[int]) -> None:
    default_step_space(ff.VirtualActor(3))
    default_step_space()
    default_step_space(ff.VirtualActor(3).at(120.0))
    assert counted == [3, 0]
    with pytest.raises(RequestError, match="VirtualActor"):
        default_step_space("somebody")  # type: ignore[arg-type]


def test_a_folder_that_cannot_be_written(
    counted: list[int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv(FOLDER, str(tmp_path / "file"))
    assert_same(default_step_space(), default_step_space())
    assert len(counted) == 2


def test_a_file_that_cannot_be_read(counted: list[int], tmp_path: Path) -> None:
    good = default_step_space()
    (path,) = (tmp_path / "cache").rglob("*.ffmodel")
    content = path.read_bytes()
    for broken in (b"", content[:-1], b"\xff" * 100):
        path.write_bytes(broken)
        assert_same(default_step_space(), good)
        assert path.read_bytes() == content
    assert len(counted) == 4


def test_other_code_has_another_file(counted: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    default_step_space()
    monkeypatch.setattr(built_once, "source_digest", lambda *_, **__: "other")
    default_step_space()
    assert len(counted) == 2


def test_progress_goes_from_the_session_to_the_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, float]] = []

    def built(examples: object, progress: default.Progress) -> StepSpace:
        progress("built", 1.0)
        return small_space()

    monkeypatch.setattr(default, "build_step_space", built)
    monkeypatch.setattr(
        ff.VirtualActor, "perform", lambda self, session, progress: progress(session, 1.0) or ()
    )
    default._built(ff.VirtualActor(), lambda what, share: told.append((what, share)))
    assert told == [("stepping", default.PERFORMING), ("built", 1.0)]
