"""The five sessions of a few people: each performed by one process of a test run, read by the others."""

from __future__ import annotations

from functools import cache

from footfall.actor.sessions import SESSIONS
from footfall.actor.virtual_actor import VirtualActor
from footfall.figure.example import Example

SEEDS = (0, 1)
SESSION_NAMES = tuple(SESSIONS)


@cache
def performed(seed: int, session: str) -> tuple[Example, ...]:
    return VirtualActor(seed).perform(session)
