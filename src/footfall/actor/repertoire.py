"""Pieces of the virtual actor by name, for whoever wants to see one without saying how it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from footfall.actor.virtual_actor import VirtualActor
from footfall.errors import RequestError
from footfall.figure.example import Example


@dataclass(frozen=True)
class Piece:
    about: str
    play: Callable[[VirtualActor], Example]


PIECES = {
    "walk": Piece("a walk at 1.3 m/s", lambda a: a.walk(1.3)),
    "run": Piece("a run at 3 m/s", lambda a: a.run(3.0)),
    "turn": Piece("a walk along a bow", lambda a: a.walk(1.1, turn_rate=0.5)),
    "slope": Piece("a walk up a slope of 10 degrees", lambda a: a.walk(1.0, slope=np.radians(10.0))),
    "stairs": Piece("up stairs", lambda a: a.stairs(0.16, 0.30)),
    "stairs_down": Piece("down stairs", lambda a: a.stairs(-0.16, 0.30)),
    "spiral": Piece("up spiral stairs", lambda a: a.stairs(0.15, 0.36, turn=np.pi / 8)),
    "start_and_stop": Piece("from standing to standing", lambda a: a.start_and_stop(1.3, steps=6)),
    "backward": Piece("a walk backwards", lambda a: a.walk(-0.7)),
    "sidestep": Piece("steps aside", lambda a: a.sidestep(0.28, steps=4)),
    "cross_step": Piece("crossing steps aside", lambda a: a.cross_step("left", pairs=2)),
    "turn_in_place": Piece("round on the spot", lambda a: a.turn_in_place(np.pi)),
    "step_up": Piece("one step onto a block", lambda a: a.step_to(0.5, 0.1, 0.14)),
    "jump": Piece("a standing jump of 1.2 m", lambda a: a.jump(1.2, 0.3)),
    "reach": Piece("a hand to the floor", lambda a: a.reach(_beside(a, -0.15, 0.12, 0.40))),
    "reach_high": Piece("a hand overhead", lambda a: a.reach(_beside(a, -0.2, 1.95, 0.25))),
    "lift": Piece("both hands to a box", lambda a: a.reach(_box(a), hand="open", touch="palm")),
    "sit": Piece("sitting, a hand to a table", lambda a: a.reach(_beside(a, -0.2, 0.78, 0.55), seat=0.45)),
    "idle": Piece("quiet standing", lambda a: a.idle(8.0)),
}


def _beside(actor: VirtualActor, x: float, y: float, z: float) -> np.ndarray:
    return actor.height / 1.75 * np.array([x, y, z])


def _box(actor: VirtualActor) -> dict[str, np.ndarray]:
    return {"left": _beside(actor, 0.17, 0.45, 0.42), "right": _beside(actor, -0.17, 0.45, 0.42)}


def play(text: str, *, fps: float | None = None) -> Example:
    """A piece by its name, with a seed for another person: "jump", "walk@3"."""
    name, at, seed = text.partition("@")
    if name not in PIECES:
        raise RequestError(f"the actor has no piece called {name[:40]!r}; it has {', '.join(PIECES)}")
    if at and not (seed.isascii() and seed.isdigit() and len(seed) < 10):
        raise RequestError(f"a person is a whole number, as in {name}@3, not {seed[:40]!r}")
    person = int(seed) if at else 0
    return PIECES[name].play(VirtualActor(person) if fps is None else VirtualActor(person, fps=fps))
