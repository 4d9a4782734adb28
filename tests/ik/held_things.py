"""Things to grasp, and where finger capsules are, told by the skeleton alone: judges for grasps."""

from __future__ import annotations

import numpy as np

from footfall.figure import kinematics
from footfall.geometry import quaternion as quat
from footfall.ik.grasp import Grasp
from footfall.ik.hand import Hand
from footfall.ik.palm_placement import PalmPlacement
from footfall.world.shapes.box import Box
from footfall.world.shapes.capsule import Capsule
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.shape import Shape
from footfall.world.shapes.sphere import Sphere

KINDS = ("sphere", "box", "capsule")


def any_turn(rng: np.random.Generator) -> np.ndarray:
    return quat.normalize(rng.normal(size=4))


def any_thing(kind: str, rng: np.random.Generator) -> Placed:
    """Of the sizes that hands take, anywhere."""
    return Placed(_any_shape(kind, rng), rng.normal(size=3), any_turn(rng))


def _any_shape(kind: str, rng: np.random.Generator) -> Shape:
    if kind == "sphere":
        return Sphere(rng.uniform(0.015, 0.06))
    if kind == "box":
        return Box(rng.uniform(0.02, 0.09, size=3))
    radius = rng.uniform(0.01, 0.04)
    return Capsule(radius, max(rng.uniform(0.05, 0.25), 2.0 * radius))


def capsules(hand: Hand, rotations: dict[str, np.ndarray], placement: PalmPlacement) -> list[Placed]:
    """The finger segments in the world by forward kinematics of the whole skeleton, moved rigidly.

    From joint to joint; a last one ends where its round end meets the end site.
    """
    skeleton = hand.skeleton
    turns = np.array(skeleton.rest)
    for role, turn in rotations.items():
        turns[skeleton.joint(role)] = turn
    places, world = kinematics.forward(skeleton.tree, skeleton.offsets, np.zeros(3), turns)
    ends = kinematics.attached(places, world, skeleton.end_parents, skeleton.end_offsets)
    move = quat.multiply(placement.orientation, quat.conjugate(world[hand.joint]))
    out = []
    for k, joint in enumerate(hand.joints):
        start, radius = places[joint], hand.radii[k]
        if k + 1 in hand.starts:
            tip = ends[skeleton.end_parents == joint][0]
            stop = tip - radius * (tip - start) / np.linalg.norm(tip - start)
        else:
            stop = places[hand.joints[k + 1]]
        start, stop = (placement.position + quat.rotate(move, p - places[hand.joint]) for p in (start, stop))
        length = float(np.linalg.norm(stop - start))
        turn = quat.between(np.array([0.0, 1.0, 0.0]), stop - start)
        out.append(Placed(Capsule(radius, length + 2.0 * radius), 0.5 * (start + stop), turn))
    return out


def fingers_of(taken: Grasp, share: float = 1.0) -> list[Placed]:
    return capsules(taken.poses.hand, taken.rotations(share), taken.placement)
