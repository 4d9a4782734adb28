"""One cycle of a walk, ready to be repeated and edited: a closed body, and feet told by their footprints.

Phase runs from 0 at a strike of the left foot to 1 at its next; the right foot strikes at `right_strike`. A
foot has a phase of its own from its strike: it lands (on its heel, as a rule), lies flat, rolls off over its
toe, and swings to its next footprint. In stance its ankle follows from its turn and the point that stands, so
that nothing can slide; in the air it is told twice, beside the print it left and beside the one it comes to.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.adapt.footprints import mean_turn
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.figure.sole import Sole
from footfall.ik.two_link import Limb

SIDES = ("left", "right")


def other_side(side: str) -> str:
    return "right" if side == "left" else "left"


Table = Float[np.ndarray, "samples 3"]
Turns = Float[np.ndarray, "samples 4"]


@dataclass(frozen=True, eq=False)
class FootCycle:
    """One foot over a cycle, in tables over its own phase.

    Places and turns are told in a footprint's frame: its origin where the subtalar rests, its +Z along the
    foot, its +Y the ground's normal.
    """

    side: str
    flat: float  # phase at which the sole lies
    lift: float  # at which it begins to roll off
    off: float  # at which the toe joint leaves the ground
    heel_first: bool
    phases: Float[np.ndarray, "samples"]  # of the tables' samples: close together where much happens
    ankle: Table  # beside the print it stands on, or left
    turn: Turns
    coming: Table  # beside the print it comes to (in the air; the same as `ankle` before)
    coming_turn: Turns
    progress: Float[np.ndarray, "samples"]  # of the way from the print it left to the one it comes to
    toe: Turns | None  # of the toe joint against the foot
    sole: Sole
    lying: Float[np.ndarray, "4"]  # the turn of the flat foot
    lying_toe: Float[np.ndarray, "4"] | None


@dataclass(frozen=True, eq=False)
class WalkCycle:
    """What was captured: tables over one cycle, first sample repeated at the end."""

    skeleton: Skeleton
    captured: Motion  # the frames it was taken from, cleaned, walking along +Z
    strikes: dict[str, int]  # frames of `captured` at which the feet strike; its last is a strike as well
    seconds: float
    right_strike: float  # phase
    step_lengths: tuple[float, float]  # m: the left foot's step, the right foot's
    beside: tuple[float, float]  # m to the left of the way: left and right foot
    headings: tuple[float, float]  # of left and right footprints against the way
    rotations: Float[np.ndarray, "samples joints 4"]  # the root's against the way
    root: Table  # beside the middle between the last two footprints
    feet: dict[str, FootCycle]
    legs: dict[str, Limb]
    extension: dict[str, Float[np.ndarray, "samples"]]  # of each leg, hip to ankle over its length

    @property
    def step_length(self) -> float:
        return 0.5 * (self.step_lengths[0] + self.step_lengths[1])

    @property
    def step_seconds(self) -> float:
        return 0.5 * self.seconds

    @property
    def speed(self) -> float:
        return self.step_length / self.step_seconds

    @cached_property
    def leg_length(self) -> float:
        return 0.5 * (self.legs["left"].reach + self.legs["right"].reach)

    @cached_property
    def arms(self) -> dict[int, Float[np.ndarray, "4"]]:
        """Joints of upper arms and forearms, and how they are turned on average."""
        roles = [f"{side}_{part}" for side in SIDES for part in ("upper_arm", "forearm")]
        joints = [self.skeleton.joint(role) for role in roles if self.skeleton.has(role)]
        return {joint: mean_turn(self.rotations[:-1, joint]) for joint in joints}

    def strike_phase(self, side: str) -> float:
        return 0.0 if side == "left" else self.right_strike
