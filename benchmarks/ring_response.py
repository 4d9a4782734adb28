"""How a gait answers its stick: when an input is heard, whether the step obeys it, when the heading follows.

An input may come at any time. It is heard when the next strike is searched for again, at once or at the
strike; what is waited is told in the gait's own cycle, as the paper's rule is. A step obeys where it turns as
was wished, or as much as the ring's spheres turn at most, and is as long as was wished or as they reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float
from movements import Row
from ring_record import FPS
from ring_stick import LENGTHS, Stick, ground, start

from footfall.control.gait import GaitController
from footfall.geometry.ground import wrap
from footfall.models.ring import layout
from footfall.models.ring.model import MotionRing

INPUTS = 1000
EVERY = (0.5, 2.5)  # s between inputs
WIDEST = np.radians(90.0)  # either way
QUARTER = 0.25  # of a cycle: an input waits no longer
TURN, LENGTH = np.radians(5.0), 0.10  # rad, m: near enough
FOLLOWED = np.radians(10.0)
TINY = 1e-9  # of a cycle, for rounding


@dataclass(frozen=True, eq=False)
class Responses:
    """Of each input; what never came is not a number."""

    ring: str
    ground: str
    seconds: Float[np.ndarray, "inputs"]  # until it was heard
    cycles: Float[np.ndarray, "inputs"]
    asked: Float[np.ndarray, "inputs"]  # rad, turn from the heading at which it was heard
    turn_off: Float[np.ndarray, "inputs"]  # rad from what could be given
    length_off: Float[np.ndarray, "inputs"]  # m
    follows: Float[np.ndarray, "inputs"]  # s until the heading is about the wish's, before the next input
    stood: Float[np.ndarray, "inputs"]  # 1 where it stood, with no ground to go on, when it heard

    @property
    def obeyed(self) -> Bool[np.ndarray, "inputs"]:
        return (np.abs(self.turn_off) <= TURN) & (np.abs(self.length_off) <= LENGTH)

    @property
    def turning(self) -> Bool[np.ndarray, "inputs"]:
        return np.abs(self.asked) > FOLLOWED


@dataclass
class _Input:
    """One that is waited for."""

    given: float  # s
    heading: float
    length: float
    seconds: float = np.nan
    cycles: float = np.nan
    asked: float = np.nan
    turn_off: float = np.nan
    length_off: float = np.nan
    follows: float = np.nan
    stood: float = np.nan
    waited: float = 0.0  # ring frames: added up, so that no whole cycle is lost


def responses(name: str, ring: MotionRing, kind: str, *, seed: int = 1, inputs: int = INPUTS) -> Responses:
    """Random inputs to a walk over a ground; at its border they point inwards."""
    made = ground(kind)
    gait = GaitController(ring, place=start(made))
    gait.advance(0.0, made.terrain)
    rng, border = np.random.default_rng([seed, inputs]), Stick(made.terrain, seed)
    given: list[_Input] = []
    frame, due = 0, 0.0
    while len(given) < inputs or frame / FPS < due or np.isnan(given[-1].cycles):
        state = gait.walker.state
        if frame / FPS >= due and not (given and np.isnan(given[-1].cycles)):  # nor before the last is heard
            given.append(_asked(gait, rng, border, frame / FPS))
            due = frame / FPS + rng.uniform(*EVERY)
        before = state[[layout.FRAME, layout.STRIKES]]
        gait.advance(1.0 / FPS, made.terrain)
        frame += 1
        _listen(ring, given[-1], gait.walker.state, before, frame / FPS)
    columns = ("seconds", "cycles", "asked", "turn_off", "length_off", "follows", "stood")
    return Responses(name, kind, *(np.array([getattr(one, column) for one in given]) for column in columns))


def _asked(gait: GaitController, rng: np.random.Generator, border: Stick, time: float) -> _Input:
    state, pose = gait.walker.state, gait.walker.pose
    turned = state[layout.HEADING] + rng.uniform(-WIDEST, WIDEST)
    heading = border.inwards(pose[[0, 2]], float(turned))
    length = rng.uniform(*LENGTHS)
    gait.command(heading=heading, step_length=length)
    return _Input(time, heading, length)


def _listen(
    ring: MotionRing,
    one: _Input,
    state: Float[np.ndarray, "state"],
    before: Float[np.ndarray, "2"],
    time: float,
) -> None:
    """What became of an input in the frame that is over."""
    frames = ring.tables.frames
    if np.isnan(one.cycles) and state[layout.PENDING] > 0.5:
        one.waited += float((state[layout.FRAME] - before[0]) % frames)
    elif np.isnan(one.cycles):
        # a search at once is made before the frame's time goes on, one at the strike at the strike
        struck = state[layout.STRIKES] > before[1]
        last = (frames / 2 * state[layout.HALF] - before[0]) % frames if struck else 0.0
        one.cycles = float(one.waited + last) / frames
        one.seconds = float(state[layout.RESPONSE])
        one.stood = float(state[layout.STATUS] == layout.STANDING)
        _judge(ring, one, state)
    if np.isnan(one.follows) and abs(wrap(one.heading - state[layout.HEADING])) < FOLLOWED:
        one.follows = time - one.given


def _judge(ring: MotionRing, one: _Input, state: Float[np.ndarray, "state"]) -> None:
    spheres = ring.spheres[int(state[layout.HALF])]
    one.asked = float(wrap(one.heading - state[layout.HEADING]))
    possible = np.clip(one.asked, spheres.turns.min(), spheres.turns.max())
    one.turn_off = float(wrap(state[layout.NEXT_HEADING] - state[layout.HEADING] - possible))
    reach = np.clip(one.length, spheres.step_lengths.min(), spheres.step_lengths.max())
    step = state[layout.NEXT_ORIGIN : layout.NEXT_ORIGIN + 3] - state[layout.ORIGIN : layout.ORIGIN + 3]
    one.length_off = float(np.hypot(step[0], step[2]) - reach)


def response_rows(found: Responses) -> Iterator[Row]:
    heard = np.isfinite(found.cycles)
    # every one: what was replaced before it was heard, or never came to a search, has waited too long
    yield Row(f"{found.ring}, {found.ground}: inputs heard", int(heard.sum()), "", least=len(heard))
    yield Row("  heard while it stood", 1e2 * float(found.stood[heard].mean()), "%")
    yield Row("  heard after, mean", 1e3 * float(found.seconds[heard].mean()), "ms")
    yield Row("  heard after, worst", 1e3 * float(found.seconds[heard].max()), "ms")
    most = QUARTER + TINY
    yield Row("  heard after, worst, of a gait cycle", float(found.cycles[heard].max()), "", most=most)
    for what, off, near in (("turn", found.turn_off, TURN), ("length", found.length_off, LENGTH)):
        yield Row(f"  obeyed in {what}", 1e2 * float((np.abs(off[heard]) <= near).mean()), "%")
    yield Row("  obeyed in both", 1e2 * float(found.obeyed[heard].mean()), "%")
    follows = found.follows[heard & found.turning]
    came = np.isfinite(follows)
    yield Row("  turns followed before the next input", 1e2 * float(came.mean()), "%")
    yield Row("  turns followed after, median", float(np.median(follows[came])), "s")
