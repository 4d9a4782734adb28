"""The five sessions of a few people: each performed by one process of a test run, read by the others."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from footfall.actor.library import cache_folder
from footfall.actor.sessions import SESSIONS
from footfall.actor.virtual_actor import VirtualActor
from footfall.figure.example import Example

SEEDS = (0, 1)
SESSION_NAMES = tuple(SESSIONS)
PATIENCE = 180.0  # s: whoever performs for longer has died


@cache
def performed(seed: int, session: str) -> tuple[Example, ...]:
    with _alone(f"{session}-{seed}"):
        return VirtualActor(seed).perform(session)


@contextmanager
def _alone(name: str) -> Iterator[None]:
    """Two processes that want the same session: one performs, the other waits and reads."""
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    lock = folder / f"{name}.performing"
    until = time.monotonic() + PATIENCE
    while True:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
            break
        except FileExistsError:
            if time.monotonic() > until:
                break
            time.sleep(0.1)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
