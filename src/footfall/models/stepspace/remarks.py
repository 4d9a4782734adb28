"""What of a plan could not be as asked, in words that name the footprint."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from jaxtyping import Float

from footfall.models.stepspace.planned import PlannedSteps
from footfall.world.foot_plan import FootPlan
from footfall.world.terrain import Ground

LOOK_DOWN = 0.4  # m over a print from where its ground is looked for
ON_THE_GROUND = 0.02  # m that a print may be over or under it before that is said
HARDLY = 0.001  # m outside what was captured that are not said
LOW = 0.05  # m that the pelvis may come down before it is said
NARROW = 0.05  # m between two feet: less is no room for both
STARTS = 2  # footprints in which a plan starts


def outside(planned: PlannedSteps, far: Sequence[float]) -> Iterator[str]:
    """Steps so far outside what was captured that the nearest is bent to them."""
    for step, metres in zip(planned.prints[:, 1], far, strict=True):
        if metres > HARDLY:
            told = f"{metres:.2f} m" if metres >= 0.01 else f"{1000.0 * metres:.0f} mm"
            yield f"steps[{step}]: {told} outside what was captured, the nearest step is bent to it"


def off_the_ground(planned: PlannedSteps, terrain: Ground | None) -> Iterator[str]:
    """Prints that do not lie on the terrain; they are met where they are."""
    if terrain is None:
        return
    x, y, z = planned.places.T
    over = y - terrain.height(x, z, y + LOOK_DOWN)
    for k in np.flatnonzero(~(np.abs(over) <= ON_THE_GROUND)):
        where = f"{abs(over[k]):.2f} m {'over' if over[k] > 0 else 'under'} the ground"
        yield f"steps[{k}]: the print is {'over no ground' if np.isinf(over[k]) else where}"


def on_each_other(planned: PlannedSteps) -> Iterator[str]:
    """Prints so near to the other foot's that one stands on the other; they are met where they are."""
    origin, target, support = (planned.places[planned.prints[:, k]] for k in range(3))
    numbers = [int(planned.prints[0, 0]), *planned.prints[:, 1].tolist()]
    away = np.concatenate([origin[:1] - support[:1], target - support])
    near = np.linalg.norm(away[:, [0, 2]], axis=1) < NARROW
    for k in np.flatnonzero(near & (np.abs(away[:, 1]) < NARROW)):
        yield f"steps[{numbers[k]}]: the foot stands on the other foot"


def lowered(planned: PlannedSteps, most: Float[np.ndarray, "steps"]) -> Iterator[str]:
    """Steps in which the pelvis comes down a good deal."""
    for k in np.flatnonzero(most > LOW):
        yield f"steps[{planned.prints[k, 1]}]: the pelvis comes down by {100.0 * most[k]:.0f} cm"


def unlain(plan: FootPlan, numbers: Collection[int]) -> Iterator[str]:
    """Footprints but for these `numbers`, in which a foot does not lie while the motion lasts."""
    for k in sorted({*range(len(plan))} - {*numbers}):
        ends = "begins after the foot lay" if k < STARTS else "ends before the foot lies"
        yield f"steps[{k}]: the motion {ends} in it"
