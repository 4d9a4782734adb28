"""The default locomotion space: the same at every call, quick from the second on; slow without a cache."""

from __future__ import annotations

from pathlib import Path

import pytest

import footfall as ff
from footfall.cache import FOLDER
from footfall.errors import RequestError
from footfall.models.locomotion import default
from footfall.models.locomotion.default import default_locomotion
from footfall.models.locomotion.model import Locomotion
from footfall.models.locomotion.store import locomotion_bytes
from tests.models.locomotion.spaces import actor_space


def test_it_is_the_actors() -> None:
    assert locomotion_bytes(default_locomotion()) == locomotion_bytes(actor_space())
    assert default_locomotion().skeleton.names == ff.VirtualActor().skeleton.names


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[int]:
    """An empty cache, and a stand-in for the builder that counts for whom it builds."""
    actor_space()  # made with the cache there is
    monkeypatch.setenv(FOLDER, str(tmp_path / "cache"))
    built: list[int] = []

    def stand_in(actor: ff.VirtualActor, _: object) -> Locomotion:
        built.append(actor.seed)
        return actor_space()

    monkeypatch.setattr(default, "_built", stand_in)
    return built


def test_built_once(counted: list[int]) -> None:
    first, second = default_locomotion(), default_locomotion()
    assert counted == [0]
    assert locomotion_bytes(first) == locomotion_bytes(second)


def test_another_person_has_another_file(counted: list[int]) -> None:
    default_locomotion(ff.VirtualActor(3))
    default_locomotion()
    default_locomotion(ff.VirtualActor(3))
    assert counted == [3, 0]
    with pytest.raises(RequestError, match="VirtualActor"):
        default_locomotion("somebody")  # type: ignore[arg-type]


def test_progress_goes_from_the_session_to_the_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, float]] = []

    def built(examples: object, progress: default.Progress) -> Locomotion:
        progress("built", 1.0)
        return actor_space()

    monkeypatch.setattr(default, "build_locomotion", built)
    monkeypatch.setattr(
        ff.VirtualActor, "perform", lambda self, session, progress: progress(session, 1.0) or ()
    )
    default._built(ff.VirtualActor(), lambda what, share: told.append((what, share)))
    assert told == [("body", default.PERFORMING), ("built", 1.0)]
