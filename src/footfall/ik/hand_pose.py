"""An open hand and a fist, for any hand: what fingers close from and towards ([body] 5.3: P_r and P_g).

Bends are told from a straight finger in the plane of the palm, so that hands that rest bent or with their
thumb elsewhere take the same poses. What a joint's limits do not allow is taken back to them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.figure.frozen import frozen_array
from footfall.figure.joint_limits import clamped, limits_of
from footfall.geometry import quaternion as quat
from footfall.ik.hand import THUMB, Hand

Turns = Float[np.ndarray, "segments 3"]
Vector = Float[np.ndarray, "3"]


@dataclass(frozen=True)
class Bends:
    """Degrees. A thumb swings in the plane of the palm, then out of it, its pad to the fingers."""

    finger: tuple[float, float, float]
    spread: float  # from the first to the last finger, fanned out
    aside: float  # of the thumb from the fingers' direction
    lifted: float  # of the thumb out of the plane of the palm
    rolled: float  # of the thumb about itself
    thumb: tuple[float, float]  # of its second and third segment


OPEN = Bends((0.0, 12.0, 8.0), spread=14.0, aside=64.0, lifted=38.0, rolled=12.0, thumb=(-8.0, 0.0))
CLOSED = Bends((88.0, 100.0, 68.0), spread=0.0, aside=14.0, lifted=34.0, rolled=22.0, thumb=(50.0, 60.0))


@dataclass(frozen=True, eq=False)
class HandPoses:
    """Turns of segments from the rest pose: rotation vectors in the hand's frame, each before those above."""

    hand: Hand
    open: Turns
    closed: Turns

    def __post_init__(self) -> None:
        object.__setattr__(self, "open", frozen_array(self.open, "open"))
        object.__setattr__(self, "closed", frozen_array(self.closed, "closed"))

    def turns(self, shares: Float[np.ndarray, "*n segments"]) -> Float[np.ndarray, "*n segments 3"]:
        """Each segment at its own share of the way from open (0) to closed (1)."""
        return self.open + np.asarray(shares)[..., None] * (self.closed - self.open)

    def rotations(self, shares: Float[np.ndarray, "*n segments"]) -> Float[np.ndarray, "*n segments 4"]:
        """The same as joint rotations, in the order of `hand.joints`."""
        return _rotations(self.hand, self.turns(shares))


def poses_of(hand: Hand, open_hand: Bends = OPEN, fist: Bends = CLOSED) -> HandPoses:
    opened, closed = (_within_limits(hand, _bent(hand, bends)) for bends in (open_hand, fist))
    return HandPoses(hand, opened, closed)


def _bent(hand: Hand, bends: Bends) -> Turns:
    turns = np.zeros((len(hand.roles), 3))
    spreads = _spreads(hand)
    for k, finger in enumerate(hand.fingers):
        own = slice(hand.starts[k], hand.starts[k + 1])
        if finger == THUMB:
            turns[own] = _thumb(hand, hand.bones[own], bends)
        else:
            turns[own] = _finger(hand, hand.bones[own], bends, np.radians(bends.spread) * spreads[k])
    return turns


def _spreads(hand: Hand) -> Float[np.ndarray, "fingers"]:
    """How far fingers fan out: from -1/2 to 1/2 over the width of the hand."""
    across = hand.places[hand.starts[:-1]] @ hand.across
    fingers = across[1:] if hand.has_thumb else across
    wide = max(float(np.ptp(fingers)), 1e-9)
    return (across - 0.5 * (fingers.min() + fingers.max())) / wide


def _finger(hand: Hand, bones: Float[np.ndarray, "n 3"], bends: Bends, spread: float) -> Turns:
    """Each segment is turned by what it lacks; a finger with two segments takes the first and the second."""
    out = np.zeros_like(bones)
    before = hand.along
    for i, bone in enumerate(bones):
        axis = _unit(quat.cross(bone - (bone @ hand.normal) * hand.normal, hand.normal))
        out[i] = (np.radians(bends.finger[i]) - _turned(before, bone, axis)) * axis
        before = bone
    sideways = quat.cross(hand.along, hand.across)  # a turn about it goes from along to across
    fanned = quat.exp((spread - _turned(hand.along, bones[0], sideways)) * sideways)
    out[0] = quat.log(quat.multiply(fanned, quat.exp(out[0])))
    return out


def _thumb(hand: Hand, bones: Float[np.ndarray, "n 3"], bends: Bends) -> Turns:
    """Its first joint does all that opposes it; the others bend about what was the palm's normal."""
    inwards = quat.cross(hand.across, hand.along)  # a turn about it goes from across to along
    first = _unit(bones[0])
    aside = np.arctan2(first @ hand.across, first @ hand.along)
    swing = (aside - np.radians(bends.aside)) * inwards
    flat = np.cos(np.radians(bends.aside)) * hand.along + np.sin(np.radians(bends.aside)) * hand.across
    lifted = np.radians(bends.lifted) - np.arcsin(np.clip(first @ hand.normal, -1.0, 1.0))
    # hands mirror each other, and so do the turns that bring a thumb's pad to face the fingers
    mirrored = 1.0 if quat.cross(hand.along, hand.across) @ hand.normal > 0.0 else -1.0
    lift, roll = lifted * quat.cross(flat, hand.normal), np.radians(mirrored * bends.rolled) * flat
    out = np.zeros_like(bones)
    out[0] = quat.log(quat.multiply(quat.exp(lift + roll), quat.exp(swing)))
    for i in range(1, len(bones)):
        bone = _unit(bones[i])
        axis = _unit(inwards - (inwards @ bone) * bone)
        out[i] = (np.radians(bends.thumb[i - 1]) - _turned(bones[i - 1], bones[i], axis)) * axis
    return out


def _turned(before: Vector, after: Vector, axis: Vector) -> float:
    """The angle about an axis from one direction to another."""
    first, second = before - (before @ axis) * axis, after - (after @ axis) * axis
    return float(np.arctan2(axis @ quat.cross(first, second), first @ second))


def _within_limits(hand: Hand, turns: Turns) -> Turns:
    rotations = np.array(hand.skeleton.rest)
    rotations[hand.joints] = _rotations(hand, turns)
    held = clamped(limits_of(hand.skeleton), rotations)[hand.joints]
    own = quat.log(quat.multiply(quat.conjugate(hand.skeleton.rest[hand.joints]), held))
    return quat.rotate(_at_rest(hand), own)


def _rotations(hand: Hand, turns: Float[np.ndarray, "*n segments 3"]) -> Float[np.ndarray, "*n segments 4"]:
    own = quat.rotate(quat.conjugate(_at_rest(hand)), turns)
    return quat.multiply(hand.skeleton.rest[hand.joints], quat.exp(own))


def _at_rest(hand: Hand) -> Float[np.ndarray, "segments 4"]:
    """How segments are turned at rest, in the hand's frame."""
    orientations = hand.skeleton.rest_orientations
    return quat.multiply(quat.conjugate(orientations[hand.joint]), orientations[hand.joints])


def _unit(v: Vector) -> Vector:
    return v / max(float(np.linalg.norm(v)), 1e-12)
