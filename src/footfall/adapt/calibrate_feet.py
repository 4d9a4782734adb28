"""Foot points measured from clips: which way the soles face, and how deep they lie, when feet stand flat.

Captured feet seldom stand as their rest pose says: the toes of one subject point up by eleven degrees on the
left and nineteen on the right when the foot lies flat on the floor.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from footfall.analysis.contacts import detect_contacts
from footfall.analysis.firmness import firm_contacts
from footfall.analysis.floor import fit_floor
from footfall.analysis.plants import detect_plants
from footfall.errors import RequestError
from footfall.figure.feet import FootPoints
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import UP

LARGEST_DIFFERENCE = 0.03  # m between the depths of left and right


def calibrate_feet(skeleton: Skeleton, clips: Sequence[Motion]) -> Skeleton:
    """The skeleton with foot points that lie on the floor when the feet of these clips stand flat.

    Clips must be of this skeleton. What stairs and blocks cannot tell (the difference in depth of left and
    right) comes from clips on one plane; without any flat stance the skeleton is returned as it is.
    """
    normals: dict[str, list[Float[np.ndarray, "3"]]] = {side: [] for side in skeleton.sides}
    heights: dict[str, list[float]] = {side: [] for side in skeleton.sides}
    for clip in clips:
        if not skeleton.same_bones(clip.skeleton):
            raise RequestError("feet are calibrated with clips of one skeleton; retarget the others first")
        _measure(clip, normals, heights)
    both = [np.median(heights[side]) for side in skeleton.sides if heights[side]]
    feet = {}
    for side in skeleton.sides:
        if normals[side]:
            middle = float(np.mean(both)) if len(both) == 2 else None
            more = 0.0 if middle is None else float(np.median(heights[side])) - middle
            feet[side] = _points(skeleton, side, normals[side], float(np.clip(more, *_HALF)))
    return skeleton.with_feet(**feet) if feet else skeleton


_HALF = (-0.5 * LARGEST_DIFFERENCE, 0.5 * LARGEST_DIFFERENCE)


def _measure(
    clip: Motion, normals: dict[str, list[Float[np.ndarray, "3"]]], heights: dict[str, list[float]]
) -> None:
    """Adds what one clip's flat stances tell: up in the foot's frame, the ankle's height over the floor."""
    contacts = clip.contacts if clip.contacts is not None else detect_contacts(clip)
    firm = firm_contacts(clip, contacts)
    plants = detect_plants(clip, contacts)
    floor = fit_floor(plants)
    up = floor.normal if floor is not None and floor.one else UP
    for plant in plants:
        frames = plant.start + np.flatnonzero(firm.flat(plant.foot)[plant.start : plant.end])
        if not len(frames):
            continue
        foot = clip.skeleton.joint(f"{plant.foot}_foot")
        seen = quat.rotate(quat.conjugate(clip.orientations[frames, foot]), up).mean(axis=0)
        normals[plant.foot].append(seen / np.linalg.norm(seen))
        if floor is not None and floor.one:
            ankle = np.median(clip.positions[frames, foot], axis=0)
            heights[plant.foot].append(float((ankle - floor.point) @ up))


def _points(
    skeleton: Skeleton, side: str, normals: list[Float[np.ndarray, "3"]], deeper: float
) -> FootPoints:
    """The default points, turned until their sole's normal is the measured one, at the measured depth."""
    before = skeleton.foot_points(side)
    up = np.median(np.array(normals), axis=0)
    up = up / np.linalg.norm(up)
    depth = float(np.linalg.norm(before.subtalar)) + deeper
    forward = before.ball - before.heel
    forward = forward - (forward @ up) * up
    forward = forward / np.linalg.norm(forward)
    old = (before.ball - before.heel) / np.linalg.norm(before.ball - before.heel)
    reach = {n: float((getattr(before, n) - before.subtalar) @ old) for n in ("heel", "ball", "toe")}
    subtalar = -depth * up
    return FootPoints(
        heel=subtalar + reach["heel"] * forward,
        subtalar=subtalar,
        ball=subtalar + reach["ball"] * forward,
        toe=subtalar + reach["toe"] * forward,
    )
