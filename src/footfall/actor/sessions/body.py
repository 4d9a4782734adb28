"""[body] 3-5: nineteen locomotion clips of two cycles, thirty-two reaches, hand poses and idling, at 60 Hz.

Locomotion spans forward speed, turn rate and side speed; sixteen reaches an arm lie at four heights.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from footfall.actor.virtual_actor import VirtualActor
from footfall.figure.example import Example

FPS = 60.0
CYCLES = 2
WALKS = ((0.8, 0.6), (1.4, 0.5))  # m/s, rad/s: straight and to either side
RUNS = ((2.7, 0.45),)
BACKWARD = (-0.7, 0.35)
STRAFES = (0.35, 0.75)  # m/s to either side
TURNS = 0.5 * np.pi  # on the spot, to either side
HEIGHTS = (0.12, 0.65, 1.20, 1.75)  # m: floor, low, medium, high
DIRECTIONS = (-0.55, 0.0, 0.6, 1.35)  # rad from ahead towards the reaching arm's side
SEAT = 0.45  # m


def takes(actor: VirtualActor) -> Iterator[tuple[str, Example]]:
    yield from _locomotion(actor)
    yield from _reaches(actor)
    yield from _hands(actor)
    yield "idle", actor.idle(12.0)


def _locomotion(actor: VirtualActor) -> Iterator[tuple[str, Example]]:
    steps = 2 * CYCLES
    yield "stand", actor.idle(3.0)
    for speed, turn in (*WALKS, *RUNS, BACKWARD):
        take = actor.run if speed > 2.0 else actor.walk
        for rate in (0.0, turn, -turn):
            yield f"locomotion_{speed:g}_{rate:g}", take(speed, turn_rate=rate, steps=steps)
    for speed in STRAFES:
        for sign in (1.0, -1.0):
            yield f"strafe_{sign * speed:g}", actor.strafe(sign * speed, steps=steps)
    for sign in (1.0, -1.0):
        yield f"turn_{'left' if sign > 0 else 'right'}", actor.turn_in_place(sign * TURNS)


def _reaches(actor: VirtualActor) -> Iterator[tuple[str, Example]]:
    size = actor.skeleton.leg_length() / 0.859
    for arm, sign in (("right", -1.0), ("left", 1.0)):
        for height in HEIGHTS:
            for direction in DIRECTIONS:
                away = 0.50 if height > 0.3 else 0.45
                away = away if height < 1.6 else 0.38
                place = size * np.array([sign * away * np.sin(direction), height, away * np.cos(direction)])
                yield f"reach_{arm}_{height:g}_{direction:g}", actor.reach(place, arm=arm)


def _hands(actor: VirtualActor) -> Iterator[tuple[str, Example]]:
    size = actor.skeleton.leg_length() / 0.859
    ahead = size * np.array([-0.15, 1.05, 0.45])
    for hand in ("open", "closed", "pinch"):
        yield f"hand_{hand}", actor.reach(ahead, arm="right", hand=hand)
    box = {
        side: size * np.array([sign * 0.18, 0.75, 0.42]) for side, sign in (("left", 1.0), ("right", -1.0))
    }
    yield "both_hands", actor.reach(box, hand="open", touch="palm")
    for k, place in enumerate(((-0.2, 0.75, 0.55), (-0.45, 0.9, 0.4), (0.1, 1.1, 0.5))):
        yield f"sitting_{k + 1}", actor.reach(size * np.array(place), arm="right", seat=SEAT * size)
