"""[rings] 6: 43 walks and 43 runs at 60 Hz, on the floor, on straight stairs and on spirals of eight steps.

Spirals turn a quarter or half a circle in eight steps, to either side. Every set has two gradients, is taken
up and down, and with two step lengths: five ways x two gradients x two directions x two lengths are forty;
three straight ones on the floor (short, usual, long) make 43.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from footfall.actor.gait.gaits import Pace, natural_step
from footfall.actor.virtual_actor import VirtualActor
from footfall.figure.example import Example

FPS = 60.0
STEPS = 8
WEDGES = tuple(np.pi * share / STEPS for share in (0.0, 0.5, -0.5, 1.0, -1.0))
TREADS = {"walk": (0.42, 0.62), "run": (0.70, 0.95)}  # m, for legs of 0.859 m
RISERS = {"walk": (0.09, 0.16), "run": (0.07, 0.13)}  # m
FLOOR = {"walk": 1.25, "run": 2.8}  # m/s
SHARES = (0.78, 1.0, 1.18)  # of the usual step length


def takes(actor: VirtualActor) -> Iterator[tuple[str, Example]]:
    size = actor.skeleton.leg_length() / 0.859
    for gait in ("walk", "run"):
        running = gait == "run"
        usual = natural_step(Pace(FLOOR[gait], running=running), actor.skeleton.leg_length(), actor.style)
        for share in SHARES:
            # longer steps are also faster: people change length and tempo together
            speed = FLOOR[gait] * np.sqrt(share)
            take = actor.run if running else actor.walk
            yield f"{gait}_floor_{share:g}", take(speed, step_length=share * usual, steps=STEPS)
        for wedge in WEDGES:
            for riser in RISERS[gait]:
                for direction in (1.0, -1.0):
                    for tread in TREADS[gait]:
                        name = f"{gait}_{_way(wedge)}_{'up' if direction > 0 else 'down'}_{riser:g}_{tread:g}"
                        yield (
                            name,
                            actor.stairs(
                                direction * size * riser,
                                size * tread,
                                turn=wedge,
                                steps=STEPS,
                                running=running,
                            ),
                        )


def _way(wedge: float) -> str:
    if wedge == 0.0:
        return "straight"
    part = "quarter" if abs(wedge) < 0.3 else "half"
    return f"{part}_{'left' if wedge > 0 else 'right'}"
