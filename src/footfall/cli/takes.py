"""Clips as models are built from them: files, pieces of the virtual actor, and its whole sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from footfall.cli.output import remark_notes
from footfall.cli.reading import ACTOR, DEFAULT, Reading
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.motion import Motion
from footfall.file_access import is_there

SESSIONS = ("body", "movements", "rings", "stepping")  # of the virtual actor

Told = Callable[[str, float], None]


@dataclass(frozen=True, eq=False)
class Take:
    """A clip, or a take of a session with what is known about it: kind, keytimes and parameters."""

    name: str
    motion: Motion
    known: Example | None = None
    session: str = ""


def source_of(takes: Sequence[Take], session: str) -> dict[str, Any]:
    """Examples as they are, where all are of the session that has them; else clips to be cut."""
    examples = [take.known for take in takes if take.known is not None and take.session == session]
    if len(examples) == len(takes):
        return {"source": examples}
    return {"source": [take.motion for take in takes], "names": [take.name for take in takes]}


def read_takes(clips: Sequence[Path], reading: Reading, progress: Told) -> list[Take]:
    takes: list[Take] = []
    for k, clip in enumerate(clips):
        progress(f"reading {clip}", k / len(clips))
        session = _session(clip)
        if session is not None:
            takes += _performed(clip, *session, reading, progress)
        else:
            capture = reading.load(clip)
            remark_notes(capture.file, capture.notes)
            takes.append(Take(capture.file, capture.motion))
    return takes


def _session(clip: Path) -> tuple[str, str] | None:
    """A session of the actor and its person, where one is meant and no file is called so."""
    if not str(clip).startswith(ACTOR) or is_there(clip):
        return None
    name, _, person = str(clip).removeprefix(ACTOR).partition("@")
    return (name, person) if name in SESSIONS else None


def _performed(clip: Path, session: str, person: str, reading: Reading, progress: Told) -> Iterator[Take]:
    from footfall.actor.virtual_actor import VirtualActor

    if reading != DEFAULT:
        raise RequestError(f"{clip} is a session, no file: nothing can be said of how to read it")
    if "@" in str(clip) and not (person.isascii() and person.isdigit() and len(person) < 10):
        raise RequestError(f"a person is a whole number, as in {session}@3, not {person[:40]!r}")
    for example in VirtualActor(int(person or 0)).perform(session, progress=progress):
        yield Take(f"{clip} {example.name}", example.motion, example, session)
