"""[stepping] 6: five minutes of walking at 30 Hz: 54 % forwards, 28 % backwards, 18 % aside and across.

Step lengths, tempo and turns wander within what people do; every take begins and ends in a stand.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from footfall.actor.gait.gaits import SIDE_GAP
from footfall.actor.gait.performance import Score, perform
from footfall.actor.gait.stepping import cross_step, walk_from_stand_to_stand
from footfall.actor.gait.ways import Advance
from footfall.actor.performed import performed
from footfall.actor.seeded import seeded
from footfall.actor.virtual_actor import VirtualActor
from footfall.figure.example import Example

FPS = 30.0
MINUTES = 5.0
TAKES = {"forward": 6, "backward": 4, "side": 3, "cross": 2}
SHARES = {"forward": 0.54, "backward": 0.28, "side": 0.11, "cross": 0.07}
WANDER = 0.75  # how much of a step's deviation the next one keeps


def takes(actor: VirtualActor) -> Iterator[tuple[str, Example]]:
    for kind, count in TAKES.items():
        seconds = SHARES[kind] * MINUTES * 60.0 / count
        for k in range(count):
            name = f"{kind}_{k + 1}"
            rng = seeded(actor.seed, 7, list(TAKES).index(kind), k)
            score = _score(actor, kind, k, seconds, rng)
            motion = perform(score, actor.skeleton, actor.style, actor.fps)
            strikes = sorted(s.strike for s in score.stances if np.isfinite(s.strike))
            keytimes = tuple(t - score.start for t in strikes)
            yield name, performed(motion, keytimes, {"seconds": motion.seconds}, kind, name)


def _score(actor: VirtualActor, kind: str, k: int, seconds: float, rng: np.random.Generator) -> Score:
    side = 1.0 if k % 2 == 0 else -1.0
    if kind == "cross":
        pairs = round((seconds - 1.6) / (2.0 * 0.68))
        return cross_step(actor.skeleton, actor.style, side="left" if side > 0 else "right", pairs=pairs)
    steps = _wandering(actor, kind, side, seconds - 1.6, rng)
    first = "left" if side > 0 else "right"
    width = max(abs(s.side) for s in steps) + SIDE_GAP if kind == "side" else None
    return walk_from_stand_to_stand(actor.skeleton, actor.style, steps, first=first, width=width)


def _wandering(
    actor: VirtualActor, kind: str, side: float, seconds: float, rng: np.random.Generator
) -> list[Advance]:
    """Steps whose length, tempo and turn each wander on their own."""
    size = actor.skeleton.leg_length() / 0.859
    length_mean, length_spread, turn_spread = {
        "forward": (0.56, 0.14, 0.22),
        "backward": (0.36, 0.08, 0.18),
        "side": (0.25, 0.05, 0.08),
    }[kind]
    wander = np.zeros(3)
    steps: list[Advance] = []
    while sum(s.seconds for s in steps) < seconds:
        wander = WANDER * wander + np.sqrt(1.0 - WANDER**2) * rng.standard_normal(3)
        told = np.clip(wander, -1.9, 1.9)
        length = size * (length_mean + length_spread * told[0])
        usual = {"forward": 0.69 - 0.20 * length, "backward": 0.58, "side": 0.56}[kind]
        wait = usual * (1.0 + 0.05 * told[1]) / actor.style.tempo
        turn = turn_spread * told[2]
        if not steps:  # out of the stand
            length, wait, turn = 0.6 * length, 1.2 * wait, 0.0
        steps.append(
            Advance(side=side * length, turn=turn, seconds=wait)
            if kind == "side"
            else Advance(forward=length if kind == "forward" else -length, turn=turn, seconds=wait)
        )
    return steps
