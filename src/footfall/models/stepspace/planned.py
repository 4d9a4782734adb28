"""A foot plan as steps: for each its three prints, in the world and as a query of the step space."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int

from footfall.analysis.steps import HIGH_NAMES
from footfall.figure.contacts import SIDES
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.world.foot_plan import FootPlan

STOOD = 1.0  # s: who starts from a stand has stood at least so long


@dataclass(frozen=True, eq=False)
class PlannedSteps:
    """All steps of a plan; prints are numbered as in the plan."""

    feet: Int[np.ndarray, "steps"]  # the swing foot: 0 left, 1 right
    prints: Int[np.ndarray, "steps 3"]  # origin, target, support
    places: Float[np.ndarray, "prints 3"]
    headings: Float[np.ndarray, "prints"]
    turns: Float[np.ndarray, "prints 4"]  # from a print's frame to the world
    swings: Float[np.ndarray, "prints"]  # s that arrive there; NaN is not asked
    stances: Float[np.ndarray, "prints"]

    @classmethod
    def of(
        cls,
        plan: FootPlan,
        headings: Float[np.ndarray, "prints"],
        turns: Float[np.ndarray, "prints 4"] | None = None,
    ) -> PlannedSteps:
        """From a plan whose headings are all known; `turns` are those of prints on sloping ground."""
        steps = plan.steps()
        return cls(
            feet=np.array([SIDES.index(s.foot) for s in steps]),
            prints=np.array([(s.origin, s.target, s.support) for s in steps]),
            places=np.array([p.position for p in plan.placements]),
            headings=headings,
            turns=ground.turn(headings) if turns is None else turns,
            swings=np.array([np.nan if p.swing is None else p.swing for p in plan.placements]),
            stances=np.array([np.nan if p.stance is None else p.stance for p in plan.placements]),
        )

    def __len__(self) -> int:
        return len(self.feet)

    def part(self, steps: slice) -> PlannedSteps:
        """Some of the steps; prints keep their numbers."""
        return replace(self, feet=self.feet[steps], prints=self.prints[steps])

    def beside(self) -> tuple[Float[np.ndarray, "steps 2 3"], Float[np.ndarray, "steps 2"]]:
        """Origin and target as seen from the support print."""
        support = self.prints[:, 2]
        back = ground.turn(-self.headings[support])[:, None]
        places = quat.rotate(back, self.places[self.prints[:, :2]] - self.places[support][:, None])
        turns = ground.wrap(self.headings[self.prints[:, :2]] - self.headings[support][:, None])
        return places, turns

    def queries(self, *, from_stand: bool, to_stand: bool) -> Float[np.ndarray, "steps 10"]:
        """S_high of each step; what is not asked is NaN."""
        places, turns = self.beside()
        out = np.full((len(self), len(HIGH_NAMES)), np.nan)
        out[:, 0:4] = places[:, :, [0, 2]].reshape(-1, 4)
        out[:, 4:6] = turns
        out[:, 6], out[:, 7] = self.stances[self.prints[:, 0]], self.stances[self.prints[:, 1]]
        out[:, 8], out[:, 9] = self.swings[self.prints[:, 1]], self.stances[self.prints[:, 2]]
        if from_stand:
            out[0, 6], out[0, 9] = STOOD, STOOD
        if to_stand:
            out[-1, 7] = STOOD
        return out
