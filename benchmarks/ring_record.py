"""A walk recorded: its frames, its contacts, and what the walker told of itself in each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from ring_stick import Stick, start

from footfall.control.gait import GaitController
from footfall.figure.contacts import SIDES, Contacts
from footfall.figure.motion import Motion
from footfall.models.ring import layout
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.model import MotionRing
from footfall.world.generators.generated import Generated
from footfall.world.terrain import Terrain

FPS = 60.0
MINUTES = 5.0
FRAMES = round(MINUTES * 60.0 * FPS)

Steer = Callable[[GaitController, int], None]


@dataclass(frozen=True, eq=False)
class Walked:
    """Frames, and the walker's state after each (see `footfall.models.ring.layout`)."""

    motion: Motion
    states: Float[np.ndarray, "frames scalars"]
    terrain: Terrain
    remarks: tuple[str, ...] = ()

    def told(self, what: int) -> Float[np.ndarray, "frames"]:
        return self.states[:, what]

    @cached_property
    def strikes(self) -> Int[np.ndarray, "strikes"]:
        """Frames in which a foot has come down."""
        return np.flatnonzero(np.diff(self.told(layout.STRIKES)) > 0.5) + 1

    @cached_property
    def halves(self) -> list[tuple[str, int, int]]:
        """From strike to strike: which foot supports, the first frame, the frame after the last."""
        halves = self.told(layout.HALF).astype(int)
        return [
            (SIDES[halves[first]], int(first), int(end))
            for first, end in zip(self.strikes[:-1], self.strikes[1:], strict=True)
        ]

    @cached_property
    def metres(self) -> float:
        return float(np.linalg.norm(np.diff(self.motion.root[:, [0, 2]], axis=0), axis=1).sum())


def recorded(gait: GaitController, terrain: Terrain, frames: int, steer: Steer) -> Walked:
    """Some frames of a gait; `steer` has its turn before each."""
    gait.advance(0.0, terrain)
    joints = len(gait.skeleton)
    poses, touching = np.empty((frames, 3 + 4 * joints)), np.empty((frames, 4), dtype=bool)
    states = np.empty((frames, layout.SCALARS))
    for k in range(frames):
        steer(gait, k)
        poses[k] = gait.advance(1.0 / FPS, terrain)
        touching[k], states[k] = gait.contacts, gait.walker.state[: layout.SCALARS]
    motion = Motion(
        gait.skeleton,
        poses[:, :3],
        poses[:, 3:].reshape(frames, joints, 4),
        FPS,
        contacts=Contacts(touching[:, :2], touching[:, 2:]),
    )
    return Walked(motion, states, terrain, tuple(gait.remarks))


def steered(stick: Stick) -> Steer:
    """Commands from a stick."""

    def steer(gait: GaitController, frame: int) -> None:
        state = gait.walker.state
        place = np.array([gait.walker.pose[0], gait.walker.pose[2]])
        wish = stick.moved(frame / FPS, place, float(state[layout.HEADING]))
        if wish is not None:
            gait.command(heading=wish.heading, step_length=wish.step_length)

    return steer


def walked(rings: MotionRing | RingGraph, made: Generated, *, seed: int = 1, frames: int = FRAMES) -> Walked:
    """A walk over a ground as the seeded stick has it, from about its middle on."""
    gait = GaitController(rings, place=start(made), gait="walk")
    return recorded(gait, made.terrain, frames, steered(Stick(made.terrain, seed)))
