"""What a step space knows, drawn: S_low with its tetrahedra, and from above where the next step may land.

Around the feet lies the area of `StepSpace.reachable_area`. In it are the landings of captured steps that
S_low calls alike, dark where their stance was alike indeed: it does not know where the support foot points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Bool, Float

from footfall.figure.contacts import SIDES
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.stepspace.low_space import low_axis, low_of
from footfall.models.stepspace.model import StepSpace
from footfall.models.stepspace.planned import PlannedSteps
from footfall.picture.footprints import INK, footprint
from footfall.world.foot_plan import FootPlan

ALIKE, SAME = 0.05, 0.15  # m: stances that S_low calls alike, and that are
MARKS = {"forward": "^", "backward": "v", "side": "o", "cross": "x"}
AREA, EDGE, DARK, LIGHT = "0.9", "0.45", "0.05", "0.62"  # shares of white


@dataclass(frozen=True, eq=False)
class Landings:
    """Where the swing feet of captured steps would land from a stance; a row a step of the space."""

    places: Float[np.ndarray, "n 3"]
    near: Bool[np.ndarray, "n"]  # S_low calls the stance alike
    same: Bool[np.ndarray, "n"]  # so do the support foot's own axes

    @classmethod
    def of(cls, space: StepSpace, plan: FootPlan, foot: str) -> Landings:
        """Of `foot` after the last prints of a plan, laid on them by S_low's frame."""
        planned = _stood(space, plan, foot)
        last = {p.foot: k for k, p in enumerate(plan.placements)}
        swing, support = last[foot], last[SIDES[1 - SIDES.index(foot)]]
        frame = ground.turn(float(planned.headings[support]))
        mirror = np.array(
            [1.0 if foot == "left" else -1.0, 1.0, 1.0]
        )  # the space tells the left foot's steps
        away = planned.places[swing] - planned.places[support]
        beside = np.zeros(10)
        beside[:2] = (mirror * quat.rotate(quat.conjugate(frame), away))[[0, 2]]
        low = low_of(space.left.high)
        near = np.abs(low[:, 0] - low_of(beside)[0]) < ALIKE
        same = np.hypot(*(space.left.high[:, :2] - beside[:2]).T) < SAME
        flat = np.stack([low[:, 1], np.zeros(len(low)), low[:, 2]], axis=-1)
        landed = mirror * quat.rotate(ground.turn(float(low_axis(beside))), flat)
        return cls(planned.places[support] + quat.rotate(frame, landed), near, near & same)


def _stood(space: StepSpace, plan: FootPlan, foot: str) -> PlannedSteps:
    """A plan that may have no step yet, with headings: its last print of `foot` once more as a step."""
    again = next(p for p in reversed(plan.placements) if p.foot == foot)
    return space.planned(FootPlan((*plan.placements, again)))


def draw_low_space(axes: Any, space: StepSpace) -> None:
    """Captured steps of the left foot as points of S_low, tetrahedra by their edges; on axes of three."""
    from mpl_toolkits.mplot3d.art3d import Line3DCollection

    low = space.low
    pairs = np.stack(np.triu_indices(4, 1), axis=-1)
    edges = np.unique(np.sort(low.corners[:, pairs].reshape(-1, 2), axis=1), axis=0)
    points = low.low[:, [1, 2, 0]]
    axes.add_collection3d(Line3DCollection(points[edges], lw=0.25, colors=EDGE, alpha=0.5))
    axes.scatter(*points.T, s=5, c=[INK["left"]], depthshade=False)
    axes.set_xlabel("x2 [m]", fontsize=8, labelpad=-6)
    axes.set_ylabel("z2 [m]", fontsize=8, labelpad=-6)
    axes.set_zlabel("x1 [m]", fontsize=8, labelpad=-8)
    axes.tick_params(labelsize=6, pad=-3)


def draw_next_step(axes: Any, space: StepSpace, plan: FootPlan, foot: str) -> None:
    """From above, x to the left of the picture: where `foot` may land after the last prints of a plan."""
    corners = space.reachable_area(plan, foot)
    axes.fill(corners[:, 0], corners[:, 2], color=AREA, lw=0.0)
    headings = _stood(space, plan, foot).headings[:-1]
    for placement, heading in zip(plan.placements, headings, strict=True):
        rim = footprint(space.skeleton, placement.foot, placement.position, float(heading)).outline
        axes.fill(rim[:, 0], rim[:, 2], color=INK[placement.foot], alpha=0.45, lw=0.0)
    landings = Landings.of(space, plan, foot)
    for kind, mark in MARKS.items():
        own = np.array([f" {kind} " in name for name in space.left.names])
        for rows, ink in ((landings.near & ~landings.same, LIGHT), (landings.same, DARK)):
            words = kind if ink == DARK else None
            x, _, z = landings.places[rows & own].T
            axes.plot(x, z, mark, ms=3.5, color=ink, mfc="none", label=words)
    axes.set_aspect("equal")
    if not axes.xaxis_inverted():
        axes.invert_xaxis()
