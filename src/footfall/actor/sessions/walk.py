"""[walk] 3: one straight walk on the level, at 120 Hz."""

from __future__ import annotations

from collections.abc import Iterator

from footfall.actor.virtual_actor import VirtualActor
from footfall.figure.example import Example

FPS = 120.0


def takes(actor: VirtualActor) -> Iterator[tuple[str, Example]]:
    yield "walk", actor.walk(1.3, steps=9)
