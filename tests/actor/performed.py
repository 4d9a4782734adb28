"""The five sessions of a few people: each performed by one process of a test run, read by the others."""

from __future__ import annotations

from functools import cache

import pytest

from footfall.actor.sessions import SESSIONS
from footfall.actor.virtual_actor import VirtualActor
from footfall.figure.example import Example

SEEDS = (0, 1)
SESSION_NAMES = tuple(SESSIONS)
LONG = ("rings", "stepping", "body")  # sessions of minutes: the second person's are performed by `make slow`
SLOW_SEEDS = (2, 3, 4, 5)


def by_seed(*sessions: str, more: bool = False) -> list[object]:
    """Pairs of a seed and a session for `parametrize`; with `more` those of four other people as well."""
    seeds = (*SEEDS, *SLOW_SEEDS) if more else SEEDS
    return [
        pytest.param(
            seed,
            session,
            marks=_marks(seed, session),
        )
        for session in sessions
        for seed in seeds
    ]


@cache
def performed(seed: int, session: str) -> tuple[Example, ...]:
    return VirtualActor(seed).perform(session)


def _marks(seed: int, session: str) -> list[pytest.MarkDecorator]:
    if seed in SLOW_SEEDS:
        return [pytest.mark.slow]
    return [pytest.mark.slow, pytest.mark.ci] if seed and session in LONG else []
